// orient.c: signs of determinants, without rounding
//
//   D3 = | b-a |          D2 = | (b-a)_j  (b-a)_k |
//        | c-a |               | (c-a)_j  (c-a)_k |
//        | d-a |
//
// First in doubles. P is the determinant with all products taken positive; the value is off by at most 7.1 u P (3.1 u P
// of D2), u = 2^-53 [She97]. If it is larger than that, its sign is right. Where differences are so large or P is so
// small that products might leave the range of a double the bound means nothing, and is not asked.
//
// Else in whole numbers. All coordinates are multiples of the lowest bit that any of them has, so differences, products
// and sums of those multiples are exact. Numbers take as many words as they need: of usual coordinates two or three, at
// the most 34, for the range of a double has an end.
#include "orient.h"

#include "../base/base.h"

#include <math.h>

// ---- whole numbers --------------------------------------------------------------------------------------------------

enum
{
	doubleBits = 1024 + 1074,                        // from the highest to the lowest bit of any double
	mostWords = (3 * (doubleBits + 1) + 2) / 64 + 1, // of a sum of products of three differences
};

__extension__ typedef unsigned __int128 wide;

typedef struct Whole
{
	int sign;     // -1, 0, 1
	size_t count; // of words; the last one is not 0
	uint64_t words[mostWords];
} Whole;

static int compareSizes(const Whole* a, const Whole* b)
{
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	for (size_t i = a->count; i-- > 0;)
		if (a->words[i] != b->words[i])
			return a->words[i] < b->words[i] ? -1 : 1;
	return 0;
}

static void trim(Whole* a)
{
	while (a->count > 0 && a->words[a->count - 1] == 0)
		a->count--;
	a->sign = a->count > 0 ? a->sign : 0;
}

// |a| + |b|, with |a| not the smaller one
static void addSizes(const Whole* a, const Whole* b, Whole* sum)
{
	uint64_t carry = 0;
	for (size_t i = 0; i < a->count; ++i)
	{
		wide word = (wide)a->words[i] + (i < b->count ? b->words[i] : 0) + carry;
		sum->words[i] = (uint64_t)word;
		carry = (uint64_t)(word >> 64);
	}
	sum->count = a->count;
	if (carry > 0)
		sum->words[sum->count++] = carry;
}

// |a| - |b|, which is not below 0
static void subtractSizes(const Whole* a, const Whole* b, Whole* difference)
{
	uint64_t borrow = 0;
	for (size_t i = 0; i < a->count; ++i)
	{
		wide word = (wide)a->words[i] - (i < b->count ? b->words[i] : 0) - borrow;
		difference->words[i] = (uint64_t)word;
		borrow = word >> 64 != 0;
	}
	difference->count = a->count;
}

// a + way b, way 1 or -1
static void combine(const Whole* a, const Whole* b, int way, Whole* sum)
{
	bool isLess = compareSizes(a, b) < 0;
	const Whole *large = isLess ? b : a, *small = isLess ? a : b;
	int sign = isLess ? way * b->sign : a->sign;
	if (a->sign * b->sign * way < 0)
		subtractSizes(large, small, sum);
	else
		addSizes(large, small, sum);
	sum->sign = sign;
	trim(sum);
}

static void multiply(const Whole* a, const Whole* b, Whole* product)
{
	product->sign = a->sign * b->sign;
	product->count = a->count + b->count;
	memset(product->words, 0, product->count * sizeof product->words[0]);
	for (size_t i = 0; i < a->count; ++i)
	{
		uint64_t carry = 0;
		for (size_t k = 0; k < b->count; ++k)
		{
			wide word = (wide)a->words[i] * b->words[k] + product->words[i + k] + carry;
			product->words[i + k] = (uint64_t)word;
			carry = (uint64_t)(word >> 64);
		}
		product->words[i + b->count] = carry;
	}
	trim(product);
}

// x = significand 2^exponent, the significand odd; 0: both are 0
static uint64_t split(double x, int* exponent)
{
	double part = frexp(fabs(x), exponent);
	uint64_t significand = (uint64_t)(part * 0x1p53);
	int zeros = significand != 0 ? __builtin_ctzll(significand) : 0;
	*exponent += zeros - 53;
	return significand >> zeros;
}

static void convert(double x, int lowest, Whole* to)
{
	int exponent;
	uint64_t significand = split(x, &exponent);
	to->sign = 0;
	to->count = 0;
	if (significand == 0)
		return;
	size_t shift = (size_t)(exponent - lowest), word = shift / 64, bit = shift % 64;
	memset(to->words, 0, word * sizeof to->words[0]);
	to->words[word] = significand << bit;
	to->words[word + 1] = bit > 0 ? significand >> (64 - bit) : 0;
	to->count = word + 2;
	to->sign = x < 0.0 ? -1 : 1;
	trim(to);
}

// The lowest bit of all coordinates
static int findLowest(const double* const* points, size_t count)
{
	int lowest = 1024, exponent;
	for (size_t i = 0; i < 3 * count; ++i)
		if (split(points[i / 3][i % 3], &exponent) != 0)
			lowest = exponent < lowest ? exponent : lowest;
	return lowest;
}

static void subtract(double x, double y, int lowest, Whole* difference)
{
	Whole a, b;
	convert(x, lowest, &a);
	convert(y, lowest, &b);
	combine(&a, &b, -1, difference);
}

// p q - r s
static void crossed(const Whole* p, const Whole* q, const Whole* r, const Whole* s, Whole* out)
{
	Whole left, right;
	multiply(p, q, &left);
	multiply(r, s, &right);
	combine(&left, &right, -1, out);
}

static int exactly3(const double* a, const double* b, const double* c, const double* d)
{
	const double* points[4] = {a, b, c, d};
	int lowest = findLowest(points, 4);
	Whole u[3], v[3], w[3], minor, product, sums[4];
	for (int i = 0; i < 3; ++i)
	{
		subtract(b[i], a[i], lowest, u + i);
		subtract(c[i], a[i], lowest, v + i);
		subtract(d[i], a[i], lowest, w + i);
	}
	sums[0].sign = 0;
	sums[0].count = 0;
	for (int i = 0; i < 3; ++i)
	{
		int j = (i + 1) % 3, k = (i + 2) % 3;
		crossed(u + j, v + k, u + k, v + j, &minor);
		multiply(&minor, w + i, &product);
		combine(sums + i, &product, 1, sums + i + 1);
	}
	return sums[3].sign;
}

static int exactly2(const double* a, const double* b, const double* c, int j, int k)
{
	const double* points[3] = {a, b, c};
	int lowest = findLowest(points, 3);
	Whole u[2], v[2], area;
	subtract(b[j], a[j], lowest, u);
	subtract(b[k], a[k], lowest, u + 1);
	subtract(c[j], a[j], lowest, v);
	subtract(c[k], a[k], lowest, v + 1);
	crossed(u, v + 1, u + 1, v, &area);
	return area.sign;
}

// ---- doubles --------------------------------------------------------------------------------------------------------

static const double unit = 0x1p-53;
static const double most = 0x1p300;   // a product of three such is a double
static const double least = 0x1p-600; // against this what products lose at the lower end of the range is nothing

static int signOf(double x)
{
	return (x > 0.0) - (x < 0.0);
}

int plOrient3(const double a[3], const double b[3], const double c[3], const double d[3])
{
	double u[3], v[3], w[3], value = 0.0, sizes = 0.0, largest = 0.0;
	bool isFlat = false; // every difference along an axis is 0
	for (int i = 0; i < 3; ++i)
	{
		u[i] = b[i] - a[i];
		v[i] = c[i] - a[i];
		w[i] = d[i] - a[i];
		double axis = fmax(fabs(u[i]), fmax(fabs(v[i]), fabs(w[i])));
		isFlat = isFlat || axis == 0.0;
		largest = axis > largest ? axis : largest;
	}
	if (isFlat)
		return 0;
	for (int i = 0; i < 3; ++i)
	{
		int j = (i + 1) % 3, k = (i + 2) % 3;
		double left = u[j] * v[k], right = u[k] * v[j];
		value += (left - right) * w[i];
		sizes += (fabs(left) + fabs(right)) * fabs(w[i]);
	}
	if (largest <= most && sizes >= least && fabs(value) > 8.0 * unit * sizes)
		return signOf(value);
	return exactly3(a, b, c, d);
}

int plOrient2(const double a[3], const double b[3], const double c[3], int axis)
{
	int j = (axis + 1) % 3, k = (axis + 2) % 3;
	double u[2] = {b[j] - a[j], b[k] - a[k]}, v[2] = {c[j] - a[j], c[k] - a[k]};
	if ((u[0] == 0.0 && v[0] == 0.0) || (u[1] == 0.0 && v[1] == 0.0))
		return 0;
	double left = u[0] * v[1], right = u[1] * v[0], sizes = fabs(left) + fabs(right);
	double largest = fmax(fmax(fabs(u[0]), fabs(u[1])), fmax(fabs(v[0]), fabs(v[1])));
	if (largest <= most && sizes >= least && fabs(left - right) > 4.0 * unit * sizes)
		return signOf(left - right);
	return exactly2(a, b, c, j, k);
}

bool plAreCollinear(const double a[3], const double b[3], const double c[3])
{
	return plOrient2(a, b, c, 0) == 0 && plOrient2(a, b, c, 1) == 0 && plOrient2(a, b, c, 2) == 0;
}
