// files.c: files of a figure: text, charts, stacked bars
#include "papers.h"
#include "pliant/io.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

FILE* plPaperFile_Open(plPaperFile* file)
{
	*file = (plPaperFile){0};
	file->out = open_memstream(&file->text, &file->bytes);
	return file->out;
}

bool plPaperFile_Close(plPaperFile* file, const plPaperRun* run, const char* name, plError* error)
{
	size_t length = strlen(run->folder) + strlen(name) + 2;
	char* path = malloc(length);
	bool good = file->out != NULL && fclose(file->out) == 0 && path != NULL;
	if (!good)
		snprintf(error->message, sizeof error->message, "%s: not enough memory to write it", name);
	else
	{
		snprintf(path, length, "%s/%s", run->folder, name);
		good = plFile_WriteAll(path, file->text, file->bytes, error) == pl_success;
	}
	free(file->text);
	free(path);
	*file = (plPaperFile){0};
	return good;
}

void plPaperFile_Discard(plPaperFile* file)
{
	if (file->out != NULL)
		fclose(file->out);
	free(file->text);
	*file = (plPaperFile){0};
}

void plPaperFile_Begin(plPaperFile* file, const char* columns)
{
	plPaperFile_Open(file);
	plPaperFile_Print(file, "%s\n", columns);
}

void plPaperFile_Print(plPaperFile* file, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	if (file->out != NULL)
		vfprintf(file->out, format, arguments);
	va_end(arguments);
}

bool plPaper_WriteFigure(const plPaperRun* run, const char* name, plPaperFile* numbers, const plChart* chart,
                         plError* error)
{
	char csv[64], svg[64];
	snprintf(csv, sizeof csv, "%s.csv", name);
	snprintf(svg, sizeof svg, "%s.svg", name);
	return plPaperFile_Close(numbers, run, csv, error) && plPaper_WriteChart(run, svg, chart, error);
}

bool plPaper_WriteChart(const plPaperRun* run, const char* name, const plChart* chart, plError* error)
{
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL && plChart_Write(chart, out))
		return plPaperFile_Close(&file, run, name, error);
	plPaperFile_Discard(&file);
	snprintf(error->message, sizeof error->message, "%s: not enough memory to draw it", name);
	return false;
}

// ---- bars -----------------------------------------------------------------------------------------------------------

enum
{
	barLeft = 150,
	barWidth = 520,
	barHeight = 26,
	barStep = 40,
	barTop = 72
};

static const char* const barColours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf"};

static double sumRow(const plBars* bars, size_t row)
{
	double sum = 0.0;
	for (size_t p = 0; p < bars->partCount; ++p)
		sum += bars->values[row * bars->partCount + p];
	return sum;
}

static void drawLegend(FILE* out, const plBars* bars)
{
	double x = barLeft;
	for (size_t p = 0; p < bars->partCount; ++p)
	{
		fprintf(
		    out,
		    "<rect x=\"%.0f\" y=\"42\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%.0f\" y=\"52\">%s</text>\n",
		    x, barColours[p % 6], x + 17.0, bars->parts[p]);
		x += 40.0 + 6.7 * (double)strlen(bars->parts[p]);
	}
}

static void drawRow(FILE* out, const plBars* bars, size_t row, double scale)
{
	double x = barLeft, y = barTop + (double)(row * barStep);
	fprintf(out, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%s</text>\n", barLeft - 8, y + 17.0, bars->rows[row]);
	for (size_t p = 0; p < bars->partCount; ++p)
	{
		double width = scale * bars->values[row * bars->partCount + p];
		fprintf(out, "<rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", x, y, width, barHeight,
		        barColours[p % 6]);
		x += width;
	}
	fprintf(out, "<text x=\"%.1f\" y=\"%.0f\">%.3g</text>\n", x + 6.0, y + 17.0, sumRow(bars, row));
}

bool plPaper_WriteBars(const plPaperRun* run, const char* name, const plBars* bars, plError* error)
{
	double most = 0.0, bottom = barTop + (double)(bars->rowCount * barStep);
	for (size_t r = 0; r < bars->rowCount; ++r)
		most = fmax(most, sumRow(bars, r));
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
	{
		fprintf(
		    out,
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" font-family=\"Helvetica, Arial, "
		    "sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
		    "<text x=\"20\" y=\"26\" font-size=\"15\" font-weight=\"bold\">%s</text>\n",
		    barLeft + barWidth + 70, bottom + 30.0, bars->title);
		drawLegend(out, bars);
		for (size_t r = 0; r < bars->rowCount; ++r)
			drawRow(out, bars, r, most > 0.0 ? barWidth / most : 0.0);
		fprintf(out,
		        "<path d=\"M%d %dV%.0f\" stroke=\"#333\"/><text x=\"%d\" y=\"%.0f\" text-anchor=\"middle\">%s</text>\n"
		        "</svg>\n",
		        barLeft, barTop - 6, bottom - 6.0, barLeft + barWidth / 2, bottom + 14.0, bars->xLabel);
	}
	return plPaperFile_Close(&file, run, name, error);
}
