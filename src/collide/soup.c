// soup.c: making a static surface of triangles, and clamping normals to its features
//
//   kind of an edge   s = e.(n x n'), c = n.n',  n and n' the normals on its two sides, e along the edge
//                     convex s > 0, concave s < 0, flat |s| <= 2^-20 with c > 0; folded back (c < 0, s = 0): convex
//
// Corners in the same place become one point, because files often write a point once for every triangle.
#include "soup.h"
#include "hull.h"
#include "surface_check.h"
#include "vector.h"

#include <math.h>
#include <stdlib.h>

static const double flatSine = 0x1p-20;

// ---- points ---------------------------------------------------------------------------------------------------------

typedef struct Place
{
	double x[3];
	uint32_t vertex;
} Place;

static int comparePlaces(const void* a, const void* b)
{
	const Place *p = a, *q = b;
	for (int i = 0; i < 3; ++i)
		if (p->x[i] != q->x[i])
			return p->x[i] < q->x[i] ? -1 : 1;
	return p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

// Points of the corners, numbered by place; `faces` gets their numbers.
static void mergePoints(plSoup* soup, plMeshView mesh, Place* places, uint32_t* pointOf, uint32_t* faces)
{
	qsort(places, mesh.vertexCount, sizeof *places, comparePlaces);
	for (size_t i = 0; i < mesh.vertexCount; ++i)
	{
		const Place *here = places + i, *last = i > 0 ? here - 1 : NULL;
		bool isNew = last == NULL || here->x[0] != last->x[0] || here->x[1] != last->x[1] || here->x[2] != last->x[2];
		if (isNew)
			memcpy(soup->points + 3 * soup->pointCount++, here->x, sizeof here->x);
		pointOf[here->vertex] = (uint32_t)(soup->pointCount - 1);
	}
	for (size_t c = 0; c < 3 * mesh.surfaceCount; ++c)
		faces[c] = pointOf[mesh.surface[c]];
}

// ---- edges ----------------------------------------------------------------------------------------------------------

static void fillEdge(plSoupTriangle* triangles, size_t place, size_t otherPlace)
{
	plSoupTriangle *t = triangles + place / 3, *other = triangles + otherPlace / 3;
	size_t k = place % 3;
	double along[3], turn[3];
	plSubtract3(t->corner[(k + 1) % 3], t->corner[k], along);
	normalise3(along);
	plCross3(t->normal, other->normal, turn);
	double sine = plDot3(turn, along), cosine = plDot3(t->normal, other->normal);
	bool isFlat = fabs(sine) <= flatSine && cosine > 0.0;
	t->neighbour[k] = (uint32_t)(otherPlace / 3);
	t->edges[k] = isFlat ? pl_edgeFlat : sine >= -flatSine ? pl_edgeConvex : pl_edgeConcave;
	memcpy(t->beyond[k], other->normal, sizeof t->beyond[k]);
}

// Edges stand sorted, equal ones together. Two triangles that run along an edge in opposite directions are neighbours.
// Each end of an edge notes the other: counts in fanStart first, then the fan itself.
static void matchEdges(plSoup* soup, const uint32_t* faces, const plSurfaceEdge* edges)
{
	size_t count = 3 * soup->count;
	for (size_t e = 0, end; e < count; e = end)
	{
		for (end = e + 1; end < count && edges[end].low == edges[e].low && edges[end].high == edges[e].high;)
			++end;
		soup->edgeCount++;
		soup->fanStart[edges[e].low + 1]++;
		soup->fanStart[edges[e].high + 1]++;
		if (end - e == 2 && faces[edges[e].place] != faces[edges[e + 1].place])
		{
			fillEdge(soup->triangles, edges[e].place, edges[e + 1].place);
			fillEdge(soup->triangles, edges[e + 1].place, edges[e].place);
		}
	}
	for (size_t p = 0; p < soup->pointCount; ++p)
		soup->fanStart[p + 1] += soup->fanStart[p];
}

static void fillFans(plSoup* soup, const plSurfaceEdge* edges, uint32_t* filled)
{
	memcpy(filled, soup->fanStart, soup->pointCount * sizeof *filled);
	for (size_t e = 0; e < 3 * soup->count; ++e)
	{
		uint32_t low = edges[e].low, high = edges[e].high;
		if (e > 0 && edges[e - 1].low == low && edges[e - 1].high == high)
			continue;
		soup->fan[filled[low]++] = high;
		soup->fan[filled[high]++] = low;
	}
}

// ---- making it ------------------------------------------------------------------------------------------------------

// Scratch of one creation; faces by points, the rest as their names say.
typedef struct Draft
{
	Place* places;        // [vertexCount]
	uint32_t* pointOf;    // [vertexCount] also the place up to which a point's fan is filled
	uint32_t* faces;      // [3 count]
	plSurfaceEdge* edges; // [3 count]
	plBox* boxes;         // [count]
	plSoupTriangle* triangles;
} Draft;

static plResult checkMesh(plMeshView mesh, const plTransform* transform, plError* error)
{
	if (mesh.surfaceCount == 0)
		return plFailAt(error, "mesh", "mesh: it has no triangles");
	if (mesh.surfaceCount > UINT32_MAX / 6)
		return plFailAt(error, "mesh", "mesh: %zu triangles are too many", mesh.surfaceCount);
	for (size_t c = 0; c < 3 * mesh.surfaceCount; ++c)
		if (mesh.surface[c] >= mesh.vertexCount)
			return plFailAt(error, "mesh", "mesh: triangle %zu names vertex %u, there are %zu", c / 3, mesh.surface[c],
			                mesh.vertexCount);
	for (size_t i = 0; i < mesh.vertexCount; ++i)
	{
		double x[3];
		plTransform_Apply(transform, mesh.vertices + 3 * i, x);
		if (!(fabs(x[0]) <= PL_LARGEST_LENGTH && fabs(x[1]) <= PL_LARGEST_LENGTH && fabs(x[2]) <= PL_LARGEST_LENGTH))
			return plFailAt(error, "mesh", "mesh: vertex %zu at %g %g %g is not finite or beyond %g m", i, x[0], x[1],
			                x[2], PL_LARGEST_LENGTH);
	}
	return pl_success;
}

static void fillTriangles(plSoup* soup, const Draft* draft)
{
	for (size_t t = 0; t < soup->count; ++t)
	{
		plSoupTriangle* triangle = soup->triangles + t;
		*triangle = (plSoupTriangle){.source = (uint32_t)t, .neighbour = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
		for (size_t k = 0; k < 3; ++k)
		{
			triangle->points[k] = draft->faces[3 * t + k];
			memcpy(triangle->corner[k], soup->points + 3 * (size_t)triangle->points[k], sizeof triangle->corner[k]);
		}
		plTriangle_GetNormal(triangle->corner, triangle->normal);
		draft->boxes[t] = plTriangle_Bound(triangle->corner);
	}
}

// Triangles into the order of the leaves, their neighbours' numbers with them.
static void orderTriangles(plSoup* soup, Draft* draft)
{
	uint32_t* newNumber = draft->faces; // no longer needed
	memcpy(draft->triangles, soup->triangles, soup->count * sizeof *soup->triangles);
	for (size_t t = 0; t < soup->count; ++t)
		newNumber[soup->tree.items[t]] = (uint32_t)t;
	for (size_t t = 0; t < soup->count; ++t)
	{
		soup->triangles[t] = draft->triangles[soup->tree.items[t]];
		for (int k = 0; k < 3; ++k)
			if (soup->triangles[t].neighbour[k] != UINT32_MAX)
				soup->triangles[t].neighbour[k] = newNumber[soup->triangles[t].neighbour[k]];
	}
	plBoxTree_Renumber(&soup->tree);
}

static plResult fillSoup(plSoup* soup, plMeshView mesh, const plTransform* transform, Draft* draft, plHeap* heap,
                         plError* error)
{
	for (size_t i = 0; i < mesh.vertexCount; ++i)
	{
		draft->places[i].vertex = (uint32_t)i;
		plTransform_Apply(transform, mesh.vertices + 3 * i, draft->places[i].x);
		memcpy(soup->points + 3 * i, draft->places[i].x, sizeof draft->places[i].x);
	}
	plResult result = plCheckAreas(soup->points, mesh.surface, soup->count, error);
	if (result != pl_success)
		return result;
	mergePoints(soup, mesh, draft->places, draft->pointOf, draft->faces);
	plSortEdges(draft->faces, soup->count, draft->edges);
	fillTriangles(soup, draft);
	matchEdges(soup, draft->faces, draft->edges);
	fillFans(soup, draft->edges, draft->pointOf);
	if (!plBoxTree_Build(&soup->tree, draft->boxes, soup->count, heap))
		return pl_errorMemory;
	orderTriangles(soup, draft);
	return pl_success;
}

plResult plSoup_Create(plSoup** out, plMeshView mesh, const plTransform* transform, plHeap* heap, plError* error)
{
	size_t count = mesh.surfaceCount, n = mesh.vertexCount;
	*out = NULL;
	plResult result = checkMesh(mesh, transform, error);
	if (result != pl_success)
		return result;
	Draft draft = {PL_NEW(heap, Place, n),
	               PL_NEW(heap, uint32_t, n),
	               PL_NEW(heap, uint32_t, 3 * count),
	               PL_NEW(heap, plSurfaceEdge, 3 * count),
	               PL_NEW(heap, plBox, count),
	               PL_NEW(heap, plSoupTriangle, count)};
	plSoup* soup = PL_NEW_ZERO(heap, plSoup, 1);
	result = pl_errorMemory;
	if (soup != NULL)
	{
		soup->count = count;
		soup->pointRoom = n;
		soup->triangles = PL_NEW(heap, plSoupTriangle, count);
		soup->points = PL_NEW(heap, double, 3 * n);
		soup->fanStart = PL_NEW_ZERO(heap, uint32_t, n + 1);
		soup->fan = PL_NEW(heap, uint32_t, 6 * count);
	}
	if (soup && soup->triangles && soup->points && soup->fanStart && soup->fan && draft.places && draft.pointOf &&
	    draft.faces && draft.edges && draft.boxes && draft.triangles)
		result = fillSoup(soup, mesh, transform, &draft, heap, error);
	if (result == pl_errorMemory)
		plFail(error, result, "mesh: not enough memory for a surface of %zu triangles", count);
	PL_FREE(heap, draft.places, n);
	PL_FREE(heap, draft.pointOf, n);
	PL_FREE(heap, draft.faces, 3 * count);
	PL_FREE(heap, draft.edges, 3 * count);
	PL_FREE(heap, draft.boxes, count);
	PL_FREE(heap, draft.triangles, count);
	if (result != pl_success)
		plSoup_Destroy(soup, heap);
	else
		*out = soup;
	return result;
}

void plSoup_Destroy(plSoup* soup, plHeap* heap)
{
	if (soup == NULL)
		return;
	PL_FREE(heap, soup->triangles, soup->count);
	PL_FREE(heap, soup->points, 3 * soup->pointRoom);
	PL_FREE(heap, soup->fanStart, soup->pointRoom + 1);
	PL_FREE(heap, soup->fan, 6 * soup->count);
	plBoxTree_Destroy(&soup->tree, heap);
	PL_FREE(heap, soup, 1);
}

// ---- normals --------------------------------------------------------------------------------------------------------

// The wanted direction without its part along the edge, drawn into the arc from n to the normal beyond.
static void clampToEdge(const plSoupTriangle* t, int k, const double wanted[3], double normal[3])
{
	double along[3], out[3], across[3], turn[3];
	plSubtract3(t->corner[(k + 1) % 3], t->corner[k], along);
	normalise3(along);
	plCross3(along, t->normal, out); // in the plane, away from the triangle
	double part = plDot3(wanted, along);
	for (int i = 0; i < 3; ++i)
		across[i] = wanted[i] - part * along[i];
	bool isOpen = t->edges[k] == pl_edgeBoundary, isArc = isOpen || t->edges[k] == pl_edgeConvex;
	bool isInside = isArc && plDot3(across, out) > 0.0 && plDot3(across, across) > 0x1p-40;
	memcpy(normal, t->normal, sizeof t->normal);
	if (!isInside)
		return;
	plCross3(t->beyond[k], across, turn);
	bool isBeyond = !isOpen && plDot3(turn, along) > 0.0;
	memcpy(normal, isBeyond ? t->beyond[k] : across, sizeof across);
	normalise3(normal);
}

static bool isInCone(const plSoup* soup, uint32_t point, const double wanted[3])
{
	const double* x = soup->points + 3 * (size_t)point;
	for (uint32_t f = soup->fanStart[point]; f < soup->fanStart[point + 1]; ++f)
	{
		double edge[3];
		plSubtract3(soup->points + 3 * (size_t)soup->fan[f], x, edge);
		normalise3(edge);
		if (plDot3(wanted, edge) > 0x1p-40)
			return false;
	}
	return true;
}

void plSoup_ClampNormal(const plSoup* soup, uint32_t triangle, int feature, const double wanted[3], double normal[3])
{
	const plSoupTriangle* t = soup->triangles + triangle;
	if (feature == 6)
		memcpy(normal, t->normal, sizeof t->normal);
	else if (feature >= 3)
		clampToEdge(t, feature - 3, wanted, normal);
	else if (isInCone(soup, t->points[feature], wanted))
		memcpy(normal, wanted, 3 * sizeof *wanted);
	else
	{
		double other[3];
		clampToEdge(t, feature, wanted, normal);
		clampToEdge(t, (feature + 2) % 3, wanted, other);
		if (plDot3(other, wanted) > plDot3(normal, wanted))
			memcpy(normal, other, sizeof other);
	}
}
