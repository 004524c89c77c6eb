// near_sweep.c: turns of vertices that meet, their pairs, and their balls
#include "near_sweep.h"
#include "problem.h"
#include "sweep.h"

enum
{
	pairGrain = 256,
};

// ---- memory ---------------------------------------------------------------------------------------------------------

static bool makeVertices(plNearSweep* s, size_t vertices, size_t colours, plHeap* heap)
{
	s->vertexCount = vertices;
	s->colourCount = colours;
	s->turn = PL_NEW(heap, uint32_t, vertices);
	s->taken = PL_NEW(heap, size_t, vertices);
	s->touches = PL_NEW(heap, uint8_t, vertices);
	s->held = PL_NEW(heap, uint8_t, vertices);
	s->turnCount = PL_NEW(heap, size_t, colours);
	if (s->turn && s->taken && s->touches && s->held && s->turnCount)
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
	if (s->turn == NULL && !makeVertices(s, vertices, p->sweep->colouring.count, heap))
		return false;
	return plGrowArray(heap, &s->counts, &s->countsRoom, p->near->base.elementCount, sizeof *s->counts);
}

void plNearSweep_Destroy(plNearSweep* s, plHeap* heap)
{
	PL_FREE(heap, s->counts, s->countsRoom);
	PL_FREE(heap, s->turn, s->vertexCount);
	PL_FREE(heap, s->taken, s->vertexCount);
	PL_FREE(heap, s->touches, s->vertexCount);
	PL_FREE(heap, s->held, s->vertexCount);
	PL_FREE(heap, s->turnCount, s->colourCount);
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

void plNearSweep_Begin(plCpuProblem* p)
{
	plNearSweep* s = &p->nearSweep;
	if (p->near == NULL)
		return;
	uint64_t rubs = p->near->friction != NULL ? p->near->friction->revision : 0;
	memset(s->held, 0, s->vertexCount);
	if (s->revision == p->near->revision && s->rubRevision == rubs)
		return;
	chooseTurns(p);
	s->revision = p->near->revision;
	s->rubRevision = rubs;
}

void plNearSweep_End(plCpuProblem* p)
{
	for (size_t v = 0; v < p->nearSweep.vertexCount; ++v)
		p->held += p->nearSweep.held[v];
}

// ---- one vertex -----------------------------------------------------------------------------------------------------

static void addValue(const plEnergy* energy, const double* q, size_t pair, plEnergySum* sum)
{
	energy->verbs->value(energy, q, pair, pair + 1, sum);
}

plNearVisit plNearSweep_Visit(const plCpuProblem* p, size_t vertex, const double* q)
{
	plNearEnergy* near = p->near;
	plNearVisit visit = {0};
	if (near == NULL || !p->nearSweep.touches[vertex])
		return visit;
	EACH_CORNER(c, near, vertex)
		if (p->nearSweep.counts[c / pl_nearCorners])
			plNearEnergy_Visit(near, q, c / pl_nearCorners, c % pl_nearCorners, visit.g, visit.H, &visit.sum);
	if (plCpuNear_Rubs(p))
		EACH_CORNER(c, near->friction, vertex)
		{
			const plEnergy* rubs = &near->friction->base;
			plEnergy_AddVertex(rubs, q, c / pl_nearCorners, c % pl_nearCorners, visit.g, visit.H, NULL);
			addValue(rubs, q, c / pl_nearCorners, &visit.sum);
		}
	return visit;
}

void plNearSweep_AddValue(const plCpuProblem* p, size_t vertex, const double* q, plEnergySum* sum)
{
	const plNearEnergy* near = p->near;
	if (near == NULL || !p->nearSweep.touches[vertex])
		return;
	EACH_CORNER(c, near, vertex)
		if (p->nearSweep.counts[c / pl_nearCorners])
			addValue(&near->base, q, c / pl_nearCorners, sum);
	if (plCpuNear_Rubs(p))
		EACH_CORNER(c, near->friction, vertex)
			addValue(&near->friction->base, q, c / pl_nearCorners, sum);
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
