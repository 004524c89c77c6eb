// direction_lbfgs.c: limited-memory BFGS
//
//   d = -B g,   B from the last `history` pairs (lbfgs.h) and a first approximation: the inverse diagonal, or
//   (s.t)/(t.t) times the identity
//
// There is no pair in the first iteration and after a restart. Then the natural step comes from the exact curvature
// along d; later it is 1. Cost: 4 history products of vectors.
#include "descent.h"
#include "lbfgs.h"

struct plDirectionState
{
	plLbfgs pairs;
	plPoint* lastQ;
	plTangent* lastG;
	plTangent* work;
	bool preconditioned;
	bool hasLast;
	double step;
};

static void destroy(plDirectionState* state, plProblem* problem)
{
	plLbfgs_Destroy(&state->pairs, problem);
	problem->space->freePoint(problem, state->lastQ);
	problem->space->freeTangent(problem, state->lastG);
	problem->space->freeTangent(problem, state->work);
	PL_FREE(problem->heap, state, 1);
}

static plDirectionState* create(plProblem* problem, const plSolverDef* def)
{
	plDirectionState* state = PL_NEW_ZERO(problem->heap, plDirectionState, 1);
	if (state == NULL)
		return NULL;
	state->preconditioned = def->preconditioner != pl_preconditionerNone;
	state->step = 1.0;
	state->lastQ = problem->space->newPoint(problem);
	state->lastG = problem->space->newTangent(problem);
	state->work = problem->space->newTangent(problem);
	if (state->lastQ && state->lastG && state->work &&
	    plLbfgs_Create(&state->pairs, problem, def->history, pl_pairsNewest))
		return state;
	destroy(state, problem);
	return NULL;
}

static void applyFirst(void* context, plProblem* problem, plTangent* d)
{
	plDirectionState* state = context;
	if (state->preconditioned)
	{
		problem->diagonal->precondition(problem, state->work, d);
		problem->space->copy(problem, d, state->work);
	}
	else if (state->pairs.count > 0)
		problem->space->scale(problem, d, plLbfgs_GetScale(&state->pairs));
}

static plIterateResult compute(plDirectionState* state, plProblem* problem, const plIterate* it, plTangent* d,
                               double* natural, plError* error)
{
	(void)error;
	if (state->hasLast)
	{
		problem->space->difference(problem, d, it->q, state->lastQ);
		plLbfgs_Add(&state->pairs, problem, &(plPair){1.0, d, state->lastG, it->g}, false);
	}
	problem->space->copyPoint(problem, state->lastQ, it->q);
	problem->space->copy(problem, state->lastG, it->g);
	state->hasLast = true;

	plLbfgs_Apply(&state->pairs, problem, d, it->g, applyFirst, state);
	double slope = problem->space->dot(problem, it->g, d);
	if (!(slope < 0.0))
		return pl_iterateStalled;
	if (state->pairs.count == 0)
	{
		double curvature = problem->objective->curvature(problem, it->q, d);
		*natural = state->step = curvature > 0.0 ? -slope / curvature : 2.0 * state->step;
	}
	return pl_iterateMoved;
}

static void restart(plDirectionState* state)
{
	plLbfgs_Clear(&state->pairs);
	state->hasLast = false;
}

const plDirectionType plDirectionLbfgsType = {
    .name = "lbfgs", .create = create, .compute = compute, .restart = restart, .destroy = destroy};
