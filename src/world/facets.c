// facets.c: triangles and edges of the surfaces of soft bodies, which rigid bodies meet between vertices
//
// Triangles of a body stand in the order of its surface, edges by their two vertices as the caller names them, so that
// their numbers in a saved state depend on the body alone. Made once for bodies as they are.
#include "world.h"
#include "../base/vec3.h"

#include <stdlib.h>

void plFacets_Destroy(plFacets* f, plHeap* heap)
{
	PL_FREE(heap, f->faces, f->faceRoom);
	PL_FREE(heap, f->edges, f->edgeRoom);
	PL_FREE(heap, f->names, f->nameCount);
	PL_FREE(heap, f->beside, f->besideRoom);
	PL_FREE(heap, f->faceStart, f->startCount);
	PL_FREE(heap, f->edgeStart, f->startCount);
	*f = (plFacets){0};
}

// A side of a triangle: its vertices ascend.
typedef struct Side
{
	uint32_t low, high, face;
} Side;

static int compareSides(const void* a, const void* b)
{
	const Side *x = a, *y = b;
	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->high != y->high)
		return x->high < y->high ? -1 : 1;
	return (x->face > y->face) - (x->face < y->face);
}

static void listSides(const uint32_t* faces, size_t count, Side* sides)
{
	for (size_t f = 0; f < count; ++f)
		for (size_t i = 0; i < 3; ++i)
		{
			uint32_t a = faces[3 * f + i], b = faces[3 * f + (i + 1) % 3];
			sides[3 * f + i] = (Side){a < b ? a : b, a < b ? b : a, (uint32_t)f};
		}
	if (count > 0)
		qsort(sides, 3 * count, sizeof *sides, compareSides);
}

// The edges of one more body behind those that are there, `sides` in their order.
static void addEdges(plFacets* f, const plSoftBody* body, const Side* sides, size_t count, size_t firstFace)
{
	for (size_t k = 0; k < count; ++k)
	{
		bool isNew = k == 0 || sides[k].low != sides[k - 1].low || sides[k].high != sides[k - 1].high;
		size_t e = isNew ? f->edgeCount++ : f->edgeCount - 1;
		uint32_t face = (uint32_t)firstFace + sides[k].face;
		f->edges[2 * e] = (uint32_t)body->vertexStart + body->internalOf[sides[k].low];
		f->edges[2 * e + 1] = (uint32_t)body->vertexStart + body->internalOf[sides[k].high];
		f->beside[2 * e + 1] = face;
		f->beside[2 * e] = isNew ? face : f->beside[2 * e];
	}
}

// False: no memory
static bool addBody(plFacets* f, const plSoftBody* body, plHeap* heap)
{
	uint32_t* faces;
	size_t count, before = f->faceCount;
	if (plSoftBody_FindSurface(body, heap, &faces, &count) != pl_success)
		return false;
	Side* sides = PL_NEW(heap, Side, 3 * count);
	bool fine = (sides != NULL || count == 0) &&
	            plGrowArray(heap, &f->faces, &f->faceRoom, 3 * (before + count), sizeof *f->faces) &&
	            plGrowArray(heap, &f->edges, &f->edgeRoom, 2 * (f->edgeCount + 3 * count), sizeof *f->edges) &&
	            plGrowArray(heap, &f->beside, &f->besideRoom, 2 * (f->edgeCount + 3 * count), sizeof *f->beside);
	if (fine)
	{
		for (size_t i = 0; i < 3 * count; ++i)
			f->faces[3 * before + i] = (uint32_t)body->vertexStart + body->internalOf[faces[i]];
		listSides(faces, count, sides);
		addEdges(f, body, sides, 3 * count, before);
		f->faceCount += count;
	}
	PL_FREE(heap, sides, 3 * count);
	PL_FREE(heap, faces, 3 * count);
	return fine;
}

static bool gather(plWorld* world, plFacets* f)
{
	plHeap* heap = &world->heap;
	f->startCount = world->softs.slotCount + 1;
	f->faceStart = PL_NEW_ZERO(heap, size_t, f->startCount);
	f->edgeStart = PL_NEW_ZERO(heap, size_t, f->startCount);
	f->nameCount = world->layout.vertexCount;
	f->names = PL_NEW_ZERO(heap, uint32_t, f->nameCount);
	bool fine = f->faceStart != NULL && f->edgeStart != NULL && (f->names != NULL || f->nameCount == 0);
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t i = 0; fine && i < body->vertexCount; ++i)
			f->names[body->vertexStart + body->internalOf[i]] = (uint32_t)i;
	for (uint32_t slot = 0; fine && slot < world->softs.slotCount; ++slot)
	{
		if (plSlots_IsLive(&world->softs, slot))
			fine = addBody(f, plSlots_At(&world->softs, slot), heap);
		f->faceStart[slot + 1] = f->faceCount;
		f->edgeStart[slot + 1] = f->edgeCount;
	}
	return fine;
}

bool plWorld_NeedFacets(plWorld* world)
{
	plFacets* f = &world->prepared.facets;
	if (f->startCount > 0)
		return true;
	if (gather(world, f))
		return true;
	plFacets_Destroy(f, &world->heap);
	return false;
}

size_t plFacets_Count(const plFacets* f, uint32_t body, plFeature kind)
{
	const size_t* start = kind == pl_featureEdge ? f->edgeStart : f->faceStart;
	return start[body + 1] - start[body];
}

uint32_t plWorld_GetFeature(const plWorld* world, uint32_t body, plFeature kind, uint32_t number, uint32_t corners[3])
{
	const plFacets* f = &world->prepared.facets;
	uint32_t count = kind == pl_featureEdge ? 2 : 3;
	if (kind == pl_featureVertex)
	{
		const plSoftBody* soft = plSlots_At(&world->softs, body);
		corners[0] = (uint32_t)soft->vertexStart + number;
		return 1;
	}
	const uint32_t* from = kind == pl_featureEdge ? f->edges + 2 * (f->edgeStart[body] + number)
	                                              : f->faces + 3 * (f->faceStart[body] + number);
	memcpy(corners, from, count * sizeof *corners);
	return count;
}

uint32_t plWorld_NameFeature(const plWorld* world, uint32_t body, plFeature kind, uint32_t number, uint32_t names[3])
{
	uint32_t count = plWorld_GetFeature(world, body, kind, number, names);
	for (uint32_t c = 0; c < count; ++c)
		names[c] = world->prepared.facets.names[names[c]];
	return count;
}

void plWorld_GetOutward(const plWorld* world, uint32_t body, uint32_t edge, double outward[3])
{
	const plFacets* f = &world->prepared.facets;
	const uint32_t* beside = f->beside + 2 * (f->edgeStart[body] + edge);
	outward[0] = outward[1] = outward[2] = 0.0;
	if (((const plSoftBody*)plSlots_At(&world->softs, body))->cloth != NULL)
		return;
	for (int k = 0; k < 2; ++k)
	{
		const uint32_t* face = f->faces + 3 * (size_t)beside[k];
		double a[3], b[3], normal[3];
		plSubtract3(PL_AT(world->q, face[1]), PL_AT(world->q, face[0]), a);
		plSubtract3(PL_AT(world->q, face[2]), PL_AT(world->q, face[0]), b);
		plCross3(a, b, normal);
		double size = plLength3(normal);
		plAdd3(outward, size > 0.0 ? 1.0 / size : 0.0, normal);
	}
}
