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

bool plNear_MayBeSpread(const plNear* near, uint32_t body)
{
	return body < near->softCount && near->spreads[body].nodeCount > 0;
}

static bool areProved(const plNear* near, const double* from, const double* to, double spare)
{
	bool all = true;
	for (uint32_t b = 0; b < near->softCount && all; ++b)
		all = !near->meetsItself[b] ||
		      plSpread_IsProved(near->spreads + b, from, to, leastApart * near->radius, near->radius + spare);
	return all;
}

static void fit(plNear* near, const double* from, const double* to, plPool* pool)
{
	for (uint32_t b = 0; b < near->softCount; ++b)
		if (near->meetsItself[b])
			plSpread_Fit(near->spreads + b, from, to, pool);
}

bool plNear_WillBeSpread(plNear* near, const double* from, const double* guess, plPool* pool)
{
	fit(near, from, guess, pool);
	near->spare = wide * near->radius;
	if (areProved(near, from, guess, near->spare))
		return true;
	near->spare = narrow * near->radius;
	return areProved(near, from, guess, near->spare);
}

// No vertex is farther from the guess than half of what was spare.
static bool isNearGuess(const plNear* near, const double* guess, const double* to)
{
	for (size_t i = 0; i < near->vertexCount; ++i)
	{
		double off[3];
		plSubtract3(PL_AT(to, i), PL_AT(guess, i), off);
		if (!(4.0 * plDot3(off, off) <= near->spare * near->spare))
			return false;
	}
	return true;
}

bool plNear_StayedSpread(plNear* near, const double* from, const double* guess, const double* to, plPool* pool)
{
	if (isNearGuess(near, guess, to))
		return true;
	fit(near, NULL, to, pool);
	return areProved(near, from, to, 0.0);
}
