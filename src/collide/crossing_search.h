// crossing_search.h: all pairs of triangles of a tree that cross each other (crossing.h)
#ifndef PL_CROSSING_SEARCH_H
#define PL_CROSSING_SEARCH_H

#include "triangle_tree.h"

typedef struct plCrossingPair
{
	uint32_t a, b; // numbers of triangles as the tree's builder gave them, a < b
} plCrossingPair;

// What a search found, and the room for the next one.
typedef struct plCrossingSearch
{
	plCrossingPair* pairs; // [count] sorted
	size_t count, room;
	size_t* taskStart; // [startRoom] where the room of a task begins, and that of the next
	size_t* taskCount; // [countRoom] how many pairs it found
	size_t startRoom, countRoom;
} plCrossingSearch;

// Where the vertices were when the tree was last fitted. The pairs depend on that alone: not on threads, nor on the
// tree's order. Starts from zeros or an earlier search. False: no memory, and no pairs are listed.
bool plCrossingSearch_Run(plCrossingSearch* search, const plTriangleTree* tree, plPool* pool, plHeap* heap);
void plCrossingSearch_Destroy(plCrossingSearch* search, plHeap* heap); // leaves zeros

#endif
