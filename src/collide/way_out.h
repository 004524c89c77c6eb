// way_out.h: the shortest way out of an overlap of two convex cores, up to a tolerance
#ifndef PL_WAY_OUT_H
#define PL_WAY_OUT_H

#include "gjk.h"

typedef struct plWayOut
{
	double normal[3]; // from a into b, in a's axes, unit
	double gap;       // of the cores along it, m: below 0 they overlap
	double bound;     // no direction has a larger gap, m
} plWayOut;

// One of the cores at least has a volume. The gap is within the tolerance (m) of the bound, unless rounding or the
// number of corners ends the search before: see way_out.c.
void plCore_FindWayOut(const plCore* a, const plCore* b, const plView* view, double tolerance, plWayOut* way);

#endif
