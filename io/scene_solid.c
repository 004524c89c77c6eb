// scene_solid.c: shapes of rigid bodies
//
//   "shape": { "box": [x, y, z], "at", "rotate", ... }      one, or a list of several
//
// What a shape does not say of itself, its body says for all of its shapes.
#include "scene.h"

#include "grow.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// ---- what body and shape may say ------------------------------------------------------------------------------------

static void readGroup(plSceneReader* reader, const plJson* node, int32_t* group)
{
	const plJson* member = plJson_Find(node, "group");
	double value = *group;
	if (!plSceneReader_Number(reader, node, "group", pl_ruleAny, &value) || member == NULL)
		return;
	if (value != floor(value) || fabs(value) > INT32_MAX)
		plSceneReader_Fail(reader, member, "expected a whole number of at most 31 bits, found %.40s", member->text);
	else
		*group = (int32_t)value;
}

// Over what is in the def.
static void readSolid(plSceneReader* reader, const plJson* node, plShapeDef* def, bool* isDense)
{
	const uint64_t most = (uint64_t)1 << 53; // that a number of JSON has exactly
	const plSceneMaterial* material = plSceneReader_FindMaterial(reader, plJson_Find(node, "material"));
	if (material && material->density > 0.0)
		def->density = material->density;
	if (material && material->friction >= 0.0)
		def->friction = material->friction;
	if (material && material->slidingFriction >= 0.0)
		def->slidingFriction = material->slidingFriction;
	if (material)
	{
		def->restitution = material->restitution;
		def->material = (uint32_t)(material - reader->scene->materials) + 1;
	}
	plSceneReader_Number(reader, node, "density", pl_ruleNonNegative, &def->density);
	plSceneReader_Number(reader, node, "friction", pl_ruleNonNegative, &def->friction);
	plSceneReader_Number(reader, node, "sliding_friction", pl_ruleNonNegative, &def->slidingFriction);
	plSceneReader_ReadRestitution(reader, node, &def->restitution);
	plSceneReader_Flag(reader, node, "sensor", &def->sensor);
	plSceneReader_Whole(reader, node, "category", 0, most, &def->category);
	plSceneReader_Whole(reader, node, "mask", 0, most, &def->mask);
	readGroup(reader, node, &def->group);
	plSceneReader_Vector(reader, node, "surface_velocity", &def->surfaceVelocity);
	*isDense = *isDense || (material && material->density > 0.0) || plJson_Find(node, "density");
}

// ---- kinds ----------------------------------------------------------------------------------------------------------

// The turn that takes the y axis to a unit vector: (1 + y.n, y x n), of unit length.
static plQuat turnUp(const double n[3])
{
	double s = 1.0 + n[1], length = sqrt(s * s + n[0] * n[0] + n[2] * n[2]);
	if (!(length > 1e-12))
		return (plQuat){{1.0, 0.0, 0.0}, 0.0};
	return (plQuat){{n[2] / length, 0.0, -n[0] / length}, s / length};
}

static bool readPlane(plSceneReader* reader, const plJson* node, plShapeDef* def)
{
	static const char* const keys[] = {"normal", "offset", NULL};
	plVec3 normal = {0.0, 1.0, 0.0};
	double offset = 0.0;
	bool fine = plSceneReader_CheckObject(reader, node, keys);
	fine = fine && plSceneReader_Vector(reader, node, "normal", &normal);
	fine = fine && plSceneReader_Number(reader, node, "offset", pl_ruleAny, &offset);
	double largest = fmax(fabs(normal.x), fmax(fabs(normal.y), fabs(normal.z)));
	if (fine && !(largest > 0.0))
		plSceneReader_Fail(reader, plJson_Find(node, "normal"), "the normal of a plane has no length");
	if (!fine || !(largest > 0.0))
		return false;
	double n[3] = {normal.x / largest, normal.y / largest, normal.z / largest};
	double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
	for (int i = 0; i < 3; ++i)
		n[i] /= length;
	def->local = (plTransform){1.0, turnUp(n), {offset * n[0], offset * n[1], offset * n[2]}};
	return true;
}

static bool readSphere(plSceneReader* reader, const plJson* node, plShapeDef* def)
{
	if (node->kind == pl_jsonNumber && node->number > 0.0)
	{
		def->radius = node->number;
		return true;
	}
	if (node->kind == pl_jsonNumber)
		plSceneReader_Fail(reader, node, "the radius of a sphere must be above 0, found %.40s", node->text);
	else
		plSceneReader_FailType(reader, node, "a number, the radius");
	return false;
}

static bool readLong(plSceneReader* reader, const plJson* node, plShapeDef* def)
{
	static const char* const keys[] = {"radius", "length", NULL};
	bool fine = plSceneReader_CheckObject(reader, node, keys);
	fine = fine && plSceneReader_Require(reader, node, "radius") && plSceneReader_Require(reader, node, "length");
	fine = fine && plSceneReader_Number(reader, node, "radius", pl_rulePositive, &def->radius);
	return fine && plSceneReader_Number(reader, node, "length", pl_rulePositive, &def->length);
}

static bool readBox(plSceneReader* reader, const plJson* node, plShapeDef* def)
{
	if (!plSceneReader_GetVector(reader, node, &def->size))
		return false;
	if (def->size.x > 0.0 && def->size.y > 0.0 && def->size.z > 0.0)
		return true;
	plSceneReader_Fail(reader, node, "each length of a box must be above 0");
	return false;
}

static bool readMesh(plSceneReader* reader, const plJson* node, plShapeDef* def)
{
	def->mesh = plSceneReader_ReadSurface(reader, node);
	return def->mesh != NULL;
}

static bool readHull(plSceneReader* reader, const plJson* node, plShapeDef* def)
{
	if (node->kind != pl_jsonList)
		return readMesh(reader, node, def);
	double* points = plSceneReader_New(reader, node, node->count, 3 * sizeof(double), "the points of a hull");
	bool fine = points != NULL;
	def->points = points;
	for (const plJson* item = points ? node->first : NULL; item; item = item->next)
	{
		plVec3 p = {0.0, 0.0, 0.0};
		fine = plSceneReader_GetVector(reader, item, &p) && fine;
		memcpy(points + 3 * def->pointCount++, &p, sizeof p);
	}
	return fine;
}

static const struct
{
	const char* key;
	bool (*read)(plSceneReader*, const plJson*, plShapeDef*);
} kinds[] = {
    [pl_shapePlane] = {"plane", readPlane},      [pl_shapeSphere] = {"sphere", readSphere},
    [pl_shapeCapsule] = {"capsule", readLong},   [pl_shapeBox] = {"box", readBox},
    [pl_shapeMesh] = {"mesh", readMesh},         [pl_shapeHull] = {"hull", readHull},
    [pl_shapeCylinder] = {"cylinder", readLong},
};

enum
{
	kindCount = sizeof kinds / sizeof kinds[0]
};

// ---- shapes ---------------------------------------------------------------------------------------------------------

// The member that says the kind; NULL: a problem was reported.
static const plJson* findKind(plSceneReader* reader, const plJson* node, plShapeKind* kind)
{
	const plJson* found = NULL;
	for (size_t i = 0; i < kindCount; ++i)
	{
		const plJson* member = plJson_Find(node, kinds[i].key);
		if (member && found)
		{
			plSceneReader_FailKey(reader, member, "\"%s\" and \"%s\" exclude each other: a shape has one kind",
			                      found->key, kinds[i].key);
			return NULL;
		}
		if (member)
			*kind = (plShapeKind)i;
		found = member ? member : found;
	}
	if (found == NULL)
		plSceneReader_Fail(reader, node,
		                   "a shape needs one of the keys \"box\", \"sphere\", \"capsule\", \"cylinder\", \"hull\", "
		                   "\"mesh\", \"plane\"");
	return found;
}

static void readLocal(plSceneReader* reader, const plJson* node, plShapeDef* def)
{
	static const char* const names[] = {"at", "rotate"};
	plVec3 axis = {0.0, 0.0, 0.0};
	double angle = 0.0;
	for (int i = 0; i < 2 && def->kind == pl_shapePlane; ++i)
		if (plJson_Find(node, names[i]))
			plSceneReader_FailKey(reader, plJson_Find(node, names[i]),
			                      "a plane has \"normal\" and \"offset\" in the place of \"%s\"", names[i]);
	if (def->kind == pl_shapePlane)
		return;
	plSceneReader_Vector(reader, node, "at", &def->local.translation);
	plSceneReader_Rotation(reader, node, "rotate", &axis, &angle);
	def->local.rotation = plQuat_FromAxisAngle(axis, angle);
}

static void readShape(plSceneReader* reader, const plJson* node, plShapeDef* def, bool* isDense)
{
	static const char* const keys[] = {"box",
	                                   "sphere",
	                                   "capsule",
	                                   "cylinder",
	                                   "hull",
	                                   "mesh",
	                                   "plane",
	                                   "at",
	                                   "rotate",
	                                   "material",
	                                   "density",
	                                   "friction",
	                                   "sliding_friction",
	                                   "restitution",
	                                   "sensor",
	                                   "category",
	                                   "mask",
	                                   "group",
	                                   "surface_velocity",
	                                   NULL};
	if (!plSceneReader_CheckObject(reader, node, keys))
		return;
	readSolid(reader, node, def, isDense);
	const plJson* kind = findKind(reader, node, &def->kind);
	if (kind == NULL)
		return;
	readLocal(reader, node, def);
	plError error = {0};
	if (kinds[def->kind].read(reader, kind, def) && plShapeDef_Check(def, &error) < 0)
		plSceneReader_Blame(reader, kind, &error);
}

void plSceneReader_ReadShapes(plSceneReader* reader, const plJson* item, plSceneRigid* rigid, bool* isDense)
{
	plShapeDef common = plDefaultShapeDef();
	bool isCommon = false;
	readSolid(reader, item, &common, &isCommon);
	const plJson* node = plSceneReader_Require(reader, item, "shape");
	*isDense = true;
	if (node == NULL)
		return;
	bool isList = node->kind == pl_jsonList;
	if (node->kind != pl_jsonObject && (!isList || node->count == 0))
	{
		plSceneReader_FailType(reader, node, "a shape or a list of shapes, e.g. { \"box\": [1, 1, 1] }");
		return;
	}
	rigid->shapes = plSceneReader_New(reader, node, isList ? node->count : 1, sizeof(plShapeDef), "the shapes");
	for (const plJson* at = rigid->shapes ? isList ? node->first : node : NULL; at; at = isList ? at->next : NULL)
	{
		plShapeDef* def = &rigid->shapes[rigid->shapeCount++];
		bool dense = isCommon;
		*def = common;
		readShape(reader, at, def, &dense);
		*isDense = *isDense && dense;
	}
}

// ---- planes, which are drawn as the ground is -----------------------------------------------------------------------

static void keepPlane(plSceneReader* reader, const plJson* node, const plTransform* pose)
{
	plScene* scene = reader->scene;
	plShapeDef shape = plDefaultShapeDef();
	plColliderDef def = plDefaultColliderDef();
	if (!readPlane(reader, node, &shape))
		return;
	double n[3] = {0.0, 1.0, 0.0}, at[3];
	plQuat_Rotate(shape.local.rotation, n, n);
	plQuat_Rotate(pose->rotation, n, n);
	memcpy(at, &shape.local.translation, sizeof at);
	plTransform_Apply(pose, at, at);
	def.shape = pl_shapePlane;
	def.normal = (plVec3){n[0], n[1], n[2]};
	def.offset = n[0] * at[0] + n[1] * at[1] + n[2] * at[2];
	if (plGrow(&scene->planes, &scene->planeRoom, sizeof def, scene->planeCount + 1))
		scene->planes[scene->planeCount++] = def;
	else
		plSceneReader_FailMemory(reader, node, "the planes");
}

void plSceneReader_ReadPlanes(plSceneReader* reader, const plJson* item)
{
	const plJson* entry = item->kind == pl_jsonObject ? plJson_Find(item, "array") : NULL;
	const plJson* body = entry && entry->kind == pl_jsonObject ? plJson_Find(entry, "of") : item;
	const plJson* shape = body && body->kind == pl_jsonObject ? plJson_Find(body, "shape") : NULL;
	plTransform pose = plTransform_identity;
	plVec3 axis = {0.0, 0.0, 0.0};
	double angle = 0.0;
	if (shape == NULL)
		return;
	bool isList = shape->kind == pl_jsonList;
	for (const plJson* at = isList ? shape->first : shape; at; at = isList ? at->next : NULL)
	{
		const plJson* plane = at->kind == pl_jsonObject ? plJson_Find(at, "plane") : NULL;
		if (plane && plSceneReader_Vector(reader, body, "at", &pose.translation) &&
		    plSceneReader_Rotation(reader, body, "rotate", &axis, &angle))
		{
			pose.rotation = plQuat_FromAxisAngle(axis, angle);
			keepPlane(reader, plane, &pose);
		}
	}
}
