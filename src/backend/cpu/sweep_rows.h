// sweep_rows.h: loops over the rows of a sweep's group (energy/kernels.h), for any kind of element
#ifndef PL_SWEEP_ROWS_H
#define PL_SWEEP_ROWS_H

#include "gather.h"

// Runs the block after it for every row, with the row's number and its span.
#define FOR_SWEEP_ROWS(group)                                                                                          \
	for (size_t part = 0, row = 0; part < (group)->partCount; ++part)                                                  \
		for (const plSpan* span = (group)->spans + (group)->parts[part].span; span != NULL; span = NULL)               \
			for (size_t end = row + (group)->parts[part].rows; row < end; ++row)

KERNEL void clearSweepValues(double* value, double* noise)
{
	memset(value, 0, pl_batchSize * sizeof(double));
	memset(noise, 0, pl_batchSize * sizeof(double));
}

KERNEL void addSweepValues(real v, real n, double* value, double* noise)
{
	for (int l = 0; l < PL_LANES; ++l)
	{
		value[l] += (double)LANE(v, l);
		noise[l] += (double)LANE(n, l);
	}
}

#endif
