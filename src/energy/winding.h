// winding.h: how often the elements about an edge inside a mesh go round it
#ifndef PL_WINDING_H
#define PL_WINDING_H

#include "batches.h"

typedef struct plWindings
{
	const plBatches* tets; // not owned
	size_t edgeCount;      // inside the mesh
	size_t* start;         // [edgeCount + 1] into wedges
	uint32_t* wedges;      // 8 times the slot of an element, plus which of its six edges it is
	size_t capacity;       // of wedges; one less than that of start
} plWindings;

// `slot` of every element, in the order of the caller
plResult plWindings_Create(plWindings* windings, const plBatches* tets, const uint32_t* slot, size_t vertexCount,
                           plHeap* heap);
void plWindings_Destroy(plWindings* windings, plHeap* heap);

// Sets the marks of both ends of every edge whose elements do not go round once at q; true: there is one.
bool plWindings_Mark(const plWindings* windings, const double* q, uint8_t* marks);

#endif
