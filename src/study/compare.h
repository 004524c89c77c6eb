// compare.h: what tune asks of a comparison
#ifndef PL_STUDY_COMPARE_H
#define PL_STUDY_COMPARE_H

#include "pliant/compare.h"

// Runs each solver once on the problem of the next step: errors[i] is what is left of the error when solver i is done,
// infinity if its numbers stopped being finite. With `known` the reference is taken, else found.
plResult plWorld_MeasureEnds(plWorld* world, const plSolverDef* solvers, size_t count, bool known,
                             plComparison* reference, double* errors, plError* error);

#endif
