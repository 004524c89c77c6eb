// near_spread.c: cloth that is so flat that it cannot meet itself (collide/spread.h)
//
// Pairs of one body that are nearer than 1.5 r where it was made do not push (near.c), so those that do are as far from
// each other in the chart.
#include "world.h"

static const double leastApart = 1.5 * 0.999; // of the radius, in the chart, which is flat to a millionth

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

bool plNear_AreSpread(plNear* near, const double* from, const double* to, double margin, plPool* pool)
{
	for (uint32_t b = 0; b < near->softCount; ++b)
	{
		plSpread* spread = near->spreads + b;
		if (!near->meetsItself[b])
			continue;
		if (!plNear_MayBeSpread(near, b))
			return false;
		plSpread_Fit(spread, 0, from, pool);
		plSpread_Fit(spread, 1, to, pool);
		if (!plSpread_IsProved(spread, from, to, leastApart * near->radius, near->radius + margin))
			return false;
	}
	return true;
}
