// vertex_state.c: contacts of soft bodies with rigid ones, and attachments, in saved states
//
// A contact is 21 doubles: the body, among those that there are; its kind; the vertex, as the caller names it, or the
// number of the edge or the face; the shape's slot and its part; whether it sticks; normal, lambda, the place that it
// sticks at, shares, kn, kt, depth. They ascend by the first five. Of each attached vertex lambda and k.
#include "world.h"
#include "../base/vec3.h"

#include <math.h>
#include <stdlib.h>

enum
{
	contactNumbers = 21,
	keyNumbers = 5,
	attachedNumbers = 4
};

size_t plWorld_GetVertexBytes(size_t count)
{
	return count * contactNumbers * sizeof(double);
}

static void writeContact(const plVertexKept* kept, size_t body, size_t number, char* out)
{
	double numbers[contactNumbers] = {(double)body, kept->kind, (double)number, kept->shape, kept->part, kept->sticks};
	memcpy(numbers + 6, kept->normal, sizeof kept->normal);
	memcpy(numbers + 9, kept->lambda, sizeof kept->lambda);
	memcpy(numbers + 12, kept->anchor, sizeof kept->anchor);
	memcpy(numbers + 15, kept->shares, sizeof kept->shares);
	numbers[18] = kept->kn;
	numbers[19] = kept->kt;
	numbers[20] = kept->depth;
	memcpy(out, numbers, sizeof numbers);
}

void plWorld_SaveVertexMeets(const plWorld* world, char* out)
{
	const plVertexTouches* t = &world->rigids.vertexTouches;
	size_t number = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		uint32_t slot = plSlots_IndexOf(&world->softs, body);
		for (size_t i = 0; t->keptCount > 0 && i < body->vertexCount; ++i)
			for (size_t k = plVertexTouches_Find(t, slot, pl_featureVertex, body->internalOf[i]);
			     plVertexTouches_IsOf(t, k, slot, body->internalOf[i]); ++k, out += plWorld_GetVertexBytes(1))
				writeContact(t->kept + k, number, i, out);
		for (size_t k = plVertexTouches_Find(t, slot, pl_featureEdge, 0); k < t->keptCount && t->kept[k].body == slot;
		     ++k, out += plWorld_GetVertexBytes(1))
			writeContact(t->kept + k, number, t->kept[k].number, out);
		++number;
	}
}

static bool isWhole(double x, double below)
{
	return x >= 0.0 && x < below && x == floor(x);
}

static const plSoftBody* findBody(const plWorld* world, size_t number)
{
	PL_EACH(const plSoftBody, body, &world->softs)
		if (number-- == 0)
			return body;
	return NULL;
}

// Does the part of the soft body exist, and that of the shape, which moves?
static bool hasPlace(const plWorld* world, const double numbers[contactNumbers])
{
	const plSlots* shapes = &world->rigids.shapes;
	const plSoftBody* body = isWhole(numbers[0], 0x1p32) ? findBody(world, (size_t)numbers[0]) : NULL;
	if (body == NULL || !isWhole(numbers[1], 3.0) || !isWhole(numbers[3], (double)shapes->slotCount) ||
	    !plSlots_IsLive(shapes, (uint32_t)numbers[3]))
		return false;
	plFeature kind = (plFeature)numbers[1];
	const plRigidShape* shape = plSlots_At(shapes, (uint32_t)numbers[3]);
	size_t count = body->vertexCount, parts = 1;
	if (kind != pl_featureVertex)
	{
		plBoxRoom room;
		if (shape->solid.kind != pl_shapeBox && shape->solid.kind != pl_shapeHull)
			return false;
		plPolytope solid = plSolid_GetPolytope(&shape->solid, &room);
		count = plFacets_Count(&world->prepared.facets, plSlots_IndexOf(&world->softs, body), kind);
		parts = kind == pl_featureEdge ? solid.edgeCount : solid.vertexCount;
	}
	const plRigid* rigid = plSlots_At(&world->rigids.bodies, shape->body);
	return isWhole(numbers[2], (double)count) && isWhole(numbers[4], (double)parts) && rigid->motion == pl_rigidDynamic;
}

static bool isSane(const plWorld* world, const double numbers[contactNumbers])
{
	bool fine = isWhole(numbers[5], 2.0);
	for (int i = 0; i < contactNumbers; ++i)
		fine = fine && isfinite(numbers[i]);
	return fine && hasPlace(world, numbers) && numbers[18] >= 0.0 && numbers[19] >= 0.0 &&
	       plDot3(numbers + 6, numbers + 9) > 0.0 && fabs(numbers[15] + numbers[16] + numbers[17] - 1.0) < 1e-9;
}

static int compareKeys(const double* a, const double* b)
{
	for (int i = 0; i < keyNumbers; ++i)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

plResult plWorld_CheckVertexMeets(const plWorld* world, const char* in, size_t count, plError* error)
{
	double last[keyNumbers] = {-1.0};
	for (size_t k = 0; k < count; ++k, in += plWorld_GetVertexBytes(1))
	{
		double numbers[contactNumbers];
		memcpy(numbers, in, sizeof numbers);
		if (!isSane(world, numbers))
			return plFail(error, pl_errorInput, "state: contact %zu of soft bodies with rigid ones makes no sense", k);
		if (compareKeys(last, numbers) >= 0)
			return plFail(error, pl_errorInput,
			              "state: contacts of soft bodies with rigid ones are not in their order");
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
	const plSoftBody* body = findBody(world, (size_t)numbers[0]);
	plVertexKept kept = {.body = plSlots_IndexOf(&world->softs, body),
	                     .kind = (plFeature)numbers[1],
	                     .number = (uint32_t)numbers[2],
	                     .shape = (uint32_t)numbers[3],
	                     .part = (uint32_t)numbers[4],
	                     .sticks = numbers[5] != 0.0,
	                     .kn = numbers[18],
	                     .kt = numbers[19],
	                     .depth = numbers[20]};
	if (kept.kind == pl_featureVertex)
		kept.number = body->internalOf[kept.number];
	memcpy(kept.normal, numbers + 6, sizeof kept.normal);
	memcpy(kept.lambda, numbers + 9, sizeof kept.lambda);
	memcpy(kept.anchor, numbers + 12, sizeof kept.anchor);
	memcpy(kept.shares, numbers + 15, sizeof kept.shares);
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
