// gjk.h: how far apart two convex cores are, and where
#ifndef PL_GJK_H
#define PL_GJK_H

#include "narrow.h"

// A convex set in axes of its own.
typedef struct plCore
{
	const plSolid* solid; // box, hull, cylinder; used if cornerCount is 0
	int cornerCount;      // 1 point, 2 segment, 3 triangle
	double corners[3][3];
	double radius; // what the core is grown by, m
	double size;   // no point of it is farther than that from its origin, up to a factor of two, m
} plCore;

plCore plCore_OfSolid(const plSolid* solid); // convex
plCore plCore_OfTriangle(const double corners[3][3]);
// The point of the core that is farthest along a direction of any length.
void plCore_Support(const plCore* core, const double direction[3], double point[3]);

typedef struct plNearest
{
	double xa[3], xb[3]; // in a's axes
	double normal[3];    // from a into b, unit
	double distance;     // of the cores, m
} plNearest;

// False: the cores overlap, or are so near (2^-32 of their size) that rounding spoils the normal.
bool plCore_FindNearest(const plCore* a, const plCore* b, const plView* view, plNearest* nearest);

// One point, where a core with corners or a solid is nearest to another. False as above, and nothing is written.
bool plCore_Collide(const plCore* a, const plCore* b, const plView* view, const plPair* pair, plManifold* manifold);

#endif
