// integrator_test.c: implicit Euler and BDF2: their order, what they lose, their start and restart, saving and loading
#include "fixture.h"
#include "world/integrator.h"

// A box of which every vertex of mass m hangs on a soft pin of m w^2: x(t) = v/w sin(w t).
static Fixture makeOscillator(const plWorldDef* wd, double w2, double speed)
{
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e6, 0.3, 800.0);
	bd.velocity = (plVec3){speed, 0.0, 0.0};
	Fixture f = makeFixture(wd, &bd, unit, oneCell, false);
	double m[8];
	plBody_GetMasses(f.world, f.body, m);
	for (uint32_t i = 0; i < 8; ++i)
	{
		plPinDef pin = pinOf(&f, &i);
		pin.stiffness = m[i] * w2;
		plCreatePin(f.world, &pin, &f.error);
	}
	return f;
}

// Error of position and velocity after a second.
static double oscillatorError(plIntegrator integrator, int steps, int substeps)
{
	const double w = 7.0, speed = 2.0;
	plWorldDef wd = weightlessDef(1.0 / steps, integrator);
	wd.substeps = substeps;
	Fixture f = makeOscillator(&wd, w * w, speed);
	for (int i = 0; i < steps; ++i)
		if (plWorld_Step(f.world, NULL, &f.error) != pl_success)
			printf("    did not converge\n");
	double x[24], v[24];
	plBody_GetPositions(f.world, f.body, x);
	plBody_GetVelocities(f.world, f.body, v);
	destroyFixture(&f);
	return hypot(x[0] - speed / w * sin(w), (v[0] - speed * cos(w)) / w);
}

TEST(the_oscillator_converges_by_first_and_second_order)
{
	for (int integrator = 0; integrator < 2; ++integrator)
	{
		double order = integrator == pl_integratorBdf2 ? 2.0 : 1.0;
		int first = integrator == pl_integratorBdf2 ? 200 : 1600;
		double a = oscillatorError((plIntegrator)integrator, first, 1);
		double b = oscillatorError((plIntegrator)integrator, 2 * first, 1);
		double c = oscillatorError((plIntegrator)integrator, 4 * first, 1);
		CHECK_NEAR(log2(a / b), order, 0.1);
		CHECK_NEAR(log2(b / c), order, 0.1);
	}
}

TEST(substeps_are_steps)
{
	for (int integrator = 0; integrator < 2; ++integrator)
	{
		double a = oscillatorError((plIntegrator)integrator, 400, 1);
		double b = oscillatorError((plIntegrator)integrator, 100, 4);
		CHECK_NEAR(a, b, 1e-12);
	}
}

// A soft bar, pinned and thrown, coarse enough that the steps resolve all that it does.
static void runBar(plIntegrator integrator, plDamping damping, int steps, double* x)
{
	static const size_t cells[3] = {2, 1, 1};
	plWorldDef wd = weightlessDef(0.5 / steps, integrator);
	wd.gravity = (plVec3){0.0, -2.0, 0.0};
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 2e3, 0.3, 1000.0);
	bd.damping = damping;
	Fixture f = makeFixture(&wd, &bd, (plVec3){2.0, 1.0, 1.0}, cells, true);
	double v[36];
	plBody_GetPositions(f.world, f.body, x);
	for (int i = 0; i < 12; ++i)
	{
		v[3 * i] = 0.3 * x[3 * i];
		v[3 * i + 1] = 0.2 * x[3 * i] * x[3 * i];
		v[3 * i + 2] = -0.4 * x[3 * i];
	}
	plBody_SetVelocities(f.world, f.body, v);
	for (int i = 0; i < steps; ++i)
		if (plWorld_Step(f.world, NULL, &f.error) != pl_success)
			printf("    did not converge\n");
	plBody_GetPositions(f.world, f.body, x);
	destroyFixture(&f);
}

static double barError(plIntegrator integrator, plDamping damping, int steps, const double* reference)
{
	double x[36], sum = 0.0;
	runBar(integrator, damping, steps, x);
	for (int i = 0; i < 36; ++i)
		sum += (x[i] - reference[i]) * (x[i] - reference[i]);
	return sqrt(sum);
}

static void checkBarOrder(plDamping damping)
{
	double reference[36];
	runBar(pl_integratorBdf2, damping, 2000, reference);
	for (int integrator = 0; integrator < 2; ++integrator)
	{
		double order = integrator == pl_integratorBdf2 ? 2.0 : 1.0;
		double a = barError((plIntegrator)integrator, damping, 50, reference);
		double b = barError((plIntegrator)integrator, damping, 100, reference);
		double c = barError((plIntegrator)integrator, damping, 200, reference);
		CHECK_NEAR(log2(a / b), order, 0.1);
		CHECK_NEAR(log2(b / c), order, 0.1);
	}
}

TEST(a_bar_converges_by_first_and_second_order)
{
	checkBarOrder((plDamping){.air = 0.0});
}

TEST(a_damped_bar_converges_by_first_and_second_order)
{
	CALL(checkBarOrder((plDamping){.air = 2.0}));
	CALL(checkBarOrder((plDamping){.viscous = 150.0}));
}

// Energy that a bar, let go from rest and swinging under gravity for two seconds, has lost.
static double energyLost(plIntegrator integrator, plVec3 low, plVec3 high)
{
	static const size_t cells[3] = {10, 2, 2};
	plWorldDef wd = weightlessDef(1.0 / 60.0, integrator);
	wd.gravity = (plVec3){0.0, -9.81, 0.0};
	wd.solver.tolerance = 1e-10;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e6, 0.45, 1000.0);
	Fixture f = makeFixture(&wd, &bd, (plVec3){1.0, 0.2, 0.2}, cells, false);
	pinBox(&f, low, high, pl_axisAll);
	double x[297], m[99], start = 0.0;
	plBody_GetPositions(f.world, f.body, x);
	plBody_GetMasses(f.world, f.body, m);
	for (int i = 0; i < 99; ++i)
		start += 9.81 * m[i] * x[3 * i + 1];
	plStepReport report = {0};
	for (int i = 0; i < 120; ++i)
		if (plWorld_Step(f.world, &report, &f.error) != pl_success)
			printf("    did not converge\n");
	destroyFixture(&f);
	return start - (report.kinetic + report.elastic + report.potential);
}

TEST(a_swinging_bar_loses_under_bdf2_a_fifth_of_what_implicit_euler_loses)
{
	static const struct
	{
		plVec3 low, high;
	} ends[2] = {{{0.0, 0.0, 0.0}, {0.0, 1.0, 1.0}},  // clamped
	             {{0.0, 0.2, 0.0}, {0.0, 0.2, 1.0}}}; // hinged at an edge
	for (int e = 0; e < 2; ++e)
	{
		double euler = energyLost(pl_integratorImplicitEuler, ends[e].low, ends[e].high);
		double bdf2 = energyLost(pl_integratorBdf2, ends[e].low, ends[e].high);
		printf("    %s: implicit Euler loses %.3f J, BDF2 %.3f J\n", e == 0 ? "clamped" : "hinged", euler, bdf2);
		CHECK(euler > 0.0);
		CHECK_BELOW(bdf2, 0.2 * euler);
	}
}

TEST(the_first_step_and_the_one_after_a_jump_are_implicit_euler)
{
	const double h = 0.05, w2 = 30.0;
	plWorldDef wd = weightlessDef(h, pl_integratorBdf2);
	Fixture f = makeOscillator(&wd, w2, 1.0);
	double x[24], v[24];
	plWorld_Step(f.world, NULL, &f.error);
	plBody_GetPositions(f.world, f.body, x);
	plBody_GetVelocities(f.world, f.body, v);
	CHECK_NEAR(x[0], h * 1.0 / (1.0 + h * h * w2), 1e-12);

	// the second is BDF2: (x + (x - x_old)/3 + h (8 v - 2 v_old)/9) / (1 + h~^2 w2)
	double expected = (x[0] + x[0] / 3.0 + h * (8.0 * v[0] - 2.0) / 9.0) / (1.0 + 4.0 / 9.0 * h * h * w2);
	double speed = (3.0 * expected - 4.0 * x[0]) / (2.0 * h);
	plWorld_Step(f.world, NULL, &f.error);
	plBody_GetPositions(f.world, f.body, x);
	plBody_GetVelocities(f.world, f.body, v);
	CHECK_NEAR(x[0], expected, 1e-12);
	CHECK_NEAR(v[0], speed, 1e-11);

	for (int jump = 0; jump < 3; ++jump)
	{
		double step = h;
		plBody_GetPositions(f.world, f.body, x);
		plBody_GetVelocities(f.world, f.body, v);
		if (jump == 0)
			plBody_SetPositions(f.world, f.body, x);
		if (jump == 1)
			plBody_SetVelocities(f.world, f.body, v);
		if (jump == 2)
			plWorld_SetTimestep(f.world, step = 0.03, &f.error);
		expected = (x[0] + step * v[0]) / (1.0 + step * step * w2);
		plWorld_Step(f.world, NULL, &f.error);
		plBody_GetPositions(f.world, f.body, x);
		CHECK_NEAR(x[0], expected, 1e-12);
	}
	destroyFixture(&f);
}

static Fixture makeBar(plIntegrator integrator, plMethod method)
{
	static const size_t cells[3] = {4, 2, 2};
	plWorldDef wd = newtonWorldDef();
	wd.integrator = integrator;
	wd.substeps = 2;
	wd.solver = plDefaultSolverDef(method);
	wd.solver.iterations = 30;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	bd.damping = (plDamping){.air = 0.2, .viscous = 50.0};
	return makeFixture(&wd, &bd, (plVec3){2.0, 1.0, 1.0}, cells, true);
}

TEST(saving_and_loading_equals_never_stopping_for_every_method)
{
	for (int method = 0; method < pl_softMethodCount; ++method)
		for (int at = 0; at < 4 && takes((plMethod)method, pl_lawNeoHookean); ++at) // also before the first step
		{
			WITH("method %s", plMethod_GetName((plMethod)method));
			Fixture a = makeBar(pl_integratorBdf2, (plMethod)method), b = makeBar(pl_integratorBdf2, (plMethod)method);
			for (int i = 0; i < at; ++i)
				plWorld_Step(a.world, NULL, &a.error);
			Fixture other = makeBar(pl_integratorImplicitEuler, (plMethod)method);
			CHECK(carryState(a.world, other.world, &other.error) == pl_errorInput);
			CHECK(strstr(other.error.message, "integrator") != NULL);
			destroyFixture(&other);
			CHECK(carryState(a.world, b.world, &b.error) == pl_success);
			for (int i = 0; i < 3; ++i)
			{
				plWorld_Step(a.world, NULL, &a.error);
				plWorld_Step(b.world, NULL, &b.error);
				CHECK(plWorld_GetHash(a.world) == plWorld_GetHash(b.world));
			}
			destroyFixture(&a);
			destroyFixture(&b);
		}
}

TEST(a_body_that_leaves_keeps_the_history_of_the_others)
{
	static const size_t cells[3] = {2, 1, 1};
	plError error;
	plWorldDef wd = weightlessDef(0.02, pl_integratorBdf2);
	plMesh* mesh = plCreateBoxMesh((plVec3){2.0, 1.0, 1.0}, cells, 5, NULL, &error);
	double x[2][36];
	for (int leaves = 0; leaves < 2; ++leaves)
	{
		plWorld* world = plCreateWorld(&wd, &error);
		plSoftBodyDef bd = softBody(pl_lawStvk, 1e4, 0.3, 1000.0);
		bd.mesh = mesh;
		plBodyId a = plCreateSoftBody(world, &bd, &error);
		plBodyId b = plCreateSoftBody(world, &bd, &error);
		double v[36];
		for (int i = 0; i < 36; ++i)
			v[i] = sin(i);
		plBody_SetVelocities(world, b, v);
		for (int i = 0; i < 6; ++i)
		{
			if (leaves && i == 3)
				plDestroyBody(world, a);
			CHECK(plWorld_Step(world, NULL, &error) == pl_success);
		}
		plBody_GetPositions(world, b, x[leaves]);
		plDestroyWorld(world);
	}
	for (int i = 0; i < 36; ++i)
		CHECK_NEAR(x[0][i], x[1][i], 1e-10);
	plDestroyMesh(mesh);
}

// y = p(q) + h~ p(v) + h~^2 a and v = (next - p)/h~, whatever p and h~ are.
TEST(the_formulas_of_a_row_agree_with_its_anchor_and_step)
{
	const double h = 0.03, a[4] = {0.7, -9.81, 0.2, 0.0};
	double q[8] = {0.0}, v[8] = {0.0}, qOld[8] = {0.0}, vOld[8] = {0.0}, next[8] = {0.0}, y[8], end[8];
	uint64_t seed = 12;
	for (size_t i = 0; i < 8; ++i)
		for (double* const* x = (double* const[]){q, v, qOld, vOld, next, NULL}; i % 4 < 3 && *x != NULL; ++x)
			(*x)[i] = testRandom(&seed);
	const plPast past = {q, v, qOld, vOld};
	for (int k = 0; k < pl_integratorCount; ++k)
	{
		const plIntegratorType* type = plIntegrator_GetType((plIntegrator)k);
		plSubstep substep = plIntegratorType_Begin(type, &past, h);
		CHECK((substep.qOld != NULL) == type->looksBack);
		type->target(&past, h, a, 8, y);
		type->velocity(&past, h, next, 8, end);
		for (size_t i = 0; i < 8; ++i)
		{
			double p = plSubstep_GetAnchorAt(&substep, i / pl_quad, i % pl_quad);
			double pv = plSubstep_GetAnchor(&substep, v[i], vOld[i]);
			CHECK_NEAR(y[i], p + substep.h * pv + substep.h * substep.h * a[i % pl_quad], 1e-15);
			CHECK_NEAR(end[i], (next[i] - p) / substep.h, 1e-13);
		}
		CHECK(y[3] == 0.0 && y[7] == 0.0 && end[7] == 0.0);
	}
}

TEST(every_integrator_has_a_name)
{
	CHECK_TEXT(plIntegrator_GetName(pl_integratorImplicitEuler), "implicit-euler");
	CHECK_TEXT(plIntegrator_GetName(pl_integratorBdf2), "bdf2");
	CHECK(plIntegrator_GetName(pl_integratorCount) == NULL && plIntegrator_GetName((plIntegrator)-1) == NULL);
	plWorldDef wd = plDefaultWorldDef();
	plError error;
	wd.integrator = pl_integratorCount;
	CHECK(plCreateWorld(&wd, &error) == NULL);
	CHECK_TEXT(error.message, "integrator 2 does not exist");
}
