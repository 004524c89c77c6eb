// factor_test.c: every factorisation of the build against dense solves, each other, and matrices without a factor
#include "sparse_support.h"
#include "heap.h"

static const plFactorKind kinds[] = {pl_factorKindSimplicial, pl_factorKindSupernodal, pl_factorKindOwn};
#define EACH_KIND(kind)                                                                                                \
	for (size_t at_ = 0; at_ < sizeof kinds / sizeof *kinds; ++at_)                                                    \
		for (plFactorKind kind = kinds[at_], *once_ = &kind; once_ && plFactor_Exists(kind); once_ = NULL)

static plFactor* create(plFactorKind kind, const Matrix* m)
{
	return plFactor_Create(kind, m->n, m->start, m->rows, &heap, NULL);
}

// Solves A x = b with `kind` for `count` right-hand sides of which x is known, and returns the worst relative error.
static double errorOf(plFactorKind kind, const Matrix* m, size_t count)
{
	size_t n = m->n;
	double* x = malloc((n * count + 1) * sizeof *x);
	double* b = malloc((n * count + 1) * sizeof *b);
	uint64_t seed = 3;
	for (size_t i = 0; i < n * count; ++i)
		x[i] = testRandom(&seed);
	for (size_t c = 0; c < count; ++c)
		multiply(m, x + c * n, b + c * n);
	plFactor* factor = create(kind, m);
	double error = INFINITY;
	if (factor && plFactor_Numeric(factor, m->values) == pl_success &&
	    plFactor_Solve(factor, b, b, count) == pl_success)
		error = relativeDifference(b, x, n * count);
	plFactor_Destroy(factor);
	free(x);
	free(b);
	return error;
}

// Each row meets about `degree` others; the diagonal outweighs them.
static Matrix makeRandom(size_t n, double degree, uint64_t seed)
{
	double* a = calloc(n * n, sizeof *a);
	for (size_t i = 0; i < n; ++i)
	{
		for (size_t j = 0; j < i; ++j)
			if (0.5 * testRandom(&seed) + 0.5 < degree / (double)n)
				a[i * n + j] = a[j * n + i] = testRandom(&seed);
	}
	for (size_t i = 0; i < n; ++i)
	{
		double sum = 0.1;
		for (size_t j = 0; j < n; ++j)
			sum += fabs(a[i * n + j]);
		a[i * n + i] = sum;
	}
	Matrix m = fromDense(n, a);
	free(a);
	return m;
}

TEST(random_matrices_agree_with_the_dense_solution)
{
	uint64_t seed = 11;
	for (size_t n = 1; n <= 120; n += n < 12 ? 1 : 27)
		for (int degree = 0; degree <= 12; degree += 3)
		{
			Matrix m = makeRandom(n, degree, n * 100 + (size_t)degree);
			double b[120], x[120], reference[120];
			for (size_t i = 0; i < n; ++i)
				b[i] = testRandom(&seed);
			solveDense(&m, b, reference);
			EACH_KIND(kind)
			{
				plFactor* factor = create(kind, &m);
				CHECK(factor != NULL);
				CHECK(plFactor_Numeric(factor, m.values) == pl_success);
				CHECK(plFactor_Solve(factor, b, x, 1) == pl_success);
				CHECK_BELOW(relativeDifference(x, reference, n), 1e-11);
				plFactor_Destroy(factor);
			}
			freeMatrix(&m);
		}
	CHECK(heap.bytes == 0);
}

TEST(laplacians_of_paths_and_grids_are_solved)
{
	for (uint32_t side = 2; side <= 40; side += 19)
		for (int two = 0; two < 2; ++two)
		{
			// one z-layer: the block matrix of a flat box has no tets, so the grid is built by hand
			size_t n = two ? (size_t)side * side : side;
			Matrix m = {n, malloc((n + 1) * sizeof(size_t)), malloc(3 * n * sizeof(uint32_t)),
			            malloc(3 * n * sizeof(double))};
			size_t k = 0;
			for (uint32_t i = 0; i < n; ++i)
			{
				m.start[i] = k;
				m.rows[k] = i, m.values[k++] = two ? 4.001 : 2.001;
				if (i % side + 1 < side)
					m.rows[k] = i + 1, m.values[k++] = -1;
				if (i + side < n)
					m.rows[k] = i + side, m.values[k++] = -1;
			}
			m.start[n] = k;
			EACH_KIND(kind)
			{
				CHECK_BELOW(errorOf(kind, &m, 1), 1e-10);
			}
			freeMatrix(&m);
		}
}

TEST(block_matrices_of_boxes_are_solved_for_several_right_hand_sides)
{
	plBlockMatrix blocks = makeBox(7, 6, 9, 0.01, &heap);
	bool* held = calloc(3 * blocks.rows, sizeof *held);
	for (int pinned = 0; pinned < 2; ++pinned)
	{
		for (size_t u = 0; pinned && u < 3 * blocks.rows; ++u)
			held[u] = u < 60 || u % 17 == 0; // whole vertices, and single axes
		Matrix m = fromBlocks(&blocks, held);
		EACH_KIND(kind)
		{
			for (size_t count = 0; count <= 9; count += count < 4 ? 1 : 5)
				CHECK_BELOW(errorOf(kind, &m, count), 1e-10);
		}
		freeMatrix(&m);
	}
	free(held);
	plBlockMatrix_Destroy(&blocks, &heap);
	CHECK(heap.bytes == 0);
}

TEST(values_may_change_as_often_as_wanted)
{
	plBlockMatrix blocks = makeBox(5, 4, 6, 0.1, &heap);
	Matrix m = fromBlocks(&blocks, NULL);
	size_t n = m.n;
	double *b = malloc(n * sizeof *b), *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
	EACH_KIND(kind)
	{
		plFactor* factor = create(kind, &m);
		CHECK(factor != NULL);
		uint64_t seed = 5;
		for (int round = 0; round < 4; ++round)
		{
			for (size_t j = 0; j < n; ++j)
				m.values[m.start[j]] += 0.3 * (1.1 + testRandom(&seed));
			for (size_t i = 0; i < n; ++i)
				x[i] = testRandom(&seed);
			multiply(&m, x, b);
			CHECK(plFactor_Numeric(factor, m.values) == pl_success);
			for (int again = 0; again < 2; ++again)
			{
				CHECK(plFactor_Solve(factor, b, y, 1) == pl_success);
				CHECK_BELOW(relativeDifference(y, x, n), 1e-10);
			}
		}
		// a failure in between leaves the pattern usable
		double keep = m.values[m.start[n / 2]];
		m.values[m.start[n / 2]] = -1;
		CHECK(plFactor_Numeric(factor, m.values) == pl_errorNumeric);
		CHECK(plFactor_Solve(factor, b, y, 1) == pl_errorNumeric);
		m.values[m.start[n / 2]] = keep;
		CHECK(plFactor_Numeric(factor, m.values) == pl_success);
		CHECK(plFactor_Solve(factor, b, y, 1) == pl_success);
		CHECK_BELOW(relativeDifference(y, x, n), 1e-10);
		plFactor_Destroy(factor);
	}
	free(b), free(x), free(y);
	freeMatrix(&m);
	plBlockMatrix_Destroy(&blocks, &heap);
	CHECK(heap.bytes == 0);
}

static plResult numericOfDense(plFactorKind kind, size_t n, const double* a)
{
	Matrix m = fromDense(n, a);
	plFactor* factor = create(kind, &m);
	plResult result = factor ? plFactor_Numeric(factor, m.values) : pl_errorMemory;
	plFactor_Destroy(factor);
	freeMatrix(&m);
	return result;
}

TEST(matrices_that_are_not_positive_definite_are_detected)
{
	EACH_KIND(kind)
	{
		CHECK(numericOfDense(kind, 1, (double[]){-1}) == pl_errorNumeric);
		CHECK(numericOfDense(kind, 1, (double[]){0}) == pl_errorNumeric);
		CHECK(numericOfDense(kind, 2, (double[]){1, 2, 2, 1}) == pl_errorNumeric);                  // indefinite
		CHECK(numericOfDense(kind, 3, (double[]){-1, 0, 0, 0, -1, 0, 0, 0, 1}) == pl_errorNumeric); // diagonal
		CHECK(numericOfDense(kind, 3, (double[]){1, 1, 0, 1, 1, 0, 0, 0, 1}) == pl_errorNumeric);   // singular
		CHECK(numericOfDense(kind, 3, (double[]){2, 1, 0, 1, 2, 0, 0, 0, 0}) == pl_errorNumeric);   // zero row
		CHECK(numericOfDense(kind, 2, (double[]){NAN, 1, 1, 3}) == pl_errorNumeric);                // not a number
		CHECK(numericOfDense(kind, 2, (double[]){3, NAN, NAN, 3}) == pl_errorNumeric);              // beside it
		CHECK(numericOfDense(kind, 2, (double[]){INFINITY, 1, 1, 3}) == pl_errorNumeric);           // infinite
		CHECK(numericOfDense(kind, 3, (double[]){2, -1, 0, -1, 2, -1, 0, -1, 2}) == pl_success);
	}
	plBlockMatrix blocks = makeBox(6, 6, 6, 0.1, &heap);
	Matrix m = fromBlocks(&blocks, NULL);
	for (size_t j = 0; j < m.n; j += 97)
	{
		double keep = m.values[m.start[j]];
		m.values[m.start[j]] = -keep;
		EACH_KIND(kind)
		{
			plFactor* factor = create(kind, &m);
			CHECK(plFactor_Numeric(factor, m.values) == pl_errorNumeric);
			plFactor_Destroy(factor);
		}
		m.values[m.start[j]] = keep;
	}
	freeMatrix(&m);
	plBlockMatrix_Destroy(&blocks, &heap);
	CHECK(heap.bytes == 0);
}

// I + 1 1' with one diagonal entry too small: the pivot there is the first that is not positive, or a later one is.
TEST(a_bad_pivot_is_detected_at_every_place_of_dense_matrices)
{
	for (size_t n = 1; n <= 26; ++n)
		for (size_t bad = 0; bad < n; ++bad)
			for (int how = 0; how < 3; ++how)
			{
				double a[26 * 26];
				for (size_t i = 0; i < n * n; ++i)
					a[i] = 1 + (i / n == i % n);
				a[bad * n + bad] = how == 0 ? -0.5 : how == 1 ? 0 : NAN;
				EACH_KIND(kind)
				{
					CHECK(numericOfDense(kind, n, a) == pl_errorNumeric);
				}
			}
	CHECK(heap.bytes == 0);
}

TEST(the_empty_matrix_has_a_factor)
{
	EACH_KIND(kind)
	{
		size_t start = 0;
		plFactor* factor = plFactor_Create(kind, 0, &start, NULL, &heap, NULL);
		CHECK(factor != NULL);
		CHECK(plFactor_Numeric(factor, NULL) == pl_success);
		CHECK(plFactor_Solve(factor, NULL, NULL, 3) == pl_success);
		CHECK(plFactor_GetNonzeros(factor) == 0);
		plFactor_Destroy(factor);
	}
	plFactor_Destroy(NULL);
	CHECK(heap.bytes == 0);
}

TEST(disconnected_graphs_are_solved)
{
	// three pieces, numbered in turn, and unknowns without neighbours between them
	size_t n = 240;
	double* a = calloc(n * n, sizeof *a);
	for (size_t i = 0; i < n; ++i)
	{
		a[i * n + i] = 3;
		if (i % 4 != 3 && i + 4 < n)
			a[i * n + i + 4] = a[(i + 4) * n + i] = -1;
		if (i % 4 == 1 && i + 20 < n)
			a[i * n + i + 20] = a[(i + 20) * n + i] = -0.4;
	}
	Matrix m = fromDense(n, a);
	EACH_KIND(kind)
	{
		CHECK_BELOW(errorOf(kind, &m, 2), 1e-12);
	}
	freeMatrix(&m);
	free(a);
}

TEST(an_arrow_pointing_the_wrong_way_does_not_fill_in)
{
	size_t n = 400;
	double* a = calloc(n * n, sizeof *a);
	for (size_t i = 0; i < n; ++i)
	{
		a[i * n] = a[i] = -0.5; // the dense row comes first: without ordering L is full
		a[i * n + i] = 2;
	}
	a[0] = (double)n;
	Matrix m = fromDense(n, a);
	EACH_KIND(kind)
	{
		CHECK_BELOW(errorOf(kind, &m, 1), 1e-10);
		plFactor* factor = create(kind, &m);
		CHECK(plFactor_Numeric(factor, m.values) == pl_success);
		CHECK(plFactor_GetNonzeros(factor) <= 2 * n + 100); // merged columns hold a few zeros
		plFactor_Destroy(factor);
	}
	freeMatrix(&m);
	free(a);
}

TEST(the_same_matrix_gives_the_same_bits_twice)
{
	plBlockMatrix blocks = makeBox(8, 7, 6, 0.01, &heap);
	Matrix m = fromBlocks(&blocks, NULL);
	double* b = malloc(m.n * sizeof *b);
	uint64_t seed = 21;
	for (size_t i = 0; i < m.n; ++i)
		b[i] = testRandom(&seed);
	EACH_KIND(kind)
	{
		uint64_t hash[2];
		for (int run = 0; run < 2; ++run)
		{
			double* x = malloc(m.n * sizeof *x);
			plFactor* factor = create(kind, &m);
			for (int again = 0; again <= run; ++again) // the second run factorises twice
				CHECK(plFactor_Numeric(factor, m.values) == pl_success);
			CHECK(plFactor_Solve(factor, b, x, 1) == pl_success);
			hash[run] = plHash(PL_HASH_SEED, x, m.n * sizeof *x);
			plFactor_Destroy(factor);
			free(x);
		}
		CHECK(hash[0] == hash[1]);
	}
	free(b);
	freeMatrix(&m);
	plBlockMatrix_Destroy(&blocks, &heap);
}

TEST(a_malformed_pattern_is_refused_with_its_column)
{
	plError error;
	const size_t start[] = {0, 2, 3, 4};
	EACH_KIND(kind)
	{
		CHECK(!plFactor_Create(kind, 3, start, (const uint32_t[]){0, 2, 2, 2}, &heap, &error));
		CHECK(error.code == pl_errorInput && strstr(error.message, "column 1"));
		CHECK(!plFactor_Create(kind, 3, start, (const uint32_t[]){0, 3, 1, 2}, &heap, &error));
		CHECK(error.code == pl_errorInput && strstr(error.message, "column 0"));
	}
	CHECK(heap.bytes == 0);
}

TEST(the_choice_is_always_a_kind_that_exists)
{
	for (size_t n = 0; n < 1000000; n = 3 * n + 1)
		for (int wanted = pl_factorAuto; wanted <= pl_factorSupernodal; ++wanted)
			CHECK(plFactor_Exists(plFactor_Choose((plFactorisation)wanted, n)));
}

// Create, factorise and solve with the heap failing at the k-th allocation. Returns the first result that failed.
static plResult runWithLimit(const Matrix* m, size_t k, size_t* bytes)
{
	size_t left = k;
	plHeap failing;
	initFailing(&failing, &left);
	plError error = {0};
	double* x = malloc(2 * m->n * sizeof *x);
	for (size_t i = 0; i < 2 * m->n; ++i)
		x[i] = 1;
	plFactor* factor = plFactor_Create(pl_factorKindOwn, m->n, m->start, m->rows, &failing, &error);
	plResult result = factor ? plFactor_Numeric(factor, m->values) : error.code;
	if (result == pl_success)
		result = plFactor_Solve(factor, x, x, 2);
	plFactor_Destroy(factor);
	free(x);
	*bytes = failing.bytes;
	return result;
}

TEST(every_allocation_of_our_own_may_fail_and_nothing_leaks)
{
	plBlockMatrix blocks = makeBox(7, 6, 6, 0.1, &heap); // large enough for separators on several levels
	Matrix m = fromBlocks(&blocks, NULL);
	size_t k = 0, bytes = 0;
	plResult result;
	while ((result = runWithLimit(&m, k, &bytes)) != pl_success)
	{
		CHECK(result == pl_errorMemory);
		CHECK(bytes == 0);
		k++;
	}
	CHECK(bytes == 0);
	CHECK(k > 40);
	freeMatrix(&m);
	plBlockMatrix_Destroy(&blocks, &heap);
}

TEST(our_own_allocates_nothing_after_creation)
{
	plBlockMatrix blocks = makeBox(5, 5, 5, 0.1, &heap);
	Matrix m = fromBlocks(&blocks, NULL);
	double* x = calloc(5 * m.n, sizeof *x);
	plFactor* factor = create(pl_factorKindOwn, &m);
	size_t before = heap.count;
	for (int round = 0; round < 3; ++round)
	{
		CHECK(plFactor_Numeric(factor, m.values) == pl_success);
		CHECK(plFactor_Solve(factor, x, x, 5) == pl_success);
	}
	CHECK(heap.count == before);
	plFactor_Destroy(factor);
	free(x);
	freeMatrix(&m);
	plBlockMatrix_Destroy(&blocks, &heap);
}

TEST(one_right_hand_side_gives_the_same_bits_alone_and_among_others)
{
	plBlockMatrix blocks = makeBox(6, 5, 4, 0.1, &heap);
	Matrix m = fromBlocks(&blocks, NULL);
	double *b = malloc(7 * m.n * sizeof *b), *x = malloc(7 * m.n * sizeof *x), *alone = malloc(m.n * sizeof *x);
	uint64_t seed = 9;
	for (size_t i = 0; i < 7 * m.n; ++i)
		b[i] = testRandom(&seed);
	plFactor* factor = create(pl_factorKindOwn, &m);
	CHECK(plFactor_Numeric(factor, m.values) == pl_success);
	CHECK(plFactor_Solve(factor, b, x, 7) == pl_success);
	for (size_t r = 0; r < 7; ++r)
	{
		CHECK(plFactor_Solve(factor, b + r * m.n, alone, 1) == pl_success);
		CHECK(memcmp(alone, x + r * m.n, m.n * sizeof *x) == 0);
	}
	plFactor_Destroy(factor);
	free(b), free(x), free(alone);
	freeMatrix(&m);
	plBlockMatrix_Destroy(&blocks, &heap);
}

TEST(every_kernel_of_our_own_gives_the_solution)
{
	plBlockMatrix blocks = makeBox(9, 8, 7, 0.01, &heap);
	Matrix m = fromBlocks(&blocks, NULL);
	for (int baseline = 0; baseline < 2; ++baseline)
	{
		if (baseline)
			setenv("PLIANT_ISA", "baseline", 1);
		double error = errorOf(pl_factorKindOwn, &m, 3);
		unsetenv("PLIANT_ISA");
		CHECK_BELOW(error, 1e-11);
	}
	freeMatrix(&m);
	plBlockMatrix_Destroy(&blocks, &heap);
}

TEST(any_number_of_threads_gives_the_same_bits)
{
	plBlockMatrix blocks = makeBox(13, 12, 12, 0.01, &heap);
	Matrix m = fromBlocks(&blocks, NULL);
	double *b = malloc(m.n * sizeof *b), *x = malloc(m.n * sizeof *x);
	uint64_t seed = 2, first = 0;
	for (size_t i = 0; i < m.n; ++i)
		b[i] = testRandom(&seed);
	plFactor* factor = create(pl_factorKindOwn, &m);
	for (int threads = 0; threads <= 4; ++threads)
	{
		plPool* pool = threads > 0 ? plCreatePool(threads) : NULL;
		plFactor_SetPool(factor, pool);
		CHECK(plFactor_Numeric(factor, m.values) == pl_success);
		CHECK(plFactor_Solve(factor, b, x, 1) == pl_success);
		uint64_t hash = plHash(PL_HASH_SEED, x, m.n * sizeof *x);
		first = threads == 0 ? hash : first;
		CHECK(hash == first);
		plFactor_SetPool(factor, NULL);
		plDestroyPool(pool);
	}
	plFactor_Destroy(factor);
	free(b), free(x);
	freeMatrix(&m);
	plBlockMatrix_Destroy(&blocks, &heap);
}
