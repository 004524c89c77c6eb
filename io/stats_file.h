// stats_file.h: stats.jsonl as it grows: one line a step, flushed, cut back when a run goes on from a checkpoint
#ifndef PL_IO_STATS_FILE_H
#define PL_IO_STATS_FILE_H

#include "pliant/pliant.h"

typedef struct plStatsFile
{
	int descriptor; // -1: not open
	char* path;
	uint64_t length; // bytes of whole lines
	uint64_t notConverged;
	uint64_t firstNotConverged; // 0: all converged
	uint64_t lookedFrames;      // lines with "crossings"
	uint64_t crossedFrames;     // of these, with crossings
	uint64_t firstCrossed;      // 0: none
	char* line;                 // [lineRoom] the one that is being written
	size_t lineRoom;
	plReaction* reactions; // [reactionRoom] of that line
	size_t reactionRoom;
} plStatsFile;

// Opens the file, or makes it if it may, and locks it, so that two programs cannot record into one folder. Changes
// nothing in it.
plResult plStatsFile_Open(plStatsFile* file, const char* path, bool create, plError* error);
void plStatsFile_Close(plStatsFile* file);

// Finds the end of line `steps` and counts what those lines say. An error if there are fewer lines, or if that line
// is not of that step.
plResult plStatsFile_Scan(plStatsFile* file, uint64_t steps, plError* error);
// Removes what lies after the scanned lines (all of it if nothing was scanned).
plResult plStatsFile_Cut(plStatsFile* file, plError* error);
// The line of a step, with the forces that the world knows; `world` may be NULL.
plResult plStatsFile_Append(plStatsFile* file, const plStepReport* report, const plWorld* world, plError* error);

#endif
