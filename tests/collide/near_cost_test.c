// near_cost_test.c: what a search for near pairs costs
//
// Sheets of n x n vertices on 1 m, flat and tilted, or in ten layers that are a third of an edge apart; still, or on
// the way of a step in which they turn and bend by a few edges.
#include "collide/near.h"
#include "heap.h"
#include "test.h"

#include <math.h>
#include <time.h>

typedef struct Sheet
{
	size_t n, vertexCount, triangleCount;
	uint32_t* triangles;
	double *places, *ways; // by quads
	plTriangleTree tree;
	plNearSearch search;
} Sheet;

static void place(Sheet* s, bool folded)
{
	double edge = 1.0 / (double)(s->n - 1);
	for (size_t v = 0; v < s->vertexCount; ++v)
	{
		double x = edge * (double)(v % s->n), y = edge * (double)(v / s->n), t = 10.0 * x, layer = floor(t);
		double back = fmod(layer, 2.0) == 0.0 ? t - layer : 1.0 - t + layer;
		double *q = PL_AT(s->places, v), *w = PL_AT(s->ways, v);
		q[0] = folded ? 0.1 * back : x;
		q[1] = y;
		q[2] = folded ? edge / 3.0 * t : 0.37 * x + 0.21 * y;
		w[0] = 3.0 - 0.1 * q[1];
		w[1] = 0.1 * q[0];
		w[2] = 1.0 + 3.0 * edge * sin(8.0 * q[1]);
	}
}

static void makeSheet(Sheet* s, size_t n, plPool* pool)
{
	*s = (Sheet){.n = n, .vertexCount = n * n, .triangleCount = 2 * (n - 1) * (n - 1)};
	s->triangles = malloc(3 * s->triangleCount * sizeof *s->triangles);
	s->places = calloc(pl_quad * s->vertexCount, sizeof *s->places);
	s->ways = calloc(pl_quad * s->vertexCount, sizeof *s->ways);
	for (size_t c = 0; c < (n - 1) * (n - 1); ++c)
	{
		uint32_t a = (uint32_t)(c / (n - 1) * n + c % (n - 1)), d = (uint32_t)(a + n + 1);
		const uint32_t cell[6] = {a, a + 1, d, a, d, d - 1};
		memcpy(s->triangles + 6 * c, cell, sizeof cell);
	}
	place(s, false);
	CHECK(plTriangleTree_Build(&s->tree, s->triangles, s->triangleCount, s->places, pool, &heap) &&
	      plNearSearch_Prepare(&s->search, &s->tree, &heap));
}

static void dropSheet(Sheet* s)
{
	plNearSearch_Destroy(&s->search, &heap);
	plTriangleTree_Destroy(&s->tree, &heap);
	free(s->triangles);
	free(s->places);
	free(s->ways);
}

static double timeOf(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

// Processor time of a search, ms: of all threads, and of the calling one; the least of `rounds`.
static void measure(Sheet* s, double reach, bool moves, plPool* pool, int rounds, double time[2])
{
	time[0] = time[1] = INFINITY;
	for (int round = 0; round < rounds; ++round)
	{
		plNearWays along = {s->places, s->ways, 1.0};
		double all = timeOf(CLOCK_PROCESS_CPUTIME_ID), own = timeOf(CLOCK_THREAD_CPUTIME_ID);
		CHECK(moves ? plNearSearch_RunMoving(&s->search, &s->tree, &along, reach, pool, &heap)
		            : plNearSearch_Run(&s->search, &s->tree, s->places, reach, pool, &heap));
		time[0] = fmin(timeOf(CLOCK_PROCESS_CPUTIME_ID) - all, time[0]);
		time[1] = fmin(timeOf(CLOCK_THREAD_CPUTIME_ID) - own, time[1]);
	}
}

static void printCosts(size_t n, int threads, int rounds)
{
	plPool* pool = plCreatePool(threads);
	Sheet s;
	CALL(makeSheet(&s, n, pool));
	for (int state = 0; state < 4; ++state)
	{
		double time[2], reach = 0.5 / (double)(n - 1);
		bool folded = state % 2 == 1, moves = state > 1;
		place(&s, folded);
		CALL(measure(&s, reach, moves, pool, rounds, time));
		printf("    %zu vertices, %d threads, %s, %s: %.1f ms in all, %.1f of the caller, %zu pairs\n", s.vertexCount,
		       threads, folded ? "ten layers" : "flat", moves ? "on the way" : "still", time[0], time[1],
		       s.search.count);
	}
	CALL(dropSheet(&s));
	plDestroyPool(pool);
}

LONG_TEST(cost_of_searches_at_20_and_40_thousand_vertices)
{
	for (int threads = 1; threads <= 2; ++threads)
	{
		printCosts(142, threads, 5);
		printCosts(200, threads, 5);
	}
}

// The same on a small sheet: the measure works.
TEST(a_search_of_a_sheet_on_its_way_finds_pairs)
{
	Sheet s;
	double time[2];
	CALL(makeSheet(&s, 30, NULL));
	place(&s, true);
	CALL(measure(&s, 0.5 / 29.0, false, NULL, 1, time));
	size_t still = s.search.count;
	CALL(measure(&s, 0.5 / 29.0, true, NULL, 1, time));
	CHECK(still > 1000 && s.search.count >= still && s.search.count < 4 * still && time[0] > 0.0);
	CALL(dropSheet(&s));
}
