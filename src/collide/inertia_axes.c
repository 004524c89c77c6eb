// inertia_axes.c: principal axes of an inertia,  I = R diag(w) R',  by Jacobi rotations
//
// R is the rotation that the sweeps end with. Inertias that are diagonal already keep their axes: R = 1.
#define PL_LANES 1
#define PL_REAL_FLOAT 0
#define PL_HAS_FMA 0 // two roundings on every machine: same bits
#include "../base/rotation.h"
#include "../kernel/eigen.h"
#include "solid.h"

void plInertia_GetAxes(const plInertia* inertia, double moments[3], plQuat* axes)
{
	const double* m = inertia->moments;
	const mat3 A = {{{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}}};
	eig3 e = eigen33(A);
	for (int i = 0; i < 3; ++i)
		moments[i] = e.w.a[i];
	*axes = plQuat_FromMatrix(e.Q.a);
}
