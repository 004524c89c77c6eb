// driven.c: pins, colliders and grabs that were told where to be, in saved states
//
//   pins        how many; for each its number among the pins, its vertices' number, where they were and are to be
//   colliders   how many; for each its number among the colliders, and where it was and is to be
//   grabs       how many; for each its number among the grabs, and three points
//
// Whatever else a state holds goes by the defs. These do not, so a state says which they are. Without any it says
// nothing.
#include "world.h"

#include <math.h>

enum
{
	poseNumbers = 7,
	colliderNumbers = 2 * poseNumbers,
	grabNumbers = 9,
};

// ---- numbers one after the other ------------------------------------------------------------------------------------

static double take(const char** in)
{
	double x;
	memcpy(&x, *in, sizeof x);
	*in += sizeof x;
	return x;
}

static void put(char** out, const double* numbers, size_t count)
{
	memcpy(*out, numbers, count * sizeof(double));
	*out += count * sizeof(double);
}

static void putCount(char** out, size_t count)
{
	double number = (double)count;
	put(out, &number, 1);
}

static void putPose(char** out, const plPose* pose)
{
	const double numbers[poseNumbers] = {pose->turn.v.x, pose->turn.v.y, pose->turn.v.z, pose->turn.s,
	                                     pose->move[0],  pose->move[1],  pose->move[2]};
	put(out, numbers, poseNumbers);
}

static plPose takePose(const char** in)
{
	double n[poseNumbers];
	for (size_t i = 0; i < poseNumbers; ++i)
		n[i] = take(in);
	return (plPose){{{n[0], n[1], n[2]}, n[3]}, {n[4], n[5], n[6]}};
}

// ---- saving ---------------------------------------------------------------------------------------------------------

size_t plWorld_CountDriven(const plWorld* world)
{
	size_t count = 0;
	PL_EACH(const plPin, pin, &world->pins)
		count += pin->driven ? 2 + 6 * pin->count : 0;
	PL_EACH(const plCollider, collider, &world->colliders)
		count += collider->driven ? 1 + colliderNumbers : 0;
	count += world->grabs.liveCount * (1 + grabNumbers);
	return count > 0 ? 3 + count : 0;
}

void plWorld_SaveDriven(const plWorld* world, char* out)
{
	size_t pins = 0, colliders = 0, number = 0;
	if (plWorld_CountDriven(world) == 0)
		return;
	PL_EACH(const plPin, pin, &world->pins)
		pins += pin->driven;
	PL_EACH(const plCollider, collider, &world->colliders)
		colliders += collider->driven;
	putCount(&out, pins);
	PL_EACH(const plPin, pin, &world->pins)
	{
		if (pin->driven)
		{
			putCount(&out, number);
			putCount(&out, pin->count);
			put(&out, pin->last, 3 * pin->count);
			put(&out, pin->target, 3 * pin->count);
		}
		number++;
	}
	number = 0;
	putCount(&out, colliders);
	PL_EACH(const plCollider, collider, &world->colliders)
	{
		if (collider->driven)
		{
			putCount(&out, number);
			putPose(&out, &collider->last);
			putPose(&out, &collider->target);
		}
		number++;
	}
	number = 0;
	putCount(&out, world->grabs.liveCount);
	PL_EACH(const plGrab, grab, &world->grabs)
	{
		putCount(&out, number++);
		put(&out, grab->before, 3);
		put(&out, grab->last, 3);
		put(&out, grab->target, 3);
	}
}

// ---- loading --------------------------------------------------------------------------------------------------------

// Live item number `number` in the order of slots; NULL: there is none
static void* findItem(const plSlots* slots, double number)
{
	double at = 0.0;
	PL_EACH(void, item, slots)
		if (at++ == number)
			return item;
	return NULL;
}

// What is left of a state that is being checked.
typedef struct Rest
{
	const char* in;
	size_t count; // numbers
	bool good;
} Rest;

static double checkedTake(Rest* rest)
{
	rest->good = rest->good && rest->count > 0;
	if (!rest->good)
		return 0.0;
	rest->count--;
	double x = take(&rest->in);
	rest->good = isfinite(x);
	return x;
}

static void checkPins(const plWorld* world, Rest* rest)
{
	double pins = checkedTake(rest);
	for (double i = 0.0; i < pins && rest->good; ++i)
	{
		const plPin* pin = findItem(&world->pins, checkedTake(rest));
		double vertices = checkedTake(rest);
		rest->good = rest->good && pin != NULL && vertices == (double)pin->count;
		for (size_t k = 0; rest->good && k < 6 * pin->count; ++k)
			checkedTake(rest);
	}
}

static void checkColliders(const plWorld* world, Rest* rest)
{
	double colliders = checkedTake(rest);
	for (double i = 0.0; i < colliders && rest->good; ++i)
	{
		rest->good = findItem(&world->colliders, checkedTake(rest)) != NULL && rest->good;
		for (int pose = 0; pose < 2 && rest->good; ++pose)
		{
			double square = 0.0;
			for (int k = 0; k < poseNumbers; ++k)
			{
				double x = checkedTake(rest);
				square += k < 4 ? x * x : 0.0;
			}
			rest->good = rest->good && fabs(square - 1.0) < 1e-6;
		}
	}
}

static void checkGrabs(const plWorld* world, Rest* rest)
{
	double grabs = checkedTake(rest);
	for (double i = 0.0; i < grabs && rest->good; ++i)
	{
		rest->good = findItem(&world->grabs, checkedTake(rest)) != NULL && rest->good;
		for (int k = 0; k < grabNumbers; ++k)
			checkedTake(rest);
	}
}

plResult plWorld_CheckDriven(const plWorld* world, const char* in, size_t count, plError* error)
{
	Rest rest = {in, count, true};
	if (count == 0)
		return pl_success;
	checkPins(world, &rest);
	checkColliders(world, &rest);
	checkGrabs(world, &rest);
	if (rest.good && rest.count == 0)
		return pl_success;
	return plFail(
	    error, pl_errorInput,
	    "state: what was told to pins, colliders and grabs makes no sense: cut off, or saved from another world or "
	    "under another method, or other materials convert");
}

void plWorld_LoadDriven(plWorld* world, const char* in, size_t count)
{
	PL_EACH(plPin, pin, &world->pins)
		pin->driven = false;
	PL_EACH(plCollider, collider, &world->colliders)
		collider->driven = false;
	if (count == 0)
		return;
	double pins = take(&in);
	for (double i = 0.0; i < pins; ++i)
	{
		plPin* pin = findItem(&world->pins, take(&in));
		take(&in);
		pin->driven = true;
		for (size_t k = 0; k < 3 * pin->count; ++k)
			pin->last[k] = take(&in);
		for (size_t k = 0; k < 3 * pin->count; ++k)
			pin->target[k] = take(&in);
	}
	double colliders = take(&in);
	for (double i = 0.0; i < colliders; ++i)
	{
		plCollider* collider = findItem(&world->colliders, take(&in));
		collider->driven = true;
		collider->last = takePose(&in);
		collider->target = takePose(&in);
	}
	double grabs = take(&in);
	for (double i = 0.0; i < grabs; ++i)
	{
		plGrab* grab = findItem(&world->grabs, take(&in));
		double* points[3] = {grab->before, grab->last, grab->target};
		for (size_t k = 0; k < grabNumbers; ++k)
			points[k / 3][k % 3] = take(&in);
	}
}
