// blend.c: weights of conversion (material/convert.h), which are part of the state
//
// A body keeps the weights of the end of its last step, in the caller's order. While a step runs, the elements have
// them, in their own order. So after a step that failed, a change of topology or a loaded state the same is done: the
// body's weights are spread to the elements.
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
	if (world->prepared.elements.tets.blend == NULL)
		return;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		double* lanes = world->prepared.elements.tets.blend + pl_batchSize * body->batchStart;
		for (size_t i = 0; body->blend != NULL && i < body->tetOfCount; ++i)
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

static void validateWeights(const plWorld* world)
{
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t t = 0; body->blend != NULL && t < body->tetCount; ++t)
			PL_VALIDATE(body->blend[t] >= 0.0 && body->blend[t] <= 1.0, "weights of conversion lie between 0 and 1");
}

void plWorld_KeepBlend(plWorld* world)
{
	copyWeights(world, false);
	PL_VALIDATE_CALL(validateWeights(world));
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
	PL_EACH(const plSoftBody, body, &world->softs)
		count += body->blend != NULL ? body->tetCount : 0;
	return count;
}

void plWorld_SaveBlend(const plWorld* world, char* out)
{
	PL_EACH(const plSoftBody, body, &world->softs)
		if (body->blend != NULL)
		{
			memcpy(out, body->blend, body->tetCount * sizeof(double));
			out += body->tetCount * sizeof(double);
		}
}

plResult plWorld_CheckBlend(const plWorld* world, const char* in, plError* error)
{
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t t = 0; body->blend != NULL && t < body->tetCount; ++t, in += sizeof(double))
		{
			double weight;
			memcpy(&weight, in, sizeof weight);
			if (!(weight >= 0.0 && weight <= 1.0))
				return plFail(error, pl_errorInput, "state: the weight of tet %zu is %g, it must be from 0 to 1", t,
				              weight);
			if (weight > 0.0 && !tetConverts(body, t))
				return plFail(error, pl_errorInput,
				              "state: the weight of tet %zu is %g, but its material is not one "
				              "that converts",
				              t, weight);
		}
	return pl_success;
}

void plWorld_LoadBlend(plWorld* world, const char* in)
{
	PL_EACH(const plSoftBody, body, &world->softs)
		if (body->blend != NULL)
		{
			memcpy(body->blend, in, body->tetCount * sizeof(double));
			in += body->tetCount * sizeof(double);
		}
	plWorld_SpreadBlend(world);
}
