// level_rows.h: the rows of a symmetric block matrix in the order in which symmetric Gauss-Seidel reads them
//
// Vertices stand in patches of 256 consecutive ones. Patches that do not meet share a colour. A sweep goes colour by
// colour, the patches of a colour at once, and in a patch row by row: as many barriers as colours, few of them, and the
// same bits for any number of threads. Each row is split: blocks of neighbours that come earlier in this order and
// blocks of those that come later. Forward reads the first and backward the second, each from its start to its end.
//
//   entry 0 .. count-1      the diagonal
//   then                    earlier neighbours, row 0 first
//   then                    later neighbours, the last row first
//
// Both A_ij and A_ji have an entry.
#ifndef PL_LEVEL_ROWS_H
#define PL_LEVEL_ROWS_H

#include "graph.h"

enum
{
	pl_rowPatch = 256 // vertices
};

typedef struct plLevelRows
{
	size_t count; // vertices
	size_t entryCount;
	uint32_t* earlier; // [count + 1] first entry of a row's earlier neighbours
	uint32_t* later;   // [count + 1] the same of later ones, from the last row to the first
	uint32_t* column;  // [entryCount] neighbour
	uint8_t* moves;    // [entryCount] as of block_matrix.h, while plans are made; NULL: all do
	size_t patchCount, colourCount;
	uint32_t* patch; // [patchCount] by colour
	size_t* colour;  // [colourCount + 1] first place in `patch`
} plLevelRows;

// Entries begin .. end-1
typedef struct plEntries
{
	size_t begin, end;
} plEntries;

static inline plEntries plLevelRows_GetEarlier(const plLevelRows* rows, size_t row)
{
	return (plEntries){rows->earlier[row], rows->earlier[row + 1]};
}

static inline plEntries plLevelRows_GetLater(const plLevelRows* rows, size_t row)
{
	size_t back = rows->count - 1 - row;
	return (plEntries){rows->later[back], rows->later[back + 1]};
}

// Diagonal, earlier and later neighbours of a row
typedef struct plRowParts
{
	plEntries part[3];
} plRowParts;

static inline plRowParts plLevelRows_GetParts(const plLevelRows* rows, size_t row)
{
	return (plRowParts){{{row, row + 1}, plLevelRows_GetEarlier(rows, row), plLevelRows_GetLater(rows, row)}};
}

// From a graph; its weights do not matter. False: no memory, or more entries than 32 bits can count
bool plLevelRows_Create(plLevelRows* rows, const plGraph* graph, plHeap* heap);
void plLevelRows_Destroy(plLevelRows* rows, plHeap* heap);
void plLevelRows_ForgetMoves(plLevelRows* rows, plHeap* heap);
size_t plLevelRows_Find(const plLevelRows* rows, uint32_t row, uint32_t column); // entry; SIZE_MAX: there is none

// Where the entries stand in the matrix whose graph it is, upper triangle by rows with the diagonal first: from[entry]
// is 2 times the place of the block, plus 1 if it is to be transposed.
void plLevelRows_FindSources(const plLevelRows* rows, const size_t* start, const uint32_t* column, uint32_t* from);

// Calls body(pair, context) for two patches of one colour at a time, whose rows the body visits in turns, forward or,
// within each, from the last to the first: row k of a patch waits for row k-1, and while it does a processor works on
// the other patch. The second one may be empty. Patches of a colour run at once.
typedef struct plPatchPair
{
	size_t begin[2], end[2]; // rows
} plPatchPair;
typedef void plRowsFcn(const plPatchPair* pair, void* context);

static inline size_t plPatchPair_GetLength(const plPatchPair* pair)
{
	size_t first = pair->end[0] - pair->begin[0], second = pair->end[1] - pair->begin[1];
	return first > second ? first : second;
}

void plLevelRows_Sweep(const plLevelRows* rows, bool backward, plPool* pool, plRowsFcn* body, void* context);

#endif
