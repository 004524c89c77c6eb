// cycles.h: multigrid cycles on the projected Hessian of a problem
//
// Levels and plan are made once per topology (sparse/multigrid.h). Values follow the state; pins come and go as masks.
// Where floats cannot tell whether the matrix is definite, the block diagonal takes the place of cycles.
#ifndef PL_CYCLES_H
#define PL_CYCLES_H

#include "conjugate_gradients.h"
#include "../sparse/multigrid.h"

typedef struct plCycles plCycles;

plCycles* plCycles_Create(plProblem* problem, const plSolverDef* def); // NULL: no memory
void plCycles_Destroy(plCycles* cycles, plProblem* problem);

// Plan and levels, where they are not there yet, from the pattern of the matrix at q. pl_success or pl_errorMemory with
// words
plResult plCycles_Prepare(plCycles* cycles, plProblem* problem, const plPoint* q, plError* error);
// The matrix at q and all its levels, after they were prepared; pl_success or pl_errorMemory with words
plResult plCycles_Refresh(plCycles* cycles, plProblem* problem, const plPoint* q, plError* error);
// z = C r with r.z > 0, unless r is zero
void plCycles_Precondition(plCycles* cycles, plProblem* problem, plTangent* z, const plTangent* r);
// ap = A p with the matrix of the last refresh, in double
void plCycles_Multiply(plCycles* cycles, plProblem* problem, const plTangent* p, plTangent* ap);

size_t plCycles_CountLevels(const plCycles* cycles);
const plMultigridPlan* plCycles_GetPlan(const plCycles* cycles); // after they were prepared
const plBlockMatrix* plCycles_GetMatrix(const plCycles* cycles); // of the last refresh
// z = I C_level I' r and z'A z, or with the smoothing S_level in the place of the cycle; false: this correction does
// not descend.
bool plCycles_Correct(plCycles* cycles, plProblem* problem, size_t level, plTangent* z, const plTangent* r,
                      double* energy);
bool plCycles_Smooth(plCycles* cycles, plProblem* problem, size_t level, plTangent* z, const plTangent* r,
                     double* energy);

// sparse/multigrid.h, from the problem's mesh and a pattern
plResult plCycles_MakePlan(plMultigridPlan* plan, plProblem* problem, const plSolverDef* def, const plPattern* pattern,
                           plError* error);
plPattern plCycles_GetPattern(const plBlockMatrix* matrix);
plSmoothing plCycles_GetSmoothing(const plSolverDef* def);

#endif
