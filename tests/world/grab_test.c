// grab_test.c: vertices drawn to a point: following, hanging, the limit, every method, what it costs, resuming
#include "shortage.h"
#include "world/world.h"

static const size_t cells[3] = {4, 2, 2};
static const plVec3 size = {1.0, 0.4, 0.4};

static plWorldDef grabWorld(plMethod method)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.timestep = 1.0 / 64.0;
	wd.solver = plDefaultSolverDef(method);
	return wd;
}

static Fixture makeBar(const plWorldDef* wd, bool pinned)
{
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 2e5, 0.3, 1000.0);
	return makeFixture(wd, &bd, size, cells, pinned);
}

// The end of the bar away from its pins.
static plGrabDef grabEnd(const Fixture* f)
{
	plGrabDef def = plDefaultGrabDef();
	def.body = f->body;
	def.point = (plVec3){1.0, 0.2, 0.2};
	def.radius = 0.25;
	return def;
}

static const double barMass = 160.0;

static plVec3 centreOf(const Fixture* f)
{
	double *x = malloc(3 * f->n * sizeof *x), *m = malloc(f->n * sizeof *m), c[3] = {0.0, 0.0, 0.0};
	plBody_GetPositions(f->world, f->body, x);
	plBody_GetMasses(f->world, f->body, m);
	for (size_t i = 0; i < 3 * f->n; ++i)
		c[i % 3] += m[i / 3] * x[i] / barMass;
	free(x);
	free(m);
	return (plVec3){c[0], c[1], c[2]};
}

static double lengthOf(plVec3 a)
{
	return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

// ---- what it does ---------------------------------------------------------------------------------------------------

TEST(a_free_body_follows_without_overshooting_and_arrives)
{
	for (int integrator = 0; integrator < 2; ++integrator)
	{
		plWorldDef wd = grabWorld(pl_methodNewton);
		wd.gravity = (plVec3){0.0, 0.0, 0.0};
		wd.integrator = (plIntegrator)integrator;
		Fixture f = makeBar(&wd, false);
		plGrabDef def = grabEnd(&f);
		uint32_t all[64];
		plBody_SelectBox(f.world, f.body, (plVec3){-9, -9, -9}, (plVec3){9, 9, 9}, all, 64);
		def.vertices = all;
		def.vertexCount = f.n;
		def.maxForce = 1e6;
		def.stiffness = 4e3; // 5 rad/s
		plGrabId grab = plCreateGrab(f.world, &def, &f.error);
		CHECK(PL_IS_NON_NULL(grab));
		plVec3 start = centreOf(&f);
		plGrab_Move(f.world, grab, (plVec3){start.x, start.y + 1.0, start.z});
		double most = 0.0, omega = 5.0, t = 0.0;
		for (int i = 1; i <= 160; ++i)
		{
			CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
			double y = centreOf(&f).y - start.y;
			most = fmax(most, y);
			t = i / 64.0;
			if (integrator == 1 && i > 8) // m y" = -k (y - 1) - c y', but the step in the target kicks the damper first
				CHECK_NEAR(y, 1.0 - (1.0 - omega * t) * exp(-omega * t), 0.06);
		}
		CHECK_BELOW(most, 1.16); // 1 + e^-2: what the kick of 2 omega leaves of a critical step
		CHECK_NEAR(centreOf(&f).y - start.y, 1.0, 1e-3);
		CHECK_BELOW(lengthOf(plGrab_GetForce(f.world, grab)), 4.0);
		destroyFixture(&f);
	}
}

TEST(a_body_that_hangs_on_a_grab_pulls_with_its_weight)
{
	plWorldDef wd = grabWorld(pl_methodNewton);
	Fixture f = makeBar(&wd, false);
	plGrabDef def = grabEnd(&f);
	def.radius = 0.45;
	def.damping = 3.0; // it swings below the hand for long
	plGrabId grab = plCreateGrab(f.world, &def, &f.error);
	CHECK(PL_IS_NON_NULL(grab));
	plVec3 mean = {0.0, 0.0, 0.0};
	for (int i = 0; i < 1200; ++i)
	{
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		plVec3 force = plGrab_GetForce(f.world, grab);
		CHECK(lengthOf(force) <= 98.1 * barMass * (1.0 + 1e-12)); // ten times the weight
		if (i >= 1000)
			mean = (plVec3){mean.x + force.x / 200.0, mean.y + force.y / 200.0, mean.z + force.z / 200.0};
	}
	CHECK_NEAR(mean.y, 9.81 * barMass, 0.01 * 9.81 * barMass);
	CHECK(centreOf(&f).y > -0.8);
	destroyFixture(&f);
}

TEST(no_more_than_the_most_force_is_given)
{
	plWorldDef wd = grabWorld(pl_methodNewton);
	Fixture f = makeBar(&wd, false);
	plGrabDef def = grabEnd(&f);
	def.maxForce = 0.25 * 9.81 * barMass;
	def.radius = 2.0;
	plGrabId grab = plCreateGrab(f.world, &def, &f.error);
	CHECK(PL_IS_NON_NULL(grab));
	double start = centreOf(&f).y, h = 1.0 / 64.0;
	for (int i = 0; i < 64; ++i)
	{
		CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
		CHECK(lengthOf(plGrab_GetForce(f.world, grab)) <= def.maxForce * (1.0 + 1e-12));
	}
	CHECK_NEAR(plGrab_GetForce(f.world, grab).y, def.maxForce, 1e-6 * def.maxForce);
	double fallen = start - centreOf(&f).y, held = 0.5 * 0.75 * 9.81 * (1.0 + h);
	CHECK_NEAR(fallen, held, 0.05 * held); // with three quarters of its weight once the limit is reached
	destroyFixture(&f);
}

// A target that moves steadily is followed at its speed and, without gravity, at no distance.
TEST(what_follows_at_the_speed_of_the_target_is_not_damped)
{
	plWorldDef wd = grabWorld(pl_methodNewton);
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	wd.substeps = 2;
	Fixture f = makeBar(&wd, false);
	plGrabDef def = grabEnd(&f);
	def.maxForce = 1e5;
	plGrabId grab = plCreateGrab(f.world, &def, &f.error);
	for (int i = 1; i <= 320; ++i)
	{
		plGrab_Move(f.world, grab, (plVec3){1.0 + 0.5 * i / 64.0, 0.2, 0.2});
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	}
	CHECK_BELOW(lengthOf(plGrab_GetForce(f.world, grab)), 1.0);
	CHECK_NEAR(centreOf(&f).x - 0.5, 0.5 * 5.0, 2e-3);
	destroyFixture(&f);
}

// ---- methods --------------------------------------------------------------------------------------------------------

TEST(every_method_finds_the_same_motion)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodNewtonCg, pl_methodDescent,     pl_methodJacobi,
	                                   pl_methodNcg,    pl_methodLbfgs,    pl_methodQuasiNewton, pl_methodAuto};
	double first[3 * 64], x[3 * 64];
	for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		plWorldDef wd = grabWorld(methods[m]);
		wd.solver.iterations = m == 0 ? 50 : 3000;
		wd.solver.tolerance = 1e-9;
		Fixture f = makeBar(&wd, true);
		plGrabDef def = grabEnd(&f);
		def.maxForce = 800.0; // reached on the way
		plGrabId grab = plCreateGrab(f.world, &def, &f.error);
		CHECK(PL_IS_NON_NULL(grab));
		plStepReport report = {0};
		for (int i = 1; i <= 12; ++i)
		{
			plGrab_Move(f.world, grab, (plVec3){1.0 + 0.01 * i, 0.2 + 0.02 * i, 0.2});
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			CHECK_BELOW(report.relativeResidual, 1e-6);
		}
		plBody_GetPositions(f.world, f.body, m == 0 ? first : x);
		for (size_t i = 0; m > 0 && i < 3 * f.n; ++i)
			CHECK_NEAR(x[i], first[i], 1e-6);
		destroyFixture(&f);
	}
}

TEST(quasi_newton_with_ten_iterations_and_projective_follow_a_hand)
{
	for (int projective = 0; projective < 2; ++projective)
	{
		plWorldDef wd = grabWorld(projective ? pl_methodProjective : pl_methodQuasiNewton);
		plSoftBodyDef bd = softBody(projective ? pl_lawArap : pl_lawNeoHookean, 2e5, 0.3, 1000.0);
		Fixture f = makeFixture(&wd, &bd, size, cells, true);
		plGrabDef def = grabEnd(&f);
		def.maxForce = 5e3;
		plGrabId grab = plCreateGrab(f.world, &def, &f.error);
		CHECK(PL_IS_NON_NULL(grab));
		plStepReport report;
		for (int i = 1; i <= 60; ++i)
		{
			plGrab_Move(f.world, grab, (plVec3){1.0, 0.2 + 0.002 * i, 0.2});
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			CHECK_BELOW(report.relativeResidual, projective ? 0.03 : 1e-3);
			CHECK(report.inverted == 0);
		}
		double x[3 * 64];
		plBody_GetPositions(f.world, f.body, x);
		CHECK(x[3 * (f.n - 1) + 1] > 0.4);
		destroyFixture(&f);
	}
}

// ---- cost -----------------------------------------------------------------------------------------------------------

TEST(a_thousand_steps_of_grab_move_and_release_cost_no_memory_and_no_factor)
{
	static const plMethod methods[] = {pl_methodQuasiNewton, pl_methodDescent};
	for (size_t m = 0; m < 2; ++m)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		Meter meter = {0};
		plWorldDef wd = grabWorld(methods[m]);
		wd.allocator = meterHook(&meter);
		Fixture f = makeBar(&wd, true);
		plGrabDef def = grabEnd(&f);
		uint32_t end[64];
		def.vertices = end;
		def.vertexCount =
		    plBody_SelectBox(f.world, f.body, (plVec3){0.7, -1.0, -1.0}, (plVec3){2.0, 1.0, 1.0}, end, 64);
		plGrabId grab = plCreateGrab(f.world, &def, &f.error); // the first of its size
		plDestroyGrab(f.world, grab);
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		size_t made = meter.made;
		const plProblem* problem = f.world->prepared.problem;
		const plMethodState* method = f.world->prepared.method;
		for (int i = 0; i < 1000; ++i)
		{
			plStepReport report;
			if (i % 5 == 0)
				grab = plCreateGrab(f.world, &def, &f.error);
			CHECK(PL_IS_NON_NULL(grab));
			if (i % 5 < 4)
				plGrab_Move(f.world, grab, (plVec3){1.0, 0.2 + 0.1 * sin(0.1 * i), 0.2});
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			CHECK(report.allocations == 0 && report.factorisations == 0);
			if (i % 5 == 3)
				plDestroyGrab(f.world, grab);
		}
		CHECK(meter.made == made);
		CHECK(f.world->prepared.problem == problem && f.world->prepared.method == method);
		destroyFixture(&f);
		CHECK(meter.live == 0);
	}
}

TEST(a_grab_that_came_and_went_leaves_no_trace)
{
	static const plMethod methods[] = {pl_methodQuasiNewton, pl_methodDescent, pl_methodNewton};
	for (size_t m = 0; m < 3; ++m)
	{
		plWorldDef wd = grabWorld(methods[m]);
		Fixture f = makeBar(&wd, true), other = makeBar(&wd, true);
		plGrabDef def = grabEnd(&f);
		for (int i = 0; i < 6; ++i)
		{
			plGrabId grab = plCreateGrab(f.world, &def, &f.error);
			plDestroyGrab(f.world, grab);
			CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0 && plWorld_Step(other.world, NULL, &other.error) >= 0);
			CHECK(plWorld_GetHash(f.world) == plWorld_GetHash(other.world));
		}
		destroyFixture(&f);
		destroyFixture(&other);
	}
}

// ---- several, bodies, states ----------------------------------------------------------------------------------------

static void grabTwice(Fixture* f, plGrabId grabs[2])
{
	plGrabDef def = grabEnd(f);
	grabs[0] = plCreateGrab(f->world, &def, &f->error);
	def.point = (plVec3){0.6, 0.4, 0.2};
	def.radius = 0.45; // shares vertices with the first
	grabs[1] = plCreateGrab(f->world, &def, &f->error);
}

static void moveBoth(Fixture* f, const plGrabId grabs[2], int i)
{
	plGrab_Move(f->world, grabs[0], (plVec3){1.0, 0.2 + 0.01 * i, 0.2});
	plGrab_Move(f->world, grabs[1], (plVec3){0.6, 0.4 - 0.005 * i, 0.2 + 0.01 * i});
}

TEST(threads_and_resuming_do_not_change_a_bit)
{
	static const plMethod methods[] = {pl_methodQuasiNewton, pl_methodDescent, pl_methodNewton, pl_methodNewtonCg};
	for (size_t m = 0; m < 4; ++m)
		for (int substeps = 1; substeps <= 2; ++substeps)
		{
			WITH("%s, %d substeps", plMethod_GetName(methods[m]), substeps);
			plWorldDef wd = grabWorld(methods[m]);
			wd.substeps = substeps;
			wd.integrator = substeps == 2 ? pl_integratorBdf2 : pl_integratorImplicitEuler;
			plPool* pool = plCreatePool(3);
			Fixture f = makeBar(&wd, true);
			wd.pool = pool;
			Fixture other = makeBar(&wd, true);
			plGrabId grabs[2], twins[2];
			grabTwice(&f, grabs);
			for (int i = 0; i < 5; ++i)
			{
				moveBoth(&f, grabs, i);
				CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
			}
			moveBoth(&f, grabs, 5);
			CHECK(carryState(f.world, other.world, &other.error) == pl_errorInput); // it has no grab
			grabTwice(&other, twins);
			CHECK(carryState(f.world, other.world, &other.error) == pl_success);
			for (int i = 6; i < 9; ++i)
			{
				plStepReport a, b;
				CHECK(plWorld_Step(f.world, &a, &f.error) >= 0 && plWorld_Step(other.world, &b, &other.error) >= 0);
				CHECK(a.hash == b.hash);
				moveBoth(&f, grabs, i);
				moveBoth(&other, twins, i);
			}
			destroyFixture(&f);
			destroyFixture(&other);
			plDestroyPool(pool);
		}
}

TEST(bodies_and_grabs_come_and_go_in_any_order)
{
	plWorldDef wd = grabWorld(pl_methodQuasiNewton);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 2e5, 0.3, 1000.0);
	plMesh* mesh = plCreateBoxMesh(unit, oneCell, 5, NULL, NULL);
	Fixture f = makeFixture(&wd, &bd, size, cells, false);
	plBodyId bodies[3] = {f.body};
	bd.mesh = mesh;
	plGrabId grabs[3];
	for (int i = 1; i < 3; ++i)
	{
		bd.transform.translation.x = 3.0 * i;
		bodies[i] = plCreateSoftBody(f.world, &bd, &f.error);
	}
	plDestroyMesh(mesh);
	plGrabDef def = plDefaultGrabDef();
	for (int i = 0; i < 3; ++i)
	{
		def.body = bodies[i];
		def.point = (plVec3){3.0 * i + 0.5, 0.2, 0.2};
		def.radius = 0.6;
		grabs[i] = plCreateGrab(f.world, &def, &f.error);
		CHECK(PL_IS_NON_NULL(grabs[i]));
	}
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	plDestroyBody(f.world, bodies[0]); // takes its grab along; vertices of the others move up
	for (int i = 0; i < 40; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	double x[3 * 8];
	for (int i = 1; i < 3; ++i)
	{
		plBody_GetPositions(f.world, bodies[i], x);
		CHECK(x[1] > -0.5); // still held; in free fall it would be at -2
		CHECK(lengthOf(plGrab_GetForce(f.world, grabs[i])) > 1.0);
	}
	plDestroyGrab(f.world, grabs[1]);
	for (int i = 0; i < 40; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	plBody_GetPositions(f.world, bodies[1], x);
	CHECK(x[1] < -1.0);
	plBody_GetPositions(f.world, bodies[2], x);
	CHECK(x[1] > -0.5);
	destroyFixture(&f);
}

static bool liveWithGrabs(Meter* meter, const plMesh* mesh, plError* error)
{
	plWorldDef wd = grabWorld(pl_methodDescent);
	wd.allocator = meterHook(meter);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 2e5, 0.3, 1000.0);
	bd.mesh = mesh;
	plWorld* world = plCreateWorld(&wd, error);
	plGrabDef def = plDefaultGrabDef();
	if (world != NULL)
		def.body = plCreateSoftBody(world, &bd, error);
	bool fine = PL_IS_NON_NULL(def.body);
	for (int i = 0; fine && i < 3; ++i)
	{
		def.radius = 0.3 * i; // larger ones take more memory
		fine = PL_IS_NON_NULL(plCreateGrab(world, &def, error)) && stepOrStay(world, 1, meter, error);
	}
	plDestroyWorld(world);
	return fine;
}

TEST(whichever_allocation_fails_nothing_leaks_and_the_state_stands)
{
	CALL(failEachAllocation(liveWithGrabs, unit, oneCell, 40));
}

// ---- bad input ------------------------------------------------------------------------------------------------------

static bool isBlamed(Fixture* f, plGrabDef def, const char* field)
{
	return PL_IS_NULL(plCreateGrab(f->world, &def, &f->error)) && f->error.code == pl_errorInput &&
	       strcmp(f->error.field, field) == 0;
}

TEST(grabs_that_make_no_sense_are_refused)
{
	plWorldDef wd = grabWorld(pl_methodNewton);
	Fixture f = makeBar(&wd, false);
	const uint32_t vertices[2] = {0, 10000};
	plGrabDef def = grabEnd(&f);
	def.point.y = NAN;
	CHECK(isBlamed(&f, def, "point"));
	def = grabEnd(&f);
	def.radius = -1.0;
	CHECK(isBlamed(&f, def, "radius"));
	def = grabEnd(&f);
	def.maxForce = INFINITY;
	CHECK(isBlamed(&f, def, "maxForce"));
	def = grabEnd(&f);
	def.stiffness = -1.0;
	CHECK(isBlamed(&f, def, "stiffness"));
	def = grabEnd(&f);
	def.damping = NAN;
	CHECK(isBlamed(&f, def, "damping"));
	def = grabEnd(&f);
	def.vertices = vertices;
	def.vertexCount = 2;
	CHECK(PL_IS_NULL(plCreateGrab(f.world, &def, &f.error)) && strstr(f.error.message, "grab") != NULL);
	def = grabEnd(&f);
	def.body = (plBodyId){7, 1};
	CHECK(PL_IS_NULL(plCreateGrab(f.world, &def, &f.error)));
	CHECK(f.world->grabEnergy.base.elementCount == 0);
	destroyFixture(&f);
}
