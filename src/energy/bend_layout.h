// bend_layout.h: numbers of batches of elements that resist bending
//
//   corners            [corner][lane]
//   rest, quadratic    [k][lane], k < 3: weights of corners 1 2 3; k = 3: 1/(A0 + A1), 1/m^2
//   rest, plate        k < 15: R of row k / 5 and corner 1 + k % 5, 1/m^2; k = 15: area A
//   rest, hinge        k = 0: |e|^2/(A0 + A1); 1: angle; 2 3 4: weights as above; 5: 1/(A0 + A1)
//   anchor             what a rate is measured from: k of quadratic (3) and plate (9) [row][axis], theta of hinge (1)
//
// Spans have stiffnesses, N m: c[0], of plates 11 22 12 33. Resistance is damping over the integrator's step.
#ifndef PL_BEND_LAYOUT_H
#define PL_BEND_LAYOUT_H

#include "kernels.h"

enum
{
	pl_bendCorners = 4,
	pl_plateCorners = 6,
	pl_quadraticRows = 1,
	pl_plateRows = 3,
	pl_quadraticRestCount = 4,
	pl_plateRestCount = 16,
	pl_hingeRestCount = 6,
};

#endif
