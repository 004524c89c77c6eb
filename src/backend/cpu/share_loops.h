// share_loops.h: what the elements of a patch give to each of its vertices, added up in the order of the table
//
// Included by tet_lanes.c. Sums of float forces are float: their rounding is small beside that of the stresses, which
// is relative to the modulus and not to the force.
#ifndef PL_SHARE_LOOPS_H
#define PL_SHARE_LOOPS_H

#include "../../energy/patches.h"

// x y z and 0
static void shareForces(const plPatches* patches, size_t patch, const void* forces, void* shares)
{
	const scalar* force = forces;
	for (size_t s = patches->shareStart[patch]; s < patches->shareStart[patch + 1]; ++s)
	{
		scalar x = 0, y = 0, z = 0;
		for (size_t c = patches->cornerStart[s]; c < patches->cornerStart[s + 1]; ++c)
		{
			const scalar* f = force + patches->corner[c];
			x += f[0];
			y += f[pl_batchSize];
			z += f[2 * pl_batchSize];
		}
		scalar* share = (scalar*)shares + 4 * s;
		share[0] = x;
		share[1] = y;
		share[2] = z;
		share[3] = 0;
	}
}

// x y z and the sum of the lengths
static void shareLengths(const plPatches* patches, size_t patch, const void* forces, void* shares)
{
	const scalar* force = forces;
	shareForces(patches, patch, forces, shares);
	for (size_t s = patches->shareStart[patch]; s < patches->shareStart[patch + 1]; ++s)
	{
		double length = 0.0;
		for (size_t c = patches->cornerStart[s]; c < patches->cornerStart[s + 1]; ++c)
		{
			const scalar* f = force + patches->corner[c];
			double x = f[0], y = f[pl_batchSize], z = f[2 * pl_batchSize];
			length += __builtin_sqrt(x * x + y * y + z * z);
		}
		((scalar*)shares)[4 * s + 3] = (scalar)length;
	}
}

// xx yy zz xy xz yz. The blocks of a corner start at 192 b + 48 c + l, its forces at 96 b + 24 c + l.
static void shareDiagonal(const plPatches* patches, size_t patch, const void* blocks, void* shares)
{
	for (size_t s = patches->shareStart[patch]; s < patches->shareStart[patch + 1]; ++s)
	{
		scalar* share = (scalar*)shares + 6 * s;
		for (int k = 0; k < 6; ++k)
			share[k] = 0;
		for (size_t c = patches->cornerStart[s]; c < patches->cornerStart[s + 1]; ++c)
		{
			size_t at = patches->corner[c], lane = at % pl_batchSize;
			const scalar* block = (const scalar*)blocks + 2 * (at - lane) + lane;
			for (int k = 0; k < 6; ++k)
				share[k] += block[pl_batchSize * k];
		}
	}
}

#endif
