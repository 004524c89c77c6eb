// near_sunk.c: which pairs with shells do not count
//
// A body may begin inside of an obstacle, or cross its surface: a sheet that lies a little too deep on a table. A
// distance has no sign, so pairs would hold it where it is. It has sunk into the obstacle: the two are no surfaces to
// each other, and the push of vertices alone drives the body out, which has a sign (energy/push.h). They are surfaces
// again when no triangles cross, no vertex is inside, and no two were nearer than the radius in the substep before:
// so nothing begins to push at a blow.
//
// Who has sunk does not follow from where bodies are: what crosses later may not. So it is part of the state.
//
// Edges of shells between two faces in a plane, or in a groove, do not push either (shells.h).
#include "world.h"

#include <stdlib.h>

size_t plNear_GetShell(const plNear* near, size_t point)
{
	size_t low = 0, high = near->shells.count, v = point - near->vertexCount; // the last one that begins not behind it
	while (high - low > 1)
	{
		size_t middle = low + (high - low) / 2;
		if (near->shells.shells[middle].first <= v)
			low = middle;
		else
			high = middle;
	}
	return low;
}

// ---- pairs of a search ----------------------------------------------------------------------------------------------

static int compareSunk(const void* x, const void* y)
{
	const plSunk *a = x, *b = y;
	if (a->body != b->body)
		return a->body < b->body ? -1 : 1;
	return a->shell < b->shell ? -1 : a->shell > b->shell;
}

static plSunk* findSunk(plSunk* list, size_t count, uint32_t body, uint32_t shell)
{
	plSunk wanted = {.body = body, .shell = shell};
	return count > 0 ? bsearch(&wanted, list, count, sizeof wanted, compareSunk) : NULL;
}

// The body and the shell of which points are; false: no shell is among them
static bool getSides(const plNear* near, uint32_t a, uint32_t b, uint32_t* body, uint32_t* shell)
{
	bool isFirst = plNear_IsShell(near, a);
	if (!isFirst && !plNear_IsShell(near, b))
		return false;
	*body = near->owner[isFirst ? b : a];
	*shell = (uint32_t)plNear_GetShell(near, isFirst ? a : b);
	return true;
}

void plNear_DropPairs(plNear* near, bool (*goes)(plNear* near, const plNearPair* pair))
{
	plNearSearch* search = &near->search;
	size_t kept = 0, faces = 0;
	for (size_t p = 0; p < search->count; ++p)
	{
		if (goes(near, search->pairs + p))
			continue;
		faces += p < search->faceCount;
		search->pairs[kept++] = search->pairs[p];
	}
	search->count = kept;
	search->faceCount = faces;
}

bool plNear_IsPlain(const plNear* near, const plNearPair* pair)
{
	uint32_t n = (uint32_t)near->vertexCount; // edges of shells are the second ones: their numbers are higher
	return pair->kind == pl_nearEdges && pair->corners[2] >= n &&
	       near->shells.shells[plNear_GetShell(near, pair->corners[2])].isWhole &&
	       plShells_IsPlain(&near->shells, pair->corners[2] - n, pair->corners[3] - n);
}

// On the way of a shell that moves, whose vertices go on straight lines, they bound how far it may go.
static bool isNone(plNear* near, const plNearPair* pair)
{
	return plNear_IsPlain(near, pair) && near->shells.shells[plNear_GetShell(near, pair->corners[2])].isStill;
}

void plNear_DropPlain(plNear* near)
{
	if (near->shells.plainCount > 0)
		plNear_DropPairs(near, isNone);
}

static bool isOfSunk(plNear* near, const plNearPair* pair)
{
	uint32_t body, shell;
	if (!getSides(near, pair->corners[0], pair->corners[3], &body, &shell))
		return false;
	plSunk* sunk = findSunk(near->sunk, near->sunkCount, body, shell);
	if (sunk != NULL && pair->distance < near->radius)
		sunk->isNear = 1;
	return sunk != NULL;
}

void plNear_DropSunk(plNear* near)
{
	if (near->sunkCount > 0)
		plNear_DropPairs(near, isOfSunk);
}

// ---- who has sunk ---------------------------------------------------------------------------------------------------

static bool reserve(plNear* near, size_t count, plHeap* heap)
{
	return plGrowArray(heap, &near->sunk, &near->sunkRoom, count, sizeof *near->sunk);
}

// Bodies and shells that cross stand behind the `count` of before; how many there are then
static size_t addCrossing(plNear* near, const plSurfaces* s, size_t count)
{
	size_t first = count;
	uint32_t body, shell;
	for (size_t i = 0; i < s->search.count; ++i)
	{
		uint32_t a = s->tree.corners[3 * (size_t)near->placeOf[s->search.pairs[i].a]];
		uint32_t b = s->tree.corners[3 * (size_t)near->placeOf[s->search.pairs[i].b]];
		if (plNear_IsShell(near, a) && plNear_IsShell(near, b))
			continue;
		if (getSides(near, a, b, &body, &shell) &&
		    (count == first || near->sunk[count - 1].body != body || near->sunk[count - 1].shell != shell))
			near->sunk[count++] = (plSunk){body, shell, 1};
	}
	return count;
}

bool plNear_NoteCrossing(plNear* near, const plSurfaces* s, plHeap* heap)
{
	near->crossingSunk = near->sunkCount;
	if (near->shells.count == 0)
		return true;
	if (!reserve(near, near->sunkCount + s->search.count, heap))
		return false;
	near->crossingSunk = addCrossing(near, s, near->sunkCount);
	return true;
}

// Is a vertex on the surface of the body inside of the obstacle, as both are when the substep begins?
static bool isInside(const plWorld* world, const plNear* near, uint32_t body, uint32_t shell, const double* q)
{
	const plPushCollider* at = world->prepared.push->colliders + near->shells.shells[shell].obstacle;
	const plBox* box = near->boxes + near->softCount + shell;
	const plNearBody* b = near->bodies + body;
	for (size_t i = b->first; i < b->first + b->count; ++i)
	{
		double X[3];
		plDistance d;
		if (!plNear_IsOnSurface(world, near, i) || plBox_GetSquare(box, PL_AT(q, i)) > 0.0)
			continue;
		memcpy(X, PL_AT(q, i), sizeof X);
		if (at->isMoved)
			plPushCollider_ToShape(at, &at->before, PL_AT(q, i), X);
		at->distance(at->shapeBefore, X, &d);
		if (d.phi < 0.0)
			return true;
	}
	return false;
}

static bool addInside(const plWorld* world, plNear* near, const double* q, size_t* count, plHeap* heap)
{
	for (uint32_t b = 0; b < near->softCount; ++b)
		for (uint32_t s = 0; s < near->shells.count; ++s)
		{
			if (!plBox_Overlaps(near->boxes + b, near->boxes + near->softCount + s) || !isInside(world, near, b, s, q))
				continue;
			if (!reserve(near, *count + 1, heap))
				return false;
			near->sunk[(*count)++] = (plSunk){b, s, 1};
		}
	return true;
}

static void sortSunk(plNear* near, size_t count)
{
	near->sunkCount = 0;
	if (count > 1)
		qsort(near->sunk, count, sizeof *near->sunk, compareSunk);
	for (size_t i = 0; i < count; ++i)
		if (near->sunkCount == 0 || compareSunk(near->sunk + near->sunkCount - 1, near->sunk + i) != 0)
			near->sunk[near->sunkCount++] = near->sunk[i];
}

// Those of before that have not come out; what crosses stands behind them
static void keepSunk(const plWorld* world, plNear* near, const double* q)
{
	size_t before = near->sunkCount, kept = 0;
	plSunk* crossing = near->sunk + before;
	size_t crossings = near->crossingSunk - before;
	if (crossings > 1)
		qsort(crossing, crossings, sizeof *crossing, compareSunk);
	for (size_t i = 0; i < before; ++i)
	{
		plSunk s = near->sunk[i];
		if (s.isNear || findSunk(crossing, crossings, s.body, s.shell) != NULL ||
		    isInside(world, near, s.body, s.shell, q))
			near->sunk[kept++] = (plSunk){s.body, s.shell, 0};
	}
	near->sunkCount = kept;
}

bool plNear_FindSunk(plWorld* world, plNear* near, const double* q)
{
	size_t count = near->crossingSunk;
	plNear_CompareBodies(world, near, q); // boxes
	if (near->knowsSunk)
		keepSunk(world, near, q);
	else
	{
		near->sunkCount = 0;
		if (!addInside(world, near, q, &count, &world->heap))
			return false;
		sortSunk(near, count);
	}
	near->knowsSunk = true;
	return plWorld_ReserveSunk(world, near->sunkCount);
}

// ---- between steps, and in saved states -----------------------------------------------------------------------------

bool plWorld_ReserveSunk(plWorld* world, size_t count)
{
	return plGrowArray(&world->heap, &world->sunk, &world->sunkRoom, count, sizeof *world->sunk);
}

bool plWorld_SpreadSunk(plWorld* world, plNear* near)
{
	if (!reserve(near, world->sunkCount, &world->heap))
		return false;
	if (world->sunkCount > 0)
		memcpy(near->sunk, world->sunk, world->sunkCount * sizeof *near->sunk);
	near->sunkCount = near->crossingSunk = world->sunkCount;
	near->knowsSunk = world->knowsSunk;
	return true;
}

void plWorld_KeepSunk(plWorld* world)
{
	const plNear* near = world->prepared.near;
	world->knowsSunk = near != NULL && near->knowsSunk;
	world->sunkCount = near != NULL ? near->sunkCount : 0;
	if (world->sunkCount > 0)
		memcpy(world->sunk, near->sunk, world->sunkCount * sizeof *near->sunk);
}

void plWorld_ForgetSunk(plWorld* world)
{
	world->knowsSunk = false;
	world->sunkCount = 0;
	if (world->prepared.near != NULL)
		plWorld_SpreadSunk(world, world->prepared.near);
}
