// problem.c: making and unmaking problems on this machine's cores
#include "problem.h"
#include "isa.h"
#include "sweep.h"

// Blocks of a batch; with one element in it, sweeps need more.
static size_t blocksOfBatch(size_t corners)
{
	size_t blocks = 9 * corners * (corners + 1) / 2 * plEnergy_GetBatch(corners),
	       work = plEnergy_GetVertexWork(corners);
	return blocks > work ? blocks : work;
}

// For a batch of any term, or of grabs
static size_t roomOf(const plCpuProblem* p)
{
	size_t room = blocksOfBatch(p->grabs->base.verbs->cornerCount);
	for (size_t t = 0; t < p->terms->count; ++t)
	{
		size_t blocks = blocksOfBatch(p->terms->energies[t]->verbs->cornerCount);
		room = blocks > room ? blocks : room;
	}
	return room;
}

static bool allocate(plCpuProblem* p)
{
	plHeap* heap = p->base.heap;
	size_t batches = p->elements->batchCount, n = plLayout_GetQuadCount(p->base.layout);
	size_t most = pl_batchSize * batches > n ? pl_batchSize * batches : n;
	for (size_t t = 0; t < p->terms->count; ++t)
		most = p->terms->energies[t]->elementCount > most ? p->terms->energies[t]->elementCount : most;
	size_t corners = plEnergySet_GetCornerCount(p->terms);
	p->partialCount = plPartialCount(most, 4);
	p->shareBytes = 4 * p->elements->patches.shareCount * (p->isFloat ? sizeof(float) : sizeof(double));
	p->share = plHeap_Allocate(heap, p->shareBytes);
	p->unit = PL_NEW_ZERO(heap, double, p->elements->patches.patchCount);
	p->batchValue = PL_NEW(heap, double, batches);
	p->batchNoise = PL_NEW(heap, double, batches);
	p->partial = PL_NEW(heap, double, p->partialCount);
	p->termForce = PL_NEW(heap, double, 3 * corners);
	p->termAssemblies = PL_NEW_ZERO(heap, plAssembly, p->terms->count);
	p->contactScale = p->push != NULL ? PL_NEW(heap, double, 6 * p->push->base.elementCount) : NULL;
	p->confined = p->near != NULL ? plCpuSpace.newTangent(&p->base) : NULL;
	p->nearScale = p->near != NULL ? PL_NEW(heap, double, 6 * n) : NULL;
	if (p->near != NULL && (p->confined == NULL || (p->nearScale == NULL && n > 0)))
		return false;
	return plRooms_Create(&p->rooms, roomOf(p), p->base.pool, heap) && p->partial != NULL &&
	       (p->push == NULL || p->contactScale != NULL) && (corners == 0 || (p->termForce && p->termAssemblies)) &&
	       (batches == 0 || (p->share && p->unit && p->batchValue && p->batchNoise));
}

static void destroy(plProblem* base)
{
	plCpuProblem* p = (plCpuProblem*)base;
	plHeap* heap = base->heap;
	plHeap_Free(heap, p->share, p->shareBytes);
	PL_FREE(heap, p->unit, p->elements->patches.patchCount);
	PL_FREE(heap, p->batchValue, p->elements->batchCount);
	PL_FREE(heap, p->batchNoise, p->elements->batchCount);
	PL_FREE(heap, p->partial, p->partialCount);
	PL_FREE(heap, p->contactScale, p->push != NULL ? 6 * p->push->base.elementCount : 0);
	plCpuSpace.freeTangent(base, p->confined);
	PL_FREE(heap, p->nearScale, p->givenNear != NULL ? 6 * plLayout_GetQuadCount(base->layout) : 0);
	plNearKept_Destroy(&p->kept, heap);
	plNearProducts_Destroy(&p->products, heap);
	plNearSweep_Destroy(&p->nearSweep, heap);
	plGroups_Destroy(&p->groups);
	plCpuProblem_DestroyPattern(p);
	plCpuProblem_DestroyDiagonal(p);
	plCpuSweep_Destroy(p->sweep, p->elements, heap);
	PL_FREE(heap, p->termForce, 3 * plEnergySet_GetCornerCount(p->terms));
	PL_FREE(heap, p->termAssemblies, p->terms->count);
	plRooms_Destroy(&p->rooms, heap);
	PL_FREE(heap, p, 1);
}

static void takeKernels(plCpuProblem* p, plPrecision precision)
{
	for (plElementKind kind = 0; kind < pl_kindCount; ++kind)
	{
		p->kernels[kind] = plCpu_GetKernels(kind, precision, false);
		p->exact[kind] = plCpu_GetKernels(kind, pl_precisionDouble, false);
	}
	p->patchKernels = p->kernels[0]->patch;
	p->vertexKernels = p->kernels[0]->vertex;
	p->isFloat = precision == pl_precisionFloat;
}

static const plVertexMeets noMeets;

static plProblem* create(const plProblemInput* input, plError* error)
{
	PL_ASSERT(input->layout.poseCount == 0, "no energy here knows a pose");
	plHeap* heap = input->heap;
	plCpuProblem* p = PL_NEW_ZERO(heap, plCpuProblem, 1);
	bool fine = p != NULL && plElements_AddPrecision(input->elements, input->precision, heap);
	if (fine)
	{
		*p = (plCpuProblem){.base = {.backend = plCpuBackend.name,
		                             .space = &plCpuSpace,
		                             .objective = &plCpuObjective,
		                             .matrix = &plCpuMatrix,
		                             .diagonal = &plCpuDiagonal,
		                             .sweep = &plCpuSweepVerbs,
		                             .bodies = &plCpuBodies,
		                             .pairs = input->near != NULL ? &plCpuPairs : NULL,
		                             .heap = heap,
		                             .pool = input->pool,
		                             .layout = input->layout,
		                             .held = input->held},
		                    .elements = input->elements,
		                    .terms = input->terms,
		                    .guide = input->guide,
		                    .push = input->push,
		                    .grabs = input->grabs,
		                    .near = input->near,
		                    .givenNear = input->near,
		                    .source = input->pairs,
		                    .world = input->world,
		                    .contacts = input->contacts,
		                    .meets = input->contacts != NULL ? &input->contacts->vertices : &noMeets,
		                    .mass = input->mass,
		                    .y = input->y,
		                    .reaction = input->reaction,
		                    .bundles = plCpu_GetBundleKernels(),
		                    .settled = true};
		takeKernels(p, input->precision);
		plGroups_Init(&p->groups, heap, p->isFloat);
		if (allocate(p))
			return &p->base;
		destroy(&p->base);
	}
	else
		PL_FREE(heap, p, 1);
	plFail(error, pl_errorMemory, "not enough memory for the problem of %zu vertices", input->layout.vertexCount);
	return NULL;
}

const plBackendType plCpuBackend = {.name = "cpu", .create = create, .destroy = destroy, .hasPairs = true};
