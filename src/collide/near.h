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
//
// A search may also look ahead along straight ways from the reference, x + s w, 0 <= s <= 1. Points of a triangle and
// of an edge are means of their corners, so as the one sees it a point of the other goes by s R at most,
//
//   R = max |w_a - w_b| over corners a of the one and b of the other
//
// and their distance changes by no more. What all corners have in common costs nothing: a sheet that falls, turns or
// bends lists its neighbours and goes on. Every pair with d - R < reach is listed, so those that are not stay farther
// apart than the reach at every s. Those that are listed keep a tenth of d up to their `way`, which is found by going
// (distance - d/10)/R as long as that gains anything. So up to the least way of all pairs nothing crosses, and at every
// state up to there the list has all pairs nearer than the reach: balls may be drawn about it from the same list.
#ifndef PL_COLLIDE_NEAR_H
#define PL_COLLIDE_NEAR_H

#include "near_kernels.h"

typedef struct plNearPair
{
	// a vertex and the corners of its triangle in the order of the surface; or two edges, each with the lower vertex
	// first, the lower edge first
	uint32_t corners[4];
	uint32_t kind;   // plNearKind
	double distance; // d, m
	double way;      // s up to which nothing of it meets, where vertices move
} plNearPair;

// What a task of a search has found, in `finds`: faces from its start on, edges from its end backwards
typedef struct plNearTask
{
	size_t start, room;
	size_t count[2]; // by kind; more may be found than there is room for
	bool isDone;
} plNearTask;

// A pair by the ranks of its sides (near_leaves.h): the order of these is that of their corners
typedef struct plNearFind
{
	uint32_t first, second;
	double distance; // its negative: how far it may go is not known yet
} plNearFind;

// What a search found, and the room for the next one.
typedef struct plNearSearch
{
	plNearPair* pairs; // [count] sorted by kind, then by corners
	size_t faceCount;  // of a vertex and a triangle: these come first
	size_t count, room;
	plNearFind* finds; // [findRoom] as tasks found them
	size_t findRoom;
	plNearFind* sorted; // [sortedRoom] by buckets
	size_t sortedRoom;
	uint32_t* bucket;     // [bucketRoom] where pairs with the same first side end: all vertices, then all edges
	uint32_t* blockStart; // [blockRoom] where pairs of a block of buckets begin
	size_t bucketRoom, blockRoom, vertexCount;
	plNearLeaves leaves;
	plNearTask* tasks; // [taskRoom]
	size_t taskRoom;
	size_t* boxCounts; // [boxCountRoom] pairs of boxes by task
	size_t boxCountRoom;

	// the caller's, before it is prepared; whose surfaces meet
	const uint32_t* owner;   // [vertices] whose a vertex is; NULL: all surfaces meet all
	const bool* meetsItself; // [owners]
	bool meetsOthers;        // everybody does
	const bool* isOut;       // [owners] the caller knows that no pair of theirs is near; NULL: of nobody
} plNearSearch;

// Once for a tree. Starts from zeros or an earlier tree. False: no memory, and the search serves no tree.
bool plNearSearch_Prepare(plNearSearch* search, plTriangleTree* tree, plHeap* heap);
void plNearSearch_Destroy(plNearSearch* search, plHeap* heap); // leaves zeros

// All pairs nearer than `reach` (m) where vertices are at `places`, by quads; fits the tree. The pairs depend on places
// and surface alone: not on threads, nor on the tree's order. False: no memory, and no pairs are listed.
bool plNearSearch_Run(plNearSearch* search, plTriangleTree* tree, const double* places, double reach, plPool* pool,
                      plHeap* heap);
// The same, where vertices move. If they go so far that too much would be in their way, `scale` becomes smaller.
bool plNearSearch_RunMoving(plNearSearch* search, plTriangleTree* tree, plNearWays* ways, double reach, plPool* pool,
                            plHeap* heap);
// near_way.c: `way` of pairs of which it is not known, and the R of one
void plNearSearch_FindWays(plNearSearch* search, const plNearWays* ways, plPool* pool);
double plNearPair_GetApproach(plNearKind kind, const double way[4][3]);
// Distances of pairs in the order of a search where vertices are at `places`
void plNearPairs_Measure(const plNearPair* pairs, size_t count, const double* places, double* distance);
// The distances of the same pairs at a state on the way that was searched, as if there had been a search about it
void plNearSearch_Follow(plNearSearch* search, const double* places, plPool* pool);
int plNearPair_Compare(const void* a, const void* b); // the order of a search, for qsort
// near_order.c: what tasks have found becomes the list; `way` of what goes all of it. False: no memory
bool plNearSearch_Join(plNearSearch* search, size_t tasks, double way, plPool* pool, plHeap* heap);
// b_v of the first vertices, and less of any in a pair, m
void plNearSearch_FindBalls(const plNearSearch* search, double reach, double radius, double* balls, size_t vertexCount);

#endif
