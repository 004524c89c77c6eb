// triangle_tree.h: a tree of boxes over all triangles of all surfaces of a world: which pairs of them are near
//
// Triangles stand along a Hilbert curve through their middles at the time of building, eight to a leaf, and eight nodes
// to a node above. That order stays. When vertices move, boxes are fitted anew: everything found stays right, and takes
// longer the more the order has changed. Boxes are floats, rounded outwards.
//
// Of triangles that stand still the boxes are fitted once; they stand behind the others, and are not asked who is near
// them. So what stands still costs next to nothing, however much of it there is.
//
// Pairs are visited by tasks, each of which has a fixed range of leaves. Which pairs a task visits, and in which order,
// depends on the tree alone, not on threads.
#ifndef PL_TRIANGLE_TREE_H
#define PL_TRIANGLE_TREE_H

#include "../base/base.h"
#include "../base/layout.h"

enum
{
	pl_treeWidth = 8,
	pl_treeLevels = 11, // enough for all triangles that 32 bits can number
	pl_taskLeaves = 32,
};

// Eight boxes. An empty one, and one of no triangle, has low = infinity, high = -infinity.
typedef struct plTriangleNode
{
	float low[3][pl_treeWidth], high[3][pl_treeWidth];
} plTriangleNode;

typedef struct plTriangleTree
{
	uint32_t* corners;     // [3 count] vertices, in the order of the leaves
	uint32_t* sources;     // [count] numbers of the triangles before they were put into this order
	double* places;        // [9 count] of the corners when boxes were last fitted, m
	plTriangleNode* nodes; // leaves, whose boxes are those of triangles, then what is above, level by level
	size_t count, nodeCount;
	size_t levelStart[pl_treeLevels + 1]; // into nodes
	int levelCount;                       // the last level has one node

	size_t movingCount;  // triangles; those behind them stand still
	double stillMargin;  // that boxes of these have at least, m; below 0: they have to be fitted
	uint32_t stillStamp; // ascends when they are fitted
	bool hasStillWays;

	// where corners go from there; nodes are boxes of ways then, not widened
	bool moves;
	double* ways;             // [9 count] m; NULL: there is no memory for them
	plTriangleNode* wayNodes; // as nodes
	float slack;              // of boxes that move, m
} plTriangleTree;

// Of triangles with three vertices each, `places` by quads. Starts from zeros. False: no memory, and zeros are left.
bool plTriangleTree_Build(plTriangleTree* tree, const uint32_t* triangles, size_t count, const double* places,
                          plPool* pool, plHeap* heap);
// The same; those behind the first `moving` ones stand still, until it is said that they have moved
bool plTriangleTree_BuildStanding(plTriangleTree* tree, const uint32_t* triangles, size_t moving, size_t count,
                                  const double* places, plPool* pool, plHeap* heap);
void plTriangleTree_MoveStanding(plTriangleTree* tree);
void plTriangleTree_Destroy(plTriangleTree* tree, plHeap* heap); // leaves zeros

// Fits boxes to where vertices are, each wider by `margin` (m) to all sides. A triangle with a corner that is not
// finite is near nothing.
void plTriangleTree_Refit(plTriangleTree* tree, const double* places, double margin, plPool* pool);

// Memory for ways; false: there is none
bool plTriangleTree_NeedWays(plTriangleTree* tree, plHeap* heap);
// The same, and every vertex goes on a straight line by `scale` times its way, by quads. Pairs are those whose boxes
// overlap at any time of it. A triangle with a way that is not finite stands still.
void plTriangleTree_RefitMoving(plTriangleTree* tree, const double* places, const double* ways, double scale,
                                double margin, plPool* pool);

// How differently corners go, along the axis along which they differ most, m; 0: nothing moves
double plTriangleTree_GetSpread(const plTriangleTree* tree);
// The largest coordinate of boxes that were fitted, and the largest way where they move, together, m
double plTriangleTree_GetSize(const plTriangleTree* tree);
void plTriangleNode_Bound(const plTriangleNode* node, float low[3], float high[3]); // the box around its boxes
void plTriangleNode_ClearLane(plTriangleNode* node, size_t lane);                   // an empty box

// Leaves with triangles that move: the first ones
static inline size_t plTriangleTree_CountAsking(const plTriangleTree* tree)
{
	return (tree->movingCount + pl_treeWidth - 1) / pl_treeWidth;
}

static inline size_t plTriangleTree_CountTasks(const plTriangleTree* tree)
{
	return (plTriangleTree_CountAsking(tree) + pl_taskLeaves - 1) / pl_taskLeaves;
}

// Every pair of triangles, of which one moves, whose boxes overlap, or touch, once, and perhaps others where they move:
// a < b are places in the tree. Those of one task come in one order, on one thread.
typedef void plTrianglePairFcn(size_t task, uint32_t a, uint32_t b, void* context);
void plTriangleTree_VisitPairs(const plTriangleTree* tree, plPool* pool, plTrianglePairFcn* visit, void* context);
// How many these are; counts: [tasks] room
size_t plTriangleTree_CountPairs(const plTriangleTree* tree, plPool* pool, size_t* counts);

// The same, leaf by leaf: every leaf b, not before leaf a, which asks, whose box overlaps that of a, and perhaps others
typedef void plLeafPairFcn(size_t a, size_t b, void* context);
void plTriangleTree_VisitLeaf(const plTriangleTree* tree, size_t leaf, plLeafPairFcn* visit, void* context);

#endif
