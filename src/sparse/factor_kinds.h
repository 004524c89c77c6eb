// factor_kinds.h: what the door of factor.c hands over to: CHOLMOD, and our own factorisation
//
// n > 0 in all of them; arguments as in factor.h. Included by factor.c and the two implementations only.
#ifndef PL_FACTOR_KINDS_H
#define PL_FACTOR_KINDS_H

#include "factor.h"
#include "supernodes.h"

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

// For substitution.c: the shape, for each row of a supernode its place among the columns and rows of the parent, and
// columns of the inverted factor: x = D^-1 E, y = R x with E the unit vectors first .. first+count-1, count <= 4.
// Vector v starts at *x + v * *xStep, *y + v * *yStep, in work space of the factor.
const plSupernodes* plOwnFactor_GetShape(const plOwnFactor* factor);
const uint32_t* plOwnFactor_GetRelative(const plOwnFactor* factor);
void plOwnFactor_InvertColumns(plOwnFactor* factor, size_t supernode, size_t first, size_t count, const double** x,
                               size_t* xStep, const double** y, size_t* yStep);

#endif
