// scene_joint.c: "joints": how two rigid bodies, or one and the world, may move against each other
//
//   { "name": word, "type": word, "a": body, "b": body | "world", "at": [x, y, z], "axis": [x, y, z], ... }
//   { "name": word, "type": word, "chain": array, "axis": [x, y, z], ... }
//
// A type is a preset of pliant/joint.h. Keys of one axis, as "limits" and "motor" of a hinge, and entries of "axes"
// take the place of what the preset says of that axis.
#include "scene.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180)
#define AXIS_KEYS "limits", "target", "damping", "most", "motor"

// Keys that not all types have. The first `required` of them are.
static const struct
{
	const char* name;
	int required;
	const char* const keys[12];
} types[pl_sceneJointCount] = {
    [pl_sceneBall] = {"ball", 1, {"at", NULL}},
    [pl_sceneFixed] = {"fixed", 1, {"at", NULL}},
    [pl_sceneHinge] = {"hinge", 2, {"at", "axis", "stiffness", AXIS_KEYS, NULL}},
    [pl_sceneSlider] = {"slider", 2, {"at", "axis", "stiffness", AXIS_KEYS, NULL}},
    [pl_sceneUniversal] = {"universal", 3, {"at", "axis", "axis_b", NULL}},
    [pl_sceneConeTwist] = {"cone-twist", 4, {"at", "axis", "cone", "twist", NULL}},
    [pl_sceneWheel] = {"wheel", 4, {"at", "axis", "up", "stiffness", AXIS_KEYS, NULL}},
    [pl_sceneDistance] = {"distance", 0, {"at", "at_b", "length", NULL}},
    [pl_sceneRope] = {"rope", 0, {"at", "at_b", "length", NULL}},
    [pl_sceneSpring] = {"spring", 1, {"stiffness", "at", "at_b", "length", "damping", "most", NULL}},
    [pl_sceneSix] = {"six", 2, {"at", "axes", "axis", "up", NULL}},
};

static bool hasWord(const char* const* words, const char* word)
{
	while (*words && strcmp(*words, word) != 0)
		++words;
	return *words != NULL;
}

// Another type may have the key.
static void checkKeys(plSceneReader* reader, const plJson* item, int type)
{
	static const char* const all[] = {
	    "name", "type", "a", "b", "chain", "axes", "break_force", "break_torque", "collide",
	    // of some
	    "at", "at_b", "axis", "axis_b", "up", "cone", "twist", "length", "stiffness", AXIS_KEYS, NULL};
	plSceneReader_CheckObject(reader, item, all);
	for (const plJson* member = item->first; member; member = member->next)
		if (hasWord(all + 9, member->key) && !hasWord(types[type].keys, member->key))
			plSceneReader_FailKey(reader, member, "\"%s\" does not belong to a joint of type \"%s\"", member->key,
			                      types[type].name);
	for (int i = 0; i < types[type].required; ++i)
		if (strcmp(types[type].keys[i], "at") != 0 || plJson_Find(item, "chain") == NULL)
			plSceneReader_Require(reader, item, types[type].keys[i]);
}

// ---- axes -----------------------------------------------------------------------------------------------------------

static bool isAngle(int axis)
{
	return axis != pl_jointX && axis != pl_jointY && axis != pl_jointZ && axis != pl_jointLength;
}

// [low, high]; null: no limit on that side
static void readLimits(plSceneReader* reader, const plJson* node, double unit, plAxisDef* axis)
{
	double values[2] = {-INFINITY, INFINITY};
	if (node->kind != pl_jsonList || node->count != 2)
	{
		plSceneReader_FailType(reader, node, "a list of 2 numbers, the lower one first; null: no limit");
		return;
	}
	for (int i = 0; i < 2; ++i)
	{
		const plJson* item = i == 0 ? node->first : node->last;
		if (item->kind == pl_jsonNumber)
			values[i] = item->number;
		else if (item->kind != pl_jsonNull)
			plSceneReader_FailType(reader, item, "a number or null");
	}
	if (values[0] > values[1])
		plSceneReader_Fail(reader, node, "the limits are %g and %g: the first is the lower one", values[0], values[1]);
	axis->mode = pl_axisLimited;
	axis->low = unit * values[0];
	axis->high = unit * values[1];
}

static void readMotor(plSceneReader* reader, const plJson* node, plAxisDef* axis)
{
	static const char* const keys[] = {"speed", "most", NULL};
	if (!plSceneReader_CheckObject(reader, node, keys))
		return;
	axis->motor = true;
	plSceneReader_Require(reader, node, "speed");
	plSceneReader_Number(reader, node, "speed", pl_ruleAny, &axis->speed);
	plSceneReader_Number(reader, node, "most", pl_ruleNonNegative, &axis->most);
}

// Limits, spring and target of an axis, by an object that has other keys besides.
static void readSpring(plSceneReader* reader, const plJson* node, int index, plAxisDef* axis)
{
	double unit = isAngle(index) ? DEGREE : 1.0, target = 0.0;
	plSceneReader_Number(reader, node, "target", pl_ruleAny, &target);
	plSceneReader_Number(reader, node, "stiffness", pl_ruleNonNegative, &axis->stiffness);
	plSceneReader_Number(reader, node, "damping", pl_ruleNonNegative, &axis->damping);
	plSceneReader_Number(reader, node, "most", pl_ruleNonNegative, &axis->most);
	axis->target = unit * target;
	if (plJson_Find(node, "limits"))
		readLimits(reader, plJson_Find(node, "limits"), unit, axis);
}

// The largest force of an axis is one number, in one of two places.
static void readMotorBeside(plSceneReader* reader, const plJson* node, plAxisDef* axis)
{
	const plJson* motor = plJson_Find(node, "motor");
	if (motor == NULL)
		return;
	const plJson* most = motor->kind == pl_jsonObject ? plJson_Find(motor, "most") : NULL;
	if (most && plJson_Find(node, "most"))
		plSceneReader_FailKey(reader, most, "\"most\" stands beside \"motor\", too; it is for both");
	readMotor(reader, motor, axis);
}

// An entry of "axes"
static void readAxis(plSceneReader* reader, const plJson* node, int index, plAxisDef* axis)
{
	static const char* const keys[] = {"mode", "stiffness", AXIS_KEYS, NULL};
	static const char* const modes[] = {"free", "locked", "limited", NULL}; // as plAxisMode
	int mode = pl_axisFree;
	if (node->kind == pl_jsonString)
	{
		while (mode < 2 && strcmp(node->text, modes[mode]) != 0)
			++mode;
		if (mode == pl_axisLimited)
			plSceneReader_FailUnknown(reader, node, "axis", node->text, (const char* const[]){"free", "locked", NULL});
		axis->mode = (plAxisMode)mode;
		return;
	}
	if (!plSceneReader_CheckObject(reader, node, keys))
		return;
	readSpring(reader, node, index, axis);
	readMotorBeside(reader, node, axis);
	mode = (int)axis->mode;
	plSceneReader_Choice(reader, node, "mode", "mode", modes, &mode);
	const plJson *limits = plJson_Find(node, "limits"), *said = plJson_Find(node, "mode");
	if (limits && mode != pl_axisLimited)
		plSceneReader_Fail(reader, said, "the axis has \"limits\", so it is limited");
	if (limits == NULL && mode == pl_axisLimited)
		plSceneReader_Fail(reader, said, "an axis is limited by its \"limits\", and has none");
	axis->mode = (plAxisMode)mode;
}

static void readAxes(plSceneReader* reader, const plJson* node, plSceneJoint* joint)
{
	const char* keys[pl_jointAxisCount + 1] = {NULL};
	for (int i = 0; i < pl_jointAxisCount; ++i)
		keys[i] = plJointAxis_GetName((plJointAxis)i);
	if (!plSceneReader_CheckObject(reader, node, keys))
		return;
	for (int i = 0; i < pl_jointAxisCount; ++i)
	{
		const plJson* entry = plJson_Find(node, keys[i]);
		if (entry == NULL)
			continue;
		if (joint->given >> i & 1)
			plSceneReader_FailKey(reader, entry, "keys of the joint itself say it of \"%s\" already", keys[i]);
		joint->axes[i] = plDefaultJointDef().axes[i];
		joint->given |= 1u << i;
		readAxis(reader, entry, i, &joint->axes[i]);
	}
}

// Keys of the one axis that a type is about; a wheel has its spring along z, and its motor at the twist.
static void readOwnAxis(plSceneReader* reader, const plJson* item, plSceneJoint* joint)
{
	static const char* const keys[] = {"limits", "target", "stiffness", "damping", "most", NULL};
	const int own[pl_sceneJointCount] = {[pl_sceneHinge] = pl_jointTwist + 1,
	                                     [pl_sceneSlider] = pl_jointX + 1,
	                                     [pl_sceneWheel] = pl_jointZ + 1,
	                                     [pl_sceneSpring] = pl_jointLength + 1};
	int index = own[joint->type] - 1;
	bool isWheel = joint->type == pl_sceneWheel, any = false;
	if (index < 0)
		return;
	plAxisDef *axis = &joint->axes[index], *driven = &joint->axes[isWheel ? pl_jointTwist : index];
	for (const char* const* key = keys; *key; ++key)
		any = any || plJson_Find(item, *key);
	const plJson* motor = plJson_Find(item, "motor");
	*axis = *driven = plDefaultJointDef().axes[0];
	readSpring(reader, item, index, axis);
	if (motor && isWheel)
		readMotor(reader, motor, driven);
	else
		readMotorBeside(reader, item, axis);
	if (joint->type == pl_sceneSpring) // the preset knows its length
		return;
	joint->given |= any || (motor && !isWheel) ? 1u << index : 0;
	joint->given |= motor && isWheel ? 1u << pl_jointTwist : 0;
}

// ---- places ---------------------------------------------------------------------------------------------------------

// A direction, of any length but 0
static void readDirection(plSceneReader* reader, const plJson* item, const char* key, plVec3* to)
{
	const plJson* node = plJson_Find(item, key);
	plVec3 v = {0, 0, 0};
	if (node == NULL || !plSceneReader_GetVector(reader, node, &v))
		return;
	double most = fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
	if (most > 0)
		*to = (plVec3){v.x / most, v.y / most, v.z / most};
	else
		plSceneReader_Fail(reader, node, "\"%s\" is a direction, and this one has no length", key);
}

static bool areParallel(plVec3 a, plVec3 b)
{
	plVec3 cross = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
	return sqrt(cross.x * cross.x + cross.y * cross.y + cross.z * cross.z) < 1e-6;
}

static void readDirections(plSceneReader* reader, const plJson* item, plSceneJoint* joint)
{
	size_t errors = plDiagnostics_GetErrorCount(reader->diagnostics);
	const plJson *up = plJson_Find(item, "up"), *second = up ? up : plJson_Find(item, "axis_b");
	joint->axis = (plVec3){1, 0, 0};
	joint->hasAxis = plJson_Find(item, "axis") || up;
	joint->hasUp = up != NULL;
	readDirection(reader, item, "axis", &joint->axis);
	if (second == NULL)
		return;
	readDirection(reader, item, second->key, &joint->second);
	if (plDiagnostics_GetErrorCount(reader->diagnostics) == errors && areParallel(joint->axis, joint->second))
		plSceneReader_Fail(reader, second, "\"%s\" is along \"axis\", and has to be across it", second->key);
}

// Points of lines are those of the bodies' frames if they are not given.
static void readPlaces(plSceneReader* reader, const plJson* item, plSceneJoint* joint)
{
	static const char* const keys[2] = {"at", "at_b"};
	for (int i = 0; i < 2; ++i)
	{
		const plSceneEnd* end = &joint->ends[i];
		const plSceneRigid* rigid = joint->count > 0 ? plScene_GetEnd(reader->scene, end) : NULL;
		if (plJson_Find(item, keys[i]))
			plSceneReader_Vector(reader, item, keys[i], &joint->at[i]);
		else if (rigid)
			joint->at[i] = rigid->places[end->member == pl_sceneEach ? joint->isChain && i == 1 : end->member];
		else if (joint->count > 0 && plSceneJoint_IsLine(joint))
			plSceneReader_Fail(reader, item, "missing key \"at_b\": the point of the world that \"a\" is joined to");
	}
}

static void readNumbers(plSceneReader* reader, const plJson* item, plSceneJoint* joint)
{
	plSceneReader_Number(reader, item, "cone", pl_ruleNonNegative, &joint->cone);
	plSceneReader_Number(reader, item, "twist", pl_ruleNonNegative, &joint->twist);
	joint->cone *= DEGREE;
	joint->twist *= DEGREE;
	joint->length = -1.0;
	plSceneReader_Number(reader, item, "length", pl_ruleNonNegative, &joint->length);
	joint->breakForce = joint->breakTorque = INFINITY;
	plSceneReader_Number(reader, item, "break_force", pl_rulePositive, &joint->breakForce);
	plSceneReader_Number(reader, item, "break_torque", pl_rulePositive, &joint->breakTorque);
	plSceneReader_Flag(reader, item, "collide", &joint->collide);
}

// ---- joints ---------------------------------------------------------------------------------------------------------

static void readJoint(plSceneReader* reader, const plJson* item, plSceneJoint* joint)
{
	size_t errors = plDiagnostics_GetErrorCount(reader->diagnostics);
	const char* names[pl_sceneJointCount + 1] = {NULL};
	joint->place = item;
	for (int i = 0; i < pl_sceneJointCount; ++i)
		names[i] = types[i].name;
	if (item->kind != pl_jsonObject)
	{
		plSceneReader_FailType(reader, item, "a joint, which is an object");
		return;
	}
	int type = -1;
	if (plSceneReader_Require(reader, item, "type"))
		plSceneReader_Choice(reader, item, "type", "type of joint", names, &type);
	if (type < 0)
		return;
	joint->type = (plSceneJointType)type;
	checkKeys(reader, item, type);
	plSceneReader_ReadName(reader, item, pl_thingJoint, &joint->name);
	bool joins = plJson_Find(item, "chain") ? plSceneReader_ReadChain(reader, item, joint)
	                                        : plSceneReader_ReadEnds(reader, item, joint);
	if (!joins)
		joint->count = 0;
	readDirections(reader, item, joint);
	readPlaces(reader, item, joint);
	readNumbers(reader, item, joint);
	readOwnAxis(reader, item, joint);
	if (plJson_Find(item, "axes"))
		readAxes(reader, plJson_Find(item, "axes"), joint);
	if (plDiagnostics_GetErrorCount(reader->diagnostics) == errors && joins)
		plSceneReader_CheckJoint(reader, joint);
}

void plSceneReader_ReadJoints(plSceneReader* reader, const plJson* list)
{
	plScene* scene = reader->scene;
	if (!plSceneReader_CheckList(reader, list, "a list of joints"))
		return;
	scene->joints = plSceneReader_New(reader, list, list->count, sizeof(plSceneJoint), "the joints");
	for (const plJson* item = list->first; item && scene->joints; item = item->next)
		readJoint(reader, item, &scene->joints[scene->jointCount++]);
}
