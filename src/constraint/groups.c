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

// The contact of a mover in a slot for faces, with the side in the lowest bit; UINT32_MAX: none.
static uint32_t getFace(const plContacts* c, uint32_t mover, size_t slot)
{
	return slot < countSides(c, mover) ? c->sides[c->sideStart[mover] + slot] : UINT32_MAX;
}

// Sizes of groups and slots; false: no memory
static bool layOut(plGroups* g, const plContacts* c)
{
	size_t mostGroups = c->moverCount / pl_groupLanes + c->colourCount + 1;
	if (!GROW(g, groups, groupRoom, mostGroups) || !GROW(g, colourStart, colourStartRoom, c->colourCount + 1) ||
	    !GROW(g, pointCount, pointCountRoom, c->sideStart[c->moverCount])) // a body of a group fills each of its slots
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
			*group = (plGroup){.body = i,
			                   .bodyCount = (uint32_t)(left < pl_groupLanes ? left : pl_groupLanes),
			                   .faceCount = (uint32_t)countSides(c, g->order[i]),
			                   .face = g->slotCount,
			                   .numbers = numbers,
			                   .points = points};
			for (uint32_t slot = 0; slot < group->faceCount; ++slot)
			{
				uint32_t most = 0;
				for (uint32_t lane = 0; lane < group->bodyCount; ++lane)
				{
					uint32_t side = getFace(c, g->order[i + lane], slot);
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

PL_INLINE void fillBody(bool isFloat, plGroups* g, plGroup* group, size_t lane, const plContacts* c, uint32_t mover)
{
	const plMover* m = c->movers + mover;
	double scale = 1.0 / (c->rules.h * c->rules.h), numbers[pl_groupRows];
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
	plNumbers_PutRows(isFloat, g->bodies, bodyRow(g, group), lane, numbers, pl_groupRows);
	const plJoints* j = &c->joints;
	group->isJoined = group->isJoined || (j->count > 0 && j->sideStart[mover] < j->sideStart[mover + 1]) ||
	                  plVertexMeets_Has(&c->vertices, mover);
}

// A body that is not there: it weighs something, so that its block can be solved.
PL_INLINE void fillNobody(bool isFloat, plGroups* g, const plGroup* group, size_t lane)
{
	double numbers[pl_groupRows] = {
	    [pl_groupMass] = 1.0, [pl_groupInertia] = 1.0, [pl_groupInertia + 1] = 1.0, [pl_groupInertia + 2] = 1.0};
	for (int i = 0; i < 6; ++i)
		numbers[pl_groupFree + i] = 1.0;
	plNumbers_PutRows(isFloat, g->bodies, bodyRow(g, group), lane, numbers, pl_groupRows);
}

// Where a slot's numbers go: its first row, its first record, and how many points it has.
typedef struct Place
{
	size_t row, record;
	uint32_t points;
} Place;

// `begin`: the first point that is not there.
PL_INLINE void fillNoPoints(bool isFloat, plGroups* g, size_t lane, const Place* at, uint32_t begin, size_t dummy)
{
	static const double nowhere[3] = {0.0, 0.0, 0.0};
	for (uint32_t p = begin; p < at->points; ++p)
	{
		plNumbers_PutRows(isFloat, g->slots, at->row + pl_faceRows + p * pl_pointRows, lane, nowhere, 3);
		g->record[at->record + pl_groupLanes * p + lane] = (uint32_t)dummy;
	}
}

PL_INLINE void fillFace(bool isFloat, plGroups* g, const plGroup* group, size_t lane, const Place* at,
                        const plContacts* c, uint32_t code)
{
	const plBodyContact* contact = c->contacts + code / 2;
	uint32_t side = code % 2, self = contact->movers[side], other = contact->movers[1 - side];
	double numbers[pl_faceRows];
	memcpy(numbers + pl_faceNormal, contact->normal, sizeof contact->normal);
	numbers[pl_faceFriction] = contact->friction;
	numbers[pl_faceSliding] = contact->sliding;
	numbers[pl_faceMoment] = contact->moment;
	numbers[pl_faceSign] = side == 0 ? 1.0 : -1.0;
	bool later = other == pl_noMover || (c->colour[other] < c->colour[self] && !plContacts_IsInTree(c, other));
	numbers[pl_faceLater] = later && !c->isMending ? 1.0 : 0.0;
	numbers[pl_faceShare] = 1.0 / (double)contact->count;
	plNumbers_PutRows(isFloat, g->slots, at->row, lane, numbers, pl_faceRows);
	for (uint32_t p = 0; p < contact->count; ++p)
	{
		size_t meet = contact->first + p;
		size_t row = pl_groupLanes * (at->row + pl_faceRows + p * pl_pointRows) + lane;
		for (size_t i = 0; i < 3; ++i)
			plNumbers_Put(isFloat, g->slots, row + pl_groupLanes * i, (double)c->levers[meet].r[side][i]);
		g->record[at->record + pl_groupLanes * p + lane] = (uint32_t)meet;
	}
	fillNoPoints(isFloat, g, lane, at, contact->count, c->meetCount + (size_t)(group - g->groups));
}

PL_INLINE void fillNoFace(bool isFloat, plGroups* g, const plGroup* group, size_t lane, const Place* at,
                          const plContacts* c)
{
	static const double nothing[pl_faceRows] = {0.0};
	plNumbers_PutRows(isFloat, g->slots, at->row, lane, nothing, pl_faceRows);
	fillNoPoints(isFloat, g, lane, at, 0, c->meetCount + (size_t)(group - g->groups));
}

PL_INLINE void fillGroup(bool isFloat, plGroups* g, plGroup* group, const plContacts* c)
{
	for (size_t lane = 0; lane < pl_groupLanes; ++lane)
	{
		bool isThere = lane < group->bodyCount;
		Place at = {.row = group->numbers / pl_groupLanes, .record = group->points};
		uint32_t mover = isThere ? g->order[group->body + lane] : 0;
		if (isThere)
			fillBody(isFloat, g, group, lane, c, mover);
		else
			fillNobody(isFloat, g, group, lane);
		for (uint32_t slot = 0; slot < group->faceCount; ++slot)
		{
			uint32_t code = isThere ? getFace(c, mover, slot) : UINT32_MAX;
			at.points = g->pointCount[group->face + slot];
			if (code != UINT32_MAX)
				fillFace(isFloat, g, group, lane, &at, c, code);
			else
				fillNoFace(isFloat, g, group, lane, &at, c);
			at.row += pl_faceRows + at.points * pl_pointRows;
			at.record += pl_groupLanes * at.points;
		}
	}
}

// kn is below 0 where it slides; at first all points rest.
PL_INLINE void fillRecord(bool isFloat, plGroups* g, size_t k, const plMeet* meet, bool rests)
{
	const double numbers[pl_recordNumbers] = {
	    meet->u[0],      meet->u[1],      meet->u[2],      rests ? meet->kn : -meet->kn,
	    meet->lambda[0], meet->lambda[1], meet->lambda[2], meet->sticks ? meet->kt : -meet->kt};
	for (size_t i = 0; i < pl_recordNumbers; ++i)
		plNumbers_Put(isFloat, g->records, pl_recordNumbers * k + i, numbers[i]);
}

typedef struct Transfer
{
	plGroups* groups;
	plContacts* contacts;
	bool begins;
} Transfer;

static void fillGroups(size_t begin, size_t end, void* context)
{
	const Transfer* t = context;
	for (size_t k = begin; k < end; ++k)
		if (t->groups->isFloat)
			fillGroup(true, t->groups, t->groups->groups + k, t->contacts);
		else
			fillGroup(false, t->groups, t->groups->groups + k, t->contacts);
}

// Meets become records. If they begin they are at hand only: no cache holds all of them.
static void recordRange(size_t begin, size_t end, void* context)
{
	const Transfer* t = context;
	plContacts* c = t->contacts;
	for (size_t k = begin; k < end; ++k)
	{
		plBodyContact* contact = c->contacts + k;
		plMeet room[pl_contactPoints], *meets = t->begins ? room : c->meets + contact->first;
		if (t->begins)
			plContacts_BeginOne(c, contact, meets);
		for (uint32_t p = 0; p < contact->count; ++p)
			if (t->groups->isFloat)
				fillRecord(true, t->groups, contact->first + p, meets + p, true);
			else
				fillRecord(false, t->groups, contact->first + p, meets + p, true);
	}
}

enum
{
	groupGrain = 4,
	contactGrain = 64
};

bool plGroups_Lay(plGroups* g, plContacts* c, bool begins, plPool* pool)
{
	Transfer transfer = {g, c, begins};
	g->contacts = c;
	g->fall = plContactRules_GetFall(&c->rules);
	if (!orderMovers(g, c) || !layOut(g, c))
		return false;
	if (begins)
		plContacts_BeginJoints(c);
	plParallelFor(pool, c->contactCount, contactGrain, recordRange, &transfer);
	plParallelFor(pool, g->groupCount, groupGrain, fillGroups, &transfer);
	size_t dummies = pl_recordNumbers * g->groupCount, size = sizeOf(g);
	if (dummies > 0)
		memset((char*)g->records + pl_recordNumbers * c->meetCount * size, 0, dummies * size);
	return true;
}

// ---- back
// -------------------------------------------------------------------------------------------------------------------

// The meets of a contact, from its records. `scale`: of n.lambda in the bound of friction
PL_INLINE void readMeets(bool isFloat, const plGroups* g, const plContacts* c, size_t k, double scale, plMeet* meets)
{
	const plBodyContact* contact = c->contacts + k;
	for (uint32_t p = 0; p < contact->count; ++p)
	{
		plMeet* meet = meets + p;
		size_t from = pl_recordNumbers * (contact->first + p);
		plContacts_PlaceMeet(c, contact, p, meet);
		for (size_t i = 0; i < 3; ++i)
		{
			meet->u[i] = plNumbers_Get(isFloat, g->records, from + i);
			meet->lambda[i] = plNumbers_Get(isFloat, g->records, from + 4 + i);
		}
		double kn = plNumbers_Get(isFloat, g->records, from + 3), kt = plNumbers_Get(isFloat, g->records, from + 7);
		meet->kn = fabs(kn);
		meet->kt = fabs(kt);
		meet->rests = kn >= 0.0;
		meet->sticks = kt > 0.0;
		meet->N = scale * plMax(plDot3(contact->normal, meet->lambda), 0.0);
	}
}

PL_INLINE void storeContact(bool isFloat, const plGroups* g, plContacts* c, size_t k)
{
	plMeet room[pl_contactPoints], *meets = c->rules.mends ? c->meets + c->contacts[k].first : room;
	readMeets(isFloat, g, c, k, 1.0, meets);
	plContacts_EndOne(c, k, meets);
}

PL_INLINE void storeGroup(bool isFloat, const plGroups* g, const plContacts* c, size_t k)
{
	const plGroup* group = g->groups + k;
	for (size_t lane = 0; lane < group->bodyCount; ++lane)
	{
		uint32_t mover = g->order[group->body + lane];
		for (size_t axis = 0; axis < 6; ++axis)
		{
			double* half = PL_AT(c->zeta, 2 * mover + axis / 3);
			half[axis % 3] = plNumbers_Get(isFloat, g->bodies, pl_groupLanes * (k * pl_groupRows + axis) + lane);
		}
	}
}

static void storeGroups(size_t begin, size_t end, void* context)
{
	const Transfer* t = context;
	for (size_t k = begin; k < end; ++k)
		if (t->groups->isFloat)
			storeGroup(true, t->groups, t->contacts, k);
		else
			storeGroup(false, t->groups, t->contacts, k);
}

static void storeContacts(size_t begin, size_t end, void* context)
{
	const Transfer* t = context;
	for (size_t k = begin; k < end; ++k)
		if (t->groups->isFloat)
			storeContact(true, t->groups, t->contacts, k);
		else
			storeContact(false, t->groups, t->contacts, k);
}

void plGroups_Store(plGroups* g, plContacts* c, plPool* pool)
{
	Transfer transfer = {g, c, false};
	plParallelFor(pool, g->groupCount, groupGrain, storeGroups, &transfer);
	plParallelFor(pool, c->contactCount, contactGrain, storeContacts, &transfer);
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

// Trees of joints go by meets: of the contacts that they have, these follow the records, and the records them.
static void sweepTrees(plGroups* g, double scale, plPool* pool)
{
	plContacts* c = g->contacts;
	const plJointTree* t = &c->joints.tree;
	for (size_t i = 0; i < t->contactCount; ++i)
	{
		plMeet* meets = c->meets + c->contacts[t->contacts[i]].first;
		if (g->isFloat)
			readMeets(true, g, c, t->contacts[i], scale, meets);
		else
			readMeets(false, g, c, t->contacts[i], scale, meets);
	}
	plContacts_SolveTrees(c, pool);
	if (!c->isMending)
		plContacts_Update(c, t->contacts, t->contactCount);
	for (size_t i = 0; i < t->contactCount; ++i)
		for (uint32_t p = 0; p < c->contacts[t->contacts[i]].count; ++p)
		{
			size_t k = c->contacts[t->contacts[i]].first + p;
			if (g->isFloat)
				fillRecord(true, g, k, c->meets + k, c->meets[k].rests);
			else
				fillRecord(false, g, k, c->meets + k, c->meets[k].rests);
		}
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
	if (plContacts_MovesTrees(c))
		sweepTrees(g, scale, pool);
	plContacts_UpdateJoints(g->contacts, pool);
	g->contacts->sweepCount++;
	g->contacts->isMeasured = false;
}
