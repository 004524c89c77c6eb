// run.c: `pliant run`: read and check everything, then step, record, report
//
//   read the scene, make the world      problems: status 2, and no folder has been made
//   make or resume the recording        status 2
//   step, record, repeat                status 4 when a step or a write fails; the last checkpoint stands
//   checkpoint, summary, verdict        status 0, or 3 if --require-converged or a budget is not met, or 130 after
//   Ctrl-C
#include "app.h"
#include "check_contact.h"
#include "progress.h"
#include "scene_command.h"
#include "verdict.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	optionOutput,
	optionSteps,
	optionMethod,
	optionIterations,
	optionTolerance,
	optionPrecision,
	optionSet,
	optionThreads,
	optionBackend,
	optionFormat,
	optionResume,
	optionRequire,
	optionQuiet,
	optionHelp,
	optionCount
};

static const plOption options[optionCount] = {
    [optionOutput] = {"output", 'o', "DIR", "folder of the run (default: out/<scene name>)"},
    [optionSteps] = {"steps", 0, "N", "number of steps (default: the scene's)"},
    [optionMethod] = {"method", 0, "NAME", "this method's preset in place of the scene's solver block"},
    [optionIterations] = {"iterations", 0, "N", "per step at most (default: the scene's or the method's)"},
    [optionTolerance] = {"tolerance", 0, "T",
                         "end a step at this relative residual; 0: auto at accept, others after all iterations"},
    [optionPrecision] = {"precision", 0, "P",
                         "element arithmetic: float or double (default: the scene's, else double)"},
    [optionSet] = {"set", 0, "KEY=VALUE",
                   "change the scene; may be repeated\nbodies.bar.material.young=2e5, lists by index or name"},
    [optionThreads] = {"threads", 0, "N", "(default: all cores online); results do not depend on it"},
    [optionBackend] = {"backend", 0, "NAME", "where it is computed (default: the first of those below)"},
    [optionFormat] = {"format", 0, "LIST",
                      "frames: some of those below, with commas, or none (default: the scene's, else vtu)"},
    [optionResume] = {"resume", 0, NULL, "go on from DIR/checkpoint; a finished run stays as it is"},
    [optionRequire] = {"require-converged", 0, NULL, "status 3 if a step did not converge"},
    [optionQuiet] = {"quiet", 'q', NULL, "no progress and no summary; errors and warnings are still said"},
    [optionHelp] = {"help", 'h', NULL, "this text"},
};

typedef struct Run
{
	plSceneJob job;
	bool resume, requireConverged, quiet;
	int argc;
	char** argv;

	plRecording* recording;
	uint64_t taken;  // steps of this process
	double seconds;  // they took, with output
	double stepTime; // ms, without output
	plVerdict verdict;
} Run;

// ---- options ------------------------------------------------------------------------------------------------------

static void printHelp(void)
{
	printf("pliant run SCENE [-o DIR] [options]\n\n"
	       "Simulates a scene. DIR gets frames, scene.json as it was run, stats.jsonl with one line per step, and\n"
	       "checkpoint. It is made only after everything was read and checked. A DIR that holds a run is replaced:\n"
	       "that run's own files go, others stay. Ctrl-C stops after the step, with a checkpoint.\n");
	plOption_PrintAll(options, optionCount);
	printf("\nBackends:");
	for (size_t i = 0; plGetBackendName(i) != NULL; ++i)
		printf(" %s", plGetBackendName(i));
	printf("\nMethods:");
	for (int i = 0; i < pl_methodCount; ++i)
		printf(" %s", plMethod_GetName((plMethod)i));
	printf("\nFormats of frames:");
	for (int i = 0; i < pl_frameFormatCount; ++i)
		printf(" %s", plFrameFormat_GetName((plFrameFormat)i));
	printf("\n");
	plApp_PrintSolverSettings();
	printf("\nExamples\n"
	       "  pliant run scenes/demo.json\n"
	       "  pliant run bar.json -o out/soft --set bodies.bar.material.young=2e4 --steps 100\n"
	       "  pliant run bar.json -o out/soft --set bodies.bar.material.young=2e4 --steps 200 --resume\n"
	       "  pliant run bar.json --method newton --set solver.hessian=projected\n");
}

static bool applyArgument(void* context, int option, const char* value)
{
	Run* run = context;
	plSceneOptions* changes = &run->job.options;
	switch (option)
	{
	case optionSteps:
		return plOption_ParseCount("steps", value, 0, INT64_MAX, &changes->steps);
	case optionBackend:
		changes->backend = value;
		return true;
	case optionFormat:
		changes->formats = value;
		return true;
	case optionResume:
		run->resume = true;
		return true;
	case optionRequire:
		run->requireConverged = true;
		return true;
	case optionQuiet:
		run->quiet = true;
		return true;
	default:
		return plSceneCommand_TakeSolver(changes, options[option].name, value);
	}
}

// ---- before the first step ----------------------------------------------------------------------------------------

static bool readScene(Run* run)
{
	bool good = plSceneJob_Read(&run->job) && plSceneJob_CreateWorld(&run->job);
	plApp_ReportDiagnostics(run->job.diagnostics);
	return good;
}

static bool openRecording(Run* run)
{
	const char* folder = plSceneJob_GetFolder(&run->job);
	if (folder == NULL)
		return false;
	plError error = {0};
	if (run->resume)
		run->recording = plResumeRecording(folder, run->job.scene, run->job.world, &error);
	else
		run->recording = plCreateRecording(folder, run->job.scene, &error);
	if (run->recording == NULL)
		plApp_Report(run->resume ? "to start anew: the same without --resume; to keep both: -o another folder"
		                         : "choose another folder with -o",
		             "%s", error.message);
	return run->recording != NULL;
}

// ---- stepping -----------------------------------------------------------------------------------------------------

static volatile sig_atomic_t interrupted;

static const int stoppingSignals[] = {SIGINT, SIGTERM, SIGHUP};

// The first signal asks for a stop after the step; from then on signals do what they do by default.
static void onSignal(int number)
{
	(void)number;
	interrupted = 1;
	for (size_t i = 0; i < sizeof stoppingSignals / sizeof stoppingSignals[0]; ++i)
		signal(stoppingSignals[i], SIG_DFL);
}

static void catchSignals(void)
{
	struct sigaction action = {.sa_handler = onSignal, .sa_flags = SA_RESTART}, old;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof stoppingSignals / sizeof stoppingSignals[0]; ++i)
	{
		bool ignored = sigaction(stoppingSignals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN;
		if (stoppingSignals[i] != SIGHUP || !ignored) // nohup keeps its meaning
			sigaction(stoppingSignals[i], &action, NULL);
	}
}

// Steps until the end, an interruption or a failure. Returns pl_success or the error.
static plResult takeSteps(Run* run, plProgress* progress, plError* error)
{
	uint64_t steps = plScene_GetView(run->job.scene).steps;
	plResult result = plRecording_Write(run->recording, run->job.world, NULL, error);
	while (result >= 0 && !interrupted && plWorld_GetStepCount(run->job.world) < steps)
	{
		plStepReport report;
		result = plWorld_Step(run->job.world, &report, error);
		if (result < 0)
		{
			plError reason = *error;
			snprintf(error->message, sizeof error->message, "%s: step %" PRIu64 ": %.400s", run->job.path,
			         plWorld_GetStepCount(run->job.world) + 1, reason.message);
			break;
		}
		result = plRecording_Write(run->recording, run->job.world, &report, error);
		++run->taken;
		run->stepTime += report.ms.total;
		if (result >= 0 && !plVerdict_Add(&run->verdict, &report))
		{
			snprintf(error->message, sizeof error->message, "not enough memory for the residuals of the steps");
			result = error->code = pl_errorMemory;
		}
		plProgress_Update(progress, &report);
	}
	return result < 0 ? result : pl_success;
}

// ---- after the last -----------------------------------------------------------------------------------------------

// The command that goes on, as a shell reads it.
static void printResumeCommand(const Run* run)
{
	bool has = false;
	fprintf(stderr, "    to go on: pliant");
	for (int i = 0; i < run->argc; ++i)
	{
		const char* word = run->argv[i];
		bool plain = word[0] != '\0' && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
		                                             "_-./=,+:@%") == strlen(word);
		has = has || strcmp(word, "--resume") == 0;
		fputc(' ', stderr);
		if (plain)
			fputs(word, stderr);
		else
		{
			fputc('\'', stderr);
			for (const char* c = word; *c != '\0'; ++c)
				fputs(*c == '\'' ? "'\\''" : (char[]){*c, '\0'}, stderr);
			fputc('\'', stderr);
		}
	}
	fputs(has ? "\n" : " --resume\n", stderr);
}

static void printSummary(const Run* run, const plRecordingView* record)
{
	plSceneView view = plScene_GetView(run->job.scene);
	uint64_t good = record->step - record->notConverged;
	if (run->taken == 0 && record->finished)
		printf("%s: all %" PRIu64 " steps were done before\n", view.name, record->step);
	else
		printf("%s: %" PRIu64 " steps to %.6g s simulated time in %.2f s, %.3g ms a step (%.3g ms without output)\n",
		       view.name, run->taken, (double)record->step * view.timestep, run->seconds,
		       run->taken > 0 ? 1e3 * run->seconds / (double)run->taken : 0.0,
		       run->taken > 0 ? run->stepTime / (double)run->taken : 0.0);
	plVerdict_Print(&run->verdict, good, record->step);
	printf("%s: %" PRIu64 " frame files written, stats.jsonl, scene.json, checkpoint\n", record->folder,
	       record->filesWritten);
}

// A resumed run has steps that this process knows by number only.
static bool warnVerdict(Run* run, const plRecordingView* record)
{
	plVerdict* v = &run->verdict;
	v->notConverged = record->notConverged;
	v->firstNotConverged = record->firstNotConverged;
	v->steps = record->step;
	return plVerdict_Warn(v, run->job.path);
}

static void warnCrossings(const Run* run, const plRecordingView* record)
{
	plSurfaceContact contact;
	plWorld_GetSurfaceContact(run->job.world, &contact, NULL);
	bool apart = contact.bodies || contact.self != pl_selfNone;
	if (record->crossedFrames > 0)
		plApp_Warn(
		    apart ? "pliant render --colour crossings shows where; contact does not part what crossed at the start, "
		            "nor what \"bodies\" and \"self\" leave out"
		          : "pliant render --colour crossings shows where; contact.bodies and contact.self keep surfaces apart",
		    "%s: surfaces cross in %" PRIu64 " of %" PRIu64 " frames, the first is that of step %" PRIu64,
		    run->job.path, record->crossedFrames, record->lookedFrames, record->firstCrossed);
}

static int finish(Run* run, plResult result, plError* error)
{
	plRecordingView record = plRecording_GetView(run->recording);
	bool wasInterrupted = result == pl_success && record.step < plScene_GetView(run->job.scene).steps;
	char folder[512];
	snprintf(folder, sizeof folder, "%s", record.folder);
	record.folder = folder;
	plResult closed = plRecording_Close(run->recording, run->job.world, result != pl_success, error);
	run->recording = NULL;
	if (result == pl_success)
		result = closed;
	if (!run->quiet && result == pl_success)
		printSummary(run, &record);
	fflush(stdout);
	warnCrossings(run, &record);
	bool withinBudget = warnVerdict(run, &record), isTooDeep = plVerdict_IsTooDeep(&run->verdict);
	if (result != pl_success)
	{
		plApp_Report(
		    result == pl_errorFile
		        ? "the last complete frame and checkpoint stand; with room on the disk, --resume goes on from there"
		        : "the last complete frame and checkpoint stand; a smaller timestep or substeps may help",
		    "%s", error->message);
		return pl_exitFailed;
	}
	if (wasInterrupted)
	{
		plApp_Report(NULL, "interrupted after step %" PRIu64 " of %" PRIu64, record.step,
		             plScene_GetView(run->job.scene).steps);
		printResumeCommand(run);
		return pl_exitInterrupted;
	}
	bool converged = !run->requireConverged || (record.notConverged == 0 && !isTooDeep);
	return withinBudget && converged ? pl_exitDone : pl_exitNotConverged;
}

static int simulate(void* context)
{
	Run* run = context;
	if (!readScene(run) || plApp_RefusesContact(run->job.path, run->job.scene, run->job.world) || !openRecording(run))
		return pl_exitUsage;
	plSceneView view = plScene_GetView(run->job.scene);
	plApp_WarnMissingContact(run->job.path, run->job.scene, run->job.world);
	run->verdict = plVerdict_Begin(&view);
	catchSignals();
	uint64_t first = plWorld_GetStepCount(run->job.world);
	plProgress progress = plProgress_Begin(!run->quiet, first, view.steps);
	plError error = {0};
	double start = plApp_Now();
	plResult result = takeSteps(run, &progress, &error);
	run->seconds = plApp_Now() - start;
	plProgress_End(&progress);
	return finish(run, result, &error);
}

int plApp_Run(int argc, char** argv)
{
	static const plSceneCommand command = {
	    "SCENE [-o DIR] [options]", "folder", options, optionCount, applyArgument, printHelp, simulate};
	Run run = {.argc = argc, .argv = argv};
	int status = plSceneCommand_Run(&command, &run.job, argc, argv, &run);
	plVerdict_Free(&run.verdict);
	return status;
}
