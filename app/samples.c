// samples.c: what plWorld_Compare tells, kept in a list that grows
#include "samples.h"

#include <stdlib.h>

void plSampleList_Add(plSampleList* list, const plCompareSample* sample)
{
	if (list->count == list->capacity)
	{
		size_t capacity = 2 * list->capacity + 256;
		plCompareSample* grown = realloc(list->samples, capacity * sizeof *grown);
		list->noMemory = list->noMemory || grown == NULL;
		if (grown == NULL)
			return;
		list->samples = grown;
		list->capacity = capacity;
	}
	list->samples[list->count++] = *sample;
}
