// compare.c: several methods on the problem of one step
//
//   iteration 0   q_t, the state with its pins moved; the same for every method
//   eps*          the reference: newton in double, without tolerance, until its line search can lower neither the
//                 value nor, within the value's noise, the residual
//   error         (eps(q_k) - eps*) / (eps(q_t) - eps*)
//
// The denominator starts at q_t and not at a method's first guess, so that methods with different guesses can be
// compared. eps and the residual are evaluated by a judge, a second problem in double over the same elements.
//
// A method is run `passes` times from scratch. All passes give the same iterates. The first one is judged, and the
// least time of all of them counts. The clock stands still while a sample is taken. It also stands still while a
// quasi-Newton method factorises what it would have from an earlier step: the times are those of any step but the
// first.
//
// The world stays as it is. What a step begins with (y, loads, held axes, ...) is worked out anew by the next step and
// shows nowhere else. The goals of soft pins show in their forces; they are put back. Everything else, the reaction
// forces included, is written to memory of the comparison. Forces of pins, loads, springs and colliders as wholes,
// contacts and residuals are not known any more until the next step (plPrepared.measured).
#include "compare.h"
#include "../base/platform.h"
#include "../world/world.h"

#include <math.h>

enum
{
	passes = 3,
	referenceIterations = 1000, // newton needs some ten; a bound for problems without a minimum
};

typedef struct Comparison
{
	plWorld* world;
	double* reaction; // by quads: nobody asks for it
	plProblem* judge; // in double
	plGuessRoom room; // points and tangents of the judge; its `g` is the gradient that is judged
	plComparison found;
	bool known;   // `found` is given
	double* ends; // [solvers] if only the errors at the end are wanted
} Comparison;

// One pass of one solver.
typedef struct Pass
{
	Comparison* of;
	size_t solver;
	plArray* samples; // plCompareSample of iterations 1, 2, ...
	bool judged;      // the first one; the others lower the times
	bool noMemory;
	double ms, processorMs;
	double mark, processorMark;
} Pass;

// ---- problems ------------------------------------------------------------------------------------------------------

// The world's problem in another precision, at the start of the substep that is compared.
static plProblem* openProblem(const Comparison* c, plPrecision precision, plError* error)
{
	const plProblem* own = c->world->prepared.problem;
	plProblem* problem = plWorld_OpenProblem(c->world, precision, c->reaction, error);
	if (problem == NULL)
		return NULL;
	problem->timestep = own->timestep;
	problem->acceleration = own->acceleration;
	problem->touches = own->touches;
	problem->heldRevision = own->heldRevision;
	problem->laplacianRevision = own->laplacianRevision;
	return problem;
}

static void closeProblem(const Comparison* c, plProblem* problem)
{
	c->world->backend->destroy(problem);
}

// ---- one method ----------------------------------------------------------------------------------------------------

static plCompareSample judge(Comparison* c, const plPoint* q)
{
	plProblem* problem = c->judge;
	double value = problem->objective->value(problem, q).value;
	problem->objective->gradient(problem, q, c->room.g, NULL);
	return (plCompareSample){.objective = value,
	                         .relativeError = (value - c->found.best) / (c->found.start - c->found.best),
	                         .residual = sqrt(problem->space->dot(problem, c->room.g, c->room.g))};
}

// Lets the clocks of a pass run on.
static void mark(Pass* pass)
{
	pass->mark = plNow();
	pass->processorMark = plProcessorNow();
}

// An iteration is told of twice when its state was given up for an earlier one at the end: the latter counts.
static void record(void* context, int iteration, const plPoint* q)
{
	Pass* pass = context;
	pass->ms += plMilliseconds(pass->mark);
	pass->processorMs += 1e3 * (plProcessorNow() - pass->processorMark);
	plArray* samples = pass->samples;
	bool isNew = pass->judged && (size_t)iteration > samples->count;
	if (isNew && plArray_Push(samples, &pass->of->world->heap, sizeof(plCompareSample)) == NULL)
		pass->noMemory = true;
	if ((size_t)iteration <= samples->count)
	{
		plCompareSample* sample = (plCompareSample*)samples->data + iteration - 1;
		double ms = isNew ? pass->ms : fmin(sample->ms, pass->ms);
		double processorMs = isNew ? pass->processorMs : fmin(sample->processorMs, pass->processorMs);
		if (pass->judged)
			*sample = judge(pass->of, q);
		sample->solver = pass->solver;
		sample->iteration = iteration;
		sample->ms = ms;
		sample->processorMs = processorMs;
	}
	mark(pass);
}

static void ignore(void* context, int iteration, const plPoint* q)
{
	(void)context;
	(void)iteration;
	(void)q;
}

// Made once and good for all steps: factors of a constant matrix, levels of a mesh. A step of many does not pay for it.
static bool hasLasting(const plSolverDef* def)
{
	return plMethod_GetFamily(def->method) == pl_familyQuasiNewton || def->method == pl_methodMultigrid ||
	       (def->method == pl_methodNewtonCg && def->preconditioner == pl_preconditionerMultigrid);
}

// The first guess, in c->room.next: where surfaces meet, as far towards it as they let vertices go. The pairs that are
// known then are those about it; a method searches again where it goes on, so they are right wherever it is judged.
static plResult guess(Comparison* c, plProblem* problem, const plSolverDef* def, plError* error)
{
	plWorld* world = c->world;
	plProblem* own = world->prepared.problem;
	plWorld_Guess(world, def, problem, &c->room, 1);
	if (world->prepared.near == NULL)
		return pl_success;
	problem->space->store(problem, world->qNext, c->room.next);
	own->space->load(own, world->prepared.next, world->qNext);
	plResult result = plWorld_ApproachNear(world, error);
	own->space->store(own, world->qNext, world->prepared.next);
	problem->space->load(problem, c->room.next, world->qNext);
	return result;
}

// From the first guess to the end, in c->room.next. Watched also if `pass` is NULL, because that freezes the epoch.
static plResult minimise(Comparison* c, plProblem* problem, const plSolverDef* def, Pass* pass, plLoopReport* report,
                         plError* error)
{
	const plMethodType* type = plMethod_GetType(def->method);
	plMethodState* state = plMethod_Create(problem, def, error);
	if (state == NULL)
		return error->code;
	plRecorder recorder = {pass != NULL ? record : ignore, pass};
	plResult result = plMethod_Colour(problem, def, error);
	if (result >= 0 && pass != NULL && hasLasting(def))
	{
		result = guess(c, problem, def, error);
		if (result >= 0)
			result = plMethod_Refresh(type, state, problem, c->room.next, error);
	}
	if (pass != NULL)
		mark(pass);
	if (result >= 0)
		result = guess(c, problem, def, error);
	if (result >= 0)
		result = plMethod_Refresh(type, state, problem, c->room.next, error);
	if (result >= 0)
	{
		plMinimisation task = {type, state, problem, def, c->room.next, c->room.work, &recorder, 0.0, NULL};
		result = plMinimise(&task, report, error);
	}
	type->destroy(state, problem);
	return result;
}

static plResult runSolver(Comparison* c, const plSolverDef* def, size_t number, plArray* samples, plError* error)
{
	plLoopReport report;
	plProblem* problem = openProblem(c, def->precision, error);
	if (problem == NULL)
		return error->code;
	plResult result = pl_success;
	for (int i = 0; i < passes && result >= 0; ++i)
	{
		Pass pass = {.of = c, .solver = number, .samples = samples, .judged = i == 0};
		result = minimise(c, problem, def, &pass, &report, error);
		if (pass.noMemory)
			result =
			    plFail(error, pl_errorMemory, "not enough memory for the samples of %s", plMethod_GetName(def->method));
	}
	closeProblem(c, problem);
	return result;
}

// ---- the comparison ------------------------------------------------------------------------------------------------

// q_t with pins moved, in c->room.here. False: no memory for the pairs about it
static bool findStart(Comparison* c)
{
	plWorld* world = c->world;
	double* q = world->qNext;
	memcpy(q, world->q, plLayout_GetLength(world->layout) * sizeof(double));
	plWorld_ApplyPins(world, 1, q, world->prepared.heldNew);
	c->judge->space->load(c->judge, c->room.here, q);
	return world->prepared.near == NULL || plWorld_SearchNear(world, q) >= 0;
}

static plResult findReference(Comparison* c, plCompareSample* start, plError* error)
{
	plProblem* problem = c->judge;
	plSolverDef newton = plDefaultSolverDef(pl_methodNewton);
	newton.iterations = referenceIterations;
	newton.tolerance = 0.0;
	plLoopReport report;
	plResult result = minimise(c, c->judge, &newton, NULL, &report, error);
	if (result < 0)
		return result;
	plValue best = problem->objective->value(problem, c->room.next);
	if (!findStart(c))
		return plFail(error, pl_errorMemory, "not enough memory for the pairs of %zu vertices",
		              c->world->layout.vertexCount);
	plValue first = problem->objective->value(problem, c->room.here);
	if (!isfinite(first.value))
		return plFail(error, pl_errorInput,
		              "pins go through a surface in this step: where it begins there is no objective to compare");
	c->found = (plComparison){.start = first.value,
	                          .best = best.value,
	                          .noise = first.noise + best.noise,
	                          .residual = report.residual,
	                          .relativeResidual = report.relativeResidual,
	                          .iterations = report.iterations};
	if (!(first.value - best.value > c->found.noise))
		return plFail(error, pl_errorInput, "the state is at its minimum already, there is nothing to compare");
	*start = judge(c, c->room.here);
	return pl_success;
}

// Once, and judged at its end only.
static plResult runToEnd(Comparison* c, const plSolverDef* def, double* end, plError* error)
{
	plLoopReport report;
	plProblem* problem = openProblem(c, def->precision, error);
	if (problem == NULL)
		return error->code;
	plResult result = pl_success;
	result = minimise(c, problem, def, NULL, &report, error);
	closeProblem(c, problem);
	*end = result >= 0 ? judge(c, c->room.next).relativeError : INFINITY;
	return result == pl_errorNumeric ? pl_success : result;
}

static plResult compareAll(Comparison* c, const plSolverDef* solvers, size_t count, plCompareFcn* call, void* context,
                           plError* error)
{
	plCompareSample start;
	plArray samples = {0};
	plResult result = c->known ? pl_success : findReference(c, &start, error);
	for (size_t s = 0; c->ends != NULL && s < count && result >= 0; ++s)
		result = runToEnd(c, solvers + s, c->ends + s, error);
	if (c->ends != NULL)
		return result < 0 ? result : pl_success;
	for (size_t s = 0; s < count && result >= 0; ++s)
	{
		samples.count = 0;
		result = runSolver(c, solvers + s, s, &samples, error);
		if (result < 0)
			break;
		start.solver = s;
		call(&start, context);
		for (size_t i = 0; i < samples.count; ++i)
			call((const plCompareSample*)samples.data + i, context);
	}
	plArray_Free(&samples, &c->world->heap, sizeof(plCompareSample));
	return result < 0 ? result : pl_success;
}

static bool openRoom(Comparison* c)
{
	const plSpaceVerbs* space = c->judge->space;
	c->room = (plGuessRoom){space->newPoint(c->judge), space->newPoint(c->judge), space->newTangent(c->judge),
	                        space->newTangent(c->judge)};
	return c->room.next && c->room.here && c->room.g && c->room.work;
}

static void closeRoom(Comparison* c)
{
	const plSpaceVerbs* space = c->judge->space;
	space->freePoint(c->judge, c->room.next);
	space->freePoint(c->judge, c->room.here);
	space->freeTangent(c->judge, c->room.g);
	space->freeTangent(c->judge, c->room.work);
}

// Everything that takes memory besides the problems of the solvers.
static plResult compareWith(Comparison* c, const plSolverDef* solvers, size_t count, plCompareFcn* call, void* context,
                            plError* error)
{
	plHeap* heap = &c->world->heap;
	size_t n = c->world->layout.vertexCount, length = plLayout_GetLength(c->world->layout);
	plResult result = pl_errorMemory;
	plFail(error, pl_errorMemory, "not enough memory to compare %zu vertices", n);
	c->reaction = PL_NEW_ZERO(heap, double, length);
	c->judge = c->reaction != NULL ? openProblem(c, pl_precisionDouble, error) : NULL;
	if (c->judge != NULL)
	{
		if (openRoom(c))
			result = compareAll(c, solvers, count, call, context, error);
		closeRoom(c);
		closeProblem(c, c->judge);
	}
	PL_FREE(heap, c->reaction, length);
	return result;
}

static plResult compareStep(Comparison* c, const plSolverDef* solvers, size_t count, plCompareFcn* call, void* context,
                            plError* error)
{
	plWorld* world = c->world;
	if (count == 0)
		return plFail(error, pl_errorInput, "there is no solver to compare");
	for (size_t i = 0; i < count; ++i)
	{
		if (plSolverDef_Check(solvers + i, error) < 0)
			return error->code;
		if (plContactDef_CheckMethod(&world->contactDef, solvers[i].method, error) < 0)
			return error->code;
		if (plWorld_AnyMeet(world) && !plMethod_TakesPairs(solvers[i].method))
			return plFail(error, pl_errorInput,
			              "%s cannot keep bodies from crossing each other or themselves; to compare it, set "
			              "contact.bodies and contact.self to false",
			              plMethod_GetName(solvers[i].method));
		if (plMethod_GetType(solvers[i].method)->isRigid)
			return plFail(error, pl_errorInput, "%s takes rigid bodies only: there is no objective to compare",
			              plMethod_GetName(solvers[i].method));
	}
	plResult result = plWorld_Prepare(world, error);
	if (result < 0)
		return result;
	if (plLayout_GetQuadCount(world->layout) == 0)
		return plFail(error, pl_errorInput, "the world is empty, there is nothing to compare");

	const plEnergySet* terms = &world->prepared.terms;
	size_t keptCount = plEnergySet_Save(terms, NULL);
	double* kept = PL_NEW(&world->heap, double, keptCount);
	if (kept == NULL && keptCount > 0)
		return plFail(error, pl_errorMemory, "not enough memory to compare %zu vertices", world->layout.vertexCount);
	plEnergySet_Save(terms, kept);
	plWorld_Predict(world, 0);
	result = plWorld_Collide(world, error);
	if (result >= 0)
	{
		const plPrepared* p = &world->prepared;
		plGuessRoom room = {p->next, p->here, p->gradient, p->work};
		plWorld_Guess(world, &world->solver, p->problem, &room, 1); // finds what is held
		result = compareWith(c, solvers, count, call, context, error);
	}
	plEnergySet_Restore(terms, kept);
	plWorld_SpreadBlend(world); // predict has changed them
	PL_FREE(&world->heap, kept, keptCount);
	return result;
}

plResult plWorld_Compare(plWorld* world, const plSolverDef* solvers, size_t count, plCompareFcn* call, void* context,
                         plComparison* comparison, plError* error)
{
	plError local;
	Comparison c = {.world = world};
	plResult result = compareStep(&c, solvers, count, call, context, error != NULL ? error : &local);
	if (result >= 0 && comparison != NULL)
		*comparison = c.found;
	return result;
}

plResult plWorld_MeasureEnds(plWorld* world, const plSolverDef* solvers, size_t count, bool known,
                             plComparison* reference, double* errors, plError* error)
{
	Comparison c = {.world = world, .found = *reference, .known = known, .ends = errors};
	plResult result = compareStep(&c, solvers, count, NULL, NULL, error);
	if (result >= 0)
		*reference = c.found;
	return result;
}
