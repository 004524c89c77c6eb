// front_lanes.c: partial Cholesky factorisation of a front, and the solves with it, in tiles of lanes x 4
//
// Columns are taken in blocks. Within a block, strip by strip of 4 columns (c the strip, k the block's columns before):
//
//   tile(p, c) -= sum over k of  panel p (:, k)  times  rows c .. c+3 (k)'      12 x 4 numbers held in registers
//   D(c, c) = L4 L4';   tile(p, c) <- tile(p, c) L4^-T
//
// then everything right of the block, D, R and U alike, takes the block's products with the same tile kernel, panel by
// panel. The order of all sums is fixed by the shape alone.
// A tile is 3 vectors by 4 columns where vectors hold 4 numbers (12 accumulators of 16 registers), 2 by 4 where they
// hold 2.
#if !PL_REAL_FLOAT && PL_LANES > 1

#include "front.h"

#include "../kernel/wide.h"

#if PL_LANES == 4
#define VECTORS 3
#define BROADCAST(a) ((real){a, a, a, a})
#else
#define VECTORS 2
#define BROADCAST(a) ((real){a, a})
#endif
#define ROWS (PL_LANES * VECTORS)
#define STRIP pl_frontStrip
#define BLOCK ((size_t)96) // columns; ROWS * BLOCK numbers are a third of a first-level cache

KERNEL real load(const double* from)
{
	real a;
	memcpy(&a, from, sizeof a);
	return a;
}

KERNEL void store(double* to, real a)
{
	memcpy(to, &a, sizeof a);
}

KERNEL size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

// C -= sum over k < count of a_k b_k', a_k: ROWS numbers, b_k: 4 numbers, both ROWS apart. One number of b_k at a time:
// with all four at hand the accumulators would not fit into 16 registers.
#if VECTORS == 3
#define STEP(j)                                                                                                        \
	{                                                                                                                  \
		real b_ = BROADCAST(b[j]);                                                                                     \
		s0##j = FMA(a0, b_, s0##j);                                                                                    \
		s1##j = FMA(a1, b_, s1##j);                                                                                    \
		s2##j = FMA(a2, b_, s2##j);                                                                                    \
	}
#else
#define STEP(j)                                                                                                        \
	{                                                                                                                  \
		real b_ = BROADCAST(b[j]);                                                                                     \
		s0##j = FMA(a0, b_, s0##j);                                                                                    \
		s1##j = FMA(a1, b_, s1##j);                                                                                    \
	}
#endif
#define TAKE(v, j) store(c + ROWS * j + PL_LANES * v, load(c + ROWS * j + PL_LANES * v) - s##v##j)
#define TAKE_ALL(v) TAKE(v, 0), TAKE(v, 1), TAKE(v, 2), TAKE(v, 3)

static void subtractProduct(double* restrict c, const double* restrict a, const double* restrict b, size_t count)
{
	real s00 = {0}, s01 = {0}, s02 = {0}, s03 = {0};
	real s10 = {0}, s11 = {0}, s12 = {0}, s13 = {0};
#if VECTORS == 3
	real s20 = {0}, s21 = {0}, s22 = {0}, s23 = {0};
#endif
	for (size_t k = 0; k < count; ++k, a += ROWS, b += ROWS)
	{
		real a0 = load(a), a1 = load(a + PL_LANES);
#if VECTORS == 3
		real a2 = load(a + 2 * PL_LANES);
#endif
		STEP(0)
		STEP(1)
		STEP(2)
		STEP(3)
	}
	TAKE_ALL(0);
	TAKE_ALL(1);
#if VECTORS == 3
	TAKE_ALL(2);
#endif
}

// ---- one strip ----------------------------------------------------------------------------------------------------

typedef struct Corner
{
	double l[STRIP][STRIP]; // lower triangle
	double inverse[STRIP];  // 1 / diagonal
} Corner;

// Cholesky factor of the 4 x 4 at rows `row` .. row+3 of a tile.
static bool factorCorner(Corner* corner, const double* tile, size_t row)
{
	for (size_t j = 0; j < STRIP; ++j)
	{
		double d = tile[ROWS * j + row + j];
		for (size_t k = 0; k < j; ++k)
			d -= corner->l[j][k] * corner->l[j][k];
		if (!(d > 0 && d < __builtin_inf()))
			return false;
		corner->l[j][j] = __builtin_sqrt(d);
		corner->inverse[j] = 1 / corner->l[j][j];
		for (size_t i = j + 1; i < STRIP; ++i)
		{
			double s = tile[ROWS * j + row + i];
			for (size_t k = 0; k < j; ++k)
				s -= corner->l[i][k] * corner->l[j][k];
			corner->l[i][j] = s * corner->inverse[j];
		}
	}
	return true;
}

// tile <- tile L4^-T
static void solveTile(double* tile, const Corner* corner)
{
	for (size_t v = 0; v < ROWS; v += PL_LANES)
	{
		real x[STRIP];
		for (size_t j = 0; j < STRIP; ++j)
		{
			real s = load(tile + ROWS * j + v);
			for (size_t k = 0; k < j; ++k)
				s = FMA(x[k], BROADCAST(-corner->l[j][k]), s);
			x[j] = s * BROADCAST(corner->inverse[j]);
			store(tile + ROWS * j + v, x[j]);
		}
	}
}

// The corner into the tile that holds it; zeros above.
static void storeCorner(double* tile, const Corner* corner, size_t row)
{
	for (size_t j = 0; j < STRIP; ++j)
	{
		for (size_t i = 0; i < row + j; ++i)
			tile[ROWS * j + i] = 0;
		for (size_t i = j; i < STRIP; ++i)
			tile[ROWS * j + row + i] = corner->l[i][j];
	}
}

// Strip c of the block that starts at column `begin`: products with the block's columns before it, corner, solve.
static bool factorStrip(const plFront* f, size_t begin, size_t c)
{
	size_t stride = ROWS * f->width, first = c / ROWS, row = c % ROWS;
	const double* b = f->D + stride * first + ROWS * begin + row;
	Corner corner;
	for (size_t p = first; p < f->diagonalPanels; ++p)
	{
		double* panel = f->D + stride * p;
		double* tile = panel + ROWS * c;
		subtractProduct(tile, panel + ROWS * begin, b, c - begin);
		if (p == first && !factorCorner(&corner, tile, row))
			return false;
		solveTile(tile, &corner);
		if (p == first)
			storeCorner(tile, &corner, row);
	}
	for (size_t p = 0; p < f->panels; ++p)
	{
		double* panel = f->R + stride * p;
		subtractProduct(panel + ROWS * c, panel + ROWS * begin, b, c - begin);
		solveTile(panel + ROWS * c, &corner);
	}
	return true;
}

static bool factorBlock(const plFront* f, size_t begin, size_t end)
{
	for (size_t c = begin; c < end; c += STRIP)
	{
		if (!factorStrip(f, begin, c))
			return false;
	}
	return true;
}

// ---- what stands right of a block ----------------------------------------------------------------------------------

// Columns end .. width-1 of one panel of D or R; `last` is the last panel of D whose rows are columns of this one.
static void updateColumns(const plFront* f, double* panel, size_t begin, size_t end, size_t last)
{
	size_t stride = ROWS * f->width, count = end - begin;
	for (size_t q = end / ROWS; q <= last && q < f->diagonalPanels; ++q)
	{
		size_t from = q * ROWS < end ? end : q * ROWS;
		size_t to = least((q + 1) * ROWS, f->width);
		const double* b = f->D + stride * q + ROWS * begin;
		for (size_t c = from; c < to; c += STRIP)
			subtractProduct(panel + ROWS * c, panel + ROWS * begin, b + c % ROWS, count);
	}
}

static void updatePanels(const plFront* f, size_t begin, size_t end, size_t from, size_t to)
{
	size_t stride = ROWS * f->width, count = end - begin;
	for (size_t p = from; p < least(to, f->diagonalPanels); ++p)
		updateColumns(f, f->D + stride * p, begin, end, p);
	for (size_t p = from > f->diagonalPanels ? from - f->diagonalPanels : 0; p + f->diagonalPanels < to; ++p)
	{
		double* panel = f->R + stride * p;
		double* rest = f->U + plFront_GetUpdateSize(ROWS, p);
		updateColumns(f, panel, begin, end, f->diagonalPanels);
		for (size_t q = 0; q <= p; ++q)
		{
			const double* b = f->R + stride * q + ROWS * begin;
			for (size_t c = 0; c < ROWS; c += STRIP)
				subtractProduct(rest + ROWS * (q * ROWS + c), panel + ROWS * begin, b + c, count);
		}
	}
}

// ---- solves -------------------------------------------------------------------------------------------------------

// y = sum over k < count of panel(:, k) x_k, for `sides` vectors with xStep and yStep between them
KERNEL void multiplyPanel(const double* panel, size_t count, const double* x, size_t xStep, double* y, size_t yStep,
                          size_t sides)
{
	real s[VECTORS * pl_frontRightSides];
	for (size_t r = 0; r < VECTORS * sides; ++r)
		s[r] = (real){0};
	for (size_t k = 0; k < count; ++k)
	{
		for (size_t v = 0; v < VECTORS; ++v)
		{
			real a = load(panel + ROWS * k + PL_LANES * v);
			for (size_t r = 0; r < sides; ++r)
				s[VECTORS * r + v] = FMA(a, BROADCAST(x[xStep * r + k]), s[VECTORS * r + v]);
		}
	}
	for (size_t r = 0; r < sides; ++r)
	{
		for (size_t v = 0; v < VECTORS; ++v)
			store(y + yStep * r + PL_LANES * v, s[VECTORS * r + v]);
	}
}

// sum[PL_LANES k ...] += panel(:, k) . y, lane by lane, for k < count
KERNEL void multiplyTransposed(const double* panel, size_t count, const double* y, size_t yStep, double* sum,
                               size_t sumStep, size_t sides)
{
	real with[VECTORS * pl_frontRightSides];
	for (size_t r = 0; r < sides; ++r)
	{
		for (size_t v = 0; v < VECTORS; ++v)
			with[VECTORS * r + v] = load(y + yStep * r + PL_LANES * v);
	}
	for (size_t k = 0; k < count; ++k)
	{
		for (size_t r = 0; r < sides; ++r)
		{
			double* at = sum + sumStep * r + PL_LANES * k;
			real s = load(at);
			for (size_t v = 0; v < VECTORS; ++v)
				s = FMA(load(panel + ROWS * k + PL_LANES * v), with[VECTORS * r + v], s);
			store(at, s);
		}
	}
}

KERNEL double sumLanes(const double* a)
{
	double s = a[0] + a[1];
#if PL_LANES == 4
	s += a[2] + a[3];
#endif
	return s;
}

KERNEL void forwardSides(const plFront* f, double* x, double* y, size_t sides)
{
	size_t stride = ROWS * f->width, xStep = ROWS * f->diagonalPanels, yStep = ROWS * f->panels;
	for (size_t p = 0; p < f->diagonalPanels; ++p)
	{
		const double* panel = f->D + stride * p;
		size_t begin = p * ROWS, end = least(begin + ROWS, f->width);
		double s[ROWS * pl_frontRightSides] = {0};
		multiplyPanel(panel, begin, x, xStep, s, ROWS, sides);
		for (size_t r = 0; r < sides; ++r)
		{
			double* at = x + xStep * r;
			for (size_t i = 0; i < end - begin; ++i)
				at[begin + i] -= s[ROWS * r + i];
			for (size_t k = begin; k < end; ++k)
			{
				at[k] /= panel[ROWS * k + k - begin];
				for (size_t i = k + 1; i < end; ++i)
					at[i] -= panel[ROWS * k + i - begin] * at[k];
			}
		}
	}
	for (size_t p = 0; p < f->panels; ++p)
		multiplyPanel(f->R + stride * p, f->width, x, xStep, y + ROWS * p, yStep, sides);
}

KERNEL void backwardSides(const plFront* f, double* x, const double* y, double* work, size_t sides)
{
	size_t stride = ROWS * f->width, xStep = ROWS * f->diagonalPanels, yStep = ROWS * f->panels;
	size_t workStep = PL_LANES * f->width;
	memset(work, 0, sides * workStep * sizeof *work);
	for (size_t p = 0; p < f->panels; ++p)
		multiplyTransposed(f->R + stride * p, f->width, y + ROWS * p, yStep, work, workStep, sides);
	for (size_t p = f->diagonalPanels; p-- > 0;)
	{
		const double* panel = f->D + stride * p;
		size_t begin = p * ROWS, end = least(begin + ROWS, f->width);
		for (size_t r = 0; r < sides; ++r)
		{
			double* at = x + xStep * r;
			for (size_t k = end; k-- > begin;)
			{
				double s = at[k] - sumLanes(work + workStep * r + PL_LANES * k);
				for (size_t i = k + 1; i < end; ++i)
					s -= panel[ROWS * k + i - begin] * at[i];
				at[k] = s / panel[ROWS * k + k - begin];
			}
		}
		multiplyTransposed(panel, begin, x + begin, xStep, work, workStep, sides);
	}
}

// A loop over the sides with a constant length each: the sums stay in registers.
static void forward(const plFront* f, double* x, double* y, size_t count)
{
	switch (count)
	{
	case 1:
		forwardSides(f, x, y, 1);
		break;
	case 2:
		forwardSides(f, x, y, 2);
		break;
	case 3:
		forwardSides(f, x, y, 3);
		break;
	default:
		forwardSides(f, x, y, pl_frontRightSides);
	}
}

static void backward(const plFront* f, double* x, const double* y, double* work, size_t count)
{
	switch (count)
	{
	case 1:
		backwardSides(f, x, y, work, 1);
		break;
	case 2:
		backwardSides(f, x, y, work, 2);
		break;
	case 3:
		backwardSides(f, x, y, work, 3);
		break;
	default:
		backwardSides(f, x, y, work, pl_frontRightSides);
	}
}

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define QUOTE_(a) #a
#define QUOTE(a) QUOTE_(a)

extern const plFrontKernels PASTE(plFrontKernels_, PL_ISA);
const plFrontKernels PASTE(plFrontKernels_, PL_ISA) = {QUOTE(PL_ISA), ROWS,    BLOCK,   factorBlock,
                                                       updatePanels,  forward, backward};

#else

typedef int plFrontKernelsAreDouble; // a file must declare something

#endif
