// world.h: what a world is made of
//
// State is one block for the whole world, by quads (base/layout.h). A body is a range of vertices in an order
// that keeps neighbours together; the caller's order shows only at the interface (body->internalOf).
#ifndef PL_WORLD_H
#define PL_WORLD_H

#include "pliant/pliant.h"
#include "../base/slots.h"
#include "../collide/crossing_search.h"
#include "../collide/shape.h"
#include "../energy/attachment.h"
#include "../energy/callback.h"
#include "../energy/grab.h"
#include "../energy/push.h"
#include "../energy/guide.h"
#include "../energy/pressure.h"
#include "../energy/spring.h"
#include "../energy/wind.h"
#include "../energy/elements.h"
#include "../material/material.h"
#include "../method/method.h"
#include "../problem/backend.h"
#include "cloth.h"
#include "integrator.h"
#include "motion.h"
#include "near.h"
#include "rigid.h"

typedef struct plSoftBody
{
	size_t vertexStart; // in the world's block
	size_t vertexCount;
	size_t tetCount;
	size_t materialCount;
	uint32_t* internalOf;  // [vertexCount] caller's vertex -> place in the body's range
	double* rest;          // [3 vertexCount] caller's order, m
	uint32_t* tets;        // [4 tetCount] caller's order and vertices
	uint32_t* tetMaterial; // [tetCount]; NULL: there is one material
	plMaterial* materials; // [materialCount] the body's, then those of its regions
	bool* isBodys;         // [materialCount] the region has no material of its own
	plDamping damping;
	double extent;     // longest edge of its box at rest, m
	double* blend;     // [tetCount] weights of conversion, caller's order; NULL: no material of it converts
	size_t batchStart; // its batches in the world's tets, once prepared
	size_t batchEnd;
	uint32_t* tetOf; // [8 (batchEnd - batchStart)] caller's tet of a lane; UINT32_MAX: filling
	size_t tetOfCount;
	plCloth* cloth; // a sheet of triangles; NULL: a body of tets. A cloth has no tets and no materials
} plSoftBody;

typedef struct plPin
{
	char* name;    // NULL: none. First of all, for names.c
	uint32_t body; // its slot
	size_t count;
	uint32_t* vertices; // [count] caller's order
	double* from;       // [3 count] where they were when the pin was made
	uint8_t axes;
	plMotion motion; // with its centre worked out and its axes of unit length
	bool driven;     // it was told its targets: the motion no longer counts
	double* last;    // [3 count] if driven: where the last step ended
	double* target;  // [3 count] if driven: where the next one ends
	double release;
	double stiffness; // 0: hard
	uint8_t* own;     // [count] axes that it claimed in the last substep; none of a soft one
} plPin;

typedef struct plForce
{
	char* name;    // NULL: none. First of all, for names.c
	uint32_t body; // its slot
	size_t count;
	uint32_t* vertices; // [count] caller's order
	plVec3 force;
	plVec3 traction;
	double* area; // [count] share of the surface at rest, m^2; NULL: no traction
	double from, until;
	bool applied; // in the last substep
} plForce;

typedef struct plSprings
{
	char* name; // NULL: none. First of all, for names.c
	bool toPoints;
	uint32_t a, b; // slots of bodies; a twice if the springs end at points
	size_t count;
	uint32_t* vertices; // [2 count] caller's order; with points only the first of each pair counts
	double* points;     // [3 count], or NULL
	double* rest;       // [count]
	double stiffness;
} plSprings;

typedef struct plSeam
{
	char* name;    // NULL: none. First of all, for names.c
	uint32_t a, b; // slots of bodies
	size_t count;
	uint32_t* vertices; // [2 count] caller's order: of a, of b
	double* from;       // [count] distances when it was made, m
	uint8_t* broken;    // [count] see seams.c
	double start;       // when that was, s
	double length, close, stiffness, breakForce, gap;
} plSeam;

// A vertex of a body, as its caller names it
typedef struct plCorner
{
	uint32_t body; // its slot
	uint32_t vertex;
} plCorner;

typedef struct plPressure
{
	uint32_t body;     // its slot, the first of them
	size_t count;      // triangles
	plCorner* corners; // [3 count] of bodies that are sewn together; NULL: those of the body
	double pressure;   // Pa
	bool inwards;      // triangles face inwards
	bool isGas;
	double ambient; // Pa
	double fill;    // s
	// in saved states, if it is a gas or is filled
	double start;  // s
	double from;   // n R T then, J
	double volume; // where it has its pressure, m^3
	double least;  // see plGas, m^3
} plPressure;

// The caller's own. Its elements live as long as it does; they are no row of terms.c.
typedef struct plOwnEnergy
{
	plCallbackEnergy* energy;
	plCorner* corners; // [cornerCount elementCount]
	plEnergyBeginFcn* begin;
	char* name;
	size_t nameBytes;
} plOwnEnergy;

typedef struct plGrab
{
	uint32_t body;       // its slot
	size_t start, count; // its elements in plWorld::grabEnergy
	double stiffness;    // N/m, as the next two of all vertices together
	double damping;      // kg/s
	double maxForce;     // N
	double before[3];    // where its point was when the last substep of the last step began, m
	double last[3];      // where that step ended
	double target[3];    // where the next one ends
	double force[3];     // at the end of the last step, N
} plGrab;

typedef struct plCollider
{
	char* name; // NULL: none. First of all, for names.c
	plShape shape;
	double friction;  // below 0: the world's
	double thickness; // the same
	plVec3 surfaceVelocity;
	plMotion motion; // with its centre worked out and its axes of unit length
	bool driven;     // it was told where to be: the motion no longer counts
	plPose last;     // if driven: where that step ended
	plPose target;   // if driven: where the next one ends
} plCollider;

// Where a vertex holds on to a collider, at the end of the last step.
typedef struct plWorldGrip
{
	uint32_t body;     // its slot
	uint32_t vertex;   // place in the body's range
	uint32_t collider; // key of the obstacle
	double point[3];   // m
} plWorldGrip;

// What the balance of a step needs; all NULL unless the world is asked for it (balance.c).
typedef struct plBalanceRoom
{
	plProblem* exact;   // the world's problem in double
	plPoint *from, *to; // where a substep begins and ends
	plPoint* along;     // the way between them, as if it were a state
	plTangent *way, *gradient;
	double* move;      // by quads: the same way, m
	double* reaction;  // by quads: forces of pins, N
	double* stiffness; // [3 pinCount] of soft pins at the start of the substep, N/m
	double* target;    // [3 pinCount] where they drew to, m
	size_t pinCount;
	double* force; // [forceCount] of the elements of one term, N
	size_t forceCount;
	double* partial; // of sums
	size_t partialCount;
	double elastic; // of tets at the start of the substep, converted as they were then, J
} plBalanceRoom;

// Triangles that others may touch, of all bodies one after the other, each in its own order
struct plSurfaces
{
	plTriangleTree tree;
	plCrossingSearch search;
	uint32_t* corners;     // [3 count] vertices as their bodies' callers name them; of shells, those of the tree
	uint32_t* bodies;      // [bodyCount] slots
	size_t* triangleStart; // [bodyCount + 1]
	size_t count, bodyCount, cornerRoom;
};

// What is worked out from the bodies before a step: made and dropped as one, see prepare.c. [n] stands for the
// vertices.
typedef struct plPrepared
{
	bool done; // all of it
	plLayout layout;
	bool elementsDone; // the tets, and the arrays below
	plElements elements;
	uint8_t* boundary;    // [n] 1: on the surface of a body; NULL: nobody has asked yet
	plSurfaces* surfaces; // of all bodies; NULL: the same
	plFacets facets;      // zeros: the same
	plNear* near;         // NULL: surfaces do not meet

	// energies besides tets, one for each row of the table in terms.c
	plEnergy** energies; // NULL where there are no elements
	bool* made;
	bool termsDone;
	plEnergySet terms;                           // the energies that are terms of E
	plSpringEnergy *innerSprings, *pointSprings; // some of them, or NULL
	plSpringEnergy *clothSprings, *seams;
	plAttachmentEnergy* attachments;
	plGuideEnergy* guide;
	plWindEnergy* wind;
	plPressureEnergy* pressures;
	plPushEnergy* push; // a term if contact is by energy; with projection a list of vertices and colliders

	plProblem* problem;
	plMethodState* method;
	const plMethodType* methodType;
	double* y;         // by quads: inertial target
	double* qStart;    // by quads: q at the start of a step with several substeps; else NULL, as the next three
	double* vStart;    // by quads: v there
	double* qOldStart; // by quads: qOld there
	double* vOldStart; // by quads: vOld there
	double* load;      // by quads: external forces, N; NULL: there are none
	double* reaction;  // by quads: forces of pins
	uint8_t* held;     // [quads] axes held in this substep
	uint8_t* heldNew;  // [quads]
	double* partial;   // of sums
	size_t partialCount;
	plPoint* next;   // where the step ends
	plPoint* here;   // where it starts, pins moved; NULL: the guess does not look at the objective there
	plPoint* rubbed; // where an epoch's friction was taken
	plTangent* gradient;
	plTangent* work; // for pl_guessOptimal and for projection only
	// The last thing that happened was a step: reaction, load, gradient and the terms are those of its end, and q is
	// where it ended
	bool measured;
	plBalanceRoom balance;
} plPrepared;

struct plWorld
{
	plHeap heap;
	plPool* pool;
	plVec3 gravity;
	double timestep;
	int substeps;
	plIntegrator integrator;
	plSolverDef solver;
	plSolverDef bodySolver; // avbd, in the place of auto
	plContactDef contactDef;
	bool sleep;
	bool balance;
	plLogFcn* log;
	void* logContext;

	uint64_t stepCount;
	uint64_t timeStep0; // time = time0 + (stepCount - timeStep0) timestep
	double time0;

	// plSoftBody, plPin, plForce, plSprings, plCollider, plGrab, plOwnEnergy, plPressure, plSeam
	plSlots softs, pins, forces, springs, colliders, grabs, energies, pressures, seams;
	plGrabEnergy grabEnergy; // elements of all grabs
	plRigids rigids;
	plWindDef wind;
	bool hasWind;

	// the state and what belongs to it; n vertices
	plLayout layout;
	size_t vertexCapacity;
	double* q;    // by quads: positions, m
	double* v;    // by quads: velocities, m/s
	double* qOld; // by quads: both at the start of the last substep: for integrators, guesses, and to go back to
	double* vOld;
	// by quads: what a substep ends with; before that, its first guess in the making. Then the three of a kind change
	// places, so that these hold what qOld and vOld were: to go back to.
	double* qNext;
	double* vNext;
	double* mass;                     // [n] kg
	bool hasHistory;                  // qOld and vOld belong to q and v
	double kept[pl_keptLimit];        // loaded before the method that keeps them was made
	double keptAtStart[pl_keptLimit]; // the method's at the start of a step
	double lastFinish;                // ms that the last step took to finish
	bool hasKept;
	plWorldGrip* grips; // [gripRoom] the first gripCount of them ascend
	size_t gripCount, gripRoom;
	plNearGrip* nearGrips; // [nearGripRoom] of friction between surfaces: the first nearGripCount of them ascend
	size_t nearGripCount, nearGripRoom;
	plCrossingPair* crossed; // [crossedRoom] of near_crossed.c, as they were at the end of the last step
	size_t crossedCount, crossedRoom;
	bool knowsCrossed; // somebody looked which triangles cross at the start
	plSunk* sunk;      // [sunkRoom] of near_sunk.c, the same
	size_t sunkCount, sunkRoom;
	bool knowsSunk;      // somebody looked who has sunk into an obstacle
	double* shellPlaces; // [shellRoom] by threes: where vertices of shells are, if one is behind its obstacle, m
	size_t shellCount, shellRoom; // numbers; 0: none is behind

	const plBackendType* backend;
	plPrepared prepared;
};

// body.c
void plSoftBody_Free(plSoftBody* body, plHeap* heap);
plSoftBody* plWorld_GetSoftBody(const plWorld* world, plBodyId id); // asserts that it is live
// Does the body exist, and is it soft? `what` takes it as its member `field`.
plResult plWorld_CheckSoft(const plWorld* world, const char* what, const char* field, plBodyId body, plError* error);
// Does the body exist, and do the vertices that `what` selects?
plResult plWorld_CheckSelection(const plWorld* world, const char* what, plBodyId body, const uint32_t* vertices,
                                size_t count, plError* error);

plResult plDamping_Check(plDamping damping, plError* error);
// The steps of making a body: its vertices along a curve (false: no memory), its size, and its place in the world.
// `mass` [vertexCount] in the order of its range, kg. A null id: no memory, and the body is still the caller's
plResult plSoftBody_CheckTransform(const plTransform* transform, plError* error);
bool plSoftBody_OrderVertices(plSoftBody* body, plHeap* heap);
double plSoftBody_GetExtent(const plSoftBody* body);
plBodyId plWorld_AddSoftBody(plWorld* world, plSoftBody* body, plVec3 velocity, const double* mass);
// The triangles that others may touch: the boundary of the tets, or the whole cloth. [3 *faceCount] from `heap`
plResult plSoftBody_FindSurface(const plSoftBody* body, plHeap* heap, uint32_t** faces, size_t* faceCount);

// crossings.c: the surfaces of all bodies, in one tree that later calls fit to where they are. NULL: no memory
plSurfaces* plWorld_NeedSurfaces(plWorld* world);
// New ones, of bodies and then of shells, if not NULL; `places` of all their points by quads. NULL: no memory
plSurfaces* plWorld_MakeSurfaces(plWorld* world, const plShells* shells, const double* places);
void plSurfaces_Destroy(plSurfaces* surfaces, plHeap* heap);
void plWorld_DropSurfaces(plWorld* world);

// query_cloth.c: the largest ratio of an edge of a cloth to its length in matter; 0: there is no cloth
double plWorld_GetClothStretch(const plWorld* world);
// Forces of membranes, bending and springs of a cloth on its vertices, N; by quads, of all vertices. Elements are
// prepared, and prepared.next is where the world is
void plWorld_AddClothForces(plWorld* world, const plSoftBody* body, double* forces);

// prepare.c: the solver in force: auto leaves a world in which nothing but rigid bodies moves to avbd
const plSolverDef* plWorld_GetSolver(const plWorld* world);
// Elements, problem and method for the bodies as they are
void plWorld_GetRest(const plWorld* world, double* rest); // by quads, of vertices
plResult plWorld_Prepare(plWorld* world, plError* error);
void plWorld_Unprepare(plWorld* world);
// The method only, or the problem with it; what the method keeps from step to step stays with the world
void plWorld_UnprepareMethod(plWorld* world);
void plWorld_UnprepareProblem(plWorld* world);
// Materials or damping of bodies changed, and which of them convert did not: elements take them in place. False: no
// memory, and elements are as they were
bool plWorld_RefillElements(plWorld* world);
// matter.c: what stands on the numbers of elements follows them
void plWorld_FollowElements(plWorld* world);
// What a problem says of the materials: elements that are dear, and what projective would refuse
void plWorld_DescribeMatter(const plWorld* world, plProblem* problem);
// The world's problem in any precision, with work arrays of its own; NULL: error
plProblem* plWorld_OpenProblem(plWorld* world, plPrecision precision, double* reaction, plError* error);

// state.c: does a step look at the state one substep earlier?
bool plWorld_LooksBack(const plWorld* world);

// step.c: what a substep begins with: inertial target, loads, attachments, energies. plWorld_Collide and plWorld_Guess
// come next, in this order
void plWorld_Predict(plWorld* world, int substep);
// Marks of a step: the start of substep 0, 1, ...; mark `substeps` is the step's end.
double plWorld_GetSubstepTime(const plWorld* world, int mark);

// balance_room.c: memory for it, if the world is asked for it
plResult plWorld_PrepareBalance(plWorld* world, plError* error);
void plWorld_DropBalance(plWorld* world);
// balance.c: the start of a substep, before plWorld_Predict; and its end at qNext, before grips are taken: adds to the
// balance. pl_success or pl_errorMemory
void plWorld_BeginBalance(plWorld* world);
plResult plWorld_AddBalance(plWorld* world, const plIntegratorType* integrator, int mark, plBalance* balance,
                            plError* error);

// terms.c: energies besides tets, for bodies, springs, pins and colliders as they are
bool plWorld_PrepareTerms(plWorld* world); // false: no memory
void plWorld_UnprepareTerms(plWorld* world);
// Something was created or is about to be destroyed: drops what depends on it, and what stands on that
typedef enum plChange
{
	pl_changeBodies = 0, // everything
	pl_changeSprings = 1,
	pl_changePins = 2, // soft ones
	pl_changeColliders = 4,
	pl_changeDamping = 8, // of bodies
	pl_changeEnergies = 16,
	pl_changeWind = 32, // it came or went
	pl_changePressures = 64,
	pl_changeSeams = 128,
} plChange;
void plWorld_ChangeTerms(plWorld* world, unsigned changes);

// blend.c: weights of conversion: from bodies to elements and back, and in saved states
bool plSoftBody_Converts(const plSoftBody* body);
void plWorld_SpreadBlend(plWorld* world);
void plWorld_KeepBlend(plWorld* world);
size_t plWorld_CountBlend(const plWorld* world);
void plWorld_SaveBlend(const plWorld* world, char* out);
plResult plWorld_CheckBlend(const plWorld* world, const char* in, plError* error);
void plWorld_LoadBlend(plWorld* world, const char* in);

// grips.c: where vertices hold on to colliders: from the world to the push energy and back, and in saved states
bool plWorld_ReserveGrips(plWorld* world, size_t count); // false: no memory
bool plWorld_SpreadGrips(plWorld* world,
                         plPushEnergy* push); // false: no memory, which need not be feared a second time
void plWorld_KeepGrips(plWorld* world);       // there is room for them
// Those of a body's slot, or of an obstacle's key; UINT32_MAX: of none
void plWorld_DropGrips(plWorld* world, uint32_t body, uint32_t collider);
size_t plWorld_GetGripBytes(size_t count);
void plWorld_SaveGrips(const plWorld* world, char* out);
plResult plWorld_CheckGrips(const plWorld* world, const char* in, size_t count, plError* error);
void plWorld_LoadGrips(plWorld* world, const char* in, size_t count); // there is room for them

// near_grips.c: what the springs of friction between surfaces hold: to their energy and back, and in saved states
bool plWorld_ReserveNearGrips(plWorld* world, size_t count);        // false: no memory
bool plWorld_SpreadNearGrips(plWorld* world, plNear* near);         // as plWorld_SpreadGrips
void plWorld_KeepNearGrips(plWorld* world);                         // there is room for them
plResult plWorld_TakeNearGrips(plWorld* world, const double* q);    // at the end of a substep, at q
void plWorld_DropNearGrips(plWorld* world, const plSoftBody* body); // those of a body
// Its vertices go, and it has none any more.
void plWorld_CloseNearGrips(plWorld* world, const plSoftBody* body);
void plWorld_OpenNearGrips(plWorld* world, size_t count); // so many vertices come behind those that are there
void plWorld_DropShellGrips(plWorld* world);              // those on obstacles
size_t plWorld_GetNearGripBytes(size_t count);
void plWorld_SaveNearGrips(const plWorld* world, char* out);
plResult plWorld_CheckNearGrips(const plWorld* world, const char* in, size_t count, plError* error);
void plWorld_LoadNearGrips(plWorld* world, const char* in, size_t count); // there is room for them

// near_crossed.c: triangles that have not parted yet: to the list of a step and back, and in saved states
bool plWorld_ReserveCrossed(plWorld* world, size_t count); // false: no memory
bool plWorld_SpreadCrossed(plWorld* world, plNear* near);  // as plWorld_SpreadGrips
void plWorld_KeepCrossed(plWorld* world);                  // there is room for them
void plWorld_ForgetCrossed(plWorld* world);                // the next step looks anew
plResult plWorld_CheckCrossed(plWorld* world, const char* in, size_t count, plError* error);
void plWorld_LoadCrossed(plWorld* world, bool knows, const char* in, size_t count); // there is room for them

// near_sunk.c: the same of bodies in obstacles
bool plWorld_ReserveSunk(plWorld* world, size_t count);
bool plWorld_SpreadSunk(plWorld* world, plNear* near);
void plWorld_KeepSunk(plWorld* world);
void plWorld_ForgetSunk(plWorld* world);

// shells.c
size_t plWorld_CountShellVertices(const plWorld* world); // under the method in force
size_t plWorld_CountSavedVertices(const plWorld* world); // at most in a saved state: under whatever method
bool plShells_Create(plShells* shells, const plWorld* world, plHeap* heap); // into zeros; false: no memory
void plShells_Destroy(plShells* shells, plHeap* heap);
// To where obstacles are at the start and at the end of the substep
void plShells_Move(plShells* shells, const plPushEnergy* push);
// Where the matter is when the substep begins that would be at `start` if surfaces did not run
void plShells_GetSlipStart(const plShells* shells, const plPushEnergy* push, double* places);
// Where they were made, as far as they are fixed; others in the axes of their shape. By quads
void plShells_GetRest(const plShells* shells, const plWorld* world, double* places);
bool plShells_AreStill(const plShells* shells);                        // in this substep
bool plShells_IsPlain(const plShells* shells, uint32_t a, uint32_t b); // the edge between two vertices
void plWorld_MoveShells(plWorld* world, plNear* near, bool isFirst);   // at the start of a substep of a step
bool plWorld_ReserveShells(plWorld* world, size_t count);              // numbers; false: no memory
// In saved states: bodies in obstacles, and where shells are. There is room for them
size_t plWorld_GetShellBytes(size_t sunkCount, size_t shellCount);
void plWorld_SaveShells(const plWorld* world, char* out);
plResult plWorld_CheckShells(const plWorld* world, const char* in, size_t sunkCount, size_t shellCount, plError* error);
void plWorld_LoadShells(plWorld* world, bool knows, const char* in, size_t sunkCount, size_t shellCount);
void plWorld_KeepShells(plWorld* world); // a step was taken
// Obstacles changed, or one is elsewhere by a jump; `made`: one came or went
void plWorld_ForgetShells(plWorld* world, bool made);

// driven.c: pins, colliders and grabs that were told where to be, in saved states. Numbers are doubles
size_t plWorld_CountDriven(const plWorld* world);
void plWorld_SaveDriven(const plWorld* world, char* out);
plResult plWorld_CheckDriven(const plWorld* world, const char* in, size_t count, plError* error);
void plWorld_LoadDriven(plWorld* world, const char* in, size_t count);

// Material of a tet among those of its body.
static inline uint32_t plSoftBody_GetMaterial(const plSoftBody* body, size_t tet)
{
	return body->tetMaterial != NULL ? body->tetMaterial[tet] : 0;
}

// guess.c: where the substep that ends at a mark starts under a solver, in `next`, and what pins hold in it. Values are
// those of `problem`.
typedef struct plGuessRoom
{
	plPoint* next;
	plPoint* here; // q with pins moved, if plGuess_LooksAround(solver->guess); else it may be NULL
	plTangent* g;  // for pl_guessOptimal, as the next
	plTangent* work;
} plGuessRoom;

bool plGuess_LooksAround(plGuess guess);
bool plGuess_LooksBack(plGuess guess); // to the velocities of the substep before
void plWorld_Guess(plWorld* world, const plSolverDef* solver, plProblem* problem, const plGuessRoom* room, int mark);

// names.c: of pins, forces, springs, colliders and seams. A name may be NULL
// Is it a name, and does nothing else in the world have it?
plResult plWorld_CheckName(const plWorld* world, const char* name, plThing thing, plError* error);
const char* plWorld_GetNameOf(const void* item); // of one of these things
const plSlots* plWorld_GetThings(const plWorld* world, plThing thing);
bool plName_Copy(char** to, const char* name, plHeap* heap); // false: no memory
void plName_Free(char* name, plHeap* heap);

// pins.c
void plPin_Free(plPin* pin, plHeap* heap);
// Which axes hard pins hold at a mark: added to `held`. Each is claimed by the last pin that holds it, for that is the
// one that puts it in its place
void plWorld_ClaimAxes(plWorld* world, int mark, uint8_t* held);
// Of a soft attachment on its vertex at q, N
void plWorld_GetAttachmentForce(const plWorld* world, size_t attachment, double force[3]);
void plWorld_ApplyPins(plWorld* world, int mark, double* q, uint8_t* held);
// Where soft attachments draw their vertices to at a mark; their order is that of plWorld_PrepareTerms. The first one
// writes into arrays [3 attachments], and says whether a stiffness is another than the one there before.
bool plWorld_PlaceAttachments(const plWorld* world, int mark, double* stiffness, double* target);
void plWorld_MoveAttachments(plWorld* world, int mark);
// A stiffness of a term changed: what stands on it and is made less often than in every substep is made anew
void plWorld_ChangeStiffness(plWorld* world);
void plWorld_FinishPins(plWorld* world); // a step was taken

// forces.c
void plForce_Free(plForce* force, plHeap* heap);
void plWorld_ApplyForces(plWorld* world, double time);
double plForce_GetMass(const plForce* force, const plWorld* world); // of its vertices
// On vertex number i of its list, at `at` in the world; `mass` as above
void plForce_GetLoad(const plForce* force, const plWorld* world, double mass, size_t i, size_t at, double load[3]);

// springs.c
void plSprings_Free(plSprings* springs, plHeap* heap);

// seams.c
void plSeam_Free(plSeam* seam, plHeap* heap);
size_t plSeam_CountBroken(const plSeam* seam);
bool plWorld_MakeSeams(plWorld* world, plEnergy** made);                 // false: no memory
void plWorld_MoveSeams(plWorld* world, int mark);                        // at the start of the substep that ends there
void plWorld_BreakSeams(plWorld* world, plStepReport* report);           // at the end of a step, and
void plWorld_MendSeams(plWorld* world);                                  // if that step counts for nothing
size_t plWorld_GetFirstStitch(const plWorld* world, const plSeam* seam); // its place among the elements
size_t plWorld_CountSeamNumbers(const plWorld* world);                   // of a saved state
void plWorld_SaveSeams(const plWorld* world, char* out);
plResult plWorld_CheckSeams(const plWorld* world, const char* in, plError* error);
void plWorld_LoadSeams(plWorld* world, const char* in);

// wind.c
bool plWorld_MakeWind(plWorld* world, plEnergy** made); // false: no memory
void plWorld_BlowWind(plWorld* world, int mark);        // at the start of the substep that ends there

// pressures.c
void plPressure_Free(plPressure* pressure, plHeap* heap);
bool plPressure_Holds(const plPressure* pressure, uint32_t body);
bool plWorld_MakePressures(plWorld* world, plEnergy** made); // false: no memory
void plWorld_MovePressures(plWorld* world, int mark);        // at the start of the substep that ends there
size_t plWorld_CountPressureNumbers(const plWorld* world);   // of a saved state
void plWorld_SavePressures(const plWorld* world, char* out);
plResult plWorld_CheckPressures(const plWorld* world, const char* in, plError* error);
void plWorld_LoadPressures(plWorld* world, const char* in);

// grabs.c
bool plWorld_PrepareGrabs(plWorld* world); // for bodies as they are; false: no memory
void plWorld_RemoveGrab(plWorld* world, plGrab* grab);
void plWorld_MoveGrabs(plWorld* world, const plSubstep* substep,
                       int mark);         // at the start of the substep that ends there
void plWorld_FinishGrabs(plWorld* world); // a step was taken

// energies.c
void plOwnEnergy_Free(plOwnEnergy* energy, plHeap* heap);
bool plOwnEnergy_Holds(const plOwnEnergy* energy, uint32_t body); // a vertex of a slot
void plWorld_PlaceEnergies(plWorld* world);                       // bodies stand elsewhere in the state
void plWorld_BeginEnergies(plWorld* world, int mark);             // at the start of the substep that ends there
// After a minimisation, which may have made do without a Hessian: pl_errorNumeric if one was not finite.
plResult plWorld_CheckEnergies(const plWorld* world, plError* error);
// A step failed. If a number was not finite, and an energy gave one that was not, the words say so.
void plWorld_BlameEnergies(const plWorld* world, plError* error);

// colliders.c
void plCollider_Free(plCollider* collider, plHeap* heap);
plPose plCollider_GetPose(const plWorld* world, const plCollider* collider, int mark);
bool plCollider_IsMoved(const plCollider* collider);
void plWorld_FinishColliders(plWorld* world); // a step was taken

// near.c: contact of surfaces with surfaces
// near_contacts.c: adds what pairs do to the vertices of a body, in the caller's order
void plWorld_AddNearForces(const plWorld* world, const plSoftBody* body, double* forces);
// The points that an obstacle, by its key, pushes as a surface, and the forces on them, N
typedef void plShellForceFcn(const double x[3], const double force[3], void* context);
void plWorld_VisitShellForces(const plWorld* world, uint32_t key, plShellForceFcn* visit, void* context);
static inline double plContactDef_GetPairFriction(const plContactDef* def)
{
	return def->pairFriction < 0.0 ? def->friction : def->pairFriction;
}
static inline bool plNear_IsOnSurface(const plWorld* world, const plNear* near, size_t point)
{
	return plNear_IsShell(near, point) || world->prepared.boundary[point] != 0;
}
// near_choice.c: is it asked of a method that takes it?
plResult plContactDef_CheckMethod(const plContactDef* def, plMethod method, plError* error);
// What is done, with the solver in force: bodies touch each other; which touch themselves; anything touches something
bool plWorld_BodiesMeet(const plWorld* world);
plSelfContact plWorld_GetSelf(const plWorld* world);
bool plWorld_MeetsItself(const plWorld* world, const plSoftBody* body);
bool plWorld_AnyMeet(const plWorld* world);
bool plWorld_AnyOthers(const plWorld* world); // has a soft body another one beside it, or a surface of an obstacle?
// The least median edge of what touches anything, and the least thickness that suits it, m; pl_errorInput: the
// thickness that was given is too much for it
plResult plNear_MeasureBodies(plWorld* world, double* edge, double* thickness, plError* error);
// r, and a reach that makes pairs few; surfaces are listed. False: no memory
bool plNear_ChooseRadius(plWorld* world, plNear* near, double edge, double thickness);
// near.c: the r of a world in which something meets, and which triangles that are to touch cross
plResult plWorld_AskNear(plWorld* world, double* radius, size_t* crossings, plError* error);
plResult plWorld_PrepareNear(plWorld* world, plError* error); // elements are prepared
void plWorld_DropNear(plWorld* world);
void plWorld_FollowMethod(plWorld* world); // the solver in force may be another: drops what it cannot do
// At the start of a substep, the first of a step or another: lists nothing
void plWorld_BeginNear(plWorld* world, const plSubstep* substep, bool isFirst);
// Friction of the first epoch, after a search about the state: pl_success or pl_errorMemory
plResult plWorld_LagNear(plWorld* world);
plResult plWorld_SearchNear(void* world, const double* places);
plResult plWorld_SearchAhead(void* world, const double* places, const double* ways, double scale, double* share);
extern const plPairSource plWorld_pairs;
// Refuses surfaces that cross at q, once for bodies as they are; and not again until they were put elsewhere
plResult plWorld_CheckNear(plWorld* world, plError* error);
double plWorld_TakeSearchMs(plWorld* world); // of searches since the last call
void plWorld_ReportNear(const plWorld* world, plStepReport* report);
// near_way.c: after a guess, its way there
plResult plWorld_ApproachNear(plWorld* world, plError* error);
// Are pins or obstacles behind, and, after a minimisation: they go on from there. *goesOn: another one is worth while
bool plWorld_LagsNear(const plWorld* world);
plResult plWorld_CatchUpNear(plWorld* world, bool* goesOn, plError* error);
// near_apart.c: before a step; after a guess, leaves surfaces out of the substep if they are expected to stay apart,
// and goes to the guess if not; after the minimisation. False: they have met all the same, and the step is to be taken
// again
void plWorld_BeginApart(plWorld* world);
plResult plWorld_ApproachOrLeaveOut(plWorld* world, plError* error);
bool plWorld_StayedApart(plWorld* world);

// obstacles.c: what soft bodies meet: colliders, then shapes of rigid bodies that are not dynamic, each by slots
typedef struct plObstacle
{
	const plShape* shape;
	const plCollider* collider;     // this one,
	const plRigidShape* rigidShape; // or this one; both NULL: before the first
	uint32_t key;                   // slot of the collider, or of the shape with PL_RIGID_BIT; ascends
} plObstacle;

bool plWorld_NextObstacle(const plWorld* world, plObstacle* obstacle); // starts from zeros; false: there is none
size_t plWorld_CountObstacles(const plWorld* world);
void plWorld_MoveObstacles(plWorld* world, int mark);   // to where they are at a mark, the end of a substep
bool plWorld_MakePush(plWorld* world, plEnergy** made); // false: no memory
bool plWorld_NeedBoundary(plWorld* world);              // found once for bodies as they are; false: no memory
// Stiffness of the elements at every vertex across its surface, N/m: of membranes, what tension of the strain `taut`
// gives them
void plWorld_FillAcross(const plWorld* world, double taut, double* across);

// colliders.c: contact in a step
bool plWorld_Touches(const plWorld* world, const plSoftBody* body); // a collider, at q, if contact is by energy
plResult plWorld_Collide(plWorld* world, plError* error);           // at the start of a substep
// For a guess q: colliders that move take along what they meet, but for what is held
void plWorld_SweepGuess(plWorld* world, const uint8_t* held, double* q);
// At its end, before velocities: projection, or grips; forces. pl_success or pl_errorMemory
plResult plWorld_FinishContact(plWorld* world, const plSubstep* substep, double* q, plError* error);
// Where projection moved vertices: the residual there, with the forces of contact that are reported, in place of the
// one before
void plWorld_JudgeProjection(plWorld* world, plLoopReport* loop);
void plWorld_ReportContact(const plWorld* world, plStepReport* report);

#endif
