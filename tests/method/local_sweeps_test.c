// local_sweeps_test.c: block descent over the vertices that hold most of a residual
#include "method/cycles.h"
#include "method/local_sweeps.h"
#include "world/sheet.h"
#include "world/shortage.h"
#include "world/world.h"

static const size_t cells[2] = {30, 35};

static plWorldDef worldOf(int sweeps)
{
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 60.0;
	wd.solver = plDefaultSolverDef(pl_methodMultigrid);
	wd.solver.cycle.localSweeps = sweeps;
	return wd;
}

// A flag of some thousand vertices; a vertex in its middle may be pulled out.
static Fixture makePulled(const plWorldDef* wd, double distance)
{
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	Fixture f = makeFlag(wd, &def, cells);
	double* x = malloc(3 * f.n * sizeof *x);
	plBody_GetPositions(f.world, f.body, x);
	size_t middle = 0;
	for (size_t i = 0; i < f.n; ++i)
		if (fabs(x[3 * i]) + fabs(x[3 * i + 2]) < fabs(x[3 * middle]) + fabs(x[3 * middle + 2]))
			middle = i;
	x[3 * middle + 1] += distance;
	plBody_SetPositions(f.world, f.body, x);
	free(x);
	return f;
}

// What `plLocalSweeps_Run` works on
typedef struct Bench
{
	Fixture f;
	plProblem* p;
	const plBlockMatrix* matrix;
	plIterate it;
	plPoint* trial;
	plTangent* work;
} Bench;

static Bench makeBench(Fixture f)
{
	Bench b = {.f = f};
	plWorld_Prepare(f.world, &b.f.error);
	b.p = f.world->prepared.problem;
	memcpy(f.world->prepared.y, f.world->q, plLayout_GetLength(b.p->layout) * sizeof(double));
	b.p->timestep = 1.0 / 60.0;
	b.it.q = b.p->space->newPoint(b.p);
	b.it.g = b.p->space->newTangent(b.p);
	b.trial = b.p->space->newPoint(b.p);
	b.work = b.p->space->newTangent(b.p);
	b.p->space->load(b.p, b.it.q, f.world->q);
	b.matrix = b.p->matrix->hessian(b.p, b.it.q, pl_hessianProjected);
	return b;
}

static void destroyBench(Bench* b)
{
	b->p->space->freePoint(b->p, b->it.q);
	b->p->space->freePoint(b->p, b->trial);
	b->p->space->freeTangent(b->p, b->it.g);
	b->p->space->freeTangent(b->p, b->work);
	destroyFixture(&b->f);
}

static double normOf(const Bench* b)
{
	return sqrt(b->p->space->dot(b->p, b->it.g, b->it.g));
}

TEST(what_stands_out_is_swept_and_the_rest_stays)
{
	plWorldDef wd = worldOf(40);
	Bench b = makeBench(makePulled(&wd, 0.01));
	plProblem* p = b.p;
	size_t length = plLayout_GetLength(p->layout), moved = 0;
	double* after = malloc(length * sizeof *after);
	plLocalSweeps local;
	CHECK(plLocalSweeps_Create(&local, p, 40));
	plIterate_NeedGradient(&b.it, p);
	double before = p->objective->value(p, b.it.q).value, norm = normOf(&b);
	CHECK(plLocalSweeps_Run(&local, p, b.matrix, 1.0, &b.it, b.trial, b.work) == pl_success);
	CHECK(b.it.valueValid && b.it.gradientValid && local.visits > 0 && local.visits <= b.f.n);
	plValue f = p->objective->evaluate(p, b.it.q, b.work);
	CHECK(f.value == b.it.f.value);
	CHECK_BELOW(f.value, before);
	CHECK_BELOW(normOf(&b), 0.1 * norm);
	p->space->store(p, after, b.it.q);
	for (size_t i = 0; i < b.f.n; ++i)
		moved += memcmp(PL_AT(after, i), PL_AT(b.f.world->q, i), 3 * sizeof *after) != 0;
	CHECK(moved > 7 && moved < b.f.n / 3);
	plLocalSweeps_Destroy(&local, p);
	free(after);
	destroyBench(&b);
}

// Free fall alone: every vertex has the same load.
TEST(a_residual_that_is_spread_is_left_alone)
{
	plWorldDef wd = worldOf(40);
	Bench b = makeBench(makePulled(&wd, 0.0));
	plLocalSweeps local;
	CHECK(plLocalSweeps_Create(&local, b.p, 40));
	for (size_t i = 0; i < plLayout_GetLength(b.p->layout); ++i)
		b.f.world->prepared.y[i] = b.f.world->q[i] - (i % pl_quad == 1 ? 0.01 : 0.0);
	plIterate_NeedGradient(&b.it, b.p);
	CHECK(normOf(&b) > 0.0);
	CHECK(plLocalSweeps_Run(&local, b.p, b.matrix, 1.0, &b.it, b.trial, b.work) == pl_success);
	CHECK(local.visits == 0);
	plLocalSweeps_Destroy(&local, b.p);
	destroyBench(&b);
}

// A sweep that is told to raise the objective: what it did is taken back.
static void spoil(plProblem* p, plPoint* q, const uint8_t* wanted)
{
	(void)wanted;
	plTangent* d = p->space->newTangent(p);
	p->space->fillNoise(p, d);
	p->space->advance(p, q, q, 1.0, d);
	p->space->freeTangent(p, d);
}

TEST(what_would_raise_the_objective_is_taken_back)
{
	plWorldDef wd = worldOf(40);
	Bench b = makeBench(makePulled(&wd, 0.01));
	const plSweepVerbs* own = b.p->sweep;
	plSweepVerbs bad = *own;
	bad.sweepSome = spoil;
	plLocalSweeps local;
	CHECK(plLocalSweeps_Create(&local, b.p, 3));
	double value = b.p->objective->value(b.p, b.it.q).value;
	b.p->sweep = &bad;
	CHECK(plLocalSweeps_Run(&local, b.p, b.matrix, 1.0, &b.it, b.trial, b.work) == pl_success);
	b.p->sweep = own;
	CHECK(local.visits > 0 && b.it.f.value == value && b.p->objective->value(b.p, b.it.q).value == value);
	plLocalSweeps_Destroy(&local, b.p);
	destroyBench(&b);
}

// By how much the vertex that is farthest out of its ball is out of it; at most 0: none is
static double findFarthest(const Bench* b, const double* places)
{
	const plNearEnergy* near = b->f.world->prepared.near->energy;
	double most = -INFINITY;
	for (size_t i = 0; i < b->f.n; ++i)
	{
		double u[3];
		plSubtract3(PL_AT(places, i), PL_AT(near->reference, i), u);
		most = fmax(plLength3(u) - near->ball[i], most);
	}
	return most;
}

TEST(surfaces_that_must_not_cross_are_swept_within_their_balls)
{
	plWorldDef wd = worldOf(40);
	wd.contact.bodies = pl_bodiesAll;
	wd.contact.self = pl_selfCloth;
	wd.contact.pairThickness = 0.006;
	Bench b = makeBench(makePulled(&wd, 0.01));
	double* places = malloc(plLayout_GetLength(b.p->layout) * sizeof *places);
	plLocalSweeps local;
	CHECK(b.p->pairs != NULL && b.p->pairs->search(b.p, b.it.q) == pl_success);
	CHECK(plLocalSweeps_Create(&local, b.p, 40) && b.p->sweep->countColours(b.p) > 0);
	double before = b.p->objective->value(b.p, b.it.q).value;
	CHECK(plLocalSweeps_Run(&local, b.p, b.matrix, 1.0, &b.it, b.trial, b.work) == pl_success && local.visits > 0);
	b.p->space->store(b.p, places, b.it.q);
	CHECK_BELOW(b.p->objective->value(b.p, b.it.q).value, before);
	CHECK(b.p->pairs->countHeld(b.p) > 0); // the one that was pulled goes farther than it may
	CHECK_BELOW(findFarthest(&b, places), 1e-15);
	plLocalSweeps_Destroy(&local, b.p);
	free(places);
	destroyBench(&b);
}

// ---- steps ----------------------------------------------------------------------------------------------------------

// A flag that was pushed together and buckles: iterations of all steps, and the hash at the end
static int buckle(int sweeps, plMethod method, plPool* pool, int steps, uint64_t* hash)
{
	plWorldDef wd = worldOf(sweeps);
	if (method != pl_methodMultigrid)
		wd.solver = plDefaultSolverDef(method);
	wd.pool = pool;
	wd.solver.iterations = 60;
	wd.solver.tolerance = 1e-4;
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	Fixture f = makeFlag(&wd, &def, cells);
	double* x = malloc(3 * f.n * sizeof *x);
	plBody_GetPositions(f.world, f.body, x);
	for (size_t i = 0; i < f.n; ++i)
		if (x[3 * i + 2] > -0.4)
			x[3 * i + 1] += 0.02 * sin(60.0 * x[3 * i]) * cos(17.0 * x[3 * i + 2]);
	plBody_SetPositions(f.world, f.body, x);
	free(x);
	int iterations = 0;
	for (int i = 0; i < steps; ++i)
	{
		plStepReport report = {0};
		plWorld_Step(f.world, &report, &f.error);
		iterations += report.iterations;
	}
	*hash = plWorld_GetHash(f.world);
	destroyFixture(&f);
	return iterations;
}

TEST(crumpled_cloth_takes_fewer_iterations)
{
	uint64_t hash;
	int with = buckle(40, pl_methodMultigrid, NULL, 4, &hash), without = buckle(0, pl_methodMultigrid, NULL, 4, &hash);
	CHECK(8 * with <= 7 * without); // 89 and 106
}

TEST(any_number_of_threads_gives_the_same_bits)
{
	static const int counts[] = {2, 3, 7};
	uint64_t alone, together;
	int iterations = buckle(40, pl_methodMultigrid, NULL, 2, &alone);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
	{
		WITH("%d threads", counts[i]);
		plPool* pool = plCreatePool(counts[i]);
		CHECK(buckle(40, pl_methodMultigrid, pool, 2, &together) == iterations && together == alone);
		plDestroyPool(pool);
	}
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static bool live(Meter* meter, const plMesh* mesh, plError* error)
{
	(void)mesh;
	plWorldDef wd = worldOf(40);
	wd.allocator = meterHook(meter);
	wd.solver.iterations = 3;
	plWorld* world = plCreateWorld(&wd, error);
	plMesh* sheet =
	    world != NULL ? plCreateClothMesh(1.0, 1.0, (size_t[2]){9, 9}, pl_clothEquilateral, NULL, error) : NULL;
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	def.mesh = sheet;
	plBodyId body = {0};
	bool fine = sheet != NULL && PL_IS_NON_NULL(body = plCreateCloth(world, &def, error));
	plDestroyMesh(sheet);
	if (fine)
	{
		double x[3 * 128];
		plBody_GetPositions(world, body, x);
		x[3 * 60 + 2] += 0.05;
		plBody_SetPositions(world, body, x);
	}
	fine = fine && stepOrStay(world, 1, meter, error);
	if (fine && world->prepared.problem->sweep->countColours(world->prepared.problem) == 0)
		meter->live += 1000000; // there was nothing to sweep
	size_t made = meter->made;
	fine = fine && stepOrStay(world, 2, meter, error);
	if (meter->made != made)
		meter->live += 1000000; // once there are colours nothing is allocated
	plDestroyWorld(world);
	return fine;
}

TEST(whichever_allocation_fails_nothing_leaks_and_the_state_stands)
{
	failEachAllocation(live, unit, oneCell, 100);
}
