// patches_test.c: the tables of shares against the corners that they were made from, for kinds of any corner count
#include "test.h"
#include "backend/cpu/isa.h"
#include "energy/patches.h"
#include "heap.h"

enum
{
	vertexCount = 500,
	kindCount = 3,
	mostBatches = 2 * pl_patchBatches + 7,
};

// Tets, segments and triangles; every kind ends with a patch that is not full, and one has none that is.
static const size_t cornerCounts[kindCount] = {4, 2, 3}, batchCounts[kindCount] = {mostBatches, 5, pl_patchBatches + 1};
static uint32_t corners[kindCount][pl_batchSize * pl_mostCorners * mostBatches];
static uint16_t shareOf[kindCount][pl_batchSize * pl_mostCorners * mostBatches];
static double rest[3 * vertexCount];

static bool makePatches(plPatches* patches)
{
	uint64_t seed = 3;
	plPatchInput inputs[kindCount];
	for (size_t k = 0; k < kindCount; ++k)
	{
		inputs[k] = (plPatchInput){cornerCounts[k], batchCounts[k], corners[k], shareOf[k]};
		for (size_t i = 0; i < pl_batchSize * cornerCounts[k] * batchCounts[k]; ++i)
			corners[k][i] =
			    (uint32_t)((testRandom(&seed) + 1.0) * 0.499 * (vertexCount - 1)); // the last has no element
	}
	for (size_t i = 0; i < 3 * vertexCount; ++i)
		rest[i] = (double)i / (3 * vertexCount);
	return plPatches_Create(patches, inputs, kindCount, rest, vertexCount, &heap) == pl_success;
}

static plPatchView viewOf(const plPatches* patches, size_t kind, size_t firstPatch, size_t patch)
{
	size_t first = pl_patchBatches * patch, left = batchCounts[kind] - first, at = firstPatch + patch;
	return (plPatchView){.corner = shareOf[kind] + pl_batchSize * cornerCounts[kind] * first,
	                     .rowCount = cornerCounts[kind] * (left < pl_patchBatches ? left : pl_patchBatches),
	                     .vertex = plPatches_GetVertices(patches, at),
	                     .shareCount = patches->shareStart[at + 1] - patches->shareStart[at],
	                     .firstShare = patches->shareStart[at],
	                     .reach = patches->reach[at]};
}

// Every corner carries a number; summed by shares and then by vertices it must come out as summed by corners.
TEST(shares_carry_every_corner_of_every_kind_to_its_vertex_once)
{
	plPatches patches;
	CHECK(makePatches(&patches));
	CHECK(patches.patchCount == 3 + 1 + 2 && patches.shareStart[6] == patches.shareCount);
	static double shares[kindCount * pl_batchSize * pl_mostCorners * mostBatches], total[vertexCount],
	    expected[vertexCount];
	memset(shares, 0, sizeof shares);
	memset(total, 0, sizeof total);
	memset(expected, 0, sizeof expected);
	for (size_t k = 0, firstPatch = 0; k < kindCount; firstPatch += plPatches_CountOf(batchCounts[k++]))
		for (size_t i = 0; i < pl_batchSize * cornerCounts[k] * batchCounts[k]; ++i)
		{
			size_t patch = firstPatch + i / (pl_batchSize * cornerCounts[k] * pl_patchBatches);
			size_t share = patches.shareStart[patch] + shareOf[k][i] / 4;
			shares[share] += (double)(i * i % 1009);
			expected[corners[k][i]] += (double)(i * i % 1009);
			CHECK(shareOf[k][i] % 4 == 0 && share < patches.shareStart[patch + 1]);
			CHECK(patches.shareVertex[share] == corners[k][i]);
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

static double numberOf(size_t corner, size_t k)
{
	return (double)((corner * (k + 3)) % 101) - 50.0;
}

// What the kernels of every table make of whole numbers, which have no rounding, against sums corner by corner.
static void checkShares(const plElementKernels* table, const plPatchView* view, size_t perCorner)
{
	static double buffer[pl_patchDiagonal];
	static double out[6 * kindCount * pl_batchSize * pl_mostCorners * mostBatches];
	static double expected[6 * pl_patchVertices];
	size_t width = perCorner == 6 ? 6 : 4;
	memset(expected, 0, sizeof expected);
	for (size_t row = 0; row < view->rowCount; ++row)
		for (size_t l = 0; l < pl_batchSize; ++l)
		{
			size_t corner = pl_batchSize * row + l, share = view->corner[corner] / 4;
			double square = 0.0;
			for (size_t k = 0; k < perCorner; ++k)
			{
				double x = perCorner == 3 && k > 0 ? 0.0 : numberOf(corner, k); // lengths are whole numbers, too
				size_t at = perCorner * pl_batchSize * row + pl_batchSize * k + l;
				if (table->isFloat)
					((float*)buffer)[at] = (float)x;
				else
					buffer[at] = x;
				expected[width * share + k] += x;
				square += x * x;
			}
			if (perCorner == 3)
				expected[width * share + 3] += sqrt(square);
		}
	if (perCorner == 3)
		table->patch->shareLengths(view, buffer, out);
	else
		table->patch->shareDiagonal(view, buffer, out);
	for (size_t i = 0; i < width * view->shareCount; ++i)
	{
		size_t at = width * view->firstShare + i;
		CHECK((table->isFloat ? (double)((const float*)out)[at] : out[at]) == expected[i]);
	}
}

TEST(the_kernels_of_patches_take_elements_with_any_number_of_corners)
{
	plPatches patches;
	CHECK(makePatches(&patches));
	const plElementKernels* table;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
	{
		WITH("%s %s, %d lanes", table->isa, table->isFloat ? "float" : "double", table->lanes);
		for (size_t k = 0, firstPatch = 0; k < kindCount; firstPatch += plPatches_CountOf(batchCounts[k++]))
			for (size_t patch = 0; patch < plPatches_CountOf(batchCounts[k]); ++patch)
			{
				plPatchView view = viewOf(&patches, k, firstPatch, patch);
				CALL(checkShares(table, &view, 3));
				CALL(checkShares(table, &view, 6));
			}
	}
	plPatches_Destroy(&patches, &heap);
}

TEST(a_world_without_elements_has_no_patches)
{
	plPatches patches;
	const plPatchInput none = {4, 0, NULL, NULL};
	CHECK(plPatches_Create(&patches, &none, 1, NULL, vertexCount, &heap) == pl_success);
	CHECK(patches.patchCount == 0 && patches.shareCount == 0 && patches.vertexStart[vertexCount] == 0);
	plPatches_Destroy(&patches, &heap);
	CHECK(heap.bytes == 0);
}
