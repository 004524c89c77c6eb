// terms.c: from springs, soft pins and damped bodies to the energies of a step besides tetrahedra
#include "world.h"

static uint32_t internalVertex(const plWorld* world, uint32_t body, uint32_t vertex)
{
	const plSoftBody* b = plSlots_At(&world->softs, body);
	return (uint32_t)b->vertexStart + b->internalOf[vertex];
}

// ---- springs --------------------------------------------------------------------------------------------------------

// Those between vertices, or those to points, in the order of their creation.
static bool prepareSprings(plWorld* world, plSpringEnergy* energy, bool toPoints)
{
	size_t count = 0;
	PL_EACH(const plSprings, springs, &world->springs)
		count += springs->toPoints == toPoints ? springs->count : 0;
	if (plSpringEnergy_Create(energy, count, toPoints, &world->heap) != pl_success)
		return false;
	size_t e = 0;
	PL_EACH(const plSprings, springs, &world->springs)
		for (size_t i = 0; springs->toPoints == toPoints && i < springs->count; ++i, ++e)
		{
			const uint32_t* ends = springs->vertices + 2 * i;
			energy->stiffness[e] = springs->stiffness;
			energy->rest[e] = springs->rest[i];
			energy->base.vertices[toPoints ? e : 2 * e] = internalVertex(world, springs->a, ends[0]);
			if (toPoints)
				memcpy(energy->points + 3 * e, springs->points + 3 * i, 3 * sizeof(double));
			else
				energy->base.vertices[2 * e + 1] = internalVertex(world, springs->b, ends[1]);
		}
	return true;
}

// ---- soft pins ------------------------------------------------------------------------------------------------------

static bool prepareAttachments(plWorld* world)
{
	size_t count = 0, e = 0;
	PL_EACH(const plPin, pin, &world->pins)
		count += pin->stiffness > 0.0 ? pin->count : 0;
	if (plAttachmentEnergy_Create(&world->prepared.attachments, count, &world->heap) != pl_success)
		return false;
	PL_EACH(const plPin, pin, &world->pins)
		for (size_t i = 0; pin->stiffness > 0.0 && i < pin->count; ++i)
			world->prepared.attachments.base.vertices[e++] = internalVertex(world, pin->body, pin->vertices[i]);
	return true;
}

// ---- damping --------------------------------------------------------------------------------------------------------

static bool prepareAir(plWorld* world)
{
	size_t count = 0, e = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
		count += body->damping.air > 0.0 ? body->vertexCount : 0;
	if (plAirEnergy_Create(&world->prepared.air, count, &world->heap) != pl_success)
		return false;
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t i = 0; body->damping.air > 0.0 && i < body->vertexCount; ++i, ++e)
		{
			size_t at = body->vertexStart + i;
			world->prepared.air.base.vertices[e] = (uint32_t)at;
			world->prepared.air.rate[e] = body->damping.air * world->mass[at];
		}
	return true;
}

static bool prepareViscous(plWorld* world, const double* rest)
{
	plViscousEnergy* viscous = &world->prepared.viscous;
	size_t count = 0, e = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
		count += body->damping.viscous > 0.0 ? body->tetCount : 0;
	if (plViscousEnergy_Create(viscous, count, &world->heap) != pl_success)
		return false;
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t t = 0; body->damping.viscous > 0.0 && t < body->tetCount; ++t, ++e)
		{
			viscous->viscosity[e] = body->damping.viscous;
			for (size_t c = 0; c < 4; ++c)
				viscous->base.vertices[4 * e + c] =
				    (uint32_t)body->vertexStart + body->internalOf[body->tets[4 * t + c]];
		}
	plViscousEnergy_Prepare(viscous, rest);
	return true;
}

static bool prepareGuide(plWorld* world, const double* rest)
{
	size_t count = world->prepared.tets.blend != NULL ? world->vertexCount : 0;
	return plGuideEnergy_Create(&world->prepared.guide, rest, count, &world->heap) == pl_success;
}

// ---- all of them ----------------------------------------------------------------------------------------------------

bool plWorld_PrepareTerms(plWorld* world, const double* rest)
{
	if (!prepareSprings(world, &world->prepared.innerSprings, false) ||
	    !prepareSprings(world, &world->prepared.pointSprings, true) || !prepareAttachments(world) ||
	    !prepareAir(world) || !prepareViscous(world, rest) || !prepareGuide(world, rest) ||
	    !plWorld_PrepareContact(world))
		return false;
	plEnergy* const energies[] = {&world->prepared.innerSprings.base, &world->prepared.pointSprings.base,
	                              &world->prepared.attachments.base,  &world->prepared.air.base,
	                              &world->prepared.viscous.base,      &world->prepared.guide.base.base,
	                              &world->prepared.push.base};
	bool isTerm = world->contactDef.model == pl_contactEnergy;
	size_t count = sizeof energies / sizeof *energies - (isTerm ? 0 : 1);
	return plEnergySet_Create(&world->prepared.terms, energies, count, world->vertexCount, &world->heap) == pl_success;
}

void plWorld_UnprepareTerms(plWorld* world)
{
	plHeap* heap = &world->heap;
	plEnergySet_Destroy(&world->prepared.terms, heap);
	plSpringEnergy_Destroy(&world->prepared.innerSprings, heap);
	plSpringEnergy_Destroy(&world->prepared.pointSprings, heap);
	plAttachmentEnergy_Destroy(&world->prepared.attachments, heap);
	plAttachmentEnergy_Destroy(&world->prepared.air, heap);
	plViscousEnergy_Destroy(&world->prepared.viscous, heap);
	plGuideEnergy_Destroy(&world->prepared.guide, heap);
	plPushEnergy_Destroy(&world->prepared.push, heap);
}
