// dynamic_tree.h: a tree of boxes into which items come, and from which they go, one at a time
#ifndef PL_DYNAMIC_TREE_H
#define PL_DYNAMIC_TREE_H

#include "box_tree.h"

static inline bool plBox_Contains(const plBox* a, const plBox* b)
{
	return a->low[0] <= b->low[0] && b->high[0] <= a->high[0] && a->low[1] <= b->low[1] && b->high[1] <= a->high[1] &&
	       a->low[2] <= b->low[2] && b->high[2] <= a->high[2];
}

enum
{
	pl_noNode = UINT32_MAX
};

typedef struct plTreeNode
{
	plBox box;
	uint32_t parent;
	uint32_t child[2]; // pl_noNode: a leaf
	uint32_t item;     // of a leaf; of a free node, the next one
} plTreeNode;

typedef struct plDynamicTree
{
	plHeap* heap;
	plTreeNode* nodes;
	size_t room;
	uint32_t used; // nodes that were ever in use
	uint32_t root;
	uint32_t free; // first of the free nodes
} plDynamicTree;

void plDynamicTree_Init(plDynamicTree* tree, plHeap* heap);
void plDynamicTree_Destroy(plDynamicTree* tree);
// A leaf for an item, by which it is removed; pl_noNode: no memory. The box is finite.
uint32_t plDynamicTree_Insert(plDynamicTree* tree, const plBox* box, uint32_t item);
void plDynamicTree_Remove(plDynamicTree* tree, uint32_t leaf); // never allocates
// The leaf of an item that has left its box goes elsewhere, under the same number; never allocates.
void plDynamicTree_Move(plDynamicTree* tree, uint32_t leaf, const plBox* box);

// The leaf after this one, pl_noNode for the first, whose box overlaps; pl_noNode: there are no more. The order depends
// on how the tree grew: callers sort.
uint32_t plDynamicTree_Next(const plDynamicTree* tree, uint32_t leaf, const plBox* box);
// The same for a segment from + t (to - from), t in [0, most]
uint32_t plDynamicTree_NextOnRay(const plDynamicTree* tree, uint32_t leaf, const double from[3], const double to[3],
                                 double most);

#endif
