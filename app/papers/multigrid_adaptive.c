// multigrid_adaptive.c: the picture of Figure 8 of [WWF18]: vertices that adaptive smoothing would sweep
//
// The cloth after two cycles of the step of Figure 4. Vertices whose residual is above half of the root mean square,
// which the next cycle would sweep on the finest level, are bright.
//
// [WWF18] colour the vertices by the set that is swept together. Our sets are patches of 256 vertices, and the library
// keeps them to itself.
#include "papers.h"

#include <math.h>
#include <stdlib.h>

static const double shownThreshold = 0.5;

// x, and beside it a place 1 m off for vertices that are swept: drawn as a displacement, it is 1 or 0.
static bool markVertices(plPaperStrip* strip, plWorld* world, plBodyId body, double* share, plError* error)
{
	size_t n = strip->vertexCount, swept = 0;
	double* r = malloc(3 * n * sizeof *r);
	double sum = 0.0;
	if (r == NULL)
	{
		snprintf(error->message, sizeof error->message, "not enough memory for %zu vertices", n);
		return false;
	}
	plBody_GetResiduals(world, body, r);
	for (size_t i = 0; i < 3 * n; ++i)
		sum += r[i] * r[i];
	double limit = shownThreshold * shownThreshold * sum / (double)n;
	for (size_t i = 0; i < n; ++i)
	{
		bool isSwept = r[3 * i] * r[3 * i] + r[3 * i + 1] * r[3 * i + 1] + r[3 * i + 2] * r[3 * i + 2] > limit;
		for (size_t k = 0; k < 3; ++k)
			strip->rest[3 * i + k] = strip->x[3 * i + k] + (k == 1 && isSwept ? 1.0 : 0.0);
		swept += isSwept;
	}
	*share = (double)swept / (double)n;
	free(r);
	return true;
}

static bool drawVertices(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure8-vertices", "640x480", "2.6,2.8,4.6", "0,0.2,0",
	                                 "displacement",     "0,1",     NULL,          NULL};
	plPaperStage stage;
	plPaperStrip strip = {0};
	double share = 0.0;
	plSolverDef two = plGrid_GetFullMultigrid(2);
	bool good = plGrid_OpenFall(&stage, run, error) && plPaper_Advance(stage.world, &two, 1, error) &&
	            plPaperStrip_Add(&strip, &stage, 0.0, 0.0, error) &&
	            markVertices(&strip, stage.world, stage.body, &share, error) &&
	            plPaperStrip_Draw(&strip, run, &view, error);
	if (good)
		printf("  %.0f %% of the vertices are above %g of the root mean square\n", 100.0 * share, shownThreshold);
	plPaperStrip_Destroy(&strip);
	plPaperStage_Close(&stage);
	return good;
}

const plPaperFigure plPaperGridAdaptive[] = {{"8", "vertices that a cycle would sweep, a picture", drawVertices}, {0}};
