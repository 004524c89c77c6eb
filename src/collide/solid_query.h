// solid_query.h: what a ray meets of a solid, which point of it is nearest, and whether two solids overlap
//
// A solid is closed: its surface belongs to it. A mesh is its triangles, seen from both sides; it has no inside.
#ifndef PL_SOLID_QUERY_H
#define PL_SOLID_QUERY_H

#include "solid.h"

typedef struct plSolidHit
{
	double fraction; // of the way from `from` to `to`
	double normal[3];
} plSolidHit;

// Where the way from `from` to `to` meets the solid first, no farther than the fraction `most`. A way that starts
// inside meets it at once, with a normal against the way. False: it does not, or has no length.
bool plSolid_CastRay(const plSolid* solid, const plSite* site, const double from[3], const double to[3], double most,
                     plSolidHit* hit);

// The point of the solid nearest to x, and how far it is, if that is no more than `most`, m. 0, and x itself, if x is
// inside, or nearer than 2^-32 of the size of a hull or a mesh.
bool plSolid_FindClosest(const plSolid* solid, const plSite* site, const double x[3], double most, double point[3],
                         double* distance);

// Do they share a point? Exact but for gaps below 2^-32 of their size and place, which count as none. One of them at
// least is convex.
bool plSolid_Overlaps(const plSolid* a, const plSite* siteA, const plSolid* b, const plSite* siteB);

#endif
