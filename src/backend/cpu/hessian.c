// hessian.c: M/h^2 + sum of the element Hessians, in double whatever the precision of the forces
#include "problem.h"
#include "vectors.h"

typedef struct HessianLoop
{
	plCpuProblem* p;
	const double* q;
	int projected;
	size_t firstBatch; // of the chunk
	size_t firstTarget;
} HessianLoop;

static bool makePattern(plCpuProblem* p)
{
	const plTetEnergy* tets = p->tets;
	plHeap* heap = p->base.heap;
	uint32_t* corners = PL_NEW(heap, uint32_t, 4 * tets->elementCount);
	if (corners == NULL && tets->elementCount > 0)
		return false;
	for (size_t e = 0; e < tets->elementCount; ++e)
		for (size_t c = 0; c < 4; ++c)
		{
			size_t batch = tets->slot[e] / pl_batchSize, lane = tets->slot[e] % pl_batchSize;
			corners[4 * e + c] = tets->index[pl_batchIndices * batch + 8 * c + lane];
		}
	plResult result = plBlockMatrix_Create(&p->matrix, p->base.vertexCount, corners, tets->elementCount, 4, heap);
	PL_FREE(heap, corners, 4 * tets->elementCount);
	if (result != pl_success)
		return false;
	if (plAssembly_Create(&p->assembly, tets, &p->matrix, heap) == pl_success)
		return true;
	plBlockMatrix_Destroy(&p->matrix, heap);
	p->matrix = (plBlockMatrix){0};
	return false;
}

// Element blocks of batches firstBatch + begin .. end-1 into the buffer.
static void computeRange(size_t begin, size_t end, void* context)
{
	const HessianLoop* loop = context;
	const plTetEnergy* tets = loop->p->tets;
	size_t batch = loop->firstBatch + begin, last = loop->firstBatch + end;
	while (batch < last)
	{
		plTetSpan span = plTetEnergy_Clip(tets, tets->batchSpan[batch], batch, last, false);
		batch = span.end;
		// The kernel counts from the first batch of the chunk, which is where the buffer starts.
		span.index += pl_batchIndices * loop->firstBatch;
		span.rest = tets->restDouble + pl_batchRest * loop->firstBatch;
		span.begin -= loop->firstBatch;
		span.end -= loop->firstBatch;
		loop->p->exact->hessian(&span, loop->q, loop->projected, loop->p->assembly.buffer);
	}
}

static void addRange(size_t begin, size_t end, void* context)
{
	const HessianLoop* loop = context;
	plAssembly_Add(&loop->p->assembly, loop->firstTarget + begin, loop->firstTarget + end, &loop->p->matrix);
}

static void setInertia(plCpuProblem* p)
{
	plBlockMatrix* matrix = &p->matrix;
	double weight = 1.0 / (p->base.timestep * p->base.timestep);
	memset(matrix->block, 0, 9 * matrix->blockCount * sizeof(double));
	for (size_t i = 0; i < matrix->rows; ++i)
		for (size_t k = 0; k < 3; ++k)
			matrix->block[9 * matrix->start[i] + 4 * k] = weight * p->mass[i];
}

const plBlockMatrix* plCpuProblem_Hessian(plProblem* base, const plPoint* q, plHessianKind kind)
{
	plCpuProblem* p = (plCpuProblem*)base;
	if (p->matrix.start == NULL && !makePattern(p))
		return NULL;
	setInertia(p);
	HessianLoop loop = {.p = p, .q = plPointData(q), .projected = kind == pl_hessianProjected};
	for (size_t chunk = 0; chunk < p->assembly.chunkCount; ++chunk)
	{
		loop.firstBatch = chunk * pl_chunkBatches;
		loop.firstTarget = p->assembly.chunkStart[chunk];
		size_t rest = p->tets->batchCount - loop.firstBatch;
		plParallelFor(base->pool, rest < pl_chunkBatches ? rest : pl_chunkBatches, 4, computeRange, &loop);
		size_t targets = p->assembly.chunkStart[chunk + 1] - loop.firstTarget;
		plParallelFor(base->pool, targets, 256, addRange, &loop);
	}
	return &p->matrix;
}
