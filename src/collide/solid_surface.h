// solid_surface.h: the surface of a solid as triangles
#ifndef PL_SOLID_SURFACE_H
#define PL_SOLID_SURFACE_H

#include "solid.h"

typedef struct plSolidSurface
{
	double* points;  // [3 pointCount] m
	uint32_t* faces; // [3 faceCount] counter-clockwise seen from outside
	size_t pointCount, faceCount;
} plSolidSurface;

// Closed, in the axes of the solid, of a convex one. Round ones have `sides` around them, a multiple of 4. False: no
// memory, and then nothing is left to free.
bool plSolidSurface_Create(plSolidSurface* surface, const plSolid* solid, uint32_t sides, plHeap* heap);
void plSolidSurface_Destroy(plSolidSurface* surface, plHeap* heap);

#endif
