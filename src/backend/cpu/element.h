// element.h: an element of a batch, and what its law says by stretches
//
// Included by tet_lanes.c, by the loops that it is made of, and by sweep_lanes.c.
#ifndef PL_ELEMENT_H
#define PL_ELEMENT_H

#include "gather.h"
#include "../../kernel/fibre.h"
#include "../../material/convert.h"
#include "../../material/laws.h"

typedef struct element
{
	mat3 Ds, B; // in `length` and 1/length
	real volume;
	real length; // m, a power of 2
	real slack;  // that a length may be off by before it is rounded, over 2.5 epsilons
} element;

// Lengths as they are stored, m
KERNEL double storedLength(const plSpan* span)
{
	return PL_REAL_FLOAT ? span->restUnit : 1.0;
}

// Where positions are whole numbers, a unit
KERNEL real slackOf(const plSpan* span, double length)
{
	return SPLAT(PL_REAL_FLOAT ? span->unit / (2.5 * REAL_EPSILON * length) : 0.0);
}

// Ds in stored lengths
KERNEL mat3 loadEdges(const plSpan* span, const double* q, size_t batch, int lane)
{
#if PL_REAL_FLOAT
	(void)q;
	mat3 Ds = gatherFixed(span->corner + pl_tetIndices * batch + lane, span->fixed);
	if (span->unit != span->restUnit)
		Ds = scale33(Ds, SPLAT(span->unit / span->restUnit));
	return Ds;
#else
	return gatherEdges(span, batch, lane, q);
#endif
}

// B per stored length
KERNEL mat3 loadShape(const plSpan* span, size_t batch, int lane)
{
	const scalar* rest = (const scalar*)span->rest + pl_tetRest * batch + lane;
	mat3 B;
	for (int k = 0; k < 9; ++k)
		B.a[k / 3][k % 3] = loadReal(rest + pl_batchSize * k);
	return B;
}

KERNEL real loadVolume(const plSpan* span, size_t batch, int lane)
{
	return loadReal((const scalar*)span->rest + pl_tetRest * batch + pl_batchSize * 9 + lane);
}

// In metres
KERNEL element loadElement(const plSpan* span, const double* q, size_t batch, int lane)
{
	return (element){.Ds = scale33(loadEdges(span, q, batch, lane), SPLAT(storedLength(span))),
	                 .B = scale33(loadShape(span, batch, lane), SPLAT(1.0 / storedLength(span))),
	                 .volume = loadVolume(span, batch, lane),
	                 .length = SPLAT(1),
	                 .slack = slackOf(span, 1.0)};
}

// |Ds| for bounds on noise: tet.h bounds the rounding of F by 2.5 epsilons of it.
KERNEL mat3 noisyEdges(const element* e)
{
	mat3 Ds;
	for (int k = 0; k < 9; ++k)
	{
		Ds.a[k / 3][k % 3] = ABS(e->Ds.a[k / 3][k % 3]);
		if (PL_REAL_FLOAT)
			Ds.a[k / 3][k % 3] += e->slack;
	}
	return Ds;
}

// Derivatives by stretches at an element's F.
typedef struct pose
{
	svd3 f;
	stretchLaw w;
} pose;

KERNEL coefficients loadCoefficients(const plSpan* span)
{
	coefficients c;
	for (int k = 0; k < 4; ++k)
		c.a[k] = SPLAT(span->c[k]);
	c.stretches = span->stretches;
	c.many = span->many;
	c.context = span->context;
	return c;
}

// Out of line: seldom needed by value and stress, and it would push their closed forms out of the registers. For the
// same reason it loads the coefficients itself: handed over, they would be copied for every vector.
static __attribute__((noinline)) pose poseOf(const plSpan* span, mat3 F)
{
	pose p;
	p.f = svd33(F);
	p.w = lawStretch(span->law, loadCoefficients(span), p.f.s);
	return p;
}

KERNEL bool isConverted(const plSpan* span, size_t batch)
{
	bool any = false;
	for (size_t lane = 0; span->blend != NULL && lane < pl_batchSize; ++lane)
		any = any || span->blend[pl_batchSize * batch + lane] > 0.0;
	return any;
}

KERNEL real loadWeights(const plSpan* span, size_t batch, int lane)
{
	real l;
	for (int i = 0; i < PL_LANES; ++i)
		LANE(l, i) = (scalar)span->blend[pl_batchSize * batch + (size_t)(lane + i)];
	return l;
}

// Of the law as it is converted in these elements
KERNEL pose poseAt(const plSpan* span, mat3 F, size_t batch, int lane)
{
	pose p = poseOf(span, F);
	if (isConverted(span, batch))
		p.w = convertLaw(p.w, p.f.s, loadWeights(span, batch, lane), SPLAT(span->convertMu));
	return p;
}

typedef struct noisyValue
{
	real value, noise;
} noisyValue;

// Values: at most four epsilons of relative rounding in each of the added terms and in the product with the volume.
#define TERM_NOISE K(4 * REAL_EPSILON)

// W of a pose
KERNEL noisyValue poseValue(const pose* p, const element* e)
{
	noisyValue v = {p->w.value, TERM_NOISE * p->w.magnitude + stretchNoise(p->f.s, &p->w)};
	v.noise += deformationNoise(stretchStress(p->f, &p->w), noisyEdges(e), e->B);
	return v;
}

KERNEL fibre loadFibre(const plSpan* span, int family)
{
	fibre f;
	for (int i = 0; i < 3; ++i)
		f.d.a[i] = SPLAT(span->fibres[family][i]);
	f.k = SPLAT(span->fibres[family][3]);
	return f;
}

KERNEL bool hasFibres(const plSpan* span)
{
	return span->fibreCount > 0;
}

// Forces on the four corners from those on corners 1, 2, 3.
KERNEL void storeForces(scalar* out, mat3 h)
{
	vec3 h0 = cornerZero(h);
	for (int i = 0; i < 3; ++i)
	{
		storeReal(out + pl_batchSize * i, h0.a[i]);
		for (int a = 0; a < 3; ++a)
			storeReal(out + pl_batchSize * (3 * (a + 1) + i), h.a[a][i]);
	}
}

#if PL_LANES == 4 && defined(__AVX2__) && !PL_REAL_FLOAT
typedef double looseQuad __attribute__((vector_size(32), aligned(8), may_alias));

// Lane l of four numbers one after the other, `stride` from lane to lane: sixteen numbers by four stores
KERNEL void storeFours(double* out, size_t stride, real a, real b, real c, real d)
{
	real ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), ba = __builtin_shufflevector(a, b, 1, 5, 3, 7);
	real cd = __builtin_shufflevector(c, d, 0, 4, 2, 6), dc = __builtin_shufflevector(c, d, 1, 5, 3, 7);
	*(looseQuad*)out = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
	*(looseQuad*)(out + stride) = __builtin_shufflevector(ba, dc, 0, 1, 4, 5);
	*(looseQuad*)(out + 2 * stride) = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
	*(looseQuad*)(out + 3 * stride) = __builtin_shufflevector(ba, dc, 2, 3, 6, 7);
}

KERNEL void storeMatrix(double* out, size_t stride, mat3 A)
{
	storeFours(out, stride, A.a[0][0], A.a[0][1], A.a[0][2], A.a[1][0]);
	storeFours(out + 4, stride, A.a[1][1], A.a[1][2], A.a[2][0], A.a[2][1]);
	for (int l = 0; l < PL_LANES; ++l)
		out[stride * (size_t)l + 8] = LANE(A.a[2][2], l);
}
#else
KERNEL void storeMatrix(double* out, size_t stride, mat3 A)
{
	for (int l = 0; l < PL_LANES; ++l)
		for (int k = 0; k < 9; ++k)
			out[stride * (size_t)l + (size_t)k] = (double)LANE(A.a[k / 3][k % 3], l);
}
#endif

KERNEL void addMatrix(double* out, size_t stride, mat3 A)
{
	for (int l = 0; l < PL_LANES; ++l)
		for (int k = 0; k < 9; ++k)
			out[stride * (size_t)l + (size_t)k] += (double)LANE(A.a[k / 3][k % 3], l);
}

// Shape vectors of the four corners: rows b_a of Dm^-1, minus their sum first; of Dm^-1 V, as V sees them.
typedef struct shapes
{
	vec3 g[4];
} shapes;

KERNEL shapes cornersOf(mat3 B)
{
	shapes r;
	r.g[0] = cornerZero(B);
	for (int a = 0; a < 3; ++a)
		for (int i = 0; i < 3; ++i)
			r.g[a + 1].a[i] = B.a[a][i];
	return r;
}

#endif
