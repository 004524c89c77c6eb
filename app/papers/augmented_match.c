// augmented_match.c: a scene of [GDY25] by some method: what a step costs, and what it is off by
#include "augmented.h"

#include "../bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The part of a method's word before its settings names it. False: the build does not have it.
static bool hasMethod(const char* word)
{
	char name[32];
	plMethod method;
	snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "["), word);
	return plFindMethod(name, &method);
}

static bool setSolver(plPaperStage* stage, const char* word, plError* error)
{
	plSolverDef solver;
	plDiagnostics* diagnostics = plCreateDiagnostics();
	bool good = diagnostics != NULL && plParseSolver("papers", word, NULL, &solver, diagnostics);
	if (!good)
		snprintf(error->message, sizeof error->message, "%s",
		         diagnostics != NULL && plDiagnostics_GetCount(diagnostics) > 0 ? plDiagnostics_GetText(diagnostics, 0)
		                                                                        : "not enough memory for a solver");
	plDestroyDiagnostics(diagnostics);
	return good && plWorld_SetSolver(stage->world, &solver, error) == pl_success;
}

static bool openMatch(plPaperStage* stage, const plPaperRun* run, const plMatchScene* scene, const plMatchWay* way,
                      int steps, plError* error)
{
	char name[64], substeps[32];
	const char* sets[] = {substeps};
	plPaperFile file;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL)
		scene->print(run, out, steps);
	snprintf(name, sizeof name, "%s.json", scene->name);
	snprintf(substeps, sizeof substeps, "substeps=%d", way->substeps);
	plSceneOptions options = plDefaultSceneOptions();
	options.sets = sets;
	options.setCount = way->substeps > 0 ? 1 : 0;
	return plPaperStage_OpenWith(stage, run, &file, name, &options, error) && setSolver(stage, way->solver, error);
}

static size_t countDynamic(const plPaperStage* stage)
{
	size_t count = 0;
	for (size_t i = 0; i < plScene_GetView(stage->scene).bodyCount; ++i)
	{
		plSceneBodyView body = plScene_GetBody(stage->scene, i);
		for (size_t k = 0; k < body.rigidCount; ++k)
			count += plBody_GetMotion(stage->world, body.rigids[k]) == pl_rigidDynamic;
	}
	return count;
}

typedef struct Times
{
	double *collide, *minimise, *total; // [steps] ms of the processor; parts by their share of the clock's
} Times;

static void takeReport(plMatch* match, const plStepReport* report, bool settled)
{
	match->depth = settled ? fmax(match->depth, report->penetration) : 0.0;
	match->sunken = settled ? fmax(match->sunken, report->sunken) : 0.0;
	match->jointError = fmax(match->jointError, report->jointError);
	match->jointErrorEnd = report->jointError;
	match->broken = report->brokenJoints;
	match->contacts = report->contacts;
	match->kinetic = report->kinetic;
}

// A method may fail at a step: that is what this is about, and no error.
static void stepAll(plPaperStage* stage, int steps, const Times* times, plMatch* match)
{
	double unused;
	plError error;
	for (int s = 0; s < steps; ++s)
	{
		plStepReport report;
		clock_t start = clock();
		if (plWorld_Step(stage->world, &report, &error) < 0)
			break;
		times->total[s] = 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC;
		double share = report.ms.total > 0.0 ? times->total[s] / report.ms.total : 0.0;
		times->collide[s] = share * report.ms.collide;
		times->minimise[s] = share * report.ms.minimise;
		takeReport(match, &report, s >= 60 || s + 1 == steps);
		match->steps = s + 1;
		match->brokenBefore = s < 4 * steps / 5 ? report.brokenJoints : match->brokenBefore;
	}
	if (match->steps == 0)
		return;
	plBench_Summarise(times->collide, (size_t)match->steps, &unused, &match->collide);
	plBench_Summarise(times->minimise, (size_t)match->steps, &unused, &match->solve);
	plBench_Summarise(times->total, (size_t)match->steps, &unused, &match->total);
}

static bool runMatch(const plPaperRun* run, const plMatchScene* scene, const plMatchWay* way, plMatch* match,
                     plError* error)
{
	plPaperStage stage;
	plPaperRun own = *run;
	own.pool = NULL; // one thread
	int steps = run->quick ? 4 : scene->steps;
	double* numbers = malloc(3 * (size_t)steps * sizeof *numbers);
	bool good = openMatch(&stage, &own, scene, way, steps, error);
	*match = (plMatch){0};
	if (good && numbers == NULL)
		snprintf(error->message, sizeof error->message, "%s: not enough memory for its times", scene->name);
	if (good && numbers != NULL)
	{
		const Times times = {numbers, numbers + steps, numbers + 2 * steps};
		double top = plPaperStage_FindTop(&stage, scene->besides);
		match->bodies = countDynamic(&stage);
		stepAll(&stage, steps, &times, match);
		match->lost = 1.0 - plPaperStage_FindTop(&stage, scene->besides) / top;
		match->value = scene->judge != NULL ? scene->judge(&stage) : 0.0;
	}
	plPaperStage_Close(&stage);
	good = good && numbers != NULL;
	free(numbers);
	return good;
}

void plMatches_Begin(plPaperFile* file)
{
	plPaperFile_Begin(file,
	                  "scene,substeps,steps,bodies,contacts,ms_collide,ms_solve,ms_step,depth_m,sunken,joint_error_m,"
	                  "joint_error_end_m,lost,broken,broken_late,kinetic_J,what,value,solver");
}

// Settings of a solver's word are separated by spaces there, as commas separate columns.
static void printMatch(plPaperFile* file, const plMatchScene* scene, const plMatchWay* way, const plMatch* match)
{
	char word[128];
	snprintf(word, sizeof word, "%s", way->solver);
	for (char* comma = word; (comma = strchr(comma, ',')) != NULL;)
		*comma = ' ';
	plPaperFile_Print(file, "%s,%d,%d,%zu,%zu,%.3f,%.3f,%.3f,%.3g,%.3g,%.3g,%.3g,", scene->name,
	                  way->substeps > 0 ? way->substeps : scene->substeps, match->steps, match->bodies, match->contacts,
	                  match->collide, match->solve, match->total, match->depth, match->sunken, match->jointError,
	                  match->jointErrorEnd);
	plPaperFile_Print(file, "%.5f,%zu,%zu,%.3g,%s,%.4g,%s\n", match->lost, match->broken,
	                  match->broken - match->brokenBefore, match->kinetic, scene->judged != NULL ? scene->judged : "-",
	                  match->value, word);
}

bool plMatches_Run(const plPaperRun* run, const plMatchScene* scene, const plMatchWay* ways, plPaperFile* file,
                   plMatch* matches, plError* error)
{
	for (size_t i = 0; ways[i].solver != NULL; ++i)
	{
		matches[i] = (plMatch){0};
		if (!hasMethod(ways[i].solver))
			continue;
		if (!runMatch(run, scene, ways + i, matches + i, error))
			return false;
		printMatch(file, scene, ways + i, matches + i);
	}
	return true;
}
