// settings_test.c: what the environment and the caller may set on a world, and what it costs
#include "fixture.h"

#include "base/isa.h"

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
