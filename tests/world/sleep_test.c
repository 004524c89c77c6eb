// sleep_test.c: rigid bodies that come to rest fall asleep, by islands, and wake by all that may move them
#include "meter.h"
#include "rigid.h"

static const double brick = 1.0; // m, a cube's edge

typedef struct Yard
{
	plWorld* world;
	plBodyId ground;
	plBodyId boxes[64];
	int count;
} Yard;

typedef struct Terms
{
	double length, density; // units: of length with gravity, of density
	plPool* pool;
	int substeps;
	bool awake;    // sleep is off
	bool isDouble; // precision
	Meter* meter;
} Terms;

static plBodyId addGround(plWorld* world, plRigidMotion motion, plVec3 top, plVec3 size)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	def.motion = motion;
	def.position = (plVec3){top.x, top.y - 0.5 * size.y, top.z};
	return addBox(world, &def, size, 1000.0);
}

static Yard makeYard(Terms terms)
{
	double scale = terms.length > 0.0 ? terms.length : 1.0;
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(pl_methodAvbd);
	wd.solver.precision = terms.isDouble ? pl_precisionDouble : pl_precisionFloat;
	wd.gravity = (plVec3){0.0, -10.0 * scale, 0.0};
	wd.substeps = terms.substeps > 0 ? terms.substeps : 1;
	wd.pool = terms.pool;
	wd.sleep = !terms.awake;
	if (terms.meter != NULL)
		wd.allocator = meterHook(terms.meter);
	Yard yard = {.world = plCreateWorld(&wd, &error)};
	yard.ground = addGround(yard.world, pl_rigidStatic, none, (plVec3){100.0 * scale, scale, 100.0 * scale});
	return yard;
}

static plBodyId addCube(Yard* yard, plVec3 at, double scale, double density)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	def.position = (plVec3){at.x * scale, at.y * scale, at.z * scale};
	plVec3 size = {brick * scale, brick * scale, brick * scale};
	return yard->boxes[yard->count++] = addBox(yard->world, &def, size, density);
}

static void addStack(Yard* yard, double x, int height)
{
	for (int i = 0; i < height; ++i)
		addCube(yard, (plVec3){x + 0.01 * (i % 2), (0.5 + i) * brick, 0.0}, 1.0, 1000.0);
}

// Fifty that fall onto each other, a little out of line.
static void addPile(Yard* yard, Terms terms)
{
	double scale = terms.length > 0.0 ? terms.length : 1.0, density = terms.density > 0.0 ? terms.density : 1.0;
	for (int i = 0; i < 50; ++i)
	{
		int layer = i / 16, row = i % 16 / 4, column = i % 4;
		plVec3 at = {1.125 * column + 0.1875 * (layer % 2), 0.53125 + 1.0625 * layer,
		             1.125 * row + 0.0625 * (i * 7 % 5)};
		addCube(yard, at, scale, 1000.0 * density);
	}
}

static int countAsleep(const Yard* yard)
{
	int count = 0;
	for (int i = 0; i < yard->count; ++i)
		count += plBody_IsAsleep(yard->world, yard->boxes[i]);
	return count;
}

static void step(Yard* yard, int count)
{
	for (int i = 0; i < count; ++i)
	{
		plStepReport report;
		CHECK(plWorld_Step(yard->world, &report, &error) >= 0);
		CHECK((int)report.asleep == countAsleep(yard));
	}
}

// Until so many sleep; the number of steps, or -1 after `most`.
static int stepUntilAsleep(Yard* yard, int asleep, int most)
{
	for (int i = 0; i < most; ++i)
	{
		if (countAsleep(yard) == asleep)
			return i;
		step(yard, 1);
	}
	return -1;
}

static double heightOf(const Yard* yard, int box)
{
	return plBody_GetPose(yard->world, yard->boxes[box]).translation.y;
}

// ---- falling asleep -------------------------------------------------------------------------------------------------

TEST(a_pile_of_fifty_falls_asleep_and_keeps_its_bits)
{
	for (int substeps = 1; substeps <= 2; ++substeps)
	{
		WITH("%d substeps", substeps);
		Yard yard = makeYard((Terms){.substeps = substeps});
		addPile(&yard, (Terms){0});
		CHECK(stepUntilAsleep(&yard, 50, 900) > 30);
		uint64_t hash = plWorld_GetHash(yard.world);
		plStepReport report;
		for (int i = 0; i < 60; ++i)
		{
			CHECK(plWorld_Step(yard.world, &report, &error) == pl_success);
			CHECK(report.asleep == 50 && report.hash == hash && report.kinetic == 0.0 && report.manifolds == 0);
			CHECK(report.allocations == 0);
		}
		for (int i = 0; i < 50; ++i)
			CHECK(lengthOf(plBody_GetVelocity(yard.world, yard.boxes[i])) == 0.0 &&
			      lengthOf(plBody_GetSpin(yard.world, yard.boxes[i])) == 0.0);
		plDestroyWorld(yard.world);
	}
}

TEST(with_sleep_off_nothing_sleeps)
{
	Yard yard = makeYard((Terms){.awake = true});
	addStack(&yard, 0.0, 2);
	CALL(step(&yard, 200));
	CHECK(countAsleep(&yard) == 0);
	plDestroyWorld(yard.world);
}

TEST(what_nothing_bears_stays_awake)
{
	// 2,000/s of air: it sinks by 5 mm/s
	Yard yard = makeYard((Terms){0});
	plRigidBodyDef def = plDefaultRigidBodyDef();
	def.position.y = 5.0;
	def.air = 2000.0;
	yard.boxes[yard.count++] = addBox(yard.world, &def, (plVec3){1.0, 1.0, 1.0}, 1000.0);
	CALL(step(&yard, 120));
	CHECK(countAsleep(&yard) == 0 && heightOf(&yard, 0) < 4.995);
	plDestroyWorld(yard.world);
}

TEST(without_gravity_only_what_hardly_moves_sleeps)
{
	Yard yard = makeYard((Terms){0});
	plWorld_SetGravity(yard.world, none);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	for (int i = 0; i < 2; ++i)
	{
		def.position = (plVec3){5.0 * i, 5.0, 0.0};
		def.velocity.x = i == 0 ? 0.0 : 0.002;
		yard.boxes[yard.count++] = addBox(yard.world, &def, (plVec3){1.0, 1.0, 1.0}, 1000.0);
	}
	CALL(step(&yard, 60));
	CHECK(plBody_IsAsleep(yard.world, yard.boxes[0]) && !plBody_IsAsleep(yard.world, yard.boxes[1]));
	plWorld_SetGravity(yard.world, (plVec3){0.0, -1.0, 0.0});
	CHECK(countAsleep(&yard) == 0);
	CALL(step(&yard, 30));
	CHECK(heightOf(&yard, 0) < 4.9);
	plDestroyWorld(yard.world);
}

TEST(two_stacks_apart_sleep_and_wake_by_themselves)
{
	Yard yard = makeYard((Terms){0});
	addStack(&yard, 0.0, 3);
	CHECK(stepUntilAsleep(&yard, 3, 300) > 0);
	for (int i = 0; i < 3; ++i)
		addCube(&yard, (plVec3){5.0, 0.5 + i, 0.0}, 1.0, 1000.0);
	CALL(step(&yard, 10));
	CHECK(countAsleep(&yard) == 3 && !plBody_IsAsleep(yard.world, yard.boxes[3]));
	CHECK(stepUntilAsleep(&yard, 6, 300) > 0);
	plBody_Wake(yard.world, yard.boxes[4]);
	CHECK(countAsleep(&yard) == 3 && plBody_IsAsleep(yard.world, yard.boxes[0]));
	CHECK(stepUntilAsleep(&yard, 6, 300) >= 30);
	plDestroyWorld(yard.world);
}

TEST(a_stack_that_is_woken_again_and_again_does_not_creep)
{
	Yard yard = makeYard((Terms){0});
	addStack(&yard, 0.0, 5);
	CHECK(stepUntilAsleep(&yard, 5, 600) > 0);
	double top = heightOf(&yard, 4);
	plVec3 at = plBody_GetPose(yard.world, yard.boxes[4]).translation;
	for (int i = 0; i < 10; ++i)
	{
		plBody_Wake(yard.world, yard.boxes[i % 5]);
		CHECK(countAsleep(&yard) == 0);
		CHECK(stepUntilAsleep(&yard, 5, 600) > 0);
	}
	CHECK_NEAR(heightOf(&yard, 4), top, 1e-3);
	CHECK(apartBy(plBody_GetPose(yard.world, yard.boxes[4]).translation, at) < 2e-3);
	plDestroyWorld(yard.world);
}

// ---- waking ---------------------------------------------------------------------------------------------------------

TEST(a_ball_wakes_what_it_hits_before_it_bounces_off)
{
	Yard yard = makeYard((Terms){0});
	addStack(&yard, 0.0, 1);
	addStack(&yard, 6.0, 2);
	CHECK(stepUntilAsleep(&yard, 3, 300) > 0);
	plVec3 before = plBody_GetPose(yard.world, yard.boxes[0]).translation;
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef ball = plDefaultShapeDef();
	ball.kind = pl_shapeSphere;
	ball.radius = 0.4;
	ball.density = 4000.0;
	def.position = (plVec3){-2.0, 0.5, 0.0};
	def.velocity = (plVec3){8.0, 1.0, 0.0};
	plBodyId id = addRigid(yard.world, &def, &ball);
	CALL(step(&yard, 3));
	CHECK(countAsleep(&yard) == 3); // it is not there yet
	CALL(step(&yard, 20));
	CHECK(countAsleep(&yard) == 2 && !plBody_IsAsleep(yard.world, yard.boxes[0]));
	CHECK(plBody_GetPose(yard.world, yard.boxes[0]).translation.x > before.x + 0.3);
	CHECK(plBody_GetVelocity(yard.world, id).x > 0.0); // it is about as heavy, and was not thrown back as by a wall
	plDestroyWorld(yard.world);
}

TEST(what_hits_a_sleeper_meets_it_as_if_it_were_awake)
{
	// without gravity, one box runs into a second one that sleeps, which has a third one 8 mm behind it
	plVec3 places[2][3];
	for (int sleeps = 0; sleeps < 2; ++sleeps)
	{
		Yard yard = makeYard((Terms){.awake = sleeps == 0});
		plWorld_SetGravity(yard.world, none);
		for (int i = 0; i < 3; ++i)
			addCube(&yard, (plVec3){2.0 * i - (i == 2 ? 0.992 : 0.0), 5.0, 0.0}, 1.0, 1000.0);
		CALL(step(&yard, 40));
		CHECK(countAsleep(&yard) == 3 * sleeps);
		CHECK(plBody_SetVelocity(yard.world, yard.boxes[0], (plVec3){3.0, 0.0, 0.0}, none, &error) == pl_success);
		CHECK(countAsleep(&yard) == 2 * sleeps);
		CALL(step(&yard, 60));
		for (int i = 0; i < 3; ++i)
			places[sleeps][i] = plBody_GetPose(yard.world, yard.boxes[i]).translation;
		plDestroyWorld(yard.world);
	}
	CHECK(places[0][2].x > 3.3); // from 3.008
	for (int i = 0; i < 3; ++i)
		CHECK(apartBy(places[0][i], places[1][i]) == 0.0);
}

TEST(to_take_away_the_support_wakes)
{
	for (int way = 0; way < 8; ++way)
	{
		bool alone = way < 4; // else something else is awake all the while
		WITH("way %d", way);
		Yard yard = makeYard((Terms){0});
		plBodyId shelf = addGround(yard.world, pl_rigidStatic, (plVec3){0.0, 4.0, 0.0}, (plVec3){2.0, 0.5, 2.0});
		addCube(&yard, (plVec3){0.0, 4.5, 0.0}, 1.0, 1000.0);
		addCube(&yard, (plVec3){0.0, 5.5, 0.0}, 1.0, 1000.0);
		CHECK(stepUntilAsleep(&yard, 2, 300) > 0);
		plRigidBodyDef other = plDefaultRigidBodyDef();
		other.position = (plVec3){10.0, 1000.0, 0.0};
		if (!alone)
			yard.boxes[yard.count++] = addBox(yard.world, &other, (plVec3){1.0, 1.0, 1.0}, 1000.0);
		CALL(step(&yard, 20));
		CHECK(countAsleep(&yard) == 2);
		plTransform away = {1.0, {{0.0, 0.0, 0.0}, 1.0}, {20.0, 4.0, 0.0}};
		plShapeId shape;
		plBody_GetShapes(yard.world, shelf, &shape, 1);
		if (way % 4 == 0)
			plDestroyBody(yard.world, shelf);
		else if (way % 4 == 1)
			plDestroyShape(yard.world, shape);
		else if (way % 4 == 2)
			CHECK(plBody_SetPose(yard.world, shelf, away, &error) == pl_success);
		else
			plDestroyBody(yard.world, yard.boxes[0]);
		double before = heightOf(&yard, 1);
		for (int i = 0; i < 20; ++i)
			CHECK(plWorld_Step(yard.world, NULL, &error) >= 0);
		CHECK(heightOf(&yard, 1) < before - 0.3);
		plDestroyWorld(yard.world);
	}
}

TEST(a_wall_that_is_put_into_a_sleeper_wakes_it)
{
	for (int made = 0; made < 2; ++made)
	{
		Yard yard = makeYard((Terms){0});
		plBodyId wall = {0, 0};
		if (!made)
			wall = addGround(yard.world, pl_rigidStatic, (plVec3){20.0, 2.0, 0.0}, (plVec3){1.0, 2.0, 2.0});
		addStack(&yard, 0.0, 1);
		addStack(&yard, 5.0, 1);
		CHECK(stepUntilAsleep(&yard, 2, 300) > 0);
		plTransform near = {1.0, {{0.0, 0.0, 0.0}, 1.0}, {-0.9, 1.0, 0.0}};
		if (made)
			addGround(yard.world, pl_rigidStatic, (plVec3){-0.9, 2.0, 0.0}, (plVec3){1.0, 2.0, 2.0});
		else
			CHECK(plBody_SetPose(yard.world, wall, near, &error) == pl_success);
		CHECK(countAsleep(&yard) == 1 && plBody_IsAsleep(yard.world, yard.boxes[1]));
		CALL(step(&yard, 60));
		CHECK(plBody_GetPose(yard.world, yard.boxes[0]).translation.x > 0.03);
		plDestroyWorld(yard.world);
	}
}

TEST(a_lift_that_starts_to_move_wakes_what_stands_on_it)
{
	for (int down = 0; down < 2; ++down)
	{
		WITH("down %d", down);
		Yard yard = makeYard((Terms){0});
		plBodyId lift = addGround(yard.world, pl_rigidKinematic, (plVec3){0.0, 3.0, 0.0}, (plVec3){4.0, 0.5, 4.0});
		addCube(&yard, (plVec3){0.0, 3.5, 0.0}, 1.0, 1000.0);
		addCube(&yard, (plVec3){0.0, 4.5, 0.0}, 1.0, 1000.0);
		CHECK(stepUntilAsleep(&yard, 2, 300) > 0);
		double speed = down ? -1.0 : 1.0;
		plMotion path = {.kind = pl_motionLine, .ease = pl_easeSmooth, .translate = {0.0, speed, 0.0}};
		path.from = plWorld_GetTime(yard.world) + 0.5;
		path.until = path.from + 2.0;
		CHECK(plBody_SetPath(yard.world, lift, &path, &error) == pl_success);
		CALL(step(&yard, 29));
		CHECK(countAsleep(&yard) == 2);
		CALL(step(&yard, 60));
		CHECK(countAsleep(&yard) == 0);
		CHECK(stepUntilAsleep(&yard, 2, 300) > 60);
		CHECK_NEAR(heightOf(&yard, 1), 4.5 + speed, 0.01);
		plDestroyWorld(yard.world);
	}
}

TEST(what_lies_on_something_that_moves_stays_awake_however_slow_it_is)
{
	Yard yard = makeYard((Terms){0});
	plBodyId lift = addGround(yard.world, pl_rigidKinematic, (plVec3){0.0, 3.0, 0.0}, (plVec3){4.0, 0.5, 4.0});
	addCube(&yard, (plVec3){0.0, 3.5, 0.0}, 1.0, 1000.0);
	plMotion path = {.kind = pl_motionLine, .translate = {0.01, 0.0, 0.0}, .until = 10.0}; // 1 mm/s
	CHECK(plBody_SetPath(yard.world, lift, &path, &error) == pl_success);
	for (int i = 0; i < 180; ++i)
	{
		CALL(step(&yard, 1));
		CHECK(countAsleep(&yard) == 0);
	}
	CHECK_NEAR(plBody_GetPose(yard.world, yard.boxes[0]).translation.x, 0.003, 1e-4);
	plDestroyWorld(yard.world);
}

TEST(what_lies_on_a_kinematic_body_that_stays_sleeps)
{
	for (int told = 0; told < 3; ++told) // by its def, by a pose, by a target
	{
		WITH("told %d", told);
		Yard yard = makeYard((Terms){.substeps = 3});
		plBodyId lift = addGround(yard.world, pl_rigidKinematic, (plVec3){0.0, 3.0, 0.0}, (plVec3){4.0, 0.5, 4.0});
		plTransform pose = {1.0, plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, 0.3), {0.1, 2.75, 0.7}};
		if (told == 1)
			CHECK(plBody_SetPose(yard.world, lift, pose, &error) == pl_success);
		if (told == 2)
			CHECK(plBody_SetTarget(yard.world, lift, pose, &error) == pl_success);
		addCube(&yard, (plVec3){0.0, 3.5, 0.0}, 1.0, 1000.0);
		CHECK(stepUntilAsleep(&yard, 1, 300) > 30);
		CALL(step(&yard, 60));
		CHECK(countAsleep(&yard) == 1);
		plDestroyWorld(yard.world);
	}
}

TEST(an_island_waits_for_the_last_one_that_moves)
{
	Yard yard = makeYard((Terms){0});
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef box = plDefaultShapeDef();
	box.size = (plVec3){20.0, 1.0, 4.0};
	box.friction = 0.1;
	def.position.y = 0.5;
	plBodyId plank = yard.boxes[yard.count++] = addRigid(yard.world, &def, &box);
	box.size = (plVec3){0.5, 0.5, 0.5};
	def.position = (plVec3){-5.0, 1.25, 0.0};
	def.velocity.x = 3.0; // it slides for 3 s
	plBodyId puck = yard.boxes[yard.count++] = addRigid(yard.world, &def, &box);
	for (int i = 0; i < 150; ++i)
	{
		CALL(step(&yard, 1));
		CHECK(!plBody_IsAsleep(yard.world, plank) && plBody_GetVelocity(yard.world, puck).x > 0.2);
	}
	CHECK(stepUntilAsleep(&yard, 2, 300) > 30);
	plDestroyWorld(yard.world);
}

TEST(forces_impulses_velocities_and_poses_wake)
{
	for (int way = 0; way < 6; ++way)
	{
		WITH("way %d", way);
		Yard yard = makeYard((Terms){0});
		addStack(&yard, 0.0, 2);
		addStack(&yard, 5.0, 1);
		CHECK(stepUntilAsleep(&yard, 3, 300) > 0);
		plBodyId top = yard.boxes[1];
		plTransform pose = plBody_GetPose(yard.world, top);
		plVec3 push = {60000.0, 0.0, 0.0}, before = pose.translation;
		pose.translation.x += 0.2;
		plResult result = way == 0   ? plBody_ApplyForce(yard.world, top, push, before, &error)
		                  : way == 1 ? plBody_ApplyImpulse(yard.world, top, (plVec3){2000.0, 0.0, 0.0}, before, &error)
		                  : way == 2 ? plBody_SetVelocity(yard.world, top, (plVec3){2.0, 0.0, 0.0}, none, &error)
		                  : way == 3 ? plBody_SetPose(yard.world, top, pose, &error)
		                  : way == 4 ? plBody_ApplyTorque(yard.world, top, (plVec3){0.0, 20000.0, 0.0}, &error)
		                             : pl_success;
		if (way == 5)
			plWorld_SetGravity(yard.world, (plVec3){8.0, -10.0, 0.0});
		CHECK(result == pl_success);
		CHECK(countAsleep(&yard) == (way == 5 ? 0 : 1));
		CALL(step(&yard, 10));
		plTransform after = plBody_GetPose(yard.world, top);
		CHECK(apartBy(after.translation, before) > 0.01 || fabs(after.rotation.v.y) > 0.001);
		plDestroyWorld(yard.world);
	}
}

TEST(a_sensor_wakes_nobody)
{
	Yard yard = makeYard((Terms){0});
	addStack(&yard, 0.0, 1);
	CHECK(stepUntilAsleep(&yard, 1, 300) > 0);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef ghost = plDefaultShapeDef();
	ghost.sensor = true;
	def.position = (plVec3){0.0, 2.0, 0.0};
	addRigid(yard.world, &def, &ghost);
	CALL(step(&yard, 40));
	CHECK(countAsleep(&yard) == 1);
	plDestroyWorld(yard.world);
}

// ---- states, threads, units, failures -------------------------------------------------------------------------------

// What a caller does before step i.
static void act(Yard* yard, int i)
{
	if (i == 200)
		plBody_ApplyImpulse(yard->world, yard->boxes[1], (plVec3){400.0, 0.0, 0.0}, (plVec3){0.0, 1.5, 0.0}, &error);
}

TEST(to_resume_is_never_to_have_stopped)
{
	for (int stop = 20; stop < 300; stop += 9)
	{
		WITH("stopped at step %d", stop);
		Yard yards[2];
		for (int k = 0; k < 2; ++k)
		{
			yards[k] = makeYard((Terms){.substeps = 2});
			addStack(yards + k, 0.0, 3);
			addStack(yards + k, 3.0, 2);
		}
		bool slept = false;
		for (int i = 0; i < 340; ++i)
		{
			act(yards, i);
			if (i >= stop)
				act(yards + 1, i);
			if (i == stop)
				CHECK(carryState(yards[0].world, yards[1].world, &error) == pl_success);
			CALL(step(yards, 1));
			if (i < stop)
				continue;
			CALL(step(yards + 1, 1));
			slept = slept || countAsleep(yards) > 0;
			CHECK(plWorld_GetHash(yards[0].world) == plWorld_GetHash(yards[1].world));
			CHECK(countAsleep(yards) == countAsleep(yards + 1));
		}
		CHECK(slept);
		plDestroyWorld(yards[0].world);
		plDestroyWorld(yards[1].world);
	}
}

TEST(a_state_goes_over_sleepers_that_are_elsewhere)
{
	Yard yards[2];
	for (int k = 0; k < 2; ++k)
	{
		yards[k] = makeYard((Terms){0});
		addCube(yards + k, (plVec3){6.0 * k, 0.5, 0.0}, 1.0, 1000.0);
		CHECK(stepUntilAsleep(yards + k, 1, 300) > 0);
		CALL(step(yards + k, 2));
	}
	CHECK(carryState(yards[0].world, yards[1].world, &error) == pl_success);
	for (int k = 0; k < 2; ++k)
		addCube(yards + k, (plVec3){0.25, 1.6, 0.0}, 1.0, 1000.0);
	for (int i = 0; i < 60; ++i)
	{
		CALL(step(yards, 1));
		CALL(step(yards + 1, 1));
		CHECK(plWorld_GetHash(yards[0].world) == plWorld_GetHash(yards[1].world));
	}
	CHECK_NEAR(heightOf(yards + 1, 1), 1.5, 0.01);
	plDestroyWorld(yards[0].world);
	plDestroyWorld(yards[1].world);
}

TEST(a_state_in_which_a_sleeper_moves_is_refused)
{
	Yard yard = makeYard((Terms){0});
	addStack(&yard, 0.0, 1);
	CHECK(stepUntilAsleep(&yard, 1, 300) > 0);
	size_t bytes = plWorld_GetStateSize(yard.world), found = 0;
	double* state = malloc(bytes);
	plWorld_SaveState(yard.world, state);
	for (size_t i = 0; i + 1 < bytes / sizeof(double); ++i) // the only 1 that follows seven zeros: it sleeps
	{
		bool after = i > 7 && state[i] == 1.0;
		for (size_t k = 1; after && k <= 7; ++k)
			after = state[i - k] == 0.0;
		found = after ? i : found;
	}
	CHECK(found > 0);
	for (int k = 0; k < 3; ++k)
	{
		double old[2] = {state[found - 1], state[found]};
		state[found - 1] = k == 0 ? -1.0 : old[0];
		state[found] = k == 1 ? 0.5 : old[1];
		state[found - 8] = k == 2 ? 1.0 : 0.0; // its spin
		CHECK(plWorld_LoadState(yard.world, state, bytes, &error) == pl_errorInput);
		memcpy(state + found - 1, old, sizeof old);
		state[found - 8] = 0.0;
	}
	CHECK(plWorld_LoadState(yard.world, state, bytes, &error) == pl_success);
	CHECK(countAsleep(&yard) == 1);
	free(state);
	plDestroyWorld(yard.world);
}

TEST(threads_do_not_change_who_sleeps)
{
	static const int counts[] = {1, 2, 3, 7};
	uint64_t hashes[4];
	int steps[4];
	for (int c = 0; c < 4; ++c)
	{
		plPool* pool = plCreatePool(counts[c]);
		Yard yard = makeYard((Terms){.pool = pool});
		addPile(&yard, (Terms){0});
		steps[c] = stepUntilAsleep(&yard, 50, 900);
		plBody_ApplyImpulse(yard.world, yard.boxes[49], (plVec3){4000.0, 0.0, 0.0}, none, &error);
		CALL(step(&yard, 20));
		hashes[c] = plWorld_GetHash(yard.world);
		CHECK(steps[c] > 0 && steps[c] == steps[0] && hashes[c] == hashes[0]);
		plDestroyWorld(yard.world);
		plDestroyPool(pool);
	}
}

TEST(units_that_are_powers_of_two_do_not_change_who_sleeps)
{
	static const Terms terms[] = {{.length = 1.0, .density = 1.0},
	                              {.length = 8.0, .density = 1.0},
	                              {.length = 0.125, .density = 1.0},
	                              {.length = 1.0, .density = 1024.0},
	                              {.length = 1.0, .density = 1.0 / 1024.0}};
	plVec3 places[50];
	int steps = 0;
	for (int t = 0; t < 5; ++t)
	{
		WITH("units %d", t);
		Terms units = terms[t];
		units.isDouble = true;
		Yard yard = makeYard(units);
		addPile(&yard, units);
		int slept = stepUntilAsleep(&yard, 50, 900);
		CHECK(slept > 0 && (t == 0 || slept == steps));
		steps = slept;
		for (int i = 0; i < 50; ++i)
		{
			plVec3 at = plBody_GetPose(yard.world, yard.boxes[i]).translation;
			at = (plVec3){at.x / terms[t].length, at.y / terms[t].length, at.z / terms[t].length};
			if (t > 0)
				CHECK(at.x == places[i].x && at.y == places[i].y && at.z == places[i].z);
			places[i] = at;
		}
		plDestroyWorld(yard.world);
	}
}

TEST(a_failed_step_leaves_sleepers_asleep)
{
	Yard yard = makeYard((Terms){.substeps = 2});
	addStack(&yard, 0.0, 2);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	CHECK(stepUntilAsleep(&yard, 2, 300) > 0);
	def.position = (plVec3){0.0, 2.6, 0.0};
	def.velocity.y = -3.0;
	yard.boxes[yard.count++] = addBox(yard.world, &def, (plVec3){1.0, 1.0, 1.0}, 1000.0); // about to land on them
	def.position.x = 10.0;
	plBodyId fast = addBox(yard.world, &def, (plVec3){1.0, 1.0, 1.0}, 1000.0);
	uint64_t before;
	CHECK(plBody_SetVelocity(yard.world, fast, (plVec3){1e200, 0.0, 0.0}, none, &error) == pl_success);
	for (int i = 0; i < 3; ++i)
	{
		before = plWorld_GetHash(yard.world);
		CHECK(plWorld_Step(yard.world, NULL, &error) == pl_errorNumeric);
		CHECK(plWorld_GetHash(yard.world) == before && countAsleep(&yard) == 2);
	}
	plDestroyBody(yard.world, fast);
	CALL(step(&yard, 5));
	CHECK(countAsleep(&yard) == 0);
	CHECK(stepUntilAsleep(&yard, 3, 300) > 0);
	plDestroyWorld(yard.world);
}

// Bodies fall onto a stack that sleeps; the allocation of that number from then on fails, 0: none. True: a step failed
static bool fallShort(size_t number, uint64_t* hash)
{
	Meter meter = {0};
	bool failed = false;
	Yard yard = makeYard((Terms){.meter = &meter});
	addStack(&yard, 0.0, 2);
	stepUntilAsleep(&yard, 2, 300);
	for (int i = 0; i < 12; ++i)
		addCube(&yard, (plVec3){0.125 * (i % 3), 2.6 + 1.1 * i, 0.0}, 1.0, 1000.0);
	meter.failAt = number > 0 ? meter.made + number : 0;
	for (int i = 0; i < 40; ++i)
	{
		uint64_t before = plWorld_GetHash(yard.world);
		int asleep = countAsleep(&yard);
		if (plWorld_Step(yard.world, NULL, &error) >= 0)
			continue;
		failed = error.code == pl_errorMemory && plWorld_GetHash(yard.world) == before && countAsleep(&yard) == asleep;
		i--;
	}
	*hash = plWorld_GetHash(yard.world);
	plDestroyWorld(yard.world);
	return failed && meter.live == 0;
}

TEST(a_step_that_is_short_of_memory_wakes_nobody_and_can_be_taken_again)
{
	uint64_t all, hash;
	size_t number = 1;
	fallShort(0, &all);
	for (; fallShort(number, &hash); ++number)
		CHECK(hash == all);
	CHECK(hash == all && number > 5); // nothing failed: there are no more allocations
}
