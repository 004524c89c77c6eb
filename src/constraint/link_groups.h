// link_groups.h: eight contacts, or joints, of one colour side by side, for methods that go from link to link
//
// Links of a colour share no body, so that eight of them read speeds and places of their bodies, change them and write
// them back at once. Contacts stand by their number of points, most first, and joints by what their rows are, so that
// all joints of a group have the same ones; ascending among these. Nothing is added up across lanes: the width of the
// machine, and who stands beside whom, do not show in results. Links of the colour that is done one after the other
// stand in groups, too; kernels of one lane go over these.
//
// Bodies are in double whatever the precision: a visit reads them as it computes, and adds what it has changed.
#ifndef PL_LINK_GROUPS_H
#define PL_LINK_GROUPS_H

#include "numbers.h"
#include "../base/base.h"

struct plContacts;
struct plLinkBody;
struct plJointRow;

typedef enum plLinkKind
{
	pl_linkNone,    // block descent
	pl_linkImpulse, // link_push_lanes.c, joint_push_lanes.c
	pl_linkXpbd,    // link_place_lanes.c, joint_place_lanes.c
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
	pl_touchSurface = 20, // m/s
	pl_touchIsThere = 23, // 0: its contact has fewer points than the group
	                      // of xpbd: m
	pl_touchLeft = 24,    // overlap that places leave in this part
	pl_touchDrift = 25,   // how far it had come off its place when the part began, if it stuck
	pl_touchRows = 28,
	// rows of a joint: bodies of a, then of b, as those of a contact; kernel/joint.h where the step begins
	pl_jointBodies = 0,
	pl_jointLever = 2 * pl_bodyRows,
	pl_jointGap = pl_jointLever + 6,
	pl_jointFrame = pl_jointGap + 3,
	pl_jointAxes = pl_jointFrame + 9, // x and z of b's frame
	pl_jointTurned = pl_jointAxes + 6,
	pl_jointSpan = pl_jointTurned + 4,
	pl_jointTorn = pl_jointSpan + 1, // square of how far it may be off, m^2
	pl_jointArm = pl_jointTorn + 1,  // of a, then of b; of impulses, as the next: where a part begins
	pl_jointBelow = pl_jointArm + 6,
	pl_jointPivot = pl_jointBelow + 15,
	pl_jointNumbers = pl_jointPivot + 6,
	// of one of its rows: where the step begins
	pl_jointRowOff = 0, // C - target
	pl_jointRowHigh,    // high - C
	pl_jointRowLow,     // C - low
	pl_jointRowStiffness,
	pl_jointRowDamping,
	pl_jointRowMost,
	pl_jointRowSpeed,
	pl_jointRowFrom,   // C
	pl_jointRowChange, // C - that; with places when the part began
	pl_jointRowDirection,
	pl_jointRowMobility = pl_jointRowDirection + 3,
	pl_jointRowImpulse, // of the part, along C
	pl_jointRowTotal,   // of the step
	pl_jointRowSquare,  // of what the last pass has changed
	pl_jointRowNumbers
};

// Bodies that links have: of a, then of b. The number of movers: one that does not move; above: one that is driven
typedef uint32_t plLinkEnds[2][pl_groupLanes];

typedef struct plLinkGroup
{
	size_t link;     // its first among `order` of the links
	uint32_t count;  // contacts
	uint32_t points; // slots of each of them
	bool isDriven;   // some surface runs by itself
	bool bounces;    // some restitution is above 0
	bool follows;    // the inverse of some body follows its turn
	size_t numbers;  // where its rows begin: those of contacts, then of points
	plLinkEnds bodies;
} plLinkGroup;

typedef struct plJointGroup
{
	size_t link; // its first among `order` of the links
	uint32_t count;
	uint32_t rowCount;             // of each of them
	const struct plJointRow* rows; // of its first one: axes and kinds are those of all
	bool turns;                    // some row is of a turn
	bool follows;                  // the inverse of some body follows its turn
	size_t numbers;                // where its rows begin: those of joints, then of their rows
	plLinkEnds bodies;
} plJointGroup;

// What visits of a part have in common.
typedef struct plLinkPass
{
	double t;           // s
	double time;        // since the step began
	double slow;        // slips by less rest, m/s
	double bounce;      // what closes faster leaves again, m/s
	double slop, push;  // plLinkRules
	double share;       // the same
	plSoftness soft[2]; // of two bodies that move, and of one
	plSoftness joint;   // of joints
	bool isBiased;      // else there is no softness
	bool isLast;        // of its part: impulses are added up, slips kept
	bool isWarm;        // they go on from part to part
} plLinkPass;

struct plLinkGroups;

// Groups begin .. end-1, one after the other.
typedef void plLinkGroupVisit(struct plLinkGroups* groups, size_t begin, size_t end);

// What is done to contacts and joints.
enum
{
	pl_visitNone = -1,
	// by impulses: when a step begins, of joints a part; by the impulses of before; a pass over them; of contacts,
	// after the last part
	pl_pushOpen = 0,
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

// The kernels of the instruction set in use; `wide` false: one link at a time.
const plLinkKernels* plFindLinkKernels(plLinkKind kind, bool isFloat, bool wide);
const plLinkKernels* plFindJointKernels(plLinkKind kind, bool isFloat, bool wide);

typedef struct plLinkGroups
{
	bool isFloat;
	const plLinkKernels *wide, *narrow; // the latter for contacts that are done one after the other
	const plLinkKernels *wideJoints, *narrowJoints;
	struct plLinkBody* bodies; // [movers + 1 + driven], after the movers nobody, and ends of joints that are driven;
	                           // not owned
	size_t nobody;
	plLinkPass pass;
	plLinkGroup* groups;
	size_t groupCount, groupRoom;
	size_t* colourStart; // [colours + 1]
	size_t colourStartRoom;
	void* numbers; // float or double
	size_t numberRoom;
	plJointGroup* joints;
	size_t jointCount, jointRoom;
	size_t* jointStart; // [colours + 1]
	size_t jointStartRoom;
	void* jointNumbers;
	size_t jointNumberRoom;
} plLinkGroups;

void plLinkGroups_Destroy(plLinkGroups* groups, plHeap* heap);
// Links have colours, and bodies are where the step begins: their contacts are laid out. False: no memory
bool plContacts_LayLinkGroups(struct plContacts* contacts, bool isFloat, bool wide, plPool* pool);
// What is kept of contacts, once bodies are where the step ends
void plContacts_StoreLinkGroups(struct plContacts* contacts, plPool* pool);
// Adds up squares: of what the last pass changed of impulses, and of these
void plLinkGroups_Measure(const plLinkGroups* groups, double* changes, double* impulses);

// ---- link_joint.c: the same for joints. Their frames are where the step begins, and then where it ends

bool plContacts_LayJointGroups(struct plContacts* contacts, bool wide, plPool* pool);
void plContacts_StoreJointGroups(struct plContacts* contacts, plPool* pool);
void plLinkGroups_MeasureJoints(const plLinkGroups* groups, double* changes, double* impulses);

#endif
