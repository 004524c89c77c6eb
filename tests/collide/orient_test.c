// orient_test.c: signs of determinants, against whole numbers and against what must hold for every sign
#include "collide/orient.h"
#include "test.h"

#include <float.h>

__extension__ typedef __int128 wide;

static int signOfWide(wide x)
{
	return (x > 0) - (x < 0);
}

static int reference3(const int64_t p[4][3])
{
	wide u[3], v[3], w[3], sum = 0;
	for (int i = 0; i < 3; ++i)
	{
		u[i] = p[1][i] - p[0][i];
		v[i] = p[2][i] - p[0][i];
		w[i] = p[3][i] - p[0][i];
	}
	for (int i = 0; i < 3; ++i)
		sum += w[i] * (u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
	return signOfWide(sum);
}

static int reference2(const int64_t p[4][3], int axis)
{
	int j = (axis + 1) % 3, k = (axis + 2) % 3;
	return signOfWide((wide)(p[1][j] - p[0][j]) * (p[2][k] - p[0][k]) -
	                  (wide)(p[1][k] - p[0][k]) * (p[2][j] - p[0][j]));
}

static int64_t randomWhole(uint64_t* seed, int64_t most)
{
	return (int64_t)floor((double)most * testRandom(seed));
}

// A fourth point in the plane of the others, or off it by one in the last place. `isThin`: the third, too, and the line
static void place(int64_t p[4][3], uint64_t* seed, int64_t most, bool isThin)
{
	for (int k = 0; k < 3; ++k)
		for (int i = 0; i < 3; ++i)
			p[k][i] = randomWhole(seed, most);
	int64_t s = randomWhole(seed, 4), t = randomWhole(seed, 4);
	for (int i = 0; isThin && i < 3; ++i)
		p[2][i] = p[0][i] + 3 * (p[1][i] - p[0][i]) + (randomWhole(seed, 4) == 3 ? 1 : 0);
	for (int i = 0; i < 3; ++i)
		p[3][i] = p[0][i] + s * (p[1][i] - p[0][i]) + t * (p[2][i] - p[0][i]) + (randomWhole(seed, 4) == 3 ? 1 : 0);
}

static void toDoubles(const int64_t p[4][3], double scale, double x[4][3])
{
	for (int k = 0; k < 4; ++k)
		for (int i = 0; i < 3; ++i)
			x[k][i] = scale * (double)p[k][i];
}

// Coordinates are whole numbers times a power of two, so that the reference is exact: points in one plane, and beside
// it by one unit in 2^33.
TEST(signs_are_those_of_whole_numbers)
{
	static const double scales[] = {1.0, 0x1p-40, 0x1p200, 0x1p-360, 0x1p-370, 0x1p-540, 0x1p-900, 0x1p970, 0x1p-1074};
	static const int64_t sizes[] = {2, 5, 1000, 1ll << 33};
	size_t zeros = 0, others = 0;
	uint64_t seed = 5;
	for (int round = 0; round < 20000; ++round)
	{
		int64_t p[4][3];
		double x[4][3];
		place(p, &seed, sizes[round % 4], round % 5 == 0);
		toDoubles(p, scales[round % 9], x);
		int expected = reference3(p);
		zeros += expected == 0;
		others += expected != 0;
		CHECK(plOrient3(x[0], x[1], x[2], x[3]) == expected);
		for (int axis = 0; axis < 3; ++axis)
			CHECK(plOrient2(x[0], x[1], x[2], axis) == reference2(p, axis));
		for (int axis = 0; axis < 3; ++axis)
			CHECK(plOrient2(x[1], x[2], x[3], axis) == reference2((const int64_t[4][3]){{p[1][0], p[1][1], p[1][2]},
			                                                                            {p[2][0], p[2][1], p[2][2]},
			                                                                            {p[3][0], p[3][1], p[3][2]}},
			                                                      axis));
	}
	CHECK(zeros > 3000);
	CHECK(others > 3000);
}

// b and c are whole numbers of 30 bits almost in line with a, which has bits that a difference to them loses.
TEST(areas_are_exact_where_differences_are_not)
{
	uint64_t seed = 9;
	for (int round = 0; round < 20000; ++round)
	{
		int64_t p[4][3] = {{0}}, n = randomWhole(&seed, 1ll << 28);
		double x[4][3];
		for (int i = 0; i < 3; ++i)
		{
			p[0][i] = randomWhole(&seed, 1ll << 5);
			p[1][i] = (n + i) * (1ll << 30);
			p[2][i] = 3 * p[1][i];
		}
		toDoubles(p, 0x1p-30, x);
		for (int axis = 0; axis < 3; ++axis)
			CHECK(plOrient2(x[0], x[1], x[2], axis) == reference2(p, axis));
	}
	for (int round = 0; round < 3000; ++round) // products at the lower end of the range
	{
		int64_t p[4][3];
		double x[4][3];
		place(p, &seed, 1000, round % 2 == 0);
		toDoubles(p, 0x1p-545, x);
		for (int axis = 0; axis < 3; ++axis)
			CHECK(plOrient2(x[0], x[1], x[2], axis) == reference2(p, axis));
	}
}

// A plane through points as far apart as doubles are: moved by the smallest double there is, a point is beside it.
TEST(the_smallest_double_is_seen_beside_the_largest)
{
	const double big = DBL_MAX / 2, tiny = 0x1p-1074;
	const double a[3] = {-big, 0.0, 0.0}, b[3] = {big, 0.0, 0.0}, c[3] = {0.0, big, 0.0};
	const double on[3] = {0.3, 1e200, 0.0}, above[3] = {0.3, 1e200, tiny}, below[3] = {0.3, 1e200, -tiny};
	CHECK(plOrient3(a, b, c, on) == 0);
	CHECK(plOrient3(a, b, c, above) == 1);
	CHECK(plOrient3(a, b, c, below) == -1);
	const double p[3] = {tiny, 0.0, 0.0}, q[3] = {0.0, tiny, 0.0}, r[3] = {0.0, 0.0, tiny}, o[3] = {0.0, 0.0, 0.0};
	CHECK(plOrient3(o, p, q, r) == 1);
	CHECK(plOrient3(o, q, p, r) == -1);
	CHECK(plOrient2(o, p, q, 2) == 1);
	const double d[3] = {DBL_MAX, DBL_MAX, 0.0}, e[3] = {-DBL_MAX, DBL_MAX, 0.0};
	CHECK(plOrient2(o, d, e, 2) == 1);
	CHECK(plOrient2(d, o, e, 2) == -1);
}

// Turning two points round changes the sign, and nothing else does, whatever rounding says.
TEST(signs_turn_when_two_points_change_places)
{
	uint64_t seed = 11;
	for (int round = 0; round < 20000; ++round)
	{
		double x[4][3];
		for (int k = 0; k < 3; ++k)
			for (int i = 0; i < 3; ++i)
				x[k][i] = testRandom(&seed) * (round % 3 == 0 ? 1e-18 : 1.0);
		double s = testRandom(&seed), t = testRandom(&seed);
		for (int i = 0; i < 3; ++i) // in their plane but for rounding
			x[3][i] = x[0][i] + s * (x[1][i] - x[0][i]) + t * (x[2][i] - x[0][i]);
		int sign = plOrient3(x[0], x[1], x[2], x[3]);
		CHECK(plOrient3(x[1], x[0], x[2], x[3]) == -sign);
		CHECK(plOrient3(x[0], x[1], x[3], x[2]) == -sign);
		CHECK(plOrient3(x[2], x[3], x[0], x[1]) == sign);
		CHECK(plOrient3(x[1], x[2], x[0], x[3]) == sign);
	}
}

TEST(points_on_a_line_are_known)
{
	const double a[3] = {1.0, 2.0, 3.0}, b[3] = {1.5, 2.5, 3.5}, c[3] = {3.0, 4.0, 5.0}, d[3] = {3.0, 4.0, 5.0 + 1e-15};
	CHECK(plAreCollinear(a, b, c));
	CHECK(plAreCollinear(a, a, c));
	CHECK(plAreCollinear(a, a, a));
	CHECK(!plAreCollinear(a, b, d));
}
