// scene_command.h: what commands that take one scene have in common: SCENE, --set, --threads, --output, --help; the
// scene, threads and a world of it
#ifndef PL_APP_SCENE_COMMAND_H
#define PL_APP_SCENE_COMMAND_H

#include "options.h"
#include "pliant/io.h"

// What was asked, and what was made of it.
typedef struct plSceneJob
{
	const char* path;   // of the scene
	const char* output; // NULL: not given
	plSceneOptions options;
	const char** sets; // options.sets
	int threads;       // 0: all
	bool help;

	char* defaultFolder;
	plDiagnostics* diagnostics;
	plScene* scene;
	plPool* pool;
	plWorld* world;
} plSceneJob;

// Common options are known by their names, the others are handed to `take`. `usage` follows the name of the command in
// a remedy, "SCENE [-o DIR] [options]"; `output` is what --output names, "folder" or "file". `run` returns the exit
// status.
typedef struct plSceneCommand
{
	const char* usage;
	const char* output;
	const plOption* options;
	size_t optionCount;
	plTakeArgument* take;
	void (*printHelp)(void);
	int (*run)(void* context);
} plSceneCommand;

// Reads the command line into `job`, every problem being reported; prints the help, or runs with the diagnostics at
// hand; then destroys all that the job has. Returns the exit status.
int plSceneCommand_Run(const plSceneCommand* command, plSceneJob* job, int argc, char** argv, void* context);

// --method, --iterations, --tolerance and --precision, by name. Words are checked by who reads the scene or the solver.
// False: reported.
bool plSceneCommand_TakeSolver(plSceneOptions* changes, const char* name, const char* value);

// The scene. False: the diagnostics say why.
bool plSceneJob_Read(plSceneJob* job);
// The threads and the world of the scene. False: reported, or the diagnostics say why.
bool plSceneJob_CreateWorld(plSceneJob* job);
// That of --output, or out/<scene name>; NULL: no memory, reported.
const char* plSceneJob_GetFolder(plSceneJob* job);

#endif
