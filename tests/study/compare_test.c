// compare_test.c: methods on the problem of one step: the same start, the same judge, and a world that stays as it was
#include "pliant/compare.h"
#include "world/fixture.h"
#include "meter.h"

enum
{
	mostSamples = 1000
};

typedef struct Record
{
	plCompareSample samples[mostSamples];
	size_t count;
} Record;

static void keep(const plCompareSample* sample, void* context)
{
	Record* record = context;
	if (record->count < mostSamples)
		record->samples[record->count++] = *sample;
}

// A bar that swings from pins, one of them moving and one soft.
static Fixture makeBar(plPool* pool, plIntegrator integrator)
{
	static const size_t cells[3] = {6, 2, 2};
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 30.0;
	wd.substeps = 2;
	wd.integrator = integrator;
	wd.pool = pool;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 2e4, 0.4, 1000.0);
	bd.damping.viscous = 5.0;
	Fixture f = makeFixture(&wd, &bd, (plVec3){3.0, 1.0, 1.0}, cells, true);
	uint32_t vertex = (uint32_t)f.n - 1;
	plPinDef pin = pinOf(&f, &vertex);
	pin.motion = (plMotion){.translate = {0.2, 0.3, 0.0}, .until = 0.5};
	plCreatePin(f.world, &pin, &f.error);
	vertex = (uint32_t)f.n / 2;
	pin.stiffness = 500.0;
	plCreatePin(f.world, &pin, &f.error);
	return f;
}

static size_t makeSolvers(plSolverDef* solvers)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodNewtonCg, pl_methodGradient, pl_methodGradient};
	for (size_t i = 0; i < 4; ++i)
	{
		solvers[i] = plDefaultSolverDef(methods[i]);
		solvers[i].iterations = 30;
		solvers[i].tolerance = 0.0;
	}
	solvers[3].precision = pl_precisionFloat;
	return 4;
}

static bool step(Fixture* f, int count)
{
	plStepReport report;
	for (int i = 0; i < count; ++i)
		if (plWorld_Step(f->world, &report, &f->error) < 0)
			return false;
	return true;
}

TEST(every_method_starts_from_the_same_state_and_goes_down_to_newtons_minimum)
{
	static Record record;
	record.count = 0;
	plSolverDef solvers[4];
	size_t count = makeSolvers(solvers);
	Fixture f = makeBar(NULL, pl_integratorImplicitEuler);
	CHECK(step(&f, 3));
	plComparison found;
	CHECK(plWorld_Compare(f.world, solvers, count, keep, &record, &found, &f.error) == pl_success);
	CHECK(found.start > found.best && found.noise > 0.0 && found.iterations > 2);
	CHECK_BELOW(found.relativeResidual, 1e-11);

	size_t seen = 0;
	double first[4], last[4] = {1.0, 1.0, 1.0, 1.0}, ms = 0.0;
	for (size_t i = 0; i < record.count; ++i)
	{
		const plCompareSample* s = record.samples + i;
		if (s->iteration == 0)
		{
			CHECK(s->solver == seen++);
			CHECK(s->relativeError == 1.0 && s->objective == found.start && s->ms == 0.0);
			CHECK(s->residual == record.samples[0].residual);
		}
		else
		{
			CHECK(s->iteration == record.samples[i - 1].iteration + 1);
			CHECK(s->ms > ms);
		}
		CHECK(s->iteration < 2 || s->relativeError <= last[s->solver] + 1e-6); // float stops where it sees nothing
		last[s->solver] = s->relativeError;
		if (s->iteration == 1)
			first[s->solver] = s->relativeError;
		ms = s->ms;
	}
	CHECK(seen == count);
	CHECK_BELOW(fabs(last[0]), 1e-12);
	CHECK_BELOW(fabs(last[1]), 1e-12);
	CHECK(last[2] > 1e-9 && last[2] < 0.5);
	CHECK(last[3] > 1e-9 && last[3] < 0.5);
	// In float the first iterate is nearly the same one; the next may differ, where the line search sees only noise.
	CHECK(first[3] != first[2] && fabs(first[3] - first[2]) < 1e-3 * first[2]);
	destroyFixture(&f);
}

TEST(the_problem_is_that_of_the_next_step_and_so_is_the_answer)
{
	static Record record;
	record.count = 0;
	static const size_t cells[3] = {4, 1, 1};
	for (int method = 0; method < pl_softMethodCount; ++method)
	{
		WITH("method %s", plMethod_GetName((plMethod)method));
		plWorldDef wd = newtonWorldDef();
		wd.solver = plDefaultSolverDef((plMethod)method);
		wd.solver.precision = pl_precisionDouble; // as values are compared
		wd.solver.iterations = 20;
		plLaw law = takes((plMethod)method, pl_lawStvk) ? pl_lawStvk : pl_lawArap;
		plSoftBodyDef bd = softBody(law, 1e4, 0.3, 1000.0);
		Fixture f = makeFixture(&wd, &bd, (plVec3){4.0, 1.0, 1.0}, cells, true);
		plVec3 push[64] = {{0}};
		for (size_t i = 0; i < f.n; ++i)
			push[i].y = 0.1 * (double)i;
		plBody_SetVelocities(f.world, f.body, &push[0].x);
		record.count = 0;
		CHECK(plWorld_Compare(f.world, &wd.solver, 1, keep, &record, NULL, &f.error) == pl_success);
		plStepReport report; // the first one, so that the method remembers as little as in a comparison
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		const plCompareSample* last = record.samples + record.count - 1;
		CHECK(last->iteration == report.iterations);
		CHECK(last->objective == report.objective && last->residual == report.residual);
		destroyFixture(&f);
	}
}

TEST(the_world_stays_as_it_was)
{
	static Record record;
	plSolverDef solvers[4];
	size_t count = makeSolvers(solvers);
	for (int integrator = 0; integrator < 2; ++integrator)
		for (int before = 0; before < 4; before += 3)
		{
			Fixture f = makeBar(NULL, (plIntegrator)integrator), twin = makeBar(NULL, (plIntegrator)integrator);
			CHECK(step(&f, before) && step(&twin, before));
			record.count = 0;
			CHECK(plWorld_Compare(f.world, solvers, count, keep, &record, NULL, &f.error) == pl_success);
			size_t bytes = plWorld_GetStateSize(f.world), n3 = 3 * f.n;
			char *a = malloc(bytes), *b = malloc(bytes);
			double *p = malloc(n3 * sizeof *p), *q = malloc(n3 * sizeof *q);
			plWorld_SaveState(f.world, a);
			plWorld_SaveState(twin.world, b);
			plBody_GetPinForces(f.world, f.body, p);
			plBody_GetPinForces(twin.world, twin.body, q);
			CHECK(memcmp(a, b, bytes) == 0 && memcmp(p, q, n3 * sizeof *p) == 0);
			plStepReport one, two;
			for (int i = 0; i < 3; ++i)
			{
				CHECK(plWorld_Step(f.world, &one, &f.error) == plWorld_Step(twin.world, &two, &twin.error));
				CHECK(one.hash == two.hash && one.iterations == two.iterations && one.residual == two.residual);
			}
			free(a);
			free(b);
			free(p);
			free(q);
			destroyFixture(&f);
			destroyFixture(&twin);
		}
}

TEST(threads_do_not_change_a_bit_of_what_is_found_by_any_method)
{
	static Record records[3];
	plSolverDef solvers[pl_softMethodCount];
	size_t count = 0;
	for (int method = 0; method < pl_softMethodCount; ++method)
	{
		WITH("method %s", plMethod_GetName((plMethod)method));
		if (!takes((plMethod)method, pl_lawNeoHookean))
			continue;
		solvers[count] = plDefaultSolverDef((plMethod)method);
		solvers[count].iterations = 24;
		solvers[count++].tolerance = 0.0;
	}
	for (int threads = 1; threads <= 3; ++threads)
	{
		Record* record = records + threads - 1;
		record->count = 0;
		plPool* pool = plCreatePool(threads);
		Fixture f = makeBar(pool, pl_integratorImplicitEuler);
		CHECK(step(&f, 2));
		CHECK(plWorld_Compare(f.world, solvers, count, keep, record, NULL, &f.error) == pl_success);
		destroyFixture(&f);
		plDestroyPool(pool);
		CHECK(record->count == records[0].count && record->count > 60);
		for (size_t i = 0; i < record->count; ++i)
		{
			const plCompareSample *a = record->samples + i, *b = records[0].samples + i;
			CHECK(a->objective == b->objective && a->residual == b->residual && a->relativeError == b->relativeError);
			CHECK(isfinite(a->objective) && a->solver == b->solver && a->iteration == b->iteration);
		}
	}
}

TEST(what_cannot_be_compared_is_refused_with_words)
{
	plSolverDef solver = plDefaultSolverDef(pl_methodNewton);
	Fixture f = makeBar(NULL, pl_integratorImplicitEuler);
	CHECK(plWorld_Compare(f.world, NULL, 0, keep, NULL, NULL, &f.error) == pl_errorInput);
	solver.iterations = 0;
	CHECK(plWorld_Compare(f.world, &solver, 1, keep, NULL, NULL, &f.error) == pl_errorInput);
	CHECK(strstr(f.error.message, "iterations") != NULL);
	destroyFixture(&f);

	solver = plDefaultSolverDef(pl_methodNewton);
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	plWorld* empty = plCreateWorld(&wd, &f.error);
	CHECK(plWorld_Compare(empty, &solver, 1, keep, NULL, NULL, &f.error) == pl_errorInput);
	plDestroyWorld(empty);
	static const size_t cells[3] = {1, 1, 1};
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	Fixture rest = makeFixture(&wd, &bd, (plVec3){1.0, 1.0, 1.0}, cells, true);
	CHECK(plWorld_Compare(rest.world, &solver, 1, keep, NULL, NULL, &f.error) == pl_errorInput);
	CHECK(strstr(f.error.message, "minimum") != NULL);
	destroyFixture(&rest);
}

TEST(whichever_allocation_fails_nothing_leaks_and_the_state_stands)
{
	static Record record;
	plSolverDef solvers[4];
	size_t count = makeSolvers(solvers);
	static const size_t cells[3] = {2, 1, 1};
	for (size_t k = 1;; ++k)
	{
		Meter meter = {0};
		plWorldDef wd = newtonWorldDef();
		wd.allocator = meterHook(&meter);
		plSoftBodyDef bd = softBody(pl_lawCorotated, 1e4, 0.3, 1000.0);
		bd.damping.air = 0.1;
		Fixture f = makeFixture(&wd, &bd, (plVec3){2.0, 1.0, 1.0}, cells, true);
		CHECK(step(&f, 1));
		uint64_t hash = plWorld_GetHash(f.world);
		record.count = 0;
		meter.failAt = meter.made + k;
		plResult result = plWorld_Compare(f.world, solvers, count, keep, &record, NULL, &f.error);
		meter.failAt = 0;
		CHECK(plWorld_GetHash(f.world) == hash && step(&f, 1));
		destroyFixture(&f);
		CHECK(meter.live == 0);
		if (result == pl_success)
		{
			CHECK(k > 40);
			break;
		}
		CHECK(result == pl_errorMemory);
	}
}
