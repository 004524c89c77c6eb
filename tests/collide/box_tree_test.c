// box_tree_test.c: what a tree of boxes finds, against a loop over all boxes
#include "collide/box_tree.h"
#include "heap.h"
#include "meter.h"
#include "test.h"

#include <stdlib.h>

enum
{
	most = 5000
};

static plBox boxes[most];
static bool found[most];

// Boxes of many sizes around points of a cube, of a plane or of a line; every fifth is the same as the one before it.
static void scatter(size_t count, int dimensions, uint64_t seed)
{
	for (size_t b = 0; b < count; ++b)
		for (int i = 0; i < 3; ++i)
		{
			double middle = i < dimensions ? testRandom(&seed) : 0.25, half = 0.05 * testRandom(&seed);
			boxes[b].low[i] = b % 5 == 4 ? boxes[b - 1].low[i] : middle - fabs(half);
			boxes[b].high[i] = b % 5 == 4 ? boxes[b - 1].high[i] : middle + fabs(half);
		}
}

static bool note(uint32_t item, void* context)
{
	size_t* twice = context;
	*twice += found[item];
	found[item] = true;
	return true;
}

static void checkOverlaps(const plBoxTree* tree, size_t count, int queries, size_t* hits)
{
	uint64_t seed = 77;
	for (int q = 0; q < queries; ++q)
	{
		plBox box;
		size_t twice = 0;
		for (int i = 0; i < 3; ++i)
		{
			double middle = testRandom(&seed), half = 0.2 * fabs(testRandom(&seed));
			box.low[i] = middle - half;
			box.high[i] = middle + half;
		}
		if (q % 4 == 0 && count > 0) // one that touches a box from outside
		{
			box = boxes[(size_t)q % count];
			box.low[1] = box.high[1];
			box.high[1] += 0.1;
		}
		memset(found, 0, sizeof found);
		plBoxTree_Overlap(tree, &box, note, &twice);
		CHECK(twice == 0);
		for (size_t b = 0; b < count; ++b)
		{
			CHECK(found[b] == plBox_Overlaps(boxes + b, &box));
			*hits += found[b];
		}
	}
}

typedef struct Search
{
	const double *x, *along;
	double best;
	size_t visits;
} Search;

static double searchNear(uint32_t item, double limit, void* context)
{
	Search* search = context;
	double square = plBox_GetSquare(boxes + item, search->x);
	search->visits++;
	search->best = fmin(search->best, square);
	return fmin(limit, square);
}

static void checkNearest(const plBoxTree* tree, size_t count, int queries, size_t* visits)
{
	uint64_t seed = 78;
	for (int q = 0; q < queries; ++q)
	{
		double x[3] = {1.5 * testRandom(&seed), 1.5 * testRandom(&seed), 1.5 * testRandom(&seed)}, least = INFINITY;
		Search search = {.x = x, .best = INFINITY};
		for (size_t b = 0; b < count; ++b)
			least = fmin(least, plBox_GetSquare(boxes + b, x));
		plBoxTree_FindNearest(tree, x, INFINITY, searchNear, &search);
		CHECK(search.best == least);
		*visits += search.visits;
	}
}

// Where the ray enters a box, by the three slabs one after the other.
static double enter(const plBox* box, const double* x, const double* along)
{
	double low = 0.0, high = INFINITY;
	for (int i = 0; i < 3; ++i)
	{
		if (along[i] == 0.0 && (x[i] < box->low[i] || x[i] > box->high[i]))
			return INFINITY;
		if (along[i] == 0.0)
			continue;
		double near = (box->low[i] - x[i]) / along[i], far = (box->high[i] - x[i]) / along[i];
		low = fmax(low, near < far ? near : far);
		high = fmin(high, near < far ? far : near);
	}
	return low <= high ? low : INFINITY;
}

static double searchRay(uint32_t item, double limit, void* context)
{
	Search* search = context;
	double t = enter(boxes + item, search->x, search->along);
	search->visits++;
	search->best = fmin(search->best, t);
	return fmin(limit, t);
}

static void checkRays(const plBoxTree* tree, size_t count, int queries, size_t* hits)
{
	uint64_t seed = 79;
	for (int q = 0; q < queries; ++q)
	{
		double x[3] = {2.0 * testRandom(&seed), 2.0 * testRandom(&seed), 2.0 * testRandom(&seed)}, along[3];
		double limit = q % 3 == 0 ? 1.0 : INFINITY, least = INFINITY;
		for (int i = 0; i < 3; ++i) // towards the boxes, sometimes along an axis
			along[i] = q % 4 == i ? 0.0 : 0.3 * testRandom(&seed) - x[i];
		if (q % 7 == 0)
			along[0] = along[1] = 0.0;
		Search search = {.x = x, .along = along, .best = INFINITY};
		for (size_t b = 0; b < count; ++b)
			least = fmin(least, enter(boxes + b, x, along));
		plBoxTree_CastRay(tree, x, along, limit, searchRay, &search);
		CHECK(least > limit ? search.best > limit : search.best == least);
		*hits += search.best < INFINITY;
	}
}

TEST(a_tree_finds_what_a_loop_finds)
{
	static const size_t counts[] = {0, 1, 2, 4, 5, 9, 64, 1000, most};
	plBoxTree tree = {0};
	for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
		for (int dimensions = 0; dimensions <= 3; ++dimensions)
		{
			WITH("%zu boxes in %d dimensions", counts[c], dimensions);
			size_t hits = 0, rays = 0, visits = 0;
			scatter(counts[c], dimensions, c);
			CHECK(plBoxTree_Build(&tree, boxes, counts[c], &heap));
			CALL(checkOverlaps(&tree, counts[c], 60, &hits));
			CALL(checkNearest(&tree, counts[c], 60, &visits));
			CALL(checkRays(&tree, counts[c], 60, &rays));
			CHECK(counts[c] < 1000 || (hits > 60 && rays > (dimensions > 1 ? 10 : 0)));
			CHECK(counts[c] < 1000 || dimensions < 3 || visits < 60 * 100); // that is what a tree is for
			for (size_t b = 0; b < counts[c]; ++b)
				for (int i = 0; i < 3; ++i)
				{
					double shift = 0.2 * (double)(b % 7);
					boxes[b].low[i] += shift;
					boxes[b].high[i] += shift;
				}
			plBoxTree_Refit(&tree, boxes);
			CALL(checkOverlaps(&tree, counts[c], 20, &hits));
			CALL(checkNearest(&tree, counts[c], 20, &visits));
			CALL(checkRays(&tree, counts[c], 20, &rays));
		}
	plBoxTree_Destroy(&tree, &heap);
	CHECK(heap.bytes == 0);
}

static bool takeThree(uint32_t item, void* context)
{
	(void)item;
	return ++*(int*)context < 3;
}

TEST(a_visit_stops_when_told)
{
	plBoxTree tree = {0};
	int count = 0;
	const plBox all = {{-9.0, -9.0, -9.0}, {9.0, 9.0, 9.0}};
	scatter(100, 3, 1);
	CHECK(plBoxTree_Build(&tree, boxes, 100, &heap));
	plBoxTree_Overlap(&tree, &all, takeThree, &count);
	CHECK(count == 3);
	Search search = {.x = all.low, .best = INFINITY};
	plBoxTree_FindNearest(&tree, all.low, 0.0, searchNear, &search);
	CHECK(search.visits == 0);
	plBoxTree_Destroy(&tree, &heap);
}

TEST(an_equal_or_smaller_tree_is_built_without_memory_and_a_failed_one_changes_nothing)
{
	Meter meter = {0};
	plHeap own;
	plAllocator hook = meterHook(&meter);
	plHeap_Init(&own, &hook);
	plBoxTree tree = {0};
	scatter(most, 3, 3);
	CHECK(plBoxTree_Build(&tree, boxes, 1000, &own));
	size_t made = meter.made;
	CHECK(plBoxTree_Build(&tree, boxes, 1000, &own) && plBoxTree_Build(&tree, boxes, 10, &own));
	CHECK(plBoxTree_Build(&tree, boxes, 1000, &own) && meter.made == made);
	for (size_t k = 1; k <= 3; ++k)
	{
		size_t hits = 0;
		meter.failAt = meter.made + k;
		CHECK(!plBoxTree_Build(&tree, boxes, 2000, &own));
		CHECK(meter.live == 3 && tree.count == 1000);
		CALL(checkOverlaps(&tree, 1000, 10, &hits));
	}
	CHECK(plBoxTree_Build(&tree, boxes, 2000, &own));
	plBoxTree_Destroy(&tree, &own);
	CHECK(meter.live == 0 && own.bytes == 0);
}

// Sorted, reversed, all in one place: a quarter of a million boxes must not take the time of their square.
TEST(no_order_of_boxes_is_a_slow_one)
{
	enum
	{
		count = 250000
	};
	plBox* many = malloc(count * sizeof *many);
	plBoxTree tree = {0};
	for (int order = 0; order < 3; ++order)
	{
		for (size_t b = 0; b < count; ++b)
			for (int i = 0; i < 3; ++i)
				many[b].low[i] = many[b].high[i] = order == 0 ? (double)b : order == 1 ? (double)(count - b) : 1.0;
		CHECK(plBoxTree_Build(&tree, many, count, &heap));
		for (size_t b = 0; b < count; ++b) // all in one place: the order is that of their numbers
			CHECK(order != 2 || tree.items[b] == b);
	}
	plBoxTree_Destroy(&tree, &heap);
	free(many);
}
