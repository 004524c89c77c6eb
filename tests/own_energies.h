// own_energies.h: three energies as a user of the library writes them: springs, a well of one corner, a form of many
#ifndef PL_TEST_OWN_ENERGIES_H
#define PL_TEST_OWN_ENERGIES_H

#include "pliant/pliant.h"

#include <math.h>

// ---- springs: k/2 (l - L)^2 -----------------------------------------------------------------------------------------

typedef struct OwnSprings
{
	double k;
	const double* rest; // [elements] L
} OwnSprings;

static inline void ownSpring(size_t first, size_t count, const double* x, double* value, double* gradient,
                             double* hessian, void* context)
{
	const OwnSprings* springs = context;
	for (size_t e = 0; e < count; ++e, x += 6)
	{
		double d[3] = {x[0] - x[3], x[1] - x[4], x[2] - x[5]};
		double l = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), L = springs->rest[first + e], k = springs->k;
		if (value != NULL)
			value[e] = 0.5 * k * (l - L) * (l - L);
		for (size_t i = 0; gradient != NULL && i < 6; ++i)
			gradient[6 * e + i] = (i < 3 ? k : -k) * (l - L) * (d[i % 3] / l);
		for (size_t i = 0; hessian != NULL && i < 6; ++i)
			for (size_t j = 0; j < 6; ++j)
			{
				double n = d[i % 3] / l * (d[j % 3] / l), same = i % 3 == j % 3 ? 1.0 : 0.0;
				hessian[36 * e + 6 * i + j] = (i / 3 == j / 3 ? k : -k) * (n + (1.0 - L / l) * (same - n));
			}
	}
}

// ---- a well: -A / (1 + |x - p|^2/R^2), below 0 everywhere, not convex farther out -----------------------------------

typedef struct OwnWell
{
	double A, R, p[3];
} OwnWell;

static inline void ownWell(size_t first, size_t count, const double* x, double* value, double* gradient,
                           double* hessian, void* context)
{
	const OwnWell* well = context;
	(void)first;
	for (size_t e = 0; e < count; ++e, x += 3)
	{
		double d[3] = {x[0] - well->p[0], x[1] - well->p[1], x[2] - well->p[2]}, R2 = well->R * well->R;
		double s = 1.0 / (1.0 + (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / R2);
		if (value != NULL)
			value[e] = -well->A * s;
		for (size_t i = 0; gradient != NULL && i < 3; ++i)
			gradient[3 * e + i] = 2.0 * well->A / R2 * s * s * d[i];
		for (size_t i = 0; hessian != NULL && i < 9; ++i)
			hessian[9 * e + i] =
			    2.0 * well->A / R2 * s * s * ((i % 4 == 0 ? 1.0 : 0.0) - 4.0 / R2 * s * d[i / 3] * d[i % 3]);
	}
}

// ---- a hinge, or any form: k/4 (|s|^2 - L^2)^2, s = sum of w_c x_c --------------------------------------------------

enum
{
	ownCorners = 8 // at most
};

typedef struct OwnForm
{
	size_t corners;
	double w[ownCorners];
	double k, L;
} OwnForm;

static inline void ownForm(size_t first, size_t count, const double* x, double* value, double* gradient,
                           double* hessian, void* context)
{
	const OwnForm* form = context;
	size_t n = 3 * form->corners;
	(void)first;
	for (size_t e = 0; e < count; ++e, x += n)
	{
		double s[3] = {0.0, 0.0, 0.0};
		for (size_t i = 0; i < n; ++i)
			s[i % 3] += form->w[i / 3] * x[i];
		double excess = s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - form->L * form->L;
		if (value != NULL)
			value[e] = 0.25 * form->k * excess * excess;
		for (size_t i = 0; gradient != NULL && i < n; ++i)
			gradient[n * e + i] = form->k * excess * form->w[i / 3] * s[i % 3];
		for (size_t i = 0; hessian != NULL && i < n; ++i)
			for (size_t j = 0; j < n; ++j)
				hessian[n * n * e + n * i + j] = form->k * form->w[i / 3] * form->w[j / 3] *
				                                 ((i % 3 == j % 3 ? excess : 0.0) + 2.0 * s[i % 3] * s[j % 3]);
	}
}

// A hinge: the middle of an edge against that of its two wings.
static inline OwnForm ownHinge(double k, double L)
{
	return (OwnForm){.corners = 4, .w = {0.5, 0.5, -0.5, -0.5}, .k = k, .L = L};
}

#endif
