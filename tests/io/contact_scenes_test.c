// contact_scenes_test.c: surfaces that meet do not pass through each other, by the proofs of passing.h
//
// The scenes are those of tests/acceptance/contact, coarser; tests/acceptance/contact.sh runs them as they are and
// finer. Every 10th step no triangles cross. In every step the gap is above 0, and at most a tenth of them do not
// converge, unless the method is meant to stop before (avbd).
#include "passing.h"
#include "scene_text.h"

static const char* name; // of the scene
static size_t touched, unconverged, stepCount;
static double lag;
static plWorld* world;

static plScene* readScene(const char* const* sets, size_t setCount)
{
	char path[1024];
	plSceneOptions options = plDefaultSceneOptions();
	options.sets = sets;
	options.setCount = setCount;
	snprintf(path, sizeof path, "%s/tests/acceptance/contact/%s.json", getenv("PLIANT_SOURCE"), name);
	plDestroyScene(scene);
	plDestroyDiagnostics(problems);
	problems = plCreateDiagnostics();
	scene = plReadScene(path, &options, problems);
	return scene;
}

// ---- the state ------------------------------------------------------------------------------------------------------

static double* x;
static uint32_t *triangles, *sheets;

// All surfaces of soft bodies and cloth, body by body
static Passing takeSurfaces(int up)
{
	Passing all = {.up = up};
	size_t bodyCount = plScene_GetView(scene).bodyCount, vertices = 0, faces = 0;
	for (size_t b = 0; b < bodyCount; ++b)
		if (plScene_GetBody(scene, b).rigidCount == 0)
		{
			vertices += plMesh_GetView(plScene_GetBody(scene, b).mesh).vertexCount;
			faces += plMesh_GetView(plScene_GetBody(scene, b).mesh).surfaceCount;
		}
	x = realloc(x, 3 * vertices * sizeof *x);
	triangles = realloc(triangles, 3 * faces * sizeof *triangles);
	sheets = realloc(sheets, faces * sizeof *sheets);
	for (size_t b = 0; b < bodyCount; ++b)
	{
		plSceneBodyView body = plScene_GetBody(scene, b);
		plMeshView mesh = body.rigidCount == 0 ? plMesh_GetView(body.mesh) : (plMeshView){0};
		if (body.rigidCount == 0)
			plBody_GetPositions(world, body.id, x + 3 * all.vertexCount);
		for (size_t c = 0; c < 3 * mesh.surfaceCount; ++c)
			triangles[3 * all.triangleCount + c] = mesh.surface[c] + (uint32_t)all.vertexCount;
		for (size_t t = 0; t < mesh.surfaceCount; ++t)
			sheets[all.triangleCount + t] = (uint32_t)b;
		all.vertexCount += mesh.vertexCount;
		all.triangleCount += mesh.surfaceCount;
	}
	all.x = x;
	all.triangles = triangles;
	all.sheets = sheets;
	return all;
}

// Runs the scene; `up`: the axis along which its bodies stay in order, -1: none
static void run(const char* scenes, const char* const* sets, size_t setCount, uint64_t steps, int up)
{
	plStepReport report;
	plError error = {0};
	name = scenes;
	touched = unconverged = 0;
	lag = 0.0;
	CHECK_READ(readScene(sets, setCount));
	plDestroyWorld(world);
	world = plScene_CreateWorld(scene, NULL, NULL, problems);
	CHECK_READ(world);
	for (uint64_t i = 1; i <= steps; ++i)
	{
		WITH("step %llu of %s", (unsigned long long)i, name);
		plResult result = plWorld_Step(world, &report, &error);
		CHECK_TEXT(result < 0 ? error.message : "", "");
		touched += report.selfContacts > 0;
		unconverged += !report.converged;
		lag = fmax(lag, report.pinLag);
		CHECK(report.selfContacts == 0 || report.gap > 0.0);
		if (i % 10 != 0)
			continue;
		Passing all = takeSurfaces(up < 0 ? 0 : up);
		CHECK(passingCount(&all, NULL) == 0);
		CHECK(up < 0 || passingDisorder(&all, NULL) == 0);
	}
	stepCount = steps;
	if (getenv("PLIANT_TEST_VERBOSE") != NULL)
		printf("    %s: %zu of %zu steps with pairs, %zu did not converge, lag %.3g m\n", name, touched, stepCount,
		       unconverged, lag);
	CHECK(touched > 0);
	CHECK(10 * unconverged <= steps || report.method == pl_methodAvbd);
}

AFTER_ALL(forget_the_world)
{
	plDestroyWorld(world);
	free(x);
	free(triangles);
	free(sheets);
}

// ---- scenes ---------------------------------------------------------------------------------------------------------

#define SETS(...) (const char* const[]){__VA_ARGS__}, sizeof((const char* const[]){__VA_ARGS__}) / sizeof(char*)

PLAIN_TEST(five_sheets_lie_on_each_other_in_their_order)
{
	CALL(run("sheets",
	         SETS("bodies.sheet0.mesh.cells=[4,4]", "bodies.sheet1.mesh.cells=[4,4]", "bodies.sheet2.mesh.cells=[4,4]",
	              "bodies.sheet3.mesh.cells=[4,4]", "bodies.sheet4.mesh.cells=[4,4]"),
	         20, 1));
}

TEST(a_cloth_on_a_ball_folds_without_crossing)
{
	CALL(run("sphere", SETS("bodies.cloth.mesh.cells=[14,16]"), 60, -1));
}

LONG_TEST(a_cloth_on_a_table_folds_without_crossing)
{
	CALL(run("table", SETS("bodies.cloth.mesh.cells=[12,14]"), 40, -1));
}

LONG_TEST(a_strip_folds_on_itself_without_crossing)
{
	CALL(run("fold", SETS("bodies.strip.mesh.cells=[5,30]"), 60, -1));
}

LONG_TEST(a_cloth_goes_through_a_ring)
{
	CALL(run("ring", SETS("bodies.cloth.mesh.cells=[14,16]", "bodies.ring.mesh.cells=[18,1]"), 60, -1));
}

LONG_TEST(rings_in_a_bowl_do_not_cross)
{
	CALL(run("tori", SETS("bodies.ring0.name=ring0"), 60, -1));
}

LONG_TEST(a_ball_lies_in_a_hammock)
{
	CALL(run("hammock", SETS("bodies.cloth.mesh.cells=[14,16]", "bodies.ball.mesh.cells=2"), 60, -1));
}

// Under avbd: what is rigid pushes what is soft, and is pushed by it.
TEST(a_cloth_folds_on_rigid_bodies_that_give_way_without_crossing)
{
	CALL(run("rigids", SETS("bodies.cloth.mesh.cells=[14,16]"), 60, -1));
}

TEST(a_ball_lies_in_a_hammock_between_rigid_posts)
{
	CALL(run("posts", SETS("bodies.cloth.mesh.cells=[14,16]", "bodies.ball.mesh.cells=2"), 60, -1));
}

LONG_TEST(what_falls_on_a_trampoline_leaves_its_cloth_whole)
{
	CALL(run("../../../scenes/trampoline", SETS("contact.bodies=true", "contact.self=cloth"), 120, -1));
}

// The line in the middle of a trefoil of rope and one along its surface wind round each other six times.
PLAIN_TEST(a_knot_that_is_pulled_tight_stays_the_knot_that_it_is)
{
	enum
	{
		along = 60,
		section = 7
	};
	CALL(run("knot", SETS("bodies.rope.mesh.cells=[60,1]"), 60, -1));
	double lines[2][3 * along];
	for (size_t s = 0; s < along; ++s)
		for (size_t l = 0; l < 2; ++l)
			memcpy(lines[l] + 3 * s, x + 3 * (section * s + l), 3 * sizeof *x);
	CHECK_NEAR(fabs(passingLink(lines[0], along, lines[1], along)), 6.0, 1e-9);
}
