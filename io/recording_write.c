// recording_write.c: what a run leaves on disk after a step: line of statistics, frames, .pvd, checkpoint, in this
// order
#include "frame_formats.h"
#include "scene.h"
#include "grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

double plRecording_GetTime(const plRecording* recording, uint64_t step)
{
	return (double)step * plScene_GetView(recording->scene).timestep;
}

// ---- frames and what lists them -----------------------------------------------------------------------------------

plResult plRecording_PushStep(plFrameList* list, uint64_t step, plError* error)
{
	if (list->count > 0 && list->steps[list->count - 1] >= step)
		return pl_success;
	if (!plGrow(&list->steps, &list->capacity, sizeof list->steps[0], list->count + 1))
		return plFile_Fail(error, pl_errorMemory, "not enough memory for a list of %zu frames", list->count + 1);
	list->steps[list->count++] = step;
	return pl_success;
}

plResult plRecording_WritePvd(const plRecording* recording, size_t body, plError* error)
{
	const plRunFile file = {.body = body, .kind = pl_runPvd};
	const plFrameList* list = &recording->lists[body];
	char* path = plRunFolder_GetPath(recording->folder, &recording->names, &file);
	if (path == NULL)
		return plFile_Fail(error, pl_errorMemory, "%s: not enough memory to record into it", recording->folder);
	plResult result = plWritePvd(path, recording->names.names[body], list->steps, list->count,
	                             plScene_GetView(recording->scene).timestep, error);
	free(path);
	return result;
}

static char* makeFramePath(const plRecording* recording, size_t body, plRunFileKind kind, uint64_t step, plError* error)
{
	const plRunFile file = {.body = body, .step = step, .kind = kind};
	char* path = plRunFolder_GetPath(recording->folder, &recording->names, &file);
	if (path == NULL)
		plFile_Fail(error, pl_errorMemory, "%s: not enough memory to record into it", recording->folder);
	return path;
}

plResult plRecording_WriteVtu(plRecording* recording, size_t body, const plMeshView* mesh, uint64_t step,
                              plError* error)
{
	(void)mesh;
	char* path = makeFramePath(recording, body, pl_runVtu, step, error);
	if (path == NULL)
		return pl_errorMemory;
	plResult result = plWriteVtu(path, recording->frame, plRecording_GetTime(recording, step), error);
	free(path);
	recording->filesWritten += result == pl_success;
	return result == pl_success ? plRecording_PushStep(&recording->lists[body], step, error) : result;
}

plResult plRecording_WriteObj(plRecording* recording, size_t body, const plMeshView* mesh, uint64_t step,
                              plError* error)
{
	const plFrame* frame = recording->frame;
	char* path = makeFramePath(recording, body, pl_runObj, step, error);
	if (path == NULL)
		return pl_errorMemory;
	plResult result =
	    plWriteSurfaceObj(path, frame->positions, frame->vertexCount, mesh->surface, mesh->surfaceCount, error);
	free(path);
	recording->filesWritten += result == pl_success;
	return result;
}

plResult plRecording_WritePvds(plRecording* recording, plError* error)
{
	plResult result = pl_success;
	for (size_t i = 0; i < recording->names.count && result == pl_success; ++i)
		if (recording->lists[i].count > 0)
			result = plRecording_WritePvd(recording, i, error);
	return result;
}

static plResult writeFrames(plRecording* recording, plWorld* world, uint64_t step, plError* error)
{
	plSceneView view = plScene_GetView(recording->scene);
	plResult result = pl_success;
	bool any = false;
	for (int f = 0; f < pl_frameFormatCount; ++f)
		any = any || view.formats[f];
	for (size_t i = 0; i < view.bodyCount && result == pl_success && any; ++i)
	{
		plSceneBodyView body = plScene_GetBody(recording->scene, i);
		if (body.mesh == NULL) // planes, which have no end
			continue;
		plMeshView mesh = plMesh_GetView(body.mesh);
		result = plScene_FillFrame(recording->scene, world, i, recording->frame, error);
		if (result == pl_success && view.crossings && body.rigidCount == 0)
			result =
			    plFrame_MarkCrossings(recording->frame, body.id, recording->crossings, recording->crossingCount, error);
		for (int f = 0; f < pl_frameFormatCount && result == pl_success; ++f)
			if (view.formats[f])
				result = plFrameTypes[f].write(recording, i, &mesh, step, error);
	}
	for (int f = 0; f < pl_frameFormatCount && result == pl_success; ++f)
		if (view.formats[f])
			result = plFrameTypes[f].finish(recording, error);
	return result;
}

plResult plRecording_WriteCheckpoint(plRecording* recording, const plWorld* world, uint64_t step, plError* error)
{
	size_t bytes = plWorld_GetStateSize(world);
	if (bytes > recording->stateBytes)
	{
		free(recording->state);
		recording->state = malloc(bytes);
		recording->stateBytes = recording->state != NULL ? bytes : 0;
		if (recording->state == NULL)
			return plFile_Fail(error, pl_errorMemory, "%s: not enough memory for %zu bytes of state",
			                   recording->checkpointPath, bytes);
	}
	plWorld_SaveState(world, recording->state);
	const plCheckpoint checkpoint = {.step = step,
	                                 .samples = {recording->sampleCounts[0], recording->sampleCounts[1]},
	                                 .meshes = recording->meshes,
	                                 .meshCount = plScene_GetMeshCount(recording->scene),
	                                 .bodyCount = recording->names.count,
	                                 .names = recording->nameTexts,
	                                 .nameBytes = recording->nameBytes,
	                                 .state = recording->state,
	                                 .stateBytes = bytes};
	plResult result = plCheckpoint_Write(recording->checkpointPath, &checkpoint, error);
	if (result == pl_success)
	{
		recording->checkpointStep = step;
		recording->hasCheckpoint = true;
	}
	return result;
}

// All that cross now
static plResult findCrossings(plRecording* recording, plWorld* world, plError* error)
{
	plResult result =
	    plWorld_FindCrossings(world, recording->crossings, recording->crossingRoom, &recording->crossingCount, error);
	if (result != pl_success || recording->crossingCount <= recording->crossingRoom)
		return result;
	if (!plGrow(&recording->crossings, &recording->crossingRoom, sizeof recording->crossings[0],
	            recording->crossingCount))
		return plFile_Fail(error, pl_errorMemory, "not enough memory for %zu crossings", recording->crossingCount);
	return plWorld_FindCrossings(world, recording->crossings, recording->crossingRoom, &recording->crossingCount,
	                             error);
}

// ---- while it runs ------------------------------------------------------------------------------------------------

plResult plRecording_Write(plRecording* recording, plWorld* world, const plStepReport* report, plError* error)
{
	if (recording->finished || (report == NULL && recording->step > 0))
		return pl_success;
	plSceneView view = plScene_GetView(recording->scene);
	uint64_t step = report != NULL ? report->step : 0;
	bool frame = step % (view.outputEvery > 0 ? view.outputEvery : 1) == 0 || step == view.steps;
	bool checkpoint = view.checkpointEvery > 0 ? step % view.checkpointEvery == 0 || step == view.steps : frame;
	plResult result = frame && view.crossings ? findCrossings(recording, world, error) : pl_success;
	if (result != pl_success)
		return result;
	if (report != NULL)
	{
		plStepReport line = *report;
		line.hasCrossings = frame && view.crossings;
		line.crossings = line.hasCrossings ? recording->crossingCount : 0;
		result = plStatsFile_Append(&recording->stats, &line, world, error);
	}
	else
		result = plRecording_WriteCheckpoint(recording, world, 0, error); // first of all: it names the bodies
	if (result == pl_success)
		recording->step = step;
	if (result == pl_success && frame)
		result = writeFrames(recording, world, step, error);
	if (result == pl_success && checkpoint && report != NULL)
		result = plRecording_WriteCheckpoint(recording, world, step, error);
	return result;
}
