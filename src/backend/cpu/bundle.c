// bundle.c: several tangents in single precision, 4 floats per vertex and member
//
// Sums run over blocks of vertices that stay in the nearest cache while the members pass by: the vector that is not in
// the bundle is read once. Products and sums are in double.
#include "problem.h"
#include "vectors.h"

typedef float float4 __attribute__((vector_size(16)));
typedef double double4 __attribute__((vector_size(32)));

enum
{
	blockVertices = 256
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
	const plBundle* bundle;
	float* to;
	double* out;
	const double* d;
	const double* weights;
	double scale;
} BundleLoop;

// sum += member d, four numbers; by pointers, because vectors as arguments depend on the instruction set
static inline void addProduct(double4* sum, const float* member, const double* d)
{
	float4 a;
	double4 b;
	memcpy(&a, member, sizeof a);
	memcpy(&b, d, sizeof b);
	*sum += __builtin_convertvector(a, double4) * b;
}

static inline void addMember(double* out, double weight, const float* member)
{
	float4 a;
	double4 sum;
	memcpy(&a, member, sizeof a);
	memcpy(&sum, out, sizeof sum);
	sum += weight * __builtin_convertvector(a, double4);
	memcpy(out, &sum, sizeof sum);
}

static void freeBundle(plProblem* p, plBundle* bundle)
{
	if (bundle == NULL)
		return;
	PL_FREE(p->heap, bundle->data, bundle->count * bundle->stride);
	PL_FREE(p->heap, bundle->partial, bundle->partialCount);
	PL_FREE(p->heap, bundle, 1);
}

static plBundle* newBundle(plProblem* p, size_t count)
{
	plBundle* bundle = PL_NEW_ZERO(p->heap, plBundle, 1);
	if (bundle == NULL)
		return NULL;
	bundle->count = count;
	bundle->stride = 4 * (p->vertexCount + 1); // never empty
	bundle->partialCount = plPartialCount(p->vertexCount + 1, (int)count);
	bundle->data = count <= SIZE_MAX / bundle->stride ? PL_NEW_ZERO(p->heap, float, count * bundle->stride) : NULL;
	bundle->partial = PL_NEW(p->heap, double, bundle->partialCount);
	if (bundle->data != NULL && bundle->partial != NULL)
		return bundle;
	freeBundle(p, bundle);
	return NULL;
}

static void storeRange(size_t begin, size_t end, void* context)
{
	const BundleLoop* loop = context;
	for (size_t i = 4 * begin; i < 4 * end; ++i)
		loop->to[i] = (float)(loop->scale * loop->d[i]);
}

static void storeInBundle(plProblem* p, plBundle* bundle, size_t member, double scale, const plTangent* d)
{
	BundleLoop loop = {.to = bundle->data + member * bundle->stride, .d = plTangentData(d), .scale = scale};
	plParallelFor(p->pool, p->vertexCount, 2048, storeRange, &loop);
}

static void dotRange(size_t begin, size_t end, double* sums, void* context)
{
	const BundleLoop* loop = context;
	for (size_t m = 0; m < loop->bundle->count; ++m)
	{
		const float* member = loop->bundle->data + m * loop->bundle->stride;
		double4 even = {0.0}, odd = {0.0};
		size_t i = begin;
		for (; i + 1 < end; i += 2)
		{
			addProduct(&even, member + 4 * i, loop->d + 4 * i);
			addProduct(&odd, member + 4 * i + 4, loop->d + 4 * i + 4);
		}
		if (i < end)
			addProduct(&even, member + 4 * i, loop->d + 4 * i);
		even += odd;
		sums[m] = (even[0] + even[1]) + (even[2] + even[3]);
	}
}

static void dotBundle(plProblem* p, const plBundle* bundle, const plTangent* d, double* dots)
{
	BundleLoop loop = {.bundle = bundle, .d = plTangentData(d)};
	plParallelSum(p->pool, p->vertexCount, (int)bundle->count, dotRange, &loop, bundle->partial, dots);
}

static void combineRange(size_t begin, size_t end, void* context)
{
	const BundleLoop* loop = context;
	for (size_t from = begin; from < end; from += blockVertices)
	{
		size_t to = end - from < blockVertices ? end : from + blockVertices;
		for (size_t i = 4 * from; i < 4 * to; ++i)
			loop->out[i] = loop->scale * loop->d[i];
		for (size_t m = 0; m < loop->bundle->count; ++m)
		{
			const float* member = loop->bundle->data + m * loop->bundle->stride;
			if (loop->weights[m] == 0.0)
				continue;
			for (size_t i = 4 * from; i < 4 * to; i += 4)
				addMember(loop->out + i, loop->weights[m], member + i);
		}
	}
}

static void combineBundle(plProblem* p, plTangent* out, double scale, const plTangent* d, const plBundle* bundle,
                          const double* weights)
{
	BundleLoop loop = {
	    .bundle = bundle, .out = plTangentArray(out), .d = plTangentData(d), .weights = weights, .scale = scale};
	plParallelFor(p->pool, p->vertexCount, blockVertices, combineRange, &loop);
}

void plCpuBundle_Fill(plProblemVerbs* verbs)
{
	verbs->newBundle = newBundle;
	verbs->freeBundle = freeBundle;
	verbs->storeInBundle = storeInBundle;
	verbs->dotBundle = dotBundle;
	verbs->combineBundle = combineBundle;
}
