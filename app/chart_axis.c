// chart_axis.c: where an axis begins and ends, and how far apart its labels are
#include "chart_parts.h"

#include <math.h>

bool plAxis_Scale(const plAxis* axis, double value, double* out)
{
	if (!isfinite(value) || (axis->isLog && value <= 0.0))
		return false;
	*out = axis->isLog ? log10(value) : value;
	return true;
}

// The smallest of 1, 2, 5 times a power of ten that makes at most so many steps.
static double niceStep(double range, double steps)
{
	double power = pow(10.0, floor(log10(range / steps)));
	double over = range / steps / power;
	return power * (over <= 1.0 ? 1.0 : over <= 2.0 ? 2.0 : over <= 5.0 ? 5.0 : 10.0);
}

void plAxis_Widen(plAxis* axis, double value)
{
	axis->low = fmin(axis->low, value);
	axis->high = fmax(axis->high, value);
}

// To the next logarithm of 1, 2 or 5 times a power of ten.
static double roundLog(double value, bool up)
{
	static const double places[] = {0.0, 0.30102999566398120, 0.69897000433601880, 1.0};
	double decade = floor(value), found = up ? 1.0 : 0.0;
	for (int i = 0; i < 4; ++i)
		if (up ? places[3 - i] >= value - decade - 1e-9 : places[i] <= value - decade + 1e-9)
			found = places[up ? 3 - i : i];
	return decade + found;
}

void plAxis_Round(plAxis* axis, double length)
{
	if (!(axis->low < axis->high))
	{
		double middle = isfinite(axis->low) ? axis->low : 0.0;
		axis->low = middle - 0.5;
		axis->high = middle + 0.5;
	}
	double range = axis->high - axis->low, steps = floor(length / 50.0);
	axis->step = axis->isLog ? fmax(1.0, ceil(range / steps)) : niceStep(range, steps);
	if (axis->isLog && axis->step == 1.0 && floor(axis->high) - ceil(axis->low) >= 1.0)
	{
		axis->low = roundLog(axis->low, false);
		axis->high = roundLog(axis->high, true);
		return;
	}
	double grain = axis->isLog ? 1.0 : axis->step;
	axis->low = grain * floor(axis->low / grain + 1e-9);
	axis->high = grain * ceil(axis->high / grain - 1e-9);
}
