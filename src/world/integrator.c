// integrator.c: implicit Euler and BDF2
//
//   implicit Euler   y = q + h v + h^2 a                                              first order in h
//                    h~ = h,   p = x,   v_next = (next - q)/h
//
//   BDF2             y = (4 q - q_old)/3 + (8 h v - 2 h v_old)/9 + 4/9 h^2 a          second order
//                    h~ = 2/3 h,   p = (4 x - x_old)/3,   v_next = (3 next - 4 q + q_old)/(2h)
//
// q, v state at the start of the substep, q_old, v_old one substep earlier, a acceleration, x anything that has a rate.
// In both y = p(q) + h~ p(v) + h~^2 a. All is written as steps from q, which loses fewer digits than the sums above.
#include "integrator.h"

static void eulerTarget(const plPast* past, double h, const double a[pl_quad], size_t count, double* y)
{
	for (size_t i = 0; i < count; ++i)
		y[i] = past->q[i] + h * past->v[i] + h * h * a[i % pl_quad];
}

static void eulerVelocity(const plPast* past, double h, const double* next, size_t count, double* v)
{
	for (size_t i = 0; i < count; ++i)
		v[i] = (next[i] - past->q[i]) / h;
}

static void bdf2Target(const plPast* past, double h, const double a[pl_quad], size_t count, double* y)
{
	for (size_t i = 0; i < count; ++i)
	{
		double q = past->q[i], v = past->v[i];
		y[i] = q + (q - past->qOld[i]) / 3.0 + h * (8.0 * v - 2.0 * past->vOld[i]) / 9.0 +
		       4.0 / 9.0 * h * h * a[i % pl_quad];
	}
}

static void bdf2Velocity(const plPast* past, double h, const double* next, size_t count, double* v)
{
	for (size_t i = 0; i < count; ++i)
		v[i] = (3.0 * (next[i] - past->q[i]) - (past->q[i] - past->qOld[i])) / (2.0 * h);
}

static const plIntegratorType types[pl_integratorCount] = {
    [pl_integratorImplicitEuler] = {.name = "implicit-euler",
                                    .share = 1.0,
                                    .target = eulerTarget,
                                    .velocity = eulerVelocity},
    [pl_integratorBdf2] = {.name = "bdf2",
                           .looksBack = true,
                           .share = 2.0 / 3.0,
                           .back = 3.0,
                           .target = bdf2Target,
                           .velocity = bdf2Velocity},
};

const plIntegratorType* plIntegrator_GetType(plIntegrator integrator)
{
	return (int)integrator >= 0 && integrator < pl_integratorCount ? types + integrator : NULL;
}

const char* plIntegrator_GetName(plIntegrator integrator)
{
	const plIntegratorType* type = plIntegrator_GetType(integrator);
	return type != NULL ? type->name : NULL;
}

plSubstep plIntegratorType_Begin(const plIntegratorType* type, const plPast* past, double h)
{
	return (plSubstep){past->q, type->looksBack ? past->qOld : NULL, type->share * h, type->back};
}
