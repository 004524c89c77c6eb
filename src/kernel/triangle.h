// triangle.h: arithmetic of one linear triangle of a sheet in space
//
//   F = Ds B,   Ds = [x1-x0, x2-x0] 3x2,   B = Dm^-1 2x2,   Dm = [u1-u0, u2-u0], u the chart           3x2
//   P = dW/dF,   h_a = A P b_a,   b_a row a-1 of B for corners 1 2, b_0 = -(b_1 + b_2)                 dE/dx_a
//
// Two families of laws. By Green strain, which needs no decomposition:
//
//   E = (F'F - 1)/2,   W = (c11 E11^2 + c22 E22^2)/2 + c12 E11 E22 + 2 c33 E12^2,   P = F S,   S = dW/dE
//   K_ab = A ((b_a.S b_b) 1 + sum over i, j of m_ij f_i f_j'),   f_i column i of F, with a = b_a, b = b_b
//     m_00 = c11 a0 b0 + c33 a1 b1,   m_11 = c22 a1 b1 + c33 a0 b0,   m_01 = c12 a0 b1 + c33 a1 b0
//
// By stretches, F = u0 s0 v0' + u1 s1 v1', s0 >= s1 >= 0, n = u0 x u1, W = psi(s0, s1). The second derivative of W has
// psi_ij on the stretches, f = (psi_0 - psi_1)/(s0 - s1), t = (psi_0 + psi_1)/(s0 + s1) as in tet.h, and out of the
// plane psi_i/s_i on n v_i'. With alpha = (f + t)/2, beta = (f - t)/2 and V'b_a, V'b_b as a and b:
//
//   K_ab = A ((psi_0/s0 a0 b0 + psi_1/s1 a1 b1) n n' + sum m_ij u_i u_j')
//     m_00 = psi_00 a0 b0 + alpha a1 b1,   m_11 = psi_11 a1 b1 + alpha a0 b0,   m_01 = psi_01 a0 b1 + beta a1 b0
//
// The two have one form: two axes w_0 w_1, five numbers, a 2x2 matrix S, a 3x3 matrix N, and V. So one set of functions
// serves both. Without negative eigenvalues: by stretches all modes are clamped at 0 (Teran and others 2005, as in
// tet.h). By Green strain S is clamped. The modes out of the plane are the eigenvalues of S: where the exact matrix is
// semidefinite S is, and nothing changes; and the other part is semidefinite because the law is. A sheet under
// compression has S < 0: it is about to buckle, and this is what lets it.
//
// 2x2 symmetric matrices stand as 00 11 01.
#ifndef PL_KERNEL_TRIANGLE_H
#define PL_KERNEL_TRIANGLE_H

#include "tet.h"

typedef struct vec2
{
	real a[2];
} vec2;

typedef struct mat2
{
	real a[2][2];
} mat2;

typedef struct mat32
{
	real a[3][2]; // a[axis][column]
} mat32;

typedef struct sym2
{
	real a[3];
} sym2;

KERNEL vec3 column32(mat32 A, int j)
{
	return (vec3){{A.a[0][j], A.a[1][j], A.a[2][j]}};
}

KERNEL mat32 columns32(vec3 a, vec3 b)
{
	mat32 A;
	for (int i = 0; i < 3; ++i)
	{
		A.a[i][0] = a.a[i];
		A.a[i][1] = b.a[i];
	}
	return A;
}

// A B
KERNEL mat32 mul32(mat32 A, mat2 B)
{
	mat32 C;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 2; ++j)
			C.a[i][j] = FMA(A.a[i][0], B.a[0][j], A.a[i][1] * B.a[1][j]);
	return C;
}

// A B'
KERNEL mat32 mul32t(mat32 A, mat2 B)
{
	mat32 C;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 2; ++j)
			C.a[i][j] = FMA(A.a[i][0], B.a[j][0], A.a[i][1] * B.a[j][1]);
	return C;
}

KERNEL real inner32(mat32 A, mat32 B)
{
	return dot3(column32(A, 0), column32(B, 0)) + dot3(column32(A, 1), column32(B, 1));
}

// v'A
KERNEL vec2 multv2(mat2 A, vec2 v)
{
	return (vec2){{FMA(A.a[0][0], v.a[0], A.a[1][0] * v.a[1]), FMA(A.a[0][1], v.a[0], A.a[1][1] * v.a[1])}};
}

// a'S b
KERNEL real between2(sym2 S, vec2 a, vec2 b)
{
	real across = FMA(a.a[0], b.a[1], a.a[1] * b.a[0]);
	return FMA(S.a[0], a.a[0] * b.a[0], FMA(S.a[1], a.a[1] * b.a[1], S.a[2] * across));
}

// Shape vector of a corner
KERNEL vec2 shape2(mat2 B, int corner)
{
	if (corner > 0)
		return (vec2){{B.a[corner - 1][0], B.a[corner - 1][1]}};
	return (vec2){{-(B.a[0][0] + B.a[1][0]), -(B.a[0][1] + B.a[1][1])}};
}

// S with negative eigenvalues raised to 0; S itself, bit for bit, where there are none
KERNEL sym2 clampSpectrum2(sym2 S)
{
	givens r = jacobiRotation(S.a[0], S.a[1], S.a[2]);
	real low = MAX(FMA(r.t, S.a[2], -S.a[0]), SPLAT(0)), high = MAX(-FMA(r.t, S.a[2], S.a[1]), SPLAT(0));
	sym2 R; // eigenvectors (c, -s) and (s, c)
	R.a[0] = FMA(low * r.c, r.c, FMA(high * r.s, r.s, S.a[0]));
	R.a[1] = FMA(low * r.s, r.s, FMA(high * r.c, r.c, S.a[1]));
	R.a[2] = FMA((high - low) * r.c, r.s, S.a[2]);
	return R;
}

// ---- decomposition -------------------------------------------------------------------------------------------------

typedef struct svd32
{
	vec3 u[2], n;
	vec2 s;
	mat2 V; // a rotation
} svd32;

// One rotation of the two columns makes them orthogonal. The shorter one is then made orthogonal to the longer; if it
// vanishes, any direction across does.
KERNEL svd32 svdOf32(mat32 F)
{
	vec3 a = column32(F, 0), b = column32(F, 1), once, any;
	givens g = jacobiRotation(dot3(a, a), dot3(b, b), dot3(a, b));
	mat2 V = {{{g.c, g.s}, {-g.s, g.c}}};
	mat32 W = mul32(F, V);
	a = column32(W, 0);
	b = column32(W, 1);
	mask swap = dot3(a, a) < dot3(b, b);
	svd32 r;
	for (int i = 0; i < 2; ++i)
	{
		r.V.a[i][0] = SELECT(swap, V.a[i][1], V.a[i][0]);
		r.V.a[i][1] = SELECT(swap, -V.a[i][0], V.a[i][1]);
	}
	for (int i = 0; i < 3; ++i)
	{
		real x = a.a[i];
		a.a[i] = SELECT(swap, b.a[i], x);
		b.a[i] = SELECT(swap, -x, b.a[i]);
	}
	real s0 = SQRT(dot3(a, a));
	mask zero = s0 <= K(REAL_SMALLEST);
	real inverse = K(1) / SELECT(zero, SPLAT(1), s0);
	for (int i = 0; i < 3; ++i)
		r.u[0].a[i] = SELECT(zero, SPLAT(i == 0 ? 1 : 0), a.a[i] * inverse);
	once = reject3(b, r.u[0]);
	b = reject3(once, r.u[0]);
	real square = dot3(b, b);
	mask vanished = square <= MAX(K(0.25) * dot3(once, once), SPLAT(REAL_SMALLEST / REAL_EPSILON));
	real s1 = SQRT(SELECT(vanished, SPLAT(1), square));
	inverse = K(1) / s1;
	any = perpendicular3(r.u[0]);
	for (int i = 0; i < 3; ++i)
		r.u[1].a[i] = SELECT(vanished, any.a[i], b.a[i] * inverse);
	r.s = (vec2){{SELECT(zero, SPLAT(0), s0), MIN(SELECT(vanished, SPLAT(0), s1), s0)}};
	r.n = cross3(r.u[0], r.u[1]);
	return r;
}

// ---- second derivatives --------------------------------------------------------------------------------------------

typedef struct sheetHessian
{
	vec3 w[2];
	real m00, m11, m01, alpha, beta;
	sym2 S;
	mat3 N;
	mat2 V;
} sheetHessian;

// K_ab over A, with shape vectors as V sees them
KERNEL mat3 sheetBlock(const sheetHessian* H, vec2 a, vec2 b, real weight)
{
	real p00 = a.a[0] * b.a[0], p01 = a.a[0] * b.a[1], p10 = a.a[1] * b.a[0], p11 = a.a[1] * b.a[1];
	real m[2][2] = {
	    {weight * FMA(H->m00, p00, H->alpha * p11), weight * FMA(H->m01, p01, H->beta * p10)},
	    {weight * FMA(H->m01, p10, H->beta * p01), weight * FMA(H->m11, p11, H->alpha * p00)},
	};
	real across = weight * between2(H->S, a, b);
	mat3 R;
	for (int i = 0; i < 3; ++i)
	{
		real left = FMA(H->w[0].a[i], m[0][0], H->w[1].a[i] * m[1][0]);
		real right = FMA(H->w[0].a[i], m[0][1], H->w[1].a[i] * m[1][1]);
		for (int j = 0; j < 3; ++j)
			R.a[i][j] = FMA(left, H->w[0].a[j], FMA(right, H->w[1].a[j], across * H->N.a[i][j]));
	}
	return R;
}

// d2W/dF2 : dF
KERNEL mat32 sheetProduct(const sheetHessian* H, mat32 dF)
{
	mat32 G = mul32(dF, H->V), R;
	vec3 g[2] = {column32(G, 0), column32(G, 1)};
	real d[2][2]; // w_i . g_j
	for (int i = 0; i < 2; ++i)
		for (int j = 0; j < 2; ++j)
			d[i][j] = dot3(H->w[i], g[j]);
	real r[2][2] = {
	    {FMA(H->m00, d[0][0], H->m01 * d[1][1]), FMA(H->alpha, d[0][1], H->beta * d[1][0])},
	    {FMA(H->alpha, d[1][0], H->beta * d[0][1]), FMA(H->m11, d[1][1], H->m01 * d[0][0])},
	};
	vec3 n[2] = {mulv3(H->N, g[0]), mulv3(H->N, g[1])};
	for (int i = 0; i < 3; ++i)
	{
		real p = FMA(H->S.a[0], n[0].a[i], H->S.a[2] * n[1].a[i]), q = FMA(H->S.a[2], n[0].a[i], H->S.a[1] * n[1].a[i]);
		R.a[i][0] = FMA(H->w[0].a[i], r[0][0], FMA(H->w[1].a[i], r[1][0], p));
		R.a[i][1] = FMA(H->w[0].a[i], r[0][1], FMA(H->w[1].a[i], r[1][1], q));
	}
	return mul32t(R, H->V);
}

// ---- by Green strain -----------------------------------------------------------------------------------------------

typedef struct sheetStiffness
{
	real c11, c22, c12, c33;
} sheetStiffness;

// E11 E22 E12
KERNEL sym2 sheetStrain(mat32 F)
{
	vec3 a = column32(F, 0), b = column32(F, 1);
	return (sym2){{K(0.5) * (dot3(a, a) - K(1)), K(0.5) * (dot3(b, b) - K(1)), K(0.5) * dot3(a, b)}};
}

KERNEL sym2 sheetStress(sheetStiffness c, sym2 E)
{
	return (sym2){{FMA(c.c11, E.a[0], c.c12 * E.a[1]), FMA(c.c12, E.a[0], c.c22 * E.a[1]), K(2) * c.c33 * E.a[2]}};
}

// F S
KERNEL mat32 sheetPull(mat32 F, sym2 S)
{
	mat2 T = {{{S.a[0], S.a[2]}, {S.a[2], S.a[1]}}};
	return mul32(F, T);
}

// W = E : S/2
KERNEL real sheetValue(sym2 E, sym2 S)
{
	return K(0.5) * FMA(E.a[0], S.a[0], FMA(E.a[1], S.a[1], K(2) * E.a[2] * S.a[2]));
}

// Rounding inside of W: its terms, and E, an entry of which is off by the rounding of F'F
KERNEL real sheetOwnNoise(sheetStiffness c, mat32 F, sym2 E, sym2 S)
{
	real size = FMA(SPLAT(0.5), inner32(F, F), SPLAT(1)), x = ABS(E.a[0]), y = ABS(E.a[1]);
	real terms = FMA(c.c11 * x, x, FMA(c.c22 * y, y, K(2) * ABS(c.c12) * x * y)) + K(4) * c.c33 * E.a[2] * E.a[2];
	real slope = ABS(S.a[0]) + ABS(S.a[1]) + K(2) * ABS(S.a[2]);
	real delta = K(4 * REAL_EPSILON) * size;
	real most = MAX(c.c11, c.c22) + ABS(c.c12) + K(2) * c.c33;
	return FMA(SPLAT(2 * REAL_EPSILON), terms, delta * FMA(most, delta, slope));
}

// Member by member: a compound literal would go through memory.
KERNEL sheetHessian sheetGreen(sheetStiffness c, mat32 F, sym2 S)
{
	sheetHessian H;
	H.w[0] = column32(F, 0);
	H.w[1] = column32(F, 1);
	H.m00 = c.c11;
	H.m11 = c.c22;
	H.m01 = c.c12;
	H.alpha = c.c33;
	H.beta = c.c33;
	H.S = S;
	H.N = identity33();
	H.V.a[0][0] = H.V.a[1][1] = SPLAT(1);
	H.V.a[0][1] = H.V.a[1][0] = SPLAT(0);
	return H;
}

// ---- by stretches --------------------------------------------------------------------------------------------------

// psi and its derivatives come as a stretchLaw at (s0, s1, 1): of bodies, cut by a plane.

KERNEL mat32 sheetStretchPull(const svd32* f, const stretchLaw* w)
{
	mat32 U;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 2; ++j)
			U.a[i][j] = f->u[j].a[i] * w->d[j];
	return mul32t(U, f->V);
}

KERNEL sheetHessian sheetStretch(const svd32* f, const stretchLaw* w)
{
	real s0 = f->s.a[0], s1 = f->s.a[1], scale = s0 + s1 + STRETCH_SCALE, difference = s0 - s1;
	real least = K(REAL_EPSILON) * scale;
	mask apart = difference > FLIP_THRESHOLD * scale;
	real limit = K(0.5) * (w->dd[0] + w->dd[1]) - w->dd[3];
	real flip = SELECT(apart, (w->d[0] - w->d[1]) / SELECT(apart, difference, scale), limit);
	real twist = (w->d[0] + w->d[1]) / MAX(s0 + s1, least);
	sheetHessian H = {.w = {f->u[0], f->u[1]},
	                  .m00 = w->dd[0],
	                  .m11 = w->dd[1],
	                  .m01 = w->dd[3],
	                  .alpha = K(0.5) * (flip + twist),
	                  .beta = K(0.5) * (flip - twist),
	                  .S = {{w->d[0] / MAX(s0, least), w->d[1] / MAX(s1, least), SPLAT(0)}},
	                  .V = f->V};
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			H.N.a[i][j] = f->n.a[i] * f->n.a[j];
	return H;
}

// ---- without negative eigenvalues ----------------------------------------------------------------------------------

// Of laws by Green strain the numbers m are semidefinite already.
KERNEL sheetHessian sheetProject(sheetHessian H, bool byStretches)
{
	H.S = clampSpectrum2(H.S);
	if (!byStretches)
		return H;
	sym2 M = clampSpectrum2((sym2){{H.m00, H.m11, H.m01}});
	real flip = MAX(H.alpha + H.beta, SPLAT(0)), twist = MAX(H.alpha - H.beta, SPLAT(0));
	H.m00 = M.a[0];
	H.m11 = M.a[1];
	H.m01 = M.a[2];
	H.alpha = K(0.5) * (flip + twist);
	H.beta = K(0.5) * (flip - twist);
	return H;
}

// ---- rounding ------------------------------------------------------------------------------------------------------

// As in tet.h: an entry of F is off by at most 2.5 epsilons of |Ds| |B|, which moves W by |P| : |dF| to first order,
// and to second order by stiffness times the square.
KERNEL real sheetMovedNoise(mat32 P, mat32 Ds, mat2 B, real stiffness)
{
	real sum = SPLAT(0), square = SPLAT(0);
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 2; ++j)
		{
			real size = FMA(ABS(Ds.a[i][0]), ABS(B.a[0][j]), ABS(Ds.a[i][1]) * ABS(B.a[1][j]));
			sum = FMA(ABS(P.a[i][j]), size, sum);
			square = FMA(size, size, square);
		}
	real delta = SPLAT(2.5 * REAL_EPSILON);
	return delta * FMA(delta * stiffness, square, sum);
}

// Rounding inside the decomposition, as stretchNoise
KERNEL real sheetStretchNoise(const svd32* f, const stretchLaw* w)
{
	real delta = K(8 * REAL_EPSILON) * f->s.a[0], sum = SPLAT(0);
	for (int i = 0; i < 2; ++i)
		sum += ABS(w->d[i]) + delta * ABS(w->dd[i]);
	return delta * sum;
}

#endif
