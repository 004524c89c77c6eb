// scene_rigid.c: rigid bodies: where they are, how they move, what they weigh
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void readMotion(plSceneReader* reader, const plJson* item, plRigidBodyDef* def)
{
	static const char* const motions[] = {"dynamic", "kinematic", "static", NULL}; // as plRigidMotion
	static const char* const dynamicKeys[] = {"velocity", "spin", "mass", "locked", "air", NULL};
	int motion = (int)def->motion;
	plSceneReader_Choice(reader, item, "motion", "motion", motions, &motion);
	def->motion = (plRigidMotion)motion;
	for (const char* const* key = dynamicKeys; *key && def->motion != pl_rigidDynamic; ++key)
		if (plJson_Find(item, *key))
			plSceneReader_FailKey(reader, plJson_Find(item, *key), "\"%s\" belongs to dynamic bodies; this one is %s",
			                      *key, motions[motion]);
	const plJson* path = plJson_Find(item, "path");
	if (path && def->motion != pl_rigidKinematic)
		plSceneReader_FailKey(reader, path, "\"path\" belongs to kinematic bodies; this one is %s", motions[motion]);
	else
		plSceneReader_ReadMotion(reader, path, &def->path);
}

// "xz", "rx ry": letters of axes, with an r before those that it cannot turn about
static void readLocked(plSceneReader* reader, const plJson* item, unsigned* locked)
{
	const char* text = NULL;
	if (!plSceneReader_Text(reader, item, "locked", &text) || text == NULL)
		return;
	bool fine = text[0] != 0;
	for (const char* c = text; fine && *c; ++c)
	{
		bool turns = *c == 'r';
		c += turns;
		fine = *c >= 'x' && *c <= 'z';
		if (fine)
			*locked |= (turns ? (unsigned)pl_turnX : (unsigned)pl_axisX) << (*c - 'x');
		else
			fine = !turns && *c == ' ' && c > text;
	}
	if (!fine)
		plSceneReader_Fail(reader, plJson_Find(item, "locked"),
		                   "expected axes, e.g. \"z\", \"xyz\" or \"rx ry\", with an r for turns, found \"%s\"",
		                   plJson_Show(text).text);
}

static void readType(plSceneReader* reader, const plJson* item)
{
	static const char* const types[] = {"rigid", NULL};
	int choice = 0;
	if (plSceneReader_Require(reader, item, "type"))
		plSceneReader_Choice(reader, item, "type", "type of body in an array", types, &choice);
}

void plSceneReader_ReadRigid(plSceneReader* reader, const plJson* item, plSceneRigid* rigid, bool isMember)
{
	static const char* const keys[] = {
	    "name",        "type",   "shape",    "motion", "at",       "rotate",           "velocity", "spin",
	    "path",        "mass",   "locked",   "air",    "material", "density",          "friction", "sliding_friction",
	    "restitution", "sensor", "category", "mask",   "group",    "surface_velocity", NULL};
	plRigidBodyDef* def = &rigid->def;
	plVec3 axis = {0.0, 0.0, 0.0};
	double angle = 0.0;
	bool isDense = true;
	if (!plSceneReader_CheckObject(reader, item, keys))
		return;
	size_t errors = plDiagnostics_GetErrorCount(reader->diagnostics);
	readType(reader, item);
	if (isMember && plJson_Find(item, "name"))
		plSceneReader_FailKey(reader, plJson_Find(item, "name"), "the name of an array stands beside its key");
	plSceneReader_Vector(reader, item, "at", &def->position);
	plSceneReader_Rotation(reader, item, "rotate", &axis, &angle);
	def->rotation = plQuat_FromAxisAngle(axis, angle);
	plSceneReader_Vector(reader, item, "velocity", &def->velocity);
	plSceneReader_Vector(reader, item, "spin", &def->spin);
	plSceneReader_Number(reader, item, "mass", pl_rulePositive, &def->mass);
	plSceneReader_Number(reader, item, "air", pl_ruleNonNegative, &def->air);
	readLocked(reader, item, &def->locked);
	readMotion(reader, item, def);
	plSceneReader_ReadShapes(reader, item, rigid, &isDense);
	if (def->motion == pl_rigidDynamic && def->mass == 0.0 && !isDense)
		plSceneReader_Fail(reader, item, "missing key \"density\" (kg/m^3), or \"mass\" (kg) of all shapes together");
	plError error = {0};
	if (plDiagnostics_GetErrorCount(reader->diagnostics) == errors && plRigidBodyDef_Check(def, &error) < 0)
		plSceneReader_Blame(reader, item, &error);
}

plSceneRigid* plSceneReader_NewRigid(plSceneReader* reader, const plJson* item)
{
	plSceneRigid* rigid = plSceneReader_New(reader, item, 1, sizeof *rigid, "a rigid body");
	if (rigid)
		rigid->def = plDefaultRigidBodyDef();
	return rigid;
}

void plSceneRigid_Destroy(plSceneRigid* rigid)
{
	if (rigid == NULL)
		return;
	for (size_t i = 0; i < rigid->shapeCount; ++i)
		free((void*)rigid->shapes[i].points);
	free((void*)rigid->def.path.keys);
	free(rigid->shapes);
	free(rigid->places);
	free(rigid->ids);
	plDestroyMesh(rigid->shell);
	plDestroyMesh(rigid->surface);
	free(rigid);
}

// A dynamic body whose shapes weigh nothing has no way to move: said here, with its place, and not by the first step.
static bool checkWeight(plSceneReader* reader, const plWorld* world, const plSceneBody* body, plBodyId id)
{
	const plRigidBodyDef* def = &body->rigid->def;
	double mass = plBody_GetMass(world, id), inertia[6];
	if (def->motion != pl_rigidDynamic)
		return true;
	plBody_GetInertia(world, id, inertia);
	bool turns = (def->locked & pl_turnAll) != pl_turnAll;
	if (isnormal(mass) && (!turns || (isnormal(inertia[0]) && isnormal(inertia[1]) && isnormal(inertia[2]))))
		return true;
	plSceneReader_Fail(reader, body->place,
	                   "body \"%.60s\": it is dynamic and its shapes weigh %g kg%s: give one of them a density",
	                   body->name, mass, isnormal(mass) ? ", with no inertia" : "");
	return false;
}

bool plScene_CreateRigid(plSceneReader* reader, plWorld* world, const plSceneBody* body)
{
	plSceneRigid* rigid = body->rigid;
	plError error = {0};
	bool fine = true;
	for (size_t k = 0; k < rigid->count && fine; ++k)
	{
		plRigidBodyDef def = rigid->def;
		def.position = rigid->places[k];
		rigid->ids[k] = plCreateRigidBody(world, &def, &error);
		fine = !PL_IS_NULL(rigid->ids[k]);
		for (size_t i = 0; i < rigid->shapeCount && fine; ++i)
			fine = !PL_IS_NULL(plCreateShape(world, rigid->ids[k], &rigid->shapes[i], &error));
	}
	if (!fine)
		plSceneReader_Fail(reader, body->place, "body \"%.60s\": %s", body->name, error.message);
	return fine && (rigid->count == 0 || checkWeight(reader, world, body, rigid->ids[0]));
}
