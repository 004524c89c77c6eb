// shells.c: obstacles with corners and edges, as surfaces that go where they are told
//
// In a substep a shell goes from where its obstacle is at the start to where it is at the end (near_way.c). What is in
// its way may hold it back: it is behind its obstacle then, which is reported (plStepReport::pinLag), and goes on from
// there in the next substep. So where it is belongs to the state if it is behind, and follows from the time if not.
#include "world.h"
#include "../base/rotation.h"
#include "../collide/form.h"

#include <math.h>
#include <stdlib.h>

// ---- how many -------------------------------------------------------------------------------------------------------

// Methods that take rigid bodies do not: they hold every vertex in its ball for a sweep, too short a way for what rolls
// and drags.
static bool hasShells(const plWorld* world)
{
	return !plMethod_GetType(plWorld_GetSolver(world)->method)->takesBodies;
}

static plShells countAll(const plWorld* world)
{
	plShells shells = {0};
	for (plObstacle at = {0}; plWorld_NextObstacle(world, &at);)
	{
		plSurfaceSize size = plShape_GetSurfaceSize(at.shape);
		shells.count += size.triangles > 0;
		shells.vertexCount += size.triangles > 0 ? size.vertices : 0;
		shells.triangleCount += size.triangles;
	}
	return shells;
}

static plShells count(const plWorld* world)
{
	return hasShells(world) ? countAll(world) : (plShells){0};
}

size_t plWorld_CountShellVertices(const plWorld* world)
{
	return count(world).vertexCount;
}

size_t plWorld_CountSavedVertices(const plWorld* world)
{
	return countAll(world).vertexCount;
}

// ---- life -----------------------------------------------------------------------------------------------------------

void plShells_Destroy(plShells* s, plHeap* heap)
{
	PL_FREE(heap, s->shells, s->count);
	PL_FREE(heap, s->corners, 3 * s->triangleCount);
	PL_FREE(heap, s->plain, 3 * s->triangleCount);
	PL_FREE(heap, s->points, 3 * s->vertexCount);
	PL_FREE(heap, s->start, pl_quad * s->vertexCount);
	PL_FREE(heap, s->goal, pl_quad * s->vertexCount);
	PL_FREE(heap, s->rough, s->vertexCount);
	*s = (plShells){0};
}

static int compareEdges(const void* a, const void* b)
{
	const uint32_t *x = ((const plShellEdge*)a)->vertices, *y = ((const plShellEdge*)b)->vertices;
	int i = x[0] != y[0] ? 0 : 1;
	return x[i] < y[i] ? -1 : x[i] > y[i];
}

static plShellEdge edgeOf(uint32_t a, uint32_t b)
{
	return a < b ? (plShellEdge){{a, b}} : (plShellEdge){{b, a}};
}

bool plShells_IsPlain(const plShells* s, uint32_t a, uint32_t b)
{
	plShellEdge edge = edgeOf(a, b);
	return s->plainCount > 0 && bsearch(&edge, s->plain, s->plainCount, sizeof edge, compareEdges) != NULL;
}

// The triangles of one more shell, whose vertices begin at `first`
static void listTriangles(plShells* s, size_t triangle, size_t first, const plShape* shape, bool* plain)
{
	size_t size = plShape_GetSurfaceSize(shape).triangles;
	uint32_t* corners = s->corners + 3 * triangle;
	plShape_ListSurface(shape, corners, plain);
	for (size_t c = 0; c < 3 * size; ++c)
		corners[c] += (uint32_t)first;
	for (size_t c = 0; c < 3 * size; ++c)
		if (plain[c])
			s->plain[s->plainCount++] = edgeOf(corners[c], corners[c % 3 == 2 ? c - 2 : c + 1]);
}

static bool isFixed(const plWorld* world, const plObstacle* at)
{
	if (at->shape->form != NULL)
		return false;
	if (at->collider != NULL)
		return !plMotion_IsMoving(&at->collider->motion);
	return ((const plRigid*)plSlots_At(&world->rigids.bodies, at->rigidShape->body))->motion == pl_rigidStatic;
}

// Those that never move, or the others
static void list(plShells* s, const plWorld* world, bool fixed, bool* plain)
{
	size_t obstacle = 0;
	for (plObstacle at = {0}; plWorld_NextObstacle(world, &at); ++obstacle)
	{
		plSurfaceSize size = plShape_GetSurfaceSize(at.shape);
		if (size.triangles == 0 || isFixed(world, &at) != fixed)
			continue;
		s->shells[s->count++] = (plShell){.shape = at.shape,
		                                  .obstacle = obstacle,
		                                  .first = s->vertexCount,
		                                  .count = size.vertices,
		                                  .isFixed = fixed,
		                                  .isStill = true,
		                                  .isWhole = true};
		listTriangles(s, s->triangleCount, s->vertexCount, at.shape, plain);
		s->vertexCount += size.vertices;
		s->triangleCount += size.triangles;
	}
}

static void listAll(plShells* s, const plWorld* world, bool* plain)
{
	s->count = s->vertexCount = s->triangleCount = 0;
	list(s, world, false, plain);
	s->movingCount = s->count;
	s->movingVertices = s->vertexCount;
	s->movingTriangles = s->triangleCount;
	list(s, world, true, plain);
	if (s->plainCount > 1)
		qsort(s->plain, s->plainCount, sizeof *s->plain, compareEdges);
}

bool plShells_Create(plShells* s, const plWorld* world, plHeap* heap)
{
	*s = count(world);
	if (s->count == 0)
		return true;
	s->shells = PL_NEW(heap, plShell, s->count);
	s->corners = PL_NEW(heap, uint32_t, 3 * s->triangleCount);
	s->plain = PL_NEW(heap, plShellEdge, 3 * s->triangleCount);
	s->points = PL_NEW(heap, double, 3 * s->vertexCount);
	s->start = PL_NEW_ZERO(heap, double, pl_quad * s->vertexCount);
	s->goal = PL_NEW_ZERO(heap, double, pl_quad * s->vertexCount);
	s->rough = PL_NEW_ZERO(heap, double, s->vertexCount);
	bool* plain = PL_NEW(heap, bool, 3 * s->triangleCount);
	bool fine = s->shells && s->corners && s->plain && s->points && s->start && s->goal && s->rough && plain;
	if (fine)
		listAll(s, world, plain);
	else
		plShells_Destroy(s, heap);
	PL_FREE(heap, plain, plain != NULL ? 3 * count(world).triangleCount : 0);
	return fine;
}

// ---- where they are -------------------------------------------------------------------------------------------------

static const plSurfaceTree* treeOf(const plShell* shell, const plPushCollider* at, bool isBefore)
{
	return shell->shape->form != NULL ? (isBefore ? at->shapeBefore : at->shape) : shell->shape->tree;
}

// At the start of the substep or at its end, to `places` by quads
static void place(const plShells* s, const plShell* shell, const plPushCollider* at, bool isBefore, double* places)
{
	double* points = s->points + 3 * shell->first;
	plShape_PlaceSurface(shell->shape, treeOf(shell, at, isBefore), points);
	for (size_t v = 0; v < shell->count; ++v)
	{
		double* x = PL_AT(places, shell->first + v);
		if (at->isMoved)
			plPushCollider_FromShape(at, isBefore ? &at->before : &at->now, points + 3 * v, x);
		else
			memcpy(x, points + 3 * v, 3 * sizeof *x);
	}
}

static plShellKey keyOf(const plPushCollider* at)
{
	plShellKey key = {.run = {at->run[0], at->run[1], at->run[2]}, .friction = at->friction, .isMoved = at->isMoved};
	if (at->isMoved)
	{
		key.before = at->before;
		key.now = at->now;
	}
	return key;
}

// Are those that never move where they were in the last substep?
static bool stay(const plShells* s, const plPushEnergy* push)
{
	bool all = s->isSettled;
	for (size_t i = s->movingCount; i < s->count && all; ++i)
	{
		plShellKey key = keyOf(push->colliders + s->shells[i].obstacle);
		all = memcmp(&key, &s->shells[i].key, sizeof key) == 0;
	}
	return all;
}

void plShells_Move(plShells* s, const plPushEnergy* push)
{
	s->isSettled = stay(s, push);
	for (size_t i = 0; i < plShells_CountLive(s); ++i)
	{
		plShell* shell = s->shells + i;
		const plPushCollider* at = push->colliders + shell->obstacle;
		shell->key = keyOf(at);
		place(s, shell, at, true, s->start);
		place(s, shell, at, false, s->goal);
		for (size_t v = 0; v < shell->count; ++v)
			s->rough[shell->first + v] = at->friction;
	}
}

void plShells_GetSlipStart(const plShells* s, const plPushEnergy* push, double* places)
{
	size_t vertices = plShells_CountLiveVertices(s);
	if (vertices > 0)
		memcpy(places, s->start, pl_quad * vertices * sizeof *places);
	for (size_t i = 0; i < plShells_CountLive(s); ++i)
	{
		const plPushCollider* at = push->colliders + s->shells[i].obstacle;
		double run[3];
		memcpy(run, at->run, sizeof run);
		if (at->isMoved)
			plQuat_Rotate(at->now.turn, at->run, run);
		for (size_t v = s->shells[i].first; v < s->shells[i].first + s->shells[i].count; ++v)
			for (size_t k = 0; k < 3; ++k)
				PL_AT(places, v)[k] -= run[k];
	}
}

void plShells_GetRest(const plShells* s, const plWorld* world, double* places)
{
	size_t obstacle = 0, next[2] = {0, s->movingCount}; // of those that move, of the others
	for (plObstacle at = {0}; plWorld_NextObstacle(world, &at); ++obstacle)
	{
		bool moves = next[0] < s->movingCount && s->shells[next[0]].obstacle == obstacle;
		bool stands = next[1] < s->count && s->shells[next[1]].obstacle == obstacle;
		if (!moves && !stands)
			continue;
		const plRigid* rigid = at.rigidShape != NULL ? plSlots_At(&world->rigids.bodies, at.rigidShape->body) : NULL;
		plPushCollider to = {.shape = at.shape, .shapeBefore = at.shape, .isMoved = rigid != NULL};
		if (at.shape->form != NULL)
			to.shape = to.shapeBefore = plForm_GetTree(at.shape->form, false);
		if (rigid != NULL)
			to.before =
			    (plPlace){rigid->origin.turn, {rigid->origin.move[0], rigid->origin.move[1], rigid->origin.move[2]}};
		place(s, s->shells + next[stands]++, &to, true, places);
	}
}

bool plShells_AreStill(const plShells* s)
{
	size_t vertices = plShells_CountLiveVertices(s);
	return vertices == 0 || memcmp(s->start, s->goal, pl_quad * vertices * sizeof *s->start) == 0;
}

// ---- in a step ------------------------------------------------------------------------------------------------------

// Where the last substep left a shell, if some are behind
static void takePlaces(const plWorld* world, const plNear* near, bool isFirst, plShell* shell)
{
	bool isBehind = isFirst ? world->shellCount == 3 * near->shells.vertexCount : near->isBehind;
	shell->isWhole = true;
	for (size_t v = shell->first; isBehind && v < shell->first + shell->count; ++v)
	{
		double* start = PL_AT(near->shells.start, v);
		const double* was = isFirst ? world->shellPlaces + 3 * v : PL_AT(near->place, near->vertexCount + v);
		shell->isWhole = shell->isWhole && memcmp(start, was, 3 * sizeof *start) == 0;
		memcpy(start, was, 3 * sizeof *start);
	}
}

// Do those that never move stand still in their forms?
static bool maySettle(const plShells* s)
{
	bool all = true;
	for (size_t i = s->movingCount; i < s->count; ++i)
		all = all && s->shells[i].isStill && s->shells[i].isWhole;
	return all;
}

void plWorld_MoveShells(plWorld* world, plNear* near, bool isFirst)
{
	plShells* s = &near->shells;
	const plPushEnergy* push = world->prepared.push;
	if (push == NULL) // no vertex can touch anything
		return;
	plShells_Move(s, push);
	size_t live = plShells_CountLiveVertices(s);
	for (size_t i = 0; i < plShells_CountLive(s); ++i)
	{
		plShell* shell = s->shells + i;
		takePlaces(world, near, isFirst, shell);
		size_t bytes = pl_quad * shell->count * sizeof *s->start;
		shell->isStill = memcmp(PL_AT(s->start, shell->first), PL_AT(s->goal, shell->first), bytes) == 0;
	}
	memcpy(PL_AT(near->place, near->vertexCount), s->start, pl_quad * live * sizeof *s->start);
	if (near->energy->friction != NULL)
		plShells_GetSlipStart(s, push, PL_AT(near->energy->friction->start, near->vertexCount));
	if (!s->isSettled && !s->neverSettles && maySettle(s))
		plNear_Settle(world, near);
	near->energy->liveShells = plShells_CountLiveVertices(s);
	near->liveCount = near->vertexCount + plShells_CountLiveVertices(s);
	near->liveBodies = near->softCount + plShells_CountLive(s);
}

bool plWorld_ReserveShells(plWorld* world, size_t count)
{
	return plGrowArray(&world->heap, &world->shellPlaces, &world->shellRoom, count, sizeof *world->shellPlaces);
}

void plWorld_KeepShells(plWorld* world)
{
	const plNear* near = world->prepared.near;
	world->shellCount = near != NULL && near->isBehind ? 3 * near->shells.vertexCount : 0;
	PL_ASSERT(world->shellCount <= world->shellRoom, "there is room for all vertices of shells");
	for (size_t v = 0; 3 * v < world->shellCount; ++v)
		memcpy(world->shellPlaces + 3 * v, PL_AT(near->place, near->vertexCount + v), 3 * sizeof(double));
}

void plWorld_ForgetShells(plWorld* world, bool made)
{
	world->shellCount = 0;
	plWorld_ForgetSunk(world);
	if (!made)
		return;
	plWorld_DropShellGrips(world);
	plWorld_DropNear(world);
}

// ---- saved states ---------------------------------------------------------------------------------------------------

// Four numbers of 32 bits each, and doubles
static const size_t sunkBytes = 4 * sizeof(uint32_t);

size_t plWorld_GetShellBytes(size_t sunkCount, size_t shellCount)
{
	return sunkCount * sunkBytes + shellCount * sizeof(double);
}

void plWorld_SaveShells(const plWorld* world, char* out)
{
	for (size_t i = 0; i < world->sunkCount; ++i, out += sunkBytes)
	{
		const uint32_t numbers[4] = {world->sunk[i].body, world->sunk[i].shell, world->sunk[i].isNear, 0};
		memcpy(out, numbers, sunkBytes);
	}
	if (world->shellCount > 0)
		memcpy(out, world->shellPlaces, world->shellCount * sizeof(double));
}

plResult plWorld_CheckShells(const plWorld* world, const char* in, size_t sunkCount, size_t shellCount, plError* error)
{
	plShells all = countAll(world); // the method may have changed since
	uint32_t numbers[4], last[2] = {0, 0};
	for (size_t i = 0; i < sunkCount; ++i, in += sunkBytes)
	{
		memcpy(numbers, in, sunkBytes);
		bool ascends = i == 0 || numbers[0] > last[0] || (numbers[0] == last[0] && numbers[1] > last[1]);
		if (numbers[0] >= world->softs.liveCount || numbers[1] >= all.count || numbers[2] > 1 || !ascends)
			return plFail(error, pl_errorInput, "state: body in an obstacle, number %zu, makes no sense", i);
		memcpy(last, numbers, sizeof last);
	}
	if (shellCount != 0 && shellCount != 3 * all.vertexCount)
		return plFail(error, pl_errorInput, "state: %zu numbers say where obstacles are, %zu expected", shellCount,
		              3 * all.vertexCount);
	for (size_t i = 0; i < shellCount; ++i)
	{
		double x;
		memcpy(&x, in + i * sizeof x, sizeof x);
		if (!isfinite(x))
			return plFail(error, pl_errorInput, "state: where an obstacle is, number %zu, is not finite", i);
	}
	return pl_success;
}

void plWorld_LoadShells(plWorld* world, bool knows, const char* in, size_t sunkCount, size_t shellCount)
{
	uint32_t numbers[4];
	for (size_t i = 0; i < sunkCount; ++i, in += sunkBytes)
	{
		memcpy(numbers, in, sunkBytes);
		world->sunk[i] = (plSunk){numbers[0], numbers[1], numbers[2]};
	}
	if (shellCount > 0)
		memcpy(world->shellPlaces, in, shellCount * sizeof(double));
	world->sunkCount = sunkCount;
	world->shellCount = shellCount;
	world->knowsSunk = knows;
	if (world->prepared.near != NULL)
		world->prepared.near->shells.isSettled = false;
}
