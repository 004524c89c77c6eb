// line_search.c: backtracking with the Armijo test, aware of noise
//
//   accept alpha if   f(q + alpha d) <= f(q) + c alpha g.d                          (Armijo)
//   or, when the two values cannot be told apart, |f_new - f| <= eta_new + eta,
//                     the gradient norm falls:  |g_new| < |g|
//
// Near a minimum the decrease drowns in the rounding of the values (plain Armijo in double stalls at a relative
// gradient of about 1e-7); the gradient does not, so it decides there. A trial that is not finite is rejected.
#include "line_search.h"

#include <math.h>

enum
{
	hopelessTries = 8
};

static bool isBetter(const plLineSearch* search, plProblem* problem, const plIterate* it, plValue f, double alpha,
                     double slope, const plPoint* trial, plTangent* trialGradient, double norm, bool* gradientKnown)
{
	if (!isfinite(f.value))
		return false;
	double predicted = search->armijo * alpha * slope;
	double noise = f.noise + it->f.noise;
	bool tellable = fabs(f.value - it->f.value) > noise;
	if (tellable || -predicted > noise)
		return f.value <= it->f.value + predicted;
	if (!*gradientKnown)
		problem->verbs->gradient(problem, trial, trialGradient, NULL);
	*gradientKnown = true;
	return sqrt(problem->verbs->dot(problem, trialGradient, trialGradient)) < norm;
}

double plLineSearch_Run(const plLineSearch* search, plProblem* problem, plIterate* it, const plTangent* d,
                        plPoint* trial, plTangent* trialGradient)
{
	const plProblemVerbs* verbs = problem->verbs;
	if (!it->valueValid)
	{
		it->f = verbs->value(problem, it->q);
		it->valueValid = true;
	}
	double slope = verbs->dot(problem, it->g, d);
	double norm = sqrt(verbs->dot(problem, it->g, it->g));
	if (!(slope < 0.0))
		return 0.0;
	int tries = 0;
	for (double alpha = search->firstStep; alpha >= search->minStep * search->firstStep; alpha *= search->shrink)
	{
		bool gradientKnown = search->withGradient && alpha == search->firstStep;
		verbs->advance(problem, trial, it->q, alpha, d);
		plValue f = gradientKnown ? verbs->evaluate(problem, trial, trialGradient) : verbs->value(problem, trial);
		it->lineSearches++;
		if (!isBetter(search, problem, it, f, alpha, slope, trial, trialGradient, norm, &gradientKnown))
		{
			// All that there is to gain is less than noise: this is a minimum as far as anybody can tell.
			bool hopeless = -slope * search->firstStep < it->f.noise && ++tries == hopelessTries;
			if (hopeless)
				return 0.0;
			continue;
		}
		verbs->copyPoint(problem, it->q, trial);
		if (gradientKnown)
			verbs->copy(problem, it->g, trialGradient);
		it->gradientValid = gradientKnown;
		it->f = f;
		return alpha;
	}
	return 0.0;
}
