// box_tree.h: a binary tree of boxes over boxes: what overlaps, what is nearest, what a ray meets
//
// Items are numbers 0 .. count-1, each with a box. Nodes halve their items by the middles of the boxes along the
// longest side, ties by the item's number. So the tree depends on the boxes alone, and its depth is the logarithm of
// their count. Visits read only; threads may share a tree.
#ifndef PL_BOX_TREE_H
#define PL_BOX_TREE_H

#include "../base/base.h"

#include <math.h>

typedef struct plBox
{
	double low[3], high[3];
} plBox;

typedef struct plBoxNode
{
	plBox box;
	uint32_t first; // leaf: place of its first item; else the right child, the left one is next
	uint32_t count; // of a leaf's items; 0: inner
} plBoxNode;

typedef struct plBoxTree
{
	plBoxNode* nodes; // children stand after their parents
	uint32_t* items;  // [count] in the order of the leaves
	plBox* boxes;     // [count] theirs
	size_t nodeCount, count;
	size_t nodeRoom, room;
} plBoxTree;

// Starts from zeros or an earlier tree, and allocates nothing if that one was as large. False: no memory, and the tree
// is as it was.
bool plBoxTree_Build(plBoxTree* tree, const plBox* boxes, size_t count, plHeap* heap);
// The same nodes over boxes that have moved. Visits stay right; they take longer the more the order has changed.
void plBoxTree_Refit(plBoxTree* tree, const plBox* boxes);
// For a caller that has put its own data into the order of the leaves: items are then numbered in that order.
void plBoxTree_Renumber(plBoxTree* tree);
void plBoxTree_Destroy(plBoxTree* tree, plHeap* heap); // leaves zeros

// Around all items; an empty tree has low = infinity, high = -infinity.
plBox plBoxTree_GetBounds(const plBoxTree* tree);

static inline bool plBox_Overlaps(const plBox* a, const plBox* b) // that touch, too
{
	return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] && b->low[1] <= a->high[1] &&
	       a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

// Items whose boxes overlap the box, in the order of the leaves, until the callback says false.
typedef bool plBoxItemFcn(uint32_t item, void* context);
void plBoxTree_Overlap(const plBoxTree* tree, const plBox* box, plBoxItemFcn* visit, void* context);

// What a visit has found so far limits what it still looks at: the callback returns the new limit, or the old one.
typedef double plBoxLimitFcn(uint32_t item, double limit, void* context);
// Items whose boxes meet from + t along, 0 <= t <= limit; roughly by t.
void plBoxTree_CastRay(const plBoxTree* tree, const double from[3], const double along[3], double limit,
                       plBoxLimitFcn* visit, void* context);

// ---- what is nearest ------------------------------------------------------------------------------------------------

enum
{
	pl_boxStack = 64, // a tree over 2^32 items is 32 deep
};

// A node that a visit has still to look at.
typedef struct plBoxEntry
{
	uint32_t node;
	double bound; // no item of the node is below it
} plBoxEntry;

// The nearer child on top; returns the new depth.
static inline size_t plPushBoxes(plBoxEntry* stack, size_t depth, plBoxEntry near, plBoxEntry far)
{
	bool swap = far.bound < near.bound;
	stack[depth] = swap ? near : far;
	stack[depth + 1] = swap ? far : near;
	return depth + 2;
}

// Of the distance of x.
static inline double plBox_GetSquare(const plBox* box, const double x[3])
{
	double sum = 0.0;
	for (int i = 0; i < 3; ++i)
	{
		double below = box->low[i] - x[i], above = x[i] - box->high[i], e = below > above ? below : above;
		e = e > 0.0 ? e : 0.0; // fmax is a call
		sum += e * e;
	}
	return sum;
}

// Items of leaves that are nearer to x than the limit, a square of a distance (m^2); the near ones first. Inline, so
// that the callback is: through a pointer the distance of a mesh takes a tenth longer.
static inline void plBoxTree_FindNearest(const plBoxTree* tree, const double x[3], double square, plBoxLimitFcn* visit,
                                         void* context)
{
	plBoxEntry stack[pl_boxStack];
	size_t depth = 0;
	if (tree->nodeCount > 0)
		stack[depth++] = (plBoxEntry){0, 0.0};
	while (depth > 0)
	{
		plBoxEntry entry = stack[--depth];
		if (entry.bound >= square)
			continue;
		const plBoxNode* node = tree->nodes + entry.node;
		for (uint32_t place = node->first; place < node->first + node->count; ++place)
			square = visit(tree->items[place], square, context);
		if (node->count == 0)
		{
			uint32_t near = entry.node + 1, far = node->first;
			depth = plPushBoxes(stack, depth, (plBoxEntry){near, plBox_GetSquare(&tree->nodes[near].box, x)},
			                    (plBoxEntry){far, plBox_GetSquare(&tree->nodes[far].box, x)});
		}
	}
}

#endif
