// rivals.h: worlds for methods that go from contact to contact and from joint to joint
#ifndef PL_TEST_RIVALS_H
#define PL_TEST_RIVALS_H

#include "fixture.h"

static const double g = 10.0, h = 1.0 / 60.0;
static const double pi = 3.14159265358979324;
static const plVec3 cube = {1.0, 1.0, 1.0};

static const plMethod rivals[] = {pl_methodImpulse, pl_methodXpbd};

static plWorld* world;
static plPool* pool;
static plError error;

static bool sleeps;
static plPrecision precision = pl_precisionFloat;

static inline void openWorld(plMethod method, int threads)
{
	plWorldDef def = plDefaultWorldDef();
	def.gravity = (plVec3){0.0, 0.0, -g};
	def.timestep = h;
	def.sleep = sleeps;
	pool = plCreatePool(threads);
	def.pool = pool;
	def.solver = plDefaultSolverDef(method);
	def.solver.precision = precision;
	world = plCreateWorld(&def, &error);
}

static inline void closeWorld(void)
{
	plDestroyWorld(world);
	plDestroyPool(pool);
}

typedef struct Thing
{
	plRigidMotion motion;
	plVec3 at;
	double tilt; // about y, rad
	plVec3 size;
	double friction, restitution;
	plVec3 velocity, spin;
	double density;
} Thing;

static inline plBodyId add(Thing thing)
{
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plShapeDef shape = plDefaultShapeDef();
	body.motion = thing.motion;
	body.position = thing.at;
	body.rotation = plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, thing.tilt);
	body.velocity = thing.velocity;
	body.spin = thing.spin;
	shape.kind = pl_shapeBox;
	shape.size = thing.size;
	shape.density = thing.density > 0.0 ? thing.density : 1.0;
	shape.friction = thing.friction;
	shape.restitution = thing.restitution;
	plBodyId id = plCreateRigidBody(world, &body, &error), none = {0, 0};
	return PL_IS_NON_NULL(id) && PL_IS_NON_NULL(plCreateShape(world, id, &shape, &error)) ? id : none;
}

// A floor whose top goes through the origin, tilted about y, and a cube that lies on it
static inline plBodyId addIncline(double tilt, double friction)
{
	plQuat turn = plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, tilt);
	double down[3] = {0.0, 0.0, -1.0}, up[3] = {0.0, 0.0, 0.5};
	plQuat_Rotate(turn, down, down);
	plQuat_Rotate(turn, up, up);
	add((Thing){
	    pl_rigidStatic, {down[0], down[1], down[2]}, tilt, .size = {2000.0, 2000.0, 2.0}, .friction = friction});
	return add((Thing){pl_rigidDynamic, {up[0], up[1], up[2]}, tilt, cube, .friction = friction});
}

static inline void addFloor(void)
{
	add((Thing){pl_rigidStatic, {0.0, 0.0, -1.0}, .size = {200.0, 200.0, 2.0}, .friction = 0.5});
}

static plStepReport report;

static inline void step(int count)
{
	for (int i = 0; i < count; ++i)
		CHECK(plWorld_Step(world, &report, &error) >= 0);
}

static inline plVec3 placeOf(plBodyId id)
{
	return plBody_GetPose(world, id).translation;
}

static inline double lengthOf(plVec3 a)
{
	return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static inline double apartBy(plVec3 a, plVec3 b)
{
	return lengthOf((plVec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

#define EACH_RIVAL                                                                                                     \
	for (size_t rival = 0; rival < sizeof rivals / sizeof *rivals; ++rival)                                            \
		for (bool once = true; once; once = false)

#endif
