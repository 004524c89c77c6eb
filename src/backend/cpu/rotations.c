// rotations.c: the rest shapes, and how the matter around each vertex has turned
//
//   R_i = polar(sum over tets of vertex i of V F  +  sum over triangles of A G),   G = [d1 d2 n] [D1 D2 N]^-1
//
// d edges of a triangle and n its unit normal, D and N the same in the rest shape.
#define PL_LANES 1
#define PL_REAL_FLOAT 0
#include "problem.h"
#include "vectors.h"
#include "../../energy/triangle_layout.h"
#include "../../kernel/svd.h"

void plCpuProblem_Rest(plProblem* base, plPoint* out)
{
	const plCpuProblem* p = (const plCpuProblem*)base;
	double* x = plPointArray(out);
	for (size_t i = 0; i < base->layout.vertexCount; ++i)
	{
		memcpy(PL_AT(x, i), p->elements->rest + 3 * i, 3 * sizeof(double));
		PL_AT(x, i)[3] = 0.0;
	}
}

// V F of the tets of one batch, added to their corners.
static void addBatch(const plCpuProblem* p, size_t batch, const double* q, double* sums)
{
	_Alignas(64) double rest[pl_mostRest];
	double F[9 * pl_batchSize];
	plSpan span = plBatches_GetExact(&p->elements->tets.base, batch, rest);
	const double* volume = (const double*)span.rest + 8 * 9; // 0 of lanes that fill up
	p->exact[pl_kindTet]->measure(&span, q, F, NULL);
	for (size_t lane = 0; lane < pl_batchSize; ++lane)
		for (size_t c = 0; c < 4; ++c)
			for (size_t k = 0; k < 9; ++k)
				sums[9 * (size_t)span.vertex[span.corner[8 * c + lane] / 4] + k] += volume[lane] * F[9 * lane + k];
}

// [d1 d2 n] of positions with a stride; n is 0 where the triangle has no area
static mat3 frameOf(const double* x, size_t stride, const uint32_t corners[3])
{
	vec3 d[2];
	for (size_t e = 0; e < 2; ++e)
		for (size_t k = 0; k < 3; ++k)
			d[e].a[k] = x[stride * corners[e + 1] + k] - x[stride * corners[0] + k];
	vec3 n = cross3(d[0], d[1]);
	double length = SQRT(dot3(n, n));
	for (size_t k = 0; k < 3 && length > 0.0; ++k)
		n.a[k] /= length;
	return columns33(d[0], d[1], n);
}

static double determinantOf(mat3 A, mat3 cofactors)
{
	double det = 0.0;
	for (size_t k = 0; k < 3; ++k)
		det += A.a[0][k] * cofactors.a[0][k];
	return det;
}

static void addTriangle(const plCpuProblem* p, size_t slot, const double* q, double* sums)
{
	uint32_t corners[3];
	plBatches_GetCorners(&p->elements->triangles.base, slot, pl_triangleCorners, corners);
	mat3 rest = frameOf(p->elements->rest, 3, corners), cofactors = cofactor33(rest);
	double twice = determinantOf(rest, cofactors); // the area at rest, twice
	if (!(twice > 0.0))
		return;
	mat3 G = mul33t(frameOf(q, pl_quad, corners), cofactors); // times twice the area
	for (size_t c = 0; c < 3; ++c)
		for (size_t k = 0; k < 9; ++k)
			sums[9 * (size_t)corners[c] + k] += 0.5 * G.a[k / 3][k % 3];
}

void plCpuProblem_Rotations(plProblem* base, const plPoint* q, double* rotation)
{
	const plCpuProblem* p = (const plCpuProblem*)base;
	memset(rotation, 0, 9 * base->layout.vertexCount * sizeof *rotation);
	for (size_t batch = 0; batch < p->elements->tets.base.batchCount; ++batch)
		addBatch(p, batch, plPointData(q), rotation);
	for (size_t slot = 0; slot < pl_batchSize * p->elements->triangles.base.batchCount; ++slot)
		if (!plBatches_IsFilling(&p->elements->triangles.base, slot))
			addTriangle(p, slot, plPointData(q), rotation);
	for (size_t i = 0; i < base->layout.vertexCount; ++i)
	{
		mat3 F;
		double size = 0.0;
		for (int k = 0; k < 9; ++k)
		{
			F.a[k / 3][k % 3] = rotation[9 * i + (size_t)k];
			size += F.a[k / 3][k % 3] * F.a[k / 3][k % 3];
		}
		bool turns = size > 0.0 && base->held[i] == 0;
		mat3 R = polar33(F);
		for (int k = 0; k < 9; ++k)
			rotation[9 * i + (size_t)k] = turns ? R.a[k / 3][k % 3] : k % 4 == 0 ? 1.0 : 0.0;
	}
}
