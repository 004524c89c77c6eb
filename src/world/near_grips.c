// near_grips.c: what the springs of friction between surfaces hold (energy/near_friction.h), which is part of the state
//
// The world keeps the grips of the end of its last step; while a step runs, the energy has them. So after a step that
// failed, a change of bodies or a loaded state the same is done: the world's grips are given to the energy. Both have
// them by vertices of the world, which change when a body goes. A saved state has a vertex by the number of its body
// and its place in that: these follow from the body's mesh.
#include "world.h"
#include "../collide/near_lag.h"

#include <math.h>
#include <stdlib.h>

// ---- the list -------------------------------------------------------------------------------------------------------

bool plWorld_ReserveNearGrips(plWorld* world, size_t count)
{
	return plGrowArray(&world->heap, &world->nearGrips, &world->nearGripRoom, count, sizeof *world->nearGrips);
}

bool plWorld_SpreadNearGrips(plWorld* world, plNear* near)
{
	plNearFriction* friction = near->energy->friction;
	if (friction == NULL)
		return true;
	if (!plNearFriction_Reserve(friction, world->nearGripCount, &world->heap))
		return false;
	if (world->nearGripCount > 0)
		memcpy(friction->grips, world->nearGrips, world->nearGripCount * sizeof *friction->grips);
	friction->gripCount = world->nearGripCount;
	return true;
}

void plWorld_KeepNearGrips(plWorld* world)
{
	const plNear* near = world->prepared.near;
	const plNearFriction* friction = near != NULL ? near->energy->friction : NULL;
	world->nearGripCount = friction != NULL ? friction->gripCount : 0;
	PL_ASSERT(world->nearGripCount <= world->nearGripRoom, "there is room for all grips");
	if (world->nearGripCount > 0)
		memcpy(world->nearGrips, friction->grips, world->nearGripCount * sizeof *friction->grips);
}

static bool isOf(const plNearGrip* grip, size_t start, size_t end)
{
	for (int k = 0; k < 4; ++k)
		if (grip->corners[k] >= start && grip->corners[k] < end)
			return true;
	return false;
}

void plWorld_DropNearGrips(plWorld* world, const plSoftBody* body)
{
	size_t left = 0;
	for (size_t i = 0; i < world->nearGripCount; ++i)
		if (!isOf(world->nearGrips + i, body->vertexStart, body->vertexStart + body->vertexCount))
			world->nearGrips[left++] = world->nearGrips[i];
	world->nearGripCount = left;
	if (world->prepared.near != NULL)
		plWorld_SpreadNearGrips(world, world->prepared.near);
}

// The order stays: all vertices behind it move by the same number.
void plWorld_CloseNearGrips(plWorld* world, const plSoftBody* body)
{
	for (size_t i = 0; i < world->nearGripCount; ++i)
		for (int k = 0; k < 4; ++k)
			if (world->nearGrips[i].corners[k] >= body->vertexStart)
				world->nearGrips[i].corners[k] -= (uint32_t)body->vertexCount;
}

// Vertices of shells are behind those of the world.
void plWorld_OpenNearGrips(plWorld* world, size_t count)
{
	for (size_t i = 0; i < world->nearGripCount; ++i)
		for (int k = 0; k < 4; ++k)
			if (world->nearGrips[i].corners[k] >= world->layout.vertexCount)
				world->nearGrips[i].corners[k] += (uint32_t)count;
}

void plWorld_DropShellGrips(plWorld* world)
{
	size_t left = 0;
	for (size_t i = 0; i < world->nearGripCount; ++i)
		if (!isOf(world->nearGrips + i, world->layout.vertexCount, SIZE_MAX))
			world->nearGrips[left++] = world->nearGrips[i];
	world->nearGripCount = left;
}

plResult plWorld_TakeNearGrips(plWorld* world, const double* q)
{
	plNear* near = world->prepared.near;
	if (near == NULL || near->energy->friction == NULL)
		return pl_success;
	plResult result = plNearEnergy_TakeGrips(near->energy, q, world->pool, &world->heap);
	if (result < 0)
		return result;
	return plWorld_ReserveNearGrips(world, near->energy->friction->room) ? pl_success : pl_errorMemory;
}

// ---- saved states ---------------------------------------------------------------------------------------------------

typedef struct SavedGrip
{
	uint64_t kind;
	uint64_t vertices[4]; // among those of all bodies, in the order of bodies and of places
	double slip[3];
} SavedGrip;

size_t plWorld_GetNearGripBytes(size_t count)
{
	return count * sizeof(SavedGrip);
}

// The number of a vertex if the vertices of bodies stood in the order of these, and back; NULL: there is none. Those of
// shells stand behind them
static uint64_t toSaved(const plWorld* world, uint32_t vertex)
{
	uint64_t before = 0;
	if (vertex >= world->layout.vertexCount)
		return vertex;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		if (vertex >= body->vertexStart && vertex < body->vertexStart + body->vertexCount)
			return before + (vertex - body->vertexStart);
		before += body->vertexCount;
	}
	return before;
}

static const plSoftBody* findSaved(const plWorld* world, uint64_t vertex, uint64_t* before)
{
	*before = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		if (vertex < *before + body->vertexCount)
			return body;
		*before += body->vertexCount;
	}
	return NULL;
}

void plWorld_SaveNearGrips(const plWorld* world, char* out)
{
	for (size_t i = 0; i < world->nearGripCount; ++i, out += sizeof(SavedGrip))
	{
		const plNearGrip* grip = world->nearGrips + i;
		SavedGrip saved = {.kind = grip->kind};
		for (int k = 0; k < 4; ++k)
			saved.vertices[k] = toSaved(world, grip->corners[k]);
		memcpy(saved.slip, grip->slip, sizeof saved.slip);
		memcpy(out, &saved, sizeof saved);
	}
}

// Both corners of an edge, and all three of a triangle, are of one body.
static bool makesSense(const plWorld* world, const SavedGrip* grip, size_t shellCount)
{
	uint64_t before[4];
	size_t n = world->layout.vertexCount, shells = 0;
	const plSoftBody* bodies[4]; // NULL: of a shell
	for (int k = 0; k < 4; ++k)
	{
		bodies[k] = findSaved(world, grip->vertices[k], before + k);
		shells += grip->vertices[k] >= n;
		if (grip->vertices[k] >= n + shellCount)
			return false;
	}
	bool isWhole = grip->kind == pl_nearFace ? bodies[1] == bodies[2] && bodies[2] == bodies[3]
	                                         : bodies[0] == bodies[1] && bodies[2] == bodies[3];
	for (int k = 0; k < 3; ++k)
		isWhole = isWhole && isfinite(grip->slip[k]);
	return isWhole && shells < 4 && grip->kind <= pl_nearEdges;
}

plResult plWorld_CheckNearGrips(const plWorld* world, const char* in, size_t count, plError* error)
{
	size_t shellCount = count > 0 ? plWorld_CountSavedVertices(world) : 0;
	for (size_t i = 0; i < count; ++i, in += sizeof(SavedGrip))
	{
		SavedGrip grip;
		memcpy(&grip, in, sizeof grip);
		if (!makesSense(world, &grip, shellCount))
			return plFail(error, pl_errorInput, "state: friction between surfaces, pair %zu, makes no sense", i);
	}
	return pl_success;
}

void plWorld_LoadNearGrips(plWorld* world, const char* in, size_t count)
{
	for (size_t i = 0; i < count; ++i, in += sizeof(SavedGrip))
	{
		SavedGrip saved;
		memcpy(&saved, in, sizeof saved);
		plNearGrip* to = world->nearGrips + i;
		to->kind = (uint32_t)saved.kind;
		for (int k = 0; k < 4; ++k)
		{
			uint64_t before;
			const plSoftBody* body = findSaved(world, saved.vertices[k], &before);
			to->corners[k] =
			    (uint32_t)(body != NULL ? body->vertexStart + (saved.vertices[k] - before) : saved.vertices[k]);
		}
		memcpy(to->slip, saved.slip, sizeof to->slip);
	}
	world->nearGripCount = count;
	if (count > 0)
		qsort(world->nearGrips, count, sizeof *world->nearGrips, plNearGrip_Compare);
	if (world->prepared.near != NULL)
		plWorld_SpreadNearGrips(world, world->prepared.near);
}
