// rigid_query.c: what a caller asks of rigid bodies and tells them between two steps
#include "world.h"
#include "../base/rotation.h"

#include <math.h>

static plVec3 toVector(const double a[3])
{
	return (plVec3){a[0], a[1], a[2]};
}

// ---- shapes ---------------------------------------------------------------------------------------------------------

bool plShape_IsValid(const plWorld* world, plShapeId id)
{
	return plSlots_Get(&world->rigids.shapes, id.index1, id.generation) != NULL;
}

plBodyId plShape_GetBody(const plWorld* world, plShapeId id)
{
	uint32_t body = plWorld_GetRigidShape(world, id)->body;
	return (plBodyId){(body + 1) | PL_RIGID_BIT, world->rigids.bodies.generations[body]};
}

plShapeKind plShape_GetKind(const plWorld* world, plShapeId id)
{
	return plWorld_GetRigidShape(world, id)->solid.kind;
}

plTransform plShape_GetLocal(const plWorld* world, plShapeId id)
{
	return plWorld_GetRigidShape(world, id)->local;
}

bool plShape_MeetsSoftBodies(const plWorld* world, plShapeId id)
{
	return plRigidShape_MeetsSoft(plWorld_GetRigidShape(world, id));
}

size_t plBody_GetShapes(const plWorld* world, plBodyId id, plShapeId* shapes, size_t capacity)
{
	const plSlots* all = &world->rigids.shapes;
	size_t count = 0;
	for (uint32_t at = plWorld_GetRigid(world, id)->firstShape1; at != 0; ++count)
	{
		const plRigidShape* shape = plSlots_At(all, at - 1);
		if (count < capacity)
			shapes[count] = (plShapeId){at, all->generations[at - 1]};
		at = shape->next1;
	}
	return count;
}

// ---- bodies ---------------------------------------------------------------------------------------------------------

bool plBody_IsRigid(const plWorld* world, plBodyId id)
{
	return plWorld_FindRigid(world, id) != NULL;
}

double plBody_GetMass(const plWorld* world, plBodyId id)
{
	if (plBodyId_IsRigid(id))
		return plWorld_GetRigid(world, id)->mass;
	const plSoftBody* body = plWorld_GetSoftBody(world, id);
	double sum = 0.0;
	for (size_t i = 0; i < body->vertexCount; ++i)
		sum += world->mass[body->vertexStart + body->internalOf[i]];
	return sum;
}

plRigidMotion plBody_GetMotion(const plWorld* world, plBodyId id)
{
	return plWorld_GetRigid(world, id)->motion;
}

plTransform plBody_GetPose(const plWorld* world, plBodyId id)
{
	const plRigid* rigid = plWorld_GetRigid(world, id);
	return plRigid_GetFrame(rigid, &rigid->state);
}

plVec3 plBody_GetVelocity(const plWorld* world, plBodyId id)
{
	return toVector(plWorld_GetRigid(world, id)->state.v);
}

plVec3 plBody_GetSpin(const plWorld* world, plBodyId id)
{
	return toVector(plWorld_GetRigid(world, id)->state.w);
}

plVec3 plBody_GetCentre(const plWorld* world, plBodyId id)
{
	return toVector(plWorld_GetRigid(world, id)->centre);
}

void plBody_GetInertia(const plWorld* world, plBodyId id, double inertia[6])
{
	plRigid_GetInertia(plWorld_GetRigid(world, id), plTransform_identity.rotation, inertia);
}

// ---- poses and paths ------------------------------------------------------------------------------------------------

// A place for a frame: of scale 1, made of unit length.
static plResult checkFrame(plTransform* frame, plError* error)
{
	plResult result = plTransform_Check(frame, "rigid body", error);
	if (result == pl_success && frame->scale != 1.0)
		result = plFailAt(error, "transform.scale", "rigid body: the scale of the transform is %g, it must be 1",
		                  frame->scale);
	if (result == pl_success)
		frame->rotation = plQuat_Normalise(frame->rotation);
	return result;
}

static plPose poseOf(const plTransform* frame)
{
	return (plPose){frame->rotation, {frame->translation.x, frame->translation.y, frame->translation.z}};
}

plResult plBody_SetPose(plWorld* world, plBodyId id, plTransform pose, plError* error)
{
	plRigid* rigid = plWorld_GetRigid(world, id);
	plResult result = checkFrame(&pose, error);
	if (result < 0)
		return result;
	plWorld_JumpRigid(world, rigid, &pose);
	if (rigid->motion != pl_rigidDynamic)
	{
		memset(rigid->state.v, 0, sizeof rigid->state.v);
		memset(rigid->state.w, 0, sizeof rigid->state.w);
		rigid->driven = rigid->motion == pl_rigidKinematic;
		rigid->target = poseOf(&pose);
		plWorld_ChangeObstacles(world, rigid, false); // what stuck to it sticks anew where it is put
	}
	return pl_success;
}

// The body, if it is of the kind that can be told so.
static plRigid* getOfKind(plWorld* world, plBodyId id, plRigidMotion motion, const char* what, plError* error)
{
	plRigid* rigid = plWorld_GetRigid(world, id);
	if (rigid->motion == motion)
		return rigid;
	plFailAt(error, "motion", "rigid body: it is not %s, so it takes no %s",
	         motion == pl_rigidDynamic ? "dynamic" : "kinematic", what);
	return NULL;
}

plResult plBody_SetTarget(plWorld* world, plBodyId id, plTransform target, plError* error)
{
	plRigid* rigid = getOfKind(world, id, pl_rigidKinematic, "target", error);
	plResult result = rigid != NULL ? checkFrame(&target, error) : pl_errorInput;
	if (result < 0)
		return result;
	rigid->driven = true;
	rigid->target = poseOf(&target);
	return pl_success;
}

plResult plBody_SetPath(plWorld* world, plBodyId id, const plMotion* path, plError* error)
{
	plRigid* rigid = getOfKind(world, id, pl_rigidKinematic, "path", error);
	plResult result = rigid != NULL ? plMotion_Check(path, "rigid body", error) : pl_errorInput;
	if (result < 0)
		return result;
	plMotion copy;
	if (!plMotion_Copy(&copy, path, rigid->state.p, &world->heap))
		return plFail(error, pl_errorMemory, "not enough memory for a path");
	plMotion_Free(&rigid->path, &world->heap);
	rigid->path = copy;
	rigid->driven = false;
	plTransform frame = plRigid_GetFrame(rigid, &rigid->state);
	rigid->origin = poseOf(&frame);
	return pl_success;
}

// ---- velocities, forces, impulses -----------------------------------------------------------------------------------

static plResult checkFinite(plVec3 a, plVec3 b, const char* what, plError* error)
{
	if (!plVec3_IsFinite(a) || !plVec3_IsFinite(b))
		return plFail(error, pl_errorInput, "rigid body: its %s is not finite", what);
	return pl_success;
}

plResult plBody_SetVelocity(plWorld* world, plBodyId id, plVec3 velocity, plVec3 spin, plError* error)
{
	plRigid* rigid = getOfKind(world, id, pl_rigidDynamic, "velocity", error);
	plResult result = rigid != NULL ? checkFinite(velocity, spin, "velocity or spin", error) : pl_errorInput;
	if (result < 0)
		return result;
	plWorld_WakeRigid(world, rigid);
	rigid->state = (plRigidState){.p = {rigid->state.p[0], rigid->state.p[1], rigid->state.p[2]},
	                              .q = rigid->state.q,
	                              .v = {velocity.x, velocity.y, velocity.z},
	                              .w = {spin.x, spin.y, spin.z}};
	plRigid_Lock(rigid, &rigid->state);
	return pl_success;
}

// Of something that acts at a point of the world, about the centre of mass.
static void momentAbout(const plRigid* rigid, plVec3 force, plVec3 point, double moment[3])
{
	const double* p = rigid->state.p;
	const double f[3] = {force.x, force.y, force.z}, arm[3] = {point.x - p[0], point.y - p[1], point.z - p[2]};
	plCross3(arm, f, moment);
}

plResult plBody_ApplyForce(plWorld* world, plBodyId id, plVec3 force, plVec3 point, plError* error)
{
	plRigid* rigid = getOfKind(world, id, pl_rigidDynamic, "force", error);
	plResult result = rigid != NULL ? checkFinite(force, point, "force", error) : pl_errorInput;
	if (result < 0)
		return result;
	double moment[3];
	momentAbout(rigid, force, point, moment);
	plWorld_WakeRigid(world, rigid);
	rigid->force[0] += force.x;
	rigid->force[1] += force.y;
	rigid->force[2] += force.z;
	for (int i = 0; i < 3; ++i)
		rigid->torque[i] += moment[i];
	return pl_success;
}

plResult plBody_ApplyTorque(plWorld* world, plBodyId id, plVec3 torque, plError* error)
{
	plRigid* rigid = getOfKind(world, id, pl_rigidDynamic, "torque", error);
	plResult result = rigid != NULL ? checkFinite(torque, torque, "torque", error) : pl_errorInput;
	if (result < 0)
		return result;
	plWorld_WakeRigid(world, rigid);
	rigid->torque[0] += torque.x;
	rigid->torque[1] += torque.y;
	rigid->torque[2] += torque.z;
	return pl_success;
}

plResult plBody_ApplyImpulse(plWorld* world, plBodyId id, plVec3 impulse, plVec3 point, plError* error)
{
	plRigid* rigid = getOfKind(world, id, pl_rigidDynamic, "impulse", error);
	plResult result = rigid != NULL ? checkFinite(impulse, point, "impulse", error) : pl_errorInput;
	if (result == pl_success && !(rigid->mass > 0.0))
		result = plFail(error, pl_errorInput, "rigid body: it takes no impulse before it has a mass");
	if (result < 0)
		return result;
	plRigidState* s = &rigid->state;
	const double J[3] = {impulse.x, impulse.y, impulse.z};
	double moment[3], spin[3] = {0.0, 0.0, 0.0};
	momentAbout(rigid, impulse, point, moment);
	plWorld_WakeRigid(world, rigid);
	bool turns = rigid->moments[0] > 0.0 && (rigid->locked & pl_turnAll) != pl_turnAll;
	if (turns)
		plRigid_GetSpin(rigid, s->q, moment, spin);
	for (int i = 0; i < 3; ++i)
	{
		s->v[i] += J[i] / rigid->mass;
		s->w[i] += spin[i];
	}
	plRigid_Lock(rigid, s);
	return pl_success;
}

// ---- sleep ----------------------------------------------------------------------------------------------------------

bool plBody_IsAsleep(const plWorld* world, plBodyId id)
{
	return plWorld_GetRigid(world, id)->rest.sleeps;
}

void plBody_Wake(plWorld* world, plBodyId id)
{
	plWorld_WakeRigid(world, plWorld_GetRigid(world, id));
}
