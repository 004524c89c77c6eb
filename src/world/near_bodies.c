// near_bodies.c: bodies as others see them from afar: how far their boxes are apart, and groups of those that are near
//
// A tree over the boxes is asked, so that a thousand bodies are not compared each with each. What it finds does not
// depend on its shape.
#include "world.h"

#include <math.h>

enum
{
	bodyGrain = 8,
};

static const plBox nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

// Around `box` and the surface of a body at the end of its ways
static plBox growBox(plBox box, const plWorld* world, const plNear* near, const plNearBody* body,
                     const plNearWays* ways)
{
	for (size_t i = body->first; i < body->first + body->count; ++i)
		for (int k = 0; k < 3 && plNear_IsOnSurface(world, near, i); ++k)
		{
			double x = PL_AT(ways->places, i)[k];
			x += ways->ways != NULL ? ways->scale * PL_AT(ways->ways, i)[k] : 0.0;
			box.low[k] = x < box.low[k] ? x : box.low[k];
			box.high[k] = x > box.high[k] ? x : box.high[k];
		}
	return box;
}

static double distanceOf(const plBox* a, const plBox* b)
{
	double square = 0.0;
	for (int k = 0; k < 3; ++k)
	{
		double gap = fmax(fmax(a->low[k] - b->high[k], b->low[k] - a->high[k]), 0.0);
		square += gap * gap;
	}
	return sqrt(square);
}

// Calls for bodies whose boxes are nearer to that of `body` than the limit (m), itself too, roughly the near ones
// first; the limit that is left
static double visitNear(const plNear* near, uint32_t body, double limit, plBoxLimitFcn* visit, void* context)
{
	const plBoxTree* tree = &near->bodyTree;
	const plBox* box = near->boxes + body;
	plBoxEntry stack[pl_boxStack] = {{0, 0.0}};
	for (size_t depth = 1; depth > 0;)
	{
		plBoxEntry entry = stack[--depth];
		if (entry.bound >= limit)
			continue;
		const plBoxNode* node = tree->nodes + entry.node;
		for (uint32_t place = node->first; place < node->first + node->count; ++place)
			limit = visit(tree->items[place], limit, context);
		if (node->count > 0)
			continue;
		uint32_t left = entry.node + 1, right = node->first;
		depth = plPushBoxes(stack, depth, (plBoxEntry){left, distanceOf(box, &tree->nodes[left].box)},
		                    (plBoxEntry){right, distanceOf(box, &tree->nodes[right].box)});
	}
	return limit;
}

typedef struct Seeker
{
	const plNear* near;
	uint32_t body;
	bool beyondGroup; // only those of other groups
} Seeker;

// Two shells
static bool meetNever(const plNear* near, uint32_t a, uint32_t b)
{
	return a >= near->softCount && b >= near->softCount;
}

static double takeNearest(uint32_t item, double limit, void* context)
{
	const Seeker* s = context;
	const plNearBody* bodies = s->near->bodies;
	if (item == s->body || meetNever(s->near, item, s->body) ||
	    (s->beyondGroup && bodies[item].group == bodies[s->body].group))
		return limit;
	double distance = distanceOf(s->near->boxes + s->body, s->near->boxes + item);
	return distance < limit ? distance : limit;
}

// The distance of the nearest other body; INFINITY: there is none
static double findNearest(const plNear* near, uint32_t body, bool beyondGroup)
{
	Seeker seeker = {near, body, beyondGroup};
	return visitNear(near, body, INFINITY, takeNearest, &seeker);
}

// ---- groups ---------------------------------------------------------------------------------------------------------

// The first body of a group that still grows; the way to it becomes shorter.
static uint32_t rootOf(plNearBody* bodies, uint32_t b)
{
	while (bodies[b].group != b)
		b = bodies[b].group = bodies[bodies[b].group].group;
	return b;
}

// `group` is the body itself or one that it has been joined to, until all have that of their first one.
static double joinNear(uint32_t item, double limit, void* context)
{
	const Seeker* s = context;
	plNearBody* bodies = s->near->bodies;
	if (item <= s->body || meetNever(s->near, item, s->body) ||
	    !(distanceOf(s->near->boxes + s->body, s->near->boxes + item) < limit))
		return limit;
	uint32_t a = rootOf(bodies, s->body), b = rootOf(bodies, item);
	bodies[a > b ? a : b].group = a > b ? b : a;
	return limit;
}

// Bodies whose boxes are nearer than twice the reach are one group, which is a list by numbers.
static void findGroups(plNear* near)
{
	plNearBody* bodies = near->bodies;
	for (uint32_t b = 0; near->meetsOthers && b < near->bodyCount; ++b)
	{
		Seeker seeker = {near, b, false};
		visitNear(near, b, 2.0 * near->reach, joinNear, &seeker);
	}
	for (uint32_t b = 0; b < near->bodyCount; ++b)
	{
		bodies[b].group = bodies[bodies[b].group].group; // those before it have that of their first body
		uint32_t first = bodies[b].group;
		bodies[b].next = plNearBody_none;
		if (b != first)
			bodies[bodies[first].last].next = b;
		bodies[first].last = b;
	}
}

double plNear_GetDistanceOfGroup(const plNear* near, uint32_t first)
{
	double apart = INFINITY;
	for (uint32_t b = first; near->meetsOthers && b != plNearBody_none; b = near->bodies[b].next)
		apart = fmin(findNearest(near, b, true), apart);
	return apart;
}

// ---- all of them ----------------------------------------------------------------------------------------------------

typedef struct BodyLoop
{
	const plWorld* world;
	plNear* near;
	plNearWays ways;
	bool grows; // boxes are around what they were around before, too
} BodyLoop;

static void fitBoxes(size_t begin, size_t end, void* context)
{
	const BodyLoop* loop = context;
	for (size_t b = begin; b < end; ++b)
	{
		plBox box = loop->grows ? loop->near->boxes[b] : nothing;
		loop->near->boxes[b] = growBox(box, loop->world, loop->near, loop->near->bodies + b, &loop->ways);
	}
}

static void findDistances(size_t begin, size_t end, void* context)
{
	plNear* near = ((const BodyLoop*)context)->near;
	for (size_t b = begin; b < end; ++b)
		near->bodies[b].apart = near->meetsOthers ? findNearest(near, (uint32_t)b, false) : INFINITY;
}

void plNear_FitBoxes(plWorld* world, plNear* near, const double* places, bool grows)
{
	BodyLoop loop = {world, near, {.places = places}, grows};
	plParallelFor(world->pool, near->liveBodies, bodyGrain, fitBoxes, &loop);
}

void plNear_GrowBoxes(plWorld* world, plNear* near, const plNearWays* ways)
{
	BodyLoop loop = {world, near, *ways, true};
	plParallelFor(world->pool, near->liveBodies, bodyGrain, fitBoxes, &loop);
}

void plNear_CompareBoxes(plWorld* world, plNear* near)
{
	BodyLoop loop = {.world = world, .near = near};
	for (uint32_t b = 0; b < near->bodyCount; ++b)
		near->bodies[b].group = b;
	bool fits = plBoxTree_Build(&near->bodyTree, near->boxes, near->bodyCount, &world->heap);
	PL_ASSERT(fits, "the tree was built once when contact was prepared");
	(void)fits;
	plParallelFor(world->pool, near->bodyCount, bodyGrain, findDistances, &loop);
	findGroups(near);
}

void plNear_CompareBodies(plWorld* world, plNear* near, const double* places)
{
	plNear_FitBoxes(world, near, places, false);
	plNear_CompareBoxes(world, near);
}
