// soup.h: a static surface of triangles, open or closed, and the normals that its edges and corners may push with
//
// A triangle's edge k runs from its corner k to k + 1. Features of a triangle: 0..2 corners, 3..5 edges, 6 the face.
// The normals of a feature are those directions in which it lies farthest out:
//
//   face      its normal n, towards the side that its corners run around counter-clockwise
//   edge      convex: between n and the normal of the triangle beyond. flat, concave: n alone
//             boundary: between n and -n, around the edge
//   corner    those without a part along any edge that leaves it: m.u <= 0. Where there are none, those of its edges
//
// A body that rolls over a floor of triangles meets the edges between them. With other normals it would be pushed
// sideways there.
#ifndef PL_SOUP_H
#define PL_SOUP_H

#include "box_tree.h"
#include "pliant/mesh.h"

typedef enum plEdgeKind
{
	pl_edgeBoundary, // no triangle beyond, several, or one that runs along the edge in the same direction
	pl_edgeConvex,
	pl_edgeFlat, // up to 2^-20 rad
	pl_edgeConcave,
} plEdgeKind;

typedef struct plSoupTriangle
{
	double corner[3][3]; // m
	double normal[3];
	double beyond[3][3];   // normal of the triangle beyond edge k; zero at a boundary
	uint32_t neighbour[3]; // that triangle; UINT32_MAX at a boundary
	uint32_t points[3];    // of its corners; corners in the same place have the same one
	uint32_t source;       // its number in the mesh's surface
	uint8_t edges[3];      // plEdgeKind
} plSoupTriangle;

typedef struct plSoup
{
	plSoupTriangle* triangles; // [count] in the order of the tree's leaves
	size_t count;
	plBoxTree tree;     // of their boxes; its items are triangles
	double* points;     // [3 pointCount]
	uint32_t* fanStart; // [pointCount + 1] into the next
	uint32_t* fan;      // [2 edgeCount] points at the other ends of a point's edges
	size_t pointCount, edgeCount;
	size_t pointRoom;
} plSoup;

// Copies the surface of the mesh to its place. pl_errorInput with words: no triangle, corners that do not exist or are
// not finite, triangles without an area; pl_errorMemory.
plResult plSoup_Create(plSoup** soup, plMeshView mesh, const plTransform* transform, plHeap* heap, plError* error);
void plSoup_Destroy(plSoup* soup, plHeap* heap); // it may be NULL
// The normal of a feature that is nearest to a wanted direction of unit length; at corners within the cone or on the
// arcs of the triangle's two edges there. `wanted` and `normal` are two arrays.
void plSoup_ClampNormal(const plSoup* soup, uint32_t triangle, int feature, const double wanted[3], double normal[3]);

#endif
