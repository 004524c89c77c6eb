// surface_check.h: does a set of triangles enclose a volume?
#ifndef PL_SURFACE_CHECK_H
#define PL_SURFACE_CHECK_H

#include "../base/base.h"

// across[3 t + k]: the triangle on the other side of edge k of triangle t, from its corner k to k + 1.
// pl_errorInput and words that name triangle and vertices (numbers from 0) if the surface is open, not manifold, not
// oriented one way, has a flat triangle, or is inside out as a whole; pl_errorMemory without words.
plResult plCheckSurface(const double* points, size_t pointCount, const uint32_t* faces, size_t faceCount,
                        uint32_t* across, plHeap* heap, plError* error);

// Its parts, for surfaces that need not be closed. Edge k of a triangle, from its corner k to k + 1, as place
// 3 triangle + k, with its vertices sorted.
typedef struct plSurfaceEdge
{
	uint32_t low, high;
	size_t place;
} plSurfaceEdge;

// Every edge of every triangle, [3 faceCount], by low, high and place: the sides of an edge stand together.
void plSortEdges(const uint32_t* faces, size_t faceCount, plSurfaceEdge* edges);
// Has every triangle an area? pl_errorInput with words that name it.
plResult plCheckAreas(const double* points, const uint32_t* faces, size_t faceCount, plError* error);
// Is the volume within above 0? The same.
plResult plCheckVolume(const double* points, const uint32_t* faces, size_t faceCount, plError* error);

#endif
