// rotation_test.c: quaternions and transforms of the public header
#include "test.h"

#include "pliant/math.h"

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
