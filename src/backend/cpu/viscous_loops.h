// viscous_loops.h: adds viscous damping (kernel/viscous.h) to what the loops of tet_lanes.c have written
//
// Bodies without it pay nothing. Values and forces come from F while a stage of stress_loops.h still has it; where
// there are no stages, or conversion changes what they wrote, from a further pass over the batches of a span. Both give
// the same bits. Included by tet_lanes.c.
#ifndef PL_VISCOUS_LOOPS_H
#define PL_VISCOUS_LOOPS_H

#include "convert_loops.h"
#include "stages.h"
#include "../../kernel/viscous.h"

KERNEL bool isViscous(const plSpan* span)
{
	return span->resistance > 0.0;
}

KERNEL strain loadAnchor(const plSpan* span, size_t batch, int lane)
{
	const scalar* anchor = (const scalar*)span->anchor + pl_tetStrain * batch + lane;
	strain A;
	for (int k = 0; k < pl_strainCount; ++k)
		A.a[k] = loadReal(anchor + pl_batchSize * k);
	return A;
}

// Runs the block after it for every vector of elements, with the batch b and its first lane.
#define FOR_VECTORS(span)                                                                                              \
	for (size_t b = (span)->begin; b < (span)->end; ++b)                                                               \
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)

// The anchors of a substep are made of these.
static void tetStrain(const plSpan* span, const double* q, void* out)
{
	FOR_VECTORS(span)
	{
		strain E = strainOf(mul33(loadEdges(span, q, b, lane), loadShape(span, b, lane)));
		for (int k = 0; k < pl_strainCount; ++k)
			storeReal((scalar*)out + pl_tetStrain * b + pl_batchSize * (size_t)k + lane, E.a[k]);
	}
}

// Rows of h to corners 1, 2, 3, minus their sum to corner 0
KERNEL void addForces(scalar* out, mat3 h)
{
	vec3 h0 = cornerZero(h);
	for (int i = 0; i < 3; ++i, out += pl_batchSize)
	{
		storeReal(out, loadReal(out) + h0.a[i]);
		for (int a = 0; a < 3; ++a)
		{
			scalar* at = out + 3 * pl_batchSize * (a + 1);
			storeReal(at, loadReal(at) + h.a[a][i]);
		}
	}
}

// What vectors of a span have in common
typedef struct viscousLoop
{
	const plSpan* span;
	real resistance, perLength, slack;
	wishes wish;
	answers to;
} viscousLoop;

KERNEL viscousLoop startViscous(const plSpan* span, wishes wish, answers to)
{
	double length = storedLength(span);
	return (viscousLoop){.span = span,
	                     .resistance = SPLAT(span->resistance),
	                     .perLength = SPLAT(1.0 / length),
	                     .slack = slackOf(span, length),
	                     .wish = wish,
	                     .to = to};
}

// Adds forces; the value comes back. Lengths are as stored; Ds is not used without values.
KERNEL noisyValue viscousVector(const viscousLoop* loop, size_t b, int lane, mat3 Ds, mat3 F)
{
	strain A = loadAnchor(loop->span, b, lane), D = strainOf(F);
	real weight = loop->resistance * loadVolume(loop->span, b, lane);
	for (int k = 0; k < pl_strainCount; ++k)
		D.a[k] -= A.a[k];
	noisyValue v = {SPLAT(0), SPLAT(0)};
	element e = {.Ds = Ds, .B = loadShape(loop->span, b, lane), .slack = loop->slack};
	if (loop->wish.values)
	{
		real w = K(0.5) * strainSquare(D);
		v.value = weight * w;
		v.noise = weight * (TERM_NOISE * w + viscousNoise(F, D, noisyEdges(&e), e.B));
	}
	for (int k = 0; k < pl_strainCount && loop->wish.forces; ++k)
		D.a[k] *= weight * loop->perLength;
	if (loop->wish.forces)
		addForces(loop->to.force + pl_tetForces * b + lane, mul33t(e.B, mul33(F, strainMatrix(D))));
	return v;
}

KERNEL void viscousStage(viscousLoop loop, size_t begin, size_t end, const deformed* d)
{
	bool values = loop.wish.values;
	for (size_t b = begin; b < end; ++b)
	{
		batchSum sum = values ? loadSum(loop.to, b) : (batchSum){0.0, 0.0};
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
		{
			size_t at = pl_batchSize * (b - begin) + (size_t)lane;
			mat3 F = loadEntries(d->F, at), Ds = values ? loadEntries(d->Ds, at) : F;
			noisyValue v = viscousVector(&loop, b, lane, Ds, F);
			if (values)
				addValues(&sum, v);
		}
		if (values)
			storeSum(loop.to, b, sum);
	}
}

// Batches begin .. end-1 of one stage. One copy for all laws; in it, one for each combination of wishes
static __attribute__((noinline)) void addViscous(const plSpan* span, wishes wish, answers to, size_t begin, size_t end,
                                                 const deformed* d)
{
	if (!wish.values)
		viscousStage(startViscous(span, (wishes){true, false}, to), begin, end, d);
	else if (!wish.forces)
		viscousStage(startViscous(span, (wishes){false, true}, to), begin, end, d);
	else
		viscousStage(startViscous(span, (wishes){true, true}, to), begin, end, d);
}

// Do the loops over closed forms add it?
KERNEL bool viscousIsStaged(const plSpan* span)
{
	return isViscous(span) && PL_LANES > 1 && lawIsClosed(span->law) && !converts(span);
}

// The further pass
static void viscousPass(const plSpan* span, const double* q, wishes wish, answers to)
{
	deformed d;
	for (size_t b = span->begin; b < span->end; b += stageBatches)
	{
		size_t end = span->end - b < stageBatches ? span->end : b + stageBatches;
		for (size_t at = 0; at < pl_batchSize * (end - b); at += PL_LANES)
		{
			size_t batch = b + at / pl_batchSize;
			int lane = (int)(at % pl_batchSize);
			mat3 Ds = loadEdges(span, q, batch, lane);
			storeEntries(d.Ds, at, Ds);
			storeEntries(d.F, at, mul33(Ds, loadShape(span, batch, lane)));
		}
		addViscous(span, wish, to, b, end, &d);
	}
}

// An element in metres, for second derivatives
typedef struct viscousElement
{
	viscousPose p;
	mat3 B;
	real weight; // V c/h
} viscousElement;

KERNEL viscousElement loadViscous(const plSpan* span, const double* q, size_t b, int lane)
{
	element e = loadElement(span, q, b, lane);
	return (viscousElement){.p = viscousPoseOf(mul33(e.Ds, e.B), loadAnchor(span, b, lane)),
	                        .B = e.B,
	                        .weight = e.volume * SPLAT(span->resistance)};
}

// Out of line: loops without it stay short.
static __attribute__((noinline)) viscousPose projectViscous(const viscousPose* p)
{
	return viscousProject(*p);
}

static void addViscousDiagonal(const plSpan* span, const double* q, scalar* diagonal)
{
	FOR_VECTORS(span)
	{
		viscousElement e = loadViscous(span, q, b, lane);
		viscousPose p = projectViscous(&e.p);
		shapes g = cornersOf(e.B);
		scalar* out = diagonal + pl_tetDiagonal * b + lane;
		for (int a = 0; a < 4; ++a)
		{
			mat3 N = viscousBlock(&p, g.g[a], g.g[a], e.weight);
			for (int i = 0; i < 6; ++i, out += pl_batchSize)
				storeReal(out, loadReal(out) + N.a[strainRow[i]][strainColumn[i]]);
		}
	}
}

static void addViscousScalarDiagonal(const plSpan* span, const double* q, scalar* diagonal)
{
	FOR_VECTORS(span)
	{
		viscousElement e = loadViscous(span, q, b, lane);
		shapes g = cornersOf(e.B);
		scalar* out = diagonal + pl_tetForces * b + lane;
		for (int a = 0; a < 4; ++a)
		{
			vec3 d = viscousEntries(&e.p, g.g[a]);
			for (int i = 0; i < 3; ++i, out += pl_batchSize)
				storeReal(out, FMA(e.weight, MAX(d.a[i], SPLAT(0)), loadReal(out)));
		}
	}
}

static void addViscousCurvature(const plSpan* span, const double* q, const double* d, double* curvature)
{
	FOR_VECTORS(span)
	{
		viscousElement e = loadViscous(span, q, b, lane);
		real k = e.weight * viscousCurvature(&e.p, mul33(gatherEdges(span, b, lane, d), e.B));
		for (int l = 0; l < PL_LANES; ++l)
			curvature[b] += (double)LANE(k, l);
	}
}

static void addViscousProduct(const plSpan* span, const double* q, int projected, const double* d, scalar* force)
{
	FOR_VECTORS(span)
	{
		viscousElement e = loadViscous(span, q, b, lane);
		viscousPose p = projected ? projectViscous(&e.p) : e.p;
		mat3 dP = viscousProduct(&p, mul33(gatherEdges(span, b, lane, d), e.B));
		addForces(force + pl_tetForces * b + lane, tetForces(dP, e.B, e.weight));
	}
}

static void addViscousHessian(const plSpan* span, const double* q, int projected, double* blocks)
{
	const size_t stride = 9 * pl_tetBlocks;
	FOR_VECTORS(span)
	{
		viscousElement e = loadViscous(span, q, b, lane);
		viscousPose p = projected ? projectViscous(&e.p) : e.p;
		shapes g = cornersOf(e.B);
		double* out = blocks + stride * (pl_batchSize * b + (size_t)lane);
		for (int i = 0; i < 4; ++i)
			for (int j = i; j < 4; ++j, out += 9)
				addMatrix(out, stride, viscousBlock(&p, g.g[i], g.g[j], e.weight));
	}
}

#endif
