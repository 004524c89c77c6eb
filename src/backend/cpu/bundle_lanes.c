// bundle_lanes.c: products and sums of the members of a bundle
//
// Members have no fourth number, tangents have: blocks of them are packed first, so that the loops run over numbers
// side by side and a tangent is read once for all members.
#if PL_REAL_FLOAT && PL_LANES > 1

#include "bundle.h"

#include <string.h>

typedef float float4 __attribute__((vector_size(16)));
typedef double double4 __attribute__((vector_size(32)));

enum
{
	blockVertices = 256, // three packed tangents are 18 KiB: they stay in the nearest cache
	blockNumbers = 3 * blockVertices,
};

// By pointers, because vectors as arguments depend on the instruction set.
static inline void loadDouble(double4* out, const double* x)
{
	memcpy(out, x, sizeof *out);
}

// x y z 0 to x y z: the fourth number is written over by the next vertex, and there is room for the last.
static size_t packBlock(const double* d, size_t begin, size_t end, double scale, double x[blockNumbers + 1])
{
	size_t last = end - begin < blockVertices ? end : begin + blockVertices;
	for (size_t i = begin; i < last; ++i, x += 3)
	{
		double4 a;
		loadDouble(&a, d + 4 * i);
		a *= scale;
		memcpy(x, &a, sizeof a);
	}
	return last;
}

static void unpackBlock(const double x[blockNumbers + 1], size_t begin, size_t end, double* out)
{
	for (size_t i = begin; i < end; ++i, x += 3)
	{
		double4 a;
		loadDouble(&a, x);
		a[3] = 0.0;
		memcpy(out + 4 * i, &a, sizeof a);
	}
}

static inline void loadFloat(double4* out, const float* x)
{
	float4 a;
	memcpy(&a, x, sizeof a);
	*out = __builtin_convertvector(a, double4);
}

static inline void storeFloat(float* out, const double4* x)
{
	float4 a = __builtin_convertvector(*x, float4);
	memcpy(out, &a, sizeof a);
}

static inline double sumOf(const double4* a)
{
	return ((*a)[0] + (*a)[1]) + ((*a)[2] + (*a)[3]);
}

// Two sums of vectors: one alone would wait for itself.
static double dot(const float* member, const double* x, size_t count)
{
	double4 a, b, even = {0.0}, odd = {0.0};
	size_t i = 0;
	for (; i + 8 <= count; i += 8)
	{
		loadFloat(&a, member + i), loadDouble(&b, x + i);
		even += a * b;
		loadFloat(&a, member + i + 4), loadDouble(&b, x + i + 4);
		odd += a * b;
	}
	for (; i < count; ++i)
		even[0] += (double)member[i] * x[i];
	even += odd;
	return sumOf(&even);
}

static void dots(const float* members, size_t stride, size_t count, const double* d, size_t begin, size_t end,
                 double* sums)
{
	double x[blockNumbers + 1];
	memset(sums, 0, count * sizeof *sums);
	for (size_t next; begin < end; begin = next)
	{
		next = packBlock(d, begin, end, 1.0, x);
		for (size_t m = 0; m < count; ++m)
			sums[m] += dot(members + m * stride + 3 * begin, x, 3 * (next - begin));
	}
}

static void addMembers(double* x, size_t numbers, const float* members, size_t stride, const double* weights,
                       size_t count)
{
	size_t i = 0;
	for (; i + 8 <= numbers; i += 8)
	{
		double4 a, first, second;
		loadDouble(&first, x + i), loadDouble(&second, x + i + 4);
		for (size_t m = 0; m < count; ++m)
		{
			loadFloat(&a, members + m * stride + i);
			first += weights[m] * a;
			loadFloat(&a, members + m * stride + i + 4);
			second += weights[m] * a;
		}
		memcpy(x + i, &first, sizeof first), memcpy(x + i + 4, &second, sizeof second);
	}
	for (; i < numbers; ++i)
		for (size_t m = 0; m < count; ++m)
			x[i] += weights[m] * (double)members[m * stride + i];
}

static void combine(double* out, double scale, const double* d, const float* members, size_t stride,
                    const double* weights, size_t count, size_t begin, size_t end)
{
	double x[blockNumbers + 1];
	for (size_t next; begin < end; begin = next)
	{
		next = packBlock(d, begin, end, scale, x);
		addMembers(x, 3 * (next - begin), members + 3 * begin, stride, weights, count);
		unpackBlock(x, begin, next, out);
	}
}

static void pairBlock(float* s, float* t, const double* x, const double* last, const double* g, size_t numbers,
                      double products[3])
{
	double4 ss = {0.0}, st = {0.0}, tt = {0.0};
	size_t i = 0;
	for (; i + 4 <= numbers; i += 4)
	{
		double4 a, b, c;
		loadDouble(&a, x + i), loadDouble(&b, g + i), loadDouble(&c, last + i);
		b -= c;
		storeFloat(s + i, &a), storeFloat(t + i, &b);
		ss += a * a;
		st += a * b;
		tt += b * b;
	}
	for (; i < numbers; ++i)
	{
		double a = x[i], b = g[i] - last[i];
		s[i] = (float)a;
		t[i] = (float)b;
		ss[0] += a * a;
		st[0] += a * b;
		tt[0] += b * b;
	}
	products[0] += sumOf(&ss);
	products[1] += sumOf(&st);
	products[2] += sumOf(&tt);
}

static void pair(float* s, float* t, double alpha, const double* d, const double* last, const double* g, size_t begin,
                 size_t end, double products[3])
{
	double x[blockNumbers + 1], y[blockNumbers + 1], z[blockNumbers + 1];
	memset(products, 0, 3 * sizeof *products);
	for (size_t next; begin < end; begin = next)
	{
		next = packBlock(d, begin, end, alpha, x);
		packBlock(last, begin, end, 1.0, y);
		packBlock(g, begin, end, 1.0, z);
		pairBlock(s + 3 * begin, t + 3 * begin, x, y, z, 3 * (next - begin), products);
	}
}

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

extern const plBundleKernels PASTE(plBundleKernels_, PL_ISA);
const plBundleKernels PASTE(plBundleKernels_, PL_ISA) = {dots, combine, pair};

#else

typedef int plBundleKernelsAreFloat; // a file must declare something

#endif
