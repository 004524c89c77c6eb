// scene_options_test.c: the text of a scene as it is run, and what the options of the command change in it
#include "scene_bar.h"
#include "world/world.h"
#include "scene.h"

static plScene* readSet(const char* text, const char* const* sets, size_t count)
{
	plSceneOptions options = plDefaultSceneOptions();
	options.sets = sets;
	options.setCount = count;
	return readWith(text, &options);
}

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
	CHECK(view.steps == 5 && view.outputEvery == 4 && view.formats[pl_frameVtu] && view.formats[pl_frameObj]);
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
	CHECK_TEXT(plScene_GetBody(scene, 0).name, "beam");
}

// Refused with this one line, which names the option and no place in the file.
static void refusedSet(const char* set, const char* words)
{
	if (readSet(TOP("\"solver\": \"newton\""), &set, 1) != NULL)
		FAIL_("accepted: %s", set);
	char full[512];
	snprintf(full, sizeof full, "--set %s: %s", set, words);
	checkOneProblem(full);
}

TEST(bad_options_are_refused_by_name)
{
	CALL(refusedSet("bodies.foo.x=1", "there is no body or index \"foo\"; there is: bar"));
	CALL(refusedSet("bodies.bra.x=1", "there is no body or index \"bra\"; did you mean \"bar\"?"));
	CALL(refusedSet("bodies.1.density=1", "there is no body or index \"1\""));
	CALL(refusedSet("bodies.bar.densty=1", "unknown key \"densty\"; did you mean \"density\"?"));
	CALL(refusedSet("bodies.bar.density=-1", "\"density\" must be above 0, found -1"));
	CALL(refusedSet("bodies.bar.density=heavy", "expected a number, found the string \"heavy\""));
	CALL(refusedSet("bodies.bar.density=1e400", "expected a number, found the string \"1e400\""));
	CALL(refusedSet("bodies.bar.density.x=1", "there is no \"x\" in the number 1000"));
	CALL(refusedSet("bodies[0].density=1",
	                "an element of a list is a part of the path, e.g. bodies.0.density, not \"bodies[0]\""));
	CALL(refusedSet("solver.method=newtin", "unknown method \"newtin\"; did you mean \"newton\"?"));
	CALL(refusedSet("gravity=[0,1", "character 5 of the value: expected \",\""));
	CALL(refusedSet("gravity=[0,1]", "expected a list of 3 numbers, found a list of 2"));
	CALL(refusedSet("steps", "expected path.to.key=value"));
	CALL(refusedSet("=3", "the path has an empty part"));
	CALL(refusedSet("bodies..density=3", "the path has an empty part"));
	CALL(refusedSet("steps=\xFF", "character 1 of the value: byte 0xff"));
	CALL(refusedSet("weather=[]", "unknown key \"weather\"; there is: pliant, gravity"));
	plSceneOptions options = plDefaultSceneOptions();
	options.method = "simplex";
	options.iterations = 0;
	options.steps = -7;
	options.formats = "vtu,stl";
	options.precision = "half";
	CHECK(readWith(TOP("\"steps\": 1"), &options) == NULL);
	CHECK(reported("--method simplex: unknown method \"simplex\"; there is: newton, gradient"));
	CHECK(reported("--iterations 0: expected at least 1, found 0"));
	CHECK(reported("--steps -7: expected at least 0, found -7"));
	CHECK(reported("--format vtu,stl: unknown format \"stl\"; there is: vtu, obj"));
	CHECK(reported("--precision half: unknown precision \"half\"; there is: double, float"));
	CHECK(plDiagnostics_GetCount(problems) == 5);
	options = plDefaultSceneOptions();
	options.formats = "none";
	CHECK_READ(readWith(TOP("\"steps\": 1"), &options));
	CHECK(!plScene_GetView(scene).formats[pl_frameVtu]);
}

TEST(the_backend_is_the_one_asked_for_and_no_part_of_the_scene)
{
	plSceneOptions options = plDefaultSceneOptions();
	char name[32];
	for (size_t i = 0; plGetBackendName(i) != NULL; ++i)
	{
		snprintf(name, sizeof name, "%s", plGetBackendName(i)); // the caller's text need not last
		options.backend = name;
		CHECK_READ(readWith(TOP("\"steps\": 1"), &options));
		memset(name, 0, sizeof name);
		CHECK(scene->world.backend == plGetBackendName(i));
		CHECK(strstr(plScene_GetView(scene).text, "backend") == NULL);
		plWorld* world = plScene_CreateWorld(scene, NULL, NULL, problems);
		CHECK(world != NULL && world->backend == plBackend_Get(i));
		plDestroyWorld(world);
	}
	options.backend = "abacus";
	CHECK(readWith(TOP("\"steps\": 1"), &options) == NULL);
	checkOneProblem("--backend abacus: unknown backend \"abacus\"; the default is \"cpu\"");
}
