// near_sweep.c: turns of vertices that meet, their pairs, and their balls
#include "near_sweep.h"
#include "problem.h"
#include "sweep.h"
#include "../../collide/near_lag.h"

#include <math.h>

enum
{
	pairGrain = 256,
	vertexGrain = 1024,
};

// ---- memory ---------------------------------------------------------------------------------------------------------

static bool makeVertices(plNearSweep* s, size_t vertices, size_t points, size_t colours, plHeap* heap)
{
	s->vertexCount = vertices;
	s->pointCount = points;
	s->colourCount = colours;
	s->place = PL_NEW_ZERO(heap, double, pl_quad* points);
	s->way = PL_NEW_ZERO(heap, double, points);
	s->turn = PL_NEW(heap, uint32_t, vertices);
	s->taken = PL_NEW(heap, size_t, vertices);
	s->touches = PL_NEW(heap, uint8_t, vertices);
	s->held = PL_NEW(heap, uint8_t, vertices);
	s->turnCount = PL_NEW(heap, size_t, colours);
	if (s->turn && s->taken && s->touches && s->held && s->turnCount && s->place && s->way)
		return true;
	plNearSweep_Destroy(s, heap);
	return false;
}

bool plNearSweep_Reserve(plCpuProblem* p)
{
	plNearSweep* s = &p->nearSweep;
	plHeap* heap = p->base.heap;
	size_t vertices = p->base.layout.vertexCount;
	if (p->near == NULL || p->sweep == NULL || vertices == 0)
		return true;
	size_t pairs = p->near->base.elementCount, points = vertices + p->near->shellCount;
	if (s->turn == NULL && !makeVertices(s, vertices, points, p->sweep->colouring.count, heap))
		return false;
	return plGrowArray(heap, &s->counts, &s->countsRoom, pairs, sizeof *s->counts) &&
	       plGrowArray(heap, &s->distance, &s->distanceRoom, pairs, sizeof *s->distance);
}

void plNearSweep_Destroy(plNearSweep* s, plHeap* heap)
{
	PL_FREE(heap, s->counts, s->countsRoom);
	PL_FREE(heap, s->turn, s->vertexCount);
	PL_FREE(heap, s->taken, s->vertexCount);
	PL_FREE(heap, s->touches, s->vertexCount);
	PL_FREE(heap, s->held, s->vertexCount);
	PL_FREE(heap, s->turnCount, s->colourCount);
	PL_FREE(heap, s->distance, s->distanceRoom);
	PL_FREE(heap, s->place, pl_quad * s->pointCount);
	PL_FREE(heap, s->way, s->pointCount);
	*s = (plNearSweep){0};
}

// ---- which pairs count ----------------------------------------------------------------------------------------------

static void markRange(size_t begin, size_t end, void* context)
{
	const plCpuProblem* p = context;
	const plNearEnergy* near = p->near;
	for (size_t e = begin; e < end; ++e)
	{
		const uint32_t* v = near->base.vertices + pl_nearCorners * e;
		size_t first = plNearEnergy_GetKind(near, e) == pl_nearFace ? 1 : 2;
		double ball[2] = {0.0, 0.0};
		for (size_t a = 0; a < pl_nearCorners; ++a)
			ball[a >= first] = plMax(near->ball[v[a]], ball[a >= first]);
		p->nearSweep.counts[e] = near->stiffness[e] > 0.0 && near->distance[e] < near->radius + ball[0] + ball[1];
	}
}

// ---- turns ----------------------------------------------------------------------------------------------------------

// Runs the block after it for every corner s of a vertex in a list of pairs, which has `gather` and `gatherStart`.
#define EACH_CORNER(s, list, vertex)                                                                                   \
	for (size_t s##1 = (list)->gatherStart[vertex], s = 0;                                                             \
	     s##1 < (list)->gatherStart[(vertex) + 1] && (s = (list)->gather[s##1], true); ++s##1)

// The turns of vertices before v that are corners of the pair
static void takeTurns(const plCpuProblem* p, size_t v, const uint32_t corners[pl_nearCorners])
{
	const plNearSweep* s = &p->nearSweep;
	const uint32_t* colour = p->sweep->colouring.colour;
	for (size_t a = 0; a < pl_nearCorners; ++a)
		if (corners[a] < v && colour[corners[a]] == colour[v] && p->base.held[corners[a]] != pl_axisAll)
			s->taken[s->turn[corners[a]]] = v + 1;
}

static void chooseTurn(const plCpuProblem* p, size_t v)
{
	const plNearEnergy* near = p->near;
	const plNearSweep* s = &p->nearSweep;
	bool touches = false;
	EACH_CORNER(c, near, v)
	{
		size_t e = c / pl_nearCorners;
		if (!s->counts[e])
			continue;
		touches = true;
		takeTurns(p, v, near->base.vertices + pl_nearCorners * e);
	}
	if (plCpuNear_Rubs(p))
		EACH_CORNER(c, near->friction, v)
		{
			touches = true;
			takeTurns(p, v, near->friction->base.vertices + pl_nearCorners * (c / pl_nearCorners));
		}
	uint32_t turn = 0;
	while (s->taken[turn] == v + 1)
		++turn;
	s->turn[v] = turn;
	s->touches[v] = touches;
}

static void chooseTurns(plCpuProblem* p)
{
	plNearSweep* s = &p->nearSweep;
	plParallelFor(p->base.pool, p->near->base.elementCount, pairGrain, markRange, p);
	memset(s->taken, 0, s->vertexCount * sizeof *s->taken);
	memset(s->turnCount, 0, s->colourCount * sizeof *s->turnCount);
	for (size_t v = 0; v < s->vertexCount; ++v)
	{
		chooseTurn(p, v);
		size_t* count = s->turnCount + p->sweep->colouring.colour[v];
		*count = s->turn[v] >= *count ? s->turn[v] + (size_t)1 : *count;
	}
}

// ---- which of these are near ----------------------------------------------------------------------------------------

typedef struct WayLoop
{
	const plCpuProblem* p;
	const double* q;
} WayLoop;

static void measureRange(size_t begin, size_t end, void* context)
{
	const plCpuProblem* p = context;
	plNearEnergy_Measure(p->near, p->nearSweep.place, begin, end, p->nearSweep.distance + begin);
}

static const double* getPoint(const plNearEnergy* near, const double* q, size_t i)
{
	return plNearEnergy_At(near, q, (uint32_t)i);
}

static void measure(plCpuProblem* p, const double* q)
{
	plNearSweep* s = &p->nearSweep;
	for (size_t i = 0; i < s->pointCount; ++i)
		memcpy(PL_AT(s->place, i), getPoint(p->near, q, i), 3 * sizeof *q);
	memset(s->way, 0, s->pointCount * sizeof *s->way);
	plParallelFor(p->base.pool, p->near->base.elementCount, pairGrain, measureRange, p);
	s->measured = p->near->revision;
}

static double wayOf(const plCpuProblem* p, size_t i, const double* q)
{
	const double *x = getPoint(p->near, q, i), *from = PL_AT(p->nearSweep.place, i);
	double square = 0.0;
	for (size_t k = 0; k < 3; ++k)
		square += (x[k] - from[k]) * (x[k] - from[k]);
	return sqrt(square);
}

static void findWays(size_t begin, size_t end, void* context)
{
	const WayLoop* loop = context;
	for (size_t i = begin; i < end; ++i)
		loop->p->nearSweep.way[i] = wayOf(loop->p, i, loop->q);
}

// A pass over all pairs pays where many vertices gain by it.
static bool haveGoneFar(const plCpuProblem* p)
{
	const plNearSweep* s = &p->nearSweep;
	double far = 0.25 * p->near->radius;
	size_t count = 0;
	for (size_t i = 0; i < s->pointCount; ++i)
		count += s->way[i] > far;
	return count > s->pointCount / 16;
}

static void findNear(plCpuProblem* p, const double* q)
{
	plNearSweep* s = &p->nearSweep;
	WayLoop loop = {p, q};
	if (s->measured == p->near->revision)
		plParallelFor(p->base.pool, s->pointCount, vertexGrain, findWays, &loop);
	if (s->measured != p->near->revision || haveGoneFar(p))
		measure(p, q);
}

// Could the pair push where vertices are now?
static bool mayPush(const plCpuProblem* p, size_t e)
{
	static const double rounding = 1e-9;
	const plNearSweep* s = &p->nearSweep;
	const uint32_t* v = p->near->base.vertices + pl_nearCorners * e;
	bool isFace = plNearEnergy_GetKind(p->near, e) == pl_nearFace;
	if (!s->counts[e]) // its corners may be moving
		return false;
	double one = s->way[v[1]], two = s->way[v[2]];
	double first = isFace ? s->way[v[0]] : plMax(s->way[v[0]], one);
	double second = plMax(isFace ? plMax(one, two) : two, s->way[v[3]]);
	return !((1.0 - rounding) * s->distance[e] - (1.0 + rounding) * (first + second) >= p->near->radius);
}

void plNearSweep_Begin(plCpuProblem* p, const double* q)
{
	plNearSweep* s = &p->nearSweep;
	if (p->near == NULL)
		return;
	uint64_t rubs = p->near->friction != NULL ? p->near->friction->revision : 0;
	memset(s->held, 0, s->vertexCount);
	if (s->revision != p->near->revision || s->rubRevision != rubs)
		chooseTurns(p);
	s->revision = p->near->revision;
	s->rubRevision = rubs;
	findNear(p, q);
}

void plNearSweep_End(plCpuProblem* p)
{
	for (size_t v = 0; v < p->nearSweep.vertexCount; ++v)
		p->held += p->nearSweep.held[v];
}

// ---- one vertex -----------------------------------------------------------------------------------------------------

void plNearSweep_Settle(const plCpuProblem* p, size_t vertex, const double* q)
{
	if (p->near != NULL && p->nearSweep.touches[vertex])
		p->nearSweep.way[vertex] = wayOf(p, vertex, q);
}

plNearVisit plNearSweep_Visit(const plCpuProblem* p, size_t vertex, const double* q)
{
	plNearEnergy* near = p->near;
	plNearVisit visit = {0};
	if (near == NULL || !p->nearSweep.touches[vertex])
		return visit;
	EACH_CORNER(c, near, vertex)
		if (mayPush(p, c / pl_nearCorners))
			plNearEnergy_Visit(near, q, c / pl_nearCorners, c % pl_nearCorners, visit.g, visit.H, &visit.sum);
	if (plCpuNear_Rubs(p))
		EACH_CORNER(c, near->friction, vertex)
			plNearFriction_Visit(near->friction, q, c / pl_nearCorners, c % pl_nearCorners, visit.g, visit.H,
			                     &visit.sum);
	return visit;
}

void plNearSweep_AddValue(const plCpuProblem* p, size_t vertex, const double* q, plEnergySum* sum)
{
	const plNearEnergy* near = p->near;
	if (near == NULL || !p->nearSweep.touches[vertex])
		return;
	plNearSweep_Settle(p, vertex, q);
	EACH_CORNER(c, near, vertex)
		if (mayPush(p, c / pl_nearCorners))
			near->base.verbs->value(&near->base, q, c / pl_nearCorners, c / pl_nearCorners + 1, sum);
	if (plCpuNear_Rubs(p))
		EACH_CORNER(c, near->friction, vertex)
			near->friction->base.verbs->value(&near->friction->base, q, c / pl_nearCorners, c / pl_nearCorners + 1,
			                                  sum);
}

double plNearSweep_Confine(const plCpuProblem* p, size_t vertex, const double q[3], const double step[3])
{
	if (p->near == NULL)
		return 1.0;
	double share = plCpuNear_GetWay(p->near, vertex, q, step, 1.0);
	if (share < 1.0)
		p->nearSweep.held[vertex] = 1;
	return share;
}
