// fibre_loops.h: adds fibres to what the loops of tet_lanes.c have written
//
// Further passes over the batches of a span, one per family, so that materials without fibres pay nothing. Included by
// tet_lanes.c.
#ifndef PL_FIBRE_LOOPS_H
#define PL_FIBRE_LOOPS_H

#include "element.h"

// b_a.d of the four corners
typedef struct fibreShapes
{
	real g[4];
} fibreShapes;

KERNEL fibreShapes fibreShapesOf(const fibre* f, mat3 B)
{
	vec3 g = mulv3(B, f->d);
	fibreShapes r = {{-(g.a[0] + g.a[1] + g.a[2]), g.a[0], g.a[1], g.a[2]}};
	return r;
}

// Runs the block after it for every vector of elements, with the family of fibres, the batch b and its first lane.
#define FOR_FIBRES(span)                                                                                               \
	for (int family = 0; family < (span)->fibreCount; ++family)                                                        \
		for (size_t b = (span)->begin; b < (span)->end; ++b)                                                           \
			for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)

static void addFibreValue(const plSpan* span, const double* q, double* value, double* noise)
{
	FOR_FIBRES(span)
	{
		const fibre f = loadFibre(span, family);
		element e = loadElement(span, q, b, lane);
		fibrePose p = fibrePoseOf(&f, mul33(e.Ds, e.B));
		real energy = fibreEnergy(&f, &p), v = e.volume * energy;
		real n = e.volume * FMA(SPLAT(4 * REAL_EPSILON), energy, fibreNoise(&f, &p, noisyEdges(&e), e.B));
		for (int l = 0; l < PL_LANES; ++l)
		{
			value[b] += (double)LANE(v, l);
			noise[b] += (double)LANE(n, l);
		}
	}
}

static void addFibreGradient(const plSpan* span, const double* q, scalar* force)
{
	FOR_FIBRES(span)
	{
		const fibre f = loadFibre(span, family);
		element e = loadElement(span, q, b, lane);
		fibrePose p = fibrePoseOf(&f, mul33(e.Ds, e.B));
		fibreShapes g = fibreShapesOf(&f, e.B);
		real pull = e.volume * (f.k * (p.r - K(1)));
		scalar* out = force + pl_tetForces * b + lane;
		for (int a = 0; a < 4; ++a)
			for (int i = 0; i < 3; ++i, out += pl_batchSize)
				storeReal(out, FMA(pull * g.g[a], p.n.a[i], loadReal(out)));
	}
}

static void addFibreDiagonal(const plSpan* span, const double* q, scalar* diagonal)
{
	static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
	FOR_FIBRES(span)
	{
		const fibre f = loadFibre(span, family);
		element e = loadElement(span, q, b, lane);
		fibrePose p = fibrePoseOf(&f, mul33(e.Ds, e.B));
		fibreShapes g = fibreShapesOf(&f, e.B);
		scalar* out = diagonal + pl_tetDiagonal * b + lane;
		for (int a = 0; a < 4; ++a)
		{
			mat3 N = fibreBlock(&p, MAX(p.across, SPLAT(0)), e.volume * f.k * g.g[a] * g.g[a]);
			for (int i = 0; i < 6; ++i, out += pl_batchSize)
				storeReal(out, loadReal(out) + N.a[row[i]][column[i]]);
		}
	}
}

static void addFibreScalarDiagonal(const plSpan* span, const double* q, scalar* diagonal)
{
	FOR_FIBRES(span)
	{
		const fibre f = loadFibre(span, family);
		element e = loadElement(span, q, b, lane);
		fibrePose p = fibrePoseOf(&f, mul33(e.Ds, e.B));
		fibreShapes g = fibreShapesOf(&f, e.B);
		scalar* out = diagonal + pl_tetForces * b + lane;
		for (int a = 0; a < 4; ++a)
		{
			mat3 N = fibreBlock(&p, MAX(p.across, SPLAT(0)), e.volume * f.k * g.g[a] * g.g[a]);
			for (int i = 0; i < 3; ++i, out += pl_batchSize)
				storeReal(out, loadReal(out) + N.a[i][i]);
		}
	}
}

static void addFibreCurvature(const plSpan* span, const double* q, const double* d, double* curvature)
{
	FOR_FIBRES(span)
	{
		const fibre f = loadFibre(span, family);
		element e = loadElement(span, q, b, lane);
		mat3 dF = mul33(gatherEdges(span, b, lane, d), e.B);
		fibrePose p = fibrePoseOf(&f, mul33(e.Ds, e.B));
		real k = e.volume * fibreCurvature(&f, &p, dF);
		for (int l = 0; l < PL_LANES; ++l)
			curvature[b] += (double)LANE(k, l);
	}
}

static void addFibreProduct(const plSpan* span, const double* q, int projected, const double* d, scalar* force)
{
	FOR_FIBRES(span)
	{
		const fibre f = loadFibre(span, family);
		element e = loadElement(span, q, b, lane);
		fibrePose p = fibrePoseOf(&f, mul33(e.Ds, e.B));
		fibreShapes g = fibreShapesOf(&f, e.B);
		mat3 dF = mul33(gatherEdges(span, b, lane, d), e.B);
		if (projected)
			p.across = MAX(p.across, SPLAT(0));
		vec3 r = fibreProduct(&f, &p, dF);
		scalar* out = force + pl_tetForces * b + lane;
		for (int a = 0; a < 4; ++a)
			for (int i = 0; i < 3; ++i, out += pl_batchSize)
				storeReal(out, FMA(e.volume * g.g[a], r.a[i], loadReal(out)));
	}
}

static void addFibreHessian(const plSpan* span, const double* q, int projected, double* blocks)
{
	const size_t stride = 9 * pl_tetBlocks;
	FOR_FIBRES(span)
	{
		const fibre f = loadFibre(span, family);
		element e = loadElement(span, q, b, lane);
		fibrePose p = fibrePoseOf(&f, mul33(e.Ds, e.B));
		fibreShapes g = fibreShapesOf(&f, e.B);
		real across = projected ? MAX(p.across, SPLAT(0)) : p.across;
		double* out = blocks + stride * (pl_batchSize * b + (size_t)lane);
		for (int i = 0; i < 4; ++i)
			for (int j = i; j < 4; ++j, out += 9)
				addMatrix(out, stride, fibreBlock(&p, across, e.volume * f.k * g.g[i] * g.g[j]));
	}
}

static void addFibreStress(const plSpan* span, const double* q, double* stress)
{
	FOR_FIBRES(span)
	{
		const fibre f = loadFibre(span, family);
		element e = loadElement(span, q, b, lane);
		fibrePose p = fibrePoseOf(&f, mul33(e.Ds, e.B));
		addMatrix(stress + 9 * (pl_batchSize * b + (size_t)lane), 9, fibreStress(&f, &p));
	}
}

#endif
