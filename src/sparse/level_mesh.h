// level_mesh.h: the mesh of a level while a hierarchy is being built
#ifndef PL_LEVEL_MESH_H
#define PL_LEVEL_MESH_H

#include "hierarchy.h"

// Tuples of vertices, sorted, each once
typedef struct plTuples
{
	size_t width, count;
	uint32_t* item;  // [width count]
	double* value;   // [count] the least of those that were the same; NULL: none were given
	uint32_t* times; // [count] how often it occurred
} plTuples;

// Vertices are below n; UINT32_MAX comes last. False: no memory
bool plTuples_Create(plTuples* tuples, size_t width, const uint32_t* item, const double* value, size_t count, size_t n,
                     plHeap* heap);
void plTuples_Destroy(plTuples* tuples, plHeap* heap);

// A table from numbers below n to the items that name them
typedef struct plIncidence
{
	size_t n, count;
	size_t* start;  // [n + 1]
	uint32_t* item; // [count] ascending for each number
} plIncidence;

// Of tuples: UINT32_MAX is nobody. False: no memory
bool plIncidence_Create(plIncidence* table, const plTuples* tuples, size_t n, plHeap* heap);
void plIncidence_Destroy(plIncidence* table, plHeap* heap);

typedef struct plLevelMesh
{
	size_t count;
	double* rest;       // [3 count]
	uint8_t* mark;      // [count] plVertexMark
	plTuples edges;     // pairs, first < second; value: length
	plTuples simplices; // ascending corners, UINT32_MAX where there are fewer
	plIncidence meets;  // vertex -> edges

	size_t partCount; // connected ones
	uint32_t* part;   // [count]
	double* spacing;  // [partCount] mean length of an edge
	uint8_t* corners; // [partCount] most corners of a simplex: 1 to 4
	size_t* size;     // [partCount] vertices
} plLevelMesh;

// Where the vertices of a level belong on the next one
typedef struct plClusters
{
	size_t count;
	uint32_t* kept;   // [count] ascending
	uint32_t* of;     // [fine count] cluster
	double* distance; // [fine count] to the kept vertex along edges
	size_t fineCount;
} plClusters;

static inline uint32_t plLevelMesh_GetOther(const plLevelMesh* mesh, uint32_t edge, uint32_t vertex)
{
	const uint32_t* ends = mesh->edges.item + 2 * (size_t)edge;
	return ends[0] == vertex ? ends[1] : ends[0];
}

// level_mesh.c. pl_success, pl_errorInput, pl_errorMemory: nothing is held then
plResult plLevelMesh_Create(plLevelMesh* mesh, const plRestMesh* rest, plHeap* heap);
bool plLevelMesh_CreateCoarse(plLevelMesh* coarse, const plLevelMesh* fine, const plClusters* clusters, plHeap* heap);
void plLevelMesh_Destroy(plLevelMesh* mesh, plHeap* heap);

// vertex_marks.c: of the finest level, besides those that are given. False: no memory
bool plLevelMesh_Mark(plLevelMesh* mesh, plHeap* heap);

// discs.c. False: no memory
bool plClusters_Create(plClusters* clusters, const plLevelMesh* mesh, double ratio, plHeap* heap);
void plClusters_Destroy(plClusters* clusters, plHeap* heap);

// interpolation.c. False: no memory
bool plInterpolation_Create(plInterpolation* step, const plLevelMesh* fine, const plLevelMesh* coarse,
                            const plClusters* clusters, plHeap* heap);
void plInterpolation_Destroy(plInterpolation* step, plHeap* heap);

#endif
