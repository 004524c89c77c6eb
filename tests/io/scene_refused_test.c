// scene_refused_test.c: what is no scene, and a bad top level, solver, output, pin or force, is refused with its place
#include "scene_bar.h"

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
	CHECK_TEXT(plDiagnostics_GetText(found, 0), "no/such/scene.json: cannot be read: No such file or directory");
	CHECK(plReadScene(".", NULL, found) == NULL);
	CHECK_TEXT(plDiagnostics_GetText(found, 1), ".: is not a file");
	CHECK(plReadScene("/dev/zero", NULL, found) == NULL); // it has no end
	CHECK_TEXT(plDiagnostics_GetText(found, 2), "/dev/zero: is not a file");
	plDestroyDiagnostics(found);
}

TEST(a_mesh_in_the_place_of_a_scene_is_told_by_its_name)
{
	plDiagnostics* found = plCreateDiagnostics();
	for (size_t i = 0; plGetMeshKind(i) != NULL; i++)
	{
		char path[32], words[96];
		snprintf(path, sizeof path, "bar%s", plGetMeshKind(i)->endings[0]);
		snprintf(words, sizeof words, "%s: is a mesh (%s), not a scene", path, plGetMeshKind(i)->name);
		CHECK(plReadScene(path, NULL, found) == NULL && plReadColliders(path, found) == NULL);
		CHECK(plDiagnostics_GetCount(found) == 2 * i + 2);
		CHECK_TEXT(plDiagnostics_GetText(found, 2 * i), words);
		CHECK(strstr(plDiagnostics_GetRemedy(found, 2 * i), "\"mesh\": {") != NULL);
	}
	plDestroyDiagnostics(found);
	found = plCreateDiagnostics();
	scratchWrite("bar.inp", "$Heading\n", 9);
	CHECK(plReadScene(scratchPath("bar.inp"), NULL, found) == NULL && plDiagnostics_GetCount(found) == 1);
	CHECK(strstr(plDiagnostics_GetText(found, 0), "bar.inp:1:1: is not a scene: expected a value, found \"$\"") !=
	      NULL);
	CHECK(strstr(plDiagnostics_GetRemedy(found, 0), ".msh .node .ele .mesh") != NULL);
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
	CALL(
	    refused(TOP("\"weather\": []"), ":2:1: unknown key \"weather\"; there is: pliant, gravity, timestep, steps, "));
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
	CALL(refused(TOP("\"sleep\": 1"), ":2:10: expected true or false, found the number 1"));
}

TEST(solver_and_output_are_checked)
{
	CALL(refused(TOP("\"solver\": \"quasi-neutron\""), ":2:11: unknown method \"quasi-neutron\""));
	CALL(
	    refused(TOP("\"solver\": \"projective\""), "the method projective takes the laws arap and strain-limit, not "));
	CALL(refused(TOP("\"solver\": 3"), ":2:11: expected the name of a method or an object, found the number 3"));
	CALL(refused(TOP("\"solver\": { \"method\": \"gradint\" }"), ":2:23: unknown method \"gradint\"; did you mean"));
	CALL(refused(TOP("\"solver\": { \"iterations\": 0 }"), ":2:27: expected at least 1, found 0"));
	CALL(refused(TOP("\"solver\": { \"tolerance\": -1 }"),
	             ":2:26: \"tolerance\" must be at least 0 and below 1, found -1"));
	CALL(refused(TOP("\"solver\": { \"accept\": 0 }"), ":2:23: \"accept\" must be above 0 and below 1, found 0"));
	CALL(refused(TOP("\"solver\": { \"accept\": 2 }"), ":2:23: \"accept\" must be above 0 and below 1, found 2"));
	CALL(refused(TOP("\"solver\": { \"budget\": \"realtime\" }"),
	             ":2:23: unknown budget \"realtime\"; did you mean \"real-time\"?"));
	CALL(refused(TOP("\"solver\": { \"budget\": 0 }"), ":2:23: expected at least 1, found 0"));
	CALL(refused(TOP("\"solver\": { \"budget\": 2.5 }"), ":2:23: expected a whole number, found 2.5"));
	CALL(refused(TOP("\"solver\": { \"budget_ms\": -8 }"), ":2:26: \"budget_ms\" must be at least 0, found -8"));
	CALL(refused(TOP("\"solver\": { \"budget_residual\": \"1\" }"), ":2:32: expected a number"));
	CALL(refused(TOP("\"solver\": { \"precision\": \"singel\" }"), ":2:26: unknown precision \"singel\""));
	CALL(refused(TOP("\"solver\": { \"direction\": \"jacobi\" }"),
	             ":2:13: \"direction\" belongs to the descent methods, not to auto"));
	CALL(refused(TOP("\"solver\": { \"method\": \"gradient\", \"factorisation\": \"auto\" }"),
	             ":2:35: \"factorisation\" belongs to newton, the descent methods (with direction newton), "
	             "quasi-newton and projective (with matrix rest, warped or hessian), not to gradient with direction "
	             "gradient"));
	// the choices of a descent method
#define DESCENT(settings) TOP("\"solver\": { \"method\": \"descent\", " settings " }")
	CALL(refused(DESCENT("\"direction\": \"gaus-seidel\""), ":2:47: unknown direction \"gaus-seidel\"; did you mean"));
	CALL(refused(DESCENT("\"step_length\": \"armjo\""), ":2:49: unknown step_length \"armjo\"; did you mean"));
	CALL(refused(DESCENT("\"acceleration\": \"heavy-ball\""), ":2:50: unknown acceleration"));
	CALL(refused(DESCENT("\"preconditioner\": \"ilu\""), ":2:52: unknown preconditioner"));
	CALL(refused(DESCENT("\"guess\": \"best\""), ":2:43: unknown guess"));
	CALL(refused(DESCENT("\"rho\": \"guess\""), ":2:41: unknown rho \"guess\""));
	CALL(refused(DESCENT("\"rho\": 1"), ":2:41: \"rho\" must be at least 0 and below 1, found 1"));
	CALL(refused(DESCENT("\"rho\": -0.5"), ":2:41: \"rho\" must be at least 0 and below 1, found -0.5"));
	CALL(refused(DESCENT("\"iterations\": 0"), ":2:48: expected at least 1, found 0"));
	CALL(refused(DESCENT("\"refresh\": 0"), ":2:45: expected at least 1, found 0"));
	CALL(refused(DESCENT("\"history\": -1"), ":2:45: expected at least 0, found -1"));
	CALL(refused(DESCENT("\"alpha\": -1"), ":2:43: \"alpha\" must be at least 0, found -1"));
	CALL(refused(DESCENT("\"direction\": \"lbfgs\""), ":2:11: solver: chebyshev needs the direction"));
	CALL(refused(DESCENT("\"direction\": \"ncg\", \"acceleration\": \"nesterov\""),
	             ":2:70: solver: nesterov does not go"));
	CALL(refused(DESCENT("\"direction\": \"newton\", \"acceleration\": \"none\", \"preconditioner\": \"jacobi\""),
	             ":2:99: solver: a preconditioner belongs to ncg and lbfgs, not to newton"));
	CALL(refused(DESCENT("\"phases\": 3"), ":2:44: expected a list of"));
	CALL(refused(DESCENT("\"phases\": []"), ":2:44: solver: there are 0 phases"));
	CALL(refused(DESCENT("\"phases\": [{ \"iterations\": 96 }]"), ":2:45: missing key \"rho\""));
	CALL(refused(DESCENT("\"phases\": [{ \"iterations\": 95, \"rho\": 0.9 }]"),
	             ":2:44: solver: the phases add up to 95 iterations, not to 96"));
	CALL(refused(DESCENT("\"rho\": 0.9, \"phases\": [{ \"iterations\": 96, \"rho\": 0.9 }]"),
	             ":2:46: either \"rho\" or \"phases\", not both"));
#define PHASES4                                                                                                        \
	"{ \"iterations\": 5, \"rho\": 0.9 }, { \"iterations\": 5, \"rho\": 0.9 }, { \"iterations\": 5, \"rho\": 0.9 }, "  \
	"{ \"iterations\": 5, \"rho\": 0.9 }"
	CALL(refused(DESCENT("\"phases\": [" PHASES4 ", " PHASES4 ", " PHASES4 ", " PHASES4 ", " PHASES4 "]"),
	             ":2:573: more than 16 phases"));
	CALL(refused(TOP("\"output\": { \"every\": 0 }"), ":2:22: expected at least 1, found 0"));
	CALL(refused(TOP("\"output\": { \"formats\": \"vtu\" }"), ":2:24: expected a list of formats, found the string"));
	CALL(
	    refused(TOP("\"output\": { \"formats\": [\"vtk\"] }"), ":2:25: unknown format \"vtk\"; did you mean \"vtu\"?"));
	CALL(refused(TOP("\"output\": { \"checkpoint\": 0.5 }"), ":2:27: expected a whole number, found 0.5"));
	CALL(refused(TOP("\"output\": { \"balance\": 1 }"), ":2:24: expected true or false, found the number 1"));
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
#define WHERE(where) PIN("\"where\": " where)
	CALL(refused(WHERE("{ \"bx\": 1 }"), ":5:12: unknown key \"bx\"; did you mean \"box\"?"));
	CALL(refused(WHERE("{ \"count\": 1 }"), ":5:10: expected one of the keys \"box\", \"sphere\""));
	CALL(refused(WHERE("{ \"surface\": true, \"group\": \"a\" }"),
	             ":5:29: \"surface\" and \"group\" exclude each other: combine selections by \"and\" or \"or\""));
	CALL(refused(WHERE("{ \"sphere\": 1 }"), ":5:22: expected an object, found the number 1"));
	CALL(refused(WHERE("{ \"sphere\": { \"centre\": [0, 0, 0] } }"), ":5:22: missing key \"radius\""));
	CALL(refused(WHERE("{ \"sphere\": { \"radius\": 0 } }"), ":5:34: \"radius\" must be above 0"));
	CALL(refused(WHERE("{ \"sphere\": { \"center\": [0, 0, 0], \"radius\": 1 } }"),
	             ":5:24: unknown key \"center\"; did you mean \"centre\"?"));
	CALL(refused(WHERE("{ \"sphere\": { \"centre\": [9, 9, 9], \"radius\": 1 } }"),
	             ":5:22: the sphere selects no vertex; the body spans [0, 0, 0] to [2, 1, 1]"));
	CALL(refused(WHERE("{ \"half_space\": { \"point\": [0, 0, 0] } }"), ":5:26: missing key \"normal\""));
	CALL(refused(WHERE("{ \"half_space\": { \"normal\": [0, 0, 0] } }"),
	             ":5:38: the normal of a half-space has length"));
	CALL(refused(WHERE("{ \"half_space\": { \"point\": [0, 5, 0], \"normal\": [0, 1, 0] } }"),
	             ":5:26: the half-space selects no vertex; the body spans"));
	CALL(refused(WHERE("{ \"nearest\": 3 }"), ":5:23: expected a list of 3 numbers"));
	CALL(refused(WHERE("{ \"nearest\": [0, 0, 0], \"count\": 0 }"), ":5:43: expected at least 1, found 0"));
	CALL(refused(WHERE("{ \"nearest\": [0, 0, 0], \"count\": 13 }"), ":5:43: expected at most 12, found 13"));
	CALL(refused(WHERE("{ \"nearest\": [0, 0, 0], \"count\": 3, \"among\": { \"vertices\": [3, 5] } }"),
	             ":5:43: expected at most 2, found 3"));
	CALL(refused(WHERE("{ \"nearest\": [0, 0, 0], \"among\": 3 }"), ":5:43: expected \"all\" or an object"));
	CALL(refused(WHERE("{ \"surface\": true, \"count\": 3 }"), ":5:29: \"count\" belongs to \"nearest\""));
	CALL(refused(WHERE("{ \"surface\": false }"), ":5:23: expected true (what lies inside"));
	CALL(refused(WHERE("{ \"tets\": [0] }"), ":5:12: only a region is made of tets: give \"vertices\""));
	CALL(refused(WHERE("{ \"and\": {} }"), ":5:19: expected a list of selections, found an object"));
	CALL(refused(WHERE("{ \"or\": [] }"), ":5:18: expected a list of selections, found an empty list"));
	CALL(refused(WHERE("{ \"and\": [\"all\", { \"or\": [{ \"not\": { \"box\": 1 } }] }] }"),
	             ":5:54: expected two corners"));
	CALL(refused(WHERE("{ \"and\": [{ \"vertices\": [0, 1] }, { \"vertices\": [2] }] }"),
	             ":5:19: no vertex is in all of these selections, which have 2, 1"));
	CALL(refused(WHERE("{ \"not\": { \"not\": { \"vertices\": [0] } }, \"zzz\": 1 }"), ":5:51: unknown key \"zzz\""));
	CALL(refused(WHERE("{ \"not\": \"all\" }"), ":5:19: this selects every vertex, so \"not\" leaves none"));
	CALL(refused(PIN("\"where\": \"all\", \"axes\": \"xw\""), ":5:25: expected some of the letters x, y, z"));
	CALL(refused(PIN("\"where\": \"all\", \"axes\": \"\""), ":5:25: expected some of the letters x, y, z"));
	CALL(
	    refused(PIN("\"where\": \"all\", \"axes\": \"xx\""), ":5:25: expected some of the letters x, y, z, each once"));
	CALL(refused(PIN("\"where\": \"all\", \"release\": -1"), ":5:28: \"release\" must be above 0"));
	CALL(refused(PIN("\"where\": \"all\", \"motion\": { \"from\": 2, \"until\": 1 }"),
	             ":5:49: \"until\" (1) must be later"));
	CALL(refused(PIN("\"where\": \"all\", \"motion\": { \"from\": 2 }"), ":5:27: missing key \"until\": the time"));
	CALL(refused(PIN("\"where\": \"all\", \"motion\": { \"translate\": [1, 0, 0] }"), ":5:27: missing key \"until\""));
	CALL(refused(PIN("\"where\": \"all\", \"motion\": { \"rotate\": [0, 0, 0, 5], \"until\": 1 }"),
	             ":5:39: the axis of rotation"));
	CALL(refused(PIN("\"where\": \"all\", \"motion\": { \"about\": [0, 0, 0] }"), ":5:29: \"about\" is the centre"));
	CALL(refused(PIN("\"where\": \"all\", \"motion\": { \"spin\": 1 }"), ":5:29: unknown key \"spin\""));
}

TEST(regions_are_checked)
{
#define REGION(region)                                                                                                 \
	BODY_SCENE("{ \"type\": \"soft\", " MESH ", \"density\": 1000, " MATERIAL ",\n\"regions\": [" region "] }", "")
	CALL(refused(REGION("{ \"density\": 1 }"), ":4:13: missing key \"group\" or \"where\""));
	CALL(refused(REGION("{ \"density\": 1, \"group\": \"a\", \"where\": \"all\" }"),
	             ":4:43: \"group\" and \"where\" exclude each other"));
	CALL(refused(REGION("{ \"density\": 1, \"where\": { \"vertices\": [0] } }"),
	             ":4:40: a region is made of tets: give \"tets\""));
	CALL(refused(REGION("{ \"density\": 1, \"where\": { \"tets\": [12] } }"), ":4:49: expected at most 11, found 12"));
	CALL(refused(REGION("{ \"density\": 1, \"where\": { \"box\": [[0, 0, 0], [0, 1, 1]] } }"),
	             ":4:47: the box selects no tet; the middles of the body's tets span [0.25, "));
}

// The motion stands in line 4 of a scene, its `{` in column 44.
#define MOTION(text)                                                                                                   \
	"{ \"pliant\": 1,\n  \"bodies\": [" BODY                                                                           \
	"],\n  \"colliders\": [\n    { \"sphere\": { \"radius\": 1 }, \"motion\": { " text " } } ] }"

TEST(motions_are_checked)
{
	CALL(refused(MOTION("\"keys\": 1"), ":4:54: expected a list of keys, found the number 1"));
	CALL(refused(MOTION("\"keys\": [ { \"time\": 0 } ]"), ":4:54: a motion has at least two keys, found 1"));
	CALL(refused(MOTION("\"keys\": [ { \"time\": 0 }, { \"translate\": [1, 0, 0] } ]"), ":4:71: missing key \"time\""));
	CALL(refused(MOTION("\"keys\": [ { \"time\": 1 }, { \"time\": 1 } ]"),
	             ":4:81: keys ascend in time: 1 s does not come after 1 s"));
	CALL(refused(MOTION("\"keys\": [ { \"time\": -1 }, { \"time\": 1 } ]"), ":4:66: \"time\" cannot be below 0"));
	CALL(refused(MOTION("\"keys\": [ { \"time\": 0, \"turn\": 1 }, { \"time\": 1 } ]"), ":4:69: unknown key \"turn\""));
	CALL(refused(MOTION("\"keys\": [ { \"time\": 0, \"rotate\": [0, 0, 0, 1] }, { \"time\": 1 } ]"),
	             ":4:79: the axis of rotation has no length"));
	CALL(refused(MOTION("\"keys\": [ { \"time\": 0 }, { \"time\": 1 } ], \"until\": 2"),
	             ":4:88: \"keys\" and \"until\" exclude each other"));
	CALL(refused(MOTION("\"keys\": [ { \"time\": 0 }, { \"time\": 1 } ], \"sine\": {}"),
	             ":4:88: \"keys\" and \"sine\" exclude each other"));
	CALL(refused(MOTION("\"keys\": [ { \"time\": 0 }, { \"time\": 1 } ], \"about\": [0, 0, 0]"),
	             ":4:88: \"about\" is the centre"));
	CALL(refused(MOTION("\"sine\": 1"), ":4:54: expected an object, found the number 1"));
	CALL(refused(MOTION("\"sine\": { \"frequency\": 1 }"), ":4:54: missing key \"translate\" or \"rotate\""));
	CALL(refused(MOTION("\"sine\": { \"translate\": [1, 0, 0] }"), ":4:54: missing key \"frequency\""));
	CALL(refused(MOTION("\"sine\": { \"translate\": [1, 0, 0], \"frequency\": 0 }"),
	             ":4:93: \"frequency\" must be above 0"));
	CALL(refused(MOTION("\"sine\": { \"translate\": [1, 0, 0], \"frequency\": 1, \"phase\": \"x\" }"),
	             ":4:105: expected a number"));
	CALL(refused(MOTION("\"sine\": { \"translate\": [1, 0, 0], \"frequency\": 1 }, \"ease\": \"smooth\""),
	             ":4:98: \"sine\" and \"ease\" exclude each other"));
	CALL(refused(MOTION("\"sine\": { \"translate\": [1, 0, 0], \"frequency\": 1 }, \"from\": 3, \"until\": 2"),
	             ":4:118: \"until\" (2) must be later than \"from\" (3)"));
	CALL(refused(MOTION("\"translate\": [1, 0, 0]"), ":4:44: missing key \"until\""));
	CALL(refused(MOTION("\"translate\": [1, 0, 0], \"until\": 1, \"ease\": \"cubic\""),
	             ":4:90: unknown ease \"cubic\"; there is: linear, smooth"));
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
