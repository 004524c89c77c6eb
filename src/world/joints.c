// joints.c: joints are made, broken and destroyed; in a substep they become records of constraint/joint.h
//
// A body lists its joints as it lists its shapes. Two bodies that a joint joins do not touch each other, unless it says
// otherwise, until it breaks. A joint of which neither body moves makes no record, and keeps what it pulled by.
#include "world.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

#include <math.h>

// ---- lists ----------------------------------------------------------------------------------------------------------

static plJoint* jointAt(const plRigids* rigids, uint32_t slot)
{
	return plSlots_At(&rigids->joints, slot);
}

plJoint* plWorld_GetJoint(const plWorld* world, plJointId id)
{
	plJoint* joint = plSlots_Get(&world->rigids.joints, id.index1, id.generation);
	PL_ASSERT(joint != NULL, "the joint exists in this world");
	return joint;
}

bool plJoint_IsValid(const plWorld* world, plJointId id)
{
	return plSlots_Get(&world->rigids.joints, id.index1, id.generation) != NULL;
}

static uint32_t* nextOf(plJoint* joint, uint32_t body)
{
	return &joint->next1[joint->bodies[0] == body ? 0 : 1];
}

static void link(plRigids* rigids, uint32_t slot)
{
	plJoint* joint = jointAt(rigids, slot);
	for (int side = 0; side < 2 && joint->bodies[side] != pl_noBody; ++side)
	{
		plRigid* body = plSlots_At(&rigids->bodies, joint->bodies[side]);
		joint->next1[side] = body->firstJoint1;
		body->firstJoint1 = slot + 1;
	}
}

static void unlink(plRigids* rigids, uint32_t slot)
{
	plJoint* joint = jointAt(rigids, slot);
	for (int side = 0; side < 2 && joint->bodies[side] != pl_noBody; ++side)
	{
		plRigid* body = plSlots_At(&rigids->bodies, joint->bodies[side]);
		uint32_t* at = &body->firstJoint1;
		while (*at != slot + 1)
			at = nextOf(jointAt(rigids, *at - 1), joint->bodies[side]);
		*at = joint->next1[side];
	}
}

bool plRigids_AreJoined(const plRigids* rigids, uint32_t a, uint32_t b)
{
	// Both bodies have every joint between them: the list that ends first has been searched.
	const uint32_t bodies[2] = {a, b};
	uint32_t at[2];
	for (int side = 0; side < 2; ++side)
		at[side] = ((const plRigid*)plSlots_At(&rigids->bodies, bodies[side]))->firstJoint1;
	for (int side = 0; at[side] != 0; side = 1 - side)
	{
		plJoint* joint = jointAt(rigids, at[side] - 1);
		bool joins = joint->bodies[joint->bodies[0] == bodies[side] ? 1 : 0] == bodies[1 - side];
		if (joins && !joint->collide && !joint->broken)
			return true;
		at[side] = *nextOf(joint, bodies[side]);
	}
	return false;
}

static void wakeJoined(plWorld* world, const plJoint* joint)
{
	for (int side = 0; side < 2 && joint->bodies[side] != pl_noBody; ++side)
		plWorld_WakeRigid(world, plSlots_At(&world->rigids.bodies, joint->bodies[side]));
}

// Who it joins wakes, and its pairs are looked at anew.
static void stir(plWorld* world, const plJoint* joint)
{
	plRigids* all = &world->rigids;
	wakeJoined(world, joint);
	for (int side = 0; side < 2 && joint->bodies[side] != pl_noBody; ++side)
	{
		const plRigid* body = plSlots_At(&all->bodies, joint->bodies[side]);
		for (uint32_t at = body->firstShape1; at != 0 && !joint->collide;)
		{
			plBroad_Touch(&all->touches.broad, at - 1);
			at = ((const plRigidShape*)plSlots_At(&all->shapes, at - 1))->next1;
		}
	}
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static bool hasRow(const plAxisDef* axis, plRowKind kind)
{
	switch (kind)
	{
	case pl_rowHold:
		return axis->mode == pl_axisLocked;
	case pl_rowLimit:
		return axis->mode == pl_axisLimited;
	case pl_rowSpring:
		return axis->stiffness > 0.0 || axis->damping > 0.0;
	default:
		return axis->motor;
	}
}

static bool hasSameRows(const plAxisDef* a, const plAxisDef* b)
{
	bool same = true;
	for (int kind = pl_rowHold; kind <= pl_rowMotor; ++kind)
		same = same && hasRow(a, (plRowKind)kind) == hasRow(b, (plRowKind)kind);
	return same;
}

static uint32_t countRows(const plAxisDef axes[pl_jointAxisCount])
{
	uint32_t count = 0;
	for (int axis = 0; axis < pl_jointAxisCount; ++axis)
		for (int kind = pl_rowHold; kind <= pl_rowMotor; ++kind)
			count += hasRow(axes + axis, (plRowKind)kind);
	return count;
}

// What a row of before pulled by goes on.
static void listRows(const plJoint* joint, const plAxisDef axes[pl_jointAxisCount], plJointRow* rows)
{
	for (int axis = 0; axis < pl_jointAxisCount; ++axis)
		for (int kind = pl_rowHold; kind <= pl_rowMotor; ++kind)
		{
			if (!hasRow(axes + axis, (plRowKind)kind))
				continue;
			*rows = (plJointRow){.axis = (plJointAxis)axis, .kind = (plRowKind)kind};
			for (uint32_t i = 0; i < joint->rowCount; ++i)
				if (joint->rows[i].axis == rows->axis && joint->rows[i].kind == rows->kind)
					*rows = joint->rows[i];
			++rows;
		}
}

// False: no memory, and nothing has changed
static bool setAxes(plJoint* joint, const plAxisDef axes[pl_jointAxisCount], plHeap* heap)
{
	uint32_t count = countRows(axes);
	plJointRow* rows = PL_NEW(heap, plJointRow, count);
	if (rows == NULL && count > 0)
		return false;
	listRows(joint, axes, rows);
	PL_FREE(heap, joint->rows, joint->rowCount);
	joint->rows = rows;
	joint->rowCount = count;
	memcpy(joint->axes, axes, sizeof joint->axes);
	return true;
}

// ---- making and destroying ------------------------------------------------------------------------------------------

void plJoint_Free(plJoint* joint, plHeap* heap)
{
	PL_FREE(heap, joint->rows, joint->rowCount);
	plName_Free(joint->name, heap);
	*joint = (plJoint){0};
}

static plResult checkBodies(const plWorld* world, const plJointDef* def, plError* error)
{
	const plRigid *a = plWorld_FindRigid(world, def->a), *b = plWorld_FindRigid(world, def->b);
	if (a == NULL)
		return plFailAt(error, "a", "joint: a is no rigid body of this world");
	if (b == NULL && PL_IS_NON_NULL(def->b))
		return plFailAt(error, "b", "joint: b is no rigid body of this world, nor null for the world");
	if (a == b)
		return plFailAt(error, "b", "joint: it joins a body to itself");
	if (a->motion != pl_rigidDynamic && (b == NULL || b->motion != pl_rigidDynamic))
		return plFailAt(error, "b", "joint: neither of its bodies is dynamic: it could move nothing");
	return pl_success;
}

static plResult checkDef(const plWorld* world, const plJointDef* def, plError* error)
{
	plResult result = plJointDef_Check(def, error);
	if (result == pl_success)
		result = checkBodies(world, def, error);
	return result < 0 ? result : plWorld_CheckName(world, def->name, pl_thingJoint, error);
}

plJointId plCreateJoint(plWorld* world, const plJointDef* def, plError* error)
{
	plRigids* all = &world->rigids;
	plJointId null = {0, 0};
	if (checkDef(world, def, error) < 0)
		return null;
	bool toWorld = PL_IS_NULL(def->b);
	plJoint joint = {
	    .bodies = {(def->a.index1 & ~PL_RIGID_BIT) - 1, toWorld ? pl_noBody : (def->b.index1 & ~PL_RIGID_BIT) - 1},
	    .frames = {def->frameA, def->frameB},
	    .breakForce = def->breakForce,
	    .breakTorque = def->breakTorque,
	    .collide = def->collide};
	for (int side = 0; side < 2; ++side)
		joint.frames[side].rotation = plQuat_Normalise(joint.frames[side].rotation);
	if (!plName_Copy(&joint.name, def->name, &world->heap) || !setAxes(&joint, def->axes, &world->heap) ||
	    !plSlots_Reserve(&all->joints))
	{
		plJoint_Free(&joint, &world->heap);
		plFail(error, pl_errorMemory, "not enough memory for a joint");
		return null;
	}
	plSlotId id = plSlots_Add(&all->joints, &joint);
	link(all, id.index1 - 1);
	stir(world, jointAt(all, id.index1 - 1));
	return (plJointId){id.index1, id.generation};
}

static void destroy(plWorld* world, plJoint* joint)
{
	plRigids* all = &world->rigids;
	stir(world, joint);
	unlink(all, plSlots_IndexOf(&all->joints, joint));
	plJoint_Free(joint, &world->heap);
	plSlots_Remove(&all->joints, joint);
}

void plDestroyJoint(plWorld* world, plJointId id)
{
	destroy(world, plWorld_GetJoint(world, id));
}

void plWorld_DestroyJoints(plWorld* world, uint32_t body)
{
	plRigids* all = &world->rigids;
	const plRigid* rigid = plSlots_At(&all->bodies, body);
	while (rigid->firstJoint1 != 0)
		destroy(world, jointAt(all, rigid->firstJoint1 - 1));
}

plResult plJoint_SetAxis(plWorld* world, plJointId id, plJointAxis axis, const plAxisDef* def, plError* error)
{
	plJoint* joint = plWorld_GetJoint(world, id);
	plJointDef whole = plDefaultJointDef();
	PL_ASSERT((int)axis >= 0 && axis < pl_jointAxisCount, "there is such an axis");
	memcpy(whole.axes, joint->axes, sizeof whole.axes);
	whole.axes[axis] = *def;
	plResult result = plJointDef_Check(&whole, error);
	if (result < 0)
		return result;
	if (hasSameRows(joint->axes + axis, def))
		joint->axes[axis] = *def;
	else if (!setAxes(joint, whole.axes, &world->heap))
		return plFail(error, pl_errorMemory, "not enough memory for an axis of a joint");
	wakeJoined(world, joint);
	return pl_success;
}

plAxisDef plJoint_GetAxis(const plWorld* world, plJointId id, plJointAxis axis)
{
	return plWorld_GetJoint(world, id)->axes[axis];
}

bool plJoint_IsBroken(const plWorld* world, plJointId id)
{
	return plWorld_GetJoint(world, id)->broken;
}

static void breakJoint(plWorld* world, plJoint* joint)
{
	joint->broken = true;
	memset(joint->force, 0, sizeof joint->force);
	memset(joint->torque, 0, sizeof joint->torque);
	for (uint32_t i = 0; i < joint->rowCount; ++i)
		joint->rows[i].lambda = joint->rows[i].k = 0.0;
	stir(world, joint);
}

void plJoint_Break(plWorld* world, plJointId id)
{
	plJoint* joint = plWorld_GetJoint(world, id);
	if (!joint->broken)
		breakJoint(world, joint);
}

// ---- a substep ------------------------------------------------------------------------------------------------------

// Where the frame of one side is, of a body in a state.
static plJointFrame frameAt(const plRigid* body, const plRigidState* state, const plTransform* local)
{
	plJointFrame frame = {.x = {local->translation.x, local->translation.y, local->translation.z},
	                      .turn = local->rotation};
	if (body == NULL)
		return frame;
	double arm[3];
	plSubtract3(frame.x, body->centre, arm);
	plQuat_Rotate(state->q, arm, arm);
	memcpy(frame.centre, state->p, sizeof frame.centre);
	for (int i = 0; i < 3; ++i)
		frame.x[i] = state->p[i] + arm[i];
	frame.turn = plQuat_Multiply(state->q, local->rotation);
	return frame;
}

static const plRigid* bodyOf(const plWorld* world, const plJoint* joint, int side)
{
	return joint->bodies[side] != pl_noBody ? plSlots_At(&world->rigids.bodies, joint->bodies[side]) : NULL;
}

plJointPose plWorld_GetJointPose(const plWorld* world, const plJoint* joint)
{
	plJointFrame frames[2];
	for (int side = 0; side < 2; ++side)
	{
		const plRigid* body = bodyOf(world, joint, side);
		frames[side] = frameAt(body, body != NULL ? &body->state : NULL, joint->frames + side);
	}
	return plJointPose_Make(frames, frames + 1);
}

// The edge of a cube of the same mass and least moment.
static double sizeOf(const plRigid* body)
{
	const double* m = body->moments;
	double least = plMin(m[0], plMin(m[1], m[2]));
	return least > 0.0 ? sqrt(6.0 * least / body->mass) : INFINITY;
}

// False: none of its bodies moves
static bool makeRecord(const plWorld* world, plJoint* joint, plJointRecord* record)
{
	*record = (plJointRecord){
	    .axes = joint->axes, .rows = joint->rows, .rowCount = joint->rowCount, .size = INFINITY, .twist = joint->twist};
	for (int side = 0; side < 2; ++side)
	{
		const plRigid* body = bodyOf(world, joint, side);
		plJointEnd* end = record->ends + side;
		bool moves = body != NULL && body->motion == pl_rigidDynamic && !body->rest.sleeps;
		end->mover = moves ? body->pose : pl_noMover;
		end->now = frameAt(body, body != NULL ? &body->state : NULL, joint->frames + side);
		end->flight = frameAt(body, body != NULL ? &body->flight.end : NULL, joint->frames + side);
		record->size = moves ? plMin(record->size, sizeOf(body)) : record->size;
	}
	record->size = isfinite(record->size) ? record->size : 1.0; // nothing of it can turn
	return record->ends[0].mover != pl_noMover || record->ends[1].mover != pl_noMover;
}

bool plWorld_MakeJoints(plWorld* world)
{
	plRigids* all = &world->rigids;
	plContacts* c = &all->touches.contacts;
	const double* a = c->rules.acceleration;
	double size = plLength3(a), up[3] = {0.0, 0.0, 0.0};
	c->joints.count = 0;
	if (all->joints.liveCount == 0 || all->touches.isIdle)
		return true;
	if (!plJoints_Reserve(&c->joints, all->joints.liveCount, c->moverCount, &world->heap))
		return false;
	if (size > 0.0)
		plAdd3(up, -1.0 / size, a);
	PL_EACH(plJoint, joint, &all->joints)
	{
		plJointRecord* record = c->joints.records + c->joints.count;
		if (joint->broken || !makeRecord(world, joint, record))
			continue;
		plJointRecord_WarmStart(record, up);
		c->joints.count++;
	}
	return true;
}

static bool countsTurns(const plJoint* joint)
{
	const plAxisDef* axis = joint->axes + pl_jointTwist;
	return axis->mode != pl_axisFree || axis->stiffness > 0.0 || axis->damping > 0.0 || axis->motor;
}

void plWorld_FinishJoints(plWorld* world)
{
	const plContacts* c = &world->rigids.touches.contacts;
	size_t k = 0;
	PL_EACH(plJoint, joint, &world->rigids.joints)
	{
		if (k == c->joints.count || c->joints.records[k].rows != joint->rows || joint->broken || joint->rowCount == 0)
			continue;
		const plJointRecord* record = c->joints.records + k++;
		plJointPose pose = plJointPose_Make(&record->ends[0].now, &record->ends[1].now);
		double direction[3];
		plJointRecord_GetForce(record, joint->force, joint->torque);
		if (countsTurns(joint))
			joint->twist = plJointPose_Measure(&pose, pl_jointTwist, joint->twist, direction);
	}
}

void plWorld_BreakJoints(plWorld* world)
{
	PL_EACH(plJoint, joint, &world->rigids.joints)
		if (!joint->broken &&
		    (plLength3(joint->force) > joint->breakForce || plLength3(joint->torque) > joint->breakTorque))
			breakJoint(world, joint);
}

void plWorld_KeepJoints(plWorld* world)
{
	PL_EACH(plJoint, joint, &world->rigids.joints)
	{
		joint->startBroken = joint->broken;
		joint->startTwist = joint->twist;
		for (uint32_t i = 0; i < joint->rowCount; ++i)
		{
			joint->rows[i].start[0] = joint->rows[i].lambda;
			joint->rows[i].start[1] = joint->rows[i].k;
		}
	}
}

void plWorld_RestoreJoints(plWorld* world)
{
	PL_EACH(plJoint, joint, &world->rigids.joints)
	{
		joint->broken = joint->startBroken;
		joint->twist = joint->startTwist;
		for (uint32_t i = 0; i < joint->rowCount; ++i)
		{
			joint->rows[i].lambda = joint->rows[i].start[0];
			joint->rows[i].k = joint->rows[i].start[1];
		}
	}
}

void plWorld_ReportJoints(const plWorld* world, plStepReport* report)
{
	PL_EACH(const plJoint, joint, &world->rigids.joints)
	{
		double place, turn;
		report->brokenJoints += joint->broken;
		if (joint->broken)
			continue;
		plJointPose pose = plWorld_GetJointPose(world, joint);
		plJointPose_GetErrors(&pose, joint->axes, joint->twist, &place, &turn);
		report->jointError = plMax(report->jointError, place);
		report->jointAngleError = plMax(report->jointAngleError, turn);
	}
}
