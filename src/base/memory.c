// memory.c: counted allocation through a hook, growing arrays, the step arena
#include "base.h"
#include "platform.h"

// ---- heap -------------------------------------------------------------------------------------------------------

static void* systemAllocate(size_t bytes, void* context)
{
	(void)context;
	return plSystemAllocate(bytes);
}

static void systemRelease(void* memory, size_t bytes, void* context)
{
	(void)bytes;
	(void)context;
	plSystemFree(memory);
}

void plHeap_Init(plHeap* heap, const plAllocator* hook)
{
	memset(heap, 0, sizeof *heap);
	if (hook != NULL && hook->allocate != NULL)
		heap->hook = *hook;
	else
		heap->hook = (plAllocator){systemAllocate, systemRelease, NULL};
}

void* plHeap_Allocate(plHeap* heap, size_t bytes)
{
	if (bytes == 0)
		return NULL;
	void* memory = heap->hook.allocate(bytes, heap->hook.context);
	if (memory == NULL)
		return NULL;
	heap->count++;
	heap->bytes += bytes;
	if (heap->bytes > heap->peak)
		heap->peak = heap->bytes;
	return memory;
}

void* plHeap_AllocateArray(plHeap* heap, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes))
		return NULL;
	return plHeap_Allocate(heap, bytes);
}

void* plHeap_AllocateZero(plHeap* heap, size_t count, size_t size)
{
	void* memory = plHeap_AllocateArray(heap, count, size);
	if (memory != NULL)
		memset(memory, 0, count * size);
	return memory;
}

void plHeap_Free(plHeap* heap, void* memory, size_t bytes)
{
	if (memory == NULL)
		return;
	PL_VALIDATE(bytes <= heap->bytes, "a heap gets back no more than it gave");
	heap->bytes -= bytes;
	heap->hook.release(memory, bytes, heap->hook.context);
}

// ---- growing arrays ---------------------------------------------------------------------------------------------

static bool reserve(plArray* array, plHeap* heap, size_t itemSize, size_t capacity)
{
	if (capacity <= array->capacity)
		return true;
	void* data = plHeap_AllocateArray(heap, capacity, itemSize);
	if (data == NULL)
		return false;
	if (array->count > 0)
		memcpy(data, array->data, array->count * itemSize);
	plHeap_Free(heap, array->data, array->capacity * itemSize);
	array->data = data;
	array->capacity = capacity;
	return true;
}

void* plArray_Push(plArray* array, plHeap* heap, size_t itemSize)
{
	if (array->count == array->capacity &&
	    !reserve(array, heap, itemSize, array->capacity < 8 ? 8 : 2 * array->capacity))
		return NULL;
	void* item = (char*)array->data + array->count * itemSize;
	memset(item, 0, itemSize);
	array->count++;
	return item;
}

bool plGrowArray(plHeap* heap, void* array, size_t* room, size_t count, size_t itemSize)
{
	void* old;
	memcpy(&old, array, sizeof old); // whatever it points to
	if (count <= *room)
		return true;
	size_t more = count + count / 2;
	void* larger = plHeap_AllocateArray(heap, more, itemSize);
	if (larger == NULL)
		return false;
	if (*room > 0)
		memcpy(larger, old, *room * itemSize);
	plHeap_Free(heap, old, *room * itemSize);
	memcpy(array, &larger, sizeof larger);
	*room = more;
	return true;
}

void plSwapArrays(void* a, size_t* roomA, void* b, size_t* roomB)
{
	void *itemsA, *itemsB; // whatever they point to
	size_t room = *roomA;
	memcpy(&itemsA, a, sizeof itemsA);
	memcpy(&itemsB, b, sizeof itemsB);
	memcpy(a, &itemsB, sizeof itemsB);
	memcpy(b, &itemsA, sizeof itemsA);
	*roomA = *roomB;
	*roomB = room;
}

void plArray_Free(plArray* array, plHeap* heap, size_t itemSize)
{
	plHeap_Free(heap, array->data, array->capacity * itemSize);
	memset(array, 0, sizeof *array);
}

// ---- step arena -------------------------------------------------------------------------------------------------

struct plArenaBlock
{
	plArenaBlock* next; // older
	size_t bytes;       // of data
	char pad[64 - sizeof(plArenaBlock*) - sizeof(size_t)];
	char data[];
};

_Static_assert(sizeof(struct plArenaBlock) == 64, "data of a block is 64-byte aligned");

void plArena_Init(plArena* arena, plHeap* heap)
{
	*arena = (plArena){.heap = heap};
}

static void freeBlock(plArena* arena, plArenaBlock* block)
{
	plHeap_Free(arena->heap, block, sizeof *block + block->bytes);
}

static bool addBlock(plArena* arena, size_t bytes)
{
	if (bytes > SIZE_MAX - sizeof(plArenaBlock))
		return false;
	plArenaBlock* block = plHeap_Allocate(arena->heap, sizeof *block + bytes);
	if (block == NULL)
		return false;
	block->next = arena->blocks;
	block->bytes = bytes;
	arena->blocks = block;
	arena->used = 0;
	return true;
}

void plArena_Destroy(plArena* arena)
{
	while (arena->blocks != NULL)
	{
		plArenaBlock* next = arena->blocks->next;
		freeBlock(arena, arena->blocks);
		arena->blocks = next;
	}
	arena->used = 0;
}

bool plArena_Reset(plArena* arena)
{
	arena->used = 0;
	if (arena->blocks == NULL || arena->blocks->next == NULL)
		return true;
	size_t bytes = 0;
	for (plArenaBlock* block = arena->blocks; block != NULL; block = block->next)
		bytes += block->bytes;
	plArena_Destroy(arena);
	return addBlock(arena, bytes + bytes / 2);
}

void* plArena_Allocate(plArena* arena, size_t bytes)
{
	enum
	{
		smallestBlock = 1 << 16
	};
	if (bytes > SIZE_MAX - 63)
		return NULL;
	bytes = (bytes + 63) & ~(size_t)63;
	if (arena->blocks == NULL || arena->blocks->bytes - arena->used < bytes)
		if (!addBlock(arena, bytes > smallestBlock ? bytes : smallestBlock))
			return NULL;
	void* memory = arena->blocks->data + arena->used;
	arena->used += bytes;
	return memory;
}

plArenaMark plArena_Mark(const plArena* arena)
{
	return (plArenaMark){arena->blocks, arena->used};
}

// Blocks added since the mark stay in use until the reset that merges them, so that the next step finds their room.
void plArena_Release(plArena* arena, plArenaMark mark)
{
	if (arena->blocks == mark.block)
		arena->used = mark.used;
}

static void* takeFromArena(size_t bytes, void* context)
{
	return plArena_Allocate(context, bytes);
}

// The last that was taken can be taken again; the others wait for the reset.
static void giveToArena(void* memory, size_t bytes, void* context)
{
	plArena* arena = context;
	bytes = (bytes + 63) & ~(size_t)63;
	if (arena->blocks != NULL && (char*)memory + bytes == arena->blocks->data + arena->used)
		arena->used -= bytes;
}

void plHeap_InitFromArena(plHeap* heap, plArena* arena)
{
	plHeap_Init(heap, &(plAllocator){takeFromArena, giveToArena, arena});
}
