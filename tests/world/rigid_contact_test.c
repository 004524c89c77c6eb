// rigid_contact_test.c: rigid bodies that touch: friction, restitution, rolling, tipping, leaving, and what is not done
#include "pliant/pliant.h"
#include "test.h"

static const double g = 10.0, h = 1.0 / 60.0;
static const double pi = 3.14159265358979324;

static plWorld* world;
static plError error;

static void openWorld(int iterations)
{
	plWorldDef def = plDefaultWorldDef();
	def.gravity = (plVec3){0.0, 0.0, -g};
	def.timestep = h;
	def.sleep = false;
	def.solver = plDefaultSolverDef(pl_methodAvbd);
	def.solver.iterations = iterations;
	world = plCreateWorld(&def, &error);
}

typedef struct Thing
{
	plRigidMotion motion;
	plVec3 at;
	double tilt; // about y, rad
	plShapeKind kind;
	plVec3 size;
	double friction, sliding, restitution;
	plVec3 velocity;
} Thing;

static plBodyId add(Thing thing)
{
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plShapeDef shape = plDefaultShapeDef();
	body.motion = thing.motion;
	body.position = thing.at;
	body.rotation = plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, thing.tilt);
	body.velocity = thing.velocity;
	shape.kind = thing.kind;
	shape.size = thing.size;
	shape.radius = 0.5 * thing.size.x;
	shape.density = 1.0;
	shape.friction = thing.friction;
	shape.slidingFriction = thing.sliding > 0.0 ? thing.sliding : -1.0;
	shape.restitution = thing.restitution;
	plBodyId id = plCreateRigidBody(world, &body, &error);
	plCreateShape(world, id, &shape, &error);
	return id;
}

static const plVec3 cube = {1.0, 1.0, 1.0};

// A floor whose top goes through the origin, tilted about y
static void addFloor(double tilt, double friction)
{
	plQuat turn = plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, tilt);
	double down[3] = {0.0, 0.0, -1.0};
	plQuat_Rotate(turn, down, down);
	add((Thing){
	    pl_rigidStatic, {down[0], down[1], down[2]}, tilt, pl_shapeBox, {2000.0, 2000.0, 2.0}, .friction = friction});
}

// A cube that lies on it
static plBodyId addLying(double tilt, double friction)
{
	double up[3] = {0.0, 0.0, 0.5};
	plQuat_Rotate(plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, tilt), up, up);
	return add((Thing){pl_rigidDynamic, {up[0], up[1], up[2]}, tilt, pl_shapeBox, cube, .friction = friction});
}

static void step(int count)
{
	for (int i = 0; i < count; ++i)
		CHECK(plWorld_Step(world, NULL, &error) >= 0);
}

static plVec3 placeOf(plBodyId id)
{
	return plBody_GetPose(world, id).translation;
}

static double lengthOf(plVec3 a)
{
	return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static double apart(plVec3 a, plVec3 b)
{
	return lengthOf((plVec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

TEST(a_box_sticks_below_the_angle_of_friction)
{
	for (int n = 4; n <= 10; n += 6)
	{
		WITH("%d iterations", n);
		openWorld(n);
		addFloor(26.0 * pi / 180.0, 0.5); // 26.57 degrees is the limit
		plBodyId box = addLying(26.0 * pi / 180.0, 0.5);
		CALL(step(60));
		plVec3 before = placeOf(box);
		CALL(step(3600)); // a minute
		CHECK(apart(before, placeOf(box)) < 1e-4);
		plDestroyWorld(world);
	}
}

TEST(a_box_slides_above_it_as_Coulomb_says)
{
	for (int n = 4; n <= 10; n += 6)
	{
		WITH("%d iterations", n);
		double tilt = 35.0 * pi / 180.0, expected = g * (sin(tilt) - 0.5 * cos(tilt));
		openWorld(n);
		addFloor(tilt, 0.5);
		plBodyId box = addLying(tilt, 0.5);
		CALL(step(60));
		double before = lengthOf(plBody_GetVelocity(world, box));
		CALL(step(60));
		CHECK_NEAR(lengthOf(plBody_GetVelocity(world, box)) - before, expected, 2e-3 * expected);
		plDestroyWorld(world);
	}
}

TEST(sliding_friction_is_what_slides_and_static_friction_what_sticks)
{
	double tilt = 22.0 * pi / 180.0, expected = g * (sin(tilt) - 0.2 * cos(tilt));
	for (int kicked = 0; kicked < 2; ++kicked)
	{
		openWorld(10);
		addFloor(tilt, 0.5);
		double up[3] = {0.0, 0.0, 0.5}, along[3] = {1.0, 0.0, 0.0};
		plQuat turn = plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, tilt);
		plQuat_Rotate(turn, up, up);
		plQuat_Rotate(turn, along, along);
		plVec3 kick = {2.0 * kicked * along[0], 0.0, 2.0 * kicked * along[2]};
		plBodyId box =
		    add((Thing){pl_rigidDynamic, {up[0], up[1], up[2]}, tilt, pl_shapeBox, cube, 0.5, 0.08, 0.0, kick});
		CALL(step(60));
		double before = lengthOf(plBody_GetVelocity(world, box));
		CALL(step(60));
		double gained = lengthOf(plBody_GetVelocity(world, box)) - before;
		if (kicked) // the mean of 0.5 and 0.08 is 0.2
			CHECK_NEAR(gained, expected, 2e-3 * expected);
		else
			CHECK_NEAR(gained, 0.0, 1e-4);
		plDestroyWorld(world);
	}
}

// Into another world, which goes on with it
static void carryOn(plWorld* from, plWorld* to)
{
	size_t bytes = plWorld_GetStateSize(from);
	void* state = malloc(bytes);
	plWorld_SaveState(from, state);
	CHECK(plWorld_LoadState(to, state, bytes, &error) == pl_success);
	free(state);
}

TEST(a_saved_state_knows_what_static_friction_holds)
{
	double tilt = 22.0 * pi / 180.0, up[3] = {0.0, 0.0, 0.5}; // between both angles of friction: 26.6, 11.3 degrees
	plQuat_Rotate(plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, tilt), up, up);
	for (int clamped = 0; clamped < 2; ++clamped)
	{
		WITH("clamped %d", clamped);
		plWorld* worlds[2];
		plSolverDef solver = plDefaultSolverDef(pl_methodAvbd);
		solver.block.clamped = clamped;
		for (int k = 0; k < 2; ++k)
		{
			openWorld(10);
			worlds[k] = world;
			CHECK(plWorld_SetSolver(world, &solver, &error) == pl_success);
			addFloor(tilt, 0.5);
			add((Thing){pl_rigidDynamic, {up[0], up[1], up[2]}, tilt, pl_shapeBox, cube, 0.5, .sliding = 0.08});
		}
		world = worlds[0];
		CALL(step(60));
		CALL(carryOn(worlds[0], worlds[1]));
		CALL(step(60));
		world = worlds[1];
		CALL(step(60));
		CHECK(plWorld_GetHash(worlds[0]) == plWorld_GetHash(worlds[1]));
		plDestroyWorld(worlds[0]);
		plDestroyWorld(worlds[1]);
	}
}

TEST(a_box_stops_where_it_must)
{
	static const plVec3 ways[2] = {{4.0, 0.0, 0.0}, {2.4, 3.2, 0.0}}; // along an axis, and across: one round cone
	double expected = 4.0 * 4.0 / (2.0 * 0.5 * g);
	for (int way = 0; way < 2; ++way)
	{
		WITH("way %d", way);
		openWorld(10);
		addFloor(0.0, 0.5);
		plBodyId box = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5}, 0.0, pl_shapeBox, cube, .friction = 0.5});
		CALL(step(60));
		CHECK(plBody_SetVelocity(world, box, ways[way], (plVec3){0.0, 0.0, 0.0}, &error) == pl_success);
		plVec3 start = placeOf(box);
		CALL(step(120));
		// implicit Euler stops half a step early: v h/2
		CHECK_NEAR(apart(start, placeOf(box)), expected - 4.0 * h / 2.0, 0.01 * expected);
		CHECK(lengthOf(plBody_GetVelocity(world, box)) < 1e-3);
		CHECK_NEAR((placeOf(box).y - start.y) * ways[way].x, (placeOf(box).x - start.x) * ways[way].y, 2e-3);
		plDestroyWorld(world);
	}
}

// Friction holds m g mu = 5 N in every direction: one round cone, where a box of two cones would hold 7 N along the
// diagonal, and a diamond 3.5 N.
TEST(a_push_in_any_direction_meets_the_same_friction)
{
	for (int way = 0; way < 8; ++way)
		for (int strong = 0; strong < 2; ++strong)
			for (int n = 4; n <= 10; n += 6)
			{
				WITH("way %d, strong %d, %d iterations", way, strong, n);
				double angle = way * pi / 8.0, force = (strong ? 1.2 : 0.8) * 0.5 * g;
				openWorld(n);
				addFloor(0.0, 0.5);
				plBodyId box = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5}, 0.0, pl_shapeBox, cube, .friction = 0.5});
				CALL(step(30));
				plVec3 start = placeOf(box);
				for (int i = 0; i < 120; ++i)
				{
					plVec3 push = {force * cos(angle), force * sin(angle), 0.0};
					CHECK(plBody_ApplyForce(world, box, push, placeOf(box), &error) == pl_success);
					CALL(step(1));
				}
				double moved = apart(start, placeOf(box)); // 1/2 (1 m/s^2) (2 s)^2
				CHECK_NEAR(moved, strong ? 2.0 : 0.0, strong ? 0.04 : 1e-3);
				plDestroyWorld(world);
			}
}

TEST(a_ball_that_slides_comes_to_roll)
{
	openWorld(10);
	addFloor(0.0, 0.5);
	plBodyId ball =
	    add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5}, 0.0, pl_shapeSphere, cube, 0.5, .velocity = {7.0, 0.0, 0.0}});
	CALL(step(90));
	plVec3 v = plBody_GetVelocity(world, ball), w = plBody_GetSpin(world, ball);
	CHECK_NEAR(v.x, 5.0, 0.05);
	CHECK_NEAR(0.5 * w.y, v.x, 0.01);
	plDestroyWorld(world);
}

TEST(a_ball_bounces_by_its_restitution)
{
	for (int k = 0; k <= 2; ++k)
	{
		double e = 0.5 * k, top = 0.0;
		WITH("restitution %g", e);
		openWorld(10);
		addFloor(0.0, 0.5);
		plBodyId ball =
		    add((Thing){pl_rigidDynamic, {0.0, 0.0, 1.5}, 0.0, pl_shapeSphere, cube, 0.5, .restitution = e});
		CALL(step(27)); // it falls 1 m in 26.8 steps
		for (int i = 0; i < 28; ++i)
		{
			CALL(step(1));
			top = fmax(top, placeOf(ball).z - 0.5);
		}
		CHECK_NEAR(top, e * e, 0.05);
		plDestroyWorld(world);
	}
}

TEST(a_box_tips_over_an_edge_when_pushed_high_and_slides_when_pushed_low)
{
	for (int high = 0; high < 2; ++high)
	{
		openWorld(10);
		addFloor(0.0, 0.5);
		plBodyId box =
		    add((Thing){pl_rigidDynamic, {0.0, 0.0, 1.0}, 0.0, pl_shapeBox, {1.0, 1.0, 2.0}, .friction = 0.5});
		CALL(step(30));
		for (int i = 0; i < 90; ++i)
		{
			// weight 20 N: friction holds 10 N, and the box tips from 20/(2 z) N on
			plVec3 at = placeOf(box);
			plVec3 point = {at.x, at.y, high ? 1.9 : 0.6};
			CHECK(plBody_ApplyForce(world, box, (plVec3){high ? 8.0 : 12.0, 0.0, 0.0}, point, &error) == pl_success);
			CALL(step(1));
		}
		plVec3 up = {0};
		double axis[3] = {0.0, 0.0, 1.0};
		plQuat_Rotate(plBody_GetPose(world, box).rotation, axis, axis);
		up = (plVec3){axis[0], axis[1], axis[2]};
		CHECK((up.z < 0.5) == (high == 1));
		CHECK((placeOf(box).x > 0.5) == true);
		plDestroyWorld(world);
	}
}

TEST(a_box_that_leaves_the_ground_is_on_its_free_path)
{
	for (int n = 1; n <= 10; n = n == 1 ? 2 : n == 2 ? 4 : n + 6)
	{
		WITH("%d iterations", n);
		openWorld(n);
		addFloor(0.0, 0.5);
		plBodyId box = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5}, 0.0, pl_shapeBox, cube, .friction = 0.5});
		CALL(step(60));
		double z = placeOf(box).z, v = 2.0;
		plBody_SetVelocity(world, box, (plVec3){0.0, 0.0, v}, (plVec3){0.0, 0.0, 0.0}, &error);
		for (int i = 0; i < 3; ++i)
		{
			v -= h * g;
			z += h * v;
		}
		CALL(step(3));
		CHECK_NEAR(placeOf(box).z, z, n == 1 ? 1e-3 : 1e-6);
		plDestroyWorld(world);
	}
}

// Five cubes that nothing has borne yet, thrown at the floor: what stands begins with its load
static void stackResidual(int iterations, double* residual)
{
	plStepReport report;
	openWorld(iterations);
	addFloor(0.0, 0.5);
	for (int i = 0; i < 5; ++i)
	{
		plBodyId id = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5 + i}, 0.0, pl_shapeBox, cube, .friction = 0.5});
		CHECK(plBody_SetVelocity(world, id, (plVec3){0.0, 0.0, -1.0}, (plVec3){0.0, 0.0, 0.0}, &error) == pl_success);
	}
	CHECK(plWorld_Step(world, &report, &error) >= 0);
	plDestroyWorld(world);
	*residual = report.relativeResidual;
}

TEST(the_residual_is_that_of_where_bodies_end)
{
	double few, many;
	CALL(stackResidual(1, &few));
	CALL(stackResidual(300, &many));
	CHECK(few > 1e-2 && many < 1e-3 * few);
}

TEST(a_cube_that_is_pushed_at_its_foot_holds_as_long_as_its_friction_does)
{
	for (int n = 4; n <= 20; n = n == 4 ? 10 : n + 10)
	{
		WITH("%d iterations", n);
		openWorld(n);
		addFloor(0.0, 0.5);
		plBodyId box = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5}, 0.0, pl_shapeBox, cube, .friction = 0.5});
		CALL(step(30));
		double before = placeOf(box).x;
		for (int i = 0; i < 120; ++i)
		{
			plVec3 at = placeOf(box);
			plBody_ApplyForce(world, box, (plVec3){0.9 * 0.5 * g, 0.0, 0.0}, (plVec3){at.x, at.y, 0.0}, &error);
			CALL(step(1));
		}
		CHECK_NEAR(placeOf(box).x, before, n == 4 ? 0.05 : 1e-3); // 0.15 m and more where its corners take turns
		CHECK_NEAR(placeOf(box).z, 0.5, 1e-3);
		plDestroyWorld(world);
	}
}

// Stiffness follows the load of a contact: it must not follow a blow.
TEST(a_blow_gives_no_more_energy_than_it_has)
{
	enum
	{
		rows = 15
	};
	for (int n = 4; n <= 10; n += 6)
	{
		WITH("%d iterations", n);
		openWorld(n);
		addFloor(0.0, 0.5);
		for (int y = 0; y < rows; ++y)
			for (int x = 0; x < rows - y; ++x)
				add((Thing){pl_rigidDynamic,
				            {(x - (rows - y - 1) / 2.0) * 1.05, y == rows - 1 ? 1e-3 : 0.0, y + 0.5},
				            0.0,
				            pl_shapeBox,
				            cube,
				            .friction = 0.5});
		plRigidBodyDef body = plDefaultRigidBodyDef();
		plShapeDef shape = plDefaultShapeDef();
		body.position = (plVec3){0.3, -2.0, 0.5};
		shape.density = 50.0;
		plBodyId heavy = plCreateRigidBody(world, &body, &error);
		plCreateShape(world, heavy, &shape, &error);
		CALL(step(30));
		plBody_SetVelocity(world, heavy, (plVec3){0.0, 25.0, 5.0}, (plVec3){1.0, 2.0, 0.5}, &error);
		for (int i = 0; i < 40; ++i)
		{
			plStepReport report;
			CHECK(plWorld_Step(world, &report, &error) >= 0);
			CHECK(report.kinetic < 1.1 * 0.5 * 50.0 * 650.0);
		}
		plDestroyWorld(world);
	}
}

TEST(what_filters_say_does_not_meet)
{
	for (int k = 0; k < 3; ++k)
	{
		openWorld(4);
		addFloor(0.0, 0.5);
		plRigidBodyDef body = plDefaultRigidBodyDef();
		body.position = (plVec3){0.0, 0.0, 0.5};
		plBodyId id = plCreateRigidBody(world, &body, &error);
		plShapeDef shape = plDefaultShapeDef();
		shape.mask = k == 1 ? 2 : UINT64_MAX;
		shape.sensor = k == 2;
		plCreateShape(world, id, &shape, &error);
		CALL(step(60));
		CHECK((placeOf(id).z > 0.49) == (k == 0));
		plDestroyWorld(world);
	}
}

TEST(a_belt_carries_what_lies_on_it)
{
	openWorld(10);
	plRigidBodyDef body = plDefaultRigidBodyDef();
	body.motion = pl_rigidStatic;
	plBodyId floor = plCreateRigidBody(world, &body, &error);
	plShapeDef shape = plDefaultShapeDef();
	shape.kind = pl_shapePlane;
	shape.local.rotation = plQuat_FromAxisAngle((plVec3){1.0, 0.0, 0.0}, 0.5 * pi); // z upwards
	shape.surfaceVelocity = (plVec3){1.5, 0.0, 0.0};
	shape.friction = 0.5;
	plCreateShape(world, floor, &shape, &error);
	plBodyId box = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5}, 0.0, pl_shapeBox, cube, .friction = 0.5});
	CALL(step(120));
	CHECK_NEAR(plBody_GetVelocity(world, box).x, 1.5, 1e-3);
	plDestroyWorld(world);
}

TEST(a_kinematic_lift_carries_what_stands_on_it)
{
	openWorld(10);
	plRigidBodyDef body = plDefaultRigidBodyDef();
	body.motion = pl_rigidKinematic;
	body.position = (plVec3){0.0, 0.0, -0.5};
	body.path = (plMotion){.kind = pl_motionLine, .ease = pl_easeSmooth, .translate = {3.0, 0.0, 2.0}, .until = 3.0};
	plBodyId lift = plCreateRigidBody(world, &body, &error);
	plShapeDef shape = plDefaultShapeDef();
	shape.size = (plVec3){4.0, 4.0, 1.0};
	shape.friction = 0.5;
	plCreateShape(world, lift, &shape, &error);
	plBodyId box = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5}, 0.0, pl_shapeBox, cube, .friction = 0.5});
	CALL(step(240));
	CHECK(apart(placeOf(box), (plVec3){3.0, 0.0, 2.5}) < 0.02);
	plDestroyWorld(world);
}

TEST(other_methods_refuse_bodies_that_move_by_name)
{
	openWorld(10);
	addFloor(0.0, 0.5);
	plBodyId box = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5}, 0.0, pl_shapeBox, cube, .friction = 0.5});
	plSolverDef solver = plDefaultSolverDef(pl_methodQuasiNewton);
	CHECK(plWorld_SetSolver(world, &solver, &error) == pl_success);
	CHECK(plWorld_Step(world, NULL, &error) == pl_errorInput);
	CHECK(strstr(error.message, "quasi-newton") != NULL && strstr(error.message, "avbd") != NULL);
	solver = plDefaultSolverDef(pl_methodAuto);
	plStepReport report;
	CHECK(plWorld_SetSolver(world, &solver, &error) == pl_success);
	CHECK(plWorld_Step(world, &report, &error) >= 0 && report.method == pl_methodAvbd && report.contacts == 4);
	plDestroyBody(world, box);
	CHECK(plWorld_Step(world, &report, &error) == pl_success && report.contacts == 0);
	plDestroyWorld(world);
}
