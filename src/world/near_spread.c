// near_spread.c: cloth that is so flat that it cannot meet itself (collide/spread.h)
//
// Pairs of one body that are nearer than 1.5 r where it was made do not push (near.c), so those that do are as far from
// each other in the chart.
//
// On the way to the guess all such pairs keep r + s, s what is spare. If no vertex ends farther than s/2 from its
// guess, neither side of a pair is farther than that from where it would have been at any time, and r is left: nothing
// has to be fitted again.
#include "world.h"
#include "../base/vec3.h"

static const double leastApart = 1.5 * 0.999; // of the radius, in the chart, which is flat to a millionth
static const double wide = 4.0, narrow = 0.5; // s, of the radius

static plResult makeSpread(const plSoftBody* body, plSpread* spread, const double* rest, plHeap* heap)
{
	size_t count = 0;
	uint32_t* faces = NULL;
	if (body->cloth == NULL)
		return pl_success;
	plResult result = plSoftBody_FindSurface(body, heap, &faces, &count);
	for (size_t c = 0; c < 3 * count && result >= 0; ++c)
		faces[c] = (uint32_t)body->vertexStart + body->internalOf[faces[c]];
	if (result >= 0)
		result = plSpread_Create(spread, faces, count, rest, heap);
	PL_FREE(heap, faces, 3 * count);
	return result;
}

bool plNear_MakeSpreads(const plWorld* world, plNear* near)
{
	plHeap* heap = (plHeap*)&world->heap;
	uint32_t b = 0;
	plResult result = pl_success;
	near->spreads = PL_NEW_ZERO(heap, plSpread, near->softCount);
	if (near->spreads == NULL)
		return near->softCount == 0;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		if (result >= 0 && near->meetsItself[b])
			result = makeSpread(body, near->spreads + b, near->rest, heap);
		++b;
	}
	return result >= 0;
}

void plNear_DropSpreads(plNear* near, plHeap* heap)
{
	for (size_t b = 0; b < near->softCount && near->spreads != NULL; ++b)
		plSpread_Destroy(near->spreads + b, heap);
	PL_FREE(heap, near->spreads, near->softCount);
}

static bool isProved(const plNear* near, uint32_t b, const double* from, const double* to, double spare)
{
	return plSpread_IsProved(near->spreads + b, from, to, leastApart * near->radius, near->radius + spare);
}

static bool findSpread(plNear* near, uint32_t b, const double* from, const double* guess, plPool* pool)
{
	plNearBody* body = near->bodies + b;
	if (near->spreads[b].nodeCount == 0)
		return false;
	plSpread_Fit(near->spreads + b, from, guess, pool);
	body->spare = wide * near->radius;
	if (isProved(near, b, from, guess, body->spare))
		return true;
	body->spare = narrow * near->radius;
	return isProved(near, b, from, guess, body->spare);
}

bool plNear_FindSpread(plNear* near, const double* from, const double* guess, plPool* pool)
{
	bool all = true;
	for (uint32_t b = 0; b < near->softCount; ++b)
	{
		near->bodies[b].isSpread = near->meetsItself[b] && findSpread(near, b, from, guess, pool);
		near->meetsNow[b] = near->meetsItself[b] && !near->bodies[b].isSpread;
		all = all && !near->meetsNow[b];
	}
	return all;
}

void plNear_ForgetSpread(plNear* near)
{
	for (uint32_t b = 0; b < near->softCount; ++b)
	{
		near->bodies[b].isSpread = false;
		near->meetsNow[b] = near->meetsItself[b];
	}
}

// No vertex is farther from the guess than half of what was spare.
static bool isNearGuess(const plNearBody* body, const double* guess, const double* to)
{
	for (size_t i = body->first; i < body->first + body->count; ++i)
	{
		double off[3];
		plSubtract3(PL_AT(to, i), PL_AT(guess, i), off);
		if (!(4.0 * plDot3(off, off) <= body->spare * body->spare))
			return false;
	}
	return true;
}

bool plNear_StayedSpread(plNear* near, const double* from, const double* guess, const double* to, plPool* pool)
{
	bool all = true;
	for (uint32_t b = 0; b < near->softCount && all; ++b)
	{
		if (!near->bodies[b].isSpread || (guess != NULL && isNearGuess(near->bodies + b, guess, to)))
			continue;
		plSpread_Fit(near->spreads + b, NULL, to, pool);
		all = isProved(near, b, from, to, 0.0);
	}
	return all;
}
