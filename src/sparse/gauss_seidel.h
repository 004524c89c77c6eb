// gauss_seidel.h: one symmetric Gauss-Seidel sweep with a block matrix, by coloured patches
//
//   x = (D+U)^-1 D (D+L)^-1 b,   A = L + D + U,   D the 3x3 blocks of the diagonal, L what comes earlier in the sweep
//
// For a positive definite A that is a symmetric positive definite approximation P^-1 of A^-1, and no eigenvalue of
// P^-1 A exceeds 1: P = (D+L) D^-1 (D+U) = A + L D^-1 U.
#ifndef PL_GAUSS_SEIDEL_H
#define PL_GAUSS_SEIDEL_H

#include "block_matrix.h"
#include "level_rows.h"

typedef struct plGaussSeidel
{
	plLevelRows rows; // order of the sweep, and where the blocks of each half stand
	uint32_t* from;   // [entries] plLevelRows_FindSources
	double* block;    // [9 entries]
	double* inverse;  // [6 rows] of the diagonal blocks on their free axes: xx yy zz xy xz yz
} plGaussSeidel;

// Pattern and order; pl_success or pl_errorMemory, nothing is held then.
plResult plGaussSeidel_Create(plGaussSeidel* sweep, const plBlockMatrix* matrix, plHeap* heap);
void plGaussSeidel_Destroy(plGaussSeidel* sweep, plHeap* heap);

// Values of the matrix that it was created for. held: [rows] bits of the axes that are no unknowns.
void plGaussSeidel_Refresh(plGaussSeidel* sweep, const plBlockMatrix* matrix, const uint8_t* held, plPool* pool);
// x from b, 3 doubles a vertex; b is zero where an axis is held, and so is x. They may be the same array.
// The same bits for any number of threads.
void plGaussSeidel_Apply(const plGaussSeidel* sweep, const double* b, double* x, plPool* pool);

#endif
