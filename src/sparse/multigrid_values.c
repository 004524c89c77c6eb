// multigrid_values.c: the matrices of all levels, and the inverses of their diagonal blocks
//
// Sums of Galerkin's products of numbers are in double: where a body is stiff, what is left of its mass in a row is a
// small difference of large numbers. Those of blocks are in single precision: there are nine times as many of them, and
// they are made anew in every iteration.
#include "multigrid_level.h"

#include <math.h>

#define INLINE static inline __attribute__((always_inline))

typedef float float4 __attribute__((vector_size(16)));
typedef double loose4d __attribute__((vector_size(32), aligned(8), may_alias));
typedef float loose4 __attribute__((vector_size(16), aligned(4), may_alias));

enum
{
	copyGrain = 512,    // rows
	productGrain = 128, // blocks
	ahead = 256         // items
};

typedef struct Loop
{
	plMultigridLevel* level;
	const plMultigridLevel* fine;
	const plGalerkin* plan;
	const uint32_t* from;
	const double* values;
} Loop;

// Nine numbers in the order of memory
typedef struct Block
{
	float4 a, b;
	float last;
} Block;

INLINE Block transposed(Block m)
{
	return (Block){__builtin_shufflevector(m.a, m.b, 0, 3, 6, 1), __builtin_shufflevector(m.b, m.a, 0, 3, 6, 1),
	               m.last};
}

INLINE void storeBlock(float* out, Block m)
{
	*(loose4*)out = m.a;
	*(loose4*)(out + 4) = m.b;
	out[8] = m.last;
}

// Zero in rows and columns of held axes; a block by columns
static void clearHeld(float* block, uint8_t rows, uint8_t columns)
{
	for (size_t c = 0; c < 3; ++c)
		for (size_t r = 0; r < 3; ++r)
			if (((rows >> r) | (columns >> c)) & 1)
				block[3 * c + r] = 0.0f;
}

// ---- the finest level -----------------------------------------------------------------------------------------------

// Blocks of the matrix are by rows, entries by columns: what is to be transposed is copied as it stands.
INLINE void copyBlock(const double* in, bool asItStands, float* out)
{
	Block block = {.a = __builtin_convertvector(*(const loose4d*)in, float4),
	               .b = __builtin_convertvector(*(const loose4d*)(in + 4), float4),
	               .last = (float)in[8]};
	storeBlock(out, asItStands ? block : transposed(block));
}

static void copyBlocks(const Loop* loop, size_t row, plEntries entries)
{
	plMultigridLevel* level = loop->level;
	for (size_t e = entries.begin; e < entries.end; ++e)
	{
		uint8_t rowHeld = level->held[row], columnHeld = level->held[level->rows->column[e]];
		copyBlock(loop->values + 9 * (size_t)(loop->from[e] / 2), loop->from[e] & 1, level->block + 9 * e);
		if (rowHeld | columnHeld)
			clearHeld(level->block + 9 * e, rowHeld, columnHeld);
	}
}

static void copyNumbers(const Loop* loop, size_t row, plEntries entries)
{
	plMultigridLevel* level = loop->level;
	for (size_t e = entries.begin; e < entries.end; ++e)
	{
		bool isHeld = level->held[row] || level->held[level->rows->column[e]];
		level->block[e] = isHeld ? 0.0f : (float)loop->values[loop->from[e] / 2];
	}
}

static void copyRows(size_t begin, size_t end, void* context)
{
	const Loop* loop = context;
	for (size_t i = begin; i < end; ++i)
	{
		plRowParts parts = plLevelRows_GetParts(loop->level->rows, i);
		for (int p = 0; p < 3; ++p)
			if (loop->level->isScalar)
				copyNumbers(loop, i, parts.part[p]);
			else
				copyBlocks(loop, i, parts.part[p]);
	}
}

void plMultigridLevel_Copy(plMultigridLevel* level, const uint32_t* from, const double* values)
{
	Loop loop = {.level = level, .from = from, .values = values};
	plParallelFor(level->pool, level->rows->count, copyGrain, copyRows, &loop);
}

// ---- coarse levels --------------------------------------------------------------------------------------------------

static void sumNumbers(const Loop* loop, size_t block)
{
	const plGalerkin* plan = loop->plan;
	plMultigridLevel* level = loop->level;
	double sum = 0.0;
	for (size_t k = plan->start[block]; k < plan->start[block + 1]; ++k)
		sum += (double)plan->weight[k] * (double)loop->fine->block[plan->source[k]];
	size_t row = level->rows->column[plan->mirror[block]], column = level->rows->column[plan->target[block]];
	bool isHeld = level->held[row] || level->held[column];
	level->block[plan->target[block]] = level->block[plan->mirror[block]] = isHeld ? 0.0f : (float)sum;
}

// The sum over the items of a block. Entries come from all over the finer matrix: they are fetched ahead.
INLINE Block sumItems(const Loop* loop, size_t begin, size_t end)
{
	const uint32_t* source = loop->plan->source;
	const float *weight = loop->plan->weight, *from = loop->fine->block;
	float4 x = {0.0f}, y = x, z = x; // columns
	for (size_t k = begin; k < end; ++k)
	{
		const float* in = from + 9 * (size_t)source[k];
		if (k + ahead < loop->plan->itemCount)
		{
			__builtin_prefetch(from + 9 * (size_t)source[k + ahead]);
			__builtin_prefetch(from + 9 * (size_t)source[k + ahead] + 8);
		}
		x += weight[k] * *(const loose4*)in;
		y += weight[k] * *(const loose4*)(in + 3);
		z += weight[k] * *(const loose4*)(in + 6);
	}
	return (Block){__builtin_shufflevector(x, y, 0, 1, 2, 4), __builtin_shufflevector(y, z, 1, 2, 4, 5), z[2]};
}

static void sumBlocks(const Loop* loop, size_t block)
{
	const plGalerkin* plan = loop->plan;
	plMultigridLevel* level = loop->level;
	float *out = level->block + 9 * (size_t)plan->target[block],
	      *mirror = level->block + 9 * (size_t)plan->mirror[block];
	size_t row = level->rows->column[plan->mirror[block]], column = level->rows->column[plan->target[block]];
	Block sum = sumItems(loop, plan->start[block], plan->start[block + 1]), turned = transposed(sum);
	if (row == column)
		turned = sum = (Block){0.5f * (sum.a + turned.a), 0.5f * (sum.b + turned.b), 0.5f * (sum.last + turned.last)};
	storeBlock(out, sum);
	storeBlock(mirror, turned);
	if (level->held[row] | level->held[column])
	{
		clearHeld(out, level->held[row], level->held[column]);
		clearHeld(mirror, level->held[column], level->held[row]);
	}
}

static void productLoop(size_t begin, size_t end, void* context)
{
	const Loop* loop = context;
	for (size_t block = begin; block < end; ++block)
		if (loop->level->isScalar)
			sumNumbers(loop, block);
		else
			sumBlocks(loop, block);
}

void plMultigridLevel_Multiply(plMultigridLevel* coarse, const plGalerkin* plan, const plMultigridLevel* fine)
{
	Loop loop = {.level = coarse, .fine = fine, .plan = plan};
	plParallelFor(fine->pool, plan->blockCount, productGrain, productLoop, &loop);
}

// ---- inverses -------------------------------------------------------------------------------------------------------

// 1/trace on the free axes is less than the inverse, and definite: what stands for it where rounding has left none.
static void invertTrace(const double a[3][3], uint8_t held, float* out)
{
	double trace = 0.0;
	for (size_t k = 0; k < 3; ++k)
		trace += (held >> k) & 1 ? 0.0 : fmax(a[k][k], 0.0);
	for (size_t k = 0; k < 3; ++k)
		out[4 * k] = (held >> k) & 1 || !(trace > 0.0) ? 0.0f : (float)(1.0 / trace);
}

// The inverse of a symmetric block on its free axes by its adjugate, zero on held ones
static void invertBlock(const float* block, uint8_t held, float* out)
{
	static const double least = 1e-6; // of the squared or cubed size: less is rounding
	double a[3][3];
	for (size_t r = 0; r < 3; ++r)
		for (size_t c = 0; c < 3; ++c)
			a[r][c] = ((held >> r) | (held >> c)) & 1 ? 0.0 : (double)block[3 * c + r];
	double size = fmax(fmax(a[0][0], a[1][1]), a[2][2]);
	for (size_t k = 0; k < 3; ++k)
		a[k][k] = (held >> k) & 1 ? size : a[k][k];
	memset(out, 0, 9 * sizeof *out);
	double xx = a[1][1] * a[2][2] - a[1][2] * a[1][2], yy = a[0][0] * a[2][2] - a[0][2] * a[0][2],
	       zz = a[0][0] * a[1][1] - a[0][1] * a[0][1], xy = a[0][2] * a[1][2] - a[0][1] * a[2][2],
	       xz = a[0][1] * a[1][2] - a[0][2] * a[1][1], yz = a[0][1] * a[0][2] - a[0][0] * a[1][2];
	double determinant = a[0][0] * xx + a[0][1] * xy + a[0][2] * xz;
	bool definite = a[0][0] > least * size && zz > least * size * a[0][0] && determinant > least * size * zz;
	if (!definite || !isfinite(1.0 / determinant))
	{
		invertTrace((const double(*)[3])a, held, out);
		return;
	}
	const double inverse[9] = {xx, xy, xz, xy, yy, yz, xz, yz, zz};
	for (size_t k = 0; k < 9; ++k)
		out[k] = ((held >> k % 3) | (held >> k / 3)) & 1 ? 0.0f : (float)(inverse[k] / determinant);
}

static void invertRows(size_t begin, size_t end, void* context)
{
	plMultigridLevel* level = ((const Loop*)context)->level;
	for (size_t i = begin; i < end; ++i)
	{
		if (!level->isScalar)
		{
			invertBlock(level->block + 9 * i, level->held[i], level->inverse + 9 * i);
			continue;
		}
		float value = level->block[i] > 0.0f ? 1.0f / level->block[i] : 0.0f;
		for (size_t k = 0; k < 4; ++k)
			level->inverse[4 * i + k] = k == 3 ? 0.0f : value;
	}
}

void plMultigridLevel_Invert(plMultigridLevel* level)
{
	Loop loop = {.level = level};
	plParallelFor(level->pool, level->rows->count, copyGrain, invertRows, &loop);
}
