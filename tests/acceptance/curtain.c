// curtain.c: what the parts of multigrid cost on the curtain, and how long methods take to come near the minimum
//
//   curtain parts SIDE THREADS SECONDS [EH]   parts of an iteration, set-up, memory, and conjugate gradients after
//                                             SECONDS of falling; SECONDS 0: costs only
//   curtain errors SIDE FIRST LAST EVERY [NEWTON]
//                                             iterations and ms to relative errors of 1e-3 and 1e-4, step by step, by
//                                             processor time of one thread: multigrid, quasi-newton, newton; ms below
//                                             0: it did not get there in that time. Newton at every NEWTONth of these
//                                             steps (1), zeros at the others
//
// The curtain: SIDE x SIDE vertices, 10 m x 10 m, 20 kg, held at two corners of one side, StVK with E h = EH (1e5 N/m)
// and nu = 0.3, 1 mm thick, horizontal at first, h = 1/60 s. `parts` prints one line of numbers:
//
//   vertices  residual  V(1,1)  Hessian  levels  product  evaluation  (ms)  set-up (s)  bytes of all a vertex  bytes of
//   cycles a vertex  conjugate gradients to 0.01
//
// The least of several times counts, in time of the processor on one thread, of the clock on more.
#define _GNU_SOURCE
#include "pliant/compare.h"
#include "method/cycles.h"
#include "sparse/multigrid_level.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static bool byProcessor;

// In the place of the system's, so that comparisons are by time of the processor, too: others may use the machine.
int clock_gettime(clockid_t clock, struct timespec* t)
{
	bool replaced = byProcessor && clock == CLOCK_MONOTONIC;
	return (int)syscall(SYS_clock_gettime, replaced ? CLOCK_PROCESS_CPUTIME_ID : clock, t);
}

static void die(const char* words)
{
	fprintf(stderr, "curtain: %s\n", words);
	exit(1);
}

static void hold(plWorld* world, plBodyId body, double x)
{
	plPinDef pin = plDefaultPinDef();
	plError error;
	size_t count = plBody_GetVertexCount(world, body);
	double *at = malloc(3 * count * sizeof *at), best = INFINITY;
	uint32_t nearest = 0;
	plBody_GetPositions(world, body, at);
	for (size_t i = 0; i < count; ++i)
	{
		double distance = hypot(at[3 * i] - x, at[3 * i + 2] + 5.0);
		nearest = distance < best ? (uint32_t)i : nearest;
		best = fmin(best, distance);
	}
	free(at);
	pin.body = body;
	pin.vertices = &nearest;
	pin.vertexCount = 1;
	if (PL_IS_NULL(plCreatePin(world, &pin, &error)))
		die(error.message);
}

static plWorld* makeCurtain(size_t side, double eh, const plSolverDef* solver, plPool* pool)
{
	plError error;
	plWorldDef wd = plDefaultWorldDef();
	wd.contact.self = pl_selfNone; // it passes through itself, and its figures were taken so
	wd.timestep = 1.0 / 60.0;
	wd.solver = *solver;
	wd.pool = pool;
	plWorld* world = plCreateWorld(&wd, &error);
	plClothDef def = plDefaultClothDef();
	plMesh* mesh =
	    plCreateClothMesh(10.0, 10.0, (const size_t[2]){side - 1, side - 1}, pl_clothEquilateral, NULL, &error);
	def.mesh = mesh;
	def.density = 0.2;
	def.thickness = 1e-3;
	def.membrane.young = eh / def.thickness;
	def.membrane.poisson = 0.3;
	def.transform.rotation = plQuat_FromAxisAngle((plVec3){1.0, 0.0, 0.0}, -1.5707963267948966);
	plBodyId body = world != NULL && mesh != NULL ? plCreateCloth(world, &def, &error) : (plBodyId){0};
	plDestroyMesh(mesh);
	if (PL_IS_NULL(body))
		die(error.message);
	hold(world, body, -5.0);
	hold(world, body, 5.0);
	return world;
}

static plSolverDef solverOf(plMethod method, int iterations, double tolerance)
{
	plSolverDef def = plDefaultSolverDef(method);
	def.iterations = iterations;
	def.tolerance = tolerance;
	return def;
}

// ---- parts ----------------------------------------------------------------------------------------------------------

typedef struct Parts
{
	plProblem* problem;
	plCycles* cycles;
	plPoint* q;
	plTangent *g, *d;
	double* room; // [3 n]
	plMultigridPlan plan;
	plMultigrid* levels;
	plMultigridLevel finest; // a level of its own, for the residual
} Parts;

static void takeResidual(Parts* p)
{
	plMultigridLevel_Residual(&p->finest);
}

static void takeCycle(Parts* p)
{
	plMultigrid_Apply(p->levels, p->room, p->room, p->problem->pool);
	p->room[0] = 1.0;
}

static void takeHessian(Parts* p)
{
	p->problem->matrix->hessian(p->problem, p->q, pl_hessianProjected);
}

static void takeRefresh(Parts* p)
{
	plError error;
	if (plCycles_Refresh(p->cycles, p->problem, p->q, &error) != pl_success)
		die(error.message);
}

static void takeProduct(Parts* p)
{
	plCycles_Multiply(p->cycles, p->problem, p->g, p->d);
}

static void takeEvaluation(Parts* p)
{
	p->problem->objective->evaluate(p->problem, p->q, p->d);
}

// Least milliseconds of `take`
static double timeOf(Parts* p, void (*take)(Parts*), int repeats)
{
	double least = INFINITY;
	for (int i = 0; i < repeats; ++i)
	{
		double start = plNow();
		take(p);
		least = fmin(least, plMilliseconds(start));
	}
	return least;
}

// Levels of their own over the same matrix, to time a cycle and a residual without what surrounds them.
static void openLevels(Parts* p, const plSolverDef* def)
{
	plError error;
	plProblem* problem = p->problem;
	const plBlockMatrix* matrix = problem->matrix->hessian(problem, p->q, pl_hessianProjected);
	size_t n = problem->layout.vertexCount;
	plPattern pattern = plCycles_GetPattern(matrix);
	if (plCycles_MakePlan(&p->plan, problem, def, &pattern, &error) != pl_success)
		die(error.message);
	p->levels = plMultigrid_Create(&p->plan, false, plCycles_GetSmoothing(def), problem->heap);
	if (p->levels == NULL || plMultigrid_Refresh(p->levels, matrix->block, problem->held, problem->pool) != pl_success)
		die("no levels");
	p->room = calloc(3 * n, sizeof *p->room);
	for (size_t i = 0; i < 3 * n; ++i)
		p->room[i] = cos((double)i);
	p->finest = (plMultigridLevel){.rows = p->plan.rows, .pool = problem->pool};
	float** arrays[] = {&p->finest.b, &p->finest.x, &p->finest.lower, &p->finest.block};
	for (int k = 0; k < 4; ++k)
		*arrays[k] = plHeap_AllocateZero(problem->heap, (k < 3 ? 4 * n : 9 * p->plan.rows->entryCount + 4), 4);
	p->finest.held = plHeap_AllocateZero(problem->heap, n, 1);
	plMultigridLevel_Copy(&p->finest, &p->plan, matrix->block, true);
}

static void multiply(void* context, plProblem* problem, const plTangent* x, plTangent* ax)
{
	plCycles_Multiply(context, problem, x, ax);
}

static void precondition(void* context, plProblem* problem, plTangent* z, const plTangent* r)
{
	plCycles_Precondition(context, problem, z, r);
}

// Conjugate gradients from the start of the next step until the residual has fallen to 0.01
static int countProducts(plWorld* world, Parts* p)
{
	plError error;
	plProblem* problem = p->problem;
	plWorld_Predict(world, 0);
	if (plWorld_Collide(world, &error) < 0)
		die(error.message);
	plConjugateGradients cg;
	if (!plConjugateGradients_Create(&cg, problem))
		die("no memory");
	problem->space->load(problem, p->q, world->q);
	takeRefresh(p);
	problem->objective->gradient(problem, p->q, p->g, NULL);
	problem->space->copy(problem, cg.r, p->g);
	problem->space->scale(problem, cg.r, -1.0);
	double norm = sqrt(problem->space->dot(problem, p->g, p->g));
	const plLinearMap map = {multiply, precondition, p->cycles};
	int count = plConjugateGradients_Solve(&cg, problem, p->d, &map, 1000, 0.01 * norm);
	plConjugateGradients_Destroy(&cg, problem);
	return count;
}

static void measureParts(size_t side, int threads, double seconds, double eh)
{
	plError error;
	plPool* pool = plCreatePool(threads);
	plSolverDef def = solverOf(pl_methodMultigrid, 12, 1e-3);
	plWorld* world = makeCurtain(side, eh, &def, pool);
	size_t n = world->layout.vertexCount;
	plStepReport report;
	Parts p = {0};
	byProcessor = threads == 1;
	if (plWorld_Prepare(world, &error) < 0)
		die(error.message);
	p.problem = world->prepared.problem;
	p.problem->timestep = 1.0 / 60.0;
	p.q = p.problem->space->newPoint(p.problem);
	p.g = p.problem->space->newTangent(p.problem);
	p.d = p.problem->space->newTangent(p.problem);
	p.problem->space->load(p.problem, p.q, world->q);
	size_t before = world->heap.bytes;
	double start = plNow();
	p.cycles = plCycles_Create(p.problem, &def);
	if (p.cycles == NULL || plCycles_Prepare(p.cycles, p.problem, p.q, &error) != pl_success)
		die(error.message);
	takeRefresh(&p);
	double setup = 1e-3 * plMilliseconds(start);
	size_t own = world->heap.bytes - before, all = world->heap.bytes;
	int products = 0;
	for (int i = 0; i < (int)(60.0 * seconds + 0.5); ++i)
		if (plWorld_Step(world, &report, &error) < 0)
			die(error.message);
	if (seconds > 0.0)
		products = countProducts(world, &p);
	openLevels(&p, &def);
	double residual = timeOf(&p, takeResidual, 15), cycle = timeOf(&p, takeCycle, 15),
	       hessian = timeOf(&p, takeHessian, 7), refresh = timeOf(&p, takeRefresh, 7),
	       product = timeOf(&p, takeProduct, 15), evaluation = timeOf(&p, takeEvaluation, 15);
	printf("%zu %.3f %.3f %.3f %.3f %.3f %.3f %.3f %.0f %.0f %d\n", n, residual, cycle, hessian, refresh - hessian,
	       product, evaluation, setup, (double)all / (double)n, (double)own / (double)n, products);
}

// ---- errors ---------------------------------------------------------------------------------------------------------

enum
{
	solverCount = 3
};

typedef struct Found
{
	double ms[solverCount][2]; // when the error fell below 1e-3 and 1e-4 for good; below 0: it did not until then
	int iterations[solverCount][2];
} Found;

static void record(const plCompareSample* sample, void* context)
{
	static const double goals[2] = {1e-3, 1e-4};
	Found* found = context;
	for (int k = 0; k < 2; ++k)
	{
		double* ms = found->ms[sample->solver] + k;
		if (sample->relativeError > goals[k])
			*ms = -sample->ms;
		else if (*ms <= 0.0)
			*ms = fmax(sample->ms, 1e-6);
		else
			continue;
		found->iterations[sample->solver][k] = sample->iteration;
	}
}

static void measureErrors(size_t side, int first, int last, int every, int newton)
{
	plError error;
	byProcessor = true;
	plSolverDef drive = solverOf(pl_methodMultigrid, 30, 1e-5);
	const plSolverDef solvers[solverCount] = {solverOf(pl_methodMultigrid, 8, 0.0),
	                                          solverOf(pl_methodQuasiNewton, 100, 0.0),
	                                          solverOf(pl_methodNewton, 6, 0.0)};
	plWorld* world = makeCurtain(side, 1e5, &drive, NULL);
	for (int step = 1; step <= last; ++step)
	{
		if (step >= first && (step - first) % every == 0)
		{
			Found found = {0};
			size_t count = (step - first) / every % newton == 0 ? solverCount : solverCount - 1;
			if (plWorld_Compare(world, solvers, count, record, &found, NULL, &error) < 0)
				die(error.message);
			printf("%d", step);
			for (int s = 0; s < solverCount; ++s)
				for (int k = 0; k < 2; ++k)
					printf("  %d %.1f", found.iterations[s][k], found.ms[s][k]);
			printf("\n");
			fflush(stdout);
		}
		if (plWorld_Step(world, NULL, &error) < 0)
			die(error.message);
	}
}

int main(int argc, char** argv)
{
	if (argc >= 5 && strcmp(argv[1], "parts") == 0)
		measureParts((size_t)atoi(argv[2]), atoi(argv[3]), atof(argv[4]), argc > 5 ? atof(argv[5]) : 1e5);
	else if (argc >= 6 && strcmp(argv[1], "errors") == 0)
		measureErrors((size_t)atoi(argv[2]), atoi(argv[3]), atoi(argv[4]), atoi(argv[5]), argc > 6 ? atoi(argv[6]) : 1);
	else
		return 2;
	return 0;
}
