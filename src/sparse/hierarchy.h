// hierarchy.h: levels of ever fewer vertices, and how a level is interpolated from the next coarser one
//
//   x_fine = P x_coarse,   each row of P holds the barycentric weights of a vertex in a simplex of coarse vertices
//
// Built once from the mesh at rest; pins and matrices have no part in it. A level is made from the one above it in four
// steps:
//
//   1 discs      vertices in order of their marks, corners first: one that is not covered yet is kept and covers all
//                within the distance r along edges. r is a multiple of the mean length of an edge of the connected
//                part, corrected until the part has about `ratio` times fewer vertices (discs.c)
//   2 clusters   every vertex belongs to the nearest kept one along edges, ties to the smaller number    (discs.c)
//   3 the coarse mesh: edges between clusters that meet, simplices of clusters that meet in a simplex  (level_mesh.c)
//   4 weights    of a vertex in the best simplex at its cluster, or at the neighbours of that: clamped to >= 0, small
//                ones dropped. Where there is none, weight 1 on its cluster                          (interpolation.c)
//
// Simplices need not fit together: clusters that meet are enough. So there is one algorithm for sheets, closed
// surfaces, solids, ropes and any mixture, with holes, slivers and edges of three triangles. Everything is a function
// of the mesh alone.
#ifndef PL_HIERARCHY_H
#define PL_HIERARCHY_H

#include "rest_mesh.h"

// From a level to the next finer one
typedef struct plInterpolation
{
	size_t fineCount, coarseCount;
	uint32_t* kept;   // [coarseCount] its own vertex of the finer level, ascending
	size_t* start;    // [fineCount + 1]
	uint32_t* column; // [start[fineCount]] coarse vertices of a row, ascending
	float* weight;    // [start[fineCount]] above 0, multiples of 2^-22: a row adds up to 1 exactly
	size_t inexact;   // rows that were clamped or had a weight dropped: linear fields are not reproduced there
} plInterpolation;

typedef struct plHierarchyRules
{
	double ratio;    // fewer vertices from level to level; 0: 8 for solids, 4 for sheets, 2 for ropes
	size_t coarsest; // stop at this number of vertices that meet others, or fewer
} plHierarchyRules;

typedef struct plHierarchy
{
	size_t stepCount;       // one less than there are levels
	plInterpolation* steps; // [stepCount]
} plHierarchy;

static inline plHierarchyRules plDefaultHierarchyRules(void)
{
	return (plHierarchyRules){.ratio = 0.0, .coarsest = 120};
}

// pl_success; pl_errorInput: a simplex names a vertex that does not exist; pl_errorMemory. Nothing is held then.
plResult plHierarchy_Create(plHierarchy* hierarchy, const plRestMesh* mesh, const plHierarchyRules* rules,
                            plHeap* heap);
void plHierarchy_Destroy(plHierarchy* hierarchy, plHeap* heap);

#endif
