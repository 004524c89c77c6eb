// groups.c: from contacts to eight bodies side by side, and back
#include "groups.h"
#include "../base/vec3.h"

#include <stdlib.h>

void plGroups_Init(plGroups* g, plHeap* heap, bool isFloat)
{
	*g = (plGroups){.heap = heap, .isFloat = isFloat};
}

static size_t sizeOf(const plGroups* g)
{
	return g->isFloat ? sizeof(float) : sizeof(double);
}

void plGroups_Destroy(plGroups* g)
{
	PL_FREE(g->heap, g->order, g->orderRoom);
	PL_FREE(g->heap, g->groups, g->groupRoom);
	PL_FREE(g->heap, g->colourStart, g->colourStartRoom);
	PL_FREE(g->heap, g->pointCount, g->pointCountRoom);
	PL_FREE(g->heap, g->record, g->recordRoom);
	plHeap_Free(g->heap, g->bodies, g->bodiesRoom * sizeOf(g));
	plHeap_Free(g->heap, g->slots, g->slotsRoom * sizeOf(g));
	plHeap_Free(g->heap, g->records, g->recordsRoom * sizeOf(g));
	plGroups_Init(g, g->heap, g->isFloat);
}

#define GROW(g, array, room, count) plGrowArray((g)->heap, &(g)->array, &(g)->room, count, sizeof *(g)->array)
#define GROW_NUMBERS(g, array, room, count) plGrowArray((g)->heap, &(g)->array, &(g)->room, count, sizeOf(g))

static void put(const plGroups* g, void* numbers, size_t place, double value)
{
	if (g->isFloat)
		((float*)numbers)[place] = (float)value;
	else
		((double*)numbers)[place] = value;
}

static double get(const plGroups* g, const void* numbers, size_t place)
{
	return g->isFloat ? (double)((const float*)numbers)[place] : ((const double*)numbers)[place];
}

static void putRow(const plGroups* g, void* numbers, size_t row, size_t lane, const double* values, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		put(g, numbers, pl_groupLanes * (row + i) + lane, values[i]);
}

// ---- who stands where
// ---------------------------------------------------------------------------------------------------

static size_t countSides(const plContacts* c, uint32_t mover)
{
	return c->sideStart[mover + 1] - c->sideStart[mover];
}

// Movers of a colour by their number of contacts, most first; by their own number where that is equal. Counting sort.
static bool orderMovers(plGroups* g, const plContacts* c)
{
	if (!GROW(g, order, orderRoom, c->moverCount))
		return false;
	for (size_t k = 0; k < c->colourCount; ++k)
	{
		size_t begin = c->colourStart[k], end = c->colourStart[k + 1], out = begin, most = 0, next;
		for (size_t i = begin; i < end; ++i)
			most = countSides(c, c->order[i]) > most ? countSides(c, c->order[i]) : most;
		for (size_t count = most; out < end; count = next)
		{
			next = 0;
			for (size_t i = begin; i < end; ++i)
			{
				size_t sides = countSides(c, c->order[i]);
				if (sides == count)
					g->order[out++] = c->order[i];
				else if (sides < count && sides > next)
					next = sides;
			}
		}
	}
	return true;
}

// The contacts of a mover that make its face slots: those with most points first.
static uint32_t findFace(const plContacts* c, uint32_t mover, size_t slot)
{
	for (uint32_t points = pl_contactPoints; points > 0; --points)
		for (size_t s = c->sideStart[mover]; s < c->sideStart[mover + 1]; ++s)
			if (c->contacts[c->sides[s] / 2].count == points && slot-- == 0)
				return c->sides[s];
	return UINT32_MAX;
}

// Sizes of groups and slots; false: no memory
static bool layOut(plGroups* g, const plContacts* c)
{
	size_t mostGroups = c->moverCount / pl_groupLanes + c->colourCount + 1;
	if (!GROW(g, groups, groupRoom, mostGroups) || !GROW(g, colourStart, colourStartRoom, c->colourCount + 1))
		return false;
	size_t numbers = 0, points = 0;
	g->groupCount = g->slotCount = 0;
	for (size_t k = 0; k < c->colourCount; ++k)
	{
		g->colourStart[k] = g->groupCount;
		for (size_t i = c->colourStart[k]; i < c->colourStart[k + 1]; i += pl_groupLanes)
		{
			size_t left = c->colourStart[k + 1] - i;
			plGroup* group = g->groups + g->groupCount++;
			*group = (plGroup){.bodyCount = (uint32_t)(left < pl_groupLanes ? left : pl_groupLanes),
			                   .faceCount = (uint32_t)countSides(c, g->order[i]),
			                   .face = g->slotCount,
			                   .numbers = numbers,
			                   .points = points};
			if (!GROW(g, pointCount, pointCountRoom, g->slotCount + group->faceCount))
				return false;
			for (uint32_t slot = 0; slot < group->faceCount; ++slot)
			{
				uint32_t most = 0;
				for (uint32_t lane = 0; lane < group->bodyCount; ++lane)
				{
					uint32_t side = findFace(c, g->order[i + lane], slot);
					uint32_t count = side != UINT32_MAX ? c->contacts[side / 2].count : 0;
					most = count > most ? count : most;
				}
				g->pointCount[g->slotCount++] = (uint8_t)most;
				numbers += pl_groupLanes * (pl_faceRows + most * pl_pointRows);
				points += pl_groupLanes * most;
			}
		}
	}
	g->colourStart[c->colourCount] = g->groupCount;
	g->recordCount = c->meetCount + g->groupCount;
	return GROW(g, record, recordRoom, points) && GROW_NUMBERS(g, slots, slotsRoom, numbers) &&
	       GROW_NUMBERS(g, bodies, bodiesRoom, g->groupCount * pl_groupRows * pl_groupLanes) &&
	       GROW_NUMBERS(g, records, recordsRoom, g->recordCount * pl_recordNumbers);
}

// ---- numbers
// --------------------------------------------------------------------------------------------------------------

static size_t bodyRow(const plGroups* g, const plGroup* group)
{
	return (size_t)(group - g->groups) * pl_groupRows;
}

static void fillBody(plGroups* g, plGroup* group, size_t lane, const plContacts* c, uint32_t mover)
{
	const plMover* m = c->movers + mover;
	double scale = 1.0 / (c->rules.h * c->rules.h), numbers[pl_groupRows] = {0};
	memcpy(numbers + pl_groupZeta, PL_AT(c->zeta, 2 * mover), 3 * sizeof(double));
	memcpy(numbers + pl_groupZeta + 3, PL_AT(c->zeta, 2 * mover + 1), 3 * sizeof(double));
	numbers[pl_groupMass] = scale * m->mass;
	for (int i = 0; i < 6; ++i)
	{
		bool locked = m->locked[i / 3] & 1u << i % 3;
		numbers[pl_groupInertia + i] = scale * m->inertia[i];
		numbers[pl_groupFree + i] = locked ? 0.0 : 1.0;
		group->isLocked = group->isLocked || locked;
	}
	putRow(g, g->bodies, bodyRow(g, group), lane, numbers, pl_groupRows);
}

// A body that is not there: it weighs something, so that its block can be solved.
static void fillNobody(plGroups* g, const plGroup* group, size_t lane)
{
	double numbers[pl_groupRows] = {
	    [pl_groupMass] = 1.0, [pl_groupInertia] = 1.0, [pl_groupInertia + 1] = 1.0, [pl_groupInertia + 2] = 1.0};
	for (int i = 0; i < 6; ++i)
		numbers[pl_groupFree + i] = 1.0;
	putRow(g, g->bodies, bodyRow(g, group), lane, numbers, pl_groupRows);
}

// `row` is where the face's rows begin, `place` where the numbers of its records do.
static void fillFace(plGroups* g, const plGroup* group, size_t lane, size_t row, size_t place, uint32_t points,
                     const plContacts* c, uint32_t code)
{
	const plBodyContact* contact = code != UINT32_MAX ? c->contacts + code / 2 : NULL;
	double numbers[pl_faceRows] = {0};
	int side = (int)(code % 2);
	if (contact != NULL)
	{
		uint32_t self = contact->movers[side], other = contact->movers[1 - side];
		memcpy(numbers + pl_faceNormal, contact->normal, sizeof contact->normal);
		numbers[pl_faceFriction] = contact->friction;
		numbers[pl_faceSliding] = contact->sliding;
		numbers[pl_faceMoment] = contact->moment;
		numbers[pl_faceSign] = side == 0 ? 1.0 : -1.0;
		bool later = other == pl_noMover || c->colour[other] < c->colour[self];
		numbers[pl_faceLater] = later && !c->isMending ? 1.0 : 0.0;
		numbers[pl_faceShare] = 1.0 / (double)contact->count;
	}
	putRow(g, g->slots, row, lane, numbers, pl_faceRows);
	for (uint32_t p = 0; p < points; ++p)
	{
		static const double nowhere[3] = {0.0, 0.0, 0.0};
		bool isThere = contact != NULL && p < contact->count;
		size_t meet = isThere ? contact->first + p : c->meetCount + (size_t)(group - g->groups);
		putRow(g, g->slots, row + pl_faceRows + p * pl_pointRows, lane, isThere ? c->meets[meet].r[side] : nowhere, 3);
		g->record[place + pl_groupLanes * p + lane] = (uint32_t)meet;
	}
}

static void fillGroup(plGroups* g, plGroup* group, const plContacts* c, const uint32_t* movers)
{
	for (size_t lane = 0; lane < pl_groupLanes; ++lane)
	{
		bool isThere = lane < group->bodyCount;
		size_t row = group->numbers / pl_groupLanes, place = group->points;
		if (isThere)
			fillBody(g, group, lane, c, movers[lane]);
		else
			fillNobody(g, group, lane);
		for (uint32_t slot = 0; slot < group->faceCount; ++slot)
		{
			uint32_t points = g->pointCount[group->face + slot];
			uint32_t code = isThere ? findFace(c, movers[lane], slot) : UINT32_MAX;
			fillFace(g, group, lane, row, place, points, c, code);
			row += pl_faceRows + points * pl_pointRows;
			place += pl_groupLanes * points;
		}
	}
}

static void fillRecords(plGroups* g, const plContacts* c)
{
	for (size_t k = 0; k < c->meetCount; ++k)
	{
		const plMeet* meet = c->meets + k;
		const double numbers[pl_recordNumbers] = {
		    meet->u[0],      meet->u[1],      meet->u[2],      meet->kn,
		    meet->lambda[0], meet->lambda[1], meet->lambda[2], meet->sticks ? meet->kt : -meet->kt};
		for (size_t i = 0; i < pl_recordNumbers; ++i)
			put(g, g->records, pl_recordNumbers * k + i, numbers[i]);
	}
	for (size_t i = pl_recordNumbers * c->meetCount; i < pl_recordNumbers * g->recordCount; ++i)
		put(g, g->records, i, 0.0);
}

bool plGroups_Fill(plGroups* g, const plContacts* c)
{
	g->fall = plContactRules_GetFall(&c->rules);
	if (!orderMovers(g, c) || !layOut(g, c))
		return false;
	for (size_t k = 0; k < c->colourCount; ++k)
		for (size_t group = g->colourStart[k], i = c->colourStart[k]; group < g->colourStart[k + 1];
		     ++group, i += pl_groupLanes)
			fillGroup(g, g->groups + group, c, g->order + i);
	fillRecords(g, c);
	return true;
}

void plGroups_Store(const plGroups* g, plContacts* c)
{
	for (size_t k = 0; k < c->colourCount; ++k)
		for (size_t i = c->colourStart[k]; i < c->colourStart[k + 1]; ++i)
		{
			size_t place = i - c->colourStart[k], group = g->colourStart[k] + place / pl_groupLanes;
			for (size_t axis = 0; axis < 6; ++axis)
				PL_AT(c->zeta, 2 * g->order[i] + axis / 3)
			[axis % 3] = get(g, g->bodies, pl_groupLanes * (group * pl_groupRows + axis) + place % pl_groupLanes);
		}
	for (size_t k = 0; k < c->meetCount; ++k)
	{
		plMeet* meet = c->meets + k;
		size_t from = pl_recordNumbers * k;
		for (size_t i = 0; i < 3; ++i)
		{
			meet->u[i] = get(g, g->records, from + i);
			meet->lambda[i] = get(g, g->records, from + 4 + i);
		}
		meet->rests = get(g, g->records, from + 3) >= 0.0;
		meet->sticks = get(g, g->records, from + 7) > 0.0;
	}
	for (size_t k = 0; k < c->contactCount; ++k)
		for (uint32_t i = 0; i < c->contacts[k].count; ++i)
		{
			plMeet* meet = c->meets + c->contacts[k].first + i;
			meet->N = fmax(plDot3(c->contacts[k].normal, meet->lambda), 0.0);
		}
}

// ---- the sweep
// --------------------------------------------------------------------------------------------------------------

typedef struct Sweep
{
	plGroups* groups;
	const plGroupKernels* kernels;
	size_t first;
	double scale;
} Sweep;

static void sweepRange(size_t begin, size_t end, void* context)
{
	const Sweep* s = context;
	s->kernels->sweep(s->groups, s->first + begin, s->first + end, s->scale);
}

void plGroups_Sweep(plGroups* g, const plContacts* c, const plGroupKernels* kernels, plPool* pool, bool first)
{
	enum
	{
		grain = 2
	};
	double scale = first ? 1.0 / (c->rules.alpha * c->rules.gamma) : 1.0;
	for (size_t k = 0; k < c->colourCount; ++k)
	{
		Sweep sweep = {g, kernels, g->colourStart[k], scale};
		plParallelFor(pool, g->colourStart[k + 1] - g->colourStart[k], grain, sweepRange, &sweep);
	}
}
