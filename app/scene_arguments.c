// scene_arguments.c: SCENE, --set, --threads, --output, --help
#include "scene_arguments.h"

#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reading
{
	plSceneArguments* arguments;
	const plSceneCommand* command;
	const char* name; // of the command
	void* context;
} Reading;

static bool takeCommon(void* context, int option, const char* value)
{
	const Reading* reading = context;
	plSceneArguments* arguments = reading->arguments;
	if (option == pl_argumentPlain)
		return plArguments_TakeOnly(reading->name, "scene", value, &arguments->path);
	const char* name = reading->command->options[option].name;
	if (strcmp(name, "set") == 0)
		arguments->sets[arguments->options.setCount++] = value;
	else if (strcmp(name, "threads") == 0)
		return plOption_ParseInt(name, value, 4096, &arguments->threads);
	else if (strcmp(name, "output") == 0)
		return plOption_ParsePath(name, value, reading->command->output, &arguments->output);
	else if (strcmp(name, "help") == 0)
		arguments->help = true;
	else
		return reading->command->take(reading->context, option, value);
	return true;
}

bool plSceneArguments_Read(plSceneArguments* arguments, const plSceneCommand* command, int argc, char** argv,
                           void* context)
{
	*arguments = (plSceneArguments){.options = plDefaultSceneOptions(),
	                                .sets = calloc((size_t)argc + 1, sizeof *arguments->sets)};
	if (arguments->sets == NULL)
	{
		plApp_Report(NULL, "no memory for the options");
		return false;
	}
	arguments->options.sets = arguments->sets;
	Reading reading = {arguments, command, argv[0], context};
	if (!plArguments_TakeAll(argc, argv, command->options, command->optionCount, takeCommon, &reading))
		return false;
	if (arguments->help || arguments->path != NULL)
		return true;
	char remedy[128];
	snprintf(remedy, sizeof remedy, "pliant %s %s", argv[0], command->usage);
	plApp_Report(remedy, "the scene is missing");
	return false;
}

void plSceneArguments_Destroy(plSceneArguments* arguments)
{
	free(arguments->sets);
	*arguments = (plSceneArguments){0};
}
