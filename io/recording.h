// recording.h: a recording inside, shared by what starts and ends it and by what writes while it runs
#ifndef PL_IO_RECORDING_H
#define PL_IO_RECORDING_H

#include "cache.h"
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

// The caches of a body that grow with the run.
typedef struct plBodySamples
{
	plSampleFile files[2]; // by plCacheKind
} plBodySamples;

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
	uint64_t* meshes; // a hash of each mesh of the scene
	plRunNames names;
	plFrameList* lists;       // one per body
	plBodySamples* samples;   // one per body
	uint64_t sampleCounts[2]; // frames in each .pc2 and .mdd
	plStatsFile stats;
	plFrame* frame;        // room for the largest body
	plCrossing* crossings; // [crossingRoom] of the frame that is being written, if they are looked for
	size_t crossingCount, crossingRoom;
	float* scratch; // 1 + 3 floats per vertex of the largest body
	void* state;
	size_t stateBytes;
	uint64_t step;           // last one on record
	uint64_t checkpointStep; // of the checkpoint on disk
	bool hasCheckpoint, finished;
	uint64_t filesWritten;
};

// s
double plRecording_GetTime(const plRecording* recording, uint64_t step);
// A frame of the step exists: its place in the list of the body's .pvd, unless it is there already.
plResult plRecording_PushStep(plFrameList* list, uint64_t step, plError* error);
plResult plRecording_WritePvd(const plRecording* recording, size_t body, plError* error);

// ---- caches (recording_cache.c) -------------------------------------------------------------------------------------

// NAME.mdd of every body that has a spool.
plResult plRecording_FinishCaches(plRecording* recording, plError* error);
void plRecording_CloseCaches(plRecording* recording);

plResult plRecording_WriteCheckpoint(plRecording* recording, const plWorld* world, uint64_t step, plError* error);

#endif
