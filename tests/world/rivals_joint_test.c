// rivals_joint_test.c: joints by impulses and by places: known answers, heavy chains
#include "rivals.h"

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
	for (int run = 0; run < 4; ++run)
	{
		bool strong = run % 2 == 1;
		precision = run < 2 ? pl_precisionFloat : pl_precisionDouble;
		WITH("%s, %s, strong %d", plMethod_GetName(rivals[rival]), run < 2 ? "float" : "double", strong);
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
			CHECK_NEAR(speed, 2.0, run < 2 ? 1e-5 : 1e-6);
			CHECK_NEAR(fabs(pull), 5.0, 0.01);
		}
		else
		{
			CHECK_NEAR(fabs(pull), 3.0, run < 2 ? 1e-6 : 1e-9);
			CHECK_NEAR(fabs(speed), 2.0 * 6.0, 0.1); // 2 N m over 1/6 kg m^2, for 1 s
		}
		closeWorld();
	}
	precision = pl_precisionFloat;
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
	def.solver.precision = pl_precisionDouble;
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
