// quasi_scenes.c: scenes of the size and kind of [LBK17]'s, each left as a file that `pliant run` takes
//
// Sheet, spheres and bars are generated; cloth is a layer with springs (cloth.c); a ball with ears and a nose, drawn
// out by formula, stands in for ditto, hippo, bunny and the small squirrel, and the serpent for the large one. A body
// that is shaken stays where it is and feels the acceleration of its frame: a force on all of it, up and down in turn.
//
// [LBK17] print moduli without units and no sizes. Ours are chosen so that bodies of one or two metres and 1000 kg/m^3
// deform as much as theirs; of corotated bodies mu : lambda is as printed.
#include "papers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	sheetSquares = 56 // of the cloth, along each side
};

typedef struct Script
{
	const char* name;
	const char* mesh;  // NULL: NAME.msh
	const char* small; // --quick
	const char* material;
	const char* extra; // further keys of the body
	const char* head;  // further keys of the scene
	const char* gravity;
	const char* pins; // the list
	double shake;     // N, along x, 0: none
	size_t cells[2];  // of the head, quick; 0: the serpent
} Script;

#define FALL "[0, -9.81, 0]"

static const Script scripts[pl_quasiCount] = {
    [pl_quasiSheet] = {"sheet",
                       "\"box\": [2.1, 0.05, 1.4], \"cells\": [21, 1, 14]",
                       "\"box\": [2.1, 0.05, 1.4], \"cells\": [6, 1, 4]",
                       "\"law\": \"polynomial\", \"mu\": 4e6",
                       "",
                       "",
                       FALL,
                       "{ \"body\": \"body\", \"where\": { \"box\": [[0, -1, -1], [0, 1, 2]] } }",
                       0.0,
                       {0}},
    [pl_quasiSphereA] = {"sphere-a",
                         "\"sphere\": 0.5, \"cells\": 6",
                         "\"sphere\": 0.5, \"cells\": 3",
                         "\"law\": \"spline\", \"spline\": { \"preset\": \"A\" }, \"young\": 1.5e4, \"poisson\": 0.3",
                         "",
                         "",
                         FALL,
                         "{ \"body\": \"body\", \"where\": { \"box\": [[-1, 0.4, -1], [1, 1, 1]] } }",
                         0.0,
                         {0}},
    [pl_quasiSphereB] = {"sphere-b",
                         "\"sphere\": 0.5, \"cells\": 6",
                         "\"sphere\": 0.5, \"cells\": 3",
                         "\"law\": \"spline\", \"spline\": { \"preset\": \"B\" }, \"young\": 1.5e4, \"poisson\": 0.3",
                         "",
                         "",
                         FALL,
                         "{ \"body\": \"body\", \"where\": { \"box\": [[-1, 0.4, -1], [1, 1, 1]] } }",
                         0.0,
                         {0}},
    [pl_quasiShaken] = {"shaken-bar",
                        "\"box\": [1, 5.5, 1], \"cells\": [4, 22, 4], \"split\": 5",
                        "\"box\": [1, 5.5, 1], \"cells\": [1, 11, 1], \"split\": 5",
                        "\"law\": \"corotated\", \"young\": 5e5, \"poisson\": 0.4",
                        "",
                        "",
                        "[0, 0, 0]",
                        "{ \"body\": \"body\", \"where\": { \"box\": [[-1, 2.5, -1], [2, 3, 2]] } }",
                        2.2e5,
                        {0}},
    [pl_quasiDitto] = {"ditto",
                       NULL,
                       NULL,
                       "\"law\": \"neo-hookean\", \"young\": 5e4, \"poisson\": 0.45",
                       "",
                       "",
                       FALL,
                       "{ \"body\": \"body\", \"where\": { \"box\": [[-9, 0, -9], [9, 0.2, 9]] } }",
                       1e4,
                       {7, 3}},
    [pl_quasiHippo] = {"hippo",
                       NULL,
                       NULL,
                       "\"law\": \"corotated\", \"mu\": 2e4, \"lambda\": 1e5",
                       "",
                       "",
                       "[0, 0, 0]",
                       NULL,
                       0.0,
                       {8, 3}},
    [pl_quasiTwist] = {"twisting-bar",
                       "\"box\": [7, 0.6, 0.6], \"cells\": [70, 6, 6], \"split\": 5",
                       "\"box\": [7, 0.6, 0.6], \"cells\": [20, 2, 2], \"split\": 5",
                       "\"law\": \"neo-hookean\", \"young\": 1e6, \"poisson\": 0.4",
                       "",
                       "",
                       FALL,
                       "{ \"body\": \"body\", \"where\": { \"box\": [[0, 0, 0], [0, 1, 1]] } },\n"
                       "    { \"body\": \"body\", \"where\": { \"box\": [[7, 0, 0], [7, 1, 1]] },\n"
                       "      \"motion\": { \"rotate\": [1, 0, 0, 1080], \"until\": 3 } }",
                       0.0,
                       {0}},
    [pl_quasiCloth] = {"cloth",
                       "\"box\": [2, 2, 0.006], \"cells\": [56, 56, 1]",
                       "\"box\": [2, 2, 0.006], \"cells\": [8, 8, 1]",
                       "\"law\": \"stable-neo-hookean\", \"young\": 2000, \"poisson\": 0",
                       "\n      \"transform\": { \"rotate\": [1, 0, 0, -90] },",
                       "",
                       FALL,
                       "{ \"body\": \"body\", \"where\": { \"box\": [[0, -1, -0.01], [0.1, 1, 0]] } },\n"
                       "    { \"body\": \"body\", \"where\": { \"box\": [[1.9, -1, -0.01], [2, 1, 0]] } }",
                       0.0,
                       {0}},
    [pl_quasiBunny] = {"bunny",
                       NULL,
                       NULL,
                       "\"law\": \"corotated\", \"mu\": 1e4, \"lambda\": 4e5",
                       "\n      \"transform\": { \"translate\": [0, 0.6, 0] },",
                       "  \"contact\": { \"friction\": 0 },\n"
                       "  \"colliders\": [ { \"mesh\": { \"torus\": [0.95, 0.45], \"cells\": [64, 4] } } ],\n",
                       FALL,
                       NULL,
                       0.0,
                       {12, 4}},
    [pl_quasiSquirrel] = {"squirrel",
                          NULL,
                          NULL,
                          "\"law\": \"polynomial\", \"mu\": 4e5",
                          "",
                          "",
                          FALL,
                          "{ \"body\": \"body\", \"where\": { \"box\": [[-9, 0, -9], [9, 0.2, 9]] } }",
                          4e4,
                          {13, 4}},
    [pl_quasiLarge] = {"squirrel-large",
                       NULL,
                       NULL,
                       "\"law\": \"polynomial\", \"mu\": 1e6",
                       "",
                       "",
                       FALL,
                       "{ \"body\": \"body\", \"where\": { \"box\": [[2.15, -9, -9], [9, 9, 9]] } }",
                       0.0,
                       {0}},
};

const char* plQuasiScene_GetName(plQuasiScene scene)
{
	return scripts[scene].name;
}

// ---- meshes ---------------------------------------------------------------------------------------------------------

// The unit ball with two ears and a nose; outwards only, so that no element turns over.
static void growEars(double p[3], const void* context)
{
	static const double parts[3][5] = {
	    {0.42, 0.90, 0.0, 1.0, 16.0}, {-0.42, 0.90, 0.0, 1.0, 16.0}, {0.0, -0.1, 1.0, 0.3, 9.0}};
	(void)context;
	double r = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]), grown = 1.0;
	for (int k = 0; k < 3 && r > 0.0; ++k)
	{
		const double* e = parts[k];
		double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
		double along = (p[0] * e[0] + p[1] * e[1] + p[2] * e[2]) / (r * length);
		grown += e[3] * r * r * exp(-e[4] * (1.0 - along));
	}
	for (int k = 0; k < 3; ++k)
		p[k] *= grown;
}

typedef struct Fit
{
	double scale, shift[3];
} Fit;

static void fitVertex(double p[3], const void* context)
{
	const Fit* fit = context;
	for (int k = 0; k < 3; ++k)
		p[k] = fit->scale * (p[k] + fit->shift[k]);
}

// Two metres high, or wide, or deep, standing on y = 0 around the origin.
static Fit fitMesh(const plMesh* mesh)
{
	plMeshView view = plMesh_GetView(mesh);
	Fit fit = {0};
	double largest = 0.0;
	for (int k = 0; k < 3; ++k)
	{
		double low = INFINITY, high = -INFINITY;
		for (size_t i = 0; i < view.vertexCount; ++i)
		{
			low = fmin(low, view.vertices[3 * i + (size_t)k]);
			high = fmax(high, view.vertices[3 * i + (size_t)k]);
		}
		largest = fmax(largest, high - low);
		fit.shift[k] = k == 1 ? -low : -0.5 * (low + high);
	}
	fit.scale = largest > 0.0 ? 2.0 / largest : 1.0;
	return fit;
}

// `path` NULL: the head
static plMesh* createHead(const char* path, size_t cells, plError* error)
{
	plMesh* raw = path != NULL ? plTrial_ReadMesh(path, error) : plCreateSphereMesh(1.0, cells, NULL, error);
	plMesh* shaped = raw != NULL && path == NULL ? plTrial_MoveMesh(raw, growEars, NULL, error) : NULL;
	const plMesh* from = path != NULL ? raw : shaped;
	plMesh* mesh = NULL;
	if (from != NULL)
	{
		Fit fit = fitMesh(from);
		mesh = plTrial_MoveMesh(from, fitVertex, &fit, error);
	}
	plDestroyMesh(shaped);
	plDestroyMesh(raw);
	return mesh;
}

// Takes the mesh.
static bool writeMesh(plMesh* mesh, const plPaperRun* run, const char* name, plError* error)
{
	size_t length = strlen(run->folder) + strlen(name) + 6;
	char* path = malloc(length);
	bool good = mesh != NULL && path != NULL;
	if (path == NULL)
		snprintf(error->message, sizeof error->message, "%s: no memory for the mesh", name);
	if (good)
	{
		snprintf(path, length, "%s/%s.msh", run->folder, name);
		good = plWriteMesh(mesh, path, error) >= 0;
	}
	plDestroyMesh(mesh);
	free(path);
	return good;
}

bool plQuasi_WriteHead(const plPaperRun* run, const char* name, size_t cells, plError* error)
{
	return writeMesh(createHead(NULL, cells, error), run, name, error);
}

static bool writeBody(const Script* script, const plPaperRun* run, plError* error)
{
	const char* path = script == scripts + pl_quasiDitto ? run->ditto : NULL;
	plMesh* mesh = script->cells[0] > 0
	                   ? createHead(path, script->cells[run->quick ? 1 : 0], error)
	                   : plTrial_CreateSerpent(run->quick ? (size_t[3]){2, 2, 24} : (size_t[3]){16, 16, 82}, error);
	return writeMesh(mesh, run, script->name, error);
}

// ---- scenes ---------------------------------------------------------------------------------------------------------

// Up and down along x for three seconds, a change every quarter of a second: two a second.
void plQuasi_PrintShake(FILE* out, const char* body, double force, bool first)
{
	for (int i = 0; i < 12; ++i)
		fprintf(out,
		        "%s\n    { \"body\": \"%s\", \"where\": \"all\", \"force\": [%g, 0, 0], \"from\": %g, "
		        "\"until\": %g }",
		        first && i == 0 ? "" : ",", body, i % 2 == 0 ? force : -force, 0.25 * i, 0.25 * (i + 1));
}

bool plQuasiScene_Print(plQuasiScene scene, const plPaperRun* run, FILE* out, int steps, const char* solver,
                        plError* error)
{
	const Script* s = scripts + scene;
	if (s->mesh == NULL && !writeBody(s, run, error))
		return false;
	char head[256];
	snprintf(head, sizeof head, "%s%s", solver, s->head);
	plPaper_BeginScene(out, s->gravity, steps, head);
	fprintf(out, "\n    { \"name\": \"body\", \"type\": \"soft\", \"density\": %d,%s\n      \"mesh\": { ",
	        scene == pl_quasiCloth ? 50 : 1000, s->extra);
	if (s->mesh != NULL)
		fputs(run->quick ? s->small : s->mesh, out);
	else
		fprintf(out, "\"file\": \"%s.msh\"", s->name);
	fprintf(out, " },\n      \"material\": { %s } }", s->material);
	if (s->pins != NULL)
		fprintf(out, "\n  ],\n  \"pins\": [\n    %s", s->pins);
	if (s->shake != 0.0)
	{
		fputs("\n  ],\n  \"forces\": [", out);
		plQuasi_PrintShake(out, "body", s->shake, true);
	}
	size_t squares = run->quick ? 8 : sheetSquares;
	if (scene == pl_quasiCloth)
		plPaperCloth_PrintSprings(&(plPaperCloth){squares + 1, squares, true}, out, "body", 120.0);
	else
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
		snprintf(error->message, sizeof error->message, "no memory for %zu vertices", count);
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

static bool readScene(plQuasiStage* stage, const plPaperRun* run, const char* path, plError* error)
{
	plDiagnostics* diagnostics = plCreateDiagnostics();
	if (diagnostics != NULL)
		stage->scene = plReadScene(path, NULL, diagnostics);
	if (stage->scene != NULL)
		stage->world = plScene_CreateWorld(stage->scene, run->pool, NULL, diagnostics);
	if (stage->world == NULL)
		snprintf(error->message, sizeof error->message, "%s",
		         diagnostics != NULL && plDiagnostics_GetCount(diagnostics) > 0 ? plDiagnostics_GetText(diagnostics, 0)
		                                                                        : "no memory for the scene");
	plDestroyDiagnostics(diagnostics);
	return stage->world != NULL;
}

bool plQuasiStage_Open(plQuasiStage* stage, const plPaperRun* run, plQuasiScene scene, plError* error)
{
	char name[64];
	size_t length = strlen(run->folder) + sizeof name + 1;
	char* path = malloc(length);
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	*stage = (plQuasiStage){0};
	snprintf(name, sizeof name, "%s.json", scripts[scene].name);
	bool good = out == NULL || plQuasiScene_Print(scene, run, out, 90, "", error);
	plError closing = {0};
	bool closed = plPaperFile_Close(&file, run, name, good ? error : &closing) && path != NULL;
	good = good && closed;
	if (good)
	{
		snprintf(path, length, "%s/%s", run->folder, name);
		good = readScene(stage, run, path, error);
	}
	if (good)
	{
		plBodyId body = plScene_GetView(stage->scene).bodies[0].id;
		size_t squares = run->quick ? 8 : sheetSquares;
		stage->vertexCount = plBody_GetVertexCount(stage->world, body);
		stage->tetCount = plBody_GetTetCount(stage->world, body);
		stage->springCount = scene == pl_quasiCloth ? 4 * squares * (squares + 1) + 4 * squares * squares : 0;
		good = scene != pl_quasiHippo || scatter(stage->world, body, error);
	}
	free(path);
	return good;
}

void plQuasiStage_Close(plQuasiStage* stage)
{
	plDestroyWorld(stage->world);
	plDestroyScene(stage->scene);
	*stage = (plQuasiStage){0};
}
