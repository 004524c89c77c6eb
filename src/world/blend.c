// blend.c: weights of conversion (material/convert.h), which are part of the state
//
// A body keeps those at the end of its last step, in the caller's order; while a step runs the elements have them, in
// theirs. So a step that fails, a change of topology and a state that is loaded all do the same: spread the body's.
#include "world.h"

// Does the tet belong to a material that converts?
static bool tetConverts(const plSoftBody* body, size_t tet)
{
	return body->materials[plSoftBody_GetMaterial(body, tet)].convertMu > 0.0;
}

bool plSoftBody_Converts(const plSoftBody* body)
{
	bool any = false;
	for (size_t i = 0; i < body->materialCount; ++i)
		any = any || body->materials[i].convertMu > 0.0;
	return any;
}

// For every lane that holds a tet of a converting body: from the body to the lane, or back.
static void copyWeights(plWorld* world, bool toElements)
{
	if (world->prepared.tets.blend == NULL)
		return;
	const plSoftBody* bodies = world->softs.data;
	for (size_t b = 0; b < world->softs.count; ++b)
	{
		const plSoftBody* body = bodies + b;
		double* lanes = world->prepared.tets.blend + pl_batchSize * body->batchStart;
		for (size_t i = 0; body->live && body->blend != NULL && i < body->tetOfCount; ++i)
			if (body->tetOf[i] != UINT32_MAX && toElements)
				lanes[i] = body->blend[body->tetOf[i]];
			else if (body->tetOf[i] != UINT32_MAX)
				body->blend[body->tetOf[i]] = lanes[i];
	}
}

void plWorld_SpreadBlend(plWorld* world)
{
	copyWeights(world, true);
}

void plWorld_KeepBlend(plWorld* world)
{
	copyWeights(world, false);
}

bool plBody_GetBlend(const plWorld* world, plBodyId id, double* weights)
{
	const plSoftBody* body = plWorld_GetSoftBody(world, id);
	for (size_t t = 0; t < body->tetCount; ++t)
		weights[t] = body->blend != NULL ? body->blend[t] : 0.0;
	return body->blend != NULL;
}

// ---- saved states ---------------------------------------------------------------------------------------------------

size_t plWorld_CountBlend(const plWorld* world)
{
	size_t count = 0;
	const plSoftBody* bodies = world->softs.data;
	for (size_t b = 0; b < world->softs.count; ++b)
		count += bodies[b].live && bodies[b].blend != NULL ? bodies[b].tetCount : 0;
	return count;
}

void plWorld_SaveBlend(const plWorld* world, char* out)
{
	const plSoftBody* bodies = world->softs.data;
	for (size_t b = 0; b < world->softs.count; ++b)
		if (bodies[b].live && bodies[b].blend != NULL)
		{
			memcpy(out, bodies[b].blend, bodies[b].tetCount * sizeof(double));
			out += bodies[b].tetCount * sizeof(double);
		}
}

plResult plWorld_CheckBlend(const plWorld* world, const char* in, plError* error)
{
	const plSoftBody* bodies = world->softs.data;
	for (size_t b = 0; b < world->softs.count; ++b)
		for (size_t t = 0; bodies[b].live && bodies[b].blend != NULL && t < bodies[b].tetCount;
		     ++t, in += sizeof(double))
		{
			double weight;
			memcpy(&weight, in, sizeof weight);
			if (!(weight >= 0.0 && weight <= 1.0))
				return plFail(error, pl_errorInput, "state: the weight of tet %zu is %g, it must be from 0 to 1", t,
				              weight);
			if (weight > 0.0 && !tetConverts(bodies + b, t))
				return plFail(error, pl_errorInput,
				              "state: the weight of tet %zu is %g, but its material is not one "
				              "that converts",
				              t, weight);
		}
	return pl_success;
}

void plWorld_LoadBlend(plWorld* world, const char* in)
{
	const plSoftBody* bodies = world->softs.data;
	for (size_t b = 0; b < world->softs.count; ++b)
		if (bodies[b].live && bodies[b].blend != NULL)
		{
			memcpy(bodies[b].blend, in, bodies[b].tetCount * sizeof(double));
			in += bodies[b].tetCount * sizeof(double);
		}
	plWorld_SpreadBlend(world);
}
