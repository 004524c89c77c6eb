// surface_check.c: what a surface needs to have an inside
//
//   every edge belongs to two triangles, which run along it in opposite directions
//   the triangles at a vertex form one fan
//   every triangle has an area:  |ab x ac| > 1e-10 (longest edge)^2
//   volume  1/6 sum a.(b x c) > 0
//
// Edges are sorted by their vertices, so that the two sides of an edge stand together.
#include "surface_check.h"

#include <math.h>
#include <stdlib.h>

static int compareEdges(const void* a, const void* b)
{
	const plSurfaceEdge *x = a, *y = b;
	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->high != y->high)
		return x->high < y->high ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

plResult plCheckAreas(const double* points, const uint32_t* faces, size_t count, plError* error)
{
	for (size_t t = 0; t < count; ++t)
	{
		const double *a = points + 3 * (size_t)faces[3 * t], *b = points + 3 * (size_t)faces[3 * t + 1];
		const double* c = points + 3 * (size_t)faces[3 * t + 2];
		double u[3], v[3], most = 0.0, cross = 0.0;
		for (int i = 0; i < 3; ++i)
		{
			u[i] = b[i] - a[i];
			v[i] = c[i] - a[i];
			most = fmax(most, fmax(fabs(u[i]), fabs(v[i])));
		}
		for (int i = 0; i < 3 && most > 0.0; ++i)
		{
			u[i] /= most;
			v[i] /= most;
		}
		for (int i = 0; i < 3; ++i)
		{
			double n = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
			cross += n * n;
		}
		if (!(sqrt(cross) > 1e-10))
			return plFailAt(error, "mesh", "mesh: triangle %zu (vertices %u %u %u) has no area", t, faces[3 * t],
			                faces[3 * t + 1], faces[3 * t + 2]);
	}
	return pl_success;
}

void plSortEdges(const uint32_t* faces, size_t count, plSurfaceEdge* edges)
{
	for (size_t e = 0; e < 3 * count; ++e)
	{
		uint32_t a = faces[e], b = faces[e - e % 3 + (e + 1) % 3];
		edges[e] = (plSurfaceEdge){a < b ? a : b, a < b ? b : a, e};
	}
	qsort(edges, 3 * count, sizeof *edges, compareEdges);
}

static plResult matchEdges(const uint32_t* faces, size_t count, plSurfaceEdge* edges, uint32_t* across, plError* error)
{
	plSortEdges(faces, count, edges);
	for (size_t e = 0; e < 3 * count;)
	{
		size_t end = e + 1;
		while (end < 3 * count && edges[end].low == edges[e].low && edges[end].high == edges[e].high)
			++end;
		size_t first = edges[e].place / 3;
		if (end - e == 1)
			return plFailAt(error, "mesh", "mesh: the surface is open: edge %u-%u belongs to triangle %zu alone",
			                edges[e].low, edges[e].high, first);
		if (end - e > 2)
			return plFailAt(
			    error, "mesh",
			    "mesh: the surface is not manifold: edge %u-%u belongs to %zu triangles, the first of them %zu",
			    edges[e].low, edges[e].high, end - e, first);
		size_t one = edges[e].place, two = edges[e + 1].place;
		if (faces[one] == faces[two])
			return plFailAt(
			    error, "mesh",
			    "mesh: triangles %zu and %zu disagree on where the outside is: both run along edge %u-%u in "
			    "one direction",
			    first, two / 3, edges[e].low, edges[e].high);
		across[one] = (uint32_t)(two / 3);
		across[two] = (uint32_t)(one / 3);
		e = end;
	}
	return pl_success;
}

// Walks around each vertex from triangle to triangle; a second fan is one that the first walk did not meet.
static plResult checkFans(const uint32_t* faces, size_t count, const uint32_t* across, uint32_t* valence,
                          uint32_t* walked, plError* error)
{
	for (size_t c = 0; c < 3 * count; ++c)
		valence[faces[c]]++;
	for (size_t c = 0; c < 3 * count; ++c)
	{
		uint32_t v = faces[c], t = (uint32_t)(c / 3), steps = 0;
		if (walked[v] != 0)
			continue;
		do
		{
			size_t k = faces[3 * (size_t)t] == v ? 0 : faces[3 * (size_t)t + 1] == v ? 1 : 2;
			t = across[3 * (size_t)t + k];
			steps++;
		} while (t != c / 3 && steps < valence[v]);
		walked[v] = 1;
		if (t != c / 3 || steps != valence[v])
			return plFailAt(error, "mesh", "mesh: the surface is not manifold: parts of it meet in vertex %u alone", v);
	}
	return pl_success;
}

plResult plCheckVolume(const double* points, const uint32_t* faces, size_t count, plError* error)
{
	double sum = 0.0;
	const double* o = points + 3 * (size_t)faces[0];
	for (size_t t = 0; t < count; ++t)
	{
		double p[3][3];
		for (size_t k = 0; k < 3; ++k)
			for (size_t i = 0; i < 3; ++i)
				p[k][i] = points[3 * (size_t)faces[3 * t + k] + i] - o[i];
		sum += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
		       p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
	}
	if (!(sum > 0.0))
		return plFailAt(
		    error, "mesh",
		    "mesh: the surface is inside out: its volume is %g m^3; its triangles must run counter-clockwise "
		    "seen from outside",
		    sum / 6.0);
	return pl_success;
}

plResult plCheckSurface(const double* points, size_t pointCount, const uint32_t* faces, size_t faceCount,
                        uint32_t* across, plHeap* heap, plError* error)
{
	if (faceCount > UINT32_MAX / 3)
		return plFailAt(error, "mesh", "mesh: %zu triangles are too many", faceCount);
	plSurfaceEdge* edges = PL_NEW(heap, plSurfaceEdge, 3 * faceCount);
	uint32_t* valence = PL_NEW_ZERO(heap, uint32_t, pointCount);
	uint32_t* walked = PL_NEW_ZERO(heap, uint32_t, pointCount);
	plResult result = edges && valence && walked ? plCheckAreas(points, faces, faceCount, error) : pl_errorMemory;
	if (result == pl_success)
		result = matchEdges(faces, faceCount, edges, across, error);
	if (result == pl_success)
		result = checkFans(faces, faceCount, across, valence, walked, error);
	if (result == pl_success)
		result = plCheckVolume(points, faces, faceCount, error);
	PL_FREE(heap, edges, 3 * faceCount);
	PL_FREE(heap, valence, pointCount);
	PL_FREE(heap, walked, pointCount);
	return result;
}
