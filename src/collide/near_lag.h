// near_lag.h: friction of surfaces on surfaces around a minimisation: its lag, and its grips
//
// The list of pairs (energy/near.h) has to be complete about every q that is given here.
#ifndef PL_NEAR_LAG_H
#define PL_NEAR_LAG_H

#include "../energy/near.h"

// Distances of pairs begin .. end-1 of the list, several at a time; and which pairs are close at q (energy/near.h)
void plNearEnergy_Measure(const plNearEnergy* near, const double* places, size_t begin, size_t end, double* distance);
void plNearEnergy_ListCloseAt(plNearEnergy* near, const double* q, plPool* pool);

// At the start of a substep, after `begin`, and of each epoch: which pairs rub at q, and the most that friction gives
// there. pl_success or pl_errorMemory. Allocates only when more pairs rub than ever before.
plResult plNearEnergy_LagFriction(plNearEnergy* near, const double* q, plPool* pool, plHeap* heap);

// At the end of a substep: friction as it is at q, and the grips that the next substep begins with: what the springs
// hold. Those of pairs that parted are dropped. Results as above.
plResult plNearEnergy_TakeGrips(plNearEnergy* near, const double* q, plPool* pool, plHeap* heap);

// How far friction's forces at q are from those that it would have if an epoch began there: 2-norm over the axes that
// are not held, N. `partial` is work space for a sum of width 1 over the vertices.
double plNearEnergy_GetLag(plNearEnergy* near, const double* q, const uint8_t* held, plPool* pool, double* partial);

int plNearGrip_Compare(const void* a, const void* b); // the order of grips, which is that of pairs, for qsort

// Does any pair rub?
static inline bool plNearEnergy_Rubs(const plNearEnergy* near)
{
	return near->friction != NULL && near->friction->base.elementCount > 0;
}

#endif
