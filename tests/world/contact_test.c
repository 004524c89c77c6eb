// contact_test.c: bodies on colliders: rest, slopes, walls, both models, threads, resume, allocations
#include "shortage.h"
#include "torus.h"

static const size_t cells[3] = {2, 1, 2};
static const plVec3 size = {1.0, 0.5, 1.0};

static plColliderId addPlane(Fixture* f, plVec3 normal, double offset, double friction)
{
	plColliderDef def = plDefaultColliderDef();
	def.normal = normal;
	def.offset = offset;
	def.friction = friction;
	return plCreateCollider(f->world, &def, &f->error);
}

static void steps(Fixture* f, int count, plStepReport* report)
{
	for (int i = 0; i < count; ++i)
		if (plWorld_Step(f->world, report, &f->error) != pl_success)
			FAIL_("step %d: %s, relative residual %g", i, f->error.message, report->relativeResidual);
}

// Mean of the vertices weighted by mass, or of any other numbers of theirs.
static void centreOf(const Fixture* f, const double* x, double centre[3])
{
	double* m = malloc(f->n * sizeof *m);
	double total = 0.0;
	plBody_GetMasses(f->world, f->body, m);
	centre[0] = centre[1] = centre[2] = 0.0;
	for (size_t i = 0; i < f->n; ++i)
	{
		total += m[i];
		for (size_t k = 0; k < 3; ++k)
			centre[k] += m[i] * x[3 * i + k];
	}
	for (size_t k = 0; k < 3; ++k)
		centre[k] /= total;
	free(m);
}

static void sumForces(const Fixture* f, double sum[3])
{
	double* force = malloc(3 * f->n * sizeof *force);
	plBody_GetContactForces(f->world, f->body, force);
	sum[0] = sum[1] = sum[2] = 0.0;
	for (size_t i = 0; i < 3 * f->n; ++i)
		sum[i % 3] += force[i];
	free(force);
}

// ---- rest -----------------------------------------------------------------------------------------------------------

TEST(a_dropped_body_comes_to_rest_and_the_ground_carries_its_weight)
{
	for (int model = 0; model < 2; ++model)
	{
		plWorldDef wd = newtonWorldDef();
		wd.contact.model = model == 0 ? pl_contactEnergy : pl_contactProjection;
		plSoftBodyDef bd = softBody(pl_lawNeoHookean, 2e5, 0.3, 1000.0);
		bd.transform.translation.y = 0.2;
		bd.damping.air = 2.0;
		Fixture f = makeFixture(&wd, &bd, size, cells, false);
		addPlane(&f, (plVec3){0.0, 1.0, 0.0}, 0.0, -1.0);
		plStepReport report;
		CALL(steps(&f, 10, &report));
		CHECK(report.contacts == 0 && report.penetration == 0.0);
		if (model == 0)
			CALL(steps(&f, 400, &report));
		for (int i = 0; model == 1 && i < 400; ++i)
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		CHECK(report.contacts == 9); // the vertices of its lower face
		double force[3], weight = 1000.0 * 0.5 * 9.81;
		sumForces(&f, force);
		if (model == 0)
		{
			CHECK_BELOW(report.kinetic, 1e-9);
			CHECK_NEAR(force[1], weight, 1e-3 * weight);
			CHECK_NEAR(force[0], 0.0, 1e-6 * weight);
			CHECK_BELOW(report.penetration, 1e-3);
		}
		else
			CHECK(report.penetration == 0.0 && report.kinetic < 0.1);
		destroyFixture(&f);
	}
}

// A cube of jelly, n^3 cells, that falls from 1 m; the deepest it gets, and the most iterations a step takes newton.
static void dropCube(size_t n, bool onBall, double* depth, int* iterations)
{
	plWorldDef wd = newtonWorldDef();
	plSoftBodyDef bd = softBody(pl_lawStableNeoHookean, 1e5, 0.4, 1000.0);
	bd.transform.translation = (plVec3){-0.2, 1.0, -0.2};
	Fixture f = makeFixture(&wd, &bd, (plVec3){0.5, 0.5, 0.5}, (const size_t[3]){n, n, n}, false);
	addPlane(&f, (plVec3){0.0, 1.0, 0.0}, 0.0, -1.0);
	plColliderDef ball = plDefaultColliderDef();
	ball.shape = pl_shapeSphere;
	ball.radius = 0.4;
	ball.centre.y = 0.4;
	if (onBall)
		plCreateCollider(f.world, &ball, &f.error);
	*depth = 0.0;
	*iterations = 0;
	for (int i = 0; i < (onBall ? 120 : 60); ++i)
	{
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
		CHECK_BELOW(report.relativeResidual, 1e-8);
		*depth = fmax(*depth, report.penetration);
		*iterations = report.iterations > *iterations ? report.iterations : *iterations;
	}
	destroyFixture(&f);
}

TEST(jelly_that_falls_from_a_metre_sinks_in_by_two_millimetres_at_most)
{
	double depth;
	int iterations;
	for (size_t n = 1; n <= 6; ++n)
	{
		WITH("%zu cells along an edge", n);
		CALL(dropCube(n, false, &depth, &iterations));
		CHECK_BELOW(depth, 0.002);
		CHECK(iterations <= 25);
	}
}

// Curved ground, an edge between the ball and the plane, vertices that stick, roll off and slip.
PLAIN_TEST(newton_converges_in_every_step_of_a_cube_that_falls_on_a_ball)
{
	double depth;
	int iterations;
	for (size_t n = 3; n <= 6; ++n)
	{
		WITH("%zu cells along an edge", n);
		CALL(dropCube(n, true, &depth, &iterations));
		CHECK_BELOW(depth, 0.006);
		CHECK(iterations <= 35);
	}
}

// ---- friction -------------------------------------------------------------------------------------------------------

// A flat box on a slope of `angle`, gravity straight down; how far along the slope its centre moved from time a to b,
// and its speeds there.
typedef struct Slide
{
	double distance, speedA, speedB;
} Slide;

static Slide slide(double angle, double friction, double h, int a, int b, plIntegrator integrator)
{
	Slide result = {NAN, NAN, NAN};
	plWorldDef wd = newtonWorldDef();
	wd.timestep = h;
	wd.integrator = integrator;
	wd.contact.friction = 7.0; // the collider's own counts
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 5e6, 0.3, 1000.0);
	bd.transform.rotation = (plQuat){{0.0, 0.0, sin(0.5 * angle)}, cos(0.5 * angle)};
	Fixture f = makeFixture(&wd, &bd, (plVec3){1.0, 0.1, 1.0}, cells, false);
	addPlane(&f, (plVec3){-sin(angle), cos(angle), 0.0}, -0.001, friction);
	double *x = malloc(3 * f.n * sizeof *x), from[3], to[3];
	plStepReport report;
	for (int i = 0; i < b; ++i)
	{
		if (plWorld_Step(f.world, &report, &f.error) != pl_success)
			fprintf(stderr, "step %d: %s\n", i, f.error.message);
		if (i + 1 != a && i + 1 != b)
			continue;
		double* at = i + 1 == a ? from : to;
		plBody_GetVelocities(f.world, f.body, x);
		centreOf(&f, x, at);
		double speed = -(at[0] * cos(angle) + at[1] * sin(angle));
		*(i + 1 == a ? &result.speedA : &result.speedB) = speed;
		plBody_GetPositions(f.world, f.body, x);
		centreOf(&f, x, at);
	}
	result.distance = -((to[0] - from[0]) * cos(angle) + (to[1] - from[1]) * sin(angle));
	free(x);
	destroyFixture(&f);
	return result;
}

TEST(a_box_on_a_slope_sticks_below_the_angle_of_friction)
{
	double angle = 20.0 * 3.14159265358979323846 / 180.0;
	Slide s = slide(angle, 0.5, 1.0 / 60.0, 60, 120, pl_integratorImplicitEuler); // tan 20 = 0.364 < 0.5
	CHECK_BELOW(fabs(s.speedB), 1e-3);                                            // creeps slower than the slip speed
	CHECK_BELOW(fabs(s.distance), 1e-3);
}

TEST(a_box_on_a_slope_slides_above_it_with_g_sin_minus_mu_cos)
{
	double angle = 30.0 * 3.14159265358979323846 / 180.0, h = 1.0 / 60.0;
	static const double mu[3] = {0.0, 0.2, 0.5};
	for (int i = 0; i < 3; ++i)
		for (int integrator = 0; integrator < 2; ++integrator)
		{
			Slide s = slide(angle, mu[i], h, 60, 120, integrator ? pl_integratorBdf2 : pl_integratorImplicitEuler);
			double expected = 9.81 * (sin(angle) - mu[i] * cos(angle));
			CHECK_NEAR((s.speedB - s.speedA) / (60.0 * h), expected, 0.02 * expected);
		}
}

// ---- projection ----------------------------------------------------------------------------------------------------

TEST(projection_keeps_every_vertex_outside_after_each_step)
{
	plWorldDef wd = newtonWorldDef();
	wd.contact.model = pl_contactProjection;
	wd.contact.thickness = 0.004;
	wd.substeps = 2;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 2e5, 0.3, 1000.0);
	bd.transform.translation.y = 0.3;
	bd.velocity = (plVec3){1.0, -3.0, 0.0};
	Fixture f = makeFixture(&wd, &bd, size, cells, false);
	addPlane(&f, (plVec3){0.0, 1.0, 0.0}, 0.0, 0.5);
	addPlane(&f, (plVec3){-1.0, 0.0, 0.0}, -1.7, 0.0); // a wall at x = 1.7
	double* x = malloc(3 * f.n * sizeof *x);
	plStepReport report;
	size_t most = 0;
	for (int i = 0; i < 120; ++i)
	{
		CHECK(plWorld_Step(f.world, &report, &f.error) == (report.converged ? pl_success : pl_notConverged));
		plBody_GetPositions(f.world, f.body, x);
		for (size_t v = 0; v < f.n; ++v)
			CHECK(x[3 * v + 1] - 0.0 >= 0.004 && -x[3 * v] - -1.7 >= 0.004);
		CHECK(report.penetration == 0.0);
		most = report.contacts > most ? report.contacts : most;
	}
	CHECK(most >= 9);
	free(x);
	destroyFixture(&f);
}

// What a step lacks to equilibrium after its vertices were moved, forces of contact included: dp/dt = m g + contact
// forces - sum of the gradient.
TEST(a_step_is_judged_where_projection_moved_vertices_to)
{
	plWorldDef wd = newtonWorldDef();
	wd.contact.model = pl_contactProjection;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 2e5, 0.3, 1000.0);
	bd.transform.translation.y = 0.1;
	Fixture f = makeFixture(&wd, &bd, size, cells, false);
	addPlane(&f, (plVec3){0.0, 1.0, 0.0}, 0.0, 0.5);
	int unconverged = 0;
	for (int i = 0; i < 40; ++i)
	{
		plStepReport report;
		double v[3 * 32], a[3], b[3], force[3], mass = 500.0;
		CHECK(f.n <= 32);
		plBody_GetVelocities(f.world, f.body, v);
		centreOf(&f, v, a);
		plResult result = plWorld_Step(f.world, &report, &f.error);
		CHECK(result == (report.converged ? pl_success : pl_notConverged));
		CHECK(report.converged == (report.relativeResidual <= 1e-3));
		plBody_GetVelocities(f.world, f.body, v);
		centreOf(&f, v, b);
		sumForces(&f, force);
		double missing = mass * (b[1] - a[1]) / wd.timestep + mass * 9.81 - force[1];
		CHECK_BELOW(fabs(missing), sqrt((double)f.n) * report.residual + 1e-6);
		CHECK(report.contacts > 0 || report.converged);
		unconverged += !report.converged;
	}
	CHECK(unconverged > 10);
	destroyFixture(&f);
}

// ---- depth ----------------------------------------------------------------------------------------------------------

static int warnings;

static void countWarnings(const char* line, void* context)
{
	(void)context;
	warnings += strstr(line, "inside a collider") != NULL;
}

// Above 1 % of the extent of its own body, which is the longest edge of its box: 1 m of 0.5.
TEST(a_body_that_sinks_in_too_deep_is_warned_of)
{
	for (int soft = 0; soft < 2; ++soft)
	{
		plWorldDef wd = newtonWorldDef();
		wd.contact.stiffness = soft ? 2e4 : 0.0;
		wd.log = countWarnings;
		plSoftBodyDef bd = softBody(pl_lawNeoHookean, 2e5, 0.3, 1000.0);
		Fixture f = makeFixture(&wd, &bd, size, cells, false);
		addPlane(&f, (plVec3){0.0, 1.0, 0.0}, 0.0, 0.5);
		int deep = 0;
		warnings = 0;
		for (int i = 0; i < 30; ++i)
		{
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
			CHECK_NEAR(report.sunken, report.penetration / 1.0, 1e-15);
			deep += report.sunken > 0.01;
		}
		CHECK(warnings == deep && (deep > 10) == (soft == 1) && (soft == 1 || deep == 0));
		destroyFixture(&f);
	}
}

// ---- the step -------------------------------------------------------------------------------------------------------

static Fixture makeBusy(plPool* pool, plContactModel model, plMethod method, const plAllocator* allocator)
{
	plWorldDef wd = newtonWorldDef();
	wd.pool = pool;
	wd.contact.model = model;
	wd.solver = plDefaultSolverDef(method);
	if (allocator != NULL)
		wd.allocator = *allocator;
	plSoftBodyDef bd = softBody(pl_lawStableNeoHookean, 1e5, 0.3, 1000.0);
	bd.transform.translation = (plVec3){-0.5, 0.55, -0.4};
	Fixture f = makeFixture(&wd, &bd, size, (const size_t[3]){6, 3, 6}, false);
	addPlane(&f, (plVec3){0.0, 1.0, 0.1}, 0.0, 0.4);
	plColliderDef def = plDefaultColliderDef();
	def.shape = pl_shapeSphere;
	def.radius = 0.4;
	plCreateCollider(f.world, &def, &f.error);
	def.shape = pl_shapeCapsule;
	def.a = (plVec3){-1.0, 0.0, 0.4};
	def.b = (plVec3){1.0, 0.2, 0.4};
	def.radius = 0.2;
	plCreateCollider(f.world, &def, &f.error);
	def.shape = pl_shapeBox;
	def.centre = (plVec3){0.6, 0.1, -0.3};
	def.size = (plVec3){0.4, 0.5, 0.4};
	plCreateCollider(f.world, &def, &f.error);
	plMesh* mesh = plCreateTorusMesh(0.5, 0.15, (const size_t[2]){12, 1}, NULL, &f.error);
	def.shape = pl_shapeMesh;
	def.mesh = mesh;
	plCreateCollider(f.world, &def, &f.error);
	plDestroyMesh(mesh);
	return f;
}

TEST(any_number_of_threads_gives_the_same_bits)
{
	for (int model = 0; model < 2; ++model)
	{
		uint64_t hashes[3];
		for (int threads = 0; threads < 3; ++threads)
		{
			plPool* pool = threads > 0 ? plCreatePool(threads + 1) : NULL;
			Fixture f = makeBusy(pool, (plContactModel)model, pl_methodNewton, NULL);
			plStepReport report;
			size_t most = 0;
			for (int i = 0; i < 25; ++i)
			{
				CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
				most = report.contacts > most ? report.contacts : most;
			}
			CHECK(most > 5);
			hashes[threads] = report.hash;
			destroyFixture(&f);
			plDestroyPool(pool);
		}
		CHECK(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
	}
}

TEST(loading_a_state_goes_on_with_the_same_bits)
{
	Fixture f = makeBusy(NULL, pl_contactEnergy, pl_methodNewton, NULL);
	Fixture g = makeBusy(NULL, pl_contactEnergy, pl_methodNewton, NULL);
	plStepReport a, b;
	for (int i = 0; i < 15; ++i)
		CHECK(plWorld_Step(f.world, &a, &f.error) >= 0);
	CHECK(carryState(f.world, g.world, &g.error) == pl_success);
	for (int i = 0; i < 8; ++i)
	{
		CHECK(plWorld_Step(f.world, &a, &f.error) >= 0 && plWorld_Step(g.world, &b, &g.error) >= 0);
		CHECK(a.hash == b.hash && a.contacts == b.contacts && a.penetration == b.penetration);
		CHECK(a.contacts > 0);
	}
	destroyFixture(&f);
	destroyFixture(&g);
}

TEST(after_the_first_steps_nothing_is_allocated)
{
	Fixture f = makeBusy(NULL, pl_contactEnergy, pl_methodNewton, NULL);
	plStepReport report;
	size_t late = 0;
	for (int i = 0; i < 25; ++i)
	{
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		CHECK(report.allocations == 0 || i < 15);
		late += i < 15 ? 0 : report.contacts;
	}
	CHECK(late > 20);
	destroyFixture(&f);
}

TEST(the_matrix_free_methods_see_the_same_contact)
{
	Fixture f = makeBusy(NULL, pl_contactEnergy, pl_methodNewton, NULL);
	Fixture g = makeBusy(NULL, pl_contactEnergy, pl_methodNewtonCg, NULL);
	plStepReport a, b;
	for (int i = 0; i < 12; ++i)
		CHECK(plWorld_Step(f.world, &a, &f.error) == pl_success && plWorld_Step(g.world, &b, &g.error) == pl_success);
	CHECK(a.contacts > 0 && a.contacts == b.contacts);
	CHECK_NEAR(a.objective, b.objective, 1e-6 * fabs(a.objective));
	destroyFixture(&f);
	destroyFixture(&g);
}

TEST(colliders_come_and_go)
{
	plWorldDef wd = newtonWorldDef();
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 2e5, 0.3, 1000.0);
	Fixture f = makeFixture(&wd, &bd, size, cells, false);
	plStepReport report;
	CALL(steps(&f, 1, &report));
	CHECK(report.contacts == 0);
	plColliderId ground = addPlane(&f, (plVec3){0.0, 1.0, 0.0}, 0.0, 0.5);
	CHECK(PL_IS_NON_NULL(ground));
	CALL(steps(&f, 1, &report));
	CHECK(report.contacts > 0);
	plDestroyCollider(f.world, ground);
	CALL(steps(&f, 1, &report));
	CHECK(report.contacts == 0);
	plColliderId again = addPlane(&f, (plVec3){0.0, 1.0, 0.0}, -10.0, 0.5);
	CHECK(again.index1 == ground.index1 && again.generation != ground.generation);
	CALL(steps(&f, 5, &report));
	destroyFixture(&f);
}

TEST(bad_settings_of_contact_are_refused)
{
	static const struct
	{
		plContactDef def;
		const char* words;
	} bad[] = {{{.model = (plContactModel)5}, "contact: model 5 does not exist"},
	           {{.thickness = -1.0}, "contact: thickness is -1 m, it cannot be below 0"},
	           {{.thickness = NAN}, "contact: thickness is nan m, it cannot be below 0"},
	           {{.friction = -0.1}, "contact: friction is -0.1, it cannot be below 0"},
	           {{.stiffness = INFINITY}, "contact: stiffness is inf N/m, it must be above 0, or 0 for each vertex's"}};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
	{
		plWorldDef wd = newtonWorldDef();
		plError error;
		wd.contact = bad[i].def;
		CHECK(plCreateWorld(&wd, &error) == NULL);
		CHECK_TEXT(error.message, bad[i].words);
	}
	plWorldDef wd = newtonWorldDef();
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 2e5, 0.3, 1000.0);
	Fixture f = makeFixture(&wd, &bd, size, cells, false);
	CHECK(PL_IS_NULL(addPlane(&f, (plVec3){0.0, 0.0, 0.0}, 0.0, 0.5)));
	CHECK_TEXT(f.error.message, "plane: its normal has no direction");
	CHECK(PL_IS_NULL(addPlane(&f, (plVec3){0.0, 1.0, 0.0}, 0.0, NAN)));
	destroyFixture(&f);
}

// Three planes and a mesh that every vertex touches, so that the list of frictions has to grow in the second step.
static bool liveWith(plMethod method, Meter* meter, const plMesh* mesh, plError* error)
{
	plError unused;
	plMesh* torus = plCreateTorusMesh(0.5, 0.3, (const size_t[2]){6, 1}, NULL, &unused); // memory of its own
	plWorldDef wd = newtonWorldDef();
	wd.solver = plDefaultSolverDef(method);
	wd.allocator = meterHook(meter);
	plWorld* world = plCreateWorld(&wd, error);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 2e5, 0.3, 1000.0);
	bd.mesh = mesh;
	bool fine = world != NULL && PL_IS_NON_NULL(plCreateSoftBody(world, &bd, error));
	for (int i = 0; i < 4 && fine; ++i)
	{
		plColliderDef def = plDefaultColliderDef();
		def.normal = (plVec3){0.1 * i, 1.0, 0.0};
		def.offset = 2.0;
		def.shape = i == 3 ? pl_shapeMesh : pl_shapePlane;
		def.mesh = torus;
		def.transform.scale = 10.0;
		fine = PL_IS_NON_NULL(plCreateCollider(world, &def, error));
	}
	fine = fine && stepOrStay(world, 2, meter, error);
	plDestroyWorld(world);
	plDestroyMesh(torus);
	return fine;
}

static bool liveByNewton(Meter* meter, const plMesh* mesh, plError* error)
{
	return liveWith(pl_methodNewton, meter, mesh, error);
}

static bool liveByDescent(Meter* meter, const plMesh* mesh, plError* error)
{
	return liveWith(pl_methodDescent, meter, mesh, error);
}

TEST(whichever_allocation_fails_nothing_leaks_and_the_state_stands)
{
	CALL(failEachAllocation(liveByNewton, size, cells, 80));
	failEachAllocation(liveByDescent, size, cells, 60);
}

// ---- a mesh from outside -------------------------------------------------------------------------------------------

PLAIN_TEST(a_soft_ball_falls_on_the_torus_and_stays_on_it)
{
	plWorldDef wd = newtonWorldDef();
	plSoftBodyDef bd = softBody(pl_lawStableNeoHookean, 1e5, 0.4, 1000.0);
	Fixture f = {0};
	if (!makeBallAndTorus(&f, &wd, &bd, 4, 0.65)) // wider than the hole, above its middle
		SKIP("PLIANT_MESHES is not set");
	plStepReport report;
	double *x = malloc(3 * f.n * sizeof *x), mean = 0.0;
	for (int i = 0; i < 90; ++i)
		if (plWorld_Step(f.world, &report, &f.error) != pl_success)
			FAIL_("step %d: relative residual %g", i, report.relativeResidual);
	plBody_GetPositions(f.world, f.body, x);
	for (size_t i = 0; i < f.n; ++i)
		mean += x[3 * i + 1] / (double)f.n;
	CHECK(mean > 0.0 && report.contacts > 10 && report.penetration < 0.02 && report.inverted == 0);
	free(x);
	destroyFixture(&f);
}
