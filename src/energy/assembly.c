// assembly.c: tables that say where each block of each element goes
#include "assembly.h"

#include <stdlib.h>

// One block of one element on its way to the matrix.
typedef struct Route
{
	uint32_t target;
	uint32_t source;
} Route;

static int compareRoutes(const void* a, const void* b)
{
	const Route *x = a, *y = b;
	if (x->target != y->target)
		return x->target < y->target ? -1 : 1;
	return x->source < y->source ? -1 : x->source > y->source;
}

// Routes of the elements of one chunk, sorted by target, then element. Returns how many there are.
static size_t routeChunk(const plTetEnergy* energy, const plBlockMatrix* matrix, size_t chunk, Route* routes)
{
	static const int cornerA[pl_tetBlocks] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 3};
	static const int cornerB[pl_tetBlocks] = {0, 1, 2, 3, 1, 2, 3, 2, 3, 3};
	size_t first = chunk * pl_chunkBatches;
	size_t last = energy->batchCount - first < pl_chunkBatches ? energy->batchCount : first + pl_chunkBatches;
	size_t count = 0;
	for (size_t lane = first * pl_batchSize; lane < last * pl_batchSize; ++lane)
	{
		size_t batch = lane / pl_batchSize, l = lane % pl_batchSize;
		if (energy->restDouble[pl_batchRest * batch + 72 + l] == 0.0)
			continue; // a filling lane
		for (uint32_t pair = 0; pair < pl_tetBlocks; ++pair)
		{
			uint32_t a = energy->index[pl_batchIndices * batch + 8 * (size_t)cornerA[pair] + l];
			uint32_t b = energy->index[pl_batchIndices * batch + 8 * (size_t)cornerB[pair] + l];
			uint32_t source = 2 * (pl_tetBlocks * (uint32_t)(lane - first * pl_batchSize) + pair) + (a > b);
			size_t target = a <= b ? plBlockMatrix_Find(matrix, a, b) : plBlockMatrix_Find(matrix, b, a);
			routes[count++] = (Route){(uint32_t)target, source};
		}
	}
	qsort(routes, count, sizeof *routes, compareRoutes);
	return count;
}

static size_t countTargets(const Route* routes, size_t count)
{
	size_t targets = 0;
	for (size_t i = 0; i < count; ++i)
		targets += i == 0 || routes[i].target != routes[i - 1].target;
	return targets;
}

plResult plAssembly_Create(plAssembly* assembly, const plTetEnergy* energy, const plBlockMatrix* matrix, plHeap* heap)
{
	enum
	{
		routeRoom = pl_chunkBatches * pl_batchSize * pl_tetBlocks
	};
	*assembly = (plAssembly){.chunkCount = (energy->batchCount + pl_chunkBatches - 1) / pl_chunkBatches,
	                         .sourceCount = pl_tetBlocks * energy->elementCount};
	if (matrix->blockCount > UINT32_MAX)
		return pl_errorMemory;
	Route* routes = PL_NEW(heap, Route, routeRoom);
	assembly->chunkStart = PL_NEW_ZERO(heap, size_t, assembly->chunkCount + 1);
	assembly->source = PL_NEW(heap, uint32_t, assembly->sourceCount);
	assembly->buffer = PL_NEW(heap, double, (size_t)routeRoom * 9);
	bool fine = routes && assembly->chunkStart && (assembly->source || assembly->sourceCount == 0) && assembly->buffer;

	for (size_t chunk = 0; fine && chunk < assembly->chunkCount; ++chunk)
		assembly->targetCount += countTargets(routes, routeChunk(energy, matrix, chunk, routes));
	if (fine)
	{
		assembly->target = PL_NEW(heap, uint32_t, assembly->targetCount);
		assembly->sourceStart = PL_NEW_ZERO(heap, size_t, assembly->targetCount + 1);
		fine = (assembly->target || assembly->targetCount == 0) && assembly->sourceStart;
	}
	size_t target = 0, source = 0;
	for (size_t chunk = 0; fine && chunk < assembly->chunkCount; ++chunk)
	{
		size_t count = routeChunk(energy, matrix, chunk, routes);
		for (size_t i = 0; i < count; ++i)
		{
			if (i == 0 || routes[i].target != routes[i - 1].target)
			{
				assembly->sourceStart[target] = source;
				assembly->target[target++] = routes[i].target;
			}
			assembly->source[source++] = routes[i].source;
		}
		assembly->chunkStart[chunk + 1] = target;
		assembly->sourceStart[target] = source;
	}
	PL_FREE(heap, routes, (size_t)routeRoom);
	if (!fine)
	{
		plAssembly_Destroy(assembly, heap);
		return pl_errorMemory;
	}
	return pl_success;
}

void plAssembly_Destroy(plAssembly* assembly, plHeap* heap)
{
	PL_FREE(heap, assembly->chunkStart, assembly->chunkCount + 1);
	PL_FREE(heap, assembly->target, assembly->targetCount);
	PL_FREE(heap, assembly->sourceStart, assembly->targetCount + 1);
	PL_FREE(heap, assembly->source, assembly->sourceCount);
	PL_FREE(heap, assembly->buffer, (size_t)pl_chunkBatches * pl_batchSize * pl_tetBlocks * 9);
	*assembly = (plAssembly){0};
}

void plAssembly_Add(const plAssembly* assembly, size_t begin, size_t end, plBlockMatrix* matrix)
{
	for (size_t t = begin; t < end; ++t)
	{
		double* block = matrix->block + 9 * (size_t)assembly->target[t];
		for (size_t s = assembly->sourceStart[t]; s < assembly->sourceStart[t + 1]; ++s)
		{
			const double* from = assembly->buffer + 9 * (size_t)(assembly->source[s] >> 1);
			bool transposed = assembly->source[s] & 1;
			for (int i = 0; i < 3; ++i)
				for (int j = 0; j < 3; ++j)
					block[3 * i + j] += transposed ? from[3 * j + i] : from[3 * i + j];
		}
	}
}
