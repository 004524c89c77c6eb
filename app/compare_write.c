// compare_write.c: what `pliant compare` found, as CSV, as plots and as a table
#include "chart.h"
#include "compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- files -----------------------------------------------------------------------------------------------

// Fills memory by `write` and the file by that, so that it is complete or absent.
static bool writeFile(const plCompare* compare, const char* name, bool (*write)(const plCompare* compare, FILE* file),
                      plError* error)
{
	char* text = NULL;
	size_t bytes = 0, length = strlen(compare->folder) + strlen(name) + 2;
	FILE* memory = open_memstream(&text, &bytes);
	char* path = malloc(length);
	bool good = memory != NULL && path != NULL && write(compare, memory);
	good = memory != NULL && fclose(memory) == 0 && good;
	if (!good)
		snprintf(error->message, sizeof error->message, "%s: not enough memory to write it", name);
	else
	{
		snprintf(path, length, "%s/%s", compare->folder, name);
		good = plFile_WriteAll(path, text, bytes, error) == pl_success;
	}
	free(path);
	free(text);
	return good;
}

// A name with a comma or a quote stands in quotes (RFC 4180).
static void writeName(FILE* file, const char* name)
{
	bool quoted = strpbrk(name, ",\"") != NULL;
	if (quoted)
		fputc('"', file);
	for (; *name != '\0'; ++name)
	{
		if (*name == '"')
			fputc('"', file);
		fputc(*name, file);
	}
	if (quoted)
		fputc('"', file);
}

static bool writeCsv(const plCompare* compare, FILE* file)
{
	fputs("method,iteration,ms,objective,relative_error,residual\n", file);
	for (size_t i = 0; i < compare->kept.count; ++i)
	{
		const plCompareSample* s = compare->kept.samples + i;
		writeName(file, compare->entries[s->solver].name);
		fprintf(file, ",%d,%.4f,%.17g,%.17g,%.17g\n", s->iteration, s->ms, s->objective, s->relativeError, s->residual);
	}
	return ferror(file) == 0;
}

static bool writeChart(const plCompare* compare, FILE* file, bool byTime)
{
	plSceneView view = plScene_GetView(compare->job.scene);
	size_t n = compare->kept.count, vertices = 0, tets = 0;
	for (size_t i = 0; i < view.bodyCount; ++i)
	{
		plSceneBodyView body = plScene_GetBody(compare->job.scene, i);
		plMeshView mesh = body.rigidCount == 0 ? plMesh_GetView(body.mesh) : (plMeshView){0};
		vertices += mesh.vertexCount;
		tets += mesh.tetCount;
	}
	char title[200], subtitle[200];
	snprintf(title, sizeof title, "%.120s, step %" PRId64, view.name, compare->step);
	snprintf(subtitle, sizeof subtitle, "%zu vertices, %zu tetrahedra, h = %.4g s", vertices, tets, view.timestep);
	double* numbers = malloc((2 * n + 1) * sizeof *numbers);
	plSeries* series = malloc((compare->count + 1) * sizeof *series);
	bool good = numbers != NULL && series != NULL;
	for (size_t i = 0; good && i < n; ++i)
	{
		const plCompareSample* s = compare->kept.samples + i;
		numbers[i] = byTime ? s->ms : (double)s->iteration;
		numbers[n + i] = s->relativeError;
	}
	for (size_t m = 0; good && m < compare->count; ++m)
	{
		const plCompareEntry* entry = compare->entries + m;
		series[m] = (plSeries){entry->name, numbers + entry->first, numbers + n + entry->first, entry->count};
	}
	plChart chart = {.title = title,
	                 .subtitle = subtitle,
	                 .xLabel = byTime ? "time (ms)" : "iteration",
	                 .yLabel = "relative error",
	                 .xLog = byTime,
	                 .yLog = true,
	                 .floor = compare->found.noise / (compare->found.start - compare->found.best),
	                 .floorWord = "rounding",
	                 .legend = true,
	                 .marks = true,
	                 .series = series,
	                 .seriesCount = compare->count};
	good = good && plChart_Write(&chart, file);
	free(numbers);
	free(series);
	return good;
}

static bool writeByIteration(const plCompare* compare, FILE* file)
{
	return writeChart(compare, file, false);
}

static bool writeByTime(const plCompare* compare, FILE* file)
{
	return writeChart(compare, file, true);
}

bool plCompare_WriteAll(const plCompare* compare, plError* error)
{
	return writeFile(compare, "compare.csv", writeCsv, error) &&
	       writeFile(compare, "iterations.svg", writeByIteration, error) &&
	       writeFile(compare, "time.svg", writeByTime, error);
}

// ---- the table -----------------------------------------------------------------------------------------------------

static const char* formatTime(double ms, char text[16])
{
	snprintf(text, 16, ms < 1000.0 ? "%.3g" : "%.0f", ms);
	return text;
}

// "12 / 3.4 ms" of the first iterate after which the error never exceeds the limit again
static const char* reach(const plCompare* compare, const plCompareEntry* entry, double limit, char text[32])
{
	size_t i = entry->count;
	while (i > 0 && compare->kept.samples[entry->first + i - 1].relativeError <= limit)
		--i;
	if (i == entry->count)
		return "-";
	const plCompareSample* s = compare->kept.samples + entry->first + i;
	char time[16];
	snprintf(text, 32, "%d / %s ms", s->iteration, formatTime(s->ms, time));
	return text;
}

// A minimum below newton's is another one.
static void warnLower(const plCompare* compare)
{
	double noise = compare->found.noise / (compare->found.start - compare->found.best);
	for (size_t m = 0; m < compare->count; ++m)
	{
		const plCompareEntry* entry = compare->entries + m;
		double error = compare->kept.samples[entry->first + entry->count - 1].relativeError;
		if (error < -noise)
			plApp_Warn("the problem has several minima; a smaller timestep brings them together",
			           "%s ends below newton's minimum: relative error %.3g", entry->name, error);
	}
}

void plCompare_PrintTable(const plCompare* compare)
{
	const plComparison* found = &compare->found;
	int width = 6;
	for (size_t m = 0; m < compare->count; ++m)
		width = (int)strlen(compare->entries[m].name) > width ? (int)strlen(compare->entries[m].name) : width;
	printf("%s, step %" PRId64
	       ": eps(q_t) = %.10g J, eps* = %.10g J (newton, %d iterations, relative residual %.1g)\n\n",
	       plScene_GetView(compare->job.scene).name, compare->step, found->start, found->best, found->iterations,
	       found->relativeResidual);
	printf("%-*s  %10s  %9s  %10s  %10s  %17s  %17s\n", width, "method", "iterations", "ms", "error", "residual", "1 %",
	       "1e-4");
	for (size_t m = 0; m < compare->count; ++m)
	{
		const plCompareEntry* entry = compare->entries + m;
		const plCompareSample* last = compare->kept.samples + entry->first + entry->count - 1;
		char time[16], coarse[32], good[32];
		printf("%-*s  %10d  %9s  %10.2e  %10.2e  %17s  %17s\n", width, entry->name, last->iteration,
		       formatTime(last->ms, time), last->relativeError, last->residual, reach(compare, entry, 1e-2, coarse),
		       reach(compare, entry, 1e-4, good));
	}
	printf("\n%s: compare.csv, iterations.svg, time.svg\n", compare->folder);
	warnLower(compare);
}
