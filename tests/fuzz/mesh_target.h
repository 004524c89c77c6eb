// mesh_target.h: bytes as a mesh file; the first byte says of which format and with which repair
//
//   byte 0    bits 0-3 format (see the table), bits 4-7 repair modulo 3: none, drop, flip. '0', '1', ... are the
//             formats without repair
//   rest      the file; for TetGen a zero byte parts the .node from the .ele
#ifndef PL_FUZZ_MESH_TARGET_H
#define PL_FUZZ_MESH_TARGET_H

#include "files.h"

#include <math.h>

// The mesh formats, then a frame and the caches.
static const char* const otherPaths[] = {"m.vtu", "m.pc2", "m.mdd"};

static const char* choosePath(size_t choice, char path[16])
{
	size_t kinds = 0, others = sizeof otherPaths / sizeof *otherPaths;
	while (plGetMeshKind(kinds) != NULL)
		++kinds;
	choice %= kinds + others;
	snprintf(path, 16, "m%s", choice < kinds ? plGetMeshKind(choice)->endings[0] : "");
	return choice < kinds ? path : otherPaths[choice - kinds];
}

static bool areBelow(const uint32_t* indices, size_t count, size_t limit)
{
	for (size_t i = 0; i < count; i++)
		if (indices[i] >= limit)
			return false;
	return true;
}

static const char* checkMesh(const plMesh* mesh)
{
	plMeshView view = plMesh_GetView(mesh);
	size_t n = view.vertexCount;
	for (size_t i = 0; i < 3 * n; i++)
		if (!isfinite(view.vertices[i]))
			return "coordinates are finite";
	if (!areBelow(view.tets, 4 * view.tetCount, n) || !areBelow(view.triangles, 3 * view.triangleCount, n) ||
	    !areBelow(view.surface, 3 * view.surfaceCount, n))
		return "corners name vertices";
	for (size_t g = 0; g < view.groupCount; g++)
	{
		const plMeshGroup* group = &view.groups[g];
		size_t elements = group->dimension == 3 ? view.tetCount : view.triangleCount;
		if (!areBelow(group->vertices, group->vertexCount, n) ||
		    !areBelow(group->elements, group->elementCount, elements) || group->name == NULL)
			return "groups have a name and hold what the mesh has";
		if (plMesh_FindGroup(mesh, group->name) == NULL)
			return "a group is found by its name";
	}
	return NULL;
}

static const char* readFrame(const char* path)
{
	plError error = {0};
	plFrame* frame = plReadVtu(path, &error);
	const char* broken = (frame == NULL) == (error.code < 0 && error.message[0] != 0) ? NULL : "a frame or an error";
	if (frame != NULL && !areBelow(frame->tets, 4 * frame->tetCount, frame->vertexCount))
		broken = "corners name vertices";
	plDestroyFrame(frame);
	return broken;
}

// Frames of a cache, one after the other.
static const char* readCache(const char* path)
{
	plError error = {0};
	plCache* cache = plOpenCache(path, &error);
	if (cache == NULL)
		return error.code < 0 && error.message[0] != 0 ? NULL : "a cache or an error";
	plCacheView view = plCache_GetView(cache);
	const char* broken = NULL;
	float* positions = view.vertexCount <= LARGEST_BLOCK / 12 ? malloc(12 * view.vertexCount + 1) : NULL;
	for (size_t i = 0; i < view.frameCount && i < 100 && positions != NULL && broken == NULL; i++)
		if (plCache_Read(cache, i, positions, &error) < 0 && error.message[0] == 0)
			broken = "a frame or an error";
	free(positions);
	plCloseCache(cache);
	return broken;
}

// NULL, or the claim that does not hold for these bytes.
static const char* fuzzMesh(const uint8_t* data, size_t size)
{
	if (size == 0)
		return NULL;
	startMemoryFiles();
	char name[16], second[16];
	const char* path = choosePath(data[0] & 15u, name);
	const plMeshKind* kind = plFindMeshKind(path);
	plRepair repair = (plRepair)((data[0] >> 4) % 3);
	const uint8_t* body = data + 1;
	size_t length = size - 1;
	memoryFiles[0] = (MemoryFile){path, body, length};
	const uint8_t* zero = length > 0 ? memchr(body, 0, length) : NULL;
	if (kind != NULL && kind->endings[1] != NULL && zero != NULL)
	{
		snprintf(second, sizeof second, "m%s", kind->endings[1]);
		memoryFiles[0].size = (size_t)(zero - body);
		memoryFiles[1] = (MemoryFile){second, zero + 1, length - memoryFiles[0].size - 1};
	}

	size_t live = interposed.live;
	const char* broken = NULL;
	if (strcmp(path, "m.vtu") == 0)
		broken = readFrame(path);
	else if (strcmp(path, "m.pc2") == 0 || strcmp(path, "m.mdd") == 0)
		broken = readCache(path);
	else
	{
		plDiagnostics* diagnostics = plCreateDiagnostics();
		plMesh* mesh = plReadMesh(path, repair, diagnostics);
		broken = checkProblems(diagnostics);
		if (broken == NULL && (mesh == NULL) != (plDiagnostics_GetErrorCount(diagnostics) > 0))
			broken = "a mesh or an error, never both or neither";
		if (broken == NULL && mesh != NULL)
			broken = checkMesh(mesh);
		plDestroyMesh(mesh);
		plDestroyDiagnostics(diagnostics);
	}
	if (broken == NULL && interposed.live != live)
		broken = "nothing leaks";
	return broken;
}

#endif
