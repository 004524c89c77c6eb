// sweep.h: the tables of a sweep: vertices of one colour in groups of eight, with copies of the elements around them
//
// A copy of an element has the own vertex as corner 0. Copies are read one after the other, once per sweep: positions
// are all that has to be looked for.
#ifndef PL_CPU_SWEEP_H
#define PL_CPU_SWEEP_H

#include "problem.h"
#include "../../sparse/colouring.h"

// The rows of one kind of element
typedef struct plSweepRows
{
	size_t partCount, rowCount;
	size_t* partStart;  // [groupCount + 1]
	size_t* rowStart;   // [groupCount + 1]
	plSweepPart* parts; // [partCount]
	uint32_t* other;    // [8 (corners - 1) rowCount]
	uint32_t* slot;     // [8 rowCount]
	void* rest;         // [8 restCount rowCount] float or double
	size_t restBytes;
} plSweepRows;

struct plCpuSweep
{
	plColouring colouring;
	size_t* colourStart; // [colours + 1] first group of a colour
	size_t groupCount;
	uint32_t* vertex;   // [8 groupCount]
	uint8_t* laneCount; // [groupCount] lanes of a group that have a vertex; the others repeat the first
	plSweepRows rows[pl_kindCount];
};

// sweep_tables.c: NULL: no memory. The pattern of the matrix is there.
plCpuSweep* plCpuSweep_Create(const plCpuProblem* problem);
void plCpuSweep_Destroy(plCpuSweep* sweep, const plElements* elements, plHeap* heap); // it may be NULL
plSweepGroup plCpuSweep_GetGroup(const plCpuProblem* problem, plElementKind kind, size_t group);

#endif
