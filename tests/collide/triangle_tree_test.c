// triangle_tree_test.c: pairs that a tree of triangles finds, and those of them that cross, against loops over all
// pairs
#include "collide/crossing.h"
#include "collide/crossing_search.h"
#include "heap.h"
#include "meter.h"
#include "test.h"

enum
{
	side = 24, // cells of the sheet
	vertexCount = (side + 1) * (side + 1),
	triangleCount = 2 * side * side,
};

static uint32_t triangles[3 * triangleCount];
static double places[pl_quad * vertexCount];

// A sheet of cells, crumpled by `height`: 0 flat in a plane that no axis is in
static void makeSheet(double height, uint64_t seed)
{
	size_t t = 0;
	for (uint32_t j = 0; j < side; ++j)
		for (uint32_t i = 0; i < side; ++i)
		{
			uint32_t a = j * (side + 1) + i, b = a + 1, c = a + side + 1, d = c + 1;
			const uint32_t cell[6] = {a, b, d, a, d, c};
			memcpy(triangles + 3 * t, cell, sizeof cell);
			t += 2;
		}
	for (size_t v = 0; v < vertexCount; ++v)
	{
		double x = (double)(v % (side + 1)), y = (double)(v / (side + 1));
		double* q = PL_AT(places, v);
		q[0] = 0.1 * x + 0.03 * y + height * testRandom(&seed);
		q[1] = 0.1 * y - 0.05 * x + height * testRandom(&seed);
		q[2] = 0.07 * x + 0.02 * y + height * testRandom(&seed);
		q[3] = 0.0;
	}
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

typedef struct Seen
{
	const plTriangleTree* tree;
	uint8_t* pairs; // [triangleCount^2]
	size_t count, twice;
} Seen;

static void note(size_t task, uint32_t a, uint32_t b, void* context)
{
	Seen* seen = context;
	(void)task;
	size_t x = seen->tree->sources[a], y = seen->tree->sources[b];
	uint8_t* pair = seen->pairs + (x < y ? x * triangleCount + y : y * triangleCount + x);
	seen->twice += *pair || a >= b;
	*pair = 1;
	seen->count++;
}

static bool overlaps(size_t s, size_t t, double margin)
{
	for (int i = 0; i < 3; ++i)
	{
		double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
		for (size_t k = 0; k < 3; ++k)
		{
			double x = PL_AT(places, triangles[3 * s + k])[i], y = PL_AT(places, triangles[3 * t + k])[i];
			low[0] = fmin(low[0], x), high[0] = fmax(high[0], x);
			low[1] = fmin(low[1], y), high[1] = fmax(high[1], y);
		}
		if (low[0] - margin > high[1] + margin || low[1] - margin > high[0] + margin)
			return false;
	}
	return true;
}

static void checkPairs(const plTriangleTree* tree, double margin)
{
	Seen seen = {.tree = tree, .pairs = calloc(triangleCount, triangleCount)};
	size_t expected = 0;
	plTriangleTree_VisitPairs(tree, NULL, note, &seen);
	CHECK(seen.twice == 0);
	for (size_t s = 0; s < triangleCount; ++s)
		for (size_t t = s + 1; t < triangleCount; ++t)
		{
			bool is = overlaps(s, t, margin);
			expected += is;
			CHECK(!is || seen.pairs[s * triangleCount + t]);
		}
	CHECK(seen.count >= expected && seen.count < expected + expected / 20 + 20); // floats are rounded outwards
	free(seen.pairs);
}

TEST(every_pair_of_boxes_that_overlap_is_visited_once)
{
	plTriangleTree tree;
	makeSheet(0.2, 3);
	CHECK(plTriangleTree_Build(&tree, triangles, triangleCount, places, NULL, &heap));
	checkPairs(&tree, 0.0);
	makeSheet(0.6, 8); // the same order, other places
	plTriangleTree_Refit(&tree, places, 0.0, NULL);
	checkPairs(&tree, 0.0);
	plTriangleTree_Refit(&tree, places, 0.05, NULL);
	checkPairs(&tree, 0.05);
	plTriangleTree_Destroy(&tree, &heap);
	CHECK(heap.bytes == 0);
}

// ---- crossings ------------------------------------------------------------------------------------------------------

static plFacet facetOf(size_t t)
{
	plFacet f;
	for (size_t k = 0; k < 3; ++k)
	{
		f.vertex[k] = triangles[3 * t + k];
		f.corner[k] = PL_AT(places, f.vertex[k]);
	}
	return f;
}

static void checkCrossings(const plCrossingSearch* search, size_t* count)
{
	size_t at = 0;
	for (uint32_t s = 0; s < triangleCount; ++s)
		for (uint32_t t = s + 1; t < triangleCount; ++t)
		{
			plFacet a = facetOf(s), b = facetOf(t);
			if (!plFacets_Cross(&a, &b))
				continue;
			CHECK(at < search->count && search->pairs[at].a == s && search->pairs[at].b == t);
			++at;
		}
	CHECK(at == search->count);
	*count = at;
}

TEST(crossings_are_those_of_all_pairs)
{
	static const double heights[] = {0.0, 0.01, 0.05, 0.3, 2.0};
	size_t counts[5];
	plCrossingSearch search = {0};
	for (int i = 0; i < 5; ++i)
	{
		plTriangleTree tree;
		WITH("height %g", heights[i]);
		makeSheet(heights[i], 40);
		CHECK(plTriangleTree_Build(&tree, triangles, triangleCount, places, NULL, &heap));
		CHECK(plCrossingSearch_Run(&search, &tree, NULL, &heap));
		checkCrossings(&search, &counts[i]);
		plTriangleTree_Destroy(&tree, &heap);
	}
	CHECK(counts[0] == 0 && counts[1] == 0);
	CHECK(counts[2] > 0 && counts[3] > counts[2] && counts[4] > 10000);
	plCrossingSearch_Destroy(&search, &heap);
	CHECK(heap.bytes == 0);
}

TEST(crossings_are_the_same_for_any_number_of_threads)
{
	plTriangleTree tree;
	plCrossingSearch one = {0};
	makeSheet(0.3, 6);
	CHECK(plTriangleTree_Build(&tree, triangles, triangleCount, places, NULL, &heap));
	CHECK(plCrossingSearch_Run(&one, &tree, NULL, &heap));
	for (int threads = 2; threads <= 7; threads += threads == 2 ? 1 : 4)
	{
		plPool* pool = plCreatePool(threads);
		plCrossingSearch many = {0};
		plTriangleTree_Refit(&tree, places, 0.0, pool);
		CHECK(plCrossingSearch_Run(&many, &tree, pool, &heap));
		CHECK(many.count == one.count && one.count > 0);
		CHECK(memcmp(many.pairs, one.pairs, one.count * sizeof *one.pairs) == 0);
		plCrossingSearch_Destroy(&many, &heap);
		plDestroyPool(pool);
	}
	plCrossingSearch_Destroy(&one, &heap);
	plTriangleTree_Destroy(&tree, &heap);
}

TEST(a_second_search_takes_no_memory)
{
	plTriangleTree tree;
	plCrossingSearch search = {0};
	makeSheet(0.3, 6);
	CHECK(plTriangleTree_Build(&tree, triangles, triangleCount, places, NULL, &heap));
	CHECK(plCrossingSearch_Run(&search, &tree, NULL, &heap));
	size_t before = heap.count;
	plTriangleTree_Refit(&tree, places, 0.0, NULL);
	CHECK(plCrossingSearch_Run(&search, &tree, NULL, &heap));
	CHECK(heap.count == before);
	plCrossingSearch_Destroy(&search, &heap);
	plTriangleTree_Destroy(&tree, &heap);
}

TEST(corners_that_are_not_finite_cross_nothing)
{
	plTriangleTree tree;
	plCrossingSearch search = {0};
	makeSheet(0.3, 6);
	places[0] = NAN;
	PL_AT(places, 30)[1] = INFINITY;
	CHECK(plTriangleTree_Build(&tree, triangles, triangleCount, places, NULL, &heap));
	CHECK(plCrossingSearch_Run(&search, &tree, NULL, &heap));
	CHECK(search.count > 0);
	for (size_t i = 0; i < search.count; ++i)
		for (size_t k = 0; k < 3; ++k)
		{
			uint32_t a = triangles[3 * search.pairs[i].a + k], b = triangles[3 * search.pairs[i].b + k];
			CHECK(a != 0 && a != 30 && b != 0 && b != 30);
		}
	plCrossingSearch_Destroy(&search, &heap);
	plTriangleTree_Destroy(&tree, &heap);
}

TEST(no_triangles_are_a_tree)
{
	plTriangleTree tree;
	plCrossingSearch search = {0};
	CHECK(plTriangleTree_Build(&tree, NULL, 0, NULL, NULL, &heap));
	plTriangleTree_Refit(&tree, NULL, 0.0, NULL);
	CHECK(plCrossingSearch_Run(&search, &tree, NULL, &heap));
	CHECK(search.count == 0);
	plCrossingSearch_Destroy(&search, &heap);
	plTriangleTree_Destroy(&tree, &heap);
}

TEST(whichever_allocation_fails_nothing_is_left_over)
{
	size_t k = 1;
	makeSheet(0.3, 6);
	for (bool fine = false; !fine; ++k)
	{
		Meter meter = {.failAt = k};
		plAllocator hook = meterHook(&meter);
		plHeap own;
		plTriangleTree tree;
		plCrossingSearch search = {0};
		plHeap_Init(&own, &hook);
		fine = plTriangleTree_Build(&tree, triangles, triangleCount, places, NULL, &own) &&
		       plCrossingSearch_Run(&search, &tree, NULL, &own);
		CHECK(fine || search.count == 0);
		plCrossingSearch_Destroy(&search, &own);
		plTriangleTree_Destroy(&tree, &own);
		CHECK(meter.live == 0);
	}
	CHECK(k > 9);
}
