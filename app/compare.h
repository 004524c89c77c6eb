// compare.h: what `pliant compare` was asked and what it found
#ifndef PL_APP_COMPARE_H
#define PL_APP_COMPARE_H

#include "app.h"
#include "samples.h"

// A method as it was written, and what was found about it.
typedef struct plCompareEntry
{
	char* name;
	size_t first, count; // samples, the start included
} plCompareEntry;

typedef struct plCompare
{
	const char* scenePath;
	const char* methods; // as written
	const char* folder;
	plSceneOptions scene;  // --set
	plSceneOptions method; // iterations, tolerance, precision of every method
	const char** sets;
	int64_t step;
	int threads;
	bool help;

	char* ownFolder;
	size_t made; // of the folder, for plFolder_Unmake
	plDiagnostics* diagnostics;
	plCompareEntry* entries;
	plSolverDef* solvers;
	size_t count;
	plScene* read;
	plPool* pool;
	plWorld* world;

	plComparison found;
	plSampleList kept; // of all methods, one after the other
} plCompare;

// compare_write.c: compare.csv, iterations.svg and time.svg in the folder; false: error has the reason
bool plCompare_WriteAll(const plCompare* compare, plError* error);
// A line per method on standard output, and a warning about those that found another minimum.
void plCompare_PrintTable(const plCompare* compare);

#endif
