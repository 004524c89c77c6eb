// law.h: what an elastic law is, and the parts that laws share
//
// A law is an energy density W(F) = psi(s0, s1, s2), symmetric in the signed stretches of F = U diag(s) V'. It is one
// file, and has one row in the list of laws.h, which says under which NAME its functions are found:
//
//   stretchLaw NAMEStretch(coefficients c, vec3 s)   psi with three first and six second derivatives: valid for every
//                                                    s, the C2 extension included
//
// and, if it has a closed form in F, which needs no decomposition and may be used where every stretch is at least 0.1,
//
//   density NAMEValue(coefficients c, mat3 F, real root)   W, and the magnitude of what was added up
//   mat3 NAMEStress(coefficients c, mat3 F, real root)     P = dW/dF
//   invariantLaw NAMEInvariants(coefficients c, real I, real II, real J)   second derivatives of W in I, II, J, for
//                                                    the diagonal of the Hessian
//   real NAMERoot(real J)   the function of J that value and stress need and that takes longest to compute, J^(-1/3)
//                           or ln J. Loops compute it ahead for several elements
//   NAMEHasRoot             0: there is no such function, and NAMERoot is 1
//   NAMEIsLinear            1: the stress is linear in the coefficients. Loops then multiply those by the volume
//   NAMECurves              which numbers of NAMEInvariants are not 0 throughout: bits of curvature below
//
// This is the arithmetic, which OpenCL C can read as well. Below it stands NAMERow, what only the host has to know
// (law_row.h): name, coefficients with their ranges, moduli.
//
// Extension: the printed law holds wherever every stretch is at least c = 0.1. Below c, functions of one stretch with a
// pole at 0 go on with the value, slope and curvature that they have at c, and become straight lines far below. So psi
// is finite and twice continuously differentiable everywhere. Some laws would then still rest inside out (StVK, whose
// mirror image has no energy) or collapsed to a point (isochoric ones, which do not see the size). They also get a wall
// below c, which pushes elements back. Why straight lines: an element deep inside out must not hold an energy that
// throws the body apart when it turns. With Taylor polynomials at c in their place, a box of E = 1e5 Pa with its
// vertices thrown about flew to 12 times its size.
//
// Symbols: mu, lambda Lame's coefficients (Pa), C = F'F, I = tr C, II = (I^2 - tr C^2)/2 = |cof F|^2, J = det F.
// Functions are kernels: `real` is a number or a vector of numbers.
#ifndef PL_LAW_H
#define PL_LAW_H

#ifndef __OPENCL_C_VERSION__
#include "pliant/types.h"
#endif
#include "../kernel/tet.h"
#include "../kernel/special.h"

#define STRETCH_FLOOR K(0.1)

typedef struct coefficients
{
	real a[4];
#ifndef __OPENCL_C_VERSION__
	plStretchLawFcn* stretches; // callback.h: this one,
	plStretchLawBatchFcn* many; // or this one
	void* context;
#endif
} coefficients;

typedef struct density
{
	real value;     // W, J/m^3
	real magnitude; // as in stretchLaw
} density;

// W(I, II, J): the derivatives that decide how W curves when one vertex moves along one axis. J is then linear, so the
// first derivative in J has no part in it.
typedef struct invariantLaw
{
	real wI, wII;
	real wI_I, wI_J, wII_J, wJ_J; // no law has terms in II^2 or I II
} invariantLaw;

// All laws have wI; wJ_J is always asked for.
enum curvature
{
	curvesByII = 1,  // wII
	curvesByI2 = 2,  // wI_I
	curvesMixed = 4, // wI_J or wII_J
};

// A function of one stretch with two derivatives.
typedef struct univariate
{
	real v, d, dd;
} univariate;

// t^2/(1 + t) for t >= 0: t^2 near 0, t far away
KERNEL univariate softSquare(real t)
{
	real r = K(1) / (K(1) + t);
	univariate u;
	u.v = t * t * r;
	u.d = t * (t + K(2)) * r * r;
	u.dd = K(2) * r * r * r;
	return u;
}

// ln x for x >= c, below it ln c - t - softSquare(t)/2, t = (c - x)/c
KERNEL univariate logOfStretch(real x)
{
	real y = MAX(x, SPLAT(STRETCH_FLOOR));
	real r = K(1) / y, t = (y - x) * r; // t = 0 at and above c
	univariate q = softSquare(t), u;
	u.v = real_log(y) - FMA(SPLAT(0.5), q.v, t);
	u.d = FMA(SPLAT(0.5), q.d, SPLAT(1)) * r;
	u.dd = K(-0.5) * q.dd * r * r;
	return u;
}

// x^(-2/3) for x >= c, below it c^(-2/3) (1 + 2/3 t + 5/9 softSquare(t)), t = (c - x)/c
KERNEL univariate powerOfStretch(real x)
{
	real y = MAX(x, SPLAT(STRETCH_FLOOR));
	real k = rcbrtNormal(y), p = k * k, r = k * p, t = (y - x) * r;
	univariate q = softSquare(t), u;
	u.v = p * (K(1) + FMA(SPLAT(5.0 / 9), q.v, K(2.0 / 3) * t));
	u.d = -p * r * FMA(SPLAT(5.0 / 9), q.d, SPLAT(2.0 / 3));
	u.dd = K(5.0 / 9) * q.dd * p * r * r;
	return u;
}

// 4 t^3/(1 + t)^2 for x < c, 0 above it, t = (c - x)/c: 1 at x = 0, straight far below
KERNEL univariate wallOfStretch(real x)
{
	const real k = SPLAT(1.0 / 0.1);
	real t = MAX((STRETCH_FLOOR - x) * k, SPLAT(0)), r = K(1) / (K(1) + t), r2 = r * r;
	univariate u;
	u.v = K(4) * t * t * t * r2;
	u.d = K(-4) * k * t * t * (t + K(3)) * r * r2;
	u.dd = K(24) * k * k * t * r2 * r2;
	return u;
}

// Adds `height` times the walls of the three stretches.
KERNEL stretchLaw addWalls(stretchLaw w, real height, vec3 s)
{
	for (int i = 0; i < 3; ++i)
	{
		univariate wall = wallOfStretch(s.a[i]);
		w.value = FMA(height, wall.v, w.value);
		w.magnitude = FMA(height, wall.v, w.magnitude);
		w.d[i] = FMA(height, wall.d, w.d[i]);
		w.dd[i] = FMA(height, wall.dd, w.dd[i]);
	}
	return w;
}

// Sum of the squares of the entries
KERNEL real square33(mat3 A)
{
	return inner33(A, A);
}

// The same, II if A is cof F: row by row, because the sums of rows do not wait for each other
KERNEL real squareRows33(mat3 A)
{
	vec3 r[3] = {
	    {{A.a[0][0], A.a[0][1], A.a[0][2]}}, {{A.a[1][0], A.a[1][1], A.a[1][2]}}, {{A.a[2][0], A.a[2][1], A.a[2][2]}}};
	return (dot3(r[0], r[0]) + dot3(r[1], r[1])) + dot3(r[2], r[2]);
}

// A A', the entries above the diagonal computed once
KERNEL mat3 gram33(mat3 A)
{
	mat3 S;
	for (int i = 0; i < 3; ++i)
		for (int j = i; j < 3; ++j)
		{
			S.a[i][j] = FMA(A.a[i][0], A.a[j][0], FMA(A.a[i][1], A.a[j][1], A.a[i][2] * A.a[j][2]));
			S.a[j][i] = S.a[i][j];
		}
	return S;
}

// det F from F and its cofactors
KERNEL real determinant33(mat3 F, mat3 cofactor)
{
	vec3 a = {{F.a[0][0], F.a[0][1], F.a[0][2]}}, b = {{cofactor.a[0][0], cofactor.a[0][1], cofactor.a[0][2]}};
	return dot3(a, b);
}

// det F is a sum of six products of entries, each off by at most four roundings, and the absolute values of these
// products add up to at most (2/sqrt 3) (I/3)^(3/2): det F is off by at most REAL_EPSILON times this.
KERNEL real determinantSize(real I)
{
	return K(0.45) * I * SQRT(I);
}

// Is every stretch above a floor c > 0? The smallest has s^2 = J^2 / (product of the other two squared) >= J^2 / II, so
// J |J| > c^2 II is enough. It is not necessary: it fails for some s in (c, sqrt 3 c); near (c, 1, 1) the margin is 1
// %.
KERNEL mask stretchesAbove(mat3 F, real floor)
{
	mat3 cofactor = cofactor33(F);
	real J = determinant33(F, cofactor);
	return J * ABS(J) > floor * floor * squareRows33(cofactor);
}

// det F where that is positive, else 1: closed forms are used nowhere else.
KERNEL real closedVolume(mat3 F, mat3 cofactor)
{
	real J = determinant33(F, cofactor);
	return SELECT(J > K(0), J, SPLAT(1));
}

// May the closed forms be used? Where this says no without need, the stretch form says the same.
KERNEL mask aboveFloor(mat3 F)
{
	return stretchesAbove(F, SPLAT(STRETCH_FLOOR));
}

#endif
