// matrix.c: the facet `matrix`, and its shorter functions
#include "problem.h"
#include "vectors.h"

static void substitute(plProblem* base, plSubstitution* factor, plTangent* out, const plTangent* b, unsigned axes)
{
	plSubstitution_Solve(factor, base->pool, plTangentData(b), plTangentArray(out), axes);
}

static void unpack(plProblem* p, double* xyz, const plTangent* d)
{
	const double* from = plTangentData(d);
	for (size_t i = 0; i < p->layout.vertexCount; ++i)
		for (size_t k = 0; k < 3; ++k)
			xyz[3 * i + k] = PL_AT(from, i)[k];
}

static void pack(plProblem* p, plTangent* out, const double* xyz)
{
	double* to = plTangentArray(out);
	for (size_t i = 0; i < p->layout.vertexCount; ++i)
	{
		for (size_t k = 0; k < 3; ++k)
			PL_AT(to, i)[k] = xyz[3 * i + k];
		PL_AT(to, i)[3] = 0.0;
	}
}

const plMatrixVerbs plCpuMatrix = {
    .hessian = plCpuProblem_Hessian,
    .laplacian = plCpuProblem_Laplacian,
    .refreshLaplacian = plCpuProblem_RefreshLaplacian,
    .multiplyLaplacian = plCpuProblem_MultiplyLaplacian,
    .substitute = substitute,
    .scaleByContact = plCpuProblem_ScaleByContact,
    .scaleByGrabs = plCpuProblem_ScaleByGrabs,
    .rest = plCpuProblem_Rest,
    .rotations = plCpuProblem_Rotations,
    .unpack = unpack,
    .pack = pack,
};
