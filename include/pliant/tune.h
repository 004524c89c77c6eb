// tune.h: the phases of Chebyshev's acceleration from a pre-simulation, for `pliant tune`
#ifndef PLIANT_TUNE_H
#define PLIANT_TUNE_H

#include "pliant.h"

typedef struct plTuneDef
{
	plSolverDef solver; // what is tuned; accelerated by chebyshev. Its rho and phases are replaced.
	int phases;         // 1 to PL_PHASE_COUNT
	double rho;         // of all phases at the start; 0: that of pl_rhoBudget
	uint64_t steps;     // to simulate, from the world's state on
	int problems;       // so many of these steps, spread evenly, are tuned for
	uint32_t cookie;
} plTuneDef;

PL_API plTuneDef plDefaultTuneDef(void); // descent, 2 phases, 3 problems of 60 steps

// A step whose problem was used. Errors are relative, as in plCompareSample, after the whole budget.
typedef struct plTuneProblem
{
	uint64_t step;
	double start;  // with the phases at the start of the search
	double budget; // with pl_rhoBudget
	double tuned;  // with the best phases found
} plTuneProblem;

typedef struct plTuneReport
{
	plSolverDef solver; // the best one found
	double start;       // geometric means of the above
	double budget;
	double tuned;
	int trials;  // solvers tried, each on every problem
	int changes; // kept
	int problemCount;
} plTuneReport;

// Called whenever a change was kept.
typedef void plTuneFcn(const plTuneReport* soFar, void* context);

// Simulates `steps` steps with newton in double and keeps the states of `problems` of them. Then it changes the phases
// for as long as that lowers the geometric mean of the errors. `problems` has room for def->problems; it and `call` may
// be NULL. The world ends in the state that it began with. The answer is the same for any number of threads.
PL_API plResult plWorld_Tune(plWorld* world, const plTuneDef* def, plTuneFcn* call, void* context,
                             plTuneProblem* problems, plTuneReport* report, plError* error);

#endif
