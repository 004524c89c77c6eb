// place_loops.h: positions of a patch's vertices as whole numbers, for the kernels in float
//
//   fixed = (x - x_first) / unit, rounded to nearest,   unit = reach 2^-29,   -2^30 <= fixed < 2^30
//
// Included by patch_lanes.c. Adding 1.5 2^23 to a number t below 2 leaves the whole number 2^29 t in the last bits of
// the double, in two's complement. Doubles within 2 of 1.5 2^23, and no others, have bits within 2^30 of its bits: one
// test of all of them says whether they fit. `reach` is the patch's at rest; where elements are stretched beyond that,
// or share their patch with those of another span, the unit is found anew. The difference of two such numbers fits into
// 32 bits.
#ifndef PL_PLACE_LOOPS_H
#define PL_PLACE_LOOPS_H

#include "descend_loops.h"

#if PL_REAL_FLOAT

#ifdef __FMA__
#include <immintrin.h>
#endif

typedef int64_t xyz0Bits __attribute__((vector_size(32)));
typedef int32_t xyz0Halves __attribute__((vector_size(32)));
typedef int32_t xyz0Fixed __attribute__((vector_size(16)));

// Where the last 32 bits of a double stand
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LOW_HALF(k) (2 * (k) + 1)
#else
#define LOW_HALF(k) (2 * (k))
#endif

// 1.5 2^23 + (x - first) perReach: the product with a power of 2 is exact, so fused or not the bits are the same.
KERNEL void shiftXyz(xyz0* x, const xyz0* first, double perReach)
{
	const xyz0 shift = (xyz0){0.0, 0.0, 0.0, 0.0} + 0x1.8p23;
#ifdef __FMA__
	*x = (xyz0)_mm256_fmadd_pd((__m256d)(*x - *first), _mm256_set1_pd(perReach), (__m256d)shift);
#else
	*x = shift + (*x - *first) * perReach;
#endif
}

// True if all numbers fitted.
KERNEL bool placeVertices(const uint32_t* vertex, size_t count, const double* q, double reach, int32_t* fixed)
{
	const int64_t least = INT64_C(0x4168000000000000) - (INT64_C(1) << 30); // the bits of 1.5 2^23 less 2^30
	double perReach = 1.0 / reach;
	xyz0 first;
	xyz0Bits all = {0, 0, 0, 0};
	loadXyz(&first, q, vertex[0]);
	for (size_t i = 0; i < count; ++i)
	{
		xyz0 x;
		loadXyz(&x, q, vertex[i]);
		shiftXyz(&x, &first, perReach);
		all |= (xyz0Bits)x - least;
		xyz0Halves halves = (xyz0Halves)x;
		xyz0Fixed whole = __builtin_shufflevector(halves, halves, LOW_HALF(0), LOW_HALF(1), LOW_HALF(2), LOW_HALF(3));
		memcpy(fixed + 4 * i, &whole, sizeof whole);
	}
	return (uint64_t)(all[0] | all[1] | all[2] | all[3]) >> 31 == 0;
}

// Power of 2 above half of the largest difference from the first vertex, over the corners of some rows; NaN if one
// is not finite. What would round to twice that, counts as twice that: 2^22 is half a unit.
static __attribute__((noinline)) double findReach(const plPatchView* patch, size_t begin, size_t end, const double* q)
{
	const double* first = PL_AT(q, patch->vertex[0]);
	double most = 0x1p-80;
	bool isFinite = true;
	for (size_t c = pl_batchSize * begin; c < pl_batchSize * end; ++c)
	{
		const double* x = PL_AT(q, patch->vertex[patch->corner[c] / 4]);
		for (int k = 0; k < 3; ++k)
		{
			double d = __builtin_fabs(x[k] - first[k]);
			isFinite = isFinite && d < 0x1p1000;
			most = d > most ? d : most;
		}
	}
	int64_t bits;
	memcpy(&bits, &most, sizeof bits);
	bits = (bits + (INT64_C(1) << 22)) & INT64_C(0x7ff0000000000000);
	memcpy(&most, &bits, sizeof most);
	return isFinite ? most : REAL_NAN;
}

static double placePatch(const plPatchView* patch, size_t begin, size_t end, const double* q, int32_t* fixed)
{
	double reach = patch->reach;
	bool isWhole = end - begin == patch->rowCount;
	if (!isWhole || !placeVertices(patch->vertex, patch->shareCount, q, reach, fixed))
	{
		reach = findReach(patch, begin, end, q);
		placeVertices(patch->vertex, patch->shareCount, q, reach, fixed);
	}
	return reach * 0x1p-29;
}

#endif
#endif
