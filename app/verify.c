// verify.c: `pliant verify [NAME...]`: known answers, as a table and an exit status
#include "app.h"
#include "options.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
	optionThreads,
	optionList,
	optionHelp,
	optionCount
};

static const plOption options[optionCount] = {
    [optionThreads] = {"threads", 0, "N", "threads to work with (default: all cores online)"},
    [optionList] = {"list", 0, NULL, "name the checks and end"},
    [optionHelp] = {"help", 'h', NULL, "this text"},
};

typedef struct Tally
{
	int passed;
	int failed;
} Tally;

static const plVerifyCheck* const groups[] = {plVerifyMotion, plVerifyStatics, plVerifySprings, plVerifyContact};

static const plVerifyCheck* checkAt(size_t index)
{
	for (size_t g = 0; g < sizeof groups / sizeof *groups; ++g)
		for (const plVerifyCheck* check = groups[g]; check->name != NULL; ++check)
			if (index-- == 0)
				return check;
	return NULL;
}

void plVerify_Compare(plVerifySink* sink, const char* what, double reference, double obtained, double scale,
                      double allowed)
{
	sink->row(what, reference, obtained, fabs(obtained - reference) / scale, allowed, sink->context);
}

void plVerify_Zero(plVerifySink* sink, const char* what, double obtained, double allowed)
{
	sink->row(what, 0.0, obtained, fabs(obtained), allowed, sink->context);
}

static void printRow(const char* what, double reference, double obtained, double error, double allowed, void* context)
{
	Tally* tally = context;
	bool passed = error <= allowed; // false for NaN
	printf("  %-46s %14.8g %14.8g  %8.2g  %8.2g  %s\n", what, reference, obtained, error, allowed,
	       passed ? "ok" : "FAILED");
	fflush(stdout);
	if (passed)
		++tally->passed;
	else
		++tally->failed;
}

static void printHelp(void)
{
	printf("pliant verify [NAME...] [options]\n\n"
	       "Runs checks with known answers and prints reference, result, error and verdict.\n"
	       "Ends with 0 if all passed, 4 if one did not.\n\nChecks\n");
	for (size_t i = 0; checkAt(i) != NULL; ++i)
		printf("  %-20s %s\n", checkAt(i)->name, checkAt(i)->claim);
	plOption_PrintAll(options, optionCount);
}

static bool isWanted(const plVerifyCheck* check, char** names, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		if (strcmp(names[i], check->name) == 0)
			return true;
	return count == 0;
}

static bool isKnown(const char* name)
{
	const char* names[33] = {0};
	char words[512];
	for (size_t count = 0; count < 32 && checkAt(count) != NULL; ++count)
	{
		names[count] = checkAt(count)->name;
		if (strcmp(name, names[count]) == 0)
			return true;
	}
	plApp_Report("pliant verify --list names them all", "unknown check '%s'; %s", name,
	             plSuggest(name, names, words, sizeof words));
	return false;
}

static int runChecks(char** names, size_t count, int threads)
{
	Tally tally = {0, 0};
	plVerifySink sink = {printRow, &tally, plCreatePool(threads)};
	printf("  %-46s %14s %14s  %8s  %8s\n", "", "reference", "obtained", "error", "allowed");
	for (size_t i = 0; checkAt(i) != NULL; ++i)
	{
		const plVerifyCheck* check = checkAt(i);
		if (!isWanted(check, names, count))
			continue;
		plError error = {0};
		printf("%s: %s\n", check->name, check->claim);
		if (!check->run(&sink, &error))
		{
			printf("  could not be run: %s\n", error.message);
			++tally.failed;
		}
	}
	plDestroyPool(sink.pool);
	printf("%d passed, %d failed\n", tally.passed, tally.failed);
	return tally.failed == 0 ? pl_exitDone : pl_exitFailed;
}

int plApp_Verify(int argc, char** argv)
{
	int64_t threads = 0;
	int nameCount = 0; // names are moved to the front of argv
	plArguments arguments = plArguments_Begin(argc, argv, options, optionCount);
	const char* value = NULL;
	for (int option; (option = plArguments_Next(&arguments, &value)) != pl_argumentEnd;)
	{
		if (option == pl_argumentBad)
			return pl_exitUsage;
		if (option == optionHelp)
		{
			printHelp();
			return pl_exitDone;
		}
		if (option == optionList)
		{
			for (size_t i = 0; checkAt(i) != NULL; ++i)
				printf("%s\n", checkAt(i)->name);
			return pl_exitDone;
		}
		if (option == optionThreads && !plOption_ParseCount("threads", value, 1, 1024, &threads))
			return pl_exitUsage;
		if (option == pl_argumentPlain)
		{
			if (!isKnown(value))
				return pl_exitUsage;
			argv[nameCount++] = (char*)value;
		}
	}
	return runChecks(argv, (size_t)nameCount, (int)threads);
}
