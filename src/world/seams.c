// seams.c: sewing: stitches between vertices, drawn in, and broken by force; the arithmetic is in energy/spring.c
//
//   L(t) = L0 + (length - L0) min(1, (t - t0)/close)         t at the end of a substep, t0 and L0 of the creation
//   k    = 1/(1/d_a + 1/d_b),   d = m/h^2 + K                if none is given
//
// d is what a vertex resists with when it moves alone within a step: inertia, and K, the elastic stiffness of the
// elements around it (plElements). Two of them in a row give k, so a stitch is about as stiff as the matter that it
// joins: it gapes by about as much as an edge beside it stretches, and no matrix gets worse by it. K alone would let
// heavy, soft bodies swing about the seam. m/h^2 alone would let stiff ones gape. k follows materials and time step.
//
// A stitch with k |l - L| above the force that breaks it has k = 0 from the end of that step on.
#include "seams.h"

#include <math.h>

plSeamDef plDefaultSeamDef(void)
{
	return (plSeamDef){.close = 0.5, .breakForce = INFINITY, .gap = 1e-3, .cookie = PL_COOKIE(plSeamDef)};
}

void plSeam_Free(plSeam* seam, plHeap* heap)
{
	PL_FREE(heap, seam->vertices, 2 * seam->count);
	PL_FREE(heap, seam->from, seam->count);
	PL_FREE(heap, seam->broken, seam->count);
	plName_Free(seam->name, heap);
	*seam = (plSeam){0};
}

// ---- checks ---------------------------------------------------------------------------------------------------------

static plResult checkAmount(double x, const char* field, const char* unit, plError* error)
{
	if (x >= 0.0 && isfinite(x))
		return pl_success;
	return plFailAt(error, field, "seam: %s is %g %s, it must not be below 0", field, x, unit);
}

plResult plSeamDef_Check(const plSeamDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plSeamDef), "a plSeamDef starts as plDefaultSeamDef()");
	const struct
	{
		const char *field, *unit;
		double value;
	} rows[] = {{"length", "m", def->length},
	            {"close", "s", def->close},
	            {"stiffness", "N/m", def->stiffness},
	            {"gap", "m", def->gap}};
	if ((int)def->match < 0 || def->match >= pl_seamMatchCount)
		return plFailAt(error, "match", "seam: there is no match %d", (int)def->match);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
		if (checkAmount(rows[i].value, rows[i].field, rows[i].unit, error) < 0)
			return pl_errorInput;
	if (!(def->breakForce > 0.0))
		return plFailAt(error, "breakForce", "seam: the force that breaks a stitch is %g N, it must be above 0",
		                def->breakForce);
	if (def->match == pl_seamNearest && (!(def->reach > 0.0) || !isfinite(def->reach)))
		return plFailAt(error, "reach", "seam: reach is %g m, it must be above 0", def->reach);
	if (def->match == pl_seamPairs && def->count == 0)
		return plFailAt(error, "count", "seam: there is no pair");
	if (def->match == pl_seamPairs && def->pairs == NULL)
		return plFailAt(error, "pairs", "seam: %zu pairs are promised, the array is NULL", def->count);
	if (def->match != pl_seamPairs && (def->firstCount == 0 || def->first == NULL))
		return plFailAt(error, "first", "seam: there are no vertices of body a");
	if (def->match != pl_seamPairs && (def->secondCount == 0 || def->second == NULL))
		return plFailAt(error, "second", "seam: there are no vertices of body b");
	return plName_Check(def->name, pl_thingSeam, error);
}

static plResult checkVertices(const plWorld* world, plBodyId body, const uint32_t* vertices, size_t count,
                              size_t stride, const char* field, plError* error)
{
	size_t limit = plWorld_GetSoftBody(world, body)->vertexCount;
	for (size_t i = 0; i < count; ++i)
		if (vertices[stride * i] >= limit)
			return plFailAt(error, field, "seam: vertex %u of %s does not exist, the body has %zu",
			                vertices[stride * i], field, limit);
	return pl_success;
}

static plResult checkPairs(const plWorld* world, const plSeamDef* def, plError* error)
{
	plResult result = checkVertices(world, def->a, def->pairs, def->count, 2, "pairs", error);
	if (result == pl_success)
		result = checkVertices(world, def->b, def->pairs + 1, def->count, 2, "pairs", error);
	for (size_t i = 0; result == pl_success && def->a.index1 == def->b.index1 && i < def->count; ++i)
		if (def->pairs[2 * i] == def->pairs[2 * i + 1])
			return plFailAt(error, "pairs", "seam: both ends of stitch %zu are vertex %u", i, def->pairs[2 * i]);
	return result;
}

static plResult checkDef(const plWorld* world, const plSeamDef* def, plError* error)
{
	plResult result = plSeamDef_Check(def, error);
	if (result == pl_success)
		result = plWorld_CheckSoft(world, "seam", "a", def->a, error);
	if (result == pl_success)
		result = plWorld_CheckSoft(world, "seam", "b", def->b, error);
	if (result == pl_success)
		result = plWorld_CheckName(world, def->name, pl_thingSeam, error);
	if (result < 0 || def->match == pl_seamPairs)
		return result < 0 ? result : checkPairs(world, def, error);
	result = checkVertices(world, def->a, def->first, def->firstCount, 1, "first", error);
	return result < 0 ? result : checkVertices(world, def->b, def->second, def->secondCount, 1, "second", error);
}

// ---- life -----------------------------------------------------------------------------------------------------------

// Places of the two ends in the world's block
static void getEnds(const plWorld* world, const plSeam* seam, size_t i, size_t ends[2])
{
	const uint32_t slots[2] = {seam->a, seam->b};
	for (size_t k = 0; k < 2; ++k)
	{
		const plSoftBody* body = plSlots_At(&world->softs, slots[k]);
		ends[k] = body->vertexStart + body->internalOf[seam->vertices[2 * i + k]];
	}
}

double plSeam_GetDistance(const plWorld* world, const plSeam* seam, size_t i)
{
	size_t ends[2];
	getEnds(world, seam, i, ends);
	return sqrt(plGetSquare(PL_AT(world->q, ends[0]), PL_AT(world->q, ends[1])));
}

static plResult matchPairs(const plSeamDef* def, plHeap* heap, plSeam* seam, plError* error)
{
	seam->vertices = PL_NEW(heap, uint32_t, 2 * def->count);
	if (seam->vertices == NULL)
		return plFail(error, pl_errorMemory, "not enough memory for a seam of %zu stitches", def->count);
	seam->count = def->count;
	memcpy(seam->vertices, def->pairs, 2 * def->count * sizeof(uint32_t));
	return pl_success;
}

plSeamId plCreateSeam(plWorld* world, const plSeamDef* def, plError* error)
{
	plSeamId null = {0, 0};
	plHeap* heap = &world->heap;
	if (checkDef(world, def, error) < 0)
		return null;
	plSeam seam = {.a = def->a.index1 - 1,
	               .b = def->b.index1 - 1,
	               .start = plWorld_GetTime(world),
	               .length = def->length,
	               .close = def->close,
	               .stiffness = def->stiffness,
	               .breakForce = def->breakForce,
	               .gap = def->gap};
	plResult result =
	    def->match == pl_seamPairs ? matchPairs(def, heap, &seam, error) : plWorld_MatchSeam(world, def, &seam, error);
	if (result < 0)
		return null;
	seam.from = PL_NEW(heap, double, seam.count);
	seam.broken = PL_NEW_ZERO(heap, uint8_t, seam.count);
	bool named = plName_Copy(&seam.name, def->name, heap);
	if (!named || !seam.from || !seam.broken || !plSlots_Reserve(&world->seams))
	{
		plFail(error, pl_errorMemory, "not enough memory for a seam of %zu stitches", seam.count);
		plSeam_Free(&seam, heap);
		return null;
	}
	for (size_t i = 0; i < seam.count; ++i)
		seam.from[i] = plSeam_GetDistance(world, &seam, i);
	plWorld_ChangeTerms(world, pl_changeSeams);
	plSlotId id = plSlots_Add(&world->seams, &seam);
	return (plSeamId){id.index1, id.generation};
}

plSeam* plWorld_GetSeam(const plWorld* world, plSeamId id)
{
	plSeam* seam = plSlots_Get(&world->seams, id.index1, id.generation);
	PL_ASSERT(seam != NULL, "the seam exists in this world");
	return seam;
}

void plDestroySeam(plWorld* world, plSeamId id)
{
	plSeam* seam = plWorld_GetSeam(world, id);
	plWorld_ChangeTerms(world, pl_changeSeams);
	plSeam_Free(seam, &world->heap);
	plSlots_Remove(&world->seams, seam);
}

bool plSeam_IsValid(const plWorld* world, plSeamId id)
{
	return plSlots_Get(&world->seams, id.index1, id.generation) != NULL;
}

// ---- elements -------------------------------------------------------------------------------------------------------

static double restAt(const plWorld* world, const plSeam* seam, size_t i, int mark)
{
	double passed = plWorld_GetSubstepTime(world, mark) - seam->start;
	if (!(passed < seam->close))
		return seam->length;
	return seam->from[i] + (seam->length - seam->from[i]) * fmax(0.0, passed) / seam->close;
}

static double stiffnessOf(const plWorld* world, const plSeam* seam, size_t i, const uint32_t ends[2])
{
	double h = world->timestep / (double)world->substeps, d[2];
	if (seam->broken[i] != pl_stitchWhole || seam->stiffness > 0.0)
		return seam->broken[i] != pl_stitchWhole ? 0.0 : seam->stiffness;
	for (size_t k = 0; k < 2; ++k)
		d[k] = world->mass[ends[k]] / (h * h) + world->prepared.elements.stiffness[ends[k]];
	if (!(d[0] > 0.0) || !(d[1] > 0.0)) // a vertex of no element goes where the other one is
		return fmax(d[0], d[1]);
	return 1.0 / (1.0 / d[0] + 1.0 / d[1]);
}

// Stitches as they are at a mark, and were at the one before
static void place(plWorld* world, int mark)
{
	plSpringEnergy* energy = world->prepared.seams;
	bool changed = false;
	size_t e = 0;
	PL_EACH(const plSeam, seam, &world->seams)
		for (size_t i = 0; i < seam->count; ++i, ++e)
		{
			double k = stiffnessOf(world, seam, i, energy->base.vertices + 2 * e);
			changed = changed || energy->stiffness[e] != k;
			energy->stiffness[e] = k;
			energy->rest[e] = restAt(world, seam, i, mark);
			energy->before[e] = restAt(world, seam, i, mark > 0 ? mark - 1 : 0);
		}
	if (changed)
		plWorld_ChangeStiffness(world);
}

bool plWorld_MakeSeams(plWorld* world, plEnergy** made)
{
	size_t count = 0, e = 0;
	PL_EACH(const plSeam, seam, &world->seams)
		count += seam->count;
	plSpringEnergy* energy = count > 0 ? plSpringEnergy_CreateStitches(count, &world->heap) : NULL;
	if (energy == NULL)
		return count == 0;
	PL_EACH(const plSeam, seam, &world->seams)
		for (size_t i = 0; i < seam->count; ++i, ++e)
		{
			size_t ends[2];
			getEnds(world, seam, i, ends);
			energy->base.vertices[2 * e] = (uint32_t)ends[0];
			energy->base.vertices[2 * e + 1] = (uint32_t)ends[1];
			energy->stiffness[e] = 0.0;
		}
	world->prepared.seams = energy;
	place(world, 0);
	*made = &energy->base;
	return true;
}

void plWorld_MoveSeams(plWorld* world, int mark)
{
	if (world->prepared.seams != NULL)
		place(world, mark);
}

// ---- breaking -------------------------------------------------------------------------------------------------------

static double lengthOf(const plSpringEnergy* energy, const double* q, size_t e)
{
	const uint32_t* ends = energy->base.vertices + 2 * e;
	return sqrt(plGetSquare(PL_AT(q, ends[0]), PL_AT(q, ends[1])));
}

double plStitches_GetTension(const plSpringEnergy* energy, const double* q, size_t e)
{
	return energy->stiffness[e] * fabs(lengthOf(energy, q, e) - energy->rest[e]);
}

void plWorld_BreakSeams(plWorld* world, plStepReport* report)
{
	plSpringEnergy* energy = world->prepared.seams;
	size_t e = 0;
	PL_EACH(plSeam, seam, &world->seams)
		for (size_t i = 0; i < seam->count; ++i, ++e)
		{
			seam->broken[i] = seam->broken[i] != pl_stitchWhole ? pl_stitchBroken : pl_stitchWhole;
			if (seam->broken[i] != pl_stitchWhole || !(plStitches_GetTension(energy, world->q, e) > seam->breakForce))
				continue;
			double x = lengthOf(energy, world->q, e) - energy->rest[e], lost = 0.5 * energy->stiffness[e] * x * x;
			seam->broken[i] = pl_stitchBrokenNow;
			energy->stiffness[e] = 0.0;
			report->brokenStitches++;
			report->balance.stored.seams -= world->balance ? lost : 0.0;
			report->balance.lost.seams += world->balance ? lost : 0.0;
		}
	if (report->brokenStitches > 0)
		plWorld_ChangeStiffness(world);
}

void plWorld_MendSeams(plWorld* world)
{
	PL_EACH(plSeam, seam, &world->seams)
		for (size_t i = 0; i < seam->count; ++i)
			seam->broken[i] = seam->broken[i] == pl_stitchBrokenNow ? pl_stitchWhole : seam->broken[i];
}
