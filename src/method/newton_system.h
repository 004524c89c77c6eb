// newton_system.h: H d = -g on the free degrees of freedom, by a direct factorisation
//
// The pattern is ordered and analysed once per topology and set of held degrees of freedom; where surfaces meet, anew
// when pairs have blocks that it has not.
#ifndef PL_NEWTON_SYSTEM_H
#define PL_NEWTON_SYSTEM_H

#include "method.h"

typedef struct plNewtonSystem plNewtonSystem;

plNewtonSystem* plNewtonSystem_Create(plProblem* problem, plFactorisation wanted); // NULL: no memory
void plNewtonSystem_Destroy(plNewtonSystem* system, plProblem* problem);

// pl_errorNumeric: H is not positive definite; pl_errorMemory with words.
plResult plNewtonSystem_Factorise(plNewtonSystem* system, plProblem* problem, const plPoint* q, plHessianKind kind,
                                  plError* error);
// What factorising takes. Whether the first factorisation of a substep needs an analysis depends on the substep before,
// so it is not counted
typedef struct plNewtonCounts
{
	size_t nonzeros; // of the last factor
	size_t growths;  // so far: patterns that were analysed anew because pairs came within a substep
} plNewtonCounts;

plNewtonCounts plNewtonSystem_Count(const plNewtonSystem* system);

// d = -H^-1 g with the last factorisation
plResult plNewtonSystem_Solve(plNewtonSystem* system, plProblem* problem, const plTangent* g, plTangent* d);

#endif
