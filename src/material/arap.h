// arap.h: as rigid as possible
//
//   W = mu |F - R|^2 = mu sum (s_i - 1)^2,    P = 2 mu (F - R)
//
//   psi_i = 2 mu (s_i - 1),   psi_ii = 2 mu,   psi_ij = 0
//
// R is the rotation nearest to F. The stretches are signed, as in corotated.h; this is its case lambda = 0.
// By stretches only. c[0] = mu. Small strains: E = 2 mu, nu = 0.
#ifndef PL_ARAP_H
#define PL_ARAP_H

#include "law.h"

KERNEL stretchLaw arapStretch(coefficients c, vec3 s)
{
	real mu = c.a[0];
	stretchLaw w;
	w.value = SPLAT(0);
	for (int i = 0; i < 3; ++i)
	{
		real u = s.a[i] - K(1);
		w.value = FMA(mu * u, u, w.value);
		w.d[i] = K(2) * mu * u;
		w.dd[i] = K(2) * mu;
		w.dd[3 + i] = SPLAT(0);
	}
	w.magnitude = w.value;
	return w;
}

// ---- for the host --------------------------------------------------------------------------------------------------

#ifdef PL_LAW_ROWS
#include "law_row.h"

static double arapModulus(const double* c)
{
	return 2.0 * c[0];
}

// It has nu = 0 only: young and poisson do not fit.
static const lawRow arapRow = {
    .name = "arap",
    .coefficients = {{.name = "mu", .range = pl_rangePositive}},
    .modulus = arapModulus,
    .shear = firstCoefficient,
    .isProjection = true,
};

#endif
#endif
