// matrix.c: the facet `matrix`, and its shorter functions
#include "problem.h"
#include "vectors.h"

static void substitute(plProblem* base, plSubstitution* factor, plTangent* out, const plTangent* b, unsigned axes)
{
	plSubstitution_Solve(factor, base->pool, plTangentData(b), plTangentArray(out), axes);
}

static void cycle(plProblem* base, plMultigrid* levels, plTangent* out, const plTangent* b, unsigned axes)
{
	plMultigrid_ApplyQuads(levels, plTangentData(b), plTangentArray(out), axes, base->pool);
}

enum
{
	copyGrain = 4096 // vertices
};

// Between an array by quads and one by threes
typedef struct CopyLoop
{
	const double* from;
	double* to;
} CopyLoop;

static void unpackRange(size_t begin, size_t end, void* context)
{
	const CopyLoop* loop = context;
	for (size_t i = begin; i < end; ++i)
		for (size_t k = 0; k < 3; ++k)
			loop->to[3 * i + k] = PL_AT(loop->from, i)[k];
}

static void packRange(size_t begin, size_t end, void* context)
{
	const CopyLoop* loop = context;
	for (size_t i = begin; i < end; ++i)
	{
		for (size_t k = 0; k < 3; ++k)
			PL_AT(loop->to, i)[k] = loop->from[3 * i + k];
		PL_AT(loop->to, i)[3] = 0.0;
	}
}

static void unpack(plProblem* p, double* xyz, const plTangent* d)
{
	CopyLoop loop = {plTangentData(d), xyz};
	plParallelFor(p->pool, p->layout.vertexCount, copyGrain, unpackRange, &loop);
}

static void pack(plProblem* p, plTangent* out, const double* xyz)
{
	CopyLoop loop = {xyz, plTangentArray(out)};
	plParallelFor(p->pool, p->layout.vertexCount, copyGrain, packRange, &loop);
}

const plMatrixVerbs plCpuMatrix = {
    .hessian = plCpuProblem_Hessian,
    .laplacian = plCpuProblem_Laplacian,
    .refreshLaplacian = plCpuProblem_RefreshLaplacian,
    .multiplyLaplacian = plCpuProblem_MultiplyLaplacian,
    .substitute = substitute,
    .cycle = cycle,
    .scaleByContact = plCpuProblem_ScaleByContact,
    .scaleByGrabs = plCpuProblem_ScaleByGrabs,
    .rest = plCpuProblem_Rest,
    .rotations = plCpuProblem_Rotations,
    .mesh = plCpuProblem_Mesh,
    .countCommon = plCpuProblem_CountCommon,
    .getCommon = plCpuProblem_GetCommon,
    .unpack = unpack,
    .pack = pack,
};
