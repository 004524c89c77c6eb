// step_monotone.c: after every 8 iterations the objective must not have risen                                  [WY16]
//
//   eps(q_k) <= eps(q_{k-8}) + noise, and where the two cannot be told apart, |g(q_k)| <= |g(q_{k-8})|
//
// Otherwise the eight are thrown away. Values near a minimum drown in rounding; gradients do so much later. With a
// diagonal P the length of g is sqrt(g'P^-1 g): plain iterations lower it while alpha is small enough, but |g|_2 may
// rise. An accelerated window that failed is taken again without acceleration. A plain window that failed shrinks alpha
// by 0.7. The next step inherits that, unless it happened within the noise.
#include "descent.h"

#include <math.h>

enum
{
	noisyLimit =
	    6, // windows in a row that noise rejected, the last ones plain with alpha down to a quarter: nothing to gain
};

static void keepGood(plMethodState* s, plProblem* problem, const plIterate* it, double norm)
{
	problem->space->copyPoint(problem, s->good, it->q);
	s->goodValue = it->f;
	s->goodNorm = norm;
	s->hasGood = true;
}

// The gradient stays in g: at the point of the iterate, the next iteration takes it from there.
static double gradientNorm(const plMethodState* s, plProblem* problem, const plPoint* q, plTangent* g)
{
	problem->objective->gradient(problem, q, g, NULL);
	return plDescent_GetLength(s, problem, g);
}

static plIterateResult reject(plMethodState* s, plProblem* problem, plIterate* it, bool inNoise)
{
	const double shrink = 0.7, least = 1e-4;
	problem->space->copyPoint(problem, it->q, s->good);
	it->f = s->goodValue;
	it->valueValid = true;
	it->gradientValid = false;
	if (!s->pace.accelerated)
	{
		s->alpha *= shrink;
		if (!inNoise)
			s->kept[pl_keptAlpha] = s->alpha;
	}
	plDescent_Restart(s, true);
	s->noisyWindows = inNoise ? s->noisyWindows + 1 : 0;
	return s->noisyWindows >= noisyLimit || s->alpha < least * s->firstAlpha ? pl_iterateStalled : pl_iterateMoved;
}

static plIterateResult test(plMethodState* s, plProblem* problem, plIterate* it)
{
	plValue f = problem->objective->value(problem, it->q);
	double noise = f.noise + s->goodValue.noise, norm = -1.0;
	it->lineSearches++;
	bool finite = isfinite(f.value), inNoise = finite && fabs(f.value - s->goodValue.value) <= noise;
	bool better = finite && f.value < s->goodValue.value;
	if (inNoise)
	{
		if (s->goodNorm < 0.0)
			s->goodNorm = gradientNorm(s, problem, s->good, it->g);
		norm = gradientNorm(s, problem, it->q, it->g);
		it->gradientValid = true;
		better = norm <= s->goodNorm;
	}
	plIterateResult result = pl_iterateMoved;
	if (better)
	{
		it->f = f;
		it->valueValid = true;
		s->noisyWindows = 0;
		keepGood(s, problem, it, norm);
	}
	else
		result = reject(s, problem, it, inNoise);
	s->pace.accelerated = false;
	return result;
}

plIterateResult plStep_Monotone(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	if (!s->hasGood)
	{
		if (!it->valueValid)
			it->f = problem->objective->value(problem, it->q);
		keepGood(s, problem, it, -1.0);
	}
	int done = s->iteration + 1;
	plIterateResult result = plDescent_Move(s, problem, it, error);
	bool due = done % pl_testWindow == 0 || done == s->def.iterations || result == pl_iterateStalled;
	it->settled = due;
	if (!due || result == pl_iterateFailed)
		return result;
	plIterateResult tested = test(s, problem, it);
	return result == pl_iterateStalled ? result : tested;
}
