// bench_run.c: options, file, figures and memory of a bench
#include "bench.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

enum
{
	sharedCount = 6, // options that more than one bench has
	ownLimit = 16
};

typedef struct Reading
{
	const char* name; // of the bench
	const plBenchType* type;
	plOption options[ownLimit + sharedCount]; // its own first
	size_t optionCount;
	plBench bench;
} Reading;

static void listOptions(Reading* reading, const plBenchType* type)
{
	const plOption shared[sharedCount] = {
	    {"output", 'o', "FILE", "CSV file (default: standard output)"},
	    {"cells", 0, "N", type->cellsHelp},
	    {"repeats", 0, "N", type->repeatsHelp},
	    {"threads", 0, "N", type->threadsHelp},
	    {"quick", 0, NULL, type->quickHelp},
	    {"help", 'h', NULL, "this text"},
	};
	for (size_t i = 0; i < type->optionCount && i < ownLimit; ++i)
		reading->options[reading->optionCount++] = type->options[i];
	for (size_t i = 0; i < sharedCount; ++i)
		if (shared[i].help != NULL)
			reading->options[reading->optionCount++] = shared[i];
}

static bool takeArgument(void* context, int option, const char* value)
{
	Reading* reading = context;
	const plBenchType* type = reading->type;
	plBench* bench = &reading->bench;
	if (type->take != NULL && option < (int)type->optionCount)
		return type->take(type->own, option, value);
	if (option == pl_argumentPlain)
	{
		char remedy[64];
		snprintf(remedy, sizeof remedy, "pliant bench %s --help lists the options", reading->name);
		plApp_Report(remedy, "'%s' is one argument too many", value);
		return false;
	}
	const char* name = reading->options[option].name;
	if (strcmp(name, "output") == 0)
		bench->path = value;
	else if (strcmp(name, "cells") == 0)
		return plOption_ParseCount(name, value, 1, 400, &bench->cells);
	else if (strcmp(name, "repeats") == 0)
		return plOption_ParseCount(name, value, 1, 100000, &bench->repeats);
	else if (strcmp(name, "threads") == 0)
		return plOption_ParseCount(name, value, 1, 4096, &bench->threads);
	else if (strcmp(name, "quick") == 0)
		bench->quick = true;
	else
		bench->help = true;
	return true;
}

int plBench_Run(const plBenchType* type, int argc, char** argv)
{
	Reading reading = {.name = argv[0], .type = type};
	reading.bench = (plBench){.cells = type->cells, .repeats = type->repeats, .own = type->own};
	plBench* bench = &reading.bench;
	listOptions(&reading, type);
	if (!plArguments_TakeAll(argc, argv, reading.options, reading.optionCount, takeArgument, &reading))
		return pl_exitUsage;
	if (bench->help)
	{
		fputs(type->text, stdout);
		plOption_PrintAll(reading.options, reading.optionCount);
		return pl_exitDone;
	}
	bench->out = bench->path != NULL ? fopen(bench->path, "w") : stdout;
	if (bench->out == NULL)
	{
		plApp_Report("choose another file with -o", "%s: cannot be written", bench->path);
		return pl_exitUsage;
	}
	bool good = type->make(bench);
	if (bench->path != NULL && fclose(bench->out) != 0)
		good = false;
	return good ? pl_exitDone : pl_exitFailed;
}

// ---- figures -------------------------------------------------------------------------------------------------------

static int compareNumbers(const void* a, const void* b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

void plBench_Summarise(double* numbers, size_t count, double* least, double* median)
{
	qsort(numbers, count, sizeof *numbers, compareNumbers);
	*least = numbers[0];
	*median = 0.5 * (numbers[(count - 1) / 2] + numbers[count / 2]);
}

// ---- memory, the body ----------------------------------------------------------------------------------------------

static void* allocate(size_t bytes, void* context)
{
	plBenchMeter* meter = context;
	void* memory = bytes <= SIZE_MAX - 64 ? aligned_alloc(64, (bytes + 63) / 64 * 64) : NULL;
	if (memory == NULL)
		return NULL;
	meter->made++;
	meter->now += bytes;
	meter->most = meter->now > meter->most ? meter->now : meter->most;
	return memory;
}

static void release(void* memory, size_t bytes, void* context)
{
	plBenchMeter* meter = context;
	if (memory != NULL)
		meter->now -= bytes;
	free(memory);
}

plAllocator plBench_GetAllocator(plBenchMeter* meter)
{
	return (plAllocator){allocate, release, meter};
}

bool plBench_Begin(plTrial* trial, plBenchMeter* meter, const plTrialDef* def, plPool* pool, plError* error)
{
	plTrialDef own = *def;
	own.pool = pool;
	own.allocator = plBench_GetAllocator(meter);
	return plTrial_Create(trial, &own, error) && plTrial_PinUsual(trial, def->kind, error) &&
	       plWorld_Step(trial->world, NULL, error) >= 0;
}
