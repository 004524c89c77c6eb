// isa.h: the instruction set whose kernels run, chosen here for every room
//
// It is the best set that this machine and this build have, or the one that the environment variable PLIANT_ISA names:
// baseline or avx2 (x86-64), neon (aarch64). Bits are the same within a set. Kernels are compiled once per set and
// found by its name.
#ifndef PL_BASE_ISA_H
#define PL_BASE_ISA_H

#include "base.h"

// The set in use, never NULL. Where PLIANT_ISA asks for what is not there it is the best one, so that nobody is left
// without kernels: plIsa_Check, which every world passes, has refused it by then.
const char* plIsa_GetName(void);

bool plIsa_RunsHere(const char* name); // compiled in, and this processor has it

// pl_errorInput, naming the value and the known ones, if PLIANT_ISA is no set of this machine and this build.
plResult plIsa_Check(plError* error);

#endif
