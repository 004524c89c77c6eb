// grow.h: arrays that grow
//
//   T* items = NULL;  size_t count = 0, capacity = 0;
//   if (!plGrow(&items, &capacity, sizeof *items, count + 1)) ...   items[count++] = item;
#ifndef PL_IO_GROW_H
#define PL_IO_GROW_H

#include <stdbool.h>
#include <stddef.h>

// Room for `wanted` items; `items` is the address of the pointer to them. Grows by half at least, so that adding n
// items one by one copies less than 3 n. False: no memory, and nothing has changed.
bool plGrow(void* items, size_t* capacity, size_t itemSize, size_t wanted);

#endif
