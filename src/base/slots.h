// slots.h: items of one kind under ids: an array of slots, each with a generation
//
// An id is the slot's number from 1 and a generation; an id of zeros is null. A slot's generation grows by one when an
// item moves in and when it moves out: odd is live, even is free. So the id of an item that was removed never finds the
// next item of its slot. The slot freed last is used first.
//
// Items are visited in the order of slots: the order of creation, until the first item is removed. Adding and
// removing cost the same however many items there are (adding on average: the arrays double). An item may move when
// another is added. A removed item is zeros.
#ifndef PL_SRC_SLOTS_H
#define PL_SRC_SLOTS_H

#include "base.h"

typedef struct plSlotId
{
	uint32_t index1; // slot + 1; 0: null
	uint32_t generation;
} plSlotId;

typedef struct plSlots
{
	plHeap* heap;
	size_t itemSize;
	size_t capacity;
	uint32_t slotCount; // slots ever used
	uint32_t liveCount; // items
	uint32_t freeCount;
	char* items;           // [slotCount] of itemSize bytes
	uint32_t* generations; // [slotCount]
	uint32_t* freeSlots;   // [freeCount] in the order they were freed
} plSlots;

void plSlots_Init(plSlots* slots, plHeap* heap, size_t itemSize); // allocates nothing
void plSlots_Destroy(plSlots* slots);                             // what items own is freed by the caller, before

bool plSlots_Reserve(plSlots* slots); // room for one more item: the next Add succeeds. False: no memory
// Copies the item into a slot. Null: no memory, and nothing has changed.
plSlotId plSlots_Add(plSlots* slots, const void* item);
void plSlots_Remove(plSlots* slots, void* item); // what it owns is freed by the caller, before; never allocates

// The item of an id; NULL if the id is null, or its item was removed.
void* plSlots_Get(const plSlots* slots, uint32_t index1, uint32_t generation);
// For items that refer to each other by slot and go together.
static inline bool plSlots_IsLive(const plSlots* slots, uint32_t slot)
{
	return (slots->generations[slot] & 1) == 1;
}

static inline void* plSlots_At(const plSlots* slots, uint32_t slot)
{
	PL_ASSERT(slot < slots->slotCount && plSlots_IsLive(slots, slot), "the slot holds an item");
	return slots->items + slot * slots->itemSize;
}
uint32_t plSlots_IndexOf(const plSlots* slots, const void* item); // its slot
plSlotId plSlots_GetId(const plSlots* slots, const void* item);   // of a live item

// The live item after this one, the first after NULL; NULL: there is none. The item may just have been removed.
void* plSlots_Next(const plSlots* slots, const void* item);

// The live item before this one, the last one before NULL; NULL: there is none.
void* plSlots_Previous(const plSlots* slots, const void* item);

// Visits every item in the order of slots. The statement may remove items, this one too, but adds none:
//   PL_EACH(const plPin, pin, &world->pins)
//       count += pin->count;
#define PL_EACH(type, item, slots)                                                                                     \
	for (type* item = plSlots_Next(slots, NULL); item != NULL; item = plSlots_Next(slots, item))

#endif
