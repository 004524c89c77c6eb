// augmented_bar.c: Figure 9 of [GDY25]: two heavy balls at the ends of a chain of fifty links
//
//   links    capsules 1 m long, 1 kg; balls 50,000 kg; let go level, over a fixed bar of 2 m of radius; gravity 10
//   m/s^2
//
// What counts is how far joints are off and how deep links sink into the bar, which bears a million newtons through
// some of them. The paper has no bar that its text tells of.
#include "augmented.h"

#include <math.h>

enum
{
	steps = 360,
	wayCount = 5
};

static const struct
{
	const char* words;
	int trees, iterations;
} ways[wayCount] = {{"trees", 1, 5}, {"trees", 1, 10}, {"trees", 1, 20}, {"sweeps", 0, 5}, {"sweeps", 0, 20}};

void plAugmented_PrintBar(const plPaperRun* run, FILE* out, int count)
{
	(void)run;
	const plRigidScene scene = {.steps = count,
	                            .every = count,
	                            .substeps = 1,
	                            .gravity = 10.0,
	                            .solver = "\"iterations\": 20",
	                            .materials = "\"ground\": {}, \"steel\": { \"friction\": 0.2 }"};
	plRigidScene_Begin(&scene, out);
	fputs(
	    ",\n    { \"name\": \"bar\", \"type\": \"rigid\", \"motion\": \"static\", \"shape\": { \"cylinder\": { "
	    "\"radius\": 2, \"length\": 6 } }, \"rotate\": [1, 0, 0, 90], \"at\": [0, 40, 0], \"material\": \"steel\" },\n"
	    "    { \"name\": \"links\", \"array\": { \"count\": [50, 1, 1], \"spacing\": [1, 0, 0], \"of\": { \"type\": "
	    "\"rigid\", \"shape\": { \"capsule\": { \"radius\": 0.2, \"length\": 0.6 } },\n"
	    "        \"rotate\": [0, 0, 1, 90], \"at\": [-24.5, 42.3, 0], \"mass\": 1, \"material\": \"steel\" } } },\n"
	    "    { \"name\": \"left\", \"type\": \"rigid\", \"shape\": { \"sphere\": 1.5 }, \"at\": [-26.5, 42.3, 0], "
	    "\"mass\": 50000 },\n"
	    "    { \"name\": \"right\", \"type\": \"rigid\", \"shape\": { \"sphere\": 1.5 }, \"at\": [26.5, 42.3, 0], "
	    "\"mass\": 50000 }\n  ],\n"
	    "  \"joints\": [\n    { \"type\": \"ball\", \"a\": \"left\", \"b\": \"links[0]\", \"at\": [-25, 42.3, 0] },\n"
	    "    { \"type\": \"ball\", \"chain\": \"links\" },\n"
	    "    { \"type\": \"ball\", \"a\": \"links[49]\", \"b\": \"right\", \"at\": [25, 42.3, 0] }",
	    out);
	fputs(plPaper_sceneEnd, out);
}

static bool watch(const plPaperRun* run, int way, int count, plPaperFile* numbers, plError* error)
{
	plPaperStage stage;
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		plAugmented_PrintBar(run, out, count);
	plSolverDef solver = plAugmented_GetSolver(pl_ruleLoad, ways[way].iterations);
	solver.block.direct = ways[way].trees;
	bool good = plPaperStage_Open(&stage, run, &file, "figure9.json", error) &&
	            plWorld_SetSolver(stage.world, &solver, error) == pl_success;
	double off = 0.0, deep = 0.0;
	plStepReport report = {0};
	for (int s = 0; good && s < count; ++s)
	{
		good = plWorld_Step(stage.world, &report, error) >= 0;
		off = fmax(off, report.jointError);
		deep = fmax(deep, report.penetration);
	}
	plPaperFile_Print(numbers, "%s,%d,%.5f,%.5f,%.4f,%.4f\n", ways[way].words, ways[way].iterations, off,
	                  report.jointError, deep, report.penetration);
	plPaperStage_Close(&stage);
	return good;
}

static bool makeBar(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure9", "480x400", "0,35,110", "0,27,0", "none", NULL, NULL, NULL};
	plPaperFile numbers, file;
	int count = run->quick ? 4 : steps;
	bool good = true;
	plPaperFile_Begin(&numbers, "way,iterations,error_m,error_end_m,depth_m,depth_end_m");
	for (int way = 0; good && way < wayCount; ++way)
		good = watch(run, way, count, &numbers, error);
	if (!good)
	{
		plPaperFile_Discard(&numbers);
		return false;
	}
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		plAugmented_PrintBar(run, out, run->quick ? 4 : 160);
	return plPaperFile_Close(&numbers, run, "figure9.csv", error) && plPaper_MakePicture(run, &file, &view, error);
}

const plPaperFigure plPaperAugmentedBar[] = {{"9", "two heavy balls at a chain over a bar", makeBar}, {0}};
