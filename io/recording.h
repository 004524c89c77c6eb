// recording.h: a recording inside, shared by what starts and ends it and by what writes while it runs
#ifndef PL_IO_RECORDING_H
#define PL_IO_RECORDING_H

#include "checkpoint.h"
#include "file.h"
#include "pliant/io.h"
#include "run_folder.h"
#include "stats_file.h"
#include "vtu.h"

// Steps of which a body has a .vtu file, ascending: what its .pvd lists.
typedef struct plFrameList
{
	uint64_t* steps;
	size_t count, capacity;
} plFrameList;

struct plRecording
{
	char* folder;
	size_t made; // see plFolder_Make
	const plScene* scene;
	char* scenePath;
	char* checkpointPath;
	char* asidePath; // of a checkpoint that is being replaced
	char* nameTexts; // names of the bodies, each with its zero byte
	size_t nameBytes;
	plRunNames names;
	plFrameList* lists; // one per body
	plStatsFile stats;
	plFrame* frame; // room for the largest body
	void* state;
	size_t stateBytes;
	uint64_t step;           // last one on record
	uint64_t checkpointStep; // of the checkpoint on disk
	bool hasCheckpoint, finished;
	uint64_t filesWritten;
};

// A frame of the step exists: its place in the list of the body's .pvd, unless it is there already.
plResult plRecording_PushStep(plFrameList* list, uint64_t step, plError* error);
plResult plRecording_WritePvd(const plRecording* recording, size_t body, plError* error);
plResult plRecording_WriteCheckpoint(plRecording* recording, const plWorld* world, uint64_t step, plError* error);

#endif
