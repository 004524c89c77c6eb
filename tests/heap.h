// heap.h: the heap of a test program
#ifndef PL_TEST_HEAP_H
#define PL_TEST_HEAP_H

#include "base/base.h"
#include "test.h"

static plHeap heap;

BEFORE_ALL(make_the_heap)
{
	plHeap_Init(&heap, NULL);
}

#endif
