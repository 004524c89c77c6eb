// world_test.c: threads, saved states, pins, loads, regions, bodies that come and go, memory that runs short
#include "shortage.h"

static const size_t barCells[3] = {6, 2, 2};
static const plVec3 barSize = {3.0, 1.0, 1.0};

static Fixture makeBar(plPool* pool, const plAllocator* allocator)
{
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 30.0;
	wd.pool = pool;
	if (allocator != NULL)
		wd.allocator = *allocator;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.45, 1000.0);
	return makeFixture(&wd, &bd, barSize, barCells, true);
}

TEST(any_number_of_threads_gives_the_same_hash_at_every_step)
{
	static const int counts[] = {1, 2, 3, 7};
	uint64_t hashes[4][10];
	for (int c = 0; c < 4; ++c)
	{
		plPool* pool = plCreatePool(counts[c]);
		Fixture f = makeBar(pool, NULL);
		for (int i = 0; i < 10; ++i)
		{
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
			hashes[c][i] = report.hash;
			CHECK(hashes[c][i] == hashes[0][i] && hashes[c][i] == plWorld_GetHash(f.world));
		}
		destroyFixture(&f);
		plDestroyPool(pool);
	}
}

TEST(saving_and_loading_equals_never_stopping)
{
	Fixture a = makeBar(NULL, NULL);
	plStepReport report;
	for (int i = 0; i < 5; ++i)
		plWorld_Step(a.world, &report, &a.error);
	Fixture b = makeBar(NULL, NULL);
	CHECK(carryState(a.world, b.world, &b.error) == pl_success);
	CHECK(plWorld_GetStepCount(b.world) == 5 && plWorld_GetTime(b.world) == plWorld_GetTime(a.world));
	for (int i = 0; i < 5; ++i)
	{
		plStepReport other;
		plWorld_Step(a.world, &report, &a.error);
		plWorld_Step(b.world, &other, &b.error);
		CHECK(report.hash == other.hash && report.time == other.time && report.step == other.step);
	}
	destroyFixture(&a);
	destroyFixture(&b);
}

TEST(a_state_of_another_world_is_refused)
{
	Fixture f = makeBar(NULL, NULL);
	size_t bytes = plWorld_GetStateSize(f.world);
	unsigned char* state = malloc(bytes);
	plWorld_SaveState(f.world, state);
	CHECK(plWorld_LoadState(f.world, state, bytes - 8, &f.error) == pl_errorInput);
	CHECK(plWorld_LoadState(f.world, state, 3, &f.error) == pl_errorInput);
	state[0] ^= 1;
	CHECK(plWorld_LoadState(f.world, state, bytes, &f.error) == pl_errorInput);
	state[0] ^= 1;
	double notANumber = NAN;
	memcpy(state + bytes - sizeof notANumber, &notANumber, sizeof notANumber);
	CHECK(plWorld_LoadState(f.world, state, bytes, &f.error) == pl_errorInput);
	free(state);
	destroyFixture(&f);
}

// ---- pins, loads, regions -------------------------------------------------------------------------------------------

TEST(a_pin_follows_its_motion_and_lets_go)
{
	static const size_t cells[3] = {2, 1, 1};
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 0.1;
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e4, 0.3, 1000.0);
	Fixture f = makeFixture(&wd, &bd, (plVec3){2.0, 1.0, 1.0}, cells, false);
	uint32_t face[4];
	plPinDef pin = plDefaultPinDef();
	pin.body = f.body;
	pin.vertices = face;
	pin.vertexCount = plBody_SelectBox(f.world, f.body, (plVec3){2.0, 0.0, 0.0}, (plVec3){2.0, 1.0, 1.0}, face, 4);
	CHECK(pin.vertexCount == 4);
	pin.motion = (plMotion){.translate = {1.0, 0.0, 0.0},
	                        .rotateAxis = {2.0, 0.0, 0.0},
	                        .rotateAngle = acos(-1.0) / 2.0,
	                        .from = 0.2,
	                        .until = 0.6};
	pin.release = 0.8;
	CHECK(PL_IS_NON_NULL(plCreatePin(f.world, &pin, &f.error)));
	double x[36], from[36];
	plBody_GetPositions(f.world, f.body, from);
	plStepReport report;
	for (int step = 1; step <= 9; ++step)
	{
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		plBody_GetPositions(f.world, f.body, x);
		double s = fmin(fmax((0.1 * step - 0.2) / 0.4, 0.0), 1.0), angle = s * acos(-1.0) / 2.0;
		double worst = 0.0;
		for (int i = 0; i < 4; ++i)
		{
			const double *p = x + 3 * face[i], *X = from + 3 * face[i];
			double y = X[1] - 0.5, z = X[2] - 0.5;
			worst = fmax(worst, fabs(p[0] - (2.0 + s)));
			worst = fmax(worst, fabs(p[1] - (0.5 + y * cos(angle) - z * sin(angle))));
			worst = fmax(worst, fabs(p[2] - (0.5 + y * sin(angle) + z * cos(angle))));
		}
		if (step <= 8)
			CHECK_BELOW(worst, 1e-12);
		else
			CHECK(worst > 1e-6); // released: the stretched body pulls it back
	}
	destroyFixture(&f);
}

TEST(an_axis_that_is_not_pinned_is_free)
{
	plWorldDef wd = newtonWorldDef();
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	bd.velocity = (plVec3){1.0, 0.0, 1.0};
	Fixture f = makeFixture(&wd, &bd, unit, oneCell, false);
	uint32_t all[8] = {0, 1, 2, 3, 4, 5, 6, 7};
	plPinDef pin = plDefaultPinDef();
	pin.body = f.body;
	pin.vertices = all;
	pin.vertexCount = 8;
	pin.axes = pl_axisY | pl_axisZ;
	CHECK(PL_IS_NON_NULL(plCreatePin(f.world, &pin, &f.error)));
	plStepReport report;
	for (int i = 0; i < 60; ++i)
		CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
	double x[24];
	plBody_GetPositions(f.world, f.body, x);
	CHECK_NEAR(x[0], 1.0, 1e-9);
	CHECK_NEAR(x[1], 0.0, 0.0);
	CHECK_NEAR(x[2], 0.0, 0.0);
	destroyFixture(&f);
}

TEST(a_force_accelerates_by_f_over_m_while_it_lasts)
{
	static const size_t cells[3] = {2, 2, 2};
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	wd.timestep = 0.1;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 500.0);
	Fixture f = makeFixture(&wd, &bd, unit, cells, false);
	uint32_t all[27];
	for (uint32_t i = 0; i < 27; ++i)
		all[i] = i;
	plForceDef force = plDefaultForceDef();
	force.body = f.body;
	force.vertices = all;
	force.vertexCount = 27;
	force.force = (plVec3){250.0, 0.0, 0.0}; // 0.5 m/s^2
	force.until = 0.5;
	CHECK(PL_IS_NON_NULL(plCreateForce(f.world, &force, &f.error)));
	plStepReport report;
	double v[81];
	for (int i = 1; i <= 10; ++i)
	{
		CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
		plBody_GetVelocities(f.world, f.body, v);
		for (int k = 0; k < 27; ++k)
			CHECK_NEAR(v[3 * k], 0.05 * (i < 5 ? i : 5), 1e-10);
	}
	destroyFixture(&f);
}

TEST(regions_have_their_own_material_and_density)
{
	static const size_t cells[3] = {4, 1, 1};
	plWorldDef wd = newtonWorldDef();
	plError error;
	plMesh* mesh = plCreateBoxMesh((plVec3){4.0, 1.0, 1.0}, cells, 5, NULL, &error);
	uint32_t half[10];
	for (uint32_t i = 0; i < 10; ++i)
		half[i] = i;
	plMaterialDef hard = plDefaultMaterialDef();
	hard.law = pl_lawCorotated;
	hard.young = 1e9;
	plRegionDef region = {.tets = half, .tetCount = 10, .material = &hard, .density = 3000.0};
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e4, 0.3, 1000.0);
	bd.mesh = mesh;
	bd.regions = &region;
	bd.regionCount = 1;
	plWorld* world = plCreateWorld(&wd, &error);
	plBodyId body = plCreateSoftBody(world, &bd, &error);
	CHECK(PL_IS_NON_NULL(body));
	double masses[20], total = 0.0, F[9 * 20], P[9 * 20];
	plBody_GetMasses(world, body, masses);
	for (int i = 0; i < 20; ++i)
		total += masses[i];
	CHECK_NEAR(total, 2.0 * 3000.0 + 2.0 * 1000.0, 1e-9);
	double x[60];
	plBody_GetPositions(world, body, x);
	for (int i = 0; i < 60; i += 3)
		x[i] *= 1.01;
	plBody_SetPositions(world, body, x);
	CHECK(plBody_GetStresses(world, body, P, &error) == pl_success);
	CHECK(plBody_GetDeformations(world, body, F, &error) == pl_success);
	CHECK_NEAR(F[0], 1.01, 1e-14);
	CHECK(P[0] > 1e6 && P[9 * 19] < 1e3); // hard first, soft last, in the mesh's order
	plDestroyWorld(world);
	plDestroyMesh(mesh);
}

// ---- bodies come and go ---------------------------------------------------------------------------------------------

TEST(destroying_a_body_leaves_the_others_alone)
{
	static const size_t cells[3] = {2, 1, 1};
	plWorldDef wd = newtonWorldDef();
	plError error;
	plMesh* mesh = plCreateBoxMesh((plVec3){2.0, 1.0, 1.0}, cells, 5, NULL, &error);
	plWorld* world = plCreateWorld(&wd, &error);
	plSoftBodyDef bd = softBody(pl_lawStvk, 1e5, 0.3, 1000.0);
	bd.mesh = mesh;
	plBodyId a = plCreateSoftBody(world, &bd, &error);
	bd.velocity.x = 1.0;
	plBodyId b = plCreateSoftBody(world, &bd, &error);
	plStepReport report;
	CHECK(plWorld_Step(world, &report, &error) == pl_success);
	double before[36], after[36];
	plBody_GetPositions(world, b, before);
	plDestroyBody(world, a);
	CHECK(!plBody_IsValid(world, a) && plBody_IsValid(world, b));
	plBody_GetPositions(world, b, after);
	CHECK(memcmp(before, after, sizeof before) == 0);
	CHECK(plWorld_Step(world, &report, &error) == pl_success);
	plBodyId c = plCreateSoftBody(world, &bd, &error);
	CHECK(c.index1 == a.index1 && c.generation != a.generation && !plBody_IsValid(world, a));
	CHECK(plWorld_Step(world, &report, &error) == pl_success);
	plDestroyWorld(world);
	plDestroyMesh(mesh);
}

TEST(changing_solver_and_timestep_between_steps_is_handled)
{
	Fixture f = makeBar(NULL, NULL);
	plStepReport report;
	CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
	plSolverDef solver = plDefaultSolverDef(pl_methodGradient);
	CHECK(plWorld_SetSolver(f.world, &solver, &f.error) == pl_success);
	CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	CHECK(plWorld_SetTimestep(f.world, 0.01, &f.error) == pl_success);
	CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	CHECK_NEAR(report.time, 2.0 / 30.0 + 0.01, 1e-15);
	CHECK(plWorld_SetTimestep(f.world, 0.0, &f.error) == pl_errorInput);
	CHECK(plWorld_SetTimestep(f.world, NAN, &f.error) == pl_errorInput);
	solver.iterations = 0;
	CHECK(plWorld_SetSolver(f.world, &solver, &f.error) == pl_errorInput);
	destroyFixture(&f);
}

TEST(bad_definitions_are_refused_with_words)
{
	plError error;
	plWorldDef wd = newtonWorldDef();
	wd.timestep = -1.0;
	CHECK(plCreateWorld(&wd, &error) == NULL && strstr(error.message, "timestep") != NULL);
	wd = newtonWorldDef();
	wd.gravity.x = NAN;
	CHECK(plCreateWorld(&wd, &error) == NULL && strstr(error.message, "gravity") != NULL);
	wd = newtonWorldDef();
	plWorld* world = plCreateWorld(&wd, &error);
	plMesh* mesh = plCreateBoxMesh(unit, oneCell, 6, NULL, &error);
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.mesh = mesh;
	bd.density = -1.0;
	CHECK(PL_IS_NULL(plCreateSoftBody(world, &bd, &error)) && strstr(error.message, "density") != NULL);
	bd.density = 1.0;
	bd.material.poisson = 0.5;
	CHECK(PL_IS_NULL(plCreateSoftBody(world, &bd, &error)) && strstr(error.message, "poisson") != NULL);
	bd.material.poisson = 0.3;
	bd.transform.scale = 0.0;
	CHECK(PL_IS_NULL(plCreateSoftBody(world, &bd, &error)) && strstr(error.message, "scale") != NULL);
	bd.transform.scale = 1.0;
	plBodyId body = plCreateSoftBody(world, &bd, &error);
	CHECK(PL_IS_NON_NULL(body));
	plPinDef pin = plDefaultPinDef();
	pin.body = body;
	CHECK(PL_IS_NULL(plCreatePin(world, &pin, &error)) && strstr(error.message, "no vertex") != NULL);
	uint32_t nine = 9;
	pin.vertices = &nine;
	pin.vertexCount = 1;
	CHECK(PL_IS_NULL(plCreatePin(world, &pin, &error)) && strstr(error.message, "vertex 9") != NULL);
	plDestroyMesh(mesh);
	plDestroyWorld(world);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

// Saves, steps and loads: the world is again what it was, and neither saving nor loading takes memory.
static bool goBack(plWorld* world, Meter* meter, plError* error)
{
	size_t bytes = plWorld_GetStateSize(world);
	void* state = malloc(bytes);
	plStepReport report;
	uint64_t saved = plWorld_GetHash(world);
	size_t made = meter->made;
	plWorld_SaveState(world, state);
	bool quiet = meter->made == made;
	bool fine = plWorld_Step(world, &report, error) >= 0;
	made = meter->made;
	bool loaded = plWorld_LoadState(world, state, bytes, error) == pl_success;
	if (!quiet || !loaded || meter->made != made || plWorld_GetHash(world) != saved)
		meter->live += 1000000;
	free(state);
	return fine && plWorld_Step(world, &report, error) >= 0;
}

// Builds a world, pins it, steps it; false as soon as something fails for want of memory.
static bool liveALife(Meter* meter, const plMesh* mesh, plError* error)
{
	plWorldDef wd = newtonWorldDef();
	wd.allocator = meterHook(meter);
	wd.integrator = pl_integratorBdf2;
	plWorld* world = plCreateWorld(&wd, error);
	if (world == NULL)
		return false;
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.mesh = mesh;
	bd.damping.viscous = 1.0;
	uint32_t held[27];
	for (uint32_t i = 0; i < 27; ++i)
		held[i] = i;
	const double x[4] = {0.5, 1.0, 1.5, 2.0}, a[4] = {25e3, 0.0, 25e3, 1e5};
	bd.material.inversion = pl_inversionConvert; // a weight per tet
	bd.material.law = pl_lawSpline;              // a law that owns memory
	bd.material.fromModuli = false;
	bd.material.a = (plCurve){x, a, 4};
	plPinDef pin = plDefaultPinDef();
	pin.body = plCreateSoftBody(world, &bd, error);
	pin.vertices = held;
	pin.vertexCount = 2;
	bool fine = PL_IS_NON_NULL(pin.body) && PL_IS_NON_NULL(plCreatePin(world, &pin, error));
	plForceDef force = plDefaultForceDef();
	force.body = pin.body;
	force.vertices = held;
	force.vertexCount = 27;
	force.traction.y = 1.0;
	fine = fine && PL_IS_NON_NULL(plCreateForce(world, &force, error));
	pin.stiffness = 10.0;
	fine = fine && PL_IS_NON_NULL(plCreatePin(world, &pin, error));
	plSpringsDef springs = plDefaultSpringsDef();
	springs.a = springs.b = pin.body;
	springs.pairs = held;
	springs.count = 1;
	springs.stiffness = 10.0;
	fine = fine && PL_IS_NON_NULL(plCreateSprings(world, &springs, error));
	fine = fine && stepOrStay(world, 2, meter, error) && goBack(world, meter, error);
	plDestroyWorld(world);
	return fine;
}

TEST(whichever_allocation_fails_nothing_leaks_and_the_state_stands)
{
	failEachAllocation(liveALife, unit, (const size_t[3]){2, 2, 2}, 40);
}

// ---- backends -------------------------------------------------------------------------------------------------------

TEST(a_world_runs_on_any_backend_of_the_build_and_refuses_others_by_name)
{
	plError error = {0};
	plWorldDef wd = plDefaultWorldDef();
	for (size_t i = 0; plGetBackendName(i) != NULL; ++i)
	{
		wd.backend = plGetBackendName(i);
		plWorld* world = plCreateWorld(&wd, &error);
		CHECK(world != NULL);
		plDestroyWorld(world);
	}
	wd.backend = "abacus";
	CHECK(plCreateWorld(&wd, &error) == NULL && error.code == pl_errorInput);
	CHECK_TEXT(error.field, "backend");
	CHECK_TEXT(error.message, "there is no backend 'abacus' in this build; the default is 'cpu'");
}
