// tune.h: the phases of Chebyshev's acceleration from a pre-simulation, for `pliant tune`
#ifndef PLIANT_TUNE_H
#define PLIANT_TUNE_H

#include "pliant.h"

typedef struct plTuneDef
{
	plSolverDef solver; // what is tuned; accelerated by chebyshev. Its rho and phases are replaced.
	int phases;         // 1 to PL_PHASE_COUNT
	double rho;         // of all phases at the start; 0: that of pl_rhoBudget
	uint64_t steps;     // of the simulation that the problems are taken from, from the world's state on
	int problems;       // so many of its steps, spread evenly
	uint32_t cookie;
} plTuneDef;

PL_API plTuneDef plDefaultTuneDef(void); // descent, 2 phases, 3 problems of 60 steps

// A step whose problem was used. Errors are relative, as in plCompareSample, after the whole budget.
typedef struct plTuneProblem
{
	uint64_t step;
	double start;  // with the phases that the search began with
	double budget; // with pl_rhoBudget
	double tuned;
} plTuneProblem;

typedef struct plTuneReport
{
	plSolverDef solver; // the best one found
	double start;       // geometric means of the above
	double budget;
	double tuned;
	int trials;  // solvers that were tried, each on every problem
	int changes; // that were kept
	int problemCount;
} plTuneReport;

// Called whenever a change was kept.
typedef void plTuneFcn(const plTuneReport* soFar, void* context);

// Goes through `steps` steps with newton in double, keeps `problems` states, and then changes the phases for as long as
// that lowers the geometric mean of the errors. `problems` has room for def->problems; it and `call` may be NULL.
// The world ends in the state that it began with. The same answer for any number of threads.
PL_API plResult plWorld_Tune(plWorld* world, const plTuneDef* def, plTuneFcn* call, void* context,
                             plTuneProblem* problems, plTuneReport* report, plError* error);

#endif
