// cost.c: Figures 8 and 9 and Table 1 of [WY16]: what a step of `descent` costs
//
//   8         parts of a step, on one thread and on all: forces and values of elements by their own bench times how
//             often a step calls them, diagonals from a run with more of them, the rest by difference
//   9         ms per step against size, double helices
//   table1    ms per step of every scene, beside the paper's
//
// The paper's times: four cores of an i7-4790K with OpenMP, and a GeForce GTX TITAN X.
#include "papers.h"
#include "pliant/bench.h"

#include <math.h>
#include <string.h>

typedef struct Row
{
	const char* name;
	plTrialKind kind;
	size_t cells[3];
	double paperCpu, paperGpu; // ms
} Row;

static const Row rows[] = {{"serpent (dragon)", pl_trialSerpent, {12, 12, 68}, 1350.0, 32.8},
                           {"Armadillo", pl_trialFile, {0}, 1280.0, 31.4},
                           {"column (box)", pl_trialColumn, {16, 47, 16}, 1470.0, 37.6},
                           {"helix 41K", pl_trialHelix, {127, 3, 0}, 980.0, 27.5},
                           {"helix 82K", pl_trialHelix, {142, 4, 0}, 1910.0, 38.5},
                           {"helix 158K", pl_trialHelix, {176, 5, 0}, 3860.0, 65.4},
                           {"helix 316K", pl_trialHelix, {244, 6, 0}, 7780.0, 122.0}};

enum
{
	rowCount = sizeof rows / sizeof *rows,
	firstHelix = 3,
	usualRefresh = 32, // iterations with one diagonal
	oftenRefresh = 4
};

typedef struct Cost
{
	size_t vertexCount, tetCount;
	double ms[2]; // least step on one thread and on all
	plStepReport report;
} Cost;

static plTrialDef defOf(const plPaperRun* run, const Row* row)
{
	static const size_t small[pl_trialCount][3] = {
	    [pl_trialSerpent] = {2, 2, 24}, [pl_trialColumn] = {3, 9, 3}, [pl_trialHelix] = {30, 1, 0}};
	plTrialDef def = plDefaultTrialDef(row->kind);
	def.path = run->armadillo;
	memcpy(def.cells, run->quick ? small[row->kind] : row->cells, sizeof def.cells);
	if (run->quick && row->kind == pl_trialHelix)
		def.cells[0] += 2 * (size_t)(row - rows);
	return def;
}

// The same steps on one thread and on all, in turn; the first is not counted.
static bool measure(const plPaperRun* run, const Row* row, int refresh, Cost* cost, plError* error)
{
	plTrial trials[2] = {{0}, {0}};
	int steps = run->quick ? 2 : 6;
	bool good = true;
	*cost = (Cost){.ms = {INFINITY, INFINITY}};
	for (int p = 0; good && p < 2; ++p)
	{
		plTrialDef def = defOf(run, row);
		def.pool = p == 0 ? NULL : run->pool;
		def.solver.refresh = refresh;
		good = plTrial_Create(trials + p, &def, error) && plTrial_PinUsual(trials + p, def.kind, error);
	}
	cost->vertexCount = trials[0].vertexCount;
	cost->tetCount = trials[0].tetCount;
	for (int i = 0; good && i <= steps; ++i)
		for (int p = 0; good && p < 2; ++p)
		{
			plStepReport report;
			good = plWorld_Step(trials[p].world, &report, error) >= 0;
			if (good && i > 0)
				cost->ms[p] = fmin(cost->ms[p], report.ms.total);
			cost->report = report;
		}
	plTrial_Destroy(trials);
	plTrial_Destroy(trials + 1);
	return good;
}

// ---- table 1 --------------------------------------------------------------------------------------------------------

static bool makeTable(const plPaperRun* run, plError* error)
{
	plPaperFile file;
	bool good = true;
	plPaperFile_Begin(&file, "scene,vertices,tets,ms_1_thread,ms_all_threads,threads,paper_cpu_ms,paper_gpu_ms");
	for (const Row* row = rows; good && row < rows + rowCount; ++row)
	{
		Cost cost;
		if (row->kind == pl_trialFile && run->armadillo == NULL)
			continue;
		good = measure(run, row, usualRefresh, &cost, error);
		if (good)
			plPaperFile_Print(&file, "%s,%zu,%zu,%.1f,%.1f,%d,%.0f,%.1f\n", row->name, cost.vertexCount, cost.tetCount,
			                  cost.ms[0], cost.ms[1], plPool_GetThreadCount(run->pool), row->paperCpu, row->paperGpu);
	}
	if (good)
		return plPaperFile_Close(&file, run, "table1.csv", error);
	plPaperFile_Discard(&file);
	return false;
}

// ---- figure 9 -------------------------------------------------------------------------------------------------------

static bool makeSizes(const plPaperRun* run, plError* error)
{
	enum
	{
		count = rowCount - firstHelix
	};
	double tets[count], paperTets[count] = {41e3, 82e3, 158e3, 316e3}, ms[4][count];
	bool good = true;
	for (int i = 0; good && i < count; ++i)
	{
		Cost cost;
		const Row* row = rows + firstHelix + i;
		good = measure(run, row, usualRefresh, &cost, error);
		tets[i] = (double)cost.tetCount;
		ms[0][i] = cost.ms[0];
		ms[1][i] = cost.ms[1];
		ms[2][i] = row->paperCpu;
		ms[3][i] = row->paperGpu;
	}
	char all[48];
	snprintf(all, sizeof all, "pliant, %d threads", plPool_GetThreadCount(run->pool));
	plSeries series[4] = {{"[WY16], 4 cores", paperTets, ms[2], count},
	                      {"pliant, 1 thread", tets, ms[0], count},
	                      {all, tets, ms[1], count},
	                      {"[WY16], TITAN X", paperTets, ms[3], count}};
	plChart chart = {.title = "Figure 9: cost of a step against size",
	                 .subtitle = "double helix, Mooney-Rivlin, 96 iterations, float",
	                 .xLabel = "tetrahedra",
	                 .yLabel = "ms per step",
	                 .xLog = true,
	                 .yLog = true,
	                 .marks = true,
	                 .series = series,
	                 .seriesCount = 4};
	if (!good)
		return false;
	plPaperFile file;
	plPaperFile_Begin(&file, "tets,ms_1_thread,ms_all_threads,ns_1_thread,ns_all_threads,paper_cpu_ms,paper_gpu_ms");
	for (int i = 0; i < count; ++i)
		plPaperFile_Print(&file, "%.0f,%.1f,%.1f,%.2f,%.2f,%.0f,%.1f\n", tets[i], ms[0][i], ms[1][i],
		                  1e6 * ms[0][i] / tets[i] / 96.0, 1e6 * ms[1][i] / tets[i] / 96.0, ms[2][i], ms[3][i]);
	return plPaper_WriteFigure(run, "figure9", &file, &chart, error);
}

// ---- figure 8 -------------------------------------------------------------------------------------------------------

enum
{
	partForces,
	partDiagonal,
	partValue,
	partRest,
	partCount
};

// ms of one pass of a kernel over `tets` elements
static bool timeKernel(const plPaperRun* run, plBenchVerb verb, plPool* pool, size_t tets, double* ms, plError* error)
{
	plKernelBenchDef def = plDefaultKernelBenchDef();
	plKernelBench result;
	def.material = plDefaultTrialDef(pl_trialSerpent).material;
	def.verb = verb;
	def.precision = pl_precisionFloat;
	def.pool = pool;
	def.cells = run->quick ? 4 : 21;
	def.repeats = run->quick ? 2 : 40;
	bool good = plBench_Kernel(&def, &result, error) == pl_success;
	if (good)
		*ms = 1e-6 * result.fastest * (double)tets;
	return good;
}

static bool makeBreakdown(const plPaperRun* run, plError* error)
{
	static const char* const parts[partCount] = {"forces of elements", "diagonals", "values", "gather, update, rest"};
	static const plBenchVerb verbs[2] = {pl_benchGradient, pl_benchValue};
	static const int verbParts[2] = {partForces, partValue};
	Cost cost, often;
	double values[2 * partCount];
	bool good = measure(run, rows, usualRefresh, &cost, error) && measure(run, rows, oftenRefresh, &often, error);
	for (int p = 0; good && p < 2; ++p)
	{
		double* row = values + p * partCount;
		double usual = ceil(cost.report.iterations / (double)usualRefresh);
		double more = ceil(often.report.iterations / (double)oftenRefresh) - usual;
		double times[2] = {cost.report.iterations, cost.report.lineSearches + 1.0};
		row[partDiagonal] = more > 0.0 ? fmax(0.0, (often.ms[p] - cost.ms[p]) / more * usual) : 0.0;
		row[partRest] = cost.ms[p] - row[partDiagonal];
		for (int v = 0; good && v < 2; ++v)
		{
			double* part = row + verbParts[v];
			good = timeKernel(run, verbs[v], p == 0 ? NULL : run->pool, cost.tetCount, part, error);
			*part *= times[v];
			row[partRest] -= *part;
		}
		row[partRest] = fmax(row[partRest], 0.0);
	}
	char all[32];
	snprintf(all, sizeof all, "%d threads", plPool_GetThreadCount(run->pool));
	const char* names[2] = {"1 thread", all};
	plBars bars = {"Figure 8: where the time of a step goes", "ms per step", names, 2, parts, partCount, values};
	if (!good)
		return false;
	plPaperFile file;
	plPaperFile_Begin(&file, "threads,forces,diagonals,values,rest");
	for (int p = 0; p < 2; ++p)
		plPaperFile_Print(&file, "%d,%.2f,%.2f,%.2f,%.2f\n", p == 0 ? 1 : plPool_GetThreadCount(run->pool),
		                  values[p * partCount], values[p * partCount + 1], values[p * partCount + 2],
		                  values[p * partCount + 3]);
	return plPaperFile_Close(&file, run, "figure8.csv", error) && plPaper_WriteBars(run, "figure8.svg", &bars, error);
}

const plPaperFigure plPaperCost[] = {{"8", "where the time of a step goes", makeBreakdown},
                                     {"9", "cost of a step against size", makeSizes},
                                     {"table1", "cost of a step of every scene, beside the paper's", makeTable},
                                     {0}};
