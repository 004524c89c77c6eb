// rigid_shapes.c: shapes of rigid bodies: from defs to slots, and what they weigh together
//
//   m = sum m_s,   centre = sum m_s c_s / m,   inertia about it by parallel axes          s over the shapes of a body
//
// A given mass scales all of them, a given inertia takes their place. When the centre of mass moves by D in the frame,
// the frame stays and every point keeps its velocity:  p += R D,  v += w x R D.
#include "world.h"
#include "../base/rotation.h"
#include "../base/vec3.h"
#include "../collide/solid_shape.h"
#include "../collide/solid_surface.h"

#include <math.h>

plShapeDef plDefaultShapeDef(void)
{
	return (plShapeDef){.kind = pl_shapeBox,
	                    .radius = 0.5,
	                    .length = 1.0,
	                    .size = {1.0, 1.0, 1.0},
	                    .local = plTransform_identity,
	                    .density = 1000.0,
	                    .friction = -1.0,
	                    .slidingFriction = -1.0,
	                    .category = 1,
	                    .mask = UINT64_MAX,
	                    .cookie = PL_COOKIE(plShapeDef)};
}

// ---- checks ---------------------------------------------------------------------------------------------------------

// What has to be there; sizes are checked where solids are made.
static plResult checkArrays(const plShapeDef* def, plError* error)
{
	if (def->kind == pl_shapeMesh && def->mesh == NULL)
		return plFailAt(error, "mesh", "shape: there is no mesh, a shape of this kind needs one");
	if (def->kind == pl_shapeHull && def->mesh == NULL && (def->points == NULL || def->pointCount == 0))
		return plFailAt(error, "points", "shape: there are neither points nor a mesh, a hull needs one of them");
	return pl_success;
}

plResult plShapeDef_CheckMaterial(const plShapeDef* def, plError* error)
{
	if (!(def->density >= 0.0) || !isfinite(def->density))
		return plFailAt(error, "density", "shape: density is %g kg/m^3, it cannot be below 0", def->density);
	if (!isfinite(def->friction))
		return plFailAt(error, "friction", "shape: friction is %g; it must be finite, below 0 it is the world's",
		                def->friction);
	if (!isfinite(def->slidingFriction))
		return plFailAt(error, "slidingFriction",
		                "shape: sliding friction is %g; it must be finite, below 0 it is as friction",
		                def->slidingFriction);
	if (!(def->restitution >= 0.0 && def->restitution <= 1.0))
		return plFailAt(error, "restitution", "shape: restitution is %g, it must be between 0 and 1", def->restitution);
	if (!plVec3_IsFinite(def->surfaceVelocity))
		return plFailAt(error, "surfaceVelocity", "shape: the velocity of its surface is not finite");
	return pl_success;
}

static plResult checkLocal(const plShapeDef* def, plError* error)
{
	plResult result = plTransform_Check(&def->local, "shape", error);
	if (result == pl_success && def->local.scale != 1.0)
		result = plFailAt(error, "local", "shape: the scale of its transform is %g, it must be 1", def->local.scale);
	if (result < 0 && error != NULL)
		error->field = "local";
	return result;
}

static plResult createSolid(plSolid* solid, const plShapeDef* def, plHeap* heap, plError* error)
{
	const double half[3] = {0.5 * def->size.x, 0.5 * def->size.y, 0.5 * def->size.z};
	bool listed = def->points != NULL && def->pointCount > 0;
	plMeshView mesh = def->mesh != NULL ? plMesh_GetView(def->mesh) : (plMeshView){0};
	switch (def->kind)
	{
	case pl_shapePlane:
		plSolid_CreatePlane(solid);
		return pl_success;
	case pl_shapeSphere:
		return plSolid_CreateSphere(solid, def->radius, error);
	case pl_shapeCapsule:
		return plSolid_CreateCapsule(solid, def->radius, 0.5 * def->length, error);
	case pl_shapeCylinder:
		return plSolid_CreateCylinder(solid, def->radius, 0.5 * def->length, error);
	case pl_shapeBox:
		return plSolid_CreateBox(solid, half, error);
	case pl_shapeHull:
		return plSolid_CreateHull(solid, listed ? def->points : mesh.vertices,
		                          listed ? def->pointCount : mesh.vertexCount, heap, error);
	case pl_shapeMesh:
		return plSolid_CreateMesh(solid, mesh, &plTransform_identity, heap, error);
	}
	return pl_errorInput;
}

// The solid of a def that is checked on the way, with a mass that is a number.
plResult plShapeDef_MakeSolid(plSolid* solid, const plShapeDef* def, plHeap* heap, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plShapeDef), "a plShapeDef starts as plDefaultShapeDef()");
	plInertia inertia;
	*solid = (plSolid){0};
	if ((int)def->kind < 0 || def->kind > pl_shapeCylinder)
		return plFailAt(error, "kind", "shape: kind %d does not exist", (int)def->kind);
	plResult result = checkArrays(def, error);
	if (result == pl_success)
		result = plShapeDef_CheckMaterial(def, error);
	if (result == pl_success)
		result = checkLocal(def, error);
	if (result == pl_success)
		result = createSolid(solid, def, heap, error);
	if (result == pl_success && plSolid_GetInertia(solid, def->density, &inertia) && !isfinite(inertia.mass))
	{
		plSolid_Destroy(solid, heap);
		result = plFailAt(error, "density", "shape: its mass is not finite");
	}
	return result;
}

plResult plShapeDef_Check(const plShapeDef* def, plError* error)
{
	plSolid solid;
	plHeap heap;
	plHeap_Init(&heap, NULL);
	plResult result = plShapeDef_MakeSolid(&solid, def, &heap, error);
	if (result == pl_success)
		plSolid_Destroy(&solid, &heap);
	return result;
}

// ---- its surface ----------------------------------------------------------------------------------------------------

static plMesh* makeMesh(const double* points, size_t pointCount, const uint32_t* faces, size_t faceCount,
                        const plAllocator* allocator, plError* error)
{
	plMeshDef def = plDefaultMeshDef();
	def.vertices = points;
	def.vertexCount = pointCount;
	def.triangles = faces;
	def.triangleCount = faceCount;
	def.allocator = allocator;
	return plCreateMesh(&def, error);
}

plMesh* plCreateShapeMesh(const plShapeDef* def, int sides, const plAllocator* allocator, plError* error)
{
	plSolid solid;
	plSolidSurface surface;
	plMesh* mesh = NULL;
	plHeap heap;
	plHeap_Init(&heap, allocator);
	if (plShapeDef_MakeSolid(&solid, def, &heap, error) < 0)
		return NULL;
	if (def->kind == pl_shapePlane)
		plFailAt(error, "kind", "shape: a plane has no end, so that triangles cannot show it");
	else if (def->kind == pl_shapeMesh)
	{
		plMeshView view = plMesh_GetView(def->mesh);
		mesh = makeMesh(view.vertices, view.vertexCount, view.surface, view.surfaceCount, allocator, error);
	}
	else if (plSolidSurface_Create(&surface, &solid, (uint32_t)(sides < 8 ? 8 : sides + 3) / 4 * 4, &heap))
	{
		mesh = makeMesh(surface.points, surface.pointCount, surface.faces, surface.faceCount, allocator, error);
		plSolidSurface_Destroy(&surface, &heap);
	}
	else
		plFail(error, pl_errorMemory, "shape: not enough memory for its surface");
	plSolid_Destroy(&solid, &heap);
	return mesh;
}

// ---- what a body weighs ---------------------------------------------------------------------------------------------

static plRigidShape* shapeAt(const plWorld* world, uint32_t slot1)
{
	return slot1 != 0 ? plSlots_At(&world->rigids.shapes, slot1 - 1) : NULL;
}

// Contacts know their points by levers from the centre of mass.
static void moveAnchors(plWorld* world, const plRigid* rigid, const double arm[3])
{
	plTouches* t = &world->rigids.touches;
	uint32_t body = plSlots_IndexOf(&world->rigids.bodies, rigid);
	for (size_t k = 0; k < t->keptCount; ++k)
		for (int side = 0; side < 2; ++side)
		{
			const plRigidShape* shape = plSlots_At(&world->rigids.shapes, t->kept[k].shapes[side]);
			for (uint32_t i = 0; shape->body == body && i < t->kept[k].count; ++i)
				for (int axis = 0; axis < 3; ++axis)
					t->kept[k].points[i].anchor[side][axis] -= (float)arm[axis];
		}
}

static void moveCentre(plWorld* world, plRigid* rigid, const double centre[3])
{
	double arm[3], extra[3];
	for (int i = 0; i < 3; ++i)
		arm[i] = centre[i] - rigid->centre[i];
	if (arm[0] != 0.0 || arm[1] != 0.0 || arm[2] != 0.0)
		moveAnchors(world, rigid, arm);
	plQuat_Rotate(rigid->state.q, arm, arm);
	plCross3(rigid->state.w, arm, extra);
	for (int i = 0; i < 3; ++i)
	{
		rigid->centre[i] = centre[i];
		rigid->state.p[i] += arm[i];
		rigid->state.v[i] += extra[i];
	}
	plRigid_Lock(rigid, &rigid->state);
}

void plWorld_Weigh(plWorld* world, plRigid* rigid)
{
	plInertia sum = {0}, part;
	if (rigid->motion != pl_rigidDynamic)
		return;
	for (plRigidShape* s = shapeAt(world, rigid->firstShape1); s != NULL; s = shapeAt(world, s->next1))
		if (s->density > 0.0 && plSolid_GetInertia(&s->solid, s->density, &part) && part.mass > 0.0)
			plInertia_Add(&sum, &part, &s->site);
	double scale = rigid->givenMass > 0.0 && sum.mass > 0.0 ? rigid->givenMass / sum.mass : 1.0;
	rigid->mass = rigid->givenMass > 0.0 ? rigid->givenMass : sum.mass;
	bool given = false, any = false;
	for (int i = 0; i < 6; ++i)
		given = given || rigid->givenInertia[i] != 0.0;
	for (int i = 0; i < 6; ++i)
	{
		sum.moments[i] = given ? rigid->givenInertia[i] : scale * sum.moments[i];
		any = any || sum.moments[i] != 0.0;
	}
	memset(rigid->moments, 0, sizeof rigid->moments);
	rigid->axes = plTransform_identity.rotation;
	if (any)
		plInertia_GetAxes(&sum, rigid->moments, &rigid->axes);
	moveCentre(world, rigid, sum.centre);
}

// ---- shapes in the world --------------------------------------------------------------------------------------------

void plRigidShape_Free(plRigidShape* shape, plHeap* heap)
{
	plSolid_Destroy(&shape->solid, heap);
	plShape* both[2] = {shape->soft, shape->met};
	for (int i = 0; i < 2; ++i)
	{
		if (both[i] != NULL)
			plShape_Destroy(both[i], heap);
		PL_FREE(heap, both[i], 1);
	}
}

void plWorld_ChangeObstacle(plWorld* world, uint32_t slot, bool made)
{
	if (world->layout.vertexCount == 0)
		return;
	if (made)
		plWorld_ChangeTerms(world, pl_changeColliders);
	plWorld_ForgetShells(world, made);
	plWorld_DropGrips(world, UINT32_MAX, PL_RIGID_BIT | slot);
}

static void changeObstacle(plWorld* world, const plRigidShape* shape, bool made)
{
	if (plRigidShape_MeetsSoft(shape))
		plWorld_ChangeObstacle(world, plSlots_IndexOf(&world->rigids.shapes, shape), made);
}

void plWorld_ChangeObstacles(plWorld* world, const plRigid* rigid, bool made)
{
	for (plRigidShape* s = shapeAt(world, rigid->firstShape1); s != NULL; s = shapeAt(world, s->next1))
		changeObstacle(world, s, made);
}

void plWorld_JumpRigid(plWorld* world, plRigid* rigid, const plTransform* frame)
{
	bool flies = rigid->motion == pl_rigidDynamic;
	plWorld_WakeRigid(world, rigid);
	for (plRigidShape* s = shapeAt(world, rigid->firstShape1); s != NULL; s = shapeAt(world, s->next1))
		plWorld_WakeTouching(world, plSlots_IndexOf(&world->rigids.shapes, s));
	plRigid_SetFrame(rigid, &rigid->state, frame);
	plWorld_PlaceShapes(world, rigid);
	for (plRigidShape* s = shapeAt(world, rigid->firstShape1); !flies && s != NULL; s = shapeAt(world, s->next1))
		plWorld_WakeNear(world, plSlots_IndexOf(&world->rigids.shapes, s));
}

void plWorld_PlaceShapes(plWorld* world, const plRigid* rigid)
{
	for (plRigidShape* s = shapeAt(world, rigid->firstShape1); s != NULL; s = shapeAt(world, s->next1))
		plWorld_PlaceShape(world, plSlots_IndexOf(&world->rigids.shapes, s));
}

// What soft bodies meet of it, or would if it let them. A mesh that encloses nothing has no inside to keep them out of.
static plResult makeSoft(plRigidShape* shape, const plRigid* rigid, const plShapeDef* def, plHeap* heap, plError* error)
{
	if (rigid->motion == pl_rigidDynamic)
		return pl_success;
	plShape soft;
	plResult result = plShape_CreateFromSolid(&soft, &shape->solid, def->mesh, &shape->local, heap, error);
	if (result == pl_errorInput && def->kind == pl_shapeMesh)
		return pl_success;
	if (result < 0)
		return result;
	shape->soft = PL_NEW(heap, plShape, 1);
	if (shape->soft == NULL)
	{
		plShape_Destroy(&soft, heap);
		return plFail(error, pl_errorMemory, "not enough memory for a shape");
	}
	*shape->soft = soft;
	return pl_success;
}

void plRigidShape_SetRun(plRigidShape* shape, plVec3 velocity)
{
	const double run[3] = {velocity.x, velocity.y, velocity.z};
	shape->run = velocity;
	plQuat_Rotate(shape->local.rotation, run, shape->surfaceVelocity);
}

static plRigidShape fromDef(const plWorld* world, const plShapeDef* def, plSolid solid)
{
	double friction = def->friction < 0.0 ? world->contactDef.friction : def->friction;
	const plVec3 at = def->local.translation;
	plRigidShape shape = {.solid = solid,
	                      .local = {1.0, plQuat_Normalise(def->local.rotation), at},
	                      .site = {.p = {at.x, at.y, at.z}},
	                      .density = def->density,
	                      .friction = friction,
	                      .slidingFriction = def->slidingFriction < 0.0 ? friction : def->slidingFriction,
	                      .slidesAlike = def->slidingFriction < 0.0,
	                      .restitution = def->restitution,
	                      .material = def->material,
	                      .sensor = def->sensor,
	                      .category = def->category,
	                      .mask = def->mask,
	                      .group = def->group};
	plQuat_GetMatrix(shape.local.rotation, shape.site.R);
	plRigidShape_SetRun(&shape, def->surfaceVelocity);
	return shape;
}

// Shapes of a body ascend by slots.
static void linkShape(plWorld* world, plRigid* rigid, uint32_t slot1)
{
	uint32_t* at = &rigid->firstShape1;
	while (*at != 0 && *at < slot1)
		at = &shapeAt(world, *at)->next1;
	shapeAt(world, slot1)->next1 = *at;
	*at = slot1;
}

static plResult checkBody(const plWorld* world, plBodyId body, const plShapeDef* def, plError* error)
{
	const plRigid* rigid = plWorld_FindRigid(world, body);
	bool isStatic = def->kind == pl_shapePlane || def->kind == pl_shapeMesh;
	if (rigid == NULL)
		return plFailAt(error, "body", "shape: the body %s",
		                plBody_IsValid(world, body) ? "is soft; rigid bodies have shapes" : "does not exist");
	if (isStatic && rigid->motion != pl_rigidStatic)
		return plFailAt(error, "kind", "shape: a %s has no volume; only static bodies have one",
		                def->kind == pl_shapePlane ? "plane" : "mesh");
	return pl_success;
}

plShapeId plCreateShape(plWorld* world, plBodyId body, const plShapeDef* def, plError* error)
{
	plHeap* heap = &world->heap;
	plSlots* shapes = &world->rigids.shapes;
	plSolid solid;
	if (checkBody(world, body, def, error) < 0 || plShapeDef_MakeSolid(&solid, def, heap, error) < 0)
		return (plShapeId){0, 0};
	plRigid* rigid = plWorld_GetRigid(world, body);
	plRigidShape shape = fromDef(world, def, solid);
	plSlotId id = {0, 0};
	shape.body = plSlots_IndexOf(&world->rigids.bodies, rigid);
	if (makeSoft(&shape, rigid, def, heap, error) == pl_success)
	{
		id = shapes->freeCount > 0 || shapes->slotCount < PL_RIGID_BIT - 1 ? plSlots_Add(shapes, &shape) : id;
		if (id.index1 == 0)
			plFail(error, pl_errorMemory, "not enough memory for a shape");
	}
	if (id.index1 == 0)
	{
		plRigidShape_Free(&shape, heap);
		return (plShapeId){0, 0};
	}
	if (!plWorld_ListShape(world, id.index1 - 1))
	{
		plFail(error, pl_errorMemory, "not enough memory for a shape");
		plRigidShape_Free(shapeAt(world, id.index1), heap);
		plSlots_Remove(shapes, shapeAt(world, id.index1));
		return (plShapeId){0, 0};
	}
	linkShape(world, rigid, id.index1);
	plWorld_Weigh(world, rigid);
	plWorld_WakeRigid(world, rigid);
	if (rigid->motion != pl_rigidDynamic)
		plWorld_WakeNear(world, id.index1 - 1);
	changeObstacle(world, shapeAt(world, id.index1), true);
	return (plShapeId){id.index1, id.generation};
}

plRigidShape* plWorld_GetRigidShape(const plWorld* world, plShapeId id)
{
	plRigidShape* shape = plSlots_Get(&world->rigids.shapes, id.index1, id.generation);
	PL_ASSERT(shape != NULL, "the shape exists in this world");
	return shape;
}

void plDestroyShape(plWorld* world, plShapeId id)
{
	plRigidShape* shape = plWorld_GetRigidShape(world, id);
	plRigid* rigid = plSlots_At(&world->rigids.bodies, shape->body);
	uint32_t* at = &rigid->firstShape1;
	changeObstacle(world, shape, true);
	while (*at != id.index1)
		at = &shapeAt(world, *at)->next1;
	*at = shape->next1;
	plWorld_UnlistShape(world, id.index1 - 1);
	plRigidShape_Free(shape, &world->heap);
	plSlots_Remove(&world->rigids.shapes, shape);
	plWorld_Weigh(world, rigid);
	plWorld_WakeRigid(world, rigid);
}
