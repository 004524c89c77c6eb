// near_kept.h: what pairs give to a Hessian, kept from one matrix to the next, and from product to product
//
// The matrix has a bound of every pair on its diagonal. Products with it, and factors of it, need the rest:
// hessian - bound of the pairs that push, then of those that rub. Conjugate gradients ask for it many times at one
// state; most pairs that are listed push nothing. Products without a matrix need the whole blocks of these pairs, and
// are asked for as often.
#ifndef PL_NEAR_KEPT_H
#define PL_NEAR_KEPT_H

#include "../../base/base.h"

typedef struct plNearKept
{
	size_t pushing;     // pairs that push
	size_t count;       // these and those that rub
	uint32_t* pair;     // [pushing] their numbers among the close ones (energy/near.h), ascending
	uint32_t* vertices; // [4 count]
	double* block;      // [90 count] hessian - bound, or hessian
	double* force;      // [12 count] of products
	size_t* gather;     // [4 count] corners of a vertex, ascending: corner c of kept pair k is 4 k + c
	size_t* start;      // [vertexCount + 1] into gather
	uint8_t* pushes;    // of close pairs, or of all
	uint32_t* likely;   // [4 likelyCount] vertices of those that rub, and of pairs that push or are about to
	size_t likelyCount, likelyRoom;
	size_t pairRoom, vertexRoom, blockRoom, forceRoom, gatherRoom, startRoom, pushesRoom;
} plNearKept;

// Blocks for products without a matrix, and what they belong to
typedef struct plNearProducts
{
	plNearKept kept; // whole blocks
	double* place;   // by quads: q
	size_t placeRoom;
	uint64_t revision, rubRevision; // of the lists; 0: of none
	bool projected;
} plNearProducts;

struct plCpuProblem;
// Of p->kept: after plCpuNear_Bound at q, whose vectors it reads. False: no memory, and nothing is kept
bool plNearKept_Fill(struct plCpuProblem* p, const double* q, bool projected);
// force = blocks times d, by corners, of what p->products keeps; made anew if they belong to another state or other
// lists. False: no memory
bool plNearProducts_Multiply(struct plCpuProblem* p, const double* q, bool projected, const double* d);
void plNearProducts_Destroy(plNearProducts* products, plHeap* heap);
// `likely` at q; false: no memory
bool plNearKept_ListLikely(struct plCpuProblem* p, const double* q);
void plNearKept_AddProduct(const struct plCpuProblem* p, const double* d, double* out); // by quads; held axes get none
void plNearKept_Destroy(plNearKept* kept, plHeap* heap);

#endif
