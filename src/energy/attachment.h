// attachment.h: vertices drawn to points, axis by axis: soft attachments, and damping by the air
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

// Room for `count` attachments; the caller fills vertices, and stiffness and target before every substep.
plResult plAttachmentEnergy_Create(plAttachmentEnergy* energy, size_t count, plHeap* heap);
// The same for attachments that come and go within a step.
plResult plPassingEnergy_Create(plAttachmentEnergy* energy, size_t count, plHeap* heap);
// Damping by the air: the caller fills vertices and rate, `begin` does the rest.
plResult plAirEnergy_Create(plAttachmentEnergy* energy, size_t count, plHeap* heap);
void plAttachmentEnergy_Destroy(plAttachmentEnergy* energy, plHeap* heap);

#endif
