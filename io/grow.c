// grow.c: arrays that grow
#include "grow.h"

#include <stdlib.h>
#include <string.h>

enum
{
	fewest = 16
};

bool plGrow(void* items, size_t* capacity, size_t itemSize, size_t wanted)
{
	if (wanted <= *capacity)
		return true;
	size_t next = *capacity + *capacity / 2, bytes;
	next = next < fewest ? fewest : next;
	next = next < wanted ? wanted : next;
	void* old;
	memcpy(&old, items, sizeof old); // a T*, whatever T is
	void* grown = __builtin_mul_overflow(next, itemSize, &bytes) ? NULL : realloc(old, bytes);
	if (grown == NULL)
		return false;
	memcpy(items, &grown, sizeof grown);
	*capacity = next;
	return true;
}
