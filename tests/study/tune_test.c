// tune_test.c: tuned phases are no worse than those before, the same every time, and the world stays as it was
#include "pliant/tune.h"
#include "world/fixture.h"
#include "meter.h"

// A bar that swings, stiff enough for its error after a few iterations to be far from rounding.
static Fixture makeBar(plPool* pool, const plAllocator* allocator)
{
	static const size_t cells[3] = {6, 2, 2};
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 30.0;
	wd.pool = pool;
	if (allocator != NULL)
		wd.allocator = *allocator;
	wd.solver = plDefaultSolverDef(pl_methodDescent);
	plSoftBodyDef bd = softBody(pl_lawMooneyRivlin, 3e6, 0.4, 1000.0);
	return makeFixture(&wd, &bd, (plVec3){3.0, 1.0, 1.0}, cells, true);
}

static plTuneDef smallDef(int phases)
{
	plTuneDef def = plDefaultTuneDef();
	def.solver.iterations = 32;
	def.phases = phases;
	def.steps = 8;
	def.problems = 2;
	return def;
}

static void countCalls(const plTuneReport* report, void* context)
{
	(void)report;
	++*(int*)context;
}

TEST(tuned_phases_are_better_than_those_before_and_add_up)
{
	for (int phases = 1; phases <= 4; phases *= 2)
	{
		Fixture f = makeBar(NULL, NULL);
		plTuneDef def = smallDef(phases);
		plTuneReport report;
		plTuneProblem table[2];
		int calls = 0;
		CHECK(plWorld_Tune(f.world, &def, countCalls, &calls, table, &report, &f.error) == pl_success);
		printf("    %d phases: budget %.3g, start %.3g, tuned %.3g after %d trials\n", phases, report.budget,
		       report.start, report.tuned, report.trials);
		CHECK(report.tuned < 0.9 * report.start && report.tuned <= report.budget && report.changes > 0);
		CHECK(calls == report.changes && report.problemCount == 2);
		CHECK(report.solver.phaseCount <= phases && plSolverDef_Check(&report.solver, &f.error) == pl_success);
		CHECK(table[0].step == 3 && table[1].step == 7);
		CHECK_NEAR(sqrt(table[0].tuned * table[1].tuned), report.tuned, 1e-9 * report.tuned);
		CHECK_NEAR(sqrt(table[0].start * table[1].start), report.start, 1e-9 * report.start);
		destroyFixture(&f);
	}
}

TEST(threads_do_not_change_the_answer)
{
	plTuneReport reports[2];
	memset(reports, 0, sizeof reports);
	for (int threads = 1; threads <= 2; ++threads)
	{
		plPool* pool = plCreatePool(threads);
		Fixture f = makeBar(pool, NULL);
		plTuneDef def = smallDef(2);
		CHECK(plWorld_Tune(f.world, &def, NULL, NULL, NULL, reports + threads - 1, &f.error) == pl_success);
		destroyFixture(&f);
		plDestroyPool(pool);
	}
	CHECK(reports[0].tuned == reports[1].tuned && reports[0].trials == reports[1].trials);
	for (int i = 0; i < 2; ++i)
		CHECK(reports[0].solver.phases[i].rho == reports[1].solver.phases[i].rho &&
		      reports[0].solver.phases[i].iterations == reports[1].solver.phases[i].iterations);
}

TEST(the_world_stays_as_it_was)
{
	Fixture f = makeBar(NULL, NULL), twin = makeBar(NULL, NULL);
	plTuneDef def = smallDef(1);
	for (int i = 0; i < 3; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0 && plWorld_Step(twin.world, NULL, &twin.error) >= 0);
	CHECK(plWorld_Tune(f.world, &def, NULL, NULL, NULL, NULL, &f.error) == pl_success);
	size_t bytes = plWorld_GetStateSize(f.world);
	CHECK(bytes == plWorld_GetStateSize(twin.world));
	char *a = malloc(bytes), *b = malloc(bytes);
	plWorld_SaveState(f.world, a);
	plWorld_SaveState(twin.world, b);
	CHECK(memcmp(a, b, bytes) == 0);
	for (int i = 0; i < 2; ++i)
	{
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0 && plWorld_Step(twin.world, NULL, &twin.error) >= 0);
		CHECK(plWorld_GetHash(f.world) == plWorld_GetHash(twin.world));
	}
	free(a);
	free(b);
	destroyFixture(&f);
	destroyFixture(&twin);
}

static void refuse(Fixture* f, const plTuneDef* def, const char* words)
{
	CHECK(plWorld_Tune(f->world, def, NULL, NULL, NULL, NULL, &f->error) == pl_errorInput);
	if (strstr(f->error.message, words) == NULL)
		FAIL_("\"%s\" does not say \"%s\"", f->error.message, words);
}

#define REFUSED(words, ...)                                                                                            \
	do                                                                                                                 \
	{                                                                                                                  \
		plTuneDef def = smallDef(2);                                                                                   \
		__VA_ARGS__;                                                                                                   \
		CALL(refuse(&f, &def, words));                                                                                 \
	} while (0)

TEST(what_cannot_be_tuned_is_refused_with_words)
{
	Fixture f = makeBar(NULL, NULL);
	REFUSED("0 phases", def.phases = 0);
	REFUSED("17 phases", def.phases = 17);
	REFUSED("4 phases", def.phases = 4; def.solver.iterations = 3);
	REFUSED("rho is 1", def.rho = 1.0);
	REFUSED("rho is", def.rho = NAN);
	REFUSED("not none", def.solver = plDefaultSolverDef(pl_methodJacobi));
	REFUSED("not nesterov", def.solver.acceleration = pl_accelerationNesterov);
	REFUSED("iterations is 0", def.solver.iterations = 0);
	REFUSED("at least one step", def.steps = 0);
	REFUSED("at least one step", def.problems = 0);
	destroyFixture(&f);
	plWorldDef wd = newtonWorldDef();
	f.world = plCreateWorld(&wd, &f.error);
	REFUSED("empty", (void)def);
	destroyFixture(&f);
	static const size_t cells[3] = {1, 1, 1};
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	f = makeFixture(&wd, &bd, (plVec3){1.0, 1.0, 1.0}, cells, true);
	REFUSED("nothing to tune", (void)def);
	destroyFixture(&f);
}

TEST(whichever_allocation_fails_nothing_leaks_and_the_state_stands)
{
	size_t failures = 0;
	for (size_t k = 1;; k += 1 + k / 8)
	{
		Meter meter = {0};
		plAllocator hook = meterHook(&meter);
		Fixture f = makeBar(NULL, &hook);
		plTuneDef def = smallDef(1);
		def.solver.iterations = 8;
		def.steps = def.problems = 1;
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		uint64_t hash = plWorld_GetHash(f.world);
		meter.failAt = meter.made + k;
		plResult result = plWorld_Tune(f.world, &def, NULL, NULL, NULL, NULL, &f.error);
		meter.failAt = 0;
		CHECK(plWorld_GetHash(f.world) == hash && plWorld_Step(f.world, NULL, &f.error) >= 0);
		destroyFixture(&f);
		CHECK(meter.live == 0);
		if (result == pl_success)
			break;
		CHECK(result == pl_errorMemory);
		failures++;
	}
	CHECK(failures > 15);
}
