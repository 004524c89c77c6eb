// corner_sums.h: what the corners of all elements at a vertex add up to, in the fixed order of the gather tables
#ifndef PL_CPU_CORNER_SUMS_H
#define PL_CPU_CORNER_SUMS_H

#include "problem.h"

#include <math.h>

// Sum of the element forces on vertex i, and of their lengths.
static inline void gatherFloat(const plCpuProblem* p, size_t i, double total[3], double* lengths)
{
	const plTetEnergy* tets = p->tets;
	const float* force = p->force;
	for (size_t s = tets->gatherStart[i]; s < tets->gatherStart[i + 1]; ++s)
	{
		const float* f = force + tets->gather[s];
		double x = f[0], y = f[8], z = f[16];
		total[0] += x;
		total[1] += y;
		total[2] += z;
		if (lengths != NULL)
			*lengths += sqrt(x * x + y * y + z * z);
	}
}

static inline void gatherDouble(const plCpuProblem* p, size_t i, double total[3], double* lengths)
{
	const plTetEnergy* tets = p->tets;
	const double* force = p->force;
	for (size_t s = tets->gatherStart[i]; s < tets->gatherStart[i + 1]; ++s)
	{
		const double* f = force + tets->gather[s];
		total[0] += f[0];
		total[1] += f[8];
		total[2] += f[16];
		if (lengths != NULL)
			*lengths += sqrt(f[0] * f[0] + f[8] * f[8] + f[16] * f[16]);
	}
}

static inline void gatherTerms(const plCpuProblem* p, size_t i, double total[3], double* lengths)
{
	const plEnergySet* terms = p->terms;
	for (size_t s = terms->gatherStart[i]; s < terms->gatherStart[i + 1]; ++s)
	{
		const double* f = p->termForce + 3 * terms->gather[s];
		total[0] += f[0];
		total[1] += f[1];
		total[2] += f[2];
		if (lengths != NULL)
			*lengths += sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
	}
}

static inline void sumCorners(const plCpuProblem* p, size_t i, double total[3], double* lengths)
{
	if (p->kernels->isFloat)
		gatherFloat(p, i, total, lengths);
	else
		gatherDouble(p, i, total, lengths);
	if (p->terms->count > 0)
		gatherTerms(p, i, total, lengths);
}

#endif
