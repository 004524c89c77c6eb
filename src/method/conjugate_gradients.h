// conjugate_gradients.h: A d = r by preconditioned conjugate gradients, for as long as A looks positive definite
//
// The preconditioner is the caller's, symmetric and positive definite, or the diagonal that the problem keeps
// (problem/diagonal.h). Where a direction p of negative curvature appears, p'Ap <= 0, the search stops with the d found
// so far, or, if there is none, with the preconditioned r. So d.r > 0 always: with r = -g, d descends (Steihaug 1983;
// Gast et al. 2015 do the same for implicit Euler).
#ifndef PL_CONJUGATE_GRADIENTS_H
#define PL_CONJUGATE_GRADIENTS_H

#include "method.h"

typedef struct plConjugateGradients
{
	plTangent* r;  // residual, at first the right-hand side: the caller's to fill
	plTangent* z;  // preconditioned residual
	plTangent* p;  // search direction
	plTangent* ap; // A p
} plConjugateGradients;

// A, and what stands for its inverse
typedef struct plLinearMap
{
	void (*multiply)(void* context, plProblem* problem, const plTangent* p, plTangent* ap);
	void (*precondition)(void* context, plProblem* problem, plTangent* z, const plTangent* r); // NULL: the diagonal
	void* context;
} plLinearMap;

bool plConjugateGradients_Create(plConjugateGradients* cg, plProblem* problem); // false: no memory
void plConjugateGradients_Destroy(plConjugateGradients* cg, plProblem* problem);

// d from 0 until |r - A d| <= target, at most `iterations` products; returns how many there were. d is zero only if r
// is.
int plConjugateGradients_Solve(plConjugateGradients* cg, plProblem* problem, plTangent* d, const plLinearMap* map,
                               int iterations, double target);

#endif
