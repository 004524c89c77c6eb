// methods.h: one method type per file
#ifndef PL_METHODS_H
#define PL_METHODS_H

#include "newton_system.h"

extern const plMethodType plNewtonType;                                                        // newton.c
extern const plMethodType plNewtonCgType;                                                      // newton_cg.c
extern const plMethodType plMultigridType;                                                     // multigrid.c
extern const plMethodType plQuasiNewtonType, plProjectiveType;                                 // quasi_newton.c
extern const plMethodType plDescentType, plJacobiType, plGradientType, plNcgType, plLbfgsType; // descent.c

extern const plMethodType plVbdType;     // vbd.c
extern const plMethodType plAutoType;    // auto.c
extern const plMethodType plAvbdType;    // avbd.c
extern const plMethodType plImpulseType; // impulse.c
extern const plMethodType plXpbdType;    // xpbd.c
// A substep of rigid bodies by avbd, whatever else a method does: bodies and vertices do not meet. The def is avbd's
plResult plAvbd_SweepBodies(plProblem* problem, const plSolverDef* def, plError* error);

// Of quasi-newton, as soon as it has been refreshed: initial_matrix.h
bool plQuasiNewton_GetSize(const plMethodState* state, double* nonzeros, double* work, double* blocks);
// Of quasi-newton by cycles, before it is refreshed: levels that somebody else has
void plQuasiNewton_Borrow(plMethodState* state, const plMultigridPlan* plan);
plNewtonCounts plNewtonMethod_Count(const plMethodState* state);
void plNewtonMethod_TryFirst(plMethodState* state, plHessianKind hessian); // from now on
// Of multigrid: products with the matrix so far, with a cycle each
size_t plMultigridMethod_CountProducts(const plMethodState* state);
size_t plMultigridMethod_CountVisits(const plMethodState* state); // of vertices by its local sweeps

#endif
