// bend.h: arithmetic of elements that resist bending
//
// Forms: curvatures k_i = sum over corners of R_ia x_a, vectors in space, linear in positions; sum over a of R_ia = 0
//
//   E = m/2 sum C_ij k_i.k_j,   h_a = m sum R_ia C_ij k_j,   K_ab = m (sum R_ia C_ij R_jb) 1       constant,
//   semidefinite
//
// With one row: an edge of two triangles, R_a its cotangents w_a, k = |e| theta for small angles, m = 1/(A0 + A1)
// [Ber06]. With three: the curvature 11 22 and twice 12 of a triangle, m = A.
//
// Hinges: E = k/2 (theta - rest)^2, e = x1 - x0, f = x2 - x0 or x3 - x0,
//
//   N0 = e x f0,   N1 = f1 x e,   theta = atan2((n0 x n1).e/|e|, n0.n1)
//   gradient G(f0) - G(f1) with, for u = N/|N|^2, N = e x f:   x0: ((e - f).e/|e|) u,   x1: (f.e/|e|) u,   f: -|e| u
//   Hessian of theta J(f0) - J(f1), J the Jacobian of G. In the frame of e/|e|, n = N/|N| and m = n x e/|e|, with
//   r = f.e/|e|, p = |e| - r and f = r e/|e| + a m:
//     du/de = -(n w' + w n')/|N|^2, w = a e/|e| - r m;   du/df = -|e| (n m' + m n')/|N|^2
//
// The sum is symmetric, the two parts are not: it agrees with [TG13]. It is never semidefinite but where theta is at
// rest: scaling leaves theta as it is, so x' H x = 0 for the Hessian H of E and positions x, while H x = -k (theta -
// rest) grad theta is not 0. So `projected` is k grad theta grad theta'. Theta jumps where a hinge folds flat: there
// the difference from rest is taken within half a turn.
//
// [Ber06] Bergou, Wardetzky, Harmon, Zorin, Grinspun, A quadratic bending model for inextensible surfaces, 2006.
// [TG13]  Tamstorf and Grinspun, Discrete bending forces and their Jacobians, 2013.
#ifndef PL_BEND_KERNEL_H
#define PL_BEND_KERNEL_H

#include "angle.h"
#include "mat3.h"

KERNEL vec3 scale3(vec3 v, real s)
{
	return (vec3){{v.a[0] * s, v.a[1] * s, v.a[2] * s}};
}

KERNEL vec3 minus3(vec3 a, vec3 b)
{
	return (vec3){{a.a[0] - b.a[0], a.a[1] - b.a[1], a.a[2] - b.a[2]}};
}

// s a + b
KERNEL vec3 fma3(real s, vec3 a, vec3 b)
{
	return (vec3){{FMA(s, a.a[0], b.a[0]), FMA(s, a.a[1], b.a[1]), FMA(s, a.a[2], b.a[2])}};
}

// |x| + |y| + |z|
KERNEL real size3(vec3 v)
{
	return ABS(v.a[0]) + ABS(v.a[1]) + ABS(v.a[2]);
}

// One triangle of a hinge
typedef struct wing
{
	vec3 n, m;             // unit: normal e x f, and across the edge
	real along, high, per; // r, a, 1/|N|
} wing;

typedef struct hinge
{
	vec3 e; // unit
	real length;
	wing of[2]; // towards x2 and x3; both normals are e x f
	real theta;
	vec3 gradient[4];
} hinge;

KERNEL wing wingOf(vec3 e, real length, vec3 f)
{
	wing w;
	vec3 across = cross3(e, f); // |e| is 1 here
	real square = MAX(dot3(across, across), SPLAT(REAL_SMALLEST / REAL_EPSILON));
	w.high = SQRT(square);
	w.n = scale3(across, K(1) / w.high);
	w.m = cross3(w.n, e);
	w.along = dot3(f, e);
	w.per = K(1) / (length * w.high);
	return w;
}

// From edges of corner 0 to corners 1 2 3
KERNEL hinge hingeOf(vec3 e, vec3 f0, vec3 f1)
{
	hinge h;
	h.length = SQRT(MAX(dot3(e, e), SPLAT(REAL_SMALLEST / REAL_EPSILON)));
	h.e = scale3(e, K(1) / h.length);
	h.of[0] = wingOf(h.e, h.length, f0);
	h.of[1] = wingOf(h.e, h.length, f1);
	vec3 other = scale3(h.of[1].n, SPLAT(-1));
	h.theta = real_atan2(dot3(cross3(h.of[0].n, other), h.e), dot3(h.of[0].n, other));
	vec3 u = scale3(h.of[0].n, h.of[0].per), v = scale3(h.of[1].n, -h.of[1].per);
	h.gradient[0] = fma3(h.length - h.of[0].along, u, scale3(v, h.length - h.of[1].along));
	h.gradient[1] = fma3(h.of[0].along, u, scale3(v, h.of[1].along));
	h.gradient[2] = scale3(u, -h.length);
	h.gradient[3] = scale3(v, -h.length);
	return h;
}

// theta - rest within half a turn
KERNEL real turnFrom(real theta, real rest)
{
	const real turn = SPLAT(6.28318530717958647693), most = SPLAT(3.14159265358979323846);
	real d = theta - rest;
	d = SELECT(d > most, d - turn, d);
	return SELECT(d < -most, d + turn, d);
}

// scale a b' + b a'
KERNEL mat3 symmetricOuter(vec3 a, vec3 b, real scale)
{
	mat3 R;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			R.a[i][j] = scale * FMA(a.a[i], b.a[j], b.a[i] * a.a[j]);
	return R;
}

// R + scale A + a b'
KERNEL mat3 addOuter(mat3 A, real scale, vec3 a, vec3 b)
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			A.a[i][j] = FMA(scale, A.a[i][j], a.a[i] * b.a[j]);
	return A;
}

// Rows x0 x1 f of J, columns e and f: d G / d e, d G / d f
typedef struct wingJacobian
{
	mat3 byE[3], byF[3];
} wingJacobian;

KERNEL wingJacobian wingSecond(const hinge* h, int side)
{
	const wing* w = h->of + side;
	const vec3 zero = {{SPLAT(0), SPLAT(0), SPLAT(0)}};
	vec3 u = scale3(w->n, w->per), lean = fma3(w->high, h->e, scale3(w->m, -w->along));
	real square = -w->per * w->per, tilt = w->high / h->length;
	mat3 byE = symmetricOuter(w->n, lean, square), byF = symmetricOuter(w->n, w->m, square * h->length);
	wingJacobian J;
	J.byE[0] = addOuter(byE, h->length - w->along, u, fma3(-tilt, w->m, h->e));
	J.byF[0] = addOuter(byF, h->length - w->along, u, scale3(h->e, SPLAT(-1)));
	J.byE[1] = addOuter(byE, w->along, u, scale3(w->m, tilt));
	J.byF[1] = addOuter(byF, w->along, u, h->e);
	J.byE[2] = addOuter(byE, -h->length, u, scale3(h->e, SPLAT(-1)));
	J.byF[2] = addOuter(byF, -h->length, u, zero);
	return J;
}

// second[a][b], a <= b: d2 theta / dx_a dx_b
typedef struct hingeSecond
{
	mat3 of[4][4];
} hingeSecond;

KERNEL void addWing(hingeSecond* H, const wingJacobian* J, int far, real sign)
{
	const int at[3] = {0, 1, far};
	for (int r = 0; r < 3; ++r)
		for (int i = 0; i < 3; ++i)
			for (int j = 0; j < 3; ++j)
			{
				real e = sign * J->byE[r].a[i][j], f = sign * J->byF[r].a[i][j];
				H->of[at[r]][0].a[i][j] -= e + f;
				H->of[at[r]][1].a[i][j] += e;
				H->of[at[r]][far].a[i][j] += f;
			}
}

KERNEL hingeSecond hingeSecondOf(const hinge* h)
{
	hingeSecond H;
	for (int a = 0; a < 4; ++a)
		for (int b = 0; b < 4; ++b)
			for (int k = 0; k < 9; ++k)
				H.of[a][b].a[k / 3][k % 3] = SPLAT(0);
	wingJacobian J = wingSecond(h, 0);
	addWing(&H, &J, 2, SPLAT(1));
	J = wingSecond(h, 1);
	addWing(&H, &J, 3, SPLAT(-1));
	return H;
}

// k grad grad' + pull times the second derivative; symmetric to the last bit where a is b. `second` NULL: without
KERNEL mat3 hingeBlock(const hinge* h, const hingeSecond* second, int a, int b, real stiffness, real pull)
{
	mat3 R;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
		{
			R.a[i][j] = stiffness * (h->gradient[a].a[i] * h->gradient[b].a[j]);
			if (second != 0)
			{
				real mean = K(0.5) * (second->of[a][b].a[i][j] + second->of[b][a].a[j][i]);
				R.a[i][j] = FMA(pull, mean, R.a[i][j]);
			}
		}
	return R;
}

#endif
