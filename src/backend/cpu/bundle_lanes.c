// bundle_lanes.c: a member of a bundle times a tangent, and added to one
#if PL_REAL_FLOAT && PL_LANES > 1

#include "bundle.h"

#include <string.h>

typedef float float4 __attribute__((vector_size(16)));
typedef double double4 __attribute__((vector_size(32)));

// By pointers, because vectors as arguments depend on the instruction set.
static inline void addProduct(double4* sum, const float* member, const double* d)
{
	float4 a;
	double4 b;
	memcpy(&a, member, sizeof a);
	memcpy(&b, d, sizeof b);
	*sum += __builtin_convertvector(a, double4) * b;
}

// Two sums, even and odd vertices: one alone would wait for itself.
static double dot(const float* member, const double* d, size_t begin, size_t end)
{
	double4 even = {0.0}, odd = {0.0};
	size_t i = begin;
	for (; i + 1 < end; i += 2)
	{
		addProduct(&even, member + 4 * i, d + 4 * i);
		addProduct(&odd, member + 4 * i + 4, d + 4 * i + 4);
	}
	if (i < end)
		addProduct(&even, member + 4 * i, d + 4 * i);
	even += odd;
	return (even[0] + even[1]) + (even[2] + even[3]);
}

static void combine(double* out, double scale, const double* d, const float* members, size_t stride,
                    const double* weights, size_t count, size_t begin, size_t end)
{
	for (size_t i = 4 * begin; i < 4 * end; i += 4)
	{
		double4 sum;
		memcpy(&sum, d + i, sizeof sum);
		sum *= scale;
		for (size_t m = 0; m < count; ++m)
		{
			float4 a;
			memcpy(&a, members + m * stride + i, sizeof a);
			sum += weights[m] * __builtin_convertvector(a, double4);
		}
		memcpy(out + i, &sum, sizeof sum);
	}
}

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

extern const plBundleKernels PASTE(plBundleKernels_, PL_ISA);
const plBundleKernels PASTE(plBundleKernels_, PL_ISA) = {dot, combine};

#else

typedef int plBundleKernelsAreFloat; // a file must declare something

#endif
