// block_matrix.h: symmetric sparse matrix of 3x3 blocks, one row per vertex
//
//   row i holds the blocks (i, column[k]) for k = start[i] .. start[i+1]-1, columns ascending, column >= i
//   (upper triangle with the diagonal; every row starts with its diagonal block)
#ifndef PL_BLOCK_MATRIX_H
#define PL_BLOCK_MATRIX_H

#include "../base/base.h"

typedef struct plBlockMatrix
{
	size_t rows;
	size_t blockCount;
	size_t* start;     // [rows + 1]
	uint32_t* column;  // [blockCount]
	double* block;     // [9 * blockCount], rows of the 3x3 block one after the other; NULL: a pattern only
	uint8_t* moves;    // [blockCount] 0: it is a multiple of the identity, and changes with `revision` only;
	                   // NULL: all blocks depend on the state
	uint64_t revision; // of the blocks that do not move
} plBlockMatrix;

// A symmetric matrix of numbers on such a pattern. By symmetry its rows of the upper triangle are columns of the lower
// one, as factorisations want them.
typedef struct plScalarMatrix
{
	size_t rows;
	const size_t* start;    // [rows + 1]
	const uint32_t* column; // [start[rows]]
	double* value;          // [start[rows]]
} plScalarMatrix;

// Pattern of all pairs of corners of all elements, plus the diagonal. `elements` holds cornerCount vertices each.
plResult plBlockMatrix_Create(plBlockMatrix* matrix, size_t rows, const uint32_t* elements, size_t elementCount,
                              int cornerCount, plHeap* heap);
// The same without blocks, and the blocks later, as zeros: false: no memory.
plResult plBlockMatrix_CreatePattern(plBlockMatrix* matrix, size_t rows, const uint32_t* elements, size_t elementCount,
                                     int cornerCount, plHeap* heap);
bool plBlockMatrix_AddBlocks(plBlockMatrix* matrix, plHeap* heap);
void plBlockMatrix_Destroy(plBlockMatrix* matrix, plHeap* heap);
size_t plBlockMatrix_Find(const plBlockMatrix* matrix, uint32_t row, uint32_t column); // row <= column; SIZE_MAX: none

// y = A x, vectors with `stride` doubles per vertex (3 or 4; the fourth is set to 0). Same bits for any thread count.
void plBlockMatrix_Multiply(const plBlockMatrix* matrix, const double* x, double* y, int stride);

#endif
