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
		*vectors[i] = problem->space->newTangent(problem);
		fine = fine && *vectors[i] != NULL;
	}
	return fine;
}

void plConjugateGradients_Destroy(plConjugateGradients* cg, plProblem* problem)
{
	plTangent* const vectors[] = {cg->r, cg->z, cg->p, cg->ap};
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
		problem->space->freeTangent(problem, vectors[i]);
	*cg = (plConjugateGradients){0};
}

static void precondition(const plConjugateGradients* cg, plProblem* problem, const plLinearMap* map)
{
	if (map->precondition != NULL)
		map->precondition(map->context, problem, cg->z, cg->r);
	else
		problem->diagonal->precondition(problem, cg->z, cg->r);
}

int plConjugateGradients_Solve(plConjugateGradients* cg, plProblem* problem, plTangent* d, const plLinearMap* map,
                               int iterations, double target)
{
	precondition(cg, problem, map);
	problem->space->copy(problem, cg->p, cg->z);
	problem->space->copy(problem, d, cg->z);
	problem->space->scale(problem, d, 0.0);
	double rz = problem->space->dot(problem, cg->r, cg->z);
	for (int k = 0; k < iterations; ++k)
	{
		map->multiply(map->context, problem, cg->p, cg->ap);
		double curvature = problem->space->dot(problem, cg->p, cg->ap);
		if (!(curvature > 0.0))
		{
			if (k == 0)
				problem->space->copy(problem, d, cg->z);
			return k + 1;
		}
		double alpha = rz / curvature;
		problem->space->axpy(problem, d, alpha, cg->p);
		problem->space->axpy(problem, cg->r, -alpha, cg->ap);
		if (sqrt(problem->space->dot(problem, cg->r, cg->r)) <= target)
			return k + 1;
		precondition(cg, problem, map);
		double next = problem->space->dot(problem, cg->r, cg->z);
		problem->space->scale(problem, cg->p, next / rz);
		problem->space->axpy(problem, cg->p, 1.0, cg->z);
		rz = next;
	}
	return iterations;
}
