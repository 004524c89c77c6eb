// verdict.c: counts, and what to do about steps that did not converge
#include "verdict.h"

#include "app.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const double tooDeep = 0.01;     // of a body's extent
static const double tooDeepRigid = 0.5; // of the width of the smaller of two rigid bodies

// Did the method of rigid bodies make these steps?
static bool isRigid(const plVerdict* v)
{
	for (int m = 0; m < pl_methodCount; ++m)
		if (v->made[m] > 0 && plMethod_TakesBodies((plMethod)m))
			return true;
	return false;
}

bool plVerdict_Add(plVerdict* v, const plStepReport* report)
{
	if (v->steps == v->capacity)
	{
		size_t capacity = 2 * v->capacity + 256;
		double* residuals = realloc(v->residuals, capacity * sizeof *residuals);
		if (residuals == NULL)
			return false;
		v->residuals = residuals;
		v->capacity = capacity;
	}
	v->residuals[v->steps++] = report->relativeResidual;
	v->worst = report->relativeResidual > v->worst ? report->relativeResidual : v->worst;
	bool isSunken = report->sunken > (plMethod_TakesBodies(report->method) ? tooDeepRigid : tooDeep);
	v->sunkenSteps += isSunken;
	v->firstSunken = v->firstSunken == 0 && isSunken ? report->step : v->firstSunken;
	v->lastSunken = report->sunken;
	v->depth = report->sunken > v->sunken ? report->penetration : v->depth;
	v->sunken = report->sunken > v->sunken ? report->sunken : v->sunken;
	v->paired += report->selfContacts > 0;
	v->pairs = report->selfContacts > v->pairs ? report->selfContacts : v->pairs;
	v->gap = report->selfContacts > 0 && report->gap < v->gap ? report->gap : v->gap;
	v->searches += report->searches;
	v->laggedSteps += report->pinLag > 0.0;
	v->firstLagged = v->firstLagged == 0 && report->pinLag > 0.0 ? report->step : v->firstLagged;
	v->lag = report->pinLag > v->lag ? report->pinLag : v->lag;
	v->made[report->method]++;
	v->chosen[report->choice]++;
	if (report->converged || plMethod_TakesBodies(report->method))
		return true;
	v->notConverged++;
	v->projected += v->model == pl_contactProjection && report->contacts > 0;
	v->firstNotConverged = v->firstNotConverged > 0 ? v->firstNotConverged : report->step;
	return true;
}

void plVerdict_Free(plVerdict* v)
{
	free(v->residuals);
	*v = (plVerdict){0};
}

static int compareNumbers(const void* a, const void* b)
{
	double x = *(const double*)a, y = *(const double*)b;
	return (x > y) - (x < y);
}

static double findMedian(const plVerdict* v)
{
	qsort(v->residuals, v->steps, sizeof *v->residuals, compareNumbers);
	return v->steps > 0 ? v->residuals[v->steps / 2] : 0.0;
}

// Which methods auto took, and why it changed over
static void printChoices(const plVerdict* v)
{
	const char* before = "; ";
	for (int i = 0; i < pl_methodCount; ++i)
		if (i != pl_methodAuto && v->made[i] > 0)
		{
			printf("%s%s %s%" PRIu64, before, plMethod_GetName((plMethod)i), before[0] == ';' ? "made " : "",
			       v->made[i]);
			before = ", ";
		}
	if (v->made[pl_methodAuto] > 0)
		printf("%s%" PRIu64 " needed no iteration", before, v->made[pl_methodAuto]);
	if (v->chosen[pl_choiceSlow] > 0)
		printf("; %" PRIu64 " took over because the other was slow", v->chosen[pl_choiceSlow]);
	if (v->chosen[pl_choiceStalled] > 0)
		printf("; %" PRIu64 " because it stalled", v->chosen[pl_choiceStalled]);
}

// Not by the residual, which a fixed number of iterations leaves where it is.
static void printRigid(const plVerdict* v)
{
	printf("deepest overlap of rigid bodies %.2g m, %.2g %% of the smaller one's width; %.2g %% at the end", v->depth,
	       100.0 * v->sunken, 100.0 * v->lastSunken);
}

void plVerdict_Print(const plVerdict* v, uint64_t converged, uint64_t steps)
{
	const plSolverDef* solver = &v->solver;
	printf("%s: ", plMethod_GetName(solver->method));
	if (isRigid(v))
		printRigid(v);
	else if (plSolverDef_HasBudget(solver) && v->steps > 0)
		printf("budget of %s, relative residual %.2g (median), %.2g (worst)",
		       solver->budget > 0 ? "iterations" : "time", findMedian(v), v->worst);
	else
		printf("%" PRIu64 " of %" PRIu64 " steps converged", converged, steps);
	if (!plSolverDef_HasBudget(solver) && v->steps > 0 && !isRigid(v))
		printf(", worst relative residual %.2g", v->worst);
	if (solver->method == pl_methodAuto)
		printChoices(v);
	printf("\n");
	if (v->paired > 0)
		printf("surfaces: %zu pairs at most in %" PRIu64 " of %" PRIu64
		       " steps, least gap %.2g m, %.2g searches a step\n",
		       v->pairs, v->paired, v->steps, v->gap, (double)v->searches / (double)v->steps);
}

// The knob that helps: the solver's, unless it was contact by projection that left bodies out of equilibrium
static const char* remedyOf(const plVerdict* v)
{
	const plSolverDef* solver = &v->solver;
	if (2 * v->projected > v->notConverged)
		return "contact.model \"energy\", whose bodies are in equilibrium with what they touch; or substeps";
	if (solver->method == pl_methodAuto)
		return "a smaller timestep or substeps; stats.jsonl has the residual of every step, and why it ended";
	if (solver->tolerance == 0.0)
		return "--method auto works until a step has converged; or --tolerance 1e-3 with more --iterations";
	return "more --iterations, --method auto, a smaller timestep or substeps";
}

static void warnSunken(const plVerdict* v, const char* path)
{
	if (v->sunkenSteps > 0 && isRigid(v))
		plApp_Warn("a smaller timestep or substeps, or slower bodies",
		           "%s: rigid bodies overlap by %.3g m, %.2g %% of the smaller one's width; above 50 %% in %" PRIu64
		           " steps, the first is step %" PRIu64,
		           path, v->depth, 100.0 * v->sunken, v->sunkenSteps, v->firstSunken);
	else if (v->sunkenSteps > 0)
		plApp_Warn("a smaller timestep or substeps; or a larger contact.stiffness",
		           "%s: a body sinks %.3g m into a collider, %.2g %% of its extent; above 1 %% in %" PRIu64
		           " steps, the first is step %" PRIu64,
		           path, v->depth, 100.0 * v->sunken, v->sunkenSteps, v->firstSunken);
}

static void warnLag(const plVerdict* v, const char* path)
{
	if (v->laggedSteps > 0)
		plApp_Warn("pins and colliders that do not drive surfaces into others, slower ones, or substeps",
		           "%s: surfaces kept pins or colliders up to %.3g m from where they were to be, in %" PRIu64
		           " steps, the first is step %" PRIu64,
		           path, v->lag, v->laggedSteps, v->firstLagged);
}

bool plVerdict_IsTooDeep(const plVerdict* v)
{
	return isRigid(v) && v->sunkenSteps > 0;
}

bool plVerdict_Warn(const plVerdict* v, const char* path)
{
	const plSolverDef* solver = &v->solver;
	warnSunken(v, path);
	warnLag(v, path);
	if (isRigid(v))
		return true;
	if (plSolverDef_HasBudget(solver))
	{
		if (v->worst <= solver->budgetResidual)
			return true;
		plApp_Warn("a larger budget; none, to work until every step has converged; or allow more by "
		           "solver.budget_residual",
		           "%s: the worst relative residual is %.2g, more than the budget allows (%.2g)", path, v->worst,
		           solver->budgetResidual);
		return false;
	}
	if (v->notConverged > 0)
		plApp_Warn(remedyOf(v), "%s: %" PRIu64 " of %" PRIu64 " steps did not converge, the first is step %" PRIu64,
		           path, v->notConverged, v->steps, v->firstNotConverged);
	return true;
}
