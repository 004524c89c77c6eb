// solid.h: what rigid bodies are made of: convex solids, and static surfaces, each in axes of its own
//
//   plane     the half-space y <= 0                   static bodies only
//   sphere    radius about the origin
//   capsule   radius about the segment from -half[1] to half[1] on the y axis
//   cylinder  radius about the same segment, flat ends
//   box       |x_i| <= half[i]
//   hull      a convex polytope
//   mesh      triangles, which need not be closed      static bodies only
//
// A shape of a collider (shape.h) is a signed distance for vertices of soft bodies; a solid is what rigid bodies meet
// each other with.
#ifndef PL_SOLID_H
#define PL_SOLID_H

#include "hull.h"
#include "pliant/types.h"

typedef struct plSoup plSoup; // triangles with a tree of their boxes: soup.h

typedef struct plSolid
{
	plShapeKind kind;
	double radius;  // m
	double half[3]; // m
	plHull* hull;   // owned, as the next
	plSoup* soup;
	double low[3], high[3]; // its box, m; infinite for a plane, but y <= 0
	double width; // the smallest distance between two parallel planes that hold it, m; infinite for a plane and
	              // a mesh, whose sizes set no scale
} plSolid;

// Where a solid is: its point X is at p + R X, R by rows.
typedef struct plSite
{
	double p[3];
	double R[3][3];
} plSite;

// Mass, centre of mass, and inertia about it: entries xx yy zz xy xz yz of the matrix, in the axes of the solid
// (kg m^2). xy is minus the integral of x y.
typedef struct plInertia
{
	double mass;
	double centre[3];
	double moments[6];
} plInertia;

// pl_errorInput with words, and the member at fault (radius, length, size, points, mesh, transform), for sizes that
// make no solid; pl_errorMemory. A capsule may have no length.
plResult plSolid_CreateSphere(plSolid* solid, double radius, plError* error);
plResult plSolid_CreateCapsule(plSolid* solid, double radius, double halfLength, plError* error);
plResult plSolid_CreateCylinder(plSolid* solid, double radius, double halfLength, plError* error);
plResult plSolid_CreateBox(plSolid* solid, const double half[3], plError* error);
plResult plSolid_CreateHull(plSolid* solid, const double* points, size_t count, plHeap* heap, plError* error);
plResult plSolid_CreateMesh(plSolid* solid, plMeshView mesh, const plTransform* transform, plHeap* heap,
                            plError* error);
void plSolid_CreatePlane(plSolid* solid);
void plSolid_Destroy(plSolid* solid, plHeap* heap);

static inline bool plSolid_IsConvex(const plSolid* solid)
{
	return solid->kind != pl_shapeMesh && solid->kind != pl_shapePlane;
}

// Of a density (kg/m^3). False: it has no volume (plane, mesh).
bool plSolid_GetInertia(const plSolid* solid, double density, plInertia* inertia);
// Its box at a site. That of a mesh holds its box; a plane has an end across an axis of the world.
void plSolid_Bound(const plSolid* solid, const plSite* site, double low[3], double high[3]);
// Its support: the point of a convex solid that is farthest along a direction of any length, both in its own axes.
void plSolid_Support(const plSolid* solid, const double direction[3], double point[3]);
// Its polytope; that of a box is written into `room`. Box and hull only.
typedef struct plBoxRoom
{
	double vertices[24];
	double planes[24];
} plBoxRoom;
plPolytope plSolid_GetPolytope(const plSolid* solid, plBoxRoom* room);

// Inertia of several solids together, each taken through its site: parallel axes. The sum starts as zeros.
void plInertia_Add(plInertia* sum, const plInertia* part, const plSite* site);
// Principal axes: inertia = R diag(moments) R', the columns of R are the axes, right-handed; R as a unit quaternion.
// In no order of size: an inertia that is diagonal keeps its axes. Same bits everywhere.
void plInertia_GetAxes(const plInertia* inertia, double moments[3], plQuat* axes);

static inline void plSite_Apply(const plSite* site, const double X[3], double x[3])
{
	double y[3];
	for (int i = 0; i < 3; ++i)
		y[i] = site->p[i] + site->R[i][0] * X[0] + site->R[i][1] * X[1] + site->R[i][2] * X[2];
	x[0] = y[0], x[1] = y[1], x[2] = y[2];
}

static inline void plSite_Turn(const plSite* site, const double X[3], double x[3])
{
	double y[3];
	for (int i = 0; i < 3; ++i)
		y[i] = site->R[i][0] * X[0] + site->R[i][1] * X[1] + site->R[i][2] * X[2];
	x[0] = y[0], x[1] = y[1], x[2] = y[2];
}

// R' x
static inline void plSite_TurnBack(const plSite* site, const double x[3], double X[3])
{
	double y[3];
	for (int i = 0; i < 3; ++i)
		y[i] = site->R[0][i] * x[0] + site->R[1][i] * x[1] + site->R[2][i] * x[2];
	X[0] = y[0], X[1] = y[1], X[2] = y[2];
}

#endif
