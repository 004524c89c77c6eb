// patches.h: where each vertex finds what the elements give to it
//
// Elements stand in patches of 32 batches. A patch adds up what its elements give to each of its vertices while that is
// still in the nearest cache: a share. A vertex then adds up its shares, one or two of them mostly, because a patch is
// compact. Both sums have one order, so the result does not depend on who computes which patch.
#ifndef PL_PATCHES_H
#define PL_PATCHES_H

#include "../base/base.h"
#include "tet_kernels.h"

enum
{
	pl_patchBatches = 32, // forces of 256 elements in float are 12 KiB: less than half of the nearest cache
	pl_patchVertices = pl_patchBatches * pl_batchIndices, // at most
	pl_patchForces = pl_patchBatches * pl_batchForces,
	pl_patchDiagonal = pl_patchBatches * pl_batchDiagonal,
};

struct plPatches
{
	size_t patchCount;
	size_t shareCount;
	size_t vertexCount;
	size_t batchCount;
	size_t* shareStart;    // [patchCount + 1] first share of a patch
	uint16_t* share;       // [32 batchCount] share of a corner, from the first of its patch, times 4: where its numbers
	                       // begin; [batch][corner][lane]
	uint32_t* shareVertex; // [shareCount] vertex of a share
	double*
	    reach; // [patchCount] power of 2, at least 1.25 times the distance of a vertex from the patch's first, at rest
	uint32_t* vertexStart; // [vertexCount + 1] into vertexShare
	uint32_t* vertexShare; // [shareCount] shares of a vertex, ascending
};

// `index` holds the vertices of corners: [batch][corner][lane]; `rest` [3 vertexCount].
plResult plPatches_Create(plPatches* patches, const uint32_t* index, size_t batchCount, const double* rest,
                          size_t vertexCount, plHeap* heap);
void plPatches_Destroy(plPatches* patches, plHeap* heap);

// Of positions that are whole numbers (backend/cpu/place_loops.h), where the patch is not stretched beyond its reach
static inline double plPatches_GetUnit(const plPatches* patches, size_t patch)
{
	return patches->reach[patch] * 0x1p-29;
}

// Vertices of the patch that a batch stands in: that of a corner is [share / 4].
static inline const uint32_t* plPatches_GetVertices(const plPatches* patches, size_t batch)
{
	return patches->shareVertex + patches->shareStart[batch / pl_patchBatches];
}

// Vertices of the element in a slot.
static inline void plPatches_GetCorners(const plPatches* patches, size_t slot, uint32_t corners[4])
{
	size_t batch = slot / pl_batchSize;
	const uint32_t* vertex = plPatches_GetVertices(patches, batch);
	for (size_t c = 0; c < 4; ++c)
		corners[c] = vertex[patches->share[pl_batchIndices * batch + pl_batchSize * c + slot % pl_batchSize] / 4];
}

#endif
