// inertia_axes.c: principal axes of an inertia,  I = R diag(w) R',  by Jacobi rotations
//
// R is the rotation that the sweeps end with. Inertias that are diagonal already keep their axes: R = 1.
#define PL_LANES 1
#define PL_REAL_FLOAT 0
#define PL_HAS_FMA 0 // two roundings on every machine: same bits
#include "../kernel/eigen.h"
#include "solid.h"

#include <math.h>

// The quaternion of a rotation, from its largest component [She78].
//
// [She78] Shepperd, Quaternion from rotation matrix, 1978.
static plQuat quaternionOf(const double R[3][3])
{
	double q[4], trace = R[0][0] + R[1][1] + R[2][2], square = 0.0; // x y z s
	int most = 3;
	for (int i = 0; i < 3; ++i)
		most = R[i][i] > (most == 3 ? trace : R[most][most]) ? i : most;
	if (most == 3)
	{
		q[3] = 1.0 + trace;
		for (int i = 0; i < 3; ++i)
			q[i] = R[(i + 2) % 3][(i + 1) % 3] - R[(i + 1) % 3][(i + 2) % 3];
	}
	else
	{
		int i = most, j = (i + 1) % 3, k = (i + 2) % 3;
		q[i] = 1.0 + R[i][i] - R[j][j] - R[k][k];
		q[j] = R[j][i] + R[i][j];
		q[k] = R[k][i] + R[i][k];
		q[3] = R[k][j] - R[j][k];
	}
	for (int i = 0; i < 4; ++i)
		square += q[i] * q[i];
	double scale = (q[3] < 0.0 ? -1.0 : 1.0) / sqrt(square);
	return (plQuat){{scale * q[0], scale * q[1], scale * q[2]}, scale * q[3]};
}

void plInertia_GetAxes(const plInertia* inertia, double moments[3], plQuat* axes)
{
	const double* m = inertia->moments;
	const mat3 A = {{{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}}};
	eig3 e = eigen33(A);
	for (int i = 0; i < 3; ++i)
		moments[i] = e.w.a[i];
	*axes = quaternionOf(e.Q.a);
}
