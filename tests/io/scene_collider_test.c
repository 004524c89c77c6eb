// scene_collider_test.c: colliders and contact of a scene: what is read, what is refused and where
#include "scene_text.h"

// A box from 0 to 1, 1000 kg.
#define SCENE(more)                                                                                                    \
	"{ \"pliant\": 1, \"bodies\": [ { \"name\": \"bar\", \"type\": \"soft\", \"mesh\": { \"box\": [1, 1, 1], "         \
	"\"cells\": [1, 1, 1] }, \"density\": 1000, \"material\": { \"young\": 1e5, \"poisson\": 0.3 } } ],\n" more " }"
#define COLLIDER(shape) SCENE("\"colliders\": [" shape "]")

static plStepReport report;

static bool step(int count)
{
	plWorld* world = scene ? plScene_CreateWorld(scene, NULL, NULL, problems) : NULL;
	plError error;
	bool fine = world != NULL;
	for (int i = 0; i < count && fine; i++)
		fine = plWorld_Step(world, &report, &error) >= 0;
	plDestroyWorld(world);
	return fine;
}

static const char tetObj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

TEST(every_shape_is_read_and_touched)
{
	scratchWrite("tet.obj", tetObj, strlen(tetObj));
	static const char* const shapes[] = {
	    "{ \"plane\": { \"normal\": [0, 2, 0], \"offset\": 0.1 }, \"friction\": 0.5 }",
	    "{ \"plane\": {} }",
	    "{ \"sphere\": { \"centre\": [0.5, -0.5, 0.5], \"radius\": 1 } }",
	    "{ \"capsule\": { \"a\": [0, 0, 0], \"b\": [1, 0, 1], \"radius\": 0.1 } }",
	    "{ \"box\": { \"size\": [1, 1, 1], \"centre\": [0, -0.4, 0], \"rotate\": [0, 1, 0, 45] } }",
	    "{ \"mesh\": \"tet.obj\", \"transform\": { \"scale\": 2, \"translate\": [-0.5, -0.5, -0.5] } }",
	    "{ \"mesh\": { \"file\": \"tet.obj\" }, \"friction\": 0, \"thickness\": 0.01 }",
	    "{ \"mesh\": { \"sphere\": 0.5, \"cells\": 2 } }",
	};
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		for (int model = 0; model < 2; model++)
		{
			char text[2048];
			snprintf(text, sizeof text,
			         SCENE("\"contact\": { \"model\": \"%s\", \"thickness\": 0.01 }, \"colliders\": [%s]"),
			         model ? "projection" : "energy", shapes[i]);
			CHECK(readText(text) != NULL);
			CHECK(step(1));
			if (report.contacts == 0)
				FAIL_("nothing touches %s", shapes[i]);
		}
	CHECK(readText(COLLIDER("")) != NULL && step(1) && report.contacts == 0);
	CHECK(readText(SCENE("\"contact\": {}")) != NULL && step(1) && report.contacts == 0);
}

TEST(contact_is_read)
{
	CHECK(readText(SCENE("\"contact\": { \"thickness\": 0, \"friction\": 0, \"stiffness\": 100 },\n"
	                     "\"colliders\": [{ \"plane\": {} }]")) != NULL);
	CHECK(step(1));
	double soft = report.penetration;
	CHECK(readText(SCENE("\"contact\": { \"stiffness\": 1e7 },\n\"colliders\": [{ \"plane\": {} }]")) != NULL);
	CHECK(step(1));
	CHECK(report.penetration < soft);
	CALL(refused(SCENE("\"contact\": []"), ":2:12: expected an object, found an empty list"));
	CALL(
	    refused(SCENE("\"contact\": { \"selfish\": true }"), ":2:14: unknown key \"selfish\"; did you mean \"self\"?"));
	CALL(refused(SCENE("\"contact\": { \"model\": \"penalty\" }"),
	             ":2:23: unknown model of contact \"penalty\"; there is: energy, projection"));
	CALL(refused(SCENE("\"contact\": { \"thickness\": -1 }"), ":2:27: \"thickness\" cannot be below 0, found -1"));
	CALL(refused(SCENE("\"contact\": { \"friction\": \"0.3\" }"), ":2:26: expected a number, found the string"));
	CALL(refused(SCENE("\"contact\": { \"stiffness\": 0 }"), ":2:27: \"stiffness\" must be above 0, found 0"));
	CALL(refused(SCENE("\"contact\": { \"model\": \"projection\", \"stiffness\": 1 }"),
	             ":2:37: \"stiffness\" belongs to the model \"energy\""));
}

TEST(contact_of_surfaces_is_read_and_refused_with_its_place)
{
	plContactDef contact = plScene_GetView(readText(SCENE("\"contact\": {}"))).contact;
	CHECK(contact.bodies == pl_bodiesAuto && contact.self == pl_selfAuto &&
	      contact.intersections == pl_intersectionsRefuse);
	CHECK(contact.pairThickness == 0.0 && contact.pairFriction < 0.0);
	contact =
	    plScene_GetView(readText(SCENE("\"contact\": { \"bodies\": true, \"self\": true, \"pair_thickness\": 0.01,\n"
	                                   "\"pair_friction\": 0.4, "
	                                   "\"intersections\": \"ignore\" }")))
	        .contact;
	CHECK(contact.bodies == pl_bodiesAll && contact.self == pl_selfAll &&
	      contact.intersections == pl_intersectionsIgnore);
	CHECK(contact.pairThickness == 0.01 && contact.pairFriction == 0.4);
	contact = plScene_GetView(readText(SCENE("\"contact\": { \"self\": \"cloth\" }"))).contact;
	CHECK(contact.bodies == pl_bodiesAuto && contact.self == pl_selfCloth);
	contact = plScene_GetView(readText(SCENE("\"contact\": { \"self\": false, \"bodies\": false }"))).contact;
	CHECK(contact.bodies == pl_bodiesNone && contact.self == pl_selfNone);
	contact = plScene_GetView(readText(SCENE("\"contact\": { \"self\": \"auto\", \"bodies\": \"auto\" }"))).contact;
	CHECK(contact.bodies == pl_bodiesAuto && contact.self == pl_selfAuto);
	CALL(refused(SCENE("\"contact\": { \"self\": \"soft\" }"),
	             ":2:22: unknown kind of bodies \"soft\"; there is: cloth, auto"));
	CALL(refused(SCENE("\"contact\": { \"self\": 1 }"), ":2:22: expected true, false or a word, found the number 1"));
	CALL(refused(SCENE("\"contact\": { \"bodies\": 1 }"), ":2:24: expected true, false or a word"));
	CALL(refused(SCENE("\"contact\": { \"bodies\": \"cloth\" }"),
	             ":2:24: unknown way of touching \"cloth\"; there is: auto"));
	CALL(
	    refused(SCENE("\"contact\": { \"pair_thickness\": 0 }"), ":2:32: \"pair_thickness\" must be above 0, found 0"));
	CALL(refused(SCENE("\"contact\": { \"pair_friction\": -1 }"),
	             ":2:31: \"pair_friction\" cannot be below 0, found -1"));
	CALL(refused(SCENE("\"contact\": { \"bodies\": true, \"model\": \"projection\" }"),
	             ":2:39: contact: bodies touch each other and themselves by the model energy only"));
	CALL(refused(SCENE("\"solver\": \"impulse\",\n\"contact\": { \"self\": true }"),
	             ":3:14: impulse cannot keep bodies from crossing each other or themselves"));
}

TEST(bad_colliders_are_refused_with_line_and_column)
{
	CALL(refused(SCENE("\"colliders\": {}"), ":2:14: expected a list of colliders, found an object"));
	CALL(refused(COLLIDER("3"), ":2:15: expected an object, found the number 3"));
	CALL(refused(COLLIDER("{}"), ":2:15: a collider needs one of the keys \"plane\", \"sphere\""));
	CALL(
	    refused(COLLIDER("{ \"plan\": {} , \"box\": { \"size\": [1, 1, 1] } }"), "unknown key \"plan\"; did you mean"));
	CALL(refused(COLLIDER("{ \"plane\": {}, \"sphere\": { \"radius\": 1 } }"),
	             ":2:30: \"plane\" and \"sphere\" exclude each other: a collider has one shape"));
	CALL(refused(COLLIDER("{ \"hull\": {} }"), ":2:17: \"hull\" is a shape of rigid bodies"));
	CALL(refused(COLLIDER("{ \"plane\": {}, \"cylinder\": 1 }"), ":2:30: \"cylinder\" is a shape of rigid bodies"));
	CALL(refused(COLLIDER("{ \"plane\": { \"normal\": [0, 0, 0] } }"), ":2:38: plane: its normal has no direction"));
	CALL(refused(COLLIDER("{ \"plane\": { \"offset\": \"0\" } }"), ":2:38: expected a number, found the string \"0\""));
	CALL(refused(COLLIDER("{ \"plane\": { \"height\": 0 } }"),
	             ":2:28: unknown key \"height\"; there is: normal, offset"));
	CALL(refused(COLLIDER("{ \"plane\": {}, \"friction\": -1 }"), ":2:42: \"friction\" cannot be below 0, found -1"));
	CALL(refused(COLLIDER("{ \"plane\": {}, \"thickness\": -1 }"), ":2:43: \"thickness\" cannot be below 0, found -1"));
	CALL(refused(COLLIDER("{ \"plane\": {}, \"surface_velocity\": 1 }"),
	             ":2:50: expected a list of 3 numbers, found the number 1"));
	CALL(refused(COLLIDER("{ \"plane\": {}, \"transform\": {} }"), ":2:30: \"transform\" belongs to \"mesh\""));
	CALL(refused(COLLIDER("{ \"sphere\": {} }"), ":2:27: missing key \"radius\""));
	CALL(refused(COLLIDER("{ \"sphere\": { \"radius\": 0 } }"), ":2:39: \"radius\" must be above 0, found 0"));
	CALL(refused(COLLIDER("{ \"sphere\": { \"radius\": 1, \"centre\": [1, 2] } }"), "found a list of 2"));
	CALL(refused(COLLIDER("{ \"capsule\": { \"a\": [0, 0, 0], \"radius\": 1 } }"), ":2:28: missing key \"b\""));
	CALL(refused(COLLIDER("{ \"capsule\": { \"a\": [0, 0, 0], \"b\": [1.5e308, 1.5e308, 1.5e308], \"radius\": 1 } }"),
	             ":2:35: capsule: the length of its axis is not finite"));
	CALL(refused(COLLIDER("{ \"box\": { \"size\": [1, -1, 1] } }"), ":2:34: box: an edge is -1 m long"));
	CALL(refused(COLLIDER("{ \"box\": { \"size\": [1, 1, 1], \"rotate\": [0, 0, 0, 5] } }"), "has no length"));
	CALL(refused(COLLIDER("{ \"mesh\": 7 }"),
	             ":2:25: expected an object, e.g. { \"file\": \"bar.msh\" }, found the number 7"));
	CALL(refused(COLLIDER("{ \"mesh\": \"\" }"), ":2:25: the name of the mesh file is empty"));
	CALL(refused(COLLIDER("{ \"mesh\": { \"cloth\": [1, 1], \"cells\": [2, 2] } }"),
	             ":2:25: mesh: the surface is open: "));
}

TEST(meshes_without_an_inside_are_refused_by_name)
{
	CHECK(readText(COLLIDER("{ \"mesh\": \"nothing.obj\" }")) == NULL);
	CHECK(plDiagnostics_GetCount(problems) == 2);
	scratchWrite("open.obj", tetObj, strlen(tetObj) - strlen("f 2 3 4\n"));
	CALL(refused(COLLIDER("{ \"mesh\": \"open.obj\" }"),
	             ":2:25: mesh: the surface is open: edge 1-2 belongs to triangle 0 alone"));
	static const char turned[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
	scratchWrite("turned.obj", turned, strlen(turned));
	CALL(refused(COLLIDER("{ \"mesh\": \"turned.obj\" }"), ":2:25: mesh: the surface is inside out"));
	// A scene without bodies has meshes all the same.
	CHECK(readText("{ \"pliant\": 1, \"colliders\": [ { \"mesh\": \"open.obj\" } ] }") == NULL);
	CHECK(plDiagnostics_GetCount(problems) == 2 && reported("missing key \"bodies\"") && reported("is open"));
}

TEST(reading_leaves_nothing_behind)
{
	CHECK(scratchCount() <= 4); // s.json, tet.obj, open.obj and turned.obj
}
