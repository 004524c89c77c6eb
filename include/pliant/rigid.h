// rigid.h: what rigid bodies do to each other: events of a step, contacts, filters; and queries of where shapes are
//
//   plContactEvents events = plWorld_GetContactEvents(world);
//   for (size_t i = 0; i < events.hitCount; ++i)
//       playSound(events.hit[i].point, events.hit[i].speed);
//
// pliant.h includes this.
#ifndef PLIANT_RIGID_H
#define PLIANT_RIGID_H

#include "pliant.h"

// ---- events -----------------------------------------------------------------------------------------------------

// Two shapes; a stands in the lower slot. Arrays of events ascend by the slots of a, then of b.
typedef struct plContactEvent
{
	plShapeId a, b;
	plVec3 point;  // where they push most, m
	plVec3 normal; // there, from a into b, unit
	double force;  // the sum of normal forces, N
	double speed;  // with which they came towards each other before they pushed, m/s; below 0: they did not
} plContactEvent;

typedef struct plSensorEvent
{
	plShapeId sensor, visitor; // of two sensors the one in the lower slot is the first
} plSensorEvent;

// Of the last step that was taken; valid until the next one, or until the world is destroyed.
//   begin   two shapes pushed each other in the step, and not in the step before
//   end     the reverse; a and b only, the rest is 0. One of them may have been destroyed: plShape_IsValid
//   hit     those of begin that came towards each other at the hit speed or faster
//   enter   a visitor and a sensor overlap after the step, and did not after the step before
//   leave   the reverse; one of them may have been destroyed
// Shapes that push in any substep push in the step; point, normal and force are those of the substep with the largest
// force. What was moved by plBody_SetPose goes on: there is no end if it pushes in the next step, too. A sensor notices
// kinematic and dynamic bodies, one that is not static also static ones. Of a mesh it notices the surface. It sees what
// is within its reach when the last substep begins: what a collision throws into it may show a step late.
//
// Events are the same for any number of threads. A saved state holds who pushed and who overlapped, but no events:
// after a load there are none until the next step, whose events are those of a run that was never stopped. A failed
// step leaves the events of the one before.
typedef struct plContactEvents
{
	const plContactEvent *begin, *end, *hit;
	size_t beginCount, endCount, hitCount;
	const plSensorEvent *enter, *leave;
	size_t enterCount, leaveCount;
} plContactEvents;

PL_API plContactEvents plWorld_GetContactEvents(const plWorld* world);
// 1 m/s by default; INFINITY: nothing hits. pl_errorInput below 0, or for NaN. It is not part of a saved state.
PL_API plResult plWorld_SetHitSpeed(plWorld* world, double speed, plError* error);

// ---- contacts ---------------------------------------------------------------------------------------------------

// A point in which two shapes touch, or may touch within a step, after the last step. a stands in the lower slot.
typedef struct plRigidContact
{
	plShapeId a, b;
	plVec3 point;  // halfway between the two surfaces, m
	plVec3 normal; // from a into b, unit
	double depth;  // how far they overlap along it, m; below 0: a gap
	plVec3 force;  // of a on b, push and friction, N; b acts on a with the opposite
	bool sticks;   // friction holds it
} plRigidContact;

// All of them, ascending by the slots of a and b. Returns how many there are and writes at most `capacity` of them.
// They are those of the last step that was taken, or of the state that was loaded. Those of a shape that was destroyed
// or put elsewhere are gone. Between bodies that sleep they stay as they were when these fell asleep.
PL_API size_t plWorld_GetRigidContacts(const plWorld* world, plRigidContact* contacts, size_t capacity);

// ---- who meets whom ---------------------------------------------------------------------------------------------

// Do two shapes meet? Asked of pairs whose categories, masks and groups agree, when their boxes come near each other; a
// stands in the lower slot. The answer may depend on the pair only, for it is asked again whenever it suits, in no
// order, and by several threads at a time. It may not change the world.
typedef bool plFilterFcn(plShapeId a, plShapeId b, void* context);

// NULL: all of them meet. All pairs are found anew in the next step, so this also tells the world that answers have
// changed; whatever sleeps wakes. Neither function nor context are part of a saved state.
PL_API void plWorld_SetFilter(plWorld* world, plFilterFcn* filter, void* context);

// ---- shapes, after they were made -------------------------------------------------------------------------------

// What a shape was made with may change between two steps; numbers are as in plShapeDef. The next step goes by them,
// and what they may set in motion wakes. None of them is part of a saved state: load it into a world whose shapes have
// the numbers of then, and further steps give the same bits. On an error nothing has changed. Only plShape_SetSensor
// and plShape_SetFilter have a price: pairs of the shape are found anew, and where they change whether soft bodies meet
// it, that costs what a collider costs.

// Mass, centre of mass and inertia of its body follow; the frame stays, and every point of it keeps its velocity.
PL_API plResult plShape_SetDensity(plWorld* world, plShapeId shape, double density, plError* error);
PL_API double plShape_GetDensity(const plWorld* world, plShapeId shape);
// Below 0: the world's. Sliding friction that is as friction stays so.
PL_API plResult plShape_SetFriction(plWorld* world, plShapeId shape, double friction, plError* error);
PL_API double plShape_GetFriction(const plWorld* world, plShapeId shape);
PL_API plResult plShape_SetSlidingFriction(plWorld* world, plShapeId shape, double friction, plError* error);
PL_API double plShape_GetSlidingFriction(const plWorld* world, plShapeId shape);
PL_API plResult plShape_SetRestitution(plWorld* world, plShapeId shape, double restitution, plError* error);
PL_API double plShape_GetRestitution(const plWorld* world, plShapeId shape);
PL_API plResult plShape_SetSurfaceVelocity(plWorld* world, plShapeId shape, plVec3 velocity, plError* error);
PL_API plVec3 plShape_GetSurfaceVelocity(const plWorld* world, plShapeId shape);
PL_API void plShape_SetMaterial(plWorld* world, plShapeId shape, uint32_t material);
PL_API uint32_t plShape_GetMaterial(const plWorld* world, plShapeId shape);

// What it pushed ends, and what overlaps it enters; or the reverse.
PL_API void plShape_SetSensor(plWorld* world, plShapeId shape, bool sensor);
PL_API bool plShape_IsSensor(const plWorld* world, plShapeId shape);

typedef struct plShapeFilter
{
	uint64_t category, mask;
	int32_t group;
} plShapeFilter;

PL_API void plShape_SetFilter(plWorld* world, plShapeId shape, plShapeFilter filter);
PL_API plShapeFilter plShape_GetFilter(const plWorld* world, plShapeId shape);

// ---- materials that meet ----------------------------------------------------------------------------------------

// What shapes of two materials (plShapeDef.material) do where they touch. A number below 0: as without the pair.
typedef struct plMaterialPair
{
	double friction;        // without: the geometric mean of both shapes'
	double slidingFriction; // without: the pair's friction if it has one, else the geometric mean of both shapes'
	double restitution;     // without: the larger one
} plMaterialPair;

PL_API plMaterialPair plDefaultMaterialPair(void); // all below 0
PL_API plResult plMaterialPair_Check(const plMaterialPair* pair, plError* error);

// Materials in either order, or one with itself; they are not 0. It holds from the next step on, for shapes that are
// there and for those to come, whatever they say of themselves. NULL: there is no such pair any more. Whatever sleeps
// wakes. Pairs are no part of a saved state. On an error nothing has changed.
PL_API plResult plWorld_SetMaterialPair(plWorld* world, uint32_t a, uint32_t b, const plMaterialPair* pair,
                                        plError* error);
PL_API bool plWorld_GetMaterialPair(const plWorld* world, uint32_t a, uint32_t b, plMaterialPair* pair); // false: none

// ---- queries ----------------------------------------------------------------------------------------------------

// Shapes are seen where they are now. A query brings the trees of boxes up to date, once after each step; no later step
// depends on that. None of them takes memory, but for plWorld_OverlapShape with a hull. Numbers that are not finite
// find nothing.

// A shape is seen if its mask has a bit of `category`, and its category one of `mask`.
typedef struct plQueryFilter
{
	uint64_t category, mask;
	bool sensors; // they are seen, too
} plQueryFilter;

PL_API plQueryFilter plDefaultQueryFilter(void); // everything but sensors; so is NULL where a filter is asked for

typedef struct plRayHit
{
	plShapeId shape;
	plVec3 point;    // m
	plVec3 normal;   // of the surface there, towards where the ray comes from
	double fraction; // of the way from `from` to `to`
} plRayHit;

// The first shape on the way; of several at the same place that of the lowest slot. A way that starts inside a shape
// meets it at fraction 0, with a normal against the way. A mesh is met from both sides. False: nothing is there, or the
// way has no length.
PL_API bool plWorld_CastRay(plWorld* world, plVec3 from, plVec3 to, const plQueryFilter* filter, plRayHit* hit);
// Every shape on the way, where the way meets it first, sorted by fraction, then by slot. Returns how many there are
// and writes at most `capacity` of them, the first ones.
PL_API size_t plWorld_CastRayAll(plWorld* world, plVec3 from, plVec3 to, const plQueryFilter* filter, plRayHit* hits,
                                 size_t capacity);

// Shapes that overlap a box along the axes, ascending by slots. Returns how many there are and writes at most
// `capacity` of them. None if the box has no volume.
PL_API size_t plWorld_OverlapBox(plWorld* world, plVec3 low, plVec3 high, const plQueryFilter* filter,
                                 plShapeId* shapes, size_t capacity);
// The same for a shape that is no part of the world: kind, sizes and `local` of the def, taken through a transform of
// scale 1. Planes and meshes are refused, as is what plCreateShape would refuse. `count`: how many there are.
PL_API plResult plWorld_OverlapShape(plWorld* world, const plShapeDef* def, plTransform at, const plQueryFilter* filter,
                                     plShapeId* shapes, size_t capacity, size_t* count, plError* error);

typedef struct plClosestPoint
{
	plShapeId shape;
	plVec3 point;    // m
	double distance; // m; 0 inside a shape, and the point is the one that was asked for
} plClosestPoint;

// The point of all shapes that is nearest, if one is no farther than `most` (m, INFINITY: any); of several that of the
// lowest slot. False: there is none.
PL_API bool plWorld_FindClosestPoint(plWorld* world, plVec3 point, double most, const plQueryFilter* filter,
                                     plClosestPoint* closest);

#endif
