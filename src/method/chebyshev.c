// chebyshev.c: Chebyshev's semi-iterative method
//
//   q_{k+1} = q_{k-1} + omega_{k+1} (t_{k+1} - q_{k-1})
//   omega_1 = 1,   omega_2 = 2/(2 - rho^2),   omega_{k+1} = 4/(4 - rho^2 omega_k)                [WY16], [GV61]
//
// rho bounds the eigenvalues of 1 - alpha P^-1 H. If it is too small, convergence is slow. If it is too large, the
// budget is wasted on eigenvalues that do not exist. There are three ways to find it:
//
//   budget     After N iterations the error is smaller by T_N(1/rho) = cosh(N acosh(1/rho)): rho nearer to 1 than
//              1/cosh(gain/N) would ask for more iterations than there are. Where friction opens epochs N is a fifth
//              of the budget.
//   phases     from the caller, as in [WY16]: each phase has its own rho and starts afresh; `pliant tune` finds them
//   estimate   If an eigenvalue m > rho exists, p iterations leave T_p(m/rho)/T_p(1/rho) of its part. The observed
//              decrease R of the gradient over a phase therefore says m = rho cosh(acosh(R T_p(1/rho)) / p)  [HY81].
//              rho follows it from phase to phase and from step to step.
//
// No eigenvalue exceeds 1 - alpha min_i m_i/(h^2 P_ii), so rho never does.
// After a rejection come eight plain iterations. They smooth what the acceleration had stirred up; without them the
// next window fails as well. Lowering rho instead was tried: it slows down the rest of the step.
//
// [GV61] Golub and Varga, Chebyshev semi-iterative methods, 1961. [HY81] Hageman and Young, Applied iterative methods,
// 1981, chapter 5.
#include "descent.h"
#include "../base/number.h"

#include <math.h>

static const double gain = 4.0; // acosh of how much smaller the slowest part gets in the budget

static double bound(const plAccelerationContext* context)
{
	double slowest = 1.0 - context->alpha * context->leastShare;
	double fastest = fabs(1.0 - context->alpha * context->largest);
	return fmin(fmax(slowest, fastest), 1.0 - 1e-9);
}

// 1 - rho to twenty bits, which is more than it is known to: instruction sets, whose gradients and products differ in
// the last bits, then mostly take the same rho.
static double coarse(double rho)
{
	int exponent;
	double fraction = frexp(1.0 - rho, &exponent);
	return 1.0 - ldexp(nearbyint(ldexp(fraction, 20)), exponent - 20);
}

double plChebyshev_GetBudgetRho(int iterations)
{
	return coarse(1.0 / plCosh(gain / iterations));
}

// The phase of an iteration, and whether it is its first.
static const plPhase* phaseAt(const plSolverDef* def, int iteration, bool* first)
{
	int start = 0;
	for (int i = 0; i < def->phaseCount - 1; ++i)
	{
		if (iteration < start + def->phases[i].iterations)
		{
			*first = iteration == start;
			return def->phases + i;
		}
		start += def->phases[i].iterations;
	}
	*first = iteration == start;
	return def->phases + def->phaseCount - 1;
}

static void begin(plAccelerationState* s, const plAccelerationContext* context)
{
	s->iteration = s->count = s->rest = 0;
	s->omega = 1.0;
	s->accelerated = s->spoiled = false;
	s->bound = bound(context);
	s->rho = plChebyshev_GetBudgetRho(context->iterations);
	if (s->def->rho == pl_rhoEstimate && *s->keptRho > 0.0)
		s->rho = *s->keptRho;
}

static bool beginsPhase(const plAccelerationState* s)
{
	return s->iteration % s->def->refresh == 0;
}

static bool wantsDecrease(const plAccelerationState* s)
{
	return s->def->rho == pl_rhoEstimate && beginsPhase(s);
}

static void estimate(plAccelerationState* s, double decrease)
{
	const double patience = 1.1; // rho comes down slowly: an overestimate costs little
	if (decrease > 0.0 && !s->spoiled && s->count > 1)
	{
		double p = s->count, left = decrease * plCosh(p * plAcosh(1.0 / s->rho));
		s->rho = left > 1.0 ? s->rho * plCosh(plAcosh(left) / p) : 1.0 - patience * (1.0 - s->rho);
		s->rho = fmin(fmax(coarse(s->rho), 0.1), s->bound);
		*s->keptRho = s->rho;
	}
	s->spoiled = false;
}

static double next(plAccelerationState* s, const plAccelerationContext* context)
{
	bool first = false;
	if (s->def->rho == pl_rhoPhases)
		s->rho = phaseAt(s->def, s->iteration, &first)->rho;
	else if (wantsDecrease(s))
	{
		estimate(s, context->decrease);
		first = true;
	}
	else if (s->def->rho == pl_rhoBudget && s->count == 0)
		s->rho = plChebyshev_GetBudgetRho(context->iterations);
	if (first)
		s->count = 0;
	s->iteration++;
	if (s->rest > 0)
	{
		s->rest--;
		s->count = 0;
		return 1.0;
	}
	double rho = fmin(s->rho, s->bound);
	s->omega = s->count == 0 ? 1.0 : s->count == 1 ? 2.0 / (2.0 - rho * rho) : 4.0 / (4.0 - rho * rho * s->omega);
	PL_VALIDATE(s->omega >= 1.0 && s->omega <= 2.0, "Chebyshev's weight lies between 1 and 2");
	s->count++;
	s->accelerated = s->accelerated || s->omega != 1.0;
	return s->omega;
}

static void restart(plAccelerationState* s, bool rejected)
{
	if (rejected)
		s->rest = pl_testWindow;
	s->count = 0;
	s->spoiled = true;
}

const plAccelerationType plChebyshevType = {.name = "chebyshev",
                                            .margin = 1.8,
                                            .begin = begin,
                                            .next = next,
                                            .restart = restart,
                                            .wantsDecrease = wantsDecrease};
