// options.h: what the table of settings does for the defs of solvers
#ifndef PL_METHOD_OPTIONS_H
#define PL_METHOD_OPTIONS_H

#include "pliant/options.h"
#include "../base/base.h"

// Every setting as the table has it; a method's preset then changes some.
void plSolverDef_SetUsual(plSolverDef* def);

// Bytes of its member that say what it is; 0: phases, which have padding.
size_t plSolverOption_GetSize(const plSolverOption* option);

// Setting by setting: what lies between the members is nobody's.
bool plSolverDef_IsSame(const plSolverDef* a, const plSolverDef* b);

// Each word that does not exist; each number out of its range, where the method looks at it.
plResult plSolverDef_CheckOptions(const plSolverDef* def, plError* error);

#endif
