// broad_test.c: pairs of boxes against brute force: adding, moving, removing, threads, half-spaces, shortage of memory
#include "collide/broad.h"
#include "heap.h"
#include "meter.h"

enum
{
	most = 400
};

static uint64_t seed;

// In [0, 1)
static double random01(void)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (double)(seed >> 11) * 0x1p-53;
}

static plBox randomBox(double spread, double size)
{
	plBox box;
	for (int i = 0; i < 3; ++i)
	{
		box.low[i] = spread * random01();
		box.high[i] = box.low[i] + size * random01();
	}
	return box;
}

static plBox fatten(const plBox* box, double by)
{
	plBox fat = *box;
	for (int i = 0; i < 3; ++i)
	{
		fat.low[i] -= by;
		fat.high[i] += by;
	}
	return fat;
}

// Items of one team do not meet.
static bool otherTeam(uint32_t a, uint32_t b, void* context)
{
	uint32_t teams = *(uint32_t*)context;
	return a % teams != b % teams;
}

static bool expects(const plBroad* broad, uint32_t a, uint32_t b, uint32_t teams)
{
	const plBroadItem *x = broad->items + a, *y = broad->items + b;
	if (!x->isThere || !y->isThere || !(x->isMoving || y->isMoving) || a % teams == b % teams)
		return false;
	if (!x->isUnbounded && !y->isUnbounded)
		return plBox_Overlaps(&x->box, &y->box);
	const plBroadItem *space = x->isUnbounded ? x : y, *item = x->isUnbounded ? y : x;
	double nearest = INFINITY;
	for (int corner = 0; corner < 8; ++corner)
	{
		double along = 0.0;
		for (int i = 0; i < 3; ++i)
			along += space->normal[i] * (corner >> i & 1 ? item->box.high[i] : item->box.low[i]);
		nearest = fmin(nearest, along);
	}
	return nearest <= space->offset;
}

static void checkPairs(const plBroad* broad, uint32_t count, uint32_t teams)
{
	size_t p = 0;
	for (uint32_t a = 0; a < count; ++a)
		for (uint32_t b = a + 1; b < count; ++b)
			if (expects(broad, a, b, teams))
			{
				WITH("pair %u %u", a, b);
				CHECK(p < broad->pairCount && broad->pairs[p].a == a && broad->pairs[p].b == b);
				++p;
			}
	CHECK(p == broad->pairCount);
}

// Boxes that come, go and move for some rounds.
static void live(plBroad* broad, plPool* pool, int rounds, bool checks)
{
	uint32_t teams = 7;
	static plBox boxes[most];
	static bool there[most];
	memset(there, 0, sizeof there);
	seed = 11;
	for (int round = 0; round < rounds; ++round)
	{
		for (uint32_t i = 0; i < most; ++i)
		{
			double dice = random01();
			plBox fat;
			if (!there[i] && dice < 0.3)
			{
				boxes[i] = randomBox(10.0, i % 50 == 0 ? 5.0 : 1.0);
				fat = fatten(boxes + i, 0.1);
				CHECK(plBroad_Add(broad, i, &fat, i % 3 != 0));
				there[i] = true;
			}
			else if (there[i] && dice < 0.05)
			{
				plBroad_Remove(broad, i);
				there[i] = false;
			}
			else if (there[i] && i % 3 != 0)
			{
				for (int k = 0; k < 3; ++k)
				{
					double step = 0.1 * (random01() - 0.5);
					boxes[i].low[k] += step;
					boxes[i].high[k] += step;
				}
				fat = fatten(boxes + i, 0.1);
				plBroad_Move(broad, i, boxes + i, &fat);
				CHECK(plBox_Contains(&broad->items[i].box, boxes + i));
			}
		}
		CHECK(plBroad_Update(broad, pool, otherTeam, &teams));
		if (checks)
			CALL(checkPairs(broad, most, teams));
	}
}

TEST(pairs_are_those_of_brute_force_while_boxes_come_go_and_move)
{
	plBroad broad;
	plBroad_Init(&broad, &heap);
	live(&broad, NULL, 60, true);
	CHECK(broad.pairCount > 50);
	plBroad_Destroy(&broad);
	CHECK(heap.bytes == 0);
}

TEST(pairs_are_the_same_for_any_number_of_threads)
{
	plBroad one, many;
	plBroad_Init(&one, &heap);
	live(&one, NULL, 25, false);
	for (int threads = 2; threads <= 7; threads += 5)
	{
		plPool* pool = plCreatePool(threads);
		plBroad_Init(&many, &heap);
		live(&many, pool, 25, false);
		CHECK(one.pairCount == many.pairCount);
		CHECK(memcmp(one.pairs, many.pairs, one.pairCount * sizeof *one.pairs) == 0);
		plBroad_Destroy(&many);
		plDestroyPool(pool);
	}
	plBroad_Destroy(&one);
}

TEST(a_half_space_meets_what_reaches_into_it)
{
	plBroad broad;
	uint32_t teams = most + 1;
	plBroad_Init(&broad, &heap);
	seed = 5;
	for (uint32_t i = 0; i < 100; ++i)
	{
		plBox box = randomBox(4.0, 0.5);
		CHECK(i == 40 || i == 70 || plBroad_Add(&broad, i, &box, true));
	}
	CHECK(plBroad_AddHalfSpace(&broad, 70, (double[3]){0.0, 1.0, 0.0}, 1.0));
	CHECK(plBroad_AddHalfSpace(&broad, 40, (double[3]){0.6, 0.0, -0.8}, 0.5));
	CHECK(plBroad_Update(&broad, NULL, otherTeam, &teams));
	CALL(checkPairs(&broad, 100, teams));
	plBox jump = {{0.0, 50.0, 0.0}, {1.0, 51.0, 1.0}};
	plBroad_Move(&broad, 3, &jump, &jump);
	plBroad_Remove(&broad, 40);
	CHECK(plBroad_Update(&broad, NULL, otherTeam, &teams));
	CALL(checkPairs(&broad, 100, teams));
	plBroad_Destroy(&broad);
}

TEST(what_rests_costs_nothing)
{
	plBroad broad;
	uint32_t teams = most + 1;
	plBroad_Init(&broad, &heap);
	live(&broad, NULL, 5, false);
	CHECK(plBroad_Update(&broad, NULL, otherTeam, &teams) && broad.freshCount == 0);
	size_t allocations = heap.count;
	for (uint32_t i = 0; i < most; ++i)
		if (broad.items[i].isThere)
			plBroad_Move(&broad, i, &broad.items[i].box, &broad.items[i].box);
	CHECK(broad.freshCount == 0);
	CHECK(plBroad_Update(&broad, NULL, otherTeam, &teams));
	CHECK(heap.count == allocations);
	plBroad_Destroy(&broad);
}

TEST(a_ray_meets_the_boxes_that_brute_force_says)
{
	plDynamicTree tree;
	static plBox boxes[most];
	plDynamicTree_Init(&tree, &heap);
	seed = 3;
	for (uint32_t i = 0; i < most; ++i)
	{
		boxes[i] = randomBox(10.0, 1.0);
		CHECK(plDynamicTree_Insert(&tree, boxes + i, i) != pl_noNode);
	}
	for (int r = 0; r < 300; ++r)
	{
		plBox ends = randomBox(10.0, 10.0);
		static bool hit[most];
		memset(hit, 0, sizeof hit);
		if (r % 5 == 0)
			ends.high[1] = ends.low[1]; // along a plane of axes
		for (uint32_t leaf = pl_noNode;
		     (leaf = plDynamicTree_NextOnRay(&tree, leaf, ends.low, ends.high, 0.7)) != pl_noNode;)
			hit[tree.nodes[leaf].item] = true;
		for (uint32_t i = 0; i < most; ++i)
		{
			double enter = 0.0, leave = 0.7;
			for (int k = 0; k < 3; ++k)
			{
				double d = ends.high[k] - ends.low[k], a = boxes[i].low[k] - ends.low[k],
				       b = boxes[i].high[k] - ends.low[k];
				enter = d != 0.0 ? fmax(enter, fmin(a / d, b / d)) : a > 0.0 || b < 0.0 ? INFINITY : enter;
				leave = d != 0.0 ? fmin(leave, fmax(a / d, b / d)) : leave;
			}
			CHECK(hit[i] == (enter <= leave));
		}
	}
	plDynamicTree_Destroy(&tree);
}

TEST(whichever_allocation_fails_the_pairs_come_right_later)
{
	for (size_t k = 1; k < 40; ++k)
	{
		Meter meter = {.failAt = k};
		plAllocator hook = meterHook(&meter);
		plHeap small;
		plBroad broad;
		uint32_t teams = most + 1;
		plHeap_Init(&small, &hook);
		plBroad_Init(&broad, &small);
		seed = 2;
		for (uint32_t i = 0; i < most; ++i)
		{
			plBox box = randomBox(5.0, 1.0);
			while (!plBroad_Add(&broad, i, &box, true))
				CHECK(!(broad.itemRoom > i && broad.items[i].isThere));
		}
		while (!plBroad_Update(&broad, NULL, otherTeam, &teams))
			CHECK(broad.pairCount == 0);
		CALL(checkPairs(&broad, most, teams));
		plBroad_Destroy(&broad);
		CHECK(meter.live == 0);
	}
}
