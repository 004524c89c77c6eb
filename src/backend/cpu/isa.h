// isa.h: which compiled kernels this processor runs
//
// The best instruction set of the machine, or the one that the environment variable PLIANT_ISA names:
// baseline, avx2 (x86-64), neon (aarch64). Bits are the same within an instruction set, for the wide and the scalar
// tables alike.
#ifndef PL_ISA_H
#define PL_ISA_H

#include "pliant/types.h"
#include "../../energy/tet_kernels.h"

// Tables of the instruction set in use. `scalar`: one lane instead of the widest vector, for the same bits.
// NULL if PLIANT_ISA names a set that this machine or this build lacks.
const plTetKernels* plCpu_GetTetKernels(plPrecision precision, bool scalar);

// "baseline", "avx2", "neon", or "none" if PLIANT_ISA names a set that this machine or this build lacks.
const char* plCpu_GetIsaName(void);

// The table of one instruction set, precision and width; NULL if it was not compiled or cannot run here.
const plTetKernels* plCpu_FindTetKernels(const char* isa, bool isFloat, int lanes);

// All tables that can run here: index from 0, NULL past the last.
const plTetKernels* plCpu_ListTetKernels(int index);

#endif
