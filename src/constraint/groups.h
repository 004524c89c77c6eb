// groups.h: eight bodies of one colour side by side
//
// Bodies of a colour stand in groups of eight, those with most contacts first. A group has slots for faces: slot s
// holds the s-th contact of each of its bodies, those with most points first, and for each point a lever and the number
// of its record. A body with fewer contacts or points than its neighbours has empty slots, which name the group's own
// dummy record. Nothing is added up across lanes. So the width of the machine, and who stands beside whom, do not show
// in results.
//
// A record is eight numbers: u, kn, lambda, kt (kernel/meet.h); signs of kn and kt say whether it rests and sticks. Its
// multiplier is updated by the later of its two sides, right after that has moved: nobody reads it again in this sweep.
// That saves a pass over all records.
#ifndef PL_GROUPS_H
#define PL_GROUPS_H

#include "contact.h"
#include "numbers.h"

enum
{
	pl_recordNumbers = 8,
	// rows of eight numbers
	pl_groupZeta = 0,
	pl_groupMass = 6,    // over h^2, as the next
	pl_groupInertia = 7, // xx yy zz xy xz yz
	pl_groupFree = 13,   // 1: an axis is free, 0: it is locked
	pl_groupRows = 19,
	pl_faceNormal = 0,
	pl_faceFriction = 3,
	pl_faceSliding = 4,
	pl_faceMoment = 5,
	pl_faceSign = 6,  // sigma; 0: no contact
	pl_faceLater = 7, // 1: this side updates the multipliers
	pl_faceShare = 8, // 1 over its number of points
	pl_faceRows = 9,
	pl_pointRows = 3, // lever
};

typedef struct plGroup
{
	size_t body; // its first among `order`
	uint32_t bodyCount;
	uint32_t faceCount; // slots
	bool isLocked;      // some axis is
	bool isJoined;      // some body has joints, or meets vertices
	size_t face;        // its first slot among all
	size_t numbers;     // where its slots begin in `slots`: of each the face's rows, then those of its points
	size_t points;      // where they begin in `records`
} plGroup;

typedef struct plGroups
{
	plHeap* heap;
	bool isFloat;
	plContacts* contacts; // of the substep, not owned: joints and vertices are worked on one body at a time
	double fall;          // of one substep, m: what slips by no more rests
	uint32_t* order;      // [movers] by colour, then by contacts
	size_t orderRoom;
	plGroup* groups;
	size_t groupCount, groupRoom;
	size_t* colourStart; // [colours + 1] groups of a colour
	size_t colourStartRoom;
	uint8_t* pointCount; // [slots] points of a slot
	size_t slotCount, pointCountRoom;
	uint32_t* record; // [8 point slots] numbers of records
	size_t recordRoom;
	// numbers, float or double
	void* bodies; // [groups][pl_groupRows][8]
	size_t bodiesRoom;
	void* slots;
	size_t slotsRoom;
	void* records; // [meets + groups][8]: those of meets, then a dummy of each group
	size_t recordsRoom;
	size_t recordCount;
} plGroups;

typedef struct plGroupKernels
{
	const char* isa;
	size_t lanes;
	// Groups begin .. end-1. `scale`: of n.lambda in the bound of friction
	void (*sweep)(plGroups* groups, size_t begin, size_t end, double scale);
} plGroupKernels;

// The kernels of the instruction set in use; `wide` false: one body at a time.
const plGroupKernels* plFindGroupKernels(bool isFloat, bool wide);

void plGroups_Init(plGroups* groups, plHeap* heap, bool isFloat);
void plGroups_Destroy(plGroups* groups);
// Lays out contacts that are connected; if `begins`, they are begun on the way (plContacts_BeginOne), else their meets
// are there. False: no memory
bool plGroups_Lay(plGroups* groups, plContacts* contacts, bool begins, plPool* pool);
void plGroups_Sweep(plGroups* groups, const plContacts* contacts, const plGroupKernels* kernels, plPool* pool,
                    bool first);
// zeta, u, lambda and what sticks, back to the contacts, which end (plContacts_EndOne)
void plGroups_Store(plGroups* groups, plContacts* contacts, plPool* pool);

#endif
