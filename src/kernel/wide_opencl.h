// wide_opencl.h: the operations of wide.h in OpenCL C 1.2
//
// Numbers and vectors of 2, 4, 8 are built in, and so are operators between a vector and a number, comparisons that
// give lanes of 0 and -1, and a choice by lanes: one text serves every lane count. fma rounds once, as on processors
// that have it. Division and square root of floats are as precise as elsewhere with the option
// -cl-fp32-correctly-rounded-divide-sqrt; then kernels give the bits of the tables for AVX2 and NEON. Doubles need the
// extension cl_khr_fp64. A device has no single lanes to look at: there is no LANE.
#ifndef PL_WIDE_OPENCL_H
#define PL_WIDE_OPENCL_H

#pragma OPENCL FP_CONTRACT OFF

#if !PL_REAL_FLOAT
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)

#if PL_LANES == 1
#define VECTOR_LANES
#else
#define VECTOR_LANES PL_LANES
#endif

#if PL_REAL_FLOAT
#define VECTOR_OF_REALS(verb) PASTE(verb, float, VECTOR_LANES)
#define VECTOR_OF_INTEGERS(verb) PASTE(verb, int, VECTOR_LANES)
#else
#define VECTOR_OF_REALS(verb) PASTE(verb, double, VECTOR_LANES)
#define VECTOR_OF_INTEGERS(verb) PASTE(verb, long, VECTOR_LANES)
#endif

typedef VECTOR_OF_REALS() real;
typedef VECTOR_OF_INTEGERS() ireal;
typedef ireal mask; // a number: 0 or not 0; a vector: each lane 0 or -1

#define REAL_INFINITY K(INFINITY)
#define REAL_NAN K(NAN)
#ifdef __clang__
#define UNREACHABLE() __builtin_unreachable()
#else
#define UNREACHABLE() ((void)0)
#endif

#define SPLAT(c) ((real)(K(c)))
#define ISPLAT(c) ((ireal)((integer)(c)))
#define SELECT(m, a, b) ((m) ? (a) : (b))
#define ISELECT(m, a, b) ((m) ? (a) : (b))
#define MASK_AND(m, n) ((m) && (n))
#define MASK_OR(m, n) ((m) || (n))
#define MASK_NOT(m) (!(m))
#if PL_LANES == 1
#define ANY(m) ((m) != 0)
#define ALL(m) ((m) != 0)
#else
#define ANY(m) (any(m) != 0)
#define ALL(m) (all(m) != 0)
#endif

#define AS_INT(a) VECTOR_OF_INTEGERS(as_)(a)
#define AS_REAL(i) VECTOR_OF_REALS(as_)(i)
#define TO_INT(a) VECTOR_OF_INTEGERS(convert_)(a)
#define TO_REAL(i) VECTOR_OF_REALS(convert_)(i)

#define SQRT(a) sqrt(a)
#define FMA(a, b, c) fma(a, b, c)

#endif
