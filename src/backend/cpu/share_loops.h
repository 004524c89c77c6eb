// share_loops.h: adds what the elements of a patch give to its vertices, element by element, to the patch's shares
//
// Included by patch_lanes.c. The shares of a patch are few hundred numbers: they stay in the nearest cache. Every
// corner is one addition of four numbers, in the order of the elements whatever the width, so the bits are the same.
// Sums of float forces are float: their rounding is small beside that of the stresses, which is relative to the modulus
// and not to the force.
#ifndef PL_SHARE_LOOPS_H
#define PL_SHARE_LOOPS_H

#include "descend_loops.h"

#if PL_LANES > 1 && defined(__AVX2__)

KERNEL void addFour(scalar* share, fourth f)
{
	fourth a;
	memcpy(&a, share, sizeof a);
	a += f;
	memcpy(share, &a, sizeof a);
}

// x y z of PL_LANES corners: one vector x y z 0 for each.
KERNEL void addLanes(scalar* shares, const uint16_t* share, real x, real y, real z)
{
	const real zero = SPLAT(0);
#if PL_LANES == 8
	real xy[2] = {SHUFFLE(x, y, 0, 8, 1, 9, 4, 12, 5, 13), SHUFFLE(x, y, 2, 10, 3, 11, 6, 14, 7, 15)};
	real z0[2] = {SHUFFLE(z, zero, 0, 8, 1, 9, 4, 12, 5, 13), SHUFFLE(z, zero, 2, 10, 3, 11, 6, 14, 7, 15)};
	real r[4]; // r[l]: corners l and l + 4
	for (int h = 0; h < 2; ++h)
	{
		r[2 * h] = SHUFFLE(xy[h], z0[h], 0, 1, 8, 9, 4, 5, 12, 13);
		r[2 * h + 1] = SHUFFLE(xy[h], z0[h], 2, 3, 10, 11, 6, 7, 14, 15);
	}
	for (int l = 0; l < 4; ++l)
		addFour(shares + share[l], SHUFFLE(r[l], r[l], 0, 1, 2, 3));
	for (int l = 0; l < 4; ++l)
		addFour(shares + share[l + 4], SHUFFLE(r[l], r[l], 4, 5, 6, 7));
#else
	real xy[2] = {SHUFFLE(x, y, 0, 4, 2, 6), SHUFFLE(x, y, 1, 5, 3, 7)};
	real z0[2] = {SHUFFLE(z, zero, 0, 4, 2, 6), SHUFFLE(z, zero, 1, 5, 3, 7)};
	addFour(shares + share[0], SHUFFLE(xy[0], z0[0], 0, 1, 4, 5));
	addFour(shares + share[1], SHUFFLE(xy[1], z0[1], 0, 1, 4, 5));
	addFour(shares + share[2], SHUFFLE(xy[0], z0[0], 2, 3, 6, 7));
	addFour(shares + share[3], SHUFFLE(xy[1], z0[1], 2, 3, 6, 7));
#endif
}

#else

KERNEL void addLanes(scalar* shares, const uint16_t* share, real x, real y, real z)
{
	for (int l = 0; l < PL_LANES; ++l)
	{
		scalar* to = shares + share[l];
		to[0] += LANE(x, l);
		to[1] += LANE(y, l);
		to[2] += LANE(z, l);
	}
}

#endif

// x y z and 0
static void shareForces(const plPatchView* patch, const void* forces, void* shares)
{
	scalar* to = (scalar*)shares + 4 * patch->firstShare;
	memset(to, 0, 4 * patch->shareCount * sizeof *to);
	for (size_t row = 0; row < patch->rowCount; ++row)
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
		{
			const scalar* f = (const scalar*)forces + 3 * pl_batchSize * row + lane;
			addLanes(to, patch->corner + pl_batchSize * row + lane, loadReal(f), loadReal(f + pl_batchSize),
			         loadReal(f + 2 * pl_batchSize));
		}
}

// x y z and the sum of the lengths
static void shareLengths(const plPatchView* patch, const void* forces, void* shares)
{
	shareForces(patch, forces, shares);
	scalar* to = (scalar*)shares + 4 * patch->firstShare;
	for (size_t row = 0; row < patch->rowCount; ++row)
		for (size_t l = 0; l < pl_batchSize; ++l)
		{
			const scalar* f = (const scalar*)forces + 3 * pl_batchSize * row + l;
			double x = f[0], y = f[pl_batchSize], z = f[2 * pl_batchSize];
			to[patch->corner[pl_batchSize * row + l] + 3] += (scalar)__builtin_sqrt(x * x + y * y + z * z);
		}
}

// xx yy zz xy xz yz
static void shareDiagonal(const plPatchView* patch, const void* blocks, void* shares)
{
	scalar* to = (scalar*)shares + 6 * patch->firstShare;
	memset(to, 0, 6 * patch->shareCount * sizeof *to);
	for (size_t row = 0; row < patch->rowCount; ++row)
		for (size_t l = 0; l < pl_batchSize; ++l)
			for (size_t k = 0; k < 6; ++k)
				to[6 * (patch->corner[pl_batchSize * row + l] / 4) + k] +=
				    ((const scalar*)blocks)[6 * pl_batchSize * row + pl_batchSize * k + l];
}

#endif
