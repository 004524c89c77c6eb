// items.c: elements by matter, then along the vertices, then as the caller has them
#include "items.h"

#include <stdlib.h>

static int compareItems(const void* a, const void* b)
{
	const plItem *x = a, *y = b;
	if (x->matter != y->matter)
		return x->matter < y->matter ? -1 : 1;
	if (x->vertex != y->vertex)
		return x->vertex < y->vertex ? -1 : 1;
	return x->element < y->element ? -1 : x->element > y->element;
}

void plSortItems(plItem* items, size_t count)
{
	qsort(items, count, sizeof *items, compareItems);
}
