// rows.h: how kernels of bodies read and write rows of eight numbers; a kernel works on as many lanes as it is wide
#ifndef PL_ROWS_H
#define PL_ROWS_H

#include "numbers.h"
#include "../kernel/wide.h"

KERNEL real load(const scalar* from)
{
	real a;
	memcpy(&a, from, sizeof a);
	return a;
}

KERNEL void store(scalar* to, real a)
{
	memcpy(to, &a, sizeof a);
}

KERNEL void loadRows(const scalar* from, int count, real* rows)
{
	for (int i = 0; i < count; ++i)
		rows[i] = load(from + pl_groupLanes * i);
}

KERNEL void storeRows(scalar* to, int count, const real* rows)
{
	for (int i = 0; i < count; ++i)
		store(to + pl_groupLanes * i, rows[i]);
}

#endif
