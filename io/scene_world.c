// scene_world.c: the world of a scene, made through the public interface
#include "scene.h"

#include <stdint.h>

// ---- the world ----------------------------------------------------------------------------------------------------

static bool createBodies(plSceneReader* reader, plWorld* world)
{
	plScene* scene = reader->scene;
	plError error = {0};
	for (size_t i = 0; i < scene->bodyCount; i++)
	{
		plSceneBody* body = &scene->bodies[i];
		if (body->rigid && !plScene_CreateRigid(reader, world, body))
			return false;
		if (body->rigid)
			continue;
		body->id =
		    body->isCloth ? plCreateCloth(world, &body->cloth, &error) : plCreateSoftBody(world, &body->soft, &error);
		if (PL_IS_NULL(body->id))
		{
			plSceneReader_Fail(reader, body->place, "body \"%.60s\": %s", body->name, error.message);
			return false;
		}
	}
	return true;
}

static bool createPinsAndForces(plSceneReader* reader, plWorld* world)
{
	plScene* scene = reader->scene;
	plError error = {0};
	for (size_t i = 0; i < scene->pinCount; i++)
	{
		plScenePin* pin = &scene->pins[i];
		pin->def.body = scene->bodies[pin->body].id;
		if (PL_IS_NULL(plCreatePin(world, &pin->def, &error)))
		{
			plSceneReader_Fail(reader, pin->place, "pin %zu: %s", i, error.message);
			return false;
		}
	}
	for (size_t i = 0; i < scene->forceCount; i++)
	{
		plSceneForce* force = &scene->forces[i];
		force->def.body = scene->bodies[force->body].id;
		if (PL_IS_NULL(plCreateForce(world, &force->def, &error)))
		{
			plSceneReader_Fail(reader, force->place, "force %zu: %s", i, error.message);
			return false;
		}
	}
	return true;
}

static bool createSprings(plSceneReader* reader, plWorld* world)
{
	plScene* scene = reader->scene;
	plError error = {0};
	for (size_t i = 0; i < scene->springsCount; i++)
	{
		plSceneSprings* springs = &scene->springs[i];
		springs->def.a = scene->bodies[springs->a].id;
		springs->def.b = springs->b == SIZE_MAX ? (plBodyId){0} : scene->bodies[springs->b].id;
		if (PL_IS_NULL(plCreateSprings(world, &springs->def, &error)))
		{
			plSceneReader_Fail(reader, springs->place, "springs %zu: %s", i, error.message);
			return false;
		}
	}
	return true;
}

plWorld* plScene_CreateWorld(plScene* scene, plPool* pool, const plAllocator* allocator, plDiagnostics* diagnostics)
{
	plSceneReader reader = {.scene = scene, .diagnostics = diagnostics};
	plWorldDef def = scene->world;
	def.pool = pool;
	if (allocator)
		def.allocator = *allocator;
	plError error = {0};
	plWorld* world = plCreateWorld(&def, &error);
	if (world == NULL)
	{
		plSceneReader_Fail(&reader, scene->root, "%s", error.message);
		return NULL;
	}
	if (plScene_CreatePairs(&reader, world) && createBodies(&reader, world) && createPinsAndForces(&reader, world) &&
	    createSprings(&reader, world) && plScene_CreateSeams(&reader, world) && plScene_CreateJoints(&reader, world) &&
	    plScene_CreateAttachments(&reader, world) && plScene_CreateAir(&reader, world) &&
	    plScene_CreateColliders(&reader, world))
		return world;
	plDestroyWorld(world);
	for (size_t i = 0; i < scene->bodyCount; i++)
	{
		plSceneRigid* rigid = scene->bodies[i].rigid;
		scene->bodies[i].id = (plBodyId){0};
		for (size_t k = 0; rigid && k < rigid->count; k++)
			rigid->ids[k] = (plBodyId){0};
	}
	return NULL;
}
