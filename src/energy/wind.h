// wind.h: drag of moving air on cloth, vertex by vertex
#ifndef PL_WIND_H
#define PL_WIND_H

#include "energy.h"

typedef struct plWindEnergy
{
	plEnergy base; // an element is a vertex of cloth
	size_t triangleCount;
	uint32_t* triangles; // [3 triangleCount] elements of the corners
	double* drag;        // [6 elementCount] D: xx yy zz xy xz yz, kg/s
	double* target;      // [3 elementCount] a + h w, m
	double wind[3];      // w of the substep, m/s
	double h;            // of the substep, s
} plWindEnergy;

// Vertices and triangles are the caller's to fill. NULL: no memory
plWindEnergy* plWindEnergy_Create(size_t vertexCount, size_t triangleCount, plHeap* heap);

// What a triangle of air resists with
typedef struct plDrag
{
	double density;         // kg/m^3
	double normal, tangent; // coefficients
} plDrag;

// Works D out for a substep that starts at q with velocities v (by quads), in a wind w. `begin` comes after it.
void plWindEnergy_Blow(plWindEnergy* energy, const double* q, const double* v, const double w[3], plDrag drag);

#endif
