// vbd_test.c: vertex block descent goes where newton goes, never uphill, and gives the same bits in every width and on
// any number of threads
#include "backend/cpu/isa.h"
#include "backend/cpu/sweep.h"
#include "backend/cpu/vectors.h"
#include "world/fixture.h"
#include "world/shortage.h"
#include "world/world.h"

static plSolverDef tightVbd(void)
{
	plSolverDef def = plDefaultSolverDef(pl_methodVbd);
	def.iterations = 20000;
	def.tolerance = 1e-13;
	return def;
}

static plSolverDef tightNewton(void)
{
	plSolverDef def = plDefaultSolverDef(pl_methodNewton);
	def.tolerance = 1e-13;
	return def;
}

static void accelerate(plSolverDef* def, double rho)
{
	def->acceleration = pl_accelerationChebyshev;
	def->rho = pl_rhoPhases;
	def->phaseCount = 1;
	def->phases[0] = (plPhase){def->iterations, rho};
}

// The largest difference of positions after some steps of both.
static double apartAfter(Fixture* a, Fixture* b, int steps)
{
	for (int i = 0; i < steps; ++i)
		if (plWorld_Step(a->world, NULL, &a->error) != pl_success || plWorld_Step(b->world, NULL, &b->error) < 0)
			return INFINITY;
	return apart(a, b);
}

// ---- where it goes --------------------------------------------------------------------------------------------------

// The bar is 2 m long: 1e-8 of the size. In float the elements round.
TEST(every_law_reaches_newtons_minimiser_in_both_precisions)
{
	for (int law = 0; law < pl_lawCount; ++law)
		for (int precision = 0; precision < 2; ++precision)
		{
			WITH("law %s, %s", plLaw_GetName((plLaw)law), precision == pl_precisionFloat ? "float" : "double");
			plSolverDef newton = tightNewton(), def = tightVbd();
			def.precision = (plPrecision)precision;
			def.iterations = precision == pl_precisionFloat ? 400 : def.iterations;
			Fixture a = makeHeldBar(&newton, NULL, (plLaw)law, 2e4, true);
			Fixture b = makeHeldBar(&def, NULL, (plLaw)law, 2e4, true);
			CHECK_BELOW(apartAfter(&a, &b, 3), precision == pl_precisionFloat ? 2e-4 : 2e-8);
			destroyFixture(&a);
			destroyFixture(&b);
		}
}

// A block thrown on rough ground, with fibres and springs, in substeps of BDF2.
static Fixture makeRoughWorld(const plSolverDef* solver, plPool* pool, plIntegrator integrator)
{
	static const size_t cells[3] = {2, 2, 2};
	static const uint32_t pairs[4] = {0, 20, 3, 25}, single = 26;
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 60.0;
	wd.substeps = 2;
	wd.integrator = integrator;
	wd.solver = *solver;
	wd.pool = pool;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	bd.material.fibres[0].direction = (plVec3){1.0, 1.0, 0.0};
	bd.material.fibres[0].stiffness = 1e5;
	bd.damping = (plDamping){.air = 0.2, .viscous = 10.0};
	bd.velocity = (plVec3){1.0, -1.0, 0.0};
	Fixture f = makeFixture(&wd, &bd, unit, cells, false);
	plColliderDef ground = plDefaultColliderDef();
	ground.friction = 0.4;
	plSpringsDef springs = plDefaultSpringsDef();
	springs.a = springs.b = f.body;
	springs.pairs = pairs;
	springs.count = 2;
	springs.stiffness = 2e3;
	plPinDef soft = pinOf(&f, &single);
	soft.stiffness = 500.0;
	bool good = PL_IS_NON_NULL(plCreateCollider(f.world, &ground, &f.error)) &&
	            PL_IS_NON_NULL(plCreateSprings(f.world, &springs, &f.error)) &&
	            PL_IS_NON_NULL(plCreatePin(f.world, &soft, &f.error));
	if (!good)
		printf("%s\n", f.error.message);
	return f;
}

TEST(contact_friction_springs_fibres_damping_and_substeps_end_where_newton_ends)
{
	for (int integrator = 0; integrator < pl_integratorCount; ++integrator)
	{
		WITH("%s", plIntegrator_GetName((plIntegrator)integrator));
		plSolverDef newton = tightNewton(), def = tightVbd();
		Fixture a = makeRoughWorld(&newton, NULL, (plIntegrator)integrator);
		Fixture b = makeRoughWorld(&def, NULL, (plIntegrator)integrator);
		size_t contacts = 0;
		for (int i = 0; i < 6; ++i)
		{
			plStepReport report;
			CHECK(plWorld_Step(a.world, &report, &a.error) >= 0 && plWorld_Step(b.world, NULL, &b.error) >= 0);
			contacts += report.contacts;
		}
		CHECK(contacts > 0);
		CHECK_BELOW(apart(&a, &b), 1e-8);
		destroyFixture(&a);
		destroyFixture(&b);
	}
}

// Three laws in turn, one of them by stretches, so that vertices have elements of several.
static Fixture makeMixedBar(const plSolverDef* solver)
{
	static const size_t cells[3] = {4, 2, 2};
	static uint32_t tets[2][80];
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 60.0;
	wd.solver = *solver;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 5e4, 0.3, 1000.0);
	plMaterialDef materials[2] = {anyMaterial(pl_lawCorotated, 2e4, 0.3), anyMaterial(pl_lawStvk, 4e4, 0.3)};
	plRegionDef regions[2] = {0};
	for (uint32_t t = 0; t < 80; ++t)
	{
		plRegionDef* region = regions + t % 2;
		if (t % 3 != 0)
			tets[t % 2][region->tetCount++] = t;
	}
	for (int r = 0; r < 2; ++r)
	{
		regions[r].tets = tets[r];
		regions[r].material = materials + r;
	}
	bd.regions = regions;
	bd.regionCount = 2;
	return makeFixture(&wd, &bd, (plVec3){2.0, 1.0, 1.0}, cells, true);
}

TEST(a_body_of_several_laws_ends_where_newton_ends_also_when_they_change)
{
	plSolverDef newton = tightNewton(), def = tightVbd();
	Fixture a = makeMixedBar(&newton), b = makeMixedBar(&def);
	CHECK(a.m == 80);
	CHECK_BELOW(apartAfter(&a, &b, 3), 2e-8);
	plMaterialDef other = anyMaterial(pl_lawMooneyRivlin, 3e4, 0.4);
	CHECK(plBody_SetMaterial(a.world, a.body, &other, &a.error) == pl_success);
	CHECK(plBody_SetMaterial(b.world, b.body, &other, &b.error) == pl_success);
	CHECK_BELOW(apartAfter(&a, &b, 3), 2e-8);
	destroyFixture(&a);
	destroyFixture(&b);
}

TEST(an_empty_world_takes_its_steps)
{
	plError error;
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(pl_methodVbd);
	wd.solver.acceleration = pl_accelerationChebyshev;
	plWorld* world = plCreateWorld(&wd, &error);
	for (int i = 0; i < 3; ++i)
		CHECK(plWorld_Step(world, NULL, &error) == pl_success);
	plDestroyWorld(world);
}

TEST(chebyshev_needs_fewer_sweeps_and_ends_at_the_same_place)
{
	int iterations[2];
	plSolverDef newton = tightNewton();
	Fixture a = makeHeldBar(&newton, NULL, pl_lawNeoHookean, 1e7, true);
	CHECK(plWorld_Step(a.world, NULL, &a.error) >= 0);
	for (int k = 0; k < 2; ++k)
	{
		plSolverDef def = tightVbd();
		def.tolerance = 1e-9;
		if (k == 1)
			accelerate(&def, 0.99);
		Fixture b = makeHeldBar(&def, NULL, pl_lawNeoHookean, 1e7, true);
		plStepReport report;
		CHECK(plWorld_Step(b.world, &report, &b.error) == pl_success);
		CHECK_BELOW(apart(&a, &b), 1e-6);
		iterations[k] = report.iterations;
		destroyFixture(&b);
	}
	CHECK(2 * iterations[1] < iterations[0]);
	destroyFixture(&a);
}

// ---- what a sweep does ----------------------------------------------------------------------------------------------

// A bar of which every vertex was thrown about: elements are squeezed, sheared and inverted.
static Fixture makeThrownBar(const plSolverDef* solver, plPool* pool, plLaw law, double far)
{
	Fixture f = makeHeldBar(solver, pool, law, 2e4, true);
	double* x = malloc(3 * f.n * sizeof *x);
	uint64_t seed = 5;
	plBody_GetPositions(f.world, f.body, x);
	for (size_t i = 0; i < f.n; ++i)
		for (size_t k = 0; k < 3 && x[3 * i] > 0.0; ++k)
			x[3 * i + k] += far * testRandom(&seed);
	plBody_SetPositions(f.world, f.body, x);
	free(x);
	return f;
}

// From states of all kinds.
TEST(no_iteration_raises_the_objective)
{
	for (int law = 0; law < pl_lawCount; ++law)
		for (int k = 0; k < 3; ++k)
		{
			WITH("law %s, thrown by %g", plLaw_GetName((plLaw)law), 0.3 * k);
			double last = INFINITY;
			for (int iterations = 1; iterations <= 12; ++iterations)
			{
				plSolverDef def = plDefaultSolverDef(pl_methodVbd);
				def.iterations = iterations;
				if (k == 2)
					accelerate(&def, 0.8);
				plStepReport report;
				Fixture f = makeThrownBar(&def, NULL, (plLaw)law, 0.3 * k);
				CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
				CHECK(report.objective <= last + 1e-12 * fabs(last));
				last = report.objective;
				destroyFixture(&f);
			}
		}
}

typedef struct Sweeper
{
	Fixture f;
	plProblem* p;
	plPoint* q;
} Sweeper;

static Sweeper makeSweeper(plLaw law, plPrecision precision, double far)
{
	plSolverDef def = plDefaultSolverDef(pl_methodVbd);
	def.precision = precision;
	def.iterations = 1;
	Sweeper s = {.f = makeThrownBar(&def, NULL, law, far)};
	plWorld_Step(s.f.world, NULL, &s.f.error);
	s.p = s.f.world->prepared.problem;
	s.q = s.p->space->newPoint(s.p);
	s.p->space->load(s.p, s.q, s.f.world->q);
	return s;
}

static void destroySweeper(Sweeper* s)
{
	s->p->space->freePoint(s->p, s->q);
	destroyFixture(&s->f);
}

// The first colour moves by the inverse blocks of the Hessian times the gradient, both at the start; where exact blocks
// are definite.
TEST(a_vertex_moves_by_its_block_of_the_hessian)
{
	for (int law = 0; law < pl_lawCount; ++law)
	{
		WITH("law %s", plLaw_GetName((plLaw)law));
		Sweeper s = makeSweeper((plLaw)law, pl_precisionDouble, 0.0);
		const plCpuSweep* sweep = ((plCpuProblem*)s.p)->sweep;
		plTangent* g = s.p->space->newTangent(s.p);
		plPoint* start = s.p->space->newPoint(s.p);
		s.p->space->copyPoint(s.p, start, s.q);
		s.p->objective->gradient(s.p, s.q, g, NULL);
		const plBlockMatrix* matrix = s.p->matrix->hessian(s.p, s.q, pl_hessianExact);
		s.p->sweep->sweep(s.p, s.q);
		size_t moved = 0;
		for (size_t r = 0; r < sweep->colouring.start[1]; ++r)
		{
			size_t i = sweep->colouring.order[r];
			const double *H = matrix->block + 9 * matrix->start[i], *force = PL_AT(plTangentData(g), i);
			for (size_t k = 0; k < 3 && s.p->held[i] == 0; ++k) // H d = -g
			{
				double sum = 0.0, size = 0.0;
				for (size_t j = 0; j < 3; ++j)
				{
					double d = PL_AT(plPointData(s.q), i)[j] - PL_AT(plPointData(start), i)[j];
					sum += H[3 * k + j] * d;
					size += fabs(H[3 * k + j]) * (fabs(d) + 1e-12);
				}
				CHECK_NEAR(sum, -force[k], 1e-9 * size + 1e-10);
				moved += force[k] != 0.0;
			}
		}
		CHECK(moved > 0);
		s.p->space->freeTangent(s.p, g);
		s.p->space->freePoint(s.p, start);
		destroySweeper(&s);
	}
}

TEST(colours_share_no_element_and_stay_through_later_steps)
{
	plSolverDef def = plDefaultSolverDef(pl_methodVbd);
	Fixture f = makeRoughWorld(&def, NULL, pl_integratorImplicitEuler);
	plStepReport report;
	CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	CHECK(report.ms.colour > 0.0);
	const plCpuProblem* p = (const plCpuProblem*)f.world->prepared.problem;
	const plCpuSweep* sweep = p->sweep;
	CHECK(p->base.sweep->countColours(&p->base) == sweep->colouring.count && sweep->colouring.count > 3);
	for (size_t slot = 0; slot < pl_batchSize * p->elements->batchCount; ++slot)
	{
		uint32_t corners[4];
		plBatches_GetCorners(p->elements->kinds[pl_kindTet], slot, 4, corners);
		for (int a = 0; a < 4; ++a)
			for (int b = 0; b < a; ++b)
				CHECK(sweep->colouring.colour[corners[a]] != sweep->colouring.colour[corners[b]]);
	}
	CHECK(plWorld_Step(f.world, &report, &f.error) >= 0 && report.allocations == 0 && p->sweep == sweep);
	destroyFixture(&f);
}

// ---- bits -----------------------------------------------------------------------------------------------------------

TEST(wide_and_scalar_sweeps_give_the_same_bits)
{
	for (int law = 0; law < pl_lawCount; ++law)
		for (int k = 0; k < 6; ++k)
		{
			WITH("law %s, case %d", plLaw_GetName((plLaw)law), k);
			Sweeper s = makeSweeper((plLaw)law, (plPrecision)(k % 2), 0.3 * (double)(k / 2));
			plCpuProblem* p = (plCpuProblem*)s.p;
			plPoint* other = s.p->space->newPoint(s.p);
			size_t bytes = plLayout_GetLength(s.p->layout) * sizeof(double);
			s.p->space->copyPoint(s.p, other, s.q);
			for (int careful = 0; careful < 2; ++careful)
			{
				void (*run)(plProblem*, plPoint*) = careful ? s.p->sweep->sweepCarefully : s.p->sweep->sweep;
				p->kernels[pl_kindTet] = plCpu_GetKernels(pl_kindTet, (plPrecision)(k % 2), false);
				run(s.p, s.q);
				p->kernels[pl_kindTet] = plCpu_GetKernels(pl_kindTet, (plPrecision)(k % 2), true);
				run(s.p, other);
				CHECK(memcmp(plPointData(s.q), plPointData(other), bytes) == 0);
			}
			s.p->space->freePoint(s.p, other);
			destroySweeper(&s);
		}
}

TEST(threads_do_not_change_a_bit)
{
	static const int counts[] = {1, 2, 3, 7};
	for (int precision = 0; precision < 2; ++precision)
	{
		uint64_t hashes[2][4];
		for (int c = 0; c < 4; ++c)
		{
			plSolverDef def = plDefaultSolverDef(pl_methodVbd);
			def.precision = (plPrecision)precision;
			plPool* pool = plCreatePool(counts[c]);
			Fixture f[2] = {makeRoughWorld(&def, pool, pl_integratorBdf2), makeThrownBar(&def, pool, pl_lawStvk, 0.3)};
			for (int w = 0; w < 2; ++w)
			{
				for (int i = 0; i < 5; ++i)
					CHECK(plWorld_Step(f[w].world, NULL, &f[w].error) >= 0);
				hashes[w][c] = plWorld_GetHash(f[w].world);
				CHECK(hashes[w][c] == hashes[w][0]);
				destroyFixture(f + w);
			}
			plDestroyPool(pool);
		}
	}
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static bool live(Meter* meter, const plMesh* mesh, plError* error)
{
	plWorldDef wd = newtonWorldDef();
	wd.allocator = meterHook(meter);
	wd.solver = plDefaultSolverDef(pl_methodVbd);
	wd.solver.acceleration = pl_accelerationChebyshev;
	plWorld* world = plCreateWorld(&wd, error);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	bd.mesh = mesh;
	bool fine = world != NULL && PL_IS_NON_NULL(plCreateSoftBody(world, &bd, error));
	fine = fine && stepOrStay(world, 2, meter, error);
	plDestroyWorld(world);
	return fine;
}

TEST(whichever_allocation_fails_nothing_leaks_and_the_state_stands)
{
	static const size_t cells[3] = {2, 1, 1};
	CALL(failEachAllocation(live, unit, cells, 40));
}
