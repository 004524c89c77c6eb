// tuples.c: sorted tuples of vertices, each once, and tables from vertices to tuples
//
// Tuples are sorted by counting, the last place first: the cost is width (count + n), and equal tuples keep their
// order.
#include "level_mesh.h"

#include <math.h>

static size_t keyOf(const uint32_t* item, size_t width, uint32_t tuple, size_t place, size_t n)
{
	uint32_t key = item[width * tuple + place];
	return key == UINT32_MAX ? n : key;
}

// order: [count] tuples sorted; next: [count] and bucket: [n + 2] are scratch. Returns the one of the two that holds
// the result.
static uint32_t* sort(const uint32_t* item, size_t width, size_t count, size_t n, uint32_t* order, uint32_t* next,
                      size_t* bucket)
{
	for (size_t k = 0; k < count; ++k)
		order[k] = (uint32_t)k;
	for (size_t place = width; place-- > 0;)
	{
		memset(bucket, 0, (n + 2) * sizeof *bucket);
		for (size_t k = 0; k < count; ++k)
			bucket[keyOf(item, width, (uint32_t)k, place, n) + 1]++;
		for (size_t key = 0; key <= n; ++key)
			bucket[key + 1] += bucket[key];
		for (size_t k = 0; k < count; ++k)
			next[bucket[keyOf(item, width, order[k], place, n)]++] = order[k];
		uint32_t* swap = order;
		order = next;
		next = swap;
	}
	return order;
}

static bool isSame(const uint32_t* item, size_t width, uint32_t a, uint32_t b)
{
	return memcmp(item + width * a, item + width * b, width * sizeof *item) == 0;
}

static size_t countDifferent(const uint32_t* item, size_t width, const uint32_t* order, size_t count)
{
	size_t different = 0;
	for (size_t k = 0; k < count; ++k)
		different += k == 0 || !isSame(item, width, order[k - 1], order[k]);
	return different;
}

static void fill(plTuples* tuples, const uint32_t* item, const double* value, const uint32_t* order, size_t count)
{
	size_t width = tuples->width, at = SIZE_MAX;
	for (size_t k = 0; k < count; ++k)
	{
		bool isNew = k == 0 || !isSame(item, width, order[k - 1], order[k]);
		at += isNew;
		if (isNew)
		{
			memcpy(tuples->item + width * at, item + width * order[k], width * sizeof *item);
			tuples->times[at] = 0;
		}
		tuples->times[at]++;
		if (value != NULL)
			tuples->value[at] = isNew ? value[order[k]] : fmin(tuples->value[at], value[order[k]]);
	}
}

bool plTuples_Create(plTuples* tuples, size_t width, const uint32_t* item, const double* value, size_t count, size_t n,
                     plHeap* heap)
{
	*tuples = (plTuples){.width = width};
	if (count == 0)
		return true;
	if (count >= UINT32_MAX)
		return false;
	uint32_t* order = PL_NEW(heap, uint32_t, count);
	uint32_t* next = PL_NEW(heap, uint32_t, count);
	size_t* bucket = PL_NEW(heap, size_t, n + 2);
	bool fine = order && next && bucket;
	if (fine)
	{
		const uint32_t* sorted = sort(item, width, count, n, order, next, bucket);
		tuples->count = countDifferent(item, width, sorted, count);
		tuples->item = PL_NEW(heap, uint32_t, width * tuples->count);
		tuples->value = value != NULL ? PL_NEW(heap, double, tuples->count) : NULL;
		tuples->times = PL_NEW(heap, uint32_t, tuples->count);
		fine = tuples->item && tuples->times && (value == NULL || tuples->value);
		if (fine)
			fill(tuples, item, value, sorted, count);
	}
	PL_FREE(heap, order, count);
	PL_FREE(heap, next, count);
	PL_FREE(heap, bucket, n + 2);
	if (!fine)
		plTuples_Destroy(tuples, heap);
	return fine;
}

void plTuples_Destroy(plTuples* tuples, plHeap* heap)
{
	PL_FREE(heap, tuples->item, tuples->width * tuples->count);
	PL_FREE(heap, tuples->value, tuples->count);
	PL_FREE(heap, tuples->times, tuples->count);
	*tuples = (plTuples){0};
}

bool plIncidence_Create(plIncidence* table, const plTuples* tuples, size_t n, plHeap* heap)
{
	size_t places = tuples->width * tuples->count;
	*table = (plIncidence){.n = n};
	table->start = PL_NEW_ZERO(heap, size_t, n + 1);
	if (table->start == NULL)
		return false;
	for (size_t k = 0; k < places; ++k)
		if (tuples->item[k] != UINT32_MAX)
			table->start[tuples->item[k] + 1]++;
	for (size_t v = 0; v < n; ++v)
		table->start[v + 1] += table->start[v];
	table->count = table->start[n];
	table->item = PL_NEW(heap, uint32_t, table->count);
	if (table->item == NULL && table->count > 0)
	{
		plIncidence_Destroy(table, heap);
		return false;
	}
	// Filling moves start[v] to the start of v + 1: shift back afterwards.
	for (size_t k = 0; k < places; ++k)
		if (tuples->item[k] != UINT32_MAX)
			table->item[table->start[tuples->item[k]]++] = (uint32_t)(k / tuples->width);
	for (size_t v = n; v > 0; --v)
		table->start[v] = table->start[v - 1];
	table->start[0] = 0;
	return true;
}

void plIncidence_Destroy(plIncidence* table, plHeap* heap)
{
	PL_FREE(heap, table->start, table->n + 1);
	PL_FREE(heap, table->item, table->count);
	*table = (plIncidence){0};
}
