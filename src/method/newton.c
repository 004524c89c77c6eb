// newton.c: Newton's method with a direct factorisation
//
//   H d = -g,   q <- q + alpha d,   alpha by backtracking from 1
//
// H is the exact Hessian. If it is not positive definite, its factorisation fails. For that iteration the projected
// Hessian takes its place, in which every element's part is made positive semidefinite (Teran et al. 2005): then d
// descends. `hessian` projected takes it always. Held degrees of freedom are left out of the system.
//
// Where surfaces meet their pairs are part of the matrix; its pattern follows them (newton_system.c).
//
// Parameters: iterations (default 50), tolerance (1e-8), accept, factorisation, hessian (exact).
// Cost per iteration: one Hessian, one factorisation (two after a failure), one value or more.
#include "line_search.h"
#include "methods.h"
#include "newton_system.h"

#include <math.h>

struct plMethodState
{
	plHessianKind hessian; // that is tried first
	plNewtonSystem* system;
	plTangent* d;
	plPoint* trial;
	plTangent* trialGradient;
};

static void destroy(plMethodState* state, plProblem* problem)
{
	if (state == NULL)
		return;
	plNewtonSystem_Destroy(state->system, problem);
	problem->space->freeTangent(problem, state->d);
	problem->space->freePoint(problem, state->trial);
	problem->space->freeTangent(problem, state->trialGradient);
	PL_FREE(problem->heap, state, 1);
}

static plMethodState* create(plProblem* problem, const plSolverDef* def, plError* error)
{
	plMethodState* state = PL_NEW_ZERO(problem->heap, plMethodState, 1);
	if (state != NULL)
	{
		state->hessian = def->hessian;
		state->system = plNewtonSystem_Create(problem, def->factorisation);
		state->d = problem->space->newTangent(problem);
		state->trial = problem->space->newPoint(problem);
		state->trialGradient = problem->space->newTangent(problem);
		if (state->system && state->d && state->trial && state->trialGradient)
			return state;
	}
	destroy(state, problem);
	plFail(error, pl_errorMemory, "newton: not enough memory for %zu vertices", problem->layout.vertexCount);
	return NULL;
}

static plIterateResult iterate(plMethodState* state, plProblem* problem, plIterate* it, plError* error)
{
	static const plLineSearch search = {.firstStep = 1.0, .shrink = 0.5, .armijo = 1e-4, .minStep = 1e-12};
	it->settled = true;
	plIterate_NeedGradient(it, problem);
	if (problem->space->dot(problem, it->g, it->g) == 0.0)
		return pl_iterateStalled;
	for (plHessianKind kind = state->hessian; kind <= pl_hessianProjected; ++kind)
	{
		plResult result = plNewtonSystem_Factorise(state->system, problem, it->q, kind, error);
		if (result == pl_success)
			result = plNewtonSystem_Solve(state->system, problem, it->g, state->d);
		if (result == pl_errorNumeric)
			continue;
		if (result != pl_success)
			return pl_iterateFailed;
		plTrial trial = {.q = state->trial, .g = state->trialGradient};
		if (plLineSearch_Run(&search, problem, it, state->d, &trial) > 0.0)
			return pl_iterateMoved;
	}
	return pl_iterateStalled;
}

plNewtonCounts plNewtonMethod_Count(const plMethodState* state)
{
	return plNewtonSystem_Count(state->system);
}

void plNewtonMethod_TryFirst(plMethodState* state, plHessianKind hessian)
{
	state->hessian = hessian;
}

static unsigned needs(const plSolverDef* def)
{
	(void)def;
	return pl_facetMatrix;
}

static void preset(plSolverDef* def)
{
	def->iterations = 50;
	def->tolerance = 1e-8;
}

const plMethodType plNewtonType = {
    .name = "newton",
    .takesPairs = true,
    .preset = preset,
    .needs = needs,
    .create = create,
    .iterate = iterate,
    .destroy = destroy,
};
