// shortage.h: the k-th allocation in the life of a world fails, for every k
#ifndef PL_TEST_SHORTAGE_H
#define PL_TEST_SHORTAGE_H

#include "fixture.h"
#include "meter.h"

// Builds a world that takes its memory from the meter, steps it, destroys it; false as soon as memory is short.
typedef bool Life(Meter* meter, const plMesh* mesh, plError* error);

// A failed step may not move anything: if it does, that counts as memory that is never given back.
static inline bool stepOrStay(plWorld* world, int count, Meter* meter, plError* error)
{
	bool fine = true;
	for (int i = 0; fine && i < count; ++i)
	{
		uint64_t before = plWorld_GetHash(world);
		plStepReport report;
		fine = plWorld_Step(world, &report, error) >= 0;
		if (!fine && plWorld_GetHash(world) != before)
			meter->live += 1000000;
	}
	return fine;
}

// A life on a box takes more than `least` allocations; whichever fails, nothing is left over.
static inline void failEachAllocation(Life* life, plVec3 size, const size_t cells[3], size_t least)
{
	plError error;
	plMesh* mesh = plCreateBoxMesh(size, cells, 5, NULL, &error);
	size_t k = 1;
	for (;; ++k)
	{
		Meter meter = {.failAt = k};
		bool fine = life(&meter, mesh, &error);
		CHECK(meter.live == 0);
		if (fine)
			break;
		CHECK(error.code == pl_errorMemory);
	}
	CHECK(k > least);
	plDestroyMesh(mesh);
}

#endif
