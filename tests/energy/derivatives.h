// derivatives.h: an energy against central differences of itself, element by element
#ifndef PL_TEST_DERIVATIVES_H
#define PL_TEST_DERIVATIVES_H

#include "energy/energy.h"
#include "test.h"

enum
{
	mostCorners = 8,
	mostRows = 3 * mostCorners
};

static inline double valueOf(const plEnergy* energy, const double* q, size_t e, double* noise)
{
	plEnergySum sum = {0.0, 0.0, 0.0};
	energy->verbs->value(energy, q, e, e + 1, &sum);
	if (noise != NULL)
		*noise = sum.noise;
	return sum.value;
}

// The element's Hessian as a full symmetric matrix, by corners.
static inline void denseHessian(const plEnergy* energy, const double* q, size_t e, bool projected,
                                double H[mostRows][mostRows])
{
	double blocks[9 * mostCorners * (mostCorners + 1) / 2];
	size_t n = energy->verbs->cornerCount;
	energy->verbs->hessian(energy, q, projected, e, e + 1, blocks);
	const double* block = blocks;
	for (size_t a = 0; a < n; ++a)
		for (size_t b = a; b < n; ++b, block += 9)
			for (size_t i = 0; i < 3; ++i)
				for (size_t j = 0; j < 3; ++j)
					H[3 * a + i][3 * b + j] = H[3 * b + j][3 * a + i] = block[3 * i + j];
}

static inline double largestEntry(double H[mostRows][mostRows], size_t rows)
{
	double m = 0.0;
	for (size_t r = 0; r < rows; ++r)
		for (size_t c = 0; c < rows; ++c)
			m = fmax(m, fabs(H[r][c]));
	return m;
}

// Is H + shift I positive definite?
static inline bool isDefinite(double H[mostRows][mostRows], size_t rows, double shift)
{
	double C[mostRows][mostRows];
	for (size_t j = 0; j < rows; ++j)
		for (size_t i = j; i < rows; ++i)
		{
			double s = H[i][j] + (i == j ? shift : 0.0);
			for (size_t k = 0; k < j; ++k)
				s -= C[i][k] * C[j][k];
			if (i == j && !(s > 0.0))
				return false;
			C[i][j] = i == j ? sqrt(s) : s / C[j][j];
		}
	return true;
}

// Forces against values, exact blocks against forces, curvature against blocks, for one element; h: the step (m).
static inline void checkDerivatives(const plEnergy* energy, double* q, size_t e, double h)
{
	size_t n = energy->verbs->cornerCount, rows = 3 * n;
	double f[mostRows], up[mostRows], down[mostRows], H[mostRows][mostRows], noise;
	energy->verbs->gradient(energy, q, e, e + 1, f);
	denseHessian(energy, q, e, false, H);
	valueOf(energy, q, e, &noise);
	double scale = largestEntry(H, rows) + 1e-12;
	for (size_t r = 0; r < rows; ++r)
	{
		double* x = q + 4 * (size_t)energy->vertices[n * e + r / 3] + r % 3;
		double kept = *x;
		*x = kept + h;
		double above = valueOf(energy, q, e, NULL);
		energy->verbs->gradient(energy, q, e, e + 1, up);
		*x = kept - h;
		double below = valueOf(energy, q, e, NULL);
		energy->verbs->gradient(energy, q, e, e + 1, down);
		*x = kept;
		CHECK_NEAR(f[r], (above - below) / (2.0 * h), 1e-8 * scale + noise / h);
		for (size_t c = 0; c < rows; ++c)
			CHECK_NEAR(H[r][c], (up[c] - down[c]) / (2.0 * h), 1e-7 * scale);
	}
	double d[4 * 64] = {0.0}, sum = 0.0;
	uint64_t seed = 3;
	for (size_t c = 0; c < n; ++c)
		for (size_t i = 0; i < 3; ++i)
			d[4 * (size_t)energy->vertices[n * e + c] + i] = testRandom(&seed);
	for (size_t r = 0; r < rows; ++r)
		for (size_t c = 0; c < rows; ++c)
			sum += H[r][c] * d[4 * (size_t)energy->vertices[n * e + r / 3] + r % 3] *
			       d[4 * (size_t)energy->vertices[n * e + c / 3] + c % 3];
	CHECK_NEAR(energy->verbs->curvature(energy, q, d, e, e + 1), sum, 1e-12 * scale);
}

// What an element gives to one corner: its force, and a block that is not below that of the projected Hessian.
static inline void checkVertex(const plEnergy* energy, const double* q, size_t e, double P[mostRows][mostRows])
{
	static const size_t row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
	double f[mostRows], work[mostRows + 9 * mostCorners * (mostCorners + 1) / 2];
	double scale = largestEntry(P, 3 * energy->verbs->cornerCount) + 1e-12;
	energy->verbs->gradient(energy, q, e, e + 1, f);
	for (size_t c = 0; c < energy->verbs->cornerCount; ++c)
	{
		double g[3] = {1.0, 2.0, 3.0}, H[6] = {0.0}, above[mostRows][mostRows];
		plEnergy_AddVertex(energy, q, e, c, g, H, work);
		for (size_t k = 0; k < 3; ++k)
			CHECK_NEAR(g[k] - (double)(k + 1), f[3 * c + k], 1e-14 * (4.0 + fabs(f[3 * c + k])));
		for (size_t k = 0; k < 6; ++k)
			above[row[k]][column[k]] = above[column[k]][row[k]] = H[k] - P[3 * c + row[k]][3 * c + column[k]];
		CHECK(isDefinite(above, 3, 1e-12 * scale));
	}
}

// The projected Hessian is semidefinite, and the exact one where that is.
static inline void checkProjection(const plEnergy* energy, const double* q, size_t e)
{
	size_t rows = 3 * energy->verbs->cornerCount;
	double H[mostRows][mostRows], P[mostRows][mostRows];
	denseHessian(energy, q, e, false, H);
	denseHessian(energy, q, e, true, P);
	double scale = largestEntry(H, rows);
	CHECK(isDefinite(P, rows, 1e-12 * scale));
	CALL(checkVertex(energy, q, e, P));
	if (!isDefinite(H, rows, 1e-13 * scale))
		return;
	for (size_t r = 0; r < rows; ++r)
		for (size_t c = 0; c < rows; ++c)
			CHECK_NEAR(P[r][c], H[r][c], 1e-12 * scale);
}

static inline void checkForcesAddToZero(const plEnergy* energy, const double* q, size_t e)
{
	size_t n = energy->verbs->cornerCount;
	double f[mostRows], sum[3] = {0.0, 0.0, 0.0}, size = 0.0;
	energy->verbs->gradient(energy, q, e, e + 1, f);
	for (size_t r = 0; r < 3 * n; ++r)
	{
		sum[r % 3] += f[r];
		size = fmax(size, fabs(f[r]));
	}
	for (int i = 0; i < 3; ++i)
		CHECK_NEAR(sum[i], 0.0, 1e-14 * size);
}

// x -> R x + t with R a rotation about an uneven axis by `angle`
static inline void moveRigidly(double* q, const double* from, size_t vertices, double angle)
{
	const double k[3] = {2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0}, t[3] = {0.3, -1.1, 0.7};
	double c = cos(angle), s = sin(angle);
	for (size_t v = 0; v < vertices; ++v)
	{
		const double* x = from + 4 * v;
		double along = (k[0] * x[0] + k[1] * x[1] + k[2] * x[2]) * (1.0 - c);
		for (int i = 0; i < 3; ++i)
		{
			double cross = k[(i + 1) % 3] * x[(i + 2) % 3] - k[(i + 2) % 3] * x[(i + 1) % 3];
			q[4 * v + (size_t)i] = x[i] * c + cross * s + k[i] * along + t[i];
		}
		q[4 * v + 3] = 0.0;
	}
}

#endif
