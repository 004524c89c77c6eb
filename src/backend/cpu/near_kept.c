// near_kept.c: blocks of pairs that push, between two matrices
#include "near_kept.h"
#include "problem.h"

enum
{
	pairGrain = 16,
	vertexGrain = 256,
};

static const size_t diagonal[pl_nearCorners] = {0, 4, 7, 9}; // where blocks 00 11 22 33 stand

typedef struct KeptLoop
{
	const plCpuProblem* p;
	const plNearKept* kept;
	const double* q;
	const double* d;
	double* out;
	bool projected;
} KeptLoop;

void plNearKept_Destroy(plNearKept* kept, plHeap* heap)
{
	PL_FREE(heap, kept->pair, kept->pairRoom);
	PL_FREE(heap, kept->block, kept->blockRoom);
	PL_FREE(heap, kept->gather, kept->gatherRoom);
	PL_FREE(heap, kept->start, kept->startRoom);
	PL_FREE(heap, kept->pushes, kept->pushesRoom);
	*kept = (plNearKept){0};
}

// ---- which pairs ----------------------------------------------------------------------------------------------------

static void markRange(size_t begin, size_t end, void* context)
{
	const KeptLoop* loop = context;
	for (size_t e = begin; e < end; ++e)
		loop->kept->pushes[e] = plNearEnergy_Pushes(loop->p->near, loop->q, e);
}

static bool reserve(plNearKept* kept, size_t count, size_t vertices, plHeap* heap)
{
	return plGrowArray(heap, &kept->pair, &kept->pairRoom, count, sizeof *kept->pair) &&
	       plGrowArray(heap, &kept->block, &kept->blockRoom, pl_nearBlocks * count, sizeof *kept->block) &&
	       plGrowArray(heap, &kept->gather, &kept->gatherRoom, pl_nearCorners * count, sizeof *kept->gather) &&
	       plGrowArray(heap, &kept->start, &kept->startRoom, vertices + 1, sizeof *kept->start);
}

// Corners by vertices, by counting
static void gatherCorners(plNearKept* kept, const uint32_t* vertices, size_t vertexCount)
{
	size_t sum = 0, corners = pl_nearCorners * kept->count;
	memset(kept->start, 0, (vertexCount + 1) * sizeof *kept->start);
	for (size_t c = 0; c < corners; ++c)
		kept->start[vertices[pl_nearCorners * (size_t)kept->pair[c / pl_nearCorners] + c % pl_nearCorners]]++;
	for (size_t v = 0; v <= vertexCount; ++v)
	{
		size_t count = kept->start[v];
		kept->start[v] = sum;
		sum += count;
	}
	for (size_t c = 0; c < corners; ++c)
		kept->gather
		    [kept->start[vertices[pl_nearCorners * (size_t)kept->pair[c / pl_nearCorners] + c % pl_nearCorners]]++] = c;
	for (size_t v = vertexCount; v > 0; --v)
		kept->start[v] = kept->start[v - 1];
	kept->start[0] = 0;
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

static void fillRange(size_t begin, size_t end, void* context)
{
	const KeptLoop* loop = context;
	const plNearEnergy* near = loop->p->near;
	for (size_t k = begin; k < end; ++k)
	{
		size_t e = loop->kept->pair[k];
		double* blocks = loop->kept->block + pl_nearBlocks * k;
		near->base.verbs->hessian(&near->base, loop->q, loop->projected, e, e + 1, blocks);
		for (size_t a = 0; a < pl_nearCorners; ++a)
		{
			const double* v = near->force + pl_nearRows * e + 3 * a;
			for (size_t i = 0; i < 9; ++i)
				blocks[9 * diagonal[a] + i] -= v[i / 3] * v[i % 3];
		}
	}
}

void plNearKept_Fill(plCpuProblem* p, const double* q, bool projected)
{
	plNearKept* kept = &p->kept;
	const plNearEnergy* near = p->near;
	size_t listed = near->base.elementCount, vertices = p->base.layout.vertexCount;
	KeptLoop loop = {.p = p, .kept = kept, .q = q, .projected = projected};
	kept->revision = 0;
	kept->count = 0;
	if (!plGrowArray(p->base.heap, &kept->pushes, &kept->pushesRoom, listed, sizeof *kept->pushes))
		return;
	plParallelFor(p->base.pool, listed, 256, markRange, &loop);
	size_t count = 0;
	for (size_t e = 0; e < listed; ++e)
		count += kept->pushes[e];
	if (!reserve(kept, count, vertices, p->base.heap))
		return;
	for (size_t e = 0; e < listed; ++e)
		if (kept->pushes[e])
			kept->pair[kept->count++] = (uint32_t)e;
	gatherCorners(kept, near->base.vertices, vertices);
	plParallelFor(p->base.pool, count, pairGrain, fillRange, &loop);
	kept->revision = near->revision;
}

bool plNearKept_IsOf(const plCpuProblem* p)
{
	return p->kept.revision != 0 && p->kept.revision == p->near->revision;
}

// ---- products -------------------------------------------------------------------------------------------------------

static void multiplyRange(size_t begin, size_t end, void* context)
{
	const KeptLoop* loop = context;
	const plNearEnergy* near = loop->p->near;
	for (size_t k = begin; k < end; ++k)
		plCpu_MultiplyElement(loop->kept->block + pl_nearBlocks * k,
		                      near->base.vertices + pl_nearCorners * (size_t)loop->kept->pair[k], pl_nearCorners,
		                      loop->d, near->force + pl_nearRows * k);
}

static void addRange(size_t begin, size_t end, void* context)
{
	const KeptLoop* loop = context;
	const plNearKept* kept = loop->kept;
	for (size_t i = begin; i < end; ++i)
		for (size_t s = kept->start[i]; s < kept->start[i + 1]; ++s)
			for (size_t k = 0; k < 3; ++k)
				if (!((loop->p->base.held[i] >> k) & 1))
					PL_AT(loop->out, i)[k] += loop->p->near->force[3 * kept->gather[s] + k];
}

void plNearKept_AddProduct(const plCpuProblem* p, const double* d, double* out)
{
	KeptLoop loop = {.p = p, .kept = &p->kept, .d = d, .out = out};
	if (p->kept.count == 0)
		return;
	plParallelFor(p->base.pool, p->kept.count, pairGrain, multiplyRange, &loop);
	plParallelFor(p->base.pool, p->base.layout.vertexCount, vertexGrain, addRange, &loop);
}
