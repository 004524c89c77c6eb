// hull_faces.c: the triangles of a hull that lie in one plane become one face
//
//   region   a triangle, the largest first, and all that hang together with it by edges, look to the same side, and
//   have
//            no corner farther below its plane than the tolerance. Nothing is above the plane of a triangle of a hull.
//   face     the rim of a region, in the plane of its first triangle
//
// Corners where only two faces meet are taken out of both. A face that is left with two corners closes: its neighbours
// meet there instead. Each step keeps V - E + F = 2.
//
// Regions that do not become a convex polygon are given up: each of their triangles is a face again. That always ends
// well, because the triangles alone are a hull. It happens on round hulls so fine that triangles differ by less than
// the tolerance.
#include "hull_parts.h"

#include <math.h>
#include <stdlib.h>

static const uint32_t none = UINT32_MAX;

// ---- regions --------------------------------------------------------------------------------------------------------

typedef struct Sized
{
	double area;
	uint32_t triangle;
} Sized;

static int compareSized(const void* a, const void* b)
{
	const Sized *x = a, *y = b;
	if (x->area != y->area)
		return x->area > y->area ? -1 : 1;
	return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

static bool sortByArea(plHullRims* f)
{
	const plHullSource* s = f->source;
	Sized* sized = PL_NEW(s->heap, Sized, s->count);
	if (sized == NULL)
		return false;
	for (size_t t = 0; t < s->count; ++t)
		sized[t] = (Sized){s->triangles[t].area, (uint32_t)t};
	qsort(sized, s->count, sizeof *sized, compareSized);
	for (size_t i = 0; i < s->count; ++i)
		f->order[i] = sized[i].triangle;
	PL_FREE(s->heap, sized, s->count);
	return true;
}

static bool belongs(const plHullRims* f, const plHullTriangle* seed, uint32_t triangle)
{
	const plHullTriangle* t = f->source->triangles + triangle;
	const double *n = seed->normal, *m = t->normal;
	if (f->region[triangle] != none || f->alone[triangle] || n[0] * m[0] + n[1] * m[1] + n[2] * m[2] < 0.0)
		return false;
	for (int k = 0; k < 3; ++k)
		if (plHullTriangle_GetHeight(seed, f->source->grid, t->corner[k]) < -f->source->tolerance)
			return false;
	return true;
}

static void growRegions(plHullRims* f)
{
	const plHullSource* s = f->source;
	for (size_t t = 0; t < s->count; ++t)
		f->region[t] = none;
	for (size_t i = 0; i < s->count; ++i)
	{
		uint32_t seed = f->order[i];
		size_t depth = 0;
		if (f->region[seed] != none)
			continue;
		f->region[seed] = seed;
		if (!f->alone[seed])
			f->stack[depth++] = seed;
		while (depth > 0)
		{
			const plHullTriangle* t = s->triangles + f->stack[--depth];
			for (int k = 0; k < 3; ++k)
				if (belongs(f, s->triangles + seed, t->beyond[k]))
				{
					f->region[t->beyond[k]] = seed;
					f->stack[depth++] = t->beyond[k];
				}
		}
	}
}

// ---- rims -----------------------------------------------------------------------------------------------------------

// The same edge seen from the triangle beyond.
static uint32_t acrossOf(const plHullRims* f, uint32_t h)
{
	uint32_t t = h / 3, other = f->source->triangles[t].beyond[h % 3];
	uint32_t end = f->source->triangles[t].corner[(h % 3 + 1) % 3];
	for (uint32_t k = 0; k < 3; ++k)
		if (f->source->triangles[other].corner[k] == end && f->source->triangles[other].beyond[k] == t)
			return 3 * other + k;
	return none;
}

// The half-edge after h on the rim: around its end, through the region.
static uint32_t findNext(const plHullRims* f, uint32_t h)
{
	uint32_t e = h - h % 3 + (h + 1) % 3;
	for (uint32_t across = acrossOf(f, e); plHullRims_GetFace(f, across) == plHullRims_GetFace(f, h);
	     across = acrossOf(f, e))
		e = across - across % 3 + (across + 1) % 3;
	return e;
}

// A region is a disc if one walk around its rim meets all of it, and no point twice.
static void checkRim(plHullRims* f, uint32_t face, uint32_t* stamp)
{
	uint32_t steps = 0, h = f->first[face];
	do
	{
		f->bad[face] = f->bad[face] || stamp[plHullRims_GetOrigin(f, h)] == face;
		stamp[plHullRims_GetOrigin(f, h)] = face;
		h = f->next[h];
		steps++;
	} while (h != f->first[face] && steps <= f->size[face]);
	f->bad[face] = f->bad[face] || steps != f->size[face];
}

static void linkRims(plHullRims* f)
{
	const plHullSource* s = f->source;
	uint32_t* stamp = f->stack;
	memset(f->size, 0, s->count * sizeof *f->size);
	memset(f->bad, 0, s->count * sizeof *f->bad);
	memset(f->degree, 0, s->pointCount * sizeof *f->degree);
	f->isBroken = false;
	for (uint32_t h = 0; h < 3 * s->count; ++h)
	{
		uint32_t across = acrossOf(f, h), face = plHullRims_GetFace(f, h);
		f->next[h] = none;
		if (plHullRims_GetFace(f, across) == face)
			continue;
		f->next[h] = findNext(f, h);
		f->twin[h] = across;
		f->first[face] = f->size[face]++ == 0 ? h : f->first[face];
		f->out[plHullRims_GetOrigin(f, h)] = h;
		f->degree[plHullRims_GetOrigin(f, h)]++;
	}
	for (uint32_t h = 0; h < 3 * s->count; ++h)
		if (f->next[h] != none)
			f->prev[f->next[h]] = h;
	memset(stamp, 0xff, s->pointCount * sizeof *stamp);
	for (uint32_t t = 0; t < s->count; ++t)
		if (f->size[t] > 0)
			checkRim(f, t, stamp);
}

// ---- what has become too small --------------------------------------------------------------------------------------

// One of two corners of a closing face loses an edge.
static size_t loseEdge(plHullRims* f, uint32_t point, uint32_t out, size_t depth)
{
	f->out[point] = out;
	f->isBroken = f->isBroken || f->degree[point] < 3;
	if (--f->degree[point] == 2)
		f->stack[depth++] = point;
	return depth;
}

// Takes the face's two edges as one. Returns the new depth of the stack of corners to be taken out.
static size_t closeFace(plHullRims* f, uint32_t face, size_t depth)
{
	uint32_t a = f->first[face], b = f->next[a], beyondA = f->twin[a], beyondB = f->twin[b];
	if (f->size[face] != 2 || beyondA == b)
	{
		f->isBroken = true;
		return depth;
	}
	f->size[face] = 0;
	f->next[a] = f->next[b] = none;
	f->twin[beyondA] = beyondB;
	f->twin[beyondB] = beyondA;
	f->bad[plHullRims_GetFace(f, beyondA)] =
	    f->bad[plHullRims_GetFace(f, beyondA)] || plHullRims_GetFace(f, beyondA) == plHullRims_GetFace(f, beyondB);
	depth = loseEdge(f, plHullRims_GetOrigin(f, a), beyondB, depth);
	return loseEdge(f, plHullRims_GetOrigin(f, b), beyondA, depth);
}

// Takes h, which starts at a corner of two faces, out of its face: the edge before it goes on to its end.
static void skipEdge(plHullRims* f, uint32_t h)
{
	uint32_t before = f->prev[h], face = plHullRims_GetFace(f, h);
	f->next[before] = f->next[h];
	f->prev[f->next[h]] = before;
	f->next[h] = none;
	f->first[face] = f->first[face] == h ? before : f->first[face];
	f->size[face]--;
}

static size_t takeOut(plHullRims* f, uint32_t point, size_t depth)
{
	uint32_t h = f->out[point], into = f->prev[h], back = f->twin[h], other = f->next[back];
	if (f->twin[into] != other || plHullRims_GetFace(f, h) == plHullRims_GetFace(f, other))
	{
		f->isBroken = true;
		return depth;
	}
	skipEdge(f, h);
	skipEdge(f, other);
	f->twin[into] = back;
	f->twin[back] = into;
	f->degree[point] = 0;
	for (int side = 0; side < 2 && !f->isBroken; ++side)
	{
		uint32_t face = plHullRims_GetFace(f, side == 0 ? into : back);
		if (f->size[face] == 2)
			depth = closeFace(f, face, depth);
	}
	return depth;
}

// Half-edges keep the triangle they came from, so a corner's number stays that of the half-edge's start.
static void simplify(plHullRims* f)
{
	size_t depth = 0;
	for (uint32_t p = 0; p < f->source->pointCount; ++p)
		if (f->degree[p] == 2)
			f->stack[depth++] = p;
	while (depth > 0 && !f->isBroken)
	{
		uint32_t point = f->stack[--depth];
		if (f->degree[point] == 2)
			depth = takeOut(f, point, depth);
	}
}

// ---- are they good? -------------------------------------------------------------------------------------------------

static bool isConvexAt(const plHullRims* f, const double n[3], uint32_t h)
{
	const int64_t* g = f->source->grid;
	const int64_t *u = g + 3 * (size_t)plHullRims_GetOrigin(f, f->prev[h]),
	              *v = g + 3 * (size_t)plHullRims_GetOrigin(f, h);
	const int64_t* w = g + 3 * (size_t)plHullRims_GetOrigin(f, f->next[h]);
	double a[3], b[3], chord = 0.0, turn = 0.0;
	for (int i = 0; i < 3; ++i)
	{
		a[i] = (double)(v[i] - u[i]);
		b[i] = (double)(w[i] - v[i]);
		chord += (a[i] + b[i]) * (a[i] + b[i]);
	}
	for (int i = 0; i < 3; ++i)
		turn += n[i] * (a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
	return turn >= -f->source->tolerance * sqrt(chord);
}

static bool isGood(const plHullRims* f, uint32_t face)
{
	uint32_t h = f->first[face];
	const plHullTriangle* seed = f->source->triangles + face;
	bool isFine = !f->bad[face] && f->size[face] >= 3;
	do
	{
		isFine =
		    isFine && isConvexAt(f, seed->normal, h) && plHullRims_GetFace(f, f->twin[h]) != face &&
		    plHullTriangle_GetHeight(seed, f->source->grid, plHullRims_GetOrigin(f, h)) >= -2.0 * f->source->tolerance;
		h = f->next[h];
	} while (h != f->first[face] && isFine);
	return isFine;
}

// Gives up regions that are not good; true: all are.
static bool keepGood(plHullRims* f)
{
	const plHullSource* s = f->source;
	bool isBroken = f->isBroken, anyBad = isBroken, anyNew = false;
	for (uint32_t t = 0; t < s->count && !isBroken; ++t)
	{
		f->bad[t] = f->bad[t] || (f->size[t] > 0 && !isGood(f, t));
		anyBad = anyBad || f->bad[t];
	}
	for (uint32_t t = 0; t < s->count && anyBad; ++t)
		if (isBroken || f->bad[f->region[t]])
		{
			anyNew = anyNew || !f->alone[t];
			f->alone[t] = true;
		}
	for (uint32_t t = 0; t < s->count && anyBad && !anyNew; ++t) // those are single, their neighbours are at fault
		f->alone[t] = true;
	return !anyBad;
}

bool plHull_MakeFaces(plHull* hull, const plHullSource* s)
{
	plHeap* heap = s->heap;
	size_t n = s->count, points = s->pointCount, stack = points + 3 * n;
	plHullRims f = {.source = s,
	                .order = PL_NEW(heap, uint32_t, n),
	                .region = PL_NEW(heap, uint32_t, n),
	                .size = PL_NEW(heap, uint32_t, n),
	                .first = PL_NEW(heap, uint32_t, n),
	                .alone = PL_NEW_ZERO(heap, bool, n),
	                .bad = PL_NEW(heap, bool, n),
	                .next = PL_NEW(heap, uint32_t, 3 * n),
	                .prev = PL_NEW(heap, uint32_t, 3 * n),
	                .twin = PL_NEW(heap, uint32_t, 3 * n),
	                .out = PL_NEW(heap, uint32_t, points),
	                .degree = PL_NEW(heap, uint32_t, points),
	                .stack = PL_NEW(heap, uint32_t, stack)};
	bool fine = f.order && f.region && f.size && f.first && f.alone && f.bad && f.next && f.prev && f.twin && f.out &&
	            f.degree && f.stack && sortByArea(&f);
	for (bool again = fine; again;)
	{
		growRegions(&f);
		linkRims(&f);
		simplify(&f);
		again = !keepGood(&f);
	}
	fine = fine && plHullRims_Write(&f, hull);
	PL_FREE(heap, f.order, n);
	PL_FREE(heap, f.region, n);
	PL_FREE(heap, f.size, n);
	PL_FREE(heap, f.first, n);
	PL_FREE(heap, f.alone, n);
	PL_FREE(heap, f.bad, n);
	PL_FREE(heap, f.next, 3 * n);
	PL_FREE(heap, f.prev, 3 * n);
	PL_FREE(heap, f.twin, 3 * n);
	PL_FREE(heap, f.out, points);
	PL_FREE(heap, f.degree, points);
	PL_FREE(heap, f.stack, stack);
	return fine;
}
