// augmented_stack.c: Figures 10 and 11 of [GDY25]: heavy boxes on light ones, blocks that slide to a stop
//
//   10   a tower of 20 unit cubes whose top is 1000 times as heavy (that of `pliant bench rigid`): the share of its
//        height that it has lost after 10 s, by iterations, for our rule of stiffness and the printed ones. And a stack
//        of six cubes, each 1.6 times as large as the one below it: 1.6^15 = 1153 times as heavy in all
//   11   blocks at 5 m/s with friction 0.1 to 0.6: where they stop, beside v^2/(2 mu g), with 1, 4 and 10 iterations
#include "../stacks.h"
#include "augmented.h"

#include <math.h>

// ---- figure 10 ------------------------------------------------------------------------------------------------------

static const int budgets[] = {2, 4, 6, 10, 20, 50};

enum
{
	budgetCount = sizeof budgets / sizeof *budgets
};

static bool measureTower(const plPaperRun* run, const plSolverDef* solver, plStackFigures* figures, plError* error)
{
	const plStackDef def = {.kind = pl_stackTower,
	                        .size = run->quick ? 4 : 20,
	                        .ratio = 1000.0,
	                        .iterations = solver->iterations,
	                        .substeps = 1,
	                        .pool = run->pool};
	plProgress silent = {0};
	plStack stack;
	bool good = plStack_Create(&stack, &def, error) && plWorld_SetSolver(stack.world, solver, error) == pl_success &&
	            plStack_Run(&stack, run->quick ? 3 : 600, &silent, figures, error);
	plStack_Destroy(&stack);
	return good;
}

void plAugmented_PrintGrowing(const plPaperRun* run, FILE* out, int steps)
{
	(void)run;
	const plRigidScene scene = {.steps = steps,
	                            .every = steps,
	                            .substeps = 1,
	                            .gravity = 9.81,
	                            .solver = "\"iterations\": 20",
	                            .materials = "\"box\": { \"density\": 500, \"friction\": 0.5 }, \"ground\": { "
	                                         "\"friction\": 0.5 }"};
	double size = 0.2, y = 0.0;
	plRigidScene_Begin(&scene, out);
	for (int i = 0; i < 6; ++i)
	{
		fprintf(out,
		        ",\n    { \"name\": \"box%d\", \"type\": \"rigid\", \"shape\": { \"box\": [%g, %g, %g] }, \"at\": [0, "
		        "%g, 0], \"material\": \"box\" }",
		        i, size, size, size, y + 0.5 * size);
		y += size;
		size *= 1.6;
	}
	fputs(plPaper_sceneEnd, out);
}

static bool drawGrowing(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure10", "400x480", "7,3.2,10", "0,2.4,0", "none", NULL, NULL, NULL};
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		plAugmented_PrintGrowing(run, out, run->quick ? 2 : 600);
	return plPaper_MakePicture(run, &file, &view, error);
}

static bool makeStack(const plPaperRun* run, plError* error)
{
	double iterations[budgetCount], lost[pl_ruleCount][budgetCount];
	plPaperFile file;
	plPaperFile_Begin(&file, "rule,iterations,lost,speed_m_s");
	for (int rule = 0; rule < pl_ruleCount; ++rule)
		for (int i = 0; i < budgetCount; ++i)
		{
			plStackFigures figures;
			plSolverDef solver = plAugmented_GetSolver((plAugmentedRule)rule, budgets[i]);
			if (!measureTower(run, &solver, &figures, error))
			{
				plPaperFile_Discard(&file);
				return false;
			}
			iterations[i] = budgets[i];
			lost[rule][i] = fmin(fmax(fabs(figures.lost), 1e-6), 1.0); // more: it fell through the ground
			plPaperFile_Print(&file, "%s,%d,%.6f,%.3g\n", plAugmentedRuleNames[rule], budgets[i], figures.lost,
			                  figures.speed);
		}
	const plSeries series[] = {{"ours", iterations, lost[0], budgetCount},
	                           {"as printed", iterations, lost[1], budgetCount},
	                           {"printed beta 1e4", iterations, lost[2], budgetCount}};
	const plChart chart = {.title = "Figure 10: 20 cubes, the top 1000 times as heavy",
	                       .subtitle = "after 10 s",
	                       .xLabel = "iterations",
	                       .yLabel = "share of its height that it lost",
	                       .yLog = true,
	                       .marks = true,
	                       .legend = true,
	                       .series = series,
	                       .seriesCount = pl_ruleCount};
	return plPaper_WriteFigure(run, "figure10-lost", &file, &chart, error) && drawGrowing(run, error);
}

// ---- figure 11 ------------------------------------------------------------------------------------------------------

enum
{
	blockCount = 6
};

// Friction of two shapes is the geometric mean; that of the ground is 1.
void plAugmented_PrintSliding(const plPaperRun* run, FILE* out, int steps)
{
	(void)run;
	const plRigidScene scene = {.steps = steps,
	                            .every = steps,
	                            .substeps = 1,
	                            .gravity = 9.81,
	                            .solver = "\"iterations\": 4",
	                            .materials = "\"ground\": { \"friction\": 1 }"};
	plRigidScene_Begin(&scene, out);
	for (int i = 0; i < blockCount; ++i)
		fprintf(out,
		        ",\n    { \"name\": \"block%d\", \"type\": \"rigid\", \"shape\": { \"box\": [1, 0.4, 1] }, \"at\": [0, "
		        "0.2, %g], \"velocity\": [5, 0, 0], \"density\": 500, \"friction\": %g }",
		        i, 1.5 * i, 0.01 * (i + 1) * (i + 1));
	fputs(plPaper_sceneEnd, out);
}

// Where block i stops, m
static double wayOf(int i)
{
	return 25.0 / (2.0 * 9.81 * 0.1 * (i + 1));
}

static double findWay(const plPaperStage* stage, int i) // the ground is the first entry
{
	return plBody_GetPose(stage->world, plScene_GetBody(stage->scene, (size_t)i + 1).id).translation.x;
}

double plAugmented_FindSlip(const plPaperStage* stage)
{
	double largest = 0.0;
	for (int i = 0; i < blockCount; ++i)
		largest = fmax(largest, fabs(findWay(stage, i) - wayOf(i)));
	return largest;
}

static bool slide(const plPaperRun* run, const plSolverDef* solver, double ways[blockCount], plError* error)
{
	plPaperStage stage;
	plPaperFile file;
	int steps = run->quick ? 4 : 420;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		plAugmented_PrintSliding(run, out, steps);
	bool good = plPaperStage_Open(&stage, run, &file, "figure11.json", error) &&
	            plPaper_Advance(stage.world, solver, steps, error);
	for (int i = 0; good && i < blockCount; ++i)
		ways[i] = findWay(&stage, i);
	plPaperStage_Close(&stage);
	return good;
}

static bool drawBlocks(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure11-blocks", "640x360", "-4,7,14", "5,0,3", "none", NULL, NULL, NULL};
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		plAugmented_PrintSliding(run, out, run->quick ? 2 : 420);
	return plPaper_MakePicture(run, &file, &view, error);
}

static bool makeSlide(const plPaperRun* run, plError* error)
{
	static const int tried[] = {1, 4, 10};
	double ways[3][blockCount], frictions[blockCount], exact[blockCount];
	for (int k = 0; k < 3; ++k)
	{
		plSolverDef solver = plAugmented_GetSolver(pl_ruleLoad, tried[k]);
		if (!slide(run, &solver, ways[k], error))
			return false;
	}
	plPaperFile file;
	plPaperFile_Begin(&file, "friction,exact_m,iterations1_m,iterations4_m,iterations10_m");
	for (int i = 0; i < blockCount; ++i)
	{
		frictions[i] = 0.1 * (i + 1);
		exact[i] = wayOf(i);
		plPaperFile_Print(&file, "%.1f,%.4f,%.4f,%.4f,%.4f\n", frictions[i], exact[i], ways[0][i], ways[1][i],
		                  ways[2][i]);
	}
	const plSeries series[] = {{"v^2/(2 mu g)", frictions, exact, blockCount},
	                           {"1 iteration", frictions, ways[0], blockCount},
	                           {"4 iterations", frictions, ways[1], blockCount}};
	const plChart chart = {.title = "Figure 11: blocks that slide to a stop",
	                       .subtitle = "from 5 m/s",
	                       .xLabel = "friction",
	                       .yLabel = "distance (m)",
	                       .marks = true,
	                       .legend = true,
	                       .series = series,
	                       .seriesCount = 3};
	return plPaper_WriteFigure(run, "figure11", &file, &chart, error) && drawBlocks(run, error);
}

const plPaperFigure plPaperAugmentedStack[] = {{"10", "heavy boxes on light ones", makeStack},
                                               {"11", "blocks of different friction slide to a stop", makeSlide},
                                               {0}};
