// coarsest.h: the last level of a multigrid, solved by a factorisation
#ifndef PL_COARSEST_H
#define PL_COARSEST_H

#include "factor.h"
#include "multigrid_level.h"

typedef struct plCoarsest
{
	size_t unknowns; // rows of blocks, or of numbers
	size_t entryCount;
	size_t* start;    // [unknowns + 1] lower triangle by columns
	uint32_t* rows;   // [entryCount]
	uint32_t* from;   // [entryCount] place in the blocks of the level
	double* values;   // [entryCount]
	double* solution; // [3 count]
	plFactor* factor;
} plCoarsest;

bool plCoarsest_Create(plCoarsest* coarsest, const plMultigridLevel* level, plHeap* heap); // false: no memory
void plCoarsest_Destroy(plCoarsest* coarsest, const plMultigridLevel* level, plHeap* heap);
// pl_success; pl_errorNumeric: not positive definite, even with a thousandth more on the diagonal; pl_errorMemory
plResult plCoarsest_Factorise(plCoarsest* coarsest, const plMultigridLevel* level);
void plCoarsest_Solve(plCoarsest* coarsest, plMultigridLevel* level); // A x = b

#endif
