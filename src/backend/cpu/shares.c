// shares.c: elements of a patch into a buffer, the buffer into shares
#include "shares.h"

// Runs the loop's kernel on the spans of a patch; `out` starts with its first batch.
static void runPatch(const plShareLoop* loop, size_t patch, void* out)
{
	const plTetEnergy* tets = loop->p->tets;
	bool isFloat = loop->p->kernels->isFloat;
	size_t first = pl_patchBatches * patch, end = first + pl_patchBatches;
	if (end > tets->batchCount)
		end = tets->batchCount;
	for (size_t batch = first; batch < end;)
	{
		plTetSpan span = plTetEnergy_Clip(tets, batch, end, isFloat);
		batch = span.end;
		span = plTetSpan_Shift(span, first, isFloat);
		loop->run(loop, &span, out);
	}
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
