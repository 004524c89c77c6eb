// descend_loops.h: one iteration of preconditioned descent on vertices, four numbers at a time
//
//   g = m/h^2 (q - y) - load + sum of shares,   t = q - alpha P^-1 g,   q <- previous + omega (t - previous)
//
// Included by patch_lanes.c. The operations of gradient, precondition, advance and extrapolate, in their order: the
// same bits. Held degrees of freedom have a zero in P^-1.
#ifndef PL_DESCEND_LOOPS_H
#define PL_DESCEND_LOOPS_H

#include "gather.h"
#include "../../energy/patches.h"

typedef double xyz0 __attribute__((vector_size(32)));
typedef scalar xyz0Share __attribute__((vector_size(4 * sizeof(scalar))));

// Through pointers: vectors wider than the instruction set are not passed by value.
KERNEL void loadXyz(xyz0* a, const double* p, size_t vertex)
{
	memcpy(a, PL_AT(p, vertex), sizeof *a);
}

KERNEL void sumOfShares(xyz0* total, const plPatches* patches, const scalar* shares, size_t vertex)
{
	*total = (xyz0){0.0, 0.0, 0.0, 0.0};
	for (size_t s = patches->vertexStart[vertex]; s < patches->vertexStart[vertex + 1]; ++s)
	{
		xyz0Share share;
		memcpy(&share, shares + 4 * (size_t)patches->vertexShare[s], sizeof share);
		*total += __builtin_convertvector(share, xyz0);
	}
}

static void descendRange(const plVertexDescent* descent, size_t begin, size_t end)
{
	double alpha = descent->alpha, omega = descent->omega;
	for (size_t i = begin; i < end; ++i)
	{
		double weight = descent->mass[i] * descent->perStep2;
		xyz0 total, q, y, inverse, was, load = {0.0, 0.0, 0.0, 0.0};
		sumOfShares(&total, descent->patches, descent->shares, i);
		loadXyz(&q, descent->q, i);
		loadXyz(&y, descent->y, i);
		if (descent->load != NULL)
			loadXyz(&load, descent->load, i);
		loadXyz(&inverse, descent->inverse, i);
		loadXyz(&was, descent->previous, i);
		xyz0 t = q - alpha * (inverse * (weight * (q - y) - load + total));
		if (omega != 1.0)
			t = was + omega * (t - was);
		memcpy(PL_AT(descent->previous, i), &q, sizeof q);
		memcpy(PL_AT(descent->q, i), &t, sizeof t);
	}
}

#endif
