// level_mesh.c: edges, simplices and connected parts of a level, from the mesh at rest or from clusters
//
//   coarse edge     clusters I, J of the ends of an edge (i, j);  length d_i + l + d_j, the least if there are several
//   coarse simplex  the different clusters of the corners of a simplex, if they are two or more
#include "level_mesh.h"

#include <math.h>

bool plRestMesh_Allocate(plRestMesh* mesh, size_t vertexCount, size_t simplexCount, plHeap* heap)
{
	*mesh = (plRestMesh){.vertexCount = vertexCount, .simplexCount = simplexCount};
	mesh->rest = PL_NEW(heap, double, 3 * vertexCount);
	mesh->simplices = PL_NEW(heap, uint32_t, pl_simplexCorners * simplexCount);
	if ((mesh->rest != NULL || vertexCount == 0) && (mesh->simplices != NULL || simplexCount == 0))
		return true;
	plRestMesh_Destroy(mesh, heap);
	return false;
}

void plRestMesh_Destroy(plRestMesh* mesh, plHeap* heap)
{
	PL_FREE(heap, mesh->rest, 3 * mesh->vertexCount);
	PL_FREE(heap, mesh->simplices, pl_simplexCorners * mesh->simplexCount);
	PL_FREE(heap, mesh->lengths, mesh->simplexCount);
	PL_FREE(heap, mesh->marks, mesh->vertexCount);
	*mesh = (plRestMesh){0};
}

void plLevelMesh_Destroy(plLevelMesh* mesh, plHeap* heap)
{
	PL_FREE(heap, mesh->rest, 3 * mesh->count);
	PL_FREE(heap, mesh->mark, mesh->count);
	plTuples_Destroy(&mesh->edges, heap);
	plTuples_Destroy(&mesh->simplices, heap);
	plIncidence_Destroy(&mesh->meets, heap);
	PL_FREE(heap, mesh->part, mesh->count);
	PL_FREE(heap, mesh->spacing, mesh->partCount);
	PL_FREE(heap, mesh->corners, mesh->partCount);
	PL_FREE(heap, mesh->size, mesh->partCount);
	*mesh = (plLevelMesh){0};
}

// ---- simplices and edges --------------------------------------------------------------------------------------------

// Ascending, each vertex once, UINT32_MAX at the end. Returns how many there are.
static size_t sortCorners(uint32_t* corners)
{
	for (size_t i = 1; i < pl_simplexCorners; ++i)
		for (size_t j = i; j > 0 && corners[j] < corners[j - 1]; --j)
		{
			uint32_t swap = corners[j];
			corners[j] = corners[j - 1];
			corners[j - 1] = swap;
		}
	size_t count = 0;
	for (size_t i = 0; i < pl_simplexCorners; ++i)
		if (corners[i] != UINT32_MAX && (count == 0 || corners[count - 1] != corners[i]))
			corners[count++] = corners[i];
	for (size_t i = count; i < pl_simplexCorners; ++i)
		corners[i] = UINT32_MAX;
	return count;
}

// Corners of simplices through `to`, where that is given; those with two or more are listed. Returns their number.
static size_t listSimplices(const uint32_t* from, size_t count, const uint32_t* to, uint32_t* list)
{
	size_t found = 0;
	for (size_t s = 0; s < count; ++s)
	{
		uint32_t* corners = list + pl_simplexCorners * found;
		for (size_t c = 0; c < pl_simplexCorners; ++c)
		{
			uint32_t vertex = from[pl_simplexCorners * s + c];
			corners[c] = vertex == UINT32_MAX || to == NULL ? vertex : to[vertex];
		}
		found += sortCorners(corners) > 1;
	}
	return found;
}

static bool makeSimplices(plLevelMesh* mesh, const uint32_t* from, size_t count, const uint32_t* to, plHeap* heap)
{
	uint32_t* list = PL_NEW(heap, uint32_t, pl_simplexCorners * count);
	bool fine = count == 0 || list != NULL;
	if (fine)
	{
		size_t found = listSimplices(from, count, to, list);
		fine = plTuples_Create(&mesh->simplices, pl_simplexCorners, list, NULL, found, mesh->count, heap);
	}
	PL_FREE(heap, list, pl_simplexCorners * count);
	return fine;
}

static double distanceOf(const plLevelMesh* mesh, uint32_t a, uint32_t b)
{
	const double *x = mesh->rest + 3 * (size_t)a, *y = mesh->rest + 3 * (size_t)b;
	double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
	return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

// All pairs of corners; with `pair` they are written. Edges whose length is given have that one.
static size_t listEdges(const plLevelMesh* mesh, const plRestMesh* rest, uint32_t* pair, double* length)
{
	size_t found = 0;
	for (size_t s = 0; s < rest->simplexCount; ++s)
	{
		const uint32_t* corners = rest->simplices + pl_simplexCorners * s;
		size_t n = plSimplex_CountCorners(corners);
		bool isGiven = n == 2 && rest->lengths != NULL && rest->lengths[s] >= 0.0;
		for (size_t a = 0; a < n; ++a)
			for (size_t b = a + 1; b < n; ++b)
			{
				uint32_t i = corners[a], j = corners[b];
				if (i == j)
					continue;
				if (pair != NULL)
				{
					pair[2 * found] = i < j ? i : j;
					pair[2 * found + 1] = i < j ? j : i;
					length[found] = isGiven ? rest->lengths[s] : distanceOf(mesh, i, j);
				}
				++found;
			}
	}
	return found;
}

static size_t listCoarseEdges(const plLevelMesh* fine, const plClusters* clusters, uint32_t* pair, double* length)
{
	size_t found = 0;
	for (size_t e = 0; e < fine->edges.count; ++e)
	{
		uint32_t i = fine->edges.item[2 * e], j = fine->edges.item[2 * e + 1];
		uint32_t I = clusters->of[i], J = clusters->of[j];
		if (I == J)
			continue;
		if (pair != NULL)
		{
			pair[2 * found] = I < J ? I : J;
			pair[2 * found + 1] = I < J ? J : I;
			length[found] = clusters->distance[i] + fine->edges.value[e] + clusters->distance[j];
		}
		++found;
	}
	return found;
}

// From the mesh at rest, or from clusters of the finer level
static bool makeEdges(plLevelMesh* mesh, const plRestMesh* rest, const plLevelMesh* finer, const plClusters* clusters,
                      plHeap* heap)
{
	size_t count = rest != NULL ? listEdges(mesh, rest, NULL, NULL) : listCoarseEdges(finer, clusters, NULL, NULL);
	uint32_t* pair = PL_NEW(heap, uint32_t, 2 * count);
	double* length = PL_NEW(heap, double, count);
	bool fine = count == 0 || (pair && length);
	if (fine && rest != NULL)
		listEdges(mesh, rest, pair, length);
	else if (fine)
		listCoarseEdges(finer, clusters, pair, length);
	fine = fine && plTuples_Create(&mesh->edges, 2, pair, length, count, mesh->count, heap);
	PL_FREE(heap, pair, 2 * count);
	PL_FREE(heap, length, count);
	return fine && plIncidence_Create(&mesh->meets, &mesh->edges, mesh->count, heap);
}

// ---- connected parts ------------------------------------------------------------------------------------------------

// Numbers the parts by their first vertices; stack: [count]
static void numberParts(plLevelMesh* mesh, uint32_t* stack)
{
	memset(mesh->part, 0xff, mesh->count * sizeof *mesh->part);
	for (size_t v = 0; v < mesh->count; ++v)
	{
		if (mesh->part[v] != UINT32_MAX)
			continue;
		size_t depth = 0;
		uint32_t number = (uint32_t)mesh->partCount++;
		mesh->part[v] = number;
		for (stack[depth++] = (uint32_t)v; depth > 0;)
		{
			uint32_t i = stack[--depth];
			for (size_t k = mesh->meets.start[i]; k < mesh->meets.start[i + 1]; ++k)
			{
				uint32_t j = plLevelMesh_GetOther(mesh, mesh->meets.item[k], i);
				if (mesh->part[j] != UINT32_MAX)
					continue;
				mesh->part[j] = number;
				stack[depth++] = j;
			}
		}
	}
}

// edges: [partCount] scratch, zeros
static void measureParts(plLevelMesh* mesh, size_t* edges)
{
	for (size_t v = 0; v < mesh->count; ++v)
		mesh->size[mesh->part[v]]++;
	for (size_t e = 0; e < mesh->edges.count; ++e)
	{
		uint32_t part = mesh->part[mesh->edges.item[2 * e]];
		mesh->spacing[part] += mesh->edges.value[e];
		edges[part]++;
	}
	for (size_t p = 0; p < mesh->partCount; ++p)
	{
		mesh->spacing[p] = edges[p] > 0 ? mesh->spacing[p] / (double)edges[p] : 0.0;
		mesh->corners[p] = edges[p] > 0 ? 2 : 1;
	}
	for (size_t s = 0; s < mesh->simplices.count; ++s)
	{
		const uint32_t* corners = mesh->simplices.item + pl_simplexCorners * s;
		uint8_t* most = mesh->corners + mesh->part[corners[0]];
		size_t n = plSimplex_CountCorners(corners);
		*most = n > *most ? (uint8_t)n : *most;
	}
}

static bool findParts(plLevelMesh* mesh, plHeap* heap)
{
	uint32_t* stack = PL_NEW(heap, uint32_t, mesh->count);
	mesh->part = PL_NEW(heap, uint32_t, mesh->count);
	bool fine = mesh->count == 0 || (stack && mesh->part);
	if (fine)
		numberParts(mesh, stack);
	PL_FREE(heap, stack, mesh->count);
	if (!fine || mesh->count == 0)
		return fine;
	size_t parts = mesh->partCount;
	size_t* edges = PL_NEW_ZERO(heap, size_t, parts);
	mesh->spacing = PL_NEW_ZERO(heap, double, parts);
	mesh->corners = PL_NEW_ZERO(heap, uint8_t, parts);
	mesh->size = PL_NEW_ZERO(heap, size_t, parts);
	fine = edges && mesh->spacing && mesh->corners && mesh->size;
	if (fine)
		measureParts(mesh, edges);
	PL_FREE(heap, edges, parts);
	return fine;
}

// ---- whole levels ---------------------------------------------------------------------------------------------------

static bool isSound(const plRestMesh* rest)
{
	if (rest->vertexCount >= UINT32_MAX)
		return false;
	for (size_t s = 0; s < rest->simplexCount; ++s)
	{
		const uint32_t* corners = rest->simplices + pl_simplexCorners * s;
		size_t n = plSimplex_CountCorners(corners);
		for (size_t c = 0; c < pl_simplexCorners; ++c)
			if (c < n ? corners[c] >= rest->vertexCount : corners[c] != UINT32_MAX)
				return false;
	}
	return true;
}

static bool allocateVertices(plLevelMesh* mesh, size_t count, plHeap* heap)
{
	*mesh = (plLevelMesh){.count = count};
	mesh->rest = PL_NEW(heap, double, 3 * count);
	mesh->mark = PL_NEW_ZERO(heap, uint8_t, count);
	return count == 0 || (mesh->rest && mesh->mark);
}

plResult plLevelMesh_Create(plLevelMesh* mesh, const plRestMesh* rest, plHeap* heap)
{
	*mesh = (plLevelMesh){0};
	if (!isSound(rest))
		return pl_errorInput;
	bool fine = allocateVertices(mesh, rest->vertexCount, heap);
	if (fine && mesh->count > 0)
	{
		memcpy(mesh->rest, rest->rest, 3 * mesh->count * sizeof *mesh->rest);
		if (rest->marks != NULL)
			memcpy(mesh->mark, rest->marks, mesh->count);
	}
	fine = fine && makeSimplices(mesh, rest->simplices, rest->simplexCount, NULL, heap) &&
	       makeEdges(mesh, rest, NULL, NULL, heap) && findParts(mesh, heap) && plLevelMesh_Mark(mesh, heap);
	if (!fine)
		plLevelMesh_Destroy(mesh, heap);
	return fine ? pl_success : pl_errorMemory;
}

bool plLevelMesh_CreateCoarse(plLevelMesh* coarse, const plLevelMesh* fine, const plClusters* clusters, plHeap* heap)
{
	bool good = allocateVertices(coarse, clusters->count, heap);
	for (size_t c = 0; good && c < clusters->count; ++c)
	{
		size_t v = clusters->kept[c];
		memcpy(coarse->rest + 3 * c, fine->rest + 3 * v, 3 * sizeof *fine->rest);
		coarse->mark[c] = fine->mark[v];
	}
	good = good && makeSimplices(coarse, fine->simplices.item, fine->simplices.count, clusters->of, heap) &&
	       makeEdges(coarse, NULL, fine, clusters, heap) && findParts(coarse, heap);
	if (!good)
		plLevelMesh_Destroy(coarse, heap);
	return good;
}
