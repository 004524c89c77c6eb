// neo_hookean.h: compressible neo-Hookean with logarithms
//
//   W = mu/2 (I - 3) - mu ln J + lambda/2 ln^2 J
//   P = mu F + (lambda ln J - mu)/J cof F
//
// By stretches ln J = sum of L(s_i), L = ln above 0.1 and its C2 extension below, l = sum of L:
//
//   psi_i  = mu s_i + (lambda l - mu) L'_i
//   psi_ii = mu + (lambda l - mu) L''_i + lambda L'_i^2,   psi_ij = lambda L'_i L'_j
//
// Below 0.1 walls of height 4 (lambda + 2 mu) are added (law.h). With the logarithm alone, squeezed neighbours, whose
// pressure grows with lambda, would hold an element inverted.
//
// c[0] = mu, c[1] = lambda.
#ifndef PL_NEO_HOOKEAN_H
#define PL_NEO_HOOKEAN_H

#include "law.h"

KERNEL density neoHookeanDensity(coefficients c, real I, real l, real logs)
{
	real mu = c.a[0], lambda = c.a[1];
	density w;
	w.value = K(0.5) * mu * (I - K(3)) - mu * l + K(0.5) * lambda * l * l;
	w.magnitude = mu * (K(0.5) * I + K(1.5) + logs) + ABS(lambda * l) * logs;
	return w;
}

KERNEL stretchLaw neoHookeanStretch(coefficients c, vec3 s)
{
	real mu = c.a[0], lambda = c.a[1];
	univariate L[3];
	for (int i = 0; i < 3; ++i)
		L[i] = logOfStretch(s.a[i]);
	real l = L[0].v + L[1].v + L[2].v;
	density psi = neoHookeanDensity(c, dot3(s, s), l, ABS(L[0].v) + ABS(L[1].v) + ABS(L[2].v));

	stretchLaw w;
	w.value = psi.value;
	w.magnitude = psi.magnitude;
	real k = FMA(lambda, l, -mu);
	for (int i = 0; i < 3; ++i)
	{
		w.d[i] = FMA(k, L[i].d, mu * s.a[i]);
		w.dd[i] = mu + k * L[i].dd + lambda * L[i].d * L[i].d;
	}
	for (int p = 0; p < 3; ++p)
		w.dd[3 + p] = lambda * L[pairFirst[p]].d * L[pairSecond[p]].d;
	return addWalls(w, K(4) * FMA(SPLAT(2), mu, lambda), s);
}

KERNEL density neoHookeanValue(coefficients c, mat3 F, real l)
{
	real J = closedVolume(F, cofactor33(F)), I = square33(F);
	density w = neoHookeanDensity(c, I, l, ABS(l));
	w.magnitude += ABS(FMA(c.a[1], l, -c.a[0])) / J * determinantSize(I);
	return w;
}

KERNEL mat3 neoHookeanStress(coefficients c, mat3 F, real logarithm)
{
	mat3 P, cofactor = cofactor33(F);
	real J = closedVolume(F, cofactor);
	real k = FMA(c.a[1], logarithm, -c.a[0]) / J;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			P.a[i][j] = FMA(k, cofactor.a[i][j], c.a[0] * F.a[i][j]);
	return P;
}

KERNEL invariantLaw neoHookeanInvariants(coefficients c, real I, real II, real J)
{
	(void)I;
	(void)II;
	real mu = c.a[0], lambda = c.a[1];
	invariantLaw w;
	w.wI = K(0.5) * mu;
	w.wII = w.wI_I = w.wI_J = w.wII_J = SPLAT(0);
	w.wJ_J = (lambda * (K(1) - real_log(J)) + mu) / (J * J);
	return w;
}

enum
{
	neoHookeanHasRoot = 1,
	neoHookeanIsLinear = 1,
	neoHookeanCurves = 0,
};

KERNEL real neoHookeanRoot(real J)
{
	return real_log(J);
}

// ---- for the host --------------------------------------------------------------------------------------------------

#ifdef PL_LAW_ROWS
#include "law_row.h"

static const lawRow neoHookeanRow = {
    .name = "neo-hookean",
    .coefficients = {{.name = "mu", .range = pl_rangePositive}, {.name = "lambda"}},
    .fromModuli = lameFromModuli,
    .check = lameCheck,
    .modulus = lameModulus,
    .shear = firstCoefficient,
};

#endif
#endif
