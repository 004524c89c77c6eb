// augmented_mail.c: Figure 12 of [GDY25]: chain mail that four corners hold, and a heavy ball that falls on it
//
//   rings       lie flat, 0.12 m apart, 0.1 m across; a smaller one, upright, goes through every two neighbours. Both
//   are
//               eight capsules of 12 mm, of steel. Nothing joins them: they hang in each other by contact alone
//   the ball    0.15 m of radius, falls by 0.3 m
//
// How heavy the ball may be is found by trying: it is held if it is above half the height of the mail after 5 s. The
// paper's text gives neither sizes nor masses; it has 15 iterations.
#include "augmented.h"

#include <math.h>

enum
{
	segments = 8,
	seconds = 5
};

static const double wide = 0.05, narrow = 0.03, wire = 0.006, apart = 0.12, high = 1.0; // radii, distance, height: m

typedef struct Mail
{
	int side; // rings
	double ballMass;
	int steps, every, substeps;
	const char* solver;
} Mail;

// A ring about an axis of the world: 0, 1, 2
static void printRing(FILE* out, const char* name, int axis, double radius, double x, double z, bool fixed)
{
	const double turn = 2.0 * acos(-1.0) / segments;
	fprintf(out,
	        ",\n    { \"name\": \"%s\", \"type\": \"rigid\",%s \"at\": [%g, %g, %g], \"material\": \"steel\", "
	        "\"shape\": [",
	        name, fixed ? " \"motion\": \"static\"," : "", x, high, z);
	for (int k = 0; k < segments; ++k)
	{
		double angle = (k + 0.5) * turn, c = cos(angle), s = sin(angle);
		double at[3] = {0.0, 0.0, 0.0}, along[3] = {0.0, 0.0, 0.0};
		at[(axis + 1) % 3] = radius * c, at[(axis + 2) % 3] = radius * s;
		along[(axis + 1) % 3] = -s, along[(axis + 2) % 3] = c;
		// the turn that takes y to `along`, about y x along; half a turn about z where that is 0
		double about[3] = {along[2], 0.0, -along[0]}, sine = hypot(about[0], about[2]);
		about[2] += sine < 1e-9 ? 1.0 : 0.0;
		fprintf(out,
		        "%s\n      { \"capsule\": { \"radius\": %g, \"length\": %.6g }, \"at\": [%.6g, %.6g, %.6g], "
		        "\"rotate\": [%.6g, 0, %.6g, %.6g] }",
		        k > 0 ? "," : "", wire, 2.0 * radius * tan(0.5 * turn), at[0], at[1], at[2], about[0], about[2],
		        atan2(sine, along[1]) * 180.0 / acos(-1.0));
	}
	fputs(" ] }", out);
}

static void printMail(const Mail* mail, FILE* out)
{
	const plRigidScene scene = {.steps = mail->steps,
	                            .every = mail->every,
	                            .substeps = mail->substeps,
	                            .gravity = 9.81,
	                            .solver = mail->solver,
	                            .materials = "\"steel\": { \"density\": 7800, \"friction\": 0.3 }, \"ground\": {}"};
	int last = mail->side - 1;
	char name[32];
	plRigidScene_Begin(&scene, out);
	for (int k = 0; k <= last; ++k)
		for (int i = 0; i <= last; ++i)
		{
			double x = (i - 0.5 * last) * apart, z = (k - 0.5 * last) * apart;
			snprintf(name, sizeof name, "ring%d_%d", i, k);
			printRing(out, name, 1, wide, x, z, (i == 0 || i == last) && (k == 0 || k == last));
			snprintf(name, sizeof name, "right%d_%d", i, k);
			if (i < last)
				printRing(out, name, 2, narrow, x + 0.5 * apart, z, false);
			snprintf(name, sizeof name, "front%d_%d", i, k);
			if (k < last)
				printRing(out, name, 0, narrow, x, z + 0.5 * apart, false);
		}
	fprintf(out,
	        ",\n    { \"name\": \"ball\", \"type\": \"rigid\", \"shape\": { \"sphere\": 0.15 }, \"at\": [0, %g, 0], "
	        "\"mass\": %g, \"friction\": 0.3 }",
	        high + 0.45, mail->ballMass);
	fputs(plPaper_sceneEnd, out);
}

// ---- who is held ----------------------------------------------------------------------------------------------------

typedef struct Fate
{
	double height[60 * seconds + 1]; // of the ball, m
	double kinetic;                  // of all at the end, J
	bool held;
} Fate;

static bool watch(const plPaperRun* run, const Mail* mail, Fate* fate, plError* error)
{
	plPaperStage stage;
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		printMail(mail, out);
	bool good = plPaperStage_Open(&stage, run, &file, "figure12-trial.json", error);
	plBodyId ball = good ? plPaperStage_FindBodies(&stage, "ball").id : (plBodyId){0};
	plStepReport report = {0};
	for (int s = 0; good && s <= mail->steps; ++s)
	{
		fate->height[s] = plBody_GetPose(stage.world, ball).translation.y;
		good = s == mail->steps || plWorld_Step(stage.world, &report, error) >= 0;
	}
	fate->kinetic = report.kinetic;
	fate->held = good && fate->height[mail->steps] > 0.5 * high;
	plPaperStage_Close(&stage);
	return good;
}

static const struct
{
	int substeps, iterations;
	const char *solver, *words;
} ways[] = {{1, 15, "\"iterations\": 15", "15 iterations, as the paper"},
            {1, 120, "\"iterations\": 120", "120 iterations"},
            {2, 15, "\"iterations\": 15", "2 substeps of 15"},
            {4, 15, "\"iterations\": 15", "4 substeps of 15"},
            {8, 15, "\"iterations\": 15", "8 substeps of 15"}};
static const double masses[] = {15.0, 50.0, 150.0};

enum
{
	wayCount = sizeof ways / sizeof *ways,
	massCount = sizeof masses / sizeof *masses
};

static Mail mailOf(const plPaperRun* run, size_t way, size_t mass)
{
	int steps = run->quick ? 4 : 60 * seconds;
	return (Mail){.side = run->quick ? 3 : 6,
	              .ballMass = masses[mass],
	              .steps = steps,
	              .every = steps,
	              .substeps = ways[way].substeps,
	              .solver = ways[way].solver};
}

void plAugmented_PrintMail(const plPaperRun* run, FILE* out, int steps)
{
	Mail mail = mailOf(run, 0, massCount - 1);
	mail.steps = mail.every = steps;
	printMail(&mail, out);
}

double plAugmented_FindBall(const plPaperStage* stage)
{
	return plBody_GetPose(stage->world, plPaperStage_FindBodies(stage, "ball").id).translation.y;
}

// The curves are those of the heaviest ball.
static bool tryAll(const plPaperRun* run, plPaperFile* file, Fate fates[wayCount], plError* error)
{
	plPaperFile_Begin(file, "substeps,iterations,ball_kg,held,height_m,kinetic_J");
	for (size_t way = 0; way < wayCount; ++way)
		for (size_t m = 0; m < massCount; ++m)
		{
			Mail mail = mailOf(run, way, m);
			if (!watch(run, &mail, fates + way, error))
			{
				plPaperFile_Discard(file);
				return false;
			}
			plPaperFile_Print(file, "%d,%d,%g,%s,%.4f,%.2g\n", ways[way].substeps, ways[way].iterations, masses[m],
			                  fates[way].held ? "yes" : "no", fates[way].height[mail.steps], fates[way].kinetic);
		}
	return true;
}

static bool drawMail(const plPaperRun* run, size_t way, int steps, const char* name, plError* error)
{
	const plPaperView view = {name, "480x400", "1.1,1.25,1.9", "0,0.75,0", "none", NULL, NULL, NULL};
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	Mail mail = mailOf(run, way, massCount - 1);
	if (!run->quick)
		mail.steps = mail.every = steps;
	if (out != NULL)
		printMail(&mail, out);
	return plPaper_MakePicture(run, &file, &view, error);
}

static bool makeMail(const plPaperRun* run, plError* error)
{
	static Fate fates[wayCount];
	static double times[60 * seconds + 1];
	plSeries series[wayCount];
	plPaperFile file;
	if (!tryAll(run, &file, fates, error))
		return false;
	for (int s = 0; s <= 60 * seconds; ++s)
		times[s] = s / 60.0;
	for (size_t way = 0; way < wayCount; ++way)
		series[way] = (plSeries){ways[way].words, times, fates[way].height, (size_t)mailOf(run, way, 0).steps + 1};
	const plChart chart = {.title = "Figure 12: a ball on chain mail",
	                       .subtitle = "150 kg; the mail weighs 20 kg",
	                       .xLabel = "time (s)",
	                       .yLabel = "height of the ball (m)",
	                       .legend = true,
	                       .series = series,
	                       .seriesCount = wayCount};
	return plPaper_WriteFigure(run, "figure12", &file, &chart, error) &&
	       drawMail(run, wayCount - 1, 60 * seconds, "figure12-held", error) &&
	       drawMail(run, 0, 30, "figure12-torn", error);
}

const plPaperFigure plPaperAugmentedMail[] = {{"12", "chain mail and a ball", makeMail}, {0}};
