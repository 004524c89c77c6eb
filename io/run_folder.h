// run_folder.h: which files in a folder belong to a run
//
// A run owns scene.json, stats.jsonl, checkpoint, and for each of its bodies NAME_STEP.vtu, NAME_STEP.obj, NAME.pvd,
// NAME.pc2, NAME.mdd and NAME.mdd.spool, all of them also with the ending of a temporary. Everything else in the folder
// is somebody else's.
#ifndef PL_IO_RUN_FOLDER_H
#define PL_IO_RUN_FOLDER_H

#include "pliant/base.h"

typedef enum plRunFileKind
{
	pl_runVtu,
	pl_runObj,
	pl_runPvd,
	pl_runPc2,
	pl_runMdd,
	pl_runSpool,
	pl_runFileKindCount
} plRunFileKind;

typedef struct plRunFile
{
	size_t body;
	uint64_t step; // 0 for files of the whole run: .pvd and what follows it above
	plRunFileKind kind;
	bool temporary;
} plRunFile;

// Bodies by name, in order and sorted.
typedef struct plRunNames
{
	const char** names;
	size_t* sorted;
	size_t count;
} plRunNames;

// `names` are zero-ended texts one after the other and must outlive the result.
plResult plRunNames_Init(plRunNames* names, const char* texts, size_t count, plError* error);
void plRunNames_Free(plRunNames* names);

// The bodies' files, by body, then kind, then step. Free with free().
plResult plRunFolder_List(const char* folder, const plRunNames* names, plRunFile** files, size_t* count,
                          plError* error);
// Path of a file, allocated; NULL: no memory.
char* plRunFolder_GetPath(const char* folder, const plRunNames* names, const plRunFile* file);

#endif
