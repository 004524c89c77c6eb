// multigrid_projective.c: Figures 9, 10 and 11 of [WWF18]: projective dynamics with cycles in the global step
//
//   9, 10   a cloth on a round table, 10 and 40 thousand vertices: error of one step by method
//   11      the same after 20 steps, each method with as many iterations as fit into 33 ms of one processor
//
// An iteration of ours is a local step and one V-cycle for the global one. Chebyshev's acceleration is over iterations.
#include "papers.h"

#include <math.h>
#include <stdlib.h>

enum
{
	budget = 60,
	mostMethods = 6
};

static void accelerate(plSolverDef* solver, double rho)
{
	solver->acceleration = pl_accelerationChebyshev;
	solver->rho = pl_rhoPhases;
	solver->phases[0] = (plPhase){solver->iterations, rho};
	solver->phaseCount = 1;
}

static plPaperMethod gaussSeidel(const char* label, bool accelerated)
{
	plPaperMethod method = {label, plPaper_GetSolver(pl_methodDescent, budget)};
	method.solver.direction = pl_directionGaussSeidel;
	if (!accelerated)
		method.solver.acceleration = pl_accelerationNone;
	return method;
}

static plPaperMethod projective(const char* label, plLinearSolver linear, double rho)
{
	plPaperMethod method = {label, plPaper_GetSolver(pl_methodProjective, budget)};
	method.solver.linear = linear;
	if (rho > 0.0)
		accelerate(&method.solver, rho);
	return method;
}

static size_t listMethods(plPaperMethod methods[mostMethods])
{
	const double rho = 0.95; // found by trying
	size_t count = 0;
	methods[count++] = gaussSeidel("Gauss-Seidel", false);
	methods[count++] = gaussSeidel("Gauss-Seidel + Chebyshev", true);
	methods[count++] = projective("direct", pl_linearDirect, 0.0);
	methods[count++] = projective("direct + Chebyshev", pl_linearDirect, rho);
	methods[count++] = projective("V-cycle", pl_linearMultigrid, 0.0);
	methods[count++] = projective("V-cycle + Chebyshev", pl_linearMultigrid, rho);
	for (size_t i = 0; i < count; ++i)
		methods[i].solver.guess = pl_guessInertial;
	return count;
}

// While the hem falls
static bool openTable(plPaperStage* stage, const plPaperRun* run, plGridScene scene, plError* error)
{
	plPaperRun alone = *run;
	alone.pool = NULL;
	plSolverDef way = plPaper_GetPreset(pl_methodMultigrid);
	const plGridSceneDef def = {.steps = 30};
	return plGridScene_Open(stage, &alone, scene, &def, error) &&
	       plPaper_Advance(stage->world, &way, run->quick ? 2 : 8, error);
}

static bool compareTable(const plPaperRun* run, plGridScene scene, const char* name, const char* title, plError* error)
{
	plPaperMethod methods[mostMethods];
	size_t count = listMethods(methods);
	plPaperStage stage;
	plPaperCurves curves = {0};
	char subtitle[160];
	bool good = openTable(&stage, run, scene, error) && plPaper_Compare(&curves, stage.world, methods, count, error);
	curves.byProcessor = true;
	if (good)
	{
		snprintf(subtitle, sizeof subtitle, "cloth on a round table, %zu vertices, h = 1/30 s", stage.vertexCount);
		good = plPaperCurves_Write(&curves, run, name, title, subtitle, true, error);
	}
	plPaperCurves_Destroy(&curves);
	plPaperStage_Close(&stage);
	return good;
}

static bool makeSmall(const plPaperRun* run, plError* error)
{
	return compareTable(run, pl_gridTable10, "figure9", "Figure 9: projective dynamics, 10K vertices", error);
}

static bool makeLarge(const plPaperRun* run, plError* error)
{
	return compareTable(run, pl_gridTable40, "figure10", "Figure 10: projective dynamics, 40K vertices", error);
}

// ---- figure 11 ------------------------------------------------------------------------------------------------------

enum
{
	shownCount = 3,
	pictureSteps = 20
};

static const size_t shown[shownCount] = {1, 4, 5}; // of listMethods

// How many iterations fit into 33 ms
static bool countIterations(const plPaperRun* run, plGridScene scene, const plPaperMethod* methods, size_t count,
                            int iterations[], plError* error)
{
	const double room = 33.0;
	plPaperStage stage;
	plPaperCurves curves = {0};
	bool good = openTable(&stage, run, scene, error) && plPaper_Compare(&curves, stage.world, methods, count, error);
	for (size_t i = 0; good && i < shownCount; ++i)
	{
		const plCompareSample* last = curves.kept.samples + curves.first[shown[i] + 1] - 1;
		iterations[i] = (int)fmax(1.0, floor(room * last->iteration / last->processorMs));
		if (run->quick)
			iterations[i] = 2;
	}
	plPaperCurves_Destroy(&curves);
	plPaperStage_Close(&stage);
	return good;
}

static bool hang(const plPaperRun* run, plGridScene scene, const plSolverDef* solver, double right, double up,
                 plPaperStrip* strip, plStepReport* report, plError* error)
{
	plPaperStage stage;
	const plGridSceneDef def = {.steps = pictureSteps};
	bool good = plGridScene_Open(&stage, run, scene, &def, error) &&
	            plPaper_Advance(stage.world, solver, run->quick ? 2 : pictureSteps - 1, error) &&
	            plWorld_Step(stage.world, report, error) >= 0 && plPaperStrip_Add(strip, &stage, right, up, error);
	plPaperStage_Close(&stage);
	return good;
}

static bool makePicture(const plPaperRun* run, plError* error)
{
	static const plGridScene scenes[2] = {pl_gridTable10, pl_gridTable40};
	static const plPaperView view = {"figure11", "900x520", "2.6,3.4,11.5", "2.6,-0.75,0", "none", NULL, "30", NULL};
	plPaperMethod methods[mostMethods];
	size_t count = listMethods(methods);
	plPaperStrip strip = {0};
	plPaperFile file;
	bool good = true;
	plPaperFile_Begin(&file, "method,scene,iterations,stretch,relative_residual");
	for (int row = 0; good && row < 2; ++row)
	{
		int iterations[shownCount];
		good = countIterations(run, scenes[row], methods, count, iterations, error);
		for (size_t i = 0; good && i < shownCount; ++i)
		{
			plSolverDef solver = methods[shown[i]].solver;
			plStepReport report;
			solver.iterations = iterations[i];
			if (solver.phaseCount > 0)
				solver.phases[0].iterations = iterations[i];
			good = hang(run, scenes[row], &solver, 2.6 * (double)i, -2.1 * row, &strip, &report, error);
			if (good)
				plPaperFile_Print(&file, "%s,%s,%d,%.4g,%.3g\n", methods[shown[i]].label,
				                  plGridScene_GetName(scenes[row]), iterations[i], report.stretch,
				                  report.relativeResidual);
		}
	}
	good = good && plPaperFile_Close(&file, run, "figure11.csv", error) && plPaperStrip_Draw(&strip, run, &view, error);
	plPaperFile_Discard(&file);
	plPaperStrip_Destroy(&strip);
	return good;
}

const plPaperFigure plPaperGridProjective[] = {{"9", "projective dynamics with cycles, 10K vertices", makeSmall},
                                               {"10", "projective dynamics with cycles, 40K vertices", makeLarge},
                                               {"11", "projective dynamics in 33 ms a step, a picture", makePicture},
                                               {0}};
