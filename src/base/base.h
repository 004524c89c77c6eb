// base.h: asserts, errors, memory, growing arrays, the arena, parallel loops, hashing, time
//
// Everything in src/ sees this file. OS calls live in platform.c only.
#ifndef PL_SRC_BASE_H
#define PL_SRC_BASE_H

#include "pliant/base.h"
#include "pliant/math.h"

#include <stdarg.h>
#include <string.h>

// ---- contracts ------------------------------------------------------------------------------------------------

// Broken contract of a caller: words say what was expected. Present in every build, cheap conditions only.
#define PL_ASSERT(condition, words)                                                                                    \
	do                                                                                                                 \
	{                                                                                                                  \
		if (!(condition) && !plAssertFailed(#condition, words, __FILE__, __LINE__))                                    \
			__builtin_trap();                                                                                          \
	} while (0)

bool plAssertFailed(const char* condition, const char* words, const char* file, int line);

// Costly invariants: checked in a build with PLIANT_VALIDATE, no code in others. What takes a loop is a function of its
// own, called where data change hands: PL_VALIDATE_CALL(validatePattern(matrix)).
#ifdef PLIANT_VALIDATE
#define PL_VALIDATE(condition, words) PL_ASSERT(condition, words)
#define PL_VALIDATE_CALL(call) (call)
#else
#define PL_VALIDATE(condition, words) ((void)sizeof(condition))
#define PL_VALIDATE_CALL(call) ((void)(0 && ((call), 0)))
#endif

// Cookie of a def, set by its plDefault function: says which struct it is, by name and size. A def that starts as
// zeros, or as a def of another type, has another.
#define PL_COOKIE(type) (plHashName(#type) ^ (uint32_t)sizeof(type))

static inline uint32_t plHashName(const char* name) // FNV-1a
{
	uint32_t hash = 0x811c9dc5u;
	for (; *name != 0; ++name)
		hash = (hash ^ (uint8_t)*name) * 0x01000193u;
	return hash;
}

// ---- errors ---------------------------------------------------------------------------------------------------

// Writes code and message and returns the code; `error` may be NULL.
plResult plFail(plError* error, plResult code, const char* format, ...) __attribute__((format(printf, 3, 4)));
// The same for bad input, with the member of the def that is at fault.
plResult plFailAt(plError* error, const char* field, const char* format, ...) __attribute__((format(printf, 3, 4)));

// ---- memory ---------------------------------------------------------------------------------------------------

// A hook with counters. Owned by a world, a mesh, ...; everything below them takes a pointer to it.
typedef struct plHeap
{
	plAllocator hook;
	size_t count; // allocations ever made
	size_t bytes; // held now
	size_t peak;
} plHeap;

void plHeap_Init(plHeap* heap, const plAllocator* hook); // NULL or hook->allocate NULL: malloc and free
void* plHeap_Allocate(plHeap* heap, size_t bytes);       // 64-byte aligned; NULL if memory ran out or bytes == 0
void* plHeap_AllocateArray(plHeap* heap, size_t count, size_t size); // NULL also if count * size overflows
void* plHeap_AllocateZero(plHeap* heap, size_t count, size_t size);
void plHeap_Free(plHeap* heap, void* memory, size_t bytes); // NULL is allowed

// Typed: T* x = PL_NEW(heap, T, n). x == NULL means failure if n > 0.
#define PL_NEW(heap, type, count) ((type*)plHeap_AllocateArray(heap, count, sizeof(type)))
#define PL_NEW_ZERO(heap, type, count) ((type*)plHeap_AllocateZero(heap, count, sizeof(type)))
#define PL_FREE(heap, pointer, count) plHeap_Free(heap, pointer, (count) * sizeof *(pointer))

// Growing array of bytes-sized items; a typed view is made where it is used:
//   plArray a = {0};  T* t = plArray_Push(&a, heap, sizeof(T));  ((T*)a.data)[i]
typedef struct plArray
{
	void* data;
	size_t count;
	size_t capacity;
} plArray;

void* plArray_Push(plArray* array, plHeap* heap, size_t itemSize); // pointer to a new zeroed item, NULL: no memory
void plArray_Free(plArray* array, plHeap* heap, size_t itemSize);

// Room for `count` items of an array that a pointer and a number of items hold; it keeps its items, and grows by half
// more than asked for. False: no memory, and nothing has changed.
bool plGrowArray(plHeap* heap, void* array, size_t* room, size_t count, size_t itemSize);
// Two of them, as &pointer and &room, get each other's items.
void plSwapArrays(void* a, size_t* roomA, void* b, size_t* roomB);

// Scratch memory of work that goes in depth, as the ordering of a matrix does: a bump pointer over blocks. What was
// taken since a mark is freed at once; plArena_Reset frees everything and merges the blocks into one for the next
// round, with half as much more.
typedef struct plArenaBlock plArenaBlock;
typedef struct plArena
{
	plHeap* heap;
	plArenaBlock* blocks;
	size_t used; // of the first block
} plArena;

void plArena_Init(plArena* arena, plHeap* heap);
void plArena_Destroy(plArena* arena);
bool plArena_Reset(plArena* arena);                   // false: no memory for the merged block (old blocks are freed)
void* plArena_Allocate(plArena* arena, size_t bytes); // 64-byte aligned, NULL: no memory
typedef struct plArenaMark
{
	plArenaBlock* block;
	size_t used;
} plArenaMark;
plArenaMark plArena_Mark(const plArena* arena);
void plArena_Release(plArena* arena, plArenaMark mark); // frees what was taken since the mark
// A heap for who makes the same again and again: everything is made from the arena, and its room is there anew after
// the reset.
void plHeap_InitFromArena(plHeap* heap, plArena* arena);

// ---- parallel loops ---------------------------------------------------------------------------------------------

// Calls body(begin, end, context) on disjoint ranges that cover 0..count, each a multiple of `grain` long except the
// last, on any thread in any order. The caller works too and waits only for ranges that are being worked on.
// Bodies write disjoint memory; sums go through plParallelSum. `pool` may be NULL.
typedef void plRangeFcn(size_t begin, size_t end, void* context);
void plParallelFor(plPool* pool, size_t count, size_t grain, plRangeFcn* body, void* context);

// Sums in a fixed order: `body` adds up items begin..end-1 (a whole block of pl_sumBlock, or the rest) into
// sums[0..width-1], which start at zero; blocks are then added one after the other. The same bits for any thread count.
// `partial` has room for plPartialCount(count, width) doubles.
enum
{
	pl_sumBlock = 512
};
typedef void plSumFcn(size_t begin, size_t end, double* sums, void* context);
size_t plPartialCount(size_t count, int width);
void plParallelSum(plPool* pool, size_t count, int width, plSumFcn* body, void* context, double* partial,
                   double* total);

// ---- hashing and time -------------------------------------------------------------------------------------------

#define PL_HASH_SEED 0xcbf29ce484222325ull
uint64_t plHash(uint64_t seed, const void* data, size_t bytes); // 64-bit, same on every machine of one endianness

double plNow(void);                  // seconds of a steady clock; platform.c
double plMilliseconds(double since); // since plNow()

#endif
