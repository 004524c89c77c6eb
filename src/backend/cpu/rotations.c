// rotations.c: the rest shapes, and how the matter around each vertex has turned
//
//   R_i = polar(sum over elements of vertex i of V F)
#define PL_LANES 1
#define PL_REAL_FLOAT 0
#include "problem.h"
#include "vectors.h"
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

void plCpuProblem_Rotations(plProblem* base, const plPoint* q, double* rotation)
{
	const plCpuProblem* p = (const plCpuProblem*)base;
	memset(rotation, 0, 9 * base->layout.vertexCount * sizeof *rotation);
	for (size_t batch = 0; batch < p->elements->tets.base.batchCount; ++batch)
		addBatch(p, batch, plPointData(q), rotation);
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
