// chart.c: curves as SVG, by hand: no library, the same bytes everywhere
//
//   title, subtitle, legend      as many rows as they need
//   frame                        grid, curves, marks
//   tick labels, axis labels     linear axes have steps of 1, 2 or 5 times a power of ten, logarithmic ones decades
//
// A curve that has come down to the floor for good ends there. Each is labelled at its right end, next to the frame or,
// if it ends earlier, inside; labels that would touch are moved apart.
#include "chart_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	left = 70,
	below = 60,
	titleHeight = 40,
	rowHeight = 18,
	mostMarks = 32, // of a curve
};

static const double letterWidth = 6.7; // of the font below, on the safe side

static const char* const colours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf",
                                      "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#393b79"};
static const char* const marks[] = {"m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0", "m-3-3h6v6h-6z", "m0-4l4 7h-8z",
                                    "m0-4.5l4 4.5l-4 4.5l-4-4.5z", "m0 4l4-7h-8z"};

enum
{
	colourCount = sizeof colours / sizeof *colours,
	markCount = sizeof marks / sizeof *marks
};

typedef struct Page
{
	const plChart* chart;
	FILE* file;
	double top, width, height; // of the frame
	plAxis x, y;
} Page;

// ---- axes ----------------------------------------------------------------------------------------------------------

// A point of a curve in the scales of the axes; false: a gap.
static bool toAxes(const Page* page, const plSeries* series, size_t i, double* u, double* v)
{
	double y = series->y[i] <= page->chart->floor && page->chart->floor > 0.0 ? page->chart->floor : series->y[i];
	return plAxis_Scale(&page->x, series->x[i], u) && plAxis_Scale(&page->y, y, v);
}

// How much of a curve is drawn: the rest lies at the floor.
static size_t countShown(const Page* page, const plSeries* series)
{
	size_t count = series->count;
	while (count > 0 && series->y[count - 1] <= page->chart->floor && page->chart->floor > 0.0)
		--count;
	return count < series->count ? count + 1 : count;
}

static void fitAxes(Page* page)
{
	const plChart* chart = page->chart;
	page->x = (plAxis){INFINITY, -INFINITY, 1.0, chart->xLog};
	page->y = (plAxis){INFINITY, -INFINITY, 1.0, chart->yLog};
	for (size_t s = 0; s < chart->seriesCount; ++s)
		for (size_t i = 0; i < countShown(page, chart->series + s); ++i)
		{
			double u, v;
			if (!toAxes(page, chart->series + s, i, &u, &v))
				continue;
			plAxis_Widen(&page->x, u);
			plAxis_Widen(&page->y, v);
		}
	if (chart->floor > 0.0 && chart->yLog && page->y.low < page->y.high) // room for labels below the floor
		page->y.low -= fmax(0.0, page->y.low + 0.08 * (page->y.high - page->y.low) - log10(chart->floor));
	bool fixed = chart->yLow < chart->yHigh && plAxis_Scale(&page->y, chart->yLow, &page->y.low) &&
	             plAxis_Scale(&page->y, chart->yHigh, &page->y.high);
	plAxis_Round(&page->x, page->width * 0.8);
	plAxis_Round(&page->y, fixed && page->height < 300.0 ? 2.0 * page->height : page->height);
}

static double placeX(const Page* page, double value)
{
	return left + page->width * (value - page->x.low) / (page->x.high - page->x.low);
}

static double placeY(const Page* page, double value)
{
	return page->top + page->height * (page->y.high - value) / (page->y.high - page->y.low);
}

// ---- text ----------------------------------------------------------------------------------------------------------

static double textWidth(const char* text)
{
	return letterWidth * (double)strlen(text);
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

static void writeTick(FILE* file, const plAxis* axis, double value)
{
	if (axis->isLog)
		fprintf(file, "10<tspan dy=\"-5\" font-size=\"9\">%s%.0f</tspan>", value < 0.0 ? "\u2212" : "", fabs(value));
	else
		fprintf(file, "%g", fabs(value) < 1e-9 * axis->step ? 0.0 : value);
}

static void writeTitles(const Page* page)
{
	const plChart* chart = page->chart;
	FILE* file = page->file;
	double middle = page->top + 0.5 * page->height, bottom = page->top + page->height;
	fprintf(file, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">", left + 0.5 * page->width, bottom + 42.0);
	writeText(file, chart->xLabel);
	fprintf(file, "</text>\n<text transform=\"translate(16 %.0f) rotate(-90)\" text-anchor=\"middle\">", middle);
	writeText(file, chart->yLabel);
	fprintf(file, "</text>\n<text x=\"%d\" y=\"24\" font-size=\"15\" font-weight=\"bold\">", left);
	writeText(file, chart->title);
	fputs("</text>\n", file);
	if (chart->subtitle == NULL)
		return;
	fprintf(file, "<text x=\"%d\" y=\"42\" fill=\"#555\">", left);
	writeText(file, chart->subtitle);
	fputs("</text>\n", file);
}

// ---- the frame -----------------------------------------------------------------------------------------------------

// Ticks between the labelled ones: decades that have no label, or the numbers 2 to 9 times a power of ten.
static void writeMinorTicks(const Page* page, const plAxis* axis, bool horizontal)
{
	if (!axis->isLog)
		return;
	double bottom = page->top + page->height;
	fputs("<path stroke=\"#333\" stroke-width=\"0.7\" d=\"", page->file);
	for (double decade = floor(axis->low + 1e-9); decade < axis->high - 1e-9; decade += 1.0)
		for (int k = 1; k < (axis->step > 1.0 ? 2 : 10); ++k)
		{
			double v = decade + log10((double)k);
			if (v < axis->low || v > axis->high)
				continue;
			if (horizontal)
				fprintf(page->file, "M%.1f %.1fv-%d", placeX(page, v), bottom, k == 1 ? 6 : 3);
			else
				fprintf(page->file, "M%d %.1fh%d", left, placeY(page, v), k == 1 ? 6 : 3);
		}
	fputs("\"/>\n", page->file);
}

static void writeAxes(const Page* page)
{
	FILE* file = page->file;
	const plAxis *x = &page->x, *y = &page->y;
	double bottom = page->top + page->height, right = left + page->width;
	for (double v = x->step * ceil(x->low / x->step - 1e-9); v <= x->high + 1e-9 * x->step; v += x->step)
	{
		double at = placeX(page, v);
		fprintf(file,
		        "<path d=\"M%.1f %.0fV%.0f\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">", at,
		        page->top, bottom, at, bottom + 18.0);
		writeTick(file, x, v);
		fputs("</text>\n", file);
	}
	for (double v = y->step * ceil(y->low / y->step - 1e-9); v <= y->high + 1e-9 * y->step; v += y->step)
	{
		double at = placeY(page, v);
		fprintf(file, "<path d=\"M%d %.1fH%.0f\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", left,
		        at, right, left - 6, at + 4.0);
		writeTick(file, y, v);
		fputs("</text>\n", file);
	}
	writeMinorTicks(page, x, true);
	writeMinorTicks(page, y, false);
	fprintf(file, "<rect x=\"%d\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" fill=\"none\" stroke=\"#333\"/>\n", left,
	        page->top, page->width, page->height);
}

// Height of the floor's line; false: there is none.
static bool placeFloor(const Page* page, double* at)
{
	double v;
	bool shown = page->chart->floor > 0.0 && plAxis_Scale(&page->y, page->chart->floor, &v) && v >= page->y.low &&
	             v <= page->y.high;
	if (shown)
		*at = placeY(page, v);
	return shown;
}

static void writeFloor(const Page* page)
{
	double at;
	if (placeFloor(page, &at))
		fprintf(page->file, "<path d=\"M%d %.1fH%.0f\" stroke=\"#888\" stroke-dasharray=\"2 3\"/>\n", left, at,
		        left + page->width);
}

// ---- curves --------------------------------------------------------------------------------------------------------

static void writeMark(FILE* file, size_t series, double x, double y)
{
	fprintf(file, "M%.1f %.1f%s", x, y, marks[series % markCount]);
}

static void openMarks(FILE* file, size_t series)
{
	fprintf(file, "<path fill=\"#fff\" stroke=\"%s\" stroke-width=\"1.4\" d=\"", colours[series % colourCount]);
}

// Where the label of a curve belongs, at its last point; false: it has none.
static bool findEnd(const Page* page, size_t number, plChartLabel* end)
{
	const plSeries* series = page->chart->series + number;
	double u, v;
	for (size_t i = countShown(page, series); i-- > 0 && series->label[0] != '\0';)
		if (toAxes(page, series, i, &u, &v))
		{
			*end = (plChartLabel){placeX(page, u), fmin(fmax(placeY(page, v), page->top), page->top + page->height),
			                      textWidth(series->label), number, false};
			return true;
		}
	return false;
}

static void writeCurve(const Page* page, size_t number)
{
	const plSeries* series = page->chart->series + number;
	size_t count = countShown(page, series);
	bool drawing = false;
	double u, v;
	fprintf(page->file, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s%s d=\"", colours[number % colourCount],
	        number >= colourCount ? " stroke-dasharray=\"6 3\"" : "",
	        page->chart->yLow < page->chart->yHigh ? " clip-path=\"url(#frame)\"" : "");
	for (size_t i = 0; i < count; ++i)
	{
		bool shown = toAxes(page, series, i, &u, &v);
		if (shown)
			fprintf(page->file, "%c%.1f %.1f", drawing ? 'L' : 'M', placeX(page, u), placeY(page, v));
		drawing = shown;
	}
	fputs("\"/>\n", page->file);
}

static void writeMarks(const Page* page, size_t number)
{
	const plSeries* series = page->chart->series + number;
	size_t count = countShown(page, series), every = count / mostMarks + 1;
	double u, v;
	openMarks(page->file, number);
	for (size_t i = 0; i < count; i += every)
		if (toAxes(page, series, i, &u, &v))
			writeMark(page->file, number, placeX(page, u), placeY(page, v));
	fputs("\"/>\n", page->file);
}

// ---- labels and legend ---------------------------------------------------------------------------------------------

// Labels of the curves and of the floor, moved apart. Returns how many.
static size_t placeLabels(const Page* page, plChartLabel* labels)
{
	const plChart* chart = page->chart;
	size_t count = 0;
	double at;
	for (size_t s = 0; s < chart->seriesCount; ++s)
		count += findEnd(page, s, labels + count);
	if (placeFloor(page, &at))
		labels[count++] = (plChartLabel){left + page->width, at, textWidth(chart->floorWord), chart->seriesCount, true};
	plChartLabel_Place(labels, count, page->top + page->height);
	return count;
}

static void writeLabels(const Page* page, const plChartLabel* labels, size_t count)
{
	for (size_t i = 0; i < count; ++i)
	{
		size_t number = labels[i].series;
		bool isCurve = number < page->chart->seriesCount;
		fprintf(page->file,
		        "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\">",
		        labels[i].x + 8.0, labels[i].y + 4.0, isCurve ? colours[number % colourCount] : "#888");
		writeText(page->file, isCurve ? page->chart->series[number].label : page->chart->floorWord);
		fputs("</text>\n", page->file);
	}
}

// Entries from left to right, as many rows as they need; returns how many. Without a file they are only counted.
static int layLegend(const Page* page, double y)
{
	const plChart* chart = page->chart;
	double x = left;
	int rows = chart->legend && chart->seriesCount > 0;
	for (size_t s = 0; chart->legend && s < chart->seriesCount; ++s)
	{
		double width = 54.0 + textWidth(chart->series[s].label);
		if (x > left && x + width > left + page->width)
		{
			x = left;
			++rows;
		}
		double at = y + (rows - 1) * rowHeight;
		if (page->file != NULL)
		{
			fprintf(page->file, "<path d=\"M%.1f %.1fh28\" stroke=\"%s\" stroke-width=\"2\"%s/>", x, at,
			        colours[s % colourCount], s >= colourCount ? " stroke-dasharray=\"6 3\"" : "");
			if (chart->marks)
			{
				openMarks(page->file, s);
				writeMark(page->file, s, x + 14.0, at);
				fputs("\"/>", page->file);
			}
			fprintf(page->file, "<text x=\"%.1f\" y=\"%.1f\">", x + 34.0, at + 4.0);
			writeText(page->file, chart->series[s].label);
			fputs("</text>\n", page->file);
		}
		x += width;
	}
	return rows;
}

// ---- all of it -----------------------------------------------------------------------------------------------------

// Room right of the frame for labels and the ends of titles.
static double roomOf(const Page* page, const plChartLabel* labels, size_t count)
{
	const plChart* chart = page->chart;
	double room = fmax(20.0, 1.3 * textWidth(chart->title) - page->width);
	if (chart->subtitle != NULL)
		room = fmax(room, textWidth(chart->subtitle) - page->width);
	for (size_t i = 0; i < count; ++i)
		room = fmax(room, labels[i].x + 16.0 + labels[i].width - left - page->width);
	return room;
}

bool plChart_Write(const plChart* chart, FILE* file)
{
	plChartLabel* labels = malloc((chart->seriesCount + 1) * sizeof *labels);
	if (labels == NULL)
		return false;
	Page page = {.chart = chart, .width = 640.0, .height = 400.0};
	if (chart->width > 0.0 && chart->height > 0.0)
	{
		page.width = chart->width;
		page.height = chart->height;
	}
	double head = titleHeight + (chart->subtitle != NULL ? rowHeight : 0.0);
	int rows = layLegend(&page, 0.0);
	page.top = head + rows * rowHeight + (rows > 0 ? 4.0 : 0.0);
	page.file = file;
	fitAxes(&page);
	size_t ends = placeLabels(&page, labels);
	fprintf(file,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"Helvetica, Arial, "
	        "sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
	        left + page.width + roomOf(&page, labels, ends), page.top + page.height + below);
	if (chart->yLow < chart->yHigh)
		fprintf(file, "<clipPath id=\"frame\"><rect x=\"%d\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\"/></clipPath>\n",
		        left, page.top, page.width, page.height);
	writeAxes(&page);
	writeTitles(&page);
	layLegend(&page, head + 2.0);
	writeFloor(&page);
	for (size_t s = 0; s < chart->seriesCount; ++s)
		writeCurve(&page, s);
	writeLabels(&page, labels, ends);
	for (size_t s = 0; chart->marks && s < chart->seriesCount; ++s)
		writeMarks(&page, s);
	fputs("</svg>\n", file);
	free(labels);
	return ferror(file) == 0;
}
