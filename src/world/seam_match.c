// seam_match.c: who is sewn to whom: two lines of vertices from end to end, or each vertex to the nearest one
//
// Lines. The selected vertices of a body, joined by its edges, must make one line: open, or closed to a ring. Along a
// line of the length S the vertex at s has the place s/S. Both are walked at once from place 0 to 1. Every stitch goes
// on by one vertex on the first line, on the second or on both, whichever leaves the two places nearest to each other.
// So every vertex has a stitch, no two stitches cross, and lines with as many vertices at the same places are sewn one
// to one. Lengths are those at rest.
//
// A line has two directions, a ring also any start. Those are taken that give the least sum of squared distances now.
//
// Nearest. One of two is sorted by x, and looked through from x - reach to x + reach.
#include "seams.h"

#include <math.h>
#include <stdlib.h>

// Vertices of a body in order
typedef struct Line
{
	const plSoftBody* body;
	const char *field, *name; // "first" of body "a", or "second" of "b"
	uint32_t* order;          // [count] in the caller's numbers
	double* place;            // [count] from 0 on; of an open line the last is 1
	size_t count, room;
	bool isRing;
} Line;

static const double* positionOf(const plWorld* world, const plSoftBody* body, uint32_t vertex)
{
	return PL_AT(world->q, body->vertexStart + body->internalOf[vertex]);
}

static double square(const double* x, const double* y)
{
	double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
	return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

// ---- edges ----------------------------------------------------------------------------------------------------------

// The edges of a body that seams may follow
typedef struct Edges
{
	uint32_t* ends; // [2 count]
	size_t count, room;
} Edges;

// The border of a cloth
static size_t countBorder(const plCloth* cloth, uint32_t* ends)
{
	size_t count = 0;
	for (size_t e = 0; e < cloth->edgeCount; ++e)
		if (cloth->edgeTriangles[2 * e + 1] == PL_NONE)
		{
			if (ends != NULL)
				memcpy(ends + 2 * count, cloth->edges + 2 * e, 2 * sizeof(uint32_t));
			++count;
		}
	return count;
}

// Those of a cloth's border, or all of its surface; false: no memory
static bool listEdges(const plSoftBody* body, bool borderOnly, plHeap* heap, Edges* edges)
{
	const plCloth* cloth = body->cloth;
	if (cloth != NULL)
	{
		edges->room = borderOnly ? countBorder(cloth, NULL) : cloth->edgeCount;
		edges->ends = PL_NEW(heap, uint32_t, 2 * edges->room);
		if (edges->ends == NULL && edges->room > 0)
			return false;
		if (borderOnly)
			countBorder(cloth, edges->ends);
		else if (edges->room > 0)
			memcpy(edges->ends, cloth->edges, 2 * edges->room * sizeof(uint32_t));
		edges->count = edges->room;
		return true;
	}
	uint32_t* faces = NULL;
	size_t faceCount = 0;
	if (plSoftBody_FindSurface(body, heap, &faces, &faceCount) != pl_success)
		return false;
	edges->room = 3 * faceCount;
	edges->ends = PL_NEW(heap, uint32_t, 2 * edges->room);
	for (size_t i = 0; edges->ends != NULL && i < 3 * faceCount; ++i)
	{
		uint32_t a = faces[i], b = faces[i / 3 * 3 + (i + 1) % 3];
		if (a > b) // its other face has it the other way round
			continue;
		edges->ends[2 * edges->count] = a;
		edges->ends[2 * edges->count++ + 1] = b;
	}
	PL_FREE(heap, faces, 3 * faceCount);
	return edges->ends != NULL || edges->room == 0;
}

// ---- lines ----------------------------------------------------------------------------------------------------------

// What a vertex of the body is to the line
typedef struct Link
{
	uint32_t next[2]; // neighbours in it
	uint8_t count;
	uint8_t isChosen, isWalked;
} Link;

static plResult lackMemory(const Line* line, plError* error)
{
	return plFail(error, pl_errorMemory, "not enough memory to sew a body of %zu vertices", line->body->vertexCount);
}

static plResult joinLinks(const Line* line, const Edges* edges, Link* links, plError* error)
{
	for (size_t e = 0; e < edges->count; ++e)
		for (size_t k = 0; k < 2; ++k)
		{
			uint32_t v = edges->ends[2 * e + k], other = edges->ends[2 * e + 1 - k];
			if (!links[v].isChosen || !links[other].isChosen)
				continue;
			if (links[v].count == 2)
				return plFailAt(error, line->field,
				                "seam: vertex %u of body %s has three neighbours or more among those selected, so they "
				                "are no line; select fewer, or name pairs",
				                v, line->name);
			links[v].next[links[v].count++] = other;
		}
	return pl_success;
}

// From an end, or from the vertex of the least number
static plResult walk(Line* line, Link* links, size_t chosen, plError* error)
{
	uint32_t start = UINT32_MAX, at;
	for (uint32_t v = (uint32_t)line->body->vertexCount; v-- > 0;)
		if (links[v].isChosen && (start == UINT32_MAX || links[v].count < 2 || links[start].count == 2))
			start = v;
	line->isRing = links[start].count == 2;
	for (at = start; at != UINT32_MAX;)
	{
		links[at].isWalked = 1;
		line->order[line->count++] = at;
		uint32_t next = UINT32_MAX;
		for (size_t k = links[at].count; k-- > 0;)
			next = !links[links[at].next[k]].isWalked ? links[at].next[k] : next;
		at = next;
	}
	for (uint32_t v = 0; line->count < chosen; ++v)
		if (links[v].isChosen && !links[v].isWalked)
			return plFailAt(error, line->field,
			                "seam: the vertices of body %s are no single line: no edges between them join %u and %u",
			                line->name, start, v);
	return pl_success;
}

static void measure(Line* line)
{
	double at = 0.0;
	for (size_t i = 0; i < line->count; ++i)
	{
		const double* rest = line->body->rest;
		line->place[i] = at;
		at += sqrt(square(rest + 3 * (size_t)line->order[i], rest + 3 * (size_t)line->order[(i + 1) % line->count]));
	}
	double total = line->isRing || line->count < 2 ? at : line->place[line->count - 1];
	for (size_t i = 0; i < line->count && total > 0.0; ++i)
		line->place[i] /= total;
}

// Vertices that were selected, or only those on the border if any of them is: that comes back.
static bool choose(const uint32_t* vertices, size_t count, const Edges* border, Link* links)
{
	bool onBorder = false;
	for (size_t i = 0; i < count; ++i)
		links[vertices[i]].isChosen = 1;
	for (size_t i = 0; border != NULL && i < 2 * border->count; ++i)
		links[border->ends[i]].isWalked = 1;
	for (size_t i = 0; border != NULL && i < count; ++i)
		onBorder = onBorder || links[vertices[i]].isWalked;
	for (size_t i = 0; i < count; ++i)
	{
		Link* link = links + vertices[i];
		link->isChosen = !onBorder || link->isWalked;
	}
	return onBorder;
}

static plResult fillLine(Line* line, const uint32_t* vertices, size_t count, Link* links, Edges lists[2], plHeap* heap,
                         plError* error)
{
	const plSoftBody* body = line->body;
	size_t chosen = 0;
	if (body->cloth != NULL && !listEdges(body, true, heap, lists))
		return lackMemory(line, error);
	bool onBorder = choose(vertices, count, body->cloth != NULL ? lists : NULL, links);
	for (size_t v = 0; v < body->vertexCount; ++v)
	{
		links[v].isWalked = 0;
		chosen += links[v].isChosen;
	}
	if (!onBorder && !listEdges(body, false, heap, lists + 1))
		return lackMemory(line, error);
	plResult result = joinLinks(line, onBorder ? lists : lists + 1, links, error);
	if (result < 0)
		return result;
	result = walk(line, links, chosen, error);
	if (result == pl_success)
		measure(line);
	return result;
}

static plResult makeLine(Line* line, const uint32_t* vertices, size_t count, plHeap* heap, plError* error)
{
	size_t n = line->body->vertexCount;
	Edges lists[2] = {{0}, {0}}; // of the border, of all
	Link* links = PL_NEW_ZERO(heap, Link, n);
	line->room = count < n ? count : n;
	line->order = PL_NEW(heap, uint32_t, line->room);
	line->place = PL_NEW(heap, double, line->room);
	plResult result = links && line->order && line->place ? fillLine(line, vertices, count, links, lists, heap, error)
	                                                      : lackMemory(line, error);
	for (size_t i = 0; i < 2; ++i)
		PL_FREE(heap, lists[i].ends, 2 * lists[i].room);
	PL_FREE(heap, links, n);
	return result;
}

static void freeLine(Line* line, plHeap* heap)
{
	PL_FREE(heap, line->order, line->room);
	PL_FREE(heap, line->place, line->room);
}

// ---- two lines ------------------------------------------------------------------------------------------------------

// How the second line is walked: from which vertex, and backwards?
typedef struct Way
{
	size_t start;
	bool isBack;
} Way;

static uint32_t vertexAt(const Line* line, Way way, size_t i)
{
	size_t n = line->count;
	return line->order[way.isBack ? (way.start + n - i % n) % n : (way.start + i) % n];
}

// Place of the i-th vertex on the way, 0 to 1; of a ring the n-th is the first again
static double placeAt(const Line* line, Way way, size_t i)
{
	size_t n = line->count, at = way.isBack ? (way.start + n - i % n) % n : (way.start + i) % n;
	if (i == n)
		return 1.0;
	double place = way.isBack ? line->place[way.start] - line->place[at] : line->place[at] - line->place[way.start];
	return line->isRing && place < 0.0 ? place + 1.0 : place;
}

// Walks both; `pairs` may be NULL. The sum of squared distances comes back, in `count` the number of stitches.
static double zip(const plWorld* world, const Line lines[2], Way way, uint32_t* pairs, size_t* count)
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
			sum += square(positionOf(world, lines[0].body, a), positionOf(world, lines[1].body, b));
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

static Way findWay(const plWorld* world, const Line lines[2])
{
	size_t n = lines[1].count, count, starts = lines[1].isRing ? n : 1;
	Way best = {0, false};
	double least = INFINITY;
	for (size_t k = 0; k < 2 * starts; ++k)
	{
		Way way = {k / 2, k % 2 == 1};
		if (!lines[1].isRing)
			way.start = way.isBack ? n - 1 : 0;
		double sum = zip(world, lines, way, NULL, &count);
		best = sum < least ? way : best;
		least = fmin(least, sum);
	}
	return best;
}

static plResult sewLines(plWorld* world, const plSeamDef* def, Line lines[2], plSeam* seam, plError* error)
{
	plHeap* heap = &world->heap;
	plResult result = makeLine(lines, def->first, def->firstCount, heap, error);
	if (result == pl_success)
		result = makeLine(lines + 1, def->second, def->secondCount, heap, error);
	if (result < 0)
		return result;
	if (lines[0].isRing != lines[1].isRing)
		return plFailAt(error, lines[0].isRing ? "second" : "first",
		                "seam: the vertices of body %s are a ring, those of body %s a line with two ends",
		                lines[0].isRing ? "a" : "b", lines[0].isRing ? "b" : "a");
	Way way = findWay(world, lines);
	zip(world, lines, way, NULL, &seam->count);
	if (seam->count == 0)
		return plFailAt(error, "second", "seam: every vertex of it would be sewn to itself");
	seam->vertices = PL_NEW(heap, uint32_t, 2 * seam->count);
	if (seam->vertices == NULL)
		return lackMemory(lines, error);
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
		double off = square(spots[low].x, x);
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

static plResult sewNearest(plWorld* world, const plSeamDef* def, const Line lines[2], plSeam* seam, plError* error)
{
	plHeap* heap = &world->heap;
	size_t n = lines[0].body->vertexCount;
	Spot* spots = PL_NEW(heap, Spot, def->secondCount);
	uint32_t* partner = PL_NEW(heap, uint32_t, n);
	uint32_t* pairs = PL_NEW(heap, uint32_t, 2 * def->firstCount);
	plResult result = spots && partner && pairs ? pl_success : lackMemory(lines, error);
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
		result = seam->vertices != NULL ? pl_success : lackMemory(lines, error);
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
	Line lines[2] = {{.body = plWorld_GetSoftBody(world, def->a), .field = "first", .name = "a"},
	                 {.body = plWorld_GetSoftBody(world, def->b), .field = "second", .name = "b"}};
	plResult result = def->match == pl_seamNearest ? sewNearest(world, def, lines, seam, error)
	                                               : sewLines(world, def, lines, seam, error);
	freeLine(lines, heap);
	freeLine(lines + 1, heap);
	return result;
}
