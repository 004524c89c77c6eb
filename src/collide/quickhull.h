// quickhull.h: the convex hull of points of a grid, as triangles, exact
#ifndef PL_QUICKHULL_H
#define PL_QUICKHULL_H

#include "../base/base.h"

// Coordinates are whole numbers from 0 to 2^40: a determinant of three differences then fits into 128 bits.
enum
{
	pl_gridBits = 40
};

typedef struct plHullTriangle
{
	uint32_t corner[3]; // counter-clockwise seen from outside
	uint32_t beyond[3]; // the triangle beyond the edge from corner k to k + 1
	double normal[3];   // unit length, outwards
	double area;        // twice that, in cells of the grid
} plHullTriangle;

typedef enum plSpread
{
	pl_spreadSolid,
	pl_spreadLine,  // all points are within `least` of a line
	pl_spreadPlane, // all are within `least` of a plane
} plSpread;

// What is outside the hull by no more than `tolerance` is left out. *height says how far the points are from the line
// or plane. The triangles, `*count` of them, are the caller's: PL_FREE. pl_errorMemory: nothing was made.
typedef struct plQuickhullDef
{
	const int64_t* points; // [3 count]
	size_t count;
	double tolerance, least; // cells
	plHeap* heap;
} plQuickhullDef;
plResult plQuickhull(const plQuickhullDef* def, plHullTriangle** triangles, size_t* count, plSpread* spread,
                     double* height);

// ---- its parts (quickhull_start.c) ----------------------------------------------------------------------------------

void plHullTriangle_SetPlane(plHullTriangle* t, const int64_t* points); // normal and area, from the corners
// Is the point strictly above the triangle's plane? Exact. *height: by how many cells, rounded.
bool plHullTriangle_IsSeen(const plHullTriangle* t, const int64_t* points, uint32_t point, double* height);
// Four corners of a tetrahedron, the fourth below the plane of the first three.
plSpread plFindHullCorners(const plQuickhullDef* def, uint32_t corner[4], double* height);

// How far a point is above the plane of a triangle, in cells.
static inline double plHullTriangle_GetHeight(const plHullTriangle* t, const int64_t* points, uint32_t point)
{
	const int64_t *a = points + 3 * (size_t)t->corner[0], *x = points + 3 * (size_t)point;
	return t->normal[0] * (double)(x[0] - a[0]) + t->normal[1] * (double)(x[1] - a[1]) +
	       t->normal[2] * (double)(x[2] - a[2]);
}

#endif
