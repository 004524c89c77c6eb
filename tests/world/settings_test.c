// settings_test.c: what the environment and the caller may set on a world, and what it costs
#include "fixture.h"

#include "base/isa.h"
#include "method/options.h"

static const size_t barCells[3] = {4, 1, 1};
static const plVec3 barSize = {4.0, 1.0, 1.0};

static Fixture makeBar(plMethod method)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(method);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.45, 1000.0);
	return makeFixture(&wd, &bd, barSize, barCells, true);
}

// PLIANT_ISA as it was before a test; NULL: not set.
static char* keepIsa(void)
{
	const char* value = getenv("PLIANT_ISA");
	return value != NULL ? strdup(value) : NULL;
}

static void restoreIsa(char* kept)
{
	if (kept != NULL)
		setenv("PLIANT_ISA", kept, 1);
	else
		unsetenv("PLIANT_ISA");
	free(kept);
}

TEST(an_unknown_instruction_set_is_refused_with_words)
{
	static const char* const unknown[] = {"typo", "AVX2", "avx", " baseline", "neon"};
	char* kept = keepIsa();
	plWorldDef wd = plDefaultWorldDef();
	int refused = 0, named = 0, expected = 0;
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; ++i)
	{
		if (plIsa_RunsHere(unknown[i]))
			continue;
		setenv("PLIANT_ISA", unknown[i], 1);
		plError error = {0};
		plWorld* world = plCreateWorld(&wd, &error);
		++expected;
		refused += world == NULL && error.code == pl_errorInput;
		unsetenv("PLIANT_ISA");
		named += strstr(error.message, unknown[i]) && strstr(error.message, plIsa_GetName());
		plDestroyWorld(world);
	}
	restoreIsa(kept);
	CHECK(refused == expected && named == expected);
}

TEST(an_instruction_set_that_is_not_there_leaves_a_world_with_kernels)
{
	char* kept = keepIsa();
	Fixture f = makeBar(pl_methodQuasiNewton);
	setenv("PLIANT_ISA", "typo", 1); // after the world was made
	plResult result = plWorld_Step(f.world, NULL, &f.error);
	restoreIsa(kept);
	CHECK(result == pl_success);
	destroyFixture(&f);
}

TEST(an_empty_name_is_no_instruction_set)
{
	char* kept = keepIsa();
	setenv("PLIANT_ISA", "", 1);
	plResult result = plIsa_Check(NULL);
	restoreIsa(kept);
	CHECK(result == pl_success);
}

// A solver whose padding is other, and whose fields are those of `def`.
static plSolverDef copyFields(const plSolverDef* def)
{
	plSolverDef copy;
	memset(&copy, 0x5a, sizeof copy);
	copy.method = def->method;
	const plSolverOption* option;
	for (int i = 0; (option = plGetSolverOption(i)) != NULL; ++i)
		memcpy((char*)&copy + option->offset, (const char*)def + option->offset, plSolverOption_GetSize(option));
	for (int i = 0; i < PL_PHASE_COUNT; ++i)
	{
		copy.phases[i].iterations = def->phases[i].iterations;
		copy.phases[i].rho = def->phases[i].rho;
	}
	copy.phaseCount = def->phaseCount;
	copy.cookie = def->cookie;
	return copy;
}

TEST(an_equal_solver_costs_no_factorisation_and_no_bit)
{
	Fixture a = makeBar(pl_methodQuasiNewton), b = makeBar(pl_methodQuasiNewton);
	plSolverDef solver = plDefaultSolverDef(pl_methodQuasiNewton);
	plStepReport report, other;
	CHECK(plWorld_Step(a.world, &report, &a.error) == pl_success && report.factorisations == 1);
	CHECK(plWorld_Step(b.world, &other, &b.error) == pl_success);
	for (int i = 0; i < 3; ++i)
	{
		plSolverDef copy = copyFields(&solver);
		CHECK(plWorld_SetSolver(a.world, &copy, &a.error) == pl_success);
		CHECK(plWorld_Step(a.world, &report, &a.error) == pl_success);
		CHECK(plWorld_Step(b.world, &other, &b.error) == pl_success);
		CHECK(report.factorisations == 0 && report.allocations == 0 && report.hash == other.hash);
	}
	destroyFixture(&a);
	destroyFixture(&b);
}

TEST(a_solver_that_differs_in_one_field_is_taken)
{
	Fixture f = makeBar(pl_methodQuasiNewton);
	plSolverDef solver = plDefaultSolverDef(pl_methodQuasiNewton);
	plStepReport report;
	CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success && report.factorisations == 1);
	solver.fit[1] *= 1.5;
	CHECK(plWorld_SetSolver(f.world, &solver, &f.error) == pl_success);
	CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success && report.factorisations == 1);
	solver.phases[PL_PHASE_COUNT - 1].iterations = 1; // not used here, and still another solver
	CHECK(plWorld_SetSolver(f.world, &solver, &f.error) == pl_success);
	CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success && report.factorisations == 1);
	destroyFixture(&f);
}
