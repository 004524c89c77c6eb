// grips.c: where vertices hold on to colliders (energy/push.c), which is part of the state
//
// The world keeps the grips of the end of its last step. While a step runs, the push energy has them, in its own order.
// So after a step that failed, a change of bodies or colliders or a loaded state the same is done: the world's grips
// are spread to the push energy. Here they stand by slots of bodies, vertices and keys of obstacles, ascending; in a
// saved state by the caller's vertices and by the number of the obstacle among those that there are.
#include "world.h"

#include <math.h>
#include <stdlib.h>

// ---- the list -------------------------------------------------------------------------------------------------------

bool plWorld_ReserveGrips(plWorld* world, size_t count)
{
	if (count <= world->gripRoom)
		return true;
	plWorldGrip* grown = PL_NEW(&world->heap, plWorldGrip, count);
	if (grown == NULL)
		return false;
	if (world->gripCount > 0)
		memcpy(grown, world->grips, world->gripCount * sizeof *grown);
	PL_FREE(&world->heap, world->grips, world->gripRoom);
	world->grips = grown;
	world->gripRoom = count;
	return true;
}

static int compareGrips(const void* a, const void* b)
{
	const plWorldGrip *x = a, *y = b;
	if (x->body != y->body)
		return x->body < y->body ? -1 : 1;
	if (x->vertex != y->vertex)
		return x->vertex < y->vertex ? -1 : 1;
	return (x->collider > y->collider) - (x->collider < y->collider);
}

static void validateGrips(const plWorld* world)
{
	for (size_t i = 0; i + 1 < world->gripCount; ++i)
		PL_VALIDATE(compareGrips(world->grips + i, world->grips + i + 1) < 0, "grips ascend");
}

void plWorld_KeepGrips(plWorld* world)
{
	const plPushEnergy* push = world->prepared.push;
	world->gripCount = 0;
	if (push == NULL)
		return;
	PL_ASSERT(push->gripStart[push->base.elementCount] <= world->gripRoom, "there is room for all grips");
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		size_t end = plPushEnergy_FindElement(push, body->vertexStart + body->vertexCount);
		for (size_t e = plPushEnergy_FindElement(push, body->vertexStart); e < end; ++e)
			for (size_t i = push->gripStart[e]; i < push->gripStart[e + 1]; ++i)
			{
				plWorldGrip* to = world->grips + world->gripCount++;
				to->body = plSlots_IndexOf(&world->softs, body);
				to->vertex = push->base.vertices[e] - (uint32_t)body->vertexStart;
				to->collider = push->colliders[push->grips[i].collider].slot;
				memcpy(to->point, push->grips[i].point, sizeof to->point);
			}
	}
	PL_VALIDATE_CALL(validateGrips(world));
}

void plWorld_DropGrips(plWorld* world, uint32_t body, uint32_t collider)
{
	size_t left = 0;
	for (size_t i = 0; i < world->gripCount; ++i)
		if (world->grips[i].body != body && world->grips[i].collider != collider)
			world->grips[left++] = world->grips[i];
	world->gripCount = left;
	plWorld_DropVertexMeets(world, body, UINT32_MAX);
	if (world->prepared.push != NULL)
		plWorld_SpreadGrips(world, world->prepared.push);
}

// ---- to the push energy ---------------------------------------------------------------------------------------------

// The element and the collider that a grip belongs to; false: they have no part in contact.
static bool findPlace(const plWorld* world, const plPushEnergy* push, const plWorldGrip* grip, size_t* e, size_t* c)
{
	const plSoftBody* body = plSlots_At(&world->softs, grip->body);
	size_t vertex = body->vertexStart + grip->vertex;
	*e = plPushEnergy_FindElement(push, vertex);
	for (*c = 0; *c < push->colliderCount && push->colliders[*c].slot != grip->collider;)
		++*c;
	return *e < push->base.elementCount && push->base.vertices[*e] == vertex && *c < push->colliderCount;
}

// Grips of one vertex stand together, and in order.
bool plWorld_SpreadGrips(plWorld* world, plPushEnergy* push)
{
	size_t *start = push->gripStart, e, c, last = SIZE_MAX, at = 0;
	if (!plPushEnergy_Reserve(push, world->gripCount, &world->heap))
		return false;
	memset(start, 0, (push->base.elementCount + 1) * sizeof *start);
	for (size_t i = 0; i < world->gripCount; ++i)
		if (findPlace(world, push, world->grips + i, &e, &c))
			start[e + 1]++;
	for (size_t i = 0; i < push->base.elementCount; ++i)
		start[i + 1] += start[i];
	for (size_t i = 0; i < world->gripCount; ++i)
	{
		const double* x = world->grips[i].point;
		if (!findPlace(world, push, world->grips + i, &e, &c))
			continue;
		at = e == last ? at + 1 : start[e];
		last = e;
		push->grips[at] = (plGrip){{x[0], x[1], x[2]}, c};
	}
	return true;
}

// ---- saved states ---------------------------------------------------------------------------------------------------

typedef struct SavedGrip
{
	uint64_t vertex;   // among those of all bodies, in the order of bodies and the caller's
	uint64_t collider; // the obstacle, among those that there are
	double point[3];
} SavedGrip;

size_t plWorld_GetGripBytes(size_t count)
{
	return count * sizeof(SavedGrip);
}

// How many obstacles there are before this one.
static uint64_t countBefore(const plWorld* world, uint32_t key)
{
	uint64_t count = 0;
	for (plObstacle at = {0}; plWorld_NextObstacle(world, &at);)
		count += at.key < key;
	return count;
}

// The first of the world's grips that belongs to this vertex of a body or comes after it.
static size_t findGrip(const plWorld* world, uint32_t body, uint32_t vertex)
{
	const plWorldGrip wanted = {.body = body, .vertex = vertex, .collider = 0};
	size_t low = 0;
	for (size_t high = world->gripCount; low < high;)
	{
		size_t middle = low + (high - low) / 2;
		if (compareGrips(world->grips + middle, &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void plWorld_SaveGrips(const plWorld* world, char* out)
{
	uint64_t before = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		uint32_t slot = plSlots_IndexOf(&world->softs, body);
		for (size_t i = 0; world->gripCount > 0 && i < body->vertexCount; ++i)
			for (size_t k = findGrip(world, slot, body->internalOf[i]); k < world->gripCount; ++k)
			{
				const plWorldGrip* grip = world->grips + k;
				if (grip->body != slot || grip->vertex != body->internalOf[i])
					break;
				SavedGrip saved = {before + i, countBefore(world, grip->collider), {0.0}};
				memcpy(saved.point, grip->point, sizeof saved.point);
				memcpy(out, &saved, sizeof saved);
				out += sizeof saved;
			}
		before += body->vertexCount;
	}
}

plResult plWorld_CheckGrips(const plWorld* world, const char* in, size_t count, plError* error)
{
	SavedGrip last = {0};
	size_t obstacles = plWorld_CountObstacles(world);
	for (size_t i = 0; i < count; ++i, in += sizeof last)
	{
		SavedGrip now;
		memcpy(&now, in, sizeof now);
		if (now.vertex >= world->layout.vertexCount || now.collider >= obstacles)
			return plFail(error, pl_errorInput,
			              "state: vertex %llu rubs on obstacle %llu, this world has %zu vertices and %zu obstacles",
			              (unsigned long long)now.vertex, (unsigned long long)now.collider, world->layout.vertexCount,
			              obstacles);
		bool ascends = now.vertex > last.vertex || (now.vertex == last.vertex && now.collider > last.collider);
		if ((i > 0 && !ascends) || !isfinite(now.point[0]) || !isfinite(now.point[1]) || !isfinite(now.point[2]))
			return plFail(error, pl_errorInput, "state: the grip of vertex %llu makes no sense",
			              (unsigned long long)now.vertex);
		last = now;
	}
	return pl_success;
}

static uint32_t findKey(const plWorld* world, uint64_t number)
{
	plObstacle at = {0};
	do
		plWorld_NextObstacle(world, &at);
	while (number-- > 0);
	return at.key;
}

void plWorld_LoadGrips(plWorld* world, const char* in, size_t count)
{
	size_t next = 0, before = 0;
	SavedGrip saved;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		for (; next < count; ++next, in += sizeof saved)
		{
			memcpy(&saved, in, sizeof saved);
			if (saved.vertex >= before + body->vertexCount)
				break;
			plWorldGrip* to = world->grips + next;
			to->body = plSlots_IndexOf(&world->softs, body);
			to->vertex = body->internalOf[saved.vertex - before];
			to->collider = findKey(world, saved.collider);
			memcpy(to->point, saved.point, sizeof to->point);
		}
		before += body->vertexCount;
	}
	world->gripCount = count;
	if (count > 0)
		qsort(world->grips, count, sizeof *world->grips, compareGrips);
	PL_VALIDATE_CALL(validateGrips(world));
	if (world->prepared.push != NULL)
		plWorld_SpreadGrips(world, world->prepared.push);
}
