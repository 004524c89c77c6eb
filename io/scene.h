// scene.h: a scene being read, and a scene that was read
//
//   scene.c          the file, the top level, the public functions
//   scene_options.c  what the command line changes in the tree
//   scene_value.c    typed values out of the tree, problems with their place
//   scene_solver.c   solver and output
//   scene_word.c     a solver as one word of the command line
//   scene_material.c materials
//   scene_body.c     bodies by their kinds; soft ones: transform, regions
//   scene_cloth.c    cloth: membrane, bending, chart, regions
//   scene_mesh.c     meshes: files, boxes, balls
//   scene_rigid.c    rigid bodies: where they are, how they move
//   scene_solid.c    their shapes
//   scene_pairs.c    their materials, and pairs of these
//   scene_array.c    arrays and pyramids of them, and the surface of all together
//   scene_frame.c    what a frame shows of a body
//   scene_shape.c    generated tubes and cloth
//   scene_select.c   "where": vertices or tets of a body
//   scene_motion.c   "motion" of pins and colliders
//   scene_pin.c      pins and forces
//   scene_spring.c   springs
//   scene_seam.c     seams
//   scene_joint.c    joints: types, axes, places
//   scene_joint_body.c   whom they join
//   scene_joint_make.c   their defs, and joints in the world
//   scene_attachment.c   vertices fastened to rigid bodies
//   scene_air.c      wind and pressures
//   scene_collider.c colliders and contact
//   scene_name.c     names of pins, forces, springs, colliders, seams and joints
//   scene_world.c    the world of a scene
//
// Reading goes on after a problem, so that all are reported at once. What a problem concerns is left at its default.
#ifndef PL_IO_SCENE_H
#define PL_IO_SCENE_H

#include "json.h"
#include "pliant/io.h"

// A mesh file with its repair, read once whatever the number of bodies.
typedef struct plSceneMesh
{
	char* path; // NULL: generated
	plRepair repair;
	plMesh* mesh;            // NULL: it could not be read, or the file has frames
	plColliderFrames frames; // of a collider, by malloc
} plSceneMesh;

// An entry of "materials": how rigid bodies slide and bounce.
typedef struct plSceneMaterial
{
	const char* name;
	double density;                   // kg/m^3; 0: it says none
	double friction, slidingFriction; // below 0: it says none
	double restitution;
} plSceneMaterial;

// An entry of "pairs".
typedef struct plScenePair
{
	const plJson* place;
	size_t order;  // in the file
	uint32_t a, b; // places of the materials from 1 on, a <= b
	plMaterialPair values;
} plScenePair;

// A rigid body, or an array of bodies that are alike but for their places.
typedef struct plSceneRigid
{
	plRigidBodyDef def;
	plShapeDef* shapes; // [shapeCount] of each; their points are the scene's
	size_t shapeCount;
	plVec3* places; // [count] where their frames start
	plBodyId* ids;  // [count] null until there is a world
	size_t count;
	size_t row;      // of an array: so many one after the other are neighbours; else 1
	plMesh* shell;   // the surface of one in its frame; NULL: it has planes alone
	plMesh* surface; // of all, where they start, one after the other
} plSceneRigid;

typedef struct plSceneBody
{
	const char* name;
	const plJson* place;
	plBodyId id;         // null until there is a world
	plSceneRigid* rigid; // NULL: it is soft
	plSoftBodyDef soft;  // its mesh is one of plScene::meshes; NULL: it could not be read
	plRegionDef* regions;
	plMaterialDef* regionMaterials;
	uint32_t** regionTets; // of each region
	bool isCloth;          // then mesh and transform of `soft` are the cloth's, and nothing else of it counts
	plClothDef cloth;
	plFabric fabric; // its name is NULL: none
	plClothRegionDef* clothRegions;
	plMembraneDef* regionMembranes;
	plBendingDef* regionBendings;
} plSceneBody;

typedef struct plScenePin
{
	const plJson* place;
	size_t body; // index
	uint32_t* vertices;
	plPinDef def;
} plScenePin;

typedef struct plSceneForce
{
	const plJson* place;
	size_t body;
	uint32_t* vertices;
	plForceDef def;
} plSceneForce;

typedef struct plSceneSprings
{
	const plJson* place;
	size_t a, b; // bodies; b is SIZE_MAX for the world
	uint32_t* pairs;
	double* points;
	plSpringsDef def;
} plSceneSprings;

typedef struct plSceneSeam
{
	const plJson* place;
	size_t bodies[2];
	uint32_t* pairs;       // NULL: none were given
	uint32_t* vertices[2]; // NULL: the same
	plSeamDef def;
} plSceneSeam;

typedef enum plSceneJointType
{
	pl_sceneBall,
	pl_sceneFixed,
	pl_sceneHinge,
	pl_sceneSlider,
	pl_sceneUniversal,
	pl_sceneConeTwist,
	pl_sceneWheel,
	pl_sceneDistance,
	pl_sceneRope,
	pl_sceneSpring,
	pl_sceneSix,
	pl_sceneJointCount
} plSceneJointType;

#define pl_sceneWorld SIZE_MAX // in the place of a body
#define pl_sceneEach SIZE_MAX  // in the place of a member

typedef struct plSceneEnd
{
	size_t body;   // its index
	size_t member; // of its array
} plSceneEnd;

typedef struct plSceneJoint
{
	const plJson* place;
	const char* name; // NULL: none
	plSceneJointType type;
	plSceneEnd ends[2];
	bool isChain; // of the array ends[0].body
	size_t count; // of joints; of a chain, of its bodies. 0: it could not be read
	plVec3 at[2];
	plVec3 axis, second; // `second` is "up" or "axis_b"
	bool hasAxis, hasUp;
	double cone, twist; // rad
	double length;      // m; below 0: that of now
	plAxisDef axes[pl_jointAxisCount];
	unsigned given; // bits: axes that are in the place of the type's
	double breakForce, breakTorque;
	bool collide;
} plSceneJoint;

typedef struct plSceneAttachments
{
	const plJson* place;
	size_t body;
	plSceneEnd to;
	uint32_t* vertices;
	plAttachmentsDef def;
} plSceneAttachments;

typedef struct plScenePressure
{
	const plJson* place;
	size_t body;
	size_t* bodies; // [bodyCount] in its place, if several were named
	plBodyId* ids;  // [bodyCount] theirs, once there is a world
	size_t bodyCount;
	plPressureDef def;
} plScenePressure;

struct plScene
{
	char* file; // as the caller named it
	char* name;
	char* text;       // of the tree
	char* difference; // last answer of plScene_FindDifference
	plJsonStore store;
	plJson* root;
	plWorldDef world; // without pool, allocator and log
	uint64_t steps, outputEvery, checkpointEvery;
	bool formats[pl_frameFormatCount];
	bool crossings, saysCrossings; // "crossings" of "output", and is it there
	plSceneMesh* meshes;
	size_t meshCount, meshRoom;
	plSceneMaterial* materials;
	size_t materialCount;
	plScenePair* pairs; // ascending by materials
	size_t pairCount;
	plSceneBody* bodies;
	size_t bodyCount;
	plScenePin* pins;
	size_t pinCount;
	plSceneForce* forces;
	size_t forceCount;
	plSceneSprings* springs;
	size_t springsCount;
	plSceneSeam* seams;
	size_t seamCount;
	plSceneAttachments* attachments;
	size_t attachmentCount;
	plSceneJoint* joints;
	size_t jointCount;
	plWindDef wind;
	const plJson* windPlace; // NULL: there is none
	plScenePressure* pressures;
	size_t pressureCount;
	plColliderDef* colliders;
	const plJson** colliderPlaces;
	size_t colliderCount;
	plColliderDef* planes; // of rigid bodies, to be drawn
	size_t planeCount, planeRoom;
};

size_t plScene_GetMeshCount(const plScene* scene); // files, generated ones and those of colliders
// A hash of what the mesh holds: vertices, elements, groups.
uint64_t plScene_HashMesh(const plScene* scene, size_t index);
const char* plScene_GetMeshPath(const plScene* scene, size_t index); // NULL: generated

typedef struct plSceneReader
{
	plScene* scene;
	plDiagnostics* diagnostics;
} plSceneReader;

// ---- problems (scene_value.c) ---------------------------------------------------------------------------------------

// At the value, at its key, and for the file as a whole.
void plSceneReader_Fail(plSceneReader* reader, const plJson* at, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
void plSceneReader_FailKey(plSceneReader* reader, const plJson* at, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
// What the library has against a def: at the member of the object that error->field names, else at the object.
void plSceneReader_Blame(plSceneReader* reader, const plJson* object, const plError* error);
void plSceneReader_FailMemory(plSceneReader* reader, const plJson* at, const char* what);

// `expected a number, found the string "9.8"`
void plSceneReader_FailType(plSceneReader* reader, const plJson* at, const char* expected);

// `unknown law "neo"; did you mean "neo-hookean"?`, or the list of all names if none is near. `names` ends with NULL.
void plSceneReader_FailUnknown(plSceneReader* reader, const plJson* at, const char* kind, const char* name,
                               const char* const* names);

// ---- values (scene_value.c) ---------------------------------------------------------------------------------------

typedef enum plRule
{
	pl_ruleAny,
	pl_ruleNonNegative,
	pl_rulePositive
} plRule;

// True for an object; reports another type and each key that is not in `known` (ends with NULL).
bool plSceneReader_CheckObject(plSceneReader* reader, const plJson* node, const char* const* known);
// True for a list; reports another type, `expected` being e.g. "a list of pins", and not that there is none (NULL).
bool plSceneReader_CheckList(plSceneReader* reader, const plJson* node, const char* expected);

// The member, and a problem at the object's place if it is missing.
const plJson* plSceneReader_Require(plSceneReader* reader, const plJson* object, const char* key);

// Member `key` of the object into *value. A missing one leaves *value as it is and is fine. False: a problem was
// reported.
bool plSceneReader_Number(plSceneReader* reader, const plJson* object, const char* key, plRule rule, double* value);
bool plSceneReader_Whole(plSceneReader* reader, const plJson* object, const char* key, uint64_t low, uint64_t high,
                         uint64_t* value);
bool plSceneReader_Text(plSceneReader* reader, const plJson* object, const char* key, const char** value);
bool plSceneReader_Flag(plSceneReader* reader, const plJson* object, const char* key, bool* value);
// `count` numbers from 1 to `high`; a missing member is a problem.
bool plSceneReader_Counts(plSceneReader* reader, const plJson* object, const char* key, uint64_t high, size_t count,
                          size_t* values);
bool plSceneReader_Vector(plSceneReader* reader, const plJson* object, const char* key, plVec3* value);
bool plSceneReader_Pair(plSceneReader* reader, const plJson* object, const char* key, double value[2]);
// The numbers of a list; `expected` says what it is.
bool plSceneReader_GetNumbers(plSceneReader* reader, const plJson* node, size_t count, const char* expected,
                              double* values);
// [ax, ay, az, degrees]: axis of length 1, angle in rad.
bool plSceneReader_Rotation(plSceneReader* reader, const plJson* object, const char* key, plVec3* axis, double* angle);

// The same for a value itself.
bool plSceneReader_GetWhole(plSceneReader* reader, const plJson* node, uint64_t low, uint64_t high, uint64_t* value);
bool plSceneReader_GetVector(plSceneReader* reader, const plJson* node, plVec3* value);

// One of `names` (ends with NULL).
bool plSceneReader_Choice(plSceneReader* reader, const plJson* object, const char* key, const char* kind,
                          const char* const* names, int* choice);

// Zeroed array; reports the failure at `at`. count 0 gives one unused item.
void* plSceneReader_New(plSceneReader* reader, const plJson* at, size_t count, size_t size, const char* what);

// ---- parts --------------------------------------------------------------------------------------------------------

// False: a problem was reported.
bool plSceneReader_ApplyOptions(plSceneReader* reader, const plSceneOptions* options);
// The value of `key=value`: JSON, else a bare string. NULL: a problem was reported.
plJson* plSceneReader_ParseValue(plSceneReader* reader, const char* text, const char* origin);
void plSceneReader_ReadSolver(plSceneReader* reader, const plJson* node);
void plSceneReader_ReadOutput(plSceneReader* reader, const plJson* node);
bool plSceneReader_ReadMaterial(plSceneReader* reader, const plJson* node, plMaterialDef* def);
void plSceneReader_ReadBodies(plSceneReader* reader, const plJson* list);

// scene_pairs.c. Materials of rigid bodies and pairs of them; nodes may be NULL
void plSceneReader_ReadMaterials(plSceneReader* reader, const plJson* node);
void plSceneReader_ReadPairs(plSceneReader* reader, const plJson* list); // after the materials
// By the value that names it; NULL: there is no such value, or a problem was reported
const plSceneMaterial* plSceneReader_FindMaterial(plSceneReader* reader, const plJson* name);
void plSceneReader_ReadRestitution(plSceneReader* reader, const plJson* node, double* restitution);
bool plScene_CreatePairs(plSceneReader* reader, plWorld* world); // false: a problem was reported
// scene_cloth.c. Bodies with "type": "cloth". A membrane and a bending start as their defaults; false: a problem
void plSceneReader_ReadCloth(plSceneReader* reader, const plJson* item, plSceneBody* body);
bool plSceneReader_ReadMembrane(plSceneReader* reader, const plJson* node, plMembraneDef* def);
bool plSceneReader_ReadBending(plSceneReader* reader, const plJson* node, const plMembraneDef* membrane,
                               plBendingDef* def);
void plSceneBody_FreeCloth(plSceneBody* body);
// scene_body.c: what "group" or "where" of a region selects: tets, or triangles of a cloth (malloc)
uint32_t* plSceneReader_ReadRegion(plSceneReader* reader, const plJson* item, const plSceneBody* body, size_t* count);

// scene_solid.c. Shapes of rigid bodies. `isDense`: they all say what they weigh
// The planes of a rigid body, or of "of" in an array, for scene->planes; nothing of what is no such body.
void plSceneReader_ReadPlanes(plSceneReader* reader, const plJson* item);
void plSceneReader_ReadShapes(plSceneReader* reader, const plJson* item, plSceneRigid* rigid, bool* isDense);

// scene_rigid.c. Bodies with "type": "rigid"; `isMember`: the "of" of an array, which has no name of its own
plSceneRigid* plSceneReader_NewRigid(plSceneReader* reader, const plJson* item); // NULL: a problem was reported
void plSceneReader_ReadRigid(plSceneReader* reader, const plJson* item, plSceneRigid* rigid, bool isMember);
bool plScene_CreateRigid(plSceneReader* reader, plWorld* world, const plSceneBody* body); // false: a problem
void plSceneRigid_Destroy(plSceneRigid* rigid);                                           // it may be NULL

// scene_array.c. Bodies with "array" or "pyramid"
bool plSceneReader_IsArray(const plJson* item);
void plSceneReader_ReadArray(plSceneReader* reader, const plJson* item, plSceneRigid* rigid);
// Places of a body that stands alone
bool plSceneReader_PlaceOne(plSceneReader* reader, const plJson* item, plSceneRigid* rigid);
// Once shapes and places are known: shell and surface.
void plSceneReader_MakeSurface(plSceneReader* reader, const plJson* item, plSceneRigid* rigid);

// scene_frames.c. "frames" of a collider with a mesh, NULL if that could not be read: into def->frames, whose arrays
// are the scene's. False: a problem was reported
bool plSceneReader_ReadFrames(plSceneReader* reader, const plJson* node, plColliderDef* def);

// scene_mesh.c. The path from the scene's folder; malloc.
char* plScene_ResolvePath(const char* sceneFile, const char* file);
// Keeps a mesh with the scene, which owns what it holds from now on. NULL: a problem was reported, and all is freed.
plSceneMesh* plSceneReader_Keep(plSceneReader* reader, const plJson* place, plSceneMesh mesh);
void plSceneMesh_Free(plSceneMesh* mesh);
// A mesh of any kind, NULL and a problem on error.
plMesh* plSceneReader_ReadMesh(plSceneReader* reader, const plJson* node);
// Torus, helix or cloth; NULL and a problem on error.
plMesh* plSceneReader_MakeShape(plSceneReader* reader, const plJson* node, const char* kind);
plMesh* plSceneReader_MakeSleeve(plSceneReader* reader, const plJson* node, const char* kind);
plMesh* plSceneReader_MakeKnot(plSceneReader* reader, const plJson* node, const char* kind);
// Keeps a generated mesh with the scene, or reports why there is none.
plMesh* plSceneReader_KeepMesh(plSceneReader* reader, const plJson* node, plMesh* mesh, const plError* error);

// "name" of a pin, a force, springs, a collider, a seam or a joint; NULL: it has none. None of them may share one with
// another
void plSceneReader_ReadName(plSceneReader* reader, const plJson* item, plThing thing, const char** name);
// "from" and "until", in seconds
void plSceneReader_ReadTimes(plSceneReader* reader, const plJson* node, double* from, double* until);
// Node may be NULL: at rest. The motion's keys are malloc'ed.
void plSceneReader_ReadMotion(plSceneReader* reader, const plJson* node, plMotion* motion);
void plSceneReader_ReadPins(plSceneReader* reader, const plJson* list);
void plSceneReader_ReadForces(plSceneReader* reader, const plJson* list);
void plSceneReader_ReadSprings(plSceneReader* reader, const plJson* list);
// scene_spring.c. A body that could not be read has no vertices, and nothing is checked against it
size_t plSceneBody_CountVertices(const plSceneBody* body);
// [i, j], vertices of bodies with so many; `inOne`: both are of one body. `what` they are the ends of
bool plSceneReader_GetEnds(plSceneReader* reader, const plJson* item, const size_t counts[2], const char* what,
                           bool inOne, uint32_t pair[2]);

// scene_seam.c
void plSceneReader_ReadSeams(plSceneReader* reader, const plJson* list);
bool plScene_CreateSeams(plSceneReader* reader, plWorld* world); // false: a problem was reported
void plScene_FreeSeams(plScene* scene);

// scene_joint.c
void plSceneReader_ReadJoints(plSceneReader* reader, const plJson* list);
// scene_joint_body.c: "a" and "b", or "chain". False: a problem was reported, now or with the body
bool plSceneReader_ReadEnds(plSceneReader* reader, const plJson* item, plSceneJoint* joint);
bool plSceneReader_ReadChain(plSceneReader* reader, const plJson* item, plSceneJoint* joint);
// A rigid body, or all or one of an array; `rule` says why it has to be rigid
bool plSceneReader_ReadEnd(plSceneReader* reader, const plJson* node, const char* rule, plSceneEnd* end);
const plSceneRigid* plScene_GetEnd(const plScene* scene, const plSceneEnd* end); // NULL: the world
// scene_joint_make.c
bool plSceneJoint_IsLine(const plSceneJoint* joint); // it joins a point to another one, by a length
void plSceneReader_CheckJoint(plSceneReader* reader, const plSceneJoint* joint);
bool plScene_CreateJoints(plSceneReader* reader, plWorld* world); // false: a problem was reported

// scene_attachment.c
void plSceneReader_ReadAttachments(plSceneReader* reader, const plJson* list);
bool plScene_CreateAttachments(plSceneReader* reader, plWorld* world); // false: a problem was reported
void plScene_FreeAttachments(plScene* scene);

// scene_air.c. The node may be NULL
void plSceneReader_ReadWind(plSceneReader* reader, const plJson* node);
void plSceneReader_ReadPressures(plSceneReader* reader, const plJson* list);
bool plScene_CreateAir(plSceneReader* reader, plWorld* world); // false: a problem was reported
void plScene_FreeAir(plScene* scene);

void plSceneReader_ReadContact(plSceneReader* reader, const plJson* node);
void plSceneReader_ReadColliders(plSceneReader* reader, const plJson* list);
bool plScene_CreateColliders(plSceneReader* reader, plWorld* world); // false: a problem was reported

// A mesh with a surface: the name of a file, or a mesh as bodies have it; NULL and a problem on error.
plMesh* plSceneReader_ReadSurface(plSceneReader* reader, const plJson* node);
void plSceneReader_ReadTransform(plSceneReader* reader, const plJson* node, plTransform* transform); // node may be NULL

// The body that the member `key` names, and its index. A body without a mesh stands for one that does not exist (a
// problem was reported), so that the rest is checked.
const plSceneBody* plSceneReader_ReadBody(plSceneReader* reader, const plJson* item, const char* key, size_t* index);
const plSceneBody* plSceneReader_FindBody(plSceneReader* reader, const plJson* name, size_t* index); // by the value

// Vertices of the body, ascending (malloc); NULL and a problem if there are none. `body` may lack its mesh, then NULL
// without a problem.
uint32_t* plSceneReader_ReadWhere(plSceneReader* reader, const plJson* item, const plSceneBody* body, size_t* count);
// The same by a selection itself; and for tets, or triangles of a cloth
uint32_t* plSceneReader_ReadVertices(plSceneReader* reader, const plJson* node, const plSceneBody* body, size_t* count);
uint32_t* plSceneReader_ReadElements(plSceneReader* reader, const plJson* node, const plSceneBody* body, size_t* count);

// The group of the mesh by its name, else by its number: with elements of `dimension`, or with any if that is -1.
const plMeshGroup* plSceneReader_FindGroup(plSceneReader* reader, const plJson* name, const plMesh* mesh,
                                           int dimension);

#endif
