// substitution.h: A^-1 b for a constant matrix and three right-hand sides at once, in single precision
//
// It is for matrices that are factorised once and solved with thousands of times, where the answer is a direction and
// not a result. The factor is in single precision, which halves what every solve has to read. The operation is
// symmetric and positive definite up to rounding, because the way back is the transpose of the way there.
#ifndef PL_SUBSTITUTION_H
#define PL_SUBSTITUTION_H

#include "../base/base.h"

typedef struct plSubstitution plSubstitution;

// Analyses a pattern as in factor.h. NULL: error.
plSubstitution* plSubstitution_Create(size_t n, const size_t* start, const uint32_t* rows, plHeap* heap,
                                      plError* error);
void plSubstitution_Destroy(plSubstitution* s);

// Values in the order of the pattern. pl_errorNumeric if the matrix is not positive definite; pl_errorMemory.
plResult plSubstitution_Factorise(plSubstitution* s, const double* values, plPool* pool);

// x = A^-1 b, 4 numbers per unknown of which three count; only those in `axes` (bits 1, 2, 4) are written, and the
// fourth as 0. b and x may be the same. Same bits for any pool.
void plSubstitution_Solve(plSubstitution* s, plPool* pool, const double* b, double* x, unsigned axes);

size_t plSubstitution_GetBytes(const plSubstitution* s);      // that a solve reads twice
size_t plSubstitution_GetNonzeros(const plSubstitution* s);   // of the factor
double plSubstitution_GetFactorWork(const plSubstitution* s); // multiplications of a factorisation
#endif
