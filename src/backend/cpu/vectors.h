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

#endif
