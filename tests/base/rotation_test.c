// rotation_test.c: quaternions and transforms of the public header; turns and the chart of a pose
#include "test.h"

#include "base/rotation.h"

static double distance(const double a[3], const double b[3])
{
	return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

TEST(a_turn_is_the_formula_of_rodrigues)
{
	uint64_t seed = 1;
	for (int i = 0; i < 1000; ++i)
	{
		double k[3] = {testRandom(&seed), testRandom(&seed), testRandom(&seed)}, x[3], turned[3], expected[3];
		double zero[3] = {0.0, 0.0, 0.0}, angle = 10.0 * testRandom(&seed), size = distance(k, zero), dot = 0.0;
		for (int j = 0; j < 3; ++j)
		{
			k[j] /= size;
			x[j] = testRandom(&seed);
			dot += k[j] * x[j];
		}
		for (int j = 0; j < 3; ++j)
		{
			int a = (j + 1) % 3, b = (j + 2) % 3;
			double cross = k[a] * x[b] - k[b] * x[a];
			expected[j] = x[j] * cos(angle) + cross * sin(angle) + k[j] * dot * (1.0 - cos(angle));
		}
		plQuat r = plQuat_FromAxisAngle((plVec3){k[0], k[1], k[2]}, angle);
		plQuat_Rotate(r, x, turned);
		CHECK_NEAR(distance(turned, expected), 0.0, 2e-15);
		CHECK_NEAR(distance(turned, zero), distance(x, zero), 2e-15);
		plQuat_Rotate(r, x, x);
		CHECK(memcmp(x, turned, sizeof x) == 0);
	}
}

TEST(no_angle_is_the_identity_whatever_the_axis)
{
	plQuat r = plQuat_FromAxisAngle((plVec3){0.0, 0.0, 0.0}, 0.0);
	double x[3] = {0.1, -0.7, 3.0}, turned[3];
	CHECK(r.s == 1.0 && r.v.x == 0.0 && r.v.y == 0.0 && r.v.z == 0.0);
	plQuat_Rotate(r, x, turned);
	CHECK(memcmp(x, turned, sizeof x) == 0);
}

TEST(a_transform_scales_turns_and_moves_in_this_order)
{
	plTransform t = {2.0, plQuat_FromAxisAngle((plVec3){0.0, 0.0, 1.0}, 1.5707963267948966), {10.0, 20.0, 30.0}};
	double x[3] = {1.0, 2.0, 3.0}, expected[3] = {10.0 - 4.0, 20.0 + 2.0, 30.0 + 6.0};
	plTransform_Apply(&t, x, x);
	CHECK_NEAR(distance(x, expected), 0.0, 1e-14);
}

// ---- inside the library ---------------------------------------------------------------------------------------------

static double apart(plQuat a, plQuat b)
{
	return fabs(a.v.x - b.v.x) + fabs(a.v.y - b.v.y) + fabs(a.v.z - b.v.z) + fabs(a.s - b.s);
}

static void randomVector(uint64_t* seed, double size, double x[3])
{
	for (int i = 0; i < 3; ++i)
		x[i] = size * testRandom(seed);
}

TEST(products_of_quaternions_turn_one_after_the_other)
{
	uint64_t seed = 2;
	for (int i = 0; i < 1000; ++i)
	{
		double u[3], w[3], x[3], once[3], both[3], R[3][3];
		randomVector(&seed, 3.0, u);
		randomVector(&seed, 3.0, w);
		randomVector(&seed, 1.0, x);
		plQuat a = plQuat_FromTurn(u), b = plQuat_FromTurn(w), ab = plQuat_Multiply(a, b);
		CHECK_NEAR(plQuat_GetNorm(ab), 1.0, 1e-15);
		plQuat_Rotate(b, x, once);
		plQuat_Rotate(a, once, once);
		plQuat_Rotate(ab, x, both);
		CHECK_NEAR(distance(once, both), 0.0, 3e-15);
		plQuat_GetMatrix(ab, R);
		for (int k = 0; k < 3; ++k)
			CHECK_NEAR(plDot3(R[k], x), both[k], 3e-15);
		CHECK_NEAR(apart(plQuat_Multiply(plQuat_Inverse(a), ab), b), 0.0, 2e-15);
	}
}

TEST(a_quaternion_comes_back_from_its_matrix)
{
	uint64_t seed = 5;
	for (int i = 0; i < 1000; ++i)
	{
		double q[4], R[3][3], size = 0.0, worst = 0.0;
		for (int j = 0; j < 4; ++j)
			q[j] = (j == i % 4 ? 10.0 : 1.0) * (testRandom(&seed) - 0.5); // each of them is the largest at times
		size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) * (q[3] < 0.0 ? -1.0 : 1.0);
		plQuat from = {{q[0] / size, q[1] / size, q[2] / size}, q[3] / size};
		plQuat_GetMatrix(from, R);
		plQuat to = plQuat_FromMatrix((const double(*)[3])R);
		worst = fmax(fmax(fabs(to.v.x - from.v.x), fabs(to.v.y - from.v.y)),
		             fmax(fabs(to.v.z - from.v.z), fabs(to.s - from.s)));
		CHECK_NEAR(worst, 0.0, 1e-15);
	}
}

TEST(a_turn_comes_back_from_its_quaternion_at_every_size)
{
	uint64_t seed = 3;
	for (double size = 1e-300; size < 3.2; size *= size < 1e-20 ? 1e20 : 1.7)
		for (int i = 0; i < 20; ++i)
		{
			double u[3], back[3];
			randomVector(&seed, 1.0, u);
			double scale = fmin(size, 3.14) / sqrt(plDot3(u, u));
			for (int k = 0; k < 3; ++k)
				u[k] *= scale;
			plQuat q = plQuat_FromTurn(u);
			plQuat_GetTurn(q, back);
			CHECK_BELOW(distance(u, back), 2e-15 * fmin(size, 3.14) + 1e-15 * (size > 1.0));
			CHECK_NEAR(plQuat_GetNorm(q), 1.0, 4e-16);
			plQuat_GetTurn((plQuat){{-q.v.x, -q.v.y, -q.v.z}, -q.s}, back); // the same turn
			CHECK_BELOW(distance(u, back), 2e-15 * fmin(size, 3.14) + 1e-15 * (size > 1.0));
		}
}

TEST(the_chart_turns_as_its_quaternion_does)
{
	uint64_t seed = 4;
	for (int i = 0; i < 1000; ++i)
	{
		double w[3], x[3], turned[3], expected[3], u[3];
		randomVector(&seed, i % 2 ? 20.0 : 1e-3, w);
		randomVector(&seed, 1.0, x);
		plChart_Rotate(w, x, turned);
		plQuat_Rotate(plQuat_FromChart(w), x, expected);
		CHECK_NEAR(distance(turned, expected), 0.0, 2e-15);
		plChart_GetTurn(w, u);
		CHECK_NEAR(apart(plQuat_FromTurn(u), plQuat_FromChart(w)), 0.0, 2e-15);
	}
}

TEST(a_change_of_the_chart_turns_the_world_by_T)
{
	uint64_t seed = 5;
	for (int i = 0; i < 200; ++i)
	{
		double w[3], dw[3], plus[3], minus[3], turn[3], expected[3], torque[3], pulled[3];
		const double step = 1e-5;
		randomVector(&seed, 3.0, w);
		randomVector(&seed, 1.0, dw);
		randomVector(&seed, 1.0, torque);
		for (int k = 0; k < 3; ++k)
		{
			plus[k] = w[k] + step * dw[k];
			minus[k] = w[k] - step * dw[k];
		}
		plQuat between = plQuat_Multiply(plQuat_FromChart(plus), plQuat_Inverse(plQuat_FromChart(minus)));
		plQuat_GetTurn(between, turn);
		plChart_Push(w, dw, expected);
		for (int k = 0; k < 3; ++k)
			CHECK_NEAR(turn[k] / (2.0 * step), expected[k], 1e-9);
		plChart_Pull(w, torque, pulled); // the same work
		CHECK_NEAR(plDot3(pulled, dw), plDot3(torque, expected), 1e-14);
	}
}
