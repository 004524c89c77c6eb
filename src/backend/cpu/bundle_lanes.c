// bundle_lanes.c: products and sums of the members of a bundle
//
// Loops take a vertex at a time, as four numbers. The fourth number of a tangent is 0. Members have no fourth: the x of
// the next vertex is read in its place, which counts for nothing and is never stored.
#if PL_REAL_FLOAT && PL_LANES > 1

#include "bundle.h"

#include <stdbool.h>
#include <string.h>

typedef float float4 __attribute__((vector_size(16)));
typedef double double4 __attribute__((vector_size(32)));

enum
{
	blockVertices = 256, // of a tangent: they stay in the nearest cache while the members pass by
};

// By pointers, because vectors as arguments depend on the instruction set.
static inline void loadDouble(double4* out, const double* x)
{
	memcpy(out, x, sizeof *out);
}

static inline void loadFloat(double4* out, const float* x)
{
	float4 a;
	memcpy(&a, x, sizeof a);
	*out = __builtin_convertvector(a, double4);
}

static inline double sumOf(const double4* a)
{
	return ((*a)[0] + (*a)[1]) + ((*a)[2] + (*a)[3]);
}

// Two sums of vectors: one alone would wait for itself.
static double dot(const float* member, const double* d, size_t count)
{
	double4 a, b, even = {0.0}, odd = {0.0};
	size_t i = 0;
	for (; i + 2 <= count; i += 2)
	{
		loadFloat(&a, member + 3 * i), loadDouble(&b, d + 4 * i);
		even += a * b;
		loadFloat(&a, member + 3 * i + 3), loadDouble(&b, d + 4 * i + 4);
		odd += a * b;
	}
	if (i < count)
	{
		loadFloat(&a, member + 3 * i), loadDouble(&b, d + 4 * i);
		even += a * b;
	}
	even += odd;
	return sumOf(&even);
}

static void dots(const float* members, size_t stride, size_t count, const double* d, size_t begin, size_t end,
                 double* sums)
{
	memset(sums, 0, count * sizeof *sums);
	for (size_t next; begin < end; begin = next)
	{
		next = end - begin < blockVertices ? end : begin + blockVertices;
		for (size_t m = 0; m < count; ++m)
			sums[m] += dot(members + m * stride + 3 * begin, d + 4 * begin, next - begin);
	}
}

static inline void storeXyz(double* out, double4* a)
{
	(*a)[3] = 0.0;
	memcpy(out, a, sizeof *a);
}

static void combine(double* out, double scale, const double* d, const float* members, size_t stride,
                    const double* weights, size_t count, size_t begin, size_t end)
{
	double4 a, first, second;
	size_t i = begin;
	for (; i + 2 <= end; i += 2)
	{
		loadDouble(&first, d + 4 * i), loadDouble(&second, d + 4 * i + 4);
		first *= scale, second *= scale;
		for (size_t m = 0; m < count; ++m)
		{
			loadFloat(&a, members + m * stride + 3 * i);
			first += weights[m] * a;
			loadFloat(&a, members + m * stride + 3 * i + 3);
			second += weights[m] * a;
		}
		storeXyz(out + 4 * i, &first), storeXyz(out + 4 * i + 4, &second);
	}
	if (i < end)
	{
		loadDouble(&first, d + 4 * i);
		first *= scale;
		for (size_t m = 0; m < count; ++m)
		{
			loadFloat(&a, members + m * stride + 3 * i);
			first += weights[m] * a;
		}
		storeXyz(out + 4 * i, &first);
	}
}

// The fourth number is written over by the next vertex, but that of the last vertex belongs to somebody else.
static inline void storeFloat(float* out, const double4* x, bool isLast)
{
	float4 a = __builtin_convertvector(*x, float4);
	memcpy(out, &a, isLast ? 3 * sizeof *out : sizeof a);
}

static void pair(float* s, float* t, double alpha, const double* d, const double* last, const double* g, size_t begin,
                 size_t end, double products[3])
{
	double4 ss = {0.0}, st = {0.0}, tt = {0.0};
	for (size_t i = begin; i < end; ++i)
	{
		double4 a, b, c;
		loadDouble(&a, d + 4 * i), loadDouble(&b, g + 4 * i), loadDouble(&c, last + 4 * i);
		a *= alpha;
		b -= c;
		storeFloat(s + 3 * i, &a, i + 1 == end), storeFloat(t + 3 * i, &b, i + 1 == end);
		ss += a * a;
		st += a * b;
		tt += b * b;
	}
	products[0] = sumOf(&ss);
	products[1] = sumOf(&st);
	products[2] = sumOf(&tt);
}

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

extern const plBundleKernels PASTE(plBundleKernels_, PL_ISA);
const plBundleKernels PASTE(plBundleKernels_, PL_ISA) = {dots, combine, pair};

#else

typedef int plBundleKernelsAreFloat; // a file must declare something

#endif
