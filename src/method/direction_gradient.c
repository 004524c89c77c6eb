// direction_gradient.c: steepest descent
//
//   d = -g,   natural step (d.d)/(d'H d), the minimiser of the quadratic model along d (Cauchy 1847), or twice the last
//   one where the curvature is not positive
//
// It is the slowest way down and serves as the yardstick: its rate is (k-1)/(k+1) for a condition number k.
// Cost: one curvature.
#include "descent.h"

struct plDirectionState
{
	double step; // the last natural one
};

static plDirectionState* create(plProblem* problem, const plSolverDef* def)
{
	(void)def;
	return PL_NEW_ZERO(problem->heap, plDirectionState, 1);
}

static plIterateResult compute(plDirectionState* state, plProblem* problem, const plIterate* it, plTangent* d,
                               double* natural, plError* error)
{
	(void)error;
	problem->space->copy(problem, d, it->g);
	problem->space->scale(problem, d, -1.0);
	double length2 = problem->space->dot(problem, d, d);
	if (!(length2 > 0.0))
		return pl_iterateStalled;
	double curvature = problem->objective->curvature(problem, it->q, d);
	*natural = state->step = curvature > 0.0 ? length2 / curvature : 2.0 * state->step;
	return pl_iterateMoved;
}

static void restart(plDirectionState* state)
{
	if (state->step == 0.0)
		state->step = 1e-6; // only if the first curvature is not positive
}

static void destroy(plDirectionState* state, plProblem* problem)
{
	PL_FREE(problem->heap, state, 1);
}

const plDirectionType plDirectionGradientType = {
    .name = "gradient", .create = create, .compute = compute, .restart = restart, .destroy = destroy};
