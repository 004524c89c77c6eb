// descent.c: a descent method from its four choices
//
//   every step        first guess (world/guess.c); alpha = min(1.8/lambda, alpha of the last step / 0.7)
//   every iteration   direction, step length, acceleration
//   every `refresh`   also what the direction keeps: the diagonal D, or the matrix
//
// lambda is the largest eigenvalue of D^-1 H, from a power iteration in the first step. On tetrahedra Jacobi's lambda
// is 3.2 to 3.5, so alpha = 1 diverges; [WY16] does not say so.
// Departures: alpha is bounded by 1.8/lambda; the tests know the rounding noise of the objective (step_monotone.c);
// after a rejection Chebyshev starts afresh.
//
// Parameters: direction, preconditioner, history, refresh (32), step length, alpha, acceleration, rho or phases, guess,
// eta (0.2), iterations (descent 96), tolerance (0), accept.
// With jacobi, contact's part of the diagonal is computed at every iterate.
// Cost per iteration of `descent`: one gradient, an eighth of a value, a 32nd of a diagonal.
#include "descent.h"
#include "methods.h"

#include <math.h>

static const plDirectionType* const directions[pl_directionCount] = {
    [pl_directionGradient] = &plDirectionGradientType,
    [pl_directionJacobi] = &plDirectionJacobiType,
    [pl_directionJacobiBlock] = &plDirectionJacobiType,
    [pl_directionNcg] = &plDirectionNcgType,
    [pl_directionLbfgs] = &plDirectionLbfgsType,
    [pl_directionNewton] = &plDirectionNewtonType,
    [pl_directionGaussSeidel] = &plDirectionGaussSeidelType,
};

static const plAccelerationType* const accelerations[pl_accelerationCount] = {
    [pl_accelerationNone] = &plNoAccelerationType,
    [pl_accelerationChebyshev] = &plChebyshevType,
    [pl_accelerationNesterov] = &plNesterovType,
};

// ---- life -----------------------------------------------------------------------------------------------------------

static bool isJacobi(plDirection direction)
{
	return direction == pl_directionJacobi || direction == pl_directionJacobiBlock;
}

static bool usesDiagonal(const plSolverDef* def)
{
	bool takesPreconditioner = def->direction == pl_directionNcg || def->direction == pl_directionLbfgs;
	return isJacobi(def->direction) || (takesPreconditioner && def->preconditioner != pl_preconditionerNone);
}

static unsigned needs(const plSolverDef* def)
{
	return directions[def->direction]->needs | (usesDiagonal(def) ? pl_facetDiagonal : 0u);
}

static void chooseDiagonal(plMethodState* s)
{
	const plSolverDef* def = &s->def;
	s->hasDiagonal = usesDiagonal(def);
	bool blocks = isJacobi(def->direction) ? def->direction == pl_directionJacobiBlock
	                                       : def->preconditioner == pl_preconditionerJacobiBlock;
	s->diagonalKind = blocks ? pl_diagonalBlocks : pl_diagonalEntries;
	s->fused =
	    isJacobi(def->direction) && def->stepLength != pl_stepArmijo && def->acceleration != pl_accelerationNesterov;
}

static void destroy(plMethodState* s, plProblem* problem)
{
	if (s == NULL)
		return;
	if (s->directionState != NULL)
		s->direction->destroy(s->directionState, problem);
	problem->space->freeTangent(problem, s->d);
	problem->space->freeTangent(problem, s->trialGradient);
	problem->space->freePoint(problem, s->trial);
	problem->space->freePoint(problem, s->base);
	problem->space->freePoint(problem, s->good);
	PL_FREE(problem->heap, s, 1);
}

static plMethodState* create(plProblem* problem, const plSolverDef* def, plError* error)
{
	plMethodState* s = PL_NEW_ZERO(problem->heap, plMethodState, 1);
	if (s != NULL)
	{
		s->def = *def;
		s->direction = directions[def->direction];
		s->acceleration = accelerations[def->acceleration];
		s->pace = (plAccelerationState){.def = &s->def, .keptRho = &s->kept[pl_keptRho]};
		chooseDiagonal(s);
		s->directionState = s->direction->create != NULL ? s->direction->create(problem, def) : NULL;
		s->d = s->fused ? NULL : problem->space->newTangent(problem);
		s->trialGradient = s->fused ? NULL : problem->space->newTangent(problem);
		s->trial = s->fused ? NULL : problem->space->newPoint(problem);
		s->base = problem->space->newPoint(problem);
		s->good = problem->space->newPoint(problem);
		bool hasDirection = s->directionState != NULL || s->direction->create == NULL;
		if (hasDirection && (s->fused || (s->d && s->trialGradient && s->trial)) && s->base && s->good)
			return s;
	}
	destroy(s, problem);
	plFail(error, pl_errorMemory, "%s: not enough memory for %zu vertices", plMethod_GetName(def->method),
	       problem->layout.vertexCount);
	return NULL;
}

static double* kept(plMethodState* s)
{
	return s->kept;
}

static bool checkKept(const double* numbers)
{
	return numbers[pl_keptRho] < 1.0;
}

// ---- a step begins --------------------------------------------------------------------------------------------------

// Ten power iterations on d, good to a few per cent; Hd is work space.
static double iteratePower(plMethodState* s, plProblem* problem, const plPoint* q, plTangent* d, plTangent* Hd)
{
	const int iterations = 10;
	// None is larger than that of an element's own D^-1 H, whose trace is the number of its coordinates, as long as no
	// element is indefinite. Where one is, in a body turned inside out, the estimate may be anything, and it is kept
	// for all steps: alpha would be next to nothing for good.
	const double mostOfElement = 12.0;
	double eigenvalue = 1.0;
	for (int k = 0; k < iterations; ++k)
	{
		problem->objective->product(problem, q, pl_hessianExact, d, Hd);
		s->direction->apply(s->directionState, problem, d, Hd);
		double length = sqrt(problem->space->dot(problem, d, d));
		if (!(length > 0.0) || !isfinite(length))
			return 1.0;
		if (k > 0)
			eigenvalue = length;
		problem->space->scale(problem, d, 1.0 / length);
	}
	return fmin(fmax(eigenvalue, 1.0), mostOfElement); // the mean of the eigenvalues is 1
}

// Largest eigenvalue of P^-1 H at q; 0: no memory. Asked for in the first step only, so the vectors are not kept.
static double largestEigenvalue(plMethodState* s, plProblem* problem, const plPoint* q)
{
	plTangent *d = problem->space->newTangent(problem), *Hd = problem->space->newTangent(problem);
	double eigenvalue = 0.0;
	if (d != NULL && Hd != NULL)
	{
		problem->space->fillNoise(problem, d);
		eigenvalue = iteratePower(s, problem, q, d, Hd);
	}
	problem->space->freeTangent(problem, d);
	problem->space->freeTangent(problem, Hd);
	return eigenvalue;
}

static plResult chooseAlpha(plMethodState* s, plProblem* problem, const plPoint* q, plError* error)
{
	const double regrowth = 1.0 / 0.7;
	double most = 1.0;
	if (s->direction->apply != NULL)
	{
		if (s->kept[pl_keptLargest] == 0.0)
			s->kept[pl_keptLargest] =
			    s->direction->largest > 0.0 ? s->direction->largest : largestEigenvalue(s, problem, q);
		if (s->kept[pl_keptLargest] == 0.0)
			return plFail(error, pl_errorMemory, "%s: not enough memory for %zu vertices",
			              plMethod_GetName(s->def.method), problem->layout.vertexCount);
		most = s->acceleration->margin / s->kept[pl_keptLargest];
	}
	if (s->def.alpha > 0.0)
		most = s->def.alpha;
	double last = s->kept[pl_keptAlpha];
	s->alpha = last > 0.0 && s->def.stepLength == pl_stepMonotone ? fmin(most, last * regrowth) : most;
	s->kept[pl_keptAlpha] = s->firstAlpha = s->alpha;
	PL_VALIDATE(s->alpha > 0.0 && isfinite(s->alpha), "a step length is above 0 and finite");
	return pl_success;
}

static plResult refreshKept(plMethodState* s, plProblem* problem, const plPoint* q, plError* error)
{
	s->sinceRefresh = 0;
	s->goodNorm = -1.0; // was measured by the old diagonal
	bool fine = !s->hasDiagonal || problem->diagonal->refresh(problem, q, s->diagonalKind);
	if (fine && s->direction->refresh != NULL)
		fine = s->direction->refresh(s->directionState, problem, q);
	if (fine)
		return pl_success;
	return plFail(error, pl_errorMemory, "%s: not enough memory for the Hessian of %zu vertices or its diagonal",
	              plMethod_GetName(s->def.method), problem->layout.vertexCount);
}

// Iterations that an acceleration may count on before it has to start afresh: where vertices touch something, the share
// of one of the epochs that friction usually takes. Vertices that come and go without friction are like that.
static int runOf(const plMethodState* s, const plProblem* problem)
{
	const int usualEpochs = 5;
	return problem->touches && s->def.iterations > usualEpochs ? s->def.iterations / usualEpochs : s->def.iterations;
}

static plAccelerationContext contextOf(const plMethodState* s, plProblem* problem)
{
	return (plAccelerationContext){.iterations = runOf(s, problem),
	                               .alpha = s->alpha,
	                               .largest = s->kept[pl_keptLargest],
	                               .leastShare = s->hasDiagonal ? problem->diagonal->leastInertia(problem) : 0.0};
}

static void restartDirection(plMethodState* s)
{
	if (s->direction->restart != NULL)
		s->direction->restart(s->directionState);
}

static plResult refresh(plMethodState* s, plProblem* problem, const plPoint* q, plError* error)
{
	s->iteration = 0;
	s->hasGood = false;
	s->noisyWindows = 0;
	s->phaseNorm = 0.0;
	plResult result = refreshKept(s, problem, q, error);
	if (result == pl_success)
		result = chooseAlpha(s, problem, q, error);
	if (result != pl_success)
		return result;
	plAccelerationContext context = contextOf(s, problem);
	s->acceleration->begin(&s->pace, &context);
	restartDirection(s);
	return pl_success;
}

// ---- iterations -----------------------------------------------------------------------------------------------------

void plDescent_Restart(plMethodState* s, bool rejected)
{
	restartDirection(s);
	s->acceleration->restart(&s->pace, rejected);
}

double plDescent_GetLength(const plMethodState* s, plProblem* problem, const plTangent* g)
{
	return sqrt(s->hasDiagonal ? fmax(problem->diagonal->dotInverse(problem, g), 0.0)
	                           : problem->space->dot(problem, g, g));
}

// sqrt(g' P^-1 g): the length of the gradient as the iteration sees it.
static double weightedNorm(plMethodState* s, plProblem* problem, plIterate* it)
{
	plIterate_NeedGradient(it, problem);
	if (s->hasDiagonal)
		return plDescent_GetLength(s, problem, it->g);
	s->direction->apply(s->directionState, problem, s->trialGradient, it->g);
	return sqrt(fmax(problem->space->dot(problem, it->g, s->trialGradient), 0.0));
}

double plDescent_Pace(plMethodState* s, plProblem* problem, plIterate* it)
{
	plAccelerationContext context = {.iterations = runOf(s, problem), .alpha = s->alpha};
	if (s->direction->apply != NULL && s->acceleration->wantsDecrease(&s->pace))
	{
		double norm = weightedNorm(s, problem, it);
		context.decrease = s->phaseNorm > 0.0 ? norm / s->phaseNorm : 0.0;
		s->phaseNorm = norm;
	}
	return s->acceleration->next(&s->pace, &context);
}

plIterateResult plDescent_Direct(plMethodState* s, plProblem* problem, plIterate* it, double* natural, plError* error)
{
	*natural = 1.0;
	plIterate_NeedGradient(it, problem);
	if (s->direction->compute != NULL)
		return s->direction->compute(s->directionState, problem, it, s->d, natural, error);
	s->direction->apply(s->directionState, problem, s->d, it->g);
	problem->space->scale(problem, s->d, -1.0);
	return pl_iterateMoved;
}

// q <- base + omega (trial - base); with omega = 1 that is the trial, to the bit.
static void accelerate(plMethodState* s, plProblem* problem, plPoint* q, double omega)
{
	if (s->acceleration->basedOnTrial)
	{
		if (omega == 1.0)
			problem->space->copyPoint(problem, q, s->trial);
		else
			problem->space->extrapolate(problem, q, s->base, omega, s->trial);
		problem->space->copyPoint(problem, s->base, s->trial);
		return;
	}
	if (omega != 1.0)
		problem->space->extrapolate(problem, s->trial, s->base, omega, s->trial);
	problem->space->copyPoint(problem, s->base, q);
	problem->space->copyPoint(problem, q, s->trial);
}

// [OC15]: momentum that goes uphill is dropped. The gradient is that of q, where the step to the trial began.
static bool goesUphill(plMethodState* s, plProblem* problem, const plIterate* it)
{
	problem->space->difference(problem, s->trialGradient, s->trial, s->base);
	return problem->space->dot(problem, it->g, s->trialGradient) > 0.0;
}

plIterateResult plDescent_Move(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	double omega = plDescent_Pace(s, problem, it);
	if (s->fused)
		problem->diagonal->descend(problem, it->q, s->base, s->alpha, omega, it->gradientValid ? it->g : NULL);
	else
	{
		double natural;
		plIterateResult result = plDescent_Direct(s, problem, it, &natural, error);
		if (result != pl_iterateMoved)
			return result;
		problem->space->advance(problem, s->trial, it->q, s->alpha * natural, s->d);
		if (s->acceleration->basedOnTrial && omega != 1.0 && goesUphill(s, problem, it))
		{
			s->acceleration->restart(&s->pace, false);
			omega = 1.0;
		}
		accelerate(s, problem, it->q, omega);
	}
	if (problem->pairs != NULL)
		problem->pairs->clamp(problem, it->q);
	it->gradientValid = it->valueValid = false;
	return pl_iterateMoved;
}

static plIterateResult iterate(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	static plIterateResult (*const steps[pl_stepCount])(plMethodState*, plProblem*, plIterate*, plError*) = {
	    [pl_stepFixed] = plStep_Fixed,
	    [pl_stepMonotone] = plStep_Monotone,
	    [pl_stepArmijo] = plStep_Armijo,
	};
	if (s->sinceRefresh == s->def.refresh)
	{
		bool atGood = s->goodNorm >= 0.0 && it->gradientValid; // the last test was passed within the noise
		if (refreshKept(s, problem, it->q, error) != pl_success)
			return pl_iterateFailed;
		if (atGood)
			s->goodNorm = plDescent_GetLength(s, problem, it->g);
	}
	else if (isJacobi(s->def.direction))
		problem->diagonal->followContact(problem, it->q);
	plIterateResult result = steps[s->def.stepLength](s, problem, it, error);
	s->iteration++;
	s->sinceRefresh++;
	return result;
}

static void restart(plMethodState* s, plProblem* problem)
{
	(void)problem;
	plDescent_Restart(s, false);
	s->hasGood = false;
	s->phaseNorm = 0.0;
	s->sinceRefresh = s->def.refresh; // the diagonal belongs to the old objective
}

#define DESCENT_FUNCTIONS                                                                                              \
	.takesPairs = true, .needs = needs, .create = create, .refresh = refresh, .iterate = iterate, .restart = restart,  \
	.kept = kept, .checkKept = checkKept, .keptCount = pl_keptCount, .destroy = destroy

static void presetDescent(plSolverDef* def)
{
	def->iterations = 96;
	def->direction = pl_directionJacobi;
	def->stepLength = pl_stepMonotone;
	def->acceleration = pl_accelerationChebyshev;
	def->guess = pl_guessAcceleration;
}

static void presetJacobi(plSolverDef* def)
{
	def->iterations = 1000;
	def->tolerance = 1e-6;
	def->direction = pl_directionJacobi;
	def->stepLength = pl_stepMonotone;
}

static void presetGradient(plSolverDef* def)
{
	def->iterations = 1000;
	def->tolerance = 1e-6;
	def->direction = pl_directionGradient;
	def->stepLength = pl_stepArmijo;
}

static void presetNcg(plSolverDef* def)
{
	def->iterations = 500;
	def->tolerance = 1e-6;
	def->direction = pl_directionNcg;
	def->preconditioner = pl_preconditionerJacobi;
	def->stepLength = pl_stepArmijo;
}

static void presetLbfgs(plSolverDef* def)
{
	presetNcg(def);
	def->direction = pl_directionLbfgs;
}

const plMethodType plDescentType = {.name = "descent", .preset = presetDescent, DESCENT_FUNCTIONS};
const plMethodType plJacobiType = {.name = "jacobi", .preset = presetJacobi, DESCENT_FUNCTIONS};
const plMethodType plGradientType = {.name = "gradient", .preset = presetGradient, DESCENT_FUNCTIONS};
const plMethodType plNcgType = {.name = "ncg", .preset = presetNcg, DESCENT_FUNCTIONS};
const plMethodType plLbfgsType = {.name = "lbfgs", .preset = presetLbfgs, DESCENT_FUNCTIONS};
