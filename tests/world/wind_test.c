// wind_test.c: cloth in wind: terminal speed, drift, stability, what is refused, memory
#include "sheet.h"
#include "shortage.h"

static const size_t few[2] = {4, 5};

static plWindDef windOf(double x, double y, double z)
{
	plWindDef def = plDefaultWindDef();
	def.velocity = (plVec3){x, y, z};
	return def;
}

static plVec3 meanVelocity(const Fixture* f)
{
	double x[3 * 64], m[64], sum[4] = {0};
	plBody_GetVelocities(f->world, f->body, x);
	plBody_GetMasses(f->world, f->body, m);
	for (size_t i = 0; i < f->n; ++i)
	{
		sum[3] += m[i];
		for (size_t k = 0; k < 3; ++k)
			sum[k] += m[i] * x[3 * i + k];
	}
	return (plVec3){sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]};
}

// A sheet of sigma = 0.2 kg/m^2 falls flat at sqrt(2 sigma g/(rho c_n)), and on edge at sqrt(2 sigma g/(rho c_t)).
static double fallOf(bool flat, plIntegrator integrator, double h, double seconds)
{
	plWorldDef wd = newtonWorldDef();
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	wd.timestep = h;
	wd.integrator = integrator;
	wd.gravity = (plVec3){0.0, -9.81, 0.0};
	if (flat)
		def.transform = lying();
	Fixture f = makeSheet(&wd, &def, 1.0, 1.0, few, pl_clothEquilateral);
	plWindDef wind = windOf(0, 0, 0);
	wind.tangent = 0.3;
	bool fine = plWorld_SetWind(f.world, &wind, &f.error) == pl_success;
	for (int i = 0; i < (int)(seconds / h + 0.5); ++i)
		fine = plWorld_Step(f.world, NULL, &f.error) == pl_success && fine;
	double speed = fine ? -meanVelocity(&f).y : NAN;
	destroyFixture(&f);
	return speed;
}

TEST(a_falling_sheet_reaches_the_terminal_speed)
{
	for (int k = 0; k < 2; ++k)
		CHECK_NEAR(fallOf(true, (plIntegrator)k, 0.01, 3.0), sqrt(2.0 * 0.2 * 9.81 / (1.2 * 1.2)), 1e-6);
	CHECK_NEAR(fallOf(false, pl_integratorImplicitEuler, 0.01, 6.0), sqrt(2.0 * 0.2 * 9.81 / (1.2 * 0.3)), 1e-6);
}

// v(t) = v_end tanh(g t/v_end). The product of the speeds at start and end is as good as the square in the middle.
TEST(the_way_to_it_is_the_closed_form_to_second_order)
{
	double end = sqrt(2.0 * 0.2 * 9.81 / (1.2 * 1.2)), exact = end * tanh(9.81 * 0.1 / end);
	double coarse = fabs(fallOf(true, pl_integratorImplicitEuler, 0.01, 0.1) - exact);
	double fine = fabs(fallOf(true, pl_integratorImplicitEuler, 0.005, 0.1) - exact);
	CHECK(coarse < 0.01 * end);
	CHECK_NEAR(coarse / fine, 4.0, 0.1);
}

TEST(a_free_sheet_takes_the_speed_of_the_wind_and_never_more)
{
	plWorldDef wd = newtonWorldDef();
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	wd.timestep = 0.5; // far above what an explicit force would bear
	wd.gravity = (plVec3){0, 0, 0};
	Fixture f = makeSheet(&wd, &def, 1.0, 1.0, few, pl_clothEquilateral);
	plWindDef wind = windOf(0, 0, 1000.0);
	CHECK(plWorld_SetWind(f.world, &wind, &f.error) == pl_success);
	for (int i = 0; i < 20; ++i)
	{
		CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
		CHECK(meanVelocity(&f).z < 1000.0 + 1e-6);
	}
	CHECK(meanVelocity(&f).z > 990.0);
	destroyFixture(&f);
}

TEST(a_gust_is_a_sine_of_time)
{
	plWorldDef wd = newtonWorldDef();
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	wd.timestep = 0.25;
	wd.gravity = (plVec3){0, 0, 0};
	Fixture f = makeSheet(&wd, &def, 1.0, 1.0, few, pl_clothEquilateral);
	plWindDef wind = windOf(0, 0, 0);
	wind.gust = (plVec3){0, 0, 10.0};
	wind.frequency = 1.0;
	wind.density = 1e6; // so that cloth goes with the air
	CHECK(plWorld_SetWind(f.world, &wind, &f.error) == pl_success);
	static const double expected[4] = {10.0, 0.0, -10.0, 0.0};
	for (int i = 0; i < 4; ++i)
	{
		CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
		CHECK_NEAR(meanVelocity(&f).z, expected[i], 1e-3);
	}
	destroyFixture(&f);
}

TEST(every_method_blows_the_flag_to_the_same_place)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodNewtonCg, pl_methodLbfgs, pl_methodQuasiNewton,
	                                   pl_methodVbd};
	double first[3 * 64], x[3 * 64];
	for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
	{
		WITH("method %s", plMethod_GetName(methods[m]));
		plWorldDef wd = plDefaultWorldDef();
		plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
		wd.solver = plDefaultSolverDef(methods[m]);
		wd.solver.tolerance = 1e-9;
		wd.solver.iterations = 5000;
		Fixture f = makeFlag(&wd, &def, few);
		plWindDef wind = windOf(2.0, 0.0, 3.0);
		CHECK(plWorld_SetWind(f.world, &wind, &f.error) == pl_success);
		for (int i = 0; i < 5; ++i)
			plWorld_Step(f.world, NULL, &f.error);
		plBody_GetPositions(f.world, f.body, m == 0 ? first : x);
		for (size_t i = 0; m > 0 && i < 3 * f.n; ++i)
			CHECK_NEAR(x[i], first[i], 1e-6);
		destroyFixture(&f);
	}
}

// As bits: wind has no state of its own.
TEST(a_flag_in_the_wind_goes_on_from_a_saved_state)
{
	plWorldDef wd = newtonWorldDef();
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	plWindDef wind = windOf(2.0, 0.0, 3.0);
	wind.gust = (plVec3){0, 0, 2.0};
	wind.frequency = 3.0;
	Fixture a = makeFlag(&wd, &def, few), b = makeFlag(&wd, &def, few);
	plWorld_SetWind(a.world, &wind, NULL);
	plWorld_SetWind(b.world, &wind, NULL);
	for (int i = 0; i < 5; ++i)
		plWorld_Step(a.world, NULL, &a.error);
	size_t size = plWorld_GetStateSize(a.world);
	void* state = malloc(size);
	plWorld_SaveState(a.world, state);
	CHECK(plWorld_LoadState(b.world, state, size, &b.error) == pl_success);
	free(state);
	for (int i = 0; i < 3; ++i)
	{
		plWorld_Step(a.world, NULL, &a.error);
		plWorld_Step(b.world, NULL, &b.error);
	}
	CHECK(plWorld_GetHash(a.world) == plWorld_GetHash(b.world));
	destroyFixture(&a);
	destroyFixture(&b);
}

TEST(wind_comes_changes_and_goes_while_a_world_runs)
{
	plWorldDef wd = newtonWorldDef();
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	wd.gravity = (plVec3){0, 0, 0};
	Fixture f = makeSheet(&wd, &def, 1.0, 1.0, few, pl_clothEquilateral);
	plWindDef wind = windOf(0, 0, 5.0), got;
	CHECK(!plWorld_GetWind(f.world, &got));
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success && meanVelocity(&f).z == 0.0);
	CHECK(plWorld_SetWind(f.world, &wind, &f.error) == pl_success && plWorld_GetWind(f.world, &got));
	CHECK(got.velocity.z == 5.0);
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
	double speed = meanVelocity(&f).z;
	CHECK(speed > 0.1);
	CHECK(plWorld_SetWind(f.world, NULL, &f.error) == pl_success && !plWorld_GetWind(f.world, &got));
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
	CHECK_NEAR(meanVelocity(&f).z, speed, 1e-12);
	destroyFixture(&f);
}

static void refused(plWindDef def, const char* field)
{
	plWorldDef wd = newtonWorldDef();
	plWorld* world = plCreateWorld(&wd, NULL);
	plError error = {0};
	CHECK(plWorld_SetWind(world, &def, &error) == pl_errorInput && strcmp(error.field, field) == 0);
	CHECK(!plWorld_GetWind(world, &def));
	plDestroyWorld(world);
}

TEST(bad_wind_is_refused_by_its_member)
{
	plWindDef def = windOf(0, NAN, 0);
	CALL(refused(def, "velocity"));
	def = windOf(0, 0, 0);
	def.gust.x = INFINITY;
	CALL(refused(def, "gust"));
	def.gust.x = 1.0;
	CALL(refused(def, "frequency"));
	def.frequency = -1.0;
	CALL(refused(def, "frequency"));
	def = windOf(0, 0, 0);
	def.phase = NAN;
	CALL(refused(def, "phase"));
	def = windOf(0, 0, 0);
	def.density = -1.0;
	CALL(refused(def, "density"));
	def = windOf(0, 0, 0);
	def.normal = NAN;
	CALL(refused(def, "normal"));
	def = windOf(0, 0, 0);
	def.tangent = INFINITY;
	CALL(refused(def, "tangent"));
}

TEST(projective_takes_no_wind)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(pl_methodProjective);
	plClothDef def = clothOf(pl_membraneArap, pl_bendingQuadratic);
	Fixture f = makeFlag(&wd, &def, few);
	plWindDef wind = windOf(0, 0, 5.0);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	CHECK(plWorld_SetWind(f.world, &wind, &f.error) == pl_success);
	CHECK(plWorld_Step(f.world, NULL, &f.error) < 0 && strstr(f.error.message, "the wind") != NULL);
	destroyFixture(&f);
}

// ---- memory -------------------------------------------------------------------------------------------------------

static bool blowOnce(Meter* meter, const plMesh* mesh, plError* error)
{
	plWorldDef wd = newtonWorldDef();
	wd.allocator = meterHook(meter);
	plWorld* world = plCreateWorld(&wd, error);
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	plMesh* sheet = plCreateClothMesh(1.0, 1.0, (size_t[2]){2, 2}, pl_clothEquilateral, NULL, NULL);
	plWindDef wind = windOf(0, 0, 5.0);
	(void)mesh;
	def.mesh = sheet;
	bool fine = world != NULL && PL_IS_NON_NULL(plCreateCloth(world, &def, error)) &&
	            stepOrStay(world, 1, meter, error) && plWorld_SetWind(world, &wind, error) == pl_success &&
	            stepOrStay(world, 1, meter, error);
	plDestroyMesh(sheet);
	plDestroyWorld(world);
	return fine;
}

TEST(wind_survives_every_failed_allocation)
{
	CALL(failEachAllocation(blowOnce, unit, oneCell, 20));
}

TEST(a_step_in_the_wind_allocates_nothing)
{
	plWorldDef wd = newtonWorldDef();
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	Fixture f = makeFlag(&wd, &def, few);
	plWindDef wind = windOf(0, 0, 5.0);
	plStepReport report;
	plWorld_SetWind(f.world, &wind, NULL);
	for (int i = 0; i < 4; ++i)
		plWorld_Step(f.world, &report, &f.error);
	CHECK(report.allocations == 0);
	destroyFixture(&f);
}
