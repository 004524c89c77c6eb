// scene_test.c: scenes are read as the format page says
#include "scene_bar.h"

TEST(defaults_are_those_of_the_format)
{
	CHECK_READ(readText(BODY_SCENE("{ \"type\": \"soft\", " MESH ", \"density\": 1000, \"material\": {} }", "")));
	plSceneView view = plScene_GetView(scene);
	CHECK_TEXT(view.name, "s");
	CHECK(view.steps == 300 && view.timestep == 0.01666667);
	CHECK(view.outputEvery == 1 && view.checkpointEvery == 0 && view.formats[pl_frameVtu] &&
	      !view.formats[pl_frameObj]);
	CHECK(view.solver.method == pl_methodAuto && view.solver.iterations == 1000 && view.solver.budget == 0);
	CHECK(view.solver.precision == pl_precisionDouble && view.solver.factorisation == pl_factorAuto);
	CHECK(view.bodyCount == 1);
	CHECK_TEXT(plScene_GetBody(scene, 0).name, "body0");
	CHECK(plMesh_GetView(plScene_GetBody(scene, 0).mesh).vertexCount == 12 &&
	      plMesh_GetView(plScene_GetBody(scene, 0).mesh).tetCount == 12);
	CHECK(PL_IS_NULL(plScene_GetBody(scene, 0).id));
}

TEST(everything_given_is_taken)
{
	CHECK_READ(readText(
	    "{ \"pliant\": 1, // version\n \"gravity\": [0, 0, -1.62], \"timestep\": 0.01, \"steps\": 12, \"substeps\": "
	    "2,\n"
	    "\"solver\": { \"method\": \"newton\", \"iterations\": 7, \"tolerance\": 1e-6, \"accept\": 0.01, "
	    "\"precision\": "
	    "\"float\", \"factorisation\": \"simplicial\" },\n"
	    "\"output\": { \"every\": 5, \"formats\": [\"obj\"], \"checkpoint\": 3 },\n"
	    "\"bodies\": [" BODY
	    ", { \"type\": \"soft\", \"mesh\": { \"bar\": [1, 1, 1], \"cells\": [1, 1, 1], \"split\": 5 }, "
	    "\"density\": 1, \"material\": { \"law\": \"stvk\", \"mu\": 1, \"lambda\": 2, \"inversion\": \"convert\" }, "
	    "\"velocity\": [1, 2, 3] },"
	    "{ \"type\": \"soft\", \"mesh\": { \"sphere\": 0.5, \"cells\": 3 }, \"density\": 1, \"material\": {} }] }"));
	plSceneView view = plScene_GetView(scene);
	CHECK(view.steps == 12 && view.timestep == 0.01 && view.outputEvery == 5 && view.checkpointEvery == 3);
	CHECK(!view.formats[pl_frameVtu] && view.formats[pl_frameObj]);
	CHECK(view.solver.iterations == 7 && view.solver.tolerance == 1e-6 && view.solver.accept == 0.01);
	CHECK(view.solver.precision == pl_precisionFloat && view.solver.factorisation == pl_factorSimplicial);
	CHECK(view.bodyCount == 3);
	CHECK_TEXT(plScene_GetBody(scene, 1).name, "body1");
	CHECK(plMesh_GetView(plScene_GetBody(scene, 1).mesh).tetCount == 5);
	CHECK_READ(readText(TOP("\"output\": { \"formats\": [\"mdd\", \"pc2\"] }")));
	view = plScene_GetView(scene);
	CHECK(!view.formats[pl_frameVtu] && !view.formats[pl_frameObj] && view.formats[pl_framePc2] &&
	      view.formats[pl_frameMdd]);
	CHECK_READ(readText(TOP("\"output\": { \"formats\": [] }")));
	view = plScene_GetView(scene);
	CHECK(!view.formats[pl_frameVtu] && !view.formats[pl_frameObj]);
	CHECK_READ(readText(TOP("\"$schema\": \"scene.schema.json\", \"solver\": \"gradient\"")));
	CHECK(plScene_GetView(scene).solver.method == pl_methodGradient);
}

TEST(the_world_has_the_bodies_where_the_scene_puts_them)
{
	CHECK_READ(readText("{ \"pliant\": 1, \"bodies\": [" BODY ", { \"type\": \"soft\", " MESH
	                    ", \"density\": 500, " MATERIAL
	                    ", \"transform\": { \"scale\": 2, \"rotate\": [0, 0, 10, 90], \"translate\": [1, 2, 3] }, "
	                    "\"velocity\": [1, 2, 3] } ] }"));
	plWorld* world = plScene_CreateWorld(scene, NULL, NULL, problems);
	CHECK(world != NULL);
	CHECK(plBody_IsValid(world, plScene_GetBody(scene, 0).id) && plBody_IsValid(world, plScene_GetBody(scene, 1).id));
	double x[36], v[36], m[12], mass = 0;
	plBody_GetPositions(world, plScene_GetBody(scene, 1).id, x);
	plBody_GetVelocities(world, plScene_GetBody(scene, 1).id, v);
	plBody_GetMasses(world, plScene_GetBody(scene, 1).id, m);
	// vertex 2 is (2, 0, 0): scaled to (4, 0, 0), turned to (0, 4, 0), moved to (1, 6, 3)
	CHECK_NEAR(x[6], 1, 1e-14);
	CHECK_NEAR(x[7], 6, 1e-14);
	CHECK_NEAR(x[8], 3, 1e-14);
	CHECK(v[6] == 1 && v[7] == 2 && v[8] == 3);
	for (int i = 0; i < 12; i++)
		mass += m[i];
	CHECK_NEAR(mass, 500 * 16, 1e-9);
	plDestroyWorld(world);
}

// Where the vertices of the bar are after two steps of a tenth of a second
static bool stepTwice(double x[36])
{
	plWorld* world = plScene_CreateWorld(scene, NULL, NULL, problems);
	if (world == NULL)
	{
		showProblems();
		return false;
	}
	plStepReport report;
	bool fine = plWorld_Step(world, &report, NULL) >= 0 && plWorld_Step(world, &report, NULL) >= 0;
	plBody_GetPositions(world, plScene_GetBody(scene, 0).id, x);
	plDestroyWorld(world);
	return fine;
}

TEST(pins_hold_and_move_what_they_select)
{
	// 12 vertices, x fastest: 0 1 2 at y = z = 0
	const char* const wheres[] = {"{ \"box\": [[0, 0, 0], [0, 1, 1]] }", "{ \"vertices\": [9, 0, 3, 6] }"};
	for (int i = 0; i < 2; i++)
	{
		char text[1024];
		snprintf(text, sizeof text,
		         TOP("\"timestep\": 0.1, \"pins\": [{ \"body\": \"bar\", \"where\": %s, \"motion\": { \"translate\": "
		             "[0, 1, 0], \"rotate\": [3, 0, 0, 90], \"about\": [0, 0, 0], \"until\": 0.2 } }]"),
		         wheres[i]);
		CHECK_READ(readText(text));
		double x[36];
		CHECK(stepTwice(x));
		CHECK_NEAR(x[1], 1, 1e-12);         // vertex 0 turns on the spot and moves up by 1
		CHECK_NEAR(x[3 * 3 + 1], 1, 1e-12); // vertex 3 at y = 1 turns to z = 1
		CHECK_NEAR(x[3 * 3 + 2], 1, 1e-12);
	}
	CHECK_READ(
	    readText(TOP("\"timestep\": 0.1, \"pins\": [{ \"body\": \"bar\", \"where\": \"all\", \"axes\": \"y\" }]")));
	double x[36];
	CHECK(stepTwice(x));
	CHECK(x[1] == 0 && x[10] == 1);
	CHECK_READ(
	    readText(TOP("\"timestep\": 0.1, \"pins\": [{ \"body\": \"bar\", \"where\": \"all\", \"axes\": \"xz\" }]")));
	CHECK(stepTwice(x));
	CHECK_NEAR(x[1], -9.81 * 0.03, 1e-9); // falls: h^2 g (1 + 2)
	CHECK_READ(
	    readText(TOP("\"timestep\": 0.1, \"pins\": [{ \"body\": \"bar\", \"where\": \"all\", \"release\": 0.15 }]")));
	CHECK(stepTwice(x));
	CHECK(x[1] < -0.05);
}

// What pin 0 takes of the bar of 12 vertices, x fastest, then y, z
static size_t countWhere(const char* where)
{
	char text[2048];
	snprintf(text, sizeof text, TOP("\"pins\": [{ \"body\": \"bar\", \"where\": %s }]"), where);
	if (readText(text) == NULL)
	{
		showProblems();
		return 0;
	}
	return plScene_GetSelection(scene, 0).count;
}

// The one vertex that it takes, by where it is held while the rest falls; 99: not one
static int onlyWhere(const char* where)
{
	double x[36];
	static const double rest[3] = {0, 1, 2};
	if (countWhere(where) != 1 || !stepTwice(x))
		return 99;
	for (int i = 0; i < 12; i++)
	{
		if (x[3 * i] == rest[i % 3] && x[3 * i + 1] == i / 3 % 2 && x[3 * i + 2] == i / 6)
			return i;
	}
	return 99;
}

TEST(places_and_combinations_select_what_they_say)
{
	CHECK(countWhere("\"all\"") == 12 && countWhere("{ \"surface\": true }") == 12);
	CHECK(countWhere("{ \"sphere\": { \"radius\": 1 } }") == 4); // bound included
	CHECK(countWhere("{ \"sphere\": { \"centre\": [2, 1, 1], \"radius\": 1.42 } }") == 7);
	CHECK(countWhere("{ \"half_space\": { \"point\": [1, 7, 7], \"normal\": [3, 0, 0] } }") == 8);
	CHECK(countWhere("{ \"half_space\": { \"normal\": [-1e300, 0, 0] } }") == 4);
	CHECK(countWhere("{ \"half_space\": { \"point\": [0, 1.5, 0], \"normal\": [1, 1, 0] } }") == 6);
	CHECK(onlyWhere("{ \"nearest\": [1.9, 0.8, 0.2] }") == 5);
	CHECK(onlyWhere("{ \"nearest\": [1, 0.5, 0.5] }") == 1); // of four the first
	CHECK(onlyWhere("{ \"nearest\": [0, 0, 0], \"among\": { \"vertices\": [11, 8, 10] } }") == 10);
	CHECK(countWhere("{ \"nearest\": [1, 0.5, 0.5], \"count\": 4 }") == 4);
	CHECK(countWhere("{ \"not\": { \"box\": [[0, 0, 0], [0, 1, 1]] } }") == 8);
	CHECK(countWhere("{ \"or\": [{ \"vertices\": [0, 1] }, { \"vertices\": [1, 2] }] }") == 3);
	CHECK(onlyWhere("{ \"and\": [{ \"vertices\": [0, 1] }, { \"vertices\": [1, 2] }] }") == 1);
	CHECK(onlyWhere(
	          "{ \"and\": [{ \"not\": { \"or\": [{ \"vertices\": [0] }, { \"half_space\": { \"point\": [1, 0, 0], "
	          "\"normal\": [1, 0, 0] } }] } }, { \"and\": [\"all\", { \"nearest\": [0, 1, 0], \"count\": 1 }] }] }") ==
	      3);
}

TEST(what_lies_inside_is_not_on_the_surface)
{
	// 64 vertices, 8 of them inside. Tet (i, j, k) of a cell, along axes i, j, k, has a face on the cell's sides x_i =
	// 1 and x_k = 0: of 108 triangles of the surface 6 times 3 pairs share a tet.
	const char* format = "{ \"pliant\": 1, \"bodies\": [{ \"name\": \"bar\", \"type\": \"soft\", \"mesh\": { \"box\": "
	                     "[3, 3, 3], \"cells\": [3, 3, 3] }, \"density\": 1000, " MATERIAL
	                     ", \"regions\": [{ \"density\": 1, \"where\": %s }] }], "
	                     "\"pins\": [{ \"body\": \"bar\", \"where\": { \"not\": { \"surface\": true } } }] }";
	static const struct
	{
		const char* where;
		size_t count;
	} rows[] = {
	    {"{ \"surface\": true }", 108 - 18},
	    {"{ \"not\": { \"surface\": true } }", 6 * 27 - 90},
	    {"{ \"half_space\": { \"point\": [1, 0, 0], \"normal\": [1, 0, 0] } }", 6 * 18},
	    {"{ \"not\": { \"half_space\": { \"point\": [1, 0, 0], \"normal\": [1, 0, 0] } } }", 6 * 9},
	    {"{ \"sphere\": { \"centre\": [0.5, 0.5, 0.5], \"radius\": 0.5 } }", 6},
	    {"{ \"nearest\": [3, 3, 3], \"count\": 7 }", 7},
	    {"{ \"tets\": [5, 3] }", 2},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
	{
		char text[2048];
		snprintf(text, sizeof text, format, rows[i].where);
		CHECK_READ(readText(text));
		CHECK(plScene_GetView(scene).selectionCount == 2);
		plSceneSelection region = plScene_GetSelection(scene, 0), pin = plScene_GetSelection(scene, 1);
		if (region.count != rows[i].count)
			FAIL_("%s selects %zu tets instead of %zu", rows[i].where, region.count, rows[i].count);
		CHECK(strcmp(region.owner, "region") == 0 && strcmp(pin.owner, "pin") == 0 && pin.count == 8);
	}
}

TEST(forces_pull_in_total_what_they_say)
{
	// 2000 kg, 2000 N: 1 m/s^2, for the first of two steps of 0.1 s: 0.01 and 0.01 more
	CHECK_READ(
	    readText(TOP("\"timestep\": 0.1, \"gravity\": [0, 0, 0], \"forces\": [{ \"body\": \"bar\", \"where\": \"all\", "
	                 "\"force\": [2000, 0, 0], \"until\": 0.1 }]")));
	double x[36];
	CHECK(stepTwice(x));
	CHECK_NEAR(x[0], 0.02, 1e-9);
	CHECK_READ(
	    readText(TOP("\"timestep\": 0.1, \"gravity\": [0, 0, 0], \"forces\": [{ \"body\": \"bar\", \"where\": \"all\", "
	                 "\"force\": [2000, 0, 0] }]")));
	CHECK(stepTwice(x));
	CHECK_NEAR(x[0], 0.03, 1e-9);
}

// Two tets with groups: tets "soft" (number 7) and 8, triangle "left"
static const char* const meshText =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"left\"\n3 7 \"core\"\n$EndPhysicalNames\n"
    "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"
    "$Elements\n3\n1 2 2 1 1 1 4 3\n2 4 2 7 1 1 2 3 4\n3 4 2 8 2 2 5 3 4\n$EndElements\n";

#define FILE_BODY(name, rest)                                                                                          \
	"{ \"name\": \"" name                                                                                              \
	"\", \"type\": \"soft\", \"mesh\": { \"file\": \"two.msh\" }, \"density\": 1000, " MATERIAL rest "}"

TEST(mesh_files_are_found_beside_the_scene_and_read_once)
{
	scratchWrite("two.msh", meshText, strlen(meshText));
	CHECK_READ(readText("{ \"pliant\": 1, \"bodies\": [" FILE_BODY("a", "") ", " FILE_BODY("b", "") "] }"));
	CHECK(plScene_GetBody(scene, 0).mesh == plScene_GetBody(scene, 1).mesh);
	CHECK(plMesh_GetView(plScene_GetBody(scene, 0).mesh).tetCount == 2);
}

TEST(regions_and_groups_are_found_by_name_and_number)
{
	scratchWrite("two.msh", meshText, strlen(meshText));
	CHECK_READ(readText("{ \"pliant\": 1, \"bodies\": [" FILE_BODY(
	    "a", ", \"regions\": [{ \"group\": \"core\", \"density\": 2000 }, { \"group\": \"8\", \"material\": { "
	         "\"young\": 1 } }]") "], \"pins\": [{ \"body\": \"a\", \"where\": { \"group\": \"left\" } }] }"));
	plWorld* world = plScene_CreateWorld(scene, NULL, NULL, problems);
	CHECK(world != NULL);
	double m[5], mass = 0;
	plBody_GetMasses(world, plScene_GetBody(scene, 0).id, m);
	for (int i = 0; i < 5; i++)
		mass += m[i];
	plDestroyWorld(world);
	CHECK_NEAR(mass, 2000.0 / 6 + 1000.0 / 3, 1e-9); // volumes 1/6 and 1/3
	readText("{ \"pliant\": 1, \"bodies\": [" FILE_BODY(
	    "a", ", \"regions\": [{ \"group\": \"left\", \"density\": 2 }]") "] }");
	CHECK(reported("unknown group of tets \"left\""));
	readText(
	    "{ \"pliant\": 1, \"bodies\": [" FILE_BODY("a", "") "], \"pins\": [{ \"body\": \"a\", \"where\": { \"group\": "
	                                                        "\"lef\" } }] }");
	CHECK(reported("unknown group \"lef\"; did you mean \"left\"?"));
}

// Node 6, in no tet, is nearest to the point and does not count; a group selects tets for a region.
TEST(loose_vertices_are_not_nearest_and_groups_select_tets)
{
	static const char loose[] =
	    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 7 \"core\"\n$EndPhysicalNames\n"
	    "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n6 0.6 0.6 0.6\n$EndNodes\n"
	    "$Elements\n2\n1 4 2 7 1 1 2 3 4\n2 4 2 8 2 2 5 3 4\n$EndElements\n";
	scratchWrite("two.msh", loose, strlen(loose));
	CHECK_READ(readText("{ \"pliant\": 1, \"gravity\": [0, -9.81, 0], \"timestep\": 0.1, \"bodies\": [" FILE_BODY(
	    "a",
	    ", \"regions\": [{ \"where\": { \"not\": { \"group\": \"core\" } }, \"density\": 2 }]") "], "
	                                                                                            "\"pins\": [{ "
	                                                                                            "\"body\": \"a\", "
	                                                                                            "\"where\": { "
	                                                                                            "\"nearest\": [0.6, "
	                                                                                            "0.6, 0.6] } }, "
	                                                                                            "{ \"body\": \"a\", "
	                                                                                            "\"where\": { "
	                                                                                            "\"nearest\": [0.6, "
	                                                                                            "0.6, 0.6], \"count\": "
	                                                                                            "5 } }] }"));
	CHECK(plScene_GetSelection(scene, 0).count == 1 && plScene_GetSelection(scene, 1).count == 1);
	CHECK(readText("{ \"pliant\": 1, \"bodies\": [" FILE_BODY(
	          "a", "") "], \"pins\": [{ \"body\": \"a\", \"where\": "
	                   "{ \"nearest\": [0.6, 0.6, 0.6], \"count\": 6 } }] }") == NULL);
	CHECK(reported("expected at most 5, found 6"));
}

TEST(a_box_takes_vertices_on_its_bounds_after_a_rotation)
{
	CHECK_READ(readText("{ \"pliant\": 1, \"bodies\": [{ \"name\": \"bar\", \"type\": \"soft\", "
	                    "\"mesh\": { \"box\": [1, 0.3, 0.3], \"cells\": [10, 3, 3] }, \"density\": 1000, " MATERIAL
	                    ", \"transform\": { \"rotate\": [1, 1, 1, 120], \"translate\": [0.1, 0.2, 0.3] } }],"
	                    // x, y, z become y, z, x: the end at x = 0 lies in the plane y = 0.2
	                    "\"pins\": [{ \"body\": \"bar\", \"where\": { \"box\": [[-9, 0.2, -9], [9, 0.2, 9]] } }] }"));
	plWorld* world = plScene_CreateWorld(scene, NULL, NULL, problems);
	CHECK(world != NULL);
	double before[11 * 16 * 3], after[11 * 16 * 3];
	plStepReport report;
	plBodyId id = plScene_GetBody(scene, 0).id;
	plBody_GetPositions(world, id, before);
	CHECK(plWorld_Step(world, &report, NULL) >= 0);
	plBody_GetPositions(world, id, after);
	plDestroyWorld(world);
	int held = 0, end = 0;
	for (int i = 0; i < 11 * 16; i++)
	{
		bool still = memcmp(before + 3 * i, after + 3 * i, 3 * sizeof(double)) == 0;
		held += still;
		end += still && i % 11 == 0;
	}
	CHECK(held == 16 && end == 16);
	refused("{ \"pliant\": 1, \"bodies\": [" BODY
	        "],\n\"pins\": [{ \"body\": \"bar\", \"where\": { \"box\": [[2.0001, 0, 0], "
	        "[3, 1, 1]] } }] }",
	        ":2:45: the box selects no vertex; the body spans [0, 0, 0] to [2, 1, 1]");
}

TEST(changed_bytes_of_a_scene_are_read_or_refused_with_words)
{
	const char* whole =
	    TOP("\"solver\": { \"iterations\": 4 }, \"pins\": [{ \"body\": \"bar\", \"where\": { \"box\": [[0, 0, 0], [0, "
	        "1, 1]] }, \"motion\": { \"rotate\": [1, 0, 0, 90], \"until\": 1 } }]");
	size_t length = strlen(whole);
	uint64_t seed = 3;
	char text[1024];
	for (int round = 0; round < 600; round++)
	{
		strcpy(text, whole);
		for (int change = 0; change <= round % 3; change++)
			text[(size_t)((testRandom(&seed) + 1) * 0.5 * (double)(length - 1))] =
			    "{}[]\",:0123456789.e-x \\"[(int)((testRandom(&seed) + 1) * 11.4)];
		// large meshes are not the point here
		if (strstr(text, "\"cells\": [2, 1, 1] }") == NULL)
			continue;
		plScene* read = readText(text);
		CHECK((read != NULL) == (plDiagnostics_GetErrorCount(problems) == 0));
	}
}

TEST(reading_leaves_nothing_behind)
{
	CHECK(scratchCount() <= 2); // s.json and two.msh
}
