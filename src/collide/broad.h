// broad.h: pairs of items whose boxes are near each other
//
// Items have numbers that the caller gives, and fat boxes: an item that stays within its box costs nothing. Items at
// rest and items that move stand in trees of their own. Which pairs there are depends on the boxes alone, not on
// threads, nor on the shape of the trees; they are sorted. Fat boxes depend on the past. So a pair means only that two
// items may touch: what touches is for the narrow phase to say.
#ifndef PL_BROAD_H
#define PL_BROAD_H

#include "dynamic_tree.h"

typedef struct plBroadPair
{
	uint32_t a, b; // a < b
} plBroadPair;

typedef struct plBroadItem
{
	plBox box;     // fat
	uint32_t leaf; // pl_noNode: it is not there, or has no bounds
	bool isThere, isMoving, isUnbounded;
	bool isNew;               // it has another box than when pairs were last found
	double normal[3], offset; // unbounded: the half-space n.x <= offset
} plBroadItem;

// Do two items ever meet? Not asked of two that are at rest.
typedef bool plBroadFilterFcn(uint32_t a, uint32_t b, void* context);

typedef struct plBroad
{
	plHeap* heap;
	plDynamicTree trees[2]; // at rest, moving
	plBroadItem* items;     // by number
	size_t itemRoom;
	uint32_t* unbounded; // [unboundedCount] ascending
	size_t unboundedCount, unboundedRoom;
	uint32_t* fresh; // [freshCount] items with isNew, any order; those that left may be among them
	size_t freshCount, freshRoom;
	plBroadPair* pairs; // sorted
	size_t pairCount, pairRoom;
	plBroadPair* found; // by the last update, then sorted
	size_t foundRoom;
	plBroadPair* merged;
	size_t mergedRoom;
	size_t* foundStart; // [freshCount + 1]
	size_t foundStartRoom;
} plBroad;

void plBroad_Init(plBroad* broad, plHeap* heap);
void plBroad_Destroy(plBroad* broad);
// False: no memory, and nothing has changed. `fat` is the box that the item may move in.
bool plBroad_Add(plBroad* broad, uint32_t item, const plBox* fat, bool isMoving);
bool plBroad_AddHalfSpace(plBroad* broad, uint32_t item, const double normal[3], double offset);
void plBroad_Remove(plBroad* broad, uint32_t item); // its pairs go with the next update; never allocates
// The box of an item now: if it has left its fat box, it gets the other one. Never allocates.
void plBroad_Move(plBroad* broad, uint32_t item, const plBox* box, const plBox* fat);
bool plBroad_Holds(const plBroad* broad, uint32_t item, const plBox* box); // is the box within the fat one?
void plBroad_MoveHalfSpace(plBroad* broad, uint32_t item, const double normal[3], double offset);
// Its pairs are found anew, as after a change of what the filter says.
void plBroad_Touch(plBroad* broad, uint32_t item);
// Does a box reach into the half-space n.x <= offset?
bool plBroad_IsNearHalfSpace(const double normal[3], double offset, const plBox* box);
// Brings the pairs up to date. False: no memory; the pairs are those of before, and the next update makes up for it.
bool plBroad_Update(plBroad* broad, plPool* pool, plBroadFilterFcn* filter, void* context);

#endif
