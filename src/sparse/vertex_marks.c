// vertex_marks.c: which vertices of a mesh shape it, so that coarse levels keep them first
//
//   solids   s = |sum V grad w| / sum V |grad w| over the tets at a vertex, w its hat function. The sum of V grad w is
//            the integral of w n over the boundary: 0 inside, and about 1/2 on a flat surface, 2/3 on an edge, 5/6 at
//            the corner of a box, because the gradients fill a half, a quarter, an eighth of all directions
//   sheets   an edge that does not have two triangles is a rim. A vertex where a rim turns by more than 30 degrees,
//   ends
//            or branches is a corner. Elsewhere the s of triangles is 0 in a smooth sheet, 0.45 on a fold by 90 degrees
#include "level_mesh.h"

#include "../base/vec3.h"

static const double inside = 0.15, surface = 0.57, edge = 0.74; // s below which a vertex is no more than that
static const double turn = 0.5176380902050415;                  // 2 sin(30/2 degrees): |sum| of two unit vectors

// Of the corner `at` of a tet or a triangle: measure times the gradient of its hat function; false: it is flat.
static bool gradientOf(const plLevelMesh* mesh, const uint32_t* corners, size_t n, size_t at, double out[3])
{
	const double* x = mesh->rest + 3 * (size_t)corners[at];
	const double* base = mesh->rest + 3 * (size_t)corners[(at + 1) % n];
	double a[3], b[3], d[3];
	plSubtract3(mesh->rest + 3 * (size_t)corners[(at + 2) % n], base, a);
	plSubtract3(x, base, d);
	if (n == 4) // V grad w = area/3 of the face opposite times its normal, towards x
	{
		plSubtract3(mesh->rest + 3 * (size_t)corners[(at + 3) % n], base, b);
		plCross3(a, b, out);
		double side = plDot3(out, d) < 0.0 ? -1.0 : 1.0;
		for (int i = 0; i < 3; ++i)
			out[i] *= side / 6.0;
	}
	else // A grad w = half the edge opposite, turned towards x
	{
		double square = plDot3(a, a), along = square > 0.0 ? plDot3(a, d) / square : 0.0;
		plAdd3(d, -along, a);
		double height = plLength3(d);
		for (int i = 0; i < 3; ++i)
			out[i] = height > 0.0 ? 0.5 * sqrt(square) / height * d[i] : 0.0;
	}
	return plDot3(out, out) > 0.0;
}

// sums: [4 count] of the gradients, and of their lengths, over simplices with n corners
static void addGradients(const plLevelMesh* mesh, size_t n, double* sums)
{
	for (size_t s = 0; s < mesh->simplices.count; ++s)
	{
		const uint32_t* corners = mesh->simplices.item + pl_simplexCorners * s;
		if (plSimplex_CountCorners(corners) != n)
			continue;
		for (size_t c = 0; c < n; ++c)
		{
			double g[3], *sum = sums + 4 * (size_t)corners[c];
			if (!gradientOf(mesh, corners, n, c, g))
				continue;
			plAdd3(sum, 1.0, g);
			sum[3] += plLength3(g);
		}
	}
}

static void raise(plLevelMesh* mesh, size_t vertex, plVertexMark mark)
{
	if (mesh->mark[vertex] < mark)
		mesh->mark[vertex] = (uint8_t)mark;
}

static void markSolids(plLevelMesh* mesh, double* sums)
{
	memset(sums, 0, 4 * mesh->count * sizeof *sums);
	addGradients(mesh, 4, sums);
	for (size_t v = 0; v < mesh->count; ++v)
	{
		double size = sums[4 * v + 3], s = size > 0.0 ? plLength3(sums + 4 * v) / size : 0.0;
		raise(mesh, v,
		      s < inside    ? pl_markInner
		      : s < surface ? pl_markSurface
		      : s < edge    ? pl_markRim
		                    : pl_markCorner);
	}
}

// sums: [4 count]: of the unit vectors along rims, and how many there are
static void markSheets(plLevelMesh* mesh, const plTuples* sides, double* sums)
{
	memset(sums, 0, 4 * mesh->count * sizeof *sums);
	addGradients(mesh, 3, sums);
	for (size_t v = 0; v < mesh->count; ++v)
	{
		double size = sums[4 * v + 3], s = size > 0.0 ? plLength3(sums + 4 * v) / size : 0.0;
		if (s >= 2.0 * inside)
			raise(mesh, v, pl_markSurface);
	}
	memset(sums, 0, 4 * mesh->count * sizeof *sums);
	for (size_t e = 0; e < sides->count; ++e)
	{
		uint32_t i = sides->item[2 * e], j = sides->item[2 * e + 1];
		double d[3];
		plSubtract3(mesh->rest + 3 * (size_t)j, mesh->rest + 3 * (size_t)i, d);
		double length = plLength3(d), scale = length > 0.0 ? 1.0 / length : 0.0;
		if (sides->times[e] == 2)
			continue;
		plAdd3(sums + 4 * (size_t)i, scale, d);
		plAdd3(sums + 4 * (size_t)j, -scale, d);
		sums[4 * (size_t)i + 3] += 1.0;
		sums[4 * (size_t)j + 3] += 1.0;
	}
	for (size_t v = 0; v < mesh->count; ++v)
		if (sums[4 * v + 3] > 0.0)
			raise(mesh, v, sums[4 * v + 3] != 2.0 || plLength3(sums + 4 * v) > turn ? pl_markCorner : pl_markRim);
}

// Sides of triangles; without `pair` they are counted.
static size_t listSides(const plLevelMesh* mesh, uint32_t* pair)
{
	size_t found = 0;
	for (size_t s = 0; s < mesh->simplices.count; ++s)
	{
		const uint32_t* corners = mesh->simplices.item + pl_simplexCorners * s;
		if (plSimplex_CountCorners(corners) != 3)
			continue;
		for (size_t c = 0; c < 3; ++c, ++found)
			if (pair != NULL) // corners ascend
			{
				pair[2 * found] = corners[c == 2 ? 1 : 0];
				pair[2 * found + 1] = corners[c == 0 ? 1 : 2];
			}
	}
	return found;
}

bool plLevelMesh_Mark(plLevelMesh* mesh, plHeap* heap)
{
	if (mesh->count == 0)
		return true;
	size_t count = listSides(mesh, NULL);
	double* sums = PL_NEW(heap, double, 4 * mesh->count);
	uint32_t* pair = PL_NEW(heap, uint32_t, 2 * count);
	plTuples sides = {0};
	bool fine = sums != NULL && (count == 0 || pair != NULL);
	if (fine)
		listSides(mesh, pair);
	fine = fine && plTuples_Create(&sides, 2, pair, NULL, count, mesh->count, heap);
	if (fine)
	{
		markSolids(mesh, sums);
		markSheets(mesh, &sides, sums);
	}
	plTuples_Destroy(&sides, heap);
	PL_FREE(heap, pair, 2 * count);
	PL_FREE(heap, sums, 4 * mesh->count);
	return fine;
}
