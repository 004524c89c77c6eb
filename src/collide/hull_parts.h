// hull_parts.h: what the files of the hull share
#ifndef PL_HULL_PARTS_H
#define PL_HULL_PARTS_H

#include "hull.h"
#include "quickhull.h"

struct plHull
{
	uint32_t vertexCount, faceCount, edgeCount;
	double* vertices;
	double* planes;
	uint32_t *faceStart, *corners, *twins, *faceOf; // as in a polytope
	uint32_t* edgeOf;                               // [vertexCount] a half-edge that starts there
	double width;                                   // m
	double tolerance;                               // m: faces are flat, and points outside, by no more than twice that
};

// What the faces are made of: points on the grid and as they were given, triangles of their hull.
typedef struct plHullSource
{
	const double* points;
	const int64_t* grid;
	size_t pointCount;
	const plHullTriangle* triangles;
	size_t count;
	double tolerance; // cells
	plHeap* heap;
} plHullSource;

// Triangles of one plane become one face. Fills the hull's counts and arrays. False: no memory; what was made is freed
// with the hull.
bool plHull_MakeFaces(plHull* hull, const plHullSource* source);
bool plHull_MeasureWidth(plHull* hull, plHeap* heap); // false: no memory

// ---- faces in the making --------------------------------------------------------------------------------------------

// Half-edge 3 t + k runs along edge k of triangle t. Those on rims are linked.
typedef struct plHullRims
{
	const plHullSource* source;
	uint32_t* order;              // [count] triangles, the largest first
	uint32_t* region;             // [count] its first triangle
	uint32_t* size;               // [count] corners of the face that starts with a triangle; 0: no face
	uint32_t* first;              // [count] one of its half-edges
	bool* alone;                  // [count] is a face by itself
	bool* bad;                    // [count] region that is to be given up
	uint32_t *next, *prev, *twin; // [3 count]
	uint32_t* out;                // [pointCount] a half-edge on a rim that starts there
	uint32_t* degree;             // [pointCount] how many do
	uint32_t* stack;              // [pointCount + 3 count]
	bool isBroken;                // the rims do not make sense: give up all regions
} plHullRims;

static inline uint32_t plHullRims_GetOrigin(const plHullRims* f, uint32_t h)
{
	return f->source->triangles[h / 3].corner[h % 3];
}

static inline uint32_t plHullRims_GetFace(const plHullRims* f, uint32_t h)
{
	return f->region[h / 3];
}

bool plHullRims_Write(plHullRims* f, plHull* hull); // false: no memory

#endif
