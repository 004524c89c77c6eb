// rigid_settings.c: shapes of rigid bodies, told other numbers after they were made
//
//   how it rubs     what touches the shape wakes; contacts take the numbers when they are made, in every substep
//   what it weighs  the body is weighed anew
//   whom it meets   pairs of the shape are found anew; what sleeps on it, or where it is, wakes
#include "world.h"

#include <math.h>

static uint32_t slotOf(const plWorld* world, const plRigidShape* shape)
{
	return plSlots_IndexOf(&world->rigids.shapes, shape);
}

static plRigid* bodyOf(const plWorld* world, const plRigidShape* shape)
{
	return plSlots_At(&world->rigids.bodies, shape->body);
}

// Its body, and what touches it.
static void wake(plWorld* world, const plRigidShape* shape)
{
	plWorld_WakeTouching(world, slotOf(world, shape));
	plWorld_WakeRigid(world, bodyOf(world, shape));
}

// ---- what it weighs -------------------------------------------------------------------------------------------------

plResult plShape_SetDensity(plWorld* world, plShapeId id, double density, plError* error)
{
	plRigidShape* shape = plWorld_GetRigidShape(world, id);
	plShapeDef def = plDefaultShapeDef();
	plInertia inertia;
	def.density = density;
	plResult result = plShapeDef_CheckMaterial(&def, error);
	if (result == pl_success && plSolid_GetInertia(&shape->solid, density, &inertia) && !isfinite(inertia.mass))
		result = plFailAt(error, "density", "shape: its mass is not finite");
	if (result < 0)
		return result;
	shape->density = density;
	plWorld_Weigh(world, bodyOf(world, shape));
	wake(world, shape);
	return pl_success;
}

double plShape_GetDensity(const plWorld* world, plShapeId id)
{
	return plWorld_GetRigidShape(world, id)->density;
}

// ---- how it rubs and bounces ----------------------------------------------------------------------------------------

plResult plShape_SetFriction(plWorld* world, plShapeId id, double friction, plError* error)
{
	plRigidShape* shape = plWorld_GetRigidShape(world, id);
	plShapeDef def = plDefaultShapeDef();
	def.friction = friction;
	plResult result = plShapeDef_CheckMaterial(&def, error);
	if (result < 0)
		return result;
	shape->friction = friction < 0.0 ? world->contactDef.friction : friction;
	if (shape->slidesAlike)
		shape->slidingFriction = shape->friction;
	wake(world, shape);
	return pl_success;
}

double plShape_GetFriction(const plWorld* world, plShapeId id)
{
	return plWorld_GetRigidShape(world, id)->friction;
}

plResult plShape_SetSlidingFriction(plWorld* world, plShapeId id, double friction, plError* error)
{
	plRigidShape* shape = plWorld_GetRigidShape(world, id);
	plShapeDef def = plDefaultShapeDef();
	def.slidingFriction = friction;
	plResult result = plShapeDef_CheckMaterial(&def, error);
	if (result < 0)
		return result;
	shape->slidesAlike = friction < 0.0;
	shape->slidingFriction = shape->slidesAlike ? shape->friction : friction;
	wake(world, shape);
	return pl_success;
}

double plShape_GetSlidingFriction(const plWorld* world, plShapeId id)
{
	return plWorld_GetRigidShape(world, id)->slidingFriction;
}

// What lies still has nothing to bounce back: nobody wakes.
plResult plShape_SetRestitution(plWorld* world, plShapeId id, double restitution, plError* error)
{
	plRigidShape* shape = plWorld_GetRigidShape(world, id);
	plShapeDef def = plDefaultShapeDef();
	def.restitution = restitution;
	plResult result = plShapeDef_CheckMaterial(&def, error);
	if (result == pl_success)
		shape->restitution = restitution;
	return result;
}

double plShape_GetRestitution(const plWorld* world, plShapeId id)
{
	return plWorld_GetRigidShape(world, id)->restitution;
}

plResult plShape_SetSurfaceVelocity(plWorld* world, plShapeId id, plVec3 velocity, plError* error)
{
	plRigidShape* shape = plWorld_GetRigidShape(world, id);
	plShapeDef def = plDefaultShapeDef();
	def.surfaceVelocity = velocity;
	plResult result = plShapeDef_CheckMaterial(&def, error);
	if (result < 0)
		return result;
	plRigidShape_SetRun(shape, velocity);
	wake(world, shape);
	return pl_success;
}

plVec3 plShape_GetSurfaceVelocity(const plWorld* world, plShapeId id)
{
	return plWorld_GetRigidShape(world, id)->run;
}

void plShape_SetMaterial(plWorld* world, plShapeId id, uint32_t material)
{
	plRigidShape* shape = plWorld_GetRigidShape(world, id);
	shape->material = material;
	wake(world, shape);
}

uint32_t plShape_GetMaterial(const plWorld* world, plShapeId id)
{
	return plWorld_GetRigidShape(world, id)->material;
}

// ---- whom it meets --------------------------------------------------------------------------------------------------

// What is not dynamic wakes those that sleep where it is: nothing else would.
static void changeMeeting(plWorld* world, plRigidShape* shape, bool sensor, plShapeFilter filter)
{
	uint32_t slot = slotOf(world, shape);
	plRigidShape before = *shape;
	shape->sensor = sensor;
	shape->category = filter.category;
	shape->mask = filter.mask;
	shape->group = filter.group;
	if (plRigidShape_MeetsSoft(&before) != plRigidShape_MeetsSoft(shape))
		plWorld_ChangeObstacle(world, slot, true);
	wake(world, shape);
	if (bodyOf(world, shape)->motion != pl_rigidDynamic)
		plWorld_WakeNear(world, slot);
	plBroad_Touch(&world->rigids.touches.broad, slot);
}

void plShape_SetSensor(plWorld* world, plShapeId id, bool sensor)
{
	plRigidShape* shape = plWorld_GetRigidShape(world, id);
	if (shape->sensor != sensor)
		changeMeeting(world, shape, sensor, plShape_GetFilter(world, id));
}

bool plShape_IsSensor(const plWorld* world, plShapeId id)
{
	return plWorld_GetRigidShape(world, id)->sensor;
}

void plShape_SetFilter(plWorld* world, plShapeId id, plShapeFilter filter)
{
	plRigidShape* shape = plWorld_GetRigidShape(world, id);
	changeMeeting(world, shape, shape->sensor, filter);
}

plShapeFilter plShape_GetFilter(const plWorld* world, plShapeId id)
{
	const plRigidShape* shape = plWorld_GetRigidShape(world, id);
	return (plShapeFilter){shape->category, shape->mask, shape->group};
}
