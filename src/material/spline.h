// spline.h: three functions of one variable in pieces of cubics
//
//   psi = sum a(s_i) + sum b(s_i s_j) + c(s_0 s_1 s_2)                                    (Valanis and Landel),
//   curves.c
//
// Computed in double precision for one element at a time, as in callback.h; so it is for the host only.
#ifndef PL_SPLINE_H
#define PL_SPLINE_H

#include "callback.h"

KERNEL stretchLaw splineStretch(coefficients c, vec3 s)
{
	return callbackStretch(c, s);
}

// ---- for the host --------------------------------------------------------------------------------------------------

#ifdef PL_LAW_ROWS
#include "law_row.h"

// Curves of the caller's say it all.
static bool splineHasCoefficients(const plMaterialDef* def)
{
	return def->preset != pl_splineOwn;
}

static plResult splineResolve(plMaterial* material, const plMaterialDef* def, plHeap* heap, plError* error)
{
	plError local = {0};
	material->spline = plSpline_Create(def, material->c[0], material->c[1], heap, &local);
	if (material->spline == NULL)
	{
		if (error != NULL)
			*error = local;
		return local.code;
	}
	material->stretches = plSpline_Stretches;
	material->context = material->spline;
	return pl_success;
}

// mu and lambda are those of a preset. lambda is a factor of a convex curve: if it were negative, the energy would fall
// without bound.
static const lawRow splineRow = {
    .name = "spline",
    .coefficients = {{.name = "mu", .range = pl_rangePositive}, {.name = "lambda", .range = pl_rangeNotNegative}},
    .hasCoefficients = splineHasCoefficients,
    .fromModuli = lameFromModuli,
    .lambdaIsFactor = true,
    .resolve = splineResolve,
};

#endif
#endif
