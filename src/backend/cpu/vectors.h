// vectors.h: the vector operations of the problem on arrays by quads
#ifndef PL_CPU_VECTORS_H
#define PL_CPU_VECTORS_H

#include "../../problem/problem.h"

static inline double* plPointArray(plPoint* q)
{
	return (double*)q;
}

static inline const double* plPointData(const plPoint* q)
{
	return (const double*)q;
}

static inline double* plTangentArray(plTangent* d)
{
	return (double*)d;
}

static inline const double* plTangentData(const plTangent* d)
{
	return (const double*)d;
}

// Along held axes a tangent is 0, and the fourth number of every quad is 0.
static inline void plTangent_Validate(const plProblem* p, const plTangent* tangent)
{
	for (size_t i = 0; i < plLayout_GetQuadCount(p->layout); ++i)
	{
		const double* d = PL_AT(plTangentData(tangent), i);
		for (size_t k = 0; k < 3; ++k)
			PL_VALIDATE(!((p->held[i] >> k) & 1) || d[k] == 0.0, "a tangent is 0 where pins hold");
		PL_VALIDATE(d[3] == 0.0, "the fourth number of a tangent is 0");
	}
}

#endif
