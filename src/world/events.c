// events.c: what begins, ends, hits, enters and leaves in a step
//
//   begin  = pushing - pushed      end   = pushed - pushing       pushing: pairs of shapes of this step
//   enter  = sensing - sensed      leave = sensed - sensing       pushed:  those of the last one
//   hit    = those of begin that came fast
//
// All lists are sorted, so differences are one walk through both. Substeps add what pushes in them. Memory is reserved
// before a substep is solved: a step that was solved does not fail.
#include "world.h"
#include "../base/rotation.h"
#include "../base/vec3.h"
#include "../collide/solid_query.h"

#include <stdlib.h>

void plTouchEvents_Init(plTouchEvents* events)
{
	*events = (plTouchEvents){.hitSpeed = 1.0};
}

void plTouchEvents_Destroy(plTouchEvents* e, plHeap* heap)
{
	plTouchPairs* lists[] = {&e->pushed, &e->sensed, &e->pushing, &e->sensing, &e->merged};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
		PL_FREE(heap, lists[i]->at, lists[i]->room);
	PL_FREE(heap, e->found, e->foundRoom);
	PL_FREE(heap, e->begin, e->beginRoom);
	PL_FREE(heap, e->end, e->endRoom);
	PL_FREE(heap, e->hit, e->hitRoom);
	PL_FREE(heap, e->enter, e->enterRoom);
	PL_FREE(heap, e->leave, e->leaveRoom);
	plTouchEvents_Init(e);
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

int plTouchPair_Compare(const plTouchPair* x, const plTouchPair* y)
{
	const plTouchPair* pairs[2] = {x, y};
	uint32_t keys[2][4];
	for (int k = 0; k < 2; ++k)
	{
		bool swap = pairs[k]->a.index1 > pairs[k]->b.index1;
		plShapeId low = swap ? pairs[k]->b : pairs[k]->a, high = swap ? pairs[k]->a : pairs[k]->b;
		const uint32_t key[4] = {low.index1, high.index1, low.generation, high.generation};
		memcpy(keys[k], key, sizeof key);
	}
	for (int i = 0; i < 4; ++i)
		if (keys[0][i] != keys[1][i])
			return keys[0][i] < keys[1][i] ? -1 : 1;
	return 0;
}

static const plRigidShape* shapeAt(const plWorld* world, uint32_t slot)
{
	return plSlots_At(&world->rigids.shapes, slot);
}

static plTouchPair pairOf(const plWorld* world, const plContactKept* kept)
{
	bool swap = kept->shapes[0] > kept->shapes[1];
	return (plTouchPair){plRigids_GetShapeId(&world->rigids, kept->shapes[swap]),
	                     plRigids_GetShapeId(&world->rigids, kept->shapes[!swap])};
}

static bool isSensed(const plWorld* world, const plBroadPair* pair)
{
	return shapeAt(world, pair->a)->sensor || shapeAt(world, pair->b)->sensor;
}

// Calls for every pair of `list` that is not in `without`.
typedef void PairFcn(plTouchEvents* events, const plTouchPair* pair);
static void subtract(plTouchEvents* events, const plTouchPairs* list, const plTouchPairs* without, PairFcn* visit)
{
	size_t w = 0;
	for (size_t i = 0; i < list->count; ++i)
	{
		while (w < without->count && plTouchPair_Compare(without->at + w, list->at + i) < 0)
			++w;
		if (w == without->count || plTouchPair_Compare(without->at + w, list->at + i) != 0)
			visit(events, list->at + i);
	}
}

static void swapPairs(plTouchPairs* x, plTouchPairs* y)
{
	plTouchPairs old = *x;
	*x = *y;
	*y = old;
}

// ---- memory ---------------------------------------------------------------------------------------------------------

bool plWorld_ReservePairs(plWorld* world, plTouchPairs* pairs, size_t count)
{
	return plGrowArray(&world->heap, &pairs->at, &pairs->room, count, sizeof *pairs->at);
}

void plWorld_BeginEvents(plWorld* world)
{
	plTouchEvents* e = &world->rigids.touches.events;
	e->pushing.count = 0;
	e->foundCount = e->placedCount = 0;
}

#define GROW(e, array, room, count) plGrowArray(&world->heap, &(e)->array, &(e)->room, count, sizeof *(e)->array)

bool plWorld_ReserveEvents(plWorld* world)
{
	const plTouches* t = &world->rigids.touches;
	plTouchEvents* e = &world->rigids.touches.events;
	size_t most = t->isIdle ? t->keptCount : t->nextCount, sensing = 0;
	size_t pushing = e->pushing.count + most, found = e->foundCount + most;
	for (size_t p = 0; t->sensorCount > 0 && p < t->broad.pairCount; ++p)
		sensing += isSensed(world, t->broad.pairs + p);
	return plWorld_ReservePairs(world, &e->pushing, pushing) && plWorld_ReservePairs(world, &e->merged, pushing) &&
	       plWorld_ReservePairs(world, &e->sensing, sensing) && GROW(e, found, foundRoom, found) &&
	       GROW(e, begin, beginRoom, found) && GROW(e, hit, hitRoom, found) && GROW(e, end, endRoom, e->pushed.count) &&
	       GROW(e, enter, enterRoom, sensing) && GROW(e, leave, leaveRoom, e->sensed.count);
}

// ---- a substep ------------------------------------------------------------------------------------------------------

// How fast the two come towards each other in a point when the substep begins.
static double approachOf(const plWorld* world, const plContactKept* kept, const plBodyContact* contact,
                         const plLevers* levers)
{
	double speed = 0.0;
	for (int side = 0; side < 2; ++side)
	{
		const plRigid* body = plSlots_At(&world->rigids.bodies, shapeAt(world, kept->shapes[side])->body);
		double velocity[3], r[3], turned[3];
		plWiden3(levers->r[side], r);
		for (int i = 0; i < 3; ++i) // what is led moves as it will; what is free moves as it has
			velocity[i] = body->motion == pl_rigidDynamic ? body->state.v[i] : body->flight.end.v[i];
		plCross3(body->motion == pl_rigidDynamic ? body->state.w : body->flight.end.w, r, turned);
		plAdd3(velocity, 1.0, turned);
		speed += (side == 0 ? 1.0 : -1.0) * plDot3(contact->normal, velocity);
	}
	return speed;
}

// What a contact adds to the pair that it belongs to. NULL: it was not solved, as neither body moves.
static void addContact(const plWorld* world, uint32_t k, const plBodyContact* contact, double* most,
                       plTouchBegin* begin)
{
	const plTouches* t = &world->rigids.touches;
	const plContactKept* kept = t->kept + k;
	const double* n = kept->normal;
	double sign = kept->shapes[0] > kept->shapes[1] ? -1.0 : 1.0;
	for (uint32_t i = 0; i < kept->count; ++i)
	{
		double lambda[3], speed = 0.0;
		plWiden3(kept->points[i].lambda, lambda);
		double push = plDot3(n, lambda);
		if (!(push > 0.0))
			continue;
		if (contact != NULL)
			speed = approachOf(world, kept, contact, t->contacts.levers + contact->first + i);
		begin->event.speed = begin->event.force > 0.0 ? fmax(begin->event.speed, speed) : speed;
		begin->event.force += push;
		if (push <= *most)
			continue;
		*most = push;
		begin->kept = k;
		begin->point = i;
		begin->event.normal = (plVec3){sign * n[0], sign * n[1], sign * n[2]};
	}
}

// kept[first] to kept[end - 1] are of one pair; returns end.
static size_t findEnd(const plTouches* t, size_t first, bool* push)
{
	size_t end = first;
	*push = false;
	for (; end < t->keptCount && t->kept[end].shapes[0] == t->kept[first].shapes[0] &&
	       t->kept[end].shapes[1] == t->kept[first].shapes[1];
	     ++end)
		*push = t->kept[end].pushes || *push;
	return end;
}

// Both are sorted: contacts that were solved are some of those that are kept, `*next` is the first of the rest.
static const plBodyContact* findSolved(const plTouches* t, size_t kept, size_t* next)
{
	while (*next < t->contacts.contactCount && t->contacts.contacts[*next].kept < kept)
		++*next;
	bool solved = *next < t->contacts.contactCount && t->contacts.contacts[*next].kept == kept;
	return solved ? t->contacts.contacts + *next : NULL;
}

static void gatherPair(plWorld* world, size_t first, size_t end, size_t* next, const plTouchPair* pair)
{
	plTouches* t = &world->rigids.touches;
	plTouchBegin begin = {.event = {.a = pair->a, .b = pair->b}, .order = (uint32_t)t->events.foundCount};
	double most = 0.0;
	for (size_t k = first; k < end; ++k)
		addContact(world, (uint32_t)k, findSolved(t, k, next), &most, &begin);
	t->events.found[t->events.foundCount++] = begin;
}

// What sleeps goes on to push as it did: its contacts are kept.
void plWorld_GatherEvents(plWorld* world)
{
	plTouches* t = &world->rigids.touches;
	plTouchEvents* e = &t->events;
	size_t earlier = 0, before = 0, next = 0;
	e->merged.count = 0;
	for (size_t k = 0, end; k < t->keptCount; k = end)
	{
		bool push;
		end = findEnd(t, k, &push);
		if (!push)
			continue;
		plTouchPair pair = pairOf(world, t->kept + k);
		while (earlier < e->pushing.count && plTouchPair_Compare(e->pushing.at + earlier, &pair) < 0)
			e->merged.at[e->merged.count++] = e->pushing.at[earlier++];
		if (earlier < e->pushing.count && plTouchPair_Compare(e->pushing.at + earlier, &pair) == 0)
			++earlier;
		e->merged.at[e->merged.count++] = pair;
		while (before < e->pushed.count && plTouchPair_Compare(e->pushed.at + before, &pair) < 0)
			++before;
		if (before == e->pushed.count || plTouchPair_Compare(e->pushed.at + before, &pair) != 0)
			gatherPair(world, k, end, &next, &pair);
	}
	while (earlier < e->pushing.count)
		e->merged.at[e->merged.count++] = e->pushing.at[earlier++];
	swapPairs(&e->merged, &e->pushing);
}

// Halfway between the two places of a point, where they are now.
static plVec3 placeOf(const plWorld* world, const plContactKept* kept, uint32_t i)
{
	double middle[3] = {0.0, 0.0, 0.0};
	for (int side = 0; side < 2; ++side)
	{
		const plRigid* body = plSlots_At(&world->rigids.bodies, shapeAt(world, kept->shapes[side])->body);
		double place[3], anchor[3];
		plWiden3(kept->points[i].anchor[side], anchor);
		plQuat_Rotate(body->state.q, anchor, place);
		plAdd3(middle, 0.5, place);
		plAdd3(middle, 0.5, body->state.p);
	}
	return (plVec3){middle[0], middle[1], middle[2]};
}

void plWorld_PlaceEvents(plWorld* world)
{
	plTouches* t = &world->rigids.touches;
	for (size_t i = t->events.placedCount; i < t->events.foundCount; ++i)
	{
		plTouchBegin* begin = t->events.found + i;
		begin->event.point = placeOf(world, t->kept + begin->kept, begin->point);
	}
	t->events.placedCount = t->events.foundCount;
}

// ---- the end of a step ----------------------------------------------------------------------------------------------

static int compareBegins(const void* x, const void* y)
{
	const plTouchBegin *p = x, *q = y;
	const plTouchPair pairs[2] = {{p->event.a, p->event.b}, {q->event.a, q->event.b}};
	int order = plTouchPair_Compare(pairs, pairs + 1);
	return order != 0 ? order : p->order < q->order ? -1 : p->order > q->order;
}

// One event of a pair: that of its largest force, with the speed of the first.
static void writeBegins(plTouchEvents* e)
{
	if (e->foundCount > 1)
		qsort(e->found, e->foundCount, sizeof *e->found, compareBegins);
	e->beginCount = e->hitCount = 0;
	for (size_t i = 0; i < e->foundCount; ++i)
	{
		plContactEvent event = e->found[i].event, *last = e->begin + e->beginCount - (e->beginCount > 0);
		bool same = e->beginCount > 0 && last->a.index1 == event.a.index1 && last->b.index1 == event.b.index1;
		if (!same)
			e->begin[e->beginCount++] = event;
		else if (event.force > last->force)
		{
			event.speed = last->speed;
			*last = event;
		}
	}
	for (size_t i = 0; i < e->beginCount; ++i)
		if (e->begin[i].speed >= e->hitSpeed)
			e->hit[e->hitCount++] = e->begin[i];
}

static void addEnd(plTouchEvents* e, const plTouchPair* pair)
{
	e->end[e->endCount++] = (plContactEvent){.a = pair->a, .b = pair->b};
}

static void addEnter(plTouchEvents* e, const plTouchPair* pair)
{
	e->enter[e->enterCount++] = (plSensorEvent){pair->a, pair->b};
}

static void addLeave(plTouchEvents* e, const plTouchPair* pair)
{
	e->leave[e->leaveCount++] = (plSensorEvent){pair->a, pair->b};
}

static void sense(plWorld* world)
{
	plTouches* t = &world->rigids.touches;
	t->events.sensing.count = 0;
	for (size_t p = 0; t->sensorCount > 0 && p < t->broad.pairCount; ++p)
	{
		uint32_t a = t->broad.pairs[p].a, b = t->broad.pairs[p].b;
		plSite sites[2];
		if (!isSensed(world, t->broad.pairs + p))
			continue;
		plWorld_FindSite(world, a, sites);
		plWorld_FindSite(world, b, sites + 1);
		if (!plSolid_Overlaps(&shapeAt(world, a)->solid, sites, &shapeAt(world, b)->solid, sites + 1))
			continue;
		bool swap = !shapeAt(world, a)->sensor;
		t->events.sensing.at[t->events.sensing.count++] = (plTouchPair){
		    plRigids_GetShapeId(&world->rigids, swap ? b : a), plRigids_GetShapeId(&world->rigids, swap ? a : b)};
	}
}

void plWorld_FinishEvents(plWorld* world)
{
	plTouchEvents* e = &world->rigids.touches.events;
	e->endCount = e->enterCount = e->leaveCount = 0;
	writeBegins(e);
	subtract(e, &e->pushed, &e->pushing, addEnd);
	swapPairs(&e->pushed, &e->pushing);
	sense(world);
	subtract(e, &e->sensing, &e->sensed, addEnter);
	subtract(e, &e->sensed, &e->sensing, addLeave);
	swapPairs(&e->sensed, &e->sensing);
}

void plWorld_ForgetEvents(plWorld* world)
{
	plTouchEvents* e = &world->rigids.touches.events;
	e->beginCount = e->endCount = e->hitCount = e->enterCount = e->leaveCount = 0;
}

// ---- what the caller sees -------------------------------------------------------------------------------------------

plContactEvents plWorld_GetContactEvents(const plWorld* world)
{
	const plTouchEvents* e = &world->rigids.touches.events;
	return (plContactEvents){.begin = e->begin,
	                         .end = e->end,
	                         .hit = e->hit,
	                         .beginCount = e->beginCount,
	                         .endCount = e->endCount,
	                         .hitCount = e->hitCount,
	                         .enter = e->enter,
	                         .leave = e->leave,
	                         .enterCount = e->enterCount,
	                         .leaveCount = e->leaveCount};
}

plResult plWorld_SetHitSpeed(plWorld* world, double speed, plError* error)
{
	if (!(speed >= 0.0))
		return plFailAt(error, "speed", "the hit speed is %g m/s, it cannot be below 0", speed);
	world->rigids.touches.events.hitSpeed = speed;
	return pl_success;
}

size_t plWorld_GetRigidContacts(const plWorld* world, plRigidContact* contacts, size_t capacity)
{
	const plTouches* t = &world->rigids.touches;
	size_t count = 0;
	for (size_t k = 0; k < t->keptCount; ++k)
	{
		const plContactKept* kept = t->kept + k;
		plTouchPair pair = pairOf(world, kept);
		double sign = kept->shapes[0] > kept->shapes[1] ? -1.0 : 1.0;
		for (uint32_t i = 0; i < kept->count; ++i, ++count)
		{
			const double* n = kept->normal;
			double lambda[3];
			plWiden3(kept->points[i].lambda, lambda);
			if (count < capacity)
				contacts[count] = (plRigidContact){.a = pair.a,
				                                   .b = pair.b,
				                                   .point = placeOf(world, kept, i),
				                                   .normal = {sign * n[0], sign * n[1], sign * n[2]},
				                                   .depth = (double)kept->points[i].depth,
				                                   .force = {sign * lambda[0], sign * lambda[1], sign * lambda[2]},
				                                   .sticks = kept->points[i].sticks};
		}
	}
	return count;
}
