// push.h: vertices of surfaces against colliders, and what both models of contact share
//
// In this room a collider is a function that gives its signed distance. The shapes themselves are in collide/, which
// also fills in the list of frictions at the start of a substep and of each epoch, and the list of grips at its end.
#ifndef PL_PUSH_H
#define PL_PUSH_H

#include "energy.h"

// Signed distance of a point, and its derivatives. The nearest feature of a shape is a face, an edge or a point:
//   gradient n,  Hessian bend (I - n n' - a a')
typedef struct plDistance
{
	double phi;       // m; below 0: inside
	double normal[3]; // n
	double bend;      // 1/m; 0: a face
	double axis[3];   // a, along the edge; zero: a point
} plDistance;

typedef void plDistanceFcn(const void* shape, const double x[3], plDistance* distance);
// The same, quicker, where *part is what was nearest to a point close by: a number of the shape's own, UINT32_MAX if it
// is not known. Gets what is nearest now. The distance does not depend on it.
typedef void plDistanceNearFcn(const void* shape, const double x[3], uint32_t* part, plDistance* distance);
// One shape in two forms: where the matter that is at X in the one is in the other.
typedef void plCarryFcn(const void* from, const void* to, const double X[3], double Y[3]);

// Where a shape is: its point X is at place + turn (X - centre)
typedef struct plPlace
{
	plQuat turn;
	double place[3]; // m
} plPlace;

typedef struct plPushCollider
{
	plDistanceFcn* distance;
	plDistanceNearFcn* distanceNear;  // NULL: it takes no search
	const void* shape;                // not owned, as it is at the end of the substep
	const void* shapeBefore;          // the same at its start; one that keeps its form is `shape`
	plCarryFcn* carry;                // NULL: it keeps its form, at least in this substep
	bool isMoved;                     // it is not where its shape says: the next four count
	double centre[3];                 // m
	plPlace now, before;              // at the end of the substep, at its start
	double run[3];                    // how far its surface runs in the substep, in the axes of the shape, m
	double shapeLow[3], shapeHigh[3]; // outside of this box, which does not move, phi is at least the thickness
	double low[3], high[3];           // of the same, where it is at the end of the substep
	double reach;                     // the largest coordinate it is made of, m: what rounding goes by
	double thickness;                 // distance that is kept, m
	double friction;                  // Coulomb's mu
	uint32_t slot;                    // its number in the world; ascends
} plPushCollider;

// Where a vertex holds on to a collider: the point of its shape that slip counts from. Part of the state.
typedef struct plGrip
{
	double point[3]; // m; the collider may have moved it elsewhere
	size_t collider; // its place among `colliders`
} plGrip;

// Friction of one vertex on one collider. Normal and normal force are those of the state that the epoch began with.
typedef struct plFriction
{
	double normal[3];
	double most;      // L: mu times the normal force, N
	double stiffness; // k of the spring to the grip, N/m
	double point[3];  // p, where the grip is at the end of the substep, m
	plGrip grip;
	bool slips; // the grip was dragged at the end of the substep
} plFriction;

// What is known of a vertex beside the colliders whose distance takes a search
typedef struct plClearance
{
	double square;     // of how far it may go from its start and touch none of them, m^2; 0: nothing is known
	uint32_t collider; // the last one whose distance was taken,
	uint32_t part;     // what was nearest there,
	double x[3];       // from where, and the distance; not a number: not in this substep
	plDistance distance;
} plClearance;

typedef struct plPushEnergy
{
	plEnergy base; // one corner; vertices ascend
	plPushCollider* colliders;
	size_t colliderCount;
	double givenStiffness; // K, N/m; 0: of each vertex
	double* mass;          // [elementCount] m, kg
	double* elastic;       // [elementCount] sum of modulus V |b|^2 over the elements at the vertex, N/m
	double* across;        // [elementCount] the same across the surface: of membranes, what tension gives them, N/m
	double* stiffness;     // [elementCount] of the push, K, N/m
	double* hold;          // [elementCount] of the springs of friction, k, N/m
	// [3 elementCount] vertices at the start of the substep: where they grip what they meet in it. With projection:
	// before they were moved out
	double* start;
	plClearance* clearance; // [elementCount]
	size_t* frictionStart;  // [elementCount + 1] into frictions
	plFriction* frictions;  // of a vertex in the order of colliders
	size_t* gripStart;      // [elementCount + 1] into grips
	plGrip* grips;          // at the start of the substep, in the same order
	size_t frictionRoom;    // of frictions, and of grips
	double* force;          // [3 elementCount] of the collider on the vertex at the end of the last step, N
	bool* touches;          // [elementCount] nearer to a collider than the thickness: there, or before projection
	double* depth;          // [elementCount] the deepest -phi there, m; 0: not inside
} plPushEnergy;

// Room for `count` vertices and `colliderCount` colliders, one of each at least; the caller fills vertices, mass,
// elastic, across, colliders. NULL: no memory
plPushEnergy* plPushEnergy_Create(size_t count, size_t colliderCount, plHeap* heap);

// Room for that many frictions and grips; what is listed stays. False: no memory, and nothing has changed
bool plPushEnergy_Reserve(plPushEnergy* push, size_t count, plHeap* heap);

// The element of a vertex, or of the first one after it that has one; elementCount: there is none.
size_t plPushEnergy_FindElement(const plPushEnergy* push, size_t vertex);

// The first collider from number `from` on that is nearer to x than its thickness, and its distance; colliderCount:
// there is none.
size_t plPushEnergy_Touch(const plPushEnergy* push, const double x[3], size_t from, plDistance* distance);

// The same of vertex e at x, which costs less within its clearance and beside what was nearest to it before.
size_t plPushEnergy_TouchVertex(const plPushEnergy* push, size_t e, const double x[3], size_t from,
                                plDistance* distance);
// Takes the clearance of vertices begin .. end-1 from where they start; and makes all of it 0.
void plPushEnergy_ClearRange(plPushEnergy* push, size_t begin, size_t end);
void plPushEnergy_ForgetClearance(plPushEnergy* push);

// The distance of a collider from a point.
void plPushCollider_GetDistance(const plPushCollider* collider, const double x[3], plDistance* distance);
// Quicker beside *part, as of plDistanceNearFcn; NULL: nothing is known.
void plPushCollider_GetDistanceNear(const plPushCollider* collider, const double x[3], uint32_t* part,
                                    plDistance* distance);
// Is a point outside of the box within which it may touch?
bool plPushCollider_IsBeside(const plPushCollider* collider, const double x[3]);
// Where a point of the world is on the shape when the collider is at a place, and the other way round.
void plPushCollider_ToShape(const plPushCollider* collider, const plPlace* place, const double x[3], double X[3]);
void plPushCollider_FromShape(const plPushCollider* collider, const plPlace* place, const double X[3], double x[3]);
// Where a point of the shape at the start of the substep is at its end, and back, both in the axes of the shape. X and
// Y may be one.
void plPushCollider_Carry(const plPushCollider* collider, const double X[3], double Y[3]);
void plPushCollider_CarryBack(const plPushCollider* collider, const double X[3], double Y[3]);
bool plPushCollider_IsMoving(const plPushCollider* collider); // in this substep

// Moves a vertex at x, which came from another place, out of colliders along free axes, as far as it is deeper in them
// than it was. Did it move?
bool plPushEnergy_KeepOut(const plPushEnergy* push, const double from[3], uint8_t held, double x[3]);

// Is there any friction in the list?
static inline bool plPushEnergy_Rubs(const plPushEnergy* push)
{
	return push->base.elementCount > 0 && push->frictionStart[push->base.elementCount] > 0;
}

// How far a vertex at x has slipped, |u|, and the direction w; and what friction gives there, G', N.
double plFriction_GetSlip(const plFriction* friction, const double x[3], double w[3]);
double plFriction_GetPull(const plFriction* friction, double slip);

// Adds weight times its gradient at x.
void plFriction_AddGradient(const plFriction* friction, const double x[3], double weight, double gradient[3]);

// At the end of a substep: brings the grip of a vertex at x that slips to where it is about to slip.
void plFriction_Drag(plFriction* friction, const plPushCollider* collider, const double x[3]);

// A quadratic with the gradient of friction at x and this block lies nowhere below friction's potential. The exact
// block does not have that: where a vertex slips it is nothing along the slip.
void plPushEnergy_GetBound(const plPushEnergy* push, size_t e, const double x[3], double block[9]);

#endif
