// contact_hostile_test.c: scenes that ask too much of contact are refused with a reason, or survive without a crossing
#include "passing.h"
#include "scene_text.h"

static plWorld* world;
static plStepReport report;
static plError error;

#define CLOTH(name, size, cells, y, more)                                                                              \
	"{ \"name\": \"" name "\", \"type\": \"cloth\", \"mesh\": { \"cloth\": " size ", \"cells\": " cells                \
	" }, \"density\": 0.2,\n"                                                                                          \
	"  \"transform\": { \"rotate\": [1, 0, 0, -90], \"translate\": [0, " y ", 0] }" more " }"
#define SHEET(name, y, more) CLOTH(name, "[0.5, 0.5]", "[6, 6]", y, more)

#define SCENE_OF(bodies, contact, rest)                                                                                \
	"{ \"pliant\": 1, \"gravity\": [0, 0, 0], \"solver\": { \"method\": \"newton\", \"hessian\": \"projected\", "      \
	"\"tolerance\": 1e-3 },\n"                                                                                         \
	"\"bodies\": [" bodies "],\n\"contact\": { \"bodies\": true, \"self\": \"cloth\", " contact " }" rest " }"

static bool make(const char* text)
{
	plDestroyWorld(world);
	world = NULL;
	if (readText(text) == NULL)
		return false;
	world = plScene_CreateWorld(scene, NULL, NULL, problems);
	return world != NULL;
}

// Steps until one is refused; the words of that, or "".
static const char* step(int count)
{
	error = (plError){0};
	for (int i = 0; i < count && error.code >= 0; ++i)
		if (plWorld_Step(world, &report, &error) < 0)
			return error.message;
	return "";
}

AFTER_ALL(forget_the_world)
{
	plDestroyWorld(world);
}

static double heightOf(size_t body, double* least, double* most)
{
	plSceneBodyView view = plScene_GetBody(scene, body);
	size_t count = plBody_GetVertexCount(world, view.id);
	double* x = passingAllocate(3 * count, sizeof *x);
	plBody_GetPositions(world, view.id, x);
	*least = INFINITY;
	*most = -INFINITY;
	for (size_t i = 0; i < count; ++i)
	{
		*least = fmin(*least, x[3 * i + 1]);
		*most = fmax(*most, x[3 * i + 1]);
	}
	free(x);
	return *most - *least;
}

TEST(coincident_sheets_are_refused)
{
	CHECK(make(SCENE_OF(SHEET("a", "0", "") "," SHEET("b", "0", ""), "\"pair_thickness\": 0.01", "")));
	CHECK(strstr(step(1), "pairs of triangles cross") != NULL);
	CHECK_TEXT(error.field, "intersections");
}

// Sheets that touch in points only: a vertex of one lies on the other.
TEST(a_gap_of_zero_is_refused)
{
	CHECK(make(SCENE_OF(
	    SHEET("a", "0",
	          "") ",{ \"name\": \"b\", \"type\": \"cloth\", \"mesh\": { \"cloth\": [0.5, 0.5], \"cells\": [6, 6], "
	              "\"pattern\": \"one-way\" }, \"density\": 0.2, \"transform\": { \"translate\": [0, 0.25, 0] } }",
	    "\"pair_thickness\": 0.01", "")));
	CHECK(strstr(step(1), "pairs of triangles cross") != NULL);
}

TEST(crossings_at_the_start_are_refused_and_nothing_has_changed)
{
	CHECK(make(SCENE_OF(
	    SHEET("a", "0",
	          "") ",{ \"name\": \"b\", \"type\": \"cloth\", \"mesh\": { \"cloth\": [0.5, 0.5], \"cells\": [6, 6] }, "
	              "\"density\": 0.2, \"velocity\": [1, 0, 0] }",
	    "\"pair_thickness\": 0.01", "")));
	uint64_t before = plWorld_GetHash(world);
	CHECK(strstr(step(1), "the first are triangle") != NULL);
	CHECK(plWorld_GetHash(world) == before);
}

TEST(crossings_that_are_ignored_survive)
{
	CHECK(make(SCENE_OF(
	    SHEET("a", "0", "") ",{ \"name\": \"b\", \"type\": \"cloth\", \"mesh\": { \"cloth\": [0.5, 0.5], \"cells\": "
	                        "[6, 6] }, \"density\": 0.2, \"velocity\": [0, 3, 0] }",
	    "\"pair_thickness\": 0.01, \"intersections\": \"ignore\"", "")));
	CHECK_TEXT(step(10), "");
	CHECK(isfinite(report.objective));
}

TEST(a_thickness_above_the_edges_is_refused_by_body_and_edge)
{
	CHECK(make(SCENE_OF(SHEET("a", "0", "") "," SHEET("b", "0.3", ""), "\"pair_thickness\": 0.06", "")));
	CHECK(strstr(step(1), "more than half the median edge of body 1") != NULL);
}

// At 100 m/s a sheet would be 1.6 m beyond the other one after a step. That one is larger: there is no way round it.
TEST(a_sheet_of_100_metres_a_second_is_caught)
{
	double lower[2], upper[2];
	CHECK(make(
	    SCENE_OF(CLOTH("a", "[1.5, 1.5]", "[14, 16]", "0", "") "," SHEET("b", "0.2", ", \"velocity\": [0, -100, 0]"),
	             "\"pair_thickness\": 0.02", ", \"pins\": [ { \"body\": \"a\", \"where\": \"all\" } ]")));
	CHECK_TEXT(step(10), "");
	heightOf(0, lower, lower + 1);
	heightOf(1, upper, upper + 1);
	CHECK(upper[0] > lower[1]);
}

// A plate is driven down on a wall of which everything is pinned, by more than there is room for.
TEST(a_pin_that_drives_a_sheet_into_a_wall_stays_behind_and_says_so)
{
	double lower[2], upper[2];
	CHECK(make(SCENE_OF(
	    SHEET("a", "0", "") "," SHEET("b", "0.1", ""), "\"pair_thickness\": 0.02",
	    ", \"pins\": [ { \"body\": \"a\", \"where\": \"all\" }, { \"body\": \"b\", \"where\": \"all\", \"motion\": "
	    "{ \"translate\": [0, -0.3, 0], \"until\": 0.1 } } ]")));
	CHECK_TEXT(step(8), "");
	CHECK(report.pinLag > 0.1);
	heightOf(0, lower, lower + 1);
	heightOf(1, upper, upper + 1);
	CHECK(upper[0] > lower[1]);
}
