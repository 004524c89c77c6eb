// sweep_tables.c: which vertex of a colour stands in which lane, and its elements in which rows
//
// Lanes of a group wait for the one with most elements. So vertices of a colour are sorted by law and number of
// elements, but only within windows: neighbours in a group then are neighbours in space, whose positions are in the
// cache together.
#include "sweep.h"

#include <stdlib.h>

enum
{
	window = 512, // vertices
};

// A vertex on its way into a group
typedef struct Place
{
	uint32_t span; // of its first element; UINT32_MAX: it has none
	uint32_t count;
	uint32_t vertex;
} Place;

// The elements around each vertex: 4 slot + corner. Slots ascend, so spans do.
typedef struct Around
{
	size_t* start; // [vertices + 1]
	size_t* visit; // [count]
	size_t count;
} Around;

typedef struct Draft
{
	const plCpuProblem* p;
	const plBatches* tets;
	Around around;
	Place* places;      // [vertices] by colour
	const double* rest; // [80 batches]
	double* ownRest;    // the same, if the batches have it in float only
} Draft;

// ---- elements around vertices ---------------------------------------------------------------------------------------

static void visitCorners(const plBatches* tets, Around* around, bool fill)
{
	for (size_t slot = 0; slot < pl_batchSize * tets->batchCount; ++slot)
	{
		uint32_t corners[pl_tetCorners];
		if (plBatches_IsFilling(tets, slot))
			continue;
		plBatches_GetCorners(tets, slot, pl_tetCorners, corners);
		for (size_t c = 0; c < pl_tetCorners; ++c)
		{
			size_t at = around->start[corners[c] + (fill ? 0 : 1)]++;
			if (fill)
				around->visit[at] = pl_tetCorners * slot + c;
		}
	}
}

static bool listAround(Draft* draft, size_t vertexCount, plHeap* heap)
{
	Around* around = &draft->around;
	around->count = pl_tetCorners * draft->tets->elementCount;
	around->start = PL_NEW_ZERO(heap, size_t, vertexCount + 1);
	around->visit = PL_NEW(heap, size_t, around->count);
	if (around->start == NULL || (around->visit == NULL && around->count > 0))
		return false;
	visitCorners(draft->tets, around, false);
	for (size_t i = 0; i < vertexCount; ++i)
		around->start[i + 1] += around->start[i];
	visitCorners(draft->tets, around, true);
	for (size_t i = vertexCount; i > 0; --i) // filling moved start[i] to the start of i + 1
		around->start[i] = around->start[i - 1];
	around->start[0] = 0;
	return true;
}

static uint32_t spanOf(const plBatches* tets, size_t visit)
{
	return tets->batchSpan[visit / (pl_tetCorners * pl_batchSize)];
}

// ---- order ----------------------------------------------------------------------------------------------------------

static int comparePlaces(const void* a, const void* b)
{
	const Place *x = a, *y = b;
	if (x->span != y->span)
		return x->span < y->span ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

static void sortPlaces(Draft* draft, const plColouring* colouring)
{
	const Around* around = &draft->around;
	for (size_t r = 0; r < colouring->rows; ++r)
	{
		uint32_t i = colouring->order[r];
		size_t first = around->start[i], count = around->start[i + 1] - first;
		uint32_t span = count > 0 ? spanOf(draft->tets, around->visit[first]) : UINT32_MAX;
		draft->places[r] = (Place){span, (uint32_t)count, i};
	}
	for (size_t c = 0; c < colouring->count; ++c)
		for (size_t begin = colouring->start[c]; begin < colouring->start[c + 1]; begin += window)
		{
			size_t left = colouring->start[c + 1] - begin;
			qsort(draft->places + begin, left < window ? left : window, sizeof(Place), comparePlaces);
		}
}

// Places of the group that begins there. Vertices with elements and those without do not mix: the latter have nothing
// to repeat.
static size_t lanesOf(const Place* places, size_t left)
{
	size_t count = 1;
	while (count < pl_batchSize && count < left && (places[count].count == 0) == (places[0].count == 0))
		++count;
	return count;
}

// ---- rows -----------------------------------------------------------------------------------------------------------

// Shape vectors of the other corners, and the volume, of a visit.
static void copyRest(const Draft* draft, size_t visit, bool isDummy, double out[pl_tetRestCount])
{
	size_t slot = visit / pl_tetCorners, own = visit % pl_tetCorners;
	const double* rest = draft->rest + pl_tetRest * (slot / pl_batchSize) + slot % pl_batchSize;
	for (size_t c = 0, k = 0; c < pl_tetCorners; ++c)
		for (size_t axis = 0; c != own && axis < 3; ++axis, ++k)
		{
			const double* b = rest + pl_batchSize * axis; // rows of Dm^-1; corner 0: minus their sum
			const size_t row = 3 * pl_batchSize;
			out[k] = c > 0 ? b[row * (c - 1)] : -(b[0] + b[row] + b[2 * row]);
		}
	out[pl_tetPerLength] = isDummy ? 0.0 : rest[pl_batchSize * pl_tetPerLength];
}

static void putVisit(const Draft* draft, plCpuSweep* sweep, size_t row, size_t lane, size_t visit, bool isDummy)
{
	uint32_t corners[pl_tetCorners];
	double rest[pl_tetRestCount];
	size_t slot = visit / pl_tetCorners, own = visit % pl_tetCorners;
	plBatches_GetCorners(draft->tets, slot, pl_tetCorners, corners);
	copyRest(draft, visit, isDummy, rest);
	sweep->slot[pl_batchSize * row + lane] = (uint32_t)slot;
	for (size_t c = 0, k = 0; c < pl_tetCorners; ++c)
		if (c != own)
			sweep->other[pl_batchSize * (3 * row + k++) + lane] = corners[c];
	for (size_t k = 0; k < pl_tetRestCount; ++k)
	{
		size_t at = pl_tetRest * row + pl_batchSize * k + lane;
		if (draft->p->isFloat)
			((float*)sweep->rest)[at] = (float)rest[k];
		else
			((double*)sweep->rest)[at] = rest[k];
	}
}

// Visits of the lanes that are not laid out yet
typedef struct Cursor
{
	size_t next[pl_batchSize], end[pl_batchSize];
} Cursor;

// The span that comes next, and the most visits of it that a lane has; UINT32_MAX: there is none
static uint32_t nextSpan(const Draft* draft, const Cursor* cursor, size_t* rows)
{
	uint32_t span = UINT32_MAX;
	const size_t* visit = draft->around.visit;
	for (size_t l = 0; l < pl_batchSize; ++l)
		if (cursor->next[l] < cursor->end[l] && spanOf(draft->tets, visit[cursor->next[l]]) < span)
			span = spanOf(draft->tets, visit[cursor->next[l]]);
	*rows = 0;
	for (size_t l = 0; l < pl_batchSize; ++l)
	{
		size_t at = cursor->next[l];
		while (at < cursor->end[l] && spanOf(draft->tets, visit[at]) == span)
			++at;
		*rows = at - cursor->next[l] > *rows ? at - cursor->next[l] : *rows;
	}
	return span;
}

// One row of a span. A lane that has no visit left of it repeats the last of its vertex.
static void layRow(const Draft* draft, plCpuSweep* sweep, Cursor* cursor, uint32_t span, size_t row)
{
	const size_t* visit = draft->around.visit;
	for (size_t l = 0; l < pl_batchSize; ++l)
	{
		bool has = cursor->next[l] < cursor->end[l] && spanOf(draft->tets, visit[cursor->next[l]]) == span;
		size_t at = has ? cursor->next[l]++ : cursor->end[l] - 1;
		if (sweep->rest != NULL)
			putVisit(draft, sweep, row, l, visit[at], !has);
	}
}

// The rows of a group; without memory for them they are counted only.
static void layGroup(const Draft* draft, plCpuSweep* sweep, const Place* places, size_t lanes)
{
	Cursor cursor;
	size_t g = sweep->groupCount++, rows;
	for (size_t l = 0; l < pl_batchSize; ++l)
	{
		uint32_t i = places[l < lanes ? l : 0].vertex;
		cursor.next[l] = draft->around.start[i];
		cursor.end[l] = draft->around.start[i + 1];
		if (sweep->vertex != NULL)
			sweep->vertex[pl_batchSize * g + l] = i;
	}
	for (uint32_t span; (span = nextSpan(draft, &cursor, &rows)) != UINT32_MAX; sweep->partCount++)
	{
		if (sweep->parts != NULL)
			sweep->parts[sweep->partCount] = (plSweepPart){span, (uint32_t)rows};
		for (size_t r = 0; r < rows; ++r)
			layRow(draft, sweep, &cursor, span, sweep->rowCount++);
	}
	if (sweep->vertex == NULL)
		return;
	sweep->laneCount[g] = (uint8_t)lanes;
	sweep->partStart[g + 1] = sweep->partCount;
	sweep->rowStart[g + 1] = sweep->rowCount;
}

static void layGroups(const Draft* draft, plCpuSweep* sweep)
{
	const plColouring* colouring = &sweep->colouring;
	sweep->groupCount = sweep->partCount = sweep->rowCount = 0;
	for (size_t c = 0; c < colouring->count; ++c)
	{
		sweep->colourStart[c] = sweep->groupCount;
		for (size_t r = colouring->start[c]; r < colouring->start[c + 1];)
		{
			size_t lanes = lanesOf(draft->places + r, colouring->start[c + 1] - r);
			layGroup(draft, sweep, draft->places + r, lanes);
			r += lanes;
		}
	}
	sweep->colourStart[colouring->count] = sweep->groupCount;
}

// ---- life -----------------------------------------------------------------------------------------------------------

static bool allocateRows(plCpuSweep* sweep, bool isFloat, plHeap* heap)
{
	size_t groups = sweep->groupCount, parts = sweep->partCount, rows = sweep->rowCount;
	sweep->restBytes = pl_tetRest * rows * (isFloat ? sizeof(float) : sizeof(double));
	sweep->vertex = PL_NEW(heap, uint32_t, pl_batchSize * groups);
	sweep->laneCount = PL_NEW(heap, uint8_t, groups);
	sweep->partStart = PL_NEW_ZERO(heap, size_t, groups + 1);
	sweep->rowStart = PL_NEW_ZERO(heap, size_t, groups + 1);
	sweep->parts = PL_NEW(heap, plSweepPart, parts);
	sweep->other = PL_NEW(heap, uint32_t, 3 * pl_batchSize * rows);
	sweep->slot = PL_NEW(heap, uint32_t, pl_batchSize * rows);
	sweep->rest = plHeap_Allocate(heap, sweep->restBytes);
	return sweep->partStart && sweep->rowStart && (groups == 0 || (sweep->vertex && sweep->laneCount)) &&
	       (parts == 0 || sweep->parts) && (rows == 0 || (sweep->other && sweep->slot && sweep->rest));
}

static bool allocateDraft(Draft* draft, plHeap* heap)
{
	size_t n = draft->p->base.layout.vertexCount, batches = draft->tets->batchCount;
	draft->places = PL_NEW(heap, Place, n);
	draft->rest = draft->tets->restDouble;
	if (draft->rest == NULL)
	{
		draft->rest = draft->ownRest = PL_NEW(heap, double, pl_tetRest* batches);
		for (size_t b = 0; draft->ownRest != NULL && b < batches; ++b)
			draft->tets->kind->rest(draft->tets, b, draft->ownRest + pl_tetRest * b);
	}
	return listAround(draft, n, heap) && (n == 0 || draft->places != NULL) && (batches == 0 || draft->rest != NULL);
}

static void freeDraft(Draft* draft, plHeap* heap)
{
	size_t n = draft->p->base.layout.vertexCount;
	PL_FREE(heap, draft->places, n);
	PL_FREE(heap, draft->ownRest, pl_tetRest * draft->tets->batchCount);
	PL_FREE(heap, draft->around.start, n + 1);
	PL_FREE(heap, draft->around.visit, draft->around.count);
}

// Every vertex stands in one lane, every element in four, and no two vertices of a colour see one element.
static void validateSweep(const plCpuSweep* sweep, const plBatches* tets)
{
	size_t lanes = 0, visits = 0;
	for (size_t g = 0; g < sweep->groupCount; ++g)
	{
		lanes += sweep->laneCount[g];
		PL_VALIDATE(sweep->rowStart[g] <= sweep->rowStart[g + 1], "rows of groups follow each other");
	}
	for (size_t row = 0; row < sweep->rowCount; ++row)
		for (size_t l = 0; l < pl_batchSize; ++l)
			visits += !plBatches_IsFilling(tets, sweep->slot[pl_batchSize * row + l]);
	PL_VALIDATE(lanes == sweep->colouring.rows, "every vertex is swept once");
	PL_VALIDATE(visits >= pl_tetCorners * tets->elementCount, "every element is visited from its four corners");
}

plCpuSweep* plCpuSweep_Create(const plCpuProblem* p)
{
	plHeap* heap = p->base.heap;
	plCpuSweep* sweep = PL_NEW_ZERO(heap, plCpuSweep, 1);
	if (sweep == NULL)
		return NULL;
	Draft draft = {.p = p, .tets = p->elements->kinds[pl_kindTet]};
	bool good = plColouring_Create(&sweep->colouring, &p->matrix, heap) == pl_success;
	sweep->colourStart = good ? PL_NEW(heap, size_t, sweep->colouring.count + 1) : NULL;
	good = sweep->colourStart != NULL && allocateDraft(&draft, heap);
	if (good)
	{
		sortPlaces(&draft, &sweep->colouring);
		layGroups(&draft, sweep); // counts
		good = allocateRows(sweep, p->isFloat, heap);
	}
	if (good)
	{
		layGroups(&draft, sweep);
		PL_VALIDATE_CALL(validateSweep(sweep, draft.tets));
	}
	freeDraft(&draft, heap);
	if (good)
		return sweep;
	plCpuSweep_Destroy(sweep, heap);
	return NULL;
}

void plCpuSweep_Destroy(plCpuSweep* sweep, plHeap* heap)
{
	if (sweep == NULL)
		return;
	PL_FREE(heap, sweep->colourStart, sweep->colouring.count + 1);
	PL_FREE(heap, sweep->vertex, pl_batchSize * sweep->groupCount);
	PL_FREE(heap, sweep->laneCount, sweep->groupCount);
	PL_FREE(heap, sweep->partStart, sweep->groupCount + 1);
	PL_FREE(heap, sweep->rowStart, sweep->groupCount + 1);
	PL_FREE(heap, sweep->parts, sweep->partCount);
	PL_FREE(heap, sweep->other, 3 * pl_batchSize * sweep->rowCount);
	PL_FREE(heap, sweep->slot, pl_batchSize * sweep->rowCount);
	plHeap_Free(heap, sweep->rest, sweep->restBytes);
	plColouring_Destroy(&sweep->colouring, heap);
	PL_FREE(heap, sweep, 1);
}

plSweepGroup plCpuSweep_GetGroup(const plCpuProblem* p, size_t g)
{
	const plCpuSweep* sweep = p->sweep;
	const plBatches* tets = p->elements->kinds[pl_kindTet];
	size_t row = sweep->rowStart[g], rest = pl_tetRest * row;
	return (plSweepGroup){.spans = tets->spans,
	                      .parts = sweep->parts + sweep->partStart[g],
	                      .partCount = sweep->partStart[g + 1] - sweep->partStart[g],
	                      .own = sweep->vertex + pl_batchSize * g,
	                      .other = sweep->other + 3 * pl_batchSize * row,
	                      .rest = p->isFloat ? (const void*)((const float*)sweep->rest + rest)
	                                         : (const void*)((const double*)sweep->rest + rest),
	                      .slot = sweep->slot + pl_batchSize * row,
	                      .anchor = p->isFloat ? (const void*)tets->anchorFloat : (const void*)tets->anchorDouble};
}
