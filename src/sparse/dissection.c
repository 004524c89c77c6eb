// dissection.c: nested dissection ordering
//
// A separator of the graph is eliminated last, after the two halves that it leaves. These are ordered in the same way.
// Pieces of at most `leafNodes` nodes are ordered by minimum degree, with the separators around them as a border.
// Eliminating one half never fills in the other. For meshes in three dimensions this gives about half the work of
// minimum degree alone.
//
// References: A. George, Nested dissection of a regular finite element mesh, SIAM J. Numer. Anal. 10(2), 1973; B.
// Hendrickson, E. Rothberg, Improving the run time and quality of nested dissection ordering, SIAM J. Sci. Comput.
// 20(2), 1998 (minimum degree below).
#include "graph.h"

#include "separator.h"

#define NONE UINT32_MAX

enum
{
	leafNodes = 120,
};

// order[begin .. end-1] are the nodes of a piece, to be put in the order of elimination.
typedef struct Piece
{
	size_t begin;
	size_t end;
} Piece;

typedef struct Dissection
{
	const plGraph* graph;
	uint32_t* order;
	uint32_t* local; // [n] number of a node within its piece; NONE: not in the piece
	plArena arena;
	plHeap* heap;
	plArray pieces; // Piece, still to be ordered
} Dissection;

static size_t countEntries(const Dissection* d, Piece piece)
{
	size_t entries = 0;
	for (size_t i = piece.begin; i < piece.end; ++i)
		entries += d->graph->start[d->order[i] + 1] - d->graph->start[d->order[i]];
	return entries;
}

static void enterPiece(Dissection* d, Piece piece)
{
	for (size_t i = piece.begin; i < piece.end; ++i)
		d->local[d->order[i]] = (uint32_t)(i - piece.begin);
}

static void leavePiece(Dissection* d, Piece piece)
{
	for (size_t i = piece.begin; i < piece.end; ++i)
		d->local[d->order[i]] = NONE;
}

// Numbers the neighbours of a piece from n on, and lists them. Returns their number.
static size_t enterBorder(Dissection* d, Piece piece, uint32_t* border)
{
	size_t n = piece.end - piece.begin, count = 0;
	for (size_t i = piece.begin; i < piece.end; ++i)
	{
		uint32_t node = d->order[i];
		for (size_t k = d->graph->start[node]; k < d->graph->start[node + 1]; ++k)
		{
			uint32_t u = d->graph->adjacent[k];
			if (d->local[u] != NONE)
				continue;
			d->local[u] = (uint32_t)(n + count);
			border[count++] = u;
		}
	}
	return count;
}

// The piece with its border, whose nodes meet the piece only.
static bool extractLeaf(Dissection* d, Piece piece, plGraph* sub, const uint32_t* border, size_t borderCount)
{
	size_t n = piece.end - piece.begin, entries = 0;
	if (!plGraph_Allocate(sub, n + borderCount, 2 * countEntries(d, piece), d->heap))
		return false;
	for (size_t i = 0; i < n + borderCount; ++i)
	{
		uint32_t node = i < n ? d->order[piece.begin + i] : border[i - n];
		sub->start[i] = entries;
		sub->weight[i] = d->graph->weight[node];
		for (size_t k = d->graph->start[node]; k < d->graph->start[node + 1]; ++k)
		{
			uint32_t u = d->local[d->graph->adjacent[k]];
			if (u != NONE && (i < n || u < n))
				sub->adjacent[entries++] = u;
		}
	}
	sub->start[n + borderCount] = entries;
	return true;
}

static plResult orderLeaf(Dissection* d, Piece piece)
{
	size_t n = piece.end - piece.begin;
	uint32_t* border = plArena_Allocate(&d->arena, (countEntries(d, piece) + 1) * sizeof *border);
	uint32_t* order = plArena_Allocate(&d->arena, n * sizeof *order);
	uint32_t* nodes = plArena_Allocate(&d->arena, n * sizeof *nodes);
	if (!border || !order || !nodes)
		return pl_errorMemory;
	plGraph sub;
	size_t borderCount = enterBorder(d, piece, border);
	bool ok = extractLeaf(d, piece, &sub, border, borderCount);
	for (size_t k = 0; k < borderCount; ++k)
		d->local[border[k]] = NONE;
	if (!ok)
		return pl_errorMemory;
	plResult result = plGraph_OrderMinimumDegree(&sub, n, order, d->heap);
	if (result == pl_success)
	{
		memcpy(nodes, d->order + piece.begin, n * sizeof *nodes);
		for (size_t i = 0; i < n; ++i)
			d->order[piece.begin + i] = nodes[order[i]];
	}
	plGraph_Destroy(&sub, d->heap);
	return result;
}

static bool extract(Dissection* d, Piece piece, plWeightedGraph* g)
{
	size_t n = piece.end - piece.begin, entries = countEntries(d, piece);
	*g = (plWeightedGraph){.n = n};
	g->start = plArena_Allocate(&d->arena, (n + 1) * sizeof *g->start);
	g->adjacent = plArena_Allocate(&d->arena, (entries + 1) * sizeof *g->adjacent);
	g->edge = plArena_Allocate(&d->arena, (entries + 1) * sizeof *g->edge);
	g->weight = plArena_Allocate(&d->arena, n * sizeof *g->weight);
	if (!g->start || !g->adjacent || !g->edge || !g->weight)
		return false;
	size_t count = 0;
	for (size_t i = 0; i < n; ++i)
	{
		uint32_t node = d->order[piece.begin + i];
		g->start[i] = count;
		g->weight[i] = d->graph->weight[node];
		g->total += g->weight[i];
		for (size_t k = d->graph->start[node]; k < d->graph->start[node + 1]; ++k)
		{
			uint32_t u = d->local[d->graph->adjacent[k]];
			if (u == NONE)
				continue;
			g->adjacent[count] = u;
			g->edge[count++] = 1;
		}
	}
	g->start[n] = count;
	return true;
}

// Sorts the piece into first side, second side, separator (each in its present order) and pushes the sides.
static bool split(Dissection* d, Piece piece, const uint8_t* side)
{
	size_t n = piece.end - piece.begin, count[4] = {0};
	uint32_t* nodes = plArena_Allocate(&d->arena, n * sizeof *nodes);
	if (!nodes)
		return false;
	memcpy(nodes, d->order + piece.begin, n * sizeof *nodes);
	for (size_t i = 0; i < n; ++i)
		count[side[i] + 1]++;
	size_t next[3] = {piece.begin, piece.begin + count[1], piece.begin + count[1] + count[2]};
	Piece sides[2] = {{next[0], next[1]}, {next[1], next[2]}};
	for (size_t i = 0; i < n; ++i)
		d->order[next[side[i]]++] = nodes[i];
	for (int s = 0; s < 2; ++s)
	{
		Piece* pushed = plArray_Push(&d->pieces, d->heap, sizeof *pushed);
		if (!pushed)
			return false;
		*pushed = sides[s];
	}
	return true;
}

// side[] of a useful separator: sides within bounds, and itself less than two thirds (a dense piece has none).
static plResult findSides(Dissection* d, Piece piece, uint8_t** side)
{
	plWeightedGraph g;
	plCut cut = {.side = plArena_Allocate(&d->arena, piece.end - piece.begin)};
	*side = NULL;
	if (!cut.side || !extract(d, piece, &g) || !plFindSeparator(&cut, &g, &d->arena))
		return pl_errorMemory;
	size_t heavy = cut.weight[0] > cut.weight[1] ? cut.weight[0] : cut.weight[1];
	if (heavy <= plCut_GetMost(g.total) && 3 * cut.weight[2] < 2 * g.total)
		*side = cut.side;
	return pl_success;
}

// Splits a piece, or orders it if it is small or has no useful separator. Leaves the arena as it comes.
static plResult orderPiece(Dissection* d, Piece piece)
{
	uint8_t* side = NULL;
	plResult result = pl_success;
	enterPiece(d, piece);
	if (piece.end - piece.begin > leafNodes)
		result = findSides(d, piece, &side);
	if (result == pl_success && !side)
		result = orderLeaf(d, piece);
	leavePiece(d, piece);
	if (result == pl_success && side)
		result = split(d, piece, side) ? pl_success : pl_errorMemory;
	return result;
}

plResult plGraph_OrderDissection(const plGraph* graph, uint32_t* order, plHeap* heap)
{
	Dissection d = {.graph = graph, .order = order, .heap = heap};
	plArena_Init(&d.arena, heap);
	d.local = PL_NEW(heap, uint32_t, graph->n);
	Piece* all = plArray_Push(&d.pieces, heap, sizeof *all);
	plResult result = (d.local || graph->n == 0) && all ? pl_success : pl_errorMemory;
	if (result == pl_success)
	{
		*all = (Piece){0, graph->n};
		for (uint32_t i = 0; i < graph->n; ++i)
		{
			order[i] = i;
			d.local[i] = NONE;
		}
	}
	while (result == pl_success && d.pieces.count > 0)
	{
		result = orderPiece(&d, ((Piece*)d.pieces.data)[--d.pieces.count]);
		if (!plArena_Reset(&d.arena))
			result = pl_errorMemory;
	}
	plArray_Free(&d.pieces, heap, sizeof(Piece));
	PL_FREE(heap, d.local, graph->n);
	plArena_Destroy(&d.arena);
	return result;
}
