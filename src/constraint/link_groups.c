// link_groups.c: from contacts to eight of them side by side, and back
#include "contact.h"
#include "../base/vec3.h"

void plLinkGroups_Destroy(plLinkGroups* g, plHeap* heap)
{
	PL_FREE(heap, g->groups, g->groupRoom);
	PL_FREE(heap, g->colourStart, g->colourStartRoom);
	plHeap_Free(heap, g->numbers, g->numberRoom);
	PL_FREE(heap, g->joints, g->jointRoom);
	PL_FREE(heap, g->jointStart, g->jointStartRoom);
	plHeap_Free(heap, g->jointNumbers, g->jointNumberRoom);
	*g = (plLinkGroups){0};
}

// ---- who stands where -----------------------------------------------------------------------------------------------

static const plBodyContact* getContact(const plContacts* c, size_t place)
{
	return c->contacts + (c->links.order[place] - c->joints.count);
}

// The group of contacts that begins at a place among the links, and ends before another.
static plLinkGroup makeGroup(const plContacts* c, size_t place, size_t end)
{
	plLinkGroup group = {.link = place, .count = (uint32_t)(end - place < pl_groupLanes ? end - place : pl_groupLanes)};
	for (uint32_t lane = 0; lane < pl_groupLanes; ++lane)
	{
		const plBodyContact* contact = lane < group.count ? getContact(c, place + lane) : NULL;
		for (int side = 0; side < 2; ++side)
		{
			bool moves = contact != NULL && contact->movers[side] != pl_noMover;
			group.bodies[side][lane] = moves ? contact->movers[side] : (uint32_t)c->moverCount;
			group.follows = group.follows || (moves && c->links.bodies[contact->movers[side]].follows);
		}
		if (contact == NULL)
			continue;
		group.points = contact->count > group.points ? contact->count : group.points;
		group.isDriven = group.isDriven || contact->isDriven;
		group.bounces = group.bounces || contact->restitution > 0.0;
	}
	return group;
}

static size_t countRows(const plLinkGroup* group)
{
	return pl_pairRows + group->points * pl_touchRows;
}

static bool layOut(plContacts* c)
{
	plLinks* l = &c->links;
	plLinkGroups* g = &l->groups;
	size_t most = c->contactCount / pl_groupLanes + l->colourCount + 1, numbers = 0;
	size_t size = g->isFloat ? sizeof(float) : sizeof(double);
	if (!plGrowArray(c->heap, &g->groups, &g->groupRoom, most, sizeof *g->groups) ||
	    !plGrowArray(c->heap, &g->colourStart, &g->colourStartRoom, l->colourCount + 1, sizeof *g->colourStart))
		return false;
	g->groupCount = 0;
	for (size_t k = 0; k < l->colourCount; ++k)
	{
		size_t end = l->start[k + 1];
		g->colourStart[k] = g->groupCount;
		for (size_t place = l->contactStart[k]; place < end; place += pl_groupLanes)
		{
			plLinkGroup* group = g->groups + g->groupCount++;
			*group = makeGroup(c, place, end);
			group->numbers = numbers;
			numbers += pl_groupLanes * countRows(group);
		}
	}
	g->colourStart[l->colourCount] = g->groupCount;
	// room is in bytes: the precision may be another next time
	return plGrowArray(c->heap, &g->numbers, &g->numberRoom, numbers * size, 1);
}

// ---- numbers --------------------------------------------------------------------------------------------------------

PL_INLINE void fillPair(bool isFloat, const plContacts* c, const plLinkGroup* group, size_t lane,
                        const plBodyContact* contact)
{
	const double* n = contact->normal;
	bool alone = contact->movers[0] == pl_noMover || contact->movers[1] == pl_noMover;
	double numbers[pl_pairRows] = {
	    [pl_pairNormal] = n[0],
	    [pl_pairNormal + 1] = n[1],
	    [pl_pairNormal + 2] = n[2],
	    [pl_pairFriction] = contact->friction,
	    [pl_pairSliding] = contact->sliding,
	    [pl_pairSize] = contact->size,
	    [pl_pairRestitution] = contact->restitution,
	    [pl_pairAlone] = alone ? 1.0 : 0.0,
	};
	for (int side = 0; side < 2; ++side)
	{
		double* own = numbers + pl_pairBodies + side * pl_bodyRows;
		if (contact->movers[side] == pl_noMover)
			continue;
		memcpy(own + pl_bodyLightness, c->movers[contact->movers[side]].lightness, 3 * sizeof *own);
		const plLinkBody* body = c->links.bodies + contact->movers[side];
		memcpy(own + pl_bodyInverse, body->follows ? body->first : body->inverse, 6 * sizeof *own);
		own[pl_bodyFollows] = body->follows ? 1.0 : 0.0;
	}
	plNumbers_PutRows(isFloat, c->links.groups.numbers, group->numbers / pl_groupLanes, lane, numbers, pl_pairRows);
}

static size_t rowOfPoint(const plLinkGroup* group, uint32_t point)
{
	return group->numbers / pl_groupLanes + pl_pairRows + point * pl_touchRows;
}

PL_INLINE void fillPoint(bool isFloat, const plContacts* c, size_t row, size_t lane, const plMeet* meet,
                         const plLinkPoint* point)
{
	double numbers[pl_touchRows] = {[pl_touchIsThere] = 1.0,
	                                [pl_touchDepth] = meet->depth,
	                                [pl_touchRests] = meet->rests ? 1.0 : 0.0,
	                                [pl_touchSticks] = meet->sticks ? 1.0 : 0.0};
	memcpy(numbers + pl_touchLever, meet->r, sizeof meet->r);
	memcpy(numbers + pl_touchImpulse, point->impulse, sizeof point->impulse);
	memcpy(numbers + pl_touchSurface, point->surface, sizeof point->surface);
	memcpy(numbers + pl_touchDrift, point->drift, sizeof point->drift);
	plNumbers_PutRows(isFloat, c->links.groups.numbers, row, lane, numbers, pl_touchRows);
}

PL_INLINE void fillGroup(bool isFloat, const plContacts* c, const plLinkGroup* group)
{
	size_t size = isFloat ? sizeof(float) : sizeof(double);
	memset((char*)c->links.groups.numbers + size * group->numbers, 0, size * pl_groupLanes * countRows(group));
	for (uint32_t lane = 0; lane < group->count; ++lane)
	{
		const plBodyContact* contact = getContact(c, group->link + lane);
		fillPair(isFloat, c, group, lane, contact);
		for (uint32_t i = 0; i < contact->count; ++i)
		{
			plMeet meet;
			plLinkPoint point;
			plContacts_PlaceLinkPoint(c, contact, i, &meet, &point);
			fillPoint(isFloat, c, rowOfPoint(group, i), lane, &meet, &point);
		}
	}
}

enum
{
	groupGrain = 4
};

static void fillGroups(size_t begin, size_t end, void* context)
{
	const plContacts* c = context;
	for (size_t k = begin; k < end; ++k)
		if (c->links.groups.isFloat)
			fillGroup(true, c, c->links.groups.groups + k);
		else
			fillGroup(false, c, c->links.groups.groups + k);
}

bool plContacts_LayLinkGroups(plContacts* c, bool isFloat, bool wide, plPool* pool)
{
	plLinkGroups* g = &c->links.groups;
	g->isFloat = isFloat;
	g->wide = plFindLinkKernels(c->rules.link.kind, isFloat, wide);
	g->narrow = plFindLinkKernels(c->rules.link.kind, isFloat, false);
	g->bodies = c->links.bodies;
	g->nobody = c->moverCount;
	if (!layOut(c))
		return false;
	plParallelFor(pool, g->groupCount, groupGrain, fillGroups, c);
	return true;
}

// ---- back -----------------------------------------------------------------------------------------------------------

PL_INLINE void readPoint(bool isFloat, const plLinkGroups* g, size_t row, size_t lane, plMeet* meet, plLinkPoint* point)
{
	double numbers[pl_touchRows];
	for (size_t i = 0; i < pl_touchRows; ++i)
		numbers[i] = plNumbers_Get(isFloat, g->numbers, pl_groupLanes * (row + i) + lane);
	memcpy(point->surface, numbers + pl_touchSurface, sizeof point->surface);
	memcpy(point->impulse, numbers + pl_touchImpulse, sizeof point->impulse);
	memcpy(point->total, numbers + pl_touchTotal, sizeof point->total);
	meet->rests = numbers[pl_touchRests] > 0.0;
	meet->sticks = numbers[pl_touchSticks] > 0.0;
}

PL_INLINE void storeGroup(bool isFloat, plContacts* c, const plLinkGroup* group)
{
	for (uint32_t lane = 0; lane < group->count; ++lane)
	{
		const plBodyContact* contact = getContact(c, group->link + lane);
		plMeet meets[pl_contactPoints];
		for (uint32_t i = 0; i < contact->count; ++i)
		{
			plLinkPoint point;
			readPoint(isFloat, &c->links.groups, rowOfPoint(group, i), lane, meets + i, &point);
			plContacts_EndLinkPoint(c, contact, i, meets + i, &point);
		}
		plContacts_EndOne(c, (size_t)(contact - c->contacts), meets);
	}
}

static void storeGroups(size_t begin, size_t end, void* context)
{
	plContacts* c = context;
	for (size_t k = begin; k < end; ++k)
		if (c->links.groups.isFloat)
			storeGroup(true, c, c->links.groups.groups + k);
		else
			storeGroup(false, c, c->links.groups.groups + k);
}

void plContacts_StoreLinkGroups(plContacts* c, plPool* pool)
{
	plParallelFor(pool, c->links.groups.groupCount, groupGrain, storeGroups, c);
}

void plLinkGroups_Measure(const plLinkGroups* g, double* changes, double* impulses)
{
	for (size_t k = 0; k < g->groupCount; ++k)
		for (uint32_t p = 0; p < g->groups[k].points; ++p)
			for (size_t lane = 0; lane < pl_groupLanes; ++lane)
			{
				size_t at = pl_groupLanes * rowOfPoint(g->groups + k, p) + lane;
				*changes += plNumbers_Get(g->isFloat, g->numbers, at + pl_groupLanes * pl_touchChange);
				for (size_t i = 0; i < 3; ++i)
				{
					double P = plNumbers_Get(g->isFloat, g->numbers, at + pl_groupLanes * (pl_touchImpulse + i));
					*impulses += P * P;
				}
			}
}
