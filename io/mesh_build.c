// mesh_build.c: the mesh that is being read: lists that grow, numbers that map to indices, groups
#include "mesh_reader.h"
#include "grow.h"

#include <stdlib.h>
#include <string.h>

// ---- lists ------------------------------------------------------------------------------------------------------

bool plList_Reserve(plList* list, size_t itemSize, size_t capacity, plText* text)
{
	return plGrow(&list->data, &list->capacity, itemSize, capacity) || plText_FailMemory(text);
}

void* plList_Push(plList* list, size_t itemSize, plText* text)
{
	if (!plList_Reserve(list, itemSize, list->count + 1, text))
		return NULL;
	return (char*)list->data + itemSize * list->count++;
}

void plList_Free(plList* list)
{
	free(list->data);
	*list = (plList){0};
}

// ---- tags -------------------------------------------------------------------------------------------------------

bool plTagMap_Create(plTagMap* map, size_t count, plText* text)
{
	size_t capacity = 16;
	while (capacity < 2 * count)
		capacity *= 2;
	map->tags = malloc(capacity * sizeof *map->tags);
	map->indices = malloc(capacity * sizeof *map->indices);
	if (map->tags == NULL || map->indices == NULL)
		return plText_FailMemory(text);
	memset(map->indices, 0xff, capacity * sizeof *map->indices);
	map->capacity = capacity;
	return true;
}

// Slot of the tag, or the free one where it belongs (linear probing, Fibonacci hashing).
static size_t findSlot(const plTagMap* map, int64_t tag)
{
	size_t slot = (size_t)(((uint64_t)tag * 0x9e3779b97f4a7c15ull) >> 20) & (map->capacity - 1);
	while (map->indices[slot] != UINT32_MAX && map->tags[slot] != tag)
		slot = (slot + 1) & (map->capacity - 1);
	return slot;
}

bool plTagMap_Insert(plTagMap* map, int64_t tag, uint32_t index)
{
	size_t slot = findSlot(map, tag);
	if (map->indices[slot] != UINT32_MAX)
		return false;
	map->tags[slot] = tag;
	map->indices[slot] = index;
	return true;
}

uint32_t plTagMap_Find(const plTagMap* map, int64_t tag)
{
	return map->capacity == 0 ? UINT32_MAX : map->indices[findSlot(map, tag)];
}

void plTagMap_Free(plTagMap* map)
{
	free(map->tags);
	free(map->indices);
	*map = (plTagMap){0};
}

// ---- the mesh ---------------------------------------------------------------------------------------------------

bool plMeshBuild_AddVertex(plMeshBuild* build, plText* text, const double xyz[3])
{
	if (build->vertices.count >= UINT32_MAX)
		return plText_Fail(text, NULL, "more vertices than 32-bit indices can name");
	double* x = plList_Push(&build->vertices, 3 * sizeof *x, text);
	if (x == NULL)
		return false;
	memcpy(x, xyz, 3 * sizeof *x);
	return true;
}

static bool addElement(plList* corners, plList* places, plText* text, const uint32_t* from, size_t count,
                       plElementPlace place)
{
	if (corners->count >= UINT32_MAX)
		return plText_Fail(text, NULL, "more elements than 32-bit indices can name");
	uint32_t* to = plList_Push(corners, count * sizeof *to, text);
	plElementPlace* toPlace = to == NULL ? NULL : plList_Push(places, sizeof *toPlace, text);
	if (toPlace == NULL)
		return false;
	memcpy(to, from, count * sizeof *to);
	*toPlace = place;
	return true;
}

bool plMeshBuild_AddTet(plMeshBuild* build, plText* text, const uint32_t corners[4], plElementPlace place)
{
	return addElement(&build->tets, &build->tetPlaces, text, corners, 4, place);
}

bool plMeshBuild_AddTriangle(plMeshBuild* build, plText* text, const uint32_t corners[3], plElementPlace place)
{
	return addElement(&build->triangles, &build->trianglePlaces, text, corners, 3, place);
}

bool plMeshBuild_AddUvs(plMeshBuild* build, plText* text, const double uvs[6])
{
	double* to = plList_Push(&build->uvs, 6 * sizeof *to, text);
	if (to != NULL)
		memcpy(to, uvs, 6 * sizeof *to);
	return to != NULL;
}

bool plMeshBuild_AddVertexUv(plMeshBuild* build, plText* text, const double uv[2])
{
	double* to = plList_Push(&build->vertexUvs, 2 * sizeof *to, text);
	if (to != NULL)
		memcpy(to, uv, 2 * sizeof *to);
	return to != NULL;
}

bool plMeshBuild_AddMember(plMeshBuild* build, plText* text, int dimension, int64_t tag, size_t index)
{
	plMembership* member = plList_Push(&build->memberships, sizeof *member, text);
	if (member == NULL)
		return false;
	*member = (plMembership){.tag = tag, .dimension = (uint32_t)dimension, .index = (uint32_t)index};
	return true;
}

bool plMeshBuild_AddName(plMeshBuild* build, plText* text, int dimension, int64_t tag, plWord name)
{
	char* copy = malloc(name.length + 1);
	plGroupName* to = copy == NULL ? NULL : plList_Push(&build->names, sizeof *to, text);
	if (to == NULL)
	{
		free(copy);
		return plText_FailMemory(text);
	}
	memcpy(copy, name.start, name.length);
	copy[name.length] = 0;
	*to = (plGroupName){.tag = tag, .dimension = (uint32_t)dimension, .name = copy};
	return true;
}

bool plMeshBuild_ReadCorners(plMeshBuild* build, plText* text, int count, uint32_t* corners, plElementPlace place)
{
	for (int i = 0; i < count; ++i)
	{
		int64_t number;
		if (!plText_ReadInteger(text, "number of a vertex", &number))
			return false;
		if (number < build->firstVertex || number - build->firstVertex >= UINT32_MAX)
			return plText_FailAt(text, place.line, NULL, "element %lld: names vertex %lld, the first is %lld",
			                     (long long)place.number, (long long)number, (long long)build->firstVertex);
		corners[i] = (uint32_t)(number - build->firstVertex);
	}
	return true;
}

void plMeshBuild_Free(plMeshBuild* build)
{
	for (size_t i = 0; i < build->names.count; ++i)
		free(((plGroupName*)build->names.data)[i].name);
	plList* lists[] = {&build->vertices,  &build->tets,           &build->tetPlaces,
	                   &build->triangles, &build->trianglePlaces, &build->uvs,
	                   &build->vertexUvs, &build->memberships,    &build->names};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
		plList_Free(lists[i]);
}
