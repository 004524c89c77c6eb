// gauss_seidel.h: one symmetric Gauss-Seidel sweep with a block matrix, by colours
//
//   x = (D+U)^-1 D (D+L)^-1 b,   A = L + D + U,   D the 3x3 blocks of the diagonal, L what an earlier colour gives
//
// For a positive definite A that is a symmetric positive definite approximation P^-1 of A^-1, and no eigenvalue of
// P^-1 A exceeds 1: P = (D+L) D^-1 (D+U) = A + L D^-1 U.
#ifndef PL_GAUSS_SEIDEL_H
#define PL_GAUSS_SEIDEL_H

#include "colouring.h"

typedef struct plGaussSeidel
{
	plColouring colouring;
	// row r belongs to vertex colouring.order[r]; its neighbours of earlier colours come first, then the later ones
	size_t entryCount;
	size_t* start;    // [rows + 1]
	size_t* middle;   // [rows] first neighbour of a later colour
	uint32_t* vertex; // [entryCount] neighbour
	size_t* from;     // [entryCount] 2 times its block in the matrix, plus 1 if it is to be transposed
	double* block;    // [9 entryCount]
	double* inverse;  // [6 rows] of the diagonal blocks on their free axes: xx yy zz xy xz yz
} plGaussSeidel;

// Pattern and colours; pl_success or pl_errorMemory, nothing is held then.
plResult plGaussSeidel_Create(plGaussSeidel* sweep, const plBlockMatrix* matrix, plHeap* heap);
void plGaussSeidel_Destroy(plGaussSeidel* sweep, plHeap* heap);

// Values of the matrix that it was created for. held: [rows] bits of the axes that are no unknowns.
void plGaussSeidel_Refresh(plGaussSeidel* sweep, const plBlockMatrix* matrix, const uint8_t* held, plPool* pool);
// x from b, 3 doubles a vertex; b is zero where an axis is held, and so is x. They may be the same array.
// The same bits for any number of threads.
void plGaussSeidel_Apply(const plGaussSeidel* sweep, const double* b, double* x, plPool* pool);

#endif
