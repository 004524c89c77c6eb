// triangle_layout.h: numbers of a batch of triangles
//
//   corners   [corner][lane]
//   rest      [k][lane], k < 4: entry (k / 2, k % 2) of Dm^-1, Dm = [u1-u0, u2-u0], 1/m; k = 4: area A
//   anchor    [k][lane], k < 3: Green strain that a rate is measured from: 11 22 12
#ifndef PL_TRIANGLE_LAYOUT_H
#define PL_TRIANGLE_LAYOUT_H

#include "kernels.h"

enum
{
	pl_triangleCorners = 3,
	pl_triangleRestCount = 5,
	pl_triangleStrainCount = 3,
	pl_triangleIndices = pl_batchSize * pl_triangleCorners,
	pl_triangleRest = pl_batchSize * pl_triangleRestCount,
	pl_triangleStrain = pl_batchSize * pl_triangleStrainCount,
	pl_triangleForces = 3 * pl_triangleIndices,   // [corner][axis][lane]
	pl_triangleDiagonal = 6 * pl_triangleIndices, // [corner][xx yy zz xy xz yz][lane]
	pl_triangleBlocks = 6,                        // corner pairs 00 01 02 11 12 22, 9 doubles each, by rows
};

#endif
