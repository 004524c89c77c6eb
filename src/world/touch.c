// touch.c: where rigid bodies touch, from boxes to contacts
//
//   sites      where shapes are, and their boxes with how far they may get in the substep
//   pairs      of boxes that are near: collide/broad.h
//   parts      of pairs: one, or the triangles of a mesh that the other one is near
//   manifolds  of parts: collide/manifold.h, in parallel; those of a mesh that push the same way are made one
//   contacts   of manifolds: touch_contacts.c
//   waking     what sleeps and is touched by something that moves wakes (sleep.c); then all of it again
//
// Points count as touching up to a margin: 1 % of the size of the smaller body, or as far as the two may come towards
// each other in the substep, if that is more. Size is the smallest width of a body's shapes.
//
// Manifolds and contacts are made block by block: the manifolds of a block are read again while they are in the cache,
// and the next block's take their place.
#include "world.h"
#include "../base/rotation.h"
#include "../base/vec3.h"
#include "../collide/soup.h"

#include <stdlib.h>

// ---- lists ----------------------------------------------------------------------------------------------------------

void plTouches_Init(plTouches* touches, plHeap* heap)
{
	*touches = (plTouches){0};
	plBroad_Init(&touches->broad, heap);
	plContacts_Init(&touches->contacts, heap);
	plTouchEvents_Init(&touches->events);
}

void plTouches_Destroy(plTouches* t)
{
	plHeap* heap = t->broad.heap;
	PL_FREE(heap, t->marks, t->markRoom);
	PL_FREE(heap, t->bodies, t->bodyRoom);
	PL_FREE(heap, t->parts, t->partRoom);
	PL_FREE(heap, t->manifolds, t->manifoldRoom);
	PL_FREE(heap, t->partStart, t->partStartRoom);
	PL_FREE(heap, t->kept, t->keptRoom);
	PL_FREE(heap, t->next, t->nextRoom);
	PL_FREE(heap, t->start, t->startRoom);
	plContacts_Destroy(&t->contacts);
	plTouchEvents_Destroy(&t->events, heap);
	plBroad_Destroy(&t->broad);
}

#define GROW(heap, object, array, room, count)                                                                         \
	plGrowArray(heap, &(object)->array, &(object)->room, count, sizeof *(object)->array)

static plRigidShape* shapeAt(const plWorld* world, uint32_t slot)
{
	return plSlots_At(&world->rigids.shapes, slot);
}

static plRigid* bodyOf(const plWorld* world, uint32_t shape)
{
	return plSlots_At(&world->rigids.bodies, shapeAt(world, shape)->body);
}

// ---- sites and boxes
// --------------------------------------------------------------------------------------------------

void plWorld_FindSite(const plWorld* world, uint32_t slot, plSite* site)
{
	const plRigid* body = bodyOf(world, slot);
	const plRigidShape* shape = shapeAt(world, slot);
	double R[3][3], arm[3];
	plQuat_GetMatrix(body->state.q, R);
	plSubtract3(shape->site.p, body->centre, arm);
	for (int i = 0; i < 3; ++i)
	{
		site->p[i] = body->state.p[i] + plDot3(R[i], arm);
		for (int j = 0; j < 3; ++j)
			site->R[i][j] =
			    R[i][0] * shape->site.R[0][j] + R[i][1] * shape->site.R[1][j] + R[i][2] * shape->site.R[2][j];
	}
}

// The farthest that a point of the shape may be from the body's centre of mass.
static double reachOf(const plRigid* body, const plRigidShape* shape)
{
	double square = 0.0;
	for (int i = 0; i < 3; ++i)
	{
		double middle = 0.0, half = 0.0;
		for (int j = 0; j < 3; ++j)
		{
			middle += 0.5 * shape->site.R[i][j] * (shape->solid.low[j] + shape->solid.high[j]);
			half += 0.5 * fabs(shape->site.R[i][j]) * (shape->solid.high[j] - shape->solid.low[j]);
		}
		double far = fabs(shape->site.p[i] + middle - body->centre[i]) + half;
		square += far * far;
	}
	return sqrt(square);
}

// How far a point of the shape may get in the substep, m.
static double getTravel(const plRigid* body, const plRigidShape* shape, double h)
{
	double way[3];
	plSubtract3(body->flight.end.p, body->state.p, way);
	return plLength3(way) + h * plLength3(body->flight.end.w) * shape->reach;
}

static void boundAt(const plRigidShape* shape, const plSite* site, double margin, plBox* box)
{
	plSolid_Bound(&shape->solid, site, box->low, box->high);
	for (int i = 0; i < 3; ++i)
	{
		box->low[i] -= margin;
		box->high[i] += margin;
	}
}

static void bound(const plRigidShape* shape, double margin, plBox* box)
{
	boundAt(shape, &shape->now, margin, box);
}

enum
{
	marginShare = 100, // of the size: 1 %
	fatShare = 10,
};

// How much larger a fat box is on each side. A mesh, which sets no scale and stays, gets more than rounding.
static double getFat(const plRigidShape* shape)
{
	double longest = 0.0;
	for (int i = 0; i < 3 && shape->solid.kind == pl_shapeMesh; ++i)
		longest = fmax(longest, shape->solid.high[i] - shape->solid.low[i]);
	return shape->solid.kind == pl_shapeMesh ? 0x1p-20 * longest : shape->solid.width / fatShare;
}

static double marginOf(const plRigidShape* shape, double travel)
{
	return fmax(shape->solid.width / marginShare, travel);
}

// Outwards from a plane, and how far along it is; returns that.
static double findPlane(const plRigidShape* shape, double n[3])
{
	for (int i = 0; i < 3; ++i)
		n[i] = shape->now.R[i][1];
	return plDot3(n, shape->now.p);
}

static void forgetTouches(plWorld* world, uint32_t slot)
{
	plTouches* t = &world->rigids.touches;
	size_t out = 0;
	for (size_t k = 0; k < t->keptCount; ++k)
		if (t->kept[k].shapes[0] != slot && t->kept[k].shapes[1] != slot)
			t->kept[out++] = t->kept[k];
	t->keptCount = out;
	plWorld_DropVertexMeets(world, UINT32_MAX, slot);
}

bool plWorld_ListShape(plWorld* world, uint32_t slot)
{
	plRigidShape* shape = shapeAt(world, slot);
	const plRigid* body = bodyOf(world, slot);
	plTouches* t = &world->rigids.touches;
	plBroad* broad = &t->broad;
	double n[3];
	plBox box;
	if (!GROW(&world->heap, t, marks, markRoom, (size_t)slot + 1))
		return false;
	plWorld_FindSite(world, slot, &shape->now);
	if (shape->solid.kind == pl_shapePlane)
	{
		double offset = findPlane(shape, n);
		return plBroad_AddHalfSpace(broad, slot, n, offset);
	}
	bound(shape, getFat(shape), &box);
	return plBroad_Add(broad, slot, &box, body->motion != pl_rigidStatic);
}

void plWorld_UnlistShape(plWorld* world, uint32_t slot)
{
	plWorld_WakeTouching(world, slot);
	plBroad_Remove(&world->rigids.touches.broad, slot);
	forgetTouches(world, slot);
}

void plWorld_PlaceShape(plWorld* world, uint32_t slot)
{
	plRigidShape* shape = shapeAt(world, slot);
	plBroad* broad = &world->rigids.touches.broad;
	double n[3];
	plBox box;
	plWorld_FindSite(world, slot, &shape->now);
	forgetTouches(world, slot);
	if (shape->solid.kind == pl_shapePlane)
	{
		double offset = findPlane(shape, n);
		plBroad_MoveHalfSpace(broad, slot, n, offset);
		return;
	}
	bound(shape, getFat(shape), &box);
	plBroad_Move(broad, slot, &box, &box);
}

// After a step a body may have left the boxes of its shapes: they were made for its flight, and contacts throw it
// elsewhere; so does a loaded state.
void plWorld_PlaceBoxes(plWorld* world)
{
	plTouches* t = &world->rigids.touches;
	if (t->placed)
		return;
	PL_EACH(const plRigidShape, shape, &world->rigids.shapes)
	{
		uint32_t slot = plSlots_IndexOf(&world->rigids.shapes, shape);
		plSite site;
		plBox box, fat;
		if (bodyOf(world, slot)->motion == pl_rigidStatic)
			continue;
		plWorld_FindSite(world, slot, &site);
		boundAt(shape, &site, 0.0, &box);
		boundAt(shape, &site, getFat(shape), &fat);
		plBroad_Move(&t->broad, slot, &box, &fat);
	}
	t->placed = true;
}

// By the boxes of now, not by fat ones, which depend on the past.
void plWorld_WakeNear(plWorld* world, uint32_t slot)
{
	const plRigidShape* here = shapeAt(world, slot);
	double n[3], offset = 0.0;
	plBox box = {0}, other;
	bool isPlane = here->solid.kind == pl_shapePlane;
	if (isPlane)
		offset = findPlane(here, n);
	else
		bound(here, marginOf(here, 0.0), &box);
	PL_EACH(const plRigidShape, shape, &world->rigids.shapes)
	{
		plRigid* body = plSlots_At(&world->rigids.bodies, shape->body);
		if (!body->rest.sleeps)
			continue;
		plRigidShape now = *shape;
		plWorld_FindSite(world, plSlots_IndexOf(&world->rigids.shapes, shape), &now.now);
		bound(&now, marginOf(shape, 0.0), &other);
		if (isPlane ? plBroad_IsNearHalfSpace(n, offset, &other) : plBox_Overlaps(&box, &other))
			plWorld_WakeRigid(world, body);
	}
}

// Where it is, and how far it may get in the substep, with that margin; false: its box stays as it is.
static bool moveShape(plWorld* world, uint32_t slot, double h, plBox* box, double* margin)
{
	plRigidShape* shape = shapeAt(world, slot);
	const plRigid* body = bodyOf(world, slot);
	if (body->motion == pl_rigidStatic || (shape->settled && body->rest.sleeps))
		return false;
	plWorld_FindSite(world, slot, &shape->now);
	shape->reach = reachOf(body, shape);
	shape->settled = body->rest.sleeps;
	shape->travel = getTravel(body, shape, h);
	*margin = marginOf(shape, shape->travel);
	bound(shape, *margin, box);
	return true;
}

static uint8_t marksOf(const plRigid* body, const plRigidShape* shape)
{
	unsigned marks = plRigid_IsActive(body) ? pl_markActive : 0;
	marks |= shape->solid.kind == pl_shapeMesh ? pl_markMesh : 0;
	marks |= plSolid_IsConvex(&shape->solid) ? 0 : pl_markLast;
	return (uint8_t)(marks | (shape->sensor ? pl_markSensor : 0));
}

typedef struct Move
{
	plWorld* world;
	double h;
} Move;

static void fillBodies(size_t begin, size_t end, void* context)
{
	const Move* move = context;
	plRigids* all = &move->world->rigids;
	for (size_t slot = begin; slot < end; ++slot)
	{
		if (!plSlots_IsLive(&all->bodies, (uint32_t)slot))
			continue;
		const plRigid* body = plSlots_At(&all->bodies, (uint32_t)slot);
		plTouchBody* to = all->touches.bodies + slot;
		memcpy(to->p, body->state.p, sizeof to->p);
		plQuat_GetMatrix(body->state.q, to->R);
		plSubtract3(body->flight.end.p, body->state.p, to->way);
		for (int i = 0; i < 3; ++i)
			to->turn[i] = move->h * body->flight.end.w[i];
		to->mover = body->motion == pl_rigidDynamic && !body->rest.sleeps ? body->pose : pl_noMover;
	}
}

static void moveRange(size_t begin, size_t end, void* context)
{
	const Move* move = context;
	plRigids* all = &move->world->rigids;
	for (uint32_t slot = (uint32_t)begin; slot < end; ++slot)
	{
		plBox box;
		double margin;
		if (!plSlots_IsLive(&all->shapes, slot))
			continue;
		uint8_t* mark = all->touches.marks + slot;
		*mark = marksOf(bodyOf(move->world, slot), shapeAt(move->world, slot));
		if (moveShape(move->world, slot, move->h, &box, &margin) && !plBroad_Holds(&all->touches.broad, slot, &box))
			*mark |= pl_markLeft;
	}
}

// False: no memory
static bool moveShapes(plWorld* world, double h)
{
	enum
	{
		grain = 64
	};
	plRigids* all = &world->rigids;
	plTouches* t = &all->touches;
	Move move = {world, h};
	t->sensorCount = 0;
	t->placed = false;
	if (!GROW(&world->heap, t, bodies, bodyRoom, all->bodies.slotCount))
		return false;
	if (!t->isIdle)
		plParallelFor(world->pool, all->bodies.slotCount, grain, fillBodies, &move);
	plParallelFor(world->pool, all->shapes.slotCount, grain, moveRange, &move);
	for (uint32_t slot = 0; slot < all->shapes.slotCount; ++slot)
	{
		if (!plSlots_IsLive(&all->shapes, slot))
			continue;
		t->sensorCount += (t->marks[slot] & pl_markSensor) != 0;
		if (!(t->marks[slot] & pl_markLeft))
			continue;
		const plRigidShape* shape = shapeAt(world, slot);
		double margin = marginOf(shape, shape->travel);
		plBox box, fat;
		bound(shape, margin, &box);
		bound(shape, margin + shape->travel + shape->solid.width / fatShare, &fat);
		plBroad_Move(&t->broad, slot, &box, &fat);
	}
	return true;
}

// ---- who meets whom
// ---------------------------------------------------------------------------------------------------

// Sensors also notice what is not dynamic.
static bool masksAgree(const plWorld* world, uint32_t a, uint32_t b)
{
	const plRigidShape *x = shapeAt(world, a), *y = shapeAt(world, b);
	bool dynamic = bodyOf(world, a)->motion == pl_rigidDynamic || bodyOf(world, b)->motion == pl_rigidDynamic;
	if (x->body == y->body || !(dynamic || x->sensor || y->sensor))
		return false;
	if (plRigids_AreJoined(&world->rigids, x->body, y->body))
		return false;
	if (x->group != 0 && x->group == y->group)
		return x->group > 0;
	return (x->mask & y->category) != 0 && (y->mask & x->category) != 0;
}

static bool meets(uint32_t a, uint32_t b, void* context)
{
	const plWorld* world = context;
	const plTouches* t = &world->rigids.touches;
	return masksAgree(world, a, b) &&
	       (t->filter == NULL || t->filter(plRigids_GetShapeId(&world->rigids, a),
	                                       plRigids_GetShapeId(&world->rigids, b), t->filterContext));
}

void plWorld_SetFilter(plWorld* world, plFilterFcn* filter, void* context)
{
	plTouches* t = &world->rigids.touches;
	t->filter = filter;
	t->filterContext = context;
	plWorld_WakeAll(world); // what bears a sleeper may let it through from now on
	PL_EACH(const plRigidShape, shape, &world->rigids.shapes)
		plBroad_Touch(&t->broad, plSlots_IndexOf(&world->rigids.shapes, shape));
}

// A plane or a mesh comes second; else the lower slot is first.
static void orderShapes(const plTouches* t, const plBroadPair* pair, uint32_t shapes[2])
{
	bool swap = (t->marks[pair->a] & pl_markLast) != 0;
	shapes[0] = swap ? pair->b : pair->a;
	shapes[1] = swap ? pair->a : pair->b;
}

// ---- parts
// --------------------------------------------------------------------------------------------------------------

typedef struct Search
{
	plWorld* world;
	plTouches* touches;
	double fall;        // |a| h^2, m
	bool writes;        // parts; else they are counted
	size_t pair;        // the first of the block
	size_t place;       // where the next part stands
	uint32_t shapes[2]; // of a pair, as the next
	double margin;
} Search;

static bool visitTriangle(uint32_t triangle, void* context)
{
	Search* s = context;
	if (s->writes)
	{
		plTouchPart* part = s->touches->parts + s->place;
		part->shapes[0] = s->shapes[0];
		part->shapes[1] = s->shapes[1];
		part->triangle = triangle;
		part->margin = s->margin;
	}
	s->place++;
	return true;
}

static int compareParts(const void* a, const void* b)
{
	uint32_t x = ((const plTouchPart*)a)->triangle, y = ((const plTouchPart*)b)->triangle;
	return x < y ? -1 : x > y;
}

// The box of shape a in the axes of the mesh.
static plBox boundInMesh(const plRigidShape* shape, const plRigidShape* mesh, double margin)
{
	plSite site;
	double arm[3];
	plBox box;
	plSubtract3(shape->now.p, mesh->now.p, arm);
	plSite_TurnBack(&mesh->now, arm, site.p);
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			site.R[i][j] = mesh->now.R[0][i] * shape->now.R[0][j] + mesh->now.R[1][i] * shape->now.R[1][j] +
			               mesh->now.R[2][i] * shape->now.R[2][j];
	plSolid_Bound(&shape->solid, &site, box.low, box.high);
	for (int i = 0; i < 3; ++i)
	{
		box.low[i] -= margin;
		box.high[i] += margin;
	}
	return box;
}

// Parts of a pair: 0, 1, or as many triangles as are near.
static void findParts(Search* s, size_t pair)
{
	const plTouches* t = s->touches;
	const plBroadPair* p = t->broad.pairs + pair;
	unsigned marks = t->marks[p->a] | t->marks[p->b];
	if (!(marks & pl_markActive))
		return; // what touches stays as it is
	if (!s->writes && !(marks & pl_markMesh))
	{
		s->place++;
		return;
	}
	orderShapes(t, p, s->shapes);
	const plRigidShape *a = shapeAt(s->world, s->shapes[0]), *b = shapeAt(s->world, s->shapes[1]);
	double size = plMin(a->solid.width, b->solid.width);
	s->margin = plMax(size / marginShare, a->travel + b->travel + s->fall);
	size_t first = s->place;
	if (!(marks & pl_markMesh))
	{
		visitTriangle(0, s);
		return;
	}
	plBox box = boundInMesh(a, b, s->margin);
	plBoxTree_Overlap(&b->solid.soup->tree, &box, visitTriangle, s);
	if (s->writes)
		qsort(t->parts + first, s->place - first, sizeof *t->parts, compareParts);
}

static void countParts(size_t begin, size_t end, void* context)
{
	Search s = *(const Search*)context;
	for (size_t p = begin; p < end; ++p)
	{
		s.place = 0;
		findParts(&s, p);
		s.touches->partStart[p] = s.place;
	}
}

static void findManifold(const Search* s, size_t k)
{
	plTouchPart* part = s->touches->parts + k;
	plManifold* manifold = plTouches_GetManifold(s->touches, k);
	const plRigidShape *a = shapeAt(s->world, part->shapes[0]), *b = shapeAt(s->world, part->shapes[1]);
	if (b->solid.kind == pl_shapeMesh)
		plManifold_FindTriangle(&a->solid, &a->now, &b->solid, &b->now, part->triangle, part->margin, manifold);
	else
		plManifold_Find(&a->solid, &a->now, &b->solid, &b->now, part->margin, manifold);
	part->count = (uint32_t)manifold->count;
}

// Triangles that push a shape the same way are one part. Parts of a mesh are numbered anew: one for each direction.
static void mergeParts(const Search* s, size_t first, size_t last)
{
	plTouches* t = s->touches;
	if (last <= first || !(t->marks[t->parts[first].shapes[1]] & pl_markMesh))
		return;
	const plTouchPart* part = t->parts + first;
	double width = shapeAt(s->world, part->shapes[0])->solid.width;
	plManifold_Merge(plTouches_GetManifold(t, first), last - first, part->margin, width);
	for (size_t k = first; k < last; ++k)
	{
		t->parts[k].triangle = (uint32_t)(k - first);
		t->parts[k].count = (uint32_t)plTouches_GetManifold(t, k)->count;
	}
}

static void collidePairs(size_t begin, size_t end, void* context)
{
	Search s = *(const Search*)context;
	for (size_t p = s.pair + begin; p < s.pair + end; ++p)
	{
		size_t first = s.place = s.touches->partStart[p];
		findParts(&s, p);
		for (size_t k = first; k < s.place; ++k)
			findManifold(&s, k);
		mergeParts(&s, first, s.place);
	}
}

enum
{
	blockParts = 2048, // 400 KB of manifolds
	pairGrain = 32
};

// The pair after the last of a block: one at least, and no more parts than that if there are several.
static size_t findBlockEnd(const plTouches* t, size_t begin, size_t pairs)
{
	size_t end = begin + 1;
	while (end < pairs && t->partStart[end + 1] - t->partStart[begin] <= blockParts)
		++end;
	return end;
}

// False: no memory, as below
static bool collideBlock(Search* s, size_t begin, size_t end)
{
	plTouches* t = s->touches;
	size_t first = t->partStart[begin], last = t->partStart[end];
	if (!GROW(&s->world->heap, t, manifolds, manifoldRoom, last - first))
		return false;
	s->pair = begin;
	t->blockStart = first;
	plParallelFor(s->world->pool, end - begin, pairGrain, collidePairs, s);
	return plWorld_MakeContacts(s->world, first, last);
}

// How many parts every pair has.
static bool reserveParts(Search* s, size_t pairs)
{
	plTouches* t = s->touches;
	size_t sum = 0;
	if (!GROW(&s->world->heap, t, partStart, partStartRoom, pairs + 1))
		return false;
	plParallelFor(s->world->pool, pairs, pairGrain, countParts, s);
	for (size_t p = 0; p < pairs; ++p)
	{
		size_t count = t->partStart[p];
		t->partStart[p] = sum;
		sum += count;
	}
	t->partStart[pairs] = t->partCount = sum;
	return GROW(&s->world->heap, t, parts, partRoom, sum);
}

static bool findTouching(plWorld* world, double h)
{
	plTouches* t = &world->rigids.touches;
	size_t pairs = t->isIdle ? 0 : t->broad.pairCount;
	double a[3] = {world->gravity.x, world->gravity.y, world->gravity.z};
	Search search = {.world = world, .touches = t, .fall = plLength3(a) * h * h};
	bool fine = reserveParts(&search, pairs) && plWorld_BeginContacts(world, h);
	search.writes = true;
	for (size_t begin = 0, end; fine && begin < pairs; begin = end)
	{
		end = findBlockEnd(t, begin, pairs);
		fine = collideBlock(&search, begin, end);
	}
	if (fine)
		plWorld_EndContacts(world);
	return fine;
}

plResult plWorld_CollideRigids(plWorld* world, double h, plError* error)
{
	plRigids* all = &world->rigids;
	bool fine = true, woke = true;
	while (fine && woke)
	{
		all->touches.isIdle = all->flyingCount == 0 && all->movingCount == 0;
		fine = moveShapes(world, h) && plBroad_Update(&all->touches.broad, world->pool, meets, world) &&
		       findTouching(world, h) && plWorld_FindVertexPairs(world, h);
		woke = fine && plWorld_WakeTouched(world);
		woke = (fine && plWorld_WakePressed(world)) || woke;
		if (woke) // what it touches may wake in its turn
			plWorld_FlyRigids(world, h);
	}
	if (fine && plWorld_MakeJoints(world) && plWorld_MakeVertexMeets(world, h) && plWorld_ReserveEvents(world))
		return pl_success;
	return plFail(error, pl_errorMemory, "not enough memory for the contacts of %u rigid bodies",
	              world->rigids.bodies.liveCount);
}
