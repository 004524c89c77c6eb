// augmented_wall.c: Figure 13 of [GDY25]: a wall whose bricks are joined by joints that break, and three balls
//
//   bricks      0.4 x 0.2 x 0.2 m, 30 kg, in rows, every second one shifted by half a brick
//   joints      fixed: of neighbours in a row, of bricks that lie on each other, of the lowest row and the world. They
//               break at 20 kN or 2 kN m
//   balls       of iron, 0.3 m of radius, 880 kg, at 12 m/s
//
// 20 iterations, as the paper has it, which gives no sizes. Joints close loops: they go by sweeps.
#include "augmented.h"

#include <stdlib.h>

static const double length = 0.4, height = 0.2; // m

enum
{
	seconds = 5
};

typedef struct Wall
{
	int across, rows;
	int steps, every;
	bool hit;
} Wall;

#define MORTAR "\"break_force\": 20000, \"break_torque\": 2000"

static void printJoints(const Wall* wall, FILE* out)
{
	int n = wall->across;
	fputs("\n  ],\n  \"joints\": [\n    { \"type\": \"fixed\", \"chain\": \"bricks\", " MORTAR " }", out);
	for (int i = 0; i < n; ++i)
		fprintf(out, ",\n    { \"type\": \"fixed\", \"a\": \"bricks[%d]\", \"at\": [%g, 0, 0], " MORTAR " }", i,
		        (i - 0.5 * n) * length);
	for (int j = 1; j < wall->rows; ++j)
		for (int i = 0; i < n; ++i)
			for (int side = 0; side < 2; ++side)
			{
				// an odd row is shifted to the right: its brick i lies on i and i + 1, that of an even one on i - 1 and
				// i
				int below = i + side - (j % 2 == 0);
				if (below < 0 || below >= n)
					continue;
				double x = (i - 0.5 * n + 0.5 * (j % 2) + (side == 1 ? 0.25 : -0.25)) * length;
				fprintf(out,
				        ",\n    { \"type\": \"fixed\", \"a\": \"bricks[%d]\", \"b\": \"bricks[%d]\", \"at\": [%g, %g, "
				        "0], " MORTAR " }",
				        (j - 1) * n + below, j * n + i, x, j * height);
			}
}

static void printBalls(const Wall* wall, FILE* out)
{
	static const double places[3][2] = {{-0.25, 0.35}, {0.05, 0.7}, {0.3, 0.45}}; // shares of width and height
	for (int i = 0; i < 3; ++i)
		fprintf(out,
		        ",\n    { \"name\": \"ball%d\", \"type\": \"rigid\", \"shape\": { \"sphere\": 0.3 }, \"at\": [%g, %g, "
		        "%g], \"velocity\": [0, 1, -12], \"material\": \"iron\" }",
		        i, places[i][0] * wall->across * length, places[i][1] * wall->rows * height, 3.0 + 1.5 * i);
}

static void printWall(const Wall* wall, FILE* out)
{
	const plRigidScene scene = {.steps = wall->steps,
	                            .every = wall->every,
	                            .substeps = 1,
	                            .gravity = 9.81,
	                            .solver = "\"iterations\": 20",
	                            .materials = "\"brick\": { \"density\": 1900, \"friction\": 0.6 }, \"iron\": { "
	                                         "\"density\": 7800, \"friction\": 0.4 }, \"ground\": { \"friction\": 0.7 "
	                                         "}"};
	plRigidScene_Begin(&scene, out);
	fprintf(
	    out,
	    ",\n    { \"name\": \"bricks\", \"array\": { \"count\": [%d, %d, 1], \"spacing\": [%g, %g, 0], \"stagger\": "
	    "[%g, 0, 0],\n        \"of\": { \"type\": \"rigid\", \"shape\": { \"box\": [%g, %g, 0.2] }, \"at\": [%g, "
	    "%g, 0], \"material\": \"brick\" } } }",
	    wall->across, wall->rows, length, height, 0.5 * length, length, height, -0.5 * wall->across * length,
	    0.5 * height);
	if (wall->hit)
		printBalls(wall, out);
	printJoints(wall, out);
	fputs(plPaper_sceneEnd, out);
}

void plAugmented_PrintWall(const plPaperRun* run, FILE* out, int steps)
{
	const Wall wall = {
	    .across = run->quick ? 4 : 14, .rows = run->quick ? 3 : 12, .steps = steps, .every = steps, .hit = true};
	printWall(&wall, out);
}

// After every step: broken joints, how far those are off that hold (m)
typedef struct Course
{
	double broken[60 * seconds], error[60 * seconds];
	double top; // of the bricks, at the end
} Course;

static bool watch(const plPaperRun* run, const Wall* wall, Course* course, plError* error)
{
	plPaperStage stage;
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		printWall(wall, out);
	bool good = plPaperStage_Open(&stage, run, &file, wall->hit ? "figure13.json" : "figure13-alone.json", error);
	for (int s = 0; good && s < wall->steps; ++s)
	{
		plStepReport report;
		good = plWorld_Step(stage.world, &report, error) >= 0;
		course->broken[s] = (double)report.brokenJoints;
		course->error[s] = report.jointError;
	}
	if (good)
		course->top = plPaperStage_FindTop(&stage, NULL);
	plPaperStage_Close(&stage);
	return good;
}

static bool drawWall(const plPaperRun* run, const Wall* wall, plError* error)
{
	static const plPaperView struck = {"figure13-hit", "640x400", "3,2.2,7", "0,0.8,0", "none", NULL, NULL, "30"};
	static const plPaperView after = {"figure13", "640x400", "3,2.2,7", "0,0.8,0", "none", NULL, NULL, NULL};
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	Wall drawn = *wall;
	drawn.every = 30;
	if (out != NULL)
		printWall(&drawn, out);
	return plPaper_RunScene(run, &file, "figure13", error) && plPaper_DrawRun(run, "figure13", &struck, error) &&
	       plPaper_DrawRun(run, "figure13", &after, error);
}

static bool makeWall(const plPaperRun* run, plError* error)
{
	Wall wall = {.across = run->quick ? 4 : 14, .rows = run->quick ? 3 : 12};
	wall.steps = wall.every = run->quick ? 30 : 60 * seconds;
	Course alone, hit;
	double times[60 * seconds];
	bool good = watch(run, &wall, &alone, error);
	wall.hit = true;
	if (!good || !watch(run, &wall, &hit, error))
		return false;
	plPaperFile file;
	plPaperFile_Begin(&file, "time,broken_alone,error_alone,broken_hit,error_hit");
	for (int s = 0; s < wall.steps; ++s)
	{
		times[s] = (s + 1) / 60.0;
		plPaperFile_Print(&file, "%.4f,%.0f,%.6f,%.0f,%.6f\n", times[s], alone.broken[s], alone.error[s], hit.broken[s],
		                  hit.error[s]);
	}
	const plSeries series[] = {{"alone", times, alone.broken, (size_t)wall.steps},
	                           {"hit by three balls", times, hit.broken, (size_t)wall.steps}};
	const plChart chart = {.title = "Figure 13: a wall with joints that break",
	                       .subtitle = "20 iterations",
	                       .xLabel = "time (s)",
	                       .yLabel = "broken joints",
	                       .series = series,
	                       .seriesCount = 2};
	return plPaper_WriteFigure(run, "figure13-joints", &file, &chart, error) && drawWall(run, &wall, error);
}

const plPaperFigure plPaperAugmentedWall[] = {{"13", "a wall with joints that break, and three balls", makeWall}, {0}};
