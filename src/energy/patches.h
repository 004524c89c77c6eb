// patches.h: where each vertex finds what the elements give to it
//
// Elements stand in patches of 32 batches, the patches of one kind after those of another. A patch adds up what its
// elements give to each of its vertices while that is still in the nearest cache: a share. A vertex then adds up its
// shares, one or two of them mostly, because a patch is compact, and does not see of which kind they are. Both sums
// have one order, so the result does not depend on who computes which patch.
#ifndef PL_PATCHES_H
#define PL_PATCHES_H

#include "../base/base.h"
#include "../base/layout.h"
#include "kernels.h"

struct plPatches
{
	size_t patchCount;
	size_t shareCount;
	size_t vertexCount;
	size_t* shareStart;    // [patchCount + 1] first share of a patch
	uint32_t* shareVertex; // [shareCount] vertex of a share
	double*
	    reach; // [patchCount] power of 2, at least 1.25 times the distance of a vertex from the patch's first, at rest
	uint32_t* vertexStart; // [vertexCount + 1] into vertexShare
	uint32_t* vertexShare; // [shareCount] shares of a vertex, ascending
};

// The elements of one kind, as the tables are made from them.
typedef struct plPatchInput
{
	size_t cornerCount; // of an element
	size_t batchCount;
	const uint32_t* index; // [8 cornerCount batchCount] vertices of corners: [batch][corner][lane]
	uint16_t* corner;      // the same size, filled in: shares of corners, from the first of their patch, times 4
} plPatchInput;

static inline size_t plPatches_CountOf(size_t batchCount)
{
	return (batchCount + pl_patchBatches - 1) / pl_patchBatches;
}

// `rest` [3 vertexCount]
plResult plPatches_Create(plPatches* patches, const plPatchInput* kinds, size_t kindCount, const double* rest,
                          size_t vertexCount, plHeap* heap);
void plPatches_Destroy(plPatches* patches, plHeap* heap);

// Of positions that are whole numbers (backend/cpu/place_loops.h), where the patch is not stretched beyond its reach
static inline double plPatches_GetUnit(const plPatches* patches, size_t patch)
{
	return patches->reach[patch] * 0x1p-29;
}

static inline const uint32_t* plPatches_GetVertices(const plPatches* patches, size_t patch)
{
	return patches->shareVertex + patches->shareStart[patch];
}

#endif
