// wind.c: the air about cloth; the arithmetic is in energy/wind.c
//
//   w(t) = velocity + gust sin(2 pi f t + phase)      at the end of a substep
#include "world.h"
#include "../base/number.h"
#include "../base/rotation.h"

#include <math.h>

plWindDef plDefaultWindDef(void)
{
	return (plWindDef){.density = 1.2, .normal = 1.2, .tangent = 0.02, .cookie = PL_COOKIE(plWindDef)};
}

plResult plWindDef_Check(const plWindDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plWindDef), "a plWindDef starts as plDefaultWindDef()");
	if (!plVec3_IsFinite(def->velocity))
		return plFailAt(error, "velocity", "wind: its velocity is not finite");
	if (!plVec3_IsFinite(def->gust))
		return plFailAt(error, "gust", "wind: its gust is not finite");
	if (!isfinite(def->phase))
		return plFailAt(error, "phase", "wind: its phase is not finite");
	const struct
	{
		const char *field, *unit;
		double value;
	} rows[] = {{"frequency", " Hz", def->frequency},
	            {"density", " kg/m^3", def->density},
	            {"normal", "", def->normal},
	            {"tangent", "", def->tangent}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
		if (!(rows[i].value >= 0.0) || !isfinite(rows[i].value))
			return plFailAt(error, rows[i].field, "wind: %s is %g%s, it must not be below 0", rows[i].field,
			                rows[i].value, rows[i].unit);
	bool gusts = def->gust.x != 0.0 || def->gust.y != 0.0 || def->gust.z != 0.0;
	if (gusts && !(def->frequency > 0.0))
		return plFailAt(error, "frequency", "wind: a gust needs a frequency above 0 Hz");
	return pl_success;
}

plResult plWorld_SetWind(plWorld* world, const plWindDef* def, plError* error)
{
	plResult result = def != NULL ? plWindDef_Check(def, error) : pl_success;
	if (result < 0)
		return result;
	if (world->hasWind != (def != NULL))
		plWorld_ChangeTerms(world, pl_changeWind);
	world->hasWind = def != NULL;
	world->wind = def != NULL ? *def : (plWindDef){0};
	return pl_success;
}

bool plWorld_GetWind(const plWorld* world, plWindDef* def)
{
	if (world->hasWind)
		*def = world->wind;
	return world->hasWind;
}

bool plWorld_MakeWind(plWorld* world, plEnergy** made)
{
	size_t vertexCount = 0, triangleCount = 0, e = 0, t = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		vertexCount += body->cloth != NULL ? body->vertexCount : 0;
		triangleCount += body->cloth != NULL ? body->cloth->triangleCount : 0;
	}
	if (!world->hasWind || vertexCount == 0)
		return true;
	plWindEnergy* wind = plWindEnergy_Create(vertexCount, triangleCount, &world->heap);
	if (wind == NULL)
		return false;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		if (body->cloth == NULL)
			continue;
		for (size_t i = 0; i < 3 * body->cloth->triangleCount; ++i)
			wind->triangles[t++] = (uint32_t)e + body->internalOf[body->cloth->triangles[i]];
		for (size_t i = 0; i < body->vertexCount; ++i)
			wind->base.vertices[e++] = (uint32_t)(body->vertexStart + i);
	}
	*made = &wind->base;
	return true;
}

void plWorld_BlowWind(plWorld* world, int mark)
{
	static const double twoPi = 6.283185307179586476925;
	plWindEnergy* energy = world->prepared.wind;
	const plWindDef* def = &world->wind;
	if (energy == NULL)
		return;
	double s = plSin(twoPi * def->frequency * plWorld_GetSubstepTime(world, mark) + def->phase);
	const double w[3] = {def->velocity.x + s * def->gust.x, def->velocity.y + s * def->gust.y,
	                     def->velocity.z + s * def->gust.z};
	plWindEnergy_Blow(energy, world->q, world->v, w, (plDrag){def->density, def->normal, def->tangent});
	plEnergySet_ForgetScales(&world->prepared.terms);
}
