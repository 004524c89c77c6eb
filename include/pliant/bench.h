// bench.h: how fast the element kernels are on this machine, for `pliant bench` and for those who port them
#ifndef PLIANT_BENCH_H
#define PLIANT_BENCH_H

#include "types.h"

typedef enum plBenchVerb
{
	pl_benchValue,
	pl_benchGradient,
	pl_benchDiagonal,
	pl_benchHessian,
	pl_benchVerbCount
} plBenchVerb;

PL_API const char* plBenchVerb_GetName(plBenchVerb verb);

// One kernel on the tetrahedra of a deformed box.
typedef struct plKernelBenchDef
{
	plMaterialDef material;
	plBenchVerb verb;
	plPrecision precision;
	bool scalar;  // one lane at a time instead of the widest vectors
	plPool* pool; // NULL: the calling thread
	size_t cells; // of the box along each axis; six tetrahedra a cell
	int repeats;  // passes over all elements that are timed, after one that is not
	uint32_t cookie;
} plKernelBenchDef;

PL_API plKernelBenchDef plDefaultKernelBenchDef(void);

typedef struct plKernelBench
{
	size_t tetCount;
	int lanes;
	double fastest; // ns per tetrahedron
	double median;
} plKernelBench;

PL_API plResult plBench_Kernel(const plKernelBenchDef* def, plKernelBench* result, plError* error);

#endif
