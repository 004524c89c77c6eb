// mesh.c: immutable meshes: copied from the caller's arrays, repaired if asked, with their surface and groups
//
// A mesh owns everything its view points to. Repair works on the copy: dropped tets leave their groups, flipped ones
// swap their last two corners. Groups of elements get the vertices of these elements, whatever the caller listed.
#include "check.h"
#include "order.h"
#include "surface.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct plMesh
{
	plHeap heap;
	plMeshView view;          // the arrays below, as others see them
	double* vertices;         // 3 view.vertexCount
	uint32_t* tets;           // 4 tetCapacity, the first 4 view.tetCount in use
	size_t tetCapacity;       // tets of the def
	uint32_t* triangles;      // 3 view.triangleCount
	double* uvs;              // 6 view.triangleCount, or NULL
	uint32_t* surface;        // 3 view.surfaceCount, or NULL: the triangles are the surface
	plMeshGroup* groups;      // view.groupCount; names, vertices and elements are owned
	const uint32_t* tetIndex; // while it is made: old tet -> new tet or UINT32_MAX
};

plMeshDef plDefaultMeshDef(void)
{
	return (plMeshDef){.repair = pl_repairNone, .cookie = PL_COOKIE(plMeshDef)};
}

// ---- defects ----------------------------------------------------------------------------------------------------

typedef struct FirstDefect
{
	const plMeshDef* def;
	char text[256];
	size_t count;
} FirstDefect;

static void noteDefect(plMeshDefect kind, size_t index, const char* reason, void* context)
{
	FirstDefect* first = context;
	if (plDefect_IsWarning(kind) || plDefect_IsMended(kind, first->def->repair) || first->count++ > 0)
		return;
	if (kind == pl_defectNotFinite)
		snprintf(first->text, sizeof first->text, "vertex %zu: %s", index, reason);
	else if (index >= first->def->tetCount)
		snprintf(first->text, sizeof first->text, "triangle %zu: %s", index - first->def->tetCount, reason);
	else
		snprintf(first->text, sizeof first->text, "tet %zu: %s", index, reason);
}

static plResult failMemory(plError* error, const plMeshDef* def)
{
	return plFail(error, pl_errorMemory, "mesh: no memory for %zu vertices and %zu tets", def->vertexCount,
	              def->tetCount);
}

// ---- copying ----------------------------------------------------------------------------------------------------

static plResult copyArrays(plMesh* mesh, const plMeshDef* def, plError* error)
{
	plHeap* heap = &mesh->heap;
	mesh->view.vertexCount = def->vertexCount;
	mesh->view.triangleCount = def->triangleCount;
	mesh->tetCapacity = def->tetCount;
	mesh->vertices = PL_NEW(heap, double, 3 * def->vertexCount);
	mesh->tets = PL_NEW(heap, uint32_t, 4 * def->tetCount);
	mesh->triangles = PL_NEW(heap, uint32_t, 3 * def->triangleCount);
	bool hasUvs = def->uvs != NULL && def->triangleCount > 0;
	mesh->uvs = hasUvs ? PL_NEW(heap, double, 6 * def->triangleCount) : NULL;
	if (mesh->vertices == NULL || (def->tetCount > 0 && mesh->tets == NULL) ||
	    (def->triangleCount > 0 && mesh->triangles == NULL) || (hasUvs && mesh->uvs == NULL))
		return failMemory(error, def);
	memcpy(mesh->vertices, def->vertices, 3 * def->vertexCount * sizeof(double));
	if (def->triangleCount > 0)
		memcpy(mesh->triangles, def->triangles, 3 * def->triangleCount * sizeof(uint32_t));
	if (hasUvs)
		memcpy(mesh->uvs, def->uvs, 6 * def->triangleCount * sizeof(double));
	return pl_success;
}

static plResult checkUvs(const plMesh* mesh, plError* error)
{
	for (size_t i = 0; mesh->uvs != NULL && i < 6 * mesh->view.triangleCount; i++)
		if (!isfinite(mesh->uvs[i]))
			return plFail(error, pl_errorInput, "mesh: triangle %zu: %c of corner %zu is %g", i / 6, "uv"[i % 2],
			              i % 6 / 2, mesh->uvs[i]);
	return pl_success;
}

// Copies the tets as their fates say; tetIndex gets their new places.
static void copyTets(plMesh* mesh, const plMeshDef* def, const uint8_t* fates, uint32_t* tetIndex)
{
	size_t n = 0;
	for (size_t t = 0; t < def->tetCount; t++)
	{
		if (fates[t] == pl_fateDrop)
		{
			tetIndex[t] = UINT32_MAX;
			mesh->view.droppedCount++;
			continue;
		}
		uint32_t* to = mesh->tets + 4 * n;
		memcpy(to, def->tets + 4 * t, 4 * sizeof *to);
		if (fates[t] == pl_fateFlip)
		{
			to[2] = def->tets[4 * t + 3];
			to[3] = def->tets[4 * t + 2];
			mesh->view.flippedCount++;
		}
		tetIndex[t] = (uint32_t)n++;
	}
	mesh->view.tetCount = n;
	mesh->tetIndex = tetIndex;
}

static plResult repairTets(plMesh* mesh, const plMeshDef* def, const uint8_t* fates, uint32_t* tetIndex, plError* error)
{
	copyTets(mesh, def, fates, tetIndex);
	if (mesh->view.tetCount == 0 && mesh->view.triangleCount == 0)
		return plFail(error, pl_errorInput, "mesh: all %zu tets are bad, repair leaves none", def->tetCount);
	return pl_success;
}

// Vertices that no tet uses; without tets, that no triangle uses.
static plResult countUnreferenced(plMesh* mesh, const plMeshDef* def, plError* error)
{
	const plMeshView* view = &mesh->view;
	uint8_t* used = PL_NEW_ZERO(&mesh->heap, uint8_t, view->vertexCount);
	if (used == NULL)
		return failMemory(error, def);
	const uint32_t* elements = view->tetCount > 0 ? mesh->tets : mesh->triangles;
	size_t indexCount = view->tetCount > 0 ? 4 * view->tetCount : 3 * view->triangleCount;
	size_t count = 0;
	for (size_t i = 0; i < indexCount; i++)
	{
		count += !used[elements[i]];
		used[elements[i]] = 1;
	}
	mesh->view.unreferencedCount = view->vertexCount - count;
	PL_FREE(&mesh->heap, used, view->vertexCount);
	return pl_success;
}

// ---- groups -----------------------------------------------------------------------------------------------------

// Sorts, makes unique and moves `count` items into memory of their own; `items` and `scratch` have room for them.
static plResult keepIndices(plMesh* mesh, uint32_t* items, size_t count, uint32_t* scratch, const uint32_t** out,
                            size_t* outCount)
{
	plSortIndices(items, count, scratch);
	size_t n = 0;
	for (size_t i = 0; i < count; i++)
		if (n == 0 || items[n - 1] != items[i])
			items[n++] = items[i];
	uint32_t* kept = PL_NEW(&mesh->heap, uint32_t, n);
	if (n > 0 && kept == NULL)
		return pl_errorMemory;
	if (n > 0)
		memcpy(kept, items, n * sizeof *kept);
	*out = kept;
	*outCount = n;
	return pl_success;
}

static plResult checkGroup(const plMeshDef* def, const plMeshGroup* group, size_t index, plError* error)
{
	if (group->dimension != 0 && group->dimension != 2 && group->dimension != 3)
		return plFail(error, pl_errorInput, "mesh: group %zu has dimension %d, not 0, 2 or 3", index, group->dimension);
	if ((group->vertexCount > 0 && group->vertices == NULL) || (group->elementCount > 0 && group->elements == NULL))
		return plFail(error, pl_errorInput, "mesh: group %zu has a count without an array", index);
	if (group->dimension == 0 && group->elementCount > 0)
		return plFail(error, pl_errorInput, "mesh: group %zu of vertices has elements", index);

	size_t limit = group->dimension == 3 ? def->tetCount : def->triangleCount;
	for (size_t i = 0; i < group->elementCount; i++)
		if (group->elements[i] >= limit)
			return plFail(error, pl_errorInput, "mesh: group %zu names %s %u, there are %zu", index,
			              group->dimension == 3 ? "tet" : "triangle", group->elements[i], limit);
	for (size_t i = 0; i < group->vertexCount; i++)
		if (group->vertices[i] >= def->vertexCount)
			return plFail(error, pl_errorInput, "mesh: group %zu names vertex %u, there are %zu", index,
			              group->vertices[i], def->vertexCount);
	return pl_success;
}

static plResult copyName(plMesh* mesh, const plMeshGroup* from, plMeshGroup* to)
{
	char number[32];
	snprintf(number, sizeof number, "%" PRId64, from->tag);
	const char* name = from->name != NULL ? from->name : number;
	char* copy = PL_NEW(&mesh->heap, char, strlen(name) + 1);
	if (copy == NULL)
		return pl_errorMemory;
	memcpy(copy, name, strlen(name) + 1);
	to->name = copy;
	return pl_success;
}

static plResult copyGroup(plMesh* mesh, const plMeshGroup* from, plMeshGroup* to)
{
	plHeap* heap = &mesh->heap;
	size_t corners = from->dimension == 3 ? 4 : 3;
	const uint32_t* elements = from->dimension == 3 ? mesh->tets : mesh->triangles;
	if (from->elementCount > SIZE_MAX / 4 - 1 || from->vertexCount > SIZE_MAX / 2)
		return pl_errorMemory;
	size_t room = from->vertexCount + corners * from->elementCount;

	plResult result = copyName(mesh, from, to);
	to->tag = from->tag;
	to->dimension = from->dimension;
	uint32_t* items = PL_NEW(heap, uint32_t, room);
	uint32_t* scratch = PL_NEW(heap, uint32_t, room);
	if (room > 0 && (items == NULL || scratch == NULL))
		result = pl_errorMemory;

	size_t n = 0;
	for (size_t i = 0; i < from->elementCount && result == pl_success; i++)
	{
		uint32_t e = from->dimension == 3 ? mesh->tetIndex[from->elements[i]] : from->elements[i];
		if (e != UINT32_MAX)
			items[n++] = e;
	}
	if (result == pl_success)
		result = keepIndices(mesh, items, n, scratch, &to->elements, &to->elementCount);

	n = 0;
	for (size_t i = 0; i < to->elementCount && result == pl_success; i++)
		for (size_t k = 0; k < corners; k++)
			items[n++] = elements[corners * to->elements[i] + k];
	for (size_t i = 0; i < from->vertexCount && from->elementCount == 0 && result == pl_success; i++)
		items[n++] = from->vertices[i];
	if (result == pl_success)
		result = keepIndices(mesh, items, n, scratch, &to->vertices, &to->vertexCount);
	PL_FREE(heap, scratch, room);
	PL_FREE(heap, items, room);
	return result;
}

static plResult copyGroups(plMesh* mesh, const plMeshDef* def, plError* error)
{
	if (def->groupCount == 0)
		return pl_success;
	mesh->groups = PL_NEW_ZERO(&mesh->heap, plMeshGroup, def->groupCount);
	if (mesh->groups == NULL)
		return failMemory(error, def);
	mesh->view.groupCount = def->groupCount;
	for (size_t i = 0; i < def->groupCount; i++)
	{
		plResult result = checkGroup(def, &def->groups[i], i, error);
		if (result != pl_success)
			return result;
		if (copyGroup(mesh, &def->groups[i], &mesh->groups[i]) != pl_success)
			return failMemory(error, def);
	}
	return pl_success;
}

const plMeshGroup* plMesh_FindGroup(const plMesh* mesh, const char* name)
{
	const plMeshGroup *byName = NULL, *byNumber = NULL;
	for (size_t i = 0; i < mesh->view.groupCount; i++)
	{
		const plMeshGroup* group = &mesh->groups[i];
		char number[32];
		snprintf(number, sizeof number, "%" PRId64, group->tag);
		if (strcmp(group->name, name) == 0 && (byName == NULL || group->dimension > byName->dimension))
			byName = group;
		if (strcmp(number, name) == 0 && (byNumber == NULL || group->dimension > byNumber->dimension))
			byNumber = group;
	}
	return byName != NULL ? byName : byNumber;
}

// ---- life -------------------------------------------------------------------------------------------------------

static plResult buildMesh(plMesh* mesh, const plMeshDef* def, uint8_t* fates, uint32_t* tetIndex, plError* error)
{
	plResult result = copyArrays(mesh, def, error);
	if (result != pl_success)
		return result;

	FirstDefect first = {.def = def};
	size_t errors = plExamineMesh(def, noteDefect, &first, fates, &mesh->heap);
	if (errors == SIZE_MAX)
		return failMemory(error, def);
	if (errors > 1)
		return plFail(error, pl_errorInput, "mesh: %s (and %zu more)", first.text, errors - 1);
	if (errors > 0)
		return plFail(error, pl_errorInput, "mesh: %s", first.text);

	if ((result = checkUvs(mesh, error)) != pl_success ||
	    (result = repairTets(mesh, def, fates, tetIndex, error)) != pl_success ||
	    (result = countUnreferenced(mesh, def, error)) != pl_success ||
	    (result = copyGroups(mesh, def, error)) != pl_success)
		return result;
	if (plFindSurface(mesh->tets, mesh->view.tetCount, def->vertexCount, &mesh->heap, &mesh->surface,
	                  &mesh->view.surfaceCount) != pl_success)
		return failMemory(error, def);

	mesh->view.vertices = mesh->vertices;
	mesh->view.tets = mesh->tets;
	mesh->view.triangles = mesh->triangles;
	mesh->view.uvs = mesh->uvs;
	mesh->view.groups = mesh->groups;
	mesh->view.surface = mesh->surface;
	if (mesh->view.tetCount == 0)
	{
		mesh->view.surface = mesh->triangles;
		mesh->view.surfaceCount = mesh->view.triangleCount;
	}
	return pl_success;
}

plMesh* plCreateMesh(const plMeshDef* def, plError* error)
{
	PL_ASSERT(def != NULL && def->cookie == PL_COOKIE(plMeshDef), "a mesh def starts with plDefaultMeshDef");
	if (plCheckMeshCounts(def, error) != pl_success)
		return NULL;
	if (def->vertexCount == 0 || (def->tetCount == 0 && def->triangleCount == 0))
	{
		plFail(error, pl_errorInput, "mesh: it has %zu vertices and no elements", def->vertexCount);
		return NULL;
	}

	plHeap heap;
	plHeap_Init(&heap, def->allocator);
	plMesh* mesh = PL_NEW_ZERO(&heap, plMesh, 1);
	if (mesh == NULL)
	{
		failMemory(error, def);
		return NULL;
	}
	mesh->heap = heap;
	uint8_t* fates = PL_NEW(&mesh->heap, uint8_t, def->tetCount);
	uint32_t* tetIndex = PL_NEW(&mesh->heap, uint32_t, def->tetCount);
	plResult result;
	if (def->tetCount > 0 && (fates == NULL || tetIndex == NULL))
		result = failMemory(error, def);
	else
		result = buildMesh(mesh, def, fates, tetIndex, error);
	PL_FREE(&mesh->heap, tetIndex, def->tetCount);
	PL_FREE(&mesh->heap, fates, def->tetCount);
	mesh->tetIndex = NULL;
	if (result == pl_success)
		return mesh;
	plDestroyMesh(mesh);
	return NULL;
}

void plDestroyMesh(plMesh* mesh)
{
	if (mesh == NULL)
		return;
	plHeap heap = mesh->heap;
	for (size_t i = 0; i < mesh->view.groupCount; i++)
	{
		plMeshGroup* group = &mesh->groups[i];
		plHeap_Free(&heap, (void*)group->elements, group->elementCount * sizeof(uint32_t));
		plHeap_Free(&heap, (void*)group->vertices, group->vertexCount * sizeof(uint32_t));
		if (group->name != NULL)
			plHeap_Free(&heap, (void*)group->name, strlen(group->name) + 1);
	}
	PL_FREE(&heap, mesh->groups, mesh->view.groupCount);
	if (mesh->surface != NULL)
		PL_FREE(&heap, mesh->surface, 3 * mesh->view.surfaceCount);
	PL_FREE(&heap, mesh->triangles, 3 * mesh->view.triangleCount);
	PL_FREE(&heap, mesh->uvs, mesh->uvs != NULL ? 6 * mesh->view.triangleCount : 0);
	PL_FREE(&heap, mesh->tets, 4 * mesh->tetCapacity);
	PL_FREE(&heap, mesh->vertices, 3 * mesh->view.vertexCount);
	PL_FREE(&heap, mesh, 1);
}

plMeshView plMesh_GetView(const plMesh* mesh)
{
	return mesh->view;
}
