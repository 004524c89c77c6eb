// compare.h: what `pliant compare` was asked and what it found
#ifndef PL_APP_COMPARE_H
#define PL_APP_COMPARE_H

#include "app.h"
#include "samples.h"
#include "scene_command.h"

// A method as it was written, and what was found about it.
typedef struct plCompareEntry
{
	char* name;
	size_t first, count; // samples, the start included
} plCompareEntry;

typedef struct plCompare
{
	plSceneJob job;
	const char* methods;   // as written
	const char* folder;    // asked for, or out/<scene name>
	plSceneOptions method; // iterations, tolerance, precision of every method
	int64_t step;

	size_t made; // of the folder, for plFolder_Unmake
	plCompareEntry* entries;
	plSolverDef* solvers;
	size_t count;

	plComparison found;
	plSampleList kept; // of all methods, one after the other
} plCompare;

// compare_write.c: compare.csv, iterations.svg and time.svg in the folder; false: error has the reason
bool plCompare_WriteAll(const plCompare* compare, plError* error);
// A line per method on standard output, and a warning about those that found another minimum.
void plCompare_PrintTable(const plCompare* compare);

#endif
