// vertex_meets.c: points of soft bodies against dynamic rigid bodies, under methods that take both: records of a
// substep, and from substep to substep (constraint/vertex_meet.h has the rest, vertex_pairs.c who is near whom)
//
// A point that sticks keeps its shares in its vertices, and the place on the body that it stuck at; how far it has come
// off that across the normal is its drift, which the next substeps make good. Beyond a twentieth of the size it has
// slipped. Friction is the shape's. A body that is near a soft one stays awake: what is soft may always move.
#include "world.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

#include <math.h>
#include <stdlib.h>

static const double slipShare = 0.05;

static const plRigidShape* shapeAt(const plWorld* world, uint32_t slot)
{
	return plSlots_At(&world->rigids.shapes, slot);
}

static const plRigid* bodyOf(const plWorld* world, uint32_t shape)
{
	return plSlots_At(&world->rigids.bodies, shapeAt(world, shape)->body);
}

int plVertexKept_Compare(const plVertexKept* a, const plVertexKept* b)
{
	if (a->body != b->body)
		return a->body < b->body ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	if (a->shape != b->shape)
		return a->shape < b->shape ? -1 : 1;
	return (a->part > b->part) - (a->part < b->part);
}

size_t plVertexTouches_Find(const plVertexTouches* t, uint32_t body, plFeature kind, uint32_t number)
{
	const plVertexKept wanted = {.body = body, .kind = kind, .number = number};
	size_t low = 0, high = t->keptCount;
	while (low < high)
	{
		size_t middle = (low + high) / 2;
		bool before = plVertexKept_Compare(t->kept + middle, &wanted) < 0;
		low = before ? middle + 1 : low;
		high = before ? high : middle;
	}
	return low;
}

void plVertexTouches_Destroy(plVertexTouches* t, plHeap* heap)
{
	PL_FREE(heap, t->candidates, t->candidateRoom);
	PL_FREE(heap, t->pairs, t->pairRoom);
	PL_FREE(heap, t->pokes, t->pokeRoom);
	PL_FREE(heap, t->near, t->nearRoom);
	PL_FREE(heap, t->kept, t->keptRoom);
	PL_FREE(heap, t->next, t->nextRoom);
	PL_FREE(heap, t->start, t->startRoom);
	*t = (plVertexTouches){0};
}

void plWorld_DropVertexMeets(plWorld* world, uint32_t body, uint32_t shape)
{
	plVertexTouches* t = &world->rigids.vertexTouches;
	size_t left = 0;
	for (size_t k = 0; k < t->keptCount; ++k)
		if (t->kept[k].body != body && t->kept[k].shape != shape)
			t->kept[left++] = t->kept[k];
	t->keptCount = left;
}

bool plWorld_WakePressed(plWorld* world)
{
	const plVertexTouches* t = &world->rigids.vertexTouches;
	bool woke = false;
	for (size_t k = 0; world->rigids.asleepCount > 0 && k < t->pairCount; ++k)
	{
		plRigid* rigid = plSlots_At(&world->rigids.bodies, shapeAt(world, t->pairs[k].shape)->body);
		woke = woke || rigid->rest.sleeps;
		if (rigid->rest.sleeps)
			plWorld_WakeRigid(world, rigid);
	}
	return woke;
}

// ---- records --------------------------------------------------------------------------------------------------------

// What is attached to a body does not touch it: no edge and no face either that ends there. Records of attachments are
// listed by their vertices.
static void skipAttached(plWorld* world)
{
	plVertexTouches* t = &world->rigids.vertexTouches;
	const plVertexMeets* v = &world->rigids.touches.contacts.vertices;
	for (size_t k = 0; k < t->pairCount; ++k)
	{
		plVertexPair* pair = t->pairs + k;
		uint32_t corners[3], count = plWorld_GetFeature(world, pair->body, pair->kind, pair->number, corners);
		for (uint32_t c = 0; c < count; ++c)
			for (uint32_t e = v->first[corners[c]]; e != 0; e = v->next[e - 1])
				if (v->meets[(e - 1) / pl_meetCorners].mover == bodyOf(world, pair->shape)->pose)
					pair->isNear = false;
	}
}

double plWorld_GetVertexWeight(const plWorld* world, size_t vertex, double h)
{
	const plPrepared* p = &world->prepared;
	double weight = world->mass[vertex] / (h * h) + p->elements.stiffness[vertex];
	if (p->elements.viscousStiffness != NULL)
		weight += p->elements.viscousStiffness[vertex] / h;
	return weight + (p->terms.count > 0 ? p->terms.stiffness[vertex] : 0.0);
}

// How the body's matter at r flies and its surface runs through the substep, against a vertex that stays.
static void setFlight(const plRigid* rigid, const plRigidShape* shape, double h, plVertexMeet* meet)
{
	double turn[3], turned[3], belt[3];
	plSubtract3(rigid->flight.end.p, rigid->state.p, meet->u0);
	for (int i = 0; i < 3; ++i)
		turn[i] = h * rigid->flight.end.w[i];
	plCross3(turn, meet->r, turned);
	plAdd3(meet->u0, 1.0, turned);
	plQuat_Rotate(rigid->state.q, shape->surfaceVelocity, belt);
	plAdd3(belt, -plDot3(belt, meet->normal), meet->normal);
	plAdd3(meet->u0, h, belt);
}

// Where its point is, by its shares.
static void place(const plWorld* world, const plRigid* rigid, plVertexMeet* meet)
{
	plVertexMeet_GetPoint(meet, world->q, meet->x);
	plSubtract3(meet->x, rigid->state.p, meet->r);
}

// What sticks, sticks where it did.
static void holdOn(const plWorld* world, const plRigid* rigid, const plVertexKept* old, plVertexMeet* meet,
                   plVertexKept* kept)
{
	plVertexMeet before = *meet;
	double drift[3];
	memcpy(before.shares, old->shares, sizeof before.shares);
	place(world, rigid, &before);
	plQuat_Rotate(rigid->state.q, old->anchor, drift);
	plAdd3(drift, -1.0, before.r);
	plAdd3(drift, -plDot3(drift, meet->normal), meet->normal);
	if (plLength3(drift) > slipShare * meet->size)
		return;
	*meet = before;
	meet->sticks = true;
	memcpy(meet->error, drift, sizeof drift);
	memcpy(kept->anchor, old->anchor, sizeof kept->anchor);
}

// Multipliers go on, turned onto the normal of this substep.
static void goOn(const plVertexKept* old, plVertexMeet* meet)
{
	double along = plDot3(meet->normal, old->lambda);
	memcpy(meet->lambda, old->lambda, sizeof meet->lambda);
	meet->N = plMax(along, 0.0);
	plAdd3(meet->lambda, meet->N - along, meet->normal);
	meet->kn = old->kn;
	meet->kt = old->kt;
}

static void makeMeet(const plWorld* world, const plVertexPair* pair, const plVertexKept* old, double h,
                     plVertexMeet* meet, plVertexKept* kept)
{
	const plRigidShape* shape = shapeAt(world, pair->shape);
	const plRigid* rigid = bodyOf(world, pair->shape);
	*meet = (plVertexMeet){
	    .mover = rigid->pose, .friction = shape->friction, .size = shape->solid.width, .depth = pair->depth};
	meet->cornerCount = plWorld_GetFeature(world, pair->body, pair->kind, pair->number, meet->corners);
	for (uint32_t c = 0; c < meet->cornerCount; ++c)
		meet->weights[c] = plWorld_GetVertexWeight(world, meet->corners[c], h);
	memcpy(meet->shares, pair->shares, sizeof meet->shares);
	memcpy(meet->normal, pair->normal, sizeof meet->normal);
	place(world, rigid, meet);
	plQuat_Rotate(plQuat_Inverse(rigid->state.q), meet->r, kept->anchor);
	if (old != NULL)
		goOn(old, meet);
	if (old != NULL && old->sticks)
		holdOn(world, rigid, old, meet, kept);
	memcpy(kept->shares, meet->shares, sizeof kept->shares);
	memcpy(kept->normal, pair->normal, sizeof kept->normal);
	setFlight(rigid, shape, h, meet);
}

// Pairs and what was kept ascend alike.
static void makeMeets(plWorld* world, double h, plVertexMeets* v)
{
	plVertexTouches* t = &world->rigids.vertexTouches;
	size_t old = 0;
	t->nextCount = 0;
	for (size_t k = 0; k < t->pairCount; ++k)
	{
		const plVertexPair* pair = t->pairs + k;
		if (!pair->isNear)
			continue;
		plVertexMeet* meet = v->meets + v->count++;
		plVertexKept* kept = t->next + t->nextCount;
		*kept = (plVertexKept){
		    .body = pair->body, .kind = pair->kind, .number = pair->number, .shape = pair->shape, .part = pair->part};
		while (old < t->keptCount && plVertexKept_Compare(t->kept + old, kept) < 0)
			++old;
		bool goesOn = old < t->keptCount && plVertexKept_Compare(t->kept + old, kept) == 0;
		makeMeet(world, pair, goesOn ? t->kept + old : NULL, h, meet, kept);
		meet->kept = (uint32_t)t->nextCount++;
	}
}

bool plWorld_MakeVertexMeets(plWorld* world, double h)
{
	plVertexTouches* t = &world->rigids.vertexTouches;
	plContacts* c = &world->rigids.touches.contacts;
	plVertexMeets* v = &c->vertices;
	v->count = t->nextCount = 0;
	v->isOpen = false;
	if (!plWorld_TakesBoth(world))
		return true;
	size_t attached = plWorld_CountAttached(world), count = attached + t->pairCount;
	if (count == 0)
		return true;
	if (!plVertexMeets_Reserve(v, count, world->layout.vertexCount, c->moverCount, &world->heap) ||
	    !plGrowArray(&world->heap, &t->next, &t->nextRoom, t->pairCount, sizeof *t->next))
		return false;
	v->count = plWorld_MakeAttached(world, h, v->meets);
	if (attached > 0 && t->pairCount > 0)
	{
		plContacts_ListVertexMeets(c, world->layout.vertexCount);
		skipAttached(world);
	}
	makeMeets(world, h, v);
	plContacts_ListVertexMeets(c, world->layout.vertexCount);
	return true;
}

// ---- from step to step ----------------------------------------------------------------------------------------------

// Those that push are kept.
static void keepPushing(plVertexTouches* t, const plVertexMeet* meets)
{
	size_t left = 0;
	for (size_t k = 0; k < t->nextCount; ++k)
	{
		const plVertexMeet* meet = meets + k;
		plVertexKept* kept = t->next + k;
		if (meet->N == 0.0)
			continue;
		memcpy(kept->lambda, meet->lambda, sizeof kept->lambda);
		kept->sticks = meet->sticks;
		kept->kn = meet->kn;
		kept->kt = meet->kt;
		kept->depth = plVertexMeet_GetDepth(meet);
		t->next[left++] = *kept;
	}
	t->nextCount = left;
}

void plWorld_FinishVertexMeets(plWorld* world)
{
	plVertexTouches* t = &world->rigids.vertexTouches;
	plVertexMeets* v = &world->rigids.touches.contacts.vertices;
	size_t attached = v->count - t->nextCount;
	if (v->count > 0)
	{
		plWorld_FinishAttached(world, v->meets);
		keepPushing(t, v->meets + attached);
	}
	v->isOpen = false;
	if (t->nextCount == 0 && t->keptCount == 0)
		return;
	if (!t->hasStart)
	{
		t->startCount = t->keptCount;
		plSwapArrays(&t->start, &t->startRoom, &t->kept, &t->keptRoom);
	}
	t->hasStart = true;
	plSwapArrays(&t->kept, &t->keptRoom, &t->next, &t->nextRoom);
	t->keptCount = t->nextCount;
}

bool plWorld_KeepVertexMeets(plWorld* world)
{
	plVertexTouches* t = &world->rigids.vertexTouches;
	t->hasStart = false;
	plWorld_KeepAttached(world);
	return plGrowArray(&world->heap, &t->start, &t->startRoom, t->keptCount, sizeof *t->start);
}

void plWorld_RestoreVertexMeets(plWorld* world)
{
	plVertexTouches* t = &world->rigids.vertexTouches;
	plWorld_RestoreAttached(world);
	world->rigids.touches.contacts.vertices.isOpen = false;
	if (!t->hasStart)
		return;
	plSwapArrays(&t->kept, &t->keptRoom, &t->start, &t->startRoom);
	t->keptCount = t->startCount;
	t->hasStart = false;
}

void plWorld_ReportVertexMeets(const plWorld* world, plStepReport* report)
{
	const plVertexTouches* t = &world->rigids.vertexTouches;
	report->contacts += t->keptCount;
	for (size_t k = 0; k < t->keptCount; ++k)
	{
		report->penetration = plMax(t->kept[k].depth, report->penetration);
		report->sunken = plMax(t->kept[k].depth / shapeAt(world, t->kept[k].shape)->solid.width, report->sunken);
	}
}
