// isa.h: the compiled kernels of the instruction set in use (base/isa.h)
//
// Bits are the same within an instruction set, for the wide and the scalar tables alike.
#ifndef PL_CPU_ISA_H
#define PL_CPU_ISA_H

#include "bundle.h"
#include "pliant/types.h"
#include "../../energy/tet_kernels.h"

// Never NULL. `scalar`: one lane instead of the widest vector, for the same bits.
const plTetKernels* plCpu_GetTetKernels(plPrecision precision, bool scalar);

const plBundleKernels* plCpu_GetBundleKernels(void); // never NULL

// The table of one instruction set, precision and width; NULL if it was not compiled or cannot run here.
const plTetKernels* plCpu_FindTetKernels(const char* isa, bool isFloat, int lanes);

// All tables that can run here: index from 0, NULL past the last.
const plTetKernels* plCpu_ListTetKernels(int index);

#endif
