// step_armijo.c: backtracking in every iteration
//
//   eps(q + alpha d) <= eps(q) + 1e-4 alpha g.d,   alpha = (natural step of d), halved until it holds (line_search.c)
//
// If a direction made of earlier iterates does not descend, it is made again without them. The accelerated point is
// taken only if its objective is not above that of the point that the line search found.
#include "descent.h"
#include "line_search.h"

#include <math.h>

static plIterateResult search(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	double natural;
	plIterateResult result = plDescent_Direct(s, problem, it, &natural, error);
	if (result != pl_iterateMoved)
		return result;
	double first = s->alpha * natural;
	if (!isfinite(first))
		return pl_iterateStalled;
	plLineSearch armijo = {.firstStep = first, .shrink = 0.5, .armijo = 1e-4, .minStep = 1e-12};
	double alpha = plLineSearch_Run(&armijo, problem, it, s->d, &(plTrial){.q = s->trial, .g = s->trialGradient});
	return alpha > 0.0 ? pl_iterateMoved : pl_iterateStalled;
}

static void accelerate(plMethodState* s, plProblem* problem, plIterate* it)
{
	double omega = plDescent_Pace(s, problem, it);
	problem->space->copyPoint(problem, s->trial, it->q); // what the line search found; s->good is where it started
	if (omega != 1.0)
	{
		problem->space->extrapolate(problem, it->q, s->base, omega, s->trial);
		if (problem->pairs != NULL)
			problem->pairs->clamp(problem, it->q);
		plValue f = problem->objective->value(problem, it->q);
		it->lineSearches++;
		if (f.value <= it->f.value)
		{
			it->f = f;
			it->gradientValid = false;
		}
		else
		{
			problem->space->copyPoint(problem, it->q, s->trial);
			s->acceleration->restart(&s->pace, true);
		}
	}
	problem->space->copyPoint(problem, s->base, s->acceleration->basedOnTrial ? s->trial : s->good);
}

plIterateResult plStep_Armijo(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	bool accelerated = s->def.acceleration != pl_accelerationNone;
	it->settled = true;
	if (accelerated)
		problem->space->copyPoint(problem, s->good, it->q);
	plIterateResult result = search(s, problem, it, error);
	if (result == pl_iterateStalled)
	{
		plDescent_Restart(s, true);
		result = search(s, problem, it, error);
	}
	if (result == pl_iterateMoved && accelerated)
		accelerate(s, problem, it);
	return result;
}
