// stages.h: what loops over elements are asked for, and elements on their way from one short loop to the next
//
// Included by tet_lanes.c through the loops that it is made of.
#ifndef PL_STAGES_H
#define PL_STAGES_H

#include "element.h"

// One copy per combination of forces and values. Validating builds share one copy, so that the sanitizer instruments a
// third of the code.
#ifdef PLIANT_VALIDATE
#define PER_WISH static __attribute__((noinline))
#else
#define PER_WISH KERNEL
#endif

// What a loop is to give. Constants of its callers, where that matters.
typedef struct wishes
{
	bool forces, values;
} wishes;

// Where to
typedef struct answers
{
	scalar* force;
	double* value;
	double* noise;
} answers;

typedef struct batchSum
{
	double value, noise;
} batchSum;

KERNEL void addValues(batchSum* sum, noisyValue v)
{
	for (int l = 0; l < PL_LANES; ++l)
	{
		sum->value += (double)LANE(v.value, l);
		sum->noise += (double)LANE(v.noise, l);
	}
}

KERNEL batchSum loadSum(answers to, size_t batch)
{
	return (batchSum){to.value[batch], to.noise[batch]};
}

KERNEL void storeSum(answers to, size_t batch, batchSum sum)
{
	to.value[batch] = sum.value;
	to.noise[batch] = sum.noise;
}

enum
{
	stageBatches = 8, // so many go from stage to stage together
	stageSize = stageBatches * pl_batchSize,
};

// Of some elements F, det F or the law's root of it, and Ds in stored lengths where values are asked for:
// [entry][batch][lane]
typedef struct deformed
{
	scalar F[9][stageSize];
	scalar root[stageSize];
	scalar Ds[9][stageSize];
} deformed;

KERNEL void storeEntries(scalar (*out)[stageSize], size_t at, mat3 A)
{
	for (int k = 0; k < 9; ++k)
		storeReal(out[k] + at, A.a[k / 3][k % 3]);
}

KERNEL mat3 loadEntries(const scalar (*from)[stageSize], size_t at)
{
	mat3 A;
	for (int k = 0; k < 9; ++k)
		A.a[k / 3][k % 3] = loadReal(from[k] + at);
	return A;
}

#endif
