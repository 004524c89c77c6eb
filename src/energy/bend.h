// bend.h: what resists bending, as three kinds of batched elements
//
//   quadratic   4 corners: an edge of two triangles, 0 1, and the corners across from it, 2 of the one triangle and 3
//               of the other. Flat at rest. E = D/2 |sum w_a x_a|^2/(A0 + A1)
//   hinge       the same with an angle at rest: E = D/2 |e|^2 (theta - rest)^2/(A0 + A1)
//   plate       6 corners: a triangle 0 1 2, and the corners 3 4 5 of its neighbours, across from 0, 1 and 2. A corner
//               that is not there repeats 0. Flat at rest. E = A/2 k'C k, k curvature
//
// Charts are those of the triangles (triangle.h), so weights are the same however the sheet lies at rest.
#ifndef PL_BEND_H
#define PL_BEND_H

#include "batches.h"
#include "../material/membrane.h"

enum
{
	pl_bendChart = 12,  // numbers of a chart: x y of corners 0 1 2, then of corners 0 1 3 in the chart of the other
	pl_plateChart = 24, // corners 0 1 2, then the neighbours': 3 2 1, 4 0 2, 5 1 0; zeros: there is no neighbour
};

// Elements of one kind, in the order in which they are to be laid out
typedef struct plBendInput
{
	plBatchInput batches;      // 4 corners, plate 6
	const double* charts;      // [pl_bendChart elementCount], of plates [pl_plateChart elementCount], m
	const double* angles;      // [elementCount] hinge: rad at rest; NULL: 0
	const plBending* bendings; // [groupCount]
} plBendInput;

typedef struct plBendEnergy
{
	plBatches base;
	double* shape; // [8 restCount batchCount] rest data as batches have them, in double; filled up lanes have measure 0
} plBendEnergy;

// Lanes, spans and weights of elements of one model; false: no memory
bool plBendEnergy_Lay(plBendEnergy* energy, plBendingModel model, const plBendInput* input, uint32_t** index,
                      plHeap* heap);
void plBendEnergy_Refill(plBendEnergy* energy, const plBending* bendings);
void plBendEnergy_Destroy(plBendEnergy* energy, plHeap* heap);

// bend_list.c: the elements of a cloth, in the order of its triangles. Edges of one triangle, or of more than two, do
// not bend.
typedef struct plBendList
{
	size_t count;
	size_t cornerCount;
	uint32_t* corners;  // [cornerCount count] vertices as the triangles name them
	double* charts;     // [pl_bendChart or pl_plateChart count]
	double* angles;     // [count] hinge; else NULL
	uint32_t* triangle; // [count] whose bending it has: its first triangle
	uint32_t* other;    // [count] the second one; NULL for plates
} plBendList;

// `triangles` [3 triangleCount], `charts` [6 triangleCount], `rest` [3 vertexCount] positions for angles of hinges.
// pl_bendingNone gives an empty list. pl_errorMemory, or success.
plResult plBendList_Create(plBendList* list, plBendingModel model, const uint32_t* triangles, const double* charts,
                           size_t triangleCount, const double* rest, size_t vertexCount, plHeap* heap);
void plBendList_Destroy(plBendList* list, plHeap* heap);

#endif
