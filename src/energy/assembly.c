// assembly.c: tables that say where each block of each element goes
#include "assembly.h"

// One block of one element on its way to the matrix.
typedef struct Route
{
	uint32_t target;
	uint32_t source;
} Route;

enum
{
	digitBits = 11,
	digitCount = 1 << digitBits
};

static size_t chunkOf(size_t corners)
{
	return 16 * plEnergy_GetBatch(corners);
}

// By target, and as they stand among those of one target: digit by digit of what targets exceed the least of them by
static void sortRoutes(Route* routes, Route* room, size_t count)
{
	uint32_t least = UINT32_MAX, most = 0;
	for (size_t i = 0; i < count; ++i)
	{
		least = routes[i].target < least ? routes[i].target : least;
		most = routes[i].target > most ? routes[i].target : most;
	}
	for (unsigned shift = 0; count > 0 && shift < 32 && (most - least) >> shift > 0; shift += digitBits)
	{
		size_t next[digitCount + 1] = {0};
		for (size_t i = 0; i < count; ++i)
			next[(((routes[i].target - least) >> shift) & (digitCount - 1)) + 1]++;
		for (size_t d = 0; d < digitCount; ++d)
			next[d + 1] += next[d];
		for (size_t i = 0; i < count; ++i)
			room[next[((routes[i].target - least) >> shift) & (digitCount - 1)]++] = routes[i];
		memcpy(routes, room, count * sizeof *routes);
	}
}

// Routes of the elements of one chunk, sorted by target, then element. Returns how many there are.
static size_t routeChunk(const plElementList* elements, const plBlockMatrix* matrix, size_t chunk, Route* routes,
                         Route* sorting)
{
	size_t corners = elements->cornerCount, room = chunkOf(corners), first = chunk * room;
	size_t last = elements->count - first < room ? elements->count : first + room;
	size_t count = 0;
	uint32_t block = 0; // of the chunk's buffer
	for (size_t e = first; e < last; ++e)
	{
		const uint32_t* vertices = elements->vertices + corners * e;
		bool isGap = vertices[0] == UINT32_MAX;
		for (size_t i = 0; i < corners; ++i)
			for (size_t j = i; j < corners; ++j, ++block)
			{
				if (isGap)
					continue;
				uint32_t a = vertices[i], b = vertices[j];
				size_t target = a <= b ? plBlockMatrix_Find(matrix, a, b) : plBlockMatrix_Find(matrix, b, a);
				routes[count++] = (Route){(uint32_t)target, 2 * block + (a > b)};
			}
	}
	sortRoutes(routes, sorting, count);
	return count;
}

static size_t countTargets(const Route* routes, size_t count)
{
	size_t targets = 0;
	for (size_t i = 0; i < count; ++i)
		targets += i == 0 || routes[i].target != routes[i - 1].target;
	return targets;
}

static void validateRoutes(const plAssembly* assembly, const plBlockMatrix* matrix)
{
	PL_VALIDATE(assembly->sourceStart[assembly->targetCount] == assembly->sourceCount,
	            "every block of an element is added");
	for (size_t chunk = 0; chunk < assembly->chunkCount; ++chunk)
		for (size_t t = assembly->chunkStart[chunk]; t < assembly->chunkStart[chunk + 1]; ++t)
		{
			PL_VALIDATE(assembly->target[t] < matrix->blockCount, "a block is added to one of the matrix");
			PL_VALIDATE(t == assembly->chunkStart[chunk] || assembly->target[t - 1] < assembly->target[t],
			            "no two threads add to one block");
		}
	for (size_t s = 0; s < assembly->sourceCount; ++s)
		PL_VALIDATE(assembly->source[s] >> 1 < assembly->pairCount * assembly->chunkElements,
		            "a block lies in the buffer");
}

plResult plAssembly_Create(plAssembly* assembly, const plElementList* elements, const plBlockMatrix* matrix,
                           plHeap* heap)
{
	size_t pairs = elements->cornerCount * (elements->cornerCount + 1) / 2, gaps = 0;
	for (size_t e = 0; e < elements->count; ++e)
		gaps += elements->vertices[elements->cornerCount * e] == UINT32_MAX;
	size_t chunk = chunkOf(elements->cornerCount), routeRoom = chunk * pairs;
	*assembly = (plAssembly){.pairCount = pairs,
	                         .chunkElements = chunk,
	                         .chunkCount = (elements->count + chunk - 1) / chunk,
	                         .sourceCount = pairs * (elements->count - gaps)};
	if (matrix->blockCount > UINT32_MAX || 2 * routeRoom > UINT32_MAX)
		return pl_errorMemory;
	Route *all = PL_NEW(heap, Route, assembly->sourceCount), *sorting = PL_NEW(heap, Route, routeRoom), *routes = all;
	assembly->chunkStart = PL_NEW_ZERO(heap, size_t, assembly->chunkCount + 1);
	assembly->source = PL_NEW(heap, uint32_t, assembly->sourceCount);
	assembly->buffer = PL_NEW(heap, double, 9 * routeRoom);
	bool fine = sorting && assembly->chunkStart && assembly->buffer &&
	            ((all && assembly->source) || assembly->sourceCount == 0);
	size_t chunks = assembly->sourceCount > 0 ? assembly->chunkCount : 0;
	for (size_t k = 0; fine && k < chunks; ++k)
	{
		size_t count = routeChunk(elements, matrix, k, routes, sorting);
		assembly->targetCount += countTargets(routes, count);
		assembly->chunkStart[k + 1] = assembly->chunkStart[k] + count; // of routes, until targets are counted
		routes += count;
	}
	if (fine)
	{
		assembly->target = PL_NEW(heap, uint32_t, assembly->targetCount);
		assembly->sourceStart = PL_NEW_ZERO(heap, size_t, assembly->targetCount + 1);
		fine = (assembly->target || assembly->targetCount == 0) && assembly->sourceStart;
	}
	for (size_t k = 0, target = 0, source = 0; fine && k < chunks; ++k)
	{
		size_t first = source;
		for (; source < assembly->chunkStart[k + 1]; ++source)
		{
			if (source == first || all[source].target != all[source - 1].target)
			{
				assembly->sourceStart[target] = source;
				assembly->target[target++] = all[source].target;
			}
			assembly->source[source] = all[source].source;
		}
		assembly->chunkStart[k + 1] = target;
		assembly->sourceStart[target] = source;
	}
	PL_FREE(heap, all, assembly->sourceCount);
	PL_FREE(heap, sorting, routeRoom);
	if (!fine)
	{
		plAssembly_Destroy(assembly, heap);
		return pl_errorMemory;
	}
	PL_VALIDATE_CALL(validateRoutes(assembly, matrix));
	return pl_success;
}

void plAssembly_Destroy(plAssembly* assembly, plHeap* heap)
{
	PL_FREE(heap, assembly->chunkStart, assembly->chunkCount + 1);
	PL_FREE(heap, assembly->target, assembly->targetCount);
	PL_FREE(heap, assembly->sourceStart, assembly->targetCount + 1);
	PL_FREE(heap, assembly->source, assembly->sourceCount);
	PL_FREE(heap, assembly->isFirst, assembly->isFirst != NULL ? assembly->targetCount : 0);
	PL_FREE(heap, assembly->buffer, 9 * assembly->pairCount * assembly->chunkElements);
	*assembly = (plAssembly){0};
}

bool plAssembly_MarkFirst(plAssembly* assembly, uint8_t* touched, plHeap* heap)
{
	assembly->isFirst = PL_NEW(heap, uint8_t, assembly->targetCount);
	if (assembly->isFirst == NULL)
		return assembly->targetCount == 0;
	for (size_t t = 0; t < assembly->targetCount; ++t)
	{
		assembly->isFirst[t] = touched[assembly->target[t]] == 0;
		touched[assembly->target[t]] = 1;
	}
	return true;
}

typedef double pair __attribute__((vector_size(16)));
typedef double loosePair __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t mask __attribute__((vector_size(16)));

// Nine numbers in the order of memory
typedef struct Block
{
	pair a, b, c, d;
	double last;
} Block;

static inline Block loadBlock(const double* from)
{
	return (Block){*(const loosePair*)from, *(const loosePair*)(from + 2), *(const loosePair*)(from + 4),
	               *(const loosePair*)(from + 6), from[8]};
}

static inline pair choose(mask turned, pair a, pair b)
{
	return (pair)((turned & (mask)a) | (~turned & (mask)b));
}

// sum + from, or + its transpose: both are made, because which one it is to be changes like dice.
static inline Block addBlock(Block sum, Block from, uint32_t isTurned)
{
	const mask turned = {-(int64_t)isTurned, -(int64_t)isTurned};
	sum.a += choose(turned, __builtin_shufflevector(from.a, from.b, 0, 3), from.a);
	sum.b += choose(turned, __builtin_shufflevector(from.d, from.a, 0, 3), from.b);
	sum.c += choose(turned, __builtin_shufflevector(from.c, from.d, 0, 3), from.c);
	sum.d += choose(turned, __builtin_shufflevector(from.b, from.c, 0, 3), from.d);
	sum.last += from.last;
	return sum;
}

static inline void storeBlock(double* to, Block block)
{
	*(loosePair*)to = block.a;
	*(loosePair*)(to + 2) = block.b;
	*(loosePair*)(to + 4) = block.c;
	*(loosePair*)(to + 6) = block.d;
	to[8] = block.last;
}

// The block stays in registers while its sources are added. Blocks of later targets are fetched meanwhile.
void plAssembly_Add(const plAssembly* assembly, size_t begin, size_t end, const double* constant, plBlockMatrix* matrix)
{
	static const size_t ahead = 64;
	for (size_t t = begin; t < end; ++t)
	{
		double* block = matrix->block + 9 * (size_t)assembly->target[t];
		if (t + ahead < assembly->targetCount)
		{
			const double* later = matrix->block + 9 * (size_t)assembly->target[t + ahead];
			__builtin_prefetch(later, 1);
			__builtin_prefetch(later + 8, 1);
		}
		Block sum;
		if (constant != NULL && assembly->isFirst[t])
		{
			double c = constant[assembly->target[t]];
			sum = (Block){{c, 0.0}, {0.0, 0.0}, {c, 0.0}, {0.0, 0.0}, c};
		}
		else
			sum = loadBlock(block);
		for (size_t s = assembly->sourceStart[t]; s < assembly->sourceStart[t + 1]; ++s)
			sum = addBlock(sum, loadBlock(assembly->buffer + 9 * (size_t)(assembly->source[s] >> 1)),
			               assembly->source[s] & 1);
		storeBlock(block, sum);
	}
}
