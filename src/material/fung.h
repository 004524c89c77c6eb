// fung.h: soft tissue that stiffens exponentially
//
//   W = f(a) + s1 (J - 1)^2,    f = s0 (a - 3) + s2 (e(s3 (a - 3)) - 1),    a = J^(-2/3) I      [WY16], with (J - 1)^2
//   P = f' (2 q F - 2/3 a/J cof F) + 2 s1 (J - 1) cof F,    q = J^(-2/3)
//
//   psi_i  = f' a_i + 2 s1 (J - 1) J_i
//   psi_ij = f' a_ij + f'' a_i a_j + 2 s1 (J_i J_j + (J - 1) J_ij)
//
// e = exp up to an argument of 20, where it is 5e8; above that its quadratic Taylor polynomial there. So nothing
// overflows, and a method that starts from a crushed element meets a parabola instead of a cliff. With s3 = 2 the
// printed law holds up to a = 13: a bar drawn to 3.5 times its length, or squeezed flat to 0.1.
// a, its derivatives and those of J are in neo_hookean_iso.h. Below 0.1 walls of height 8 f'(3) are added.
//
// c[0] = s0, c[1] = s1, c[2] = s2, c[3] = s3. Small strains: mu = 2 (s0 + s2 s3), K = 2 s1.
#ifndef PL_FUNG_H
#define PL_FUNG_H

#include "neo_hookean_iso.h"

#define FUNG_LIMIT K(20)

// exp, above FUNG_LIMIT its Taylor polynomial of second degree
KERNEL univariate boundedExp(real x)
{
	real y = MIN(x, SPLAT(FUNG_LIMIT)), t = x - y, e = real_exp(y);
	univariate u;
	u.v = e * FMA(t, FMA(SPLAT(0.5), t, SPLAT(1)), SPLAT(1));
	u.d = e * (K(1) + t);
	u.dd = e;
	return u;
}

// f with its derivatives in a
KERNEL univariate fungOf(coefficients c, real a, real* magnitude)
{
	real s0 = c.a[0], s2 = c.a[2], s3 = c.a[3];
	univariate e = boundedExp(s3 * (a - K(3))), f;
	f.v = FMA(s2, e.v - K(1), s0 * (a - K(3)));
	f.d = FMA(s2 * s3, e.d, s0);
	f.dd = s2 * s3 * s3 * e.dd;
	*magnitude = f.d * (a + K(3)) + s2 * (e.v + K(1));
	return f;
}

KERNEL stretchLaw fungStretch(coefficients c, vec3 s)
{
	isochoric m = isochoricOf(s);
	stretchLaw w;
	univariate f = fungOf(c, m.a, &w.magnitude);
	w.value = f.v;
	for (int i = 0; i < 3; ++i)
	{
		w.d[i] = f.d * m.a1[i];
		w.dd[i] = FMA(f.dd * m.a1[i], m.a1[i], f.d * m.a2[i]);
	}
	for (int p = 0; p < 3; ++p)
		w.dd[3 + p] = FMA(f.dd * m.a1[pairFirst[p]], m.a1[pairSecond[p]], f.d * m.a2[3 + p]);
	return addWalls(addVolume(w, c.a[1], &m, s), K(8) * FMA(c.a[2], c.a[3], c.a[0]), s);
}

KERNEL density fungValue(coefficients c, mat3 F, real k)
{
	isochoricClosed m = isochoricFrom(F, k);
	density w;
	univariate f = fungOf(c, m.a, &w.magnitude);
	w.value = f.v;
	return addClosedVolume(w, &m, f.d, c.a[1]);
}

KERNEL mat3 fungStress(coefficients c, mat3 F, real k)
{
	isochoricClosed m = isochoricFrom(F, k);
	real magnitude;
	return isochoricStress(&m, fungOf(c, m.a, &magnitude).d, c.a[1], F);
}

KERNEL invariantLaw fungInvariants(coefficients c, real I, real II, real J)
{
	(void)II;
	real k = rcbrtNormal(J), magnitude;
	univariate f = fungOf(c, k * k * I, &magnitude);
	return isochoricInvariants(f.d, f.dd, c.a[1], I, J);
}

enum
{
	fungHasRoot = 1,
	fungIsLinear = 0,
	fungCurves = curvesByI2 | curvesMixed,
};

KERNEL real fungRoot(real J)
{
	return rcbrtNormal(J);
}

// ---- for the host --------------------------------------------------------------------------------------------------

#ifdef PL_LAW_ROWS
#include "law_row.h"

static void fungFromModuli(double* c, double mu, double lambda)
{
	c[0] = 0.25 * mu;
	c[1] = 0.5 * (lambda + 2.0 / 3.0 * mu);
	c[2] = 0.125 * mu;
	c[3] = 2.0;
}

static plResult fungCheck(const double* c, const char* name, plError* error)
{
	REQUIRE_C(0, c[0] + c[2] * c[3] > 0.0, "s0 and s2 s3 of %s are both 0, one of them must be positive", name);
	return pl_success;
}

static double fungShear(const double* c)
{
	return 2.0 * (c[0] + c[2] * c[3]);
}

static double fungModulus(const double* c)
{
	return 2.0 * c[1] + 8.0 / 3.0 * (c[0] + c[2] * c[3]);
}

static const lawRow fungRow = {
    .name = "fung",
    .coefficients = {{.name = "s0", .range = pl_rangeNotNegative},
                     {.name = "s1", .range = pl_rangePositive},
                     {.name = "s2", .range = pl_rangeNotNegative},
                     {.name = "s3", .range = pl_rangeNotNegative}},
    .fromModuli = fungFromModuli,
    .check = fungCheck,
    .modulus = fungModulus,
    .shear = fungShear,
};

#endif
#endif
