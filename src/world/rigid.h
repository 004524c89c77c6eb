// rigid.h: rigid bodies and their shapes, as a world holds them
//
//   p, q   centre of mass (m), and the turn of the body's frame     x = p + R(q) (X - centre), X in the frame
//   v, w   velocity of the centre of mass (m/s), spin (rad/s), both in the axes of the world
//
// The state is kept at the centre of mass, where flight is simplest; the caller sees the frame. What is not dynamic has
// its centre in the origin of its frame, so that it is where it was told to be, to the bit.
//
// Bodies and shapes stand in slots, and everything goes in the order of slots.
#ifndef PL_RIGID_H
#define PL_RIGID_H

#include "pliant/pliant.h"
#include "../base/slots.h"
#include "../collide/shape.h"
#include "../collide/solid.h"
#include "joints.h"
#include "motion.h"
#include "touch.h"
#include "vertex_meets.h"

enum
{
	pl_rigidNumbers = 13 // of a state
};

#define PL_RIGID_BIT 0x80000000u // of index1 in ids of rigid bodies, and of the keys of their shapes as obstacles

// 13 doubles without gaps: hashed and saved as they are.
typedef struct plRigidState
{
	double p[3];
	plQuat q;
	double v[3];
	double w[3];
} plRigidState;

// Where a substep would end if nothing touched the body; of one that is not dynamic, where it ends.
typedef struct plFlight
{
	plRigidState end;
	double inertia[6]; // I_y: there, in the axes of the world, kg m^2: xx yy zz xy xz yz
} plFlight;

// How a dynamic body rests (sleep.c).
typedef struct plRest
{
	double still; // s for which it has been slow; 0 of one that sleeps
	bool sleeps;
	uint32_t island; // slot of the first body of its island, while islands are found
	uint32_t next;   // if it sleeps: slot of the next one of its island, round and round
	double least;    // of the first body of an island: the shortest time for which one of it has been slow
	bool held;       // of the first body of an island: something that is not dynamic bears one of it
} plRest;

typedef struct plRigid
{
	plRigidMotion motion;
	plRigidState state;
	plRigidState start; // at the start of the step: to go back to
	plFlight flight;    // of this substep
	uint32_t pose;      // its number among dynamic bodies that are awake, once predicted: zeta + 8 pose

	double mass;            // kg; INFINITY: not dynamic
	double centre[3];       // of mass, in the frame, m
	double moments[3];      // principal, kg m^2
	plQuat axes;            // from principal axes to those of the frame
	double givenMass;       // by the def; 0: by the shapes
	double givenInertia[6]; // the same; zeros: by the shapes
	unsigned locked;
	double air;           // 1/s
	uint32_t firstShape1; // slot + 1 of its first shape; they ascend
	uint32_t firstJoint1; // slot + 1 of the joint that was made last

	// of a dynamic body: through the next step
	double force[3];  // N
	double torque[3]; // N m

	plRest rest;
	plRest startRest; // at the start of the step

	// of a kinematic body
	plMotion path;
	plPose origin; // of its frame, where the path starts: turn and place
	bool driven;   // it was told where to be: the path no longer counts
	bool moves;    // in this substep
	plPose target; // if driven: where the next step ends
} plRigid;

typedef struct plRigidShape
{
	uint32_t body;  // its slot
	uint32_t next1; // slot + 1 of the next shape of its body; 0: none
	// what is read of every pair, side by side
	plSolid solid;   // in its own axes
	plSite now;      // where it is when a substep begins
	double travel;   // how far a point of it may get in the substep, m
	double friction; // static
	double slidingFriction;
	double restitution;
	double surfaceVelocity[3]; // `run` in the axes of the frame
	uint32_t material;         // 0: none
	// the rest
	plTransform local;
	plSite site;      // `local`, from its axes to those of the frame
	plShape* soft;    // what soft bodies may meet, in the axes of the frame; NULL: they never do, or it is dynamic
	plShape* met;     // the same of a dynamic body, once vertices came near
	double density;   // kg/m^3
	bool slidesAlike; // slidingFriction is as friction
	plVec3 run;       // velocity of the surface in its own axes, m/s
	bool sensor;
	uint64_t category, mask;
	int32_t group;
	double reach; // the farthest that a point of it may be from the body's centre of mass, m
	bool settled; // its body sleeps, and all of that is up to date
} plRigidShape;

// Pairs of materials that were set, ascending by their keys.
typedef struct plRigidPairs
{
	struct plRigidPair* at; // [count]
	size_t count, room;
} plRigidPairs;

typedef struct plRigids
{
	plSlots bodies;      // plRigid
	plSlots shapes;      // plRigidShape
	plSlots joints;      // plJoint
	plSlots attachments; // plAttachments
	size_t dynamicCount, asleepCount;
	size_t movingCount; // kinematic bodies that move in this substep
	// dynamic bodies that are awake by their poses, once predicted; room for all that there are
	uint32_t* flying; // [flyingCount] their slots, ascending
	double* zeta;     // [8 flyingCount] two quads each, d and w: by how much they leave their flight (base/layout.h)
	size_t flyingCount;
	size_t room;
	plRigidPairs pairs;
	plTouches touches;
	plVertexTouches vertexTouches;
} plRigids;

static inline bool plBodyId_IsRigid(plBodyId id)
{
	return (id.index1 & PL_RIGID_BIT) != 0;
}

// Soft bodies are of category 1.
static inline bool plRigidShape_AdmitsSoft(const plRigidShape* shape)
{
	return !shape->sensor && (shape->mask & 1) != 0;
}

// As an obstacle: it is not dynamic.
static inline bool plRigidShape_MeetsSoft(const plRigidShape* shape)
{
	return shape->soft != NULL && plRigidShape_AdmitsSoft(shape);
}

static inline plShapeId plRigids_GetShapeId(const plRigids* rigids, uint32_t slot)
{
	return (plShapeId){slot + 1, rigids->shapes.generations[slot]};
}

// rigid.c
void plRigids_Init(plRigids* rigids, plHeap* heap);
void plRigids_Destroy(plRigids* rigids, plHeap* heap);
plRigid* plWorld_FindRigid(const plWorld* world, plBodyId id); // NULL: there is none
plRigid* plWorld_GetRigid(const plWorld* world, plBodyId id);  // asserts that it is live
void plWorld_DestroyRigid(plWorld* world, plBodyId id);
plTransform plRigid_GetFrame(const plRigid* rigid, const plRigidState* state);
void plRigid_SetFrame(const plRigid* rigid, plRigidState* state, const plTransform* frame); // of unit rotation
void plRigid_Lock(const plRigid* rigid, plRigidState* state);                               // stops what is locked
plResult plWorld_CheckRigids(const plWorld* world, plError* error);                         // can a step be taken?

// rigid_shapes.c
plRigidShape* plWorld_GetRigidShape(const plWorld* world, plShapeId id); // asserts that it is live
// Checks the def. pl_success: the solid is the caller's to destroy
plResult plShapeDef_MakeSolid(plSolid* solid, const plShapeDef* def, plHeap* heap, plError* error);
plResult plShapeDef_CheckMaterial(const plShapeDef* def, plError* error); // density, friction, ... without its solid
void plRigidShape_SetRun(plRigidShape* shape, plVec3 velocity);           // of its surface, in its own axes
void plRigidShape_Free(plRigidShape* shape, plHeap* heap);
void plWorld_Weigh(plWorld* world, plRigid* rigid); // mass, centre and moments, from its shapes
// What soft bodies meet of a body changes, or where it is by a jump: its grips are dropped, terms too if `made` or
// destroyed
void plWorld_ChangeObstacles(plWorld* world, const plRigid* rigid, bool made);
void plWorld_ChangeObstacle(plWorld* world, uint32_t shape, bool made); // the same for one shape
void plWorld_PlaceShapes(plWorld* world, const plRigid* rigid);         // the body was put elsewhere
// Puts it there, and wakes what it touched; one that is not dynamic also wakes what is there: nothing else would
void plWorld_JumpRigid(plWorld* world, plRigid* rigid, const plTransform* frame);

// rigid_pairs.c
void plRigidPairs_Destroy(plRigidPairs* pairs, plHeap* heap);
// Friction, sliding friction and restitution of a contact between two shapes
void plRigids_MixMaterials(const plRigids* rigids, const plRigidShape* a, const plRigidShape* b,
                           plBodyContact* contact);

// rigid_flight.c
void plRigid_GetInertia(const plRigid* rigid, plQuat q, double inertia[6]); // in the axes of the world
void plRigid_GetMomentum(const plRigid* rigid, plQuat q, const double w[3], double L[3]);
void plRigid_GetSpin(const plRigid* rigid, plQuat q, const double L[3], double w[3]); // 0 about what is locked
// A substep of h that ends at a mark: flights, and zeta is 0. Then solvers may write zeta.
void plWorld_PredictRigids(plWorld* world, double h, int mark);
void plWorld_FlyRigids(plWorld* world, double h);    // dynamic ones only, anew, because some woke
void plWorld_FinishRigids(plWorld* world, double h); // from flights and zeta to the state
void plWorld_KeepRigids(plWorld* world);             // at the start of a step
void plWorld_RestoreRigids(plWorld* world);          // after a failed one
void plWorld_EndRigids(plWorld* world);              // a step was taken: forces are forgotten
void plWorld_AddRigidEnergies(const plWorld* world, double* kinetic, double* potential);

// sleep.c
bool plRigid_IsActive(const plRigid* rigid);            // it may move in this substep
void plWorld_WakeRigid(plWorld* world, plRigid* rigid); // with its island, if it sleeps; else its rest is over
void plWorld_WakeAll(plWorld* world);
void plWorld_WakeTouching(plWorld* world, uint32_t shape); // what has a contact with a shape
bool plWorld_WakeTouched(plWorld* world);                  // by what is active, by manifolds; true: some woke
void plWorld_RestRigids(plWorld* world);                   // after a step: who falls asleep
void plWorld_LinkSleepers(plWorld* world);                 // who sleeps, and contacts, were set: islands from them

// rigid_state.c: in hashes and saved states, in doubles
uint64_t plWorld_HashRigids(const plWorld* world, uint64_t hash);
size_t plWorld_CountRigidNumbers(const plWorld* world);
void plWorld_SaveRigids(const plWorld* world, char* out);
plResult plWorld_CheckRigidNumbers(const plWorld* world, const char* in, plError* error);
void plWorld_LoadRigids(plWorld* world, const char* in);

#endif
