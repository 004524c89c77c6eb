// direction_newton.c: d = -H^-1 g with the exact Hessian, or the projected one where that is not positive definite
//
// This is `newton` as a direction, for any step length and acceleration. Cost: a Hessian and its factorisation.
#include "descent.h"
#include "newton_system.h"

struct plDirectionState
{
	plNewtonSystem* system;
};

static void destroy(plDirectionState* state, plProblem* problem)
{
	plNewtonSystem_Destroy(state->system, problem);
	PL_FREE(problem->heap, state, 1);
}

static plDirectionState* create(plProblem* problem, const plSolverDef* def)
{
	plDirectionState* state = PL_NEW_ZERO(problem->heap, plDirectionState, 1);
	if (state == NULL)
		return NULL;
	state->system = plNewtonSystem_Create(problem, def->factorisation);
	if (state->system != NULL)
		return state;
	destroy(state, problem);
	return NULL;
}

static plIterateResult compute(plDirectionState* state, plProblem* problem, const plIterate* it, plTangent* d,
                               double* natural, plError* error)
{
	(void)natural;
	for (plHessianKind kind = pl_hessianExact; kind <= pl_hessianProjected; ++kind)
	{
		plResult result = plNewtonSystem_Factorise(state->system, problem, it->q, kind, error);
		if (result == pl_success)
			result = plNewtonSystem_Solve(state->system, problem, it->g, d);
		if (result == pl_success && problem->space->dot(problem, it->g, d) < 0.0)
			return pl_iterateMoved;
		if (result != pl_success && result != pl_errorNumeric)
			return pl_iterateFailed;
	}
	return pl_iterateStalled;
}

const plDirectionType plDirectionNewtonType = {
    .name = "newton", .needs = pl_facetMatrix, .create = create, .compute = compute, .destroy = destroy};
