// convergence.c: Figures 2, 3, 5 and 6 of [WY16]: how fast each choice lowers the error of one step
//
//   2   all directions                     the serpent (or the Armadillo), while it swings down
//   3   diagonal every M iterations        the same
//   5   Chebyshev in 1, 2, 4 phases, by budget, Nesterov, none
// The serpent's state comes from 5 steps of `descent` with 300 iterations in float, which newton would take minutes
// for.
//
//   6   first guesses, over 100 steps of a bar that swings; the state of each step comes from newton
#include "papers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	budget = 96
};

// The body of figures 2, 3 and 5 in the middle of a fast motion.
static bool openSwing(plTrial* trial, const plPaperRun* run, plError* error)
{
	plTrialDef def = plDefaultTrialDef(run->armadillo != NULL ? pl_trialFile : pl_trialSerpent);
	def.path = run->armadillo;
	def.pool = run->pool;
	if (run->quick)
		memcpy(def.cells, (size_t[3]){2, 2, 24}, sizeof def.cells);
	plSolverDef way = plPaper_GetSolver(pl_methodDescent, 300);
	way.precision = pl_precisionFloat;
	*trial = (plTrial){0};
	return plTrial_Create(trial, &def, error) && plTrial_PinUsual(trial, def.kind, error) &&
	       plPaper_Advance(trial->world, &way, run->quick ? 2 : 5, error);
}

static void describe(const plTrial* trial, const plPaperRun* run, char* text, size_t size)
{
	snprintf(text, size, "%s, %zu vertices, %zu tetrahedra, Mooney-Rivlin, h = 1/30 s",
	         run->armadillo != NULL ? "Armadillo" : "serpent", trial->vertexCount, trial->tetCount);
}

// One figure on the swinging body.
static bool compareSwing(const plPaperRun* run, const char* name, const char* title, const plPaperMethod* methods,
                         size_t count, bool byTime, plError* error)
{
	plTrial trial;
	plPaperCurves curves = {0};
	char subtitle[160] = "";
	bool good = openSwing(&trial, run, error) && plPaper_Compare(&curves, trial.world, methods, count, error);
	if (good)
	{
		describe(&trial, run, subtitle, sizeof subtitle);
		good = plPaperCurves_Write(&curves, run, name, title, subtitle, byTime, error);
	}
	plPaperCurves_Destroy(&curves);
	plTrial_Destroy(&trial);
	return good;
}

static bool makeDirections(const plPaperRun* run, plError* error)
{
	plPaperMethod methods[] = {{"gradient", plPaper_GetSolver(pl_methodGradient, budget)},
	                           {"Jacobi", plPaper_GetSolver(pl_methodJacobi, budget)},
	                           {"descent (Jacobi + Chebyshev)", plPaper_GetSolver(pl_methodDescent, budget)},
	                           {"nonlinear CG", plPaper_GetSolver(pl_methodNcg, budget)},
	                           {"preconditioned CG", plPaper_GetSolver(pl_methodNcg, budget)},
	                           {"L-BFGS", plPaper_GetSolver(pl_methodLbfgs, budget)},
	                           {"preconditioned L-BFGS", plPaper_GetSolver(pl_methodLbfgs, budget)},
	                           {"Newton", plPaper_GetSolver(pl_methodNewton, 12)}};
	size_t count = sizeof methods / sizeof *methods;
	methods[3].solver.preconditioner = methods[5].solver.preconditioner = pl_preconditionerNone;
	for (size_t i = 0; i < count; ++i)
		methods[i].solver.guess = pl_guessAcceleration; // the paper's, for all of them
	return compareSwing(run, "figure2", "Figure 2: descent directions", methods, count, true, error);
}

static bool makeRefresh(const plPaperRun* run, plError* error)
{
	static const char* const labels[] = {"M = 1", "M = 2", "M = 4", "M = 8", "M = 16", "M = 32"};
	plPaperMethod methods[6];
	for (int i = 0; i < 6; ++i)
	{
		methods[i] = (plPaperMethod){labels[i], plPaper_GetSolver(pl_methodDescent, budget)};
		methods[i].solver.refresh = 1 << i;
	}
	return compareSwing(run, "figure3", "Figure 3: the diagonal evaluated every M iterations", methods, 6, false,
	                    error);
}

static void setPhases(plSolverDef* solver, const plPhase* phases, int count)
{
	solver->rho = pl_rhoPhases;
	solver->phaseCount = count;
	memcpy(solver->phases, phases, (size_t)count * sizeof *phases);
}

static bool makeAcceleration(const plPaperRun* run, plError* error)
{
	plPaperMethod methods[] = {{"none", plPaper_GetSolver(pl_methodDescent, budget)},
	                           {"Nesterov", plPaper_GetSolver(pl_methodDescent, budget)},
	                           {"Chebyshev in 1 phase", plPaper_GetSolver(pl_methodDescent, budget)},
	                           {"Chebyshev in 2 phases", plPaper_GetSolver(pl_methodDescent, budget)},
	                           {"Chebyshev in 4 phases", plPaper_GetSolver(pl_methodDescent, budget)},
	                           {"Chebyshev by budget", plPaper_GetSolver(pl_methodDescent, budget)}};
	methods[0].solver.acceleration = pl_accelerationNone;
	methods[1].solver.acceleration = pl_accelerationNesterov;
	setPhases(&methods[2].solver, (plPhase[]){{budget, 0.9990}}, 1);
	setPhases(&methods[3].solver, (plPhase[]){{16, 0.99}, {80, 0.9998}}, 2);
	setPhases(&methods[4].solver, (plPhase[]){{8, 0.97}, {16, 0.995}, {24, 0.9995}, {48, 0.9999}}, 4);
	return compareSwing(run, "figure5", "Figure 5: acceleration", methods, sizeof methods / sizeof *methods, false,
	                    error);
}

// ---- first guesses --------------------------------------------------------------------------------------------------

enum
{
	guessCount = 5,
	mostFrames = 100
};

static const struct
{
	const char* label;
	plGuess guess;
} guesses[guessCount] = {{"position", pl_guessPosition},
                         {"velocity", pl_guessVelocity},
                         {"acceleration", pl_guessAcceleration},
                         {"optimal", pl_guessOptimal},
                         {"inertial", pl_guessInertial}};

// errors[guess][frame] after the whole budget
static bool measureGuesses(plTrial* trial, int frames, double errors[guessCount][mostFrames], plError* error)
{
	plPaperMethod methods[guessCount];
	for (int g = 0; g < guessCount; ++g)
	{
		methods[g] = (plPaperMethod){guesses[g].label, plPaper_GetSolver(pl_methodDescent, budget)};
		methods[g].solver.guess = guesses[g].guess;
	}
	plSolverDef newton = plDefaultSolverDef(pl_methodNewton);
	bool good = true;
	for (int f = 0; good && f < frames; ++f)
	{
		plPaperCurves curves;
		good = plPaper_Compare(&curves, trial->world, methods, guessCount, error);
		for (int g = 0; good && g < guessCount; ++g)
			errors[g][f] = plPaperCurves_GetLast(&curves, (size_t)g);
		plPaperCurves_Destroy(&curves);
		good = good && plPaper_Advance(trial->world, &newton, 1, error);
	}
	return good;
}

static bool writeGuesses(const plPaperRun* run, const plTrial* trial, int frames, double errors[guessCount][mostFrames],
                         plError* error)
{
	double frame[mostFrames];
	plSeries series[guessCount];
	char subtitle[160];
	plPaperFile file;
	for (int f = 0; f < frames; ++f)
		frame[f] = f + 1;
	for (int g = 0; g < guessCount; ++g)
		series[g] = (plSeries){guesses[g].label, frame, errors[g], (size_t)frames};
	plPaperFile_Begin(&file, "frame,position,velocity,acceleration,optimal,inertial");
	for (int f = 0; f < frames; ++f)
		plPaperFile_Print(&file, "%d,%.6g,%.6g,%.6g,%.6g,%.6g\n", f + 1, errors[0][f], errors[1][f], errors[2][f],
		                  errors[3][f], errors[4][f]);
	snprintf(subtitle, sizeof subtitle, "bar, %zu tetrahedra, h = 1/30 s; error of each step after 96 iterations",
	         trial->tetCount);
	plChart chart = {.title = "Figure 6: first guesses",
	                 .subtitle = subtitle,
	                 .xLabel = "frame",
	                 .yLabel = "relative error",
	                 .yLog = true,
	                 .legend = true,
	                 .series = series,
	                 .seriesCount = guessCount};
	return plPaper_WriteFigure(run, "figure6", &file, &chart, error);
}

static bool makeGuesses(const plPaperRun* run, plError* error)
{
	double errors[guessCount][mostFrames];
	int frames = run->quick ? 4 : mostFrames;
	plTrial trial = {0};
	plTrialDef def = plDefaultTrialDef(pl_trialBar);
	def.pool = run->pool;
	def.material.young = 2e5;
	memcpy(def.cells, run->quick ? (size_t[3]){8, 2, 2} : (size_t[3]){24, 6, 6}, sizeof def.cells);
	bool good = plTrial_Create(&trial, &def, error) && plTrial_PinUsual(&trial, def.kind, error) &&
	            measureGuesses(&trial, frames, errors, error) && writeGuesses(run, &trial, frames, errors, error);
	plTrial_Destroy(&trial);
	return good;
}

const plPaperFigure plPaperConvergence[] = {
    {"2", "relative error by iteration and time of every direction", makeDirections},
    {"3", "the diagonal evaluated every M = 1 to 32 iterations", makeRefresh},
    {"5", "Chebyshev in phases, Nesterov, none", makeAcceleration},
    {"6", "first guesses over 100 frames", makeGuesses},
    {0}};
