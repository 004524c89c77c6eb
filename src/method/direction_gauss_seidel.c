// direction_gauss_seidel.c: one symmetric Gauss-Seidel sweep by colours
//
//   d = -(D+U)^-1 D (D+L)^-1 g,   A = L + D + U = M/h^2 + projected H of the last refresh       (sparse/gauss_seidel.h)
//
// Gauss-Seidel needs colours. [WY16] leave it open whether it would do better than Jacobi in their frame. The sweep is
// symmetric, so d descends, and the iteration is one linear map for as long as A is kept: Chebyshev goes with it.
// No eigenvalue of P^-1 A exceeds 1, so no power iteration is needed.
// Cost: a product with the matrix instead of one with its diagonal, a Hessian every `refresh` iterations, and memory
// for two copies of the matrix.
//
// [WY16] Wang and Yang, Descent methods for elastic body simulation on the GPU, 2016.
#include "descent.h"
#include "../sparse/gauss_seidel.h"

struct plDirectionState
{
	plGaussSeidel sweep;
	bool created;
	double* xyz; // [3 n]
	size_t count;
};

static void destroy(plDirectionState* state, plProblem* problem)
{
	if (state->created)
		plGaussSeidel_Destroy(&state->sweep, problem->heap);
	PL_FREE(problem->heap, state->xyz, state->count);
	PL_FREE(problem->heap, state, 1);
}

static plDirectionState* create(plProblem* problem, const plSolverDef* def)
{
	(void)def;
	PL_ASSERT(problem->layout.poseCount == 0, "the sweep knows rows of vertices only");
	plDirectionState* state = PL_NEW_ZERO(problem->heap, plDirectionState, 1);
	if (state == NULL)
		return NULL;
	state->count = 3 * problem->layout.vertexCount + 3; // never empty
	state->xyz = PL_NEW(problem->heap, double, state->count);
	if (state->xyz != NULL)
		return state;
	destroy(state, problem);
	return NULL;
}

static bool refresh(plDirectionState* state, plProblem* problem, const plPoint* q)
{
	const plBlockMatrix* matrix = problem->matrix->hessian(problem, q, pl_hessianProjected);
	if (matrix == NULL)
		return false;
	if (!state->created)
		state->created = plGaussSeidel_Create(&state->sweep, matrix, problem->heap) == pl_success;
	if (state->created)
		plGaussSeidel_Refresh(&state->sweep, matrix, problem->held, problem->pool);
	return state->created;
}

static void apply(plDirectionState* state, plProblem* problem, plTangent* out, const plTangent* d)
{
	problem->matrix->unpack(problem, state->xyz, d);
	plGaussSeidel_Apply(&state->sweep, state->xyz, state->xyz, problem->pool);
	problem->matrix->pack(problem, out, state->xyz);
}

const plDirectionType plDirectionGaussSeidelType = {.name = "gauss-seidel",
                                                    .needs = pl_facetMatrix,
                                                    .largest = 1.0,
                                                    .create = create,
                                                    .refresh = refresh,
                                                    .apply = apply,
                                                    .destroy = destroy};
