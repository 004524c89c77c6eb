// bench.h: what the benches share
#ifndef PL_APP_BENCH_H
#define PL_APP_BENCH_H

#include "options.h"
#include "papers/scenes.h"

#include <stdio.h>

typedef struct plBench
{
	const char* path; // NULL: standard output
	FILE* out;
	int64_t cells, repeats, threads;
	bool quick, help;
	void* own; // that of its type
} plBench;

typedef struct plBenchType
{
	const char* text; // of --help, above the options
	// What --help says about an option; NULL: the bench does not have it
	const char *cellsHelp, *repeatsHelp, *threadsHelp, *quickHelp;
	int64_t cells, repeats; // defaults
	// Options of its own; `take` gets them, and words that are no options, with `own`. NULL: it has neither
	const plOption* options;
	size_t optionCount;
	plTakeArgument* take;
	void* own;
	bool (*make)(const plBench* bench);
} plBenchType;

// Reads the options, opens the file, makes the bench; argv[0] is its name. Returns the exit status.
int plBench_Run(const plBenchType* type, int argc, char** argv);

extern const plBenchType plBenchDescent;     // bench_descent.c
extern const plBenchType plBenchMethods;     // bench_methods.c
extern const plBenchType plBenchChange;      // bench_change.c
int plBench_RunRigid(int argc, char** argv); // bench_rigid.c

// Lines that start with # and say which program on which machine the numbers below come from.
void plBench_PrintProvenance(FILE* out);

// Least and median of some numbers, at least one; sorts them.
void plBench_Summarise(double* numbers, size_t count, double* least, double* median);

// Bytes that a world holds, and how often it asked for some, counted by its allocator.
typedef struct plBenchMeter
{
	size_t now, most;
	size_t made;
} plBenchMeter;

plAllocator plBench_GetAllocator(plBenchMeter* meter);

// Makes a trial that takes its memory through the meter, pins it as usual and takes its first step, which makes what
// all steps share and is not timed. Destroy the trial also after a failure.
bool plBench_Begin(plTrial* trial, plBenchMeter* meter, const plTrialDef* def, plPool* pool, plError* error);

#endif
