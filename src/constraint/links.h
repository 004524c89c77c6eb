// links.h: contacts and joints as links between two bodies, for methods that go from link to link
//
// Block descent moves one body after the other (contact_sweep.c). Impulses and places go link by link instead: a link
// changes both of its bodies at once, so that these do not meet in records. The records of contacts and joints are the
// same: manifolds, levers, friction, rows, and multipliers that are kept from step to step.
//
// A step of h is cut into parts of t = h/n, without looking for contacts anew. A body that has links holds its velocity
// and how far it has come; external forces, and what a spinning body does by itself, act in equal shares:
//
//   v += (v^ - v_0)/n,  w += (w^ - w_0)/n       v^, w^ at the end of free flight
//   d += t v,  turn = exp(t w) turn             where it is: p_0 + d, turn q_0
//
// A body without links ends where its flight does. With impulses masses are those at the end of free flight, the step
// ends with the momentum I_y w, as impulses gave it (world/rigid_flight.c), and levers of contacts are those where it
// begins. With places masses and levers follow the bodies, and the step ends with the speed of its last part.
//
// Links of one colour have no body in common, and are worked on at once. Colours: first fit, joints before contacts,
// and those with one body that moves after the others of that body: what stands on the ground is put right last. What
// finds no colour among the first is done one after the other.
#ifndef PL_LINKS_H
#define PL_LINKS_H

#include "joint.h"
#include "link_groups.h"
#include "../base/base.h"

struct plContacts;
struct plBodyContact;
struct plMeet;

// What is fixed through a step.
typedef struct plLinkRules
{
	plLinkKind kind;
	int parts;                       // n
	int passes;                      // over all links in a part
	bool warm;                       // multipliers go on from part to part and from step to step
	bool relax;                      // a pass without bias after places have changed
	double hertz, damping;           // of contacts: how fast an overlap goes, 1/s, and over critical damping
	double jointHertz, jointDamping; // of joints that are off
	double slop;                     // of the size of a body: overlap that is left alone
	double push;                     // sizes per second: an overlap goes no faster than that
} plLinkRules;

// A body that moves.
typedef struct plLinkBody
{
	// kernels read eight numbers at a time (link_lanes.h)
	double v[3], w[3], unused[2]; // m/s, rad/s
	double d[3];                  // how far its centre has come in the step, m
	plQuat turn;                  // and how far it has turned
	double unusedToo;
	double before[3];  // d and
	plQuat turnBefore; // turn when the part began
	double unusedAlso;
	double dv[3], dw[3]; // in a part, without links
	double R[3][3];      // of `turn`, less the unit matrix
	double inverse[6];   // of the inertia where it is, or at the end of free flight: see above
	double first[6];     // of the inertia where the step begins, of a body whose inverse follows its turn
	uint64_t colours;    // of its links
	bool isLinked;
	bool follows; // its inverse does
} plLinkBody;

// A point of a contact, beside its meet, where the step begins or ends.
typedef struct plLinkPoint
{
	double surface[3]; // how fast the surfaces run against each other while both bodies rest, m/s
	double drift[3];   // how far it has come off its place, if it sticks, m
	double impulse[3]; // of a part, N s: -impulse acts on a
	double total[3];   // of the step
} plLinkPoint;

// A row of a joint, beside its plJointRow.
typedef struct plLinkRow
{
	double n[3];       // its direction, of a place; zeros of a turn
	double turn[2][3]; // how it turns a and b: (x - c) x n, or t
	double value;      // C when the part begins; with places C where bodies are
	double before;     // with places: when the part began
	double mobility;   // 1/kg
	double impulse;    // of this part, along C
	double total;      // of the step
	double change;     // as above
} plLinkRow;

enum
{
	pl_linkBlock = 6 // rows that hold are solved at once
};

typedef struct plLinkJoint
{
	size_t first;          // of its rows
	plJointFrame start[2]; // where the step begins
	double speed[2][6];    // of an end that is driven, m/s at its anchor, rad/s
	uint32_t held[pl_linkBlock];
	uint32_t heldCount;
	double L[pl_linkBlock][pl_linkBlock], D[pl_linkBlock]; // K = L D L'; D is inverse, 0 where nothing gives way
} plLinkJoint;

typedef struct plLinks
{
	bool isOpen;   // this step goes by links
	int partCount; // done
	plLinkBody* bodies;
	plLinkJoint* joints;
	plLinkRow* rows;
	uint32_t* colour;     // by link: joints, then contacts
	uint32_t* order;      // links by colour; within one joints, then contacts by their points, most first; ascending
	size_t* start;        // [colourCount + 1]
	size_t* contactStart; // [colourCount] of its contacts
	plLinkGroups groups;
	size_t rowCount, colourCount, serial; // colours from `serial` on are done one link after the other
	size_t bodyRoom, jointRoom, rowRoom, colourRoom, orderRoom, startRoom, contactStartRoom;
} plLinks;

void plLinks_Destroy(plLinks* links, plHeap* heap);

// ---- links.c

// Contacts and joints are filled in, and the sides of movers are listed: colours, and room. False: no memory
bool plContacts_ConnectLinks(struct plContacts* contacts);
// With the kernels of a precision; `wide` false: contacts one at a time. False: no memory
bool plContacts_BeginLinks(struct plContacts* contacts, bool isFloat, bool wide, plPool* pool);
void plContacts_SweepLinks(struct plContacts* contacts, plPool* pool); // one part; the last one ends with bounces
void plContacts_EndLinks(struct plContacts* contacts, plPool* pool);   // what is kept, and where joints are
// Squares, N^2: of what the last pass changed of multipliers, and of those
void plContacts_MeasureLinks(struct plContacts* contacts, double* residual, double* forces);

// One visit of a joint
typedef void plLinkVisit(struct plContacts* contacts, size_t joint, bool flag);
void plLinkBody_Renew(plLinkBody* body); // R and the inverse, after it has turned
// How far a point of a body has come: d + (R - 1) r
void plLinkBody_GetWay(const plLinkBody* body, const double r[3], double way[3]);
// Both bodies of a link are moved and turned, by a share that turns none of them by more than half a rad: that share
double plContacts_ShiftLink(struct plContacts* contacts, const uint32_t movers[2], double shift[2][3],
                            double turn[2][3]);

// ---- link_contact.c: a point of a contact

// Where the step begins, with the impulse that it begins with
void plContacts_PlaceLinkPoint(const struct plContacts* contacts, const struct plBodyContact* contact, uint32_t i,
                               struct plMeet* meet, plLinkPoint* point);
// Where it ends, from impulses, what sticks and what rests: the meet that is to be kept
void plContacts_EndLinkPoint(const struct plContacts* contacts, const struct plBodyContact* contact, uint32_t i,
                             struct plMeet* meet, const plLinkPoint* point);

// ---- link_joint.c: rows

void plContacts_PlaceLinkJoint(struct plContacts* contacts, size_t joint);              // when a step begins
void plContacts_MoveLinkJoint(struct plContacts* contacts, size_t joint, double share); // frames after a share of it
void plContacts_OpenLinkJoint(struct plContacts* contacts, size_t joint); // when a part does: directions, masses
void plContacts_WarmJoint(struct plContacts* contacts, size_t joint, bool unused);
void plContacts_PushJoint(struct plContacts* contacts, size_t joint, bool biased);
void plContacts_EndLinkJoint(struct plContacts* contacts, size_t joint);
// One row where the frames are: C, direction, mobility
void plContacts_OpenLinkRow(struct plContacts* contacts, size_t joint, uint32_t row, const plJointPose* pose);
void plContacts_FactoriseLinkRows(struct plContacts* contacts, size_t joint); // K of the rows that are `held`
void plLinkJoint_Solve(const plLinkJoint* joint, double x[pl_linkBlock]);     // x = K^-1 x
void plContacts_PushHeldRows(struct plContacts* contacts, size_t joint, const plSoftness* soft);

// ---- link_xpbd_joint.c: the same by places

void plContacts_OpenXpbdJoint(struct plContacts* contacts, size_t joint);
void plContacts_PlaceXpbdJoint(struct plContacts* contacts, size_t joint, bool unused);
void plContacts_SlowXpbdJoint(struct plContacts* contacts, size_t joint, bool unused);

#endif
