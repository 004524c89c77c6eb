// bench.h: what the benches share
#ifndef PL_APP_BENCH_H
#define PL_APP_BENCH_H

#include "papers/scenes.h"

#include <stdio.h>

typedef struct plBench
{
	const char* path; // NULL: standard output
	FILE* out;
	int64_t cells, repeats, threads;
	bool quick, help;
} plBench;

typedef struct plBenchType
{
	const char* text; // of --help, above the options
	// What --help says about an option; NULL: the bench does not have it
	const char *cellsHelp, *repeatsHelp, *threadsHelp, *quickHelp;
	int64_t cells, repeats; // defaults
	bool (*make)(const plBench* bench);
} plBenchType;

// Reads the options, opens the file, makes the bench; argv[0] is its name. Returns the exit status.
int plBench_Run(const plBenchType* type, int argc, char** argv);

extern const plBenchType plBenchDescent; // bench_descent.c
extern const plBenchType plBenchMethods; // bench_methods.c
extern const plBenchType plBenchChange;  // bench_change.c

// Lines that start with # and say which program on which machine the numbers below come from.
void plBench_PrintProvenance(FILE* out);

// Bytes that a world holds, counted by its allocator.
typedef struct plBenchMeter
{
	size_t now, most;
} plBenchMeter;

// Makes a trial that takes its memory through the meter, pins it as usual and takes its first step, which makes what
// all steps share and is not timed. Destroy the trial also after a failure.
bool plBench_Begin(plTrial* trial, plBenchMeter* meter, const plTrialDef* def, plPool* pool, plError* error);

#endif
