// near_kept.c: blocks of pairs that push and rub, between two matrices
#include "near_kept.h"
#include "problem.h"
#include "../../collide/near_lag.h"

enum
{
	pairGrain = 16,
	vertexGrain = 256,
};

// Radii: pairs nearer than that are about to push. Nine steps of a strip that folds take 104 analyses of newton's
// matrix with 1 and 21 with 2.5; blocks that stay zero cost less
static const double nearness = 2.0;
static const size_t diagonal[pl_nearCorners] = {0, 4, 7, 9}; // where blocks 00 11 22 33 stand

typedef struct KeptLoop
{
	const plCpuProblem* p;
	const plNearKept* kept;
	const double* q;
	const double* d;
	double* out;
	bool projected;
	bool isWhole; // nothing is on the diagonal of a matrix
} KeptLoop;

void plNearKept_Destroy(plNearKept* kept, plHeap* heap)
{
	PL_FREE(heap, kept->pair, kept->pairRoom);
	PL_FREE(heap, kept->vertices, kept->vertexRoom);
	PL_FREE(heap, kept->block, kept->blockRoom);
	PL_FREE(heap, kept->force, kept->forceRoom);
	PL_FREE(heap, kept->gather, kept->gatherRoom);
	PL_FREE(heap, kept->start, kept->startRoom);
	PL_FREE(heap, kept->pushes, kept->pushesRoom);
	PL_FREE(heap, kept->likely, kept->likelyRoom);
	*kept = (plNearKept){0};
}

// ---- which pairs ----------------------------------------------------------------------------------------------------

static void markRange(size_t begin, size_t end, void* context)
{
	const KeptLoop* loop = context;
	const plNearEnergy* near = loop->p->near;
	for (size_t k = begin; k < end; ++k)
		loop->kept->pushes[k] = plNearEnergy_Pushes(near, loop->q, near->close[k]);
}

static bool reserve(plNearKept* kept, size_t pushing, size_t count, size_t vertices, plHeap* heap)
{
	size_t corners = pl_nearCorners * count;
	return plGrowArray(heap, &kept->pair, &kept->pairRoom, pushing, sizeof *kept->pair) &&
	       plGrowArray(heap, &kept->vertices, &kept->vertexRoom, corners, sizeof *kept->vertices) &&
	       plGrowArray(heap, &kept->block, &kept->blockRoom, pl_nearBlocks * count, sizeof *kept->block) &&
	       plGrowArray(heap, &kept->force, &kept->forceRoom, pl_nearRows * count, sizeof *kept->force) &&
	       plGrowArray(heap, &kept->gather, &kept->gatherRoom, corners, sizeof *kept->gather) &&
	       plGrowArray(heap, &kept->start, &kept->startRoom, vertices + 1, sizeof *kept->start);
}

// Close pairs that push, marked in `pushes`, then those that rub, with their corners
static void list(plNearKept* kept, const plNearEnergy* near, size_t rubbing)
{
	size_t corners = pl_nearCorners * sizeof *kept->vertices;
	for (size_t k = 0; k < near->closeCount; ++k)
	{
		if (!kept->pushes[k])
			continue;
		memcpy(kept->vertices + pl_nearCorners * kept->pushing, near->closeVertices + pl_nearCorners * k, corners);
		kept->pair[kept->pushing++] = (uint32_t)k;
	}
	if (rubbing > 0)
		memcpy(kept->vertices + pl_nearCorners * kept->pushing, near->friction->base.vertices, rubbing * corners);
	kept->count = kept->pushing + rubbing;
	for (size_t k = 0; k < kept->count; ++k)
		plNearEnergy_TieShells(near, kept->vertices + pl_nearCorners * k, NULL);
	plGatherCorners(kept->vertices, pl_nearCorners * kept->count, near->vertexCount, kept->start, kept->gather);
}

static void markLikely(size_t begin, size_t end, void* context)
{
	const KeptLoop* loop = context;
	const plNearEnergy* near = loop->p->near;
	for (size_t e = begin; e < end; ++e)
		loop->kept->pushes[e] = plNearEnergy_IsNear(near, loop->q, e, nearness * near->radius);
}

bool plNearKept_ListLikely(plCpuProblem* p, const double* q)
{
	plNearKept* kept = &p->kept;
	const plNearEnergy* near = p->near;
	size_t listed = near->base.elementCount, count = plCpuNear_Rubs(p) ? near->friction->base.elementCount : 0;
	KeptLoop loop = {.p = p, .kept = kept, .q = q};
	kept->likelyCount = 0;
	if (!plGrowArray(p->base.heap, &kept->pushes, &kept->pushesRoom, listed, sizeof *kept->pushes))
		return false;
	plParallelFor(p->base.pool, listed, 256, markLikely, &loop);
	size_t all = count;
	for (size_t e = 0; e < listed; ++e)
		all += kept->pushes[e];
	if (!plGrowArray(p->base.heap, &kept->likely, &kept->likelyRoom, pl_nearCorners * all, sizeof *kept->likely))
		return false;
	size_t bytes = pl_nearCorners * sizeof *kept->likely;
	if (count > 0)
		memcpy(kept->likely, near->friction->base.vertices, count * bytes);
	for (size_t e = 0; e < listed; ++e)
		if (kept->pushes[e])
			memcpy(kept->likely + pl_nearCorners * count++, near->base.vertices + pl_nearCorners * e, bytes);
	for (size_t k = 0; k < count; ++k)
		plNearEnergy_TieShells(near, kept->likely + pl_nearCorners * k, NULL);
	kept->likelyCount = count;
	return true;
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

// v v' of a push, |v|^2 I - v v' of friction
static void subtractBound(const double v[3], bool isFriction, double block[9])
{
	double square = isFriction ? v[0] * v[0] + v[1] * v[1] + v[2] * v[2] : 0.0, sign = isFriction ? 1.0 : -1.0;
	for (size_t i = 0; i < 9; ++i)
		block[i] += sign * v[i / 3] * v[i % 3] - (i % 4 == 0 ? square : 0.0);
}

static void fillRange(size_t begin, size_t end, void* context)
{
	const KeptLoop* loop = context;
	const plNearKept* kept = loop->kept;
	const plNearEnergy* near = loop->p->near;
	for (size_t k = begin; k < end; ++k)
	{
		bool isFriction = k >= kept->pushing;
		size_t at = isFriction ? k - kept->pushing : kept->pair[k], e = isFriction ? at : near->close[at];
		const plEnergy* energy = isFriction ? &near->friction->base : &near->base;
		const double* bound = (isFriction ? near->friction->force : near->force) + pl_nearRows * at;
		double* blocks = kept->block + pl_nearBlocks * k;
		energy->verbs->hessian(energy, loop->q, loop->projected, e, e + 1, blocks);
		for (size_t a = 0; a < pl_nearCorners && !loop->isWhole; ++a)
			subtractBound(bound + 3 * a, isFriction, blocks + 9 * diagonal[a]);
		uint32_t corners[pl_nearCorners];
		memcpy(corners, energy->vertices + pl_nearCorners * e, sizeof corners);
		plNearEnergy_TieShells(near, corners, blocks);
	}
}

static bool fill(plCpuProblem* p, plNearKept* kept, const double* q, bool projected)
{
	const plNearEnergy* near = p->near;
	plNearEnergy_ListCloseAt(p->near, q, p->base.pool);
	size_t close = near->closeCount, rubbing = plCpuNear_Rubs(p) ? near->friction->base.elementCount : 0;
	KeptLoop loop = {.p = p, .kept = kept, .q = q, .projected = projected, .isWhole = kept == &p->products.kept};
	kept->pushing = kept->count = 0;
	if (!plGrowArray(p->base.heap, &kept->pushes, &kept->pushesRoom, near->base.elementCount, sizeof *kept->pushes))
		return false;
	plParallelFor(p->base.pool, close, 256, markRange, &loop);
	size_t pushing = 0;
	for (size_t k = 0; k < close; ++k)
		pushing += kept->pushes[k];
	if (!reserve(kept, pushing, pushing + rubbing, p->base.layout.vertexCount, p->base.heap))
		return false;
	list(kept, near, rubbing);
	plParallelFor(p->base.pool, kept->count, pairGrain, fillRange, &loop);
	return true;
}

bool plNearKept_Fill(plCpuProblem* p, const double* q, bool projected)
{
	return fill(p, &p->kept, q, projected);
}

// ---- products -------------------------------------------------------------------------------------------------------

static void multiplyRange(size_t begin, size_t end, void* context)
{
	const KeptLoop* loop = context;
	const plNearKept* kept = loop->kept;
	for (size_t k = begin; k < end; ++k)
		plCpu_MultiplyElement(kept->block + pl_nearBlocks * k, kept->vertices + pl_nearCorners * k, pl_nearCorners,
		                      loop->d, kept->force + pl_nearRows * k);
}

static void addRange(size_t begin, size_t end, void* context)
{
	const KeptLoop* loop = context;
	const plNearKept* kept = loop->kept;
	for (size_t i = begin; i < end; ++i)
		for (size_t s = kept->start[i]; s < kept->start[i + 1]; ++s)
			for (size_t k = 0; k < 3; ++k)
				if (!((loop->p->base.held[i] >> k) & 1))
					PL_AT(loop->out, i)[k] += kept->force[3 * kept->gather[s] + k];
}

void plNearKept_AddProduct(const plCpuProblem* p, const double* d, double* out)
{
	KeptLoop loop = {.p = p, .kept = &p->kept, .d = d, .out = out};
	if (p->kept.count == 0)
		return;
	plParallelFor(p->base.pool, p->kept.count, pairGrain, multiplyRange, &loop);
	plParallelFor(p->base.pool, p->base.layout.vertexCount, vertexGrain, addRange, &loop);
}

// Friction that is taken anew, and a new substep, are other lists.
static bool isCurrent(const plCpuProblem* p, const double* q, bool projected)
{
	const plNearProducts* products = &p->products;
	uint64_t rubs = p->near->friction != NULL ? p->near->friction->revision : 0;
	return products->revision == p->near->revision && products->rubRevision == rubs &&
	       products->projected == projected &&
	       memcmp(products->place, q, pl_quad * p->near->vertexCount * sizeof *q) == 0;
}

static bool refresh(plCpuProblem* p, const double* q, bool projected)
{
	plNearProducts* products = &p->products;
	size_t numbers = pl_quad * p->near->vertexCount;
	products->revision = 0;
	if (!plGrowArray(p->base.heap, &products->place, &products->placeRoom, numbers, sizeof *q) ||
	    !fill(p, &products->kept, q, projected))
		return false;
	memcpy(products->place, q, numbers * sizeof *q);
	products->revision = p->near->revision;
	products->rubRevision = p->near->friction != NULL ? p->near->friction->revision : 0;
	products->projected = projected;
	return true;
}

bool plNearProducts_Multiply(plCpuProblem* p, const double* q, bool projected, const double* d)
{
	if (!isCurrent(p, q, projected) && !refresh(p, q, projected))
		return false;
	KeptLoop loop = {.p = p, .kept = &p->products.kept, .d = d};
	plParallelFor(p->base.pool, loop.kept->count, pairGrain, multiplyRange, &loop);
	return true;
}

void plNearProducts_Destroy(plNearProducts* products, plHeap* heap)
{
	plNearKept_Destroy(&products->kept, heap);
	PL_FREE(heap, products->place, products->placeRoom);
	*products = (plNearProducts){0};
}
