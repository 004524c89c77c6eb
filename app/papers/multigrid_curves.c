// multigrid_curves.c: Figures 4, 6 and 7 of [WWF18]: how fast each method lowers the error of one step
//
//   4   Newton, Gauss-Seidel with Chebyshev, full multigrid, conjugate gradients with cycles, and what --beside brings
//   6   full multigrid: when the matrix is taken anew
//   7   full multigrid: when the residual is
//
// A tablecloth falls on a sphere that turns, h = 1/30 s. Everything is on one thread, so that time of the processor is
// the time of a quiet machine.
#include "papers.h"

enum
{
	mostMethods = 12
};

plPaperMethod plGrid_GetFullMultigrid(const char* label, int cycles)
{
	plPaperMethod method = {label, plPaper_GetSolver(pl_methodMultigrid, cycles)};
	method.solver.cycle.kind = pl_cycleFmg;
	method.solver.cycle.smoothing = 3;
	return method;
}

bool plGrid_OpenFall(plPaperStage* stage, const plPaperRun* run, plError* error)
{
	plPaperRun alone = *run;
	alone.pool = NULL;
	plSolverDef way = plPaper_GetPreset(pl_methodMultigrid);
	const plGridSceneDef def = {.steps = 60};
	return plGridScene_Open(stage, &alone, pl_gridSphere, &def, error) &&
	       plPaper_Advance(stage->world, &way, run->quick ? 3 : 12, error);
}

bool plGrid_CompareFall(const plPaperRun* run, const char* name, const char* title, plPaperMethod* methods,
                        size_t count, const char* beside, plError* error)
{
	plPaperStage stage;
	plPaperCurves curves = {0};
	char subtitle[160];
	for (size_t i = 0; i < count; ++i)
		methods[i].solver.guess = pl_guessLower; // one start for all of them
	bool good = plGrid_OpenFall(&stage, run, error) && plPaper_Compare(&curves, stage.world, methods, count, error);
	curves.byProcessor = true;
	if (good && beside != NULL)
		good = plPaperCurves_Read(&curves, methods + count, beside, error);
	if (good)
	{
		snprintf(subtitle, sizeof subtitle, "tablecloth on a sphere, %zu vertices, h = 1/30 s", stage.vertexCount);
		good = plPaperCurves_Write(&curves, run, name, title, subtitle, true, error);
	}
	plPaperCurves_Destroy(&curves);
	plPaperStage_Close(&stage);
	return good;
}

// ---- figure 4 -------------------------------------------------------------------------------------------------------

static plPaperMethod gaussSeidel(const char* label)
{
	plPaperMethod method = {label, plPaper_GetSolver(pl_methodDescent, 96)};
	method.solver.direction = pl_directionGaussSeidel;
	return method;
}

static plPaperMethod conjugateGradients(const char* label)
{
	return (plPaperMethod){label, plPaper_GetSolver(pl_methodMultigrid, 20)};
}

static bool makeMethods(const plPaperRun* run, plError* error)
{
	plPaperMethod methods[mostMethods + 1] = {
	    {"Newton, direct", plPaper_GetSolver(pl_methodNewton, 10)},
	    gaussSeidel("Gauss-Seidel + Chebyshev"),
	    plGrid_GetFullMultigrid("Newton-multigrid", 30),
	    plGrid_GetFullMultigrid("full multigrid", 30),
	    conjugateGradients("multigrid (cg)"),
	};
	methods[2].solver.cycle.residual = pl_residualOnce;
	return plGrid_CompareFall(run, "figure4", "Figure 4: methods", methods, 5, run->beside, error);
}

// For a build with other cycles: its curve goes beside those of Figure 4.
static bool makeOurs(const plPaperRun* run, plError* error)
{
	plPaperMethod methods[] = {conjugateGradients("multigrid (cg)")};
	return plGrid_CompareFall(run, "cg", "The curve of multigrid alone", methods, 1, NULL, error);
}

// ---- figures 6 and 7
// --------------------------------------------------------------------------------------------------

static bool makeMatrices(const plPaperRun* run, plError* error)
{
	static const struct
	{
		const char* label;
		plRenewal rule;
	} rules[] = {{"once a step", pl_renewStep}, {"once a cycle", pl_renewCycle}, {"at every level", pl_renewLevel}};
	plPaperMethod methods[3];
	for (int i = 0; i < 3; ++i)
	{
		methods[i] = plGrid_GetFullMultigrid(rules[i].label, 20);
		methods[i].solver.cycle.renew = rules[i].rule;
	}
	return plGrid_CompareFall(run, "figure6", "Figure 6: when the matrix is taken anew", methods, 3, NULL, error);
}

static bool makeResiduals(const plPaperRun* run, plError* error)
{
	static const char* const labels[pl_residualCount] = {[pl_residualEvery] = "at every level",
	                                                     [pl_residualLast] = "at the two finest",
	                                                     [pl_residualOnce] = "once a cycle"};
	plPaperMethod methods[pl_residualCount];
	for (int i = 0; i < pl_residualCount; ++i)
	{
		methods[i] = plGrid_GetFullMultigrid(labels[i], 20);
		methods[i].solver.cycle.residual = (plResidualRule)i;
	}
	return plGrid_CompareFall(run, "figure7", "Figure 7: when the residual is taken anew", methods, pl_residualCount,
	                          NULL, error);
}

const plPaperFigure plPaperGridCurves[] = {{"4", "error by method on one step of a tablecloth", makeMethods},
                                           {"cg", "of figure 4 the curve of multigrid alone", makeOurs},
                                           {"6", "full multigrid: when the matrix is taken anew", makeMatrices},
                                           {"7", "full multigrid: when the residual is taken anew", makeResiduals},
                                           {0}};
