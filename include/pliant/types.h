// types.h: definitions of a world and of what lives in it. pliant.h includes this.
#ifndef PLIANT_TYPES_H
#define PLIANT_TYPES_H

#include "base.h"
#include "id.h"
#include "math.h"
#include "mesh.h"
#include "material.h"
#include "solver.h"
#include "report.h"

// ---- world and what lives in it ---------------------------------------------------------------------------------

typedef enum plIntegrator
{
	pl_integratorImplicitEuler, // first order in the time step, loses energy
	pl_integratorBdf2, // second order, loses much less; the first step, and one after a jump, is implicit Euler
	pl_integratorCount
} plIntegrator;

PL_API const char* plIntegrator_GetName(plIntegrator integrator); // as in scenes; NULL: there is none

// How bodies are kept out of colliders.
typedef enum plContactModel
{
	// a push that grows with depth, and friction, as terms of the objective; when a step has converged, friction goes
	// by the normal forces at its end
	pl_contactEnergy,
	pl_contactProjection, // the minimisation ignores colliders; then vertices inside are moved out
} plContactModel;

// Do surfaces of different soft bodies and cloths touch?
typedef enum plMutualContact
{
	pl_bodiesNone,
	pl_bodiesAll,  // refused with a method that cannot keep them apart
	pl_bodiesAuto, // if the method can, and contact is by energy
} plMutualContact;

// Whose surfaces touch themselves.
typedef enum plSelfContact
{
	pl_selfNone,
	pl_selfCloth, // cloth, all of it
	pl_selfAll,   // cloth and soft bodies
	pl_selfAuto,  // cloth, if the method can keep it apart, and contact is by energy
} plSelfContact;

// What becomes of surfaces that cross when a world takes its first step, or after bodies came or were placed anew.
typedef enum plIntersections
{
	pl_intersectionsRefuse, // the step fails, with the list; nothing has changed
	pl_intersectionsIgnore, // triangles that cross do not touch until they have parted
} plIntersections;

typedef struct plContactDef
{
	plContactModel model;
	double thickness; // m: vertices nearer than this touch
	double friction;  // Coulomb's coefficient, for colliders that have none of their own
	// N/m of a vertex, for the energy; 0: 12 times m/h^2 plus the stiffness of the elements at the vertex, of membranes
	// a tenth
	double stiffness;

	// Surfaces of soft bodies and cloth that touch each other: a push that grows without bound as their distance falls
	// to 0, and steps that cross no surface. Only with pl_contactEnergy, and methods of plMethod_TakesPairs
	plMutualContact bodies; // those of different bodies do; default auto
	plSelfContact self;     // those of one body do; default auto
	// m: surfaces nearer than this push; at most half the median edge of their triangles. 0: the thickness of cloth,
	// from 1/16 to 1/8 of the edge; of soft bodies 1/8; and at most half of what different bodies are apart where they
	// were made
	double pairThickness;
	double pairFriction; // Coulomb's coefficient between surfaces; below 0: `friction`
	plIntersections intersections;
} plContactDef;

typedef struct plWorldDef
{
	plVec3 gravity;  // m/s^2
	double timestep; // s
	int substeps;
	plIntegrator integrator;
	plSolverDef solver;
	plContactDef contact;
	bool sleep;            // rigid bodies that come to rest stop, and cost no time until something wakes them
	bool balance;          // reports say where energy comes from and goes to, for some evaluations in double a substep
	const char* backend;   // where it is computed, by plGetBackendName; NULL: the first one, "cpu"
	plPool* pool;          // shared, not owned; NULL: the calling thread alone
	plAllocator allocator; // allocate == NULL: malloc and free
	plLogFcn* log;         // NULL: silent
	void* logContext;
	uint32_t cookie;
} plWorldDef;

// Every def can be checked before there is a world: pl_success, or pl_errorInput with words and the member at fault in
// `field`. What creates a thing from a def checks it too. Bodies and vertices are looked up there only.
PL_API plResult plContactDef_Check(const plContactDef* def, plError* error);
PL_API plResult plWorldDef_Check(const plWorldDef* def, plError* error); // with its solver and contact

// Gravity -9.81 along y, 1/60 s, auto; contact by energy, 1 mm, friction 0.3; rigid bodies may sleep.
PL_API plWorldDef plDefaultWorldDef(void);

// Tets of a body with their own material or density.
typedef struct plRegionDef
{
	const uint32_t* tets; // indices into the mesh's tets
	size_t tetCount;
	const plMaterialDef* material; // NULL: the body's
	double density;                // kg/m^3; 0: the body's
} plRegionDef;

// Takes energy out of a body. The integrator does so, too. As data: options.h
typedef struct plDamping
{
	double air;     // 1/s: force -air m v on every vertex
	double viscous; // Pa s: a stress of viscous times the rate of Green strain; resists neither fall nor rotation
} plDamping;

typedef struct plSoftBodyDef
{
	const plMesh* mesh; // used only while the body is created
	plTransform transform;
	double density; // kg/m^3
	plMaterialDef material;
	const plRegionDef* regions; // later ones win
	size_t regionCount;
	plVec3 velocity; // m/s
	plDamping damping;
	uint32_t cookie;
} plSoftBodyDef;

PL_API plSoftBodyDef plDefaultSoftBodyDef(void);                               // 1000 kg/m^3
PL_API plResult plSoftBodyDef_Check(const plSoftBodyDef* def, plError* error); // without its materials

// What a rigid motion follows in time.
typedef enum plMotionKind
{
	pl_motionLine, // by `translate` and `rotateAngle` in total, between `from` and `until`; held before and after
	pl_motionKeys, // from key to key; held before the first and after the last
	pl_motionSine, // by `translate` and `rotateAngle` times sin(2 pi frequency (t - from) + phase)
	pl_motionCount
} plMotionKind;

typedef enum plEase
{
	pl_easeLinear, // at constant speed
	pl_easeSmooth, // starts and ends at speed 0, as does every stretch between two keys
	pl_easeCount
} plEase;

// Where a motion is at a time: moved and turned from where it began.
typedef struct plMotionKey
{
	double time;        // s
	plVec3 translate;   // m
	plVec3 rotateAxis;  // zero: no rotation
	double rotateAngle; // rad
} plMotionKey;

// A rigid motion of pins and colliders from where they are when they are created: x -> centre + R (x - centre) +
// translate. Between two keys with one axis the angle goes from one to the other, several turns if it says so; between
// keys with different axes the turn takes the shorter way. All zeros: at rest.
typedef struct plMotion
{
	plMotionKind kind;
	plEase ease;        // line, keys
	plVec3 translate;   // m; line: in total, sine: amplitude
	plVec3 rotateAxis;  // zero: no rotation
	double rotateAngle; // rad, as translate
	plVec3 centre; // a point of the axis, if hasCentre; else the mean of the pinned vertices, or the collider's middle
	bool hasCentre;
	double from;             // s; line, sine
	double until;            // s; line, sine: later than `from`, there is no default. A sine's may be INFINITY
	const plMotionKey* keys; // two at least, times ascending; copied
	size_t keyCount;
	double frequency; // Hz, of a sine
	double phase;     // rad, of a sine
} plMotion;

enum
{
	pl_axisX = 1,
	pl_axisY = 2,
	pl_axisZ = 4,
	pl_axisAll = 7,
	pl_turnX = 8, // turns about the axes, of rigid bodies
	pl_turnY = 16,
	pl_turnZ = 32,
	pl_turnAll = 56
};

// Vertices held, axis by axis, where they are when the pin is created, or moved from there along `motion`.
typedef struct plPinDef
{
	plBodyId body;
	const uint32_t* vertices; // in the mesh's order
	size_t vertexCount;
	unsigned axes; // of pl_axisX ...
	plMotion motion;
	double release;   // s; INFINITY: never
	double stiffness; // N/m of each vertex: a soft pin, which draws its vertices by springs; 0: it holds them
	const char* name; // see plReaction; copied, NULL: it has none
	uint32_t cookie;
} plPinDef;

PL_API plPinDef plDefaultPinDef(void); // at rest: a motion of its own says when it ends
PL_API plResult plPinDef_Check(const plPinDef* def, plError* error);

// A dead load. `force` in all is shared among the vertices in proportion to their mass. `traction` acts on the boundary
// triangles whose three vertices are all selected, by their area at rest; each vertex takes a third.
typedef struct plForceDef
{
	plBodyId body;
	const uint32_t* vertices;
	size_t vertexCount;
	plVec3 force;       // N
	plVec3 traction;    // Pa
	double from, until; // s
	const char* name;   // see plReaction; copied, NULL: it has none
	uint32_t cookie;
} plForceDef;

PL_API plForceDef plDefaultForceDef(void);
PL_API plResult plForceDef_Check(const plForceDef* def, plError* error);

// Springs k/2 (l - L)^2 between vertices of a body, of two bodies, or of a body and fixed points.
typedef struct plSpringsDef
{
	plBodyId a;
	plBodyId b;           // may be a; null: the springs end at `points`
	const double* points; // [3 pointCount] m
	size_t pointCount;
	const uint32_t* pairs; // [2 count] vertex of a, vertex of b or number of a point
	size_t count;
	double stiffness; // k of each, N/m
	double rest;      // L of each, m; below 0: the length when it is created
	const char* name; // see plReaction; copied, NULL: they have none
	uint32_t cookie;
} plSpringsDef;

PL_API plSpringsDef plDefaultSpringsDef(void); // rest length: the length when they are created
PL_API plResult plSpringsDef_Check(const plSpringsDef* def, plError* error);

// A hand, or a mouse, that draws vertices of a body to a point. Each vertex is drawn to where it was against the point
// when it was grabbed, by its share of the force. Spring and damper together never exceed maxForce.
typedef struct plGrabDef
{
	plBodyId body;
	plVec3 point;             // m: the vertices within `radius` of it are grabbed, the nearest one at least
	double radius;            // m
	const uint32_t* vertices; // in the place of the two above; their mean by mass is the point. NULL: the two above
	size_t vertexCount;
	double maxForce;  // N, in all; 0: ten times the weight of the body at 9.81 m/s^2
	double stiffness; // N/m, in all; 0: maxForce at a tenth of the diagonal of the body's box at rest
	double damping;   // 1: critical for a free body as a whole, against the speed of the point
	uint32_t cookie;
} plGrabDef;

PL_API plGrabDef plDefaultGrabDef(void); // the nearest vertex, critically damped
PL_API plResult plGrabDef_Check(const plGrabDef* def, plError* error);

// An energy of the caller's own. The function is asked about elements first .. first + count - 1 at once. Numbers of an
// element stand together, element by element:
//
//   x         [3 cornerCount] positions of its corners, m
//   value     [1] E, J
//   gradient  [3 cornerCount] dE/dx, N: minus the force
//   hessian   [3 cornerCount][3 cornerCount] second derivatives, N/m, both triangles
//
// What is NULL is not asked for: any of the three. E must be twice differentiable but for kinks of its force. Where E
// is not defined it may be infinite: such a state is never entered, if the one before it was not. What it says of an
// element must not depend on what is asked for, nor on the other elements. Several threads call it at once. It must
// give the same bits for the same positions, and may not call the library.
typedef void plEnergyFcn(size_t first, size_t count, const double* x, double* value, double* gradient, double* hessian,
                         void* context);

// Called on one thread before anything is asked about a substep of `timestep` seconds that ends at `time`: for energies
// that depend on time. All that follows is known from the two and from `context`.
typedef void plEnergyBeginFcn(double time, double timestep, void* context);

// Elements of one kind, each a function of the positions of its corners.
typedef struct plEnergyDef
{
	const char* name;         // for messages; copied
	plBodyId body;            // of all corners,
	const plBodyId* bodies;   // or [cornerCount elementCount] of each. NULL: `body`
	const uint32_t* vertices; // [cornerCount elementCount] in the order of their meshes; copied, as all arrays are
	size_t cornerCount;       // of an element, one at least
	size_t elementCount;
	plEnergyFcn* evaluate;
	plEnergyBeginFcn* begin; // NULL: nothing depends on time
	void* context;           // handed to both; outlives the energy
	// [elementCount] the largest eigenvalue of an element's Hessian that is to be expected, N/m. quasi-newton and its
	// kin are preconditioned by it. NULL, or 0 for an element: that of the Hessian at rest at time 0
	const double* stiffness;
	bool isStored; // its value counts as elastic energy in reports
	uint32_t cookie;
} plEnergyDef;

PL_API plEnergyDef plDefaultEnergyDef(void); // stored; without elements
// The members by themselves. plCreateEnergy compares vertices with the bodies, and derivatives with differences.
PL_API plResult plEnergyDef_Check(const plEnergyDef* def, plError* error);

typedef enum plShapeKind
{
	pl_shapePlane,
	pl_shapeSphere,
	pl_shapeCapsule,
	pl_shapeBox,
	pl_shapeMesh,     // a closed surface
	pl_shapeHull,     // the convex hull of points: rigid bodies only
	pl_shapeCylinder, // the same
} plShapeKind;

// Where the vertices of a mesh are at times: a surface that changes its form, as a walking body does. Between two times
// they go on straight lines at constant speed; before the first and after the last they stay. Everything is copied: so
// where a collider is depends on the time alone, which a saved state knows, and all frames are checked before the first
// step. A function that is called back could promise neither.
typedef struct plColliderFrames
{
	size_t count;            // 0: there are none
	size_t vertexCount;      // that of the mesh
	const double* times;     // [count] s, ascending
	const double* positions; // [3 vertexCount count] m, frame by frame in the order of the mesh's vertices
} plColliderFrames;

// Where the vertices are at a time: [3 vertexCount]. There is at least one frame.
PL_API void plColliderFrames_GetPositions(const plColliderFrames* frames, double time, double* positions);

// Something that bodies cannot enter, fixed or moving. Only the fields of its shape are used.
typedef struct plColliderDef
{
	plShapeKind shape;
	plVec3 normal;           // plane: towards the free side, of any length but 0
	double offset;           // plane: its points x have n.x = offset (m), n the normal scaled to length 1
	plVec3 centre;           // sphere, box
	double radius;           // sphere, capsule (m)
	plVec3 a, b;             // capsule: ends of its axis
	plVec3 size;             // box: lengths of its edges (m)
	plQuat rotation;         // box: about its centre
	const plMesh* mesh;      // used only while the collider is created; a mesh of tets gives its surface
	plTransform transform;   // mesh, and its frames
	plColliderFrames frames; // mesh: how it changes its form; used only while the collider is created
	double friction;         // Coulomb's coefficient; below 0: the world's
	double thickness;        // m; below 0: the world's, but 0 for a mesh when contact is by energy
	plMotion motion;         // from where the fields above put it
	plVec3 surfaceVelocity;  // m/s: the surface runs like a belt though the shape stays; turns with it. Only what lies
	                         // along the surface counts
	const char* name;        // see plReaction; copied, NULL: it has none
	uint32_t cookie;
} plColliderDef;

PL_API plColliderDef plDefaultColliderDef(void); // the ground: a plane through the origin, y upwards
// Looks at the surface of a mesh too, which takes as long as creating the collider; pl_errorMemory if there is none.
PL_API plResult plColliderDef_Check(const plColliderDef* def, plError* error);

// What may have a name. A name is UTF-8 of 1 to 200 bytes without control characters. No two things of a world have the
// same one, of whatever kinds they are.
typedef enum plThing
{
	pl_thingPin,
	pl_thingForce,
	pl_thingSprings,
	pl_thingCollider,
	pl_thingSeam,
	pl_thingJoint,
	pl_thingAttachments,
	pl_thingCount
} plThing;

PL_API const char*
plThing_GetName(plThing thing); // "pin", "force", "springs", "collider", "seam", "joint", "attachments"

// What a thing with a name does to bodies, at the end of the last step.
typedef struct plReaction
{
	const char* name; // until the thing is destroyed
	plThing thing;
	plVec3 force; // N; see plPin_GetForce, plForce_GetForce, plSprings_GetForce, plCollider_GetForce, plSeam_GetForce,
	              // plJoint_GetForce, plAttachments_GetForce
} plReaction;

// A vertex that touches a collider or a shape of a rigid body, at the end of the last step; or a point between vertices
// that a corner or an edge of a box or a hull touches. Those of a body come after its vertices.
typedef struct plContact
{
	plBodyId body;
	uint32_t vertex;       // in the caller's order; of a point between vertices the one with the largest share in it
	plColliderId collider; // this one,
	plShapeId shape;       // or this one; the other is null
	plVec3 point;          // of the collider's surface, the one nearest to the vertex, m
	plVec3 normal;         // of the surface there, away from the collider
	double distance;       // from there to the vertex along the normal, m; below 0: the vertex is inside
	plVec3 force;          // of the collider on the vertex, push and friction, N
	bool sticks;           // friction holds the vertex; false: it slips, or nothing rubs
} plContact;

// Two triangles of surfaces of soft bodies or cloth that have a point in common besides vertices and edges of both:
// plWorld_FindCrossings.
typedef struct plCrossing
{
	plBodyId bodies[2];      // may be one
	uint32_t triangles[2];   // of cloth, in the order of the mesh; of tets, of plMeshView.surface of their mesh
	uint32_t vertices[2][3]; // theirs, in the caller's order
} plCrossing;

// ---- rigid bodies -----------------------------------------------------------------------------------------------

typedef enum plRigidMotion
{
	pl_rigidDynamic,   // flies, and takes forces
	pl_rigidKinematic, // goes where its path or the caller says, whatever is in its way
	pl_rigidStatic,    // stays
	pl_rigidMotionCount
} plRigidMotion;

// A rigid body has a frame: its shapes are placed in it, and it is what `position` and `rotation` say. The centre of
// mass follows from the shapes.
typedef struct plRigidBodyDef
{
	plRigidMotion motion;
	plVec3 position; // m: the origin of its frame
	plQuat rotation;
	plVec3 velocity; // m/s, of that origin; dynamic bodies
	plVec3 spin;     // rad/s, in the axes of the world; dynamic bodies
	plMotion path;   // kinematic bodies: from position and rotation on, about `position` unless it has a centre
	double mass;     // kg; 0: that of its shapes. Else they are taken as heavy as that together
	double
	    inertia[6];  // kg m^2: xx yy zz xy xz yz about the centre of mass in the axes of the frame; zeros: the shapes'
	unsigned locked; // axes of the world that it cannot move along, pl_axisX ..., or turn about, pl_turnX ...
	double air;      // 1/s: a force -air m v and a torque -air I w
	uint32_t cookie;
} plRigidBodyDef;

PL_API plRigidBodyDef plDefaultRigidBodyDef(void); // dynamic, at rest in the origin, mass from its shapes
PL_API plResult plRigidBodyDef_Check(const plRigidBodyDef* def, plError* error);

// A solid that belongs to a rigid body. Only the fields of its kind are used. In its own axes:
//   plane     the half-space y <= 0                  static bodies only
//   sphere    `radius` about the origin
//   capsule   `radius` about an axis of `length` along y, the origin in its middle
//   cylinder  the same with flat ends
//   box       edges `size`, the origin in its middle
//   hull      the convex hull of `points`, or else of the vertices of `mesh`
//   mesh      the triangles of `mesh`, or the surface of its tets; need not be closed. Static bodies only
typedef struct plShapeDef
{
	plShapeKind kind;
	double radius;        // m
	double length;        // m
	plVec3 size;          // m
	const double* points; // [3 pointCount] m; these and the mesh are used only while the shape is created
	size_t pointCount;
	const plMesh* mesh;
	plTransform local;      // from its axes to those of the body's frame; its scale is 1
	double density;         // kg/m^3; 0: it adds no mass
	double friction;        // Coulomb's coefficient, of static friction; below 0: the world's (plContactDef)
	double slidingFriction; // below 0: as friction
	double restitution;     // 0 to 1: share of the speed of approach that it bounces back with
	uint32_t material;      // a number of the caller's, for plWorld_SetMaterialPair; 0: none
	plVec3 surfaceVelocity; // m/s, in its axes: the surface runs like a belt
	bool sensor;            // it notices what overlaps it, and pushes nothing
	// Two shapes of one group other than 0 meet if it is above 0, and never meet if it is below. All others meet if the
	// mask of each has a bit of the category of the other. Soft bodies count as category 1, and take all.
	uint64_t category, mask;
	int32_t group;
	uint32_t cookie;
} plShapeDef;

PL_API plShapeDef plDefaultShapeDef(void); // a box of 1 m, 1000 kg/m^3, category 1, mask of all
// Looks at the points and the mesh, too, which takes as long as creating the shape; pl_errorMemory if there is none.
PL_API plResult plShapeDef_Check(const plShapeDef* def, plError* error);
// The surface of a shape as a mesh of triangles, outward, in the shape's own axes: to draw it. Round ones have `sides`
// around them, at least 8, rounded up to a multiple of 4. A plane has no end and is refused. NULL on error.
PL_API plMesh* plCreateShapeMesh(const plShapeDef* def, int sides, const plAllocator* allocator, plError* error);

#endif
