// bench.c: times one kernel over the elements of a deformed box, as a step runs it, without the sums over vertices
#include "pliant/bench.h"
#include "../world/world.h"
#include "../base/number.h"
#include "../backend/cpu/isa.h"
#include "../backend/cpu/shares.h"

#include <stdlib.h>

plKernelBenchDef plDefaultKernelBenchDef(void)
{
	return (plKernelBenchDef){.material = plDefaultMaterialDef(),
	                          .verb = pl_benchGradient,
	                          .cells = 20,
	                          .repeats = 15,
	                          .cookie = PL_COOKIE(plKernelBenchDef)};
}

const char* plBenchVerb_GetName(plBenchVerb verb)
{
	static const char* const names[pl_benchVerbCount] = {"value", "gradient", "diagonal", "hessian"};
	return verb >= 0 && verb < pl_benchVerbCount ? names[verb] : NULL;
}

typedef struct Pass
{
	const plElements* elements;
	const plElementKernels* kernels[pl_kindCount];
	const double* q;
	plBenchVerb verb;
	double* values;
	double* noises;
	void* out;
} Pass;

static void runSpan(const plPatchVisit* visit, void* context)
{
	const Pass* pass = context;
	const plSpan* span = visit->span;
	size_t batch = visit->first;
	_Alignas(64) double buffer[pl_patchDiagonal]; // forces and diagonals of a patch stay on the stack, as in a step
	switch (pass->verb)
	{
	case pl_benchValue:
		visit->kernels->value(span, pass->q, pass->values + batch, pass->noises + batch);
		break;
	case pl_benchGradient:
		visit->kernels->gradient(span, pass->q, buffer);
		break;
	case pl_benchDiagonal:
		visit->kernels->diagonal(span, pass->q, buffer);
		break;
	default:
		visit->kernels->hessian(span, pass->q, 1, (double*)pass->out + 9 * pl_tetBlocks * pl_batchSize * batch);
		break;
	}
}

static void passRange(size_t begin, size_t end, void* context)
{
	const Pass* pass = context;
	for (size_t patch = begin; patch < end; ++patch)
		plElements_VisitPatch(pass->elements, pass->kernels, pass->q, patch, runSpan, context);
}

// Twisted, stretched and uneven, every stretch well above the floor of the closed forms.
static void deform(plWorld* world)
{
	for (size_t i = 0; i < world->layout.vertexCount; ++i)
	{
		double* q = PL_AT(world->q, i);
		double angle = 0.8 * q[2], x = q[0] - 0.5, y = q[1] - 0.5;
		double cosine = plCos(angle), sine = plSin(angle);
		q[0] = cosine * x - sine * y + 0.02 * plSin(9.0 * q[1]);
		q[1] = sine * x + cosine * y;
		q[2] *= 1.2;
	}
}

static int compareTimes(const void* a, const void* b)
{
	double x = *(const double*)a, y = *(const double*)b;
	return x < y ? -1 : x > y;
}

static plResult timePasses(plWorld* world, const plKernelBenchDef* def, plKernelBench* result, plError* error)
{
	plHeap* heap = &world->heap;
	const plElements* elements = &world->prepared.elements;
	size_t batches = elements->batchCount, repeats = (size_t)def->repeats;
	size_t outBytes = def->verb == pl_benchHessian ? 9 * pl_tetBlocks * pl_batchSize * batches * sizeof(double) : 0;
	double* values = PL_NEW(heap, double, 2 * batches);
	double* times = PL_NEW(heap, double, repeats);
	void* out = plHeap_Allocate(heap, outBytes);
	plResult code = pl_success;
	if (!values || !times || (!out && outBytes > 0))
		code = plFail(error, pl_errorMemory, "bench: no memory for %zu tetrahedra", elements->elementCount);
	else
	{
		Pass pass = {.elements = elements,
		             .kernels = {[pl_kindTet] = plCpu_GetKernels(pl_kindTet, def->precision, def->scalar)},
		             .q = world->q,
		             .verb = def->verb,
		             .values = values,
		             .noises = values + batches,
		             .out = out};
		plParallelFor(def->pool, elements->patches.patchCount, 1, passRange, &pass);
		for (size_t i = 0; i < repeats; ++i)
		{
			double start = plNow();
			plParallelFor(def->pool, elements->patches.patchCount, 1, passRange, &pass);
			times[i] = 1e6 * plMilliseconds(start) / (double)elements->elementCount;
		}
		qsort(times, repeats, sizeof *times, compareTimes);
		*result =
		    (plKernelBench){elements->elementCount, pass.kernels[pl_kindTet]->lanes, times[0], times[repeats / 2]};
	}
	PL_FREE(heap, values, 2 * batches);
	PL_FREE(heap, times, repeats);
	plHeap_Free(heap, out, outBytes);
	return code;
}

plResult plBench_Kernel(const plKernelBenchDef* def, plKernelBench* result, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plKernelBenchDef), "a plKernelBenchDef starts as plDefaultKernelBenchDef()");
	if (def->cells < 1 || def->repeats < 1)
		return plFail(error, pl_errorInput, "bench: cells and repeats must be at least 1");
	plError local;
	error = error != NULL ? error : &local;
	*error = (plError){.code = pl_errorMemory};
	const size_t cells[3] = {def->cells, def->cells, def->cells};
	plWorldDef wd = plDefaultWorldDef();
	wd.solver.precision = def->precision;
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.material = def->material;
	plMesh* mesh = plCreateBoxMesh((plVec3){1.0, 1.0, 1.0}, cells, 6, NULL, error);
	plWorld* world = mesh != NULL ? plCreateWorld(&wd, error) : NULL;
	bd.mesh = mesh;
	plResult code = error->code;
	if (world != NULL && PL_IS_NON_NULL(plCreateSoftBody(world, &bd, error)))
	{
		deform(world);
		code = plWorld_Prepare(world, error);
		if (code == pl_success)
			code = timePasses(world, def, result, error);
	}
	else
		code = error->code;
	plDestroyWorld(world);
	plDestroyMesh(mesh);
	return code;
}
