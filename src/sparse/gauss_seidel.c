// gauss_seidel.c: forward and backward over the colours
//
//   forward    y_i = D_i^-1 (b_i - sum over neighbours j of earlier colours of A_ij y_j)
//   backward   x_i = y_i - D_i^-1 sum over neighbours j of later colours of A_ij x_j
//
// Each uses every off-diagonal block once, from the side of its later (earlier) vertex. Together they cost a product
// with the whole matrix. Most time goes into reading blocks, so they are kept a second time, in the order of the sweep
// and turned as they are needed. Vertices of a colour do not meet: each y_i is one fixed sum, whichever thread computes
// it.
#include "gauss_seidel.h"

enum
{
	sweepGrain = 64, // vertices
};

typedef struct Loop
{
	plGaussSeidel* sweep;
	const plBlockMatrix* matrix;
	const uint8_t* held;
	size_t first; // row of the colour
	const double* b;
	double* x;
} Loop;

// ---- pattern --------------------------------------------------------------------------------------------------------

static bool isEarlier(const plColouring* colouring, size_t a, size_t b)
{
	return colouring->colour[a] < colouring->colour[b];
}

// count[2 i]: neighbours of vertex i of earlier colours, count[2 i + 1]: of later ones. With `fill` they are places.
static void visitPairs(plGaussSeidel* sweep, const plBlockMatrix* matrix, size_t* count, bool fill)
{
	for (size_t i = 0; i < matrix->rows; ++i)
		for (size_t k = matrix->start[i] + 1; k < matrix->start[i + 1]; ++k)
		{
			size_t j = matrix->column[k];
			bool first = isEarlier(&sweep->colouring, i, j);
			size_t atI = count[2 * i + first]++, atJ = count[2 * j + !first]++;
			if (!fill)
				continue;
			sweep->vertex[atI] = (uint32_t)j;
			sweep->from[atI] = 2 * k;
			sweep->vertex[atJ] = (uint32_t)i;
			sweep->from[atJ] = 2 * k + 1;
		}
}

// The counts become places: rows in the order of the sweep, earlier neighbours first.
static void placeRows(plGaussSeidel* sweep, size_t* count)
{
	size_t at = 0;
	for (size_t r = 0; r < sweep->colouring.rows; ++r)
	{
		size_t i = sweep->colouring.order[r], earlier = count[2 * i], later = count[2 * i + 1];
		sweep->start[r] = count[2 * i] = at;
		sweep->middle[r] = count[2 * i + 1] = at + earlier;
		at += earlier + later;
	}
	sweep->start[sweep->colouring.rows] = at;
}

plResult plGaussSeidel_Create(plGaussSeidel* sweep, const plBlockMatrix* matrix, plHeap* heap)
{
	size_t n = matrix->rows, entries = 2 * (matrix->blockCount - n);
	*sweep = (plGaussSeidel){.entryCount = entries};
	if (entries > SIZE_MAX / 9 || plColouring_Create(&sweep->colouring, matrix, heap) != pl_success)
	{
		*sweep = (plGaussSeidel){0};
		return pl_errorMemory;
	}
	size_t* count = PL_NEW_ZERO(heap, size_t, 2 * n);
	sweep->start = PL_NEW(heap, size_t, n + 1);
	sweep->middle = PL_NEW(heap, size_t, n);
	sweep->vertex = PL_NEW(heap, uint32_t, entries);
	sweep->from = PL_NEW(heap, size_t, entries);
	sweep->block = PL_NEW(heap, double, 9 * entries);
	sweep->inverse = PL_NEW_ZERO(heap, double, 6 * n);
	bool fine = sweep->start != NULL && (n == 0 || (count && sweep->middle && sweep->inverse)) &&
	            (entries == 0 || (sweep->vertex && sweep->from && sweep->block));
	if (fine)
	{
		visitPairs(sweep, matrix, count, false);
		placeRows(sweep, count);
		visitPairs(sweep, matrix, count, true);
	}
	PL_FREE(heap, count, 2 * n);
	if (!fine)
		plGaussSeidel_Destroy(sweep, heap);
	return fine ? pl_success : pl_errorMemory;
}

void plGaussSeidel_Destroy(plGaussSeidel* sweep, plHeap* heap)
{
	size_t n = sweep->colouring.rows;
	PL_FREE(heap, sweep->start, n + 1);
	PL_FREE(heap, sweep->middle, n);
	PL_FREE(heap, sweep->vertex, sweep->entryCount);
	PL_FREE(heap, sweep->from, sweep->entryCount);
	PL_FREE(heap, sweep->block, 9 * sweep->entryCount);
	PL_FREE(heap, sweep->inverse, 6 * n);
	plColouring_Destroy(&sweep->colouring, heap);
	*sweep = (plGaussSeidel){0};
}

// ---- values ---------------------------------------------------------------------------------------------------------

// Inverse of a symmetric block on its free axes, zero on held ones: a held axis gets a row and column of the identity
// first. out: xx yy zz xy xz yz.
static void invertBlock(const double* block, uint8_t held, double out[6])
{
	double a[3][3];
	for (int r = 0; r < 3; ++r)
		for (int c = 0; c < 3; ++c)
			a[r][c] = ((held >> r) | (held >> c)) & 1 ? (double)(r == c) : block[3 * r + c];
	double xx = a[1][1] * a[2][2] - a[1][2] * a[1][2], xy = a[0][2] * a[1][2] - a[0][1] * a[2][2],
	       xz = a[0][1] * a[1][2] - a[0][2] * a[1][1];
	double scale = 1.0 / (a[0][0] * xx + a[0][1] * xy + a[0][2] * xz);
	const double adjugate[6] = {xx, a[0][0] * a[2][2] - a[0][2] * a[0][2], a[0][0] * a[1][1] - a[0][1] * a[0][1], xy,
	                            xz, a[0][1] * a[0][2] - a[0][0] * a[1][2]};
	for (int k = 0; k < 6; ++k)
		out[k] = k < 3 && ((held >> k) & 1) ? 0.0 : scale * adjugate[k];
}

static void refreshRows(size_t begin, size_t end, void* context)
{
	const Loop* loop = context;
	plGaussSeidel* sweep = loop->sweep;
	const plBlockMatrix* matrix = loop->matrix;
	for (size_t r = begin; r < end; ++r)
	{
		size_t i = sweep->colouring.order[r];
		invertBlock(matrix->block + 9 * matrix->start[i], loop->held[i], sweep->inverse + 6 * r);
		for (size_t e = sweep->start[r]; e < sweep->start[r + 1]; ++e)
		{
			const double* in = matrix->block + 9 * (sweep->from[e] / 2);
			double* out = sweep->block + 9 * e;
			bool turned = sweep->from[e] & 1;
			for (size_t a = 0; a < 3; ++a)
				for (size_t b = 0; b < 3; ++b)
					out[3 * a + b] = turned ? in[3 * b + a] : in[3 * a + b];
		}
	}
}

void plGaussSeidel_Refresh(plGaussSeidel* sweep, const plBlockMatrix* matrix, const uint8_t* held, plPool* pool)
{
	PL_ASSERT(matrix->rows == sweep->colouring.rows, "the matrix that the sweep was created for");
	Loop loop = {.sweep = sweep, .matrix = matrix, .held = held};
	plParallelFor(pool, matrix->rows, sweepGrain, refreshRows, &loop);
}

// ---- sweeps ---------------------------------------------------------------------------------------------------------

// sum -= blocks e .. end-1 times x of their vertices
static inline void subtractNeighbours(const plGaussSeidel* sweep, size_t e, size_t end, const double* x, double sum[3])
{
	for (; e < end; ++e)
	{
		const double *m = sweep->block + 9 * e, *at = x + 3 * (size_t)sweep->vertex[e];
		sum[0] -= m[0] * at[0] + m[1] * at[1] + m[2] * at[2];
		sum[1] -= m[3] * at[0] + m[4] * at[1] + m[5] * at[2];
		sum[2] -= m[6] * at[0] + m[7] * at[1] + m[8] * at[2];
	}
}

static inline void multiplyInverse(const double m[6], const double d[3], double out[3])
{
	out[0] = m[0] * d[0] + m[3] * d[1] + m[4] * d[2];
	out[1] = m[3] * d[0] + m[1] * d[1] + m[5] * d[2];
	out[2] = m[4] * d[0] + m[5] * d[1] + m[2] * d[2];
}

static void sweepForward(size_t begin, size_t end, void* context)
{
	const Loop* loop = context;
	const plGaussSeidel* sweep = loop->sweep;
	for (size_t r = loop->first + begin; r < loop->first + end; ++r)
	{
		size_t i = sweep->colouring.order[r];
		double sum[3] = {loop->b[3 * i], loop->b[3 * i + 1], loop->b[3 * i + 2]};
		subtractNeighbours(sweep, sweep->start[r], sweep->middle[r], loop->x, sum);
		multiplyInverse(sweep->inverse + 6 * r, sum, loop->x + 3 * i);
	}
}

static void sweepBackward(size_t begin, size_t end, void* context)
{
	const Loop* loop = context;
	const plGaussSeidel* sweep = loop->sweep;
	for (size_t r = loop->first + begin; r < loop->first + end; ++r)
	{
		double sum[3] = {0.0, 0.0, 0.0}, step[3], *x = loop->x + 3 * (size_t)sweep->colouring.order[r];
		subtractNeighbours(sweep, sweep->middle[r], sweep->start[r + 1], loop->x, sum);
		multiplyInverse(sweep->inverse + 6 * r, sum, step);
		for (size_t k = 0; k < 3; ++k)
			x[k] += step[k];
	}
}

void plGaussSeidel_Apply(const plGaussSeidel* sweep, const double* b, double* x, plPool* pool)
{
	const plColouring* colouring = &sweep->colouring;
	Loop loop = {.sweep = (plGaussSeidel*)sweep, .b = b, .x = x}; // the sweep is only read
	for (size_t c = 0; c < colouring->count; ++c)
	{
		loop.first = colouring->start[c];
		plParallelFor(pool, colouring->start[c + 1] - loop.first, sweepGrain, sweepForward, &loop);
	}
	for (size_t c = colouring->count; c-- > 0;)
	{
		loop.first = colouring->start[c];
		plParallelFor(pool, colouring->start[c + 1] - loop.first, sweepGrain, sweepBackward, &loop);
	}
}
