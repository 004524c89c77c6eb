// vector.h: triangles of three corners; vectors are in base/vector.h
#ifndef PL_VECTOR_H
#define PL_VECTOR_H

#include "box_tree.h"
#include "../base/vector.h"

static inline void plTriangle_GetNormal(const double corner[3][3], double normal[3])
{
	double ab[3], ac[3];
	subtract3(corner[1], corner[0], ab);
	subtract3(corner[2], corner[0], ac);
	normalise3(ab); // of unit length first: the product of tiny edges would vanish
	normalise3(ac);
	cross3(ab, ac, normal);
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
