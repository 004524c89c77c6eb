// svd.h: signed singular values of 3x3 matrices, and the rotation of the polar decomposition
//
//   F = U diag(s) V'     U, V rotations (det +1),   s0 >= s1 >= |s2|,   s2 has the sign of det F, up to rounding
//
// One-sided Jacobi [Hes58]: columns of B = F V are turned pairwise until they are orthogonal; their lengths are the
// singular values. F'F is never formed, so small singular values do not drown in squares. Four sweeps, always: the
// worst matrices a search found are off by 3e-5 after three and by rounding alone after four, in double as well. So
// there are no branches and lanes never wait for each other. Then
//
//   V is made orthonormal and B = F V taken afresh, which drops the rounding errors of twelve rotations (12 -> 5
//   epsilon in F - U diag(s) V' for 8 % of the time),
//   columns are sorted by length, a swap turning one of the two around so that V stays a rotation,
//   u0 = b0 / |b0|,   u1 = b1 made orthogonal to u0 / its length,   u2 = u0 x u1,   s2 = u2 . b2.
//
// If b1 vanishes next to b0, any u1 perpendicular to u0 does. F is scaled by a power of two first, so neither 1e-30 nor
// 1e30 leaves the range of float. A finite F never gives NaN; NaN in F gives NaN in s.
//
// [Hes58] Hestenes, Inversion of matrices by biorthogonalization and related results, J. SIAM 6(1), 1958.
// [DBC17] Duff et al., Building an orthonormal basis, revisited, JCGT 6(1), 2017.
#ifndef PL_SVD_H
#define PL_SVD_H

#include "jacobi.h"

enum
{
	svdSweeps = 4,
};

typedef struct svd3
{
	mat3 U;
	vec3 s;
	mat3 V;
} svd3;

// B = F V on the way
typedef struct svdState
{
	mat3 B, V;
} svdState;

KERNEL svdState svdRotate(svdState x, int p, int q)
{
	vec3 a = column33(x.B, p), b = column33(x.B, q);
	givens r = jacobiRotation(dot3(a, a), dot3(b, b), dot3(a, b));
	x.B = rotateColumns(x.B, r, p, q);
	x.V = rotateColumns(x.V, r, p, q);
	return x;
}

KERNEL mat3 swapColumns(mat3 A, mask m, int p, int q)
{
	for (int i = 0; i < 3; ++i)
	{
		real x = A.a[i][p], y = A.a[i][q];
		A.a[i][p] = SELECT(m, y, x);
		A.a[i][q] = SELECT(m, -x, y);
	}
	return A;
}

// The longer of columns p and q comes first
KERNEL svdState svdOrder(svdState x, int p, int q)
{
	vec3 a = column33(x.B, p), b = column33(x.B, q);
	mask m = dot3(a, a) < dot3(b, b);
	x.B = swapColumns(x.B, m, p, q);
	x.V = swapColumns(x.V, m, p, q);
	return x;
}

// v - (u . v) u
KERNEL vec3 reject3(vec3 v, vec3 u)
{
	real d = dot3(u, v);
	for (int i = 0; i < 3; ++i)
		v.a[i] = FMA(-d, u.a[i], v.a[i]);
	return v;
}

// A unit vector perpendicular to the unit vector u [DBC17]
KERNEL vec3 perpendicular3(vec3 u)
{
	real sign = SELECT(u.a[2] < K(0), SPLAT(-1), SPLAT(1));
	real a = K(-1) / (sign + u.a[2]);
	vec3 v;
	v.a[0] = FMA(sign * u.a[0] * u.a[0], a, SPLAT(1));
	v.a[1] = sign * u.a[0] * u.a[1] * a;
	v.a[2] = -(sign * u.a[0]);
	return v;
}

// U and s from the sorted orthogonal columns of x.B
KERNEL svd3 svdFinish(svdState x)
{
	vec3 b0 = column33(x.B, 0), b1 = column33(x.B, 1), b2 = column33(x.B, 2);
	svd3 r;
	r.V = x.V;

	r.s.a[0] = SQRT(dot3(b0, b0));
	mask zero = r.s.a[0] == K(0);
	real inverse = K(1) / SELECT(zero, SPLAT(1), r.s.a[0]);
	vec3 u0, u1;
	for (int i = 0; i < 3; ++i)
		u0.a[i] = SELECT(zero, SPLAT(i == 0 ? 1 : 0), b0.a[i] * inverse);

	// Twice, since b1 may be short and along u0 by rounding. If the second time still takes half away, there was
	// nothing but rounding error: b1 has vanished, as it has where its square is no longer precise.
	vec3 once = reject3(b1, u0), twice = reject3(once, u0);
	real square = dot3(twice, twice);
	mask vanished = square <= MAX(K(0.25) * dot3(once, once), SPLAT(REAL_SMALLEST / REAL_EPSILON));
	real length = SQRT(SELECT(vanished, SPLAT(1), square));
	inverse = K(1) / length;
	vec3 any = perpendicular3(u0);
	for (int i = 0; i < 3; ++i)
		u1.a[i] = SELECT(vanished, any.a[i], twice.a[i] * inverse);
	vec3 u2 = cross3(u0, u1);

	r.s.a[1] = MIN(SELECT(vanished, SPLAT(0), length), r.s.a[0]);
	r.s.a[2] = MAX(MIN(dot3(u2, b2), r.s.a[1]), -r.s.a[1]);
	r.U = columns33(u0, u1, u2);
	return r;
}

// A matrix that is a rotation up to rounding made orthonormal: 1 / |v| is (3 - v.v) / 2 that close to 1
KERNEL mat3 orthonormal33(mat3 V)
{
	vec3 v0 = column33(V, 0), v1 = column33(V, 1);
	real f = FMA(SPLAT(-0.5), dot3(v0, v0), SPLAT(1.5));
	for (int i = 0; i < 3; ++i)
		v0.a[i] = v0.a[i] * f;
	v1 = reject3(v1, v0);
	f = FMA(SPLAT(-0.5), dot3(v1, v1), SPLAT(1.5));
	for (int i = 0; i < 3; ++i)
		v1.a[i] = v1.a[i] * f;
	return columns33(v0, v1, cross3(v0, v1));
}

KERNEL svd3 svd33(mat3 F)
{
	real magnitude = magnitude33(F);
	svdState x;
	F = scale33(F, K(1) / magnitude);
	x.B = F;
	x.V = identity33();
	for (int sweep = 0; sweep < svdSweeps; ++sweep)
	{
		x = svdRotate(x, 0, 1);
		x = svdRotate(x, 0, 2);
		x = svdRotate(x, 1, 2);
	}
	x.V = orthonormal33(x.V);
	x.B = mul33(F, x.V);
	x = svdOrder(x, 0, 1);
	x = svdOrder(x, 0, 2);
	x = svdOrder(x, 1, 2);
	svd3 r = svdFinish(x);
	for (int i = 0; i < 3; ++i)
		r.s.a[i] = r.s.a[i] * magnitude;
	return r;
}

// The rotation R = U V' nearest to F: F = R S with symmetric S, whose smallest eigenvalue is negative if det F is
KERNEL mat3 polar33(mat3 F)
{
	svd3 r = svd33(F);
	return mul33t(r.U, r.V);
}

#endif
