// spectral.h: stretches of F, and a stress known by them, without a decomposition
//
//   C = F'F = m + p B,   m = tr C/3,   p = |C - m|/sqrt 6
//   tau = 2 cos theta    eigenvalues of B, with cos 3 theta = r = det B/2: 2t with 4t^3 - 3t = |r|, t at least
//                        sqrt(3)/2, and the near pair -t +- sqrt(3) sqrt(1 - t^2), all three with the sign of r
//   s = sqrt(m + p tau)
//   P = F V diag(g) V'   with g_i = psi_i/s_i: F times the parabola through (tau_i, g_i), taken at B, in Newton's form,
//                        the pair first
//
// Roundings of the pair grow as it closes, to the root of epsilon. They do no harm: sums over it are right to first
// order, and a parabola through wrong nodes is wrong by the product of the distances. Used where every stretch is at
// least 0.1, as closed forms are.
#ifndef PL_SPECTRAL_H
#define PL_SPECTRAL_H

#include "tet.h"

// A symmetric matrix as 00 11 22 01 02 12
typedef struct squares
{
	real a[6];
} squares;

typedef struct spectrum
{
	squares B;
	real apart, high, low; // tau: the single one, the pair
	real s[3];             // descending
} spectrum;

KERNEL squares squaresOf(mat3 F)
{
	squares C;
	for (int k = 0; k < 6; ++k)
	{
		int i = k < 3 ? k : pairFirst[k - 3], j = k < 3 ? k : pairSecond[k - 3];
		C.a[k] = FMA(F.a[0][i], F.a[0][j], FMA(F.a[1][i], F.a[1][j], F.a[2][i] * F.a[2][j]));
	}
	return C;
}

KERNEL squares deviatorOf(squares C, real mean, real inverse)
{
	for (int k = 0; k < 6; ++k)
		C.a[k] = (k < 3 ? C.a[k] - mean : C.a[k]) * inverse;
	return C;
}

enum
{
	seriesLength = 9
};

// cos(acos(r)/3) on [0, 1], through Chebyshev's nodes: off by 2e-09 at most, or by a rounding in float. One of Newton's
// iterations squares that.
CONSTANT scalar series[seriesLength] = {K(0.8660254056),      K(0.166666371144),   K(-0.0481044414529),
                                        K(0.0246042967923),   K(-0.0151072751613), K(0.00938333057141),
                                        K(-0.00492969117368), K(0.00176485687409), K(-0.000302854201738)};

// cos(theta) of cos(3 theta) = r in [0, 1]
KERNEL real thirdCosine(real r)
{
	real t = SPLAT(series[seriesLength - 1]);
	for (int i = seriesLength - 2; i >= 0; --i)
		t = FMA(t, r, SPLAT(series[i]));
#if !PL_REAL_FLOAT
	real tt = t * t;
	t -= FMA(t, FMA(SPLAT(4), tt, SPLAT(-3)), -r) / FMA(SPLAT(12), tt, SPLAT(-3));
#endif
	return MIN(t, SPLAT(1));
}

KERNEL spectrum spectrumOf(mat3 F)
{
	spectrum x;
	squares C = squaresOf(F);
	real mean = (C.a[0] + C.a[1] + C.a[2]) * K(1.0 / 3.0);
	squares B = deviatorOf(C, mean, SPLAT(1));
	real across = FMA(B.a[3], B.a[3], FMA(B.a[4], B.a[4], B.a[5] * B.a[5]));
	real along = FMA(B.a[0], B.a[0], FMA(B.a[1], B.a[1], B.a[2] * B.a[2]));
	real p = MAX(SQRT(FMA(SPLAT(2), across, along) * K(1.0 / 6.0)), SPLAT(1e-18));
	B = x.B = deviatorOf(C, mean, K(1) / p);
	real minor0 = FMA(B.a[1], B.a[2], -(B.a[5] * B.a[5]));
	real minor1 = FMA(B.a[3], B.a[2], -(B.a[5] * B.a[4]));
	real minor2 = FMA(B.a[3], B.a[5], -(B.a[1] * B.a[4]));
	real r = K(0.5) * FMA(B.a[0], minor0, FMA(-B.a[3], minor1, B.a[4] * minor2));
	mask positive = r >= SPLAT(0);
	real t = thirdCosine(MIN(ABS(r), SPLAT(1)));
	real turn = SELECT(positive, t, -t), spread = K(1.7320508075688772) * SQRT((K(1) - t) * (K(1) + t));
	x.apart = K(2) * turn;
	x.high = spread - turn;
	x.low = -spread - turn;
	const real tau[3] = {SELECT(positive, x.apart, x.high), SELECT(positive, x.high, x.low),
	                     SELECT(positive, x.low, x.apart)};
	for (int i = 0; i < 3; ++i)
		x.s[i] = SQRT(MAX(FMA(p, tau[i], mean), SPLAT(1e-4)));
	return x;
}

// What rounding does to psi. C is off by 4 epsilons of s_0^2, so a stretch by delta. 1 - t is off by as much, and a
// closed pair opens by the root of that: psi moves to second order only, and C's eigenvalues are p apart.
KERNEL real spectralNoise(const spectrum* x, const real d[3], real modulus)
{
	real inverse = K(1) / x->s[2], square = x->s[0] * x->s[0], delta = K(4 * REAL_EPSILON) * square * inverse;
	real pair = K(1.0 / 3.0) * (square - x->s[2] * x->s[2]) * inverse; // p/s_2 at most
	real second = FMA(SPLAT(12 * REAL_EPSILON) * pair, pair, K(3) * delta * delta);
	return FMA(delta, ABS(d[0]) + ABS(d[1]) + ABS(d[2]), modulus * second);
}

// P from psi_i at x.s
KERNEL mat3 spectralStress(const spectrum* x, mat3 F, const real d[3])
{
	mask positive = x->apart >= SPLAT(0);
	// one division for three quotients, here and below
	real g[3], inverse = K(1) / (x->s[0] * x->s[1] * x->s[2]);
	for (int i = 0; i < 3; ++i)
		g[i] = d[i] * (inverse * (x->s[(i + 1) % 3] * x->s[(i + 2) % 3]));
	real apart = SELECT(positive, g[0], g[2]), high = SELECT(positive, g[1], g[0]), low = SELECT(positive, g[2], g[1]);
	real pair = MAX(x->high - x->low, SPLAT(64 * REAL_EPSILON)), toLow = x->apart - x->low, toHigh = x->apart - x->high;
	real all = K(1) / (pair * toLow * toHigh), first = (high - low) * (all * (toLow * toHigh));
	real second = ((apart - low) * (all * (pair * toHigh)) - first) * (all * (pair * toLow));
	squares B = x->B;
	mat3 X, Z;
	for (int k = 0; k < 6; ++k)
	{
		int i = k < 3 ? k : pairFirst[k - 3], j = k < 3 ? k : pairSecond[k - 3];
		X.a[i][j] = X.a[j][i] = k < 3 ? B.a[k] - x->high : B.a[k];
		Z.a[i][j] = Z.a[j][i] = k < 3 ? FMA(second, B.a[k] - x->low, first) : second * B.a[k];
	}
	mat3 G = mul33(X, Z);
	for (int i = 0; i < 3; ++i)
		G.a[i][i] += high;
	return mul33(F, G);
}

#endif
