// box_tree.c: building a tree of boxes, and the three ways through it
#include "box_tree.h"

#include <math.h>

enum
{
	leafItems = 4,
};

static const plBox nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void include(plBox* sum, const plBox* box)
{
	for (int i = 0; i < 3; ++i)
	{
		sum->low[i] = fmin(sum->low[i], box->low[i]);
		sum->high[i] = fmax(sum->high[i], box->high[i]);
	}
}

static plBox boundItems(const plBoxTree* tree, size_t begin, size_t end)
{
	plBox sum = nothing;
	for (size_t place = begin; place < end; ++place)
		include(&sum, tree->boxes + place);
	return sum;
}

plBox plBoxTree_GetBounds(const plBoxTree* tree)
{
	return tree->nodeCount > 0 ? tree->nodes[0].box : nothing;
}

// ---- building -------------------------------------------------------------------------------------------------------

// Order of items along an axis: by the middle of the box (twice that), then by number. No two are equal.
typedef struct Key
{
	double middle;
	uint32_t item;
} Key;

static Key keyAt(const plBoxTree* tree, size_t place, int axis)
{
	return (Key){tree->boxes[place].low[axis] + tree->boxes[place].high[axis], tree->items[place]};
}

static bool isBefore(Key a, Key b)
{
	return a.middle != b.middle ? a.middle < b.middle : a.item < b.item;
}

static void swapPlaces(plBoxTree* tree, size_t a, size_t b)
{
	plBox box = tree->boxes[a];
	uint32_t item = tree->items[a];
	tree->boxes[a] = tree->boxes[b];
	tree->items[a] = tree->items[b];
	tree->boxes[b] = box;
	tree->items[b] = item;
}

static void sortPlaces(plBoxTree* tree, size_t begin, size_t end, int axis)
{
	for (size_t a = begin + 1; a < end; ++a)
		for (size_t b = a; b > begin && isBefore(keyAt(tree, b, axis), keyAt(tree, b - 1, axis)); --b)
			swapPlaces(tree, b, b - 1);
}

// Puts the items that come first along the axis before `middle`. Pivots are drawn by chance, always the same, so that
// no usual order of the boxes is a bad one.
static void halvePlaces(plBoxTree* tree, size_t begin, size_t end, size_t middle, int axis)
{
	uint64_t chance = end - begin;
	while (end - begin > 1)
	{
		chance = chance * 6364136223846793005ull + 1442695040888963407ull;
		swapPlaces(tree, begin + (chance >> 33) % (end - begin), end - 1);
		Key pivot = keyAt(tree, end - 1, axis);
		size_t at = begin; // where the pivot will stand
		for (size_t place = begin; place < end - 1; ++place)
			if (isBefore(keyAt(tree, place, axis), pivot))
				swapPlaces(tree, place, at++);
		swapPlaces(tree, at, end - 1);
		if (at == middle)
			return;
		if (at > middle)
			end = at;
		else
			begin = at + 1;
	}
}

// Node over the places begin .. end-1; its children follow it. The parents of leaves are sorted throughout, so that the
// order within leaves does not hang on the pivots.
static void buildNode(plBoxTree* tree, size_t begin, size_t end)
{
	size_t at = tree->nodeCount++, count = end - begin, middle = begin + count / 2;
	plBoxNode node = {boundItems(tree, begin, end), (uint32_t)begin, (uint32_t)count};
	if (count > leafItems)
	{
		int axis = 0;
		const double *low = node.box.low, *high = node.box.high;
		for (int i = 1; i < 3; ++i)
			axis = high[i] - low[i] > high[axis] - low[axis] ? i : axis;
		if (count / 2 <= leafItems)
			sortPlaces(tree, begin, end, axis);
		else
			halvePlaces(tree, begin, end, middle, axis);
		buildNode(tree, begin, middle);
		node.first = (uint32_t)tree->nodeCount;
		node.count = 0;
		buildNode(tree, middle, end);
	}
	tree->nodes[at] = node;
}

static bool reserve(plBoxTree* tree, size_t count, plHeap* heap)
{
	if (count <= tree->room)
		return true;
	plBoxTree larger = {.nodeRoom = 2 * count, .room = count}; // a binary tree with at most `count` leaves
	larger.nodes = PL_NEW(heap, plBoxNode, larger.nodeRoom);
	larger.items = PL_NEW(heap, uint32_t, count);
	larger.boxes = PL_NEW(heap, plBox, count);
	bool fine = larger.nodes && larger.items && larger.boxes;
	plBoxTree_Destroy(fine ? tree : &larger, heap);
	if (fine)
		*tree = larger;
	return fine;
}

bool plBoxTree_Build(plBoxTree* tree, const plBox* boxes, size_t count, plHeap* heap)
{
	PL_ASSERT(count <= UINT32_MAX / 2, "items are numbered by 32 bits, and so are nodes");
	if (!reserve(tree, count, heap))
		return false;
	for (size_t i = 0; i < count; ++i)
	{
		tree->items[i] = (uint32_t)i;
		tree->boxes[i] = boxes[i];
	}
	tree->count = count;
	tree->nodeCount = 0;
	if (count > 0)
		buildNode(tree, 0, count);
	return true;
}

void plBoxTree_Refit(plBoxTree* tree, const plBox* boxes)
{
	for (size_t place = 0; place < tree->count; ++place)
		tree->boxes[place] = boxes[tree->items[place]];
	for (size_t at = tree->nodeCount; at-- > 0;)
	{
		plBoxNode* node = tree->nodes + at;
		if (node->count > 0)
			node->box = boundItems(tree, node->first, node->first + node->count);
		else
		{
			node->box = tree->nodes[at + 1].box;
			include(&node->box, &tree->nodes[node->first].box);
		}
	}
}

void plBoxTree_Renumber(plBoxTree* tree)
{
	for (size_t place = 0; place < tree->count; ++place)
		tree->items[place] = (uint32_t)place;
}

void plBoxTree_Destroy(plBoxTree* tree, plHeap* heap)
{
	PL_FREE(heap, tree->nodes, tree->nodeRoom);
	PL_FREE(heap, tree->items, tree->room);
	PL_FREE(heap, tree->boxes, tree->room);
	*tree = (plBoxTree){0};
}

// ---- overlap --------------------------------------------------------------------------------------------------------

void plBoxTree_Overlap(const plBoxTree* tree, const plBox* box, plBoxItemFcn* visit, void* context)
{
	uint32_t stack[pl_boxStack];
	size_t depth = 0;
	if (tree->nodeCount > 0)
		stack[depth++] = 0;
	while (depth > 0)
	{
		uint32_t at = stack[--depth];
		const plBoxNode* node = tree->nodes + at;
		if (!plBox_Overlaps(&node->box, box))
			continue;
		for (uint32_t place = node->first; place < node->first + node->count; ++place)
			if (plBox_Overlaps(tree->boxes + place, box) && !visit(tree->items[place], context))
				return;
		if (node->count == 0)
		{
			stack[depth++] = node->first;
			stack[depth++] = at + 1;
		}
	}
}

// ---- rays -----------------------------------------------------------------------------------------------------------

// The smallest t >= 0 at which the ray is in the box; infinity: it misses. The far end is moved out by more than
// rounding, so that a ray along an edge of the box meets it, and by more than that of what a caller asks of the item:
// two triangles agree on which of them a ray through their edge meets, and both have to be asked.
static double enterBox(const plBox* box, const double from[3], const double along[3])
{
	double enter = 0.0, leave = INFINITY;
	for (int i = 0; i < 3; ++i)
	{
		if (along[i] == 0.0)
		{
			if (from[i] < box->low[i] || from[i] > box->high[i])
				return INFINITY;
			continue;
		}
		double a = (box->low[i] - from[i]) / along[i], b = (box->high[i] - from[i]) / along[i];
		enter = fmax(enter, fmin(a, b));
		leave = fmin(leave, fmax(a, b));
	}
	return enter <= leave * (1.0 + 0x1p-38) ? enter : INFINITY;
}

void plBoxTree_CastRay(const plBoxTree* tree, const double from[3], const double along[3], double limit,
                       plBoxLimitFcn* visit, void* context)
{
	plBoxEntry stack[pl_boxStack];
	size_t depth = 0;
	if (tree->nodeCount > 0)
		stack[depth++] = (plBoxEntry){0, enterBox(&tree->nodes[0].box, from, along)};
	while (depth > 0)
	{
		plBoxEntry entry = stack[--depth];
		if (!(entry.bound <= limit) || entry.bound == INFINITY)
			continue;
		const plBoxNode* node = tree->nodes + entry.node;
		for (uint32_t place = node->first; place < node->first + node->count; ++place)
			if (enterBox(tree->boxes + place, from, along) <= fmin(limit, 0x1p1023))
				limit = visit(tree->items[place], limit, context);
		if (node->count == 0)
		{
			uint32_t near = entry.node + 1, far = node->first;
			depth = plPushBoxes(stack, depth, (plBoxEntry){near, enterBox(&tree->nodes[near].box, from, along)},
			                    (plBoxEntry){far, enterBox(&tree->nodes[far].box, from, along)});
		}
	}
}
