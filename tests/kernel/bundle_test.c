// bundle_test.c: products and sums over members of a bundle against plain loops, in every instruction set
//
// neon: src/backend/cpu/bundle_lanes.c
#include "test.h"
#include "backend/cpu/bundle.h"

#include <math.h>
#include <string.h>

enum
{
	vertexCount = 1003, // blocks, and a vertex left over
	stride = 3 * (vertexCount + 1),
	memberCount = 3,
	begin = 5, // an even number of vertices, and below an odd one
	end = 901,
};

#if defined(__x86_64__)
extern const plBundleKernels plBundleKernels_avx2, plBundleKernels_baseline;
#else
extern const plBundleKernels plBundleKernels_neon;
#endif

// The table with this number among those that this machine runs; NULL: there are no more
static const plBundleKernels* tableAt(int number)
{
#if defined(__x86_64__)
	if (number == 1 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		return &plBundleKernels_avx2;
	return number == 0 ? &plBundleKernels_baseline : NULL;
#else
	return number == 0 ? &plBundleKernels_neon : NULL;
#endif
}

static float members[memberCount * stride];
static double d[4 * vertexCount], g[4 * vertexCount], last[4 * vertexCount], out[4 * vertexCount];

static void fill(void)
{
	uint64_t seed = 11;
	for (size_t i = 0; i < memberCount * stride; ++i)
		members[i] = (float)testRandom(&seed);
	for (size_t i = 0; i < 4 * vertexCount; ++i)
	{
		d[i] = i % 4 == 3 ? 0.0 : testRandom(&seed);
		g[i] = i % 4 == 3 ? 0.0 : testRandom(&seed);
		last[i] = i % 4 == 3 ? 0.0 : testRandom(&seed);
	}
}

static float memberOf(size_t m, size_t vertex, size_t axis)
{
	return members[m * stride + 3 * vertex + axis];
}

static void checkProducts(const plBundleKernels* kernels, size_t first, size_t beyond)
{
	double sums[memberCount];
	kernels->dots(members, stride, memberCount, d, first, beyond, sums);
	for (size_t m = 0; m < memberCount; ++m)
	{
		double want = 0.0;
		for (size_t i = first; i < beyond; ++i)
			for (size_t k = 0; k < 3; ++k)
				want += (double)memberOf(m, i, k) * d[4 * i + k];
		CHECK_BELOW(fabs(sums[m] - want), 1e-12);
	}
}

static void checkSums(const plBundleKernels* kernels, size_t first, size_t beyond)
{
	const double weights[memberCount] = {0.5, -2.0, 3.0}, untouched = 77.0;
	for (size_t i = 0; i < 4 * vertexCount; ++i)
		out[i] = untouched;
	kernels->combine(out, -1.5, d, members, stride, weights, memberCount, first, beyond);
	for (size_t i = 0; i < 4 * vertexCount; ++i)
	{
		double want = -1.5 * d[i];
		for (size_t m = 0; m < memberCount && i % 4 < 3; ++m)
			want += weights[m] * (double)memberOf(m, i / 4, i % 4);
		if (i / 4 < first || i / 4 >= beyond)
			CHECK(out[i] == untouched);
		else
			CHECK(i % 4 == 3 ? out[i] == 0.0 : fabs(out[i] - want) < 1e-14);
	}
}

// What stands before and after the range belongs to another thread.
static void checkPair(const plBundleKernels* kernels, size_t first, size_t beyond)
{
	static float s[stride], t[stride];
	const float untouched = 77.0f;
	double products[3], want[3] = {0.0, 0.0, 0.0};
	for (size_t i = 0; i < stride; ++i)
		s[i] = t[i] = untouched;
	kernels->pair(s, t, 0.25, d, last, g, first, beyond, products);
	for (size_t i = 0; i < stride; ++i)
	{
		if (i < 3 * first || i >= 3 * beyond)
		{
			CHECK(s[i] == untouched && t[i] == untouched);
			continue;
		}
		size_t from = 4 * (i / 3) + i % 3;
		double a = 0.25 * d[from], b = g[from] - last[from];
		CHECK(s[i] == (float)a && t[i] == (float)b);
		want[0] += a * a;
		want[1] += a * b;
		want[2] += b * b;
	}
	for (int k = 0; k < 3; ++k)
		CHECK_BELOW(fabs(products[k] - want[k]), 1e-11);
}

static void checkAll(void (*check)(const plBundleKernels*, size_t, size_t))
{
	const plBundleKernels* kernels;
	fill();
	for (int t = 0; (kernels = tableAt(t)) != NULL; ++t)
	{
		CALL(check(kernels, begin, end));
		CALL(check(kernels, begin, end - 1));
		CALL(check(kernels, 0, vertexCount));
		CALL(check(kernels, begin, begin + 1));
		CALL(check(kernels, begin, begin));
	}
}

TEST(products_with_members_are_those_of_a_plain_loop)
{
	checkAll(checkProducts);
}

TEST(sums_of_members_stay_within_their_range)
{
	checkAll(checkSums);
}

TEST(a_pair_is_stored_within_its_range)
{
	checkAll(checkPair);
}
