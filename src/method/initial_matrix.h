// initial_matrix.h: the matrices A0 that a quasi-Newton method starts from
//
//   laplacian   M/h^2 + L, one row per vertex: factorised once per topology, set of held axes and time step [LBK17],
//               or by conjugate gradients with a fixed number of products
//   diagonal    its diagonal, as in the Jacobi form of projective dynamics [Wan15]
//   identity    s.t/t.t times the identity, from the latest pair
//   rest        the Hessian at rest, three rows per vertex: as often as the laplacian
//   warped      the same, turned with the body: R H R', R the rotation around each vertex when the step began [MG04]
//   hessian     the Hessian where the step began: once a step
//
// [LBK17] Liu, Bouaziz, Kavan, Quasi-Newton methods for real-time simulation of hyperelastic materials, 2017.
// [Wan15] Wang, A Chebyshev semi-iterative approach for accelerating projective and position-based dynamics, 2015.
// [MG04] Mueller, Gross, Interactive virtual materials, 2004.
#ifndef PL_INITIAL_MATRIX_H
#define PL_INITIAL_MATRIX_H

#include "method.h"

typedef struct plInitialMatrix plInitialMatrix;

plInitialMatrix* plInitialMatrix_Create(plProblem* problem, const plSolverDef* def); // NULL: no memory
void plInitialMatrix_Destroy(plInitialMatrix* matrix, plProblem* problem);

// Cycles over levels that somebody else has, for the same mesh and pattern, from before the first refresh on
void plInitialMatrix_Borrow(plInitialMatrix* matrix, const plMultigridPlan* plan);

// At the start of a step at q: factorises again if anything that the matrix depends on changed.
plResult plInitialMatrix_Refresh(plInitialMatrix* matrix, plProblem* problem, const plPoint* q, plError* error);

// d <- A0^-1 d, zero where a degree of freedom is held; `scale` is what stands for the identity.
plResult plInitialMatrix_Apply(plInitialMatrix* matrix, plProblem* problem, plTangent* d, double scale);

// Nonzeros of the factor of M/h^2 + L, multiplications that it took, and numbers of the matrix, upper triangle; false:
// it is not there.
bool plInitialMatrix_GetSize(const plInitialMatrix* matrix, double* nonzeros, double* work, double* blocks);

#endif
