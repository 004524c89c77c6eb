// bench.h: what the benches share
#ifndef PL_APP_BENCH_H
#define PL_APP_BENCH_H

#include "options.h"
#include "pliant/base.h"

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
	const plOption* options; // some of output, cells, repeats, threads, quick, help
	size_t optionCount;
	int64_t cells, repeats; // defaults
	void (*printHelp)(void);
	bool (*make)(const plBench* bench);
} plBenchType;

// Reads the options, opens the file, makes the bench; argv[0] is its name. Returns the exit status.
int plBench_Run(const plBenchType* type, int argc, char** argv);

extern const plBenchType plBenchDescent; // bench_descent.c
extern const plBenchType plBenchMethods; // bench_methods.c

// Lines that start with # and say which program on which machine the numbers below come from.
void plBench_PrintProvenance(FILE* out);

// Bytes that a world holds, counted by its allocator.
typedef struct plBenchMeter
{
	size_t now, most;
} plBenchMeter;

plAllocator plBenchMeter_GetAllocator(plBenchMeter* meter);

#endif
