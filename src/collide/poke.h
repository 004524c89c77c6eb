// poke.h: where corners and edges of a convex polytope meet triangles and edges of a surface that bends
#ifndef PL_POKE_H
#define PL_POKE_H

#include "hull.h"

// A point of a triangle or an edge that a corner or an edge of a polytope is about to touch, or has passed.
typedef struct plPoke
{
	uint32_t part;    // the corner, or the half-edge with the lower number
	double shares[3]; // of the point in its vertices; they sum up to 1
	double gap;       // from the polytope to the point along the normal, m; below 0: it has passed
	double normal[3]; // away from the polytope, unit
} plPoke;

// What counts, everything in the axes of the polytope.
typedef struct plPokeSearch
{
	plPolytope solid;
	double near; // gaps up to this, m
	double deep; // and down to minus this
} plPokeSearch;

// Corners against a triangle, ascending. `closed`: it is outward on the surface of a body, and met from outside only.
// Writes at most `room` of them, returns how many there are.
size_t plFindCornerPokes(const plPokeSearch* search, const double triangle[3][3], bool closed, plPoke* pokes,
                         size_t room);
// Edges against an edge. `outward`: any vector that points out of the body there; zeros: it is met from all sides.
size_t plFindEdgePokes(const plPokeSearch* search, const double edge[2][3], const double outward[3], plPoke* pokes,
                       size_t room);

#endif
