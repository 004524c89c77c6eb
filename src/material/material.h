// material.h: the laws by name: coefficients, their ranges, and what young and poisson make of them
#ifndef PL_MATERIAL_H
#define PL_MATERIAL_H

#include "pliant/material.h"
#include "../base/base.h"
#include "curves.h"

// A law with its coefficients worked out.
typedef struct plMaterial
{
	plLaw law;
	double c[PL_COEFFICIENT_COUNT];
	double modulus;                   // Pa, see plMaterial_GetModulus
	double fibres[PL_FIBRE_COUNT][4]; // unit direction, stiffness (Pa) above 0
	int fibreCount;
	double convertMu;           // of the law that inverted elements convert to (convert.h), Pa; 0: none
	double convertUpper;        // the stretch below which they do
	plStretchLawFcn* stretches; // spline and callback: this one,
	plStretchLawBatchFcn* many; // or this one
	void* context;
	plSpline* spline; // owned; NULL for other laws
} plMaterial;

// pl_errorInput with words if the def has no meaning: poisson outside (-1, 0.5), young <= 0, a coefficient out of
// range. `heap` holds what the material keeps.
plResult plMaterial_Resolve(plMaterial* material, const plMaterialDef* def, plHeap* heap, plError* error);
void plMaterial_Destroy(plMaterial* material, plHeap* heap);

// Has it a closed form in F? Others are known by stretches only, which cost fifteen times as much to find.
bool plLaw_IsClosed(plLaw law);

// What a law that is a function says at stretches s
static inline void plMaterial_Ask(const plMaterial* material, const double s[3], double* psi, double d[3], double dd[6])
{
	if (material->many != NULL)
		material->many(s, 1, psi, d, dd, material->context);
	else
		material->stretches(s, psi, d, dd, material->context);
}

// Slope of stress against strain, Pa: the P-wave modulus K + 4/3 mu at rest, or for laws that are given as functions
// the largest slope at stretches 0.5, 1 and 1.5; and the fibres' stiffness.
double plMaterial_GetModulus(const plMaterial* material);

// Stiffness that a law with coefficients c has in the matrix M/h^2 + L; 0: it is to be fitted to the stress.
double plLaw_GetLaplacian(plLaw law, const double* c);

#endif
