// pressures.c: pressure inside cloth that is closed; the arithmetic is in energy/pressure.c
#include "world.h"

#include <math.h>

plPressureDef plDefaultPressureDef(void)
{
	return (plPressureDef){.cookie = PL_COOKIE(plPressureDef)};
}

plResult plPressureDef_Check(const plPressureDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plPressureDef), "a plPressureDef starts as plDefaultPressureDef()");
	if (!isfinite(def->pressure))
		return plFailAt(error, "pressure", "pressure: it is %g Pa, it must be finite", def->pressure);
	return pl_success;
}

// ---- closed surfaces ------------------------------------------------------------------------------------------------

// Does the triangle go from a to b?
static bool goesAlong(const uint32_t* triangle, uint32_t a, uint32_t b)
{
	for (size_t k = 0; k < 3; ++k)
		if (triangle[k] == a && triangle[(k + 1) % 3] == b)
			return true;
	return false;
}

static plResult checkClosed(const plCloth* cloth, plError* error)
{
	for (size_t e = 0; e < cloth->edgeCount; ++e)
	{
		uint32_t a = cloth->edges[2 * e], b = cloth->edges[2 * e + 1];
		const uint32_t* sides = cloth->edgeTriangles + 2 * e;
		if (sides[1] == PL_NONE)
			return plFailAt(error, "body",
			                "pressure: the cloth is not closed: the edge of vertices %u and %u does not belong to two "
			                "triangles",
			                a, b);
		if (goesAlong(cloth->triangles + 3 * (size_t)sides[0], a, b) ==
		    goesAlong(cloth->triangles + 3 * (size_t)sides[1], a, b))
			return plFailAt(error, "body",
			                "pressure: triangles %u and %u face opposite sides of the cloth, so it has no inside",
			                sides[0], sides[1]);
	}
	return pl_success;
}

// Of triangles that face outwards; `x` [3 vertices] or by quads, at the places that `internalOf` gives if not NULL.
// Counted from a vertex of its own: what is far from the origin loses no digits.
static double volumeOf(const plCloth* cloth, const double* x, size_t stride, const uint32_t* internalOf)
{
	double sum = 0.0, o[3];
	for (size_t t = 0; t < cloth->triangleCount; ++t)
	{
		double p[3][3];
		for (size_t c = 0; c < 3; ++c)
		{
			uint32_t v = cloth->triangles[3 * t + c];
			const double* at = x + stride * (internalOf != NULL ? internalOf[v] : v);
			if (t == 0 && c == 0)
				memcpy(o, at, sizeof o);
			for (size_t k = 0; k < 3; ++k)
				p[c][k] = at[k] - o[k];
		}
		for (size_t k = 0; k < 3; ++k)
			sum += p[0][k] * (p[1][(k + 1) % 3] * p[2][(k + 2) % 3] - p[1][(k + 2) % 3] * p[2][(k + 1) % 3]) / 6.0;
	}
	return sum;
}

// ---- life -----------------------------------------------------------------------------------------------------------

plPressureId plCreatePressure(plWorld* world, const plPressureDef* def, plError* error)
{
	plPressureId null = {0, 0};
	if (plPressureDef_Check(def, error) < 0 || plWorld_CheckSoft(world, "pressure", "body", def->body, error) < 0)
		return null;
	const plSoftBody* body = plWorld_GetSoftBody(world, def->body);
	if (body->cloth == NULL)
	{
		plFailAt(error, "body", "pressure: the body is no cloth");
		return null;
	}
	if (checkClosed(body->cloth, error) < 0)
		return null;
	if (!plSlots_Reserve(&world->pressures))
	{
		plFail(error, pl_errorMemory, "not enough memory for a pressure");
		return null;
	}
	double extent = plSoftBody_GetExtent(body), volume = volumeOf(body->cloth, body->rest, 3, NULL);
	plPressure pressure = {.body = def->body.index1 - 1,
	                       .pressure = def->pressure,
	                       // a flat one has a volume of rounding, of either sign: it is filled as its triangles face
	                       .inwards = volume < -1e-9 * extent * extent * extent};
	plWorld_ChangeTerms(world, pl_changePressures);
	plSlotId id = plSlots_Add(&world->pressures, &pressure);
	return (plPressureId){id.index1, id.generation};
}

static plPressure* pressureOf(const plWorld* world, plPressureId id)
{
	plPressure* pressure = plSlots_Get(&world->pressures, id.index1, id.generation);
	PL_ASSERT(pressure != NULL, "the pressure exists in this world");
	return pressure;
}

void plDestroyPressure(plWorld* world, plPressureId id)
{
	plPressure* pressure = pressureOf(world, id);
	plWorld_ChangeTerms(world, pl_changePressures);
	plSlots_Remove(&world->pressures, pressure);
}

// Elements keep their places: only their pressure is another.
static void refill(const plWorld* world)
{
	plPressureEnergy* energy = world->prepared.pressures;
	size_t part = 0;
	PL_EACH(const plPressure, pressure, &world->pressures)
		energy->parts[part++].pressure = pressure->inwards ? -pressure->pressure : pressure->pressure;
}

void plPressure_Set(plWorld* world, plPressureId id, double pascal)
{
	PL_ASSERT(isfinite(pascal), "a pressure is finite");
	pressureOf(world, id)->pressure = pascal;
	world->prepared.measured = false;
	if (world->prepared.pressures == NULL)
		return;
	refill(world);
	plEnergySet_ForgetScales(&world->prepared.terms);
}

double plPressure_Get(const plWorld* world, plPressureId id)
{
	return pressureOf(world, id)->pressure;
}

double plPressure_GetVolume(const plWorld* world, plPressureId id)
{
	const plPressure* pressure = pressureOf(world, id);
	const plSoftBody* body = plSlots_At(&world->softs, pressure->body);
	double volume = volumeOf(body->cloth, PL_AT(world->q, body->vertexStart), pl_quad, body->internalOf);
	return pressure->inwards ? -volume : volume;
}

bool plWorld_MakePressures(plWorld* world, plEnergy** made)
{
	size_t count = 0, e = 0, part = 0;
	PL_EACH(const plPressure, pressure, &world->pressures)
		count += ((const plSoftBody*)plSlots_At(&world->softs, pressure->body))->cloth->triangleCount;
	if (count == 0)
		return true;
	plPressureEnergy* energy = plPressureEnergy_Create(count, world->pressures.liveCount, &world->heap);
	if (energy == NULL)
		return false;
	PL_EACH(const plPressure, pressure, &world->pressures)
	{
		const plSoftBody* body = plSlots_At(&world->softs, pressure->body);
		const plCloth* cloth = body->cloth;
		for (size_t i = 0; i < 3 * cloth->triangleCount; ++i)
			energy->base.vertices[3 * e + i] = (uint32_t)body->vertexStart + body->internalOf[cloth->triangles[i]];
		energy->parts[part++] = (plPressurePart){.begin = e, .end = e + cloth->triangleCount};
		e += cloth->triangleCount;
	}
	plPressureEnergy_Spread(energy);
	world->prepared.pressures = energy;
	refill(world);
	*made = &energy->base;
	return true;
}
