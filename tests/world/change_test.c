// change_test.c: what is made and destroyed between steps leaves nothing behind
//
// The measure of "nothing" is the hash of the state after every later step. A thing that was made and destroyed leaves
// no trace; and going on after a change gives the bits of a world that was saved, loaded elsewhere and changed there.
#include "things.h"

#include "world/world.h"

// ---- bits -----------------------------------------------------------------------------------------------------------

static void tryTrace(Fixture* f, const plSolverDef* solver, Kind kind)
{
	Fixture other = makeBusy(solver);
	for (int i = 0; i < 4; ++i)
		CHECK(plWorld_Step(other.world, NULL, &other.error) >= 0);
	for (int i = 0; i < 3; ++i)
	{
		Thing thing = makeThing(f, kind);
		CHECK(isMade(&thing));
		destroyThing(f, &thing);
		CALL(stepBoth(f, &other, 1));
	}
	destroyFixture(&other);
}

TEST(what_is_made_and_destroyed_between_two_steps_leaves_no_trace)
{
	tryAll(tryTrace);
}

static void tryResume(Fixture* f, const plSolverDef* solver, Kind kind)
{
	Fixture other = resume(f, solver);
	uint64_t before = plWorld_GetHash(f->world);
	Thing thing = makeThing(f, kind), twin = makeThing(&other, kind);
	CHECK(isMade(&thing) && isMade(&twin));
	CALL(stepBoth(f, &other, 3));
	CHECK(plWorld_GetHash(f->world) != before);
	destroyFixture(&other);
	destroyThing(f, &thing);
	other = resume(f, solver);
	CALL(stepBoth(f, &other, 3));
	destroyFixture(&other);
}

TEST(going_on_after_a_change_is_going_on_after_a_restart)
{
	tryAll(tryResume);
}

// The thing acts: without that the two above would pass if changes were forgotten.
static void tryEffect(Fixture* f, const plSolverDef* solver, Kind kind)
{
	Fixture other = resume(f, solver);
	makeThing(f, kind);
	CHECK(plWorld_Step(f->world, NULL, &f->error) >= 0 && plWorld_Step(other.world, NULL, &other.error) >= 0);
	CHECK(plWorld_GetHash(f->world) != plWorld_GetHash(other.world));
	destroyFixture(&other);
}

TEST(what_is_made_acts_in_the_next_step)
{
	tryAll(tryEffect);
}

TEST(things_of_different_kinds_made_in_one_gap_all_act)
{
	plSolverDef solver = solverOf(pl_methodQuasiNewton);
	for (Kind first = 0; first < kindCount; ++first)
		for (Kind second = 0; second < kindCount; ++second)
		{
			WITH("%s, then %s", kindNames[first], kindNames[second]);
			Fixture f = makeBusy(&solver);
			CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
			Fixture other = resume(&f, &solver);
			Thing things[2] = {makeThing(&f, first), makeThing(&f, second)};
			makeThing(&other, first);
			makeThing(&other, second);
			CALL(stepBoth(&f, &other, 2));
			destroyFixture(&other);
			destroyThing(&f, things);
			destroyThing(&f, things + 1);
			other = resume(&f, &solver);
			CALL(stepBoth(&f, &other, 2));
			destroyFixture(&other);
			destroyFixture(&f);
		}
}

// Rounding noise decides when a step has converged: it must not remember what stiffnesses once were.
TEST(scales_of_rounding_are_those_of_the_step)
{
	plSolverDef solver = solverOf(pl_methodNewton);
	uint32_t vertex = 3;
	Fixture f[2] = {makeBusy(&solver), makeBusy(&solver)};
	for (int i = 0; i < 2; ++i)
	{
		plPinDef pin = pinOf(f + i, &vertex);
		pin.stiffness = 1e7;
		pin.release = 2.5 / 60.0;
		plCreatePin(f[i].world, &pin, &f[i].error);
	}
	for (int i = 0; i < 4; ++i)
		CHECK(plWorld_Step(f[0].world, NULL, &f[0].error) >= 0);
	CHECK(carryState(f[0].world, f[1].world, &f[1].error) >= 0);
	CALL(stepBoth(f, f + 1, 1));
	const plEnergySet *a = &f[0].world->prepared.terms, *b = &f[1].world->prepared.terms;
	CHECK(memcmp(a->stiffness, b->stiffness, a->vertexCount * sizeof(double)) == 0);
	CHECK(memcmp(a->rounding, b->rounding, a->vertexCount * sizeof(double)) == 0);
	for (int i = 0; i < 2; ++i)
		destroyFixture(f + i);
}

// Elements turned inside out, some of them converted, the guide at work: weights are in the state, the guide is not.
static Fixture makeTangled(const plSolverDef* solver)
{
	plWorldDef wd = newtonWorldDef();
	wd.solver = *solver;
	plSoftBodyDef bd = softBody(pl_lawStvk, 1e5, 0.4, 1000.0);
	bd.material.inversion = pl_inversionConvert;
	Fixture f = makeFixture(&wd, &bd, barSize, barCells, true);
	double x[3 * 64];
	plBody_GetPositions(f.world, f.body, x);
	for (size_t i = 0; i < f.n; ++i)
		for (size_t k = 0; x[3 * i] > 0.1 && k < 3; ++k)
			x[3 * i + k] *= k == 0 ? 0.3 * (double)(i * 7 % 5) - 0.5 : -1.0;
	plBody_SetPositions(f.world, f.body, x);
	fasten(&f);
	return f;
}

TEST(a_tangled_body_is_the_same_after_a_change_and_after_a_restart)
{
	for (size_t m = 0; m < methodCount; ++m)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		plSolverDef solver = solverOf(methods[m]);
		Fixture f = makeTangled(&solver), untouched = makeTangled(&solver);
		bool guided = false;
		for (int i = 0; i < 6; ++i)
		{
			Fixture resumed = makeTangled(&solver);
			CHECK(carryState(f.world, resumed.world, &resumed.error) >= 0);
			Thing thing = makeThing(&f, pointSprings);
			destroyThing(&f, &thing);
			CALL(stepBoth(&f, &untouched, 1));
			CHECK(plWorld_Step(resumed.world, NULL, &resumed.error) >= 0);
			CHECK(plWorld_GetHash(resumed.world) == plWorld_GetHash(f.world));
			const plEnergySet *a = &f.world->prepared.terms, *b = &untouched.world->prepared.terms;
			CHECK(memcmp(a->stiffness, b->stiffness, a->vertexCount * sizeof(double)) == 0);
			guided = guided || f.world->prepared.guide->active;
			destroyFixture(&resumed);
		}
		CHECK(guided);
		destroyFixture(&f);
		destroyFixture(&untouched);
	}
}

// ---- solvers --------------------------------------------------------------------------------------------------------

TEST(a_change_of_the_solver_is_one_after_a_restart)
{
	for (size_t from = 0; from < methodCount; ++from)
		for (size_t to = 0; to < methodCount; ++to)
		{
			bool isFloat = (from + to) % 2 == 1;
			WITH("%s, then %s in %s", plMethod_GetName(methods[from]), plMethod_GetName(methods[to]),
			     isFloat ? "float" : "double");
			plSolverDef before = solverOf(methods[from]), after = solverOf(methods[to]);
			after.precision = isFloat ? pl_precisionFloat : pl_precisionDouble;
			Fixture f = makeBusy(&before);
			for (int i = 0; i < 3; ++i)
				CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
			Fixture other = resume(&f, &before);
			CHECK(plWorld_SetSolver(f.world, &after, &f.error) == pl_success);
			CHECK(plWorld_SetSolver(other.world, &after, &other.error) == pl_success);
			CALL(stepBoth(&f, &other, 2));
			destroyFixture(&other);
			other = resume(&f, &after);
			CALL(stepBoth(&f, &other, 1));
			destroyFixture(&other);
			destroyFixture(&f);
		}
}

TEST(a_guess_that_looks_back_does_so_after_its_first_step)
{
	plSolverDef solver = solverOf(pl_methodDescent), other = solver;
	solver.guess = pl_guessInertial;
	other.guess = pl_guessAcceleration;
	Fixture f = makeBusy(&solver);
	for (int i = 0; i < 3; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	Fixture g = resume(&f, &solver);
	CHECK(plWorld_SetSolver(f.world, &other, &f.error) == pl_success);
	CHECK(plWorld_SetSolver(g.world, &other, &g.error) == pl_success);
	CALL(stepBoth(&f, &g, 3));
	destroyFixture(&f);
	destroyFixture(&g);
}

static plBodyId addBox(Fixture* f)
{
	plSoftBodyDef bd = softBody(pl_lawArap, 2e5, 0.3, 500.0);
	bd.mesh = plCreateBoxMesh(unit, oneCell, 5, NULL, &f->error);
	bd.transform.translation = (plVec3){0.0, 3.0, 0.0};
	plBodyId body = plCreateSoftBody(f->world, &bd, &f->error);
	plDestroyMesh((plMesh*)bd.mesh);
	return body;
}

// With a body more or less step lengths are found anew, whether the world was stopped, or changed, before or not.
TEST(a_body_made_or_destroyed_is_one_after_a_restart)
{
	for (size_t m = 0; m < methodCount; ++m)
		for (int changed = 0; changed < 2; ++changed)
		{
			WITH("%s", plMethod_GetName(methods[m]));
			plSolverDef solver = solverOf(methods[m]);
			Fixture f = makeBusy(&solver);
			for (int i = 0; i < 4; ++i)
				CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
			Fixture other = resume(&f, &solver);
			if (changed)
			{
				Thing thing = makeThing(&f, softPin);
				destroyThing(&f, &thing);
			}
			plBodyId body = addBox(&f);
			CHECK(PL_IS_NON_NULL(body) && PL_IS_NON_NULL(addBox(&other)));
			CALL(stepBoth(&f, &other, 2));
			destroyFixture(&other);
			plDestroyBody(f.world, body);
			other = resume(&f, &solver);
			CALL(stepBoth(&f, &other, 2));
			destroyFixture(&other);
			destroyFixture(&f);
		}
}
