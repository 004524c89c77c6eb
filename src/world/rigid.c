// rigid.c: rigid bodies: from defs to slots and back, and what every body needs before a step
#include "world.h"
#include "../base/rotation.h"

#include <math.h>

plRigidBodyDef plDefaultRigidBodyDef(void)
{
	return (plRigidBodyDef){.rotation = plTransform_identity.rotation, .cookie = PL_COOKIE(plRigidBodyDef)};
}

static bool isZero(plVec3 a)
{
	return a.x == 0.0 && a.y == 0.0 && a.z == 0.0;
}

// ---- checks ---------------------------------------------------------------------------------------------------------

// Symmetric, xx yy zz xy xz yz, positive definite: its leading minors are above 0.
static bool isDefinite(const double I[6])
{
	double second = I[0] * I[1] - I[3] * I[3];
	double third = second * I[2] - I[0] * I[5] * I[5] + 2.0 * I[3] * I[4] * I[5] - I[1] * I[4] * I[4];
	return I[0] > 0.0 && second > 0.0 && third > 0.0 && isfinite(third);
}

static bool isGiven(const double I[6])
{
	bool given = false;
	for (int i = 0; i < 6; ++i)
		given = given || I[i] != 0.0;
	return given;
}

static plResult checkMass(const plRigidBodyDef* def, plError* error)
{
	if (!(def->mass >= 0.0) || !isfinite(def->mass))
		return plFailAt(error, "mass", "rigid body: mass is %g kg, it must be above 0, or 0 for that of its shapes",
		                def->mass);
	if (isGiven(def->inertia) && !isDefinite(def->inertia))
		return plFailAt(error, "inertia",
		                "rigid body: its inertia is not positive definite; zeros: that of its shapes");
	if (!(def->air >= 0.0) || !isfinite(def->air))
		return plFailAt(error, "air", "rigid body: air is %g 1/s, it cannot be below 0", def->air);
	return pl_success;
}

static plResult checkMotion(const plRigidBodyDef* def, plError* error)
{
	static const char* const names[] = {"dynamic", "kinematic", "static"};
	if ((int)def->motion < 0 || def->motion >= pl_rigidMotionCount)
		return plFailAt(error, "motion", "rigid body: motion %d does not exist", (int)def->motion);
	const char* name = names[def->motion];
	if (!plVec3_IsFinite(def->velocity) || !plVec3_IsFinite(def->spin))
		return plFailAt(error, plVec3_IsFinite(def->velocity) ? "spin" : "velocity",
		                "rigid body: its velocity or spin is not finite");
	if (def->motion != pl_rigidDynamic && (!isZero(def->velocity) || !isZero(def->spin)))
		return plFailAt(error, isZero(def->velocity) ? "spin" : "velocity",
		                "rigid body: it is %s and has a velocity or spin of its own; dynamic bodies have them", name);
	plResult result = plMotion_Check(&def->path, "rigid body", error);
	if (result < 0 && error != NULL)
		error->field = "path";
	if (result == pl_success && def->motion != pl_rigidKinematic && plMotion_IsMoving(&def->path))
		return plFailAt(error, "path", "rigid body: it is %s and has a path; kinematic bodies have one", name);
	return result;
}

plResult plRigidBodyDef_Check(const plRigidBodyDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plRigidBodyDef), "a plRigidBodyDef starts as plDefaultRigidBodyDef()");
	double norm = plQuat_GetNorm(def->rotation);
	if (!plVec3_IsFinite(def->position))
		return plFailAt(error, "position", "rigid body: its position is not finite");
	if (!(fabs(norm - 1.0) < 1e-6))
		return plFailAt(error, "rotation", "rigid body: its rotation is not a unit quaternion (norm %g)", norm);
	if ((def->locked & ~(unsigned)(pl_axisAll | pl_turnAll)) != 0)
		return plFailAt(error, "locked", "rigid body: locked is %u; it is made of pl_axisX .. and pl_turnX ..",
		                def->locked);
	plResult result = checkMotion(def, error);
	return result < 0 ? result : checkMass(def, error);
}

// Before a step: what flies needs a mass, and an inertia if it can turn.
plResult plWorld_CheckRigids(const plWorld* world, plError* error)
{
	plMethod method = plWorld_GetSolver(world)->method;
	if (plMethod_GetType(method)->isRigid && world->layout.vertexCount > 0)
		return plFailAt(error, "solver",
		                "%s takes rigid bodies only, and there are soft bodies or cloth; avbd takes all",
		                plMethod_GetName(method));
	if (world->rigids.attachments.liveCount > 0 && !plMethod_GetType(method)->takesBodies)
		return plFailAt(error, "solver", "%s does not take vertices that are attached to rigid bodies; avbd does",
		                plMethod_GetName(method));
	PL_EACH(const plRigid, rigid, &world->rigids.bodies)
	{
		unsigned number = plSlots_IndexOf(&world->rigids.bodies, rigid) + 1;
		bool turns = (rigid->locked & pl_turnAll) != pl_turnAll, round = true;
		for (int i = 0; i < 3; ++i)
			round = round && isnormal(rigid->moments[i]) && rigid->moments[i] > 0.0;
		if (rigid->motion != pl_rigidDynamic)
			continue;
		if (method != pl_methodAuto && !plMethod_GetType(method)->takesBodies)
			return plFailAt(error, "solver",
			                "%s does not take rigid bodies that move, as body %u does; auto, avbd, impulse and xpbd do",
			                plMethod_GetName(method), number);
		if (!isnormal(rigid->mass))
			return plFailAt(
			    error, "mass",
			    "rigid body %u: it is dynamic and its mass is %g kg: give it a shape with a density, or a mass", number,
			    rigid->mass);
		if (turns && !round)
			return plFailAt(
			    error, "inertia",
			    "rigid body %u: it can turn and has no inertia: give it a shape with a density, an inertia, "
			    "or lock its turns",
			    number);
	}
	return pl_success;
}

// ---- the frame ------------------------------------------------------------------------------------------------------

plTransform plRigid_GetFrame(const plRigid* rigid, const plRigidState* state)
{
	double arm[3];
	plQuat_Rotate(state->q, rigid->centre, arm);
	return (plTransform){1.0, state->q, {state->p[0] - arm[0], state->p[1] - arm[1], state->p[2] - arm[2]}};
}

void plRigid_SetFrame(const plRigid* rigid, plRigidState* state, const plTransform* frame)
{
	double arm[3];
	plQuat_Rotate(frame->rotation, rigid->centre, arm);
	state->q = frame->rotation;
	state->p[0] = frame->translation.x + arm[0];
	state->p[1] = frame->translation.y + arm[1];
	state->p[2] = frame->translation.z + arm[2];
}

void plRigid_Lock(const plRigid* rigid, plRigidState* state)
{
	for (unsigned i = 0; i < 3; ++i)
	{
		state->v[i] = rigid->locked & (unsigned)pl_axisX << i ? 0.0 : state->v[i];
		state->w[i] = rigid->locked & (unsigned)pl_turnX << i ? 0.0 : state->w[i];
	}
}

// ---- bodies in the world --------------------------------------------------------------------------------------------

void plRigids_Init(plRigids* rigids, plHeap* heap)
{
	plSlots_Init(&rigids->bodies, heap, sizeof(plRigid));
	plSlots_Init(&rigids->shapes, heap, sizeof(plRigidShape));
	plSlots_Init(&rigids->joints, heap, sizeof(plJoint));
	plSlots_Init(&rigids->attachments, heap, sizeof(plAttachments));
	plTouches_Init(&rigids->touches, heap);
}

void plRigids_Destroy(plRigids* rigids, plHeap* heap)
{
	PL_EACH(plRigidShape, shape, &rigids->shapes)
		plRigidShape_Free(shape, heap);
	PL_EACH(plRigid, rigid, &rigids->bodies)
		plMotion_Free(&rigid->path, heap);
	PL_EACH(plJoint, joint, &rigids->joints)
		plJoint_Free(joint, heap);
	PL_EACH(plAttachments, attached, &rigids->attachments)
		plAttachments_Free(attached, heap);
	plSlots_Destroy(&rigids->attachments);
	plVertexTouches_Destroy(&rigids->vertexTouches, heap);
	plSlots_Destroy(&rigids->joints);
	plSlots_Destroy(&rigids->shapes);
	plSlots_Destroy(&rigids->bodies);
	plTouches_Destroy(&rigids->touches);
	plRigidPairs_Destroy(&rigids->pairs, heap);
	PL_FREE(heap, rigids->flying, rigids->room);
	PL_FREE(heap, rigids->zeta, 2 * pl_quad * rigids->room);
}

plRigid* plWorld_FindRigid(const plWorld* world, plBodyId id)
{
	return plBodyId_IsRigid(id) ? plSlots_Get(&world->rigids.bodies, id.index1 & ~PL_RIGID_BIT, id.generation) : NULL;
}

plRigid* plWorld_GetRigid(const plWorld* world, plBodyId id)
{
	PL_ASSERT(plBodyId_IsRigid(id) || PL_IS_NULL(id), "the body is rigid: this is not for soft ones");
	plRigid* rigid = plWorld_FindRigid(world, id);
	PL_ASSERT(rigid != NULL, "the body exists in this world");
	return rigid;
}

// Room for the pose of one dynamic body more, so that a step needs none. False: no memory, and nothing has changed.
static bool reservePose(plRigids* rigids, plHeap* heap)
{
	if (rigids->dynamicCount < rigids->room)
		return true;
	size_t room = rigids->room > 0 ? 2 * rigids->room : 8, length = 2 * pl_quad * room;
	size_t oldLength = 2 * pl_quad * rigids->room;
	uint32_t* flying = PL_NEW(heap, uint32_t, room);
	double* zeta = PL_NEW_ZERO(heap, double, length);
	if (flying == NULL || zeta == NULL)
	{
		PL_FREE(heap, flying, room);
		PL_FREE(heap, zeta, length);
		return false;
	}
	PL_FREE(heap, rigids->flying, rigids->room); // predict writes both anew
	PL_FREE(heap, rigids->zeta, oldLength);
	rigids->flying = flying;
	rigids->zeta = zeta;
	rigids->room = room;
	return true;
}

static plRigid fromDef(const plRigidBodyDef* def)
{
	bool flies = def->motion == pl_rigidDynamic;
	plRigid rigid = {.motion = def->motion,
	                 .state = {.q = plQuat_Normalise(def->rotation),
	                           .p = {def->position.x, def->position.y, def->position.z},
	                           .v = {def->velocity.x, def->velocity.y, def->velocity.z},
	                           .w = {def->spin.x, def->spin.y, def->spin.z}},
	                 .axes = plTransform_identity.rotation,
	                 .mass = flies ? 0.0 : INFINITY,
	                 .givenMass = def->mass,
	                 .locked = def->locked,
	                 .air = def->air};
	memcpy(rigid.givenInertia, def->inertia, sizeof rigid.givenInertia);
	rigid.origin = (plPose){rigid.state.q, {def->position.x, def->position.y, def->position.z}};
	plRigid_Lock(&rigid, &rigid.state);
	rigid.start = rigid.state;
	return rigid;
}

plBodyId plCreateRigidBody(plWorld* world, const plRigidBodyDef* def, plError* error)
{
	plBodyId null = {0, 0};
	plHeap* heap = &world->heap;
	plRigids* all = &world->rigids;
	if (plRigidBodyDef_Check(def, error) < 0)
		return null;
	if (def->motion == pl_rigidDynamic && world->integrator != pl_integratorImplicitEuler)
	{
		plFailAt(error, "motion", "rigid body: the world's integrator is %s; dynamic rigid bodies take %s only",
		         plIntegrator_GetName(world->integrator), plIntegrator_GetName(pl_integratorImplicitEuler));
		return null;
	}
	plRigid rigid = fromDef(def);
	plSlotId id = {0, 0};
	bool fine = all->bodies.freeCount > 0 || all->bodies.slotCount < PL_RIGID_BIT - 1;
	fine = fine && (def->motion != pl_rigidDynamic || reservePose(all, heap));
	if (fine && plMotion_Copy(&rigid.path, &def->path, rigid.origin.move, heap))
		id = plSlots_Add(&all->bodies, &rigid);
	if (id.index1 == 0)
	{
		plMotion_Free(&rigid.path, heap);
		plFail(error, pl_errorMemory, "not enough memory for a rigid body");
		return null;
	}
	all->dynamicCount += def->motion == pl_rigidDynamic;
	plWorld_Weigh(world, plSlots_At(&all->bodies, id.index1 - 1));
	return (plBodyId){id.index1 | PL_RIGID_BIT, id.generation};
}

void plWorld_DestroyRigid(plWorld* world, plBodyId id)
{
	plRigids* all = &world->rigids;
	plRigid* rigid = plWorld_GetRigid(world, id);
	plWorld_WakeRigid(world, rigid);
	plWorld_DestroyJoints(world, plSlots_IndexOf(&all->bodies, rigid));
	plWorld_DestroyAttachments(world, UINT32_MAX, plSlots_IndexOf(&all->bodies, rigid));
	plWorld_ChangeObstacles(world, rigid, true);
	for (uint32_t at = rigid->firstShape1; at != 0;)
	{
		plRigidShape* shape = plSlots_At(&all->shapes, at - 1);
		plWorld_UnlistShape(world, at - 1);
		at = shape->next1;
		plRigidShape_Free(shape, &world->heap);
		plSlots_Remove(&all->shapes, shape);
	}
	all->dynamicCount -= rigid->motion == pl_rigidDynamic;
	plMotion_Free(&rigid->path, &world->heap);
	plSlots_Remove(&all->bodies, rigid);
}
