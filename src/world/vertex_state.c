// vertex_state.c: contacts of vertices with rigid bodies, and attachments, in saved states
//
// A contact is 15 doubles: the vertex, among those of all bodies in the order of bodies and the caller's; the shape's
// slot; whether it sticks; normal, lambda, the place that it sticks at, kn, kt, depth. Of each attached vertex lambda
// and k.
#include "world.h"
#include "../base/vec3.h"

#include <math.h>
#include <stdlib.h>

enum
{
	contactNumbers = 15,
	attachedNumbers = 4
};

size_t plWorld_GetVertexBytes(size_t count)
{
	return count * contactNumbers * sizeof(double);
}

static void writeContact(const plVertexKept* kept, size_t vertex, char* out)
{
	double numbers[contactNumbers] = {(double)vertex, kept->shape, kept->sticks};
	memcpy(numbers + 3, kept->normal, sizeof kept->normal);
	memcpy(numbers + 6, kept->lambda, sizeof kept->lambda);
	memcpy(numbers + 9, kept->anchor, sizeof kept->anchor);
	numbers[12] = kept->kn;
	numbers[13] = kept->kt;
	numbers[14] = kept->depth;
	memcpy(out, numbers, sizeof numbers);
}

void plWorld_SaveVertexMeets(const plWorld* world, char* out)
{
	const plVertexTouches* t = &world->rigids.vertexTouches;
	size_t before = 0; // vertices of earlier bodies
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		uint32_t slot = plSlots_IndexOf(&world->softs, body);
		for (size_t i = 0; t->keptCount > 0 && i < body->vertexCount; ++i)
			for (size_t k = plVertexTouches_Find(t, slot, body->internalOf[i]);
			     plVertexTouches_IsOf(t, k, slot, body->internalOf[i]); ++k, out += plWorld_GetVertexBytes(1))
				writeContact(t->kept + k, before + i, out);
		before += body->vertexCount;
	}
}

static bool isWhole(double x, double below)
{
	return x >= 0.0 && x < below && x == floor(x);
}

static bool isSane(const plWorld* world, const double numbers[contactNumbers])
{
	const plSlots* shapes = &world->rigids.shapes;
	bool fine = isWhole(numbers[0], (double)world->layout.vertexCount) &&
	            isWhole(numbers[1], (double)shapes->slotCount) && isWhole(numbers[2], 2.0);
	for (int i = 3; i < contactNumbers; ++i)
		fine = fine && isfinite(numbers[i]);
	if (!fine || !plSlots_IsLive(shapes, (uint32_t)numbers[1]) || !(numbers[12] >= 0.0) || !(numbers[13] >= 0.0))
		return false;
	const plRigidShape* shape = plSlots_At(shapes, (uint32_t)numbers[1]);
	const plRigid* rigid = plSlots_At(&world->rigids.bodies, shape->body);
	return rigid->motion == pl_rigidDynamic && plDot3(numbers + 3, numbers + 6) > 0.0;
}

plResult plWorld_CheckVertexMeets(const plWorld* world, const char* in, size_t count, plError* error)
{
	double last[2] = {-1.0, -1.0};
	for (size_t k = 0; k < count; ++k, in += plWorld_GetVertexBytes(1))
	{
		double numbers[contactNumbers];
		memcpy(numbers, in, sizeof numbers);
		if (!isSane(world, numbers))
			return plFail(error, pl_errorInput, "state: contact %zu of vertices with rigid bodies makes no sense", k);
		if (numbers[0] < last[0] || (numbers[0] == last[0] && numbers[1] <= last[1]))
			return plFail(error, pl_errorInput, "state: contacts of vertices with rigid bodies are not in their order");
		memcpy(last, numbers, sizeof last);
	}
	return pl_success;
}

bool plWorld_ReserveVertexMeets(plWorld* world, size_t count)
{
	plVertexTouches* t = &world->rigids.vertexTouches;
	return plGrowArray(&world->heap, &t->kept, &t->keptRoom, count, sizeof *t->kept);
}

static plVertexKept readContact(const plWorld* world, const double numbers[contactNumbers])
{
	plVertexKept kept = {.shape = (uint32_t)numbers[1],
	                     .sticks = numbers[2] != 0.0,
	                     .kn = numbers[12],
	                     .kt = numbers[13],
	                     .depth = numbers[14]};
	size_t vertex = (size_t)numbers[0];
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		if (vertex < body->vertexCount)
		{
			kept.body = plSlots_IndexOf(&world->softs, body);
			kept.vertex = body->internalOf[vertex];
			break;
		}
		vertex -= body->vertexCount;
	}
	memcpy(kept.normal, numbers + 3, sizeof kept.normal);
	memcpy(kept.lambda, numbers + 6, sizeof kept.lambda);
	memcpy(kept.anchor, numbers + 9, sizeof kept.anchor);
	return kept;
}

static int compare(const void* a, const void* b)
{
	return plVertexKept_Compare(a, b);
}

void plWorld_LoadVertexMeets(plWorld* world, const char* in, size_t count)
{
	plVertexTouches* t = &world->rigids.vertexTouches;
	t->keptCount = count;
	for (size_t k = 0; k < count; ++k, in += plWorld_GetVertexBytes(1))
	{
		double numbers[contactNumbers];
		memcpy(numbers, in, sizeof numbers);
		t->kept[k] = readContact(world, numbers);
	}
	if (count > 1)
		qsort(t->kept, count, sizeof *t->kept, compare);
}

// ---- attachments ----------------------------------------------------------------------------------------------------

size_t plWorld_CountAttachedNumbers(const plWorld* world)
{
	return attachedNumbers * plWorld_CountAttached(world);
}

void plWorld_SaveAttached(const plWorld* world, char* out)
{
	PL_EACH(const plAttachments, attached, &world->rigids.attachments)
	{
		size_t bytes = attachedNumbers * attached->count * sizeof(double);
		memcpy(out, attached->numbers, bytes);
		out += bytes;
	}
}

plResult plWorld_CheckAttached(const plWorld* world, const char* in, plError* error)
{
	for (size_t i = 0; i < plWorld_CountAttachedNumbers(world); ++i)
	{
		double number;
		memcpy(&number, in + i * sizeof number, sizeof number);
		if (!isfinite(number) || (i % attachedNumbers == 3 && !(number >= 0.0)))
			return plFail(error, pl_errorInput, "state: attached vertex %zu makes no sense", i / attachedNumbers);
	}
	return pl_success;
}

void plWorld_LoadAttached(plWorld* world, const char* in)
{
	PL_EACH(plAttachments, attached, &world->rigids.attachments)
	{
		size_t bytes = attachedNumbers * attached->count * sizeof(double);
		memcpy(attached->numbers, in, bytes);
		in += bytes;
	}
}
