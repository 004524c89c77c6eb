// gauss_seidel.c: forward and backward over the patches
//
//   forward    y_i = D_i^-1 (b_i - sum over earlier neighbours j of A_ij y_j)
//   backward   x_i = y_i - D_i^-1 sum over later neighbours j of A_ij x_j
//
// Each uses every off-diagonal block once, from the side of its later (earlier) vertex. Together they cost a product
// with the whole matrix. Most time goes into reading blocks, so they are kept a second time, each half in the order in
// which it is read (level_rows.h).
#include "gauss_seidel.h"

enum
{
	refreshGrain = 64, // vertices
};

typedef struct Loop
{
	plGaussSeidel* sweep;
	const plBlockMatrix* matrix;
	const uint8_t* held;
	const double* b;
	double* x;
} Loop;

plResult plGaussSeidel_Create(plGaussSeidel* sweep, const plBlockMatrix* matrix, plHeap* heap)
{
	plGraph graph = {0};
	*sweep = (plGaussSeidel){0};
	bool fine = plGraph_Mirror(&graph, matrix->rows, matrix->start, matrix->column, heap) &&
	            plLevelRows_Create(&sweep->rows, &graph, heap);
	plGraph_Destroy(&graph, heap);
	if (fine && matrix->rows > 0)
	{
		sweep->from = PL_NEW(heap, uint32_t, sweep->rows.entryCount);
		sweep->block = PL_NEW(heap, double, 9 * sweep->rows.entryCount);
		sweep->inverse = PL_NEW_ZERO(heap, double, 6 * sweep->rows.count);
		fine = sweep->from && sweep->block && sweep->inverse;
	}
	if (fine)
		plLevelRows_FindSources(&sweep->rows, matrix->start, matrix->column, sweep->from);
	else
		plGaussSeidel_Destroy(sweep, heap);
	return fine ? pl_success : pl_errorMemory;
}

void plGaussSeidel_Destroy(plGaussSeidel* sweep, plHeap* heap)
{
	PL_FREE(heap, sweep->from, sweep->rows.entryCount);
	PL_FREE(heap, sweep->block, 9 * sweep->rows.entryCount);
	PL_FREE(heap, sweep->inverse, 6 * sweep->rows.count);
	plLevelRows_Destroy(&sweep->rows, heap);
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

static void copyEntries(const Loop* loop, plEntries entries)
{
	for (size_t e = entries.begin; e < entries.end; ++e)
	{
		const double* in = loop->matrix->block + 9 * (size_t)(loop->sweep->from[e] / 2);
		double* out = loop->sweep->block + 9 * e;
		bool turned = loop->sweep->from[e] & 1;
		for (size_t a = 0; a < 3; ++a)
			for (size_t b = 0; b < 3; ++b)
				out[3 * a + b] = turned ? in[3 * b + a] : in[3 * a + b];
	}
}

static void refreshRows(size_t begin, size_t end, void* context)
{
	const Loop* loop = context;
	const plBlockMatrix* matrix = loop->matrix;
	for (size_t i = begin; i < end; ++i)
	{
		invertBlock(matrix->block + 9 * matrix->start[i], loop->held[i], loop->sweep->inverse + 6 * i);
		copyEntries(loop, plLevelRows_GetEarlier(&loop->sweep->rows, i));
		copyEntries(loop, plLevelRows_GetLater(&loop->sweep->rows, i));
	}
}

void plGaussSeidel_Refresh(plGaussSeidel* sweep, const plBlockMatrix* matrix, const uint8_t* held, plPool* pool)
{
	PL_ASSERT(matrix->rows == sweep->rows.count, "the matrix that the sweep was created for");
	Loop loop = {.sweep = sweep, .matrix = matrix, .held = held};
	plParallelFor(pool, matrix->rows, refreshGrain, refreshRows, &loop);
}

// ---- sweeps ---------------------------------------------------------------------------------------------------------

// sum -= blocks of entries times x of their vertices
static inline void subtractNeighbours(const plGaussSeidel* sweep, plEntries entries, const double* x, double sum[3])
{
	for (size_t e = entries.begin; e < entries.end; ++e)
	{
		const double *m = sweep->block + 9 * e, *at = x + 3 * (size_t)sweep->rows.column[e];
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

static inline void forwardRow(const plGaussSeidel* sweep, const double* b, double* x, size_t i)
{
	double sum[3] = {b[3 * i], b[3 * i + 1], b[3 * i + 2]};
	subtractNeighbours(sweep, plLevelRows_GetEarlier(&sweep->rows, i), x, sum);
	multiplyInverse(sweep->inverse + 6 * i, sum, x + 3 * i);
}

static inline void backwardRow(const plGaussSeidel* sweep, double* x, size_t i)
{
	double sum[3] = {0.0, 0.0, 0.0}, step[3];
	subtractNeighbours(sweep, plLevelRows_GetLater(&sweep->rows, i), x, sum);
	multiplyInverse(sweep->inverse + 6 * i, sum, step);
	for (size_t k = 0; k < 3; ++k)
		x[3 * i + k] += step[k];
}

static void sweepForward(const plPatchPair* pair, void* context)
{
	const Loop* loop = context;
	size_t length = plPatchPair_GetLength(pair);
	for (size_t k = 0; k < length; ++k)
		for (int p = 0; p < 2; ++p)
			if (k < pair->end[p] - pair->begin[p])
				forwardRow(loop->sweep, loop->b, loop->x, pair->begin[p] + k);
}

static void sweepBackward(const plPatchPair* pair, void* context)
{
	const Loop* loop = context;
	size_t length = plPatchPair_GetLength(pair);
	for (size_t k = 0; k < length; ++k)
		for (int p = 0; p < 2; ++p)
			if (k < pair->end[p] - pair->begin[p])
				backwardRow(loop->sweep, loop->x, pair->end[p] - 1 - k);
}

void plGaussSeidel_Apply(const plGaussSeidel* sweep, const double* b, double* x, plPool* pool)
{
	Loop loop = {.sweep = (plGaussSeidel*)sweep, .b = b, .x = x}; // the sweep is only read
	plLevelRows_Sweep(&sweep->rows, false, pool, sweepForward, &loop);
	plLevelRows_Sweep(&sweep->rows, true, pool, sweepBackward, &loop);
}
