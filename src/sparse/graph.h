// graph.h: the graph of a symmetric pattern, compressed, and its fill-reducing orderings
//
//   node i meets adjacent[start[i] .. start[i+1]-1], ascending, without itself; both directions are stored
//
// Unknowns with the same closed neighbourhood (the three axes of a vertex) are one node whose weight counts them: they
// can be eliminated one after the other without new fill, so orderings and analysis work on a third of the unknowns.
#ifndef PL_GRAPH_H
#define PL_GRAPH_H

#include "../base/base.h"

typedef struct plGraph
{
	size_t n;
	size_t entries;
	size_t* start;      // [n + 1]
	uint32_t* adjacent; // [entries]
	uint32_t* weight;   // [n]
} plGraph;

// Allocates all arrays; false: no memory, nothing held.
bool plGraph_Allocate(plGraph* graph, size_t n, size_t entries, plHeap* heap);
void plGraph_Destroy(plGraph* graph, plHeap* heap);

// Graph of a pattern as in factor.h, a node per unknown, all weights 1; false: no memory, nothing held.
bool plGraph_Mirror(plGraph* graph, size_t n, const size_t* start, const uint32_t* rows, plHeap* heap);

// Compressed graph of a pattern as in factor.h; node[u] is the node of unknown u. Nodes are numbered by their first
// unknown. pl_success or pl_errorMemory.
plResult plGraph_Compress(plGraph* graph, uint32_t* node, size_t n, const size_t* start, const uint32_t* rows,
                          plHeap* heap);

// order[k] is the node to eliminate k-th. pl_success or pl_errorMemory. Minimum degree orders the nodes below `inner`;
// the others are a border that is eliminated later.
plResult plGraph_OrderMinimumDegree(const plGraph* graph, size_t inner, uint32_t* order, plHeap* heap);
plResult plGraph_OrderDissection(const plGraph* graph, uint32_t* order, plHeap* heap);

#endif
