// rest_mesh.h: what a hierarchy is built from: vertices at rest, and the simplices that join them
//
// Tetrahedra, triangles and edges may stand side by side, in any order and as often as they like. Edges of triangles
// and tetrahedra need not be listed. Vertices are best numbered so that neighbours in space are mostly near in number.
#ifndef PL_REST_MESH_H
#define PL_REST_MESH_H

#include "../base/base.h"

enum
{
	pl_simplexCorners = 4
};

typedef struct plRestMesh
{
	size_t vertexCount;
	double* rest; // [3 vertexCount] m
	size_t simplexCount;
	uint32_t* simplices; // [4 simplexCount] vertices; UINT32_MAX where a simplex has fewer
	double* lengths;     // [simplexCount] of edges, m; below 0: their distance at rest. NULL: all of them
	uint8_t* marks;      // [vertexCount] plVertexMark that the caller knows of, ends of seams for instance; NULL: none
} plRestMesh;

// The larger, the earlier a vertex is kept on the next level.
typedef enum plVertexMark
{
	pl_markInner,
	pl_markSurface, // of a solid; a fold of a sheet
	pl_markRim,     // edge of a sheet, edge of a solid's surface, seam
	pl_markCorner,
	pl_markCount
} plVertexMark;

// False: no memory, and nothing is held. Arrays are the caller's to fill; `lengths` and `marks` are made by it, too.
bool plRestMesh_Allocate(plRestMesh* mesh, size_t vertexCount, size_t simplexCount, plHeap* heap);
void plRestMesh_Destroy(plRestMesh* mesh, plHeap* heap);

static inline size_t plSimplex_CountCorners(const uint32_t* simplex)
{
	size_t count = 0;
	while (count < pl_simplexCorners && simplex[count] != UINT32_MAX)
		++count;
	return count;
}

#endif
