// scene_command.c: SCENE, --set, --threads, --output, --help; the scene, threads and a world of it
#include "scene_command.h"

#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reading
{
	plSceneJob* job;
	const plSceneCommand* command;
	const char* name; // of the command
	void* context;
} Reading;

static bool takeCommon(void* context, int option, const char* value)
{
	const Reading* reading = context;
	plSceneJob* job = reading->job;
	if (option == pl_argumentPlain)
		return plArguments_TakeOnly(reading->name, "scene", value, &job->path);
	const char* name = reading->command->options[option].name;
	if (strcmp(name, "set") == 0)
		job->sets[job->options.setCount++] = value;
	else if (strcmp(name, "threads") == 0)
		return plOption_ParseInt(name, value, 4096, &job->threads);
	else if (strcmp(name, "output") == 0)
		return plOption_ParsePath(name, value, reading->command->output, &job->output);
	else if (strcmp(name, "help") == 0)
		job->help = true;
	else
		return reading->command->take(reading->context, option, value);
	return true;
}

static bool readArguments(const plSceneCommand* command, plSceneJob* job, int argc, char** argv, void* context)
{
	*job = (plSceneJob){.options = plDefaultSceneOptions(), .sets = calloc((size_t)argc + 1, sizeof *job->sets)};
	job->diagnostics = plCreateDiagnostics();
	if (job->sets == NULL || job->diagnostics == NULL)
	{
		plApp_Report(NULL, "not enough memory for the options");
		return false;
	}
	job->options.sets = job->sets;
	Reading reading = {job, command, argv[0], context};
	if (!plArguments_TakeAll(argc, argv, command->options, command->optionCount, takeCommon, &reading))
		return false;
	if (job->help || job->path != NULL)
		return true;
	char remedy[128];
	snprintf(remedy, sizeof remedy, "pliant %s %s", argv[0], command->usage);
	plApp_Report(remedy, "the scene is missing");
	return false;
}

static void destroyJob(plSceneJob* job)
{
	plDestroyWorld(job->world);
	plDestroyScene(job->scene);
	plDestroyPool(job->pool);
	plDestroyDiagnostics(job->diagnostics);
	free(job->defaultFolder);
	free(job->sets);
	*job = (plSceneJob){0};
}

int plSceneCommand_Run(const plSceneCommand* command, plSceneJob* job, int argc, char** argv, void* context)
{
	int status = pl_exitUsage;
	if (readArguments(command, job, argc, argv, context))
	{
		if (job->help)
		{
			command->printHelp();
			status = pl_exitDone;
		}
		else
			status = command->run(context);
	}
	destroyJob(job);
	return status;
}

bool plSceneCommand_TakeSolver(plSceneOptions* changes, const char* name, const char* value)
{
	if (strcmp(name, "iterations") == 0)
		return plOption_ParseInt(name, value, INT32_MAX, &changes->iterations);
	if (strcmp(name, "tolerance") == 0)
		return plOption_ParseReal(name, value, 0.0, &changes->tolerance);
	if (strcmp(name, "precision") == 0)
		changes->precision = value;
	else
		changes->method = value;
	return true;
}

bool plSceneJob_Read(plSceneJob* job)
{
	job->scene = plReadScene(job->path, &job->options, job->diagnostics);
	return job->scene != NULL;
}

bool plSceneJob_CreateWorld(plSceneJob* job)
{
	job->pool = plCreatePool(job->threads);
	if (job->pool == NULL)
		plApp_Report("try fewer: --threads 1", "the threads cannot be started");
	else
		job->world = plScene_CreateWorld(job->scene, job->pool, NULL, job->diagnostics);
	return job->world != NULL;
}

const char* plSceneJob_GetFolder(plSceneJob* job)
{
	if (job->output != NULL)
		return job->output;
	const char* name = plScene_GetView(job->scene).name;
	size_t bytes = strlen(name) + sizeof "out/";
	job->defaultFolder = malloc(bytes);
	if (job->defaultFolder == NULL)
		plApp_Report(NULL, "not enough memory for the name of the folder");
	else
		snprintf(job->defaultFolder, bytes, "out/%s", name);
	return job->defaultFolder;
}
