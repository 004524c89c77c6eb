// surface.h: the visible skin of a body: boundary faces of its tets or its triangles, creases, normals
#ifndef PL_RENDER_SURFACE_H
#define PL_RENDER_SURFACE_H

#include "pliant/base.h"

// Points are the body's vertices that lie on the boundary. Drawn vertices are points, split where faces meet at a
// crease, so that each has one normal. The topology is found once; poses follow.
typedef struct plSurface
{
	size_t bodyVertexCount;
	size_t pointCount;
	uint32_t* points; // body vertex of each point, ascending
	size_t vertexCount;
	uint32_t* vertexPoints; // point of each drawn vertex
	size_t triangleCount;
	uint32_t* triangles; // three drawn vertices each, outward
	float* rest;         // 3 per drawn vertex, relative to the lowest corner of the rest shape
	size_t partCount;    // bodies of an array, which have colours of their own; 0: it is one
	uint32_t* parts;     // of each drawn vertex
} plSurface;

// Faces that belong to one tet only, outward where the tet has positive volume, in the order of the tets. `faces` takes
// up to 12 numbers per tet. Returns how many faces there are, SIZE_MAX when memory ran out.
size_t plFindBoundaryFaces(const uint32_t* tets, size_t tetCount, size_t vertexCount, uint32_t* faces);

// `rest`: 3 per vertex. Faces that meet at more than `creaseDegrees` at rest keep their own normals.
// NULL if a tet names a vertex that does not exist, there is no tet, or memory ran out.
plSurface* plCreateSurface(const double* rest, size_t vertexCount, const uint32_t* tets, size_t tetCount,
                           double creaseDegrees, plError* error);
// The same from the faces themselves (at least one, of vertices that exist).
plSurface* plCreateFaceSurface(const double* rest, size_t vertexCount, const uint32_t* faces, size_t faceCount,
                               double creaseDegrees, plError* error);
// Tells the parts apart: `parts` has one number per face, below partCount. False: no memory.
bool plSurface_SetParts(plSurface* surface, const uint32_t* parts, size_t partCount);
void plDestroySurface(plSurface* surface);

// Area-weighted unit normals of the drawn vertices (3 each) from the positions of the points (3 each).
void plSurface_ComputeNormals(const plSurface* surface, const float* positions, float* normals);

#endif
