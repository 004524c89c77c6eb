// patches.c: the tables of shares, by counting
#include "patches.h"

typedef struct Count
{
	uint32_t patch; // 1 + the patch that named this vertex last
	uint32_t share;
} Count;

static size_t patchOf(uint32_t slot)
{
	return slot / (pl_batchSize * pl_patchBatches);
}

static uint16_t placeOf(uint32_t slot, size_t corner)
{
	size_t batch = slot / pl_batchSize % pl_patchBatches;
	return (uint16_t)(pl_batchForces * batch + 24 * corner + slot % pl_batchSize);
}

// The share of a corner, in the order of corners; `isNew` at its first one.
static uint32_t nextShare(Count* counts, uint32_t vertex, size_t patch, size_t* shareCount, bool* isNew)
{
	Count* count = counts + vertex;
	*isNew = count->patch != patch + 1;
	if (*isNew)
		*count = (Count){(uint32_t)patch + 1, (uint32_t)(*shareCount)++};
	return count->share;
}

static size_t countShares(const plPatches* patches, const uint32_t* corners, const uint32_t* slot, Count* counts)
{
	size_t shareCount = 0;
	bool isNew;
	memset(counts, 0, patches->vertexCount * sizeof *counts);
	for (size_t i = 0; i < patches->cornerCount; ++i)
		nextShare(counts, corners[i], patchOf(slot[i / 4]), &shareCount, &isNew);
	return shareCount;
}

// Sizes first, each one place late; sums of them are the starts.
static void fillStarts(plPatches* patches, const uint32_t* corners, const uint32_t* slot, Count* counts)
{
	size_t shareCount = 0;
	memset(counts, 0, patches->vertexCount * sizeof *counts);
	for (size_t i = 0; i < patches->cornerCount; ++i)
	{
		bool isNew;
		size_t patch = patchOf(slot[i / 4]);
		uint32_t share = nextShare(counts, corners[i], patch, &shareCount, &isNew);
		patches->cornerStart[share + 1]++;
		patches->shareStart[patch + 1] += isNew;
		patches->vertexStart[corners[i] + 1] += isNew;
	}
	for (size_t s = 0; s < patches->shareCount; ++s)
		patches->cornerStart[s + 1] += patches->cornerStart[s];
	for (size_t p = 0; p < patches->patchCount; ++p)
		patches->shareStart[p + 1] += patches->shareStart[p];
	for (size_t v = 0; v < patches->vertexCount; ++v)
		patches->vertexStart[v + 1] += patches->vertexStart[v];
}

// The starts walk to the ends of their lists and are then set back.
static void fillLists(plPatches* patches, const uint32_t* corners, const uint32_t* slot, Count* counts)
{
	size_t shareCount = 0;
	memset(counts, 0, patches->vertexCount * sizeof *counts);
	for (size_t i = 0; i < patches->cornerCount; ++i)
	{
		bool isNew;
		uint32_t share = nextShare(counts, corners[i], patchOf(slot[i / 4]), &shareCount, &isNew);
		patches->corner[patches->cornerStart[share]++] = placeOf(slot[i / 4], i % 4);
		if (isNew)
			patches->vertexShare[patches->vertexStart[corners[i]]++] = share;
	}
	for (size_t s = patches->shareCount; s > 0; --s)
		patches->cornerStart[s] = patches->cornerStart[s - 1];
	for (size_t v = patches->vertexCount; v > 0; --v)
		patches->vertexStart[v] = patches->vertexStart[v - 1];
	patches->cornerStart[0] = patches->vertexStart[0] = 0;
}

plResult plPatches_Create(plPatches* patches, const uint32_t* corners, const uint32_t* slot, size_t elementCount,
                          size_t batchCount, size_t vertexCount, plHeap* heap)
{
	*patches = (plPatches){.patchCount = (batchCount + pl_patchBatches - 1) / pl_patchBatches,
	                       .vertexCount = vertexCount,
	                       .cornerCount = 4 * elementCount};
	Count* counts = PL_NEW(heap, Count, vertexCount + 1);
	bool fine = counts != NULL;
	if (fine)
	{
		patches->shareCount = countShares(patches, corners, slot, counts);
		patches->shareStart = PL_NEW_ZERO(heap, size_t, patches->patchCount + 1);
		patches->cornerStart = PL_NEW_ZERO(heap, uint32_t, patches->shareCount + 1);
		patches->corner = PL_NEW(heap, uint16_t, patches->cornerCount);
		patches->vertexStart = PL_NEW_ZERO(heap, uint32_t, vertexCount + 1);
		patches->vertexShare = PL_NEW(heap, uint32_t, patches->shareCount);
		fine = patches->shareStart && patches->cornerStart && patches->vertexStart &&
		       (elementCount == 0 || (patches->corner && patches->vertexShare));
	}
	if (fine)
	{
		fillStarts(patches, corners, slot, counts);
		fillLists(patches, corners, slot, counts);
	}
	PL_FREE(heap, counts, vertexCount + 1);
	if (!fine)
		plPatches_Destroy(patches, heap);
	return fine ? pl_success : pl_errorMemory;
}

void plPatches_Destroy(plPatches* patches, plHeap* heap)
{
	PL_FREE(heap, patches->shareStart, patches->patchCount + 1);
	PL_FREE(heap, patches->cornerStart, patches->shareCount + 1);
	PL_FREE(heap, patches->corner, patches->cornerCount);
	PL_FREE(heap, patches->vertexStart, patches->vertexCount + 1);
	PL_FREE(heap, patches->vertexShare, patches->shareCount);
	*patches = (plPatches){0};
}
