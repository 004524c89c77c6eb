// shares.c: elements of a patch into a buffer, the buffer into shares
#include "shares.h"

void plTetEnergy_VisitPatch(const plTetEnergy* tets, const plTetKernels* kernels, const double* q, size_t patch,
                            plSpanFcn* visit, void* context)
{
	_Alignas(64) int32_t fixed[4 * pl_patchVertices];
	const plPatches* patches = &tets->patches;
	size_t first = pl_patchBatches * patch, end = first + pl_patchBatches;
	if (end > tets->batchCount)
		end = tets->batchCount;
	for (size_t batch = first; batch < end;)
	{
		plTetSpan span = plTetEnergy_Clip(tets, batch, end, kernels->isFloat);
		if (kernels->place != NULL)
			span.unit = kernels->place(patches, patch, span.begin, span.end, q, fixed);
		batch = span.end;
		plTetSpan_Shift(&span, first, kernels->isFloat);
		span.corner = patches->share + pl_batchIndices * first;
		span.fixed = fixed;
		visit(&span, first, context);
	}
}

// What a loop does with the spans of one patch: its kernel writes to a buffer that starts with the patch's first batch.
typedef struct PatchRun
{
	const plShareLoop* loop;
	void* out;
} PatchRun;

static void runSpan(const plTetSpan* span, size_t first, void* context)
{
	const PatchRun* run = context;
	double* unit = run->loop->p->unit + first / pl_patchBatches;
	*unit = span->unit > *unit ? span->unit : *unit;
	run->loop->run(run->loop, span, first, run->out);
}

static void runPatch(const plShareLoop* loop, size_t patch, void* out)
{
	PatchRun run = {loop, out};
	loop->p->unit[patch] = 0.0;
	plTetEnergy_VisitPatch(loop->p->tets, loop->p->kernels, loop->q, patch, runSpan, &run);
}

static void sharePatches(size_t begin, size_t end, void* context)
{
	const plShareLoop* loop = context;
	const plPatches* patches = &loop->p->tets->patches;
	const plTetKernels* kernels = loop->p->kernels;
	_Alignas(64) double buffer[pl_patchForces];
	for (size_t patch = begin; patch < end; ++patch)
	{
		runPatch(loop, patch, buffer);
		if (loop->kind == pl_shareForces)
			kernels->shareForces(patches, patch, buffer, loop->p->share);
		else
			kernels->shareLengths(patches, patch, buffer, loop->p->share);
	}
}

static void shareBlockPatches(size_t begin, size_t end, void* context)
{
	const plShareLoop* loop = context;
	_Alignas(64) double buffer[pl_patchDiagonal];
	for (size_t patch = begin; patch < end; ++patch)
	{
		runPatch(loop, patch, buffer);
		loop->p->kernels->shareDiagonal(&loop->p->tets->patches, patch, buffer, loop->p->blockShare);
	}
}

void plCpuProblem_Share(plShareLoop loop)
{
	plRangeFcn* run = loop.kind == pl_shareBlocks ? shareBlockPatches : sharePatches;
	plParallelFor(loop.p->base.pool, loop.p->tets->patches.patchCount, 1, run, &loop);
}
