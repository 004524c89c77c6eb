// scene_joint_test.c: joints of a scene: what is read, whom they join and where, what is refused and where
#include "scene_bar.h"

#include <math.h>

#define PI 3.14159265358979323846
#define BOX "\"type\": \"rigid\", \"density\": 100, \"shape\": { \"box\": [1, 1, 1] }"
#define ROW(name, at, count, spacing)                                                                                  \
	"{ \"name\": \"" name "\", \"array\": { \"of\": { " BOX ", \"at\": " at " }, \"count\": " count                    \
	", \"spacing\": " spacing " } }"
#define BODIES                                                                                                         \
	"{ \"name\": \"post\", \"type\": \"rigid\", \"motion\": \"static\", \"shape\": { \"box\": [1, 1, 1] } }, "         \
	"{ \"name\": \"wall\", \"type\": \"rigid\", \"motion\": \"static\", \"shape\": { \"box\": [1, 1, 1] } }, "         \
	"{ \"name\": \"crate\", " BOX ", \"at\": [0, 3, 0] }, { \"name\": \"ball\", " BOX                                  \
	", \"at\": [4, 3, 0] }, " ROW("arms", "[0, 9, 0]", "[3, 1, 1]", "[2, 0, 0]") ", " ROW(                             \
	    "hands", "[0, 9, 1.5]", "[3, 1, 1]", "[2, 0, 0]") ", " ROW("net", "[0, 20, 0]", "[4, 1, 2]",                   \
	                                                               "[2, 0, 5]") ", " ROW("mast", "[0, 30, 0]",         \
	                                                                                     "[1, 4, 1]", "[0, 1.5, 0]")
#define SOFT                                                                                                           \
	"{ \"name\": \"jelly\", \"type\": \"soft\", " MESH ", \"density\": 1000, " MATERIAL                                \
	" }, { \"name\": \"flag\", \"type\": \"cloth\", \"mesh\": { \"cloth\": [1, 1], \"cells\": [2, 2] }, \"density\": " \
	"0.2 }"
// Joints start on line 5.
#define JOINTS(joints) BODY_SCENE(BODIES, ",\n\"joints\": [\n" joints " ] ")
#define JOINT(keys) JOINTS("{ " keys " }")

static plWorld* world;

static bool make(const char* text)
{
	plDestroyWorld(world);
	world = readText(text) != NULL ? plScene_CreateWorld(scene, NULL, NULL, problems) : NULL;
	if (world == NULL)
		showProblems();
	return world != NULL;
}

AFTER_ALL(the_world_is_destroyed)
{
	plDestroyWorld(world);
}

static plJointId find(const char* name)
{
	return plWorld_FindJoint(world, name);
}

static plAxisDef axisOf(const char* name, plJointAxis axis)
{
	return plJoint_GetAxis(world, find(name), axis);
}

// One letter per axis: . free, # locked, = limited
static bool isHeld(const char* name, const char* modes)
{
	char found[pl_jointAxisCount + 1] = "";
	if (PL_IS_NULL(find(name)))
		return false;
	for (int i = 0; i < pl_jointAxisCount; ++i)
		found[i] = ".#="[axisOf(name, (plJointAxis)i).mode];
	if (strcmp(found, modes) != 0)
		fprintf(stderr, "    %s is %s\n", name, found);
	return strcmp(found, modes) == 0;
}

static double value(const char* name, plJointAxis axis)
{
	return plJoint_GetValue(world, find(name), axis);
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-12;
}

// ---- types ----------------------------------------------------------------------------------------------------------

TEST(every_type_holds_what_it_says)
{
	CHECK(make(JOINTS(
	    "{ \"name\": \"1\", \"type\": \"ball\", \"a\": \"crate\", \"at\": [1, 3, 0] },"
	    "{ \"name\": \"2\", \"type\": \"fixed\", \"a\": \"crate\", \"b\": \"world\", \"at\": [1, 3, 0] },"
	    "{ \"name\": \"3\", \"type\": \"hinge\", \"a\": \"crate\", \"b\": \"ball\", \"at\": [1, 3, 0], \"axis\": [0, "
	    "2, "
	    "0] },"
	    "{ \"name\": \"4\", \"type\": \"slider\", \"a\": \"crate\", \"b\": \"post\", \"at\": [1, 3, 0], \"axis\": [0, "
	    "2, 0] },"
	    "{ \"name\": \"5\", \"type\": \"universal\", \"a\": \"crate\", \"b\": \"ball\", \"at\": [1, 3, 0], \"axis\": "
	    "[0, 1, 0], \"axis_b\": [0, 1, 1] },"
	    "{ \"name\": \"6\", \"type\": \"cone-twist\", \"a\": \"crate\", \"b\": \"ball\", \"at\": [1, 3, 0], \"axis\": "
	    "[1, 0, 0], \"cone\": 90, \"twist\": 45 },"
	    "{ \"name\": \"7\", \"type\": \"wheel\", \"a\": \"crate\", \"b\": \"ball\", \"at\": [1, 3, 0], \"axis\": [1, "
	    "0, 0], \"up\": [0, 1, 0], \"stiffness\": 40 },"
	    "{ \"name\": \"8\", \"type\": \"distance\", \"a\": \"crate\", \"b\": \"ball\" },"
	    "{ \"name\": \"9\", \"type\": \"rope\", \"a\": \"crate\", \"b\": \"ball\", \"at_b\": [4, 0, 0] },"
	    "{ \"name\": \"10\", \"type\": \"spring\", \"a\": \"crate\", \"at_b\": [0, 5, 0], \"stiffness\": 7 },"
	    "{ \"name\": \"11\", \"type\": \"six\", \"a\": \"crate\", \"at\": [1, 3, 0], \"axes\": { \"y\": \"locked\" } "
	    "}")));
	const char* const modes[] = {"###......", "######...", "###.##...", ".#####...", "###.....#", "###=...=.",
	                             "##..##...", "......#..", "......=..", ".........", ".#......."};
	for (int i = 0; i < 11; ++i)
	{
		char name[8];
		snprintf(name, sizeof name, "%d", i + 1);
		WITH("joint %s", name);
		CHECK(isHeld(name, modes[i]));
		CHECK(plJoint_GetError(world, find(name)) < 1e-12 && plJoint_GetAngleError(world, find(name)) < 1e-12);
	}
	CHECK(near(axisOf("6", pl_jointCone).high, PI / 2) && near(axisOf("6", pl_jointTwist).low, -PI / 4));
	CHECK(axisOf("7", pl_jointZ).stiffness == 40.0 && axisOf("10", pl_jointLength).stiffness == 7.0);
	CHECK(near(axisOf("8", pl_jointLength).target, 4.0) && near(axisOf("9", pl_jointLength).high, 5.0));
	CHECK(near(axisOf("10", pl_jointLength).target, 2.0) && axisOf("10", pl_jointLength).most == INFINITY);
}

TEST(keys_of_an_axis_are_those_of_the_type)
{
	CHECK(make(JOINTS(
	    "{ \"name\": \"door\", \"type\": \"hinge\", \"a\": \"post\", \"b\": \"crate\", \"at\": [0, 3, 0], \"axis\": "
	    "[0, "
	    "1, 0], \"limits\": [-90, null], \"target\": 30, \"stiffness\": 5, \"damping\": 2, \"motor\": { \"speed\": -3, "
	    "\"most\": 8 } },"
	    "{ \"name\": \"lift\", \"type\": \"slider\", \"a\": \"post\", \"b\": \"ball\", \"at\": [0, 3, 0], \"axis\": "
	    "[0, "
	    "1, 0], \"limits\": [null, 2], \"target\": 0.5, \"stiffness\": 5, \"most\": 9 },"
	    "{ \"name\": \"rear\", \"type\": \"wheel\", \"a\": \"crate\", \"b\": \"ball\", \"at\": [4, 3, 0], \"axis\": "
	    "[0, "
	    "0, 1], \"up\": [0, 1, 0], \"stiffness\": 50, \"damping\": 3, \"limits\": [-0.1, 0.2], \"most\": 70, "
	    "\"motor\": { \"speed\": 6, \"most\": 4 } },"
	    "{ \"name\": \"bungee\", \"type\": \"spring\", \"a\": \"crate\", \"b\": \"ball\", \"stiffness\": 5, "
	    "\"damping\": 2, \"most\": 90, \"length\": 1.5, \"break_force\": 10, \"break_torque\": 20, \"collide\": true "
	    "}")));
	plAxisDef turn = axisOf("door", pl_jointTwist), way = axisOf("lift", pl_jointX), ride = axisOf("rear", pl_jointZ),
	          spin = axisOf("rear", pl_jointTwist), line = axisOf("bungee", pl_jointLength);
	CHECK(turn.mode == pl_axisLimited && near(turn.low, -PI / 2) && turn.high == INFINITY);
	CHECK(near(turn.target, PI / 6) && turn.stiffness == 5.0 && turn.damping == 2.0);
	CHECK(turn.motor && turn.speed == -3.0 && turn.most == 8.0);
	CHECK(way.mode == pl_axisLimited && way.low == -INFINITY && way.high == 2.0);
	CHECK(way.target == 0.5 && way.stiffness == 5.0 && way.most == 9.0 && !way.motor);
	CHECK(ride.mode == pl_axisLimited && ride.low == -0.1 && ride.high == 0.2 && ride.damping == 3.0);
	CHECK(ride.stiffness == 50.0 && ride.most == 70.0 && !ride.motor);
	CHECK(spin.mode == pl_axisFree && spin.motor && spin.speed == 6.0 && spin.most == 4.0 && spin.stiffness == 0.0);
	CHECK(line.mode == pl_axisFree && line.target == 1.5 && line.most == 90.0 && line.damping == 2.0);
	CHECK(isHeld("door", "###=##...") && isHeld("lift", "=#####...") && isHeld("rear", "##=.##..."));
}

TEST(axes_take_the_place_of_those_of_the_type)
{
	CHECK(make(JOINTS(
	    "{ \"name\": \"door\", \"type\": \"hinge\", \"a\": \"post\", \"b\": \"crate\", \"at\": [0, 3, 0], \"axis\": "
	    "[0, "
	    "1, 0], \"axes\": { \"x\": { \"stiffness\": 900 }, \"swing_y\": \"free\", \"twist\": { \"motor\": { \"speed\": "
	    "1 }, \"most\": 3 }, \"swing_z\": { \"limits\": [-10, 10] }, \"y\": { \"mode\": \"locked\", \"target\": 0.25 } "
	    "} "
	    "}")));
	CHECK(isHeld("door", ".##..=..."));
	CHECK(axisOf("door", pl_jointX).stiffness == 900.0 && axisOf("door", pl_jointY).target == 0.25);
	CHECK(axisOf("door", pl_jointTwist).motor && axisOf("door", pl_jointTwist).most == 3.0);
	CHECK(near(axisOf("door", pl_jointSwingZ).high, PI / 18));
}

TEST(six_has_the_axes_that_it_says)
{
	CHECK(make(JOINTS("{ \"name\": \"w\", \"type\": \"six\", \"a\": \"crate\", \"at\": [0, 3, 0], \"axes\": { \"x\": "
	                  "\"locked\" } },"
	                  "{ \"name\": \"x\", \"type\": \"six\", \"a\": \"crate\", \"at\": [0, 3, 0], \"axis\": [0, 1, 0], "
	                  "\"axes\": { \"x\": \"locked\" } },"
	                  "{ \"name\": \"z\", \"type\": \"six\", \"a\": \"crate\", \"at\": [0, 3, 0], \"axis\": [0, 1, 0], "
	                  "\"up\": [1, 5, 0], \"axes\": { \"x\": \"locked\" } }")));
	plBodyId crate = plScene_GetBody(scene, 2).id;
	plTransform pose = plBody_GetPose(world, crate);
	plError error = {0};
	pose.translation = (plVec3){1.0, 5.0, 0.5}; // the world, seen from a, goes the other way
	CHECK(plBody_SetPose(world, crate, pose, &error) >= 0);
	CHECK(near(value("w", pl_jointX), -1.0) && near(value("w", pl_jointY), -2.0) && near(value("w", pl_jointZ), -0.5));
	CHECK(near(value("x", pl_jointX), -2.0));
	CHECK(near(value("z", pl_jointX), -2.0) && near(value("z", pl_jointZ), -1.0) && near(value("z", pl_jointY), -0.5));
}

// ---- arrays ---------------------------------------------------------------------------------------------------------

TEST(an_array_stands_for_each_of_its_bodies)
{
	CHECK(make(
	    JOINTS("{ \"name\": \"wrist\", \"type\": \"ball\", \"a\": \"arms\", \"b\": \"hands\", \"at\": [0, 9, 0.75] "
	           "},"
	           "{ \"name\": \"hook\", \"type\": \"rope\", \"a\": \"arms\", \"at_b\": [0, 12, 0] },"
	           "{ \"name\": \"lead\", \"type\": \"distance\", \"a\": \"crate\", \"b\": \"hands\" },"
	           "{ \"name\": \"one\", \"type\": \"ball\", \"a\": \"arms[2]\", \"b\": \"hands[0]\", \"at\": [3, 9, "
	           "0] }")));
	for (int i = 0; i < 3; ++i)
	{
		char wrist[16], hook[16], lead[16];
		snprintf(wrist, sizeof wrist, "wrist[%d]", i);
		snprintf(hook, sizeof hook, "hook[%d]", i);
		snprintf(lead, sizeof lead, "lead[%d]", i);
		CHECK(isHeld(wrist, "###......") && plJoint_GetError(world, find(wrist)) < 1e-12);
		CHECK(isHeld(hook, "......=..") && near(value(hook, pl_jointLength), 3.0)); // its end in the world moves along
		CHECK(near(value(lead, pl_jointLength), sqrt(4.0 * i * i + 36.0 + 2.25)));  // and that of a body alone stays
	}
	CHECK(PL_IS_NULL(find("wrist")) && PL_IS_NULL(find("wrist[3]")) && PL_IS_NON_NULL(find("one")));
	// wrist[1] is between the second ones: where they go, it goes
	plTransform pose = plBody_GetPose(world, plScene_GetBody(scene, 5).rigids[1]);
	plError error = {0};
	pose.translation.y += 0.5;
	CHECK(plBody_SetPose(world, plScene_GetBody(scene, 5).rigids[1], pose, &error) >= 0);
	CHECK(near(value("wrist[1]", pl_jointY), 0.5) && near(value("wrist[0]", pl_jointY), 0.0));
}

TEST(a_chain_joins_neighbours_of_a_row_halfway)
{
	CHECK(make(JOINTS("{ \"name\": \"mesh\", \"type\": \"ball\", \"chain\": \"net\" }, { \"name\": \"mast\", \"type\": "
	                  "\"hinge\", \"chain\": \"mast\", \"axis\": [1, 0, 0], \"limits\": [-5, 5] },"
	                  "{ \"name\": \"cord\", \"type\": \"distance\", \"chain\": \"mast\" }")));
	for (int i = 0; i < 9; ++i)
	{
		char name[16];
		snprintf(name, sizeof name, "mesh[%d]", i);
		WITH("%s", name);
		bool there = i != 3 && i < 7; // two rows of four
		CHECK(PL_IS_NON_NULL(find(name)) == there);
		CHECK(!there || plJoint_GetError(world, find(name)) < 1e-12);
		if (i == 5) // between the second and the third of the second row: if the third goes up by 1, so does its anchor
		{
			plTransform pose = plBody_GetPose(world, plScene_GetBody(scene, 6).rigids[6]);
			plError error = {0};
			pose.translation.y += 1.0;
			CHECK(plBody_SetPose(world, plScene_GetBody(scene, 6).rigids[6], pose, &error) >= 0);
			CHECK(near(value(name, pl_jointY), 1.0) && near(value("mesh[6]", pl_jointY), -1.0));
			pose.translation.y -= 1.0;
			CHECK(plBody_SetPose(world, plScene_GetBody(scene, 6).rigids[6], pose, &error) >= 0);
		}
	}
	CHECK(isHeld("mast[0]", "###=##...") && isHeld("mast[2]", "###=##...") && PL_IS_NULL(find("mast[3]")));
	CHECK(near(value("cord[1]", pl_jointLength), 1.5) && near(axisOf("cord[1]", pl_jointLength).target, 1.5));
}

// ---- a step ---------------------------------------------------------------------------------------------------------

TEST(a_jointed_scene_steps_and_its_forces_have_names)
{
	CHECK(make(JOINT("\"name\": \"hook\", \"type\": \"ball\", \"a\": \"crate\", \"at\": [0, 3.5, 0]")));
	plStepReport report;
	plError error = {0};
	for (int i = 0; i < 60; ++i)
		CHECK(plWorld_Step(world, &report, &error) >= 0);
	plVec3 p = plBody_GetPose(world, plScene_GetBody(scene, 2).id).translation;
	CHECK(fabs(p.x) < 1e-6 && fabs(p.y - 3.0) < 1e-3 && fabs(p.z) < 1e-6);
	CHECK(fabs(plJoint_GetForce(world, find("hook")).y + 981.0) < 1.0); // on b, the world
}

TEST(the_command_line_reaches_joints_by_name)
{
	plSceneOptions options = plDefaultSceneOptions();
	const char* sets[] = {"joints.door.limits=[-10, 20]", "joints.0.motor.speed=4"};
	options.sets = sets;
	options.setCount = 2;
	CHECK_READ(
	    readWith(JOINT("\"name\": \"door\", \"type\": \"hinge\", \"a\": \"post\", \"b\": \"crate\", \"at\": [0, 3, "
	                   "0], \"axis\": [0, 1, 0]"),
	             &options));
	plDestroyWorld(world);
	world = plScene_CreateWorld(scene, NULL, NULL, problems);
	CHECK(world != NULL && near(axisOf("door", pl_jointTwist).high, PI / 9));
	CHECK(axisOf("door", pl_jointTwist).speed == 4.0);
	sets[0] = "joints.door.limits=[20, -10]";
	CHECK(
	    readWith(JOINT("\"name\": \"door\", \"type\": \"hinge\", \"a\": \"post\", \"b\": \"crate\", \"at\": [0, 3, 0], "
	                   "\"axis\": [0, 1, 0]"),
	             &options) == NULL);
	checkOneProblem("--set joints.door.limits=[20, -10]: the limits are 20 and -10");
}

// ---- refused --------------------------------------------------------------------------------------------------------

TEST(whom_it_joins_is_checked)
{
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": \"crat\", \"at\": [0, 0, 0]"),
	             ":5:24: unknown body \"crat\"; did you mean \"crate\"?"));
	CALL(refused(JOINT("\"type\": \"ball\", \"at\": [0, 0, 0]"), ":5:1: missing key \"a\""));
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": 3, \"at\": [0, 0, 0]"), ":5:24: expected the name of a rigid body"));
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": \"crate\", \"b\": \"crate\", \"at\": [0, 0, 0]"),
	             ":5:38: \"a\" and \"b\" are the same body"));
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": \"arms\", \"b\": \"arms\", \"at\": [0, 0, 0]"), "\"chain\" joins"));
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": \"arms[1]\", \"b\": \"arms\", \"at\": [0, 0, 0]"), "the same body"));
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": \"arms[1]\", \"b\": \"arms[1]\", \"at\": [0, 0, 0]"),
	             "the same body"));
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": \"arms\", \"b\": \"net\", \"at\": [0, 0, 0]"),
	             ":5:37: \"a\" has 3 bodies and \"b\" has 8; name one of them, as \"net[0]\""));
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": \"post\", \"b\": \"wall\", \"at\": [0, 0, 0]"),
	             ":5:24: neither \"a\" nor \"b\" is dynamic"));
	CALL(
	    refused(JOINT("\"type\": \"ball\", \"a\": \"post\", \"at\": [0, 0, 0]"), "neither \"a\" nor \"b\" is dynamic"));
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": \"world\", \"b\": \"crate\", \"at\": [0, 0, 0]"),
	             ":5:24: \"a\" is a rigid body; the world can be \"b\""));
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": \"arms[3]\", \"at\": [0, 0, 0]"),
	             "\"arms\" has 3 bodies: the last one is \"arms[2]\""));
	CALL(
	    refused(JOINT("\"type\": \"ball\", \"a\": \"arms[99999999999999999999]\", \"at\": [0, 0, 0]"), "has 3 bodies"));
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": \"crate[1]\", \"at\": [0, 0, 0]"), "\"crate\" has 1 body"));
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": \"arms[-1]\", \"at\": [0, 0, 0]"), "unknown body \"arms[-1]\""));
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": \"arms[1]x\", \"at\": [0, 0, 0]"), "unknown body"));
	CALL(refused(BODY_SCENE(SOFT, ",\n\"joints\": [ { \"type\": \"ball\", \"a\": \"jelly\", \"at\": [0, 0, 0] } ]"),
	             ":4:36: body \"jelly\" is soft; joints join rigid bodies"));
	CALL(refused(BODY_SCENE(SOFT, ",\n\"joints\": [ { \"type\": \"ball\", \"a\": \"flag\", \"at\": [0, 0, 0] } ]"),
	             "body \"flag\" is cloth"));
}

TEST(chains_are_checked)
{
	CALL(refused(JOINT("\"type\": \"ball\", \"chain\": \"net\", \"a\": \"crate\""),
	             ":5:35: \"a\" does not go with \"chain\""));
	CALL(refused(JOINT("\"type\": \"ball\", \"chain\": \"net\", \"at\": [0, 0, 0]"), "\"at\" does not go with"));
	CALL(refused(JOINT("\"type\": \"ball\", \"chain\": \"crate\""), ":5:28: \"crate\" has no row of bodies"));
	CALL(refused(JOINT("\"type\": \"ball\", \"chain\": \"net[1]\""), ":5:28: a chain is made of a whole array"));
	CALL(refused(JOINT("\"type\": \"ball\", \"chain\": \"nets\""), "did you mean \"net\"?"));
	CALL(refused(BODY_SCENE("{ \"name\": \"p\", \"pyramid\": { \"of\": { " BOX
	                        " }, \"rows\": 3, \"spacing\": [1, 1] } }",
	                        ",\n\"joints\": [ { \"type\": \"ball\", \"chain\": \"p\" } ]"),
	             "\"p\" has no row of bodies"));
	CALL(refused(BODY_SCENE("{ \"name\": \"s\", \"array\": { \"of\": { \"type\": \"rigid\", \"motion\": \"static\", "
	                        "\"shape\": { \"box\": [1, 1, 1] } }, \"count\": [2, 1, 1], \"spacing\": [1, 1, 1] } }",
	                        ",\n\"joints\": [ { \"type\": \"ball\", \"chain\": \"s\" } ]"),
	             "not dynamic"));
}

#define HINGE(keys) JOINT("\"type\": \"hinge\", \"a\": \"post\", \"b\": \"crate\", \"at\": [0, 3, 0],\n" keys)

TEST(keys_are_checked)
{
	CALL(refused(JOINT("\"a\": \"crate\", \"at\": [0, 0, 0]"), ":5:1: missing key \"type\""));
	CALL(refused(JOINT("\"type\": \"hing\", \"a\": \"crate\", \"at\": [0, 0, 0]"),
	             ":5:11: unknown type of joint \"hing\"; did you mean \"hinge\"?"));
	CALL(refused(JOINTS("3"), ":5:1: expected a joint, which is an object"));
	CALL(refused(BODY_SCENE(BODIES, ",\n\"joints\": {}"), ":4:11: expected a list of joints"));
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"limts\": [0, 1]"), "did you mean \"limits\"?"));
	CALL(refused(HINGE("\"limits\": [0, 1]"), ":5:1: missing key \"axis\""));
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": \"crate\", \"at\": [0, 0, 0], \"axis\": [0, 1, 0]"),
	             ":5:50: \"axis\" does not belong to a joint of type \"ball\""));
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": \"crate\""), ":5:1: missing key \"at\""));
	CALL(refused(JOINT("\"type\": \"rope\", \"a\": \"crate\""), ":5:1: missing key \"at_b\""));
	CALL(refused(JOINT("\"type\": \"spring\", \"a\": \"crate\", \"b\": \"ball\""), "missing key \"stiffness\""));
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": \"crate\", \"at\": [0, 0, 0], \"break_force\": 0"),
	             "\"break_force\" must be above 0"));
	CALL(refused(JOINT("\"type\": \"ball\", \"a\": \"crate\", \"at\": [0, 0, 0], \"collide\": 1"), "true or false"));
	CALL(refused(JOINTS("{ \"name\": \"x\", \"type\": \"ball\", \"a\": \"crate\", \"at\": [0, 0, 0] },\n"
	                    "{ \"name\": \"x\", \"type\": \"ball\", \"a\": \"ball\", \"at\": [0, 0, 0] }"),
	             ":6:11: the name \"x\" is taken by joint 0"));
}

TEST(directions_are_checked)
{
	CALL(refused(HINGE("\"axis\": [0, 0, 0]"), ":6:9: \"axis\" is a direction, and this one has no length"));
	CALL(refused(HINGE("\"axis\": [0, 1]"), ":6:9: expected a list of 3 numbers"));
	CALL(refused(
	    JOINT("\"type\": \"universal\", \"a\": \"crate\", \"at\": [0, 0, 0], \"axis\": [0, 1, 0],\n\"axis_b\": [0, "
	          "-2, 0]"),
	    ":6:11: \"axis_b\" is along \"axis\""));
	CALL(refused(
	    JOINT("\"type\": \"wheel\", \"a\": \"crate\", \"at\": [0, 0, 0], \"axis\": [1, 1, 0], \"stiffness\": 1,\n"
	          "\"up\": [1e-9, 1e-9, 0]"),
	    ":6:7: \"up\" is along \"axis\""));
	CALL(refused(
	    JOINT("\"type\": \"six\", \"a\": \"crate\", \"at\": [0, 0, 0], \"axes\": { \"x\": \"locked\" }, \"up\": "
	          "[1, 0, 0]"),
	    "\"up\" is along \"axis\""));
}

TEST(axes_are_checked)
{
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"limits\": [20, 10]"),
	             ":6:30: the limits are 20 and 10: the first is the lower one"));
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"limits\": [20]"), "a list of 2 numbers"));
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"limits\": [\"a\", 1]"), ":6:31: expected a number or null"));
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"stiffness\": -1"), "\"stiffness\" cannot be below 0"));
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"motor\": 3"), ":6:29: expected an object"));
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"motor\": {}"), ":6:29: missing key \"speed\""));
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"motor\": { \"speed\": 1, \"most\": -1 }"), "cannot be below 0"));
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"most\": 2, \"motor\": { \"speed\": 1, \"most\": 1 }"),
	             ":6:54: \"most\" stands beside \"motor\", too"));
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"limits\": [0, 1], \"axes\": { \"twist\": \"free\" }"),
	             "keys of the joint itself say it of \"twist\" already"));
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"axes\": { \"w\": \"free\" }"), "unknown key \"w\""));
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"axes\": { \"x\": \"limited\" }"), ":6:35: unknown axis \"limited\""));
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"axes\": { \"x\": { \"mode\": \"limited\" } }"), "by its \"limits\""));
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"axes\": { \"x\": { \"mode\": \"free\", \"limits\": [0, 1] } }"),
	             ":6:45: the axis has \"limits\", so it is limited"));
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"axes\": 3"), ":6:28: expected an object"));
}

// What the library has against a def, at the value that it came from
TEST(what_contradicts_is_refused_at_its_place)
{
	CALL(refused(
	    HINGE("\"axis\": [0, 1, 0], \"axes\": { \"x\": { \"mode\": \"locked\",\n\"motor\": { \"speed\": 1 } } }"),
	    ":7:10: joint: x is locked and has a motor"));
	CALL(
	    refused(HINGE("\"axis\": [0, 1, 0], \"axes\": { \"cone\":\n\"locked\" }"), ":7:1: joint: cone is locked at 0"));
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"axes\": { \"length\": { \"mode\": \"locked\", \"target\":\n-1 } }"),
	             ":7:1: joint: length is locked at -1 m; it is never below 0"));
	CALL(refused(HINGE("\"axis\": [0, 1, 0], \"axes\": { \"length\": { \"limits\":\n[1, 2] } }"),
	             ":7:1: joint: x, y, z hold length at 0 m, and it is limited elsewhere"));
	CALL(refused(JOINT("\"type\": \"six\", \"a\": \"crate\", \"at\": [0, 0, 0], \"axes\": {}"),
	             ":5:57: joint: it holds nothing: all of its axes are free"));
	CALL(refused(JOINT("\"type\": \"spring\", \"a\": \"crate\", \"b\": \"ball\", \"stiffness\": 0"),
	             "it holds nothing"));
}

TEST(a_joint_of_a_body_that_could_not_be_read_adds_no_problem)
{
	CALL(refused(
	    BODY_SCENE("{ \"name\": \"a\", \"array\": { \"of\": { " BOX " }, \"count\": [0, 1, 1], \"spacing\": [1, 1, "
	               "1] } }, { \"name\": \"c\", " BOX " }",
	               ",\n\"joints\": [ { \"type\": \"ball\", \"a\": \"a\", \"b\": \"c\", \"at\": [0, 0, 0] }, { "
	               "\"type\": \"ball\", \"chain\": \"a\" }, { \"type\": \"rope\", \"a\": \"a[3]\", \"at_b\": [0, "
	               "0, 0] } ]"),
	    "expected at least 1, found 0"));
}
