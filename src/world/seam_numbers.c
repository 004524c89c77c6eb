// seam_numbers.c: what seams say of themselves, and what saved states hold of them
#include "seams.h"

#include <math.h>

// ---- saved states ---------------------------------------------------------------------------------------------------

// For each seam when it was made, and for each stitch L0, -1 of a broken one
size_t plWorld_CountSeamNumbers(const plWorld* world)
{
	size_t count = 0;
	PL_EACH(const plSeam, seam, &world->seams)
		count += 1 + seam->count;
	return count;
}

void plWorld_SaveSeams(const plWorld* world, char* out)
{
	PL_EACH(const plSeam, seam, &world->seams)
	{
		memcpy(out, &seam->start, sizeof(double));
		out += sizeof(double);
		for (size_t i = 0; i < seam->count; ++i, out += sizeof(double))
			memcpy(out, seam->broken[i] == pl_stitchWhole ? &seam->from[i] : &(double){-1.0}, sizeof(double));
	}
}

plResult plWorld_CheckSeams(const plWorld* world, const char* in, plError* error)
{
	PL_EACH(const plSeam, seam, &world->seams)
		for (size_t i = 0; i < 1 + seam->count; ++i, in += sizeof(double))
		{
			double x;
			memcpy(&x, in, sizeof x);
			if (!isfinite(x) || (i > 0 && x < 0.0 && x != -1.0))
				return plFail(error, pl_errorInput, "state: seam %u makes no sense",
				              plSlots_IndexOf(&world->seams, seam) + 1);
		}
	return pl_success;
}

void plWorld_LoadSeams(plWorld* world, const char* in)
{
	PL_EACH(plSeam, seam, &world->seams)
	{
		memcpy(&seam->start, in, sizeof(double));
		in += sizeof(double);
		for (size_t i = 0; i < seam->count; ++i, in += sizeof(double))
		{
			double x;
			memcpy(&x, in, sizeof x);
			seam->broken[i] = x < 0.0 ? pl_stitchBroken : pl_stitchWhole;
			seam->from[i] = x < 0.0 ? 0.0 : x;
		}
	}
	plWorld_MoveSeams(world, 0);
}

// ---- numbers out ----------------------------------------------------------------------------------------------------

size_t plSeam_GetStitchCount(const plWorld* world, plSeamId id)
{
	return plWorld_GetSeam(world, id)->count;
}

void plSeam_GetStitches(const plWorld* world, plSeamId id, uint32_t* pairs)
{
	const plSeam* seam = plWorld_GetSeam(world, id);
	memcpy(pairs, seam->vertices, 2 * seam->count * sizeof(uint32_t));
}

size_t plSeam_CountBroken(const plSeam* seam)
{
	size_t count = 0;
	for (size_t i = 0; i < seam->count; ++i)
		count += seam->broken[i] != pl_stitchWhole;
	return count;
}

size_t plSeam_GetOpenCount(const plWorld* world, plSeamId id)
{
	const plSeam* seam = plWorld_GetSeam(world, id);
	size_t count = 0;
	for (size_t i = 0; i < seam->count; ++i)
		count += seam->broken[i] == pl_stitchWhole && plSeam_GetDistance(world, seam, i) > seam->length + seam->gap;
	return count;
}

size_t plSeam_GetBrokenCount(const plWorld* world, plSeamId id)
{
	return plSeam_CountBroken(plWorld_GetSeam(world, id));
}

bool plSeam_IsClosed(const plWorld* world, plSeamId id)
{
	return plSeam_GetOpenCount(world, id) == 0 && plSeam_GetBrokenCount(world, id) == 0;
}

double plSeam_GetGap(const plWorld* world, plSeamId id)
{
	const plSeam* seam = plWorld_GetSeam(world, id);
	double widest = 0.0;
	for (size_t i = 0; i < seam->count; ++i)
		widest = seam->broken[i] == pl_stitchWhole ? fmax(widest, plSeam_GetDistance(world, seam, i) - seam->length)
		                                           : widest;
	return widest;
}

size_t plWorld_GetFirstStitch(const plWorld* world, const plSeam* seam)
{
	size_t first = 0;
	PL_EACH(const plSeam, other, &world->seams)
	{
		if (other == seam)
			break;
		first += other->count;
	}
	return first;
}

double plSeam_GetTension(const plWorld* world, plSeamId id)
{
	const plSeam* seam = plWorld_GetSeam(world, id);
	size_t first = plWorld_GetFirstStitch(world, seam);
	double largest = 0.0;
	for (size_t i = 0; world->prepared.measured && i < seam->count; ++i)
		largest = fmax(largest, plStitches_GetTension(world->prepared.seams, world->q, first + i));
	return largest;
}
