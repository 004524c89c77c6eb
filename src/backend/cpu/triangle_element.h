// triangle_element.h: a triangle of a batch, and what its law says
//
// Included by triangle_lanes.c and triangle_sweep_lanes.c. The arithmetic is in kernel/triangle.h. Laws by stretches
// are those of bodies (material/) at a third stretch of 1: with lambda of plane stress that is the law of the sheet.
#ifndef PL_TRIANGLE_ELEMENT_H
#define PL_TRIANGLE_ELEMENT_H

#include "stages.h"
#include "../../energy/triangle_layout.h"
#include "../../kernel/triangle.h"
#include "../../kernel/viscous.h"
#include "pliant/cloth.h"

typedef struct triangle
{
	mat32 Ds, F;
	mat2 B;
	real area;
	real slack; // that a length may be off by before it is rounded, m, over 2.5 epsilons
} triangle;

KERNEL triangle triangleOf(vec3 d0, vec3 d1, const scalar* rest, real slack)
{
	triangle e; // member by member: a literal would go through memory
	e.Ds = columns32(d0, d1);
	e.slack = slack;
	for (int k = 0; k < 4; ++k)
		e.B.a[k / 2][k % 2] = loadReal(rest + pl_batchSize * k);
	e.area = loadReal(rest + pl_batchSize * 4);
	e.F = mul32(e.Ds, e.B);
	return e;
}

KERNEL triangle loadTriangle(const plSpan* span, const double* q, size_t batch, int lane)
{
	edgeReader edges = readEdges(span, span->corner + pl_triangleIndices * batch + lane, q);
	return triangleOf(readEdge(&edges, 0), readEdge(&edges, 1),
	                  (const scalar*)span->rest + pl_triangleRest * batch + lane, slackOf(span, 1.0));
}

// |Ds| for bounds on noise
KERNEL mat32 sizesOf(const triangle* e)
{
	mat32 Ds;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 2; ++j)
			Ds.a[i][j] = ABS(e->Ds.a[i][j]) + e->slack;
	return Ds;
}

KERNEL bool isGreen(const plSpan* span)
{
	return span->law == pl_membraneStvk || span->law == pl_membraneOrthotropic;
}

KERNEL bool isResisted(const plSpan* span)
{
	return span->resistance > 0.0;
}

KERNEL sheetStiffness greenStiffness(const plSpan* span)
{
	return (sheetStiffness){SPLAT(span->c[0]), SPLAT(span->c[1]), SPLAT(span->c[2]), SPLAT(span->c[3])};
}

// Viscous damping r/2 |E - anchor|^2 is a law by Green strain, too.
KERNEL sheetStiffness viscousStiffness(const plSpan* span)
{
	real r = SPLAT(span->resistance);
	return (sheetStiffness){r, r, SPLAT(0), K(0.5) * r};
}

// Out of line: the choice of the law is nothing beside it.
static __attribute__((noinline)) stretchLaw sheetLaw(const plSpan* span, vec2 s)
{
	const vec3 three = {{s.a[0], s.a[1], SPLAT(1)}};
	coefficients c = loadCoefficients(span);
	switch (span->law)
	{
	case pl_membraneNeoHookean:
		return neoHookeanStretch(c, three);
	case pl_membraneCorotated:
		return corotatedStretch(c, three);
	case pl_membraneArap:
		return arapStretch(c, three);
	default:
		return strainLimitStretch(c, three);
	}
}

// P, and W with what rounding may do to it, of one area
typedef struct sheetState
{
	mat32 P;
	noisyValue v;
} sheetState;

KERNEL sheetState greenState(sheetStiffness c, sym2 E, const triangle* e, bool values)
{
	sym2 S = sheetStress(c, E);
	sheetState r = {.P = sheetPull(e->F, S)};
	if (values)
	{
		real stiffness = (MAX(c.c11, c.c22) + ABS(c.c12) + K(2) * c.c33) * inner32(e->F, e->F);
		r.v.value = sheetValue(E, S);
		r.v.noise = sheetOwnNoise(c, e->F, E, S) + sheetMovedNoise(r.P, sizesOf(e), e->B, stiffness);
	}
	return r;
}

KERNEL sheetState stretchState(const plSpan* span, const triangle* e, bool values)
{
	svd32 f = svdOf32(e->F);
	stretchLaw w = sheetLaw(span, f.s);
	sheetState r = {.P = sheetStretchPull(&f, &w)};
	if (values)
	{
		r.v.value = w.value;
		r.v.noise = TERM_NOISE * w.magnitude + sheetStretchNoise(&f, &w) +
		            sheetMovedNoise(r.P, sizesOf(e), e->B, ABS(w.dd[0]) + ABS(w.dd[1]));
	}
	return r;
}

KERNEL sym2 strainFrom(mat32 F, sym2 anchor)
{
	sym2 D = sheetStrain(F);
	for (int k = 0; k < 3; ++k)
		D.a[k] -= anchor.a[k];
	return D;
}

KERNEL void addState(sheetState* r, const sheetState* s)
{
	for (int k = 0; k < 6; ++k)
		r->P.a[k / 2][k % 2] += s->P.a[k / 2][k % 2];
	r->v.value += s->v.value;
	r->v.noise += s->v.noise;
}

// `green` is a constant of the caller's loop.
KERNEL sheetState stateOf(const plSpan* span, bool green, const triangle* e, sym2 anchor, bool values)
{
	sheetState r =
	    green ? greenState(greenStiffness(span), sheetStrain(e->F), e, values) : stretchState(span, e, values);
	if (isResisted(span))
	{
		sheetState viscous = greenState(viscousStiffness(span), strainFrom(e->F, anchor), e, values);
		addState(&r, &viscous);
	}
	return r;
}

// The second derivative: one matrix, or two where a law by stretches is damped
typedef struct sheetHessians
{
	sheetHessian of[2];
	int count;
} sheetHessians;

// Of a law by Green strain, with its damping, which is one, too
KERNEL sheetHessian greenHessian(const plSpan* span, mat32 F, sym2 anchor, int projected)
{
	sheetStiffness c = greenStiffness(span);
	sym2 S = sheetStress(c, sheetStrain(F));
	if (isResisted(span))
	{
		sheetStiffness viscous = viscousStiffness(span);
		sym2 Sv = sheetStress(viscous, strainFrom(F, anchor));
		for (int k = 0; k < 3; ++k)
			S.a[k] += Sv.a[k];
		c = (sheetStiffness){c.c11 + viscous.c11, c.c22 + viscous.c22, c.c12, c.c33 + viscous.c33};
	}
	return sheetGreen(c, F, projected ? clampSpectrum2(S) : S); // as sheetProject
}

// Into the caller's room: there are three thousand bytes of it, of which most sheets need half.
static __attribute__((noinline)) void takeHessians(const plSpan* span, mat32 F, sym2 anchor, int projected,
                                                   sheetHessians* r)
{
	r->count = 0;
	if (isGreen(span))
	{
		r->of[r->count++] = greenHessian(span, F, anchor, projected);
		return;
	}
	svd32 f = svdOf32(F);
	stretchLaw w = sheetLaw(span, f.s);
	r->of[r->count++] = sheetStretch(&f, &w);
	if (projected)
		r->of[0] = sheetProject(r->of[0], true);
	if (isResisted(span))
	{
		sheetStiffness viscous = viscousStiffness(span);
		r->of[r->count++] = sheetGreen(viscous, F, sheetStress(viscous, strainFrom(F, anchor)));
		if (projected)
			r->of[1] = sheetProject(r->of[1], false);
	}
}

KERNEL mat3 add33(mat3 A, mat3 B)
{
	for (int k = 0; k < 9; ++k)
		A.a[k / 3][k % 3] += B.a[k / 3][k % 3];
	return A;
}

// K of corners with shape vectors a and b
KERNEL mat3 blockOf(const sheetHessians* H, vec2 a, vec2 b, real weight)
{
	mat3 R = sheetBlock(H->of, multv2(H->of[0].V, a), multv2(H->of[0].V, b), weight);
	if (H->count > 1)
		R = add33(R, sheetBlock(H->of + 1, a, b, weight));
	return R;
}

// d2W/dF2 : dF
KERNEL mat32 productOf(const sheetHessians* H, mat32 dF)
{
	mat32 R = sheetProduct(H->of, dF);
	if (H->count > 1)
	{
		mat32 S = sheetProduct(H->of + 1, dF);
		for (int k = 0; k < 6; ++k)
			R.a[k / 2][k % 2] += S.a[k / 2][k % 2];
	}
	return R;
}

#endif
