// stvk.h: St. Venant-Kirchhoff
//
//   W = lambda/8 (I-3)^2 + mu/4 (tr C^2 - 2 I + 3) = lambda/2 e^2 + mu |E|^2,    E = (C - 1)/2,  e = tr E
//   P = F (lambda e 1 + 2 mu E)
//
//   psi_i  = s_i (lambda e + mu (s_i^2 - 1)),   e = (I - 3)/2
//   psi_ii = lambda e + mu (3 s_i^2 - 1) + lambda s_i^2,   psi_ij = lambda s_i s_j
//
// A polynomial whose mirror image has no energy: below stretch 0.1 a wall of height mu stands in the way (law.h). The
// force has its minimum at stretch 0.577.
// c[0] = mu, c[1] = lambda.
#ifndef PL_STVK_H
#define PL_STVK_H

#include "law.h"

// How much the value is moved by a rounding of C: strain times size of C, and what is left when the strain is itself
// rounding. An entry of C is off by 1.5 epsilon I at most, of E by half of that; four epsilons of a third of I cover
// it.
KERNEL real stvkMagnitude(coefficients c, real value, real trace, real strains, real I)
{
	real size = K(1.0 / 3) * I + K(1);
	real slope = FMA(ABS(c.a[1]), trace, c.a[0] * strains);
	real second = K(REAL_EPSILON) * size * (c.a[0] + ABS(c.a[1]));
	return ABS(value) + size * (slope + second);
}

KERNEL stretchLaw stvkStretch(coefficients c, vec3 s)
{
	real mu = c.a[0], lambda = c.a[1];
	real E[3], I = dot3(s, s);
	for (int i = 0; i < 3; ++i)
		E[i] = K(0.5) * (s.a[i] * s.a[i] - K(1));
	real e = E[0] + E[1] + E[2];

	stretchLaw w;
	w.value = K(0.5) * lambda * e * e + mu * (E[0] * E[0] + E[1] * E[1] + E[2] * E[2]);
	w.magnitude = stvkMagnitude(c, w.value, ABS(e), ABS(E[0]) + ABS(E[1]) + ABS(E[2]), I);
	for (int i = 0; i < 3; ++i)
	{
		real k = FMA(lambda, e, K(2) * mu * E[i]), x = s.a[i] * s.a[i];
		w.d[i] = s.a[i] * k;
		w.dd[i] = FMA(K(2) * mu + lambda, x, k);
	}
	for (int p = 0; p < 3; ++p)
		w.dd[3 + p] = lambda * s.a[pairFirst[p]] * s.a[pairSecond[p]];
	return addWalls(w, mu, s);
}

// E = (F'F - 1)/2
KERNEL mat3 greenStrain(mat3 F)
{
	mat3 E;
	for (int i = 0; i < 3; ++i)
		for (int j = i; j < 3; ++j)
		{
			real C = FMA(F.a[0][i], F.a[0][j], FMA(F.a[1][i], F.a[1][j], F.a[2][i] * F.a[2][j]));
			E.a[i][j] = E.a[j][i] = K(0.5) * (i == j ? C - K(1) : C);
		}
	return E;
}

KERNEL density stvkValue(coefficients c, mat3 F, real root)
{
	(void)root;
	mat3 E = greenStrain(F);
	real e = E.a[0][0] + E.a[1][1] + E.a[2][2];
	real strains = SPLAT(0);
	for (int k = 0; k < 9; ++k)
		strains += ABS(E.a[k / 3][k % 3]);

	density w;
	w.value = K(0.5) * c.a[1] * e * e + c.a[0] * square33(E);
	w.magnitude = stvkMagnitude(c, w.value, ABS(e), strains, square33(F));
	return w;
}

KERNEL mat3 stvkStress(coefficients c, mat3 F, real root)
{
	(void)root;
	mat3 S = greenStrain(F);
	real e = S.a[0][0] + S.a[1][1] + S.a[2][2];
	real twice = K(2) * c.a[0];
	for (int i = 0; i < 3; ++i)
		for (int j = i; j < 3; ++j)
			S.a[i][j] = S.a[j][i] = i == j ? FMA(c.a[1], e, twice * S.a[i][i]) : twice * S.a[i][j];
	return mul33(F, S);
}

// W = lambda/8 (I-3)^2 + mu/4 (I^2 - 2 II - 2 I + 3)
KERNEL invariantLaw stvkInvariants(coefficients c, real I, real II, real J)
{
	(void)II;
	(void)J;
	real mu = c.a[0], lambda = c.a[1];
	invariantLaw w;
	w.wI = FMA(K(0.25) * lambda, I - K(3), K(0.5) * mu * (I - K(1)));
	w.wII = K(-0.5) * mu;
	w.wI_I = K(0.25) * lambda + K(0.5) * mu;
	w.wI_J = w.wII_J = w.wJ_J = SPLAT(0);
	return w;
}

enum
{
	stvkHasRoot = 0,
	stvkIsLinear = 1,
	stvkCurves = curvesByII | curvesByI2,
};

KERNEL real stvkRoot(real J)
{
	(void)J;
	return SPLAT(1);
}

// ---- for the host --------------------------------------------------------------------------------------------------

#ifdef PL_LAW_ROWS
#include "law_row.h"

// Its force turns at a stretch of 0.577: elements convert early.
static const lawRow stvkRow = {
    .name = "stvk",
    .coefficients = {{.name = "mu", .range = pl_rangePositive}, {.name = "lambda"}},
    .fromModuli = lameFromModuli,
    .check = lameCheck,
    .modulus = lameModulus,
    .shear = firstCoefficient,
    .convertBelow = 0.5,
};

#endif
#endif
