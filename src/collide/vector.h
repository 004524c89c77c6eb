// vector.h: what base/vec3.h does not have of vectors, and triangles of three corners
#ifndef PL_VECTOR_H
#define PL_VECTOR_H

#include "box_tree.h"
#include "../base/vec3.h"

static inline void copy3(const double a[3], double b[3])
{
	b[0] = a[0], b[1] = a[1], b[2] = a[2];
}

// To unit length; zero stays.
static inline void normalise3(double a[3])
{
	double length = sqrt(plDot3(a, a));
	for (int i = 0; i < 3 && length > 0.0; ++i)
		a[i] /= length;
}

static inline void plTriangle_GetNormal(const double corner[3][3], double normal[3])
{
	double ab[3], ac[3];
	plSubtract3(corner[1], corner[0], ab);
	plSubtract3(corner[2], corner[0], ac);
	normalise3(ab); // of unit length first: the product of tiny edges would vanish
	normalise3(ac);
	plCross3(ab, ac, normal);
	normalise3(normal);
}

static inline plBox plTriangle_Bound(const double corner[3][3])
{
	plBox box;
	for (int i = 0; i < 3; ++i)
	{
		box.low[i] = fmin(corner[0][i], fmin(corner[1][i], corner[2][i]));
		box.high[i] = fmax(corner[0][i], fmax(corner[1][i], corner[2][i]));
	}
	return box;
}

#endif
