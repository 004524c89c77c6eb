// discs.c: which vertices of a level are kept, and which kept one each vertex belongs to
//
//   keep v if no kept vertex is within r of it along edges; corners are asked first, then rims, surfaces, the inside
//   cluster of v: the kept vertex nearest along edges, the smaller number if two are as near
//
// r = factor times the mean length of an edge of the connected part. The factor is corrected until the level has the
// number of vertices that is wanted to within 6 %, at most six times; the best one counts. Distances along the edges of
// a regular mesh are few, so it may jump over what is wanted.
#include "level_mesh.h"

#include "../base/number.h"

#include <math.h>

enum
{
	mostTries = 6
};

static const double closeEnough = 0.06; // of the wanted number, as a logarithm

typedef struct Near
{
	double distance;
	uint32_t vertex;
	uint32_t source;
} Near;

// The nearest comes first. Vertices may stand in it more than once.
typedef struct Queue
{
	Near* item;
	size_t count, room;
} Queue;

typedef struct Search
{
	const plLevelMesh* mesh;
	plHeap* heap;
	Queue queue;
	uint32_t* order;  // [count] vertices by mark, corners first
	uint32_t* stamp;  // [count] source that reached a vertex last, plus 1
	double* distance; // [count] from there
	uint8_t* state;   // [count] bits below
	uint8_t* best;    // [count] states of the best try
	size_t bestCount;
	bool failed; // no memory for the queue
} Search;

enum
{
	covered = 1,
	kept = 2
};

// ---- queue ----------------------------------------------------------------------------------------------------------

static bool isNearer(const Near* a, const Near* b)
{
	if (a->distance != b->distance)
		return a->distance < b->distance;
	return a->source != b->source ? a->source < b->source : a->vertex < b->vertex;
}

static bool push(Queue* queue, Near item, plHeap* heap)
{
	if (queue->count == queue->room && !plGrowArray(heap, &queue->item, &queue->room, queue->count + 1, sizeof(Near)))
		return false;
	size_t at = queue->count++;
	for (; at > 0 && isNearer(&item, queue->item + (at - 1) / 2); at = (at - 1) / 2)
		queue->item[at] = queue->item[(at - 1) / 2];
	queue->item[at] = item;
	return true;
}

static Near pop(Queue* queue)
{
	Near first = queue->item[0], last = queue->item[--queue->count];
	size_t at = 0;
	for (;;)
	{
		size_t child = 2 * at + 1;
		if (child >= queue->count)
			break;
		if (child + 1 < queue->count && isNearer(queue->item + child + 1, queue->item + child))
			++child;
		if (!isNearer(queue->item + child, &last))
			break;
		queue->item[at] = queue->item[child];
		at = child;
	}
	if (queue->count > 0)
		queue->item[at] = last;
	return first;
}

// ---- discs ----------------------------------------------------------------------------------------------------------

static void reach(Search* s, uint32_t vertex, double distance, uint32_t source)
{
	if (s->stamp[vertex] == source + 1 && s->distance[vertex] <= distance)
		return;
	s->stamp[vertex] = source + 1;
	s->distance[vertex] = distance;
	s->failed = !push(&s->queue, (Near){distance, vertex, source}, s->heap) || s->failed;
}

static void coverDisc(Search* s, uint32_t source, double radius)
{
	const plLevelMesh* mesh = s->mesh;
	reach(s, source, 0.0, source);
	while (s->queue.count > 0)
	{
		Near at = pop(&s->queue);
		if (at.distance > s->distance[at.vertex])
			continue;
		s->state[at.vertex] |= covered;
		for (size_t k = mesh->meets.start[at.vertex]; k < mesh->meets.start[at.vertex + 1]; ++k)
		{
			uint32_t edge = mesh->meets.item[k];
			double distance = at.distance + mesh->edges.value[edge];
			if (distance <= radius)
				reach(s, plLevelMesh_GetOther(mesh, edge, at.vertex), distance, source);
		}
	}
}

static size_t keep(Search* s, double factor)
{
	const plLevelMesh* mesh = s->mesh;
	size_t count = 0;
	memset(s->state, 0, mesh->count);
	memset(s->stamp, 0, mesh->count * sizeof *s->stamp);
	for (size_t k = 0; k < mesh->count && !s->failed; ++k)
	{
		uint32_t v = s->order[k];
		if (s->state[v] & covered)
			continue;
		s->state[v] |= kept;
		++count;
		coverDisc(s, v, factor * mesh->spacing[mesh->part[v]]);
	}
	return count;
}

static double wantedCount(const plLevelMesh* mesh, double ratio)
{
	static const double usual[pl_simplexCorners + 1] = {1.0, 1.0, 2.0, 4.0, 8.0};
	double wanted = 0.0;
	for (size_t p = 0; p < mesh->partCount; ++p)
	{
		double fewer = mesh->corners[p] < 2 ? 1.0 : ratio > 0.0 ? ratio : usual[mesh->corners[p]];
		wanted += fmax(1.0, (double)mesh->size[p] / fewer);
	}
	return wanted;
}

// The dimension that most vertices live in: how the number of discs goes with their size
static double dimensionOf(const plLevelMesh* mesh)
{
	size_t share[pl_simplexCorners + 1] = {0}, most = 2;
	for (size_t p = 0; p < mesh->partCount; ++p)
		share[mesh->corners[p]] += mesh->size[p];
	for (size_t c = 2; c <= pl_simplexCorners; ++c)
		most = share[c] > share[most] ? c : most;
	return (double)(most - 1);
}

static void findDiscs(Search* s, double ratio)
{
	double wanted = wantedCount(s->mesh, ratio), factor = 1.5, bestMiss = INFINITY, dimension = dimensionOf(s->mesh);
	for (int try = 0; try < mostTries && !s->failed; ++try)
	{
		size_t count = keep(s, factor);
		double excess = plLog((double)count / wanted);
		if (fabs(excess) < bestMiss)
		{
			bestMiss = fabs(excess);
			s->bestCount = count;
			memcpy(s->best, s->state, s->mesh->count);
		}
		if (fabs(excess) <= closeEnough)
			return;
		factor *= plExp(excess / dimension);
	}
}

static void orderByMark(Search* s)
{
	size_t at = 0;
	for (int mark = pl_markCount - 1; mark >= 0; --mark)
		for (size_t v = 0; v < s->mesh->count; ++v)
			if (s->mesh->mark[v] == mark)
				s->order[at++] = (uint32_t)v;
}

// ---- clusters -------------------------------------------------------------------------------------------------------

static void join(Search* s, plClusters* clusters, Near next)
{
	uint32_t* of = clusters->of + next.vertex;
	double* distance = clusters->distance + next.vertex;
	if (*of != UINT32_MAX && (*distance < next.distance || (*distance == next.distance && *of <= next.source)))
		return;
	*of = next.source;
	*distance = next.distance;
	s->failed = !push(&s->queue, next, s->heap) || s->failed;
}

static void fillClusters(Search* s, plClusters* clusters)
{
	const plLevelMesh* mesh = s->mesh;
	memset(clusters->of, 0xff, mesh->count * sizeof *clusters->of);
	for (size_t c = 0; c < clusters->count; ++c)
		join(s, clusters, (Near){0.0, clusters->kept[c], (uint32_t)c});
	while (s->queue.count > 0 && !s->failed)
	{
		Near at = pop(&s->queue);
		if (clusters->of[at.vertex] != at.source || at.distance > clusters->distance[at.vertex])
			continue;
		for (size_t k = mesh->meets.start[at.vertex]; k < mesh->meets.start[at.vertex + 1]; ++k)
		{
			uint32_t edge = mesh->meets.item[k];
			join(s, clusters,
			     (Near){at.distance + mesh->edges.value[edge], plLevelMesh_GetOther(mesh, edge, at.vertex), at.source});
		}
	}
}

// ---- both -----------------------------------------------------------------------------------------------------------

static bool makeClusters(Search* s, plClusters* clusters)
{
	size_t n = s->mesh->count, at = 0;
	clusters->count = s->bestCount;
	clusters->fineCount = n;
	clusters->kept = PL_NEW(s->heap, uint32_t, clusters->count);
	clusters->of = PL_NEW(s->heap, uint32_t, n);
	clusters->distance = PL_NEW(s->heap, double, n);
	if (!clusters->kept || !clusters->of || !clusters->distance)
		return false;
	for (size_t v = 0; v < n; ++v)
		if (s->best[v] & kept)
			clusters->kept[at++] = (uint32_t)v;
	fillClusters(s, clusters);
	return !s->failed;
}

bool plClusters_Create(plClusters* clusters, const plLevelMesh* mesh, double ratio, plHeap* heap)
{
	size_t n = mesh->count;
	*clusters = (plClusters){0};
	if (n == 0)
		return true;
	Search s = {.mesh = mesh, .heap = heap};
	s.order = PL_NEW(heap, uint32_t, n);
	s.stamp = PL_NEW(heap, uint32_t, n);
	s.distance = PL_NEW(heap, double, n);
	s.state = PL_NEW(heap, uint8_t, n);
	s.best = PL_NEW(heap, uint8_t, n);
	bool fine = s.order && s.stamp && s.distance && s.state && s.best;
	if (fine)
	{
		orderByMark(&s);
		findDiscs(&s, ratio);
		fine = !s.failed && makeClusters(&s, clusters);
	}
	PL_FREE(heap, s.order, n);
	PL_FREE(heap, s.stamp, n);
	PL_FREE(heap, s.distance, n);
	PL_FREE(heap, s.state, n);
	PL_FREE(heap, s.best, n);
	PL_FREE(heap, s.queue.item, s.queue.room);
	if (!fine)
		plClusters_Destroy(clusters, heap);
	return fine;
}

void plClusters_Destroy(plClusters* clusters, plHeap* heap)
{
	PL_FREE(heap, clusters->kept, clusters->count);
	PL_FREE(heap, clusters->of, clusters->fineCount);
	PL_FREE(heap, clusters->distance, clusters->fineCount);
	*clusters = (plClusters){0};
}
