// conjugate_gradients.c: preconditioned conjugate gradients on the vectors of a problem (Hestenes and Stiefel 1952)
//
//   alpha = r.z / p.Ap,   d += alpha p,   r -= alpha A p,   z = D^-1 r,   p = z + (r.z / old r.z) p
#include "conjugate_gradients.h"

#include <math.h>

bool plConjugateGradients_Create(plConjugateGradients* cg, plProblem* problem)
{
	plTangent** const vectors[] = {&cg->r, &cg->z, &cg->p, &cg->ap};
	bool fine = true;
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
	{
		*vectors[i] = problem->verbs->newTangent(problem);
		fine = fine && *vectors[i] != NULL;
	}
	return fine;
}

void plConjugateGradients_Destroy(plConjugateGradients* cg, plProblem* problem)
{
	plTangent* const vectors[] = {cg->r, cg->z, cg->p, cg->ap};
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
		problem->verbs->freeTangent(problem, vectors[i]);
	*cg = (plConjugateGradients){0};
}

void plConjugateGradients_Solve(plConjugateGradients* cg, plProblem* problem, plTangent* d, plMultiplyFcn* multiply,
                                void* context, int iterations, double target)
{
	const plProblemVerbs* verbs = problem->verbs;
	verbs->precondition(problem, cg->z, cg->r);
	verbs->copy(problem, cg->p, cg->z);
	verbs->copy(problem, d, cg->z);
	verbs->scale(problem, d, 0.0);
	double rz = verbs->dot(problem, cg->r, cg->z);
	for (int k = 0; k < iterations; ++k)
	{
		multiply(context, problem, cg->p, cg->ap);
		double curvature = verbs->dot(problem, cg->p, cg->ap);
		if (!(curvature > 0.0))
		{
			if (k == 0)
				verbs->copy(problem, d, cg->z);
			return;
		}
		double alpha = rz / curvature;
		verbs->axpy(problem, d, alpha, cg->p);
		verbs->axpy(problem, cg->r, -alpha, cg->ap);
		if (sqrt(verbs->dot(problem, cg->r, cg->r)) <= target)
			return;
		verbs->precondition(problem, cg->z, cg->r);
		double next = verbs->dot(problem, cg->r, cg->z);
		verbs->scale(problem, cg->p, next / rz);
		verbs->axpy(problem, cg->p, 1.0, cg->z);
		rz = next;
	}
}
