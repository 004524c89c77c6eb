// events_test.c: what begins, ends, hits, enters and leaves; contacts between rigid bodies; who meets whom
#include "shortage.h" // before `error`

#include "rigid.h"

static const double g = 10.0;

static plWorld* openWorld(int substeps, plPool* pool)
{
	plWorldDef def = plDefaultWorldDef();
	def.gravity = (plVec3){0.0, 0.0, -g};
	def.timestep = 1.0 / 60.0;
	def.substeps = substeps;
	def.solver = plDefaultSolverDef(pl_methodAvbd);
	def.solver.iterations = 10;
	def.pool = pool;
	return plCreateWorld(&def, &error);
}

static plShapeId addShape(plWorld* world, plRigidMotion motion, plVec3 at, const plShapeDef* shape)
{
	plRigidBodyDef body = plDefaultRigidBodyDef();
	body.motion = motion;
	body.position = at;
	return plCreateShape(world, plCreateRigidBody(world, &body, &error), shape, &error);
}

static plShapeDef boxOf(plVec3 size)
{
	plShapeDef def = plDefaultShapeDef();
	def.size = size;
	def.density = 1.0;
	def.friction = 0.5;
	return def;
}

static plShapeDef ballOf(double radius)
{
	plShapeDef def = boxOf(unit);
	def.kind = pl_shapeSphere;
	def.radius = radius;
	return def;
}

static plShapeId addFloor(plWorld* world)
{
	plShapeDef floor = boxOf((plVec3){40.0, 40.0, 2.0});
	return addShape(world, pl_rigidStatic, (plVec3){0.0, 0.0, -1.0}, &floor);
}

static void take(plWorld* world, int count)
{
	for (int i = 0; i < count; ++i)
		CHECK(plWorld_Step(world, NULL, &error) >= 0);
}

static bool same(plShapeId a, plShapeId b)
{
	return a.index1 == b.index1 && a.generation == b.generation;
}

static void setVelocity(plWorld* world, plShapeId shape, plVec3 velocity)
{
	plBody_SetVelocity(world, plShape_GetBody(world, shape), velocity, none, &error);
}

// ---- begin, end, hit ------------------------------------------------------------------------------------------------

TEST(a_ball_that_lands_begins_and_hits_and_ends_when_it_is_thrown_up)
{
	plWorld* world = openWorld(1, NULL);
	plShapeDef round = ballOf(0.5);
	plShapeId floor = addFloor(world), ball = addShape(world, pl_rigidDynamic, (plVec3){1.0, 2.0, 1.5}, &round);
	size_t begins = 0, ends = 0, hits = 0;
	for (int i = 0; i < 120; ++i)
	{
		CALL(take(world, 1));
		plContactEvents events = plWorld_GetContactEvents(world);
		begins += events.beginCount;
		ends += events.endCount;
		hits += events.hitCount;
		if (events.hitCount == 0)
			continue;
		const plContactEvent* hit = events.hit;
		CHECK(same(hit->a, floor) && same(hit->b, ball) && same(events.begin->a, floor));
		CHECK_NEAR(hit->normal.z, 1.0, 1e-12);
		CHECK_NEAR(hit->speed, sqrt(2.0 * g), g / 60.0);
		CHECK_NEAR(hit->point.x, 1.0, 1e-6);
		CHECK_NEAR(hit->point.z, 0.0, 0.02);
		CHECK(hit->force > 4.0); // it weighs 5.2 N, and has to be stopped
	}
	CHECK(hits == 1 && begins >= 1 && ends == begins - 1); // it lifts off and comes back softly
	setVelocity(world, ball, (plVec3){0.0, 0.0, 5.0});
	CALL(take(world, 1));
	plContactEvents events = plWorld_GetContactEvents(world);
	CHECK(events.beginCount == 0 && events.endCount == 1);
	CHECK(same(events.end->a, floor) && same(events.end->b, ball) && events.end->force == 0.0);
	CALL(take(world, 1));
	CHECK(plWorld_GetContactEvents(world).endCount == 0);
	plDestroyWorld(world);
}

TEST(what_comes_slower_than_the_hit_speed_does_not_hit)
{
	const double speeds[4] = {4.0, 5.0, INFINITY, 0.5};
	for (int k = 0; k < 4; ++k)
	{
		WITH("%g m/s", speeds[k]);
		plWorld* world = openWorld(1, NULL);
		plShapeDef round = ballOf(0.5);
		addFloor(world);
		addShape(world, pl_rigidDynamic, (plVec3){0.0, 0.0, 1.5}, &round);
		CHECK(plWorld_SetHitSpeed(world, speeds[k], &error) == pl_success);
		CHECK(plWorld_SetHitSpeed(world, -1.0, &error) == pl_errorInput);
		CHECK(plWorld_SetHitSpeed(world, NAN, &error) == pl_errorInput);
		size_t hits = 0;
		for (int i = 0; i < 60; ++i)
		{
			CALL(take(world, 1));
			hits += plWorld_GetContactEvents(world).hitCount;
		}
		CHECK(hits == (speeds[k] < 4.2));
		plDestroyWorld(world);
	}
}

TEST(a_bounce_within_one_step_is_not_lost)
{
	for (int substeps = 1; substeps <= 8; substeps *= 2)
	{
		WITH("%d substeps", substeps);
		plWorld* world = openWorld(substeps, NULL);
		plShapeDef round = ballOf(0.5);
		round.restitution = 1.0;
		addFloor(world);
		addShape(world, pl_rigidDynamic, (plVec3){0.0, 0.0, 1.5}, &round);
		size_t hits = 0, ends = 0;
		for (int i = 0; i < 60; ++i)
		{
			CALL(take(world, 1));
			plContactEvents events = plWorld_GetContactEvents(world);
			hits += events.hitCount;
			ends += events.endCount;
			CHECK(events.hitCount == 0 || (events.hit->speed > 4.2 && events.hit->speed < 4.7));
		}
		CHECK(hits == 1 && ends == 1);
		plDestroyWorld(world);
	}
}

TEST(what_is_destroyed_ends_under_its_stale_id)
{
	plWorld* world = openWorld(1, NULL);
	plShapeDef box = boxOf(unit), sensor = boxOf((plVec3){3.0, 3.0, 3.0});
	sensor.sensor = true;
	plShapeId floor = addFloor(world), lying = addShape(world, pl_rigidDynamic, (plVec3){0.0, 0.0, 0.5}, &box);
	plShapeId around = addShape(world, pl_rigidStatic, none, &sensor);
	CALL(take(world, 10));
	plDestroyBody(world, plShape_GetBody(world, lying));
	plShapeId next = addShape(world, pl_rigidDynamic, (plVec3){0.0, 0.0, 0.5}, &box);
	CHECK(next.index1 == lying.index1); // the same slot
	CALL(take(world, 1));
	plContactEvents events = plWorld_GetContactEvents(world);
	CHECK(events.beginCount == 1 && same(events.begin->a, floor) && same(events.begin->b, next));
	CHECK(events.endCount == 1 && same(events.end->a, floor) && same(events.end->b, lying));
	CHECK(!plShape_IsValid(world, events.end->b));
	CHECK(events.enterCount == 1 && same(events.enter->sensor, around) && same(events.enter->visitor, next));
	CHECK(events.leaveCount == 1 && same(events.leave->sensor, around) && same(events.leave->visitor, lying));
	plDestroyWorld(world);
}

TEST(a_failed_step_leaves_events_as_they_were)
{
	plWorld* world = openWorld(1, NULL);
	plShapeDef box = boxOf(unit);
	addFloor(world);
	addShape(world, pl_rigidDynamic, (plVec3){0.0, 0.0, 0.5}, &box);
	CALL(take(world, 1));
	CHECK(plWorld_GetContactEvents(world).beginCount == 1);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	def.position.x = 15.0;
	def.velocity.x = 1e200;
	plBodyId wild = addBox(world, &def, unit, 1000.0);
	size_t contacts = plWorld_GetRigidContacts(world, NULL, 0);
	CHECK(plWorld_Step(world, NULL, &error) < 0);
	CHECK(plWorld_GetContactEvents(world).beginCount == 1);
	CHECK(contacts == 4 && plWorld_GetRigidContacts(world, NULL, 0) == contacts);
	plDestroyBody(world, wild);
	CALL(take(world, 1));
	CHECK(plWorld_GetContactEvents(world).beginCount == 0 && plWorld_GetContactEvents(world).endCount == 0);
	plDestroyWorld(world);
}

// ---- a pile ---------------------------------------------------------------------------------------------------------

enum
{
	pileSide = 3,
	pileCount = pileSide * pileSide * pileSide,
	contactRoom = 2000,
};

typedef struct Pile
{
	plWorld* world;
	plShapeId floor, sensor, boxes[pileCount];
} Pile;

static Pile makePile(int substeps, plPool* pool)
{
	Pile pile = {.world = openWorld(substeps, pool)};
	plShapeDef box = boxOf(unit), sensor = boxOf((plVec3){2.0, 2.0, 6.0});
	sensor.sensor = true;
	pile.floor = addFloor(pile.world);
	for (int i = 0; i < pileCount; ++i)
	{
		int x = i % pileSide, y = i / pileSide % pileSide, z = i / (pileSide * pileSide);
		double shift = z % 2 * 0.3;
		plVec3 at = {(x - 1) * 1.2 + shift, (y - 1) * 1.2 + 0.7 * shift, 0.7 + 1.3 * z};
		if (i == pileCount / 2)
			pile.sensor = addShape(pile.world, pl_rigidStatic, (plVec3){0.5, 0.0, 0.0}, &sensor);
		pile.boxes[i] = addShape(pile.world, pl_rigidDynamic, at, &box);
	}
	return pile;
}

static uint64_t keyOf(plShapeId a, plShapeId b)
{
	return (uint64_t)(a.index1 < b.index1 ? a.index1 : b.index1) << 32 | (a.index1 < b.index1 ? b.index1 : a.index1);
}

static void checkSorted(const plContactEvent* events, size_t count)
{
	for (size_t i = 0; i < count; ++i)
	{
		CHECK(events[i].a.index1 < events[i].b.index1);
		CHECK(i == 0 || keyOf(events[i - 1].a, events[i - 1].b) < keyOf(events[i].a, events[i].b));
	}
}

// A set of keys, in which events come and go.
typedef struct Keys
{
	uint64_t at[contactRoom];
	size_t count;
} Keys;

static size_t findKey(const Keys* keys, uint64_t key)
{
	size_t i = 0;
	while (i < keys->count && keys->at[i] != key)
		++i;
	return i;
}

static void addKey(Keys* keys, uint64_t key)
{
	CHECK(findKey(keys, key) == keys->count);
	keys->at[keys->count++] = key;
}

static void dropKey(Keys* keys, uint64_t key)
{
	size_t i = findKey(keys, key);
	CHECK(i < keys->count);
	keys->at[i] = keys->at[--keys->count];
}

static double along(const plRigidContact* contact)
{
	return contact->force.x * contact->normal.x + contact->force.y * contact->normal.y +
	       contact->force.z * contact->normal.z;
}

// Which shapes push, from contacts
static void listPushing(plWorld* world, Keys* keys)
{
	static plRigidContact contacts[contactRoom];
	size_t count = plWorld_GetRigidContacts(world, contacts, contactRoom);
	CHECK(count < contactRoom);
	keys->count = 0;
	for (size_t i = 0; i < count; ++i)
	{
		uint64_t key = keyOf(contacts[i].a, contacts[i].b);
		CHECK(i == 0 || keyOf(contacts[i - 1].a, contacts[i - 1].b) <= key);
		if (along(contacts + i) > 0.0 && findKey(keys, key) == keys->count)
			addKey(keys, key);
	}
}

TEST(begins_less_ends_are_the_shapes_that_push_and_all_are_sorted)
{
	static Keys sum, pushing;
	Pile pile = makePile(1, NULL);
	size_t hits = 0, ends = 0;
	sum.count = 0;
	for (int i = 0; i < 200; ++i)
	{
		WITH("step %d", i);
		CALL(take(pile.world, 1));
		plContactEvents events = plWorld_GetContactEvents(pile.world);
		CALL(checkSorted(events.begin, events.beginCount));
		CALL(checkSorted(events.end, events.endCount));
		CALL(checkSorted(events.hit, events.hitCount));
		for (size_t k = 0; k < events.endCount; ++k)
			CALL(dropKey(&sum, keyOf(events.end[k].a, events.end[k].b)));
		for (size_t k = 0; k < events.beginCount; ++k)
			CALL(addKey(&sum, keyOf(events.begin[k].a, events.begin[k].b)));
		CALL(listPushing(pile.world, &pushing));
		CHECK(pushing.count == sum.count);
		for (size_t k = 0; k < sum.count; ++k)
			CHECK(findKey(&pushing, sum.at[k]) < pushing.count);
		hits += events.hitCount;
		ends += events.endCount;
	}
	CHECK(hits > 5 && ends > 5);
	plDestroyWorld(pile.world);
}

TEST(contact_forces_of_a_resting_pile_add_up_to_its_weight)
{
	static plRigidContact contacts[contactRoom];
	Pile pile = makePile(1, NULL);
	double floor = 0.0, onBox[pileCount][3] = {{0.0}};
	CALL(take(pile.world, 600));
	size_t count = plWorld_GetRigidContacts(pile.world, contacts, contactRoom);
	for (size_t i = 0; i < count; ++i)
	{
		const double force[3] = {contacts[i].force.x, contacts[i].force.y, contacts[i].force.z};
		CHECK_NEAR(lengthOf(contacts[i].normal), 1.0, 1e-12);
		CHECK(fabs(contacts[i].depth) < 0.05);
		floor += same(contacts[i].a, pile.floor) ? force[2] : 0.0;
		for (int b = 0; b < pileCount; ++b)
			for (int axis = 0; axis < 3; ++axis)
			{
				onBox[b][axis] += same(contacts[i].b, pile.boxes[b]) ? force[axis] : 0.0;
				onBox[b][axis] -= same(contacts[i].a, pile.boxes[b]) ? force[axis] : 0.0;
			}
	}
	CHECK_NEAR(floor, pileCount * g, 0.01 * pileCount * g);
	for (int b = 0; b < pileCount; ++b)
	{
		WITH("box %d", b);
		CHECK_NEAR(onBox[b][0], 0.0, 0.02 * g);
		CHECK_NEAR(onBox[b][1], 0.0, 0.02 * g);
		CHECK_NEAR(onBox[b][2], g, 0.02 * g);
	}
	CHECK(plWorld_GetRigidContacts(pile.world, contacts, 3) == count);
	plDestroyBody(pile.world, plShape_GetBody(pile.world, pile.boxes[0]));
	size_t left = plWorld_GetRigidContacts(pile.world, contacts, contactRoom);
	CHECK(left < count && left > 0);
	for (size_t i = 0; i < left; ++i)
		CHECK(plShape_IsValid(pile.world, contacts[i].a) && plShape_IsValid(pile.world, contacts[i].b));
	plDestroyWorld(pile.world);
}

// ---- sleep ----------------------------------------------------------------------------------------------------------

enum
{
	towerCount = 3,
	towerRoom = 32
};

typedef struct Tower
{
	plWorld* world;
	plShapeId boxes[towerCount];
	plRigidContact contacts[towerRoom]; // when it fell asleep
	size_t contactCount;
} Tower;

static Tower makeTower(int substeps)
{
	Tower tower = {.world = openWorld(substeps, NULL)};
	plShapeDef box = boxOf(unit);
	addFloor(tower.world);
	for (int i = 0; i < towerCount; ++i)
		tower.boxes[i] = addShape(tower.world, pl_rigidDynamic, (plVec3){0.0, 0.0, 0.5 + i}, &box);
	return tower;
}

static void fallAsleep(Tower* tower)
{
	for (int i = 0; i < 200 && !plBody_IsAsleep(tower->world, plShape_GetBody(tower->world, *tower->boxes)); ++i)
		CALL(take(tower->world, 1));
	CHECK(plBody_IsAsleep(tower->world, plShape_GetBody(tower->world, *tower->boxes)));
	tower->contactCount = plWorld_GetRigidContacts(tower->world, tower->contacts, towerRoom);
	CHECK(tower->contactCount == 4 * towerCount);
	double z = plBody_GetPose(tower->world, plShape_GetBody(tower->world, *tower->boxes)).translation.z, depth = 0.0;
	for (int i = 0; i < 4; ++i)
		depth += 0.25 * tower->contacts[i].depth;
	CHECK_NEAR(depth, 0.5 - z, 1e-9); // of 3e-7 with one substep
}

static void checkQuiet(const plWorld* world)
{
	plContactEvents events = plWorld_GetContactEvents(world);
	CHECK(events.beginCount == 0 && events.endCount == 0 && events.hitCount == 0);
}

// The contacts of the tower come first: whatever else is there stands in higher slots.
static void checkAsBefore(const Tower* tower, const plWorld* world)
{
	plRigidContact now[towerRoom];
	double floor = 0.0;
	CHECK(plWorld_GetRigidContacts(world, now, towerRoom) == tower->contactCount);
	for (size_t i = 0; i < tower->contactCount; ++i)
	{
		const plRigidContact* then = tower->contacts + i;
		CHECK(same(now[i].a, then->a) && same(now[i].b, then->b) && now[i].sticks == then->sticks);
		CHECK(now[i].depth == then->depth && now[i].force.z == then->force.z && now[i].normal.z == then->normal.z);
		CHECK(now[i].point.x == then->point.x && now[i].point.y == then->point.y && now[i].point.z == then->point.z);
		floor += i < 4 ? now[i].force.z : 0.0;
	}
	CHECK_NEAR(floor, towerCount * g, 0.01 * towerCount * g);
}

TEST(a_tower_that_sleeps_keeps_its_contacts_and_has_no_events)
{
	for (int substeps = 1; substeps <= 2; ++substeps)
	{
		WITH("%d substeps", substeps);
		Tower tower = makeTower(substeps), other = makeTower(substeps);
		CALL(fallAsleep(&tower));
		for (int i = 0; i < 20; ++i) // first nothing moves, then something far away does
		{
			plShapeDef round = ballOf(0.1);
			if (i == 10)
				addShape(tower.world, pl_rigidDynamic, (plVec3){5.0, 0.0, 9.0}, &round);
			CALL(take(tower.world, 1));
			CALL(checkQuiet(tower.world));
			CALL(checkAsBefore(&tower, tower.world));
			if (i != 5)
				continue;
			CHECK(carryState(tower.world, other.world, &error) == pl_success);
			CALL(checkAsBefore(&tower, other.world));
			CALL(take(other.world, 1));
			CALL(checkQuiet(other.world));
			CALL(checkAsBefore(&tower, other.world));
		}
		plBody_Wake(tower.world, plShape_GetBody(tower.world, tower.boxes[1]));
		CALL(take(tower.world, 1));
		CALL(checkQuiet(tower.world));
		plDestroyBody(other.world, plShape_GetBody(other.world, tower.boxes[towerCount - 1]));
		CALL(take(other.world, 1));
		CHECK(plWorld_GetContactEvents(other.world).endCount == 1);
		CHECK(plWorld_GetContactEvents(other.world).beginCount == 0);
		plDestroyWorld(tower.world);
		plDestroyWorld(other.world);
	}
}

static bool refusesAll(plShapeId a, plShapeId b, void* context)
{
	(void)a, (void)b, (void)context;
	return false;
}

TEST(a_filter_wakes_what_it_takes_the_ground_from)
{
	Tower tower = makeTower(1);
	CALL(fallAsleep(&tower));
	plWorld_SetFilter(tower.world, refusesAll, NULL);
	CALL(take(tower.world, 5));
	CHECK(plWorld_GetRigidContacts(tower.world, NULL, 0) == 0);
	CHECK(plBody_GetPose(tower.world, plShape_GetBody(tower.world, *tower.boxes)).translation.z < 0.49);
	plDestroyWorld(tower.world);
}

// ---- the same whatever else
// --------------------------------------------------------------------------------------------

static bool sameEvents(const plContactEvent* a, const plContactEvent* b, size_t count)
{
	return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

static void compareWorlds(const plWorld* a, const plWorld* b)
{
	plContactEvents x = plWorld_GetContactEvents(a), y = plWorld_GetContactEvents(b);
	CHECK(x.beginCount == y.beginCount && x.endCount == y.endCount && x.hitCount == y.hitCount);
	CHECK(x.enterCount == y.enterCount && x.leaveCount == y.leaveCount);
	CHECK(sameEvents(x.begin, y.begin, x.beginCount) && sameEvents(x.end, y.end, x.endCount) &&
	      sameEvents(x.hit, y.hit, x.hitCount));
	for (size_t i = 0; i < x.enterCount; ++i)
		CHECK(same(x.enter[i].sensor, y.enter[i].sensor) && same(x.enter[i].visitor, y.enter[i].visitor));
	for (size_t i = 0; i < x.leaveCount; ++i)
		CHECK(same(x.leave[i].sensor, y.leave[i].sensor) && same(x.leave[i].visitor, y.leave[i].visitor));
}

TEST(events_do_not_depend_on_threads)
{
	plPool* pool = plCreatePool(3);
	for (int substeps = 1; substeps <= 2; ++substeps)
	{
		Pile one = makePile(substeps, NULL), three = makePile(substeps, pool);
		for (int i = 0; i < 150; ++i)
		{
			WITH("%d substeps, step %d", substeps, i);
			CALL(take(one.world, 1));
			CALL(take(three.world, 1));
			CALL(compareWorlds(one.world, three.world));
		}
		plDestroyWorld(one.world);
		plDestroyWorld(three.world);
	}
	plDestroyPool(pool);
}

TEST(events_after_a_resume_are_those_of_a_run_that_never_stopped)
{
	Pile pile = makePile(2, NULL);
	for (int i = 0; i < 120; ++i)
	{
		Pile other = makePile(2, NULL);
		WITH("stopped at step %d", i);
		if (i == 60) // between step and save: the pair is no contact any more, and still has to end or go on
			plBody_SetPose(pile.world, plShape_GetBody(pile.world, pile.boxes[4]),
			               (plTransform){1.0, plTransform_identity.rotation, {5.0, 5.0, 0.5}}, &error);
		CHECK(carryState(pile.world, other.world, &error) == pl_success);
		CHECK(plWorld_GetContactEvents(other.world).beginCount == 0);
		CALL(take(pile.world, 1));
		CALL(take(other.world, 1));
		CALL(compareWorlds(pile.world, other.world));
		CHECK(plWorld_GetHash(pile.world) == plWorld_GetHash(other.world));
		plDestroyWorld(other.world);
	}
	plDestroyWorld(pile.world);
}

TEST(states_with_pairs_that_make_no_sense_are_refused)
{
	Pile pile = makePile(1, NULL);
	size_t before = plWorld_GetStateSize(pile.world);
	CALL(take(pile.world, 30));
	size_t bytes = plWorld_GetStateSize(pile.world), refused = 0;
	char *state = malloc(bytes), *broken = malloc(bytes);
	plWorld_SaveState(pile.world, state);
	CHECK(bytes > before);
	const double nonsense[3] = {NAN, -1.0, 1e9};
	for (size_t at = bytes - 20 * 4 * sizeof(double); at < bytes; at += sizeof(double)) // the last pairs
		for (int k = 0; k < 2; ++k)
		{
			memcpy(broken, state, bytes);
			memcpy(broken + at, nonsense + k, sizeof(double));
			CHECK(plWorld_LoadState(pile.world, broken, bytes, &error) == pl_errorInput);
			refused++;
		}
	CHECK(refused > 0 && plWorld_LoadState(pile.world, state, bytes, &error) == pl_success);
	free(state);
	free(broken);
	plDestroyWorld(pile.world);
}

// A pile that is stirred may come to more contacts than ever, so it goes through the same steps again.
TEST(events_take_no_memory_once_things_have_happened)
{
	Pile pile = makePile(2, NULL);
	size_t bytes = plWorld_GetStateSize(pile.world), events = 0;
	char* state = malloc(bytes);
	plWorld_SaveState(pile.world, state);
	for (int i = 0; i < 600; ++i)
	{
		WITH("step %d", i);
		plStepReport report;
		if (i % 150 == 0)
			CHECK(plWorld_LoadState(pile.world, state, bytes, &error) == pl_success);
		setVelocity(pile.world, pile.boxes[i % 150 % pileCount], (plVec3){0.0, 0.0, 1.0});
		CHECK(plWorld_Step(pile.world, &report, &error) >= 0);
		CHECK(i < 450 || report.allocations == 0);
		events += i < 450 ? 0 : plWorld_GetContactEvents(pile.world).beginCount;
	}
	CHECK(events > 100);
	free(state);
	plDestroyWorld(pile.world);
}

static bool liveWithEvents(Meter* meter, const plMesh* mesh, plError* e)
{
	(void)mesh;
	plAllocator hook = meterHook(meter);
	plWorldDef def = plDefaultWorldDef();
	def.gravity = (plVec3){0.0, 0.0, -g};
	def.solver = plDefaultSolverDef(pl_methodAvbd);
	def.allocator = hook;
	plWorld* world = plCreateWorld(&def, e);
	if (world == NULL)
		return false;
	plShapeDef box = boxOf(unit), sensor = box;
	sensor.sensor = true;
	bool fine = true;
	for (int k = 0; fine && k < 3; ++k)
	{
		plRigidBodyDef body = plDefaultRigidBodyDef();
		body.motion = k < 2 ? pl_rigidStatic : pl_rigidDynamic;
		body.position.z = k == 0 ? -1.0 : 0.05 * k;
		fine = PL_IS_NON_NULL(addRigid(world, &body, k == 1 ? &sensor : &box));
	}
	*e = fine ? *e : error;
	fine = fine && stepOrStay(world, 10, meter, e);
	plDestroyWorld(world);
	return fine;
}

// ---- sensors --------------------------------------------------------------------------------------------------------

TEST(a_sensor_notices_what_overlaps_it_and_pushes_nothing)
{
	plWorld *world = openWorld(1, NULL), *empty = openWorld(1, NULL);
	plShapeDef box = boxOf((plVec3){2.0, 2.0, 1.0}), round = ballOf(0.25);
	box.sensor = true;
	plShapeId ball = addShape(world, pl_rigidDynamic, (plVec3){0.3, 0.2, 3.0}, &round);
	plShapeId sensor = addShape(world, pl_rigidStatic, none, &box);
	plShapeId alone = addShape(empty, pl_rigidDynamic, (plVec3){0.3, 0.2, 3.0}, &round);
	bool inside = false;
	int changes = 0;
	for (int i = 0; i < 90; ++i)
	{
		CALL(take(world, 1));
		CALL(take(empty, 1));
		plContactEvents events = plWorld_GetContactEvents(world);
		double z = plBody_GetPose(world, plShape_GetBody(world, ball)).translation.z;
		CHECK(z == plBody_GetPose(empty, plShape_GetBody(empty, alone)).translation.z);
		bool now = fabs(z) <= 0.75;
		CHECK(events.enterCount == (now && !inside) && events.leaveCount == (!now && inside));
		CHECK(events.beginCount == 0 && events.endCount == 0);
		if (events.enterCount > 0)
			CHECK(same(events.enter->sensor, sensor) && same(events.enter->visitor, ball));
		if (events.leaveCount > 0)
			CHECK(same(events.leave->sensor, sensor) && same(events.leave->visitor, ball));
		changes += now != inside;
		inside = now;
	}
	CHECK(changes == 2);
	plDestroyWorld(world);
	plDestroyWorld(empty);
}

TEST(a_sensor_notices_kinematic_bodies_and_what_is_made_in_it)
{
	plWorld* world = openWorld(1, NULL);
	plShapeDef box = boxOf(unit), sensor = box;
	sensor.sensor = true;
	plShapeId door = addShape(world, pl_rigidStatic, none, &sensor);
	plShapeId walker = addShape(world, pl_rigidKinematic, (plVec3){3.0, 0.0, 0.0}, &box);
	addShape(world, pl_rigidStatic, (plVec3){0.0, 0.9, 0.0}, &box); // static in static: nobody notices
	CALL(take(world, 2));
	CHECK(plWorld_GetContactEvents(world).enterCount == 0);
	plTransform at = plTransform_identity;
	at.translation.x = 0.5;
	CHECK(plBody_SetTarget(world, plShape_GetBody(world, walker), at, &error) == pl_success);
	CALL(take(world, 1));
	plContactEvents events = plWorld_GetContactEvents(world);
	CHECK(events.enterCount == 1 && same(events.enter->sensor, door) && same(events.enter->visitor, walker));
	plShapeId made = addShape(world, pl_rigidDynamic, (plVec3){0.0, 0.2, 0.0}, &sensor);
	CALL(take(world, 1));
	events = plWorld_GetContactEvents(world);
	CHECK(events.enterCount == 3); // the door, the walker and the static box: all of them are in it
	CHECK(same(events.enter[0].sensor, door) && same(events.enter[0].visitor, made));
	CHECK(same(events.enter[1].sensor, made) && same(events.enter[1].visitor, walker));
	plDestroyWorld(world);
}

// ---- filters --------------------------------------------------------------------------------------------------------

static bool refusesOne(plShapeId a, plShapeId b, void* context)
{
	const plShapeId* refused = context;
	return a.index1 < b.index1 && !same(a, *refused) && !same(b, *refused);
}

TEST(a_filter_says_who_meets_whom_and_may_change_its_mind)
{
	plWorld* world = openWorld(1, NULL);
	plShapeDef box = boxOf(unit);
	addFloor(world);
	plShapeId ghost = addShape(world, pl_rigidDynamic, (plVec3){0.0, 0.0, 0.5}, &box);
	plShapeId solid = addShape(world, pl_rigidDynamic, (plVec3){2.0, 0.0, 0.5}, &box), nobody = {0, 0};
	CALL(take(world, 10));
	plWorld_SetFilter(world, refusesOne, &ghost);
	CALL(take(world, 1));
	CHECK(plWorld_GetContactEvents(world).endCount == 1 && same(plWorld_GetContactEvents(world).end->b, ghost));
	CALL(take(world, 5));
	CHECK(plBody_GetPose(world, plShape_GetBody(world, ghost)).translation.z < 0.49);
	CHECK(plBody_GetPose(world, plShape_GetBody(world, solid)).translation.z > 0.49);
	plWorld_SetFilter(world, refusesOne, &nobody);
	CALL(take(world, 1));
	CHECK(plWorld_GetContactEvents(world).beginCount == 1 && same(plWorld_GetContactEvents(world).begin->b, ghost));
	plWorld_SetFilter(world, NULL, NULL);
	CALL(take(world, 1));
	CHECK(plWorld_GetContactEvents(world).endCount == 0);
	plDestroyWorld(world);
}

TEST(whichever_allocation_fails_nothing_leaks_and_the_state_stands)
{
	failEachAllocation(liveWithEvents, unit, oneCell, 20);
}
