// number.c: functions of numbers, see number.h
#include "number.h"

#define PL_LANES 1
#define PL_REAL_FLOAT 0
#include <math.h>

#include "../kernel/scalar.h"

// fmod is exact in every C library.
static double intoRange(double x)
{
	return fabs(x) <= SCALAR_LARGEST_ANGLE ? x : fmod(x, 6.28318530717958647693);
}

double plSin(double x)
{
	return scalar_sin(intoRange(x));
}

double plCos(double x)
{
	return scalar_cos(intoRange(x));
}

double plAtan2(double y, double x)
{
	return scalar_atan2(y, x);
}

double plCosh(double x)
{
	return scalar_cosh(x);
}

double plAcosh(double x)
{
	return scalar_acosh(x);
}

double plExp(double x)
{
	return real_exp(x);
}

double plLog(double x)
{
	return real_log(x);
}

bool plAreFinite(const double* numbers, size_t count)
{
	double sum = 0.0; // 0 x is NaN unless x is finite
	for (size_t i = 0; i < count; ++i)
		sum += 0.0 * numbers[i];
	return sum == 0.0;
}
