// any_material.h: a material of every law, also of those that have no young and poisson
#ifndef PL_TEST_ANY_MATERIAL_H
#define PL_TEST_ANY_MATERIAL_H

#include "pliant/material.h"

typedef struct Lame
{
	double mu, lambda;
} Lame;

static inline Lame lameOf(double young, double poisson)
{
	return (Lame){young / (2.0 * (1.0 + poisson)), young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson))};
}

// Corotated elasticity as a callback; the context holds Lame's coefficients.
static inline void corotatedCallback(const double s[3], double* psi, double d[3], double dd[6], void* context)
{
	const Lame* lame = context;
	double e = s[0] + s[1] + s[2] - 3.0;
	*psi = 0.5 * lame->lambda * e * e;
	for (int i = 0; i < 3; ++i)
	{
		*psi += lame->mu * (s[i] - 1.0) * (s[i] - 1.0);
		d[i] = 2.0 * lame->mu * (s[i] - 1.0) + lame->lambda * e;
		dd[i] = 2.0 * lame->mu + lame->lambda;
		dd[3 + i] = lame->lambda;
	}
}

// A callback for many elements, made of one for one
static inline void askEach(plStretchLawFcn* one, const double* s, size_t count, double* psi, double* d, double* dd,
                           void* context)
{
	for (size_t e = 0; e < count; ++e)
	{
		const double x[3] = {s[e], s[count + e], s[2 * count + e]};
		double value, first[3], second[6];
		one(x, &value, first, second, context);
		if (psi != NULL)
			psi[e] = value;
		for (size_t i = 0; i < 3; ++i)
			d[count * i + e] = first[i];
		for (size_t i = 0; i < 6 && dd != NULL; ++i)
			dd[count * i + e] = second[i];
	}
}

static inline void manyCorotated(const double* s, size_t count, double* psi, double* d, double* dd, void* context)
{
	askEach(corotatedCallback, s, count, psi, d, dd, context);
}

// So is St. Venant-Kirchhoff.
static inline void stvkCallback(const double s[3], double* psi, double d[3], double dd[6], void* context)
{
	const Lame* lame = context;
	double e = 0.5 * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3.0);
	*psi = 0.5 * lame->lambda * e * e;
	for (int i = 0; i < 3; ++i)
	{
		double E = 0.5 * (s[i] * s[i] - 1.0);
		*psi += lame->mu * E * E;
		d[i] = s[i] * (lame->lambda * e + 2.0 * lame->mu * E);
		dd[i] = lame->lambda * e + 2.0 * lame->mu * E + (2.0 * lame->mu + lame->lambda) * s[i] * s[i];
	}
	dd[3] = lame->lambda * s[0] * s[1];
	dd[4] = lame->lambda * s[0] * s[2];
	dd[5] = lame->lambda * s[1] * s[2];
}

// From young and poisson where the law has them; else as stiff as that, with mu, or by a callback. The result holds
// until the next call.
static inline plMaterialDef anyMaterial(plLaw law, double young, double poisson)
{
	static Lame lame;
	lame = lameOf(young, poisson);
	plMaterialDef def = plDefaultMaterialDef();
	def.law = law;
	def.fromModuli = plLaw_HasModuli(law);
	def.young = young;
	def.poisson = poisson;
	if (plLaw_GetCoefficientName(law, 0) != NULL)
		def.coefficients[0] = lame.mu;
	if (law == pl_lawStrainLimit)
	{
		const double rest[3] = {4.0 * lame.mu, 0.86, 1.17}; // knots of its stress, away from numbers that tests use
		for (int i = 0; i < 3; ++i)
			def.coefficients[i + 1] = rest[i];
	}
	def.preset = law == pl_lawSpline ? pl_splineA : pl_splineOwn;
	def.callback = law == pl_lawCallback ? corotatedCallback : NULL;
	def.callbackContext = &lame;
	return def;
}

#endif
