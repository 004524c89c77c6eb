// viscous.h: one tetrahedron that resists the rate of its Green strain
//
//   W(F) = c/(2h) |D|^2,   D = E(F) - A,   E(F) = (F'F - I)/2
//   P    = c/h F D
//   dF : d2W/dF2 : dF = c/h (dF D : dF + |dE|^2),   dE = sym(F' dF)
//   h_a  = V P b_a,    K_ac = V c/h ((b_a.D b_c) I + (F b_c)(F b_a)'/2 + (b_a.b_c) F F'/2)       b_a as in tet.h
//
// So the stress in the rest shape is c times the rate of strain. For the integrator that rate is (E - A)/h, with the
// anchor A of the strain and the step h of plSubstep (energy/energy.h).
//
// E does not change when a body moves or turns rigidly, so neither is resisted. Damping along edges [WY16] resists
// turning; it is printed there with a minus sign, with which it would push.
// Projected: the exact Hessian where it is positive definite. Elsewhere the negative eigenvalues of D are set to zero;
// then both terms are semidefinite.
//
// Symmetric matrices stand as 00 11 22 01 02 12. c viscosity (Pa s), V volume at rest (m^3).
//
// [WY16] Wang and Yang, Descent methods for elastic body simulation on the GPU, 2016.
#ifndef PL_VISCOUS_H
#define PL_VISCOUS_H

#include "eigen.h"
#include "mat3.h"

typedef struct strain
{
	real a[6];
} strain;

CONSTANT int strainRow[6] = {0, 1, 2, 0, 0, 1};
CONSTANT int strainColumn[6] = {0, 1, 2, 1, 2, 2};

KERNEL strain strainOf(mat3 F)
{
	strain E;
	for (int k = 0; k < 6; ++k)
	{
		int i = strainRow[k], j = strainColumn[k];
		real c = FMA(F.a[0][i], F.a[0][j], FMA(F.a[1][i], F.a[1][j], F.a[2][i] * F.a[2][j]));
		E.a[k] = K(0.5) * (i == j ? c - K(1) : c);
	}
	return E;
}

KERNEL mat3 strainMatrix(strain E)
{
	mat3 A;
	for (int k = 0; k < 6; ++k)
		A.a[strainRow[k]][strainColumn[k]] = A.a[strainColumn[k]][strainRow[k]] = E.a[k];
	return A;
}

// |E|^2
KERNEL real strainSquare(strain E)
{
	real along = FMA(E.a[0], E.a[0], FMA(E.a[1], E.a[1], E.a[2] * E.a[2]));
	real across = FMA(E.a[3], E.a[3], FMA(E.a[4], E.a[4], E.a[5] * E.a[5]));
	return FMA(SPLAT(2), across, along);
}

// The quantities below leave out c/h and V.

typedef struct viscousPose
{
	mat3 F;
	mat3 D;
	mat3 S; // F F'
} viscousPose;

KERNEL viscousPose viscousPoseOf(mat3 F, strain anchor)
{
	viscousPose p;
	strain E = strainOf(F);
	for (int k = 0; k < 6; ++k)
		E.a[k] -= anchor.a[k];
	p.F = F;
	p.D = strainMatrix(E);
	p.S = mul33t(F, F);
	return p;
}

// H(iJ, kL) = delta_ik D_JL + (F_iL F_kJ + S_ik delta_JL)/2 by Cholesky's factorisation; a lane that fails goes on with
// 1 on the diagonal
KERNEL mask viscousIsDefinite(const viscousPose* p)
{
	real C[9][9];
	mask definite = SPLAT(1) > SPLAT(0);
	for (int c = 0; c < 9; ++c)
		for (int r = c; r < 9; ++r)
		{
			int i = r / 3, J = r % 3, k = c / 3, l = c % 3;
			real s = K(0.5) * (p->F.a[i][l] * p->F.a[k][J]);
			s += i == k ? p->D.a[J][l] : SPLAT(0);
			s += J == l ? K(0.5) * p->S.a[i][k] : SPLAT(0);
			for (int m = 0; m < c; ++m)
				s = FMA(-C[r][m], C[c][m], s);
			if (r == c)
			{
				definite = MASK_AND(definite, s > K(0));
				C[r][c] = K(1) / SQRT(SELECT(s > K(0), s, SPLAT(1))); // the inverse
			}
			else
				C[r][c] = s * C[c][c];
		}
	return definite;
}

KERNEL viscousPose viscousProject(viscousPose p)
{
	mask definite = viscousIsDefinite(&p);
	mat3 clamped = clampSpectrum33(p.D, SPLAT(0));
	for (int k = 0; k < 9; ++k)
		p.D.a[k / 3][k % 3] = SELECT(definite, p.D.a[k / 3][k % 3], clamped.a[k / 3][k % 3]);
	return p;
}

// K_ac; symmetric to the last bit where a is c
KERNEL mat3 viscousBlock(const viscousPose* p, vec3 a, vec3 c, real weight)
{
	vec3 u = mulv3(p->F, a), w = mulv3(p->F, c);
	real by2 = K(0.5) * weight, along = weight * dot3(a, mulv3(p->D, c)), product = by2 * dot3(a, c);
	mat3 N;
	for (int i = 0; i < 3; ++i)
		for (int k = 0; k < 3; ++k)
		{
			N.a[i][k] = FMA(by2, w.a[i] * u.a[k], product * p->S.a[i][k]);
			if (i == k)
				N.a[i][k] += along;
		}
	return N;
}

// Diagonal entries of K_aa
KERNEL vec3 viscousEntries(const viscousPose* p, vec3 a)
{
	vec3 u = mulv3(p->F, a), r;
	real along = dot3(a, mulv3(p->D, a)), square = K(0.5) * dot3(a, a);
	for (int i = 0; i < 3; ++i)
		r.a[i] = FMA(K(0.5) * u.a[i], u.a[i], FMA(square, p->S.a[i][i], along));
	return r;
}

// dE
KERNEL mat3 viscousRate(const viscousPose* p, mat3 dF)
{
	mat3 G = mult33(p->F, dF), R;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			R.a[i][j] = K(0.5) * (G.a[i][j] + G.a[j][i]);
	return R;
}

KERNEL real viscousCurvature(const viscousPose* p, mat3 dF)
{
	mat3 dE = viscousRate(p, dF);
	return inner33(mul33(dF, p->D), dF) + inner33(dE, dE);
}

// d2W/dF2 : dF = dF D + F dE
KERNEL mat3 viscousProduct(const viscousPose* p, mat3 dF)
{
	mat3 A = mul33(dF, p->D), B = mul33(p->F, viscousRate(p, dF));
	for (int k = 0; k < 9; ++k)
		A.a[k / 3][k % 3] += B.a[k / 3][k % 3];
	return A;
}

// An entry of F is off by at most 2.5 epsilons of |Ds||B| (tet.h), so the norm of E by |F| times that and its own
// rounding, as that of the anchor: delta. |D|^2/2 moves by |D| delta to first and delta^2/2 to second order.
KERNEL real viscousNoise(mat3 F, strain D, mat3 Ds, mat3 B)
{
	real F2 = inner33(F, F), size = SQRT(F2 * inner33(Ds, Ds)) * SQRT(inner33(B, B));
	real delta = K(REAL_EPSILON) * FMA(SPLAT(2.5), size, FMA(SPLAT(2), F2, SPLAT(1)));
	return delta * (SQRT(strainSquare(D)) + delta);
}

#endif
