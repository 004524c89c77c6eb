// cholmod_test.c: CHOLMOD is loaded when it is asked for, and missed with words
//
// The order of the cases matters: what is loaded stays loaded.
#include "world/fixture.h"

static bool isMissing; // as if the library were not on the machine

void* __real_plLibrary_Open(const char* name);
void* __wrap_plLibrary_Open(const char* name);
void* __wrap_plLibrary_Open(const char* name)
{
	return isMissing ? NULL : __real_plLibrary_Open(name);
}

// Whether this process has loaded a library whose path contains the word; false where the system does not tell.
static bool isLoaded(const char* word)
{
	FILE* maps = fopen("/proc/self/maps", "r");
	char line[1024];
	bool found = false;
	while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
		found = found || strstr(line, word) != NULL;
	if (maps != NULL)
		fclose(maps);
	return found;
}

static plResult stepWith(plMethod method, plFactorisation factorisation, plStepReport* report, plError* error)
{
	static const size_t cells[3] = {4, 2, 2};
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(method);
	wd.solver.factorisation = factorisation;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.45, 1000.0);
	Fixture f = makeFixture(&wd, &bd, (plVec3){4.0, 1.0, 1.0}, cells, true);
	plResult result = plWorld_Step(f.world, report, error);
	destroyFixture(&f);
	return result;
}

TEST(a_run_with_the_default_method_loads_neither_cholmod_nor_openblas)
{
	plStepReport report;
	plError error = {0};
	CHECK(stepWith(plDefaultWorldDef().solver.method, pl_factorAuto, &report, &error) == pl_success);
	CHECK(report.factorisations > 0);
	CHECK(stepWith(pl_methodNewton, pl_factorAuto, &report, &error) == pl_success);
	CHECK(!isLoaded("libcholmod") && !isLoaded("libopenblas") && !isLoaded("libblas"));
}

TEST(a_library_that_is_not_there_is_missed_with_words)
{
	plStepReport report;
	if (!plHasCholmod())
		SKIP("built without CHOLMOD");
	for (plFactorisation f = pl_factorSimplicial; f <= pl_factorSupernodal; ++f)
	{
		plError error = {0};
		isMissing = true;
		plResult result = stepWith(pl_methodNewton, f, &report, &error);
		isMissing = false;
		CHECK(result == pl_errorMissing && error.code == pl_errorMissing);
		CHECK(strstr(error.message, "libcholmod") != NULL);
	}
	CHECK(!isLoaded("libcholmod"));
}

TEST(a_solver_that_asks_for_cholmod_loads_it)
{
	plStepReport report;
	plError error = {0};
	if (!plHasCholmod())
		SKIP("built without CHOLMOD");
	CHECK(stepWith(pl_methodNewton, pl_factorSimplicial, &report, &error) == pl_success);
	CHECK(isLoaded("libcholmod"));
	CHECK(stepWith(pl_methodNewton, pl_factorSupernodal, &report, &error) == pl_success);
}
