// near_kept.h: what pairs give to a Hessian beyond their bound, kept from one matrix to the next
//
// The matrix has a bound of every pair on its diagonal. Products with the Hessian, and factors of it, need the rest:
// hessian - bound of the pairs that push, then of those that rub. Conjugate gradients ask for it many times at one
// state; most pairs that are listed push nothing.
#ifndef PL_NEAR_KEPT_H
#define PL_NEAR_KEPT_H

#include "../../base/base.h"

typedef struct plNearKept
{
	size_t pushing;     // pairs that push
	size_t count;       // these and those that rub
	uint32_t* pair;     // [pushing] their numbers, ascending
	uint32_t* vertices; // [4 count]
	double* block;      // [90 count] hessian - bound
	double* force;      // [12 count] of products
	size_t* gather;     // [4 count] corners of a vertex, ascending: corner c of kept pair k is 4 k + c
	size_t* start;      // [vertexCount + 1] into gather
	uint8_t* pushes;    // [listed] of all pairs
	size_t pairRoom, vertexRoom, blockRoom, forceRoom, gatherRoom, startRoom, pushesRoom;
} plNearKept;

struct plCpuProblem;
// After plCpuNear_Bound at q, whose vectors it reads. False: no memory, and nothing is kept
bool plNearKept_Fill(struct plCpuProblem* p, const double* q, bool projected);
void plNearKept_AddProduct(const struct plCpuProblem* p, const double* d, double* out); // by quads; held axes get none
void plNearKept_Destroy(plNearKept* kept, plHeap* heap);

#endif
