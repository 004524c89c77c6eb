// multigrid_support.h: meshes at rest of many shapes, and matrices on them
#ifndef PL_MULTIGRID_SUPPORT_H
#define PL_MULTIGRID_SUPPORT_H

#include "pliant/mesh.h"
#include "sparse/multigrid.h"
#include "sparse_support.h"
#include "heap.h"

#include <math.h>

// From vertices and simplices of n corners each
static inline plRestMesh makeRest(size_t vertexCount, const double* vertices, size_t n, size_t count,
                                  const uint32_t* simplices)
{
	plRestMesh mesh;
	if (!plRestMesh_Allocate(&mesh, vertexCount, count, &heap))
		abort();
	memcpy(mesh.rest, vertices, 3 * vertexCount * sizeof *vertices);
	if (count > 0)
		memset(mesh.simplices, 0xff, 4 * count * sizeof *mesh.simplices);
	for (size_t s = 0; s < count; ++s)
		memcpy(mesh.simplices + 4 * s, simplices + n * s, n * sizeof *simplices);
	return mesh;
}

static inline plRestMesh fromMesh(plMesh* mesh, bool surfaceOnly)
{
	plMeshView view = plMesh_GetView(mesh);
	bool tets = view.tetCount > 0 && !surfaceOnly;
	plRestMesh rest = makeRest(view.vertexCount, view.vertices, tets ? 4 : 3, tets ? view.tetCount : view.surfaceCount,
	                           tets ? view.tets : view.surface);
	plDestroyMesh(mesh);
	return rest;
}

static inline plRestMesh makeSheet(size_t cells)
{
	return fromMesh(plCreateClothMesh(1.0, 1.0, (size_t[2]){cells, cells}, pl_clothAlternating, NULL, NULL), false);
}

static inline plRestMesh makeSolid(size_t x, size_t y, size_t z)
{
	plError error;
	return fromMesh(plCreateBoxMesh((plVec3){(double)x, (double)y, (double)z}, (size_t[3]){x, y, z}, 6, NULL, &error),
	                false);
}

// Takes the simplices away that `drop` says so of; vertices stay
static inline void dropSimplices(plRestMesh* mesh, bool (*drop)(const plRestMesh* mesh, const uint32_t* simplex))
{
	size_t left = 0;
	for (size_t s = 0; s < mesh->simplexCount; ++s)
		if (!drop(mesh, mesh->simplices + 4 * s))
			memmove(mesh->simplices + 4 * left++, mesh->simplices + 4 * s, 4 * sizeof(uint32_t));
	for (; left < mesh->simplexCount; ++left)
		memset(mesh->simplices + 4 * left, 0xff, 4 * sizeof(uint32_t)); // nobody's
}

static inline bool isInHole(const plRestMesh* mesh, const uint32_t* simplex)
{
	const double* x = mesh->rest + 3 * (size_t)simplex[0];
	return fabs(x[0]) < 0.2 && fabs(x[1]) < 0.2;
}

// A matrix like the one of linear elasticity: every edge a spring k (n n' + softness I), every vertex a weight
static inline plBlockMatrix makeElastic(const plRestMesh* mesh, double mass, double softness)
{
	plBlockMatrix m;
	uint32_t* corners = malloc((16 * mesh->simplexCount + 4) * sizeof *corners);
	size_t count = 0;
	for (size_t s = 0; s < mesh->simplexCount; ++s)
	{
		const uint32_t* simplex = mesh->simplices + 4 * s;
		size_t n = plSimplex_CountCorners(simplex);
		for (size_t c = 0; c < 4 && n > 1; ++c)
			corners[4 * count + c] = simplex[c < n ? c : n - 1];
		count += n > 1;
	}
	if (plBlockMatrix_Create(&m, mesh->vertexCount, corners, count, 4, &heap) != pl_success)
		abort();
	free(corners);
	uint64_t seed = 7;
	for (size_t i = 0; i < m.rows; ++i)
	{
		double* at = m.block + 9 * m.start[i];
		at[0] += mass, at[4] += mass, at[8] += mass;
		for (size_t t = m.start[i] + 1; t < m.start[i + 1]; ++t)
		{
			size_t j = m.column[t];
			double d[3];
			for (size_t a = 0; a < 3; ++a)
				d[a] = mesh->rest[3 * j + a] - mesh->rest[3 * i + a];
			addSpring(&m, i, t, d, 1.5 + testRandom(&seed), softness);
		}
	}
	return m;
}

// The lower factor of a symmetric matrix, in place; false: it is not positive definite.
static inline bool factorDense(double* a, size_t n)
{
	for (size_t i = 0; i < n; ++i)
	{
		for (size_t j = 0; j <= i; ++j)
		{
			double sum = a[i * n + j];
			for (size_t k = 0; k < j; ++k)
				sum -= a[i * n + k] * a[j * n + k];
			if (i == j && !(sum > 0.0))
				return false;
			a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
		}
		for (size_t j = i + 1; j < n; ++j)
			a[i * n + j] = 0.0;
	}
	return true;
}

#endif
