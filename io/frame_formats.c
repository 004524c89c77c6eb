// frame_formats.c: the table of formats in which a run writes its frames
//
//   file a frame      vtu, obj    nothing to go on with: frames after the checkpoint are removed by their names
//   file that grows   pc2, mdd    cut to the frames that the checkpoint covers (recording_cache.c)
//
// The scene reader, --format with its help, the recording and its resuming go by this table; a test holds the pages and
// the schema against it.
#include "frame_formats.h"

#include <string.h>

static plResult finishNothing(plRecording* recording, plError* error)
{
	(void)recording;
	(void)error;
	return pl_success;
}

static plResult resumeNothing(plRecording* recording, size_t body, plError* error)
{
	(void)recording;
	(void)body;
	(void)error;
	return pl_success;
}

const plFrameType plFrameTypes[pl_frameFormatCount] = {
    [pl_frameVtu] = {"vtu", plRecording_WriteVtu, plRecording_WritePvds, resumeNothing},
    [pl_frameObj] = {"obj", plRecording_WriteObj, finishNothing, resumeNothing},
    [pl_framePc2] = {"pc2", plRecording_AppendPc2, plRecording_CountPc2, plRecording_ResumePc2},
    [pl_frameMdd] = {"mdd", plRecording_AppendMdd, plRecording_CountMdd, plRecording_ResumeMdd},
};

const char* plFrameFormat_GetName(plFrameFormat format)
{
	return (unsigned)format < pl_frameFormatCount ? plFrameTypes[format].name : NULL;
}

bool plFindFrameFormat(const char* name, plFrameFormat* format)
{
	for (int i = 0; i < pl_frameFormatCount; ++i)
		if (strcmp(name, plFrameTypes[i].name) == 0)
		{
			*format = (plFrameFormat)i;
			return true;
		}
	return false;
}
