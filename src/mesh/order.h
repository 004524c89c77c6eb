// order.h: an order of vertices in which neighbours in space are mostly neighbours in memory; sorting of indices
#ifndef PL_MESH_ORDER_H
#define PL_MESH_ORDER_H

#include "../base/base.h"

// order[k] is the vertex at place k along a Hilbert curve through the bounding cube; ties by index.
// xyz: 3 n, finite. order: n. n fits 32 bits. pl_errorMemory or pl_success.
plResult plOrderVertices(const double* xyz, size_t n, uint32_t* order, plHeap* heap);

// Sorts ascending; scratch has room for `count` items.
void plSortIndices(uint32_t* items, size_t count, uint32_t* scratch);

#endif
