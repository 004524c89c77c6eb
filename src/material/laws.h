// laws.h: every law, as (enumerator of plLaw, table)
//
// A new law is one header with the functions of law.h, its line here, its row in material.c and its enumerator.
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
#include "callback.h"
#include "strain_limit.h"

#define EVERY_LAW(X)                                                                                                   \
	X(pl_lawStvk, stvk)                                                                                                \
	X(pl_lawNeoHookean, neoHookean)                                                                                    \
	X(pl_lawMooneyRivlin, mooneyRivlin)                                                                                \
	X(pl_lawCorotated, corotated)                                                                                      \
	X(pl_lawNeoHookeanIso, neoHookeanIso)                                                                              \
	X(pl_lawFung, fung)                                                                                                \
	X(pl_lawArap, arap)                                                                                                \
	X(pl_lawStableNeoHookean, stableNeoHookean)                                                                        \
	X(pl_lawPolynomial, polynomial)                                                                                    \
	X(pl_lawSpline, callback)                                                                                          \
	X(pl_lawCallback, callback)                                                                                        \
	X(pl_lawStrainLimit, strainLimit)

#endif
