// bundle.h: loops over the members of a bundle, compiled per instruction set
#ifndef PL_CPU_BUNDLE_H
#define PL_CPU_BUNDLE_H

#include <stddef.h>

typedef struct plBundleKernels
{
	// sum over 4 begin .. 4 end of member d: products and sums in double, four sums side by side, then these in order
	double (*dot)(const float* member, const double* d, size_t begin, size_t end);
	// out += weight member
	void (*add)(double* out, double weight, const float* member, size_t begin, size_t end);
} plBundleKernels;

#endif
