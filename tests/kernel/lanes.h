// lanes.h: the kernels' functions behind plain arrays, one table for each instruction set, precision and lane count
//
// A file *_lanes.c in this folder is compiled once for every table (as those of src/ are) and defines one. Arrays hold
// doubles whatever the precision: element i has its `in` numbers at in[i * in], its results at out[i * out]. Numbers
// are rounded to the table's precision on the way in and are exact on the way out.
#ifndef KERNEL_LANES_H
#define KERNEL_LANES_H

#include <stddef.h>

typedef enum kernelFunction
{
	kernel_arithmetic, // a b c -> a b + c, sqrt |a|, max, min, |a|, a selection of a or c, round a
	kernel_log,
	kernel_exp,
	kernel_rcbrt,
	kernel_svd,   // F -> U s V
	kernel_polar, // F -> R
	kernel_eigen, // A -> w Q
	kernel_clamp, // A floor -> clamped A
	kernel_count
} kernelFunction;

typedef struct kernelShape
{
	const char* name;
	int in, out;
} kernelShape;

static const kernelShape kernelShapes[kernel_count] = {
    [kernel_arithmetic] = {"arithmetic", 3, 7}, [kernel_log] = {"log", 1, 1},      [kernel_exp] = {"exp", 1, 1},
    [kernel_rcbrt] = {"rcbrt", 1, 1},           [kernel_svd] = {"svd", 9, 21},     [kernel_polar] = {"polar", 9, 9},
    [kernel_eigen] = {"eigen", 9, 12},          [kernel_clamp] = {"clamp", 10, 9},
};

typedef struct kernelTable
{
	const char* isa;
	int isFloat;
	int lanes;
	int fused; // FMA rounds once
	void (*run)(kernelFunction function, size_t count, const double* in, double* out);
} kernelTable;

#define KERNEL_TABLE_(isa, isFloat, lanes) kernelTable_##isa##_##isFloat##_##lanes
#define KERNEL_TABLE(isa, isFloat, lanes) KERNEL_TABLE_(isa, isFloat, lanes)

#if defined(__aarch64__)
#define KERNEL_TABLES(X) X(neon, 1, 1) X(neon, 1, 4) X(neon, 0, 1) X(neon, 0, 2)
#else
#define KERNEL_TABLES(X)                                                                                               \
	X(baseline, 1, 1)                                                                                                  \
	X(baseline, 1, 4)                                                                                                  \
	X(baseline, 0, 1)                                                                                                  \
	X(baseline, 0, 2)                                                                                                  \
	X(avx2, 1, 1)                                                                                                      \
	X(avx2, 1, 8)                                                                                                      \
	X(avx2, 0, 1)                                                                                                      \
	X(avx2, 0, 4)
#endif

#define KERNEL_DECLARE(isa, isFloat, lanes) extern const kernelTable KERNEL_TABLE(isa, isFloat, lanes);
KERNEL_TABLES(KERNEL_DECLARE)

#endif
