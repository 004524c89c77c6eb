// patches_test.c: the tables of shares against the corners that they were made from
#include "test.h"
#include "energy/patches.h"
#include "heap.h"

enum
{
	vertexCount = 500,
	batchCount = 2 * pl_patchBatches + 7, // a patch that is not full
};

static uint32_t corners[pl_batchIndices * batchCount];

static void makeCorners(void)
{
	uint64_t seed = 3;
	for (size_t i = 0; i < pl_batchIndices * batchCount; ++i)
		corners[i] = (uint32_t)((testRandom(&seed) + 1.0) * 0.499 * (vertexCount - 1)); // the last one has no element
}

// Every corner carries a number; summed by shares and then by vertices it must come out as summed by corners.
TEST(shares_carry_every_corner_to_its_vertex_once)
{
	plPatches patches;
	makeCorners();
	static double rest[3 * vertexCount];
	for (size_t i = 0; i < 3 * vertexCount; ++i)
		rest[i] = (double)i / (3 * vertexCount);
	CHECK(plPatches_Create(&patches, corners, batchCount, rest, vertexCount, &heap) == pl_success);
	CHECK(patches.patchCount == 3 && patches.shareStart[3] == patches.shareCount);
	static double shares[pl_batchIndices * batchCount], total[vertexCount], expected[vertexCount];
	memset(shares, 0, sizeof shares);
	memset(total, 0, sizeof total);
	memset(expected, 0, sizeof expected);
	for (size_t i = 0; i < pl_batchIndices * batchCount; ++i)
	{
		size_t patch = i / (pl_batchIndices * pl_patchBatches);
		shares[patches.shareStart[patch] + patches.share[i] / 4] += (double)(i * i % 1009);
		expected[corners[i]] += (double)(i * i % 1009);
		CHECK(patches.share[i] % 4 == 0);
		CHECK(patches.shareVertex[patches.shareStart[patch] + patches.share[i] / 4] == corners[i]);
		CHECK(patches.shareStart[patch] + patches.share[i] / 4 < patches.shareStart[patch + 1]);
	}
	for (size_t v = 0; v < vertexCount; ++v)
		for (size_t s = patches.vertexStart[v]; s < patches.vertexStart[v + 1]; ++s)
		{
			total[v] += shares[patches.vertexShare[s]];
			CHECK(s == patches.vertexStart[v] || patches.vertexShare[s] > patches.vertexShare[s - 1]);
		}
	for (size_t v = 0; v < vertexCount; ++v)
		CHECK(total[v] == expected[v]);
	CHECK(patches.vertexStart[vertexCount - 1] == patches.vertexStart[vertexCount]);
	CHECK(patches.vertexStart[vertexCount] == patches.shareCount);
	plPatches_Destroy(&patches, &heap);
	CHECK(heap.bytes == 0);
}

TEST(a_world_without_elements_has_no_patches)
{
	plPatches patches;
	CHECK(plPatches_Create(&patches, corners, 0, NULL, vertexCount, &heap) == pl_success);
	CHECK(patches.patchCount == 0 && patches.shareCount == 0 && patches.vertexStart[vertexCount] == 0);
	plPatches_Destroy(&patches, &heap);
	CHECK(heap.bytes == 0);
}
