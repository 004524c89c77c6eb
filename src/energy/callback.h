// callback.h: an energy of the caller's own: its elements, and the function that says what they are worth
//
// A world makes one for every plEnergyDef. callback.c asks the function and makes verbs of its answers;
// callback_check.c compares its answers with each other before the first step.
#ifndef PL_CALLBACK_ENERGY_H
#define PL_CALLBACK_ENERGY_H

#include "energy.h"
#include "../base/rooms.h"

typedef enum plEnergyPart
{
	pl_partValue,
	pl_partGradient,
	pl_partHessian,
	pl_partCount
} plEnergyPart;

typedef struct plCallbackEnergy
{
	plEnergy base;     // with the verbs below
	plEnergyVerbs own; // what is said of it differs from energy to energy
	plEnergyFcn* evaluate;
	void* context;
	double* stiffness; // [elementCount] of an element as a whole, N/m; 0 until it is measured, as the next two
	double* size;      // [elementCount] between its corners at rest, m
	double* weights;   // [pairs elementCount] of its corners in the Laplacian, N/m
	plRooms rooms;     // a plCallbackRoom each
	// [pl_partCount] the first element with a number that is not finite although its corners are; SIZE_MAX: none
	atomic_size_t* bad;
} plCallbackEnergy;

// What a call of the function reads and writes, for plEnergy_GetBatch elements at most.
typedef struct plCallbackRoom
{
	double* start;
	double* x;     // [3 corners] of each element, as the next but one
	double* value; // of each
	double* gradient;
	double* hessian; // [3 corners][3 corners] of each
	double* work;    // for plMakeSemidefinite
} plCallbackRoom;

// Vertices are the caller's to fill, and stiffness where it is known; the name is not copied. NULL: no memory
plCallbackEnergy* plCallbackEnergy_Create(const plEnergyDef* def, const char* name, const plPool* pool, plHeap* heap);

plCallbackRoom plCallbackEnergy_Enter(const plCallbackEnergy* energy);
void plCallbackEnergy_Leave(const plCallbackEnergy* energy, plCallbackRoom room);
// Corners of `count` elements at q into room.x
void plCallbackEnergy_Gather(const plCallbackEnergy* energy, const double* q, size_t first, size_t count,
                             plCallbackRoom room);
// A matrix becomes the mean of itself and its transpose.
void plCallbackEnergy_Symmetrise(double* hessian, size_t rows);

// callback_check.c
//
// Are the answers at q finite, the same whatever is asked for, symmetric, and derivatives of each other? They are
// compared at q and close to it; `reach` is the extent of what is simulated, m. pl_success, pl_errorInput with the
// element and the numbers, or pl_errorMemory.
plResult plCallbackEnergy_Check(const plCallbackEnergy* energy, const double* q, double reach, plHeap* heap,
                                plError* error);
// Sizes, and weights of the Laplacian, from the Hessians at rest; `stiffness` where it is 0. pl_errorInput if a number
// is not finite.
plResult plCallbackEnergy_Measure(plCallbackEnergy* energy, const double* rest, plError* error);

// Which part of which element was not finite since the last clearing, Hessians first; SIZE_MAX: none was. Values and
// gradients are asked about states that are then refused, too, but Hessians never.
void plCallbackEnergy_ClearBad(const plCallbackEnergy* energy);
size_t plCallbackEnergy_GetBad(const plCallbackEnergy* energy, plEnergyPart* part);

#endif
