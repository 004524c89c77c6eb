// block6.h: the block of a rigid body, six by six, and its solution
//
//   H = [ A B' ]    A = m/h^2 + t + ann,  B = [tr] + amn,  C = I/h^2 + tr(trr) - trr + amm      (meet.h)
//       [ B C  ]
//
// H = L D L' without pivots: H is positive definite. Only the lower triangle is used.
#ifndef PL_KERNEL_BLOCK6_H
#define PL_KERNEL_BLOCK6_H

#include "meet.h"

// mass and inertia (xx yy zz xy xz yz) over h^2
KERNEL void block6Fill(real H[6][6], const meetSums* sums, real mass, const real* inertia)
{
	real trace = sums->trr[0] + sums->trr[1] + sums->trr[2];
	for (int k = 0; k < 6; ++k)
	{
		int i = meetColumn[k], j = meetRow[k]; // i >= j
		real diagonal = k < 3 ? mass + sums->t : SPLAT(0), around = k < 3 ? trace : SPLAT(0);
		H[i][j] = diagonal + sums->ann[k];
		H[3 + i][3 + j] = inertia[k] + (around - sums->trr[k]) + sums->amm[k];
	}
	const real* r = sums->tr;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			H[3 + i][j] = sums->amn[3 * i + j];
	H[3][1] -= r[2];
	H[3][2] += r[1];
	H[4][0] += r[2];
	H[4][2] -= r[0];
	H[5][0] -= r[1];
	H[5][1] += r[0];
}

// f becomes H^-1 f; H is used up.
KERNEL void block6Solve(real H[6][6], real* f)
{
	real inverse[6];
	for (int i = 0; i < 6; ++i)
	{
		for (int j = 0; j < i; ++j)
		{
			real sum = H[i][j]; // row i holds L D until its diagonal is known
			for (int k = 0; k < j; ++k)
				sum = FMA(-H[i][k], H[j][k], sum);
			H[i][j] = sum;
		}
		real d = H[i][i];
		for (int k = 0; k < i; ++k)
		{
			real scaled = H[i][k];
			H[i][k] = scaled * inverse[k];
			d = FMA(-scaled, H[i][k], d);
		}
		inverse[i] = K(1) / d;
	}
	for (int i = 1; i < 6; ++i)
		for (int k = 0; k < i; ++k)
			f[i] = FMA(-H[i][k], f[k], f[i]);
	for (int i = 0; i < 6; ++i)
		f[i] = f[i] * inverse[i];
	for (int i = 4; i >= 0; --i)
		for (int k = i + 1; k < 6; ++k)
			f[i] = FMA(-H[k][i], f[k], f[i]);
}

#endif
