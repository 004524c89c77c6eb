// membrane.h: what sheets are made of, with stiffnesses worked out
//
//   mu = E t/(2 (1 + nu)),   lambda = E t nu/(1 - nu^2),   D = E t^3/(12 (1 - nu^2))      plane stress, t thickness
//
// A sheet is free to become thinner where it is stretched. So lambda is not that of a body: with that one it would be
// too stiff, without bound as nu nears 1/2.
#ifndef PL_MEMBRANE_H
#define PL_MEMBRANE_H

#include "pliant/cloth.h"
#include "../base/base.h"

// A law with its coefficients, N/m
//   stvk, orthotropic                 c11, c22, c12, c33: (c11 E11^2 + c22 E22^2)/2 + c12 E11 E22 + 2 c33 E12^2
//   neo-hookean, corotated            mu, lambda
//   arap                              mu
//   strain-limit                      mu, stiffness outside of the limits, low, high
typedef struct plMembrane
{
	plMembraneLaw law;
	double c[4];
	double viscosity; // N s/m: viscous damping times thickness; the resolver leaves it 0
} plMembrane;

// Stiffnesses by bending, N m
//   quadratic, hinge   D in c[0]
//   plate              c11, c22, c12, c33: (c11 k11^2 + c22 k22^2)/2 + c12 k11 k22 + 2 c33 k12^2, k curvature
typedef struct plBending
{
	plBendingModel model;
	double c[4];
	double viscosity; // s: damping; the resolver leaves it 0
} plBending;

// pl_errorInput with words and field if the def has no meaning. Springs have no membrane: only `c[0]` is set, N/m.
plResult plMembrane_Resolve(plMembrane* membrane, const plMembraneDef* def, double thickness, plError* error);
plResult plBending_Resolve(plBending* bending, const plBendingDef* def, const plMembraneDef* membrane, double thickness,
                           plError* error);

// Largest slope of stress against strain at rest, N/m; of moment against curvature, N m
double plMembrane_GetModulus(const plMembrane* membrane);
double plBending_GetModulus(const plBending* bending);

// Does the method projective take it?
bool plMembraneLaw_IsProjection(plMembraneLaw law);

#endif
