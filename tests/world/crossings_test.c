// crossings_test.c: where cloth and soft bodies cross each other and themselves
#include "sheet.h"
#include "shortage.h"

#include <time.h>

static const size_t cells[2] = {40, 10};

// A sheet 4 m by 1 m, lying; `fold` gives the place of a vertex along it and its height.
typedef void Fold(double x, double* along, double* height);

static Fixture makeFolded(const plWorldDef* wd, Fold* fold)
{
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	def.transform = lying();
	Fixture f = makeSheet(wd, &def, 4.0, 1.0, cells, pl_clothEquilateral);
	double* x = malloc(3 * f.n * sizeof *x);
	plBody_GetPositions(f.world, f.body, x);
	for (size_t v = 0; v < f.n; ++v)
	{
		double along;
		fold(x[3 * v], &along, &x[3 * v + 1]);
		x[3 * v] = along;
	}
	plBody_SetPositions(f.world, f.body, x);
	free(x);
	return f;
}

static void lieFlat(double x, double* along, double* height)
{
	*along = x;
	*height = 0.0;
}

// Up one side of a cylinder and over it, not quite round
static void roll(double x, double* along, double* height)
{
	*along = 0.8 * sin(x / 0.8);
	*height = 0.8 - 0.8 * cos(x / 0.8);
}

// A figure of eight that goes through itself once
static void loop(double x, double* along, double* height)
{
	*along = sin(1.45 * (x + 0.3));
	*height = sin(2.9 * (x + 0.3));
}

static size_t countCrossings(Fixture* f)
{
	size_t count;
	plResult result = plWorld_CountCrossings(f->world, &count, &f->error);
	return result == pl_success ? count : SIZE_MAX;
}

TEST(cloth_that_lies_flat_or_bends_does_not_cross_itself)
{
	plWorldDef wd = newtonWorldDef();
	Fold* const folds[] = {lieFlat, roll};
	for (int i = 0; i < 2; ++i)
	{
		Fixture f = makeFolded(&wd, folds[i]);
		CHECK(countCrossings(&f) == 0);
		destroyFixture(&f);
	}
}

// The sheet goes through itself along the line over x = 0: all that crosses is near it, and every row of cells crosses.
TEST(a_loop_crosses_itself_where_it_goes_through_itself)
{
	plWorldDef wd = newtonWorldDef();
	Fixture f = makeFolded(&wd, loop);
	plCrossing crossings[4096];
	size_t count;
	CHECK(plWorld_FindCrossings(f.world, crossings, 4096, &count, &f.error) == pl_success);
	CHECK(count >= cells[1] && count < 400);
	uint32_t* triangles = malloc(3 * f.m * sizeof *triangles);
	double *x = malloc(3 * f.n * sizeof *x), low = 0.5, high = -0.5;
	plBody_GetTriangles(f.world, f.body, triangles);
	plBody_GetPositions(f.world, f.body, x);
	for (size_t i = 0; i < count; ++i)
	{
		const plCrossing* c = crossings + i;
		CHECK(memcmp(&c->bodies[0], &f.body, sizeof f.body) == 0 && memcmp(&c->bodies[1], &f.body, sizeof f.body) == 0);
		CHECK(c->triangles[0] < c->triangles[1] && c->triangles[1] < f.m);
		CHECK(i == 0 || c[-1].triangles[0] < c->triangles[0] ||
		      (c[-1].triangles[0] == c->triangles[0] && c[-1].triangles[1] < c->triangles[1]));
		for (size_t k = 0; k < 6; ++k)
		{
			uint32_t v = c->vertices[k / 3][k % 3];
			CHECK(v == triangles[3 * c->triangles[k / 3] + k % 3]);
			CHECK(fabs(x[3 * v]) < 0.2 && fabs(x[3 * v + 1]) < 0.4);
			low = fmin(low, x[3 * v + 2]);
			high = fmax(high, x[3 * v + 2]);
		}
	}
	CHECK(low == -0.5 && high == 0.5);
	size_t again;
	plCrossing few[3];
	CHECK(plWorld_FindCrossings(f.world, few, 3, &again, &f.error) == pl_success);
	CHECK(again == count && memcmp(few, crossings, sizeof few) == 0);
	free(triangles);
	free(x);
	destroyFixture(&f);
}

// A sheet through a box crosses its surface, not its inside; away from it nothing crosses. Bodies keep their numbers
// when others come and go.
TEST(cloth_crosses_the_surface_of_a_soft_body)
{
	plWorldDef wd = newtonWorldDef();
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	Fixture f = makeFixture(&wd, &bd, unit, (size_t[3]){3, 3, 3}, false);
	CHECK(countCrossings(&f) == 0);
	plMesh* sheet = plCreateClothMesh(3.0, 3.0, (size_t[2]){9, 9}, pl_clothEquilateral, NULL, NULL);
	plMesh* box = plCreateBoxMesh(unit, (size_t[3]){3, 3, 3}, 5, NULL, NULL);
	plMeshView surface = plMesh_GetView(box);
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	cd.mesh = sheet;
	cd.transform.translation = (plVec3){0.5, 0.5, 0.55};
	plBodyId cloth = plCreateCloth(f.world, &cd, &f.error);
	plCrossing crossings[1024];
	size_t count;
	CHECK(plWorld_FindCrossings(f.world, crossings, 1024, &count, &f.error) == pl_success);
	CHECK(count > 24 && count < 1024);
	for (size_t i = 0; i < count; ++i)
	{
		const plCrossing* c = crossings + i;
		CHECK(memcmp(&c->bodies[0], &f.body, sizeof f.body) == 0 && memcmp(&c->bodies[1], &cloth, sizeof cloth) == 0);
		CHECK(memcmp(c->vertices[0], surface.surface + 3 * (size_t)c->triangles[0], sizeof c->vertices[0]) == 0);
	}
	plDestroyBody(f.world, cloth);
	CHECK(countCrossings(&f) == 0);
	cd.transform.translation.z = 1.0 + 1e-15; // on its upper side, and just above
	cloth = plCreateCloth(f.world, &cd, &f.error);
	CHECK(countCrossings(&f) == 0);
	plDestroyBody(f.world, cloth);
	cd.transform.translation.z = 1.0;
	plCreateCloth(f.world, &cd, &f.error);
	CHECK(countCrossings(&f) > 0);
	plDestroyMesh(sheet);
	plDestroyMesh(box);
	destroyFixture(&f);
}

// Two steps with a search between them end where two steps end.
TEST(looking_for_crossings_changes_nothing)
{
	plWorldDef wd = newtonWorldDef();
	uint64_t hashes[2];
	for (int looks = 0; looks < 2; ++looks)
	{
		Fixture f = makeFolded(&wd, loop);
		plStepReport report;
		for (int step = 0; step < 2; ++step)
		{
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			CHECK(!report.hasCrossings);
			if (looks)
				CHECK(countCrossings(&f) < SIZE_MAX);
		}
		if (looks)
			CHECK(report.allocations == 0);
		hashes[looks] = plWorld_GetHash(f.world);
		destroyFixture(&f);
	}
	CHECK(hashes[0] == hashes[1]);
}

static bool livesWithCrossings(Meter* meter, const plMesh* mesh, plError* error)
{
	plWorldDef wd = newtonWorldDef();
	wd.allocator = meterHook(meter);
	plWorld* world = plCreateWorld(&wd, error);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	bd.mesh = mesh;
	bool fine = world != NULL && !PL_IS_NULL(plCreateSoftBody(world, &bd, error));
	size_t count = 1;
	fine = fine && !PL_IS_NULL(plCreateSoftBody(world, &bd, error)); // in the same place
	fine = fine && plWorld_CountCrossings(world, &count, error) == pl_success;
	if (!fine && world != NULL && count == 1)
		count = 0;
	plDestroyWorld(world);
	return fine && count > 0;
}

TEST(whichever_allocation_fails_a_search_leaves_nothing_over)
{
	failEachAllocation(livesWithCrossings, unit, (size_t[3]){2, 2, 2}, 20);
}

// ---- what it costs --------------------------------------------------------------------------------------------------

static double timeOf(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

// Processor time of a search, ms: of all threads, and of the calling one; the least of nine.
static void measure(Fixture* f, size_t* count, double* all, double* own)
{
	*all = *own = INFINITY;
	for (int round = 0; round < 9; ++round)
	{
		double a = timeOf(CLOCK_PROCESS_CPUTIME_ID), b = timeOf(CLOCK_THREAD_CPUTIME_ID);
		*count = countCrossings(f);
		*all = fmin(*all, timeOf(CLOCK_PROCESS_CPUTIME_ID) - a);
		*own = fmin(*own, timeOf(CLOCK_THREAD_CPUTIME_ID) - b);
	}
}

// 200 x 200 vertices, 1 m: flat and tilted; folded into ten layers that are a third of an edge apart; the same layers
// pushed through each other.
LONG_TEST(cost_of_a_search_at_40_thousand_vertices)
{
	static const char* const names[] = {"flat", "ten layers", "layers that cross"};
	for (int threads = 1; threads <= 2; ++threads)
	{
		plWorldDef wd = newtonWorldDef();
		plPool* pool = plCreatePool(threads);
		wd.pool = pool;
		plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
		Fixture f = makeSheet(&wd, &def, 1.0, 1.0, (size_t[2]){199, 199}, pl_clothEquilateral);
		double *x = malloc(3 * f.n * sizeof *x), *rest = malloc(3 * f.n * sizeof *rest);
		plBody_GetPositions(f.world, f.body, rest);
		for (int state = 0; state < 3; ++state)
		{
			for (size_t v = 0; v < f.n; ++v)
			{
				double s = rest[3 * v], edge = 1.0 / 199.0, width = 0.1, t = (s + 0.5) / width, layer = floor(t);
				double part = t - layer, back = fmod(layer, 2.0) == 0.0 ? part : 1.0 - part;
				double wave = state == 2 ? 0.4 * edge * sin(60.0 * rest[3 * v + 1] + 2.0 * layer) : 0.0;
				x[3 * v] = state == 0 ? s : width * back;
				x[3 * v + 1] = rest[3 * v + 1];
				x[3 * v + 2] = state == 0 ? 0.37 * s + 0.21 * rest[3 * v + 1] : edge / 3.0 * t + wave;
			}
			size_t count;
			double all, own;
			plBody_SetPositions(f.world, f.body, x);
			measure(&f, &count, &all, &own);
			printf(
			    "    %zu vertices, %zu triangles, %d threads, %s: %.1f ms in all, %.1f of the caller, %zu crossings\n",
			    f.n, f.m, threads, names[state], all, own, count);
		}
		free(x);
		free(rest);
		destroyFixture(&f);
		plDestroyPool(pool);
	}
}
