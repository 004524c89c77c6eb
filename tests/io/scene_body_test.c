// scene_body_test.c: bodies, transforms, meshes and materials: every law, and what is refused where
#include "scene_bar.h"

TEST(bodies_are_checked)
{
	CALL(refused(BODY_SCENE("3", ""), ":3:1: expected a body, which is an object, found the number 3"));
	CALL(refused(BODY_SCENE("{ \"type\": \"jelly\", " MESH ", \"density\": 1, " MATERIAL " }", ""),
	             ":3:11: unknown type of body \"jelly\"; there is: soft"));
	readText(BODY_SCENE("{ \"type\": \"sfot\", " MESH ", \"density\": -1, \"materal\": {} }",
	                    "")); // the rest is checked, too
	CHECK(plDiagnostics_GetCount(problems) == 4);
	CHECK(reported("did you mean \"soft\"?") && reported("\"density\" must be above 0") &&
	      reported("did you mean \"material\"?") && reported("missing key \"material\""));
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
	CALL(refused(BODY_MESH("\"bar.msh\""),
	             ":4:9: expected an object, e.g. { \"file\": \"bar.msh\" }, found the string \"bar.msh\""));
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
	CALL(refused(BODY_MESH("{ \"sleeve\": [1, 1], \"cells\": [9, 2] }"), ":4:21: expected a list of 3 numbers"));
	CALL(refused(BODY_MESH("{ \"sleeve\": [1, 1, 0], \"cells\": [9, 2] }"),
	             ":4:28: each length of a sleeve must be above 0"));
	CALL(refused(BODY_MESH("{ \"sleeve\": [1, 1, 1], \"cells\": [2, 2] }"), ":4:9: sleeve: radii 1 and 1"));
	CALL(refused(BODY_MESH("{ \"knot\": [1, 0.4], \"cells\": [60, 2] }"), ":4:19: expected a list of 3 numbers"));
	CALL(refused(BODY_MESH("{ \"knot\": [1, 0.4, 0.1], \"windings\": [2, 2], \"cells\": [60, 2] }"),
	             ":4:9: knot: 2 windings around and 2 through"));
	CHECK_READ(readText(BODY_MESH("{ \"knot\": [1, 0.4, 0.1], \"cells\": [60, 1] }")));
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
	CALL(refused(BODY_MATERIAL("{ \"mu\": -1e5, \"lambda\": 1 }"), ":4:21: mu of neo-hookean"));
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
	    "{ \"law\": \"strain-limit\", \"mu\": 1e4, \"stiffness\": 1e5 }",
	    "{ \"law\": \"strain-limit\", \"mu\": 1e4, \"stiffness\": 0, \"low\": 0, \"high\": 1.5 }",
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
	CALL(refused(BODY_MATERIAL("{ \"law\": \"strain-limit\", \"mu\": 1 }"),
	             ":4:13: missing coefficient \"stiffness\" of the law strain-limit"));
	CALL(refused(BODY_MATERIAL("{ \"law\": \"strain-limit\", \"mu\": 1, \"stiffness\": 1, \"low\": 2 }"),
	             ":4:70: low of strain-limit is 2, it must lie in [0, 1]"));
	CALL(refused(BODY_MATERIAL("{ \"law\": \"arap\", \"mu\": 1, \"low\": 0.5 }"), "unknown key \"low\""));
	CALL(refused(BODY_MATERIAL("{ \"law\": \"spline\" }"), ":4:13: missing key \"spline\""));
	CALL(refused(BODY_MATERIAL("{ \"spline\": {} }"), ":4:15: unknown key \"spline\""));
#define SPLINE(rest) BODY_MATERIAL("{ \"law\": \"spline\", \"spline\": " rest " }")
	CALL(refused(SPLINE("{}"), ":4:42: a spline needs a \"preset\", or at least one of the curves"));
	CALL(refused(SPLINE("{ \"preset\": \"C\" }"), ":4:54: unknown preset \"C\"; there is: A, B"));
	CALL(refused(SPLINE("{ \"preset\": \"A\", \"a\": [[0, 1]] }"), ":4:42: a preset and curves of one's own exclude"));
	CALL(refused(SPLINE("{ \"a\": [] }"), ":4:49: expected a list of knots [x, value]"));
	CALL(refused(SPLINE("{ \"a\": [[0, 1], [1], [2, 1]] }"), ":4:58: expected a knot"));
	CALL(refused(SPLINE("{ \"a\": [[0, 1], [1, \"0\"], [2, 1]] }"), ":4:58: expected a knot"));
	CALL(refused(SPLINE("{ \"a\": [[0, 1], [1, 0], [1, 1]] }"), ":4:49: knot 2 of curve a of spline is at 1"));
	CALL(refused(SPLINE("{ \"a\": [[0, 1], [1, 0], [2, 1]] }, \"young\": 1"),
	             ":4:77: a spline with curves of its own has no \"young\""));
	CALL(refused(SPLINE("{ \"preset\": \"A\" }, \"poisson\": -0.2"), ":4:72: poisson of spline is -0.2"));
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

// density g height / young: 1000 * 9.81 * s / 1e5, height 1 of the bar along y, 2 along x
TEST(a_body_too_soft_for_its_weight_gets_a_warning)
{
#define SCALED(top, scale, material)                                                                                   \
	"{ \"pliant\": 1, " top "\"bodies\": [\n{ \"name\": \"bar\", \"type\": \"soft\", " MESH                            \
	", \"density\": 1000, \"material\": { " material " }, \"transform\": { \"scale\": " scale " } }] }"
	CHECK_READ(readText(SCALED("", "30", "")));
	CHECK(plDiagnostics_GetCount(problems) == 0);
	CHECK_READ(readText(SCALED("", "31", "")));
	CHECK(plDiagnostics_GetCount(problems) == 1 && plDiagnostics_GetErrorCount(problems) == 0);
	CHECK(reported(":2:1: body \"bar\" is 31 m tall and too soft for its weight") && reported("young is 3.04"));
	CHECK_READ(readText(SCALED("", "31", "\"young\": 1e6")));
	CHECK(plDiagnostics_GetCount(problems) == 0);
	CHECK_READ(readText(SCALED("\"gravity\": [-9.81, 0, 0], ", "16", "")));
	CHECK(reported("is 32 m tall"));
	CHECK_READ(readText(SCALED("\"gravity\": [0, 0, 0], ", "1e4", "")));
	CHECK(plDiagnostics_GetCount(problems) == 0);
	CHECK_READ(readText(SCALED("", "31", "\"law\": \"arap\", \"mu\": 3e4")));
	CHECK(reported("young is 3.38"));
	CHECK_READ(readText(SCALED("", "31", "\"law\": \"mooney-rivlin\", \"s0\": 1, \"s1\": 1, \"s2\": 1")));
	CHECK(plDiagnostics_GetCount(problems) == 0); // the law says it in another way
}
