// near.c: contact of surfaces with surfaces: bodies with each other, and cloth with itself
//
// Which bodies meet, and the search about a state: pairs go to the energy, balls to the methods (problem/pairs.h).
//
//   b_v <= (reach - r)/2             of what meets itself, and of what is near another body
//   b_v <= (apart - r)/4             of other bodies, `apart` the distance of boxes of bodies that meet
//
// Vertices inside of bodies are on no surface and have no ball. Pairs of one body that are nearer than 1.5 r at rest
// carry no energy, but bound motion: the surface itself is that fine there.
#include "world.h"
#include "../collide/near_lag.h"

#include <math.h>
#include <stdlib.h>

plResult plContactDef_CheckMethod(const plContactDef* def, plMethod method, plError* error)
{
	if (!plContactDef_HasPairs(def) || plMethod_TakesPairs(method))
		return pl_success;
	return plFailAt(error, "method",
	                "%s cannot keep bodies from crossing each other or themselves; newton, newton-cg, multigrid, "
	                "quasi-newton, descent, vbd, avbd and auto can",
	                plMethod_GetName(method));
}

// The strain of a membrane whose tension a push bears. Less than against colliders (obstacles.c): near 0 the push
// grows without bound anyway.
static const double tautness = 0.01;

// ---- life -----------------------------------------------------------------------------------------------------------

static void destroyNear(plNear* near, plHeap* heap)
{
	size_t n = near->vertexCount;
	if (near->energy != NULL)
		plEnergy_Destroy(&near->energy->base, heap);
	plNearSearch_Destroy(&near->search, heap);
	PL_FREE(heap, near->bodies, near->bodyCount);
	PL_FREE(heap, near->meetsItself, near->bodyCount);
	PL_FREE(heap, near->owner, n);
	PL_FREE(heap, near->callers, n);
	PL_FREE(heap, near->across, n);
	PL_FREE(heap, near->rest, pl_quad * n);
	PL_FREE(heap, near->place, pl_quad * n);
	PL_FREE(heap, near->apart, n);
	PL_FREE(heap, near->shift, 3 * near->bodyCount);
	PL_FREE(heap, near->crossed, near->crossedRoom);
	PL_FREE(heap, near->ignored, near->ignoredRoom);
	PL_FREE(heap, near->placeOf, near->placeRoom);
	PL_FREE(heap, near->sewnStart, n + 1);
	PL_FREE(heap, near->sewn, near->sewnRoom);
	PL_FREE(heap, near, 1);
}

void plWorld_DropNear(plWorld* world)
{
	if (world->prepared.near != NULL)
		destroyNear(world->prepared.near, &world->heap);
	world->prepared.near = NULL;
}

static bool meetsItself(const plWorld* world, const plSoftBody* body)
{
	return world->contactDef.self == pl_selfAll || (world->contactDef.self == pl_selfCloth && body->cloth != NULL);
}

// Is there anything that could meet?
static bool anyMeet(const plWorld* world)
{
	bool any = world->contactDef.bodies && world->softs.liveCount > 1;
	PL_EACH(const plSoftBody, body, &world->softs)
		any = any || meetsItself(world, body);
	return any;
}

static void listBodies(const plWorld* world, plNear* near)
{
	uint32_t b = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		near->bodies[b] = (plNearBody){.first = body->vertexStart, .count = body->vertexCount};
		near->meetsItself[b] = meetsItself(world, body);
		for (size_t i = 0; i < body->vertexCount; ++i)
		{
			near->owner[body->vertexStart + i] = b;
			near->callers[body->vertexStart + body->internalOf[i]] = (uint32_t)i;
		}
		++b;
	}
	near->search.owner = near->owner;
	near->search.meetsItself = near->meetsItself;
	near->search.meetsOthers = near->meetsOthers;
}

static bool makeNear(plWorld* world, plNear* near)
{
	plHeap* heap = &world->heap;
	size_t n = world->layout.vertexCount, bodies = world->softs.liveCount;
	near->vertexCount = n;
	near->bodyCount = bodies;
	near->meetsOthers = world->contactDef.bodies;
	near->bodies = PL_NEW(heap, plNearBody, bodies);
	near->meetsItself = PL_NEW(heap, bool, bodies);
	near->owner = PL_NEW(heap, uint32_t, n);
	near->callers = PL_NEW(heap, uint32_t, n);
	near->across = PL_NEW_ZERO(heap, double, n);
	near->rest = PL_NEW_ZERO(heap, double, pl_quad* n);
	near->place = PL_NEW_ZERO(heap, double, pl_quad* n);
	near->apart = PL_NEW(heap, double, n);
	near->sewnStart = PL_NEW_ZERO(heap, size_t, n + 1);
	near->shift = PL_NEW_ZERO(heap, double, 3 * bodies);
	if (!near->bodies || !near->meetsItself || !near->owner || !near->callers || !near->across || !near->rest ||
	    !near->place || !near->apart || !near->shift || !near->sewnStart)
		return false;
	near->energy = plNearEnergy_Create(n, near->radius, world->mass, near->across, heap);
	if (near->energy == NULL)
		return false;
	double friction = plContactDef_GetPairFriction(&world->contactDef);
	if (friction > 0.0)
	{
		near->energy->friction = plNearFriction_Create(n, friction, heap);
		if (near->energy->friction == NULL || !plWorld_SpreadNearGrips(world, near))
			return false;
	}
	listBodies(world, near);
	if (!plNear_ListSewn(world, near))
		return false;
	plWorld_GetRest(world, near->rest);
	plSurfaces* surfaces = plWorld_NeedSurfaces(world);
	return surfaces != NULL && plWorld_NeedBoundary(world) && plWorld_SpreadCrossed(world, near) &&
	       plNearSearch_Prepare(&near->search, &surfaces->tree, heap);
}

// ---- thickness ------------------------------------------------------------------------------------------------------

static int compareNumbers(const void* x, const void* y)
{
	double a = *(const double*)x, b = *(const double*)y;
	return a < b ? -1 : a > b;
}

// Of the edges of a surface at rest, each as often as it has triangles. False: no memory
static bool findMedianEdge(plWorld* world, const plSoftBody* body, double* median)
{
	plHeap* heap = &world->heap;
	uint32_t* faces;
	size_t count;
	if (plSoftBody_FindSurface(body, heap, &faces, &count) != pl_success)
		return false;
	double* lengths = PL_NEW(heap, double, 3 * count);
	for (size_t e = 0; lengths != NULL && e < 3 * count; ++e)
	{
		const double* a = body->rest + 3 * (size_t)faces[e];
		const double* b = body->rest + 3 * (size_t)faces[e % 3 == 2 ? e - 2 : e + 1];
		lengths[e] =
		    sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
	}
	*median = INFINITY;
	if (lengths != NULL)
	{
		qsort(lengths, 3 * count, sizeof *lengths, compareNumbers);
		*median = lengths[3 * count / 2];
	}
	bool fine = lengths != NULL || count == 0;
	PL_FREE(heap, lengths, 3 * count);
	PL_FREE(heap, faces, 3 * count);
	return fine;
}

// r, and a reach that makes pairs few
static plResult chooseRadius(plWorld* world, plNear* near, plError* error)
{
	static const double most = 0.5, much = 0.25, reach = 0.5; // of an edge
	const plContactDef* def = &world->contactDef;
	double r = def->pairThickness > 0.0 ? def->pairThickness : def->thickness, least = INFINITY;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		double median;
		uint32_t number = plSlots_IndexOf(&world->softs, body) + 1;
		if (!findMedianEdge(world, body, &median))
			return plFail(error, pl_errorMemory, "not enough memory for the surface of body %u", number);
		if (r > most * median)
			return plFailAt(error, "pairThickness",
			                "contact: the thickness between bodies is %g m, more than half the median edge of body %u, "
			                "%g m",
			                r, number, median);
		if (r > much * median && world->log != NULL)
			world->log("contact: the thickness between bodies is more than a quarter of the median edge of a body: "
			           "searches will be slow",
			           world->logContext);
		least = fmin(median, least);
	}
	near->radius = r;
	near->reach = fmax(2.0 * r, reach * least);
	return pl_success;
}

plResult plWorld_PrepareNear(plWorld* world, plError* error)
{
	plHeap* heap = &world->heap;
	if (!plContactDef_HasPairs(&world->contactDef) || !anyMeet(world))
		return pl_success;
	if (world->prepared.near != NULL)
		return plNear_ListSewn(world, world->prepared.near)
		           ? pl_success
		           : plFail(error, pl_errorMemory, "not enough memory for the seams of %zu vertices",
		                    world->layout.vertexCount);
	plNear* near = PL_NEW_ZERO(heap, plNear, 1);
	plResult result = near != NULL ? chooseRadius(world, near, error) : pl_errorMemory;
	if (result == pl_success && makeNear(world, near))
	{
		world->prepared.near = near;
		return pl_success;
	}
	if (near != NULL)
		destroyNear(near, heap);
	return result == pl_errorInput ? result
	                               : plFail(error, pl_errorMemory, "not enough memory for the surfaces of %zu vertices",
	                                        world->layout.vertexCount);
}

void plWorld_BeginNear(plWorld* world, const plSubstep* substep, bool isFirst)
{
	plNear* near = world->prepared.near;
	if (near == NULL)
		return;
	near->searches = isFirst ? 0 : near->searches;
	near->lag = isFirst ? 0.0 : near->lag;
	plWorld_FillAcross(world, tautness, near->across);
	near->energy->base.verbs->begin(&near->energy->base, substep);
	plNearEnergy_Clear(near->energy);
}

plResult plWorld_LagNear(plWorld* world)
{
	plNearEnergy* near = world->prepared.near->energy;
	plProblem* problem = world->prepared.problem;
	plResult result = plNearEnergy_LagFriction(near, world->q, world->pool, &world->heap);
	problem->touches = problem->touches || plNearEnergy_Rubs(near);
	if (world->balance)
		plNear_BeginBalance(world->prepared.near, world->q);
	return result;
}

// ---- bodies from afar -----------------------------------------------------------------------------------------------

static void findBox(const plWorld* world, plNearBody* body, const double* places)
{
	for (int k = 0; k < 3; ++k)
	{
		body->low[k] = INFINITY;
		body->high[k] = -INFINITY;
	}
	for (size_t i = body->first; i < body->first + body->count; ++i)
		for (int k = 0; k < 3 && world->prepared.boundary[i]; ++k)
		{
			body->low[k] = fmin(PL_AT(places, i)[k], body->low[k]);
			body->high[k] = fmax(PL_AT(places, i)[k], body->high[k]);
		}
}

double plNearBody_GetDistance(const plNearBody* a, const plNearBody* b)
{
	double square = 0.0;
	for (int k = 0; k < 3; ++k)
	{
		double gap = fmax(fmax(a->low[k] - b->high[k], b->low[k] - a->high[k]), 0.0);
		square += gap * gap;
	}
	return sqrt(square);
}

static void joinGroups(plNear* near, uint32_t a, uint32_t b)
{
	uint32_t from = near->bodies[a].group, to = near->bodies[b].group;
	uint32_t high = from > to ? from : to, low = from > to ? to : from;
	for (size_t i = 0; i < near->bodyCount; ++i)
		if (near->bodies[i].group == high)
			near->bodies[i].group = low;
}

// Bodies whose boxes are nearer than twice the reach are one group.
static void compareBodies(const plWorld* world, plNear* near, const double* places)
{
	for (uint32_t b = 0; b < near->bodyCount; ++b)
	{
		findBox(world, near->bodies + b, places);
		near->bodies[b].apart = INFINITY;
		near->bodies[b].group = b;
	}
	for (uint32_t a = 0; near->meetsOthers && a < near->bodyCount; ++a)
		for (uint32_t b = a + 1; b < near->bodyCount; ++b)
		{
			double apart = plNearBody_GetDistance(near->bodies + a, near->bodies + b);
			near->bodies[a].apart = fmin(near->bodies[a].apart, apart);
			near->bodies[b].apart = fmin(near->bodies[b].apart, apart);
			if (apart < 2.0 * near->reach && near->bodies[a].group != near->bodies[b].group)
				joinGroups(near, a, b);
		}
}

// ---- the search -----------------------------------------------------------------------------------------------------

typedef struct FillLoop
{
	plNear* near;
	const plNearPair* pairs;
} FillLoop;

// Is it as near at rest?
static bool isSilent(const plNear* near, const plNearPair* pair)
{
	double x[4][3];
	if (near->owner[pair->corners[0]] != near->owner[pair->corners[3]])
		return false;
	for (int k = 0; k < 4; ++k)
		memcpy(x[k], PL_AT(near->rest, pair->corners[k]), sizeof x[k]);
	return plNearest_GetDistance((plNearKind)pair->kind, x) < 1.5 * near->radius;
}

static void fillPairs(size_t begin, size_t end, void* context)
{
	const FillLoop* loop = context;
	plNearEnergy* energy = loop->near->energy;
	for (size_t p = begin; p < end; ++p)
	{
		memcpy(energy->base.vertices + 4 * p, loop->pairs[p].corners, sizeof loop->pairs[p].corners);
		energy->stiffness[p] = isSilent(loop->near, loop->pairs + p) ? 0.0 : 1.0;
	}
}

static void findApart(plNear* near)
{
	for (size_t i = 0; i < near->vertexCount; ++i)
		near->apart[i] = INFINITY;
	for (size_t p = 0; p < near->search.count; ++p)
		for (size_t k = 0; k < 4 && near->energy->stiffness[p] > 0.0; ++k)
		{
			double* apart = near->apart + near->search.pairs[p].corners[k];
			*apart = fmin(near->search.pairs[p].distance, *apart);
		}
}

static void findBalls(const plWorld* world, plNear* near)
{
	double* balls = near->energy->ball;
	plNearSearch_FindBalls(&near->search, near->reach, near->radius, balls, near->vertexCount);
	for (size_t b = 0; b < near->bodyCount; ++b)
	{
		const plNearBody* body = near->bodies + b;
		double most = near->meetsItself[b] ? 0.0 : 0.25 * (body->apart - near->radius);
		for (size_t i = body->first; i < body->first + body->count; ++i)
			balls[i] = world->prepared.boundary[i] ? fmax(most, balls[i]) : INFINITY;
	}
}

// Balls about `places` from pairs whose distances are known
static void placeBalls(plWorld* world, const double* places)
{
	plNear* near = world->prepared.near;
	findApart(near);
	memcpy(near->energy->reference, places, pl_quad * near->vertexCount * sizeof *places);
	compareBodies(world, near, places);
	findBalls(world, near);
}

// What the search found becomes the list of the energy; false: no memory
static bool takePairs(plWorld* world, const double* places)
{
	plNear* near = world->prepared.near;
	plNearEnergy* energy = near->energy;
	const plNearSearch* search = &near->search;
	plNear_DropSewn(near);
	plNear_DropIgnored(near);
	if (!plNearEnergy_Reserve(energy, search->count, &world->heap))
		return false;
	FillLoop loop = {near, search->pairs};
	plParallelFor(world->pool, search->count, 256, fillPairs, &loop);
	energy->base.elementCount = search->count;
	energy->faceCount = search->faceCount;
	plNearEnergy_Index(energy, near->rest);
	placeBalls(world, places);
	return true;
}

plResult plWorld_SearchNear(void* context, const double* places)
{
	plWorld* world = context;
	plNear* near = world->prepared.near;
	near->searches++;
	plNearEnergy_Clear(near->energy);
	bool fine = plNearSearch_Run(&near->search, &world->prepared.surfaces->tree, places, near->reach, world->pool,
	                             &world->heap);
	return fine && takePairs(world, places) ? pl_success : pl_errorMemory;
}

plResult plWorld_SearchAhead(void* context, const double* places, const double* ways, double scale, double* share)
{
	plWorld* world = context;
	plNear* near = world->prepared.near;
	near->searches++;
	plNearEnergy_Clear(near->energy);
	plNearWays along = {places, ways, scale};
	bool fine = plNearSearch_RunMoving(&near->search, &world->prepared.surfaces->tree, &along, near->reach, world->pool,
	                                   &world->heap);
	if (!fine || !takePairs(world, places))
		return pl_errorMemory;
	*share = 1.0;
	for (size_t p = 0; p < near->search.count; ++p)
		*share = fmin(near->search.pairs[p].way, *share);
	*share *= along.scale / scale;
	return pl_success;
}

static void follow(void* context, const double* places)
{
	plWorld* world = context;
	plNearSearch_Follow(&world->prepared.near->search, places, world->pool);
	placeBalls(world, places);
}

const plPairSource plWorld_pairs = {.search = plWorld_SearchNear, .searchAhead = plWorld_SearchAhead, .follow = follow};

// ---- crossings at the start -----------------------------------------------------------------------------------------

static uint32_t bodyOf(const plSurfaces* s, uint32_t triangle)
{
	size_t body = 0;
	while (s->triangleStart[body + 1] <= triangle)
		++body;
	return (uint32_t)body;
}

static plResult refuse(const plSurfaces* s, plCrossingPair pair, size_t count, plError* error)
{
	uint32_t a = bodyOf(s, pair.a), b = bodyOf(s, pair.b);
	return plFailAt(error, "intersections",
	                "contact: %zu pairs of triangles cross where bodies touch each other or themselves: the first are "
	                "triangle %zu of body %u and triangle %zu of body %u; move them apart, or set intersections to "
	                "ignore: then they do not touch until they have parted",
	                count, pair.a - s->triangleStart[a], s->bodies[a] + 1, pair.b - s->triangleStart[b],
	                s->bodies[b] + 1);
}

plResult plWorld_CheckNear(plWorld* world, plError* error)
{
	plNear* near = world->prepared.near;
	bool ignores = world->contactDef.intersections == pl_intersectionsIgnore;
	size_t fresh;
	plCrossingPair first;
	if (near->isChecked && near->crossedCount == 0)
		return pl_success;
	if (!plNear_FindCrossed(near, world->prepared.surfaces, world->q, ignores && !near->isTaken, world->pool,
	                        &world->heap, &first, &fresh) ||
	    !plWorld_ReserveCrossed(world, near->crossedCount))
		return plFail(error, pl_errorMemory, "not enough memory to look for crossings among %zu vertices",
		              world->layout.vertexCount);
	if (fresh > 0 && !ignores)
		return refuse(world->prepared.surfaces, first, fresh, error);
	near->isChecked = near->isTaken = true;
	return pl_success;
}

void plWorld_ReportNear(const plWorld* world, plStepReport* report)
{
	plNear* near = world->prepared.near;
	if (near == NULL)
		return;
	double gap = plNearEnergy_GetGap(near->energy, world->q, world->pool, &report->selfContacts);
	report->gap = report->selfContacts > 0 ? gap : 0.0;
	report->searches = near->searches;
	report->pinLag = near->lag;
}
