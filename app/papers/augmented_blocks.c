// augmented_blocks.c: Figure 1 of [GDY25]: a pile of blocks, and a ball that smashes it, with 4 iterations
//
//   blocks   22 x 22 x 22 cubes of 0.5 m, every second layer shifted by half a cube; 10,648, where the paper has
//   110,000 ball     2 m of radius, of iron, 261 t, at 40 m/s
//
// The pile is left alone for 5 s: what it loses of its height, and what a step costs in the last second of it.
#include "papers.h"

#include <math.h>

static void printPile(const plPaperRun* run, FILE* out, int steps, int every, bool hit)
{
	const plRigidScene scene = {.steps = steps,
	                            .every = every,
	                            .substeps = 1,
	                            .gravity = 9.81,
	                            .solver = "\"iterations\": 4",
	                            .materials = "\"block\": { \"density\": 1000, \"friction\": 0.5 }, \"ground\": { "
	                                         "\"friction\": 0.5 }"};
	int n = run->quick ? 3 : 22;
	double corner = -0.255 * (n - 1);
	plRigidScene_Begin(&scene, out);
	fprintf(out,
	        ",\n    { \"name\": \"blocks\", \"array\": { \"count\": [%d, %d, %d], \"spacing\": [0.51, 0.5, 0.51], "
	        "\"stagger\": [0.25, 0, 0.25],\n        \"of\": { \"type\": \"rigid\", \"shape\": { \"box\": [0.5, 0.5, "
	        "0.5] }, \"at\": [%g, 0.25, %g], \"material\": \"block\" } } }",
	        n, n, n, corner, corner);
	if (hit)
		fputs(",\n    { \"name\": \"ball\", \"type\": \"rigid\", \"shape\": { \"sphere\": 2 }, \"at\": [-16, 7, 8], "
		      "\"velocity\": [36, 1, -18], \"mass\": 261000 }",
		      out);
	fputs(plPaper_sceneEnd, out);
}

static bool measure(const plPaperRun* run, plError* error)
{
	plPaperStage stage;
	plPaperFile file;
	int steps = run->quick ? 4 : 300, counted = run->quick ? 2 : 60;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		printPile(run, out, steps, steps, false);
	bool good = plPaperStage_Open(&stage, run, &file, "figure1-alone.json", error);
	double top = good ? plPaperStage_FindTop(&stage, NULL) : 0.0, solving = 0.0, all = 0.0;
	plStepReport report = {0};
	for (int s = 0; good && s < steps; ++s)
	{
		good = plWorld_Step(stage.world, &report, error) >= 0;
		solving += s >= steps - counted ? report.ms.minimise / counted : 0.0;
		all += s >= steps - counted ? report.ms.total / counted : 0.0;
	}
	plPaperFile_Begin(&file, "blocks,contacts,iterations,threads,lost,kinetic_J,ms_solve,ms_step");
	if (good)
		plPaperFile_Print(&file, "%zu,%zu,4,%d,%.6f,%.3g,%.2f,%.2f\n",
		                  plPaperStage_FindBodies(&stage, "blocks").rigidCount, report.contacts,
		                  plPool_GetThreadCount(run->pool), 1.0 - plPaperStage_FindTop(&stage, NULL) / top,
		                  report.kinetic, solving, all);
	plPaperStage_Close(&stage);
	if (good)
		return plPaperFile_Close(&file, run, "figure1.csv", error);
	plPaperFile_Discard(&file);
	return false;
}

static bool makeBlocks(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure1", "640x440", "-10,14,40", "3,4,0", "none", NULL, "36", NULL};
	plPaperFile file;
	int steps = run->quick ? 2 : 90;
	if (!measure(run, error))
		return false;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		printPile(run, out, steps, steps, true);
	return plPaper_MakePicture(run, &file, &view, error);
}

const plPaperFigure plPaperAugmentedBlocks[] = {{"1", "a pile of 10,648 blocks, smashed", makeBlocks}, {0}};
