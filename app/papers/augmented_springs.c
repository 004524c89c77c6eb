// augmented_springs.c: Figures 2 and 4 of [GDY25]: blocks on springs whose stiffness differs by 10,000
//
//   2    two blocks of 100 kg below a fixed one, pulled aside: 10^4 N/m above, 10^8 N/m below
//   4    ten blocks of 5 kg between two fixed ones: 10^8 and 10^4 N/m in turns, the weak ones stretched to three
//        times their length
//
// The error is the largest distance that any block has, in 3 s, from where it is with 2000 iterations; with substeps,
// from where trees at once leave it with 50 in as many of them, which is the same to nanometres. A spring of a joint is
// a multiplier that tends to its force (docs/methods/avbd.md): the printed ramp of finite stiffness is not among our
// rules. VBD is "stiffness": "fixed": springs are what they are.
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

static bool follow(const plPaperRun* run, const Row* row, const plSolverDef* solver, int substeps, Path* path,
                   plError* error)
{
	char name[64], set[32];
	const char* sets[] = {set};
	plSceneOptions options = plDefaultSceneOptions();
	plPaperStage stage;
	plPaperFile file;
	plPaperRun own = *run;
	own.pool = NULL; // one thread
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		row->print(out, steps);
	snprintf(name, sizeof name, "%s.json", row->name);
	snprintf(set, sizeof set, "substeps=%d", substeps);
	options.sets = sets;
	options.setCount = 1;
	bool good = plPaperStage_OpenWith(&stage, &own, &file, name, &options, error) &&
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

typedef struct Way
{
	const char *name, *words;
	bool trees, isVbd, parts; // parts: a budget is substeps of one iteration
} Way;

static const Way ways[] = {{"trees", "trees at once", true, false, false},
                           {"sweeps", "by sweeps", false, false, false},
                           {"vbd", "VBD", false, true, false},
                           {"vbd-substeps", "VBD, substeps", false, true, true}};

enum
{
	budgetCount = sizeof budgets / sizeof *budgets,
	wayCount = sizeof ways / sizeof *ways
};

static plSolverDef solverOf(const Way* way, int iterations)
{
	plSolverDef solver = plAugmented_GetSolver(pl_ruleLoad, iterations);
	solver.block.direct = way->trees;
	if (way->isVbd)
		solver.block.stiffness = pl_stiffnessFixed;
	return solver;
}

static bool measureOne(const plPaperRun* run, const Row* row, const Way* way, int budget, const Path* exact,
                       plPaperFile* file, double* off, plError* error)
{
	static Path path, split;
	plSolverDef solver = solverOf(way, way->parts ? 1 : budget), reference = solverOf(ways, 50);
	int substeps = way->parts ? budget : 1;
	if (!follow(run, row, &solver, substeps, &path, error) ||
	    (substeps > 1 && !follow(run, row, &reference, substeps, &split, error)))
		return false;
	*off = distanceOf(run, row, &path, substeps > 1 ? &split : exact);
	plPaperFile_Print(file, "%s,%d,%.4f,%.3g\n", way->name, budget, path.ms, *off);
	return true;
}

static bool measure(const plPaperRun* run, const Row* row, const Path* exact, plPaperFile* file,
                    double errors[wayCount][budgetCount], plError* error)
{
	plPaperFile_Begin(file, "way,iterations,ms,error_m");
	for (int w = 0; w < wayCount; ++w)
		for (int i = 0; i < budgetCount; ++i)
			if (!measureOne(run, row, ways + w, budgets[i], exact, file, &errors[w][i], error))
			{
				plPaperFile_Discard(file);
				return false;
			}
	return true;
}

static bool makeRow(const plPaperRun* run, const Row* row, const char* title, const plPaperView* view, plError* error)
{
	static Path exact;
	double iterations[budgetCount], errors[wayCount][budgetCount];
	plSeries series[wayCount];
	plSolverDef converged = plAugmented_GetSolver(pl_ruleLoad, run->quick ? 20 : 2000);
	plPaperFile file;
	converged.precision = pl_precisionDouble;
	if (!follow(run, row, &converged, 1, &exact, error) || !measure(run, row, &exact, &file, errors, error))
		return false;
	for (int i = 0; i < budgetCount; ++i)
		iterations[i] = budgets[i];
	for (int w = 0; w < wayCount; ++w)
		series[w] = (plSeries){ways[w].words, iterations, errors[w], budgetCount};
	const plChart chart = {.title = title,
	                       .subtitle = "stiffness ratio 10,000; 3 s",
	                       .xLabel = "iterations, or substeps of one",
	                       .yLabel = "largest distance from 2000 iterations (m)",
	                       .xLog = true,
	                       .yLog = true,
	                       .marks = true,
	                       .series = series,
	                       .legend = true,
	                       .seriesCount = wayCount};
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
