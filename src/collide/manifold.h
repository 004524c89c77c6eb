// manifold.h: where two solids touch, or are about to: one normal, up to four points
//
//   n       unit normal, from a into b
//   depth   n.(xa - xb) of a point xa on a and the point xb on b that faces it: above 0 they overlap
//
// xa and xb differ along n only: one of them is stored. A point's feature says which vertices, edges or faces of the
// two solids made it. It stays the same from step to step while they touch in the same way; within a manifold all
// features differ.
#ifndef PL_MANIFOLD_H
#define PL_MANIFOLD_H

#include "solid.h"

enum
{
	pl_manifoldPoints = 4
};

typedef struct plManifoldPoint
{
	double x[3];  // xa, in the world; xb if the manifold is turned, m
	double depth; // m
	uint32_t feature;
} plManifoldPoint;

typedef struct plManifold
{
	double normal[3];
	int count;     // 0: they are farther apart than the margin
	bool turned;   // it was found with a and b the other way round
	bool borrowed; // with a triangle: the normal is that of a neighbour, which may have points of its own
	plManifoldPoint points[pl_manifoldPoints];
} plManifold;

// xa and xb of a point
static inline void plManifold_GetPlaces(const plManifold* m, uint32_t point, double xa[3], double xb[3])
{
	const plManifoldPoint* p = m->points + point;
	for (int i = 0; i < 3; ++i)
	{
		xa[i] = m->turned ? p->x[i] + p->depth * m->normal[i] : p->x[i];
		xb[i] = m->turned ? p->x[i] : p->x[i] - p->depth * m->normal[i];
	}
}

// Points no farther apart than the margin (m). `a` or `b` may be a plane, not both; neither is a mesh. Ties are broken
// by feature numbers, never by what was found in an earlier step.
void plManifold_Find(const plSolid* a, const plSite* siteA, const plSolid* b, const plSite* siteB, double margin,
                     plManifold* manifold);
// The same with one triangle of a mesh as b. The normal stays within the cone of the triangle's feature that a meets,
// so that nothing catches on the edges between the triangles of a flat floor. Triangles push to their front only.
void plManifold_FindTriangle(const plSolid* a, const plSite* siteA, const plSolid* mesh, const plSite* siteB,
                             uint32_t triangle, double margin, plManifold* manifold);
// Manifolds of one solid with triangles of a mesh: those that push the same way become one, and stand first. Returns
// how many there are; the others have no points. `width`: of the solid.
size_t plManifold_Merge(plManifold* manifolds, size_t count, double margin, double width);

#endif
