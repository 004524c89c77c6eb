// friction_test.c: Coulomb's law within a step: inclines, impacts, three methods, the verdict
#include "fixture.h"

static const double mu = 0.5, gravity = 9.81, pi = 3.14159265358979323846;

// Each to where it cannot go on or nearly so: what is tested is the law, not the budget.
static plSolverDef solverOf(plMethod method)
{
	plSolverDef def = plDefaultSolverDef(method);
	def.tolerance = 1e-7;
	def.iterations = method == pl_methodNewton ? 100 : 3000;
	return def;
}

static const plMethod methods[3] = {pl_methodNewton, pl_methodDescent, pl_methodQuasiNewton};

// A flat stiff box on the plane through the origin with this normal, `gap` above it, with a velocity.
static Fixture makeBlock(plSolverDef solver, plPool* pool, double angle, double gap, plVec3 velocity)
{
	static const size_t cells[3] = {2, 1, 2};
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 64.0;
	wd.solver = solver;
	wd.pool = pool;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e6, 0.3, 1000.0);
	plVec3 normal = {-sin(angle), cos(angle), 0.0};
	bd.transform.rotation = (plQuat){{0.0, 0.0, sin(0.5 * angle)}, cos(0.5 * angle)};
	bd.transform.translation = (plVec3){gap * normal.x, gap * normal.y, 0.0};
	bd.velocity = velocity;
	Fixture f = makeFixture(&wd, &bd, (plVec3){1.0, 0.25, 1.0}, cells, false);
	plColliderDef def = plDefaultColliderDef();
	def.normal = normal;
	def.friction = mu;
	def.thickness = 0.0;
	plCreateCollider(f.world, &def, &f.error);
	return f;
}

// Sum of m v, kg m/s; its component along the slope (downwards) and off it, where gravity pulls with g cos(angle).
typedef struct Momentum
{
	double along, off, mass;
} Momentum;

static Momentum momentumOf(const Fixture* f, double angle)
{
	double *v = malloc(3 * f->n * sizeof *v), *m = malloc(f->n * sizeof *m);
	Momentum sum = {0.0, 0.0, 0.0};
	plBody_GetVelocities(f->world, f->body, v);
	plBody_GetMasses(f->world, f->body, m);
	for (size_t i = 0; i < f->n; ++i)
	{
		sum.along -= m[i] * (v[3 * i] * cos(angle) + v[3 * i + 1] * sin(angle));
		sum.off += m[i] * (v[3 * i + 1] * cos(angle) - v[3 * i] * sin(angle));
		sum.mass += m[i];
	}
	free(v);
	free(m);
	return sum;
}

// ---- inclines -------------------------------------------------------------------------------------------------------

// Where sin = (mu cos) (2 r - r^2) the box creeps with r times the slip speed of 1 mm/s.
TEST(below_the_angle_of_friction_it_creeps_as_slowly_as_the_smoothing_says)
{
	double angle = 20.0 * pi / 180.0, expected = 1e-3 * (1.0 - sqrt(1.0 - tan(angle) / mu));
	for (int k = 0; k < 3; ++k)
	{
		WITH("method %s", plMethod_GetName(methods[k]));
		Fixture f = makeBlock(solverOf(methods[k]), NULL, angle, -1e-4, (plVec3){0.0, 0.0, 0.0});
		plStepReport report;
		for (int i = 0; i < 160; ++i)
			CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
		Momentum p = momentumOf(&f, angle);
		CHECK_NEAR(p.along / p.mass, expected, 2e-3 * expected);
		destroyFixture(&f);
	}
}

TEST(above_it_slides_with_g_sin_minus_mu_cos_by_every_method)
{
	double angle = 35.0 * pi / 180.0, expected = gravity * (sin(angle) - mu * cos(angle));
	for (int k = 0; k < 3; ++k)
	{
		WITH("method %s", plMethod_GetName(methods[k]));
		Fixture f = makeBlock(solverOf(methods[k]), NULL, angle, -1e-4, (plVec3){0.0, 0.0, 0.0});
		plStepReport report;
		Momentum p = {0.0, 0.0, 0.0}, q;
		for (int i = 0; i < 96; ++i)
		{
			p = i == 32 ? momentumOf(&f, angle) : p;
			CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
		}
		q = momentumOf(&f, angle);
		CHECK_NEAR((q.along - p.along) / q.mass, expected, 1e-5 * expected);
		destroyFixture(&f);
	}
}

// ---- impacts --------------------------------------------------------------------------------------------------------

// In every step in which the box slides, the ground takes mu times as much of its momentum along as it gives off the
// ground: also in the step of the impact, whose normal force is 0 where it starts. Normal forces that are a step old
// give ratios from 0 to 2.4 here.
TEST(friction_acts_in_the_very_step_of_an_impact)
{
	Fixture f[3];
	double most = 0.0;
	for (int k = 0; k < 3; ++k)
		f[k] = makeBlock(solverOf(methods[k]), NULL, 0.0, 0.02, (plVec3){-4.0, -2.0, 0.0});
	for (int i = 0; i < 12; ++i)
		for (int k = 0; k < 3; ++k)
		{
			WITH("method %s, step %d", plMethod_GetName(methods[k]), i);
			plStepReport report;
			Momentum a = momentumOf(f + k, 0.0);
			CHECK(plWorld_Step(f[k].world, &report, &f[k].error) == pl_success);
			Momentum b = momentumOf(f + k, 0.0);
			double given = b.off - a.off + b.mass * gravity / 64.0, taken = a.along - b.along;
			most = fmax(most, given);
			CHECK(report.epochs > 1);
			CHECK_NEAR(taken / given, mu, 3e-4); // not all vertices slip exactly along
			CHECK_BELOW(apart(f, f + k), 1e-6);
		}
	CHECK(most > 250.0); // kg m/s: it did hit the ground
	for (int k = 0; k < 3; ++k)
		destroyFixture(f + k);
}

// Whatever the budget: the normal force is that of the same state.
TEST(no_vertex_rubs_with_more_than_mu_times_its_normal_force)
{
	for (int method = 0; method < pl_methodCount; ++method)
	{
		WITH("method %s", plMethod_GetName((plMethod)method));
		if (!takes((plMethod)method, pl_lawNeoHookean))
			continue;
		plSolverDef solver = plDefaultSolverDef((plMethod)method);
		solver.iterations = solver.iterations < 50 ? solver.iterations : 50;
		Fixture f = makeBlock(solver, NULL, 0.0, 0.02, (plVec3){-4.0, -2.0, 1.0});
		double force[3 * 64];
		CHECK(f.n <= 64);
		size_t rubbing = 0;
		for (int i = 0; i < 30; ++i)
		{
			CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
			plBody_GetContactForces(f.world, f.body, force);
			for (size_t v = 0; v < f.n; ++v)
			{
				double tangent = hypot(force[3 * v], force[3 * v + 2]);
				rubbing += tangent > 0.0;
				CHECK_BELOW(tangent, mu * force[3 * v + 1] * (1.0 + 1e-12));
			}
		}
		CHECK(rubbing > 100);
		destroyFixture(&f);
	}
}

// ---- the verdict ----------------------------------------------------------------------------------------------------

// dp/dt = m g + contact forces - sum of the gradient: what the report calls residual is all that is missing, friction
// by the reported normal forces included.
TEST(a_step_whose_friction_has_not_settled_says_so)
{
	int unconverged = 0, converged = 0;
	for (int iterations = 1; iterations <= 12; ++iterations)
	{
		plSolverDef solver = plDefaultSolverDef(pl_methodNewton);
		solver.iterations = iterations;
		Fixture f = makeBlock(solver, NULL, 0.0, 0.02, (plVec3){-4.0, -2.0, 0.0});
		plStepReport report;
		double force[3 * 64], sum[2] = {0.0, 0.0};
		Momentum a = momentumOf(&f, 0.0);
		plResult result = plWorld_Step(f.world, &report, &f.error);
		Momentum b = momentumOf(&f, 0.0);
		plBody_GetContactForces(f.world, f.body, force);
		for (size_t i = 0; i < f.n; ++i)
		{
			sum[0] -= force[3 * i];
			sum[1] += force[3 * i + 1];
		}
		double missing = hypot(64.0 * (b.along - a.along) - sum[0], 64.0 * (b.off - a.off) + b.mass * gravity - sum[1]);
		CHECK(report.epochs > 1);
		CHECK_BELOW(missing, sqrt((double)f.n) * report.residual + 1e-6);
		CHECK(result == (report.converged ? pl_success : pl_notConverged));
		// friction is off by about as much as the residual says
		bool settled = fabs((a.along - b.along) - mu * (b.off - a.off + b.mass * gravity / 64.0)) < 1e-2 * b.mass;
		CHECK(settled || !report.converged);
		unconverged += !report.converged;
		converged += report.converged;
		destroyFixture(&f);
	}
	CHECK(unconverged > 0 && converged > 0);
}

// ---- the step -------------------------------------------------------------------------------------------------------

TEST(a_resumed_world_and_any_number_of_threads_go_through_the_same_epochs)
{
	static const int counts[4] = {1, 2, 3, 7};
	for (int k = 0; k < 3; ++k)
		for (int c = 0; c < 4; ++c)
		{
			plPool* pool = plCreatePool(counts[c]);
			plSolverDef solver = plDefaultSolverDef(methods[k]);
			Fixture f = makeBlock(solver, NULL, 0.25, 0.01, (plVec3){-2.0, -2.0, 1.0});
			Fixture g = makeBlock(solver, pool, 0.25, 0.01, (plVec3){-2.0, -2.0, 1.0});
			plStepReport a, b;
			int epochs = 0;
			for (int i = 0; i < 4; ++i)
				CHECK(plWorld_Step(f.world, &a, &f.error) >= 0);
			CHECK(carryState(f.world, g.world, &g.error) == pl_success);
			for (int i = 0; i < 6; ++i)
			{
				CHECK(plWorld_Step(f.world, &a, &f.error) >= 0 && plWorld_Step(g.world, &b, &g.error) >= 0);
				CHECK(a.hash == b.hash && a.epochs == b.epochs && a.relativeResidual == b.relativeResidual);
				CHECK(a.allocations == 0);
				epochs += a.epochs;
			}
			CHECK(epochs > 6);
			destroyFixture(&f);
			destroyFixture(&g);
			plDestroyPool(pool);
		}
}

// A soft box that is dropped on a slope, or thrown along it, and sticks in the end: 60 steps, summed up.
typedef struct Tumble
{
	int unconverged, iterations, searches;
	plStepReport last;
} Tumble;

static Tumble tumble(plSolverDef solver, int k)
{
	static const plVec3 velocities[3] = {{0.0, 0.0, 0.5}, {-1.5, 0.0, 0.5}, {-1.5, -2.0, 0.5}};
	Tumble t = {0};
	plWorldDef wd = newtonWorldDef();
	wd.solver = solver;
	plSoftBodyDef bd = softBody(pl_lawStableNeoHookean, 1e5, 0.4, 1000.0);
	bd.transform.translation.y = 0.2;
	bd.velocity = velocities[k];
	Fixture f = makeFixture(&wd, &bd, (plVec3){1.0, 0.5, 1.0}, (const size_t[3]){6, 3, 6}, false);
	plColliderDef def = plDefaultColliderDef();
	def.normal = (plVec3){0.1, 1.0, 0.0};
	def.friction = mu;
	plCreateCollider(f.world, &def, &f.error);
	for (int i = 0; i < 60; ++i)
	{
		if (plWorld_Step(f.world, &t.last, &f.error) < 0)
			fprintf(stderr, "step %d: %s\n", i, f.error.message);
		t.unconverged += !t.last.converged;
		t.iterations += t.last.iterations;
		t.searches += t.last.lineSearches;
	}
	destroyFixture(&f);
	return t;
}

// A diagonal that does not follow what sticks and slips leaves some forty of the sixty steps unconverged.
TEST(descent_within_its_budget_converges_where_things_stick_and_slip)
{
	for (int k = 0; k < 3; ++k)
		for (int accelerated = 0; accelerated < 2; ++accelerated)
		{
			plSolverDef solver = plDefaultSolverDef(pl_methodDescent);
			solver.acceleration = accelerated ? pl_accelerationChebyshev : pl_accelerationNesterov;
			Tumble t = tumble(solver, k);
			CHECK(t.last.contacts > 20 && t.last.relativeResidual < 1e-4);
			CHECK_BELOW((double)t.unconverged, 2.0);
		}
}

// With a matrix that knows nothing of friction a step is halved five times on average, and forty of sixty do not
// converge.
TEST(quasi_newton_takes_nearly_full_steps_where_things_stick_and_slip)
{
	for (int k = 0; k < 3; ++k)
	{
		plSolverDef solver = plDefaultSolverDef(pl_methodQuasiNewton);
		solver.iterations = 40;
		Tumble t = tumble(solver, k);
		CHECK(t.last.contacts > 20 && t.last.relativeResidual < 1e-3);
		CHECK_BELOW((double)t.unconverged, 20.0);
		CHECK_BELOW((double)t.searches, 2.5 * (double)t.iterations);
	}
}

TEST(without_friction_and_without_contact_there_is_one_epoch)
{
	for (int touching = 0; touching < 2; ++touching)
		for (int k = 0; k < 3; ++k)
		{
			plWorldDef wd = newtonWorldDef();
			wd.solver = plDefaultSolverDef(methods[k]);
			plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
			Fixture f = makeFixture(&wd, &bd, unit, oneCell, false);
			plColliderDef def = plDefaultColliderDef();
			def.friction = touching ? 0.0 : mu;
			def.offset = touching ? 0.0 : -100.0;
			plCreateCollider(f.world, &def, &f.error);
			plStepReport report;
			for (int i = 0; i < 5; ++i)
			{
				CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
				CHECK(report.epochs == 1 && (report.contacts > 0) == (touching == 1));
			}
			destroyFixture(&f);
		}
}
