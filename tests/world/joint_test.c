// joint_test.c: joints in a world: known answers, momentum, chains, springs, limits, motors, breaking, state
#include "shortage.h" // before `error`
#include "rigid.h"

static const double h = 1.0 / 60.0, g = 10.0, pi = 3.14159265358979324;

static plWorld* world;

static plPool* pool;
static plPrecision precision = pl_precisionFloat;
static int direct = 1;

static void openWorld(int iterations, int substeps, double gravity)
{
	plWorldDef def = plDefaultWorldDef();
	def.gravity = (plVec3){0.0, 0.0, -gravity};
	def.timestep = h;
	def.substeps = substeps;
	def.sleep = false;
	def.pool = pool;
	def.solver = plDefaultSolverDef(pl_methodAvbd);
	def.solver.iterations = iterations;
	def.solver.precision = precision;
	def.solver.block.direct = direct;
	world = plCreateWorld(&def, &error);
}

static plBodyId addAt(plVec3 at, plVec3 size, double mass)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	def.position = at;
	def.motion = mass > 0.0 ? pl_rigidDynamic : pl_rigidStatic;
	return addBox(world, &def, size, mass > 0.0 ? mass / (size.x * size.y * size.z) : 1.0);
}

// A step may leave something over: avbd is meant to.
static void step(int count)
{
	for (int i = 0; i < count; ++i)
		CHECK(plWorld_Step(world, NULL, &error) >= 0);
}

static plJointId join(const plJointDef* def)
{
	return plCreateJoint(world, def, &error);
}

static const plVec3 cube = {1.0, 1.0, 1.0}, origin = {0.0, 0.0, 0.0};
static const plBodyId noBody = {0, 0};

// ---- known answers --------------------------------------------------------------------------------------------------

// A bar on a hinge at its end, small swings: T = 2 pi sqrt(I/(m g l)), I = m L^2/3 + m b^2/12.
TEST(a_pendulum_has_its_period)
{
	openWorld(10, 16, g);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	double angle = 0.1, L = 2.0, b = 0.1;
	def.rotation = plQuat_FromAxisAngle((plVec3){0, 1, 0}, angle);
	def.position = (plVec3){-0.5 * L * sin(angle), 0.0, -0.5 * L * cos(angle)};
	plBodyId bar = addBox(world, &def, (plVec3){b, b, L}, 500.0);
	plJointDef hinge = plMakeHingeJoint(world, bar, noBody, origin, (plVec3){0, 1, 0});
	plJointId id = join(&hinge);
	double expected = 2.0 * pi * sqrt((L * L / 3.0 + b * b / 12.0) / (g * 0.5 * L)) * (1.0 + angle * angle / 16.0);
	double before = plJoint_GetValue(world, id, pl_jointTwist), last = 0.0, sum = 0.0;
	int crossings = 0;
	double start = 0.0;
	CHECK_NEAR(before, 0.0, 1e-12); // it is measured from where it was made
	for (int i = 0; crossings < 9; ++i)
	{
		step(1);
		plVec3 at = plBody_GetPose(world, bar).translation;
		double time = (i + 1) * h;
		if (i > 0 && (last < 0.0) != (at.x < 0.0))
		{
			double cross = time - h * at.x / (at.x - last);
			start = crossings == 0 ? cross : start;
			sum = cross - start;
			crossings++;
		}
		last = at.x;
	}
	CHECK_NEAR(sum / 4.0, expected, 2e-3 * expected);
	plDestroyWorld(world);
}

// A mass on a spring rests at m g/k.
TEST(a_mass_on_a_spring_rests_where_it_must)
{
	static const double masses[] = {1e-3, 1.0, 1e3}, stiffnesses[] = {1e2, 1e4, 1e6, 1e8};
	for (size_t m = 0; m < 3; ++m)
		for (size_t k = 0; k < 4; ++k)
		{
			double mass = masses[m], stiffness = stiffnesses[k], fall = mass * g / stiffness;
			openWorld(5, 1, g);
			plBodyId body = addAt((plVec3){0, 0, -1}, (plVec3){0.1, 0.1, 0.1}, mass);
			plJointDef spring = plMakeSpringJoint(world, body, noBody, (plVec3){0, 0, -1}, origin, stiffness,
			                                      2.0 * sqrt(stiffness * mass));
			plJointId id = join(&spring);
			step(600 + (int)(12.0 * sqrt(mass / stiffness) / h)); // until it is at rest
			double found = -plBody_GetPose(world, body).translation.z - 1.0;
			CHECK_NEAR(found, fall, 0.01 * fall + 1e-5);
			CHECK_NEAR(plJoint_GetAxisForce(world, id, pl_jointLength), mass * g, 0.01 * mass * g);
			plDestroyWorld(world);
		}
}

// A door that swings into its stop, and is held there by it.
TEST(a_hinge_stops_at_its_limit)
{
	openWorld(10, 1, g);
	plBodyId bar = addAt((plVec3){1, 0, 0}, (plVec3){2, 0.2, 0.2}, 3.0);
	plJointDef hinge = plMakeHingeJoint(world, bar, noBody, origin, (plVec3){0, 1, 0});
	hinge.axes[pl_jointTwist].mode = pl_axisLimited;
	hinge.axes[pl_jointTwist].low = -0.5;
	hinge.axes[pl_jointTwist].high = 0.5;
	plJointId id = join(&hinge);
	step(600);
	double angle = plJoint_GetValue(world, id, pl_jointTwist), torque = plJoint_GetAxisForce(world, id, pl_jointTwist);
	CHECK_NEAR(fabs(angle), 0.5, 1e-3);
	CHECK_NEAR(fabs(torque), 3.0 * g * cos(0.5), 0.01 * 30.0);
	CHECK(fabs(plJoint_GetSpeed(world, id, pl_jointTwist)) < 1e-3);
	plDestroyWorld(world);
}

// A motor gets a flywheel to its speed: with a torque M after I w/M seconds.
TEST(a_motor_turns_by_its_torque_up_to_its_speed)
{
	openWorld(10, 1, 0.0);
	plBodyId wheel = addAt(origin, cube, 6.0); // I = 1
	plJointDef hinge = plMakeHingeJoint(world, wheel, noBody, origin, (plVec3){0, 0, 1});
	hinge.axes[pl_jointTwist].motor = true;
	hinge.axes[pl_jointTwist].speed = 30.0;
	hinge.axes[pl_jointTwist].most = 10.0;
	plJointId id = join(&hinge);
	step(60);
	CHECK_NEAR(fabs(plJoint_GetSpeed(world, id, pl_jointTwist)), 10.0, 1e-3);
	CHECK_NEAR(fabs(plJoint_GetAxisForce(world, id, pl_jointTwist)), 10.0, 1e-9);
	step(240);
	CHECK_NEAR(plJoint_GetSpeed(world, id, pl_jointTwist), 30.0, 1e-3);
	CHECK_NEAR(plJoint_GetAxisForce(world, id, pl_jointTwist), 0.0, 1e-3);
	CHECK(plJoint_GetValue(world, id, pl_jointTwist) > 2.0 * pi); // whole turns count
	plAxisDef stop = plJoint_GetAxis(world, id, pl_jointTwist);
	stop.speed = 0.0;
	CHECK(plJoint_SetAxis(world, id, pl_jointTwist, &stop, &error) == pl_success);
	step(240);
	CHECK_NEAR(plJoint_GetSpeed(world, id, pl_jointTwist), 0.0, 1e-3);
	plDestroyWorld(world);
}

// A cart that a motor with little force pushes: it gains h F/m in a step, and then keeps its speed.
TEST(a_motor_keeps_its_speed)
{
	openWorld(10, 1, 0.0);
	plBodyId cart = addAt(origin, cube, 12.0);
	plJointDef slider = plMakeSliderJoint(world, cart, noBody, origin, (plVec3){1, 0, 0});
	slider.axes[pl_jointX].motor = true;
	slider.axes[pl_jointX].speed = 1.0;
	slider.axes[pl_jointX].most = 200.0;
	join(&slider);
	double gained[6];
	for (int i = 0; i < 6; ++i)
	{
		step(1);
		gained[i] = fabs(plBody_GetVelocity(world, cart).x);
	}
	CHECK_NEAR(gained[0], h * 200.0 / 12.0, 1e-3);
	CHECK_NEAR(gained[2], 3.0 * h * 200.0 / 12.0, 1e-3);
	for (int i = 4; i < 6; ++i)
		CHECK_NEAR(gained[i], 1.0, 1e-3);
	plDestroyWorld(world);
}

// Two ropes at 30 and 60 degrees to the level hold a weight: m g sin of the other angle.
TEST(ropes_bear_a_weight)
{
	openWorld(10, 1, g);
	plBodyId body = addAt(origin, (plVec3){0.2, 0.2, 0.2}, 2.0);
	double a = pi / 6.0, b = pi / 3.0;
	plVec3 left = {-3.0 * cos(a), 0.0, 3.0 * sin(a)}, right = {2.0 * cos(b), 0.0, 2.0 * sin(b)};
	plJointDef one = plMakeRopeJoint(world, body, noBody, origin, left);
	plJointDef two = plMakeRopeJoint(world, body, noBody, origin, right);
	plJointId ids[2] = {join(&one), join(&two)};
	step(600);
	CHECK_NEAR(plJoint_GetAxisForce(world, ids[0], pl_jointLength), 2.0 * g * cos(b), 0.01 * 20.0);
	CHECK_NEAR(plJoint_GetAxisForce(world, ids[1], pl_jointLength), 2.0 * g * cos(a), 0.01 * 20.0);
	plVec3 sum = plJoint_GetForce(world, ids[0]), other = plJoint_GetForce(world, ids[1]);
	CHECK_NEAR(sum.z + other.z, -2.0 * g, 0.01 * 20.0); // on the world
	plDestroyWorld(world);
}

// A triangle of three bars of no weight, 4 m wide and 1.5 m high, pinned at its left foot, its right one free to slide:
// of the load W at its tip the legs bear W/2 over their sine, and the tie that over its tangent.
TEST(a_truss_has_its_bar_forces_and_reactions)
{
	openWorld(10, 1, g);
	static const plVec3 places[3] = {{0, 0, 0}, {4, 0, 0}, {2, 0, 1.5}};
	static const double masses[3] = {1.0, 1.0, 10.0};
	plBodyId nodes[3];
	for (int k = 0; k < 3; ++k)
	{
		plRigidBodyDef def = plDefaultRigidBodyDef();
		def.position = places[k];
		def.locked = pl_axisY | pl_turnX | pl_turnY | pl_turnZ;
		nodes[k] = addBox(world, &def, (plVec3){0.1, 0.1, 0.1}, masses[k] / 1e-3);
	}
	plJointDef pin = plMakeBallJoint(world, nodes[0], noBody, places[0]), roller = plDefaultJointDef();
	roller.a = nodes[1];
	roller.frameB.translation = places[1];
	roller.axes[pl_jointZ].mode = pl_axisLocked;
	plJointId supports[2] = {join(&pin), join(&roller)}, bars[3];
	for (int k = 0; k < 3; ++k)
	{
		int a = k, b = (k + 1) % 3;
		plJointDef bar = plMakeDistanceJoint(world, nodes[a], nodes[b], places[a], places[b]);
		bars[k] = join(&bar);
	}
	step(600);
	double leg = 0.5 * masses[2] * g / 0.6, tie = leg * 0.8;
	CHECK_NEAR(plJoint_GetAxisForce(world, bars[0], pl_jointLength), tie, 0.01 * tie);
	CHECK_NEAR(plJoint_GetAxisForce(world, bars[1], pl_jointLength), -leg, 0.01 * leg);
	CHECK_NEAR(plJoint_GetAxisForce(world, bars[2], pl_jointLength), -leg, 0.01 * leg);
	for (int k = 0; k < 2; ++k) // on the world
	{
		CHECK_NEAR(plJoint_GetForce(world, supports[k]).z, -60.0, 0.6);
		CHECK_NEAR(plJoint_GetForce(world, supports[k]).x, 0.0, 0.6);
	}
	plDestroyWorld(world);
}

// The speed of the second shaft of a cross is that of the first times cos b/(1 - sin^2 b sin^2 t), from cos b to 1/cos
// b: Hooke's joint.
TEST(a_universal_joint_has_its_ratio)
{
	openWorld(20, 4, 0.0);
	double bend = 0.5;
	plVec3 first = {1, 0, 0}, second = {cos(bend), sin(bend), 0.0};
	plRigidBodyDef def = plDefaultRigidBodyDef();
	def.position = (plVec3){-1, 0, 0};
	plBodyId a = addBox(world, &def, (plVec3){2, 0.2, 0.2}, 10.0);
	def.position = (plVec3){second.x, second.y, 0.0};
	def.rotation = plQuat_FromAxisAngle((plVec3){0, 0, 1}, bend);
	plBodyId b = addBox(world, &def, (plVec3){2, 0.2, 0.2}, 10.0);
	plJointDef drive = plMakeHingeJoint(world, a, noBody, (plVec3){-2, 0, 0}, first);
	drive.axes[pl_jointTwist].motor = true;
	drive.axes[pl_jointTwist].speed = -2.0; // of the world against a
	plJointDef end = plMakeHingeJoint(world, b, noBody, (plVec3){2.0 * second.x, 2.0 * second.y, 0}, second);
	plJointDef joint = plMakeUniversalJoint(world, a, b, origin, (plVec3){0, 1, 0}, (plVec3){0, 0, 1});
	join(&drive), join(&end), join(&joint);
	double least = INFINITY, most = 0.0;
	step(60);
	for (int i = 0; i < 240; ++i)
	{
		step(1);
		plVec3 w = plBody_GetSpin(world, b), v = plBody_GetSpin(world, a);
		double ratio = (w.x * second.x + w.y * second.y) / v.x;
		least = fmin(least, ratio);
		most = fmax(most, ratio);
		CHECK_NEAR(v.x, 2.0, 0.01);
	}
	CHECK_NEAR(least, cos(bend), 0.01);
	CHECK_NEAR(most, 1.0 / cos(bend), 0.01);
	plDestroyWorld(world);
}

// A wheel that a motor turns rolls on the ground without slipping: v = w r.
TEST(a_driven_wheel_rolls)
{
	openWorld(10, 1, g);
	addAt((plVec3){0, 0, -1}, (plVec3){100, 100, 2}, 0.0);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef round = plDefaultShapeDef();
	plBodyId wheels[2];
	round.kind = pl_shapeSphere;
	round.radius = 0.5;
	round.density = 100.0;
	for (int i = 0; i < 2; ++i)
	{
		def.position = (plVec3){i == 0 ? -1.0 : 1.0, 0, 0.5};
		wheels[i] = addRigid(world, &def, &round);
	}
	plBodyId frame = addAt((plVec3){0, 0, 0.9}, (plVec3){2, 0.5, 0.1}, 20.0);
	for (int i = 0; i < 2; ++i)
	{
		plVec3 at = {i == 0 ? -1.0 : 1.0, 0, 0.5};
		plJointDef wheel =
		    plMakeWheelJoint(world, frame, wheels[i], at, (plVec3){0, 1, 0}, (plVec3){0, 0, 1}, 4e3, 4e2);
		wheel.axes[pl_jointTwist].motor = i == 0;
		wheel.axes[pl_jointTwist].speed = 4.0;
		wheel.axes[pl_jointTwist].most = 100.0;
		join(&wheel);
	}
	step(300);
	plVec3 v = plBody_GetVelocity(world, frame), w = plBody_GetSpin(world, wheels[0]);
	CHECK_NEAR(v.x, 2.0, 0.02);
	CHECK_NEAR(w.y * 0.5, v.x, 0.02);
	plDestroyWorld(world);
}

// ---- momentum -------------------------------------------------------------------------------------------------------

typedef struct Momentum
{
	double p[3], L[3];
	double size[2]; // of what is added up
} Momentum;

// Cubes: their moments are alike, and their spin shows their momentum.
static Momentum measureCubes(const plBodyId* bodies, const double* masses, int count)
{
	Momentum m;
	memset(&m, 0, sizeof m);
	for (int k = 0; k < count; ++k)
	{
		plVec3 x = plBody_GetPose(world, bodies[k]).translation, v = plBody_GetVelocity(world, bodies[k]);
		plVec3 w = plBody_GetSpin(world, bodies[k]);
		double M = masses[k];
		m.p[0] += M * v.x, m.p[1] += M * v.y, m.p[2] += M * v.z;
		m.size[0] += M * lengthOf(v);
		m.size[1] += M * (lengthOf(x) * lengthOf(v) + lengthOf(w) / 6.0);
		m.L[0] += M * (x.y * v.z - x.z * v.y) + M / 6.0 * w.x;
		m.L[1] += M * (x.z * v.x - x.x * v.z) + M / 6.0 * w.y;
		m.L[2] += M * (x.x * v.y - x.y * v.x) + M / 6.0 * w.z;
	}
	return m;
}

// Joints give and take alike, so that momentum stays but for what is not solved: with many iterations, and where a step
// takes v+ at x, but for h m v+ x v.
static void keepMomentum(void)
{
	precision = pl_precisionDouble;
	openWorld(400, 1, 0.0);
	precision = pl_precisionFloat;
	enum
	{
		count = 4
	};
	double masses[count] = {1.0, 3.0, 0.5, 2.0};
	plBodyId bodies[count];
	for (int k = 0; k < count; ++k)
	{
		plRigidBodyDef def = plDefaultRigidBodyDef();
		def.position = (plVec3){1.5 * k, 0.3 * k, -0.2 * k};
		def.velocity = (plVec3){0.1 * k, 0.4 - 0.3 * k, 0.2};
		def.spin = (plVec3){0.5, 0.3 * k, -0.4};
		bodies[k] = addBox(world, &def, cube, masses[k]);
	}
	for (int k = 0; k + 1 < count; ++k)
	{
		plVec3 at = {1.5 * k + 0.75, 0.3 * k + 0.1, -0.2 * k};
		plJointDef def = k == 0   ? plMakeBallJoint(world, bodies[k], bodies[k + 1], at)
		                 : k == 1 ? plMakeHingeJoint(world, bodies[k], bodies[k + 1], at, (plVec3){0.2, 1, 0.3})
		                          : plMakeSliderJoint(world, bodies[k], bodies[k + 1], at, (plVec3){1, 0.5, 0});
		join(&def);
	}
	for (int i = 0; i < 30; ++i)
	{
		plVec3 before[count];
		Momentum was = measureCubes(bodies, masses, count);
		for (int k = 0; k < count; ++k)
			before[k] = plBody_GetVelocity(world, bodies[k]);
		step(1);
		Momentum is = measureCubes(bodies, masses, count);
		double swept[3] = {0.0, 0.0, 0.0};
		for (int k = 0; k < count; ++k)
		{
			plVec3 v = plBody_GetVelocity(world, bodies[k]), u = before[k];
			swept[0] += h * masses[k] * (v.y * u.z - v.z * u.y);
			swept[1] += h * masses[k] * (v.z * u.x - v.x * u.z);
			swept[2] += h * masses[k] * (v.x * u.y - v.y * u.x);
		}
		for (int axis = 0; axis < 3; ++axis)
		{
			CHECK_NEAR(is.p[axis], was.p[axis], 1e-12 * is.size[0]);
			CHECK_NEAR(is.L[axis], was.L[axis] + swept[axis], 1e-12 * is.size[1]);
		}
	}
	plDestroyWorld(world);
}

TEST(joints_keep_momentum)
{
	for (direct = 1; direct >= 0; --direct)
		CALL(keepMomentum());
	direct = 1;
}

// ---- the chain ------------------------------------------------------------------------------------------------------

typedef struct Chain
{
	plBodyId end;
	double error;  // the largest, m
	double energy; // the highest above the start, over m g L
} Chain;

// Fifty links of 1 kg and a cube at their end, let go level.
static Chain swing(double mass, int steps)
{
	Chain chain = {{0, 0}, 0.0, -INFINITY};
	plBodyId last = addAt((plVec3){0, 0, 100}, (plVec3){0.5, 0.5, 0.5}, 0.0);
	for (int i = 0; i <= 50; ++i)
	{
		plBodyId link = i < 50 ? addAt((plVec3){0.5 + i, 0, 100}, (plVec3){1, 0.25, 0.25}, 1.0)
		                       : addAt((plVec3){51, 0, 100}, (plVec3){2, 2, 2}, mass);
		plJointDef ball = plMakeBallJoint(world, last, link, (plVec3){i, 0, 100});
		join(&ball);
		chain.end = last = link;
	}
	for (int i = 0; i < steps; ++i)
	{
		plStepReport report;
		if (plWorld_Step(world, &report, &error) < 0)
			return (Chain){{0, 0}, INFINITY, INFINITY};
		double energy = report.kinetic + report.potential - (mass + 50.0) * g * 100.0;
		chain.error = fmax(chain.error, report.jointError);
		chain.energy = fmax(chain.energy, energy / ((mass + 50.0) * g * 51.0));
	}
	return chain;
}

// Sweeps alone, and trees at once: where the cube is after five seconds, too, against what many iterations give.
TEST(a_chain_holds_what_hangs_on_it)
{
	static const double masses[] = {1.0, 1000.0, 50000.0};
	static const double limits[2][3] = {{0.03, 0.07, 0.12}, {0.003, 0.007, 0.012}},
	                    far[2][3] = {{1, 7, 8}, {0.5, 0.5, 0.5}};
	static const plVec3 ends[] = {{-43.64, 0, 74.09}, {-24.30, 0, 55.16}, {-23.82, 0, 54.90}};
	for (direct = 0; direct < 2; ++direct)
		for (int k = 0; k < 3; ++k)
		{
			WITH("direct %d, 1:%g", direct, masses[k]);
			openWorld(10, 1, g);
			Chain chain = swing(masses[k], 300);
			CHECK(chain.error < limits[direct][k]);
			CHECK(chain.energy < 0.05);
			CHECK(apartBy(plBody_GetPose(world, chain.end).translation, ends[k]) < far[direct][k]);
			plDestroyWorld(world);
		}
	direct = 1;
}

TEST(a_chain_has_the_same_bits_for_any_number_of_threads_and_after_a_load)
{
	uint64_t hashes[4];
	for (int k = 0; k < 4; ++k)
	{
		pool = k == 1 || k == 2 ? plCreatePool(k + 1) : NULL;
		openWorld(10, 2, g);
		Chain chain = swing(1000.0, 20);
		if (k == 3)
		{
			size_t bytes = plWorld_GetStateSize(world);
			void* state = malloc(bytes);
			plWorld_SaveState(world, state);
			step(15);
			CHECK(plWorld_LoadState(world, state, bytes, &error) == pl_success);
			free(state);
		}
		step(20);
		hashes[k] = plWorld_GetHash(world);
		CHECK(hashes[k] == hashes[0]);
		CHECK(plBody_IsValid(world, chain.end));
		plDestroyWorld(world);
		plDestroyPool(pool);
		pool = NULL;
	}
}

// ---- a pole on springs ----------------------------------------------------------------------------------------------

// Twenty segments with springs between them that resist bending, welded to the world at one end, level: the tip sinks
// by the sum of (moment/stiffness) times the distance to the tip. The weld bears 8000 times what its segment is as hard
// to turn as.
static void sinkPole(int iterations)
{
	enum
	{
		count = 20
	};
	const double L = 0.15, mass = 0.3, stiffness = 1e4;
	openWorld(iterations, 1, g);
	plBodyId last = noBody;
	plJointId weld = {0, 0};
	double expected = 0.0, angle = 0.0;
	for (int i = 0; i < count; ++i)
	{
		plBodyId part = addAt((plVec3){(i + 0.5) * L, 0, 0}, (plVec3){L, 0.05, 0.05}, mass);
		plVec3 at = {i * L, 0, 0};
		plJointDef def = i == 0 ? plMakeFixedJoint(world, part, noBody, at) : plMakeBallJoint(world, last, part, at);
		for (int axis = pl_jointTwist; i > 0 && axis <= pl_jointSwingZ; ++axis)
			def.axes[axis].stiffness = stiffness, def.axes[axis].damping = 0.05 * stiffness;
		weld = i == 0 ? join(&def) : weld;
		CHECK(i == 0 || PL_IS_NON_NULL(join(&def)));
		double beyond = (count - i) * L, bent = i > 0 ? mass / L * g * beyond * beyond / 2.0 / stiffness : 0.0;
		expected += bent * beyond;
		angle += bent;
		last = part;
	}
	expected -= angle * 0.5 * L; // the middle of the last segment
	step(240);
	double sunk = -plBody_GetPose(world, last).translation.z, held = lengthOf(plJoint_GetTorque(world, weld));
	CHECK_NEAR(sunk, expected, 0.02 * expected); // joints are off by a share of a millimetre each
	CHECK_NEAR(held, count * mass * g * 0.5 * count * L, 0.02 * 90.0);
	CHECK(plJoint_GetAngleError(world, weld) < 2e-4);
	CHECK(lengthOf(plBody_GetVelocity(world, last)) < 1e-3);
	plDestroyWorld(world);
}

TEST(a_pole_of_segments_bends_as_a_beam)
{
	CALL(sinkPole(5));
	CALL(sinkPole(10));
}

// ---- breaking, touching, sleeping -----------------------------------------------------------------------------------

TEST(a_joint_breaks_at_its_force)
{
	for (int k = 0; k < 2; ++k)
	{
		openWorld(10, 1, g);
		plBodyId body = addAt(origin, cube, 1.0);
		plJointDef ball = plMakeBallJoint(world, body, noBody, (plVec3){0, 0, 0.5});
		ball.breakForce = k == 0 ? 10.1 : 9.9; // it weighs 10 N
		plJointId id = join(&ball);
		plStepReport report;
		int broke = 0;
		for (int i = 0; i < 120; ++i)
		{
			CHECK(plWorld_Step(world, &report, &error) >= 0);
			broke = broke == 0 && plJoint_IsBroken(world, id) ? i + 1 : broke;
		}
		CHECK((broke > 0) == (k == 1) && report.brokenJoints == (size_t)k);
		CHECK((plBody_GetPose(world, body).translation.z < -1.0) == (k == 1));
		plDestroyWorld(world);
	}
}

// What holds a body at rest breaks in the step in which it has to bear more than it can, and no earlier.
TEST(a_joint_breaks_within_the_step_of_its_load)
{
	for (int torque = 0; torque < 2; ++torque)
	{
		openWorld(10, 1, 0.0);
		plBodyId body = addAt(origin, cube, 1.0);
		plJointDef weld = plMakeFixedJoint(world, body, noBody, origin);
		weld.breakForce = 50.0;
		weld.breakTorque = 20.0;
		plJointId id = join(&weld);
		for (int i = 0; i < 40; ++i)
		{
			double share = i < 30 ? 0.9 : 2.0;
			plResult pushed = torque == 1
			                      ? plBody_ApplyTorque(world, body, (plVec3){0, 20.0 * share, 0}, &error)
			                      : plBody_ApplyForce(world, body, (plVec3){50.0 * share, 0, 0}, origin, &error);
			CHECK(pushed == pl_success);
			step(1);
			CHECK(plJoint_IsBroken(world, id) == (i >= 30));
		}
		plDestroyWorld(world);
	}
}

// A saved state holds who is broken, and what the others pull by: a world made alike goes on as if it had never
// stopped.
TEST(a_loaded_state_has_broken_joints_and_multipliers)
{
	uint64_t hashes[2];
	void* state = NULL;
	size_t bytes = 0;
	for (int k = 0; k < 2; ++k)
	{
		openWorld(10, 1, g);
		plBodyId body = addAt(origin, cube, 1.0), other = addAt((plVec3){0, 0, -1.5}, cube, 1.0);
		plJointDef first = plMakeHingeJoint(world, body, noBody, (plVec3){0.3, 0, 0.5}, (plVec3){0, 1, 0});
		plJointDef second = plMakeBallJoint(world, body, other, (plVec3){0, 0, -0.75});
		second.breakForce = 9.9;
		join(&first);
		plJointId id = join(&second);
		if (k == 0)
		{
			step(60);
			CHECK(plJoint_IsBroken(world, id));
			bytes = plWorld_GetStateSize(world);
			state = malloc(bytes);
			plWorld_SaveState(world, state);
		}
		else
			CHECK(plWorld_LoadState(world, state, bytes, &error) == pl_success);
		CHECK(plJoint_IsBroken(world, id));
		step(30);
		CHECK(plJoint_IsBroken(world, id));
		hashes[k] = plWorld_GetHash(world);
		plDestroyWorld(world);
	}
	CHECK(hashes[0] == hashes[1]);
	free(state);
}

TEST(bodies_that_a_joint_joins_do_not_touch_until_it_breaks)
{
	openWorld(10, 1, 0.0);
	plBodyId a = addAt(origin, cube, 1.0), b = addAt((plVec3){0.9, 0, 0}, cube, 1.0);
	plJointDef fixed = plMakeFixedJoint(world, a, b, origin);
	plJointId id = join(&fixed);
	plStepReport report;
	CHECK(plWorld_Step(world, &report, &error) >= 0);
	CHECK(report.manifolds == 0);
	plJoint_Break(world, id);
	CHECK(plWorld_Step(world, &report, &error) >= 0);
	CHECK(report.manifolds == 1);
	plDestroyJoint(world, id);
	fixed.collide = true;
	join(&fixed);
	CHECK(plWorld_Step(world, &report, &error) >= 0);
	CHECK(report.manifolds == 1);
	plDestroyWorld(world);
}

TEST(what_hangs_falls_asleep_and_wakes_with_its_motor)
{
	plWorldDef def = plDefaultWorldDef();
	def.gravity = (plVec3){0, 0, -g};
	def.timestep = h;
	def.solver = plDefaultSolverDef(pl_methodAvbd);
	world = plCreateWorld(&def, &error);
	plBodyId a = addAt((plVec3){0, 0, -1}, cube, 1.0), b = addAt((plVec3){0, 0, -2.5}, cube, 1.0);
	plJointDef first = plMakeHingeJoint(world, a, noBody, origin, (plVec3){0, 1, 0});
	plJointDef second = plMakeHingeJoint(world, a, b, (plVec3){0, 0, -1.75}, (plVec3){0, 1, 0});
	join(&first);
	plJointId id = join(&second);
	step(200);
	CHECK(plBody_IsAsleep(world, a) && plBody_IsAsleep(world, b));
	plAxisDef axis = plJoint_GetAxis(world, id, pl_jointTwist);
	axis.motor = true;
	axis.speed = 1.0;
	axis.most = 100.0;
	CHECK(plJoint_SetAxis(world, id, pl_jointTwist, &axis, &error) == pl_success);
	CHECK(!plBody_IsAsleep(world, a) && !plBody_IsAsleep(world, b));
	step(30);
	CHECK(fabs(plJoint_GetValue(world, id, pl_jointTwist)) > 0.1);
	plDestroyWorld(world);
}

TEST(a_body_takes_its_joints_along)
{
	openWorld(10, 1, g);
	plBodyId a = addAt(origin, cube, 1.0), b = addAt((plVec3){2, 0, 0}, cube, 1.0);
	plJointDef def = plMakeBallJoint(world, a, b, (plVec3){1, 0, 0});
	plJointId first = join(&def), second = join(&def);
	def = plMakeBallJoint(world, b, noBody, (plVec3){1, 0, 0});
	plJointId third = join(&def);
	step(2);
	plDestroyBody(world, a);
	CHECK(!plJoint_IsValid(world, first) && !plJoint_IsValid(world, second) && plJoint_IsValid(world, third));
	step(2);
	plDestroyBody(world, b);
	CHECK(!plJoint_IsValid(world, third));
	step(2);
	plDestroyWorld(world);
}

// ---- refused --------------------------------------------------------------------------------------------------------

TEST(joints_that_make_no_sense_are_refused)
{
	openWorld(10, 1, g);
	plBodyId a = addAt(origin, cube, 1.0), still = addAt((plVec3){3, 0, 0}, cube, 0.0);
	plJointDef def = plMakeBallJoint(world, a, still, origin);
	def.b = a;
	CHECK(PL_IS_NULL(plCreateJoint(world, &def, &error)) && strcmp(error.field, "b") == 0);
	def = plMakeBallJoint(world, still, noBody, origin);
	CHECK(PL_IS_NULL(plCreateJoint(world, &def, &error)) && strstr(error.message, "dynamic") != NULL);
	def.a = (plBodyId){0, 0};
	CHECK(PL_IS_NULL(plCreateJoint(world, &def, &error)) && strcmp(error.field, "a") == 0);
	def = plMakeBallJoint(world, a, noBody, origin);
	def.name = "pin";
	join(&def);
	CHECK(PL_IS_NULL(plCreateJoint(world, &def, &error)) && strcmp(error.field, "name") == 0);
	plDestroyWorld(world);
}

// Two joints that cannot both hold: something gives way, and nothing flies off.
TEST(joints_in_conflict_are_survived)
{
	openWorld(10, 1, g);
	plBodyId body = addAt(origin, cube, 1.0);
	plJointDef one = plMakeBallJoint(world, body, noBody, origin), two = one;
	two.frameB.translation.x = 1.0;
	join(&one), join(&two);
	double fastest = 0.0;
	for (int i = 0; i < 600; ++i)
	{
		step(1);
		fastest = fmax(fastest, lengthOf(plBody_GetVelocity(world, body)));
	}
	plVec3 at = plBody_GetPose(world, body).translation;
	CHECK(at.x > 0.0 && at.x < 1.0 && fastest < 100.0);
	plDestroyWorld(world);
}

// A motor whose torque has no bound drives a bar into a stop: the stop or the motor gives way, and nothing flies off.
TEST(a_motor_without_a_bound_against_a_stop_is_survived)
{
	openWorld(10, 1, g);
	plBodyId bar = addAt((plVec3){1, 0, 0}, (plVec3){2, 0.2, 0.2}, 3.0);
	plJointDef hinge = plMakeHingeJoint(world, bar, noBody, origin, (plVec3){0, 1, 0});
	hinge.axes[pl_jointTwist].mode = pl_axisLimited;
	hinge.axes[pl_jointTwist].low = -0.5;
	hinge.axes[pl_jointTwist].high = 0.5;
	hinge.axes[pl_jointTwist].motor = true;
	hinge.axes[pl_jointTwist].speed = 5.0;
	plJointId id = join(&hinge);
	double fastest = 0.0;
	for (int i = 0; i < 600; ++i)
	{
		step(1);
		fastest = fmax(fastest, lengthOf(plBody_GetSpin(world, bar)));
	}
	CHECK(fastest < 10.0 && plJoint_GetError(world, id) < 0.01);
	plDestroyWorld(world);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

// Two bricks on a joint with a name fall onto the ground; another joint breaks; a third is made while they move.
static bool liveJoined(Meter* meter, const plMesh* mesh, plError* out)
{
	plWorldDef def = plDefaultWorldDef();
	def.allocator = meterHook(meter);
	def.gravity = (plVec3){0.0, 0.0, -g};
	def.timestep = h;
	def.solver = plDefaultSolverDef(pl_methodAvbd);
	(void)mesh;
	world = plCreateWorld(&def, out);
	if (world == NULL)
		return false;
	plBodyId floor = addAt((plVec3){0, 0, -1}, (plVec3){9, 9, 2}, 0.0), a = addAt((plVec3){0, 0, 0.5}, cube, 1.0);
	plBodyId b = addAt((plVec3){1.25, 0, 0.5}, cube, 1.0);
	bool fine = PL_IS_NON_NULL(floor) && PL_IS_NON_NULL(a) && PL_IS_NON_NULL(b);
	plJointDef hinge =
	    fine ? plMakeHingeJoint(world, a, b, (plVec3){0.625, 0, 0.5}, (plVec3){0, 1, 0}) : plDefaultJointDef();
	plJointDef ball = fine ? plMakeBallJoint(world, a, noBody, (plVec3){0, 0, 1}) : hinge;
	hinge.name = "hinge";
	ball.breakForce = 0.5;
	plJointId first = fine ? plCreateJoint(world, &hinge, &error) : (plJointId){0, 0};
	fine = PL_IS_NON_NULL(first) && PL_IS_NON_NULL(plCreateJoint(world, &ball, &error));
	fine = fine && stepOrStay(world, 3, meter, &error);
	plAxisDef axis = hinge.axes[pl_jointTwist];
	axis.motor = true;
	fine = fine && plJoint_SetAxis(world, first, pl_jointTwist, &axis, &error) == pl_success;
	fine = fine && PL_IS_NON_NULL(plCreateJoint(world, &ball, &error)) && stepOrStay(world, 2, meter, &error);
	plDestroyWorld(world);
	*out = fine ? *out : error;
	return fine;
}

TEST(joints_survive_every_failed_allocation)
{
	CALL(failEachAllocation(liveJoined, cube, (size_t[3]){1, 1, 1}, 40));
}

TEST(a_step_with_joints_takes_no_memory)
{
	openWorld(10, 1, g);
	swing(10.0, 3);
	for (int i = 0; i < 5; ++i)
	{
		plStepReport report;
		CHECK(plWorld_Step(world, &report, &error) >= 0);
		CHECK(report.allocations == 0);
	}
	plDestroyWorld(world);
}
