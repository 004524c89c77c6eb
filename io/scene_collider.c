// scene_collider.c: colliders, and how bodies are kept out of them
#include "scene.h"

#include <string.h>

// false, true or one of a list of words, which become 0, 1, 2 and so on; else *choice stays
static void readTruthOrWord(plSceneReader* reader, const plJson* node, const char* key, const char* kind,
                            const char* const* words, int* choice)
{
	const plJson* value = plJson_Find(node, key);
	int word = 0;
	if (value == NULL)
		return;
	if (value->kind == pl_jsonBool)
		*choice = value->truth;
	else if (value->kind != pl_jsonString)
		plSceneReader_FailType(reader, value, "true, false or a word");
	else if (plSceneReader_Choice(reader, node, key, kind, words, &word))
		*choice = 2 + word;
}

static void readWhoTouches(plSceneReader* reader, const plJson* node, plContactDef* def)
{
	static const char* const bodyWords[] = {"auto", NULL};
	static const char* const selfWords[] = {"cloth", "auto", NULL};
	static const plMutualContact bodies[] = {pl_bodiesNone, pl_bodiesAll, pl_bodiesAuto};
	static const plSelfContact self[] = {pl_selfNone, pl_selfAll, pl_selfCloth, pl_selfAuto};
	int choice = -1;
	readTruthOrWord(reader, node, "bodies", "way of touching", bodyWords, &choice);
	def->bodies = choice >= 0 ? bodies[choice] : def->bodies;
	choice = -1;
	readTruthOrWord(reader, node, "self", "kind of bodies", selfWords, &choice);
	def->self = choice >= 0 ? self[choice] : def->self;
}

// How surfaces of soft bodies and cloth touch each other
static void readPairs(plSceneReader* reader, const plJson* node, plContactDef* def)
{
	static const char* const words[] = {"refuse", "ignore", NULL};
	int intersections = (int)def->intersections;
	plError error = {0};
	readWhoTouches(reader, node, def);
	plSceneReader_Number(reader, node, "pair_thickness", pl_rulePositive, &def->pairThickness);
	plSceneReader_Number(reader, node, "pair_friction", pl_ruleNonNegative, &def->pairFriction);
	plSceneReader_Choice(reader, node, "intersections", "answer to intersections", words, &intersections);
	def->intersections = intersections == 0 ? pl_intersectionsRefuse : pl_intersectionsIgnore;
	plWorldDef asked = plDefaultWorldDef();
	asked.solver = reader->scene->world.solver;
	asked.contact.bodies = def->bodies;
	asked.contact.self = def->self;
	if (!plMethod_TakesPairs(asked.solver.method) && plWorldDef_Check(&asked, &error) < 0)
		plSceneReader_FailKey(reader, plJson_Find(node, def->bodies == pl_bodiesAll ? "bodies" : "self"), "%s",
		                      error.message);
}

void plSceneReader_ReadContact(plSceneReader* reader, const plJson* node)
{
	static const char* const keys[] = {"model",     "bodies",         "self",          "thickness",     "friction",
	                                   "stiffness", "pair_thickness", "pair_friction", "intersections", NULL};
	static const char* const models[] = {"energy", "projection", NULL};
	plContactDef* def = &reader->scene->world.contact;
	int model = 0;
	if (node == NULL || !plSceneReader_CheckObject(reader, node, keys))
		return;
	plSceneReader_Choice(reader, node, "model", "model of contact", models, &model);
	def->model = model == 0 ? pl_contactEnergy : pl_contactProjection;
	plSceneReader_Number(reader, node, "thickness", pl_ruleNonNegative, &def->thickness);
	plSceneReader_Number(reader, node, "friction", pl_ruleNonNegative, &def->friction);
	plSceneReader_Number(reader, node, "stiffness", pl_rulePositive, &def->stiffness);
	readPairs(reader, node, def);
	const plJson* stiffness = plJson_Find(node, "stiffness");
	plError error = {0};
	if (stiffness && def->model == pl_contactProjection)
		plSceneReader_FailKey(reader, stiffness, "\"stiffness\" belongs to the model \"energy\"");
	else if (plContactDef_Check(def, &error) < 0)
		plSceneReader_Blame(reader, node, &error);
}

// ---- shapes -------------------------------------------------------------------------------------------------------

static bool readPlane(plSceneReader* reader, const plJson* node, plColliderDef* def)
{
	static const char* const keys[] = {"normal", "offset", NULL};
	bool fine = plSceneReader_CheckObject(reader, node, keys);
	fine = fine && plSceneReader_Vector(reader, node, "normal", &def->normal);
	return fine && plSceneReader_Number(reader, node, "offset", pl_ruleAny, &def->offset);
}

static bool readSphere(plSceneReader* reader, const plJson* node, plColliderDef* def)
{
	static const char* const keys[] = {"centre", "radius", NULL};
	bool fine = plSceneReader_CheckObject(reader, node, keys) && plSceneReader_Require(reader, node, "radius");
	fine = fine && plSceneReader_Vector(reader, node, "centre", &def->centre);
	return fine && plSceneReader_Number(reader, node, "radius", pl_rulePositive, &def->radius);
}

static bool readCapsule(plSceneReader* reader, const plJson* node, plColliderDef* def)
{
	static const char* const keys[] = {"a", "b", "radius", NULL};
	bool fine = plSceneReader_CheckObject(reader, node, keys);
	for (const char* const* key = keys; *key && fine; key++)
		fine = plSceneReader_Require(reader, node, *key) != NULL;
	fine = fine && plSceneReader_Vector(reader, node, "a", &def->a);
	fine = fine && plSceneReader_Vector(reader, node, "b", &def->b);
	return fine && plSceneReader_Number(reader, node, "radius", pl_rulePositive, &def->radius);
}

static bool readBox(plSceneReader* reader, const plJson* node, plColliderDef* def)
{
	static const char* const keys[] = {"centre", "size", "rotate", NULL};
	plVec3 axis = {0, 0, 0};
	double angle = 0;
	bool fine = plSceneReader_CheckObject(reader, node, keys) && plSceneReader_Require(reader, node, "size");
	fine = fine && plSceneReader_Vector(reader, node, "centre", &def->centre);
	fine = fine && plSceneReader_Vector(reader, node, "size", &def->size);
	fine = fine && plSceneReader_Rotation(reader, node, "rotate", &axis, &angle);
	def->rotation = plQuat_FromAxisAngle(axis, angle);
	return fine;
}

static bool readMesh(plSceneReader* reader, const plJson* node, plColliderDef* def)
{
	def->mesh = plSceneReader_ReadSurface(reader, node);
	return def->mesh != NULL;
}

// ---- colliders ----------------------------------------------------------------------------------------------------

static const char* const shapes[] = {"plane", "sphere", "capsule", "box", "mesh", NULL}; // as plShapeKind

// Shapes of rigid bodies, which vertices of soft bodies do not meet.
static bool checkRigid(plSceneReader* reader, const plJson* item)
{
	static const char* const rigid[] = {"hull", "cylinder", NULL};
	for (int i = 0; rigid[i]; i++)
	{
		const plJson* member = plJson_Find(item, rigid[i]);
		if (member)
		{
			plSceneReader_FailKey(reader, member,
			                      "\"%s\" is a shape of rigid bodies; a collider of this form is a \"mesh\"", rigid[i]);
			return false;
		}
	}
	return true;
}

static void readCollider(plSceneReader* reader, const plJson* item, plColliderDef* def)
{
	static const char* const keys[] = {
	    "name",     "plane",     "sphere", "capsule",          "box",    "mesh", "transform",
	    "friction", "thickness", "motion", "surface_velocity", "frames", NULL};
	static bool (*const readers[])(plSceneReader*, const plJson*, plColliderDef*) = {readPlane, readSphere, readCapsule,
	                                                                                 readBox, readMesh};
	*def = plDefaultColliderDef();
	if (!checkRigid(reader, item) || !plSceneReader_CheckObject(reader, item, keys))
		return;
	const plJson* shape = NULL;
	for (int i = 0; shapes[i]; i++)
	{
		const plJson* member = plJson_Find(item, shapes[i]);
		if (member && shape)
		{
			plSceneReader_FailKey(reader, member, "\"%s\" and \"%s\" exclude each other: a collider has one shape",
			                      shape->key, shapes[i]);
			return;
		}
		if (member)
			def->shape = (plShapeKind)i;
		shape = member ? member : shape;
	}
	if (shape == NULL)
	{
		plSceneReader_Fail(reader, item,
		                   "a collider needs one of the keys \"plane\", \"sphere\", \"capsule\", \"box\", \"mesh\"");
		return;
	}
	plSceneReader_ReadName(reader, item, pl_thingCollider, &def->name);
	plSceneReader_Number(reader, item, "friction", pl_ruleNonNegative, &def->friction);
	plSceneReader_Number(reader, item, "thickness", pl_ruleNonNegative, &def->thickness);
	plSceneReader_ReadMotion(reader, plJson_Find(item, "motion"), &def->motion);
	plSceneReader_Vector(reader, item, "surface_velocity", &def->surfaceVelocity);
	const plJson* transform = plJson_Find(item, "transform");
	plSceneReader_ReadTransform(reader, transform, &def->transform);
	if (transform && def->shape != pl_shapeMesh)
		plSceneReader_FailKey(reader, transform, "\"transform\" belongs to \"mesh\"; a %s has its own keys",
		                      shape->key);
	const plJson* frames = plJson_Find(item, "frames");
	plError error = {0};
	if (frames && def->shape != pl_shapeMesh)
		plSceneReader_FailKey(reader, frames, "\"frames\" belong to \"mesh\"; a %s keeps its form", shape->key);
	bool isRead = readers[def->shape](reader, shape, def);
	if (frames && def->shape == pl_shapeMesh)
		isRead = plSceneReader_ReadFrames(reader, frames, def) && isRead;
	if (isRead && plColliderDef_Check(def, &error) < 0)
		plSceneReader_Blame(reader, error.field && strcmp(error.field, "frames") == 0 ? item : shape, &error);
}

void plSceneReader_ReadColliders(plSceneReader* reader, const plJson* list)
{
	plScene* scene = reader->scene;
	if (!plSceneReader_CheckList(reader, list, "a list of colliders"))
		return;
	scene->colliders = plSceneReader_New(reader, list, list->count, sizeof(plColliderDef), "the colliders");
	scene->colliderPlaces = plSceneReader_New(reader, list, list->count, sizeof(plJson*), "the colliders");
	if (scene->colliders == NULL || scene->colliderPlaces == NULL)
		return;
	for (const plJson* item = list->first; item; item = item->next)
	{
		size_t index = scene->colliderCount++;
		scene->colliderPlaces[index] = item;
		readCollider(reader, item, &scene->colliders[index]);
	}
}

bool plScene_CreateColliders(plSceneReader* reader, plWorld* world)
{
	plScene* scene = reader->scene;
	plError error = {0};
	for (size_t i = 0; i < scene->colliderCount; i++)
		if (PL_IS_NULL(plCreateCollider(world, &scene->colliders[i], &error)))
		{
			plSceneReader_Fail(reader, scene->colliderPlaces[i], "collider %zu: %s", i, error.message);
			return false;
		}
	return true;
}
