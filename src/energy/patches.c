// patches.c: the tables of shares, by counting; the same for elements with any number of corners
#include "patches.h"

#include <math.h>

typedef struct Count
{
	uint32_t patch; // 1 + the patch that named this vertex last
	uint32_t share;
} Count;

// Visits all corners patch by patch and numbers the shares in the order of their first corners.
typedef struct Walk
{
	plPatches* patches;
	const plPatchInput* kinds;
	size_t kindCount;
	Count* counts;
	size_t shareCount;
	const plPatchInput* kind; // that is visited
	void (*visit)(struct Walk* walk, size_t patch, size_t corner, uint32_t share, bool isNew);
} Walk;

static void walkKind(Walk* walk, size_t firstPatch)
{
	size_t n = walk->kind->cornerCount;
	for (size_t i = 0; i < pl_batchSize * n * walk->kind->batchCount; ++i)
	{
		size_t patch = firstPatch + i / (pl_batchSize * n * pl_patchBatches);
		Count* count = walk->counts + walk->kind->index[i];
		bool isNew = count->patch != patch + 1;
		if (isNew)
			*count = (Count){(uint32_t)patch + 1, (uint32_t)walk->shareCount++};
		if (walk->visit != NULL)
			walk->visit(walk, patch, i, count->share, isNew);
	}
}

static size_t walkCorners(Walk walk)
{
	size_t patch = 0;
	memset(walk.counts, 0, walk.patches->vertexCount * sizeof *walk.counts);
	for (walk.kind = walk.kinds; walk.kind < walk.kinds + walk.kindCount; ++walk.kind)
	{
		walkKind(&walk, patch);
		patch += plPatches_CountOf(walk.kind->batchCount);
	}
	return walk.shareCount;
}

// Sizes, each one place late; sums of them are the starts.
static void countCorner(Walk* walk, size_t patch, size_t corner, uint32_t share, bool isNew)
{
	(void)share;
	walk->patches->shareStart[patch + 1] += isNew;
	walk->patches->vertexStart[walk->kind->index[corner] + 1] += isNew;
}

// The starts of vertices walk to the ends of their lists and are then set back.
static void placeCorner(Walk* walk, size_t patch, size_t corner, uint32_t share, bool isNew)
{
	plPatches* patches = walk->patches;
	walk->kind->corner[corner] = (uint16_t)(4 * (share - patches->shareStart[patch]));
	if (isNew)
	{
		patches->shareVertex[share] = walk->kind->index[corner];
		patches->vertexShare[patches->vertexStart[walk->kind->index[corner]]++] = share;
	}
}

static void fill(plPatches* patches, Walk walk)
{
	walk.visit = countCorner;
	walkCorners(walk);
	for (size_t p = 0; p < patches->patchCount; ++p)
		patches->shareStart[p + 1] += patches->shareStart[p];
	for (size_t v = 0; v < patches->vertexCount; ++v)
		patches->vertexStart[v + 1] += patches->vertexStart[v];
	walk.visit = placeCorner;
	walkCorners(walk);
	for (size_t v = patches->vertexCount; v > 0; --v)
		patches->vertexStart[v] = patches->vertexStart[v - 1];
	patches->vertexStart[0] = 0;
}

static void findReach(plPatches* patches, const double* rest)
{
	for (size_t p = 0; p < patches->patchCount; ++p)
	{
		const double* first = rest + 3 * (size_t)patches->shareVertex[patches->shareStart[p]];
		double most = 0.0;
		for (size_t s = patches->shareStart[p]; s < patches->shareStart[p + 1]; ++s)
		{
			const double* x = rest + 3 * (size_t)patches->shareVertex[s];
			double d[3] = {x[0] - first[0], x[1] - first[1], x[2] - first[2]};
			most = fmax(most, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
		}
		int exponent; // 2^exponent is above the number
		frexp(fmax(1.25 * most, 0x1p-80), &exponent);
		patches->reach[p] = ldexp(1.0, exponent);
	}
}

// A share belongs to one patch and one vertex, and a vertex finds each of its shares once.
static void validatePatches(const plPatches* patches)
{
	PL_VALIDATE(patches->shareStart[patches->patchCount] == patches->shareCount, "patches cover the shares");
	PL_VALIDATE(patches->vertexStart[patches->vertexCount] == patches->shareCount, "vertices cover the shares");
	for (size_t p = 0; p < patches->patchCount; ++p)
		PL_VALIDATE(patches->shareStart[p + 1] - patches->shareStart[p] <= pl_patchVertices,
		            "the shares of a patch fit into its buffers");
	for (size_t v = 0; v < patches->vertexCount; ++v)
		for (size_t s = patches->vertexStart[v]; s < patches->vertexStart[v + 1]; ++s)
		{
			PL_VALIDATE(patches->shareVertex[patches->vertexShare[s]] == v, "a share and its vertex name each other");
			PL_VALIDATE(s == patches->vertexStart[v] || patches->vertexShare[s - 1] < patches->vertexShare[s],
			            "the shares of a vertex ascend");
		}
}

// Corners and shares name the same vertices.
static void validateCorners(const plPatches* patches, const plPatchInput* kind, size_t firstPatch)
{
	size_t perPatch = pl_batchSize * kind->cornerCount * pl_patchBatches;
	for (size_t i = 0; i < pl_batchSize * kind->cornerCount * kind->batchCount; ++i)
	{
		size_t patch = firstPatch + i / perPatch, share = patches->shareStart[patch] + kind->corner[i] / 4;
		PL_VALIDATE(kind->corner[i] % 4 == 0 && share < patches->shareStart[patch + 1],
		            "a corner has a share of its patch");
		PL_VALIDATE(patches->shareVertex[share] == kind->index[i], "a corner's share is that of its vertex");
	}
}

static void validateAll(const plPatches* patches, const plPatchInput* kinds, size_t kindCount)
{
	size_t patch = 0;
	validatePatches(patches);
	for (size_t k = 0; k < kindCount; ++k)
	{
		validateCorners(patches, kinds + k, patch);
		patch += plPatches_CountOf(kinds[k].batchCount);
	}
}

plResult plPatches_Create(plPatches* patches, const plPatchInput* kinds, size_t kindCount, const double* rest,
                          size_t vertexCount, plHeap* heap)
{
	*patches = (plPatches){.vertexCount = vertexCount};
	for (size_t k = 0; k < kindCount; ++k)
		patches->patchCount += plPatches_CountOf(kinds[k].batchCount);
	Count* counts = PL_NEW(heap, Count, vertexCount + 1);
	Walk walk = {.patches = patches, .kinds = kinds, .kindCount = kindCount, .counts = counts};
	bool good = counts != NULL;
	if (good)
	{
		patches->shareCount = walkCorners(walk);
		patches->shareStart = PL_NEW_ZERO(heap, size_t, patches->patchCount + 1);
		patches->shareVertex = PL_NEW(heap, uint32_t, patches->shareCount);
		patches->reach = PL_NEW(heap, double, patches->patchCount);
		patches->vertexStart = PL_NEW_ZERO(heap, uint32_t, vertexCount + 1);
		patches->vertexShare = PL_NEW(heap, uint32_t, patches->shareCount);
		good = patches->shareStart && patches->vertexStart &&
		       (patches->patchCount == 0 || (patches->shareVertex && patches->reach && patches->vertexShare));
	}
	if (good)
	{
		fill(patches, walk);
		findReach(patches, rest);
		PL_VALIDATE_CALL(validateAll(patches, kinds, kindCount));
	}
	PL_FREE(heap, counts, vertexCount + 1);
	if (!good)
		plPatches_Destroy(patches, heap);
	return good ? pl_success : pl_errorMemory;
}

void plPatches_Destroy(plPatches* patches, plHeap* heap)
{
	PL_FREE(heap, patches->shareStart, patches->patchCount + 1);
	PL_FREE(heap, patches->shareVertex, patches->shareCount);
	PL_FREE(heap, patches->reach, patches->patchCount);
	PL_FREE(heap, patches->vertexStart, patches->vertexCount + 1);
	PL_FREE(heap, patches->vertexShare, patches->shareCount);
	*patches = (plPatches){0};
}
