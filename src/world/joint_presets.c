// joint_presets.c: defs of joints: what may stand in one, and the presets
//
//   preset      locked                        else
//   ball        x y z
//   fixed       x y z twist swingY swingZ
//   hinge       x y z swingY swingZ           twist is the angle
//   slider      y z twist swingY swingZ       x is the way
//   universal   x y z cross                   y of frame a and z of frame b are the axes of the cross
//   cone-twist  x y z                         cone up to `cone`, twist between -`twist` and `twist`
//   wheel       x y swingY swingZ             z on a spring, twist is the angle
//   distance    length
//   rope                                      length up to that of now
//   spring                                    length on a spring
//
// Both frames of a preset are the same place now, with the same axes, so that x, y, z and all angles start at 0. Those
// of distance, rope and spring are apart, with the axes of the world.
#include "world.h"
#include "../base/rotation.h"

#include <math.h>

#define PI 3.14159265358979323846

enum
{
	turns = 1u << pl_jointTwist | 1u << pl_jointSwingY | 1u << pl_jointSwingZ,
	moves = 1u << pl_jointX | 1u << pl_jointY | 1u << pl_jointZ
};

plJointDef plDefaultJointDef(void)
{
	plJointDef def = {.frameA = plTransform_identity,
	                  .frameB = plTransform_identity,
	                  .breakForce = INFINITY,
	                  .breakTorque = INFINITY,
	                  .cookie = PL_COOKIE(plJointDef)};
	for (int i = 0; i < pl_jointAxisCount; ++i)
		def.axes[i].most = INFINITY;
	return def;
}

// ---- checks ---------------------------------------------------------------------------------------------------------

typedef enum Member
{
	atMode,
	atLow,
	atHigh,
	atTarget,
	atStiffness,
	atDamping,
	atMotor,
	atSpeed,
	atMost,
	memberCount
} Member;

#define FIELDS(i)                                                                                                      \
	{                                                                                                                  \
		"axes[" #i "].mode", "axes[" #i "].low", "axes[" #i "].high", "axes[" #i "].target", "axes[" #i "].stiffness", \
		    "axes[" #i "].damping", "axes[" #i "].motor", "axes[" #i "].speed", "axes[" #i "].most"                    \
	}
static const char* const fields[pl_jointAxisCount][memberCount] = {
    FIELDS(0), FIELDS(1), FIELDS(2), FIELDS(3), FIELDS(4), FIELDS(5), FIELDS(6), FIELDS(7), FIELDS(8)};

// What an axis can measure
static const struct
{
	const char *name, *unit;
	double low, high;
} scales[pl_jointAxisCount] = {
    {"x", "m", -INFINITY, INFINITY},       {"y", "m", -INFINITY, INFINITY}, {"z", "m", -INFINITY, INFINITY},
    {"twist", "rad", -INFINITY, INFINITY}, {"swing_y", "rad", -PI, PI},     {"swing_z", "rad", -PI, PI},
    {"length", "m", 0.0, INFINITY},        {"cone", "rad", 0.0, PI},        {"cross", "rad", -PI / 2, PI / 2}};

const char* plJointAxis_GetName(plJointAxis axis)
{
	return (int)axis >= 0 && axis < pl_jointAxisCount ? scales[axis].name : NULL;
}

static bool isSprung(const plAxisDef* axis)
{
	return axis->stiffness > 0.0 || axis->damping > 0.0;
}

static plResult checkNumbers(const plAxisDef* axis, plJointAxis i, plError* error)
{
	const char* name = scales[i].name;
	if (!(axis->stiffness >= 0.0) || !isfinite(axis->stiffness))
		return plFailAt(error, fields[i][atStiffness], "joint: %s: stiffness is %g, it cannot be below 0", name,
		                axis->stiffness);
	if (!(axis->damping >= 0.0) || !isfinite(axis->damping))
		return plFailAt(error, fields[i][atDamping], "joint: %s: damping is %g, it cannot be below 0", name,
		                axis->damping);
	if (!(axis->most >= 0.0))
		return plFailAt(error, fields[i][atMost], "joint: %s: the largest force is %g, it cannot be below 0", name,
		                axis->most);
	if (!isfinite(axis->target))
		return plFailAt(error, fields[i][atTarget], "joint: %s: its target is not finite", name);
	if (!isfinite(axis->speed))
		return plFailAt(error, fields[i][atSpeed], "joint: %s: the speed of its motor is not finite", name);
	return pl_success;
}

static plResult checkLocked(const plAxisDef* axis, plJointAxis i, plError* error)
{
	const char* name = scales[i].name;
	if (axis->motor || isSprung(axis))
		return plFailAt(error, axis->motor ? fields[i][atMotor] : fields[i][atStiffness],
		                "joint: %s is locked and has a %s, which could never move it", name,
		                axis->motor ? "motor" : "spring");
	if (!(axis->target >= scales[i].low && axis->target <= scales[i].high))
		return plFailAt(error, fields[i][atTarget], "joint: %s is locked at %g %s; it is never %s %g", name,
		                axis->target, scales[i].unit, axis->target < scales[i].low ? "below" : "above",
		                axis->target < scales[i].low ? scales[i].low : scales[i].high);
	if (i == pl_jointCone && axis->target == 0.0)
		return plFailAt(error, fields[i][atTarget],
		                "joint: cone is locked at 0, where it has no direction; lock swing_y and swing_z");
	return pl_success;
}

static plResult checkLimits(const plAxisDef* axis, plJointAxis i, plError* error)
{
	const char* name = scales[i].name;
	if (!(axis->low <= axis->high)) // NaN, too
		return plFailAt(error, isnan(axis->high) ? fields[i][atHigh] : fields[i][atLow],
		                "joint: %s: its limits are %g and %g %s: the first is the lower one", name, axis->low,
		                axis->high, scales[i].unit);
	if (axis->high < scales[i].low || axis->high == -INFINITY)
		return plFailAt(error, fields[i][atHigh], "joint: %s is limited to %g %s; it is never below %g", name,
		                axis->high, scales[i].unit, scales[i].low);
	if (axis->low > scales[i].high || axis->low == INFINITY)
		return plFailAt(error, fields[i][atLow], "joint: %s is limited from %g %s on; it is never above %g", name,
		                axis->low, scales[i].unit, scales[i].high);
	return pl_success;
}

static plResult checkAxis(const plAxisDef* axis, plJointAxis i, plError* error)
{
	if ((int)axis->mode < 0 || axis->mode >= pl_axisModeCount)
		return plFailAt(error, fields[i][atMode], "joint: %s: mode %d does not exist", scales[i].name, (int)axis->mode);
	plResult result = checkNumbers(axis, i, error);
	if (result == pl_success && axis->mode == pl_axisLocked)
		result = checkLocked(axis, i, error);
	if (result == pl_success && axis->mode == pl_axisLimited)
		result = checkLimits(axis, i, error);
	return result;
}

// What is locked may fix another axis: |(x, y, z)| is the length, |(swingY, swingZ)| the cone.
static plResult checkConflict(const plJointDef* def, plJointAxis first, int count, plJointAxis whole, plError* error)
{
	const plAxisDef* axis = &def->axes[whole];
	double square = 0.0;
	for (int i = 0; i < count; ++i)
	{
		if (def->axes[(int)first + i].mode != pl_axisLocked)
			return pl_success;
		square += def->axes[(int)first + i].target * def->axes[(int)first + i].target;
	}
	double value = sqrt(square), slack = 1e-9 * (1.0 + value);
	bool locked = axis->mode == pl_axisLocked && fabs(axis->target - value) > slack;
	bool limited = axis->mode == pl_axisLimited && (axis->low > value + slack || axis->high < value - slack);
	if (!locked && !limited)
		return pl_success;
	return plFailAt(error,
	                fields[whole][locked              ? atTarget
	                              : axis->low > value ? atLow
	                                                  : atHigh],
	                "joint: %s hold %s at %g %s, and it is %s elsewhere", count == 3 ? "x, y, z" : "swing_y, swing_z",
	                scales[whole].name, value, scales[whole].unit, locked ? "locked" : "limited");
}

static bool holdsNothing(const plJointDef* def)
{
	for (int i = 0; i < pl_jointAxisCount; ++i)
		if (def->axes[i].mode != pl_axisFree || def->axes[i].motor || isSprung(&def->axes[i]))
			return false;
	return true;
}

static plResult checkFrame(const plTransform* frame, bool second, plError* error)
{
	static const char* const names[2][3] = {{"frameA.translation", "frameA.rotation", "frameA.scale"},
	                                        {"frameB.translation", "frameB.rotation", "frameB.scale"}};
	const char* which = second ? "second" : "first";
	double norm = plQuat_GetNorm(frame->rotation);
	if (!plVec3_IsFinite(frame->translation))
		return plFailAt(error, names[second][0], "joint: the place of its %s frame is not finite", which);
	if (!(fabs(norm - 1.0) < 1e-6))
		return plFailAt(error, names[second][1],
		                "joint: the rotation of its %s frame is not a unit quaternion (norm %g)", which, norm);
	if (frame->scale != 1.0)
		return plFailAt(error, names[second][2], "joint: the scale of its %s frame is %g, it must be 1", which,
		                frame->scale);
	return pl_success;
}

plResult plJointDef_Check(const plJointDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plJointDef), "a plJointDef starts as plDefaultJointDef()");
	plResult result = checkFrame(&def->frameA, false, error);
	if (result == pl_success)
		result = checkFrame(&def->frameB, true, error);
	for (int i = 0; i < pl_jointAxisCount && result == pl_success; ++i)
		result = checkAxis(&def->axes[i], (plJointAxis)i, error);
	if (result == pl_success)
		result = checkConflict(def, pl_jointX, 3, pl_jointLength, error);
	if (result == pl_success)
		result = checkConflict(def, pl_jointSwingY, 2, pl_jointCone, error);
	if (result < 0)
		return result;
	if (holdsNothing(def))
		return plFailAt(error, "axes", "joint: it holds nothing: all of its axes are free");
	if (!(def->breakForce >= 0.0))
		return plFailAt(error, "breakForce", "joint: it breaks at %g N, which cannot be below 0", def->breakForce);
	if (!(def->breakTorque >= 0.0))
		return plFailAt(error, "breakTorque", "joint: it breaks at %g N m, which cannot be below 0", def->breakTorque);
	return plName_Check(def->name, pl_thingJoint, error);
}

// ---- frames ---------------------------------------------------------------------------------------------------------

// Of unit length, whatever its own; NaN where it has none.
static void makeUnit(plVec3 axis, double unit[3])
{
	double most = fmax(fabs(axis.x), fmax(fabs(axis.y), fabs(axis.z)));
	PL_ASSERT(most > 0.0 && plVec3_IsFinite(axis), "an axis of a joint has a length");
	unit[0] = axis.x / most, unit[1] = axis.y / most, unit[2] = axis.z / most;
	double length = plLength3(unit);
	for (int i = 0; i < 3; ++i)
		unit[i] /= length;
}

// The part of `axis` across `unit`, of unit length.
static void makeAcross(plVec3 axis, const double unit[3], double across[3])
{
	makeUnit(axis, across);
	plAdd3(across, -plDot3(across, unit), unit);
	PL_ASSERT(!(plLength3(across) <= 1e-9), "two axes of a joint are not parallel");
	plAdd3(across, -plDot3(across, unit), unit); // again: what was nearly parallel is mostly rounding
	double length = plLength3(across);
	for (int i = 0; i < 3; ++i)
		across[i] /= length;
}

static plQuat makeTurn(const double x[3], const double y[3], const double z[3])
{
	const double R[3][3] = {{x[0], y[0], z[0]}, {x[1], y[1], z[1]}, {x[2], y[2], z[2]}};
	return plQuat_FromMatrix(R);
}

// The turn whose x axis is `axis` and whose z axis is as near to `up` as it can be.
static plQuat makeTurnUp(plVec3 axis, plVec3 up)
{
	double x[3], y[3], z[3];
	makeUnit(axis, x);
	makeAcross(up, x, z);
	plCross3(z, x, y);
	return makeTurn(x, y, z);
}

// The same, up being the axis of the world that is farthest from `axis`: z before y before x.
static plQuat makeTurnAbout(plVec3 axis)
{
	double x = fabs(axis.x), y = fabs(axis.y), z = fabs(axis.z);
	if (z <= x && z <= y)
		return makeTurnUp(axis, (plVec3){0.0, 0.0, 1.0});
	return makeTurnUp(axis, y <= x ? (plVec3){0.0, 1.0, 0.0} : (plVec3){1.0, 0.0, 0.0});
}

// A frame of the world as one of the body
static plTransform toLocal(const plWorld* world, plBodyId body, plQuat turn, plVec3 at)
{
	if (PL_IS_NULL(body))
		return (plTransform){1.0, turn, at};
	plTransform pose = plBody_GetPose(world, body);
	plQuat back = plQuat_Inverse(pose.rotation);
	double arm[3] = {at.x - pose.translation.x, at.y - pose.translation.y, at.z - pose.translation.z};
	plQuat_Rotate(back, arm, arm);
	return (plTransform){1.0, plQuat_Normalise(plQuat_Multiply(back, turn)), {arm[0], arm[1], arm[2]}};
}

// Axes of the bits `locked` are locked.
static plJointDef make(const plWorld* world, plBodyId a, plBodyId b, plVec3 at, plQuat turn, unsigned locked)
{
	plJointDef def = plDefaultJointDef();
	def.a = a;
	def.b = b;
	def.frameA = toLocal(world, a, turn, at);
	def.frameB = toLocal(world, b, turn, at);
	for (int i = 0; i < pl_jointAxisCount; ++i)
		def.axes[i].mode = locked >> i & 1 ? pl_axisLocked : pl_axisFree;
	return def;
}

// ---- presets --------------------------------------------------------------------------------------------------------

plJointDef plMakeBallJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 at)
{
	return make(world, a, b, at, plTransform_identity.rotation, moves);
}

plJointDef plMakeFixedJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 at)
{
	return make(world, a, b, at, plTransform_identity.rotation, moves | turns);
}

plJointDef plMakeHingeJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 at, plVec3 axis)
{
	return make(world, a, b, at, makeTurnAbout(axis), (moves | turns) & ~(1u << pl_jointTwist));
}

plJointDef plMakeSliderJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 at, plVec3 axis)
{
	return make(world, a, b, at, makeTurnAbout(axis), (moves | turns) & ~(1u << pl_jointX));
}

plJointDef plMakeUniversalJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 at, plVec3 axisA, plVec3 axisB)
{
	double x[3], y[3], z[3];
	makeUnit(axisA, y);
	makeAcross(axisB, y, z);
	plCross3(y, z, x);
	return make(world, a, b, at, makeTurn(x, y, z), moves | 1u << pl_jointCross);
}

plJointDef plMakeConeTwistJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 at, plVec3 axis, double cone,
                                double twist)
{
	plJointDef def = make(world, a, b, at, makeTurnAbout(axis), moves);
	def.axes[pl_jointCone].mode = def.axes[pl_jointTwist].mode = pl_axisLimited;
	def.axes[pl_jointCone].high = cone;
	def.axes[pl_jointTwist].low = -twist;
	def.axes[pl_jointTwist].high = twist;
	return def;
}

plJointDef plMakeWheelJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 at, plVec3 axis, plVec3 up,
                            double stiffness, double damping)
{
	const unsigned freed = 1u << pl_jointZ | 1u << pl_jointTwist;
	plJointDef def = make(world, a, b, at, makeTurnUp(axis, up), (moves | turns) & ~freed);
	def.axes[pl_jointZ].stiffness = stiffness;
	def.axes[pl_jointZ].damping = damping;
	return def;
}

// From a point of a to one of b: nothing is held yet, and the distance of now is in `target` and `high`.
static plJointDef makeLine(const plWorld* world, plBodyId a, plBodyId b, plVec3 atA, plVec3 atB)
{
	const double d[3] = {atB.x - atA.x, atB.y - atA.y, atB.z - atA.z};
	plJointDef def = make(world, a, b, atA, plTransform_identity.rotation, 0);
	def.frameB = toLocal(world, b, plTransform_identity.rotation, atB);
	def.axes[pl_jointLength].target = def.axes[pl_jointLength].high = plLength3(d);
	return def;
}

plJointDef plMakeDistanceJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 atA, plVec3 atB)
{
	plJointDef def = makeLine(world, a, b, atA, atB);
	def.axes[pl_jointLength].mode = pl_axisLocked;
	return def;
}

plJointDef plMakeRopeJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 atA, plVec3 atB)
{
	plJointDef def = makeLine(world, a, b, atA, atB);
	def.axes[pl_jointLength].mode = pl_axisLimited;
	return def;
}

plJointDef plMakeSpringJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 atA, plVec3 atB, double stiffness,
                             double damping)
{
	plJointDef def = makeLine(world, a, b, atA, atB);
	def.axes[pl_jointLength].stiffness = stiffness;
	def.axes[pl_jointLength].damping = damping;
	return def;
}
