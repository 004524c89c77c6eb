// spring.h: springs between two vertices, and between a vertex and a fixed point; stitches of seams
#ifndef PL_SPRING_H
#define PL_SPRING_H

#include "energy.h"

typedef struct plSpringEnergy
{
	plEnergy base;     // two corners, or one if there are points
	double* stiffness; // [elementCount] k, N/m
	double* rest;      // [elementCount] L, m
	double* points;    // [3 elementCount] the other ends; NULL: vertices
	double* before;    // [elementCount] stitches: L at the start of the substep, m; else NULL
} plSpringEnergy;

// Room for `count` springs, one at least; the caller fills vertices, stiffness, rest and points. NULL: no memory
plSpringEnergy* plSpringEnergy_Create(size_t count, bool toPoints, plHeap* heap);
// Springs whose L another hand changes between substeps, and whose k is 0 once they are broken. The caller fills
// `before`, too.
plSpringEnergy* plSpringEnergy_CreateStitches(size_t count, plHeap* heap);
// Adds to sums: the change of their energy from q to qNext, and the work of what changed L, J
void plSpringEnergy_AddStitchWork(const plSpringEnergy* stitches, const double* q, const double* qNext, size_t begin,
                                  size_t end, double sums[2]);

#endif
