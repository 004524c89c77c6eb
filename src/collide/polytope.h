// polytope.h: a core as corners, edges and faces, for axes of separation and the overlap of faces
#ifndef PL_POLYTOPE_H
#define PL_POLYTOPE_H

#include "gjk.h"

enum
{
	pl_prismSides = 8
};

// A prism within a cylinder: faces 0 and 1 are its ends, the others its sides
typedef struct plPrismRoom
{
	double vertices[6 * pl_prismSides];
	double planes[4 * (pl_prismSides + 2)];
	uint32_t faceStart[pl_prismSides + 3];
	uint32_t corners[6 * pl_prismSides], twins[6 * pl_prismSides], faceOf[6 * pl_prismSides];
} plPrismRoom;

// Points and segments have no face, a triangle two. It points into itself: it is made where it stays.
typedef struct plPart
{
	plCore core;
	plPolytope shape;
	union
	{
		plBoxRoom box;
		plPrismRoom prism;
	} room;
} plPart;

void plPart_OfSolid(plPart* part, const plSolid* solid); // convex
// Turns the prism of a cylinder so that an edge of it is farthest along a direction. Nothing for others.
void plPart_Aim(plPart* part, const double direction[3]);
static inline bool plPart_IsCylinder(const plPart* part)
{
	return part->core.cornerCount == 0 && part->core.solid->kind == pl_shapeCylinder;
}

void plPart_OfTriangle(plPart* part, const double corners[3][3]);

// A way out
typedef struct plAxis
{
	double gap;       // of the cores along it
	int kind;         // 0: a face of a, 1: of b, 2: edges
	uint32_t i;       // face, or half-edge of a
	uint32_t j;       // half-edge of b
	double normal[3]; // from a into b, in a's axes
} plAxis;

// The largest gap over faces. False: it is larger than the limit. Starts with gap = -infinite.
bool plAxis_TryFaces(plAxis* best, const plPart* a, const plPart* b, const plView* view, double slack, double limit);
// The same over pairs of edges.
bool plAxis_TryEdges(plAxis* best, const plPart* a, const plPart* b, const plView* view, double slack, double limit);

// The overlap of the face that `best` names with what the other shows to it: candidates in the axes of the one with the
// face. `force`: if there is none, the lowest corner of the other.
void plOverlapFaces(const plAxis* best, const plPart* a, const plPart* b, const plView* view, bool force,
                    plCandidates* c);

// The whole search for two parts. Prisms are turned.
void plPart_Collide(plPart* a, plPart* b, const plView* view, const plPair* pair, plManifold* manifold);
// The same if one is a cylinder, or both have many edges.
void plPart_CollideBySearch(plPart* a, plPart* b, const plView* view, const plPair* pair, plManifold* manifold);

#endif
