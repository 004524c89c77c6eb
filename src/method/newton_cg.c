// newton_cg.c: Newton's method with conjugate gradients in place of a factorisation
//
//   H d = -g solved by preconditioned conjugate gradients, d_0 = 0, until |H d + g| <= eta |g|,
//   eta = min(0.1, sqrt(|g| / |g_first|)),  q <- q + alpha d,  alpha by backtracking from 1
//
// H is never formed for products: each walks over the elements. The preconditioner is refreshed at every iteration: the
// diagonal or its blocks, or one multigrid cycle (cycles.h), in all of them each element's part made positive
// semidefinite. d always descends, for one of two reasons:
//   exact      where a direction of negative curvature appears the search stops (conjugate_gradients.h)    [GSS15]
//   projected  every element's part of H is made positive semidefinite, in each product                    [TSIF05]
// The tightening eta makes the convergence of the exact one superlinear (Dembo, Eisenstat, Steihaug 1982).
//
// Parameters: iterations (default 50), tolerance (1e-8), accept, cgIterations (products per iteration at most, 500),
// hessian (exact), preconditioner (jacobi-block, jacobi, multigrid).
// Cost per iteration: one diagonal, one product per conjugate-gradient step, one value or more. Memory grows only
// linearly with the mesh: take it for meshes too large to factorise. With multigrid an iteration forms the projected
// Hessian for its levels, and the number of products hardly depends on the size of the mesh.
//
// [GSS15] Gast, Schroeder, Stomakhin, Jiang, Teran, Optimization integrator for large time steps, 2015.
// [TSIF05] Teran, Sifakis, Irving, Fedkiw, Robust quasistatic finite elements and flesh simulation, 2005.
#include "cycles.h"
#include "line_search.h"
#include "methods.h"

#include <math.h>

struct plMethodState
{
	int cgIterations;
	plHessianKind hessian;
	plPreconditioner preconditioner;
	plCycles* cycles; // of multigrid; NULL: another preconditioner
	plConjugateGradients cg;
	plTangent* d; // the direction
	plPoint* trial;
	const plPoint* q; // where H is taken
	double firstNorm; // |g| at the step's first iteration; 0: not known yet
};

static void destroy(plMethodState* state, plProblem* problem)
{
	if (state == NULL)
		return;
	plConjugateGradients_Destroy(&state->cg, problem);
	plCycles_Destroy(state->cycles, problem);
	problem->space->freeTangent(problem, state->d);
	problem->space->freePoint(problem, state->trial);
	PL_FREE(problem->heap, state, 1);
}

static plMethodState* create(plProblem* problem, const plSolverDef* def, plError* error)
{
	plMethodState* state = PL_NEW_ZERO(problem->heap, plMethodState, 1);
	if (state != NULL)
	{
		bool fine = plConjugateGradients_Create(&state->cg, problem);
		state->d = problem->space->newTangent(problem);
		state->trial = problem->space->newPoint(problem);
		state->cgIterations = def->cgIterations;
		state->hessian = def->hessian;
		state->preconditioner = def->preconditioner;
		if (def->preconditioner == pl_preconditionerMultigrid)
		{
			state->cycles = plCycles_Create(problem, def);
			fine = fine && state->cycles != NULL;
		}
		if (fine && state->d != NULL && state->trial != NULL)
			return state;
	}
	destroy(state, problem);
	plFail(error, pl_errorMemory, "newton-cg: not enough memory for %zu vertices", problem->layout.vertexCount);
	return NULL;
}

static plResult refresh(plMethodState* state, plProblem* problem, const plPoint* q, plError* error)
{
	state->firstNorm = 0.0;
	return state->cycles != NULL ? plCycles_Prepare(state->cycles, problem, q, error) : pl_success;
}

static void multiply(void* context, plProblem* problem, const plTangent* p, plTangent* hp)
{
	const plMethodState* state = context;
	problem->objective->product(problem, state->q, state->hessian, p, hp);
}

static void precondition(void* context, plProblem* problem, plTangent* z, const plTangent* r)
{
	plCycles_Precondition(((plMethodState*)context)->cycles, problem, z, r);
}

static plResult refreshPreconditioner(plMethodState* state, plProblem* problem, const plPoint* q, plError* error)
{
	if (state->cycles != NULL)
		return plCycles_Refresh(state->cycles, problem, q, error);
	bool entries = state->preconditioner == pl_preconditionerJacobi;
	if (problem->diagonal->refresh(problem, q, entries ? pl_diagonalEntries : pl_diagonalBlocks))
		return pl_success;
	return plFail(error, pl_errorMemory, "newton-cg: not enough memory for the diagonal of %zu vertices",
	              problem->layout.vertexCount);
}

static plIterateResult iterate(plMethodState* state, plProblem* problem, plIterate* it, plError* error)
{
	static const plLineSearch search = {.firstStep = 1.0, .shrink = 0.5, .armijo = 1e-4, .minStep = 1e-12};
	it->settled = true;
	plIterate_NeedGradient(it, problem);
	double norm = sqrt(problem->space->dot(problem, it->g, it->g));
	if (norm == 0.0)
		return pl_iterateStalled;
	if (state->firstNorm == 0.0)
		state->firstNorm = norm;
	if (refreshPreconditioner(state, problem, it->q, error) != pl_success)
		return pl_iterateFailed;
	double eta = fmin(0.1, sqrt(norm / state->firstNorm));
	problem->space->copy(problem, state->cg.r, it->g);
	problem->space->scale(problem, state->cg.r, -1.0);
	state->q = it->q;
	const plLinearMap map = {multiply, state->cycles != NULL ? precondition : NULL, state};
	plConjugateGradients_Solve(&state->cg, problem, state->d, &map, state->cgIterations, eta * norm);
	double alpha = plLineSearch_Run(&search, problem, it, state->d, &(plTrial){.q = state->trial, .g = state->cg.z});
	return alpha > 0.0 ? pl_iterateMoved : pl_iterateStalled;
}

static void restart(plMethodState* state, plProblem* problem)
{
	(void)problem;
	state->firstNorm = 0.0;
}

static unsigned needs(const plSolverDef* def)
{
	return def->preconditioner == pl_preconditionerMultigrid ? pl_facetMatrix : pl_facetDiagonal;
}

static void preset(plSolverDef* def)
{
	def->iterations = 50;
	def->tolerance = 1e-8;
	def->cgIterations = 500;
	def->preconditioner = pl_preconditionerJacobiBlock;
}

const plMethodType plNewtonCgType = {
    .name = "newton-cg",
    .takesPairs = true,
    .preset = preset,
    .needs = needs,
    .create = create,
    .refresh = refresh,
    .iterate = iterate,
    .restart = restart,
    .destroy = destroy,
};
