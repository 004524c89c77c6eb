// events.h: who pushed whom and who was in a sensor, from step to step, and the events that follow from it
#ifndef PL_EVENTS_H
#define PL_EVENTS_H

#include "pliant/pliant.h"
#include "../base/base.h"

// Two shapes: the one in the lower slot first, or a sensor and its visitor.
typedef struct plTouchPair
{
	plShapeId a, b;
} plTouchPair;

// Ascending by the lower slot, then the higher one.
typedef struct plTouchPairs
{
	plTouchPair* at;
	size_t count, room;
} plTouchPairs;

// Two shapes that push in a substep, and did not in the last step.
typedef struct plTouchBegin
{
	plContactEvent event;
	uint32_t order; // in which they were found
	uint32_t kept;  // what is kept of the contact that pushes most,
	uint32_t point; // and its point
} plTouchBegin;

typedef struct plTouchEvents
{
	double hitSpeed;
	plTouchPairs pushed, sensed; // after the last step: part of the state
	plTouchPairs pushing;        // in this step so far
	plTouchPairs sensing, merged;
	plTouchBegin* found;                       // in this step so far
	size_t foundCount, foundRoom, placedCount; // those before have their places
	plContactEvent *begin, *end, *hit;         // of the last step, as all that follows
	size_t beginCount, beginRoom, endCount, endRoom, hitCount, hitRoom;
	plSensorEvent *enter, *leave;
	size_t enterCount, enterRoom, leaveCount, leaveRoom;
} plTouchEvents;

void plTouchEvents_Init(plTouchEvents* events);
void plTouchEvents_Destroy(plTouchEvents* events, plHeap* heap);
int plTouchPair_Compare(const plTouchPair* x, const plTouchPair* y); // below 0: x comes first

// In a step: at its start; when contacts of a substep are made, false: no memory; when they are solved and bodies have
// not moved yet; when they have; when the step is taken
void plWorld_BeginEvents(plWorld* world);
bool plWorld_ReserveEvents(plWorld* world);
void plWorld_GatherEvents(plWorld* world);
void plWorld_PlaceEvents(plWorld* world);
void plWorld_FinishEvents(plWorld* world);
void plWorld_ForgetEvents(plWorld* world); // a state was loaded

// events_state.c: who pushed and who was in a sensor, in saved states
size_t plWorld_GetPairBytes(size_t count);
void plWorld_SavePairs(const plWorld* world, const plTouchPairs* pairs, char* out);
plResult plWorld_CheckPairs(const plWorld* world, const char* in, size_t count, plError* error);
bool plWorld_ReservePairs(plWorld* world, plTouchPairs* pairs, size_t count); // false: no memory
void plWorld_LoadPairs(plWorld* world, plTouchPairs* pairs, const char* in, size_t count);

#endif
