// quasi_scenes.c: scenes of the size and kind of [LBK17]'s, each left as a file that `pliant run` takes
//
// Sheet, spheres and bars are generated; cloth has springs along its edges; a ball with ears and a nose, drawn
// out by formula (quasi_head.c), stands in for ditto, hippo, bunny and the small squirrel, and the serpent for the
// large one. A body that is shaken stays where it is and feels the acceleration of its frame: a force on all of it, up
// and down in turn.
//
// [LBK17] print moduli without units and no sizes. Ours are chosen so that bodies of one or two metres and 1000 kg/m^3
// deform as much as theirs; of corotated bodies mu : lambda is as printed.
#include "papers.h"

#include <stdlib.h>

enum
{
	sheetSquares = 80, // of the cloth, along each side
	quickSquares = 8
};

typedef struct Script
{
	const char* name;
	const char *mesh, *small; // small: --quick; NULL: NAME.msh
	const char* material;
	const char* pins;         // the list; NULL: none
	const char *extra, *head; // further keys of the body, of the scene; NULL: none
	bool floats;              // there is no gravity
	double springs;           // of a cloth, N/m; 0: it is a soft body
	double shake;             // N, along x; 0: none
	int pushes;               // one way, and the other way in turn
	size_t cells[2];          // of the head, quick; 0: the serpent
} Script;

#define HELD(box) "{ \"body\": \"body\", \"where\": { \"box\": " box " } }"
#define BALL(preset)                                                                                                   \
	.mesh = "\"sphere\": 0.5, \"cells\": 6", .small = "\"sphere\": 0.5, \"cells\": 3",                                 \
	.material = "\"law\": \"spline\", \"spline\": { \"preset\": \"" preset "\" }, \"young\": 1.5e4, \"poisson\": 0.3", \
	.pins = HELD("[[-1, 0.4, -1], [1, 1, 1]]")
#define FOOT .pins = HELD("[[-9, 0, -9], [9, 0.2, 9]]")

#define LEFT "[[0, -1, -0.01], [0.1, 1, 0]]"
#define RIGHT "[[1.9, -1, -0.01], [2, 1, 0]]"
#define DRAWN(box, way)                                                                                                \
	"{ \"body\": \"body\", \"where\": { \"box\": " box " },\n"                                                         \
	"      \"motion\": { \"translate\": [" way ", 0, 0], \"until\": 0.6 } }"
#define SHEET                                                                                                          \
	.mesh = "\"cloth\": [2, 2], \"cells\": [80, 80], \"pattern\": \"alternating\"",                                    \
	.small = "\"cloth\": [2, 2], \"cells\": [8, 8], \"pattern\": \"alternating\"",                                     \
	.extra = "\n      \"transform\": { \"rotate\": [1, 0, 0, -90], \"translate\": [1, 0, -1] },", .springs = 120.0,    \
	.head = "  \"contact\": { \"self\": false },\n"
#define POLYNOMIAL "\"law\": \"polynomial\", \"mu\": 4e5"
#define LIMITS "\"law\": \"strain-limit\", \"mu\": 3.76e4, \"stiffness\": 6.64e5, \"low\": 0.72, \"high\": 1.28"
#define PUSHED(law, force) .material = law, FOOT, .floats = true, .shake = force, .pushes = 1, .cells = {7, 3}

static const Script scripts[pl_quasiCount] = {
    [pl_quasiSheet] = {.name = "sheet",
                       .mesh = "\"box\": [2.1, 0.05, 1.4], \"cells\": [21, 1, 14]",
                       .small = "\"box\": [2.1, 0.05, 1.4], \"cells\": [6, 1, 4]",
                       .material = "\"law\": \"polynomial\", \"mu\": 4e6",
                       .pins = HELD("[[0, -1, -1], [0, 1, 2]]")},
    [pl_quasiSphereA] = {.name = "sphere-a", BALL("A")},
    [pl_quasiSphereB] = {.name = "sphere-b", BALL("B")},
    [pl_quasiShaken] = {.name = "shaken-bar",
                        .mesh = "\"box\": [1, 5.5, 1], \"cells\": [4, 22, 4], \"split\": 5",
                        .small = "\"box\": [1, 5.5, 1], \"cells\": [1, 11, 1], \"split\": 5",
                        .material = "\"law\": \"corotated\", \"young\": 5e5, \"poisson\": 0.4",
                        .pins = HELD("[[-1, 2.5, -1], [2, 3, 2]]"),
                        .floats = true,
                        .shake = 2.2e5,
                        .pushes = 12},
    [pl_quasiDitto] = {.name = "ditto",
                       .material = "\"law\": \"neo-hookean\", \"young\": 5e4, \"poisson\": 0.45",
                       FOOT,
                       .shake = 1e4,
                       .pushes = 12,
                       .cells = {7, 3}},
    [pl_quasiHippo] = {.name = "hippo",
                       .material = "\"law\": \"corotated\", \"mu\": 2e4, \"lambda\": 1e5",
                       .floats = true,
                       .cells = {8, 3}},
    [pl_quasiTwist] =
        {.name = "twisting-bar",
         .mesh = "\"box\": [7, 0.6, 0.6], \"cells\": [70, 6, 6], \"split\": 5",
         .small = "\"box\": [7, 0.6, 0.6], \"cells\": [20, 2, 2], \"split\": 5",
         .material = "\"law\": \"neo-hookean\", \"young\": 1e6, \"poisson\": 0.4",
         .pins = HELD(
             "[[0, 0, 0], [0, 1, 1]]") ",\n"
                                       "    { \"body\": \"body\", \"where\": { \"box\": [[7, 0, 0], [7, 1, 1]] },\n"
                                       "      \"motion\": { \"rotate\": [1, 0, 0, 1080], \"until\": 3 } }"},
    [pl_quasiCloth] = {.name = "cloth", SHEET, .pins = HELD(LEFT) ",\n    " HELD(RIGHT)},
    [pl_quasiBunny] = {.name = "bunny",
                       .material = "\"law\": \"corotated\", \"mu\": 1e4, \"lambda\": 4e5",
                       .extra = "\n      \"transform\": { \"translate\": [0, 0.6, 0] },",
                       .head = "  \"contact\": { \"bodies\": false, \"friction\": 0, \"stiffness\": 5e4 },\n"
                               "  \"colliders\": [ { \"mesh\": { \"torus\": [0.95, 0.45], \"cells\": [64, 4] } } ],\n",
                       .cells = {12, 4}},
    [pl_quasiSquirrel] =
        {.name = "squirrel", .material = POLYNOMIAL, FOOT, .shake = 4e4, .pushes = 12, .cells = {13, 4}},
    [pl_quasiLarge] = {.name = "squirrel-large",
                       .material = "\"law\": \"polynomial\", \"mu\": 1e6",
                       .pins = HELD("[[2.15, -9, -9], [9, 9, 9]]")},
    [pl_quasiCurtain] = {.name = "curtain", SHEET, .pins = DRAWN(LEFT, "0.35") ",\n    " DRAWN(RIGHT, "-0.35")},
    [pl_quasiPolynomial] = {.name = "figure10-polynomial", PUSHED(POLYNOMIAL, 3e4)},
    [pl_quasiLimits] = {.name = "figure10-limits", PUSHED(LIMITS, 3e4)},
    [pl_quasiPolynomialGently] = {.name = "figure10-polynomial-gently", PUSHED(POLYNOMIAL, 6e3)},
    [pl_quasiLimitsGently] = {.name = "figure10-limits-gently", PUSHED(LIMITS, 6e3)},
};

const char* plQuasiScene_GetName(plQuasiScene scene)
{
	return scripts[scene].name;
}

size_t plQuasiScene_GetSpringCount(plQuasiScene scene, bool quick)
{
	size_t squares = quick ? quickSquares : sheetSquares;
	return scripts[scene].springs > 0.0 ? 2 * squares * (squares + 1) + squares * squares : 0;
}

static bool writeBody(const Script* script, const plPaperRun* run, plError* error)
{
	if (script->cells[0] == 0)
		return plQuasi_WriteMesh(
		    plTrial_CreateSerpent(run->quick ? (size_t[3]){2, 2, 24} : (size_t[3]){16, 16, 82}, error), run,
		    script->name, error);
	const char* path = script == scripts + pl_quasiDitto ? run->ditto : NULL;
	return plQuasi_WriteHead(run, script->name, path, script->cells[run->quick ? 1 : 0], error);
}

// ---- scenes ---------------------------------------------------------------------------------------------------------

void plQuasi_PrintShake(FILE* out, const char* body, double force, int pushes, bool first)
{
	for (int i = 0; i < pushes; ++i)
		fprintf(out,
		        "%s\n    { \"body\": \"%s\", \"where\": \"all\", \"force\": [%g, 0, 0], \"from\": %g, "
		        "\"until\": %g }",
		        first && i == 0 ? "" : ",", body, i % 2 == 0 ? force : -force, 0.25 * i, 0.25 * (i + 1));
}

bool plQuasiScene_Print(plQuasiScene scene, const plPaperRun* run, FILE* out, int steps, plError* error)
{
	const Script* s = scripts + scene;
	if (s->mesh == NULL && !writeBody(s, run, error))
		return false;
	char head[512];
	snprintf(head, sizeof head, "%s%s", PL_QUASI_SOLVER, s->head != NULL ? s->head : "");
	plPaper_BeginScene(out, s->floats ? "[0, 0, 0]" : "[0, -9.81, 0]", steps, head);
	bool isCloth = s->springs > 0.0;
	fprintf(out, "\n    { \"name\": \"body\", \"type\": \"%s\", \"density\": %g,%s\n      \"mesh\": { ",
	        isCloth ? "cloth" : "soft", isCloth ? 0.3 : 1000.0, s->extra != NULL ? s->extra : "");
	if (s->mesh != NULL)
		fputs(run->quick ? s->small : s->mesh, out);
	else
		fprintf(out, "\"file\": \"%s.msh\"", s->name);
	if (isCloth)
		fprintf(out,
		        " },\n      \"membrane\": { \"law\": \"springs\", \"stiffness\": %g }, \"bending\": { "
		        "\"stiffness\": 1e-5 } }",
		        s->springs);
	else
		fprintf(out, " },\n      \"material\": { %s } }", s->material);
	if (s->pins != NULL)
		fprintf(out, "\n  ],\n  \"pins\": [\n    %s", s->pins);
	if (s->shake != 0.0)
	{
		fputs("\n  ],\n  \"forces\": [", out);
		plQuasi_PrintShake(out, "body", s->shake, s->pushes, true);
	}
	fputs(plPaper_sceneEnd, out);
	return true;
}

// ---- a scene as a world ---------------------------------------------------------------------------------------------

// Every vertex of the hippo anywhere in a box of its size.
static bool scatter(plWorld* world, plBodyId body, plError* error)
{
	size_t count = plBody_GetVertexCount(world, body);
	double* x = malloc(3 * count * sizeof *x);
	uint64_t random = 1;
	if (x == NULL)
	{
		snprintf(error->message, sizeof error->message, "not enough memory for %zu vertices", count);
		return false;
	}
	for (size_t i = 0; i < 3 * count; ++i)
	{
		random = random * 6364136223846793005u + 1442695040888963407u;
		x[i] = 2.0 * ((double)(random >> 11) * 0x1p-53) - (i % 3 == 1 ? 0.0 : 1.0);
	}
	plBody_SetPositions(world, body, x);
	free(x);
	return true;
}

bool plQuasiScene_Open(plPaperStage* stage, const plPaperRun* run, plQuasiScene scene, plError* error)
{
	char name[64];
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	*stage = (plPaperStage){0};
	snprintf(name, sizeof name, "%s.json", scripts[scene].name);
	if (out != NULL && !plQuasiScene_Print(scene, run, out, 90, error))
	{
		plPaperFile_Discard(&file);
		return false;
	}
	return plPaperStage_Open(stage, run, &file, name, error) &&
	       (scene != pl_quasiHippo || scatter(stage->world, stage->body, error));
}
