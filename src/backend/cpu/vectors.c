// vectors.c: points and tangents as arrays: the facet `space`
#include "vectors.h"
#include "problem.h"

enum
{
	vectorGrain = 1024 // quads; below this a loop is not worth sharing
};

typedef struct Operands
{
	double* out;
	const double* a;
	const double* b;
	double alpha;
} Operands;

static void run(plProblem* p, plRangeFcn* body, Operands operands)
{
	plParallelFor(p->pool, plLayout_GetQuadCount(p->layout), vectorGrain, body, &operands);
}

// One quad more, so that an empty world has vectors too.
static size_t lengthOf(const plProblem* p)
{
	return plLayout_GetLength(p->layout) + pl_quad;
}

static void* newArray(plProblem* p)
{
	return PL_NEW_ZERO(p->heap, double, lengthOf(p));
}

static plPoint* newPoint(plProblem* p)
{
	return newArray(p);
}

static plTangent* newTangent(plProblem* p)
{
	return newArray(p);
}

static void freePoint(plProblem* p, plPoint* q)
{
	PL_FREE(p->heap, plPointArray(q), lengthOf(p));
}

static void freeTangent(plProblem* p, plTangent* d)
{
	PL_FREE(p->heap, plTangentArray(d), lengthOf(p));
}

static void copyRange(size_t begin, size_t end, void* context)
{
	const Operands* o = context;
	memcpy(PL_AT(o->out, begin), PL_AT(o->a, begin), pl_quad * (end - begin) * sizeof(double));
}

static void copyPoint(plProblem* p, plPoint* out, const plPoint* q)
{
	run(p, copyRange, (Operands){.out = plPointArray(out), .a = plPointData(q)});
}

static void copy(plProblem* p, plTangent* out, const plTangent* d)
{
	run(p, copyRange, (Operands){.out = plTangentArray(out), .a = plTangentData(d)});
}

static void addRange(size_t begin, size_t end, void* context)
{
	const Operands* o = context;
	for (size_t i = pl_quad * begin; i < pl_quad * end; ++i)
		o->out[i] = o->a[i] + o->alpha * o->b[i];
}

static void advance(plProblem* p, plPoint* out, const plPoint* q, double alpha, const plTangent* d)
{
	run(p, addRange, (Operands){plPointArray(out), plPointData(q), plTangentData(d), alpha});
}

static void axpy(plProblem* p, plTangent* out, double alpha, const plTangent* d)
{
	run(p, addRange, (Operands){plTangentArray(out), plTangentData(out), plTangentData(d), alpha});
}

static void differenceRange(size_t begin, size_t end, void* context)
{
	const Operands* o = context;
	for (size_t i = pl_quad * begin; i < pl_quad * end; ++i)
		o->out[i] = o->a[i] - o->b[i];
}

static void difference(plProblem* p, plTangent* out, const plPoint* a, const plPoint* b)
{
	run(p, differenceRange, (Operands){.out = plTangentArray(out), .a = plPointData(a), .b = plPointData(b)});
}

static void extrapolateRange(size_t begin, size_t end, void* context)
{
	const Operands* o = context;
	for (size_t i = pl_quad * begin; i < pl_quad * end; ++i)
		o->out[i] = o->a[i] + o->alpha * (o->b[i] - o->a[i]);
}

static void extrapolate(plProblem* p, plPoint* out, const plPoint* from, double omega, const plPoint* to)
{
	run(p, extrapolateRange, (Operands){plPointArray(out), plPointData(from), plPointData(to), omega});
}

static void scaleRange(size_t begin, size_t end, void* context)
{
	const Operands* o = context;
	for (size_t i = pl_quad * begin; i < pl_quad * end; ++i)
		o->out[i] = o->alpha * o->a[i];
}

static void scale(plProblem* p, plTangent* d, double alpha)
{
	run(p, scaleRange, (Operands){.out = plTangentArray(d), .a = plTangentData(d), .alpha = alpha});
}

static void dotRange(size_t begin, size_t end, double* sums, void* context)
{
	const Operands* o = context;
	double lane[pl_quad] = {0.0, 0.0, 0.0, 0.0};
	for (size_t i = pl_quad * begin; i < pl_quad * end; i += pl_quad)
		for (size_t k = 0; k < pl_quad; ++k)
			lane[k] += o->a[i + k] * o->b[i + k];
	sums[0] = (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

static double dot(plProblem* p, const plTangent* a, const plTangent* b)
{
	Operands operands = {.a = plTangentData(a), .b = plTangentData(b)};
	double total;
	plParallelSum(p->pool, plLayout_GetQuadCount(p->layout), 1, dotRange, &operands, ((plCpuProblem*)p)->partial,
	              &total);
	return total;
}

static void fillNoise(plProblem* p, plTangent* d)
{
	uint64_t state = 0x9e3779b97f4a7c15ull;
	double* to = plTangentArray(d);
	for (size_t i = 0; i < plLayout_GetQuadCount(p->layout); ++i)
	{
		for (size_t k = 0; k < 3; ++k)
		{
			state = state * 6364136223846793005ull + 1442695040888963407ull;
			PL_AT(to, i)[k] = (double)(state >> 11) * 0x1p-52 - 1.0;
		}
		PL_AT(to, i)[3] = 0.0;
	}
}

// ---- in and out -----------------------------------------------------------------------------------------------------

static void load(plProblem* p, plPoint* out, const double* state)
{
	run(p, copyRange, (Operands){.out = plPointArray(out), .a = state});
}

static void store(plProblem* p, double* state, const plPoint* q)
{
	run(p, copyRange, (Operands){.out = state, .a = plPointData(q)});
}

static void loadTangent(plProblem* p, plTangent* out, const double* velocities)
{
	double* to = plTangentArray(out);
	for (size_t i = 0; i < plLayout_GetQuadCount(p->layout); ++i)
		for (size_t k = 0; k < pl_quad; ++k)
			PL_AT(to, i)[k] = (p->held[i] >> k) & 1 ? 0.0 : PL_AT(velocities, i)[k];
}

static void storeTangent(plProblem* p, double* out, const plTangent* d)
{
	run(p, copyRange, (Operands){.out = out, .a = plTangentData(d)});
}

const plSpaceVerbs plCpuSpace = {
    .newPoint = newPoint,
    .newTangent = newTangent,
    .freePoint = freePoint,
    .freeTangent = freeTangent,
    .load = load,
    .store = store,
    .loadTangent = loadTangent,
    .storeTangent = storeTangent,
    .copyPoint = copyPoint,
    .advance = advance,
    .difference = difference,
    .extrapolate = extrapolate,
    .copy = copy,
    .scale = scale,
    .axpy = axpy,
    .dot = dot,
    .fillNoise = fillNoise,
    .newBundle = plCpuBundle_New,
    .freeBundle = plCpuBundle_Free,
    .storePair = plCpuBundle_StorePair,
    .dotBundle = plCpuBundle_Dot,
    .combineBundle = plCpuBundle_Combine,
};
