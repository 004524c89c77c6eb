// chart.c: curves as SVG, by hand: no library, the same bytes everywhere
//
// The frame is 640 x 400 points with room for labels to its right. Axes are linear with steps of 1, 2 or 5 times a
// power of ten, or logarithmic by decades. Each curve is labelled at its right end; labels that would touch are moved
// apart.
#include "chart.h"

#include <math.h>
#include <stdlib.h>

enum
{
	left = 70,
	top = 40,
	width = 640,
	height = 400,
	labelRoom = 170,
	below = 60,
	labelHeight = 15,
};

static const char* const colours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf",
                                      "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#393b79"};

typedef struct Axis
{
	double low, high; // in the axis's own scale: the logarithm on a logarithmic one
	double step;
	bool isLog;
} Axis;

typedef struct Label
{
	double y;
	size_t series;
} Label;

static bool toAxis(const Axis* axis, double value, double* out)
{
	if (!isfinite(value) || (axis->isLog && value <= 0.0))
		return false;
	*out = axis->isLog ? log10(value) : value;
	return true;
}

// The smallest of 1, 2, 5 times a power of ten that makes at most eight steps.
static double niceStep(double range)
{
	double power = pow(10.0, floor(log10(range / 8.0)));
	double over = range / 8.0 / power;
	return power * (over <= 1.0 ? 1.0 : over <= 2.0 ? 2.0 : over <= 5.0 ? 5.0 : 10.0);
}

static Axis fitAxis(const plChart* chart, bool horizontal)
{
	Axis axis = {INFINITY, -INFINITY, 1.0, horizontal ? chart->xLog : chart->yLog};
	for (size_t s = 0; s < chart->seriesCount; ++s)
		for (size_t i = 0; i < chart->series[s].count; ++i)
		{
			double value;
			if (!toAxis(&axis, horizontal ? chart->series[s].x[i] : chart->series[s].y[i], &value))
				continue;
			axis.low = fmin(axis.low, value);
			axis.high = fmax(axis.high, value);
		}
	if (!(axis.low < axis.high))
	{
		double middle = isfinite(axis.low) ? axis.low : 0.0;
		axis.low = middle - 0.5;
		axis.high = middle + 0.5;
	}
	axis.step = axis.isLog ? fmax(1.0, ceil((axis.high - axis.low) / 8.0)) : niceStep(axis.high - axis.low);
	axis.low = axis.step * floor(axis.low / axis.step + 1e-9);
	axis.high = axis.step * ceil(axis.high / axis.step - 1e-9);
	return axis;
}

static double placeX(const Axis* axis, double value)
{
	return left + width * (value - axis->low) / (axis->high - axis->low);
}

static double placeY(const Axis* axis, double value)
{
	return top + height * (axis->high - value) / (axis->high - axis->low);
}

static void writeText(FILE* file, const char* text)
{
	for (; *text != '\0'; ++text)
		if (*text == '<')
			fputs("&lt;", file);
		else if (*text == '&')
			fputs("&amp;", file);
		else
			fputc(*text, file);
}

static void writeTick(FILE* file, const Axis* axis, double value)
{
	if (axis->isLog)
		fprintf(file, "1e%.0f", value);
	else
		fprintf(file, "%g", fabs(value) < 1e-9 * axis->step ? 0.0 : value);
}

static void writeAxes(FILE* file, const plChart* chart, const Axis* x, const Axis* y)
{
	for (double v = x->low; v <= x->high + 0.5 * x->step; v += x->step)
	{
		double at = placeX(x, v);
		fprintf(file, "<path d=\"M%.1f %dV%d\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", at,
		        top, top + height, at, top + height + 18);
		writeTick(file, x, v);
		fputs("</text>\n", file);
	}
	for (double v = y->low; v <= y->high + 0.5 * y->step; v += y->step)
	{
		double at = placeY(y, v);
		fprintf(file, "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", left,
		        at, left + width, left - 6, at + 4.0);
		writeTick(file, y, v);
		fputs("</text>\n", file);
	}
	fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#333\"/>\n", left, top,
	        width, height);
	fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", left + width / 2, top + height + 42);
	writeText(file, chart->xLabel);
	fprintf(file, "</text>\n<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">",
	        top + height / 2);
	writeText(file, chart->yLabel);
	fprintf(file, "</text>\n<text x=\"%d\" y=\"24\" font-size=\"15\" font-weight=\"bold\">", left);
	writeText(file, chart->title);
	fputs("</text>\n", file);
}

// Draws the curve; returns the height of its last point, or the middle if it has none.
static double writeCurve(FILE* file, const plSeries* series, const Axis* x, const Axis* y, const char* colour)
{
	double end = top + 0.5 * height;
	bool drawing = false;
	fprintf(file, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"", colour);
	for (size_t i = 0; i < series->count; ++i)
	{
		double u, v;
		if (!toAxis(x, series->x[i], &u) || !toAxis(y, series->y[i], &v))
		{
			drawing = false;
			continue;
		}
		end = placeY(y, v);
		fprintf(file, "%c%.1f %.1f", drawing ? 'L' : 'M', placeX(x, u), end);
		drawing = true;
	}
	fputs("\"/>\n", file);
	return end;
}

static int compareLabels(const void* a, const void* b)
{
	const Label *x = a, *y = b;
	return x->y < y->y ? -1 : x->y > y->y;
}

// Downwards in order, then back up from the bottom, so that no two are closer than a line.
static void separateLabels(Label* labels, size_t count)
{
	qsort(labels, count, sizeof *labels, compareLabels);
	for (size_t i = 1; i < count; ++i)
		labels[i].y = fmax(labels[i].y, labels[i - 1].y + labelHeight);
	double lowest = top + height;
	for (size_t i = count; i-- > 0; lowest = labels[i].y - labelHeight)
		labels[i].y = fmin(labels[i].y, lowest);
}

bool plChart_Write(const plChart* chart, FILE* file)
{
	const size_t colourCount = sizeof colours / sizeof *colours;
	Label* labels = malloc((chart->seriesCount + 1) * sizeof *labels);
	if (labels == NULL)
		return false;
	Axis x = fitAxis(chart, true), y = fitAxis(chart, false);
	fprintf(file,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
	        "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
	        left + width + labelRoom, top + height + below);
	writeAxes(file, chart, &x, &y);
	for (size_t s = 0; s < chart->seriesCount; ++s)
		labels[s] = (Label){writeCurve(file, chart->series + s, &x, &y, colours[s % colourCount]), s};
	separateLabels(labels, chart->seriesCount);
	for (size_t i = 0; i < chart->seriesCount; ++i)
	{
		fprintf(file, "<text x=\"%d\" y=\"%.1f\" fill=\"%s\">", left + width + 8, labels[i].y + 4.0,
		        colours[labels[i].series % colourCount]);
		writeText(file, chart->series[labels[i].series].label);
		fputs("</text>\n", file);
	}
	fputs("</svg>\n", file);
	free(labels);
	return ferror(file) == 0;
}
