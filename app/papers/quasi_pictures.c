// quasi_pictures.c: Figures 2, 4, 5, 6 and 9 of [LBK17] and the twisting bar, as pictures
//
//   2       a head shaken: soft, stiff, and of the polynomial law
//   4       a body with ears squeezed through a torus
//   5       a cube dropped, without and with fibres
//   6       balls of spline A and B, drawn out and pressed
//   9       a bar shaken around its middle
//   twist   the bar of Figures 7, 8, 12 and 13
#include "papers.h"

// A scene of quasi_scenes.c, cut short.
static bool drawScene(const plPaperRun* run, plQuasiScene scene, const plPaperView* view, int steps, plError* error)
{
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	bool good = out == NULL || plQuasiScene_Print(scene, run, out, run->quick ? 2 : steps, error);
	if (good)
		return plPaper_MakePicture(run, &file, view, error);
	plPaperFile_Discard(&file);
	return false;
}

static bool makeTwist(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"twist", "640x240", "3.5,1.1,9.5", "3.5,0.25,0.3", "stress", NULL, NULL, NULL};
	return drawScene(run, pl_quasiTwist, &view, 60, error);
}

static bool makeShaken(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure9", "360x360", "0.5,2.75,14", "0.5,2.75,0.5", "none", NULL, NULL, NULL};
	return drawScene(run, pl_quasiShaken, &view, 40, error);
}

static bool makeSqueeze(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure4", "400x400", "0,2.6,7", "0,0.4,0", "none", NULL, NULL, NULL};
	return drawScene(run, pl_quasiBunny, &view, 15, error);
}

// ---- bodies side by side --------------------------------------------------------------------------------------------

static void printBody(FILE* out, bool first, const char* name, const char* mesh, double x, double y,
                      const char* material)
{
	fprintf(out,
	        "%s\n    { \"name\": \"%s\", \"type\": \"soft\", \"density\": 1000, \"mesh\": { %s },\n"
	        "      \"transform\": { \"translate\": [%g, %g, 0] }, \"material\": { %s } }",
	        first ? "" : ",", name, mesh, x, y, material);
}

static bool makeHeads(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure2", "640x280", "2.6,1.5,8.6", "2.6,0.95,0", "none", NULL, NULL, NULL};
	static const char *const names[] = {"soft", "stiff", "polynomial"}, *const materials[] = {
	                                                                        "\"law\": \"arap\", \"mu\": 1.5e4",
	                                                                        "\"law\": \"arap\", \"mu\": 2e5",
	                                                                        "\"law\": \"polynomial\", \"mu\": 4e5"};
	plPaperFile file;
	FILE* out = plQuasi_WriteHead(run, "head", NULL, run->quick ? 3 : 9, error) ? plPaperFile_Open(&file) : NULL;
	if (out == NULL)
		return false;
	plPaper_BeginScene(out, "[0, -9.81, 0]", run->quick ? 2 : 19,
	                   PL_QUASI_SOLVER "  \"contact\": { \"bodies\": false },\n");
	for (int i = 0; i < 3; ++i)
		printBody(out, i == 0, names[i], "\"file\": \"head.msh\"", 2.6 * i, 0.0, materials[i]);
	fputs("\n  ],\n  \"pins\": [", out);
	for (int i = 0; i < 3; ++i)
		fprintf(out, "%s\n    { \"body\": \"%s\", \"where\": { \"box\": [[-9, 0, -9], [19, 0.2, 9]] } }",
		        i > 0 ? "," : "", names[i]);
	fputs("\n  ],\n  \"forces\": [", out);
	for (int i = 0; i < 3; ++i)
		plQuasi_PrintShake(out, names[i], 2e4, 12, i == 0);
	fputs(plPaper_sceneEnd, out);
	return plPaper_MakePicture(run, &file, &view, error);
}

static bool makeFibres(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure5", "480x280", "1.3,1.1,5.2", "1.3,0.45,0.5", "none", NULL, NULL, NULL};
	const char* mesh =
	    run->quick ? "\"box\": [1, 1, 1], \"cells\": [2, 2, 2]" : "\"box\": [1, 1, 1], \"cells\": [10, 10, 10]";
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out == NULL)
		return plPaperFile_Close(&file, run, "figure5.json", error);
	plPaper_BeginScene(out, "[0, -9.81, 0]", run->quick ? 2 : 14,
	                   PL_QUASI_SOLVER "  \"contact\": { \"bodies\": false },\n"
	                                   "  \"colliders\": [ { \"plane\": {} } ],\n");
	printBody(out, true, "isotropic", mesh, 0.0, 0.5, "\"law\": \"corotated\", \"mu\": 2e4, \"lambda\": 2e5");
	printBody(out, false, "fibres", mesh, 1.6, 0.5,
	          "\"law\": \"corotated\", \"mu\": 2e4, \"lambda\": 2e5, "
	          "\"fibre\": { \"direction\": [1, 0, 0], \"stiffness\": 1e5 }");
	fputs(plPaper_sceneEnd, out);
	return plPaper_MakePicture(run, &file, &view, error);
}

static bool makeBalls(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure6", "560x220", "1.95,0.5,4.8", "1.95,0,0", "none", NULL, NULL, NULL};
	static const char *const names[] = {"a-drawn", "b-drawn", "a-pressed", "b-pressed"}, *const presets[] = {"A", "B"};
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out == NULL)
		return plPaperFile_Close(&file, run, "figure6.json", error);
	plPaper_BeginScene(out, "[0, 0, 0]", run->quick ? 2 : 30,
	                   PL_QUASI_SOLVER "  \"contact\": { \"bodies\": false },\n");
	for (int i = 0; i < 4; ++i)
	{
		char material[128];
		snprintf(material, sizeof material,
		         "\"law\": \"spline\", \"spline\": { \"preset\": \"%s\" }, \"young\": 3e4, \"poisson\": 0.3",
		         presets[i % 2]);
		printBody(out, i == 0, names[i], run->quick ? "\"sphere\": 0.5, \"cells\": 2" : "\"sphere\": 0.5, \"cells\": 8",
		          1.3 * i, 0.0, material);
	}
	fputs("\n  ],\n  \"pins\": [", out);
	for (int i = 0; i < 4; ++i)
		fprintf(out,
		        "%s\n    { \"body\": \"%s\", \"where\": { \"box\": [[-9, 0.4, -9], [9, 1, 9]] },\n"
		        "      \"motion\": { \"translate\": [0, %g, 0], \"until\": 0.5 } },\n"
		        "    { \"body\": \"%s\", \"where\": { \"box\": [[-9, -1, -9], [9, -0.4, 9]] },\n"
		        "      \"motion\": { \"translate\": [0, %g, 0], \"until\": 0.5 } }",
		        i > 0 ? "," : "", names[i], i < 2 ? 0.35 : -0.22, names[i], i < 2 ? -0.35 : 0.22);
	fputs(plPaper_sceneEnd, out);
	return plPaper_MakePicture(run, &file, &view, error);
}

const plPaperFigure plPaperQuasiPictures[] = {
    {"2", "a head shaken: soft, stiff, polynomial, a picture", makeHeads},
    {"4", "a body squeezed through a torus, a picture", makeSqueeze},
    {"5", "a cube dropped, without and with fibres, a picture", makeFibres},
    {"6", "balls of two splines, drawn out and pressed, a picture", makeBalls},
    {"9", "a bar shaken around its middle, a picture", makeShaken},
    {"twist", "picture of the twisting bar", makeTwist},
    {0}};
