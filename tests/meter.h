// meter.h: an allocator that counts what is out and fails at the k-th allocation
#ifndef PL_TEST_METER_H
#define PL_TEST_METER_H

#include "pliant/base.h"

#include <stdlib.h>

typedef struct Meter
{
	size_t made, failAt, live;
} Meter;

static void* meterAllocate(size_t bytes, void* context)
{
	Meter* meter = context;
	if (++meter->made == meter->failAt)
		return NULL;
	meter->live++;
	return aligned_alloc(64, (bytes + 63) & ~(size_t)63);
}

static void meterRelease(void* memory, size_t bytes, void* context)
{
	(void)bytes;
	((Meter*)context)->live--;
	free(memory);
}

static plAllocator meterHook(Meter* meter)
{
	return (plAllocator){meterAllocate, meterRelease, meter};
}

#endif
