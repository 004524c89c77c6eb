// tet.h: all tetrahedra of a world, E(q) = sum over elements of V W(F(q))
//
// The first kind of batched element (batches.h): bodies one after the other, each body's tets by material and then
// along its vertices. What tets have besides: weights of conversion, edges that they wind about, and viscous damping
// (kernel/viscous.h).
#ifndef PL_TET_H
#define PL_TET_H

#include "batches.h"
#include "tet_layout.h"
#include "winding.h"
#include "../material/material.h"

// What the tets of each group are made of; a group is one material of one body.
typedef struct plTetMatter
{
	const plMaterial* materials; // [groupCount]
	const double* viscosity;     // [groupCount] Pa s; NULL: nothing is damped
} plTetMatter;

// Elements in the order in which they are to be laid out
typedef struct plTetInput
{
	plBatchInput batches;
	plTetMatter matter;
} plTetInput;

typedef struct plTetEnergy
{
	plBatches base;
	size_t vertexCount;  // of the world
	double* blend;       // [8 batchCount] weights of conversion, lanes that fill up 0; NULL: no material converts
	double* blendBefore; // [8 batchCount] with `blend`: work space of tet_stuck.c
	uint8_t* nearStuck;  // [vertexCount] the same: marks
	plWindings windings; // with `blend`
} plTetEnergy;

// In two parts, because patches are made of all kinds together (elements.c): lanes and spans first; then, with patches,
// windings. False: no memory
bool plTetEnergy_Lay(plTetEnergy* energy, const plTetInput* input, size_t vertexCount, uint32_t** index, plHeap* heap);
bool plTetEnergy_Finish(plTetEnergy* energy, const plTetInput* input, plHeap* heap);
// Other matter for the tets that are there; a group that converts goes on to, and no other. Where it is damped there
// are anchors.
void plTetEnergy_Refill(plTetEnergy* energy, const plTetMatter* matter);
void plTetEnergy_Destroy(plTetEnergy* energy, plHeap* heap);

// Is det F <= 0 at q? It has the sign of det Ds, because rest volumes are positive.
bool plTetEnergy_IsInverted(const plTetEnergy* energy, size_t slot, const double* q);
// Of the elements in slots begin .. end-1
size_t plTetEnergy_CountInverted(const plTetEnergy* energy, size_t begin, size_t end, const double* q);

// tet_stuck.c: before the weights of conversion are updated at q: is an element stuck, that is inverted still at weight
// 1, or an edge wound? Their vertices are marked. Then, after they were: the neighbours give way; true if any weight is
// another than before the update.
bool plTetEnergy_FindStuck(const plTetEnergy* energy, const double* q);
bool plTetEnergy_Loosen(const plTetEnergy* energy);

#endif
