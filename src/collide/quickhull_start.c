// quickhull_start.c: exact planes of triangles, and the tetrahedron that a hull starts from
//
//   a point x is above the triangle a b c if  (b - a) x (c - a) . (x - a) > 0
//
// Differences have 41 bits, the normal has 82, the product and its sum 124.
#include "quickhull.h"

#include <math.h>

__extension__ typedef __int128 Wide;

static const double sureHeight = 0x1p-4; // cells: heights beyond have the right sign, their error is below 2^-7

static void exactNormal(const int64_t* points, const uint32_t corner[3], Wide n[3])
{
	const int64_t *a = points + 3 * (size_t)corner[0], *b = points + 3 * (size_t)corner[1];
	const int64_t* c = points + 3 * (size_t)corner[2];
	for (int i = 0; i < 3; ++i)
	{
		int j = (i + 1) % 3, k = (i + 2) % 3;
		n[i] = (Wide)(b[j] - a[j]) * (c[k] - a[k]) - (Wide)(b[k] - a[k]) * (c[j] - a[j]);
	}
}

void plHullTriangle_SetPlane(plHullTriangle* t, const int64_t* points)
{
	Wide exact[3];
	exactNormal(points, t->corner, exact);
	double n[3] = {(double)exact[0], (double)exact[1], (double)exact[2]};
	t->area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
	for (int i = 0; i < 3; ++i)
		t->normal[i] = n[i] / t->area;
}

bool plHullTriangle_IsSeen(const plHullTriangle* t, const int64_t* points, uint32_t point, double* height)
{
	*height = plHullTriangle_GetHeight(t, points, point);
	if (fabs(*height) > sureHeight)
		return *height > 0.0;
	const int64_t *a = points + 3 * (size_t)t->corner[0], *x = points + 3 * (size_t)point;
	Wide n[3];
	exactNormal(points, t->corner, n);
	return n[0] * (x[0] - a[0]) + n[1] * (x[1] - a[1]) + n[2] * (x[2] - a[2]) > 0;
}

// ---- the start ------------------------------------------------------------------------------------------------------

static double difference(const int64_t* points, uint32_t a, uint32_t b, int i)
{
	return (double)(points[3 * (size_t)a + (size_t)i] - points[3 * (size_t)b + (size_t)i]);
}

static double distanceOf(const int64_t* points, uint32_t a, uint32_t b)
{
	double x = difference(points, a, b, 0), y = difference(points, a, b, 1), z = difference(points, a, b, 2);
	return sqrt(x * x + y * y + z * z);
}

static double heightOverLine(const int64_t* points, uint32_t a, uint32_t b, uint32_t point)
{
	plHullTriangle t = {.corner = {a, b, point}};
	plHullTriangle_SetPlane(&t, points);
	return t.area / distanceOf(points, a, b);
}

// Of the points that are outermost along an axis, the two farthest from each other.
static void findPair(const int64_t* points, size_t count, uint32_t pair[2])
{
	uint32_t ends[6] = {0};
	for (uint32_t p = 0; p < count; ++p)
		for (int i = 0; i < 3; ++i)
		{
			ends[2 * i] = difference(points, p, ends[2 * i], i) < 0.0 ? p : ends[2 * i];
			ends[2 * i + 1] = difference(points, p, ends[2 * i + 1], i) > 0.0 ? p : ends[2 * i + 1];
		}
	pair[0] = pair[1] = 0;
	for (int i = 0; i < 6; ++i)
		for (int j = i + 1; j < 6; ++j)
			if (distanceOf(points, ends[i], ends[j]) > distanceOf(points, pair[0], pair[1]))
			{
				pair[0] = ends[i];
				pair[1] = ends[j];
			}
}

plSpread plFindHullCorners(const plQuickhullDef* def, uint32_t corner[4], double* height)
{
	const int64_t* points = def->points;
	size_t count = def->count;
	findPair(points, count, corner);
	*height = 0.0;
	for (uint32_t p = 0; p < count; ++p)
	{
		double h = corner[0] != corner[1] ? heightOverLine(points, corner[0], corner[1], p) : 0.0;
		corner[2] = h > *height ? p : corner[2];
		*height = fmax(*height, h);
	}
	if (!(*height > def->least))
		return pl_spreadLine;
	plHullTriangle t = {.corner = {corner[0], corner[1], corner[2]}};
	plHullTriangle_SetPlane(&t, points);
	double deepest = 0.0;
	for (uint32_t p = 0; p < count; ++p)
	{
		double h = plHullTriangle_GetHeight(&t, points, p);
		if (fabs(h) > fabs(deepest))
		{
			deepest = h;
			corner[3] = p;
		}
	}
	*height = fabs(deepest);
	if (!(*height > def->least))
		return pl_spreadPlane;
	if (deepest > 0.0)
	{
		uint32_t c = corner[0];
		corner[0] = corner[1];
		corner[1] = c;
	}
	return pl_spreadSolid;
}
