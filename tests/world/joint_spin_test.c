// joint_spin_test.c: bodies that spin by radians in a substep get no energy from their joints
#include "rigid.h"

static const double fast = 120.0; // rad/s: 2 rad in a step

// A shin, and a foot that spins about the shin's own way of turning back and forth, which its ankle does not let it.
static void spin(bool fixed)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.gravity = none;
	wd.timestep = 1.0 / 60.0;
	plWorld* world = plCreateWorld(&wd, &error);
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plBodyId shin = addBox(world, &body, (plVec3){0.1, 0.4, 0.1}, 1000.0);
	body.position = (plVec3){0.05, -0.23, 0.0};
	body.spin = (plVec3){fast, 0.0, 0.0};
	plBodyId foot = addBox(world, &body, (plVec3){0.22, 0.06, 0.09}, 1000.0);
	const plVec3 at = {0.0, -0.2, 0.0}, axis = {0.0, 0.0, 1.0};
	plJointDef def = fixed ? plMakeFixedJoint(world, shin, foot, at) : plMakeHingeJoint(world, shin, foot, at, axis);
	CHECK(PL_IS_NON_NULL(plCreateJoint(world, &def, &error)));
	double inertia[6];
	plStepReport report;
	plBody_GetInertia(world, foot, inertia);
	for (int i = 0; i < 120; ++i)
	{
		CHECK(plWorld_Step(world, &report, &error) >= 0);
		if (!(report.kinetic <= 0.5 * inertia[0] * fast * fast))
			FAIL_("step %d: %g J of %g J", i + 1, report.kinetic, 0.5 * inertia[0] * fast * fast);
	}
	plDestroyWorld(world);
}

TEST(a_hinge_that_turns_a_body_far_gives_it_no_energy)
{
	CALL(spin(false));
}

TEST(a_weld_that_turns_a_body_far_gives_it_no_energy)
{
	CALL(spin(true));
}
