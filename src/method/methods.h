// methods.h: one method type per file
#ifndef PL_METHODS_H
#define PL_METHODS_H

#include "method.h"

extern const plMethodType plNewtonType;                                                        // newton.c
extern const plMethodType plNewtonCgType;                                                      // newton_cg.c
extern const plMethodType plQuasiNewtonType, plProjectiveType;                                 // quasi_newton.c
extern const plMethodType plDescentType, plJacobiType, plGradientType, plNcgType, plLbfgsType; // descent.c

extern const plMethodType plVbdType;  // vbd.c
extern const plMethodType plAutoType; // auto.c

// Of quasi-newton, as soon as it has been refreshed: initial_matrix.h
bool plQuasiNewton_GetSize(const plMethodState* state, double* nonzeros, double* work);

#endif
