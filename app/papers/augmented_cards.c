// augmented_cards.c: Figure 6 of [GDY25]: a tower of cards that friction holds, and what a ball does to it
//
//   cards       88 x 63 x 0.5 mm, 1000 kg/m^3 (2.8 g), friction 0.7
//   a level     tents of two cards, 29 degrees from upright, a card's length apart; a card lies on every two tents
//   the ball    20 mm of radius, 261 g, at 2.5 m/s into the lowest level
//
// [GDY25] say 5 substeps of 5 iterations. Sizes are those of playing cards, but for their thickness: real ones have 0.3
// mm.
#include "augmented.h"

#include <math.h>

static const double cardLength = 0.088, cardWidth = 0.063, cardThickness = 0.0005, lean = 29.0; // m, degrees

enum
{
	seconds = 10,
	blow = 20, // the step that is drawn after the ball has met the tower
	down = 120
};

static void printCard(FILE* out, int* count, double x, double y, double angle)
{
	fprintf(out,
	        ",\n    { \"name\": \"card%d\", \"type\": \"rigid\", \"shape\": { \"box\": [%g, %g, %g] }, \"at\": [%.9g, "
	        "%.9g, 0], \"rotate\": [0, 0, 1, %g], \"material\": \"card\" }",
	        (*count)++, cardThickness, cardLength, cardWidth, x, y, angle);
}

// Tents stand on y; gives the height that the next ones stand on.
static double printLevel(FILE* out, int* count, int tents, double y)
{
	const double apart = cardLength + 1e-4;
	double s = sin(lean * acos(-1.0) / 180.0), c = cos(lean * acos(-1.0) / 180.0);
	double height = cardLength * c + cardThickness * s, aside = 0.5 * (cardLength * s + cardThickness * c);
	for (int i = 0; i < tents; ++i)
	{
		double x = (i - 0.5 * (tents - 1)) * apart;
		printCard(out, count, x - aside, y + 0.5 * height, -lean);
		printCard(out, count, x + aside, y + 0.5 * height, lean);
		if (i < tents - 1)
			printCard(out, count, x + 0.5 * apart, y + height + 0.5 * cardThickness, 90.0);
	}
	return y + height + cardThickness;
}

static void printTower(FILE* out, int levels, int steps, int every, bool hit)
{
	const plRigidScene scene = {.steps = steps,
	                            .every = every,
	                            .substeps = 5,
	                            .gravity = 9.81,
	                            .solver = "\"iterations\": 5",
	                            .materials = "\"card\": { \"density\": 1000, \"friction\": 0.7 }, \"iron\": { "
	                                         "\"density\": 7800, \"friction\": 0.7 }, \"ground\": { \"friction\": 0.7 "
	                                         "}"};
	double y = 0.0;
	int count = 0;
	plRigidScene_Begin(&scene, out);
	for (int tents = levels; tents > 0; --tents)
		y = printLevel(out, &count, tents, y);
	if (hit)
		fprintf(out, ",\n    { \"name\": \"ball\", \"type\": \"rigid\", \"shape\": { \"sphere\": 0.02 }, \"at\": "
		             "[-0.5, 0.03, 0], \"velocity\": [2.5, 0.3, 0], \"material\": \"iron\" }");
	fputs(plPaper_sceneEnd, out);
}

void plAugmented_PrintCards(const plPaperRun* run, FILE* out, int steps)
{
	printTower(out, run->quick ? 2 : 5, steps, steps, false);
}

void plAugmented_PrintCardsHit(const plPaperRun* run, FILE* out, int steps)
{
	printTower(out, run->quick ? 2 : 5, steps, steps, true);
}

double plAugmented_FindBallAlong(const plPaperStage* stage)
{
	return plBody_GetPose(stage->world, plPaperStage_FindBodies(stage, "ball").id).translation.x;
}

// Height of the highest card after every step, and before the first: heights[steps + 1]
static bool watchTower(const plPaperRun* run, int levels, int steps, bool hit, double* heights, plError* error)
{
	plPaperStage stage;
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		printTower(out, levels, steps, steps, hit);
	bool good = plPaperStage_Open(&stage, run, &file, hit ? "figure6-hit.json" : "figure6.json", error);
	for (int s = 0; good && s <= steps; ++s)
	{
		plStepReport report;
		heights[s] = plPaperStage_FindTop(&stage, "ball");
		good = s == steps || plWorld_Step(stage.world, &report, error) >= 0;
	}
	plPaperStage_Close(&stage);
	return good;
}

static bool drawTower(const plPaperRun* run, int levels, plError* error)
{
	static const plPaperView stands = {"figure6", "480x360", "0.55,0.32,1", "0.02,0.18,0", "none", NULL, NULL, NULL};
	static const plPaperView struck = {"figure6-hit", "480x360", "0.55,0.32,1", "0.02,0.18,0",
	                                   "none",        NULL,      NULL,          "20"};
	static const plPaperView fallen = {"figure6-fallen", "480x360", "0.55,0.32,1", "0.02,0.18,0",
	                                   "none",           NULL,      NULL,          NULL};
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	int steps = run->quick ? 2 : 60 * seconds;
	if (out != NULL)
		printTower(out, levels, steps, steps, false);
	if (!plPaper_MakePicture(run, &file, &stands, error))
		return false;
	out = plPaperFile_Open(&file);
	if (out != NULL)
		printTower(out, levels, down, blow, true);
	return plPaper_RunScene(run, &file, "figure6-hit", error) && plPaper_DrawRun(run, "figure6-hit", &struck, error) &&
	       plPaper_DrawRun(run, "figure6-hit", &fallen, error);
}

static bool makeCards(const plPaperRun* run, plError* error)
{
	enum
	{
		most = 60 * seconds
	};
	double times[most + 1], heights[2][most + 1];
	int steps = run->quick ? 60 : most, levels = run->quick ? 2 : 5;
	if (!watchTower(run, levels, steps, false, heights[0], error) ||
	    !watchTower(run, levels, steps, true, heights[1], error))
		return false;
	plPaperFile file;
	plPaperFile_Begin(&file, "time,height,height_hit");
	for (int s = 0; s <= steps; ++s)
	{
		times[s] = s / 60.0;
		plPaperFile_Print(&file, "%.4f,%.6f,%.6f\n", times[s], heights[0][s], heights[1][s]);
	}
	const plSeries series[] = {{"alone", times, heights[0], (size_t)steps + 1},
	                           {"hit by a ball", times, heights[1], (size_t)steps + 1}};
	const plChart chart = {.title = "Figure 6: a tower of cards",
	                       .subtitle = "5 substeps of 5 iterations",
	                       .xLabel = "time (s)",
	                       .yLabel = "highest card (m)",
	                       .series = series,
	                       .seriesCount = 2};
	return plPaper_WriteFigure(run, "figure6-height", &file, &chart, error) && drawTower(run, levels, error);
}

const plPaperFigure plPaperAugmentedCards[] = {{"6", "a tower of cards, alone and hit by a ball", makeCards}, {0}};
