// integrator.h: how a substep turns the past into a minimisation, and its minimum into velocities
//
//   q_next = argmin  1/(2 h~^2) |q - y|^2_M + E(q),   every rate at the end of the substep is (x - p)/h~
//
// y inertial target (m), h~ the integrator's step (s), p anchor of x: where x would be without that rate.
// A row of the table in integrator.c is all that the world, the energies and the scene reader know of an integrator.
#ifndef PL_INTEGRATOR_H
#define PL_INTEGRATOR_H

#include "pliant/types.h"
#include "../energy/energy.h"

// What a substep starts from, by quads.
typedef struct plPast
{
	const double *q, *v;
	const double *qOld, *vOld; // one substep earlier
} plPast;

typedef struct plIntegratorType
{
	const char* name; // in scenes
	bool looksBack;   // needs qOld and vOld: where they are not known a substep is implicit Euler
	double share;     // h~ = share h
	double back;      // p = x + (x - x_old)/back
	// y for `count` numbers, under the acceleration a (m/s^2) of x, y, z and of the zero after them
	void (*target)(const plPast* past, double h, const double a[pl_quad], size_t count, double* y);
	// v at the end of the substep, which is at `next`: (next - p)/h~
	void (*velocity)(const plPast* past, double h, const double* next, size_t count, double* v);
} plIntegratorType;

const plIntegratorType* plIntegrator_GetType(plIntegrator integrator); // NULL: there is none

// What the energies are told of a substep of length h.
plSubstep plIntegratorType_Begin(const plIntegratorType* type, const plPast* past, double h);

#endif
