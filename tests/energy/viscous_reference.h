// viscous_reference.h: damping by the rate of Green strain of one tetrahedron, plainly
//
//   W  = c/(2h) |D|^2,   D = E(F) - A,   E(F) = (F'F - I)/2,   F = Ds B,  B = Dm^-1
//   P  = c/h F D
//   H(iJ, kL) = c/h (delta_ik D_JL + 1/2 (F_iL F_kJ + (F F')_ik delta_JL))
//
// What the kernels (kernel/viscous.h) are compared with: a 9x9 matrix, a factorisation of it, no closed forms.
#ifndef PL_TEST_VISCOUS_REFERENCE_H
#define PL_TEST_VISCOUS_REFERENCE_H

#include "kernel/tet_batch.h"

typedef struct ViscousTet
{
	matrix F, D, B;
	double weight; // V c / h
} ViscousTet;

static const int strainRows[6] = {0, 1, 2, 0, 0, 1}, strainColumns[6] = {0, 1, 2, 1, 2, 2};

static ViscousTet viscousTetOf(const batches* s, size_t tet, double resistance)
{
	matrix Dm = edges(s->X, tet);
	ViscousTet v = {.B = inverse(Dm), .weight = resistance * determinant(Dm) / 6.0};
	v.F = multiply(edges(s->q, tet), v.B);
	for (int k = 0; k < 6; ++k)
	{
		int i = strainRows[k], j = strainColumns[k];
		double c = i == j ? -1.0 : 0.0;
		for (int r = 0; r < 3; ++r)
			c += v.F.a[r][i] * v.F.a[r][j];
		v.D.a[i][j] = v.D.a[j][i] = 0.5 * c - s->anchor[pl_tetStrain * (tet / 8) + 8 * (size_t)k + tet % 8];
	}
	return v;
}

static double viscousValue(const ViscousTet* v)
{
	double square = 0.0;
	for (int k = 0; k < 9; ++k)
		square += v->D.a[k / 3][k % 3] * v->D.a[k / 3][k % 3];
	return 0.5 * v->weight * square;
}

// Rows of B for corners 1, 2, 3, minus their sum for corner 0
static void cornerShapes(matrix B, double b[4][3])
{
	for (int i = 0; i < 3; ++i)
	{
		b[0][i] = -(B.a[0][i] + B.a[1][i] + B.a[2][i]);
		for (int c = 0; c < 3; ++c)
			b[c + 1][i] = B.a[c][i];
	}
}

static void viscousForces(const ViscousTet* v, double f[4][3])
{
	double b[4][3];
	matrix P = multiply(v->F, v->D);
	cornerShapes(v->B, b);
	for (int c = 0; c < 4; ++c)
		for (int i = 0; i < 3; ++i)
			f[c][i] = v->weight * (P.a[i][0] * b[c][0] + P.a[i][1] * b[c][1] + P.a[i][2] * b[c][2]);
}

static void viscousMatrix(const ViscousTet* v, double H[9][9])
{
	for (int r = 0; r < 9; ++r)
		for (int c = 0; c < 9; ++c)
		{
			int i = r / 3, J = r % 3, k = c / 3, l = c % 3;
			double S = v->F.a[i][0] * v->F.a[k][0] + v->F.a[i][1] * v->F.a[k][1] + v->F.a[i][2] * v->F.a[k][2];
			H[r][c] = (i == k ? v->D.a[J][l] : 0.0) + 0.5 * (v->F.a[i][l] * v->F.a[k][J] + (J == l ? S : 0.0));
		}
}

static bool viscousIsDefinite(double H[9][9])
{
	double C[9][9];
	for (int j = 0; j < 9; ++j)
		for (int i = j; i < 9; ++i)
		{
			double s = H[i][j];
			for (int k = 0; k < j; ++k)
				s -= C[i][k] * C[j][k];
			if (i == j && !(s > 0.0))
				return false;
			C[i][j] = i == j ? sqrt(s) : s / C[j][j];
		}
	return true;
}

// Ten blocks of pairs of corners, as the kernels give them
static void viscousBlocks(const ViscousTet* v, double blocks[90])
{
	double H[9][9], b[4][3];
	viscousMatrix(v, H);
	cornerShapes(v->B, b);
	for (int a = 0; a < 4; ++a)
		for (int c = a; c < 4; ++c, blocks += 9)
			for (int i = 0; i < 3; ++i)
				for (int k = 0; k < 3; ++k)
				{
					blocks[3 * i + k] = 0.0;
					for (int J = 0; J < 3; ++J)
						for (int l = 0; l < 3; ++l)
							blocks[3 * i + k] += v->weight * H[3 * i + J][3 * k + l] * b[a][J] * b[c][l];
				}
}

#endif
