// matter_test.c: materials and damping that change between steps: the same bits as after a restart, and what it costs
#include "things.h"
#include "shortage.h"

#include "world/world.h"

// ---- a bar of three materials, and changes --------------------------------------------------------------------------

// Region 0 has a density only, region 1 a material of its own.
typedef struct Matter
{
	plMaterialDef body, region;
	plDamping damping;
} Matter;

static Matter firstMatter(void)
{
	return (Matter){anyMaterial(pl_lawNeoHookean, 1e5, 0.4), anyMaterial(pl_lawStvk, 3e5, 0.3), {0.5, 5.0}};
}

static Fixture makeBar(const plSolverDef* solver, const Matter* matter, bool onGround)
{
	static const uint32_t first[4] = {0, 1, 2, 3}, second[3] = {10, 11, 12};
	plWorldDef wd = newtonWorldDef();
	wd.solver = *solver;
	plRegionDef regions[2] = {{.tets = first, .tetCount = 4, .density = 1500.0},
	                          {.tets = second, .tetCount = 3, .material = &matter->region}};
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.material = matter->body;
	bd.damping = matter->damping;
	bd.regions = regions;
	bd.regionCount = 2;
	bd.velocity = (plVec3){0.3, 0.2, 0.1};
	Fixture f = makeFixture(&wd, &bd, barSize, barCells, true);
	plColliderDef ground = plDefaultColliderDef();
	ground.offset = -1e-3;
	if (onGround)
		plCreateCollider(f.world, &ground, &f.error);
	return f;
}

typedef enum Change
{
	stiffer,
	otherLaw,
	converting,
	ofRegion,
	undamped,
	moreDamped,
	airOnly,
	changeCount
} Change;

static const char* const changeNames[] = {"stiffer",  "another law", "converting", "of a region",
                                          "undamped", "more damped", "other air"};

static void applyTo(Matter* matter, Change change)
{
	if (change == stiffer)
		matter->body.young = 4e5;
	else if (change == otherLaw)
		matter->body = anyMaterial(pl_lawArap, 2e5, 0.3);
	else if (change == converting)
		matter->body.inversion = pl_inversionConvert;
	else if (change == ofRegion)
		matter->region = anyMaterial(pl_lawNeoHookean, 8e4, 0.2);
	else if (change == undamped)
		matter->damping = (plDamping){0};
	else if (change == moreDamped)
		matter->damping.viscous = 40.0;
	else
		matter->damping.air = 2.0;
}

static plResult give(Fixture* f, const Matter* matter, Change change)
{
	if (change >= undamped)
		return plBody_SetDamping(f->world, f->body, matter->damping, &f->error);
	return change == ofRegion ? plBody_SetRegionMaterial(f->world, f->body, 1, &matter->region, &f->error)
	                          : plBody_SetMaterial(f->world, f->body, &matter->body, &f->error);
}

// ---- bits -----------------------------------------------------------------------------------------------------------

static void tryChange(const plSolverDef* solver, Change change, bool onGround)
{
	Matter matter = firstMatter();
	Fixture f = makeBar(solver, &matter, onGround);
	for (int i = 0; i < 3; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	Fixture same = makeBar(solver, &matter, onGround);
	CHECK(carryState(f.world, same.world, &same.error) == pl_success);
	for (int back = 0; back < 2; ++back) // to the change and back again
	{
		Matter next = firstMatter();
		if (!back)
			applyTo(&next, change);
		CHECK(give(&f, &next, change) == pl_success);
		Fixture other = makeBar(solver, &next, onGround);
		CHECK(carryState(f.world, other.world, &other.error) == pl_success);
		CALL(stepBoth(&f, &other, 3));
		destroyFixture(&other);
	}
	for (int i = 0; i < 6; ++i)
		CHECK(plWorld_Step(same.world, NULL, &same.error) >= 0);
	if (change != converting) // nothing is inverted
		CHECK(plWorld_GetHash(same.world) != plWorld_GetHash(f.world));
	destroyFixture(&same);
	destroyFixture(&f);
}

TEST(a_step_has_the_bits_of_a_world_that_was_created_so)
{
	for (size_t m = 0; m < methodCount; ++m)
		for (Change change = 0; change < changeCount; ++change)
			for (int turn = 0; turn < 4; ++turn)
			{
				WITH("%s, %s%s%s", plMethod_GetName(methods[m]), changeNames[change], turn % 2 ? ", on the ground" : "",
				     turn / 2 ? ", float" : "");
				plSolverDef solver = solverOf(methods[m]);
				solver.precision = turn / 2 ? pl_precisionFloat : pl_precisionDouble;
				CALL(tryChange(&solver, change, turn % 2));
			}
}

TEST(a_body_that_was_not_damped_can_be)
{
	plSolverDef solver = solverOf(pl_methodQuasiNewton);
	solver.precision = pl_precisionFloat;
	Matter matter = firstMatter(), damped = firstMatter();
	matter.damping = (plDamping){0};
	Fixture f = makeBar(&solver, &matter, false);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	CHECK(plBody_SetDamping(f.world, f.body, damped.damping, &f.error) == pl_success);
	Fixture other = makeBar(&solver, &damped, false);
	CHECK(carryState(f.world, other.world, &other.error) == pl_success);
	CALL(stepBoth(&f, &other, 3));
	destroyFixture(&f);
	destroyFixture(&other);
}

// ---- cost -----------------------------------------------------------------------------------------------------------

TEST(elements_patterns_and_the_order_of_a_factor_stay)
{
	plSolverDef solver = solverOf(pl_methodQuasiNewton);
	for (Change change = 0; change < changeCount; ++change)
	{
		WITH("%s", changeNames[change]);
		Matter matter = firstMatter();
		Fixture f = makeBar(&solver, &matter, false);
		plWorld* world = f.world;
		plStepReport report;
		CHECK(plWorld_Step(world, &report, &f.error) >= 0 && plWorld_Step(world, &report, &f.error) >= 0);
		const plElements elements = world->prepared.elements;
		const plProblem* problem = world->prepared.problem;
		const plMethodState* method = world->prepared.method;
		applyTo(&matter, change);
		CHECK(give(&f, &matter, change) == pl_success);
		CHECK(plWorld_Step(world, &report, &f.error) >= 0);
		CHECK(report.factorisations == 1);
		if (change != converting)
			CHECK(memcmp(&elements, &world->prepared.elements, sizeof elements) == 0);
		if (change != converting && change != airOnly && change != undamped) // air is a term of the problem
			CHECK(world->prepared.problem == problem && world->prepared.method == method && report.allocations == 0);
		CHECK(plWorld_Step(world, &report, &f.error) >= 0);
		CHECK(report.factorisations == 0 && report.allocations == 0);
		destroyFixture(&f);
	}
}

TEST(an_equal_solver_costs_nothing)
{
	for (size_t m = 0; m < methodCount; ++m)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		plSolverDef solver = solverOf(methods[m]);
		Fixture f = makeBusy(&solver), other = makeBusy(&solver);
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0 && plWorld_Step(other.world, NULL, &other.error) >= 0);
		for (int i = 0; i < 3; ++i)
		{
			plStepReport with, without;
			size_t allocations = f.world->heap.count;
			CHECK(plWorld_SetSolver(f.world, &solver, &f.error) == pl_success);
			CHECK(f.world->heap.count == allocations && f.world->prepared.done);
			CHECK(plWorld_Step(f.world, &with, &f.error) >= 0);
			CHECK(plWorld_Step(other.world, &without, &other.error) >= 0);
			CHECK(with.hash == without.hash && with.allocations == without.allocations &&
			      with.factorisations == without.factorisations);
		}
		destroyFixture(&f);
		destroyFixture(&other);
	}
}

TEST(another_method_keeps_the_problem_and_goes_on_as_after_a_restart)
{
	for (size_t m = 0; m < methodCount; ++m)
	{
		plSolverDef first = solverOf(methods[m]), second = solverOf(methods[(m + 1) % methodCount]);
		WITH("%s, then %s", plMethod_GetName(first.method), plMethod_GetName(second.method));
		Fixture f = makeBusy(&first);
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0 && plWorld_Step(f.world, NULL, &f.error) >= 0);
		const plProblem* problem = f.world->prepared.problem;
		const plPoint* next = f.world->prepared.next;
		CHECK(plWorld_SetSolver(f.world, &second, &f.error) == pl_success);
		Fixture other = resume(&f, &second);
		CALL(stepBoth(&f, &other, 3));
		CHECK(f.world->prepared.problem == problem && f.world->prepared.next == next);
		second.precision = pl_precisionFloat; // has kernels of its own
		CHECK(plWorld_SetSolver(f.world, &second, &f.error) == pl_success && f.world->prepared.problem == NULL);
		destroyFixture(&f);
		destroyFixture(&other);
	}
}

// ---- refused
// ----------------------------------------------------------------------------------------------------------

TEST(what_makes_no_sense_is_refused_and_changes_nothing)
{
	plSolverDef solver = solverOf(pl_methodQuasiNewton);
	Matter matter = firstMatter(), bad = firstMatter();
	Fixture f = makeBar(&solver, &matter, false), other = makeBar(&solver, &matter, false);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0 && plWorld_Step(other.world, NULL, &other.error) >= 0);
	bad.body.poisson = 0.7;
	CHECK(plBody_SetMaterial(f.world, f.body, &bad.body, &f.error) == pl_errorInput);
	CHECK_TEXT(f.error.field, "poisson");
	CHECK(plBody_SetRegionMaterial(f.world, f.body, 2, &matter.region, &f.error) == pl_errorInput);
	CHECK_TEXT(f.error.field, "region");
	CHECK(strstr(f.error.message, "region 2 does not exist, the body has 2") != NULL);
	CHECK(plBody_SetDamping(f.world, f.body, (plDamping){.viscous = -1.0}, &f.error) == pl_errorInput);
	CHECK_TEXT(f.error.field, "damping.viscous");
	CALL(stepBoth(&f, &other, 2));
	destroyFixture(&f);
	destroyFixture(&other);
}

TEST(projective_is_asked_again)
{
	plSolverDef solver = plDefaultSolverDef(pl_methodProjective);
	Matter matter = {anyMaterial(pl_lawArap, 1e5, 0.3), anyMaterial(pl_lawArap, 2e5, 0.3), {0.0, 0.0}};
	Fixture f = makeBar(&solver, &matter, false);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	plMaterialDef stvk = anyMaterial(pl_lawStvk, 1e5, 0.3);
	CHECK(plBody_SetMaterial(f.world, f.body, &stvk, &f.error) == pl_success);
	uint64_t hash = plWorld_GetHash(f.world);
	CHECK(plWorld_Step(f.world, NULL, &f.error) < 0 && strstr(f.error.message, "stvk") != NULL);
	CHECK(plWorld_GetHash(f.world) == hash);
	CHECK(plBody_SetMaterial(f.world, f.body, &matter.body, &f.error) == pl_success);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	destroyFixture(&f);
}

// ---- memory
// -----------------------------------------------------------------------------------------------------------

static bool liveWithMatter(Meter* meter, const plMesh* mesh, plError* error)
{
	plWorldDef wd = newtonWorldDef();
	wd.allocator = meterHook(meter);
	wd.solver = solverOf(pl_methodQuasiNewton);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	bd.mesh = mesh;
	plWorld* world = plCreateWorld(&wd, error);
	plBodyId body = world != NULL ? plCreateSoftBody(world, &bd, error) : (plBodyId){0, 0};
	plMaterialDef stiff = anyMaterial(pl_lawNeoHookean, 4e5, 0.4), converts = stiff;
	converts.inversion = pl_inversionConvert;
	bool fine = PL_IS_NON_NULL(body) && stepOrStay(world, 1, meter, error) &&
	            plBody_SetMaterial(world, body, &stiff, error) == pl_success && stepOrStay(world, 1, meter, error) &&
	            plBody_SetDamping(world, body, (plDamping){0.5, 5.0}, error) == pl_success &&
	            stepOrStay(world, 1, meter, error) && plBody_SetMaterial(world, body, &converts, error) == pl_success &&
	            stepOrStay(world, 1, meter, error);
	plDestroyWorld(world);
	return fine;
}

TEST(whichever_allocation_fails_in_a_change_of_matter_nothing_is_lost)
{
	CALL(failEachAllocation(liveWithMatter, barSize, oneCell, 60));
}
