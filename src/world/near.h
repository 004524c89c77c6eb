// near.h: what a world has where surfaces of its bodies meet each other or themselves
#ifndef PL_WORLD_NEAR_H
#define PL_WORLD_NEAR_H

#include "pliant/pliant.h"
#include "../collide/box_tree.h"
#include "../collide/crossing_search.h"
#include "../collide/near.h"
#include "../energy/near.h"

static const uint32_t plNearBody_none = UINT32_MAX;

// A body as others see it from afar: where it was when the list was made
typedef struct plNearBody
{
	double apart;        // of its box from that of the nearest other body that it meets; INFINITY: there is none
	uint32_t group;      // number of the first body of its group: those that are near each other
	uint32_t next;       // of the group; plNearBody_none: it is the last
	uint32_t last;       // of the group that it is the first of
	size_t first, count; // its vertices
} plNearBody;

// [n] stands for the vertices of the world
typedef struct plNear
{
	plNearEnergy* energy;
	plNearSearch search;
	plNearBody* bodies; // [bodyCount]
	plBox* boxes;       // [bodyCount] of their surfaces, m
	plBoxTree bodyTree; // over these
	bool* meetsItself;  // [bodyCount]
	uint32_t* owner;    // [n] body
	uint32_t* callers;  // [n] number of a vertex in its body, in the caller's order
	double* across;     // [n] stiffness of the elements at a vertex, N/m
	double* rest;       // by quads, m
	double* place;      // by quads: where vertices are on their way to a guess, m
	double* apart;      // [n] distance of the nearest pair that may push, m; INFINITY: none is listed
	double* shift;      // [3 bodyCount] that balls of a group went, m
	size_t bodyCount;
	size_t vertexCount;
	bool meetsOthers;     // bodies meet each other
	double radius, reach; // m
	bool isChecked;       // no surfaces cross, but for those that are ignored
	bool isTaken;         // those that are ignored were listed, and none comes to them any more
	size_t searches;      // in this step
	double ms;            // of searches since somebody asked
	double lag;           // of pins in this step, m
	bool isLeftOut;       // near_apart.c: of this substep
	bool hasMet;          // of this step, although it was left out
	bool neverLeftOut;    // for tests

	// plContactDef.intersections: triangles that crossed at the start and have not parted since, by their places among
	// all, and the pairs between them, which do not count
	plCrossingPair* crossed; // [crossedCount] sorted
	plNearPair* ignored;     // [ignoredCount] sorted as those of a search
	uint32_t* placeOf;       // [triangles] where they stand in the tree
	size_t crossedCount, crossedRoom, ignoredCount, ignoredRoom, placeRoom;

	size_t* sewnStart; // [n + 1] into sewn
	uint32_t* sewn;    // [2 sewnCount] vertices that stitches tie a vertex to
	size_t sewnCount;  // stitches
	size_t sewnRoom;

	double startValue; // of the push where the substep begins, if there is a balance, J
} plNear;

typedef struct plSurfaces plSurfaces;
// near_crossed.c. Looks for crossings at `places`. Triangles that meet and cross are *fresh; with `takes` they become
// known, else those that are known and have parted are forgotten. False: no memory
bool plNear_FindCrossed(plNear* near, plSurfaces* surfaces, const double* places, bool takes, plPool* pool,
                        plHeap* heap, plCrossingPair* first, size_t* fresh);
// After a search: drops pairs between triangles that cross
void plNear_DropIgnored(plNear* near);

// near_work.c. About q, where the substep begins, after a search; and at its end q, after ways `move`, both by quads,
// where friction was taken anew
void plNear_BeginBalance(plNear* near, const double* q);
void plNear_Book(const plNear* near, const double* q, const double* move, plBalance* to);

// near_seams.c. When seams may have changed; false: no memory
bool plNear_ListSewn(plWorld* world, plNear* near);
// Does a stitch tie a vertex of a to one of b?
bool plNear_AreSewn(const plNear* near, const uint32_t* a, size_t countA, const uint32_t* b, size_t countB);
void plNear_DropSewn(plNear* near); // after a search: pairs across a seam that are none

// near_bodies.c. Boxes around bodies at `places`, and with `grows` around where they were before; how far these are
// apart, and groups; both
void plNear_FitBoxes(plWorld* world, plNear* near, const double* places, bool grows);
void plNear_CompareBoxes(plWorld* world, plNear* near);
void plNear_CompareBodies(plWorld* world, plNear* near, const double* places);
// The distance of the boxes of a group, by its first body, from those of the nearest other one; INFINITY: there is none
double plNear_GetDistanceOfGroup(const plNear* near, uint32_t first);

#endif
