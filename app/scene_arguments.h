// scene_arguments.h: what commands that take one scene have in common: SCENE, --set, --threads, --output, --help
#ifndef PL_APP_SCENE_ARGUMENTS_H
#define PL_APP_SCENE_ARGUMENTS_H

#include "options.h"
#include "pliant/io.h"

typedef struct plSceneArguments
{
	const char* path;   // of the scene
	const char* output; // NULL: not given
	plSceneOptions options;
	const char** sets; // owned; options.sets
	int threads;       // 0: all
	bool help;
} plSceneArguments;

// Takes what is common itself, by the names of the options, and hands the rest to `take`. `usage` follows the name of
// the command in a remedy, "SCENE [-o DIR] [options]"; `output` is what --output names, "folder" or "file". False:
// reported, every problem. Destroy also after a failure.
typedef struct plSceneCommand
{
	const char* usage;
	const char* output;
	const plOption* options;
	size_t optionCount;
	plTakeArgument* take;
} plSceneCommand;

bool plSceneArguments_Read(plSceneArguments* arguments, const plSceneCommand* command, int argc, char** argv,
                           void* context);
void plSceneArguments_Destroy(plSceneArguments* arguments);

#endif
