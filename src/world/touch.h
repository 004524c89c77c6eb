// touch.h: where rigid bodies touch each other: near pairs, manifolds, and contacts kept from step to step
#ifndef PL_TOUCH_H
#define PL_TOUCH_H

#include "../collide/broad.h"
#include "../collide/manifold.h"
#include "../constraint/contact.h"
#include "events.h"

// Two shapes that may touch; of a mesh, one of its triangles, and once manifolds are found, one direction it pushes in.
typedef struct plTouchPart
{
	uint32_t shapes[2]; // slots; a mesh or a plane is the second
	uint32_t triangle;
	uint32_t count; // points of its manifold
	double margin;
	// if it makes a contact
	uint32_t contact, meet; // among the contacts of the substep, and its first point among their meets
	uint32_t old, next;     // among what was kept, pl_nowhere: it was not there; among what is kept next
} plTouchPart;

enum
{
	pl_nowhere = UINT32_MAX
};

// What pairs ask of a shape in a substep.
typedef enum plTouchMark
{
	pl_markActive = 1, // its body may move
	pl_markMesh = 2,
	pl_markLast = 4, // a mesh or a plane: comes second in a pair
	pl_markSensor = 8,
	pl_markLeft = 16, // it has left its fat box
} plTouchMark;

// What contacts read of a body, side by side.
typedef struct plTouchBody
{
	double p[3], R[3][3]; // where the substep begins: centre of mass, turn of the frame
	double way[3];        // of the centre in free flight through the substep, m
	double turn[3];       // the same, rad
	uint32_t mover;       // among the movers; pl_noMover: it is static, kinematic, or asleep
} plTouchBody;

typedef struct plTouches
{
	plBroad broad;  // items are slots of shapes
	uint8_t* marks; // plTouchMark, by slots of shapes: all pairs look at them
	size_t markRoom;
	plTouchBody* bodies; // by slots of bodies; those of static ones stay
	size_t bodyRoom;
	plTouchPart* parts; // ascending by shapes and triangle
	size_t partCount, partRoom;
	plManifold* manifolds; // of one block of parts: the first is that of parts[blockStart]
	size_t blockStart, manifoldRoom;
	size_t* partStart; // [pairs + 1] of a pair
	size_t partStartRoom;

	plContacts contacts; // of this substep
	// Contacts, ascending by shapes and part: `kept` at the end of the last substep, `next` of this one, `start` when
	// the step began, to go back to.
	plContactKept *kept, *next, *start;
	size_t keptCount, keptRoom, nextCount, nextRoom, startCount, startRoom;
	size_t passed;  // of `kept`: those that come before the contacts that were made so far
	size_t carried; // of `kept`: those that stay as they are, as what touches sleeps
	bool hasStart;  // a substep of this step was finished, so that `kept` is no longer that of the start
	bool isIdle;    // nothing moves in this substep: `kept` stays as it is

	plFilterFcn* filter; // NULL: none
	void* filterContext;
	bool placed;        // boxes of the broad phase hold the shapes where they are now
	size_t sensorCount; // among the shapes
	plTouchEvents events;
} plTouches;

// The manifold of a part of the block
static inline plManifold* plTouches_GetManifold(const plTouches* touches, size_t part)
{
	return touches->manifolds + (part - touches->blockStart);
}

// Is one of its shapes a sensor, which makes no contacts?
static inline bool plTouches_Senses(const plTouches* touches, const plTouchPart* part)
{
	return ((touches->marks[part->shapes[0]] | touches->marks[part->shapes[1]]) & pl_markSensor) != 0;
}

struct plRigid;
struct plRigidShape;

void plTouches_Init(plTouches* touches, plHeap* heap);
void plTouches_Destroy(plTouches* touches);

// touch.c. A shape was made, or what it meets has changed; it is about to be destroyed; its body was put elsewhere: its
// contacts are forgotten
bool plWorld_ListShape(plWorld* world, uint32_t shape); // false: no memory
void plWorld_UnlistShape(plWorld* world, uint32_t shape);
void plWorld_PlaceShape(plWorld* world, uint32_t shape);
void plWorld_FindSite(const plWorld* world, uint32_t shape, plSite* site); // where it is now
void plWorld_PlaceBoxes(plWorld* world);                                   // for queries: see `placed`
void plWorld_WakeNear(plWorld* world, uint32_t shape);                     // what sleeps where it is now

// In a substep, after bodies were predicted: pairs, manifolds, contacts with their movers. pl_success or pl_errorMemory
plResult plWorld_CollideRigids(plWorld* world, double h, plError* error);
// touch_contacts.c. Contacts of a substep, block by block of parts whose manifolds are found. False: no memory
bool plWorld_BeginContacts(plWorld* world, double h);
bool plWorld_MakeContacts(plWorld* world, size_t begin, size_t end); // parts begin .. end-1
void plWorld_EndContacts(plWorld* world);
int plContactKept_Compare(const plContactKept* a, const plContactKept* b); // below 0: a comes first
void plWorld_FinishTouches(plWorld* world); // at the end of a substep: what is kept is that of this one
bool plWorld_KeepTouches(plWorld* world);   // at the start of a step; false: no memory
void plWorld_RestoreTouches(plWorld* world);
void plWorld_ReportTouches(const plWorld* world, plStepReport* report);

// touch_state.c: in saved states
size_t plWorld_GetTouchBytes(size_t count);
void plWorld_SaveTouches(const plWorld* world, char* out);
plResult plWorld_CheckTouches(const plWorld* world, const char* in, size_t count, plError* error);
bool plWorld_ReserveTouches(plWorld* world, size_t count);              // false: no memory
void plWorld_LoadTouches(plWorld* world, const char* in, size_t count); // there is room for them

#endif
