// near_seams.c: surfaces across a seam: which pairs of them are none
//
// Vertices that a stitch ties are one for contact, as corners of one triangle are: a pair, or two triangles, that have
// a vertex in common in this sense neither push nor bound, and may lie on each other. Others across the seam are pairs
// like any: next to a closed seam a sheet goes on as in its inside. A stitch that has torn counts, too: what it tied
// lies on each other, and so would never part.
#include "world.h"

static size_t countStitches(const plWorld* world)
{
	size_t count = 0;
	PL_EACH(const plSeam, seam, &world->seams)
		count += seam->count;
	return count;
}

static uint32_t vertexOf(const plWorld* world, const plSeam* seam, size_t stitch, int side)
{
	const plSoftBody* body = plSlots_At(&world->softs, side == 0 ? seam->a : seam->b);
	return (uint32_t)(body->vertexStart + body->internalOf[seam->vertices[2 * stitch + (size_t)side]]);
}

static void fillSewn(const plWorld* world, plNear* near)
{
	size_t sum = 0;
	memset(near->sewnStart, 0, (near->vertexCount + 1) * sizeof *near->sewnStart);
	PL_EACH(const plSeam, seam, &world->seams)
		for (size_t i = 0; i < 2 * seam->count; ++i)
			near->sewnStart[vertexOf(world, seam, i / 2, (int)(i % 2))]++;
	for (size_t v = 0; v <= near->vertexCount; ++v)
	{
		sum += near->sewnStart[v];
		near->sewnStart[v] = sum; // one past the last: filled from behind
	}
	PL_EACH(const plSeam, seam, &world->seams)
		for (size_t i = 0; i < 2 * seam->count; ++i)
		{
			uint32_t own = vertexOf(world, seam, i / 2, (int)(i % 2));
			near->sewn[--near->sewnStart[own]] = vertexOf(world, seam, i / 2, 1 - (int)(i % 2));
		}
}

bool plNear_ListSewn(plWorld* world, plNear* near)
{
	size_t count = countStitches(world);
	if (count == 0 && near->sewnCount == 0)
		return true;
	if (!plGrowArray(&world->heap, &near->sewn, &near->sewnRoom, 2 * count, sizeof *near->sewn))
		return false;
	near->sewnCount = count;
	near->isChecked = false; // what a seam that is gone tied may lie on each other
	fillSewn(world, near);
	return true;
}

bool plNear_AreSewn(const plNear* near, const uint32_t* a, size_t countA, const uint32_t* b, size_t countB)
{
	for (size_t i = 0; near->sewnCount > 0 && i < countA && !plNear_IsShell(near, a[i]); ++i)
		for (size_t s = near->sewnStart[a[i]]; s < near->sewnStart[a[i] + 1]; ++s)
			for (size_t k = 0; k < countB; ++k)
				if (near->sewn[s] == b[k])
					return true;
	return false;
}

static bool isSewn(plNear* near, const plNearPair* pair)
{
	size_t first = pair->kind == pl_nearFace ? 1 : 2;
	return plNear_AreSewn(near, pair->corners, first, pair->corners + first, 4 - first);
}

void plNear_DropSewn(plNear* near)
{
	if (near->sewnCount > 0)
		plNear_DropPairs(near, isSewn);
}
