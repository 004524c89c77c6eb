// links.h: contacts and joints as links between two bodies, for methods that go from link to link
//
// Block descent moves one body after the other (contact_sweep.c). Impulses and positions go link by link instead: a
// link changes both of its bodies at once, so that these do not meet in records. The records of contacts and joints are
// the same: manifolds, levers, friction, rows, and multipliers that are kept from step to step.
//
// A step of h is cut into parts of t = h/n, without looking for contacts anew. A body that has links holds its velocity
// and how far it has come; external forces, and what a spinning body does by itself, act in equal shares:
//
//   v += (v^ - v_0)/n,  w += (w^ - w_0)/n       v^, w^ at the end of free flight
//   d += t v,  turn = exp(t w) turn             where it is: p_0 + d, turn q_0
//
// A body without links ends where its flight does. Masses are those at the end of free flight; the step ends with the
// momentum I_y w, as impulses gave it (world/rigid_flight.c). Levers of contacts are those where the step begins.
//
// Links of one colour have no body in common, and are worked on at once. Colours: first fit, joints before contacts,
// and those with one body that moves after the others of that body: what stands on the ground is put right last. What
// finds no colour among the first is done one after the other.
#ifndef PL_LINKS_H
#define PL_LINKS_H

#include "joint.h"
#include "../base/base.h"

struct plContacts;

typedef enum plLinkKind
{
	pl_linkNone,    // block descent
	pl_linkImpulse, // links.c
} plLinkKind;

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
	double v[3], w[3];   // m/s, rad/s
	double dv[3], dw[3]; // in a part, without links
	double d[3];         // how far its centre has come in the step, m
	plQuat turn;         // and how far it has turned
	double R[3][3];      // of `turn`, less the unit matrix
	uint64_t colours;    // of its links
	bool isLinked;
} plLinkBody;

// A point of a contact, beside its meet.
typedef struct plLinkPoint
{
	double mass;       // along n, kg; 0: nothing can give way
	double across;     // kg, across n
	double surface[3]; // how fast the surfaces run against each other while both bodies rest, m/s
	double closing;    // speed of approach before the step, m/s
	double impulse[3]; // of this part, N s: -impulse acts on a
	double total[3];   // of the step
	double change;     // square of what the last pass changed of it
	bool pushed;       // it did in some part
} plLinkPoint;

// A row of a joint, beside its plJointRow.
typedef struct plLinkRow
{
	double n[3];       // its direction, of a place; zeros of a turn
	double turn[2][3]; // how it turns a and b: (x - c) x n, or t
	double value;      // C when the part begins
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
	plLinkPoint* points;
	plLinkJoint* joints;
	plLinkRow* rows;
	uint32_t* colour;                     // by link: joints, then contacts
	uint32_t* order;                      // links by colour, ascending within one
	size_t* start;                        // [colourCount + 1]
	size_t rowCount, colourCount, serial; // colours from `serial` on are done one link after the other
	size_t bodyRoom, pointRoom, jointRoom, rowRoom, colourRoom, orderRoom, startRoom;
} plLinks;

void plLinks_Destroy(plLinks* links, plHeap* heap);

// ---- links.c

// Contacts and joints are filled in, and the sides of movers are listed: colours, and room. False: no memory
bool plContacts_ConnectLinks(struct plContacts* contacts);
void plContacts_BeginLinks(struct plContacts* contacts, plPool* pool);
void plContacts_SweepLinks(struct plContacts* contacts, plPool* pool); // one part; the last one ends with bounces
void plContacts_EndLinks(struct plContacts* contacts, plPool* pool);   // what is kept, and where joints are
// Squares, N^2: of what the last pass changed of multipliers, and of those
void plContacts_MeasureLinks(struct plContacts* contacts, double* residual, double* forces);

// One visit of every link, colour by colour.
typedef void plLinkVisit(struct plContacts* contacts, size_t index, bool flag);
void plContacts_VisitLinks(struct plContacts* contacts, plPool* pool, plLinkVisit* joint, plLinkVisit* contact,
                           bool flag);
// How far a point of a body has come: d + (R - 1) r
void plLinkBody_GetWay(const plLinkBody* body, const double r[3], double way[3]);
void plLinkBody_GetSpeed(const plLinkBody* body, const double r[3], double speed[3]);
// A push P (N s) at r
void plContacts_PushLink(struct plContacts* contacts, uint32_t mover, const double r[3], double sign,
                         const double P[3]);

// ---- link_contact.c: pushes along and across normals

void plContacts_WarmContact(struct plContacts* contacts, size_t contact, bool unused);
void plContacts_PushContact(struct plContacts* contacts, size_t contact, bool biased);
void plContacts_BounceContact(struct plContacts* contacts, size_t contact, bool unused);
void plContacts_PlaceLinkContact(struct plContacts* contacts, size_t contact); // when a step begins
void plContacts_EndLinkContact(struct plContacts* contacts, size_t contact);

// ---- link_joint.c: rows

void plContacts_PlaceLinkJoint(struct plContacts* contacts, size_t joint);              // when a step begins
void plContacts_MoveLinkJoint(struct plContacts* contacts, size_t joint, double share); // frames after a share of it
void plContacts_OpenLinkJoint(struct plContacts* contacts, size_t joint); // when a part does: directions, masses
void plContacts_WarmJoint(struct plContacts* contacts, size_t joint, bool unused);
void plContacts_PushJoint(struct plContacts* contacts, size_t joint, bool biased);
void plContacts_EndLinkJoint(struct plContacts* contacts, size_t joint);

// A spring and damper that pull an error to 0: of a pass over a part of t
typedef struct plSoftness
{
	double rate; // of the error, 1/s
	double mass; // of the mass
	double fade; // of what it has pushed so far
} plSoftness;
plSoftness plSoftness_Make(double hertz, double damping, double t);

#endif
