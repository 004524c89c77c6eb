// sweep_tables.c: which vertex of a colour stands in which lane, and its elements in which rows
//
// Lanes of a group wait for the one with most elements. So vertices of a colour are sorted by kinds, law and number of
// elements, but only within windows: neighbours in a group then are neighbours in space, whose positions are in the
// cache together. Every kind has rows of its own.
#include "sweep.h"

#include <stdlib.h>

enum
{
	window = 512, // vertices
};

// A vertex on its way into a group
typedef struct Place
{
	uint32_t kinds; // bit k: it has elements of kind k
	uint32_t span;  // of its first element; UINT32_MAX: it has none
	uint32_t count;
	uint32_t vertex;
} Place;

// The elements of a kind around each vertex: corners slot + corner. Slots ascend, so spans do.
typedef struct Around
{
	const plBatches* batches;
	size_t* start; // [vertices + 1]
	size_t* visit; // [count]
	size_t count;
	const double* rest; // [8 restCount batches]
	double* ownRest;    // the same, if the batches have it in float only
	size_t restBatches; // of ownRest
} Around;

typedef struct Draft
{
	const plCpuProblem* p;
	Around around[pl_kindCount];
	Place* places; // [vertices] by colour
} Draft;

// ---- elements around vertices ---------------------------------------------------------------------------------------

static void visitCorners(Around* around, bool fill)
{
	const plBatches* b = around->batches;
	size_t n = b->kind->cornerCount;
	for (size_t slot = 0; slot < pl_batchSize * b->batchCount; ++slot)
	{
		uint32_t corners[pl_mostCorners];
		if (plBatches_IsFilling(b, slot))
			continue;
		plBatches_GetCorners(b, slot, n, corners);
		for (size_t c = 0; c < n; ++c)
		{
			size_t at = around->start[corners[c] + (fill ? 0 : 1)]++;
			if (fill)
				around->visit[at] = n * slot + c;
		}
	}
}

static bool listAround(Around* around, size_t vertexCount, plHeap* heap)
{
	around->count = around->batches->kind->cornerCount * around->batches->elementCount;
	around->start = PL_NEW_ZERO(heap, size_t, vertexCount + 1);
	around->visit = PL_NEW(heap, size_t, around->count);
	if (around->start == NULL || (around->visit == NULL && around->count > 0))
		return false;
	visitCorners(around, false);
	for (size_t i = 0; i < vertexCount; ++i)
		around->start[i + 1] += around->start[i];
	visitCorners(around, true);
	for (size_t i = vertexCount; i > 0; --i) // filling moved start[i] to the start of i + 1
		around->start[i] = around->start[i - 1];
	around->start[0] = 0;
	return true;
}

static uint32_t spanOf(const Around* around, size_t visit)
{
	return around->batches->batchSpan[visit / (around->batches->kind->cornerCount * pl_batchSize)];
}

// ---- order ----------------------------------------------------------------------------------------------------------

static int comparePlaces(const void* a, const void* b)
{
	const Place *x = a, *y = b;
	if (x->kinds != y->kinds)
		return x->kinds > y->kinds ? -1 : 1;
	if (x->span != y->span)
		return x->span < y->span ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

static Place placeOf(const Draft* draft, uint32_t i)
{
	Place place = {.span = UINT32_MAX, .vertex = i};
	for (size_t k = 0; k < pl_kindCount; ++k)
	{
		const Around* around = draft->around + k;
		size_t first = around->start[i], count = around->start[i + 1] - first;
		if (count > 0 && place.kinds == 0)
			place.span = spanOf(around, around->visit[first]);
		place.kinds |= count > 0 ? 1u << k : 0;
		place.count += (uint32_t)count;
	}
	return place;
}

static void sortPlaces(Draft* draft, const plColouring* colouring)
{
	for (size_t r = 0; r < colouring->rows; ++r)
		draft->places[r] = placeOf(draft, colouring->order[r]);
	for (size_t c = 0; c < colouring->count; ++c)
		for (size_t begin = colouring->start[c]; begin < colouring->start[c + 1]; begin += window)
		{
			size_t left = colouring->start[c + 1] - begin;
			qsort(draft->places + begin, left < window ? left : window, sizeof(Place), comparePlaces);
		}
}

// Places of the group that begins there. Vertices with elements of a kind and those without do not mix: the latter have
// nothing to repeat.
static size_t lanesOf(const Place* places, size_t left)
{
	size_t count = 1;
	while (count < pl_batchSize && count < left && places[count].kinds == places[0].kinds)
		++count;
	return count;
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static void putVisit(const Around* around, plSweepRows* rows, bool isFloat, size_t row, size_t lane, size_t visit,
                     bool isDummy)
{
	const plBatchKind* kind = around->batches->kind;
	uint32_t corners[pl_mostCorners];
	double rest[pl_mostRest / pl_batchSize];
	size_t n = kind->cornerCount, slot = visit / n, order[pl_mostCorners];
	const double* from = around->rest + pl_batchSize * kind->restCount * (slot / pl_batchSize) + slot % pl_batchSize;
	plBatches_GetCorners(around->batches, slot, n, corners);
	kind->visit(from, visit % n, !isDummy, rest, order);
	rows->slot[pl_batchSize * row + lane] = (uint32_t)slot;
	for (size_t k = 0; k + 1 < n; ++k)
		rows->other[pl_batchSize * ((n - 1) * row + k) + lane] = corners[order[k]];
	for (size_t k = 0; k < kind->restCount; ++k)
	{
		size_t at = pl_batchSize * (kind->restCount * row + k) + lane;
		if (isFloat)
			((float*)rows->rest)[at] = (float)rest[k];
		else
			((double*)rows->rest)[at] = rest[k];
	}
}

// Visits of the lanes that are not laid out yet
typedef struct Cursor
{
	size_t next[pl_batchSize], end[pl_batchSize];
} Cursor;

// The span that comes next, and the most visits of it that a lane has; UINT32_MAX: there is none
static uint32_t nextSpan(const Around* around, const Cursor* cursor, size_t* rows)
{
	uint32_t span = UINT32_MAX;
	const size_t* visit = around->visit;
	for (size_t l = 0; l < pl_batchSize; ++l)
		if (cursor->next[l] < cursor->end[l] && spanOf(around, visit[cursor->next[l]]) < span)
			span = spanOf(around, visit[cursor->next[l]]);
	*rows = 0;
	for (size_t l = 0; l < pl_batchSize; ++l)
	{
		size_t at = cursor->next[l];
		while (at < cursor->end[l] && spanOf(around, visit[at]) == span)
			++at;
		*rows = at - cursor->next[l] > *rows ? at - cursor->next[l] : *rows;
	}
	return span;
}

// One row of a span. A lane that has no visit left of it repeats the last of its vertex.
static void layRow(const Draft* draft, const Around* around, plSweepRows* rows, Cursor* cursor, uint32_t span)
{
	const size_t* visit = around->visit;
	size_t row = rows->rowCount++;
	for (size_t l = 0; l < pl_batchSize; ++l)
	{
		bool has = cursor->next[l] < cursor->end[l] && spanOf(around, visit[cursor->next[l]]) == span;
		size_t at = has ? cursor->next[l]++ : cursor->end[l] - 1;
		if (rows->rest != NULL)
			putVisit(around, rows, draft->p->isFloat, row, l, visit[at], !has);
	}
}

// The rows of a group; without memory for them they are counted only.
static void layRows(const Draft* draft, const Around* around, plSweepRows* rows, const uint32_t* vertices, size_t g)
{
	Cursor cursor;
	size_t count;
	for (size_t l = 0; l < pl_batchSize; ++l)
	{
		cursor.next[l] = around->start[vertices[l]];
		cursor.end[l] = around->start[vertices[l] + 1];
	}
	for (uint32_t span; (span = nextSpan(around, &cursor, &count)) != UINT32_MAX; rows->partCount++)
	{
		if (rows->parts != NULL)
			rows->parts[rows->partCount] = (plSweepPart){span, (uint32_t)count};
		for (size_t r = 0; r < count; ++r)
			layRow(draft, around, rows, &cursor, span);
	}
	if (rows->partStart == NULL)
		return;
	rows->partStart[g + 1] = rows->partCount;
	rows->rowStart[g + 1] = rows->rowCount;
}

static void layGroup(const Draft* draft, plCpuSweep* sweep, const Place* places, size_t lanes)
{
	uint32_t vertices[pl_batchSize];
	size_t g = sweep->groupCount++;
	for (size_t l = 0; l < pl_batchSize; ++l)
		vertices[l] = places[l < lanes ? l : 0].vertex;
	for (size_t k = 0; k < pl_kindCount; ++k)
		layRows(draft, draft->around + k, sweep->rows + k, vertices, g);
	if (sweep->vertex == NULL)
		return;
	memcpy(sweep->vertex + pl_batchSize * g, vertices, sizeof vertices);
	sweep->laneCount[g] = (uint8_t)lanes;
}

static void layGroups(const Draft* draft, plCpuSweep* sweep)
{
	const plColouring* colouring = &sweep->colouring;
	sweep->groupCount = 0;
	for (size_t k = 0; k < pl_kindCount; ++k)
		sweep->rows[k].partCount = sweep->rows[k].rowCount = 0;
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

static bool allocateRows(plSweepRows* rows, size_t groups, const plBatchKind* kind, bool isFloat, plHeap* heap)
{
	size_t parts = rows->partCount, count = rows->rowCount;
	rows->restBytes = pl_batchSize * kind->restCount * count * (isFloat ? sizeof(float) : sizeof(double));
	rows->partStart = PL_NEW_ZERO(heap, size_t, groups + 1);
	rows->rowStart = PL_NEW_ZERO(heap, size_t, groups + 1);
	rows->parts = PL_NEW(heap, plSweepPart, parts);
	rows->other = PL_NEW(heap, uint32_t, (kind->cornerCount - 1) * pl_batchSize * count);
	rows->slot = PL_NEW(heap, uint32_t, pl_batchSize * count);
	rows->rest = plHeap_Allocate(heap, rows->restBytes);
	return rows->partStart && rows->rowStart && (parts == 0 || rows->parts) &&
	       (count == 0 || (rows->other && rows->slot && rows->rest));
}

static bool allocateGroups(plCpuSweep* sweep, const plCpuProblem* p, plHeap* heap)
{
	size_t groups = sweep->groupCount;
	sweep->vertex = PL_NEW(heap, uint32_t, pl_batchSize * groups);
	sweep->laneCount = PL_NEW(heap, uint8_t, groups);
	bool good = groups == 0 || (sweep->vertex && sweep->laneCount);
	for (size_t k = 0; k < pl_kindCount && good; ++k)
		good = allocateRows(sweep->rows + k, groups, p->elements->kinds[k]->kind, p->isFloat, heap);
	return good;
}

static bool allocateAround(Around* around, const plBatches* b, size_t vertexCount, plHeap* heap)
{
	around->batches = b;
	around->rest = b->restDouble;
	if (around->rest == NULL)
	{
		size_t perBatch = pl_batchSize * b->kind->restCount;
		around->restBatches = b->batchCount;
		around->rest = around->ownRest = PL_NEW(heap, double, perBatch * b->batchCount);
		for (size_t i = 0; around->ownRest != NULL && i < b->batchCount; ++i)
			b->kind->rest(b, i, around->ownRest + perBatch * i);
	}
	return listAround(around, vertexCount, heap) && (b->batchCount == 0 || around->rest != NULL);
}

static bool allocateDraft(Draft* draft, plHeap* heap)
{
	size_t n = draft->p->base.layout.vertexCount;
	draft->places = PL_NEW(heap, Place, n);
	bool good = n == 0 || draft->places != NULL;
	for (size_t k = 0; k < pl_kindCount && good; ++k)
		good = allocateAround(draft->around + k, draft->p->elements->kinds[k], n, heap);
	return good;
}

static void freeDraft(Draft* draft, plHeap* heap)
{
	size_t n = draft->p->base.layout.vertexCount;
	PL_FREE(heap, draft->places, n);
	for (size_t k = 0; k < pl_kindCount; ++k)
	{
		Around* around = draft->around + k;
		if (around->batches == NULL)
			continue;
		PL_FREE(heap, around->ownRest, pl_batchSize * around->batches->kind->restCount * around->restBatches);
		PL_FREE(heap, around->start, n + 1);
		PL_FREE(heap, around->visit, around->count);
	}
}

// Every vertex stands in one lane, and every element is seen from all of its corners.
static void validateSweep(const plCpuSweep* sweep, const plCpuProblem* p)
{
	size_t lanes = 0;
	for (size_t g = 0; g < sweep->groupCount; ++g)
		lanes += sweep->laneCount[g];
	PL_VALIDATE(lanes == sweep->colouring.rows, "every vertex is swept once");
	for (size_t k = 0; k < pl_kindCount; ++k)
	{
		const plBatches* b = p->elements->kinds[k];
		const plSweepRows* rows = sweep->rows + k;
		size_t visits = 0;
		for (size_t g = 0; g < sweep->groupCount; ++g)
			PL_VALIDATE(rows->rowStart[g] <= rows->rowStart[g + 1], "rows of groups follow each other");
		for (size_t row = 0; row < rows->rowCount; ++row)
			for (size_t l = 0; l < pl_batchSize; ++l)
				visits += !plBatches_IsFilling(b, rows->slot[pl_batchSize * row + l]);
		PL_VALIDATE(visits >= b->kind->cornerCount * b->elementCount, "every element is visited from all corners");
	}
}

plCpuSweep* plCpuSweep_Create(const plCpuProblem* p)
{
	plHeap* heap = p->base.heap;
	plCpuSweep* sweep = PL_NEW_ZERO(heap, plCpuSweep, 1);
	if (sweep == NULL)
		return NULL;
	Draft draft = {.p = p};
	bool good = plColouring_Create(&sweep->colouring, &p->matrix, heap) == pl_success;
	sweep->colourStart = good ? PL_NEW(heap, size_t, sweep->colouring.count + 1) : NULL;
	good = sweep->colourStart != NULL && allocateDraft(&draft, heap);
	if (good)
	{
		sortPlaces(&draft, &sweep->colouring);
		layGroups(&draft, sweep); // counts
		good = allocateGroups(sweep, p, heap);
	}
	if (good)
	{
		layGroups(&draft, sweep);
		PL_VALIDATE_CALL(validateSweep(sweep, p));
	}
	freeDraft(&draft, heap);
	if (good)
		return sweep;
	plCpuSweep_Destroy(sweep, p->elements, heap);
	return NULL;
}

static void destroyRows(plSweepRows* rows, size_t groups, size_t corners, plHeap* heap)
{
	PL_FREE(heap, rows->partStart, groups + 1);
	PL_FREE(heap, rows->rowStart, groups + 1);
	PL_FREE(heap, rows->parts, rows->partCount);
	PL_FREE(heap, rows->other, (corners - 1) * pl_batchSize * rows->rowCount);
	PL_FREE(heap, rows->slot, pl_batchSize * rows->rowCount);
	plHeap_Free(heap, rows->rest, rows->restBytes);
}

void plCpuSweep_Destroy(plCpuSweep* sweep, const plElements* elements, plHeap* heap)
{
	if (sweep == NULL)
		return;
	PL_FREE(heap, sweep->colourStart, sweep->colouring.count + 1);
	PL_FREE(heap, sweep->vertex, pl_batchSize * sweep->groupCount);
	PL_FREE(heap, sweep->laneCount, sweep->groupCount);
	for (size_t k = 0; k < pl_kindCount; ++k)
		destroyRows(sweep->rows + k, sweep->groupCount, elements->kinds[k]->kind->cornerCount, heap);
	plColouring_Destroy(&sweep->colouring, heap);
	PL_FREE(heap, sweep, 1);
}

plSweepGroup plCpuSweep_GetGroup(const plCpuProblem* p, plElementKind kind, size_t g)
{
	const plCpuSweep* sweep = p->sweep;
	const plSweepRows* rows = sweep->rows + kind;
	const plBatches* b = p->elements->kinds[kind];
	size_t row = rows->rowStart[g], rest = pl_batchSize * b->kind->restCount * row;
	if (rows->parts == NULL) // there are no elements of this kind
		return (plSweepGroup){.own = sweep->vertex + pl_batchSize * g};
	return (plSweepGroup){.spans = b->spans,
	                      .parts = rows->parts + rows->partStart[g],
	                      .partCount = rows->partStart[g + 1] - rows->partStart[g],
	                      .own = sweep->vertex + pl_batchSize * g,
	                      .other = rows->other + (b->kind->cornerCount - 1) * pl_batchSize * row,
	                      .rest = p->isFloat ? (const void*)((const float*)rows->rest + rest)
	                                         : (const void*)((const double*)rows->rest + rest),
	                      .slot = rows->slot + pl_batchSize * row,
	                      .anchor = p->isFloat ? (const void*)b->anchorFloat : (const void*)b->anchorDouble};
}
