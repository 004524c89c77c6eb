// quasi_robust.c: Figures 3 and 15 of [LBK17], measured: what an explosion and a recovery look like in numbers
//
//   3    elastic energy of the shaken head of the polynomial law, frame by frame, with and without a line search
//   15   elastic energy and inverted elements of a body whose vertices were scattered, until it has its shape again,
//        and a picture of some frames
//
// A run that ends in numbers out of range ends its curve.
#include "papers.h"

#include <math.h>

enum
{
	mostFrames = 120,
	shotCount = 6,
	shotSpacing = 3 // m
};

// Frames that are drawn
typedef struct Shots
{
	plPaperStrip strip;
	size_t frames[shotCount], count; // taken so far
} Shots;

typedef struct Course
{
	double frame[mostFrames], elastic[mostFrames], inverted[mostFrames];
	size_t count;
} Course;

static bool takeShot(Shots* shots, const plPaperStage* stage, size_t frame, plError* error)
{
	if (shots->count == shotCount || shots->frames[shots->count] != frame)
		return true;
	return plPaperStrip_Add(&shots->strip, stage, (double)(shotSpacing * shots->count++), 0.0, error);
}

// `shots` may be NULL.
static bool follow(Course* course, Shots* shots, const plPaperRun* run, plQuasiScene scene, const plSolverDef* solver,
                   size_t frames, plError* error)
{
	plPaperStage stage;
	*course = (Course){0};
	bool good = plQuasiScene_Open(&stage, run, scene, error) && plPaper_Advance(stage.world, solver, 0, error);
	for (size_t f = 0; good && f < frames; ++f)
	{
		good = shots == NULL || takeShot(shots, &stage, f, error);
		plStepReport report;
		plError end;
		if (plWorld_Step(stage.world, &report, &end) < 0)
			break;
		course->frame[f] = (double)(f + 1);
		course->elastic[f] = report.elastic;
		course->inverted[f] = (double)report.inverted;
		course->count = f + 1;
	}
	good = good && (shots == NULL || takeShot(shots, &stage, frames, error));
	plPaperStage_Close(&stage);
	return good;
}

static bool writeCourses(const plPaperRun* run, const char* name, const Course* courses, const char* const* labels,
                         size_t count, const plChart* chart, plError* error)
{
	plPaperFile file;
	plPaperFile_Begin(&file, "run,frame,elastic,inverted");
	for (size_t c = 0; c < count; ++c)
		for (size_t f = 0; f < courses[c].count; ++f)
			plPaperFile_Print(&file, "%s,%.0f,%.6g,%.0f\n", labels[c], courses[c].frame[f], courses[c].elastic[f],
			                  courses[c].inverted[f]);
	return plPaper_WriteFigure(run, name, &file, chart, error);
}

static bool makeExplosion(const plPaperRun* run, plError* error)
{
	static const char* const labels[] = {"with line search", "without"};
	Course courses[2];
	plSolverDef with = plPaper_GetSolver(pl_methodQuasiNewton, 10), without = with;
	size_t frames = run->quick ? 12 : 60;
	with.history = without.history = 0;
	without.stepLength = pl_stepFixed;
	without.alpha = 1.0;
	if (!follow(courses, NULL, run, pl_quasiSquirrel, &with, frames, error) ||
	    !follow(courses + 1, NULL, run, pl_quasiSquirrel, &without, frames, error))
		return false;
	plSeries series[2];
	for (int i = 0; i < 2; ++i)
		series[i] = (plSeries){labels[i], courses[i].frame, courses[i].elastic, courses[i].count};
	plChart chart = {.title = "Figure 3: without a line search",
	                 .subtitle = "head of the polynomial law, shaken; plain quasi-newton (m = 0), 10 iterations",
	                 .xLabel = "frame",
	                 .yLabel = "elastic energy (J)",
	                 .yLog = true,
	                 .yLow = 1.0,
	                 .yHigh = 1e8, // an explosion leaves the frame
	                 .legend = true,
	                 .series = series,
	                 .seriesCount = 2};
	return writeCourses(run, "figure3", courses, labels, 2, &chart, error);
}

static bool makeRecovery(const plPaperRun* run, plError* error)
{
	static const char* const label = "scattered";
	static const plPaperView view = {"figure15-frames", "760x140", "7.5,2.4,19.6", "7.5,1,0", "none", NULL, "10", NULL};
	Course course;
	Shots shots = {.frames = {0, 5, 20, 30, 36, run->quick ? 20 : mostFrames}};
	plSolverDef solver = plPaper_GetSolver(pl_methodQuasiNewton, 10);
	bool good = follow(&course, &shots, run, pl_quasiHippo, &solver, run->quick ? 20 : mostFrames, error) &&
	            plPaperStrip_Draw(&shots.strip, run, &view, error);
	plPaperStrip_Destroy(&shots.strip);
	if (!good)
		return false;
	plSeries series[2] = {{"elastic energy (J)", course.frame, course.elastic, course.count},
	                      {"inverted elements", course.frame, course.inverted, course.count}};
	plChart chart = {.title = "Figure 15: a scattered body returns to its shape",
	                 .subtitle = "corotated, mu : lambda = 20 : 100, 10 iterations a frame",
	                 .xLabel = "frame",
	                 .yLabel = "J, elements",
	                 .yLog = true,
	                 .legend = true,
	                 .series = series,
	                 .seriesCount = 2};
	return writeCourses(run, "figure15", &course, &label, 1, &chart, error);
}

const plPaperFigure plPaperQuasiRobust[] = {{"3", "with and without a line search: energy by frame", makeExplosion},
                                            {"15", "a scattered body returns to its shape", makeRecovery},
                                            {0}};
