// separator.h: a small set of nodes whose removal leaves two halves that do not meet
#ifndef PL_SEPARATOR_H
#define PL_SEPARATOR_H

#include "../base/base.h"

// A graph whose edges have weights too; one level of a hierarchy.
typedef struct plWeightedGraph
{
	size_t n;
	size_t* start;      // [n + 1]
	uint32_t* adjacent; // [start[n]], both directions
	uint32_t* edge;     // [start[n]] weight of that edge
	uint32_t* weight;   // [n]
	size_t total;       // sum of weight
} plWeightedGraph;

enum
{
	pl_sideFirst = 0,
	pl_sideSecond = 1,
	pl_sideSeparator = 2,
};

typedef struct plCut
{
	uint8_t* side;    // [n]
	size_t weight[3]; // of each side
} plCut;

// Moves nodes between the separator and the sides to make the separator lighter and the sides even. The heavier side
// stays below `most`, or comes closer to it if it was above. False: no memory.
bool plCut_Refine(plCut* cut, const plWeightedGraph* graph, size_t most, plArena* arena);

// Is `a` better than `b`: within `most` first, then the lighter separator, then the more even sides.
bool plCut_IsBetter(const plCut* a, const plCut* b, size_t most);

// Heaviest side that a separator of a graph of this weight may leave.
size_t plCut_GetMost(size_t total);

// Separator of a graph by the multilevel method. cut->side is the caller's, [n]. False: no memory.
bool plFindSeparator(plCut* cut, const plWeightedGraph* graph, plArena* arena);

#endif
