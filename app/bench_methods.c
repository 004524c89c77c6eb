// bench_methods.c: `pliant bench methods`: what an iteration of every method costs, and what it keeps in memory
//
// A bar swings from one end, at three sizes; every method takes steps of it in double with its preset, newton and
// newton-cg until their tolerance, the others 64 iterations a step. The first step, which makes what all share, is not
// counted.
//
//   ms       the least time of the iterations of a step, divided by their number
//   bytes    per vertex, all that the world holds after the steps
#include "app.h"
#include "bench.h"

static bool benchMethod(const plBench* bench, plMethod method, const size_t cells[3], plPool* pool, plError* error)
{
	plBenchMeter meter = {0};
	plTrialDef def = plDefaultTrialDef(pl_trialBar);
	for (int k = 0; k < 3; ++k)
		def.cells[k] = cells[k];
	def.material.law = pl_lawNeoHookean;
	def.material.young = 3e5;
	def.solver = plDefaultSolverDef(method);
	if (method != pl_methodNewton && method != pl_methodNewtonCg)
	{
		def.solver.iterations = 64;
		def.solver.tolerance = 0.0;
	}
	plTrial trial = {0};
	double least = 0.0;
	int iterations = 0;
	bool good = plBench_Begin(&trial, &meter, &def, pool, error);
	for (int64_t i = 0; good && i < bench->repeats; ++i)
	{
		plStepReport report = {0};
		good = plWorld_Step(trial.world, &report, error) >= 0;
		double ms = good && report.iterations > 0 ? report.ms.minimise / report.iterations : 0.0;
		if (i == 0 || ms < least)
		{
			least = ms;
			iterations = report.iterations;
		}
	}
	if (good)
		fprintf(bench->out, "%s,%d,%zu,%zu,%d,%.3f,%.0f\n", plMethod_GetName(method), plPool_GetThreadCount(pool),
		        trial.vertexCount, trial.tetCount, iterations, least, (double)meter.now / (double)trial.vertexCount);
	fflush(bench->out);
	plTrial_Destroy(&trial);
	return good;
}

static bool make(const plBench* bench)
{
	static const size_t sizes[3][3] = {{16, 4, 4}, {32, 8, 8}, {48, 12, 12}};
	plError error = {0};
	plPool* pool = plCreatePool((int)bench->threads);
	plBench_PrintProvenance(bench->out);
	fprintf(bench->out,
	        "# bars, neo-hookean, double, %lld steps after the first; ms per iteration, bytes per vertex\n"
	        "method,threads,vertices,tets,iterations,ms,bytes\n",
	        (long long)bench->repeats);
	bool good = true;
	for (int size = 0; good && size < (bench->quick ? 1 : 3); ++size)
		for (int method = 0; good && method < pl_softMethodCount; ++method)
		{
			if (method == pl_methodProjective) // as quasi-newton without pairs, and not for this law
				continue;
			good = benchMethod(bench, (plMethod)method, sizes[size], pool, &error);
			if (!good)
				plApp_Report(NULL, "%s: %s", plMethod_GetName((plMethod)method), error.message);
		}
	plDestroyPool(pool);
	return good;
}

const plBenchType plBenchMethods = {
    .text =
        "pliant bench methods [options]\n\n"
        "Milliseconds of an iteration of every method, and bytes per vertex that a world with it holds, on bars of\n"
        "three sizes (neo-Hookean, double, presets). Lines that start with # say where the numbers come from.\n"
        "Compare rows of one run only: machines are shared and noisy.\n",
    .repeatsHelp = "timed steps; the least counts (default: 3)",
    .threadsHelp = "(default: all cores online)",
    .quickHelp = "a small bar alone: does it run?",
    .repeats = 3,
    .make = make,
};
