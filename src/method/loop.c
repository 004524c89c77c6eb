// loop.c: iterate until converged or out of budget, and the verdict; the same for every method
//
//   residual           |g|_2 over the free degrees of freedom
//   relative residual  residual / force scale; 0 when both are 0, up to rounding
//   stop early         relative residual <= tolerance, or the residual is rounding noise: stalled  (tolerance 0: never)
//   converged          relative residual <= max(accept, tolerance)
#include "method.h"

#include <math.h>

typedef struct Progress
{
	const plMethodType* type;
	plMethodState* state;
	plProblem* problem;
	plIterate it;
	bool measured; // the report's residual and the scale belong to it.q
	plForceScale scale;
	const plRecorder* recorder; // NULL: nobody watches
	plLoopReport* report;
} Progress;

// A body that floats at rest has no forces but rounding: there both are 0.
static double relativeResidual(double residual, plForceScale scale)
{
	const double hardlyAny = 1e3;
	if (residual <= scale.noise && scale.forces <= hardlyAny * scale.noise)
		return 0.0;
	return scale.forces > 0.0 ? residual / scale.forces : INFINITY;
}

// Gradient, residual and scale at the current point.
static void measure(Progress* run)
{
	if (run->measured)
		return;
	const plProblemVerbs* verbs = run->problem->verbs;
	plLoopReport* report = run->report;
	verbs->gradient(run->problem, run->it.q, run->it.g, &run->scale);
	report->forceScale = run->scale.forces;
	run->it.gradientValid = run->measured = true;
	report->residual = sqrt(verbs->dot(run->problem, run->it.g, run->it.g));
	report->relativeResidual = relativeResidual(report->residual, run->scale);
}

// Contacts, multipliers and the like change here and nowhere else; what was known about the objective is then void.
static void relax(Progress* run)
{
	if (run->recorder != NULL || !run->problem->verbs->relax(run->problem, run->it.q))
		return;
	run->report->epochs++;
	run->it.gradientValid = run->it.valueValid = run->measured = false;
	run->type->restart(run->state, run->problem);
}

static plResult iterateAll(Progress* run, const plSolverDef* def, plError* error)
{
	plLoopReport* report = run->report;
	for (int k = 0; k < def->iterations && !report->stalled; ++k)
	{
		if (def->tolerance > 0.0 && report->relativeResidual <= def->tolerance)
			break;
		if (def->tolerance > 0.0 && report->residual <= run->scale.noise)
		{
			report->stalled = true;
			break;
		}
		switch (run->type->iterate(run->state, run->problem, &run->it, error))
		{
		case pl_iterateMoved:
			report->iterations++;
			run->measured = false;
			break;
		case pl_iterateStalled:
			report->stalled = true;
			break;
		case pl_iterateFailed:
			return error != NULL ? error->code : pl_errorNumeric;
		}
		if (run->it.settled)
			relax(run);
		// A method that runs its whole budget is not made to pay for a residual it does not ask for.
		if (run->it.settled && def->tolerance > 0.0 && !report->stalled)
			measure(run);
		if (run->recorder != NULL && report->iterations > 0)
			run->recorder->record(run->recorder->context, report->iterations, run->it.q);
	}
	return pl_success;
}

plResult plMinimise(const plMethodType* type, plMethodState* state, plProblem* problem, const plSolverDef* def,
                    plPoint* q, plTangent* gradient, const plRecorder* recorder, plLoopReport* report, plError* error)
{
	*report = (plLoopReport){.epochs = 1};
	Progress run = {.type = type,
	                .state = state,
	                .problem = problem,
	                .it = {.q = q, .g = gradient},
	                .recorder = recorder,
	                .report = report};
	plError local;
	if (def->tolerance > 0.0)
		measure(&run);
	plResult result = iterateAll(&run, def, error != NULL ? error : &local);
	if (result < 0)
		return error != NULL ? error->code : local.code;

	measure(&run);
	if (!run.it.valueValid)
		run.it.f = problem->verbs->value(problem, q);
	report->objective = run.it.f;
	report->lineSearches = run.it.lineSearches;
	if (!isfinite(report->residual) || !isfinite(report->objective.value))
		return plFail(error, pl_errorNumeric, "%s: the state stopped being finite (residual %g, objective %g)",
		              type->name, report->residual, report->objective.value);
	double accept = def->tolerance > def->accept ? def->tolerance : def->accept;
	report->converged = report->relativeResidual <= accept;
	return report->converged ? pl_success : pl_notConverged;
}
