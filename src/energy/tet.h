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
	double* rounding; // [vertexCount] sum over its elements of (modulus) V |b|, N: rounding of stresses moves forces by
	                  // eps times this, b the gradient of the vertex's shape function
	double* stiffness;   // [vertexCount] sum of (modulus) V |b|^2, N/m: rounding of positions moves forces by this
	double* blend;       // [8 batchCount] weights of conversion, lanes that fill up 0; NULL: no material converts
	double* blendBefore; // [8 batchCount] with `blend`: work space of tet_stuck.c
	uint8_t* nearStuck;  // [vertexCount] the same: marks
	plWindings windings; // with `blend`
	plPatches patches;   // where a vertex finds its forces
} plTetEnergy;

plResult plTetEnergy_Create(plTetEnergy* energy, const plTetInput* input, bool withFloat, plHeap* heap);
// Rest data in float too, if it was not made with them; false: no memory.
bool plTetEnergy_AddFloat(plTetEnergy* energy, plHeap* heap);
void plTetEnergy_Destroy(plTetEnergy* energy, plHeap* heap);

// The part of the span of batch `begin` that lies in batches begin .. end-1.
plTetSpan plTetEnergy_Clip(const plTetEnergy* energy, size_t begin, size_t end, bool isFloat);
// The same with batches counted from `origin`: what a kernel writes for batch `origin` stands at the start of its
// output.
plTetSpan plTetSpan_Shift(plTetSpan span, size_t origin, bool isFloat);

// Is det F <= 0 at q? It has the sign of det Ds, because rest volumes are positive.
bool plTetEnergy_IsInverted(const plTetEnergy* energy, size_t slot, const double* q);

// tet_stuck.c: before the weights of conversion are updated at q: is an element stuck, that is inverted still at weight
// 1, or an edge wound? Their vertices are marked. Then, after they were: the neighbours give way; true if any weight is
// another than before the update.
bool plTetEnergy_FindStuck(const plTetEnergy* energy, const double* q);
bool plTetEnergy_Loosen(const plTetEnergy* energy);

#endif
