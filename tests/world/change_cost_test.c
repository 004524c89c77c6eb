// change_cost_test.c: things made and destroyed between steps cost in proportion to them, and memory may run out
#include "things.h"
#include "shortage.h"

#include "world/world.h"

// ---- cost -----------------------------------------------------------------------------------------------------------

static void tryCost(Fixture* f, const plSolverDef* solver, Kind kind)
{
	(void)solver;
	plWorld* world = f->world;
	Thing first = makeThing(f, kind); // rows of the kind, and room for loads, may come with the first
	CHECK(plWorld_Step(world, NULL, &f->error) >= 0);
	const plElements elements = world->prepared.elements;
	const uint8_t *boundary = world->prepared.boundary, *held = world->prepared.held;
	const double *y = world->prepared.y, *load = world->prepared.load;
	const plMethodState* method = world->prepared.method;
	plStepReport report;
	for (int i = 0; i < 3; ++i)
	{
		Thing thing = makeThing(f, kind);
		CHECK(plWorld_Step(world, &report, &f->error) >= 0);
		bool isFree = kind == hardPin || kind == force || kind == traction;
		if (isFree)
			CHECK(world->prepared.method == method);
		destroyThing(f, &thing);
		CHECK(plWorld_Step(world, &report, &f->error) >= 0);
		CHECK(memcmp(&elements, &world->prepared.elements, sizeof elements) == 0);
		CHECK(world->prepared.boundary == boundary && world->prepared.held == held && world->prepared.y == y);
		CHECK(world->prepared.load == load);
	}
	destroyThing(f, &first);
}

TEST(elements_arrays_and_the_boundary_stay)
{
	tryAll(tryCost);
}

TEST(forces_and_hard_pins_cost_a_step_no_allocation)
{
	static const Kind kinds[] = {force, traction, hardPin};
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
	{
		WITH("%s", kindNames[kinds[k]]);
		plSolverDef solver = solverOf(pl_methodDescent);
		Fixture f = makeBusy(&solver);
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		for (int i = 0; i < 3; ++i)
		{
			plStepReport report;
			Thing thing = makeThing(&f, kinds[k]);
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0 && report.allocations == 0);
			destroyThing(&f, &thing);
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0 && report.allocations == 0);
		}
		destroyFixture(&f);
	}
}

TEST(a_change_of_the_solver_keeps_elements_in_both_precisions)
{
	plSolverDef newton = solverOf(pl_methodNewton), descent = solverOf(pl_methodDescent);
	descent.precision = pl_precisionFloat;
	Fixture f = makeBusy(&newton);
	plWorld* world = f.world;
	plElements first = {0}, second = {0};
	for (int i = 0; i < 3; ++i)
	{
		CHECK(plWorld_SetSolver(world, &newton, &f.error) == pl_success);
		CHECK(plWorld_Step(world, NULL, &f.error) >= 0);
		first = i == 0 ? world->prepared.elements : first;
		CHECK(world->prepared.elements.tets.base.restDouble == first.tets.base.restDouble &&
		      world->prepared.elements.rest == first.rest);
		CHECK(plWorld_SetSolver(world, &descent, &f.error) == pl_success);
		CHECK(plWorld_Step(world, NULL, &f.error) >= 0);
		second = i == 0 ? world->prepared.elements : second;
		CHECK(memcmp(&second, &world->prepared.elements, sizeof second) == 0);
	}
	destroyFixture(&f);
}

// What a factor stands on: hard pins through held rows, soft pins and springs through stiffness. Forces and contact
// have no part in it, but contact is a term and makes the problem anew.
TEST(a_factor_is_made_again_once)
{
	plSolverDef solver = solverOf(pl_methodQuasiNewton);
	for (Kind kind = 0; kind < kindCount; ++kind)
	{
		WITH("%s", kindNames[kind]);
		Fixture f = makeBusy(&solver);
		int expected = kind == force || kind == traction ? 0 : 1;
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0 && report.factorisations == 1);
		Thing thing = makeThing(&f, kind);
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0 && report.factorisations == expected);
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0 && report.factorisations == 0);
		destroyThing(&f, &thing);
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0 && report.factorisations == expected);
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0 && report.factorisations == 0);
		destroyFixture(&f);
	}
}

// Newton's matrices are new in every iteration: a change adds none.
TEST(newton_factorises_no_more_than_after_a_restart)
{
	plSolverDef solver = solverOf(pl_methodNewton);
	for (Kind kind = 0; kind < kindCount; ++kind)
	{
		WITH("%s", kindNames[kind]);
		Fixture f = makeBusy(&solver);
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		Fixture other = resume(&f, &solver);
		makeThing(&f, kind);
		makeThing(&other, kind);
		plStepReport a, b;
		CHECK(plWorld_Step(f.world, &a, &f.error) >= 0 && plWorld_Step(other.world, &b, &other.error) >= 0);
		CHECK(a.factorisations == b.factorisations && a.factorisations > 0);
		destroyFixture(&f);
		destroyFixture(&other);
	}
}

TEST(forces_of_hard_pins_survive_a_soft_one)
{
	plSolverDef solver = solverOf(pl_methodNewton);
	Fixture f = makeBusy(&solver);
	double before[3 * 256], after[3 * 256];
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	plBody_GetPinForces(f.world, f.body, before);
	makeThing(&f, softPin);
	plBody_GetPinForces(f.world, f.body, after);
	CHECK(before[0] != 0.0 && memcmp(before, after, 3 * sizeof(double)) == 0); // vertex 0 is held
	destroyFixture(&f);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static bool liveWithChanges(Meter* meter, const plMesh* mesh, plError* error, plMethod method, uint64_t* hash)
{
	plWorldDef wd = newtonWorldDef();
	wd.allocator = meterHook(meter);
	wd.solver = solverOf(method);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	bd.mesh = mesh;
	Fixture f = {.world = plCreateWorld(&wd, error)};
	if (f.world != NULL)
		f.body = plCreateSoftBody(f.world, &bd, error);
	bool fine = PL_IS_NON_NULL(f.body);
	f.n = fine ? plBody_GetVertexCount(f.world, f.body) : 0;
	fine = fine && stepOrStay(f.world, 1, meter, error);
	for (Kind kind = 0; fine && kind < kindCount; ++kind)
	{
		Thing thing = makeThing(&f, kind);
		*error = f.error;
		fine = isMade(&thing) && stepOrStay(f.world, 1, meter, error);
		if (fine)
			destroyThing(&f, &thing);
		fine = fine && stepOrStay(f.world, 1, meter, error);
	}
	*hash = f.world != NULL ? plWorld_GetHash(f.world) : 0;
	plDestroyWorld(f.world);
	return fine;
}

static bool liveQuasiNewton(Meter* meter, const plMesh* mesh, plError* error)
{
	uint64_t hash;
	return liveWithChanges(meter, mesh, error, pl_methodQuasiNewton, &hash);
}

static bool liveDescent(Meter* meter, const plMesh* mesh, plError* error)
{
	uint64_t hash;
	return liveWithChanges(meter, mesh, error, pl_methodDescent, &hash);
}

TEST(whichever_allocation_fails_in_a_change_nothing_is_lost)
{
	CALL(failEachAllocation(liveQuasiNewton, barSize, oneCell, 100));
	CALL(failEachAllocation(liveDescent, barSize, oneCell, 100));
}

// What could not be done for lack of memory is done when it is asked for again, to the same bits.
static void tryShortage(size_t failAt, uint64_t hashes[2 * kindCount], bool* wasShort)
{
	Meter meter = {0};
	plWorldDef wd = newtonWorldDef();
	wd.allocator = meterHook(&meter);
	wd.solver = solverOf(pl_methodDescent);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	Fixture f = makeFixture(&wd, &bd, barSize, oneCell, true);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	meter.failAt = failAt > 0 ? meter.made + failAt : 0;
	for (int i = 0; i < 2 * kindCount; ++i)
	{
		static Thing thing;
		if (i % 2 == 0)
			thing = makeThing(&f, (Kind)(i / 2));
		if (!isMade(&thing))
			thing = makeThing(&f, (Kind)(i / 2));
		if (i % 2 == 1)
			destroyThing(&f, &thing);
		if (plWorld_Step(f.world, NULL, &f.error) < 0)
			CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		if (failAt == 0)
			hashes[i] = plWorld_GetHash(f.world);
		CHECK(plWorld_GetHash(f.world) == hashes[i]);
	}
	*wasShort = meter.made >= meter.failAt && failAt > 0;
	destroyFixture(&f);
}

TEST(what_failed_for_lack_of_memory_goes_on_to_the_same_bits)
{
	uint64_t hashes[2 * kindCount];
	bool wasShort = true;
	CALL(tryShortage(0, hashes, &wasShort));
	size_t k = 1;
	for (wasShort = true; wasShort; ++k)
	{
		WITH("allocation %zu", k);
		CALL(tryShortage(k, hashes, &wasShort));
	}
	CHECK(k > 50);
}
