// mesh_reader.h: what the mesh readers share: the mesh that is being read, and its way to a plMesh
#ifndef PL_IO_MESH_READER_H
#define PL_IO_MESH_READER_H

#include "text.h"

// An array that grows (grow.h), of a file that is being read.
typedef struct plList
{
	void* data;
	size_t count, capacity;
} plList;

// Place for one more item; NULL and a problem in `text` if there is no memory.
void* plList_Push(plList* list, size_t itemSize, plText* text);
bool plList_Reserve(plList* list, size_t itemSize, size_t capacity, plText* text);
void plList_Free(plList* list);

// Numbers of a file -> 0, 1, 2, ...: any numbers in any order.
typedef struct plTagMap
{
	int64_t* tags;
	uint32_t* indices; // UINT32_MAX: free
	size_t capacity;   // a power of two, or 0
} plTagMap;

bool plTagMap_Create(plTagMap* map, size_t count, plText* text);
bool plTagMap_Insert(plTagMap* map, int64_t tag, uint32_t index); // false: the tag is there already
uint32_t plTagMap_Find(const plTagMap* map, int64_t tag);         // UINT32_MAX: not there
void plTagMap_Free(plTagMap* map);

// Where an element stands in the file.
typedef struct plElementPlace
{
	int64_t number;
	size_t line; // or byte: see plText_GetPlace
} plElementPlace;

// An element (dimension 2, 3) or a vertex (0, 1: of points and lines) belongs to group `tag` of that dimension.
typedef struct plMembership
{
	int64_t tag;
	uint32_t dimension;
	uint32_t index;
} plMembership;

typedef struct plGroupName
{
	int64_t tag;
	uint32_t dimension;
	char* name;
} plGroupName;

typedef struct plMeshBuild
{
	plList vertices;       // double[3]
	plList tets;           // uint32_t[4]
	plList tetPlaces;      // plElementPlace
	plList triangles;      // uint32_t[3]
	plList trianglePlaces; // plElementPlace
	plList uvs;            // double[6]: texture coordinates of triangles; a mesh has them if every triangle does
	plList vertexUvs;      // double[2]: the same of vertices, as many as there are vertices, or none
	plList memberships;    // plMembership
	plList names;          // plGroupName
	int64_t firstVertex;   // number of the first vertex in the file: 0 or 1
} plMeshBuild;

bool plMeshBuild_AddVertex(plMeshBuild* build, plText* text, const double xyz[3]);
bool plMeshBuild_AddTet(plMeshBuild* build, plText* text, const uint32_t corners[4], plElementPlace place);
bool plMeshBuild_AddTriangle(plMeshBuild* build, plText* text, const uint32_t corners[3], plElementPlace place);
// Texture coordinates of the corners of the triangle that was added last
bool plMeshBuild_AddUvs(plMeshBuild* build, plText* text, const double uvs[6]);
bool plMeshBuild_AddVertexUv(plMeshBuild* build, plText* text, const double uv[2]);
bool plMeshBuild_AddMember(plMeshBuild* build, plText* text, int dimension, int64_t tag, size_t index);
bool plMeshBuild_AddName(plMeshBuild* build, plText* text, int dimension, int64_t tag, plWord name);
void plMeshBuild_Free(plMeshBuild* build);

// Corners written as numbers from build->firstVertex on; they may name vertices that are still to come.
bool plMeshBuild_ReadCorners(plMeshBuild* build, plText* text, int count, uint32_t* corners, plElementPlace place);

// Checks what the file said; problems go to the diagnostics of `text`, elements by their numbers in it. NULL on error.
plMesh* plMeshBuild_Finish(plMeshBuild* build, plText* text, plRepair repair);

// The readers: false and a problem on error. `texts` are the files of the format, one per ending: TetGen has two.
typedef bool plMeshReadFcn(plText* texts, plMeshBuild* build);
plMeshReadFcn plReadGmsh, plReadTetgen, plReadMedit, plReadVtk, plReadObj, plReadPly, plReadStl;

#endif
