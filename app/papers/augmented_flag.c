// augmented_flag.c: Figure 5 of [GDY25]: a flag of springs on a pole of jointed segments
//
//   flag    50 x 30 = 1500 vertices, 1.5 x 0.9 m, 0.4 kg; 5762 springs of 60 N/m along edges and both diagonals
//   pole    20 capsules of 0.15 m and 0.1 kg; ball joints with springs of 1000 N m/rad, the lowest one stands fast
//   wind    6 m/s along the flag, gusts across it; two corners of the flag are fastened to the pole, hard
//
// [GDY25] give numbers of vertices, springs and segments alone. What counts is how far joints and attachments are off,
// and where the top of the pole is beside 100 iterations.
#include "papers.h"

#include <math.h>

enum
{
	across = 50, // vertices
	down = 30,
	fewAcross = 10,
	fewDown = 6,
	segments = 20,
	steps = 300,
	wayCount = 7
};

static const struct
{
	const char* words;
	int trees, iterations;
	const char* penalty; // N/m: by VBD; NULL: it is not
} ways[wayCount] = {{"5 iterations", 1, 5, NULL}, {"20", 1, 20, NULL},   {"by sweeps", 0, 5, NULL},
                    {"by sweeps", 0, 20, NULL},   {"VBD", 0, 20, "1e4"}, {"VBD", 0, 20, "1e6"},
                    {"100", 1, 100, NULL}};

static const double length = 1.5, width = 0.9, segment = 0.15, away = 0.03; // m

static void printFlag(const plPaperRun* run, FILE* out)
{
	double middle = segments * segment - 0.02 - 0.5 * width;
	fprintf(out,
	        ",\n    { \"name\": \"flag\", \"type\": \"cloth\", \"mesh\": { \"cloth\": [%g, %g], \"cells\": [%d, %d], "
	        "\"pattern\": "
	        "\"one-way\" },\n      \"density\": 0.3, \"membrane\": { \"law\": \"springs\", \"stiffness\": 60 }, "
	        "\"bending\": { "
	        "\"stiffness\": 1e-5 },\n      \"transform\": { \"translate\": [%g, %g, 0] } }",
	        length, width, (run->quick ? fewAcross : across) - 1, (run->quick ? fewDown : down) - 1,
	        away + 0.5 * length, middle);
}

// The mesh has one diagonal of each cell.
static void printDiagonals(const plPaperRun* run, FILE* out)
{
	int columns = run->quick ? fewAcross : across, rows = run->quick ? fewDown : down;
	fputs("  \"springs\": [ { \"a\": \"flag\", \"stiffness\": 60, \"pairs\": [", out);
	for (int j = 0; j + 1 < rows; ++j)
		for (int i = 0; i + 1 < columns; ++i)
			fprintf(out, "%s[%d, %d]", i + j > 0 ? ", " : "", j * columns + i + 1, (j + 1) * columns + i);
	fputs("] } ],\n", out);
}

static void printPole(FILE* out)
{
	fprintf(out,
	        ",\n    { \"name\": \"pole\", \"array\": { \"count\": [1, %d, 1], \"spacing\": [0, %g, 0], \"of\": { "
	        "\"type\": \"rigid\", "
	        "\"at\": [0, %g, 0],\n        \"shape\": { \"capsule\": { \"radius\": 0.02, \"length\": %g } }, \"mass\": "
	        "0.1 } } }\n"
	        "  ],\n  \"joints\": [\n    { \"type\": \"fixed\", \"a\": \"pole[0]\", \"at\": [0, 0, 0] },\n"
	        "    { \"type\": \"six\", \"chain\": \"pole\", \"axis\": [0, 1, 0], \"axes\": { \"x\": \"locked\", \"y\": "
	        "\"locked\", "
	        "\"z\": \"locked\"",
	        segments, segment, 0.5 * segment, segment - 0.04);
	static const char* const turns[3] = {"twist", "swing_y", "swing_z"};
	for (int k = 0; k < 3; ++k)
		fprintf(out, ", \"%s\": { \"stiffness\": 1000, \"damping\": 3 }", turns[k]);
	fputs(" } } ],\n", out);
}

static void printAll(const plPaperRun* run, FILE* out, int count, int way)
{
	char solver[128];
	const char* penalty = ways[way].penalty;
	int begun = snprintf(solver, sizeof solver, "\"iterations\": %d", ways[way].iterations);
	if (penalty != NULL)
		snprintf(solver + begun, sizeof solver - (size_t)begun, ", \"stiffness\": \"fixed\", \"penalty\": %s", penalty);
	else if (!ways[way].trees)
		snprintf(solver + begun, sizeof solver - (size_t)begun, ", \"direct\": \"no\"");
	const plRigidScene scene = {
	    .steps = count, .every = 15, .substeps = 1, .gravity = 9.81, .solver = solver, .materials = "\"ground\": {}"};
	double top = segments * segment - 0.02;
	plRigidScene_Begin(&scene, out);
	printFlag(run, out);
	printPole(out);
	printDiagonals(run, out);
	fputs("  \"contact\": { \"self\": false },\n"
	      "  \"wind\": { \"velocity\": [6, 0, 0], \"gust\": { \"velocity\": [0, 0, 3], \"frequency\": 0.6 } },\n"
	      "  \"attachments\": [",
	      out);
	for (int k = 0; k < 2; ++k)
		fprintf(out,
		        "%s\n    { \"name\": \"corner%d\", \"body\": \"flag\", \"where\": { \"nearest\": [%g, %g, 0] }, "
		        "\"to\": \"pole[%d]\" }",
		        k > 0 ? "," : "", k, away, top - k * width, (int)((top - k * width) / segment));
	fputs(plPaper_sceneEnd, out);
}

// After every step: the top of the pole, and how far joints are off, m
typedef struct Course
{
	double x[steps], z[steps], error[steps];
	double largest, attached, stretch; // stretch: of the flag, the mean of its largest one
} Course;

static bool watch(const plPaperRun* run, int way, int count, Course* course, plError* error)
{
	plPaperStage stage;
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		printAll(run, out, count, way);
	bool good = plPaperStage_Open(&stage, run, &file, "figure5.json", error);
	plBodyId top = good ? plPaperStage_FindBodies(&stage, "pole").rigids[segments - 1] : (plBodyId){0};
	course->largest = course->attached = course->stretch = 0.0;
	for (int s = 0; good && s < count; ++s)
	{
		plStepReport report;
		good = plWorld_Step(stage.world, &report, error) >= 0;
		plVec3 place = plBody_GetPose(stage.world, top).translation;
		course->x[s] = place.x, course->z[s] = place.z, course->error[s] = report.jointError;
		course->largest = fmax(course->largest, report.jointError);
		for (int k = 0; good && k < 2; ++k)
			course->attached = fmax(
			    course->attached,
			    plAttachments_GetError(stage.world, plWorld_FindAttachments(stage.world, k ? "corner1" : "corner0")));
		course->stretch += report.stretch / count;
	}
	plPaperStage_Close(&stage);
	return good;
}

// Root mean square of how far the top is from where it is with the last way, m
static double distanceOf(const Course* course, const Course* exact, int count)
{
	double sum = 0.0;
	for (int s = 0; s < count; ++s)
		sum += (pow(course->x[s] - exact->x[s], 2.0) + pow(course->z[s] - exact->z[s], 2.0)) / count;
	return sqrt(sum);
}

static bool writeCourses(const plPaperRun* run, const Course courses[wayCount], int count, plError* error)
{
	static double times[steps];
	plSeries series[wayCount];
	size_t drawn = 0;
	plPaperFile file;
	plPaperFile_Begin(&file, "way,iterations,joint_error_m,attachment_error_m,stretch,top_off_m,penalty");
	for (int way = 0; way < wayCount; ++way)
	{
		const Course* course = courses + way;
		const char* kind = ways[way].trees ? "trees" : ways[way].penalty != NULL ? "vbd" : "sweeps";
		plPaperFile_Print(&file, "%s,%d,%.3g,%.3g,%.4f,%.4f,%s\n", kind, ways[way].iterations, course->largest,
		                  course->attached, course->stretch, distanceOf(course, courses + wayCount - 1, count),
		                  ways[way].penalty != NULL ? ways[way].penalty : "-");
		if (ways[way].trees) // by sweeps it may fly apart
			series[drawn++] = (plSeries){ways[way].words, times, course->x, (size_t)count};
	}
	for (int s = 0; s < count; ++s)
		times[s] = (s + 1) / 60.0;
	const plChart chart = {.title = "Figure 5: the top of the pole",
	                       .subtitle = "along the wind",
	                       .xLabel = "time (s)",
	                       .yLabel = "x (m)",
	                       .legend = true,
	                       .series = series,
	                       .seriesCount = drawn};
	return plPaper_WriteFigure(run, "figure5-top", &file, &chart, error);
}

static bool drawFlag(const plPaperRun* run, const char* name, int way, int count, plError* error)
{
	const plPaperView view = {name, "420x480", "0.9,1.9,5.6", "0.75,1.75,0", "none", NULL, "40", NULL};
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		printAll(run, out, count, way);
	return plPaper_MakePicture(run, &file, &view, error);
}

static bool makeFlag(const plPaperRun* run, plError* error)
{
	static Course courses[wayCount];
	int count = run->quick ? 3 : steps;
	for (int way = 0; way < wayCount; ++way)
		if (!watch(run, way, count, courses + way, error))
			return false;
	return writeCourses(run, courses, count, error) && drawFlag(run, "figure5", 0, run->quick ? 2 : 255, error) &&
	       drawFlag(run, "figure5-more", 1, run->quick ? 2 : 255, error);
}

const plPaperFigure plPaperAugmentedFlag[] = {{"5", "a flag of springs on a jointed pole", makeFlag}, {0}};
