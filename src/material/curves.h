// curves.h: the curves of the law `spline`, made from knots or from a preset and evaluated
#ifndef PL_CURVES_H
#define PL_CURVES_H

#include "pliant/material.h"
#include "../base/base.h"

typedef struct plSpline plSpline;

// From the def's curves, or from its preset scaled by mu and lambda. NULL and words on error.
plSpline* plSpline_Create(const plMaterialDef* def, double mu, double lambda, plHeap* heap, plError* error);
void plSpline_Destroy(plSpline* spline, plHeap* heap); // NULL is allowed

// A plStretchLawFcn; `spline` is a plSpline.
void plSpline_Stretches(const double s[3], double* psi, double d[3], double dd[6], void* spline);

#endif
