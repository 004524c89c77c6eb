// material.h: the laws by name: coefficients, their ranges, and what young and poisson make of them
#ifndef PL_MATERIAL_H
#define PL_MATERIAL_H

#include "pliant/types.h"
#include "../base/base.h"

// A law with its coefficients worked out.
typedef struct plMaterial
{
	plLaw law;
	double c[PL_COEFFICIENT_COUNT];
} plMaterial;

// pl_errorInput with words if the def has no meaning: poisson outside (-1, 0.5), young <= 0, a coefficient out of
// range.
plResult plMaterial_Resolve(plMaterial* material, const plMaterialDef* def, plError* error);

// P-wave modulus K + 4/3 mu of small strains, Pa: the largest slope of stress against strain at rest.
double plMaterial_GetModulus(const plMaterial* material);

#endif
