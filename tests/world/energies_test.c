// energies_test.c: energies of the caller's own in a world: against built-in ones, by every method, with any threads
#include "own_world.h"
#include "shortage.h"

// ---- against built-in springs ---------------------------------------------------------------------------------------

TEST(a_spring_by_callback_is_the_spring)
{
	for (int integrator = 0; integrator < pl_integratorCount; ++integrator)
	{
		plWorldDef wd = tightDef();
		wd.integrator = (plIntegrator)integrator;
		Fixture own = makeBar(&wd), built = makeBar(&wd);
		plEnergyDef def = defOf(&own, ownSpring, &springs, ends, 2, springCount);
		plEnergyId id = plCreateEnergy(own.world, &def, &own.error);
		CHECK(PL_IS_NON_NULL(id) && plEnergy_IsValid(own.world, id));
		for (size_t i = 0; i < springCount; ++i)
		{
			plSpringsDef one = plDefaultSpringsDef();
			one.a = one.b = built.body;
			one.pairs = ends + 2 * i;
			one.count = 1;
			one.stiffness = springs.k;
			one.rest = lengths[i];
			CHECK(PL_IS_NON_NULL(plCreateSprings(built.world, &one, &built.error)));
		}
		for (int i = 0; i < 20; ++i)
		{
			plStepReport a, b;
			CHECK(plWorld_Step(own.world, &a, &own.error) == pl_success);
			CHECK(plWorld_Step(built.world, &b, &built.error) == pl_success);
			CHECK_NEAR(a.elastic, b.elastic, 1e-9 * b.elastic);
		}
		CHECK_BELOW(apart(&own, &built), 1e-12);
		double energy = 0.0, x[3 * 45], forces[3 * 45];
		plBody_GetPositions(own.world, own.body, x);
		plEnergy_GetForces(own.world, id, own.body, forces);
		for (size_t i = 0; i < springCount; ++i)
		{
			double pair[6], value, gradient[6];
			for (size_t k = 0; k < 6; ++k)
				pair[k] = x[3 * ends[2 * i + k / 3] + k % 3];
			ownSpring(i, 1, pair, &value, gradient, NULL, &springs);
			energy += value;
			for (size_t k = 0; k < 6; ++k)
				forces[3 * ends[2 * i + k / 3] + k % 3] += gradient[k];
		}
		CHECK_NEAR(plEnergy_GetValue(own.world, id), energy, 1e-12 * energy);
		for (size_t i = 0; i < 3 * own.n; ++i)
			CHECK_NEAR(forces[i], 0.0, 1e-9);
		destroyFixture(&own);
		destroyFixture(&built);
	}
}

TEST(an_energy_that_is_not_stored_is_not_counted_but_acts)
{
	plWorldDef wd = tightDef();
	Fixture stored = makeBar(&wd), other = makeBar(&wd);
	plEnergyDef def = defOf(&stored, ownSpring, &springs, ends, 2, springCount);
	plEnergyId id = plCreateEnergy(stored.world, &def, &stored.error);
	def.isStored = false;
	CHECK(PL_IS_NON_NULL(plCreateEnergy(other.world, &def, &other.error)));
	plStepReport a, b;
	CHECK(plWorld_Step(stored.world, &a, &stored.error) == pl_success);
	CHECK(plWorld_Step(other.world, &b, &other.error) == pl_success);
	CHECK(a.hash == b.hash);
	CHECK_NEAR(a.elastic - b.elastic, plEnergy_GetValue(stored.world, id), 1e-10 * a.elastic);
	destroyFixture(&stored);
	destroyFixture(&other);
}

// ---- methods --------------------------------------------------------------------------------------------------------

TEST(every_method_ends_where_newton_does)
{
	plWorldDef wd = tightDef();
	Fixture reference = makeBar(&wd), without = makeBar(&wd);
	CHECK(addAll(&reference));
	for (int i = 0; i < 3; ++i)
	{
		CHECK(plWorld_Step(reference.world, NULL, &reference.error) == pl_success);
		CHECK(plWorld_Step(without.world, NULL, &without.error) == pl_success);
	}
	CHECK(apart(&reference, &without) > 1e-3);
	for (int method = 0; method < pl_softMethodCount; ++method)
		for (int hessian = 0; hessian < 2; ++hessian)
		{
			bool looks = method == pl_methodNewton || method == pl_methodNewtonCg;
			WITH("%s, hessian %d", plMethod_GetName((plMethod)method), hessian);
			if (method == pl_methodProjective || (hessian > 0 && !looks))
				continue;
			wd.solver = plDefaultSolverDef((plMethod)method);
			wd.solver.tolerance = 1e-9;
			wd.solver.iterations = 20000;
			if (looks)
				wd.solver.hessian = hessian == 0 ? pl_hessianExact : pl_hessianProjected;
			Fixture f = makeBar(&wd);
			CHECK(addAll(&f));
			for (int i = 0; i < 3; ++i)
				CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
			CHECK_BELOW(apart(&f, &reference), 1e-6);
			destroyFixture(&f);
		}
	destroyFixture(&reference);
	destroyFixture(&without);
}

// Springs between all vertices that stand a cell apart, much stiffer than the body.
static size_t manySprings(const Fixture* f, uint32_t* pairs, double* rest)
{
	size_t count = 0;
	double x[3 * 45];
	plBody_GetPositions(f->world, f->body, x);
	for (uint32_t a = 0; a < f->n; ++a)
		for (uint32_t b = a + 1; b < f->n; ++b)
		{
			double l2 = 0.0;
			for (size_t k = 0; k < 3; ++k)
				l2 += (x[3 * a + k] - x[3 * b + k]) * (x[3 * a + k] - x[3 * b + k]);
			if (l2 > 0.6)
				continue;
			pairs[2 * count] = a;
			pairs[2 * count + 1] = b;
			rest[count++] = sqrt(l2);
		}
	return count;
}

TEST(quasi_newton_is_preconditioned_by_an_energy)
{
	static uint32_t pairs[2 * 1000];
	static double rest[1000], little[1000];
	int iterations[2];
	for (int hides = 0; hides < 2; ++hides)
	{
		plWorldDef wd = newtonWorldDef();
		wd.solver = plDefaultSolverDef(pl_methodQuasiNewton);
		wd.solver.tolerance = 1e-6;
		wd.solver.iterations = 3000;
		Fixture f = makeBar(&wd);
		OwnSprings stiff = {1e8, rest};
		plEnergyDef def = defOf(&f, ownSpring, &stiff, pairs, 2, manySprings(&f, pairs, rest));
		for (size_t e = 0; e < def.elementCount; ++e)
			little[e] = 1.0;
		def.stiffness = hides ? little : NULL;
		CHECK(PL_IS_NON_NULL(plCreateEnergy(f.world, &def, &f.error)));
		plStepReport report;
		plResult result = plWorld_Step(f.world, &report, &f.error);
		CHECK(result == pl_success || hides);
		iterations[hides] = report.iterations;
		destroyFixture(&f);
	}
	WITH("%d iterations, %d if it hides its stiffness", iterations[0], iterations[1]);
	CHECK(2 * iterations[0] < iterations[1]);
}

TEST(projective_refuses_an_energy_by_name)
{
	plWorldDef wd = newtonWorldDef();
	wd.solver = plDefaultSolverDef(pl_methodProjective);
	plSoftBodyDef bd = softBody(pl_lawArap, 1e5, 0.3, 1000.0);
	Fixture f = makeFixture(&wd, &bd, barSize, barCells, true);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	const uint32_t tip = 44;
	plEnergyDef def = defOf(&f, ownWell, &well, &tip, 1, 1);
	plEnergyId id = plCreateEnergy(f.world, &def, &f.error);
	uint64_t hash = plWorld_GetHash(f.world);
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_errorInput);
	CHECK(strstr(f.error.message, "the energy 'mine'") != NULL && plWorld_GetHash(f.world) == hash);
	plDestroyEnergy(f.world, id);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	destroyFixture(&f);
}

// ---- time -----------------------------------------------------------------------------------------------------------

typedef struct Hand
{
	double p[3], k;
	double time, timestep;
	int begun;
} Hand;

// k/2 |x - p(t)|^2, p going along x at 1 m/s
static void handBegin(double time, double timestep, void* context)
{
	Hand* hand = context;
	hand->p[0] = 2.0 + time;
	hand->time = time;
	hand->timestep = timestep;
	hand->begun++;
}

static void handEnergy(size_t first, size_t count, const double* x, double* value, double* gradient, double* hessian,
                       void* context)
{
	const Hand* hand = context;
	(void)first;
	for (size_t e = 0; e < count; ++e)
	{
		double sum = 0.0;
		for (size_t i = 0; i < 3; ++i)
		{
			double u = x[3 * e + i] - hand->p[i];
			sum += 0.5 * hand->k * u * u;
			if (gradient != NULL)
				gradient[3 * e + i] = hand->k * u;
			for (size_t j = 0; hessian != NULL && j < 3; ++j)
				hessian[9 * e + 3 * i + j] = i == j ? hand->k : 0.0;
		}
		if (value != NULL)
			value[e] = sum;
	}
}

// A soft pin that moves is the same thing, built in.
TEST(an_energy_that_depends_on_time_is_told_it_before_every_substep)
{
	plWorldDef wd = tightDef();
	wd.substeps = 2;
	Fixture own = makeBar(&wd), built = makeBar(&wd);
	const uint32_t tip = 44;
	double x[3 * 45];
	plBody_GetPositions(own.world, own.body, x);
	Hand hand = {.p = {x[132], x[133], x[134]}, .k = 4e3};
	CHECK(x[132] == 2.0);
	plEnergyDef def = defOf(&own, handEnergy, &hand, &tip, 1, 1);
	def.begin = handBegin;
	CHECK(PL_IS_NON_NULL(plCreateEnergy(own.world, &def, &own.error)));
	plPinDef pin = pinOf(&built, &tip);
	pin.stiffness = 4e3;
	pin.motion.translate = (plVec3){10.0, 0.0, 0.0};
	pin.motion.until = 10.0;
	plCreatePin(built.world, &pin, &built.error);
	int before = hand.begun;
	for (int i = 0; i < 10; ++i)
	{
		CHECK(plWorld_Step(own.world, NULL, &own.error) == pl_success);
		CHECK(plWorld_Step(built.world, NULL, &built.error) == pl_success);
		CHECK_NEAR(hand.time, (i + 1) / 60.0, 1e-14);
	}
	CHECK(hand.begun == before + 20 && hand.timestep == 1.0 / 120.0);
	CHECK_BELOW(apart(&own, &built), 1e-11);
	destroyFixture(&own);
	destroyFixture(&built);
}

// ---- bodies ---------------------------------------------------------------------------------------------------------

static plBodyId addBox(Fixture* f, double at)
{
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 500.0);
	plMesh* mesh = plCreateBoxMesh(unit, oneCell, 5, NULL, &f->error);
	bd.mesh = mesh;
	bd.transform.translation = (plVec3){at, 0.0, 0.0};
	plBodyId body = plCreateSoftBody(f->world, &bd, &f->error);
	plDestroyMesh(mesh);
	return body;
}

// Three bodies; the energy ties the second to the third. When the first goes, those two stand elsewhere in the state.
TEST(an_energy_between_bodies_outlives_others_and_goes_with_its_own)
{
	plWorldDef wd = weightlessDef(0.02, pl_integratorImplicitEuler);
	Fixture f = makeBar(&wd);
	plBodyId a = addBox(&f, 4.0), b = addBox(&f, 6.0);
	const plBodyId bodies[4] = {a, b, b, a};
	const uint32_t pairs[4] = {1, 0, 4, 5};
	double rest[2] = {0.5, 0.5};
	OwnSprings tie = {1e3, rest};
	plEnergyDef def = defOf(&f, ownSpring, &tie, pairs, 2, 2);
	def.bodies = bodies;
	plEnergyId id = plCreateEnergy(f.world, &def, &f.error);
	CHECK(PL_IS_NON_NULL(id));
	for (int i = 0; i < 10; ++i)
	{
		CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
		if (i == 4)
		{
			double before = plEnergy_GetValue(f.world, id);
			plDestroyBody(f.world, f.body);
			CHECK(plEnergy_IsValid(f.world, id) && plEnergy_GetValue(f.world, id) == before && before > 0.0);
		}
	}
	double momentum[3] = {0.0, 0.0, 0.0}, speed = 0.0, sum[3] = {0.0, 0.0, 0.0};
	for (int k = 0; k < 2; ++k)
	{
		double v[24], m[8], forces[24];
		plBody_GetVelocities(f.world, k ? b : a, v);
		plBody_GetMasses(f.world, k ? b : a, m);
		plEnergy_GetForces(f.world, id, k ? b : a, forces);
		for (int i = 0; i < 24; ++i)
		{
			momentum[i % 3] += m[i / 3] * v[i];
			speed = fmax(speed, fabs(v[i]));
			sum[i % 3] += forces[i];
		}
	}
	CHECK(speed > 0.1);
	for (int k = 0; k < 3; ++k)
	{
		CHECK_NEAR(momentum[k], 0.0, 1e-9);
		CHECK_NEAR(sum[k], 0.0, 1e-9);
	}
	plDestroyBody(f.world, b);
	CHECK(!plEnergy_IsValid(f.world, id));
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
	destroyFixture(&f);
}

// ---- threads, memory ------------------------------------------------------------------------------------------------

// As many hinges as make several batches.
static size_t manyHinges(const Fixture* f, uint32_t* vertices, size_t count)
{
	for (size_t i = 0; i < 4 * count; ++i)
		vertices[i] = (uint32_t)((i / 4 + 11 * (i % 4)) % f->n);
	return count;
}

TEST(threads_do_not_change_a_bit_and_later_steps_allocate_nothing)
{
	static const int counts[] = {1, 3};
	static uint32_t vertices[4 * 700];
	for (int method = 0; method < pl_softMethodCount; ++method)
	{
		WITH("%s", plMethod_GetName((plMethod)method));
		if (method == pl_methodProjective)
			continue;
		uint64_t first = 0;
		for (int c = 0; c < 2; ++c)
		{
			plWorldDef wd = newtonWorldDef();
			wd.solver = plDefaultSolverDef((plMethod)method);
			wd.solver.iterations = 10;
			wd.pool = plCreatePool(counts[c]);
			Fixture f = makeBar(&wd);
			OwnForm little = ownHinge(40.0, 0.4);
			plEnergyDef def = defOf(&f, ownForm, &little, vertices, 4, manyHinges(&f, vertices, 700));
			CHECK(PL_IS_NON_NULL(plCreateEnergy(f.world, &def, &f.error)));
			CHECK(addAll(&f));
			for (int i = 0; i < 3; ++i)
			{
				plStepReport report;
				CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
				CHECK(i == 0 || report.allocations == 0);
			}
			first = c == 0 ? plWorld_GetHash(f.world) : first;
			CHECK(plWorld_GetHash(f.world) == first);
			destroyFixture(&f);
			plDestroyPool(wd.pool);
		}
	}
}

static bool live(Meter* meter, const plMesh* mesh, plError* error)
{
	plWorldDef wd = newtonWorldDef();
	wd.allocator = meterHook(meter);
	Fixture f = {.world = plCreateWorld(&wd, error)};
	if (f.world == NULL)
		return false;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	bd.mesh = mesh;
	f.body = plCreateSoftBody(f.world, &bd, error);
	bool fine = PL_IS_NON_NULL(f.body) && stepOrStay(f.world, 1, meter, error);
	if (fine)
	{
		uint64_t hash = plWorld_GetHash(f.world);
		fine = addAll(&f);
		*error = f.error;
		if (plWorld_GetHash(f.world) != hash)
			meter->live += 1000000;
	}
	fine = fine && stepOrStay(f.world, 2, meter, error);
	plDestroyWorld(f.world);
	return fine;
}

TEST(whichever_allocation_fails_nothing_leaks_and_the_state_stands)
{
	failEachAllocation(live, barSize, barCells, 60);
}
