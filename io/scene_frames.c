// scene_frames.c: "frames" of a collider: a mesh that changes its form, from a cache of positions
//
//   "frames": "walk.mdd"                                        times of the file
//   "frames": { "file": "walk.pc2", "fps": 25, "start": 0.5 }   frame i at start + i/fps
//
// `start` moves the first frame there, also that of times in the file. A PC2 file has no times, and needs `fps`.
#include "scene.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct Request
{
	const plJson* place; // of the name
	const char* file;
	double fps;   // 0: the file's times
	double start; // s
	bool hasStart;
} Request;

static bool readRequest(plSceneReader* reader, const plJson* node, Request* request)
{
	static const char* const keys[] = {"file", "fps", "start", NULL};
	*request = (Request){.place = node, .file = node->text};
	if (node->kind == pl_jsonString)
		return true;
	if (node->kind != pl_jsonObject)
	{
		plSceneReader_FailType(reader, node,
		                       "the name of a .pc2 or .mdd file, or { \"file\": \"walk.pc2\", \"fps\": 25 }");
		return false;
	}
	bool fine = plSceneReader_CheckObject(reader, node, keys);
	request->place = plSceneReader_Require(reader, node, "file");
	request->hasStart = plJson_Find(node, "start") != NULL;
	fine = plSceneReader_Text(reader, node, "file", &request->file) && request->place && fine;
	fine = plSceneReader_Number(reader, node, "fps", pl_rulePositive, &request->fps) && fine;
	return plSceneReader_Number(reader, node, "start", pl_ruleAny, &request->start) && fine;
}

static bool checkCache(plSceneReader* reader, const Request* request, const plCacheView* cache, const plMesh* mesh)
{
	size_t vertexCount = plMesh_GetView(mesh).vertexCount;
	if (cache->frameCount == 0)
		plSceneReader_Fail(reader, request->place, "\"%.200s\" has no frames", request->file);
	else if (cache->vertexCount != vertexCount)
		plSceneReader_Fail(reader, request->place, "\"%.200s\" has %zu vertices, the mesh has %zu", request->file,
		                   cache->vertexCount, vertexCount);
	else if (cache->times == NULL && request->fps == 0.0)
		plSceneReader_Fail(
		    reader, request->place,
		    "\"%.200s\" has no times: { \"file\": \"%.200s\", \"fps\": 25 } says how many frames a second has",
		    request->file, request->file);
	else
		return true;
	return false;
}

// Times and positions of all frames; false: a problem was reported
static bool fillFrames(plSceneReader* reader, const Request* request, plCache* cache, double* times, double* positions)
{
	plCacheView view = plCache_GetView(cache);
	plError error = {0};
	float* floats = malloc((3 * view.vertexCount + 1) * sizeof *floats);
	bool fine = floats != NULL;
	if (!fine)
		plSceneReader_FailMemory(reader, request->place, "a frame");
	for (size_t f = 0; f < view.frameCount && fine; ++f)
	{
		double* to = positions + 3 * view.vertexCount * f;
		if (request->fps > 0.0)
			times[f] = request->start + (double)f / request->fps;
		else
			times[f] = (double)view.times[f] + (request->hasStart ? request->start - (double)view.times[0] : 0.0);
		fine = plCache_Read(cache, f, floats, &error) == pl_success;
		if (!fine)
			plSceneReader_Fail(reader, request->place, "%s", error.message);
		for (size_t i = 0; i < 3 * view.vertexCount && fine; ++i)
			to[i] = (double)floats[i];
	}
	free(floats);
	return fine;
}

// The header is checked against the size of the file, so its counts may be believed.
static bool takeFrames(plSceneReader* reader, const Request* request, plCache* cache, char* path, plColliderDef* def)
{
	plCacheView view = plCache_GetView(cache);
	double* times = malloc((view.frameCount + 1) * sizeof *times);
	double* positions = malloc((3 * view.vertexCount * view.frameCount + 1) * sizeof *positions);
	plSceneMesh kept = {.path = path, .frames = {view.frameCount, view.vertexCount, times, positions}};
	if (times == NULL || positions == NULL)
		plSceneReader_FailMemory(reader, request->place, "the frames");
	if (times == NULL || positions == NULL || !fillFrames(reader, request, cache, times, positions))
	{
		plSceneMesh_Free(&kept);
		return false;
	}
	def->frames = kept.frames;
	if (plSceneReader_Keep(reader, request->place, kept) != NULL)
		return true;
	def->frames = (plColliderFrames){0};
	return false;
}

bool plSceneReader_ReadFrames(plSceneReader* reader, const plJson* node, plColliderDef* def)
{
	Request request;
	plError error = {0};
	if (!readRequest(reader, node, &request) || def->mesh == NULL)
		return false;
	char* path = plScene_ResolvePath(reader->scene->file, request.file);
	if (path == NULL)
	{
		plSceneReader_FailMemory(reader, request.place, "the name of the frames' file");
		return false;
	}
	plCache* cache = plOpenCache(path, &error);
	plCacheView view = cache ? plCache_GetView(cache) : (plCacheView){0};
	if (cache == NULL)
		plSceneReader_Fail(reader, request.place, "%s", error.message);
	bool fits = cache != NULL && checkCache(reader, &request, &view, def->mesh);
	if (!fits)
		free(path);
	bool fine = fits && takeFrames(reader, &request, cache, path, def); // the path is the scene's, or freed
	plCloseCache(cache);
	return fine;
}
