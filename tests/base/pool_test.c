#include "test.h"
#include "base/base.h"

enum
{
	itemCount = 100003
};

typedef struct Marks
{
	unsigned char* hits;
	plPool* pool;
} Marks;

static void mark(size_t begin, size_t end, void* context)
{
	Marks* marks = context;
	for (size_t i = begin; i < end; ++i)
		marks->hits[i]++;
}

static void markNested(size_t begin, size_t end, void* context)
{
	Marks* marks = context;
	for (size_t i = begin; i < end; ++i)
	{
		Marks inner = {marks->hits + 10 * i, NULL};
		plParallelFor(marks->pool, 10, 1, mark, &inner);
	}
}

TEST(every_item_is_visited_once_for_any_thread_count)
{
	unsigned char* hits = malloc(itemCount);
	for (int threads = 1; threads <= 7; ++threads)
	{
		plPool* pool = plCreatePool(threads);
		CHECK(pool != NULL && plPool_GetThreadCount(pool) == threads);
		for (int round = 0; round < 200; ++round)
		{
			size_t count = (size_t)(round * 503) % itemCount + 1;
			memset(hits, 0, itemCount);
			Marks marks = {hits, pool};
			plParallelFor(pool, count, 16, mark, &marks);
			for (size_t i = 0; i < itemCount; ++i)
				CHECK(hits[i] == (i < count));
		}
		plDestroyPool(pool);
	}
	free(hits);
}

TEST(a_loop_inside_a_loop_works_alone)
{
	unsigned char* hits = calloc(10000, 1);
	plPool* pool = plCreatePool(3);
	Marks marks = {hits, pool};
	plParallelFor(pool, 1000, 1, markNested, &marks);
	for (size_t i = 0; i < 10000; ++i)
		CHECK(hits[i] == 1);
	plDestroyPool(pool);
	free(hits);
}

TEST(no_pool_and_no_items_are_fine)
{
	unsigned char hits[5] = {0};
	Marks marks = {hits, NULL};
	plParallelFor(NULL, 5, 2, mark, &marks);
	CHECK(hits[0] == 1 && hits[4] == 1);
	plParallelFor(NULL, 0, 1, mark, &marks);
	CHECK(hits[0] == 1);
	CHECK(plPool_GetThreadCount(NULL) == 1);
	plDestroyPool(NULL);
}

static void ranges(size_t begin, size_t end, void* context)
{
	// Every range starts at a multiple of the grain, so that sums over blocks see whole blocks.
	if (begin % 64 != 0 || (end % 64 != 0 && end != 1000))
		*(volatile int*)context = 1;
}

TEST(ranges_are_whole_grains)
{
	plPool* pool = plCreatePool(2);
	int broken = 0;
	for (int i = 0; i < 100; ++i)
		plParallelFor(pool, 1000, 64, ranges, &broken);
	CHECK(!broken);
	plDestroyPool(pool);
}

TEST(pools_come_and_go)
{
	for (int i = 0; i < 50; ++i)
	{
		plPool* pool = plCreatePool(4);
		plDestroyPool(pool);
	}
	plPool* all = plCreatePool(0);
	CHECK(plPool_GetThreadCount(all) == plGetCoreCount());
	plDestroyPool(all);
}
