// triangle_pairs.c: which triangles of a tree are near each other, or come near each other on their ways
//
// A leaf looks for the leaves that are not before it and whose boxes meet its own, from the root downwards; eight boxes
// are compared at once. Of two leaves that meet, each triangle of the one is compared with eight of the other.
#define PL_REAL_FLOAT 1
#define PL_LANES 4 // every instruction set has them
#include "box_lanes.h"

enum
{
	stackRoom = 8 * pl_treeLevels, // every level leaves at most seven nodes behind, and one goes on
};

static const plTriangleNode* wayOf(const plTriangleTree* tree, size_t node)
{
	return tree->moves ? tree->wayNodes + node : NULL;
}

static unsigned findNear(const plTriangleTree* tree, size_t node, const boxQuery* q)
{
	return tree->moves ? findOverlaps(tree->nodes + node, tree->wayNodes + node, q)
	                   : findOverlaps(tree->nodes + node, NULL, q);
}

static void widen(const plTriangleTree* tree, boxQuery* q)
{
	for (int i = 0; i < 3 && tree->moves; ++i)
	{
		q->low[i] -= inAllLanes(tree->slack);
		q->high[i] += inAllLanes(tree->slack);
	}
}

static boxQuery queryOfTriangle(const plTriangleTree* tree, size_t leaf, size_t lane)
{
	boxQuery q = queryOfLane(tree->nodes + leaf, wayOf(tree, leaf), lane);
	widen(tree, &q);
	return q;
}

// All of a leaf
static boxQuery queryOfLeaf(const plTriangleTree* tree, size_t leaf)
{
	float low[3], high[3], wayLow[3] = {0.0f}, wayHigh[3] = {0.0f};
	boxQuery q;
	plTriangleNode_Bound(tree->nodes + leaf, low, high);
	if (tree->moves)
		plTriangleNode_Bound(tree->wayNodes + leaf, wayLow, wayHigh);
	for (int i = 0; i < 3; ++i)
	{
		q.low[i] = inAllLanes(low[i]);
		q.high[i] = inAllLanes(high[i]);
		q.wayLow[i] = inAllLanes(wayLow[i]);
		q.wayHigh[i] = inAllLanes(wayHigh[i]);
	}
	widen(tree, &q);
	return q;
}

typedef struct Entry
{
	uint32_t node; // of its level
	int level;
} Entry;

// Calls for leaf a; q: all of it
static void walk(const plTriangleTree* tree, size_t a, const boxQuery* q, plLeafPairFcn* visit, void* context)
{
	Entry stack[stackRoom] = {{0, tree->levelCount - 1}};
	for (int depth = 1; depth > 0;)
	{
		Entry entry = stack[--depth];
		if (entry.level == 0)
		{
			visit(a, entry.node, context);
			continue;
		}
		size_t node = tree->levelStart[entry.level] + entry.node;
		size_t span = (size_t)1 << (3 * (entry.level - 1)); // leaves below each child
		for (unsigned bits = findNear(tree, node, q); bits != 0;)
		{
			unsigned lane = 31u - (unsigned)__builtin_clz(bits); // the first child comes off the stack first
			size_t child = pl_treeWidth * (size_t)entry.node + lane;
			bits &= ~(1u << lane);
			if ((child + 1) * span > a)
				stack[depth++] = (Entry){(uint32_t)child, entry.level - 1};
		}
	}
}

void plTriangleTree_VisitLeaf(const plTriangleTree* tree, size_t leaf, plLeafPairFcn* visit, void* context)
{
	boxQuery q = queryOfLeaf(tree, leaf);
	walk(tree, leaf, &q, visit, context);
}

// ---- triangle by triangle -------------------------------------------------------------------------------------------

typedef struct Visit
{
	const plTriangleTree* tree;
	plTrianglePairFcn* visit; // NULL: they are counted only
	void* context;
	size_t* counts; // [tasks]
	size_t task, count;
	boxQuery leaf; // all of leaf a
} Visit;

// Triangles of leaf a, and of leaf b, which is not before it
static void visitLeaves(size_t a, size_t b, void* context)
{
	Visit* v = context;
	unsigned near = findNear(v->tree, b, &v->leaf);
	for (size_t lane = 0; lane < pl_treeWidth && near != 0; ++lane)
	{
		unsigned later = a == b ? near & (~0u << (lane + 1)) : near;
		if (later == 0)
			continue;
		boxQuery q = queryOfTriangle(v->tree, a, lane);
		unsigned bits = findNear(v->tree, b, &q) & later;
		v->count += (size_t)__builtin_popcount(bits);
		for (; v->visit != NULL && bits != 0; bits &= bits - 1)
			v->visit(v->task, (uint32_t)(pl_treeWidth * a + lane),
			         (uint32_t)(pl_treeWidth * b + (size_t)__builtin_ctz(bits)), v->context);
	}
}

static void visitTasks(size_t begin, size_t end, void* context)
{
	Visit v = *(const Visit*)context;
	size_t leaves = plTriangleTree_CountAsking(v.tree);
	for (v.task = begin; v.task < end; ++v.task)
	{
		v.count = 0;
		for (size_t leaf = pl_taskLeaves * v.task; leaf < pl_taskLeaves * (v.task + 1) && leaf < leaves; ++leaf)
		{
			v.leaf = queryOfLeaf(v.tree, leaf);
			walk(v.tree, leaf, &v.leaf, visitLeaves, &v);
		}
		if (v.counts != NULL)
			v.counts[v.task] = v.count;
	}
}

void plTriangleTree_VisitPairs(const plTriangleTree* tree, plPool* pool, plTrianglePairFcn* visit, void* context)
{
	Visit v = {.tree = tree, .visit = visit, .context = context};
	plParallelFor(pool, plTriangleTree_CountTasks(tree), 1, visitTasks, &v);
}

size_t plTriangleTree_CountPairs(const plTriangleTree* tree, plPool* pool, size_t* counts)
{
	size_t tasks = plTriangleTree_CountTasks(tree), sum = 0;
	Visit v = {.tree = tree, .counts = counts};
	plParallelFor(pool, tasks, 1, visitTasks, &v);
	for (size_t t = 0; t < tasks; ++t)
		sum += counts[t];
	return sum;
}
