// sleep.c: rigid bodies that come to rest fall asleep, and wake
//
//   slow     |v| + |w| reach <= max(|a| t, r width)      no point of the body is faster
//   island   bodies that touch, or are nearer than the margin of contacts, and so on: an edge is a contact that is
//   kept, or a joint asleep   an island all of which has been slow for half a second, and that something bears
//
// a        gravity: |a| t is the speed of something that fell for t = 1 ms, 1 cm/s on Earth
// reach    the farthest that a point of the body is from its centre of mass; width: the smallest of its shapes
// r        0.001/s, which counts where there is no gravity
//
// No unit of length or mass is in it. Static and kinematic bodies join no islands. Something of an island has to lie on
// one of them, with a contact that pushes: what sinks through thick air is slow, and yet does not rest. Where there is
// no gravity, nothing has to bear it. An island on a kinematic body that moves stays awake.
//
// What sleeps stands still, to the bit: it does not fly, its shapes stay where they are, pairs of which neither side
// moves are not looked at, and their contacts stay as they are, so that an island goes on from them when it wakes. In a
// step in which nothing moves, contacts are not even copied.
//
// An island wakes as a whole. What is awake, or kinematic and moves, wakes all that it has a contact with before these
// contacts are solved: nothing is ever pushed against a sleeper. What wakes may touch others that sleep; so it goes on
// until nobody wakes. Everything goes in the order of slots and of contacts, by one thread.
#include "world.h"
#include "../base/vec3.h"

#include <math.h>

static const double fallTime = 1e-3; // s
static const double creep = 1e-3;    // 1/s
static const double drowsy = 0.5;    // s

static plRigid* bodyAt(const plWorld* world, uint32_t slot)
{
	return plSlots_At(&world->rigids.bodies, slot);
}

static const plRigidShape* shapeAt(const plWorld* world, uint32_t slot)
{
	return plSlots_At(&world->rigids.shapes, slot);
}

static plRigid* bodyOf(const plWorld* world, uint32_t shape)
{
	return bodyAt(world, shapeAt(world, shape)->body);
}

bool plRigid_IsActive(const plRigid* rigid)
{
	return rigid->motion == pl_rigidDynamic ? !rigid->rest.sleeps : rigid->motion == pl_rigidKinematic && rigid->moves;
}

// ---- waking ---------------------------------------------------------------------------------------------------------

void plWorld_WakeRigid(plWorld* world, plRigid* rigid)
{
	rigid->rest.still = 0.0;
	for (; rigid->rest.sleeps; rigid = bodyAt(world, rigid->rest.next))
	{
		rigid->rest.sleeps = false;
		world->rigids.asleepCount--;
	}
}

void plWorld_WakeAll(plWorld* world)
{
	PL_EACH(plRigid, rigid, &world->rigids.bodies)
		plWorld_WakeRigid(world, rigid);
}

void plWorld_WakeTouching(plWorld* world, uint32_t shape)
{
	const plTouches* t = &world->rigids.touches;
	for (size_t k = 0; world->rigids.asleepCount > 0 && k < t->keptCount; ++k)
		if (t->kept[k].shapes[0] == shape || t->kept[k].shapes[1] == shape)
			for (int side = 0; side < 2; ++side)
				plWorld_WakeRigid(world, bodyOf(world, t->kept[k].shapes[side]));
}

// What sleeps on one side, if the other is active.
static bool wakeBodies(plWorld* world, plRigid* a, plRigid* b)
{
	bool wakesA = a->rest.sleeps && plRigid_IsActive(b), wakesB = b->rest.sleeps && plRigid_IsActive(a);
	if (wakesA || wakesB)
		plWorld_WakeRigid(world, wakesA ? a : b);
	return wakesA || wakesB;
}

static bool wakePair(plWorld* world, const uint32_t shapes[2])
{
	return wakeBodies(world, bodyOf(world, shapes[0]), bodyOf(world, shapes[1]));
}

bool plWorld_WakeTouched(plWorld* world)
{
	const plTouches* t = &world->rigids.touches;
	bool woke = false;
	for (size_t k = 0; world->rigids.asleepCount > 0 && k < t->partCount; ++k)
	{
		const plTouchPart* part = t->parts + k;
		if (part->count > 0 && !plTouches_Senses(t, part) && wakePair(world, part->shapes))
			woke = true;
	}
	// what a sleeper lies on moves, and is no longer within the margin
	for (size_t k = 0; world->rigids.movingCount > 0 && world->rigids.asleepCount > 0 && k < t->keptCount; ++k)
		woke = wakePair(world, t->kept[k].shapes) || woke;
	PL_EACH(const plJoint, joint, &world->rigids.joints)
		if (world->rigids.asleepCount > 0 && !joint->broken && joint->bodies[1] != pl_noBody)
			woke = wakeBodies(world, bodyAt(world, joint->bodies[0]), bodyAt(world, joint->bodies[1])) || woke;
	return woke;
}

// ---- islands --------------------------------------------------------------------------------------------------------

// The first body of an island, by ways that get shorter.
static uint32_t firstOf(const plWorld* world, uint32_t slot)
{
	plRest* rest = &bodyAt(world, slot)->rest;
	while (rest->island != slot)
	{
		rest->island = bodyAt(world, rest->island)->rest.island;
		slot = rest->island;
		rest = &bodyAt(world, slot)->rest;
	}
	return slot;
}

static bool takesPart(const plRigid* rigid, bool sleeping)
{
	return rigid->motion == pl_rigidDynamic && rigid->rest.sleeps == sleeping;
}

// Their islands become one.
static void unite(plWorld* world, uint32_t a, uint32_t b, bool sleeping)
{
	if (!takesPart(bodyAt(world, a), sleeping) || !takesPart(bodyAt(world, b), sleeping))
		return;
	a = firstOf(world, a);
	b = firstOf(world, b);
	bodyAt(world, a > b ? a : b)->rest.island = a < b ? a : b;
}

// Of all that sleep, or of all that are awake.
static void findIslands(plWorld* world, bool sleeping)
{
	const plTouches* t = &world->rigids.touches;
	PL_EACH(plRigid, rigid, &world->rigids.bodies)
		rigid->rest.island = plSlots_IndexOf(&world->rigids.bodies, rigid);
	for (size_t k = 0; k < t->keptCount; ++k)
	{
		uint32_t a = shapeAt(world, t->kept[k].shapes[0])->body, b = shapeAt(world, t->kept[k].shapes[1])->body;
		unite(world, a, b, sleeping);
	}
	PL_EACH(const plJoint, joint, &world->rigids.joints)
		if (!joint->broken && joint->bodies[1] != pl_noBody)
			unite(world, joint->bodies[0], joint->bodies[1], sleeping);
	PL_EACH(plRigid, rigid, &world->rigids.bodies)
		rigid->rest.island = firstOf(world, rigid->rest.island);
}

// Into the ring of its island. Bodies come in the order of slots, so the first one of an island comes first.
static void linkSleeper(plWorld* world, plRigid* rigid)
{
	plRest* first = &bodyAt(world, rigid->rest.island)->rest;
	uint32_t slot = plSlots_IndexOf(&world->rigids.bodies, rigid);
	rigid->rest.next = first == &rigid->rest ? slot : first->next;
	first->next = slot;
	world->rigids.asleepCount++;
}

void plWorld_LinkSleepers(plWorld* world)
{
	world->rigids.asleepCount = 0;
	findIslands(world, true);
	PL_EACH(plRigid, rigid, &world->rigids.bodies)
		if (takesPart(rigid, true))
			linkSleeper(world, rigid);
	PL_EACH(plRigidShape, shape, &world->rigids.shapes)
		shape->settled = false;
}

// ---- falling asleep -------------------------------------------------------------------------------------------------

static bool isSlow(const plWorld* world, const plRigid* rigid)
{
	const double a[3] = {world->gravity.x, world->gravity.y, world->gravity.z};
	double reach = 0.0, width = INFINITY;
	for (uint32_t at = rigid->firstShape1; at != 0; at = shapeAt(world, at - 1)->next1)
	{
		reach = fmax(reach, shapeAt(world, at - 1)->reach);
		width = fmin(width, shapeAt(world, at - 1)->solid.width);
	}
	double limit = fmax(plLength3(a) * fallTime, rigid->firstShape1 != 0 ? creep * width : 0.0);
	return plLength3(rigid->state.v) + plLength3(rigid->state.w) * reach <= limit;
}

// For how long each that is awake has been slow; true: one has for long enough.
static bool watch(plWorld* world)
{
	const plVertexMeets* vertices = &world->rigids.touches.contacts.vertices;
	bool any = false;
	PL_EACH(plRigid, rigid, &world->rigids.bodies)
		if (takesPart(rigid, false))
		{
			bool rests = isSlow(world, rigid) && !plVertexMeets_Has(vertices, rigid->pose);
			rigid->rest.still = rests ? rigid->rest.still + world->timestep : 0.0;
			any = any || rigid->rest.still >= drowsy;
		}
	return any;
}

static bool bears(const plContactKept* kept)
{
	bool any = false;
	for (uint32_t i = 0; i < kept->count; ++i)
	{
		const float* lambda = kept->points[i].lambda;
		any = any || lambda[0] != 0.0f || lambda[1] != 0.0f || lambda[2] != 0.0f;
	}
	return any;
}

// How an island lies on something that is not dynamic, or hangs from it; NULL: from the world.
static void noteSupport(plWorld* world, plRigid* a, plRigid* b, bool bears)
{
	bool swap = !takesPart(a, false);
	plRigid *lies = swap ? b : a, *under = swap ? a : b;
	if (lies == NULL || !takesPart(lies, false) || (under != NULL && under->motion == pl_rigidDynamic))
		return;
	plRest* first = &bodyAt(world, lies->rest.island)->rest;
	if (under != NULL && plRigid_IsActive(under))
		first->least = 0.0;
	first->held = first->held || bears;
}

static void noteContact(plWorld* world, const plContactKept* kept)
{
	noteSupport(world, bodyOf(world, kept->shapes[0]), bodyOf(world, kept->shapes[1]), bears(kept));
}

static void noteJoint(plWorld* world, const plJoint* joint)
{
	plRigid* b = joint->bodies[1] != pl_noBody ? bodyAt(world, joint->bodies[1]) : NULL;
	noteSupport(world, bodyAt(world, joint->bodies[0]), b, plLength3(joint->force) > 0.0);
}

static void measureIslands(plWorld* world)
{
	const plVec3 a = world->gravity;
	const plTouches* t = &world->rigids.touches;
	bool floats = a.x == 0.0 && a.y == 0.0 && a.z == 0.0;
	PL_EACH(plRigid, rigid, &world->rigids.bodies)
	{
		rigid->rest.least = rigid->rest.still;
		rigid->rest.held = floats;
	}
	PL_EACH(plRigid, rigid, &world->rigids.bodies)
	{
		plRest* first = &bodyAt(world, rigid->rest.island)->rest;
		first->least = fmin(first->least, rigid->rest.still);
	}
	for (size_t k = 0; k < t->keptCount; ++k)
		noteContact(world, t->kept + k);
	PL_EACH(const plJoint, joint, &world->rigids.joints)
		if (!joint->broken)
			noteJoint(world, joint);
}

static void fallAsleep(plWorld* world, plRigid* rigid)
{
	memset(rigid->state.v, 0, sizeof rigid->state.v);
	memset(rigid->state.w, 0, sizeof rigid->state.w);
	rigid->rest.still = 0.0;
	rigid->rest.sleeps = true;
	linkSleeper(world, rigid);
}

void plWorld_RestRigids(plWorld* world)
{
	if (!world->sleep || !watch(world))
		return;
	findIslands(world, false);
	measureIslands(world);
	PL_EACH(plRigid, rigid, &world->rigids.bodies)
	{
		const plRest* first = &bodyAt(world, rigid->rest.island)->rest;
		if (takesPart(rigid, false) && first->least >= drowsy && first->held)
			fallAsleep(world, rigid);
	}
}
