// pictures.c: Figures 7, 9 and 10 of [WY16] and its dress, as pictures: a scene file, its run, its last frame rendered
//
//   7        a box of StVK, pressed and turned; colours are the weights of conversion
//   helices  Figure 9: the double helix at four sizes
//   10       stretching, compression and twisting of a box of four laws
//   dress    a cloth of springs, 8 substeps of 40 iterations, contact with friction
#include "papers.h"

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

static bool makeWeights(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure7", "560x420", "2.5,1.75,3.3", "0.7,0.4,0.5", "blend", "0,1", NULL, NULL};
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out == NULL)
		return plPaperFile_Close(&file, run, "figure7.json", error);
	plPaper_BeginScene(out, "[0, 0, 0]", run->quick ? 4 : 30, "  \"solver\": \"descent\",\n");
	printBox(out, true, "box", materials[3], 0.0, 0.0, run->quick ? 4 : 14);
	fputs("\n  ],\n  \"pins\": [", out);
	printLoad(out, true, "box", 0.0, 0.0, -0.75, 60.0, 0.8);
	fputs(plPaper_sceneEnd, out);
	return plPaper_MakePicture(run, &file, &view, error);
}

static bool makeGallery(const plPaperRun* run, plError* error)
{
	static const char *const laws[lawCount] = {"neo-hookean", "mooney-rivlin", "fung", "stvk"},
	                         *const loads[loadCount] = {"stretched", "pressed", "twisted"};
	static const double heights[loadCount] = {4.2, 2.4, 0.0}, up[loadCount] = {1.2, -0.55, 0.0},
	                    degrees[loadCount] = {0.0, 0.0, 180.0};
	static const plPaperView view = {"figure10", "600x600", "3.5,4.2,16.5", "3.5,3.3,0.5", "none", NULL, NULL, NULL};
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out == NULL)
		return plPaperFile_Close(&file, run, "figure10.json", error);
	plPaper_BeginScene(out, "[0, 0, 0]", run->quick ? 4 : 45,
	                   "  \"solver\": \"descent\", \"contact\": { \"bodies\": false },\n");
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
		fputs(pass == 0 ? "\n  ],\n  \"pins\": [" : plPaper_sceneEnd, out);
	}
	return plPaper_MakePicture(run, &file, &view, error);
}

// ---- helices --------------------------------------------------------------------------------------------------------

static bool makeHelices(const plPaperRun* run, plError* error)
{
	static const struct
	{
		const char* name;
		int along, rings;
	} sizes[] = {{"41k", 127, 3}, {"82k", 142, 4}, {"158k", 176, 5}, {"316k", 244, 6}};
	static const plPaperView view = {
	    "figure9-picture", "720x320", "2.25,0.0,5.6", "2.25,-0.25,0", "none", NULL, NULL, NULL};
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out == NULL)
		return plPaperFile_Close(&file, run, "figure9-picture.json", error);
	plPaper_BeginScene(out, "[0, -9.81, 0]", run->quick ? 2 : 12,
	                   "  \"solver\": { \"method\": \"descent\", \"precision\": \"float\" },\n"
	                   "  \"contact\": { \"bodies\": false },\n");
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
	fputs(plPaper_sceneEnd, out);
	return plPaper_MakePicture(run, &file, &view, error);
}

// ---- the dress ------------------------------------------------------------------------------------------------------

static bool makeDress(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"dress", "420x420", "0.7,1.3,2.7", "0,0.72,0", "none", NULL, NULL, NULL};
	const plPaperCloth c = run->quick ? (plPaperCloth){24, 6} : (plPaperCloth){220, 67};
	plPaperFile file;
	FILE* out = plPaperCloth_WriteRing(run, &c, "dress.msh", error) ? plPaperFile_Open(&file) : NULL;
	if (out == NULL)
		return false;
	plPaper_BeginScene(
	    out, "[0, -9.81, 0]", run->quick ? 2 : 26,
	    "  \"substeps\": 8, \"solver\": { \"method\": \"descent\", \"iterations\": 40, \"precision\": \"float\" },\n"
	    "  \"contact\": { \"model\": \"energy\", \"self\": false, \"thickness\": 0.004 },\n"
	    "  \"colliders\": [\n"
	    "    { \"capsule\": { \"a\": [0, 1.02, 0], \"b\": [0, 1.4, 0], \"radius\": 0.15 }, \"friction\": 0.4 },\n"
	    "    { \"sphere\": { \"centre\": [0, 0.86, 0], \"radius\": 0.19 }, \"friction\": 0.4 },\n"
	    "    { \"capsule\": { \"a\": [-0.1, 0.8, 0], \"b\": [-0.12, 0.05, 0], \"radius\": 0.08 }, \"friction\": 0.4 "
	    "},\n"
	    "    { \"capsule\": { \"a\": [0.1, 0.8, 0], \"b\": [0.12, 0.05, 0.1], \"radius\": 0.08 }, \"friction\": 0.4 } "
	    "],\n");
	plPaperCloth_PrintSkirt(out, "dress", 60.0, " \"damping\": { \"air\": 1 },");
	return plPaper_MakePicture(run, &file, &view, error);
}

const plPaperFigure plPaperPictures[] = {{"7", "a box and its weights of conversion, a picture", makeWeights},
                                         {"helices", "picture of figure 9: a double helix at four sizes", makeHelices},
                                         {"10", "boxes of four laws under three loads, a picture", makeGallery},
                                         {"dress", "a cloth of springs over a body, a picture", makeDress},
                                         {0}};
