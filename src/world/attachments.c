// attachments.c: vertices fastened to rigid bodies: made and destroyed; in a substep they become records of
// constraint/vertex_meet.h
//
// Records stand in the order of slots, then of vertices. What they pulled by goes on in the next substep.
#include "world.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

#include <math.h>

enum
{
	kept = 4 // numbers of a vertex: lambda, k
};

plAttachmentsDef plDefaultAttachmentsDef(void)
{
	return (plAttachmentsDef){.cookie = PL_COOKIE(plAttachmentsDef)};
}

plResult plAttachmentsDef_Check(const plAttachmentsDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plAttachmentsDef), "a plAttachmentsDef starts as plDefaultAttachmentsDef()");
	if (!(def->stiffness >= 0.0) || !isfinite(def->stiffness))
		return plFailAt(error, "stiffness", "attachments: stiffness is %g N/m, it must be 0 or above", def->stiffness);
	return plName_Check(def->name, pl_thingAttachments, error);
}

plAttachments* plWorld_GetAttachments(const plWorld* world, plAttachmentsId id)
{
	plAttachments* attached = plSlots_Get(&world->rigids.attachments, id.index1, id.generation);
	PL_ASSERT(attached != NULL, "the attachments exist in this world");
	return attached;
}

bool plAttachments_IsValid(const plWorld* world, plAttachmentsId id)
{
	return plSlots_Get(&world->rigids.attachments, id.index1, id.generation) != NULL;
}

void plAttachments_Free(plAttachments* attached, plHeap* heap)
{
	plName_Free(attached->name, heap);
	PL_FREE(heap, attached->vertices, attached->count);
	PL_FREE(heap, attached->points, 3 * attached->count);
	PL_FREE(heap, attached->numbers, kept * attached->count);
	PL_FREE(heap, attached->start, kept * attached->count);
	*attached = (plAttachments){0};
}

static size_t vertexOf(const plWorld* world, const plAttachments* attached, size_t i)
{
	const plSoftBody* body = plSlots_At(&world->softs, attached->body);
	return body->vertexStart + body->internalOf[attached->vertices[i]];
}

static plRigid* rigidOf(const plWorld* world, const plAttachments* attached)
{
	return plSlots_At(&world->rigids.bodies, attached->rigid);
}

// From the centre of mass to a point of the frame, of a body in a state.
static void getArm(const plRigid* rigid, const plRigidState* state, const double point[3], double arm[3])
{
	plSubtract3(point, rigid->centre, arm);
	plQuat_Rotate(state->q, arm, arm);
}

static void findPoint(const plRigid* rigid, const double x[3], double point[3])
{
	plSubtract3(x, rigid->state.p, point);
	plQuat_Rotate(plQuat_Inverse(rigid->state.q), point, point);
	plAdd3(point, 1.0, rigid->centre);
}

// ---- making and destroying ------------------------------------------------------------------------------------------

static plResult checkDef(const plWorld* world, const plAttachmentsDef* def, plError* error)
{
	plResult result = plAttachmentsDef_Check(def, error);
	if (result == pl_success)
		result = plWorld_CheckSelection(world, "attachments", def->body, def->vertices, def->count, error);
	if (result == pl_success && plWorld_FindRigid(world, def->to) == NULL)
		result = plFailAt(error, "to", "attachments: to is no rigid body of this world");
	return result < 0 ? result : plWorld_CheckName(world, def->name, pl_thingAttachments, error);
}

plAttachmentsId plCreateAttachments(plWorld* world, const plAttachmentsDef* def, plError* error)
{
	plAttachmentsId null = {0, 0};
	if (checkDef(world, def, error) < 0)
		return null;
	plHeap* heap = &world->heap;
	plAttachments attached = {.body = def->body.index1 - 1,
	                          .rigid = (def->to.index1 & ~PL_RIGID_BIT) - 1,
	                          .spring = def->stiffness,
	                          .count = def->count,
	                          .vertices = PL_NEW(heap, uint32_t, def->count),
	                          .points = PL_NEW(heap, double, 3 * def->count),
	                          .numbers = PL_NEW_ZERO(heap, double, kept * def->count),
	                          .start = PL_NEW_ZERO(heap, double, kept * def->count)};
	bool named = plName_Copy(&attached.name, def->name, heap);
	if (!named || !attached.vertices || !attached.points || !attached.numbers || !attached.start ||
	    !plSlots_Reserve(&world->rigids.attachments))
	{
		plAttachments_Free(&attached, heap);
		plFail(error, pl_errorMemory, "not enough memory for attachments of %zu vertices", def->count);
		return null;
	}
	memcpy(attached.vertices, def->vertices, def->count * sizeof(uint32_t));
	plRigid* rigid = rigidOf(world, &attached);
	for (size_t i = 0; i < def->count; ++i)
		findPoint(rigid, PL_AT(world->q, vertexOf(world, &attached, i)), attached.points + 3 * i);
	plWorld_WakeRigid(world, rigid);
	plSlotId id = plSlots_Add(&world->rigids.attachments, &attached);
	return (plAttachmentsId){id.index1, id.generation};
}

static void destroy(plWorld* world, plAttachments* attached)
{
	plWorld_WakeRigid(world, rigidOf(world, attached));
	plAttachments_Free(attached, &world->heap);
	plSlots_Remove(&world->rigids.attachments, attached);
}

void plDestroyAttachments(plWorld* world, plAttachmentsId id)
{
	destroy(world, plWorld_GetAttachments(world, id));
}

void plWorld_DestroyAttachments(plWorld* world, uint32_t soft, uint32_t rigid)
{
	PL_EACH(plAttachments, attached, &world->rigids.attachments)
		if (attached->body == soft || attached->rigid == rigid)
			destroy(world, attached);
}

const double* plAttachments_GetPull(const plAttachments* attached, size_t i)
{
	return attached->numbers + kept * i;
}

// ---- numbers out ----------------------------------------------------------------------------------------------------

plVec3 plAttachments_GetForce(const plWorld* world, plAttachmentsId id)
{
	const plAttachments* attached = plWorld_GetAttachments(world, id);
	double sum[3] = {0.0, 0.0, 0.0};
	for (size_t i = 0; i < attached->count; ++i)
		plAdd3(sum, 1.0, plAttachments_GetPull(attached, i));
	return (plVec3){sum[0], sum[1], sum[2]};
}

double plAttachments_GetError(const plWorld* world, plAttachmentsId id)
{
	const plAttachments* attached = plWorld_GetAttachments(world, id);
	const plRigid* rigid = rigidOf(world, attached);
	double most = 0.0, off[3];
	for (size_t i = 0; i < attached->count; ++i)
	{
		getArm(rigid, &rigid->state, attached->points + 3 * i, off);
		plAdd3(off, 1.0, rigid->state.p);
		plAdd3(off, -1.0, PL_AT(world->q, vertexOf(world, attached, i)));
		most = plMax(plLength3(off), most);
	}
	return most;
}

// ---- a substep ------------------------------------------------------------------------------------------------------

size_t plWorld_CountAttached(const plWorld* world)
{
	size_t count = 0;
	PL_EACH(const plAttachments, attached, &world->rigids.attachments)
		count += attached->count;
	return count;
}

// What errors are small against: the soft body, and the edge of a cube that is as hard to turn as the rigid one.
static double sizeOf(const plWorld* world, const plAttachments* attached)
{
	const plRigid* rigid = rigidOf(world, attached);
	const double* m = rigid->moments;
	double size = ((const plSoftBody*)plSlots_At(&world->softs, attached->body))->extent;
	double least = plMin(m[0], plMin(m[1], m[2]));
	return rigid->motion == pl_rigidDynamic && least > 0.0 ? plMin(size, sqrt(6.0 * least / rigid->mass)) : size;
}

static plVertexMeet makeMeet(const plWorld* world, const plAttachments* attached, size_t i, double size, double h)
{
	const plRigid* rigid = rigidOf(world, attached);
	const double *point = attached->points + 3 * i, *numbers = attached->numbers + kept * i;
	size_t vertex = vertexOf(world, attached, i);
	bool moves = rigid->motion == pl_rigidDynamic && !rigid->rest.sleeps;
	plVertexMeet meet = {.corners = {(uint32_t)vertex},
	                     .cornerCount = 1,
	                     .shares = {1.0},
	                     .mover = moves ? rigid->pose : pl_noMover,
	                     .kept = (uint32_t)i,
	                     .isAttached = true,
	                     .size = size,
	                     .weights = {plWorld_GetVertexWeight(world, vertex, h)},
	                     .spring = attached->spring,
	                     .lambda = {numbers[0], numbers[1], numbers[2]},
	                     .kn = numbers[3],
	                     .kt = numbers[3]};
	memcpy(meet.x, PL_AT(world->q, vertex), sizeof meet.x);
	getArm(rigid, &rigid->state, point, meet.error);
	getArm(rigid, &rigid->flight.end, point, meet.r);
	for (int k = 0; k < 3; ++k)
	{
		meet.error[k] += rigid->state.p[k] - meet.x[k];
		meet.u0[k] = rigid->flight.end.p[k] + meet.r[k] - meet.x[k];
	}
	return meet;
}

size_t plWorld_MakeAttached(plWorld* world, double h, plVertexMeet* meets)
{
	size_t count = 0;
	PL_EACH(const plAttachments, attached, &world->rigids.attachments)
	{
		double size = sizeOf(world, attached);
		for (size_t i = 0; i < attached->count; ++i)
			meets[count++] = makeMeet(world, attached, i, size, h);
	}
	return count;
}

void plWorld_FinishAttached(plWorld* world, const plVertexMeet* meets)
{
	PL_EACH(plAttachments, attached, &world->rigids.attachments)
		for (size_t i = 0; i < attached->count; ++i, ++meets)
		{
			memcpy(attached->numbers + kept * i, meets->lambda, 3 * sizeof(double));
			attached->numbers[kept * i + 3] = meets->kn;
		}
}

static void copyNumbers(plWorld* world, bool back)
{
	PL_EACH(plAttachments, attached, &world->rigids.attachments)
		memcpy(back ? attached->numbers : attached->start, back ? attached->start : attached->numbers,
		       kept * attached->count * sizeof(double));
}

void plWorld_KeepAttached(plWorld* world)
{
	copyNumbers(world, false);
}

void plWorld_RestoreAttached(plWorld* world)
{
	copyNumbers(world, true);
}
