// multigrid_scenes.c: scenes of the size and kind of [WWF18]'s, each left as a file that `pliant run` takes
//
//   sphere    a tablecloth falls on a sphere that turns
//   funnel    a tablecloth falls through a funnel
//   dress     a dress to the knees on a body that walks on the spot; gown: one to the floor
//   curtain   a sheet of 10 m that two corners hold, which are drawn together
//   table     a cloth on a round table, which holds what lies on it: of arap, for projective dynamics
//
// [WWF18] say how many vertices and triangles there are, and give time steps. Sizes, masses and stiffness are ours. In
// the funnel and on the body cloth meets itself; elsewhere it does not, for there methods are compared on one problem.
#include "papers.h"

#include <math.h>
#include <stdlib.h>

typedef struct Script
{
	const char* name;
	size_t vertices;      // as the paper has them
	double width, height; // of a rectangle, m; 0: a garment, NAME.msh
	plGarment garment;
	double timestep;
	const char *body, *pins; // further keys of the body; the list of pins, NULL: none
	const char* head;        // of the scene
} Script;

#define FLAT(y) "\"transform\": { \"rotate\": [1, 0, 0, -90], \"translate\": [0, " y ", 0] },\n      "
#define JERSEY                                                                                                         \
	"\"density\": 0.2, \"thickness\": 0.0005, \"membrane\": { \"young\": 5e5, \"poisson\": 0.3 },\n"                   \
	"      \"bending\": { \"stiffness\": 2e-4 }, \"damping\": { \"air\": 0.2 }"
#define SILK                                                                                                           \
	"\"density\": 0.15, \"thickness\": 0.0004, \"membrane\": { \"young\": 6e5, \"poisson\": 0.3 },\n"                  \
	"      \"bending\": { \"stiffness\": 2e-5 }, \"damping\": { \"air\": 0.5 }"
#define SWAY                                                                                                           \
	"\"motion\": { \"sine\": { \"translate\": [0.03, 0, 0], \"rotate\": [0, 1, 0, 6], \"frequency\": 1 }, "            \
	"\"about\": [0, 1.2, 0] }"
#define WALKER                                                                                                         \
	"  \"contact\": { \"thickness\": 0.003, \"friction\": 0.3, \"stiffness\": 20 },\n"                                 \
	"  \"colliders\": [\n    { \"plane\": {} },\n"                                                                     \
	"    { \"mesh\": \"walker.msh\", \"frames\": \"walker.mdd\", \"thickness\": 0.003 } ],\n"
#define NECK "{ \"body\": \"cloth\", \"where\": { \"box\": [[-1, 1.355, -1], [1, 2, 1]] },\n      " SWAY " }"
#define CORNER(z, way)                                                                                                 \
	"{ \"body\": \"cloth\", \"where\": { \"nearest\": [-5, 0, " z "] },\n"                                             \
	"      \"motion\": { \"translate\": [0, 0, " way "], \"until\": 1.5, \"ease\": \"smooth\" } }"
#define TABLE                                                                                                          \
	.width = 2.0, .height = 2.0, .timestep = 1.0 / 30.0,                                                               \
	.body = FLAT("0.75") "\"density\": 0.2, \"thickness\": 0.0005, \"membrane\": { \"law\": \"arap\", \"young\": "     \
	                     "8e6 },\n      \"bending\": { \"stiffness\": 2e-5 }",                                         \
	.pins = "{ \"body\": \"cloth\", \"where\": { \"sphere\": { \"centre\": [0, 0.75, 0], \"radius\": 0.5 } } }",       \
	.head = "  \"contact\": { \"self\": false },\n"

static const Script scripts[pl_gridSceneCount] = {
    [pl_gridSphere] =
        {.name = "sphere",
         .vertices = 120000,
         .width = 4.0,
         .height = 4.0,
         .timestep = 1.0 / 30.0,
         .body = FLAT("1.02") JERSEY,
         .head = "  \"contact\": { \"self\": false, \"thickness\": 0.004, \"friction\": 0.5, \"stiffness\": 5 },\n"
                 "  \"colliders\": [ { \"sphere\": { \"radius\": 1 },\n"
                 "      \"motion\": { \"rotate\": [0, 1, 0, 720], \"until\": 8 } } ],\n"},
    [pl_gridFunnel] = {.name = "funnel",
                       .vertices = 120000,
                       .width = 2.2,
                       .height = 2.2,
                       .timestep = 1.0 / 90.0,
                       .body = FLAT("1.0") JERSEY,
                       .head = "  \"contact\": { \"friction\": 0.1 },\n"
                               "  \"colliders\": [ { \"mesh\": \"funnel-wall.msh\" } ],\n"},
    [pl_gridDress] = {.name = "dress",
                      .vertices = 132000,
                      .garment = pl_garmentDress,
                      .timestep = 1.0 / 90.0,
                      .body = SILK,
                      .pins = NECK,
                      .head = WALKER},
    [pl_gridGown] = {.name = "gown",
                     .vertices = 104000,
                     .garment = pl_garmentGown,
                     .timestep = 1.0 / 90.0,
                     .body = SILK,
                     .pins = NECK,
                     .head = WALKER},
    [pl_gridCurtain] = {.name = "curtain",
                        .vertices = 40000,
                        .width = 10.0,
                        .height = 10.0,
                        .timestep = 1.0 / 60.0,
                        .body = FLAT("0") "\"density\": 0.2, \"membrane\": { \"young\": 2e8, \"poisson\": 0.3 },\n"
                                          "      \"bending\": { \"stiffness\": 1e-4 }",
                        .pins = CORNER("-5", "2") ",\n    " CORNER("5", "-2"),
                        .head = "  \"contact\": { \"self\": false },\n"},
    [pl_gridTable10] = {.name = "table-10k", .vertices = 10000, TABLE},
    [pl_gridTable40] = {.name = "table-40k", .vertices = 40000, TABLE},
};

const char* plGridScene_GetName(plGridScene scene)
{
	return scripts[scene].name;
}

static bool printMesh(const Script* s, const plPaperRun* run, size_t vertices, FILE* out, plError* error)
{
	if (s->width == 0.0)
	{
		fprintf(out, "\"file\": \"%s.msh\"", s->name);
		return plGarment_Write(run, s->garment, vertices, s->name, error);
	}
	// rows of equilateral triangles: (i + 1)(j + 1) + j/2 vertices
	double rows = 2.0 / sqrt(3.0) * s->height / s->width, across = floor(sqrt((double)vertices / rows) - 0.5);
	fprintf(out, "\"cloth\": [%g, %g], \"cells\": [%.0f, %.0f]", s->width, s->height, across, round(rows * across));
	return true;
}

bool plGridScene_Print(plGridScene scene, const plPaperRun* run, const plGridSceneDef* def, FILE* out, plError* error)
{
	const Script* s = scripts + scene;
	size_t vertices = def->vertices > 0 ? def->vertices : s->vertices;
	if (run->vertices > 0 && vertices > run->vertices)
		vertices = run->vertices;
	if (run->quick) // in the same order
		vertices = (size_t)(400.0 * sqrt((double)vertices / 40000.0));
	if (scene == pl_gridFunnel && !plFunnel_Write(run, "funnel-wall", error))
		return false;
	double timestep = def->timestep > 0.0 ? def->timestep : s->timestep;
	bool walks = scene == pl_gridDress || scene == pl_gridGown;
	if (walks && !plWalker_Write(run, "walker", timestep * def->steps, error))
		return false;
	fprintf(out,
	        "{\n  \"pliant\": 1,\n  \"timestep\": %.10g, \"steps\": %d,\n"
	        "  \"output\": { \"every\": %d, \"formats\": [\"vtu\"] },\n  \"solver\": %s,\n%s"
	        "  \"bodies\": [\n    { \"name\": \"cloth\", \"type\": \"cloth\", \"mesh\": { ",
	        timestep, def->steps, def->steps, def->solver != NULL ? def->solver : "\"multigrid\"", s->head);
	if (!printMesh(s, run, vertices, out, error))
		return false;
	fprintf(out, " },\n      %s }", s->body);
	if (s->pins != NULL)
		fprintf(out, "\n  ],\n  \"pins\": [\n    %s", s->pins);
	fputs(plPaper_sceneEnd, out);
	return true;
}

bool plGridScene_Open(plPaperStage* stage, const plPaperRun* run, plGridScene scene, const plGridSceneDef* def,
                      plError* error)
{
	char name[64];
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	*stage = (plPaperStage){0};
	snprintf(name, sizeof name, "%s.json", scripts[scene].name);
	if (out != NULL && !plGridScene_Print(scene, run, def, out, error))
	{
		plPaperFile_Discard(&file);
		return false;
	}
	return plPaperStage_Open(stage, run, &file, name, error);
}
