// multigrid_sweep.c: symmetric Gauss-Seidel, residuals and transfers of a level
//
//   forward    x_i = D_i^-1 (b_i - l_i - u_i),  l_i = sum over earlier j of A_ij x_j, new;  u_i over later j, old
//   backward   x_i = D_i^-1 (b_i - l_i - u_i),  l_i as it was, u_i over later j, new
//
// l and u are kept between the halves, so each half reads every block of its own array once and none of the other
// (Niethammer 1964). From an x whose u is not known, u is summed first: the second array is read in its own order,
// which the forward half could not do. After a sweep D_i x_i = b_i - l_i - u_i, so the residual is l_i less what l_i is
// now: the half of a product.
//
// The forward half alone leaves D_i x_i = b_i - l_i - u_i with the old u, so its residual is the old u_i less the new
// one, and minus the new one from zero. Before the backward half alone l is summed.
#include "multigrid_level.h"

#define INLINE static inline __attribute__((always_inline))

typedef float float4 __attribute__((vector_size(16)));
typedef float loose4 __attribute__((vector_size(16), aligned(4), may_alias));

enum
{
	rowGrain = 512,
	ahead = 40 // entries
};

typedef struct Loop
{
	plMultigridLevel* level;
	const plMultigridLevel* other; // the other level of a transfer
	const plGalerkin* plan;
	const plInterpolation* step;
	plSweepStart start;
	bool add;
	bool keep; // `upper` belongs to x afterwards
} Loop;

INLINE float4 load(const float* array, size_t i)
{
	return *(const float4*)(array + 4 * i);
}

INLINE void store(float* array, size_t i, float4 value)
{
	*(float4*)(array + 4 * i) = value;
}

// A vector is loaded as it was stored, at once, and spread in registers: a load of one number of it would wait longer.
INLINE float4 multiplyColumns(const float* m, float4 x)
{
	return *(const loose4*)m * __builtin_shufflevector(x, x, 0, 0, 0, 0) +
	       *(const loose4*)(m + 3) * __builtin_shufflevector(x, x, 1, 1, 1, 1) +
	       *(const loose4*)(m + 6) * __builtin_shufflevector(x, x, 2, 2, 2, 2);
}

// Sum over entries begin .. end-1 of A_ij x_j; `fetch`: entries to come are asked for
INLINE float4 sumAndFetch(const plMultigridLevel* level, plEntries entries, const float* x, bool isScalar, bool fetch)
{
	float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
	for (size_t e = entries.begin; e < entries.end; ++e)
	{
		float4 at = load(x, level->rows->column[e]);
		if (fetch)
			__builtin_prefetch(level->block + 9 * (e + ahead));
		sum += isScalar ? level->block[e] * at : multiplyColumns(level->block + 9 * e, at);
	}
	return sum;
}

INLINE float4 sumEntries(const plMultigridLevel* level, plEntries entries, const float* x, bool isScalar)
{
	return sumAndFetch(level, entries, x, isScalar, false);
}

// In a sweep: it goes patch by patch and waits for every row, so that a processor fetches too little by itself.
INLINE float4 sumInSweep(const plMultigridLevel* level, plEntries entries, bool isScalar)
{
	return sumAndFetch(level, entries, level->x, isScalar, !isScalar);
}

INLINE float4 solveDiagonal(const plMultigridLevel* level, size_t i, float4 b, bool isScalar)
{
	return isScalar ? load(level->inverse, i) * b : multiplyColumns(level->inverse + 9 * i, b);
}

static bool isLeft(const plMultigridLevel* level, size_t i)
{
	return level->mask != NULL && !level->mask[i];
}

// ---- sweeps ---------------------------------------------------------------------------------------------------------

INLINE void forwardRow(const plMultigridLevel* level, plSweepStart start, size_t i, bool isScalar)
{
	float4 upper = {0.0f, 0.0f, 0.0f, 0.0f};
	if (isLeft(level, i))
	{
		if (start == pl_sweepFromZero)
			store(level->x, i, upper);
		return;
	}
	float4 lower = sumInSweep(level, plLevelRows_GetEarlier(level->rows, i), isScalar);
	if (start != pl_sweepFromZero)
		upper = load(level->upper, i);
	store(level->lower, i, lower);
	store(level->x, i, solveDiagonal(level, i, load(level->b, i) - lower - upper, isScalar));
}

INLINE void backwardRow(const plMultigridLevel* level, bool keep, size_t i, bool isScalar)
{
	if (isLeft(level, i))
		return;
	float4 upper = sumInSweep(level, plLevelRows_GetLater(level->rows, i), isScalar);
	if (keep)
		store(level->upper, i, upper);
	store(level->x, i, solveDiagonal(level, i, load(level->b, i) - load(level->lower, i) - upper, isScalar));
}

// Copies of the level and its rows, which no store into a vector can be thought to change
INLINE void forwardRows(const Loop* loop, const plPatchPair* pair, bool isScalar)
{
	plMultigridLevel level = *loop->level;
	plLevelRows rows = *level.rows;
	level.rows = &rows;
	size_t length = plPatchPair_GetLength(pair);
	for (size_t k = 0; k < length; ++k)
	{
		if (k < pair->end[0] - pair->begin[0])
			forwardRow(&level, loop->start, pair->begin[0] + k, isScalar);
		if (k < pair->end[1] - pair->begin[1])
			forwardRow(&level, loop->start, pair->begin[1] + k, isScalar);
	}
}

INLINE void backwardRows(const Loop* loop, const plPatchPair* pair, bool isScalar)
{
	plMultigridLevel level = *loop->level;
	plLevelRows rows = *level.rows;
	level.rows = &rows;
	size_t length = plPatchPair_GetLength(pair);
	for (size_t k = 0; k < length; ++k)
	{
		if (k < pair->end[0] - pair->begin[0])
			backwardRow(&level, loop->keep, pair->end[0] - 1 - k, isScalar);
		if (k < pair->end[1] - pair->begin[1])
			backwardRow(&level, loop->keep, pair->end[1] - 1 - k, isScalar);
	}
}

// `upper` of x as it is
INLINE void upperRows(const Loop* loop, size_t begin, size_t end, bool isScalar)
{
	plMultigridLevel* level = loop->level;
	for (size_t back = begin; back < end; ++back)
	{
		size_t i = level->rows->count - 1 - back;
		float4 upper = sumInSweep(level, plLevelRows_GetLater(level->rows, i), isScalar);
		store(level->upper, i, upper);
	}
}

// `lower` of x as it is
INLINE void lowerRows(const Loop* loop, size_t begin, size_t end, bool isScalar)
{
	plMultigridLevel* level = loop->level;
	for (size_t i = begin; i < end; ++i)
	{
		float4 lower = sumInSweep(level, plLevelRows_GetEarlier(level->rows, i), isScalar);
		store(level->lower, i, lower);
	}
}

// Loops for blocks and for numbers
#define SWEEP(name, rows)                                                                                              \
	static void name(const plPatchPair* pair, void* context)                                                           \
	{                                                                                                                  \
		const Loop* loop = context;                                                                                    \
		if (loop->level->isScalar)                                                                                     \
			rows(loop, pair, true);                                                                                    \
		else                                                                                                           \
			rows(loop, pair, false);                                                                                   \
	}
#define BOTH(name, rows)                                                                                               \
	static void name(size_t begin, size_t end, void* context)                                                          \
	{                                                                                                                  \
		const Loop* loop = context;                                                                                    \
		if (loop->level->isScalar)                                                                                     \
			rows(loop, begin, end, true);                                                                              \
		else                                                                                                           \
			rows(loop, begin, end, false);                                                                             \
	}

SWEEP(sweepForward, forwardRows)
SWEEP(sweepBackward, backwardRows)
BOTH(upperLoop, upperRows)
BOTH(lowerLoop, lowerRows)

void plMultigridLevel_Forward(plMultigridLevel* level, plSweepStart start)
{
	Loop loop = {.level = level, .start = start};
	if (start == pl_sweepFromAny)
		plParallelFor(level->pool, level->rows->count, rowGrain, upperLoop, &loop);
	plLevelRows_Sweep(level->rows, false, level->pool, sweepForward, &loop);
}

void plMultigridLevel_Backward(plMultigridLevel* level)
{
	Loop loop = {.level = level};
	plParallelFor(level->pool, level->rows->count, rowGrain, lowerLoop, &loop);
	plLevelRows_Sweep(level->rows, true, level->pool, sweepBackward, &loop);
}

void plMultigridLevel_Sweep(plMultigridLevel* level, plSweepStart start, bool keep)
{
	Loop loop = {.level = level, .keep = keep};
	plMultigridLevel_Forward(level, start);
	plLevelRows_Sweep(level->rows, true, level->pool, sweepBackward, &loop);
}

// ---- residuals ------------------------------------------------------------------------------------------------------

INLINE void residualRowsAfterSweep(const Loop* loop, size_t begin, size_t end, bool isScalar)
{
	plMultigridLevel* level = loop->level;
	for (size_t i = begin; i < end; ++i)
	{
		float4 lower = sumInSweep(level, plLevelRows_GetEarlier(level->rows, i), isScalar);
		store(level->lower, i, load(level->lower, i) - lower);
	}
}

INLINE void residualRowsAfterForward(const Loop* loop, size_t begin, size_t end, bool isScalar)
{
	plMultigridLevel* level = loop->level;
	for (size_t back = begin; back < end; ++back)
	{
		size_t i = level->rows->count - 1 - back;
		float4 upper = -sumInSweep(level, plLevelRows_GetLater(level->rows, i), isScalar);
		store(level->lower, i, loop->start == pl_sweepFromZero ? upper : load(level->upper, i) + upper);
	}
}

// Zero on held axes
static void clearHeld(float* x, uint8_t held)
{
	for (size_t k = 0; k < 3; ++k)
		if ((held >> k) & 1)
			x[k] = 0.0f;
}

INLINE float4 productRow(const plMultigridLevel* level, size_t i, bool isScalar)
{
	plRowParts parts = plLevelRows_GetParts(level->rows, i);
	return sumEntries(level, parts.part[0], level->x, isScalar) + sumEntries(level, parts.part[1], level->x, isScalar) +
	       sumEntries(level, parts.part[2], level->x, isScalar);
}

INLINE void residualRows(const Loop* loop, size_t begin, size_t end, bool isScalar)
{
	plMultigridLevel* level = loop->level;
	for (size_t i = begin; i < end; ++i)
	{
		store(level->lower, i, load(level->b, i) - productRow(level, i, isScalar));
		if (level->held[i])
			clearHeld(level->lower + 4 * i, level->held[i]);
	}
}

BOTH(residualLoopAfterSweep, residualRowsAfterSweep)
BOTH(residualLoopAfterForward, residualRowsAfterForward)
BOTH(residualLoop, residualRows)

void plMultigridLevel_ResidualAfterSweep(plMultigridLevel* level)
{
	PL_ASSERT(level->mask == NULL, "all vertices were swept");
	Loop loop = {.level = level};
	plParallelFor(level->pool, level->rows->count, rowGrain, residualLoopAfterSweep, &loop);
}

void plMultigridLevel_ResidualAfterForward(plMultigridLevel* level, plSweepStart start)
{
	PL_ASSERT(level->mask == NULL, "all vertices were swept");
	Loop loop = {.level = level, .start = start};
	plParallelFor(level->pool, level->rows->count, rowGrain, residualLoopAfterForward, &loop);
}

void plMultigridLevel_Residual(plMultigridLevel* level)
{
	Loop loop = {.level = level};
	plParallelFor(level->pool, level->rows->count, rowGrain, residualLoop, &loop);
}

INLINE void energyRows(const plMultigridLevel* level, size_t begin, size_t end, double* sum, bool isScalar)
{
	for (size_t i = begin; i < end; ++i)
	{
		float4 product = productRow(level, i, isScalar);
		for (size_t k = 0; k < 3; ++k)
			*sum += (double)product[k] * (double)level->x[4 * i + k];
	}
}

static void energyLoop(size_t begin, size_t end, double* sums, void* context)
{
	const plMultigridLevel* level = context;
	if (level->isScalar)
		energyRows(level, begin, end, sums, true);
	else
		energyRows(level, begin, end, sums, false);
}

double plMultigridLevel_Energy(const plMultigridLevel* level, double* partial)
{
	double energy = 0.0;
	plParallelSum(level->pool, level->rows->count, 1, energyLoop, (void*)level, partial, &energy); // it is only read
	return energy;
}

// ---- transfers ------------------------------------------------------------------------------------------------------

static void restrictRows(size_t begin, size_t end, void* context)
{
	const Loop* loop = context;
	const plGalerkin* plan = loop->plan;
	for (size_t I = begin; I < end; ++I)
	{
		float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
		for (size_t k = plan->fineStart[I]; k < plan->fineStart[I + 1]; ++k)
			sum += plan->share[k] * load(loop->other->lower, plan->fine[k]);
		store(loop->level->b, I, sum);
		if (loop->level->held[I])
			clearHeld(loop->level->b + 4 * I, loop->level->held[I]);
	}
}

void plMultigridLevel_Restrict(const plMultigridLevel* fine, const plGalerkin* plan, plMultigridLevel* coarse)
{
	Loop loop = {.level = coarse, .other = fine, .plan = plan};
	plParallelFor(fine->pool, plan->rowCount, rowGrain, restrictRows, &loop);
}

static void prolongRows(size_t begin, size_t end, void* context)
{
	const Loop* loop = context;
	const plInterpolation* step = loop->step;
	for (size_t i = begin; i < end; ++i)
	{
		float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
		for (size_t k = step->start[i]; k < step->start[i + 1]; ++k)
			sum += step->weight[k] * load(loop->other->x, step->column[k]);
		store(loop->level->x, i, loop->add ? load(loop->level->x, i) + sum : sum);
		if (loop->level->held[i])
			clearHeld(loop->level->x + 4 * i, loop->level->held[i]);
	}
}

void plMultigridLevel_Prolong(plMultigridLevel* fine, const plInterpolation* step, const plMultigridLevel* coarse,
                              bool add)
{
	Loop loop = {.level = fine, .other = coarse, .step = step, .add = add};
	plParallelFor(fine->pool, step->fineCount, rowGrain, prolongRows, &loop);
}
