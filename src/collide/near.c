// near.c: pairs of a surface that are near each other
//
// Each task of the tree looks at pairs of triangles whose boxes, widened by half the reach, overlap. A vertex is in
// many triangles, and an edge in two; only what a triangle owns is compared, so a pair is found once. Tasks write into
// rooms of their own, and count what does not fit; if anything did not, all of them run again with more room.
#include "near.h"
#include "../base/vec3.h"

#include <stdlib.h>

enum
{
	firstRoom = 64, // pairs of a task
};

static const double share = 0.45; // of the distance, that either side may use up; the rest is for rounding

// ---- whose vertices and edges they are ------------------------------------------------------------------------------

typedef struct Part
{
	uint32_t low, high; // vertices; of a corner both are one
	uint32_t triangle;
	uint32_t bit; // of `owned`
} Part;

static int compareParts(const void* x, const void* y)
{
	const Part *p = x, *q = y;
	if (p->low != q->low)
		return p->low < q->low ? -1 : 1;
	if (p->high != q->high)
		return p->high < q->high ? -1 : 1;
	return p->triangle != q->triangle ? (p->triangle < q->triangle ? -1 : 1) : (int)p->bit - (int)q->bit;
}

static void fillParts(const plTriangleTree* tree, Part* parts)
{
	for (uint32_t t = 0; t < tree->count; ++t)
		for (uint32_t k = 0; k < 3; ++k)
		{
			uint32_t a = tree->corners[3 * (size_t)t + k], b = tree->corners[3 * (size_t)t + (k + 1) % 3];
			*parts++ = (Part){a, a, t, k};
			*parts++ = (Part){a < b ? a : b, a < b ? b : a, t, 3 + k};
		}
}

bool plNearSearch_Prepare(plNearSearch* s, plTriangleTree* tree, plHeap* heap)
{
	size_t count = 6 * tree->count;
	s->count = s->faceCount = s->vertexCount = 0;
	if (count == 0)
		return true;
	if (!plTriangleTree_NeedWays(tree, heap))
		return false;
	for (size_t c = 0; c < 3 * tree->count; ++c)
		s->vertexCount = tree->corners[c] >= s->vertexCount ? tree->corners[c] + (size_t)1 : s->vertexCount;
	Part* parts = PL_NEW(heap, Part, count);
	if (parts == NULL || !plGrowArray(heap, &s->owned, &s->ownedRoom, tree->count, sizeof *s->owned))
	{
		PL_FREE(heap, parts, count);
		return false;
	}
	fillParts(tree, parts);
	qsort(parts, count, sizeof *parts, compareParts);
	memset(s->owned, 0, tree->count * sizeof *s->owned);
	for (size_t i = 0; i < count; ++i)
		if (i == 0 || parts[i].low != parts[i - 1].low || parts[i].high != parts[i - 1].high)
			s->owned[parts[i].triangle] |= (uint8_t)(1u << parts[i].bit);
	PL_FREE(heap, parts, count);
	return true;
}

void plNearSearch_Destroy(plNearSearch* s, plHeap* heap)
{
	PL_FREE(heap, s->pairs, s->room);
	PL_FREE(heap, s->unsorted, s->unsortedRoom);
	PL_FREE(heap, s->bucket, s->bucketRoom);
	PL_FREE(heap, s->owned, s->ownedRoom);
	PL_FREE(heap, s->taskStart, s->startRoom);
	PL_FREE(heap, s->taskCount, s->countRoom);
	*s = (plNearSearch){0};
}

// ---- pairs of triangles ---------------------------------------------------------------------------------------------

typedef struct Search
{
	plNearSearch* search;
	const plTriangleTree* tree;
	double reach;
} Search;

// `way` is not read if nothing moves.
static void add(const Search* s, size_t task, plNearKind kind, const uint32_t corners[4], const double x[4][3],
                const double way[4][3])
{
	double distance = plNearest_GetDistance(kind, x);
	if (!(distance - (s->tree->moves ? plNearPair_GetApproach(kind, way) : 0.0) < s->reach))
		return;
	size_t place = s->search->taskStart[task] + s->search->taskCount[task]++;
	if (place >= s->search->taskStart[task + 1])
		return;
	plNearPair* pair = s->search->unsorted + place;
	*pair = (plNearPair){.kind = kind, .distance = distance};
	memcpy(pair->corners, corners, sizeof pair->corners);
}

// Could a vertex come nearer to the box about a triangle than the reach? Ways are NULL where nothing moves.
static bool mayBeNearBox(const double* x, const double* triangle, const double* way, const double* ways, double reach)
{
	for (int i = 0; i < 3; ++i)
	{
		double low = plMin(plMin(triangle[i], triangle[3 + i]), triangle[6 + i]);
		double high = plMax(plMax(triangle[i], triangle[3 + i]), triangle[6 + i]);
		if (way != NULL)
		{
			low += plMin(plMin(plMin(ways[i], ways[3 + i]), ways[6 + i]) - way[i], 0.0);
			high += plMax(plMax(plMax(ways[i], ways[3 + i]), ways[6 + i]) - way[i], 0.0);
		}
		if (low - x[i] > reach || x[i] - high > reach)
			return false;
	}
	return true;
}

// Corners of triangle a that it owns, and triangle b
static void compareCorners(const Search* s, size_t task, uint32_t a, uint32_t b)
{
	const uint32_t *v = s->tree->corners + 3 * (size_t)a, *w = s->tree->corners + 3 * (size_t)b;
	const double *x = s->tree->places + 9 * (size_t)a, *y = s->tree->places + 9 * (size_t)b;
	bool moves = s->tree->moves;
	const double *wayX = moves ? s->tree->ways + 9 * (size_t)a : x, *wayY = moves ? s->tree->ways + 9 * (size_t)b : y;
	for (size_t k = 0; k < 3; ++k)
	{
		if (!(s->search->owned[a] >> k & 1) || v[k] == w[0] || v[k] == w[1] || v[k] == w[2] ||
		    !mayBeNearBox(x + 3 * k, y, moves ? wayX + 3 * k : NULL, wayY, s->reach))
			continue;
		double places[4][3], ways[4][3];
		memcpy(places[0], x + 3 * k, 3 * sizeof(double));
		memcpy(places[1], y, 9 * sizeof(double));
		memcpy(ways[0], wayX + 3 * k, 3 * sizeof(double));
		memcpy(ways[1], wayY, 9 * sizeof(double));
		add(s, task, pl_nearFace, (uint32_t[4]){v[k], w[0], w[1], w[2]}, places, ways);
	}
}

typedef struct Edge
{
	uint32_t vertex[2]; // the lower one first
	const double* place[2];
	const double* way[2]; // `place` again where nothing moves
} Edge;

static Edge edgeOf(const plTriangleTree* tree, uint32_t triangle, size_t k)
{
	size_t a = 3 * (size_t)triangle + k, b = 3 * (size_t)triangle + (k + 1) % 3;
	if (tree->corners[a] > tree->corners[b])
	{
		size_t c = a;
		a = b;
		b = c;
	}
	const double* ways = tree->moves ? tree->ways : tree->places;
	return (Edge){{tree->corners[a], tree->corners[b]},
	              {tree->places + 3 * a, tree->places + 3 * b},
	              {ways + 3 * a, ways + 3 * b}};
}

// Could boxes about the two come nearer than the reach?
static bool mayBeNear(const Edge* e, const Edge* f, bool moves, double reach)
{
	for (int i = 0; i < 3; ++i)
	{
		double a = e->place[0][i], b = e->place[1][i], c = f->place[0][i], d = f->place[1][i];
		double low = plMin(c, d), high = plMax(c, d);
		if (moves)
		{
			low += plMin(plMin(f->way[0][i], f->way[1][i]) - plMax(e->way[0][i], e->way[1][i]), 0.0);
			high += plMax(plMax(f->way[0][i], f->way[1][i]) - plMin(e->way[0][i], e->way[1][i]), 0.0);
		}
		if (plMin(a, b) - high > reach || low - plMax(a, b) > reach)
			return false;
	}
	return true;
}

static void compareEdges(const Search* s, size_t task, const Edge* e, const Edge* f)
{
	if (e->vertex[0] == f->vertex[0] || e->vertex[0] == f->vertex[1] || e->vertex[1] == f->vertex[0] ||
	    e->vertex[1] == f->vertex[1] || !mayBeNear(e, f, s->tree->moves, s->reach))
		return;
	const Edge *first = e->vertex[0] < f->vertex[0] ? e : f, *second = first == e ? f : e;
	double places[4][3], ways[4][3];
	for (int k = 0; k < 2; ++k)
	{
		memcpy(places[k], first->place[k], 3 * sizeof(double));
		memcpy(places[2 + k], second->place[k], 3 * sizeof(double));
		memcpy(ways[k], first->way[k], 3 * sizeof(double));
		memcpy(ways[2 + k], second->way[k], 3 * sizeof(double));
	}
	add(s, task, pl_nearEdges, (uint32_t[4]){first->vertex[0], first->vertex[1], second->vertex[0], second->vertex[1]},
	    places, ways);
}

static bool meet(const plNearSearch* search, uint32_t v, uint32_t w)
{
	if (search->owner == NULL)
		return true;
	uint32_t a = search->owner[v], b = search->owner[w];
	return a == b ? search->meetsItself[a] : search->meetsOthers;
}

static void compareTriangles(size_t task, uint32_t a, uint32_t b, void* context)
{
	const Search* s = context;
	if (!meet(s->search, s->tree->corners[3 * (size_t)a], s->tree->corners[3 * (size_t)b]))
		return;
	unsigned ownA = s->search->owned[a], ownB = s->search->owned[b];
	if (ownA & 7u)
		compareCorners(s, task, a, b);
	if (ownB & 7u)
		compareCorners(s, task, b, a);
	Edge edges[3];
	size_t count = 0;
	for (size_t j = 0; ownA >> 3 != 0 && j < 3; ++j)
		if (ownB >> (3 + j) & 1)
			edges[count++] = edgeOf(s->tree, b, j);
	for (size_t i = 0; count > 0 && i < 3; ++i)
	{
		if (!(ownA >> (3 + i) & 1))
			continue;
		Edge e = edgeOf(s->tree, a, i);
		for (size_t j = 0; j < count; ++j)
			compareEdges(s, task, &e, edges + j);
	}
}

// ---- the search -----------------------------------------------------------------------------------------------------

// Room for what each task has found, half as much again, and a little; false: no memory
static bool spreadRoom(plNearSearch* s, size_t tasks, plHeap* heap)
{
	size_t sum = 0;
	for (size_t t = 0; t < tasks; ++t)
	{
		s->taskStart[t] = sum;
		sum += firstRoom + s->taskCount[t] + s->taskCount[t] / 2;
	}
	s->taskStart[tasks] = sum;
	return plGrowArray(heap, &s->unsorted, &s->unsortedRoom, sum, sizeof *s->unsorted);
}

static bool reserveTasks(plNearSearch* s, size_t tasks, plHeap* heap)
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
	plNearSearch* search = s->search;
	bool fits = true;
	if (tasks > 0)
		memset(search->taskCount, 0, tasks * sizeof *search->taskCount);
	plTriangleTree_VisitPairs(s->tree, pool, compareTriangles, s);
	for (size_t t = 0; t < tasks; ++t)
		fits = fits && search->taskCount[t] <= search->taskStart[t + 1] - search->taskStart[t];
	return fits;
}

int plNearPair_Compare(const void* x, const void* y)
{
	const plNearPair *p = x, *q = y;
	if (p->kind != q->kind)
		return p->kind < q->kind ? -1 : 1;
	for (int k = 0; k < 4; ++k)
		if (p->corners[k] != q->corners[k])
			return p->corners[k] < q->corners[k] ? -1 : 1;
	return 0;
}

static size_t bucketOf(const plNearSearch* s, const plNearPair* pair)
{
	return (pair->kind == pl_nearFace ? 0 : s->vertexCount) + pair->corners[0];
}

// Counts by bucket; then bucket[b + 1] is where b begins, and becomes where it ends.
static void placePairs(plNearSearch* s, size_t tasks)
{
	size_t buckets = 2 * s->vertexCount, sum = 0;
	memset(s->bucket, 0, (buckets + 2) * sizeof *s->bucket);
	for (size_t t = 0; t < tasks; ++t)
		for (size_t p = s->taskStart[t]; p < s->taskStart[t] + s->taskCount[t]; ++p)
			s->bucket[bucketOf(s, s->unsorted + p) + 2]++;
	for (size_t b = 2; b < buckets + 2; ++b)
		s->bucket[b] = sum += s->bucket[b];
	for (size_t t = 0; t < tasks; ++t)
		for (size_t p = s->taskStart[t]; p < s->taskStart[t] + s->taskCount[t]; ++p)
			s->pairs[s->bucket[bucketOf(s, s->unsorted + p) + 1]++] = s->unsorted[p];
	s->count = sum;
	s->faceCount = s->bucket[s->vertexCount];
}

// There are few in a bucket.
static void sortBuckets(size_t begin, size_t end, void* context)
{
	const plNearSearch* s = context;
	for (size_t b = begin; b < end; ++b)
		for (size_t p = s->bucket[b] + 1; p < s->bucket[b + 1]; ++p)
		{
			plNearPair pair = s->pairs[p];
			size_t to = p;
			for (; to > s->bucket[b] && plNearPair_Compare(&pair, s->pairs + to - 1) < 0; --to)
				s->pairs[to] = s->pairs[to - 1];
			s->pairs[to] = pair;
		}
}

// What tasks have found, sorted; false: no memory
static bool join(plNearSearch* s, size_t tasks, plPool* pool, plHeap* heap)
{
	size_t found = 0;
	for (size_t t = 0; t < tasks; ++t)
		found += s->taskCount[t];
	if (!plGrowArray(heap, &s->pairs, &s->room, found, sizeof *s->pairs) ||
	    !plGrowArray(heap, &s->bucket, &s->bucketRoom, 2 * s->vertexCount + 2, sizeof *s->bucket))
		return false;
	placePairs(s, tasks);
	plParallelFor(pool, 2 * s->vertexCount, 1024, sortBuckets, s);
	return true;
}

// All pairs of the boxes that were fitted
static bool run(plNearSearch* search, const plTriangleTree* tree, double reach, plPool* pool, plHeap* heap)
{
	size_t tasks = plTriangleTree_CountTasks(tree);
	Search s = {search, tree, reach};
	search->count = search->faceCount = 0;
	if (!reserveTasks(search, tasks, heap) || !spreadRoom(search, tasks, heap))
		return false;
	if (!visitAll(&s, tasks, pool))
	{
		if (!spreadRoom(search, tasks, heap))
			return false;
		visitAll(&s, tasks, pool);
	}
	return join(search, tasks, pool, heap);
}

bool plNearSearch_Run(plNearSearch* search, plTriangleTree* tree, const double* places, double reach, plPool* pool,
                      plHeap* heap)
{
	PL_ASSERT(search->ownedRoom >= tree->count, "the search was prepared for this tree");
	plTriangleTree_Refit(tree, places, 0.5 * reach, pool);
	return run(search, tree, reach, pool, heap);
}

// Tasks count into taskStart, whose numbers are made anew for every search.
static void countPair(size_t task, uint32_t a, uint32_t b, void* context)
{
	(void)a;
	(void)b;
	((plNearSearch*)context)->taskStart[task]++;
}

static size_t countBoxes(plNearSearch* s, const plTriangleTree* tree, plPool* pool)
{
	size_t tasks = plTriangleTree_CountTasks(tree), sum = 0;
	memset(s->taskStart, 0, tasks * sizeof *s->taskStart);
	plTriangleTree_VisitPairs(tree, pool, countPair, s);
	for (size_t t = 0; t < tasks; ++t)
		sum += s->taskStart[t];
	return sum;
}

// Halves a scale until what moves apart or together has not many more boxes in its way than where it stands: who goes
// through all of another body at once would list all of it.
static double shorten(plNearSearch* s, plTriangleTree* tree, const plNearWays* ways, double reach, plPool* pool)
{
	static const double far = 4.0; // reaches
	enum
	{
		mostHalvings = 10,
		more = 8 // boxes of a triangle
	};
	double scale = ways->scale;
	if (plTriangleTree_GetSpread(tree) <= far * reach)
		return scale;
	tree->moves = false;
	size_t most = 2 * countBoxes(s, tree, pool) + more * tree->count;
	tree->moves = true;
	for (int i = 0; i < mostHalvings && countBoxes(s, tree, pool) > most; ++i)
	{
		scale *= 0.5;
		plTriangleTree_RefitMoving(tree, ways->places, ways->ways, scale, 0.5 * reach, pool);
	}
	return scale;
}

bool plNearSearch_RunMoving(plNearSearch* search, plTriangleTree* tree, plNearWays* ways, double reach, plPool* pool,
                            plHeap* heap)
{
	PL_ASSERT(search->ownedRoom >= tree->count, "the search was prepared for this tree");
	search->count = search->faceCount = 0;
	if (!reserveTasks(search, plTriangleTree_CountTasks(tree), heap))
		return false;
	plTriangleTree_RefitMoving(tree, ways->places, ways->ways, ways->scale, 0.5 * reach, pool);
	ways->scale = shorten(search, tree, ways, reach, pool);
	if (!run(search, tree, reach, pool, heap))
		return false;
	plNearSearch_FindWays(search, ways, pool);
	return true;
}

void plNearSearch_FindBalls(const plNearSearch* search, double reach, double radius, double* balls, size_t vertexCount)
{
	for (size_t v = 0; v < vertexCount; ++v)
		balls[v] = 0.5 * (reach - radius);
	for (size_t p = 0; p < search->count; ++p)
		for (int k = 0; k < 4; ++k)
		{
			double* ball = balls + search->pairs[p].corners[k];
			*ball = plMin(share * search->pairs[p].distance, *ball);
		}
}
