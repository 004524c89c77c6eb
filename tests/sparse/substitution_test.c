// substitution_test.c: the solve in single precision against the factorisation, any pool, any scale
#include "sparse_support.h"

#include "sparse/substitution.h"

static plHeap heap;

// Boxes of tetrahedra: the matrix of a mesh's edges, one unknown per vertex; `weight` on the diagonal on top.
static Matrix makeMesh(size_t x, size_t y, size_t z, double weight, double unit)
{
	size_t nx = x + 1, ny = y + 1, n = nx * ny * (z + 1);
	Matrix m = {.n = n};
	m.start = calloc(n + 1, sizeof *m.start);
	m.rows = malloc(14 * n * sizeof *m.rows);
	m.values = malloc(14 * n * sizeof *m.values);
	double* diagonal = calloc(n, sizeof *diagonal);
	size_t at = 0;
	for (size_t v = 0; v < n; ++v)
	{
		size_t i = v % nx, j = v / nx % ny, k = v / (nx * ny), own = at++;
		m.start[v] = own;
		m.rows[own] = (uint32_t)v;
		for (size_t corner = 1; corner < 8; ++corner) // ascending
		{
			size_t a = i + (corner & 1), b = j + (corner >> 1 & 1), c = k + (corner >> 2);
			if (a > x || b > y || c > z)
				continue;
			size_t u = a + nx * (b + ny * c);
			m.rows[at] = (uint32_t)u;
			m.values[at++] = -unit;
			diagonal[v] += unit;
			diagonal[u] += unit;
		}
		m.values[own] = diagonal[v] + weight * unit; // all earlier neighbours have been here
	}
	m.start[n] = at;
	free(diagonal);
	return m;
}

static double* randomSides(size_t n, double unit)
{
	double* b = calloc(4 * n, sizeof *b);
	uint64_t seed = 5;
	for (size_t i = 0; i < 4 * n; ++i)
		b[i] = i % 4 == 3 ? 0.0 : unit * testRandom(&seed);
	return b;
}

// |A x - b| / |b| over the three sides.
static double residualOf(const Matrix* m, const double* x, const double* b)
{
	double *one = malloc(m->n * sizeof *one), *product = malloc(m->n * sizeof *product), worst = 0.0;
	for (size_t r = 0; r < 3; ++r)
	{
		double error = 0.0, size = 0.0;
		for (size_t i = 0; i < m->n; ++i)
			one[i] = x[4 * i + r];
		multiply(m, one, product);
		for (size_t i = 0; i < m->n; ++i)
		{
			error += (product[i] - b[4 * i + r]) * (product[i] - b[4 * i + r]);
			size += b[4 * i + r] * b[4 * i + r];
		}
		worst = fmax(worst, sqrt(error / size));
	}
	free(one);
	free(product);
	return worst;
}

TEST(three_right_hand_sides_are_solved_to_single_precision)
{
	plHeap_Init(&heap, NULL);
	static const size_t sizes[][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 1}, {3, 2, 1}, {7, 5, 3}, {12, 9, 11}};
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s)
	{
		Matrix m = makeMesh(sizes[s][0], sizes[s][1], sizes[s][2], 0.1, 1.0);
		double *b = randomSides(m.n, 1.0), *x = calloc(4 * m.n, sizeof *x);
		plSubstitution* f = plSubstitution_Create(m.n, m.start, m.rows, &heap, NULL);
		CHECK(f != NULL);
		CHECK(plSubstitution_Factorise(f, m.values, NULL) == pl_success);
		plSubstitution_Solve(f, NULL, b, x, 7);
		CHECK_BELOW(residualOf(&m, x, b), 1e-5);
		plSubstitution_Destroy(f);
		free(b);
		free(x);
		freeMatrix(&m);
	}
	CHECK(heap.bytes == 0);
}

TEST(the_solve_is_symmetric_and_positive)
{
	plHeap_Init(&heap, NULL);
	Matrix m = makeMesh(9, 8, 7, 1e-3, 1.0);
	double *a = randomSides(m.n, 1.0), *x = calloc(4 * m.n, sizeof *x), *y = calloc(4 * m.n, sizeof *y);
	plSubstitution* f = plSubstitution_Create(m.n, m.start, m.rows, &heap, NULL);
	CHECK(plSubstitution_Factorise(f, m.values, NULL) == pl_success);
	// b' A^-1 a and a' A^-1 b, with a and b the first two sides of one call
	plSubstitution_Solve(f, NULL, a, x, 7);
	double ab = 0.0, ba = 0.0, aa = 0.0;
	for (size_t i = 0; i < m.n; ++i)
	{
		ab += a[4 * i] * x[4 * i + 1];
		ba += a[4 * i + 1] * x[4 * i];
		aa += a[4 * i] * x[4 * i];
	}
	CHECK(aa > 0.0);
	CHECK_BELOW(fabs(ab - ba) / aa, 1e-6);
	// in place, and one axis only
	plSubstitution_Solve(f, NULL, a, y, 2);
	plSubstitution_Solve(f, NULL, a, a, 7);
	for (size_t i = 0; i < m.n; ++i)
		CHECK(memcmp(a + 4 * i, x + 4 * i, 4 * sizeof *a) == 0 && y[4 * i] == 0.0 && y[4 * i + 1] == x[4 * i + 1]);
	plSubstitution_Destroy(f);
	free(a);
	free(x);
	free(y);
	freeMatrix(&m);
}

TEST(bits_do_not_depend_on_the_pool)
{
	plHeap_Init(&heap, NULL);
	Matrix m = makeMesh(19, 17, 15, 0.01, 1.0);
	double *b = randomSides(m.n, 1.0), *x = calloc(4 * m.n, sizeof *x), *y = calloc(4 * m.n, sizeof *y);
	plSubstitution* f = plSubstitution_Create(m.n, m.start, m.rows, &heap, NULL);
	CHECK(plSubstitution_Factorise(f, m.values, NULL) == pl_success);
	plSubstitution_Solve(f, NULL, b, x, 7);
	for (int threads = 1; threads <= 7; threads += 2)
	{
		plPool* pool = plCreatePool(threads);
		CHECK(plSubstitution_Factorise(f, m.values, pool) == pl_success);
		plSubstitution_Solve(f, pool, b, y, 7);
		CHECK(memcmp(x, y, 4 * m.n * sizeof *x) == 0);
		plDestroyPool(pool);
	}
	plSubstitution_Destroy(f);
	free(b);
	free(x);
	free(y);
	freeMatrix(&m);
}

TEST(units_do_not_matter)
{
	plHeap_Init(&heap, NULL);
	Matrix m = makeMesh(5, 4, 3, 0.1, 1.0), small = makeMesh(5, 4, 3, 0.1, 0x1p-200);
	double *b = randomSides(m.n, 1.0), *bSmall = randomSides(m.n, 0x1p-300);
	double *x = calloc(4 * m.n, sizeof *x), *y = calloc(4 * m.n, sizeof *y);
	plSubstitution* f = plSubstitution_Create(m.n, m.start, m.rows, &heap, NULL);
	CHECK(plSubstitution_Factorise(f, m.values, NULL) == pl_success);
	plSubstitution_Solve(f, NULL, b, x, 7);
	CHECK(plSubstitution_Factorise(f, small.values, NULL) == pl_success);
	plSubstitution_Solve(f, NULL, bSmall, y, 7);
	for (size_t i = 0; i < 4 * m.n; ++i)
		CHECK(fabs(y[i] * 0x1p100 - x[i]) <= 1e-12 * fabs(x[i]));
	for (size_t i = 0; i < 4 * m.n; ++i)
		b[i] = 0.0;
	plSubstitution_Solve(f, NULL, b, y, 7);
	for (size_t i = 0; i < 4 * m.n; ++i)
		CHECK(y[i] == 0.0);
	plSubstitution_Destroy(f);
	free(b);
	free(bSmall);
	free(x);
	free(y);
	freeMatrix(&m);
	freeMatrix(&small);
}

TEST(a_matrix_that_is_not_positive_definite_is_refused)
{
	plHeap_Init(&heap, NULL);
	Matrix m = makeMesh(3, 3, 3, -0.5, 1.0), none = makeMesh(3, 3, 3, 0.1, 1.0);
	none.values[none.start[5]] = 0.0;
	plSubstitution* f = plSubstitution_Create(m.n, m.start, m.rows, &heap, NULL);
	CHECK(plSubstitution_Factorise(f, m.values, NULL) == pl_errorNumeric);
	CHECK(plSubstitution_Factorise(f, none.values, NULL) == pl_errorNumeric);
	plSubstitution_Destroy(f);
	freeMatrix(&m);
	freeMatrix(&none);
}
