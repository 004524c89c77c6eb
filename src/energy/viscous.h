// viscous.h: damping inside tetrahedra by the rate of their Green strain
#ifndef PL_VISCOUS_H
#define PL_VISCOUS_H

#include "energy.h"

typedef struct plViscousEnergy
{
	plEnergy base;     // four corners
	double* inverse;   // [9 elementCount] Dm^-1 by rows, 1/m
	double* viscosity; // [elementCount] V c, m^3 Pa s
	double* reference; // [6 elementCount] strain that the substep starts from: xx yy zz xy xz yz
	double h;          // of the substep, s
} plViscousEnergy;

// Room for `count` tets, one at least; the caller fills vertices and viscosity (with c alone), then calls Prepare.
// NULL: no memory
plViscousEnergy* plViscousEnergy_Create(size_t count, plHeap* heap);
// Rest shapes from `rest`, by quads; multiplies the viscosities by the volumes.
void plViscousEnergy_Prepare(plViscousEnergy* energy, const double* rest);
bool plViscousEnergy_Make(const plEnergySource* source, plEnergy** energy); // of bodies that have it

#endif
