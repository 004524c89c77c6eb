// strain_limit.h: as rigid as possible, and stiffer where a stretch leaves its limits
//
//   W = mu sum (s_i - 1)^2 + w/2 sum o_i^2,    o = s - clamp(s, low, high)
//
//   psi_i = 2 mu (s_i - 1) + w o_i,   psi_ii = 2 mu, or 2 mu + w outside of the limits,   psi_ij = 0
//
// The second term is w/2 |F - T|^2, where T is the matrix nearest to F with stretches within the limits: strain
// limiting of projective dynamics [BML14]. Stretches are signed, as in corotated.h. The stress is continuous and has a
// kink at the limits. By stretches only. c[0] = mu, c[1] = w, c[2] = low, c[3] = high, 0 <= low <= 1 <= high. Small
// strains are as for arap.
//
// [BML14] Bouaziz, Martin, Liu, Kavan, Pauly, Projective dynamics: fusing constraint projections for fast simulation,
// 2014.
#ifndef PL_STRAIN_LIMIT_H
#define PL_STRAIN_LIMIT_H

#include "law.h"

KERNEL stretchLaw strainLimitStretch(coefficients c, vec3 s)
{
	real mu = c.a[0], stiffness = c.a[1], low = c.a[2], high = c.a[3];
	// Stretches are off by delta (tet.h): inside, but next to a limit, w/2 delta^2 may be missing. Here over the four
	// epsilons by which a magnitude is taken.
	real delta = K(8 * REAL_EPSILON) * s.a[0], missing = K(8 * REAL_EPSILON) * stiffness * s.a[0] * s.a[0];
	stretchLaw w;
	w.value = w.magnitude = SPLAT(0);
	for (int i = 0; i < 3; ++i)
	{
		real u = s.a[i] - K(1), over = MAX(s.a[i] - high, SPLAT(0)), under = MAX(low - s.a[i], SPLAT(0));
		real o = over - under;
		mask outside = MASK_OR(s.a[i] >= high, s.a[i] <= low);
		mask close = MASK_OR(s.a[i] >= high - delta, s.a[i] <= low + delta);
		w.value = FMA(mu * u, u, FMA(K(0.5) * stiffness * o, o, w.value));
		w.magnitude += SELECT(close, missing, SPLAT(0));
		w.d[i] = FMA(stiffness, o, K(2) * mu * u);
		w.dd[i] = K(2) * mu + SELECT(outside, stiffness, SPLAT(0));
		w.dd[3 + i] = SPLAT(0);
	}
	w.magnitude += w.value;
	return w;
}

// ---- for the host --------------------------------------------------------------------------------------------------

#ifdef PL_LAW_ROWS
#include "law_row.h"

static double strainLimitModulus(const double* c)
{
	return 2.0 * c[0] + c[1];
}

// It has nu = 0 only: young and poisson do not fit. In the Laplacian it is as stiff as its modulus, the largest slope
// of all: then no energy grows faster than its quadratic model, and full steps descend [BML14].
static const lawRow strainLimitRow = {
    .name = "strain-limit",
    .coefficients = {{.name = "mu", .range = pl_rangePositive},
                     {.name = "stiffness", .range = pl_rangeNotNegative},
                     {.name = "low", .range = pl_rangeUpToOne, .usual = 0.9},
                     {.name = "high", .range = pl_rangeFromOne, .usual = 1.1}},
    .modulus = strainLimitModulus,
    .shear = firstCoefficient,
    .laplacian = strainLimitModulus,
    .isProjection = true,
};

#endif
#endif
