// mooney_rivlin.h: isochoric Mooney-Rivlin with a quadratic volume term
//
//   W = s0 (q I - 3) + s2 (q^2 II - 3) + s1 (J - 1)^2,    q = J^(-2/3)                         [WY16], with (J - 1)^2
//   P = 2 s0 q F + 2 s2 q^2 (I F - F C) + (2 s1 (J - 1) - 2/3 s0 q I/J - 4/3 s2 q^2 II/J) cof F
//
// By stretches q = Q(s_0) Q(s_1) Q(s_2), Q = x^(-2/3) above 0.1 and its C2 extension below. With q_i, q_ij the
// derivatives of q and those of I, II, J in the stretches:
//
//   psi_i  = s0 (q_i I + q I_i) + s2 (2 q q_i II + q^2 II_i) + 2 s1 (J - 1) J_i
//   psi_ij = s0 (q_ij I + q_i I_j + q_j I_i + q I_ij)
//          + s2 (2 (q_i q_j + q q_ij) II + 2 q (q_i II_j + q_j II_i) + q^2 II_ij) + 2 s1 (J_i J_j + (J - 1) J_ij)
//
// Below 0.1 walls of height 8 (s0 + s2) are added (law.h). At equal stretches c (1 - t) the extension of q I begins as
// 3 (1 - 85/27 t^3) and that of q^2 II as 3 (1 - 170/27 t^3): they fall towards a point, the walls outweigh that.
//
// c[0] = s0, c[1] = s1, c[2] = s2. Small strains: mu = 2 (s0 + s2), K = 2 s1.
//
// [WY16] Wang and Yang, Descent methods for elastic body simulation on the GPU, 2016. Its printed volume term is
// s1 (1/J - 1), which is not stress-free at rest.
#ifndef PL_MOONEY_RIVLIN_H
#define PL_MOONEY_RIVLIN_H

#include "law.h"

KERNEL density mooneyRivlinDensity(coefficients c, real I, real II, real q, real J)
{
	real a = q * I, b = q * q * II, g = J - K(1);
	density w;
	w.value = c.a[0] * (a - K(3)) + c.a[2] * (b - K(3)) + c.a[1] * g * g;
	w.magnitude = c.a[0] * (a + K(3)) + c.a[2] * (b + K(3)) + c.a[1] * ABS(g) * (K(2) * ABS(J) + K(1));
	return w;
}

KERNEL stretchLaw mooneyRivlinStretch(coefficients c, vec3 s)
{
	real s0 = c.a[0], s1 = c.a[1], s2 = c.a[2];
	univariate Q[3];
	real x[3], q1[3], q2[6], II1[3], J1[3]; // x = s^2, derivatives of q, II, J
	for (int i = 0; i < 3; ++i)
	{
		Q[i] = powerOfStretch(s.a[i]);
		x[i] = s.a[i] * s.a[i];
	}
	real I = x[0] + x[1] + x[2], II = x[0] * x[1] + x[0] * x[2] + x[1] * x[2];
	real q = Q[0].v * Q[1].v * Q[2].v, J = s.a[0] * s.a[1] * s.a[2], g = J - K(1);
	for (int i = 0; i < 3; ++i)
	{
		int j = (i + 1) % 3, k = (i + 2) % 3;
		q1[i] = Q[i].d * Q[j].v * Q[k].v;
		q2[i] = Q[i].dd * Q[j].v * Q[k].v;
		II1[i] = K(2) * s.a[i] * (x[j] + x[k]);
		J1[i] = s.a[j] * s.a[k];
	}

	density psi = mooneyRivlinDensity(c, I, II, q, J);
	stretchLaw w;
	w.value = psi.value;
	w.magnitude = psi.magnitude;
	for (int i = 0; i < 3; ++i)
	{
		int j = (i + 1) % 3, k = (i + 2) % 3;
		w.d[i] = s0 * (q1[i] * I + K(2) * q * s.a[i]) + s2 * (K(2) * q * q1[i] * II + q * q * II1[i]) +
		         K(2) * s1 * g * J1[i];
		w.dd[i] =
		    s0 * (q2[i] * I + K(4) * q1[i] * s.a[i] + K(2) * q) +
		    s2 * (K(2) * (q1[i] * q1[i] + q * q2[i]) * II + K(4) * q * q1[i] * II1[i] + K(2) * q * q * (x[j] + x[k])) +
		    K(2) * s1 * J1[i] * J1[i];
	}
	for (int p = 0; p < 3; ++p)
	{
		int i = pairFirst[p], j = pairSecond[p], k = 3 - i - j;
		q2[3 + p] = Q[i].d * Q[j].d * Q[k].v;
		w.dd[3 + p] = s0 * (q2[3 + p] * I + K(2) * (q1[i] * s.a[j] + q1[j] * s.a[i])) +
		              s2 * (K(2) * (q1[i] * q1[j] + q * q2[3 + p]) * II + K(2) * q * (q1[i] * II1[j] + q1[j] * II1[i]) +
		                    K(4) * q * q * s.a[i] * s.a[j]) +
		              K(2) * s1 * FMA(J1[i], J1[j], g * s.a[k]);
	}
	return addWalls(w, K(8) * (s0 + s2), s);
}

KERNEL density mooneyRivlinValue(coefficients c, mat3 F, real k)
{
	mat3 cofactor = cofactor33(F);
	real J = closedVolume(F, cofactor), q = k * k, I = square33(F), II = squareRows33(cofactor);
	density w = mooneyRivlinDensity(c, I, II, q, J);
	real slope = K(2) * c.a[1] * ABS(J - K(1)) + k * q * (c.a[0] * q * I + K(2) * c.a[2] * q * q * II);
	w.magnitude += slope * determinantSize(I);
	return w;
}

// P = S F + j cof F with the symmetric S = (2 s0 q + 2 s2 q^2 I) 1 - 2 s2 q^2 F F'
KERNEL mat3 mooneyRivlinStress(coefficients c, mat3 F, real k)
{
	mat3 cofactor = cofactor33(F);
	real J = closedVolume(F, cofactor), q = k * k;
	mat3 S = gram33(F);
	real I = S.a[0][0] + S.a[1][1] + S.a[2][2], II = squareRows33(cofactor);
	real a = K(2) * c.a[0] * q, b = K(2) * c.a[2] * q * q;
	real j = FMA(K(2) * c.a[1], J - K(1), K(-1.0 / 3) * (k * q) * FMA(a, I, K(2) * b * II));
	real f = FMA(b, I, a);
	mat3 P;
	for (int r = 0; r < 3; ++r)
		for (int s = r; s < 3; ++s)
			S.a[r][s] = S.a[s][r] = r == s ? FMA(-b, S.a[r][s], f) : -b * S.a[r][s];
	for (int r = 0; r < 3; ++r)
		for (int s = 0; s < 3; ++s)
			P.a[r][s] =
			    FMA(S.a[r][0], F.a[0][s], FMA(S.a[r][1], F.a[1][s], FMA(S.a[r][2], F.a[2][s], j * cofactor.a[r][s])));
	return P;
}

KERNEL invariantLaw mooneyRivlinInvariants(coefficients c, real I, real II, real J)
{
	real k = rcbrtNormal(J), q = k * k, r = k * q; // r = 1/J
	real a = c.a[0] * q, b = c.a[2] * q * q;
	invariantLaw w;
	w.wI = a;
	w.wII = b;
	w.wI_I = SPLAT(0);
	w.wI_J = K(-2.0 / 3) * a * r;
	w.wII_J = K(-4.0 / 3) * b * r;
	w.wJ_J = FMA(r * r, FMA(K(10.0 / 9) * a, I, K(28.0 / 9) * b * II), K(2) * c.a[1]);
	return w;
}

enum
{
	mooneyRivlinHasRoot = 1,
	mooneyRivlinIsLinear = 1,
	mooneyRivlinCurves = curvesByII | curvesMixed,
};

KERNEL real mooneyRivlinRoot(real J)
{
	return rcbrtNormal(J);
}

// ---- for the host --------------------------------------------------------------------------------------------------

#ifdef PL_LAW_ROWS
#include "law_row.h"

static void mooneyRivlinFromModuli(double* c, double mu, double lambda)
{
	c[0] = c[2] = 0.25 * mu;
	c[1] = 0.5 * (lambda + 2.0 / 3.0 * mu);
}

static plResult mooneyRivlinCheck(const double* c, const char* name, plError* error)
{
	REQUIRE_C(0, c[0] + c[2] > 0.0, "s0 and s2 of %s are both 0, one of them must be positive", name);
	return pl_success;
}

static double mooneyRivlinShear(const double* c)
{
	return 2.0 * (c[0] + c[2]);
}

static double mooneyRivlinModulus(const double* c)
{
	return 2.0 * c[1] + 8.0 / 3.0 * (c[0] + c[2]);
}

static const lawRow mooneyRivlinRow = {
    .name = "mooney-rivlin",
    .coefficients = {{.name = "s0", .range = pl_rangeNotNegative},
                     {.name = "s1", .range = pl_rangePositive},
                     {.name = "s2", .range = pl_rangeNotNegative}},
    .fromModuli = mooneyRivlinFromModuli,
    .check = mooneyRivlinCheck,
    .modulus = mooneyRivlinModulus,
    .shear = mooneyRivlinShear,
};

#endif
#endif
