// joint_presets_test.c: a def of a joint is refused by the member at fault; presets hold what they say, where they say
#include "rigid.h"

#include "base/rotation.h"

// ---- checks ---------------------------------------------------------------------------------------------------------

static plJointDef lockedX(void)
{
	plJointDef def = plDefaultJointDef();
	def.axes[pl_jointX].mode = pl_axisLocked;
	return def;
}

static bool blames(const plJointDef* def, const char* field)
{
	plError said = {0};
	bool fine = plJointDef_Check(def, &said) == pl_errorInput && plJointDef_Check(def, NULL) == pl_errorInput &&
	            said.message[0] != 0 && said.field != NULL && strcmp(said.field, field) == 0;
	if (!fine)
		fprintf(stderr, "    %s: %s\n", said.field != NULL ? said.field : "no field", said.message);
	return fine;
}

// The joint with x locked, changed so, is refused for the member.
#define BLAMED(wanted, ...)                                                                                            \
	do                                                                                                                 \
	{                                                                                                                  \
		plJointDef def = lockedX();                                                                                    \
		plAxisDef* axes = def.axes;                                                                                    \
		(void)axes;                                                                                                    \
		__VA_ARGS__;                                                                                                   \
		CHECK(blames(&def, wanted));                                                                                   \
	} while (0)

#define FINE(...)                                                                                                      \
	do                                                                                                                 \
	{                                                                                                                  \
		plJointDef def = lockedX();                                                                                    \
		plAxisDef* axes = def.axes;                                                                                    \
		(void)axes;                                                                                                    \
		__VA_ARGS__;                                                                                                   \
		CHECK(plJointDef_Check(&def, &error) == pl_success);                                                           \
	} while (0)

TEST(frames_and_what_breaks_are_checked)
{
	FINE();
	FINE(def.breakForce = 0.0; def.breakTorque = 1e300; def.name = "knee");
	BLAMED("frameA.translation", def.frameA.translation.y = NAN);
	BLAMED("frameB.translation", def.frameB.translation.z = INFINITY);
	BLAMED("frameA.rotation", def.frameA.rotation.s = 0.5);
	BLAMED("frameB.rotation", def.frameB.rotation.v.x = NAN);
	BLAMED("frameA.scale", def.frameA.scale = 2.0);
	BLAMED("frameB.scale", def.frameB.scale = NAN);
	BLAMED("breakForce", def.breakForce = -1.0);
	BLAMED("breakTorque", def.breakTorque = NAN);
	BLAMED("name", def.name = "");
}

TEST(each_number_of_an_axis_is_checked)
{
	FINE(axes[1].most = 0.0; axes[1].motor = true; axes[1].speed = -3.0);
	BLAMED("axes[0].mode", axes[0].mode = pl_axisModeCount);
	BLAMED("axes[8].mode", axes[8].mode = (plAxisMode)-1);
	BLAMED("axes[1].stiffness", axes[1].stiffness = -1.0);
	BLAMED("axes[2].stiffness", axes[2].stiffness = INFINITY);
	BLAMED("axes[3].damping", axes[3].damping = NAN);
	BLAMED("axes[4].most", axes[4].most = -1e-300);
	BLAMED("axes[5].most", axes[5].most = NAN);
	BLAMED("axes[6].target", axes[6].target = INFINITY);
	BLAMED("axes[7].speed", axes[7].speed = NAN);
}

TEST(limits_are_in_order_and_can_be_reached)
{
	FINE(axes[3].mode = pl_axisLimited; axes[3].low = -INFINITY; axes[3].high = 9.0);
	FINE(axes[4].mode = pl_axisLimited; axes[4].low = -7.0; axes[4].high = 7.0);
	FINE(axes[3].mode = pl_axisLimited; axes[3].low = axes[3].high = 1.0; axes[3].stiffness = 1.0);
	FINE(axes[3].low = 2.0; axes[3].high = 1.0); // no limits
	BLAMED("axes[3].low", axes[3].mode = pl_axisLimited; axes[3].low = 1.0; axes[3].high = 0.999);
	BLAMED("axes[1].low", axes[1].mode = pl_axisLimited; axes[1].low = NAN);
	BLAMED("axes[1].high", axes[1].mode = pl_axisLimited; axes[1].high = NAN);
	BLAMED("axes[1].low", axes[1].mode = pl_axisLimited; axes[1].low = axes[1].high = INFINITY);
	BLAMED("axes[1].high", axes[1].mode = pl_axisLimited; axes[1].low = axes[1].high = -INFINITY);
	BLAMED("axes[6].high", axes[6].mode = pl_axisLimited; axes[6].low = -2.0; axes[6].high = -1.0);
	BLAMED("axes[7].low", axes[7].mode = pl_axisLimited; axes[7].low = 3.2; axes[7].high = 4.0);
	BLAMED("axes[8].low", axes[8].mode = pl_axisLimited; axes[8].low = 1.6; axes[8].high = 2.0);
}

TEST(what_cannot_be_held_is_refused)
{
	FINE(axes[7].mode = pl_axisLocked; axes[7].target = 0.1);
	FINE(axes[3].mode = pl_axisLocked; axes[3].target = 100.0);
	BLAMED("axes[6].target", axes[6].mode = pl_axisLocked; axes[6].target = -1.0);
	BLAMED("axes[7].target", axes[7].mode = pl_axisLocked; axes[7].target = -0.1);
	BLAMED("axes[7].target", axes[7].mode = pl_axisLocked);
	BLAMED("axes[7].target", axes[7].mode = pl_axisLocked; axes[7].target = 3.15);
	BLAMED("axes[4].target", axes[4].mode = pl_axisLocked; axes[4].target = -3.15);
	BLAMED("axes[0].motor", axes[0].motor = true);
	BLAMED("axes[0].stiffness", axes[0].stiffness = 1.0);
	BLAMED("axes[0].stiffness", axes[0].damping = 1.0);
	BLAMED("axes", axes[0].mode = pl_axisFree);
	FINE(axes[0].mode = pl_axisFree; axes[0].damping = 1.0);
	FINE(axes[0].mode = pl_axisFree; axes[0].motor = true);
}

static void lock(plAxisDef* axis, double target)
{
	axis->mode = pl_axisLocked;
	axis->target = target;
}

TEST(axes_that_are_held_in_two_places_are_refused)
{
	FINE(lock(axes, 3.0); lock(axes + 1, 4.0); lock(axes + 2, 0.0); lock(axes + 6, 5.0));
	FINE(lock(axes, 3.0); lock(axes + 1, 4.0); lock(axes + 6, 9.0)); // z may give way
	BLAMED("axes[6].target", lock(axes, 3.0); lock(axes + 1, 4.0); lock(axes + 2, 0.0); lock(axes + 6, 5.1));
	BLAMED("axes[6].low", lock(axes + 1, 0.0); lock(axes + 2, 0.0); axes[6].mode = pl_axisLimited; axes[6].low = 1.0;
	       axes[6].high = 2.0);
	BLAMED("axes[7].high", lock(axes + 4, 0.3); lock(axes + 5, 0.4); axes[7].mode = pl_axisLimited; axes[7].high = 0.4);
}

// ---- presets --------------------------------------------------------------------------------------------------------

static plWorld* world;
static plBodyId a, b;

// Two boxes that stand askew, the first with its centre of mass off its frame.
static void makeBoxes(void)
{
	plWorldDef wd = plDefaultWorldDef();
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plShapeDef second = plDefaultShapeDef();
	world = plCreateWorld(&wd, &error);
	CHECK(world != NULL);
	body.position = (plVec3){0.3, -0.2, 0.9};
	body.rotation = plQuat_FromAxisAngle((plVec3){0.6, 0.0, 0.8}, 1.1);
	a = addBox(world, &body, (plVec3){1, 2, 3}, 100.0);
	second.local.translation.y = 3.0;
	second.density = 500.0;
	CHECK(PL_IS_NON_NULL(plCreateShape(world, a, &second, &error)));
	body.position = (plVec3){-1.0, 4.0, 2.0};
	body.rotation = plQuat_FromAxisAngle((plVec3){0.0, -0.8, 0.6}, 2.7);
	b = addBox(world, &body, (plVec3){1, 1, 1}, 100.0);
	CHECK(PL_IS_NON_NULL(a) && PL_IS_NON_NULL(b));
}

typedef struct Frame
{
	double at[3], x[3], y[3], z[3];
} Frame;

static Frame toWorld(plBodyId body, plTransform local)
{
	plTransform pose = PL_IS_NULL(body) ? plTransform_identity : plBody_GetPose(world, body);
	const double none3[3] = {0, 0, 0}, axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	Frame frame;
	double* to[3] = {frame.x, frame.y, frame.z};
	plTransform_Apply(&local, none3, frame.at);
	plTransform_Apply(&pose, frame.at, frame.at);
	for (int i = 0; i < 3; ++i)
	{
		plQuat_Rotate(local.rotation, axes[i], to[i]);
		plQuat_Rotate(pose.rotation, to[i], to[i]);
	}
	return frame;
}

static double offBy(const double p[3], plVec3 q)
{
	return apartBy((plVec3){p[0], p[1], p[2]}, q);
}

// Locked are these, ending with -1, and no others; both frames are at the same place with the same axes.
static void checkPreset(const plJointDef* def, plVec3 at, const int* locked)
{
	Frame first = toWorld(def->a, def->frameA), second = toWorld(def->b, def->frameB);
	double worst = 0.0;
	for (int i = 0; i < 3; ++i)
		worst = fmax(worst, fmax(fmax(fabs(first.x[i] - second.x[i]), fabs(first.y[i] - second.y[i])),
		                         fabs(first.z[i] - second.z[i])));
	CHECK_NEAR(worst, 0.0, 1e-14);
	CHECK_NEAR(offBy(first.at, at), 0.0, 1e-14);
	CHECK_NEAR(offBy(second.at, at), 0.0, 1e-14);
	for (int i = 0; i < pl_jointAxisCount; ++i)
	{
		bool wanted = *locked == i;
		locked += wanted;
		CHECK((def->axes[i].mode == pl_axisLocked) == wanted);
		CHECK(def->axes[i].target == 0.0 && def->axes[i].most == INFINITY && !def->axes[i].motor);
	}
	CHECK(plJointDef_Check(def, &error) == pl_success);
	CHECK(memcmp(&def->a, &a, sizeof a) == 0 && def->breakForce == INFINITY && !def->collide);
}

static const plVec3 place = {0.7, 1.9, -3.0};

TEST(presets_lock_what_they_say_where_they_say)
{
	makeBoxes();
	const plVec3 axis = {2.0, -1.0, 2.0};
	const plBodyId others[2] = {b, {0, 0}};
	for (int i = 0; i < 2; ++i)
	{
		WITH("%s", i == 0 ? "another body" : "the world");
		plJointDef ball = plMakeBallJoint(world, a, others[i], place);
		plJointDef fixed = plMakeFixedJoint(world, a, others[i], place);
		plJointDef hinge = plMakeHingeJoint(world, a, others[i], place, axis);
		plJointDef slider = plMakeSliderJoint(world, a, others[i], place, axis);
		checkPreset(&ball, place, (int[]){0, 1, 2, -1});
		checkPreset(&fixed, place, (int[]){0, 1, 2, 3, 4, 5, -1});
		checkPreset(&hinge, place, (int[]){0, 1, 2, 4, 5, -1});
		checkPreset(&slider, place, (int[]){1, 2, 3, 4, 5, -1});
		CHECK_NEAR(offBy(toWorld(a, hinge.frameA).x, (plVec3){2.0 / 3, -1.0 / 3, 2.0 / 3}), 0.0, 1e-14);
		CHECK_NEAR(offBy(toWorld(a, slider.frameA).x, (plVec3){2.0 / 3, -1.0 / 3, 2.0 / 3}), 0.0, 1e-14);
	}
	plDestroyWorld(world);
}

TEST(axes_of_any_length_and_direction_make_a_frame)
{
	makeBoxes();
	for (int i = 0; i < 27; ++i)
	{
		plVec3 axis = {i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0};
		if (lengthOf(axis) == 0.0)
			continue;
		WITH("axis %g %g %g", axis.x, axis.y, axis.z);
		for (double size = 1e-300; size < 1e301; size *= 1e150)
		{
			plVec3 long_ = {size * axis.x, size * axis.y, size * axis.z};
			plJointDef hinge = plMakeHingeJoint(world, a, b, place, long_);
			Frame frame = toWorld(a, hinge.frameA);
			double y[3], length = lengthOf(axis);
			CHECK_NEAR(offBy(frame.x, (plVec3){axis.x / length, axis.y / length, axis.z / length}), 0.0, 1e-14);
			plCross3(frame.z, frame.x, y);
			CHECK_NEAR(offBy(frame.y, (plVec3){y[0], y[1], y[2]}), 0.0, 1e-14);
			CHECK(plJointDef_Check(&hinge, &error) == pl_success);
		}
	}
	plDestroyWorld(world);
}

TEST(two_axes_are_made_perpendicular_by_turning_the_second)
{
	makeBoxes();
	plJointDef cross = plMakeUniversalJoint(world, a, b, place, (plVec3){0, 0, 3}, (plVec3){0, 1, 1});
	checkPreset(&cross, place, (int[]){0, 1, 2, 8, -1});
	CHECK_NEAR(offBy(toWorld(a, cross.frameA).y, (plVec3){0, 0, 1}), 0.0, 1e-14);
	CHECK_NEAR(offBy(toWorld(b, cross.frameB).z, (plVec3){0, 1, 0}), 0.0, 1e-14);
	plJointDef wheel = plMakeWheelJoint(world, a, b, place, (plVec3){0, 0, 2}, (plVec3){0, 1, 1e-3}, 500.0, 7.0);
	checkPreset(&wheel, place, (int[]){0, 1, 4, 5, -1});
	CHECK_NEAR(offBy(toWorld(a, wheel.frameA).x, (plVec3){0, 0, 1}), 0.0, 1e-14);
	CHECK_NEAR(offBy(toWorld(a, wheel.frameA).z, (plVec3){0, 1, 0}), 0.0, 1e-14);
	CHECK(wheel.axes[pl_jointZ].stiffness == 500.0 && wheel.axes[pl_jointZ].damping == 7.0);
	wheel = plMakeWheelJoint(world, a, b, place, (plVec3){0, 0, 1}, (plVec3){0, 1e-8, 1}, 1.0, 0.0); // nearly parallel
	CHECK_NEAR(offBy(toWorld(a, wheel.frameA).x, (plVec3){0, 0, 1}), 0.0, 1e-14);
	CHECK_NEAR(offBy(toWorld(a, wheel.frameA).z, (plVec3){0, 1, 0}), 0.0, 1e-14);
	plDestroyWorld(world);
}

TEST(cone_twist_has_limits_and_lines_keep_the_distance)
{
	makeBoxes();
	plJointDef hip = plMakeConeTwistJoint(world, a, b, place, (plVec3){0, -1, 0}, 0.5, 0.25);
	const plAxisDef *cone = &hip.axes[pl_jointCone], *twist = &hip.axes[pl_jointTwist];
	checkPreset(&hip, place, (int[]){0, 1, 2, -1});
	CHECK(cone->mode == pl_axisLimited && cone->low == 0.0 && cone->high == 0.5);
	CHECK(twist->mode == pl_axisLimited && twist->low == -0.25 && twist->high == 0.25);
	const plVec3 end = {place.x + 3.0, place.y, place.z - 4.0};
	plJointDef lines[3] = {plMakeDistanceJoint(world, a, b, place, end), plMakeRopeJoint(world, a, b, place, end),
	                       plMakeSpringJoint(world, a, b, place, end, 90.0, 2.0)};
	const plAxisMode modes[3] = {pl_axisLocked, pl_axisLimited, pl_axisFree};
	for (int i = 0; i < 3; ++i)
	{
		const plAxisDef* length = &lines[i].axes[pl_jointLength];
		CHECK(plJointDef_Check(&lines[i], &error) == pl_success);
		CHECK_NEAR(offBy(toWorld(a, lines[i].frameA).at, place), 0.0, 1e-14);
		CHECK_NEAR(offBy(toWorld(b, lines[i].frameB).at, end), 0.0, 1e-14);
		CHECK(length->mode == modes[i] && length->target == 5.0 && length->low == 0.0 && length->high == 5.0);
		CHECK(length->stiffness == (i == 2 ? 90.0 : 0.0) && length->damping == (i == 2 ? 2.0 : 0.0));
		for (int k = 0; k < pl_jointAxisCount; ++k)
			CHECK(k == pl_jointLength || lines[i].axes[k].mode == pl_axisFree);
	}
	plDestroyWorld(world);
}

static int refusals;

static bool note(const char* condition, const char* words, const char* file, int line)
{
	(void)condition, (void)words, (void)file, (void)line;
	++refusals;
	return true;
}

TEST(an_axis_without_a_direction_breaks_the_contract_and_makes_a_def_that_is_refused)
{
	makeBoxes();
	plSetAssertHandler(note);
	plJointDef hinge = plMakeHingeJoint(world, a, b, place, none);
	CHECK(refusals == 1 && blames(&hinge, "frameA.rotation"));
	plJointDef wheel = plMakeWheelJoint(world, a, b, place, (plVec3){0, 1, 0}, (plVec3){0, 2, 0}, 1.0, 0.0);
	CHECK(refusals == 2 && blames(&wheel, "frameA.rotation"));
	plSetAssertHandler(NULL);
	plDestroyWorld(world);
}

TEST(axes_have_names)
{
	CHECK(strcmp(plJointAxis_GetName(pl_jointX), "x") == 0);
	CHECK(strcmp(plJointAxis_GetName(pl_jointSwingZ), "swing_z") == 0);
	CHECK(strcmp(plJointAxis_GetName(pl_jointCross), "cross") == 0);
	CHECK(plJointAxis_GetName(pl_jointAxisCount) == NULL && plJointAxis_GetName((plJointAxis)-1) == NULL);
}
