// gauss_seidel_test.c: the sweep against dense algebra, its bounds, held axes, threads and shortage of memory
#include "meter.h"
#include "sparse/gauss_seidel.h"
#include "sparse_support.h"
#include "heap.h"

// Vertex at a place of the sweep: patch after patch, colour by colour
static size_t vertexAt(const plLevelRows* rows, size_t place)
{
	for (size_t p = 0; p < rows->patchCount; ++p)
	{
		size_t first = (size_t)rows->patch[p] * pl_rowPatch,
		       count = rows->count - first < pl_rowPatch ? rows->count - first : pl_rowPatch;
		if (place < count)
			return first + place;
		place -= count;
	}
	return SIZE_MAX;
}

// The plain algorithm, vertex after vertex in the order of the sweep, with whole rows looked up in the matrix.
static void applyPlainly(const plLevelRows* rows, const plBlockMatrix* m, const uint8_t* held, const double* b,
                         double* x)
{
	size_t n = 3 * m->rows;
	double* a = makeDense(m, held);
	memset(x, 0, n * sizeof *x);
	for (size_t turn = 0; turn < 2 * m->rows; ++turn)
	{
		// Forward, then backward: each time the residual of the three rows of a vertex is solved away.
		size_t at = turn < m->rows ? turn : 2 * m->rows - 1 - turn, i = vertexAt(rows, at);
		double r[3], block[9];
		for (size_t k = 0; k < 3; ++k)
		{
			r[k] = b[3 * i + k];
			for (size_t j = 0; j < n; ++j)
				r[k] -= a[(3 * i + k) * n + j] * x[j];
			for (size_t c = 0; c < 3; ++c)
				block[3 * k + c] = a[(3 * i + k) * n + 3 * i + c];
		}
		for (size_t p = 0; p < 3; ++p) // Gauss without pivots: positive definite
			for (size_t q = p + 1; q < 3; ++q)
			{
				double f = block[3 * q + p] / block[3 * p + p];
				for (size_t c = p; c < 3; ++c)
					block[3 * q + c] -= f * block[3 * p + c];
				r[q] -= f * r[p];
			}
		for (size_t p = 3; p-- > 0;)
		{
			for (size_t c = p + 1; c < 3; ++c)
				r[p] -= block[3 * p + c] * r[c];
			r[p] /= block[3 * p + p];
			x[3 * i + p] += r[p];
		}
	}
	free(a);
}

typedef struct Sweep
{
	plBlockMatrix m;
	plGaussSeidel sweep;
	uint8_t* held;
	double *b, *x, *y;
	size_t n;
} Sweep;

static Sweep makeSweep(bool pinned, plPool* pool)
{
	Sweep s = {.m = makeBox(9, 7, 10, 0.3, &heap)};
	uint64_t seed = 5;
	s.n = 3 * s.m.rows;
	s.held = calloc(s.m.rows, 1);
	s.b = calloc(s.n, sizeof *s.b);
	s.x = calloc(s.n, sizeof *s.x);
	s.y = calloc(s.n, sizeof *s.y);
	for (size_t i = 0; i < s.m.rows && pinned; ++i)
		s.held[i] = (uint8_t)(i % 9 < 8 ? i % 9 : 0);
	for (size_t i = 0; i < s.n; ++i)
		s.b[i] = (s.held[i / 3] >> (i % 3)) & 1 ? 0.0 : testRandom(&seed);
	if (plGaussSeidel_Create(&s.sweep, &s.m, &heap) != pl_success)
		exit(1);
	plGaussSeidel_Refresh(&s.sweep, &s.m, s.held, pool);
	return s;
}

static void destroySweep(Sweep* s)
{
	plGaussSeidel_Destroy(&s->sweep, &heap);
	plBlockMatrix_Destroy(&s->m, &heap);
	free(s->held);
	free(s->b);
	free(s->x);
	free(s->y);
}

TEST(a_sweep_solves_vertex_after_vertex_there_and_back)
{
	for (int pinned = 0; pinned < 2; ++pinned)
	{
		Sweep s = makeSweep(pinned, NULL);
		plGaussSeidel_Apply(&s.sweep, s.b, s.x, NULL);
		applyPlainly(&s.sweep.rows, &s.m, s.held, s.b, s.y);
		for (size_t i = 0; i < s.n; ++i)
		{
			CHECK_NEAR(s.x[i], s.y[i], 1e-13);
			CHECK(!((s.held[i / 3] >> (i % 3)) & 1) || s.x[i] == 0.0);
		}
		plGaussSeidel_Apply(&s.sweep, s.b, s.b, NULL); // in place
		CHECK(memcmp(s.b, s.x, s.n * sizeof *s.b) == 0);
		destroySweep(&s);
	}
}

static double dot(const double* a, const double* b, size_t n)
{
	double sum = 0.0;
	for (size_t i = 0; i < n; ++i)
		sum += a[i] * b[i];
	return sum;
}

TEST(the_sweep_is_symmetric_and_no_eigenvalue_of_it_times_the_matrix_exceeds_1)
{
	Sweep s = makeSweep(false, NULL);
	double* z = calloc(s.n, sizeof *z);
	uint64_t seed = 11;
	for (size_t i = 0; i < s.n; ++i)
		z[i] = testRandom(&seed);
	plGaussSeidel_Apply(&s.sweep, s.b, s.x, NULL);
	plGaussSeidel_Apply(&s.sweep, z, s.y, NULL);
	CHECK_NEAR(dot(s.x, z, s.n), dot(s.y, s.b, s.n), 1e-12);
	double largest = 0.0;
	for (int k = 0; k < 300; ++k)
	{
		double length = sqrt(dot(z, z, s.n));
		for (size_t i = 0; i < s.n; ++i)
			z[i] /= length;
		plBlockMatrix_Multiply(&s.m, z, s.y, 3);
		plGaussSeidel_Apply(&s.sweep, s.y, z, NULL);
		largest = sqrt(dot(z, z, s.n));
	}
	free(z);
	CHECK_NEAR(largest, 1.0, 1e-3); // and it is reached: the first colour is solved exactly
	destroySweep(&s);
}

TEST(threads_do_not_change_a_bit)
{
	Sweep one = makeSweep(true, NULL);
	plGaussSeidel_Apply(&one.sweep, one.b, one.x, NULL);
	for (int threads = 2; threads < 5; ++threads)
	{
		plPool* pool = plCreatePool(threads);
		Sweep s = makeSweep(true, pool);
		plGaussSeidel_Apply(&s.sweep, s.b, s.x, pool);
		CHECK(memcmp(s.x, one.x, s.n * sizeof *s.x) == 0);
		destroySweep(&s);
		plDestroyPool(pool);
	}
	destroySweep(&one);
	CHECK(heap.bytes == 0);
}

TEST(whichever_allocation_fails_nothing_is_held)
{
	plBlockMatrix m = makeBox(3, 3, 3, 1.0, &heap);
	for (size_t k = 1;; ++k)
	{
		Meter meter = {.failAt = k};
		plAllocator hook = meterHook(&meter);
		plHeap own;
		plHeap_Init(&own, &hook);
		plGaussSeidel sweep;
		plResult result = plGaussSeidel_Create(&sweep, &m, &own);
		if (result == pl_success)
		{
			plGaussSeidel_Destroy(&sweep, &own);
			CHECK(meter.live == 0 && k > 8);
			break;
		}
		CHECK(result == pl_errorMemory && meter.live == 0);
	}
	plBlockMatrix_Destroy(&m, &heap);
}
