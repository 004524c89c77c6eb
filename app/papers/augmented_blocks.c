// augmented_blocks.c: Figures 1 and 3 of [GDY25]: piles of blocks, and balls that smash them
//
//   blocks   cubes of 0.5 m in 22 layers, every second one shifted by half a cube: those at two edges may fall
//   1        one pile of 22 x 22 x 22, a ball, 4 iterations; 10,648 cubes, where the paper has 110,000
//   3        four piles of 24 x 22 x 24, two balls, each of which goes through two of them, 3 iterations; 50,688 cubes,
//            where the paper has 510,000
//   balls    2 m of radius, of iron, 261 t, at 40 m/s
//
// `--blocks N` takes about N of them. Piles are left alone first: what they lose of their height, and what a step costs
// in the last fifth of that time.
#include "augmented.h"

#include <math.h>

typedef struct Field
{
	const char* name;
	int iterations, piles; // 1 or 4
	int seconds;           // that it is left alone for
	int flight;            // steps that are taken with balls
	const plPaperView* view;
} Field;

// Cubes along x and z, and layers
static void sizeOf(const plPaperRun* run, const Field* field, int* side, int* layers)
{
	double each = (double)run->blocks / field->piles;
	*side = run->quick ? 2 : field->piles == 1 ? 22 : 24;
	*layers = run->quick ? 3 : 22;
	if (run->blocks > 0 && field->piles == 1)
		*side = *layers = (int)fmax(round(cbrt(each)), 1.0);
	else if (run->blocks > 0)
		*side = (int)fmax(round(sqrt(each / *layers)), 1.0);
}

static void printPile(FILE* out, const char* name, int side, int layers, double shift, double x, double z)
{
	double corner = -0.255 * (side - 1);
	fprintf(out,
	        ",\n    { \"name\": \"%s\", \"array\": { \"count\": [%d, %d, %d], \"spacing\": [0.51, 0.5, 0.51], "
	        "\"stagger\": [%g, 0, %g],\n        \"of\": { \"type\": \"rigid\", \"shape\": { \"box\": [0.5, 0.5, "
	        "0.5] }, \"at\": [%g, 0.25, %g], \"material\": \"block\" } } }",
	        name, side, layers, side, shift, shift, x + corner, z + corner);
}

static void beginPiles(FILE* out, int iterations, int steps, int every)
{
	char solver[32];
	snprintf(solver, sizeof solver, "\"iterations\": %d", iterations);
	const plRigidScene scene = {.steps = steps,
	                            .every = every,
	                            .substeps = 1,
	                            .gravity = 9.81,
	                            .solver = solver,
	                            .materials = "\"block\": { \"density\": 1000, \"friction\": 0.5 }, \"ground\": { "
	                                         "\"friction\": 0.5 }"};
	plRigidScene_Begin(&scene, out);
}

void plAugmented_PrintPile(const plPaperRun* run, FILE* out, int steps)
{
	beginPiles(out, 4, steps, steps);
	printPile(out, "blocks", run->quick ? 2 : 4, run->quick ? 3 : 22, 0.2, 0.0, 0.0);
	fputs(plPaper_sceneEnd, out);
}

static void printBall(FILE* out, int index, double x, double y, double z, const double velocity[3])
{
	fprintf(out,
	        ",\n    { \"name\": \"ball%d\", \"type\": \"rigid\", \"shape\": { \"sphere\": 2 }, \"at\": [%g, %g, %g], "
	        "\"velocity\": [%g, %g, %g], \"mass\": 261000 }",
	        index, x, y, z, velocity[0], velocity[1], velocity[2]);
}

static void printField(const plPaperRun* run, const Field* field, FILE* out, int steps, bool hit)
{
	int side, layers;
	char name[24];
	sizeOf(run, field, &side, &layers);
	double away = field->piles == 1 ? 0.0 : 0.255 * side + 2.0, edge = 2.0 * away;
	beginPiles(out, field->iterations, steps, steps);
	for (int p = 0; p < field->piles; ++p)
	{
		snprintf(name, sizeof name, "blocks%d", p);
		printPile(out, name, side, layers, 0.25, p % 2 ? away : -away, p / 2 ? away : -away);
	}
	if (hit && field->piles == 1)
		printBall(out, 0, -0.255 * side - 10.4, 0.32 * layers, 0.255 * side + 2.4, (double[3]){36.0, 1.0, -18.0});
	for (int b = 0; hit && field->piles > 1 && b < 2; ++b)
		printBall(out, b, b ? edge + 3.0 : -edge - 3.0, 5.0, b ? away : -away, (double[3]){b ? -40.0 : 40.0, 1.0, 0.0});
	fputs(plPaper_sceneEnd, out);
}

static size_t countBlocks(const plPaperStage* stage)
{
	size_t count = 0;
	for (size_t i = 1; i < plScene_GetView(stage->scene).bodyCount; ++i) // the ground is the first
		count += plScene_GetBody(stage->scene, i).rigidCount;
	return count;
}

static bool measure(const plPaperRun* run, const Field* field, plError* error)
{
	plPaperStage stage;
	plPaperFile file;
	char name[32];
	int steps = run->quick ? 4 : 60 * field->seconds, counted = run->quick ? 2 : steps / 5;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		printField(run, field, out, steps, false);
	snprintf(name, sizeof name, "%s-alone.json", field->name);
	bool good = plPaperStage_Open(&stage, run, &file, name, error);
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
		plPaperFile_Print(&file, "%zu,%zu,%d,%d,%.6f,%.3g,%.2f,%.2f\n", countBlocks(&stage), report.contacts,
		                  field->iterations, plPool_GetThreadCount(run->pool),
		                  1.0 - plPaperStage_FindTop(&stage, NULL) / top, report.kinetic, solving, all);
	plPaperStage_Close(&stage);
	snprintf(name, sizeof name, "%s.csv", field->name);
	if (good)
		return plPaperFile_Close(&file, run, name, error);
	plPaperFile_Discard(&file);
	return false;
}

static bool makeField(const plPaperRun* run, const Field* field, plError* error)
{
	plPaperFile file;
	if (!measure(run, field, error))
		return false;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		printField(run, field, out, run->quick ? 2 : field->flight, true);
	return plPaper_MakePicture(run, &file, field->view, error);
}

static bool makeBlocks(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure1", "640x440", "-10,14,40", "3,4,0", "none", NULL, "36", NULL};
	static const Field field = {"figure1", 4, 1, 5, 90, &view};
	return makeField(run, &field, error);
}

static bool makePiles(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure3", "640x352", "-22,26,50", "0,2,0", "none", NULL, "36", NULL};
	static const Field field = {"figure3", 3, 4, 3, 60, &view};
	return makeField(run, &field, error);
}

const plPaperFigure plPaperAugmentedBlocks[] = {
    {"1", "a pile of blocks, smashed", makeBlocks}, {"3", "four piles, and two balls", makePiles}, {0}};
