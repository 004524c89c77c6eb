// tet.h: arithmetic of one linear tetrahedron of an isotropic law
//
//   F = Ds B,   Ds = [x1-x0, x2-x0, x3-x0],   B = Dm^-1              deformation gradient
//   P = dW/dF                                                        first Piola-Kirchhoff stress
//   h_a = V P b_a,   b_a row a of B for corners 1..3, b_0 = -(b_1 + b_2 + b_3)     dE/dx_a
//   K_ab = V (dP/dF : (b_a, b_b))                                    d2E/dx_a dx_b, 3x3
//
// With F = U diag(s) V' and W(F) = psi(s), every derivative is known from those of psi in the stretches:
//
//   P = U diag(psi_i) V'
//   the second derivative of W, seen through U and V, is psi_ij on the diagonal entries of dF and for each pair i < j
//     flip   f_ij = (psi_i - psi_j) / (s_i - s_j)   on (dF_ij + dF_ji)/sqrt 2
//     twist  t_ij = (psi_i + psi_j) / (s_i + s_j)   on (dF_ij - dF_ji)/sqrt 2
//
// So these six numbers and the eigenvalues of the 3x3 matrix psi_ij are the eigenvalues of the 9x9 Hessian. Clamping
// them at zero makes it semidefinite [TSIF05], [SGK19]. In coordinates, with alpha = (f + t)/2, beta = (f - t)/2 and
// g_a = V' b_a:
//
//   (U' K_ab U)_ii = V (psi_ii g_a,i g_b,i + sum over j != i of alpha_ij g_a,j g_b,j)
//   (U' K_ab U)_ij = V (psi_ij g_a,i g_b,j + beta_ij g_a,j g_b,i)
//
// Pairs stand in the order 01 02 12; symmetric matrices as 00 11 22 01 02 12. No law is known here: the numbers that a
// law computes come in as a stretchLaw.
//
// [TSIF05] Teran, Sifakis, Irving, Fedkiw, Robust quasistatic finite elements and flesh simulation, 2005.
// [SGK19]  Smith, de Goes, Kim, Analytic eigensystems for isotropic distortion energies, 2019.
#ifndef PL_KERNEL_TET_H
#define PL_KERNEL_TET_H

#include "mat3.h"
#include "svd.h"
#include "eigen.h"

// What a law says at stretches s.
typedef struct stretchLaw
{
	real value;     // psi, J/m^3
	real magnitude; // sum of the absolute values of what was added up to psi: rounding is REAL_EPSILON times this
	real d[3];      // psi_i
	real dd[6];     // psi_ij
} stretchLaw;

// The Hessian of W in the frames U, V.
typedef struct stretchHessian
{
	mat3 A;    // psi_ij
	real f[3]; // flip
	real t[3]; // twist
} stretchHessian;

CONSTANT int pairFirst[3] = {0, 0, 1};
CONSTANT int pairSecond[3] = {1, 2, 2};

// Below this distance of two stretches, relative to their scale, the flip is taken by its limit. The quotient has a
// rounding error of about epsilon / distance, the limit a truncation error of about distance^2 / 24: they meet at
// distance = (24 epsilon)^(1/3), where both are 4e-5 (float) and 1e-11 (double).
#if PL_REAL_FLOAT
#define FLIP_THRESHOLD K(1.4e-2)
#else
#define FLIP_THRESHOLD K(1.7e-5)
#endif

// Stretches vary on this scale where they are themselves smaller: laws change their form at 0.1.
#define STRETCH_SCALE K(0.1)

// P = U diag(d) V'
KERNEL mat3 stretchStress(svd3 f, const stretchLaw* w)
{
	mat3 UD;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			UD.a[i][j] = f.U.a[i][j] * w->d[j];
	return mul33t(UD, f.V);
}

// Forces dE/dx on corners 1, 2, 3, as rows.
KERNEL mat3 tetForces(mat3 P, mat3 B, real volume)
{
	mat3 h = mul33t(B, P);
	for (int k = 0; k < 9; ++k)
		h.a[k / 3][k % 3] *= volume;
	return h;
}

// Minus the sum of the rows: force or shape vector of corner 0 from those of corners 1, 2, 3.
KERNEL vec3 cornerZero(mat3 rows)
{
	vec3 r;
	for (int j = 0; j < 3; ++j)
		r.a[j] = -(rows.a[0][j] + rows.a[1][j] + rows.a[2][j]);
	return r;
}

KERNEL stretchHessian stretchSecond(vec3 s, const stretchLaw* w)
{
	stretchHessian H;
	for (int i = 0; i < 3; ++i)
		H.A.a[i][i] = w->dd[i];
	for (int p = 0; p < 3; ++p)
	{
		int i = pairFirst[p], j = pairSecond[p];
		H.A.a[i][j] = H.A.a[j][i] = w->dd[3 + p];

		// s0 >= s1 >= |s2|: neither difference nor sum is ever negative
		real scale = s.a[i] + ABS(s.a[j]) + STRETCH_SCALE;
		real difference = s.a[i] - s.a[j];
		mask apart = difference > FLIP_THRESHOLD * scale;
		real limit = K(0.5) * (w->dd[i] + w->dd[j]) - w->dd[3 + p];
		H.f[p] = SELECT(apart, (w->d[i] - w->d[j]) / SELECT(apart, difference, scale), limit);
		H.t[p] = (w->d[i] + w->d[j]) / MAX(s.a[i] + s.a[j], K(REAL_EPSILON) * scale);
	}
	return H;
}

// The nearest Hessian without negative eigenvalues.
KERNEL stretchHessian stretchProject(stretchHessian H)
{
	H.A = clampSpectrum33(H.A, SPLAT(0));
	for (int p = 0; p < 3; ++p)
	{
		H.f[p] = MAX(H.f[p], SPLAT(0));
		H.t[p] = MAX(H.t[p], SPLAT(0));
	}
	return H;
}

// K_ab from shape vectors seen through V: ga = V' b_a, gb = V' b_b.
KERNEL mat3 tetBlock(const stretchHessian* H, mat3 U, vec3 ga, vec3 gb, real volume)
{
	mat3 N;
	for (int i = 0; i < 3; ++i)
		N.a[i][i] = H->A.a[i][i] * (ga.a[i] * gb.a[i]);
	for (int p = 0; p < 3; ++p)
	{
		int i = pairFirst[p], j = pairSecond[p];
		real alpha = K(0.5) * (H->f[p] + H->t[p]), beta = K(0.5) * (H->f[p] - H->t[p]);
		real ij = ga.a[i] * gb.a[j], ji = ga.a[j] * gb.a[i];
		N.a[i][i] = FMA(alpha, ga.a[j] * gb.a[j], N.a[i][i]);
		N.a[j][j] = FMA(alpha, ga.a[i] * gb.a[i], N.a[j][j]);
		N.a[i][j] = FMA(H->A.a[i][j], ij, beta * ji);
		N.a[j][i] = FMA(H->A.a[i][j], ji, beta * ij);
	}
	for (int k = 0; k < 9; ++k)
		N.a[k / 3][k % 3] *= volume;
	return mul33t(mul33(U, N), U);
}

// dF : d2W/dF2 : dF with dF seen through the frames, D = U' dF V.
KERNEL real stretchCurvature(const stretchHessian* H, mat3 D)
{
	vec3 m = {{D.a[0][0], D.a[1][1], D.a[2][2]}};
	real sum = dot3(m, mulv3(H->A, m));
	for (int p = 0; p < 3; ++p)
	{
		int i = pairFirst[p], j = pairSecond[p];
		real plus = D.a[i][j] + D.a[j][i], minus = D.a[i][j] - D.a[j][i];
		sum = FMA(K(0.5) * H->f[p], plus * plus, sum);
		sum = FMA(K(0.5) * H->t[p], minus * minus, sum);
	}
	return sum;
}

// d2W/dF2 : dF with dF seen through the frames, D = U' dF V; the result is seen through them too.
KERNEL mat3 stretchProduct(const stretchHessian* H, mat3 D)
{
	vec3 m = {{D.a[0][0], D.a[1][1], D.a[2][2]}}, n = mulv3(H->A, m);
	mat3 R;
	for (int i = 0; i < 3; ++i)
		R.a[i][i] = n.a[i];
	for (int p = 0; p < 3; ++p)
	{
		int i = pairFirst[p], j = pairSecond[p];
		real plus = K(0.5) * H->f[p] * (D.a[i][j] + D.a[j][i]), minus = K(0.5) * H->t[p] * (D.a[i][j] - D.a[j][i]);
		R.a[i][j] = plus + minus;
		R.a[j][i] = plus - minus;
	}
	return R;
}

// Rounding of F moves W by at most |P| : |dF|. An entry of F is a sum of three products of rounded factors: two
// roundings of half an epsilon from the factors, at most three from the sum, that is |dF| <= 2.5 epsilon |Ds| |B|.
KERNEL real deformationNoise(mat3 P, mat3 Ds, mat3 B)
{
	real sum = SPLAT(0);
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
		{
			real size = SPLAT(0);
			for (int k = 0; k < 3; ++k)
				size = FMA(ABS(Ds.a[i][k]), ABS(B.a[k][j]), size);
			sum = FMA(ABS(P.a[i][j]), size, sum);
		}
	return K(2.5 * REAL_EPSILON) * sum;
}

// Rounding inside the decomposition moves each stretch by delta = 8 epsilon s0, and W by psi_i delta to first order and
// psi_ii delta^2 / 2 to second order, which is what is left at rest.
KERNEL real stretchNoise(vec3 s, const stretchLaw* w)
{
	real delta = K(8 * REAL_EPSILON) * s.a[0];
	real sum = SPLAT(0);
	for (int i = 0; i < 3; ++i)
		sum += ABS(w->d[i]) + delta * ABS(w->dd[i]);
	return delta * sum;
}

#endif
