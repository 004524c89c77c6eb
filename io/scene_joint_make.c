// scene_joint_make.c: defs of joints by their types, what the library has against them, and joints in the world
#include "scene.h"

#include <stdio.h>
#include <string.h>

bool plSceneJoint_IsLine(const plSceneJoint* joint)
{
	return joint->type == pl_sceneDistance || joint->type == pl_sceneRope || joint->type == pl_sceneSpring;
}

// ---- defs -----------------------------------------------------------------------------------------------------------

// One whose frames stand right; its axes are not those of the type.
static plJointDef makeSix(const plWorld* world, const plSceneJoint* joint, plBodyId a, plBodyId b, plVec3 at)
{
	plJointDef def = joint->hasUp     ? plMakeWheelJoint(world, a, b, at, joint->axis, joint->second, 0.0, 0.0)
	                 : joint->hasAxis ? plMakeHingeJoint(world, a, b, at, joint->axis)
	                                  : plMakeBallJoint(world, a, b, at);
	memcpy(def.axes, plDefaultJointDef().axes, sizeof def.axes);
	return def;
}

static plJointDef makePreset(const plWorld* world, const plSceneJoint* joint, plBodyId a, plBodyId b,
                             const plVec3 at[2])
{
	const plAxisDef *z = &joint->axes[pl_jointZ], *length = &joint->axes[pl_jointLength];
	switch (joint->type)
	{
	case pl_sceneFixed:
		return plMakeFixedJoint(world, a, b, at[0]);
	case pl_sceneHinge:
		return plMakeHingeJoint(world, a, b, at[0], joint->axis);
	case pl_sceneSlider:
		return plMakeSliderJoint(world, a, b, at[0], joint->axis);
	case pl_sceneUniversal:
		return plMakeUniversalJoint(world, a, b, at[0], joint->axis, joint->second);
	case pl_sceneConeTwist:
		return plMakeConeTwistJoint(world, a, b, at[0], joint->axis, joint->cone, joint->twist);
	case pl_sceneWheel:
		return plMakeWheelJoint(world, a, b, at[0], joint->axis, joint->second, z->stiffness, z->damping);
	case pl_sceneDistance:
		return plMakeDistanceJoint(world, a, b, at[0], at[1]);
	case pl_sceneRope:
		return plMakeRopeJoint(world, a, b, at[0], at[1]);
	case pl_sceneSpring:
		return plMakeSpringJoint(world, a, b, at[0], at[1], length->stiffness, length->damping);
	case pl_sceneSix:
		return makeSix(world, joint, a, b, at[0]);
	default:
		return plMakeBallJoint(world, a, b, at[0]);
	}
}

static plJointDef makeDef(const plWorld* world, const plSceneJoint* joint, plBodyId a, plBodyId b, const plVec3 at[2])
{
	plJointDef def = makePreset(world, joint, a, b, at);
	plAxisDef* length = &def.axes[pl_jointLength];
	if (plSceneJoint_IsLine(joint) && joint->length >= 0.0)
		length->target = length->high = joint->length;
	if (joint->type == pl_sceneSpring)
		length->most = joint->axes[pl_jointLength].most;
	for (int i = 0; i < pl_jointAxisCount; ++i)
		if (joint->given >> i & 1)
			def.axes[i] = joint->axes[i];
	def.breakForce = joint->breakForce;
	def.breakTorque = joint->breakTorque;
	def.collide = joint->collide;
	def.name = joint->name;
	return def;
}

// ---- problems -------------------------------------------------------------------------------------------------------

// What a member of an axis, e.g. "low", came from.
static const plJson* findAxisFault(const plJson* item, int axis, const char* member)
{
	static const char* const keys[][2] = {{"low", "limits"}, {"high", "limits"}};
	const char* key = member;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
		key = strcmp(member, keys[i][0]) == 0 ? keys[i][1] : key;
	const plJson* axes = plJson_Find(item, "axes");
	const char* name = plJointAxis_GetName((plJointAxis)axis);
	const plJson* entry = axes ? plJson_Find(axes, name) : NULL;
	const plJson* found = entry && entry->kind == pl_jsonObject ? plJson_Find(entry, key) : NULL;
	if (found || entry)
		return found ? found : entry;
	found = plJson_Find(item, name); // "cone", "twist", "length"
	return found ? found : plJson_Find(item, key);
}

// The value that the field of a plJointDef came from; the joint itself if it is not given.
static const plJson* findFault(const plJson* item, const char* field)
{
	static const char* const keys[][2] = {
	    {"breakForce", "break_force"}, {"breakTorque", "break_torque"}, {"frameA.rotation", "axis"},
	    {"frameA.translation", "at"},  {"frameB.rotation", "axis"},     {"frameB.translation", "at"},
	};
	const plJson* found = NULL;
	int axis = 0;
	char member[16] = "";
	if (field && sscanf(field, "axes[%d].%15s", &axis, member) == 2)
		found = findAxisFault(item, axis, member);
	else if (field)
	{
		const char* key = field;
		for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
			key = strcmp(field, keys[i][0]) == 0 ? keys[i][1] : key;
		found = plJson_Find(item, key);
	}
	return found ? found : item;
}

void plSceneReader_CheckJoint(plSceneReader* reader, const plSceneJoint* joint)
{
	const plBodyId none = {0, 0};
	plError error = {0};
	plJointDef def =
	    makeDef(NULL, joint, none, none, joint->at); // frames are where they are, and counted from the world
	if (plJointDef_Check(&def, &error) < 0)
		plSceneReader_Fail(reader, findFault(joint->place, error.field), "%s", error.message);
}

// ---- the world ------------------------------------------------------------------------------------------------------

static plBodyId getId(const plScene* scene, const plSceneEnd* end, size_t number)
{
	const plSceneRigid* rigid = plScene_GetEnd(scene, end);
	return rigid ? rigid->ids[end->member == pl_sceneEach ? number : end->member] : (plBodyId){0, 0};
}

// By how much the k-th body of an array is away from the first one
static plVec3 getShift(const plScene* scene, const plSceneJoint* joint, size_t number)
{
	const plSceneEnd* end = joint->ends[0].member == pl_sceneEach ? &joint->ends[0] : &joint->ends[1];
	if (joint->count == 1)
		return (plVec3){0, 0, 0};
	const plVec3* places = plScene_GetEnd(scene, end)->places;
	return (plVec3){places[number].x - places[0].x, places[number].y - places[0].y, places[number].z - places[0].z};
}

static plVec3 add(plVec3 a, plVec3 b)
{
	return (plVec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static plJointDef makeEach(const plScene* scene, const plWorld* world, const plSceneJoint* joint, size_t number)
{
	plVec3 shift = getShift(scene, joint, number), at[2];
	for (int i = 0; i < 2; ++i) // a line that ends at one body alone keeps that end
	{
		const plSceneEnd* end = &joint->ends[i];
		bool moves = !plSceneJoint_IsLine(joint) || end->member == pl_sceneEach || end->body == pl_sceneWorld;
		at[i] = moves ? add(joint->at[i], shift) : joint->at[i];
	}
	return makeDef(world, joint, getId(scene, &joint->ends[0], number), getId(scene, &joint->ends[1], number), at);
}

static plJointDef makeLink(const plScene* scene, const plWorld* world, const plSceneJoint* joint, size_t number)
{
	const plSceneRigid* rigid = plScene_GetEnd(scene, &joint->ends[0]);
	plVec3 at[2] = {rigid->places[number], rigid->places[number + 1]};
	if (!plSceneJoint_IsLine(joint))
		at[0] = at[1] = (plVec3){0.5 * (at[0].x + at[1].x), 0.5 * (at[0].y + at[1].y), 0.5 * (at[0].z + at[1].z)};
	return makeDef(world, joint, rigid->ids[number], rigid->ids[number + 1], at);
}

static bool createJoints(plSceneReader* reader, plWorld* world, const plSceneJoint* joint)
{
	const plScene* scene = reader->scene;
	const plSceneRigid* row = joint->isChain ? plScene_GetEnd(scene, &joint->ends[0]) : NULL;
	plError error = {0};
	for (size_t k = 0; k < joint->count; ++k)
	{
		char name[256];
		if (row && (k + 1) % row->row == 0)
			continue;
		plJointDef def = row ? makeLink(scene, world, joint, k) : makeEach(scene, world, joint, k);
		snprintf(name, sizeof name, "%s[%zu]", joint->name ? joint->name : "", k);
		def.name = joint->name && joint->count > 1 ? name : joint->name;
		if (PL_IS_NULL(plCreateJoint(world, &def, &error)))
		{
			plSceneReader_Fail(reader, findFault(joint->place, error.field), "%s", error.message);
			return false;
		}
	}
	return true;
}

bool plScene_CreateJoints(plSceneReader* reader, plWorld* world)
{
	const plScene* scene = reader->scene;
	for (size_t i = 0; i < scene->jointCount; ++i)
		if (!createJoints(reader, world, &scene->joints[i]))
			return false;
	return true;
}
