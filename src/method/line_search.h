// line_search.h: how far to go along a descent direction, knowing the rounding noise of the objective
#ifndef PL_LINE_SEARCH_H
#define PL_LINE_SEARCH_H

#include "method.h"

typedef struct plLineSearch
{
	double firstStep;  // tried first
	double shrink;     // factor after a rejection
	double armijo;     // fraction of the predicted decrease that is asked for
	double minStep;    // give up below firstStep times this
	bool withGradient; // the first trial is likely to be taken: its gradient is computed with its value
} plLineSearch;

// Moves it->q along d. `trial` and `trialGradient` are work space; on success the accepted point, its value and, if it
// had to be looked at, its gradient are in `it`. Returns the step taken, 0 if no step lowers the objective.
double plLineSearch_Run(const plLineSearch* search, plProblem* problem, plIterate* it, const plTangent* d,
                        plPoint* trial, plTangent* trialGradient);

#endif
