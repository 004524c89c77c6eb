// tune.c: `pliant tune`: the phases of Chebyshev's acceleration from a pre-simulation, as a solver block
//
//   read the scene                               problems: status 2
//   newton through its steps, a few are kept     status 4 when a step fails
//   phases are changed for as long as it helps
//   a table, and the block: on standard output, or in the file of -o
#include "app.h"
#include "pliant/tune.h"
#include "scene_command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
	optionPhases,
	optionRho,
	optionIterations,
	optionProblems,
	optionPrecision,
	optionSet,
	optionThreads,
	optionOutput,
	optionHelp,
	optionCount
};

static const plOption options[optionCount] = {
    [optionPhases] = {"phases", 0, "N", "phases to begin with, equally long (default: 2)"},
    [optionRho] = {"rho", 0, "R", "of every phase to begin with (default: that of \"rho\": \"budget\")"},
    [optionIterations] = {"iterations", 0, "N", "budget of a step (default: the solver's)"},
    [optionProblems] = {"steps", 0, "K", "so many steps of the scene are tried, spread evenly (default: 3)"},
    [optionPrecision] = {"precision", 0, "P", "element arithmetic: float or double (default: the solver's)"},
    [optionSet] = {"set", 0, "KEY=VALUE", "change the scene; may be repeated\nsolver.direction=gauss-seidel"},
    [optionThreads] = {"threads", 0, "N", "(default: all cores online); the answer does not depend on it"},
    [optionOutput] = {"output", 'o', "FILE", "write the solver block there"},
    [optionHelp] = {"help", 'h', NULL, "this text"},
};

typedef struct Tune
{
	plSceneJob job;
	plTuneDef def;

	plTuneProblem* problems;
	plTuneReport report;
	bool terminal;
} Tune;

// ---- options -------------------------------------------------------------------------------------------------------

static void printHelp(void)
{
	printf(
	    "pliant tune SCENE [-o FILE] [options]\n\n"
	    "Finds phases for \"acceleration\": \"chebyshev\". The scene is run with newton, and the problems of K of its\n"
	    "steps are kept. The phases are then changed, one thing at a time: 1 - rho of a phase, or of all, by a factor\n"
	    "(256, then smaller ones, 1.05 last); the boundary between two phases by 32, 16 or 8 iterations; or two "
	    "phases\n"
	    "become one. The change that lowers the geometric mean of the errors after the budget most is kept, until "
	    "none\n"
	    "lowers it by a thousandth. The result is printed as a solver block for the scene. What is tuned is the "
	    "scene's\n"
	    "solver if it is accelerated by chebyshev, else the preset descent.\n");
	plOption_PrintAll(options, optionCount);
	printf("\nExamples\n"
	       "  pliant tune scenes/demo.json\n"
	       "  pliant tune bar.json --phases 4 --steps 5 -o solver.json\n");
}

static bool applyArgument(void* context, int option, const char* value)
{
	Tune* tune = context;
	switch (option)
	{
	case optionPhases:
		return plOption_ParseInt("phases", value, PL_PHASE_COUNT, &tune->def.phases);
	case optionRho:
		if (!plOption_ParseReal("rho", value, 0.0, &tune->def.rho))
			return false;
		if (!(tune->def.rho < 1.0))
			plApp_Report(NULL, "--rho %s: it must lie in [0, 1)", value);
		return tune->def.rho < 1.0;
	case optionProblems:
		return plOption_ParseInt("steps", value, 1000, &tune->def.problems);
	default:
		return plSceneCommand_TakeSolver(&tune->job.options, options[option].name, value);
	}
}

// ---- before ----------------------------------------------------------------------------------------------------

static bool readScene(Tune* tune)
{
	if (!plSceneJob_Read(&tune->job))
		return false;
	plSceneView view = plScene_GetView(tune->job.scene);
	if (view.solver.acceleration == pl_accelerationChebyshev)
		tune->def.solver = view.solver;
	else
		tune->def.solver.precision = view.solver.precision;
	if (tune->job.options.iterations > 0)
		tune->def.solver.iterations = tune->job.options.iterations;
	tune->def.steps = view.steps;
	if (view.steps < (uint64_t)tune->def.problems)
	{
		plApp_Report("--set steps=N prolongs it", "--steps %d: the scene has %" PRIu64 " steps", tune->def.problems,
		             view.steps);
		return false;
	}
	if (tune->def.phases > tune->def.solver.iterations)
	{
		plApp_Report(NULL, "--phases %d: there are only %d iterations", tune->def.phases, tune->def.solver.iterations);
		return false;
	}
	tune->problems = calloc((size_t)tune->def.problems, sizeof *tune->problems);
	if (tune->problems == NULL)
		plApp_Report(NULL, "not enough memory for %d problems", tune->def.problems);
	return tune->problems != NULL && plSceneJob_CreateWorld(&tune->job);
}

// ---- after -----------------------------------------------------------------------------------------------------

static void tellChange(const plTuneReport* report, void* context)
{
	const Tune* tune = context;
	if (tune->terminal)
		fprintf(stderr, "\r\033[K%d trials, %d changes, error %.3e", report->trials, report->changes, report->tuned);
}

// The settings in which the solver differs from its preset, the budget, and the phases.
static void writeBlock(const plSolverDef* def, FILE* file)
{
	const plSolverOption* option;
	plSolverDef preset = plDefaultSolverDef(def->method);
	char value[64], usual[64];
	fprintf(file, "{\n  \"method\": \"%s\",\n", plMethod_GetName(def->method));
	for (int i = 0; (option = plGetSolverOption(i)) != NULL; ++i)
	{
		if (option->kind == pl_optionRho || option->kind == pl_optionPhases || !plSolverOption_IsTaken(option, def))
			continue;
		plSolverOption_DescribeValue(option, def, value, sizeof value);
		plSolverOption_DescribeValue(option, &preset, usual, sizeof usual);
		if (strcmp(value, usual) != 0 || strcmp(option->key, "iterations") == 0)
			fprintf(file, "  \"%s\": %s,\n", option->key, value);
	}
	fprintf(file, "  \"phases\": [");
	for (int i = 0; i < def->phaseCount; ++i)
		fprintf(file, "%s\n    { \"iterations\": %d, \"rho\": %.7g }", i > 0 ? "," : "", def->phases[i].iterations,
		        def->phases[i].rho);
	fprintf(file, "\n  ]\n}\n");
}

static bool writeOutput(const Tune* tune)
{
	char* text = NULL;
	size_t bytes = 0;
	plError error = {0};
	FILE* memory = open_memstream(&text, &bytes);
	bool good = memory != NULL;
	if (good)
	{
		writeBlock(&tune->report.solver, memory);
		good = fclose(memory) == 0;
	}
	if (!good)
		plApp_Report(NULL, "%s: not enough memory to write it", tune->job.output);
	else
	{
		good = plFile_WriteAll(tune->job.output, text, bytes, &error) == pl_success;
		if (!good)
			plApp_Report("is the disk full?", "%s", error.message);
	}
	free(text);
	return good;
}

static void printTable(const Tune* tune)
{
	const plTuneReport* report = &tune->report;
	printf("%s: relative error after %d iterations, %d trials\n\n", plScene_GetView(tune->job.scene).name,
	       report->solver.iterations, report->trials);
	printf("%-14s  %10s  %10s  %10s\n", "step", "budget", "start", "tuned");
	for (int i = 0; i < report->problemCount; ++i)
		printf("%-14" PRIu64 "  %10.3e  %10.3e  %10.3e\n", tune->problems[i].step, tune->problems[i].budget,
		       tune->problems[i].start, tune->problems[i].tuned);
	printf("%-14s  %10.3e  %10.3e  %10.3e\n\n", "geometric mean", report->budget, report->start, report->tuned);
}

static int search(Tune* tune)
{
	plError error = {0};
	tune->terminal = isatty(STDERR_FILENO);
	plResult result =
	    plWorld_Tune(tune->job.world, &tune->def, tellChange, tune, tune->problems, &tune->report, &error);
	if (tune->terminal)
		fprintf(stderr, "\r\033[K");
	if (result < 0)
	{
		plApp_Report(NULL, "%s: %s", tune->job.path, error.message);
		return pl_exitFailed;
	}
	printTable(tune);
	if (tune->report.budget < tune->report.tuned)
		plApp_Warn("leave the phases out, or try --phases or --rho",
		           "%s: \"rho\": \"budget\" is better than what was found", tune->job.path);
	if (tune->job.output == NULL)
	{
		printf("\"solver\": ");
		writeBlock(&tune->report.solver, stdout);
		return pl_exitDone;
	}
	if (!writeOutput(tune))
		return pl_exitFailed;
	printf("%s: the solver block\n", tune->job.output);
	return pl_exitDone;
}

static int run(void* context)
{
	Tune* tune = context;
	bool good = readScene(tune);
	plApp_ReportDiagnostics(tune->job.diagnostics);
	return good ? search(tune) : pl_exitUsage;
}

int plApp_Tune(int argc, char** argv)
{
	static const plSceneCommand command = {"SCENE", "file", options, optionCount, applyArgument, printHelp, run};
	Tune tune = {.def = plDefaultTuneDef()};
	int status = plSceneCommand_Run(&command, &tune.job, argc, argv, &tune);
	free(tune.problems);
	return status;
}
