// curves.c: relative error of methods on the problem of one step, as CSV and as plots
#include "papers.h"

#include <math.h>
#include <stdlib.h>

plSolverDef plPaper_GetPreset(plMethod method)
{
	plSolverDef solver = plDefaultSolverDef(method);
	if (method == pl_methodQuasiNewton)
	{
		solver.guess = pl_guessInertial;
		solver.pairOrder = pl_pairsNewest;
		solver.fit[0] = 0.5;
		solver.fit[1] = 1.5;
	}
	return solver;
}

plSolverDef plPaper_GetSolver(plMethod method, int iterations)
{
	plSolverDef solver = plPaper_GetPreset(method);
	solver.iterations = iterations;
	solver.tolerance = 0.0;
	return solver;
}

bool plPaper_Advance(plWorld* world, const plSolverDef* solver, int steps, plError* error)
{
	bool good = plWorld_SetSolver(world, solver, error) >= 0;
	for (int i = 0; good && i < steps; ++i)
	{
		plStepReport report;
		good = plWorld_Step(world, &report, error) >= 0;
	}
	return good;
}

static void keepSample(const plCompareSample* sample, void* context)
{
	plPaperCurves* c = context;
	plSampleList_Add(&c->kept, sample);
	c->first[sample->solver + 1] = c->kept.count;
}

bool plPaper_Compare(plPaperCurves* c, plWorld* world, const plPaperMethod* methods, size_t count, plError* error)
{
	*c = (plPaperCurves){.methods = methods, .count = count, .first = calloc(count + 1, sizeof *c->first)};
	plSolverDef* solvers = malloc(count * sizeof *solvers);
	bool good = c->first != NULL && solvers != NULL;
	for (size_t i = 0; good && i < count; ++i)
		solvers[i] = methods[i].solver;
	if (!good)
		snprintf(error->message, sizeof error->message, "not enough memory for %zu methods", count);
	good = good && plWorld_Compare(world, solvers, count, keepSample, c, &c->found, error) >= 0;
	if (good && c->kept.noMemory)
		snprintf(error->message, sizeof error->message, "not enough memory for the samples");
	free(solvers);
	return good && !c->kept.noMemory;
}

void plPaperCurves_Destroy(plPaperCurves* c)
{
	free(c->first);
	free(c->kept.samples);
	*c = (plPaperCurves){0};
}

double plPaperCurves_GetLast(const plPaperCurves* c, size_t method)
{
	return c->kept.samples[c->first[method + 1] - 1].relativeError;
}

static bool writeCsv(const plPaperCurves* c, const plPaperRun* run, const char* name, plError* error)
{
	plPaperFile file;
	plPaperFile_Begin(&file, "method,iteration,ms,relative_error,residual,processor_ms");
	for (size_t i = 0; i < c->kept.count; ++i)
	{
		const plCompareSample* s = c->kept.samples + i;
		plPaperFile_Print(&file, "%s,%d,%.4f,%.9g,%.9g,%.4f\n", c->methods[s->solver].label, s->iteration, s->ms,
		                  s->relativeError, s->residual, s->processorMs);
	}
	return plPaperFile_Close(&file, run, name, error);
}

static bool writePlot(const plPaperCurves* c, const plPaperRun* run, const char* name, plChart* chart, bool byTime,
                      plError* error)
{
	size_t n = c->kept.count;
	double* numbers = malloc((2 * n + 1) * sizeof *numbers);
	plSeries* series = malloc((c->count + 1) * sizeof *series);
	bool good = numbers != NULL && series != NULL;
	if (!good)
		snprintf(error->message, sizeof error->message, "%s: not enough memory to draw it", name);
	for (size_t i = 0; good && i < n; ++i)
	{
		const plCompareSample* sample = c->kept.samples + i;
		numbers[i] = !byTime ? (double)sample->iteration : c->byProcessor ? sample->processorMs : sample->ms;
		numbers[n + i] = c->kept.samples[i].relativeError;
	}
	for (size_t m = 0; good && m < c->count; ++m)
		series[m] = (plSeries){c->methods[m].label, numbers + c->first[m], numbers + n + c->first[m],
		                       c->first[m + 1] - c->first[m]};
	chart->series = series;
	chart->seriesCount = c->count;
	chart->xLog = byTime;
	chart->xLabel = !byTime ? "iteration" : c->byProcessor ? "time of the processor (ms)" : "time (ms)";
	good = good && plPaper_WriteChart(run, name, chart, error);
	free(numbers);
	free(series);
	return good;
}

bool plPaperCurves_Write(const plPaperCurves* c, const plPaperRun* run, const char* name, const char* title,
                         const char* subtitle, bool byTime, plError* error)
{
	char csv[64], iterations[64], time[64];
	snprintf(csv, sizeof csv, "%s.csv", name);
	snprintf(iterations, sizeof iterations, "%s-iterations.svg", name);
	snprintf(time, sizeof time, "%s-time.svg", name);
	double noise = c->found.noise / (c->found.start - c->found.best), least = 1.0;
	for (size_t i = 0; i < c->kept.count; ++i)
		least = fmin(least, c->kept.samples[i].relativeError);
	double highest = 0.0;
	for (size_t i = 0; i < c->kept.count; ++i)
		highest = fmax(highest, c->kept.samples[i].relativeError);
	double lowest = fmax(noise, 1e-8); // below 1e-8 nobody sees a difference
	plChart chart = {.title = title,
	                 .subtitle = subtitle,
	                 .yLabel = "relative error",
	                 .yLog = true,
	                 .floor = least <= lowest ? lowest : 0.0,
	                 .floorWord = noise > 1e-8 ? "rounding" : "",
	                 .legend = true,
	                 .marks = true};
	if (highest > 10.0) // rises that the next test throws away are cut off
	{
		chart.yHigh = 1.0;
		chart.yLow = pow(10.0, floor(log10(fmax(least, lowest))));
	}
	return writeCsv(c, run, csv, error) && writePlot(c, run, iterations, &chart, false, error) &&
	       (!byTime || writePlot(c, run, time, &chart, true, error));
}
