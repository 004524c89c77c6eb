// near.c: pairs of a surface that are near each other
//
// Each task of the tree looks at pairs of leaves whose boxes, widened by half the reach, overlap. Boxes of what they
// own give candidates (near_boxes_lanes.c), which are measured some hundred at a time (near_distances_lanes.c). A
// vertex and an edge belong to one leaf (near_leaves.h), so a pair is found once. Tasks write into rooms of their own,
// and count what does not fit; where anything did not, the task runs again with more room.
#include "near.h"
#include "../base/vec3.h"

enum
{
	firstRoom = 64, // pairs of a task
};

static const double share = 0.45; // of the distance, that either side may use up; the rest is for rounding

bool plNearSearch_Prepare(plNearSearch* s, plTriangleTree* tree, plHeap* heap)
{
	s->count = s->faceCount = s->vertexCount = 0;
	for (size_t c = 0; c < 3 * tree->count; ++c)
		s->vertexCount = tree->corners[c] >= s->vertexCount ? tree->corners[c] + (size_t)1 : s->vertexCount;
	return (tree->count == 0 || plTriangleTree_NeedWays(tree, heap)) &&
	       plNearLeaves_Prepare(&s->leaves, tree, s->owner, heap);
}

void plNearSearch_Destroy(plNearSearch* s, plHeap* heap)
{
	PL_FREE(heap, s->pairs, s->room);
	PL_FREE(heap, s->finds, s->findRoom);
	PL_FREE(heap, s->sorted, s->sortedRoom);
	PL_FREE(heap, s->bucket, s->bucketRoom);
	PL_FREE(heap, s->blockStart, s->blockRoom);
	PL_FREE(heap, s->tasks, s->taskRoom);
	PL_FREE(heap, s->boxCounts, s->boxCountRoom);
	plNearLeaves_Destroy(&s->leaves, heap);
	*s = (plNearSearch){0};
}

// ---- what tasks do --------------------------------------------------------------------------------------------------

typedef struct Search
{
	plNearSearch* search;
	const plTriangleTree* tree;
	plNearWays ways;
	double reach;
	const plNearBoxKernels* boxes;
	const plNearDistanceKernels* distances;
} Search;

typedef struct Task
{
	const Search* s;
	plNearTask* own;
	plNearBatch faces, edges;
} Task;

static bool meet(const plNearSearch* search, uint32_t a, uint32_t b)
{
	return a == b ? search->meetsItself[a] : search->meetsOthers;
}

// Of all candidates from `first` on, those whose owners meet
static void keepMeeting(const plNearSearch* search, plNearBatch* batch, size_t first)
{
	size_t kept = first;
	for (size_t c = first; c < batch->count; ++c)
	{
		const uint32_t* corners = batch->corners[c];
		if (!meet(search, search->owner[corners[0]], search->owner[corners[3]]))
			continue;
		memmove(batch->corners[kept], corners, sizeof batch->corners[0]);
		memmove(batch->sides[kept++], batch->sides[c], sizeof batch->sides[0]);
	}
	batch->count = kept;
}

// Measures the candidates of a batch and takes the near ones.
static void empty(const Task* task, plNearKind kind, plNearBatch* batch)
{
	const Search* s = task->s;
	plNearTask* own = task->own;
	plNearFind kept[pl_nearRoom];
	size_t count = 0;
	s->distances->select(kind, &s->ways, s->reach, batch);
	for (size_t c = 0; c < batch->count; ++c)
	{
		kept[count] = (plNearFind){batch->sides[c][0], batch->sides[c][1], batch->distance[c]};
		count += batch->distance[c] < INFINITY;
	}
	batch->count = 0;
	own->count[kind] += count;
	if (own->count[0] + own->count[1] > own->room || count == 0)
		return;
	size_t place = kind == pl_nearFace ? own->count[0] - count : own->room - own->count[1];
	memcpy(s->search->finds + own->start + place, kept, count * sizeof *kept);
}

static bool isOut(const plNearSearch* search, size_t leaf)
{
	uint32_t owner = search->leaves.leaves[leaf].owner;
	return search->isOut != NULL && owner != plNearBlock_none && search->isOut[owner];
}

static void compareLeaves(size_t a, size_t b, void* context)
{
	Task* task = context;
	const Search* s = task->s;
	const plNearLeaves* leaves = &s->search->leaves;
	uint32_t ownerA = leaves->leaves[a].owner, ownerB = leaves->leaves[b].owner;
	bool mixed = ownerA == plNearBlock_none || ownerB == plNearBlock_none;
	if (s->search->owner != NULL && !mixed && !meet(s->search, ownerA, ownerB))
		return;
	size_t faces = task->faces.count, edges = task->edges.count;
	s->boxes->findFaces(s->tree, leaves, a, b, &task->faces);
	s->boxes->findEdges(s->tree, leaves, a, b, &task->edges);
	if (mixed)
	{
		keepMeeting(s->search, &task->faces, faces);
		keepMeeting(s->search, &task->edges, edges);
	}
	if (task->faces.count >= pl_nearBatch)
		empty(task, pl_nearFace, &task->faces);
	if (task->edges.count >= pl_nearBatch)
		empty(task, pl_nearEdges, &task->edges);
}

static void runTasks(size_t begin, size_t end, void* context)
{
	const Search* s = context;
	size_t asking = plTriangleTree_CountAsking(s->tree);
	Task task;
	task.s = s;
	task.faces.count = task.edges.count = 0;
	for (size_t t = begin; t < end; ++t)
	{
		task.own = s->search->tasks + t;
		if (task.own->isDone)
			continue;
		task.own->count[0] = task.own->count[1] = 0;
		for (size_t leaf = pl_taskLeaves * t; leaf < pl_taskLeaves * (t + 1) && leaf < asking; ++leaf)
			if (!isOut(s->search, leaf))
				plTriangleTree_VisitLeaf(s->tree, leaf, compareLeaves, &task);
		empty(&task, pl_nearFace, &task.faces);
		empty(&task, pl_nearEdges, &task.edges);
	}
}

// ---- rooms ----------------------------------------------------------------------------------------------------------

static size_t countFound(const plNearTask* task)
{
	return task->count[0] + task->count[1];
}

// Room for what each task found the last time, half as much again, and a little; false: no memory
static bool spreadRoom(plNearSearch* s, size_t tasks, plHeap* heap)
{
	size_t sum = 0;
	for (size_t t = 0; t < tasks; ++t)
	{
		size_t found = countFound(s->tasks + t), room = firstRoom + found + found / 2;
		s->tasks[t] = (plNearTask){.start = sum, .room = room};
		sum += room;
	}
	return plGrowArray(heap, &s->finds, &s->findRoom, sum, sizeof *s->finds);
}

// Other rooms, behind the others, for tasks that had too little; *all: there were none. False: no memory
static bool growRoom(plNearSearch* s, size_t tasks, plHeap* heap, bool* all)
{
	size_t end = 0;
	*all = true;
	for (size_t t = 0; t < tasks; ++t)
		end += s->tasks[t].room;
	for (size_t t = 0; t < tasks; ++t)
	{
		plNearTask* task = s->tasks + t;
		task->isDone = countFound(task) <= task->room;
		if (task->isDone)
			continue;
		task->start = end;
		task->room = countFound(task);
		end += task->room;
		*all = false;
	}
	return plGrowArray(heap, &s->finds, &s->findRoom, end, sizeof *s->finds);
}

static bool reserveTasks(plNearSearch* s, size_t tasks, plHeap* heap)
{
	size_t before = s->taskRoom;
	if (!plGrowArray(heap, &s->tasks, &s->taskRoom, tasks, sizeof *s->tasks) ||
	    !plGrowArray(heap, &s->boxCounts, &s->boxCountRoom, tasks, sizeof *s->boxCounts))
		return false;
	if (s->taskRoom > before)
		memset(s->tasks + before, 0, (s->taskRoom - before) * sizeof *s->tasks);
	return true;
}

// ---- the search -----------------------------------------------------------------------------------------------------

// All pairs of the boxes that were fitted
static bool run(plNearSearch* search, const plTriangleTree* tree, const plNearWays* ways, double reach, plPool* pool,
                plHeap* heap)
{
	size_t tasks = plTriangleTree_CountTasks(tree);
	Search s = {search, tree, *ways, reach, plFindNearBoxKernels(), plFindNearDistanceKernels()};
	bool all = true;
	search->count = search->faceCount = 0;
	plNearLeaves_Refit(&search->leaves, tree, ways->places, ways->ways, ways->scale, 0.5 * reach, pool);
	if (!reserveTasks(search, tasks, heap) || !spreadRoom(search, tasks, heap))
		return false;
	plParallelFor(pool, tasks, 1, runTasks, &s);
	if (!growRoom(search, tasks, heap, &all))
		return false;
	if (!all)
		plParallelFor(pool, tasks, 1, runTasks, &s);
	return plNearSearch_Join(search, tasks, ways->ways != NULL ? 1.0 : 0.0, pool, heap);
}

bool plNearSearch_Run(plNearSearch* search, plTriangleTree* tree, const double* places, double reach, plPool* pool,
                      plHeap* heap)
{
	PL_ASSERT(search->leaves.leafCount == tree->levelStart[1], "the search was prepared for this tree");
	plTriangleTree_Refit(tree, places, 0.5 * reach, pool);
	return run(search, tree, &(plNearWays){.places = places}, reach, pool, heap);
}

// The longest side of what stands there
static double extentOf(const plTriangleTree* tree)
{
	float low[3], high[3];
	double extent = 0.0;
	plTriangleNode_Bound(tree->nodes + tree->nodeCount - 1, low, high);
	for (int i = 0; i < 3; ++i)
		extent = fmax((double)high[i] - (double)low[i], extent);
	return extent;
}

// Halves a scale until what moves apart or together has not many more boxes in its way than where it stands: who goes
// through all of another body at once would list all of it. Directions may be longer than the world by any factor: what
// goes farther than it is wide need not be counted.
static double shorten(plNearSearch* s, plTriangleTree* tree, const plNearWays* ways, double reach, plPool* pool)
{
	static const double far = 4.0, wide = 8.0; // reaches, extents
	enum
	{
		more = 8 // boxes of a triangle
	};
	double scale = ways->scale, spread = plTriangleTree_GetSpread(tree);
	if (spread <= far * reach)
		return scale;
	double most = wide * extentOf(tree);
	size_t enough = more * tree->movingCount;
	if (spread <= most && plTriangleTree_CountPairs(tree, pool, s->boxCounts) <= enough)
		return scale;
	tree->moves = false;
	enough += 2 * plTriangleTree_CountPairs(tree, pool, s->boxCounts);
	tree->moves = true;
	for (bool fits = false; !fits && spread > far * reach;)
	{
		scale *= spread > 2.0 * most ? fmax(most / spread, 0x1p-64) : 0.5; // boxes of floats may be infinite
		plTriangleTree_RefitMoving(tree, ways->places, ways->ways, scale, 0.5 * reach, pool);
		spread = plTriangleTree_GetSpread(tree);
		fits = spread <= most && plTriangleTree_CountPairs(tree, pool, s->boxCounts) <= enough;
	}
	return scale;
}

bool plNearSearch_RunMoving(plNearSearch* search, plTriangleTree* tree, plNearWays* ways, double reach, plPool* pool,
                            plHeap* heap)
{
	PL_ASSERT(search->leaves.leafCount == tree->levelStart[1], "the search was prepared for this tree");
	search->count = search->faceCount = 0;
	if (!reserveTasks(search, plTriangleTree_CountTasks(tree), heap))
		return false;
	plTriangleTree_RefitMoving(tree, ways->places, ways->ways, ways->scale, 0.5 * reach, pool);
	ways->scale = shorten(search, tree, ways, reach, pool);
	if (!run(search, tree, ways, reach, pool, heap))
		return false;
	plNearSearch_FindWays(search, ways, pool);
	return true;
}

void plNearSearch_FindBalls(const plNearSearch* search, double reach, double radius, double* balls, size_t vertexCount)
{
	for (size_t v = 0; v < vertexCount; ++v)
		balls[v] = 0.5 * (reach - radius);
	for (size_t p = 0; p < search->count; ++p)
		for (int k = 0; k < 4; ++k)
		{
			double* ball = balls + search->pairs[p].corners[k];
			*ball = plMin(share * search->pairs[p].distance, *ball);
		}
}
