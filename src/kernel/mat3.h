// mat3.h: vectors and 3x3 matrices of `real`, by value
#ifndef PL_MAT3_H
#define PL_MAT3_H

#include "wide.h"

typedef struct vec3
{
	real a[3];
} vec3;

typedef struct mat3
{
	real a[3][3]; // a[row][column]
} mat3;

KERNEL real dot3(vec3 a, vec3 b)
{
	return FMA(a.a[0], b.a[0], FMA(a.a[1], b.a[1], a.a[2] * b.a[2]));
}

KERNEL vec3 cross3(vec3 a, vec3 b)
{
	vec3 c;
	c.a[0] = FMA(a.a[1], b.a[2], -(a.a[2] * b.a[1]));
	c.a[1] = FMA(a.a[2], b.a[0], -(a.a[0] * b.a[2]));
	c.a[2] = FMA(a.a[0], b.a[1], -(a.a[1] * b.a[0]));
	return c;
}

// A B
KERNEL mat3 mul33(mat3 A, mat3 B)
{
	mat3 C;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			C.a[i][j] = FMA(A.a[i][0], B.a[0][j], FMA(A.a[i][1], B.a[1][j], A.a[i][2] * B.a[2][j]));
	return C;
}

// A B'
KERNEL mat3 mul33t(mat3 A, mat3 B)
{
	mat3 C;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			C.a[i][j] = FMA(A.a[i][0], B.a[j][0], FMA(A.a[i][1], B.a[j][1], A.a[i][2] * B.a[j][2]));
	return C;
}

// A' B
KERNEL mat3 mult33(mat3 A, mat3 B)
{
	mat3 C;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			C.a[i][j] = FMA(A.a[0][i], B.a[0][j], FMA(A.a[1][i], B.a[1][j], A.a[2][i] * B.a[2][j]));
	return C;
}

// A v
KERNEL vec3 mulv3(mat3 A, vec3 v)
{
	vec3 w;
	for (int i = 0; i < 3; ++i)
		w.a[i] = FMA(A.a[i][0], v.a[0], FMA(A.a[i][1], v.a[1], A.a[i][2] * v.a[2]));
	return w;
}

// A' v
KERNEL vec3 multv3(mat3 A, vec3 v)
{
	vec3 r;
	for (int i = 0; i < 3; ++i)
		r.a[i] = FMA(A.a[0][i], v.a[0], FMA(A.a[1][i], v.a[1], A.a[2][i] * v.a[2]));
	return r;
}

KERNEL mat3 scale33(mat3 A, real s)
{
	for (int k = 0; k < 9; ++k)
		A.a[k / 3][k % 3] *= s;
	return A;
}

// Cofactors: d det / dA
KERNEL mat3 cofactor33(mat3 A)
{
	mat3 C;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
		{
			int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
			C.a[i][j] = FMA(A.a[i1][j1], A.a[i2][j2], -(A.a[i1][j2] * A.a[i2][j1]));
		}
	return C;
}

// Sum of the products of entries, A : B
KERNEL real inner33(mat3 A, mat3 B)
{
	real s = A.a[0][0] * B.a[0][0];
	for (int k = 1; k < 9; ++k)
		s = FMA(A.a[k / 3][k % 3], B.a[k / 3][k % 3], s);
	return s;
}

#endif
