// broad.c: pairs of items whose boxes are near each other
//
//   pairs = (pairs of before in which neither item has another box) merged with (pairs found for those that have)
//
// Each item with a new box looks into both trees. Ranges of items do so in parallel: first they count, then they write
// from where the counts before them end. Of two items that both have new boxes the lower one lists the pair.
#include "broad.h"

#include <math.h>
#include <stdlib.h>

void plBroad_Init(plBroad* broad, plHeap* heap)
{
	*broad = (plBroad){.heap = heap};
	for (int t = 0; t < 2; ++t)
		plDynamicTree_Init(broad->trees + t, heap);
}

void plBroad_Destroy(plBroad* b)
{
	for (int t = 0; t < 2; ++t)
		plDynamicTree_Destroy(b->trees + t);
	PL_FREE(b->heap, b->items, b->itemRoom);
	PL_FREE(b->heap, b->unbounded, b->unboundedRoom);
	PL_FREE(b->heap, b->fresh, b->freshRoom);
	PL_FREE(b->heap, b->pairs, b->pairRoom);
	PL_FREE(b->heap, b->found, b->foundRoom);
	PL_FREE(b->heap, b->merged, b->mergedRoom);
	PL_FREE(b->heap, b->foundStart, b->foundStartRoom);
	plBroad_Init(b, b->heap);
}

#define GROW(b, array, room, count) plGrowArray((b)->heap, &(b)->array, &(b)->room, count, sizeof *(b)->array)

// ---- items
// --------------------------------------------------------------------------------------------------------------

// Room for the item, its mark among the fresh, and what an update needs for as many.
static bool reserveItem(plBroad* b, uint32_t item)
{
	size_t before = b->itemRoom;
	if (!GROW(b, items, itemRoom, (size_t)item + 1))
		return false;
	memset(b->items + before, 0, (b->itemRoom - before) * sizeof *b->items);
	return GROW(b, fresh, freshRoom, b->itemRoom) && GROW(b, foundStart, foundStartRoom, b->itemRoom + 1);
}

static void markFresh(plBroad* b, uint32_t item)
{
	if (!b->items[item].isNew)
		b->fresh[b->freshCount++] = item;
	b->items[item].isNew = true;
}

bool plBroad_Add(plBroad* b, uint32_t item, const plBox* fat, bool isMoving)
{
	if (!reserveItem(b, item))
		return false;
	uint32_t leaf = plDynamicTree_Insert(b->trees + isMoving, fat, item);
	if (leaf == pl_noNode)
		return false;
	bool isNew = b->items[item].isNew;
	b->items[item] = (plBroadItem){.box = *fat, .leaf = leaf, .isThere = true, .isMoving = isMoving, .isNew = isNew};
	markFresh(b, item);
	return true;
}

bool plBroad_AddHalfSpace(plBroad* b, uint32_t item, const double normal[3], double offset)
{
	if (!reserveItem(b, item) || !GROW(b, unbounded, unboundedRoom, b->unboundedCount + 1))
		return false;
	bool isNew = b->items[item].isNew;
	b->items[item] = (plBroadItem){.leaf = pl_noNode,
	                               .isThere = true,
	                               .isUnbounded = true,
	                               .isNew = isNew,
	                               .normal = {normal[0], normal[1], normal[2]},
	                               .offset = offset};
	size_t place = b->unboundedCount++;
	for (; place > 0 && b->unbounded[place - 1] > item; --place)
		b->unbounded[place] = b->unbounded[place - 1];
	b->unbounded[place] = item;
	markFresh(b, item);
	return true;
}

void plBroad_Remove(plBroad* b, uint32_t item)
{
	plBroadItem* i = b->items + item;
	if (i->isUnbounded)
	{
		size_t place = 0;
		while (b->unbounded[place] != item)
			++place;
		b->unboundedCount--;
		memmove(b->unbounded + place, b->unbounded + place + 1, (b->unboundedCount - place) * sizeof *b->unbounded);
	}
	else
		plDynamicTree_Remove(b->trees + i->isMoving, i->leaf);
	markFresh(b, item);
	i->isThere = false;
}

bool plBroad_Holds(const plBroad* b, uint32_t item, const plBox* box)
{
	return plBox_Contains(&b->items[item].box, box);
}

void plBroad_Move(plBroad* b, uint32_t item, const plBox* box, const plBox* fat)
{
	plBroadItem* i = b->items + item;
	if (plBroad_Holds(b, item, box))
		return;
	i->box = *fat;
	plDynamicTree_Move(b->trees + i->isMoving, i->leaf, fat);
	markFresh(b, item);
}

void plBroad_MoveHalfSpace(plBroad* b, uint32_t item, const double normal[3], double offset)
{
	memcpy(b->items[item].normal, normal, sizeof b->items[item].normal);
	b->items[item].offset = offset;
	markFresh(b, item);
}

void plBroad_Touch(plBroad* b, uint32_t item)
{
	markFresh(b, item);
}

// ---- pairs
// --------------------------------------------------------------------------------------------------------------

typedef struct Search
{
	plBroad* broad;
	plBroadFilterFcn* filter;
	void* context;
	bool writes; // pairs; else it counts them
} Search;

bool plBroad_IsNearHalfSpace(const double normal[3], double offset, const plBox* box)
{
	double nearest = 0.0; // n.x of the corner that is farthest against n
	for (int i = 0; i < 3; ++i)
		nearest += normal[i] * (normal[i] > 0.0 ? box->low[i] : box->high[i]);
	return nearest <= offset;
}

static bool isNearHalfSpace(const plBroadItem* space, const plBox* box)
{
	return plBroad_IsNearHalfSpace(space->normal, space->offset, box);
}

// Lists the pair, or counts it, if it is this item's to list.
static void offer(const Search* s, uint32_t item, uint32_t other, size_t* count)
{
	const plBroadItem *i = s->broad->items + item, *o = s->broad->items + other;
	if (other == item || (o->isNew && other < item) || !(i->isMoving || o->isMoving))
		return;
	uint32_t a = item < other ? item : other, b = item < other ? other : item;
	if (!s->filter(a, b, s->context))
		return;
	if (s->writes)
		s->broad->found[*count] = (plBroadPair){a, b};
	++*count;
}

static void searchItem(const Search* s, uint32_t item, size_t* count)
{
	const plBroad* b = s->broad;
	const plBroadItem* i = b->items + item;
	if (!i->isThere)
		return;
	if (i->isUnbounded) // everything that moves
	{
		const plDynamicTree* tree = b->trees + 1;
		static const plBox all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
		for (uint32_t leaf = pl_noNode; (leaf = plDynamicTree_Next(tree, leaf, &all)) != pl_noNode;)
			if (isNearHalfSpace(i, &tree->nodes[leaf].box))
				offer(s, item, tree->nodes[leaf].item, count);
		return;
	}
	for (int t = i->isMoving ? 0 : 1; t < 2; ++t)
		for (uint32_t leaf = pl_noNode; (leaf = plDynamicTree_Next(b->trees + t, leaf, &i->box)) != pl_noNode;)
			offer(s, item, b->trees[t].nodes[leaf].item, count);
	for (size_t u = 0; i->isMoving && u < b->unboundedCount; ++u)
		if (isNearHalfSpace(b->items + b->unbounded[u], &i->box))
			offer(s, item, b->unbounded[u], count);
}

static void searchRange(size_t begin, size_t end, void* context)
{
	const Search* s = context;
	for (size_t f = begin; f < end; ++f)
	{
		size_t count = s->writes ? s->broad->foundStart[f] : 0;
		searchItem(s, s->broad->fresh[f], &count);
		if (!s->writes)
			s->broad->foundStart[f] = count;
	}
}

static int comparePairs(const void* x, const void* y)
{
	const plBroadPair *p = x, *q = y;
	return p->a != q->a ? (p->a < q->a ? -1 : 1) : p->b != q->b ? (p->b < q->b ? -1 : 1) : 0;
}

// Old pairs whose boxes are those of before, and found ones, both sorted.
static size_t merge(plBroad* b, size_t foundCount)
{
	size_t out = 0, f = 0;
	for (size_t p = 0; p < b->pairCount; ++p)
	{
		const plBroadPair* pair = b->pairs + p;
		if (b->items[pair->a].isNew || b->items[pair->b].isNew)
			continue;
		while (f < foundCount && comparePairs(b->found + f, pair) < 0)
			b->merged[out++] = b->found[f++];
		b->merged[out++] = *pair;
	}
	while (f < foundCount)
		b->merged[out++] = b->found[f++];
	return out;
}

static size_t sumCounts(plBroad* b)
{
	size_t sum = 0;
	for (size_t f = 0; f < b->freshCount; ++f)
	{
		size_t count = b->foundStart[f];
		b->foundStart[f] = sum;
		sum += count;
	}
	return sum;
}

static void swapPairs(plBroad* b, size_t count)
{
	plBroadPair* pairs = b->pairs;
	size_t room = b->pairRoom;
	b->pairs = b->merged;
	b->pairRoom = b->mergedRoom;
	b->merged = pairs;
	b->mergedRoom = room;
	b->pairCount = count;
}

bool plBroad_Update(plBroad* b, plPool* pool, plBroadFilterFcn* filter, void* context)
{
	enum
	{
		grain = 32
	};
	if (b->freshCount == 0)
		return true;
	Search search = {b, filter, context, false};
	plParallelFor(pool, b->freshCount, grain, searchRange, &search);
	size_t foundCount = sumCounts(b);
	if (!GROW(b, found, foundRoom, foundCount) || !GROW(b, merged, mergedRoom, b->pairCount + foundCount))
		return false;
	search.writes = true;
	plParallelFor(pool, b->freshCount, grain, searchRange, &search);
	if (foundCount > 1)
		qsort(b->found, foundCount, sizeof *b->found, comparePairs);
	swapPairs(b, merge(b, foundCount));
	for (size_t f = 0; f < b->freshCount; ++f)
		b->items[b->fresh[f]].isNew = false;
	b->freshCount = 0;
	return true;
}
