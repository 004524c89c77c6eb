// corotated.h: corotated linear elasticity
//
//   W = mu |F - R|^2 + lambda/2 tr^2(R'F - 1) = mu sum (s_i - 1)^2 + lambda/2 e^2,    e = s_0 + s_1 + s_2 - 3
//
//   psi_i  = 2 mu (s_i - 1) + lambda e
//   psi_ii = 2 mu + lambda,   psi_ij = lambda
//
// R is the rotation nearest to F, so the stretches are signed and the law holds for inverted elements, too. Where two
// stretches add up to zero, R is not unique and the force jumps. By stretches only. c[0] = mu, c[1] = lambda.
#ifndef PL_COROTATED_H
#define PL_COROTATED_H

#include "law.h"

KERNEL stretchLaw corotatedStretch(coefficients c, vec3 s)
{
	real mu = c.a[0], lambda = c.a[1];
	real u[3];
	for (int i = 0; i < 3; ++i)
		u[i] = s.a[i] - K(1);
	real e = u[0] + u[1] + u[2], size = ABS(u[0]) + ABS(u[1]) + ABS(u[2]);

	stretchLaw w;
	w.value = mu * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) + K(0.5) * lambda * e * e;
	w.magnitude = mu * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) + ABS(lambda * e) * size;
	for (int i = 0; i < 3; ++i)
	{
		w.d[i] = FMA(lambda, e, K(2) * mu * u[i]);
		w.dd[i] = K(2) * mu + lambda;
		w.dd[3 + i] = lambda;
	}
	return w;
}

// ---- for the host --------------------------------------------------------------------------------------------------

#ifdef PL_LAW_ROWS
#include "law_row.h"

static const lawRow corotatedRow = {
    .name = "corotated",
    .coefficients = {{.name = "mu", .range = pl_rangePositive}, {.name = "lambda"}},
    .fromModuli = lameFromModuli,
    .check = lameCheck,
    .modulus = lameModulus,
    .shear = firstCoefficient,
};

#endif
#endif
