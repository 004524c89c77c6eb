// step.c: one time step
//
//   predict   y = q + h v + h^2 a, loads, conversion              reads q v        writes y, energies
//             of elements relaxed at q; flights of rigid bodies   reads p q v w    writes flights, zeta = 0
//   collide   friction's forces of the first epoch                reads q          writes the push energy
//             where rigid bodies touch, who wakes                 reads flights    writes contacts
//             searches for pairs of surfaces, whoever makes them: their time is not that of guess and minimise
//             where no bodies come near each other there are none (near_apart.c); if they did, the step is taken again
//   guess     where the minimisation starts, pins moved           reads q v y      writes next, held
//   colour    groups of vertices that may move at once,           reads topology   writes the colours
//             for methods that sweep: the first time only
//   refresh   what the method keeps through a step                reads next       writes the method's data
//   minimise  eps(q) = 1/(2h^2) |q-y|^2_M + E(q)                  reads y, next    writes next
//             again while pins or obstacles that surfaces hold back catch up
//   finish    grips, v = (next - q)/h, q = next, report           reads next, q    writes q v, grips, report
//             rigid bodies alike, from their flights              reads zeta       writes their p q v w
//             after the last substep: stitches that break         reads q          writes seams
//             after the last substep: who falls asleep            reads p q v w    writes v w of those, and rests
//
// That is implicit Euler. BDF2 is the same minimisation with another y, h and v: integrator.c. It looks back at one
// substep more; without it (the first step, or after the caller changed state or time step) a substep is implicit
// Euler. The state changes only in finish, so a step that fails leaves it as it was.
#include "world.h"
#include "../base/number.h"

#include <math.h>
#include <stdio.h>

static double length(plVec3 a)
{
	return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

double plWorld_GetSubstepTime(const plWorld* world, int substep)
{
	double fraction = (double)substep / (double)world->substeps;
	return world->time0 + ((double)(world->stepCount - world->timeStep0) + fraction) * world->timestep;
}

double plWorld_GetTime(const plWorld* world)
{
	return plWorld_GetSubstepTime(world, 0);
}

// ---- predict --------------------------------------------------------------------------------------------------------

// The integrator of this substep.
static const plIntegratorType* integratorOf(const plWorld* world)
{
	const plIntegratorType* type = plIntegrator_GetType(world->integrator);
	return type->looksBack && !world->hasHistory ? plIntegrator_GetType(pl_integratorImplicitEuler) : type;
}

static plPast pastOf(const plWorld* world)
{
	return (plPast){world->q, world->v, world->qOld, world->vOld};
}

static void inertialTarget(plWorld* world, double h)
{
	const double a[pl_quad] = {world->gravity.x, world->gravity.y, world->gravity.z, 0.0};
	plPast past = pastOf(world);
	integratorOf(world)->target(&past, h, a, plLayout_GetLength(world->layout), world->prepared.y);
	for (size_t i = 0; i < world->layout.vertexCount; ++i)
		if (world->mass[i] == 0.0) // belongs to no element: it stays where it is
			memcpy(PL_AT(world->prepared.y, i), PL_AT(world->q, i), pl_quad * sizeof(double));
}

// The objective of the substep's first epoch is known from the state that it starts from.
static void relaxAtStart(plWorld* world)
{
	plProblem* problem = world->prepared.problem;
	if (world->prepared.elements.tets.blend == NULL)
		return;
	bool changed;
	problem->space->load(problem, world->prepared.next, world->q);
	problem->objective->relax(problem, world->prepared.next, pl_relaxElements, &changed);
}

static plSubstep describeSubstep(const plWorld* world)
{
	plPast past = pastOf(world);
	return plIntegratorType_Begin(integratorOf(world), &past, world->timestep / (double)world->substeps);
}

void plWorld_Predict(plWorld* world, int index)
{
	plProblem* problem = world->prepared.problem;
	double h = world->timestep / (double)world->substeps;
	plSubstep substep = describeSubstep(world);
	world->prepared.measured = false;
	problem->substep = world->stepCount * (uint64_t)world->substeps + (uint64_t)index;
	problem->timestep = substep.h;
	problem->acceleration = length(world->gravity);
	inertialTarget(world, h);
	plWorld_ApplyForces(world, plWorld_GetSubstepTime(world, index));
	plWorld_MoveAttachments(world, index + 1);
	plWorld_MoveSeams(world, index + 1);
	plWorld_MovePressures(world, index + 1);
	plWorld_PredictRigids(world, h, index + 1);
	plWorld_MoveObstacles(world, index + 1);
	plWorld_MoveGrabs(world, &substep, index + 1);
	plWorld_BeginEnergies(world, index + 1);
	plWorld_BlowWind(world, index + 1);
	problem->objective->begin(problem, &substep);
	plEnergySet_Begin(&world->prepared.terms, &substep);
	plWorld_BeginNear(world, &substep, index == 0);
	relaxAtStart(world);
}

// ---- finish ---------------------------------------------------------------------------------------------------------

static void rotate(double** old, double** now, double** next)
{
	double* oldest = *old;
	*old = *now;
	*now = *next;
	*next = oldest;
}

// To the state in qNext.
static void moveState(plWorld* world, double h)
{
	plPast past = pastOf(world);
	integratorOf(world)->velocity(&past, h, world->qNext, plLayout_GetLength(world->layout), world->vNext);
	rotate(&world->qOld, &world->q, &world->qNext);
	rotate(&world->vOld, &world->v, &world->vNext);
	world->hasHistory = true;
}

// Back to where the last moveState started.
static void moveBack(plWorld* world)
{
	rotate(&world->qNext, &world->q, &world->qOld);
	rotate(&world->vNext, &world->v, &world->vOld);
}

static void sumEnergies(size_t begin, size_t end, double* sums, void* context)
{
	const plWorld* world = context;
	plVec3 a = world->gravity;
	for (size_t i = begin; i < end; ++i)
	{
		const double *q = PL_AT(world->q, i), *v = PL_AT(world->v, i);
		sums[0] += 0.5 * world->mass[i] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
		sums[1] -= world->mass[i] * (a.x * q[0] + a.y * q[1] + a.z * q[2]);
	}
}

static void reportState(plWorld* world, plStepReport* report)
{
	plProblem* problem = world->prepared.problem;
	double energies[2];
	problem->space->load(problem, world->prepared.next, world->q);
	plParallelSum(world->pool, world->layout.vertexCount, 2, sumEnergies, world, world->prepared.partial, energies);
	report->step = world->stepCount;
	report->time = plWorld_GetTime(world);
	plWorld_AddRigidEnergies(world, energies, energies + 1);
	report->kinetic = energies[0];
	report->potential = energies[1];
	report->elastic = problem->objective->elastic(problem, world->prepared.next, true);
	report->stretch = fmax(plEnergySet_GetStretch(&world->prepared.terms, world->q), plWorld_GetClothStretch(world));
	report->inverted = problem->objective->countInverted(problem, world->prepared.next);
	plWorld_ReportContact(world, report);
	plWorld_ReportNear(world, report);
	plWorld_ReportTouches(world, report);
	plWorld_ReportVertexMeets(world, report);
	plWorld_ReportJoints(world, report);
	report->hash = plWorld_GetHash(world);
	report->hasBalance = world->balance;
}

static void addLoopReport(plStepReport* report, const plLoopReport* loop, bool first)
{
	report->objective = loop->objective.value;
	report->iterations += loop->iterations;
	report->lineSearches += loop->lineSearches;
	report->epochs += loop->epochs;
	report->converged = (first || report->converged) && loop->converged;
	report->stalled = report->stalled || loop->stalled;
	if (first || loop->relativeResidual > report->relativeResidual)
	{
		report->residual = loop->residual;
		report->forceScale = loop->forceScale;
		report->relativeResidual = loop->relativeResidual;
	}
}

static void reportChoice(const plWorld* world, plStepReport* report)
{
	const plMethodType* type = plMethod_GetType(plWorld_GetSolver(world)->method);
	report->method = plWorld_GetSolver(world)->method;
	report->choice = pl_choiceGiven;
	if (type->choice != NULL)
		type->choice(world->prepared.method, &report->method, &report->choice);
}

// The number of the report that left the range of a double, e.g. because masses and sizes are out of all proportion;
// NULL: none did.
static const char* findInfinite(const plStepReport* report)
{
	const struct
	{
		const char* name;
		double value;
	} numbers[] = {{"time", report->time},
	               {"objective", report->objective},
	               {"kinetic energy", report->kinetic}, // and with it every velocity
	               {"elastic energy", report->elastic},
	               {"potential energy", report->potential},
	               {"residual", report->residual},
	               {"scale of forces", report->forceScale},
	               {"stretch", report->stretch}};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
		if (!isfinite(numbers[i].value))
			return numbers[i].name;
	return NULL;
}

enum
{
	mostPasses = 8, // of a minimisation, while pins and obstacles catch up
};

// ---- the step -------------------------------------------------------------------------------------------------------

// Until then, plNow, substep `index` of a step that began at `begin` may iterate; 0: as long as it likes. Finishing
// takes its time, too: as long as the last time.
static double deadlineOf(const plWorld* world, double begin, int index)
{
	if (!(plWorld_GetSolver(world)->budgetMs > 0.0))
		return 0.0;
	double ms = plWorld_GetSolver(world)->budgetMs - world->lastFinish;
	return begin + 1e-3 * ms * (double)(index + 1) / (double)world->substeps;
}

// Contact at the end of a substep. The balance goes by the place that projection moves vertices to, and by the grips
// before they are dragged along.
static plResult finishContact(plWorld* world, int index, plLoopReport* loop, plBalance* balance, plError* error)
{
	plSubstep done = describeSubstep(world);
	bool isProjected = world->contactDef.model == pl_contactProjection;
	plResult result = pl_success;
	if (!isProjected)
		result = plWorld_AddBalance(world, integratorOf(world), index + 1, balance, error);
	if (result >= 0)
		result = plWorld_FinishContact(world, &done, world->qNext, error);
	if (result < 0)
		return result;
	plWorld_JudgeProjection(world, loop);
	if (isProjected)
		result = plWorld_AddBalance(world, integratorOf(world), index + 1, balance, error);
	return result;
}

// Time since the mark goes to the phase, but for that of searches for pairs.
static void bookSearches(plWorld* world, double mark, double* phase, double* collide)
{
	double searches = plWorld_TakeSearchMs(world);
	*phase += plMilliseconds(mark) - searches;
	*collide += searches;
}

// Refreshes what the method keeps, and minimises from prepared.next.
static plResult minimise(plWorld* world, double deadline, plLoopReport* loop, plStepReport* report, plError* error)
{
	plPrepared* p = &world->prepared;
	const plMethodType* method = plMethod_GetType(plWorld_GetSolver(world)->method);
	double mark = plNow();
	plResult result = plMethod_Refresh(method, p->method, p->problem, p->next, error);
	report->ms.refresh += plMilliseconds(mark);
	if (result < 0)
		return result;
	mark = plNow();
	plMinimisation task = {.type = method,
	                       .state = p->method,
	                       .problem = p->problem,
	                       .def = plWorld_GetSolver(world),
	                       .q = p->next,
	                       .gradient = p->gradient,
	                       .deadline = deadline,
	                       .rubbed = p->rubbed};
	result = plMinimise(&task, loop, error);
	bookSearches(world, mark, &report->ms.minimise, &report->ms.collide);
	return result;
}

// Pins and obstacles that surfaces held back go on where these have given way, and these give way again.
static plResult catchUp(plWorld* world, double deadline, plLoopReport* loop, plStepReport* report, plError* error)
{
	bool goesOn = plWorld_LagsNear(world);
	plResult result = pl_success;
	for (int pass = 0; result >= 0 && goesOn && pass < mostPasses; ++pass)
	{
		plLoopReport before = *loop;
		double mark = plNow();
		result = plWorld_CatchUpNear(world, &goesOn, error);
		bookSearches(world, mark, &report->ms.guess, &report->ms.collide);
		if (result >= 0)
			result = minimise(world, deadline, loop, report, error);
		loop->iterations += before.iterations;
		loop->lineSearches += before.lineSearches;
		loop->epochs += before.epochs;
		goesOn = goesOn && plWorld_LagsNear(world);
	}
	return result;
}

// *met: surfaces that were left out of it have come near each other, and it is not finished
static plResult substep(plWorld* world, int index, double deadline, plStepReport* report, bool* met, plError* error)
{
	plPrepared* prepared = &world->prepared;
	plProblem* problem = prepared->problem;
	double h = world->timestep / (double)world->substeps;
	plLoopReport loop;

	double mark = plNow();
	plWorld_BeginBalance(world);
	plWorld_Predict(world, index);
	report->ms.predict += plMilliseconds(mark);

	mark = plNow();
	plResult result = plWorld_Collide(world, error);
	if (result >= 0)
		result = plWorld_CollideRigids(world, h, error);
	report->ms.collide += plMilliseconds(mark);
	if (result < 0)
		return result;

	mark = plNow();
	plGuessRoom room = {prepared->next, prepared->here, prepared->gradient, prepared->work};
	plWorld_Guess(world, plWorld_GetSolver(world), problem, &room, index + 1);
	result = plWorld_ApproachOrLeaveOut(world, error);
	bookSearches(world, mark, &report->ms.guess, &report->ms.collide);
	if (result < 0)
		return result;

	mark = plNow();
	result = plMethod_Colour(problem, plWorld_GetSolver(world), error);
	report->ms.colour += plMilliseconds(mark);
	if (result < 0)
		return result;

	result = minimise(world, deadline, &loop, report, error);
	if (result >= 0)
		result = catchUp(world, deadline, &loop, report, error);
	if (result < 0)
		return result;

	mark = plNow();
	if (problem->bodies != NULL && problem->bodies->mend(problem) < 0)
		result = plFail(error, pl_errorMemory, "not enough memory to mend the overlap of rigid bodies");
	report->ms.minimise += plMilliseconds(mark);
	if (result < 0 || plWorld_CheckEnergies(world, error) < 0)
		return error->code;

	mark = plNow();
	problem->space->store(problem, world->qNext, prepared->next);
	if (!plAreFinite(world->qNext, plLayout_GetLength(world->layout)))
		return plFail(error, pl_errorNumeric, "a position is not finite");
	*met = !plWorld_StayedApart(world);
	if (*met)
		return pl_success;
	plResult finished = finishContact(world, index, &loop, &report->balance, error);
	if (finished < 0)
		return finished;
	if (problem->bodies != NULL)
		problem->bodies->close(problem);
	plWorld_FinishTouches(world);
	plWorld_FinishJoints(world);
	plWorld_FinishVertexMeets(world);
	moveState(world, h);
	plWorld_FinishRigids(world, h);
	plWorld_PlaceEvents(world);
	addLoopReport(report, &loop, index == 0);
	report->ms.finish += plMilliseconds(mark);
	return result;
}

static void copyArray(const plWorld* world, double* to, const double* from)
{
	if (to != NULL && from != NULL)
		memcpy(to, from, plLayout_GetLength(world->layout) * sizeof(double));
}

// What the method keeps from step to step.
static void copyKept(plWorld* world, bool back)
{
	const plMethodType* type = plMethod_GetType(plWorld_GetSolver(world)->method);
	if (type->keptCount == 0)
		return;
	double* kept = type->kept(world->prepared.method);
	memcpy(back ? kept : world->keptAtStart, back ? world->keptAtStart : kept, type->keptCount * sizeof(double));
}

static void keepState(plWorld* world)
{
	copyKept(world, false);
	plWorld_KeepRigids(world);
	plWorld_KeepJoints(world);
	copyArray(world, world->prepared.qStart, world->q);
	copyArray(world, world->prepared.vStart, world->v);
	copyArray(world, world->prepared.qOldStart, world->qOld);
	copyArray(world, world->prepared.vOldStart, world->vOld);
}

// `moved`: some substep was finished.
static void restoreState(plWorld* world, bool hadHistory, bool moved)
{
	if (moved && world->substeps == 1)
		moveBack(world);
	else if (moved)
	{
		copyArray(world, world->q, world->prepared.qStart);
		copyArray(world, world->v, world->prepared.vStart);
		copyArray(world, world->qOld, world->prepared.qOldStart);
		copyArray(world, world->vOld, world->prepared.vOldStart);
	}
	world->hasHistory = hadHistory;
	plWorld_RestoreRigids(world);
	plWorld_RestoreJoints(world);
	plWorld_RestoreTouches(world);
	plWorld_RestoreVertexMeets(world);
	plWorld_LinkSleepers(world);
	copyKept(world, true);
	plWorld_SpreadBlend(world);
	if (world->prepared.push != NULL)
		plWorld_SpreadGrips(world, world->prepared.push);
	if (world->prepared.near != NULL)
	{
		plWorld_SpreadNearGrips(world, world->prepared.near);
		plWorld_SpreadCrossed(world, world->prepared.near);
	}
}

// Nothing is printed unless somebody listens; what is said is also in the report.
static void logVerdict(const plWorld* world, const plStepReport* report)
{
	char line[160];
	bool takesBodies = plMethod_GetType(report->method)->takesBodies;
	if (world->log != NULL && report->sunken > (takesBodies ? 0.5 : 0.01))
	{
		snprintf(line, sizeof line,
		         takesBodies ? "step %llu: bodies overlap by %.3g m, %.2g %% of the width of the smaller one"
		                     : "step %llu: a vertex is %.3g m inside a collider, %.2g %% of its body's extent",
		         (unsigned long long)report->step, report->penetration, 100.0 * report->sunken);
		world->log(line, world->logContext);
	}
	// a method that takes bodies is meant to stop early
	if (world->log == NULL || report->converged || takesBodies)
		return;
	snprintf(line, sizeof line, "step %llu: %s did not converge, relative residual %.3g after %d iterations%s",
	         (unsigned long long)report->step, plMethod_GetName(plWorld_GetSolver(world)->method),
	         report->relativeResidual, report->iterations, report->stalled ? ", stalled" : "");
	world->log(line, world->logContext);
}

// What a step ends with is what the next, or a saved state, begins with.
static void validateState(const plWorld* world)
{
	const plMethodType* type = plMethod_GetType(plWorld_GetSolver(world)->method);
	const double* kept = type->keptCount > 0 ? type->kept(world->prepared.method) : NULL;
	for (size_t i = 0; i < plLayout_GetQuadCount(world->layout); ++i)
	{
		PL_VALIDATE(PL_AT(world->q, i)[3] == 0.0 && PL_AT(world->v, i)[3] == 0.0, "the fourth number of a state is 0");
		PL_VALIDATE(PL_AT(world->prepared.y, i)[3] == 0.0, "the fourth number of the inertial target is 0");
	}
	for (size_t i = 0; i < type->keptCount; ++i)
		PL_VALIDATE(kept[i] >= 0.0 && kept[i] < 1e300, "what a method keeps can be loaded again");
	PL_VALIDATE(type->checkKept == NULL || type->checkKept(kept), "what a method keeps makes sense to it");
}

// From the state that keepState knows. If one fails, or surfaces have met, the state is that of before.
static plResult takeSubsteps(plWorld* world, double begin, plStepReport* report, bool* met, plError* error)
{
	bool hadHistory = world->hasHistory;
	plResult result = pl_success;
	*met = false;
	for (int i = 0; i < world->substeps && result >= 0 && !*met; ++i)
	{
		result = substep(world, i, deadlineOf(world, begin, i), report, met, error);
		if (result < 0)
			plWorld_BlameEnergies(world, error);
		if (result < 0 || *met)
			restoreState(world, hadHistory, i > 0);
	}
	return result;
}

plResult plWorld_Step(plWorld* world, plStepReport* report, plError* error)
{
	plStepReport local;
	plError localError;
	report = report != NULL ? report : &local;
	error = error != NULL ? error : &localError;
	memset(report, 0, sizeof *report);
	double begin = plNow();
	size_t allocations = world->heap.count;

	plResult result = plWorld_CheckRigids(world, error);
	if (result == pl_success)
		result = plWorld_Prepare(world, error);
	if (result < 0)
		return result;
	bool hadHistory = world->hasHistory;
	size_t factorisations = world->prepared.problem->factorisations;
	if (!plWorld_KeepTouches(world) || !plWorld_KeepVertexMeets(world))
		return plFail(error, pl_errorMemory, "not enough memory for the contacts of rigid bodies");
	keepState(world);
	report->ms.predict = plMilliseconds(begin);
	plWorld_BeginApart(world);
	bool met;
	result = takeSubsteps(world, begin, report, &met, error);
	if (met) // again, with pairs
	{
		*report = (plStepReport){.ms = report->ms};
		result = takeSubsteps(world, begin, report, &met, error);
	}
	if (result < 0)
		return result;
	double mark = plNow();
	world->stepCount++;
	plWorld_BreakJoints(world);
	plWorld_RestRigids(world);
	plWorld_BreakSeams(world, report);
	reportState(world, report);
	const char* infinite = findInfinite(report);
	if (infinite != NULL)
	{
		world->stepCount--;
		plWorld_MendSeams(world);
		restoreState(world, hadHistory, true);
		plFail(error, pl_errorNumeric, "the %s is not finite", infinite);
		plWorld_BlameEnergies(world, error);
		return pl_errorNumeric;
	}
	plWorld_KeepBlend(world);
	plWorld_KeepGrips(world);
	plWorld_KeepNearGrips(world);
	plWorld_KeepCrossed(world);
	plWorld_KeepShells(world);
	reportChoice(world, report);
	plWorld_FinishPins(world);
	plWorld_FinishColliders(world);
	plWorld_FinishGrabs(world);
	plWorld_EndRigids(world);
	plWorld_FinishEvents(world);
	world->prepared.measured = true;
	PL_VALIDATE_CALL(validateState(world));
	report->allocations = world->heap.count - allocations;
	report->factorisations = (int)(world->prepared.problem->factorisations - factorisations);
	report->ms.finish += plMilliseconds(mark);
	report->ms.total = plMilliseconds(begin);
	world->lastFinish = report->ms.finish;
	logVerdict(world, report);
	return report->converged ? pl_success : pl_notConverged;
}
