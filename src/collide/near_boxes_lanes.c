// near_boxes_lanes.c: which vertices and triangles, and which edges, of two leaves may be near each other
//
// Boxes are wider by half the reach each. What has a vertex in common is no candidate. What a leaf owns is compared
// with the box of all of the other leaf first.
#if PL_REAL_FLOAT && PL_LANES > 1

#include "near_kernels.h"

#include "box_lanes.h"

KERNEL ireal loadNumbers(const uint32_t* from)
{
	ireal a;
	memcpy(&a, from, sizeof a);
	return a;
}

// Bit k: one of the eight numbers k of the rows is a
KERNEL unsigned findEqual(const uint32_t* const* rows, int count, uint32_t a)
{
	unsigned bits = 0;
	for (int part = 0; part < BOX_PARTS; ++part)
	{
		mask equal = numberInAllLanes(0);
		for (int r = 0; r < count; ++r)
			equal = MASK_OR(equal, loadNumbers(rows[r] + part * PL_LANES) == numberInAllLanes((integer)a));
		bits |= (unsigned)SIGNS(equal) << (part * PL_LANES);
	}
	return bits;
}

// The box of all of a leaf stands in the node above; the root is a leaf of its own
KERNEL boxQuery queryOfLeaf(const plTriangleTree* tree, size_t leaf, bool moves)
{
	size_t above = tree->levelStart[1] + leaf / pl_treeWidth;
	return queryOfLane(tree->nodes + above, moves ? tree->wayNodes + above : NULL, leaf % pl_treeWidth);
}

// ---- vertices and triangles -----------------------------------------------------------------------------------------

KERNEL void addFaces(const plTriangleTree* tree, const plNearLeaf* leaf, size_t number, uint32_t vertex, unsigned hits,
                     plNearBatch* batch)
{
	for (; hits != 0; hits &= hits - 1)
	{
		size_t lane = (size_t)__builtin_ctz(hits), c = batch->count++;
		batch->corners[c][0] = vertex;
		memcpy(batch->corners[c] + 1, tree->corners + 3 * (pl_treeWidth * number + lane), 3 * sizeof(uint32_t));
		batch->sides[c][0] = vertex;
		batch->sides[c][1] = leaf->rank[lane];
	}
}

// Vertices of leaf a and triangles of leaf b
KERNEL void compareCorners(const plTriangleTree* tree, const plNearLeaves* s, size_t a, size_t b, bool moves,
                           plNearBatch* batch)
{
	const plTriangleNode *triangles = tree->nodes + b, *ways = moves ? tree->wayNodes + b : NULL;
	const uint32_t* rows[3] = {s->leaves[b].corners[0], s->leaves[b].corners[1], s->leaves[b].corners[2]};
	bool all = a == b;
	boxQuery leaf;
	if (!all)
		leaf = queryOfLeaf(tree, b, moves);
	for (size_t block = s->leaves[a].firstVertices; block < s->leaves[a].firstEdges; ++block)
	{
		const plTriangleNode* way = moves ? s->ways + block : NULL;
		unsigned lanes = all ? 255u : findOverlaps(s->boxes + block, way, &leaf);
		for (; lanes != 0; lanes &= lanes - 1)
		{
			size_t lane = (size_t)__builtin_ctz(lanes);
			uint32_t vertex = s->blocks[block].low[lane];
			boxQuery q = queryOfLane(s->boxes + block, way, lane);
			unsigned hits = findOverlaps(triangles, ways, &q);
			if (hits != 0)
				addFaces(tree, s->leaves + b, b, vertex, hits & ~findEqual(rows, 3, vertex), batch);
		}
	}
}

KERNEL void compareFaces(const plTriangleTree* tree, const plNearLeaves* s, size_t a, size_t b, bool moves,
                         plNearBatch* batch)
{
	compareCorners(tree, s, a, b, moves, batch);
	if (a != b)
		compareCorners(tree, s, b, a, moves, batch);
}

static void findFaces(const plTriangleTree* tree, const plNearLeaves* s, size_t a, size_t b, plNearBatch* batch)
{
	if (tree->moves)
		compareFaces(tree, s, a, b, true, batch);
	else
		compareFaces(tree, s, a, b, false, batch);
}

// ---- edges ----------------------------------------------------------------------------------------------------------

// The edge of the lower rank comes first.
KERNEL void addEdges(const plNearBlock* block, const plNearBlock* own, size_t ownLane, unsigned hits,
                     plNearBatch* batch)
{
	uint32_t rank = own->rank[ownLane];
	for (; hits != 0; hits &= hits - 1)
	{
		size_t lane = (size_t)__builtin_ctz(hits), c = batch->count++;
		size_t place = rank > block->rank[lane]; // of the edge of leaf a; a branch would be wrong half of the time
		memcpy(batch->corners[c] + 2 * place, own->ends[ownLane], 2 * sizeof(uint32_t));
		memcpy(batch->corners[c] + 2 * (1 - place), block->ends[lane], 2 * sizeof(uint32_t));
		batch->sides[c][place] = rank;
		batch->sides[c][1 - place] = block->rank[lane];
	}
}

// Lanes of edges of leaf a that may be near leaf b, block by block; all of them if it is the same leaf
KERNEL unsigned findNearLeaf(const plTriangleTree* tree, const plNearLeaves* s, size_t a, size_t b, bool moves,
                             unsigned lanes[3])
{
	unsigned any = 0;
	size_t first = s->leaves[a].firstEdges;
	boxQuery leaf;
	if (a != b)
		leaf = queryOfLeaf(tree, b, moves);
	for (size_t block = first; block < s->leaves[a].end; ++block)
		any |= lanes[block - first] =
		    a == b ? 255u : findOverlaps(s->boxes + block, moves ? s->ways + block : NULL, &leaf);
	return any;
}

// An edge of leaf a, in `block`, and those of leaf b; of one leaf those behind it
KERNEL void compareEdge(const plNearLeaves* s, size_t block, size_t lane, size_t b, const unsigned near[3], bool moves,
                        plNearBatch* batch)
{
	const plNearBlock* own = s->blocks + block;
	const uint32_t* edge = own->ends[lane];
	boxQuery q = queryOfLane(s->boxes + block, moves ? s->ways + block : NULL, lane);
	size_t first = s->leaves[b].firstEdges, from = block > first && block < s->leaves[b].end ? block : first;
	for (size_t other = from; other < s->leaves[b].end; ++other)
	{
		if (near[other - first] == 0)
			continue;
		unsigned hits = findOverlaps(s->boxes + other, moves ? s->ways + other : NULL, &q);
		hits &= other == block ? ~0u << lane << 1 : ~0u;
		if (hits == 0)
			continue;
		const uint32_t* rows[2] = {s->blocks[other].low, s->blocks[other].high};
		hits &= ~(findEqual(rows, 2, edge[0]) | findEqual(rows, 2, edge[1]));
		addEdges(s->blocks + other, own, lane, hits, batch);
	}
}

KERNEL void compareEdges(const plTriangleTree* tree, const plNearLeaves* s, size_t a, size_t b, bool moves,
                         plNearBatch* batch)
{
	unsigned lanesA[3], lanesB[3];
	size_t first = s->leaves[a].firstEdges;
	if (findNearLeaf(tree, s, a, b, moves, lanesA) == 0 || findNearLeaf(tree, s, b, a, moves, lanesB) == 0)
		return;
	for (size_t block = first; block < s->leaves[a].end; ++block)
		for (unsigned lanes = lanesA[block - first]; lanes != 0; lanes &= lanes - 1)
			compareEdge(s, block, (size_t)__builtin_ctz(lanes), b, lanesB, moves, batch);
}

static void findEdges(const plTriangleTree* tree, const plNearLeaves* s, size_t a, size_t b, plNearBatch* batch)
{
	if (tree->moves)
		compareEdges(tree, s, a, b, true, batch);
	else
		compareEdges(tree, s, a, b, false, batch);
}

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define QUOTE_(a) #a
#define QUOTE(a) QUOTE_(a)

extern const plNearBoxKernels PASTE(plNearBoxKernels_, PL_ISA);
const plNearBoxKernels PASTE(plNearBoxKernels_, PL_ISA) = {QUOTE(PL_ISA), findFaces, findEdges};

#else

typedef int plNearBoxesAreFloats; // a file must declare something

#endif
