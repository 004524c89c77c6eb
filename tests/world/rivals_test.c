// rivals_test.c: methods that go from contact to contact and from joint to joint: known answers, state, refusals
#include "shortage.h" // before `error`
#include "fixture.h"

static const double g = 10.0, h = 1.0 / 60.0;
static const double pi = 3.14159265358979324;
static const plVec3 cube = {1.0, 1.0, 1.0};

static const plMethod rivals[] = {pl_methodImpulse, pl_methodXpbd};

static plWorld* world;
static plPool* pool;
static plError error;

static bool sleeps;

static void openWorld(plMethod method, int threads)
{
	plWorldDef def = plDefaultWorldDef();
	def.gravity = (plVec3){0.0, 0.0, -g};
	def.timestep = h;
	def.sleep = sleeps;
	pool = plCreatePool(threads);
	def.pool = pool;
	def.solver = plDefaultSolverDef(method);
	world = plCreateWorld(&def, &error);
}

static void closeWorld(void)
{
	plDestroyWorld(world);
	plDestroyPool(pool);
}

typedef struct Thing
{
	plRigidMotion motion;
	plVec3 at;
	double tilt; // about y, rad
	plVec3 size;
	double friction, restitution;
	plVec3 velocity, spin;
	double density;
} Thing;

static plBodyId add(Thing thing)
{
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plShapeDef shape = plDefaultShapeDef();
	body.motion = thing.motion;
	body.position = thing.at;
	body.rotation = plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, thing.tilt);
	body.velocity = thing.velocity;
	body.spin = thing.spin;
	shape.kind = pl_shapeBox;
	shape.size = thing.size;
	shape.density = thing.density > 0.0 ? thing.density : 1.0;
	shape.friction = thing.friction;
	shape.restitution = thing.restitution;
	plBodyId id = plCreateRigidBody(world, &body, &error), none = {0, 0};
	return PL_IS_NON_NULL(id) && PL_IS_NON_NULL(plCreateShape(world, id, &shape, &error)) ? id : none;
}

// A floor whose top goes through the origin, tilted about y, and a cube that lies on it
static plBodyId addIncline(double tilt, double friction)
{
	plQuat turn = plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, tilt);
	double down[3] = {0.0, 0.0, -1.0}, up[3] = {0.0, 0.0, 0.5};
	plQuat_Rotate(turn, down, down);
	plQuat_Rotate(turn, up, up);
	add((Thing){
	    pl_rigidStatic, {down[0], down[1], down[2]}, tilt, .size = {2000.0, 2000.0, 2.0}, .friction = friction});
	return add((Thing){pl_rigidDynamic, {up[0], up[1], up[2]}, tilt, cube, .friction = friction});
}

static void addFloor(void)
{
	add((Thing){pl_rigidStatic, {0.0, 0.0, -1.0}, .size = {200.0, 200.0, 2.0}, .friction = 0.5});
}

static plStepReport report;

static void step(int count)
{
	for (int i = 0; i < count; ++i)
		CHECK(plWorld_Step(world, &report, &error) >= 0);
}

static plVec3 placeOf(plBodyId id)
{
	return plBody_GetPose(world, id).translation;
}

static double lengthOf(plVec3 a)
{
	return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static double apartBy(plVec3 a, plVec3 b)
{
	return lengthOf((plVec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

#define EACH_RIVAL                                                                                                     \
	for (size_t rival = 0; rival < sizeof rivals / sizeof *rivals; ++rival)                                            \
		for (bool once = true; once; once = false)

TEST(a_box_rests)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		addFloor();
		plBodyId box = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5}, .size = cube, .friction = 0.5});
		CALL(step(60));
		plVec3 before = placeOf(box);
		CALL(step(600));
		CHECK(fabs(placeOf(box).z - 0.5) < 2e-4);
		CHECK(apartBy(before, placeOf(box)) < 1e-4);
		CHECK(lengthOf(plBody_GetVelocity(world, box)) < 1e-5);
		CHECK(report.contacts == 4 && report.penetration < 2e-4);
		closeWorld();
	}
}

TEST(a_stack_of_ten_stands)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		plBodyId boxes[10];
		openWorld(rivals[rival], 1);
		addFloor();
		for (int i = 0; i < 10; ++i)
			boxes[i] = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5 + i}, .size = cube, .friction = 0.5});
		CALL(step(600));
		plVec3 top = placeOf(boxes[9]);
		CHECK(fabs(top.z - 9.5) < 0.03 && fabs(top.x) < 0.01 && fabs(top.y) < 0.01);
		CHECK(lengthOf(plBody_GetVelocity(world, boxes[9])) < 5e-3);
		CHECK(report.penetration < 6e-3);
		closeWorld();
	}
}

// Links of a body that find no colour of their own are gone over one after the other
TEST(a_plate_bears_more_boxes_than_there_are_colours)
{
	enum
	{
		side = 9
	};
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		addFloor();
		plBodyId plate =
		    add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5}, .size = {2.0 * side, 2.0 * side, 1.0}, .friction = 0.5});
		plBodyId boxes[side * side];
		for (int i = 0; i < side * side; ++i)
		{
			plVec3 at = {2.0 * (i % side) - side + 1.0, 2.0 * (i / side) - side + 1.0, 1.5};
			boxes[i] = add((Thing){pl_rigidDynamic, at, .size = cube, .friction = 0.5});
		}
		CALL(step(120));
		CHECK(report.contacts == 4 * side * side + 4 && report.penetration < 3e-3);
		CHECK(fabs(placeOf(plate).z - 0.5) < 3e-3 && lengthOf(plBody_GetVelocity(world, plate)) < 1e-3);
		for (int i = 0; i < side * side; ++i)
			CHECK(fabs(placeOf(boxes[i]).z - 1.5) < 3e-3 && lengthOf(plBody_GetVelocity(world, boxes[i])) < 5e-3);
		closeWorld();
	}
}

TEST(a_box_sticks_below_the_angle_of_friction)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		plBodyId box = addIncline(26.0 * pi / 180.0, 0.5); // 26.57 degrees is the limit
		CALL(step(60));
		plVec3 before = placeOf(box);
		CALL(step(600));
		CHECK(apartBy(before, placeOf(box)) < 1e-3);
		closeWorld();
	}
}

TEST(a_box_slides_above_it_as_Coulomb_says)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		double tilt = 35.0 * pi / 180.0, expected = g * (sin(tilt) - 0.5 * cos(tilt));
		openWorld(rivals[rival], 1);
		plBodyId box = addIncline(tilt, 0.5);
		CALL(step(60));
		double before = lengthOf(plBody_GetVelocity(world, box));
		CALL(step(60));
		CHECK_NEAR((lengthOf(plBody_GetVelocity(world, box)) - before) / (60.0 * h), expected, 0.01 * expected);
		closeWorld();
	}
}

// A speed of 5 m/s down becomes 0.8 times that, up to the gravity of one step
TEST(a_box_bounces)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		addFloor();
		plBodyId box = add(
		    (Thing){pl_rigidDynamic, {0.0, 0.0, 1.0}, .size = cube, .restitution = 0.8, .velocity = {0.0, 0.0, -5.0}});
		double most = 0.0;
		for (int i = 0; i < 20; ++i)
		{
			CALL(step(1));
			most = fmax(most, plBody_GetVelocity(world, box).z);
		}
		double hit = sqrt(25.0 + 2.0 * g * 0.5);
		CHECK_NEAR(most, 0.8 * hit, g * h);
		closeWorld();
	}
}

// A light rod of 2 m with a cube at its end: a physical pendulum, 2 pi sqrt(I/(m g l)) for small swings
TEST(a_pendulum_has_its_period)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		double angle = 0.1, arm = 2.0;
		plBodyId bob =
		    add((Thing){pl_rigidDynamic, {arm * sin(angle), 0.0, -arm * cos(angle)}, -angle, .size = {0.2, 0.2, 0.2}});
		plJointDef hinge =
		    plMakeHingeJoint(world, bob, (plBodyId){0, 0}, (plVec3){0.0, 0.0, 0.0}, (plVec3){0.0, 1.0, 0.0});
		CHECK(PL_IS_NON_NULL(plCreateJoint(world, &hinge, &error)));
		double inertia = 0.04 / 6.0 + arm * arm, expected = 2.0 * pi * sqrt(inertia / (g * arm)), crossed[3];
		int crossings = 0;
		double before = placeOf(bob).x;
		for (int i = 1; i <= 600 && crossings < 3; ++i)
		{
			CALL(step(1));
			double now = placeOf(bob).x;
			if (now * before < 0.0)
				crossed[crossings++] = h * (i - 1 + before / (before - now));
			before = now;
		}
		CHECK(crossings == 3);
		CHECK_NEAR(crossed[2] - crossed[0], expected, 0.005 * expected);
		CHECK(report.jointError < 1e-3);
		closeWorld();
	}
}

TEST(a_mass_on_a_spring_rests_where_it_must)
{
	EACH_RIVAL
	for (double stiffness = 1e2; stiffness < 2e8; stiffness *= 1e3)
	{
		WITH("%s, %g N/m", plMethod_GetName(rivals[rival]), stiffness);
		openWorld(rivals[rival], 1);
		plBodyId bob = add((Thing){pl_rigidDynamic, {0.0, 0.0, -1.0}, .size = {0.1, 0.1, 0.1}, .density = 1e3});
		plJointDef spring = plMakeSpringJoint(world, bob, (plBodyId){0, 0}, (plVec3){0.0, 0.0, -1.0},
		                                      (plVec3){0.0, 0.0, 0.0}, stiffness, 0.2 * sqrt(stiffness));
		CHECK(PL_IS_NON_NULL(plCreateJoint(world, &spring, &error)));
		CALL(step(3000));
		double expected = g / stiffness;
		CHECK_NEAR(-1.0 - placeOf(bob).z, expected, 0.01 * expected + 1e-5);
		closeWorld();
	}
}

// Against 5 N m a motor of 3 N m yields, one of 8 N m turns at its speed
TEST(a_motor_has_its_largest_torque)
{
	EACH_RIVAL
	for (int strong = 0; strong < 2; ++strong)
	{
		WITH("%s, strong %d", plMethod_GetName(rivals[rival]), strong);
		openWorld(rivals[rival], 1);
		plBodyId wheel = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.0}, .size = cube});
		plJointDef hinge =
		    plMakeHingeJoint(world, wheel, (plBodyId){0, 0}, (plVec3){0.0, 0.0, 0.0}, (plVec3){0.0, 1.0, 0.0});
		hinge.axes[pl_jointTwist].motor = true;
		hinge.axes[pl_jointTwist].speed = 2.0;
		hinge.axes[pl_jointTwist].most = 3.0 + 5.0 * strong;
		plJointId id = plCreateJoint(world, &hinge, &error);
		CHECK(PL_IS_NON_NULL(id));
		for (int i = 0; i < 60; ++i)
		{
			plBody_ApplyTorque(world, wheel, (plVec3){0.0, 5.0, 0.0}, &error);
			CALL(step(1));
		}
		double speed = plJoint_GetSpeed(world, id, pl_jointTwist),
		       pull = plJoint_GetAxisForce(world, id, pl_jointTwist);
		if (strong)
		{
			CHECK_NEAR(speed, 2.0, 1e-6);
			CHECK_NEAR(fabs(pull), 5.0, 0.01);
		}
		else
		{
			CHECK_NEAR(fabs(pull), 3.0, 1e-9);
			CHECK_NEAR(fabs(speed), 2.0 * 6.0, 0.1); // 2 N m over 1/6 kg m^2, for 1 s
		}
		closeWorld();
	}
}

// Links of a chain that is let go level, and a cube at its end if that has a mass; the last one
static plBodyId addChain(int links, double mass)
{
	plBodyId last = {0, 0};
	for (int i = 0; i < links + (mass > 0.0); ++i)
	{
		bool isEnd = i == links;
		plVec3 size = isEnd ? (plVec3){2.0, 2.0, 2.0} : (plVec3){1.0, 0.25, 0.25};
		plBodyId link = add((Thing){pl_rigidDynamic,
		                            {isEnd ? i + 1.0 : i + 0.5, 0.0, 20.0},
		                            .size = size,
		                            .density = isEnd ? mass / 8.0 : 16.0});
		plJointDef ball = plMakeBallJoint(world, link, last, (plVec3){i, 0.0, 20.0});
		plCreateJoint(world, &ball, &error);
		last = link;
	}
	return last;
}

// The end of a chain of ten links in a plane, half a second after it was let go level
static plVec3 swingCold(int parts, double timestep)
{
	plWorldDef def = plDefaultWorldDef();
	def.gravity = (plVec3){0.0, 0.0, -g};
	def.timestep = timestep;
	def.pool = pool = plCreatePool(1);
	def.solver = plDefaultSolverDef(pl_methodImpulse);
	def.solver.iterations = parts;
	def.solver.link.warm = 0;
	world = plCreateWorld(&def, &error);
	plBodyId last = addChain(10, 0.0);
	for (int i = 0; i < 30.0 * h / timestep - 0.5; ++i)
		plWorld_Step(world, &report, &error);
	plVec3 at = placeOf(last);
	closeWorld();
	return at;
}

// So a step of four parts is four steps of one part, but for rounding
TEST(without_warm_start_nothing_goes_on_from_part_to_part)
{
	plVec3 one = swingCold(4, h), four = swingCold(1, 0.25 * h);
	CHECK(one.x < 9.3 && one.z < 19.0);
	CHECK(apartBy(one, four) < 1e-9);
}

// Two boxes that are joined, and a third that hits them, without gravity
TEST(momentum_is_conserved)
{
	EACH_RIVAL
	for (int isFloat = 0; isFloat < 2; ++isFloat)
	{
		WITH("%s, %s", plMethod_GetName(rivals[rival]), isFloat ? "float" : "double");
		plBodyId boxes[3];
		openWorld(rivals[rival], 1);
		plSolverDef solver = plDefaultSolverDef(rivals[rival]);
		solver.precision = isFloat ? pl_precisionFloat : pl_precisionDouble;
		CHECK(plWorld_SetSolver(world, &solver, &error) == pl_success);
		plWorld_SetGravity(world, (plVec3){0.0, 0.0, 0.0});
		boxes[0] = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.0}, .size = cube, .spin = {0.3, 0.0, 0.5}});
		boxes[1] = add((Thing){pl_rigidDynamic, {1.2, 0.0, 0.0}, .size = cube, .density = 3.0});
		boxes[2] = add((Thing){pl_rigidDynamic,
		                       {0.1, 0.2, 3.0},
		                       0.4,
		                       cube,
		                       .friction = 0.5,
		                       .velocity = {0.0, 0.5, -4.0},
		                       .density = 2.0});
		plJointDef ball = plMakeBallJoint(world, boxes[0], boxes[1], (plVec3){0.6, 0.0, 0.0});
		CHECK(PL_IS_NON_NULL(plCreateJoint(world, &ball, &error)));
		const double mass[3] = {1.0, 3.0, 2.0};
		plVec3 start = {0.0, 2.0 * 0.5, 2.0 * -4.0}, sum = {0.0, 0.0, 0.0};
		size_t touched = 0;
		for (int i = 0; i < 90; ++i)
		{
			CALL(step(1));
			touched += report.contacts;
		}
		for (int i = 0; i < 3; ++i)
		{
			plVec3 v = plBody_GetVelocity(world, boxes[i]);
			sum = (plVec3){sum.x + mass[i] * v.x, sum.y + mass[i] * v.y, sum.z + mass[i] * v.z};
		}
		CHECK(touched > 0);
		CHECK(apartBy(sum, start) < (isFloat ? 1e-7 : 1e-12) * 8.0);
		CHECK(report.jointError < 0.02);
		closeWorld();
	}
}

// ---- what the rivals promise together -------------------------------------------------------------------------------

// Below the limit it stays, above it slides; 5 % from it
TEST(a_slope_near_the_angle_of_friction_decides)
{
	EACH_RIVAL
	for (int slides = 0; slides < 2; ++slides)
	{
		WITH("%s, slides %d", plMethod_GetName(rivals[rival]), slides);
		double tilt = atan((slides ? 1.05 : 0.95) * 0.5), expected = g * (sin(tilt) - 0.5 * cos(tilt));
		openWorld(rivals[rival], 1);
		plBodyId box = addIncline(tilt, 0.5);
		CALL(step(60));
		plVec3 before = placeOf(box);
		double speed = lengthOf(plBody_GetVelocity(world, box));
		CALL(step(120));
		double gained = lengthOf(plBody_GetVelocity(world, box)) - speed;
		if (slides)
			CHECK_NEAR(gained, 2.0 * expected, 0.01 * 2.0 * expected);
		else
			CHECK(apartBy(before, placeOf(box)) < 1e-4 && fabs(gained) < 1e-4);
		closeWorld();
	}
}

// A ball that is thrown flat slides until it rolls, at 5/7 of its speed, and goes on rolling without slip
TEST(a_ball_comes_to_roll)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		addFloor();
		plRigidBodyDef body = plDefaultRigidBodyDef();
		plShapeDef shape = plDefaultShapeDef();
		body.motion = pl_rigidDynamic;
		body.position = (plVec3){0.0, 0.0, 0.5};
		body.velocity = (plVec3){3.5, 0.0, 0.0};
		shape.kind = pl_shapeSphere;
		shape.radius = 0.5;
		shape.density = 1.0;
		shape.friction = 0.5;
		plBodyId ball = plCreateRigidBody(world, &body, &error);
		CHECK(PL_IS_NON_NULL(plCreateShape(world, ball, &shape, &error)));
		CALL(step(120));
		CHECK_NEAR(plBody_GetVelocity(world, ball).x, 2.5, 0.025);
		CALL(step(240));
		plVec3 v = plBody_GetVelocity(world, ball), w = plBody_GetSpin(world, ball);
		CHECK_NEAR(v.x, 2.5, 0.025);
		CHECK_NEAR(0.5 * w.y, v.x, 0.01 * v.x);
		CHECK(fabs(placeOf(ball).z - 0.5) < 2e-3);
		closeWorld();
	}
}

// Two cubes that share half of their volume part, at the speed that `push` allows and no faster
TEST(bodies_that_begin_in_each_other_part_slowly)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		plWorld_SetGravity(world, (plVec3){0.0, 0.0, 0.0});
		plBodyId a = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.0}, .size = cube});
		plBodyId b = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5}, .size = cube});
		double fastest = 0.0;
		for (int i = 0; i < 60; ++i)
		{
			double before = placeOf(b).z - placeOf(a).z;
			CALL(step(1));
			fastest = fmax(fastest, (placeOf(b).z - placeOf(a).z - before) / h);
		}
		CHECK(placeOf(b).z - placeOf(a).z > 0.99);
		CHECK(fastest < 1.05 * 3.0);
		CHECK(lengthOf(plBody_GetVelocity(world, b)) < (rivals[rival] == pl_methodXpbd ? 0.02 : 0.5));
		closeWorld();
	}
}

// A floor that moves takes along what lies on it
TEST(a_box_rides_on_a_floor_that_moves)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		plBodyId floor =
		    add((Thing){pl_rigidKinematic, {0.0, 0.0, -1.0}, .size = {200.0, 200.0, 2.0}, .friction = 0.5});
		plBodyId box = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5}, .size = cube, .friction = 0.5});
		for (int i = 1; i <= 60; ++i)
		{
			plTransform to = plBody_GetPose(world, floor);
			to.translation.x = 2.0 * h * i;
			CHECK(plBody_SetTarget(world, floor, to, &error) == pl_success);
			CALL(step(1));
		}
		CHECK_NEAR(plBody_GetVelocity(world, box).x, 2.0, 0.01);
		closeWorld();
	}
}

// A bar of 3 kg on a hinge with a stop on either side
static plJointDef hangBar(plBodyId* bar)
{
	*bar = add((Thing){pl_rigidDynamic, {1.0, 0.0, 0.0}, .size = {2.0, 0.2, 0.2}, .density = 37.5});
	plJointDef hinge =
	    plMakeHingeJoint(world, *bar, (plBodyId){0, 0}, (plVec3){0.0, 0.0, 0.0}, (plVec3){0.0, 1.0, 0.0});
	hinge.axes[pl_jointTwist].mode = pl_axisLimited;
	hinge.axes[pl_jointTwist].low = -0.5;
	hinge.axes[pl_jointTwist].high = 0.5;
	return hinge;
}

// A bar that swings into its stop is held there by it
TEST(a_hinge_stops_at_its_limit)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		plBodyId bar;
		plJointDef hinge = hangBar(&bar);
		plJointId id = plCreateJoint(world, &hinge, &error);
		CALL(step(300));
		CHECK_NEAR(fabs(plJoint_GetValue(world, id, pl_jointTwist)), 0.5, 2e-3);
		CHECK_NEAR(fabs(plJoint_GetAxisForce(world, id, pl_jointTwist)), 3.0 * g * cos(0.5), 0.01 * 30.0);
		CHECK(fabs(plJoint_GetSpeed(world, id, pl_jointTwist)) < 1e-3);
		closeWorld();
	}
}

// It weighs 10 N
TEST(a_joint_breaks_at_its_force)
{
	EACH_RIVAL
	for (int breaks = 0; breaks < 2; ++breaks)
	{
		WITH("%s, breaks %d", plMethod_GetName(rivals[rival]), breaks);
		openWorld(rivals[rival], 1);
		plBodyId body = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.0}, .size = cube});
		plJointDef ball = plMakeBallJoint(world, body, (plBodyId){0, 0}, (plVec3){0.0, 0.0, 0.5});
		ball.breakForce = breaks ? 9.9 : 10.1;
		plJointId id = plCreateJoint(world, &ball, &error);
		CALL(step(60));
		CHECK(plJoint_IsBroken(world, id) == (breaks == 1));
		CHECK((placeOf(body).z < -1.0) == (breaks == 1));
		closeWorld();
	}
}

// A motor without a bound drives a bar into a stop: one of them gives way, and nothing flies off
TEST(a_motor_against_a_stop_is_survived)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		plBodyId bar;
		plJointDef hinge = hangBar(&bar);
		hinge.axes[pl_jointTwist].motor = true;
		hinge.axes[pl_jointTwist].speed = 5.0;
		plJointId id = plCreateJoint(world, &hinge, &error);
		CALL(step(300));
		CHECK(lengthOf(plBody_GetSpin(world, bar)) < 10.0 && plJoint_GetError(world, id) < 0.01);
		closeWorld();
	}
}

// Ten links and a cube of 1,000 times their mass. With 50,000 times as much the chain tears, but gains no energy
TEST(a_heavy_chain_is_survived)
{
	EACH_RIVAL
	for (int heavy = 0; heavy < 2; ++heavy)
	{
		WITH("%s, heavy %d", plMethod_GetName(rivals[rival]), heavy);
		openWorld(rivals[rival], 1);
		addChain(10, heavy ? 5e4 : 1e3);
		double first = 0.0, most = -INFINITY, off = 0.0, whole = 0.0;
		for (int i = 0; i < 300; ++i)
		{
			CALL(step(1));
			first = i == 0 ? report.kinetic + report.potential : first;
			whole = i == 0 ? fabs(report.potential) : whole;
			most = fmax(most, report.kinetic + report.potential);
			off = fmax(off, report.jointError);
		}
		CHECK(most - first < 1e-3 * whole);
		CHECK(off < (heavy ? 0.5 * g * 25.0 : 1.0));
		closeWorld();
	}
}

TEST(what_rests_falls_asleep)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		sleeps = true;
		openWorld(rivals[rival], 1);
		sleeps = false;
		addFloor();
		for (int i = 0; i < 3; ++i)
			add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5 + i}, .size = cube, .friction = 0.5});
		CALL(step(240));
		CHECK(report.asleep == 3);
		closeWorld();
	}
}

// ---- xpbd alone -----------------------------------------------------------------------------------------------------

// Momentum of two cubes that turn about their joint, about it, after a second without gravity
static double turnForASecond(double w, int parts)
{
	openWorld(pl_methodXpbd, 1);
	plWorld_SetGravity(world, (plVec3){0.0, 0.0, 0.0});
	plSolverDef solver = plDefaultSolverDef(pl_methodXpbd);
	solver.iterations = parts;
	plWorld_SetSolver(world, &solver, &error);
	plBodyId bodies[2];
	double L = 0.0;
	for (int side = 0; side < 2; ++side)
	{
		double x = side == 0 ? -2.0 : 2.0;
		bodies[side] = add((Thing){
		    pl_rigidDynamic, {x, 0.0, 0.0}, .size = cube, .velocity = {0.0, x * w, 0.0}, .spin = {0.0, 0.0, w}});
	}
	plJointDef ball = plMakeBallJoint(world, bodies[0], bodies[1], (plVec3){0.0, 0.0, 0.0});
	plCreateJoint(world, &ball, &error);
	step(60);
	for (int side = 0; side < 2; ++side)
	{
		plVec3 at = placeOf(bodies[side]), v = plBody_GetVelocity(world, bodies[side]);
		L += at.x * v.y - at.y * v.x + plBody_GetSpin(world, bodies[side]).z / 6.0;
	}
	closeWorld();
	return L;
}

// Each part takes (w t)^2/2 of what goes around, and leaves spins alone: first order in the length of the parts
TEST(xpbd_loses_angular_momentum_in_first_order)
{
	double w = 2.0, orbit = 2.0 * 4.0 * w, whole = orbit + 2.0 * w / 6.0;
	for (int parts = 5; parts <= 20; parts *= 2)
	{
		double t = h / parts, expected = orbit * 0.5 * w * w * t;
		CHECK_NEAR(whole - turnForASecond(w, parts), expected, 0.1 * expected);
	}
}

// More parts, or more passes, bring a chain nearer to whole
TEST(parts_and_passes_lower_the_error_of_a_chain)
{
	double off[3];
	for (int k = 0; k < 3; ++k)
	{
		openWorld(pl_methodXpbd, 1);
		plSolverDef solver = plDefaultSolverDef(pl_methodXpbd);
		solver.iterations = k == 1 ? 20 : 5;
		solver.link.passes = k == 2 ? 4 : 1;
		CHECK(plWorld_SetSolver(world, &solver, &error) == pl_success);
		addChain(10, 0.0);
		off[k] = 0.0;
		for (int i = 0; i < 120; ++i)
		{
			CALL(step(1));
			off[k] = fmax(off[k], report.jointError);
		}
		closeWorld();
	}
	CHECK(off[1] < 0.2 * off[0] && off[2] < 0.5 * off[0]);
}

// ---- state ----------------------------------------------------------------------------------------------------------

// A heap of boxes, more than one grain, some of them jointed
static void addHeap(void)
{
	plBodyId last = {0, 0};
	addFloor();
	for (int i = 0; i < 240; ++i)
	{
		plVec3 at = {1.1 * (i % 6) + 0.05 * (i / 36), 1.1 * (i / 6 % 6), 0.6 + 1.1 * (i / 36)};
		plBodyId box = add((Thing){pl_rigidDynamic, at, 0.01 * i, cube, .friction = 0.5});
		if (i % 6 == 1)
		{
			plJointDef ball = plMakeBallJoint(world, last, box, (plVec3){at.x - 0.55, at.y, at.z});
			plCreateJoint(world, &ball, &error);
		}
		last = box;
	}
}

PLAIN_TEST(threads_do_not_change_a_bit)
{
	static const int counts[] = {1, 2, 3, 7};
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		uint64_t first = 0;
		for (size_t i = 0; i < 4; ++i)
		{
			openWorld(rivals[rival], counts[i]);
			addHeap();
			CALL(step(60));
			CHECK(report.contacts > 300);
			first = i == 0 ? report.hash : first;
			CHECK(report.hash == first);
			closeWorld();
		}
	}
}

TEST(a_step_allocates_nothing_after_growth)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		size_t allocations = 0;
		openWorld(rivals[rival], 1);
		addHeap();
		CALL(step(240));
		for (int i = 0; i < 10; ++i)
		{
			CALL(step(1));
			allocations += report.allocations;
		}
		CHECK(allocations == 0);
		closeWorld();
	}
}

static plMethod living; // of a world that runs out of memory

// Two bricks on a joint fall onto the ground
static bool liveLinked(Meter* meter, const plMesh* mesh, plError* out)
{
	plWorldDef def = plDefaultWorldDef();
	def.allocator = meterHook(meter);
	def.solver = plDefaultSolverDef(living);
	(void)mesh;
	world = plCreateWorld(&def, out);
	if (world == NULL)
		return false;
	static const plVec3 places[3] = {{0.0, 0.0, -1.0}, {0.0, 0.0, 0.5}, {1.25, 0.0, 0.5}};
	plBodyId made[3], *a = made + 1, *b = made + 2;
	bool fine = true;
	for (int i = 0; fine && i < 3; ++i)
	{
		plVec3 size = i == 0 ? (plVec3){9.0, 9.0, 2.0} : cube;
		made[i] = add((Thing){i == 0 ? pl_rigidStatic : pl_rigidDynamic, places[i], .size = size});
		fine = PL_IS_NON_NULL(made[i]);
	}
	plJointDef hinge = plDefaultJointDef();
	if (fine)
		hinge = plMakeHingeJoint(world, *a, *b, (plVec3){0.625, 0.0, 0.5}, (plVec3){0.0, 1.0, 0.0});
	fine = fine && PL_IS_NON_NULL(plCreateJoint(world, &hinge, &error)) && stepOrStay(world, 3, meter, &error);
	plDestroyWorld(world);
	*out = fine ? *out : error;
	return fine;
}

TEST(every_failed_allocation_is_survived)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		living = rivals[rival];
		CALL(failEachAllocation(liveLinked, cube, (size_t[3]){1, 1, 1}, 30));
	}
}

TEST(a_run_goes_on_from_a_saved_state)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 2);
		addHeap();
		CALL(step(30));
		size_t size = plWorld_GetStateSize(world);
		void* state = malloc(size);
		plWorld_SaveState(world, state);
		CALL(step(30));
		uint64_t hash = report.hash;
		closeWorld();
		openWorld(rivals[rival], 1);
		addHeap();
		CHECK(plWorld_LoadState(world, state, size, &error) == pl_success);
		CALL(step(30));
		CHECK(report.hash == hash);
		closeWorld();
		free(state);
	}
}

// ---- what is not taken ----------------------------------------------------------------------------------------------

TEST(what_cannot_be_taken_is_refused_by_name)
{
	EACH_RIVAL
	{
		const char* name = plMethod_GetName(rivals[rival]);
		WITH("%s", name);
		plSolverDef def = plDefaultSolverDef(rivals[rival]);
		def.tolerance = 1e-3;
		CHECK(plSolverDef_Check(&def, &error) == pl_errorInput && strstr(error.message, name) != NULL);
		def.tolerance = 0.0;
		def.budget = 3;
		CHECK(plSolverDef_Check(&def, &error) == pl_errorInput && strstr(error.message, name) != NULL);
		def.budget = 0;
		def.budgetMs = 1.0;
		CHECK(plSolverDef_Check(&def, &error) == pl_errorInput && strstr(error.message, name) != NULL);
	}
}

TEST(soft_bodies_are_refused_by_name)
{
	EACH_RIVAL
	{
		const char* name = plMethod_GetName(rivals[rival]);
		WITH("%s", name);
		plWorldDef wd = plDefaultWorldDef();
		wd.solver = plDefaultSolverDef(rivals[rival]);
		plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
		Fixture f = makeFixture(&wd, &bd, unit, (const size_t[3]){1, 1, 1}, false);
		CHECK(plWorld_Step(f.world, NULL, &error) == pl_errorInput);
		CHECK(strstr(error.message, name) != NULL && strstr(error.message, "avbd") != NULL);
		destroyFixture(&f);
	}
}
