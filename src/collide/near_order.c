// near_order.c: what the tasks of a search have found, in the order of a list
//
// Pairs are put into buckets by their first sides: all vertices, then all edges. Buckets stand in blocks, and a block
// without pairs costs one comparison: most of what stands still has none.
#include "near.h"
#include "../base/vec3.h"

enum
{
	blockBuckets = 1024,
};

int plNearPair_Compare(const void* x, const void* y)
{
	const plNearPair *p = x, *q = y;
	if (p->kind != q->kind)
		return p->kind < q->kind ? -1 : 1;
	for (int k = 0; k < 4; ++k)
		if (p->corners[k] != q->corners[k])
			return p->corners[k] < q->corners[k] ? -1 : 1;
	return 0;
}

// What a task has found of a kind
static const plNearFind* findsOf(const plNearSearch* s, const plNearTask* task, plNearKind kind)
{
	return s->finds + task->start + (kind == pl_nearFace ? 0 : task->room - task->count[1]);
}

static size_t countBlocks(size_t buckets)
{
	return (buckets + blockBuckets - 1) / blockBuckets;
}

// Edges begin with a block of their own.
static size_t firstBucketOf(const plNearSearch* s, plNearKind kind)
{
	return kind == pl_nearFace ? 0 : blockBuckets * countBlocks(s->vertexCount);
}

typedef void FindFcn(plNearSearch* s, const plNearFind* find, size_t bucket);

static void visitFinds(plNearSearch* s, size_t tasks, FindFcn* visit)
{
	for (size_t t = 0; t < tasks; ++t)
		for (int kind = 0; kind < 2; ++kind)
		{
			const plNearFind* finds = findsOf(s, s->tasks + t, (plNearKind)kind);
			size_t first = firstBucketOf(s, (plNearKind)kind);
			for (size_t i = 0; i < s->tasks[t].count[kind]; ++i)
				visit(s, finds + i, first + finds[i].first);
		}
}

static void countInBlock(plNearSearch* s, const plNearFind* find, size_t bucket)
{
	(void)find;
	s->blockStart[bucket / blockBuckets + 1]++;
}

static void countInBucket(plNearSearch* s, const plNearFind* find, size_t bucket)
{
	(void)find;
	s->bucket[bucket]++;
}

static void placeFind(plNearSearch* s, const plNearFind* find, size_t bucket)
{
	s->sorted[s->bucket[bucket]++] = *find;
}

// Where blocks begin; the buckets of those that have any are empty.
static void startBlocks(plNearSearch* s, size_t tasks, size_t blocks)
{
	memset(s->blockStart, 0, (blocks + 1) * sizeof *s->blockStart);
	visitFinds(s, tasks, countInBlock);
	for (size_t b = 0; b < blocks; ++b)
	{
		if (s->blockStart[b + 1] > 0)
			memset(s->bucket + blockBuckets * b, 0, blockBuckets * sizeof *s->bucket);
		s->blockStart[b + 1] += s->blockStart[b];
	}
}

// bucket[b] is how many b has, then where it begins, and becomes where it ends.
static void fillBuckets(plNearSearch* s, size_t tasks, size_t blocks)
{
	startBlocks(s, tasks, blocks);
	visitFinds(s, tasks, countInBucket);
	for (size_t b = 0; b < blocks; ++b)
	{
		uint32_t at = s->blockStart[b];
		for (size_t i = blockBuckets * b; at < s->blockStart[b + 1] && i < blockBuckets * (b + 1); ++i)
		{
			uint32_t count = s->bucket[i];
			s->bucket[i] = at;
			at += count;
		}
	}
	visitFinds(s, tasks, placeFind);
	s->count = s->blockStart[blocks];
	s->faceCount = s->blockStart[countBlocks(s->vertexCount)];
}

static plNearPair pairOf(const plNearSearch* s, const plNearFind* find, plNearKind kind, double known)
{
	plNearPair pair = {.kind = kind, .distance = fabs(find->distance), .way = signbit(find->distance) ? -1.0 : known};
	if (kind == pl_nearFace)
	{
		pair.corners[0] = find->first;
		memcpy(pair.corners + 1, s->leaves.faces + 3 * (size_t)find->second, 3 * sizeof(uint32_t));
		return pair;
	}
	memcpy(pair.corners, s->leaves.edges + 2 * (size_t)find->first, 2 * sizeof(uint32_t));
	memcpy(pair.corners + 2, s->leaves.edges + 2 * (size_t)find->second, 2 * sizeof(uint32_t));
	return pair;
}

typedef struct SortLoop
{
	plNearSearch* search;
	double way; // of what goes all of it
} SortLoop;

// By the second side. There are few in a bucket.
static void sortBucket(plNearFind* finds, size_t count)
{
	for (size_t p = 1; p < count; ++p)
	{
		plNearFind find = finds[p];
		size_t to = p;
		for (; to > 0 && find.second < finds[to - 1].second; --to)
			finds[to] = finds[to - 1];
		finds[to] = find;
	}
}

// The finds of a bucket begin where those of the bucket before it end.
static void sortBlocks(size_t begin, size_t end, void* context)
{
	const SortLoop* loop = context;
	const plNearSearch* s = loop->search;
	for (size_t b = begin; b < end; ++b)
	{
		uint32_t at = s->blockStart[b], last = s->blockStart[b + 1];
		for (size_t i = blockBuckets * b; at < last; ++i)
		{
			sortBucket(s->sorted + at, s->bucket[i] - at);
			at = s->bucket[i];
		}
		for (size_t p = s->blockStart[b]; p < last; ++p)
			s->pairs[p] = pairOf(s, s->sorted + p, p < s->faceCount ? pl_nearFace : pl_nearEdges, loop->way);
	}
}

bool plNearSearch_Join(plNearSearch* s, size_t tasks, double way, plPool* pool, plHeap* heap)
{
	size_t found = 0, blocks = countBlocks(s->vertexCount) + countBlocks(s->leaves.edgeCount);
	for (size_t t = 0; t < tasks; ++t)
		found += s->tasks[t].count[0] + s->tasks[t].count[1];
	if (found > UINT32_MAX || !plGrowArray(heap, &s->pairs, &s->room, found, sizeof *s->pairs) ||
	    !plGrowArray(heap, &s->sorted, &s->sortedRoom, found, sizeof *s->sorted) ||
	    !plGrowArray(heap, &s->bucket, &s->bucketRoom, blockBuckets * blocks, sizeof *s->bucket) ||
	    !plGrowArray(heap, &s->blockStart, &s->blockRoom, blocks + 1, sizeof *s->blockStart))
		return false;
	fillBuckets(s, tasks, blocks);
	SortLoop loop = {s, way};
	plParallelFor(pool, blocks, 1, sortBlocks, &loop);
	return true;
}
