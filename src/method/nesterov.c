// nesterov.c: Nesterov's acceleration with restart, and no acceleration
//
//   q_{k+1} = t_{k+1} + theta (t_{k+1} - t_k),   theta = (s_k - 1)/s_{k+1}
//   s_1 = 1,   s_{k+1} = (1 + sqrt(1 + 4 s_k^2))/2
//
// It converges for alpha up to 1 over the largest eigenvalue of P^-1 H; above that the momentum diverges [Nes83]. It
// needs no other eigenvalue. The momentum is dropped when it goes uphill, g(q_k).(t_{k+1} - t_k) > 0 [OC15], and when a
// test of the step length fails. Then eight plain iterations follow, so that alpha shrinks if it was at fault.
//
// [Nes83] Nesterov, A method of solving a convex programming problem with convergence rate O(1/k^2), 1983.
// [OC15] O'Donoghue and Candes, Adaptive restart for accelerated gradient schemes, 2015.
#include "descent.h"

#include <math.h>

static void begin(plAccelerationState* s, const plAccelerationContext* context)
{
	(void)context;
	s->t = 1.0;
	s->rest = 0;
	s->accelerated = false;
}

static double next(plAccelerationState* s, const plAccelerationContext* context)
{
	(void)context;
	if (s->rest > 0)
	{
		s->rest--;
		return 1.0;
	}
	double t = 0.5 * (1.0 + sqrt(1.0 + 4.0 * s->t * s->t)), theta = (s->t - 1.0) / t;
	s->t = t;
	s->accelerated = s->accelerated || theta > 0.0;
	return 1.0 + theta;
}

static void restart(plAccelerationState* s, bool rejected)
{
	if (rejected && s->def->stepLength == pl_stepMonotone)
		s->rest = pl_testWindow;
	s->t = 1.0;
}

static bool wantsNothing(const plAccelerationState* s)
{
	(void)s;
	return false;
}

static double plain(plAccelerationState* s, const plAccelerationContext* context)
{
	(void)s;
	(void)context;
	return 1.0;
}

const plAccelerationType plNesterovType = {.name = "nesterov",
                                           .basedOnTrial = true,
                                           .margin = 1.0,
                                           .begin = begin,
                                           .next = next,
                                           .restart = restart,
                                           .wantsDecrease = wantsNothing};

const plAccelerationType plNoAccelerationType = {
    .name = "none", .margin = 1.8, .begin = begin, .next = plain, .restart = restart, .wantsDecrease = wantsNothing};
