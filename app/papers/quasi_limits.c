// quasi_limits.c: Figure 10 of [LBK17]: the polynomial law, and the strain limits of projective dynamics that come near
// to it
//
//   polynomial     stress 4 mu u^3,   u = s - 1
//   strain-limit   2 mu' u + w o,     o = u beyond the limits, 0 between them
//
// Over |u| <= 0.5 the least squares fit has 2 mu' = 0.188 mu, w = 1.66 mu and limits at |u| = 0.28; it is off by 8 % in
// the mean. The stresses are measured on a cube. Then heads get the same push for a quarter of a second, and swing;
// then a fifth of it:
//
//   polynomial with quasi-newton; limits with projective; limits with newton, which shows what is due to the law and
//   what to the iterations of projective dynamics
#include "../verify/verify.h"
#include "papers.h"

#include <stdlib.h>

enum
{
	pointCount = 51,
	swingCount = 3,
	mostFrames = 90,
	shotCount = 4,
	shotEvery = 5 // frames
};

// ---- stress -------------------------------------------------------------------------------------------------------

static bool makeStress(const plPaperRun* run, plError* error)
{
	static const struct
	{
		plLaw law;
		double c[PL_COEFFICIENT_COUNT];
	} laws[2] = {{pl_lawPolynomial, {1.0}}, {pl_lawStrainLimit, {0.094, 1.66, 0.72, 1.28}}};
	double stretch[pointCount], stress[2][pointCount];
	size_t points = run->quick ? 5 : pointCount;
	plSeries series[2];
	bool good = true;
	for (int l = 0; l < 2; ++l)
	{
		plMaterialDef material = plDefaultMaterialDef();
		material.law = laws[l].law;
		material.fromModuli = false;
		for (int k = 0; k < PL_COEFFICIENT_COUNT; ++k)
			material.coefficients[k] = laws[l].c[k];
		for (size_t i = 0; good && i < points; ++i)
		{
			stretch[i] = 0.5 + (double)i / (double)(points - 1);
			good = plRig_PullCube(run->pool, &material, stretch[i], stress[l] + i, error);
		}
		series[l] = (plSeries){plLaw_GetName(laws[l].law), stretch, stress[l], points};
	}
	plChart chart = {.title = "Figure 10: the polynomial law and strain limits",
	                 .subtitle = "measured on a cube; least squares over stretches 0.5 to 1.5",
	                 .xLabel = "stretch",
	                 .yLabel = "force per area at rest, in units of mu",
	                 .legend = true,
	                 .series = series,
	                 .seriesCount = 2};
	if (!good)
		return false;
	plPaperFile file;
	plPaperFile_Begin(&file, "stretch,polynomial,strain_limit");
	for (size_t i = 0; i < points; ++i)
		plPaperFile_Print(&file, "%.6g,%.9g,%.9g\n", stretch[i], stress[0][i], stress[1][i]);
	return plPaper_WriteFigure(run, "figure10", &file, &chart, error);
}

// ---- swing --------------------------------------------------------------------------------------------------------

static const struct
{
	const char* label;
	plMethod method;
	plQuasiScene scenes[2]; // pushed, and gently
} swings[swingCount] = {
    {"polynomial, quasi-newton", pl_methodQuasiNewton, {pl_quasiPolynomial, pl_quasiPolynomialGently}},
    {"strain-limit, projective", pl_methodProjective, {pl_quasiLimits, pl_quasiLimitsGently}},
    {"strain-limit, newton", pl_methodNewton, {pl_quasiLimits, pl_quasiLimitsGently}}};

// How far the body leans: mean x of its vertices (m).
static bool measureLean(const plPaperStage* stage, double* lean, plError* error)
{
	double *x = malloc(3 * stage->vertexCount * sizeof *x), sum = 0.0;
	if (x == NULL)
	{
		snprintf(error->message, sizeof error->message, "not enough memory for %zu vertices", stage->vertexCount);
		return false;
	}
	plBody_GetPositions(stage->world, stage->body, x);
	for (size_t i = 0; i < stage->vertexCount; ++i)
		sum += x[3 * i];
	free(x);
	*lean = sum / (double)stage->vertexCount;
	return true;
}

// `strip` may be NULL.
static bool swing(const plPaperRun* run, int number, plQuasiScene scene, size_t frames, double* lean,
                  plPaperStrip* strip, plError* error)
{
	plPaperStage stage;
	plSolverDef solver = plPaper_GetPreset(swings[number].method);
	bool good = plQuasiScene_Open(&stage, run, scene, error) && measureLean(&stage, lean, error) &&
	            plPaper_Advance(stage.world, &solver, 0, error);
	double start = lean[0];
	lean[0] = 0.0;
	for (size_t f = 1; good && f <= frames; ++f)
	{
		plStepReport report;
		good = plWorld_Step(stage.world, &report, error) >= 0 && measureLean(&stage, lean + f, error);
		lean[f] -= start;
		if (good && strip != NULL && f % shotEvery == 0 && f <= shotEvery * shotCount)
			good = plPaperStrip_Add(strip, &stage, 2.8 * (double)(f / shotEvery - 1), 0.0, error);
	}
	plPaperStage_Close(&stage);
	return good;
}

// `which` of the scenes; NAME.csv and NAME.svg; `strips` of all swings may be NULL
static bool makeSwing(const plPaperRun* run, const char* name, const char* title, int which, plPaperStrip* strips,
                      plError* error)
{
	double lean[swingCount][mostFrames + 1] = {{0}}, frame[mostFrames + 1];
	size_t frames = run->quick ? shotEvery * shotCount : mostFrames;
	plSeries series[swingCount];
	bool good = true;
	for (size_t f = 0; f <= frames; ++f)
		frame[f] = (double)f;
	for (int s = 0; good && s < swingCount; ++s)
	{
		good = swing(run, s, swings[s].scenes[which], frames, lean[s], strips != NULL ? strips + s : NULL, error);
		series[s] = (plSeries){swings[s].label, frame, lean[s], frames + 1};
	}
	plChart chart = {.title = title,
	                 .subtitle = "10 iterations a frame (newton: to convergence), h = 1/30 s",
	                 .xLabel = "frame",
	                 .yLabel = "mean displacement along the push (m)",
	                 .legend = true,
	                 .series = series,
	                 .seriesCount = swingCount};
	if (!good)
		return false;
	plPaperFile file;
	plPaperFile_Begin(&file, "frame,polynomial,limits_projective,limits_newton");
	for (size_t f = 0; f <= frames; ++f)
		plPaperFile_Print(&file, "%zu,%.6g,%.6g,%.6g\n", f, lean[0][f], lean[1][f], lean[2][f]);
	return plPaper_WriteFigure(run, name, &file, &chart, error);
}

static bool makeLimits(const plPaperRun* run, plError* error)
{
	static const plPaperView views[2] = {
	    {"figure10-frames-polynomial", "640x160", "4.6,1.6,16.4", "4.6,0.85,0", "none", NULL, "10", NULL},
	    {"figure10-frames-limits", "640x160", "4.6,1.6,16.4", "4.6,0.85,0", "none", NULL, "10", NULL}};
	plPaperStrip strips[swingCount] = {{0}};
	bool good = makeStress(run, error) &&
	            makeSwing(run, "figure10-swing", "Figure 10: heads after a push", 0, strips, error) &&
	            plPaperStrip_Draw(strips, run, views, error) && plPaperStrip_Draw(strips + 1, run, views + 1, error) &&
	            makeSwing(run, "figure10-gently", "Figure 10: heads after a fifth of the push", 1, NULL, error);
	for (int i = 0; i < swingCount; ++i)
		plPaperStrip_Destroy(strips + i);
	return good;
}

const plPaperFigure plPaperQuasiLimits[] = {
    {"10", "the polynomial law and strain limits: stress, swing, a picture", makeLimits}, {0}};
