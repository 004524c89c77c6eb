// colouring.h: groups of vertices that do not meet each other
//
// Two vertices of one colour have no block in common. So a sweep may work on all vertices of a colour at once, and
// gives the same bits as one thread that takes them one after the other.
#ifndef PL_COLOURING_H
#define PL_COLOURING_H

#include "block_matrix.h"

typedef struct plColouring
{
	size_t rows;
	size_t count;     // of colours
	uint32_t* colour; // [rows]
	uint32_t* order;  // [rows] vertices by colour, ascending within one
	size_t* start;    // [count + 1] colour c is order[start[c]] .. order[start[c+1]-1]
} plColouring;

// pl_success or pl_errorMemory, nothing is held then. Depends on the pattern alone. At most one colour more than the
// largest number of neighbours.
plResult plColouring_Create(plColouring* colouring, const plBlockMatrix* matrix, plHeap* heap);
void plColouring_Destroy(plColouring* colouring, plHeap* heap);

#endif
