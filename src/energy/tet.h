// tet.h: all tetrahedra of a world, E(q) = sum over elements of V W(F(q))
//
// Rest data and tables only; the arithmetic is in the kernels of a backend. Elements are laid out in batches of eight
// (tet_kernels.h), bodies one after the other, each body's elements by material and then along its vertices.
#ifndef PL_TET_H
#define PL_TET_H

#include "../base/base.h"
#include "../material/material.h"
#include "tet_kernels.h"

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
} plTetInput;

typedef struct plTetEnergy
{
	size_t vertexCount;
	size_t elementCount;
	size_t batchCount;
	size_t spanCount;
	uint32_t* index;     // [32 batchCount]
	double* restDouble;  // [80 batchCount]
	float* restFloat;    // [80 batchCount], or NULL
	uint32_t* slot;      // [elementCount] 8 batch + lane of an element
	plTetSpan* spans;    // [spanCount], one per group, rest pointing to restDouble
	uint32_t* batchSpan; // [batchCount]
	size_t* gatherStart; // [vertexCount + 1]
	double* rounding; // [vertexCount] sum over its elements of (modulus) V |b|, N: rounding of stresses moves forces by
	                  // eps times this, b the gradient of the vertex's shape function
	double* stiffness; // [vertexCount] sum of (modulus) V |b|^2, N/m: rounding of positions moves forces by this
	uint32_t* gather;  // [4 elementCount] where a vertex finds its forces: 96 batch + 24 corner + lane, ascending
} plTetEnergy;

plResult plTetEnergy_Create(plTetEnergy* energy, const plTetInput* input, bool withFloat, plHeap* heap);
// Rest data in float too, if it was not made with them; false: no memory.
bool plTetEnergy_AddFloat(plTetEnergy* energy, plHeap* heap);
void plTetEnergy_Destroy(plTetEnergy* energy, plHeap* heap);

// The part of a span that lies in batches begin .. end-1; `first` is the span of batch `begin`.
plTetSpan plTetEnergy_Clip(const plTetEnergy* energy, size_t span, size_t begin, size_t end, bool isFloat);

#endif
