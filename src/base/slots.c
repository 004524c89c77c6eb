// slots.c: items of one kind under ids
#include "slots.h"

void plSlots_Init(plSlots* slots, plHeap* heap, size_t itemSize)
{
	*slots = (plSlots){.heap = heap, .itemSize = itemSize};
}

static void freeArrays(plSlots* slots)
{
	plHeap_Free(slots->heap, slots->items, slots->capacity * slots->itemSize);
	PL_FREE(slots->heap, slots->generations, slots->capacity);
	PL_FREE(slots->heap, slots->freeSlots, slots->capacity);
}

void plSlots_Destroy(plSlots* slots)
{
	freeArrays(slots);
	plSlots_Init(slots, slots->heap, slots->itemSize);
}

// All three arrays grow together, so that removing never allocates.
bool plSlots_Reserve(plSlots* slots)
{
	PL_ASSERT(slots->itemSize > 0, "slots start with plSlots_Init");
	if (slots->freeCount > 0)
		return true;
	if (slots->slotCount == UINT32_MAX)
		return false;
	if (slots->slotCount < slots->capacity)
		return true;
	plSlots grown = *slots;
	grown.capacity = slots->capacity > 0 ? 2 * slots->capacity : 8;
	grown.items = plHeap_AllocateArray(slots->heap, grown.capacity, slots->itemSize);
	grown.generations = PL_NEW(slots->heap, uint32_t, grown.capacity);
	grown.freeSlots = PL_NEW(slots->heap, uint32_t, grown.capacity);
	if (grown.items == NULL || grown.generations == NULL || grown.freeSlots == NULL)
	{
		freeArrays(&grown);
		return false;
	}
	if (slots->slotCount > 0)
	{
		memcpy(grown.items, slots->items, slots->slotCount * slots->itemSize);
		memcpy(grown.generations, slots->generations, slots->slotCount * sizeof(uint32_t));
		memcpy(grown.freeSlots, slots->freeSlots, slots->freeCount * sizeof(uint32_t));
	}
	freeArrays(slots);
	*slots = grown;
	return true;
}

static void validateSlots(const plSlots* slots)
{
	uint32_t live = 0, waiting = 0;
	for (uint32_t slot = 0; slot < slots->slotCount; ++slot)
	{
		bool isLive = (slots->generations[slot] & 1) == 1;
		live += isLive;
		waiting += !isLive && slots->generations[slot] != 0; // 0: its generations are used up
	}
	PL_VALIDATE(slots->slotCount <= slots->capacity, "slots lie in the room there is");
	PL_VALIDATE(live == slots->liveCount, "the items counted are the slots with an odd generation");
	PL_VALIDATE(waiting == slots->freeCount, "every free slot is listed");
	for (uint32_t i = 0; i < slots->freeCount; ++i)
		PL_VALIDATE(slots->freeSlots[i] < slots->slotCount && (slots->generations[slots->freeSlots[i]] & 1) == 0,
		            "a listed slot is free");
}

plSlotId plSlots_Add(plSlots* slots, const void* item)
{
	if (!plSlots_Reserve(slots))
		return (plSlotId){0, 0};
	if (slots->freeCount == 0)
	{
		slots->generations[slots->slotCount] = 0;
		slots->freeSlots[slots->freeCount++] = slots->slotCount++;
	}
	uint32_t slot = slots->freeSlots[--slots->freeCount];
	memcpy(slots->items + slot * slots->itemSize, item, slots->itemSize);
	slots->liveCount++;
	slots->generations[slot]++;
	PL_VALIDATE_CALL(validateSlots(slots));
	return (plSlotId){slot + 1, slots->generations[slot]};
}

// A slot whose generations are used up (after 2^31 items) is not used again: an old id could find a new item.
void plSlots_Remove(plSlots* slots, void* item)
{
	uint32_t slot = plSlots_IndexOf(slots, item);
	PL_ASSERT((slots->generations[slot] & 1) == 1, "an item is removed once");
	memset(item, 0, slots->itemSize);
	slots->liveCount--;
	if (++slots->generations[slot] != 0)
		slots->freeSlots[slots->freeCount++] = slot;
	PL_VALIDATE_CALL(validateSlots(slots));
}

void* plSlots_Get(const plSlots* slots, uint32_t index1, uint32_t generation)
{
	bool isLive = index1 != 0 && index1 <= slots->slotCount && (generation & 1) == 1 &&
	              slots->generations[index1 - 1] == generation;
	return isLive ? slots->items + (index1 - 1) * slots->itemSize : NULL;
}

uint32_t plSlots_IndexOf(const plSlots* slots, const void* item)
{
	size_t slot = (size_t)((const char*)item - slots->items) / slots->itemSize;
	PL_ASSERT(slot < slots->slotCount, "the item is one of these");
	return (uint32_t)slot;
}

plSlotId plSlots_GetId(const plSlots* slots, const void* item)
{
	uint32_t slot = plSlots_IndexOf(slots, item);
	return (plSlotId){slot + 1, slots->generations[slot]};
}

void* plSlots_Previous(const plSlots* slots, const void* item)
{
	uint32_t slot = item != NULL ? plSlots_IndexOf(slots, item) : slots->slotCount;
	while (slot > 0 && (slots->generations[slot - 1] & 1) == 0)
		slot--;
	return slot > 0 ? slots->items + (slot - 1) * slots->itemSize : NULL;
}

void* plSlots_Next(const plSlots* slots, const void* item)
{
	uint32_t slot = item != NULL ? plSlots_IndexOf(slots, item) + 1 : 0;
	while (slot < slots->slotCount && (slots->generations[slot] & 1) == 0)
		slot++;
	return slot < slots->slotCount ? slots->items + slot * slots->itemSize : NULL;
}
