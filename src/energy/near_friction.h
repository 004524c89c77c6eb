// near_friction.h: friction of surfaces on surfaces: pairs that rub
//
// A pair that pushes (near.h) hangs on a spring across its normal, which gives way at the force L (slip.h):
//
//   E = sum of G(|u|),   u = (I - n n')(sum w_a x_a - p),   p = sum w_a x_a,t - o
//
// L = mu times the push of the pair; n, L and the weights w of the nearest points are those of the state that the epoch
// began with (collide/near_lag.h). So each epoch has a potential, convex in x. x_a,t are vertices at the start of the
// substep, and o is the slip that the spring held then: the pair's grip, part of the state. A pair that was not near
// then has none: its slip counts from where its two were when the substep began. The sum of w is 0: friction gives no
// momentum.
//
// k is that of the push without its hardness (near.h): what holds is as stiff as what is held.
#ifndef PL_NEAR_FRICTION_H
#define PL_NEAR_FRICTION_H

#include "energy.h"
#include "slip.h"

// What the spring of a pair holds at the end of a substep
typedef struct plNearGrip
{
	uint32_t kind; // plNearKind
	uint32_t corners[4];
	double slip[3]; // o, across the normal, m
} plNearGrip;

typedef struct plNearRub
{
	double normal[3];
	double weight[4]; // w
	double point[3];  // p, m
	double most;      // L, N
	double stiffness; // k, N/m
	uint32_t kind;    // plNearKind
} plNearRub;

typedef struct plNearFriction
{
	plEnergy base;       // four corners; elementCount: pairs that rub
	double coefficient;  // Coulomb's mu
	double* start;       // by quads: vertices at the start of the substep, m
	plNearRub* rubs;     // [elementCount]
	size_t* source;      // [room] which pair of the list it was when the epoch began
	size_t* gather;      // [4 room] as in plNearEnergy
	size_t* gatherStart; // [vertexCount + 1]
	double* force;       // [12 room] where a backend puts what elements give to their corners
	double* partial;     // [partialCount] of sums over elements, up to three numbers each
	plNearGrip* grips;   // [gripCount] at the start of the substep, in the order of pairs
	size_t gripCount;
	size_t room, partialCount, vertexCount;
	uint64_t revision; // of the list
} plNearFriction;

plNearFriction* plNearFriction_Create(size_t vertexCount, double coefficient, plHeap* heap); // NULL: no memory
// Room for so many rubs and grips; what is listed stays. False: no memory, and nothing has changed
bool plNearFriction_Reserve(plNearFriction* friction, size_t count, plHeap* heap);
void plNearFriction_Clear(plNearFriction* friction); // nothing rubs
void plNearFriction_Index(plNearFriction* friction); // after vertices were filled: where these find their forces
plSlip plNearFriction_GetSlip(const plNearFriction* friction, const double* q, size_t e);
// dE/dx of the corners that it has in `x`
void plNearRub_GetGradient(const plNearRub* rub, const double x[4][3], double gradient[12]);
// Vectors v, three numbers a corner: the matrix of the blocks |v|^2 I - v v' on its diagonal lies above friction's
// whole potential
void plNearFriction_GetBound(const plNearFriction* friction, const double* q, size_t begin, size_t end, double* v);

#endif
