// loop.c: iterate until converged or out of budget, and the verdict; the same for every method
//
//   residual           |g|_2 over the free degrees of freedom
//   relative residual  residual / force scale; 0 when both are 0, up to rounding
//   stop early         relative residual <= tolerance, or the residual is rounding noise: stalled
//                      tolerance 0: never, but auto, or with a budget, at accept
//   converged          relative residual <= max(accept, tolerance)
//
// The force scale costs a gradient of its own. A method that leaves a gradient behind is not made to pay for that as
// long as its residual, over the scale before, is far from the tolerance: then it is measured every fourth time only.
//
// Friction goes by the normal forces at the start of its epoch. Its lag at q is the norm of the difference to the
// forces that it would have with the normal forces at q. A new epoch begins
//
//   after an iteration  if the lag exceeds the residual: then there is more to gain from that than from another
//                       iteration
//   at the end          of an epoch that has converged or stalled; and when the budget is spent
//
// Epochs may run in a circle: pairs that slide and hardly push take turns. After some, friction is taken at
// q_e + theta (q - q_e) instead of q, q_e where it was taken before, and theta falls: a fixed point of this is one of
// the other. The state follows closely, to a part of the tolerance, else each iteration is a leap of many epochs.
//
// So the verdict judges friction by the normal forces of the final state.
//
// Where surfaces held vertices back, there is a search about the state reached (problem/pairs.h), and the method goes
// on. A method that stalled because of them has not stalled, unless it moved nothing since the last search.
//
// [WY16] Wang and Yang, Descent methods for elastic body simulation on the GPU, 2016.
#include "method.h"
#include "options.h"

#include <math.h>

enum
{
	epochLength = 8, // iterations between two conversions of elements; [WY16] also tests step lengths in such windows
	measureEvery = 4,
	fewFrictions = 32,   // times that friction may be taken anew in any minimisation; usual are five, ten at an impact
	wholeFrictions = 12, // of these at the state reached, the others damped
};

typedef struct Progress
{
	const plMethodType* type;
	plMethodState* state;
	plProblem* problem;
	plIterate it;
	bool measured; // the report's residual and the scale belong to it.q
	plForceScale scale;
	const plRecorder* recorder; // NULL: nobody watches
	int age;                    // iterations since elements were last asked to convert
	int frictions;              // times that friction was taken anew
	plPoint* rubbed;            // where it was taken last, if `hasRubbed`; NULL: it is never damped
	bool hasRubbed;
	bool isOver;      // converged with friction of q, while it was damped
	bool searched;    // for pairs, since q moved last
	int unmeasured;   // iterations since it was last measured
	int extra;        // iterations that are none of the budget
	double tolerance; // 0: the whole budget
	double accept;
	int limit;             // iterations
	int mostFrictions;     // times that friction may be taken anew
	double deadline, mark; // 0: none; when the last iteration began
	plLoopReport* report;
} Progress;

// A body that floats at rest has no forces but rounding: there both are 0.
static double relativeResidual(double residual, double forces, double noise)
{
	const double hardlyAny = 1e3;
	if (residual <= noise && forces <= hardlyAny * noise)
		return 0.0;
	return forces > 0.0 ? residual / forces : INFINITY;
}

// A residual below this is not worth another iteration. Loads are no rounding: what the bound of the noise hides vertex
// by vertex may together move the body. There, unless the state counts as converged anyway, the method goes on until it
// stalls by itself.
static double noiseOf(const Progress* run)
{
	const plForceScale* scale = &run->scale;
	bool isLoaded = scale->loads > 1e-3 * scale->noise && run->report->residual > run->accept * scale->forces;
	return isLoaded ? 0.0 : scale->noise;
}

static void setRelativeResidual(Progress* run, double residual)
{
	run->report->residual = residual;
	run->report->relativeResidual = relativeResidual(residual, run->scale.forces, noiseOf(run));
}

void plLoopReport_Judge(plLoopReport* report, double residual, plForceScale scale, const plSolverDef* def)
{
	report->residual = residual;
	report->forceScale = scale.forces;
	report->relativeResidual = relativeResidual(residual, scale.forces, scale.noise);
	report->converged = report->relativeResidual <= fmax(def->tolerance, def->accept);
}

// Gradient, residual and scale at the current point.
static void measure(Progress* run)
{
	if (run->measured)
		return;
	plLoopReport* report = run->report;
	run->problem->objective->gradient(run->problem, run->it.q, run->it.g, &run->scale);
	double bodies = run->type->takesBodies ? run->scale.bodies : 0.0;
	if (run->type->takesBodies)
		run->scale.forces = sqrt(run->scale.forces * run->scale.forces + run->scale.bodyForces * run->scale.bodyForces);
	report->forceScale = run->scale.forces;
	run->it.gradientValid = run->measured = true;
	double square = run->problem->space->dot(run->problem, run->it.g, run->it.g);
	setRelativeResidual(run, sqrt(square + bodies * bodies));
}

// Measures unless it is clear that the tolerance is not reached.
static void measureIfNear(Progress* run)
{
	static const double near = 3.0; // scales of a step change less than that in a few iterations
	const plProblem* problem = run->problem;
	if (run->it.gradientValid && ++run->unmeasured < measureEvery)
	{
		double square = problem->space->dot(run->problem, run->it.g, run->it.g);
		double least = fmax(run->tolerance * run->scale.forces, run->scale.noise);
		if (square > near * least * near * least)
		{
			setRelativeResidual(run, sqrt(square));
			return;
		}
	}
	run->unmeasured = 0;
	measure(run);
}

// The objective changes here and nowhere else; what was known about it is then void.
static plResult relax(Progress* run, const plPoint* at, plRelaxKind kind, plError* error)
{
	bool changed;
	plResult result = run->problem->objective->relax(run->problem, at, kind, &changed);
	if (result < 0)
		return plFail(error, result, "%s: not enough memory for the friction of %zu vertices", run->type->name,
		              run->problem->layout.vertexCount);
	if (!changed)
		return pl_success;
	run->report->epochs++;
	run->it.gradientValid = run->it.valueValid = run->measured = false;
	if (run->type->restart != NULL)
		run->type->restart(run->state, run->problem);
	return pl_success;
}

static double getLag(const Progress* run)
{
	return run->recorder == NULL ? run->problem->objective->frictionLag(run->problem, run->it.q) : 0.0;
}

// How far the state that friction is taken at follows the one reached
static double getShare(const Progress* run)
{
	if (run->frictions < wholeFrictions || run->rubbed == NULL || !run->hasRubbed)
		return 1.0;
	return fmax(ldexp(1.0, -run->frictions / wholeFrictions), 1.0 / 256.0);
}

static plResult takeFriction(Progress* run, plError* error)
{
	const plSpaceVerbs* space = run->problem->space;
	double share = getShare(run);
	run->frictions++;
	if (run->rubbed == NULL)
		return relax(run, run->it.q, pl_relaxFriction, error);
	if (share < 1.0)
		space->extrapolate(run->problem, run->rubbed, run->rubbed, share, run->it.q);
	else
		space->copyPoint(run->problem, run->rubbed, run->it.q);
	run->hasRubbed = true;
	return relax(run, run->rubbed, pl_relaxFriction, error);
}

// A new epoch if friction lags behind by more than the residual.
static plResult relaxFriction(Progress* run, plError* error)
{
	double lag = run->frictions < run->mostFrictions ? getLag(run) : 0.0;
	if (!(lag > 0.0))
		return pl_success;
	plIterate_NeedGradient(&run->it, run->problem);
	if (lag <= sqrt(run->problem->space->dot(run->problem, run->it.g, run->it.g)))
		return pl_success;
	return takeFriction(run, error);
}

// Is there nothing left to do in this epoch? Where friction is damped the state has to follow it closely.
static bool isDone(const Progress* run)
{
	double tolerance = getShare(run) < 1.0 ? 0.25 * run->tolerance : run->tolerance;
	return run->tolerance > 0.0 &&
	       (run->report->relativeResidual <= tolerance || (run->measured && run->report->residual <= noiseOf(run)));
}

// A new epoch if friction lags behind at all, measured. Whether all is done is seen by the friction of q itself; if it
// is not, damped friction follows q until there is something to do.
static plResult endEpoch(Progress* run, plError* error)
{
	if (run->frictions >= run->mostFrictions || !(getLag(run) > 0.0))
		return pl_success;
	plResult result = pl_success;
	if (getShare(run) < 1.0)
	{
		result = relax(run, run->it.q, pl_relaxFriction, error);
		measure(run);
		run->isOver = run->report->relativeResidual <= run->tolerance;
		if (result < 0 || run->isOver)
			return result;
	}
	do
	{
		bool isDamped = getShare(run) < 1.0;
		result = takeFriction(run, error);
		measure(run);
		if (!isDamped)
			break;
	} while (result >= 0 && isDone(run) && run->frictions < run->mostFrictions);
	return result;
}

// Between two iterations of which the first left a state that the method stands by.
static plResult relaxBetween(Progress* run, plError* error)
{
	plResult result = pl_success;
	if (run->age >= epochLength)
	{
		run->age = 0;
		if (run->recorder == NULL)
			result = relax(run, run->it.q, pl_relaxElements, error);
	}
	if (result >= 0)
		result = relaxFriction(run, error);
	return result;
}

// A search for pairs about q if any vertex was held back by one; a recorder sees the same states as nobody.
static plResult search(Progress* run, plError* error)
{
	plProblem* problem = run->problem;
	if (problem->pairs == NULL || run->searched || problem->pairs->countHeld(problem) == 0)
		return pl_success;
	run->searched = true;
	if (problem->pairs->search(problem, run->it.q) < 0)
		return plFail(error, pl_errorMemory, "%s: not enough memory for the pairs of %zu vertices", run->type->name,
		              problem->layout.vertexCount);
	return pl_success;
}

// One iteration, counted. The method may find that it cannot go on, but with other friction it may.
static plResult iterate(Progress* run, plError* error)
{
	int before = run->frictions;
	bool searched = run->searched;
	plResult result = pl_success;
	run->it.isExtra = false;
	switch (run->type->iterate(run->state, run->problem, &run->it, error))
	{
	case pl_iterateMoved:
		run->report->iterations++;
		run->extra += run->it.isExtra;
		run->age++;
		run->measured = run->searched = false;
		if (run->it.settled)
			result = search(run, error);
		break;
	case pl_iterateStalled:
		run->measured = false; // what was tried in vain left its reactions behind
		result = search(run, error);
		if (result >= 0)
			result = relaxFriction(run, error);
		run->report->stalled = run->frictions == before && run->searched == searched;
		break;
	case pl_iterateFailed:
		result = error->code;
		break;
	}
	return result;
}

// Would another iteration, as long as the last, end after the deadline? The first is always made.
static bool isLate(Progress* run)
{
	if (!(run->deadline > 0.0))
		return false;
	double now = plNow(), last = run->mark > 0.0 ? now - run->mark : 0.0;
	run->mark = now;
	return now + last > run->deadline;
}

static plResult iterateAll(Progress* run, plError* error)
{
	plLoopReport* report = run->report;
	for (int k = 0; k < run->limit && !report->stalled && !(isLate(run) && report->iterations > 0);
	     k += !run->it.isExtra)
	{
		plResult result = pl_success;
		if (isDone(run))
			result = endEpoch(run, error);
		else if (run->it.settled)
			result = relaxBetween(run, error);
		if (result < 0)
			return result;
		if (isDone(run) || run->isOver)
		{
			report->stalled = report->relativeResidual > run->tolerance;
			break;
		}
		result = iterate(run, error);
		if (result < 0)
			return result;
		// A method that runs its whole budget is not made to pay for a residual it does not ask for.
		if (run->it.settled && run->tolerance > 0.0 && !report->stalled)
			measureIfNear(run);
		if (run->recorder != NULL && report->iterations > 0)
			run->recorder->record(run->recorder->context, report->iterations, run->it.q);
	}
	return pl_success;
}

// The last change of friction is not counted: it is the verdict's.
static void validateReport(const Progress* run)
{
	const plLoopReport* report = run->report;
	PL_VALIDATE(report->iterations - run->extra <= run->limit, "a method stays within its budget");
	PL_VALIDATE(run->frictions <= run->mostFrictions, "friction is taken anew a bounded number of times");
	PL_VALIDATE(report->epochs >= 1 + run->frictions, "every change of the objective begins an epoch");
	PL_VALIDATE(!(run->scale.forces < 0.0) && !(run->scale.noise < 0.0), "the scale of forces is not below 0");
}

static double toleranceOf(const plSolverDef* def)
{
	bool untilAccept = def->method == pl_methodAuto || plSolverDef_HasBudget(def);
	return def->tolerance > 0.0 || !untilAccept ? def->tolerance : def->accept;
}

plResult plMinimise(const plMinimisation* task, plLoopReport* report, plError* error)
{
	plProblem* problem = task->problem;
	const plSolverDef* def = task->def;
	*report = (plLoopReport){.epochs = 1};
	Progress run = {.type = task->type,
	                .state = task->state,
	                .problem = problem,
	                .it = {.q = task->q, .g = task->gradient},
	                .rubbed = task->rubbed,
	                .recorder = task->recorder,
	                .tolerance = toleranceOf(def),
	                .accept = def->accept,
	                .limit = def->budget > 0 ? def->budget : def->iterations,
	                .deadline = task->deadline,
	                .report = report};
	run.mostFrictions = run.limit / 4 > fewFrictions ? run.limit / 4 : fewFrictions;
	plError local;
	if (run.tolerance > 0.0)
		measure(&run);
	error = error != NULL ? error : &local;
	plResult result = iterateAll(&run, error);
	if (result >= 0 && getLag(&run) > 0.0)
		result = relax(&run, run.it.q, pl_relaxFriction, error);
	if (result < 0)
		return error->code;

	measure(&run);
	if (!run.it.valueValid)
		run.it.f = problem->objective->value(problem, task->q);
	report->objective = run.it.f;
	report->lineSearches = run.it.lineSearches;
	PL_VALIDATE_CALL(validateReport(&run));
	if (!isfinite(report->residual) || !isfinite(report->objective.value))
		return plFail(error, pl_errorNumeric, "%s: the state stopped being finite (residual %g, objective %g)",
		              task->type->name, report->residual, report->objective.value);
	plLoopReport_Judge(report, report->residual, run.scale, def);
	if (task->type->ended != NULL)
		task->type->ended(task->state, problem, report->converged);
	return report->converged ? pl_success : pl_notConverged;
}
