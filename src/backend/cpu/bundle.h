// bundle.h: loops over the members of a bundle, compiled per instruction set
#ifndef PL_CPU_BUNDLE_H
#define PL_CPU_BUNDLE_H

#include <stddef.h>

typedef struct plBundleKernels
{
	// sum over 4 begin .. 4 end of member d: products and sums in double, four sums side by side, then these in order
	double (*dot)(const float* member, const double* d, size_t begin, size_t end);
	// out = scale d + sum over members of weights[m] times the one that starts at m stride; out may be d
	void (*combine)(double* out, double scale, const double* d, const float* members, size_t stride,
	                const double* weights, size_t count, size_t begin, size_t end);
} plBundleKernels;

#endif
