// spread.h: a flat sheet that is spread out so far that it cannot meet itself, nor on a straight way
//
// u is a point of the sheet as it was made, in a plane, its chart; x(u) where it is, linear in every triangle, and F
// the 3 x 2 gradient of x there. If the chart is convex, two points u and v have the straight line from u to v in it.
// Let A be a 2 x 3 matrix with orthonormal rows, and
//
//   A F + (A F)' >= 2 m I,  m > 0,  in all triangles on that line: the sheet is m-spread along it.  Then
//   (v - u) . A (x(v) - x(u)) = mean of (v - u) . A F (v - u) >= m |v - u|^2,  so  |x(v) - x(u)| >= m |v - u|
//
// As corners go on straight lines from one state to another one, F is linear in time, like x. So what holds in both
// states with one A holds on all of the way. For a sheet that neither shrinks nor stretches m is the cosine of the
// largest angle between its triangles and the plane of A: it may bend up to a right angle to both sides.
//
// Two parts of the sheet that are not spread together must be apart: by d along one axis, in both states, in one order.
//
// A tree over the chart has for each node the box of its triangles in the chart, and in either state their box in space
// and bounds of F. A pair of nodes is proved to be apart, or spread over the box around both in the chart, or by pairs
// of what is below them. What cannot be proved by a fixed amount of work is not called spread: somebody else must see.
//
// Two sides of a pair without a common vertex (near.h) are at least as far apart in the chart as the least altitude of
// its triangles: nobody comes from a vertex across the opposite edge on a shorter way.
//
// [VM94] and [Pro97] bound normals instead, and need the outline of each part not to cross itself in projection. F is
// linear where normals are not, and a convex chart has no outline to look at.
#ifndef PL_COLLIDE_SPREAD_H
#define PL_COLLIDE_SPREAD_H

#include "../base/base.h"
#include "../base/layout.h"

enum
{
	pl_spreadBase = 32 // triangles of a base, at most
};

// A part of the chart, m
typedef struct plSpreadBox
{
	double low[2], high[2];
} plSpreadBox;

// Of the matrix whose columns are two edges in the chart, 1/m
typedef struct plSpreadInverse
{
	double row[2][2];
} plSpreadInverse;

typedef struct plSpreadNode
{
	plSpreadBox box;                 // of its triangles
	uint32_t first, end;             // these
	uint32_t second;                 // its second child, the first one follows it; 0: it is a leaf
	uint32_t firstVertex, endVertex; // of a base: their corners, each once
	uint32_t stamp;                  // of the fit that its places are of, if it is below a base
} plSpreadNode;

// Where the triangles of a node are in one state, by quads whose fourth numbers are 0
typedef struct plSpreadPlace
{
	double low[pl_quad], high[pl_quad];         // m
	double least[2][pl_quad], most[2][pl_quad]; // of the two columns of F
} plSpreadPlace;

typedef struct plSpread
{
	uint32_t* corners;        // [3 count] vertices, in the order of the leaves
	plSpreadInverse* inverse; // [count]
	plSpreadBox* boxes;       // [count] in the chart
	uint32_t* vertices;       // [3 count] of bases
	plSpreadNode* nodes;      // [nodeCount] the root, then what is below its first child, then below the second
	plSpreadPlace* places[2]; // [nodeCount] at the beginning and the end of a way
	// [baseCount] nodes with some leaves. These and those above are fitted at once, and those below when a proof asks
	// for them: few do.
	uint32_t* bases;
	size_t count, vertexCount, nodeCount, baseCount, leafRoom;
	uint32_t stamp;  // of the last fit
	double altitude; // the least of a triangle in the chart, m
} plSpread;

// Of triangles whose vertices are at `rest`, by quads. pl_success, with nodeCount 0: they are no flat sheet whose
// outline is convex; or pl_errorMemory. Starts from zeros.
plResult plSpread_Create(plSpread* s, const uint32_t* triangles, size_t count, const double* rest, plHeap* heap);
void plSpread_Destroy(plSpread* s, plHeap* heap); // leaves zeros

// Where vertices are, by quads, at the beginning and the end of a way; NULL: at the beginning as before
void plSpread_Fit(plSpread* s, const double* from, const double* to, plPool* pool);
// After both were fitted: no two parts of the sheet that have no vertex in common meet on the way, and none of them
// that are `apart` (m) or farther from each other in the chart, are nearer than `distance` (m) at its end. False: that
// is not known
bool plSpread_IsProved(plSpread* s, const double* from, const double* to, double apart, double distance);

#endif
