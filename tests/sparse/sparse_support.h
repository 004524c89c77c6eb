// sparse_support.h: matrices to factorise, a dense reference, and a heap that fails at the k-th allocation
#ifndef PL_SPARSE_SUPPORT_H
#define PL_SPARSE_SUPPORT_H

#include "sparse/block_matrix.h"
#include "sparse/factor.h"
#include "test.h"

// Lower triangle by columns, as factor.h wants it.
typedef struct Matrix
{
	size_t n;
	size_t* start;
	uint32_t* rows;
	double* values;
} Matrix;

static inline void freeMatrix(Matrix* m)
{
	free(m->start);
	free(m->rows);
	free(m->values);
	*m = (Matrix){0};
}

// From a dense symmetric matrix: entries that are not zero, and the diagonal.
static inline Matrix fromDense(size_t n, const double* a)
{
	Matrix m = {n, malloc((n + 1) * sizeof(size_t)), malloc((n * n + 1) * sizeof(uint32_t)),
	            malloc((n * n + 1) * sizeof(double))};
	size_t k = 0;
	for (size_t j = 0; j < n; ++j)
	{
		m.start[j] = k;
		for (size_t i = j; i < n; ++i)
		{
			if (i != j && a[i * n + j] == 0)
				continue;
			m.rows[k] = (uint32_t)i;
			m.values[k++] = a[i * n + j];
		}
	}
	m.start[n] = k;
	return m;
}

// Scalar matrix of a block matrix: upper rows of blocks are lower columns of numbers. held[u] leaves unknown u out.
static inline Matrix fromBlocks(const plBlockMatrix* blocks, const bool* held)
{
	size_t all = 3 * blocks->rows, n = 0;
	uint32_t* number = malloc((all + 1) * sizeof *number);
	for (size_t u = 0; u < all; ++u)
		number[u] = held && held[u] ? UINT32_MAX : (uint32_t)n++;
	Matrix m = {n, malloc((n + 1) * sizeof(size_t)), malloc((9 * blocks->blockCount + 1) * sizeof(uint32_t)),
	            malloc((9 * blocks->blockCount + 1) * sizeof(double))};
	size_t k = 0;
	for (size_t i = 0; i < blocks->rows; ++i)
		for (size_t a = 0; a < 3; ++a)
		{
			if (number[3 * i + a] == UINT32_MAX)
				continue;
			m.start[number[3 * i + a]] = k;
			for (size_t t = blocks->start[i]; t < blocks->start[i + 1]; ++t)
				for (size_t b = blocks->column[t] == i ? a : 0; b < 3; ++b)
				{
					uint32_t row = number[3 * (size_t)blocks->column[t] + b];
					if (row == UINT32_MAX)
						continue;
					m.rows[k] = row;
					m.values[k++] = blocks->block[9 * t + 3 * a + b];
				}
		}
	m.start[n] = k;
	free(number);
	return m;
}

// Adds a spring k (n n' + softness I) along d between vertex i and that of its block t.
static inline void addSpring(plBlockMatrix* m, size_t i, size_t t, const double d[3], double k, double softness)
{
	double *at = m->block + 9 * m->start[i], *other = m->block + 9 * m->start[m->column[t]];
	double l2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
	for (int a = 0; a < 3; ++a)
		for (int b = 0; b < 3; ++b)
		{
			double v = k * ((l2 > 0 ? d[a] * d[b] / l2 : 0) + (a == b ? softness : 0));
			at[3 * a + b] += v;
			other[3 * a + b] += v;
			m->block[9 * t + 3 * a + b] -= v;
		}
}

// Stiffness-like matrix of a box of nx x ny x nz vertices, six tets per cell: every edge of the mesh is a spring
// k (n n' + I/4) and every vertex has the weight `mass`.
static inline plBlockMatrix makeBox(uint32_t nx, uint32_t ny, uint32_t nz, double mass, plHeap* heap)
{
	static const int path[6][2] = {{1, 2}, {2, 1}, {1, 4}, {4, 1}, {2, 4}, {4, 2}}; // axes of the first two moves
	size_t cells = (size_t)(nx - 1) * (ny - 1) * (nz - 1), e = 0;
	uint32_t* tets = malloc((cells * 24 + 1) * sizeof *tets);
	for (uint32_t z = 0; z + 1 < nz; ++z)
		for (uint32_t y = 0; y + 1 < ny; ++y)
			for (uint32_t x = 0; x + 1 < nx; ++x)
				for (int p = 0; p < 6; ++p)
				{
					int corner[4] = {0, path[p][0], path[p][0] | path[p][1], 7};
					for (int c = 0; c < 4; ++c)
						tets[e++] =
						    x + (corner[c] & 1) + nx * (y + ((corner[c] >> 1) & 1) + ny * (z + ((corner[c] >> 2) & 1)));
				}
	plBlockMatrix m;
	if (plBlockMatrix_Create(&m, (size_t)nx * ny * nz, tets, e / 4, 4, heap) != pl_success)
		abort();
	free(tets);
	uint64_t seed = 7;
	for (size_t i = 0; i < m.rows; ++i)
	{
		double* at = m.block + 9 * m.start[i];
		at[0] += mass, at[4] += mass, at[8] += mass;
		for (size_t t = m.start[i] + 1; t < m.start[i + 1]; ++t)
		{
			size_t j = m.column[t];
			double d[3] = {(double)(j % nx) - (double)(i % nx), (double)(j / nx % ny) - (double)(i / nx % ny),
			               (double)(j / nx / ny) - (double)(i / nx / ny)};
			addSpring(&m, i, t, d, 1.5 + testRandom(&seed), 0.25);
		}
	}
	return m;
}

// Rows and columns of held axes are those of the identity; [(3 rows)^2]
static inline double* makeDense(const plBlockMatrix* m, const uint8_t* held)
{
	size_t n = 3 * m->rows;
	double* a = calloc(n * n, sizeof *a);
	for (size_t i = 0; i < m->rows; ++i)
		for (size_t k = m->start[i]; k < m->start[i + 1]; ++k)
			for (size_t r = 0; r < 3; ++r)
				for (size_t c = 0; c < 3; ++c)
				{
					size_t j = m->column[k];
					bool fixed = ((held[i] >> r) | (held[j] >> c)) & 1;
					double value = fixed ? (double)(i == j && r == c) : m->block[9 * k + 3 * r + c];
					a[(3 * i + r) * n + 3 * j + c] = a[(3 * j + c) * n + 3 * i + r] = value;
				}
	return a;
}

// y = A x
static inline void multiply(const Matrix* m, const double* x, double* y)
{
	memset(y, 0, m->n * sizeof *y);
	for (size_t j = 0; j < m->n; ++j)
	{
		y[j] += m->values[m->start[j]] * x[j];
		for (size_t k = m->start[j] + 1; k < m->start[j + 1]; ++k)
		{
			y[m->rows[k]] += m->values[k] * x[j];
			y[j] += m->values[k] * x[m->rows[k]];
		}
	}
}

// x = A^-1 b by dense elimination without pivoting (A positive definite)
static inline void solveDense(const Matrix* m, const double* b, double* x)
{
	size_t n = m->n;
	double* a = calloc(n * n + 1, sizeof *a);
	for (size_t j = 0; j < n; ++j)
		for (size_t k = m->start[j]; k < m->start[j + 1]; ++k)
			a[m->rows[k] * n + j] = a[j * n + m->rows[k]] = m->values[k];
	memcpy(x, b, n * sizeof *x);
	for (size_t p = 0; p < n; ++p)
		for (size_t i = p + 1; i < n; ++i)
		{
			double f = a[i * n + p] / a[p * n + p];
			for (size_t j = p; f != 0 && j < n; ++j)
				a[i * n + j] -= f * a[p * n + j];
			x[i] -= f * x[p];
		}
	for (size_t i = n; i-- > 0;)
	{
		for (size_t j = i + 1; j < n; ++j)
			x[i] -= a[i * n + j] * x[j];
		x[i] /= a[i * n + i];
	}
	free(a);
}

// |a - b| / |b| in the largest norm
static inline double relativeDifference(const double* a, const double* b, size_t n)
{
	double difference = 0, size = 0;
	for (size_t i = 0; i < n; ++i)
	{
		double d = fabs(a[i] - b[i]);
		if (!(d <= difference))
			difference = d;
		size = fmax(size, fabs(b[i]));
	}
	return size > 0 ? difference / size : difference;
}

// ---- a heap that fails ------------------------------------------------------------------------------------------

static inline void* allocateWhileLeft(size_t bytes, void* context)
{
	size_t* left = context;
	if (*left == 0)
		return NULL;
	(*left)--;
	return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static inline void releasePlain(void* memory, size_t bytes, void* context)
{
	(void)bytes;
	(void)context;
	free(memory);
}

static inline void initFailing(plHeap* heap, size_t* left)
{
	plAllocator hook = {allocateWhileLeft, releasePlain, left};
	plHeap_Init(heap, &hook);
}

#endif
