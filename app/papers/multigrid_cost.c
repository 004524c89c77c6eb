// multigrid_cost.c: Figure 14 and Table 1 of [WWF18]: what a step costs
//
//   14       a tablecloth on a sphere that turns, at four sizes: cost of a step against size, and pictures
//   table1   cost of a cycle and of a step of every scene, beside the paper's
//
// The paper's times: a GeForce GTX 1080, without collisions. Ours are times of one processor, contact included, and
// times of the clock on all threads.
#include "../app.h"
#include "papers.h"

#include <math.h>
#include <time.h>

// Means over some steps, after one with this solver that is not counted
typedef struct Cost
{
	size_t vertices, triangles;
	double ms;      // of a step: the processor's on one thread, the clock's on all
	int iterations; // of the steps together
	int steps;
	double residual; // relative, the largest
} Cost;

static bool timeSteps(const plPaperStage* stage, const plSolverDef* solver, int steps, bool byProcessor, Cost* cost,
                      plError* error)
{
	bool good = plPaper_Advance(stage->world, solver, 1, error);
	double sum = 0.0;
	*cost = (Cost){.vertices = stage->vertexCount, .triangles = stage->triangleCount};
	for (; good && cost->steps < steps; ++cost->steps)
	{
		plStepReport report;
		clock_t before = clock();
		double start = plApp_Now();
		good = plWorld_Step(stage->world, &report, error) >= 0;
		sum += byProcessor ? 1e3 * (double)(clock() - before) / CLOCKS_PER_SEC : 1e3 * (plApp_Now() - start);
		cost->iterations += report.iterations;
		cost->residual = fmax(cost->residual, report.relativeResidual);
	}
	cost->ms = sum / (double)steps;
	return good;
}

// Several solvers one after the other, after some steps by the preset
static bool measure(const plPaperRun* run, plGridScene scene, const plGridSceneDef* def, int lead, bool alone,
                    const plSolverDef* solvers, int count, Cost* costs, plError* error)
{
	plPaperStage stage;
	plPaperRun own = *run;
	plSolverDef way = plPaper_GetPreset(pl_methodMultigrid);
	if (alone)
		own.pool = NULL;
	bool good = plGridScene_Open(&stage, &own, scene, def, error) &&
	            plPaper_Advance(stage.world, &way, run->quick ? 1 : lead, error);
	for (int i = 0; good && i < count; ++i)
		good = timeSteps(&stage, solvers + i, run->quick ? 1 : 3, alone, costs + i, error);
	plPaperStage_Close(&stage);
	return good;
}

// ---- table 1 --------------------------------------------------------------------------------------------------------

static const struct
{
	const char* name;
	plGridScene scene;
	size_t vertices, triangles; // K, the paper's
	int cycles;
	double perCycle, perStep; // ms
} rows[] = {{"sphere", pl_gridSphere, 120, 238, 2, 100.0, 200.0},
            {"funnel", pl_gridFunnel, 120, 238, 2, 100.0, 200.0},
            {"dress", pl_gridDress, 132, 264, 3, 111.0, 333.0},
            {"gown", pl_gridGown, 104, 208, 3, 84.0, 252.0},
            {"curtain", pl_gridCurtain, 40, 80, 1, 33.0, 33.0}};

enum
{
	rowCount = sizeof rows / sizeof *rows,
	kindCount = 2
};

static bool measureRow(const plPaperRun* run, size_t i, Cost one[kindCount], Cost all[kindCount], plError* error)
{
	const plSolverDef solvers[kindCount] = {plPaper_GetSolver(pl_methodMultigrid, rows[i].cycles),
	                                        plGrid_GetFullMultigrid(rows[i].cycles)};
	const plGridSceneDef def = {.steps = 60};
	return measure(run, rows[i].scene, &def, 8, true, solvers, kindCount, one, error) &&
	       measure(run, rows[i].scene, &def, 8, false, solvers, kindCount, all, error);
}

static bool makeTable(const plPaperRun* run, plError* error)
{
	static const char* const kinds[kindCount] = {"cg", "fmg"};
	plPaperFile file;
	bool good = true;
	plPaperFile_Begin(&file,
	                  "scene,vertices,triangles,cycle,iterations,ms_iteration,ms_step,ms_step_all_threads,threads,"
	                  "relative_residual,paper_vertices,paper_triangles,paper_ms_cycle,paper_ms_step");
	for (size_t i = 0; good && i < rowCount; ++i)
	{
		Cost one[kindCount], all[kindCount];
		good = measureRow(run, i, one, all, error);
		for (int k = 0; good && k < kindCount; ++k)
		{
			plPaperFile_Print(&file, "%s,%zu,%zu,%s,%d,%.1f,%.1f,%.1f,%d,%.2g,%zuK,%zuK,%.0f,%.0f\n", rows[i].name,
			                  one[k].vertices, one[k].triangles, kinds[k], rows[i].cycles,
			                  one[k].ms * one[k].steps / one[k].iterations, one[k].ms, all[k].ms,
			                  plPool_GetThreadCount(run->pool), one[k].residual, rows[i].vertices, rows[i].triangles,
			                  rows[i].perCycle, rows[i].perStep);
			printf("  %s, %s: %.1f ms a step, %.1f ms on all threads\n", rows[i].name, kinds[k], one[k].ms, all[k].ms);
		}
		fflush(stdout);
	}
	if (good)
		return plPaperFile_Close(&file, run, "table1.csv", error);
	plPaperFile_Discard(&file);
	return false;
}

// ---- figure 14 ------------------------------------------------------------------------------------------------------

static bool drawSphere(const plPaperRun* run, size_t vertices, plError* error)
{
	char name[32];
	snprintf(name, sizeof name, "figure14-%zuk", vertices / 1000);
	const plPaperView view = {name, "400x320", "2.7,2.4,4.4", "0,-0.05,0", "none", NULL, NULL, NULL};
	const plGridSceneDef def = {.vertices = vertices, .steps = run->quick ? 2 : 60, .timestep = 1.0 / 90.0};
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out == NULL || plGridScene_Print(pl_gridSphere, run, &def, out, error))
		return plPaper_MakePicture(run, &file, &view, error);
	plPaperFile_Discard(&file);
	return false;
}

static bool makeSizes(const plPaperRun* run, plError* error)
{
	static const size_t sizes[] = {80000, 120000, 160000, 200000};
	enum
	{
		count = sizeof sizes / sizeof *sizes
	};
	plSolverDef solver = plPaper_GetPreset(pl_methodMultigrid);
	double vertices[count], ms[count];
	bool good = true;
	plPaperFile file;
	plPaperFile_Begin(&file, "vertices,triangles,ms_step,iterations_step,us_vertex_iteration,relative_residual");
	for (int i = 0; good && i < count; ++i)
	{
		Cost cost = {0};
		const plGridSceneDef def = {.vertices = sizes[i], .steps = 90, .timestep = 1.0 / 90.0};
		good =
		    measure(run, pl_gridSphere, &def, 20, true, &solver, 1, &cost, error) && drawSphere(run, sizes[i], error);
		vertices[i] = (double)cost.vertices;
		ms[i] = cost.ms;
		if (good)
			plPaperFile_Print(&file, "%zu,%zu,%.1f,%.2f,%.3f,%.2g\n", cost.vertices, cost.triangles, cost.ms,
			                  (double)cost.iterations / cost.steps,
			                  1e3 * cost.ms * cost.steps / cost.iterations / (double)cost.vertices, cost.residual);
	}
	const plSeries series[] = {{"pliant, one processor", vertices, ms, count}};
	const plChart chart = {.title = "Figure 14: cost of a step against size",
	                       .subtitle = "tablecloth on a sphere, h = 1/90 s, to a relative residual of 1e-3",
	                       .xLabel = "vertices",
	                       .yLabel = "ms per step",
	                       .marks = true,
	                       .series = series,
	                       .seriesCount = 1};
	if (good)
		return plPaper_WriteFigure(run, "figure14", &file, &chart, error);
	plPaperFile_Discard(&file);
	return false;
}

const plPaperFigure plPaperGridCost[] = {
    {"14", "cost of a step against size, and pictures", makeSizes},
    {"table1", "cost of a cycle and a step of every scene, beside the paper's", makeTable},
    {0}};
