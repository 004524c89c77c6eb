// callback.h: laws that are a function in double precision, called for one element or for many at a time
//
//   psi(s_0, s_1, s_2) with three first and six second derivatives, by a pointer
//
// The function is compiled once, so a lane has the same bits on every instruction set and width. Float kernels round
// its results. The law `spline` (curves.c) and laws of the caller use it.
//
// What the function adds up is not known here. Its value is assumed to be off by a few roundings of double. Each has
// the size of the value, of s_i psi_i, or of the modulus c[0] times 1 + I; the last remains at rest, where large terms
// cancel.
#ifndef PL_CALLBACK_H
#define PL_CALLBACK_H

#include "law.h"

// What the value was added up from, as far as it is known
KERNEL real callbackMagnitude(coefficients c, vec3 s, const stretchLaw* w)
{
	const scalar inner = K(2.2204460492503131e-16 / (double)REAL_EPSILON);
	real work = ABS(s.a[0] * w->d[0]) + ABS(s.a[1] * w->d[1]) + ABS(s.a[2] * w->d[2]);
	return ABS(w->value) + inner * (work + c.a[0] * (K(1) + dot3(s, s)));
}

// By the function for many elements, those of a vector
KERNEL void askMany(coefficients c, vec3 s, stretchLaw* w)
{
	double x[3 * PL_LANES], value[PL_LANES], d[3 * PL_LANES], dd[6 * PL_LANES];
	for (int k = 0; k < 3 * PL_LANES; ++k)
		x[k] = (double)LANE(s.a[k / PL_LANES], k % PL_LANES);
	c.many(x, PL_LANES, value, d, dd, c.context);
	for (int l = 0; l < PL_LANES; ++l)
	{
		LANE(w->value, l) = (scalar)value[l];
		for (int i = 0; i < 3; ++i)
			LANE(w->d[i], l) = (scalar)d[PL_LANES * i + l];
		for (int i = 0; i < 6; ++i)
			LANE(w->dd[i], l) = (scalar)dd[PL_LANES * i + l];
	}
}

KERNEL void askOne(coefficients c, vec3 s, stretchLaw* w, int l)
{
	double x[3], value, d[3], dd[6];
	for (int i = 0; i < 3; ++i)
		x[i] = (double)LANE(s.a[i], l);
	c.stretches(x, &value, d, dd, c.context);
	LANE(w->value, l) = (scalar)value;
	for (int i = 0; i < 3; ++i)
		LANE(w->d[i], l) = (scalar)d[i];
	for (int i = 0; i < 6; ++i)
		LANE(w->dd[i], l) = (scalar)dd[i];
}

KERNEL stretchLaw callbackStretch(coefficients c, vec3 s)
{
	stretchLaw w;
	if (c.many != NULL)
		askMany(c, s, &w);
	for (int l = 0; l < PL_LANES && c.many == NULL; ++l)
		askOne(c, s, &w, l);
	w.magnitude = callbackMagnitude(c, s, &w);
	return w;
}

// ---- for the host --------------------------------------------------------------------------------------------------

#ifdef PL_LAW_ROWS
#include "law_row.h"

// Free of stress at rest and symmetric in the stretches?
static plResult callbackTry(const plMaterial* material, plError* error)
{
	static const double poses[2][3] = {{1.0, 1.0, 1.0}, {1.3, 1.1, 0.7}};
	double psi, turned, d[3], dd[6];
	for (int p = 0; p < 2; ++p)
	{
		plMaterial_Ask(material, poses[p], &psi, d, dd);
		double sum = psi;
		for (int i = 0; i < 9; ++i)
			sum += i < 3 ? d[i] : dd[i - 3];
		REQUIRE("callback", isfinite(sum), "callback gives a number that is not finite at stretches %.9g %.9g %.9g",
		        poses[p][0], poses[p][1], poses[p][2]);
		if (p == 0)
			for (int i = 0; i < 3; ++i)
				REQUIRE("callback", fabs(d[i]) <= 1e-9 * material->modulus, "callback has a stress of %.9g Pa at rest",
				        d[i]);
	}
	const double back[3] = {poses[1][2], poses[1][0], poses[1][1]};
	plMaterial_Ask(material, back, &turned, d, dd);
	REQUIRE("callback", fabs(turned - psi) <= 1e-9 * (fabs(psi) + material->modulus),
	        "callback is not symmetric in the stretches: %.9g at 1.3 1.1 0.7 and %.9g at 0.7 1.3 1.1", psi, turned);
	return pl_success;
}

static plResult callbackResolve(plMaterial* material, const plMaterialDef* def, plHeap* heap, plError* error)
{
	(void)heap;
	REQUIRE("callback", def->callback != NULL || def->batchCallback != NULL, "callback and batchCallback are NULL");
	REQUIRE("batchCallback", def->callback == NULL || def->batchCallback == NULL,
	        "callback and batchCallback are both given, the law takes one of them");
	material->stretches = def->callback;
	material->many = def->batchCallback;
	material->context = def->callbackContext;
	return pl_success;
}

static const lawRow callbackRow = {.name = "callback", .resolve = callbackResolve, .tryOut = callbackTry};

#endif
#endif
