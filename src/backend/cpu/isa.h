// isa.h: the compiled kernels of the instruction set in use (base/isa.h)
//
// Bits are the same within an instruction set, for the wide and the scalar tables alike.
#ifndef PL_CPU_ISA_H
#define PL_CPU_ISA_H

#include "bundle.h"
#include "pliant/solver.h"
#include "../../energy/kernels.h"

// Never NULL. `scalar`: one lane instead of the widest vector, for the same bits.
const plElementKernels* plCpu_GetKernels(plElementKind kind, plPrecision precision, bool scalar);

const plBundleKernels* plCpu_GetBundleKernels(void); // never NULL

// The table of one instruction set, precision and width; NULL if it was not compiled or cannot run here.
const plElementKernels* plCpu_FindKernels(plElementKind kind, const char* isa, bool isFloat, int lanes);

// All tables of a kind that can run here: index from 0, NULL past the last.
const plElementKernels* plCpu_ListKernels(plElementKind kind, int index);

#endif
