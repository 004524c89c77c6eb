// near_crossed.c: triangles that cross from the start, whose pairs do not count until they have parted
//
// A pair of a search belongs to two triangles that cross if one side of it is a corner or an edge of the one, and the
// other side is the other triangle or an edge of it. Such pairs neither push nor bound, so that the triangles may part;
// as soon as they have, their pairs count again. All others count throughout, also those of their neighbours.
//
// Which they are does not follow from where bodies are: what has crossed since then counts. So it is part of the state.
// The world has the list of the end of its last step; while a step runs, plNear has it. A saved state has triangles by
// their places among those of all bodies, in the order of bodies: these follow from the bodies' meshes.
#include "world.h"

#include <stdlib.h>

enum
{
	keysOfCrossing = 15, // three vertices and a triangle, twice; three edges and three edges
};

static bool meet(const plNear* near, uint32_t v, uint32_t w)
{
	return near->owner[v] == near->owner[w] ? near->meetsItself[near->owner[v]] : near->meetsOthers;
}

static int compareCrossings(const void* x, const void* y)
{
	const plCrossingPair *p = x, *q = y;
	return p->a != q->a ? (p->a < q->a ? -1 : 1) : p->b != q->b ? (p->b < q->b ? -1 : 1) : 0;
}

// ---- their pairs ----------------------------------------------------------------------------------------------------

static plNearPair faceKey(uint32_t vertex, const uint32_t* triangle)
{
	return (plNearPair){.kind = pl_nearFace, .corners = {vertex, triangle[0], triangle[1], triangle[2]}};
}

// Lower vertices first, and the lower edge
static plNearPair edgeKey(const uint32_t* a, size_t i, const uint32_t* b, size_t j)
{
	uint32_t e[2] = {a[i], a[(i + 1) % 3]}, f[2] = {b[j], b[(j + 1) % 3]};
	plNearPair key = {.kind = pl_nearEdges};
	uint32_t eLow = e[0] < e[1] ? e[0] : e[1], eHigh = e[0] < e[1] ? e[1] : e[0];
	uint32_t fLow = f[0] < f[1] ? f[0] : f[1], fHigh = f[0] < f[1] ? f[1] : f[0];
	bool isFirst = eLow < fLow;
	const uint32_t corners[4] = {isFirst ? eLow : fLow, isFirst ? eHigh : fHigh, isFirst ? fLow : eLow,
	                             isFirst ? fHigh : eHigh};
	memcpy(key.corners, corners, sizeof corners);
	return key;
}

static void listPairs(plNear* near, const plTriangleTree* tree)
{
	plNearPair* to = near->ignored;
	for (size_t c = 0; c < near->crossedCount; ++c)
	{
		const uint32_t* a = tree->corners + 3 * (size_t)near->placeOf[near->crossed[c].a];
		const uint32_t* b = tree->corners + 3 * (size_t)near->placeOf[near->crossed[c].b];
		for (size_t i = 0; i < 3; ++i)
		{
			*to++ = faceKey(a[i], b);
			*to++ = faceKey(b[i], a);
			for (size_t j = 0; j < 3; ++j)
				*to++ = edgeKey(a, i, b, j);
		}
	}
	near->ignoredCount = keysOfCrossing * near->crossedCount;
	if (near->ignoredCount > 1)
		qsort(near->ignored, near->ignoredCount, sizeof *near->ignored, plNearPair_Compare);
}

void plNear_DropIgnored(plNear* near)
{
	plNearSearch* search = &near->search;
	size_t kept = 0, faces = 0;
	if (near->ignoredCount == 0)
		return;
	for (size_t p = 0, key = 0; p < search->count; ++p)
	{
		while (key < near->ignoredCount && plNearPair_Compare(near->ignored + key, search->pairs + p) < 0)
			++key;
		if (key < near->ignoredCount && plNearPair_Compare(near->ignored + key, search->pairs + p) == 0)
			continue;
		faces += p < search->faceCount;
		search->pairs[kept++] = search->pairs[p];
	}
	search->count = kept;
	search->faceCount = faces;
}

// ---- crossings ------------------------------------------------------------------------------------------------------

// Those that crossed before and cross now, or, if they are taken, all that cross now. `found` is sorted.
static void keepCrossed(plNear* near, const plCrossingPair* found, size_t count, bool takes)
{
	size_t kept = 0;
	for (size_t i = 0, known = 0; i < count; ++i)
	{
		while (known < near->crossedCount && compareCrossings(near->crossed + known, found + i) < 0)
			++known;
		if (takes || (known < near->crossedCount && compareCrossings(near->crossed + known, found + i) == 0))
			near->crossed[kept++] = found[i];
	}
	near->crossedCount = kept;
}

static bool reserve(plNear* near, size_t count, plHeap* heap)
{
	return plGrowArray(heap, &near->crossed, &near->crossedRoom, count, sizeof *near->crossed) &&
	       plGrowArray(heap, &near->ignored, &near->ignoredRoom, keysOfCrossing * count, sizeof *near->ignored);
}

// Crossings of triangles that meet, moved to the front of those that were found; how many
static size_t selectMeeting(const plNear* near, plSurfaces* s)
{
	size_t count = 0;
	for (size_t i = 0; i < s->search.count; ++i)
	{
		plCrossingPair pair = s->search.pairs[i];
		const uint32_t* a = s->tree.corners + 3 * (size_t)near->placeOf[pair.a];
		const uint32_t* b = s->tree.corners + 3 * (size_t)near->placeOf[pair.b];
		if (!plNear_IsShell(near, *a) && !plNear_IsShell(near, *b) && meet(near, *a, *b) &&
		    !plNear_AreSewn(near, a, 3, b, 3))
			s->search.pairs[count++] = pair;
	}
	return count;
}

bool plNear_FindCrossed(plNear* near, plSurfaces* s, const double* places, bool takes, plPool* pool, plHeap* heap,
                        plCrossingPair* first, size_t* fresh)
{
	*fresh = 0;
	plNear_FreshenTree(near, s);
	plTriangleTree_Refit(&s->tree, places, 0.0, pool);
	if (!plGrowArray(heap, &near->placeOf, &near->placeRoom, s->tree.count, sizeof *near->placeOf) ||
	    !plCrossingSearch_Run(&s->search, &s->tree, pool, heap))
		return false;
	for (uint32_t t = 0; t < s->tree.count; ++t)
		near->placeOf[s->tree.sources[t]] = t;
	if (!plNear_NoteCrossing(near, s, heap))
		return false;
	*fresh = selectMeeting(near, s);
	if (!reserve(near, takes ? *fresh : near->crossedCount, heap))
		return false;
	if (*fresh > 0)
		*first = s->search.pairs[0];
	keepCrossed(near, s->search.pairs, *fresh, takes);
	listPairs(near, &s->tree);
	return true;
}

// ---- between steps, and in saved states -----------------------------------------------------------------------------

bool plWorld_ReserveCrossed(plWorld* world, size_t count)
{
	plNear* near = world->prepared.near;
	return plGrowArray(&world->heap, &world->crossed, &world->crossedRoom, count, sizeof *world->crossed) &&
	       (near == NULL || reserve(near, count, &world->heap));
}

static void copyCrossed(plCrossingPair* to, const plCrossingPair* from, size_t count)
{
	if (count > 0)
		memcpy(to, from, count * sizeof *to);
}

bool plWorld_SpreadCrossed(plWorld* world, plNear* near)
{
	if (!reserve(near, world->crossedCount, &world->heap))
		return false;
	copyCrossed(near->crossed, world->crossed, world->crossedCount);
	near->crossedCount = world->crossedCount;
	near->isTaken = world->knowsCrossed;
	near->isChecked = false;
	return plWorld_SpreadSunk(world, near);
}

void plWorld_KeepCrossed(plWorld* world)
{
	const plNear* near = world->prepared.near;
	world->knowsCrossed = near != NULL && near->isTaken;
	world->crossedCount = near != NULL ? near->crossedCount : 0;
	PL_ASSERT(world->crossedCount <= world->crossedRoom, "there is room for all triangles that cross");
	if (near != NULL)
		copyCrossed(world->crossed, near->crossed, near->crossedCount);
	plWorld_KeepSunk(world);
}

void plWorld_ForgetCrossed(plWorld* world)
{
	world->knowsCrossed = false;
	world->crossedCount = 0;
	plWorld_ForgetSunk(world);
	if (world->prepared.near != NULL)
		plWorld_SpreadCrossed(world, world->prepared.near);
}

plResult plWorld_CheckCrossed(plWorld* world, const char* in, size_t count, plError* error)
{
	plCrossingPair last = {0, 0}, pair;
	const plSurfaces* surfaces = count > 0 ? plWorld_NeedSurfaces(world) : NULL;
	if (count > 0 && surfaces == NULL)
		return plFail(error, pl_errorMemory, "not enough memory for the surfaces of a state");
	for (size_t i = 0; i < count; ++i, in += sizeof pair)
	{
		memcpy(&pair, in, sizeof pair);
		if (pair.a >= pair.b || pair.b >= surfaces->count || (i > 0 && compareCrossings(&last, &pair) >= 0))
			return plFail(error, pl_errorInput, "state: triangles that cross, pair %zu, makes no sense", i);
		last = pair;
	}
	return pl_success;
}

void plWorld_LoadCrossed(plWorld* world, bool knows, const char* in, size_t count)
{
	if (count > 0)
		memcpy(world->crossed, in, count * sizeof *world->crossed);
	world->crossedCount = count;
	world->knowsCrossed = knows;
	if (world->prepared.near != NULL)
		plWorld_SpreadCrossed(world, world->prepared.near);
}
