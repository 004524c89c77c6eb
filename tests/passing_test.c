// passing_test.c: the proofs of passing.h find what they are to find, and nothing else
#include "passing.h"
#include "test.h"

#define PI 3.14159265358979323846

// ---- crossings ------------------------------------------------------------------------------------------------------

static size_t countOf(const double* x, size_t vertexCount, const uint32_t* triangles, size_t triangleCount)
{
	return passingCount(
	    &(Passing){.x = x, .vertexCount = vertexCount, .triangles = triangles, .triangleCount = triangleCount}, NULL);
}

// Two triangles without a vertex in common, the second moved by `shift`
static size_t countTwo(const double a[9], const double b[9], double shift)
{
	static const uint32_t triangles[6] = {0, 1, 2, 3, 4, 5};
	double x[18];
	memcpy(x, a, 9 * sizeof *x);
	for (size_t i = 0; i < 9; ++i)
		x[9 + i] = b[i] + (i % 3 == 2 ? shift : 0.0);
	return countOf(x, 6, triangles, 2);
}

static const double flat[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

TEST(a_triangle_through_another_crosses_it)
{
	const double pierces[9] = {0.2, 0.2, -1, 0.3, 0.2, 1, 0.2, 0.3, 1},
	             beside[9] = {0.8, 0.8, -1, 0.9, 0.8, 1, 0.8, 0.9, 1};
	CHECK(countTwo(flat, pierces, 0.0) == 1);
	CHECK(countTwo(pierces, flat, 0.0) == 1);
	CHECK(countTwo(flat, beside, 0.0) == 0);
	CHECK(countTwo(flat, pierces, 1.01) == 0);
	CHECK(countTwo(flat, pierces, -1.01) == 0);
}

TEST(touching_crosses_and_a_gap_of_a_nanometre_does_not)
{
	const double stands[9] = {0.25, 0.25, 0, 0.5, 0.25, 1, 0.25, 0.5, 1};
	CHECK(countTwo(flat, stands, 0.0) == 1);
	CHECK(countTwo(flat, stands, 1e-9) == 0);
	CHECK(countTwo(flat, stands, -1e-9) == 1);
}

TEST(triangles_in_one_plane_cross_where_they_overlap)
{
	const double inside[9] = {0.1, 0.1, 0, 0.2, 0.1, 0, 0.1, 0.2, 0},
	             over[9] = {0.9, -0.5, 0, 1.9, 0.5, 0, -0.5, 0.9, 0};
	const double beside[9] = {1.1, 0, 0, 2, 0, 0, 1.1, 1, 0};
	CHECK(countTwo(flat, inside, 0.0) == 1);
	CHECK(countTwo(flat, over, 0.0) == 1);
	CHECK(countTwo(flat, beside, 0.0) == 0);
}

TEST(neighbours_cross_only_through_each_other)
{
	static const uint32_t fan[6] = {0, 1, 2, 0, 3, 4}, pair[6] = {0, 1, 2, 1, 0, 3};
	double open[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0};
	double through[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.6, 0.6, -0.5, 0.6, 0.6, 0.5};
	double touching[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, 0, 0.2, 0.2, 1};
	double folded[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1e-3};
	CHECK(countOf(open, 5, fan, 2) == 0);
	CHECK(countOf(through, 5, fan, 2) == 1);
	CHECK(countOf(touching, 5, fan, 2) == 1);
	CHECK(countOf(folded, 4, pair, 2) == 0);
}

// Against every pair, without a grid: a heap of triangles, some large and some small, far from the origin
TEST(the_grid_leaves_no_pair_out)
{
	enum
	{
		count = 600
	};
	static double x[9 * count];
	static uint32_t triangles[3 * count];
	uint64_t state = 7;
	for (size_t t = 0; t < count; ++t)
	{
		double size = t % 10 == 0 ? 0.8 : 0.05, place[3] = {testRandom(&state), testRandom(&state), testRandom(&state)};
		for (size_t c = 0; c < 9; ++c)
			x[9 * t + c] = 100.0 + place[c % 3] + size * testRandom(&state);
		for (size_t c = 0; c < 3; ++c)
			triangles[3 * t + c] = (uint32_t)(3 * t + c);
	}
	size_t crossed = 0;
	for (size_t a = 0; a < count; ++a)
		for (size_t b = a + 1; b < count; ++b)
			crossed += countTwo(x + 9 * a, x + 9 * b, 0.0);
	CHECK(crossed > 100);
	CHECK(countOf(x, 3 * count, triangles, count) == crossed);
}

// ---- order ----------------------------------------------------------------------------------------------------------

// Sheets of 8 x 8 cells over each other, a bump in all of them; `heights` of the sheets
static size_t disorderOf(const double heights[3], uint32_t first[2])
{
	enum
	{
		side = 9
	};
	static double x[3 * 3 * side * side];
	static uint32_t triangles[3 * 6 * (side - 1) * (side - 1)], sheets[3 * 2 * (side - 1) * (side - 1)];
	size_t triangleCount = 0;
	for (size_t v = 0; v < 3 * side * side; ++v)
	{
		size_t sheet = v / (side * side), i = v % side, j = v / side % side;
		double at[3] = {0.1 * (double)i + 0.013 * (double)sheet, 0.0, 0.1 * (double)j};
		at[1] = heights[sheet] + 0.3 * sin(4.0 * at[0]) * cos(3.0 * at[2]);
		memcpy(x + 3 * v, at, sizeof at);
		if (i == side - 1 || j == side - 1)
			continue;
		uint32_t u = (uint32_t)v, corners[6] = {u, u + 1, u + side, u + 1, u + side + 1, u + side};
		memcpy(triangles + 3 * triangleCount, corners, sizeof corners);
		sheets[triangleCount] = sheets[triangleCount + 1] = (uint32_t)sheet;
		triangleCount += 2;
	}
	return passingDisorder(&(Passing){.x = x,
	                                  .vertexCount = 3 * side * side,
	                                  .triangles = triangles,
	                                  .triangleCount = triangleCount,
	                                  .sheets = sheets,
	                                  .up = 1},
	                       first);
}

TEST(sheets_in_order_are_in_order_and_others_are_found)
{
	uint32_t first[2] = {0, 0};
	CHECK(disorderOf((const double[]){0.0, 0.05, 0.1}, first) == 0);
	CHECK(disorderOf((const double[]){0.0, 5.0, 5.05}, first) == 0);
	CHECK(disorderOf((const double[]){0.05, 0.0, 0.1}, first) > 100);
	CHECK(first[0] / 128 + first[1] / 128 == 1 && first[0] / 128 != first[1] / 128);
	CHECK(disorderOf((const double[]){0.0, 0.1, 0.1 - 0.02}, NULL) > 100);
}

// ---- links ----------------------------------------------------------------------------------------------------------

// A circle of radius 1 about `centre` in the plane of x and the axis `other`, in n pieces
static void circle(double* x, size_t n, double centre, int other)
{
	memset(x, 0, 3 * n * sizeof *x);
	for (size_t i = 0; i < n; ++i)
	{
		x[3 * i] = centre + cos(2.0 * PI * (double)i / (double)n);
		x[3 * i + (size_t)other] = sin(2.0 * PI * (double)i / (double)n);
	}
}

TEST(two_rings_are_linked_once_or_not_at_all)
{
	double a[3 * 40], b[3 * 7];
	circle(a, 40, 0.0, 1);
	circle(b, 7, 1.0, 2);
	CHECK_NEAR(fabs(passingLink(a, 40, b, 7)), 1.0, 1e-12);
	CHECK_NEAR(passingLink(a, 40, b, 7), passingLink(b, 7, a, 40), 1e-12);
	circle(b, 7, 2.5, 2);
	CHECK_NEAR(passingLink(a, 40, b, 7), 0.0, 1e-12);
	circle(b, 7, 0.0, 2);
	for (size_t i = 0; i < 7; ++i)
		b[3 * i] *= 0.3;
	CHECK_NEAR(passingLink(a, 40, b, 7), 0.0, 1e-12);
}

// The second line of a cable winds `turns` times round the first one.
TEST(turns_of_a_cable_are_counted_with_their_sense)
{
	enum
	{
		n = 400
	};
	static double a[3 * n], b[3 * n];
	for (int turns = -3; turns <= 3; ++turns)
	{
		for (size_t i = 0; i < n; ++i)
		{
			double t = 2.0 * PI * (double)i / n, away = 1.0 + 0.2 * cos(turns * t);
			memcpy(a + 3 * i, (double[3]){cos(t), 0.0, -sin(t)}, 3 * sizeof *a);
			memcpy(b + 3 * i, (double[3]){away * cos(t), 0.2 * sin(turns * t), -away * sin(t)}, 3 * sizeof *b);
		}
		WITH("%d turns", turns);
		CHECK_NEAR(fabs(passingLink(a, n, b, n)), fabs((double)turns), 1e-10);
		CHECK(turns == 0 || (passingLink(a, n, b, n) > 0.0) == (turns > 0));
	}
}
