// springs_test.c: springs, soft pins, tractions and damping in a world, against closed forms
#include "shortage.h"
#include "backend/cpu/vectors.h"
#include "world/world.h"

// Every vertex hangs on its own spring of k = (mass of the vertex) w^2 to a point one metre above it: the body moves as
// one mass does. Vertex masses differ, so there is one bunch of springs per vertex.
static void hangVertices(Fixture* f, double w2, double rest)
{
	double x[24], m[8];
	plBody_GetPositions(f->world, f->body, x);
	plBody_GetMasses(f->world, f->body, m);
	for (uint32_t i = 0; i < 8; ++i)
	{
		double point[3] = {x[3 * i], x[3 * i + 1] + 1.0, x[3 * i + 2]};
		uint32_t pair[2] = {i, 0};
		plSpringsDef def = plDefaultSpringsDef();
		def.a = f->body;
		def.points = point;
		def.pointCount = 1;
		def.pairs = pair;
		def.count = 1;
		def.stiffness = m[i] * w2;
		def.rest = rest;
		if (PL_IS_NULL(plCreateSprings(f->world, &def, &f->error)))
			FAIL_("%s", f->error.message);
	}
}

TEST(a_mass_on_a_spring_follows_backward_euler_to_the_digit)
{
	const double h = 0.05, w2 = 40.0;
	plWorldDef wd = weightlessDef(h, pl_integratorImplicitEuler);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e6, 0.3, 800.0);
	bd.velocity = (plVec3){0.0, 0.7, 0.0};
	Fixture f = makeFixture(&wd, &bd, unit, oneCell, false);
	CALL(hangVertices(&f, w2, -1.0));
	double x = 0.0, v = 0.7, positions[24], energy = 0.5 * 800.0 * v * v;
	for (int i = 0; i < 30; ++i)
	{
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
		double next = (x + h * v) / (1.0 + h * h * w2);
		v = (next - x) / h;
		x = next;
		energy /= 1.0 + h * h * w2;
		plBody_GetPositions(f.world, f.body, positions);
		CHECK_NEAR(positions[1], x, 1e-11);
		CHECK_NEAR(report.kinetic + report.elastic, energy, 1e-9 * 800.0);
		CHECK_NEAR(report.stretch, 1.0 - x, 1e-11);
	}
	destroyFixture(&f);
}

TEST(a_mass_on_a_spring_rests_at_mg_over_k)
{
	plWorldDef wd = weightlessDef(1e3, pl_integratorImplicitEuler);
	wd.gravity = (plVec3){0.0, -9.81, 0.0};
	plSoftBodyDef bd = softBody(pl_lawCorotated, 1e6, 0.3, 800.0);
	Fixture f = makeFixture(&wd, &bd, unit, oneCell, false);
	CALL(hangVertices(&f, 100.0, -1.0));
	plStepReport report;
	for (int i = 0; i < 3; ++i)
		CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
	double x[24];
	plBody_GetPositions(f.world, f.body, x);
	CHECK_NEAR(x[1], -9.81 / 100.0, 1e-7); // inertia is left with h^-2: 1e-6/100 of it
	destroyFixture(&f);
}

// Two boxes, one thrown, tied by springs: momentum is kept, and what pulls at one pulls back at the other.
TEST(springs_between_bodies_keep_momentum)
{
	for (int integrator = 0; integrator < 2; ++integrator)
	{
		plWorldDef wd = weightlessDef(0.02, (plIntegrator)integrator);
		plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
		Fixture f = makeFixture(&wd, &bd, unit, oneCell, false);
		plMesh* mesh = plCreateBoxMesh(unit, oneCell, 6, NULL, &f.error);
		bd.mesh = mesh;
		bd.transform.translation = (plVec3){2.0, 0.3, 0.0};
		bd.velocity = (plVec3){1.0, 2.0, -0.5};
		bd.density = 300.0;
		plBodyId other = plCreateSoftBody(f.world, &bd, &f.error);
		plDestroyMesh(mesh);
		const uint32_t pairs[] = {1, 0, 3, 2, 5, 4, 7, 6};
		plSpringsDef def = plDefaultSpringsDef();
		def.a = f.body;
		def.b = other;
		def.pairs = pairs;
		def.count = 4;
		def.stiffness = 2e3;
		CHECK(PL_IS_NON_NULL(plCreateSprings(f.world, &def, &f.error)));
		plStepReport report;
		double stretch = 0.0;
		for (int i = 0; i < 40; ++i)
		{
			CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
			stretch = fmax(stretch, report.stretch);
		}
		CHECK(stretch > 1.1);
		double p[3] = {0.0, 0.0, 0.0}, force[3] = {0.0, 0.0, 0.0}, pull = 0.0;
		const plBodyId bodies[2] = {f.body, other};
		for (int b = 0; b < 2; ++b)
		{
			double v[24], m[8], forces[24], sum[3] = {0.0, 0.0, 0.0};
			plBody_GetVelocities(f.world, bodies[b], v);
			plBody_GetMasses(f.world, bodies[b], m);
			CHECK(plBody_GetElasticForces(f.world, bodies[b], forces, &f.error) == pl_success);
			for (int i = 0; i < 24; ++i)
			{
				p[i % 3] += m[i / 3] * v[i];
				force[i % 3] += forces[i];
				sum[i % 3] += forces[i];
			}
			pull = fmax(pull, fabs(sum[0]));
		}
		CHECK_NEAR(p[0], 300.0, 1e-8);
		CHECK_NEAR(p[1], 600.0, 1e-8);
		CHECK_NEAR(p[2], -150.0, 1e-8);
		CHECK(pull > 1.0);
		for (int k = 0; k < 3; ++k)
			CHECK_NEAR(force[k], 0.0, 1e-9 * pull);
		plDestroyBody(f.world, other); // takes the springs along
		CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
		CHECK(report.stretch == 0.0);
		destroyFixture(&f);
	}
}

// A spring squeezed through its own length, and ends that coincide, under newton: finite, and it opens again.
TEST(a_crushed_spring_opens_again)
{
	plWorldDef wd = weightlessDef(0.02, pl_integratorImplicitEuler);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e4, 0.3, 100.0);
	bd.damping.air = 2.0;
	Fixture f = makeFixture(&wd, &bd, unit, oneCell, false);
	double x[24], points[24];
	uint32_t pairs[16];
	plBody_GetPositions(f.world, f.body, x);
	for (uint32_t i = 0; i < 8; ++i)
	{
		pairs[2 * i] = pairs[2 * i + 1] = i;
		for (size_t k = 0; k < 3; ++k) // vertex 0 sits on its point, the others close to theirs
			points[3 * i + k] = x[3 * i + k] - (i > 0 && k == 1 ? 1e-3 : 0.0);
	}
	plSpringsDef def = plDefaultSpringsDef();
	def.a = f.body;
	def.points = points;
	def.pointCount = 8;
	def.pairs = pairs;
	def.count = 8;
	def.stiffness = 300.0;
	def.rest = 0.5;
	CHECK(PL_IS_NON_NULL(plCreateSprings(f.world, &def, &f.error)));
	plStepReport report;
	for (int i = 0; i < 200; ++i)
		CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
	CHECK(report.stretch > 0.9);
	CHECK_BELOW(report.elastic, 0.05 * 8.0 * 0.5 * 300.0 * 0.25);
	destroyFixture(&f);
}

TEST(bad_springs_are_refused_with_words)
{
	plWorldDef wd = newtonWorldDef();
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e4, 0.3, 100.0);
	Fixture f = makeFixture(&wd, &bd, unit, oneCell, false);
	uint32_t pair[2] = {0, 0};
	plSpringsDef def = plDefaultSpringsDef();
	CHECK(PL_IS_NULL(plCreateSprings(f.world, &def, &f.error)) && strstr(f.error.message, "body") != NULL);
	def.a = def.b = f.body;
	CHECK(PL_IS_NULL(plCreateSprings(f.world, &def, &f.error)) && strstr(f.error.message, "no pair") != NULL);
	def.pairs = pair;
	def.count = 1;
	CHECK(PL_IS_NULL(plCreateSprings(f.world, &def, &f.error)) && strstr(f.error.message, "both") != NULL);
	pair[1] = 8;
	CHECK(PL_IS_NULL(plCreateSprings(f.world, &def, &f.error)) && strstr(f.error.message, "vertex 8") != NULL);
	pair[1] = 1;
	def.stiffness = 0.0;
	CHECK(PL_IS_NULL(plCreateSprings(f.world, &def, &f.error)) && strstr(f.error.message, "stiffness") != NULL);
	def.stiffness = 1.0;
	def.rest = NAN;
	CHECK(PL_IS_NULL(plCreateSprings(f.world, &def, &f.error)) && strstr(f.error.message, "rest") != NULL);
	def.rest = 0.0;
	plSpringsId id = plCreateSprings(f.world, &def, &f.error);
	CHECK(PL_IS_NON_NULL(id));
	plDestroySprings(f.world, id);
	destroyFixture(&f);
}

// ---- tractions ------------------------------------------------------------------------------------------------------

// Corotated material has a straight curve of stress against stretch: the bar grows by s L / E, however far.
TEST(a_traction_on_the_end_of_a_bar_stretches_it_by_sigma_l_over_e)
{
	static const size_t cells[3] = {4, 2, 3};
	const double young = 2e4, sigma = 5e3, length = 2.0, far = 1e9;
	plWorldDef wd = weightlessDef(1e3, pl_integratorImplicitEuler);
	plSoftBodyDef bd = softBody(pl_lawCorotated, young, 0.3, 1.0);
	Fixture f = makeFixture(&wd, &bd, (plVec3){length, 1.0, 0.5}, cells, false);
	pinBox(&f, (plVec3){0.0, -far, -far}, (plVec3){0.0, far, far}, pl_axisX);
	pinBox(&f, (plVec3){-far, 0.0, -far}, (plVec3){far, 0.0, far}, pl_axisY);
	pinBox(&f, (plVec3){-far, -far, 0.0}, (plVec3){far, far, 0.0}, pl_axisZ);
	uint32_t end[64];
	plForceDef load = plDefaultForceDef();
	load.body = f.body;
	load.vertices = end;
	load.vertexCount =
	    plBody_SelectBox(f.world, f.body, (plVec3){length, -far, -far}, (plVec3){length, far, far}, end, 64);
	load.traction = (plVec3){sigma, 0.0, 0.0};
	CHECK(PL_IS_NON_NULL(plCreateForce(f.world, &load, &f.error)));
	plStepReport report;
	for (int i = 0; i < 4; ++i)
		CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
	double x[3 * 60], reaction[3 * 60], sum = 0.0;
	CHECK(f.n == 60);
	plBody_GetPositions(f.world, f.body, x);
	plBody_GetPinForces(f.world, f.body, reaction);
	for (size_t i = 0; i < load.vertexCount; ++i)
		CHECK_NEAR(x[3 * end[i]] - length, sigma * length / young, 1e-9);
	for (size_t i = 0; i < 60; ++i)
		sum += reaction[3 * i];
	CHECK_NEAR(sum, -sigma * 0.5, 1e-6);
	load.vertexCount = 1;
	CHECK(PL_IS_NULL(plCreateForce(f.world, &load, &f.error)) && strstr(f.error.message, "triangle") != NULL);
	destroyFixture(&f);
}

// ---- damping --------------------------------------------------------------------------------------------------------

TEST(viscosity_does_not_resist_free_fall)
{
	static const size_t cells[3] = {3, 2, 2};
	plWorldDef wd = weightlessDef(1.0 / 30.0, pl_integratorImplicitEuler);
	wd.gravity = (plVec3){0.0, -9.81, 0.0};
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	bd.damping.viscous = 1e4;
	Fixture f = makeFixture(&wd, &bd, unit, cells, false);
	plStepReport report;
	for (int i = 0; i < 30; ++i)
		CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
	double x[3 * 36], h = wd.timestep;
	CHECK(f.n == 36);
	plBody_GetPositions(f.world, f.body, x);
	CHECK_NEAR(x[1], -9.81 * h * h * 30.0 * 31.0 / 2.0, 1e-11);
	destroyFixture(&f);
}

// Spin about z without gravity; angular momentum about the axis after a second.
static double spin(double viscous, double* kinetic)
{
	static const size_t cells[3] = {3, 3, 1};
	plWorldDef wd = weightlessDef(1.0 / 200.0, pl_integratorBdf2);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e6, 0.3, 1000.0);
	bd.damping.viscous = viscous;
	Fixture f = makeFixture(&wd, &bd, unit, cells, false);
	double x[96], v[96], m[32], L = 0.0;
	plBody_GetPositions(f.world, f.body, x);
	for (int i = 0; i < 32; ++i)
	{
		v[3 * i] = -2.0 * (x[3 * i + 1] - 0.5);
		v[3 * i + 1] = 2.0 * (x[3 * i] - 0.5);
		v[3 * i + 2] = 0.0;
	}
	plBody_SetVelocities(f.world, f.body, v);
	plStepReport report = {0};
	for (int i = 0; i < 200; ++i)
		plWorld_Step(f.world, &report, &f.error);
	plBody_GetPositions(f.world, f.body, x);
	plBody_GetVelocities(f.world, f.body, v);
	plBody_GetMasses(f.world, f.body, m);
	for (int i = 0; i < 32; ++i)
		L += m[i] * ((x[3 * i] - 0.5) * v[3 * i + 1] - (x[3 * i + 1] - 0.5) * v[3 * i]);
	*kinetic = report.kinetic;
	destroyFixture(&f);
	return L;
}

TEST(viscosity_does_not_resist_rotation)
{
	double kinetic, damped;
	double L = spin(0.0, &kinetic), M = spin(1e4, &damped);
	CHECK(L > 100.0);
	CHECK_NEAR(M, L, 1e-3 * L);
	CHECK_NEAR(damped, kinetic, 2e-3 * kinetic);
}

// Swings for a second; what is left of the energy.
static double swing(plDamping damping, plIntegrator integrator)
{
	static const size_t cells[3] = {4, 1, 1};
	plWorldDef wd = weightlessDef(1.0 / 100.0, integrator);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	bd.damping = damping;
	bd.velocity = (plVec3){0.0, 1.0, 0.0};
	Fixture f = makeFixture(&wd, &bd, (plVec3){2.0, 0.5, 0.5}, cells, true);
	plStepReport report = {0};
	for (int i = 0; i < 100; ++i)
		plWorld_Step(f.world, &report, &f.error);
	destroyFixture(&f);
	return report.kinetic + report.elastic;
}

TEST(both_kinds_of_damping_take_energy_and_more_of_it_takes_more)
{
	for (int integrator = 0; integrator < 2; ++integrator)
	{
		double last[2] = {INFINITY, INFINITY};
		for (int level = 0; level < 3; ++level)
		{
			double air = swing((plDamping){.air = level}, (plIntegrator)integrator);
			double viscous = swing((plDamping){.viscous = 2000.0 * level}, (plIntegrator)integrator);
			CHECK(air > 0.0 && air < 0.7 * last[0]);
			CHECK(viscous > 0.0 && viscous < 0.9 * last[1]);
			last[0] = air;
			last[1] = viscous;
		}
	}
}

// ---- threads, memory ------------------------------------------------------------------------------------------------

// A world with every energy there is.
static plWorld* makeEverything(const plWorldDef* wd, const plMesh* mesh, plError* error)
{
	plWorld* world = plCreateWorld(wd, error);
	if (world == NULL)
		return NULL;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	bd.mesh = mesh;
	bd.damping = (plDamping){.air = 0.1, .viscous = 20.0};
	plBodyId a = plCreateSoftBody(world, &bd, error);
	bd.transform.translation.x = 1.5;
	plBodyId b = PL_IS_NON_NULL(a) ? plCreateSoftBody(world, &bd, error) : a;
	const uint32_t all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
	const uint32_t pairs[] = {2, 0, 5, 3, 8, 6}, singles[] = {1, 0};
	const double point[3] = {0.5, 2.0, 0.5};
	plPinDef soft = plDefaultPinDef(), hard = plDefaultPinDef();
	soft.body = hard.body = a;
	soft.vertices = hard.vertices = all;
	soft.vertexCount = 9;
	soft.stiffness = 500.0;
	soft.motion = (plMotion){.translate = {0.0, 0.1, 0.0}, .until = 0.1};
	hard.vertexCount = 1;
	plForceDef load = plDefaultForceDef();
	load.body = b;
	load.vertices = all;
	load.vertexCount = 9;
	load.traction = (plVec3){10.0, 50.0, 0.0};
	plSpringsDef tie = plDefaultSpringsDef(), hang = plDefaultSpringsDef();
	tie.a = hang.a = a;
	tie.b = b;
	tie.pairs = pairs;
	tie.count = 3;
	hang.points = point;
	hang.pointCount = hang.count = 1;
	hang.pairs = singles;
	if (PL_IS_NON_NULL(b) && PL_IS_NON_NULL(plCreatePin(world, &soft, error)) &&
	    PL_IS_NON_NULL(plCreatePin(world, &hard, error)) && PL_IS_NON_NULL(plCreateForce(world, &load, error)) &&
	    PL_IS_NON_NULL(plCreateSprings(world, &tie, error)) && PL_IS_NON_NULL(plCreateSprings(world, &hang, error)))
		return world;
	plDestroyWorld(world);
	return NULL;
}

static const size_t twoCells[3] = {2, 2, 2};

TEST(threads_do_not_change_a_bit_and_later_steps_allocate_nothing)
{
	static const int counts[] = {1, 2, 3, 7};
	for (int method = 0; method < pl_softMethodCount; ++method)
	{
		WITH("method %s", plMethod_GetName((plMethod)method));
		if (!takes((plMethod)method, pl_lawNeoHookean))
			continue;
		uint64_t hashes[4];
		for (int c = 0; c < 4; ++c)
		{
			plError error;
			plMesh* mesh = plCreateBoxMesh(unit, twoCells, 5, NULL, &error);
			plWorldDef wd = newtonWorldDef();
			wd.integrator = pl_integratorBdf2;
			wd.solver = plDefaultSolverDef((plMethod)method);
			wd.solver.iterations = 20;
			wd.pool = plCreatePool(counts[c]);
			plWorld* world = makeEverything(&wd, mesh, &error);
			CHECK(world != NULL);
			for (int i = 0; i < 5; ++i)
			{
				plStepReport report;
				CHECK(plWorld_Step(world, &report, &error) >= 0);
				CHECK(i == 0 || report.allocations == 0);
			}
			hashes[c] = plWorld_GetHash(world);
			CHECK(hashes[c] == hashes[0]);
			plDestroyWorld(world);
			plDestroyPool(wd.pool);
			plDestroyMesh(mesh);
		}
	}
}

// Gradient, curvature and Hessian of the whole objective along a direction, against differences.
TEST(the_objective_with_every_energy_is_consistent)
{
	plError error;
	plMesh* mesh = plCreateBoxMesh(unit, twoCells, 5, NULL, &error);
	plWorldDef wd = newtonWorldDef();
	wd.integrator = pl_integratorBdf2;
	plWorld* world = makeEverything(&wd, mesh, &error);
	CHECK(world != NULL);
	for (int i = 0; i < 3; ++i)
		CHECK(plWorld_Step(world, NULL, &error) == pl_success);
	plProblem* problem = world->prepared.problem;
	plTangent *d = problem->space->newTangent(problem), *g = problem->space->newTangent(problem),
	          *up = problem->space->newTangent(problem), *down = problem->space->newTangent(problem);
	plPoint* q = world->prepared.here;
	uint64_t seed = 4;
	for (size_t i = 0; i < plLayout_GetLength(world->layout); ++i)
		plTangentArray(d)[i] = i % 4 == 3 || (world->prepared.held[i / 4] >> (i % 4)) & 1 ? 0.0 : testRandom(&seed);
	problem->space->advance(problem, world->prepared.next, world->prepared.next, 0.02, d); // away from the minimum
	const double e = 1e-6;
	problem->objective->gradient(problem, world->prepared.next, g, NULL);
	problem->space->advance(problem, q, world->prepared.next, e, d);
	double above = problem->objective->value(problem, q).value;
	problem->objective->gradient(problem, q, up, NULL);
	problem->space->advance(problem, q, world->prepared.next, -e, d);
	double below = problem->objective->value(problem, q).value;
	problem->objective->gradient(problem, q, down, NULL);
	double slope = problem->space->dot(problem, g, d),
	       curvature = problem->objective->curvature(problem, world->prepared.next, d);
	double bend = (problem->space->dot(problem, up, d) - problem->space->dot(problem, down, d)) / (2.0 * e);
	CHECK_NEAR(slope, (above - below) / (2.0 * e), 1e-8 * curvature);
	CHECK_NEAR(curvature, bend, 1e-7 * curvature);
	const plBlockMatrix* H = problem->matrix->hessian(problem, world->prepared.next, pl_hessianExact);
	plBlockMatrix_Multiply(H, plTangentData(d), plTangentArray(up), 4);
	CHECK_NEAR(problem->space->dot(problem, up, d), curvature, 1e-12 * curvature);
	plTangent* all[] = {d, g, up, down};
	for (int i = 0; i < 4; ++i)
		problem->space->freeTangent(problem, all[i]);
	plDestroyWorld(world);
	plDestroyMesh(mesh);
}

static bool liveALife(Meter* meter, const plMesh* mesh, plError* error)
{
	plWorldDef wd = newtonWorldDef();
	wd.allocator = meterHook(meter);
	wd.integrator = pl_integratorBdf2;
	wd.substeps = 2;
	plWorld* world = makeEverything(&wd, mesh, error);
	bool fine = world != NULL && stepOrStay(world, 2, meter, error);
	plDestroyWorld(world);
	return fine;
}

TEST(whichever_allocation_fails_nothing_leaks_and_the_state_stands)
{
	failEachAllocation(liveALife, unit, twoCells, 100);
}
