// quickhull.c: quickhull [BDH96] with exact decisions
//
//   start    a tetrahedron of points far from each other
//   each     point outside waits at one triangle that it sees, i.e. is strictly above
//   take     the farthest of a triangle's points; remove every triangle that it sees; close the hole by a fan of
//            triangles from it to the rim; points of the removed triangles that see a new one wait there, others are
//            inside
//   until    no triangle has a point above it by more than the tolerance
//
// A point sees a triangle if the determinant of three differences is above 0. Coordinates are whole numbers, so this
// has no rounding (a double decides where it is far from 0). What is removed is then always a disc with one rim,
// whatever lies in a plane or in a line, no triangle is ever flat, and a point that sees none of the new triangles is
// inside: on the way to it from within a removed triangle one leaves the new hull above that triangle's plane, through
// a new one.
//
// A point that is above its triangle by less than the tolerance may be above another by more. At the end each of
// these looks at all triangles that it sees, and the search goes on where one was found.
//
// [BDH96] Barber, Dobkin and Huhdanpaa, The quickhull algorithm for convex hulls, 1996.
#include "quickhull.h"

#include <math.h>

static const uint32_t none = UINT32_MAX;

typedef struct Face
{
	plHullTriangle t;
	uint32_t first;    // of the points that wait here
	uint32_t farthest; // of them, and
	double height;     // its height
	uint32_t seen;     // number of the last search that saw it
	bool isDead;
} Face;

typedef struct Work
{
	const int64_t* points;
	size_t count;
	double tolerance;
	plHeap* heap;
	uint32_t* next;     // [count] the next point that waits at the same face
	uint32_t* faceFrom; // [count] the new face whose edge on the rim starts at a point
	plArray faces;      // of Face
	plArray todo;       // of uint32_t: faces that may have points too far above them
	plArray seen;       // of uint32_t: what the last search found
	plArray fresh;      // of uint32_t: new faces of one point
	size_t done;        // of todo
	uint32_t search;
} Work;

static Face* faceAt(const Work* w, uint32_t f)
{
	return (Face*)w->faces.data + f;
}

static bool push(Work* w, plArray* array, uint32_t value)
{
	uint32_t* place = plArray_Push(array, w->heap, sizeof *place);
	if (place != NULL)
		*place = value;
	return place != NULL;
}

// ---- points that wait -----------------------------------------------------------------------------------------------

static void wait(Work* w, Face* face, uint32_t point, double height)
{
	w->next[point] = face->first;
	face->first = point;
	if (face->farthest == none || height > face->height)
	{
		face->farthest = point;
		face->height = height;
	}
}

// At the one of these faces that it is highest above; nowhere if it sees none.
static void findFace(Work* w, const uint32_t* faces, size_t count, uint32_t point)
{
	double most = 0.0;
	Face* best = NULL;
	for (size_t i = 0; i < count; ++i)
	{
		double height;
		if (plHullTriangle_IsSeen(&faceAt(w, faces[i])->t, w->points, point, &height) &&
		    (best == NULL || height > most))
		{
			best = faceAt(w, faces[i]);
			most = height;
		}
	}
	if (best != NULL)
		wait(w, best, point, most);
}

// ---- the start ------------------------------------------------------------------------------------------------------

static bool startFaces(Work* w, const uint32_t corner[4])
{
	// Face f has the corners but f in such an order that it looks outwards; across its edge k is the face without the
	// corner opposite to that edge.
	static const uint32_t faces[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
	static const uint32_t all[4] = {0, 1, 2, 3};
	for (uint32_t f = 0; f < 4; ++f)
	{
		Face* face = plArray_Push(&w->faces, w->heap, sizeof *face);
		if (face == NULL || !push(w, &w->todo, f))
			return false;
		face->first = face->farthest = none;
		for (int k = 0; k < 3; ++k)
		{
			face->t.corner[k] = corner[faces[f][k]];
			face->t.beyond[k] = faces[f][(k + 2) % 3];
		}
		plHullTriangle_SetPlane(&face->t, w->points);
	}
	for (uint32_t p = 0; p < w->count; ++p)
		if (p != corner[0] && p != corner[1] && p != corner[2] && p != corner[3])
			findFace(w, all, 4, p);
	return true;
}

// ---- one more point -------------------------------------------------------------------------------------------------

// All faces that the point sees, from one of them on: they hang together. False: no memory.
static bool searchSeen(Work* w, uint32_t from, uint32_t point)
{
	w->seen.count = 0;
	w->search++;
	faceAt(w, from)->seen = w->search;
	bool fine = push(w, &w->seen, from);
	for (size_t i = 0; fine && i < w->seen.count; ++i)
		for (int k = 0; fine && k < 3; ++k)
		{
			uint32_t other = faceAt(w, ((uint32_t*)w->seen.data)[i])->t.beyond[k];
			double height;
			if (faceAt(w, other)->seen == w->search ||
			    !plHullTriangle_IsSeen(&faceAt(w, other)->t, w->points, point, &height))
				continue;
			faceAt(w, other)->seen = w->search;
			fine = push(w, &w->seen, other);
		}
	return fine;
}

// The triangle of an edge of the rim and the point.
static bool addFace(Work* w, uint32_t from, int edge, uint32_t point)
{
	uint32_t f = (uint32_t)w->faces.count;
	Face* face = plArray_Push(&w->faces, w->heap, sizeof *face);
	if (face == NULL || !push(w, &w->fresh, f) || !push(w, &w->todo, f))
		return false;
	const plHullTriangle* inner = &faceAt(w, from)->t;
	uint32_t outer = inner->beyond[edge], a = inner->corner[edge], b = inner->corner[(edge + 1) % 3];
	*face = (Face){.t = {.corner = {a, b, point}, .beyond = {outer, none, none}}, .first = none, .farthest = none};
	plHullTriangle_SetPlane(&face->t, w->points);
	w->faceFrom[a] = f;
	plHullTriangle* t = &faceAt(w, outer)->t;
	for (int k = 0; k < 3; ++k)
		if (t->beyond[k] == from && t->corner[k] == b)
			t->beyond[k] = f;
	return true;
}

static bool closeRim(Work* w, uint32_t point)
{
	w->fresh.count = 0;
	for (size_t i = 0; i < w->seen.count; ++i)
	{
		uint32_t f = ((uint32_t*)w->seen.data)[i];
		for (int k = 0; k < 3; ++k)
			if (faceAt(w, faceAt(w, f)->t.beyond[k])->seen != w->search && !addFace(w, f, k, point))
				return false;
	}
	for (size_t i = 0; i < w->fresh.count; ++i)
	{
		uint32_t f = ((uint32_t*)w->fresh.data)[i], next = w->faceFrom[faceAt(w, f)->t.corner[1]];
		faceAt(w, f)->t.beyond[1] = next;
		faceAt(w, next)->t.beyond[2] = f;
	}
	return true;
}

static bool addPoint(Work* w, uint32_t from)
{
	uint32_t point = faceAt(w, from)->farthest;
	if (!searchSeen(w, from, point) || !closeRim(w, point))
		return false;
	for (size_t i = 0; i < w->seen.count; ++i)
	{
		Face* face = faceAt(w, ((uint32_t*)w->seen.data)[i]);
		face->isDead = true;
		for (uint32_t p = face->first, next; p != none; p = next)
		{
			next = w->next[p];
			if (p != point)
				findFace(w, w->fresh.data, w->fresh.count, p);
		}
	}
	return true;
}

// ---- until none is too far out --------------------------------------------------------------------------------------

static bool addPoints(Work* w)
{
	bool fine = true;
	while (fine && w->done < w->todo.count)
	{
		uint32_t f = ((uint32_t*)w->todo.data)[w->done++];
		const Face* face = faceAt(w, f);
		if (!face->isDead && face->first != none && face->height > w->tolerance)
			fine = addPoint(w, f);
	}
	return fine;
}

// Points that wait at a face of this hull, each moved to the face it is highest above.
static bool moveWaiting(Work* w, uint32_t f)
{
	uint32_t p = faceAt(w, f)->first;
	faceAt(w, f)->first = faceAt(w, f)->farthest = none;
	for (uint32_t next; p != none; p = next)
	{
		next = w->next[p];
		if (!searchSeen(w, f, p))
			return false;
		uint32_t best = f;
		double most = -INFINITY;
		for (size_t i = 0; i < w->seen.count; ++i)
		{
			uint32_t other = ((uint32_t*)w->seen.data)[i];
			double height = plHullTriangle_GetHeight(&faceAt(w, other)->t, w->points, p);
			best = height > most ? other : best;
			most = fmax(most, height);
		}
		wait(w, faceAt(w, best), p, most);
		if (most > w->tolerance && !push(w, &w->todo, best))
			return false;
	}
	return true;
}

static bool growHull(Work* w)
{
	bool fine = addPoints(w);
	for (bool again = fine; fine && again;)
	{
		size_t before = w->todo.count;
		for (uint32_t f = 0; fine && f < w->faces.count; ++f)
			if (!faceAt(w, f)->isDead && faceAt(w, f)->first != none)
				fine = moveWaiting(w, f);
		again = w->todo.count > before;
		fine = fine && addPoints(w);
	}
	return fine;
}

// What is left, renumbered.
static plHullTriangle* takeTriangles(Work* w, size_t* count)
{
	*count = 0;
	for (uint32_t f = 0; f < w->faces.count; ++f)
		if (!faceAt(w, f)->isDead)
			faceAt(w, f)->seen = (uint32_t)(*count)++;
	plHullTriangle* triangles = PL_NEW(w->heap, plHullTriangle, *count);
	for (uint32_t f = 0; triangles != NULL && f < w->faces.count; ++f)
	{
		plHullTriangle t = faceAt(w, f)->t;
		if (faceAt(w, f)->isDead)
			continue;
		for (int k = 0; k < 3; ++k)
			t.beyond[k] = faceAt(w, t.beyond[k])->seen;
		triangles[faceAt(w, f)->seen] = t;
	}
	return triangles;
}

plResult plQuickhull(const plQuickhullDef* def, plHullTriangle** triangles, size_t* count, plSpread* spread,
                     double* height)
{
	Work w = {.points = def->points, .count = def->count, .tolerance = def->tolerance, .heap = def->heap};
	uint32_t corner[4] = {0};
	*triangles = NULL;
	*count = 0;
	*spread = plFindHullCorners(def, corner, height);
	if (*spread != pl_spreadSolid)
		return pl_success;
	w.next = PL_NEW(w.heap, uint32_t, w.count);
	w.faceFrom = PL_NEW(w.heap, uint32_t, w.count);
	if (w.next && w.faceFrom && startFaces(&w, corner) && growHull(&w))
		*triangles = takeTriangles(&w, count);
	PL_FREE(w.heap, w.next, w.count);
	PL_FREE(w.heap, w.faceFrom, w.count);
	plArray_Free(&w.faces, w.heap, sizeof(Face));
	plArray_Free(&w.todo, w.heap, sizeof(uint32_t));
	plArray_Free(&w.seen, w.heap, sizeof(uint32_t));
	plArray_Free(&w.fresh, w.heap, sizeof(uint32_t));
	return *triangles != NULL ? pl_success : pl_errorMemory;
}
