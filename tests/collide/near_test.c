// near_test.c: pairs of a surface that are near each other against loops over all pairs; balls that nothing crosses in
#include "collide/crossing_search.h"
#include "collide/near.h"
#include "heap.h"
#include "meter.h"
#include "test.h"

enum
{
	side = 20, // cells of a sheet: seven tasks
	sheetVertices = (side + 1) * (side + 1),
	vertexCount = 2 * sheetVertices,
	triangleCount = 4 * side * side,
	edgeCount = 2 * (3 * side * side + 2 * side),
};

static uint32_t triangles[3 * triangleCount], edges[2 * edgeCount];
static double places[pl_quad * vertexCount], balls[vertexCount];
static const double reach = 0.06, radius = 0.02;

static int compareEdges(const void* x, const void* y)
{
	return memcmp(x, y, 2 * sizeof(uint32_t));
}

// Two sheets above each other at 0.04, bent and jittered by a fifth of that; cells of 0.1
static void makeSheets(void)
{
	size_t t = 0, e = 0;
	uint64_t seed = 9;
	for (uint32_t s = 0; s < 2; ++s)
		for (uint32_t c = 0; c < side * side; ++c, t += 6)
		{
			uint32_t a = s * sheetVertices + c / side * (side + 1) + c % side, d = a + side + 2;
			const uint32_t cell[6] = {a, a + 1, d, a, d, d - 1};
			memcpy(triangles + t, cell, sizeof cell);
		}
	for (size_t v = 0; v < vertexCount; ++v)
	{
		double x = (double)(v % (side + 1)), y = (double)(v % sheetVertices / (side + 1)), *q = PL_AT(places, v);
		q[0] = 0.1 * x + 0.008 * testRandom(&seed);
		q[1] = 0.1 * y + 0.008 * testRandom(&seed);
		q[2] = 0.01 * x * y / side + (v < sheetVertices ? 0.0 : 0.04) + 0.008 * testRandom(&seed);
	}
	uint32_t all[6 * triangleCount];
	for (size_t c = 0; c < 3 * triangleCount; ++c)
	{
		uint32_t a = triangles[c], b = triangles[c - c % 3 + (c + 1) % 3];
		all[2 * c] = a < b ? a : b;
		all[2 * c + 1] = a < b ? b : a;
	}
	qsort(all, 3 * triangleCount, 2 * sizeof(uint32_t), compareEdges);
	for (size_t c = 0; c < 3 * triangleCount; ++c)
		if (c == 0 || compareEdges(all + 2 * c, all + 2 * (c - 1)) != 0)
			memcpy(edges + 2 * e++, all + 2 * c, 2 * sizeof(uint32_t));
	CHECK(e == edgeCount);
}

static double distanceOf(plNearKind kind, const uint32_t corners[4])
{
	double x[4][3];
	for (int k = 0; k < 4; ++k)
		memcpy(x[k], PL_AT(places, corners[k]), sizeof x[k]);
	return plNearest_GetDistance(kind, x);
}

static bool isListed(const plNearSearch* search, plNearKind kind, const uint32_t corners[4], double distance)
{
	size_t found = 0;
	for (size_t p = 0; p < search->count; ++p)
		found += search->pairs[p].kind == (uint32_t)kind && search->pairs[p].distance == distance &&
		         memcmp(search->pairs[p].corners, corners, 4 * sizeof(uint32_t)) == 0;
	return found == 1;
}

static void build(plTriangleTree* tree, plNearSearch* search, plPool* pool)
{
	makeSheets();
	CHECK(plTriangleTree_Build(tree, triangles, triangleCount, places, pool, &heap));
	CHECK(plNearSearch_Prepare(search, tree, &heap));
	CHECK(plNearSearch_Run(search, tree, places, reach, pool, &heap));
}

static void drop(plTriangleTree* tree, plNearSearch* search)
{
	plNearSearch_Destroy(search, &heap);
	plTriangleTree_Destroy(tree, &heap);
}

TEST(every_near_pair_is_found_once)
{
	plTriangleTree tree;
	plNearSearch search = {0};
	size_t faces = 0, count = 0;
	build(&tree, &search, NULL);
	for (uint32_t v = 0; v < vertexCount; ++v)
		for (size_t t = 0; t < triangleCount; ++t)
		{
			const uint32_t *w = triangles + 3 * t, corners[4] = {v, w[0], w[1], w[2]};
			double d = distanceOf(pl_nearFace, corners);
			if (v == w[0] || v == w[1] || v == w[2] || !(d < reach))
				continue;
			faces++;
			CHECK(isListed(&search, pl_nearFace, corners, d));
		}
	for (size_t e = 0; e < edgeCount; ++e)
		for (size_t f = e + 1; f < edgeCount; ++f)
		{
			const uint32_t *a = edges + 2 * e, *b = edges + 2 * f;
			bool swap = a[0] > b[0];
			const uint32_t corners[4] = {swap ? b[0] : a[0], swap ? b[1] : a[1], swap ? a[0] : b[0],
			                             swap ? a[1] : b[1]};
			if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1])
				continue;
			double d = distanceOf(pl_nearEdges, corners);
			if (!(d < reach))
				continue;
			count++;
			CHECK(isListed(&search, pl_nearEdges, corners, d));
		}
	CHECK(faces > 200 && search.faceCount == faces);
	CHECK(count > 200 && search.count == faces + count);
	drop(&tree, &search);
	CHECK(heap.bytes == 0);
}

// Some hundred are measured at once, so many that the last ones do not fill a vector, and no product is fused.
TEST(distances_of_many_pairs_have_the_bits_of_one)
{
	plTriangleTree tree;
	plNearSearch search = {0};
	build(&tree, &search, NULL);
	for (size_t from = 0; from < 8; ++from)
	{
		double measured[64];
		size_t first = from < 4 ? from : search.faceCount - 16 + from, count = 57 + from;
		plNearPairs_Measure(search.pairs + first, count, places, measured);
		for (size_t p = 0; p < count; ++p)
		{
			const plNearPair* pair = search.pairs + first + p;
			plNearest nearest;
			double x[4][3];
			for (int k = 0; k < 4; ++k)
				memcpy(x[k], PL_AT(places, pair->corners[k]), sizeof x[k]);
			plNearest_Find(&nearest, (plNearKind)pair->kind, x);
			CHECK(measured[p] == nearest.distance && pair->distance == nearest.distance);
		}
	}
	drop(&tree, &search);
}

// The two sheets are so near each other that most leaves have triangles of both.
TEST(only_surfaces_that_meet_have_pairs)
{
	static uint32_t owner[vertexCount];
	for (size_t v = 0; v < vertexCount; ++v)
		owner[v] = v >= sheetVertices;
	plTriangleTree tree, all;
	plNearSearch every = {0};
	build(&all, &every, NULL);
	for (unsigned bits = 0; bits < 8; ++bits)
	{
		WITH("%u", bits);
		const bool meetsItself[2] = {(bits & 1) != 0, (bits & 2) != 0};
		plNearSearch search = {.owner = owner, .meetsItself = meetsItself, .meetsOthers = (bits & 4) != 0};
		size_t kept = 0;
		build(&tree, &search, NULL);
		for (size_t p = 0; p < every.count; ++p)
		{
			const plNearPair* pair = every.pairs + p;
			uint32_t a = owner[pair->corners[0]], b = owner[pair->corners[3]];
			if (a == b ? !meetsItself[a] : !search.meetsOthers)
				continue;
			CHECK(kept < search.count && plNearPair_Compare(search.pairs + kept, pair) == 0);
			kept++;
		}
		CHECK(kept == search.count);
		drop(&tree, &search);
	}
	drop(&all, &every);
}

// The order of the tree is another one after the sheets have been built elsewhere.
TEST(pairs_do_not_depend_on_the_order_of_the_tree)
{
	plTriangleTree trees[2];
	plNearSearch searches[2] = {{0}, {0}};
	double turned[pl_quad * vertexCount];
	build(trees, searches, NULL);
	for (size_t v = 0; v < vertexCount; ++v)
		for (size_t i = 0; i < 3; ++i)
			PL_AT(turned, v)[i] = -PL_AT(places, vertexCount - 1 - v)[(i + 1) % 3];
	CHECK(plTriangleTree_Build(trees + 1, triangles, triangleCount, turned, NULL, &heap));
	CHECK(memcmp(trees[0].sources, trees[1].sources, triangleCount * sizeof(uint32_t)) != 0);
	CHECK(plNearSearch_Prepare(searches + 1, trees + 1, &heap));
	CHECK(plNearSearch_Run(searches + 1, trees + 1, places, reach, NULL, &heap));
	CHECK(searches[0].count == searches[1].count);
	for (size_t p = 0; p < searches[0].count; ++p)
		CHECK(searches[0].pairs[p].distance == searches[1].pairs[p].distance &&
		      memcmp(searches[0].pairs[p].corners, searches[1].pairs[p].corners, 4 * sizeof(uint32_t)) == 0);
	drop(trees, searches);
	drop(trees + 1, searches + 1);
}

// Is it a pair of triangles, or edges, that both stand still?
static bool stands(const plNearPair* pair, uint32_t first)
{
	return pair->corners[0] >= first && pair->corners[3] >= first;
}

static bool isSamePair(const plNearPair* a, const plNearPair* b)
{
	return plNearPair_Compare(a, b) == 0 && a->distance == b->distance && a->way == b->way;
}

// Those of `some` are those of `all` of which one side moves.
static void checkStanding(const plNearSearch* all, const plNearSearch* some, uint32_t first)
{
	size_t kept = 0, faces = 0;
	for (size_t p = 0; p < all->count; ++p)
	{
		if (stands(all->pairs + p, first))
			continue;
		CHECK(kept < some->count && isSamePair(all->pairs + p, some->pairs + kept));
		faces += p < all->faceCount;
		kept++;
	}
	CHECK(kept == some->count && faces == some->faceCount && kept > 0);
}

// The second sheet stands still: its boxes are fitted once, and pairs are as if that were not known,
// without its own. Until it moves.
TEST(what_stands_still_is_fitted_once_and_has_the_same_pairs)
{
	plTriangleTree trees[2];
	plNearSearch searches[2] = {{0}, {0}};
	double ways[pl_quad * vertexCount];
	static uint32_t owner[vertexCount];
	static const bool meetsItself[2] = {true, false};
	const size_t moving = 2 * side * side + 3; // no whole number of leaves
	const uint32_t first = sheetVertices;
	build(trees, searches, NULL);
	CHECK(plTriangleTree_BuildStanding(trees + 1, triangles, moving, triangleCount, places, NULL, &heap));
	for (uint32_t v = 0; v < vertexCount; ++v)
		owner[v] = v >= first;
	searches[1].owner = owner;
	searches[1].meetsItself = meetsItself;
	searches[1].meetsOthers = true;
	CHECK(plNearSearch_Prepare(searches + 1, trees + 1, &heap));
	uint32_t stamp = trees[1].stillStamp;
	for (int step = 0; step < 6; ++step)
	{
		WITH("step %d", step);
		for (size_t v = 0; v < vertexCount; ++v)
			for (size_t i = 0; i < 3; ++i)
			{
				bool moves = v < first || step == 5;
				PL_AT(ways, v)[i] = moves ? 0.3 * reach * sin((double)(v + 5 * i + 11 * (size_t)step)) : 0.0;
				PL_AT(places, v)[i] += moves ? 0.5 * PL_AT(ways, v)[i] : 0.0;
				PL_AT(ways, v)[i] *= v < first ? 1.0 : 0.0;
			}
		if (step == 5)
			plTriangleTree_MoveStanding(trees + 1);
		for (int s = 0; s < 2; ++s)
			CHECK(plNearSearch_Run(searches + s, trees + s, places, reach, NULL, &heap));
		checkStanding(searches, searches + 1, first);
		plNearWays along[2] = {{places, ways, 1.0}, {places, ways, 1.0}};
		for (int s = 0; s < 2; ++s)
			CHECK(plNearSearch_RunMoving(searches + s, trees + s, along + s, reach, NULL, &heap));
		CHECK(along[0].scale == 1.0 && along[1].scale == 1.0);
		checkStanding(searches, searches + 1, first);
		CHECK(trees[1].stillStamp == stamp + (step < 5 ? 1u : 2u));
	}
	drop(trees, searches);
	drop(trees + 1, searches + 1);
	CHECK(heap.bytes == 0);
}

TEST(any_number_of_threads_finds_the_same_and_a_second_search_allocates_nothing)
{
	static const int threads[] = {2, 3, 7};
	plTriangleTree tree, other;
	plNearSearch search = {0};
	build(&tree, &search, NULL);
	for (size_t k = 0; k < 3; ++k)
	{
		WITH("%d threads", threads[k]);
		plNearSearch mine = {0};
		plPool* pool = plCreatePool(threads[k]);
		build(&other, &mine, pool);
		size_t bytes = heap.bytes;
		CHECK(plNearSearch_Run(&mine, &other, places, reach, pool, &heap));
		CHECK(heap.bytes == bytes && mine.count == search.count && mine.faceCount == search.faceCount);
		for (size_t p = 0; p < search.count; ++p)
			CHECK(mine.pairs[p].distance == search.pairs[p].distance &&
			      memcmp(mine.pairs[p].corners, search.pairs[p].corners, 4 * sizeof(uint32_t)) == 0);
		drop(&other, &mine);
		plDestroyPool(pool);
	}
	drop(&tree, &search);
}

// Vertices go to the ends of their balls, `factor` times as far, in random directions. How often does anything cross?
static void countCrossings(plTriangleTree* tree, double factor, size_t* count)
{
	plCrossingSearch crossings = {0};
	double moved[pl_quad * vertexCount];
	uint64_t seed = 3;
	*count = 0;
	for (int i = 0; i < 40; ++i)
	{
		memcpy(moved, places, sizeof moved);
		for (size_t v = 0; v < vertexCount; ++v)
		{
			// the sheets are drawn towards each other
			double d[3] = {0.3 * testRandom(&seed), 0.3 * testRandom(&seed), v < sheetVertices ? 1.0 : -1.0};
			double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
			for (int k = 0; k < 3; ++k)
				PL_AT(moved, v)[k] += factor * balls[v] * d[k] / length;
		}
		plTriangleTree_Refit(tree, moved, 0.0, NULL);
		CHECK(plCrossingSearch_Run(&crossings, tree, NULL, &heap));
		*count += crossings.count;
	}
	plCrossingSearch_Destroy(&crossings, &heap);
}

TEST(nothing_crosses_inside_of_balls)
{
	plTriangleTree tree;
	plNearSearch search = {0};
	build(&tree, &search, NULL);
	plNearSearch_FindBalls(&search, reach, radius, balls, vertexCount);
	for (size_t v = 0; v < vertexCount; ++v)
		CHECK(balls[v] > 0.0 && balls[v] <= 0.5 * (reach - radius));
	for (size_t p = 0; p < search.count; ++p)
		for (int k = 0; k < 4; ++k)
			CHECK(balls[search.pairs[p].corners[k]] <= 0.45 * search.pairs[p].distance);
	size_t inside, beyond;
	CALL(countCrossings(&tree, 1.0, &inside));
	CALL(countCrossings(&tree, 2.0, &beyond));
	CHECK(inside == 0 && beyond > 0);
	drop(&tree, &search);
}

// ---- looking ahead --------------------------------------------------------------------------------------------------

static double ways[pl_quad * vertexCount];

// Both sheets go far together, turn and bend; the upper one also goes down by `down`, everything by a random part.
static void makeWays(double common, double turn, double down, double random)
{
	uint64_t seed = 21;
	for (size_t v = 0; v < vertexCount; ++v)
	{
		const double* q = PL_AT(places, v);
		double* w = PL_AT(ways, v);
		w[0] = common - turn * q[1] + random * testRandom(&seed);
		w[1] = turn * q[0] + random * testRandom(&seed);
		w[2] = 0.5 * common + turn * sin(3.0 * q[0]) + random * testRandom(&seed) - (v < sheetVertices ? 0.0 : down);
	}
}

static void goAlong(double s)
{
	for (size_t c = 0; c < pl_quad * vertexCount; ++c)
		places[c] += s * ways[c];
}

static double leastWay(const plNearSearch* search)
{
	double least = 1.0;
	for (size_t p = 0; p < search->count; ++p)
		least = search->pairs[p].way < least ? search->pairs[p].way : least;
	return least;
}

static bool isIn(const plNearSearch* search, plNearKind kind, const uint32_t corners[4])
{
	plNearPair key = {.kind = kind};
	memcpy(key.corners, corners, sizeof key.corners);
	return bsearch(&key, search->pairs, search->count, sizeof key, plNearPair_Compare) != NULL;
}

// Pairs nearer than the reach now that a search looking ahead has not listed
static void countMissing(plTriangleTree* tree, const plNearSearch* search, size_t* missing)
{
	plNearSearch now = {0};
	CHECK(plNearSearch_Prepare(&now, tree, &heap) && plNearSearch_Run(&now, tree, places, reach, NULL, &heap));
	for (size_t p = 0; p < now.count; ++p)
		*missing += !isIn(search, (plNearKind)now.pairs[p].kind, now.pairs[p].corners);
	plNearSearch_Destroy(&now, &heap);
}

static void countCrossed(plTriangleTree* tree, size_t* count)
{
	plCrossingSearch crossings = {0};
	plTriangleTree_Refit(tree, places, 0.0, NULL);
	CHECK(plCrossingSearch_Run(&crossings, tree, NULL, &heap));
	*count += crossings.count;
	plCrossingSearch_Destroy(&crossings, &heap);
}

typedef struct Ahead
{
	double way;              // the least
	size_t count;            // pairs
	size_t missing, crossed; // over 40 states up to there
	size_t after;            // crossings at one and a half of it
} Ahead;

static void lookAhead(double common, double turn, double down, double random, Ahead* out)
{
	plTriangleTree tree;
	plNearSearch search = {0};
	Ahead ahead = {0};
	build(&tree, &search, NULL);
	CALL(makeWays(common, turn, down, random));
	plNearWays along = {places, ways, 1.0};
	CHECK(plNearSearch_RunMoving(&search, &tree, &along, reach, NULL, &heap));
	ahead.way = along.scale * leastWay(&search);
	ahead.count = search.count;
	for (int i = 1; i <= 40; ++i)
	{
		goAlong(ahead.way / 40.0);
		CALL(countCrossed(&tree, &ahead.crossed));
		if (i % 8 == 0)
			CALL(countMissing(&tree, &search, &ahead.missing));
	}
	plNearSearch_Follow(&search, places, NULL);
	for (size_t p = 0; p < search.count; ++p)
		CHECK(search.pairs[p].distance > 0.0 &&
		      search.pairs[p].distance == distanceOf((plNearKind)search.pairs[p].kind, search.pairs[p].corners));
	goAlong(0.5 * ahead.way);
	CALL(countCrossed(&tree, &ahead.after));
	drop(&tree, &search);
	*out = ahead;
}

TEST(what_goes_together_goes_as_far_as_it_likes)
{
	plTriangleTree tree;
	plNearSearch search = {0};
	build(&tree, &search, NULL);
	size_t count = search.count;
	drop(&tree, &search);
	Ahead still = {0}, far = {0}, bent = {0};
	CALL(lookAhead(0.0, 0.0, 0.0, 0.0, &still));
	CALL(lookAhead(50.0, 0.0, 0.0, 0.0, &far));
	CALL(lookAhead(5.0, 0.04, 0.0, 0.0, &bent)); // by 8 cm, twice what sheets are apart
	CHECK(still.way == 1.0 && still.count == count && still.missing == 0 && still.crossed == 0);
	CHECK(far.way == 1.0 && far.count == count && far.missing == 0 && far.crossed == 0);
	CHECK(bent.way == 1.0 && bent.missing == 0 && bent.crossed == 0);
}

TEST(nothing_crosses_up_to_the_least_way_and_the_list_is_complete_there)
{
	const double cases[][4] = {{0.0, 0.0, 0.03, 0.0}, {3.0, 0.1, 0.3, 0.0},  {3.0, 0.3, 3.0, 0.01},
	                           {0.0, 0.0, 0.0, 0.5},  {1.0, 0.1, 40.0, 0.1}, {1.0, 2.0, 0.0, 0.0}};
	size_t after = 0;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
	{
		WITH("case %zu", i);
		Ahead ahead = {0};
		CALL(lookAhead(cases[i][0], cases[i][1], cases[i][2], cases[i][3], &ahead));
		CHECK(ahead.way > 0.0 && ahead.way < 1.0 && ahead.missing == 0 && ahead.crossed == 0);
		after += ahead.after > 0;
	}
	CHECK(after > 2);
}

TEST(a_direction_longer_than_the_world_lists_no_more_than_a_short_one)
{
	Ahead brief = {0};
	CALL(lookAhead(0.0, 0.0, 0.0, 0.5, &brief));
	for (double length = 1e3; length < 1e200; length *= 1e18)
	{
		WITH("length %g", length);
		Ahead ahead = {0};
		CALL(lookAhead(0.0, 0.0, 0.0, length, &ahead));
		CHECK(ahead.way > 0.0 && ahead.missing == 0 && ahead.crossed == 0);
		CHECK(ahead.count < 4 * brief.count);
	}
}

TEST(whichever_allocation_fails_nothing_is_left_over)
{
	size_t k = 1;
	makeSheets();
	for (bool fine = false; !fine; ++k)
	{
		Meter meter = {.failAt = k};
		plAllocator hook = meterHook(&meter);
		plHeap own;
		plTriangleTree tree;
		plNearSearch search = {0};
		plHeap_Init(&own, &hook);
		fine = plTriangleTree_Build(&tree, triangles, triangleCount, places, NULL, &own) &&
		       plNearSearch_Prepare(&search, &tree, &own) &&
		       plNearSearch_Run(&search, &tree, places, reach, NULL, &own);
		CHECK(fine || search.count == 0);
		plNearSearch_Destroy(&search, &own);
		plTriangleTree_Destroy(&tree, &own);
		CHECK(meter.live == 0);
	}
	CHECK(k > 9);
}

TEST(no_triangles_have_no_pairs)
{
	plTriangleTree tree;
	plNearSearch search = {0};
	CHECK(plTriangleTree_Build(&tree, NULL, 0, NULL, NULL, &heap));
	CHECK(plNearSearch_Prepare(&search, &tree, &heap) && plNearSearch_Run(&search, &tree, NULL, reach, NULL, &heap));
	CHECK(search.count == 0);
	drop(&tree, &search);
}
