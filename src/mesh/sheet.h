// sheet.h: a surface of triangles, open or closed: its edges, who meets there, and what is wrong with it
#ifndef PL_MESH_SHEET_H
#define PL_MESH_SHEET_H

#include "../base/base.h"
#include "pliant/mesh.h"

#define PL_NONE UINT32_MAX

// An edge of one triangle or more
typedef struct plSheetEdge
{
	uint32_t ends[2];      // vertices, ascending
	uint32_t triangles[2]; // the first two at the edge; the second is PL_NONE on the border
	uint32_t opposite[2];  // their corners that are not on the edge
	uint32_t count;        // triangles at the edge
} plSheetEdge;

typedef struct plSheet
{
	plSheetEdge* edges; // [counts.edges] ascending by their ends
	size_t edgeRoom;
	plEdgeCounts counts;
	uint32_t duplicate; // a triangle with the corners of another one, and that one; PL_NONE: there is none
	uint32_t original;
} plSheet;

// Corners are in range and differ within a triangle. pl_errorMemory or pl_success
plResult plSheet_Create(plSheet* sheet, const uint32_t* triangles, size_t triangleCount, size_t vertexCount,
                        plHeap* heap);
void plSheet_Destroy(plSheet* sheet, plHeap* heap);

// Two triangles that share an edge are twins there: `twin` [3 triangleCount] has for side 3 t + k, which goes from
// corner k of triangle t to the next, the side of the other one. PL_NONE: on the border, and in a crowd, where nobody
// can say which two are one sheet. pl_errorMemory or pl_success
plResult plFindTwins(const uint32_t* triangles, size_t triangleCount, size_t vertexCount, uint32_t* twin, plHeap* heap);

// Do two triangles and no more meet there?
static inline bool plSheetEdge_IsHinge(const plSheetEdge* edge)
{
	return edge->count == 2;
}

// Of the triangle in the rest shape: area, longest edge, and the least of its three altitudes, m^2 and m
typedef struct plTriangleSize
{
	double area, longest, altitude;
} plTriangleSize;

plTriangleSize plMeasureTriangle(const double* vertices, const uint32_t* triangle);

// A triangle whose least altitude is at most this share of its longest edge has no shape that could be told from a
// line.
#define PL_FLAT_TRIANGLE 1e-6

// What cloth cannot be made of: flat triangles, duplicates, vertices without a triangle; words go to `error`.
plResult plSheet_Check(const plSheet* sheet, const double* vertices, size_t vertexCount, const uint32_t* triangles,
                       size_t triangleCount, plHeap* heap, plError* error);
// Triangles whose corners repeat; before plSheet_Create.
plResult plCheckTriangleCorners(const uint32_t* triangles, size_t triangleCount, plError* error);

#endif
