// extended_matrix_test.c: a matrix and elements that come and go: their sum against a dense one, and which pattern
// serves
#include "sparse/extended_matrix.h"
#include "sparse_support.h"
#include "heap.h"

enum
{
	rows = 9,
	numbers = 90,
};

static const uint32_t tets[] = {0, 3, 5, 7, 3, 5, 7, 1}; // of the matrix; 8 stands alone
static const uint32_t pairs[] = {8, 5, 1, 0, 2, 4, 6, 3, 7, 2, 8, 6};

typedef double Dense[3 * rows][3 * rows];

// Blocks of an element that is symmetric as a whole, and what they are in a dense matrix
static void fillElement(const uint32_t v[4], uint64_t* seed, double blocks[numbers], Dense dense)
{
	for (int a = 0; a < 4; ++a)
		for (int b = a; b < 4; ++b, blocks += 9)
			for (int k = 0; k < 9; ++k)
			{
				bool mirrored = a == b && k / 3 > k % 3;
				blocks[k] = mirrored ? blocks[3 * (k % 3) + k / 3] : testRandom(seed);
				dense[3 * v[a] + k / 3][3 * v[b] + k % 3] += blocks[k];
				if (a != b)
					dense[3 * v[b] + k % 3][3 * v[a] + k / 3] += blocks[k];
			}
}

static void addMatrix(const plBlockMatrix* m, Dense dense)
{
	for (uint32_t i = 0; i < rows; ++i)
		for (size_t k = m->start[i]; k < m->start[i + 1]; ++k)
			for (int e = 0; e < 9; ++e)
			{
				dense[3 * i + e / 3][3 * m->column[k] + e % 3] += m->block[9 * k + e];
				if (m->column[k] != i)
					dense[3 * m->column[k] + e % 3][3 * i + e / 3] += m->block[9 * k + e];
			}
}

static plBlockMatrix makeMatrix(uint64_t* seed)
{
	plBlockMatrix m;
	if (plBlockMatrix_Create(&m, rows, tets, 2, 4, &heap) != pl_success)
		exit(1);
	for (size_t k = 0; k < 9 * m.blockCount; ++k)
		m.block[k] = testRandom(seed);
	return m;
}

TEST(the_sum_is_the_dense_one)
{
	uint64_t seed = 7;
	static Dense expected, found;
	double blocks[3 * numbers];
	bool changed;
	plBlockMatrix m = makeMatrix(&seed);
	plExtendedMatrix extended = {0};
	plExtension all = {3, pairs, blocks};
	memset(expected, 0, sizeof expected);
	memset(found, 0, sizeof found);
	addMatrix(&m, expected);
	for (int e = 0; e < 3; ++e)
		fillElement(pairs + 4 * e, &seed, blocks + numbers * e, expected);
	CHECK(plExtendedMatrix_Set(&extended, &all, &heap, &changed) && changed);
	CHECK(plExtendedMatrix_Make(&extended, &m, &heap));
	plExtendedMatrix_Fill(&extended, &m, &all);
	addMatrix(&extended.sum, found);
	for (int i = 0; i < 3 * rows; ++i)
		for (int j = 0; j < 3 * rows; ++j)
			CHECK_NEAR(found[i][j], expected[i][j], 1e-14);
	plExtendedMatrix_Destroy(&extended, &heap, &heap);
	plBlockMatrix_Destroy(&m, &heap);
	CHECK(heap.bytes == 0);
}

TEST(a_pattern_serves_until_an_element_has_a_block_elsewhere)
{
	uint64_t seed = 3;
	bool changed;
	plBlockMatrix m = makeMatrix(&seed);
	plExtendedMatrix extended = {0};
	plExtension one = {1, pairs, NULL}, two = {2, pairs, NULL}, none = {0, NULL, NULL};
	CHECK(plExtendedMatrix_Set(&extended, &none, &heap, &changed) && !changed);
	CHECK(plExtendedMatrix_Make(&extended, &m, &heap) && extended.sum.blockCount == m.blockCount);
	CHECK(plExtendedMatrix_Grow(&extended, &one, &heap, &changed) && changed && extended.count == 1);
	CHECK(plExtendedMatrix_Make(&extended, &m, &heap) &&
	      extended.sum.blockCount == m.blockCount + 4); // 0 5 and 1 5 are there
	CHECK(plExtendedMatrix_Grow(&extended, &none, &heap, &changed) && !changed);
	CHECK(plExtendedMatrix_Grow(&extended, &two, &heap, &changed) && changed && extended.count == 2);
	// grown: even the same elements are another pattern
	CHECK(plExtendedMatrix_Set(&extended, &two, &heap, &changed) && changed);
	CHECK(plExtendedMatrix_Set(&extended, &two, &heap, &changed) && !changed);
	CHECK(plExtendedMatrix_Set(&extended, &one, &heap, &changed) && changed && extended.count == 1);
	plExtendedMatrix_Destroy(&extended, &heap, &heap);
	plBlockMatrix_Destroy(&m, &heap);
	CHECK(heap.bytes == 0);
}

TEST(without_memory_there_is_no_pattern_and_nothing_is_held)
{
	uint64_t seed = 5;
	plBlockMatrix m = makeMatrix(&seed);
	plExtension one = {1, pairs, NULL};
	bool done = false;
	for (size_t k = 0; !done && k < 50; ++k)
	{
		size_t left = k;
		plHeap failing;
		initFailing(&failing, &left);
		bool changed;
		plExtendedMatrix extended = {0};
		done =
		    plExtendedMatrix_Set(&extended, &one, &failing, &changed) && plExtendedMatrix_Make(&extended, &m, &failing);
		CHECK(done == (extended.sum.rows == rows));
		plExtendedMatrix_Destroy(&extended, &failing, &failing);
		CHECK(failing.bytes == 0);
	}
	CHECK(done);
	plBlockMatrix_Destroy(&m, &heap);
}
