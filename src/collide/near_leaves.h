// near_leaves.h: vertices and edges of a surface tree, each once, by the leaves that own them
//
// A vertex is in many triangles, and an edge in two; both belong to the first of them in the tree. What a leaf owns
// stands in blocks of eight with boxes of their own, so that a vertex is compared with eight triangles at once, and an
// edge with eight edges.
#ifndef PL_NEAR_LEAVES_H
#define PL_NEAR_LEAVES_H

#include "triangle_tree.h"

static const uint32_t plNearBlock_none = UINT32_MAX; // no vertex; triangles have smaller numbers

// Eight edges by their ends, the lower one first; or eight vertices, each twice
typedef struct plNearBlock
{
	uint32_t ends[pl_treeWidth][2];
	uint32_t low[pl_treeWidth], high[pl_treeWidth]; // the same
	uint32_t rank[pl_treeWidth];                    // of an edge among all, by their ends; the number of a vertex
} plNearBlock;

typedef struct plNearLeaf
{
	uint32_t corners[3][pl_treeWidth];       // of its triangles
	uint32_t rank[pl_treeWidth];             // of a triangle among all, by its corners
	uint32_t firstVertices, firstEdges, end; // into blocks
	uint32_t owner;                          // whose its triangles are; plNearBlock_none: not all are of one
} plNearLeaf;

typedef struct plNearLeaves
{
	plNearLeaf* leaves; // [leafCount] as those of the tree
	plNearBlock* blocks;
	plTriangleNode* boxes; // [blockCount] of the blocks, wider than by the margin: by the rounding of their comparison
	plTriangleNode* ways;  // [blockCount] where the tree moves
	uint32_t* edges;       // [2 edgeCount] ends by rank
	uint32_t* faces;       // [3 triangles] corners by rank
	size_t leafCount, leafRoom;
	size_t blockCount, blockRoom, boxRoom, wayRoom;
	size_t edgeCount, edgeRoom, faceRoom;
	double stillMargin;  // of boxes of what stands still, m
	uint32_t stillStamp; // of the tree when these were fitted
	bool hasStillWays;
} plNearLeaves;

// Once for a tree; `owner` of vertices, or NULL: one owns all. Starts from zeros or an earlier tree. False: no memory
bool plNearLeaves_Prepare(plNearLeaves* leaves, const plTriangleTree* tree, const uint32_t* owner, plHeap* heap);
void plNearLeaves_Destroy(plNearLeaves* leaves, plHeap* heap); // leaves zeros

// Boxes, each wider by `margin` (m), after the tree was fitted to `places`, and to ways unless `ways` is NULL
void plNearLeaves_Refit(plNearLeaves* leaves, const plTriangleTree* tree, const double* places, const double* ways,
                        double scale, double margin, plPool* pool);

#endif
