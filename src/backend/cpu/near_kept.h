// near_kept.h: what pairs give to a Hessian beyond their bound, kept from one matrix to the next
//
// The matrix has a bound of every pair on its diagonal, and products with the Hessian need the rest: hessian - bound of
// the pairs that push. Conjugate gradients ask for it many times at one state; most pairs that are listed push nothing.
#ifndef PL_NEAR_KEPT_H
#define PL_NEAR_KEPT_H

#include "../../base/base.h"

typedef struct plNearKept
{
	uint32_t* pair;  // [count] numbers of the pairs that push, ascending
	double* block;   // [90 count] hessian - bound
	size_t* gather;  // [4 count] corners of a vertex, ascending: corner c of kept pair k is 4 k + c
	size_t* start;   // [vertexCount + 1] into gather
	uint8_t* pushes; // [listed] of all pairs
	size_t pairRoom, blockRoom, gatherRoom, startRoom, pushesRoom;
	size_t count;
	uint64_t revision; // of the list that they are of; 0: nothing is kept
} plNearKept;

struct plCpuProblem;
// After plCpuNear_Bound at q, whose vectors it reads. Without memory nothing is kept: products make blocks anew.
void plNearKept_Fill(struct plCpuProblem* p, const double* q, bool projected);
bool plNearKept_IsOf(const struct plCpuProblem* p);                                     // the list of now
void plNearKept_AddProduct(const struct plCpuProblem* p, const double* d, double* out); // by quads; held axes get none
void plNearKept_Destroy(plNearKept* kept, plHeap* heap);

#endif
