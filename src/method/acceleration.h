// acceleration.h: from iterates to better ones, q = base + omega (t - base) with t the next iterate and base an earlier
// one
#ifndef PL_ACCELERATION_H
#define PL_ACCELERATION_H

#include "method.h"

// What an acceleration may look at.
typedef struct plAccelerationContext
{
	int iterations;    // before it has to start afresh, at the earliest in the next step
	double alpha;      // step length now
	double largest;    // eigenvalue of P^-1 H, estimated
	double leastShare; // smallest ratio of inertia to diagonal: no eigenvalue of P^-1 H is below it
	double decrease;   // sqrt of (g'P^-1 g now) / (g'P^-1 g at the last call of `next` that began a phase)
} plAccelerationContext;

typedef struct plAccelerationState
{
	const plSolverDef* def;
	int iteration; // of the step
	int count;     // since the last restart
	int rest;      // iterations still to be taken plainly
	double omega;  // Chebyshev
	double rho;
	double bound;     // no eigenvalue of the iteration is larger
	bool accelerated; // some omega since the last test was not 1
	bool spoiled;     // the phase was interrupted: its decrease says nothing
	double t;         // Nesterov
	double* keptRho;  // pl_rhoEstimate: from step to step
} plAccelerationState;

typedef struct plAccelerationType
{
	const char* name;
	bool basedOnTrial; // base is the last t, not the last q
	double margin;     // alpha is at most this over the largest eigenvalue of P^-1 H; 2 is where plain descent diverges
	void (*begin)(plAccelerationState* state, const plAccelerationContext* context);  // of a step
	double (*next)(plAccelerationState* state, const plAccelerationContext* context); // omega of the next iteration
	void (*restart)(plAccelerationState* state, bool rejected); // after a rejection, or in a new epoch
	// does the next iteration begin a phase? then `decrease` is wanted
	bool (*wantsDecrease)(const plAccelerationState* state);
} plAccelerationType;

extern const plAccelerationType plNoAccelerationType, plChebyshevType, plNesterovType;

double plChebyshev_GetBudgetRho(int iterations); // of pl_rhoBudget

#endif
