// crossing_search.c: all pairs of triangles that cross each other
//
// Each task of the tree writes what it finds into a room of its own, and counts what does not fit. If anything did not
// fit, every task gets as much room as it needs, and all of them run again. Then the pairs are joined and sorted.
// Surfaces seldom cross much: a small room is enough, and nothing runs twice.
#include "crossing_search.h"
#include "crossing.h"

#include <stdlib.h>

enum
{
	firstRoom = 16, // pairs of a task
};

typedef struct Search
{
	plCrossingSearch* search;
	const plTriangleTree* tree;
} Search;

static plFacet facetAt(const plTriangleTree* tree, uint32_t triangle)
{
	const double* x = tree->places + 9 * (size_t)triangle;
	const uint32_t* v = tree->corners + 3 * (size_t)triangle;
	return (plFacet){{x, x + 3, x + 6}, {v[0], v[1], v[2]}};
}

static void testPair(size_t task, uint32_t a, uint32_t b, void* context)
{
	const Search* s = context;
	plCrossingSearch* search = s->search;
	const plFacet first = facetAt(s->tree, a), second = facetAt(s->tree, b);
	if (!plFacets_Cross(&first, &second))
		return;
	size_t place = search->taskStart[task] + search->taskCount[task]++;
	uint32_t x = s->tree->sources[a], y = s->tree->sources[b];
	if (place < search->taskStart[task + 1])
		search->pairs[place] = x < y ? (plCrossingPair){x, y} : (plCrossingPair){y, x};
}

static int comparePairs(const void* x, const void* y)
{
	const plCrossingPair *p = x, *q = y;
	return p->a != q->a ? (p->a < q->a ? -1 : 1) : p->b != q->b ? (p->b < q->b ? -1 : 1) : 0;
}

// Room for what each task has found, half as much again, and a little; false: no memory
static bool spreadRoom(plCrossingSearch* s, size_t tasks, plHeap* heap)
{
	size_t sum = 0;
	for (size_t t = 0; t < tasks; ++t)
	{
		s->taskStart[t] = sum;
		sum += firstRoom + s->taskCount[t] + s->taskCount[t] / 2;
	}
	s->taskStart[tasks] = sum;
	return plGrowArray(heap, &s->pairs, &s->room, sum, sizeof *s->pairs);
}

static bool reserveTasks(plCrossingSearch* s, size_t tasks, plHeap* heap)
{
	size_t before = s->countRoom;
	if (!plGrowArray(heap, &s->taskStart, &s->startRoom, tasks + 1, sizeof *s->taskStart) ||
	    !plGrowArray(heap, &s->taskCount, &s->countRoom, tasks, sizeof *s->taskCount))
		return false;
	if (s->countRoom > before)
		memset(s->taskCount + before, 0, (s->countRoom - before) * sizeof *s->taskCount);
	return true;
}

// Did everything fit?
static bool visitAll(Search* s, size_t tasks, plPool* pool)
{
	plCrossingSearch* search = s->search;
	bool fits = true;
	if (tasks > 0)
		memset(search->taskCount, 0, tasks * sizeof *search->taskCount);
	plTriangleTree_VisitPairs(s->tree, pool, testPair, s);
	for (size_t t = 0; t < tasks; ++t)
		fits = fits && search->taskCount[t] <= search->taskStart[t + 1] - search->taskStart[t];
	return fits;
}

bool plCrossingSearch_Run(plCrossingSearch* search, const plTriangleTree* tree, plPool* pool, plHeap* heap)
{
	size_t tasks = plTriangleTree_CountTasks(tree);
	Search s = {search, tree};
	search->count = 0;
	if (!reserveTasks(search, tasks, heap) || !spreadRoom(search, tasks, heap))
		return false;
	if (!visitAll(&s, tasks, pool))
	{
		if (!spreadRoom(search, tasks, heap))
			return false;
		visitAll(&s, tasks, pool);
	}
	for (size_t t = 0; t < tasks; ++t)
	{
		memmove(search->pairs + search->count, search->pairs + search->taskStart[t],
		        search->taskCount[t] * sizeof *search->pairs);
		search->count += search->taskCount[t];
	}
	if (search->count > 1)
		qsort(search->pairs, search->count, sizeof *search->pairs, comparePairs);
	return true;
}

void plCrossingSearch_Destroy(plCrossingSearch* s, plHeap* heap)
{
	PL_FREE(heap, s->pairs, s->room);
	PL_FREE(heap, s->taskStart, s->startRoom);
	PL_FREE(heap, s->taskCount, s->countRoom);
	*s = (plCrossingSearch){0};
}
