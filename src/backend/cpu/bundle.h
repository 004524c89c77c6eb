// bundle.h: loops over the members of a bundle, compiled per instruction set
#ifndef PL_CPU_BUNDLE_H
#define PL_CPU_BUNDLE_H

#include <stddef.h>

// Members are x y z of each vertex in single precision; tangents are x y z 0 in double. Products and sums are in
// double.
typedef struct plBundleKernels
{
	// sums[m] = product of d and the member that starts at m stride, over vertices begin .. end-1
	void (*dots)(const float* members, size_t stride, size_t count, const double* d, size_t begin, size_t end,
	             double* sums);
	// out = scale d + sum over members of weights[m] times the one that starts at m stride; out may be d
	void (*combine)(double* out, double scale, const double* d, const float* members, size_t stride,
	                const double* weights, size_t count, size_t begin, size_t end);
	// s = alpha d, t = g - last; products: s.s, s.t, t.t
	void (*pair)(float* s, float* t, double alpha, const double* d, const double* last, const double* g, size_t begin,
	             size_t end, double products[3]);
} plBundleKernels;

#endif
