// tables.h: names of the tables that are compiled once per instruction set, precision and lane count
#ifndef PL_CPU_TABLES_H
#define PL_CPU_TABLES_H

#include "../../energy/kernels.h"

// plTetKernels_avx2_1_8 and so on
#define TABLE_3(name, isa, isFloat, lanes) name##_##isa##_##isFloat##_##lanes
#define TABLE_2(name, isa, isFloat, lanes) TABLE_3(name, isa, isFloat, lanes)
#define TABLE(name) TABLE_2(name, PL_ISA, PL_REAL_FLOAT, PL_LANES)

#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)
#define ISA_TEXT TEXT(PL_ISA)

extern const plPatchKernels TABLE(plPatchKernels);
extern const plVertexKernels TABLE(plVertexKernels);
extern const plSweepKernels TABLE(plTetSweepKernels);
extern const plSweepKernels TABLE(plTriangleSweepKernels);

#endif
