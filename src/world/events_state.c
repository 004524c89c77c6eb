// events_state.c: who pushed and who was in a sensor, in saved states
//
// A pair is four doubles: both slots, and of each the generation if the shape is gone, else 0. A shape that is there
// has the generation of the world that loads it.
#include "world.h"

#include <math.h>

enum
{
	pairNumbers = 4
};

size_t plWorld_GetPairBytes(size_t count)
{
	return count * pairNumbers * sizeof(double);
}

static bool isLive(const plWorld* world, plShapeId id)
{
	return plSlots_Get(&world->rigids.shapes, id.index1, id.generation) != NULL;
}

void plWorld_SavePairs(const plWorld* world, const plTouchPairs* pairs, char* out)
{
	for (size_t i = 0; i < pairs->count; ++i, out += plWorld_GetPairBytes(1))
	{
		plShapeId a = pairs->at[i].a, b = pairs->at[i].b;
		const double numbers[pairNumbers] = {a.index1, b.index1, isLive(world, a) ? 0.0 : a.generation,
		                                     isLive(world, b) ? 0.0 : b.generation};
		memcpy(out, numbers, sizeof numbers);
	}
}

static bool isWhole(double x)
{
	return x >= 0.0 && x <= UINT32_MAX && x == floor(x);
}

static bool checkShape(const plWorld* world, double index1, double generation)
{
	const plSlots* shapes = &world->rigids.shapes;
	if (!isWhole(index1) || !isWhole(generation) || index1 == 0.0)
		return false;
	return generation > 0.0 ||
	       (index1 <= (double)shapes->slotCount && shapes->generations[(uint32_t)index1 - 1] % 2 == 1);
}

static plShapeId readShape(const plWorld* world, double index1, double generation)
{
	uint32_t index = (uint32_t)index1;
	return (plShapeId){index, generation > 0.0 ? (uint32_t)generation : world->rigids.shapes.generations[index - 1]};
}

static plTouchPair readPair(const plWorld* world, const double numbers[pairNumbers])
{
	return (plTouchPair){readShape(world, numbers[0], numbers[2]), readShape(world, numbers[1], numbers[3])};
}

plResult plWorld_CheckPairs(const plWorld* world, const char* in, size_t count, plError* error)
{
	plTouchPair last = {0};
	for (size_t i = 0; i < count; ++i, in += plWorld_GetPairBytes(1))
	{
		double numbers[pairNumbers];
		memcpy(numbers, in, sizeof numbers);
		if (!checkShape(world, numbers[0], numbers[2]) || !checkShape(world, numbers[1], numbers[3]))
			return plFail(error, pl_errorInput, "state: pair %zu of shapes makes no sense", i);
		plTouchPair pair = readPair(world, numbers);
		if (i > 0 && plTouchPair_Compare(&last, &pair) >= 0)
			return plFail(error, pl_errorInput, "state: pairs of shapes are not in their order");
		last = pair;
	}
	return pl_success;
}

void plWorld_LoadPairs(plWorld* world, plTouchPairs* pairs, const char* in, size_t count)
{
	pairs->count = count;
	for (size_t i = 0; i < count; ++i, in += plWorld_GetPairBytes(1))
	{
		double numbers[pairNumbers];
		memcpy(numbers, in, sizeof numbers);
		pairs->at[i] = readPair(world, numbers);
	}
}
