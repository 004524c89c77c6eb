// contact.h: contacts between rigid bodies: what is solved for in a substep, and what is kept from step to step
//
// Bodies never read each other: they meet in records. A contact is a manifold (collide/manifold.h): a normal n from
// body a into body b, and up to four points. The record of a point holds, in the axes of the world,
//
//   u       = u_y + sum over both sides of sigma (d + w x r)    sigma = 1 for a, -1 for b
//   lambda  multiplier, N: -F acts on a, +F on b
//   s       = lambda + kt u + (kn - kt) (n.u) n + [km (n.u - mean n.u)] n
//   F       = (n.s) n + c st if n.s > 0, else 0;    st = s - (n.s) n,  c = min(1, mu N/|st|),  N = max(n.lambda, 0)
//
// With the rule pl_stiffnessFixed s has no lambda, k is one number, and all rows are in blocks with all of it: that is
// vertex block descent [CLYK24].
//
// d, w    deviation of a body from free flight, its unknowns
// r       lever from the body's centre to the point, where the substep began
// u_y     u in free flight: of the error that is there at the start only the part 1 - alpha, an open gap in full,
//         and how the two surfaces fly against each other (first order: [GDY25] section 3.3)
// kn, kt  stiffness along n and across it; one for both tangents, so that nothing depends on a choice of axes
// km      stiffness of the moment, see contact.c; the mean is over the points of the manifold. What it gives is cut off
// at
//         N and -N: it shifts the load from point to point, and cannot push more than that
//
// The cone is bounded by N, the multiplier's normal force, and not by that of the same visit: so a visit is a plain
// projection. One circular cone. mu is the static coefficient where a point rests, the sliding one where it slides: it
// rests as long as friction holds it (|st| <= mu N), or slips by no more than |a| h^2, the fall of one step.
//
// [CLYK24] Chen, Liu, Yang, Yuksel, Vertex block descent, 2024.
// [GDY25]  Giles, Diaz and Yuksel, Augmented vertex block descent, 2025.
#ifndef PL_CONTACT_H
#define PL_CONTACT_H

#include "../base/base.h"
#include "../base/layout.h"
#include "joint.h"
#include "links.h"
#include "vertex_meet.h"
#include "pliant/solver.h"

enum
{
	pl_contactPoints = 4
};

// What is kept of a point from step to step: part of the state. Floats, so that a point is one line of the cache: a
// step spends more time on fetching contacts than on computing them. A multiplier is where the next substep starts, and
// an anchor is a place to stick at: that it is rounded once to 2^-24 of the body's size moves nothing.
typedef struct plContactPoint
{
	uint32_t feature;
	uint32_t age;       // substeps for which it had stuck when this one began
	float lambda[3];    // N
	float anchor[2][3]; // where it sticks, in the axes of either body, m
	float kn, kt;       // N/m
	float calm;         // normal force without blows when this substep began, N
	float depth;        // n.(xa - xb), m; below 0: a gap
	bool sticks, rests;
} plContactPoint;

typedef struct plContactKept
{
	uint32_t shapes[2]; // slots, the first one is a's
	uint32_t part;      // of a mesh: which of the directions that it pushes in; 0
	uint32_t count;
	double normal[3]; // from a into b
	bool pushes;      // one of its points does
	plContactPoint points[pl_contactPoints];
} plContactKept;

// What a point has beside that through a substep: where it is when that begins. Floats for the same reason.
typedef struct plSpot
{
	float flight[3]; // how the two surfaces fly and run against each other, m
	float drift[3];  // how far the anchors of a point that sticks have come apart across n
	float depth;     // n.(xa - xb)
} plSpot;

typedef struct plLevers
{
	float r[2][3]; // of a and b
} plLevers;

// The record of a point. It is made from what is above where it is needed: all of them are in memory only where plain
// sweeps or a second solve work on them, and groups.h has records of its own.
typedef struct plMeet
{
	double u[3];
	double lambda[3];
	double kn, kt; // N/m
	double N;
	double r[2][3]; // levers
	double depth;   // n.(xa - xb) when the substep begins
	double bias;    // what n.u is where the surfaces do not move against each other
	bool sticks;    // friction holds it
	bool rests;     // by the static coefficient
	bool counts[2]; // a tree on this side solves as if it pushed (joint_reach.c)
} plMeet;

enum
{
	pl_noMover = UINT32_MAX // a body that is static or kinematic, or asleep
};

typedef struct plBodyContact
{
	// one line of the cache: what sweeps read
	uint32_t movers[2]; // places among the movers of a and b
	uint32_t count;
	uint32_t first;   // of its points among the spots, and among the meets
	double normal[3]; // from a into b
	double friction;  // mu of points that stick
	double sliding;   // and of those that slip
	double moment;    // km, N/m
	// and another
	double restitution;
	double size;       // the smallest width of the smaller body that moves, m
	uint32_t kept;     // its place among what is kept
	uint32_t touching; // points that push or overlap at the end
	// of the multipliers that it begins with (plBodyContact_WarmStart)
	double load;       // sum of |lambda|, N
	double calm;       // mean of their normal forces without blows, N
	double carried[2]; // what they push a and b by, against the external acceleration, N
	uint32_t age;      // substeps for which all of its points have stuck
	bool isDriven;     // a surface runs by itself, or one of the bodies is kinematic and moves
	bool isNew;        // there was none in the substep before
	int8_t upper;      // if something is new: the side that the other one bears, -1: none (contact_stand.c)
} plBodyContact;

// Of a contact at the end (plContacts_EndOne).
typedef struct plContactSums
{
	double load;                   // sum of |lambda|, N
	double force[3], torque[2][3]; // their sum, and torques about the centres of a and b
	double deepest;                // n.(xa - xb) of its deepest point, m; below 0: a gap
} plContactSums;

// A body that moves, in a substep.
typedef struct plMover
{
	double lightness[3]; // 1/kg along an axis; 0: it is locked
	double inverse[6];   // of the part of `inertia` that is not locked; zeros in the rest
	double mass;         // kg
	double inertia[6];   // in the axes of the world at the end of free flight: xx yy zz xy xz yz
	uint8_t locked[2];   // bits of axes that do not move, and about which it does not turn
	double measure[2];   // plContacts_Measure
	double vertexLoad;   // mean |lambda| of the vertices that push it, N
	double vertexCount;  // of those that push or hold it, or are about to
	double speed[2][6];  // velocity and spin when the substep begins, and at the end of free flight
	plQuat flown;        // how it turns in free flight
} plMover;

// What a body gets from what stands on it (contact_stand.c).
typedef struct plStand
{
	double load;      // N
	double torque[3]; // sum of forces times levers, N m
	uint32_t waits;   // for so many contacts with what it bears
	bool isCarried;   // by what carried it before
	bool isListed;
} plStand;

// What is fixed through a substep.
typedef struct plContactRules
{
	plStiffnessRule rule;
	double h; // s
	double acceleration[3];
	int iterations;
	double alpha, gamma; // of this substep: share of the error that is left alone; what lambda fades by
	double alphaAcross;  // alpha of drift across the normal
	double penalty;      // N/m: k of all that is hard, with the rule pl_stiffnessFixed
	double floor;        // kappa: k is at least kappa m/h^2
	double floorNew;     // the same where lambda is 0
	double gain;         // q: k is at least q |lambda|/(n s)
	double slack;        // epsilon: s = max(|a| h^2, epsilon size)
	double momentGain;   // km over the k that the gain gives; 0: none
	double momentAge;    // s for which all points have to stick first
	double floorJoint;   // kappa and
	double gainJoint;    // p of joints (joint.c)
	double floorTree;    // kappa of joints whose trees are solved at once
	bool direct;         // they are (joint_tree.c)
	double most;         // k is at most this times m/h^2
	double beta, start;  // of the ramp: N/m^2, N/m
	bool rescales;       // H of a row that does not push takes lambda/|C| instead of k
	uint32_t shuffle;    // 0: colours in their order; else a seed for another order
	bool mends;          // overlap is made good by a second solve (contact_mend.c); alpha is 1
	plLinkRules link;    // of methods that go from link to link (links.h)
} plContactRules;

// All contacts of a substep. Arrays grow and stay; movers stand in the order of their bodies' slots.
typedef struct plContacts
{
	plHeap* heap;
	plContactRules rules;
	plMover* movers;
	size_t moverCount, moverRoom;
	plBodyContact* contacts; // sorted by the shapes that touch
	size_t contactCount, contactRoom;
	size_t newCount;     // of these
	plContactSums* sums; // [contactCount] of those that have ended
	size_t sumRoom;
	plSpot* spots; // [meetCount]
	size_t meetCount, spotRoom;
	plLevers* levers; // [meetCount]
	size_t leverRoom;
	plMeet* meets; // [meetCount] of plain sweeps and of a second solve
	size_t meetRoom;
	// who meets whom: contacts of a mover, those with most points first, ascending among these; twice the number with
	// the side in the lowest bit
	size_t* sideStart; // [moverCount + 1]
	size_t sideStartRoom;
	uint32_t* sides;
	size_t sideRoom;
	// colours: no two movers of one colour meet
	uint32_t* colour; // [moverCount]
	size_t colourRoom;
	uint32_t* order; // [moverCount] by colour, ascending within one; without those of trees
	size_t orderRoom;
	size_t* colourStart; // [colourCount + 1]
	size_t colourCount, colourStartRoom;
	plJoints joints;     // sorted by their slots
	plStand* stands;     // [moverCount] of what stands on it, if something is new
	uint32_t* standList; // [2 moverCount]
	size_t standRoom, standListRoom;
	plVertexMeets vertices;
	plLinks links;
	int sweepCount;      // of this solve
	bool isMeasured;     // no sweep since plContacts_Measure
	double* zeta;        // by quads, two of a mover: d and w; not owned, as the next
	plContactKept* kept; // what the points of contacts were made from
	// of a second solve
	bool isMending; // it goes on: multipliers stay 0
	bool isMended;  // there was one in this substep
	double* mend;   // as zeta: by how much poses go on from there, but velocities do not
	plMeet* solved; // [meetCount] while it lasts: as the first one left them
	size_t mendRoom, solvedRoom;
} plContacts;

static inline void plContacts_GetZeta(const plContacts* contacts, size_t mover, double zeta[6])
{
	memcpy(zeta, PL_AT(contacts->zeta, 2 * mover), 3 * sizeof(double));
	memcpy(zeta + 3, PL_AT(contacts->zeta, 2 * mover + 1), 3 * sizeof(double));
}

// Is it moved with its tree, and not by sweeps?
static inline bool plContacts_IsInTree(const plContacts* contacts, size_t mover)
{
	return contacts->joints.tree.count > 0 && contacts->joints.tree.treeOf[mover] != UINT32_MAX;
}

// How often trees move in as many sweeps: in four of ten, and in four at least. Once costs as much as some three
// sweeps.
static inline int plContactRules_CountSolves(const plContactRules* rules)
{
	int n = rules->iterations, most = 2 * n / 5 > 4 ? 2 * n / 5 : 4;
	return most < n ? most : n;
}

// Do they in this sweep?
static inline bool plContacts_MovesTrees(const plContacts* contacts)
{
	int n = contacts->rules.iterations, solves = plContactRules_CountSolves(&contacts->rules), i = contacts->sweepCount;
	return contacts->joints.tree.count > 0 && (i + 1) * solves / n > i * solves / n;
}

double plContactRules_GetFall(const plContactRules* rules); // |a| h^2, m

void plContacts_Init(plContacts* contacts, plHeap* heap);
void plContacts_Destroy(plContacts* contacts);
// Room for so many. False: no memory, and what is listed stays
bool plContacts_Reserve(plContacts* contacts, size_t movers, size_t count, size_t meets);
bool plContacts_ReserveMeets(plContacts* contacts); // for as many as there are

// Movers, contacts, spots and what is kept are filled in: sides and colours. False: no memory
bool plContacts_Connect(plContacts* contacts);
// A point takes over what was kept of an old one, but for its places, when a substep of h begins. `normal`: the old one
void plContactPoint_GoOn(plContactPoint* point, const plContactPoint* old, const double normal[3], double h);
// Its points are filled in: multipliers of the last substep are turned onto the normal of this one. `up`: unit vector
// against the external acceleration, or zeros
void plBodyContact_WarmStart(plBodyContact* contact, plContactKept* kept, const double up[3]);
// Contacts that are connected, and are new: what stands on something begins with the load that it bears
void plContacts_Stand(plContacts* contacts);
// Where the movers start: zeta, by the weight that their contacts carry
void plContacts_Guess(plContacts* contacts, plPool* pool);
// One contact and its meets, out: stiffness, multipliers for the substep, u where the movers start
void plContacts_BeginOne(const plContacts* contacts, plBodyContact* contact, plMeet* meets);
void plContacts_Begin(plContacts* contacts, plPool* pool); // all of them; there is room for meets
// One iteration: every mover once, then the multipliers
void plContacts_Sweep(plContacts* contacts, plPool* pool);
void plContacts_Update(plContacts* contacts, const uint32_t* list, size_t count); // the multipliers of some
// The block of a mover, without joints: f is added to, and the lower triangle of H. Contacts with what `treeOf` names
// count twice; NULL: none
void plContacts_AddBlock(const plContacts* contacts, size_t mover, const uint32_t* treeOf, double f[6], double H[6][6]);
void plContacts_StepMover(plContacts* contacts, size_t mover, const double step[6]); // its records follow
// contact_mend.c. Between these two, sweeps look for `mend` in the place of zeta; the multipliers stay those of before
bool plContacts_ReserveMend(plContacts* contacts); // false: no memory
void plContacts_BeginMend(plContacts* contacts, plPool* pool);
void plContacts_EndMend(plContacts* contacts, plPool* pool); // contacts end once more
// Squares of 2-norms over all movers, N^2: of what is left of M zeta/h^2 + J'lambda, torques taken over the radius of
// gyration; and of the forces that it is to be compared with, m |d|/h^2 + m |a| + sum |lambda|
void plContacts_Measure(plContacts* contacts, plPool* pool, double* residual, double* forces);
// After the end: what is kept of multipliers that a body does not follow gets less (contact_forget.c)
void plContacts_Forget(plContacts* contacts, plPool* pool);
// Of a point at the end: n.(xa - xb), first order in how the bodies turn; below 0: a gap
double plMeet_GetDepth(const plBodyContact* contact, const plMeet* meet);
// What meet `k` of a contact has of its place: r, depth, bias; u of flight alone
void plContacts_PlaceMeet(const plContacts* contacts, const plBodyContact* contact, uint32_t k, plMeet* meet);
// One contact and its meets after some sweeps: its sums and depths, and what is kept of it. As often as one likes
void plContacts_EndOne(plContacts* contacts, size_t contact, const plMeet* meets);
void plContacts_End(plContacts* contacts, plPool* pool); // all of them, before they are measured

// F of a meet at its u, and the stiffness that a block may count on: kn, kt.
typedef struct plMeetForce
{
	double force[3];
	double kn, kt, km;
	double slip[3]; // direction that it slips in, and
	double loose;   // what kt has too much along it
	bool pushes, slips;
} plMeetForce;
plMeetForce plMeet_GetForce(const plContactRules* rules, const plBodyContact* contact, const plMeet* meet, double mean);
// The mean of n.u over the points of a contact
double plBodyContact_GetMean(const plBodyContact* contact, const plMeet* meets);

#endif
