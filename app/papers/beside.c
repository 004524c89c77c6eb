// beside.c: the curve of another program among those of a figure
//
// The file is a CSV as plPaperCurves_Write leaves it: method, iteration, ms, relative error, residual, ms of the
// processor. Its lines are of one method. Its errors are only comparable if it solved the same step.
#include "papers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool readLine(plPaperCurves* c, const char* line)
{
	plCompareSample s = {.solver = c->count};
	char label[sizeof c->beside];
	int end = 0;
	if (sscanf(line, "%63[^,],%d,%lf,%lf,%lf,%lf%n", label, &s.iteration, &s.ms, &s.relativeError, &s.residual,
	           &s.processorMs, &end) != 6)
		return false;
	if (c->beside[0] == '\0')
		strcpy(c->beside, label);
	if (strcmp(c->beside, label) != 0 || (line[end] != '\0' && line[end] != '\n'))
		return false;
	plSampleList_Add(&c->kept, &s);
	return true;
}

static bool readLines(plPaperCurves* c, FILE* in, const char* path, plError* error)
{
	char line[256];
	size_t number = 1;
	bool good = fgets(line, sizeof line, in) != NULL; // names of columns
	for (; good && fgets(line, sizeof line, in) != NULL; ++number)
		good = readLine(c, line);
	if (!good || number < 2)
		snprintf(error->message, sizeof error->message,
		         "%s:%zu: here must be a method, an iteration, ms, relative error, residual and ms of the processor, "
		         "of one method only",
		         path, number);
	return good && number >= 2;
}

bool plPaperCurves_Read(plPaperCurves* c, plPaperMethod* method, const char* path, plError* error)
{
	FILE* in = fopen(path, "r");
	if (in == NULL)
	{
		snprintf(error->message, sizeof error->message, "%s: %s", path, strerror(errno));
		return false;
	}
	size_t* first = realloc(c->first, (c->count + 2) * sizeof *first);
	bool good = first != NULL;
	c->first = good ? first : c->first;
	good = good && readLines(c, in, path, error);
	if (first == NULL || c->kept.noMemory)
	{
		snprintf(error->message, sizeof error->message, "%s: not enough memory", path);
		good = false;
	}
	if (good)
	{
		*method = (plPaperMethod){.label = c->beside};
		c->first[++c->count] = c->kept.count;
	}
	fclose(in);
	return good;
}
