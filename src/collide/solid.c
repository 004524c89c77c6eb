// solid.c: making solids; their boxes, and their points that are farthest along a direction
//
//   width     sphere, capsule 2 r     box 2 min half     cylinder min(2 r, 2 half): at an angle t to its axis it is
//             2 (half cos t + r sin t) wide, which has no minimum inside 0 .. 90 degrees
#include "solid.h"
#include "shape.h"
#include "soup.h"
#include "vector.h"

// ---- making them ----------------------------------------------------------------------------------------------------

static plResult checkLength(double length, double least, const char* field, const char* what, plError* error)
{
	if (!(length >= least) || !(length <= PL_LARGEST_LENGTH))
		return plFailAt(error, field, "%s is %g m, it must be from %g to %g", what, length, least, PL_LARGEST_LENGTH);
	return pl_success;
}

// Of half the sides of the box about the origin.
static void setBounds(plSolid* solid, double x, double y, double z, double width)
{
	const double half[3] = {x, y, z};
	for (int i = 0; i < 3; ++i)
	{
		solid->low[i] = -half[i];
		solid->high[i] = half[i];
	}
	solid->width = width;
}

plResult plSolid_CreateSphere(plSolid* solid, double radius, plError* error)
{
	*solid = (plSolid){.kind = pl_shapeSphere, .radius = radius};
	setBounds(solid, radius, radius, radius, 2.0 * radius);
	return checkLength(radius, PL_SMALLEST_LENGTH, "radius", "sphere: its radius", error);
}

plResult plSolid_CreateCapsule(plSolid* solid, double radius, double halfLength, plError* error)
{
	*solid = (plSolid){.kind = pl_shapeCapsule, .radius = radius, .half = {0.0, halfLength, 0.0}};
	setBounds(solid, radius, radius + halfLength, radius, 2.0 * radius);
	plResult result = checkLength(radius, PL_SMALLEST_LENGTH, "radius", "capsule: its radius", error);
	if (result == pl_success)
		result = checkLength(halfLength, 0.0, "length", "capsule: half the length of its axis", error);
	return result;
}

plResult plSolid_CreateCylinder(plSolid* solid, double radius, double halfLength, plError* error)
{
	*solid = (plSolid){.kind = pl_shapeCylinder, .radius = radius, .half = {0.0, halfLength, 0.0}};
	setBounds(solid, radius, halfLength, radius, 2.0 * fmin(radius, halfLength));
	plResult result = checkLength(radius, PL_SMALLEST_LENGTH, "radius", "cylinder: its radius", error);
	if (result == pl_success)
		result = checkLength(halfLength, PL_SMALLEST_LENGTH, "length", "cylinder: half its length", error);
	return result;
}

plResult plSolid_CreateBox(plSolid* solid, const double half[3], plError* error)
{
	*solid = (plSolid){.kind = pl_shapeBox, .half = {half[0], half[1], half[2]}};
	setBounds(solid, half[0], half[1], half[2], 2.0 * fmin(half[0], fmin(half[1], half[2])));
	plResult result = pl_success;
	for (int i = 0; i < 3 && result == pl_success; ++i)
		result = checkLength(half[i], PL_SMALLEST_LENGTH, "size", "box: half an edge", error);
	return result;
}

plResult plSolid_CreateHull(plSolid* solid, const double* points, size_t count, plHeap* heap, plError* error)
{
	static const plSite here = {.R = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
	*solid = (plSolid){.kind = pl_shapeHull};
	plResult result = plHull_Create(&solid->hull, points, count, heap, error);
	if (result != pl_success)
		return result;
	plSolid_Bound(solid, &here, solid->low, solid->high);
	solid->width = plHull_GetWidth(solid->hull);
	return pl_success;
}

plResult plSolid_CreateMesh(plSolid* solid, plMeshView mesh, const plTransform* transform, plHeap* heap, plError* error)
{
	*solid = (plSolid){.kind = pl_shapeMesh, .width = INFINITY};
	plResult result = plShape_CheckTransform(transform, error);
	if (result == pl_success)
		result = plSoup_Create(&solid->soup, mesh, transform, heap, error);
	if (result != pl_success)
		return result;
	plBox bounds = plBoxTree_GetBounds(&solid->soup->tree);
	copy3(bounds.low, solid->low);
	copy3(bounds.high, solid->high);
	return pl_success;
}

void plSolid_CreatePlane(plSolid* solid)
{
	*solid = (plSolid){.kind = pl_shapePlane, .width = INFINITY};
	for (int i = 0; i < 3; ++i)
	{
		solid->low[i] = -INFINITY;
		solid->high[i] = i == 1 ? 0.0 : INFINITY;
	}
}

void plSolid_Destroy(plSolid* solid, plHeap* heap)
{
	plHull_Destroy(solid->hull, heap);
	plSoup_Destroy(solid->soup, heap);
	*solid = (plSolid){0};
}

// ---- how far they reach ---------------------------------------------------------------------------------------------

// Half the side of the box along a direction of unit length. Solids that are their own mirror image only.
static double halfAlong(const plSolid* solid, const double d[3])
{
	const double* half = solid->half;
	switch (solid->kind)
	{
	case pl_shapeCapsule:
		return half[1] * fabs(d[1]) + solid->radius;
	case pl_shapeCylinder:
		return half[1] * fabs(d[1]) + solid->radius * sqrt(d[0] * d[0] + d[2] * d[2]);
	case pl_shapeBox:
		return half[0] * fabs(d[0]) + half[1] * fabs(d[1]) + half[2] * fabs(d[2]);
	default:
		return solid->radius;
	}
}

static void boundHull(const plHull* hull, const plSite* site, double low[3], double high[3])
{
	plPolytope p = plHull_GetPolytope(hull);
	uint32_t top = 0, bottom = 0;
	for (int i = 0; i < 3; ++i)
	{
		const double down[3] = {-site->R[i][0], -site->R[i][1], -site->R[i][2]};
		top = plHull_FindFarthest(hull, site->R[i], top);
		bottom = plHull_FindFarthest(hull, down, bottom);
		high[i] = site->p[i] + plDot3(site->R[i], p.vertices + 3 * (size_t)top);
		low[i] = site->p[i] + plDot3(site->R[i], p.vertices + 3 * (size_t)bottom);
	}
}

// Around the turned box of the mesh.
static void boundMesh(const plSolid* solid, const plSite* site, double low[3], double high[3])
{
	double middle[3], half[3];
	for (int i = 0; i < 3; ++i)
	{
		middle[i] = 0.5 * (solid->low[i] + solid->high[i]);
		half[i] = 0.5 * (solid->high[i] - solid->low[i]);
	}
	for (int i = 0; i < 3; ++i)
	{
		const double* R = site->R[i];
		double at = site->p[i] + plDot3(R, middle);
		double reach = half[0] * fabs(R[0]) + half[1] * fabs(R[1]) + half[2] * fabs(R[2]);
		low[i] = at - reach;
		high[i] = at + reach;
	}
}

void plSolid_Bound(const plSolid* solid, const plSite* site, double low[3], double high[3])
{
	if (solid->kind == pl_shapeHull)
		boundHull(solid->hull, site, low, high);
	else if (solid->kind == pl_shapeMesh)
		boundMesh(solid, site, low, high);
	else
		for (int i = 0; i < 3; ++i)
		{
			bool isPlane = solid->kind == pl_shapePlane;
			double reach = isPlane ? INFINITY : halfAlong(solid, site->R[i]), up = site->R[i][1];
			low[i] = isPlane && up == -1.0 ? site->p[i] : site->p[i] - reach; // a plane across an axis has an end
			high[i] = isPlane && up == 1.0 ? site->p[i] : site->p[i] + reach;
		}
}

// ---- support --------------------------------------------------------------------------------------------------------

// Adds r d / |d|, of a flat end without y; scaled first, because squares of tiny and huge numbers are none. Any point
// for no direction.
static void addRound(const double d[3], double radius, bool isFlat, double point[3])
{
	double x = d[0], y = isFlat ? 0.0 : d[1], z = d[2], largest = fmax(fabs(x), fmax(fabs(y), fabs(z)));
	if (!(largest > 0.0))
		x = largest = 1.0;
	x /= largest;
	y /= largest;
	z /= largest;
	double scale = radius / sqrt(x * x + y * y + z * z);
	point[0] += scale * x;
	point[1] += scale * y;
	point[2] += scale * z;
}

void plSolid_Support(const plSolid* solid, const double d[3], double point[3])
{
	bool isCylinder = solid->kind == pl_shapeCylinder;
	PL_ASSERT(plSolid_IsConvex(solid), "planes and meshes have no support points");
	if (solid->kind == pl_shapeHull)
	{
		plPolytope p = plHull_GetPolytope(solid->hull);
		copy3(p.vertices + 3 * (size_t)plHull_FindFarthest(solid->hull, d, 0), point);
		return;
	}
	for (int i = 0; i < 3; ++i) // corner of the box, end of the axis, centre
		point[i] = d[i] < 0.0 ? -solid->half[i] : solid->half[i];
	if (solid->kind != pl_shapeBox)
		addRound(d, solid->radius, isCylinder, point);
}

// ---- boxes as polytopes ---------------------------------------------------------------------------------------------

// Vertex 4 c + 2 b + a is at +half along z, y, x where the digit is 1. Faces -x +x -y +y -z +z.
static const uint32_t boxFaceStart[7] = {0, 4, 8, 12, 16, 20, 24};
static const uint32_t boxCorners[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
static const uint32_t boxTwins[24] = {11, 23, 12, 16, 18, 14, 21, 9, 19, 7, 20, 0,
                                      2,  22, 5,  17, 3,  15, 4,  8, 10, 6, 13, 1};
static const uint32_t boxFaceOf[24] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5};

plPolytope plSolid_GetPolytope(const plSolid* solid, plBoxRoom* room)
{
	PL_ASSERT(solid->kind == pl_shapeBox || solid->kind == pl_shapeHull, "boxes and hulls are polytopes");
	if (solid->kind == pl_shapeHull)
		return plHull_GetPolytope(solid->hull);
	for (size_t v = 0; v < 8; ++v)
		for (size_t i = 0; i < 3; ++i)
			room->vertices[3 * v + i] = v >> i & 1 ? solid->half[i] : -solid->half[i];
	for (size_t f = 0; f < 6; ++f)
		for (size_t i = 0; i < 4; ++i)
			room->planes[4 * f + i] = i == 3 ? solid->half[f / 2] : i != f / 2 ? 0.0 : f % 2 == 1 ? 1.0 : -1.0;
	return (plPolytope){8, 6, 24, room->vertices, room->planes, boxFaceStart, boxCorners, boxTwins, boxFaceOf};
}
