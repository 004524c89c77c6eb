// colliders.c: shapes that bodies cannot enter, how they move, and where contact enters a step
//
// The shapes are in collide/, the energy is in energy/push.c, and obstacles.c brings the two together. A collider moves
// as its motion says (motion.c), or, once it was told where to be, from where the last step ended to there, substep by
// substep.
#include "world.h"
#include "../base/rotation.h"
#include "../collide/lag.h"
#include "../collide/projection.h"

#include <math.h>

plColliderDef plDefaultColliderDef(void)
{
	return (plColliderDef){.normal = {0.0, 1.0, 0.0},
	                       .radius = 1.0,
	                       .b = {0.0, 1.0, 0.0},
	                       .size = {1.0, 1.0, 1.0},
	                       .rotation = plTransform_identity.rotation,
	                       .transform = plTransform_identity,
	                       .friction = -1.0,
	                       .thickness = -1.0,
	                       .cookie = PL_COOKIE(plColliderDef)};
}

// Contact of surfaces with surfaces
static plResult checkPairs(const plContactDef* def, plError* error)
{
	bool asked = def->bodies == pl_bodiesAll || def->self == pl_selfCloth || def->self == pl_selfAll;
	if ((int)def->bodies < pl_bodiesNone || def->bodies > pl_bodiesAuto)
		return plFailAt(error, "bodies", "contact: bodies %d does not exist", (int)def->bodies);
	if ((int)def->self < pl_selfNone || def->self > pl_selfAuto)
		return plFailAt(error, "self", "contact: self %d does not exist", (int)def->self);
	if (def->intersections != pl_intersectionsRefuse && def->intersections != pl_intersectionsIgnore)
		return plFailAt(error, "intersections", "contact: intersections %d does not exist", (int)def->intersections);
	if (!(def->pairThickness >= 0.0) || !isfinite(def->pairThickness))
		return plFailAt(
		    error, "pairThickness",
		    "contact: the thickness between bodies is %g m, it must be above 0, or 0 for a share of their edges",
		    def->pairThickness);
	if (!isfinite(def->pairFriction))
		return plFailAt(error, "pairFriction",
		                "contact: friction between bodies is %g; it must be finite, below 0 it is the other friction",
		                def->pairFriction);
	if (asked && def->model != pl_contactEnergy)
		return plFailAt(error, "model", "contact: bodies touch each other and themselves by the model energy only");
	return pl_success;
}

plResult plContactDef_Check(const plContactDef* def, plError* error)
{
	if (def->model != pl_contactEnergy && def->model != pl_contactProjection)
		return plFailAt(error, "model", "contact: model %d does not exist", (int)def->model);
	if (!(def->thickness >= 0.0) || !isfinite(def->thickness))
		return plFailAt(error, "thickness", "contact: thickness is %g m, it cannot be below 0", def->thickness);
	if (!(def->friction >= 0.0) || !isfinite(def->friction))
		return plFailAt(error, "friction", "contact: friction is %g, it cannot be below 0", def->friction);
	if (!(def->stiffness >= 0.0) || !isfinite(def->stiffness))
		return plFailAt(error, "stiffness", "contact: stiffness is %g N/m, it must be above 0, or 0 for each vertex's",
		                def->stiffness);
	return checkPairs(def, error);
}

static plResult createShape(plShape* shape, const plColliderDef* def, plHeap* heap, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plColliderDef), "a plColliderDef starts as plDefaultColliderDef()");
	if (!isfinite(def->friction))
		return plFailAt(error, "friction", "collider: friction is %g; it must be finite, below 0 it is the world's",
		                def->friction);
	if (!isfinite(def->thickness))
		return plFailAt(error, "thickness", "collider: thickness is %g; it must be finite, below 0 it is the world's",
		                def->thickness);
	if (!plVec3_IsFinite(def->surfaceVelocity))
		return plFailAt(error, "surfaceVelocity", "collider: the velocity of its surface is not finite");
	plResult result = plName_Check(def->name, pl_thingCollider, error);
	if (result == pl_success)
		result = plMotion_Check(&def->motion, "collider", error);
	return result < 0 ? result : plShape_Create(shape, def, heap, error);
}

plResult plColliderDef_Check(const plColliderDef* def, plError* error)
{
	plShape shape = {0};
	plHeap heap;
	plHeap_Init(&heap, NULL);
	plResult result = createShape(&shape, def, &heap, error);
	if (result == pl_success)
		plShape_Destroy(&shape, &heap);
	return result;
}

void plCollider_Free(plCollider* collider, plHeap* heap)
{
	plShape_Destroy(&collider->shape, heap);
	plMotion_Free(&collider->motion, heap);
	plName_Free(collider->name, heap);
}

plColliderId plCreateCollider(plWorld* world, const plColliderDef* def, plError* error)
{
	plColliderId null = {0, 0};
	plHeap* heap = &world->heap;
	plCollider collider = {
	    .friction = def->friction, .thickness = def->thickness, .surfaceVelocity = def->surfaceVelocity};
	if (plWorld_CheckName(world, def->name, pl_thingCollider, error) < 0 ||
	    createShape(&collider.shape, def, heap, error) != pl_success)
		return null;
	double middle[3];
	plShape_GetMiddle(&collider.shape, middle);
	plSlotId id = {0, 0};
	if (plMotion_Copy(&collider.motion, &def->motion, middle, heap) && plName_Copy(&collider.name, def->name, heap))
		id = plSlots_Add(&world->colliders, &collider);
	if (id.index1 == 0)
	{
		plCollider_Free(&collider, heap);
		plFail(error, pl_errorMemory, "not enough memory for a collider");
		return null;
	}
	plWorld_ChangeTerms(world, pl_changeColliders);
	plWorld_ForgetShells(world, true);
	return (plColliderId){id.index1, id.generation};
}

static plCollider* getCollider(const plWorld* world, plColliderId id)
{
	plCollider* collider = plSlots_Get(&world->colliders, id.index1, id.generation);
	PL_ASSERT(collider != NULL, "the collider exists in this world");
	return collider;
}

void plDestroyCollider(plWorld* world, plColliderId id)
{
	plCollider* collider = getCollider(world, id);
	plWorld_ChangeTerms(world, pl_changeColliders);
	plWorld_ForgetShells(world, true);
	plWorld_DropGrips(world, UINT32_MAX, id.index1 - 1);
	plCollider_Free(collider, &world->heap);
	plSlots_Remove(&world->colliders, collider);
}

// ---- motion ---------------------------------------------------------------------------------------------------------

plPose plCollider_GetPose(const plWorld* world, const plCollider* collider, int mark)
{
	if (!collider->driven)
		return plMotion_GetPose(&collider->motion, plWorld_GetSubstepTime(world, mark));
	return plPose_Blend(&collider->last, &collider->target, (double)mark / (double)world->substeps);
}

bool plCollider_IsMoved(const plCollider* collider)
{
	return collider->driven || plMotion_IsMoving(&collider->motion);
}

plResult plCollider_SetTransform(plWorld* world, plColliderId id, plTransform transform, plError* error)
{
	plCollider* collider = getCollider(world, id);
	if (plTransform_Check(&transform, "collider", error) < 0)
		return pl_errorInput;
	if (transform.scale != 1.0)
		return plFailAt(error, "transform.scale", "collider: the scale of the transform is %g, it must be 1",
		                transform.scale);
	if (!collider->driven)
		collider->last = plCollider_GetPose(world, collider, 0);
	collider->driven = true;
	collider->target = plPose_FromTransform(&transform, collider->motion.centre);
	return pl_success;
}

plTransform plCollider_GetTransform(const plWorld* world, plColliderId id)
{
	const plCollider* collider = getCollider(world, id);
	plPose pose = plCollider_GetPose(world, collider, 0);
	return plCollider_IsMoved(collider) ? plPose_GetTransform(&pose, collider->motion.centre) : plTransform_identity;
}

// The middle of a def's shape, without the tree of a mesh. False: it has none
static bool findMiddle(const plColliderDef* def, double middle[3])
{
	plHeap heap;
	plHeap_Init(&heap, NULL);
	plShape shape = {.kind = def->shape};
	bool fine = def->shape != pl_shapeMesh && createShape(&shape, def, &heap, NULL) == pl_success;
	if (def->shape == pl_shapeMesh && def->mesh != NULL)
		fine = plShape_BoundMesh(&shape, plMesh_GetView(def->mesh), &def->transform);
	plShape_GetMiddle(&shape, middle);
	return fine;
}

plTransform plColliderDef_GetTransform(const plColliderDef* def, double time)
{
	plTransform transform = plTransform_identity;
	double middle[3] = {0.0, 0.0, 0.0};
	plHeap heap;
	plHeap_Init(&heap, NULL);
	plMotion motion;
	if (!plMotion_IsMoving(&def->motion) || (!def->motion.hasCentre && !findMiddle(def, middle)))
		return transform;
	if (plMotion_Copy(&motion, &def->motion, middle, &heap))
	{
		plPose pose = plMotion_GetPose(&motion, time);
		transform = plPose_GetTransform(&pose, motion.centre);
	}
	plMotion_Free(&motion, &heap);
	return transform;
}

void plWorld_FinishColliders(plWorld* world)
{
	PL_EACH(plCollider, collider, &world->colliders)
		if (collider->driven)
			collider->last = collider->target;
}

// ---- in a step ------------------------------------------------------------------------------------------------------

static plResult lackMemory(const plPushEnergy* push, plError* error)
{
	return plFail(error, pl_errorMemory, "not enough memory for the friction of %zu vertices", push->base.elementCount);
}

plResult plWorld_Collide(plWorld* world, plError* error)
{
	plPushEnergy* push = world->prepared.push;
	if (push == NULL || world->contactDef.model != pl_contactEnergy)
		return pl_success;
	plPushEnergy_Clear(push, world->pool);
	plResult result = plPushEnergy_LagFriction(push, world->q, world->pool, &world->heap);
	bool touches = plPushEnergy_Rubs(push);
	PL_EACH(const plSoftBody, body, &world->softs)
		touches = touches || plWorld_Touches(world, body);
	world->prepared.problem->touches = touches;
	return result == pl_success ? pl_success : lackMemory(push, error);
}

void plWorld_SweepGuess(plWorld* world, const uint8_t* held, double* q)
{
	plPushEnergy* push = world->prepared.push;
	if (push != NULL && world->contactDef.model == pl_contactEnergy)
		plPushEnergy_Sweep(push, world->q, held, q, world->pool);
}

bool plWorld_Touches(const plWorld* world, const plSoftBody* body)
{
	const plPushEnergy* push = world->prepared.push;
	if (push == NULL || world->contactDef.model != pl_contactEnergy)
		return false;
	size_t begin = plPushEnergy_FindElement(push, body->vertexStart), count = push->base.elementCount;
	bool touches = false;
	for (size_t e = begin; e < count && !touches; ++e)
	{
		size_t i = push->base.vertices[e];
		plDistance d;
		if (i >= body->vertexStart + body->vertexCount)
			break;
		touches = plPushEnergy_TouchVertex(push, e, PL_AT(world->q, i), 0, &d) < push->colliderCount;
	}
	return touches;
}

plResult plWorld_FinishContact(plWorld* world, const plSubstep* substep, double* q, plError* error)
{
	plPushEnergy* push = world->prepared.push;
	if (plWorld_TakeNearGrips(world, q) < 0)
		return plFail(error, pl_errorMemory, "not enough memory for the friction of %zu vertices",
		              world->layout.vertexCount);
	if (push == NULL)
		return pl_success;
	if (world->contactDef.model == pl_contactProjection)
	{
		plPushEnergy_Project(push, substep, world->prepared.held, q, world->pool);
		return pl_success;
	}
	if (plPushEnergy_TakeGrips(push, q, world->pool, &world->heap) < 0 ||
	    !plWorld_ReserveGrips(world, push->frictionRoom))
		return lackMemory(push, error);
	plPushEnergy_Measure(push, q, world->pool);
	return pl_success;
}

void plWorld_ReportContact(const plWorld* world, plStepReport* report)
{
	const plPushEnergy* push = world->prepared.push;
	if (push == NULL)
		return;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		double depth = 0.0;
		size_t end = plPushEnergy_FindElement(push, body->vertexStart + body->vertexCount);
		for (size_t e = plPushEnergy_FindElement(push, body->vertexStart); e < end; ++e)
		{
			report->contacts += push->touches[e];
			depth = fmax(depth, push->depth[e]);
		}
		report->penetration = fmax(report->penetration, depth);
		report->sunken = fmax(report->sunken, depth > 0.0 ? depth / body->extent : 0.0);
	}
}

void plWorld_JudgeProjection(plWorld* world, plLoopReport* loop)
{
	plPrepared* p = &world->prepared;
	plProblem* problem = p->problem;
	bool moved = false;
	if (p->push == NULL || world->contactDef.model != pl_contactProjection)
		return;
	double* forces = world->vNext; // the velocities come later
	memset(forces, 0, plLayout_GetLength(world->layout) * sizeof(double));
	for (size_t e = 0; e < p->push->base.elementCount; ++e)
	{
		moved = moved || p->push->touches[e];
		memcpy(PL_AT(forces, p->push->base.vertices[e]), p->push->force + 3 * e, 3 * sizeof(double));
	}
	if (!moved)
		return;
	plForceScale scale;
	problem->space->load(problem, p->next, world->qNext);
	problem->objective->gradient(problem, p->next, p->gradient, &scale);
	problem->space->loadTangent(problem, p->work, forces);
	problem->space->axpy(problem, p->gradient, -1.0, p->work);
	plLoopReport_Judge(loop, sqrt(problem->space->dot(problem, p->gradient, p->gradient)), scale,
	                   plWorld_GetSolver(world));
}
