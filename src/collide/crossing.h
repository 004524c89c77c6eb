// crossing.h: do two triangles of a surface cross?
//
// They cross if they have a point in common that is not in a vertex or an edge that both have. Touching counts: where
// no two triangles cross, nothing of the surface lies on anything else of it. What is common to triangles is known by
// the numbers of their vertices, not by their places: two vertices in one place are two.
//
//   no vertex in common    any common point
//   one, v                 any common point but v
//   two, u and v           any common point beside the segment u v: they lie in one plane, folded onto each other
//   three                  never: they are one triangle
//
// Triangles may be as flat as a segment or a point. The answer is exact for all finite coordinates.
#ifndef PL_CROSSING_H
#define PL_CROSSING_H

#include <stdbool.h>
#include <stdint.h>

// A triangle of a surface, called a facet here: places and numbers of its corners
typedef struct plFacet
{
	const double* corner[3]; // m
	uint32_t vertex[3];      // three different ones
} plFacet;

bool plFacets_Cross(const plFacet* a, const plFacet* b);

#endif
