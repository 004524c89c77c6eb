#include "test.h"
#include "base/base.h"
#include "meter.h"

TEST(heap_counts_and_goes_through_the_hook)
{
	Meter meter = {0};
	plAllocator hook = meterHook(&meter);
	plHeap heap;
	plHeap_Init(&heap, &hook);
	double* x = PL_NEW(&heap, double, 100);
	CHECK(x != NULL && ((uintptr_t)x & 63) == 0);
	CHECK(heap.count == 1 && heap.bytes == 800 && meter.live == 1);
	PL_FREE(&heap, x, 100);
	CHECK(heap.bytes == 0 && heap.peak == 800 && meter.live == 0);
}

TEST(an_overflowing_size_is_refused)
{
	plHeap heap;
	plHeap_Init(&heap, NULL);
	CHECK(PL_NEW(&heap, double, SIZE_MAX / 4) == NULL);
	CHECK(heap.count == 0);
}

TEST(array_keeps_its_items_while_it_grows)
{
	plHeap heap;
	plHeap_Init(&heap, NULL);
	plArray array = {0};
	for (size_t i = 0; i < 1000; ++i)
	{
		size_t* item = plArray_Push(&array, &heap, sizeof(size_t));
		CHECK(item != NULL && *item == 0);
		*item = i;
	}
	for (size_t i = 0; i < 1000; ++i)
		CHECK(((size_t*)array.data)[i] == i);
	plArray_Free(&array, &heap, sizeof(size_t));
	CHECK(heap.bytes == 0);
}

TEST(array_survives_a_failed_growth)
{
	Meter meter = {.failAt = 2};
	plAllocator hook = meterHook(&meter);
	plHeap heap;
	plHeap_Init(&heap, &hook);
	plArray array = {0};
	for (int i = 0; i < 8; ++i)
		CHECK(plArray_Push(&array, &heap, 4) != NULL);
	CHECK(plArray_Push(&array, &heap, 4) == NULL);
	CHECK(array.count == 8);
	plArray_Free(&array, &heap, 4);
	CHECK(meter.live == 0);
}

TEST(arena_allocates_nothing_from_the_second_round_on)
{
	plHeap heap;
	plHeap_Init(&heap, NULL);
	plArena arena;
	plArena_Init(&arena, &heap);
	size_t before = 0;
	for (int round = 0; round < 4; ++round)
	{
		CHECK(plArena_Reset(&arena));
		if (round == 2)
			before = heap.count;
		for (int i = 0; i < 50; ++i)
		{
			char* p = plArena_Allocate(&arena, (size_t)(i * 1000 + 1));
			CHECK(p != NULL && ((uintptr_t)p & 63) == 0);
			memset(p, i, (size_t)(i * 1000 + 1));
		}
	}
	CHECK(heap.count == before);
	plArena_Destroy(&arena);
	CHECK(heap.bytes == 0);
}

TEST(arena_mark_gives_memory_back)
{
	plHeap heap;
	plHeap_Init(&heap, NULL);
	plArena arena;
	plArena_Init(&arena, &heap);
	CHECK(plArena_Allocate(&arena, 100) != NULL);
	plArenaMark mark = plArena_Mark(&arena);
	void* a = plArena_Allocate(&arena, 100);
	plArena_Release(&arena, mark);
	CHECK(plArena_Allocate(&arena, 100) == a);
	plArena_Destroy(&arena);
}

TEST(hash_depends_on_every_byte_and_on_the_length)
{
	unsigned char bytes[40] = {0};
	uint64_t h = plHash(PL_HASH_SEED, bytes, 40);
	for (int i = 0; i < 40; ++i)
	{
		bytes[i] = 1;
		CHECK(plHash(PL_HASH_SEED, bytes, 40) != h);
		bytes[i] = 0;
	}
	CHECK(plHash(PL_HASH_SEED, bytes, 39) != h);
	CHECK(plHash(PL_HASH_SEED, bytes, 40) == h);
}

TEST(a_failure_carries_its_words)
{
	plError error;
	CHECK(plFail(&error, pl_errorInput, "body %d: %s", 3, "no mass") == pl_errorInput);
	CHECK_TEXT(error.message, "body 3: no mass");
	CHECK(plFail(NULL, pl_errorMemory, "nobody listens") == pl_errorMemory);
}
