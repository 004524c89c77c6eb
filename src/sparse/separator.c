// separator.c: multilevel search for a vertex separator
//
//   coarsen   nodes are matched along heavy edges and merged, until few are left
//   start     on the coarsest graph half the weight is grown from several nodes; the border is the separator
//   refine    going back level by level, refine.c improves the separator
//
// Reference: G. Karypis, V. Kumar, A fast and high quality multilevel scheme for partitioning irregular graphs, SIAM J.
// Sci. Comput. 20(1), 1998. The order of matching comes from a generator with a fixed seed, so results repeat.
#include "separator.h"

#define NONE UINT32_MAX

enum
{
	coarsest = 80, // nodes at which coarsening ends
	starts = 10,   // separators tried there
	mostLevels = 64,
};

static uint32_t draw(uint64_t* state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(*state >> 33);
}

size_t plCut_GetMost(size_t total)
{
	return total / 2 + total / 10 + 1;
}

// ---- coarsening ---------------------------------------------------------------------------------------------------

// coarse[v] of every node: along the heaviest edge to a node that is free and not too heavy. Returns the node count.
static size_t match(const plWeightedGraph* g, uint32_t* coarse, uint32_t* visit, size_t heaviest)
{
	uint64_t seed = 0x5eed + g->n;
	for (uint32_t v = 0; v < g->n; ++v)
	{
		visit[v] = v;
		coarse[v] = NONE;
	}
	for (size_t i = g->n; i > 1; --i)
	{
		size_t j = draw(&seed) % i;
		uint32_t swap = visit[j];
		visit[j] = visit[i - 1];
		visit[i - 1] = swap;
	}
	size_t count = 0;
	for (size_t i = 0; i < g->n; ++i)
	{
		uint32_t v = visit[i], mate = v, edge = 0;
		if (coarse[v] != NONE)
			continue;
		for (size_t k = g->start[v]; k < g->start[v + 1]; ++k)
		{
			uint32_t u = g->adjacent[k];
			if (coarse[u] != NONE || g->edge[k] <= edge || (size_t)g->weight[u] + g->weight[v] > heaviest)
				continue;
			mate = u;
			edge = g->edge[k];
		}
		coarse[v] = coarse[mate] = (uint32_t)count++;
	}
	return count;
}

// Edges of node v of the fine graph to the coarse graph's node c; seen[x] is the place of the edge c - x.
static size_t addEdges(plWeightedGraph* to, const plWeightedGraph* from, const uint32_t* coarse, size_t* seen,
                       uint32_t v, size_t end)
{
	uint32_t c = coarse[v];
	for (size_t k = from->start[v]; k < from->start[v + 1]; ++k)
	{
		uint32_t x = coarse[from->adjacent[k]];
		if (x == c)
			continue;
		if (seen[x] < to->start[c] || seen[x] >= end || to->adjacent[seen[x]] != x)
		{
			seen[x] = end;
			to->adjacent[end] = x;
			to->edge[end++] = 0;
		}
		to->edge[seen[x]] += from->edge[k];
	}
	return end;
}

static bool allocateGraph(plWeightedGraph* g, size_t n, size_t entries, plArena* arena)
{
	g->n = n;
	g->start = plArena_Allocate(arena, (n + 1) * sizeof *g->start);
	g->adjacent = plArena_Allocate(arena, (entries + 1) * sizeof *g->adjacent);
	g->edge = plArena_Allocate(arena, (entries + 1) * sizeof *g->edge);
	g->weight = plArena_Allocate(arena, (n + 1) * sizeof *g->weight);
	return g->start && g->adjacent && g->edge && g->weight;
}

static bool contract(plWeightedGraph* to, const plWeightedGraph* from, const uint32_t* coarse, size_t n, plArena* arena)
{
	if (!allocateGraph(to, n, from->start[from->n], arena))
		return false;
	plArenaMark mark = plArena_Mark(arena);
	size_t* seen = plArena_Allocate(arena, n * sizeof *seen);
	uint32_t* member = plArena_Allocate(arena, 2 * n * sizeof *member);
	if (!seen || !member)
		return false;
	memset(seen, 0, n * sizeof *seen);
	for (size_t c = 0; c < 2 * n; ++c)
		member[c] = NONE;
	for (uint32_t v = 0; v < from->n; ++v)
		member[2 * coarse[v] + (member[2 * coarse[v]] != NONE)] = v;
	size_t end = 0;
	for (size_t c = 0; c < n; ++c)
	{
		to->start[c] = end;
		to->weight[c] = 0;
		for (size_t m = 2 * c; m < 2 * c + 2 && member[m] != NONE; ++m)
		{
			to->weight[c] += from->weight[member[m]];
			end = addEdges(to, from, coarse, seen, member[m], end);
		}
	}
	to->start[n] = end;
	to->total = from->total;
	plArena_Release(arena, mark);
	return true;
}

// ---- the coarsest graph -------------------------------------------------------------------------------------------

static void weigh(plCut* cut, const plWeightedGraph* g)
{
	memset(cut->weight, 0, sizeof cut->weight);
	for (size_t v = 0; v < g->n; ++v)
		cut->weight[cut->side[v]] += g->weight[v];
}

// Half the weight in breadth-first order from `seed`; the nodes outside that touch it are the separator.
static void grow(plCut* cut, const plWeightedGraph* g, uint32_t seed, uint32_t* queue)
{
	memset(cut->side, pl_sideSecond, g->n);
	size_t head = 0, tail = 0, weight = 0;
	for (uint32_t next = 0; 2 * weight < g->total;)
	{
		if (head == tail)
		{
			// The piece is used up: on with the seed, then with the first node outside.
			uint32_t v = tail == 0 ? seed : next++;
			if (cut->side[v] == pl_sideFirst)
				continue;
			cut->side[v] = pl_sideFirst;
			queue[tail++] = v;
		}
		uint32_t v = queue[head++];
		weight += g->weight[v];
		for (size_t k = g->start[v]; k < g->start[v + 1]; ++k)
		{
			uint32_t u = g->adjacent[k];
			if (cut->side[u] == pl_sideFirst)
				continue;
			cut->side[u] = pl_sideFirst;
			queue[tail++] = u;
		}
	}
	// What was reached but not taken in is the border.
	for (; head < tail; ++head)
		cut->side[queue[head]] = pl_sideSeparator;
	weigh(cut, g);
}

static bool startCut(plCut* cut, const plWeightedGraph* g, size_t most, plArena* arena)
{
	plArenaMark mark = plArena_Mark(arena);
	plCut trial = {.side = plArena_Allocate(arena, g->n)};
	uint32_t* queue = plArena_Allocate(arena, g->n * sizeof *queue);
	bool ok = trial.side && queue;
	uint64_t seed = 0xc07;
	for (int t = 0; ok && t < starts; ++t)
	{
		grow(&trial, g, (uint32_t)(draw(&seed) % g->n), queue);
		ok = plCut_Refine(&trial, g, most, arena);
		if (!ok || (t > 0 && !plCut_IsBetter(&trial, cut, most)))
			continue;
		memcpy(cut->side, trial.side, g->n);
		memcpy(cut->weight, trial.weight, sizeof cut->weight);
	}
	plArena_Release(arena, mark);
	return ok;
}

// ---- all levels ---------------------------------------------------------------------------------------------------

bool plFindSeparator(plCut* cut, const plWeightedGraph* graph, plArena* arena)
{
	plArenaMark mark = plArena_Mark(arena);
	plWeightedGraph level[mostLevels];
	uint32_t* coarse[mostLevels];
	size_t most = plCut_GetMost(graph->total), levels = 1;
	size_t heaviest = 1 + 3 * graph->total / (2 * coarsest);
	bool ok = true;
	level[0] = *graph;
	while (ok && levels < mostLevels && level[levels - 1].n > coarsest)
	{
		const plWeightedGraph* fine = &level[levels - 1];
		coarse[levels - 1] = plArena_Allocate(arena, fine->n * sizeof(uint32_t));
		uint32_t* visit = plArena_Allocate(arena, fine->n * sizeof *visit);
		ok = coarse[levels - 1] && visit;
		size_t n = ok ? match(fine, coarse[levels - 1], visit, heaviest) : 0;
		if (!ok || 20 * n > 19 * fine->n)
			break;
		ok = contract(&level[levels], fine, coarse[levels - 1], n, arena);
		levels++;
	}
	plCut now = {.side = ok ? plArena_Allocate(arena, level[levels - 1].n) : NULL};
	ok = ok && now.side && startCut(&now, &level[levels - 1], most, arena);
	for (size_t l = levels - 1; ok && l-- > 0;)
	{
		plCut fine = {.side = plArena_Allocate(arena, level[l].n)};
		ok = fine.side != NULL;
		for (size_t v = 0; ok && v < level[l].n; ++v)
			fine.side[v] = now.side[coarse[l][v]];
		now = fine;
		if (!ok)
			break;
		weigh(&now, &level[l]);
		ok = plCut_Refine(&now, &level[l], most, arena);
	}
	if (ok)
	{
		memcpy(cut->side, now.side, graph->n);
		memcpy(cut->weight, now.weight, sizeof cut->weight);
	}
	plArena_Release(arena, mark);
	return ok;
}
