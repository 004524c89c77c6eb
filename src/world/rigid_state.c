// rigid_state.c: rigid bodies in hashes and saved states
//
//   how many there are; for each in the order of slots p q v w, then
//   dynamic     force and torque that it was told for the next step; for how long it has been slow, and does it sleep
//   kinematic   was it told where to be; where its path starts; where the next step ends if it was told
//
// All numbers are doubles. Mass, shapes and paths go by the defs. Without rigid bodies a state says nothing of them.
#include "world.h"
#include "../base/rotation.h"

#include <math.h>

enum
{
	poseNumbers = 7,
	pushedNumbers = 6 + 2,
	ledNumbers = 1 + 2 * poseNumbers,
};

_Static_assert(sizeof(plRigidState) == pl_rigidNumbers * sizeof(double), "a state has no gaps");
_Static_assert(sizeof(plPose) == poseNumbers * sizeof(double), "a pose has no gaps");

uint64_t plWorld_HashRigids(const plWorld* world, uint64_t hash)
{
	PL_EACH(const plRigid, rigid, &world->rigids.bodies)
		hash = plHash(hash, &rigid->state, sizeof rigid->state);
	return hash;
}

static size_t countNumbers(const plRigid* rigid)
{
	return pl_rigidNumbers + (rigid->motion == pl_rigidDynamic     ? pushedNumbers
	                          : rigid->motion == pl_rigidKinematic ? ledNumbers
	                                                               : 0);
}

size_t plWorld_CountRigidNumbers(const plWorld* world)
{
	size_t count = world->rigids.bodies.liveCount > 0;
	PL_EACH(const plRigid, rigid, &world->rigids.bodies)
		count += countNumbers(rigid);
	return count;
}

static void put(char** out, const void* numbers, size_t count)
{
	memcpy(*out, numbers, count * sizeof(double));
	*out += count * sizeof(double);
}

static void take(const char** in, void* numbers, size_t count)
{
	memcpy(numbers, *in, count * sizeof(double));
	*in += count * sizeof(double);
}

void plWorld_SaveRigids(const plWorld* world, char* out)
{
	double count = (double)world->rigids.bodies.liveCount;
	if (count == 0.0)
		return;
	put(&out, &count, 1);
	PL_EACH(const plRigid, rigid, &world->rigids.bodies)
	{
		double driven = rigid->driven;
		put(&out, &rigid->state, pl_rigidNumbers);
		if (rigid->motion == pl_rigidDynamic)
		{
			put(&out, rigid->force, 3);
			put(&out, rigid->torque, 3);
			put(&out, &rigid->rest.still, 1);
			put(&out, &(double){rigid->rest.sleeps}, 1);
		}
		if (rigid->motion == pl_rigidKinematic)
		{
			put(&out, &driven, 1);
			put(&out, &rigid->origin, poseNumbers);
			put(&out, &rigid->target, poseNumbers);
		}
	}
}

static bool isUnit(plQuat q)
{
	return fabs(plQuat_GetNorm(q) - 1.0) < 1e-6;
}

// For how long slow, and asleep or not: what sleeps does not move.
static bool checkRest(const plRigidState* state, const double rest[2])
{
	bool moves = false;
	for (int i = 0; i < 3; ++i)
		moves = moves || state->v[i] != 0.0 || state->w[i] != 0.0;
	return rest[0] >= 0.0 && (rest[1] == 0.0 || (rest[1] == 1.0 && !moves));
}

// Finite, turns are turns, and rest is rest.
static bool checkBody(const plRigid* rigid, const char* in)
{
	double numbers[pl_rigidNumbers + ledNumbers];
	plRigidState state;
	plPose origin, target;
	bool fine = true;
	const char* from = in;
	take(&from, numbers, countNumbers(rigid));
	for (size_t i = 0; i < countNumbers(rigid); ++i)
		fine = fine && isfinite(numbers[i]);
	take(&in, &state, pl_rigidNumbers);
	fine = fine && isUnit(state.q);
	if (rigid->motion == pl_rigidDynamic)
		fine = fine && checkRest(&state, numbers + pl_rigidNumbers + 6);
	if (rigid->motion != pl_rigidKinematic)
		return fine;
	double driven;
	take(&in, &driven, 1);
	take(&in, &origin, poseNumbers);
	take(&in, &target, poseNumbers);
	return fine && (driven == 0.0 || driven == 1.0) && isUnit(origin.turn) && (driven == 0.0 || isUnit(target.turn));
}

plResult plWorld_CheckRigidNumbers(const plWorld* world, const char* in, plError* error)
{
	double count = 0.0;
	if (world->rigids.bodies.liveCount == 0)
		return pl_success;
	take(&in, &count, 1);
	if (count != (double)world->rigids.bodies.liveCount)
		return plFail(error, pl_errorInput, "state: saved from a world of %g rigid bodies, this one has %u", count,
		              world->rigids.bodies.liveCount);
	PL_EACH(const plRigid, rigid, &world->rigids.bodies)
	{
		if (!checkBody(rigid, in))
			return plFail(
			    error, pl_errorInput,
			    "state: rigid body %u makes no sense: a number is not finite, a turn is none, or it moves asleep",
			    plSlots_IndexOf(&world->rigids.bodies, rigid) + 1);
		in += countNumbers(rigid) * sizeof(double);
	}
	return pl_success;
}

void plWorld_LoadRigids(plWorld* world, const char* in)
{
	double count;
	if (world->rigids.bodies.liveCount == 0)
		return;
	take(&in, &count, 1);
	PL_EACH(plRigid, rigid, &world->rigids.bodies)
	{
		double driven, sleeps;
		take(&in, &rigid->state, pl_rigidNumbers);
		if (rigid->motion == pl_rigidStatic)
			plWorld_PlaceShapes(world, rigid);
		if (rigid->motion == pl_rigidDynamic)
		{
			take(&in, rigid->force, 3);
			take(&in, rigid->torque, 3);
			take(&in, &rigid->rest.still, 1);
			take(&in, &sleeps, 1);
			rigid->rest.sleeps = world->sleep && sleeps != 0.0;
		}
		if (rigid->motion == pl_rigidKinematic)
		{
			take(&in, &driven, 1);
			take(&in, &rigid->origin, poseNumbers);
			take(&in, &rigid->target, poseNumbers);
			rigid->driven = driven != 0.0;
		}
	}
}
