// slots_test.c: items under ids: slots used again, ids that are refused, visits, shortage of memory
#include "test.h"
#include "base/slots.h"
#include "meter.h"

typedef struct Item
{
	double number;
	char tail[3]; // an odd size
} Item;

static plSlotId add(plSlots* slots, double number)
{
	return plSlots_Add(slots, &(Item){.number = number});
}

static Item* find(const plSlots* slots, plSlotId id)
{
	return plSlots_Get(slots, id.index1, id.generation);
}

static plSlots makeSlots(plHeap* heap)
{
	plSlots slots;
	plHeap_Init(heap, NULL);
	plSlots_Init(&slots, heap, sizeof(Item));
	return slots;
}

TEST(an_id_finds_its_item_and_zero_finds_none)
{
	plHeap heap;
	plSlots slots = makeSlots(&heap);
	CHECK(find(&slots, (plSlotId){0, 0}) == NULL && plSlots_Next(&slots, NULL) == NULL);
	plSlotId ids[100];
	for (int i = 0; i < 100; ++i)
	{
		ids[i] = add(&slots, i);
		CHECK(ids[i].index1 == (uint32_t)i + 1);
	}
	for (int i = 0; i < 100; ++i)
	{
		Item* item = find(&slots, ids[i]);
		CHECK(item != NULL && item->number == i);
		CHECK(plSlots_IndexOf(&slots, item) == (uint32_t)i && plSlots_At(&slots, (uint32_t)i) == item);
		CHECK(plSlots_GetId(&slots, item).index1 == ids[i].index1);
		CHECK(plSlots_GetId(&slots, item).generation == ids[i].generation);
	}
	CHECK(slots.liveCount == 100);
	CHECK(find(&slots, (plSlotId){0, 0}) == NULL && find(&slots, (plSlotId){0, 1}) == NULL);
	CHECK(find(&slots, (plSlotId){101, 1}) == NULL && find(&slots, (plSlotId){1, 0}) == NULL);
	plSlots_Destroy(&slots);
	CHECK(heap.bytes == 0 && slots.liveCount == 0);
}

TEST(a_slot_is_used_again_and_its_old_ids_are_refused)
{
	plHeap heap;
	plSlots slots = makeSlots(&heap);
	plSlotId first = add(&slots, 1.0), other = add(&slots, 2.0), old[20];
	plSlotId id = first;
	for (int i = 0; i < 20; ++i)
	{
		old[i] = id;
		plSlots_Remove(&slots, find(&slots, id));
		for (int k = 0; k <= i; ++k)
			CHECK(find(&slots, old[k]) == NULL);
		CHECK(find(&slots, (plSlotId){1, id.generation + 1}) == NULL); // the generation of a free slot
		id = add(&slots, 10.0 + i);
		CHECK(id.index1 == first.index1 && find(&slots, id)->number == 10.0 + i);
		for (int k = 0; k <= i; ++k)
			CHECK(find(&slots, old[k]) == NULL);
	}
	CHECK(find(&slots, other)->number == 2.0 && slots.slotCount == 2 && slots.liveCount == 2);
	plSlotId third = add(&slots, 3.0);
	plSlots_Remove(&slots, find(&slots, other));
	plSlots_Remove(&slots, find(&slots, third));
	CHECK(add(&slots, 4.0).index1 == third.index1); // freed last, used first
	CHECK(add(&slots, 5.0).index1 == other.index1);
	plSlots_Destroy(&slots);
}

TEST(a_slot_whose_generations_are_used_up_is_not_used_again)
{
	plHeap heap;
	plSlots slots = makeSlots(&heap);
	plSlotId id = add(&slots, 1.0);
	id.generation = slots.generations[0] = UINT32_MAX;
	plSlots_Remove(&slots, find(&slots, id));
	CHECK(find(&slots, id) == NULL && find(&slots, (plSlotId){1, 0}) == NULL);
	CHECK(add(&slots, 2.0).index1 == 2);
	CHECK(((Item*)plSlots_Next(&slots, NULL))->number == 2.0);
	plSlots_Destroy(&slots);
}

// Every second item goes when it is visited, and takes the one after the next with it.
TEST(items_may_be_removed_while_they_are_visited)
{
	plHeap heap;
	plSlots slots = makeSlots(&heap);
	plSlotId ids[24];
	for (int i = 0; i < 24; ++i)
		ids[i] = add(&slots, i);
	double seen[24];
	int count = 0;
	PL_EACH(Item, item, &slots)
	{
		int i = (int)item->number;
		seen[count++] = i;
		if (i % 4 == 0)
		{
			plSlots_Remove(&slots, item);
			plSlots_Remove(&slots, find(&slots, ids[i + 2]));
			CHECK(item->number == 0.0);
		}
	}
	CHECK(count == 18 && slots.liveCount == 12);
	for (int i = 0; i < count; ++i)
		CHECK(seen[i] == i / 3 * 4 + (i % 3 == 2 ? 3 : i % 3));
	count = 0;
	PL_EACH(const Item, item, &slots)
		CHECK(item->number == 2 * count++ + 1);
	CHECK(count == 12);
	PL_EACH(Item, item, &slots)
		plSlots_Remove(&slots, item);
	CHECK(slots.liveCount == 0 && plSlots_Next(&slots, NULL) == NULL);
	plSlots_Destroy(&slots);
	CHECK(heap.bytes == 0);
}

// A thousand random additions and removals, against a table that never forgets an id.
TEST(what_is_live_is_what_was_added_and_not_removed)
{
	plHeap heap;
	plSlots slots = makeSlots(&heap);
	static plSlotId ids[1000];
	static bool live[1000];
	uint64_t seed = 9;
	uint32_t liveCount = 0;
	for (int n = 0; n < 1000; ++n)
	{
		ids[n] = add(&slots, n);
		live[n] = true;
		liveCount++;
		int victim = (int)(0.5 * (1.0 + testRandom(&seed)) * n);
		if (n % 3 != 0 && live[victim])
		{
			plSlots_Remove(&slots, find(&slots, ids[victim]));
			live[victim] = false;
			liveCount--;
		}
		for (int i = 0; i <= n; ++i)
			CHECK(live[i] ? find(&slots, ids[i])->number == i : find(&slots, ids[i]) == NULL);
		uint32_t visited = 0, last = 0;
		PL_EACH(const Item, item, &slots)
		{
			CHECK(live[(int)item->number] && ids[(int)item->number].index1 > last);
			last = ids[(int)item->number].index1;
			visited++;
		}
		CHECK(visited == liveCount && slots.liveCount == liveCount);
	}
	CHECK(slots.slotCount < 1000 && heap.count <= 3 * 8); // arrays double: 8, 16, .. at most 1024 slots
	plSlots_Destroy(&slots);
	CHECK(heap.bytes == 0);
}

TEST(without_memory_nothing_changes)
{
	for (size_t k = 1;; ++k)
	{
		Meter meter = {.failAt = k};
		plAllocator hook = meterHook(&meter);
		plHeap heap;
		plSlots slots;
		plHeap_Init(&heap, &hook);
		plSlots_Init(&slots, &heap, sizeof(Item));
		int failures = 0;
		for (int i = 0; i < 20; ++i)
		{
			plSlots before = slots;
			plSlotId id = add(&slots, i);
			if (id.index1 == 0)
			{
				CHECK(id.generation == 0 && memcmp(&before, &slots, sizeof slots) == 0);
				failures++;
				id = add(&slots, i); // there is memory again
			}
			CHECK(find(&slots, id)->number == i && id.index1 == (uint32_t)i + 1 && id.generation == 1);
		}
		size_t made = meter.made;
		PL_EACH(Item, item, &slots)
			plSlots_Remove(&slots, item);
		CHECK(meter.made == made); // removing never allocates
		plSlots_Destroy(&slots);
		CHECK(meter.live == 0 && heap.bytes == 0);
		if (failures == 0)
		{
			CHECK(k == 10); // three arrays for 8, 16 and 32 slots
			break;
		}
	}
}

TEST(after_a_reservation_adding_takes_no_memory)
{
	plHeap heap;
	plSlots slots = makeSlots(&heap);
	for (int i = 0; i < 128; ++i) // the arrays are full
	{
		CHECK(plSlots_Reserve(&slots) && slots.liveCount == (uint32_t)i);
		size_t count = heap.count;
		CHECK(add(&slots, i).index1 != 0 && heap.count == count);
	}
	plSlots_Remove(&slots, plSlots_At(&slots, 7));
	size_t count = heap.count;
	CHECK(plSlots_Reserve(&slots) && heap.count == count); // a free slot is room
	plSlots_Destroy(&slots);
}

TEST(backwards_the_same_items_are_visited)
{
	plHeap heap;
	plSlots slots = makeSlots(&heap);
	CHECK(plSlots_Previous(&slots, NULL) == NULL);
	plSlotId ids[10];
	for (int i = 0; i < 10; ++i)
		ids[i] = add(&slots, i);
	const int gone[] = {0, 4, 5, 9};
	for (int i = 0; i < 4; ++i)
		plSlots_Remove(&slots, find(&slots, ids[gone[i]]));
	const double left[] = {8.0, 7.0, 6.0, 3.0, 2.0, 1.0};
	size_t count = 0;
	for (const Item* item = plSlots_Previous(&slots, NULL); item != NULL; item = plSlots_Previous(&slots, item))
		CHECK(count < 6 && item->number == left[count++]);
	CHECK(count == 6);
	plSlots_Destroy(&slots);
}
