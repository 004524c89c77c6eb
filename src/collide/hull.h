// hull.h: convex polytopes: vertices, faces with their planes, half-edges
//
// Half-edge e runs from corner e to the next corner of its face, counter-clockwise seen from outside. The half-edges of
// face f are faceStart[f] .. faceStart[f + 1] - 1. twin[e] runs the other way in the face beyond.
#ifndef PL_HULL_H
#define PL_HULL_H

#include "../base/base.h"

// Sizes of solids. An inertia is a density times the fifth power of a length, and has to be a number.
#define PL_SMALLEST_LENGTH 1e-40 // m
#define PL_LARGEST_LENGTH 1e40   // m

// What the narrow phase reads. Arrays may belong to a plHull or stand on the stack, as those of a box do.
typedef struct plPolytope
{
	uint32_t vertexCount, faceCount, edgeCount; // half-edges
	const double* vertices;                     // [3 vertexCount] m
	const double* planes;                       // [4 faceCount] unit normal outwards n, and d: n.x = d on the face
	const uint32_t* faceStart;                  // [faceCount + 1] into the next three
	const uint32_t* corners;                    // [edgeCount] vertex that a half-edge starts from
	const uint32_t* twins;                      // [edgeCount]
	const uint32_t* faceOf;                     // [edgeCount]
} plPolytope;

typedef struct plHull plHull;

// The hull of points, in any order, with duplicates. Faces that lie in one plane up to rounding become one; points
// within rounding of the hull are left out. pl_errorInput with words where it has no volume (no point, a point, a line,
// a plane, NaN), pl_errorMemory.
plResult plHull_Create(plHull** hull, const double* points, size_t count, plHeap* heap, plError* error);
void plHull_Destroy(plHull* hull, plHeap* heap); // it may be NULL
plPolytope plHull_GetPolytope(const plHull* hull);

// The vertex that is farthest along a direction of any length. Hulls of many vertices climb from face to face,
// starting at the vertex `from`.
uint32_t plHull_FindFarthest(const plHull* hull, const double direction[3], uint32_t from);
// The smallest distance between two parallel planes that hold it, m; found when it was made.
double plHull_GetWidth(const plHull* hull);

#endif
