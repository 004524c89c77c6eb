// eigen_test.c: A = Q diag(w) Q' for every kind of symmetric matrix, and the clamping of its spectrum
//
// neon: tests/kernel/math_lanes.c
#include "cases.h"

// Worst of 100000 matrices of every kind in every table: 9.3 epsilon of the largest entry, 10.4 for Q.
static const double residualLimit = 12.0, rotationLimit = 13.0;

static void checkEigen(const kernelTable* table, const double A[9], const double result[12])
{
	double eps = tableEpsilon(table), size = largestEntry(A);
	double denormal = table->isFloat ? 0x1p-149 : 0x1p-1074;
	const double *w = result, *Q = result + 3;
	CHECK_BELOW(decompositionError(A, Q, w, Q), residualLimit * eps * size + 2.0 * denormal);
	CHECK_BELOW(rotationError(Q), rotationLimit * eps);
}

TEST(every_kind_of_matrix_is_decomposed_to_rounding)
{
	checkEveryKind(kernel_eigen, 23, kindSymmetric, checkEigen);
}

TEST(diagonal_matrices_are_left_alone)
{
	tableList tables = usableTables();
	for (int t = 0; t < tables.count; ++t)
	{
		double r[12];
		tables.at[t]->run(kernel_eigen, 1, (double[9]){2, 0, 0, 0, -7, 0, 0, 0, 2}, r);
		CHECK(r[0] == 2.0 && r[1] == -7.0 && r[2] == 2.0);
		for (int k = 0; k < 9; ++k)
			CHECK(r[3 + k] == (k % 4 == 0 ? 1.0 : 0.0));
	}
}

TEST(only_the_upper_triangle_is_read)
{
	tableList tables = usableTables();
	for (int t = 0; t < tables.count; ++t)
	{
		double a[12], b[12];
		tables.at[t]->run(kernel_eigen, 1, (double[9]){2, 3, 5, 3, 7, 11, 5, 11, 13}, a);
		tables.at[t]->run(kernel_eigen, 1, (double[9]){2, 3, 5, 17, 7, 11, 19, 23, 13}, b);
		CHECK(memcmp(a, b, sizeof a) == 0);
	}
}

// ---- clamping --------------------------------------------------------------------------------------------------

// What clamping should give: Q diag(max(w, least)) Q' with Jacobi in long double until nothing is left
static void referenceClamp(const double A[9], double least, double result[9])
{
	long double B[3][3], Q[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	for (int k = 0; k < 9; ++k)
		B[k / 3][k % 3] = A[k];
	for (int sweep = 0; sweep < 20; ++sweep)
		for (int n = 0; n < 3; ++n)
		{
			int p = n == 2, q = n == 0 ? 1 : 2;
			if (B[p][q] == 0.0L)
				continue;
			long double zeta = (B[q][q] - B[p][p]) / (2.0L * B[p][q]);
			long double tangent = (zeta < 0.0L ? -1.0L : 1.0L) / (fabsl(zeta) + sqrtl(1.0L + zeta * zeta));
			long double c = 1.0L / sqrtl(1.0L + tangent * tangent), s = tangent * c;
			for (int i = 0; i < 3; ++i) // B J and Q J
			{
				long double x = B[i][p], y = B[i][q], u = Q[i][p], v = Q[i][q];
				B[i][p] = c * x - s * y;
				B[i][q] = s * x + c * y;
				Q[i][p] = c * u - s * v;
				Q[i][q] = s * u + c * v;
			}
			for (int i = 0; i < 3; ++i) // J' B
			{
				long double x = B[p][i], y = B[q][i];
				B[p][i] = c * x - s * y;
				B[q][i] = s * x + c * y;
			}
		}
	for (int k = 0; k < 9; ++k)
	{
		long double sum = 0.0L;
		for (int m = 0; m < 3; ++m)
			sum += Q[k / 3][m] * fmaxl(B[m][m], least) * Q[k % 3][m];
		result[k] = (double)sum;
	}
}

TEST(eigenvalues_below_the_floor_are_raised_to_it)
{
	tableList tables = usableTables();
	for (int t = 0; t < tables.count; ++t)
		for (int kind = 0; kind < kind_tiny; ++kind)
		{
			uint64_t seed = 71 + (uint64_t)kind;
			for (int i = 0; i < KERNEL_CASES / 20; ++i)
			{
				double in[10], out[9], want[9], eps = tableEpsilon(tables.at[t]);
				kindSymmetric(kind, tables.at[t], &seed, in);
				in[9] = i % 2 ? 0.0 : rounded(tables.at[t], 0.3 * testRandom(&seed));
				tables.at[t]->run(kernel_clamp, 1, in, out);
				referenceClamp(in, in[9], want);
				for (int k = 0; k < 9; ++k)
				{
					CHECK_NEAR(out[k], want[k], residualLimit * eps * fmax(largestEntry(in), fabs(in[9])));
					CHECK(out[k] == out[3 * (k % 3) + k / 3]);
				}
			}
		}
}

TEST(nothing_below_the_floor_leaves_every_bit)
{
	tableList tables = usableTables();
	for (int t = 0; t < tables.count; ++t)
	{
		uint64_t seed = 7;
		for (int i = 0; i < 2000; ++i)
		{
			double in[10], out[9];
			kindSymmetric(i % 2 ? kind_nearRest : kind_nearlyRepeated, tables.at[t], &seed, in);
			in[9] = i % 2 ? 0.85 : -1.5;
			tables.at[t]->run(kernel_clamp, 1, in, out);
			CHECK(memcmp(in, out, sizeof out) == 0);
		}
		double exactly[10] = {1, -0.0, 0, 0, 2, -0.0, -0.0, 0, 3, 1}, out[9];
		tables.at[t]->run(kernel_clamp, 1, exactly, out);
		CHECK(memcmp(exactly, out, sizeof out) == 0);
		double singular[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, -1}, zero[10] = {0};
		tables.at[t]->run(kernel_clamp, 1, singular, out);
		CHECK(memcmp(singular, out, sizeof out) == 0);
		tables.at[t]->run(kernel_clamp, 1, zero, out);
		CHECK(memcmp(zero, out, sizeof out) == 0);
	}
}

TEST(not_a_number_is_not_hidden)
{
	tableList tables = usableTables();
	for (int t = 0; t < tables.count; ++t)
		for (int k = 0; k < 6; ++k)
		{
			static const int upper[6] = {0, 1, 2, 4, 5, 8};
			double in[10] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0}, r[12], out[9];
			in[upper[k]] = NAN;
			tables.at[t]->run(kernel_eigen, 1, in, r);
			CHECK(isnan(r[0]) || isnan(r[1]) || isnan(r[2]));
			tables.at[t]->run(kernel_clamp, 1, in, out);
			CHECK(isnan(out[upper[k]]));
		}
}
