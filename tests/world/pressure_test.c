// pressure_test.c: pressure in closed cloth: a sphere against the closed form, momentum, what is refused, memory
#include "balloon.h"
#include "shortage.h"

static Fixture makeBalloon(const plWorldDef* wd, plMesh* mesh)
{
	Fixture f = {0};
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingNone);
	def.mesh = mesh;
	f.world = plCreateWorld(wd, &f.error);
	f.body = plCreateCloth(f.world, &def, &f.error);
	f.n = plBody_GetVertexCount(f.world, f.body);
	plDestroyMesh(mesh);
	return f;
}

static plPressureId blowUp(Fixture* f, double pascal)
{
	plPressureDef def = plDefaultPressureDef();
	def.body = f->body;
	def.pressure = pascal;
	return plCreatePressure(f->world, &def, &f->error);
}

// StVK in plane stress: tension T = 2 (mu + lambda) e, e = (s^2 - 1)/2 at the stretch s; p = 2 T/(s R)
static double stretchOf(double p, double stiffness, double poisson)
{
	double both = stiffness / (2.0 * (1.0 + poisson)) + stiffness * poisson / (1.0 - poisson * poisson);
	return 0.5 * (p / (2.0 * both) + sqrt(p * p / (4.0 * both * both) + 4.0));
}

// At rest after long steps, as the third root of the volume ratio; NAN: a step failed
static double inflate(size_t cells, bool inwards, double pascal)
{
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0, 0, 0};
	wd.timestep = 10.0;
	Fixture f = makeBalloon(&wd, makeSphere(cells, inwards, false, false));
	plPressureId id = blowUp(&f, pascal);
	bool fine = PL_IS_NON_NULL(id);
	double before = fine ? plPressure_GetVolume(f.world, id) : NAN;
	for (int i = 0; fine && i < 12; ++i)
		fine = plWorld_Step(f.world, NULL, &f.error) == pl_success;
	double after = fine ? plPressure_GetVolume(f.world, id) : NAN;
	destroyFixture(&f);
	return cbrt(after / before);
}

TEST(a_sphere_of_membrane_grows_as_the_closed_form_says)
{
	plMembraneDef membrane = clothOf(pl_membraneStvk, pl_bendingNone).membrane;
	double stiffness = membrane.young * plDefaultClothDef().thickness;
	static const double pressures[] = {100.0, 800.0};
	for (size_t i = 0; i < 2; ++i)
	{
		WITH("%g Pa", pressures[i]);
		double exact = stretchOf(pressures[i], stiffness, membrane.poisson) - 1.0;
		double coarse = inflate(5, false, pressures[i]) - 1.0, fine = inflate(10, false, pressures[i]) - 1.0;
		CHECK_NEAR(fine, exact, 0.01 * exact);
		CHECK_NEAR((coarse - exact) / (fine - exact), 4.0, 0.6);
		CHECK_NEAR(inflate(5, true, pressures[i]) - 1.0, coarse, 1e-9);
	}
}

TEST(pressure_moves_nothing_as_a_whole)
{
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0, 0, 0};
	Fixture f = makeBalloon(&wd, makeSphere(4, false, false, false));
	blowUp(&f, 300.0);
	double v[3 * mostBalloonVertices], m[mostBalloonVertices], sum[3] = {0};
	for (int i = 0; i < 20; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
	plBody_GetVelocities(f.world, f.body, v);
	plBody_GetMasses(f.world, f.body, m);
	for (size_t i = 0; i < 3 * f.n; ++i)
		sum[i % 3] += m[i / 3] * v[i];
	for (size_t k = 0; k < 3; ++k)
		CHECK_NEAR(sum[k], 0.0, 1e-9);
	destroyFixture(&f);
}

TEST(every_method_inflates_it_alike)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodNewtonCg, pl_methodLbfgs, pl_methodQuasiNewton,
	                                   pl_methodVbd};
	double first = 0.0;
	for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
	{
		WITH("method %s", plMethod_GetName(methods[m]));
		plWorldDef wd = plDefaultWorldDef();
		wd.solver = plDefaultSolverDef(methods[m]);
		wd.solver.tolerance = 1e-9;
		wd.solver.iterations = 5000;
		Fixture f = makeBalloon(&wd, makeSphere(3, false, false, false));
		plPressureId id = blowUp(&f, 300.0);
		for (int i = 0; i < 5; ++i)
			plWorld_Step(f.world, NULL, &f.error);
		double volume = plPressure_GetVolume(f.world, id);
		first = m == 0 ? volume : first;
		CHECK_NEAR(volume, first, 1e-6);
		destroyFixture(&f);
	}
}

TEST(the_pressure_of_a_running_world_is_set_and_taken_away)
{
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0, 0, 0};
	wd.timestep = 10.0;
	wd.balance = true;
	Fixture f = makeBalloon(&wd, makeSphere(4, false, false, false));
	plPressureId id = blowUp(&f, 100.0);
	plStepReport report;
	CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success && plPressure_Get(f.world, id) == 100.0);
	CHECK(report.balance.work.energies > 0.0);
	double before = plPressure_GetVolume(f.world, id);
	plPressure_Set(f.world, id, 400.0);
	CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
	CHECK(report.allocations == 0 && plPressure_GetVolume(f.world, id) > 1.05 * before);
	plPressure_Set(f.world, id, 0.0);
	for (int i = 0; i < 5; ++i)
		plWorld_Step(f.world, NULL, &f.error);
	double rest = plPressure_GetVolume(f.world, id);
	CHECK(rest < before);
	plDestroyPressure(f.world, id);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	blowUp(&f, 100.0);
	plDestroyBody(f.world, f.body);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	plDestroyWorld(f.world);
}

static void refused(plMesh* mesh, double pascal, const char* field, const char* words)
{
	plWorldDef wd = newtonWorldDef();
	Fixture f = makeBalloon(&wd, mesh);
	CHECK(PL_IS_NULL(blowUp(&f, pascal)));
	if (strcmp(f.error.field, field) != 0 || strstr(f.error.message, words) == NULL)
		FAIL_("%s: %s", f.error.field, f.error.message);
	destroyFixture(&f);
}

TEST(what_is_not_closed_is_refused_by_name)
{
	CALL(refused(makeSphere(3, false, true, false), 1.0, "body", "is not closed: the edge of vertices"));
	CALL(refused(makeSphere(3, false, false, true), 1.0, "body", "face opposite sides"));
	CALL(refused(makeSphere(3, false, false, false), NAN, "pressure", "finite"));
	plWorldDef wd = newtonWorldDef();
	plSoftBodyDef soft = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	Fixture f = makeFixture(&wd, &soft, unit, oneCell, false);
	CHECK(PL_IS_NULL(blowUp(&f, 1.0)) && strstr(f.error.message, "no cloth") != NULL);
	destroyFixture(&f);
}

TEST(projective_takes_no_pressure)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(pl_methodProjective);
	plClothDef def = clothOf(pl_membraneArap, pl_bendingNone);
	plMesh* mesh = makeSphere(2, false, false, false);
	Fixture f = {.world = plCreateWorld(&wd, NULL)};
	def.mesh = mesh;
	f.body = plCreateCloth(f.world, &def, &f.error);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	blowUp(&f, 1.0);
	CHECK(plWorld_Step(f.world, NULL, &f.error) < 0 && strstr(f.error.message, "the pressure in body 1") != NULL);
	plDestroyMesh(mesh);
	destroyFixture(&f);
}

// ---- gas ------------------------------------------------------------------------------------------------------------

static plPressureDef gasOf(plBodyId body, double pascal, double ambient)
{
	plPressureDef def = plDefaultPressureDef();
	def.body = body;
	def.gas = true;
	def.pressure = pascal;
	def.ambient = ambient;
	return def;
}

// p(s) = (a + p0)/s^3 - a against 2 T/(s R) of stvk: by halving
static double gasStretchOf(double p0, double ambient, double stiffness, double poisson)
{
	double both = stiffness / (2.0 * (1.0 + poisson)) + stiffness * poisson / (1.0 - poisson * poisson);
	double low = 0.5, high = 4.0;
	for (int i = 0; i < 200; ++i)
	{
		double s = 0.5 * (low + high), gas = (ambient + p0) / (s * s * s) - ambient;
		if (gas > 2.0 * both * (s * s - 1.0) / s)
			low = s;
		else
			high = s;
	}
	return low;
}

static double inflateByGas(size_t cells, bool inwards, double p0, double ambient)
{
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0, 0, 0};
	wd.timestep = 10.0;
	Fixture f = makeBalloon(&wd, makeSphere(cells, inwards, false, false));
	plPressureDef def = gasOf(f.body, p0, ambient);
	plPressureId id = plCreatePressure(f.world, &def, &f.error);
	bool fine = PL_IS_NON_NULL(id);
	double before = fine ? plPressure_GetVolume(f.world, id) : NAN;
	for (int i = 0; fine && i < 12; ++i)
		fine = plWorld_Step(f.world, NULL, &f.error) == pl_success;
	double after = fine ? plPressure_GetVolume(f.world, id) : NAN;
	if (fine &&
	    fabs((plPressure_GetPressure(f.world, id) + ambient) * after - (p0 + ambient) * before) > 1e-9 * after * p0)
		after = NAN;
	destroyFixture(&f);
	return cbrt(after / before);
}

TEST(gas_in_a_sphere_comes_to_rest_where_the_closed_form_says)
{
	plMembraneDef membrane = clothOf(pl_membraneStvk, pl_bendingNone).membrane;
	double stiffness = membrane.young * plDefaultClothDef().thickness;
	static const double cases[][2] = {{800.0, 1000.0}, {3000.0, 0.0}, {20000.0, 101325.0}};
	for (size_t i = 0; i < 3; ++i)
	{
		WITH("%g Pa in %g Pa", cases[i][0], cases[i][1]);
		double exact = gasStretchOf(cases[i][0], cases[i][1], stiffness, membrane.poisson) - 1.0;
		double coarse = inflateByGas(5, false, cases[i][0], cases[i][1]) - 1.0;
		double fine = inflateByGas(10, false, cases[i][0], cases[i][1]) - 1.0;
		CHECK_NEAR(fine, exact, 0.01 * exact);
		CHECK_NEAR((coarse - exact) / (fine - exact), 4.0, 0.6);
		CHECK_NEAR(inflateByGas(5, true, cases[i][0], cases[i][1]) - 1.0, coarse, 1e-9);
	}
}

// Under the pressure of the atmosphere a breath of gas is some hundred times as stiff as the membrane.
TEST(every_method_takes_gas)
{
	static const plMethod methods[] = {pl_methodNewton,    pl_methodNewtonCg,    pl_methodDescent,
	                                   pl_methodLbfgs,     pl_methodNcg,         pl_methodVbd,
	                                   pl_methodMultigrid, pl_methodQuasiNewton, pl_methodAuto};
	for (int a = 0; a < 2; ++a)
	{
		double first = 0.0;
		for (size_t m = 0; m < sizeof methods / sizeof *methods; m += a || testIsWatched ? 4 : 1)
		{
			WITH("method %s, case %d", plMethod_GetName(methods[m]), a);
			plWorldDef wd = plDefaultWorldDef();
			wd.solver = plDefaultSolverDef(methods[m]);
			wd.solver.tolerance = 1e-8;
			wd.solver.iterations = 20000;
			wd.solver.precision = pl_precisionDouble;
			Fixture f = makeBalloon(&wd, makeSphere(4, false, false, false));
			plPressureDef def = gasOf(f.body, 300.0, a ? 101325.0 : 2000.0);
			plPressureId id = plCreatePressure(f.world, &def, &f.error);
			plStepReport report = {0};
			int iterations = 0;
			for (int i = 0; i < 5; ++i)
			{
				CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
				iterations += report.iterations;
			}
			if (getenv("PLIANT_TEST_VERBOSE") != NULL)
				printf("    %s: %d iterations in 5 steps, %.9g\n", plMethod_GetName(methods[m]), iterations,
				       plPressure_GetVolume(f.world, id));
			double volume = plPressure_GetVolume(f.world, id);
			first = m == 0 ? volume : first;
			CHECK_NEAR(volume, first, 1e-6);
			destroyFixture(&f);
		}
	}
}

// Newton's method has the common part in its solutions: it converges as fast as without gas.
TEST(gas_costs_newton_few_iterations)
{
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0, 0, 0};
	Fixture f = makeBalloon(&wd, makeSphere(8, false, false, false));
	plPressureDef def = gasOf(f.body, 2000.0, 101325.0);
	plCreatePressure(f.world, &def, &f.error);
	for (int i = 0; i < 10; ++i)
	{
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
		CHECK(report.iterations <= 12);
		CHECK(i < 1 || report.allocations == 0);
	}
	destroyFixture(&f);
}

// ---- sewn -----------------------------------------------------------------------------------------------------------

// Two panels, sewn all round; both face the same way.
static plPressureId makeCushion(Fixture* f, const plWorldDef* wd, plSeamId* seam, double volume, double fill,
                                double breakForce)
{
	plClothDef cloth = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	*f = makeSheet(wd, &cloth, 0.4, 0.3, (size_t[2]){8, 7}, pl_clothEquilateral);
	plMesh* mesh = plCreateClothMesh(0.4, 0.3, (size_t[2]){7, 6}, pl_clothEquilateral, NULL, NULL);
	cloth.mesh = mesh;
	cloth.transform.translation.z = 0.05;
	plBodyId other = plCreateCloth(f->world, &cloth, &f->error);
	uint32_t all[128];
	for (uint32_t i = 0; i < 128; ++i)
		all[i] = i;
	plSeamDef def = plDefaultSeamDef();
	def.a = f->body;
	def.b = other;
	def.first = def.second = all;
	def.firstCount = f->n;
	def.secondCount = plBody_GetVertexCount(f->world, other);
	def.close = 0.25;
	def.breakForce = breakForce;
	*seam = plCreateSeam(f->world, &def, &f->error);
	plDestroyMesh(mesh);
	plPressureDef pressure = gasOf(f->body, 400.0, 101325.0);
	pressure.others = &other;
	pressure.otherCount = 1;
	pressure.volume = volume;
	pressure.fill = fill;
	return plCreatePressure(f->world, &pressure, &f->error);
}

TEST(panels_that_are_sewn_together_hold_gas)
{
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0, 0, 0};
	wd.balance = true;
	wd.solver.tolerance = 1e-12;
	wd.solver.iterations = 500;
	Fixture f;
	plSeamId seam;
	plPressureId id = makeCushion(&f, &wd, &seam, 0.004, 0.5, INFINITY);
	if (PL_IS_NULL(id))
		FAIL_("%s", f.error.message);
	CHECK_NEAR(plPressure_GetVolume(f.world, id), 0.4 * 0.3 * 0.05, 1e-12); // with the strip round it
	CHECK_NEAR(plPressure_GetPressure(f.world, id), 0.0, 1e-9);
	plStepReport report;
	double v[3 * 256], m[256], sum[3] = {0}, worst = 0.0;
	for (int i = 0; i < 60; ++i)
	{
		CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
		worst = fmax(worst, fabs(plBalance_GetError(&report.balance)) / plBalance_GetLargest(&report.balance));
	}
	CHECK_BELOW(worst, 1e-9);
	for (uint32_t b = 1; b <= 2; ++b)
	{
		plBodyId body = {b, f.body.generation};
		plBody_GetVelocities(f.world, body, v);
		plBody_GetMasses(f.world, body, m);
		for (size_t i = 0; i < 3 * plBody_GetVertexCount(f.world, body); ++i)
			sum[i % 3] += m[i / 3] * v[i];
	}
	for (int k = 0; k < 3; ++k)
		CHECK_NEAR(sum[k], 0.0, 1e-9);
	CHECK_BELOW(plSeam_GetGap(f.world, seam), 0.004); // the two borders have other vertices
	double absolute = 101325.0 + plPressure_GetPressure(f.world, id), volume = plPressure_GetVolume(f.world, id);
	CHECK_NEAR(absolute * volume, 101725.0 * 0.004, 1e-6);
	CHECK(volume > 0.003 && volume < 0.0055);
	plDestroySeam(f.world, seam); // the surface stays
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	plDestroyBody(f.world, (plBodyId){2, f.body.generation});
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	destroyFixture(&f);
}

// A stitch that breaks lets out the gas.
TEST(a_seam_that_tears_leaks)
{
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0, 0, 0};
	Fixture f;
	plSeamId seam;
	plPressureId id = makeCushion(&f, &wd, &seam, 0.012, 0.5, 4.0);
	bool wasFull = false;
	for (int i = 0; i < 90 && plSeam_GetBrokenCount(f.world, seam) == 0; ++i)
	{
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		wasFull = wasFull || plPressure_GetPressure(f.world, id) > 1.0;
	}
	CHECK(wasFull && plSeam_GetBrokenCount(f.world, seam) > 0);
	CHECK(plPressure_GetPressure(f.world, id) == 0.0);
	plStepReport report;
	for (int i = 0; i < 30; ++i)
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	CHECK(report.stretch < 1.2);
	destroyFixture(&f);
}

// Elements are made anew while it is torn; then a state from before is loaded.
TEST(a_state_from_before_a_tear_is_full_again)
{
	enum
	{
		compared = 3
	};
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0, 0, 0};
	Fixture f;
	plSeamId seam;
	plPressureId id = makeCushion(&f, &wd, &seam, 0.012, 0.5, 4.0);
	plStepReport report;
	for (int i = 0; i < 3; ++i)
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	size_t bytes = plWorld_GetStateSize(f.world);
	void* state = malloc(bytes);
	plWorld_SaveState(f.world, state);
	uint64_t hashes[compared];
	for (int i = 0; i < compared; ++i)
	{
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		hashes[i] = report.hash;
	}
	for (int i = 0; i < 90 && plSeam_GetBrokenCount(f.world, seam) == 0; ++i)
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	CHECK(plSeam_GetBrokenCount(f.world, seam) > 0);
	plBodyId other = {2, f.body.generation};
	plPressureDef second = gasOf(f.body, 1.0, 101325.0);
	second.others = &other;
	second.otherCount = 1;
	second.volume = 0.012;
	plPressureId extra = plCreatePressure(f.world, &second, &f.error);
	CHECK(!PL_IS_NULL(extra));
	plDestroyPressure(f.world, extra);
	CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	CHECK(plPressure_GetPressure(f.world, id) == 0.0);
	CHECK(plWorld_LoadState(f.world, state, bytes, &f.error) == pl_success);
	for (int i = 0; i < compared; ++i)
	{
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		CHECK(report.hash == hashes[i]);
	}
	free(state);
	destroyFixture(&f);
}

TEST(a_resumed_gas_goes_on_to_the_bit)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodQuasiNewton, pl_methodVbd, pl_methodMultigrid};
	for (size_t i = 0; i < 4; ++i)
	{
		WITH("%s", plMethod_GetName(methods[i]));
		plWorldDef wd = plDefaultWorldDef();
		wd.solver = plDefaultSolverDef(methods[i]);
		Fixture f, other;
		plSeamId seam;
		makeCushion(&f, &wd, &seam, 0.0, 0.4, INFINITY);
		makeCushion(&other, &wd, &seam, 0.0, 0.4, INFINITY);
		for (int step = 0; step < 9; ++step)
			CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		CHECK(plWorld_Step(other.world, NULL, &other.error) >= 0);
		CHECK(carryState(f.world, other.world, &f.error) == pl_success);
		for (int step = 0; step < 6; ++step)
		{
			plStepReport a, b;
			CHECK(plWorld_Step(f.world, &a, &f.error) >= 0 && plWorld_Step(other.world, &b, &other.error) >= 0);
			CHECK(a.hash == b.hash && a.residual == b.residual);
		}
		destroyFixture(&f);
		destroyFixture(&other);
	}
}

TEST(threads_do_not_change_a_bit_of_gas)
{
	uint64_t hashes[3];
	for (int i = 0; i < 3; ++i)
	{
		plWorldDef wd = newtonWorldDef();
		plPool* pool = wd.pool = plCreatePool(1 + i);
		Fixture f = makeBalloon(&wd, makeSphere(10, false, false, false));
		plPressureDef def = gasOf(f.body, 2000.0, 101325.0);
		plCreatePressure(f.world, &def, &f.error);
		for (int step = 0; step < 3; ++step)
			CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		hashes[i] = plWorld_GetHash(f.world);
		destroyFixture(&f);
		plDestroyPool(pool);
	}
	CHECK(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
}

TEST(bad_gas_is_refused_by_name)
{
	plWorldDef wd = newtonWorldDef();
	Fixture f = makeBalloon(&wd, makeSphere(3, false, false, false));
	plPressureDef def = gasOf(f.body, -2000.0, 1000.0);
	CHECK(PL_IS_NULL(plCreatePressure(f.world, &def, &f.error)) && strcmp(f.error.field, "pressure") == 0);
	def = gasOf(f.body, 10.0, -1.0);
	CHECK(PL_IS_NULL(plCreatePressure(f.world, &def, &f.error)) && strcmp(f.error.field, "ambient") == 0);
	def = gasOf(f.body, 10.0, 1.0);
	def.volume = NAN;
	CHECK(PL_IS_NULL(plCreatePressure(f.world, &def, &f.error)) && strcmp(f.error.field, "volume") == 0);
	def.volume = 0.0;
	def.fill = -1.0;
	CHECK(PL_IS_NULL(plCreatePressure(f.world, &def, &f.error)) && strcmp(f.error.field, "fill") == 0);
	def.fill = 0.0;
	def.others = &f.body;
	def.otherCount = 1;
	CHECK(PL_IS_NULL(plCreatePressure(f.world, &def, &f.error)) && strstr(f.error.message, "named twice") != NULL);
	destroyFixture(&f);
	// two panels, of which only one side is sewn
	plSeamId seam;
	makeCushion(&f, &wd, &seam, 0.0, 0.0, INFINITY);
	plDestroySeam(f.world, seam);
	plBodyId other = {2, f.body.generation};
	def = gasOf(f.body, 10.0, 1.0);
	def.others = &other;
	def.otherCount = 1;
	CHECK(PL_IS_NULL(plCreatePressure(f.world, &def, &f.error)) &&
	      strstr(f.error.message, "is sewn to no other") != NULL);
	destroyFixture(&f);
}

static bool blowOnce(Meter* meter, const plMesh* mesh, plError* error)
{
	(void)mesh;
	plWorldDef wd = newtonWorldDef();
	wd.allocator = meterHook(meter);
	plWorld* world = plCreateWorld(&wd, error);
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	plMesh* sphere = makeSphere(2, false, false, false);
	plPressureDef pressure = plDefaultPressureDef();
	def.mesh = sphere;
	pressure.pressure = 10.0;
	bool fine = world != NULL;
	pressure.body = fine ? plCreateCloth(world, &def, error) : (plBodyId){0};
	fine = fine && PL_IS_NON_NULL(pressure.body) && stepOrStay(world, 1, meter, error) &&
	       PL_IS_NON_NULL(plCreatePressure(world, &pressure, error)) && stepOrStay(world, 1, meter, error);
	plBodyId second = fine ? plCreateCloth(world, &def, error) : (plBodyId){0};
	const uint32_t pairs[2] = {0, 1};
	plSeamDef seam = plDefaultSeamDef();
	seam.a = seam.b = second;
	seam.match = pl_seamPairs;
	seam.pairs = pairs;
	seam.count = 1;
	pressure.body = second;
	pressure.gas = true;
	fine = fine && PL_IS_NON_NULL(second) && PL_IS_NON_NULL(plCreateSeam(world, &seam, error)) &&
	       PL_IS_NON_NULL(plCreatePressure(world, &pressure, error)) && stepOrStay(world, 1, meter, error);
	plDestroyMesh(sphere);
	plDestroyWorld(world);
	return fine;
}

TEST(pressure_survives_every_failed_allocation)
{
	CALL(failEachAllocation(blowOnce, unit, oneCell, 20));
}
