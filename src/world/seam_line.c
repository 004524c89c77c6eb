// seam_line.c: vertices of a body as a line that a seam follows
//
// The selected vertices, joined by edges of the body, must make one line: open, or closed to a ring. Of a cloth those
// on its border count, and the edges there, unless none is on it. Soft bodies have the edges of their surface.
#include "seams.h"

#include <math.h>

// ---- edges ----------------------------------------------------------------------------------------------------------

// The edges of a body that seams may follow
typedef struct Edges
{
	uint32_t* ends; // [2 count]
	size_t count, room;
} Edges;

// The border of a cloth
static size_t countBorder(const plCloth* cloth, uint32_t* ends)
{
	size_t count = 0;
	for (size_t e = 0; e < cloth->edgeCount; ++e)
		if (cloth->edgeTriangles[2 * e + 1] == PL_NONE)
		{
			if (ends != NULL)
				memcpy(ends + 2 * count, cloth->edges + 2 * e, 2 * sizeof(uint32_t));
			++count;
		}
	return count;
}

// Those of a cloth's border, or all of its surface; false: no memory
static bool listEdges(const plSoftBody* body, bool borderOnly, plHeap* heap, Edges* edges)
{
	const plCloth* cloth = body->cloth;
	if (cloth != NULL)
	{
		edges->room = borderOnly ? countBorder(cloth, NULL) : cloth->edgeCount;
		edges->ends = PL_NEW(heap, uint32_t, 2 * edges->room);
		if (edges->ends == NULL && edges->room > 0)
			return false;
		if (borderOnly)
			countBorder(cloth, edges->ends);
		else if (edges->room > 0)
			memcpy(edges->ends, cloth->edges, 2 * edges->room * sizeof(uint32_t));
		edges->count = edges->room;
		return true;
	}
	uint32_t* faces = NULL;
	size_t faceCount = 0;
	if (plSoftBody_FindSurface(body, heap, &faces, &faceCount) != pl_success)
		return false;
	edges->room = 3 * faceCount;
	edges->ends = PL_NEW(heap, uint32_t, 2 * edges->room);
	for (size_t i = 0; edges->ends != NULL && i < 3 * faceCount; ++i)
	{
		uint32_t a = faces[i], b = faces[i / 3 * 3 + (i + 1) % 3];
		if (a > b) // its other face has it the other way round
			continue;
		edges->ends[2 * edges->count] = a;
		edges->ends[2 * edges->count++ + 1] = b;
	}
	PL_FREE(heap, faces, 3 * faceCount);
	return edges->ends != NULL || edges->room == 0;
}

// ---- lines ----------------------------------------------------------------------------------------------------------

// What a vertex of the body is to the line
typedef struct Link
{
	uint32_t next[2]; // neighbours in it
	uint8_t count;
	uint8_t isChosen, isWalked;
} Link;

plResult plSeamLine_LackMemory(const plSeamLine* line, plError* error)
{
	return plFail(error, pl_errorMemory, "not enough memory to sew a body of %zu vertices", line->body->vertexCount);
}

static plResult joinLinks(const plSeamLine* line, const Edges* edges, Link* links, plError* error)
{
	for (size_t e = 0; e < edges->count; ++e)
		for (size_t k = 0; k < 2; ++k)
		{
			uint32_t v = edges->ends[2 * e + k], other = edges->ends[2 * e + 1 - k];
			if (!links[v].isChosen || !links[other].isChosen)
				continue;
			if (links[v].count == 2)
				return plFailAt(error, line->field,
				                "seam: vertex %u of body %s has three neighbours or more among those selected, so they "
				                "are no line; select fewer, or name pairs",
				                v, line->name);
			links[v].next[links[v].count++] = other;
		}
	return pl_success;
}

// From an end, or from the vertex of the least number
static plResult walk(plSeamLine* line, Link* links, size_t chosen, plError* error)
{
	uint32_t start = UINT32_MAX, at;
	for (uint32_t v = (uint32_t)line->body->vertexCount; v-- > 0;)
		if (links[v].isChosen && (start == UINT32_MAX || links[v].count < 2 || links[start].count == 2))
			start = v;
	line->isRing = links[start].count == 2;
	for (at = start; at != UINT32_MAX;)
	{
		links[at].isWalked = 1;
		line->order[line->count++] = at;
		uint32_t next = UINT32_MAX;
		for (size_t k = links[at].count; k-- > 0;)
			next = !links[links[at].next[k]].isWalked ? links[at].next[k] : next;
		at = next;
	}
	for (uint32_t v = 0; line->count < chosen; ++v)
		if (links[v].isChosen && !links[v].isWalked)
			return plFailAt(error, line->field,
			                "seam: the vertices of body %s are no single line: no edges between them join %u and %u",
			                line->name, start, v);
	return pl_success;
}

static void measure(plSeamLine* line)
{
	double at = 0.0;
	for (size_t i = 0; i < line->count; ++i)
	{
		const double* rest = line->body->rest;
		line->place[i] = at;
		at +=
		    sqrt(plGetSquare(rest + 3 * (size_t)line->order[i], rest + 3 * (size_t)line->order[(i + 1) % line->count]));
	}
	double total = line->isRing || line->count < 2 ? at : line->place[line->count - 1];
	for (size_t i = 0; i < line->count && total > 0.0; ++i)
		line->place[i] /= total;
}

// Vertices that were selected, or only those on the border if any of them is: that comes back.
static bool choose(const uint32_t* vertices, size_t count, const Edges* border, Link* links)
{
	bool onBorder = false;
	for (size_t i = 0; i < count; ++i)
		links[vertices[i]].isChosen = 1;
	for (size_t i = 0; border != NULL && i < 2 * border->count; ++i)
		links[border->ends[i]].isWalked = 1;
	for (size_t i = 0; border != NULL && i < count; ++i)
		onBorder = onBorder || links[vertices[i]].isWalked;
	for (size_t i = 0; i < count; ++i)
	{
		Link* link = links + vertices[i];
		link->isChosen = !onBorder || link->isWalked;
	}
	return onBorder;
}

static plResult fillLine(plSeamLine* line, const uint32_t* vertices, size_t count, Link* links, Edges lists[2],
                         plHeap* heap, plError* error)
{
	const plSoftBody* body = line->body;
	size_t chosen = 0;
	if (body->cloth != NULL && !listEdges(body, true, heap, lists))
		return plSeamLine_LackMemory(line, error);
	bool onBorder = choose(vertices, count, body->cloth != NULL ? lists : NULL, links);
	for (size_t v = 0; v < body->vertexCount; ++v)
	{
		links[v].isWalked = 0;
		chosen += links[v].isChosen;
	}
	if (!onBorder && !listEdges(body, false, heap, lists + 1))
		return plSeamLine_LackMemory(line, error);
	plResult result = joinLinks(line, onBorder ? lists : lists + 1, links, error);
	if (result < 0)
		return result;
	result = walk(line, links, chosen, error);
	if (result == pl_success)
		measure(line);
	return result;
}

plResult plSeamLine_Make(plSeamLine* line, const uint32_t* vertices, size_t count, plHeap* heap, plError* error)
{
	size_t n = line->body->vertexCount;
	Edges lists[2] = {{0}, {0}}; // of the border, of all
	Link* links = PL_NEW_ZERO(heap, Link, n);
	line->room = count < n ? count : n;
	line->order = PL_NEW(heap, uint32_t, line->room);
	line->place = PL_NEW(heap, double, line->room);
	plResult result = links && line->order && line->place ? fillLine(line, vertices, count, links, lists, heap, error)
	                                                      : plSeamLine_LackMemory(line, error);
	for (size_t i = 0; i < 2; ++i)
		PL_FREE(heap, lists[i].ends, 2 * lists[i].room);
	PL_FREE(heap, links, n);
	return result;
}

void plSeamLine_Free(plSeamLine* line, plHeap* heap)
{
	PL_FREE(heap, line->order, line->room);
	PL_FREE(heap, line->place, line->room);
}
