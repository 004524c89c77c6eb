// graph.c: both triangles of a pattern, and the nodes that cannot be told apart
//
// Two unknowns are indistinguishable if they are neighbours and have the same neighbours otherwise: adj(i) + {i} =
// adj(j) + {j}. A hash of that set finds candidates, a comparison decides. Reference for compressing before ordering:
// C. Ashcraft, Compressed graphs and the minimum degree algorithm, SIAM J. Sci. Comput. 16(6), 1995.
#include "graph.h"

#define NONE UINT32_MAX

bool plGraph_Allocate(plGraph* graph, size_t n, size_t entries, plHeap* heap)
{
	*graph = (plGraph){.n = n, .entries = entries};
	graph->start = PL_NEW(heap, size_t, n + 1);
	graph->adjacent = PL_NEW(heap, uint32_t, entries);
	graph->weight = PL_NEW(heap, uint32_t, n);
	if (graph->start && (graph->adjacent || entries == 0) && (graph->weight || n == 0))
		return true;
	plGraph_Destroy(graph, heap);
	return false;
}

void plGraph_Destroy(plGraph* graph, plHeap* heap)
{
	PL_FREE(heap, graph->weight, graph->n);
	PL_FREE(heap, graph->adjacent, graph->entries);
	PL_FREE(heap, graph->start, graph->n + 1);
	*graph = (plGraph){0};
}

// Both triangles. Columns come in ascending order, so every list is filled in ascending order.
bool plGraph_Mirror(plGraph* full, size_t n, const size_t* start, const uint32_t* rows, plHeap* heap)
{
	if (!plGraph_Allocate(full, n, 2 * (start[n] - n), heap))
		return false;
	size_t* next = full->start;
	memset(next, 0, (n + 1) * sizeof *next);
	for (size_t j = 0; j < n; ++j)
	{
		for (size_t k = start[j] + 1; k < start[j + 1]; ++k)
		{
			next[j + 1]++;
			next[rows[k] + 1]++;
		}
	}
	for (size_t j = 0; j < n; ++j)
		next[j + 1] += next[j];
	for (size_t j = 0; j < n; ++j)
	{
		for (size_t k = start[j] + 1; k < start[j + 1]; ++k)
		{
			full->adjacent[next[j]++] = rows[k];
			full->adjacent[next[rows[k]]++] = (uint32_t)j;
		}
	}
	// Every next[j] stands at the start of j + 1 now.
	for (size_t j = n; j > 0; --j)
		next[j] = next[j - 1];
	next[0] = 0;
	for (size_t j = 0; j < n; ++j)
		full->weight[j] = 1;
	return true;
}

static uint64_t hashClosed(const plGraph* g, size_t i)
{
	uint64_t sum = (i + 1) * 0x9e3779b97f4a7c15ull;
	for (size_t k = g->start[i]; k < g->start[i + 1]; ++k)
		sum += (g->adjacent[k] + 1ull) * 0x9e3779b97f4a7c15ull;
	return sum ^ (sum >> 29);
}

// adj(i) + {i} == adj(j) + {j}: each list without the other node, compared in step.
static bool sameClosed(const plGraph* g, uint32_t i, uint32_t j)
{
	size_t a = g->start[i], aEnd = g->start[i + 1], b = g->start[j], bEnd = g->start[j + 1];
	if (aEnd - a != bEnd - b)
		return false;
	bool neighbours = false;
	while (a < aEnd || b < bEnd)
	{
		if (a < aEnd && g->adjacent[a] == j)
		{
			neighbours = true;
			a++;
			continue;
		}
		if (b < bEnd && g->adjacent[b] == i)
		{
			b++;
			continue;
		}
		if (a == aEnd || b == bEnd || g->adjacent[a] != g->adjacent[b])
			return false;
		a++;
		b++;
	}
	return neighbours;
}

// node[u] for every unknown, from chains of the first unknowns of nodes with the same hash. Returns the node count.
static size_t findNodes(const plGraph* full, uint32_t* node, uint32_t* first, uint32_t* head, uint32_t* next)
{
	size_t nodes = 0, n = full->n;
	for (size_t i = 0; i < n; ++i)
		head[i] = NONE;
	for (uint32_t i = 0; i < n; ++i)
	{
		size_t bucket = hashClosed(full, i) % n;
		uint32_t twin = head[bucket];
		while (twin != NONE && !sameClosed(full, first[twin], i))
			twin = next[twin];
		if (twin == NONE)
		{
			twin = (uint32_t)nodes++;
			first[twin] = i;
			next[twin] = head[bucket];
			head[bucket] = twin;
		}
		node[i] = twin;
	}
	return nodes;
}

// Lists of the nodes: of the first unknown's neighbours those that are the first of another node.
static plResult contract(plGraph* graph, const plGraph* full, const uint32_t* node, const uint32_t* first, size_t nodes,
                         plHeap* heap)
{
	size_t entries = 0;
	for (int fill = 0; fill < 2; ++fill)
	{
		if (fill && !plGraph_Allocate(graph, nodes, entries, heap))
			return pl_errorMemory;
		entries = 0;
		for (size_t v = 0; v < nodes; ++v)
		{
			if (fill)
				graph->start[v] = entries;
			for (size_t k = full->start[first[v]]; k < full->start[first[v] + 1]; ++k)
			{
				uint32_t u = full->adjacent[k];
				if (first[node[u]] != u || node[u] == v)
					continue;
				if (fill)
					graph->adjacent[entries] = node[u];
				entries++;
			}
		}
	}
	graph->start[nodes] = entries;
	memset(graph->weight, 0, nodes * sizeof *graph->weight);
	for (size_t u = 0; u < full->n; ++u)
		graph->weight[node[u]]++;
	return pl_success;
}

plResult plGraph_Compress(plGraph* graph, uint32_t* node, size_t n, const size_t* start, const uint32_t* rows,
                          plHeap* heap)
{
	*graph = (plGraph){0};
	plResult result = pl_errorMemory;
	plGraph full = {0};
	uint32_t* first = PL_NEW(heap, uint32_t, n);
	uint32_t* head = PL_NEW(heap, uint32_t, n);
	uint32_t* next = PL_NEW(heap, uint32_t, n);
	if (!first || !head || !next || !plGraph_Mirror(&full, n, start, rows, heap))
		goto done;
	size_t nodes = findNodes(&full, node, first, head, next);
	result = contract(graph, &full, node, first, nodes, heap);
done:
	plGraph_Destroy(&full, heap);
	PL_FREE(heap, next, n);
	PL_FREE(heap, head, n);
	PL_FREE(heap, first, n);
	return result;
}
