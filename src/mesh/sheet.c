// sheet.c: the edges of a surface of triangles, and what is wrong with it
//
// An edge with ends u < v goes into the bucket of u (counting sort); within a bucket sides are sorted by
// (v, opposite corner, number). Sides of one edge are then neighbours, and among these, triangles with the same
// opposite corner have the same three corners. The order is total, so the result does not depend on the sort.
//
//   altitude   2 A / L      A area, L longest edge: the least of the three altitudes
#include "sheet.h"
#include "../base/vec3.h"
#include "pliant/mesh.h"

#include <stdlib.h>

typedef struct Side
{
	uint32_t end; // the larger one
	uint32_t opposite;
	uint32_t number; // 3 t + k: from corner k of triangle t to the next
	bool isUp;       // it goes from the smaller end to the larger
} Side;

static int compareSides(const void* a, const void* b)
{
	const Side *x = a, *y = b;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	if (x->opposite != y->opposite)
		return x->opposite < y->opposite ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

// Those of a bucket are few, unless it is the hub of a fan.
static void sortBucket(Side* sides, size_t count)
{
	if (count > 48)
	{
		qsort(sides, count, sizeof *sides, compareSides);
		return;
	}
	for (size_t i = 1; i < count; ++i)
	{
		Side moving = sides[i];
		size_t j = i;
		for (; j > 0 && compareSides(&moving, &sides[j - 1]) < 0; --j)
			sides[j] = sides[j - 1];
		sides[j] = moving;
	}
}

// The sides in their buckets; `start` [vertexCount + 2], zeroed: start[v + 1] is where the bucket of v begins
static void fillBuckets(const uint32_t* triangles, size_t count, size_t vertexCount, size_t* start, Side* sides)
{
	for (size_t i = 0; i < 3 * count; ++i)
	{
		uint32_t a = triangles[i], b = triangles[i / 3 * 3 + (i + 1) % 3];
		start[(a < b ? a : b) + 1]++;
	}
	for (size_t v = 0; v < vertexCount; ++v)
		start[v + 1] += start[v];
	for (size_t i = 3 * count; i-- > 0;)
	{
		size_t t = i / 3;
		uint32_t a = triangles[i], b = triangles[3 * t + (i + 1) % 3], c = triangles[3 * t + (i + 2) % 3];
		sides[--start[(a < b ? a : b) + 1]] = (Side){a < b ? b : a, c, (uint32_t)i, a < b};
	}
	start[vertexCount + 1] = 3 * count;
}

// Hears of the sides of one edge, whose smaller end is `low`
typedef void EdgeFcn(void* context, uint32_t low, const Side* sides, size_t count);

// Calls `hear` for every edge, ascending by its ends. pl_errorMemory or pl_success
static plResult eachEdge(const uint32_t* triangles, size_t triangleCount, size_t vertexCount, plHeap* heap,
                         EdgeFcn* hear, void* context)
{
	Side* sides = PL_NEW(heap, Side, 3 * triangleCount);
	size_t* start = PL_NEW_ZERO(heap, size_t, vertexCount + 2);
	bool fine = (sides != NULL || triangleCount == 0) && start != NULL;
	if (fine)
		fillBuckets(triangles, triangleCount, vertexCount, start, sides);
	for (size_t v = 0; fine && v < vertexCount; ++v)
	{
		size_t begin = start[v + 1], end = start[v + 2];
		sortBucket(sides + begin, end - begin);
		for (size_t i = begin, j; i < end; i = j)
		{
			for (j = i + 1; j < end && sides[j].end == sides[i].end;)
				++j;
			hear(context, (uint32_t)v, sides + i, j - i);
		}
	}
	PL_FREE(heap, start, vertexCount + 2);
	PL_FREE(heap, sides, 3 * triangleCount);
	return fine ? pl_success : pl_errorMemory;
}

static void countEdge(void* context, uint32_t low, const Side* sides, size_t count)
{
	plEdgeCounts* counts = context;
	(void)low;
	counts->edges++;
	counts->border += count == 1;
	counts->crowded += count > 2;
	counts->turned += count == 2 && sides[0].isUp == sides[1].isUp;
}

static void addEdge(void* context, uint32_t low, const Side* sides, size_t count)
{
	plSheet* sheet = context;
	plSheetEdge* edge = sheet->edges + sheet->counts.edges;
	*edge = (plSheetEdge){.ends = {low, sides[0].end}, .triangles = {PL_NONE, PL_NONE}, .opposite = {PL_NONE, PL_NONE}};
	edge->count = (uint32_t)count;
	for (size_t i = 0; i < count; ++i)
		for (size_t k = 0; k < 2; ++k) // the two of the lowest numbers
			if (sides[i].number / 3 < edge->triangles[k])
			{
				edge->triangles[1] = k == 0 ? edge->triangles[0] : edge->triangles[1];
				edge->opposite[1] = k == 0 ? edge->opposite[0] : edge->opposite[1];
				edge->triangles[k] = sides[i].number / 3;
				edge->opposite[k] = sides[i].opposite;
				break;
			}
	for (size_t i = 1; i < count && sheet->duplicate == PL_NONE; ++i)
		if (sides[i].opposite == sides[i - 1].opposite)
		{
			sheet->duplicate = sides[i].number / 3;
			sheet->original = sides[i - 1].number / 3;
		}
	countEdge(&sheet->counts, low, sides, count);
}

plResult plSheet_Create(plSheet* sheet, const uint32_t* triangles, size_t triangleCount, size_t vertexCount,
                        plHeap* heap)
{
	*sheet = (plSheet){.duplicate = PL_NONE, .original = PL_NONE, .edgeRoom = 3 * triangleCount};
	sheet->edges = PL_NEW(heap, plSheetEdge, sheet->edgeRoom);
	plResult result = sheet->edges != NULL || triangleCount == 0 ? pl_success : pl_errorMemory;
	if (result == pl_success)
		result = eachEdge(triangles, triangleCount, vertexCount, heap, addEdge, sheet);
	if (result < 0)
		plSheet_Destroy(sheet, heap);
	return result;
}

void plSheet_Destroy(plSheet* sheet, plHeap* heap)
{
	PL_FREE(heap, sheet->edges, sheet->edgeRoom);
	*sheet = (plSheet){0};
}

static void joinTwins(void* context, uint32_t low, const Side* sides, size_t count)
{
	uint32_t* twin = context;
	(void)low;
	for (size_t i = 0; i < count; ++i)
		twin[sides[i].number] = count == 2 ? sides[1 - i].number : PL_NONE;
}

plResult plFindTwins(const uint32_t* triangles, size_t triangleCount, size_t vertexCount, uint32_t* twin, plHeap* heap)
{
	return eachEdge(triangles, triangleCount, vertexCount, heap, joinTwins, twin);
}

plResult plMeshView_CountEdges(const plMeshView* view, plEdgeCounts* counts, plError* error)
{
	plHeap heap;
	plHeap_Init(&heap, NULL);
	*counts = (plEdgeCounts){0};
	if (eachEdge(view->surface, view->surfaceCount, view->vertexCount, &heap, countEdge, counts) == pl_success)
		return pl_success;
	return plFail(error, pl_errorMemory, "not enough memory for the edges of %zu triangles", view->surfaceCount);
}

plTriangleSize plMeasureTriangle(const double* vertices, const uint32_t* triangle)
{
	double e[3][3], n[3];
	plTriangleSize size = {0.0, 0.0, 0.0};
	for (int k = 0; k < 3; ++k)
	{
		plSubtract3(vertices + 3 * (size_t)triangle[(k + 1) % 3], vertices + 3 * (size_t)triangle[k], e[k]);
		size.longest = fmax(size.longest, plLength3(e[k]));
	}
	plCross3(e[0], e[1], n);
	size.area = 0.5 * plLength3(n);
	size.altitude = size.longest > 0.0 ? 2.0 * size.area / size.longest : 0.0;
	return size;
}

plResult plCheckTriangleCorners(const uint32_t* triangles, size_t triangleCount, plError* error)
{
	for (size_t t = 0; t < triangleCount; ++t)
	{
		const uint32_t* c = triangles + 3 * t;
		if (c[0] == c[1] || c[1] == c[2] || c[0] == c[2])
			return plFailAt(error, "mesh", "cloth: triangle %zu is degenerate: two of its corners are vertex %u", t,
			                c[0] == c[1] ? c[0] : c[2]);
	}
	return pl_success;
}

static plResult checkShapes(const double* vertices, const uint32_t* triangles, size_t count, plError* error)
{
	for (size_t t = 0; t < count; ++t)
	{
		plTriangleSize size = plMeasureTriangle(vertices, triangles + 3 * t);
		if (!isnormal(size.area) || !(size.altitude > PL_FLAT_TRIANGLE * size.longest))
			return plFailAt(error, "mesh",
			                "cloth: triangle %zu is degenerate: area %.3g m^2, longest edge %.3g m, altitude %.3g m", t,
			                size.area, size.longest, size.altitude);
	}
	return pl_success;
}

plResult plSheet_Check(const plSheet* sheet, const double* vertices, size_t vertexCount, const uint32_t* triangles,
                       size_t triangleCount, plHeap* heap, plError* error)
{
	plResult result = checkShapes(vertices, triangles, triangleCount, error);
	if (result < 0)
		return result;
	if (sheet->duplicate != PL_NONE)
		return plFailAt(error, "mesh", "cloth: triangle %u has the same corners as triangle %u", sheet->duplicate,
		                sheet->original);
	uint8_t* used = PL_NEW_ZERO(heap, uint8_t, vertexCount);
	if (used == NULL)
		return plFail(error, pl_errorMemory, "not enough memory to check a cloth of %zu triangles", triangleCount);
	for (size_t i = 0; i < 3 * triangleCount; ++i)
		used[triangles[i]] = 1;
	size_t first = vertexCount, loose = 0;
	for (size_t v = vertexCount; v-- > 0;)
	{
		first = used[v] ? first : v;
		loose += !used[v];
	}
	PL_FREE(heap, used, vertexCount);
	if (loose > 0)
		return plFailAt(error, "mesh",
		                "cloth: vertex %zu belongs to no triangle and would have no mass (%zu of %zu vertices)", first,
		                loose, vertexCount);
	return pl_success;
}
