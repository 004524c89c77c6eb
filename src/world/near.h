// near.h: what a world has where surfaces of its bodies meet each other or themselves
#ifndef PL_WORLD_NEAR_H
#define PL_WORLD_NEAR_H

#include "pliant/pliant.h"
#include "../collide/box_tree.h"
#include "../collide/crossing_search.h"
#include "../collide/near.h"
#include "../collide/spread.h"
#include "../energy/near.h"
#include "shells.h"

typedef struct plSurfaces plSurfaces;

static const uint32_t plNearBody_none = UINT32_MAX;

// A body, or a shell, as others see it from afar: where it was when the list was made
typedef struct plNearBody
{
	double apart;        // of its box from that of the nearest other body that it meets; INFINITY: there is none
	uint32_t group;      // number of the first body of its group: those that are near each other
	uint32_t next;       // of the group; plNearBody_none: it is the last
	uint32_t last;       // of the group that it is the first of
	size_t first, count; // its points
	double ball;         // of a shell that is settled: the least of its vertices', m
	double spare;        // near_spread.c: what its pairs keep more than the radius on the way to the guess, m
	bool isSpread;       // of this substep: it does not meet itself
} plNearBody;

// x goes to about + R(w) (x - about) + way, w of the chart of base/rotation.h
typedef struct plNearShift
{
	double way[3];   // m
	double w[3];     // zeros: it does not turn
	double about[3]; // m
	uint32_t leader; // slot of the rigid body that leads it, if it is led; plNearBody_none
	bool isHeld;     // by pins
} plNearShift;

// A body that was in an obstacle at the start, or crossed it, and has not left it since: they are no surfaces to each
// other, and the push alone drives it out (energy/push.h)
typedef struct plSunk
{
	uint32_t body;   // its place among soft bodies
	uint32_t shell;  // its place among shells
	uint32_t isNear; // 0 or 1: they were nearer than the radius when the last substep began
} plSunk;

// [n] stands for the vertices of the world, [points] for these and those of shells behind them. Bodies are soft ones,
// then shells.
typedef struct plNear
{
	plNearEnergy* energy;
	plNearSearch search;
	plNearBody* bodies; // [bodyCount]
	plBox* boxes;       // [bodyCount] of their surfaces, m
	plBoxTree bodyTree; // over these
	plShells shells;    // obstacles with corners and edges
	plSurfaces* own;    // of bodies and shells; NULL: there are no shells, and those of the world serve
	bool* meetsItself;  // [bodyCount + 1]
	bool* meetsNow;     // [bodyCount + 1] in this substep
	bool* isOut;        // [bodyCount + 1] of the search: no pair has a side of it
	plSpread* spreads;  // [softCount] of who meets itself; without nodes: it is no flat sheet
	uint32_t* owner;    // [points] body; of all shells softCount: they do not meet each other
	uint32_t* callers;  // [points] number of a vertex in its body, in the caller's order, or in its shell
	double* across;     // [n] stiffness of the elements at a vertex, N/m
	double* rest;       // [points] by quads, m
	double* place;      // [points] by quads: where vertices are on their way to a guess; of shells where they are, m
	double* about;      // [points] by quads: where a search is about, m
	double* ways;       // [points] by quads: along what it looks, m
	double* apart;      // [points] distance of the nearest pair that may push, m; INFINITY: none is listed
	plNearShift* shift; // [bodyCount] that balls of a group went
	double* partial;    // [partialCount] of sums over points
	size_t bodyCount, softCount;
	size_t vertexCount, pointCount;
	size_t liveBodies, liveCount; // without shells that are settled, and their points: these stand behind the others
	size_t partialCount;
	bool meetsOthers;     // bodies meet each other
	double radius, reach; // m
	bool isChecked;       // no surfaces cross, but for those that are ignored
	bool isTaken;         // those that are ignored were listed, and none comes to them any more
	size_t searches;      // in this step
	size_t members;       // bodies that the last search was about
	double ms;            // of searches since somebody asked
	double lag;           // of pins and shells at the end of the substeps before, at most, m
	double lagNow;        // in this one
	bool isBehind;        // shells are, at the end of a substep
	bool isLeftOut;       // near_apart.c: of this substep
	bool hasMet;          // of this step, although it was left out
	bool neverLeftOut;    // for tests

	// plContactDef.intersections: triangles that crossed at the start and have not parted since, by their places among
	// all, and the pairs between them, which do not count
	plCrossingPair* crossed; // [crossedCount] sorted
	plNearPair* ignored;     // [ignoredCount] sorted as those of a search
	uint32_t* placeOf;       // [triangles] where they stand in the tree
	size_t crossedCount, crossedRoom, ignoredCount, ignoredRoom, placeRoom;

	plSunk* sunk; // [sunkCount] sorted
	size_t sunkCount, sunkRoom;
	size_t crossingSunk; // behind them, up to here, those that a search for crossings found
	bool knowsSunk;      // somebody looked for them

	size_t* sewnStart; // [n + 1] into sewn
	uint32_t* sewn;    // [2 sewnCount] vertices that stitches tie a vertex to
	size_t sewnCount;  // stitches
	size_t sewnRoom;

	double startValue; // of the push where the substep begins, if there is a balance, J
} plNear;

static inline bool plNear_IsShell(const plNear* near, size_t point)
{
	return point >= near->vertexCount;
}
// Which shell a point belongs to
size_t plNear_GetShell(const plNear* near, size_t point);
// near_crossed.c. Looks for crossings at `places`. Triangles that meet and cross are *fresh; with `takes` they become
// known, else those that are known and have parted are forgotten. False: no memory
bool plNear_FindCrossed(plNear* near, plSurfaces* surfaces, const double* places, bool takes, plPool* pool,
                        plHeap* heap, plCrossingPair* first, size_t* fresh);
// After a search: drops pairs between triangles that cross
void plNear_DropIgnored(plNear* near);

// near.c. Triangles of bodies, and of shells behind them
plSurfaces* plNear_GetSurfaces(const plWorld* world, const plNear* near);
// Vertices of the world at `places`, and those of shells where they are: by quads of all points
const double* plNear_PutAbout(plNear* near, const double* places);
const double* plNear_PutAtGoal(plNear* near, const double* places); // the same, and shells where they are to be
void plNear_MoveShellsToGoal(plNear* near);                         // nothing is in their way
// Shells that never move are where they are now, in all arrays, until something says where else they are.
void plNear_Settle(plWorld* world, plNear* near);
// Before a tree of the surfaces is fitted to places of all points
void plNear_FreshenTree(const plNear* near, plSurfaces* surfaces);

// near_sunk.c. After a search: drops pairs of bodies with obstacles that they are in, and edges of shells that are none
void plNear_DropSunk(plNear* near);
void plNear_DropPlain(plNear* near);
bool plNear_IsPlain(const plNear* near, const plNearPair* pair); // it does not push: an edge of a shell that is none
void plNear_DropPairs(plNear* near, bool (*goes)(plNear* near, const plNearPair* pair));
// After a search for crossings: which bodies and shells do; false: no memory
bool plNear_NoteCrossing(plNear* near, const plSurfaces* surfaces, plHeap* heap);
// Then, about the same q: who is in an obstacle; or who is no longer. False: no memory
bool plNear_FindSunk(plWorld* world, plNear* near, const double* q);

// near_spread.c. Once, for bodies that meet themselves; false: no memory
bool plNear_MakeSpreads(const plWorld* world, plNear* near);
void plNear_DropSpreads(plNear* near, plHeap* heap);
// Which of those who meet themselves do not do so on the way to the guess, and keep more than the radius: they are
// spread. Are all? Then, after the minimisation: did these not do so on the way that was taken, and keep the radius?
// `guess` NULL: it is not known any more. False: that is not known
bool plNear_FindSpread(plNear* near, const double* from, const double* guess, plPool* pool);
bool plNear_StayedSpread(plNear* near, const double* from, const double* guess, const double* to, plPool* pool);
void plNear_ForgetSpread(plNear* near); // all who may meet themselves do

// near_lead.c. Are there vertices that hang hard on a rigid body that moves in this substep?
bool plWorld_DragsVertices(const plWorld* world);
// Such a vertex, on a body that moves or not
bool plWorld_IsLed(const plWorld* world, size_t vertex);
void plWorld_KeepTargetOut(const plWorld* world, double* target); // of bodies that vertices meet
void plWorld_LeadTarget(const plWorld* world, double* target);    // by quads: they go to where their bodies fly
// Groups that no pins hold, and that hang on one body, go with it; when they have done so they stay
void plWorld_LeadBalls(const plWorld* world, plNear* near, bool begins);
void plNearShift_Move(const plNearShift* shift, double x[3]);

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
void plNear_GrowBoxes(plWorld* world, plNear* near, const plNearWays* ways); // by where they go
void plNear_CompareBoxes(plWorld* world, plNear* near);
void plNear_CompareBodies(plWorld* world, plNear* near, const double* places);
// The distance of the boxes of a group, by its first body, from those of the nearest other one; INFINITY: there is none
double plNear_GetDistanceOfGroup(const plNear* near, uint32_t first);

#endif
