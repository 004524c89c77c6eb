// triangle_tree.c: a tree of boxes over all triangles of a world
//
// A leaf looks for the leaves that are not before it and whose boxes meet its own, from the root downwards; eight boxes
// are compared at once. Of two leaves that meet, each triangle of the one is compared with eight of the other.
#include "triangle_tree.h"
#include "../mesh/order.h"

#include <math.h>

enum
{
	nodeGrain = 64,
	stackRoom = 8 * pl_treeLevels, // every level leaves at most seven nodes behind, and one goes on
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

// Along the curve; false: no memory
static bool orderTriangles(plTriangleTree* tree, const uint32_t* triangles, const double* places, plHeap* heap)
{
	double* middles = PL_NEW(heap, double, 3 * tree->count);
	for (size_t t = 0; middles != NULL && t < tree->count; ++t)
		findMiddle(triangles + 3 * t, places, middles + 3 * t);
	bool fine = middles != NULL && plOrderVertices(middles, tree->count, tree->sources, heap) == pl_success;
	PL_FREE(heap, middles, 3 * tree->count);
	for (size_t t = 0; fine && t < tree->count; ++t)
		memcpy(tree->corners + 3 * t, triangles + 3 * (size_t)tree->sources[t], 3 * sizeof *triangles);
	return fine;
}

bool plTriangleTree_Build(plTriangleTree* tree, const uint32_t* triangles, size_t count, const double* places,
                          plPool* pool, plHeap* heap)
{
	PL_ASSERT(count <= UINT32_MAX, "triangles are numbered by 32 bits");
	*tree = (plTriangleTree){.count = count};
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

static void clearLane(plTriangleNode* node, size_t lane)
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
	clearLane(node, lane);
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
	const double* places;
	double margin;
	size_t from, to; // first node of the level below, and of this level
	size_t below;    // nodes of the level below
} Fit;

static void fitLeaves(size_t begin, size_t end, void* context)
{
	const Fit* fit = context;
	plTriangleTree* tree = fit->tree;
	for (size_t leaf = begin; leaf < end; ++leaf)
		for (size_t lane = 0; lane < pl_treeWidth; ++lane)
		{
			size_t t = pl_treeWidth * leaf + lane;
			if (t >= tree->count)
			{
				clearLane(tree->nodes + leaf, lane);
				continue;
			}
			double* corners = tree->places + 9 * t;
			for (size_t k = 0; k < 3; ++k)
				memcpy(corners + 3 * k, PL_AT(fit->places, tree->corners[3 * t + k]), 3 * sizeof(double));
			boundTriangle(tree->nodes + leaf, lane, corners, fit->margin);
		}
}

// The box around a node's boxes
static void boundNode(const plTriangleNode* node, float low[3], float high[3])
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
			plTriangleNode* node = fit->tree->nodes + fit->to + n;
			size_t child = pl_treeWidth * n + lane;
			float low[3], high[3];
			clearLane(node, lane);
			if (child >= fit->below)
				continue;
			boundNode(fit->tree->nodes + fit->from + child, low, high);
			for (int i = 0; i < 3; ++i)
			{
				node->low[i][lane] = low[i];
				node->high[i][lane] = high[i];
			}
		}
}

void plTriangleTree_Refit(plTriangleTree* tree, const double* places, double margin, plPool* pool)
{
	Fit fit = {.tree = tree, .places = places, .margin = margin};
	plParallelFor(pool, tree->levelStart[1], nodeGrain, fitLeaves, &fit);
	for (int level = 1; level < tree->levelCount; ++level)
	{
		fit.from = tree->levelStart[level - 1];
		fit.to = tree->levelStart[level];
		fit.below = fit.to - fit.from;
		plParallelFor(pool, tree->levelStart[level + 1] - fit.to, nodeGrain, fitNodes, &fit);
	}
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

// Bit k: box k of the node overlaps the box.
static unsigned findOverlaps(const plTriangleNode* node, const float low[3], const float high[3])
{
	int hit[pl_treeWidth];
	unsigned bits = 0;
	for (int k = 0; k < pl_treeWidth; ++k)
		hit[k] = (node->low[0][k] <= high[0]) & (node->high[0][k] >= low[0]) & (node->low[1][k] <= high[1]) &
		         (node->high[1][k] >= low[1]) & (node->low[2][k] <= high[2]) & (node->high[2][k] >= low[2]);
	for (int k = 0; k < pl_treeWidth; ++k)
		bits |= (unsigned)hit[k] << k;
	return bits;
}

typedef struct Visit
{
	const plTriangleTree* tree;
	plTrianglePairFcn* visit;
	void* context;
} Visit;

// Triangles of leaf a, and of leaf b, which is not before it
static void visitLeaves(const Visit* v, size_t task, size_t a, size_t b, const float low[3], const float high[3])
{
	const plTriangleNode *first = v->tree->nodes + a, *second = v->tree->nodes + b;
	unsigned near = findOverlaps(second, low, high); // of the second leaf, to the box of the first
	for (size_t lane = 0; lane < pl_treeWidth && near != 0; ++lane)
	{
		const float l[3] = {first->low[0][lane], first->low[1][lane], first->low[2][lane]};
		const float h[3] = {first->high[0][lane], first->high[1][lane], first->high[2][lane]};
		unsigned later = a == b ? near & (~0u << (lane + 1)) : near;
		if (later == 0)
			continue;
		for (unsigned bits = findOverlaps(second, l, h) & later; bits != 0; bits &= bits - 1)
			v->visit(task, (uint32_t)(pl_treeWidth * a + lane),
			         (uint32_t)(pl_treeWidth * b + (size_t)__builtin_ctz(bits)), v->context);
	}
}

typedef struct Entry
{
	uint32_t node; // of its level
	int level;
} Entry;

static void visitLeaf(const Visit* v, size_t task, size_t leaf)
{
	const plTriangleTree* tree = v->tree;
	Entry stack[stackRoom] = {{0, tree->levelCount - 1}};
	float low[3], high[3];
	boundNode(tree->nodes + leaf, low, high);
	for (int depth = 1; depth > 0;)
	{
		Entry entry = stack[--depth];
		if (entry.level == 0)
		{
			visitLeaves(v, task, leaf, entry.node, low, high);
			continue;
		}
		size_t node = tree->levelStart[entry.level] + entry.node;
		size_t span = (size_t)1 << (3 * (entry.level - 1)); // leaves below each child
		for (unsigned bits = findOverlaps(tree->nodes + node, low, high); bits != 0;)
		{
			unsigned lane = 31u - (unsigned)__builtin_clz(bits); // the first child comes off the stack first
			size_t child = pl_treeWidth * (size_t)entry.node + lane;
			bits &= ~(1u << lane);
			if ((child + 1) * span > leaf)
				stack[depth++] = (Entry){(uint32_t)child, entry.level - 1};
		}
	}
}

static void visitTasks(size_t begin, size_t end, void* context)
{
	const Visit* v = context;
	size_t leaves = v->tree->levelStart[1];
	for (size_t task = begin; task < end; ++task)
		for (size_t leaf = pl_taskLeaves * task; leaf < pl_taskLeaves * (task + 1) && leaf < leaves; ++leaf)
			visitLeaf(v, task, leaf);
}

void plTriangleTree_VisitPairs(const plTriangleTree* tree, plPool* pool, plTrianglePairFcn* visit, void* context)
{
	Visit v = {tree, visit, context};
	plParallelFor(pool, plTriangleTree_CountTasks(tree), 1, visitTasks, &v);
}
