// extended_matrix.h: a block matrix on a pattern that stays, and elements of four vertices that come and go
//
// Its pattern is that of the matrix and of the elements that it was made for. It serves as long as no element has a
// block elsewhere: those that went leave zeros behind.
#ifndef PL_EXTENDED_MATRIX_H
#define PL_EXTENDED_MATRIX_H

#include "block_matrix.h"

// Elements, and their matrices: blocks 00 01 02 03 11 12 13 22 23 33, by rows
typedef struct plExtension
{
	size_t count;
	const uint32_t* vertices; // [4 count]
	const double* blocks;     // [90 count]
} plExtension;

typedef struct plExtendedMatrix
{
	plBlockMatrix sum;  // rows 0: not made yet
	uint32_t* vertices; // [4 count] of the elements that the pattern is made for
	size_t count, room;
	bool isGrown; // some of them came later than others
} plExtendedMatrix;

void plExtendedMatrix_Destroy(plExtendedMatrix* m, plHeap* lists, plHeap* patterns);
// Which elements the pattern is for, from now on: these; or those of before and these. *changed: it has to be made
// anew. False: no memory, and nothing has changed
bool plExtendedMatrix_Set(plExtendedMatrix* m, const plExtension* extension, plHeap* lists, bool* changed);
bool plExtendedMatrix_Grow(plExtendedMatrix* m, const plExtension* extension, plHeap* lists, bool* changed);
// The pattern, over that of `matrix`; what it held is gone. False: no memory, and it is not made
bool plExtendedMatrix_Make(plExtendedMatrix* m, const plBlockMatrix* matrix, plHeap* patterns);
// sum = matrix + extension, of which every block has its place
void plExtendedMatrix_Fill(plExtendedMatrix* m, const plBlockMatrix* matrix, const plExtension* extension);

#endif
