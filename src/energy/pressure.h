// pressure.h: pressure on closed surfaces, triangle by triangle
#ifndef PL_PRESSURE_H
#define PL_PRESSURE_H

#include "energy.h"

// A closed surface with one pressure: some elements, one after the other
typedef struct plPressurePart
{
	size_t begin, end;
	double pressure;  // Pa, above that outside; below 0 where triangles face inwards
	double origin[3]; // that volumes are counted from, m
	double reach;     // largest distance of a corner from it at the start of the substep, m
} plPressurePart;

typedef struct plPressureEnergy
{
	plEnergy base;
	plPressurePart* parts; // [partCount]
	size_t partCount;
	uint32_t* partOf; // [elementCount]
} plPressureEnergy;

// Vertices and parts are the caller's to fill, and then plPressureEnergy_Spread. NULL: no memory
plPressureEnergy* plPressureEnergy_Create(size_t triangleCount, size_t partCount, plHeap* heap);
void plPressureEnergy_Spread(plPressureEnergy* energy);

#endif
