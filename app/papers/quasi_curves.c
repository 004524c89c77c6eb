// quasi_curves.c: Figures 7, 8, 12, 13 and 14 of [LBK17]: how fast the error of one step falls, on the twisting bar
//
//   7    pairs of L-BFGS against Chebyshev's acceleration, plain steps and Newton
//   8    what L-BFGS starts from
//   12   direct solves against conjugate gradients; Newton's stop at negative curvature [GSS15]
//   13   more and more pairs
//   14   stretches over which the stiffness of the law is fitted
//
// The state comes from 20 steps of quasi-newton. All methods start from y, as in the paper.
#include "papers.h"

#include <string.h>

enum
{
	budget = 60,
	newtonBudget = 12
};

static plPaperMethod quasi(const char* label, int history, plMatrixKind matrix)
{
	plPaperMethod method = {label, plPaper_GetSolver(pl_methodQuasiNewton, budget)};
	method.solver.history = history;
	method.solver.matrix = matrix;
	return method;
}

static plPaperMethod newton(const char* label, int cgIterations)
{
	plPaperMethod method = {label,
	                        plPaper_GetSolver(cgIterations > 0 ? pl_methodNewtonCg : pl_methodNewton, newtonBudget)};
	method.solver.guess = pl_guessInertial;
	if (cgIterations > 0)
	{
		method.solver.cgIterations = cgIterations;
		method.solver.iterations = budget;
	}
	return method;
}

// Plain for `delay` iterations, then with this rho.
static plPaperMethod chebyshev(const char* label, int delay, double rho)
{
	plPaperMethod method = quasi(label, 0, pl_matrixLaplacian);
	method.solver.acceleration = pl_accelerationChebyshev;
	method.solver.rho = pl_rhoPhases;
	method.solver.phases[0] = (plPhase){delay, 0.0};
	method.solver.phases[1] = (plPhase){budget - delay, rho};
	method.solver.phaseCount = 2;
	return method;
}

static bool compareTwist(const plPaperRun* run, const char* name, const char* title, const plPaperMethod* methods,
                         size_t count, plError* error)
{
	plPaperStage stage;
	plPaperCurves curves = {0};
	plSolverDef way = plPaper_GetSolver(pl_methodQuasiNewton, 20);
	char subtitle[160];
	bool good = plQuasiScene_Open(&stage, run, pl_quasiTwist, error) &&
	            plPaper_Advance(stage.world, &way, run->quick ? 3 : 20, error) &&
	            plPaper_Compare(&curves, stage.world, methods, count, error);
	if (good)
	{
		snprintf(subtitle, sizeof subtitle, "twisting bar, %zu vertices, %zu tetrahedra, neo-Hookean, h = 1/30 s",
		         stage.vertexCount, stage.tetCount);
		good = plPaperCurves_Write(&curves, run, name, title, subtitle, true, error);
	}
	plPaperCurves_Destroy(&curves);
	plPaperStage_Close(&stage);
	return good;
}

static bool makeAcceleration(const plPaperRun* run, plError* error)
{
	const plPaperMethod methods[] = {quasi("plain (m = 0)", 0, pl_matrixLaplacian),
	                                 chebyshev("Chebyshev S = 10 rho = 0.95", 10, 0.95),
	                                 chebyshev("Chebyshev S = 10 rho = 0.99", 10, 0.99),
	                                 chebyshev("Chebyshev S = 1 rho = 0.95", 1, 0.95),
	                                 quasi("L-BFGS m = 2", 2, pl_matrixLaplacian),
	                                 quasi("L-BFGS m = 5", 5, pl_matrixLaplacian),
	                                 newton("Newton", 0)};
	return compareTwist(run, "figure7", "Figure 7: L-BFGS, Chebyshev, Newton", methods,
	                    sizeof methods / sizeof *methods, error);
}

static bool makeMatrices(const plPaperRun* run, plError* error)
{
	const plPaperMethod methods[] = {
	    quasi("scaled identity", 5, pl_matrixIdentity),      quasi("Hessian at rest", 5, pl_matrixRest),
	    quasi("warped Hessian at rest", 5, pl_matrixWarped), quasi("Hessian of the frame", 5, pl_matrixHessian),
	    quasi("M/h^2 + L", 5, pl_matrixLaplacian),           newton("Newton", 0)};
	return compareTwist(run, "figure8", "Figure 8: what L-BFGS starts from (m = 5)", methods,
	                    sizeof methods / sizeof *methods, error);
}

static bool makeSolvers(const plPaperRun* run, plError* error)
{
	plPaperMethod iterative = quasi("L-BFGS CG-15", 5, pl_matrixLaplacian);
	iterative.solver.linear = pl_linearCg;
	iterative.solver.cgIterations = 15;
	const plPaperMethod methods[] = {newton("Newton direct", 0),
	                                 newton("Newton CG until eta", 500),
	                                 newton("Newton CG-15", 15),
	                                 newton("Newton CG-5", 5),
	                                 iterative,
	                                 quasi("L-BFGS direct", 5, pl_matrixLaplacian)};
	return compareTwist(run, "figure12", "Figure 12: direct solves and conjugate gradients", methods,
	                    sizeof methods / sizeof *methods, error);
}

static bool makeWindows(const plPaperRun* run, plError* error)
{
	static const int windows[] = {0, 1, 2, 5, 8, 15, 100};
	static const char* const labels[] = {"m = 0", "m = 1", "m = 2", "m = 5", "m = 8", "m = 15", "m = 100"};
	plPaperMethod methods[sizeof windows / sizeof *windows];
	for (size_t i = 0; i < sizeof windows / sizeof *windows; ++i)
		methods[i] = quasi(labels[i], windows[i], pl_matrixLaplacian);
	return compareTwist(run, "figure13", "Figure 13: pairs of L-BFGS", methods, sizeof methods / sizeof *methods,
	                    error);
}

static bool makeFits(const plPaperRun* run, plError* error)
{
	static const struct
	{
		const char* label;
		double fit[2];
	} fits[] = {{"0.99 to 1.01", {0.99, 1.01}}, {"0.9 to 1.1", {0.9, 1.1}}, {"0.7 to 1.3", {0.7, 1.3}},
	            {"0.5 to 1.5", {0.5, 1.5}},     {"0.3 to 1.7", {0.3, 1.7}}, {"0.1 to 1.9", {0.1, 1.9}},
	            {"0.5 to 1", {0.5, 1.0}},       {"1 to 1.5", {1.0, 1.5}}};
	plPaperMethod methods[sizeof fits / sizeof *fits];
	for (size_t i = 0; i < sizeof fits / sizeof *fits; ++i)
	{
		methods[i] = quasi(fits[i].label, 5, pl_matrixLaplacian);
		memcpy(methods[i].solver.fit, fits[i].fit, sizeof fits[i].fit);
	}
	return compareTwist(run, "figure14", "Figure 14: stretches of the fit (m = 5)", methods,
	                    sizeof methods / sizeof *methods, error);
}

const plPaperFigure plPaperQuasiCurves[] = {
    {"7", "L-BFGS with m pairs, Chebyshev, Newton: error by iteration and time", makeAcceleration},
    {"8", "what L-BFGS starts from", makeMatrices},
    {"12", "direct solves and conjugate gradients", makeSolvers},
    {"13", "m = 0 to 100 pairs of L-BFGS", makeWindows},
    {"14", "stretches over which stiffness is fitted", makeFits},
    {0}};
