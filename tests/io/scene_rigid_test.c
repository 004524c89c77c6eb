// scene_rigid_test.c: rigid bodies of a scene: what is read, where they stand, what is refused and where
#include "scene_bar.h"

#include <math.h>

#define PI 3.14159265358979323846
#define BALL "\"type\": \"rigid\", \"shape\": { \"sphere\": 0.5 }"
#define RIGID(rest) BODY_SCENE("{ " BALL ", \"density\": 100,\n" rest " }", "")
#define SHAPE(shape) BODY_SCENE("{ \"type\": \"rigid\", \"density\": 100,\n\"shape\": " shape " }", "")
#define FIXED(shape) BODY_SCENE("{ \"type\": \"rigid\", \"motion\": \"static\",\n\"shape\": " shape " }", "")
#define ARRAY(rest)                                                                                                    \
	BODY_SCENE(                                                                                                        \
	    "{ \"name\": \"pile\",\n\"array\": { \"of\": { " BALL ", \"mass\": 2, \"at\": [1, 0, 0] }, " rest " } }", "")
#define PYRAMID(rest) BODY_SCENE("{ \"pyramid\": { \"of\": { " BALL ", \"mass\": 2 }, " rest " } }", "")

static plWorld* world;

static bool make(const char* text)
{
	plDestroyWorld(world);
	world = readText(text) != NULL ? plScene_CreateWorld(scene, NULL, NULL, problems) : NULL;
	return world != NULL;
}

AFTER_ALL(the_world_is_destroyed)
{
	plDestroyWorld(world);
}

static plVec3 placeOf(size_t body, size_t member)
{
	return plBody_GetPose(world, plScene_GetBody(scene, body).rigids[member]).translation;
}

static bool isAt(plVec3 p, double x, double y, double z)
{
	return fabs(p.x - x) < 1e-12 && fabs(p.y - y) < 1e-12 && fabs(p.z - z) < 1e-12;
}

TEST(every_key_of_a_body_reaches_the_world)
{
	CHECK(make(RIGID("\"name\": \"ball\", \"at\": [1, 2, 3], \"rotate\": [0, 0, 1, 90], \"velocity\": [4, 5, 6], "
	                 "\"spin\": [0, 0, 7], \"mass\": 8, \"locked\": \"x rz\", \"air\": 0.5, \"motion\": \"dynamic\"")));
	plSceneBodyView view = plScene_GetBody(scene, 0);
	CHECK(view.rigidCount == 1 && view.id.index1 == view.rigids[0].index1 && plBody_IsRigid(world, view.id));
	CHECK(plBody_GetMass(world, view.id) == 8.0 && plBody_GetMotion(world, view.id) == pl_rigidDynamic);
	CHECK(isAt(placeOf(0, 0), 1, 2, 3));
	double x[3] = {1, 0, 0};
	plQuat_Rotate(plBody_GetPose(world, view.id).rotation, x, x);
	CHECK(fabs(x[0]) < 1e-12 && fabs(x[1] - 1) < 1e-12);
	plVec3 v = plBody_GetVelocity(world, view.id), w = plBody_GetSpin(world, view.id);
	CHECK(v.x == 0 && v.y == 5 && v.z == 6); // x is locked, and the turn about z
	CHECK(w.x == 0 && w.y == 0 && w.z == 0);
	plStepReport report;
	plError error = {0};
	CHECK(plWorld_Step(world, &report, &error) >= 0);
	v = plBody_GetVelocity(world, view.id);
	double h = 0.01666667;
	CHECK(fabs(v.y - (5 - 9.81 * h) / (1 + 0.5 * h)) < 1e-12); // air
}

TEST(a_kinematic_body_follows_its_path)
{
	CHECK(make(BODY_SCENE("{ " BALL ", \"motion\": \"kinematic\", \"at\": [0, 1, 0],\n"
	                      "\"path\": { \"translate\": [0.01666667, 0, 0], \"until\": 0.01666667 } }",
	                      "")));
	plStepReport report;
	plError error = {0};
	CHECK(plWorld_Step(world, &report, &error) >= 0);
	CHECK(isAt(placeOf(0, 0), 0.01666667, 1, 0));
}

TEST(every_shape_is_read_and_has_its_mass)
{
	static const char tetObj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
	scratchWrite("tet.obj", tetObj, strlen(tetObj));
	static const struct
	{
		const char* text;
		double volume;
		size_t points; // of the surface
	} shapes[] = {
	    {SHAPE("{ \"box\": [1, 2, 3] }"), 6.0, 8},
	    {SHAPE("{ \"sphere\": 0.5 }"), PI / 6.0, 2 + 23 * 48},
	    {SHAPE("{ \"capsule\": { \"radius\": 0.5, \"length\": 2 } }"), PI * (1.0 / 6.0 + 0.5), 2 + 24 * 48},
	    {SHAPE("{ \"cylinder\": { \"radius\": 0.5, \"length\": 2 } }"), PI * 0.5, 96},
	    {SHAPE("{ \"hull\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]] }"), 1.0 / 6.0, 4},
	    {SHAPE("{ \"hull\": \"tet.obj\" }"), 1.0 / 6.0, 4},
	    {SHAPE("{ \"hull\": { \"box\": [1, 1, 1], \"cells\": [2, 2, 2] } }"), 1.0, 8},
	    {SHAPE("[{ \"box\": [1, 1, 1] }, { \"sphere\": 0.5, \"at\": [2, 0, 0], \"rotate\": [1, 0, 0, 30] }]"),
	     1.0 + PI / 6.0, 8 + 2 + 23 * 48},
	};
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
	{
		if (!make(shapes[i].text))
			showProblems();
		CHECK(world != NULL);
		plSceneBodyView view = plScene_GetBody(scene, 0);
		plMeshView mesh = plMesh_GetView(view.mesh);
		if (!(fabs(plBody_GetMass(world, view.id) - 100.0 * shapes[i].volume) < 1e-9 * 100.0) ||
		    mesh.vertexCount != shapes[i].points || mesh.tetCount != 0)
			FAIL_("%s: %.17g kg, %zu points", shapes[i].text, plBody_GetMass(world, view.id), mesh.vertexCount);
		double volume = 0.0; // of the surface: closed and outward
		for (size_t t = 0; t < mesh.surfaceCount; ++t)
		{
			const double *a = mesh.vertices + 3 * mesh.surface[3 * t], *b = mesh.vertices + 3 * mesh.surface[3 * t + 1],
			             *c = mesh.vertices + 3 * mesh.surface[3 * t + 2];
			volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
			           a[2] * (b[0] * c[1] - b[1] * c[0])) /
			          6.0;
		}
		if (!(fabs(volume / shapes[i].volume - 1.0) < 0.01))
			FAIL_("%s: the surface encloses %g m^3, not %g", shapes[i].text, volume, shapes[i].volume);
	}
	CHECK(make(FIXED("{ \"mesh\": \"tet.obj\" }")) && plMesh_GetView(plScene_GetBody(scene, 0).mesh).surfaceCount == 4);
	CHECK(!isfinite(plBody_GetMass(world, plScene_GetBody(scene, 0).id)));
}

TEST(planes_have_no_surface_and_are_drawn_where_they_are)
{
	CHECK(
	    make(BODY_SCENE("{ \"type\": \"rigid\", \"motion\": \"static\", \"at\": [0, 1, 0], \"rotate\": [0, 0, 1, 90],\n"
	                    "\"shape\": { \"plane\": { \"normal\": [2, 0, 0], \"offset\": 3 } } }",
	                    "")));
	CHECK(plScene_GetBody(scene, 0).mesh == NULL);
	plSceneView view = plScene_GetView(scene);
	CHECK(view.planeCount == 1 && view.colliderCount == 0);
	plVec3 n = view.planes[0].normal;
	CHECK(isAt(n, 0, 1, 0) && fabs(view.planes[0].offset - 4.0) < 1e-12);
	plScene* again = plReadColliders(scratchPath("s.json"), problems);
	CHECK(again != NULL && plScene_GetView(again).planeCount == 1);
	CHECK(fabs(plScene_GetView(again).planes[0].offset - 4.0) < 1e-12);
	plDestroyScene(again);
}

TEST(a_ball_comes_to_rest_on_every_kind_of_plane)
{
	static const char* const normals[] = {"[0, 1, 0]", "[0, 5, 0]", "[0, 1, 1e-9]"};
	for (int i = 0; i < 3; ++i)
	{
		char text[1024];
		snprintf(text, sizeof text,
		         BODY_SCENE(
		             "{ \"type\": \"rigid\", \"motion\": \"static\", \"shape\": { \"plane\": { \"normal\": %s } } },\n"
		             "{ " BALL ", \"density\": 100, \"at\": [0, 0.51, 0] }",
		             ""),
		         normals[i]);
		CHECK(make(text));
		plStepReport report;
		plError error = {0};
		for (int k = 0; k < 60; ++k)
			CHECK(plWorld_Step(world, &report, &error) >= 0);
		CHECK(fabs(placeOf(1, 0).y - 0.5) < 0.005);
	}
}

TEST(what_a_shape_does_not_say_its_body_says_and_then_its_material)
{
	static const char text[] = BODY_SCENE(
	    "{ \"type\": \"rigid\", \"material\": \"wood\", \"shape\": [\n{ \"box\": [1, 1, 1] },\n"
	    "{ \"box\": [1, 1, 1], \"at\": [2, 0, 0], \"material\": \"ice\" },\n"
	    "{ \"box\": [1, 1, 1], \"at\": [4, 0, 0], \"material\": \"ice\", \"density\": 1 }] }",
	    ",\n\"materials\": { \"wood\": { \"density\": 600, \"friction\": 0.5 }, \"ice\": { \"density\": 900, "
	    "\"friction\": 0.05, \"sliding_friction\": 0.02, \"restitution\": 0.3 } }");
	CHECK(make(text));
	CHECK(fabs(plBody_GetMass(world, plScene_GetBody(scene, 0).id) - 1501.0) < 1e-9);
	// ice slides where wood does not
	CHECK(make(BODY_SCENE(
	    "{ \"type\": \"rigid\", \"motion\": \"static\", \"shape\": { \"plane\": {} }, \"friction\": 1 },\n"
	    "{ \"type\": \"rigid\", \"shape\": { \"box\": [1, 1, 1] }, \"at\": [0, 0.5, 0], \"velocity\": "
	    "[1, 0, 0], \"material\": \"wood\" },\n"
	    "{ \"type\": \"rigid\", \"shape\": { \"box\": [1, 1, 1] }, \"at\": [0, 0.5, 3], \"velocity\": "
	    "[1, 0, 0], \"material\": \"ice\" }",
	    ",\n\"materials\": { \"wood\": { \"density\": 600, \"friction\": 0.5 }, \"ice\": { \"density\": 900, "
	    "\"friction\": 0.0001 } }")));
	plStepReport report;
	plError error = {0};
	for (int i = 0; i < 60; ++i)
		CHECK(plWorld_Step(world, &report, &error) >= 0);
	CHECK(placeOf(1, 0).x < 0.2 && placeOf(2, 0).x > 0.8);
}

// Two boxes slide on a floor, and two fall onto it; the second of each is of the pair.
TEST(a_pair_of_materials_says_how_they_slide_and_bounce)
{
#define SLIDER(z, material)                                                                                            \
	"{ \"type\": \"rigid\", \"shape\": { \"box\": [1, 1, 1] }, \"at\": [0, 0.5, " z "], \"velocity\": [1, 0, 0], "     \
	"\"material\": \"" material "\" }"
#define FALLER(z, material)                                                                                            \
	"{ \"type\": \"rigid\", \"shape\": { \"sphere\": 0.5 }, \"at\": [9, 1, " z "], \"velocity\": [0, -5, 0], "         \
	"\"material\": \"" material "\" }"
	CHECK(make(BODY_SCENE("{ \"type\": \"rigid\", \"motion\": \"static\", \"shape\": { \"plane\": {} }, "
	                      "\"material\": \"floor\" },\n" SLIDER("0", "wood") ",\n" SLIDER("3", "slick") ",\n" FALLER(
	                          "0", "wood") ",\n" FALLER("3", "slick"),
	                      ",\n\"materials\": { \"slick\": { \"density\": 600, \"friction\": 0.5 }, \"wood\": { "
	                      "\"density\": 600, \"friction\": 0.5 }, \"floor\": { \"friction\": 0.5 } },\n\"pairs\": [{ "
	                      "\"of\": [\"floor\", \"slick\"], \"friction\": 0.0001, \"restitution\": 0.8 }]")));
	plMaterialPair pair;
	CHECK(plWorld_GetMaterialPair(world, 3, 1, &pair) && pair.friction == 0.0001 && pair.slidingFriction < 0.0 &&
	      pair.restitution == 0.8);
	CHECK(!plWorld_GetMaterialPair(world, 1, 1, &pair) && !plWorld_GetMaterialPair(world, 2, 3, &pair));
	plStepReport report;
	plError error = {0};
	double fastest[2] = {0.0, 0.0};
	for (int i = 0; i < 60; ++i)
	{
		CHECK(plWorld_Step(world, &report, &error) >= 0);
		for (size_t k = 0; k < 2; ++k)
			fastest[k] = fmax(fastest[k], plBody_GetVelocity(world, plScene_GetBody(scene, 3 + k).id).y);
	}
	CHECK(placeOf(1, 0).x < 0.2 && placeOf(2, 0).x > 0.8);
	if (!(fastest[0] < 0.5 && fastest[1] > 4.5))
		FAIL_("up at %g and %g m/s", fastest[0], fastest[1]);
}

TEST(arrays_and_pyramids_stand_where_their_formulas_say)
{
	CHECK(make(ARRAY("\"count\": [2, 3, 2], \"spacing\": [10, 20, 30], \"stagger\": [1, 2, 3]")));
	CHECK_TEXT(plScene_GetBody(scene, 0).name, "pile");
	CHECK(plScene_GetBody(scene, 0).rigidCount == 12);
	CHECK(isAt(placeOf(0, 0), 1, 0, 0) && isAt(placeOf(0, 1), 11, 0, 0) && isAt(placeOf(0, 2), 2, 22, 3) &&
	      isAt(placeOf(0, 4), 1, 40, 0) && isAt(placeOf(0, 11), 11, 40, 30));
	CHECK(plMesh_GetView(plScene_GetBody(scene, 0).mesh).vertexCount == 12 * (2 + 23 * 48));
	CHECK(make(PYRAMID("\"rows\": 3, \"spacing\": [2, 1]")));
	CHECK(plScene_GetBody(scene, 0).rigidCount == 6);
	CHECK(isAt(placeOf(0, 0), -2, 0, 0) && isAt(placeOf(0, 2), 2, 0, 0) && isAt(placeOf(0, 3), -1, 1, 0) &&
	      isAt(placeOf(0, 5), 0, 2, 0));
}

TEST(filters_sensors_and_belts_reach_the_world)
{
	static const char* const through[] = {"\"sensor\": true", "\"mask\": 2", "\"category\": 0", "\"group\": -3"};
	for (int i = 0; i < 5; ++i) // the last one is stopped
	{
		char text[1024];
		snprintf(
		    text, sizeof text,
		    BODY_SCENE("{ \"type\": \"rigid\", \"motion\": \"static\", \"shape\": { \"plane\": {} }, \"group\": -3 },\n"
		               "{ " BALL ", \"density\": 100, \"at\": [0, 0.5, 0], %s }",
		               ""),
		    i < 4 ? through[i] : "\"group\": 3");
		CHECK(make(text));
		plStepReport report;
		plError error = {0};
		for (int k = 0; k < 30; ++k)
			CHECK(plWorld_Step(world, &report, &error) >= 0);
		if ((placeOf(1, 0).y < 0) != (i < 4))
			FAIL_("%s: the ball is at %g", i < 4 ? through[i] : "group 3", placeOf(1, 0).y);
	}
	CHECK(make(BODY_SCENE(
	    "{ \"type\": \"rigid\", \"motion\": \"static\", \"shape\": { \"box\": [20, 1, 20], \"at\": [0, -0.5, 0] "
	    "}, \"surface_velocity\": [1, 0, 0] },\n"
	    "{ \"type\": \"rigid\", \"shape\": { \"box\": [1, 1, 1] }, \"density\": 100, \"at\": [0, 0.5, 0] }",
	    "")));
	plStepReport report;
	plError error = {0};
	for (int k = 0; k < 90; ++k)
		CHECK(plWorld_Step(world, &report, &error) >= 0);
	CHECK(fabs(plBody_GetVelocity(world, plScene_GetBody(scene, 1).id).x - 1.0) < 0.02);
}

// ---- refusals -------------------------------------------------------------------------------------------------------

TEST(bad_bodies_are_refused_with_their_place)
{
	CALL(refused(BODY_SCENE("{ \"type\": \"rigd\", " MESH ", \"density\": 1000, " MATERIAL " }", ""),
	             ":3:11: unknown type of body \"rigd\"; did you mean \"rigid\"?"));
	CALL(refused(BODY_SCENE("{ \"type\": \"rigid\", \"density\": 1 }", ""), ":3:1: missing key \"shape\""));
	CALL(refused(BODY_SCENE("{ " BALL " }", ""), ":3:1: missing key \"density\" (kg/m^3), or \"mass\" (kg)"));
	CALL(refused(RIGID("\"mesh\": 1"), ":4:1: unknown key \"mesh\""));
	CALL(refused(RIGID("\"at\": 1"), ":4:7: expected a list of 3 numbers"));
	CALL(refused(RIGID("\"rotate\": [0, 0, 0, 1]"), ":4:11: the axis of rotation has no length"));
	CALL(refused(RIGID("\"velocity\": [1]"), ":4:13: expected a list of 3 numbers, found a list of 1"));
	CALL(refused(RIGID("\"spin\": \"fast\""), ":4:9: expected a list of 3 numbers"));
	CALL(refused(RIGID("\"mass\": 0"), ":4:9: \"mass\" must be above 0, found 0"));
	CALL(refused(RIGID("\"air\": -1"), ":4:8: \"air\" cannot be below 0, found -1"));
	CALL(refused(RIGID("\"locked\": \"xr\""), ":4:11: expected axes, e.g. \"z\", \"xyz\" or \"rx ry\""));
	CALL(refused(RIGID("\"locked\": \"\""), ":4:11: expected axes"));
	CALL(refused(RIGID("\"locked\": true"), ":4:11: expected a string"));
	CALL(refused(RIGID("\"motion\": \"statc\""), ":4:11: unknown motion \"statc\"; did you mean \"static\"?"));
	CALL(refused(RIGID("\"motion\": \"static\", \"velocity\": [1, 0, 0]"),
	             ":4:21: \"velocity\" belongs to dynamic bodies; this one is static"));
	CALL(refused(RIGID("\"motion\": \"kinematic\", \"mass\": 1"), ":4:24: \"mass\" belongs to dynamic bodies"));
	CALL(refused(RIGID("\"path\": { \"translate\": [1, 0, 0], \"until\": 1 }"), ":4:1: \"path\" belongs to kinematic"));
	CALL(refused(RIGID("\"motion\": \"kinematic\", \"path\": { \"translate\": [1, 0, 0] }"),
	             ":4:32: missing key \"until\""));
	CALL(refused(RIGID("\"friction\": -1"), ":4:13: \"friction\" cannot be below 0"));
	CALL(refused(RIGID("\"sliding_friction\": \"low\""), ":4:21: expected a number"));
	CALL(refused(RIGID("\"restitution\": 1.5"), ":4:16: \"restitution\" is the share of the speed that bounces back"));
	CALL(refused(RIGID("\"sensor\": 1"), ":4:11: expected true or false, found the number 1"));
	CALL(refused(RIGID("\"category\": -1"), ":4:13: expected at least 0"));
	CALL(refused(RIGID("\"mask\": 0.5"), ":4:9: expected a whole number"));
	CALL(refused(RIGID("\"group\": 1e10"), ":4:10: expected a whole number of at most 31 bits"));
	CALL(refused(RIGID("\"surface_velocity\": 1"), ":4:21: expected a list of 3 numbers"));
	CALL(refused(RIGID("\"density\": 1"), "")); // twice
}

TEST(bad_shapes_are_refused_with_their_place)
{
	CALL(refused(SHAPE("1"), ":4:10: expected a shape or a list of shapes"));
	CALL(refused(SHAPE("[]"), ":4:10: expected a shape or a list of shapes"));
	CALL(refused(SHAPE("[{ \"sphere\": 1 }, 2]"), ":4:28: expected an object"));
	CALL(refused(SHAPE("{}"), ":4:10: a shape needs one of the keys \"box\""));
	CALL(refused(SHAPE("{ \"box\": [1, 1, 1], \"sphere\": 1 }"), "exclude each other: a shape has one kind"));
	CALL(refused(SHAPE("{ \"sphere\": 1, \"ball\": 1 }"), "unknown key \"ball\""));
	CALL(refused(SHAPE("{ \"box\": [1, 0, 1] }"), ":4:19: each length of a box must be above 0"));
	CALL(refused(SHAPE("{ \"sphere\": -1 }"), ":4:22: the radius of a sphere must be above 0, found -1"));
	CALL(refused(SHAPE("{ \"sphere\": { \"radius\": 1 } }"), ":4:22: expected a number, the radius"));
	CALL(refused(SHAPE("{ \"capsule\": { \"radius\": 1 } }"), ":4:23: missing key \"length\""));
	CALL(refused(SHAPE("{ \"cylinder\": { \"radius\": 0, \"length\": 1 } }"), "\"radius\" must be above 0"));
	CALL(refused(SHAPE("{ \"hull\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]] }"), ":4:20: "));
	CALL(refused(SHAPE("{ \"hull\": [[0, 0, 0], [1, 0]] }"), ":4:32: expected a list of 3 numbers"));
	CALL(refused(SHAPE("{ \"hull\": [] }"), ":4:20: "));
	CALL(refused(FIXED("{ \"plane\": { \"normal\": [0, 0, 0] } }"), ":4:33: the normal of a plane has no length"));
	CALL(refused(FIXED("{ \"plane\": {}, \"at\": [0, 1, 0] }"),
	             "a plane has \"normal\" and \"offset\" in the place of \"at\""));
	CALL(refused(SHAPE("{ \"sphere\": 1, \"at\": 0 }"), "expected a list of 3 numbers"));
	CALL(refused(SHAPE("{ \"sphere\": 1, \"density\": -2 }"), "\"density\" cannot be below 0"));
	CALL(refused(SHAPE("{ \"sphere\": 1, \"material\": \"ice\" }"), "the scene has no \"materials\""));
	CHECK(readText(SHAPE("{ \"mesh\": \"none.obj\" }")) == NULL && reported("the mesh \"none.obj\" cannot be used"));
	CHECK(!make(SHAPE("{ \"plane\": {} }")) && reported("only static bodies have one"));
	CHECK(!make(SHAPE("{ \"sphere\": 1, \"density\": 0 }")) &&
	      reported(":3:1: body \"body0\": it is dynamic and its shapes weigh 0 kg"));
	CHECK(make(FIXED("{ \"sphere\": 1, \"density\": 0 }")));
}

TEST(bad_materials_are_refused_with_their_place)
{
	CALL(refused(TOP("\"materials\": []"), ":2:14: expected an object"));
	CALL(refused(TOP("\"materials\": { \"ice\": 1 }"), ":2:23: expected an object"));
	CALL(refused(TOP("\"materials\": { \"ice\": { \"young\": 1 } }"), ":2:25: unknown key \"young\""));
	CALL(refused(TOP("\"materials\": { \"ice\": { \"density\": 0 } }"), ":2:36: \"density\" must be above 0"));
	CALL(refused(TOP("\"materials\": { \"ice\": { \"friction\": -1 } }"), ":2:37: \"friction\" cannot be below 0"));
	CALL(refused(TOP("\"materials\": { \"ice\": { \"restitution\": 2 } }"), ":2:40: \"restitution\" is the share"));
	CALL(
	    refused(BODY_SCENE("{ " BALL ", \"density\": 1, \"material\": \"icee\" }", ",\n\"materials\": { \"ice\": {} }"),
	            "unknown material \"icee\"; did you mean \"ice\"?"));
}

TEST(bad_pairs_are_refused_with_their_place)
{
#define PAIRS(pairs) TOP("\"materials\": { \"ice\": {}, \"oak\": {} },\n\"pairs\": " pairs)
	CALL(refused(PAIRS("{}"), ":3:10: expected a list of pairs of materials"));
	CALL(refused(PAIRS("[1]"), ":3:11: expected an object"));
	CALL(refused(PAIRS("[{ \"friction\": 1 }]"), ":3:11: missing key \"of\""));
	CALL(refused(PAIRS("[{ \"of\": [\"ice\"], \"friction\": 1 }]"), ":3:19: expected a list of 2 names"));
	CALL(refused(PAIRS("[{ \"of\": [\"ice\", 2], \"friction\": 1 }]"), ":3:27: expected a string"));
	CALL(refused(PAIRS("[{ \"of\": \"ice\", \"friction\": 1 }]"), ":3:19: expected a list of 2 names"));
	CALL(refused(PAIRS("[{ \"of\": [\"ice\", \"oka\"], \"friction\": 1 }]"),
	             ":3:27: unknown material \"oka\"; did you mean \"oak\"?"));
	CALL(refused(PAIRS("[{ \"of\": [\"ice\", \"ice\"] }]"), ":3:11: a pair says nothing without"));
	CALL(
	    refused(PAIRS("[{ \"of\": [\"ice\", \"ice\"], \"friction\": 1, \"density\": 1 }]"), "unknown key \"density\""));
	CALL(refused(PAIRS("[{ \"of\": [\"ice\", \"ice\"], \"friction\": -1 }]"), "\"friction\" cannot be below 0"));
	CALL(refused(PAIRS("[{ \"of\": [\"ice\", \"ice\"], \"sliding_friction\": -1 }]"), "cannot be below 0"));
	CALL(refused(PAIRS("[{ \"of\": [\"ice\", \"ice\"], \"restitution\": 2 }]"), "at most 1"));
	CALL(refused(PAIRS("[{ \"of\": [\"oak\", \"ice\"], \"friction\": 1 }, { \"of\": [\"ice\", \"ice\"], "
	                   "\"friction\": 1 },\n{ \"of\": [\"ice\", \"oak\"], \"restitution\": 1 }]"),
	             ":4:1: \"ice\" and \"oak\" are a pair already, at line 3, column 11"));
	CHECK(readText(TOP("\"pairs\": [{ \"of\": [\"ice\", \"ice\"], \"friction\": 1 }]")) == NULL);
	CHECK(reported("the scene has no \"materials\""));
}

TEST(bad_arrays_are_refused_with_their_place)
{
	CALL(refused(ARRAY("\"spacing\": [1, 1, 1]"), ":4:10: missing key \"count\""));
	CALL(refused(ARRAY("\"count\": [1, 1, 1]"), ":4:10: missing key \"spacing\""));
	CALL(refused(ARRAY("\"count\": [1, 0, 1], \"spacing\": [1, 1, 1]"), "expected at least 1, found 0"));
	CALL(refused(ARRAY("\"count\": 3, \"spacing\": [1, 1, 1]"), "expected a list of 3 whole numbers"));
	CALL(refused(ARRAY("\"count\": [1000, 1000, 1000], \"spacing\": [1, 1, 1]"),
	             "an array has at most 16777216 bodies"));
	CALL(refused(ARRAY("\"count\": [1, 1, 1], \"spacing\": 1"), "expected a list of 3 numbers"));
	CALL(
	    refused(ARRAY("\"count\": [1, 1, 1], \"spacing\": [1, 1, 1], \"stagger\": 1"), "expected a list of 3 numbers"));
	CALL(refused(ARRAY("\"count\": [1, 1, 1], \"spacing\": [1, 1, 1], \"rows\": 1"), "unknown key \"rows\""));
	CALL(refused(PYRAMID("\"spacing\": [1, 1]"), "missing key \"rows\""));
	CALL(refused(PYRAMID("\"rows\": 2"), "missing key \"spacing\""));
	CALL(refused(PYRAMID("\"rows\": 6000, \"spacing\": [1, 1]"), "expected at most 5000, found 6000"));
	CALL(refused(PYRAMID("\"rows\": 2, \"spacing\": 1"), "expected a list of 2 numbers"));
	CALL(refused(BODY_SCENE("{ \"array\": 1 }", ""), ":3:12: expected an object with the rigid body as \"of\""));
	CALL(refused(BODY_SCENE("{ \"array\": {}, \"pyramid\": {} }", ""), ":3:16: \"array\" and \"pyramid\" exclude"));
	CALL(refused(BODY_SCENE("{ \"array\": { \"count\": [1, 1, 1], \"spacing\": [1, 1, 1] } }", ""),
	             ":3:12: missing key \"of\""));
	CALL(refused(BODY_SCENE("{ \"type\": \"rigid\", \"pyramid\": { \"of\": { " BALL
	                        ", \"mass\": 1 }, \"rows\": 1, \"spacing\": [1, 1] } }",
	                        ""),
	             ":3:3: unknown key \"type\""));
	CALL(refused(BODY_SCENE("{ \"pyramid\": { \"of\": { \"name\": \"a\", " BALL
	                        ", \"mass\": 1 }, \"rows\": 1, \"spacing\": [1, 1] } }",
	                        ""),
	             "the name of an array stands beside its key"));
	CALL(refused(BODY_SCENE("{ \"pyramid\": { \"of\": { \"type\": \"soft\", \"shape\": { \"sphere\": 1 }, \"mass\": 1 "
	                        "}, \"rows\": 1, \"spacing\": [1, 1] } }",
	                        ""),
	             "unknown type of body in an array \"soft\""));
}

TEST(pins_forces_and_springs_do_not_take_rigid_bodies)
{
	static const char* const rests[] = {
	    "\"pins\": [{ \"body\": \"ball\", \"where\": \"all\" }]",
	    "\"forces\": [{ \"body\": \"ball\", \"where\": \"all\", \"force\": [0, 1, 0] }]"};
	for (int i = 0; i < 2; ++i)
	{
		char text[1024];
		snprintf(text, sizeof text, BODY_SCENE("{ \"name\": \"ball\", " BALL ", \"mass\": 1 }", ",\n%s"), rests[i]);
		CALL(refused(text, "body \"ball\" is rigid, and has no vertices to hold or pull"));
	}
}

TEST(colliders_beside_dynamic_rigid_bodies_are_warned_of)
{
	CHECK_READ(readText(BODY_SCENE("{ " BALL ", \"mass\": 1 }", ",\n\"colliders\": [{ \"plane\": {} }]")));
	CHECK(plDiagnostics_GetCount(problems) == 1 && plDiagnostics_GetErrorCount(problems) == 0);
	CHECK(reported(":4:14: colliders are met by soft bodies only, not by rigid ones"));
	CHECK_READ(readText(BODY_SCENE("{ " BALL ", \"motion\": \"static\" }", ",\n\"colliders\": [{ \"plane\": {} }]")));
	CHECK(plDiagnostics_GetCount(problems) == 0);
}
