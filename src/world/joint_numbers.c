// joint_numbers.c: what joints say of themselves, and what saved states hold of them
//
// For each joint: 1 if it is broken, its twist with whole turns, and lambda and k of its rows. Axes go by the defs.
#include "world.h"
#include "../base/vec3.h"

#include <math.h>

// ---- saved states ---------------------------------------------------------------------------------------------------

static size_t countNumbers(const plJoint* joint)
{
	return 2 + 2 * (size_t)joint->rowCount;
}

size_t plWorld_CountJointNumbers(const plWorld* world)
{
	size_t count = 0;
	PL_EACH(const plJoint, joint, &world->rigids.joints)
		count += countNumbers(joint);
	return count;
}

static void put(char** out, double number)
{
	memcpy(*out, &number, sizeof number);
	*out += sizeof number;
}

static double take(const char** in)
{
	double number;
	memcpy(&number, *in, sizeof number);
	*in += sizeof number;
	return number;
}

void plWorld_SaveJoints(const plWorld* world, char* out)
{
	PL_EACH(const plJoint, joint, &world->rigids.joints)
	{
		put(&out, joint->broken);
		put(&out, joint->twist);
		for (uint32_t i = 0; i < joint->rowCount; ++i)
		{
			put(&out, joint->rows[i].lambda);
			put(&out, joint->rows[i].k);
		}
	}
}

plResult plWorld_CheckJoints(const plWorld* world, const char* in, plError* error)
{
	PL_EACH(const plJoint, joint, &world->rigids.joints)
	{
		double broken = take(&in);
		bool fine = broken == 0.0 || broken == 1.0;
		for (size_t i = 1; i < countNumbers(joint); ++i)
		{
			double number = take(&in);
			fine = fine && isfinite(number) && (i < 3 || i % 2 == 0 || number >= 0.0);
		}
		if (!fine)
			return plFail(error, pl_errorInput, "state: joint %u makes no sense",
			              plSlots_IndexOf(&world->rigids.joints, joint) + 1);
	}
	return pl_success;
}

void plWorld_LoadJoints(plWorld* world, const char* in)
{
	PL_EACH(plJoint, joint, &world->rigids.joints)
	{
		joint->broken = take(&in) != 0.0;
		joint->twist = take(&in);
		for (uint32_t i = 0; i < joint->rowCount; ++i)
		{
			joint->rows[i].lambda = take(&in);
			joint->rows[i].k = take(&in);
		}
		memset(joint->force, 0, sizeof joint->force); // until the next step
		memset(joint->torque, 0, sizeof joint->torque);
	}
}

// ---- numbers out ----------------------------------------------------------------------------------------------------

static plVec3 vectorOf(const double a[3])
{
	return (plVec3){a[0], a[1], a[2]};
}

double plJoint_GetValue(const plWorld* world, plJointId id, plJointAxis axis)
{
	const plJoint* joint = plWorld_GetJoint(world, id);
	plJointPose pose = plWorld_GetJointPose(world, joint);
	double direction[3];
	return plJointPose_Measure(&pose, axis, joint->twist, direction);
}

// How fast the place of b's anchor, or the frame, goes with a body along a direction.
static double speedWith(const plWorld* world, uint32_t slot, const double x[3], bool isTurn, const double direction[3])
{
	if (slot == pl_noBody)
		return 0.0;
	const plRigidState* state = &((const plRigid*)plSlots_At(&world->rigids.bodies, slot))->state;
	double arm[3], way[3];
	plSubtract3(x, state->p, arm);
	plCross3(state->w, arm, way);
	plAdd3(way, 1.0, state->v);
	return plDot3(isTurn ? state->w : way, direction);
}

double plJoint_GetSpeed(const plWorld* world, plJointId id, plJointAxis axis)
{
	const plJoint* joint = plWorld_GetJoint(world, id);
	plJointPose pose = plWorld_GetJointPose(world, joint);
	double direction[3];
	bool isTurn = plJointAxis_IsTurn(axis);
	plJointPose_Measure(&pose, axis, joint->twist, direction);
	return speedWith(world, joint->bodies[1], pose.x, isTurn, direction) -
	       speedWith(world, joint->bodies[0], pose.x, isTurn, direction);
}

double plJoint_GetAxisForce(const plWorld* world, plJointId id, plJointAxis axis)
{
	const plJoint* joint = plWorld_GetJoint(world, id);
	double sum = 0.0;
	for (uint32_t i = 0; i < joint->rowCount; ++i)
		sum += joint->rows[i].axis == axis ? joint->rows[i].lambda : 0.0;
	return sum;
}

plVec3 plJoint_GetForce(const plWorld* world, plJointId id)
{
	return vectorOf(plWorld_GetJoint(world, id)->force);
}

plVec3 plJoint_GetTorque(const plWorld* world, plJointId id)
{
	return vectorOf(plWorld_GetJoint(world, id)->torque);
}

static void getErrors(const plWorld* world, plJointId id, double* place, double* turn)
{
	const plJoint* joint = plWorld_GetJoint(world, id);
	plJointPose pose = plWorld_GetJointPose(world, joint);
	plJointPose_GetErrors(&pose, joint->axes, joint->twist, place, turn);
}

double plJoint_GetError(const plWorld* world, plJointId id)
{
	double place, turn;
	getErrors(world, id, &place, &turn);
	return place;
}

double plJoint_GetAngleError(const plWorld* world, plJointId id)
{
	double place, turn;
	getErrors(world, id, &place, &turn);
	return turn;
}
