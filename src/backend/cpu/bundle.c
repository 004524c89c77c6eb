// bundle.c: several tangents in single precision, 3 floats per quad and member
//
// Products run over blocks of quads that stay in the nearest cache while the members pass by. So the vector outside the
// bundle is read once. Products and sums are in double.
#include "bundle.h"
#include "problem.h"
#include "vectors.h"

enum
{
	quadGrain = 512
};

struct plBundle
{
	size_t count;
	size_t stride;   // floats of a member
	float* data;     // [count stride]
	double* partial; // of sums
	size_t partialCount;
};

typedef struct BundleLoop
{
	const plBundleKernels* kernels;
	const plBundle* bundle;
	size_t used;  // members
	float *s, *t; // the members of a pair
	double* out;
	const double* d;
	const double* last;
	const double* g;
	const double* weights;
	double scale;
} BundleLoop;

static const plBundleKernels* kernelsOf(const plProblem* p)
{
	return ((const plCpuProblem*)p)->bundles;
}

void plCpuBundle_Free(plProblem* p, plBundle* bundle)
{
	if (bundle == NULL)
		return;
	PL_FREE(p->heap, bundle->data, bundle->count * bundle->stride);
	PL_FREE(p->heap, bundle->partial, bundle->partialCount);
	PL_FREE(p->heap, bundle, 1);
}

plBundle* plCpuBundle_New(plProblem* p, size_t count)
{
	plBundle* bundle = PL_NEW_ZERO(p->heap, plBundle, 1);
	if (bundle == NULL)
		return NULL;
	bundle->count = count;
	size_t quads = plLayout_GetQuadCount(p->layout) + 1; // never empty
	bundle->stride = 3 * quads;
	bundle->partialCount = plPartialCount(quads, (int)count);
	bundle->data = count <= SIZE_MAX / bundle->stride ? PL_NEW_ZERO(p->heap, float, count * bundle->stride) : NULL;
	bundle->partial = PL_NEW(p->heap, double, bundle->partialCount);
	if (bundle->data != NULL && bundle->partial != NULL)
		return bundle;
	plCpuBundle_Free(p, bundle);
	return NULL;
}

static void pairRange(size_t begin, size_t end, double* sums, void* context)
{
	const BundleLoop* loop = context;
	loop->kernels->pair(loop->s, loop->t, loop->scale, loop->d, loop->last, loop->g, begin, end, sums);
}

void plCpuBundle_StorePair(plProblem* p, plBundle* s, plBundle* t, size_t member, const plPair* pair,
                           double products[3])
{
	BundleLoop loop = {.kernels = kernelsOf(p),
	                   .s = s->data + member * s->stride,
	                   .t = t->data + member * t->stride,
	                   .scale = pair->alpha,
	                   .d = plTangentData(pair->d),
	                   .last = plTangentData(pair->last),
	                   .g = plTangentData(pair->g)};
	plParallelSum(p->pool, plLayout_GetQuadCount(p->layout), 3, pairRange, &loop, ((plCpuProblem*)p)->partial,
	              products);
}

static void dotRange(size_t begin, size_t end, double* sums, void* context)
{
	const BundleLoop* loop = context;
	loop->kernels->dots(loop->bundle->data, loop->bundle->stride, loop->used, loop->d, begin, end, sums);
}

void plCpuBundle_Dot(plProblem* p, const plBundle* bundle, size_t used, const plTangent* d, double* dots)
{
	BundleLoop loop = {.kernels = kernelsOf(p), .bundle = bundle, .used = used, .d = plTangentData(d)};
	plParallelSum(p->pool, plLayout_GetQuadCount(p->layout), (int)used, dotRange, &loop, bundle->partial, dots);
}

static void combineRange(size_t begin, size_t end, void* context)
{
	const BundleLoop* loop = context;
	const plBundle* bundle = loop->bundle;
	loop->kernels->combine(loop->out, loop->scale, loop->d, bundle->data, bundle->stride, loop->weights, loop->used,
	                       begin, end);
}

void plCpuBundle_Combine(plProblem* p, plTangent* out, double scale, const plTangent* d, const plBundle* bundle,
                         size_t used, const double* weights)
{
	BundleLoop loop = {.kernels = kernelsOf(p),
	                   .bundle = bundle,
	                   .used = used,
	                   .out = plTangentArray(out),
	                   .d = plTangentData(d),
	                   .weights = weights,
	                   .scale = scale};
	plParallelFor(p->pool, plLayout_GetQuadCount(p->layout), quadGrain, combineRange, &loop);
}
