// hull.c: convex hulls of points
//
//   grid        points are rounded to 2^-40 of their extent; on the grid the hull is exact (quickhull.c)
//   tolerance   2^-22 of the extent, about eight roundings of a float: what lies outside by less is left out, and
//               faces within it become one (hull_faces.c). Files often hold floats.
//   refused     what is within 16 tolerances of a plane
//
// Vertices are points as they were given, not those of the grid. Points are outside a face by two tolerances at most.
#include "hull_parts.h"

#include <math.h>

static const double toleranceShare = 0x1p-22;
static const double leastTolerances = 16.0;

// The extent of the points, and their corner.
static plResult measure(const double* points, size_t count, double low[3], double* extent, plError* error)
{
	double high[3] = {-INFINITY, -INFINITY, -INFINITY};
	*extent = 0.0;
	if (count < 4)
		return plFailAt(error, "points", "hull: %zu points have no volume, it needs 4 or more", count);
	if (count > 1u << 28)
		return plFailAt(error, "points", "hull: %zu points are too many", count);
	for (int i = 0; i < 3; ++i)
		low[i] = INFINITY;
	for (size_t p = 0; p < count; ++p)
		for (size_t i = 0; i < 3; ++i)
		{
			double x = points[3 * p + i];
			if (!(fabs(x) <= PL_LARGEST_LENGTH))
				return plFailAt(error, "points", "hull: point %zu is at %g %g %g, beyond %g m or no number", p,
				                points[3 * p], points[3 * p + 1], points[3 * p + 2], PL_LARGEST_LENGTH);
			low[i] = fmin(low[i], x);
			high[i] = fmax(high[i], x);
		}
	for (int i = 0; i < 3; ++i)
		*extent = fmax(*extent, high[i] - low[i]);
	if (*extent < PL_SMALLEST_LENGTH)
		return plFailAt(error, "points", "hull: all %zu points are in one place, within %g m", count, *extent);
	return pl_success;
}

// Coordinates as whole numbers of cells; returns the size of a cell, a power of two (m).
static double putOnGrid(const double* points, size_t count, const double low[3], double extent, int64_t* grid)
{
	int exponent;
	frexp(extent, &exponent);
	double cell = ldexp(1.0, exponent - pl_gridBits);
	for (size_t c = 0; c < 3 * count; ++c)
		grid[c] = (int64_t)floor((points[c] - low[c % 3]) / cell + 0.5);
	return cell;
}

static plResult refuse(plSpread spread, double height, double extent, plError* error)
{
	return plFailAt(error, "points",
	                spread == pl_spreadLine
	                    ? "hull: the points have no volume: they are within %g m of a line, and %g m wide"
	                    : "hull: the points have no volume: they are within %g m of a plane, and %g m wide",
	                height, extent);
}

// Each half-edge and its twin run between the same vertices, no face is above its neighbours, and V - E + F = 2.
static void validate(const plHull* h)
{
	for (uint32_t e = 0; e < h->edgeCount; ++e)
	{
		uint32_t f = h->faceOf[e], twin = h->twins[e], end = e + 1 < h->faceStart[f + 1] ? e + 1 : h->faceStart[f];
		const double* plane = h->planes + 4 * (size_t)f;
		PL_ASSERT(h->twins[twin] == e && h->corners[twin] == h->corners[end], "a half-edge meets its twin");
		for (uint32_t c = h->faceStart[h->faceOf[twin]]; c < h->faceStart[h->faceOf[twin] + 1]; ++c)
		{
			const double* x = h->vertices + 3 * (size_t)h->corners[c];
			double height = plane[0] * x[0] + plane[1] * x[1] + plane[2] * x[2] - plane[3];
			PL_ASSERT(height <= 2.0 * h->tolerance + 0x1p-48 * fabs(plane[3]), "a hull is convex");
		}
	}
	PL_ASSERT(h->vertexCount + h->faceCount == h->edgeCount / 2 + 2, "a hull is a sphere: V - E + F = 2");
}

static plResult build(plHull* hull, const double* points, size_t count, int64_t* grid, plHeap* heap, plError* error)
{
	double low[3], extent, height;
	plResult result = measure(points, count, low, &extent, error);
	if (result != pl_success)
		return result;
	double cell = putOnGrid(points, count, low, extent, grid);
	plHullTriangle* triangles;
	size_t triangleCount;
	plSpread spread;
	hull->tolerance = toleranceShare * extent;
	double cells = hull->tolerance / cell;
	const plQuickhullDef def = {grid, count, cells, leastTolerances * cells, heap};
	result = plQuickhull(&def, &triangles, &triangleCount, &spread, &height);
	if (result != pl_success)
		return result;
	if (spread != pl_spreadSolid)
		return refuse(spread, height * cell, extent, error);
	const plHullSource source = {points, grid, count, triangles, triangleCount, cells, heap};
	result = plHull_MakeFaces(hull, &source) && plHull_MeasureWidth(hull, heap) ? pl_success : pl_errorMemory;
	PL_FREE(heap, triangles, triangleCount);
	return result;
}

plResult plHull_Create(plHull** out, const double* points, size_t count, plHeap* heap, plError* error)
{
	plHull* hull = PL_NEW_ZERO(heap, plHull, 1);
	int64_t* grid = PL_NEW(heap, int64_t, 3 * count);
	bool fine = hull != NULL && (grid != NULL || count == 0);
	plResult result = fine ? build(hull, points, count, grid, heap, error) : pl_errorMemory;
	PL_FREE(heap, grid, 3 * count);
	if (result == pl_errorMemory)
		plFail(error, result, "hull: not enough memory for %zu points", count);
	if (result != pl_success)
	{
		plHull_Destroy(hull, heap);
		hull = NULL;
	}
	else
		PL_VALIDATE_CALL(validate(hull));
	*out = hull;
	return result;
}

void plHull_Destroy(plHull* hull, plHeap* heap)
{
	if (hull == NULL)
		return;
	PL_FREE(heap, hull->vertices, 3 * (size_t)hull->vertexCount);
	PL_FREE(heap, hull->planes, 4 * (size_t)hull->faceCount);
	PL_FREE(heap, hull->faceStart, (size_t)hull->faceCount + 1);
	PL_FREE(heap, hull->corners, hull->edgeCount);
	PL_FREE(heap, hull->twins, hull->edgeCount);
	PL_FREE(heap, hull->faceOf, hull->edgeCount);
	PL_FREE(heap, hull->edgeOf, hull->vertexCount);
	PL_FREE(heap, hull, 1);
}

plPolytope plHull_GetPolytope(const plHull* h)
{
	return (plPolytope){h->vertexCount, h->faceCount, h->edgeCount, h->vertices, h->planes,
	                    h->faceStart,   h->corners,   h->twins,     h->faceOf};
}
