// bend_list.c: which edges and triangles of a cloth bend
//
// Elements go by the sides of triangles, in their order: an edge of two triangles where the first of its sides stands.
#include "bend.h"
#include "bend_layout.h"
#include "../base/number.h"
#include "../mesh/sheet.h"

#include <math.h>

// Side 3 t + k of triangle t goes from its corner k to the next.
typedef struct Sides
{
	const uint32_t* triangles;
	size_t count;
	uint32_t* twin; // [count] of the other triangle there; PL_NONE: there is none, or a crowd
} Sides;

static uint32_t cornerOf(const Sides* s, size_t side, size_t k)
{
	return s->triangles[side / 3 * 3 + (side % 3 + k) % 3];
}

// ---- elements -------------------------------------------------------------------------------------------------------

static double angleOf(const double* rest, const uint32_t c[4])
{
	double e[3], f[3], g[3], n0[3], n1[3], across[3], along = 0.0, turn = 0.0, length = 0.0;
	for (size_t k = 0; k < 3; ++k)
	{
		e[k] = rest[3 * (size_t)c[1] + k] - rest[3 * (size_t)c[0] + k];
		f[k] = rest[3 * (size_t)c[2] + k] - rest[3 * (size_t)c[0] + k];
		g[k] = rest[3 * (size_t)c[3] + k] - rest[3 * (size_t)c[0] + k];
	}
	for (size_t k = 0; k < 3; ++k)
	{
		size_t i = (k + 1) % 3, j = (k + 2) % 3;
		n0[k] = e[i] * f[j] - e[j] * f[i];
		n1[k] = g[i] * e[j] - g[j] * e[i];
	}
	for (size_t k = 0; k < 3; ++k)
	{
		size_t i = (k + 1) % 3, j = (k + 2) % 3;
		across[k] = n0[i] * n1[j] - n0[j] * n1[i];
		along += n0[k] * n1[k];
		turn += across[k] * e[k];
		length += e[k] * e[k];
	}
	return plAtan2(turn / sqrt(length), along);
}

static void copyChart(double* to, const double* charts, size_t side, size_t k)
{
	memcpy(to, charts + 6 * (side / 3) + 2 * ((side % 3 + k) % 3), 2 * sizeof(double));
}

// The corner of side `twin` at which side `side` begins: 0 or 1
static size_t firstEnd(const Sides* s, size_t side, size_t twin)
{
	return cornerOf(s, twin, 0) == cornerOf(s, side, 0) ? 0 : 1;
}

// The edge of a side and its twin
static void putEdge(plBendList* list, const Sides* s, const double* charts, const double* rest, size_t side)
{
	size_t e = list->count++, twin = s->twin[side], first = firstEnd(s, side, twin);
	if (list->corners == NULL)
		return;
	uint32_t* corners = list->corners + 4 * e;
	double* chart = list->charts + pl_bendChart * e;
	for (size_t k = 0; k < 3; ++k)
	{
		corners[k] = cornerOf(s, side, k);
		copyChart(chart + 2 * k, charts, side, k);
	}
	corners[3] = cornerOf(s, twin, 2);
	copyChart(chart + 6, charts, twin, first);
	copyChart(chart + 8, charts, twin, 1 - first);
	copyChart(chart + 10, charts, twin, 2);
	list->triangle[e] = (uint32_t)(side / 3);
	list->other[e] = (uint32_t)(twin / 3);
	if (list->angles != NULL)
		list->angles[e] = angleOf(rest, corners);
}

// A triangle with its neighbours. Across from corner c is the side that begins at c + 1.
static void putPlate(plBendList* list, const Sides* s, const double* charts, size_t t)
{
	size_t e = list->count++;
	if (list->corners == NULL)
		return;
	uint32_t* corners = list->corners + 6 * e;
	double* chart = list->charts + pl_plateChart * e;
	memset(chart, 0, pl_plateChart * sizeof *chart);
	memcpy(chart, charts + 6 * t, 6 * sizeof *chart);
	for (size_t c = 0; c < 3; ++c)
	{
		size_t side = 3 * t + (c + 1) % 3, twin = s->twin[side];
		corners[c] = s->triangles[3 * t + c];
		corners[3 + c] = s->triangles[3 * t];
		if (twin == PL_NONE)
			continue;
		size_t first = firstEnd(s, side, twin);
		corners[3 + c] = cornerOf(s, twin, 2);
		copyChart(chart + 6 * (c + 1), charts, twin, 2);
		copyChart(chart + 6 * (c + 1) + 2, charts, twin, 1 - first);
		copyChart(chart + 6 * (c + 1) + 4, charts, twin, first);
	}
	list->triangle[e] = (uint32_t)t;
}

// Without memory for them elements are counted only.
static void putAll(plBendList* list, plBendingModel model, const Sides* s, const double* charts, const double* rest)
{
	list->count = 0;
	for (size_t side = 0; side < s->count && model != pl_bendingPlate; ++side)
		if (s->twin[side] != PL_NONE && side < s->twin[side])
			putEdge(list, s, charts, rest, side);
	for (size_t side = 0; side < s->count && model == pl_bendingPlate; side += 3)
		if (s->twin[side] != PL_NONE || s->twin[side + 1] != PL_NONE || s->twin[side + 2] != PL_NONE)
			putPlate(list, s, charts, side / 3);
}

static bool allocateList(plBendList* list, plBendingModel model, plHeap* heap)
{
	size_t n = list->count, chart = model == pl_bendingPlate ? pl_plateChart : pl_bendChart;
	bool isPlate = model == pl_bendingPlate;
	list->corners = PL_NEW(heap, uint32_t, list->cornerCount * n);
	list->charts = PL_NEW(heap, double, chart* n);
	list->angles = model == pl_bendingHinge ? PL_NEW(heap, double, n) : NULL;
	list->triangle = PL_NEW(heap, uint32_t, n);
	list->other = isPlate ? NULL : PL_NEW(heap, uint32_t, n);
	return n == 0 || (list->corners && list->charts && (list->angles || model != pl_bendingHinge) && list->triangle &&
	                  (list->other || isPlate));
}

plResult plBendList_Create(plBendList* list, plBendingModel model, const uint32_t* triangles, const double* charts,
                           size_t triangleCount, const double* rest, size_t vertexCount, plHeap* heap)
{
	*list = (plBendList){.cornerCount = model == pl_bendingPlate ? pl_plateCorners : pl_bendCorners};
	if (model == pl_bendingNone)
		return pl_success;
	Sides sides = {.triangles = triangles, .count = 3 * triangleCount};
	sides.twin = PL_NEW(heap, uint32_t, sides.count);
	bool good = (sides.twin != NULL || sides.count == 0) &&
	            plFindTwins(triangles, triangleCount, vertexCount, sides.twin, heap) == pl_success;
	if (good)
	{
		putAll(list, model, &sides, charts, rest);
		good = allocateList(list, model, heap);
	}
	if (good)
		putAll(list, model, &sides, charts, rest);
	else
		plBendList_Destroy(list, heap);
	PL_FREE(heap, sides.twin, sides.count);
	return good ? pl_success : pl_errorMemory;
}

void plBendList_Destroy(plBendList* list, plHeap* heap)
{
	size_t n = list->count, chart = list->cornerCount == pl_plateCorners ? pl_plateChart : pl_bendChart;
	PL_FREE(heap, list->corners, list->cornerCount * n);
	PL_FREE(heap, list->charts, chart * n);
	PL_FREE(heap, list->angles, n);
	PL_FREE(heap, list->triangle, n);
	PL_FREE(heap, list->other, n);
	*list = (plBendList){0};
}
