// samples.h: what plWorld_Compare tells, kept in a list that grows
#ifndef PL_APP_SAMPLES_H
#define PL_APP_SAMPLES_H

#include "pliant/compare.h"

typedef struct plSampleList
{
	plCompareSample* samples;
	size_t count, capacity;
	bool noMemory; // some are missing
} plSampleList;

void plSampleList_Add(plSampleList* list, const plCompareSample* sample);

#endif
