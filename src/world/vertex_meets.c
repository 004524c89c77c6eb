// vertex_meets.c: vertices of soft bodies against dynamic rigid bodies, under methods that take both: who is near whom,
// and from substep to substep (constraint/vertex_meet.h has the rest)
//
// The vertices are those on the surfaces of soft bodies. Vertices that follow each other in a body are near each other:
// a box around 32 of them is looked up among the boxes of the broad phase, then each by itself. Near is a vertex if
//
//   phi(x) - t < travel + h |v| + 2 |a| h^2      phi signed distance of the shape, t thickness
//
// so that within the substep nothing else touches, but for what contacts and elements throw about. Trees and fat boxes
// decide what that costs, and never what is found.
//
// A vertex that sticks keeps the place on the body that it stuck at; how far it has come off that across the normal is
// its drift, which the next substeps make good. Beyond a twentieth of the size it has slipped. Friction is the shape's.
// A body that is near a soft one stays awake: what is soft may always move.
#include "world.h"
#include "../base/rotation.h"
#include "../base/vec3.h"
#include "../collide/solid_shape.h"

#include <math.h>
#include <stdlib.h>

static const double slipShare = 0.05;

enum
{
	chunk = 32, // vertices that are looked up as one
	pairGrain = 64
};

static const plRigidShape* shapeAt(const plWorld* world, uint32_t slot)
{
	return plSlots_At(&world->rigids.shapes, slot);
}

static const plRigid* bodyOf(const plWorld* world, uint32_t shape)
{
	return plSlots_At(&world->rigids.bodies, shapeAt(world, shape)->body);
}

static size_t placeOf(const plWorld* world, uint32_t body, uint32_t vertex)
{
	return ((const plSoftBody*)plSlots_At(&world->softs, body))->vertexStart + vertex;
}

int plVertexKept_Compare(const plVertexKept* a, const plVertexKept* b)
{
	if (a->body != b->body)
		return a->body < b->body ? -1 : 1;
	if (a->vertex != b->vertex)
		return a->vertex < b->vertex ? -1 : 1;
	return (a->shape > b->shape) - (a->shape < b->shape);
}

size_t plVertexTouches_Find(const plVertexTouches* t, uint32_t body, uint32_t vertex)
{
	size_t low = 0, high = t->keptCount;
	while (low < high)
	{
		size_t middle = (low + high) / 2;
		const plVertexKept* kept = t->kept + middle;
		bool before = kept->body != body ? kept->body < body : kept->vertex < vertex;
		low = before ? middle + 1 : low;
		high = before ? high : middle;
	}
	return low;
}

void plVertexTouches_Destroy(plVertexTouches* t, plHeap* heap)
{
	PL_FREE(heap, t->pairs, t->pairRoom);
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

// ---- near pairs -----------------------------------------------------------------------------------------------------

typedef struct Search
{
	plWorld* world;
	double h;
	double fall; // 2 |a| h^2, m
} Search;

// How far a vertex may get in the substep, with the thickness.
static double reachOf(const Search* s, size_t vertex)
{
	return s->world->contactDef.thickness + s->h * plLength3(PL_AT(s->world->v, vertex)) + s->fall;
}

static plBox boxOf(const Search* s, size_t vertex)
{
	const double* x = PL_AT(s->world->q, vertex);
	double reach = reachOf(s, vertex);
	plBox box;
	for (int i = 0; i < 3; ++i)
	{
		box.low[i] = x[i] - reach;
		box.high[i] = x[i] + reach;
	}
	return box;
}

// What vertices meet of a dynamic shape is made when the first ones come near. False: no memory
static bool needShape(plWorld* world, uint32_t slot)
{
	plRigidShape* shape = plSlots_At(&world->rigids.shapes, slot);
	if (shape->met != NULL)
		return true;
	plShape met;
	if (plShape_CreateFromSolid(&met, &shape->solid, NULL, &shape->local, &world->heap, NULL) < 0)
		return false;
	shape->met = PL_NEW(&world->heap, plShape, 1);
	if (shape->met == NULL)
		plShape_Destroy(&met, &world->heap);
	else
		*shape->met = met;
	return shape->met != NULL;
}

static int compareSlots(const void* a, const void* b)
{
	uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
	return x < y ? -1 : x > y;
}

// Dynamic shapes that soft bodies meet, near a box, ascending. False: no memory
static bool findShapes(plWorld* world, const plBox* box, size_t* count)
{
	plVertexTouches* t = &world->rigids.vertexTouches;
	const plDynamicTree* tree = world->rigids.touches.broad.trees + 1;
	*count = 0;
	for (uint32_t leaf = plDynamicTree_Next(tree, pl_noNode, box); leaf != pl_noNode;
	     leaf = plDynamicTree_Next(tree, leaf, box))
	{
		uint32_t slot = tree->nodes[leaf].item;
		if (!plRigidShape_AdmitsSoft(shapeAt(world, slot)) || bodyOf(world, slot)->motion != pl_rigidDynamic)
			continue;
		if (!plGrowArray(&world->heap, &t->near, &t->nearRoom, *count + 1, sizeof *t->near) || !needShape(world, slot))
			return false;
		t->near[(*count)++] = slot;
	}
	if (*count > 1)
		qsort(t->near, *count, sizeof *t->near, compareSlots);
	return true;
}

// A few vertices of a body, by their places in its range: pairs with shapes whose boxes they are in.
static bool listPairs(const Search* s, const plSoftBody* body, const uint32_t* vertices, size_t count)
{
	plWorld* world = s->world;
	plVertexTouches* t = &world->rigids.vertexTouches;
	plBox all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}, boxes[chunk];
	size_t shapes;
	for (size_t k = 0; k < count; ++k)
	{
		boxes[k] = boxOf(s, body->vertexStart + vertices[k]);
		for (int i = 0; i < 3; ++i)
		{
			all.low[i] = plMin(boxes[k].low[i], all.low[i]);
			all.high[i] = plMax(boxes[k].high[i], all.high[i]);
		}
	}
	if (!findShapes(world, &all, &shapes) ||
	    !plGrowArray(&world->heap, &t->pairs, &t->pairRoom, t->pairCount + count * shapes, sizeof *t->pairs))
		return false;
	for (size_t k = 0; k < count; ++k)
		for (size_t j = 0; j < shapes; ++j)
			if (plBox_Overlaps(boxes + k, &world->rigids.touches.broad.items[t->near[j]].box))
				t->pairs[t->pairCount++] = (plVertexPair){
				    .body = plSlots_IndexOf(&world->softs, body), .vertex = vertices[k], .shape = t->near[j]};
	return true;
}

static bool listBody(const Search* s, const plSoftBody* body)
{
	const uint8_t* boundary = s->world->prepared.boundary + body->vertexStart;
	uint32_t vertices[chunk];
	size_t count = 0;
	bool fine = true;
	for (uint32_t i = 0; fine && i < body->vertexCount; ++i)
	{
		if (boundary[i])
			vertices[count++] = i;
		if (count < chunk && i + 1 < body->vertexCount)
			continue;
		fine = count == 0 || listPairs(s, body, vertices, count);
		count = 0;
	}
	return fine;
}

// Distances, in the frame of the body where the substep begins.
static void measurePairs(size_t begin, size_t end, void* context)
{
	const Search* s = context;
	const plWorld* world = s->world;
	for (size_t k = begin; k < end; ++k)
	{
		plVertexPair* pair = world->rigids.vertexTouches.pairs + k;
		const plRigidShape* shape = shapeAt(world, pair->shape);
		const plRigid* rigid = bodyOf(world, pair->shape);
		size_t vertex = placeOf(world, pair->body, pair->vertex);
		double X[3];
		plDistance found;
		plSubtract3(PL_AT(world->q, vertex), rigid->state.p, X);
		plQuat_Rotate(plQuat_Inverse(rigid->state.q), X, X);
		plAdd3(X, 1.0, rigid->centre);
		plShape_GetDistance(shape->met)(shape->met, X, &found);
		plQuat_Rotate(rigid->state.q, found.normal, pair->normal);
		pair->depth = world->contactDef.thickness - found.phi;
		pair->isNear = found.phi < shape->travel + reachOf(s, vertex);
	}
}

static bool takesBoth(const plWorld* world)
{
	return world->layout.vertexCount > 0 && plMethod_GetType(plWorld_GetSolver(world)->method)->takesBodies;
}

bool plWorld_FindVertexPairs(plWorld* world, double h)
{
	plVertexTouches* t = &world->rigids.vertexTouches;
	const double a[3] = {world->gravity.x, world->gravity.y, world->gravity.z};
	Search search = {world, h, 2.0 * plLength3(a) * h * h};
	t->pairCount = 0;
	if (!takesBoth(world) || world->rigids.dynamicCount == 0 || world->rigids.shapes.liveCount == 0)
		return true;
	if (!plWorld_NeedBoundary(world))
		return false;
	bool fine = true;
	PL_EACH(const plSoftBody, body, &world->softs)
		fine = fine && listBody(&search, body);
	if (!fine)
		return false;
	plParallelFor(world->pool, t->pairCount, pairGrain, measurePairs, &search);
	size_t left = 0;
	for (size_t k = 0; k < t->pairCount; ++k)
		if (t->pairs[k].isNear)
			t->pairs[left++] = t->pairs[k];
	t->pairCount = left;
	return true;
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

// What is attached to a body does not touch it.
static void skipAttached(plWorld* world)
{
	plVertexTouches* t = &world->rigids.vertexTouches;
	PL_EACH(const plAttachments, attached, &world->rigids.attachments)
	{
		const plSoftBody* body = plSlots_At(&world->softs, attached->body);
		for (size_t i = 0; i < attached->count && t->pairCount > 0; ++i)
		{
			uint32_t vertex = body->internalOf[attached->vertices[i]];
			size_t low = 0, high = t->pairCount;
			while (low < high)
			{
				size_t middle = (low + high) / 2;
				const plVertexPair* pair = t->pairs + middle;
				bool before = pair->body != attached->body ? pair->body < attached->body : pair->vertex < vertex;
				low = before ? middle + 1 : low;
				high = before ? high : middle;
			}
			for (; low < t->pairCount && t->pairs[low].body == attached->body && t->pairs[low].vertex == vertex; ++low)
				if (shapeAt(world, t->pairs[low].shape)->body == attached->rigid)
					t->pairs[low].isNear = false;
		}
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

// Multipliers go on, turned onto the normal of this substep; what sticks, sticks where it did.
static void goOn(const plRigid* rigid, const plVertexKept* old, plVertexMeet* meet, plVertexKept* kept)
{
	double along = plDot3(meet->normal, old->lambda), drift[3];
	memcpy(meet->lambda, old->lambda, sizeof meet->lambda);
	meet->N = plMax(along, 0.0);
	plAdd3(meet->lambda, meet->N - along, meet->normal);
	meet->kn = old->kn;
	meet->kt = old->kt;
	plQuat_Rotate(rigid->state.q, old->anchor, drift);
	plAdd3(drift, -1.0, meet->r);
	plAdd3(drift, -plDot3(drift, meet->normal), meet->normal);
	meet->sticks = old->sticks && plLength3(drift) <= slipShare * meet->size;
	if (!meet->sticks)
		return;
	memcpy(meet->error, drift, sizeof drift);
	memcpy(kept->anchor, old->anchor, sizeof kept->anchor);
}

static void makeMeet(const plWorld* world, const plVertexPair* pair, double h, plVertexMeet* meet, plVertexKept* kept)
{
	const plRigidShape* shape = shapeAt(world, pair->shape);
	const plRigid* rigid = bodyOf(world, pair->shape);
	size_t vertex = placeOf(world, pair->body, pair->vertex);
	*meet = (plVertexMeet){.vertex = (uint32_t)vertex,
	                       .mover = rigid->pose,
	                       .friction = shape->friction,
	                       .size = shape->solid.width,
	                       .weight = plWorld_GetVertexWeight(world, vertex, h),
	                       .depth = pair->depth};
	memcpy(meet->normal, pair->normal, sizeof meet->normal);
	memcpy(meet->x, PL_AT(world->q, vertex), sizeof meet->x);
	plSubtract3(meet->x, rigid->state.p, meet->r);
	setFlight(rigid, shape, h, meet);
	*kept = (plVertexKept){.body = pair->body, .vertex = pair->vertex, .shape = pair->shape};
	memcpy(kept->normal, pair->normal, sizeof kept->normal);
	plQuat_Rotate(plQuat_Inverse(rigid->state.q), meet->r, kept->anchor);
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
		makeMeet(world, pair, h, meet, kept);
		while (old < t->keptCount && plVertexKept_Compare(t->kept + old, kept) < 0)
			++old;
		if (old < t->keptCount && plVertexKept_Compare(t->kept + old, kept) == 0)
			goOn(bodyOf(world, pair->shape), t->kept + old, meet, kept);
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
	if (!takesBoth(world))
		return true;
	size_t attached = plWorld_CountAttached(world), count = attached + t->pairCount;
	if (count == 0)
		return true;
	if (!plVertexMeets_Reserve(v, count, world->layout.vertexCount, c->moverCount, &world->heap) ||
	    !plGrowArray(&world->heap, &t->next, &t->nextRoom, t->pairCount, sizeof *t->next))
		return false;
	if (attached > 0)
		skipAttached(world);
	v->count = plWorld_MakeAttached(world, h, v->meets);
	makeMeets(world, h, v);
	plContacts_ListVertexMeets(c, world->layout.vertexCount);
	return true;
}

// ---- from step to step ----------------------------------------------------------------------------------------------

static void swapLists(plVertexKept** a, size_t* roomA, plVertexKept** b, size_t* roomB)
{
	plVertexKept* list = *a;
	size_t room = *roomA;
	*a = *b;
	*roomA = *roomB;
	*b = list;
	*roomB = room;
}

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
		swapLists(&t->start, &t->startRoom, &t->kept, &t->keptRoom);
	}
	t->hasStart = true;
	swapLists(&t->kept, &t->keptRoom, &t->next, &t->nextRoom);
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
	swapLists(&t->kept, &t->keptRoom, &t->start, &t->startRoom);
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
