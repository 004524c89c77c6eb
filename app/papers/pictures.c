// pictures.c: Figures 7, 9 and 10 of [WY16] and its dress, as pictures: a scene file, its run, its last frame rendered
//
//   7        a box of StVK, pressed and turned; colours are the weights of conversion
//   helices  Figure 9: the double helix at four sizes
//   10       stretching, compression and twisting of a box of four laws
//   dress    a cloth of springs, 8 substeps of 40 iterations, contact with friction
//
// A scene is written as NAME.json and run as `pliant run` would, so that it can be changed and run again by hand.
//
// The dress is a thin layer of very soft tets, which carry its mass, with springs along the edges of both faces and one
// diagonal of each square: pliant has no bodies without tets.
#include "../app.h"
#include "papers.h"

#include "pliant/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct View
{
	const char* name;
	const char* size;   // WxH
	const char* camera; // X,Y,Z
	const char* lookAt;
	const char* field; // "none", or what is coloured
	const char* range;
} View;

#ifdef PL_WITH_RENDER
static int renderRun(const char* folder, const char* png, const View* view, bool quick)
{
	const char* words[20] = {"render", folder, "-o", png, "--quiet", "--no-ground"};
	int count = 6;
	words[count++] = "--size";
	words[count++] = quick ? "160x120" : view->size;
	words[count++] = "--camera";
	words[count++] = view->camera;
	words[count++] = "--look-at";
	words[count++] = view->lookAt;
	words[count++] = "--colour";
	words[count++] = view->field;
	if (view->range != NULL)
	{
		words[count++] = "--range";
		words[count++] = view->range;
	}
	return plApp_Render(count, (char**)words);
}
#else
static int renderRun(const char* folder, const char* png, const View* view, bool quick)
{
	(void)view, (void)quick;
	plApp_Warn("pliant render of a build that has it draws the frames", "%s: no %s in a build without rendering",
	           folder, png);
	return pl_exitDone;
}
#endif

// Writes the scene, runs it and draws its last frame.
static bool makePicture(const plPaperRun* run, plPaperFile* file, const View* view, plError* error)
{
	char scene[64], threads[16];
	size_t length = strlen(run->folder) + strlen(view->name) + 8;
	char *json = malloc(length), *folder = malloc(length), *png = malloc(length);
	snprintf(scene, sizeof scene, "%s.json", view->name);
	snprintf(threads, sizeof threads, "%d", plPool_GetThreadCount(run->pool));
	bool good = plPaperFile_Close(file, run, scene, error) && json != NULL && folder != NULL && png != NULL;
	if (good)
	{
		snprintf(json, length, "%s/%s", run->folder, scene);
		snprintf(folder, length, "%s/%s", run->folder, view->name);
		snprintf(png, length, "%s/%s.png", run->folder, view->name);
		const char* words[] = {"run", json, "-o", folder, "--quiet", "--threads", threads};
		good = plApp_Run(7, (char**)words) == pl_exitDone;
		good = good && renderRun(folder, png, view, run->quick) == pl_exitDone;
		if (!good)
			snprintf(error->message, sizeof error->message, "%s cannot be made", png);
	}
	free(json);
	free(folder);
	free(png);
	return good;
}

static void beginScene(FILE* out, const char* gravity, int steps, const char* rest)
{
	fprintf(out,
	        "{\n  \"pliant\": 1,\n  \"gravity\": %s, \"timestep\": 0.03333333, \"steps\": %d,\n"
	        "  \"output\": { \"every\": %d, \"formats\": [\"vtu\"] },\n%s  \"bodies\": [",
	        gravity, steps, steps, rest);
}

// ---- boxes ----------------------------------------------------------------------------------------------------------

enum
{
	lawCount = 4,
	loadCount = 3
};

static const char* const materials[lawCount] = {
    "\"law\": \"neo-hookean-iso\", \"s0\": 1e4, \"s1\": 5e4",
    "\"law\": \"mooney-rivlin\", \"s0\": 1e4, \"s1\": 5e4, \"s2\": 5e3",
    "\"law\": \"fung\", \"s0\": 1e4, \"s1\": 5e4, \"s2\": 5e3, \"s3\": 1",
    "\"law\": \"stvk\", \"mu\": 2e4, \"lambda\": 2e4",
};

// A box of 1 x 1.5 x 1 m with its corner at (x, y, 0)
static void printBox(FILE* out, bool first, const char* name, const char* material, double x, double y, int cells)
{
	fprintf(out,
	        "%s\n    { \"name\": \"%s\", \"type\": \"soft\", \"density\": 1000, \"damping\": { \"air\": 4 },\n"
	        "      \"mesh\": { \"box\": [1, 1.5, 1], \"cells\": [%d, %d, %d], \"split\": 5 },\n"
	        "      \"transform\": { \"translate\": [%g, %g, 0] },\n"
	        "      \"material\": { %s, \"inversion\": \"convert\" } }",
	        first ? "" : ",", name, cells, 3 * cells / 2, cells, x, y, material);
}

// Its foot is held, its top is moved by (0, up, 0) and turned about its middle.
static void printLoad(FILE* out, bool first, const char* name, double x, double y, double up, double degrees,
                      double until)
{
	fprintf(out,
	        "%s\n    { \"body\": \"%s\", \"where\": { \"box\": [[%g, %g, 0], [%g, %g, 1]] } },\n"
	        "    { \"body\": \"%s\", \"where\": { \"box\": [[%g, %g, 0], [%g, %g, 1]] },\n"
	        "      \"motion\": { \"translate\": [0, %g, 0], \"rotate\": [0, 1, 0, %g], \"about\": [%g, %g, 0.5], "
	        "\"from\": 0, \"until\": %g } }",
	        first ? "" : ",", name, x, y, x + 1.0, y, name, x, y + 1.5, x + 1.0, y + 1.5, up, degrees, x + 0.5, y + 1.5,
	        until);
}

static const char endOfScene[] = "\n  ]\n}\n";

static bool makeWeights(const plPaperRun* run, plError* error)
{
	static const View view = {"figure7", "560x420", "2.5,1.75,3.3", "0.7,0.4,0.5", "blend", "0,1"};
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out == NULL)
		return plPaperFile_Close(&file, run, "figure7.json", error);
	beginScene(out, "[0, 0, 0]", run->quick ? 4 : 30, "  \"solver\": \"descent\",\n");
	printBox(out, true, "box", materials[3], 0.0, 0.0, run->quick ? 4 : 14);
	fputs("\n  ],\n  \"pins\": [", out);
	printLoad(out, true, "box", 0.0, 0.0, -0.75, 60.0, 0.8);
	fputs(endOfScene, out);
	return makePicture(run, &file, &view, error);
}

static bool makeGallery(const plPaperRun* run, plError* error)
{
	static const char *const laws[lawCount] = {"neo-hookean", "mooney-rivlin", "fung", "stvk"},
	                         *const loads[loadCount] = {"stretched", "pressed", "twisted"};
	static const double heights[loadCount] = {4.2, 2.4, 0.0}, up[loadCount] = {1.2, -0.55, 0.0},
	                    degrees[loadCount] = {0.0, 0.0, 180.0};
	static const View view = {"figure10", "600x600", "3.5,4.2,16.5", "3.5,3.3,0.5", "none", NULL};
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out == NULL)
		return plPaperFile_Close(&file, run, "figure10.json", error);
	beginScene(out, "[0, 0, 0]", run->quick ? 4 : 45, "  \"solver\": \"descent\",\n");
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int i = 0; i < lawCount * loadCount; ++i)
		{
			int law = i % lawCount, load = i / lawCount;
			char name[64];
			snprintf(name, sizeof name, "%s-%s", loads[load], laws[law]);
			if (pass == 0)
				printBox(out, i == 0, name, materials[law], 2.0 * law, heights[load], run->quick ? 2 : 8);
			else
				printLoad(out, i == 0, name, 2.0 * law, heights[load], up[load], degrees[load], 1.0);
		}
		fputs(pass == 0 ? "\n  ],\n  \"pins\": [" : endOfScene, out);
	}
	return makePicture(run, &file, &view, error);
}

// ---- helices --------------------------------------------------------------------------------------------------------

static bool makeHelices(const plPaperRun* run, plError* error)
{
	static const struct
	{
		const char* name;
		int along, rings;
	} sizes[] = {{"41k", 127, 3}, {"82k", 142, 4}, {"158k", 176, 5}, {"316k", 244, 6}};
	static const View view = {"figure9-picture", "720x320", "2.25,0.0,5.6", "2.25,-0.25,0", "none", NULL};
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out == NULL)
		return plPaperFile_Close(&file, run, "figure9-picture.json", error);
	beginScene(out, "[0, -9.81, 0]", run->quick ? 2 : 12,
	           "  \"solver\": { \"method\": \"descent\", \"precision\": \"float\" },\n");
	for (int i = 0; i < 4; ++i)
		fprintf(out,
		        "%s\n    { \"name\": \"helix-%s\", \"type\": \"soft\", \"density\": 1000,\n"
		        "      \"mesh\": { \"helix\": [0.4, 0.12], \"pitch\": 0.7, \"turns\": 2, \"strands\": 2, "
		        "\"cells\": [%d, %d] },\n"
		        "      \"transform\": { \"translate\": [%g, 0, 0] },\n"
		        "      \"material\": { \"law\": \"mooney-rivlin\", \"young\": 1e5, \"poisson\": 0.4 } }",
		        i > 0 ? "," : "", sizes[i].name, run->quick ? 20 : sizes[i].along, run->quick ? 1 : sizes[i].rings,
		        1.5 * i);
	fputs("\n  ],\n  \"pins\": [", out);
	for (int i = 0; i < 4; ++i)
		fprintf(out, "%s\n    { \"body\": \"helix-%s\", \"where\": { \"box\": [[%g, 0.72, -1], [%g, 9, 1]] } }",
		        i > 0 ? "," : "", sizes[i].name, 1.5 * i - 0.7, 1.5 * i + 0.7);
	fputs(endOfScene, out);
	return makePicture(run, &file, &view, error);
}

// ---- the dress ------------------------------------------------------------------------------------------------------

// A ring of cloth around the y axis: `around` by `down` squares, two faces `thickness` apart.
typedef struct Cloth
{
	size_t around, down;
} Cloth;

static uint32_t clothVertex(const Cloth* c, size_t face, size_t ring, size_t i)
{
	return (uint32_t)((face * (c->down + 1) + ring) * c->around + i % c->around);
}

// Flat, from the waist outwards, with slight waves that say where its folds will be.
static void placeVertices(const Cloth* c, double* x)
{
	const double waist = 0.17, hem = 0.85, height = 1.05, thickness = 0.006;
	for (size_t face = 0; face < 2; ++face)
		for (size_t ring = 0; ring <= c->down; ++ring)
			for (size_t i = 0; i < c->around; ++i)
			{
				double s = (double)ring / (double)c->down, r = waist + (hem - waist) * s;
				double angle = 2.0 * 3.14159265358979323846 * (double)i / (double)c->around;
				double* p = x + 3 * (size_t)clothVertex(c, face, ring, i);
				p[0] = r * cos(angle);
				p[1] = height + 0.02 * s * (sin(9.0 * angle) + 0.5 * sin(4.0 * angle)) + (face == 0 ? thickness : 0.0);
				p[2] = r * sin(angle);
			}
}

// Squares as two prisms of three tets; neighbours share their diagonals, since all are cut alike.
static void placeTets(const Cloth* c, uint32_t* tets)
{
	for (size_t ring = 0; ring < c->down; ++ring)
		for (size_t i = 0; i < c->around; ++i)
		{
			uint32_t v[8]; // upper and lower corners of the square
			for (size_t k = 0; k < 4; ++k)
				for (size_t face = 0; face < 2; ++face)
					v[k + 4 * face] = clothVertex(c, face, ring + k / 2, i + k % 2);
			// along the diagonal 0-3 of both faces, by a path of corners for each order of the axes (Kuhn)
			static const int path[6][4] = {{4, 5, 7, 3}, {4, 6, 7, 3}, {4, 0, 1, 3},
			                               {4, 0, 2, 3}, {4, 5, 1, 3}, {4, 6, 2, 3}};
			for (int t = 0; t < 6; ++t, tets += 4)
				for (int k = 0; k < 4; ++k)
					tets[k] = v[path[t][k]];
		}
}

// Every tet with a positive volume.
static void orientTets(const double* x, uint32_t* tets, size_t count)
{
	for (size_t t = 0; t < count; ++t)
	{
		uint32_t* v = tets + 4 * t;
		double e[3][3];
		for (size_t k = 0; k < 3; ++k)
			for (size_t d = 0; d < 3; ++d)
				e[k][d] = x[3 * v[k + 1] + d] - x[3 * v[0] + d];
		double volume = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
		                e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
		                e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
		if (volume < 0.0)
		{
			uint32_t swapped = v[0];
			v[0] = v[1];
			v[1] = swapped;
		}
	}
}

static bool writeCloth(const plPaperRun* run, const Cloth* c, const char* name, plError* error)
{
	plMeshDef def = plDefaultMeshDef();
	def.vertexCount = 2 * (c->down + 1) * c->around;
	def.tetCount = 6 * c->down * c->around;
	double* x = malloc(3 * def.vertexCount * sizeof *x);
	uint32_t* tets = malloc(4 * def.tetCount * sizeof *tets);
	size_t length = strlen(run->folder) + strlen(name) + 2;
	char* path = malloc(length);
	bool good = x != NULL && tets != NULL && path != NULL;
	if (!good)
		snprintf(error->message, sizeof error->message, "%s: no memory for the mesh", name);
	else
	{
		snprintf(path, length, "%s/%s", run->folder, name);
		placeVertices(c, x);
		placeTets(c, tets);
		orientTets(x, tets, def.tetCount);
		def.vertices = x;
		def.tets = tets;
		plMesh* mesh = plCreateMesh(&def, error);
		good = mesh != NULL && plWriteMesh(mesh, path, error) >= 0;
		plDestroyMesh(mesh);
	}
	free(x);
	free(tets);
	free(path);
	return good;
}

static void printSprings(FILE* out, const Cloth* c)
{
	fputs("\n  ],\n  \"springs\": [ { \"a\": \"dress\", \"stiffness\": 60, \"pairs\": [", out);
	const char* comma = "";
	for (size_t face = 0; face < 2; ++face)
		for (size_t ring = 0; ring <= c->down; ++ring)
			for (size_t i = 0; i < c->around; ++i)
			{
				uint32_t here = clothVertex(c, face, ring, i);
				fprintf(out, "%s\n    [%u, %u]", comma, here, clothVertex(c, face, ring, i + 1));
				if (ring < c->down)
					fprintf(out, ", [%u, %u], [%u, %u]", here, clothVertex(c, face, ring + 1, i), here,
					        clothVertex(c, face, ring + 1, i + 1));
				comma = ",";
			}
	fputs("\n  ] } ]\n}\n", out);
}

static bool makeDress(const plPaperRun* run, plError* error)
{
	static const View view = {"dress", "420x420", "0.7,1.3,2.7", "0,0.72,0", "none", NULL};
	const Cloth c = run->quick ? (Cloth){24, 6} : (Cloth){96, 22};
	plPaperFile file;
	FILE* out = writeCloth(run, &c, "dress.msh", error) ? plPaperFile_Open(&file) : NULL;
	if (out == NULL)
		return false;
	beginScene(
	    out, "[0, -9.81, 0]", run->quick ? 2 : 26,
	    "  \"substeps\": 8, \"solver\": { \"method\": \"descent\", \"iterations\": 40, \"precision\": \"float\" },\n"
	    "  \"contact\": { \"model\": \"energy\", \"thickness\": 0.004 },\n"
	    "  \"colliders\": [\n"
	    "    { \"capsule\": { \"a\": [0, 1.02, 0], \"b\": [0, 1.4, 0], \"radius\": 0.15 }, \"friction\": 0.4 },\n"
	    "    { \"sphere\": { \"centre\": [0, 0.86, 0], \"radius\": 0.19 }, \"friction\": 0.4 },\n"
	    "    { \"capsule\": { \"a\": [-0.1, 0.8, 0], \"b\": [-0.12, 0.05, 0], \"radius\": 0.08 }, \"friction\": 0.4 "
	    "},\n"
	    "    { \"capsule\": { \"a\": [0.1, 0.8, 0], \"b\": [0.12, 0.05, 0.1], \"radius\": 0.08 }, \"friction\": 0.4 } "
	    "],\n");
	fputs(
	    "\n    { \"name\": \"dress\", \"type\": \"soft\", \"density\": 50, \"mesh\": { \"file\": \"dress.msh\" },\n"
	    "      \"damping\": { \"air\": 1 },\n"
	    "      \"material\": { \"law\": \"stable-neo-hookean\", \"young\": 2000, \"poisson\": 0 } }\n  ],\n"
	    "  \"pins\": [\n    { \"body\": \"dress\", \"where\": { \"box\": [[-0.175, 0, -0.175], [0.175, 2, 0.175]] } }",
	    out);
	printSprings(out, &c);
	return makePicture(run, &file, &view, error);
}

const plPaperFigure plPaperPictures[] = {{"7", "a box and its weights of conversion, a picture", makeWeights},
                                         {"helices", "picture of figure 9: a double helix at four sizes", makeHelices},
                                         {"10", "boxes of four laws under three loads, a picture", makeGallery},
                                         {"dress", "a cloth of springs over a body, a picture", makeDress},
                                         {0}};
