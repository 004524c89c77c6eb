// block_matrix_test.c: pattern and product of the block matrix against a dense one
#include "sparse_support.h"
#include "heap.h"

// A row of tets that share faces, with the vertices numbered out of order, and one lonely vertex at the end.
#define ROWS 13
static const uint32_t tets[] = {11, 3, 7, 0, 3, 7, 0, 5, 7, 0, 5, 2, 0, 5, 2, 9, 5, 2, 9, 1, 8, 10, 4, 6, 4, 6, 8, 1};
#define TETS (sizeof tets / sizeof *tets / 4)

static bool share(uint32_t a, uint32_t b)
{
	for (size_t e = 0; e < TETS; ++e)
	{
		bool hasA = false, hasB = false;
		for (int c = 0; c < 4; ++c)
		{
			hasA |= tets[4 * e + c] == a;
			hasB |= tets[4 * e + c] == b;
		}
		if (hasA && hasB)
			return true;
	}
	return a == b;
}

TEST(the_pattern_is_the_upper_triangle_of_pairs_that_share_an_element)
{
	plBlockMatrix m;
	CHECK(plBlockMatrix_Create(&m, ROWS, tets, TETS, 4, &heap) == pl_success);
	size_t expected = 0;
	for (uint32_t i = 0; i < ROWS; ++i)
	{
		CHECK(m.column[m.start[i]] == i);
		for (size_t k = m.start[i] + 1; k < m.start[i + 1]; ++k)
			CHECK(m.column[k] > m.column[k - 1]);
		for (uint32_t j = i; j < ROWS; ++j)
		{
			size_t at = plBlockMatrix_Find(&m, i, j);
			CHECK((at != SIZE_MAX) == share(i, j));
			if (at != SIZE_MAX)
				CHECK(m.column[at] == j && at >= m.start[i] && at < m.start[i + 1]);
			expected += share(i, j);
		}
	}
	CHECK(m.blockCount == expected && m.start[ROWS] == expected);
	plBlockMatrix_Destroy(&m, &heap);
	CHECK(heap.bytes == 0);
}

TEST(the_product_is_the_dense_one_and_the_fourth_number_is_zero)
{
	plBlockMatrix m;
	CHECK(plBlockMatrix_Create(&m, ROWS, tets, TETS, 4, &heap) == pl_success);
	static double dense[3 * ROWS][3 * ROWS];
	memset(dense, 0, sizeof dense);
	uint64_t seed = 1;
	for (uint32_t i = 0; i < ROWS; ++i)
		for (size_t k = m.start[i]; k < m.start[i + 1]; ++k)
			for (int a = 0; a < 3; ++a)
				for (int b = 0; b < 3; ++b)
				{
					uint32_t j = m.column[k];
					double v = testRandom(&seed);
					if (i == j && b < a)
						v = m.block[9 * k + 3 * b + a];
					m.block[9 * k + 3 * a + b] = v;
					dense[3 * i + a][3 * j + b] = v;
					dense[3 * j + b][3 * i + a] = v;
				}
	for (int stride = 3; stride <= 4; ++stride)
	{
		double x[4 * ROWS], y[4 * ROWS];
		for (int i = 0; i < 4 * ROWS; ++i)
		{
			x[i] = testRandom(&seed);
			y[i] = NAN;
		}
		plBlockMatrix_Multiply(&m, x, y, stride);
		for (int i = 0; i < ROWS; ++i)
		{
			for (int a = 0; a < 3; ++a)
			{
				double sum = 0;
				for (int j = 0; j < 3 * ROWS; ++j)
					sum += dense[3 * i + a][j] * x[j / 3 * stride + j % 3];
				CHECK_NEAR(y[stride * i + a], sum, 1e-13);
			}
			if (stride == 4)
				CHECK(y[4 * i + 3] == 0);
		}
	}
	plBlockMatrix_Destroy(&m, &heap);
}

TEST(empty_matrices_and_matrices_without_elements_work)
{
	plBlockMatrix m;
	CHECK(plBlockMatrix_Create(&m, 0, NULL, 0, 4, &heap) == pl_success);
	CHECK(m.rows == 0 && m.blockCount == 0 && m.start[0] == 0);
	plBlockMatrix_Multiply(&m, NULL, NULL, 3);
	plBlockMatrix_Destroy(&m, &heap);
	CHECK(plBlockMatrix_Create(&m, 5, NULL, 0, 4, &heap) == pl_success);
	CHECK(m.blockCount == 5);
	plBlockMatrix_Destroy(&m, &heap);
	CHECK(heap.bytes == 0);
}

TEST(a_vertex_out_of_range_is_refused)
{
	plBlockMatrix m;
	CHECK(plBlockMatrix_Create(&m, ROWS - 2, tets, TETS, 4, &heap) == pl_errorInput);
	CHECK(heap.bytes == 0 && m.start == NULL);
}

TEST(every_allocation_may_fail_and_nothing_leaks)
{
	for (size_t k = 0;; ++k)
	{
		size_t left = k;
		plHeap failing;
		initFailing(&failing, &left);
		plBlockMatrix m;
		plResult result = plBlockMatrix_Create(&m, ROWS, tets, TETS, 4, &failing);
		if (result == pl_success)
		{
			plBlockMatrix_Destroy(&m, &failing);
			CHECK(failing.bytes == 0);
			CHECK(k > 4);
			break;
		}
		CHECK(result == pl_errorMemory);
		CHECK(failing.bytes == 0 && m.start == NULL);
	}
}
