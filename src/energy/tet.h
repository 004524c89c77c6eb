// tet.h: all tetrahedra of a world, E(q) = sum over elements of V W(F(q))
//
// Rest data and tables only; the arithmetic is in the kernels of a backend. Elements are laid out in batches of eight
// (tet_kernels.h), bodies one after the other, each body's elements by material and then along its vertices.
#ifndef PL_TET_H
#define PL_TET_H

#include "../base/base.h"
#include "../material/material.h"
#include "patches.h"
#include "tet_kernels.h"
#include "winding.h"

// What the world hands over: elements in the order in which they are to be laid out.
typedef struct plTetInput
{
	size_t vertexCount;
	const double* rest; // [4 vertexCount] x y z 0, internal order
	size_t elementCount;
	const uint32_t* corners;     // [4 elementCount] internal vertices
	const uint32_t* group;       // [elementCount] not descending; one group is one span
	const plMaterial* materials; // [groupCount]
	size_t groupCount;
	uint32_t* slot; // [elementCount] filled in: 8 batch + lane of each element
} plTetInput;

typedef struct plTetEnergy
{
	size_t vertexCount;
	size_t elementCount;
	size_t batchCount;
	size_t spanCount;
	uint32_t* index;    // [32 batchCount]
	double* rest;       // [3 vertexCount] positions at rest, m
	double* restDouble; // [80 batchCount], or NULL: rest data in one precision at least, as tet_kernels.h lays them out
	float* restFloat;   // [80 batchCount], or NULL
	plTetSpan* spans;   // [spanCount], one per group, rest not set
	uint32_t* batchSpan; // [batchCount]
	uint8_t* filling;    // [batchCount] bit l: lane l only fills up the batch
	double* rounding; // [vertexCount] sum over its elements of (modulus) V |b|, N: rounding of stresses moves forces by
	                  // eps times this, b the gradient of the vertex's shape function
	double* stiffness;   // [vertexCount] sum of (modulus) V |b|^2, N/m: rounding of positions moves forces by this
	double* blend;       // [8 batchCount] weights of conversion, lanes that fill up 0; NULL: no material converts
	double* blendBefore; // [8 batchCount] with `blend`: work space of tet_stuck.c
	uint8_t* nearStuck;  // [vertexCount] the same: marks
	plWindings windings; // with `blend`
	plPatches patches;   // where a vertex finds its forces
} plTetEnergy;

plResult plTetEnergy_Create(plTetEnergy* energy, const plTetInput* input, plPrecision precision, plHeap* heap);
// Rest data in this precision too, if they are not there; false: no memory.
bool plTetEnergy_AddPrecision(plTetEnergy* energy, plPrecision precision, plHeap* heap);
void plTetEnergy_Destroy(plTetEnergy* energy, plHeap* heap);

// The part of the span of batch `begin` that lies in batches begin .. end-1.
plTetSpan plTetEnergy_Clip(const plTetEnergy* energy, size_t begin, size_t end, bool isFloat);
// Counts its batches from `origin`: what a kernel writes for batch `origin` stands at the start of its output.
void plTetSpan_Shift(plTetSpan* span, size_t origin, bool isFloat);

// One batch for the kernels in double, counted from itself; its rest data are made in `rest` if the energy has them in
// float only.
plTetSpan plTetEnergy_GetExact(const plTetEnergy* energy, size_t batch, double rest[pl_batchRest]);

// Does the lane only fill up its batch?
bool plTetEnergy_IsFilling(const plTetEnergy* energy, size_t slot);
// Is det F <= 0 at q? It has the sign of det Ds, because rest volumes are positive.
bool plTetEnergy_IsInverted(const plTetEnergy* energy, size_t slot, const double* q);

// tet_stuck.c: before the weights of conversion are updated at q: is an element stuck, that is inverted still at weight
// 1, or an edge wound? Their vertices are marked. Then, after they were: the neighbours give way; true if any weight is
// another than before the update.
bool plTetEnergy_FindStuck(const plTetEnergy* energy, const double* q);
bool plTetEnergy_Loosen(const plTetEnergy* energy);

#endif
