// special.h: log, exp, reciprocal cube root, without the C library and without branches
//
//   log x      x = 2^k m,  sqrt(1/2) <= m < sqrt 2,  f = m - 1,  s = f / (2 + f)
//              log x = k ln 2 + 2 atanh s,   2 atanh s = 2 s + s^3 P(s^2)
//   exp x      k = round(x / ln 2),  r = x - k ln 2,   exp x = 2^k (1 + r + r^2 Q(r))
//   x^(-1/3)   a guess from the bits, then y <- y (1 + e/3 + 2 e^2/9 + 14 e^3/81 ...),  e = 1 - x y^3
//
// The C library's functions differ between systems and have no wide form; these are the same text, and the same bits,
// for a number and for each lane of a vector within an instruction set. ln 2 is split in two so that k times its upper
// part is exact [CW80]. P and Q are Chebyshev fits made in 300-bit arithmetic; they are off by 2^-33 (float) and 2^-62
// (double) of the function at most.
//
// Errors, the worst of three million arguments over the whole range in float and double, with and without FMA:
// log 0.83 ulp, exp 0.85, rcbrt 1.29.
//
// Edge cases: log 0 = -inf, log of a negative number is NaN; exp overflows to inf and underflows through the denormal
// numbers to 0; NaN stays NaN. rcbrt is for normal numbers above 0.
//
// [CW80] Cody and Waite, Software Manual for the Elementary Functions, 1980.
#ifndef PL_SPECIAL_H
#define PL_SPECIAL_H

#include "wide.h"

#define INTEGER_ONE ((integer)1)

// A whole number n, |n| < 2^(REAL_DIGITS - 1), stands in the low bits of n + ROUNDER; adding it rounds to nearest.
#define ROUNDER (K(1.5) * K(INTEGER_ONE << REAL_DIGITS))

KERNEL real roundReal(real a)
{
	return (a + ROUNDER) - ROUNDER;
}

KERNEL ireal wholeToInteger(real a)
{
	return AS_INT(a + ROUNDER) - AS_INT(SPLAT(ROUNDER));
}

KERNEL real integerToReal(ireal i)
{
	return AS_REAL(i + AS_INT(SPLAT(ROUNDER))) - ROUNDER;
}

// 2^k for a whole number k with a normal result
KERNEL real powerOfTwo(real k)
{
	return AS_REAL((wholeToInteger(k) + REAL_BIAS) << REAL_DIGITS);
}

// ---- log and exp -----------------------------------------------------------------------------------------------

#if PL_REAL_FLOAT
#define LN2_HIGH K(0.693145751953125) // 15 bits after the point
#define LN2_LOW K(1.4286068203094172e-6)
#define DENORMAL_BITS 24 // 2^this times a denormal number is normal
#else
#define LN2_HIGH K(0.69314718036912381649) // 32 bits after the point
#define LN2_LOW K(1.9082149292705878161e-10)
#define DENORMAL_BITS 54
#endif

// P(z) = (2 atanh(s) / s - 2) / z on 0 <= z = s^2 <= (3 - 2 sqrt 2)^2
KERNEL real logPolynomial(real z)
{
#if PL_REAL_FLOAT
	real p = SPLAT(0.2333058194);
	p = FMA(p, z, SPLAT(0.285508166));
	p = FMA(p, z, SPLAT(0.4000012188));
	p = FMA(p, z, SPLAT(0.6666666655));
#else
	real p = SPLAT(0.130867670099481737);
	p = FMA(p, z, SPLAT(0.132687596685606127));
	p = FMA(p, z, SPLAT(0.153862402058134779));
	p = FMA(p, z, SPLAT(0.181817956308847532));
	p = FMA(p, z, SPLAT(0.222222223918004693));
	p = FMA(p, z, SPLAT(0.2857142857080323));
	p = FMA(p, z, SPLAT(0.400000000000008776));
	p = FMA(p, z, SPLAT(0.666666666666666665));
#endif
	return p;
}

// Q(r) = (exp(r) - 1 - r) / r^2 on |r| <= ln(2) / 2
KERNEL real expPolynomial(real r)
{
#if PL_REAL_FLOAT
	real q = SPLAT(0.0001989099082);
	q = FMA(q, r, SPLAT(0.001393365));
	q = FMA(q, r, SPLAT(0.008333310925));
	q = FMA(q, r, SPLAT(0.04166646493));
	q = FMA(q, r, SPLAT(0.1666666668));
	q = FMA(q, r, SPLAT(0.5));
#else
	real q = SPLAT(2.09146869680868772e-9);
	q = FMA(q, r, SPLAT(2.51052170047207452e-8));
	q = FMA(q, r, SPLAT(2.75572736431102953e-7));
	q = FMA(q, r, SPLAT(2.75572554002064244e-6));
	q = FMA(q, r, SPLAT(2.48015873255477412e-5));
	q = FMA(q, r, SPLAT(1.98412698748206253e-4));
	q = FMA(q, r, SPLAT(1.38888888888837483e-3));
	q = FMA(q, r, SPLAT(8.33333333332613513e-3));
	q = FMA(q, r, SPLAT(4.16666666666666698e-2));
	q = FMA(q, r, SPLAT(0.16666666666666671));
	q = FMA(q, r, SPLAT(0.5));
#endif
	return q;
}

KERNEL real real_log(real x)
{
	mask usable = MASK_AND(x > K(0), x < REAL_INFINITY);
	mask denormal = MASK_AND(usable, x < REAL_SMALLEST);
	real a = SELECT(usable, SELECT(denormal, x * K(INTEGER_ONE << DENORMAL_BITS), x), SPLAT(1));

	// the exponent that leaves a fraction around 1
	ireal exponent = (AS_INT(a) - AS_INT(SPLAT(0.70710678118654752))) & -(INTEGER_ONE << REAL_DIGITS);
	real k = integerToReal(exponent >> REAL_DIGITS) - SELECT(denormal, SPLAT(DENORMAL_BITS), SPLAT(0));
	real f = AS_REAL(AS_INT(a) - exponent) - K(1);

	// 2 s = f - s f = f - (h - s h),  h = f^2 / 2: the leading term f is exact
	real s = f / (f + K(2));
	real z = s * s;
	real h = K(0.5) * f * f;
	real tail = FMA(s, FMA(z, logPolynomial(z), h), k * LN2_LOW);
	real y = k * LN2_HIGH - ((h - tail) - f);

	real edge = SELECT(x == K(0), SPLAT(-REAL_INFINITY), SELECT(x < K(0), SPLAT(REAL_NAN), x));
	return SELECT(usable, y, edge);
}

KERNEL real real_exp(real x)
{
#if PL_REAL_FLOAT
	scalar largest = K(90), smallest = K(-105); // exp is inf and 0 there
#else
	scalar largest = K(710), smallest = K(-746);
#endif
	real a = SELECT(x > largest, SPLAT(largest), x);
	a = SELECT(x < smallest, SPLAT(smallest), a);
	a = SELECT(x == x, a, SPLAT(0));

	real k = roundReal(a * K(1.4426950408889634074));
	real high = a - k * LN2_HIGH;
	real low = k * LN2_LOW;
	real r = high - low;
	real y = K(1) + (high - (low - r * r * expPolynomial(r)));

	real first = roundReal(K(0.5) * k); // 2^k alone may be out of range
	y = y * powerOfTwo(first) * powerOfTwo(k - first);
	return SELECT(x == x, y, x);
}

// ---- reciprocal cube root --------------------------------------------------------------------------------------

// a^(-1/3) for normal a > 0, to 2e-5 (float) or 3e-14 (double)
KERNEL real rcbrtNear(real a)
{
	// Bits read as a whole number are a piecewise linear logarithm L: L(y) = 4/3 L(1) - L(a) / 3 - shift. The shift
	// 0.0662 makes the error of the guess least, 3.5 %. Only the upper bits take part, so that they fit a fraction.
	enum
	{
		below = PL_REAL_FLOAT ? 10 : 32
	};
	ireal whole = AS_INT(SPLAT((scalar)(INTEGER_ONE << REAL_DIGITS)));
	real logarithm = AS_REAL((AS_INT(a) >> below) | whole) - K(INTEGER_ONE << REAL_DIGITS);
	scalar one = K(INTEGER_ONE << (REAL_DIGITS - below));
	real guess = one * K(REAL_BIAS * 4.0 / 3.0 - 0.0662) - logarithm * K(1.0 / 3.0);
	real y = AS_REAL(wholeToInteger(guess) << below);

	real e = K(1) - ((a * y) * y) * y;
	y = FMA(y * e, FMA(e, FMA(e, SPLAT(14.0 / 81.0), SPLAT(2.0 / 9.0)), SPLAT(1.0 / 3.0)), y);
#if !PL_REAL_FLOAT
	e = K(1) - ((a * y) * y) * y;
	y = FMA(y * e, FMA(e, SPLAT(2.0 / 9.0), SPLAT(1.0 / 3.0)), y);
#endif
	return y;
}

// a^(-1/3) for normal a > 0
KERNEL real rcbrtNormal(real a)
{
	real y = rcbrtNear(a);
	real e = K(1) - ((a * y) * y) * y;
	return FMA(y * e, SPLAT(1.0 / 3.0), y);
}

#endif
