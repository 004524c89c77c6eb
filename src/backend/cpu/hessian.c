// hessian.c: M/h^2 + sum of the element Hessians, in double whatever the precision of the forces
#include "problem.h"
#include "vectors.h"

enum
{
	chunkBatches = pl_chunkElements / pl_batchSize
};

typedef struct HessianLoop
{
	plCpuProblem* p;
	const double* q;
	bool projected;
	const plEnergy* energy; // NULL: tetrahedra
	plAssembly* assembly;
	size_t first; // batch or element of the chunk
	size_t firstTarget;
} HessianLoop;

// ---- pattern --------------------------------------------------------------------------------------------------------

// Corners of the tetrahedra lane by lane; filling lanes are gaps.
static void listLanes(const plTetEnergy* tets, uint32_t* lanes)
{
	for (size_t slot = 0; slot < pl_batchSize * tets->batchCount; ++slot)
	{
		plPatches_GetCorners(&tets->patches, slot, lanes + 4 * slot);
		for (size_t c = 0; c < 4 && plTetEnergy_IsFilling(tets, slot); ++c)
			lanes[4 * slot + c] = UINT32_MAX;
	}
}

// The corners of all elements with more than one, four each: elements with fewer repeat their last.
static size_t listElements(const plCpuProblem* p, const uint32_t* lanes, uint32_t* corners)
{
	size_t count = 0;
	for (size_t l = 0; l < pl_batchSize * p->tets->batchCount; ++l)
		if (lanes[4 * l] != UINT32_MAX)
			memcpy(corners + 4 * count++, lanes + 4 * l, 4 * sizeof(uint32_t));
	for (size_t t = 0; t < p->terms->count; ++t)
	{
		const plEnergy* energy = p->terms->energies[t];
		size_t n = energy->verbs->cornerCount;
		for (size_t e = 0; n > 1 && e < energy->elementCount; ++e, ++count)
			for (size_t c = 0; c < 4; ++c)
				corners[4 * count + c] = energy->vertices[n * e + (c < n ? c : n - 1)];
	}
	return count;
}

static bool makeAssemblies(plCpuProblem* p, const uint32_t* lanes)
{
	plHeap* heap = p->base.heap;
	plElementList list = {pl_batchSize * p->tets->batchCount, 4, lanes};
	if (plAssembly_Create(&p->assembly, &list, &p->matrix, heap) != pl_success)
		return false;
	for (size_t t = 0; t < p->terms->count; ++t)
	{
		const plEnergy* energy = p->terms->energies[t];
		list = (plElementList){energy->elementCount, energy->verbs->cornerCount, energy->vertices};
		if (plAssembly_Create(p->termAssemblies + t, &list, &p->matrix, heap) != pl_success)
			return false;
	}
	return true;
}

bool plCpuProblem_MakePattern(plCpuProblem* p)
{
	if (p->matrix.start != NULL)
		return true;
	plHeap* heap = p->base.heap;
	size_t laneCount = pl_batchSize * p->tets->batchCount, room = p->tets->elementCount;
	for (size_t t = 0; t < p->terms->count; ++t)
		room += p->terms->energies[t]->elementCount;
	uint32_t* lanes = PL_NEW(heap, uint32_t, 4 * laneCount);
	uint32_t* corners = PL_NEW(heap, uint32_t, 4 * room);
	bool fine = (lanes != NULL || laneCount == 0) && (corners != NULL || room == 0);
	if (fine)
	{
		listLanes(p->tets, lanes);
		size_t count = listElements(p, lanes, corners);
		fine =
		    plBlockMatrix_CreatePattern(&p->matrix, p->base.layout.vertexCount, corners, count, 4, heap) == pl_success;
	}
	PL_FREE(heap, corners, 4 * room);
	PL_FREE(heap, lanes, 4 * laneCount);
	return fine;
}

// Blocks, and where the elements' go.
static bool makeMatrix(plCpuProblem* p)
{
	if (p->matrix.block != NULL || p->base.layout.vertexCount == 0)
		return plCpuProblem_MakePattern(p);
	plHeap* heap = p->base.heap;
	size_t laneCount = pl_batchSize * p->tets->batchCount;
	uint32_t* lanes = PL_NEW(heap, uint32_t, 4 * laneCount);
	bool fine = (lanes != NULL || laneCount == 0) && plCpuProblem_MakePattern(p);
	if (fine)
	{
		listLanes(p->tets, lanes);
		fine = makeAssemblies(p, lanes) && plBlockMatrix_AddBlocks(&p->matrix, heap);
	}
	PL_FREE(heap, lanes, 4 * laneCount);
	if (!fine)
		plCpuProblem_DestroyPattern(p);
	return fine;
}

void plCpuProblem_DestroyPattern(plCpuProblem* p)
{
	plHeap* heap = p->base.heap;
	plAssembly_Destroy(&p->assembly, heap);
	for (size_t t = 0; p->termAssemblies != NULL && t < p->terms->count; ++t)
		plAssembly_Destroy(p->termAssemblies + t, heap);
	PL_FREE(heap, p->laplacian.value, p->matrix.blockCount);
	p->laplacian = (plScalarMatrix){0};
	plCpuProblem_DestroyRows(p);
	plBlockMatrix_Destroy(&p->matrix, heap);
}

// ---- values ---------------------------------------------------------------------------------------------------------

// Element blocks of batches first + begin .. end-1 into the buffer.
static void computeTets(size_t begin, size_t end, void* context)
{
	const HessianLoop* loop = context;
	const plTetEnergy* tets = loop->p->tets;
	for (size_t b = begin; b < end; ++b)
	{
		_Alignas(64) double rest[pl_batchRest];
		plTetSpan span = plTetEnergy_GetExact(tets, loop->first + b, rest);
		double* blocks = loop->assembly->buffer + 9 * pl_tetBlocks * pl_batchSize * b;
		loop->p->exact->hessian(&span, loop->q, loop->projected, blocks);
	}
}

static void computeTerm(size_t begin, size_t end, void* context)
{
	const HessianLoop* loop = context;
	const plEnergy* energy = loop->energy;
	double* blocks = loop->assembly->buffer + 9 * loop->assembly->pairCount * begin;
	energy->verbs->hessian(energy, loop->q, loop->projected, loop->first + begin, loop->first + end, blocks);
}

static void addRange(size_t begin, size_t end, void* context)
{
	const HessianLoop* loop = context;
	plAssembly_Add(loop->assembly, loop->firstTarget + begin, loop->firstTarget + end, &loop->p->matrix);
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

// `count` units in chunks of `room`, computed by ranges of `grain`.
static void addChunks(HessianLoop* loop, size_t count, size_t room, size_t grain, plRangeFcn* compute)
{
	plPool* pool = loop->p->base.pool;
	for (size_t chunk = 0; chunk < loop->assembly->chunkCount; ++chunk)
	{
		loop->first = chunk * room;
		loop->firstTarget = loop->assembly->chunkStart[chunk];
		size_t rest = count - loop->first;
		plParallelFor(pool, rest < room ? rest : room, grain, compute, loop);
		plParallelFor(pool, loop->assembly->chunkStart[chunk + 1] - loop->firstTarget, 256, addRange, loop);
	}
}

const plBlockMatrix* plCpuProblem_Hessian(plProblem* base, const plPoint* q, plHessianKind kind)
{
	plCpuProblem* p = (plCpuProblem*)base;
	if (!makeMatrix(p))
		return NULL;
	setInertia(p);
	HessianLoop loop = {.p = p, .q = plPointData(q), .projected = kind == pl_hessianProjected};
	loop.assembly = &p->assembly;
	addChunks(&loop, p->tets->batchCount, chunkBatches, 4, computeTets);
	for (size_t t = 0; t < p->terms->count; ++t)
	{
		loop.energy = p->terms->energies[t];
		loop.assembly = p->termAssemblies + t;
		addChunks(&loop, loop.energy->elementCount, pl_chunkElements, 64, computeTerm);
	}
	return &p->matrix;
}
