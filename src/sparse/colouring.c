// colouring.c: greedy colouring of the graph of a block matrix
//
//   colour(i) = the least number that no neighbour j > i has,   i = n-1, n-2, ..., 0
//
// i descends, because a row of the upper triangle lists just the neighbours that already have a colour. First fit needs
// few colours in an order that keeps neighbours together: 8 to 13 on tetrahedra. Vertices are then sorted by colour
// (counting sort). Cost: one pass over the pattern.
#include "colouring.h"

// The longest row bounds the number of colours: a row with k neighbours above it takes one of the first k + 1.
static size_t longestRow(const plBlockMatrix* matrix)
{
	size_t most = 1;
	for (size_t i = 0; i < matrix->rows; ++i)
	{
		size_t length = matrix->start[i + 1] - matrix->start[i];
		most = length > most ? length : most;
	}
	return most;
}

// taken[c] is the last row, plus 1, that found colour c in use.
static void chooseColours(plColouring* colouring, const plBlockMatrix* matrix, uint32_t* taken)
{
	for (size_t i = matrix->rows; i-- > 0;)
	{
		for (size_t k = matrix->start[i] + 1; k < matrix->start[i + 1]; ++k)
			taken[colouring->colour[matrix->column[k]]] = (uint32_t)i + 1;
		uint32_t c = 0;
		while (taken[c] == (uint32_t)i + 1)
			++c;
		colouring->colour[i] = c;
		colouring->count = c + 1 > colouring->count ? c + 1 : colouring->count;
	}
}

static void sortVertices(plColouring* colouring)
{
	size_t* start = colouring->start;
	for (size_t i = 0; i < colouring->rows; ++i)
		start[colouring->colour[i] + 1]++;
	for (size_t c = 0; c < colouring->count; ++c)
		start[c + 1] += start[c];
	// Filling moves start[c] to the start of c + 1: shift back afterwards.
	for (size_t i = 0; i < colouring->rows; ++i)
		colouring->order[start[colouring->colour[i]]++] = (uint32_t)i;
	for (size_t c = colouring->count; c > 0; --c)
		start[c] = start[c - 1];
	start[0] = 0;
}

static void validateColours(const plColouring* colouring, const plBlockMatrix* matrix)
{
	const uint32_t* colour = colouring->colour;
	for (size_t i = 0; i < matrix->rows; ++i)
		for (size_t k = matrix->start[i] + 1; k < matrix->start[i + 1]; ++k)
			PL_VALIDATE(colour[i] != colour[matrix->column[k]], "neighbours have different colours");
	for (size_t c = 0; c < colouring->count; ++c)
		for (size_t k = colouring->start[c]; k < colouring->start[c + 1]; ++k)
		{
			PL_VALIDATE(colour[colouring->order[k]] == c, "vertices are sorted by colour");
			PL_VALIDATE(k == colouring->start[c] || colouring->order[k - 1] < colouring->order[k],
			            "vertices of a colour ascend");
		}
	PL_VALIDATE(colouring->start[colouring->count] == colouring->rows, "every vertex has a colour");
}

plResult plColouring_Create(plColouring* colouring, const plBlockMatrix* matrix, plHeap* heap)
{
	size_t n = matrix->rows, most = longestRow(matrix);
	*colouring = (plColouring){.rows = n};
	uint32_t* taken = PL_NEW_ZERO(heap, uint32_t, most + 1); // one more, so that a free one is always found
	colouring->colour = PL_NEW(heap, uint32_t, n);
	colouring->order = PL_NEW(heap, uint32_t, n);
	bool fine = taken != NULL && (n == 0 || (colouring->colour != NULL && colouring->order != NULL));
	if (fine)
		chooseColours(colouring, matrix, taken);
	colouring->start = fine ? PL_NEW_ZERO(heap, size_t, colouring->count + 1) : NULL;
	fine = colouring->start != NULL;
	if (fine)
	{
		sortVertices(colouring);
		PL_VALIDATE_CALL(validateColours(colouring, matrix));
	}
	else
		plColouring_Destroy(colouring, heap);
	PL_FREE(heap, taken, most + 1);
	return fine ? pl_success : pl_errorMemory;
}

void plColouring_Destroy(plColouring* colouring, plHeap* heap)
{
	PL_FREE(heap, colouring->colour, colouring->rows);
	PL_FREE(heap, colouring->order, colouring->rows);
	PL_FREE(heap, colouring->start, colouring->count + 1);
	*colouring = (plColouring){0};
}
