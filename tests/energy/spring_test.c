// spring_test.c: springs between vertices and to points: derivatives, projection, rigid motion, no length
#include "derivatives.h"
#include "energy/spring.h"
#include "heap.h"

static double q[pl_quad * 8];
static plSpringEnergy *springs, *toPoints;

// Lengths from a tenth to three times the rest length; the last two have no rest length.
static void make(void)
{
	uint64_t seed = 5;
	for (int i = 0; i < 32; ++i)
		q[i] = i % 4 == 3 ? 0.0 : testRandom(&seed);
	springs = plSpringEnergy_Create(6, false, &heap);
	toPoints = plSpringEnergy_Create(6, true, &heap);
	static const double ratio[6] = {0.1, 0.7, 1.0, 1.5, 3.0, INFINITY};
	for (uint32_t e = 0; e < 6; ++e)
	{
		uint32_t a = e, b = (e + 3) % 8;
		double d[3], length = 0.0;
		for (size_t i = 0; i < 3; ++i)
		{
			d[i] = PL_AT(q, a)[i] - PL_AT(q, b)[i];
			length += d[i] * d[i];
			toPoints->points[3 * e + i] = PL_AT(q, b)[i];
		}
		springs->base.vertices[2 * e] = toPoints->base.vertices[e] = a;
		springs->base.vertices[2 * e + 1] = b;
		springs->rest[e] = toPoints->rest[e] = sqrt(length) / ratio[e];
		springs->stiffness[e] = toPoints->stiffness[e] = 40.0 + e;
	}
}

static void unmake(void)
{
	plEnergy_Destroy(&springs->base, &heap);
	plEnergy_Destroy(&toPoints->base, &heap);
}

TEST(forces_and_blocks_are_differences)
{
	make();
	for (size_t e = 0; e < 6; ++e)
	{
		CALL(checkDerivatives(&springs->base, q, e, 1e-6));
		CALL(checkDerivatives(&toPoints->base, q, e, 1e-6));
	}
	unmake();
}

TEST(the_projected_block_is_semidefinite_and_exact_where_that_is)
{
	make();
	for (size_t e = 0; e < 6; ++e)
	{
		CALL(checkProjection(&springs->base, q, e));
		CALL(checkProjection(&toPoints->base, q, e));
	}
	double H[mostRows][mostRows];
	denseHessian(&springs->base, q, 0, false, H); // pressed: the exact one is indefinite
	CHECK(!isDefinite(H, 6, 1e-9));
	unmake();
}

TEST(a_rigid_motion_changes_no_spring_and_forces_add_to_zero)
{
	make();
	double moved[32];
	moveRigidly(moved, q, 8, 1.3);
	for (size_t e = 0; e < 6; ++e)
	{
		CHECK_NEAR(valueOf(&springs->base, moved, e, NULL), valueOf(&springs->base, q, e, NULL), 1e-12);
		CALL(checkForcesAddToZero(&springs->base, moved, e));
	}
	unmake();
}

TEST(a_spring_without_length_gives_no_force_and_finite_numbers)
{
	make();
	for (int tiny = 0; tiny < 2; ++tiny)
		for (size_t e = 0; e < 6; ++e)
		{
			memcpy(PL_AT(q, springs->base.vertices[2 * e]), PL_AT(q, springs->base.vertices[2 * e + 1]),
			       4 * sizeof(double));
			PL_AT(q, springs->base.vertices[2 * e])[0] += tiny ? 1e-300 : 0.0;
			double f[6], H[mostRows][mostRows], k = springs->stiffness[e], L = springs->rest[e];
			springs->base.verbs->gradient(&springs->base, q, e, e + 1, f);
			for (int i = 0; i < 6; ++i)
				CHECK_NEAR(f[i], 0.0, 1e-290);
			CHECK_NEAR(valueOf(&springs->base, q, e, NULL), 0.5 * k * L * L, 1e-15 * k);
			for (int projected = 0; projected < 2; ++projected)
			{
				denseHessian(&springs->base, q, e, projected, H);
				CHECK(H[0][0] == k && H[0][1] == 0.0 && H[0][3] == -k);
			}
		}
	unmake();
}

TEST(stretch_is_the_largest_ratio)
{
	make();
	CHECK_NEAR(springs->base.verbs->stretch(&springs->base, q), 3.0, 1e-14);
	CHECK_NEAR(toPoints->base.verbs->stretch(&toPoints->base, q), 3.0, 1e-14);
	for (size_t e = 0; e < 6; ++e)
		springs->rest[e] = 0.0;
	CHECK(springs->base.verbs->stretch(&springs->base, q) == 0.0);
	unmake();
	CHECK(heap.bytes == 0);
}
