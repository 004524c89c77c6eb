// quasi_cloth.c: Figure 11 of [LBK17]: folds of a cloth of springs with pairs of L-BFGS and without, in one picture
//
// The cloth hangs by two corners that are drawn together. Newton's run, to convergence, says which of the two is nearer
// to what the springs do: the root mean square and the largest distance of vertices at the end (m).
#include "papers.h"

#include <math.h>
#include <stdlib.h>

enum
{
	runCount = 3,
	frameCount = 40
};

static plSolverDef solverOf(int number)
{
	plSolverDef solver = plPaper_GetPreset(number < 2 ? pl_methodQuasiNewton : pl_methodNewton);
	if (number == 1)
		solver.history = 0;
	return solver;
}

// The end of a run in x, which the caller frees, and in the strip
static double* hang(const plPaperRun* run, int number, plPaperStrip* strip, size_t* count, plError* error)
{
	plPaperStage stage;
	plSolverDef solver = solverOf(number);
	double* x = NULL;
	if (plQuasiScene_Open(&stage, run, pl_quasiCurtain, error) &&
	    plPaper_Advance(stage.world, &solver, run->quick ? 2 : frameCount, error) &&
	    plPaperStrip_Add(strip, &stage, 2.5 * number, 0.0, error))
	{
		*count = stage.vertexCount;
		x = malloc(3 * stage.vertexCount * sizeof *x);
		if (x == NULL)
			snprintf(error->message, sizeof error->message, "not enough memory for %zu vertices", stage.vertexCount);
		else
			plBody_GetPositions(stage.world, stage.body, x);
	}
	plPaperStage_Close(&stage);
	return x;
}

static void printDistance(plPaperFile* file, const char* label, const double* x, const double* from, size_t count)
{
	double sum = 0.0, largest = 0.0;
	for (size_t i = 0; i < count; ++i)
	{
		double square = 0.0;
		for (size_t k = 0; k < 3; ++k)
			square += (x[3 * i + k] - from[3 * i + k]) * (x[3 * i + k] - from[3 * i + k]);
		sum += square;
		largest = fmax(largest, square);
	}
	plPaperFile_Print(file, "%s,%.4g,%.4g\n", label, sqrt(sum / (double)count), sqrt(largest));
}

static bool makeCloth(const plPaperRun* run, plError* error)
{
	static const char* const labels[runCount] = {"L-BFGS m = 5", "plain (m = 0)", "Newton"};
	static const plPaperView view = {"figure11", "720x260", "3.5,1.4,17.6", "3.5,-0.8,-0.4", "none", NULL, "10", NULL};
	plPaperStrip strip = {0};
	double* x[runCount] = {0};
	size_t count = 0;
	bool good = true;
	for (int i = 0; good && i < runCount; ++i)
	{
		x[i] = hang(run, i, &strip, &count, error);
		good = x[i] != NULL;
	}
	plPaperFile file = {0};
	if (good)
		plPaperFile_Begin(&file, "run,rms_from_newton,largest_from_newton");
	for (int i = 0; good && i < runCount; ++i)
		printDistance(&file, labels[i], x[i], x[runCount - 1], count);
	good = good && plPaperFile_Close(&file, run, "figure11.csv", error) && plPaperStrip_Draw(&strip, run, &view, error);
	plPaperStrip_Destroy(&strip);
	for (int i = 0; i < runCount; ++i)
		free(x[i]);
	return good;
}

const plPaperFigure plPaperQuasiCloth[] = {{"11", "cloth with and without L-BFGS, a picture", makeCloth}, {0}};
