// fibre.h: one tetrahedron with fibres that resist a change of their length
//
//   W(F) = k/2 (r - 1)^2,    a = F d,  r = |a|,  n = a/r                          d unit direction at rest, k stiffness
//
//   P       = k (r - 1) n d'
//   h_a     = V k (r - 1) (b_a.d) n                                               dE/dx_a, b_a as in tet.h
//   K_ab    = V k (b_a.d)(b_b.d) (n n' + (1 - 1/r)(1 - n n'))                     d2E/dx_a dx_b
//
// The eigenvalues of the bracket are 1 along the fibre and 1 - 1/r across it: clamping the latter at zero projects it.
// Where the fibre has no length (r = 0) its direction is not defined and the force jumps; n is then taken as zero.
#ifndef PL_FIBRE_H
#define PL_FIBRE_H

#include "mat3.h"

typedef struct fibre
{
	vec3 d; // unit direction
	real k;
} fibre;

typedef struct fibrePose
{
	vec3 n;
	real r;
	real across; // 1 - 1/r
} fibrePose;

KERNEL fibrePose fibrePoseOf(const fibre* f, mat3 F)
{
	fibrePose p;
	vec3 a = mulv3(F, f->d);
	p.r = SQRT(dot3(a, a));
	real reciprocal = K(1) / MAX(p.r, SPLAT(REAL_EPSILON));
	for (int i = 0; i < 3; ++i)
		p.n.a[i] = a.a[i] * reciprocal;
	p.across = K(1) - reciprocal;
	return p;
}

KERNEL real fibreEnergy(const fibre* f, const fibrePose* p)
{
	real u = p->r - K(1);
	return K(0.5) * f->k * u * u;
}

KERNEL mat3 fibreStress(const fibre* f, const fibrePose* p)
{
	mat3 P;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			P.a[i][j] = f->k * (p->r - K(1)) * p->n.a[i] * f->d.a[j];
	return P;
}

// weight (n n' + across (1 - n n')); symmetric to the last bit
KERNEL mat3 fibreBlock(const fibrePose* p, real across, real weight)
{
	mat3 N;
	for (int i = 0; i < 3; ++i)
		for (int j = i; j < 3; ++j)
		{
			real nn = p->n.a[i] * p->n.a[j];
			N.a[i][j] = N.a[j][i] = weight * FMA(across, (i == j ? K(1) : K(0)) - nn, nn);
		}
	return N;
}

// dF : d2W/dF2 : dF = k (u.n)^2 + k across (u.u - (u.n)^2),  u = dF d
KERNEL real fibreCurvature(const fibre* f, const fibrePose* p, mat3 dF)
{
	vec3 u = mulv3(dF, f->d);
	real along = dot3(u, p->n), square = along * along;
	return f->k * FMA(p->across, dot3(u, u) - square, square);
}

// d2W/dF2 : dF = r d' with r = k (n (u.n) + across (u - n (u.n))),  u = dF d
KERNEL vec3 fibreProduct(const fibre* f, const fibrePose* p, mat3 dF)
{
	vec3 u = mulv3(dF, f->d), r;
	real along = dot3(u, p->n);
	for (int i = 0; i < 3; ++i)
		r.a[i] = f->k * FMA(p->across, u.a[i] - along * p->n.a[i], along * p->n.a[i]);
	return r;
}

// An entry of a = Ds B d is a sum of nine products, off by at most 4.5 epsilons of the sum of their absolute
// values: 2.5 from F (tet.h), 1.5 from F d, half of one from d. Their norm, and two epsilons from taking that of a,
// bound what r is off by, delta; W moves by k |r - 1| delta to first and k/2 delta^2 to second order.
KERNEL real fibreNoise(const fibre* f, const fibrePose* p, mat3 Ds, mat3 B)
{
	vec3 size, row;
	for (int k = 0; k < 3; ++k)
	{
		row.a[k] = SPLAT(0);
		for (int j = 0; j < 3; ++j)
			row.a[k] = FMA(ABS(B.a[k][j]), ABS(f->d.a[j]), row.a[k]);
	}
	for (int i = 0; i < 3; ++i)
	{
		size.a[i] = SPLAT(0);
		for (int k = 0; k < 3; ++k)
			size.a[i] = FMA(ABS(Ds.a[i][k]), row.a[k], size.a[i]);
	}
	real delta = K(REAL_EPSILON) * FMA(SPLAT(4.5), SQRT(dot3(size, size)), K(2) * p->r);
	return f->k * delta * FMA(SPLAT(0.5), delta, ABS(p->r - K(1)));
}

#endif
