// direction_jacobi.c: the gradient scaled by the diagonal of the Hessian [WY16]
//
//   d = -D^-1 g,   D the entries or the 3x3 blocks of the diagonal, as the problem was asked to keep it
//
// The step that makes it converge is below 2 / (largest eigenvalue of D^-1 H).
#include "descent.h"

struct plDirectionState
{
	char nothing;
};

static plDirectionState* create(plProblem* problem, const plSolverDef* def)
{
	(void)def;
	return PL_NEW_ZERO(problem->heap, plDirectionState, 1);
}

static void apply(plDirectionState* state, plProblem* problem, plTangent* out, const plTangent* d)
{
	(void)state;
	problem->verbs->precondition(problem, out, d);
}

static void destroy(plDirectionState* state, plProblem* problem)
{
	PL_FREE(problem->heap, state, 1);
}

const plDirectionType plDirectionJacobiType = {.name = "jacobi", .create = create, .apply = apply, .destroy = destroy};
