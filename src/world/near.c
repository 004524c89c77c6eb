// near.c: contact of surfaces with surfaces: bodies with each other, and cloth with itself
//
// The search about a state: pairs go to the energy, balls to the methods (problem/pairs.h). near_choice.c says who
// meets.
//
//   b_v <= (reach - r)/2             of what meets itself, and of what is near another body
//   b_v <= (apart - r)/4             of other bodies, `apart` the distance of boxes of bodies that meet
//
// Vertices inside of bodies are on no surface and have no ball. Pairs of one body that are nearer than 1.5 r at rest
// carry no energy, but bound motion: the surface itself is that fine there.
#include "world.h"
#include "../collide/near_lag.h"

#include <math.h>

// The strain of a membrane whose tension a push bears. Less than against colliders (obstacles.c): near 0 the push
// grows without bound anyway.
static const double tautness = 0.01;

// ---- life -----------------------------------------------------------------------------------------------------------

static void destroyNear(plNear* near, plHeap* heap)
{
	size_t n = near->vertexCount, points = near->pointCount;
	if (near->energy != NULL)
		plEnergy_Destroy(&near->energy->base, heap);
	plNearSearch_Destroy(&near->search, heap);
	if (near->own != NULL)
		plSurfaces_Destroy(near->own, heap);
	plShells_Destroy(&near->shells, heap);
	PL_FREE(heap, near->bodies, near->bodyCount);
	PL_FREE(heap, near->boxes, near->bodyCount);
	plBoxTree_Destroy(&near->bodyTree, heap);
	PL_FREE(heap, near->meetsItself, near->bodyCount + 1);
	PL_FREE(heap, near->meetsNow, near->bodyCount + 1);
	PL_FREE(heap, near->isOut, near->bodyCount + 1);
	plNear_DropSpreads(near, heap);
	PL_FREE(heap, near->owner, points);
	PL_FREE(heap, near->callers, points);
	PL_FREE(heap, near->across, n);
	PL_FREE(heap, near->rest, pl_quad * points);
	PL_FREE(heap, near->place, pl_quad * points);
	PL_FREE(heap, near->about, pl_quad * points);
	PL_FREE(heap, near->ways, pl_quad * points);
	PL_FREE(heap, near->apart, points);
	PL_FREE(heap, near->shift, near->bodyCount);
	PL_FREE(heap, near->partial, near->partialCount);
	PL_FREE(heap, near->crossed, near->crossedRoom);
	PL_FREE(heap, near->ignored, near->ignoredRoom);
	PL_FREE(heap, near->placeOf, near->placeRoom);
	PL_FREE(heap, near->sunk, near->sunkRoom);
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

static void listBodies(const plWorld* world, plNear* near)
{
	uint32_t b = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		near->bodies[b] = (plNearBody){.first = body->vertexStart, .count = body->vertexCount};
		near->meetsItself[b] = near->meetsNow[b] = plWorld_MeetsItself(world, body);
		for (size_t i = 0; i < body->vertexCount; ++i)
		{
			near->owner[body->vertexStart + i] = b;
			near->callers[body->vertexStart + body->internalOf[i]] = (uint32_t)i;
		}
		++b;
	}
	for (size_t i = 0; i < near->shells.count; ++i, ++b)
	{
		const plShell* shell = near->shells.shells + i;
		near->bodies[b] = (plNearBody){.first = near->vertexCount + shell->first, .count = shell->count};
		for (size_t v = 0; v < shell->count; ++v)
		{
			near->owner[near->bodies[b].first + v] = (uint32_t)near->softCount;
			near->callers[near->bodies[b].first + v] = (uint32_t)v;
		}
	}
	near->search.owner = near->owner;
	near->search.meetsItself = near->meetsNow;
	near->search.isOut = near->isOut;
	near->search.meetsOthers = near->meetsOthers;
}

// Triangles of bodies, and of shells behind them
plSurfaces* plNear_GetSurfaces(const plWorld* world, const plNear* near)
{
	return near->own != NULL ? near->own : world->prepared.surfaces;
}

static bool prepareSearch(plWorld* world, plNear* near)
{
	if (plWorld_NeedSurfaces(world) == NULL)
		return false;
	if (near->shells.count > 0)
	{
		memcpy(near->place, world->q, pl_quad * near->vertexCount * sizeof *near->place);
		memcpy(PL_AT(near->place, near->vertexCount), PL_AT(near->rest, near->vertexCount),
		       pl_quad * near->shells.vertexCount * sizeof *near->place);
		near->own = plWorld_MakeSurfaces(world, &near->shells, near->place);
	}
	return (near->own != NULL || near->shells.count == 0) &&
	       plNearSearch_Prepare(&near->search, &plNear_GetSurfaces(world, near)->tree, &world->heap);
}

// Room, bodies and their surfaces; false: no memory
static bool listSurfaces(plWorld* world, plNear* near)
{
	plHeap* heap = &world->heap;
	near->meetsOthers = plWorld_BodiesMeet(world);
	if (near->meetsOthers && !plShells_Create(&near->shells, world, heap))
		return false;
	size_t n = world->layout.vertexCount, softs = world->softs.liveCount;
	size_t points = n + near->shells.vertexCount, bodies = softs + near->shells.count;
	near->vertexCount = n;
	near->pointCount = points;
	near->softCount = softs;
	near->liveCount = points;
	near->bodyCount = near->liveBodies = bodies;
	near->partialCount = plPartialCount(points, 2);
	near->bodies = PL_NEW(heap, plNearBody, bodies);
	near->boxes = PL_NEW_ZERO(heap, plBox, bodies);
	near->meetsItself = PL_NEW_ZERO(heap, bool, bodies + 1);
	near->meetsNow = PL_NEW_ZERO(heap, bool, bodies + 1);
	near->isOut = PL_NEW_ZERO(heap, bool, bodies + 1);
	near->owner = PL_NEW(heap, uint32_t, points);
	near->callers = PL_NEW(heap, uint32_t, points);
	near->across = PL_NEW_ZERO(heap, double, n);
	near->rest = PL_NEW_ZERO(heap, double, pl_quad* points);
	near->place = PL_NEW_ZERO(heap, double, pl_quad* points);
	near->about = PL_NEW_ZERO(heap, double, pl_quad* points);
	near->ways = PL_NEW_ZERO(heap, double, pl_quad* points);
	near->apart = PL_NEW(heap, double, points);
	near->sewnStart = PL_NEW_ZERO(heap, size_t, n + 1);
	near->shift = PL_NEW_ZERO(heap, plNearShift, bodies);
	near->partial = PL_NEW(heap, double, near->partialCount);
	if (!near->bodies || !near->boxes || !near->meetsItself || !near->meetsNow || !near->isOut || !near->owner ||
	    !near->callers || !near->across || !near->rest || !near->place || !near->about || !near->ways || !near->apart ||
	    !near->shift || !near->sewnStart || !near->partial)
		return false;
	listBodies(world, near);
	if (!plBoxTree_Build(&near->bodyTree, near->boxes, bodies, heap))
		return false;
	plWorld_GetRest(world, near->rest);
	plShells_GetRest(&near->shells, world, PL_AT(near->rest, n));
	return plNear_ListSewn(world, near) && prepareSearch(world, near) && plWorld_SpreadCrossed(world, near);
}

// Once elements are prepared; false: no memory
static bool makeEnergy(plWorld* world, plNear* near)
{
	plHeap* heap = &world->heap;
	size_t shellCount = near->shells.vertexCount;
	const double* shell = PL_AT(near->place, near->vertexCount);
	near->energy =
	    plNearEnergy_Create(near->vertexCount, shellCount, near->radius, world->mass, near->across, shell, heap);
	if (near->energy == NULL || !plWorld_NeedBoundary(world))
		return false;
	double friction = plContactDef_GetPairFriction(&world->contactDef);
	if (friction <= 0.0 && shellCount == 0)
		return true;
	near->energy->friction = plNearFriction_Create(near->vertexCount, shellCount, friction, heap);
	if (near->energy->friction == NULL)
		return false;
	near->energy->friction->shell = shell;
	near->energy->friction->rough = near->shells.rough;
	return plWorld_SpreadNearGrips(world, near);
}

// What does not need elements: surfaces, thickness and reach. NULL: error
static plNear* openNear(plWorld* world, plError* error)
{
	double edge, thickness;
	if (plNear_MeasureBodies(world, &edge, &thickness, error) < 0)
		return NULL;
	plNear* near = PL_NEW_ZERO(&world->heap, plNear, 1);
	if (near != NULL && listSurfaces(world, near) && plNear_ChooseRadius(world, near, edge, thickness))
		return near;
	if (near != NULL)
		destroyNear(near, &world->heap);
	plFail(error, pl_errorMemory, "not enough memory for the surfaces of %zu vertices", world->layout.vertexCount);
	return NULL;
}

plResult plWorld_AskNear(plWorld* world, double* radius, size_t* crossings, plError* error)
{
	plError local;
	error = error != NULL ? error : &local;
	plNear* near = openNear(world, error); // one of its own: that of a step keeps what it knows
	if (near == NULL)
		return error->code;
	plCrossingPair first;
	bool fine = plNear_FindCrossed(near, plNear_GetSurfaces(world, near), plNear_PutAbout(near, world->q), false,
	                               world->pool, &world->heap, &first, crossings);
	*radius = near->radius;
	destroyNear(near, &world->heap);
	return fine ? pl_success
	            : plFail(error, pl_errorMemory, "not enough memory to look for crossings among %zu vertices",
	                     world->layout.vertexCount);
}

plResult plWorld_PrepareNear(plWorld* world, plError* error)
{
	plPrepared* p = &world->prepared;
	if (!plWorld_AnyMeet(world))
		return pl_success;
	if (p->near != NULL && plNear_ListSewn(world, p->near))
		return pl_success;
	if (p->near != NULL)
		return plFail(error, pl_errorMemory, "not enough memory for the seams of %zu vertices",
		              world->layout.vertexCount);
	plNear* near = openNear(world, error);
	if (near == NULL)
		return error->code;
	if (makeEnergy(world, near) && plNear_MakeSpreads(world, near) &&
	    plWorld_ReserveShells(world, 3 * near->shells.vertexCount))
	{
		p->near = near;
		return pl_success;
	}
	destroyNear(near, &world->heap);
	return plFail(error, pl_errorMemory, "not enough memory for the surfaces of %zu vertices",
	              world->layout.vertexCount);
}

// Where it is left to the world whether surfaces touch, another method may decide otherwise.
void plWorld_FollowMethod(plWorld* world)
{
	plNear* near = world->prepared.near;
	bool any = plWorld_AnyMeet(world), fits = near == NULL;
	if (near != NULL && any)
	{
		fits = near->meetsOthers == plWorld_BodiesMeet(world) &&
		       near->shells.vertexCount == (near->meetsOthers ? plWorld_CountShellVertices(world) : 0);
		PL_EACH(const plSoftBody, body, &world->softs)
			fits = fits && near->meetsItself[near->owner[body->vertexStart]] == plWorld_MeetsItself(world, body);
	}
	if (fits && (near != NULL) == any)
		return;
	plWorld_UnprepareProblem(world);
	plWorld_DropNear(world);
}

void plWorld_BeginNear(plWorld* world, const plSubstep* substep, bool isFirst)
{
	plNear* near = world->prepared.near;
	if (near == NULL)
		return;
	near->searches = isFirst ? 0 : near->searches;
	near->lag = isFirst ? 0.0 : fmax(near->lagNow, near->lag);
	near->lagNow = 0.0;
	near->ms = 0.0;
	near->isLeftOut = false;
	world->prepared.problem->objective->meet(world->prepared.problem, true); // a step that failed may have left it out
	plWorld_FillAcross(world, tautness, near->across);
	near->energy->base.verbs->begin(&near->energy->base, substep);
	plNearEnergy_Clear(near->energy);
	if (near->shells.count > 0)
		plWorld_MoveShells(world, near, isFirst);
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

// ---- the search -----------------------------------------------------------------------------------------------------

enum
{
	pairGrain = 256,
};

typedef struct FillLoop
{
	plNear* near;
	const plNearPair* pairs;
} FillLoop;

// Pairs of one body that are as near at rest are silent, and edges of shells that are none.
static void fillPairs(size_t begin, size_t end, void* context)
{
	const FillLoop* loop = context;
	const plNear* near = loop->near;
	plNearEnergy* energy = near->energy;
	double atRest[pairGrain];
	for (size_t p = begin; p < end; ++p)
	{
		const uint32_t* corners = loop->pairs[p].corners;
		size_t place = (p - begin) % pairGrain;
		if (place == 0)
			plNearPairs_Measure(loop->pairs + p, end - p < pairGrain ? end - p : pairGrain, near->rest, atRest);
		bool isSilent = near->owner[corners[0]] == near->owner[corners[3]] && atRest[place] < 1.5 * near->radius;
		isSilent = isSilent || plNear_IsPlain(near, loop->pairs + p);
		memcpy(energy->base.vertices + 4 * p, corners, 4 * sizeof *corners);
		energy->stiffness[p] = isSilent ? 0.0 : 1.0;
	}
}

static void findApart(plNear* near)
{
	for (size_t i = 0; i < near->liveCount; ++i)
		near->apart[i] = INFINITY;
	for (size_t p = 0; p < near->search.count; ++p)
		for (size_t k = 0; k < 4 && near->energy->stiffness[p] > 0.0; ++k)
		{
			double* apart = near->apart + near->search.pairs[p].corners[k];
			*apart = fmin(near->search.pairs[p].distance, *apart);
		}
}

// Of shells that are settled only what is in a pair is looked at, and the least ball of each is known.
static void findLeastBalls(plNear* near, bool begins)
{
	double all = 0.5 * (near->reach - near->radius);
	for (size_t b = near->liveBodies; b < near->bodyCount; ++b)
		near->bodies[b].ball = all;
	for (size_t p = 0; p < near->search.count && near->liveBodies < near->bodyCount; ++p)
		for (size_t k = 0; k < 4; ++k)
		{
			uint32_t v = near->search.pairs[p].corners[k];
			if (v < near->liveCount)
				continue;
			double* least = &near->bodies[near->softCount + plNear_GetShell(near, v)].ball;
			double* ball = near->energy->ball + v;
			*ball = begins ? all : *ball;
			*least = fmin(*ball, *least);
		}
}

static void findBalls(const plWorld* world, plNear* near)
{
	double* balls = near->energy->ball;
	findLeastBalls(near, true);
	plNearSearch_FindBalls(&near->search, near->reach, near->radius, balls, near->liveCount);
	findLeastBalls(near, false);
	for (size_t b = 0; b < near->bodyCount; ++b)
	{
		plNearBody* body = near->bodies + b;
		double most = near->meetsNow[b] ? 0.0 : 0.25 * (body->apart - near->radius);
		if (b >= near->liveBodies)
			body->ball = fmax(most, body->ball);
		for (size_t i = body->first; b < near->liveBodies && i < body->first + body->count; ++i)
			balls[i] = plNear_IsOnSurface(world, near, i) ? fmax(most, balls[i]) : INFINITY;
	}
}

// Balls about `places` of all points from pairs whose distances are known
static void placeBalls(plWorld* world, const double* places)
{
	plNear* near = world->prepared.near;
	findApart(near);
	memcpy(near->energy->reference, places, pl_quad * near->liveCount * sizeof *places);
	plNearEnergy_SetPlaces(near->energy, places, near->liveCount);
	for (size_t p = 0; p < near->search.count; ++p)
		near->energy->distance[p] = near->search.pairs[p].distance;
	plNear_CompareBodies(world, near, places);
	findBalls(world, near);
	near->energy->revision++; // sweeps go by balls, too
}

// What the search found becomes the list of the energy; false: no memory
static bool takePairs(plWorld* world, const double* places)
{
	plNear* near = world->prepared.near;
	plNearEnergy* energy = near->energy;
	const plNearSearch* search = &near->search;
	plNear_DropSewn(near);
	plNear_DropIgnored(near);
	plNear_DropPlain(near);
	plNear_DropSunk(near);
	if (!plNearEnergy_Reserve(energy, search->count, &world->heap))
		return false;
	FillLoop loop = {near, search->pairs};
	plParallelFor(world->pool, search->count, pairGrain, fillPairs, &loop);
	energy->base.elementCount = search->count;
	energy->faceCount = search->faceCount;
	plNearEnergy_Index(energy, near->rest);
	placeBalls(world, places);
	return true;
}

// Boxes of bodies are known. Who does not meet itself, and is farther from others than the reach, is in no pair. Are
// all?
static bool findOut(plNear* near)
{
	near->members = 0;
	for (uint32_t b = 0; b < near->bodyCount; ++b)
	{
		bool isOut = !near->meetsNow[b] && near->bodies[b].apart >= near->reach;
		near->isOut[b] = isOut && b < near->softCount; // shells have one owner
		near->members += !isOut;
	}
	return near->members == 0;
}

static plResult search(plWorld* world, const double* places)
{
	plNear* near = world->prepared.near;
	near->searches++;
	plNearEnergy_Clear(near->energy);
	places = plNear_PutAbout(near, places);
	plTriangleTree* tree = &plNear_GetSurfaces(world, near)->tree;
	plNear_FreshenTree(near, plNear_GetSurfaces(world, near));
	plNear_CompareBodies(world, near, places);
	near->search.count = near->search.faceCount = 0;
	bool fine = findOut(near) || plNearSearch_Run(&near->search, tree, places, near->reach, world->pool, &world->heap);
	return fine && takePairs(world, places) ? pl_success : pl_errorMemory;
}

static plResult searchAhead(plWorld* world, const double* places, const double* ways, double scale, double* share)
{
	plNear* near = world->prepared.near;
	near->searches++;
	plNearEnergy_Clear(near->energy);
	places = plNear_PutAbout(near, places);
	if (near->shells.count > 0) // which stand still
		memcpy(near->ways, ways, pl_quad * near->vertexCount * sizeof *ways);
	plNearWays along = {places, near->shells.count > 0 ? near->ways : ways, scale};
	plNear_FreshenTree(near, plNear_GetSurfaces(world, near));
	plNear_FitBoxes(world, near, places, false);
	plNear_GrowBoxes(world, near, &along);
	plNear_CompareBoxes(world, near);
	near->search.count = near->search.faceCount = 0;
	bool fine = findOut(near) || plNearSearch_RunMoving(&near->search, &plNear_GetSurfaces(world, near)->tree, &along,
	                                                    near->reach, world->pool, &world->heap);
	if (!fine || !takePairs(world, places))
		return pl_errorMemory;
	*share = 1.0;
	for (size_t p = 0; p < near->search.count; ++p)
		*share = fmin(near->search.pairs[p].way, *share);
	*share *= along.scale / scale;
	return pl_success;
}

plResult plWorld_SearchNear(void* context, const double* places)
{
	plWorld* world = context;
	double mark = plNow();
	plResult result = search(world, places);
	world->prepared.near->ms += plMilliseconds(mark);
	return result;
}

plResult plWorld_SearchAhead(void* context, const double* places, const double* ways, double scale, double* share)
{
	plWorld* world = context;
	double mark = plNow();
	plResult result = searchAhead(world, places, ways, scale, share);
	world->prepared.near->ms += plMilliseconds(mark);
	return result;
}

static void follow(void* context, const double* places)
{
	plWorld* world = context;
	double mark = plNow();
	places = plNear_PutAbout(world->prepared.near, places);
	plNearSearch_Follow(&world->prepared.near->search, places, world->pool);
	placeBalls(world, places);
	world->prepared.near->ms += plMilliseconds(mark);
}

double plWorld_TakeSearchMs(plWorld* world)
{
	if (world->prepared.near == NULL)
		return 0.0;
	double ms = world->prepared.near->ms;
	world->prepared.near->ms = 0.0;
	return ms;
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
	bool mayBeIn = near->shells.count > 0 && (!near->knowsSunk || near->sunkCount > 0);
	if (near->isChecked && near->crossedCount == 0 && !mayBeIn)
		return pl_success;
	const double* q = plNear_PutAbout(near, world->q);
	if (!plNear_FindCrossed(near, plNear_GetSurfaces(world, near), q, ignores && !near->isTaken, world->pool,
	                        &world->heap, &first, &fresh) ||
	    (mayBeIn && !plNear_FindSunk(world, near, q)) || !plWorld_ReserveCrossed(world, near->crossedCount))
		return plFail(error, pl_errorMemory, "not enough memory to look for crossings among %zu vertices",
		              world->layout.vertexCount);
	if (fresh > 0 && !ignores)
		return refuse(plNear_GetSurfaces(world, near), first, fresh, error);
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
	report->pinLag = fmax(near->lagNow, near->lag);
}
