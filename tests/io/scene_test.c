// scene_test.c: scenes are read as the format page says, options change them, and bad ones are refused with their place
#include "pliant/io.h"
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[64];
static plDiagnostics* problems;
static plScene* scene;

static char* inFolder(const char* name)
{
	static char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static void writeFile(const char* name, const char* text)
{
	FILE* file = fopen(inFolder(name), "wb");
	if (file == NULL || fwrite(text, 1, strlen(text), file) != strlen(text) || fclose(file) != 0)
	{
		fprintf(stderr, "cannot write %s\n", inFolder(name));
		exit(1);
	}
}

static plScene* readWith(const char* text, const plSceneOptions* options)
{
	if (folder[0] == 0)
	{
		strcpy(folder, "scene_test_XXXXXX");
		if (mkdtemp(folder) == NULL)
			exit(1);
	}
	plDestroyScene(scene);
	plDestroyDiagnostics(problems);
	problems = plCreateDiagnostics();
	writeFile("s.json", text);
	scene = plReadScene(inFolder("s.json"), options, problems);
	return scene;
}

static plScene* readText(const char* text)
{
	return readWith(text, NULL);
}

static plScene* readSet(const char* text, const char* const* sets, size_t count)
{
	plSceneOptions options = plDefaultSceneOptions();
	options.sets = sets;
	options.setCount = count;
	return readWith(text, &options);
}

static void showProblems(void)
{
	for (size_t i = 0; i < plDiagnostics_GetCount(problems); i++)
		fprintf(stderr, "    %s\n", plDiagnostics_GetText(problems, i));
}

// True if one of the problems contains the words.
static bool reported(const char* words)
{
	for (size_t i = 0; i < plDiagnostics_GetCount(problems); i++)
	{
		if (strstr(plDiagnostics_GetText(problems, i), words))
			return true;
	}
	return false;
}

#define CHECK_READ(expression)                                                                                         \
	do                                                                                                                 \
	{                                                                                                                  \
		if ((expression) == NULL)                                                                                      \
		{                                                                                                              \
			showProblems();                                                                                            \
			FAIL_("refused: %s", #expression);                                                                         \
		}                                                                                                              \
	} while (0)

// Refused with exactly one problem: `FILE` + words, e.g. ":3:12: expected a number".
static void refused(const char* text, const char* words)
{
	if (readText(text) != NULL)
		FAIL_("accepted: %s", text);
	char full[512];
	snprintf(full, sizeof full, "%s%s", inFolder("s.json"), words);
	if (plDiagnostics_GetCount(problems) != 1 || strncmp(plDiagnostics_GetText(problems, 0), full, strlen(full)) != 0)
	{
		showProblems();
		FAIL_("expected the one problem %s", full);
	}
}

// A scene around one body's line, so that places are known: the body stands on line 3.
#define BODY_SCENE(body, rest) "{ \"pliant\": 1,\n\"bodies\": [\n" body "]" rest "}"
#define MESH "\"mesh\": { \"box\": [2, 1, 1], \"cells\": [2, 1, 1] }"
#define MATERIAL "\"material\": { \"law\": \"neo-hookean\", \"young\": 1e5, \"poisson\": 0.4 }"
#define BODY "{ \"name\": \"bar\", \"type\": \"soft\", " MESH ", \"density\": 1000, " MATERIAL " }"
#define BODY_MATERIAL(material)                                                                                        \
	BODY_SCENE("{ \"type\": \"soft\", " MESH ", \"density\": 1000,\n\"material\": " material " }", "")
#define BODY_MESH(mesh) BODY_SCENE("{ \"type\": \"soft\", \"density\": 1000, " MATERIAL ",\n\"mesh\": " mesh " }", "")
// What follows the bodies, on line 4.
#define REST(rest) BODY_SCENE(BODY, ",\n" rest)
// What follows the version, on line 2.
#define TOP(rest) "{ \"pliant\": 1,\n" rest ",\n\"bodies\": [" BODY "] }"

// ---- what is read -------------------------------------------------------------------------------------------------

TEST(defaults_are_those_of_the_format)
{
	CHECK_READ(readText(BODY_SCENE("{ \"type\": \"soft\", " MESH ", \"density\": 1000, \"material\": {} }", "")));
	plSceneView view = plScene_GetView(scene);
	CHECK_TEXT(view.name, "s");
	CHECK(view.steps == 300 && view.timestep == 0.01666667);
	CHECK(view.outputEvery == 1 && view.checkpointEvery == 0 && view.formatVtu && !view.formatObj);
	CHECK(view.solver.method == pl_methodNewton && view.solver.iterations == 50 && view.solver.tolerance == 1e-8);
	CHECK(view.solver.precision == pl_precisionDouble && view.solver.factorisation == pl_factorAuto);
	CHECK(view.bodyCount == 1);
	CHECK_TEXT(view.bodies[0].name, "body0");
	CHECK(plMesh_GetView(view.bodies[0].mesh).vertexCount == 12 && plMesh_GetView(view.bodies[0].mesh).tetCount == 12);
	CHECK(PL_IS_NULL(view.bodies[0].id));
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
	CHECK(!view.formatVtu && view.formatObj);
	CHECK(view.solver.iterations == 7 && view.solver.tolerance == 1e-6 && view.solver.accept == 0.01);
	CHECK(view.solver.precision == pl_precisionFloat && view.solver.factorisation == pl_factorSimplicial);
	CHECK(view.bodyCount == 3);
	CHECK_TEXT(view.bodies[1].name, "body1");
	CHECK(plMesh_GetView(view.bodies[1].mesh).tetCount == 5);
	CHECK_READ(readText(TOP("\"output\": { \"formats\": [\"mdd\", \"pc2\"] }")));
	view = plScene_GetView(scene);
	CHECK(!view.formatVtu && !view.formatObj && view.formatPc2 && view.formatMdd);
	CHECK_READ(readText(TOP("\"output\": { \"formats\": [] }")));
	view = plScene_GetView(scene);
	CHECK(!view.formatVtu && !view.formatObj);
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
	plSceneView view = plScene_GetView(scene);
	CHECK(plBody_IsValid(world, view.bodies[0].id) && plBody_IsValid(world, view.bodies[1].id));
	double x[36], v[36], m[12], mass = 0;
	plBody_GetPositions(world, view.bodies[1].id, x);
	plBody_GetVelocities(world, view.bodies[1].id, v);
	plBody_GetMasses(world, view.bodies[1].id, m);
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
	plBody_GetPositions(world, plScene_GetView(scene).bodies[0].id, x);
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
	readText("{}"); // makes the folder
	writeFile("two.msh", meshText);
	CHECK_READ(readText("{ \"pliant\": 1, \"bodies\": [" FILE_BODY("a", "") ", " FILE_BODY("b", "") "] }"));
	plSceneView view = plScene_GetView(scene);
	CHECK(view.bodies[0].mesh == view.bodies[1].mesh);
	CHECK(plMesh_GetView(view.bodies[0].mesh).tetCount == 2);
}

TEST(regions_and_groups_are_found_by_name_and_number)
{
	readText("{}");
	writeFile("two.msh", meshText);
	CHECK_READ(readText("{ \"pliant\": 1, \"bodies\": [" FILE_BODY(
	    "a", ", \"regions\": [{ \"group\": \"core\", \"density\": 2000 }, { \"group\": \"8\", \"material\": { "
	         "\"young\": 1 } }]") "], \"pins\": [{ \"body\": \"a\", \"where\": { \"group\": \"left\" } }] }"));
	plWorld* world = plScene_CreateWorld(scene, NULL, NULL, problems);
	CHECK(world != NULL);
	double m[5], mass = 0;
	plBody_GetMasses(world, plScene_GetView(scene).bodies[0].id, m);
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
	plBodyId id = plScene_GetView(scene).bodies[0].id;
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

// ---- the text that was run ----------------------------------------------------------------------------------------

TEST(the_text_is_the_scene_as_it_is_run)
{
	const char* const sets[] = {"bodies.bar.density=900", "output.every=4"};
	plSceneOptions options = plDefaultSceneOptions();
	options.sets = sets;
	options.setCount = 2;
	options.steps = 5;
	options.method = "gradient";
	options.iterations = 3;
	options.tolerance = 1e-3;
	options.precision = "float";
	options.formats = "vtu,obj";
	CHECK_READ(readWith(
	    "{ \"pliant\": 1, // comment\n\"solver\": { \"iterations\": 77, \"accept\": 0.5 },\n\"bodies\": [" BODY "] }",
	    &options));
	plSceneView view = plScene_GetView(scene);
	CHECK_TEXT(view.text,
	           "{\n  \"pliant\": 1,\n"
	           "  \"solver\": { \"method\": \"gradient\", \"iterations\": 3, \"tolerance\": 0.001, \"precision\": "
	           "\"float\" },\n"
	           "  \"bodies\": [\n    {\n      \"name\": \"bar\",\n      \"type\": \"soft\",\n"
	           "      \"mesh\": { \"box\": [2, 1, 1], \"cells\": [2, 1, 1] },\n      \"density\": 900,\n"
	           "      \"material\": { \"law\": \"neo-hookean\", \"young\": 1e5, \"poisson\": 0.4 }\n    }\n  ],\n"
	           "  \"output\": { \"every\": 4, \"formats\": [\"vtu\", \"obj\"] },\n  \"steps\": 5\n}\n");
	CHECK(view.steps == 5 && view.outputEvery == 4 && view.formatVtu && view.formatObj);
	CHECK(view.solver.method == pl_methodGradient && view.solver.iterations == 3 && view.solver.tolerance == 1e-3);
	CHECK(view.solver.precision == pl_precisionFloat);
	CHECK(view.solver.accept == plDefaultSolverDef(pl_methodGradient).accept); // --method drops the block
	char* text = strdup(view.text);
	CHECK_READ(readText(text));
	CHECK_TEXT(plScene_GetView(scene).text, text);
	CHECK(plScene_FindDifference(scene, text) == NULL);
	free(text);
}

TEST(a_difference_is_named_by_its_key)
{
	CHECK_READ(readText(TOP("\"steps\": 10")));
	CHECK(plScene_FindDifference(scene, TOP("\"steps\": 20, \"output\": { \"every\": 7 }")) == NULL);
	CHECK_TEXT(plScene_FindDifference(scene, TOP("\"timestep\": 0.1")), "timestep");
	CHECK_TEXT(plScene_FindDifference(scene, BODY_SCENE("{}", "")), "bodies.0.name");
	const char* const set[] = {"bodies.0.material.young=2e5"};
	CHECK_READ(readSet(TOP("\"steps\": 10"), set, 1));
	CHECK_TEXT(plScene_FindDifference(scene, TOP("\"steps\": 10")), "bodies.0.material.young");
	CHECK(plScene_FindDifference(scene, "{ \"pliant\": 1") != NULL);
	CHECK(plScene_FindDifference(scene, "") != NULL);
}

// ---- options ------------------------------------------------------------------------------------------------------

TEST(set_changes_what_its_path_names)
{
	const char* const sets[] = {"bodies.bar.material.young=2e5",
	                            "bodies.0.density=900",
	                            "solver.iterations=5",
	                            "gravity=[0, 0, 0]",
	                            "gravity.1=-1",
	                            "pins.0.axes=xy",
	                            "bodies.bar.name=beam",
	                            "pins.0.body=beam",
	                            "bodies.beam.velocity=[1,0,0]"};
	CHECK_READ(
	    readSet(TOP("\"solver\": \"gradient\", \"pins\": [{ \"body\": \"bar\", \"where\": \"all\" }]"), sets, 9));
	plSceneView view = plScene_GetView(scene);
	CHECK(strstr(view.text, "\"solver\": { \"method\": \"gradient\", \"iterations\": 5 }"));
	CHECK(strstr(view.text, "\"young\": 2e5") && strstr(view.text, "\"density\": 900"));
	CHECK(strstr(view.text, "\"gravity\": [0, -1, 0]") && strstr(view.text, "\"axes\": \"xy\""));
	CHECK(strstr(view.text, "\"velocity\": [1, 0, 0]"));
	CHECK(view.solver.iterations == 5 && view.solver.method == pl_methodGradient);
	CHECK_TEXT(view.bodies[0].name, "beam");
}

// Refused with this one line, which names the option and no place in the file.
static void refusedSet(const char* set, const char* words)
{
	if (readSet(TOP("\"solver\": \"newton\""), &set, 1) != NULL)
		FAIL_("accepted: %s", set);
	char full[512];
	snprintf(full, sizeof full, "--set %s: %s", set, words);
	if (plDiagnostics_GetCount(problems) != 1 || strncmp(plDiagnostics_GetText(problems, 0), full, strlen(full)) != 0)
	{
		showProblems();
		FAIL_("expected the one problem %s", full);
	}
}

TEST(bad_options_are_refused_by_name)
{
	CALL(refusedSet("bodies.foo.x=1", "there is no body or index \"foo\""));
	CALL(refusedSet("bodies.1.density=1", "there is no body or index \"1\""));
	CALL(refusedSet("bodies.bar.densty=1", "unknown key \"densty\"; did you mean \"density\"?"));
	CALL(refusedSet("bodies.bar.density=-1", "\"density\" must be above 0, found -1"));
	CALL(refusedSet("bodies.bar.density=heavy", "expected a number, found the string \"heavy\""));
	CALL(refusedSet("bodies.bar.density=1e400", "expected a number, found the string \"1e400\""));
	CALL(refusedSet("bodies.bar.density.x=1", "there is no \"x\" in the number 1000"));
	CALL(refusedSet("solver.method=newtin", "unknown method \"newtin\"; did you mean \"newton\"?"));
	CALL(refusedSet("gravity=[0,1", "character 5 of the value: expected \",\""));
	CALL(refusedSet("gravity=[0,1]", "expected a list of 3 numbers, found a list of 2"));
	CALL(refusedSet("steps", "expected path.to.key=value"));
	CALL(refusedSet("=3", "the path has an empty part"));
	CALL(refusedSet("bodies..density=3", "the path has an empty part"));
	CALL(refusedSet("steps=\xFF", "character 1 of the value: byte 0xff"));
	CALL(refusedSet("joints=[]", "unknown key \"joints\"; there is: pliant, gravity"));
	plSceneOptions options = plDefaultSceneOptions();
	options.method = "vbd";
	options.iterations = 0;
	options.steps = -7;
	options.formats = "vtu,stl";
	options.precision = "half";
	CHECK(readWith(TOP("\"steps\": 1"), &options) == NULL);
	CHECK(reported("--method vbd: unknown method \"vbd\"; there is: newton, gradient"));
	CHECK(reported("--iterations 0: expected at least 1, found 0"));
	CHECK(reported("--steps -7: expected at least 0, found -7"));
	CHECK(reported("--format vtu,stl: unknown format \"stl\"; there is: vtu, obj"));
	CHECK(reported("--precision half: unknown precision \"half\"; there is: double, float"));
	CHECK(plDiagnostics_GetCount(problems) == 5);
	options = plDefaultSceneOptions();
	options.formats = "none";
	CHECK_READ(readWith(TOP("\"steps\": 1"), &options));
	CHECK(!plScene_GetView(scene).formatVtu);
}

// ---- what is refused ----------------------------------------------------------------------------------------------

TEST(files_that_are_no_scene_are_refused)
{
	CALL(refused("", ":1:1: the text is empty"));
	CALL(refused("[]", ":1:1: expected a scene, which is an object, found an empty list"));
	CALL(refused("{ \"pliant\": 1,", ":1:15: "));
	CALL(refused("\x89PNG\r\n", ":1:1: byte 0x89"));
	CALL(refused("{ \"pliant\": 1e400 }", ":1:13: the number 1e400 is too large"));
	plDiagnostics* found = plCreateDiagnostics();
	CHECK(plReadScene("no/such/scene.json", NULL, found) == NULL);
	CHECK(plDiagnostics_GetCount(found) == 1);
	CHECK_TEXT(plDiagnostics_GetText(found, 0), "no/such/scene.json: cannot be opened: No such file or directory");
	CHECK(plReadScene(".", NULL, found) == NULL);
	CHECK(strstr(plDiagnostics_GetText(found, 1), ".: cannot be read: Is a directory") != NULL);
	plDestroyDiagnostics(found);
}

TEST(the_top_level_is_checked)
{
	CALL(refused("{ \"bodies\": [" BODY "] }", ":1:1: missing key \"pliant\""));
	CALL(refused("{ \"pliant\": 1 }", ":1:1: missing key \"bodies\""));
	CALL(refused("{ \"pliant\": 2,\n\"bodies\": [" BODY "] }", ":1:13: version 2"));
	CALL(refused("{ \"pliant\": 1, \"bodies\": [] }", ":1:26: expected a list of bodies, found an empty list"));
	CALL(refused("{ \"pliant\": 1, \"bodies\": {} }", ":1:26: expected a list of bodies, found an object"));
	CALL(refused(TOP("\"gravty\": [0, 0, 0]"), ":2:1: unknown key \"gravty\"; did you mean \"gravity\"?"));
	CALL(refused(TOP("\"joints\": []"), ":2:1: unknown key \"joints\"; there is: pliant, gravity, timestep, steps, "));
	CALL(refused(TOP("\"gravity\": -9.81"), ":2:12: expected a list of 3 numbers, found the number -9.81"));
	CALL(refused(TOP("\"gravity\": [0, \"-9.81\", 0]"), ":2:16: expected a number, found the string \"-9.81\""));
	CALL(refused(TOP("\"timestep\": 0"), ":2:13: \"timestep\" must be above 0, found 0"));
	CALL(refused(TOP("\"timestep\": -0.1"), ":2:13: \"timestep\" must be above 0, found -0.1"));
	CALL(refused(TOP("\"timestep\": \"0.1\""), ":2:13: expected a number, found the string \"0.1\""));
	CALL(refused(TOP("\"timestep\": 1e9"), ":2:13: timestep is 1e+09 s"));
	CALL(refused(TOP("\"steps\": 1.5"), ":2:10: expected a whole number, found 1.5"));
	CALL(refused(TOP("\"steps\": -1"), ":2:10: expected at least 0, found -1"));
	CALL(refused(TOP("\"steps\": 1e300"), ":2:10: expected at most"));
	CALL(refused(TOP("\"steps\": true"), ":2:10: expected a whole number, found true"));
	CALL(refused(TOP("\"substeps\": 0"), ":2:13: expected at least 1, found 0"));
}

TEST(solver_and_output_are_checked)
{
	CALL(refused(TOP("\"solver\": \"quasi-newton\""), ":2:11: unknown method \"quasi-newton\""));
	CALL(refused(TOP("\"solver\": 3"), ":2:11: expected the name of a method or an object, found the number 3"));
	CALL(refused(TOP("\"solver\": { \"method\": \"gradint\" }"), ":2:23: unknown method \"gradint\"; did you mean"));
	CALL(refused(TOP("\"solver\": { \"iterations\": 0 }"), ":2:27: expected at least 1, found 0"));
	CALL(refused(TOP("\"solver\": { \"tolerance\": -1 }"), ":2:26: \"tolerance\" cannot be below 0"));
	CALL(refused(TOP("\"solver\": { \"accept\": 0 }"), ":2:23: \"accept\" must be above 0"));
	CALL(refused(TOP("\"solver\": { \"accept\": 2 }"), ":2:11: solver: accept is 2"));
	CALL(refused(TOP("\"solver\": { \"precision\": \"singel\" }"), ":2:26: unknown precision \"singel\""));
	CALL(refused(TOP("\"solver\": { \"direction\": \"jacobi\" }"),
	             ":2:13: \"direction\" belongs to the descent methods, not to newton"));
	CALL(refused(TOP("\"solver\": { \"method\": \"gradient\", \"factorisation\": \"auto\" }"),
	             ":2:35: \"factorisation\" belongs to the method newton, not to gradient"));
	CALL(refused(TOP("\"output\": { \"every\": 0 }"), ":2:22: expected at least 1, found 0"));
	CALL(refused(TOP("\"output\": { \"formats\": \"vtu\" }"), ":2:24: expected a list of formats, found the string"));
	CALL(
	    refused(TOP("\"output\": { \"formats\": [\"vtk\"] }"), ":2:25: unknown format \"vtk\"; did you mean \"vtu\"?"));
	CALL(refused(TOP("\"output\": { \"checkpoint\": 0.5 }"), ":2:27: expected a whole number, found 0.5"));
}

TEST(bodies_are_checked)
{
	CALL(refused(BODY_SCENE("3", ""), ":3:1: expected a body, which is an object, found the number 3"));
	CALL(refused(BODY_SCENE("{ \"type\": \"cloth\" }", ""), ":3:11: unknown type of body \"cloth\"; there is: soft"));
	CALL(refused(BODY_SCENE("{ \"type\": \"soft\", \"density\": 1, " MATERIAL " }", ""), ":3:1: missing key \"mesh\""));
	CALL(refused(BODY_SCENE("{ \"type\": \"soft\", " MESH ", " MATERIAL " }", ""), ":3:1: missing key \"density\""));
	CALL(refused(BODY_SCENE("{ \"type\": \"soft\", " MESH ", \"density\": 1 }", ""), ":3:1: missing key \"material\""));
	CALL(refused(BODY_SCENE("{ " MESH ", \"density\": 1, " MATERIAL " }", ""), ":3:1: missing key \"type\""));
	CALL(refused(BODY_SCENE("{ \"type\": \"soft\", " MESH ", " MATERIAL ",\n\"density\": -5 }", ""),
	             ":4:12: \"density\" must be above 0, found -5"));
	CALL(refused(BODY_SCENE("{ \"type\": \"soft\", " MESH ", " MATERIAL ",\n\"density\": 0 }", ""),
	             ":4:12: \"density\" must be above 0, found 0"));
	CALL(refused(BODY_SCENE("{ \"type\": \"soft\", " MESH ", " MATERIAL ",\n\"density\": 1, \"densty\": 2 }", ""),
	             ":4:15: unknown key \"densty\"; did you mean \"density\"?"));
	CALL(refused(BODY_SCENE(BODY ",\n" BODY, ""), ":4:11: the name \"bar\" is taken by body 0"));
	const char* const names[] = {"\"\"", "\"a/b\"", "\".a\"", "\"a\\nb\"", "7"};
	for (int i = 0; i < 5; i++)
	{
		char text[1024];
		snprintf(text, sizeof text,
		         BODY_SCENE("{ \"name\": %s, \"type\": \"soft\", " MESH ", \"density\": 1, " MATERIAL " }", ""),
		         names[i]);
		CALL(refused(text, i == 0   ? ":3:11: the name of a body cannot be empty"
		                   : i == 4 ? ":3:11: expected a string"
		                            : ":3:11: the name of a body is part of file names"));
	}
}

#define BODY_TRANSFORM(transform)                                                                                      \
	BODY_SCENE("{ \"type\": \"soft\", " MESH ", \"density\": 1, " MATERIAL ",\n\"transform\": " transform " }", "")

TEST(transforms_are_checked)
{
	CALL(refused(BODY_TRANSFORM("{ \"scale\": 0 }"), ":4:25: \"scale\" must be above 0"));
	CALL(refused(BODY_TRANSFORM("{ \"scale\": [1, 1, 1] }"), ":4:25: expected a number, found a list"));
	CALL(refused(BODY_TRANSFORM("{ \"rotate\": [0, 0, 0, 90] }"), ":4:26: the axis of rotation has no length"));
	CALL(refused(BODY_TRANSFORM("{ \"rotate\": [0, 0, 1] }"), ":4:26: expected a list of 4 numbers"));
	CALL(refused(BODY_TRANSFORM("{ \"translate\": [0, 0] }"), ":4:29: expected a list of 3 numbers"));
	CALL(refused(BODY_TRANSFORM("{ \"move\": [0, 0, 0] }"), ":4:16: unknown key \"move\""));
}

TEST(meshes_are_checked)
{
	CALL(refused(BODY_MESH("\"bar.msh\""), ":4:9: expected an object, found the string \"bar.msh\""));
	CALL(refused(BODY_MESH("{}"), ":4:9: a mesh needs one of the keys"));
	CALL(refused(BODY_MESH("{ \"box\": [1, 1, 1], \"sphere\": 1, \"cells\": 2 }"),
	             ":4:29: \"box\" and \"sphere\" exclude"));
	CALL(refused(BODY_MESH("{ \"box\": [1, 0, 1], \"cells\": [1, 1, 1] }"),
	             ":4:18: each length of a box must be above 0"));
	CALL(refused(BODY_MESH("{ \"box\": [1, 1, 1] }"), ":4:9: missing key \"cells\""));
	CALL(refused(BODY_MESH("{ \"box\": [1, 1, 1], \"cells\": [1, 1] }"), ":4:38: expected a list of 3 whole numbers"));
	CALL(refused(BODY_MESH("{ \"box\": [1, 1, 1], \"cells\": [1, 0, 1] }"), ":4:42: expected at least 1, found 0"));
	CALL(
	    refused(BODY_MESH("{ \"box\": [1, 1, 1], \"cells\": [1, 1, 1], \"split\": 4 }"), ":4:58: expected at least 5"));
	CALL(refused(BODY_MESH("{ \"box\": [1, 1, 1], \"cells\": [1000000, 1000000, 1] }"), ":4:38: 2e+12 vertices"));
	CALL(refused(BODY_MESH("{ \"box\": [1, 1, 1], \"cells\": [4294967295, 4294967295, 4294967295] }"), ":4:38: 7.9"));
	CALL(refused(BODY_MESH("{ \"sphere\": -1, \"cells\": 2 }"), ":4:21: \"sphere\" must be above 0"));
	CALL(refused(BODY_MESH("{ \"sphere\": 1, \"cells\": 4000000000 }"), ":4:9: "));
	CALL(refused(BODY_MESH("{ \"sphere\": 1, \"cells\": 2, \"split\": 5 }"), ":4:36: unknown key \"split\""));
	CALL(refused(BODY_MESH("{ \"torus\": 1, \"cells\": [9, 2] }"), ":4:20: expected a list of 2 numbers"));
	CALL(refused(BODY_MESH("{ \"torus\": [1, -1], \"cells\": [9, 2] }"),
	             ":4:24: each length of a torus must be above 0"));
	CALL(refused(BODY_MESH("{ \"torus\": [1, 0.3], \"cells\": 9 }"), ":4:39: expected a list of 2 whole numbers"));
	CALL(refused(BODY_MESH("{ \"torus\": [1, 2], \"cells\": [9, 2] }"), ":4:9: torus: radius 1 and tube 2"));
	CALL(refused(BODY_MESH("{ \"torus\": [1, 0.3], \"cells\": [9, 2], \"turns\": 2 }"),
	             ":4:47: unknown key \"turns\"; did you mean"));
	CALL(refused(BODY_MESH("{ \"helix\": [1, 0.1], \"turns\": 2, \"cells\": [9, 2] }"), ":4:9: missing key \"pitch\""));
	CALL(refused(BODY_MESH("{ \"helix\": [1, 0.1], \"pitch\": 0.1, \"turns\": 2, \"cells\": [9, 2] }"),
	             ":4:9: helix: windings "));
	CALL(refused(BODY_MESH("{ \"cloth\": [1, 1], \"cells\": [9, 2] }"),
	             ":4:9: the mesh has no tets, and a soft body is made of them"));
	CHECK_READ(readText(BODY_MESH("{ \"torus\": [1, 0.3], \"cells\": [9, 2] }")));
	CHECK_READ(readText(
	    BODY_MESH("{ \"helix\": [1, 0.2], \"pitch\": 1, \"turns\": 2.5, \"strands\": 2, \"cells\": [40, 1] }")));
	CALL(refused(BODY_MESH("{ \"file\": \"\" }"), ":4:19: the name of the mesh file is empty"));
	CALL(refused(BODY_MESH("{ \"file\": 5 }"), ":4:19: expected a string, found the number 5"));
	CALL(refused(BODY_MESH("{ \"file\": \"a.msh\", \"repair\": \"fix\" }"),
	             ":4:38: unknown repair \"fix\"; there is: drop, flip"));
	// the mesh reader says what is wrong, the scene where it is used
	CHECK(readText(BODY_MESH("{ \"file\": \"absent.msh\" }")) == NULL);
	CHECK(reported("absent.msh: ") && reported("s.json:4:19: the mesh \"absent.msh\" cannot be used"));
}

TEST(materials_are_checked)
{
	CALL(refused(BODY_MATERIAL("\"rubber\""), ":4:13: expected an object, found the string \"rubber\""));
	CALL(refused(BODY_MATERIAL("{ \"law\": \"neo-hokean\" }"),
	             ":4:22: unknown law \"neo-hokean\"; did you mean \"neo-hookean\"?"));
	CALL(refused(BODY_MATERIAL("{ \"law\": \"elastic\" }"), ":4:22: unknown law \"elastic\"; there is: "));
	CALL(refused(BODY_MATERIAL("{ \"law\": \"callback\" }"), ":4:22: unknown law \"callback\"; there is: "));
	CALL(refused(BODY_MATERIAL("{ \"law\": 1 }"), ":4:22: expected a string"));
	CALL(refused(BODY_MATERIAL("{ \"young\": 0 }"), ":4:24: \"young\" must be above 0, found 0"));
	CALL(refused(BODY_MATERIAL("{ \"young\": -1e5 }"), ":4:24: \"young\" must be above 0, found -1e5"));
	CALL(refused(BODY_MATERIAL("{ \"young\": \"1e5\" }"), ":4:24: expected a number, found the string \"1e5\""));
	CALL(refused(BODY_MATERIAL("{ \"young\": 1e5, \"poisson\": 0.5 }"),
	             ":4:40: \"poisson\" must be above -1 and below 0.5"));
	CALL(refused(BODY_MATERIAL("{ \"poisson\": -1 }"), ":4:26: \"poisson\" must be above -1 and below 0.5, found -1"));
	CALL(refused(BODY_MATERIAL("{ \"poissn\": 0.3 }"), ":4:15: unknown key \"poissn\"; did you mean \"poisson\"?"));
	CALL(refused(BODY_MATERIAL("{ \"inversion\": \"konvert\" }"),
	             ":4:28: unknown inversion \"konvert\"; did you mean \"convert\"?"));
	CALL(refused(BODY_MATERIAL("{ \"mu\": 1e5 }"), ":4:13: missing coefficient \"lambda\" of the law neo-hookean"));
	CALL(refused(BODY_MATERIAL("{ \"mu\": 1e5, \"lambda\": 1, \"poisson\": 0.3 }"),
	             ":4:39: \"poisson\" and coefficients"));
	CALL(refused(BODY_MATERIAL("{ \"mu\": -1e5, \"lambda\": 1 }"), ":4:13: "));
	CHECK(readText(BODY_MATERIAL("{ \"law\": \"mooney-rivlin\", \"s0\": 1 }")) == NULL);
	CHECK(plDiagnostics_GetCount(problems) == 2 && reported("missing coefficient \"s1\"") &&
	      reported("coefficient \"s2\""));
}

#define AXIS(d, k) "{ \"direction\": [" d "], \"stiffness\": " k " }"

TEST(every_law_can_be_named_with_its_own_parameters)
{
	static const char* const materials[] = {
	    "{ \"law\": \"neo-hookean-iso\", \"s0\": 1e4, \"s1\": 1e5 }",
	    "{ \"law\": \"neo-hookean-iso\", \"young\": 1e5, \"poisson\": 0.3 }",
	    "{ \"law\": \"fung\", \"s0\": 1e4, \"s1\": 1e5, \"s2\": 1e3, \"s3\": 5 }",
	    "{ \"law\": \"fung\" }",
	    "{ \"law\": \"arap\", \"mu\": 1e4 }",
	    "{ \"law\": \"stable-neo-hookean\", \"young\": 1e5 }",
	    "{ \"law\": \"polynomial\", \"mu\": 1e6 }",
	    "{ \"law\": \"spline\", \"spline\": { \"preset\": \"A\" }, \"young\": 1e5, \"poisson\": 0.3 }",
	    "{ \"law\": \"spline\", \"spline\": { \"preset\": \"B\" }, \"mu\": 1e5, \"lambda\": 0 }",
	    "{ \"law\": \"spline\", \"spline\": { \"a\": [[0, 1e5], [1, 0], [2, 1e5]] } }",
	    "{ \"fibre\": { \"direction\": [0, 2, 0], \"stiffness\": 1e6 } }",
	    "{ \"fibre\": [ { \"direction\": [0, 2, 0], \"stiffness\": 1e6 } ] }",
	    "{ \"fibre\": [ " AXIS("1, 0, 0", "3") ", " AXIS("0, 1, 0", "2") ", " AXIS("0, 0, 1", "0") " ] }",
	};
	for (size_t i = 0; i < sizeof materials / sizeof *materials; i++)
	{
		char text[2048];
		snprintf(text, sizeof text, "%s%s%s",
		         "{ \"pliant\": 1, \"steps\": 2, \"bodies\": [{ \"type\": \"soft\", " MESH
		         ", \"density\": 1000, \"material\": ",
		         materials[i], " }] }");
		CHECK_READ(readText(text));
		plWorld* world = plScene_CreateWorld(scene, NULL, NULL, problems);
		CHECK(world != NULL);
		plStepReport report;
		CHECK(plWorld_Step(world, &report, NULL) == pl_success);
		plDestroyWorld(world);
	}
}

TEST(splines_fibres_and_laws_without_moduli_are_checked)
{
	CALL(refused(BODY_MATERIAL("{ \"law\": \"arap\" }"), ":4:13: missing coefficient \"mu\" of the law arap"));
	CALL(refused(BODY_MATERIAL("{ \"law\": \"arap\", \"young\": 1e5 }"),
	             ":4:30: the law arap has no \"young\", give its own coefficient \"mu\""));
	CALL(refused(BODY_MATERIAL("{ \"law\": \"polynomial\", \"mu\": 1, \"poisson\": 0.3 }"),
	             ":4:45: the law polynomial has no \"poisson\", give its own coefficient \"mu\""));
	CALL(refused(BODY_MATERIAL("{ \"law\": \"spline\" }"), ":4:13: missing key \"spline\""));
	CALL(refused(BODY_MATERIAL("{ \"spline\": {} }"), ":4:15: unknown key \"spline\""));
#define SPLINE(rest) BODY_MATERIAL("{ \"law\": \"spline\", \"spline\": " rest " }")
	CALL(refused(SPLINE("{}"), ":4:42: a spline needs a \"preset\", or at least one of the curves"));
	CALL(refused(SPLINE("{ \"preset\": \"C\" }"), ":4:54: unknown preset \"C\"; there is: A, B"));
	CALL(refused(SPLINE("{ \"preset\": \"A\", \"a\": [[0, 1]] }"), ":4:42: a preset and curves of one's own exclude"));
	CALL(refused(SPLINE("{ \"a\": [] }"), ":4:49: expected a list of knots [x, value]"));
	CALL(refused(SPLINE("{ \"a\": [[0, 1], [1], [2, 1]] }"), ":4:58: expected a knot"));
	CALL(refused(SPLINE("{ \"a\": [[0, 1], [1, \"0\"], [2, 1]] }"), ":4:58: expected a knot"));
	CALL(refused(SPLINE("{ \"a\": [[0, 1], [1, 0], [1, 1]] }"), ":4:13: knot 2 of curve a of spline is at 1"));
	CALL(refused(SPLINE("{ \"a\": [[0, 1], [1, 0], [2, 1]] }, \"young\": 1"),
	             ":4:77: a spline with curves of its own has no \"young\""));
	CALL(refused(SPLINE("{ \"preset\": \"A\" }, \"poisson\": -0.2"), ":4:13: poisson of spline is -0.2"));
	CALL(refused(BODY_MATERIAL("{ \"fibre\": { \"direction\": [0, 0, 0], \"stiffness\": 1 } }"),
	             ":4:39: the direction of the fibres has no length"));
	CALL(refused(BODY_MATERIAL("{ \"fibre\": { \"direction\": [0, 1, 0] } }"), ":4:24: missing key \"stiffness\""));
	CALL(refused(BODY_MATERIAL("{ \"fibre\": { \"stiffness\": 1 } }"), ":4:24: missing key \"direction\""));
	CALL(refused(BODY_MATERIAL("{ \"fibre\": { \"direction\": [0, 1, 0], \"stiffness\": -1 } }"),
	             ":4:63: \"stiffness\" cannot be below 0, found -1"));
	CALL(refused(BODY_MATERIAL("{ \"fibre\": [] }"), ":4:24: a material has one to 3 families of fibres, found 0"));
	CALL(refused(BODY_MATERIAL("{ \"fibre\": [ " AXIS("1, 0, 0", "3") ", " AXIS("0, 1, 0", "2") ", " AXIS(
	                 "0, 0, 1", "1") ", " AXIS("1, 1, 1", "1") " ] }"),
	             ":4:24: a material has one to 3 families of fibres, found 4"));
	CALL(refused(BODY_MATERIAL("{ \"fibre\": [ " AXIS("1, 0, 0", "3") ", 5 ] }"), ":4:70: expected an object, found"));
	CALL(refused(BODY_MATERIAL("{ \"fibre\": [ " AXIS("1, 0, 0", "3") ", " AXIS("0, 0, 0", "2") " ] }"),
	             ":4:85: the direction of the fibres has no length"));
	CALL(refused(BODY_MATERIAL("{ \"fibre\": [ " AXIS("1, 0, 0", "3") ", " AXIS("0, 1, 0", "-2") " ] }"),
	             ":4:109: \"stiffness\" cannot be below 0, found -2"));
	CALL(refused(BODY_MATERIAL("{ \"fibre\": 5 }"), ":4:24: expected an object"));
}

TEST(pins_are_checked)
{
	CALL(refused(REST("\"pins\": {}"), ":4:9: expected a list of pins, found an object"));
	CALL(refused(REST("\"pins\": [{ \"body\": \"baz\", \"where\": \"all\" }]"),
	             ":4:20: unknown body \"baz\"; did you mean \"bar\"?"));
	CALL(refused(REST("\"pins\": [{ \"where\": \"all\" }]"), ":4:10: missing key \"body\""));
	CALL(refused(REST("\"pins\": [{ \"body\": \"bar\" }]"), ":4:10: missing key \"where\""));
#define PIN(rest) REST("\"pins\": [{ \"body\": \"bar\",\n" rest " }]")
	CALL(refused(PIN("\"where\": \"none\""), ":5:10: expected \"all\" or an object"));
	CALL(refused(PIN("\"where\": {}"), ":5:10: expected one of the keys"));
	CALL(refused(PIN("\"where\": { \"box\": [[0, 0, 0]] }"), ":5:19: expected two corners"));
	CALL(refused(PIN("\"where\": { \"box\": [[5, 5, 5], [6, 6, 6]] }"),
	             ":5:19: the box selects no vertex; the body spans"));
	CALL(refused(PIN("\"where\": { \"box\": [[1, 0, 0], [0, 1, 1]] }"),
	             ":5:19: the first corner of a box is the lower one"));
	CALL(refused(PIN("\"where\": { \"vertices\": [] }"), ":5:24: the list selects no vertex"));
	CALL(refused(PIN("\"where\": { \"vertices\": [0, 12] }"), ":5:28: expected at most 11, found 12"));
	CALL(refused(PIN("\"where\": { \"vertices\": [-1] }"), ":5:25: expected at least 0, found -1"));
	CALL(refused(PIN("\"where\": { \"vertices\": [3, 3] }"), ":5:28: vertex 3 is listed twice"));
	CALL(refused(PIN("\"where\": { \"group\": \"left\" }"), ":5:21: unknown group \"left\"; there is none"));
	CALL(refused(PIN("\"where\": { \"group\": 1 }"),
	             ":5:21: expected the name of a group, a string, found the number 1"));
	CALL(refused(PIN("\"where\": \"all\", \"axes\": \"xw\""), ":5:25: expected some of the letters x, y, z"));
	CALL(refused(PIN("\"where\": \"all\", \"axes\": \"\""), ":5:25: expected some of the letters x, y, z"));
	CALL(
	    refused(PIN("\"where\": \"all\", \"axes\": \"xx\""), ":5:25: expected some of the letters x, y, z, each once"));
	CALL(refused(PIN("\"where\": \"all\", \"release\": -1"), ":5:28: \"release\" must be above 0"));
	CALL(refused(PIN("\"where\": \"all\", \"motion\": { \"from\": 2, \"until\": 1 }"),
	             ":5:49: \"until\" (1) must be later"));
	CALL(refused(PIN("\"where\": \"all\", \"motion\": { \"from\": 2 }"),
	             ":5:37: \"until\" (2) must be later than \"from\" (2)"));
	CALL(refused(PIN("\"where\": \"all\", \"motion\": { \"rotate\": [0, 0, 0, 5] }"), ":5:39: the axis of rotation"));
	CALL(refused(PIN("\"where\": \"all\", \"motion\": { \"about\": [0, 0, 0] }"), ":5:29: \"about\" is the centre"));
	CALL(refused(PIN("\"where\": \"all\", \"motion\": { \"spin\": 1 }"), ":5:29: unknown key \"spin\""));
}

TEST(forces_are_checked)
{
#define FORCE(rest) REST("\"forces\": [{ \"body\": \"bar\", \"where\": \"all\",\n" rest " }]")
	CALL(refused(FORCE("\"from\": 1"), ":4:12: missing key \"force\""));
	CALL(refused(FORCE("\"force\": 5"), ":5:10: expected a list of 3 numbers, found the number 5"));
	CALL(refused(FORCE("\"force\": [0, 0, 1], \"from\": 2, \"until\": 1"), ":5:41: \"until\" (1) must be later than"));
	CALL(refused(FORCE("\"force\": [0, 0, 1], \"traction\": [0, 0, 1]"),
	             ":5:21: \"force\" and \"traction\" exclude each other"));
	CALL(refused(REST("\"forces\": [{ \"body\": \"bar\", \"where\": { \"box\": [[9, 9, 9], [9, 9, 9]] }, \"force\": "
	                  "[0, 0, 0] }]"),
	             ":4:47: the box selects no vertex"));
}

TEST(all_problems_are_reported_at_once)
{
	CHECK(readText("{ \"pliant\": 3, \"timestep\": 0, \"solvr\": 1,\n\"bodies\": [{ \"type\": \"soft\", \"mesh\": { "
	               "\"box\": 1, \"cells\": 2 "
	               "}, \"density\": -1,\n\"material\": { \"law\": \"x\" } }],\n\"pins\": [{ \"body\": \"y\", "
	               "\"where\": \"z\" }],"
	               "\"forces\": [{}], \"output\": [] }") == NULL);
	const char* const words[] = {":1:13: version 3",
	                             ":1:28: \"timestep\"",
	                             ":1:31: unknown key \"solvr\"",
	                             ":2:47: expected a list of 3 numbers",
	                             ":2:59: expected a list of 3 whole numbers",
	                             ":2:75: \"density\"",
	                             ":3:22: unknown law",
	                             ":4:20: unknown body \"y\"",
	                             ":4:34: expected \"all\"",
	                             ":4:52: missing key \"body\"",
	                             ":4:52: missing key \"where\"",
	                             ":4:52: missing key \"force\"",
	                             "expected an object, found an empty list"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
	{
		if (!reported(words[i]))
		{
			showProblems();
			FAIL_("not reported: %s", words[i]);
		}
	}
	CHECK(plDiagnostics_GetCount(problems) == sizeof words / sizeof *words);
}

TEST(changed_bytes_of_a_scene_are_read_or_refused_with_words)
{
	const char* whole =
	    TOP("\"solver\": { \"iterations\": 4 }, \"pins\": [{ \"body\": \"bar\", \"where\": { \"box\": [[0, 0, 0], [0, "
	        "1, 1]] }, \"motion\": { \"rotate\": [1, 0, 0, 90] } }]");
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

TEST(the_scenes_that_come_with_pliant_are_read)
{
	const char* source = getenv("PLIANT_SOURCE");
	if (source == NULL)
		SKIP("PLIANT_SOURCE is not set");
	const char* const names[] = {"hello", "demo"};
	for (int i = 0; i < 2; i++)
	{
		char path[1024];
		snprintf(path, sizeof path, "%s/scenes/%s.json", source, names[i]);
		readText("{}");
		plDestroyDiagnostics(problems);
		problems = plCreateDiagnostics();
		CHECK_READ(scene = plReadScene(path, NULL, problems));
		CHECK_TEXT(plScene_GetView(scene).name, names[i]);
	}
}

TEST(the_folder_is_cleaned)
{
	plDestroyScene(scene);
	plDestroyDiagnostics(problems);
	scene = NULL;
	problems = NULL;
	unlink(inFolder("two.msh"));
	unlink(inFolder("s.json"));
	CHECK(rmdir(folder) == 0);
}

TEST_MAIN(RUN(defaults_are_those_of_the_format) RUN(everything_given_is_taken)
              RUN(the_world_has_the_bodies_where_the_scene_puts_them) RUN(pins_hold_and_move_what_they_select)
                  RUN(forces_pull_in_total_what_they_say) RUN(mesh_files_are_found_beside_the_scene_and_read_once)
                      RUN(regions_and_groups_are_found_by_name_and_number) RUN(
                          a_box_takes_vertices_on_its_bounds_after_a_rotation) RUN(the_text_is_the_scene_as_it_is_run)
                          RUN(a_difference_is_named_by_its_key) RUN(set_changes_what_its_path_names)
                              RUN(bad_options_are_refused_by_name) RUN(files_that_are_no_scene_are_refused)
                                  RUN(the_top_level_is_checked) RUN(solver_and_output_are_checked)
                                      RUN(bodies_are_checked) RUN(transforms_are_checked) RUN(meshes_are_checked)
                                          RUN(materials_are_checked) RUN(every_law_can_be_named_with_its_own_parameters)
                                              RUN(splines_fibres_and_laws_without_moduli_are_checked)
                                                  RUN(pins_are_checked) RUN(forces_are_checked)
                                                      RUN(all_problems_are_reported_at_once)
                                                          RUN(changed_bytes_of_a_scene_are_read_or_refused_with_words)
                                                              RUN(the_scenes_that_come_with_pliant_are_read)
                                                                  RUN(the_folder_is_cleaned))
