// tet_layout.h: numbers of a batch of tetrahedra
//
//   corners   [corner][lane]
//   rest      [k][lane], k < 9: entry (k / 3, k % 3) of Dm^-1, Dm = [X1-X0, X2-X0, X3-X0], in float times restUnit;
//             k = 9: volume V
//   anchor    [k][lane], k < 6: Green strain that a rate is measured from: xx yy zz xy xz yz
//
// F = Ds Dm^-1 with Ds = [x1-x0, x2-x0, x3-x0].
#ifndef PL_TET_LAYOUT_H
#define PL_TET_LAYOUT_H

#include "kernels.h"

enum
{
	pl_tetCorners = 4,
	pl_tetRestCount = 10,
	pl_tetPerLength = 9,
	pl_strainCount = 6,
	pl_tetIndices = pl_batchSize * pl_tetCorners,
	pl_tetRest = pl_batchSize * pl_tetRestCount,
	pl_tetStrain = pl_batchSize * pl_strainCount,
	pl_tetForces = 3 * pl_tetIndices,   // [corner][axis][lane]
	pl_tetDiagonal = 6 * pl_tetIndices, // [corner][xx yy zz xy xz yz][lane]
	pl_tetBlocks = 10,                  // corner pairs 00 01 02 03 11 12 13 22 23 33, 9 doubles each, by rows
};

#endif
