#include "fixture.h"

static const size_t barCells[3] = {8, 2, 2};
static const plVec3 barSize = {4.0, 1.0, 1.0};

static plWorldDef tightDef(double timestep, double tolerance)
{
	plWorldDef wd = newtonWorldDef();
	wd.timestep = timestep;
	wd.solver.tolerance = tolerance;
	return wd;
}

TEST(newton_reaches_1e_10_in_every_step_of_a_swinging_bar)
{
	plWorldDef wd = tightDef(1.0 / 30.0, 1e-10);
	for (int law = 0; law < pl_lawCount; ++law)
	{
		WITH("law %s", plLaw_GetName((plLaw)law));
		plSoftBodyDef bd = softBody((plLaw)law, 1e5, 0.45, 1000.0);
		Fixture f = makeFixture(&wd, &bd, barSize, barCells, true);
		for (int i = 0; i < 30; ++i)
		{
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
			CHECK_BELOW(report.relativeResidual, 1e-10);
			CHECK(report.converged && report.iterations >= 1 && report.epochs == 1);
		}
		destroyFixture(&f);
	}
}

TEST(a_step_allocates_nothing_after_the_first)
{
	plWorldDef wd = tightDef(1.0 / 30.0, 1e-8);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	for (int method = 0; method < pl_softMethodCount; ++method)
	{
		WITH("method %s", plMethod_GetName((plMethod)method));
		if (!takes((plMethod)method, pl_lawNeoHookean))
			continue;
		wd.solver = plDefaultSolverDef((plMethod)method);
		wd.solver.iterations = 20;
		Fixture f = makeFixture(&wd, &bd, barSize, barCells, true);
		for (int i = 0; i < 5; ++i)
		{
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			CHECK(i == 0 || report.allocations == 0);
		}
		destroyFixture(&f);
	}
}

TEST(every_method_reaches_newtons_minimiser)
{
	static const size_t cells[3] = {2, 1, 1};
	static const plVec3 size = {2.0, 1.0, 1.0};
	for (int law = 0; law < pl_lawCount; ++law)
		for (int method = 1; method < pl_softMethodCount; ++method)
		{
			WITH("law %s, method %s", plLaw_GetName((plLaw)law), plMethod_GetName((plMethod)method));
			if (!takes((plMethod)method, (plLaw)law) || (testIsWatched && (law + method) % 4 != 0))
				continue;
			plSoftBodyDef bd = softBody((plLaw)law, 1e4, 0.3, 1000.0);
			plWorldDef wd = tightDef(1.0 / 60.0, 1e-13);
			Fixture newton = makeFixture(&wd, &bd, size, cells, true);
			wd.solver = plDefaultSolverDef((plMethod)method);
			wd.solver.iterations = 100000;
			wd.solver.tolerance = 1e-13;
			Fixture other = makeFixture(&wd, &bd, size, cells, true);
			double a[3 * 12], b[3 * 12];
			CHECK(newton.n == 12);
			for (int i = 0; i < 4; ++i)
			{
				CHECK(plWorld_Step(newton.world, NULL, &newton.error) == pl_success);
				CHECK(plWorld_Step(other.world, NULL, &other.error) == pl_success);
			}
			plBody_GetPositions(newton.world, newton.body, a);
			plBody_GetPositions(other.world, other.body, b);
			for (int i = 0; i < 36; ++i)
				CHECK_NEAR(a[i], b[i], 2e-8); // 1e-8 of the size
			destroyFixture(&newton);
			destroyFixture(&other);
		}
}

TEST(no_method_raises_the_objective)
{
	plSoftBodyDef bd = softBody(pl_lawMooneyRivlin, 1e5, 0.45, 1000.0);
	for (int method = 0; method < pl_softMethodCount; ++method)
	{
		WITH("method %s", plMethod_GetName((plMethod)method));
		double last = INFINITY;
		if (!takes((plMethod)method, pl_lawMooneyRivlin))
			continue;
		for (int iterations = 1; iterations <= 6; ++iterations)
		{
			plWorldDef wd = tightDef(1.0 / 10.0, 0.0);
			wd.solver = plDefaultSolverDef((plMethod)method);
			wd.solver.iterations = iterations;
			wd.solver.tolerance = 0.0;
			Fixture f = makeFixture(&wd, &bd, barSize, barCells, true);
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			CHECK(report.objective <= last * (1.0 + 1e-13));
			last = report.objective;
			destroyFixture(&f);
		}
	}
}

static void keepLine(const char* line, void* context)
{
	snprintf(context, 200, "%s", line);
}

TEST(an_unconverged_step_says_so)
{
	char logged[200] = "";
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e6, 0.45, 1000.0);
	plWorldDef wd = tightDef(1.0 / 30.0, 0.0);
	wd.solver = plDefaultSolverDef(pl_methodGradient);
	wd.solver.iterations = 2;
	wd.log = keepLine;
	wd.logContext = logged;
	Fixture f = makeFixture(&wd, &bd, barSize, barCells, true);
	plStepReport report;
	CHECK(plWorld_Step(f.world, &report, &f.error) == pl_notConverged);
	CHECK(!report.converged && report.iterations == 2 && report.relativeResidual > 1e-3);
	CHECK(strstr(logged, "step 1: gradient did not converge") == logged);
	destroyFixture(&f);
}

TEST(the_phases_add_up_to_the_total)
{
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.45, 1000.0);
	plWorldDef wd = tightDef(1.0 / 30.0, 1e-8);
	Fixture f = makeFixture(&wd, &bd, barSize, barCells, true);
	double most = 0.0; // a step that the system interrupts between two phases says nothing
	for (int i = 0; i < 12; ++i)
	{
		plStepReport r = {0};
		plWorld_Step(f.world, &r, &f.error);
		double sum =
		    r.ms.predict + r.ms.collide + r.ms.guess + r.ms.colour + r.ms.refresh + r.ms.minimise + r.ms.finish;
		CHECK(sum <= r.ms.total * 1.0001);
		most = fmax(most, sum / r.ms.total);
	}
	CHECK(most >= 0.95);
	destroyFixture(&f);
}

TEST(float_elements_follow_double_ones)
{
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.45, 1000.0);
	plWorldDef wd = tightDef(1.0 / 30.0, 1e-6);
	Fixture a = makeFixture(&wd, &bd, barSize, barCells, true);
	wd.solver.precision = pl_precisionFloat;
	Fixture b = makeFixture(&wd, &bd, barSize, barCells, true);
	double *x = malloc(3 * a.n * sizeof *x), *y = malloc(3 * a.n * sizeof *y);
	for (int i = 0; i < 20; ++i)
	{
		plStepReport report;
		CHECK(plWorld_Step(a.world, &report, &a.error) == pl_success);
		CHECK(plWorld_Step(b.world, &report, &b.error) == pl_success);
	}
	plBody_GetPositions(a.world, a.body, x);
	plBody_GetPositions(b.world, b.body, y);
	for (size_t i = 0; i < 3 * a.n; ++i)
		CHECK_NEAR(x[i], y[i], 4e-4); // 1e-4 of the size
	free(x);
	free(y);
	destroyFixture(&a);
	destroyFixture(&b);
}

TEST(an_empty_world_and_a_world_without_free_vertices_step)
{
	plWorldDef wd = newtonWorldDef();
	plError error;
	plWorld* world = plCreateWorld(&wd, &error);
	plStepReport report;
	CHECK(plWorld_Step(world, &report, &error) == pl_success);
	CHECK(report.converged && report.residual == 0.0 && report.step == 1);
	plDestroyWorld(world);

	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	Fixture f = makeFixture(&wd, &bd, barSize, barCells, false);
	uint32_t* all = malloc(f.n * sizeof *all);
	for (size_t i = 0; i < f.n; ++i)
		all[i] = (uint32_t)i;
	plPinDef pin = plDefaultPinDef();
	pin.body = f.body;
	pin.vertices = all;
	pin.vertexCount = f.n;
	CHECK(PL_IS_NON_NULL(plCreatePin(f.world, &pin, &f.error)));
	CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
	CHECK(report.residual == 0.0 && report.kinetic == 0.0);
	free(all);
	destroyFixture(&f);
}

// All vertices thrown about in the unit cube, many elements inside out.
static void throwVertices(Fixture* f)
{
	double* x = malloc(3 * f->n * sizeof *x);
	uint64_t seed = 7;
	for (size_t i = 0; i < 3 * f->n; ++i)
		x[i] = 0.5 + 0.5 * testRandom(&seed);
	plBody_SetPositions(f->world, f->body, x);
	free(x);
}

TEST(a_randomised_body_turns_right_side_out_under_newton)
{
	static const size_t cells[3] = {3, 3, 3};
	for (int law = 0; law < pl_lawCount; ++law)
	{
		WITH("law %s", plLaw_GetName((plLaw)law));
		plSoftBodyDef bd = softBody((plLaw)law, 1e5, 0.4, 1000.0);
		plWorldDef wd = tightDef(1.0 / 30.0, 1e-8);
		wd.gravity = (plVec3){0.0, 0.0, 0.0};
		wd.solver.iterations = 500;
		Fixture f = makeFixture(&wd, &bd, (plVec3){1.0, 1.0, 1.0}, cells, false);
		throwVertices(&f);
		plStepReport first = {0}, last = {0};
		for (int i = 0; i < 60; ++i)
		{
			CHECK(plWorld_Step(f.world, &last, &f.error) >= 0);
			if (i == 0)
				first = last;
		}
		if (last.inverted != 0)
			FAIL_("%s: %zu elements are still inverted", plLaw_GetName((plLaw)law), last.inverted);
		// Corotated has no other place to rest; the others may stay tangled with every element right side out.
		if (law == pl_lawCorotated)
			CHECK_BELOW(last.elastic, 1e-4 * first.elastic);
		destroyFixture(&f);
	}
}
