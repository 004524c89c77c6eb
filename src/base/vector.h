// vector.h: vectors of three numbers as arrays
#ifndef PL_BASE_VECTOR_H
#define PL_BASE_VECTOR_H

#include "base.h"

#include <math.h>

static inline double dot3(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// c = a x b
static inline void cross3(const double a[3], const double b[3], double c[3])
{
	c[0] = a[1] * b[2] - a[2] * b[1];
	c[1] = a[2] * b[0] - a[0] * b[2];
	c[2] = a[0] * b[1] - a[1] * b[0];
}

// c = a - b
static inline void subtract3(const double a[3], const double b[3], double c[3])
{
	for (int i = 0; i < 3; ++i)
		c[i] = a[i] - b[i];
}

static inline void copy3(const double a[3], double b[3])
{
	b[0] = a[0], b[1] = a[1], b[2] = a[2];
}

// To unit length; zero stays.
static inline void normalise3(double a[3])
{
	double length = sqrt(dot3(a, a));
	for (int i = 0; i < 3 && length > 0.0; ++i)
		a[i] /= length;
}

static inline bool plVec3_IsFinite(plVec3 a)
{
	return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

#endif
