// spring.h: springs between two vertices, and between a vertex and a fixed point
#ifndef PL_SPRING_H
#define PL_SPRING_H

#include "energy.h"

typedef struct plSpringEnergy
{
	plEnergy base;     // two corners, or one if there are points
	double* stiffness; // [elementCount] k, N/m
	double* rest;      // [elementCount] L, m
	double* points;    // [3 elementCount] the other ends; NULL: vertices
} plSpringEnergy;

// Room for `count` springs, one at least; the caller fills vertices, stiffness, rest and points. NULL: no memory
plSpringEnergy* plSpringEnergy_Create(size_t count, bool toPoints, plHeap* heap);

#endif
