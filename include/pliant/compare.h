// compare.h: several methods on the problem of one step, each from the same state, for `pliant compare` and for those
// who write methods
#ifndef PLIANT_COMPARE_H
#define PLIANT_COMPARE_H

#include "pliant.h"

// One iterate. Everything but the time is evaluated in double, whatever the precision of the method.
typedef struct plCompareSample
{
	size_t solver;        // index into the solvers
	int iteration;        // 0: q_t, the state at the start of the step with its pins moved, for every method
	double ms;            // spent in first guess, refresh and iterations so far, without what a method keeps from
	                      // step to step; the best of three runs
	double processorMs;   // the same in time of the processor, of all threads: others may use the machine
	double objective;     // eps, J
	double relativeError; // (eps - eps*) / (eps(q_t) - eps*)
	double residual;      // 2-norm of the gradient over free degrees of freedom, N
} plCompareSample;

// Called with the samples of the first solver in order, then with those of the second, ...
typedef void plCompareFcn(const plCompareSample* sample, void* context);

// What the methods are measured by.
typedef struct plComparison
{
	double start;            // eps(q_t), J
	double best;             // eps*, J: newton in double, until it can lower neither value nor residual
	double noise;            // bound on the rounding of their difference, J
	double residual;         // at eps*, N
	double relativeResidual; // the same as in plStepReport
	int iterations;          // that newton took
} plComparison;

// Takes the problem of the world's next step (its first substep) and runs every solver on it. Each starts from its own
// first guess, with a method state of its own. It ends when its budget is used, its tolerance is reached, or it stalls.
// The epoch is frozen. The world stays as it is, to the bit. `comparison` may be NULL. A state that is its own minimum
// is refused: there is no error to divide by.
PL_API plResult plWorld_Compare(plWorld* world, const plSolverDef* solvers, size_t count, plCompareFcn* record,
                                void* context, plComparison* comparison, plError* error);

#endif
