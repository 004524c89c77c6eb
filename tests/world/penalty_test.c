// penalty_test.c: vertex block descent on rigid bodies: springs of one stiffness, and no multipliers
#include "rigid.h"

static const double h = 1.0 / 60.0, g = 10.0, k = 1e4;

static plWorld* openWorld(plStiffnessRule rule, int iterations)
{
	plWorldDef def = plDefaultWorldDef();
	def.gravity = (plVec3){0.0, 0.0, -g};
	def.timestep = h;
	def.sleep = false;
	def.solver = plDefaultSolverDef(pl_methodAvbd);
	def.solver.iterations = iterations;
	def.solver.block.stiffness = rule;
	def.solver.block.penalty = k;
	return plCreateWorld(&def, &error);
}

static plBodyId addCube(plWorld* world, double z)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	def.position = (plVec3){0.0, 0.0, z};
	return addBox(world, &def, (plVec3){1.0, 1.0, 1.0}, 1.0);
}

static void addFloor(plWorld* world, double friction)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef shape = plDefaultShapeDef();
	def.motion = pl_rigidStatic;
	def.position = (plVec3){0.0, 0.0, -0.5};
	shape.size = (plVec3){100.0, 100.0, 1.0};
	shape.friction = friction;
	addRigid(world, &def, &shape);
}

static void run(plWorld* world, int steps)
{
	for (int i = 0; i < steps; ++i)
		CHECK(plWorld_Step(world, NULL, &error) >= 0);
}

static double heightOf(const plWorld* world, plBodyId body)
{
	return plBody_GetPose(world, body).translation.z;
}

// m g over four points; the force that is read is m g, too
TEST(a_cube_sinks_by_its_weight_over_the_stiffness)
{
	plWorld* world = openWorld(pl_stiffnessFixed, 20);
	addFloor(world, 0.5);
	plBodyId cube = addCube(world, 0.5);
	run(world, 300);
	CHECK_NEAR(0.5 - heightOf(world, cube), g / (4.0 * k), 1e-3 * g / (4.0 * k));
	plRigidContact contacts[8];
	size_t count = plWorld_GetRigidContacts(world, contacts, 8);
	double force = 0.0;
	for (size_t i = 0; i < count; ++i)
		force += fabs(contacts[i].force.z);
	CHECK_NEAR(force, g, 1e-3 * g);
	plDestroyWorld(world);
}

// A ball joint is off by m g/k, a spring by m g over its own stiffness, whatever the penalty is
TEST(a_joint_is_off_by_its_load_over_the_stiffness)
{
	for (int spring = 0; spring < 2; ++spring)
	{
		plWorld* world = openWorld(pl_stiffnessFixed, 20);
		plBodyId cube = addCube(world, 2.0);
		plJointDef def = plMakeBallJoint(world, cube, (plBodyId){0, 0}, (plVec3){0.0, 0.0, 2.0});
		if (spring == 1)
			def.axes[pl_jointZ] =
			    (plAxisDef){.mode = pl_axisFree, .stiffness = 500.0, .damping = 20.0, .most = INFINITY};
		plJointId joint = plCreateJoint(world, &def, &error);
		CHECK(PL_IS_NON_NULL(joint));
		run(world, 600);
		double off = 2.0 - heightOf(world, cube), stiffness = spring ? 500.0 : k;
		CHECK_NEAR(off, g / stiffness, 1e-3 * g / stiffness);
		CHECK_NEAR(fabs(plJoint_GetForce(world, joint).z), g, 1e-3 * g);
		plDestroyWorld(world);
	}
}

// v^2/(2 mu g), but for half the way of one step; with 20 iterations it goes 22 % too far, for all of the stiffness is
// in its block
TEST(a_cube_slides_as_far_as_Coulomb_says)
{
	plWorld* world = openWorld(pl_stiffnessFixed, 200);
	addFloor(world, 0.4);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef shape = plDefaultShapeDef();
	def.position = (plVec3){0.0, 0.0, 0.5 - g / (4.0 * k)};
	def.velocity = (plVec3){4.0, 0.0, 0.0};
	shape.size = (plVec3){1.0, 1.0, 1.0};
	shape.density = 1.0;
	shape.friction = 0.4;
	plBodyId cube = addRigid(world, &def, &shape);
	run(world, 120);
	CHECK_NEAR(plBody_GetPose(world, cube).translation.x, 16.0 / (2.0 * 0.4 * g), 4.0 * h);
	run(world, 60); // and stays
	CHECK(lengthOf(plBody_GetVelocity(world, cube)) < 1e-6);
	plDestroyWorld(world);
}

// A hundred times the mass sinks a hundred times as deep: that is what multipliers are there for
TEST(what_is_heavy_sinks_deep_without_multipliers_and_not_with_them)
{
	for (int fixed = 0; fixed < 2; ++fixed)
	{
		plWorld* world = openWorld(fixed ? pl_stiffnessFixed : pl_stiffnessLoad, 20);
		addFloor(world, 0.5);
		addCube(world, 0.5);
		plRigidBodyDef def = plDefaultRigidBodyDef();
		def.position = (plVec3){0.0, 0.0, 1.5};
		plBodyId heavy = addBox(world, &def, (plVec3){1.0, 1.0, 1.0}, 100.0);
		run(world, 300);
		double sunk = 1.5 - heightOf(world, heavy);
		CHECK(fixed ? fabs(sunk / ((201.0 * g) / (4.0 * k)) - 1.0) < 0.01 : sunk < 5e-3);
		plDestroyWorld(world);
	}
}

// ---- states ---------------------------------------------------------------------------------------------------------

// Cubes that fall, roll and hang on each other, by balls and by springs: several colours, contacts that stick and
// slide.
static plWorld* makeHeap(plPrecision precision, double penalty)
{
	plWorldDef def = plDefaultWorldDef();
	def.gravity = (plVec3){0.0, 0.0, -g};
	def.timestep = h;
	def.solver = plDefaultSolverDef(pl_methodAvbd);
	def.solver.precision = precision;
	def.solver.block.stiffness = pl_stiffnessFixed;
	def.solver.block.penalty = penalty;
	plWorld* world = plCreateWorld(&def, &error);
	plBodyId last = {0, 0};
	addFloor(world, 0.3);
	for (int i = 0; i < 18; ++i)
	{
		plRigidBodyDef body = plDefaultRigidBodyDef();
		body.position = (plVec3){1.02 * (i % 3) + 0.1 * (i / 9), 1.02 * (i / 3 % 3), 0.7 + 1.1 * (i / 9)};
		body.spin = (plVec3){0.1 * i, 0.0, 0.5};
		plBodyId cube = addBox(world, &body, (plVec3){1.0, 1.0, 1.0}, 1.0 + i % 4);
		plVec3 at = {body.position.x - 0.51, body.position.y, body.position.z}, far = {at.x - 0.5, at.y, at.z};
		plJointDef joint = i % 2 == 1 ? plMakeBallJoint(world, last, cube, at)
		                              : plMakeSpringJoint(world, last, cube, far, at, 300.0, 5.0);
		if (i % 3 != 0)
			plCreateJoint(world, &joint, &error);
		last = cube;
	}
	return world;
}

TEST(a_run_goes_on_from_a_saved_state)
{
	for (int p = 0; p < 2; ++p)
		for (int stop = 1; stop < 40; stop += 12)
		{
			WITH("%s, stopped at step %d", p == pl_precisionFloat ? "float" : "double", stop);
			plWorld *whole = makeHeap((plPrecision)p, k), *other = makeHeap((plPrecision)p, k);
			plWorld* stiffer = makeHeap((plPrecision)p, 2.0 * k);
			plStepReport report;
			for (int i = 0; i < 60; ++i)
			{
				if (i == stop)
					CHECK(carryState(whole, other, &error) == pl_success);
				CHECK(plWorld_Step(whole, &report, &error) >= 0 && plWorld_Step(stiffer, NULL, &error) >= 0);
				if (i >= stop)
					CHECK(plWorld_Step(other, NULL, &error) >= 0);
			}
			CHECK(report.contacts > 20 && report.jointError > 0.0);
			CHECK(plWorld_GetHash(whole) == plWorld_GetHash(other));
			CHECK(plWorld_GetHash(whole) != plWorld_GetHash(stiffer)); // the stiffness does show
			plDestroyWorld(whole);
			plDestroyWorld(other);
			plDestroyWorld(stiffer);
		}
}
