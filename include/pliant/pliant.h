// pliant.h: worlds of soft and rigid bodies, and the step
//
//   plWorldDef wd = plDefaultWorldDef();
//   plWorld* world = plCreateWorld(&wd, &error);
//   plBodyId body = plCreateSoftBody(world, &bodyDef, &error);
//   plWorld_Step(world, &report, &error);
//   plBody_GetPositions(world, body, xyz);
//   plDestroyWorld(world);
//
// Arrays belong to the caller and are in the caller's vertex order. There is no global state. Worlds are independent of
// each other; only one thread at a time may use a world. `error` may be NULL everywhere.
#ifndef PLIANT_H
#define PLIANT_H

#include "base.h"
#include "id.h"
#include "math.h"
#include "mesh.h"
#include "types.h"
#include "options.h"

typedef struct plWorld plWorld;

PL_API plWorld* plCreateWorld(const plWorldDef* def, plError* error);
PL_API void plDestroyWorld(plWorld* world);

// Advances by one time step. Returns pl_success, pl_notConverged (the step was taken), or an error (the state is what
// it was before the step).
PL_API plResult plWorld_Step(plWorld* world, plStepReport* report, plError* error);

// Drops what the method keeps from step to step, its factor too; elements stay, and in the same precision the patterns
// of matrices. A precision that is new to the world adds its rest data, 40 or 80 bytes a tet, which stay until a body
// is made or destroyed. An equal solver changes nothing and costs nothing.
PL_API plResult plWorld_SetSolver(plWorld* world, const plSolverDef* def, plError* error);
PL_API plResult plWorld_SetTimestep(plWorld* world, double timestep, plError* error);
PL_API void plWorld_SetGravity(plWorld* world, plVec3 gravity);
PL_API double plWorld_GetTime(const plWorld* world);
PL_API uint64_t plWorld_GetStepCount(const plWorld* world);
PL_API uint64_t plWorld_GetHash(const plWorld* world);

// Save here; create an identical world from the same defs; load; further steps give the same bits. The size depends on
// what rubs: ask for it every time.
PL_API size_t plWorld_GetStateSize(const plWorld* world);
PL_API void plWorld_SaveState(const plWorld* world, void* state);
PL_API plResult plWorld_LoadState(plWorld* world, const void* state, size_t bytes, plError* error);

// ---- bodies ---------------------------------------------------------------------------------------------------

PL_API plBodyId plCreateSoftBody(plWorld* world, const plSoftBodyDef* def, plError* error);
PL_API void plDestroyBody(plWorld* world, plBodyId body); // and its pins, forces, springs, seams, grabs; or its shapes
PL_API bool plBody_IsValid(const plWorld* world, plBodyId body);
PL_API bool plBody_IsRigid(const plWorld* world, plBodyId body);
PL_API double plBody_GetMass(const plWorld* world, plBodyId body); // kg; INFINITY: a rigid body that is not dynamic

// What follows down to the pins is for soft bodies only.
PL_API size_t plBody_GetVertexCount(const plWorld* world, plBodyId body);
PL_API size_t plBody_GetTetCount(const plWorld* world, plBodyId body);

// Another material for a body, and for its regions without one of their own; for one region; and other damping. State,
// history, elements and their order stay; what depends on stiffness is made anew in the next step: one factorisation.
// Further steps give the same bits as in a world that is created so and loads the state. A saved state does not hold
// them: load it into a world that was created with, or given, the materials and the damping of then. On an error
// nothing has changed.
PL_API plResult plBody_SetMaterial(plWorld* world, plBodyId body, const plMaterialDef* def, plError* error);
PL_API plResult plBody_SetRegionMaterial(plWorld* world, plBodyId body, size_t region, const plMaterialDef* def,
                                         plError* error);
PL_API plResult plBody_SetDamping(plWorld* world, plBodyId body, plDamping damping, plError* error);

// Three doubles per vertex.
PL_API void plBody_GetPositions(const plWorld* world, plBodyId body, double* positions);
PL_API void plBody_GetRestPositions(const plWorld* world, plBodyId body, double* positions);
PL_API void plBody_GetVelocities(const plWorld* world, plBodyId body, double* velocities);
// Lifts the body: what stuck to a collider sticks anew where it is put.
PL_API void plBody_SetPositions(plWorld* world, plBodyId body, const double* positions);
PL_API void plBody_SetVelocities(plWorld* world, plBodyId body, const double* velocities);

// One double per vertex (kg).
PL_API void plBody_GetMasses(const plWorld* world, plBodyId body, double* masses);

// Forces on the vertices (N). Elastic forces, of tets and springs, are those of the current state. Forces of contacts
// and pins are those of the last step. What depends on elements may have to prepare them first; it can then fail as a
// step does.
PL_API plResult plBody_GetElasticForces(plWorld* world, plBodyId body, double* forces, plError* error);
PL_API void plBody_GetContactForces(const plWorld* world, plBodyId body, double* forces);
PL_API void plBody_GetPinForces(const plWorld* world, plBodyId body, double* forces);

// What is left of all forces on the vertices at the end of the last (sub)step, inertia included (N): the gradient of
// the objective, 0 along held axes. Where it is large the step has not converged. Zeros when forces of the last step
// are not known any more: see plPin_GetForce.
PL_API void plBody_GetResiduals(plWorld* world, plBodyId body, double* residuals);

// One value per tet: von Mises norm of the Cauchy stress (Pa), det F. Nine values per tet: F by rows, first Piola
// stress by rows.
PL_API plResult plBody_GetVonMises(plWorld* world, plBodyId body, double* stress, plError* error);
PL_API plResult plBody_GetVolumeRatios(plWorld* world, plBodyId body, double* detF, plError* error);
PL_API plResult plBody_GetDeformations(plWorld* world, plBodyId body, double* F, plError* error);
PL_API plResult plBody_GetStresses(plWorld* world, plBodyId body, double* P, plError* error);

// One weight per tet says how far it has converted (pl_inversionConvert): from 0, its own law, to 1. False, and all 0,
// if no material of the body converts.
PL_API bool plBody_GetBlend(const plWorld* world, plBodyId body, double* weights);

// Finds the vertices whose current position lies in the box, bounds included, ascending. Returns how many there are and
// writes at most `capacity` of them.
PL_API size_t plBody_SelectBox(const plWorld* world, plBodyId body, plVec3 low, plVec3 high, uint32_t* vertices,
                               size_t capacity);

// ---- rigid bodies -------------------------------------------------------------------------------------------------

// Bodies and shapes may be made and destroyed before every step: soft bodies keep their elements and their vertices. A
// shape of a body that is not dynamic is met by soft bodies, too, so with soft bodies it costs what a collider costs.
PL_API plBodyId plCreateRigidBody(plWorld* world, const plRigidBodyDef* def, plError* error);

// Several shapes make a compound. Mass, centre of mass and inertia follow from all of them. The frame stays where it
// is, and every point of the body keeps its velocity. A dynamic body needs a mass, and an inertia about what it may
// turn about, before the next step.
PL_API plShapeId plCreateShape(plWorld* world, plBodyId body, const plShapeDef* def, plError* error);
PL_API void plDestroyShape(plWorld* world, plShapeId shape);
PL_API bool plShape_IsValid(const plWorld* world, plShapeId shape);
PL_API plBodyId plShape_GetBody(const plWorld* world, plShapeId shape);
PL_API plShapeKind plShape_GetKind(const plWorld* world, plShapeId shape);
PL_API plTransform plShape_GetLocal(const plWorld* world, plShapeId shape);
// Do soft bodies meet it under every method? Not if its body is dynamic, if it is a sensor, if its mask leaves out
// category 1, or if it is a mesh that encloses nothing. Under avbd they meet shapes of dynamic bodies, too.
PL_API bool plShape_MeetsSoftBodies(const plWorld* world, plShapeId shape);
// The shapes of a body. Returns how many there are and writes at most `capacity` of them.
PL_API size_t plBody_GetShapes(const plWorld* world, plBodyId body, plShapeId* shapes, size_t capacity);

PL_API plRigidMotion plBody_GetMotion(const plWorld* world, plBodyId body);
// Where its frame is, scale 1.
PL_API plTransform plBody_GetPose(const plWorld* world, plBodyId body);
// Puts it there at once, whatever its kind. A dynamic body keeps velocity and spin. A kinematic one stays there until
// it is told otherwise. pl_errorInput for a scale, a rotation that is none, or a number that is not finite.
PL_API plResult plBody_SetPose(plWorld* world, plBodyId body, plTransform pose, plError* error);
PL_API plVec3 plBody_GetVelocity(const plWorld* world, plBodyId body); // of its centre of mass, m/s
PL_API plVec3 plBody_GetSpin(const plWorld* world, plBodyId body);     // rad/s, in the axes of the world
// Of a dynamic body; what is locked stays 0.
PL_API plResult plBody_SetVelocity(plWorld* world, plBodyId body, plVec3 velocity, plVec3 spin, plError* error);
PL_API plVec3 plBody_GetCentre(const plWorld* world, plBodyId body); // of mass, in the axes of the frame, m
// kg m^2: xx yy zz xy xz yz about the centre of mass in the axes of the frame. Zeros if the body is not dynamic.
PL_API void plBody_GetInertia(const plWorld* world, plBodyId body, double inertia[6]);

// Of a dynamic body. A force acts through the next step, dead: the torque about the centre of mass is that of now, all
// the way. Several add up. A failed step keeps them. An impulse acts at once.
PL_API plResult plBody_ApplyForce(plWorld* world, plBodyId body, plVec3 force, plVec3 point, plError* error); // N, m
PL_API plResult plBody_ApplyTorque(plWorld* world, plBodyId body, plVec3 torque, plError* error);             // N m
PL_API plResult plBody_ApplyImpulse(plWorld* world, plBodyId body, plVec3 impulse, plVec3 point, plError* error); // N s

// Dynamic bodies that lie still, and all that lie against them, fall asleep together (plWorldDef.sleep): they stop to
// the bit and cost no time. They wake together when something that moves touches one of them, when what one of them
// touches moves, changes or goes, when gravity changes, and when one of them is told a pose, a velocity, a force or an
// impulse.
PL_API bool plBody_IsAsleep(const plWorld* world, plBodyId body);
// With what it lies against; a body that is awake has to lie still for as long as a new one before it sleeps.
PL_API void plBody_Wake(plWorld* world, plBodyId body);

// Of a kinematic body. Where its frame is at the end of the next step, and from then on until told otherwise: its path
// no longer counts. Substeps go there on a straight line, and turn the shorter way at constant speed.
PL_API plResult plBody_SetTarget(plWorld* world, plBodyId body, plTransform target, plError* error);
// Another path, from where the body is now; its times are the world's. A saved state holds the place that a path
// started from, but not the path: load it into a world that was given the same.
PL_API plResult plBody_SetPath(plWorld* world, plBodyId body, const plMotion* path, plError* error);

// ---- pins, forces, springs, grabs and energies ------------------------------------------------------------------

PL_API plPinId plCreatePin(plWorld* world, const plPinDef* def, plError* error);
PL_API void plDestroyPin(plWorld* world, plPinId pin);
// Where the pin's vertices are at the end of the next step, and from then on until told otherwise; its motion no longer
// counts. [3 count], in the order of the def, whose `vertexCount` count is. Substeps go there on a straight line. Costs
// neither memory nor a factorisation. pl_errorInput for another count, or a number that is not finite.
PL_API plResult plPin_SetTargets(plWorld* world, plPinId pin, const double* targets, size_t count, plError* error);
// The same for the places that the vertices had when the pin was created, taken through a transform.
PL_API plResult plPin_SetTransform(plWorld* world, plPinId pin, plTransform transform, plError* error);
PL_API plForceId plCreateForce(plWorld* world, const plForceDef* def, plError* error);
PL_API void plDestroyForce(plWorld* world, plForceId force);
PL_API plSpringsId plCreateSprings(plWorld* world, const plSpringsDef* def, plError* error);
PL_API void plDestroySprings(plWorld* world, plSpringsId springs);

// A grab may be made and destroyed before every step: neither makes elements, matrices or factors anew, and once there
// was one of its size neither takes memory. It draws from the next step on.
PL_API plGrabId plCreateGrab(plWorld* world, const plGrabDef* def, plError* error);
PL_API void plDestroyGrab(plWorld* world, plGrabId grab);
// Where the point of the grab is at the end of the next step, and from then on until told otherwise.
PL_API void plGrab_Move(plWorld* world, plGrabId grab, plVec3 target);
PL_API plVec3 plGrab_GetForce(const plWorld* world, plGrabId grab); // on the body, at the end of the last step, N

// An energy of the caller's own, until it or one of its bodies is destroyed. Its function is called here, at the
// current positions, close to them, and at rest. pl_errorInput, with the element and the numbers, if one of them is not
// finite, or if gradients and Hessians are not the derivatives that differences give. Saved states know nothing of it:
// who loads one creates it again.
PL_API plEnergyId plCreateEnergy(plWorld* world, const plEnergyDef* def, plError* error);
PL_API void plDestroyEnergy(plWorld* world, plEnergyId energy);
PL_API bool plEnergy_IsValid(const plWorld* world, plEnergyId energy);
PL_API double plEnergy_GetValue(const plWorld* world, plEnergyId energy); // at the current state, J
// Its forces on the vertices of a body at the current state, minus the gradient: three doubles per vertex, N.
PL_API void plEnergy_GetForces(const plWorld* world, plEnergyId energy, plBodyId body, double* forces);

// ---- colliders --------------------------------------------------------------------------------------------------

PL_API plColliderId plCreateCollider(plWorld* world, const plColliderDef* def, plError* error);
PL_API void plDestroyCollider(plWorld* world, plColliderId collider);
// Where the collider is at the end of the next step, and from then on until told otherwise: its def's place taken
// through a transform of scale 1. Its motion no longer counts. What touches it feels how it moves there from where it
// was. Costs neither memory nor a factorisation. pl_errorInput for a scale, or a number that is not finite.
PL_API plResult plCollider_SetTransform(plWorld* world, plColliderId collider, plTransform transform, plError* error);
// Where it is now: plTransform_identity if it has never moved.
PL_API plTransform plCollider_GetTransform(const plWorld* world, plColliderId collider);
// Where the motion of a def has brought its collider at a time. The def is one that plColliderDef_Check takes.
PL_API plTransform plColliderDef_GetTransform(const plColliderDef* def, double time);

// ---- numbers out ------------------------------------------------------------------------------------------------

// The force on bodies at the end of the last step (N):
//   pin        all that it holds, or draws, its vertices with. What several hard pins hold counts for the last of
//              them, which puts it in its place
//   force      the load that was applied in the last (sub)step
//   springs    on the vertices of body a, within one body on the first of each pair; the other ends feel the opposite
//   collider   push and friction on all vertices that touch it
// Zeros before the first step, and after a failed one. Also when positions were set, a state was loaded, solvers were
// compared, or a body, a soft pin, springs, an energy or a collider was created or destroyed, until the next step.
// Asking changes nothing.
PL_API plVec3 plPin_GetForce(const plWorld* world, plPinId pin);
PL_API plVec3 plForce_GetForce(const plWorld* world, plForceId force);
PL_API plVec3 plSprings_GetForce(const plWorld* world, plSpringsId springs);
PL_API plVec3 plCollider_GetForce(const plWorld* world, plColliderId collider);

// The torque of the same forces about a point (N m).
PL_API plVec3 plPin_GetTorque(const plWorld* world, plPinId pin, plVec3 point);
PL_API plVec3 plForce_GetTorque(const plWorld* world, plForceId force, plVec3 point);
PL_API plVec3 plSprings_GetTorque(const plWorld* world, plSpringsId springs, plVec3 point);
PL_API plVec3 plCollider_GetTorque(const plWorld* world, plColliderId collider, plVec3 point);
// The mean of the places that the pin's vertices had when it was created: a point to take its torque about.
PL_API plVec3 plPin_GetCentre(const plWorld* world, plPinId pin);

// pl_errorInput with words if this cannot be a name; NULL is none, and fine.
PL_API plResult plName_Check(const char* name, plThing thing, plError* error);

// Names; NULL: it has none. And the other way round; null: nothing of the kind has that name.
PL_API const char* plPin_GetName(const plWorld* world, plPinId pin);
PL_API const char* plForce_GetName(const plWorld* world, plForceId force);
PL_API const char* plSprings_GetName(const plWorld* world, plSpringsId springs);
PL_API const char* plCollider_GetName(const plWorld* world, plColliderId collider);
PL_API plPinId plWorld_FindPin(const plWorld* world, const char* name);
PL_API plForceId plWorld_FindForce(const plWorld* world, const char* name);
PL_API plSpringsId plWorld_FindSprings(const plWorld* world, const char* name);
PL_API plColliderId plWorld_FindCollider(const plWorld* world, const char* name);

// Everything that has a name, with its force: pins, forces, springs, colliders, each kind in the order of creation.
// Returns how many there are and writes at most `capacity` of them.
PL_API size_t plWorld_GetReactions(const plWorld* world, plReaction* reactions, size_t capacity);

// All contacts, by body, vertex and collider, each in the order of creation or of the caller's vertices. Returns how
// many there are and writes at most `capacity` of them. A vertex that touches two colliders stands there twice. Contact
// by projection lists what was moved out; what of the way each collider moved it, times m/h^2, is the force.
PL_API size_t plWorld_GetContacts(const plWorld* world, plContact* contacts, size_t capacity);

// Surfaces of soft bodies or cloth that push each other, at the end of the last step: a pair of a vertex and a
// triangle, or of two edges. The first side is the vertex or the first edge.
typedef enum plPairKind
{
	pl_pairVertexTriangle, // vertices[0]; vertices[1], [2], [3]
	pl_pairEdges,          // vertices[0], [1]; vertices[2], [3]
} plPairKind;

typedef struct plPairContact
{
	plPairKind kind;
	plBodyId bodies[2];    // of the sides; may be one. Null: that side is an obstacle,
	plColliderId collider; // this one, or null,
	plShapeId shape;       // or this one of a rigid body
	uint32_t vertices[4];  // in the caller's order; of an obstacle by the corners of its surface
	double shares[4];      // of them in the nearest points; those of a side add up to 1
	plVec3 point;          // the nearest point of the second side, m
	plVec3 normal;         // from there to that of the first
	double distance;       // between the two, m
	plVec3 force;          // on the first side, push and friction, N; the second feels the opposite
	bool sticks;           // friction holds the pair; false: it slips, or nothing rubs
} plPairContact;

// All pairs of surfaces that push each other, those of a vertex and a triangle first: in the same way. The order is
// always the same for the same state. Of a fold of one body the pairs are here, too.
PL_API size_t plWorld_GetPairContacts(const plWorld* world, plPairContact* contacts, size_t capacity);

// ---- crossings --------------------------------------------------------------------------------------------------

// Pairs of triangles that cross, where bodies are now: of cloth, and of the surfaces of bodies of tets, of one body and
// of two. Two triangles cross if they have a point in common that is not in a vertex or an edge that both have; to
// touch is enough. The answer is exact: no tolerance, no rounding. Sorted by the first triangle, then by the second:
// bodies in the order of creation, triangles by their numbers. *count is how many there are, of which at most
// `capacity` are written. pl_success or pl_errorMemory; the first call after bodies came or went makes a tree, later
// ones take no memory unless more crosses than before. A triangle that is not finite crosses nothing. The world stays
// as it is.
PL_API plResult plWorld_FindCrossings(plWorld* world, plCrossing* crossings, size_t capacity, size_t* count,
                                      plError* error);
PL_API plResult plWorld_CountCrossings(plWorld* world, size_t* count, plError* error);

// Which surfaces of soft bodies and cloth touch in a world as it is: plContactDef with nothing left to choose.
typedef struct plSurfaceContact
{
	bool bodies;        // those of different bodies, and of obstacles with corners and edges
	plSelfContact self; // never pl_selfAuto
	double thickness;   // m; 0: nothing touches
	size_t crossings;   // pairs of triangles that are to touch and cross: a step refuses them, or ignores them
	plMethod method;    // that takes the steps
	// Surfaces may pass through each other: it was left to the world whether they touch, and the method or the model of
	// contact cannot keep them apart.
	bool isMissing;
} plSurfaceContact;

// pl_success; pl_errorInput: the thickness is too large for a body; pl_errorMemory. The world stays as it is.
PL_API plResult plWorld_GetSurfaceContact(plWorld* world, plSurfaceContact* contact, plError* error);

#include "rigid.h"      // events, contacts and queries of rigid bodies
#include "cloth.h"      // sheets of triangles
#include "seam.h"       // sewing
#include "joint.h"      // joints of rigid bodies
#include "attachment.h" // vertices fastened to rigid bodies
#include "air.h"        // wind on cloth, pressure in it

#endif
