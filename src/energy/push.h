// push.h: vertices of surfaces against fixed colliders, and what both models of contact share
//
// In this room a collider is a function that gives its signed distance. The shapes themselves are in collide/, which
// also fills in the list of frictions at the start of a substep and of each epoch.
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

typedef struct plPushCollider
{
	plDistanceFcn* distance;
	const void* shape;      // not owned
	double low[3], high[3]; // outside of this box phi is at least the thickness
	double reach;           // the largest coordinate it is made of, m: what rounding goes by
	double thickness;       // distance that is kept, m
	double friction;        // Coulomb's mu
} plPushCollider;

// Friction of one vertex on one collider. Normal and normal force are those of the state that the epoch began with.
typedef struct plFriction
{
	double normal[3];
	double most; // mu times the normal force, N
} plFriction;

typedef struct plPushEnergy
{
	plEnergy base; // one corner; vertices ascend
	plPushCollider* colliders;
	size_t colliderCount;
	double givenStiffness; // N/m; 0: of each vertex
	double* mass;          // [elementCount] m, kg
	double* elastic;       // [elementCount] sum of modulus V |b|^2 over the tets at the vertex, N/m
	double* stiffness;     // [elementCount] k, N/m
	double* anchor;        // [3 elementCount] where slip counts from, m
	double slip;           // slip below which friction is not full, m
	size_t* frictionStart; // [elementCount + 1] into frictions
	plFriction* frictions;
	size_t frictionRoom;
	double* force; // [3 elementCount] of the collider on the vertex at the end of the last step, N
	bool* touches; // [elementCount] nearer to a collider than the thickness: there, or before projection
	double* depth; // [elementCount] the deepest -phi there, m; 0: not inside
} plPushEnergy;

// Room for `count` vertices and `colliderCount` colliders, one of each at least; the caller fills vertices, mass,
// elastic, colliders. NULL: no memory
plPushEnergy* plPushEnergy_Create(size_t count, size_t colliderCount, plHeap* heap);

// The first collider from number `from` on that is nearer to x than its thickness, and its distance; colliderCount:
// there is none.
size_t plPushEnergy_Touch(const plPushEnergy* push, const double x[3], size_t from, plDistance* distance);

// Is there any friction in the list?
static inline bool plPushEnergy_Rubs(const plPushEnergy* push)
{
	return push->base.elementCount > 0 && push->frictionStart[push->base.elementCount] > 0;
}

// Adds weight times the gradient of a friction of element e, whose vertex is at x.
void plPushEnergy_AddFriction(const plPushEnergy* push, size_t e, const plFriction* friction, const double x[3],
                              double weight, double gradient[3]);

// A quadratic with the gradient of friction at x and this block lies nowhere below friction's potential. The exact
// block does not have that: where a vertex slips it is nothing along the slip, where it sticks a hundred times m/h^2.
void plPushEnergy_GetBound(const plPushEnergy* push, size_t e, const double x[3], double block[9]);

#endif
