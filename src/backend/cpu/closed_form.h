// closed_form.h: force, value and curvature of one element by the closed form of its law
//
// How W(I, II, J) curves when a corner with shape vector b moves, F -> F + d b'. With u = F b, S = F F', C = cof F and
// v = I u - S u, as forms in d:
//
//   I' = 2 u.d,   I'' = 2 |b|^2 |d|^2,   J' = (C b).d,   J'' = 0,
//   II' = 2 v.d,   II'' = 2 ((I |d|^2 - d'S d) |b|^2 - |u|^2 |d|^2 + (u.d)^2)
//
// Included by the loops of tet_lanes.c and by sweep_lanes.c.
#ifndef PL_CLOSED_FORM_H
#define PL_CLOSED_FORM_H

#include "element.h"

// ---- first derivatives ---------------------------------------------------------------------------------------------

// V P, or V P / length if that is the volume
KERNEL mat3 closedPull(int law, coefficients c, mat3 F, real root, real volume)
{
	for (int k = 0; k < 4 && lawIsLinear(law); ++k)
		c.a[k] *= volume;
	mat3 P = lawStress(law, c, F, root);
	return lawIsLinear(law) ? P : scale33(P, volume);
}

// V W, from V P / length
KERNEL noisyValue closedValue(int law, coefficients c, const element* e, mat3 F, real root, mat3 pull)
{
	density w = lawValue(law, c, F, root);
	real moved = e->length * deformationNoise(pull, noisyEdges(e), e->B);
	noisyValue v;
	v.value = e->volume * w.value;
	v.noise = FMA(e->volume, TERM_NOISE * w.magnitude, moved);
	return v;
}

// ---- second derivatives --------------------------------------------------------------------------------------------

typedef struct invariants
{
	mat3 F, C, S;
	real I, II, J;
} invariants;

KERNEL invariants invariantsOf(mat3 F)
{
	invariants v;
	v.F = F;
	v.C = cofactor33(F);
	v.S = gram33(F);
	v.I = v.S.a[0][0] + v.S.a[1][1] + v.S.a[2][2];
	v.II = squareRows33(v.C);
	real J = determinant33(F, v.C);
	v.J = SELECT(J > K(0), J, SPLAT(1));
	return v;
}

// A 3x3 block: xx yy zz xy xz yz
typedef struct symmetric
{
	real a[6];
} symmetric;

// d2W/dx2 of the corner; `curves` (law.h) is a constant.
KERNEL symmetric closedBlock(int curves, const invariantLaw* w, const invariants* v, vec3 b)
{
	vec3 u = mulv3(v->F, b), su = mulv3(v->S, u), j = mulv3(v->C, b), I1, mixed;
	real bb = dot3(b, b), uu = dot3(u, u);
	symmetric r;
	for (int i = 0; i < 3; ++i)
	{
		I1.a[i] = K(2) * u.a[i];
		real II1 = K(2) * FMA(v->I, u.a[i], -su.a[i]);
		mixed.a[i] = FMA(w->wI_J, I1.a[i], w->wII_J * II1);
		real II2 = K(2) * (FMA(v->I - v->S.a[i][i], bb, u.a[i] * u.a[i]) - uu);
		r.a[i] = K(2) * w->wI * bb;
		if (curves & curvesByII)
			r.a[i] = FMA(K(2) * w->wI, bb, w->wII * II2);
		if (curves & curvesByI2)
			r.a[i] = FMA(w->wI_I * I1.a[i], I1.a[i], r.a[i]);
		real byJ = curves & curvesMixed ? FMA(w->wJ_J, j.a[i], K(2) * mixed.a[i]) : w->wJ_J * j.a[i];
		r.a[i] = FMA(j.a[i], byJ, r.a[i]);
	}
	for (int p = 0; p < 3; ++p)
	{
		int i = pairFirst[p], k = pairSecond[p];
		real II2 = K(2) * FMA(-v->S.a[i][k], bb, u.a[i] * u.a[k]);
		real byII = curves & curvesByII ? w->wII * II2 : SPLAT(0);
		if (curves & curvesByI2)
			byII = FMA(w->wI_I * I1.a[i], I1.a[k], byII);
		if (curves & curvesMixed)
			byII = FMA(mixed.a[i], j.a[k], byII);
		real byJ = curves & curvesMixed ? FMA(w->wJ_J, j.a[k], mixed.a[k]) : w->wJ_J * j.a[k];
		r.a[3 + p] = FMA(j.a[i], byJ, byII);
	}
	return r;
}

// Its diagonal
KERNEL vec3 closedDiagonal(int curves, const invariantLaw* w, const invariants* v, vec3 b)
{
	symmetric block = closedBlock(curves, w, v, b);
	return (vec3){{block.a[0], block.a[1], block.a[2]}};
}

#endif
