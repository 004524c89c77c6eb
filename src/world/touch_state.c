// touch_state.c: contacts of rigid bodies in saved states
//
// A contact is 71 doubles: both shapes, part, number of points, normal; and of each of four points feature, age,
// whether it sticks (1) and rests (2), lambda, the places that it sticks at on either body, kn, kt, the force without
// blows, depth.
#include "world.h"
#include "../base/vec3.h"

#include <math.h>

enum
{
	pointNumbers = 16,
	headNumbers = 7,
	touchNumbers = headNumbers + pl_contactPoints * pointNumbers,
};

size_t plWorld_GetTouchBytes(size_t count)
{
	return count * touchNumbers * sizeof(double);
}

static void writePoint(const plContactPoint* point, double out[pointNumbers])
{
	out[0] = point->feature;
	out[1] = point->age;
	out[2] = point->sticks + 2 * point->rests;
	plWiden3(point->lambda, out + 3);
	plWiden3(point->anchor[0], out + 6);
	plWiden3(point->anchor[1], out + 9);
	out[12] = (double)point->kn;
	out[13] = (double)point->kt;
	out[14] = (double)point->calm;
	out[15] = (double)point->depth;
}

static plContactPoint readPoint(const double in[pointNumbers])
{
	unsigned flags = (unsigned)in[2];
	plContactPoint point = {.feature = (uint32_t)in[0],
	                        .age = (uint32_t)in[1],
	                        .sticks = (flags & 1) != 0,
	                        .rests = (flags & 2) != 0,
	                        .kn = (float)in[12],
	                        .kt = (float)in[13],
	                        .calm = (float)in[14],
	                        .depth = (float)in[15]};
	plNarrow3(in + 3, point.lambda);
	plNarrow3(in + 6, point.anchor[0]);
	plNarrow3(in + 9, point.anchor[1]);
	return point;
}

void plWorld_SaveTouches(const plWorld* world, char* out)
{
	const plTouches* t = &world->rigids.touches;
	for (size_t k = 0; k < t->keptCount; ++k, out += plWorld_GetTouchBytes(1))
	{
		const plContactKept* kept = t->kept + k;
		double numbers[touchNumbers] = {kept->shapes[0], kept->shapes[1], kept->part, kept->count};
		memcpy(numbers + 4, kept->normal, sizeof kept->normal);
		for (uint32_t i = 0; i < kept->count; ++i)
			writePoint(kept->points + i, numbers + headNumbers + i * pointNumbers);
		memcpy(out, numbers, sizeof numbers);
	}
}

static plContactKept readTouch(const double numbers[touchNumbers])
{
	plContactKept kept = {.shapes = {(uint32_t)numbers[0], (uint32_t)numbers[1]},
	                      .part = (uint32_t)numbers[2],
	                      .count = (uint32_t)numbers[3],
	                      .normal = {numbers[4], numbers[5], numbers[6]}};
	for (uint32_t i = 0; i < kept.count; ++i)
	{
		kept.points[i] = readPoint(numbers + headNumbers + i * pointNumbers);
		double lambda[3];
		plWiden3(kept.points[i].lambda, lambda);
		kept.pushes = kept.pushes || plDot3(kept.normal, lambda) > 0.0;
	}
	return kept;
}

static bool isWhole(double x, double most)
{
	return x >= 0.0 && x <= most && x == floor(x);
}

// A slot with a shape in it.
static bool isShape(const plWorld* world, double slot)
{
	const plSlots* shapes = &world->rigids.shapes;
	return isWhole(slot, UINT32_MAX) && slot < (double)shapes->slotCount &&
	       shapes->generations[(uint32_t)slot] % 2 == 1;
}

static bool checkTouch(const plWorld* world, const double numbers[touchNumbers])
{
	bool fine = isShape(world, numbers[0]) && isShape(world, numbers[1]) && numbers[0] != numbers[1] &&
	            isWhole(numbers[2], UINT32_MAX) && isWhole(numbers[3], pl_contactPoints);
	for (int i = 4; i < touchNumbers; ++i)
		fine = fine && isfinite(numbers[i]);
	for (int i = 0; fine && i < (int)numbers[3]; ++i)
	{
		const double* point = numbers + headNumbers + i * pointNumbers;
		fine = isWhole(point[0], UINT32_MAX) && isWhole(point[1], UINT32_MAX) && isWhole(point[2], 3.0) &&
		       point[12] >= 0.0 && point[13] >= 0.0 && point[14] >= 0.0;
	}
	return fine;
}

plResult plWorld_CheckTouches(const plWorld* world, const char* in, size_t count, plError* error)
{
	plContactKept last;
	for (size_t k = 0; k < count; ++k, in += plWorld_GetTouchBytes(1))
	{
		double numbers[touchNumbers];
		memcpy(numbers, in, sizeof numbers);
		if (!checkTouch(world, numbers))
			return plFail(error, pl_errorInput, "state: contact %zu of rigid bodies makes no sense", k);
		plContactKept kept = readTouch(numbers);
		if (k > 0 && plContactKept_Compare(&last, &kept) >= 0)
			return plFail(error, pl_errorInput, "state: contacts of rigid bodies are not in their order");
		last = kept;
	}
	return pl_success;
}

bool plWorld_ReserveTouches(plWorld* world, size_t count)
{
	plTouches* t = &world->rigids.touches;
	return plGrowArray(&world->heap, &t->kept, &t->keptRoom, count, sizeof *t->kept);
}

void plWorld_LoadTouches(plWorld* world, const char* in, size_t count)
{
	plTouches* t = &world->rigids.touches;
	t->keptCount = count;
	t->placed = false;
	for (size_t k = 0; k < count; ++k, in += plWorld_GetTouchBytes(1))
	{
		double numbers[touchNumbers];
		memcpy(numbers, in, sizeof numbers);
		t->kept[k] = readTouch(numbers);
	}
}
