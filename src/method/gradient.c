// gradient.c: steepest descent
//
//   d = -g(q)
//   q <- q + alpha d,   first alpha = (d.d) / (d'H d), the minimiser of the quadratic model along d (Cauchy 1847),
//                       or the last accepted one times 2 where the curvature is not positive; then backtracking
//
// Parameters: iterations (1...), tolerance, accept. Cost per iteration: one gradient, one curvature, one value or more.
// The slowest way down, here as the yardstick: its rate is (k-1)/(k+1) for a condition number k.
#include "line_search.h"
#include "methods.h"

#include <math.h>

struct plMethodState
{
	plTangent* d;
	plPoint* trial;
	plTangent* trialGradient;
	double step; // last accepted
};

static void destroy(plMethodState* state, plProblem* problem)
{
	if (state == NULL)
		return;
	problem->verbs->freeTangent(problem, state->d);
	problem->verbs->freePoint(problem, state->trial);
	problem->verbs->freeTangent(problem, state->trialGradient);
	PL_FREE(problem->heap, state, 1);
}

static plMethodState* create(plProblem* problem, const plSolverDef* def, plError* error)
{
	(void)def;
	plMethodState* state = PL_NEW_ZERO(problem->heap, plMethodState, 1);
	if (state != NULL)
	{
		state->d = problem->verbs->newTangent(problem);
		state->trial = problem->verbs->newPoint(problem);
		state->trialGradient = problem->verbs->newTangent(problem);
		if (state->d && state->trial && state->trialGradient)
			return state;
	}
	destroy(state, problem);
	plFail(error, pl_errorMemory, "gradient: not enough memory for %zu vertices", problem->vertexCount);
	return NULL;
}

static plResult refresh(plMethodState* state, plProblem* problem, const plPoint* q, plError* error)
{
	(void)problem;
	(void)q;
	(void)error;
	state->step = problem->timestep * problem->timestep; // of no inertia: only the first fallback uses it
	return pl_success;
}

static plIterateResult iterate(plMethodState* state, plProblem* problem, plIterate* it, plError* error)
{
	(void)error;
	const plProblemVerbs* verbs = problem->verbs;
	verbs->copy(problem, state->d, it->g);
	verbs->scale(problem, state->d, -1.0);
	double length2 = verbs->dot(problem, state->d, state->d);
	double curvature = verbs->curvature(problem, it->q, state->d);
	double first = curvature > 0.0 ? length2 / curvature : 2.0 * state->step;
	if (!(length2 > 0.0) || !isfinite(first))
		return pl_iterateStalled;
	plLineSearch search = {.firstStep = first, .shrink = 0.5, .armijo = 1e-4, .minStep = 1e-12};
	double alpha = plLineSearch_Run(&search, problem, it, state->d, state->trial, state->trialGradient);
	if (alpha == 0.0)
		return pl_iterateStalled;
	state->step = alpha;
	return pl_iterateMoved;
}

static void restart(plMethodState* state, plProblem* problem)
{
	(void)state;
	(void)problem;
}

const plMethodType plGradientType = {
    .name = "gradient",
    .defaults = {.iterations = 1000, .tolerance = 1e-6},
    .create = create,
    .refresh = refresh,
    .iterate = iterate,
    .restart = restart,
    .destroy = destroy,
};
