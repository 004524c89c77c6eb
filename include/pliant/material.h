// material.h: what bodies are made of. types.h includes this.
#ifndef PLIANT_MATERIAL_H
#define PLIANT_MATERIAL_H

#include "base.h"
#include "math.h"

typedef enum plLaw
{
	pl_lawStvk,             // St. Venant-Kirchhoff
	pl_lawNeoHookean,       // mu/2 (I-3) - mu ln J + lambda/2 ln^2 J
	pl_lawMooneyRivlin,     // s0 (J^-2/3 I - 3) + s2 (J^-4/3 II - 3) + s1 (J-1)^2
	pl_lawCorotated,        // mu |F-R|^2 + lambda/2 tr^2(R'F - I)
	pl_lawNeoHookeanIso,    // s0 (J^-2/3 I - 3) + s1 (J-1)^2
	pl_lawFung,             // s0 (J^-2/3 I - 3) + s2 (exp(s3 (J^-2/3 I - 3)) - 1) + s1 (J-1)^2
	pl_lawArap,             // mu |F-R|^2
	pl_lawStableNeoHookean, // mu/2 (I-3) - mu (J-1) + (lambda+mu)/2 (J-1)^2
	pl_lawPolynomial,       // mu sum (s-1)^4
	pl_lawSpline,           // sum a(s_i) + sum b(s_i s_j) + c(s_0 s_1 s_2), cubic splines
	pl_lawCallback,         // a function of the caller's
	pl_lawStrainLimit,      // mu |F-R|^2 + stiffness/2 sum (s - clamp(s, low, high))^2
	pl_lawCount
} plLaw;

// What a law does when an element is squeezed flat or turned inside out.
typedef enum plInversion
{
	pl_inversionExtend,  // the printed law while every stretch is at least 0.1, a C2 extension below
	pl_inversionConvert, // the same, blended with mu sum (s-1)^2 in elements with a stretch below 0.05 (StVK: 0.5)
} plInversion;

#define PL_COEFFICIENT_COUNT 4

// A cubic spline through (x[i], y[i]), x ascending. Beyond its ends it goes on as a parabola. count 0: zero everywhere.
// Two points make a line, three a parabola. More make a spline with a continuous third derivative at the second knot
// from either end.
typedef struct plCurve
{
	const double* x;
	const double* y; // J/m^3
	size_t count;
} plCurve;

// Curves for a and c that come with the library, scaled by mu and lambda.
typedef enum plSplinePreset
{
	pl_splineOwn, // the caller's curves
	pl_splineA,   // resists compression more
	pl_splineB,   // resists tension more
} plSplinePreset;

// The caller's own elastic law: energy density psi (J/m^3), first derivatives psi_0 psi_1 psi_2 and second derivatives
// psi_00 psi_11 psi_22 psi_01 psi_02 psi_12 in the signed stretches s[0] >= s[1] >= |s[2]|. It must be symmetric in the
// stretches and free of stress at rest. It must be finite and twice continuously differentiable, for s[2] <= 0 too.
// Several threads call it at once. It must give the same bits for the same stretches.
typedef void plStretchLawFcn(const double s[3], double* psi, double d[3], double dd[6], void* context);

// The same for `count` elements at once, which costs less than a third. Numbers of one kind stand together: s_0 of all
// elements, then s_1, then s_2; psi; d as s; dd six times `count` numbers. What is NULL is not asked for: psi and dd.
// What it says of an element must not depend on the others, nor on what is asked for.
typedef void plStretchLawBatchFcn(const double* s, size_t count, double* psi, double* d, double* dd, void* context);

#define PL_FIBRE_COUNT 3

// A family of fibres: stiffness/2 (|F d| - 1)^2, d the direction in the rest shape.
typedef struct plFibre
{
	plVec3 direction; // of any length but 0
	double stiffness; // Pa; 0: no fibres
} plFibre;

typedef struct plMaterialDef
{
	plLaw law;
	plInversion inversion;
	bool fromModuli; // true: young and poisson, where the law has them; false: coefficients
	double young;    // Pa
	double poisson;
	double coefficients[PL_COEFFICIENT_COUNT]; // in the order of plLaw_GetCoefficientName

	plSplinePreset preset; // spline
	plCurve a, b, c;       // spline without a preset; used only while the body is created

	plStretchLawFcn* callback; // callback: this one,
	plStretchLawBatchFcn*
	    batchCallback; // or this one; the law callback has no young and poisson: set fromModuli to false
	void* callbackContext;

	// Added to any law. Three families along three axes make it orthotropic.
	plFibre fibres[PL_FIBRE_COUNT];
	uint32_t cookie;
} plMaterialDef;

PL_API plMaterialDef plDefaultMaterialDef(void); // neo-Hookean, 1e5 Pa, 0.45
// pl_errorInput if no body can be made of it. error->message has the reason, error->field the member at fault: "young",
// "coefficients[1]", "fibres[0].direction". A callback is called to check it.
PL_API plResult plMaterialDef_Check(const plMaterialDef* def, plError* error);

// "neo-hookean" and so on; NULL for a law that does not exist.
PL_API const char* plLaw_GetName(plLaw law);
PL_API bool plLaw_IsProjection(plLaw law); // does the method projective take it?
// False if no law has this name.
PL_API bool plFindLaw(const char* name, plLaw* law);
// "mu", "lambda", "s0", ...; NULL past the last one.
PL_API const char* plLaw_GetCoefficientName(plLaw law, int index);
// Its value if none is given (NAN); 0: one has to be given.
PL_API double plLaw_GetCoefficientDefault(plLaw law, int index);
// Does it take young and poisson? `spline` does so only with a preset.
PL_API bool plLaw_HasModuli(plLaw law);

#endif
