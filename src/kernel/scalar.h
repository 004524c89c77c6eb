// scalar.h: sine, cosine, angle, hyperbolic cosine and its inverse of one number, without the C library
//
//   sin x, cos x   k = round(2 x / pi),  r = x - k pi/2,  |r| <= pi/4,  by Taylor's series of r; k mod 4 says which
//                  of the two, and its sign
//   atan2(y, x)    t = a / b,  a and b the smaller and the larger of |x| and |y|,
//                  atan t = atan c + atan r,  r = (a - c b) / (b + c a),  c = 0, 1/2 or 1, so that |r| <= 0.3;
//                  atan r by its series
//   cosh x         (e^|x| + e^-|x|) / 2, below 1/3 by its series
//   acosh x        log(1 + u),  u = d + sqrt(d (d + 2)),  d = x - 1
//
// Libraries differ in the last bits of these functions, and even one library may differ from processor to processor.
// Here they are made only of additions, multiplications, divisions and square roots, which have the same bits on every
// machine. cosh and acosh take exp and log of special.h, which fuses products and sums where the instruction set does.
//
// Reduction: pi/2 = A + B + C + D, the first three of 33 bits. For |x| <= 2^20 k is below 2^20, and k A, k B, k C and
// x - k A are exact; r is kept as a sum of two numbers whose error is below 2^-105. That is 2^-45 of the smallest r
// that a number in this range leaves (2^-60), so r is right to the last bit. Callers bring larger angles into the
// range.
//
// Errors, the worst of four million arguments: sin and cos 0.79 ulp for |x| <= 2^20, atan2 1.5, cosh 1.3 (3 above
// 709), acosh 3.0. The series are cut off where the first term left out is below 2^-57 of the sum.
// Symmetries are exact: sin(-x) = -sin x, cos(-x) = cos x, atan2(-y, x) = -atan2(y, x), cosh(-x) = cosh x.
//
// [Knu97] Knuth, The Art of Computer Programming, volume 2, 1997.
#ifndef PL_SCALAR_H
#define PL_SCALAR_H

#include "angle.h"

#if PL_LANES != 1 || PL_REAL_FLOAT
#error "scalar.h is written for one number in double precision"
#endif

#define SCALAR_LARGEST_ANGLE 1048576.0 // 2^20

// ---- sine and cosine ---------------------------------------------------------------------------------------------

// What a - b lost to rounding, `difference` being the rounded one [Knu97], section 4.2.2.
KERNEL scalar differenceError(scalar a, scalar b, scalar difference)
{
	scalar lost = a - difference;
	return (a - (difference + lost)) + (lost - b);
}

// x - k pi/2 = result + *low, and k.
KERNEL scalar reduceAngle(scalar x, scalar* low, integer* turns)
{
	scalar k = roundReal(x * K(0.63661977236758134308));
	scalar a = x - k * K(1.57079632673412561417);
	scalar kB = k * K(6.07710050630396597660e-11);
	scalar b = a - kB;
	scalar kC = k * K(2.02226624871116645580e-21);
	scalar c = b - kC;
	scalar rest = (differenceError(a, kB, b) + differenceError(b, kC, c)) - k * K(8.4784276603688996440e-32);
	scalar r = c + rest;
	*low = (c - r) + rest;
	*turns = wholeToInteger(k);
	return r;
}

// sin(r + low) for |r| <= pi/4, |low| at most half an ulp of r
KERNEL scalar sineNearZero(scalar r, scalar low)
{
	scalar z = r * r;
	scalar s = K(1.0 / 355687428096000.0);
	s = s * z - K(1.0 / 1307674368000.0);
	s = s * z + K(1.0 / 6227020800.0);
	s = s * z - K(1.0 / 39916800.0);
	s = s * z + K(1.0 / 362880.0);
	s = s * z - K(1.0 / 5040.0);
	s = s * z + K(1.0 / 120.0);
	s = s * z - K(1.0 / 6.0);
	return r + (r * z * s + low * (K(1) - K(0.5) * z));
}

KERNEL scalar cosineNearZero(scalar r, scalar low)
{
	scalar z = r * r, drop = K(0.5) * z, near = K(1) - drop;
	scalar c = K(1.0 / 20922789888000.0);
	c = c * z - K(1.0 / 87178291200.0);
	c = c * z + K(1.0 / 479001600.0);
	c = c * z - K(1.0 / 3628800.0);
	c = c * z + K(1.0 / 40320.0);
	c = c * z - K(1.0 / 720.0);
	c = c * z + K(1.0 / 24.0);
	return near + (((K(1) - near) - drop) + (z * z * c - r * low));
}

// sin(x + quarters pi/2), |x| <= SCALAR_LARGEST_ANGLE
KERNEL scalar sineFrom(scalar x, integer quarters)
{
	scalar low;
	integer turns;
	scalar r = reduceAngle(x, &low, &turns);
	turns += quarters;
	scalar y = (turns & 1) != 0 ? cosineNearZero(r, low) : sineNearZero(r, low);
	return (turns & 2) != 0 ? -y : y;
}

KERNEL scalar scalar_sin(scalar x)
{
	return AS_REAL(AS_INT(sineFrom(ABS(x), 0)) ^ (AS_INT(x) & SIGN_BIT)); // -0 stays -0
}

KERNEL scalar scalar_cos(scalar x)
{
	return sineFrom(x, 1);
}

// ---- angle -------------------------------------------------------------------------------------------------------

// The angle of the point (x, y), from -pi to pi; 0 or pi at the origin, by the signs of the zeros.
KERNEL scalar scalar_atan2(scalar y, scalar x)
{
	scalar across = ABS(y), along = ABS(x);
	mask steep = across > along, behind = (AS_INT(x) & SIGN_BIT) != 0;
	scalar a = steep ? along : across, b = steep ? across : along;

	scalar c = K(0), r = K(0);
	if (a == b) // infinite ones too
		c = b > K(0) ? K(1) : K(0);
	else if (a <= K(0.3) * b)
		r = a / b;
	else
	{
		scalar scale = b > K(1e300) ? K(0x1p-100) : b < K(1e-270) ? K(0x1p200) : K(1);
		a *= scale;
		b *= scale;
		c = a <= K(0.72) * b ? K(0.5) : K(1);
		r = (a - c * b) / (b + c * a); // cb/2 <= a <= 2cb, so the difference is exact
	}
	scalar atanC = c == K(0) ? K(0) : c == K(1) ? K(0.78539816339744830962) : K(0.46364760900080611622);
	scalar atanLow = c == K(0) ? K(0) : c == K(1) ? K(3.0616169978683829431e-17) : K(2.2698777452961687092e-17);

	// start + sign (atan c + atan r), the start so many right angles in two parts
	scalar sign = steep != behind ? K(-1) : K(1);
	scalar quarters = steep ? K(1) : behind ? K(2) : K(0);
	scalar start = quarters * K(1.57079632679489661923), startLow = quarters * K(6.1232339957367658860e-17);
	scalar high = start + sign * atanC;
	scalar low = startLow + sign * atanLow + ((start - high) + sign * atanC);
	scalar angle = high + (sign * r + (low + sign * arctangentTail(r)));
	return AS_REAL((AS_INT(angle) & ~SIGN_BIT) | (AS_INT(y) & SIGN_BIT));
}

// ---- hyperbolic cosine
// -----------------------------------------------------------------------------------------------

KERNEL scalar scalar_cosh(scalar x)
{
	scalar a = ABS(x);
	if (a < K(1.0 / 3.0))
	{
		scalar z = a * a;
		scalar c = K(1.0 / 479001600.0);
		c = c * z + K(1.0 / 3628800.0);
		c = c * z + K(1.0 / 40320.0);
		c = c * z + K(1.0 / 720.0);
		c = c * z + K(1.0 / 24.0);
		c = c * z + K(0.5);
		return K(1) + z * c;
	}
	if (a > K(709)) // e^a may be out of range where half of it is not
	{
		scalar root = real_exp(K(0.5) * a);
		return K(0.5) * root * root;
	}
	scalar e = real_exp(a);
	return K(0.5) * (e + K(1) / e);
}

// x >= 1; NaN below
KERNEL scalar scalar_acosh(scalar x)
{
	if (x > K(0x1p28)) // sqrt(x^2 - 1) is x
		return real_log(x) + K(0.69314718055994530942);
	if (x > K(2))
		return real_log(x + SQRT(x * x - K(1)));
	scalar d = x - K(1), u = d + SQRT(d * (d + K(2)));
	scalar w = K(1) + u;
	return real_log(w) + (u - (w - K(1))) / w; // what rounding took from w
}

#endif
