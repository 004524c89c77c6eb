// augmented_crowd.c: Figure 14 of [GDY25]: jointed bodies that fall onto a cloth, in one solve
//
//   bodies   4 x 4 x 4 clusters of 3 x 3 x 3 cubes of 80 mm, 31 g each; ball joints between neighbours: 1728 bodies
//            with 3456 joints, where the paper has 35,000 with 72,000
//   cloth    4 x 4 m, 80 x 80 cells, 6561 vertices (the paper: 10,000), held along its rim
//
// 10 iterations, as the paper. It does not say which bodies these are. Joints close loops: they go by sweeps.
#include "augmented.h"

#include <math.h>

enum
{
	side = 3, // cubes of a cluster
	mostRows = 4,
	seconds = 3,
	frameEvery = 15
};

static const double cube = 0.08, gap = 0.1, apart = 0.46, high = 1.6; // m

// The first cube of a cluster. Layers of clusters are shifted by turns, so that they do not fall as columns.
static void placeCluster(int rows, int index, double at[3])
{
	double first = -0.5 * (apart * (rows - 1) + gap * (side - 1));
	int layer = index / (rows * rows);
	at[0] = first + apart * (index % rows) + 0.06 * (layer % 2);
	at[1] = high + 0.3 + apart * layer;
	at[2] = first + apart * (index / rows % rows) + 0.09 * (layer % 3);
}

static void printCluster(FILE* out, int rows, int index)
{
	double at[3];
	placeCluster(rows, index, at);
	fprintf(
	    out,
	    ",\n    { \"name\": \"cluster%d\", \"array\": { \"count\": [%d, %d, %d], \"spacing\": [%g, %g, %g], \"of\": { "
	    "\"type\": \"rigid\", \"shape\": { \"box\": [%g, %g, %g] }, \"at\": [%.6g, %.6g, %.6g], \"material\": \"wood\" "
	    "} } }",
	    index, side, side, side, gap, gap, gap, cube, cube, cube, at[0], at[1], at[2]);
}

// Halfway from a cube to the next one along an axis
static void printJoint(FILE* out, int rows, int index, const int steps[3], int axis, bool first)
{
	static const int strides[3] = {1, side, side * side};
	double at[3];
	int a = steps[0] + side * (steps[1] + side * steps[2]);
	placeCluster(rows, index, at);
	for (int k = 0; k < 3; ++k)
		at[k] += gap * (steps[k] + (k == axis ? 0.5 : 0.0));
	fprintf(out,
	        "%s\n    { \"type\": \"ball\", \"a\": \"cluster%d[%d]\", \"b\": \"cluster%d[%d]\", \"at\": [%.6g, %.6g, "
	        "%.6g] }",
	        first ? "" : ",", index, a, index, a + strides[axis], at[0], at[1], at[2]);
}

static void printJoints(FILE* out, int rows)
{
	bool first = true;
	fputs("\n  ],\n  \"joints\": [", out);
	for (int index = 0; index < rows * rows * rows; ++index)
		for (int cell = 0; cell < side * side * side; ++cell)
		{
			const int steps[3] = {cell % side, cell / side % side, cell / (side * side)};
			for (int axis = 0; axis < 3; ++axis)
				if (steps[axis] + 1 < side)
				{
					printJoint(out, rows, index, steps, axis, first);
					first = false;
				}
		}
}

static void printCrowd(const plPaperRun* run, FILE* out, int steps)
{
	const plRigidScene scene = {
	    .steps = steps,
	    .every = frameEvery,
	    .substeps = 1,
	    .gravity = 9.81,
	    .solver = "\"iterations\": 10",
	    .materials = "\"wood\": { \"density\": 60, \"friction\": 0.5 }, \"ground\": { \"friction\": 0.5 }"};
	int rows = run->quick ? 1 : mostRows, cells = run->quick ? 20 : 80;
	plRigidScene_Begin(&scene, out);
	for (int index = 0; index < rows * rows * rows; ++index)
		printCluster(out, rows, index);
	fprintf(out,
	        ",\n    { \"name\": \"cloth\", \"type\": \"cloth\", \"mesh\": { \"cloth\": [4, 4], \"cells\": [%d, %d], "
	        "\"pattern\": "
	        "\"alternating\" },\n      \"density\": 0.5, \"thickness\": 0.001, \"membrane\": { \"young\": 4e6, "
	        "\"poisson\": 0.3 }, "
	        "\"bending\": { \"stiffness\": 1e-4 },\n      \"transform\": { \"rotate\": [1, 0, 0, -90], \"translate\": "
	        "[0, %g, 0] } }",
	        cells, cells, high);
	printJoints(out, rows);
	fputs("\n  ],\n  \"contact\": { \"self\": false, \"thickness\": 0.004, \"friction\": 0.5 },\n"
	      "  \"pins\": [ { \"body\": \"cloth\", \"where\": { \"not\": { \"box\": [[-1.99, -9, -1.99], [1.99, 9, 1.99]] "
	      "} } }",
	      out);
	fputs(plPaper_sceneEnd, out);
}

// How far the lowest cube is above the ground, m: below the cloth there is nothing else
static double findLowest(const plPaperStage* stage)
{
	double lowest = INFINITY;
	for (size_t i = 1; i < plScene_GetView(stage->scene).bodyCount; ++i)
	{
		plSceneBodyView body = plScene_GetBody(stage->scene, i);
		for (size_t k = 0; k < body.rigidCount; ++k)
			lowest = fmin(lowest, plBody_GetPose(stage->world, body.rigids[k]).translation.y);
	}
	return lowest;
}

static bool makeCrowd(const plPaperRun* run, plError* error)
{
	static const plPaperView falls = {"figure14-falls", "640x440", "3.4,3.6,6.4", "0,1.9,0", "none", NULL, "36", "30"};
	static const plPaperView rests = {"figure14", "640x440", "3.4,3.6,6.4", "0,1.5,0", "none", NULL, "36", NULL};
	static const plMatchScene scene = {"figure14-measured", printCrowd, 60 * seconds, 1, NULL, "lowest_m", findLowest};
	static const plMatchWay ways[] = {{"avbd[iterations=10]", 0}, {NULL, 0}};
	plMatch match;
	plPaperFile file;
	plMatches_Begin(&file);
	if (!plMatches_Run(run, &scene, ways, &file, &match, error))
	{
		plPaperFile_Discard(&file);
		return false;
	}
	if (!plPaperFile_Close(&file, run, "figure14.csv", error))
		return false;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		printCrowd(run, out, run->quick ? 60 : scene.steps);
	return plPaper_RunScene(run, &file, "figure14", error) && plPaper_DrawRun(run, "figure14", &falls, error) &&
	       plPaper_DrawRun(run, "figure14", &rests, error);
}

const plPaperFigure plPaperAugmentedCrowd[] = {{"14", "jointed bodies that fall onto a cloth", makeCrowd}, {0}};
