// triangle_tree.c: a tree of boxes over all triangles of a world; triangle_pairs.c asks it
#include "triangle_tree.h"
#include "../mesh/order.h"

#include <math.h>

enum
{
	nodeGrain = 64,
};

static size_t divideUp(size_t count)
{
	return (count + pl_treeWidth - 1) / pl_treeWidth;
}

// ---- making it ------------------------------------------------------------------------------------------------------

static void layOut(plTriangleTree* tree)
{
	size_t nodes = divideUp(tree->count), start = 0;
	tree->levelCount = 0;
	while (nodes > 0)
	{
		tree->levelStart[tree->levelCount++] = start;
		start += nodes;
		nodes = nodes > 1 ? divideUp(nodes) : 0;
	}
	for (int level = tree->levelCount; level <= pl_treeLevels; ++level)
		tree->levelStart[level] = start;
	tree->nodeCount = start;
}

void plTriangleTree_Destroy(plTriangleTree* tree, plHeap* heap)
{
	PL_FREE(heap, tree->corners, 3 * tree->count);
	PL_FREE(heap, tree->sources, tree->count);
	PL_FREE(heap, tree->places, 9 * tree->count);
	PL_FREE(heap, tree->nodes, tree->nodeCount);
	PL_FREE(heap, tree->ways, 9 * tree->count);
	PL_FREE(heap, tree->wayNodes, tree->nodeCount);
	*tree = (plTriangleTree){0};
}

// Three times the middle of a triangle; one that is not finite goes to the origin.
static void findMiddle(const uint32_t* corners, const double* places, double middle[3])
{
	for (int i = 0; i < 3; ++i)
	{
		double sum = 0.0;
		for (int k = 0; k < 3; ++k)
			sum += PL_AT(places, corners[k])[i] / 3.0;
		middle[i] = isfinite(sum) ? sum : 0.0;
	}
}

// Along the curve, what moves and what stands still each by itself; false: no memory
static bool orderTriangles(plTriangleTree* tree, const uint32_t* triangles, const double* places, plHeap* heap)
{
	size_t moving = tree->movingCount;
	double* middles = PL_NEW(heap, double, 3 * tree->count);
	for (size_t t = 0; middles != NULL && t < tree->count; ++t)
		findMiddle(triangles + 3 * t, places, middles + 3 * t);
	bool fine = middles != NULL && plOrderVertices(middles, moving, tree->sources, heap) == pl_success &&
	            plOrderVertices(middles + 3 * moving, tree->count - moving, tree->sources + moving, heap) == pl_success;
	for (size_t t = moving; fine && t < tree->count; ++t)
		tree->sources[t] += (uint32_t)moving;
	PL_FREE(heap, middles, 3 * tree->count);
	for (size_t t = 0; fine && t < tree->count; ++t)
		memcpy(tree->corners + 3 * t, triangles + 3 * (size_t)tree->sources[t], 3 * sizeof *triangles);
	return fine;
}

bool plTriangleTree_Build(plTriangleTree* tree, const uint32_t* triangles, size_t count, const double* places,
                          plPool* pool, plHeap* heap)
{
	return plTriangleTree_BuildStanding(tree, triangles, count, count, places, pool, heap);
}

bool plTriangleTree_BuildStanding(plTriangleTree* tree, const uint32_t* triangles, size_t moving, size_t count,
                                  const double* places, plPool* pool, plHeap* heap)
{
	PL_ASSERT(count <= UINT32_MAX && moving <= count, "triangles are numbered by 32 bits, and some of them move");
	*tree = (plTriangleTree){.count = count, .movingCount = moving, .stillMargin = -1.0};
	layOut(tree);
	tree->corners = PL_NEW(heap, uint32_t, 3 * count);
	tree->sources = PL_NEW(heap, uint32_t, count);
	tree->places = PL_NEW(heap, double, 9 * count);
	tree->nodes = PL_NEW(heap, plTriangleNode, tree->nodeCount);
	bool fine = tree->corners && tree->sources && tree->places && tree->nodes;
	fine = count == 0 || (fine && orderTriangles(tree, triangles, places, heap));
	if (fine)
		plTriangleTree_Refit(tree, places, 0.0, pool);
	else
		plTriangleTree_Destroy(tree, heap);
	return fine;
}

// ---- boxes ----------------------------------------------------------------------------------------------------------

static float roundDown(double x)
{
	float f = (float)x;
	return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

static float roundUp(double x)
{
	float f = (float)x;
	return (double)f < x ? nextafterf(f, INFINITY) : f;
}

void plTriangleNode_ClearLane(plTriangleNode* node, size_t lane)
{
	for (int i = 0; i < 3; ++i)
	{
		node->low[i][lane] = INFINITY;
		node->high[i][lane] = -INFINITY;
	}
}

// Box of a triangle; what is not a number makes the sum of the corners one that is not.
static void boundTriangle(plTriangleNode* node, size_t lane, const double* corners, double margin)
{
	double sum = 0.0;
	for (int i = 0; i < 9; ++i)
		sum += 0.0 * corners[i];
	plTriangleNode_ClearLane(node, lane);
	for (int i = 0; i < 3 && sum == 0.0; ++i)
	{
		double a = corners[i], b = corners[3 + i], c = corners[6 + i];
		double low = a < b ? a : b, high = a < b ? b : a;
		node->low[i][lane] = roundDown((c < low ? c : low) - margin);
		node->high[i][lane] = roundUp((c > high ? c : high) + margin);
	}
}

typedef struct Fit
{
	plTriangleTree* tree;
	plTriangleNode* nodes;
	double* corners; // [9 count] becomes `scale` times what vertices have
	const double* vertices;
	double scale, margin;
	size_t from, to; // first node of the level below, and of this level
	size_t below;    // nodes of the level below
} Fit;

static void fitLeaves(size_t begin, size_t end, void* context)
{
	const Fit* fit = context;
	const plTriangleTree* tree = fit->tree;
	for (size_t leaf = begin; leaf < end; ++leaf)
		for (size_t lane = 0; lane < pl_treeWidth; ++lane)
		{
			size_t t = pl_treeWidth * leaf + lane;
			if (t >= tree->count)
			{
				plTriangleNode_ClearLane(fit->nodes + leaf, lane);
				continue;
			}
			double* corners = fit->corners + 9 * t;
			for (size_t k = 0; k < 9; ++k)
				corners[k] = fit->scale * PL_AT(fit->vertices, tree->corners[3 * t + k / 3])[k % 3];
			boundTriangle(fit->nodes + leaf, lane, corners, fit->margin);
		}
}

void plTriangleNode_Bound(const plTriangleNode* node, float low[3], float high[3])
{
	for (int i = 0; i < 3; ++i)
	{
		low[i] = node->low[i][0];
		high[i] = node->high[i][0];
		for (size_t lane = 1; lane < pl_treeWidth; ++lane)
		{
			low[i] = node->low[i][lane] < low[i] ? node->low[i][lane] : low[i];
			high[i] = node->high[i][lane] > high[i] ? node->high[i][lane] : high[i];
		}
	}
}

static void fitNodes(size_t begin, size_t end, void* context)
{
	const Fit* fit = context;
	for (size_t n = begin; n < end; ++n)
		for (size_t lane = 0; lane < pl_treeWidth; ++lane)
		{
			plTriangleNode* node = fit->nodes + fit->to + n;
			size_t child = pl_treeWidth * n + lane;
			float low[3], high[3];
			plTriangleNode_ClearLane(node, lane);
			if (child >= fit->below)
				continue;
			plTriangleNode_Bound(fit->nodes + fit->from + child, low, high);
			for (int i = 0; i < 3; ++i)
			{
				node->low[i][lane] = low[i];
				node->high[i][lane] = high[i];
			}
		}
}

// The first `leaves`, and what is above them
static void fitFirst(Fit* fit, size_t leaves, plPool* pool)
{
	const plTriangleTree* tree = fit->tree;
	size_t nodes = leaves;
	plParallelFor(pool, leaves, nodeGrain, fitLeaves, fit);
	for (int level = 1; level < tree->levelCount; ++level)
	{
		fit->from = tree->levelStart[level - 1];
		fit->to = tree->levelStart[level];
		fit->below = fit->to - fit->from;
		nodes = divideUp(nodes);
		plParallelFor(pool, nodes, nodeGrain, fitNodes, fit);
	}
}

void plTriangleTree_Refit(plTriangleTree* tree, const double* places, double margin, plPool* pool)
{
	Fit fit = {.tree = tree,
	           .nodes = tree->nodes,
	           .corners = tree->places,
	           .vertices = places,
	           .scale = 1.0,
	           .margin = margin};
	bool standsFitted = margin <= tree->stillMargin;
	fitFirst(&fit, standsFitted ? plTriangleTree_CountAsking(tree) : tree->levelStart[1], pool);
	tree->stillMargin = standsFitted ? tree->stillMargin : margin;
	tree->stillStamp += !standsFitted;
	tree->moves = false;
}

void plTriangleTree_MoveStanding(plTriangleTree* tree)
{
	tree->stillMargin = -1.0;
	tree->hasStillWays = false;
}

// The largest number of a box
static double sizeOf(const plTriangleNode* root)
{
	float low[3], high[3];
	double size = 0.0;
	plTriangleNode_Bound(root, low, high);
	for (int i = 0; i < 3 && low[i] <= high[i]; ++i)
		size = fmax(fmax(fabs((double)low[i]), fabs((double)high[i])), size);
	return size;
}

bool plTriangleTree_NeedWays(plTriangleTree* tree, plHeap* heap)
{
	if (tree->ways == NULL)
		tree->ways = PL_NEW(heap, double, 9 * tree->count);
	if (tree->wayNodes == NULL)
		tree->wayNodes = PL_NEW(heap, plTriangleNode, tree->nodeCount);
	return tree->count == 0 || (tree->ways != NULL && tree->wayNodes != NULL);
}

// A box that moves relatively to another is the sum of three floats: off by less than the slack.
void plTriangleTree_RefitMoving(plTriangleTree* tree, const double* places, const double* ways, double scale,
                                double margin, plPool* pool)
{
	PL_ASSERT(tree->count == 0 || tree->wayNodes != NULL, "the tree has memory for ways");
	plTriangleTree_Refit(tree, places, margin, pool);
	Fit fit = {.tree = tree, .nodes = tree->wayNodes, .corners = tree->ways, .vertices = ways, .scale = scale};
	fitFirst(&fit, tree->hasStillWays ? plTriangleTree_CountAsking(tree) : tree->levelStart[1], pool);
	tree->hasStillWays = true;
	tree->moves = true;
	tree->slack = (float)(0x1p-22 * plTriangleTree_GetSize(tree));
}

double plTriangleTree_GetSize(const plTriangleTree* tree)
{
	if (tree->count == 0)
		return 0.0;
	size_t root = tree->nodeCount - 1;
	return sizeOf(tree->nodes + root) + (tree->moves ? sizeOf(tree->wayNodes + root) : 0.0);
}

double plTriangleTree_GetSpread(const plTriangleTree* tree)
{
	float low[3], high[3];
	double spread = 0.0;
	if (!tree->moves || tree->count == 0)
		return 0.0;
	plTriangleNode_Bound(tree->wayNodes + tree->nodeCount - 1, low, high);
	for (int i = 0; i < 3; ++i)
		spread = fmax((double)high[i] - (double)low[i], spread);
	return spread;
}
