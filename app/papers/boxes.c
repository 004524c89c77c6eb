// boxes.c: Figure 11 of [WY16]: force against stretch of a box whose ends slide, beside each law's analytic curve
//
//   f(a) = min over b of W(a, b, b),   nominal stress = df/da = dW/da at that b
//
// by golden section and a central difference; the box is drawn by plRig_PullCube. The same s0 and s1 for the three
// isochoric laws, as in the paper.
#include "../verify/verify.h"
#include "papers.h"

#include <math.h>
#include <stdlib.h>

enum
{
	lawCount = 4,
	pointCount = 29
};

static const struct
{
	plLaw law;
	double s[PL_COEFFICIENT_COUNT];
	double from; // StVK has no equilibrium below 0.62; with a larger lambda its sides vanish before 2
} laws[lawCount] = {{pl_lawNeoHookeanIso, {1.0, 5.0, 0.0, 0.0}, 0.6},
                    {pl_lawMooneyRivlin, {1.0, 5.0, 0.5, 0.0}, 0.6},
                    {pl_lawFung, {1.0, 5.0, 0.5, 1.0}, 0.6},
                    {pl_lawStvk, {2.0, 2.0, 0.0, 0.0}, 0.62}};

static double density(int number, double a, double b)
{
	const double* s = laws[number].s;
	double I = a * a + 2.0 * b * b, second = b * b * b * b + 2.0 * a * a * b * b, J = a * b * b;
	double first = pow(J, -2.0 / 3.0) * I - 3.0, ea = 0.5 * (a * a - 1.0), eb = 0.5 * (b * b - 1.0);
	double common = s[0] * first + s[1] * (J - 1.0) * (J - 1.0);
	switch (laws[number].law)
	{
	case pl_lawMooneyRivlin:
		return common + s[2] * (pow(J, -4.0 / 3.0) * second - 3.0);
	case pl_lawFung:
		return common + s[2] * (exp(s[3] * first) - 1.0);
	case pl_lawStvk: // mu, lambda
		return 0.5 * s[1] * (ea + 2.0 * eb) * (ea + 2.0 * eb) + s[0] * (ea * ea + 2.0 * eb * eb);
	default:
		return common;
	}
}

static double analyticStress(int number, double a)
{
	const double golden = 0.61803398874989485, step = 1e-5;
	double low = 0.3, high = 1.6;
	for (int i = 0; i < 80; ++i)
	{
		double left = high - golden * (high - low), right = low + golden * (high - low);
		if (density(number, a, left) < density(number, a, right))
			high = right;
		else
			low = left;
	}
	double b = 0.5 * (low + high);
	return (density(number, a + step, b) - density(number, a - step, b)) / (2.0 * step);
}

static bool measureLaw(const plPaperRun* run, int number, size_t points, double* stretch, double* stress,
                       double* analytic, double* deviation, plError* error)
{
	plMaterialDef material = plDefaultMaterialDef();
	material.law = laws[number].law;
	material.fromModuli = false;
	for (int k = 0; k < PL_COEFFICIENT_COUNT; ++k)
		material.coefficients[k] = laws[number].s[k];
	double most = 0.0, apart = 0.0;
	for (size_t i = 0; i < points; ++i)
	{
		stretch[i] = laws[number].from + (2.0 - laws[number].from) * (double)i / (double)(points - 1);
		analytic[i] = analyticStress(number, stretch[i]);
		if (!plRig_PullCube(run->pool, &material, stretch[i], stress + i, error))
			return false;
		most = fmax(most, fabs(analytic[i]));
		apart = fmax(apart, fabs(analytic[i] - stress[i]));
	}
	*deviation = fmax(*deviation, apart / most);
	return true;
}

static bool makeForces(const plPaperRun* run, plError* error)
{
	double stretch[lawCount][pointCount], stress[lawCount][pointCount], analytic[lawCount][pointCount];
	double deviation = 0.0;
	size_t points = run->quick ? 5 : pointCount;
	plSeries series[lawCount];
	bool good = true;
	for (int l = 0; good && l < lawCount; ++l)
	{
		good = measureLaw(run, l, points, stretch[l], stress[l], analytic[l], &deviation, error);
		series[l] = (plSeries){plLaw_GetName(laws[l].law), stretch[l], stress[l], points};
	}
	char subtitle[128];
	snprintf(subtitle, sizeof subtitle,
	         "measured on a box; largest deviation from the analytic curves: %.1e of the largest force", deviation);
	plChart chart = {.title = "Figure 11: force against stretch",
	                 .subtitle = subtitle,
	                 .xLabel = "stretch",
	                 .yLabel = "force per area at rest, in units of s0",
	                 .legend = true,
	                 .marks = true,
	                 .series = series,
	                 .seriesCount = lawCount};
	if (!good)
		return false;
	plPaperFile file;
	plPaperFile_Begin(&file, "law,stretch,measured,analytic");
	for (int l = 0; l < lawCount; ++l)
		for (size_t i = 0; i < points; ++i)
			plPaperFile_Print(&file, "%s,%.6g,%.9g,%.9g\n", plLaw_GetName(laws[l].law), stretch[l][i], stress[l][i],
			                  analytic[l][i]);
	return plPaper_WriteFigure(run, "figure11", &file, &chart, error);
}

const plPaperFigure plPaperBoxes[] = {{"11", "force against stretch, beside the analytic curves", makeForces}, {0}};
