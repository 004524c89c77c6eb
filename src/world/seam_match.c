// seam_match.c: who is sewn to whom: two lines of vertices from end to end, or each vertex to the nearest one
//
// Lines (seam_line.c). Along a line of the length S the vertex at s has the place s/S. Both are walked at once from
// place 0 to 1. Every stitch goes on by one vertex on the first line, on the second or on both, whichever leaves the
// two places nearest to each other. So every vertex has a stitch, no two stitches cross, and lines with as many
// vertices at the same places are sewn one to one. Lengths are those at rest.
//
// A line has two directions, a ring also any start. Those are taken that give the least sum of squared distances now.
// A short ring is walked from every start. Of a long one the ways are compared by points, `pointCount` of them evenly
// spread over the first ring, each with the place that it would be sewn to on the second; the few best ways are walked.
// So a ring of n vertices costs O(n), where walking it from every start is O(n^2).
//
// Nearest. One of two is sorted by x, and looked through from x - reach to x + reach.
#include "seams.h"

#include <math.h>
#include <stdlib.h>

static const double* positionOf(const plWorld* world, const plSoftBody* body, uint32_t vertex)
{
	return PL_AT(world->q, body->vertexStart + body->internalOf[vertex]);
}

// ---- two lines ------------------------------------------------------------------------------------------------------

// How the second line is walked: from which vertex, and backwards?
typedef struct Way
{
	size_t start;
	bool isBack;
} Way;

static uint32_t vertexAt(const plSeamLine* line, Way way, size_t i)
{
	size_t n = line->count;
	return line->order[way.isBack ? (way.start + n - i % n) % n : (way.start + i) % n];
}

// Place of the i-th vertex on the way, 0 to 1; of a ring the n-th is the first again
static double placeAt(const plSeamLine* line, Way way, size_t i)
{
	size_t n = line->count, at = way.isBack ? (way.start + n - i % n) % n : (way.start + i) % n;
	if (i == n)
		return 1.0;
	double place = way.isBack ? line->place[way.start] - line->place[at] : line->place[at] - line->place[way.start];
	return line->isRing && place < 0.0 ? place + 1.0 : place;
}

// Walks both; `pairs` may be NULL. The sum of squared distances comes back, in `count` the number of stitches.
static double zip(const plWorld* world, const plSeamLine lines[2], Way way, uint32_t* pairs, size_t* count)
{
	const Way ahead = {0, false};
	size_t i = 0, j = 0, last[2] = {lines[0].count - !lines[0].isRing, lines[1].count - !lines[1].isRing};
	double sum = 0.0;
	*count = 0;
	for (;;)
	{
		uint32_t a = vertexAt(lines, ahead, i), b = vertexAt(lines + 1, way, j);
		bool isLast = i == last[0] && j == last[1];
		if (!(isLast && lines[0].isRing) && !(lines[0].body == lines[1].body && a == b))
		{
			sum += plGetSquare(positionOf(world, lines[0].body, a), positionOf(world, lines[1].body, b));
			if (pairs != NULL)
				memcpy(pairs + 2 * *count, (uint32_t[]){a, b}, 2 * sizeof a);
			++*count;
		}
		if (isLast)
			return sum;
		double best = INFINITY;
		size_t step = 0;
		for (size_t s = 3; s > 0; --s) // both, the second, the first
		{
			size_t next[2] = {i + (s & 1), j + (s >> 1)};
			if (next[0] > last[0] || next[1] > last[1])
				continue;
			double off = fabs(placeAt(lines, ahead, next[0]) - placeAt(lines + 1, way, next[1]));
			// places that differ by rounding alone are the same
			step = step == 0 || off < best - 1e-9 ? s : step;
			best = fmin(best, off);
		}
		i += step & 1;
		j += step >> 1;
	}
}

// The k-th of all ways that the second line can be walked
static Way wayOf(const plSeamLine* line, size_t k)
{
	bool isBack = k % 2 == 1;
	return (Way){line->isRing ? k / 2 : isBack ? line->count - 1 : 0, isBack};
}

typedef struct Best
{
	Way way;
	double sum;
} Best;

static void tryWay(const plWorld* world, const plSeamLine lines[2], size_t k, Best* best)
{
	size_t count;
	Way way = wayOf(lines + 1, k);
	double sum = zip(world, lines, way, NULL, &count);
	if (sum < best->sum)
		*best = (Best){way, sum};
}

// The point of a ring at a place from 0 to 1, which lies behind its vertex `at` and not behind the next one
static void pointAt(const plWorld* world, const plSeamLine* ring, size_t at, double place, double x[3])
{
	size_t next = (at + 1) % ring->count;
	double end = next == 0 ? 1.0 : ring->place[next], length = end - ring->place[at];
	double t = length > 0.0 ? (place - ring->place[at]) / length : 0.0;
	const double *a = positionOf(world, ring->body, ring->order[at]),
	             *b = positionOf(world, ring->body, ring->order[next]);
	for (int i = 0; i < 3; ++i)
		x[i] = a[i] + t * (b[i] - a[i]);
}

// The vertex at or before a place, from another one on: as the place goes round the ring, `at` goes with it.
static size_t findBefore(const plSeamLine* ring, size_t at, double place)
{
	if (ring->place[at] > place)
		at = 0;
	while (at + 1 < ring->count && ring->place[at + 1] <= place)
		++at;
	return at;
}

// Adds to sums[k] of every way how far `x`, at a place of the first ring, is from where that way puts this place.
static void addPoint(const plWorld* world, const plSeamLine* ring, const double x[3], double place, double* sums)
{
	for (int isBack = 0; isBack < 2; ++isBack)
		for (size_t start = 0, at = 0; start < ring->count; ++start)
		{
			double y[3], other = ring->place[start] + (isBack ? -place : place);
			other -= floor(other);
			at = findBefore(ring, at, other);
			pointAt(world, ring, at, other, y);
			sums[2 * start + (size_t)isBack] += plGetSquare(x, y);
		}
}

enum
{
	wholeRing = 64,  // vertices of a ring that is walked from every start
	pointCount = 64, // that ways of a longer one are compared by
	wayCount = 16    // which are walked then
};

// Of a long ring: the ways that are best by points, walked. False: no memory
static bool findWayByPoints(plWorld* world, const plSeamLine lines[2], Best* best)
{
	size_t n = lines[1].count, at = 0;
	double* sums = PL_NEW_ZERO(&world->heap, double, 2 * n);
	if (sums == NULL)
		return false;
	for (int k = 0; k < pointCount; ++k)
	{
		double x[3], place = (double)k / pointCount;
		at = findBefore(lines, at, place);
		pointAt(world, lines, at, place, x);
		addPoint(world, lines + 1, x, place, sums);
	}
	for (int k = 0; k < wayCount; ++k)
	{
		size_t least = 0;
		for (size_t i = 1; i < 2 * n; ++i)
			least = sums[i] < sums[least] ? i : least;
		tryWay(world, lines, least, best);
		sums[least] = INFINITY;
	}
	PL_FREE(&world->heap, sums, 2 * n);
	return true;
}

// False: no memory
static bool findWay(plWorld* world, const plSeamLine lines[2], Way* way)
{
	Best best = {.sum = INFINITY};
	size_t n = lines[1].isRing ? lines[1].count : 1;
	bool isLong = lines[1].isRing && n > wholeRing;
	if (isLong && !findWayByPoints(world, lines, &best))
		return false;
	for (size_t k = 0; k < 2 * n && !isLong; ++k)
		tryWay(world, lines, k, &best);
	*way = best.way;
	return true;
}

static plResult sewLines(plWorld* world, const plSeamDef* def, plSeamLine lines[2], plSeam* seam, plError* error)
{
	plHeap* heap = &world->heap;
	plResult result = plSeamLine_Make(lines, def->first, def->firstCount, heap, error);
	if (result == pl_success)
		result = plSeamLine_Make(lines + 1, def->second, def->secondCount, heap, error);
	if (result < 0)
		return result;
	if (lines[0].isRing != lines[1].isRing)
		return plFailAt(error, lines[0].isRing ? "second" : "first",
		                "seam: the vertices of body %s are a ring, those of body %s a line with two ends",
		                lines[0].isRing ? "a" : "b", lines[0].isRing ? "b" : "a");
	Way way;
	if (!findWay(world, lines, &way))
		return plSeamLine_LackMemory(lines, error);
	zip(world, lines, way, NULL, &seam->count);
	if (seam->count == 0)
		return plFailAt(error, "second", "seam: every vertex of it would be sewn to itself");
	seam->vertices = PL_NEW(heap, uint32_t, 2 * seam->count);
	if (seam->vertices == NULL)
		return plSeamLine_LackMemory(lines, error);
	zip(world, lines, way, seam->vertices, &seam->count);
	return pl_success;
}

// ---- nearest --------------------------------------------------------------------------------------------------------

typedef struct Spot
{
	double x[3];
	uint32_t vertex;
} Spot;

static int compareSpots(const void* a, const void* b)
{
	const Spot *p = a, *q = b;
	if (p->x[0] != q->x[0])
		return p->x[0] < q->x[0] ? -1 : 1;
	return p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

// The nearest spot within reach, of equals that of the least number; UINT32_MAX: there is none
static uint32_t findNearest(const Spot* spots, size_t count, const double* x, double reach, uint32_t but)
{
	size_t low = 0, high = count;
	while (low < high)
	{
		size_t middle = low + (high - low) / 2;
		if (spots[middle].x[0] < x[0] - reach)
			low = middle + 1;
		else
			high = middle;
	}
	uint32_t found = UINT32_MAX;
	double least = reach * reach;
	for (; low < count && spots[low].x[0] <= x[0] + reach; ++low)
	{
		double off = plGetSquare(spots[low].x, x);
		bool isNearer = off < least || (off == least && spots[low].vertex < found);
		if (!isNearer || spots[low].vertex == but)
			continue;
		found = spots[low].vertex;
		least = off;
	}
	return found;
}

// Within one body two that are nearest to each other have one stitch.
static size_t pairNearest(const plWorld* world, const plSeamDef* def, const Spot* spots, uint32_t* partner,
                          uint32_t* pairs)
{
	const plSoftBody* a = plWorld_GetSoftBody(world, def->a);
	bool isOne = def->a.index1 == def->b.index1;
	size_t count = 0;
	for (size_t i = 0; i < def->firstCount; ++i)
	{
		uint32_t v = def->first[i];
		const double* x = positionOf(world, a, v);
		uint32_t found = findNearest(spots, def->secondCount, x, def->reach, isOne ? v : UINT32_MAX);
		if (found == UINT32_MAX || partner[v] != UINT32_MAX || (isOne && partner[found] == v))
			continue;
		partner[v] = found;
		pairs[2 * count] = v;
		pairs[2 * count++ + 1] = found;
	}
	return count;
}

static plResult sewNearest(plWorld* world, const plSeamDef* def, const plSeamLine lines[2], plSeam* seam,
                           plError* error)
{
	plHeap* heap = &world->heap;
	size_t n = lines[0].body->vertexCount;
	Spot* spots = PL_NEW(heap, Spot, def->secondCount);
	uint32_t* partner = PL_NEW(heap, uint32_t, n);
	uint32_t* pairs = PL_NEW(heap, uint32_t, 2 * def->firstCount);
	plResult result = spots && partner && pairs ? pl_success : plSeamLine_LackMemory(lines, error);
	if (result == pl_success)
	{
		for (size_t i = 0; i < def->secondCount; ++i)
		{
			spots[i].vertex = def->second[i];
			memcpy(spots[i].x, positionOf(world, lines[1].body, def->second[i]), sizeof spots[i].x);
		}
		qsort(spots, def->secondCount, sizeof *spots, compareSpots);
		memset(partner, 0xff, n * sizeof *partner);
		seam->count = pairNearest(world, def, spots, partner, pairs);
		if (seam->count == 0)
			result =
			    plFailAt(error, "reach", "seam: no vertex of `first` is within %g m of one of `second`", def->reach);
	}
	if (result == pl_success)
	{
		seam->vertices = PL_NEW(heap, uint32_t, 2 * seam->count);
		result = seam->vertices != NULL ? pl_success : plSeamLine_LackMemory(lines, error);
	}
	if (result == pl_success)
		memcpy(seam->vertices, pairs, 2 * seam->count * sizeof(uint32_t));
	PL_FREE(heap, spots, def->secondCount);
	PL_FREE(heap, partner, n);
	PL_FREE(heap, pairs, 2 * def->firstCount);
	return result;
}

plResult plWorld_MatchSeam(plWorld* world, const plSeamDef* def, plSeam* seam, plError* error)
{
	plHeap* heap = &world->heap;
	plSeamLine lines[2] = {{.body = plWorld_GetSoftBody(world, def->a), .field = "first", .name = "a"},
	                       {.body = plWorld_GetSoftBody(world, def->b), .field = "second", .name = "b"}};
	plResult result = def->match == pl_seamNearest ? sewNearest(world, def, lines, seam, error)
	                                               : sewLines(world, def, lines, seam, error);
	plSeamLine_Free(lines, heap);
	plSeamLine_Free(lines + 1, heap);
	return result;
}
