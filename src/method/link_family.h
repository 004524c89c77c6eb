// link_family.h: what methods share that go from link to link (constraint/links.h): an iteration is a part of a step
#ifndef PL_LINK_FAMILY_H
#define PL_LINK_FAMILY_H

#include "method.h"

unsigned plLinkFamily_Needs(const plSolverDef* def);
plMethodState* plLinkFamily_Create(plProblem* problem, const plSolverDef* def, plError* error);
plResult plLinkFamily_Refresh(plMethodState* state, plProblem* problem, const plPoint* q, plError* error);
plIterateResult plLinkFamily_Iterate(plMethodState* state, plProblem* problem, plIterate* it, plError* error);
void plLinkFamily_Destroy(plMethodState* state, plProblem* problem);

#endif
