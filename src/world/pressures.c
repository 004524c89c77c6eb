// pressures.c: pressure inside cloth that is closed, given or of a gas; the arithmetic is in energy/pressure.c
//
//   given   p(t) = s pressure,                            s = min(1, (t - t0)/fill)
//   gas     N(t) = N0 + s (N1 - N0),                      N = n R T, p = N/V - ambient
//           N1 = (ambient + pressure) volume              N0 has the pressure outside at t0
#include "world.h"
#include "inside.h"

#include <math.h>

enum
{
	savedNumbers = 4
};

plPressureDef plDefaultPressureDef(void)
{
	return (plPressureDef){.ambient = 101325.0, .cookie = PL_COOKIE(plPressureDef)};
}

static plResult checkGas(const plPressureDef* def, plError* error)
{
	if (!(def->ambient >= 0.0) || !isfinite(def->ambient))
		return plFailAt(error, "ambient", "pressure: that outside is %g Pa, it must not be below 0", def->ambient);
	if (!(def->pressure > -def->ambient))
		return plFailAt(error, "pressure", "pressure: a gas of %g Pa above %g Pa outside is no gas, it must be above 0",
		                def->pressure, def->ambient);
	if (!(def->volume >= 0.0) || !isfinite(def->volume))
		return plFailAt(error, "volume", "pressure: the volume is %g m^3, it must not be below 0", def->volume);
	return pl_success;
}

plResult plPressureDef_Check(const plPressureDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plPressureDef), "a plPressureDef starts as plDefaultPressureDef()");
	if (!isfinite(def->pressure))
		return plFailAt(error, "pressure", "pressure: it is %g Pa, it must be finite", def->pressure);
	if (!(def->fill >= 0.0) || !isfinite(def->fill))
		return plFailAt(error, "fill", "pressure: filling takes %g s, it must not be below 0", def->fill);
	if (def->otherCount > 0 && def->others == NULL)
		return plFailAt(error, "others", "pressure: %zu bodies are promised, the array is NULL", def->otherCount);
	return def->gas ? checkGas(def, error) : pl_success;
}

void plPressure_Free(plPressure* pressure, plHeap* heap)
{
	PL_FREE(heap, pressure->corners, pressure->corners != NULL ? 3 * pressure->count : 0);
	pressure->corners = NULL;
}

bool plPressure_Holds(const plPressure* pressure, uint32_t body)
{
	bool holds = pressure->body == body;
	for (size_t i = 0; pressure->corners != NULL && !holds && i < 3 * pressure->count; ++i)
		holds = pressure->corners[i].body == body;
	return holds;
}

// ---- volume ---------------------------------------------------------------------------------------------------------

static plCorner cornerOf(const plWorld* world, const plPressure* pressure, size_t i)
{
	if (pressure->corners != NULL)
		return pressure->corners[i];
	const plSoftBody* body = plSlots_At(&world->softs, pressure->body);
	return (plCorner){pressure->body, body->cloth->triangles[i]};
}

static size_t placeOf(const plWorld* world, plCorner corner)
{
	const plSoftBody* body = plSlots_At(&world->softs, corner.body);
	return body->vertexStart + body->internalOf[corner.vertex];
}

// As triangles face, where bodies started or where they are. Counted from a vertex of its own: what is far from the
// origin loses no digits.
static double volumeOf(const plWorld* world, const plPressure* pressure, bool atRest)
{
	double sum = 0.0, o[3] = {0.0, 0.0, 0.0};
	for (size_t t = 0; t < pressure->count; ++t)
	{
		double p[3][3];
		for (size_t c = 0; c < 3; ++c)
		{
			plCorner corner = cornerOf(world, pressure, 3 * t + c);
			const plSoftBody* body = plSlots_At(&world->softs, corner.body);
			const double* at =
			    atRest ? body->rest + 3 * (size_t)corner.vertex : PL_AT(world->q, placeOf(world, corner));
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

static double insideOf(const plWorld* world, const plPressure* pressure)
{
	double volume = volumeOf(world, pressure, false);
	return pressure->inwards ? -volume : volume;
}

// ---- life -----------------------------------------------------------------------------------------------------------

// Gas is known from the volume of now.
static plResult begin(const plWorld* world, const plPressureDef* def, plPressure* pressure, plError* error)
{
	double now = insideOf(world, pressure);
	pressure->start = plWorld_GetTime(world);
	pressure->fill = def->fill;
	pressure->isGas = def->gas;
	pressure->ambient = def->ambient;
	pressure->volume = def->volume > 0.0 ? def->volume : now;
	if (!def->gas)
		return pl_success;
	if (!(pressure->volume > 0.0))
		return plFailAt(error, "volume",
		                "pressure: the cloth is flat, and holds %g m^3: say at which volume its gas has %g Pa",
		                pressure->volume, def->pressure);
	pressure->least = 0.1 * (now > 0.0 ? fmin(now, pressure->volume) : 0.1 * pressure->volume);
	pressure->from = plGas_GetAmount(def->ambient, now, pressure->least);
	return pl_success;
}

plPressureId plCreatePressure(plWorld* world, const plPressureDef* def, plError* error)
{
	plPressureId null = {0, 0};
	plHeap* heap = &world->heap;
	if (plPressureDef_Check(def, error) < 0)
		return null;
	plPressure pressure = {.body = def->body.index1 - 1, .pressure = def->pressure};
	if (plWorld_FindInside(world, def, &pressure, error) < 0)
		return null;
	const plSoftBody* body = plWorld_GetSoftBody(world, def->body);
	double extent = plSoftBody_GetExtent(body), volume = volumeOf(world, &pressure, true);
	// a flat one has a volume of rounding, of either sign: it is filled as its triangles face
	pressure.inwards = volume < -1e-9 * extent * extent * extent;
	bool fine = begin(world, def, &pressure, error) >= 0;
	if (fine && !plSlots_Reserve(&world->pressures))
	{
		plFail(error, pl_errorMemory, "not enough memory for a pressure");
		fine = false;
	}
	if (!fine)
	{
		plPressure_Free(&pressure, heap);
		return null;
	}
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
	plPressure_Free(pressure, &world->heap);
	plSlots_Remove(&world->pressures, pressure);
}

// ---- elements -------------------------------------------------------------------------------------------------------

static double filledAt(const plWorld* world, const plPressure* pressure, int mark)
{
	double passed = plWorld_GetSubstepTime(world, mark) - pressure->start;
	return passed < pressure->fill ? fmax(0.0, passed) / pressure->fill : 1.0;
}

// A broken stitch between two of its bodies lets out what is inside.
static bool leaks(const plWorld* world, const plPressure* pressure)
{
	bool any = false;
	PL_EACH(const plSeam, seam, &world->seams)
		any = any || (pressure->corners != NULL && plSeam_CountBroken(seam) > 0 &&
		              plPressure_Holds(pressure, seam->a) && plPressure_Holds(pressure, seam->b));
	return any;
}

static plGas gasAt(const plWorld* world, const plPressure* pressure, int mark)
{
	if (!pressure->isGas)
		return (plGas){0};
	double whole = (pressure->ambient + pressure->pressure) * pressure->volume, s = filledAt(world, pressure, mark);
	return (plGas){pressure->from + s * (whole - pressure->from), pressure->ambient, pressure->least};
}

// Elements keep their places: only their pressure is another. That of a gas is measured.
static void refill(const plWorld* world, int mark)
{
	plPressureEnergy* energy = world->prepared.pressures;
	plPressurePart* part = energy->parts;
	PL_EACH(const plPressure, pressure, &world->pressures)
	{
		bool isEmpty = leaks(world, pressure);
		double pascal = isEmpty ? 0.0 : filledAt(world, pressure, mark) * pressure->pressure;
		part->inwards = pressure->inwards;
		part->isGas = pressure->isGas && !isEmpty;
		part->gas = gasAt(world, pressure, mark);
		part->pressure = pressure->inwards ? -pascal : pascal;
		part++;
	}
}

void plWorld_MovePressures(plWorld* world, int mark)
{
	bool moves = false;
	PL_EACH(const plPressure, pressure, &world->pressures)
		moves = moves || pressure->isGas || pressure->corners != NULL || filledAt(world, pressure, mark - 1) < 1.0;
	if (world->prepared.pressures == NULL || !moves)
		return;
	refill(world, mark);
	plEnergySet_ForgetScales(&world->prepared.terms);
}

void plPressure_Set(plWorld* world, plPressureId id, double pascal)
{
	plPressure* pressure = pressureOf(world, id);
	PL_ASSERT(isfinite(pascal), "a pressure is finite");
	PL_ASSERT(!pressure->isGas || pascal > -pressure->ambient, "the absolute pressure of a gas is above 0");
	pressure->pressure = pascal;
	world->prepared.measured = false;
	if (world->prepared.pressures == NULL)
		return;
	refill(world, 0);
	plEnergySet_ForgetScales(&world->prepared.terms);
}

bool plWorld_MakePressures(plWorld* world, plEnergy** made)
{
	size_t count = 0, e = 0, part = 0;
	bool takesGas = false; // also what has leaked: a state that is loaded may have it whole again
	PL_EACH(const plPressure, pressure, &world->pressures)
	{
		count += pressure->count;
		takesGas = takesGas || pressure->isGas;
	}
	if (count == 0)
		return true;
	plPressureEnergy* energy = plPressureEnergy_Create(count, world->pressures.liveCount, takesGas, &world->heap);
	if (energy == NULL)
		return false;
	PL_EACH(const plPressure, pressure, &world->pressures)
	{
		for (size_t i = 0; i < 3 * pressure->count; ++i)
			energy->base.vertices[3 * e + i] = (uint32_t)placeOf(world, cornerOf(world, pressure, i));
		energy->parts[part++] = (plPressurePart){.begin = e, .end = e + pressure->count};
		e += pressure->count;
	}
	world->prepared.pressures = energy;
	refill(world, 0);
	plPressureEnergy_Spread(energy);
	*made = &energy->base;
	return true;
}

// ---- saved states ---------------------------------------------------------------------------------------------------

static bool isSaved(const plPressure* pressure)
{
	return pressure->isGas || pressure->fill > 0.0;
}

size_t plWorld_CountPressureNumbers(const plWorld* world)
{
	size_t count = 0;
	PL_EACH(const plPressure, pressure, &world->pressures)
		count += isSaved(pressure) ? savedNumbers : 0;
	return count;
}

void plWorld_SavePressures(const plWorld* world, char* out)
{
	PL_EACH(const plPressure, pressure, &world->pressures)
	{
		const double numbers[savedNumbers] = {pressure->start, pressure->from, pressure->volume, pressure->least};
		if (!isSaved(pressure))
			continue;
		memcpy(out, numbers, sizeof numbers);
		out += sizeof numbers;
	}
}

plResult plWorld_CheckPressures(const plWorld* world, const char* in, plError* error)
{
	PL_EACH(const plPressure, pressure, &world->pressures)
	{
		double numbers[savedNumbers];
		if (!isSaved(pressure))
			continue;
		memcpy(numbers, in, sizeof numbers);
		in += sizeof numbers;
		bool good = isfinite(numbers[0]);
		for (size_t i = 1; i < savedNumbers && pressure->isGas; ++i)
			good = good && isfinite(numbers[i]) && numbers[i] >= (i == 1 ? 0.0 : 1e-300);
		if (!good)
			return plFail(error, pl_errorInput, "state: pressure %u makes no sense",
			              plSlots_IndexOf(&world->pressures, pressure) + 1);
	}
	return pl_success;
}

void plWorld_LoadPressures(plWorld* world, const char* in)
{
	PL_EACH(plPressure, pressure, &world->pressures)
	{
		double numbers[savedNumbers];
		if (!isSaved(pressure))
			continue;
		memcpy(numbers, in, sizeof numbers);
		in += sizeof numbers;
		pressure->start = numbers[0];
		pressure->from = numbers[1];
		pressure->volume = numbers[2];
		pressure->least = numbers[3];
	}
	if (world->prepared.pressures != NULL)
		refill(world, 0);
}

// ---- numbers out ----------------------------------------------------------------------------------------------------

double plPressure_Get(const plWorld* world, plPressureId id)
{
	return pressureOf(world, id)->pressure;
}

double plPressure_GetPressure(const plWorld* world, plPressureId id)
{
	const plPressure* pressure = pressureOf(world, id);
	plGas gas = gasAt(world, pressure, 0);
	if (leaks(world, pressure))
		return 0.0;
	return pressure->isGas ? plGas_GetPressure(&gas, insideOf(world, pressure))
	                       : filledAt(world, pressure, 0) * pressure->pressure;
}

double plPressure_GetVolume(const plWorld* world, plPressureId id)
{
	return insideOf(world, pressureOf(world, id));
}
