// forward_test.c: a world on a second backend, forward.h, gives the bits of cpu; what a backend lacks is said by name
#include "world/shortage.h"
#include "forward.h"
#include "pliant/compare.h"
#include "world/world.h"

enum
{
	stepCount = 6
};

static const plVec3 barSize = {2.0, 1.0, 1.0};
static const size_t barCells[3] = {3, 2, 2};

// ---- a world with something of everything ---------------------------------------------------------------------------

typedef struct Pair
{
	Fixture bar;
	plBodyId box;
} Pair;

// A force along z on the bar, and springs from its first four vertices to those of the box.
static void createLoads(Pair* pair)
{
	static const uint32_t vertices[8] = {0, 1, 2, 3, 4, 5, 6, 7};
	static const uint32_t pairs[8] = {8, 0, 9, 1, 10, 2, 11, 3};
	plForceDef force = plDefaultForceDef();
	force.body = pair->bar.body;
	force.vertices = vertices;
	force.vertexCount = 8;
	force.force.z = 40.0;
	force.traction.y = -300.0;
	plCreateForce(pair->bar.world, &force, &pair->bar.error);
	plSpringsDef springs = plDefaultSpringsDef();
	springs.a = pair->bar.body;
	springs.b = pair->box;
	springs.pairs = pairs;
	springs.count = 4;
	springs.stiffness = 500.0;
	plCreateSprings(pair->bar.world, &springs, &pair->bar.error);
}

// One end of the bar is carried along and turned until 0.05 s, one vertex is let go at 0.03 s, one is drawn.
static void createPins(Pair* pair)
{
	Fixture* f = &pair->bar;
	uint32_t chosen[64], corner = (uint32_t)f->n - 1, middle = (uint32_t)f->n / 2;
	plPinDef pin = pinInBox(f, (plVec3){-1e-9, -9.0, -9.0}, (plVec3){1e-9, 9.0, 9.0}, chosen);
	pin.motion = (plMotion){.translate = {0.05, 0.02, 0.0}, .rotateAxis = {1.0, 0.0, 0.0}, .rotateAngle = 0.3};
	pin.motion.until = 0.05;
	plCreatePin(f->world, &pin, &f->error);
	pin = pinOf(f, &corner);
	pin.axes = pl_axisY;
	pin.release = 0.03;
	plCreatePin(f->world, &pin, &f->error);
	pin = pinOf(f, &middle);
	pin.stiffness = 300.0;
	pin.motion = (plMotion){.translate = {0.0, 0.1, 0.0}, .until = 0.1};
	plCreatePin(f->world, &pin, &f->error);
}

// A bar with pins, loads and damping, and a box that lands on the ground in the second step, slides, and is inside
// out, so that it converts. Projective dynamics takes less of this.
static Pair makePair(const plBackendType* backend, const plSolverDef* solver, plPool* pool)
{
	bool isProjective = solver->method == pl_methodProjective;
	plLaw law = isProjective ? pl_lawArap : pl_lawNeoHookean;
	plWorldDef wd = plDefaultWorldDef();
	if (backend == plBackend_Find("cpu"))
		wd.contact.bodies = pl_bodiesNone; // as on forward, which has no pairs
	wd.solver = *solver;
	wd.pool = pool;
	plSoftBodyDef bd = softBody(law, 1e5, 0.3, 1000.0);
	bd.damping = (plDamping){.air = 0.5, .viscous = isProjective ? 0.0 : 5.0};
	bd.transform.translation.y = 0.3;
	Pair pair = {.bar = makeFixture(&wd, &bd, barSize, barCells, false)};
	pair.bar.world->backend = backend;

	plMesh* mesh = plCreateBoxMesh(unit, (const size_t[3]){2, 2, 2}, 5, NULL, NULL);
	bd = softBody(law, 2e4, 0.3, 500.0);
	bd.mesh = mesh;
	bd.material.inversion = isProjective ? pl_inversionExtend : pl_inversionConvert;
	bd.velocity = (plVec3){1.0, -2.0, 0.2};
	bd.transform.translation = (plVec3){0.5, 0.05, 1.5};
	pair.box = plCreateSoftBody(pair.bar.world, &bd, &pair.bar.error);
	double x[3 * 27];
	plBody_GetPositions(pair.bar.world, pair.box, x);
	for (size_t i = 0; i < 27 && !isProjective; ++i)
		x[3 * i + 1] = 0.365 - 0.3 * x[3 * i + 1]; // its top goes from 1.05 to 0.05
	plBody_SetPositions(pair.bar.world, pair.box, x);
	plDestroyMesh(mesh);

	createPins(&pair);
	createLoads(&pair);
	plColliderDef ground = plDefaultColliderDef();
	ground.friction = 0.6;
	plCreateCollider(pair.bar.world, &ground, &pair.bar.error);
	return pair;
}

// ---- the same bits --------------------------------------------------------------------------------------------------

// All of a report but its times, and but what the first step allocates: a box for every point. Both are blanked in
// place, because a copy need not copy what lies between members.
static bool isSame(plStepReport* a, plStepReport* b)
{
	a->ms = b->ms = (plProfile){0};
	if (a->step == 1 || a->choice != pl_choiceGiven) // auto makes newton in a later step, and the points have boxes
		a->allocations = b->allocations = 0;
	return memcmp(a, b, sizeof *a) == 0;
}

static double sumForces(const Pair* pair)
{
	double forces[3 * 64], sum = 0.0;
	plBody_GetPinForces(pair->bar.world, pair->bar.body, forces);
	for (size_t i = 0; i < 3 * pair->bar.n; ++i)
		sum += fabs(forces[i]);
	return sum;
}

// What the steps of a world had to do with
typedef struct Seen
{
	size_t contacts;
	int epochs;
	double converted; // largest weight of conversion
} Seen;

static void see(Seen* seen, const Pair* pair, const plStepReport* report)
{
	double weights[2 * 2 * 2 * 6] = {0};
	plBody_GetBlend(pair->bar.world, pair->box, weights);
	for (size_t i = 0; i < sizeof weights / sizeof *weights; ++i)
		seen->converted = fmax(seen->converted, weights[i]);
	seen->contacts += report->contacts;
	seen->epochs += report->epochs;
}

static void checkSameBits(const plSolverDef* solver, plPool* pool, Seen* seen)
{
	Pair own = makePair(plBackend_Find("cpu"), solver, pool), other = makePair(&forwardWhole, solver, pool);
	*seen = (Seen){0};
	for (int i = 0; i < stepCount; ++i)
	{
		WITH("step %d", i + 1);
		plStepReport a, b;
		size_t before = forwardCalls[forwardObjective];
		plResult result = plWorld_Step(own.bar.world, &a, &own.bar.error);
		CHECK(result >= 0 && before == forwardCalls[forwardObjective]);
		CHECK(plWorld_Step(other.bar.world, &b, &other.bar.error) == result);
		CHECK(before < forwardCalls[forwardObjective]);
		CHECK(a.hash == b.hash);
		CHECK(isSame(&a, &b));
		CHECK(sumForces(&own) > 0.0 && sumForces(&own) == sumForces(&other));
		see(seen, &other, &b);
	}
	destroyFixture(&own.bar);
	destroyFixture(&other.bar);
}

// Which facets were asked since `before`, as bits of plFacet
static unsigned facetsAsked(const size_t before[forwardFacetCount])
{
	return (forwardCalls[forwardMatrix] > before[forwardMatrix] ? pl_facetMatrix : 0u) |
	       (forwardCalls[forwardDiagonal] > before[forwardDiagonal] ? pl_facetDiagonal : 0u) |
	       (forwardCalls[forwardSweep] > before[forwardSweep] ? pl_facetSweep : 0u) |
	       (forwardCalls[forwardBodies] > before[forwardBodies] ? pl_facetBodies : 0u);
}

TEST(every_method_gives_the_bits_of_cpu_and_asks_the_facets_that_it_says)
{
	for (int method = 0; method < pl_softMethodCount; ++method)
	{
		WITH("%s", plMethod_GetName((plMethod)method));
		plSolverDef solver = plDefaultSolverDef((plMethod)method);
		const plMethodType* type = plMethod_GetType((plMethod)method);
		size_t before[forwardFacetCount];
		memcpy(before, forwardCalls, sizeof before);
		Seen seen;
		CALL(checkSameBits(&solver, NULL, &seen));
		CHECK(forwardCalls[forwardSpace] > before[forwardSpace]);
		unsigned asked = facetsAsked(before), needed = type->needs != NULL ? type->needs(&solver) : 0u;
		CHECK((asked & needed) == needed && (asked & ~(needed | type->uses)) == 0);
		CHECK(seen.contacts > 0 && seen.epochs > stepCount);
		CHECK(method == pl_methodProjective || seen.converted > 0.0);
	}
}

TEST(choices_of_matrix_direction_and_guess_give_the_bits_of_cpu)
{
	plPool* pool = plCreatePool(2);
	plSolverDef solvers[8];
	for (int i = 0; i < 3; ++i)
		solvers[i] = plDefaultSolverDef(pl_methodQuasiNewton);
	solvers[0].linear = pl_linearCg;
	solvers[1].matrix = pl_matrixDiagonal;
	solvers[2].matrix = pl_matrixWarped;
	solvers[3] = plDefaultSolverDef(pl_methodQuasiNewton);
	solvers[3].precision = pl_precisionFloat;
	solvers[4] = plDefaultSolverDef(pl_methodDescent);
	solvers[4].direction = pl_directionGaussSeidel;
	solvers[5] = plDefaultSolverDef(pl_methodDescent);
	solvers[5].guess = pl_guessOptimal;
	solvers[6] = plDefaultSolverDef(pl_methodNewtonCg);
	solvers[6].hessian = pl_hessianProjected;
	solvers[7] = plDefaultSolverDef(pl_methodNewton);
	solvers[7].hessian = pl_hessianProjected;
	for (size_t i = 0; i < sizeof solvers / sizeof *solvers; ++i)
	{
		WITH("solver %zu", i);
		Seen seen;
		CALL(checkSameBits(solvers + i, pool, &seen));
	}
	plDestroyPool(pool);
}

TEST(a_state_goes_from_one_backend_to_the_other)
{
	plSolverDef solver = plDefaultSolverDef(pl_methodDescent);
	Pair own = makePair(plBackend_Find("cpu"), &solver, NULL), other = makePair(&forwardWhole, &solver, NULL);
	plStepReport a, b;
	for (int i = 0; i < 3; ++i)
		CHECK(plWorld_Step(other.bar.world, &b, &other.bar.error) >= 0);
	CHECK(carryState(other.bar.world, own.bar.world, &own.bar.error) == pl_success);
	CHECK(plWorld_Step(own.bar.world, &a, &own.bar.error) >= 0);
	CHECK(plWorld_Step(other.bar.world, &b, &other.bar.error) >= 0);
	CHECK(a.hash == b.hash);
	destroyFixture(&own.bar);
	destroyFixture(&other.bar);
}

// Stresses and forces of the elements are the backend's to give.
TEST(queries_go_through_the_door)
{
	plSolverDef solver = plDefaultSolverDef(pl_methodNewton);
	Pair pairs[2] = {makePair(plBackend_Find("cpu"), &solver, NULL), makePair(&forwardWhole, &solver, NULL)};
	static double stresses[2][9 * 400], forces[2][3 * 64];
	for (size_t i = 0; i < 2; ++i)
	{
		Fixture* f = &pairs[i].bar;
		plStepReport report;
		CHECK(f->m <= 400 && f->n <= 64 && plWorld_Step(f->world, &report, &f->error) >= 0);
		CHECK(plBody_GetStresses(f->world, f->body, stresses[i], &f->error) == pl_success);
		CHECK(plBody_GetElasticForces(f->world, f->body, forces[i], &f->error) == pl_success);
	}
	CHECK(memcmp(stresses[0], stresses[1], sizeof stresses[0]) == 0 && stresses[0][0] != 0.0);
	CHECK(memcmp(forces[0], forces[1], sizeof forces[0]) == 0 && forces[0][0] != 0.0);
	destroyFixture(&pairs[0].bar);
	destroyFixture(&pairs[1].bar);
}

static void addSample(const plCompareSample* sample, void* context)
{
	double* sum = context;
	*sum += sample->objective * (1.0 + sample->iteration) + sample->residual;
}

// A comparison has several problems, and judges the points of one by another.
TEST(a_comparison_gives_the_numbers_of_cpu)
{
	plSolverDef solvers[2] = {plDefaultSolverDef(pl_methodQuasiNewton), plDefaultSolverDef(pl_methodDescent)};
	solvers[1].precision = pl_precisionFloat;
	Pair own = makePair(plBackend_Find("cpu"), solvers, NULL), other = makePair(&forwardWhole, solvers, NULL);
	double sums[2] = {0.0, 0.0};
	plComparison found[2];
	CHECK(plWorld_Compare(own.bar.world, solvers, 2, addSample, sums, found, &own.bar.error) == pl_success);
	CHECK(plWorld_Compare(other.bar.world, solvers, 2, addSample, sums + 1, found + 1, &other.bar.error) == pl_success);
	CHECK(sums[0] == sums[1] && sums[0] != 0.0);
	CHECK(found[0].best == found[1].best && found[0].start == found[1].start);
	destroyFixture(&own.bar);
	destroyFixture(&other.bar);
}

// ---- what a backend lacks -------------------------------------------------------------------------------------------

typedef struct Refusal
{
	plMethod method;
	const plBackendType* backend;
	const char* words;
} Refusal;

TEST(a_method_that_needs_what_the_backend_lacks_is_refused_by_name_and_another_runs)
{
	static const Refusal refusals[] = {
	    {pl_methodVbd, &forwardDiagonalOnly, "vbd needs sweeps over blocks, which the backend forward does not have"},
	    {pl_methodNewton, &forwardDiagonalOnly, "newton needs matrices, which the backend forward does not have"},
	    {pl_methodNewton, &forwardBare, "newton needs matrices, which the backend forward does not have"},
	    {pl_methodQuasiNewton, &forwardDiagonalOnly,
	     "quasi-newton needs matrices, which the backend forward does not have"},
	    {pl_methodProjective, &forwardBare, "projective needs matrices, which the backend forward does not have"},
	    {pl_methodDescent, &forwardMatrixOnly, "descent needs a diagonal, which the backend forward does not have"},
	    {pl_methodNewtonCg, &forwardMatrixOnly, "newton-cg needs a diagonal, which the backend forward does not have"},
	    {pl_methodJacobi, &forwardBare, "jacobi needs a diagonal, which the backend forward does not have"}};
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i)
	{
		const Refusal* refusal = refusals + i;
		WITH("%s", refusal->words);
		plSolverDef solver = plDefaultSolverDef(refusal->method), plain = plDefaultSolverDef(pl_methodGradient);
		Pair pair = makePair(refusal->backend, &solver, NULL);
		Pair fresh = makePair(plBackend_Find("cpu"), &plain, NULL);
		plStepReport report, expected;
		plError error = {0};
		uint64_t before = plWorld_GetHash(pair.bar.world);
		for (int again = 0; again < 2; ++again)
		{
			CHECK(plWorld_Step(pair.bar.world, &report, &error) == pl_errorMissing && error.code == pl_errorMissing);
			CHECK_TEXT(error.message, refusal->words);
		}
		CHECK(plWorld_GetHash(pair.bar.world) == before && plWorld_GetStepCount(pair.bar.world) == 0);
		CHECK(plWorld_SetSolver(pair.bar.world, &plain, &error) == pl_success);
		CHECK(plWorld_Step(pair.bar.world, &report, &error) >= 0);
		CHECK(plWorld_Step(fresh.bar.world, &expected, &error) >= 0);
		CHECK(refusal->method == pl_methodProjective || report.hash == expected.hash);
		destroyFixture(&pair.bar);
		destroyFixture(&fresh.bar);
	}
}

// What is left to the world is not done there; what was asked for is refused.
TEST(surfaces_pass_through_each_other_on_a_backend_without_pairs)
{
	plSolverDef solver = plDefaultSolverDef(pl_methodNewton);
	Pair pair = makePair(&forwardWhole, &solver, NULL);
	plWorld* world = pair.bar.world;
	plError error = {0};
	CHECK(!plWorld_BodiesMeet(world) && plWorld_GetSelf(world) == pl_selfNone);
	CHECK(plWorld_Step(world, NULL, &error) >= 0);
	plSurfaceContact contact;
	CHECK(plWorld_GetSurfaceContact(world, &contact, &error) == pl_success && contact.isMissing && !contact.bodies);
	destroyFixture(&pair.bar);

	pair = makePair(&forwardWhole, &solver, NULL);
	world = pair.bar.world;
	world->contactDef.bodies = pl_bodiesAll;
	CHECK(plWorld_Step(world, NULL, &error) == pl_errorMissing);
	CHECK(strstr(error.message, "needs pairs, which the backend forward does not have") != NULL);
	CHECK(plWorld_GetStepCount(world) == 0);
	world->contactDef.bodies = pl_bodiesAuto;
	CHECK(plWorld_Step(world, NULL, &error) >= 0);
	destroyFixture(&pair.bar);
}

TEST(a_backend_with_one_facet_runs_the_methods_of_that_facet)
{
	const struct
	{
		plMethod method;
		const plBackendType* backend;
	} rows[] = {{pl_methodNewton, &forwardMatrixOnly},    {pl_methodQuasiNewton, &forwardMatrixOnly},
	            {pl_methodDescent, &forwardDiagonalOnly}, {pl_methodNewtonCg, &forwardDiagonalOnly},
	            {pl_methodGradient, &forwardBare},        {pl_methodLbfgs, &forwardDiagonalOnly}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
	{
		WITH("%s", plMethod_GetName(rows[i].method));
		plSolverDef solver = plDefaultSolverDef(rows[i].method);
		Pair own = makePair(plBackend_Find("cpu"), &solver, NULL), other = makePair(rows[i].backend, &solver, NULL);
		plStepReport a, b;
		CHECK(plWorld_Step(own.bar.world, &a, &own.bar.error) >= 0);
		CHECK(plWorld_Step(other.bar.world, &b, &other.bar.error) >= 0);
		CHECK(a.hash == b.hash);
		destroyFixture(&own.bar);
		destroyFixture(&other.bar);
	}
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static plMethod livingMethod;

// A step that lacks memory leaves the world as it was, and the next one, which has it, is that of cpu.
static bool liveForward(Meter* meter, const plMesh* mesh, plError* error)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.allocator = meterHook(meter);
	wd.solver = plDefaultSolverDef(livingMethod);
	plWorld* world = plCreateWorld(&wd, error);
	if (world == NULL)
		return false;
	world->backend = &forwardWhole;
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.mesh = mesh;
	bd.material.inversion = pl_inversionConvert;
	bd.velocity.x = 1.0;
	plColliderDef ground = plDefaultColliderDef();
	bool fine =
	    PL_IS_NON_NULL(plCreateSoftBody(world, &bd, error)) && PL_IS_NON_NULL(plCreateCollider(world, &ground, error));
	bool stepped = fine && stepOrStay(world, 2, meter, error);
	plError other;
	if (fine && !stepped && plWorld_Step(world, NULL, &other) < 0) // only one allocation fails: now it has all it needs
		meter->live += 1000000;
	plDestroyWorld(world);
	return stepped;
}

TEST(whichever_allocation_fails_the_world_is_usable_after_it)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodDescent, pl_methodQuasiNewton};
	for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i)
	{
		WITH("%s", plMethod_GetName(methods[i]));
		livingMethod = methods[i];
		CALL(failEachAllocation(liveForward, unit, (const size_t[3]){2, 2, 2}, 40));
	}
}
