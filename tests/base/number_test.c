// number_test.c: sine, cosine, angle, cosh, acosh, exp and log of our own against long double
#include "test.h"

#include "base/number.h"

#include <float.h>

enum
{
	samples = 200000
};

typedef double OwnFcn(double x);
typedef long double ReferenceFcn(long double x);

// |got - reference| in units of the last place of a double of the reference's size
static double ulps(double got, long double reference)
{
	int exponent;
	frexpl(reference, &exponent);
	long double unit = ldexpl(1.0L, exponent - DBL_MANT_DIG);
	return (double)(fabsl(got - reference) / fmaxl(unit, (long double)DBL_TRUE_MIN));
}

// Magnitudes from 2^low to 2^high, each power of two as often as the others, both signs.
static double randomNumber(uint64_t* seed, int low, int high)
{
	double power = low + (high - low) * 0.5 * (1.0 + testRandom(seed));
	int whole = (int)floor(power);
	double size = ldexp(1.0 + 0.5 * (1.0 + testRandom(seed)), whole);
	return testRandom(seed) < 0.0 ? -size : size;
}

typedef struct Worst
{
	double error, at;
} Worst;

static void note(Worst* worst, double error, double at)
{
	if (!(error <= worst->error))
		*worst = (Worst){error, at};
}

static Worst worstOf(OwnFcn* own, ReferenceFcn* reference, int low, int high, bool positive)
{
	Worst worst = {0};
	uint64_t seed = 7;
	for (int i = 0; i < samples; ++i)
	{
		double x = randomNumber(&seed, low, high);
		x = positive ? fabs(x) : x;
		note(&worst, ulps(own(x), reference(x)), x);
	}
	printf("    %.3f ulp at %a\n", worst.error, worst.at);
	return worst;
}

TEST(sine_and_cosine_are_right_to_the_last_bit_but_one)
{
	CHECK_BELOW(worstOf(plSin, sinl, -60, 20, false).error, 0.8);
	CHECK_BELOW(worstOf(plCos, cosl, -60, 20, false).error, 0.8);
	CHECK_BELOW(worstOf(plSin, sinl, -4, 4, false).error, 0.8);
	CHECK_BELOW(worstOf(plCos, cosl, -4, 4, false).error, 0.8);
}

// Where the result is nearly 0 it has its digits all the same.
TEST(sine_and_cosine_are_right_next_to_multiples_of_a_right_angle)
{
	const long double right = 1.570796326794896619231321691639751442L;
	Worst worst = {0};
	for (int k = 1; k < 600000; k += k < 2000 ? 1 : 37)
		for (int side = -1; side <= 1; ++side)
		{
			double x = (double)(k * right);
			x = side == 0 ? x : nextafter(x, side * 1e9);
			note(&worst, ulps(plSin(x), sinl(x)), x);
			note(&worst, ulps(plCos(-x), cosl(-x)), x);
		}
	printf("    %.3f ulp at %a\n", worst.error, worst.at);
	CHECK_BELOW(worst.error, 0.8);
}

TEST(large_angles_count_modulo_a_turn_rounded_to_a_double)
{
	uint64_t seed = 3;
	for (int i = 0; i < samples; ++i)
	{
		double x = randomNumber(&seed, 20, 60), rest = fmod(x, 6.283185307179586);
		CHECK(plSin(x) == plSin(rest) && plCos(x) == plCos(rest));
		if (fabs(x) < 1e9) // half an ulp of x
			CHECK_NEAR(plSin(x), (double)sinl(x), 0.5 * DBL_EPSILON * fabs(x));
	}
	CHECK(isnan(plSin(INFINITY)) && isnan(plCos(-INFINITY)) && isnan(plSin(NAN)));
}

TEST(symmetries_and_special_values_are_exact)
{
	uint64_t seed = 5;
	for (int i = 0; i < samples; ++i)
	{
		double x = randomNumber(&seed, -40, 24), y = randomNumber(&seed, -40, 24);
		CHECK(plSin(-x) == -plSin(x) && plCos(-x) == plCos(x) && plCosh(-y) == plCosh(y));
		CHECK(plAtan2(-y, x) == -plAtan2(y, x));
		CHECK(fabs(plSin(x)) <= 1.0 && fabs(plCos(x)) <= 1.0);
	}
	CHECK(plSin(0.0) == 0.0 && !signbit(plSin(0.0)) && signbit(plSin(-0.0)) && plCos(0.0) == 1.0);
	CHECK(plCosh(0.0) == 1.0 && plAcosh(1.0) == 0.0 && plCosh(INFINITY) == INFINITY && plAcosh(INFINITY) == INFINITY);
	CHECK(isnan(plAcosh(0.999)) && isnan(plAcosh(NAN)) && isnan(plCosh(NAN)));
	CHECK(plSin(DBL_TRUE_MIN) == DBL_TRUE_MIN && plSin(1e-300) == 1e-300);
	CHECK(plExp(0.0) == 1.0 && plLog(1.0) == 0.0);
}

TEST(angles_of_special_points_are_those_of_c)
{
	static const double values[] = {0.0, -0.0, 1.0, -1.0, 3.0, 1e-310, 1e308, -1e308, INFINITY, -INFINITY, 1e-160};
	enum
	{
		count = sizeof values / sizeof *values
	};
	for (int i = 0; i < count; ++i)
		for (int j = 0; j < count; ++j)
		{
			double got = plAtan2(values[i], values[j]), expected = atan2(values[i], values[j]);
			CHECK(signbit(got) == signbit(expected));
			CHECK_BELOW(ulps(got, expected), 1.0);
		}
	CHECK(plAtan2(1.0, 1.0) == 0.7853981633974483 && plAtan2(1.0, 0.0) == 1.5707963267948966);
	CHECK(plAtan2(0.0, -1.0) == 3.141592653589793 && isnan(plAtan2(NAN, 1.0)) && isnan(plAtan2(1.0, NAN)));
}

TEST(angles_are_right_to_an_ulp_and_a_half)
{
	Worst worst = {0};
	uint64_t seed = 11;
	for (int i = 0; i < 2 * samples; ++i)
	{
		int range = i % 2 == 0 ? 4 : 500;
		double x = randomNumber(&seed, -range, range), y = randomNumber(&seed, -range, range);
		note(&worst, ulps(plAtan2(y, x), atan2l(y, x)), y / x);
	}
	printf("    %.3f ulp at %a\n", worst.error, worst.at);
	CHECK_BELOW(worst.error, 1.5);
}

TEST(cosh_and_its_inverse_are_right_to_the_last_bits)
{
	CHECK_BELOW(worstOf(plCosh, coshl, -30, 9, false).error, 1.5);
	CHECK(plCosh(710.4) < INFINITY && plCosh(711.0) == INFINITY);
	CHECK_BELOW(ulps(plCosh(710.4), coshl(710.4)), 3.0);
	uint64_t seed = 13;
	Worst worst = {0};
	for (int i = 0; i < samples; ++i)
	{
		double x = 1.0 + fabs(randomNumber(&seed, -50, 40));
		note(&worst, ulps(plAcosh(x), acoshl(x)), x);
	}
	printf("    %.3f ulp at %a\n", worst.error, worst.at);
	CHECK_BELOW(worst.error, 3.0);
}

TEST(exp_and_log_are_those_of_the_kernels)
{
	CHECK_BELOW(worstOf(plExp, expl, -30, 9, false).error, 0.9);
	CHECK_BELOW(worstOf(plLog, logl, -1000, 1000, true).error, 0.9);
}
