// inside.c: the closed surface that a pressure fills: of one cloth, or of cloths that seams join
//
// Vertices that are sewn to each other, directly or by others, are one point of the sewn surface. That is closed if
// each of its edges belongs to two triangles that run along it in opposite directions, after some cloths have been
// turned over as a whole. While seams are open the surface has gaps there. Triangles are added that span them:
//
//   strips   between two border edges u -> v and v' -> u' that are one edge of the sewn surface: v u u' and v u' v'
//   fans     what strips, and edges whose two ends are one point, leave open runs among the vertices of one point: for
//            every edge a -> b of it the triangle r b a, r the first of these vertices
//
// Every edge then has its counterpart, so the volume does not depend on the origin and forces add up to zero. Where all
// ends meet the added triangles have no area.
#include "inside.h"

#include <stdlib.h>

// ---- a cloth alone --------------------------------------------------------------------------------------------------

// Does the triangle go from a to b?
static bool goesAlong(const uint32_t* triangle, uint32_t a, uint32_t b)
{
	for (size_t k = 0; k < 3; ++k)
		if (triangle[k] == a && triangle[(k + 1) % 3] == b)
			return true;
	return false;
}

static plResult checkClosed(const plCloth* cloth, plError* error)
{
	for (size_t e = 0; e < cloth->edgeCount; ++e)
	{
		uint32_t a = cloth->edges[2 * e], b = cloth->edges[2 * e + 1];
		const uint32_t* sides = cloth->edgeTriangles + 2 * e;
		if (sides[1] == PL_NONE)
			return plFailAt(error, "body",
			                "pressure: the cloth is not closed: the edge of vertices %u and %u does not belong to two "
			                "triangles",
			                a, b);
		if (goesAlong(cloth->triangles + 3 * (size_t)sides[0], a, b) ==
		    goesAlong(cloth->triangles + 3 * (size_t)sides[1], a, b))
			return plFailAt(error, "body",
			                "pressure: triangles %u and %u face opposite sides of the cloth, so it has no inside",
			                sides[0], sides[1]);
	}
	return pl_success;
}

// ---- cloths that are sewn -------------------------------------------------------------------------------------------

// A border edge, as its triangle runs along it
typedef struct Border
{
	uint32_t key[2]; // points at its ends, ascending
	uint32_t from, to;
	uint32_t body; // among those of the surface
} Border;

typedef struct Sewn
{
	plWorld* world;
	size_t bodyCount, vertexCount, triangleCount, borderCount, corners;
	uint32_t* slots;  // [bodyCount]
	uint32_t* start;  // [bodyCount + 1] first vertex of a body among those of all
	uint8_t* isOver;  // [bodyCount] turned over; 2: not known yet
	uint32_t* point;  // [vertexCount] the first vertex of its point
	Border* borders;  // [borderCount] by key
	plCorner* corner; // [corners]
	size_t cornerRoom;
} Sewn;

static bool openSewn(Sewn* s, plWorld* world, const plPressureDef* def)
{
	plHeap* heap = &world->heap;
	*s = (Sewn){.world = world, .bodyCount = 1 + def->otherCount};
	s->slots = PL_NEW(heap, uint32_t, s->bodyCount);
	s->start = PL_NEW_ZERO(heap, uint32_t, s->bodyCount + 1);
	s->isOver = PL_NEW(heap, uint8_t, s->bodyCount);
	if (!s->slots || !s->start || !s->isOver)
		return false;
	for (size_t b = 0; b < s->bodyCount; ++b)
	{
		plBodyId id = b == 0 ? def->body : def->others[b - 1];
		const plSoftBody* body = plWorld_GetSoftBody(world, id);
		s->slots[b] = id.index1 - 1;
		s->isOver[b] = 2;
		s->start[b + 1] = s->start[b] + (uint32_t)body->vertexCount;
		s->triangleCount += body->cloth->triangleCount;
		for (size_t e = 0; e < body->cloth->edgeCount; ++e)
			s->borderCount += body->cloth->edgeTriangles[2 * e + 1] == PL_NONE;
	}
	s->vertexCount = s->start[s->bodyCount];
	s->cornerRoom = 3 * (s->triangleCount + 3 * s->borderCount); // a strip has two, and leaves two edges for fans
	s->point = PL_NEW(heap, uint32_t, s->vertexCount);
	s->borders = PL_NEW(heap, Border, s->borderCount);
	s->corner = PL_NEW(heap, plCorner, s->cornerRoom);
	return s->point && s->corner && (s->borders || s->borderCount == 0);
}

static void closeSewn(Sewn* s)
{
	plHeap* heap = &s->world->heap;
	PL_FREE(heap, s->slots, s->bodyCount);
	PL_FREE(heap, s->start, s->bodyCount + 1);
	PL_FREE(heap, s->isOver, s->bodyCount);
	PL_FREE(heap, s->point, s->vertexCount);
	PL_FREE(heap, s->borders, s->borderCount);
	PL_FREE(heap, s->corner, s->cornerRoom);
}

static const plCloth* clothOf(const Sewn* s, size_t b)
{
	return ((const plSoftBody*)plSlots_At(&s->world->softs, s->slots[b]))->cloth;
}

// Number of a slot among the bodies; bodyCount: it is none of them
static size_t numberOf(const Sewn* s, uint32_t slot)
{
	size_t b = 0;
	while (b < s->bodyCount && s->slots[b] != slot)
		++b;
	return b;
}

static uint32_t firstOf(uint32_t* point, uint32_t v)
{
	while (point[v] != v)
		v = point[v] = point[point[v]];
	return v;
}

// Points: the stitches of all seams join their ends. The first vertex of a point is the one of the least number.
static void joinPoints(Sewn* s)
{
	for (uint32_t v = 0; v < s->vertexCount; ++v)
		s->point[v] = v;
	PL_EACH(const plSeam, seam, &s->world->seams)
	{
		size_t a = numberOf(s, seam->a), b = numberOf(s, seam->b);
		for (size_t i = 0; a < s->bodyCount && b < s->bodyCount && i < seam->count; ++i)
		{
			uint32_t u = firstOf(s->point, s->start[a] + seam->vertices[2 * i]);
			uint32_t v = firstOf(s->point, s->start[b] + seam->vertices[2 * i + 1]);
			s->point[u > v ? u : v] = u < v ? u : v;
		}
	}
	for (uint32_t v = 0; v < s->vertexCount; ++v)
		s->point[v] = firstOf(s->point, v);
}

static int compareBorders(const void* a, const void* b)
{
	const Border *p = a, *q = b;
	for (int k = 0; k < 2; ++k)
		if (p->key[k] != q->key[k])
			return p->key[k] < q->key[k] ? -1 : 1;
	if (p->from != q->from)
		return p->from < q->from ? -1 : 1;
	return p->to < q->to ? -1 : p->to > q->to;
}

static void listBorders(Sewn* s)
{
	Border* to = s->borders;
	for (size_t b = 0; b < s->bodyCount; ++b)
	{
		const plCloth* cloth = clothOf(s, b);
		for (size_t e = 0; e < cloth->edgeCount; ++e)
		{
			const uint32_t* ends = cloth->edges + 2 * e;
			if (cloth->edgeTriangles[2 * e + 1] != PL_NONE)
				continue;
			bool along = goesAlong(cloth->triangles + 3 * (size_t)cloth->edgeTriangles[2 * e], ends[0], ends[1]);
			uint32_t from = s->start[b] + ends[!along], at = s->start[b] + ends[along];
			uint32_t p = s->point[from], q = s->point[at];
			*to++ = (Border){{p < q ? p : q, p < q ? q : p}, from, at, (uint32_t)b};
		}
	}
	if (s->borderCount > 0)
		qsort(s->borders, s->borderCount, sizeof *s->borders, compareBorders);
}

static bool isPoint(const Border* border)
{
	return border->key[0] == border->key[1];
}

static plResult failOpen(const Sewn* s, const Border* border, plError* error)
{
	uint32_t first = s->start[border->body];
	return plFailAt(
	    error, s->bodyCount > 1 ? "others" : "body",
	    "pressure: the cloth is not closed: the edge of vertices %u and %u of body %u is sewn to no other edge, "
	    "or to several",
	    border->from - first, border->to - first, s->slots[border->body] + 1);
}

// Do two edges that are sewn together run the same way? Then one of their bodies has to be turned over.
static bool areAlike(const Sewn* s, const Border* e)
{
	return s->point[e[0].from] == s->point[e[1].from];
}

// A closed surface has none, and no array of them.
static Border* endOfBorders(const Sewn* s)
{
	return s->borderCount > 0 ? s->borders + s->borderCount : s->borders;
}

// Pairs stand side by side. Which bodies are turned over: from the first one on, along seams.
static plResult pairBorders(Sewn* s, plError* error)
{
	Border* end = endOfBorders(s);
	for (Border* e = s->borders; e < end; e += isPoint(e) ? 1 : 2)
		if (!isPoint(e) && (e + 1 == end || e[1].key[0] != e->key[0] || e[1].key[1] != e->key[1] ||
		                    (e + 2 < end && e[2].key[0] == e->key[0] && e[2].key[1] == e->key[1])))
			return failOpen(s, e, error);
	s->isOver[0] = 0;
	for (bool changed = true; changed;)
	{
		changed = false;
		for (const Border* e = s->borders; e < end; e += isPoint(e) ? 1 : 2)
		{
			uint8_t *a = s->isOver + e->body, *b = isPoint(e) ? a : s->isOver + e[1].body;
			if ((*a == 2) == (*b == 2))
				continue;
			*(*a == 2 ? a : b) = (uint8_t)((*a == 2 ? *b : *a) ^ areAlike(s, e));
			changed = true;
		}
	}
	for (const Border* e = s->borders; e < end; e += isPoint(e) ? 1 : 2)
		if (!isPoint(e) && (s->isOver[e->body] ^ s->isOver[e[1].body]) != areAlike(s, e))
			return plFailAt(error, "body",
			                "pressure: the surface has no inside: body %u is sewn to body %u with a twist",
			                s->slots[e->body] + 1, s->slots[e[1].body] + 1);
	for (size_t b = 0; b < s->bodyCount; ++b)
		if (s->isOver[b] == 2) // closed by itself: no part of the rest
			s->isOver[b] = 0;
	return pl_success;
}

static void addTriangle(Sewn* s, uint32_t a, uint32_t b, uint32_t c)
{
	const uint32_t corners[3] = {a, b, c};
	if (a == b || b == c || c == a)
		return;
	for (size_t k = 0; k < 3; ++k)
	{
		size_t body = 0;
		while (corners[k] >= s->start[body + 1])
			++body;
		s->corner[s->corners++] = (plCorner){s->slots[body], corners[k] - s->start[body]};
	}
}

// An edge a -> b among the vertices of a point
static void addFan(Sewn* s, uint32_t a, uint32_t b)
{
	addTriangle(s, s->point[a], b, a);
}

static void span(Sewn* s)
{
	const Border* end = endOfBorders(s);
	for (const Border* e = s->borders; e < end; e += isPoint(e) ? 1 : 2)
	{
		bool isOver = s->isOver[e->body];
		uint32_t u = isOver ? e->to : e->from, v = isOver ? e->from : e->to;
		if (isPoint(e))
		{
			addFan(s, u, v);
			continue;
		}
		isOver = s->isOver[e[1].body];
		uint32_t w = isOver ? e[1].from : e[1].to, x = isOver ? e[1].to : e[1].from; // u' and v'
		addTriangle(s, v, u, w);
		addTriangle(s, v, w, x);
		addFan(s, u, w);
		addFan(s, x, v);
	}
}

static void listTriangles(Sewn* s)
{
	for (size_t b = 0; b < s->bodyCount; ++b)
	{
		const plCloth* cloth = clothOf(s, b);
		for (size_t t = 0; t < cloth->triangleCount; ++t)
		{
			const uint32_t* c = cloth->triangles + 3 * t;
			addTriangle(s, s->start[b] + c[0], s->start[b] + c[s->isOver[b] ? 2 : 1],
			            s->start[b] + c[s->isOver[b] ? 1 : 2]);
		}
	}
}

static plResult findSewn(Sewn* s, plPressure* pressure, plError* error)
{
	joinPoints(s);
	listBorders(s);
	plResult result = pairBorders(s, error);
	if (result < 0)
		return result;
	listTriangles(s);
	span(s);
	PL_VALIDATE(s->corners <= s->cornerRoom, "there is room for all triangles");
	pressure->corners = PL_NEW(&s->world->heap, plCorner, s->corners);
	if (pressure->corners == NULL)
		return plFail(error, pl_errorMemory, "not enough memory for a pressure");
	memcpy(pressure->corners, s->corner, s->corners * sizeof *s->corner);
	pressure->count = s->corners / 3;
	return pl_success;
}

// ---- both -----------------------------------------------------------------------------------------------------------

static plResult checkCloth(const plWorld* world, plBodyId id, const char* field, plError* error)
{
	plResult result = plWorld_CheckSoft(world, "pressure", field, id, error);
	if (result == pl_success && plWorld_GetSoftBody(world, id)->cloth == NULL)
		return plFailAt(error, field, "pressure: the body is no cloth");
	return result;
}

// Is the body sewn to itself?
static bool hasSeam(const plWorld* world, uint32_t slot)
{
	bool any = false;
	PL_EACH(const plSeam, seam, &world->seams)
		any = any || (seam->a == slot && seam->b == slot);
	return any;
}

plResult plWorld_FindInside(plWorld* world, const plPressureDef* def, plPressure* pressure, plError* error)
{
	plResult result = checkCloth(world, def->body, "body", error);
	for (size_t i = 0; i < def->otherCount && result == pl_success; ++i)
	{
		result = checkCloth(world, def->others[i], "others", error);
		for (size_t k = 0; k <= i && result == pl_success; ++k)
			if ((k == 0 ? def->body : def->others[k - 1]).index1 == def->others[i].index1)
				return plFailAt(error, "others", "pressure: body %u is named twice", def->others[i].index1);
	}
	if (result < 0)
		return result;
	const plCloth* cloth = plWorld_GetSoftBody(world, def->body)->cloth;
	if (def->otherCount == 0 && !hasSeam(world, def->body.index1 - 1))
	{
		pressure->count = cloth->triangleCount;
		return checkClosed(cloth, error);
	}
	Sewn sewn;
	result = openSewn(&sewn, world, def) ? findSewn(&sewn, pressure, error)
	                                     : plFail(error, pl_errorMemory, "not enough memory for a pressure");
	closeSewn(&sewn);
	return result;
}
