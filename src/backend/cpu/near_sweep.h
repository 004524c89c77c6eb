// near_sweep.h: pairs of surfaces as sweeps over vertices see them: who waits for whom, and who stays in its ball
//
// Vertices of one colour share no element, but they may share a pair, and then each reads where the other one is. So
// within a colour they take turns: a turn is the first one that no vertex before has with which it shares a pair. The
// corners of a triangle have colours of their own, so that two or three turns do where sheets lie on each other.
//
// Of the pairs that are listed those count which may push before the next search. With d their distance where balls
// have their middle, and b the largest ball of either side,
//
//   d < r + bA + bB
//
// Most of these are far apart all the same, and nobody computes their nearest points: with d where vertices were when
// distances were taken last, and u the way that a vertex has gone since, a pair gives nothing while
//
//   r <= d - max |u_a| over corners of A - max |u_b| over corners of B
//
// Distances are taken anew where too many vertices have gone too far. That changes no result.
//
// A step that leads out of the ball of a vertex ends on it.
#ifndef PL_NEAR_SWEEP_H
#define PL_NEAR_SWEEP_H

#include "../../energy/near.h"

typedef struct plNearSweep
{
	uint64_t revision, rubRevision; // of the lists that this is of; 0: of none
	uint8_t* counts;                // [pairs] of the list
	size_t countsRoom;
	uint32_t* turn;    // [vertices]
	size_t* taken;     // [vertices] work space: 1 + the vertex that found a turn taken last
	uint8_t* touches;  // [vertices] pairs that count, or rub, have it as a corner
	uint8_t* held;     // [vertices] its ball held it back
	size_t* turnCount; // [colours]
	size_t vertexCount, colourCount;
	uint64_t measured; // revision of the list whose distances are known; 0: none
	double* distance;  // [pairs] d, m
	size_t distanceRoom;
	double* place; // [points] by quads: where they were taken
	double* way;   // [points] |u|, m
	size_t pointCount;
} plNearSweep;

// What pairs give to one vertex
typedef struct plNearVisit
{
	double g[3], H[6]; // H as xx yy zz xy xz yz
	plEnergySum sum;   // values that depend on it
} plNearVisit;

struct plCpuProblem;
// When colours are known, and after every search; without pairs or colours there is nothing to do. False: no memory
bool plNearSweep_Reserve(struct plCpuProblem* p);
void plNearSweep_Destroy(plNearSweep* sweep, plHeap* heap);
// Before a sweep from q: turns by the lists of now, and nobody is held yet; after it: who was, for `countHeld`
void plNearSweep_Begin(struct plCpuProblem* p, const double* q);
void plNearSweep_End(struct plCpuProblem* p);
// What pairs give to a vertex at q, and their values alone; others may look at it again once its place is settled
plNearVisit plNearSweep_Visit(const struct plCpuProblem* p, size_t vertex, const double* q);
void plNearSweep_AddValue(const struct plCpuProblem* p, size_t vertex, const double* q, plEnergySum* sum);
void plNearSweep_Settle(const struct plCpuProblem* p, size_t vertex, const double* q);
// The share of a step from q that stays in the ball
double plNearSweep_Confine(const struct plCpuProblem* p, size_t vertex, const double q[3], const double step[3]);

#endif
