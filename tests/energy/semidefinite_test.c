// semidefinite_test.c: eigenvalues of symmetric matrices of any size, and the raising of negative ones
#include "energy/semidefinite.h"
#include "test.h"

enum
{
	mostRows = 24
};

static void randomMatrix(double* A, size_t n, uint64_t* seed)
{
	for (size_t i = 0; i < n; ++i)
		for (size_t j = 0; j <= i; ++j)
			A[n * i + j] = A[n * j + i] = testRandom(seed);
}

TEST(a_matrix_is_put_together_again_from_its_eigenvectors)
{
	uint64_t seed = 2;
	for (size_t n = 1; n <= mostRows; ++n)
		for (int power = -300; power <= 300; power += 150)
		{
			WITH("%zu rows, entries of 1e%d", n, power);
			double A[mostRows * mostRows], D[mostRows * mostRows], Q[mostRows * mostRows], size = pow(10.0, power);
			randomMatrix(A, n, &seed);
			for (size_t k = 0; k < n * n; ++k)
				D[k] = A[k] *= size;
			plEigen(D, Q, n);
			for (size_t i = 0; i < n; ++i)
				for (size_t j = 0; j < n; ++j)
				{
					double sum = 0.0, product = 0.0;
					for (size_t k = 0; k < n; ++k)
					{
						sum += Q[n * i + k] * (D[n * k + k] / size) * Q[n * j + k];
						product += Q[n * k + i] * Q[n * k + j];
					}
					CHECK_NEAR(sum, A[n * i + j] / size, 1e-14 * (double)n);
					CHECK_NEAR(product, i == j ? 1.0 : 0.0, 1e-14 * (double)n);
				}
		}
}

TEST(negative_eigenvalues_become_zero_and_the_others_stay)
{
	uint64_t seed = 9;
	for (size_t n = 1; n <= mostRows; ++n)
	{
		WITH("%zu rows", n);
		double A[mostRows * mostRows], P[mostRows * mostRows], D[mostRows * mostRows], Q[mostRows * mostRows];
		double work[2 * mostRows * mostRows];
		randomMatrix(A, n, &seed);
		memcpy(P, A, n * n * sizeof *P);
		memcpy(D, A, sizeof D);
		plMakeSemidefinite(P, n, work);
		plEigen(D, Q, n);
		for (size_t k = 0; k < n; ++k) // P q = max(0, w) q
			for (size_t i = 0; i < n; ++i)
			{
				double sum = 0.0;
				for (size_t j = 0; j < n; ++j)
					sum += P[n * i + j] * Q[n * j + k];
				CHECK_NEAR(sum, fmax(0.0, D[(n + 1) * k]) * Q[n * i + k], 1e-13 * (double)n);
			}
	}
}

TEST(a_semidefinite_matrix_keeps_its_bits)
{
	uint64_t seed = 4;
	for (size_t n = 1; n <= mostRows; ++n)
	{
		double A[mostRows * mostRows], P[mostRows * mostRows], v[2][mostRows], work[2 * mostRows * mostRows];
		for (size_t i = 0; i < n; ++i)
		{
			v[0][i] = testRandom(&seed);
			v[1][i] = testRandom(&seed);
		}
		for (size_t i = 0; i < n; ++i) // of rank two, as an element's is that may move freely
			for (size_t j = 0; j < n; ++j)
				A[n * i + j] = v[0][i] * v[0][j] + v[1][i] * v[1][j];
		memcpy(P, A, n * n * sizeof *P);
		plMakeSemidefinite(P, n, work);
		CHECK(memcmp(P, A, n * n * sizeof *P) == 0);
	}
}

TEST(what_is_not_finite_ends_and_stays_so)
{
	double A[9] = {1.0, 2.0, 3.0, 2.0, NAN, 1.0, 3.0, 1.0, -4.0}, work[18];
	plMakeSemidefinite(A, 3, work);
	CHECK(isnan(A[4]) && A[8] == -4.0);
	double B[9] = {0.0};
	plMakeSemidefinite(B, 3, work);
	plEigen(B, NULL, 3);
	CHECK(B[0] == 0.0 && B[4] == 0.0);
	double C[4] = {1.0, INFINITY, INFINITY, 1.0};
	plEigen(C, NULL, 2);
	CHECK(isinf(C[1]));
}
