// scene_cloth_test.c: bodies of type cloth in scenes: what they become, and what is refused, with its place
#include "scene_bar.h"

#define SHEET "\"mesh\": { \"cloth\": [1, 2], \"cells\": [4, 8] }"
// The keys given stand on line 4.
#define CLOTH(keys)                                                                                                    \
	BODY_SCENE("{ \"name\": \"flag\", \"type\": \"cloth\", " SHEET ", \"density\": 0.2,\n" keys " }", "")
#define PLAIN CLOTH("\"thickness\": 0.001")

// Whatever else is wrong with it.
static void refusedFor(const char* text, const char* words)
{
	CHECK(readText(text) == NULL);
	if (!reported(words))
	{
		showProblems();
		FAIL_("expected: %s", words);
	}
}

static plWorld* makeWorld(const char* text)
{
	plWorld* world = readText(text) ? plScene_CreateWorld(scene, NULL, NULL, problems) : NULL;
	if (world == NULL)
		showProblems();
	return world;
}

TEST(a_cloth_of_a_scene_is_a_soft_body_of_triangles)
{
	plWorld* world = makeWorld(PLAIN);
	CHECK(world != NULL);
	plSceneBodyView body = plScene_GetBody(scene, 0);
	CHECK(body.cloth != NULL && body.cloth->thickness == 0.001 && body.cloth->density == 0.2);
	CHECK(body.cloth->membrane.law == pl_membraneStvk && body.cloth->bending.model == pl_bendingQuadratic);
	CHECK(plBody_IsCloth(world, body.id) && plBody_GetTetCount(world, body.id) == 0);
	CHECK(plBody_GetTriangleCount(world, body.id) == 8 * 9);
	double masses[64], sum = 0.0;
	CHECK(plBody_GetVertexCount(world, body.id) <= 64);
	plBody_GetMasses(world, body.id, masses);
	for (size_t i = 0; i < plBody_GetVertexCount(world, body.id); i++)
		sum += masses[i];
	CHECK_NEAR(sum, 0.4, 1e-15);
	plDestroyWorld(world);
}

TEST(membrane_bending_and_chart_are_read)
{
	CHECK_READ(
	    readText(CLOTH("\"membrane\": { \"law\": \"orthotropic\", \"stiffness\": [500, 400, 50, 30] }, "
	                   "\"bending\": { \"model\": \"plate\", \"stiffness\": 1e-5, \"weft\": 2e-5, \"twist\": 3e-6 }, "
	                   "\"warp\": [0, 1, 0], \"damping\": { \"air\": 1, \"viscous\": 2, \"bending\": 3 }")));
	const plClothDef* def = plScene_GetBody(scene, 0).cloth;
	CHECK(def->membrane.law == pl_membraneOrthotropic && def->membrane.young == 0.0);
	CHECK(def->membrane.stiffness[1] == 400.0 && def->membrane.stiffness[3] == 30.0);
	CHECK(def->bending.model == pl_bendingPlate && def->bending.weft == 2e-5 && def->bending.twist == 3e-6);
	CHECK(def->warp.y == 1.0 && def->damping.viscous == 2.0 && def->damping.bending == 3.0);
	CHECK_READ(
	    readText(CLOTH("\"membrane\": { \"law\": \"strain-limit\", \"young\": 1e5, \"low\": 0.9, \"high\": 1.02, "
	                   "\"limit_stiffness\": 1e4 }")));
	def = plScene_GetBody(scene, 0).cloth;
	CHECK(def->membrane.limit[0] == 0.9 && def->membrane.limit[1] == 1.02 && def->membrane.limitStiffness == 1e4);
	CHECK_READ(readText(CLOTH("\"membrane\": { \"stiffness\": 100, \"poisson\": 0.25 }, "
	                          "\"bending\": { \"stiffness\": 1e-5 }")));
	def = plScene_GetBody(scene, 0).cloth;
	CHECK(def->membrane.stiffness[0] == 100.0 && def->membrane.stiffness[2] == 25.0);
}

TEST(regions_of_a_cloth_are_triangles)
{
	plWorld* world = makeWorld(
	    CLOTH("\"regions\": [ { \"where\": { \"half_space\": { \"normal\": [0, 1, 0] } }, \"density\": 0.4 }, "
	          "{ \"where\": { \"triangles\": [0, 3] }, \"scale\": 0.5, \"membrane\": { \"young\": 2e6 } } ]"));
	CHECK(world != NULL);
	const plClothDef* def = plScene_GetBody(scene, 0).cloth;
	CHECK(def->regionCount == 2 && def->regions[0].triangleCount == 36 && def->regions[1].triangleCount == 2);
	CHECK(def->regions[1].scale[0] == 0.5 && def->regions[1].scale[1] == 0.5);
	CHECK(def->regions[1].membrane->young == 2e6 && def->regions[0].membrane == NULL);
	double masses[64], sum = 0.0;
	plBodyId body = plScene_GetBody(scene, 0).id;
	plBody_GetMasses(world, body, masses);
	for (size_t i = 0; i < plBody_GetVertexCount(world, body); i++)
		sum += masses[i];
	CHECK_NEAR(sum, 0.6, 1e-15); // half of it is twice as heavy; what is drawn in weighs what it did
	plDestroyWorld(world);
	CHECK(plScene_GetView(scene).selectionCount == 2);
	plSceneSelection selection = plScene_GetSelection(scene, 1);
	CHECK(strcmp(selection.owner, "region") == 0 && selection.count == 2);
}

TEST(keys_of_cloth_that_make_no_sense_are_refused_at_their_place)
{
	CALL(refusedFor(CLOTH("\"thickness\": 0"), ":4:14: "));
	CALL(refusedFor(CLOTH("\"density\": 0.3"), "density"));
	CALL(refusedFor(CLOTH("\"membrane\": { \"law\": \"denim\" }"),
	                ":4:22: unknown law of membranes \"denim\"; there is: stvk, neo-hookean"));
	CALL(refusedFor(CLOTH("\"membrane\": { \"poisson\": 1 }"),
	                ":4:26: poisson of stvk is 1, in a sheet it must be between -1 and 1"));
	CALL(refusedFor(CLOTH("\"membrane\": { \"young\": 1e6, \"stiffness\": 3 }"),
	                ":4:29: \"young\" and \"stiffness\" exclude each other"));
	CALL(refusedFor(CLOTH("\"membrane\": { \"law\": \"orthotropic\", \"stiffness\": [1, 2] }"),
	                ":4:50: expected a list of 4 numbers, warp weft coupling shear"));
	CALL(refusedFor(CLOTH("\"membrane\": { \"law\": \"orthotropic\", \"stiffness\": [1, 2, 3, 1] }"),
	                ":4:50: coupling of orthotropic is 3 N/m, its square must be below warp times weft"));
	CALL(refusedFor(CLOTH("\"membrane\": { \"high\": 1.2 }"), ":4:15: \"high\" belongs to the law strain-limit"));
	CALL(refusedFor(CLOTH("\"bending\": { \"model\": \"stiff\" }"), ":4:23: unknown model of bending \"stiff\""));
	CALL(refusedFor(CLOTH("\"bending\": { \"stiffness\": -1 }"), ":4:27: "));
	CALL(refusedFor(CLOTH("\"bending\": { \"weft\": 1 }"), ":4:14: \"weft\" belongs to the model plate"));
	CALL(refusedFor(CLOTH("\"membrane\": { \"law\": \"springs\", \"stiffness\": 10 }"),
	                ":3:1: bending: quadratic has no stiffness, and the membrane no young to take it from"));
	CALL(refusedFor(CLOTH("\"chart\": \"map\""), ":4:10: unknown chart \"map\"; there is: rest, uv"));
	CALL(refusedFor(CLOTH("\"uv_scale\": 2"), ":4:1: \"uv_scale\" belongs to \"chart\": \"uv\""));
	CALL(refusedFor(CLOTH("\"warp\": [0, 0, 0]"), ":4:9: the warp has length 0"));
	CALL(refusedFor(CLOTH("\"chart\": \"uv\", \"warp\": [1, 0, 0]"), ":4:16: \"warp\" and \"chart\": \"uv\" exclude"));
	CALL(refusedFor(CLOTH("\"material\": {}"), ":4:1: unknown key \"material\""));
	CALL(refusedFor(CLOTH("\"regions\": [{ \"where\": \"all\" }]"),
	                "a region of a cloth needs a \"membrane\", a \"bending\", a \"density\" or a \"scale\""));
	CALL(refusedFor(CLOTH("\"regions\": [{ \"where\": { \"tets\": [0] }, \"density\": 1 }]"),
	                "this body is made of triangles: give \"triangles\" in the place of \"tets\""));
	CALL(refusedFor(CLOTH("\"regions\": [{ \"where\": { \"vertices\": [0] }, \"density\": 1 }]"),
	                "a region is made of triangles: give \"triangles\" in the place of \"vertices\""));
	CALL(refusedFor(CLOTH("\"regions\": [{ \"where\": \"all\", \"scale\": [1, 0] }]"), "each scale must be above 0"));
	CALL(refusedFor(CLOTH("\"regions\": [{ \"where\": \"all\", \"bending\": { \"model\": \"plate\" } }]"),
	                "the bending of a region has the model of its cloth, which is quadratic"));
	CALL(refusedFor(BODY_SCENE("{ \"type\": \"cloth\", " MESH ", \"density\": 0.2 }", ""),
	                ":3:28: the mesh has 12 tets, and a cloth is made of triangles alone"));
	CALL(refusedFor(BODY_SCENE("{ \"type\": \"soft\", " SHEET ", \"density\": 0.2, " MATERIAL " }", ""),
	                "triangles make a body of type \"cloth\""));
}

static void refusedWorld(const char* mesh, const char* keys, const char* words)
{
	char text[512];
	scratchWrite("m.obj", mesh, strlen(mesh));
	snprintf(
	    text, sizeof text,
	    BODY_SCENE("{ \"name\": \"flag\", \"type\": \"cloth\", \"mesh\": { \"file\": \"m.obj\" }, \"density\": 1%s }",
	               ""),
	    keys);
	CHECK_READ(readText(text));
	plWorld* world = plScene_CreateWorld(scene, NULL, NULL, problems);
	CHECK(world == NULL);
	if (!reported(words))
	{
		showProblems();
		FAIL_("expected: %s", words);
	}
}

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

TEST(meshes_that_make_no_cloth_are_refused_by_name)
{
	CALL(refusedWorld(SQUARE "f 1 2 3\nf 3 2 1\nf 1 3 4\n", "", "triangle 1 has the same corners as triangle 0"));
	CALL(refusedWorld(SQUARE "v 2 0 0\nf 1 2 3\nf 1 3 4\nf 1 2 5\n", "", "triangle 2 is degenerate: area 0 m^2"));
	CALL(refusedWorld(SQUARE "f 1 2 3\nf 1 1 4\n", "", "triangle 1 is degenerate: two of its corners are vertex 0"));
	CALL(refusedWorld(SQUARE "f 1 2 3\n", "", "vertex 3 belongs to no triangle and would have no mass (1 of 4"));
	CALL(refusedWorld(SQUARE "f 1 2 3\nf 1 3 4\n", ", \"chart\": \"uv\"", "the mesh has no texture coordinates"));
	CALL(refusedWorld(SQUARE "vt 0 0\nvt 0.1 0\nvt 0.1 0.1\nvt 0 0.1\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\n",
	                  ", \"chart\": \"uv\"",
	                  "triangle 0 has 0.01 times the area in its texture that it has in space, must be 0.2 to 5; "
	                  "uv_scale is 1, and 10 would make the two as large"));
}

// A page with three leaves: it bends freely at its spine. A triangle that shows its back is a triangle.
TEST(crowded_and_turned_edges_are_taken)
{
	const char* const meshes[] = {SQUARE "v 0 0 1\nf 1 2 3\nf 1 3 4\nf 1 3 5\n", SQUARE "f 1 2 3\nf 1 4 3\n"};
	for (size_t i = 0; i < 2; i++)
	{
		scratchWrite("m.obj", meshes[i], strlen(meshes[i]));
		plWorld* world =
		    makeWorld(BODY_SCENE("{ \"type\": \"cloth\", \"mesh\": { \"file\": \"m.obj\" }, \"density\": 1 }", ""));
		CHECK(world != NULL);
		plDestroyWorld(world);
	}
}

TEST(a_texture_in_other_units_becomes_a_chart_by_its_scale)
{
	const char mesh[] = SQUARE "vt 0 0\nvt 0.1 0\nvt 0.1 0.1\nvt 0 0.1\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\n";
	scratchWrite("m.obj", mesh, strlen(mesh));
	plWorld* world = makeWorld(BODY_SCENE("{ \"type\": \"cloth\", \"mesh\": { \"file\": \"m.obj\" }, \"density\": 1, "
	                                      "\"chart\": \"uv\", \"uv_scale\": 8 }",
	                                      ""));
	CHECK(world != NULL);
	double stretches[4];
	plBody_GetStretches(world, plScene_GetBody(scene, 0).id, stretches);
	for (int i = 0; i < 4; i++)
		CHECK_NEAR(stretches[i], 1.25, 1e-14);
	plDestroyWorld(world);
}

// The texture of a seam is cut, and one of its pieces mirrored: no vertex is split, both triangles are at rest.
TEST(pieces_of_a_texture_may_be_cut_turned_and_mirrored)
{
	const char mesh[] = SQUARE "vt 0 0\nvt 1 0\nvt 1 1\nvt 7 3\nvt 8 4\nvt 8 3\nf 1/1 2/2 3/3\nf 1/4 3/5 4/6\n";
	scratchWrite("m.obj", mesh, strlen(mesh));
	plWorld* world = makeWorld(BODY_SCENE("{ \"type\": \"cloth\", \"mesh\": { \"file\": \"m.obj\" }, \"density\": 1, "
	                                      "\"chart\": \"uv\" }",
	                                      ",\n\"gravity\": [0, 0, 0]"));
	CHECK(world != NULL);
	plBodyId body = plScene_GetBody(scene, 0).id;
	double stretches[4], x[12], rest[12];
	CHECK(plBody_GetVertexCount(world, body) == 4);
	plBody_GetStretches(world, body, stretches);
	for (int i = 0; i < 4; i++)
		CHECK_NEAR(stretches[i], 1.0, 1e-14);
	for (int i = 0; i < 5; i++)
		CHECK(plWorld_Step(world, NULL, NULL) >= 0);
	plBody_GetPositions(world, body, x);
	plBody_GetRestPositions(world, body, rest);
	for (int i = 0; i < 12; i++)
		CHECK_NEAR(x[i], rest[i], 1e-12);
	plDestroyWorld(world);
}

// A region that is scaled is stretched at first, and shrinks to its size.
TEST(a_region_is_drawn_in_by_its_scale)
{
	plWorld* world = makeWorld(CLOTH("\"warp\": [0, 1, 0], \"damping\": { \"air\": 20 }, "
	                                 "\"regions\": [ { \"where\": \"all\", \"scale\": [0.8, 0.5] } ]"));
	CHECK(world != NULL);
	plBodyId body = plScene_GetBody(scene, 0).id;
	double stretches[2 * 72], x[3 * 64], low[3] = {9, 9, 9}, high[3] = {-9, -9, -9};
	plBody_GetStretches(world, body, stretches);
	for (size_t t = 0; t < 72; t++)
	{
		CHECK_NEAR(stretches[2 * t], 2.0, 1e-14);
		CHECK_NEAR(stretches[2 * t + 1], 1.25, 1e-14);
	}
	plWorld_SetGravity(world, (plVec3){0, 0, 0});
	for (int i = 0; i < 300; i++)
		CHECK(plWorld_Step(world, NULL, NULL) >= 0);
	plBody_GetPositions(world, body, x);
	for (size_t i = 0; i < 3 * plBody_GetVertexCount(world, body); i++)
	{
		low[i % 3] = fmin(low[i % 3], x[i]);
		high[i % 3] = fmax(high[i % 3], x[i]);
	}
	CHECK_NEAR(high[0] - low[0], 1.0 * 0.5, 1e-3); // across the warp
	CHECK_NEAR(high[1] - low[1], 2.0 * 0.8, 1e-3);
	plDestroyWorld(world);
}

// ---- wind ---------------------------------------------------------------------------------------------------------

#define WIND(keys) BODY_SCENE("{ \"type\": \"cloth\", " SHEET ", \"density\": 0.2 }", ",\n\"wind\": { " keys " }")

TEST(the_wind_of_a_scene_blows_in_its_world)
{
	plWorld* world = makeWorld(WIND("\"velocity\": [1, 2, 3], \"gust\": { \"velocity\": [0, 0, 4], \"frequency\": 2, "
	                                "\"phase\": 90 }, \"density\": 1, \"normal\": 2, \"tangent\": 0.5"));
	plWindDef wind;
	CHECK(world != NULL && plWorld_GetWind(world, &wind));
	CHECK(wind.velocity.y == 2.0 && wind.gust.z == 4.0 && wind.frequency == 2.0 && wind.density == 1.0);
	CHECK(wind.normal == 2.0 && wind.tangent == 0.5);
	CHECK_NEAR(wind.phase, 1.5707963267948966, 1e-15);
	plDestroyWorld(world);
	world = makeWorld(PLAIN);
	CHECK(!plWorld_GetWind(world, &wind));
	plDestroyWorld(world);
}

TEST(bad_wind_is_refused_with_its_place)
{
	CALL(refusedFor(WIND("\"speed\": 3"), "unknown key \"speed\""));
	CALL(refusedFor(WIND("\"velocity\": 3"), "expected"));
	CALL(refusedFor(WIND("\"density\": -1"), ":4:22: \"density\" cannot be below 0"));
	CALL(refusedFor(WIND("\"normal\": -1"), "\"normal\" cannot be below 0"));
	CALL(refusedFor(WIND("\"tangent\": \"0\""), "expected a number"));
	CALL(refusedFor(WIND("\"gust\": 3"), "expected"));
	CALL(refusedFor(WIND("\"gust\": { \"velocity\": [0, 0, 1] }"), "missing key \"frequency\""));
	CALL(refusedFor(WIND("\"gust\": { \"frequency\": 1 }"), "missing key \"velocity\""));
	CALL(refusedFor(WIND("\"gust\": { \"velocity\": [0, 0, 1], \"frequency\": 0 }"), "\"frequency\" must be above 0"));
}

// ---- pressures ------------------------------------------------------------------------------------------------------

#define TETRAHEDRON "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n"
#define FILLED(pressure)                                                                                               \
	BODY_SCENE("{ \"name\": \"bag\", \"type\": \"cloth\", \"mesh\": { \"file\": \"bag.obj\" }, \"density\": 0.2 }",    \
	           ",\n\"pressures\": [" pressure "]")

static void writeBag(const char* mesh)
{
	scratchWrite("bag.obj", mesh, strlen(mesh));
}

TEST(pressures_fill_closed_cloth_and_nothing_else)
{
	writeBag(TETRAHEDRON "f 3 1 4\n");
	plWorld* world = makeWorld(FILLED("{ \"body\": \"bag\", \"pressure\": 20 }"));
	CHECK(world != NULL && plWorld_Step(world, NULL, NULL) >= 0);
	plDestroyWorld(world);
	CALL(refusedFor(FILLED("{ \"pressure\": 20 }"), ":4:15: missing key \"body\""));
	CALL(refusedFor(FILLED("{ \"body\": \"bag\" }"), ":4:15: missing key \"pressure\""));
	CALL(refusedFor(FILLED("{ \"body\": \"bug\", \"pressure\": 20 }"), "unknown body \"bug\""));
	CALL(refusedFor(FILLED("{ \"body\": \"bag\", \"pressure\": \"20\" }"), "expected a number"));
	CALL(refusedFor(FILLED("{ \"body\": \"bag\", \"gaz\": 20 }"), "unknown key \"gaz\""));
	CALL(refusedFor(FILLED("{ \"body\": \"bag\", \"pressure\": 1, \"gas\": 20 }"), "expected"));
	CALL(refusedFor(FILLED("{ \"body\": \"bag\", \"pressure\": 1, \"gas\": { \"volume\": 0 } }"), "above 0"));
	CALL(refusedFor(FILLED("{ \"body\": \"bag\", \"pressure\": -2, \"gas\": { \"ambient\": 1 } }"), "is no gas"));
	CALL(refusedFor(FILLED("{ \"body\": \"bag\", \"pressure\": 1, \"fill\": -1 }"), "fill"));
	CALL(refusedFor(FILLED("{ \"body\": \"bag\", \"bodies\": [\"bag\"], \"pressure\": 1 }"), "not both"));
	CALL(refusedFor(FILLED("{ \"bodies\": [\"bog\"], \"pressure\": 1 }"), "did you mean \"bag\"?"));
	CALL(refusedFor(FILLED("{ \"bodies\": [3], \"pressure\": 1 }"), "expected a string"));
	CALL(refusedFor(FILLED("{ \"bodies\": [], \"pressure\": 1 }"), "a list of the names of bodies"));
	CALL(refusedFor(FILLED("7"), "expected"));
	CALL(refusedFor(REST("\"pressures\": [{ \"body\": \"bar\", \"pressure\": 1 }]"), "body \"bar\" is no cloth"));
	CALL(refusedFor(REST("\"pressures\": {}"), "expected a list of pressures"));
	writeBag(TETRAHEDRON);
	CHECK_READ(readText(FILLED("{ \"body\": \"bag\", \"pressure\": 20 }")));
	CHECK(plScene_CreateWorld(scene, NULL, NULL, problems) == NULL);
	CHECK(reported(":4:15: pressure 0: pressure: the cloth is not closed"));
}

// ---- fabrics ------------------------------------------------------------------------------------------------------

#define OF(keys) BODY_SCENE("{ \"type\": \"cloth\", " SHEET ",\n" keys " }", "")

TEST(a_fabric_fills_only_what_is_not_given)
{
	plFabric denim;
	CHECK(plGetFabric(0, &denim) && strcmp(denim.name, "denim") == 0);
	CHECK_READ(readText(OF("\"fabric\": \"denim\"")));
	const plClothDef* def = plScene_GetBody(scene, 0).cloth;
	CHECK(strcmp(plScene_GetBody(scene, 0).fabric, "denim") == 0);
	CHECK(def->density == 0.324 && def->membrane.law == pl_membraneOrthotropic && def->membrane.young == 0.0);
	CHECK_NEAR(def->membrane.stiffness[0], 2 * 205.352005, 1e-12);
	CHECK_NEAR(def->membrane.stiffness[1], 2 * 1013.88629, 1e-12);
	CHECK_NEAR(def->membrane.stiffness[2], 2 * 10.234077, 1e-12);
	CHECK_NEAR(def->membrane.stiffness[3], 53.387184, 1e-12);
	CHECK_NEAR(def->bending.stiffness, (64.196457e-6 + 73.384567e-6 + 96.951576e-6) / 12, 1e-18);
	CHECK_READ(readText(OF("\"bending\": { \"model\": \"plate\" }, \"density\": 0.5, \"fabric\": \"denim\"")));
	def = plScene_GetBody(scene, 0).cloth;
	CHECK(def->density == 0.5 && def->bending.model == pl_bendingPlate && def->bending.stiffness == denim.bending);
	CHECK_READ(readText(OF("\"bending\": { \"stiffness\": 1e-6 }, \"membrane\": { \"young\": 1e6 }, \"fabric\": "
	                       "\"denim\"")));
	def = plScene_GetBody(scene, 0).cloth;
	CHECK(def->membrane.law == pl_membraneStvk && def->membrane.young == 1e6 && def->bending.stiffness == 1e-6);
	CHECK(def->density == denim.density);
	CHECK_READ(readText(PLAIN));
	CHECK(plScene_GetBody(scene, 0).fabric == NULL);
}

TEST(every_fabric_makes_a_cloth)
{
	plFabric fabric;
	char text[400];
	for (int i = 0; plGetFabric(i, &fabric); ++i)
	{
		WITH("fabric %s", fabric.name);
		snprintf(text, sizeof text, OF("\"fabric\": \"%s\""), fabric.name);
		plWorld* world = makeWorld(text);
		CHECK(world != NULL && plWorld_Step(world, NULL, NULL) >= 0);
		plDestroyWorld(world);
	}
	CHECK(!plGetFabric(-1, &fabric) && !plGetFabric(1000, &fabric));
}

// As the program that publishes them cuts it off: a fabric does not get wider as it is pulled.
TEST(no_fabric_has_a_coupling_below_0)
{
	plFabric fabric;
	for (int i = 0; plGetFabric(i, &fabric); ++i)
	{
		WITH("fabric %s", fabric.name);
		CHECK(fabric.stiffness[2] >= 0.0);
		CHECK((strcmp(fabric.name, "interlock") != 0) || fabric.stiffness[2] == 0.0);
	}
}

TEST(bad_fabrics_are_refused)
{
	CALL(refusedFor(OF("\"fabric\": \"denin\""), ":4:11: unknown fabric \"denin\"; did you mean \"denim\"?"));
	CALL(refusedFor(OF("\"fabric\": 3"), "expected"));
	CALL(refusedFor(OF("\"thickness\": 0.001"), "missing key \"density\""));
}
