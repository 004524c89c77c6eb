// galerkin.h: the matrix of a coarse level, A_coarse = P' A P, by a plan that is made once
//
//   block (I, J) of the coarse matrix = sum over items of weight times an entry of the finer one,
//   weight = P_iI P_jJ,  entry = A_ij
//
// Only blocks J >= I are summed; (J, I) is their transpose. A block (I, I) is the symmetric part of its sum: of A_ij
// and A_ji one is taken, twice. Items of a block stand together in a fixed order, so blocks may be summed at the same
// time and have the same bits for any number of threads.
//
// Items with entries that do not move stand apart: their sum is taken when such entries change.
#ifndef PL_GALERKIN_H
#define PL_GALERKIN_H

#include "hierarchy.h"
#include "level_rows.h"

typedef struct plItems
{
	size_t count;
	size_t* start;    // [blockCount + 1] of a block; NULL: none has any
	uint32_t* source; // [count] entry of the finer rows
	float* weight;    // [count]
} plItems;

typedef struct plGalerkin
{
	size_t blockCount;
	uint32_t* target; // [blockCount] entry of the coarse rows
	uint32_t* mirror; // [blockCount] entry of the transpose; the same for the diagonal
	plItems moving;
	plItems still;
	size_t rowCount;   // P transposed: of a coarse vertex
	size_t* fineStart; // [rowCount + 1]
	uint32_t* fine;    // [fineCount] finer vertices, ascending
	float* share;      // [fineCount] their weights
	size_t fineCount;
} plGalerkin;

// The plan, and the rows of the coarse level. False: no memory, nothing is held
bool plGalerkin_Create(plGalerkin* plan, plLevelRows* coarse, const plLevelRows* fine, const plInterpolation* step,
                       plHeap* heap);
void plGalerkin_Destroy(plGalerkin* plan, plHeap* heap);

#endif
