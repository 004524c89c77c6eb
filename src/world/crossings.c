// crossings.c: where surfaces of bodies cross each other or themselves
//
// The surfaces are cloth and the boundaries of tets. All of them stand in one tree, which is made once for bodies as
// they are and fitted to where they are at each call (collide/triangle_tree.h). What a crossing is: collide/crossing.h.
// Rigid bodies have contacts of their own, and are not in it.
#include "world.h"

void plSurfaces_Destroy(plSurfaces* s, plHeap* heap)
{
	plTriangleTree_Destroy(&s->tree, heap);
	plCrossingSearch_Destroy(&s->search, heap);
	PL_FREE(heap, s->corners, s->cornerRoom);
	PL_FREE(heap, s->bodies, s->bodyCount);
	PL_FREE(heap, s->triangleStart, s->bodyCount + 1);
	PL_FREE(heap, s, 1);
}

void plWorld_DropSurfaces(plWorld* world)
{
	if (world->prepared.surfaces != NULL)
		plSurfaces_Destroy(world->prepared.surfaces, &world->heap);
	world->prepared.surfaces = NULL;
}

// The surface of one more body behind those that are there; false: no memory
static bool addBody(plSurfaces* s, const plSoftBody* body, plHeap* heap)
{
	uint32_t* faces;
	size_t count;
	if (plSoftBody_FindSurface(body, heap, &faces, &count) != pl_success)
		return false;
	bool fine = plGrowArray(heap, &s->corners, &s->cornerRoom, 3 * (s->count + count), sizeof *s->corners);
	if (fine && count > 0)
		memcpy(s->corners + 3 * s->count, faces, 3 * count * sizeof *faces);
	s->count += fine ? count : 0;
	PL_FREE(heap, faces, 3 * count);
	return fine;
}

static bool gatherBodies(plWorld* world, plSurfaces* s)
{
	size_t body = 0;
	PL_EACH(const plSoftBody, soft, &world->softs)
	{
		s->bodies[body] = plSlots_IndexOf(&world->softs, soft);
		s->triangleStart[body++] = s->count;
		if (!addBody(s, soft, &world->heap))
			return false;
	}
	s->triangleStart[body] = s->count;
	return true;
}

static bool addShells(const plWorld* world, plSurfaces* s, const plShells* shells, plHeap* heap)
{
	size_t count = 3 * shells->triangleCount;
	if (!plGrowArray(heap, &s->corners, &s->cornerRoom, 3 * s->count + count, sizeof *s->corners))
		return false;
	for (size_t c = 0; c < count; ++c)
		s->corners[3 * s->count + c] = (uint32_t)world->layout.vertexCount + shells->corners[c];
	s->count += shells->triangleCount;
	return true;
}

// Vertices of the world in the place of those of bodies; those of shells have theirs
static void renumber(const plWorld* world, const plSurfaces* s, uint32_t* triangles)
{
	memcpy(triangles, s->corners, 3 * s->count * sizeof *triangles);
	for (size_t b = 0; b < s->bodyCount; ++b)
	{
		const plSoftBody* body = plSlots_At(&world->softs, s->bodies[b]);
		for (size_t c = 3 * s->triangleStart[b]; c < 3 * s->triangleStart[b + 1]; ++c)
			triangles[c] = (uint32_t)body->vertexStart + body->internalOf[s->corners[c]];
	}
}

// The last `standing` triangles never move.
static bool buildTree(plWorld* world, plSurfaces* s, size_t standing, const double* places)
{
	uint32_t* triangles = PL_NEW(&world->heap, uint32_t, 3 * s->count);
	bool fine = triangles != NULL || s->count == 0;
	if (fine && s->count > 0)
		renumber(world, s, triangles);
	fine = fine && plTriangleTree_BuildStanding(&s->tree, triangles, s->count - standing, s->count, places, world->pool,
	                                            &world->heap);
	PL_FREE(&world->heap, triangles, 3 * s->count);
	return fine;
}

plSurfaces* plWorld_MakeSurfaces(plWorld* world, const plShells* shells, const double* places)
{
	plHeap* heap = &world->heap;
	plSurfaces* s = PL_NEW_ZERO(heap, plSurfaces, 1);
	if (s == NULL)
		return NULL;
	PL_EACH(const plSoftBody, soft, &world->softs)
		s->bodyCount++;
	s->bodies = PL_NEW(heap, uint32_t, s->bodyCount);
	s->triangleStart = PL_NEW(heap, size_t, s->bodyCount + 1);
	bool fine = (s->bodies != NULL || s->bodyCount == 0) && s->triangleStart != NULL;
	fine = fine && gatherBodies(world, s) && (shells == NULL || addShells(world, s, shells, heap)) &&
	       buildTree(world, s, shells != NULL ? shells->triangleCount - shells->movingTriangles : 0, places);
	if (!fine)
		plSurfaces_Destroy(s, heap);
	return fine ? s : NULL;
}

plSurfaces* plWorld_NeedSurfaces(plWorld* world)
{
	if (world->prepared.surfaces == NULL)
		world->prepared.surfaces = plWorld_MakeSurfaces(world, NULL, world->q);
	return world->prepared.surfaces;
}

// ---- the list -------------------------------------------------------------------------------------------------------

static void fillSide(const plWorld* world, const plSurfaces* s, uint32_t triangle, plCrossing* crossing, int side)
{
	size_t low = 0, high = s->bodyCount; // the last body that does not start behind it
	while (high - low > 1)
	{
		size_t middle = low + (high - low) / 2;
		if (s->triangleStart[middle] <= triangle)
			low = middle;
		else
			high = middle;
	}
	plSlotId id = plSlots_GetId(&world->softs, plSlots_At(&world->softs, s->bodies[low]));
	crossing->bodies[side] = (plBodyId){id.index1, id.generation};
	crossing->triangles[side] = triangle - (uint32_t)s->triangleStart[low];
	memcpy(crossing->vertices[side], s->corners + 3 * (size_t)triangle, sizeof crossing->vertices[side]);
}

plResult plWorld_FindCrossings(plWorld* world, plCrossing* crossings, size_t capacity, size_t* count, plError* error)
{
	plSurfaces* s = plWorld_NeedSurfaces(world);
	*count = 0;
	if (s != NULL)
		plTriangleTree_Refit(&s->tree, world->q, 0.0, world->pool);
	if (s == NULL || !plCrossingSearch_Run(&s->search, &s->tree, world->pool, &world->heap))
		return plFail(error, pl_errorMemory, "not enough memory to look for crossings among %zu vertices",
		              world->layout.vertexCount);
	*count = s->search.count;
	for (size_t i = 0; i < s->search.count && i < capacity; ++i)
	{
		fillSide(world, s, s->search.pairs[i].a, crossings + i, 0);
		fillSide(world, s, s->search.pairs[i].b, crossings + i, 1);
	}
	return pl_success;
}

plResult plWorld_CountCrossings(plWorld* world, size_t* count, plError* error)
{
	return plWorld_FindCrossings(world, NULL, 0, count, error);
}
