// augmented_springs.c: Figures 2 and 4 of [GDY25]: blocks on springs whose stiffness differs by 10,000
//
//   2    two blocks of 100 kg below a fixed one, pulled aside: 10^4 N/m above, 10^8 N/m below
//   4    ten blocks of 5 kg between two fixed ones: 10^8 and 10^4 N/m in turns, the weak ones stretched to three
//        times their length
//
// The error is the largest distance that any block has, in 3 s, from where it is with 2000 iterations. A spring of a
// joint is a multiplier that tends to its force (docs/methods/avbd.md): the printed ramp of finite stiffness is not
// among our rules.
#include "papers.h"

#include <math.h>
#include <stdlib.h>

enum
{
	steps = 180,
	mostBlocks = 10
};

typedef struct Row
{
	const char* name;
	int blocks;
	void (*print)(FILE* out, int steps);
} Row;

static void begin(FILE* out, int count)
{
	const plRigidScene scene = {.steps = count,
	                            .every = count,
	                            .substeps = 1,
	                            .gravity = 9.81,
	                            .solver = "\"iterations\": 5",
	                            .materials = "\"ground\": {}"};
	plRigidScene_Begin(&scene, out);
}

static void printBlock(FILE* out, int index, double x, double y, double size, double mass)
{
	fprintf(out, ",\n    { \"name\": \"block%d\", \"type\": \"rigid\", \"shape\": { \"box\": [%g, %g, %g] }, ", index,
	        size, size, size);
	fprintf(out, mass > 0.0 ? "\"mass\": %g, " : "\"motion\": \"static\", ", mass);
	fprintf(out, "\"at\": [%g, %g, 0] }", x, y);
}

static void printSpring(FILE* out, int index, double ax, double ay, double bx, double by, double stiffness,
                        double length)
{
	fprintf(out,
	        "%s\n    { \"type\": \"spring\", \"a\": \"block%d\", \"b\": \"block%d\", \"at\": [%g, %g, 0], \"at_b\": "
	        "[%g, %g, 0], \"stiffness\": %g, \"length\": %g }",
	        index == 0 ? "" : ",", index, index + 1, ax, ay, bx, by, stiffness, length);
}

// Aside by a third of the length, as one straight line through the middles of faces
static void printThree(FILE* out, int count)
{
	begin(out, count);
	for (int i = 0; i < 3; ++i)
		printBlock(out, i, 0.4 * i, 5.0 - i, 0.4, i > 0 ? 100.0 : 0.0);
	fputs("\n  ],\n  \"joints\": [", out);
	for (int i = 0; i < 2; ++i)
		printSpring(out, i, 0.4 * i, 4.8 - i, 0.4 * (i + 1), 4.2 - i, i == 0 ? 1e4 : 1e8, hypot(0.4, 0.6));
	fputs(plPaper_sceneEnd, out);
}

// Stiff springs start at their length, so that the weak ones are stretched to three times theirs.
static void printTen(FILE* out, int count)
{
	double left[12] = {0.0}; // faces
	begin(out, count);
	for (int i = 1; i < 12; ++i)
		left[i] = left[i - 1] + 0.4 + (i % 2 == 1 ? 0.2 : 0.64);
	for (int i = 0; i < 12; ++i)
		printBlock(out, i, left[i] + 0.2, 3.0, 0.4, i > 0 && i < 11 ? 5.0 : 0.0);
	fputs("\n  ],\n  \"joints\": [", out);
	for (int i = 0; i < 11; ++i)
		printSpring(out, i, left[i] + 0.4, 3.0, left[i + 1], 3.0, i % 2 == 0 ? 1e8 : 1e4, 0.2);
	fputs(plPaper_sceneEnd, out);
}

// ---- error against iterations
// -----------------------------------------------------------------------------------------

typedef struct Path
{
	plVec3 at[steps][mostBlocks];
	double ms; // minimise of a step, the mean
} Path;

static bool follow(const plPaperRun* run, const Row* row, const plSolverDef* solver, Path* path, plError* error)
{
	char name[64];
	plPaperStage stage;
	plPaperFile file;
	plPaperRun own = *run;
	own.pool = NULL; // one thread
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		row->print(out, steps);
	snprintf(name, sizeof name, "%s.json", row->name);
	bool good = plPaperStage_Open(&stage, &own, &file, name, error) &&
	            plWorld_SetSolver(stage.world, solver, error) == pl_success;
	path->ms = 0.0;
	for (int s = 0; good && s < (run->quick ? 5 : steps); ++s)
	{
		plStepReport report;
		good = plWorld_Step(stage.world, &report, error) >= 0;
		path->ms += report.ms.minimise / steps;
		for (int i = 0; i < row->blocks; ++i) // the ground and a fixed block come first
			path->at[s][i] = plBody_GetPose(stage.world, plScene_GetBody(stage.scene, (size_t)i + 2).id).translation;
	}
	plPaperStage_Close(&stage);
	return good;
}

static double distanceOf(const plPaperRun* run, const Row* row, const Path* a, const Path* b)
{
	double largest = 0.0;
	for (int s = 0; s < (run->quick ? 5 : steps); ++s)
		for (int i = 0; i < row->blocks; ++i)
		{
			plVec3 p = a->at[s][i], q = b->at[s][i];
			largest =
			    fmax(largest, sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z)));
		}
	return largest;
}

static const int budgets[] = {1, 2, 5, 10, 20, 50, 100};

enum
{
	budgetCount = sizeof budgets / sizeof *budgets
};

static bool measure(const plPaperRun* run, const Row* row, const Path* exact, plPaperFile* file,
                    double errors[2][budgetCount], plError* error)
{
	static Path path;
	plPaperFile_Begin(file, "way,iterations,ms,error_m");
	for (int trees = 1; trees >= 0; --trees)
		for (int i = 0; i < budgetCount; ++i)
		{
			plSolverDef solver = plAugmented_GetSolver(pl_ruleLoad, budgets[i]);
			solver.block.direct = trees;
			if (!follow(run, row, &solver, &path, error))
			{
				plPaperFile_Discard(file);
				return false;
			}
			errors[1 - trees][i] = distanceOf(run, row, &path, exact);
			plPaperFile_Print(file, "%s,%d,%.4f,%.3g\n", trees ? "trees" : "sweeps", budgets[i], path.ms,
			                  errors[1 - trees][i]);
		}
	return true;
}

static bool makeRow(const plPaperRun* run, const Row* row, const char* title, const plPaperView* view, plError* error)
{
	static Path exact;
	double iterations[budgetCount], errors[2][budgetCount];
	plSolverDef converged = plAugmented_GetSolver(pl_ruleLoad, run->quick ? 20 : 2000);
	plPaperFile file;
	converged.precision = pl_precisionDouble;
	if (!follow(run, row, &converged, &exact, error) || !measure(run, row, &exact, &file, errors, error))
		return false;
	for (int i = 0; i < budgetCount; ++i)
		iterations[i] = budgets[i];
	const plSeries series[] = {{"trees at once", iterations, errors[0], budgetCount},
	                           {"by sweeps", iterations, errors[1], budgetCount}};
	const plChart chart = {.title = title,
	                       .subtitle = "stiffness ratio 10,000; 3 s",
	                       .xLabel = "iterations",
	                       .yLabel = "largest distance from 2000 iterations (m)",
	                       .xLog = true,
	                       .yLog = true,
	                       .marks = true,
	                       .series = series,
	                       .seriesCount = 2};
	if (!plPaper_WriteFigure(run, row->name, &file, &chart, error))
		return false;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		row->print(out, run->quick ? 2 : steps);
	return plPaper_MakePicture(run, &file, view, error);
}

static bool makeThree(const plPaperRun* run, plError* error)
{
	static const Row row = {"figure2", 2, printThree};
	static const plPaperView view = {"figure2-blocks", "300x400", "1,4,8", "0,3.6,0", "none", NULL, NULL, NULL};
	return makeRow(run, &row, "Figure 2: two blocks on springs", &view, error);
}

static bool makeTen(const plPaperRun* run, plError* error)
{
	static const Row row = {"figure4", 10, printTen};
	static const plPaperView view = {"figure4-blocks", "640x240", "4.4,3.5,10", "4.4,2.9,0", "none", NULL, NULL, NULL};
	return makeRow(run, &row, "Figure 4: ten blocks between two", &view, error);
}

const plPaperFigure plPaperAugmentedSprings[] = {{"2", "springs of stiffness ratio 10,000, hanging", makeThree},
                                                 {"4", "and stretched between two blocks", makeTen},
                                                 {0}};
