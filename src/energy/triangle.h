// triangle.h: all triangles of a world that are sheets, E(q) = sum over elements of A W(F(q))
//
// A kind of batched element (batches.h) with 3 corners, laid out as tets are: cloth by cloth, by region and then along
// the vertices. The shape at rest is a chart: coordinates of the corners in a plane, whose axes are warp and weft of
// the cloth. Every triangle has its own, so sides of neighbours need not agree in them.
#ifndef PL_TRIANGLE_H
#define PL_TRIANGLE_H

#include "batches.h"
#include "../material/membrane.h"

// Elements in the order in which they are to be laid out
typedef struct plTriangleInput
{
	plBatchInput batches;        // 3 corners
	const double* charts;        // [6 elementCount] x y of corners 0 1 2, m; the area is above 0
	const plMembrane* membranes; // [groupCount] of any law but springs
} plTriangleInput;

typedef struct plTriangleEnergy
{
	plBatches base;
	double* chart; // [8 6 batchCount] as in the input, [batch][number][lane]
} plTriangleEnergy;

// Lanes, spans and charts; false: no memory
bool plTriangleEnergy_Lay(plTriangleEnergy* energy, const plTriangleInput* input, uint32_t** index, plHeap* heap);
void plTriangleEnergy_Refill(plTriangleEnergy* energy, const plMembrane* membranes);
void plTriangleEnergy_Destroy(plTriangleEnergy* energy, plHeap* heap);

#endif
