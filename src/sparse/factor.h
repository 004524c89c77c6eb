// factor.h: P A P' = L D L' of a sparse symmetric matrix; the only door to third-party factorisations
//
// Symbolic and numeric parts are separate: plFactor_Create orders and analyses a pattern once, plFactor_Numeric takes
// the values as often as they change, plFactor_Solve solves. After its first numeric call our own factorisation
// allocates nothing. CHOLMOD allocates inside numeric calls, from malloc and not through the heap.
#ifndef PL_FACTOR_H
#define PL_FACTOR_H

#include "../base/base.h"
#include "pliant/solver.h"

typedef struct plFactor plFactor;

typedef enum plFactorKind
{
	pl_factorKindSimplicial, // CHOLMOD, row by row; same bits everywhere
	pl_factorKindSupernodal, // CHOLMOD through BLAS held to one thread; same bits on one type of processor
	pl_factorKindOwn,        // our own, by dense blocks; same bits per instruction set, needs no third party
} plFactorKind;

bool plFactor_Exists(plFactorKind kind); // in this build; CHOLMOD's library may still be missing when it is run

// The kind that serves a caller's wish best in this build: by measured time for `auto`.
plFactorKind plFactor_Choose(plFactorisation wanted, size_t unknowns);

// Symmetric pattern: lower triangle by columns. rows[start[j] .. start[j+1]-1] ascending, first is j itself.
plFactor* plFactor_Create(plFactorKind kind, size_t n, const size_t* start, const uint32_t* rows, plHeap* heap,
                          plError* error);

// Threads for numeric calls of our own kind; NULL, as at the start: the calling thread alone. Results do not depend on
// it.
void plFactor_SetPool(plFactor* factor, plPool* pool);

// Values in the order of the pattern. pl_success; pl_errorNumeric if the matrix is not positive definite (the factor
// is then unusable until the next numeric call); pl_errorMemory.
plResult plFactor_Numeric(plFactor* factor, const double* values);

// x = A^-1 b for `count` right-hand sides, each n long, one after the other; x may be b.
plResult plFactor_Solve(plFactor* factor, const double* b, double* x, size_t count);

size_t plFactor_GetNonzeros(const plFactor* factor); // of L
void plFactor_Destroy(plFactor* factor);

#endif
