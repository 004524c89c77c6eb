// pressure.h: pressure on closed surfaces, triangle by triangle
#ifndef PL_PRESSURE_H
#define PL_PRESSURE_H

#include "energy.h"

// Gas in a closed surface: p = amount phi(V) - ambient, phi(V) = 1/V, below `least` its tangent
typedef struct plGas
{
	double amount;  // n R T, J
	double ambient; // Pa
	double least;   // volume, m^3
} plGas;

double plGas_GetPressure(const plGas* gas, double volume);            // above the ambient one, Pa
double plGas_GetAmount(double pressure, double volume, double least); // that has an absolute pressure there, J

// A closed surface with one pressure: some elements, one after the other
typedef struct plPressurePart
{
	size_t begin, end;
	double pressure; // Pa, above that outside; below 0 where triangles face inwards. Of gas, where it was measured
	bool isGas;      // else the pressure is given
	plGas gas;
	bool inwards;     // triangles face inwards: the volume is minus the sum over them
	double origin[3]; // that volumes are counted from, m
	double reach;     // largest distance of a corner from it at the start of the substep, m

	// gas, at the place that was measured last
	double volume;    // m^3
	double noise;     // bound on its rounding, m^3
	double area;      // m^2
	double along;     // change of the volume along d, m^3
	double reference; // volume where the energy is 0: at the start of the substep, m^3
	double first;     // pressure there, above the ambient one, Pa
} plPressurePart;

typedef struct plPressureEnergy
{
	plEnergy base;
	plPressurePart* parts; // [partCount]
	size_t partCount;
	uint32_t* partOf; // [elementCount]
} plPressureEnergy;

// Vertices and parts are the caller's to fill, and then plPressureEnergy_Spread. `takesGas`: a part may be gas, now or
// later. NULL: no memory
plPressureEnergy* plPressureEnergy_Create(size_t triangleCount, size_t partCount, bool takesGas, plHeap* heap);
void plPressureEnergy_Spread(plPressureEnergy* energy);

#endif
