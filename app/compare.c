// compare.c: `pliant compare`: every method on the problem of one step, from the same state
//
//   read scene and methods, make the folder     problems: status 2, and no folder is left
//   newton, in double, to the step before       status 4 when a step fails
//   every method on the step's problem          status 4 when a method fails
//   compare.csv, iterations.svg, time.svg, a table
//
// The path to the step does not depend on the methods that are compared, nor on the scene's solver.
#include "compare.h"
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	optionMethods,
	optionStep,
	optionIterations,
	optionPrecision,
	optionSet,
	optionThreads,
	optionOutput,
	optionHelp,
	optionCount
};

static const plOption options[optionCount] = {
    [optionMethods] = {"methods", 0, "A,B,...",
                       "methods, each with settings in brackets if wanted:\n"
                       "newton,gradient[iterations=500,precision=float]"},
    [optionStep] = {"at-step", 0, "K", "the step whose problem is solved (default: 1)"},
    [optionIterations] = {"iterations", 0, "N", "budget of every method (default: 96)"},
    [optionPrecision] = {"precision", 0, "P", "element arithmetic of every method: float or double (default)"},
    [optionSet] = {"set", 0, "KEY=VALUE", "change the scene; may be repeated\nbodies.bar.material.young=2e5"},
    [optionThreads] = {"threads", 0, "N", "(default: all cores online); only times depend on it"},
    [optionOutput] = {"output", 'o', "DIR", "folder (default: out/<scene name>)"},
    [optionHelp] = {"help", 'h', NULL, "this text"},
};

// ---- options -------------------------------------------------------------------------------------------------------

static void printHelp(void)
{
	printf("pliant compare SCENE --methods A,B,... [-o DIR] [options]\n\n"
	       "Goes to step K-1 with newton in double, then solves the problem of step K (its first substep) with every\n"
	       "method, from the same state. DIR gets compare.csv (method,iteration,ms,objective,relative_error,residual)\n"
	       "and the plots iterations.svg and time.svg. Iteration 0 is the state with its pins moved; the relative\n"
	       "error is (eps - eps*) / (eps(q_t) - eps*), eps* the minimum that newton finds in double; everything is\n"
	       "evaluated in double. Every method uses its whole budget unless it stalls or its brackets give a\n"
	       "tolerance; the keys in brackets are those of the scene's solver block: pliant run --help.\n");
	plOption_PrintAll(options, optionCount);
	printf("\nMethods:");
	for (int i = 0; i < pl_softMethodCount; ++i)
		printf(" %s", plMethod_GetName((plMethod)i));
	printf("\n\nExamples\n"
	       "  pliant compare scenes/demo.json --methods newton,descent,ncg,lbfgs --at-step 30\n"
	       "  pliant compare bar.json --methods 'descent,descent[acceleration=none],descent[precision=float]'\n");
}

static bool applyArgument(void* context, int option, const char* value)
{
	plCompare* compare = context;
	switch (option)
	{
	case optionMethods:
		compare->methods = value;
		return true;
	case optionStep:
		return plOption_ParseCount("at-step", value, 1, INT64_MAX, &compare->step);
	default:
		return plSceneCommand_TakeSolver(&compare->method, options[option].name, value);
	}
}

// ---- methods -------------------------------------------------------------------------------------------------------

// Length of the first word of a list, up to a comma outside of brackets.
static size_t wordLength(const char* list)
{
	int depth = 0;
	size_t i = 0;
	for (; list[i] != '\0' && (depth > 0 || list[i] != ','); ++i)
		depth += (list[i] == '[') - (list[i] == ']');
	return i;
}

static bool readMethods(plCompare* compare)
{
	size_t most = strlen(compare->methods) + 1;
	compare->entries = calloc(most, sizeof *compare->entries);
	compare->solvers = calloc(most, sizeof *compare->solvers);
	bool good = compare->entries != NULL && compare->solvers != NULL;
	for (const char* at = compare->methods; good;)
	{
		size_t length = wordLength(at);
		char* name = malloc(length + 1);
		good = name != NULL;
		if (!good)
			break;
		memcpy(name, at, length);
		name[length] = '\0';
		compare->entries[compare->count].name = name;
		plParseSolver("--methods", name, &compare->method, compare->solvers + compare->count, compare->job.diagnostics);
		++compare->count;
		if (at[length] == '\0')
			break;
		at += length + 1;
	}
	if (!good)
		plApp_Report(NULL, "not enough memory for the methods");
	return good && plDiagnostics_GetErrorCount(compare->job.diagnostics) == 0;
}

// ---- before the comparison -----------------------------------------------------------------------------------------

static bool readScene(plCompare* compare)
{
	if (!plSceneJob_Read(&compare->job))
		return false;
	uint64_t steps = plScene_GetView(compare->job.scene).steps;
	if ((uint64_t)compare->step > steps)
	{
		plApp_Report("--set steps=N prolongs it", "--at-step %" PRId64 ": the scene has %" PRIu64 " steps",
		             compare->step, steps);
		return false;
	}
	return plSceneJob_CreateWorld(&compare->job);
}

static bool openFolder(plCompare* compare)
{
	plError error = {0};
	compare->folder = plSceneJob_GetFolder(&compare->job);
	if (compare->folder == NULL)
		return false;
	if (plFolder_Make(compare->folder, &compare->made, &error) == pl_success)
		return true;
	plApp_Report("choose another folder with -o", "%s", error.message);
	return false;
}

// ---- the comparison ------------------------------------------------------------------------------------------------

static bool goToStep(plCompare* compare, plError* error)
{
	plSolverDef newton = plDefaultSolverDef(pl_methodNewton);
	bool good = plWorld_SetSolver(compare->job.world, &newton, error) >= 0;
	uint64_t last = (uint64_t)compare->step - 1, rough = 0;
	plProgress progress = plProgress_Begin(true, 0, last);
	while (good && plWorld_GetStepCount(compare->job.world) < last)
	{
		plStepReport report;
		good = plWorld_Step(compare->job.world, &report, error) >= 0;
		rough += good && !report.converged;
		if (good)
			plProgress_Update(&progress, &report);
	}
	plProgress_End(&progress);
	if (rough > 0)
		plApp_Warn("the state that the methods start from is less exact",
		           "%s: newton did not converge in %" PRIu64 " of the %" PRIu64 " steps on the way", compare->job.path,
		           rough, last);
	return good;
}

static void keepSample(const plCompareSample* sample, void* context)
{
	plCompare* compare = context;
	plCompareEntry* entry = compare->entries + sample->solver;
	if (entry->count++ == 0)
		entry->first = compare->kept.count;
	plSampleList_Add(&compare->kept, sample);
}

static bool compareMethods(plCompare* compare, plError* error)
{
	plResult result = plWorld_Compare(compare->job.world, compare->solvers, compare->count, keepSample, compare,
	                                  &compare->found, error);
	if (result >= 0 && compare->kept.noMemory)
		snprintf(error->message, sizeof error->message, "not enough memory for the samples");
	return result >= 0 && !compare->kept.noMemory;
}

static int solve(plCompare* compare)
{
	plError error = {0};
	bool good = goToStep(compare, &error) && compareMethods(compare, &error);
	bool solved = good;
	good = good && plCompare_WriteAll(compare, &error);
	if (good)
	{
		plCompare_PrintTable(compare);
		return pl_exitDone;
	}
	if (solved)
		plApp_Report("is the disk full?", "%s", error.message);
	else
		plApp_Report(NULL, "%s: step %" PRIu64 ": %s", compare->job.path, plWorld_GetStepCount(compare->job.world) + 1,
		             error.message);
	plFolder_Unmake(compare->folder, compare->made);
	return pl_exitFailed;
}

static int run(void* context)
{
	plCompare* compare = context;
	if (compare->methods == NULL)
	{
		plApp_Report("--methods newton,gradient; --help lists the methods", "which methods? --methods A,B,...");
		return pl_exitUsage;
	}
	bool good = readMethods(compare);
	good = readScene(compare) && good; // problems of both are told
	plApp_ReportDiagnostics(compare->job.diagnostics);
	return good && openFolder(compare) ? solve(compare) : pl_exitUsage;
}

int plApp_Compare(int argc, char** argv)
{
	static const plSceneCommand command = {
	    "SCENE --methods A,B,...", "folder", options, optionCount, applyArgument, printHelp, run};
	plCompare compare = {.step = 1, .method = plDefaultSceneOptions()};
	compare.method.iterations = 96;
	compare.method.tolerance = 0.0;
	int status = plSceneCommand_Run(&command, &compare.job, argc, argv, &compare);
	for (size_t i = 0; i < compare.count; ++i)
		free(compare.entries[i].name);
	free(compare.entries);
	free(compare.solvers);
	free(compare.kept.samples);
	return status;
}
