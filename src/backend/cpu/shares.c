// shares.c: elements of a patch into a buffer, the buffer into shares
#include "shares.h"

void plElements_VisitPatch(const plElements* elements, const plElementKernels* const* kernels, const double* q,
                           size_t patch, plVisitFcn* visit, void* context)
{
	_Alignas(64) int32_t fixed[4 * pl_patchVertices];
	plElementKind kind = plElements_GetKind(elements, patch);
	const plBatches* batches = elements->kinds[kind];
	const plElementKernels* k = kernels[kind];
	size_t own = patch - batches->firstPatch, n = batches->kind->cornerCount;
	size_t first = pl_patchBatches * own, end = first + pl_patchBatches;
	if (end > batches->batchCount)
		end = batches->batchCount;
	plPatchView view = plBatches_GetPatchView(batches, own);
	for (size_t batch = first; batch < end;)
	{
		plSpan span = plBatches_Clip(batches, batch, end, k->isFloat);
		batch = span.end;
		plBatches_Shift(batches, &span, first, k->isFloat);
		if (k->patch->place != NULL)
			span.unit = k->patch->place(&view, n * span.begin, n * span.end, q, fixed);
		span.fixed = fixed;
		plPatchVisit part = {&span, batches->firstBatch + first, k};
		visit(&part, context);
	}
}

// What a loop does with the spans of one patch: its kernel writes to a buffer that starts with the patch's first batch.
typedef struct PatchRun
{
	const plShareLoop* loop;
	size_t patch;
	void* out;
} PatchRun;

static void runSpan(const plPatchVisit* visit, void* context)
{
	const PatchRun* run = context;
	double* unit = run->loop->p->unit + run->patch;
	*unit = visit->span->unit > *unit ? visit->span->unit : *unit;
	run->loop->run(run->loop, visit, run->out);
}

static void runPatch(const plShareLoop* loop, size_t patch, void* out)
{
	PatchRun run = {loop, patch, out};
	loop->p->unit[patch] = 0.0;
	plElements_VisitPatch(loop->p->elements, loop->p->kernels, loop->q, patch, runSpan, &run);
}

static plPatchView viewOf(const plElements* elements, size_t patch)
{
	const plBatches* batches = elements->kinds[plElements_GetKind(elements, patch)];
	return plBatches_GetPatchView(batches, patch - batches->firstPatch);
}

static void sharePatches(size_t begin, size_t end, void* context)
{
	const plShareLoop* loop = context;
	const plCpuProblem* p = loop->p;
	_Alignas(64) double buffer[pl_patchForces];
	for (size_t patch = begin; patch < end; ++patch)
	{
		plPatchView view = viewOf(p->elements, patch);
		runPatch(loop, patch, buffer);
		if (loop->kind == pl_shareForces)
			p->patchKernels->shareForces(&view, buffer, p->share);
		else
			p->patchKernels->shareLengths(&view, buffer, p->share);
	}
}

static void shareBlockPatches(size_t begin, size_t end, void* context)
{
	const plShareLoop* loop = context;
	_Alignas(64) double buffer[pl_patchDiagonal];
	for (size_t patch = begin; patch < end; ++patch)
	{
		plPatchView view = viewOf(loop->p->elements, patch);
		runPatch(loop, patch, buffer);
		loop->p->patchKernels->shareDiagonal(&view, buffer, loop->p->blockShare);
	}
}

void plCpuProblem_Share(plShareLoop loop)
{
	plRangeFcn* run = loop.kind == pl_shareBlocks ? shareBlockPatches : sharePatches;
	plParallelFor(loop.p->base.pool, loop.p->elements->patches.patchCount, 1, run, &loop);
}
