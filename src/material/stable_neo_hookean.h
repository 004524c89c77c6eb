// stable_neo_hookean.h: neo-Hookean without a pole
//
//   W = mu/2 (I - 3) - mu (J - 1) + L/2 (J - 1)^2,    L = lambda + mu                     [SGK18], without its log term
//   P = mu F + (L (J - 1) - mu) cof F
//
//   psi_i  = mu s_i + k J_i,   k = L (J - 1) - mu
//   psi_ij = mu delta_ij + L J_i J_j + k J_ij
//
// Up to a constant this is [SGK18]'s mu/2 (I - 3) + L/2 (J - alpha)^2, alpha = 1 + mu/L, the form whose rest shape is
// stress-free. At rest psi_ii = mu + L and psi_ij = L - mu, which are lambda + 2 mu and lambda for L = lambda + mu: the
// small strains are those of Lame's mu and lambda.
//
// Polynomial in F. Without the paper's term -mu/2 ln(I + 1) an element crushed in all directions at once gives way:
// F = 0 is a minimum of I. Walls of height mu below 0.1 (law.h) keep it right side out.
// c[0] = mu, c[1] = lambda.
//
// [SGK18] Smith, de Goes, Kim, Stable neo-Hookean flesh simulation, 2018.
#ifndef PL_STABLE_NEO_HOOKEAN_H
#define PL_STABLE_NEO_HOOKEAN_H

#include "law.h"

KERNEL density stableNeoHookeanDensity(coefficients c, real I, real J)
{
	real mu = c.a[0], L = c.a[0] + c.a[1], g = J - K(1);
	density w;
	w.value = K(0.5) * mu * (I - K(3)) + g * (K(0.5) * L * g - mu);
	w.magnitude = mu * (K(0.5) * I + K(2.5) + ABS(J)) + K(0.5) * L * ABS(g) * (K(2) * ABS(J) + K(1));
	return w;
}

KERNEL stretchLaw stableNeoHookeanStretch(coefficients c, vec3 s)
{
	real mu = c.a[0], L = c.a[0] + c.a[1], J = s.a[0] * s.a[1] * s.a[2], J1[3];
	density psi = stableNeoHookeanDensity(c, dot3(s, s), J);
	real k = FMA(L, J - K(1), -mu);
	stretchLaw w;
	w.value = psi.value;
	w.magnitude = psi.magnitude;
	for (int i = 0; i < 3; ++i)
	{
		J1[i] = s.a[(i + 1) % 3] * s.a[(i + 2) % 3];
		w.d[i] = FMA(k, J1[i], mu * s.a[i]);
		w.dd[i] = FMA(L * J1[i], J1[i], mu);
	}
	for (int p = 0; p < 3; ++p)
	{
		int i = pairFirst[p], j = pairSecond[p];
		w.dd[3 + p] = FMA(L * J1[i], J1[j], k * s.a[3 - i - j]);
	}
	return addWalls(w, mu, s);
}

KERNEL density stableNeoHookeanValue(coefficients c, mat3 F, real root)
{
	(void)root;
	real J = determinant33(F, cofactor33(F)), I = square33(F);
	density w = stableNeoHookeanDensity(c, I, J);
	w.magnitude += ABS(FMA(c.a[0] + c.a[1], J - K(1), -c.a[0])) * determinantSize(I);
	return w;
}

KERNEL mat3 stableNeoHookeanStress(coefficients c, mat3 F, real root)
{
	(void)root;
	mat3 P, cofactor = cofactor33(F);
	real k = FMA(c.a[0] + c.a[1], determinant33(F, cofactor) - K(1), -c.a[0]);
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			P.a[i][j] = FMA(k, cofactor.a[i][j], c.a[0] * F.a[i][j]);
	return P;
}

KERNEL invariantLaw stableNeoHookeanInvariants(coefficients c, real I, real II, real J)
{
	(void)I;
	(void)II;
	(void)J;
	invariantLaw w;
	w.wI = K(0.5) * c.a[0];
	w.wII = w.wI_I = w.wI_J = w.wII_J = SPLAT(0);
	w.wJ_J = c.a[0] + c.a[1];
	return w;
}

enum
{
	stableNeoHookeanHasRoot = 0,
	stableNeoHookeanIsLinear = 1,
	stableNeoHookeanCurves = 0,
};

KERNEL real stableNeoHookeanRoot(real J)
{
	(void)J;
	return SPLAT(1);
}

// ---- for the host --------------------------------------------------------------------------------------------------

#ifdef PL_LAW_ROWS
#include "law_row.h"

static const lawRow stableNeoHookeanRow = {
    .name = "stable-neo-hookean",
    .coefficients = {{.name = "mu", .range = pl_rangePositive}, {.name = "lambda"}},
    .fromModuli = lameFromModuli,
    .check = lameCheck,
    .modulus = lameModulus,
    .shear = firstCoefficient,
};

#endif
#endif
