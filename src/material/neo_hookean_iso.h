// neo_hookean_iso.h: neo-Hookean with separate terms for change of shape and change of volume
//
//   W = s0 (a - 3) + s1 (J - 1)^2,    a = q I,  q = J^(-2/3)                                    [WY16], with (J - 1)^2
//   P = 2 s0 q F + (2 s1 (J - 1) - 2/3 s0 a/J) cof F
//
// By stretches q = Q(s_0) Q(s_1) Q(s_2), Q = x^(-2/3) above 0.1 and its C2 extension below. With q_i, q_ij the
// derivatives of q:
//
//   a_i  = q_i I + 2 q s_i
//   a_ii = q_ii I + 4 q_i s_i + 2 q,   a_ij = q_ij I + 2 (q_i s_j + q_j s_i)
//   psi_i  = s0 a_i + 2 s1 (J - 1) J_i
//   psi_ij = s0 a_ij + 2 s1 (J_i J_j + (J - 1) J_ij)
//
// Below 0.1 walls of height 8 s0 are added, as for mooney_rivlin.h.
//
// c[0] = s0, c[1] = s1. Small strains: mu = 2 s0, K = 2 s1.
#ifndef PL_NEO_HOOKEAN_ISO_H
#define PL_NEO_HOOKEAN_ISO_H

#include "law.h"

// a = q I and J with their derivatives in the stretches
typedef struct isochoric
{
	real a, a1[3], a2[6];
	real J, J1[3];
} isochoric;

KERNEL isochoric isochoricOf(vec3 s)
{
	univariate Q[3];
	for (int i = 0; i < 3; ++i)
		Q[i] = powerOfStretch(s.a[i]);
	real I = dot3(s, s), q = Q[0].v * Q[1].v * Q[2].v, q1[3];
	isochoric m;
	m.a = q * I;
	m.J = s.a[0] * s.a[1] * s.a[2];
	for (int i = 0; i < 3; ++i)
	{
		int j = (i + 1) % 3, k = (i + 2) % 3;
		real others = Q[j].v * Q[k].v;
		q1[i] = Q[i].d * others;
		m.a1[i] = FMA(q1[i], I, K(2) * q * s.a[i]);
		m.a2[i] = Q[i].dd * others * I + K(4) * q1[i] * s.a[i] + K(2) * q;
		m.J1[i] = s.a[j] * s.a[k];
	}
	for (int p = 0; p < 3; ++p)
	{
		int i = pairFirst[p], j = pairSecond[p], k = 3 - i - j;
		m.a2[3 + p] = Q[i].d * Q[j].d * Q[k].v * I + K(2) * (q1[i] * s.a[j] + q1[j] * s.a[i]);
	}
	return m;
}

// Adds s1 (J - 1)^2.
KERNEL stretchLaw addVolume(stretchLaw w, real s1, const isochoric* m, vec3 s)
{
	real g = m->J - K(1);
	w.value = FMA(s1 * g, g, w.value);
	w.magnitude = FMA(s1 * ABS(g), K(2) * ABS(m->J) + K(1), w.magnitude);
	for (int i = 0; i < 3; ++i)
	{
		w.d[i] = FMA(K(2) * s1 * g, m->J1[i], w.d[i]);
		w.dd[i] = FMA(K(2) * s1 * m->J1[i], m->J1[i], w.dd[i]);
	}
	for (int p = 0; p < 3; ++p)
	{
		int i = pairFirst[p], j = pairSecond[p], k = 3 - i - j;
		w.dd[3 + p] = FMA(K(2) * s1, FMA(m->J1[i], m->J1[j], g * s.a[k]), w.dd[3 + p]);
	}
	return w;
}

KERNEL stretchLaw neoHookeanIsoStretch(coefficients c, vec3 s)
{
	isochoric m = isochoricOf(s);
	stretchLaw w;
	w.value = c.a[0] * (m.a - K(3));
	w.magnitude = c.a[0] * (m.a + K(3));
	for (int i = 0; i < 3; ++i)
		w.d[i] = c.a[0] * m.a1[i];
	for (int i = 0; i < 6; ++i)
		w.dd[i] = c.a[0] * m.a2[i];
	return addWalls(addVolume(w, c.a[1], &m, s), K(8) * c.a[0], s);
}

// What the closed forms need: J^(-2/3), a and 1/J
typedef struct isochoricClosed
{
	real I, J, q, a, reciprocal;
	mat3 cofactor;
} isochoricClosed;

// k = J^(-1/3)
KERNEL isochoricClosed isochoricFrom(mat3 F, real k)
{
	isochoricClosed m;
	m.cofactor = cofactor33(F);
	m.J = closedVolume(F, m.cofactor);
	m.I = square33(F);
	m.q = k * k;
	m.a = m.q * m.I;
	m.reciprocal = k * m.q;
	return m;
}

// slope (2 q F - 2/3 a/J cof F) + 2 s1 (J - 1) cof F
KERNEL mat3 isochoricStress(const isochoricClosed* m, real slope, real s1, mat3 F)
{
	real f = K(2) * slope * m->q;
	real j = FMA(K(2) * s1, m->J - K(1), K(-2.0 / 3) * slope * m->a * m->reciprocal);
	mat3 P;
	for (int r = 0; r < 3; ++r)
		for (int s = 0; s < 3; ++s)
			P.a[r][s] = FMA(f, F.a[r][s], j * m->cofactor.a[r][s]);
	return P;
}

// Adds s1 (J - 1)^2, and to the magnitude what a rounding of J moves, `slope` = dW/da.
KERNEL density addClosedVolume(density w, const isochoricClosed* m, real slope, real s1)
{
	real g = m->J - K(1);
	w.value = FMA(s1 * g, g, w.value);
	w.magnitude += s1 * ABS(g) * (K(2) * m->J + K(1));
	w.magnitude += (K(2) * s1 * ABS(g) + slope * m->a * m->reciprocal) * determinantSize(m->I);
	return w;
}

KERNEL density neoHookeanIsoValue(coefficients c, mat3 F, real k)
{
	isochoricClosed m = isochoricFrom(F, k);
	density w = {c.a[0] * (m.a - K(3)), c.a[0] * (m.a + K(3))};
	return addClosedVolume(w, &m, c.a[0], c.a[1]);
}

KERNEL mat3 neoHookeanIsoStress(coefficients c, mat3 F, real k)
{
	isochoricClosed m = isochoricFrom(F, k);
	return isochoricStress(&m, c.a[0], c.a[1], F);
}

// f(a) + s1 (J - 1)^2 with a = J^(-2/3) I, f' = slope, f'' = bend
KERNEL invariantLaw isochoricInvariants(real slope, real bend, real s1, real I, real J)
{
	real k = rcbrtNormal(J), q = k * k, r = k * q; // r = 1/J
	real aJ = K(-2.0 / 3) * q * I * r;             // a_I = q, a_IJ = -2/3 q/J, a_JJ = 10/9 a/J^2
	invariantLaw w;
	w.wI = slope * q;
	w.wII = w.wII_J = SPLAT(0);
	w.wI_I = bend * q * q;
	w.wI_J = q * FMA(bend, aJ, K(-2.0 / 3) * slope * r);
	w.wJ_J = FMA(bend * aJ, aJ, FMA(slope, K(-5.0 / 3) * aJ * r, K(2) * s1));
	return w;
}

KERNEL invariantLaw neoHookeanIsoInvariants(coefficients c, real I, real II, real J)
{
	(void)II;
	return isochoricInvariants(c.a[0], SPLAT(0), c.a[1], I, J);
}

enum
{
	neoHookeanIsoHasRoot = 1,
	neoHookeanIsoIsLinear = 1,
	neoHookeanIsoCurves = curvesByI2 | curvesMixed,
};

KERNEL real neoHookeanIsoRoot(real J)
{
	return rcbrtNormal(J);
}

// ---- for the host --------------------------------------------------------------------------------------------------

#ifdef PL_LAW_ROWS
#include "law_row.h"

static void neoHookeanIsoFromModuli(double* c, double mu, double lambda)
{
	c[0] = 0.5 * mu;
	c[1] = 0.5 * (lambda + 2.0 / 3.0 * mu);
}

static double neoHookeanIsoShear(const double* c)
{
	return 2.0 * c[0];
}

static double neoHookeanIsoModulus(const double* c)
{
	return 2.0 * c[1] + 8.0 / 3.0 * c[0];
}

static const lawRow neoHookeanIsoRow = {
    .name = "neo-hookean-iso",
    .coefficients = {{.name = "s0", .range = pl_rangePositive}, {.name = "s1", .range = pl_rangePositive}},
    .fromModuli = neoHookeanIsoFromModuli,
    .modulus = neoHookeanIsoModulus,
    .shear = neoHookeanIsoShear,
};

#endif
#endif
