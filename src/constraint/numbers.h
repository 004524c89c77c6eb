// numbers.h: rows of eight numbers, float or double, as hosts write and read them; kernels do by rows.h
#ifndef PL_NUMBERS_H
#define PL_NUMBERS_H

#include "../base/base.h"

enum
{
	pl_groupLanes = 8
};

// Loops with these are compiled once for each precision.
#define PL_INLINE static inline __attribute__((always_inline))

PL_INLINE void plNumbers_Put(bool isFloat, void* numbers, size_t place, double value)
{
	if (isFloat)
		((float*)numbers)[place] = (float)value;
	else
		((double*)numbers)[place] = value;
}

PL_INLINE double plNumbers_Get(bool isFloat, const void* numbers, size_t place)
{
	return isFloat ? (double)((const float*)numbers)[place] : ((const double*)numbers)[place];
}

// Of one lane, to `count` rows.
PL_INLINE void plNumbers_PutRows(bool isFloat, void* numbers, size_t row, size_t lane, const double* values,
                                 size_t count)
{
	for (size_t i = 0; i < count; ++i)
		plNumbers_Put(isFloat, numbers, pl_groupLanes * (row + i) + lane, values[i]);
}

#endif
