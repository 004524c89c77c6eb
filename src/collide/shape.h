// shape.h: shapes of colliders and their signed distances
#ifndef PL_SHAPE_H
#define PL_SHAPE_H

#include "../energy/push.h"
#include "pliant/types.h"

typedef struct plSurfaceTree plSurfaceTree;
typedef struct plForm plForm;

// What a def says, made ready; everything in the world's axes.
typedef struct plShape
{
	plShapeKind kind;
	double centre[3];    // of a sphere and a box; first end of a capsule; normal of a plane
	double axis[3];      // of a capsule, unit length; zero: a ball
	double length;       // of a capsule's axis, m
	double radius;       // of a sphere and a capsule; offset of a plane, m
	double half[3];      // half the edges of a box, m
	double frame[3][3];  // its axes, by rows
	plSurfaceTree* tree; // of a mesh that keeps its form,
	plForm* form;        // or of one that changes it
	double low[3], high[3];
	double reach; // the largest coordinate that it is made of, m
} plShape;

// pl_success, pl_errorInput or pl_errorMemory with words.
plResult plShape_Create(plShape* shape, const plColliderDef* def, plHeap* heap, plError* error);
// The surface of a mesh, which may stand in any arrays.
plResult plShape_CreateSurface(plShape* shape, plMeshView mesh, const plTransform* transform, plHeap* heap,
                               plError* error);
void plShape_Destroy(plShape* shape, plHeap* heap);
// Has it a scale above 0, a unit quaternion and a finite place? pl_errorInput with words if not.
plResult plShape_CheckTransform(const plTransform* transform, plError* error);
plDistanceFcn* plShape_GetDistance(const plShape* shape);
plDistanceNearFcn* plShape_GetDistanceNear(const plShape* shape); // NULL: it takes no search
// What it turns about unless told otherwise: the middle of its box; of a plane, the point nearest to the origin
void plShape_GetMiddle(const plShape* shape, double middle[3]);
// The box of the surface of a mesh, as its tree has it; false: it has no surface
bool plShape_BoundMesh(plShape* shape, plMeshView mesh, const plTransform* transform);

// ---- triangles of what has corners and edges ------------------------------------------------------------------------

typedef struct plSurfaceSize
{
	size_t vertices, triangles; // 0: it is round, or a half-space
} plSurfaceSize;

plSurfaceSize plShape_GetSurfaceSize(const plShape* shape);
// Corners by triangles; plain: between corner k and the next are two faces in a plane, or a groove, for good: an edge
// that nothing meets which does not meet a face. Both [3 triangles]
void plShape_ListSurface(const plShape* shape, uint32_t* corners, bool* plain);
// Where vertices are in the axes of the shape, [3 vertices] m. `tree`: of a mesh, in the form that it has then
void plShape_PlaceSurface(const plShape* shape, const plSurfaceTree* tree, double* points);

// ---- closed surfaces (surface_tree.c) -------------------------------------------------------------------------------

// Copies the surface of the mesh to its place. Refuses what has no inside: holes, edges of three triangles, triangles
// that disagree on where the outside is, sheets that meet in a vertex alone, flat triangles, a surface turned inside
// out. `changes`: it may be fitted to other places.
plResult plSurfaceTree_Create(plSurfaceTree** tree, plMeshView mesh, const plTransform* transform, bool changes,
                              plHeap* heap, plError* error);
void plSurfaceTree_Destroy(plSurfaceTree* tree, plHeap* heap);
void plSurfaceTree_GetBounds(const plSurfaceTree* tree, double low[3], double high[3]);
void plSurfaceTree_Distance(const void* tree, const double x[3], plDistance* distance);
// Parts are triangles, in an order of the tree's own.
void plSurfaceTree_DistanceNear(const void* tree, const double x[3], uint32_t* part, plDistance* distance);
// Puts its vertices elsewhere: [3 vertexCount] of its mesh. `scratch` has room for as many numbers. The triangles are
// to have areas. Allocates nothing.
void plSurfaceTree_Refit(plSurfaceTree* tree, const double* points, double* scratch);
// Two trees of one mesh, its vertices in two places: where a point beside the one is beside the other. It goes along
// with the nearest point of the surface, and turns with the triangle there.
plCarryFcn plSurfaceTree_Carry;
// As those of shapes
plSurfaceSize plSurfaceTree_GetCounts(const plSurfaceTree* tree);
void plSurfaceTree_ListTriangles(const plSurfaceTree* tree, uint32_t* corners, bool* plain);
void plSurfaceTree_PlaceVertices(const plSurfaceTree* tree, double* points);

#endif
