// energies.c: an own energy is one of the caller's, by callback; the arithmetic is in energy/callback.c
#include "world.h"

#include <math.h>

plEnergyDef plDefaultEnergyDef(void)
{
	return (plEnergyDef){.name = "own", .isStored = true, .cookie = PL_COOKIE(plEnergyDef)};
}

void plOwnEnergy_Free(plOwnEnergy* own, plHeap* heap)
{
	if (own->energy != NULL)
		PL_FREE(heap, own->corners, own->energy->own.cornerCount * own->energy->base.elementCount);
	PL_FREE(heap, own->name, own->nameBytes);
	plEnergy_Destroy(own->energy != NULL ? &own->energy->base : NULL, heap);
	*own = (plOwnEnergy){0};
}

static size_t countCorners(const plOwnEnergy* own)
{
	return own->energy->own.cornerCount * own->energy->base.elementCount;
}

bool plOwnEnergy_Holds(const plOwnEnergy* own, uint32_t body)
{
	for (size_t c = 0; c < countCorners(own); ++c)
		if (own->corners[c].body == body)
			return true;
	return false;
}

// ---- checks ---------------------------------------------------------------------------------------------------------

plResult plEnergyDef_Check(const plEnergyDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plEnergyDef), "a plEnergyDef starts as plDefaultEnergyDef()");
	if (def->name == NULL)
		return plFailAt(error, "name", "energy: there is no name");
	if (def->evaluate == NULL)
		return plFailAt(error, "evaluate", "energy '%s': there is no function", def->name);
	if (def->cornerCount == 0)
		return plFailAt(error, "cornerCount", "energy '%s': an element has no corner, it must have one at least",
		                def->name);
	if (def->elementCount == 0)
		return plFailAt(error, "elementCount", "energy '%s': there is no element", def->name);
	if (def->vertices == NULL)
		return plFailAt(error, "vertices", "energy '%s': vertices of %zu elements are promised, the array is NULL",
		                def->name, def->elementCount);
	for (size_t e = 0; def->stiffness != NULL && e < def->elementCount; ++e)
		if (!(def->stiffness[e] >= 0.0) || !isfinite(def->stiffness[e]))
			return plFailAt(error, "stiffness", "energy '%s', element %zu: stiffness is %g N/m, it must be at least 0",
			                def->name, e, def->stiffness[e]);
	return pl_success;
}

static plBodyId bodyOf(const plEnergyDef* def, size_t corner)
{
	return def->bodies != NULL ? def->bodies[corner] : def->body;
}

// The corner of its element, before this one, that is the same vertex; `corner` itself: none is.
static size_t findTwin(const plEnergyDef* def, size_t corner)
{
	size_t twin = corner - corner % def->cornerCount;
	while (twin < corner &&
	       (def->vertices[twin] != def->vertices[corner] || bodyOf(def, twin).index1 != bodyOf(def, corner).index1))
		++twin;
	return twin;
}

static plResult checkCorners(const plWorld* world, const plEnergyDef* def, plError* error)
{
	for (size_t c = 0; c < def->cornerCount * def->elementCount; ++c)
	{
		size_t element = c / def->cornerCount;
		uint32_t vertex = def->vertices[c];
		bool exists = plBody_IsValid(world, bodyOf(def, c));
		if (!exists || plBodyId_IsRigid(bodyOf(def, c)))
			return plFailAt(error, def->bodies != NULL ? "bodies" : "body",
			                "energy '%s', element %zu: the body of corner %zu %s", def->name, element,
			                c % def->cornerCount, exists ? "is rigid; soft bodies only are taken" : "does not exist");
		size_t count = plWorld_GetSoftBody(world, bodyOf(def, c))->vertexCount;
		if (vertex >= count)
			return plFailAt(error, "vertices", "energy '%s', element %zu: vertex %u does not exist, the body has %zu",
			                def->name, element, vertex, count);
		size_t twin = findTwin(def, c);
		if (twin < c)
			return plFailAt(error, "vertices", "energy '%s', element %zu: corners %zu and %zu are both vertex %u",
			                def->name, element, twin % def->cornerCount, c % def->cornerCount, vertex);
	}
	return pl_success;
}

static plResult checkDef(const plWorld* world, const plEnergyDef* def, plError* error)
{
	plResult result = plEnergyDef_Check(def, error);
	if (result < 0)
		return result;
	if (def->cornerCount >= 0x10000 || def->elementCount > SIZE_MAX / 16 / (def->cornerCount * def->cornerCount))
		return plFail(error, pl_errorMemory, "not enough memory for energy '%s': %zu elements of %zu corners",
		              def->name, def->elementCount, def->cornerCount);
	return checkCorners(world, def, error);
}

// ---- creation -------------------------------------------------------------------------------------------------------

static void place(const plWorld* world, const plOwnEnergy* own)
{
	for (size_t c = 0; c < countCorners(own); ++c)
	{
		const plSoftBody* body = plSlots_At(&world->softs, own->corners[c].body);
		own->energy->base.vertices[c] = (uint32_t)body->vertexStart + body->internalOf[own->corners[c].vertex];
	}
}

void plWorld_PlaceEnergies(plWorld* world)
{
	PL_EACH(const plOwnEnergy, own, &world->energies)
		place(world, own);
}

// The largest extent of a body that it holds, m
static double reachOf(const plWorld* world, const plOwnEnergy* own)
{
	double reach = 0.0;
	for (size_t c = 0; c < countCorners(own); ++c)
		reach = fmax(reach, ((const plSoftBody*)plSlots_At(&world->softs, own->corners[c].body))->extent);
	return reach;
}

static void beginAt(const plWorld* world, const plOwnEnergy* own, double time)
{
	if (own->begin != NULL)
		own->begin(time, world->timestep / (double)world->substeps, own->energy->context);
}

// At rest, at time 0, which are the same after a restart; then here and now.
static plResult tryOut(plWorld* world, const plOwnEnergy* own, plError* error)
{
	size_t length = pl_quad * world->layout.vertexCount;
	double* rest = PL_NEW_ZERO(&world->heap, double, length);
	if (rest == NULL)
		return plFail(error, pl_errorMemory, "not enough memory for energy '%s'", own->name);
	plWorld_GetRest(world, rest);
	beginAt(world, own, plWorld_GetTime(world));
	plResult result = plCallbackEnergy_Check(own->energy, world->q, reachOf(world, own), &world->heap, error);
	beginAt(world, own, 0.0);
	if (result == pl_success)
		result = plCallbackEnergy_Measure(own->energy, rest, error);
	PL_FREE(&world->heap, rest, length);
	return result;
}

static bool fill(plWorld* world, plOwnEnergy* own, const plEnergyDef* def)
{
	size_t count = def->cornerCount * def->elementCount;
	own->nameBytes = strlen(def->name) + 1;
	own->name = PL_NEW(&world->heap, char, own->nameBytes);
	own->energy = own->name != NULL ? plCallbackEnergy_Create(def, own->name, world->pool, &world->heap) : NULL;
	own->corners = own->energy != NULL ? PL_NEW(&world->heap, plCorner, count) : NULL;
	if (own->corners == NULL)
		return false;
	memcpy(own->name, def->name, own->nameBytes);
	own->begin = def->begin;
	if (def->stiffness != NULL)
		memcpy(own->energy->stiffness, def->stiffness, def->elementCount * sizeof(double));
	for (size_t c = 0; c < count; ++c)
		own->corners[c] = (plCorner){bodyOf(def, c).index1 - 1, def->vertices[c]};
	place(world, own);
	return true;
}

plEnergyId plCreateEnergy(plWorld* world, const plEnergyDef* def, plError* error)
{
	plEnergyId null = {0, 0};
	plOwnEnergy own = {0};
	if (checkDef(world, def, error) < 0)
		return null;
	bool fine = fill(world, &own, def) && plSlots_Reserve(&world->energies);
	if (!fine)
		plFail(error, pl_errorMemory, "not enough memory for energy '%s': %zu elements of %zu corners", def->name,
		       def->elementCount, def->cornerCount);
	if (!fine || tryOut(world, &own, error) < 0)
	{
		plOwnEnergy_Free(&own, &world->heap);
		return null;
	}
	plWorld_ChangeTerms(world, pl_changeEnergies);
	plSlotId id = plSlots_Add(&world->energies, &own);
	return (plEnergyId){id.index1, id.generation};
}

static plOwnEnergy* getEnergy(const plWorld* world, plEnergyId id)
{
	plOwnEnergy* own = plSlots_Get(&world->energies, id.index1, id.generation);
	PL_ASSERT(own != NULL, "the energy exists in this world");
	return own;
}

void plDestroyEnergy(plWorld* world, plEnergyId id)
{
	plOwnEnergy* own = getEnergy(world, id);
	plWorld_ChangeTerms(world, pl_changeEnergies);
	plOwnEnergy_Free(own, &world->heap);
	plSlots_Remove(&world->energies, own);
}

bool plEnergy_IsValid(const plWorld* world, plEnergyId id)
{
	return plSlots_Get(&world->energies, id.index1, id.generation) != NULL;
}

// ---- a step ---------------------------------------------------------------------------------------------------------

void plWorld_BeginEnergies(plWorld* world, int mark)
{
	PL_EACH(const plOwnEnergy, own, &world->energies)
	{
		plCallbackEnergy_ClearBad(own->energy);
		beginAt(world, own, plWorld_GetSubstepTime(world, mark));
	}
}

// Words about the first one of which a part is not finite; Hessians only, or anything.
static plResult findBad(const plWorld* world, bool hessiansOnly, plError* error)
{
	static const char* const parts[pl_partCount] = {"value", "gradient", "hessian"};
	PL_EACH(const plOwnEnergy, own, &world->energies)
	{
		plEnergyPart part;
		size_t element = plCallbackEnergy_GetBad(own->energy, &part);
		if (element != SIZE_MAX && (part == pl_partHessian || !hessiansOnly))
			return plFail(error, pl_errorNumeric, "energy '%s', element %zu: the %s is not finite", own->name, element,
			              parts[part]);
	}
	return pl_success;
}

plResult plWorld_CheckEnergies(const plWorld* world, plError* error)
{
	return findBad(world, true, error);
}

void plWorld_BlameEnergies(const plWorld* world, plError* error)
{
	if (error->code == pl_errorNumeric)
		findBad(world, false, error);
}

// ---- questions ------------------------------------------------------------------------------------------------------

double plEnergy_GetValue(const plWorld* world, plEnergyId id)
{
	const plOwnEnergy* own = getEnergy(world, id);
	plEnergySum sum = {0.0, 0.0, 0.0};
	beginAt(world, own, plWorld_GetTime(world));
	own->energy->own.value(&own->energy->base, world->q, 0, own->energy->base.elementCount, &sum);
	return sum.value;
}

void plEnergy_GetForces(const plWorld* world, plEnergyId id, plBodyId bodyId, double* forces)
{
	const plOwnEnergy* own = getEnergy(world, id);
	const plCallbackEnergy* energy = own->energy;
	const plSoftBody* body = plWorld_GetSoftBody(world, bodyId);
	size_t corners = energy->own.cornerCount, all = energy->base.elementCount, batch = plEnergy_GetBatch(corners);
	memset(forces, 0, 3 * body->vertexCount * sizeof(double));
	beginAt(world, own, plWorld_GetTime(world));
	plCallbackRoom room = plCallbackEnergy_Enter(energy);
	for (size_t first = 0; first < all; first += batch)
	{
		size_t count = all - first < batch ? all - first : batch;
		plCallbackEnergy_Gather(energy, world->q, first, count, room);
		energy->evaluate(first, count, room.x, NULL, room.gradient, NULL, energy->context);
		for (size_t c = 0; c < corners * count; ++c)
		{
			const plCorner* corner = own->corners + corners * first + c;
			for (size_t k = 0; corner->body == bodyId.index1 - 1 && k < 3; ++k)
				forces[3 * (size_t)corner->vertex + k] -= room.gradient[3 * c + k];
		}
	}
	plCallbackEnergy_Leave(energy, room);
}
