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
	bool bySlope;      // where values are noise, the slope decides, too
} plLineSearch;

// A point that may be moved to, with its value and, if it had to be looked at, its gradient; the arrays are the
// caller's.
typedef struct plTrial
{
	plPoint* q;
	plTangent* g;
	plValue f;
	bool hasGradient;
	bool byGradient;    // values are noise: its gradient decided
	bool isAhead;       // surfaces were looked for ahead: balls follow if it is taken
	const plTangent* d; // the direction that was gone: the one asked for, unless surfaces are in its way
} plTrial;

// A trial along d, slope = g.d, that is better than `it`. Returns its step, 0 if no step lowers the objective. No step
// crosses a surface: all vertices go along d until surfaces meet, or each goes as far as its ball lets it.
double plLineSearch_Find(const plLineSearch* search, plProblem* problem, plIterate* it, const plTangent* d,
                         double slope, plTrial* trial);
// Moves `it` to a trial.
void plIterate_Take(plIterate* it, plProblem* problem, const plTrial* trial);
// Both
double plLineSearch_Run(const plLineSearch* search, plProblem* problem, plIterate* it, const plTangent* d,
                        plTrial* trial);

#endif
