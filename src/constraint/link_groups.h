// link_groups.h: eight contacts of one colour side by side, for methods that go from link to link
//
// Contacts of a colour share no body, so that eight of them read speeds and places of their bodies, change them and
// write them back at once. They stand by their number of points, most first, and ascending among these. Nothing is
// added up across lanes: the width of the machine, and who stands beside whom, do not show in results. Contacts of the
// colour that is done one after the other stand in groups, too; kernels of one lane go over these.
//
// Bodies are in double whatever the precision: a visit reads them as it computes, and adds what it has changed.
#ifndef PL_LINK_GROUPS_H
#define PL_LINK_GROUPS_H

#include "numbers.h"
#include "../base/base.h"

struct plContacts;
struct plLinkBody;

typedef enum plLinkKind
{
	pl_linkNone,    // block descent
	pl_linkImpulse, // link_push_lanes.c, link_joint.c
	pl_linkXpbd,    // link_place_lanes.c, link_xpbd_joint.c
} plLinkKind;

// A spring and damper that pull an error to 0: of a pass over a part of t
typedef struct plSoftness
{
	double rate; // of the error, 1/s
	double mass; // of the mass
	double fade; // of what it has pushed so far
} plSoftness;
plSoftness plSoftness_Make(double hertz, double damping, double t);

enum
{
	// rows of a contact
	pl_pairNormal = 0,
	pl_pairFriction = 3,
	pl_pairSliding = 4,
	pl_pairSize = 5,
	pl_pairRestitution = 6,
	pl_pairAlone = 7,  // 1: one of its bodies does not move
	pl_pairBodies = 8, // of a, then of b
	                   // of these
	pl_bodyLightness = 0,
	pl_bodyInverse = 3,
	pl_bodyFollows = 9, // 1: the inverse follows its turn
	pl_bodyRows = 10,
	pl_pairRows = pl_pairBodies + 2 * pl_bodyRows,
	// of a point
	pl_touchLever = 0, // of a, then of b
	pl_touchMass = 6,  // along n, then across it
	pl_touchDepth = 8, // where the step begins
	pl_touchClosing = 9,
	pl_touchImpulse = 10,
	pl_touchTotal = 13,
	pl_touchChange = 16,
	pl_touchRests = 17, // flags are 1 or 0
	pl_touchSticks = 18,
	pl_touchPushed = 19,
	pl_touchSurface = 20,
	// of xpbd: m
	pl_touchLeft = 23,  // overlap that places leave in this part
	pl_touchDrift = 24, // how far it had come off its place when the part began, if it stuck
	pl_touchRows = 27
};

typedef struct plLinkGroup
{
	size_t link;                       // its first among `order` of the links
	uint32_t count;                    // contacts
	uint32_t points;                   // slots of each of them
	bool isDriven;                     // some surface runs by itself
	bool bounces;                      // some restitution is above 0
	bool follows;                      // the inverse of some body follows its turn
	size_t numbers;                    // where its rows begin: those of contacts, then of points
	uint32_t bodies[2][pl_groupLanes]; // places of a and b; the number of movers: it does not move
} plLinkGroup;

// What visits of a part have in common.
typedef struct plLinkPass
{
	double t;           // s
	double time;        // since the step began
	double slow;        // slips by less rest, m/s
	double bounce;      // what closes faster leaves again, m/s
	double slop, push;  // plLinkRules
	plSoftness soft[2]; // of two bodies that move, and of one
	bool isBiased;      // else there is no softness
	bool isLast;        // of its part: impulses are added up, slips kept
	bool isWarm;        // they go on from part to part
} plLinkPass;

struct plLinkGroups;

// Groups begin .. end-1, one after the other.
typedef void plLinkGroupVisit(struct plLinkGroups* groups, size_t begin, size_t end);

// What is done to contacts.
enum
{
	// by impulses: when a step begins; by the impulses of before; a pass over them; after the last part
	pl_pushOpen,
	pl_pushWarm,
	pl_pushPass,
	pl_pushBounce,
	// by places: when a part begins; a pass over them; by speeds
	pl_placeOpen = 0,
	pl_placePass,
	pl_placeSlow,
	pl_linkVisits = 4
};

typedef struct plLinkKernels
{
	const char* isa;
	size_t lanes;
	plLinkGroupVisit* visit[pl_linkVisits];
} plLinkKernels;

// The kernels of the instruction set in use; `wide` false: one contact at a time.
const plLinkKernels* plFindLinkKernels(plLinkKind kind, bool isFloat, bool wide);

typedef struct plLinkGroups
{
	bool isFloat;
	const plLinkKernels *wide, *narrow; // the latter for contacts that are done one after the other
	struct plLinkBody* bodies;          // [movers + 1], the last one is nobody; not owned
	size_t nobody;
	plLinkPass pass;
	plLinkGroup* groups;
	size_t groupCount, groupRoom;
	size_t* colourStart; // [colours + 1]
	size_t colourStartRoom;
	void* numbers; // float or double
	size_t numberRoom;
} plLinkGroups;

void plLinkGroups_Destroy(plLinkGroups* groups, plHeap* heap);
// Links have colours, and bodies are where the step begins: their contacts are laid out. False: no memory
bool plContacts_LayLinkGroups(struct plContacts* contacts, bool isFloat, bool wide, plPool* pool);
// What is kept of contacts, once bodies are where the step ends
void plContacts_StoreLinkGroups(struct plContacts* contacts, plPool* pool);
// Adds up squares: of what the last pass changed of impulses, and of these
void plLinkGroups_Measure(const plLinkGroups* groups, double* changes, double* impulses);

#endif
