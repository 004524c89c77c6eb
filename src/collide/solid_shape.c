// solid_shape.c: from a solid that rigid bodies meet to the signed distance that soft bodies meet
//
//   plane, sphere, capsule, box   in closed form, as colliders are (shape.c)
//   hull, cylinder                their surfaces (solid_surface.c); a cylinder has 64 sides
//   mesh                          its triangles, which have to enclose something
#include "solid_shape.h"
#include "solid_surface.h"

enum
{
	sideCount = 64, // of a cylinder
};

static plResult createFromSurface(plShape* shape, const plSolid* solid, const plTransform* local, plHeap* heap,
                                  plError* error)
{
	plSolidSurface surface;
	if (!plSolidSurface_Create(&surface, solid, sideCount, heap))
		return plFail(error, pl_errorMemory, "shape: not enough memory for its surface");
	plMeshView view = {.vertices = surface.points,
	                   .vertexCount = surface.pointCount,
	                   .surface = surface.faces,
	                   .surfaceCount = surface.faceCount};
	plResult result = plShape_CreateSurface(shape, view, local, heap, error);
	plSolidSurface_Destroy(&surface, heap);
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
