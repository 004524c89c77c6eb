// line_search.c: backtracking with the Armijo test, aware of noise
//
//   accept alpha if   f(q + alpha d) <= f(q) + c alpha g.d                          (Armijo)
//   or, when the two values cannot be told apart, |f_new - f| <= eta_new + eta,
//                     the gradient norm falls:  |g_new| < |g|
//                     or, if asked for, the slope:  g_new.d <= (1 - 2c) |g.d|                              [HZ05]
//
// Near a minimum the decrease drowns in the rounding of the values: plain Armijo in double stalls at a relative
// gradient of about 1e-7, in float as soon as a stiff part stores more energy than a soft one has to gain. The gradient
// does not drown, so it decides there. Its norm must fall for a step of Newton's. A step of a quasi-Newton method,
// whose matrix is stiff where the Hessian is soft, lowers the objective and often raises the norm. For a quadratic
// objective the test of the slope is Armijo's. A trial that is not finite is rejected.
//
// [HZ05] Hager and Zhang, A new conjugate gradient method with guaranteed descent and an efficient line search, 2005.
#include "line_search.h"

#include <math.h>

enum
{
	hopelessTries = 8
};

static double normOf(plProblem* problem, const plTangent* g)
{
	return sqrt(problem->space->dot(problem, g, g));
}

typedef struct Line
{
	const plLineSearch* search;
	const plTangent* d;
	double slope; // g.d
	double first; // the longest step
} Line;

static bool isBetter(const Line* line, plProblem* problem, const plIterate* it, double alpha, plTrial* trial)
{
	double predicted = line->search->armijo * alpha * line->slope;
	if (!isfinite(trial->f.value) || !isfinite(trial->f.noise)) // in float the noise of 1e37 J is not
		return false;
	double noise = trial->f.noise + it->f.noise;
	bool tellable = fabs(trial->f.value - it->f.value) > noise;
	trial->byGradient = !tellable && !(-predicted > noise);
	if (!trial->byGradient)
		return trial->f.value <= it->f.value + predicted;
	if (!trial->hasGradient)
		problem->objective->gradient(problem, trial->q, trial->g, NULL);
	trial->hasGradient = true;
	double most = -(1.0 - 2.0 * line->search->armijo) * line->slope;
	if (line->search->bySlope && problem->space->dot(problem, trial->g, line->d) <= most)
		return true;
	return normOf(problem, trial->g) < normOf(problem, it->g);
}

static void tryStep(plProblem* problem, plIterate* it, double alpha, const plTangent* d, bool withGradient,
                    plTrial* trial)
{
	problem->space->advance(problem, trial->q, it->q, alpha, d);
	trial->f = withGradient ? problem->objective->evaluate(problem, trial->q, trial->g)
	                        : problem->objective->value(problem, trial->q);
	trial->hasGradient = withGradient;
	it->lineSearches++;
}

// Where a step leaves the balls there are two ways to go on: every vertex goes along the direction as far as its own
// ball lets it; or all go up to where surfaces meet. `line` is the first, `rest` the second. What is stiff is bent and
// stretched if its vertices are held back one by one, and the first way is worth much less than its slope promises. So
// it is tried as long as that promises more than the whole second way.
// Where nothing meets there is one way.
static void keepApart(Line* line, Line* rest, plProblem* problem, const plIterate* it, plTrial* trial)
{
	double share = 0.0;
	if (problem->pairs->confine(problem, it->q, line->d, line->first) == line->d)
		return;
	*rest = *line;
	bool isSearched = problem->pairs->lookAhead(problem, it->q, line->d, line->first, &share) == pl_success;
	rest->first *= isSearched ? share : 0.0;
	if (share < 1.0 && isSearched)
	{
		line->d = problem->pairs->confine(problem, it->q, line->d, line->first);
		line->slope = problem->space->dot(problem, it->g, line->d);
	}
	else
	{
		line->first = rest->first;
		trial->isAhead = isSearched;
		rest->first = 0.0;
	}
}

// What a step promises to lower the objective by
static double promiseOf(const Line* line, double step)
{
	return -line->slope * step;
}

double plLineSearch_Find(const plLineSearch* search, plProblem* problem, plIterate* it, const plTangent* d,
                         double slope, plTrial* trial)
{
	if (!it->valueValid)
		it->f = problem->objective->value(problem, it->q);
	it->valueValid = true;
	trial->d = d;
	trial->isAhead = false;
	if (!(slope < 0.0))
		return 0.0;
	Line line = {search, d, slope, search->firstStep}, rest = {.first = 0.0};
	if (problem->pairs != NULL)
		keepApart(&line, &rest, problem, it, trial);
	if (!(line.slope < 0.0) && !(rest.first > 0.0))
		return 0.0;
	int tries = 0;
	for (double alpha = line.first; alpha > 0.0 && alpha >= search->minStep * line.first; alpha *= search->shrink)
	{
		if (rest.first > 0.0 && promiseOf(&line, alpha) <= promiseOf(&rest, rest.first))
		{
			line = rest;
			alpha = line.first;
			rest.first = 0.0;
			tries = 0;
			trial->isAhead = true;
		}
		trial->d = line.d;
		tryStep(problem, it, alpha, line.d, search->withGradient && alpha == line.first, trial);
		if (isBetter(&line, problem, it, alpha, trial))
		{
			PL_VALIDATE(trial->f.value <= it->f.value + trial->f.noise + it->f.noise,
			            "a step that is taken raises the objective by noise at most");
			return alpha;
		}
		// All that there is to gain is less than noise: this is a minimum as far as anybody can tell.
		if (promiseOf(&line, line.first) < it->f.noise && ++tries == hopelessTries)
			return 0.0;
	}
	return 0.0;
}

void plIterate_Take(plIterate* it, plProblem* problem, const plTrial* trial)
{
	problem->space->copyPoint(problem, it->q, trial->q);
	if (trial->isAhead)
		problem->pairs->follow(problem, it->q);
	if (trial->hasGradient)
		problem->space->copy(problem, it->g, trial->g);
	it->gradientValid = trial->hasGradient;
	it->f = trial->f;
}

double plLineSearch_Run(const plLineSearch* search, plProblem* problem, plIterate* it, const plTangent* d,
                        plTrial* trial)
{
	double alpha = plLineSearch_Find(search, problem, it, d, problem->space->dot(problem, it->g, d), trial);
	if (alpha > 0.0)
		plIterate_Take(it, problem, trial);
	return alpha;
}
