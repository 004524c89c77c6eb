// spline.h: the law `spline`, three functions of one variable in pieces of cubics
//
//   psi = sum a(s_i) + sum b(s_i s_j) + c(s_0 s_1 s_2)                                    (Valanis and Landel),
//   spline.c
#ifndef PL_SPLINE_H
#define PL_SPLINE_H

#include "pliant/types.h"
#include "../base/base.h"

typedef struct plSpline plSpline;

// From the def's curves, or from its preset scaled by mu and lambda. NULL and words on error.
plSpline* plSpline_Create(const plMaterialDef* def, double mu, double lambda, plHeap* heap, plError* error);
void plSpline_Destroy(plSpline* spline, plHeap* heap); // NULL is allowed

// A plStretchLawFcn; `spline` is a plSpline.
void plSpline_Stretches(const double s[3], double* psi, double d[3], double dd[6], void* spline);

#endif
