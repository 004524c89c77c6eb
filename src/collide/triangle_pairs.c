// triangle_pairs.c: which triangles of a tree are near each other, or come near each other on their ways
//
// A leaf looks for the leaves that are not before it and whose boxes meet its own, from the root downwards; eight boxes
// are compared at once. Of two leaves that meet, each triangle of the one is compared with eight of the other.
//
// Where triangles move, a box B goes by s w, 0 <= s <= 1, w between wayLow and wayHigh of B less those of A, as A sees
// it. So what moves alike is no nearer than if it stood still.
#include "triangle_tree.h"

enum
{
	stackRoom = 8 * pl_treeLevels, // every level leaves at most seven nodes behind, and one goes on
};

// What eight boxes are compared with
typedef struct Query
{
	float low[3], high[3];
	float wayLow[3], wayHigh[3];
} Query;

// Bit k: box k of the node overlaps the box.
static unsigned findStill(const plTriangleNode* node, const Query* q)
{
	int hit[pl_treeWidth];
	unsigned bits = 0;
	for (int k = 0; k < pl_treeWidth; ++k)
		hit[k] = (node->low[0][k] <= q->high[0]) & (node->high[0][k] >= q->low[0]) & (node->low[1][k] <= q->high[1]) &
		         (node->high[1][k] >= q->low[1]) & (node->low[2][k] <= q->high[2]) & (node->high[2][k] >= q->low[2]);
	for (int k = 0; k < pl_treeWidth; ++k)
		bits |= (unsigned)hit[k] << k;
	return bits;
}

static unsigned findMoving(const plTriangleNode* node, const plTriangleNode* way, const Query* q)
{
	int hit[pl_treeWidth];
	unsigned bits = 0;
	for (int k = 0; k < pl_treeWidth; ++k)
		hit[k] = 1;
	for (int i = 0; i < 3; ++i)
		for (int k = 0; k < pl_treeWidth; ++k)
		{
			float back = way->low[i][k] - q->wayHigh[i], forth = way->high[i][k] - q->wayLow[i];
			back = back < 0.0f ? back : 0.0f;
			forth = forth > 0.0f ? forth : 0.0f;
			hit[k] &= (node->low[i][k] + back <= q->high[i]) & (node->high[i][k] + forth >= q->low[i]);
		}
	for (int k = 0; k < pl_treeWidth; ++k)
		bits |= (unsigned)hit[k] << k;
	return bits;
}

static unsigned findOverlaps(const plTriangleTree* tree, size_t node, const Query* q)
{
	return tree->moves ? findMoving(tree->nodes + node, tree->wayNodes + node, q) : findStill(tree->nodes + node, q);
}

static void widen(const plTriangleTree* tree, Query* q)
{
	for (int i = 0; i < 3; ++i)
	{
		q->low[i] -= tree->slack;
		q->high[i] += tree->slack;
	}
}

static Query queryOfLane(const plTriangleTree* tree, size_t leaf, size_t lane)
{
	const plTriangleNode* node = tree->nodes + leaf;
	Query q = {.low = {node->low[0][lane], node->low[1][lane], node->low[2][lane]},
	           .high = {node->high[0][lane], node->high[1][lane], node->high[2][lane]}};
	if (!tree->moves)
		return q;
	widen(tree, &q);
	for (int i = 0; i < 3; ++i)
	{
		q.wayLow[i] = tree->wayNodes[leaf].low[i][lane];
		q.wayHigh[i] = tree->wayNodes[leaf].high[i][lane];
	}
	return q;
}

static Query queryOfLeaf(const plTriangleTree* tree, size_t leaf)
{
	Query q;
	plTriangleNode_Bound(tree->nodes + leaf, q.low, q.high);
	if (!tree->moves)
		return q;
	widen(tree, &q);
	plTriangleNode_Bound(tree->wayNodes + leaf, q.wayLow, q.wayHigh);
	return q;
}

typedef struct Visit
{
	const plTriangleTree* tree;
	plTrianglePairFcn* visit;
	void* context;
} Visit;

// Triangles of leaf a, and of leaf b, which is not before it; `leaf`: all of a
static void visitLeaves(const Visit* v, size_t task, size_t a, size_t b, const Query* leaf)
{
	unsigned near = findOverlaps(v->tree, b, leaf);
	for (size_t lane = 0; lane < pl_treeWidth && near != 0; ++lane)
	{
		unsigned later = a == b ? near & (~0u << (lane + 1)) : near;
		if (later == 0)
			continue;
		Query q = queryOfLane(v->tree, a, lane);
		for (unsigned bits = findOverlaps(v->tree, b, &q) & later; bits != 0; bits &= bits - 1)
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
	Query q = queryOfLeaf(tree, leaf);
	for (int depth = 1; depth > 0;)
	{
		Entry entry = stack[--depth];
		if (entry.level == 0)
		{
			visitLeaves(v, task, leaf, entry.node, &q);
			continue;
		}
		size_t node = tree->levelStart[entry.level] + entry.node;
		size_t span = (size_t)1 << (3 * (entry.level - 1)); // leaves below each child
		for (unsigned bits = findOverlaps(tree, node, &q); bits != 0;)
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
