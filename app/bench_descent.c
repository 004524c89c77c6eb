// bench_descent.c: `pliant bench descent`: what a step of `descent` costs, by threads and by size
//
//   box      58,752 tets, the size of [WY16]'s dragon and of a bare loop that others have measured
//   helix    41 to 316 thousand tets: does the cost per tet stay the same?
//
// Each row is one body; on one thread and on all of them the same steps are taken in turn, so that both see the same
// machine. The first step, which makes what all steps share, is not counted, and neither are steps that stalled before
// their 96 iterations were used; `steps` says how many count.
//
//   ms       minimum and median of the whole step; medians of its phases
//   ns       per tet and iteration, from the minimum
//   bytes    per tet, all that the world holds: counted by its allocator, after the steps and at most
#include "app.h"
#include "bench.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Bench
{
	const plBench* asked;
	FILE* out;
	int64_t repeats;
	plPool* pools[2];
	int poolCount;
} Bench;

// One body on one number of threads.
typedef struct Lane
{
	plTrial trial;
	plBenchMeter meter;
	plStepReport* reports; // [repeats]
	size_t count;          // of them that used the whole budget
} Lane;

// ---- one body -------------------------------------------------------------------------------------------------------

static bool openLane(Lane* lane, const plTrialDef* def, const Bench* bench, int pool, plError* error)
{
	lane->reports = malloc((size_t)bench->repeats * sizeof *lane->reports);
	if (lane->reports == NULL)
	{
		snprintf(error->message, sizeof error->message, "not enough memory for %lld reports",
		         (long long)bench->repeats);
		return false;
	}
	return plBench_Begin(&lane->trial, &lane->meter, def, bench->pools[pool], error);
}

static void closeLane(Lane* lane)
{
	plTrial_Destroy(&lane->trial);
	free(lane->reports);
}

// Minimum and median of a number at `offset` of each profile.
static void summarise(const Lane* lane, size_t offset, double* numbers, double* least, double* median)
{
	size_t count = lane->count;
	for (size_t i = 0; i < count; ++i)
		memcpy(numbers + i, (const char*)&lane->reports[i].ms + offset, sizeof(double));
	plBench_Summarise(numbers, count, least, median);
}

static bool printLane(const Bench* bench, const char* name, const Lane* lane, int threads, plError* error)
{
	static const size_t phases[] = {offsetof(plProfile, predict),  offsetof(plProfile, collide),
	                                offsetof(plProfile, guess),    offsetof(plProfile, refresh),
	                                offsetof(plProfile, minimise), offsetof(plProfile, finish)};
	double *numbers = malloc((size_t)bench->repeats * sizeof *numbers), least, median, unused;
	if (numbers == NULL || lane->count == 0)
	{
		snprintf(error->message, sizeof error->message,
		         numbers == NULL ? "not enough memory for the times" : "no step used its whole budget");
		free(numbers);
		return false;
	}
	double tets = (double)lane->trial.tetCount;
	summarise(lane, offsetof(plProfile, total), numbers, &least, &median);
	fprintf(bench->out, "%s,%d,%zu,%zu,%d,%zu,%.3f,%.3f", name, threads, lane->trial.vertexCount, lane->trial.tetCount,
	        lane->reports[0].iterations, lane->count, least, median);
	fprintf(bench->out, ",%.2f", 1e6 * least / tets / lane->reports[0].iterations);
	for (size_t i = 0; i < sizeof phases / sizeof *phases; ++i)
	{
		summarise(lane, phases[i], numbers, &unused, &median);
		fprintf(bench->out, ",%.3f", median);
	}
	fprintf(bench->out, ",%.1f,%.1f\n", (double)lane->meter.now / tets, (double)lane->meter.most / tets);
	fflush(bench->out);
	free(numbers);
	return true;
}

static bool benchBody(const Bench* bench, const char* name, const plTrialDef* def)
{
	Lane lanes[2] = {0};
	plError error = {0};
	bool good = true;
	for (int p = 0; good && p < bench->poolCount; ++p)
		good = openLane(lanes + p, def, bench, p, &error);
	for (int64_t i = 0; good && i < bench->repeats; ++i)
		for (int p = 0; good && p < bench->poolCount; ++p)
		{
			plStepReport* report = lanes[p].reports + lanes[p].count;
			good = plWorld_Step(lanes[p].trial.world, report, &error) >= 0;
			lanes[p].count += good && report->iterations == def->solver.iterations;
		}
	for (int p = 0; good && p < bench->poolCount; ++p)
		good = printLane(bench, name, lanes + p, p == 0 ? 1 : plPool_GetThreadCount(bench->pools[p]), &error);
	if (!good)
		plApp_Report(NULL, "%s: %s", name, error.message);
	for (int p = 0; p < bench->poolCount; ++p)
		closeLane(lanes + p);
	return good;
}

// ---- all bodies -----------------------------------------------------------------------------------------------------

static bool benchBodies(const Bench* bench)
{
	static const struct
	{
		const char* name;
		size_t cells[2]; // along, rings: 36 rings^2 tets a slice
	} helices[] = {
	    {"helix-41k", {127, 3}}, {"helix-82k", {142, 4}}, {"helix-158k", {176, 5}}, {"helix-316k", {244, 6}}};
	plBench_PrintProvenance(bench->out);
	fprintf(
	    bench->out,
	    "# descent, mooney-rivlin, float, %lld steps after the first; ms per step (phases: medians), ns per tet and "
	    "iteration, bytes per tet\n"
	    "scene,threads,vertices,tets,iterations,steps,minimum,median,ns,predict,collide,guess,refresh,minimise,finish,"
	    "bytes,bytes_most\n",
	    (long long)bench->repeats);
	plTrialDef def = plDefaultTrialDef(pl_trialBox);
	for (size_t k = 0; bench->asked->quick && k < 3; ++k)
		def.cells[k] = 8;
	bool good = benchBody(bench, "box", &def);
	for (size_t i = 0; good && i < sizeof helices / sizeof *helices; ++i)
	{
		def = plDefaultTrialDef(pl_trialHelix);
		def.cells[0] = bench->asked->quick ? 30 + 10 * i : helices[i].cells[0];
		def.cells[1] = bench->asked->quick ? 1 : helices[i].cells[1];
		good = benchBody(bench, helices[i].name, &def);
	}
	return good;
}

static bool make(const plBench* asked)
{
	Bench bench = {.asked = asked, .out = asked->out, .repeats = asked->repeats};
	bench.pools[1] = plCreatePool((int)asked->threads);
	bench.poolCount = bench.pools[1] != NULL && plPool_GetThreadCount(bench.pools[1]) > 1 ? 2 : 1;
	bool good = benchBodies(&bench);
	plDestroyPool(bench.pools[1]);
	return good;
}

const plBenchType plBenchDescent = {
    .text =
        "pliant bench descent [options]\n\n"
        "Milliseconds of a whole step of `descent` (Mooney-Rivlin, float, all 96 iterations) on a box of 58,752\n"
        "tetrahedra and on double helices of 41, 82, 158 and 316 thousand, on one thread and on all in turn;\n"
        "nanoseconds per tetrahedron and iteration, medians of the phases, bytes per tetrahedron. Lines that start\n"
        "with # say where the numbers come from. Compare rows of one run only: machines are shared and noisy.\n",
    .repeatsHelp = "timed steps; minimum and median are printed (default: 20)",
    .threadsHelp = "largest number of threads tried (default: all cores online)",
    .quickHelp = "small bodies: does it run?",
    .repeats = 20,
    .make = make,
};
