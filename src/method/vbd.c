// vbd.c: vertex block descent: one vertex after the other to the minimum of its own quadratic model
//
//   for every colour, for every vertex i of it, at once:   q_i <- q_i - H_i^-1 g_i
//
// g_i is the gradient and H_i the 3x3 block of the Hessian of the objective at the moment, that is with the vertices of
// earlier colours where they are now: Gauss-Seidel, nonlinear [CLYK24]. An iteration is one sweep over all vertices
// (problem/sweep.h). It needs no matrix and no factorisation, and what it costs does not depend on the step.
//
// Chebyshev [Wan15], an option:   q <- base + omega (t - base),   t the state after the sweep, base the iterate before
// last, omega from rho as in chebyshev.c.
//
// Departures from [CLYK24]:
//   A sweep that raises the objective by more than rounding is taken back: first its acceleration, then the sweep
//   itself. In its place comes a careful one, in which a vertex halves its step until the energies that it has a part
//   in do not rise. The value that tells costs about a fifth of a sweep. Printed, a step is never tested.
//   Where the block of a vertex is not safely positive definite it is put together from projected parts of elements.
//   Printed, such a vertex stays where it is.
//   Where surfaces meet, a vertex stays in its ball (problem/pairs.h); acceleration ends there, too.
//   Damping, contact and friction are the energies of this program, not those of the paper.
//   acceleration is none by default: in the paper it has a rho per scene.
//
// Parameters: iterations (20), tolerance (0), accept, precision, guess (adaptive), acceleration (none, chebyshev) with
// rho (budget, a number) or phases.
//
// [CLYK24] Chen, Liu, Yang, Yuksel, Vertex block descent, 2024.
// [Wan15]  Wang, A Chebyshev semi-iterative approach for accelerating projective and position-based dynamics, 2015.
#include "acceleration.h"
#include "methods.h"

#include <math.h>

struct plMethodState
{
	plSolverDef def;
	const plAccelerationType* acceleration;
	plAccelerationState pace;
	plPoint* before; // of the iteration
	plPoint* base;   // of the acceleration; NULL: none
	plPoint* trial;  // the same
	plValue lowest;  // value in this epoch
	bool hasLowest;
};

static void destroy(plMethodState* s, plProblem* problem)
{
	problem->space->freePoint(problem, s->before);
	problem->space->freePoint(problem, s->base);
	problem->space->freePoint(problem, s->trial);
	PL_FREE(problem->heap, s, 1);
}

static plMethodState* create(plProblem* problem, const plSolverDef* def, plError* error)
{
	plMethodState* s = PL_NEW_ZERO(problem->heap, plMethodState, 1);
	if (s != NULL)
	{
		bool accelerated = def->acceleration == pl_accelerationChebyshev;
		s->def = *def;
		s->acceleration = accelerated ? &plChebyshevType : &plNoAccelerationType;
		s->pace = (plAccelerationState){.def = &s->def};
		s->before = problem->space->newPoint(problem);
		s->base = accelerated ? problem->space->newPoint(problem) : NULL;
		s->trial = accelerated ? problem->space->newPoint(problem) : NULL;
		bool empty = problem->layout.vertexCount == 0;
		if (empty || (s->before != NULL && (!accelerated || (s->base != NULL && s->trial != NULL))))
			return s;
		destroy(s, problem);
	}
	plFail(error, pl_errorMemory, "vbd: not enough memory for %zu vertices", problem->layout.vertexCount);
	return NULL;
}

static void restart(plMethodState* s, plProblem* problem)
{
	(void)problem;
	s->hasLowest = false;
	s->acceleration->restart(&s->pace, false);
}

static plResult refresh(plMethodState* s, plProblem* problem, const plPoint* q, plError* error)
{
	(void)error;
	plAccelerationContext context = {.iterations = s->def.iterations, .alpha = 1.0, .largest = 1.0};
	s->acceleration->begin(&s->pace, &context);
	s->hasLowest = false;
	if (s->base != NULL)
		problem->space->copyPoint(problem, s->base, q);
	return pl_success;
}

// Is the value at q no higher than the lowest so far, as far as rounding lets anybody tell? Then it becomes the
// iterate's.
static bool isTaken(plMethodState* s, plProblem* problem, plIterate* it, const plPoint* q)
{
	plValue f = problem->objective->value(problem, q);
	it->lineSearches++;
	if (!isfinite(f.value) || !isfinite(f.noise) || !(f.value <= s->lowest.value + s->lowest.noise + f.noise))
		return false;
	if (f.value < s->lowest.value)
		s->lowest = f;
	it->f = f;
	it->valueValid = true;
	return true;
}

// The sweep's state t, in it->q, beyond t; false: that would raise the objective, and t stays
static bool accelerate(plMethodState* s, plProblem* problem, plIterate* it)
{
	plAccelerationContext context = {.iterations = s->def.iterations, .alpha = 1.0};
	double omega = s->acceleration->next(&s->pace, &context);
	bool taken = false;
	if (omega != 1.0)
	{
		problem->space->extrapolate(problem, s->trial, s->base, omega, it->q);
		if (problem->pairs != NULL)
			problem->pairs->clamp(problem, s->trial);
		taken = isTaken(s, problem, it, s->trial);
		if (!taken)
			s->acceleration->restart(&s->pace, true);
	}
	if (s->base != NULL)
		problem->space->copyPoint(problem, s->base, s->before);
	if (taken)
		problem->space->copyPoint(problem, it->q, s->trial);
	return taken;
}

static plIterateResult iterate(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	(void)error;
	it->settled = true;
	if (!it->valueValid)
		it->f = problem->objective->value(problem, it->q);
	plValue first = it->f;
	if (!s->hasLowest)
		s->lowest = first;
	s->hasLowest = true;
	problem->space->copyPoint(problem, s->before, it->q);
	problem->sweep->sweep(problem, it->q);
	bool taken = accelerate(s, problem, it) || isTaken(s, problem, it, it->q);
	if (!taken)
	{
		problem->space->copyPoint(problem, it->q, s->before);
		problem->sweep->sweepCarefully(problem, it->q);
		taken = isTaken(s, problem, it, it->q);
	}
	if (!taken)
	{
		problem->space->copyPoint(problem, it->q, s->before);
		it->f = first;
		it->valueValid = true;
		return pl_iterateStalled;
	}
	it->gradientValid = false;
	return pl_iterateMoved;
}

static unsigned needs(const plSolverDef* def)
{
	(void)def;
	return pl_facetSweep;
}

static void preset(plSolverDef* def)
{
	def->iterations = 20;
	def->guess = pl_guessAdaptive;
}

const plMethodType plVbdType = {.name = "vbd",
                                .preset = preset,
                                .takesPairs = true,
                                .needs = needs,
                                .create = create,
                                .refresh = refresh,
                                .iterate = iterate,
                                .restart = restart,
                                .destroy = destroy};
