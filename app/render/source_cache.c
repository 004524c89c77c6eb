// source_cache.c: frames of a cache (.pc2, .mdd): positions from the cache, faces from a mesh with the same vertices
//
// The mesh's own positions are its rest shape, for creases and pattern: they may stand elsewhere than the first frame.
#include "source_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

plFrame* plSource_ReadCache(const plFrameSource* s, size_t frame, plError* error)
{
	size_t count = plCache_GetView(s->cache).vertexCount;
	if (plCache_Read(s->cache, frame, s->floats, error) != pl_success)
		return NULL;
	plFrame* f = calloc(1, sizeof *f);
	if (f)
	{
		f->vertexCount = count;
		f->positions = malloc((3 * count + 1) * sizeof *f->positions);
		f->displacement = malloc((3 * count + 1) * sizeof *f->displacement);
	}
	if (!f || !f->positions || !f->displacement)
	{
		plDestroyFrame(f);
		plSource_SayMemory(error);
		return NULL;
	}
	for (size_t i = 0; i < 3 * count; ++i)
	{
		f->positions[i] = s->floats[i];
		f->displacement[i] = f->positions[i] - s->first[i];
	}
	return f;
}

static bool createFrames(plFrameSource* s, const plCacheView* cache, plError* error)
{
	s->frames = calloc(cache->frameCount + 1, sizeof *s->frames);
	s->bodies = calloc(1, sizeof *s->bodies);
	s->first = malloc((3 * cache->vertexCount + 1) * sizeof *s->first);
	s->floats = malloc((3 * cache->vertexCount + 1) * sizeof *s->floats);
	if (!s->frames || !s->bodies || !s->first || !s->floats)
	{
		plSource_SayMemory(error);
		return false;
	}
	s->frameCount = cache->frameCount;
	for (size_t i = 0; i < s->frameCount; ++i)
		s->frames[i] = (plSourceFrame){.step = i, .time = cache->times ? cache->times[i] : NAN};
	if (plCache_Read(s->cache, 0, s->floats, error) != pl_success)
		return false;
	for (size_t i = 0; i < 3 * cache->vertexCount; ++i)
		s->first[i] = s->floats[i];
	return true;
}

static bool createBody(plFrameSource* s, const plMeshView* mesh, const char* name, plError* error)
{
	plFrame* frame = plSource_ReadCache(s, 0, error);
	if (!frame)
		return false;
	plSource_TakeOrigin(s, frame);
	plDestroyFrame(frame);
	plSource_SayMemory(error);
	s->bodyCount = 1;
	s->bodies[0].name = strdup(name);
	s->bodies[0].surface = s->bodies[0].name ? plCreateFaceSurface(mesh->vertices, mesh->vertexCount, mesh->surface,
	                                                               mesh->surfaceCount, PL_CREASE, error)
	                                         : NULL;
	if (!s->bodies[0].surface)
		return false;
	s->poses = plSource_CreatePoses(s);
	if (!s->poses)
		plSource_SayMemory(error);
	return s->poses != NULL;
}

static bool fail(plError* error, const char* path, const char* words)
{
	error->code = pl_errorInput;
	snprintf(error->message, sizeof error->message, "%.300s: %s", path, words);
	return false;
}

static bool openAll(plFrameSource* s, const char* path, const plMesh* mesh, const char* meshPath, plError* error)
{
	plMeshView m = plMesh_GetView(mesh);
	s->cache = plOpenCache(path, error);
	if (!s->cache)
		return false;
	plCacheView cache = plCache_GetView(s->cache);
	if (s->field != pl_fieldNone && s->field != pl_fieldDisplacement)
		return fail(error, path, "a cache has positions alone: no stress, blend, stretch, crossings or contact");
	if (cache.frameCount == 0)
		return fail(error, path, "there are no frames in it");
	if (cache.vertexCount != m.vertexCount)
	{
		error->code = pl_errorInput;
		snprintf(error->message, sizeof error->message, "%.200s: has %zu points, %.200s has %zu vertices", path,
		         cache.vertexCount, meshPath, m.vertexCount);
		return false;
	}
	return createFrames(s, &cache, error) && createBody(s, &m, path, error);
}

plFrameSource* plOpenCacheSource(const char* path, const char* meshPath, plField field, plDiagnostics* diagnostics,
                                 plError* error)
{
	plMesh* mesh = plReadMesh(meshPath, pl_repairNone, diagnostics);
	plFrameSource* s = mesh ? calloc(1, sizeof *s) : NULL;
	bool good = false;
	plSource_SayMemory(error);
	if (s)
	{
		s->field = field;
		good = openAll(s, path, mesh, meshPath, error);
	}
	plDestroyMesh(mesh);
	if (good)
		return s;
	plDestroyFrameSource(s);
	return NULL;
}
