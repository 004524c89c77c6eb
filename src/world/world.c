// world.c: making and unmaking worlds, and their settings
#include "world.h"
#include "../base/isa.h"
#include "../base/rotation.h"
#include "../method/options.h"

#include <math.h>

plWorldDef plDefaultWorldDef(void)
{
	return (plWorldDef){.gravity = {0.0, -9.81, 0.0},
	                    .timestep = 1.0 / 60.0,
	                    .substeps = 1,
	                    .solver = plDefaultSolverDef(pl_methodAuto),
	                    .contact = {.model = pl_contactEnergy,
	                                .thickness = 1e-3,
	                                .friction = 0.3,
	                                .bodies = pl_bodiesAuto,
	                                .self = pl_selfAuto,
	                                .pairFriction = -1.0},
	                    .sleep = true,
	                    .cookie = PL_COOKIE(plWorldDef)};
}

static plResult checkTimestep(double timestep, plError* error)
{
	if (!(timestep > 0.0 && timestep <= 1e6))
		return plFailAt(error, "timestep", "timestep is %g s, it must be above 0 and at most 1e6", timestep);
	return pl_success;
}

static const plBackendType* findBackend(const plWorldDef* def)
{
	return def->backend != NULL ? plBackend_Find(def->backend) : plBackend_Get(0);
}

// A part of the def is at fault; the message says what of it.
static plResult blame(plResult result, const char* field, plError* error)
{
	if (result < 0 && error != NULL)
		error->field = field;
	return result;
}

plResult plWorldDef_Check(const plWorldDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plWorldDef), "a plWorldDef starts as plDefaultWorldDef()");
	if (checkTimestep(def->timestep, error) < 0)
		return pl_errorInput;
	if (def->substeps < 1)
		return plFailAt(error, "substeps", "substeps is %d, it must be at least 1", def->substeps);
	if (plIntegrator_GetType(def->integrator) == NULL)
		return plFailAt(error, "integrator", "integrator %d does not exist", (int)def->integrator);
	if (findBackend(def) == NULL)
		return plFailAt(error, "backend", "there is no backend '%s' in this build; the default is '%s'", def->backend,
		                plBackend_Get(0)->name);
	if (!plVec3_IsFinite(def->gravity))
		return plFailAt(error, "gravity", "gravity is not finite");
	plResult result = blame(plSolverDef_Check(&def->solver, error), "solver", error);
	result = result < 0 ? result : blame(plContactDef_Check(&def->contact, error), "contact", error);
	return result < 0 ? result
	                  : blame(plContactDef_CheckMethod(&def->contact, def->solver.method, error), "solver", error);
}

plWorld* plCreateWorld(const plWorldDef* def, plError* error)
{
	if (plIsa_Check(error) < 0 || plWorldDef_Check(def, error) < 0)
		return NULL;
	const plBackendType* backend = findBackend(def);
	plHeap heap;
	plHeap_Init(&heap, &def->allocator);
	plWorld* world = PL_NEW_ZERO(&heap, plWorld, 1);
	if (world == NULL)
	{
		plFail(error, pl_errorMemory, "not enough memory for a world");
		return NULL;
	}
	world->heap = heap;
	world->pool = def->pool;
	world->backend = backend;
	world->gravity = def->gravity;
	world->timestep = def->timestep;
	world->substeps = def->substeps;
	world->integrator = def->integrator;
	world->solver = def->solver;
	world->bodySolver = plDefaultSolverDef(pl_methodAvbd);
	world->contactDef = def->contact;
	world->sleep = def->sleep;
	world->balance = def->balance;
	world->log = def->log;
	world->logContext = def->logContext;
	plSlots_Init(&world->softs, &world->heap, sizeof(plSoftBody));
	plSlots_Init(&world->pins, &world->heap, sizeof(plPin));
	plSlots_Init(&world->forces, &world->heap, sizeof(plForce));
	plSlots_Init(&world->springs, &world->heap, sizeof(plSprings));
	plSlots_Init(&world->colliders, &world->heap, sizeof(plCollider));
	plSlots_Init(&world->grabs, &world->heap, sizeof(plGrab));
	plSlots_Init(&world->energies, &world->heap, sizeof(plOwnEnergy));
	plSlots_Init(&world->pressures, &world->heap, sizeof(plPressure));
	plSlots_Init(&world->seams, &world->heap, sizeof(plSeam));
	plGrabEnergy_Init(&world->grabEnergy);
	plRigids_Init(&world->rigids, &world->heap);
	return world;
}

static void destroyThings(plWorld* world)
{
	plHeap* heap = &world->heap;
	PL_EACH(plSoftBody, body, &world->softs)
		plSoftBody_Free(body, heap);
	PL_EACH(plPin, pin, &world->pins)
		plPin_Free(pin, heap);
	PL_EACH(plForce, force, &world->forces)
		plForce_Free(force, heap);
	PL_EACH(plSprings, springs, &world->springs)
		plSprings_Free(springs, heap);
	PL_EACH(plSeam, seam, &world->seams)
		plSeam_Free(seam, heap);
	PL_EACH(plPressure, pressure, &world->pressures)
		plPressure_Free(pressure, heap);
	PL_EACH(plCollider, collider, &world->colliders)
		plCollider_Free(collider, heap);
	PL_EACH(plOwnEnergy, energy, &world->energies)
		plOwnEnergy_Free(energy, heap);
	plGrabEnergy_Free(&world->grabEnergy, heap);
	plRigids_Destroy(&world->rigids, heap);
	plSlots* const all[] = {&world->softs, &world->pins,     &world->forces,    &world->springs, &world->colliders,
	                        &world->grabs, &world->energies, &world->pressures, &world->seams};
	for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
		plSlots_Destroy(all[i]);
}

void plDestroyWorld(plWorld* world)
{
	if (world == NULL)
		return;
	plWorld_Unprepare(world);
	destroyThings(world);
	plHeap* heap = &world->heap;
	double* const state[] = {world->q, world->v, world->qOld, world->vOld, world->qNext, world->vNext};
	size_t length = pl_quad * world->vertexCapacity;
	for (size_t i = 0; i < sizeof state / sizeof *state; ++i)
		PL_FREE(heap, state[i], length);
	PL_FREE(heap, world->mass, world->vertexCapacity);
	PL_FREE(heap, world->grips, world->gripRoom);
	PL_FREE(heap, world->nearGrips, world->nearGripRoom);
	PL_FREE(heap, world->crossed, world->crossedRoom);
	PL_FREE(heap, world->sunk, world->sunkRoom);
	PL_FREE(heap, world->shellPlaces, world->shellRoom);
	plHeap last = *heap;
	PL_FREE(&last, world, 1);
}

plResult plWorld_SetSolver(plWorld* world, const plSolverDef* def, plError* error)
{
	plResult result = plSolverDef_Check(def, error);
	if (result == pl_success)
		result = plContactDef_CheckMethod(&world->contactDef, def->method, error);
	if (result < 0)
		return result;
	if (plSolverDef_IsSame(&world->solver, def))
		return pl_success;
	if (def->precision == world->solver.precision)
		plWorld_UnprepareMethod(world);
	else
		plWorld_UnprepareProblem(world);
	world->hasKept = false; // those of another method
	bool lookedBack = plWorld_LooksBack(world);
	world->solver = *def;
	plWorld_FollowMethod(world);
	// What nobody looked at is not in a saved state: a world that goes on must not know it either.
	world->hasHistory = world->hasHistory && (lookedBack || !plWorld_LooksBack(world));
	return pl_success;
}

plResult plWorld_SetTimestep(plWorld* world, double timestep, plError* error)
{
	plResult result = checkTimestep(timestep, error);
	if (result < 0)
		return result;
	world->time0 = plWorld_GetTime(world);
	world->timeStep0 = world->stepCount;
	world->hasHistory = world->hasHistory && world->timestep == timestep;
	world->timestep = timestep;
	return pl_success;
}

void plWorld_SetGravity(plWorld* world, plVec3 gravity)
{
	PL_ASSERT(plVec3_IsFinite(gravity), "gravity is finite");
	plVec3 old = world->gravity;
	if (gravity.x != old.x || gravity.y != old.y || gravity.z != old.z)
		plWorld_WakeAll(world);
	world->gravity = gravity;
}

uint64_t plWorld_GetStepCount(const plWorld* world)
{
	return world->stepCount;
}
