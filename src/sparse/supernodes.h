// supernodes.h: the shape of L: which columns have the same rows below them, and which rows those are
//
// Position k of the elimination is unknown `order[k]`. Supernode s holds the positions first[s] .. first[s+1]-1 as a
// dense triangle, and below it the positions row[rowStart[s] .. rowStart[s+1]-1], ascending, which all its columns
// share. What s leaves to be subtracted goes to its parent, the supernode of its first row; children come before
// parents, and the supernodes of a subtree stand together (postorder).
#ifndef PL_SUPERNODES_H
#define PL_SUPERNODES_H

#include "../base/base.h"

#define PL_NO_SUPERNODE UINT32_MAX

typedef struct plSupernodes
{
	size_t n;         // unknowns
	size_t count;     // supernodes
	size_t rowCount;  // of all supernodes
	size_t nonzeros;  // of L, zeros taken in by merging included
	uint32_t* order;  // [n]
	uint32_t* place;  // [n] the inverse: place[order[k]] = k
	uint32_t* holder; // [n] supernode of a position
	size_t* first;    // [count + 1]
	size_t* rowStart; // [count + 1]
	uint32_t* row;    // [rowCount], and room for one
	uint32_t* parent; // [count], PL_NO_SUPERNODE: a root
} plSupernodes;

// Orders and analyses a pattern as in factor.h, n > 0. pl_success or pl_errorMemory, nothing held then.
plResult plSupernodes_Create(plSupernodes* shape, size_t n, const size_t* start, const uint32_t* rows, plHeap* heap);
void plSupernodes_Destroy(plSupernodes* shape, plHeap* heap);

#endif
