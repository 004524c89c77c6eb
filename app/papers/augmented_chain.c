// augmented_chain.c: Figures 7, 8 and 15 of [GDY25]: a chain of fifty bodies, and a weight of 50,000 times theirs
//
//   7    a pendulum, let go level: how far joints are off at most in 5 s, by iterations and by time
//   8    the same with 20 iterations, over time
//   15   a pendulum that hangs, by the printed rules: where its weight is, for other iterations, gamma, alpha and beta
//
// Links are 1 x 0.25 x 0.25 m and 1 kg, the cube 2 m and 50,000 kg, the first ball joint 200 m above the ground,
// gravity 10 m/s^2: the chain of tests/acceptance/chain.c. In Figure 15 the cube has 1 kg, and links as little: the
// printed parameters have units, and hold no more.
#include "augmented.h"

#include <math.h>
#include <stdlib.h>

enum
{
	linkCount = 50,
	seconds = 5,
	most = 60 * seconds
};

typedef enum Way
{
	wayTrees,
	waySweeps,
	wayPrinted,
	waySteep,
	wayCount
} Way;

static const char* const wayWords[wayCount] = {"trees at once", "by sweeps", "as printed", "printed beta 1e4"};

static plSolverDef solverOf(Way way, int iterations)
{
	plSolverDef solver = plAugmented_GetSolver(way == wayPrinted ? pl_rulePrinted
	                                           : way == waySteep ? pl_ruleSteep
	                                                             : pl_ruleLoad,
	                                           iterations);
	solver.block.direct = way == wayTrees;
	return solver;
}

// ---- the pendulum ---------------------------------------------------------------------------------------------------

typedef struct Pendulum
{
	int links, steps, every;
	double share;       // of all masses
	const char* solver; // keys of avbd
	bool hangs;         // it starts straight down
} Pendulum;

static void printPendulum(const Pendulum* p, FILE* out)
{
	const plRigidScene scene = {.steps = p->steps,
	                            .every = p->every,
	                            .substeps = 1,
	                            .gravity = 10.0,
	                            .solver = p->solver,
	                            .materials = "\"ground\": {}"};
	double x = p->hangs ? 0.0 : 1.0, y = p->hangs ? -1.0 : 0.0, high = p->hangs ? 60.0 : 200.0;
	plRigidScene_Begin(&scene, out);
	fprintf(out,
	        ",\n    { \"name\": \"block\", \"type\": \"rigid\", \"motion\": \"static\", \"shape\": { \"box\": [0.5, "
	        "0.5, 0.5] }, \"at\": [0, %g, 0] },\n"
	        "    { \"name\": \"links\", \"array\": { \"count\": [%d, %d, 1], \"spacing\": [1, -1, 0],\n"
	        "        \"of\": { \"type\": \"rigid\", \"shape\": { \"box\": [%g, %g, 0.25] }, \"at\": [%g, %g, 0], "
	        "\"mass\": %g } } },\n"
	        "    { \"name\": \"weight\", \"type\": \"rigid\", \"shape\": { \"box\": [2, 2, 2] }, \"at\": [%g, %g, 0], "
	        "\"mass\": %g }\n  ],\n",
	        high, p->hangs ? 1 : p->links, p->hangs ? p->links : 1, p->hangs ? 0.25 : 1.0, p->hangs ? 1.0 : 0.25,
	        0.5 * x, high + 0.5 * y, p->share, (p->links + 1) * x, high + (p->links + 1) * y, 5e4 * p->share);
	fprintf(out,
	        "  \"joints\": [\n    { \"type\": \"ball\", \"a\": \"block\", \"b\": \"links[0]\", \"at\": [0, %g, 0] },\n"
	        "    { \"type\": \"ball\", \"chain\": \"links\" },\n"
	        "    { \"type\": \"ball\", \"a\": \"links[%d]\", \"b\": \"weight\", \"at\": [%g, %g, 0] }",
	        high, p->links - 1, p->links * x, high + p->links * y);
	fputs(plPaper_sceneEnd, out);
}

// After every step
typedef struct Swing
{
	double error[most], height[most]; // of joints and of the weight, m
	double largest, ms;               // error; minimise of a step, the mean
	double x, y;                      // of the weight at the end
} Swing;

static bool watch(const plPaperRun* run, const Pendulum* p, const plSolverDef* solver, Swing* swing, plError* error)
{
	plPaperStage stage;
	plPaperFile file;
	plPaperRun own = *run;
	own.pool = NULL; // one thread
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		printPendulum(p, out);
	bool good = plPaperStage_Open(&stage, &own, &file, p->hangs ? "figure15.json" : "figure7.json", error) &&
	            plWorld_SetSolver(stage.world, solver, error) == pl_success;
	plBodyId weight = good ? plPaperStage_FindBodies(&stage, "weight").id : (plBodyId){0};
	swing->largest = swing->ms = 0.0;
	for (int s = 0; good && s < p->steps; ++s)
	{
		plStepReport report;
		good = plWorld_Step(stage.world, &report, error) >= 0;
		swing->error[s] = report.jointError;
		swing->largest = fmax(swing->largest, report.jointError);
		swing->ms += report.ms.minimise / p->steps;
		swing->x = plBody_GetPose(stage.world, weight).translation.x;
		swing->y = swing->height[s] = plBody_GetPose(stage.world, weight).translation.y;
	}
	plPaperStage_Close(&stage);
	return good;
}

static Pendulum pendulumOf(const plPaperRun* run, bool hangs)
{
	int steps = run->quick ? 6 : most;
	return (Pendulum){.links = run->quick ? 5 : linkCount,
	                  .steps = steps,
	                  .every = steps,
	                  .share = hangs ? 2e-5 : 1.0,
	                  .solver = "\"iterations\": 20",
	                  .hangs = hangs};
}

void plAugmented_PrintPendulum(const plPaperRun* run, FILE* out, int steps)
{
	Pendulum p = pendulumOf(run, false);
	p.steps = p.every = steps;
	printPendulum(&p, out);
}

// ---- figure 7 -------------------------------------------------------------------------------------------------------

static const int budgets[] = {2, 5, 10, 20, 50, 100};

enum
{
	budgetCount = sizeof budgets / sizeof *budgets
};

static bool writeErrors(const plPaperRun* run, const char* name, bool byTime, double x[wayCount][budgetCount],
                        double y[wayCount][budgetCount], plError* error)
{
	plSeries series[wayCount];
	for (int way = 0; way < wayCount; ++way)
		series[way] = (plSeries){wayWords[way], x[way], y[way], budgetCount};
	const plChart chart = {.title = "Figure 7: a pendulum of 50 links, 50,000:1",
	                       .subtitle = "let go level, 5 s; 2, 5, 10, 20, 50 and 100 iterations",
	                       .xLabel = byTime ? "ms of a step, one thread" : "iterations",
	                       .yLabel = "largest error of a joint (m)",
	                       .xLog = true,
	                       .yLog = true,
	                       .marks = true,
	                       .legend = true,
	                       .series = series,
	                       .seriesCount = wayCount};
	return plPaper_WriteChart(run, name, &chart, error);
}

// Where the weight is lowest
static bool drawPendulum(const plPaperRun* run, const char* name, const char* solver, plError* error)
{
	const plPaperView view = {name, "400x480", "0,160,190", "0,160,0", "none", NULL, NULL, NULL};
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	Pendulum p = pendulumOf(run, false);
	p.solver = solver;
	if (!run->quick)
		p.steps = p.every = 252;
	if (out != NULL)
		printPendulum(&p, out);
	return plPaper_MakePicture(run, &file, &view, error);
}

static bool makePendulum(const plPaperRun* run, plError* error)
{
	static Swing swing;
	double iterations[wayCount][budgetCount], ms[wayCount][budgetCount], largest[wayCount][budgetCount];
	Pendulum p = pendulumOf(run, false);
	plSolverDef converged = solverOf(wayTrees, run->quick ? 20 : 400);
	if (!watch(run, &p, &converged, &swing, error))
		return false;
	double x = swing.x, y = swing.y;
	plPaperFile file;
	plPaperFile_Begin(&file, "way,iterations,ms,error_m,weight_off_m");
	for (int way = 0; way < wayCount; ++way)
		for (int i = 0; i < budgetCount; ++i)
		{
			plSolverDef solver = solverOf((Way)way, budgets[i]);
			if (!watch(run, &p, &solver, &swing, error))
			{
				plPaperFile_Discard(&file);
				return false;
			}
			iterations[way][i] = budgets[i], ms[way][i] = swing.ms, largest[way][i] = swing.largest;
			plPaperFile_Print(&file, "%s,%d,%.4f,%.6f,%.4f\n", wayWords[way], budgets[i], swing.ms, swing.largest,
			                  hypot(swing.x - x, swing.y - y));
		}
	return plPaperFile_Close(&file, run, "figure7.csv", error) &&
	       writeErrors(run, "figure7-iterations.svg", false, iterations, largest, error) &&
	       writeErrors(run, "figure7-time.svg", true, ms, largest, error) &&
	       drawPendulum(run, "figure7", "\"iterations\": 20", error) &&
	       drawPendulum(run, "figure7-sweeps", "\"iterations\": 20, \"direct\": \"no\"", error) &&
	       drawPendulum(run, "figure7-steep",
	                    "\"iterations\": 20, \"stiffness\": \"ramp\", \"clamped\": \"no\", \"forgive\": 0.99, "
	                    "\"fade\": 0.999, \"ramp\": 10000",
	                    error);
}

// ---- figure 8 -------------------------------------------------------------------------------------------------------

static bool makeErrors(const plPaperRun* run, plError* error)
{
	static Swing swings[wayCount];
	static double times[most];
	plSeries series[wayCount];
	Pendulum p = pendulumOf(run, false);
	for (int way = 0; way < wayCount; ++way)
	{
		plSolverDef solver = solverOf((Way)way, 20);
		if (!watch(run, &p, &solver, swings + way, error))
			return false;
		series[way] = (plSeries){wayWords[way], times, swings[way].error, (size_t)p.steps};
	}
	plPaperFile file;
	plPaperFile_Begin(&file, "time,trees_m,sweeps_m,printed_m,steep_m");
	for (int s = 0; s < p.steps; ++s)
	{
		times[s] = (s + 1) / 60.0;
		plPaperFile_Print(&file, "%.4f,%.3g,%.3g,%.3g,%.3g\n", times[s], swings[0].error[s], swings[1].error[s],
		                  swings[2].error[s], swings[3].error[s]);
	}
	const plChart chart = {.title = "Figure 8: the pendulum's joints",
	                       .subtitle = "20 iterations",
	                       .xLabel = "time (s)",
	                       .yLabel = "largest error of a joint (m)",
	                       .yLog = true,
	                       .legend = true,
	                       .series = series,
	                       .seriesCount = wayCount};
	return plPaper_WriteFigure(run, "figure8", &file, &chart, error);
}

// ---- figure 15 ------------------------------------------------------------------------------------------------------

enum
{
	choiceCount = 4
};

static const struct
{
	const char *name, *words;
	double values[choiceCount];
} studies[] = {{"iterations", "iterations", {2, 5, 10, 20}},
               {"gamma", "gamma", {0, 0.25, 0.75, 0.99}},
               {"alpha", "alpha", {0, 0.75, 0.95, 1}},
               {"beta", "beta", {1, 10, 100, 1000}}};

// Of avbd's settings, 0 as "fade" stands for its default: 1e-12 is nothing, too.
static plSolverDef solverOfStudy(int study, double value)
{
	plSolverDef solver = plAugmented_GetSolver(pl_rulePrinted, study == 0 ? (int)value : 20);
	if (study == 1)
		solver.block.fade = fmax(value, 1e-12);
	if (study == 2)
		solver.block.forgive = value;
	if (study == 3)
		solver.block.ramp = value;
	return solver;
}

static bool makeStudy(const plPaperRun* run, int study, plPaperFile* file, plError* error)
{
	static Swing swings[choiceCount];
	static double times[most];
	char labels[choiceCount][32], name[64], title[80];
	plSeries series[choiceCount];
	Pendulum p = pendulumOf(run, true);
	for (int s = 0; s < p.steps; ++s)
		times[s] = (s + 1) / 60.0;
	for (int i = 0; i < choiceCount; ++i)
	{
		plSolverDef solver = solverOfStudy(study, studies[study].values[i]);
		if (!watch(run, &p, &solver, swings + i, error))
			return false;
		snprintf(labels[i], sizeof labels[i], "%g", studies[study].values[i]);
		series[i] = (plSeries){labels[i], times, swings[i].height, (size_t)p.steps};
		plPaperFile_Print(file, "%s,%g,%.4f,%.4f\n", studies[study].name, studies[study].values[i], swings[i].y,
		                  swings[i].largest);
	}
	snprintf(name, sizeof name, "figure15-%s.svg", studies[study].name);
	snprintf(title, sizeof title, "Figure 15: %s", studies[study].words);
	const plChart chart = {.title = title,
	                       .subtitle = "the printed rules, a weight of 1 kg",
	                       .xLabel = "time (s)",
	                       .yLabel = "height of the weight (m)",
	                       .width = 360.0,
	                       .height = 260.0,
	                       .legend = true,
	                       .series = series,
	                       .seriesCount = choiceCount};
	return plPaper_WriteChart(run, name, &chart, error);
}

static bool makeStudies(const plPaperRun* run, plError* error)
{
	plPaperFile file;
	bool good = true;
	plPaperFile_Begin(&file, "parameter,value,height_m,largest_error_m");
	for (int study = 0; good && study < 4; ++study)
		good = makeStudy(run, study, &file, error);
	if (good)
		return plPaperFile_Close(&file, run, "figure15.csv", error);
	plPaperFile_Discard(&file);
	return false;
}

const plPaperFigure plPaperAugmentedChain[] = {{"7", "a heavy pendulum: error by iterations and time", makePendulum},
                                               {"8", "the same over time", makeErrors},
                                               {"15", "what the printed parameters do to it", makeStudies},
                                               {0}};
