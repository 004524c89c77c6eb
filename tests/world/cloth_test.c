// cloth_test.c: bodies of triangles in a world: how they fall, hang, rest and are solved, under every law and model
#include "sheet.h"
#include "shortage.h"

static const size_t few[2] = {6, 7};

#define EACH_LAW(law) for (plMembraneLaw law = 0; law < pl_membraneLawCount; ++law)
#define EACH_MODEL(model) for (plBendingModel model = 0; model < pl_bendingModelCount; ++model)

// ---- motion ---------------------------------------------------------------------------------------------------------

// Numbers with few bits, so that the fall of a flat sheet has no rounding: then nothing but weight may move it.
TEST(a_sheet_falls_freely_to_the_bit)
{
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 64.0;
	wd.gravity = (plVec3){0.0, -8.0, 0.0};
	EACH_LAW(law) EACH_MODEL(model)
	{
		WITH("law %s, model %s", plMembraneLaw_GetName(law), plBendingModel_GetName(model));
		plClothDef def = clothOf(law, model);
		def.velocity = (plVec3){0.5, 1.0, -0.25};
		Fixture f = makeSheet(&wd, &def, 1.0, 1.0, (size_t[2]){4, 4}, pl_clothAlternating);
		double x[3 * 25], rest[3 * 25], fall = 0.0, speed = 1.0;
		plBody_GetRestPositions(f.world, f.body, rest);
		for (int i = 1; i <= 8; ++i)
		{
			CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
			speed -= 8.0 / 64.0;
			fall += speed / 64.0;
		}
		plBody_GetPositions(f.world, f.body, x);
		double room = law == pl_membraneSprings ? 1e-15 : 0.0; // lengths of diagonals are rounded
		for (size_t v = 0; v < f.n; ++v)
		{
			CHECK_NEAR(x[3 * v], rest[3 * v] + 0.5 * 0.125, room);
			CHECK_NEAR(x[3 * v + 1], rest[3 * v + 1] + fall, room);
			CHECK_NEAR(x[3 * v + 2], rest[3 * v + 2] - 0.25 * 0.125, room);
		}
		destroyFixture(&f);
	}
}

// In single precision the bound of the rounding of a stiff sheet's forces exceeds its weight.
TEST(a_stiff_sheet_in_float_swings_as_it_does_in_double)
{
	double potential[2];
	for (int k = 0; k < 2; ++k)
	{
		plWorldDef wd = plDefaultWorldDef();
		wd.solver = plDefaultSolverDef(pl_methodMultigrid);
		wd.solver.precision = k == 0 ? pl_precisionDouble : pl_precisionFloat;
		plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
		def.membrane.young = 1e7 / def.thickness;
		def.transform.rotation = plQuat_FromAxisAngle((plVec3){1.0, 0.0, 0.0}, -1.5707963267948966); // flat
		Fixture f = makeSheet(&wd, &def, 10.0, 10.0, (size_t[2]){10, 10}, pl_clothEquilateral);
		plPinDef pin = plDefaultPinDef();
		pin.body = f.body;
		pin.vertices = (const uint32_t[]){0, 10};
		pin.vertexCount = 2;
		CHECK(PL_IS_NON_NULL(plCreatePin(f.world, &pin, &f.error)));
		plStepReport report = {0};
		for (int i = 0; i < 30; ++i)
			CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
		potential[k] = report.potential;
		destroyFixture(&f);
	}
	CHECK(potential[0] < -1.0);
	CHECK_NEAR(potential[1], potential[0], 1e-3 * fabs(potential[0]));
}

// Sag of a chain of length L between points S apart:  a (cosh(S/2a) - 1),  L = 2 a sinh(S/2a)
static double catenarySag(double length, double span)
{
	double low = 1e-3 * span, high = 1e3 * span;
	for (int i = 0; i < 200; ++i)
	{
		double a = 0.5 * (low + high);
		if (2.0 * a * sinh(0.5 * span / a) > length)
			low = a;
		else
			high = a;
	}
	return low * (cosh(0.5 * span / low) - 1.0);
}

// A strip of 1.2 m whose ends are 1 m apart, at rest; long time steps leave statics.
static double hangStrip(plMembraneLaw law, size_t cells)
{
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 0.5;
	wd.solver.iterations = 200;
	wd.solver.hessian = pl_hessianProjected;
	plClothDef def = clothOf(law, pl_bendingNone);
	def.membrane.young = 2e8;
	def.transform = lying();
	def.damping.air = 2.0;
	Fixture f = makeSheet(&wd, &def, 1.2, 0.1, (size_t[2]){cells, 2}, pl_clothEquilateral);
	double* x = malloc(3 * f.n * sizeof *x);
	double* rest = malloc(3 * f.n * sizeof *rest);
	plBody_GetRestPositions(f.world, f.body, rest);
	for (size_t v = 0; v < f.n; ++v) // an arc of a parabola, nearly as long
	{
		double s = rest[3 * v] / 0.6;
		x[3 * v] = 0.5 * s;
		x[3 * v + 1] = -0.3 * (1.0 - s * s);
		x[3 * v + 2] = rest[3 * v + 2];
	}
	plBody_SetPositions(f.world, f.body, x);
	pinBox(&f, (plVec3){-0.5 - 1e-9, -1, -1}, (plVec3){-0.5 + 1e-9, 1, 1}, pl_axisAll);
	pinBox(&f, (plVec3){0.5 - 1e-9, -1, -1}, (plVec3){0.5 + 1e-9, 1, 1}, pl_axisAll);
	for (int i = 0; i < 60; ++i)
		plWorld_Step(f.world, NULL, &f.error);
	plBody_GetPositions(f.world, f.body, x);
	double lowest = 0.0;
	for (size_t v = 0; v < f.n; ++v)
		lowest = fmin(lowest, x[3 * v + 1]);
	free(x);
	free(rest);
	destroyFixture(&f);
	return -lowest;
}

TEST(a_strip_hangs_as_a_catenary)
{
	double sag = catenarySag(1.2, 1.0);
	CHECK_NEAR(hangStrip(pl_membraneSprings, 48), sag, 2e-3 * sag);
	CHECK_NEAR(hangStrip(pl_membraneStvk, 48), sag, 2e-3 * sag);
}

// ---- solving --------------------------------------------------------------------------------------------------------

static plWorldDef solvedBy(plMethod method, plPool* pool)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(method);
	wd.solver.iterations = 20000;
	wd.solver.tolerance = 1e-11;
	wd.solver.precision = pl_precisionDouble;
	wd.pool = pool;
	wd.timestep = 1.0 / 100.0;
	return wd;
}

static bool methodTakes(plMethod method, plMembraneLaw law, plBendingModel model)
{
	bool isProjection = law == pl_membraneArap || law == pl_membraneStrainLimit || law == pl_membraneSprings;
	return method != pl_methodProjective || (isProjection && model != pl_bendingHinge);
}

TEST(all_methods_agree_on_a_cloth_that_hangs)
{
	static const plMethod methods[] = {pl_methodNewtonCg, pl_methodQuasiNewton, pl_methodDescent,
	                                   pl_methodLbfgs,    pl_methodProjective,  pl_methodVbd,
	                                   pl_methodAvbd,     pl_methodAuto,        pl_methodNcg,
	                                   pl_methodJacobi,   pl_methodMultigrid,   pl_methodGradient};
	static const size_t cells[2] = {3, 3};
	EACH_LAW(law) EACH_MODEL(model)
	{
		plClothDef def = clothOf(law, model);
		def.membrane.young = 2e4; // 10 N/m: soft, for methods that go vertex by vertex
		def.membrane.limitStiffness = 20.0;
		plWorldDef wd = solvedBy(pl_methodNewton, NULL);
		Fixture a = makeFlag(&wd, &def, cells);
		for (int i = 0; i < 5; ++i)
			CHECK(plWorld_Step(a.world, NULL, &a.error) >= 0);
		for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
		{
			WITH("law %s, model %s, method %s", plMembraneLaw_GetName(law), plBendingModel_GetName(model),
			     plMethod_GetName(methods[m]));
			if (!methodTakes(methods[m], law, model))
				continue;
			wd = solvedBy(methods[m], NULL);
			Fixture b = makeFlag(&wd, &def, cells);
			for (int i = 0; i < 5; ++i)
				CHECK(plWorld_Step(b.world, NULL, &b.error) >= 0);
			CHECK_BELOW(apart(&a, &b), 1e-8);
			destroyFixture(&b);
		}
		destroyFixture(&a);
	}
}

TEST(projective_refuses_membranes_that_are_no_projections_by_name)
{
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	plWorldDef wd = solvedBy(pl_methodProjective, NULL);
	Fixture f = makeFlag(&wd, &def, few);
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_errorInput);
	CHECK(strstr(f.error.message, "the membrane stvk of body 1") != NULL);
	destroyFixture(&f);
}

// A ball close under the middle, rough, so that friction and its epochs take part from the third step on
static Fixture makeOnBall(plMethod method, plPool* pool, plMembraneLaw law, plBendingModel model)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(method);
	wd.solver.iterations = 60;
	wd.pool = pool;
	plClothDef def = clothOf(law, model);
	def.transform = lying();
	def.transform.translation.y = 0.36;
	def.damping = (plClothDamping){.air = 1.0, .viscous = 10.0};
	Fixture f = makeSheet(&wd, &def, 1.0, 1.0, (size_t[2]){12, 14}, pl_clothEquilateral);
	plColliderDef ball = plDefaultColliderDef();
	ball.shape = pl_shapeSphere;
	ball.radius = 0.35;
	ball.friction = 0.6;
	plCreateCollider(f.world, &ball, &f.error);
	return f;
}

// Methods share the laws out: what a thread or a state does to one of them, it does to all.
enum
{
	lawStride = testIsWatched ? 6 : 3
};

TEST(a_cloth_has_the_same_bits_for_any_number_of_threads)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodDescent, pl_methodQuasiNewton,
	                                   pl_methodVbd,    pl_methodAvbd,    pl_methodMultigrid};
	for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
		for (plMembraneLaw law = (plMembraneLaw)(m % lawStride); law < pl_membraneLawCount; law += lawStride)
		{
			uint64_t hash = 0;
			plBendingModel model = (plBendingModel)((law + m / 2) % pl_bendingModelCount);
			WITH("method %s, law %s", plMethod_GetName(methods[m]), plMembraneLaw_GetName(law));
			for (int threads = 1; threads <= 3; threads += 2)
			{
				plPool* pool = plCreatePool(threads);
				Fixture f = makeOnBall(methods[m], pool, law, model);
				for (int i = 0; i < 6; ++i)
					CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
				CHECK(threads == 1 || plWorld_GetHash(f.world) == hash);
				hash = plWorld_GetHash(f.world);
				destroyFixture(&f);
				plDestroyPool(pool);
			}
		}
}

static void resume(plMethod method, plMembraneLaw law, plBendingModel model)
{
	Fixture a = makeOnBall(method, NULL, law, model);
	for (int i = 0; i < 5; ++i)
		CHECK(plWorld_Step(a.world, NULL, &a.error) >= 0);
	Fixture b = makeOnBall(method, NULL, law, model);
	CHECK(carryState(a.world, b.world, &b.error) == pl_success);
	CALL(stepBoth(&a, &b, 5));
	destroyFixture(&a);
	destroyFixture(&b);
}

TEST(a_cloth_that_was_resumed_is_one_that_was_never_stopped)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodVbd, pl_methodAvbd, pl_methodMultigrid};
	EACH_MODEL(model)
	{
		WITH("model %s", plBendingModel_GetName(model));
		CALL(resume(pl_methodQuasiNewton, pl_membraneStvk, model));
	}
	for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
		for (plMembraneLaw law = (plMembraneLaw)(m % lawStride); law < pl_membraneLawCount; law += lawStride)
		{
			WITH("method %s, law %s", plMethod_GetName(methods[m]), plMembraneLaw_GetName(law));
			CALL(resume(methods[m], law, pl_bendingQuadratic));
		}
}

TEST(a_step_of_cloth_allocates_nothing_after_the_first)
{
	Fixture f = makeOnBall(pl_methodNewton, NULL, pl_membraneStvk, pl_bendingQuadratic);
	plStepReport report;
	for (int i = 0; i < 40; ++i)
	{
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		CHECK(i < 2 || report.contacts > 0 || report.allocations == 0);
	}
	CHECK(report.contacts > 0 && report.allocations == 0);
	destroyFixture(&f);
}

// ---- rest -----------------------------------------------------------------------------------------------------------

TEST(a_cloth_on_a_rough_ball_stays)
{
	Fixture f = makeOnBall(pl_methodNewton, NULL, pl_membraneStvk, pl_bendingQuadratic);
	plStepReport report;
	double *before = malloc(3 * f.n * sizeof *before), *after = malloc(3 * f.n * sizeof *after), moved = 0.0, low = 1.0;
	for (int i = 0; i < 240; ++i)
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	plBody_GetPositions(f.world, f.body, before);
	for (int i = 0; i < 60; ++i)
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	plBody_GetPositions(f.world, f.body, after);
	for (size_t v = 0; v < f.n; ++v)
	{
		const double* x = after + 3 * v;
		if (x[1] > 0.3) // the cap
			for (int i = 0; i < 3; ++i)
				moved = fmax(moved, fabs(x[i] - before[3 * v + i]));
		low = fmin(low, sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
	}
	CHECK(report.contacts > 20 && report.converged);
	CHECK_BELOW(moved, 1e-4);
	CHECK_BELOW(0.35 - low, 1e-3); // how deep it is in
	CHECK_BELOW(report.stretch, 1.05);
	free(before);
	free(after);
	destroyFixture(&f);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static bool liveAsCloth(Meter* meter, const plMesh* mesh, plError* error)
{
	(void)mesh;
	plWorldDef wd = newtonWorldDef();
	wd.allocator = meterHook(meter);
	plMesh* sheet = plCreateClothMesh(1.0, 1.0, (size_t[2]){2, 2}, pl_clothEquilateral, NULL, NULL);
	plWorld* world = plCreateWorld(&wd, error);
	bool fine = world != NULL;
	static const uint32_t some[2] = {0, 3};
	plClothRegionDef region = {.triangles = some, .triangleCount = 2, .density = 0.4, .scale = {0.9, 1.0}};
	for (int model = 1; fine && model < pl_bendingModelCount; ++model)
	{
		plClothDef def = clothOf(model == 1 ? pl_membraneSprings : pl_membraneStvk, (plBendingModel)model);
		def.mesh = sheet;
		def.regions = &region;
		def.regionCount = 1;
		def.damping = (plClothDamping){.air = 1.0, .viscous = 3.0, .bending = 0.1};
		plBodyId body = plCreateCloth(world, &def, error);
		fine = !PL_IS_NULL(body);
	}
	plColliderDef ground = plDefaultColliderDef();
	ground.offset = -0.6;
	fine = fine && !PL_IS_NULL(plCreateCollider(world, &ground, error)) && stepOrStay(world, 3, meter, error);
	plDestroyWorld(world);
	plDestroyMesh(sheet);
	return fine;
}

TEST(whichever_allocation_fails_cloth_leaves_nothing_behind)
{
	CALL(failEachAllocation(liveAsCloth, unit, oneCell, 60));
}
