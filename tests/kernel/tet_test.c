// tet_test.c: value, forces and Hessians of tetrahedra, for every law, in every kind of pose
//
// neon: src/backend/cpu/tet_lanes.c src/backend/cpu/sweep_lanes.c src/backend/cpu/patch_lanes.c
// neon: src/backend/cpu/bundle_lanes.c src/backend/cpu/triangle_lanes.c src/backend/cpu/triangle_sweep_lanes.c
// neon: src/backend/cpu/quadratic_lanes.c src/backend/cpu/hinge_lanes.c src/backend/cpu/plate_lanes.c
// neon: src/backend/cpu/isa.c src/base/isa.c
// neon: src/material/material.c src/material/curves.c
// neon: src/base/error.c src/base/memory.c src/base/platform.c
#include "tet_batch.h"

static batches s;

// The double table of the instruction set in use
static const plElementKernels* kernels(void)
{
	return plCpu_GetKernels(pl_kindTet, pl_precisionDouble, false);
}

// Cases that loop over the laws take more rounds: fibres alone, in StVK without stiffness; and laws that have converted
// by 0, 0.3 and 1, in turn; a callback for many elements; and viscous damping alone.
static const plLaw converted[] = {pl_lawStvk, pl_lawNeoHookean, pl_lawFung, pl_lawPolynomial, pl_lawCallback};

enum
{
	manyRound = pl_lawCount + 1 + sizeof converted / sizeof *converted,
	viscousRound,
	roundCount,
};

static const char* nameOf(int round)
{
	static char name[64];
	if (round == pl_lawCount)
		return "fibres alone";
	if (round == viscousRound)
		return "viscous damping alone";
	if (round == manyRound)
		return "a callback for many elements";
	bool converts = round > pl_lawCount;
	snprintf(name, sizeof name, "law %s%s", plLaw_GetName(converts ? converted[round - pl_lawCount - 1] : (plLaw)round),
	         converts ? " that converts" : "");
	return name;
}

// From strains of other poses; the law has no stiffness
static void spanForDamping(const plElementKernels* k)
{
	uint64_t state = 77;
	s.resistance = 3.0;
	for (size_t e = 0; e < 8 * s.count; ++e)
		setAnchor(&s, e, poseOfKind((int)((3 * e + 1) % poseKinds), &state));
	spanFor(&s, k, pl_lawStvk, 1.0, 0.3);
	s.span.c[0] = s.span.c[1] = 0.0;
}

static void spanForRound(const plElementKernels* k, int round)
{
	static const double weights[3] = {0.0, 0.3, 1.0};
	s.converts = round > pl_lawCount && round < manyRound;
	s.resistance = 0.0;
	for (size_t e = 0; e < tetLimit; ++e)
		s.blend[e] = weights[e % 3];
	if (round >= manyRound)
		s.fibres[0].stiffness = 0.0;
	if (round == viscousRound)
	{
		spanForDamping(k);
		return;
	}
	if (round == manyRound)
	{
		spanFor(&s, k, pl_lawCallback, 1.0, 0.3);
		s.span.stretches = NULL;
		s.span.many = manyCorotated;
		return;
	}
	if (s.converts)
	{
		s.fibres[0].stiffness = 0.0;
		spanFor(&s, k, converted[round - pl_lawCount - 1], 1.0, 0.3);
		return;
	}
	bool fibres = round == pl_lawCount;
	s.fibres[0].direction = (plVec3){1.0, -0.5, 2.0};
	s.fibres[0].stiffness = fibres ? 2.0 : 0.0;
	spanFor(&s, k, fibres ? pl_lawStvk : (plLaw)round, 1.0, 0.3);
	if (fibres)
		s.span.c[0] = s.span.c[1] = 0.0;
}

// One tet of each kind of pose in turn; translation 0.3.
static void everyPose(size_t count, uint64_t seed)
{
	uint64_t state = seed;
	makeBatches(&s, count, 0.5, &state);
	for (size_t e = 0; e < 8 * count; ++e)
		setPose(&s, e, poseOfKind((int)(e % poseKinds), &state), 0.3);
}

static double value[batchLimit], noise[batchLimit];
static double force[pl_tetForces * batchLimit], forceUp[pl_tetForces * batchLimit];
static double forceDown[pl_tetForces * batchLimit];
static double diagonal[pl_tetDiagonal * batchLimit];
static double blocks[90 * tetLimit], projected[90 * tetLimit];
static double deformation[9 * tetLimit], stress[9 * tetLimit];

static double forceOf(const double* f, size_t e, int corner, int axis)
{
	return f[pl_tetForces * (e / 8) + 24 * corner + 8 * axis + e % 8];
}

static double valueOf(const plElementKernels* k)
{
	k->value(place(&s, s.q), s.q, value, noise);
	double sum = 0.0;
	for (size_t b = 0; b < s.count; ++b)
		sum += value[b];
	return sum;
}

// Entry (3 a + i, 3 b + j) of the 12x12 Hessian
static double entry(const double* H, size_t e, int r, int c)
{
	static const int first[4] = {0, 4, 7, 9}; // block 00 11 22 33
	int a = r / 3, b = c / 3, i = r % 3, j = c % 3;
	if (a > b)
		return entry(H, e, c, r);
	return H[90 * e + 9 * (first[a] + b - a) + 3 * i + j];
}

static double largest(const double* x, size_t count)
{
	double m = 0.0;
	for (size_t k = 0; k < count; ++k)
		m = fmax(m, fabs(x[k]));
	return m;
}

TEST(forces_are_the_differences_of_the_value)
{
	const plElementKernels* k = kernels();
	const double h = 1e-6;
	for (int law = 0; law < roundCount; ++law)
	{
		WITH("%s", nameOf(law));
		uint64_t state = 11;
		makeBatches(&s, 1, 0.5, &state);
		spanForRound(k, law);
		for (int kind = 0; kind < poseKinds; ++kind)
		{
			for (size_t e = 0; e < 8; ++e)
				setPose(&s, e, poseOfKind(kind, &state), 0.3);
			k->gradient(place(&s, s.q), s.q, force);
			k->hessian(place(&s, s.q), s.q, 0, blocks);
			double scale = fmax(largest(blocks, 90 * 8), 1e-3); // of third derivatives, and of rounding over h
			for (size_t e = 0; e < 8; ++e)
				for (int c = 0; c < 12; ++c)
				{
					double* x = s.q + 16 * e + 4 * (c / 3) + c % 3;
					double kept = *x;
					*x = kept + h;
					double up = valueOf(k);
					*x = kept - h;
					double down = valueOf(k);
					*x = kept;
					CHECK_NEAR(forceOf(force, e, c / 3, c % 3), (up - down) / (2.0 * h), 1e-8 * scale);
				}
		}
	}
}

TEST(exact_hessians_are_the_differences_of_the_forces)
{
	const plElementKernels* k = kernels();
	const double h = 1e-6;
	for (int law = 0; law < roundCount; ++law)
	{
		WITH("%s", nameOf(law));
		everyPose(4 * poseKinds / 8, 12);
		spanForRound(k, law);
		k->hessian(place(&s, s.q), s.q, 0, blocks);
		for (int c = 0; c < 12; ++c)
		{
			static double q[sizeof s.q / sizeof s.q[0]];
			memcpy(q, s.q, sizeof q);
			for (size_t e = 0; e < 8 * s.count; ++e)
				q[16 * e + 4 * (c / 3) + c % 3] += h;
			k->gradient(place(&s, q), q, forceUp);
			for (size_t e = 0; e < 8 * s.count; ++e)
				q[16 * e + 4 * (c / 3) + c % 3] -= 2.0 * h;
			k->gradient(place(&s, q), q, forceDown);
			for (size_t e = 0; e < 8 * s.count; ++e)
			{
				double scale = fmax(largest(blocks + 90 * e, 90), 1e-3);
				for (int r = 0; r < 12; ++r)
				{
					double up = forceOf(forceUp, e, r / 3, r % 3), down = forceOf(forceDown, e, r / 3, r % 3);
					// The third derivative of a spline jumps at its knots, by up to 10 mu / 0.5.
					double jump = law == pl_lawSpline ? 10.0 * h : 0.0;
					CHECK_NEAR(entry(blocks, e, r, c), (up - down) / (2.0 * h), 1e-7 * scale + jump);
				}
			}
		}
	}
}

TEST(curvature_is_the_exact_hessian_along_a_direction)
{
	const plElementKernels* k = kernels();
	static double d[sizeof s.q / sizeof s.q[0]];
	uint64_t state = 5;
	for (size_t i = 0; i < sizeof d / sizeof d[0]; ++i)
		d[i] = testRandom(&state);
	for (int law = 0; law < roundCount; ++law)
	{
		WITH("%s", nameOf(law));
		everyPose(14, 13);
		spanForRound(k, law);
		k->hessian(place(&s, s.q), s.q, 0, blocks);
		static double curvature[batchLimit];
		k->curvature(place(&s, s.q), s.q, d, curvature);
		for (size_t b = 0; b < s.count; ++b)
		{
			double sum = 0.0, size = 0.0;
			for (size_t e = 8 * b; e < 8 * b + 8; ++e)
				for (int r = 0; r < 12; ++r)
					for (int c = 0; c < 12; ++c)
					{
						double term =
						    d[16 * e + 4 * (r / 3) + r % 3] * entry(blocks, e, r, c) * d[16 * e + 4 * (c / 3) + c % 3];
						sum += term;
						size += fabs(term);
					}
			CHECK_NEAR(curvature[b], sum, 1e-13 * size);
		}
	}
}

TEST(the_product_is_the_exact_or_projected_hessian_times_a_direction)
{
	const plElementKernels* k = kernels();
	static double d[sizeof s.q / sizeof s.q[0]], product[pl_tetForces * batchLimit];
	uint64_t state = 6;
	for (size_t i = 0; i < sizeof d / sizeof d[0]; ++i)
		d[i] = testRandom(&state);
	for (int turn = 0; turn < 2 * roundCount; ++turn)
	{
		everyPose(14, 13);
		spanForRound(k, turn / 2);
		k->hessian(place(&s, s.q), s.q, turn % 2, blocks);
		k->product(place(&s, s.q), s.q, turn % 2, d, product);
		for (size_t e = 0; e < 8 * s.count; ++e)
			for (int r = 0; r < 12; ++r)
			{
				double sum = 0.0, size = 0.0;
				for (int c = 0; c < 12; ++c)
				{
					double term = entry(blocks, e, r, c) * d[16 * e + 4 * (c / 3) + c % 3];
					sum += term;
					size += fabs(term);
				}
				double got = product[pl_tetForces * (e / 8) + 24 * (r / 3) + 8 * (r % 3) + e % 8];
				CHECK_NEAR(got, sum, 1e-12 * size);
			}
	}
}

// Eigenvalues of a symmetric 12x12 matrix by Jacobi's rotations; returns the smallest.
static double smallestEigenvalue(double A[12][12])
{
	for (int sweep = 0; sweep < 20; ++sweep)
		for (int p = 0; p < 12; ++p)
			for (int q = p + 1; q < 12; ++q)
			{
				if (A[p][q] == 0.0)
					continue;
				double theta = (A[q][q] - A[p][p]) / (2.0 * A[p][q]);
				double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
				double c = 1.0 / sqrt(t * t + 1.0), n = t * c;
				for (int i = 0; i < 12; ++i)
				{
					double x = A[i][p], y = A[i][q];
					A[i][p] = c * x - n * y;
					A[i][q] = n * x + c * y;
				}
				for (int i = 0; i < 12; ++i)
				{
					double x = A[p][i], y = A[q][i];
					A[p][i] = c * x - n * y;
					A[q][i] = n * x + c * y;
				}
			}
	double smallest = A[0][0];
	for (int i = 1; i < 12; ++i)
		smallest = fmin(smallest, A[i][i]);
	return smallest;
}

static double smallestOf(const double* H, size_t e)
{
	double A[12][12];
	for (int r = 0; r < 12; ++r)
		for (int c = 0; c < 12; ++c)
			A[r][c] = entry(H, e, r, c);
	return smallestEigenvalue(A);
}

TEST(projected_hessians_have_no_negative_eigenvalue_and_keep_what_was_positive)
{
	const plElementKernels* k = kernels();
	int indefinite = 0, definite = 0;
	for (int law = 0; law < roundCount; ++law)
	{
		WITH("%s", nameOf(law));
		everyPose(14, 14);
		spanForRound(k, law);
		k->hessian(place(&s, s.q), s.q, 0, blocks);
		k->hessian(place(&s, s.q), s.q, 1, projected);
		for (size_t e = 0; e < 8 * s.count; ++e)
		{
			double scale = largest(blocks + 90 * e, 90);
			CHECK(smallestOf(projected, e) >= -1e-13 * scale);
			if (smallestOf(blocks, e) < -1e-9 * scale)
			{
				indefinite++;
				continue;
			}
			definite++;
			for (int i = 0; i < 90; ++i)
				CHECK_NEAR(projected[90 * e + i], blocks[90 * e + i], 1e-9 * scale);
		}
	}
	CHECK(indefinite > 100 && definite > 100);
}

TEST(the_projection_only_adds_stiffness)
{
	const plElementKernels* k = kernels();
	for (int law = 0; law < roundCount; ++law)
	{
		WITH("%s", nameOf(law));
		everyPose(14, 15);
		spanForRound(k, law);
		k->hessian(place(&s, s.q), s.q, 0, blocks);
		k->hessian(place(&s, s.q), s.q, 1, projected);
		for (size_t e = 0; e < 8 * s.count; ++e)
		{
			double scale = largest(blocks + 90 * e, 90), difference[90];
			for (int i = 0; i < 90; ++i)
				difference[i] = projected[90 * e + i] - blocks[90 * e + i];
			CHECK(smallestOf(difference, 0) >= -1e-13 * scale);
		}
	}
}

TEST(the_diagonal_is_that_of_the_projected_hessian)
{
	static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
	const plElementKernels* k = kernels();
	for (int law = 0; law < roundCount; ++law)
	{
		WITH("%s", nameOf(law));
		everyPose(14, 16);
		spanForRound(k, law);
		k->hessian(place(&s, s.q), s.q, 1, projected);
		k->diagonal(place(&s, s.q), s.q, diagonal);
		for (size_t e = 0; e < 8 * s.count; ++e)
			for (int a = 0; a < 4; ++a)
				for (int i = 0; i < 6; ++i)
				{
					double d = diagonal[pl_tetDiagonal * (e / 8) + 48 * a + 8 * i + e % 8];
					CHECK(d == entry(projected, e, 3 * a + row[i], 3 * a + column[i]));
				}
	}
}

TEST(rigid_motion_costs_nothing)
{
	const plElementKernels* k = kernels();
	for (int law = 0; law < viscousRound; ++law) // damping starts from another strain
	{
		WITH("%s", nameOf(law));
		uint64_t state = 17;
		makeBatches(&s, 8, 0.5, &state);
		for (size_t e = 0; e < 64; ++e)
			setPose(&s, e, randomRotation(&state), 10.0 * testRandom(&state));
		spanForRound(k, law);
		k->value(place(&s, s.q), s.q, value, noise);
		k->gradient(place(&s, s.q), s.q, force);
		for (size_t b = 0; b < 8; ++b)
		{
			CHECK_NEAR(value[b], 0.0, 2e-13);
			CHECK_NEAR(value[b], 0.0, noise[b] + 2e-13); // positions far from the origin are themselves rounded
		}
		CHECK_BELOW(largest(force, pl_tetForces * 8), 1e-13);
	}
}

TEST(forces_and_torques_sum_to_zero)
{
	const plElementKernels* k = kernels();
	for (int law = 0; law < roundCount; ++law)
	{
		WITH("%s", nameOf(law));
		everyPose(14, 18);
		spanForRound(k, law);
		k->gradient(place(&s, s.q), s.q, force);
		for (size_t e = 0; e < 8 * s.count; ++e)
		{
			double sum[3] = {0}, torque[3] = {0}, scale = 1e-300;
			for (int a = 0; a < 4; ++a)
				for (int i = 0; i < 3; ++i)
				{
					int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
					const double* x = s.q + 16 * e + 4 * a;
					sum[i] += forceOf(force, e, a, i);
					torque[i] += x[i1] * forceOf(force, e, a, i2) - x[i2] * forceOf(force, e, a, i1);
					scale = fmax(scale, fabs(forceOf(force, e, a, i)));
				}
			for (int i = 0; i < 3; ++i)
			{
				CHECK_NEAR(sum[i], 0.0, 1e-15 + 1e-14 * scale);
				CHECK_NEAR(torque[i], 0.0, 1e-15 + 1e-13 * scale);
			}
		}
	}
}

// W(QF) = W(F), P(QF) = Q P(F); fibres turn with the body too
TEST(a_turned_element_has_the_same_energy_and_turned_stress)
{
	const plElementKernels* k = kernels();
	static double turned[9 * tetLimit], before[batchLimit];
	for (int law = 0; law < roundCount; ++law)
	{
		WITH("%s", nameOf(law));
		uint64_t state = 23;
		everyPose(7, 23);
		spanForRound(k, law);
		k->value(place(&s, s.q), s.q, before, noise);
		k->measure(place(&s, s.q), s.q, NULL, stress);
		matrix Q = randomRotation(&state);
		for (size_t v = 0; v < 32 * s.count; ++v)
		{
			double x[3] = {s.q[4 * v], s.q[4 * v + 1], s.q[4 * v + 2]};
			for (int i = 0; i < 3; ++i)
				s.q[4 * v + (size_t)i] = Q.a[i][0] * x[0] + Q.a[i][1] * x[1] + Q.a[i][2] * x[2];
		}
		k->value(place(&s, s.q), s.q, value, noise);
		k->measure(place(&s, s.q), s.q, NULL, turned);
		double scale = largest(stress, 72 * s.count);
		for (size_t b = 0; b < s.count; ++b)
			CHECK_NEAR(value[b], before[b], 1e-13 * (1.0 + fabs(before[b])));
		for (size_t e = 0; e < 8 * s.count; ++e)
			for (int i = 0; i < 9; ++i)
			{
				double sum = 0.0;
				for (int j = 0; j < 3; ++j)
					sum += Q.a[i / 3][j] * stress[9 * e + (size_t)(3 * j + i % 3)];
				CHECK_NEAR(turned[9 * e + (size_t)i], sum, 1e-12 * (1.0 + scale));
			}
	}
}

TEST(measures_are_the_deformation_gradient_and_its_stress)
{
	const plElementKernels* k = kernels();
	for (int law = 0; law < viscousRound; ++law) // the stress is the law's
	{
		WITH("%s", nameOf(law));
		uint64_t state = 19;
		everyPose(7, 19);
		spanForRound(k, law);
		matrix F = poseOfKind(1, &state);
		setPose(&s, 3, F, 0.1);
		k->measure(place(&s, s.q), s.q, deformation, stress);
		for (int i = 0; i < 9; ++i)
			CHECK_NEAR(deformation[27 + i], F.a[i / 3][i % 3], 1e-14);

		// forces of corners 1..3 are V P B'
		k->gradient(place(&s, s.q), s.q, force);
		double scale = largest(force, pl_tetForces * s.count);
		for (size_t e = 0; e < 8 * s.count; ++e)
		{
			const double* rest = s.rest + pl_tetRest * (e / 8) + e % 8;
			for (int a = 0; a < 3; ++a)
				for (int i = 0; i < 3; ++i)
				{
					double h = 0.0;
					for (int j = 0; j < 3; ++j)
						h += rest[72] * stress[9 * e + 3 * i + j] * rest[8 * (3 * a + j)];
					CHECK_NEAR(forceOf(force, e, a + 1, i), h, 1e-14 * scale);
				}
		}
		static double again[9 * tetLimit];
		k->measure(place(&s, s.q), s.q, NULL, again);
		CHECK(memcmp(again, stress, sizeof(double) * 72 * s.count) == 0);
		k->measure(place(&s, s.q), s.q, again, NULL);
		CHECK(memcmp(again, deformation, sizeof(double) * 72 * s.count) == 0);
	}
}

TEST(lanes_that_fill_up_a_batch_give_zeros)
{
	const plElementKernels* k = kernels();
	for (int law = 0; law < roundCount; ++law)
	{
		WITH("%s", nameOf(law));
		everyPose(2, 20);
		for (size_t e = 0; e < 16; ++e)
			s.rest[pl_tetRest * (e / 8) + 72 + e % 8] = 0.0;
		spanForRound(k, law);
		CHECK(valueOf(k) == 0.0 && noise[0] == 0.0 && noise[1] == 0.0);
		k->gradient(place(&s, s.q), s.q, force);
		k->hessian(place(&s, s.q), s.q, 0, blocks);
		k->diagonal(place(&s, s.q), s.q, diagonal);
		CHECK(largest(force, 2 * pl_tetForces) == 0.0);
		CHECK(largest(blocks, 90 * 16) == 0.0);
		CHECK(largest(diagonal, 2 * pl_tetDiagonal) == 0.0);
	}
}

TEST(fibres_add_to_the_law)
{
	const plElementKernels* k = kernels();
	static double alone[90 * tetLimit], sum[90 * tetLimit];
	everyPose(14, 22);
	spanForRound(k, pl_lawNeoHookean);
	double value0 = valueOf(k);
	k->hessian(place(&s, s.q), s.q, 0, blocks);
	k->measure(place(&s, s.q), s.q, NULL, stress);
	spanForRound(k, pl_lawCount);
	double value1 = valueOf(k);
	k->hessian(place(&s, s.q), s.q, 0, alone);
	k->measure(place(&s, s.q), s.q, NULL, deformation);
	spanForRound(k, pl_lawNeoHookean);
	s.span.fibres[0][0] = 1.0 / sqrt(5.25);
	s.span.fibres[0][1] = -0.5 / sqrt(5.25);
	s.span.fibres[0][2] = 2.0 / sqrt(5.25);
	s.span.fibres[0][3] = 2.0;
	s.span.fibreCount = 1;
	CHECK_NEAR(valueOf(k), value0 + value1, 1e-13 * (fabs(value0) + value1));
	CHECK(value1 > 0.0);
	k->hessian(place(&s, s.q), s.q, 0, sum);
	double scale = largest(sum, 90 * 8 * s.count);
	for (size_t i = 0; i < 90 * 8 * s.count; ++i)
		CHECK_NEAR(sum[i], blocks[i] + alone[i], 1e-14 * scale);
	k->measure(place(&s, s.q), s.q, NULL, sum);
	for (size_t i = 0; i < 72 * s.count; ++i)
		CHECK_NEAR(sum[i], stress[i] + deformation[i], 1e-14 * (fabs(stress[i]) + 10.0));
}

// Everything a table computes of fibres, in double, in one row.
enum
{
	outputs = 2 + 2 * pl_tetForces + pl_tetDiagonal + 180 * 8 + 72
};

static void everything(const plElementKernels* k, const double* d, double* out)
{
	static double noises[batchLimit];
	k->value(place(&s, s.q), s.q, out, noises);
	k->curvature(place(&s, s.q), s.q, d, out + 1);
	k->gradient(place(&s, s.q), s.q, out += 2);
	k->product(place(&s, s.q), s.q, 0, d, out += pl_tetForces);
	k->diagonal(place(&s, s.q), s.q, out += pl_tetForces);
	k->hessian(place(&s, s.q), s.q, 0, out += pl_tetDiagonal);
	k->hessian(place(&s, s.q), s.q, 1, out += 720);
	k->measure(place(&s, s.q), s.q, NULL, out + 720);
}

TEST(three_families_of_fibres_add_up)
{
	static const plFibre families[3] = {{{1.0, -0.5, 2.0}, 2.0}, {{0.0, 3.0, 0.0}, 0.7}, {{-1.0, 1.0, 0.1}, 5.0}};
	static double sum[outputs], one[outputs], all[outputs], d[16 * 8];
	const plElementKernels* k = kernels();
	uint64_t state = 24;
	for (size_t i = 0; i < 16 * 8; ++i)
		d[i] = testRandom(&state);
	memset(sum, 0, sizeof sum);
	for (int family = 0; family <= 3; ++family)
	{
		state = 25;
		makeBatches(&s, 1, 0.5, &state);
		for (size_t e = 0; e < 8; ++e)
			setPose(&s, e, poseOfKind((int)e + 1, &state), 0.1);
		if (family < 3) // of any place in the list
			s.fibres[2 - family] = families[family];
		else
			memcpy(s.fibres, families, sizeof families);
		spanFor(&s, k, pl_lawStvk, 1.0, 0.3);
		s.span.c[0] = s.span.c[1] = 0.0;
		everything(k, d, family < 3 ? one : all);
		for (int i = 0; i < outputs && family < 3; ++i)
			sum[i] += one[i];
	}
	CHECK(s.span.fibreCount == 3 && all[0] > 0.0);
	for (int i = 0; i < outputs; ++i)
		CHECK_NEAR(all[i], sum[i], 1e-13 * largest(all, outputs));
}

TEST(flattened_elements_give_finite_numbers)
{
	const double flat[][3] = {{1, 1, 0},  {1, 0, 0},   {0, 0, 0},     {1, 0.5, -0.5},
	                          {1, 1, -1}, {0.3, 0, 0}, {1e-20, 0, 0}, {100, 0, 0}};
	const plElementKernels* table;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
		for (int law = 0; law < roundCount; ++law)
		{
			WITH("%s", nameOf(law));
			uint64_t state = 21;
			makeBatches(&s, 1, 0.5, &state);
			for (size_t e = 0; e < 8; ++e)
				setPose(&s, e, diagonalMatrix(flat[e][0], flat[e][1], flat[e][2]), 0.0);
			spanForRound(table, law);
			memset(force, 0, sizeof force);
			CHECK(isfinite(valueOf(table)) && isfinite(noise[0]));
			table->gradient(place(&s, s.q), s.q, force);
			for (int i = 0; i < pl_tetForces; ++i)
				CHECK(isfinite(table->isFloat ? ((float*)force)[i] : force[i]));
			for (int p = 0; p < 2; ++p)
			{
				table->hessian(place(&s, s.q), s.q, p, blocks);
				for (int i = 0; i < 90 * 8; ++i)
					CHECK(isfinite(blocks[i]));
			}
		}
}
