// multigrid.c: Newton's method with cycles over coarser and coarser meshes in place of a factorisation
//
// A = M/h^2 + H with every element's part made positive semidefinite, at the q of every iteration; C one V-cycle on it
// (sparse/multigrid.h), I_l the interpolation from level l to the finest, C_l the cycle from there.
//
// cycle cg, the default: inexact Newton. d by conjugate gradients on A with the preconditioner C until
//
//   |A d + g| <= eta |g|,   eta = min(0.3, max(m/2, min(0.1, sqrt(|g|/|g_first|)))),   at most cgIterations products
//   q <- q + alpha d,       alpha by backtracking from 1
//   m <- | |g at the new q| - |A d + g| | / |g|
//   then block descent over the vertices that hold most of |g|, if they are few (local_sweeps.h)
//
// m is what the model missed, 0 at first. Where it is large, as where cloth folds, the next direction is not worth more
// products than that; as it goes to 0, convergence gets superlinear [EW96, choice 1].
//
// A step by cg begins with iterations of quasi-newton by a constant matrix, one number a vertex on the same levels
// (initial_matrix.h): at most `lead`, and the next one only if the last has halved |g|. Six of them cost what one of
// Newton's does. They are none of the budget.
//
// cycle fmg: nonlinear full multigrid [WWF18]. Every level l, from the coarsest to the finest, gives a direction
//
//   d = I_l C_l I_l' r,   r = -g at the q of the moment,   first step (d.r)/(d'A d), then backtracking
//
// `residual` says when g is taken anew: after every level; after the two finest, before which A stands for the
// objective: r - A e, e the sum of the corrections so far; or once, after all of them: a Newton step by one full cycle.
// `renew` says when A is: in the first cycle of a step, in every cycle, or whenever g is. With d'A d = c'A_l c the
// first step is the minimum of the model, and free.
//
// With `project` a correction may end outside of colliders: vertices that it moves deeper into one are moved out again
// [WWF18], to the depth they had. That counts as the step if it descends, and no less than the plain step does. So
// where vertices come to rest at some depth, it has no say.
//
// cycle fas: the full approximation scheme [Bra77] on the spaces of the levels: eps(q + I_l c) is the objective of
// level l, so the coarse problem needs no correction of its right-hand side. From the finest level to the coarsest and
// back, every level takes a nonlinear step of its smoother,
//
//   d = I_l S_l I_l' r,   r = -g at the q of the moment,   S_l the sweeps, the inverse on the coarsest level
//
// with a step length as above. Coarse problems have no elements of their own: each step costs an evaluation of eps.
//
// Every C_l and S_l is symmetric and positive definite, because sweeps after a coarse correction are the transposes of
// those before it. So every d descends.
//
// Departures from [WWF18]: levels without charts (sparse/hierarchy.h); a held vertex is held on coarse levels, too;
// first steps from the model; whether to smooth a vertex is decided once per cycle, or it would not be symmetric. cg
// needs fewer matrices and half the sweeps on processors, and goes on to any accuracy (docs/methods/multigrid.md).
//
// Parameters: iterations (12), tolerance (1e-3), cycle (cg, fmg, fas), smoothing (1), smoothing_rho (0), sweeps
// (one-way), cg_iterations (120), lead (2) and local_sweeps (40) for cg, residual (every, last, once), renew (step,
// cycle, level) and project (no) for fmg, adaptive (0) for fmg and fas, ratio (0), guess (follow) with eta (1).
//
// [Bra77] Brandt, Multi-level adaptive solutions to boundary-value problems, 1977.
// [EW96] Eisenstat and Walker, Choosing the forcing terms in an inexact Newton method, 1996.
// [WWF18] Wang, Wu, Fratarcangeli, Tang, Wang, Parallel multigrid for nonlinear cloth simulation, 2018.
#include "cycles.h"
#include "line_search.h"
#include "local_sweeps.h"
#include "methods.h"

#include <math.h>

// Six iterations with the constant matrix cost as much as one of Newton's, which brings |g| to a tenth or to a
// hundredth: each of them should halve it.
static const double worthwhile = 0.5;

struct plMethodState
{
	plSolverDef def;
	plCycles* cycles;
	plConjugateGradients cg;
	plLocalSweeps local;
	plMethodState* constant; // quasi-newton by scalar cycles, from the first step on that begins with it
	int constantLeft;        // iterations of it that this step may still begin with
	plTangent* d;
	plPoint* trial;
	plPoint* outside; // NULL: corrections are not projected
	double firstNorm; // |g| at the step's first iteration; 0: not known yet
	double missed;    // m of the last iteration; 0: it was the first
	bool isFirst;     // of cg in this step
	size_t products;  // with A so far
};

// ---- life -----------------------------------------------------------------------------------------------------------

static void destroy(plMethodState* s, plProblem* problem)
{
	if (s == NULL)
		return;
	plQuasiNewtonType.destroy(s->constant, problem); // before the plan that it borrows
	plCycles_Destroy(s->cycles, problem);
	plConjugateGradients_Destroy(&s->cg, problem);
	plLocalSweeps_Destroy(&s->local, problem);
	problem->space->freeTangent(problem, s->d);
	problem->space->freePoint(problem, s->trial);
	problem->space->freePoint(problem, s->outside);
	PL_FREE(problem->heap, s, 1);
}

static plMethodState* create(plProblem* problem, const plSolverDef* def, plError* error)
{
	plMethodState* s = PL_NEW_ZERO(problem->heap, plMethodState, 1);
	if (s != NULL)
	{
		s->def = *def;
		s->cycles = plCycles_Create(problem, def);
		bool sweeps = def->cycle.kind == pl_cycleCg;
		bool fine = plConjugateGradients_Create(&s->cg, problem) &&
		            plLocalSweeps_Create(&s->local, problem, sweeps ? def->cycle.localSweeps : 0);
		s->d = problem->space->newTangent(problem);
		s->trial = problem->space->newPoint(problem);
		bool projects = def->cycle.kind == pl_cycleFmg && def->cycle.project != 0;
		s->outside = projects ? problem->space->newPoint(problem) : NULL;
		if (s->cycles && fine && s->d && s->trial && (s->outside || !projects))
			return s;
	}
	destroy(s, problem);
	plFail(error, pl_errorMemory, "multigrid: not enough memory for %zu vertices", problem->layout.vertexCount);
	return NULL;
}

// Quasi-newton that remembers no more pairs than it can use. False: no memory
static bool createConstant(plMethodState* s, plProblem* problem, plError* error)
{
	plSolverDef def = plDefaultSolverDef(pl_methodQuasiNewton);
	int usable = s->def.cycle.constantIterations - 1;
	def.linear = pl_linearMultigrid;
	def.cycle = s->def.cycle;
	def.history = usable < def.history ? usable : def.history;
	s->constant = plQuasiNewtonType.create(problem, &def, error);
	if (s->constant != NULL)
		plQuasiNewton_Borrow(s->constant, plCycles_GetPlan(s->cycles));
	return s->constant != NULL;
}

// Its matrix knows nothing of pairs of surfaces: a step with some does not begin with it, and a world whose steps all
// have some never makes it.
static bool mayLead(const plMethodState* s, const plProblem* problem)
{
	return s->def.cycle.kind == pl_cycleCg && s->def.cycle.constantIterations > 0 && problem->pairs == NULL;
}

static plResult refresh(plMethodState* s, plProblem* problem, const plPoint* q, plError* error)
{
	s->firstNorm = s->missed = 0.0;
	s->isFirst = true;
	s->constantLeft = 0;
	plResult result = plCycles_Prepare(s->cycles, problem, q, error);
	if (result != pl_success || !mayLead(s, problem))
		return result;
	if (s->constant == NULL && !createConstant(s, problem, error))
		return pl_errorMemory;
	result = plQuasiNewtonType.refresh(s->constant, problem, q, error);
	s->constantLeft = result == pl_success ? s->def.cycle.constantIterations : 0;
	return result == pl_errorNumeric ? pl_success : result; // floats cannot tell it from a singular matrix
}

static void restart(plMethodState* s, plProblem* problem)
{
	s->firstNorm = s->missed = 0.0;
	if (s->constant != NULL)
		plQuasiNewtonType.restart(s->constant, problem);
}

// ---- cg -------------------------------------------------------------------------------------------------------------

static void multiply(void* context, plProblem* problem, const plTangent* p, plTangent* ap)
{
	plCycles_Multiply(((plMethodState*)context)->cycles, problem, p, ap);
}

static void precondition(void* context, plProblem* problem, plTangent* z, const plTangent* r)
{
	plCycles_Precondition(((plMethodState*)context)->cycles, problem, z, r);
}

// r <- -g
static void negate(plProblem* problem, plTangent* r, const plTangent* g)
{
	problem->space->copy(problem, r, g);
	problem->space->scale(problem, r, -1.0);
}

static const double leastGain = 1e-4; // of what the slope promises

// The whole step, but out of colliders; false: it meets none, or does not descend, or the plain step descends further.
static bool stepOutside(plMethodState* s, plProblem* problem, plIterate* it, const plTangent* d, double step)
{
	problem->space->advance(problem, s->trial, it->q, step, d);
	problem->space->copyPoint(problem, s->outside, s->trial);
	if (problem->objective->keepOut(problem, it->q, s->outside) == 0)
		return false;
	if (problem->pairs != NULL)
		problem->pairs->clamp(problem, s->outside);
	if (!it->valueValid)
		it->f = problem->objective->value(problem, it->q);
	it->valueValid = true;
	plTrial out = {.q = s->outside, .f = problem->objective->value(problem, s->outside)};
	double gain = fmax(-leastGain * step * problem->space->dot(problem, it->g, d), out.f.noise + it->f.noise);
	it->lineSearches++;
	if (!(out.f.value <= it->f.value - gain))
		return false;
	plValue plain = problem->objective->value(problem, s->trial);
	it->lineSearches++;
	if (plain.value < out.f.value)
		return false;
	plIterate_Take(it, problem, &out);
	return true;
}

// A step along d; false: none lowers the objective.
static bool search(plMethodState* s, plProblem* problem, plIterate* it, plTangent* d, double firstStep)
{
	const plLineSearch armijo = {
	    .firstStep = firstStep, .shrink = 0.5, .armijo = leastGain, .minStep = 1e-12, .withGradient = true};
	if (s->outside != NULL && stepOutside(s, problem, it, d, firstStep))
		return true;
	return plLineSearch_Run(&armijo, problem, it, d, &(plTrial){.q = s->trial, .g = s->cg.z}) > 0.0;
}

static double normOf(plProblem* problem, const plTangent* d)
{
	return sqrt(problem->space->dot(problem, d, d));
}

// d of the cycle cg, as exact as the model is worth; returns |A d + g|.
static double solve(plMethodState* s, plProblem* problem, const plTangent* g, double norm)
{
	static const double usual = 0.1, loosest = 0.3;
	const plLinearMap map = {multiply, precondition, s};
	double eta = fmin(loosest, fmax(0.5 * s->missed, fmin(usual, sqrt(norm / s->firstNorm))));
	negate(problem, s->cg.r, g);
	s->products += (size_t)plConjugateGradients_Solve(&s->cg, problem, s->d, &map, s->def.cgIterations, eta * norm);
	return normOf(problem, s->cg.r);
}

// Visits of local sweeps over the vertices: a direction after the first one leaves little to all others.
static const double firstShare = 0.25, laterShare = 1.0;

static plIterateResult iterateCg(plMethodState* s, plProblem* problem, plIterate* it, double norm, plError* error)
{
	double share = s->isFirst ? firstShare : laterShare;
	s->isFirst = false;
	double left = solve(s, problem, it->g, norm);
	if (!search(s, problem, it, s->d, 1.0))
		return pl_iterateStalled;
	plIterate_NeedGradient(it, problem);
	s->missed = fabs(normOf(problem, it->g) - left) / norm;
	if (plLocalSweeps_Run(&s->local, problem, plCycles_GetMatrix(s->cycles), share, it, s->trial, s->cg.z) ==
	    pl_success)
		return pl_iterateMoved;
	plFail(error, pl_errorMemory, "multigrid: not enough memory for sweeps over %zu vertices",
	       problem->layout.vertexCount);
	return pl_iterateFailed;
}

// ---- fmg ------------------------------------------------------------------------------------------------------------

// d += correction of a level for r - A d; d is zero at first
static void correctModel(plMethodState* s, plProblem* problem, size_t level, const plTangent* g, bool isFirst)
{
	double energy;
	negate(problem, s->cg.r, g);
	if (!isFirst)
	{
		plCycles_Multiply(s->cycles, problem, s->d, s->cg.ap);
		problem->space->axpy(problem, s->cg.r, -1.0, s->cg.ap);
	}
	if (plCycles_Correct(s->cycles, problem, level, s->cg.p, s->cg.r, &energy))
	{
		double alpha = problem->space->dot(problem, s->cg.r, s->cg.p) / energy;
		problem->space->axpy(problem, s->d, alpha, s->cg.p);
	}
}

// The levels `first` down to `last` by the model, then a step of the objective
static bool stepByModel(plMethodState* s, plProblem* problem, plIterate* it, size_t first, size_t last)
{
	problem->space->copy(problem, s->d, it->g);
	problem->space->scale(problem, s->d, 0.0);
	for (size_t level = first + 1; level-- > last;)
		correctModel(s, problem, level, it->g, level == first);
	return problem->space->dot(problem, it->g, s->d) < 0.0 && search(s, problem, it, s->d, 1.0);
}

typedef bool CorrectFcn(plCycles* cycles, plProblem* problem, size_t level, plTangent* z, const plTangent* r,
                        double* energy);

// A step of the objective by the correction of a level; false: it does not descend.
static bool stepByLevel(plMethodState* s, plProblem* problem, plIterate* it, size_t level, CorrectFcn* correct)
{
	double energy;
	plIterate_NeedGradient(it, problem);
	negate(problem, s->cg.r, it->g);
	return correct(s->cycles, problem, level, s->d, s->cg.r, &energy) &&
	       search(s, problem, it, s->d, problem->space->dot(problem, s->cg.r, s->d) / energy);
}

static plIterateResult iterateFmg(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	bool renews = s->def.cycle.renew == pl_renewLevel;
	size_t coarsest = plCycles_CountLevels(s->cycles) - 1, linear = s->def.cycle.residual == pl_residualOnce ? 0 : 1;
	bool moved = false;
	if (s->def.cycle.residual != pl_residualEvery && coarsest >= linear)
	{
		moved = stepByModel(s, problem, it, coarsest, linear);
		coarsest = linear;
	}
	else
		++coarsest;
	for (size_t level = coarsest; level-- > 0;)
	{
		if (renews && moved && plCycles_Refresh(s->cycles, problem, it->q, error) != pl_success)
			return pl_iterateFailed;
		moved = stepByLevel(s, problem, it, level, plCycles_Correct) || moved;
	}
	return moved ? pl_iterateMoved : pl_iterateStalled;
}

static plIterateResult iterateFas(plMethodState* s, plProblem* problem, plIterate* it)
{
	size_t count = plCycles_CountLevels(s->cycles);
	bool moved = false;
	for (size_t k = 0; k < 2 * count - 1; ++k)
		moved = stepByLevel(s, problem, it, k < count ? k : 2 * count - 2 - k, plCycles_Smooth) || moved;
	return moved ? pl_iterateMoved : pl_iterateStalled;
}

// ---- iteration ------------------------------------------------------------------------------------------------------

// By the constant matrix; stalled: it is Newton's turn.
static plIterateResult iterateConstant(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	if (!it->gradientValid && !it->valueValid)
	{
		it->f = problem->objective->evaluate(problem, it->q, it->g);
		it->gradientValid = it->valueValid = true;
	}
	plIterate_NeedGradient(it, problem);
	double before = normOf(problem, it->g);
	plIterateResult result = plQuasiNewtonType.iterate(s->constant, problem, it, error);
	s->constantLeft = result == pl_iterateMoved ? s->constantLeft - 1 : 0;
	it->isExtra = result == pl_iterateMoved;
	if (s->constantLeft == 0)
		return result;
	plIterate_NeedGradient(it, problem);
	if (normOf(problem, it->g) > worthwhile * before)
		s->constantLeft = 0;
	return result;
}

static plIterateResult iterate(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	it->settled = true;
	plIterateResult moved = s->constantLeft > 0 ? iterateConstant(s, problem, it, error) : pl_iterateStalled;
	if (moved != pl_iterateStalled)
		return moved;
	plIterate_NeedGradient(it, problem);
	double norm = normOf(problem, it->g);
	if (norm == 0.0)
		return pl_iterateStalled;
	bool fmg = s->def.cycle.kind == pl_cycleFmg, fas = s->def.cycle.kind == pl_cycleFas;
	bool keeps = fmg && s->def.cycle.renew == pl_renewStep;
	bool renewed = s->firstNorm == 0.0 || !keeps;
	if (s->firstNorm == 0.0)
		s->firstNorm = norm;
	if (renewed && plCycles_Refresh(s->cycles, problem, it->q, error) != pl_success)
		return pl_iterateFailed;
	plIterateResult result = fmg   ? iterateFmg(s, problem, it, error)
	                         : fas ? iterateFas(s, problem, it)
	                               : pl_iterateStalled;
	if (result != pl_iterateStalled)
		return result;
	// what cycles cannot do any more, conjugate gradients may
	if (!renewed && plCycles_Refresh(s->cycles, problem, it->q, error) != pl_success)
		return pl_iterateFailed;
	return iterateCg(s, problem, it, norm, error);
}

size_t plMultigridMethod_CountProducts(const plMethodState* s)
{
	return s->products;
}

size_t plMultigridMethod_CountVisits(const plMethodState* s)
{
	return s->local.visits;
}

static unsigned needs(const plSolverDef* def)
{
	(void)def;
	return pl_facetMatrix;
}

static void preset(plSolverDef* def)
{
	def->iterations = 12;
	def->tolerance = 1e-3;
	def->cgIterations = 120;
	def->guess = pl_guessFollow;
	def->eta = 1.0;
}

const plMethodType plMultigridType = {
    .name = "multigrid",
    .takesPairs = true,
    .preset = preset,
    .needs = needs,
    .uses = pl_facetSweep,
    .create = create,
    .refresh = refresh,
    .iterate = iterate,
    .restart = restart,
    .destroy = destroy,
};
