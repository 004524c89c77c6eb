// newton_cg.c: Newton's method with conjugate gradients in place of a factorisation
//
//   H d = -g solved by preconditioned conjugate gradients, d_0 = 0, until |H d + g| <= eta |g|,
//   eta = min(0.1, sqrt(|g| / |g_first|)),  q <- q + alpha d,  alpha by backtracking from 1
//
// H is exact and never formed: every product walks over the elements. The preconditioner is the block diagonal, each
// element's part made positive semidefinite, refreshed at every iteration. Where a direction p of negative curvature
// appears, p'Hp <= 0, the search stops with what it has, or with the preconditioned gradient if that is nothing: the
// direction always descends (Steihaug 1983; Gast et al. 2015 do the same for implicit Euler). The tightening eta makes
// the convergence superlinear (Dembo, Eisenstat, Steihaug 1982).
//
// Parameters: iterations (default 50), tolerance (1e-8), accept, cgIterations (products per iteration at most, 500).
// Cost per iteration: one diagonal, one product per conjugate-gradient step, one value or more. Memory grows with the
// mesh only linearly: the method for meshes too large to factorise.
#include "line_search.h"
#include "methods.h"

#include <math.h>

struct plMethodState
{
	int cgIterations;
	plTangent* d;  // the direction
	plTangent* r;  // residual -g - H d
	plTangent* z;  // preconditioned residual
	plTangent* p;  // search direction of conjugate gradients
	plTangent* hp; // H p
	plPoint* trial;
	double firstNorm; // |g| at the step's first iteration; 0: not known yet
};

static void destroy(plMethodState* state, plProblem* problem)
{
	if (state == NULL)
		return;
	plTangent* const vectors[] = {state->d, state->r, state->z, state->p, state->hp};
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
		problem->verbs->freeTangent(problem, vectors[i]);
	problem->verbs->freePoint(problem, state->trial);
	PL_FREE(problem->heap, state, 1);
}

static plMethodState* create(plProblem* problem, const plSolverDef* def, plError* error)
{
	plMethodState* state = PL_NEW_ZERO(problem->heap, plMethodState, 1);
	if (state != NULL)
	{
		plTangent** const vectors[] = {&state->d, &state->r, &state->z, &state->p, &state->hp};
		bool fine = true;
		for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
		{
			*vectors[i] = problem->verbs->newTangent(problem);
			fine = fine && *vectors[i] != NULL;
		}
		state->trial = problem->verbs->newPoint(problem);
		state->cgIterations = def->cgIterations;
		if (fine && state->trial != NULL)
			return state;
	}
	destroy(state, problem);
	plFail(error, pl_errorMemory, "newton-cg: not enough memory for %zu vertices", problem->vertexCount);
	return NULL;
}

static plResult refresh(plMethodState* state, plProblem* problem, const plPoint* q, plError* error)
{
	(void)problem;
	(void)q;
	(void)error;
	state->firstNorm = 0.0;
	return pl_success;
}

// Conjugate gradients on H d = -g. Leaves d; it is zero only if g is.
static void solve(plMethodState* state, plProblem* problem, const plPoint* q, const plTangent* g, double target)
{
	const plProblemVerbs* verbs = problem->verbs;
	verbs->copy(problem, state->r, g);
	verbs->scale(problem, state->r, -1.0);
	verbs->precondition(problem, state->z, state->r);
	verbs->copy(problem, state->p, state->z);
	verbs->copy(problem, state->d, state->z);
	verbs->scale(problem, state->d, 0.0);
	double rz = verbs->dot(problem, state->r, state->z);
	for (int k = 0; k < state->cgIterations; ++k)
	{
		verbs->product(problem, q, state->p, state->hp);
		double curvature = verbs->dot(problem, state->p, state->hp);
		if (!(curvature > 0.0))
		{
			if (k == 0)
				verbs->copy(problem, state->d, state->z);
			return;
		}
		double alpha = rz / curvature;
		verbs->axpy(problem, state->d, alpha, state->p);
		verbs->axpy(problem, state->r, -alpha, state->hp);
		if (sqrt(verbs->dot(problem, state->r, state->r)) <= target)
			return;
		verbs->precondition(problem, state->z, state->r);
		double next = verbs->dot(problem, state->r, state->z);
		verbs->scale(problem, state->p, next / rz);
		verbs->axpy(problem, state->p, 1.0, state->z);
		rz = next;
	}
}

static plIterateResult iterate(plMethodState* state, plProblem* problem, plIterate* it, plError* error)
{
	static const plLineSearch search = {.firstStep = 1.0, .shrink = 0.5, .armijo = 1e-4, .minStep = 1e-12};
	it->settled = true;
	plIterate_NeedGradient(it, problem);
	double norm = sqrt(problem->verbs->dot(problem, it->g, it->g));
	if (norm == 0.0)
		return pl_iterateStalled;
	if (state->firstNorm == 0.0)
		state->firstNorm = norm;
	if (!problem->verbs->refreshDiagonal(problem, it->q, pl_diagonalBlocks))
	{
		plFail(error, pl_errorMemory, "newton-cg: not enough memory for the diagonal of %zu vertices",
		       problem->vertexCount);
		return pl_iterateFailed;
	}
	double eta = fmin(0.1, sqrt(norm / state->firstNorm));
	solve(state, problem, it->q, it->g, eta * norm);
	double alpha = plLineSearch_Run(&search, problem, it, state->d, state->trial, state->z);
	return alpha > 0.0 ? pl_iterateMoved : pl_iterateStalled;
}

static void restart(plMethodState* state, plProblem* problem)
{
	(void)problem;
	state->firstNorm = 0.0;
}

const plMethodType plNewtonCgType = {
    .name = "newton-cg",
    .defaults = {.iterations = 50, .tolerance = 1e-8, .cgIterations = 500},
    .create = create,
    .refresh = refresh,
    .iterate = iterate,
    .restart = restart,
    .destroy = destroy,
};
