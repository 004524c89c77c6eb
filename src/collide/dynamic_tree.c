// dynamic_tree.c: a tree of boxes into which items come, and from which they go, one at a time
//
// An item goes where the sum of the areas of all boxes grows least, going down from the root. On the way up every node
// swaps a child with a grandchild of the other side if that makes its boxes smaller: so the tree stays in shape
// whatever the order in which items come [Kop12]. Searches climb by parents and need no stack.
//
// [Kop12] Kopta et al., Fast, effective BVH updates for animated scenes, 2012.
#include "dynamic_tree.h"

#include <math.h>

void plDynamicTree_Init(plDynamicTree* tree, plHeap* heap)
{
	*tree = (plDynamicTree){.heap = heap, .root = pl_noNode, .free = pl_noNode};
}

void plDynamicTree_Destroy(plDynamicTree* tree)
{
	PL_FREE(tree->heap, tree->nodes, tree->room);
	plDynamicTree_Init(tree, tree->heap);
}

// ---- boxes
// ------------------------------------------------------------------------------------------------------------

static plBox unite(const plBox* a, const plBox* b)
{
	plBox box;
	for (int i = 0; i < 3; ++i)
	{
		box.low[i] = fmin(a->low[i], b->low[i]);
		box.high[i] = fmax(a->high[i], b->high[i]);
	}
	return box;
}

// Half of it.
static double areaOf(const plBox* a)
{
	double x = a->high[0] - a->low[0], y = a->high[1] - a->low[1], z = a->high[2] - a->low[2];
	return x * y + y * z + z * x;
}

static double areaOfBoth(const plBox* a, const plBox* b)
{
	plBox box = unite(a, b);
	return areaOf(&box);
}

// ---- nodes
// ------------------------------------------------------------------------------------------------------------

static bool isLeaf(const plTreeNode* node)
{
	return node->child[0] == pl_noNode;
}

// Room for a leaf and the node above it.
static bool reserveTwo(plDynamicTree* tree)
{
	size_t listed = tree->used;
	for (uint32_t node = tree->free, count = 0; node != pl_noNode && count < 2; ++count)
	{
		node = tree->nodes[node].item;
		--listed;
	}
	if (listed + 2 <= tree->room)
		return true;
	size_t room = tree->room < 32 ? 64 : 2 * tree->room;
	plTreeNode* nodes = room < pl_noNode ? PL_NEW(tree->heap, plTreeNode, room) : NULL;
	if (nodes == NULL)
		return false;
	if (tree->used > 0)
		memcpy(nodes, tree->nodes, tree->used * sizeof *nodes);
	PL_FREE(tree->heap, tree->nodes, tree->room);
	tree->nodes = nodes;
	tree->room = room;
	return true;
}

static uint32_t takeNode(plDynamicTree* tree)
{
	uint32_t node = tree->free;
	if (node == pl_noNode)
		return tree->used++;
	tree->free = tree->nodes[node].item;
	return node;
}

static void freeNode(plDynamicTree* tree, uint32_t node)
{
	tree->nodes[node] = (plTreeNode){.parent = pl_noNode, .child = {pl_noNode, pl_noNode}, .item = tree->free};
	tree->free = node;
}

static void replaceChild(plDynamicTree* tree, uint32_t parent, uint32_t old, uint32_t child)
{
	if (parent == pl_noNode)
		tree->root = child;
	else
		tree->nodes[parent].child[tree->nodes[parent].child[1] == old] = child;
	if (child != pl_noNode)
		tree->nodes[child].parent = parent;
}

// ---- shape
// ------------------------------------------------------------------------------------------------------------

// Swaps a child of the node with a grandchild on the other side if the box of that side gets smaller by it.
static void rotate(plDynamicTree* tree, uint32_t node)
{
	plTreeNode* nodes = tree->nodes;
	double most = 0.0;
	int bestSide = -1, bestGrandchild = 0;
	for (int side = 0; side < 2; ++side)
	{
		const plTreeNode* other = nodes + nodes[node].child[1 - side];
		if (isLeaf(other))
			continue;
		for (int g = 0; g < 2; ++g) // child `side` changes places with grandchild g
		{
			const plBox* stays = &nodes[other->child[1 - g]].box;
			double gain = areaOf(&other->box) - areaOfBoth(stays, &nodes[nodes[node].child[side]].box);
			if (gain > most)
			{
				most = gain;
				bestSide = side;
				bestGrandchild = g;
			}
		}
	}
	if (bestSide < 0)
		return;
	uint32_t child = nodes[node].child[bestSide], other = nodes[node].child[1 - bestSide];
	uint32_t grandchild = nodes[other].child[bestGrandchild];
	nodes[node].child[bestSide] = grandchild;
	nodes[grandchild].parent = node;
	nodes[other].child[bestGrandchild] = child;
	nodes[child].parent = other;
	nodes[other].box = unite(&nodes[nodes[other].child[0]].box, &nodes[nodes[other].child[1]].box);
}

static void refitUpwards(plDynamicTree* tree, uint32_t node)
{
	for (; node != pl_noNode; node = tree->nodes[node].parent)
	{
		plTreeNode* n = tree->nodes + node;
		n->box = unite(&tree->nodes[n->child[0]].box, &tree->nodes[n->child[1]].box);
		rotate(tree, node);
	}
}

// The node beside which a leaf adds least: going down costs what the box of the node grows by, for all below it.
static uint32_t findSibling(const plDynamicTree* tree, const plBox* box)
{
	uint32_t node = tree->root;
	while (!isLeaf(tree->nodes + node))
	{
		const plTreeNode* n = tree->nodes + node;
		double here = areaOfBoth(&n->box, box), grown = here - areaOf(&n->box), cost[2];
		for (int side = 0; side < 2; ++side)
		{
			const plTreeNode* child = tree->nodes + n->child[side];
			cost[side] = grown + areaOfBoth(&child->box, box) - (isLeaf(child) ? 0.0 : areaOf(&child->box));
		}
		if (here <= cost[0] && here <= cost[1])
			break;
		node = n->child[cost[1] < cost[0]];
	}
	return node;
}

static void attach(plDynamicTree* tree, uint32_t leaf)
{
	if (tree->root == pl_noNode)
	{
		tree->root = leaf;
		tree->nodes[leaf].parent = pl_noNode;
		return;
	}
	uint32_t sibling = findSibling(tree, &tree->nodes[leaf].box), above = takeNode(tree);
	tree->nodes[above] = (plTreeNode){.parent = pl_noNode, .child = {sibling, leaf}};
	replaceChild(tree, tree->nodes[sibling].parent, sibling, above);
	tree->nodes[sibling].parent = above;
	tree->nodes[leaf].parent = above;
	refitUpwards(tree, above);
}

static void detach(plDynamicTree* tree, uint32_t leaf)
{
	uint32_t above = tree->nodes[leaf].parent;
	if (above == pl_noNode)
	{
		tree->root = pl_noNode;
		return;
	}
	uint32_t sibling = tree->nodes[above].child[tree->nodes[above].child[0] == leaf];
	uint32_t top = tree->nodes[above].parent;
	replaceChild(tree, top, above, sibling);
	freeNode(tree, above);
	refitUpwards(tree, top);
}

uint32_t plDynamicTree_Insert(plDynamicTree* tree, const plBox* box, uint32_t item)
{
	if (!reserveTwo(tree))
		return pl_noNode;
	uint32_t leaf = takeNode(tree);
	tree->nodes[leaf] = (plTreeNode){.box = *box, .child = {pl_noNode, pl_noNode}, .item = item};
	attach(tree, leaf);
	return leaf;
}

void plDynamicTree_Remove(plDynamicTree* tree, uint32_t leaf)
{
	detach(tree, leaf);
	freeNode(tree, leaf);
}

// The node above it that detaching frees is the one that attaching takes.
void plDynamicTree_Move(plDynamicTree* tree, uint32_t leaf, const plBox* box)
{
	detach(tree, leaf);
	tree->nodes[leaf].box = *box;
	attach(tree, leaf);
}

// ---- searches
// -----------------------------------------------------------------------------------------------------------

// The node after this one and all that is below it, in the order of a walk from left to right.
static uint32_t skip(const plDynamicTree* tree, uint32_t node)
{
	for (uint32_t parent; node != tree->root; node = parent)
	{
		parent = tree->nodes[node].parent;
		if (tree->nodes[parent].child[0] == node)
			return tree->nodes[parent].child[1];
	}
	return pl_noNode;
}

static uint32_t startAfter(const plDynamicTree* tree, uint32_t leaf)
{
	return leaf == pl_noNode ? tree->root : skip(tree, leaf);
}

uint32_t plDynamicTree_Next(const plDynamicTree* tree, uint32_t leaf, const plBox* box)
{
	uint32_t node = startAfter(tree, leaf);
	while (node != pl_noNode)
	{
		const plTreeNode* n = tree->nodes + node;
		if (!plBox_Overlaps(&n->box, box))
			node = skip(tree, node);
		else if (isLeaf(n))
			break;
		else
			node = n->child[0];
	}
	return node;
}

static bool hitsRay(const plBox* box, const double from[3], const double to[3], double most)
{
	double enter = 0.0, leave = most;
	for (int i = 0; i < 3; ++i)
	{
		double d = to[i] - from[i];
		if (d == 0.0)
		{
			if (from[i] < box->low[i] || from[i] > box->high[i])
				return false;
			continue;
		}
		double a = (box->low[i] - from[i]) / d, b = (box->high[i] - from[i]) / d;
		enter = fmax(enter, fmin(a, b));
		leave = fmin(leave, fmax(a, b));
	}
	return enter <= leave;
}

uint32_t plDynamicTree_NextOnRay(const plDynamicTree* tree, uint32_t leaf, const double from[3], const double to[3],
                                 double most)
{
	uint32_t node = startAfter(tree, leaf);
	while (node != pl_noNode)
	{
		const plTreeNode* n = tree->nodes + node;
		if (!hitsRay(&n->box, from, to, most))
			node = skip(tree, node);
		else if (isLeaf(n))
			break;
		else
			node = n->child[0];
	}
	return node;
}
