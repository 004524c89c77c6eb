// hull_write.c: the rims of faces as the arrays of a hull
//
// Vertices stand in the order of the points, faces by the area of their first triangle.
#include "hull_parts.h"

#include <math.h>

static bool allocate(plHull* hull, plHeap* heap)
{
	hull->vertices = PL_NEW(heap, double, 3 * (size_t)hull->vertexCount);
	hull->planes = PL_NEW(heap, double, (size_t)hull->faceCount * 4);
	hull->faceStart = PL_NEW(heap, uint32_t, (size_t)hull->faceCount + 1);
	hull->corners = PL_NEW(heap, uint32_t, hull->edgeCount);
	hull->twins = PL_NEW(heap, uint32_t, hull->edgeCount);
	hull->faceOf = PL_NEW(heap, uint32_t, hull->edgeCount);
	hull->edgeOf = PL_NEW(heap, uint32_t, hull->vertexCount);
	return hull->vertices && hull->planes && hull->faceStart && hull->corners && hull->twins && hull->faceOf &&
	       hull->edgeOf;
}

static void setPlane(plHull* hull, uint32_t face, const double n[3])
{
	double* plane = hull->planes + 4 * (size_t)face;
	double most = -INFINITY;
	for (uint32_t e = hull->faceStart[face]; e < hull->faceStart[face + 1]; ++e)
	{
		const double* x = hull->vertices + 3 * (size_t)hull->corners[e];
		most = fmax(most, n[0] * x[0] + n[1] * x[1] + n[2] * x[2]);
	}
	memcpy(plane, n, 3 * sizeof *n);
	plane[3] = most;
}

bool plHullRims_Write(plHullRims* f, plHull* hull)
{
	const plHullSource* s = f->source;
	uint32_t *number = f->out, *place = f->prev; // no longer needed: of a point, of a half-edge
	hull->vertexCount = hull->faceCount = hull->edgeCount = 0;
	for (size_t p = 0; p < s->pointCount; ++p)
		hull->vertexCount += f->degree[p] > 0;
	for (size_t t = 0; t < s->count; ++t)
	{
		hull->faceCount += f->size[t] > 0;
		hull->edgeCount += f->size[t];
	}
	if (!allocate(hull, s->heap))
		return false;
	uint32_t vertex = 0, edge = 0, face = 0;
	for (size_t p = 0; p < s->pointCount; ++p)
		if (f->degree[p] > 0)
		{
			memcpy(hull->vertices + 3 * (size_t)vertex, s->points + 3 * p, 3 * sizeof(double));
			number[p] = vertex++;
		}
	for (size_t i = 0; i < s->count; ++i)
	{
		uint32_t t = f->order[i], h = f->first[t];
		hull->faceStart[face] = edge;
		for (uint32_t c = 0; c < f->size[t]; ++c, h = f->next[h], ++edge)
		{
			hull->corners[edge] = number[plHullRims_GetOrigin(f, h)];
			hull->edgeOf[hull->corners[edge]] = edge;
			hull->faceOf[edge] = face;
			place[h] = edge;
		}
		hull->faceStart[face + (f->size[t] > 0)] = edge;
		if (f->size[t] > 0)
			setPlane(hull, face++, s->triangles[t].normal);
	}
	for (uint32_t h = 0; h < 3 * s->count; ++h)
		if (f->next[h] != UINT32_MAX && f->size[plHullRims_GetFace(f, h)] > 0)
			hull->twins[place[h]] = place[f->twin[h]];
	return true;
}
