// rooms.c: memory that the threads of a parallel loop borrow
#include "rooms.h"

bool plRooms_Create(plRooms* rooms, size_t length, const plPool* pool, plHeap* heap)
{
	const size_t line = 64 / sizeof(double); // of the cache: no two rooms share one
	*rooms = (plRooms){.count = (size_t)plPool_GetThreadCount(pool)};
	if (length > SIZE_MAX / sizeof(double) / rooms->count - line)
		return false;
	rooms->length = (length + line - 1) / line * line;
	rooms->memory = PL_NEW(heap, double, rooms->count * rooms->length);
	rooms->busy = PL_NEW_ZERO(heap, atomic_bool, rooms->count);
	if (rooms->busy != NULL && (rooms->memory != NULL || length == 0))
		return true;
	plRooms_Destroy(rooms, heap);
	return false;
}

void plRooms_Destroy(plRooms* rooms, plHeap* heap)
{
	PL_FREE(heap, rooms->memory, rooms->count * rooms->length);
	PL_FREE(heap, rooms->busy, rooms->count);
	*rooms = (plRooms){0};
}

double* plRooms_Enter(const plRooms* rooms)
{
	size_t i = 0;
	while (atomic_exchange_explicit(rooms->busy + i, true, memory_order_acquire))
		i = i + 1 < rooms->count ? i + 1 : 0;
	return rooms->memory + i * rooms->length;
}

void plRooms_Leave(const plRooms* rooms, const double* room)
{
	size_t i = rooms->length > 0 ? (size_t)(room - rooms->memory) / rooms->length : 0;
	PL_ASSERT(atomic_load_explicit(rooms->busy + i, memory_order_relaxed), "a room is left by who entered it");
	atomic_store_explicit(rooms->busy + i, false, memory_order_release);
}
