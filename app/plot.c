// plot.c: `pliant plot [LAW...] -o FILE.svg`: nominal stress against stretch, measured on a cube with free sides
#include "app.h"
#include "chart.h"
#include "options.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	optionOutput,
	optionYoung,
	optionPoisson,
	optionFrom,
	optionTo,
	optionPoints,
	optionPreset,
	optionStress,
	optionSize,
	optionHelp,
	optionCount
};

static const plOption options[optionCount] = {
    [optionOutput] = {"output", 'o', "FILE", "the plot, .svg"},
    [optionYoung] = {"young", 0, "E", "Young's modulus (Pa, default 1); laws without it take mu = E/2.6"},
    [optionPoisson] = {"poisson", 0, "NU", "Poisson's ratio (default 0.3)"},
    [optionFrom] = {"from", 0, "S", "smallest stretch (default 0.6)"},
    [optionTo] = {"to", 0, "S", "largest stretch (default 2)"},
    [optionPoints] = {"points", 0, "N", "points of a curve (default 33)"},
    [optionPreset] = {"preset", 0, "A|B", "curves of spline (default A)"},
    [optionStress] = {"stress", 0, "LOW,HIGH", "what the vertical axis shows (Pa, default: what the curves need)"},
    [optionSize] = {"size", 0, "W,H", "of the frame, in points (default 640,400)"},
    [optionHelp] = {"help", 'h', NULL, "this text"},
};

typedef struct Plot
{
	const char* path;
	double young, poisson, from, to;
	double stress[2], size[2];
	int64_t points;
	plSplinePreset preset;
	bool wanted[pl_lawCount];
	bool any, help; // any: of the laws is named
} Plot;

static void printHelp(void)
{
	printf(
	    "pliant plot [LAW...] -o FILE.svg [options]\n\n"
	    "Draws a cube of each law between plates on which its ends slide, and plots nominal stress against stretch.\n"
	    "A stretch at which no equilibrium is found is a gap in the curve, and is said. Laws:\n ");
	for (int law = 0; law < pl_lawCount; ++law)
		if (law != pl_lawCallback)
			printf(" %s", plLaw_GetName((plLaw)law));
	printf("\n");
	plOption_PrintAll(options, optionCount);
	printf("\nExample\n  pliant plot neo-hookean stvk corotated --from 0.6 --to 2 -o laws.svg\n");
}

static bool addLaw(Plot* plot, const char* name)
{
	plLaw law;
	if (plFindLaw(name, &law) && law != pl_lawCallback)
	{
		plot->wanted[law] = true;
		return true;
	}
	const char* names[pl_lawCount + 1] = {0};
	char words[512];
	int count = 0;
	for (int i = 0; i < pl_lawCount; ++i)
		if (i != pl_lawCallback)
			names[count++] = plLaw_GetName((plLaw)i);
	plApp_Report("pliant plot --help lists the laws", "unknown law '%s'; %s", name,
	             plSuggest(name, names, words, sizeof words));
	return false;
}

static bool readPreset(Plot* plot, const char* name)
{
	bool known = strcmp(name, "A") == 0 || strcmp(name, "B") == 0;
	if (!known)
		plApp_Report(NULL, "--preset %s: there are A and B", name);
	plot->preset = name[0] == 'B' ? pl_splineB : pl_splineA;
	return known;
}

static bool applyArgument(void* context, int option, const char* value)
{
	Plot* plot = context;
	switch (option)
	{
	case optionOutput:
		plot->path = value;
		return true;
	case optionYoung:
		return plOption_ParseReal("young", value, 0.0, &plot->young);
	case optionPoisson:
		return plOption_ParseReal("poisson", value, -1.0, &plot->poisson);
	case optionFrom:
		return plOption_ParseReal("from", value, 0.0, &plot->from);
	case optionTo:
		return plOption_ParseReal("to", value, 0.0, &plot->to);
	case optionPoints:
		return plOption_ParseCount("points", value, 2, 10000, &plot->points);
	case optionPreset:
		return readPreset(plot, value);
	case optionStress:
		return plOption_ParseReals("stress", value, 2, plot->stress);
	case optionSize:
		return plOption_ParseReals("size", value, 2, plot->size);
	case pl_argumentPlain:
		plot->any = true;
		return addLaw(plot, value);
	default:
		plot->help = true;
		return true;
	}
}

static bool readOptions(Plot* plot, int argc, char** argv)
{
	bool good = plArguments_TakeAll(argc, argv, options, optionCount, applyArgument, plot);
	for (int law = 0; !plot->any && law < pl_lawCount; ++law)
		plot->wanted[law] = law != pl_lawCallback;
	size_t length = plot->path != NULL ? strlen(plot->path) : 0;
	if (good && !plot->help && (length < 5 || strcmp(plot->path + length - 4, ".svg") != 0))
	{
		plApp_Report("pliant plot neo-hookean -o laws.svg", "where should the plot go? -o FILE.svg");
		good = false;
	}
	if (good && !(plot->from > 0.0 && plot->from < plot->to))
	{
		plApp_Report(NULL, "--from %g --to %g: the stretches must be above 0 and rise", plot->from, plot->to);
		good = false;
	}
	if (good && !(plot->stress[0] < plot->stress[1] || (plot->stress[0] == 0.0 && plot->stress[1] == 0.0)))
	{
		plApp_Report(NULL, "--stress %g,%g: the second must be the larger", plot->stress[0], plot->stress[1]);
		good = false;
	}
	if (good && !(plot->size[0] >= 100.0 && plot->size[1] >= 100.0 && plot->size[0] <= 1e4 && plot->size[1] <= 1e4))
	{
		plApp_Report(NULL, "--size %g,%g: from 100 to 10000 points each", plot->size[0], plot->size[1]);
		good = false;
	}
	return good;
}

static plMaterialDef materialOf(const Plot* plot, plLaw law)
{
	plMaterialDef material = plDefaultMaterialDef();
	material.law = law;
	material.preset = law == pl_lawSpline ? plot->preset : pl_splineOwn;
	material.young = plot->young;
	material.poisson = plot->poisson;
	material.fromModuli = plLaw_HasModuli(law);
	material.coefficients[0] = plot->young / 2.6;
	if (law == pl_lawStrainLimit)
		material.coefficients[1] = 4.0 * material.coefficients[0];
	return material;
}

// Fills one curve; stretches without an equilibrium become gaps and are counted. False: the material is refused.
static bool measureCurve(const Plot* plot, plLaw law, const double* stretch, double* stress)
{
	plMaterialDef material = materialOf(plot, law);
	int64_t gaps = 0;
	plError error = {0};
	for (int64_t i = 0; i < plot->points; ++i)
		if (!plRig_PullCube(NULL, &material, stretch[i], stress + i, &error))
		{
			stress[i] = NAN;
			++gaps;
		}
	if (gaps == plot->points)
	{
		plApp_Report(NULL, "%s: %s", plLaw_GetName(law), error.message);
		return false;
	}
	if (gaps > 0)
		plApp_Warn(NULL, "%s: no equilibrium found at %lld of %lld stretches", plLaw_GetName(law), (long long)gaps,
		           (long long)plot->points);
	return true;
}

// What is drawn, and its parameters. A single law is named here, several at their curves.
static void makeTitle(const Plot* plot, const char* law, char* title, size_t size)
{
	plLaw number = pl_lawStvk;
	const char* preset = "";
	if (law != NULL && plFindLaw(law, &number) && number == pl_lawSpline)
		preset = plot->preset == pl_splineB ? " B" : " A";
	if (law == NULL)
		snprintf(title, size, "uniaxial stretch with free sides, E = %g Pa, nu = %g", plot->young, plot->poisson);
	else if (plLaw_HasModuli(number))
		snprintf(title, size, "%s%s, E = %g Pa, nu = %g", law, preset, plot->young, plot->poisson);
	else
		snprintf(title, size, "%s, mu = %.3g Pa%s", law, plot->young / 2.6,
		         number == pl_lawStrainLimit ? ", stiffness 4 mu" : "");
}

static bool writeChart(const Plot* plot, plSeries* series, size_t count)
{
	char title[128];
	makeTitle(plot, count == 1 ? series[0].label : NULL, title, sizeof title);
	if (count == 1)
		series[0].label = "";
	plChart chart = {.title = title,
	                 .xLabel = "stretch",
	                 .yLabel = "nominal stress (Pa)",
	                 .width = plot->size[0],
	                 .height = plot->size[1],
	                 .yLow = plot->stress[0],
	                 .yHigh = plot->stress[1],
	                 .series = series,
	                 .seriesCount = count};
	FILE* file = fopen(plot->path, "w");
	bool good = file != NULL && plChart_Write(&chart, file);
	good = file != NULL && fclose(file) == 0 && good;
	if (!good)
	{
		if (file != NULL)
			remove(plot->path);
		plApp_Report("choose another file with -o", "%s: cannot be written", plot->path);
	}
	return good;
}

int plApp_Plot(int argc, char** argv)
{
	Plot plot = {.young = 1.0,
	             .poisson = 0.3,
	             .from = 0.6,
	             .to = 2.0,
	             .size = {640.0, 400.0},
	             .points = 33,
	             .preset = pl_splineA};
	if (!readOptions(&plot, argc, argv))
		return pl_exitUsage;
	if (plot.help)
	{
		printHelp();
		return pl_exitDone;
	}
	size_t points = (size_t)plot.points, count = 0;
	double* numbers = malloc((pl_lawCount + 1) * points * sizeof *numbers);
	bool good = numbers != NULL;
	plSeries series[pl_lawCount];
	for (size_t i = 0; good && i < points; ++i)
		numbers[i] = plot.from + (plot.to - plot.from) * (double)i / (double)(points - 1);
	for (int law = 0; good && law < pl_lawCount; ++law)
		if (plot.wanted[law])
		{
			double* stress = numbers + (count + 1) * points;
			good = measureCurve(&plot, (plLaw)law, numbers, stress);
			series[count++] = (plSeries){plLaw_GetName((plLaw)law), numbers, stress, points};
		}
	good = good && writeChart(&plot, series, count);
	free(numbers);
	return good ? pl_exitDone : pl_exitUsage;
}
