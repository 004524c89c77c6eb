// items.h: the order in which the elements of a body are laid out: by matter, then along the body's vertices
#ifndef PL_ITEMS_H
#define PL_ITEMS_H

#include "../base/base.h"

// An element on its way to its place
typedef struct plItem
{
	uint32_t matter;
	uint32_t vertex;  // smallest internal vertex
	uint32_t element; // the caller's
} plItem;

// Of an element whose corners are vertices as the caller names them
static inline plItem plItem_Make(uint32_t matter, size_t element, const uint32_t* corners, size_t cornerCount,
                                 const uint32_t* internalOf)
{
	uint32_t lowest = UINT32_MAX;
	for (size_t c = 0; c < cornerCount; ++c)
		lowest = internalOf[corners[c]] < lowest ? internalOf[corners[c]] : lowest;
	return (plItem){matter, lowest, (uint32_t)element};
}

void plSortItems(plItem* items, size_t count);

#endif
