// near_apart_test.c: bodies that stay apart cost nothing and have the bits of a world without contact; and they meet
//
//   near_apart_test --long cost     processor time of steps with contact over that of steps without
#include "sheet.h"
#include "shortage.h"
#include "world/world.h"

#include <math.h>
#include <time.h>

static const plMethod methods[] = {pl_methodNewton,  pl_methodNewtonCg, pl_methodMultigrid, pl_methodQuasiNewton,
                                   pl_methodDescent, pl_methodAuto,     pl_methodVbd,       pl_methodAvbd};
enum
{
	methodCount = sizeof methods / sizeof *methods
};

// Of the methods a sanitizer sees every third.
enum
{
	stride = testIsWatched ? 3 : 1
};

typedef struct Blocks
{
	size_t cells[3];
	plVec3 size, way, speed; // of the second one, from the first
} Blocks;

static plWorldDef defOf(plMethod method, bool bodiesMeet)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.timestep = 1.0 / 60.0;
	wd.solver = plDefaultSolverDef(method);
	wd.contact.bodies = bodiesMeet ? pl_bodiesAll : pl_bodiesNone;
	wd.contact.friction = 0.3;
	return wd;
}

// Two bars that are held at one end
static Fixture makeBlocks(const plWorldDef* wd, const Blocks* blocks, bool held)
{
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	Fixture f = makeFixture(wd, &bd, blocks->size, blocks->cells, held);
	plBodyId first = f.body;
	plMesh* mesh = plCreateBoxMesh(blocks->size, blocks->cells, 5, NULL, NULL);
	bd.mesh = mesh;
	bd.transform.translation = blocks->way;
	bd.velocity = blocks->speed;
	f.body = plCreateSoftBody(f.world, &bd, &f.error);
	plDestroyMesh(mesh);
	if (PL_IS_NULL(f.body))
		exit(1);
	if (held)
		pinBox(&f, (plVec3){-1e-9, -1e9, -1e9}, (plVec3){1e-9, 1e9, 1e9}, pl_axisAll);
	f.body = first;
	return f;
}

// Of two bodies; each may cross itself.
static size_t countCrossings(Fixture* f)
{
	plCrossing crossings[64];
	size_t count = 0, mutual = 0;
	plResult result = plWorld_FindCrossings(f->world, crossings, 64, &count, &f->error);
	for (size_t i = 0; i < count && i < 64; ++i)
		mutual += memcmp(crossings[i].bodies, crossings[i].bodies + 1, sizeof(plBodyId)) != 0;
	return result == pl_success && count < 64 ? mutual : SIZE_MAX;
}

// ---- apart ----------------------------------------------------------------------------------------------------------

static const Blocks swinging = {{4, 2, 2}, {0.4, 0.1, 0.1}, {0.0, 0.0, 0.5}, {0.0, 0.0, 0.0}};

// The free ends come to lie on a floor, so that descent has its diagonal in blocks anyway; beside it is a box, whose
// surface goes up and comes near nobody.
static void addFloor(Fixture* f)
{
	plColliderDef floor = plDefaultColliderDef(), box = plDefaultColliderDef();
	floor.offset = -0.02;
	CHECK(!PL_IS_NULL(plCreateCollider(f->world, &floor, &f->error)));
	box.shape = pl_shapeBox;
	box.size = (plVec3){0.1, 0.1, 0.1};
	box.centre = (plVec3){1.0, 0.0, 0.0};
	box.motion = (plMotion){.kind = pl_motionLine, .translate = {0.0, 0.3, 0.0}, .until = 1.0};
	CHECK(!PL_IS_NULL(plCreateCollider(f->world, &box, &f->error)));
}

static void checkApart(plMethod method, bool hasFloor)
{
	WITH("%s%s", plMethod_GetName(method), hasFloor ? " on a floor" : "");
	plWorldDef with = defOf(method, true), without = defOf(method, false);
	Fixture a = makeBlocks(&with, &swinging, true), b = makeBlocks(&without, &swinging, true);
	if (hasFloor)
	{
		addFloor(&a);
		addFloor(&b);
	}
	for (int i = 0; i < 6; ++i)
	{
		plStepReport left, right;
		CHECK(plWorld_Step(a.world, &left, &a.error) >= 0 && plWorld_Step(b.world, &right, &b.error) >= 0);
		CHECK(left.hash == right.hash && left.iterations == right.iterations && left.searches == 0);
		CHECK(left.residual == right.residual && left.objective == right.objective);
	}
	destroyFixture(&a);
	destroyFixture(&b);
}

TEST(bodies_that_stay_apart_have_the_bits_of_a_world_without_contact)
{
	for (int m = 0; m < methodCount; m += stride)
	{
		checkApart(methods[m], false);
		checkApart(methods[m], true);
	}
}

// ---- meeting --------------------------------------------------------------------------------------------------------

static const Blocks flying = {{2, 2, 2}, {0.2, 0.2, 0.2}, {0.5, 0.05, 0.03}, {-3.0, 0.0, 0.0}};

static plWorldDef weightless(plMethod method)
{
	plWorldDef wd = defOf(method, true);
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	return wd;
}

TEST(bodies_that_were_apart_meet_and_do_not_cross_whatever_the_method)
{
	for (int m = 0; m < methodCount; m += stride)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		plWorldDef wd = weightless(methods[m]);
		Fixture f = makeBlocks(&wd, &flying, false);
		size_t apart = 0, touching = 0;
		for (int i = 0; i < 14; ++i)
		{
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			CHECK(countCrossings(&f) == 0 && (report.selfContacts == 0 || report.gap > 0.0));
			apart += report.searches == 0;
			touching += report.selfContacts > 0;
		}
		CHECK(apart >= 4 && touching >= 2);
		destroyFixture(&f);
	}
}

static const Blocks still = {{2, 2, 2}, {0.2, 0.2, 0.2}, {0.5, 0.05, 0.03}, {0.0, 0.0, 0.0}};

// No guess knows of loads. This one would carry the first block through the second one in a substep of the third step.
static Fixture makeDeceiving(plMethod method, int substeps, plIntegrator integrator, plPool* pool)
{
	plWorldDef wd = weightless(method);
	wd.substeps = substeps;
	wd.integrator = integrator;
	wd.pool = pool;
	Fixture f = makeBlocks(&wd, &still, false);
	uint32_t all[64];
	for (uint32_t i = 0; i < 64; ++i)
		all[i] = i;
	plForceDef force = plDefaultForceDef();
	force.body = f.body;
	force.vertices = all;
	force.vertexCount = f.n;
	double h = wd.timestep / substeps;
	force.force = (plVec3){8.0 * 0.8 / (h * h), 0.0, 0.0};
	force.from = 1.9 * wd.timestep;
	force.until = 2.9 * wd.timestep;
	if (f.n > 64 || PL_IS_NULL(plCreateForce(f.world, &force, &f.error)))
		exit(1);
	return f;
}

// As if no substep had ever been left out: the step that is taken again begins where the first one did.
static void checkAgain(plMethod method, int substeps, plIntegrator integrator)
{
	WITH("%s, %d substeps", plMethod_GetName(method), substeps);
	plPool* pool = plCreatePool(3);
	Fixture a = makeDeceiving(method, substeps, integrator, NULL);
	Fixture b = makeDeceiving(method, substeps, integrator, NULL);
	Fixture c = makeDeceiving(method, substeps, integrator, pool);
	plStepReport left, right;
	size_t again = 0;
	for (int i = 0; i < 6; ++i)
	{
		CHECK(carryState(a.world, b.world, &b.error) == pl_success);
		CHECK(plWorld_Prepare(b.world, &b.error) >= 0);
		CHECK(plWorld_Step(a.world, &left, &a.error) >= 0);
		b.world->prepared.near->neverLeftOut = a.world->prepared.near->hasMet;
		again += a.world->prepared.near->hasMet;
		CHECK(plWorld_Step(b.world, &right, &b.error) >= 0);
		CHECK(left.hash == right.hash && left.iterations == right.iterations && left.searches == right.searches);
		CHECK(plWorld_Step(c.world, &right, &c.error) >= 0 && left.hash == right.hash);
		CHECK(countCrossings(&a) == 0);
		b.world->prepared.near->neverLeftOut = false;
	}
	CHECK(again >= 1);
	destroyFixture(&a);
	destroyFixture(&b);
	destroyFixture(&c);
	plDestroyPool(pool);
}

TEST(a_step_in_which_bodies_meet_unexpectedly_is_taken_again_with_pairs)
{
	for (int m = 0; m < methodCount; m += stride)
		checkAgain(methods[m], 1, pl_integratorImplicitEuler);
	checkAgain(pl_methodNewton, 3, pl_integratorImplicitEuler);
	checkAgain(pl_methodMultigrid, 2, pl_integratorBdf2);
}

// Half in a box at first, it flies away: that it is out is known before its surface is left out.
TEST(a_body_that_has_been_in_an_obstacle_is_not_left_out_before_it_is_known_to_be_out)
{
	plWorldDef wd = weightless(pl_methodNewton);
	Fixture f = makeBlocks(&wd, &still, false);
	plColliderDef box = plDefaultColliderDef();
	box.shape = pl_shapeBox;
	box.size = (plVec3){0.2, 0.2, 0.2};
	box.centre = (plVec3){-0.05, 0.1, 0.1};
	CHECK(!PL_IS_NULL(plCreateCollider(f.world, &box, &f.error)));
	double v[3 * 64] = {0.0};
	for (size_t i = 0; i < f.n; ++i)
		v[3 * i + 1] = 8.0;
	plBody_SetVelocities(f.world, f.body, v);
	size_t sunk = 0, leftOut = 0;
	for (int i = 0; i < 8; ++i)
	{
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		const plNear* near = f.world->prepared.near;
		sunk += near->sunkCount > 0;
		leftOut += report.searches == 0;
		CHECK(report.searches > 0 || near->sunkCount == 0);
	}
	CHECK(sunk > 0 && leftOut > 0);
	destroyFixture(&f);
}

TEST(bodies_that_stay_apart_allocate_nothing_nor_when_they_part)
{
	plWorldDef wd = weightless(pl_methodDescent);
	Fixture f = makeBlocks(&wd, &flying, false);
	plStepReport report;
	bool hadMet = false;
	for (int i = 0; i < 60; ++i)
	{
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		hadMet = hadMet || report.searches > 0;
		CHECK(i == 0 || report.searches > 0 || report.allocations == 0);
	}
	CHECK(hadMet && report.searches == 0); // they have rebounded
	destroyFixture(&f);
}

// ---- cloth with itself ----------------------------------------------------------------------------------------------

static Fixture makeHanging(plMethod method, bool touches, const size_t cells[2], plPool* pool)
{
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	plWorldDef wd = defOf(method, true);
	wd.contact.self = touches ? pl_selfCloth : pl_selfNone;
	wd.pool = pool;
	return makeFlag(&wd, &cd, cells);
}

TEST(a_cloth_that_swings_and_does_not_fold_has_the_bits_of_a_world_without_contact)
{
	static const size_t cells[2] = {9, 8};
	for (int m = 0; m < methodCount; m += stride)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		Fixture a = makeHanging(methods[m], true, cells, NULL), b = makeHanging(methods[m], false, cells, NULL);
		for (int i = 0; i < 8; ++i)
		{
			plStepReport left, right;
			CHECK(plWorld_Step(a.world, &left, &a.error) >= 0 && plWorld_Step(b.world, &right, &b.error) >= 0);
			CHECK(left.hash == right.hash && left.iterations == right.iterations && left.searches == 0);
			CHECK(left.residual == right.residual && left.objective == right.objective);
			CHECK(i == 0 || left.allocations == 0);
		}
		destroyFixture(&a);
		destroyFixture(&b);
	}
}

static uint32_t farSide[256];

// Weightless. No guess knows of loads: these fold the sheet across x = 0 within a step, flat onto itself and beyond.
static Fixture makeFolding(plMethod method, plPool* pool)
{
	static const size_t cells[2] = {10, 4};
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	plWorldDef wd = weightless(method);
	wd.contact.self = pl_selfCloth;
	wd.pool = pool;
	Fixture f = makeSheet(&wd, &cd, 1.0, 0.4, cells, pl_clothEquilateral);
	double positions[3 * 256];
	plForceDef force = plDefaultForceDef();
	if (f.n > 256)
		exit(1);
	plBody_GetPositions(f.world, f.body, positions);
	for (uint32_t i = 0; i < f.n; ++i)
		if (positions[3 * i] > 0.25)
			farSide[force.vertexCount++] = i;
	pinBox(&f, (plVec3){-1.0, -1.0, -1.0}, (plVec3){0.01, 1.0, 1.0}, pl_axisAll);
	force.body = f.body;
	force.vertices = farSide;
	double h = wd.timestep;
	force.force = (plVec3){-0.08 * 0.9 / (h * h), 0.0, 0.03 / (h * h)};
	force.from = 1.9 * h;
	force.until = 4.9 * h;
	if (PL_IS_NULL(plCreateForce(f.world, &force, &f.error)))
		exit(1);
	return f;
}

static size_t countOwnCrossings(Fixture* f)
{
	plCrossing crossing;
	size_t count = SIZE_MAX;
	return plWorld_FindCrossings(f->world, &crossing, 1, &count, &f->error) >= 0 ? count : SIZE_MAX;
}

// As if no substep had ever been left out, and as on three threads
TEST(a_step_in_which_a_cloth_folds_unexpectedly_is_taken_again_with_pairs)
{
	plPool* pool = plCreatePool(3);
	for (int m = 0; m < methodCount; m += stride)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		Fixture a = makeFolding(methods[m], NULL), b = makeFolding(methods[m], NULL), c = makeFolding(methods[m], pool);
		plStepReport left, right;
		size_t again = 0, leftOut = 0;
		for (int i = 0; i < 7; ++i)
		{
			CHECK(carryState(a.world, b.world, &b.error) == pl_success);
			CHECK(plWorld_Prepare(b.world, &b.error) >= 0);
			CHECK(plWorld_Step(a.world, &left, &a.error) >= 0);
			b.world->prepared.near->neverLeftOut = a.world->prepared.near->hasMet;
			again += a.world->prepared.near->hasMet;
			leftOut += left.searches == 0;
			CHECK(plWorld_Step(b.world, &right, &b.error) >= 0);
			CHECK(left.hash == right.hash && left.iterations == right.iterations && left.searches == right.searches);
			CHECK(plWorld_Step(c.world, &right, &c.error) >= 0 && left.hash == right.hash);
			CHECK(countOwnCrossings(&a) == 0);
			b.world->prepared.near->neverLeftOut = false;
		}
		CHECK(again >= 1 && leftOut >= 2);
		destroyFixture(&a);
		destroyFixture(&b);
		destroyFixture(&c);
	}
	plDestroyPool(pool);
}

// Beside the sheet that folds a second one lies on its own
static Fixture makeTwoSheets(plMethod method, plPool* pool, double height)
{
	static const size_t cells[2] = {7, 6};
	Fixture f = makeFolding(method, pool);
	plMesh* mesh = plCreateClothMesh(0.5, 0.4, cells, pl_clothEquilateral, NULL, NULL);
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	cd.mesh = mesh;
	cd.transform.translation = (plVec3){0.1, 0.03, height};
	bool fine = !PL_IS_NULL(plCreateCloth(f.world, &cd, &f.error));
	plDestroyMesh(mesh);
	if (!fine)
		exit(1);
	return f;
}

static size_t countOwnPairs(const plNear* near, uint32_t body)
{
	size_t count = 0;
	for (size_t p = 0; p < near->search.count; ++p)
		count += near->owner[near->search.pairs[p].corners[0]] == body &&
		         near->owner[near->search.pairs[p].corners[3]] == body;
	return count;
}

// No pair of a sheet with itself is looked for while that is spread, and it is in no search where it is far from
// others.
TEST(each_cloth_is_left_out_by_itself)
{
	static const double heights[2] = {5.0, 0.012}; // far; so near that they push
	static const plMethod some[2] = {pl_methodNewton, pl_methodMultigrid};
	for (int m = 0; m < 2; ++m)
		for (int k = 0; k < 2; ++k)
		{
			WITH("%s, %g m apart", plMethod_GetName(some[m]), heights[k]);
			plPool* pool = plCreatePool(3);
			Fixture a = makeTwoSheets(some[m], NULL, heights[k]), b = makeTwoSheets(some[m], pool, heights[k]);
			size_t searched = 0, leftOut = 0;
			for (int i = 0; i < 7; ++i)
			{
				plStepReport left, right;
				CHECK(plWorld_Step(a.world, &left, &a.error) >= 0 && plWorld_Step(b.world, &right, &b.error) >= 0);
				CHECK(left.hash == right.hash && left.searches == right.searches && countOwnCrossings(&a) == 0);
				const plNear* near = a.world->prepared.near;
				if (left.searches == 0 || near->hasMet)
					continue;
				searched++;
				leftOut += near->bodies[1].isSpread && countOwnPairs(near, 1) == 0;
				CHECK(k == 1 || near->members == (size_t)!near->bodies[0].isSpread);
			}
			CHECK(searched >= 1 && (k == 0 ? leftOut == searched : leftOut >= 1));
			destroyFixture(&a);
			destroyFixture(&b);
			plDestroyPool(pool);
		}
}

// A sheet that lies there; the box is not asked for. What fails in between moves nothing.
static bool lifeOfSheet(Meter* meter, const plMesh* box, plError* error)
{
	static const size_t cells[2] = {6, 5};
	(void)box;
	plWorldDef wd = defOf(pl_methodNewton, true);
	wd.contact.self = pl_selfCloth;
	wd.allocator = meterHook(meter);
	plMesh* mesh = plCreateClothMesh(1.0, 1.0, cells, pl_clothEquilateral, NULL, NULL);
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	cd.mesh = mesh;
	plWorld* world = plCreateWorld(&wd, error);
	bool fine = world != NULL && !PL_IS_NULL(plCreateCloth(world, &cd, error)) && stepOrStay(world, 2, meter, error);
	plDestroyMesh(mesh);
	plDestroyWorld(world);
	return fine;
}

TEST(whichever_allocation_of_a_cloth_that_touches_itself_fails_nothing_is_left_over)
{
	static const size_t one[3] = {1, 1, 1};
	failEachAllocation(lifeOfSheet, (plVec3){1.0, 1.0, 1.0}, one, 60);
}

// ---- cost -----------------------------------------------------------------------------------------------------------

static double secondsOf(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double timeStep(Fixture* f)
{
	double begin = secondsOf();
	plResult result = plWorld_Step(f->world, NULL, &f->error);
	double seconds = secondsOf() - begin;
	return result >= 0 ? seconds : INFINITY;
}

typedef Fixture MakeFcn(plMethod method, bool touches);

// Both worlds take the same steps to the bit, in turn; of each step the least of some runs
static void compareCosts(const char* name, MakeFcn* make)
{
	static const plMethod timed[] = {pl_methodNewton, pl_methodMultigrid, pl_methodQuasiNewton, pl_methodDescent,
	                                 pl_methodVbd};
	enum
	{
		steps = 8,
		runs = 15
	};
	for (size_t m = 0; m < sizeof timed / sizeof *timed; ++m)
	{
		double least[2][steps], sum[2] = {0.0, 0.0};
		for (int run = 0; run < runs; ++run)
		{
			Fixture f[2] = {make(timed[m], false), make(timed[m], true)};
			for (int i = 0; i < 2 * steps; ++i)
			{
				double seconds = timeStep(f + i % 2);
				least[i % 2][i / 2] = run == 0 ? seconds : fmin(seconds, least[i % 2][i / 2]);
			}
			destroyFixture(f);
			destroyFixture(f + 1);
		}
		for (int i = 1; i < steps; ++i) // the first prepares
			for (int k = 0; k < 2; ++k)
				sum[k] += least[k][i];
		printf("%s,%s without %.1f ms with %.1f ms ratio %.3f\n", name, plMethod_GetName(timed[m]),
		       1e3 * sum[0] / (steps - 1), 1e3 * sum[1] / (steps - 1), sum[1] / sum[0]);
	}
}

// Two bars of 5,000 vertices
static Fixture makeBars(plMethod method, bool touches)
{
	static const Blocks large = {{40, 10, 10}, {0.4, 0.1, 0.1}, {0.0, 0.0, 0.5}, {0.0, 0.0, 0.0}};
	plWorldDef wd = defOf(method, touches);
	return makeBlocks(&wd, &large, true);
}

LONG_TEST(cost_of_contact_between_bodies_that_stay_apart)
{
	compareCosts("bars", makeBars);
}

// A sheet of 2,600 vertices, held at two corners
static Fixture makeCurtain(plMethod method, bool touches)
{
	static const size_t cells[2] = {50, 50};
	return makeHanging(method, touches, cells, NULL);
}

LONG_TEST(cost_of_contact_of_a_cloth_that_does_not_fold)
{
	compareCosts("sheet", makeCurtain);
}
