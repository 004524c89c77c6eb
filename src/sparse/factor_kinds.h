// factor_kinds.h: what the door of factor.c hands over to: CHOLMOD, and our own factorisation
//
// n > 0 in all of them; arguments as in factor.h. Included by factor.c and the two implementations only.
#ifndef PL_FACTOR_KINDS_H
#define PL_FACTOR_KINDS_H

#include "factor.h"

typedef struct plCholmodFactor plCholmodFactor;
plCholmodFactor* plCholmodFactor_Create(bool supernodal, size_t n, const size_t* start, const uint32_t* rows,
                                        plHeap* heap, plError* error);
plResult plCholmodFactor_Numeric(plCholmodFactor* factor, const double* values);
plResult plCholmodFactor_Solve(plCholmodFactor* factor, const double* b, double* x, size_t count);
size_t plCholmodFactor_GetNonzeros(const plCholmodFactor* factor);
void plCholmodFactor_Destroy(plCholmodFactor* factor);

typedef struct plOwnFactor plOwnFactor;
plOwnFactor* plOwnFactor_Create(size_t n, const size_t* start, const uint32_t* rows, plHeap* heap, plError* error);
plResult plOwnFactor_Numeric(plOwnFactor* factor, const double* values);
plResult plOwnFactor_Solve(plOwnFactor* factor, const double* b, double* x, size_t count);
void plOwnFactor_SetPool(plOwnFactor* factor, plPool* pool);
size_t plOwnFactor_GetNonzeros(const plOwnFactor* factor);
void plOwnFactor_Destroy(plOwnFactor* factor);

#endif
