// hessian.c: M/h^2 + sum of the element Hessians, in double whatever the precision of the forces
#include "problem.h"
#include "vectors.h"

#include <math.h>

enum
{
	fours = 4 // corners that the pattern is made from at a time
};

typedef struct HessianLoop
{
	plCpuProblem* p;
	const double* q;
	bool projected;
	plElementKind kind;     // of batched elements
	const plEnergy* energy; // or of others
	plAssembly* assembly;
	size_t first; // batch or element of the chunk
	size_t firstTarget;
} HessianLoop;

// ---- pattern --------------------------------------------------------------------------------------------------------

// Corners of the elements of a kind lane by lane; filling lanes are gaps.
static void listLanes(const plBatches* batches, uint32_t* lanes)
{
	size_t n = batches->kind->cornerCount;
	for (size_t slot = 0; slot < pl_batchSize * batches->batchCount; ++slot)
	{
		plBatches_GetCorners(batches, slot, n, lanes + n * slot);
		for (size_t c = 0; c < n && plBatches_IsFilling(batches, slot); ++c)
			lanes[n * slot + c] = UINT32_MAX;
	}
}

// Four corners, two from `a` on and two from `b` on: where an element has fewer, its last is repeated.
static void putCorners(uint32_t* corners, const uint32_t* vertices, size_t n, size_t a, size_t b)
{
	const size_t from[fours] = {a, a + 1, b, b + 1};
	for (size_t c = 0; c < fours; ++c)
		corners[c] = vertices[from[c] < n ? from[c] : n - 1];
}

// How many fours cover all pairs of n corners: those of every two of its twos. One of four corners is one of them.
static size_t countFours(size_t n)
{
	size_t twos = n > 4 ? (n + 1) / 2 : 2;
	return n > 1 ? twos * (twos - 1) / 2 : 0;
}

static size_t putFours(uint32_t* corners, const uint32_t* vertices, size_t n)
{
	size_t count = 0;
	for (size_t a = 0; n > 1 && a < (n > 4 ? n - 2 : 1); a += 2)
		for (size_t b = a + 2; b < (n > 4 ? n : a + 3); b += 2)
			putCorners(corners + fours * count++, vertices, n, a, b);
	return count;
}

// The corners of all elements with more than one, by fours.
static size_t listElements(const plCpuProblem* p, uint32_t* corners)
{
	size_t count = 0;
	for (size_t k = 0; k < pl_kindCount; ++k)
	{
		const plBatches* batches = p->elements->kinds[k];
		for (size_t slot = 0; slot < pl_batchSize * batches->batchCount; ++slot)
		{
			uint32_t vertices[pl_mostCorners];
			if (plBatches_IsFilling(batches, slot))
				continue;
			plBatches_GetCorners(batches, slot, batches->kind->cornerCount, vertices);
			count += putFours(corners + fours * count, vertices, batches->kind->cornerCount);
		}
	}
	for (size_t t = 0; t < p->terms->count; ++t)
	{
		const plEnergy* energy = p->terms->energies[t];
		size_t n = energy->verbs->cornerCount;
		for (size_t e = 0; e < energy->elementCount; ++e)
			count += putFours(corners + fours * count, energy->vertices + n * e, n);
	}
	return count;
}

static bool assembleKind(plCpuProblem* p, plElementKind kind)
{
	const plBatches* batches = p->elements->kinds[kind];
	plHeap* heap = p->base.heap;
	size_t slots = pl_batchSize * batches->batchCount, n = batches->kind->cornerCount;
	uint32_t* lanes = PL_NEW(heap, uint32_t, n * slots);
	bool good = lanes != NULL || slots == 0;
	if (good)
	{
		listLanes(batches, lanes);
		plElementList list = {slots, n, lanes};
		good = plAssembly_Create(p->assemblies + kind, &list, &p->matrix, heap) == pl_success;
	}
	PL_FREE(heap, lanes, n * slots);
	return good;
}

// Kinds with a constant Hessian are added up once, to what every Hessian starts from.
static bool isConstant(const plCpuProblem* p, plElementKind kind)
{
	return p->elements->kinds[kind]->kind->isConstant;
}

static bool makeConstant(plCpuProblem* p)
{
	bool any = false;
	for (plElementKind kind = 0; kind < pl_kindCount; ++kind)
		any = any || (isConstant(p, kind) && p->elements->kinds[kind]->batchCount > 0);
	if (any && p->constant == NULL)
		p->constant = PL_NEW(p->base.heap, double, p->matrix.blockCount);
	return !any || p->constant != NULL;
}

static bool makeAssemblies(plCpuProblem* p)
{
	for (plElementKind kind = 0; kind < pl_kindCount; ++kind)
		if (!isConstant(p, kind) && !assembleKind(p, kind))
			return false;
	for (size_t t = 0; t < p->terms->count; ++t)
	{
		const plEnergy* energy = p->terms->energies[t];
		plElementList list = {energy->elementCount, energy->verbs->cornerCount, energy->vertices};
		if (plAssembly_Create(p->termAssemblies + t, &list, &p->matrix, p->base.heap) != pl_success)
			return false;
	}
	return true;
}

enum
{
	touched = 1,   // by an element
	untouched = 2, // a diagonal that no element adds to: pairs and grabs may
};

// Which blocks move, where some kind is constant: those that elements of others add to, and the diagonal
static bool markMoving(plCpuProblem* p)
{
	plBlockMatrix* matrix = &p->matrix;
	if (p->constant == NULL)
		return true;
	matrix->moves = PL_NEW_ZERO(p->base.heap, uint8_t, matrix->blockCount);
	bool good = matrix->moves != NULL;
	for (plElementKind kind = 0; good && kind < pl_kindCount; ++kind)
		good = plAssembly_MarkFirst(p->assemblies + kind, matrix->moves, p->base.heap);
	for (size_t t = 0; good && t < p->terms->count; ++t)
		good = plAssembly_MarkFirst(p->termAssemblies + t, matrix->moves, p->base.heap);
	for (size_t i = 0; good && i < matrix->rows; ++i)
		if (matrix->moves[matrix->start[i]] == 0)
			matrix->moves[matrix->start[i]] = untouched;
	return good;
}

bool plCpuProblem_MakePattern(plCpuProblem* p)
{
	if (p->matrix.start != NULL)
		return true;
	plHeap* heap = p->base.heap;
	size_t room = 0;
	for (size_t k = 0; k < pl_kindCount; ++k)
		room += countFours(p->elements->kinds[k]->kind->cornerCount) * p->elements->kinds[k]->elementCount;
	for (size_t t = 0; t < p->terms->count; ++t)
		room += countFours(p->terms->energies[t]->verbs->cornerCount) * p->terms->energies[t]->elementCount;
	uint32_t* corners = PL_NEW(heap, uint32_t, fours * room);
	bool good = corners != NULL || room == 0;
	if (good)
	{
		size_t count = listElements(p, corners);
		good = plBlockMatrix_CreatePattern(&p->matrix, p->base.layout.vertexCount, corners, count, fours, heap) ==
		       pl_success;
	}
	PL_FREE(heap, corners, fours * room);
	return good;
}

// Blocks, and where the elements' go.
static bool makeMatrix(plCpuProblem* p)
{
	if (p->matrix.block != NULL || p->base.layout.vertexCount == 0)
		return plCpuProblem_MakePattern(p);
	bool good = plCpuProblem_MakePattern(p) && makeConstant(p) && makeAssemblies(p) && markMoving(p) &&
	            plBlockMatrix_AddBlocks(&p->matrix, p->base.heap);
	if (!good)
		plCpuProblem_DestroyPattern(p);
	return good;
}

void plCpuProblem_DestroyPattern(plCpuProblem* p)
{
	plHeap* heap = p->base.heap;
	for (size_t k = 0; k < pl_kindCount; ++k)
		plAssembly_Destroy(p->assemblies + k, heap);
	for (size_t t = 0; p->termAssemblies != NULL && t < p->terms->count; ++t)
		plAssembly_Destroy(p->termAssemblies + t, heap);
	PL_FREE(heap, p->laplacian.value, p->matrix.blockCount);
	PL_FREE(heap, p->constant, p->constant != NULL ? p->matrix.blockCount : 0);
	p->constant = NULL;
	p->constantStep = 0.0;
	p->laplacian = (plScalarMatrix){0};
	plCpuProblem_DestroyRows(p);
	plBlockMatrix_Destroy(&p->matrix, heap);
}

// ---- values ---------------------------------------------------------------------------------------------------------

// Element blocks of batches first + begin .. end-1 into the buffer.
static void computeBatches(size_t begin, size_t end, void* context)
{
	const HessianLoop* loop = context;
	const plBatches* batches = loop->p->elements->kinds[loop->kind];
	for (size_t b = begin; b < end; ++b)
	{
		_Alignas(64) double rest[pl_mostRest];
		plSpan span = plBatches_GetExact(batches, loop->first + b, rest);
		double* blocks = loop->assembly->buffer + 9 * loop->assembly->pairCount * pl_batchSize * b;
		loop->p->exact[loop->kind]->hessian(&span, loop->q, loop->projected, blocks);
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
	plAssembly_Add(loop->assembly, loop->firstTarget + begin, loop->firstTarget + end, loop->p->constant,
	               &loop->p->matrix);
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

typedef struct ConstantLoop
{
	plCpuProblem* p;
	unsigned wanted; // bits of `moves`
} ConstantLoop;

// Blocks that elements add to are set there.
static void setConstantRange(size_t begin, size_t end, void* context)
{
	const ConstantLoop* loop = context;
	plBlockMatrix* matrix = &loop->p->matrix;
	for (size_t b = begin; b < end; ++b)
	{
		if (((loop->wanted >> matrix->moves[b]) & 1) == 0)
			continue;
		for (size_t k = 0; k < 9; ++k)
			matrix->block[9 * b + k] = k % 4 == 0 ? loop->p->constant[b] : 0.0;
	}
}

// What does not depend on positions
static void setConstant(plCpuProblem* p)
{
	if (p->constant == NULL)
	{
		setInertia(p);
		return;
	}
	plCpuProblem_FillConstant(p);
	bool isNew = p->matrix.revision != p->constantCount; // what does not move has changed, too
	ConstantLoop loop = {.p = p, .wanted = 1u << untouched | (isNew ? 1u : 0u)};
	plParallelFor(p->base.pool, p->matrix.blockCount, 4096, setConstantRange, &loop);
	p->matrix.revision = p->constantCount;
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

// Grabs have diagonal blocks only, which are in every pattern: where they go needs no table.
static void addGrabs(const HessianLoop* loop)
{
	const plEnergy* grabs = &loop->p->grabs->base;
	for (size_t e = 0; e < grabs->elementCount; ++e)
	{
		double block[9], *to = loop->p->matrix.block + 9 * loop->p->matrix.start[grabs->vertices[e]];
		grabs->verbs->hessian(grabs, loop->q, loop->projected, e, e + 1, block);
		for (size_t k = 0; k < 9; ++k)
			to[k] += block[k];
	}
}

static void addBounds(size_t begin, size_t end, void* context)
{
	static const size_t at[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
	plCpuProblem* p = ((const HessianLoop*)context)->p;
	for (size_t i = begin; i < end; ++i)
	{
		double bound[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, *to = p->matrix.block + 9 * p->matrix.start[i];
		plCpuNear_AddBound(p, i, bound);
		for (size_t k = 0; k < 9; ++k)
			to[k] += bound[at[k]];
	}
}

// The pattern knows nothing of surfaces that meet: they give a bound, on the diagonal, and the rest is kept. False: no
// memory
static bool addNear(HessianLoop* loop)
{
	plCpuProblem* p = loop->p;
	p->kept.count = 0;
	if (!plCpuNear_Has(p))
		return true;
	plCpuNear_Bound(p, loop->q);
	plParallelFor(p->base.pool, p->matrix.rows, 256, addBounds, loop);
	return plNearKept_Fill(p, loop->q, loop->projected);
}

// Up to rounding; what is not finite is not judged here.
static void validateBlocks(const plCpuProblem* p, bool projected)
{
	double largest = 0.0; // a collapsed element without mass is nothing but rounding
	for (size_t i = 0; i < p->matrix.rows; ++i)
		for (size_t k = 0; k < 9; ++k)
			largest = fmax(largest, fabs(p->matrix.block[9 * p->matrix.start[i] + k]));
	for (size_t i = 0; i < p->matrix.rows; ++i)
	{
		const double* block = p->matrix.block + 9 * p->matrix.start[i];
		double size = 0.0;
		for (size_t k = 0; k < 9; ++k)
			size = fmax(size, fabs(block[k]));
		for (size_t k = 0; k < 3; ++k)
		{
			size_t above = k < 2 ? k + 1 : 5, below = k < 2 ? 3 * k + 3 : 7; // 01 10, 02 20, 12 21
			PL_VALIDATE(!(fabs(block[above] - block[below]) > 1e-9 * size), "diagonal blocks are symmetric");
			PL_VALIDATE(!projected || !(block[4 * k] < -1e-12 * largest), "projected diagonal blocks are positive");
		}
	}
}

const plBlockMatrix* plCpuProblem_Hessian(plProblem* base, const plPoint* q, plHessianKind kind)
{
	plCpuProblem* p = (plCpuProblem*)base;
	if (!makeMatrix(p))
		return NULL;
	setConstant(p);
	HessianLoop loop = {.p = p, .q = plPointData(q), .projected = kind == pl_hessianProjected};
	for (loop.kind = 0; loop.kind < pl_kindCount; ++loop.kind)
	{
		if (isConstant(p, loop.kind))
			continue;
		loop.assembly = p->assemblies + loop.kind;
		size_t room = loop.assembly->chunkElements / pl_batchSize;
		addChunks(&loop, p->elements->kinds[loop.kind]->batchCount, room, 4, computeBatches);
	}
	plCpuTerms_Measure(p, loop.q);
	for (size_t t = 0; t < p->terms->count; ++t)
	{
		loop.energy = p->terms->energies[t];
		loop.assembly = p->termAssemblies + t;
		addChunks(&loop, loop.energy->elementCount, loop.assembly->chunkElements, pl_mostBatch, computeTerm);
	}
	addGrabs(&loop);
	if (!addNear(&loop))
		return NULL;
	PL_VALIDATE_CALL(validateBlocks(p, loop.projected));
	return &p->matrix;
}
