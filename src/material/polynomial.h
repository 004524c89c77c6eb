// polynomial.h: a quartic in each stretch
//
//   W = mu sum (s_i - 1)^4                                                                             [LBK17], Fig. 2
//
//   psi_i = 4 mu (s_i - 1)^3,   psi_ii = 12 mu (s_i - 1)^2,   psi_ij = 0
//
// It barely resists small strains, and at rest not at all: it has no Young's modulus and no Poisson's ratio. Stretches
// are signed, as in corotated.h. By stretches only. c[0] = mu.
//
// [LBK17] Liu, Bouaziz, Kavan, Quasi-Newton methods for real-time simulation of hyperelastic materials, 2017.
#ifndef PL_POLYNOMIAL_H
#define PL_POLYNOMIAL_H

#include "law.h"

KERNEL stretchLaw polynomialStretch(coefficients c, vec3 s)
{
	real mu = c.a[0];
	stretchLaw w;
	w.value = SPLAT(0);
	for (int i = 0; i < 3; ++i)
	{
		real u = s.a[i] - K(1), x = u * u;
		w.value = FMA(mu * x, x, w.value);
		w.d[i] = K(4) * mu * x * u;
		w.dd[i] = K(12) * mu * x;
		w.dd[3 + i] = SPLAT(0);
	}
	// Stretches are off by delta = 8 epsilon s0 (tet.h). First and second derivatives vanish at rest, so there the
	// fourth order decides: mu delta^4 for each stretch, here over the four epsilons by which a magnitude is taken.
	real size = s.a[0] * s.a[0];
	w.magnitude = FMA(K(3072.0 * REAL_EPSILON * REAL_EPSILON * REAL_EPSILON) * mu * size, size, w.value);
	return w;
}

// ---- for the host --------------------------------------------------------------------------------------------------

#ifdef PL_LAW_ROWS
#include "law_row.h"

// 12 mu (s - 1)^2 at s = 0.5 and 1.5
static double polynomialModulus(const double* c)
{
	return 3.0 * c[0];
}

static double polynomialShear(const double* c)
{
	(void)c;
	return 0.0;
}

static const lawRow polynomialRow = {
    .name = "polynomial",
    .coefficients = {{.name = "mu", .range = pl_rangePositive}},
    .modulus = polynomialModulus,
    .shear = polynomialShear,
};

#endif
#endif
