// scene_energy_test.c: springs, seams, soft pins, tractions, damping and the integrator of a scene
#include "scene_text.h"
#include "scene.h"

// 12 vertices, x fastest; bar from 0 to 2, box from 3 to 5; 2000 kg each.
#define BODY(name, more)                                                                                               \
	"{ \"name\": \"" name "\", \"type\": \"soft\", \"mesh\": { \"box\": [2, 1, 1], \"cells\": [2, 1, 1] }, "           \
	"\"density\": 1000, \"material\": { \"young\": 1e5, \"poisson\": 0.3 }" more " }"
#define SCENE(more, rest)                                                                                              \
	"{ \"pliant\": 1, \"solver\": \"newton\", \"timestep\": 0.1, \"gravity\": [0, 0, 0], \"bodies\": [" BODY(          \
	    "bar", more) ",\n" BODY("box", ", \"transform\": { \"translate\": [3, 0, 0] }") "],\n" rest " }"

static plStepReport report;

// Steps the scene's world; positions and velocities of the bar.
static bool step(int count, double* x, double* v)
{
	plWorld* world = scene ? plScene_CreateWorld(scene, NULL, NULL, problems) : NULL;
	plError error;
	if (world == NULL)
		return false;
	bool fine = true;
	for (int i = 0; i < count && fine; i++)
		fine = plWorld_Step(world, &report, &error) == pl_success;
	plBodyId body = plScene_GetBody(scene, 0).id;
	plBody_GetPositions(world, body, x);
	plBody_GetVelocities(world, body, v);
	plDestroyWorld(world);
	return fine;
}

TEST(springs_pull_two_bodies_together_and_their_stretch_is_reported)
{
	double x[36], v[36];
	readText(SCENE("", "\"springs\": [{ \"a\": \"bar\", \"b\": \"box\", \"pairs\": [[2, 0], [5, 3], [8, 6], [11, 9]], "
	                   "\"stiffness\": 500, \"rest\": 0.5 }]"));
	CHECK(step(1, x, v));
	CHECK(x[3 * 2] > 2.0 && v[3 * 2] > 0.0);
	CHECK(report.stretch > 1.5 && report.stretch < 2.0 && report.elastic > 100.0);
	readText(SCENE("", "\"springs\": [{ \"a\": \"bar\", \"b\": \"box\", \"pairs\": [[2, 0]], \"stiffness\": 500 }]"));
	CHECK(step(1, x, v)); // as long as they are: at rest
	CHECK_NEAR(x[3 * 2], 2.0, 1e-12);
	CHECK(report.stretch == 1.0);
}

TEST(springs_of_one_body_and_springs_to_the_world_are_read)
{
	double x[36], v[36];
	readText(SCENE("", "\"springs\": [{ \"a\": \"bar\", \"pairs\": [[0, 2]], \"stiffness\": 100, \"rest\": 1 }]"));
	CHECK(step(1, x, v));
	CHECK(x[0] > 0.0 && x[6] < 2.0);
	readText(SCENE("", "\"springs\": [{ \"a\": \"bar\", \"b\": \"world\", \"pairs\": [[0, [0, 5, 0]]], \"stiffness\": "
	                   "100, \"rest\": 0 }]"));
	CHECK(step(1, x, v));
	CHECK(x[1] > 0.0);
}

TEST(seams_are_read)
{
	double x[36], v[36];
	readText(SCENE(
	    "",
	    "\"seams\": [{ \"name\": \"hem\", \"a\": \"bar\", \"b\": \"box\", \"pairs\": [[2, 0], [5, 3], [8, "
	    "6], [11, 9]], \"close\": 1, \"length\": 0.25, \"stiffness\": 5000, \"break_force\": 400, \"gap\": 0.1 }]"));
	CHECK(scene->seamCount == 1);
	const plSeamDef* def = &scene->seams[0].def;
	CHECK(def->match == pl_seamPairs && def->count == 4 && def->pairs[7] == 9 && strcmp(def->name, "hem") == 0);
	CHECK(def->close == 1.0 && def->length == 0.25 && def->stiffness == 5000.0 && def->breakForce == 400.0);
	CHECK(def->gap == 0.1);
	CHECK(step(1, x, v));
	CHECK(x[3 * 2] > 2.0 && report.brokenStitches == 0);
	readText(SCENE("", "\"seams\": [{ \"a\": \"bar\", \"b\": \"box\", \"reach\": 1.5, \"where\": \"all\" }]"));
	CHECK(scene->seams[0].def.match == pl_seamNearest && scene->seams[0].def.firstCount == 12);
	CHECK(step(10, x, v));
	readText(SCENE(
	    "",
	    "\"seams\": [{ \"a\": \"bar\", \"b\": \"box\", \"where\": [{ \"vertices\": [2, 5] }, { \"vertices\": [3, 0] "
	    "}] }]"));
	CHECK(scene->seams[0].def.match == pl_seamAlong && scene->seams[0].def.second[0] == 0);
	CHECK(step(10, x, v));
	CHECK(x[3 * 2] > 2.1);
}

TEST(a_pin_with_a_stiffness_draws)
{
	double x[36], v[36];
	readText(SCENE("", "\"pins\": [{ \"body\": \"bar\", \"where\": \"all\", \"stiffness\": 100, \"motion\": { "
	                   "\"translate\": [1, 0, 0], \"until\": 0.1 } }]"));
	CHECK(step(1, x, v));
	CHECK(x[0] > 1e-3 && x[0] < 0.5);
}

TEST(a_traction_is_force_per_area)
{
	double x[36], v[36];
	readText(SCENE("", "\"forces\": [{ \"body\": \"bar\", \"where\": \"all\", \"traction\": [200, 0, 0] }]"));
	CHECK(step(1, x, v)); // surface 10 m^2: 2000 N on 2000 kg, and the mean moves by h^2 a
	double mean = 0.0, mass = 0.0;
	plWorld* world = plScene_CreateWorld(scene, NULL, NULL, problems);
	double m[12];
	plBody_GetMasses(world, plScene_GetBody(scene, 0).id, m);
	for (int i = 0; i < 12; i++)
	{
		mean += m[i] * v[3 * i];
		mass += m[i];
	}
	CHECK_NEAR(mean / mass, 0.1, 1e-9);
	plDestroyWorld(world);
}

TEST(damping_slows_and_the_integrator_is_taken)
{
	double x[36], v[36];
	readText(SCENE(", \"velocity\": [1, 0, 0], \"damping\": { \"air\": 10, \"viscous\": 5 }", "\"steps\": 1"));
	CHECK(step(1, x, v));
	CHECK_NEAR(v[0], 1.0 / (1.0 + 0.1 * 10.0), 1e-12); // backward Euler of v' = -c v
	readText(SCENE(", \"velocity\": [1, 0, 0], \"damping\": { \"air\": 10 }", "\"integrator\": \"bdf2\""));
	CHECK(step(2, x, v));
	CHECK_NEAR(v[0], (4.0 * 0.5 - 1.0) / 3.0 / (1.0 + 2.0 / 3.0 * 0.1 * 10.0), 1e-12);
}

TEST(bad_keys_are_refused_with_their_place)
{
	CALL(refused(SCENE("", "\"integrator\": \"bdf3\""), ":3:15: unknown integrator \"bdf3\"; did you mean \"bdf2\"?"));
	CALL(refused(SCENE(", \"damping\": { \"air\": -1 }", "\"steps\": 1"), "\"air\" cannot be below 0, found -1"));
	CALL(refused(SCENE(", \"damping\": { \"water\": 1 }", "\"steps\": 1"), "unknown key \"water\""));
#define SPRING(rest) SCENE("", "\"springs\": [{ \"a\": \"bar\", " rest " }]")
	CALL(refused(SPRING("\"pairs\": [[0, 1]]"), ":3:13: missing key \"stiffness\""));
	CALL(refused(SPRING("\"stiffness\": 1"), ":3:13: missing key \"pairs\""));
	CALL(refused(SPRING("\"pairs\": [[0, 12]], \"stiffness\": 1"), "expected at most 11, found 12"));
	CALL(refused(SPRING("\"pairs\": [[4, 4]], \"stiffness\": 1"), "both ends of the spring are vertex 4"));
	CALL(refused(SPRING("\"pairs\": [4], \"stiffness\": 1"), "expected two vertices, [i, j], found the number 4"));
	CALL(refused(SPRING("\"pairs\": [], \"stiffness\": 1"), "expected a list of pairs, found an empty list"));
	CALL(refused(SPRING("\"pairs\": [[0, 1]], \"stiffness\": 0"), "\"stiffness\" must be above 0"));
	CALL(refused(SPRING("\"b\": \"world\", \"pairs\": [[0, 1]], \"stiffness\": 1"), "expected a list of 3 numbers"));
	CALL(refused(SPRING("\"b\": \"bax\", \"pairs\": [[0, 1]], \"stiffness\": 1"), "unknown body \"bax\""));
	CALL(refused(SCENE("", "\"pins\": [{ \"body\": \"bar\", \"where\": \"all\", \"stiffness\": 0 }]"),
	             "\"stiffness\" must be above 0"));
	CALL(
	    refused(SCENE("", "\"forces\": [{ \"body\": \"bar\", \"where\": { \"vertices\": [0, 1] }, \"traction\": [1, 0, "
	                      "0] }]"),
	            "no triangle of the surface has its three vertices selected"));
}

TEST(reading_leaves_nothing_behind)
{
	CHECK(scratchCount() <= 1); // s.json
}

#define SEAM(rest) SCENE("", "\"seams\": [{ \"a\": \"bar\", " rest " }]")

TEST(bad_seams_are_refused_with_their_place)
{
	CALL(refused(SEAM("\"b\": \"box\""), "missing key \"pairs\" or \"where\""));
	CALL(refused(SEAM("\"b\": \"box\", \"pairs\": [[0, 1]], \"where\": \"all\""), "not both"));
	CALL(refused(SEAM("\"b\": \"bix\", \"pairs\": [[0, 1]]"), "did you mean \"box\"?"));
	CALL(refused(SEAM("\"pairs\": [[0, 99]]"), "99"));
	CALL(refused(SEAM("\"pairs\": [[3, 3]]"), "both ends of the stitch are vertex 3"));
	CALL(refused(SEAM("\"pairs\": [3]"), "two vertices, [i, j]"));
	CALL(refused(SEAM("\"pairs\": []"), "a list of pairs"));
	CALL(refused(SEAM("\"where\": [\"all\"]"), "a list of two"));
	CALL(refused(SEAM("\"where\": \"all\", \"close\": -1"), "close"));
	CALL(refused(SEAM("\"where\": \"all\", \"break_force\": 0"), "break_force"));
	CALL(refused(SCENE("", "\"seams\": {}"), "a list of seams"));
	CHECK_READ(readText(SEAM("\"b\": \"box\", \"where\": \"all\"")));
	CHECK(plScene_CreateWorld(scene, NULL, NULL, problems) == NULL);
	CHECK(reported("of body a has three neighbours or more"));
}
