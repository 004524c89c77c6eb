// near.h: which pairs of a surface tree are nearer than a reach, and how far vertices may go without meeting
//
// A pair is a vertex and a triangle, or two edges, without a vertex in common (energy/near_pair.h). They are found
// about one state, the reference, where their distances are d. A vertex may move from there by its ball:
//
//   b_v = min( 0.45 d over the pairs of v,  (reach - radius)/2 )
//
// Two states in which every vertex is inside its ball have a straight way between them on which no surface crosses: the
// two sides of a listed pair come nearer by 0.9 d at most, and those of any other stay farther apart than the radius.
// So every pair that may come nearer than the radius is in the list, and another list gives the same energy.
#ifndef PL_COLLIDE_NEAR_H
#define PL_COLLIDE_NEAR_H

#include "triangle_tree.h"
#include "../energy/near_pair.h"

typedef struct plNearPair
{
	// a vertex and the corners of its triangle in the order of the surface; or two edges, each with the lower vertex
	// first, the lower edge first
	uint32_t corners[4];
	uint32_t kind;   // plNearKind
	double distance; // d, m
} plNearPair;

// What a search found, and the room for the next one.
typedef struct plNearSearch
{
	plNearPair* pairs; // [count] sorted by kind, then by corners
	size_t faceCount;  // of a vertex and a triangle: these come first
	size_t count, room;
	plNearPair* unsorted; // [unsortedRoom] as tasks found them
	size_t unsortedRoom;
	size_t* bucket; // [bucketRoom] where pairs with the same kind and first corner begin
	size_t bucketRoom, vertexCount;
	uint8_t* owned; // [ownedRoom] bit k: corner k of a triangle of the tree is its own; bit 3 + k: edge k, k + 1 is
	size_t ownedRoom;
	size_t* taskStart; // [startRoom] where the room of a task begins, and that of the next
	size_t* taskCount; // [countRoom] how many pairs it found
	size_t startRoom, countRoom;

	// the caller's; whose surfaces meet
	const uint32_t* owner;   // [vertices] whose a vertex is; NULL: all surfaces meet all
	const bool* meetsItself; // [owners]
	bool meetsOthers;        // everybody does
} plNearSearch;

// Once for a tree: every vertex and every edge belongs to the first of its triangles. Starts from zeros or an earlier
// tree. False: no memory, and the search serves no tree.
bool plNearSearch_Prepare(plNearSearch* search, const plTriangleTree* tree, plHeap* heap);
void plNearSearch_Destroy(plNearSearch* search, plHeap* heap); // leaves zeros

// All pairs nearer than `reach` (m) where vertices are at `places`, by quads; fits the tree. The pairs depend on places
// and surface alone: not on threads, nor on the tree's order. False: no memory, and no pairs are listed.
bool plNearSearch_Run(plNearSearch* search, plTriangleTree* tree, const double* places, double reach, plPool* pool,
                      plHeap* heap);
int plNearPair_Compare(const void* a, const void* b); // the order of a search, for qsort
// b_v of all vertices, m
void plNearSearch_FindBalls(const plNearSearch* search, double reach, double radius, double* balls, size_t vertexCount);

#endif
