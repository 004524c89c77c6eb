// svd_test.c: F = U diag(s) V' with rotations and signed, sorted s, for every kind of matrix and every table
//
// neon: tests/kernel/math_lanes.c
#include "cases.h"

// Worst of 100000 matrices of every kind in every table: 6.7 epsilon of the largest entry, 5.3 for U, 4.3 for V.
static const double residualLimit = 8.0, rotationLimit = 8.0;

static void checkSvd(const kernelTable* table, const double F[9], const double result[21])
{
	double eps = tableEpsilon(table), size = largestEntry(F);
	const double *U = result, *s = result + 9, *V = result + 12;
	double denormal = table->isFloat ? 0x1p-149 : 0x1p-1074; // rounding of s itself, for the smallest F
	CHECK_BELOW(decompositionError(F, U, s, V), residualLimit * eps * size + 2.0 * denormal);
	CHECK_BELOW(rotationError(U), rotationLimit * eps);
	CHECK_BELOW(rotationError(V), rotationLimit * eps);
	CHECK(s[0] >= s[1] && s[1] >= fabs(s[2]));
}

TEST(every_kind_of_matrix_is_decomposed_to_rounding)
{
	checkEveryKind(kernel_svd, 17, kindMatrix, checkSvd);
}

// F given, s known
static void checkStretches(const double F[9], double s0, double s1, double s2)
{
	tableList tables = usableTables();
	for (int t = 0; t < tables.count; ++t)
	{
		double r[21], eps = tableEpsilon(tables.at[t]);
		tables.at[t]->run(kernel_svd, 1, F, r);
		CALL(checkSvd(tables.at[t], F, r));
		CHECK_NEAR(r[9], s0, 2.0 * eps * s0);
		CHECK_NEAR(r[10], s1, 2.0 * eps * s0);
		CHECK_NEAR(r[11], s2, 2.0 * eps * s0);
	}
}

TEST(singular_values_are_sorted_and_the_last_carries_the_sign)
{
	checkStretches((double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 1, 1, 1);
	CALL(checkStretches((double[9]){-1, 0, 0, 0, -1, 0, 0, 0, -1}, 1, 1, -1));
	CALL(checkStretches((double[9]){1, 0, 0, 0, 1, 0, 0, 0, -1}, 1, 1, -1));
	CALL(checkStretches((double[9]){0.5, 0, 0, 0, -3, 0, 0, 0, 2}, 3, 2, -0.5));
	CALL(checkStretches((double[9]){0, 1, 0, 1, 0, 0, 0, 0, 1}, 1, 1, -1));
	CALL(checkStretches((double[9]){0, 0, 4, 2, 0, 0, 0, 3, 0}, 4, 3, 2));
	CALL(checkStretches((double[9]){0, 0, 0, 0, 0, 0, 0, 0, 0}, 0, 0, 0));
	CALL(checkStretches((double[9]){0, 0, 0, 0, 0, 0, 0, 5, 0}, 5, 0, 0));
	CALL(checkStretches((double[9]){1, 1, 1, 1, 1, 1, 1, 1, 1}, 3, 0, 0));
	CALL(checkStretches((double[9]){3, 0, 0, 4, 0, 0, 0, 0, 0}, 5, 0, 0));
	CALL(checkStretches((double[9]){1, 1, 0, 1, -1, 0, 0, 0, 0}, sqrt(2.0), sqrt(2.0), 0));
}

// Where |s2| stands out from rounding the sign is that of det F
TEST(sign_follows_the_determinant)
{
	tableList tables = usableTables();
	for (int t = 0; t < tables.count; ++t)
	{
		uint64_t seed = 5;
		double eps = tableEpsilon(tables.at[t]);
		int negative = 0;
		for (int i = 0; i < 1000; ++i)
		{
			double F[9], r[21];
			kindMatrix(kind_random, tables.at[t], &seed, F);
			tables.at[t]->run(kernel_svd, 1, F, r);
			double det = determinant(F);
			negative += det < 0.0;
			if (fabs(r[11]) > 32.0 * eps)
				CHECK((r[11] < 0.0) == (det < 0.0));
			CHECK_NEAR(r[9] * r[10] * r[11], det, 64.0 * eps);
		}
		CHECK(negative > 300 && negative < 700);
	}
}

TEST(polar_rotation_leaves_a_symmetric_stretch)
{
	tableList tables = usableTables();
	for (int t = 0; t < tables.count; ++t)
		for (int kind = 0; kind < kind_count; ++kind)
		{
			uint64_t seed = 99 + (uint64_t)kind;
			for (int i = 0; i < KERNEL_CASES / 20; ++i)
			{
				double F[9], R[9], eps = tableEpsilon(tables.at[t]);
				kindMatrix(kind, tables.at[t], &seed, F);
				tables.at[t]->run(kernel_polar, 1, F, R);
				CHECK_BELOW(rotationError(R), 2.0 * rotationLimit * eps);
				double S[9] = {0}, size = largestEntry(F);
				for (int k = 0; k < 27; ++k) // S = R'F
					S[k / 3] += R[3 * (k % 3) + k / 9] * F[3 * (k % 3) + k / 3 % 3];
				for (int a = 0; a < 3; ++a)
					for (int b = 0; b < a; ++b)
						CHECK_NEAR(S[3 * a + b], S[3 * b + a], 2.0 * residualLimit * eps * size + 8.0 * 0x1p-1074);
				for (int k = 0; k < 9 && kind == kind_rotation; ++k)
					CHECK_NEAR(R[k], F[k], residualLimit * eps);
			}
		}
}

TEST(not_a_number_is_not_hidden)
{
	tableList tables = usableTables();
	for (int t = 0; t < tables.count; ++t)
		for (int k = 0; k < 9; ++k)
		{
			double F[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, r[21];
			F[k] = NAN;
			tables.at[t]->run(kernel_svd, 1, F, r);
			CHECK(isnan(r[9]) || isnan(r[10]) || isnan(r[11]));
		}
}
