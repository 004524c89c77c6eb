// springs.c: springs between vertices, and between vertices and fixed points; the arithmetic is in energy/spring.c
#include "world.h"

#include <math.h>

plSpringsDef plDefaultSpringsDef(void)
{
	return (plSpringsDef){.stiffness = 100.0, .rest = -1.0, .cookie = PL_COOKIE(plSpringsDef)};
}

void plSprings_Free(plSprings* springs, plHeap* heap)
{
	PL_FREE(heap, springs->vertices, 2 * springs->count);
	PL_FREE(heap, springs->points, 3 * springs->count);
	PL_FREE(heap, springs->rest, springs->count);
	plName_Free(springs->name, heap);
	*springs = (plSprings){0};
}

static plResult checkPairs(const plWorld* world, const plSpringsDef* def, plError* error)
{
	bool toPoints = PL_IS_NULL(def->b);
	size_t countA = plWorld_GetSoftBody(world, def->a)->vertexCount;
	size_t countB = toPoints ? def->pointCount : plWorld_GetSoftBody(world, def->b)->vertexCount;
	bool sameBody = def->a.index1 == def->b.index1;
	if (def->pairs == NULL)
		return plFailAt(error, "pairs", "springs: %zu pairs are promised, the array is NULL", def->count);
	if (toPoints && def->pointCount > 0 && def->points == NULL)
		return plFailAt(error, "points", "springs: %zu points are promised, the array is NULL", def->pointCount);
	for (size_t i = 0; i < def->count; ++i)
	{
		uint32_t a = def->pairs[2 * i], b = def->pairs[2 * i + 1];
		if (a >= countA)
			return plFailAt(error, "pairs", "spring %zu: vertex %u does not exist, the body has %zu", i, a, countA);
		if (b >= countB)
			return plFailAt(error, "pairs", "spring %zu: %s %u does not exist, there are %zu", i,
			                toPoints ? "point" : "vertex", b, countB);
		if (sameBody && a == b)
			return plFailAt(error, "pairs", "spring %zu: both of its ends are vertex %u", i, a);
		for (size_t k = 0; toPoints && k < 3; ++k)
			if (!isfinite(def->points[3 * (size_t)b + k]))
				return plFailAt(error, "points", "spring %zu: point %u is not finite", i, b);
	}
	return pl_success;
}

plResult plSpringsDef_Check(const plSpringsDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plSpringsDef), "a plSpringsDef starts as plDefaultSpringsDef()");
	if (def->count == 0)
		return plFailAt(error, "count", "springs: there is no pair");
	if (!(def->stiffness > 0.0) || !isfinite(def->stiffness))
		return plFailAt(error, "stiffness", "springs: stiffness is %g N/m, it must be above 0", def->stiffness);
	if (!isfinite(def->rest))
		return plFailAt(error, "rest", "springs: the rest length is not finite");
	return plName_Check(def->name, pl_thingSprings, error);
}

static plResult checkDef(const plWorld* world, const plSpringsDef* def, plError* error)
{
	plResult result = plWorld_CheckSoft(world, "springs", "a", def->a, error);
	if (result == pl_success && PL_IS_NON_NULL(def->b))
		result = plWorld_CheckSoft(world, "springs", "b", def->b, error);
	if (result == pl_success)
		result = plSpringsDef_Check(def, error);
	if (result == pl_success)
		result = plWorld_CheckName(world, def->name, pl_thingSprings, error);
	return result < 0 ? result : checkPairs(world, def, error);
}

static const double* positionOf(const plWorld* world, uint32_t body, uint32_t vertex)
{
	const plSoftBody* b = plSlots_At(&world->softs, body);
	return PL_AT(world->q, b->vertexStart + b->internalOf[vertex]);
}

static void fill(const plWorld* world, plSprings* springs, const plSpringsDef* def)
{
	memcpy(springs->vertices, def->pairs, 2 * springs->count * sizeof(uint32_t));
	for (size_t i = 0; i < springs->count; ++i)
	{
		uint32_t end = springs->vertices[2 * i + 1];
		if (springs->toPoints)
			memcpy(springs->points + 3 * i, def->points + 3 * (size_t)end, 3 * sizeof(double));
		const double* x = positionOf(world, springs->a, springs->vertices[2 * i]);
		const double* y = springs->toPoints ? springs->points + 3 * i : positionOf(world, springs->b, end);
		double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
		springs->rest[i] = def->rest >= 0.0 ? def->rest : sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
	}
}

plSpringsId plCreateSprings(plWorld* world, const plSpringsDef* def, plError* error)
{
	plSpringsId null = {0, 0};
	if (checkDef(world, def, error) < 0)
		return null;
	plHeap* heap = &world->heap;
	bool toPoints = PL_IS_NULL(def->b);
	plSprings springs = {.toPoints = toPoints,
	                     .a = def->a.index1 - 1,
	                     .b = (toPoints ? def->a.index1 : def->b.index1) - 1,
	                     .count = def->count,
	                     .vertices = PL_NEW(heap, uint32_t, 2 * def->count),
	                     .points = toPoints ? PL_NEW(heap, double, 3 * def->count) : NULL,
	                     .rest = PL_NEW(heap, double, def->count),
	                     .stiffness = def->stiffness};
	bool named = plName_Copy(&springs.name, def->name, heap);
	if (!named || !springs.vertices || !springs.rest || (toPoints && !springs.points) ||
	    !plSlots_Reserve(&world->springs))
	{
		plSprings_Free(&springs, heap);
		plFail(error, pl_errorMemory, "not enough memory for %zu springs", def->count);
		return null;
	}
	fill(world, &springs, def);
	plWorld_ChangeTerms(world, pl_changeSprings);
	plSlotId id = plSlots_Add(&world->springs, &springs);
	return (plSpringsId){id.index1, id.generation};
}

void plDestroySprings(plWorld* world, plSpringsId id)
{
	plSprings* springs = plSlots_Get(&world->springs, id.index1, id.generation);
	PL_ASSERT(springs != NULL, "the springs exist in this world");
	plWorld_ChangeTerms(world, pl_changeSprings);
	plSprings_Free(springs, &world->heap);
	plSlots_Remove(&world->springs, springs);
}
