// laws.h: every law, and what the law with a given number says
//
// A new law is one file with the functions of law.h, and its row here with its enumerator of plLaw, in the same order:
//
//   CLOSED   it has a closed form in F
//   STRETCH  it is known by stretches only
//   HOST     the same, by a pointer to a function, which OpenCL C does not have
//
// Where the number is a constant the compiler leaves nothing of the choice; so loops are written once, for any law.
#ifndef PL_LAWS_H
#define PL_LAWS_H

#include "stvk.h"
#include "neo_hookean.h"
#include "mooney_rivlin.h"
#include "corotated.h"
#include "neo_hookean_iso.h"
#include "fung.h"
#include "arap.h"
#include "stable_neo_hookean.h"
#include "polynomial.h"
#include "strain_limit.h"
#ifndef __OPENCL_C_VERSION__
#include "spline.h"
#include "callback.h"
#endif

#define LAWS(CLOSED, STRETCH, HOST)                                                                                    \
	CLOSED(pl_lawStvk, stvk)                                                                                           \
	CLOSED(pl_lawNeoHookean, neoHookean)                                                                               \
	CLOSED(pl_lawMooneyRivlin, mooneyRivlin)                                                                           \
	STRETCH(pl_lawCorotated, corotated)                                                                                \
	CLOSED(pl_lawNeoHookeanIso, neoHookeanIso)                                                                         \
	CLOSED(pl_lawFung, fung)                                                                                           \
	STRETCH(pl_lawArap, arap)                                                                                          \
	CLOSED(pl_lawStableNeoHookean, stableNeoHookean)                                                                   \
	STRETCH(pl_lawPolynomial, polynomial)                                                                              \
	HOST(pl_lawSpline, spline)                                                                                         \
	HOST(pl_lawCallback, callback)                                                                                     \
	STRETCH(pl_lawStrainLimit, strainLimit)

#define NO_LAW(name, law)
#define EVERY_CLOSED_LAW(X) LAWS(X, NO_LAW, NO_LAW)

#ifdef __OPENCL_C_VERSION__
#define EVERY_LAW(X) LAWS(X, X, NO_LAW)
#define LAW_ENUMERATOR(name, law) name,
enum
{
	LAWS(LAW_ENUMERATOR, LAW_ENUMERATOR, LAW_ENUMERATOR) pl_lawCount
};
#else
#define EVERY_LAW(X) LAWS(X, X, X)
#endif

// ---- by number ------------------------------------------------------------------------------------------------------

// Without optimisation nothing folds, and code that checks itself folds late: every loop would hold every law.
#if defined(__OPENCL_C_VERSION__) || (defined(__OPTIMIZE__) && !defined(PLIANT_VALIDATE))
#define BY_NUMBER KERNEL
#else
#define BY_NUMBER static __attribute__((noinline, unused))
#endif

#define IS_CLOSED(name, law) case name:
KERNEL bool lawIsClosed(int law)
{
	switch (law)
	{
		EVERY_CLOSED_LAW(IS_CLOSED)
		return true;
	default:
		return false;
	}
}

#define STRETCH_CASE(name, law)                                                                                        \
	case name:                                                                                                         \
		return law##Stretch(c, s);
BY_NUMBER stretchLaw lawStretch(int law, coefficients c, vec3 s)
{
	switch (law)
	{
		EVERY_LAW(STRETCH_CASE)
	}
	UNREACHABLE();
}

// ---- closed forms by number -----------------------------------------------------------------------------------------

#define LINEAR_CASE(name, law)                                                                                         \
	case name:                                                                                                         \
		return law##IsLinear != 0;
KERNEL bool lawIsLinear(int law)
{
	switch (law)
	{
		EVERY_CLOSED_LAW(LINEAR_CASE)
	}
	UNREACHABLE();
}

#define HAS_ROOT_CASE(name, law)                                                                                       \
	case name:                                                                                                         \
		return law##HasRoot != 0;
KERNEL bool lawHasRoot(int law)
{
	switch (law)
	{
		EVERY_CLOSED_LAW(HAS_ROOT_CASE)
	}
	UNREACHABLE();
}

#define CURVES_CASE(name, law)                                                                                         \
	case name:                                                                                                         \
		return law##Curves;
KERNEL int lawCurves(int law)
{
	switch (law)
	{
		EVERY_CLOSED_LAW(CURVES_CASE)
	}
	UNREACHABLE();
}

#define ROOT_CASE(name, law)                                                                                           \
	case name:                                                                                                         \
		return law##Root(J);
BY_NUMBER real lawRoot(int law, real J)
{
	switch (law)
	{
		EVERY_CLOSED_LAW(ROOT_CASE)
	}
	UNREACHABLE();
}

KERNEL real lawRootAt(int law, mat3 F)
{
	return lawHasRoot(law) ? lawRoot(law, closedVolume(F, cofactor33(F))) : SPLAT(1);
}

#define VALUE_CASE(name, law)                                                                                          \
	case name:                                                                                                         \
		return law##Value(c, F, root);
BY_NUMBER density lawValue(int law, coefficients c, mat3 F, real root)
{
	switch (law)
	{
		EVERY_CLOSED_LAW(VALUE_CASE)
	}
	UNREACHABLE();
}

#define STRESS_CASE(name, law)                                                                                         \
	case name:                                                                                                         \
		return law##Stress(c, F, root);
BY_NUMBER mat3 lawStress(int law, coefficients c, mat3 F, real root)
{
	switch (law)
	{
		EVERY_CLOSED_LAW(STRESS_CASE)
	}
	UNREACHABLE();
}

#define INVARIANTS_CASE(name, law)                                                                                     \
	case name:                                                                                                         \
		return law##Invariants(c, I, II, J);
BY_NUMBER invariantLaw lawInvariants(int law, coefficients c, real I, real II, real J)
{
	switch (law)
	{
		EVERY_CLOSED_LAW(INVARIANTS_CASE)
	}
	UNREACHABLE();
}

#endif
