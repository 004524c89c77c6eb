// near_kernels.h: the inner loops of a search for near pairs, compiled once per instruction set
//
// Boxes of floats tell which pairs of two leaves may be near: candidates. Their distances are doubles, several at a
// time, with the bits of energy/near_pair.h: so a search finds the same pairs with every instruction set.
#ifndef PL_NEAR_KERNELS_H
#define PL_NEAR_KERNELS_H

#include "near_leaves.h"
#include "../energy/near_pair.h"

// Where vertices go on straight lines, by quads: by `scale` times their ways; NULL: nothing moves
typedef struct plNearWays
{
	const double* places;
	const double* ways;
	double scale;
} plNearWays;

static const double plNear_left = 0.1; // of its distance, that a pair keeps on its way

enum
{
	pl_nearBatch = 256,      // candidates that are worth measuring
	pl_nearMost = 8 * 8 * 9, // that two leaves may have: edges of all triangles of both, as many vertices and triangles
	pl_nearRoom = pl_nearBatch + pl_nearMost,
};

// Candidates of one kind
typedef struct plNearBatch
{
	uint32_t corners[pl_nearRoom][pl_nearCorners]; // in the order of plNearPair
	uint32_t sides[pl_nearRoom][2];                // ranks of the two (near_leaves.h)
	double distance[pl_nearRoom];                  // of plNearFind; INFINITY: it is not listed
	size_t count;
} plNearBatch;

typedef struct plNearBoxKernels
{
	const char* isa;
	// Candidates of leaf a and leaf b, which is not before it: vertices of each and triangles of the other; edges of
	// both
	void (*findFaces)(const plTriangleTree* tree, const plNearLeaves* leaves, size_t a, size_t b, plNearBatch* batch);
	void (*findEdges)(const plTriangleTree* tree, const plNearLeaves* leaves, size_t a, size_t b, plNearBatch* batch);
} plNearBoxKernels;

typedef struct plNearDistanceKernels
{
	const char* isa;
	// Distances of pairs whose corners are `stride` numbers apart
	void (*measure)(plNearKind kind, const uint32_t* corners, size_t stride, size_t count, const double* places,
	                double* distance);
	// Which candidates are listed (near.h)
	void (*select)(plNearKind kind, const plNearWays* ways, double reach, plNearBatch* batch);
} plNearDistanceKernels;

// Of the set in use (base/isa.h)
const plNearBoxKernels* plFindNearBoxKernels(void);
const plNearDistanceKernels* plFindNearDistanceKernels(void);

#endif
