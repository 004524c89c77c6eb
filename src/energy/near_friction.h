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
//
// Corners from number vertexCount on are those of shells (near.h): they are where they were put, whatever q is.
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

// Where corner v of a pair is: a vertex of the world, or from number n on of a shell (near.h)
static inline const double* plNear_At(const double* q, const double* shell, size_t n, uint32_t v)
{
	return v < n ? PL_AT(q, v) : PL_AT(shell, v - n);
}

typedef struct plNearFriction
{
	plEnergy base;       // four corners; elementCount: pairs that rub
	double coefficient;  // Coulomb's mu between bodies
	double* start;       // by quads: vertices at the start of the substep, then those of shells, m
	const double* shell; // by quads: where those of shells are, as in plNearEnergy
	const double* rough; // [shellCount] mu of what they belong to
	plNearRub* rubs;     // [elementCount]
	size_t* source;      // [room] which pair of the list it was when the epoch began
	size_t* gather;      // [4 room] as in plNearEnergy
	size_t* gatherStart; // [vertexCount + 1]
	double* force;       // [12 room] where a backend puts what elements give to their corners
	double* partial;     // [partialCount] of sums over elements, up to three numbers each
	plNearGrip* grips;   // [gripCount] at the start of the substep, in the order of pairs
	size_t gripCount;
	size_t room, partialCount, vertexCount, shellCount;
	uint64_t revision; // of the list
} plNearFriction;

plNearFriction* plNearFriction_Create(size_t vertexCount, size_t shellCount, double coefficient,
                                      plHeap* heap); // NULL: no memory
// mu of a pair
double plNearFriction_GetCoefficient(const plNearFriction* friction, const uint32_t corners[4]);
// Room for so many rubs and grips; what is listed stays. False: no memory, and nothing has changed
bool plNearFriction_Reserve(plNearFriction* friction, size_t count, plHeap* heap);
void plNearFriction_Clear(plNearFriction* friction); // nothing rubs
void plNearFriction_Index(plNearFriction* friction); // after vertices were filled: where these find their forces
plSlip plNearFriction_GetSlip(const plNearFriction* friction, const double* q, size_t e);
// For a step of one corner alone, as plNearEnergy_Visit
void plNearFriction_Visit(const plNearFriction* friction, const double* q, size_t e, size_t corner, double g[3],
                          double H[6], plEnergySum* sum);
// dE/dx of the corners that it has in `x`
void plNearRub_GetGradient(const plNearRub* rub, const double x[4][3], double gradient[12]);
// Vectors v, three numbers a corner: the matrix of the blocks |v|^2 I - v v' on its diagonal lies above friction's
// whole potential
void plNearFriction_GetBound(const plNearFriction* friction, const double* q, size_t begin, size_t end, double* v);

#endif
