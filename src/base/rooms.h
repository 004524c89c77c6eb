// rooms.h: memory that the threads of a parallel loop borrow, range by range
//
// There are as many rooms as threads, so one is always free. Chance decides which room a range gets, and what others
// left in it: nothing may depend on that.
#ifndef PL_SRC_ROOMS_H
#define PL_SRC_ROOMS_H

#include "base.h"

#include <stdatomic.h>

typedef struct plRooms
{
	size_t count;
	size_t length;     // doubles of a room
	double* memory;    // [count length]
	atomic_bool* busy; // [count]
} plRooms;

// False: no memory, and there are no rooms. They may be without length.
bool plRooms_Create(plRooms* rooms, size_t length, const plPool* pool, plHeap* heap);
void plRooms_Destroy(plRooms* rooms, plHeap* heap);

double* plRooms_Enter(const plRooms* rooms); // aligned to 64 bytes
void plRooms_Leave(const plRooms* rooms, const double* room);

#endif
