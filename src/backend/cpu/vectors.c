// vectors.c: copy, advance, difference, scale, axpy, products
#include "vectors.h"
#include "problem.h"

enum
{
	vectorGrain = 2048 // vertices; below this a loop is not worth sharing
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
	plParallelFor(p->pool, p->vertexCount, vectorGrain, body, &operands);
}

static void* newArray(plProblem* p)
{
	// One vertex more, so that an empty world has vectors too.
	return PL_NEW_ZERO(p->heap, double, 4 * (p->vertexCount + 1));
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
	PL_FREE(p->heap, plPointArray(q), 4 * (p->vertexCount + 1));
}

static void freeTangent(plProblem* p, plTangent* d)
{
	PL_FREE(p->heap, plTangentArray(d), 4 * (p->vertexCount + 1));
}

static void copyRange(size_t begin, size_t end, void* context)
{
	const Operands* o = context;
	memcpy(o->out + 4 * begin, o->a + 4 * begin, 4 * (end - begin) * sizeof(double));
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
	for (size_t i = 4 * begin; i < 4 * end; ++i)
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
	for (size_t i = 4 * begin; i < 4 * end; ++i)
		o->out[i] = o->a[i] - o->b[i];
}

static void difference(plProblem* p, plTangent* out, const plPoint* a, const plPoint* b)
{
	run(p, differenceRange, (Operands){.out = plTangentArray(out), .a = plPointData(a), .b = plPointData(b)});
}

static void extrapolateRange(size_t begin, size_t end, void* context)
{
	const Operands* o = context;
	for (size_t i = 4 * begin; i < 4 * end; ++i)
		o->out[i] = o->a[i] + o->alpha * (o->b[i] - o->a[i]);
}

static void extrapolate(plProblem* p, plPoint* out, const plPoint* from, double omega, const plPoint* to)
{
	run(p, extrapolateRange, (Operands){plPointArray(out), plPointData(from), plPointData(to), omega});
}

static void scaleRange(size_t begin, size_t end, void* context)
{
	const Operands* o = context;
	for (size_t i = 4 * begin; i < 4 * end; ++i)
		o->out[i] = o->alpha * o->a[i];
}

static void scale(plProblem* p, plTangent* d, double alpha)
{
	run(p, scaleRange, (Operands){.out = plTangentArray(d), .a = plTangentData(d), .alpha = alpha});
}

static void dotRange(size_t begin, size_t end, double* sums, void* context)
{
	const Operands* o = context;
	double lane[4] = {0.0, 0.0, 0.0, 0.0};
	for (size_t i = 4 * begin; i < 4 * end; i += 4)
		for (size_t k = 0; k < 4; ++k)
			lane[k] += o->a[i + k] * o->b[i + k];
	sums[0] = (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

static double dot(plProblem* p, const plTangent* a, const plTangent* b)
{
	Operands operands = {.a = plTangentData(a), .b = plTangentData(b)};
	double total;
	plParallelSum(p->pool, p->vertexCount, 1, dotRange, &operands, ((plCpuProblem*)p)->partial, &total);
	return total;
}

static void changeRange(size_t begin, size_t end, double* sums, void* context)
{
	const Operands* o = context;
	double lane[3][4] = {{0.0}};
	for (size_t i = 4 * begin; i < 4 * end; i += 4)
		for (size_t k = 0; k < 4; ++k)
		{
			double t = o->out[i + k] = o->a[i + k] - o->out[i + k], s = o->b[i + k];
			lane[0][k] += s * s;
			lane[1][k] += s * t;
			lane[2][k] += t * t;
		}
	for (int m = 0; m < 3; ++m)
		sums[m] = (lane[m][0] + lane[m][1]) + (lane[m][2] + lane[m][3]);
}

static void turnIntoChange(plProblem* p, plTangent* t, const plTangent* g, const plTangent* s, double products[3])
{
	Operands operands = {.out = plTangentArray(t), .a = plTangentData(g), .b = plTangentData(s)};
	plParallelSum(p->pool, p->vertexCount, 3, changeRange, &operands, ((plCpuProblem*)p)->partial, products);
}

static void unpack(plProblem* p, double* xyz, const plTangent* d)
{
	const double* from = plTangentData(d);
	for (size_t i = 0; i < p->vertexCount; ++i)
		for (size_t k = 0; k < 3; ++k)
			xyz[3 * i + k] = from[4 * i + k];
}

static void pack(plProblem* p, plTangent* out, const double* xyz)
{
	double* to = plTangentArray(out);
	for (size_t i = 0; i < p->vertexCount; ++i)
	{
		for (size_t k = 0; k < 3; ++k)
			to[4 * i + k] = xyz[3 * i + k];
		to[4 * i + 3] = 0.0;
	}
}

void plCpuVectors_Fill(plProblemVerbs* verbs)
{
	verbs->newPoint = newPoint;
	verbs->newTangent = newTangent;
	verbs->freePoint = freePoint;
	verbs->freeTangent = freeTangent;
	verbs->copyPoint = copyPoint;
	verbs->advance = advance;
	verbs->difference = difference;
	verbs->extrapolate = extrapolate;
	verbs->copy = copy;
	verbs->scale = scale;
	verbs->axpy = axpy;
	verbs->dot = dot;
	verbs->turnIntoChange = turnIntoChange;
	verbs->unpack = unpack;
	verbs->pack = pack;
}
