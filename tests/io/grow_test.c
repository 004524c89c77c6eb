// grow_test.c: arrays keep what is in them while they grow, and refuse what no memory holds
#include "grow.h"
#include "test.h"

TEST(items_stay_and_copies_are_few)
{
	uint64_t* items = NULL;
	size_t capacity = 0, grown = 0;
	for (size_t count = 0; count < 100000; ++count)
	{
		size_t before = capacity;
		CHECK(plGrow(&items, &capacity, sizeof *items, count + 1) && capacity > count);
		grown += capacity != before;
		items[count] = 7 * count;
	}
	for (size_t i = 0; i < 100000; ++i)
		CHECK(items[i] == 7 * i);
	CHECK(grown < 30);
	free(items);
}

TEST(a_first_wish_is_met_exactly)
{
	char* text = NULL;
	size_t capacity = 0;
	CHECK(plGrow(&text, &capacity, 1, 1000) && capacity == 1000);
	CHECK(plGrow(&text, &capacity, 1, 10) && capacity == 1000);
	free(text);
}

TEST(what_no_memory_holds_changes_nothing)
{
	double* items = NULL;
	size_t capacity = 0;
	CHECK(plGrow(&items, &capacity, sizeof *items, 20));
	double* before = items;
	CHECK(!plGrow(&items, &capacity, sizeof *items, SIZE_MAX / 2)); // its bytes have no number
	CHECK(items == before && capacity == 20);
	free(items);
}
