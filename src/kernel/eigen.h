// eigen.h: eigenvalues and eigenvectors of symmetric 3x3 matrices, and the clamping of negative ones
//
//   A = Q diag(w) Q'     Q a rotation (det +1), w in no particular order; the upper triangle of A is read
//
// Four Jacobi sweeps, twelve rotations: every matrix takes the same operations; no loop waits for convergence. The
// worst matrices that a search found are off by 3e-5 after three sweeps and by rounding alone after four, in double as
// well. The trigonometric formula would need an arccosine. It loses half the digits where eigenvalues are close, and
// leaves the eigenvectors open where they are equal. Here Q is always orthogonal up to rounding.
#ifndef PL_EIGEN_H
#define PL_EIGEN_H

#include "jacobi.h"

enum
{
	eigenSweeps = 4,
};

typedef struct eig3
{
	vec3 w;
	mat3 Q;
} eig3;

typedef struct eigState
{
	mat3 A, Q;
} eigState;

// Clears the entry (p, q), p < q; k is the third index. Only the upper triangle is kept.
KERNEL eigState eigenRotate(eigState x, int p, int q, int k)
{
	real g = x.A.a[p][q];
	givens r = jacobiRotation(x.A.a[p][p], x.A.a[q][q], g);
	x.A.a[p][p] = FMA(-r.t, g, x.A.a[p][p]);
	x.A.a[q][q] = FMA(r.t, g, x.A.a[q][q]);
	x.A.a[p][q] = SPLAT(0);

	int pr = p < k ? p : k, pc = p < k ? k : p; // the entries that couple p and q to k
	int qr = q < k ? q : k, qc = q < k ? k : q;
	real a = x.A.a[pr][pc], b = x.A.a[qr][qc];
	x.A.a[pr][pc] = FMA(r.c, a, -(r.s * b));
	x.A.a[qr][qc] = FMA(r.s, a, r.c * b);
	x.Q = rotateColumns(x.Q, r, p, q);
	return x;
}

KERNEL eig3 eigen33(mat3 A)
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < i; ++j)
			A.a[i][j] = A.a[j][i];
	real magnitude = magnitude33(A);
	eigState x;
	x.A = scale33(A, K(1) / magnitude);
	x.Q = identity33();
	for (int sweep = 0; sweep < eigenSweeps; ++sweep)
	{
		x = eigenRotate(x, 0, 1, 2);
		x = eigenRotate(x, 0, 2, 1);
		x = eigenRotate(x, 1, 2, 0);
	}
	eig3 r;
	r.Q = x.Q;
	for (int i = 0; i < 3; ++i)
		r.w.a[i] = x.A.a[i][i] * magnitude;
	return r;
}

// A + sum of max(0, floorValue - w_i) q_i q_i': the symmetric A with eigenvalues below the floor raised to it, up to
// the rounding of A's largest entry. A itself, bit for bit, where none is below.
KERNEL mat3 clampSpectrum33(mat3 A, real floorValue)
{
	eig3 e = eigen33(A);
	vec3 lift;
	for (int k = 0; k < 3; ++k)
		lift.a[k] = MAX(floorValue - e.w.a[k], SPLAT(0));
	mask lifted = MAX(lift.a[0], MAX(lift.a[1], lift.a[2])) > K(0);
	mat3 R = A;
	for (int i = 0; i < 3; ++i)
		for (int j = i; j < 3; ++j)
		{
			real sum = A.a[i][j];
			for (int k = 0; k < 3; ++k)
				sum = FMA(lift.a[k] * e.Q.a[i][k], e.Q.a[j][k], sum);
			R.a[i][j] = SELECT(lifted, sum, A.a[i][j]);
			R.a[j][i] = SELECT(lifted, sum, A.a[j][i]);
		}
	return R;
}

#endif
