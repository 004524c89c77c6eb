// recording.c: a run on disk, and how it goes on after it was stopped
//
// Order of writing, so that a run killed between any two writes can be resumed:
//
//   start    stats.jsonl (empty: the folder now holds a run), scene.json, checkpoint of step 0, frames of step 0
//   step     line of statistics, frames, samples of caches, .pvd, then the checkpoint, by rename
//   end      NAME.mdd of the samples that lie in NAME.mdd.spool (cache.h)
//   resume   the checkpoint decides: lines and frames after it are removed and made again, those up to it stay
//   replace  the old checkpoint is set aside under the name of a temporary (so nobody resumes the old run; it still
//            tells the names of the old bodies), then scene.json, then the old frames go, then the old lines
//
// Everything but stats.jsonl and the growing caches is complete or absent (file.h). The checkpoint says how many
// samples of a cache it covers; what lies after them is cut off like the lines. The checkpoint of step n therefore
// never exists without line n and the frames up to n.
#include "frame_formats.h"
#include "scene.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- making and destroying ------------------------------------------------------------------------------------------

static void destroyRecording(plRecording* recording)
{
	if (recording == NULL)
		return;
	plStatsFile_Close(&recording->stats);
	plRecording_CloseCaches(recording);
	for (size_t i = 0; recording->lists != NULL && i < recording->names.count; ++i)
		free(recording->lists[i].steps);
	free(recording->lists);
	plRunNames_Free(&recording->names);
	plDestroyFrame(recording->frame);
	free(recording->crossings);
	free(recording->scratch);
	free(recording->samples);
	free(recording->state);
	free(recording->nameTexts);
	free(recording->meshes);
	free(recording->asidePath);
	free(recording->checkpointPath);
	free(recording->scenePath);
	free(recording->folder);
	free(recording);
}

// Names that can name files, and no two alike: the scene has seen to it.
static plResult collectNames(plRecording* recording, const plSceneView* view, plError* error)
{
	size_t bytes = 0;
	for (size_t i = 0; i < view->bodyCount; ++i)
		bytes += strlen(plScene_GetBody(recording->scene, i).name) + 1;
	recording->nameBytes = bytes;
	recording->nameTexts = malloc(bytes > 0 ? bytes : 1);
	recording->lists = calloc(view->bodyCount > 0 ? view->bodyCount : 1, sizeof recording->lists[0]);
	recording->samples = calloc(view->bodyCount > 0 ? view->bodyCount : 1, sizeof recording->samples[0]);
	if (recording->nameTexts == NULL || recording->lists == NULL || recording->samples == NULL)
		return plFile_Fail(error, pl_errorMemory, "not enough memory for the names of %zu bodies", view->bodyCount);
	char* out = recording->nameTexts;
	for (size_t i = 0; i < view->bodyCount; ++i)
		out = stpcpy(out, plScene_GetBody(recording->scene, i).name) + 1;
	return plRunNames_Init(&recording->names, recording->nameTexts, view->bodyCount, error);
}

static plResult hashMeshes(plRecording* recording, plError* error)
{
	size_t count = plScene_GetMeshCount(recording->scene);
	recording->meshes = malloc((count > 0 ? count : 1) * sizeof recording->meshes[0]);
	if (recording->meshes == NULL)
		return plFile_Fail(error, pl_errorMemory, "%s: not enough memory to record into it", recording->folder);
	for (size_t i = 0; i < count; ++i)
		recording->meshes[i] = plScene_HashMesh(recording->scene, i);
	return pl_success;
}

static plRecording* newRecording(const char* folder, const plScene* scene, plError* error)
{
	plRecording* recording = calloc(1, sizeof *recording);
	if (recording == NULL)
	{
		plFile_Fail(error, pl_errorMemory, "%s: not enough memory to record into it", folder);
		return NULL;
	}
	recording->stats.descriptor = -1;
	recording->scene = scene;
	plSceneView view = plScene_GetView(scene);
	size_t vertexCount = 0, tetCount = 0, triangleCount = 0;
	for (size_t i = 0; i < view.bodyCount; ++i)
	{
		plSceneBodyView body = plScene_GetBody(scene, i);
		plMeshView mesh = body.mesh ? plMesh_GetView(body.mesh) : (plMeshView){0};
		vertexCount = mesh.vertexCount > vertexCount ? mesh.vertexCount : vertexCount;
		tetCount = mesh.tetCount > tetCount ? mesh.tetCount : tetCount;
		if ((body.rigidCount > 0 || body.cloth) && mesh.surfaceCount > triangleCount)
			triangleCount = mesh.surfaceCount;
	}
	recording->folder = strdup(folder);
	recording->scenePath = plFile_Join(folder, "scene.json");
	recording->checkpointPath = plFile_Join(folder, "checkpoint");
	recording->asidePath = plFile_Join(folder, "checkpoint" PL_TEMPORARY_ENDING);
	recording->frame = plFrame_Create(vertexCount, tetCount, triangleCount);
	recording->scratch = calloc(3 * vertexCount + 1, sizeof recording->scratch[0]);
	plResult result = pl_success;
	if (recording->folder == NULL || recording->scenePath == NULL || recording->checkpointPath == NULL ||
	    recording->asidePath == NULL || recording->frame == NULL || recording->scratch == NULL)
		result = plFile_Fail(error, pl_errorMemory, "%s: not enough memory to record into it", folder);
	if (result == pl_success)
		result = collectNames(recording, &view, error);
	if (result == pl_success)
		result = hashMeshes(recording, error);
	if (result == pl_success)
		return recording;
	destroyRecording(recording);
	return NULL;
}

static plResult openStats(plRecording* recording, bool create, plError* error)
{
	char* path = plFile_Join(recording->folder, "stats.jsonl");
	if (path == NULL)
		return plFile_Fail(error, pl_errorMemory, "%s: not enough memory to record into it", recording->folder);
	plResult result = plStatsFile_Open(&recording->stats, path, create, error);
	free(path);
	return result;
}

static plResult writeScene(const plRecording* recording, plError* error)
{
	const char* text = plScene_GetView(recording->scene).text;
	plFile file;
	plResult result = plFile_Open(&file, recording->scenePath, error);
	if (result != pl_success)
		return result;
	plFile_Write(&file, text, strlen(text));
	return plFile_Commit(&file, error);
}

// ---- starting -------------------------------------------------------------------------------------------------------

// Removes the bodies' files: all of them, or frames after the step and temporaries.
static plResult removeFiles(plRecording* recording, const plRunNames* names, bool all, uint64_t after, plError* error)
{
	plRunFile* files;
	size_t count;
	plResult result = plRunFolder_List(recording->folder, names, &files, &count, error);
	for (size_t i = 0; i < count && result == pl_success; ++i)
	{
		if (!all && !files[i].temporary && (files[i].kind >= pl_runPvd || files[i].step <= after))
			continue;
		char* path = plRunFolder_GetPath(recording->folder, names, &files[i]);
		if (path == NULL)
			result = plFile_Fail(error, pl_errorMemory, "%s: not enough memory to list it", recording->folder);
		else
			result = plFile_Remove(path, error);
		free(path);
	}
	free(files);
	return result;
}

// The old run's own files: of the bodies that its checkpoint names; without one, of the bodies of this scene.
static plResult removeOldRun(plRecording* recording, plError* error)
{
	plCheckpoint old;
	plRunNames names;
	plResult result = plCheckpoint_Read(recording->asidePath, &old, NULL);
	if (result != pl_success)
		return removeFiles(recording, &recording->names, true, 0, error);
	result = plRunNames_Init(&names, old.names, old.bodyCount, error);
	if (result == pl_success)
		result = removeFiles(recording, &names, true, 0, error);
	plRunNames_Free(&names);
	plCheckpoint_Free(&old);
	return result;
}

static plResult startAnew(plRecording* recording, bool holdsRun, plError* error)
{
	bool aside = false;
	if (holdsRun)
		aside = rename(recording->checkpointPath, recording->asidePath) == 0;
	plResult result = writeScene(recording, error);
	if (result != pl_success)
	{
		if (aside)
			rename(recording->asidePath, recording->checkpointPath); // the old run stays what it was
		return result;
	}
	if (holdsRun)
		result = removeOldRun(recording, error);
	if (result == pl_success)
		result = plStatsFile_Cut(&recording->stats, error);
	return result;
}

plRecording* plCreateRecording(const char* folder, const plScene* scene, plError* error)
{
	plRecording* recording = newRecording(folder, scene, error);
	if (recording == NULL)
		return NULL;
	char* stats = plFile_Join(folder, "stats.jsonl");
	bool holdsRun = stats != NULL && plFile_Exists(stats);
	plResult result = pl_success;
	if (stats == NULL)
		result = plFile_Fail(error, pl_errorMemory, "%s: not enough memory to record into it", folder);
	for (int i = 0; i < 2 && result == pl_success && !holdsRun; ++i)
	{
		const char* path = i == 0 ? recording->scenePath : recording->checkpointPath;
		if (plFile_Exists(path))
			result = plFile_Fail(error, pl_errorFile,
			                     "%s: would be overwritten, and there is no stats.jsonl of a run beside it", path);
	}
	if (result == pl_success)
		result = plFolder_Make(folder, &recording->made, error);
	bool made = result == pl_success;
	if (result == pl_success)
		result = openStats(recording, true, error);
	if (result == pl_success)
		result = startAnew(recording, holdsRun, error);
	if (result != pl_success && made && !holdsRun) // leave nothing behind
	{
		plFile_Remove(stats, NULL);
		plFile_Remove(recording->scenePath, NULL);
		plFolder_Unmake(folder, recording->made);
	}
	free(stats);
	if (result == pl_success)
		return recording;
	destroyRecording(recording);
	return NULL;
}

// ---- going on -------------------------------------------------------------------------------------------------------

static plResult checkScene(const plRecording* recording, plScene* scene, plError* error)
{
	size_t bytes;
	char* text = plFile_ReadAll(recording->scenePath, &bytes, error);
	if (text == NULL)
		return error != NULL ? error->code : pl_errorFile;
	const char* key = plScene_FindDifference(scene, text);
	plResult result = pl_success;
	if (key != NULL)
		result = plFile_Fail(error, pl_errorInput, "%s: the run is of another scene: '%s' differs",
		                     recording->scenePath, key);
	free(text);
	return result;
}

// The scene is the same, so its meshes stand in the same order.
static plResult checkMeshes(const plRecording* recording, const plCheckpoint* checkpoint, plError* error)
{
	size_t count = plScene_GetMeshCount(recording->scene);
	if (checkpoint->meshCount != count)
		return plFile_Fail(error, pl_errorInput, "%s: the run is of another scene: it has %zu meshes, the scene %zu",
		                   recording->checkpointPath, checkpoint->meshCount, count);
	for (size_t i = 0; i < count; ++i)
	{
		const char* path = plScene_GetMeshPath(recording->scene, i);
		if (checkpoint->meshes[i] != recording->meshes[i])
			return plFile_Fail(error, pl_errorInput, "%s: the run was made with another mesh: %s%s",
			                   recording->checkpointPath, path ? path : "a generated one",
			                   path ? " has changed since" : " is made in another way by this version of pliant");
	}
	return pl_success;
}

static plResult loadCheckpoint(plRecording* recording, plWorld* world, plError* error)
{
	plCheckpoint checkpoint;
	plResult result = plCheckpoint_Read(recording->checkpointPath, &checkpoint, error);
	if (result != pl_success)
		return result;
	recording->state = malloc(checkpoint.stateBytes > 0 ? checkpoint.stateBytes : 1);
	recording->stateBytes = checkpoint.stateBytes;
	plError reason = {0};
	result = checkMeshes(recording, &checkpoint, error);
	if (result != pl_success)
	{
		plCheckpoint_Free(&checkpoint);
		return result;
	}
	if (recording->state == NULL)
		result = plFile_Fail(error, pl_errorMemory, "%s: not enough memory for %zu bytes of state",
		                     recording->checkpointPath, checkpoint.stateBytes);
	else
	{
		memcpy(recording->state, checkpoint.state, checkpoint.stateBytes); // the file's own bytes may lie at odd places
		result = plWorld_LoadState(world, recording->state, checkpoint.stateBytes, &reason);
		if (result != pl_success)
			plFile_Fail(error, result, "%s: does not fit the scene: %s", recording->checkpointPath, reason.message);
		else if (plWorld_GetStepCount(world) != checkpoint.step)
			result = plFile_Fail(error, pl_errorInput, "%s: is damaged: it is of step %" PRIu64 " and of step %" PRIu64,
			                     recording->checkpointPath, checkpoint.step, plWorld_GetStepCount(world));
	}
	recording->step = recording->checkpointStep = checkpoint.step;
	memcpy(recording->sampleCounts, checkpoint.samples, sizeof recording->sampleCounts);
	recording->hasCheckpoint = true;
	plCheckpoint_Free(&checkpoint);
	return result;
}

// What lies after the checkpoint goes; the lists of frames are made again from those that stay.
static plResult cutBack(plRecording* recording, plError* error)
{
	plResult result = plStatsFile_Cut(&recording->stats, error);
	if (result == pl_success)
		result = removeFiles(recording, &recording->names, false, recording->step, error);
	plRunFile* files = NULL;
	size_t count = 0;
	if (result == pl_success)
		result = plRunFolder_List(recording->folder, &recording->names, &files, &count, error);
	for (size_t i = 0; i < count && result == pl_success; ++i)
		if (files[i].kind == pl_runVtu)
			result = plRecording_PushStep(&recording->lists[files[i].body], files[i].step, error);
	for (size_t i = 0; i < recording->names.count && result == pl_success; ++i)
		if (recording->lists[i].count > 0)
			result = plRecording_WritePvd(recording, i, error);
	free(files);
	if (result == pl_success)
		result = writeScene(recording, error); // steps and output may have changed
	return result;
}

plRecording* plResumeRecording(const char* folder, plScene* scene, plWorld* world, plError* error)
{
	plRecording* recording = newRecording(folder, scene, error);
	if (recording == NULL)
		return NULL;
	plResult result = pl_success;
	bool hasCheckpoint = plFile_Exists(recording->checkpointPath);
	if (hasCheckpoint || plFile_Exists(recording->scenePath))
		result = checkScene(recording, scene, error);
	if (result == pl_success && !hasCheckpoint)
	{
		destroyRecording(recording);
		return plCreateRecording(folder, scene, error);
	}
	if (result == pl_success)
		result = loadCheckpoint(recording, world, error);
	if (result == pl_success)
		result = openStats(recording, false, error);
	if (result == pl_success)
		result = plStatsFile_Scan(&recording->stats, recording->step, error);
	recording->finished = recording->step > 0 && recording->step >= plScene_GetView(scene).steps;
	for (size_t i = 0; i < recording->names.count; ++i)
		for (int f = 0; f < pl_frameFormatCount && result == pl_success; ++f)
			result = plFrameTypes[f].resume(recording, i, error);
	if (result == pl_success && !recording->finished)
		result = cutBack(recording, error);
	if (result == pl_success)
		return recording;
	destroyRecording(recording);
	return NULL;
}

// ---- what is on record, and the end ------------------------------------------------------------

plRecordingView plRecording_GetView(const plRecording* recording)
{
	return (plRecordingView){.folder = recording->folder,
	                         .step = recording->step,
	                         .finished = recording->finished,
	                         .notConverged = recording->stats.notConverged,
	                         .firstNotConverged = recording->stats.firstNotConverged,
	                         .crossedFrames = recording->stats.crossedFrames,
	                         .firstCrossed = recording->stats.firstCrossed,
	                         .lookedFrames = recording->stats.lookedFrames,
	                         .filesWritten = recording->filesWritten};
}

plResult plRecording_Close(plRecording* recording, plWorld* world, bool failed, plError* error)
{
	if (recording == NULL)
		return pl_success;
	plResult result = pl_success;
	bool current = recording->hasCheckpoint && recording->checkpointStep == recording->step;
	if (!failed && !recording->finished && !current)
		result = plRecording_WriteCheckpoint(recording, world, recording->step, error);
	plResult finished = plRecording_FinishCaches(recording, result == pl_success && !failed ? error : NULL);
	if (result == pl_success && !failed)
		result = finished;
	destroyRecording(recording);
	return result;
}
