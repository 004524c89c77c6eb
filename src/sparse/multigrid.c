// multigrid.c: V-cycles
#include "multigrid.h"
#include "coarsest.h"
#include "../base/layout.h"

#include <math.h>

enum
{
	shared = 2048, // vertices from which a level is worth more than one thread
	allAxes = 7
};

struct plMultigrid
{
	const plMultigridPlan* plan;
	plHeap* heap;
	plSmoothing smoothing;
	size_t bytes;
	plMultigridLevel* levels; // [plan->levelCount]
	plCoarsest coarsest;      // from the first refresh on
	bool hasCoarsest;
	uint64_t revision; // of what does not move, at the last refresh; 0: it has to be made
	double* partial;
	size_t partialCount;
};

// ---- life -----------------------------------------------------------------------------------------------------------

// Blocks of a level whose sums have a part that does not move
static size_t countStill(const plMultigrid* mg, size_t l, bool isScalar)
{
	const plGalerkin* product = l > 0 ? mg->plan->products + l - 1 : NULL;
	return product != NULL && product->still.count > 0 && !isScalar ? product->blockCount : 0;
}

static plMultigridLevel* lastOf(const plMultigrid* mg)
{
	return mg->levels + mg->plan->levelCount - 1;
}

// Arrays of a level with their lengths, in bytes
static void visitArrays(plMultigridLevel* level, const plSmoothing* smoothing, size_t stillBlocks,
                        void (*visit)(plHeap* heap, void** array, size_t bytes), plHeap* heap)
{
	size_t n = level->rows->count, width = level->isScalar ? 1 : 9, vector = 4 * n * sizeof(float);
	visit(heap, (void**)&level->block, (width * level->rows->entryCount + 4) * sizeof(float));
	visit(heap, (void**)&level->inverse, ((level->isScalar ? 4 : 9) * n + 4) * sizeof(float));
	visit(heap, (void**)&level->still, 4 * stillBlocks * sizeof(float));
	visit(heap, (void**)&level->held, n);
	visit(heap, (void**)&level->near, n);
	visit(heap, (void**)&level->mask, smoothing->threshold > 0.0 ? n : 0);
	visit(heap, (void**)&level->b, vector);
	visit(heap, (void**)&level->x, vector);
	visit(heap, (void**)&level->lower, vector);
	visit(heap, (void**)&level->upper, vector);
	visit(heap, (void**)&level->before, smoothing->rho > 0.0 ? vector : 0);
	visit(heap, (void**)&level->spare, smoothing->rho > 0.0 ? vector : 0);
}

static void allocate(plHeap* heap, void** array, size_t bytes)
{
	*array = plHeap_AllocateZero(heap, bytes, 1);
}

static void release(plHeap* heap, void** array, size_t bytes)
{
	plHeap_Free(heap, *array, bytes);
	*array = NULL;
}

static bool isWhole(const plMultigridLevel* level, const plSmoothing* smoothing, size_t stillBlocks)
{
	return level->rows->count == 0 ||
	       (level->block && level->inverse && (level->still || stillBlocks == 0) && level->held && level->near &&
	        level->b && level->x && level->lower && level->upper && (level->mask || !(smoothing->threshold > 0.0)) &&
	        ((level->before && level->spare) || !(smoothing->rho > 0.0)));
}

void plMultigrid_Destroy(plMultigrid* mg)
{
	if (mg == NULL)
		return;
	plHeap* heap = mg->heap;
	if (mg->hasCoarsest)
		plCoarsest_Destroy(&mg->coarsest, lastOf(mg), heap);
	for (size_t l = 0; mg->levels != NULL && l < mg->plan->levelCount; ++l)
		visitArrays(mg->levels + l, &mg->smoothing, countStill(mg, l, mg->levels->isScalar), release, heap);
	PL_FREE(heap, mg->levels, mg->plan->levelCount);
	PL_FREE(heap, mg->partial, mg->partialCount);
	PL_FREE(heap, mg, 1);
}

plMultigrid* plMultigrid_Create(const plMultigridPlan* plan, bool isScalar, plSmoothing smoothing, plHeap* heap)
{
	PL_ASSERT(smoothing.count >= 1 && smoothing.rho < 1.0, "at least one sweep, and a rate below 1");
	size_t before = heap->bytes;
	plMultigrid* mg = PL_NEW_ZERO(heap, plMultigrid, 1);
	if (mg == NULL)
		return NULL;
	*mg = (plMultigrid){.plan = plan, .heap = heap, .smoothing = smoothing};
	mg->partialCount = plPartialCount(plan->rows->count, 1);
	mg->partial = PL_NEW(heap, double, mg->partialCount);
	mg->levels = PL_NEW_ZERO(heap, plMultigridLevel, plan->levelCount);
	bool fine = mg->levels != NULL && (mg->partial != NULL || mg->partialCount == 0);
	for (size_t l = 0; mg->levels != NULL && l < plan->levelCount; ++l)
	{
		mg->levels[l] = (plMultigridLevel){.rows = plan->rows + l, .isScalar = isScalar};
		size_t still = countStill(mg, l, isScalar);
		visitArrays(mg->levels + l, &mg->smoothing, still, allocate, heap);
		fine = fine && isWhole(mg->levels + l, &mg->smoothing, still);
	}
	mg->bytes = heap->bytes - before;
	if (fine)
		return mg;
	plMultigrid_Destroy(mg);
	return NULL;
}

size_t plMultigrid_GetBytes(const plMultigrid* mg)
{
	return mg->bytes;
}

// ---- values ---------------------------------------------------------------------------------------------------------

static void setPool(plMultigrid* mg, plPool* pool)
{
	for (size_t l = 0; l < mg->plan->levelCount; ++l)
		mg->levels[l].pool = mg->levels[l].rows->count >= shared ? pool : NULL;
}

static void markNear(plMultigridLevel* level)
{
	memset(level->near, 0, level->rows->count);
	for (size_t i = 0; i < level->rows->count; ++i)
	{
		if (level->held[i] == 0)
			continue;
		plRowParts parts = plLevelRows_GetParts(level->rows, i);
		for (int p = 0; p < 3; ++p)
			for (size_t e = parts.part[p].begin; e < parts.part[p].end; ++e)
				level->near[level->rows->column[e]] = 1;
	}
}

// A coarse vertex is held where its own vertex of the finer level is. True: something is held that was not, or it is
// the other way round.
static bool holdLevels(plMultigrid* mg, const uint8_t* held)
{
	bool isOther = false;
	for (size_t i = 0; i < mg->levels->rows->count; ++i)
	{
		uint8_t axes = !mg->levels->isScalar ? held[i] : held[i] != 0 ? 7 : 0; // one number for three axes
		isOther = isOther || mg->levels->held[i] != axes;
		mg->levels->held[i] = axes;
	}
	for (size_t l = 0; isOther && l < mg->plan->levelCount; ++l)
	{
		markNear(mg->levels + l);
		const plInterpolation* step = mg->plan->hierarchy.steps + l;
		for (size_t I = 0; l + 1 < mg->plan->levelCount && I < step->coarseCount; ++I)
			mg->levels[l + 1].held[I] = mg->levels[l].held[step->kept[I]];
	}
	return isOther;
}

plResult plMultigrid_Refresh(plMultigrid* mg, const double* values, const uint8_t* held, plPool* pool)
{
	return plMultigrid_RefreshMoving(mg, values, 0, held, pool);
}

plResult plMultigrid_RefreshMoving(plMultigrid* mg, const double* values, uint64_t revision, const uint8_t* held,
                                   plPool* pool)
{
	size_t last = mg->plan->levelCount - 1;
	setPool(mg, pool);
	bool all = holdLevels(mg, held) || revision == 0 || mg->revision != revision;
	mg->revision = revision;
	plMultigridLevel_Copy(mg->levels, mg->plan, values, all);
	for (size_t l = 0; l < last; ++l)
	{
		plMultigridLevel_Invert(mg->levels + l);
		plMultigridLevel_Multiply(mg->levels + l + 1, mg->plan->products + l, mg->levels + l, all);
	}
	if (!mg->hasCoarsest)
	{
		size_t before = mg->heap->bytes;
		mg->hasCoarsest = plCoarsest_Create(&mg->coarsest, mg->levels + last, mg->heap);
		mg->bytes += mg->heap->bytes - before;
	}
	return mg->hasCoarsest ? plCoarsest_Factorise(&mg->coarsest, mg->levels + last) : pl_errorMemory;
}

// ---- smoothing ------------------------------------------------------------------------------------------------------

// x <- before + omega (x - before)
static void extrapolate(plMultigridLevel* level, double omega)
{
	float factor = (float)omega;
	for (size_t k = 0; k < 4 * level->rows->count; ++k)
		level->x[k] = level->before[k] + factor * (level->x[k] - level->before[k]);
}

// Chebyshev over sweeps: omega = 1, 2/(2 - rho^2), 4/(4 - rho^2 omega) ...
static void accelerate(const plMultigrid* mg, plMultigridLevel* level, bool fromZero)
{
	double rho = mg->smoothing.rho, omega = 1.0;
	size_t bytes = 4 * level->rows->count * sizeof *level->x;
	if (fromZero)
		memset(level->x, 0, bytes);
	for (int k = 0; k < mg->smoothing.count; ++k)
	{
		memcpy(level->spare, level->x, bytes);
		plMultigridLevel_Sweep(level, fromZero && k == 0 ? pl_sweepFromZero : pl_sweepFromAny, false);
		omega = k == 0 ? 1.0 : k == 1 ? 2.0 / (2.0 - rho * rho) : 4.0 / (4.0 - rho * rho * omega);
		if (k > 0)
			extrapolate(level, omega);
		float* swap = level->before;
		level->before = level->spare;
		level->spare = swap;
	}
}

static bool isAccelerated(const plMultigrid* mg)
{
	return mg->smoothing.rho > 0.0 && mg->smoothing.count > 1;
}

// From zero forward, else backward
static void smoothOneWay(const plMultigrid* mg, plMultigridLevel* level, bool fromZero)
{
	for (int k = 0; k < mg->smoothing.count; ++k)
		if (fromZero)
			plMultigridLevel_Forward(level, k == 0 ? pl_sweepFromZero : pl_sweepFromAny);
		else
			plMultigridLevel_Backward(level);
}

static void smooth(const plMultigrid* mg, plMultigridLevel* level, bool fromZero)
{
	if (isAccelerated(mg))
	{
		accelerate(mg, level, fromZero);
		return;
	}
	for (int k = 0; k < mg->smoothing.count; ++k)
		plMultigridLevel_Sweep(level,
		                       k > 0      ? pl_sweepFromKnown
		                       : fromZero ? pl_sweepFromZero
		                                  : pl_sweepFromAny,
		                       k + 1 < mg->smoothing.count);
}

// Where the right-hand side is small nothing is smoothed, in this cycle: the same vertices there and back, so that the
// cycle stays symmetric.
static void chooseMask(const plMultigrid* mg, plMultigridLevel* level)
{
	double sum = 0.0;
	size_t n = level->rows->count;
	for (size_t i = 0; i < n; ++i)
		for (size_t k = 0; k < 3; ++k)
			sum += (double)level->b[4 * i + k] * (double)level->b[4 * i + k];
	double least = mg->smoothing.threshold * sqrt(sum / (3.0 * (double)n));
	for (size_t i = 0; i < n; ++i)
	{
		const float* b = level->b + 4 * i;
		level->mask[i] = fmax(fmax(fabs(b[0]), fabs(b[1])), fabs(b[2])) >= least;
	}
}

// ---- cycles ---------------------------------------------------------------------------------------------------------

// x of level l from its b
static void cycle(plMultigrid* mg, size_t l)
{
	plMultigridLevel* level = mg->levels + l;
	if (l + 1 == mg->plan->levelCount)
	{
		plCoarsest_Solve(&mg->coarsest, level);
		return;
	}
	bool oneWay = mg->smoothing.oneWay && !isAccelerated(mg);
	void (*relax)(const plMultigrid*, plMultigridLevel*, bool) = oneWay ? smoothOneWay : smooth;
	if (level->mask != NULL)
		chooseMask(mg, level);
	relax(mg, level, true);
	if (isAccelerated(mg) || level->mask != NULL)
		plMultigridLevel_Residual(level);
	else if (oneWay)
		plMultigridLevel_ResidualAfterForward(level, mg->smoothing.count == 1 ? pl_sweepFromZero : pl_sweepFromAny);
	else
		plMultigridLevel_ResidualAfterSweep(level);
	plMultigridLevel_Restrict(level, mg->plan->products + l, level + 1);
	cycle(mg, l + 1);
	plMultigridLevel_Prolong(level, mg->plan->hierarchy.steps + l, level + 1, true);
	relax(mg, level, false);
}

typedef struct Transfer
{
	const plMultigridLevel* level;
	const double* from;
	float* in;
	double* out;
	size_t stride; // numbers a vertex of `from` and `out`
	unsigned axes; // that are read or written
	double scale;
} Transfer;

static void loadRows(size_t begin, size_t end, void* context)
{
	const Transfer* t = context;
	for (size_t i = begin; i < end; ++i)
	{
		for (size_t k = 0; k < 3; ++k)
		{
			bool held = ((t->level->held[i] | ~t->axes) >> k) & 1;
			t->in[4 * i + k] = held ? 0.0f : (float)(t->scale * t->from[t->stride * i + k]);
		}
		t->in[4 * i + 3] = 0.0f;
	}
}

static void unloadRows(size_t begin, size_t end, void* context)
{
	const Transfer* t = context;
	for (size_t i = begin; i < end; ++i)
		for (size_t k = 0; k < 3; ++k)
			if ((t->axes >> k) & 1)
				t->out[t->stride * i + k] = t->scale * (double)t->level->x[4 * i + k];
}

// The largest size of a number of b; axis by axis, so that none waits for the others
static double largestOf(const double* b, size_t count, size_t stride, unsigned axes)
{
	double most[3] = {0.0, 0.0, 0.0};
	for (size_t i = 0; i < count; ++i)
		for (size_t k = 0; k < 3; ++k)
			most[k] = fabs(b[stride * i + k]) > most[k] ? fabs(b[stride * i + k]) : most[k];
	for (size_t k = 0; k < 3; ++k)
		most[k] = (axes >> k) & 1 ? most[k] : 0.0;
	return fmax(fmax(most[0], most[1]), most[2]);
}

// The numbers of b, times a power of 2 that brings them near 1, so that floats neither overflow nor vanish. Returns the
// inverse of that.
static double load(const plMultigridLevel* level, const double* b, size_t stride, unsigned axes, float* out)
{
	double most = largestOf(b, level->rows->count, stride, axes);
	int exponent = 0;
	if (most > 0.0 && isfinite(most))
		frexp(most, &exponent);
	Transfer transfer = {
	    .level = level, .from = b, .in = out, .stride = stride, .axes = axes, .scale = ldexp(1.0, -exponent)};
	plParallelFor(level->pool, level->rows->count, shared, loadRows, &transfer);
	return ldexp(1.0, exponent);
}

static void unload(const plMultigridLevel* level, double scale, size_t stride, unsigned axes, double* x)
{
	Transfer transfer = {.level = level, .out = x, .stride = stride, .axes = axes, .scale = scale};
	plParallelFor(level->pool, level->rows->count, shared, unloadRows, &transfer);
}

static void apply(plMultigrid* mg, const double* b, double* x, size_t stride, unsigned axes, plPool* pool)
{
	setPool(mg, pool);
	double scale = load(mg->levels, b, stride, axes, mg->levels->b);
	cycle(mg, 0);
	unload(mg->levels, scale, stride, axes, x);
}

void plMultigrid_Apply(plMultigrid* mg, const double* b, double* x, plPool* pool)
{
	apply(mg, b, x, 3, allAxes, pool);
}

void plMultigrid_ApplyQuads(plMultigrid* mg, const double* b, double* x, unsigned axes, plPool* pool)
{
	apply(mg, b, x, pl_quad, axes, pool);
}

// One smoothing of level l, or its solution if it is the coarsest: x from its b
static void relaxLevel(plMultigrid* mg, size_t l)
{
	plMultigridLevel* level = mg->levels + l;
	if (l + 1 == mg->plan->levelCount)
	{
		plCoarsest_Solve(&mg->coarsest, level);
		return;
	}
	if (level->mask != NULL)
		chooseMask(mg, level);
	smooth(mg, level, true);
}

static double correctAt(plMultigrid* mg, size_t level, void (*solve)(plMultigrid*, size_t), const double* b, double* x,
                        plPool* pool)
{
	PL_ASSERT(level < mg->plan->levelCount, "a level that exists");
	setPool(mg, pool);
	double scale = load(mg->levels, b, 3, allAxes, level == 0 ? mg->levels->b : mg->levels->lower);
	for (size_t l = 0; l < level; ++l)
	{
		plMultigridLevel* coarse = mg->levels + l + 1;
		plMultigridLevel_Restrict(mg->levels + l, mg->plan->products + l, coarse);
		if (l + 1 < level)
			memcpy(coarse->lower, coarse->b, 4 * coarse->rows->count * sizeof *coarse->b);
	}
	solve(mg, level);
	double energy = plMultigridLevel_Energy(mg->levels + level, mg->partial);
	for (size_t l = level; l-- > 0;)
		plMultigridLevel_Prolong(mg->levels + l, mg->plan->hierarchy.steps + l, mg->levels + l + 1, false);
	unload(mg->levels, scale, 3, allAxes, x);
	return scale * scale * energy;
}

double plMultigrid_ApplyAt(plMultigrid* mg, size_t level, const double* b, double* x, plPool* pool)
{
	return correctAt(mg, level, cycle, b, x, pool);
}

double plMultigrid_SmoothAt(plMultigrid* mg, size_t level, const double* b, double* x, plPool* pool)
{
	return correctAt(mg, level, relaxLevel, b, x, pool);
}
