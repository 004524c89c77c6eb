// joint.h: joints between rigid bodies: what is solved for in a substep
//
// A joint has an end on either body: an anchor x and a frame. It measures axes (include/pliant/joint.h), each a number
// C of how the frame of b stands against that of a. With the axes e_i of a's frame, z = xb - xa, and X, Y, Z the
// frames' own axes,
//
//   place    C = e_i.z                                            n = e_i
//   length   C = |z|                                              n = z/|z|
//   twist    C = 2 atan2(q_x, q_s),  q = qa^-1 qb                 t = (Xa + Xb)/(1 + Xa.Xb)
//   swing    C = the part about Ya or Za of the turn theta u      t = its gradient, joint_axes.c
//            that takes Xa to Xb the short way
//   cone     C = theta                                            t = u
//   cross    C = asin(Ya.Zb)                                      t = Zb x Ya/|Zb x Ya|
//
// What a row gives is a force F n on the place of b's anchor: -F n acts on b there, and F n on a at that very place.
// So does a torque F t. Hence no joint changes the momentum of its two bodies, however far it is off.
//
// A row holds, limits, springs or drives an axis:
//
//   s = lambda + k (C - bias)                        [GDY25] Eq. 11
//   hold     F = s                                   bias = target + alpha (C_t - target)
//   limit    F = s above `high`, below `low`, else 0 which move by alpha of what was violated, too
//   spring   F = sigma s, cut off at `most`          sigma = ke/(ke + k), so that lambda tends to ke (C - bias)
//            ke = K + D/h, bias = (K target + (D/h) C_t)/ke       K stiffness, D damping
//   motor    F = s, cut off at `most`                bias = C_t + h speed
//
// C_t is C when the substep begins. Unknowns, chart and blocks: joint_sweep.c.
//
// [GDY25] Giles, Diaz and Yuksel, Augmented vertex block descent, 2025.
#ifndef PL_JOINT_H
#define PL_JOINT_H

#include "../base/base.h"
#include "pliant/pliant.h"

struct plContacts;

typedef enum plRowKind
{
	pl_rowHold,
	pl_rowLimit,
	pl_rowSpring,
	pl_rowMotor
} plRowKind;

// One multiplier; lambda and k are kept from step to step.
typedef struct plJointRow
{
	plJointAxis axis;
	plRowKind kind;
	double lambda;   // N or N m
	double k;        // N/m or N m/rad
	double start[2]; // both, when the step began: to go back to
	// in a substep
	double before;    // C_t
	double low, high; // of a limit its C; of a spring or a motor its F
	double bias;
	double soft;  // sigma; 1
	bool sprung;  // there is no lambda in F, it is only what F was (pl_stiffnessFixed)
	double saved; // lambda, while overlap is mended (contact_mend.c)
} plJointRow;

// Where a frame is.
typedef struct plJointFrame
{
	double centre[3]; // of mass of its body, m
	double x[3];      // its anchor
	plQuat turn;
} plJointFrame;

typedef struct plJointEnd
{
	uint32_t mover;      // pl_noMover: static, kinematic, asleep, or the world
	plJointFrame flight; // where free flight ends
	plJointFrame now;    // before it begins: where the substep does
} plJointEnd;

// A joint in a substep.
typedef struct plJointRecord
{
	plJointEnd ends[2];
	const plAxisDef* axes; // [pl_jointAxisCount]
	plJointRow* rows;      // ascending by axis; owned by the joint
	uint32_t rowCount;
	double size;  // the smallest width of the smaller body that moves, m
	double twist; // where whole turns are counted from, rad
	// What its rows hold as if, where trees are solved (joint_tree.c): kg, and of turns kg m^2. 0: they are not
	double burden, turnBurden;
	double carried[2]; // what its multipliers push a and b by, against the external acceleration, N
} plJointRecord;

// A body in its tree: joint_tree.c.
typedef struct plJointNode
{
	double D[6][6], U[6][6], f[6];
	double H[6][6], g[6]; // without joints
	double share;         // of the step that was taken; 0: none lowers the potential
	double mass;          // of its tree, kg
} plJointNode;

// Bodies that joints join. Arrays are by movers, but for order and start.
typedef struct plJointTree
{
	size_t count;
	size_t* start;    // [count + 1]
	uint32_t* order;  // a parent before its children
	uint32_t* treeOf; // UINT32_MAX: none
	uint32_t* link;   // joint and side by which it hangs on its parent; UINT32_MAX: it is a root
	plJointNode* nodes;
	uint32_t* contacts; // [contactCount] those that bodies of trees have, ascending
	size_t contactCount;
	size_t startRoom, orderRoom, treeRoom, linkRoom, nodeRoom, contactRoom;
} plJointTree;

// All joints of a substep.
typedef struct plJoints
{
	plJointRecord* records;
	size_t count, room;
	size_t* sideStart; // [movers + 1] joints of a mover: twice the number with the side in the lowest bit, ascending
	uint32_t* sides;
	size_t sideStartRoom, sideRoom;
	plJointTree tree;
} plJoints;

// ---- axes: joint_axes.c

// Two frames, and what axes are made of.
typedef struct plJointPose
{
	double A[3][3], B[3][3]; // axes of the frames, by rows, unit
	double z[3];             // from a's anchor to b's
	double x[3];             // b's anchor
	plQuat relative;         // qa^-1 qb
} plJointPose;

plJointPose plJointPose_Make(const plJointFrame* a, const plJointFrame* b);
bool plJointAxis_IsTurn(plJointAxis axis);
// C, and its direction n or t. Whole turns of a twist are such that it is within half a turn of `near`
double plJointPose_Measure(const plJointPose* pose, plJointAxis axis, double near, double direction[3]);
// How fast the direction turns at most, when the frames turn against each other; of a length 1/C, per way across
double plJointPose_GetBend(const plJointPose* pose, plJointAxis axis);
// How far it is off what is locked or limited: m, and rad
void plJointPose_GetErrors(const plJointPose* pose, const plAxisDef axes[pl_jointAxisCount], double near, double* place,
                           double* turn);

// ---- joint.c

void plJoints_Destroy(plJoints* joints, plHeap* heap);
bool plJoints_Reserve(plJoints* joints, size_t count, size_t movers, plHeap* heap); // false: no memory
void plContacts_ListJoints(struct plContacts* contacts);                            // sides of movers
// Its frames are where the substep begins: C_t of its rows, and what it carries. `up`: against the external
// acceleration, or zeros
void plJointRecord_WarmStart(plJointRecord* record, const double up[3]);
void plContacts_BeginJoints(struct plContacts* contacts); // after the guess: rows, multipliers, frames where movers are
// While overlap is mended: errors that are left are made good by poses alone
void plContacts_BeginJointMend(struct plContacts* contacts);
void plContacts_EndJointMend(struct plContacts* contacts);

// ---- joint_sweep.c

// F of a row at a C, and the stiffness that a block may count on
double plJointRow_GetForce(const plJointRow* row, double value, bool rescales, double* stiffness);
// What F is the derivative of, J
double plJointRow_GetPotential(const plJointRow* row, double value);
// The part of a mover's joints in its block: f is added to, and so is the lower triangle of H
void plContacts_AddJoints(const struct plContacts* contacts, size_t mover, const double zeta[6], double f[6],
                          double H[6][6]);
// Of these only the bounds of what pulls do when it turns
void plContacts_AddJointBounds(const struct plContacts* contacts, size_t mover, const double zeta[6], double H[6][6]);
// The gradient of C on a side, in the axes of the world
void plJointRow_GetGradient(const plJointRow* row, const double n[3], const double arm[3], double sign, double g[6]);
// A mover went to zeta: the frames of its ends follow
void plContacts_MoveJoints(struct plContacts* contacts, size_t mover, const double zeta[6]);
void plContacts_UpdateJoints(struct plContacts* contacts, plPool* pool); // the multipliers, after all movers
// What joints push a mover by with their multipliers as they are; adds up their sizes, too
void plContacts_LoadJoints(const struct plContacts* contacts, size_t mover, const double zeta[6], double f[6],
                           double* load);
// Sums of forces on b at its anchor (N), and of torques (N m)
void plJointRecord_GetForce(const plJointRecord* record, double force[3], double torque[3]);

// ---- joint_tree.c

bool plContacts_IsOfTree(const struct plContacts* contacts, size_t contact); // does a body of a tree have it?
bool plContacts_GrowTrees(struct plContacts* contacts);                      // once joints are listed; false: no memory
void plContacts_SolveTrees(struct plContacts* contacts, plPool* pool);       // all movers of trees, at once

// ---- joint_reach.c

// Points that push where a tree goes, though not where it is, are marked (plMeet.counts): did the marks change? The
// tree: order[begin .. end-1], its step is in the nodes
bool plContacts_CountReached(struct plContacts* contacts, size_t begin, size_t end);
void plContacts_CountNone(struct plContacts* contacts, size_t begin, size_t end); // takes the marks away

#endif
