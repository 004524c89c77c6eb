// quasi_table.c: Table 1 of [LBK17]: ten iterations of quasi-newton against one of Newton on every scene
//
//   error     both on the same steps, those of quasi-newton's path; geometric mean over the frames looked at
//   ms        processor time of one thread, which a busy machine falsifies less than it does the clock on the wall: the
//             least of the steps after these, the first not counted, since what is factorised once is no part of a
//             frame
//   verdict   ten iterations beat one of Newton's in error, and are ten times as fast; or which of the two fails
//
// Both with elements in float, judged in double. The paper's times: an i7-4910MQ.
#include "../app.h"
#include "papers.h"

#include <math.h>
#include <time.h>

typedef struct Row
{
	plQuasiScene scene;
	const char *model, *law;
	size_t vertices, elements; // theirs
	double searches, ms, error, newtonMs, newtonError;
	int lead, frames; // steps before the first frame looked at; frames looked at
} Row;

static const Row rows[] = {
    {pl_quasiSheet, "thin sheet", "polynomial", 660, 1932, 1.08, 4.4, 2.7e-8, 184, 8.8e-4, 6, 3},
    {pl_quasiSphereA, "sphere", "spline A", 889, 1821, 2.45, 21.2, 2.7e-7, 188, 6.9e-4, 6, 3},
    {pl_quasiSphereB, "sphere", "spline B", 889, 1821, 2.18, 19.7, 6.9e-6, 187, 2.5e-4, 6, 3},
    {pl_quasiShaken, "shaking bar", "corotated", 574, 1647, 1.01, 7.2, 1.6e-4, 171, 4.4e-3, 6, 3},
    {pl_quasiDitto, "ditto", "neo-Hookean", 1454, 4140, 1.17, 17.8, 3.0e-5, 305, 1.6e-3, 6, 3},
    {pl_quasiHippo, "scattered hippo", "corotated", 2387, 8406, 1.19, 40.6, 2.2e-3, 640, 3.7e-2, 30, 2},
    {pl_quasiTwist, "twisting bar", "neo-Hookean", 3472, 10441, 1.06, 45.6, 9.4e-5, 681, 7.9e-3, 20, 2},
    {pl_quasiCloth, "cloth", "springs", 6561, 32160, 1.00, 42.3, 9.3e-4, 798, 1.2e-2, 10, 2},
    {pl_quasiBunny, "big bunny with contact", "corotated", 6308, 26096, 4.92, 623, 9.8e-2, 2700, 2.8e-1, 13, 1},
    {pl_quasiSquirrel, "squirrel", "polynomial", 8395, 23782, 1.07, 153, 8.3e-8, 2400, 9.1e-6, 6, 1},
    {pl_quasiLarge, "squirrel", "polynomial", 33666, 125677, 1.05, 706, 1.5e-5, 15800, 5.4e-5, 4, 1},
};

typedef struct Measure
{
	size_t vertices, tets, springs;
	double ms, error, newtonMs, newtonError, searches;
} Measure;

enum
{
	solverQuasi,
	solverNewton,
	solverCount
};

static bool measureErrors(plWorld* world, const plPaperMethod* methods, double logs[solverCount], plError* error)
{
	plPaperCurves curves = {0};
	bool good = plPaper_Compare(&curves, world, methods, solverCount, error);
	for (size_t i = 0; good && i < solverCount; ++i)
		logs[i] += log(fmax(plPaperCurves_GetLast(&curves, i), 1e-16));
	plPaperCurves_Destroy(&curves);
	return good;
}

// The least time of the steps after a first one with this solver, two of them or as many as fit into two seconds.
static bool timeSteps(plWorld* world, const plSolverDef* solver, bool quick, double* ms, plError* error)
{
	bool good = plPaper_Advance(world, solver, 1, error);
	double start = plApp_Now();
	*ms = INFINITY;
	for (int i = 0; good && (i < 2 || (!quick && i < 30 && plApp_Now() - start < 2.0)); ++i)
	{
		plStepReport report;
		clock_t before = clock();
		good = plWorld_Step(world, &report, error) >= 0;
		*ms = fmin(*ms, 1e3 * (double)(clock() - before) / CLOCKS_PER_SEC);
	}
	return good;
}

static bool measureRow(const plPaperRun* run, const Row* row, Measure* m, plError* error)
{
	plPaperMethod methods[solverCount] = {{"quasi-newton", plPaper_GetSolver(pl_methodQuasiNewton, 10)},
	                                      {"newton", plPaper_GetSolver(pl_methodNewton, 1)}};
	plPaperStage stage;
	double logs[solverCount] = {0};
	int searches = 0, iterations = 0, frames = run->quick ? 1 : row->frames;
	*m = (Measure){0};
	methods[solverNewton].solver.guess = pl_guessInertial;
	for (int i = 0; i < solverCount; ++i)
		methods[i].solver.precision = pl_precisionFloat;
	plPaperRun alone = *run;
	alone.pool = NULL;
	bool good = plQuasiScene_Open(&stage, &alone, row->scene, error) &&
	            plPaper_Advance(stage.world, &methods[solverQuasi].solver, run->quick ? 2 : row->lead, error);
	for (int f = 0; good && f < frames; ++f)
	{
		good = measureErrors(stage.world, methods, logs, error);
		for (int i = 0; good && i < 2; ++i)
		{
			plStepReport report;
			good = plWorld_Step(stage.world, &report, error) >= 0;
			searches += report.lineSearches;
			iterations += report.iterations;
		}
	}
	good = good && timeSteps(stage.world, &methods[solverQuasi].solver, run->quick, &m->ms, error) &&
	       timeSteps(stage.world, &methods[solverNewton].solver, run->quick, &m->newtonMs, error);
	m->vertices = stage.vertexCount;
	m->tets = stage.tetCount;
	m->springs = plQuasiScene_GetSpringCount(row->scene, run->quick);
	m->error = exp(logs[solverQuasi] / frames);
	m->newtonError = exp(logs[solverNewton] / frames);
	m->searches = iterations > 0 ? (double)searches / iterations : 0.0;
	plPaperStage_Close(&stage);
	return good;
}

static const char* judge(const Measure* m)
{
	bool better = m->error < m->newtonError, faster = m->newtonMs >= 10.0 * m->ms;
	return better && faster ? "both"
	       : better         ? "better but not 10x faster"
	       : faster         ? "10x faster but not better"
	                        : "neither";
}

static void printRow(FILE* csv, FILE* table, const Row* row, const Measure* m)
{
	char elements[64];
	snprintf(elements, sizeof elements, m->springs > 0 ? "%zu springs" : "%zu", m->springs > 0 ? m->springs : m->tets);
	fprintf(csv, "%s,%s,%zu,%zu,%zu,%.3f,%.3g,%.2f,%.3f,%.3g,%.1f,%s,%zu,%zu,%.1f,%.2g,%.2f,%.0f,%.2g\n", row->model,
	        row->law, m->vertices, m->tets, m->springs, m->ms, m->error, m->searches, m->newtonMs, m->newtonError,
	        m->newtonMs / m->ms, judge(m), row->vertices, row->elements, row->ms, row->error, row->searches,
	        row->newtonMs, row->newtonError);
	fprintf(
	    table,
	    "| %s, %s | %zu, %s (%zu, %zu) | %.3g (%.3g) | %.1e (%.1e) | %.2f (%.2f) | %.3g (%.0f) | %.1e (%.1e) | %.1f "
	    "(%.0f) | %s |\n",
	    row->model, row->law, m->vertices, elements, row->vertices, row->elements, m->ms, row->ms, m->error, row->error,
	    m->searches, row->searches, m->newtonMs, row->newtonMs, m->newtonError, row->newtonError, m->newtonMs / m->ms,
	    row->newtonMs / row->ms, judge(m));
}

static bool makeTable(const plPaperRun* run, plError* error)
{
	plPaperFile csv, table;
	FILE *csvOut = plPaperFile_Open(&csv), *tableOut = plPaperFile_Open(&table);
	bool good = csvOut != NULL && tableOut != NULL;
	if (!good)
		snprintf(error->message, sizeof error->message, "not enough memory for the table");
	else
	{
		fputs("model,law,vertices,tets,springs,ms,error,searches,newton_ms,newton_error,ratio,verdict,paper_vertices,"
		      "paper_elements,paper_ms,paper_error,paper_searches,paper_newton_ms,paper_newton_error\n",
		      csvOut);
		fputs("| ours (theirs) | vertices, elements | ms | error | searches | Newton ms | error | ratio | verdict |\n"
		      "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
		      tableOut);
	}
	for (size_t i = 0; good && i < sizeof rows / sizeof *rows; ++i)
	{
		Measure m;
		good = measureRow(run, rows + i, &m, error);
		if (!good)
			break;
		printRow(csvOut, tableOut, rows + i, &m);
		printf("  %s, %s: %.3g ms, error %.1e; Newton %.3g ms, %.1e\n", rows[i].model, rows[i].law, m.ms, m.error,
		       m.newtonMs, m.newtonError);
		fflush(stdout);
	}
	good = good && plPaperFile_Close(&csv, run, "table1.csv", error);
	good = good && plPaperFile_Close(&table, run, "table1.md", error);
	plPaperFile_Discard(&csv);
	plPaperFile_Discard(&table);
	return good;
}

const plPaperFigure plPaperQuasiTable[] = {
    {"table1", "ten iterations against one of Newton's on every scene, beside the paper's", makeTable}, {0}};
