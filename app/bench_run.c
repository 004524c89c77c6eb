// bench_run.c: options, file and memory of a bench
#include "bench.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

typedef struct Reading
{
	const plBenchType* type;
	const char* name;
	plBench bench;
} Reading;

static bool takeArgument(void* context, int option, const char* value)
{
	Reading* reading = context;
	plBench* bench = &reading->bench;
	if (option == pl_argumentPlain)
	{
		char remedy[64];
		snprintf(remedy, sizeof remedy, "pliant bench %s --help lists the options", reading->name);
		plApp_Report(remedy, "'%s' is one argument too many", value);
		return false;
	}
	const char* name = reading->type->options[option].name;
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
	Reading reading = {type, argv[0], {.cells = type->cells, .repeats = type->repeats}};
	plBench* bench = &reading.bench;
	if (!plArguments_TakeAll(argc, argv, type->options, type->optionCount, takeArgument, &reading))
		return pl_exitUsage;
	if (bench->help)
	{
		type->printHelp();
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

// ---- memory ---------------------------------------------------------------------------------------------------------

static void* allocate(size_t bytes, void* context)
{
	plBenchMeter* meter = context;
	void* memory = bytes <= SIZE_MAX - 64 ? aligned_alloc(64, (bytes + 63) / 64 * 64) : NULL;
	if (memory == NULL)
		return NULL;
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

plAllocator plBenchMeter_GetAllocator(plBenchMeter* meter)
{
	return (plAllocator){allocate, release, meter};
}
