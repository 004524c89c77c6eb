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
	moveGrain = 4096,   // entries
	clearGrain = 4096,  // rows
	invertGrain = 512,  // rows
	productGrain = 128, // blocks
	// how far ahead memory is asked for
	itemsAhead = 256,
	entriesAhead = 64,
	blocksAhead = 16
};

typedef struct Loop
{
	plMultigridLevel* level;
	const plMultigridLevel* fine;
	const plGalerkin* product;
	const plMultigridPlan* plan;
	const double* values;
	bool all; // blocks; or those that move
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

// Rows near held vertices: their blocks were made as if nothing were held.
static void clearRows(size_t begin, size_t end, void* context)
{
	plMultigridLevel* level = ((const Loop*)context)->level;
	for (size_t i = begin; i < end; ++i)
	{
		if (level->near != NULL && !level->near[i])
			continue;
		plRowParts parts = plLevelRows_GetParts(level->rows, i);
		for (int p = 0; p < 3; ++p)
			for (size_t e = parts.part[p].begin; e < parts.part[p].end; ++e)
			{
				uint8_t column = level->held[level->rows->column[e]];
				if (level->isScalar && (level->held[i] | column) != 0)
					level->block[e] = 0.0f;
				else if ((level->held[i] | column) != 0)
					clearHeld(level->block + 9 * e, level->held[i], column);
			}
	}
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

INLINE void copyEntry(const Loop* loop, size_t e)
{
	uint32_t from = loop->plan->from[e];
	if (loop->level->isScalar)
		loop->level->block[e] = (float)loop->values[from / 2];
	else
		copyBlock(loop->values + 9 * (size_t)(from / 2), from & 1, loop->level->block + 9 * e);
}

// Row by row: what is to be transposed stands mostly in rows that have just been read.
static void copyRows(size_t begin, size_t end, void* context)
{
	const Loop* loop = context;
	for (size_t i = begin; i < end; ++i)
	{
		plRowParts parts = plLevelRows_GetParts(loop->level->rows, i);
		for (int p = 0; p < 3; ++p)
			for (size_t e = parts.part[p].begin; e < parts.part[p].end; ++e)
				copyEntry(loop, e);
	}
}

static void copyMoving(size_t begin, size_t end, void* context)
{
	const Loop* loop = context;
	const plMultigridPlan* plan = loop->plan;
	for (size_t k = begin; k < end; ++k)
	{
		if (k + entriesAhead < plan->movingCount)
		{
			const double* later = loop->values + 9 * (size_t)(plan->from[plan->moving[k + entriesAhead]] / 2);
			__builtin_prefetch(later);
			__builtin_prefetch(later + 8);
		}
		copyEntry(loop, plan->moving[k]);
	}
}

void plMultigridLevel_Copy(plMultigridLevel* level, const plMultigridPlan* plan, const double* values, bool all)
{
	Loop loop = {.level = level, .plan = plan, .values = values};
	if (all || plan->moving == NULL)
		plParallelFor(level->pool, level->rows->count, copyGrain, copyRows, &loop);
	else
		plParallelFor(level->pool, plan->movingCount, moveGrain, copyMoving, &loop);
	plParallelFor(level->pool, level->rows->count, clearGrain, clearRows, &loop);
}

// ---- coarse levels --------------------------------------------------------------------------------------------------

INLINE plEntries itemsOf(const plItems* items, size_t block)
{
	return items->start != NULL ? (plEntries){items->start[block], items->start[block + 1]} : (plEntries){0, 0};
}

static double addNumbers(const Loop* loop, const plItems* items, size_t block, double sum)
{
	plEntries own = itemsOf(items, block);
	for (size_t k = own.begin; k < own.end; ++k)
		sum += (double)items->weight[k] * (double)loop->fine->block[items->source[k]];
	return sum;
}

static void sumNumbers(const Loop* loop, size_t block)
{
	const plGalerkin* product = loop->product;
	double sum = addNumbers(loop, &product->still, block, 0.0);
	sum = addNumbers(loop, &product->moving, block, sum);
	loop->level->block[product->target[block]] = loop->level->block[product->mirror[block]] = (float)sum;
}

// Entries that do not move are multiples of the identity, but for held axes.
static void sumStill(const Loop* loop, size_t block)
{
	const plItems* items = &loop->product->still;
	plEntries own = itemsOf(items, block);
	float* sum = loop->level->still + 4 * block;
	memset(sum, 0, 4 * sizeof *sum);
	for (size_t k = own.begin; k < own.end; ++k)
		for (size_t axis = 0; axis < 3; ++axis)
			sum[axis] += items->weight[k] * loop->fine->block[9 * (size_t)items->source[k] + 4 * axis];
}

// The sum over the items of a block. Entries come from all over the finer matrix: they are fetched ahead.
INLINE Block sumItems(const Loop* loop, plEntries own, const float* still)
{
	const plItems* items = &loop->product->moving;
	const float* from = loop->fine->block;
	float4 x = {still[0]}, y = {0.0f, still[1]}, z = {0.0f, 0.0f, still[2]}; // columns
	for (size_t k = own.begin; k < own.end; ++k)
	{
		const float* in = from + 9 * (size_t)items->source[k];
		if (k + itemsAhead < items->count)
		{
			__builtin_prefetch(from + 9 * (size_t)items->source[k + itemsAhead]);
			__builtin_prefetch(from + 9 * (size_t)items->source[k + itemsAhead] + 8);
		}
		x += items->weight[k] * *(const loose4*)in;
		y += items->weight[k] * *(const loose4*)(in + 3);
		z += items->weight[k] * *(const loose4*)(in + 6);
	}
	return (Block){__builtin_shufflevector(x, y, 0, 1, 2, 4), __builtin_shufflevector(y, z, 1, 2, 4, 5), z[2]};
}

static void sumBlocks(const Loop* loop, size_t block)
{
	static const float none[3];
	const plGalerkin* product = loop->product;
	size_t target = product->target[block], mirror = product->mirror[block];
	if (block + blocksAhead < product->blockCount)
	{
		__builtin_prefetch(loop->level->block + 9 * (size_t)product->target[block + blocksAhead], 1);
		__builtin_prefetch(loop->level->block + 9 * (size_t)product->mirror[block + blocksAhead], 1);
	}
	plEntries own = itemsOf(&product->moving, block);
	bool hasStill = loop->level->still != NULL;
	if (hasStill && loop->all)
		sumStill(loop, block);
	if (own.begin == own.end && !loop->all)
		return;
	Block sum = sumItems(loop, own, hasStill ? loop->level->still + 4 * block : none), turned = transposed(sum);
	if (target == mirror)
		turned = sum = (Block){0.5f * (sum.a + turned.a), 0.5f * (sum.b + turned.b), 0.5f * (sum.last + turned.last)};
	storeBlock(loop->level->block + 9 * target, sum);
	storeBlock(loop->level->block + 9 * mirror, turned);
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

void plMultigridLevel_Multiply(plMultigridLevel* coarse, const plGalerkin* product, const plMultigridLevel* fine,
                               bool all)
{
	Loop loop = {.level = coarse, .fine = fine, .product = product, .all = all};
	plParallelFor(fine->pool, product->blockCount, productGrain, productLoop, &loop);
	plParallelFor(fine->pool, coarse->rows->count, clearGrain, clearRows, &loop);
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
	plParallelFor(level->pool, level->rows->count, invertGrain, invertRows, &loop);
}
