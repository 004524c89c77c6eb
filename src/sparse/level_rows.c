// level_rows.c: patches, their colours, and rows split into earlier and later neighbours
#include "level_rows.h"

// ---- patches --------------------------------------------------------------------------------------------------------

// The least colour that no earlier patch next to it has; taken: [patchCount + 1] zeros
static void chooseColours(plLevelRows* rows, const plGraph* graph, uint32_t* colourOf, uint32_t* taken)
{
	for (size_t p = 0; p < rows->patchCount; ++p)
	{
		size_t end = (p + 1) * pl_rowPatch < graph->n ? (p + 1) * pl_rowPatch : graph->n;
		for (size_t k = graph->start[p * pl_rowPatch]; k < graph->start[end]; ++k)
		{
			size_t other = graph->adjacent[k] / pl_rowPatch;
			if (other < p)
				taken[colourOf[other]] = (uint32_t)p + 1;
		}
		uint32_t c = 0;
		while (taken[c] == (uint32_t)p + 1)
			++c;
		colourOf[p] = c;
		rows->colourCount = c + 1 > rows->colourCount ? c + 1 : rows->colourCount;
	}
}

static bool colourPatches(plLevelRows* rows, const plGraph* graph, uint32_t* colourOf, plHeap* heap)
{
	uint32_t* taken = PL_NEW_ZERO(heap, uint32_t, rows->patchCount + 1);
	rows->patch = PL_NEW(heap, uint32_t, rows->patchCount);
	bool fine = taken && rows->patch;
	if (fine)
	{
		chooseColours(rows, graph, colourOf, taken);
		rows->colour = PL_NEW_ZERO(heap, size_t, rows->colourCount + 1);
		fine = rows->colour != NULL;
	}
	for (size_t c = 0, at = 0; fine && c < rows->colourCount; ++c)
	{
		for (size_t p = 0; p < rows->patchCount; ++p)
			if (colourOf[p] == c)
				rows->patch[at++] = (uint32_t)p;
		rows->colour[c + 1] = at;
	}
	PL_FREE(heap, taken, rows->patchCount + 1);
	return fine;
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static bool isEarlier(const uint32_t* colourOf, size_t j, size_t i)
{
	size_t a = j / pl_rowPatch, b = i / pl_rowPatch;
	return a == b ? j < i : colourOf[a] < colourOf[b];
}

static void splitRows(plLevelRows* rows, const plGraph* graph, const uint32_t* colourOf)
{
	size_t n = rows->count, at = n;
	for (size_t i = 0; i < n; ++i)
		rows->column[i] = (uint32_t)i;
	for (size_t i = 0; i < n; ++i)
	{
		rows->earlier[i] = (uint32_t)at;
		for (size_t k = graph->start[i]; k < graph->start[i + 1]; ++k)
			if (isEarlier(colourOf, graph->adjacent[k], i))
				rows->column[at++] = graph->adjacent[k];
	}
	rows->earlier[n] = (uint32_t)at;
	for (size_t back = 0; back < n; ++back)
	{
		size_t i = n - 1 - back;
		rows->later[back] = (uint32_t)at;
		for (size_t k = graph->start[i]; k < graph->start[i + 1]; ++k)
			if (!isEarlier(colourOf, graph->adjacent[k], i))
				rows->column[at++] = graph->adjacent[k];
	}
	rows->later[n] = (uint32_t)at;
}

bool plLevelRows_Create(plLevelRows* rows, const plGraph* graph, plHeap* heap)
{
	size_t n = graph->n, entries = n + graph->start[n];
	*rows = (plLevelRows){0};
	if (n == 0)
		return true;
	if (entries >= UINT32_MAX) // so twice the blocks of an upper triangle fit 32 bits, too
		return false;
	*rows = (plLevelRows){.count = n, .entryCount = entries, .patchCount = (n + pl_rowPatch - 1) / pl_rowPatch};
	uint32_t* colourOf = PL_NEW(heap, uint32_t, rows->patchCount);
	rows->earlier = PL_NEW(heap, uint32_t, n + 1);
	rows->later = PL_NEW(heap, uint32_t, n + 1);
	rows->column = PL_NEW(heap, uint32_t, entries);
	bool fine = colourOf && rows->earlier && rows->later && rows->column && colourPatches(rows, graph, colourOf, heap);
	if (fine)
		splitRows(rows, graph, colourOf);
	PL_FREE(heap, colourOf, rows->patchCount);
	if (!fine)
		plLevelRows_Destroy(rows, heap);
	return fine;
}

void plLevelRows_ForgetMoves(plLevelRows* rows, plHeap* heap)
{
	PL_FREE(heap, rows->moves, rows->moves != NULL ? rows->entryCount : 0);
	rows->moves = NULL;
}

void plLevelRows_Destroy(plLevelRows* rows, plHeap* heap)
{
	PL_FREE(heap, rows->earlier, rows->count + 1);
	PL_FREE(heap, rows->later, rows->count + 1);
	PL_FREE(heap, rows->column, rows->entryCount);
	plLevelRows_ForgetMoves(rows, heap);
	PL_FREE(heap, rows->patch, rows->patchCount);
	PL_FREE(heap, rows->colour, rows->colourCount + 1);
	*rows = (plLevelRows){0};
}

size_t plLevelRows_Find(const plLevelRows* rows, uint32_t row, uint32_t column)
{
	plRowParts parts = plLevelRows_GetParts(rows, row);
	for (int p = 0; p < 3; ++p)
		for (size_t e = parts.part[p].begin; e < parts.part[p].end; ++e)
			if (rows->column[e] == column)
				return e;
	return SIZE_MAX;
}

void plLevelRows_FindSources(const plLevelRows* rows, const size_t* start, const uint32_t* column, uint32_t* from)
{
	for (uint32_t i = 0; i < rows->count; ++i)
	{
		from[i] = (uint32_t)(2 * start[i]);
		for (size_t k = start[i] + 1; k < start[i + 1]; ++k) // block k is A_ij, and A_ji transposed
		{
			from[plLevelRows_Find(rows, i, column[k])] = (uint32_t)(2 * k);
			from[plLevelRows_Find(rows, column[k], i)] = (uint32_t)(2 * k + 1);
		}
	}
}

// ---- sweeps ---------------------------------------------------------------------------------------------------------

typedef struct Sweep
{
	const plLevelRows* rows;
	size_t first; // patch of the colour
	size_t count; // of its patches
	plRowsFcn* body;
	void* context;
} Sweep;

static void sweepPairs(size_t begin, size_t end, void* context)
{
	const Sweep* sweep = context;
	for (size_t p = begin; p < end; ++p)
	{
		plPatchPair pair = {0};
		for (size_t k = 0; k < 2 && 2 * p + k < sweep->count; ++k)
		{
			size_t first = (size_t)sweep->rows->patch[sweep->first + 2 * p + k] * pl_rowPatch,
			       last = first + pl_rowPatch;
			pair.begin[k] = first;
			pair.end[k] = last < sweep->rows->count ? last : sweep->rows->count;
		}
		sweep->body(&pair, sweep->context);
	}
}

void plLevelRows_Sweep(const plLevelRows* rows, bool backward, plPool* pool, plRowsFcn* body, void* context)
{
	Sweep sweep = {.rows = rows, .body = body, .context = context};
	for (size_t k = 0; k < rows->colourCount; ++k)
	{
		size_t c = backward ? rows->colourCount - 1 - k : k;
		sweep.first = rows->colour[c];
		sweep.count = rows->colour[c + 1] - sweep.first;
		plParallelFor(pool, (sweep.count + 1) / 2, 1, sweepPairs, &sweep);
	}
}
