// multigrid_test.c: cycles as a method, as a preconditioner and in the place of a factor: all end where newton does
#include "method/cycles.h"
#include "world/fixture.h"
#include "world/shortage.h"
#include "world/world.h"

static const size_t cells[3] = {10, 4, 4}; // 275 vertices: two levels
static const plVec3 size = {2.4, 1.0, 1.0};

static Fixture makeBar(const plSolverDef* solver, plLaw law, plPool* pool, bool crushed)
{
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 20.0;
	wd.solver = *solver;
	wd.pool = pool;
	plSoftBodyDef bd = softBody(law, 2e5, 0.3, 1000.0);
	Fixture f = makeFixture(&wd, &bd, size, cells, true);
	pinBox(&f, (plVec3){2.39, -1.0, -1.0}, (plVec3){2.5, 2.0, 2.0}, pl_axisY); // and one axis of others
	double* x = malloc(3 * f.n * sizeof *x);
	uint64_t seed = 7;
	plBody_GetPositions(f.world, f.body, x);
	for (size_t i = 0; i < f.n && crushed; ++i)
		if (x[3 * i] > 0.0 && x[3 * i] < 2.3)
			for (size_t k = 0; k < 3; ++k)
				x[3 * i + k] += 0.15 * testRandom(&seed);
	plBody_SetPositions(f.world, f.body, x);
	free(x);
	return f;
}

// The settings of this page by number
enum
{
	wayCount = 12
};

static plSolverDef wayOf(int way)
{
	plSolverDef def = plDefaultSolverDef(way == 5 ? pl_methodNewtonCg : pl_methodMultigrid);
	def.cycle.kind = (way >= 1 && way <= 4) || way >= 10 ? pl_cycleFmg : pl_cycleCg;
	def.cycle.residual = way == 1 ? pl_residualEvery : way == 3 ? pl_residualOnce : pl_residualLast;
	def.cycle.adaptive = way == 4 ? 0.1 : 0.0;
	def.preconditioner = way == 5 ? pl_preconditionerMultigrid : def.preconditioner;
	if (way == 6)
	{
		def.cycle.smoothing = 3;
		def.cycle.smoothingRho = 0.8;
	}
	def.cycle.ratio = way == 7 ? 4.0 : 0.0;
	if (way == 8 || way == 9)
		def.cycle.kind = pl_cycleFas;
	def.cycle.adaptive = way == 9 ? 0.1 : def.cycle.adaptive;
	def.cycle.renew = way == 10 ? pl_renewStep : way == 11 ? pl_renewLevel : pl_renewCycle;
	return def;
}

static const char* nameOf(int way)
{
	static const char* const names[wayCount] = {"cg",
	                                            "fmg, every",
	                                            "fmg, last",
	                                            "fmg, once",
	                                            "fmg, adaptive",
	                                            "newton-cg",
	                                            "cg, chebyshev",
	                                            "cg, ratio 4",
	                                            "fas",
	                                            "fas, adaptive",
	                                            "fmg, one matrix a step",
	                                            "fmg, a matrix for every residual"};
	return names[way];
}

TEST(every_way_reaches_newtons_minimiser)
{
	static const plLaw laws[] = {pl_lawNeoHookean, pl_lawStvk, pl_lawArap};
	for (int k = 0; k < 3 * wayCount; ++k)
	{
		if (testIsWatched && k % 3 != k / 3 % 3) // one law each
			continue;
		WITH("law %s, %s", plLaw_GetName(laws[k % 3]), nameOf(k / 3));
		plSolverDef newton = plDefaultSolverDef(pl_methodNewton), def = wayOf(k / 3);
		newton.tolerance = def.tolerance = 1e-11;
		def.iterations = 500;
		Fixture a = makeBar(&newton, laws[k % 3], NULL, false), b = makeBar(&def, laws[k % 3], NULL, false);
		for (int i = 0; i < 2; ++i)
			CHECK(plWorld_Step(a.world, NULL, &a.error) == pl_success &&
			      plWorld_Step(b.world, NULL, &b.error) == pl_success);
		CHECK_BELOW(apart(&a, &b), 1e-8);
		destroyFixture(&a);
		destroyFixture(&b);
	}
}

PLAIN_TEST(nothing_raises_the_objective_from_a_crushed_state)
{
	for (int way = 0; way < wayCount; ++way)
	{
		WITH("%s", nameOf(way));
		double last = INFINITY;
		for (int iterations = 1; iterations <= 8; ++iterations)
		{
			plSolverDef def = wayOf(way);
			def.iterations = iterations;
			def.tolerance = 0.0;
			def.guess = pl_guessPosition;
			Fixture f = makeBar(&def, pl_lawNeoHookean, NULL, true);
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			CHECK(report.objective <= last * (1.0 + 1e-12));
			last = report.objective;
			destroyFixture(&f);
		}
	}
}

// A cycle C on M/h^2 + L has C A0 <= 1, and A0 bounds the Hessians of these laws: full steps never go up.
TEST(projective_dynamics_by_cycles_never_raises_the_objective)
{
	static const plLaw laws[] = {pl_lawArap, pl_lawStrainLimit};
	for (int choice = 0; choice < 4; ++choice)
	{
		double last = INFINITY;
		for (int iterations = 1; iterations <= 8; ++iterations)
		{
			plSolverDef def = plDefaultSolverDef(pl_methodProjective);
			def.iterations = iterations;
			def.linear = pl_linearMultigrid;
			def.cycle.smoothing = 1 + choice / 2;
			Fixture f = makeBar(&def, laws[choice % 2], NULL, true);
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			CHECK(report.objective <= last * (1.0 + 1e-12) && report.lineSearches == 0 && report.factorisations == 0);
			last = report.objective;
			destroyFixture(&f);
		}
	}
}

TEST(quasi_newton_by_cycles_reaches_newtons_minimiser_with_pairs_or_chebyshev)
{
	for (int choice = 0; choice < 3; ++choice)
	{
		WITH("choice %d", choice);
		plSolverDef newton = plDefaultSolverDef(pl_methodNewton);
		plSolverDef def = plDefaultSolverDef(choice < 2 ? pl_methodQuasiNewton : pl_methodProjective);
		newton.tolerance = def.tolerance = 1e-11;
		def.linear = pl_linearMultigrid;
		def.iterations = 20000;
		if (choice > 0)
		{
			def.history = 0;
			def.acceleration = pl_accelerationChebyshev;
			def.rho = pl_rhoPhases;
			def.phaseCount = 1;
			def.phases[0] = (plPhase){def.iterations, 0.95};
		}
		Fixture a = makeBar(&newton, pl_lawArap, NULL, false), b = makeBar(&def, pl_lawArap, NULL, false);
		CHECK(plWorld_Step(a.world, NULL, &a.error) == pl_success &&
		      plWorld_Step(b.world, NULL, &b.error) == pl_success);
		CHECK_BELOW(apart(&a, &b), 1e-8);
		destroyFixture(&a);
		destroyFixture(&b);
	}
}

static uint64_t hashOf(const plSolverDef* def, int threads)
{
	plPool* pool = plCreatePool(threads);
	Fixture f = makeBar(def, pl_lawNeoHookean, pool, true);
	for (int i = 0; i < 3; ++i)
		if (plWorld_Step(f.world, NULL, &f.error) < 0)
			printf("    %s\n", f.error.message);
	uint64_t hash = plWorld_GetHash(f.world);
	destroyFixture(&f);
	plDestroyPool(pool);
	return hash;
}

TEST(threads_do_not_change_a_bit)
{
	for (int way = 0; way < wayCount + 1; ++way)
	{
		plSolverDef def = way < wayCount ? wayOf(way) : plDefaultSolverDef(pl_methodQuasiNewton);
		if (way == wayCount)
			def.linear = pl_linearMultigrid;
		WITH("%s", way < wayCount ? nameOf(way) : "quasi-newton");
		uint64_t one = hashOf(&def, 1);
		CHECK(hashOf(&def, 2) == one && hashOf(&def, 5) == one);
	}
}

// ---- components -----------------------------------------------------------------------------------------------------

TEST(corrections_of_all_levels_descend_and_products_are_those_of_the_matrix)
{
	plSolverDef def = plDefaultSolverDef(pl_methodMultigrid);
	Fixture f = makeBar(&def, pl_lawNeoHookean, NULL, true);
	CHECK(plWorld_Prepare(f.world, &f.error) == pl_success);
	plProblem* p = f.world->prepared.problem;
	p->timestep = 1.0 / 20.0;
	plCycles* cycles = plCycles_Create(p, &def);
	plPoint* q = p->space->newPoint(p);
	plTangent *r = p->space->newTangent(p), *z = p->space->newTangent(p), *a = p->space->newTangent(p);
	p->space->load(p, q, f.world->q);
	CHECK(plCycles_Prepare(cycles, p, q, &f.error) == pl_success);
	CHECK(plCycles_Refresh(cycles, p, q, &f.error) == pl_success);
	CHECK(plCycles_CountLevels(cycles) >= 2);
	for (int k = 0; k < 3; ++k)
	{
		p->objective->gradient(p, q, r, NULL);
		if (k > 0)
			p->space->copy(p, r, a);
		plCycles_Precondition(cycles, p, z, r);
		CHECK(p->space->dot(p, r, z) > 0.0);
		for (size_t level = 0; level < plCycles_CountLevels(cycles); ++level)
		{
			double energy;
			CHECK(plCycles_Correct(cycles, p, level, z, r, &energy) && energy > 0.0);
			plCycles_Multiply(cycles, p, z, a);
			CHECK_NEAR(p->space->dot(p, z, a) / energy, 1.0, 1e-4);
		}
		plCycles_Multiply(cycles, p, r, a);
		p->objective->product(p, q, pl_hessianProjected, r, z);
		p->space->axpy(p, z, -1.0, a);
		CHECK_BELOW(sqrt(p->space->dot(p, z, z) / p->space->dot(p, a, a)), 1e-11);
	}
	plCycles_Destroy(cycles, p);
	p->space->freePoint(p, q);
	p->space->freeTangent(p, r);
	p->space->freeTangent(p, z);
	p->space->freeTangent(p, a);
	destroyFixture(&f);
}

// So stiff beside its mass that floats cannot tell a matrix from a singular one
TEST(what_is_too_stiff_for_floats_is_still_solved)
{
	plSolverDef newton = plDefaultSolverDef(pl_methodNewton), def = plDefaultSolverDef(pl_methodMultigrid);
	def.iterations = 400;
	newton.tolerance = def.tolerance = 1e-6;
	double moved[2];
	for (int k = 0; k < 2; ++k)
	{
		plWorldDef wd = newtonWorldDef();
		wd.solver = k == 0 ? newton : def;
		wd.timestep = 1.0;
		plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e12, 0.3, 1e-3);
		Fixture f = makeFixture(&wd, &bd, size, cells, true);
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		double* x = malloc(3 * f.n * sizeof *x);
		plBody_GetPositions(f.world, f.body, x);
		moved[k] = x[3 * (f.n - 1) + 1];
		CHECK(isfinite(moved[k]));
		free(x);
		destroyFixture(&f);
	}
	CHECK_NEAR(moved[1], moved[0], 1e-9);
}

TEST(a_world_of_one_tet_or_of_several_parts_works)
{
	plSolverDef def = plDefaultSolverDef(pl_methodMultigrid);
	plWorldDef wd = newtonWorldDef();
	wd.solver = def;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	Fixture f = makeFixture(&wd, &bd, unit, oneCell, false);
	bd.mesh = plCreateBoxMesh((plVec3){10.0, 1.0, 1.0}, (size_t[3]){30, 4, 4}, 6, NULL, NULL);
	CHECK(PL_IS_NON_NULL(plCreateSoftBody(f.world, &bd, &f.error)));
	plDestroyMesh((plMesh*)bd.mesh);
	for (int i = 0; i < 3; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
	destroyFixture(&f);
}

// ---- memory and refusals --------------------------------------------------------------------------------------------

static bool solve(Meter* meter, const plMesh* mesh, plError* error)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.allocator = meterHook(meter);
	wd.solver = plDefaultSolverDef(pl_methodMultigrid);
	wd.solver.iterations = 2;
	plWorld* world = plCreateWorld(&wd, error);
	if (world == NULL)
		return false;
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.mesh = mesh;
	bool fine = PL_IS_NON_NULL(plCreateSoftBody(world, &bd, error)) && stepOrStay(world, 1, meter, error);
	wd.solver = plDefaultSolverDef(pl_methodQuasiNewton);
	wd.solver.linear = pl_linearMultigrid;
	wd.solver.iterations = 2;
	fine = fine && plWorld_SetSolver(world, &wd.solver, error) == pl_success && stepOrStay(world, 1, meter, error);
	size_t made = meter->made;
	fine = fine && stepOrStay(world, 2, meter, error);
	if (meter->made != made)
		meter->live += 1000000; // after the first step nothing is allocated
	plDestroyWorld(world);
	return fine;
}

TEST(whichever_allocation_fails_nothing_leaks_and_the_state_stands)
{
	failEachAllocation(solve, unit, (const size_t[3]){5, 4, 4}, 100);
}

TEST(choices_that_make_no_sense_are_refused_with_words)
{
	plError error;
	plSolverDef def = plDefaultSolverDef(pl_methodMultigrid);
	def.cycle.ratio = 1.2;
	CHECK(plSolverDef_Check(&def, &error) == pl_errorInput && strstr(error.message, "ratio is 1.2") != NULL);
	def = plDefaultSolverDef(pl_methodMultigrid);
	def.cycle.smoothing = 0;
	CHECK(plSolverDef_Check(&def, &error) == pl_errorInput && strstr(error.message, "smoothing is 0") != NULL);
	def = plDefaultSolverDef(pl_methodMultigrid);
	def.cycle.smoothingRho = 1.0;
	CHECK(plSolverDef_Check(&def, &error) == pl_errorInput && strstr(error.message, "smoothingRho is 1") != NULL);
	def = plDefaultSolverDef(pl_methodNewtonCg);
	def.preconditioner = pl_preconditionerNone;
	CHECK(plSolverDef_Check(&def, &error) == pl_errorInput && strstr(error.message, "needs a preconditioner") != NULL);
	def = plDefaultSolverDef(pl_methodLbfgs);
	def.preconditioner = pl_preconditionerMultigrid;
	CHECK(plSolverDef_Check(&def, &error) == pl_errorInput && strstr(error.message, "belongs to newton-cg") != NULL);
	def = plDefaultSolverDef(pl_methodQuasiNewton);
	def.linear = pl_linearMultigrid;
	def.matrix = pl_matrixRest;
	CHECK(plSolverDef_Check(&def, &error) == pl_errorInput && strstr(error.message, "matrix laplacian only") != NULL);
}
