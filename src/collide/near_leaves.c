// near_leaves.c: who owns which vertices and edges, and boxes about them
#include "near_leaves.h"
#include "../base/vec3.h"

#include <stdlib.h>

enum
{
	blockGrain = 64,
};

// ---- whose they are -------------------------------------------------------------------------------------------------

// A corner or a side of a triangle
typedef struct Part
{
	uint32_t low, high; // vertices; of a corner both are one
	uint32_t triangle;
	uint32_t corner;
	uint32_t rank; // of an edge among all; the number of a vertex
} Part;

static bool isEdge(const Part* part)
{
	return part->low != part->high;
}

static int compareNumbers(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int comparePlaces(const Part* p, const Part* q)
{
	int triangles = compareNumbers(p->triangle, q->triangle);
	return triangles != 0 ? triangles : compareNumbers(p->corner, q->corner);
}

static int compareParts(const void* x, const void* y)
{
	const Part *p = x, *q = y;
	int low = compareNumbers(p->low, q->low), high = compareNumbers(p->high, q->high);
	return low != 0 ? low : high != 0 ? high : comparePlaces(p, q);
}

// In the order of the leaves, a leaf's vertices before its edges
static int compareOwned(const void* x, const void* y)
{
	const Part *p = x, *q = y;
	int leaves = compareNumbers(p->triangle / pl_treeWidth, q->triangle / pl_treeWidth);
	if (leaves != 0)
		return leaves;
	return isEdge(p) != isEdge(q) ? isEdge(p) - isEdge(q) : comparePlaces(p, q);
}

static void fillParts(const plTriangleTree* tree, Part* parts)
{
	for (uint32_t t = 0; t < tree->count; ++t)
		for (uint32_t k = 0; k < 3; ++k)
		{
			uint32_t a = tree->corners[3 * (size_t)t + k], b = tree->corners[3 * (size_t)t + (k + 1) % 3];
			*parts++ = (Part){a, a, t, k, a};
			*parts++ = (Part){a < b ? a : b, a < b ? b : a, t, k, 0};
		}
}

// Every vertex and every edge once, by their ends, of the first triangles that have them; how many
static size_t selectOwned(const plTriangleTree* tree, Part* parts)
{
	size_t count = 6 * tree->count, kept = 0;
	fillParts(tree, parts);
	qsort(parts, count, sizeof *parts, compareParts);
	for (size_t i = 0; i < count; ++i)
		if (i == 0 || parts[i].low != parts[kept - 1].low || parts[i].high != parts[kept - 1].high)
			parts[kept++] = parts[i];
	return kept;
}

static void rankEdges(plNearLeaves* s, Part* parts, size_t count)
{
	s->edgeCount = 0;
	for (size_t i = 0; i < count; ++i)
		if (isEdge(parts + i))
		{
			parts[i].rank = (uint32_t)s->edgeCount++;
			s->edges[2 * (size_t)parts[i].rank] = parts[i].low;
			s->edges[2 * (size_t)parts[i].rank + 1] = parts[i].high;
		}
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

static size_t countRun(const Part* parts, size_t begin, size_t count, size_t leaf, bool edges)
{
	size_t end = begin;
	while (end < count && parts[end].triangle / pl_treeWidth == leaf && isEdge(parts + end) == edges)
		++end;
	return end - begin;
}

static void fillBlock(plNearBlock* block, const Part* parts, size_t count)
{
	static const Part none = {UINT32_MAX, UINT32_MAX, 0, 0, UINT32_MAX};
	for (size_t lane = 0; lane < pl_treeWidth; ++lane)
	{
		const Part* part = lane < count ? parts + lane : &none;
		block->ends[lane][0] = block->low[lane] = part->low;
		block->ends[lane][1] = block->high[lane] = part->high;
		block->rank[lane] = part->rank;
	}
}

// Parts in the order of the leaves; how many blocks there are. Without `blocks` it counts only.
static size_t layOut(plNearLeaf* leaves, size_t leafCount, const Part* parts, size_t count, plNearBlock* blocks)
{
	size_t part = 0, block = 0;
	for (size_t leaf = 0; leaf < leafCount; ++leaf)
		for (int edges = 0; edges < 2; ++edges)
		{
			size_t run = countRun(parts, part, count, leaf, edges != 0);
			*(edges ? &leaves[leaf].firstEdges : &leaves[leaf].firstVertices) = (uint32_t)block;
			for (size_t i = 0; i < run; i += pl_treeWidth, ++block)
				if (blocks != NULL)
					fillBlock(blocks + block, parts + part + i, run - i);
			part += run;
			leaves[leaf].end = (uint32_t)block;
		}
	return block;
}

static bool makeBlocks(plNearLeaves* s, Part* parts, size_t count, plHeap* heap)
{
	qsort(parts, count, sizeof *parts, compareOwned);
	s->blockCount = layOut(s->leaves, s->leafCount, parts, count, NULL);
	if (!plGrowArray(heap, &s->blocks, &s->blockRoom, s->blockCount, sizeof *s->blocks) ||
	    !plGrowArray(heap, &s->boxes, &s->boxRoom, s->blockCount, sizeof *s->boxes) ||
	    !plGrowArray(heap, &s->ways, &s->wayRoom, s->blockCount, sizeof *s->ways))
		return false;
	layOut(s->leaves, s->leafCount, parts, count, s->blocks);
	return true;
}

// ---- triangles ------------------------------------------------------------------------------------------------------

typedef struct Face
{
	uint32_t corners[3];
	uint32_t triangle;
} Face;

static int compareFaces(const void* x, const void* y)
{
	const Face *p = x, *q = y;
	for (int k = 0; k < 3; ++k)
		if (p->corners[k] != q->corners[k])
			return compareNumbers(p->corners[k], q->corners[k]);
	return compareNumbers(p->triangle, q->triangle);
}

static void fillLeaf(plNearLeaf* leaf, const plTriangleTree* tree, size_t number, const uint32_t* owner)
{
	leaf->owner = owner != NULL ? owner[tree->corners[3 * pl_treeWidth * number]] : 0;
	for (size_t lane = 0; lane < pl_treeWidth; ++lane)
	{
		size_t t = pl_treeWidth * number + lane;
		for (size_t k = 0; k < 3; ++k)
			leaf->corners[k][lane] = t < tree->count ? tree->corners[3 * t + k] : plNearBlock_none;
		if (owner != NULL && t < tree->count && owner[tree->corners[3 * t]] != leaf->owner)
			leaf->owner = plNearBlock_none;
	}
}

static bool makeFaces(plNearLeaves* s, const plTriangleTree* tree, const uint32_t* owner, plHeap* heap)
{
	Face* faces = PL_NEW(heap, Face, tree->count);
	if (faces == NULL)
		return false;
	for (size_t leaf = 0; leaf < s->leafCount; ++leaf)
		fillLeaf(s->leaves + leaf, tree, leaf, owner);
	for (size_t t = 0; t < tree->count; ++t)
	{
		memcpy(faces[t].corners, tree->corners + 3 * t, sizeof faces[t].corners);
		faces[t].triangle = (uint32_t)t;
	}
	qsort(faces, tree->count, sizeof *faces, compareFaces);
	for (size_t f = 0; f < tree->count; ++f)
	{
		memcpy(s->faces + 3 * f, faces[f].corners, sizeof faces[f].corners);
		s->leaves[faces[f].triangle / pl_treeWidth].rank[faces[f].triangle % pl_treeWidth] = (uint32_t)f;
	}
	PL_FREE(heap, faces, tree->count);
	return true;
}

// ---- life -----------------------------------------------------------------------------------------------------------

static bool prepare(plNearLeaves* s, const plTriangleTree* tree, const uint32_t* owner, Part* parts, plHeap* heap)
{
	if (!plGrowArray(heap, &s->leaves, &s->leafRoom, tree->levelStart[1], sizeof *s->leaves) ||
	    !plGrowArray(heap, &s->edges, &s->edgeRoom, 6 * tree->count, sizeof *s->edges) ||
	    !plGrowArray(heap, &s->faces, &s->faceRoom, 3 * tree->count, sizeof *s->faces))
		return false;
	s->leafCount = tree->levelStart[1];
	size_t count = selectOwned(tree, parts);
	rankEdges(s, parts, count);
	return makeBlocks(s, parts, count, heap) && makeFaces(s, tree, owner, heap);
}

bool plNearLeaves_Prepare(plNearLeaves* s, const plTriangleTree* tree, const uint32_t* owner, plHeap* heap)
{
	size_t count = 6 * tree->count;
	s->leafCount = s->blockCount = s->edgeCount = 0;
	s->stillMargin = -1.0;
	s->hasStillWays = false;
	if (count == 0)
		return true;
	Part* parts = PL_NEW(heap, Part, count);
	bool fine = parts != NULL && prepare(s, tree, owner, parts, heap);
	PL_FREE(heap, parts, count);
	if (!fine)
		s->leafCount = s->blockCount = s->edgeCount = 0;
	return fine;
}

void plNearLeaves_Destroy(plNearLeaves* s, plHeap* heap)
{
	PL_FREE(heap, s->leaves, s->leafRoom);
	PL_FREE(heap, s->blocks, s->blockRoom);
	PL_FREE(heap, s->boxes, s->boxRoom);
	PL_FREE(heap, s->ways, s->wayRoom);
	PL_FREE(heap, s->edges, s->edgeRoom);
	PL_FREE(heap, s->faces, s->faceRoom);
	*s = (plNearLeaves){0};
}

// ---- boxes ----------------------------------------------------------------------------------------------------------

typedef struct Fit
{
	const plNearBlock* blocks;
	plTriangleNode* boxes;
	const double* vertices; // by quads
	double scale, margin;
} Fit;

static void fitLane(plTriangleNode* box, size_t lane, const double* a, const double* b, const Fit* fit)
{
	for (size_t i = 0; i < 3; ++i)
	{
		double x = fit->scale * a[i], y = fit->scale * b[i];
		box->low[i][lane] = (float)(plMin(x, y) - fit->margin);
		box->high[i][lane] = (float)(plMax(x, y) + fit->margin);
	}
}

static void fitBlocks(size_t begin, size_t end, void* context)
{
	const Fit* fit = context;
	for (size_t b = begin; b < end; ++b)
		for (size_t lane = 0; lane < pl_treeWidth; ++lane)
		{
			const uint32_t* ends = fit->blocks[b].ends[lane];
			if (ends[0] != plNearBlock_none)
				fitLane(fit->boxes + b, lane, PL_AT(fit->vertices, ends[0]), PL_AT(fit->vertices, ends[1]), fit);
			else
				plTriangleNode_ClearLane(fit->boxes + b, lane);
		}
}

// Wider than now needed, so that they last while the size of the tree changes a little. Wider boxes only give
// candidates that are measured for nothing.
static void fitStanding(plNearLeaves* s, size_t moving, const Fit* fit, double margin, plPool* pool)
{
	Fit standing = {s->blocks + moving, s->boxes + moving, fit->vertices, 1.0, margin};
	plParallelFor(pool, s->blockCount - moving, blockGrain, fitBlocks, &standing);
	s->stillMargin = margin;
}

// Comparisons add four floats of which two are rounded; none is larger than the size of the tree and of its ways.
void plNearLeaves_Refit(plNearLeaves* s, const plTriangleTree* tree, const double* places, const double* ways,
                        double scale, double margin, plPool* pool)
{
	double rounding = 0x1p-21 * plTriangleTree_GetSize(tree);
	size_t asking = plTriangleTree_CountAsking(tree);
	size_t moving = asking < s->leafCount ? s->leaves[asking].firstVertices : s->blockCount;
	bool standsFitted = margin + rounding <= s->stillMargin && s->stillStamp == tree->stillStamp;
	Fit fit = {s->blocks, s->boxes, places, 1.0, margin + rounding};
	plParallelFor(pool, moving, blockGrain, fitBlocks, &fit);
	if (!standsFitted)
		fitStanding(s, moving, &fit, margin + 2.0 * rounding, pool);
	s->hasStillWays = s->hasStillWays && s->stillStamp == tree->stillStamp;
	s->stillStamp = tree->stillStamp;
	if (ways == NULL)
		return;
	fit = (Fit){s->blocks, s->ways, ways, scale, 0.0};
	plParallelFor(pool, moving, blockGrain, fitBlocks, &fit);
	if (!s->hasStillWays)
		plParallelFor(pool, s->blockCount, blockGrain, fitBlocks, &fit);
	s->hasStillWays = true;
}
