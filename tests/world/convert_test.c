// convert_test.c: bodies whose squeezed and inverted elements convert to a simpler law
#include "fixture.h"
#include "pliant/compare.h"

static const size_t cells3[3] = {3, 3, 3};

static plWorldDef floating(void)
{
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 30.0;
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	return wd;
}

static plSoftBodyDef converting(plLaw law)
{
	plSoftBodyDef bd = softBody(law, 1e5, 0.4, 1000.0);
	bd.material.inversion = pl_inversionConvert;
	return bd;
}

// All vertices thrown about in the unit cube, many elements inside out.
static void throwVertices(Fixture* f, uint64_t seed)
{
	double* x = malloc(3 * f->n * sizeof *x);
	for (size_t i = 0; i < 3 * f->n; ++i)
		x[i] = 0.5 + 0.5 * testRandom(&seed);
	plBody_SetPositions(f->world, f->body, x);
	free(x);
}

static double largestWeight(const Fixture* f)
{
	double* weights = malloc(f->m * sizeof *weights);
	double largest = 0.0;
	plBody_GetBlend(f->world, f->body, weights);
	for (size_t t = 0; t < f->m; ++t)
		largest = fmax(largest, weights[t]);
	free(weights);
	return largest;
}

// Steps until no element is inverted and none is converted.
typedef struct Recovery
{
	int upright, unconverted, iterations, epochs;
	double elastic; // at the end, J
} Recovery;

static Recovery recover(plLaw law, plInversion inversion, uint64_t seed)
{
	enum
	{
		steps = 60
	};
	plWorldDef wd = floating();
	plSoftBodyDef bd = converting(law);
	bd.material.inversion = inversion;
	wd.solver.iterations = 500;
	Fixture f = makeFixture(&wd, &bd, unit, cells3, false);
	throwVertices(&f, seed);
	Recovery r = {.upright = INT32_MAX, .unconverted = INT32_MAX};
	for (int i = 1; i <= steps; ++i)
	{
		plStepReport report;
		if (plWorld_Step(f.world, &report, &f.error) < 0)
			break;
		r.upright = report.inverted > 0 ? INT32_MAX : r.upright < i ? r.upright : i;
		r.unconverted = largestWeight(&f) > 0.0 ? INT32_MAX : r.unconverted < i ? r.unconverted : i;
		r.iterations += report.iterations;
		r.epochs += report.epochs;
		r.elastic = report.elastic;
	}
	destroyFixture(&f);
	return r;
}

TEST(a_randomised_body_turns_right_side_out_by_conversion_and_by_extension)
{
	for (int law = 0; law < pl_lawCount; law += testIsWatched ? 4 : 1)
		for (uint64_t seed = 1; seed <= 2; ++seed)
		{
			WITH("law %s", plLaw_GetName((plLaw)law));
			Recovery r = recover((plLaw)law, pl_inversionConvert, seed);
			if (getenv("PLIANT_TEST_VERBOSE") != NULL)
				printf("    %-18s right side out after %d steps, unconverted after %d, %d iterations in %d epochs, "
				       "elastic energy %.2g J\n",
				       plLaw_GetName((plLaw)law), r.upright, r.unconverted, r.iterations, r.epochs, r.elastic);
			if (r.upright > 35 || r.unconverted > 55)
				FAIL_("%s, seed %d: right side out after %d steps, unconverted after %d", plLaw_GetName((plLaw)law),
				      (int)seed, r.upright, r.unconverted);
			CHECK(r.epochs > 60);
			CHECK_BELOW(r.iterations, 60 * 20); // of 500 in every step: it does not crawl
		}
	for (int law = 0; law < pl_lawCount; ++law)
	{
		WITH("law %s", plLaw_GetName((plLaw)law));
		CHECK(recover((plLaw)law, pl_inversionExtend, 7).upright <= 60);
	}
}

TEST(threads_and_resuming_do_not_change_a_bit)
{
	static const int counts[] = {1, 2, 3, 7};
	for (int p = 0; p < 2; ++p)
	{
		uint64_t hashes[12] = {0};
		for (int c = 0; c < 4; ++c)
		{
			plPool* pool = plCreatePool(counts[c]);
			plWorldDef wd = floating();
			wd.pool = pool;
			wd.solver.precision = (plPrecision)p;
			wd.solver.tolerance = p ? 1e-5 : 1e-8;
			plSoftBodyDef bd = converting(pl_lawNeoHookean);
			Fixture f = makeFixture(&wd, &bd, unit, cells3, false), g = makeFixture(&wd, &bd, unit, cells3, false);
			throwVertices(&f, 5);
			size_t bytes = plWorld_GetStateSize(f.world);
			void* state = malloc(bytes);
			for (int i = 0; i < 12; ++i)
			{
				plStepReport report;
				plWorld_SaveState(f.world, state);
				CHECK(plWorld_LoadState(g.world, state, bytes, &g.error) == pl_success);
				CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
				CHECK(c == 0 || report.hash == hashes[i]);
				hashes[i] = report.hash;
				CHECK(plWorld_Step(g.world, &report, &g.error) >= 0);
				CHECK(report.hash == hashes[i]);
			}
			CHECK(largestWeight(&f) > 0.0 && largestWeight(&f) == largestWeight(&g));
			free(state);
			destroyFixture(&f);
			destroyFixture(&g);
			plDestroyPool(pool);
		}
	}
}

static void count(const plCompareSample* sample, void* context)
{
	(void)sample;
	++*(int*)context;
}

TEST(a_comparison_leaves_the_weights)
{
	plWorldDef wd = floating();
	plSoftBodyDef bd = converting(pl_lawNeoHookean);
	Fixture f = makeFixture(&wd, &bd, unit, cells3, false), g = makeFixture(&wd, &bd, unit, cells3, false);
	throwVertices(&f, 5);
	throwVertices(&g, 5);
	for (int i = 0; i < 14; ++i) // until weights return
	{
		plStepReport a, b;
		int samples = 0;
		plSolverDef newton = plDefaultSolverDef(pl_methodNewton);
		if (i >= 12)
			CHECK(plWorld_Compare(g.world, &newton, 1, count, &samples, NULL, &g.error) == pl_success && samples > 1);
		CHECK(plWorld_Step(f.world, &a, &f.error) >= 0 && plWorld_Step(g.world, &b, &g.error) >= 0);
		CHECK(a.hash == b.hash);
	}
	destroyFixture(&f);
	destroyFixture(&g);
}

TEST(a_body_that_is_never_squeezed_is_the_same_with_and_without)
{
	plWorldDef wd = newtonWorldDef();
	plSoftBodyDef plain = softBody(pl_lawNeoHookean, 1e6, 0.4, 1000.0), bd = plain;
	bd.material.inversion = pl_inversionConvert;
	Fixture f = makeFixture(&wd, &plain, unit, cells3, true), g = makeFixture(&wd, &bd, unit, cells3, true);
	for (int i = 0; i < 10; ++i)
	{
		plStepReport a, b;
		CHECK(plWorld_Step(f.world, &a, &f.error) == pl_success && plWorld_Step(g.world, &b, &g.error) == pl_success);
		CHECK(a.hash == b.hash && b.epochs == 1 && (i == 0 || b.allocations == 0));
	}
	double* weights = malloc(f.m * sizeof *weights);
	CHECK(!plBody_GetBlend(f.world, f.body, weights) && plBody_GetBlend(g.world, g.body, weights));
	CHECK(largestWeight(&g) == 0.0);
	CHECK(plWorld_GetStateSize(g.world) == plWorld_GetStateSize(f.world) + f.m * sizeof(double));
	free(weights);
	destroyFixture(&f);
	destroyFixture(&g);
}

TEST(weights_survive_another_body_and_another_solver)
{
	plWorldDef wd = floating();
	plSoftBodyDef bd = converting(pl_lawMooneyRivlin);
	Fixture f = makeFixture(&wd, &bd, unit, cells3, false);
	throwVertices(&f, 3);
	for (int i = 0; i < 3; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	double *before = malloc(f.m * sizeof *before), *after = malloc(f.m * sizeof *after);
	double *stress = malloc(9 * f.m * sizeof *stress), *again = malloc(9 * f.m * sizeof *again);
	CHECK(plBody_GetBlend(f.world, f.body, before));
	CHECK(plBody_GetStresses(f.world, f.body, stress, &f.error) == pl_success);
	plMesh* mesh = plCreateBoxMesh(unit, cells3, 5, NULL, &f.error);
	bd.mesh = mesh;
	bd.transform.translation = (plVec3){5.0, 0.0, 0.0};
	plBodyId other = plCreateSoftBody(f.world, &bd, &f.error);
	CHECK(PL_IS_NON_NULL(other));
	CHECK(plBody_GetStresses(f.world, f.body, again, &f.error) == pl_success);
	CHECK(memcmp(stress, again, 9 * f.m * sizeof *stress) == 0);
	plSolverDef solver = plDefaultSolverDef(pl_methodNewtonCg);
	CHECK(plWorld_SetSolver(f.world, &solver, &f.error) == pl_success);
	CHECK(plBody_GetBlend(f.world, f.body, after) && memcmp(before, after, f.m * sizeof *before) == 0);
	CHECK(plBody_GetBlend(f.world, other, after) && after[0] == 0.0);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	plDestroyBody(f.world, other);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0 && largestWeight(&f) > 0.0);
	plDestroyMesh(mesh);
	free(before);
	free(after);
	free(stress);
	free(again);
	destroyFixture(&f);
}

// Corotated, until `context` says so.
static void failing(const double s[3], double* psi, double d[3], double dd[6], void* context)
{
	Lame lame = {1e4, 1e4};
	corotatedCallback(s, psi, d, dd, &lame);
	if (*(const bool*)context)
		*psi = d[0] = dd[0] = NAN;
}

TEST(a_step_that_fails_leaves_the_weights)
{
	bool fail = false;
	plWorldDef wd = floating();
	plSoftBodyDef bd = converting(pl_lawCallback);
	bd.material.callback = failing;
	bd.material.callbackContext = &fail;
	Fixture f = makeFixture(&wd, &bd, unit, cells3, false);
	throwVertices(&f, 4);
	for (int i = 0; i < 8; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	size_t bytes = plWorld_GetStateSize(f.world);
	char *before = malloc(bytes), *after = malloc(bytes);
	plWorld_SaveState(f.world, before);
	fail = true;
	CHECK(plWorld_Step(f.world, NULL, &f.error) < 0);
	fail = false;
	plWorld_SaveState(f.world, after);
	CHECK(memcmp(before, after, bytes) == 0);
	plStepReport first, second;
	CHECK(plWorld_Step(f.world, &first, &f.error) >= 0); // as if it had not failed
	CHECK(plWorld_LoadState(f.world, before, bytes, &f.error) == pl_success);
	CHECK(plWorld_Step(f.world, &second, &f.error) >= 0);
	CHECK(first.hash == second.hash);
	free(before);
	free(after);
	destroyFixture(&f);
}

static bool refuses(Fixture* f, char* state, size_t bytes, size_t at, double weight, const char* words)
{
	double kept;
	memcpy(&kept, state + at, sizeof kept);
	memcpy(state + at, &weight, sizeof weight);
	bool refused = plWorld_LoadState(f->world, state, bytes, &f->error) == pl_errorInput &&
	               strstr(f->error.message, words) != NULL;
	memcpy(state + at, &kept, sizeof kept);
	return refused;
}

TEST(weights_that_make_no_sense_are_refused)
{
	static const uint32_t stiff[2] = {3, 4};
	plWorldDef wd = floating();
	plSoftBodyDef bd = converting(pl_lawStvk);
	plMaterialDef plain = softBody(pl_lawStvk, 1e6, 0.3, 1000.0).material;
	plRegionDef region = {.tets = stiff, .tetCount = 2, .material = &plain};
	bd.regions = &region;
	bd.regionCount = 1;
	Fixture f = makeFixture(&wd, &bd, unit, cells3, false);
	throwVertices(&f, 6);
	for (int i = 0; i < 2; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	double* weights = malloc(f.m * sizeof *weights);
	CHECK(plBody_GetBlend(f.world, f.body, weights) && weights[3] == 0.0 && weights[4] == 0.0);
	size_t bytes = plWorld_GetStateSize(f.world), first = bytes - f.m * sizeof(double);
	char* state = malloc(bytes);
	plWorld_SaveState(f.world, state);
	CHECK(memcmp(state + first, weights, f.m * sizeof *weights) == 0); // in the caller's order
	CHECK(refuses(&f, state, bytes, first + 8, NAN, "weight of tet 1 is nan"));
	CHECK(refuses(&f, state, bytes, first, -0.25, "weight of tet 0 is -0.25, it must be from 0 to 1"));
	CHECK(refuses(&f, state, bytes, bytes - 8, 1.0 + 1e-9, "it must be from 0 to 1"));
	CHECK(refuses(&f, state, bytes, first + 24, 0.5, "weight of tet 3 is 0.5, but its material"));
	CHECK(plWorld_LoadState(f.world, state, bytes - 8, &f.error) == pl_errorInput);
	bd.material.inversion = pl_inversionExtend;
	Fixture other = makeFixture(&wd, &bd, unit, cells3, false);
	CHECK(plWorld_LoadState(other.world, state, bytes, &other.error) == pl_errorInput);
	CHECK(strstr(other.error.message, "convert") != NULL);
	CHECK(plWorld_LoadState(f.world, state, bytes, &f.error) == pl_success);
	free(state);
	free(weights);
	destroyFixture(&f);
	destroyFixture(&other);
}

// One tet pinned inside out: it stays inverted, its neighbours convert, and then nothing changes any more.
TEST(an_element_that_is_held_inverted_loosens_its_neighbours_and_no_others)
{
	static const size_t cells[3] = {6, 1, 1};
	plWorldDef wd = floating();
	plSoftBodyDef bd = converting(pl_lawNeoHookean);
	Fixture f = makeFixture(&wd, &bd, (plVec3){6.0, 1.0, 1.0}, cells, true);
	plMesh* mesh = plCreateBoxMesh((plVec3){6.0, 1.0, 1.0}, cells, 5, NULL, &f.error);
	const uint32_t* last = plMesh_GetView(mesh).tets + 4 * (f.m - 1);
	double* x = malloc(3 * f.n * sizeof *x);
	plBody_GetPositions(f.world, f.body, x);
	for (size_t k = 0; k < 3; ++k)
	{
		double *a = x + 3 * (size_t)last[0] + k, *b = x + 3 * (size_t)last[1] + k, kept = *a;
		*a = *b;
		*b = kept;
	}
	plBody_SetPositions(f.world, f.body, x);
	plPinDef pin = plDefaultPinDef();
	pin.body = f.body;
	pin.vertices = last;
	pin.vertexCount = 4;
	CHECK(PL_IS_NON_NULL(plCreatePin(f.world, &pin, &f.error)));
	plStepReport report;
	for (int i = 0; i < 150; ++i)
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	double *weights = malloc(f.m * sizeof *weights), *J = malloc(f.m * sizeof *J);
	plBody_GetBlend(f.world, f.body, weights);
	CHECK(plBody_GetVolumeRatios(f.world, f.body, J, &f.error) == pl_success);
	size_t upright = 0, idle = 0;
	for (size_t t = 0; t < f.m; ++t)
	{
		upright += J[t] > 0.0 && weights[t] == 1.0;
		idle += weights[t] == 0.0;
		CHECK(weights[t] >= 0.0 && weights[t] <= 1.0);
	}
	if (getenv("PLIANT_TEST_VERBOSE") != NULL)
		printf("    %zu inverted, %zu loosened, %zu of %zu not converted\n", report.inverted, upright, idle, f.m);
	CHECK(report.inverted > 0 && upright > 0 && idle > 0 && report.epochs == 1);
	free(weights);
	free(J);
	free(x);
	plDestroyMesh(mesh);
	destroyFixture(&f);
}
