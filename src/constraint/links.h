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
	double share;                    // of places: what a visit of a contact does of what it should
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

typedef struct plLinkJoint
{
	uint64_t shape;        // which axes have rows of which kinds
	uint32_t driven[2];    // ends that are driven: the number among `bodies`; else nobody
	plJointFrame start[2]; // where the step begins
} plLinkJoint;

typedef struct plLinks
{
	bool isOpen;   // this step goes by links
	int partCount; // done
	plLinkBody* bodies;
	plLinkJoint* joints;
	uint32_t* colour;     // by link: joints, then contacts
	uint32_t* order;      // links by colour; within one joints by shape, then contacts by their points, most first
	size_t* start;        // [colourCount + 1]
	size_t* contactStart; // [colourCount] of its contacts
	plLinkGroups groups;
	size_t drivenCount;         // of ends of joints; they are bodies after nobody
	size_t colourCount, serial; // colours from `serial` on are done one link after the other
	size_t bodyRoom, jointRoom, colourRoom, orderRoom, startRoom, contactStartRoom;
} plLinks;

void plLinks_Destroy(plLinks* links, plHeap* heap);

// ---- links.c

// Contacts and joints are filled in, and the sides of movers are listed: colours, and room. False: no memory
bool plContacts_ConnectLinks(struct plContacts* contacts);
// With the kernels of a precision; `wide` false: links one at a time. False: no memory
bool plContacts_BeginLinks(struct plContacts* contacts, bool isFloat, bool wide, plPool* pool);
void plContacts_SweepLinks(struct plContacts* contacts, plPool* pool); // one part; the last one ends with bounces
void plContacts_EndLinks(struct plContacts* contacts, plPool* pool);   // what is kept, and where joints are
// Squares, N^2: of what the last pass changed of multipliers, and of those
void plContacts_MeasureLinks(struct plContacts* contacts, double* residual, double* forces);

void plLinkBody_Renew(plLinkBody* body); // R and the inverse, after it has turned
// How far a point of a body has come: d + (R - 1) r
void plLinkBody_GetWay(const plLinkBody* body, const double r[3], double way[3]);

// ---- link_contact.c: a point of a contact

// Where the step begins, with the impulse that it begins with
void plContacts_PlaceLinkPoint(const struct plContacts* contacts, const struct plBodyContact* contact, uint32_t i,
                               struct plMeet* meet, plLinkPoint* point);
// Where it ends, from impulses, what sticks and what rests: the meet that is to be kept
void plContacts_EndLinkPoint(const struct plContacts* contacts, const struct plBodyContact* contact, uint32_t i,
                             struct plMeet* meet, const plLinkPoint* point);

// ---- link_joint.c

uint64_t plJointRecord_GetShape(const plJointRecord* record);
void plContacts_PlaceLinkJoints(struct plContacts* contacts); // frames where the step begins, and what is driven
void plContacts_MoveDriven(struct plContacts* contacts);      // to where the part that is done ends

#endif
