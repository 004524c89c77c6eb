// direction_jacobi.c: the gradient scaled by the diagonal of the Hessian [WY16]
//
//   d = -D^-1 g,   D the entries or the 3x3 blocks of the diagonal, as the problem was asked to keep it
//
// The step that makes it converge is below 2 / (largest eigenvalue of D^-1 H).
#include "descent.h"

static void apply(plDirectionState* state, plProblem* problem, plTangent* out, const plTangent* d)
{
	(void)state;
	problem->diagonal->precondition(problem, out, d);
}

const plDirectionType plDirectionJacobiType = {.name = "jacobi", .apply = apply};
