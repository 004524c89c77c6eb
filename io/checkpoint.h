// checkpoint.h: the file from which a run goes on, and which says which bodies' files the run has made
#ifndef PL_IO_CHECKPOINT_H
#define PL_IO_CHECKPOINT_H

#include "pliant/base.h"

typedef struct plCheckpoint
{
	uint64_t step;
	uint64_t samples[2];    // frames up to the step that the bodies' .pc2 and .mdd hold
	const uint64_t* meshes; // a hash of each mesh of the scene
	size_t meshCount;
	size_t bodyCount;
	const char* names; // of the bodies, each with its zero byte
	size_t nameBytes;
	const void* state; // of plWorld_SaveState
	size_t stateBytes;
	void* owner; // what the reader allocated
} plCheckpoint;

plResult plCheckpoint_Write(const char* path, const plCheckpoint* checkpoint, plError* error);

// Everything points into one block, which plCheckpoint_Free releases.
plResult plCheckpoint_Read(const char* path, plCheckpoint* checkpoint, plError* error);
void plCheckpoint_Free(plCheckpoint* checkpoint);

#endif
