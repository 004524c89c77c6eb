// augmented_table.c: Table 1 of [GDY25] and its claims about rivals: scenes of its figures by several methods
//
//   table1   every scene by every method at several numbers of iterations: milliseconds of a step, what it is off by.
//            Compare errors at equal times: what an iteration is differs from one method to another
//   rivals   every scene by the settings of the paper, and by others of rivals
//
// A new method is a row of the ways; one that the build does not have is left out.
#include "augmented.h"

#include <math.h>
#include <string.h>

enum
{
	mostWays = 16
};

// Settings of the paper: AVBD, sequential impulses in passes over one step, XPBD by substeps
#define PAPER(avbd, passes, parts)                                                                                     \
	{"avbd[iterations=" #avbd "]", 0}, {"impulse[iterations=1,passes=" #passes "]", 0},                                \
	{                                                                                                                  \
		"xpbd[iterations=1]", parts                                                                                    \
	}
// As stiff as so many parts allow: best where much weighs on little
#define STIFF(parts) "impulse[iterations=" #parts ",hertz=1e4,joint_hertz=1e4,push=30]"

// Vertex block descent: springs of one stiffness, N/m, in the place of multipliers
#define VBD(iterations, penalty) "avbd[iterations=" #iterations ",stiffness=fixed,penalty=" #penalty "]"

static const plMatchWay pileWays[mostWays] = {PAPER(4, 15, 6),
                                              {"avbd[iterations=3]", 0},
                                              {"impulse[iterations=1,passes=27]", 0},
                                              {"impulse[iterations=4]", 0},
                                              {"impulse[iterations=8,hertz=60]", 0},
                                              {STIFF(8), 0},
                                              {VBD(8, 1e6), 0},
                                              {VBD(15, 1e6), 0},
                                              {VBD(15, 1e7), 0}};
static const plMatchWay cardWays[mostWays] = {PAPER(5, 5, 25),  {"impulse[iterations=4]", 0},
                                              {STIFF(4), 0},    {STIFF(20), 0},
                                              {VBD(5, 1e3), 0}, {VBD(5, 1e4), 0},
                                              {VBD(5, 1e5), 0}, {VBD(50, 1e5), 0}};
static const plMatchWay hitWays[mostWays] = {{"avbd[iterations=5]", 0}, {STIFF(4), 0},    {VBD(5, 1e3), 0},
                                             {VBD(5, 1e4), 0},          {VBD(5, 1e5), 0}, {VBD(50, 1e5), 0}};
static const plMatchWay chainWays[mostWays] = {PAPER(20, 50, 20),
                                               {"avbd[iterations=20,direct=no]", 0},
                                               {"impulse[iterations=20]", 0},
                                               {STIFF(20), 0},
                                               {STIFF(50), 0},
                                               {STIFF(200), 0},
                                               {"xpbd[iterations=1,passes=50]", 0},
                                               {VBD(20, 1e8), 0},
                                               {VBD(20, 1e10), 0},
                                               {VBD(100, 1e8), 0}};
static const plMatchWay barWays[mostWays] = {PAPER(20, 20, 20),
                                             {"avbd[iterations=20,direct=no]", 0},
                                             {"impulse[iterations=20]", 0},
                                             {STIFF(20), 0},
                                             {STIFF(200), 0}};
static const plMatchWay growingWays[mostWays] = {
    PAPER(20, 20, 20), {"impulse[iterations=20]", 0}, {STIFF(20), 0}, {STIFF(50), 0}, {VBD(20, 1e8), 0}};
static const plMatchWay slidingWays[mostWays] = {
    PAPER(4, 4, 4), {"avbd[iterations=1]", 0}, {"impulse[iterations=4]", 0}, {"impulse[iterations=20]", 0}};
static const plMatchWay mailWays[mostWays] = {
    PAPER(15, 15, 15), {"avbd[iterations=15]", 8}, {"impulse[iterations=15]", 0}, {STIFF(15), 0}, {STIFF(4), 8}};
static const plMatchWay wallWays[mostWays] = {
    PAPER(20, 20, 20), {"impulse[iterations=20]", 0}, {STIFF(20), 0}, {STIFF(40), 0}};

typedef struct Contest
{
	plMatchScene scene;
	const plMatchWay* claimed; // for the rivals; ends with a NULL solver
	const char* chart;         // of Table 1: its title; NULL: none
	bool joints;               // it shows errors of joints, else depths
} Contest;

static const Contest contests[] = {
    {{"pile", plAugmented_PrintPile, 180, 1, NULL, NULL, NULL}, pileWays, "Table 1: a pile of 22 layers", false},
    {{"cards", plAugmented_PrintCards, 300, 5, NULL, NULL, NULL}, cardWays, NULL, false},
    {{"hit", plAugmented_PrintCardsHit, 300, 5, "ball", "ball_m", plAugmented_FindBallAlong}, hitWays, NULL, false},
    {{"pendulum", plAugmented_PrintPendulum, 300, 1, NULL, NULL, NULL},
     chainWays,
     "Table 1: a pendulum, 50,000:1",
     true},
    {{"bar", plAugmented_PrintBar, 360, 1, NULL, NULL, NULL}, barWays, NULL, false},
    {{"growing", plAugmented_PrintGrowing, 300, 1, NULL, NULL, NULL},
     growingWays,
     "Table 1: six boxes, each larger than the one below",
     false},
    {{"sliding", plAugmented_PrintSliding, 420, 1, NULL, "off_m", plAugmented_FindSlip}, slidingWays, NULL, false},
    {{"mail", plAugmented_PrintMail, 300, 1, "ball", "ball_m", plAugmented_FindBall}, mailWays, NULL, false},
    {{"wall", plAugmented_PrintWall, 300, 1, NULL, NULL, NULL}, wallWays, NULL, false},
};

enum
{
	contestCount = sizeof contests / sizeof *contests
};

// ---- Table 1 --------------------------------------------------------------------------------------------------------

// By two methods or more, each at several numbers of iterations that follow each other
static const plMatchWay tableWays[mostWays] = {{"avbd[iterations=4]", 0},
                                               {"avbd", 0},
                                               {"avbd[iterations=20]", 0},
                                               {"impulse[iterations=4]", 0},
                                               {"impulse[iterations=8,hertz=60]", 0},
                                               {STIFF(20), 0},
                                               {STIFF(50), 0},
                                               {"xpbd[iterations=4]", 0},
                                               {"xpbd[iterations=20]", 0}};

// Error against time: a curve for each method
static bool drawContest(const plPaperRun* run, const Contest* contest, const plMatch matches[mostWays], plError* error)
{
	double ms[mostWays], errors[mostWays];
	char names[mostWays][32], name[48];
	plSeries series[mostWays];
	size_t count = 0, points = 0;
	for (size_t i = 0; tableWays[i].solver != NULL; ++i)
	{
		double off = contest->joints ? matches[i].jointError : matches[i].depth;
		if (matches[i].steps == 0 || !(off < 100.0)) // not tried, or it exploded
			continue;
		size_t length = strcspn(tableWays[i].solver, "[");
		if (count == 0 || strncmp(names[count - 1], tableWays[i].solver, length) != 0)
		{
			snprintf(names[count], sizeof names[count], "%.*s", (int)length, tableWays[i].solver);
			series[count] = (plSeries){names[count], ms + points, errors + points, 0};
			++count;
		}
		ms[points] = fmax(matches[i].total, 1e-3);
		errors[points++] = fmax(off, 1e-6);
		++series[count - 1].count;
	}
	const plChart chart = {.title = contest->chart,
	                       .subtitle = "one thread",
	                       .xLabel = "ms of a step",
	                       .yLabel = contest->joints ? "largest error of a joint (m)" : "largest depth (m)",
	                       .xLog = true,
	                       .yLog = true,
	                       .marks = true,
	                       .legend = true,
	                       .series = series,
	                       .seriesCount = count};
	snprintf(name, sizeof name, "table1-%s.svg", contest->scene.name);
	return plPaper_WriteChart(run, name, &chart, error);
}

static bool closeTable(const plPaperRun* run, plPaperFile* file, const char* name, bool good, plError* error)
{
	if (good)
		return plPaperFile_Close(file, run, name, error);
	plPaperFile_Discard(file);
	return false;
}

static bool makeTable(const plPaperRun* run, plError* error)
{
	plMatch matches[mostWays];
	plPaperFile file;
	bool good = true;
	plMatches_Begin(&file);
	for (size_t i = 0; good && i < contestCount; ++i)
		good = plMatches_Run(run, &contests[i].scene, tableWays, &file, matches, error) &&
		       (contests[i].chart == NULL || drawContest(run, contests + i, matches, error));
	return closeTable(run, &file, "table1.csv", good, error);
}

static bool makeRivals(const plPaperRun* run, plError* error)
{
	plMatch matches[mostWays];
	plPaperFile file;
	bool good = true;
	plMatches_Begin(&file);
	for (size_t i = 0; good && i < contestCount; ++i)
		good = plMatches_Run(run, &contests[i].scene, contests[i].claimed, &file, matches, error);
	return closeTable(run, &file, "rivals.csv", good, error);
}

const plPaperFigure plPaperAugmentedTable[] = {
    {"table1", "ms of a step by method, and what it is off by", makeTable},
    {"rivals", "what the paper says of rivals, and their best settings", makeRivals},
    {0}};
