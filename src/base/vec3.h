// vec3.h: three numbers at a time
#ifndef PL_SRC_VEC3_H
#define PL_SRC_VEC3_H

#include <math.h>

// The larger, the smaller one; b if either is not a number. Those of the C library are calls.
static inline double plMax(double a, double b)
{
	return a > b ? a : b;
}

static inline double plMin(double a, double b)
{
	return a < b ? a : b;
}

static inline double plDot3(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// out = a x b; it may be either of them
static inline void plCross3(const double a[3], const double b[3], double out[3])
{
	double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
	out[0] = x, out[1] = y, out[2] = z;
}

static inline double plLength3(const double a[3])
{
	return sqrt(plDot3(a, a));
}

// Three floats as doubles, and back
static inline void plWiden3(const float a[3], double out[3])
{
	for (int i = 0; i < 3; ++i)
		out[i] = (double)a[i];
}

static inline void plNarrow3(const double a[3], float out[3])
{
	for (int i = 0; i < 3; ++i)
		out[i] = (float)a[i];
}

// out += s a
static inline void plAdd3(double out[3], double s, const double a[3])
{
	for (int i = 0; i < 3; ++i)
		out[i] += s * a[i];
}

// out = a - b
static inline void plSubtract3(const double a[3], const double b[3], double out[3])
{
	for (int i = 0; i < 3; ++i)
		out[i] = a[i] - b[i];
}

// out = S a, S symmetric: xx yy zz xy xz yz
static inline void plSymmetric3(const double S[6], const double a[3], double out[3])
{
	double x = S[0] * a[0] + S[3] * a[1] + S[4] * a[2], y = S[3] * a[0] + S[1] * a[1] + S[5] * a[2],
	       z = S[4] * a[0] + S[5] * a[1] + S[2] * a[2];
	out[0] = x, out[1] = y, out[2] = z;
}

#endif
