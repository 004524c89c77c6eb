// recording_cache.c: NAME.pc2 and NAME.mdd of the bodies of a run, which grow with it
//
// The checkpoint counts the frames of each kind that it covers, the same for all bodies. A resumed run finds
//
//   NAME.pc2         with as many samples or more: cut to them
//   NAME.mdd.spool   with as many or more: cut; it is there when the run was killed
//   NAME.mdd         when the run ended: its frames become a spool again as soon as there is something to add
//
// Caches of a format that the run no longer writes are cut and completed, and then left as they are. PC2 has no times:
// its samples count as equally far apart, whatever the run did.
#include "frame_formats.h"

#include <stdlib.h>

static char* getPath(const plRecording* recording, size_t body, plRunFileKind kind)
{
	const plRunFile file = {.body = body, .kind = kind};
	return plRunFolder_GetPath(recording->folder, &recording->names, &file);
}

static plResult failMemory(const plRecording* recording, plError* error)
{
	return plFile_Fail(error, pl_errorMemory, "%s: not enough memory to record into it", recording->folder);
}

static bool isWanted(const plRecording* recording, plCacheKind kind)
{
	plFrameFormat format = kind == pl_cachePc2 ? pl_framePc2 : pl_frameMdd;
	return !recording->finished && plScene_GetView(recording->scene).formats[format];
}

static size_t getVertexCount(const plRecording* recording, size_t body)
{
	const plMesh* mesh = plScene_GetBody(recording->scene, body).mesh;
	return mesh ? plMesh_GetView(mesh).vertexCount : 0;
}

// ---- going on -------------------------------------------------------------------------------------------------------

// The samples that the checkpoint covers, from the spool or from NAME.mdd.
static plResult resumeMdd(plRecording* recording, size_t body, uint64_t keep, plError* error)
{
	char *spool = getPath(recording, body, pl_runSpool), *mdd = getPath(recording, body, pl_runMdd);
	plResult result = pl_success;
	bool wanted = isWanted(recording, pl_cacheMdd);
	if (spool == NULL || mdd == NULL)
		result = failMemory(recording, error);
	else if (plFile_Exists(spool) || wanted || (!recording->finished && plFile_Exists(mdd)))
	{
		if (!plFile_Exists(spool))
			result = plSampleFile_MakeSpool(spool, mdd, getVertexCount(recording, body), keep, error);
		if (result == pl_success)
			result = plSampleFile_Open(&recording->samples[body].files[pl_cacheMdd], pl_cacheMdd, spool,
			                           getVertexCount(recording, body), keep, error);
	}
	free(spool);
	free(mdd);
	return result;
}

static plResult resumePc2(plRecording* recording, size_t body, uint64_t keep, plError* error)
{
	char* path = getPath(recording, body, pl_runPc2);
	plResult result = pl_success;
	if (path == NULL)
		result = failMemory(recording, error);
	else if (!recording->finished && (plFile_Exists(path) || isWanted(recording, pl_cachePc2)))
		result = plSampleFile_Open(&recording->samples[body].files[pl_cachePc2], pl_cachePc2, path,
		                           getVertexCount(recording, body), keep, error);
	free(path);
	return result;
}

// Caches of which the checkpoint covers nothing.
static plResult removeCaches(plRecording* recording, size_t body, plCacheKind kind, plError* error)
{
	plRunFileKind first = kind == pl_cachePc2 ? pl_runPc2 : pl_runMdd,
	              last = kind == pl_cachePc2 ? pl_runPc2 : pl_runSpool;
	plResult result = pl_success;
	for (int i = first; i <= (int)last && result == pl_success; ++i)
	{
		char* path = getPath(recording, body, (plRunFileKind)i);
		result = path == NULL ? failMemory(recording, error) : plFile_Remove(path, error);
		free(path);
	}
	return result;
}

plResult plRecording_ResumePc2(plRecording* recording, size_t body, plError* error)
{
	if (getVertexCount(recording, body) == 0) // planes, which have no end and no file
		return pl_success;
	uint64_t keep = recording->sampleCounts[pl_cachePc2];
	return keep > 0 ? resumePc2(recording, body, keep, error) : removeCaches(recording, body, pl_cachePc2, error);
}

plResult plRecording_ResumeMdd(plRecording* recording, size_t body, plError* error)
{
	if (getVertexCount(recording, body) == 0)
		return pl_success;
	uint64_t keep = recording->sampleCounts[pl_cacheMdd];
	return keep > 0 ? resumeMdd(recording, body, keep, error) : removeCaches(recording, body, pl_cacheMdd, error);
}

// ---- while it runs --------------------------------------------------------------------------------------------------

static plResult append(plRecording* recording, size_t body, plCacheKind kind, uint64_t step, plError* error)
{
	plSampleFile* file = &recording->samples[body].files[kind];
	plResult result = pl_success;
	if (file->stream == NULL) // the first one
	{
		char* path = getPath(recording, body, kind == pl_cachePc2 ? pl_runPc2 : pl_runSpool);
		result = path == NULL ? failMemory(recording, error)
		                      : plSampleFile_Open(file, kind, path, recording->frame->vertexCount, 0, error);
		free(path);
		recording->filesWritten += result == pl_success;
	}
	if (result == pl_success)
		result = plSampleFile_Append(file, (float)plRecording_GetTime(recording, step), recording->frame->positions,
		                             recording->scratch, error);
	return result;
}

plResult plRecording_AppendPc2(plRecording* recording, size_t body, const plMeshView* mesh, uint64_t step,
                               plError* error)
{
	(void)mesh;
	return append(recording, body, pl_cachePc2, step, error);
}

plResult plRecording_AppendMdd(plRecording* recording, size_t body, const plMeshView* mesh, uint64_t step,
                               plError* error)
{
	(void)mesh;
	return append(recording, body, pl_cacheMdd, step, error);
}

plResult plRecording_CountPc2(plRecording* recording, plError* error)
{
	(void)error;
	++recording->sampleCounts[pl_cachePc2];
	return pl_success;
}

plResult plRecording_CountMdd(plRecording* recording, plError* error)
{
	(void)error;
	++recording->sampleCounts[pl_cacheMdd];
	return pl_success;
}

// ---- the end --------------------------------------------------------------------------------------------------------

plResult plRecording_FinishCaches(plRecording* recording, plError* error)
{
	plResult result = pl_success;
	for (size_t i = 0; i < recording->names.count && result == pl_success; ++i)
	{
		plSampleFile* spool = &recording->samples[i].files[pl_cacheMdd];
		char* path = spool->stream != NULL ? getPath(recording, i, pl_runMdd) : NULL;
		if (spool->stream != NULL && path == NULL)
			result = failMemory(recording, error);
		else if (spool->stream != NULL)
			result = plSampleFile_MakeMdd(spool, path, error);
		if (spool->stream != NULL && result == pl_success)
			result = plFile_Remove(spool->path, error);
		free(path);
	}
	return result;
}

void plRecording_CloseCaches(plRecording* recording)
{
	for (size_t i = 0; recording->samples != NULL && i < recording->names.count; ++i)
		for (int kind = pl_cachePc2; kind <= pl_cacheMdd; ++kind)
			plSampleFile_Close(&recording->samples[i].files[kind]);
}
