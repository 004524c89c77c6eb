// direction_ncg.c: nonlinear conjugate gradients
//
//   z = P^-1 g,   beta = (z.g) / (z.g of the last iteration)          Fletcher and Reeves, 1964
//   d = -z + beta d,   or -z where that does not descend
//   natural step -(g.d)/(d'H d), with the exact Hessian along d       [WY16]
//
// P is the identity or the diagonal. Cost: one curvature, three products of vectors.
#include "descent.h"

#include <math.h>

struct plDirectionState
{
	plTangent* z;
	plTangent* lastZ;
	bool preconditioned;
	bool hasLast; // d and lastProduct belong to the last iteration
	double lastProduct;
	double step;
};

static void destroy(plDirectionState* state, plProblem* problem)
{
	problem->space->freeTangent(problem, state->z);
	problem->space->freeTangent(problem, state->lastZ);
	PL_FREE(problem->heap, state, 1);
}

static plDirectionState* create(plProblem* problem, const plSolverDef* def)
{
	plDirectionState* state = PL_NEW_ZERO(problem->heap, plDirectionState, 1);
	if (state == NULL)
		return NULL;
	state->step = 1.0;
	state->preconditioned = def->preconditioner != pl_preconditionerNone;
	state->z = problem->space->newTangent(problem);
	state->lastZ = problem->space->newTangent(problem);
	if (state->z && state->lastZ)
		return state;
	destroy(state, problem);
	return NULL;
}

static plIterateResult compute(plDirectionState* state, plProblem* problem, const plIterate* it, plTangent* d,
                               double* natural, plError* error)
{
	(void)error;
	const double orthogonal = 0.5;
	if (state->preconditioned)
		problem->diagonal->precondition(problem, state->z, it->g);
	else
		problem->space->copy(problem, state->z, it->g);
	double product = problem->space->dot(problem, state->z, it->g);
	if (!(product > 0.0))
		return pl_iterateStalled;
	bool conjugate = state->hasLast && fabs(problem->space->dot(problem, state->lastZ, it->g)) < orthogonal * product;
	problem->space->scale(problem, d, conjugate ? product / state->lastProduct : 0.0);
	problem->space->axpy(problem, d, -1.0, state->z);
	double slope = problem->space->dot(problem, it->g, d);
	if (!(slope < 0.0))
	{
		problem->space->scale(problem, d, 0.0);
		problem->space->axpy(problem, d, -1.0, state->z);
		slope = -product;
	}
	double curvature = problem->objective->curvature(problem, it->q, d);
	*natural = state->step = curvature > 0.0 ? -slope / curvature : 2.0 * state->step;
	problem->space->copy(problem, state->lastZ, state->z);
	state->lastProduct = product;
	state->hasLast = true;
	return pl_iterateMoved;
}

static void restart(plDirectionState* state)
{
	state->hasLast = false;
}

const plDirectionType plDirectionNcgType = {
    .name = "ncg", .create = create, .compute = compute, .restart = restart, .destroy = destroy};
