// semidefinite.c: eigenvalues of small symmetric matrices of any size, by cyclic Jacobi rotations
//
//   A <- J' A J,   J turns the axes p and q such that A_pq = 0:
//   t the smaller root of t^2 + 2 zeta t - 1 = 0,  zeta = (A_qq - A_pp) / (2 A_pq),  c = 1/sqrt(1 + t^2),  s = t c
//
// Sweeps go on until nothing beside the diagonal counts: six or so. kernel/eigen.h does the same for 3 x 3 matrices in
// vectors, always with four sweeps. Whether a matrix has a negative eigenvalue at all is asked first, by a Cholesky
// factorisation of H + 4 n u |H| I, u = 2^-53, which is cheaper: most are semidefinite as they are.
//
// [GVL] Golub and Van Loan, Matrix Computations, 4th edition, 2013, 8.5.
#include "semidefinite.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum
{
	mostSweeps = 40
};

// ---- eigenvalues ----------------------------------------------------------------------------------------------------

// Columns p and q, `stride` apart from row to row, become c a_p - s a_q and s a_p + c a_q.
static void rotate(double* a, double* b, size_t n, size_t stride, double c, double s)
{
	for (size_t i = 0; i < n; ++i)
	{
		double x = a[stride * i], y = b[stride * i];
		a[stride * i] = c * x - s * y;
		b[stride * i] = s * x + c * y;
	}
}

static void clearEntry(double* A, double* Q, size_t n, size_t p, size_t q)
{
	double entry = A[n * p + q], d = A[n * q + q] - A[n * p + p], g = 2.0 * entry;
	if (entry == 0.0)
		return;
	double t = (d < 0.0 ? -g : g) / (fabs(d) + fmax(sqrt(d * d + g * g), fabs(g)));
	double c = 1.0 / sqrt(1.0 + t * t), s = t * c, up = A[n * p + p] - t * entry, uq = A[n * q + q] + t * entry;
	rotate(A + p, A + q, n, n, c, s);
	rotate(A + n * p, A + n * q, n, 1, c, s);
	A[n * p + p] = up;
	A[n * q + q] = uq;
	A[n * p + q] = A[n * q + p] = 0.0;
	if (Q != NULL)
		rotate(Q + p, Q + q, n, n, c, s);
}

static double sumBeside(const double* A, size_t n)
{
	double sum = 0.0;
	for (size_t i = 0; i < n; ++i)
		for (size_t j = i + 1; j < n; ++j)
			sum += A[n * i + j] * A[n * i + j];
	return sum;
}

// The largest absolute value; NaN if there is one.
static double largestOf(const double* A, size_t count)
{
	double largest = 0.0;
	for (size_t k = 0; k < count; ++k)
		if (!(fabs(A[k]) <= largest))
		{
			largest = fabs(A[k]);
			if (isnan(largest))
				break;
		}
	return largest;
}

static bool isOrdinary(double size)
{
	return size > 0.0 && isfinite(size) && isfinite(1.0 / size);
}

static void scale(double* A, size_t count, double factor)
{
	for (size_t k = 0; k < count; ++k)
		A[k] *= factor;
}

// Entries are of size 1 meanwhile, so that no square leaves the range of a double.
void plEigen(double* A, double* Q, size_t n)
{
	double size = largestOf(A, n * n);
	for (size_t k = 0; Q != NULL && k < n * n; ++k)
		Q[k] = k % (n + 1) == 0 ? 1.0 : 0.0;
	if (!isOrdinary(size))
		return;
	scale(A, n * n, 1.0 / size);
	for (int sweep = 0; sweep < mostSweeps && sumBeside(A, n) > 1e-32; ++sweep)
		for (size_t p = 0; p < n; ++p)
			for (size_t q = p + 1; q < n; ++q)
				clearEntry(A, Q, n, p, q);
	scale(A, n * n, size);
}

// ---- projection -----------------------------------------------------------------------------------------------------

// Has H + shift I a Cholesky factor? C gets it.
static bool isDefinite(const double* H, size_t n, double shift, double* C)
{
	for (size_t j = 0; j < n; ++j)
		for (size_t i = j; i < n; ++i)
		{
			double sum = H[n * i + j] + (i == j ? shift : 0.0);
			for (size_t k = 0; k < j; ++k)
				sum -= C[n * i + k] * C[n * j + k];
			if (i == j && !(sum > 0.0))
				return false;
			C[n * i + j] = i == j ? sqrt(sum) : sum / C[n * j + j];
		}
	return true;
}

void plMakeSemidefinite(double* H, size_t n, double* work)
{
	double size = largestOf(H, n * n), *A = work, *Q = work + n * n;
	if (!isOrdinary(size))
		return;
	if (!isDefinite(H, n, 4.0 * (double)n * 0x1p-53 * size, work))
	{
		memcpy(A, H, n * n * sizeof(double));
		plEigen(A, Q, n);
		for (size_t k = 0; k < n; ++k)
			for (size_t i = 0; A[n * k + k] < 0.0 && i < n; ++i)
				for (size_t j = 0; j < n; ++j)
					H[n * i + j] -= A[n * k + k] * (Q[n * i + k] * Q[n * j + k]);
	}
	for (size_t i = 0; i < n; ++i) // of a semidefinite matrix only rounding makes them negative
		H[n * i + i] = fmax(H[n * i + i], 0.0);
}
