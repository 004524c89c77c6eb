// auto_test.c: the default works until a step has converged, says by which method, and is the same however it is run
#include "world/sheet.h"
#include "meter.h"

static const plVec3 rodSize = {1.0, 0.02, 0.02}, boxSize = {1.0, 1.0, 1.0};
static const size_t rodCells[3] = {50, 1, 1}, boxCells[3] = {3, 3, 3};

static plWorldDef autoDef(void)
{
	plWorldDef wd = plDefaultWorldDef();
	if (wd.solver.method != pl_methodAuto)
		abort();
	return wd;
}

static Fixture makeRod(const plWorldDef* wd)
{
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e7, 0.45, 1000.0);
	return makeFixture(wd, &bd, rodSize, rodCells, true);
}

// A soft box, held on one side, that does not need newton.
static Fixture makeBox(const plWorldDef* wd)
{
	plSoftBodyDef bd = softBody(pl_lawStableNeoHookean, 1e5, 0.3, 1000.0);
	return makeFixture(wd, &bd, boxSize, boxCells, true);
}

static plStepReport stepOf(Fixture* f)
{
	plStepReport report = {0};
	if (plWorld_Step(f->world, &report, &f->error) < 0)
		report.converged = false;
	return report;
}

TEST(free_fall_costs_no_iteration)
{
	plWorldDef wd = autoDef();
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	bd.velocity = (plVec3){1.0, 2.0, 0.0};
	Fixture f = makeFixture(&wd, &bd, boxSize, boxCells, false);
	for (int i = 0; i < 20; ++i)
	{
		plStepReport report = stepOf(&f);
		CHECK(report.iterations == 0 && report.lineSearches == 0 && report.factorisations == 0 && report.converged);
		CHECK(report.method == pl_methodAuto && report.choice == pl_choiceNone);
	}
	destroyFixture(&f);
}

TEST(a_rod_is_left_to_newton_and_ends_where_newton_does)
{
	plWorldDef wd = autoDef(), exact = newtonWorldDef();
	exact.timestep = wd.timestep;
	Fixture f = makeRod(&wd), g = makeRod(&exact);
	int newton = 0, slow = 0;
	for (int i = 0; i < 60; ++i)
	{
		plStepReport report = stepOf(&f);
		CHECK(report.converged && report.relativeResidual <= wd.solver.accept);
		newton += report.method == pl_methodNewton;
		slow += report.choice == pl_choiceSlow;
		stepOf(&g);
	}
	CHECK(newton > 50 && slow >= 1); // the first step has to find out
	double *a = malloc(3 * f.n * sizeof *a), *b = malloc(3 * f.n * sizeof *b), worst = 0.0;
	plBody_GetPositions(f.world, f.body, a);
	plBody_GetPositions(g.world, g.body, b);
	for (size_t i = 0; i < 3 * f.n; ++i)
		worst = fmax(worst, fabs(a[i] - b[i]));
	CHECK_BELOW(worst, 0.01);
	free(a);
	free(b);
	destroyFixture(&f);
	destroyFixture(&g);
}

TEST(who_did_not_converge_does_not_begin_the_next_step)
{
	plWorldDef wd = autoDef();
	wd.solver.iterations = 4;
	Fixture f = makeRod(&wd);
	plStepReport failed = stepOf(&f), next = stepOf(&f);
	CHECK(!failed.converged && failed.method == pl_methodQuasiNewton && failed.iterations == 4);
	CHECK(next.method != pl_methodQuasiNewton);
	destroyFixture(&f);
}

TEST(a_soft_box_stays_with_quasi_newton)
{
	plWorldDef wd = autoDef();
	Fixture f = makeBox(&wd);
	for (int i = 0; i < 20; ++i)
	{
		plStepReport report = stepOf(&f);
		CHECK(report.converged && report.factorisations == (i == 0));
		CHECK(report.iterations == 0 || (report.method == pl_methodQuasiNewton && report.choice == pl_choiceCheaper));
	}
	destroyFixture(&f);
}

// Large enough for cycles to be cheaper than a factor; it falls and swings.
static Fixture makeCurtain(const plWorldDef* wd)
{
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	return makeFlag(wd, &def, (const size_t[2]){40, 46});
}

PLAIN_TEST(a_curtain_is_left_to_multigrid_and_ends_where_newton_does)
{
	plWorldDef wd = autoDef(), exact = newtonWorldDef();
	exact.timestep = wd.timestep;
	Fixture f = makeCurtain(&wd), g = makeCurtain(&exact);
	int cycles = 0;
	for (int i = 0; i < 20; ++i)
	{
		plStepReport report = stepOf(&f);
		CHECK(report.converged && report.relativeResidual <= wd.solver.accept);
		cycles += report.method == pl_methodMultigrid;
		stepOf(&g);
	}
	CHECK(cycles >= 15);
	CHECK_BELOW(apart(&f, &g), 0.01);
	destroyFixture(&f);
	destroyFixture(&g);
}

TEST(a_loaded_curtain_is_left_to_multigrid_at_once)
{
	plWorldDef wd = autoDef();
	Fixture f = makeCurtain(&wd), g = makeCurtain(&wd);
	for (int i = 0; i < 4; ++i)
		stepOf(&f);
	CHECK(carryState(f.world, g.world, &g.error) == pl_success);
	for (int i = 0; i < 4; ++i)
	{
		plStepReport a = stepOf(&f), b = stepOf(&g);
		CHECK(a.hash == b.hash && a.method == b.method && a.choice == b.choice && a.iterations == b.iterations);
		CHECK(a.method == pl_methodMultigrid);
	}
	destroyFixture(&f);
	destroyFixture(&g);
}

TEST(the_choice_does_not_depend_on_threads)
{
	plWorldDef wd = autoDef();
	plPool* pool = plCreatePool(3);
	Fixture f = makeRod(&wd);
	wd.pool = pool;
	Fixture g = makeRod(&wd);
	for (int i = 0; i < 15; ++i)
	{
		plStepReport a = stepOf(&f), b = stepOf(&g);
		CHECK(a.hash == b.hash && a.method == b.method && a.choice == b.choice && a.iterations == b.iterations);
	}
	destroyFixture(&f);
	destroyFixture(&g);
	plDestroyPool(pool);
}

// What was learnt is part of the state: without it the second world would begin with quasi-newton again.
TEST(a_loaded_world_chooses_as_the_one_that_was_saved)
{
	plWorldDef wd = autoDef();
	Fixture f = makeRod(&wd), g = makeRod(&wd);
	for (int i = 0; i < 10; ++i)
		stepOf(&f);
	CHECK(carryState(f.world, g.world, &g.error) == pl_success);
	for (int i = 0; i < 10; ++i)
	{
		plStepReport a = stepOf(&f), b = stepOf(&g);
		CHECK(a.hash == b.hash && a.method == b.method && a.choice == b.choice && a.iterations == b.iterations);
		CHECK(a.method == pl_methodNewton && a.choice == pl_choiceCheaper);
	}
	destroyFixture(&f);
	destroyFixture(&g);
}

// Whichever allocation of the first step fails: if it was one of newton's or multigrid's, the others go on.
TEST(without_memory_for_one_method_the_others_go_on)
{
	int alone = 0;
	for (size_t k = 1;; ++k)
	{
		Meter meter = {0};
		plWorldDef wd = autoDef();
		wd.allocator = meterHook(&meter);
		Fixture f = makeRod(&wd);
		meter.failAt = meter.made + k;
		plStepReport report = {0};
		plResult result = plWorld_Step(f.world, &report, &f.error);
		bool failed = meter.made >= meter.failAt;
		CHECK(result >= 0 || (failed && f.error.code == pl_errorMemory));
		if (result >= 0 && failed)
		{
			CHECK(report.method != pl_methodAuto && report.converged);
			alone += report.method != pl_methodNewton;
		}
		destroyFixture(&f);
		CHECK(meter.live == 0);
		if (!failed)
			break;
	}
	CHECK(alone > 5);
}

// ---- budgets --------------------------------------------------------------------------------------------------------

TEST(a_budget_ends_a_step)
{
	plWorldDef wd = autoDef();
	wd.solver.budget = 3;
	Fixture f = makeRod(&wd);
	for (int i = 0; i < 5; ++i)
	{
		plStepReport report = stepOf(&f);
		CHECK(report.iterations <= 3 && report.converged == (report.relativeResidual <= wd.solver.accept));
	}
	destroyFixture(&f);
}

TEST(within_a_budget_a_step_ends_when_it_has_converged)
{
	plWorldDef wd = autoDef();
	wd.solver = plDefaultSolverDef(pl_methodQuasiNewton);
	wd.solver.budget = 500;
	Fixture f = makeBox(&wd);
	for (int i = 0; i < 5; ++i)
	{
		plStepReport report = stepOf(&f);
		CHECK(report.converged && report.iterations < 100);
	}
	destroyFixture(&f);
}

TEST(a_budget_of_time_leaves_one_iteration)
{
	plWorldDef wd = autoDef();
	wd.solver.budgetMs = 1e-9;
	Fixture f = makeRod(&wd);
	for (int i = 0; i < 5; ++i)
		CHECK(stepOf(&f).iterations == 1);
	plSolverDef large = wd.solver;
	large.budgetMs = 1e7;
	CHECK(plWorld_SetSolver(f.world, &large, &f.error) == pl_success);
	for (int i = 0; i < 5; ++i)
		CHECK(stepOf(&f).converged);
	destroyFixture(&f);
}

TEST(budgets_are_checked)
{
	plSolverDef def = plDefaultSolverDef(pl_methodAuto);
	plError error = {0};
	def.budget = -1;
	CHECK(plSolverDef_Check(&def, &error) == pl_errorInput && strcmp(error.field, "budget") == 0);
	def = plDefaultSolverDef(pl_methodAuto);
	def.budgetMs = -1.0;
	CHECK(plSolverDef_Check(&def, &error) == pl_errorInput && strcmp(error.field, "budgetMs") == 0);
	def = plDefaultSolverDef(pl_methodAuto);
	def.budgetResidual = NAN;
	CHECK(plSolverDef_Check(&def, &error) == pl_errorInput && strcmp(error.field, "budgetResidual") == 0);
}
