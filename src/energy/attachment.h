// attachment.h: vertices drawn to points, axis by axis: soft pins, and damping by the air
#ifndef PL_ATTACHMENT_H
#define PL_ATTACHMENT_H

#include "energy.h"

typedef struct plAttachmentEnergy
{
	plEnergy base;     // one corner
	double* stiffness; // [3 elementCount] k along x, y, z, N/m; 0: let go
	double* target;    // [3 elementCount] p, m
	double* rate;      // [elementCount] c m of a vertex, kg/s; NULL: not damping
} plAttachmentEnergy;

// Room for `count` attachments, one at least; the caller fills vertices, and stiffness and target before every substep.
// NULL: no memory
plAttachmentEnergy* plAttachmentEnergy_Create(size_t count, plHeap* heap);
// Damping by the air: the caller fills vertices and rate, `begin` does the rest.
plAttachmentEnergy* plAirEnergy_Create(size_t count, plHeap* heap);
bool plAirEnergy_Make(const plEnergySource* source, plEnergy** energy); // of bodies that have it

// For energies that begin with a plAttachmentEnergy: its verbs and its arrays
void plAttachmentEnergy_Value(const plEnergy* energy, const double* q, size_t begin, size_t end, plEnergySum* sum);
void plAttachmentEnergy_Gradient(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces);
double plAttachmentEnergy_Curvature(const plEnergy* energy, const double* q, const double* d, size_t begin, size_t end);
void plAttachmentEnergy_Hessian(const plEnergy* energy, const double* q, bool projected, size_t begin, size_t end,
                                double* blocks);
#define PL_ATTACHMENT_VERBS                                                                                            \
	.cornerCount = 1, .value = plAttachmentEnergy_Value, .gradient = plAttachmentEnergy_Gradient,                      \
	.curvature = plAttachmentEnergy_Curvature, .hessian = plAttachmentEnergy_Hessian
bool plAttachmentEnergy_Allocate(plAttachmentEnergy* energy, const plEnergyVerbs* verbs, size_t count, plHeap* heap);
void plAttachmentEnergy_Free(plAttachmentEnergy* energy, plHeap* heap);

#endif
