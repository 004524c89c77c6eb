// solid_shape.c: from a solid that rigid bodies meet to the signed distance that soft bodies meet
//
//   plane, sphere, capsule, box   in closed form, as colliders are (shape.c)
//   hull                          its faces as triangles, a fan from the first corner of each
//   cylinder                      a prism of 64 sides. Its corners are as far outside as the middles of its sides are
//                                 inside: by r tan^2(pi/128), 0.06 % of the radius
//   mesh                          its triangles, which have to enclose something
#include "solid_shape.h"
#include "../base/number.h"

#include <math.h>

enum
{
	sideCount = 64, // of a cylinder
};

// Triangles in arrays of their own.
typedef struct Surface
{
	double* points;  // [3 pointCount]
	uint32_t* faces; // [3 faceCount]
	size_t pointCount, faceCount;
} Surface;

static bool allocateSurface(Surface* surface, size_t pointCount, size_t faceCount, plHeap* heap)
{
	*surface =
	    (Surface){PL_NEW(heap, double, 3 * pointCount), PL_NEW(heap, uint32_t, 3 * faceCount), pointCount, faceCount};
	return surface->points != NULL && surface->faces != NULL;
}

static void freeSurface(Surface* surface, plHeap* heap)
{
	PL_FREE(heap, surface->points, 3 * surface->pointCount);
	PL_FREE(heap, surface->faces, 3 * surface->faceCount);
}

static void setFace(uint32_t** to, uint32_t a, uint32_t b, uint32_t c)
{
	(*to)[0] = a;
	(*to)[1] = b;
	(*to)[2] = c;
	*to += 3;
}

static bool makeHull(Surface* surface, const plSolid* solid, plHeap* heap)
{
	const plPolytope hull = plHull_GetPolytope(solid->hull);
	if (!allocateSurface(surface, hull.vertexCount, hull.edgeCount - 2 * hull.faceCount, heap))
		return false;
	uint32_t* to = surface->faces;
	memcpy(surface->points, hull.vertices, 3 * surface->pointCount * sizeof(double));
	for (uint32_t f = 0; f < hull.faceCount; ++f)
		for (uint32_t e = hull.faceStart[f] + 1; e + 1 < hull.faceStart[f + 1]; ++e)
			setFace(&to, hull.corners[hull.faceStart[f]], hull.corners[e], hull.corners[e + 1]);
	return true;
}

// Points below, then above; counter-clockwise seen from outside.
static bool makeCylinder(Surface* surface, const plSolid* solid, plHeap* heap)
{
	const double step = 6.283185307179586476925 / sideCount, radius = solid->radius * 2.0 / (1.0 + plCos(0.5 * step));
	if (!allocateSurface(surface, 2 * sideCount, 2 * sideCount + 2 * (sideCount - 2), heap))
		return false;
	uint32_t* to = surface->faces;
	for (uint32_t i = 0; i < 2 * sideCount; ++i)
	{
		double* x = surface->points + 3 * (size_t)i;
		x[0] = radius * plSin(step * (i % sideCount));
		x[1] = i < sideCount ? -solid->half[1] : solid->half[1];
		x[2] = radius * plCos(step * (i % sideCount));
	}
	for (uint32_t i = 0; i < sideCount; ++i)
	{
		uint32_t next = (i + 1) % sideCount;
		setFace(&to, i, next, sideCount + next);
		setFace(&to, i, sideCount + next, sideCount + i);
	}
	for (uint32_t i = 1; i + 1 < sideCount; ++i)
	{
		setFace(&to, 0, i + 1, i);
		setFace(&to, sideCount, sideCount + i, sideCount + i + 1);
	}
	return true;
}

static plResult createFromSurface(plShape* shape, const plSolid* solid, const plTransform* local, plHeap* heap,
                                  plError* error)
{
	Surface surface = {0};
	bool fine = solid->kind == pl_shapeHull ? makeHull(&surface, solid, heap) : makeCylinder(&surface, solid, heap);
	plMeshView view = {.vertices = surface.points,
	                   .vertexCount = surface.pointCount,
	                   .surface = surface.faces,
	                   .surfaceCount = surface.faceCount};
	plResult result = fine ? plShape_CreateSurface(shape, view, local, heap, error)
	                       : plFail(error, pl_errorMemory, "shape: not enough memory for its surface");
	freeSurface(&surface, heap);
	return result;
}

static plVec3 place(const plTransform* local, double x, double y, double z)
{
	double to[3] = {x, y, z};
	plTransform_Apply(local, to, to);
	return (plVec3){to[0], to[1], to[2]};
}

plResult plShape_CreateFromSolid(plShape* shape, const plSolid* solid, const plMesh* mesh, const plTransform* local,
                                 plHeap* heap, plError* error)
{
	if (solid->kind == pl_shapeHull || solid->kind == pl_shapeCylinder)
		return createFromSurface(shape, solid, local, heap, error);
	const double up[3] = {0.0, 1.0, 0.0};
	const plVec3 at = local->translation;
	double normal[3];
	plQuat_Rotate(local->rotation, up, normal);
	plColliderDef def = {.shape = solid->kind,
	                     .normal = {normal[0], normal[1], normal[2]},
	                     .offset = normal[0] * at.x + normal[1] * at.y + normal[2] * at.z,
	                     .centre = at,
	                     .radius = solid->radius,
	                     .a = place(local, 0.0, -solid->half[1], 0.0),
	                     .b = place(local, 0.0, solid->half[1], 0.0),
	                     .size = {2.0 * solid->half[0], 2.0 * solid->half[1], 2.0 * solid->half[2]},
	                     .rotation = local->rotation,
	                     .mesh = mesh,
	                     .transform = *local};
	return plShape_Create(shape, &def, heap, error);
}
