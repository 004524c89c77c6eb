// tune.c: phases of Chebyshev's acceleration by trying them out [WY16]
//
//   problems   states at a few steps of a simulation by newton; eps* of each by newton, once
//   cost       geometric mean over the problems of (eps(q_N) - eps*) / (eps(q_t) - eps*), N the budget
//   changes    of one phase, or of all of them:  rho' = 1 - f (1 - rho)  and  1 - (1 - rho)/f
//              of one boundary between phases:   w iterations earlier or later
//              where none of these helps:        two phases become one, with the longer one's rho
//
// The change with the least cost is kept if it lowers the cost by at least a thousandth; this goes on until none does.
// Departure from [WY16], who use f = 1.05 alone: f = 256, 64, 16 and 4 with w = 32 come first, then 2 and 16, 1.4 and
// 8, 1.1 and 8, and 1.05 and 8 last, each until none of its changes helps. 1 - rho spans orders of magnitude: a factor
// of 100 would take 95 changes by 5 %. And chebyshev.c bounds rho: above the bound small changes do nothing.
//
// [WY16] Wang and Yang, Descent methods for elastic body simulation on the GPU, 2016.
#include "pliant/tune.h"
#include "compare.h"
#include "../world/world.h"
#include "../base/number.h"
#include "../method/descent.h"

#include <math.h>

enum
{
	mostRounds = 200,
	stateArrays = 4,                 // q, v, qOld, vOld
	mostTrials = 4 * PL_PHASE_COUNT, // two for each phase, for all of them and for each boundary
};

static const struct Level
{
	double factor;
	int shift;
} levels[] = {{256.0, 32}, {64.0, 32}, {16.0, 32}, {4.0, 32}, {2.0, 16}, {1.4, 8}, {1.1, 8}, {1.05, 8}};

// A state and what is known of the problem of the step that follows it.
typedef struct Problem
{
	double* arrays; // [16 n] q, v, qOld, vOld
	char* blend;
	uint64_t stepCount;
	bool hasHistory;
	bool used; // false: at its minimum already
	plComparison reference;
} Problem;

typedef struct Tuner
{
	plWorld* world;
	const plTuneDef* def;
	Problem* problems; // [def->problems], and the world's own state behind them
	size_t count;
	double* errors; // [mostTrials]
	double* sums;   // [mostTrials] of logarithms
	plSolverDef* trials;
	plTuneReport report;
} Tuner;

plTuneDef plDefaultTuneDef(void)
{
	return (plTuneDef){.solver = plDefaultSolverDef(pl_methodDescent),
	                   .phases = 2,
	                   .steps = 60,
	                   .problems = 3,
	                   .cookie = PL_COOKIE(plTuneDef)};
}

// ---- states ---------------------------------------------------------------------------------------------------------

static size_t arraysLength(const plWorld* world)
{
	return stateArrays * plLayout_GetLength(world->layout);
}

static bool keepProblem(Tuner* t, Problem* p)
{
	plWorld* world = t->world;
	size_t n = plLayout_GetLength(world->layout), weights = plWorld_CountBlend(world) * sizeof(double);
	double* const from[stateArrays] = {world->q, world->v, world->qOld, world->vOld};
	p->arrays = PL_NEW(&world->heap, double, arraysLength(world));
	p->blend = PL_NEW(&world->heap, char, weights);
	if (p->arrays == NULL || (p->blend == NULL && weights > 0))
		return false;
	for (size_t i = 0; i < stateArrays; ++i)
		memcpy(p->arrays + i * n, from[i], n * sizeof(double));
	plWorld_SaveBlend(world, p->blend);
	p->stepCount = world->stepCount;
	p->hasHistory = world->hasHistory;
	return true;
}

static void loadProblem(Tuner* t, const Problem* p)
{
	plWorld* world = t->world;
	size_t n = plLayout_GetLength(world->layout);
	double* const to[stateArrays] = {world->q, world->v, world->qOld, world->vOld};
	for (size_t i = 0; i < stateArrays; ++i)
		memcpy(to[i], p->arrays + i * n, n * sizeof(double));
	plWorld_LoadBlend(world, p->blend);
	world->stepCount = p->stepCount;
	world->hasHistory = p->hasHistory;
}

static void freeProblems(Tuner* t)
{
	plHeap* heap = &t->world->heap;
	size_t weights = plWorld_CountBlend(t->world) * sizeof(double);
	for (size_t i = 0; i < t->count && t->problems != NULL; ++i)
	{
		PL_FREE(heap, t->problems[i].arrays, arraysLength(t->world));
		PL_FREE(heap, t->problems[i].blend, weights);
	}
	PL_FREE(heap, t->problems, t->count);
}

static plResult noMemory(const Tuner* t, plError* error)
{
	return plFail(error, pl_errorMemory, "not enough memory to tune with %zu vertices", t->world->layout.vertexCount);
}

// The middles of equally long parts of the simulation.
static plResult walk(Tuner* t, plError* error)
{
	plWorld* world = t->world;
	uint64_t steps = t->def->steps, problems = (uint64_t)t->def->problems, first = world->stepCount;
	size_t kept = 0;
	for (uint64_t i = 0; i < steps && kept < problems; ++i)
	{
		while (kept < problems && world->stepCount - first == (2 * kept + 1) * steps / (2 * problems))
			if (!keepProblem(t, t->problems + kept++))
				return noMemory(t, error);
		if (kept < problems && plWorld_Step(world, NULL, error) < 0)
			return error->code;
	}
	return pl_success;
}

// ---- costs ----------------------------------------------------------------------------------------------------------

// Errors of all trials on one problem; its reference is found with the first of them.
static plResult measure(Tuner* t, Problem* p, const plSolverDef* trials, size_t count, plError* error)
{
	loadProblem(t, p);
	bool known = p->reference.start != p->reference.best;
	plResult result = plWorld_MeasureEnds(t->world, trials, count, known, &p->reference, t->errors, error);
	double floor = p->reference.noise / (p->reference.start - p->reference.best);
	for (size_t i = 0; i < count && result >= 0; ++i)
		t->errors[i] = t->errors[i] > floor ? t->errors[i] : isnan(t->errors[i]) ? INFINITY : floor;
	return result;
}

static plResult measureAll(Tuner* t, const plSolverDef* trials, size_t count, plError* error)
{
	for (size_t k = 0; k < count; ++k)
		t->sums[k] = 0.0;
	for (size_t i = 0; i + 1 < t->count; ++i)
	{
		if (!t->problems[i].used)
			continue;
		plResult result = measure(t, t->problems + i, trials, count, error);
		if (result < 0)
			return result;
		for (size_t k = 0; k < count; ++k)
			t->sums[k] += plLog(t->errors[k]);
	}
	for (size_t k = 0; k < count; ++k)
		t->sums[k] = plExp(t->sums[k] / t->report.problemCount);
	t->report.trials += (int)count;
	return pl_success;
}

// Finds the references, leaves out problems without one, and measures the start and the budget's rho.
static plResult measureFirst(Tuner* t, plTuneProblem* table, plError* error)
{
	plSolverDef trials[2] = {t->report.solver, t->def->solver};
	trials[1].rho = pl_rhoBudget;
	double sums[2] = {0.0, 0.0};
	for (size_t i = 0; i + 1 < t->count; ++i)
	{
		Problem* p = t->problems + i;
		plResult result = measure(t, p, trials, 2, error);
		if (result == pl_errorInput) // nothing to do in this step
			continue;
		if (result < 0)
			return result;
		p->used = true;
		if (table != NULL)
			table[t->report.problemCount] =
			    (plTuneProblem){.step = p->stepCount + 1, .start = t->errors[0], .budget = t->errors[1]};
		t->report.problemCount++;
		for (size_t k = 0; k < 2; ++k)
			sums[k] += plLog(t->errors[k]);
	}
	if (t->report.problemCount == 0)
		return plFail(error, pl_errorInput, "every state is at its minimum already, there is nothing to tune with");
	t->report.start = t->report.tuned = plExp(sums[0] / t->report.problemCount);
	t->report.budget = plExp(sums[1] / t->report.problemCount);
	t->report.trials = 2;
	return pl_success;
}

// ---- changes --------------------------------------------------------------------------------------------------------

// Seven digits, so that the decimal number that is written down is the one that was measured.
static double roundRho(double rho)
{
	return round(rho * 1e7) / 1e7;
}

static bool changeRho(plSolverDef* def, int first, int last, double factor)
{
	for (int i = first; i <= last; ++i)
	{
		plPhase* phase = def->phases + i;
		phase->rho = roundRho(1.0 - factor * (1.0 - phase->rho));
		if (!(phase->rho >= 0.0 && phase->rho < 1.0))
			return false;
	}
	return true;
}

static bool moveBoundary(plSolverDef* def, int after, int shift)
{
	def->phases[after].iterations += shift;
	def->phases[after + 1].iterations -= shift;
	return def->phases[after].iterations > 0 && def->phases[after + 1].iterations > 0;
}

static void dropBoundary(plSolverDef* def, int after)
{
	plPhase *a = def->phases + after, *b = a + 1;
	*a = (plPhase){a->iterations + b->iterations, a->iterations < b->iterations ? b->rho : a->rho};
	for (int i = after + 1; i + 1 < def->phaseCount; ++i)
		def->phases[i] = def->phases[i + 1];
	def->phaseCount--;
}

static size_t listDrops(Tuner* t)
{
	size_t count = 0;
	for (int i = 0; i + 1 < t->report.solver.phaseCount; ++i)
	{
		t->trials[count] = t->report.solver;
		dropBoundary(t->trials + count++, i);
	}
	return count;
}

static size_t listTrials(Tuner* t, const struct Level* level)
{
	const plSolverDef* best = &t->report.solver;
	int n = best->phaseCount;
	size_t count = 0;
	for (int i = 0; i < n + (n > 1); ++i) // the last one: all phases
		for (int side = 0; side < 2; ++side)
		{
			t->trials[count] = *best;
			double factor = side == 0 ? level->factor : 1.0 / level->factor;
			count += changeRho(t->trials + count, i < n ? i : 0, i < n ? i : n - 1, factor);
		}
	for (int i = 0; i + 1 < n; ++i)
		for (int side = -1; side < 2; side += 2)
		{
			t->trials[count] = *best;
			count += moveBoundary(t->trials + count, i, side * level->shift);
		}
	return count;
}

// Tries what is listed and keeps the best if it is better; *better says so.
static plResult tryAll(Tuner* t, size_t count, bool* better, plError* error)
{
	const double gain = 1e-3;
	size_t least = 0;
	*better = false;
	if (count == 0)
		return pl_success;
	plResult result = measureAll(t, t->trials, count, error);
	if (result < 0)
		return result;
	for (size_t i = 1; i < count; ++i)
		least = t->sums[i] < t->sums[least] ? i : least;
	*better = t->sums[least] < (1.0 - gain) * t->report.tuned;
	if (*better)
	{
		t->report.solver = t->trials[least];
		t->report.tuned = t->sums[least];
		t->report.changes++;
	}
	return pl_success;
}

static plResult search(Tuner* t, plTuneFcn* call, void* context, plError* error)
{
	int rounds = 0;
	for (size_t k = 0; k < sizeof levels / sizeof *levels; ++k)
		for (bool better = true; better && rounds < mostRounds; ++rounds)
		{
			plResult result = tryAll(t, listTrials(t, levels + k), &better, error);
			if (result >= 0 && !better)
				result = tryAll(t, listDrops(t), &better, error);
			if (result < 0)
				return result;
			if (better && call != NULL)
				call(&t->report, context);
		}
	return pl_success;
}

static plResult fillTable(Tuner* t, plTuneProblem* table, plError* error)
{
	size_t at = 0;
	for (size_t i = 0; i + 1 < t->count && table != NULL; ++i)
	{
		if (!t->problems[i].used)
			continue;
		plResult result = measure(t, t->problems + i, &t->report.solver, 1, error);
		if (result < 0)
			return result;
		table[at++].tuned = t->errors[0];
	}
	return pl_success;
}

// ---- tune -----------------------------------------------------------------------------------------------------------

static plSolverDef startOf(const plTuneDef* def)
{
	plSolverDef solver = def->solver;
	int length = solver.iterations / def->phases;
	if (length > 8)
		length -= length % 8;
	solver.rho = pl_rhoPhases;
	solver.phaseCount = def->phases;
	for (int i = 0; i < def->phases && i < PL_PHASE_COUNT; ++i)
	{
		int rest = solver.iterations - (def->phases - 1) * length;
		double rho = def->rho > 0.0 ? def->rho : plChebyshev_GetBudgetRho(solver.iterations);
		solver.phases[i] = (plPhase){i + 1 < def->phases ? length : rest, roundRho(rho)};
	}
	return solver;
}

static plResult checkDef(const plTuneDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plTuneDef), "a plTuneDef starts as plDefaultTuneDef()");
	plSolverDef solver = def->solver;
	solver.rho = pl_rhoBudget;
	if (plSolverDef_Check(&solver, error) < 0)
		return error->code;
	if (solver.acceleration != pl_accelerationChebyshev)
		return plFail(error, pl_errorInput, "tune: only chebyshev has phases to tune, not %s",
		              plSolverDef_GetWord(&solver, "acceleration"));
	if (def->phases < 1 || def->phases > PL_PHASE_COUNT || def->phases > solver.iterations)
		return plFail(error, pl_errorInput, "tune: %d phases, there must be 1 to %d, and not more than iterations",
		              def->phases, PL_PHASE_COUNT);
	if (!(def->rho >= 0.0 && def->rho < 1.0))
		return plFail(error, pl_errorInput, "tune: rho is %g, it must lie in [0, 1)", def->rho);
	if (def->problems < 1 || def->steps < 1)
		return plFail(error, pl_errorInput, "tune: at least one step and one problem are needed");
	return pl_success;
}

static plResult tune(Tuner* t, plTuneFcn* call, void* context, plTuneProblem* table, plError* error)
{
	plWorld* world = t->world;
	Problem* own = t->problems + t->count - 1;
	plSolverDef newton = plDefaultSolverDef(pl_methodNewton);
	if (!keepProblem(t, own))
		return noMemory(t, error);
	plResult result = plWorld_SetSolver(world, &newton, error);
	if (result >= 0)
		result = walk(t, error);
	if (result >= 0)
		result = measureFirst(t, table, error);
	if (result >= 0)
		result = search(t, call, context, error);
	if (result >= 0)
		result = fillTable(t, table, error);
	loadProblem(t, own);
	return result;
}

// The state of the world, its solver and what its method keeps are put back whatever happens.
plResult plWorld_Tune(plWorld* world, const plTuneDef* def, plTuneFcn* call, void* context, plTuneProblem* problems,
                      plTuneReport* report, plError* error)
{
	plError local;
	error = error != NULL ? error : &local;
	plResult result = checkDef(def, error);
	if (result >= 0)
		result = plWorld_Prepare(world, error);
	if (result < 0)
		return result;
	if (plLayout_GetQuadCount(world->layout) == 0)
		return plFail(error, pl_errorInput, "the world is empty, there is nothing to tune with");

	plHeap* heap = &world->heap;
	plSolverDef solver = world->solver;
	bool hadHistory = world->hasHistory;
	const plMethodType* type = plMethod_GetType(solver.method);
	double kept[pl_keptLimit] = {0.0};
	if (type->keptCount > 0)
		memcpy(kept, type->kept(world->prepared.method), type->keptCount * sizeof(double));
	Tuner t = {.world = world, .def = def, .count = (size_t)def->problems + 1, .report = {.solver = startOf(def)}};
	t.problems = PL_NEW_ZERO(heap, Problem, t.count);
	t.errors = PL_NEW(heap, double, mostTrials);
	t.sums = PL_NEW(heap, double, mostTrials);
	t.trials = PL_NEW(heap, plSolverDef, mostTrials);
	if (t.problems && t.errors && t.sums && t.trials)
		result = tune(&t, call, context, problems, error);
	else
		result = noMemory(&t, error);
	freeProblems(&t);
	PL_FREE(heap, t.errors, mostTrials);
	PL_FREE(heap, t.sums, mostTrials);
	PL_FREE(heap, t.trials, mostTrials);
	plWorld_SetSolver(world, &solver, NULL);
	world->hasHistory = hadHistory;
	memcpy(world->kept, kept, sizeof kept);
	world->hasKept = type->keptCount > 0;
	if (result >= 0 && report != NULL)
		*report = t.report;
	return result < 0 ? result : pl_success;
}
