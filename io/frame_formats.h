// frame_formats.h: the table of formats in which a run writes its frames
#ifndef PL_IO_FRAME_FORMATS_H
#define PL_IO_FRAME_FORMATS_H

#include "recording.h"

typedef struct plFrameType
{
	const char* name; // as scenes and --format say it
	// The frame of a body, which lies in recording->frame.
	plResult (*write)(plRecording* recording, size_t body, const plMeshView* mesh, uint64_t step, plError* error);
	// After the frames of all bodies.
	plResult (*finish)(plRecording* recording, plError* error);
	// The body's files of a run that goes on, before the first step; also if the format is no longer written.
	plResult (*resume)(plRecording* recording, size_t body, plError* error);
} plFrameType;

extern const plFrameType plFrameTypes[pl_frameFormatCount];

// recording_write.c
plResult plRecording_WriteVtu(plRecording* recording, size_t body, const plMeshView* mesh, uint64_t step,
                              plError* error);
plResult plRecording_WriteObj(plRecording* recording, size_t body, const plMeshView* mesh, uint64_t step,
                              plError* error);
plResult plRecording_WritePvds(plRecording* recording, plError* error);

// recording_cache.c
plResult plRecording_AppendPc2(plRecording* recording, size_t body, const plMeshView* mesh, uint64_t step,
                               plError* error);
plResult plRecording_AppendMdd(plRecording* recording, size_t body, const plMeshView* mesh, uint64_t step,
                               plError* error);
plResult plRecording_CountPc2(plRecording* recording, plError* error);
plResult plRecording_CountMdd(plRecording* recording, plError* error);
plResult plRecording_ResumePc2(plRecording* recording, size_t body, plError* error);
plResult plRecording_ResumeMdd(plRecording* recording, size_t body, plError* error);

#endif
