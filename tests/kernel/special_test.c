// special_test.c: log, exp and reciprocal cube root against the C library in long double, in units in the last place
//
// neon: tests/kernel/math_lanes.c
#include "cases.h"

// |got - want| in units in the last place of want
static double ulps(const kernelTable* table, double got, long double want)
{
	int exponent, digits = table->isFloat ? 24 : 53, lowest = table->isFloat ? -149 : -1074;
	if (isinf(got))
		return fabsl(want) >= (table->isFloat ? 0x1.ffffffp127L : 0x1.fffffffffffff8p1023L) ? 0.0 : INFINITY;
	frexpl(want, &exponent);
	exponent = exponent - digits < lowest ? lowest : exponent - digits;
	return (double)(fabsl(got - want) / ldexpl(1.0L, exponent));
}

static long double rcbrtl(long double x)
{
	return 1.0L / cbrtl(x);
}

// Inputs over the whole range, and around 1 where log and exp are hardest
static double argument(kernelFunction function, const kernelTable* table, size_t i, uint64_t* seed)
{
	double u = testRandom(seed);
	if (function == kernel_exp)
		return rounded(table, i % 2 ? u : u * (table->isFloat ? 104.0 : 746.0));
	if (i % 2)
		return rounded(table, 1.0 + u * randomPower(seed, table->isFloat ? 23 : 52) * 0.5);
	int lowest = table->isFloat ? -149 : -1074, highest = table->isFloat ? 127 : 1023;
	if (function == kernel_rcbrt) // normal numbers only
		lowest = table->isFloat ? -126 : -1022;
	int exponent = lowest + (int)((testRandom(seed) * 0.5 + 0.5) * (highest - lowest));
	return rounded(table, ldexp(1.5 + 0.5 * u, exponent));
}

static void checkAccuracy(kernelFunction function, long double (*reference)(long double), double limit)
{
	tableList tables = usableTables();
	enum
	{
		count = 5 * KERNEL_CASES
	};
	double* in = malloc(sizeof(double) * count);
	double* out = malloc(sizeof(double) * count);
	for (int t = 0; in && out && t < tables.count && !testFailedHere; ++t)
	{
		const kernelTable* table = tables.at[t];
		uint64_t seed = 3;
		for (size_t i = 0; i < count; ++i)
			in[i] = argument(function, table, i, &seed);
		table->run(function, count, in, out);
		double worst = 0.0, where = 0.0;
		for (size_t i = 0; i < count; ++i)
		{
			double u = ulps(table, out[i], reference(in[i]));
			if (!(u <= worst))
			{
				worst = u;
				where = in[i];
			}
		}
		printf("    %-5s %-8s %d x %-6s  %.3f ulp at %a\n", kernelShapes[function].name, table->isa, table->lanes,
		       table->isFloat ? "float" : "double", worst, where);
		if (!(worst <= limit))
			testFailedHere++;
	}
	free(in);
	free(out);
}

TEST(log_is_within_one_ulp)
{
	checkAccuracy(kernel_log, logl, 1.0);
}

TEST(exp_is_within_one_ulp)
{
	checkAccuracy(kernel_exp, expl, 1.0);
}

TEST(rcbrt_is_within_one_and_a_half_ulp)
{
	checkAccuracy(kernel_rcbrt, rcbrtl, 1.5);
}

static double value(const kernelTable* table, kernelFunction function, double x)
{
	double y;
	table->run(function, 1, &x, &y);
	return y;
}

TEST(edges_of_the_range_are_sane)
{
	tableList tables = usableTables();
	for (int i = 0; i < tables.count; ++i)
	{
		const kernelTable* t = tables.at[i];
		double least = t->isFloat ? 0x1p-149 : 0x1p-1074;
		double most = t->isFloat ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;
		CHECK(value(t, kernel_log, 0.0) == -INFINITY && value(t, kernel_log, -0.0) == -INFINITY);
		CHECK(isnan(value(t, kernel_log, -1.0)) && isnan(value(t, kernel_log, -INFINITY)));
		CHECK(value(t, kernel_log, INFINITY) == INFINITY && isnan(value(t, kernel_log, NAN)));
		CHECK(value(t, kernel_log, 1.0) == 0.0);
		CHECK_BELOW(ulps(t, value(t, kernel_log, least), logl(least)), 1.0);
		CHECK_BELOW(ulps(t, value(t, kernel_log, most), logl(most)), 1.0);

		CHECK(value(t, kernel_exp, 0.0) == 1.0 && value(t, kernel_exp, -0.0) == 1.0);
		CHECK(value(t, kernel_exp, INFINITY) == INFINITY && value(t, kernel_exp, -INFINITY) == 0.0);
		CHECK(value(t, kernel_exp, most) == INFINITY && value(t, kernel_exp, -most) == 0.0);
		CHECK(value(t, kernel_exp, least) == 1.0 && isnan(value(t, kernel_exp, NAN)));
		CHECK(isfinite(value(t, kernel_exp, t->isFloat ? 88.7 : 709.7)));
		CHECK(value(t, kernel_exp, t->isFloat ? 88.8 : 709.8) == INFINITY);
		CHECK(value(t, kernel_exp, t->isFloat ? -103.2 : -744.4) == least);
		CHECK(value(t, kernel_exp, t->isFloat ? -104.0 : -745.2) == 0.0);

		least = t->isFloat ? 0x1p-126 : 0x1p-1022;
		CHECK(value(t, kernel_rcbrt, 1.0) == 1.0);
		CHECK_BELOW(ulps(t, value(t, kernel_rcbrt, least), rcbrtl(least)), 1.5);
		CHECK_BELOW(ulps(t, value(t, kernel_rcbrt, most), rcbrtl(most)), 1.5);
	}
}
