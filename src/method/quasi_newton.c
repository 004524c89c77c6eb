// quasi_newton.c: descent with a constant matrix, corrected by the last pairs; and projective dynamics, its special
// case
//
//   d = -B g,   B by L-BFGS (lbfgs.h) from A0 = M/h^2 + L and the last `history` pairs of this step      [LBK17] Alg. 1
//   q <- q + alpha d,   alpha = 1, 1/2, 1/4 ... until eps falls by at least 0.3 alpha |g.d|   (Armijo)
//
// A0 is factorised once, or conjugate gradients solve with it (initial_matrix.h). Value and gradient of a trial are
// computed together and kept, so that an iteration whose full step is accepted costs one evaluation and one solve.
//
// A0 stays as it is, so contact has no part in it. But contact is many times stiffer than A0, and steps would be halved
// again and again. So A0^-1 becomes S A0^-1 S', S = L'^-1 with L L' = 1 + 3 C/a at vertices in contact
// (problem/matrix.h).
//
// A step that is halved twice or more has met what the pairs know nothing of, new contacts mostly: it forgets them.
//
// `projective` is history 0 and alpha = 1 without a test. With energies w/2 |G q - p|^2, p the projection of G q, the
// gradient is L q - J p, and q - A0^-1 g is the result of the local and the global step of projective dynamics. So it
// is exact for arap, strain-limit, springs and attachments; other laws are refused.
//
// Chebyshev [LBK17] Alg. 3, [Wan15]: q + alpha d becomes base + omega (q + alpha d - base), base the iterate before.
// alpha is 1 unless it is fixed. If the result would not descend, d stays; only armijo tests that. rho and its delay S
// are `phases`: {S, 0}, {N - S, rho}.
//
// Departures: S above, with a line search; trials know the rounding noise of the objective (line_search.c); if L-BFGS
// does not give a descent direction, the pairs are dropped and d = -A0^-1 g; pairs do not survive a step.
//
// Three choices are not those of [LBK17], which can be had by settings: a step starts from the acceleration of the last
// one, or from q if that is lower, instead of y; the oldest pair is visited first (lbfgs.h); stiffness is fitted over
// 0.8 to 1.2 instead of 0.5 to 1.5. With them ten iterations end 5 to 40 times nearer to the minimum in six scenes of
// seven, and all of them take two thirds of the iterations or fewer until 1e-3 (docs/methods/quasi-newton.md).
//
// Parameters: iterations (10), tolerance (0), matrix (laplacian), linear (direct, cg) with cgIterations (15), fit (0.8
// to 1.2: stretches, quasi-newton only), history (5; 0: none), pair_order (oldest, newest), step_length (armijo,
// fixed), acceleration (none, chebyshev) with rho or phases, guess (follow) with eta (1), accept.
//
// [LBK17] Liu, Bouaziz, Kavan, Quasi-Newton methods for real-time simulation of hyperelastic materials, 2017.
// [Wan15] Wang, A Chebyshev semi-iterative approach for accelerating projective and position-based dynamics, 2015.
#include "acceleration.h"
#include "initial_matrix.h"
#include "lbfgs.h"
#include "line_search.h"
#include "methods.h"

#include <math.h>

enum
{
	mostWandering = 32, // steps without a new least
};

static const double shortStep = 0.4; // shorter ones forget the pairs before them

struct plMethodState
{
	plSolverDef def;
	plInitialMatrix* matrix;
	plLbfgs pairs;
	const plAccelerationType* acceleration;
	plAccelerationState pace;
	plTangent* d;
	plTangent* trialGradient;
	plPoint* trial;
	plPoint* base;    // of the acceleration; NULL: none
	double first;     // step that stands for the identity before there is a pair
	const plPoint* q; // that the direction starts from
	double slope;     // g.d
	plResult solved;  // of the last direction
	int wandering;    // steps since the gradient was at its least, while values are noise
	double leastSquare;
};

// ---- life -----------------------------------------------------------------------------------------------------------

static void destroy(plMethodState* s, plProblem* problem)
{
	if (s == NULL)
		return;
	plInitialMatrix_Destroy(s->matrix, problem);
	plLbfgs_Destroy(&s->pairs, problem);
	problem->space->freeTangent(problem, s->d);
	problem->space->freeTangent(problem, s->trialGradient);
	problem->space->freePoint(problem, s->trial);
	problem->space->freePoint(problem, s->base);
	PL_FREE(problem->heap, s, 1);
}

static plMethodState* create(plProblem* problem, const plSolverDef* def, plError* error)
{
	if (def->method == pl_methodProjective && problem->foreign[0] != 0)
	{
		plFail(error, pl_errorInput,
		       "projective: %s is no projection; arap, strain-limit, springs, attachments and fibres are, and "
		       "quasi-newton takes any",
		       problem->foreign);
		return NULL;
	}
	plMethodState* s = PL_NEW_ZERO(problem->heap, plMethodState, 1);
	if (s != NULL)
	{
		bool accelerated = def->acceleration == pl_accelerationChebyshev;
		s->def = *def;
		s->acceleration = accelerated ? &plChebyshevType : &plNoAccelerationType;
		s->pace = (plAccelerationState){.def = &s->def};
		s->matrix = plInitialMatrix_Create(problem, def);
		s->d = problem->space->newTangent(problem);
		s->trialGradient = problem->space->newTangent(problem);
		s->trial = problem->space->newPoint(problem);
		s->base = accelerated ? problem->space->newPoint(problem) : NULL;
		bool pairs = plLbfgs_Create(&s->pairs, problem, def->history, def->pairOrder);
		if (s->matrix && s->d && s->trialGradient && s->trial && pairs && (s->base || !accelerated))
			return s;
	}
	destroy(s, problem);
	plFail(error, pl_errorMemory, "%s: not enough memory for %zu vertices", plMethod_GetName(def->method),
	       problem->layout.vertexCount);
	return NULL;
}

// Pairs survive a new epoch: friction by other normal forces has nearly the same curvature, and both gradients of a
// pair belong to one epoch.
static void restart(plMethodState* s, plProblem* problem)
{
	(void)problem;
	s->acceleration->restart(&s->pace, false);
}

static plResult refresh(plMethodState* s, plProblem* problem, const plPoint* q, plError* error)
{
	plLbfgs_Clear(&s->pairs);
	s->first = 0.0;
	s->wandering = 0;
	s->leastSquare = INFINITY;
	plAccelerationContext context = {.iterations = s->def.iterations, .alpha = 1.0, .largest = 1.0};
	s->acceleration->begin(&s->pace, &context);
	if (s->base != NULL)
		problem->space->copyPoint(problem, s->base, q);
	return plInitialMatrix_Refresh(s->matrix, problem, q, error);
}

// ---- direction ------------------------------------------------------------------------------------------------------

static void applyMatrix(void* context, plProblem* problem, plTangent* d)
{
	plMethodState* s = context;
	double scale = s->pairs.count > 0 ? plLbfgs_GetScale(&s->pairs) : 1.0;
	bool lacks = s->def.matrix != pl_matrixHessian && s->def.matrix != pl_matrixIdentity; // what comes and goes
	bool eased = lacks && s->def.stepLength != pl_stepFixed;
	if (lacks)
		problem->matrix->scaleByGrabs(problem, d);
	if (eased)
		problem->matrix->scaleByContact(problem, s->q, d);
	plResult result = plInitialMatrix_Apply(s->matrix, problem, d, scale);
	if (eased)
		problem->matrix->scaleByContact(problem, NULL, d);
	if (lacks)
		problem->matrix->scaleByGrabs(problem, d);
	s->solved = s->solved == pl_success ? result : s->solved;
}

// d from q and g; false: no descent direction was found.
static bool findDirection(plMethodState* s, plProblem* problem, const plIterate* it)
{
	s->solved = pl_success;
	s->q = it->q;
	plLbfgs_Apply(&s->pairs, problem, s->d, it->g, applyMatrix, s);
	s->slope = problem->space->dot(problem, it->g, s->d);
	if (!(s->slope < 0.0) && s->pairs.count > 0)
	{
		plLbfgs_Clear(&s->pairs);
		plLbfgs_Apply(&s->pairs, problem, s->d, it->g, applyMatrix, s);
		s->slope = problem->space->dot(problem, it->g, s->d);
	}
	if (!(s->slope < 0.0) || s->solved != pl_success)
		return false;
	if (s->def.matrix == pl_matrixIdentity && s->pairs.count == 0)
	{
		// -g has the length of a force: the exact curvature makes a step of it
		double curvature = problem->objective->curvature(problem, it->q, s->d);
		s->first = curvature > 0.0 ? -s->slope / curvature : fmax(2.0 * s->first, 1e-12);
		problem->space->scale(problem, s->d, s->first);
		s->slope *= s->first;
	}
	return true;
}

// d <- base + omega (q + alpha d - base) - q, if that descends or nobody tests. Returns the step to take along d.
static double accelerate(plMethodState* s, plProblem* problem, const plIterate* it)
{
	plAccelerationContext context = {.iterations = s->def.iterations, .alpha = 1.0};
	bool isFixed = s->def.stepLength == pl_stepFixed;
	double omega = s->acceleration->next(&s->pace, &context),
	       alpha = isFixed && s->def.alpha > 0.0 ? s->def.alpha : 1.0;
	if (s->base == NULL)
		return alpha;
	if (omega != 1.0)
	{
		problem->space->advance(problem, s->trial, it->q, alpha, s->d);
		problem->space->extrapolate(problem, s->trial, s->base, omega, s->trial);
		problem->space->difference(problem, s->trialGradient, s->trial, it->q);
		double slope = isFixed ? s->slope : problem->space->dot(problem, it->g, s->trialGradient);
		if (isFixed || slope < 0.0)
		{
			problem->space->copy(problem, s->d, s->trialGradient);
			s->slope = slope;
			alpha = 1.0;
		}
	}
	problem->space->copyPoint(problem, s->base, it->q);
	return alpha;
}

// ---- iteration ------------------------------------------------------------------------------------------------------

// Where values are noise, a gradient that has not been at a new least for long wanders about in rounding.
static bool getsAnywhere(plMethodState* s, plProblem* problem, const plTrial* trial)
{
	double square = trial->byGradient ? problem->space->dot(problem, trial->g, trial->g) : INFINITY;
	bool isLeast = !trial->byGradient || square < s->leastSquare;
	s->leastSquare = isLeast ? square : s->leastSquare;
	s->wandering = isLeast ? 0 : s->wandering + 1;
	return s->wandering < mostWandering;
}

static plIterateResult searchStep(plMethodState* s, plProblem* problem, plIterate* it)
{
	static const plLineSearch armijo = {
	    .firstStep = 1.0, .shrink = 0.5, .armijo = 0.3, .minStep = 1e-30, .withGradient = true, .bySlope = true};
	plTrial trial = {.q = s->trial, .g = s->trialGradient};
	double alpha = plLineSearch_Find(&armijo, problem, it, s->d, s->slope, &trial);
	if (!(alpha > 0.0) || !getsAnywhere(s, problem, &trial))
		return pl_iterateStalled;
	if (s->def.history > 0)
	{
		if (!trial.hasGradient)
			problem->objective->gradient(problem, trial.q, trial.g, NULL);
		trial.hasGradient = true;
		if (alpha < shortStep)
			plLbfgs_Clear(&s->pairs);
		bool isApplied = trial.d == s->d && s->base == NULL; // not held back by surfaces, nor accelerated
		plLbfgs_Add(&s->pairs, problem, &(plPair){alpha, trial.d, it->g, trial.g}, isApplied);
	}
	plIterate_Take(it, problem, &trial);
	return pl_iterateMoved;
}

static plIterateResult iterate(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	it->settled = true;
	if (!it->gradientValid && !it->valueValid && s->def.stepLength != pl_stepFixed)
	{
		it->f = problem->objective->evaluate(problem, it->q, it->g);
		it->gradientValid = it->valueValid = true;
	}
	plIterate_NeedGradient(it, problem);
	if (!findDirection(s, problem, it))
	{
		if (s->solved == pl_success)
			return pl_iterateStalled;
		plFail(error, s->solved, "%s: the matrix could not be solved with", plMethod_GetName(s->def.method));
		return pl_iterateFailed;
	}
	double alpha = accelerate(s, problem, it);
	if (s->def.stepLength != pl_stepFixed)
	{
		plIterateResult result = searchStep(s, problem, it);
		if (result == pl_iterateMoved || s->pairs.count == 0)
			return result;
		// Once more without the pairs: they may belong to another basin.
		plLbfgs_Clear(&s->pairs);
		return findDirection(s, problem, it) ? searchStep(s, problem, it) : pl_iterateStalled;
	}
	problem->space->advance(problem, s->trial, it->q, alpha, s->d);
	if (problem->pairs != NULL)
		problem->pairs->clamp(problem, s->trial);
	problem->space->copyPoint(problem, it->q, s->trial);
	it->gradientValid = it->valueValid = false;
	return pl_iterateMoved;
}

static unsigned needs(const plSolverDef* def)
{
	bool diagonal = def->matrix == pl_matrixDiagonal || def->linear == pl_linearCg;
	return pl_facetMatrix | (diagonal ? pl_facetDiagonal : 0u);
}

bool plQuasiNewton_GetSize(const plMethodState* s, double* nonzeros, double* work, double* blocks)
{
	return plInitialMatrix_GetSize(s->matrix, nonzeros, work, blocks);
}

void plQuasiNewton_Borrow(plMethodState* s, const plMultigridPlan* plan)
{
	plInitialMatrix_Borrow(s->matrix, plan);
}

#define QUASI_NEWTON_FUNCTIONS                                                                                         \
	.needs = needs, .create = create, .refresh = refresh, .iterate = iterate, .restart = restart, .destroy = destroy

static void presetQuasiNewton(plSolverDef* def)
{
	def->iterations = 10;
	def->history = 5;
	def->pairOrder = pl_pairsOldest;
	def->stepLength = pl_stepArmijo;
	def->guess = pl_guessFollow;
	def->eta = 1.0;
	def->fit[0] = 0.8;
	def->fit[1] = 1.2;
	def->cycle.sweeps = pl_sweepsSymmetric; // a cycle is all that it knows: slivers want whole ones
}

static void presetProjective(plSolverDef* def)
{
	def->iterations = 10;
	def->history = 0;
	def->stepLength = pl_stepFixed;
	def->guess = pl_guessInertial;
	def->cycle.sweeps = pl_sweepsSymmetric;
}

const plMethodType plQuasiNewtonType = {
    .name = "quasi-newton", .takesPairs = true, .preset = presetQuasiNewton, QUASI_NEWTON_FUNCTIONS};
const plMethodType plProjectiveType = {.name = "projective", .preset = presetProjective, QUASI_NEWTON_FUNCTIONS};
