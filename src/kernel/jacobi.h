// jacobi.h: what the Jacobi decompositions share: the rotation and the scaling
//
//   [ c -s ]' [ alpha gamma ] [ c  s ]
//   [ s  c ]  [ gamma beta  ] [-s  c ]   is diagonal,   t = s / c the smaller root of  t^2 + 2 zeta t - 1 = 0,
//                                                       zeta = (beta - alpha) / (2 gamma)     [GVL] 8.5.2
//
// The smaller root keeps the angle within 45 degrees, which the convergence of cyclic sweeps rests on.
//
// [GVL] Golub and Van Loan, Matrix Computations, 4th edition, 2013.
#ifndef PL_JACOBI_H
#define PL_JACOBI_H

#include "mat3.h"

typedef struct givens
{
	real c, s, t; // cosine, sine, tangent
} givens;

KERNEL givens jacobiRotation(real alpha, real beta, real gamma)
{
	// t = sign(d) g / (|d| + |(d, g)|). The hypotenuse is held above |g|, so |t| <= 1 also where squares underflow;
	// with gamma = 0 the rotation is the identity, 0 / smallest.
	real d = beta - alpha;
	real g = gamma + gamma;
	real hypotenuse = MAX(SQRT(FMA(d, d, g * g)), ABS(g));
	givens r;
	r.t = SELECT(d < K(0), -g, g) / MAX(ABS(d) + hypotenuse, SPLAT(REAL_SMALLEST));
	r.c = K(1) / SQRT(FMA(r.t, r.t, SPLAT(1)));
	r.s = r.t * r.c;
	return r;
}

// Columns p and q of A become  c a_p - s a_q  and  s a_p + c a_q
KERNEL mat3 rotateColumns(mat3 A, givens r, int p, int q)
{
	for (int i = 0; i < 3; ++i)
	{
		real x = A.a[i][p], y = A.a[i][q];
		A.a[i][p] = FMA(r.c, x, -(r.s * y));
		A.a[i][q] = FMA(r.s, x, r.c * y);
	}
	return A;
}

KERNEL mat3 identity33(void)
{
	mat3 I;
	for (int k = 0; k < 9; ++k)
		I.a[k / 3][k % 3] = SPLAT(k % 4 == 0 ? 1 : 0);
	return I;
}

KERNEL vec3 column33(mat3 A, int j)
{
	vec3 v;
	for (int i = 0; i < 3; ++i)
		v.a[i] = A.a[i][j];
	return v;
}

KERNEL mat3 columns33(vec3 a, vec3 b, vec3 c)
{
	mat3 A;
	for (int i = 0; i < 3; ++i)
	{
		A.a[i][0] = a.a[i];
		A.a[i][1] = b.a[i];
		A.a[i][2] = c.a[i];
	}
	return A;
}

// A power of two 2^e with the largest entry of A / 2^e in [1, 2); smaller than that only for denormal entries, in
// [2, 4) for the largest numbers. Both 2^e and 2^-e are normal.
KERNEL real magnitude33(mat3 A)
{
	real m = SPLAT(REAL_SMALLEST);
	for (int k = 0; k < 9; ++k)
		m = MAX(ABS(A.a[k / 3][k % 3]), m);
	m = MIN(m, SPLAT(K(0.5) / REAL_SMALLEST));
	return AS_REAL(AS_INT(m) & -((integer)1 << REAL_DIGITS));
}

#endif
