// multigrid_curves.c: Figures 4, 6, 7 and 8 of [WWF18]: how fast each method lowers the error of one step
//
//   4   Newton, Gauss-Seidel with Chebyshev, quasi-newton, FAS, Newton-multigrid, full multigrid, conjugate gradients
//       with cycles, and what --beside brings
//   6   full multigrid: when the matrix is taken anew
//   7   full multigrid: when the residual is
//   8   full multigrid: vertices with a small residual are left alone
//
// A tablecloth falls on a sphere that turns, h = 1/30 s. The minimum, by newton, takes longer than all methods
// together, so that one comparison serves all four. Everything is on one thread: time of the processor is the time of a
// quiet machine.
#include "papers.h"

#include <stdlib.h>

enum
{
	cycleCount = 20
};

// ---- the step -------------------------------------------------------------------------------------------------------

bool plGrid_OpenFall(plPaperStage* stage, const plPaperRun* run, plError* error)
{
	plPaperRun alone = *run;
	alone.pool = NULL;
	// by a method without cycles, so that a build with others comes to the same state
	plSolverDef way = plPaper_GetSolver(pl_methodQuasiNewton, 60);
	const plGridSceneDef def = {.steps = 60};
	return plGridScene_Open(stage, &alone, pl_gridSphere, &def, error) &&
	       plPaper_Advance(stage->world, &way, run->quick ? 3 : 8, error);
}

// All methods on the next step, from one guess; `subtitle` says what it is.
static bool compareFall(plPaperCurves* curves, const plPaperRun* run, plPaperMethod* methods, size_t count,
                        char subtitle[160], plError* error)
{
	plPaperStage stage;
	for (size_t i = 0; i < count; ++i)
		methods[i].solver.guess = pl_guessLower;
	bool good = plGrid_OpenFall(&stage, run, error) && plPaper_Compare(curves, stage.world, methods, count, error);
	if (good)
	{
		printf("  eps(q_t) = %.9g J, eps* = %.9g J by newton, %d iterations, relative residual %.0e\n",
		       curves->found.start, curves->found.best, curves->found.iterations, curves->found.relativeResidual);
		snprintf(subtitle, 160, "tablecloth on a sphere, %zu vertices, h = 1/30 s", stage.vertexCount);
	}
	curves->byProcessor = true;
	plPaperStage_Close(&stage);
	return good;
}

// ---- methods --------------------------------------------------------------------------------------------------------

plSolverDef plGrid_GetFullMultigrid(int cycles)
{
	plSolverDef solver = plPaper_GetSolver(pl_methodMultigrid, cycles);
	solver.cycle.kind = pl_cycleFmg;
	solver.cycle.smoothing = 3;
	return solver;
}

static plSolverDef gaussSeidel(void)
{
	plSolverDef solver = plPaper_GetSolver(pl_methodDescent, 96);
	solver.direction = pl_directionGaussSeidel;
	solver.refresh = 1; // with an older matrix it gets nowhere on this step
	solver.rho = pl_rhoPhases;
	solver.phases[0] = (plPhase){96, 0.9};
	solver.phaseCount = 1;
	return solver;
}

// Of all comparisons; the full multigrid of the paper is part of every figure
enum
{
	methodNewton,
	methodGaussSeidel,
	methodQuasiNewton,
	methodFas,
	methodFull,
	methodCg,
	methodMatrixStep,
	methodMatrixLevel,
	methodResidualEvery,
	methodResidualOnce,
	methodAdaptive, // four thresholds
	methodCount = methodAdaptive + 4
};

static void listMethods(plPaperMethod methods[methodCount])
{
	static const double thresholds[] = {0.1, 0.5, 1.0, 2.0};
	for (int i = methodFull; i < methodCount; ++i)
		methods[i].solver = plGrid_GetFullMultigrid(cycleCount);
	methods[methodNewton].solver = plPaper_GetSolver(pl_methodNewton, 10);
	methods[methodGaussSeidel].solver = gaussSeidel();
	methods[methodQuasiNewton].solver = plPaper_GetSolver(pl_methodQuasiNewton, 60);
	methods[methodFas].solver = plPaper_GetSolver(pl_methodMultigrid, cycleCount);
	methods[methodFas].solver.cycle.kind = pl_cycleFas;
	methods[methodFas].solver.cycle.smoothing = 3;
	methods[methodCg].solver = plPaper_GetSolver(pl_methodMultigrid, cycleCount);
	methods[methodMatrixStep].solver.cycle.renew = pl_renewStep;
	methods[methodMatrixLevel].solver.cycle.renew = pl_renewLevel;
	methods[methodResidualEvery].solver.cycle.residual = pl_residualEvery;
	methods[methodResidualOnce].solver.cycle.residual = pl_residualOnce;
	for (int i = 0; i < 4; ++i)
		methods[methodAdaptive + i].solver.cycle.adaptive = thresholds[i];
}

// ---- figures --------------------------------------------------------------------------------------------------------

enum
{
	mostCurves = 8
};

typedef struct Figure
{
	const char *name, *title;
	size_t count;
	struct
	{
		const char* label;
		size_t method;
	} curves[mostCurves];
} Figure;

static const Figure figures[] = {
    {"figure4",
     "Figure 4: methods",
     7,
     {{"Newton (direct)", methodNewton},
      {"Gauss-Seidel + Chebyshev", methodGaussSeidel},
      {"quasi-newton", methodQuasiNewton},
      {"FAS", methodFas},
      {"Newton-multigrid", methodResidualOnce},
      {"full multigrid", methodFull},
      {"multigrid (cg)", methodCg}}},
    {"figure6",
     "Figure 6: when the matrix is taken anew",
     3,
     {{"once a step", methodMatrixStep},
      {"once a cycle", methodFull},
      {"whenever the residual is", methodMatrixLevel}}},
    {"figure7",
     "Figure 7: when the residual is taken anew",
     3,
     {{"at every level", methodResidualEvery},
      {"at the two finest", methodFull},
      {"once a cycle", methodResidualOnce}}},
    {"figure8",
     "Figure 8: vertices that are left alone",
     5,
     {{"none", methodFull},
      {"below 0.1 rms", methodAdaptive},
      {"below 0.5 rms", methodAdaptive + 1},
      {"below 1 rms", methodAdaptive + 2},
      {"below 2 rms", methodAdaptive + 3}}},
};

// The curves of one figure, with its labels, from those of all
static bool writeFigure(const plPaperRun* run, const plPaperCurves* all, const Figure* figure, const char* subtitle,
                        plError* error)
{
	plPaperMethod methods[mostCurves + 1] = {0};
	plPaperCurves curves = {.methods = methods, .found = all->found, .byProcessor = true};
	curves.first = calloc(mostCurves + 2, sizeof *curves.first);
	for (size_t i = 0; curves.first != NULL && i < figure->count; ++i)
	{
		size_t from = figure->curves[i].method;
		methods[i].label = figure->curves[i].label;
		for (size_t k = all->first[from]; k < all->first[from + 1]; ++k)
		{
			plCompareSample sample = all->kept.samples[k];
			sample.solver = i;
			plSampleList_Add(&curves.kept, &sample);
		}
		curves.first[++curves.count] = curves.kept.count;
	}
	bool good = curves.first != NULL && !curves.kept.noMemory;
	if (!good)
		snprintf(error->message, sizeof error->message, "%s: not enough memory", figure->name);
	if (good && figure == figures && run->beside != NULL)
		good = plPaperCurves_Read(&curves, methods + curves.count, run->beside, error);
	good = good && plPaperCurves_Write(&curves, run, figure->name, figure->title, subtitle, true, error);
	plPaperCurves_Destroy(&curves);
	return good;
}

static bool makeMethods(const plPaperRun* run, plError* error)
{
	plPaperMethod methods[methodCount] = {0};
	plPaperCurves all = {0};
	char subtitle[160];
	listMethods(methods);
	bool good = compareFall(&all, run, methods, methodCount, subtitle, error);
	for (const Figure* figure = figures; good && figure < figures + sizeof figures / sizeof *figures; ++figure)
		good = writeFigure(run, &all, figure, subtitle, error);
	plPaperCurves_Destroy(&all);
	return good;
}

// For a build with other cycles: its curve goes beside those of Figure 4.
static bool makeOurs(const plPaperRun* run, plError* error)
{
	plPaperMethod methods[] = {{"multigrid (cg)", plPaper_GetSolver(pl_methodMultigrid, cycleCount)}};
	plPaperCurves curves = {0};
	char subtitle[160];
	bool good = compareFall(&curves, run, methods, 1, subtitle, error) &&
	            plPaperCurves_Write(&curves, run, "cg", "The curve of multigrid alone", subtitle, true, error);
	plPaperCurves_Destroy(&curves);
	return good;
}

const plPaperFigure plPaperGridCurves[] = {{"4", "error by method on one step; figures 6, 7 and 8, too", makeMethods},
                                           {"cg", "of figure 4 the curve of multigrid alone", makeOurs},
                                           {0}};
